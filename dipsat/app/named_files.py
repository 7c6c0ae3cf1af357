"""The files given to commands: a path, or `-` for standard input."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

import dipsat
from dipsat.app.parameters import (
    NOWHERE,
    Elsewhere,
    gathered,
    map_option,
    position_options,
    print_error,
    print_report,
    rules_option,
    write_picture,
)
from dipsat.app.printing import echo, json_text
from dipsat.base import counted, write_text
from dipsat.errors import LISTED_FAULTS, DipsatError, FileError, UnknownNameError, shortened
from dipsat.rules import DEFAULT_RULES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dipsat.draw import Svg
    from dipsat.formats import Game, PhaseFile, Turn
    from dipsat.game import Position
    from dipsat.outcomes import Outcome
    from dipsat.rules import Profile
    from dipsat.studies import Done, Workers


_F = TypeVar("_F", bound=Callable[..., Any])
_SHOWN = "standard input"
_OPTIONAL = {"map", "rules", "unknown_centers"}
_POSITION = {"phase", "units", "dislodged", "centers", "retreats"}
"""The keys that every position has."""


@dataclass(frozen=True, slots=True)
class AskedPhase:
    """The phase that a command is about: its file and the options that describe it."""

    file: str
    rules: str | None
    map_name: str | None
    elsewhere: Elsewhere
    lenient: bool

    def read(self, asking: bool = False) -> tuple[PhaseFile, Profile | str]:
        """The phase and its rules, as `phase_and_rules` gives them."""
        named = (self.file, self.map_name, self.rules, asking, self.elsewhere, self.lenient)
        return phase_and_rules(*named)

    def adjudicated(self, **others: Any) -> tuple[PhaseFile, Profile | str, Outcome]:
        """The phase, its rules, and its outcome. Raises what `check_faults` raises, unless the
        reader is lenient."""
        phase, rules = self.read()
        given = (phase.position, phase.orders, rules)
        outcome = dipsat.adjudicate(*given, lenient=self.lenient, **others)
        self.check(phase, outcome.rulings)
        return phase, rules, outcome

    def check(self, phase: PhaseFile, rulings: Any) -> None:
        """Raise what `check_faults` raises, unless the reader is lenient."""
        check_orders(phase, rulings, self.elsewhere, self.lenient)


def phase_options(
    lenient: str = "As for `dipsat adjudicate`.",
    file: Callable[..., Any] = click.argument("file", metavar="FILE"),  # noqa: B008  # a decorator
) -> Callable[[_F], _F]:
    """Add the argument FILE, or another, and the options that describe a phase. They become the
    parameter `asked`, an `AskedPhase`."""
    option = click.option("--lenient", is_flag=True, help=lenient)
    options = (file, rules_option, map_option, position_options, option)
    return gathered("asked", AskedPhase, *options)


def phase_and_rules(
    file: str,
    map_name: str | None,
    rules: str | None,
    asking: bool = False,
    elsewhere: Elsewhere = NOWHERE,
    lenient: bool = False,
) -> tuple[PhaseFile, Profile | str]:
    """The phase in a file, and the rules to judge it by: the named rules, otherwise those of the
    file. If `rules` has only settings (`+waive=illegal`), these change the rules of the file. The
    position and the phase may be stated `elsewhere`."""
    from dipsat.rules import settings_in

    settings, named = None, None
    if rules and rules.startswith("+"):
        settings = settings_in(DEFAULT_RULES + rules)[1]
    elif rules:
        named = dipsat.load_profile(rules)
    phase = phase_from(file, map_name, named, asking, settings, elsewhere, lenient)
    show_remarks(named or phase.rules)
    return phase, named or phase.rules or DEFAULT_RULES


def check_orders(
    phase: PhaseFile, rulings: Any, elsewhere: Elsewhere, lenient: bool = False
) -> None:
    """Raise what `check_faults` raises, unless the reader is lenient or the orders come from a
    recorded game."""
    is_played = phase.is_record and elsewhere.board is None
    if not (lenient or is_played):
        from dipsat.formats import check_faults

        check_faults(phase, rulings)


def name_phase(phase: PhaseFile) -> None:
    """Print the phase that an answer is about, if the file is a recorded game."""
    if phase.is_record:
        echo(f"In {phase.position.phase}:")


def write_position(position: Position, rules: Profile | str, file: str) -> None:
    """Write a position into a file that `--position` reads, with the names of its map and rules if
    these are shipped. Prints a remark if it replaces an earlier position. Raises `FileError` if any
    other file is there."""
    from dipsat.board import is_shipped
    from dipsat.rules import shipped_name

    named = {"map": position.map.name} if is_shipped(position.map) else {}
    if shipped := shipped_name(dipsat.load_profile(rules).path):
        named["rules"] = shipped
    before = _written_before(file)
    text = json_text({**named, **position.to_dict()}, indent=2) + "\n"
    write_text(file, text, new=not before)
    if before:
        echo(
            f"remark: {file}: replaced; it held {before}, and now holds {position.phase}", err=True
        )


def remark_on_missing_units(position: Position, is_stated: bool) -> None:
    """Warn that a position has only some of the units at the start of the map, or, if it is not
    stated, only those that a sheet names."""
    from dipsat.game import Position

    start = Position.start(position.map)
    here, whole = set(position.units), set(start.units)
    if position.phase == start.phase and here < whole:
        text = f"the orders name {len(here)} of the map's {len(whole)} starting units"
        remedy = f"`--position {position.map.name}` has all"
    elif position.phase != start.phase and not is_stated:
        text = f"the orders name {len(here)} units"
        remedy = "`--position FILE` states them"
    else:
        return
    echo(f"remark: {text}, and no others are on the board; {remedy}", err=True)


def _written_before(file: str) -> str:
    """The phase of the position that dipsat wrote into a file, or "" if there is no file. Raises
    `FileError` for any other file, including one whose layout was edited since."""
    from dipsat.base import read_text
    from dipsat.formats import parse_json

    if not os.path.lexists(file):
        return ""
    with suppress(DipsatError):
        text = read_text(file)
        found = parse_json(text, file)
        keys = set(found) if isinstance(found, dict) else set()
        is_position = keys >= _POSITION >= keys - _OPTIONAL
        if is_position and text == json_text(found, indent=2) + "\n":
            return str(found["phase"])
    problem = "already exists and is not a position that dipsat wrote; name another file"
    raise FileError(file, problem)


def show_remarks(*rules: Profile | str | None) -> None:
    """Print the remarks on the user's own rule files on standard error."""
    for profile in rules:
        if isinstance(profile, str | None) or all(one.is_shipped for one in profile.layers):
            continue
        from dipsat.rules import remarks

        for one in remarks(profile):
            echo(f"remark: {one}", err=True)


