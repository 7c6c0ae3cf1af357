"""Test cases in the format of jDip, in which the DATC and many adjudicators' own cases are kept.

    VARIANT_ALL Standard
    CASE 6.D.15
    PRESTATE_SETPHASE Fall 1901, Movement
    PRESTATE
        Russia: F con
    ORDERS
        Russia: F con-bul/ec
    POSTSTATE
        Russia: F bul/ec
    END

A keyword ends the section before; `#` begins a comment. There are also `POSTSTATE_DISLODGED`,
`POSTSTATE_SAME`, `PRESTATE_SUPPLYCENTER_OWNERS`, `PRESTATE_DISLODGED` and `PRESTATE_RESULTS`, the
movement orders before a retreat. A unit dislodged without a retreat is in no section.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import TypeAlias

from dipsat.base import (
    CASES,
    ORDERS,
    Node,
    check_time,
    grouped,
    kept_on_first,
)
from dipsat.board import STANDARD_KINDS, Map, load_map, map_names, province_of, words_of
from dipsat.errors import (
    DipsatError,
    DocumentError,
    FileError,
    UnknownNameError,
    hint,
    nearest_names,
    shortened,
)
from dipsat.formats.records import RecordedGame, RecordedPhase, RecordedState, UnreadPhase
from dipsat.formats.variant_names import variant_of
from dipsat.game import (
    PhaseKind,
    PhaseName,
    add_center,
    add_unit,
    by_location,
    centers_by_power,
    owners_stated,
    phase_letters,
    place_unit,
    refuse_misplaced,
    route_exists,
)
from dipsat.orders import NO_WORDS, Convoy, Move, Order, OrderReader, Unit, Words, reader_for
from dipsat.rules import load_profile

# --- variants -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class JdipVariant:
    """A variant as dipsat plays it. `rules` is None for one that is only a map; `words` are those
    of the rules."""

    board: Map
    rules: str | None = None
    words: Words = NO_WORDS


def jdip_variant(name: str, place: str) -> JdipVariant:
    """The variant called `name`, in upper or lower case. Raises `UnknownNameError` of kind "map",
    with the place, for a variant that dipsat has no map for."""
    found = variant_of("jdip", name)
    if found.map not in map_names():
        raise UnknownNameError("map", name, map_names(), place)
    words = NO_WORDS if found.rules is None else load_profile(found.rules).words
    return JdipVariant(load_map(found.map), found.rules, words)


# --- retreats -------------------------------------------------------------------------------------

Result: TypeAlias = tuple[bool, Order]
"""Whether an order of the phase before succeeded, and the order."""


def retreats_after(
    board: Map, units: Mapping[str, Unit], lost: Mapping[str, Unit], results: Sequence[Result]
) -> dict[str, tuple[str, ...]]:
    """Unit -> where it may retreat: not to an occupied province, nor where its attacker came from
    by land, nor where there was a standoff (two or more moves failed, and no unit is there)."""
    sources: dict[str, set[str]] = {}  # province reached -> provinces it was reached from by land
    fleets: defaultdict[tuple[str, str], set[str]] = defaultdict(set)  # origin, target -> convoys
    for succeeded, order in results:
        if isinstance(order, Convoy) and province_of(order.unit.location) not in lost:
            ends = province_of(order.army.location), province_of(order.target)
            fleets[ends].add(province_of(order.unit.location))
        elif isinstance(order, Move) and succeeded:
            by_land = not (order.via or order.path)
            origin = {province_of(order.unit.location)} if by_land else set()
            sources.setdefault(province_of(order.target), set()).update(origin)
    contests = Counter(
        province_of(move.target)
        for succeeded, move in results
        if isinstance(move, Move) and not succeeded
        if province_of(move.target) not in sources.get(province_of(move.unit.location), ())
        if _reaches(board, move, fleets)
    )
    closed = {*units, *sources, *(code for code, moves in contests.items() if moves > 1)}
    found: dict[str, tuple[str, ...]] = {}
    for code, unit in sorted(lost.items()):
        if code in sources:
            near, shut = board.reach(unit.kind, unit.location), closed | sources[code]
            found[str(unit)] = tuple(sorted(at for at in near if province_of(at) not in shut))
    return found


def _reaches(board: Map, move: Move, fleets: Mapping[tuple[str, str], set[str]]) -> bool:
    """Whether a move that failed could have reached its target: a disrupted convoy contests
    nothing."""
    origin, target = province_of(move.unit.location), province_of(move.target)
    kinds = [move.unit.kind] if move.unit.kind else list(STANDARD_KINDS)
    near = {code for kind in kinds for code in board.reach_provinces(kind, move.unit.location)}
    if target in near and not (move.via or move.path):
        return True
    return route_exists(
        board.convoys, origin, target, fleets.get((origin, target), set()) & board.seas
    )


# --- cases ----------------------------------------------------------------------------------------

_WITH_TEXT = ("VARIANT_ALL", "CASE", "PRESTATE_SETPHASE")
_BLOCKS = (
    "PRESTATE", "PRESTATE_SUPPLYCENTER_OWNERS", "PRESTATE_DISLODGED", "PRESTATE_RESULTS",
    "ORDERS", "POSTSTATE", "POSTSTATE_DISLODGED",
)  # fmt: skip
_KEYWORDS = (*_WITH_TEXT, *_BLOCKS, "POSTSTATE_SAME", "END")

_LINE_END = re.compile(r"\r\n|\r|\n")
_MAX_LINE = 300  # characters; the longest sensible order has about 100
_RESULT = re.compile(r"(success|failure)\s*:\s*(.*)", re.IGNORECASE)
_ALIKE = 0.8  # how similar a misspelt power must be

_COAST = re.compile(r"(?<=\w)\s*[-/\\]([nsew])\.?c\b", re.IGNORECASE)  # jDip reads stp-nc too
_SUMMER = re.compile(r"summer\b", re.IGNORECASE)
_BUILDS = re.compile(r"(?<=\d)B$", re.IGNORECASE)


def read_jdip(
    text: str, shown: str, map: Map | None = None, skip_faults: bool = False
) -> tuple[RecordedGame, ...]:
    """The cases of a file, each a game of one phase; `shown` names the file in errors.

    `map` overrides the variant that the file names, and its rules. A game's `source` is the file
    and the case's name. Orders are as written, but `stp-nc` becomes `stp/nc`.

    The format does not state the phase after, so `after.phase` and `after.centers` are None;
    `after` itself is None if the case states no result. As in jDip, `before.centers` are those
    owned at the map's start unless `PRESTATE_SUPPLYCENTER_OWNERS` lists some; then they are only
    those, even if units are in other centres. `before.retreats` follows from `PRESTATE_RESULTS`; it
    leaves out a dislodged unit that no successful move there dislodged.

    Raises `UnknownNameError` of kind "map" for a variant without a map in dipsat, `FileError` for a
    file without cases and `DocumentError` for every other fault, with its line. With
    `skip_faults`, a case with such a fault is a game without phases, and the fault is in its
    `unread`.
    """
    reading = _Reading(shown, map)
    for line in _lines(text, shown):
        check_time()
        try:
            reading.take(line)
        except DocumentError as fault:
            if not skip_faults:
                raise
            reading.leave(line, str(fault))
    try:
        return reading.finish()
    except DocumentError as fault:
        if not skip_faults or reading.case is None:
            raise
        reading.leave(reading.case.line, str(fault))
        return reading.finish()


@contextmanager
def _blamed(line: Node) -> Iterator[None]:
    """Turn errors of the block into errors at this line."""
    try:
        yield
    except DipsatError as error:
        raise DocumentError(line.path, line.line, line.column, str(error)) from error


@dataclass(slots=True)
class _Case:
    """A case as it is read: the lines of its sections, and where each section begins."""

    name: str
    line: Node
    variant: JdipVariant
    headings: dict[str, int] = field(default_factory=dict)
    sections: defaultdict[str, list[Node]] = field(default_factory=lambda: defaultdict(list))


def _lines(text: str, path: str) -> Iterator[Node]:
    for number, whole in enumerate(_LINE_END.split(text.removeprefix("\ufeff")), start=1):
        stated = whole.partition("#")[0].rstrip()
        line = stated.lstrip()
        if line and not line.startswith("***"):  # jDip's notes on results that it does not know
            yield Node(path, number, len(stated) - len(line) + 1, line, line)


class _Reading:
    """Reads a file line by line and collects its cases."""

    def __init__(self, shown: str, board: Map | None) -> None:
        self.shown = shown
        self.variant = None if board is None else JdipVariant(board)
        self.has_variant = False
        self.is_leaving = False  # after a fault, up to the next case
        self.case: _Case | None = None
        self.section: list[Node] | None = None
        self.games: list[RecordedGame] = []

    def take(self, line: Node) -> None:
        """Read the next line."""
        if self.is_leaving:
            if _opens(line):
                self.is_leaving = False
            else:
                return
        if len(line.raw) > _MAX_LINE:
            line.fail(f"longer than {_MAX_LINE} characters; write one unit or order on a line")
        keyword, rest = self._keyword(line)
        if keyword in _WITH_TEXT and not rest:
            line.fail(f"write the text of {keyword} after it, on the same line")
        if keyword not in _WITH_TEXT and rest:
            line.fail(
                f"{keyword} needs a line of its own; {shortened(rest)!r} does not belong there"
            )
        if keyword == "VARIANT_ALL":
            self._name_variant(line, rest)
        elif keyword == "CASE":
            self._open(line, rest)
        elif self.case is None:
            problem = f"{keyword or line.raw!r} is outside a case"
            line.fail(f"{problem}; write CASE and a name above it")
        elif keyword == "END":
            self.games.append(_game(self.case, self.shown))
            CASES.check(len(self.games), f"{self.shown}:{line.line}")
            self.case = self.section = None
        elif keyword:
            self._begin(self.case, keyword, line, rest)
        elif self.section is None:
            line.fail(f"{line.raw!r} is in no section; known: {', '.join(_BLOCKS)}")
        else:
            self.section.append(line)
            ORDERS.check(len(self.section), f"{self.shown}:{line.line}")

    def leave(self, line: Node, fault: str) -> None:
        """Leave out the case with a fault in this line: skip all lines up to the next case."""
        case, self.case, self.section = self.case, None, None
        name = "" if case is None else case.name
        stated = [] if case is None else case.sections["PRESTATE_SETPHASE"]
        phase = stated[0].raw if stated else ""
        source = f"{self.shown}: {name}" if name else self.shown
        board = load_map("standard") if self.variant is None else self.variant.board
        unread = (UnreadPhase(0, phase, fault),)
        self.games.append(RecordedGame(source, board, (), name=name, unread=unread))
        CASES.check(len(self.games), f"{self.shown}:{line.line}")
        self.is_leaving = True
        if _opens(line):  # the case before it has no end
            self.take(line)

    def finish(self) -> tuple[RecordedGame, ...]:
        """The games, once all lines are read."""
        if self.case is not None:
            self.case.line.fail(f"the case {self.case.name!r} has no END")
        if not self.games:
            raise FileError(self.shown, "has no cases; write VARIANT_ALL, CASE ... and END")
        return tuple(self.games)

    def _keyword(self, line: Node) -> tuple[str, str]:
        """(the keyword that begins the line, the text after it); ("", ...) for other lines."""
        first, *others = line.raw.split(None, 1)
        word, rest = first.rstrip(":").upper(), others[0] if others else ""
        if word in _KEYWORDS:
            return word, rest
        board = None if self.variant is None else self.variant.board
        is_owned = board is not None and _leading_power(line.raw, board)[0]
        if ":" not in rest and not is_owned:
            near = nearest_names(word, _KEYWORDS, 1)
            is_alike = near and (near[0] in _WITH_TEXT or not rest) and not first.endswith(":")
            if "_" in first or is_alike:
                line.fail(
                    f"unknown keyword {first!r}{hint(word, _KEYWORDS, 'known:', quoted=False)}"
                )
        return "", ""

    def _name_variant(self, line: Node, name: str) -> None:
        if self.has_variant or self.games or self.case is not None:
            line.fail("VARIANT_ALL belongs once, above the first case; remove this one")
        self.has_variant = True
        if self.variant is None:
            column = line.column + line.raw.rindex(name)
            self.variant = jdip_variant(name, f"{self.shown}:{line.line}:{column}")

    def _open(self, line: Node, name: str) -> None:
        if self.case is not None:
            opened = f"the case {self.case.name!r} of line {self.case.line.line}"
            line.fail(f"{opened} has no END; write END above this line")
        if self.variant is None:
            line.fail("no map is named; write VARIANT_ALL Standard above the first case")
        self.case = _Case(name, line, self.variant)

    def _begin(self, case: _Case, keyword: str, line: Node, rest: str) -> None:
        kind = keyword.removesuffix("_SAME")
        first = case.headings.setdefault(kind, line.line)
        if first != line.line:
            line.fail(f"{kind} is already in line {first} of this case; keep one")
        case.sections[keyword] = [replace(line, raw=rest)] if rest else []
        self.section = case.sections[keyword] if keyword in _BLOCKS else None


def _opens(line: Node) -> bool:
    """Whether a line begins a case."""
    return line.raw.split(None, 1)[0].rstrip(":").upper() == "CASE"


def _game(case: _Case, shown: str) -> RecordedGame:
    """The game that a finished case states."""
    board, words = case.variant.board, case.variant.words
    reader = reader_for(board, words)
    units = _units(case.sections["PRESTATE"], reader)
    lost = _units(case.sections["PRESTATE_DISLODGED"], reader)
    results = [_result(line, reader) for line in case.sections["PRESTATE_RESULTS"]]
    phase_name = _phase(case.sections["PRESTATE_SETPHASE"], board)
    before = RecordedState(
        phase_name,
        by_location(units.values()),
        _centers(case.sections["PRESTATE_SUPPLYCENTER_OWNERS"], reader),
        by_location(lost.values()),
        retreats_after(board, units, lost, results),
    )
    orders = []
    for line in case.sections["ORDERS"]:
        power, text, order = _order(line, line.raw, reader)
        with _blamed(line):
            refuse_misplaced(order, power, text, phase_name)
        orders.append((power, text))
    phase = RecordedPhase(
        before,
        {power: tuple(texts) for power, texts in grouped(orders).items()},
        _after(case, units, reader),
    )
    source = f"{shown}: {case.name}"
    return RecordedGame(source, board, (phase,), case.variant.rules, case.name, words=words)


def _after(case: _Case, before: Mapping[str, Unit], reader: OrderReader) -> RecordedState | None:
    """The result of the orders. As in jDip, if only one of the two sections is missing, it counts
    as empty."""
    if not case.headings.keys() & {"POSTSTATE", "POSTSTATE_DISLODGED"}:
        return None
    lost = _units(case.sections["POSTSTATE_DISLODGED"], reader)
    units = _units(case.sections["POSTSTATE"], reader)
    if "POSTSTATE_SAME" in case.sections:
        units = {code: unit for code, unit in before.items() if lost.get(code) != unit}
    return RecordedState(None, by_location(units.values()), dislodged=by_location(lost.values()))


def _phase(lines: Sequence[Node], board: Map) -> PhaseName:
    """The named phase, or else the map's first. jDip reads winter as fall."""
    if not lines:
        return PhaseName.parse(board.first_phase)
    written = _SUMMER.sub("spring", _BUILDS.sub("A", lines[0].raw))
    season, year, kind = phase_letters(written)
    if season and kind and (season, kind) != ("S", "A"):
        season = "S" if season == "S" else "W" if kind == "A" else "F"
        return PhaseName(season, int(year), PhaseKind(kind))
    lines[0].fail(
        f"unknown phase {lines[0].raw!r}; write it like 'Spring 1901, Movement', "
        "'Fall 1901, Retreat' or 'Fall 1901, Adjustment'"
    )


