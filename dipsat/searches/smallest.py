"""Questions about units whose places are open, and the fewest units for an answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from dipsat.board.load import load_map
from dipsat.board.map import Map
from dipsat.errors import NumberRangeError, PositionError, QuestionError
from dipsat.errors.arguments import ArgumentError
from dipsat.game.open_position import (
    ANY,
    MOST_UNITS,
    AnyUnits,
    OpenPosition,
    checked_position,
    number_of,
)
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import Position, Unit, by_power
from dipsat.game.submissions import PowerOrders
from dipsat.limits import UNLIMITED, ExhaustedError, Limits, running
from dipsat.pages import counted
from dipsat.profiles.load import DEFAULT_RULES
from dipsat.profiles.profile import Profile
from dipsat.searches.answer import FOUND, IMPOSSIBLE, UNKNOWN, SearchResult, texts_of
from dipsat.searches.anywhere import ask_anywhere
from dipsat.searches.question import Question, Rules, profiles_of
from dipsat.searches.watch import Watch
from dipsat.solving.budget import Progress
from dipsat.solving.sat import AUTO
from dipsat.values import grouped


def search_smallest(
    question: Question,
    map: str | Path | Map = "standard",
    *,
    beside: Position | OpenPosition | None = None,
    orders: Mapping[str, PowerOrders] | None = None,
    open: str | Iterable[str] | None = None,
    power: str | None = None,
    most: int = MOST_UNITS,
    rules: Rules = DEFAULT_RULES,
    limits: Limits = UNLIMITED,
    progress: Progress | None = None,
    solver: str = AUTO,
) -> SearchResult:
    """Find the fewest units with which there is a paradox, a difference between rules, or with
    which a goal is reached, anywhere on a map and whatever they are ordered.

    One unit is tried, then two, and so on to `most`; for each number it is proven that it is not
    enough before the next is tried. If the verdict is `unknown`, because the `limits` were not
    enough or of an interrupt from the keyboard, `bound` of the answer says how far the proof got.

    With `beside`, whose map is taken, its units are there for certain, and those that join them are
    counted, from none. Of its known units, those in `orders` keep their orders, and the others are
    open, or only those that `open` names. The units that join belong to any powers, or to `power`.
    For a `Guarantee`, they belong to its power. The other arguments are as for `dipsat.search`.

    Raises `QuestionError` for rules or a goal that need something that open places cannot express,
    and the errors of `search`.
    """
    if not 1 <= most <= MOST_UNITS:
        wanted = f"a number from 1 to {MOST_UNITS}"
        raise ArgumentError("dipsat.search_smallest", "most", most, wanted)
    with running(limits):
        board = load_map(map) if beside is None else beside.map
        profiles = profiles_of(question, rules)
        watch = Watch(progress or (lambda _: None))
        there = _units_of(beside)
        joining = _joining(question, power, board)
        present = sum(number_of(one) for one in chain.from_iterable(there.values()))
        first, last = (0 if present else 1), min(most, MOST_UNITS - present)
        if present >= MOST_UNITS:
            problem = f"at most {MOST_UNITS - 1} can be there, so that others can join them"
            raise PositionError(counted(present, "unit"), problem)
        for number in range(first, last + 1):
            position = _with(there, board, joining, number)
            found = answered_anywhere(position, question, profiles, watch, solver, orders, open)
            found = replace(found, bound=number)
            if found.verdict != IMPOSSIBLE:
                break
        else:
            anywhere = f"up to {counted(last, 'unit')}"
            if present:
                anywhere += f" beside {_with(there, board, joining, 0)}"
            return replace(found, anywhere=anywhere, bound=last + 1)
        if found.verdict == UNKNOWN and number > first:
            reason = f"{found.reason}; it is proven that fewer than {number} are not enough"
            return replace(found, reason=reason)
        return found


def _joining(question: Question, power: str | None, board: Map) -> str:
    """The power of the units that join, or `any`."""
    if question._own_power is None:
        return ANY if power is None else board.names.power(power)
    own = board.names.power(question._own_power)
    if power is not None and board.names.power(power) != own:
        wanted = f"{own}, for which the guarantee is, or left out"
        raise ArgumentError("dipsat.search_smallest", "power", power, wanted)
    return own


_Units = Mapping[str, tuple[Unit | AnyUnits, ...]]


def _units_of(beside: Position | OpenPosition | None) -> _Units:
    """The units that others join. Raises `QuestionError` for a position of another phase."""
    if isinstance(beside, OpenPosition):
        return beside.units
    if beside is None:
        return {}
    if beside.phase.kind is not PhaseKind.MOVEMENT:
        raise QuestionError(
            f"{beside.phase} is not a movement phase; only in movement phases can orders be open"
        )
    found = grouped((unit.power, unit) for unit in beside.units)
    return {power: tuple(units) for power, units in found.items()}


def _with(there: _Units, board: Map, power: str, number: int) -> OpenPosition:
    """The position with so many more units of a power, or of any."""
    units = dict(there)
    if number:
        units[power] = (*units.get(power, ()), AnyUnits(number))
    return checked_position(board, units)


def answered_anywhere(
    position: OpenPosition,
    question: Question,
    profiles: Sequence[Profile],
    watch: Watch,
    solver: str,
    orders: Mapping[str, PowerOrders] | None = None,
    opened: str | Iterable[str] | None = None,
) -> SearchResult:
    """The answer to a question about units whose places are open; `orders` and `opened` are as for
    `search`, about those whose places are known."""
    asked = ask_anywhere(position, profiles, watch, solver, orders, opened)
    empty = Position.from_units({}, position.map)
    answer = SearchResult(
        question,
        tuple(profile.name for profile in profiles),
        UNKNOWN,
        {},
        anywhere=str(position),
        given=tuple(asked.given),
        _asked=(empty, tuple(profiles)),
    )
    try:
        found = question._find_anywhere(asked)
    except (ExhaustedError, NumberRangeError, KeyboardInterrupt) as end:  # NumberRangeError: the
        # equations about so many units are too large
        about = f" of {watch.about}" if watch.about else ""
        reason = f"{watch.ended(end)}{about}"
        return replace(answer, reason=reason, adjudicated=watch.adjudicated)
    answer = replace(answer, adjudicated=watch.adjudicated)
    if found is None:
        return replace(answer, verdict=IMPOSSIBLE)
    placement, facts = found
    return replace(
        answer,
        verdict=FOUND,
        orders=texts_of(placement.position, placement.orders),
        open_units=tuple(
            str(unit) for unit in placement.position.units if unit.location not in asked.given
        ),
        facts=facts,
        units={power: tuple(units) for power, units in by_power(placement.position.units).items()},
        _asked=(placement.position, tuple(profiles)),
    )