def show_faults(faults: Sequence[DipsatError | str], what: str = "faults") -> None:
    """Print the faults of orders that are judged nevertheless, or other remarks called `what`, on
    standard error."""
    for one in faults[:LISTED_FAULTS]:
        for line in str(one).split("\n"):  # names in untrusted input may have several
            echo(f"remark: {line}", err=True)
    rest = len(faults) - LISTED_FAULTS
    if rest > 0:
        echo(f"remark: ... and {rest} more {what}", err=True)


def phase_for_all(
    file: str,
    map_name: str | None,
    names: Iterable[str],
    elsewhere: Elsewhere = NOWHERE,
    lenient: bool = False,
) -> PhaseFile:
    """The phase in a file that several rules are to judge. The first rules that name a map read it,
    since rules for one map rarely fit another; if none names a map, the first rules do.

    Raises what `phase_from` raises. If other rules have their own units and the first do not, the
    message names both.
    """
    profiles = [dipsat.load_profile(name) for name in names]
    first = next((one for one in profiles if one.map), profiles[0])
    try:
        return phase_from(file, map_name, first, elsewhere=elsewhere, lenient=lenient)
    except DipsatError as error:
        others = [one.name for one in profiles if _has_own_units(one)]
        if not others or _has_own_units(first):
            raise
        problem = f"by the rules {first.name}, which do not know the units of {others[0]}"
        raise DipsatError(f"{error}; the file is read {problem}") from None


def _has_own_units(rules: Profile) -> bool:
    return rules.words.have_own_units or bool(rules.words.attributes)


def refuse_same(rules: Iterable[str | Path | Profile]) -> None:
    """Raise `UsageError` if rules would be compared with themselves: the file may name the same
    rules as the option, or no rules, which means the default."""
    loaded = [dipsat.load_profile(one) for one in rules]
    for at, one in enumerate(loaded):
        if one in loaded[:at]:
            problem = f"{one.name!r} would be compared with itself; name another profile"
            raise click.UsageError(f"{problem} with --rules")


def phase_from(
    file: str,
    map_name: str | None,
    rules: Profile | None = None,
    asking: bool = False,
    settings: Mapping[str, str] | None = None,
    elsewhere: Elsewhere = NOWHERE,
    lenient: bool = False,
) -> PhaseFile:
    """The phase in a file or on standard input. Its orders are read by `rules`, or by the rules of
    the file with the `settings`; `asking` allows open orders. If the position is `elsewhere`, the
    file has only orders. Faults that a `lenient` reader tolerates are printed."""
    from dipsat.formats import parse_apart, shipped_start

    if elsewhere.board is None and holds_games_in(file):
        return _played(file, map_name, rules, settings, elsewhere.phase, asking)
    stated, sheet = elsewhere.board, text_from(file)
    board = None if stated is None else shipped_start(stated) or text_from(stated)
    phase = parse_apart(
        sheet, board, elsewhere.phase, map_name, rules, asking, settings, lenient=lenient
    )
    show_faults(phase.skipped, "lines that are skipped")
    show_faults(phase.faults)
    if phase.faults and board is None:
        _show_lost(phase)
    return phase