def _units(lines: Iterable[Node], reader: OrderReader) -> dict[str, Unit]:
    """Province -> the unit that lines such as `Russia: F con` put there."""
    found: dict[str, Unit] = {}
    for line in lines:
        power, text = _owned(line, line.raw, reader.board)
        with _blamed(line):
            unit = place_unit(reader.board, power, reader.read_unit(text), text)
            add_unit(found, unit, text)
    return found


def _centers(lines: Sequence[Node], reader: OrderReader) -> Mapping[str, tuple[str, ...]]:
    """Power -> its centres; without lines, those at the map's start. The unit type before each is
    ignored."""
    board = reader.board
    if not lines:
        return owners_stated(board, PhaseName.parse(board.first_phase), None).centers
    owner: dict[str, str] = {}
    for line in lines:
        power, text = _owned(line, line.raw, board)
        with _blamed(line):
            code = province_of(reader.read_unit(text).location)
            add_center(owner, board, power, code, text)
    return centers_by_power(owner)


def _order(line: Node, stated: str, reader: OrderReader) -> tuple[str, str, Order]:
    """(power, text, order) of a line such as `Austria: F tri S A tyr-ven`."""
    power, text = _owned(line, stated, reader.board)
    with _blamed(line):
        return power, text, reader.read(text)


