"""A game at the keyboard: each line that someone types makes a new session, and a reply to it.

A session never changes, so a line that cannot be carried out loses nothing, and every step can be
taken back."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from textwrap import wrap

from dipsat.base import ORDERS, WIDTH, counted, grouped, titled
from dipsat.board import province_of, words_of
from dipsat.errors import FileError, GameError, UnknownNameError, hint, shortened
from dipsat.formats.game import Game
from dipsat.formats.open_tasks import tasks_of
from dipsat.formats.order_entry import (
    FAULTS,
    Answer,
    enter,
    owner_of,
    typed_in,
)
from dipsat.formats.order_rulings import about, rulings_by_text
from dipsat.formats.text_sheet import Entry
from dipsat.game import PhaseKind, Position
from dipsat.orders import (
    TEXT_FAULTS,
    below_heading,
    is_plain_order,
    ordered_unit,
    parts_of,
)
from dipsat.outcomes import Outcome

# --- other words ----------------------------------------------------------------------------------

_WORDS = {
    "advance": ("adjudicate", "continue", "go", "judge", "next", "process", "resolve", "run"),
    "board": ("map", "position", "show", "status", "units"),
    "clear": ("cancel", "delete"),
    "help": ("commands",),
    "legal": ("moves", "options"),
    "quit": ("bye", "end", "exit", "leave", "stop"),
    "read": ("enter", "import"),
    "save": ("write",),
    "undo": ("back", "revert"),
    "why": ("explain", "reason"),
}
COMMAND_OF: Mapping[str, str] = {
    word: command for command, words in _WORDS.items() for word in words
}
"""Word -> the command that is meant."""

TYPED_ALONE = frozenset({"order", "submit", "issue", "set"})
"""Words that people type before an order."""

OTHER_GAME = frozenset({"load", "open", "restore"})
"""Words for switching to another game, which no command does."""


# --- session --------------------------------------------------------------------------------------

_COMMENT = re.compile(r"(?:^|\s)#.*", re.DOTALL)
STEPS = ORDERS.most
"""How many steps can be taken back: as many as there may be orders in a phase."""


@dataclass(frozen=True)
class Session:
    """A game in play."""

    game: Game
    """The game, which must not be changed."""
    saved: Game
    """The game as it is in its file, or as it began."""
    file: str = ""
    """The file that `save` writes, "" if none is known."""
    power: str = ""
    """The power whose orders are typed, "" if none was named."""
    past: tuple[Game, ...] = ()
    """The games before each step, the last step last."""
    future: tuple[Game, ...] = ()
    """The games that `redo` goes back to, the next one last."""

    @staticmethod
    def of(game: Game, file: str = "") -> Session:
        """A session that has just begun."""
        return Session(game, game, file)

    @property
    def is_saved(self) -> bool:
        """Whether nothing has changed since the game was saved, or begun."""
        return self.game is self.saved

    @cached_property
    def words(self) -> tuple[str, ...]:
        """What a line may begin with: commands, powers, units."""
        position = self.game.position
        powers = [titled(power) for power in position.map.powers]
        return tuple(sorted((*COMMANDS, *powers, *position.map.provinces)))

    def to(self, game: Game) -> Session:
        """The session after a step."""
        past = (*self.past, self.game)[-STEPS:]
        return replace(self, game=game, past=past, future=())


@dataclass(frozen=True)
class Reply:
    """The result of a line."""

    session: Session
    """The session after it."""
    lines: tuple[str, ...] = ()
    """What to print."""
    errors: tuple[str, ...] = ()
    """What could not be carried out; the rest of the line was."""
    board: Position | None = None
    """The position to be drawn before the lines, if there is room for it."""
    outcome: Outcome | None = None
    """The phase that was adjudicated, to be shown after the lines."""
    explained: tuple[Outcome, str] | None = None
    """The outcome and the unit in it that are to be explained."""
    ends: bool = False
    """Whether to leave the game."""


def carry_out(session: Session, line: str) -> Reply:
    """Carry out a line: a command, the name of a power, or orders.

    Raises `DipsatError` for a line that cannot be carried out at all.
    """
    line = _COMMENT.sub("", line).strip()
    if not line:
        return Reply(session)
    first, _, rest = line.partition(" ")
    command = COMMANDS.get(first.casefold())
    if command is not None and ":" not in first:
        if rest.strip() and not command.takes_words:
            raise GameError(f"`{command.usage}` takes no words after it, so nothing was done")
        return command.run(session, rest.strip())
    return _orders(session, line)


def _orders(session: Session, line: str) -> Reply:
    """Enter the orders of a line, which may begin with a power."""
    names, power = session.game.position.map.names, session.power
    heading, colon, _ = line.partition(":")
    if words_of(line.rstrip(":")) in names.powers:
        power = names.power(line.rstrip(":").strip())
        return Reply(replace(session, power=power), (f"Orders of {titled(power)}:",))
    if colon and not heading.strip():
        power = next(iter(session.game.position.map.powers))
        raise GameError(f"write a power before the colon, such as '{power}: ...'")
    position = session.game.position
    is_order = partial(is_plain_order, position.map, position.words)
    headed, line = below_heading(line, position.map, is_order) if colon else ("", line)
    power = headed or power
    if not colon:  # several words, the first of which is no other word for a command, may be orders
        first, *more = line.split()
        command = _command_for(first)
        if (command or not more) and not _is_readable(session, line):
            usual = "type `help` for what you can type"
            end = f"; {command}" if command else hint(line, session.words, otherwise=usual)
            raise GameError(f"{shortened(line)!r} is not a command, a power or an order{end}")
    typed = [Entry(power, text) for _, text in parts_of(line, is_order)]
    if not typed:
        raise GameError("there is no order in this line")
    return _entered(session, typed, is_list=bool(headed))


def _is_readable(session: Session, text: str) -> bool:
    try:
        session.game.position.reader.read(text)
    except TEXT_FAULTS:
        return False
    return True


def _entered(session: Session, typed: list[Entry], is_list: bool, file: str = "") -> Reply:
    """Enter orders. Below the name of a power or in a file, they may be meant to be all its orders
    (`is_list`), so the reply says which others it has."""
    game, answers = enter(session.game, typed)
    refused = [one for one in answers if not one.entered]
    errors = tuple(str(one) + _hint(session, one) for one in refused[:FAULTS])
    if len(refused) > FAULTS:
        errors += (f"{len(refused) - FAULTS} more orders are not entered",)
    lines = tuple(str(one) for one in answers if one.entered)
    if file:
        lines += (f"{counted(len(lines), 'order')} entered from {file}.",)
    if is_list:
        lines += tuple(_staying(game, answers))
    changed = any(one.entered for one in answers)
    return Reply(session.to(game) if changed else session, lines, errors)


def _staying(game: Game, answers: Sequence[Answer]) -> Iterator[str]:
    """The orders that powers keep besides those that are entered now."""
    entered = grouped((one.power, one) for one in answers if one.entered)
    for power, own in entered.items():
        stay = game.orders[power][: -len(own)]
        if stay:
            yield f"{titled(power)} still has {', '.join(stay)} from before"


def _hint(session: Session, answer: Answer) -> str:
    """A hint at a command or a power that may be meant by a text that is not an order."""
    position = session.game.position
    province = about(position, answer.typed.text)
    owner = owner_of(position, province) if province in position.map.provinces else ""
    if owner and owner != answer.power:
        _, (other,) = enter(session.game, [Entry(owner, answer.typed.text)])
        return f"; type '{owner}: {shortened(answer.typed.text)}'" if other.entered else ""
    first = answer.typed.text.split()[0]
    if first.casefold() in TYPED_ALONE:
        return f"; orders are typed alone, without {first!r}"
    is_clear = "did you mean" in answer.why or words_of(first) in position.map.names.provinces
    if is_clear or len(first) < _LEAST or _is_readable(session, answer.typed.text):
        return ""
    return hint(first, COMMANDS)


_LEAST = 3  # fewest letters of a word that may be a mistyped command


def _command_for(word: str) -> str:
    """A hint at the command for which other programs use this word; "" if there is none."""
    if word.casefold() in OTHER_GAME:
        return "`dipsat play FILE` continues a saved game; `quit` leaves this one"
    command = COMMAND_OF.get(word.casefold(), "")
    return f"the command is `{COMMANDS[command].usage}`" if command else ""


def _help(session: Session, _: str) -> Reply:
    entering = "enter orders; each replaces its unit's order, others stay"
    rows = [(command.usage, command.does) for command in COMMANDS.values()]
    rows += [("FRANCE", "the orders that follow are those of France")]
    rows += [("FRANCE: A PAR - BUR, F BRE H", entering)]
    width = max(len(usage) for usage, _ in rows) + 2
    lines = tuple(f"{usage.ljust(width)}{does}" for usage, does in rows)
    return Reply(session, lines)


def _board(session: Session, _: str) -> Reply:
    lines = tuple(str(session.game).split("\n"))
    return Reply(session, lines, board=session.game.position)


def _listed(session: Session, _: str) -> Reply:
    """The orders entered, by power, with the rulings on them, and the units without one."""
    game = session.game
    rulings = rulings_by_text(game.position, game.orders, game.profile)
    lines = []
    for power, own in sorted(game.orders.items()):
        if own:
            lines.append(f"{titled(power)}:")
        for text in own:
            _there, legal, why = rulings[power, text].pop(0)
            verdict = "" if legal else f"   ILLEGAL: {why}"
            lines.append(f"  {text}{verdict}")
    waiting = "; ".join(_without_order(game))
    if waiting:
        lines += wrap(f"Without an order: {waiting}.", WIDTH, subsequent_indent="  ")
    return Reply(session, tuple(lines) or ("No orders are entered.",))


def _without_order(game: Game) -> Iterator[str]:
    """The units of each power that hold or disband if nobody orders them."""
    if game.phase.kind in (PhaseKind.MOVEMENT, PhaseKind.RETREAT):
        tasks = tasks_of(game.position, game.orders, game.profile)
        for power, task in sorted(tasks.items()):
            if task.unordered:
                yield f"{titled(power)} {', '.join(task.unordered)}"


def _clear(session: Session, typed: str) -> Reply:
    """Take back all orders, those of a power, or that of a unit."""
    game = session.game
    if not typed:
        gone: dict[str, tuple[str, ...]] = dict.fromkeys(game.orders, ())
        what, none = "all orders", "no orders are"
    elif words_of(typed) in game.position.map.names.powers:
        power = game.position.map.names.power(typed)
        gone, named = {power: ()}, titled(power)
        what, none = f"the orders of {named}", f"no orders of {named} are"
    else:
        province = province_of(game.position.reader.read_unit(typed).location)
        gone = {
            power: tuple(text for text in own if about(game.position, text) != province)
            for power, own in game.orders.items()
            if any(about(game.position, text) == province for text in own)
        }
        what, none = f"the order for {province}", f"no order for {province} is"
    if not any(game.orders.get(power) for power in gone):
        raise GameError(f"there is nothing to clear: {none} entered")
    found = game.copy().submit(gone, keep_unreadable=True)
    return Reply(session.to(found), (f"Cleared {what}; `undo` brings back what was entered.",))


def _advance(session: Session, _: str) -> Reply:
    game = session.game.copy()
    outcome = game.advance()
    return Reply(replace(session.to(game), power=""), game.turn.left_out, outcome=outcome)


def _undo(session: Session, _: str) -> Reply:
    if session.past:
        *past, game = session.past
    else:
        past, game = [], session.game.copy()
        game.undo()
    future = (*session.future, session.game)
    return _went(session, game, tuple(past), future, "Taken back; {}. `redo` does it again.")


def _redo(session: Session, _: str) -> Reply:
    if not session.future:
        raise GameError("there is nothing to redo")
    *future, game = session.future
    return _went(session, game, (*session.past, session.game), tuple(future), "Done again; {}.")


def _went(
    session: Session, game: Game, past: tuple[Game, ...], future: tuple[Game, ...], said: str
) -> Reply:
    count = sum(map(len, game.orders.values()))
    orders = counted(count, "order") if count else "no orders"
    found = replace(session, game=game, power="", past=past, future=future)
    return Reply(found, (said.format(f"the game is in {game.phase}, with {orders} entered"),))


def _why(session: Session, typed: str) -> Reply:
    if not session.game.history:
        raise GameError("no phase has been adjudicated yet; type `advance` first")
    unit = _unit(session, typed, "why A PAR")
    outcome = _last_about(session.game, unit)
    return Reply(session, (f"In {outcome.position.phase}:",), explained=(outcome, unit))


def _last_about(game: Game, unit: str) -> Outcome:
    """The last outcome in which a unit had an order, as far back as a year. Raises
    `UnknownNameError`."""
    last = game.history[-_YEAR:]
    for turn in reversed(last):
        with suppress(UnknownNameError):
            turn.outcome.order(unit)
            return turn.outcome
    phases = ", ".join(str(turn.position.phase) for turn in last)
    game.position.reader.read_unit(unit)
    raise GameError(f"no unit {shortened(unit)!r} had an order in {phases}")


_YEAR = 5  # phases: two of movement, two of retreats, the adjustments


def _unit(session: Session, typed: str, usage: str) -> str:
    """The unit that a command is about. Raises `GameError` if none is named."""
    position = session.game.position
    if not typed or words_of(typed) in position.map.names.powers:
        raise GameError(f"say which unit, such as `{usage}`")
    return ordered_unit(position.reader, typed)[0]


def _legal(session: Session, typed: str) -> Reply:
    unit = _unit(session, typed, "legal A PAR")
    return Reply(session, session.game.legal_orders(unit) or ("It has no legal order.",))


def _read(session: Session, file: str) -> Reply:
    if not file:
        raise GameError("say which file, such as `read orders.txt`")
    typed, skipped = typed_in(file, session.game.position, session.game.profile)
    reply = _entered(session, typed, is_list=True, file=file)
    return replace(reply, lines=(*skipped[:FAULTS], *reply.lines))


def _save(session: Session, typed: str, over: bool = False) -> Reply:
    file = typed or session.file
    if not file:
        raise GameError(f"say which file, such as `save{'!' * over} game.json`")
    is_its_own = file == session.file and session.game.may_replace_its_file
    if not (over or is_its_own) and os.path.lexists(file):
        other = "is not a game that dipsat saved" if file == session.file else "already exists"
        raise FileError(file, f"{other}; `save! {file}` replaces it")
    session.game.save(file)
    return Reply(replace(session, saved=session.game, file=file), (f"Saved in {file}.",))


def _quit(session: Session, _: str) -> Reply:
    if not session.is_saved:
        file = "" if session.file else " FILE"
        raise GameError(f"the game has changed; `save{file}` keeps it, `quit!` leaves without")
    return Reply(session, ends=True)


@dataclass(frozen=True)
class Command:
    """A command: how it is typed, what it does, and the function that does it."""

    usage: str
    does: str
    run: Callable[[Session, str], Reply]

    @property
    def takes_words(self) -> bool:
        """Whether anything may be typed after the command."""
        return " " in self.usage


COMMANDS: Mapping[str, Command] = {
    "help": Command("help", "show this", _help),
    "?": Command("?", "show this, too", _help),
    "board": Command("board", "show the phase, the units and the centres", _board),
    "orders": Command("orders", "show the orders entered, and the units without one", _listed),
    "legal": Command("legal A PAR", "list the orders that a unit can be given", _legal),
    "read": Command("read FILE", "enter the orders of an order sheet", _read),
    "clear": Command("clear [FRANCE | A PAR]", "take back orders", _clear),
    "advance": Command("advance", "adjudicate, and go to the next phase", _advance),
    "why": Command("why A PAR", "explain what happened to a unit in the last phase", _why),
    "undo": Command("undo", "take back the last step, be it orders or a phase", _undo),
    "redo": Command("redo", "redo what `undo` took back", _redo),
    "save": Command("save [FILE]", "write the game into its file, or into a new one", _save),
    "save!": Command("save! [FILE]", "write the game over any file", partial(_save, over=True)),
    "quit": Command("quit", "leave, if everything is saved", _quit),
    "quit!": Command("quit!", "leave without saving", lambda session, _: Reply(session, ends=True)),
}
"""Word -> the command that it begins."""