def _show_lost(phase: PhaseFile) -> None:
    """Warn about orders whose unit cannot be read: it may be missing from the board."""
    from dipsat.orders import TEXT_FAULTS, read_first_unit

    lost = []
    for text in chain.from_iterable(phase.orders.values()):
        if isinstance(text, str):
            try:
                read_first_unit(phase.position.map, text, phase.position.words)
            except TEXT_FAULTS:
                lost.append(shortened(text))
    if lost:
        more = f" (and in {len(lost) - 1} more)" * (len(lost) > 1)
        problem = f"no unit can be read in {lost[0]!r}{more}"
        echo(f"remark: {problem}; it is on the board only if the file states it", err=True)


# --- games ----------------------------------------------------------------------------------------


def is_so(so: Callable[[Path], bool], name: str) -> bool:
    """Whether a test of `Path`, such as `exists`, holds for a name."""
    try:
        return bool(name) and so(Path(name))
    except (OSError, ValueError):  # too long, or a null character
        return False


def holds_games_in(file: str) -> bool:
    """Whether a file seems to hold games."""
    from dipsat.base import read_text

    if not is_so(Path.is_file, file):
        return False
    with suppress(DipsatError):  # a sheet without a year: do not load the readers of games
        if file.lower().endswith(".txt") and not any(map(str.isdigit, read_text(file))):
            return False
    from dipsat.formats import GameText, game_texts, holds_games

    with closing(game_texts(file)) as texts, suppress(DipsatError):
        first = next(texts)
        return isinstance(first, GameText) and holds_games(first)
    return False


def game_in(file: str, map_name: str | None, number: int | None = None) -> Game:
    """A game in a file, by default the first."""
    games = dipsat.load_games(file, map_name, check=False)
    first = tuple(islice(games, number or 1))
    if len(first) < (number or 1):
        problem = f"has only {counted(len(first), 'game')}, so --game {number} names none"
        raise FileError(file, problem)
    if number is None and next(games, None) is not None:
        echo(f"remark: {file} holds several games; this is the first", err=True)
    return first[-1]


def turn_in(game: Game, phase: str | None) -> Turn:
    """A phase of a game, by default the last one played; but the current phase of a game in another
    format if it has orders there. Raises `UnknownNameError`."""
    from dipsat.formats import phase_named

    turns = (*game.history, game.turn)
    if phase is None:
        has_more = any(game.orders.values()) and not game.may_replace_its_file
        return turns[-1] if has_more or len(turns) == 1 else turns[-2]
    phases = [turn.position.phase for turn in turns]
    wanted = phase_named(phase, game.position.map, game.position.words, phases)
    for turn in turns:
        if turn.position.phase == wanted:
            return turn
    raise UnknownNameError("phase of the game", str(wanted), map(str, phases))


def _played(
    file: str,
    map_name: str | None,
    rules: Profile | None,
    settings: Mapping[str, str] | None,
    phase: str | None,
    asking: bool,
) -> PhaseFile:
    """A phase of a game in a file, with its orders; by default the current phase for a search."""
    from dipsat.formats import PhaseFile

    game = game_in(file, map_name)
    turn = game.turn if asking and phase is None else turn_in(game, phase)
    own = dipsat.load_profile(turn.rules, settings=settings) if settings else turn.rules
    position = turn.position.with_words((rules or own).words)
    return PhaseFile(position, turn.orders, own, is_record=True)


# --- texts ----------------------------------------------------------------------------------------


def text_from(file: str) -> tuple[str, str]:
    """The text of a file or of standard input (up to the limit), and its name in errors. Raises
    `FileError`."""
    from dipsat.base import ANYWHERE, MAX_BYTES, read_named
    from dipsat.formats import decoded_mail

    if file != "-":
        return decoded_mail(read_named(ANYWHERE, file, MAX_BYTES), file), file
    return decoded_mail(sys.stdin.buffer.read(MAX_BYTES + 1), _SHOWN), _SHOWN


# --- game folders ---------------------------------------------------------------------------------

_ONLY_GAMES = (".json", ".jsonl", ".gz", ".zst", ".parquet")
_GAMES = (*_ONLY_GAMES, ".yaml", ".yml")


def game_files(typed: Iterable[str]) -> tuple[str, ...]:
    """The files of games, as typed; a folder stands for the files in it, sorted by name."""
    return tuple(file for one in typed for file in (_inside(Path(one)) or [one]))