def _result(line: Node, reader: OrderReader) -> Result:
    match = _RESULT.fullmatch(line.raw)
    if match is None:
        line.fail(
            f"{line.raw!r} is not a result; write SUCCESS: or FAILURE: before power and order"
        )
    return match[1].casefold() == "success", _order(line, match[2], reader)[2]


def _owned(line: Node, stated: str, board: Map) -> tuple[str, str]:
    """(power, what it owns or orders); the colon between them may be missing."""
    head, colon, text = stated.partition(":")
    power = _power(board, head) if colon else None
    if not colon:
        power, text = _leading_power(stated, board)
    if power is None:
        if colon:
            line.fail(str(UnknownNameError("power", head.strip(), board.powers)))
        line.fail(f"no power is named before {stated!r}; write it as in 'Russia: F con'")
    if not text.strip():
        line.fail(f"nothing follows {power}; write a unit or an order after it")
    return power, _COAST.sub(r"/\1c", text).strip()


def _leading_power(text: str, board: Map) -> tuple[str | None, str]:
    """(the power that the first words name, or None; the text after it)."""
    for count in range(3, 0, -1):
        words = text.split(None, count)
        power = board.names.powers.get(words_of(" ".join(words[:count])))
        if power is not None and len(words) >= count:
            return power, " ".join(words[count:])
    return None, text


@kept_on_first(1000)
def _power(board: Map, name: str) -> str | None:
    """The power called `name`: in full, by its beginning, or misspelt (`Germnay`), as jDip reads
    it; None unless only one power fits."""
    typed = " ".join(words_of(name))
    known = {" ".join(words): power for words, power in board.names.powers.items()}
    if not typed or typed in known:
        return known.get(typed)
    for meant in (
        {power for power in board.powers if power.casefold().startswith(typed)},
        {known[full] for full in known if full.startswith(typed)},
        {known[full] for full in get_close_matches(typed, known, len(known), _ALIKE)},
    ):
        if meant:
            return meant.pop() if len(meant) == 1 else None
    return None