def _inside(folder: Path) -> list[str]:
    """The files of games in a folder; empty if it has none or is not a folder."""
    try:
        names = sorted(one.name for one in folder.iterdir() if one.is_file())
    except OSError:  # not a folder; the reader of the file reports errors
        return []
    return [str(folder / one) for one in names if one.lower().endswith(_GAMES) and one[0] != "."]


def check_no_games(rules: Iterable[str]) -> None:
    """Raise `UsageError` for files of games among rules: a shell expands `--games games/*` to
    several words."""
    for one in rules:
        if one.lower().endswith(_ONLY_GAMES):
            folder = Path(one).parent
            raise click.UsageError(
                f"{one!r} is not a file of rules; write --games before each file of games, or name "
                f"their folder: --games {folder}"
            )


# --- many files -----------------------------------------------------------------------------------

_EXIT_STATUS = {"found": 0, "holds": 0, "impossible": 1, "breaks": 1, "unknown": 3}
"""Exit status by verdict; 2 is bad input."""
_QUIET_SECONDS = 1.0
_PAUSE_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Asked:
    """The functions that ask a question about a file and show its answer."""

    read: Callable[[str], Any]
    """Reads the question from a file."""
    ask: Callable[..., Any]
    """Answers what `read` returned; it runs in any process, and takes `progress`."""
    drawn: Callable[[Any], Svg]
    """Draws an answer."""
    keep: Callable[[Any], None] = lambda answer: None
    """Keeps a part of an answer for a file about all answers."""


def show_answers(
    files: Sequence[str], asked: Asked, as_json: bool, picture_file: str | None, workers: Workers
) -> None:
    """Print the answer to a question about each file, and end with the status of the worst.

    If one of several files is bad, it is reported and the others are still answered.
    """
    if picture_file is not None and len(files) > 1:
        raise click.UsageError("--output draws one answer; name one FILE")
    if len(files) == 1 and workers.is_local and workers.resume is None:
        answer = asked.ask(asked.read(files[0]), progress=Ticker())
        asked.keep(answer)
        show_answer(answer, as_json, picture_file, asked.drawn)
    click.get_current_context().exit(_answered(files, asked, as_json, picture_file, workers))


def show_answer(
    answer: Any, as_json: bool, picture_file: str | None, drawn: Callable[[Any], Svg]
) -> NoReturn:
    """Print one answer, and end with its status. It is printed even if its picture cannot be
    written."""
    print_report(answer, as_json)
    if picture_file is not None:
        write_picture(drawn(answer), picture_file)
    click.get_current_context().exit(_EXIT_STATUS[answer.verdict])


def _answered(
    files: Sequence[str], asked: Asked, as_json: bool, picture_file: str | None, workers: Workers
) -> int:
    """Show the answers of workers. Returns the exit status: 2 if any input is bad, otherwise the
    greatest of all answers."""
    from dipsat.app.view import Bar
    from dipsat.studies import run_many

    statuses, faults = [0], list[str]()

    def posed() -> Iterator[tuple[str, Any]]:
        for file in files:
            try:
                yield file, asked.read(file)
            except DipsatError as error:
                faults.append(str(error))

    def show(done: Done[tuple[str, Any], Any]) -> None:
        file, _ = done.given
        if done.error is not None:
            faults.append(f"{file}: {done.error}")
            return
        answer: Any = done.result
        statuses.append(_EXIT_STATUS[answer.verdict])
        asked.keep(answer)
        if picture_file is not None:
            write_picture(asked.drawn(answer), picture_file)
        if as_json:
            echo(json_text({"file": file, **answer.to_dict()}))
        else:
            echo(f"{file}:")
            print_report(answer, False)

    try:
        with Bar("searching") as bar:
            ask = partial(_ask_of_file, asked.ask)
            for number, done in enumerate(run_many(ask, posed(), workers), 1):
                show(done)
                bar("searching", number, len(files))
    except KeyboardInterrupt:
        echo(
            f"error: interrupted; {len(statuses) - 1} of {len(files)} files are answered", err=True
        )
        statuses.append(_EXIT_STATUS["unknown"])
    for fault in faults:
        print_error(fault)
    return 2 if faults else max(statuses)


def _ask_of_file(ask: Callable[..., Any], posed: tuple[str, Any]) -> Any:
    return ask(posed[1])


class Ticker:
    """Writes the current step to standard error once the work has taken a second, no faster than
    people can read."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._shown = -_PAUSE_SECONDS

    def __call__(self, what: str) -> None:
        """Write a step if it is time."""
        now = time.monotonic()
        if now - self._start > _QUIET_SECONDS and now - self._shown > _PAUSE_SECONDS:
            self._shown = now
            echo(f"{now - self._start:4.0f} s  {what}", err=True)
