"""The fewest units with which there is a paradox, or a difference between rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from dipsat.board.load import load_map
from dipsat.board.map import Map
from dipsat.errors import NumberRangeError, QuestionError
from dipsat.errors.arguments import ArgumentError
from dipsat.game.open_position import MOST_UNITS, OpenPosition
from dipsat.game.position import Position, by_power
from dipsat.limits import UNLIMITED, ExhaustedError, Limits, running
from dipsat.openunits.board import Placement
from dipsat.orders.writer import write_order
from dipsat.profiles.load import DEFAULT_RULES
from dipsat.profiles.profile import Profile
from dipsat.searches.answer import FOUND, IMPOSSIBLE, UNKNOWN, SearchResult
from dipsat.searches.anywhere import ask_anywhere, difference_anywhere, paradox_anywhere
from dipsat.searches.paradox import check_kind
from dipsat.searches.problem import profiles_of
from dipsat.searches.question import Differ, Paradox, Question, Rules
from dipsat.searches.watch import Watch
from dipsat.solving.budget import INTERRUPTED, Progress, budget_of
from dipsat.solving.sat import AUTO


def search_smallest(
    question: Paradox | Differ,
    map: str | Path | Map = "standard",
    *,
    most: int = MOST_UNITS,
    rules: Rules = DEFAULT_RULES,
    limits: Limits = UNLIMITED,
    progress: Progress | None = None,
    solver: str = AUTO,
) -> SearchResult:
    """Find the fewest units with which there is a paradox, or a difference between rules, anywhere
    on a map and whatever they are ordered.

    One unit is tried, then two, and so on to `most`; for each number it is proven that it is not
    enough before the next is tried. If the verdict is `unknown`, because the `limits` were not
    enough or of an interrupt from the keyboard, `bound` of the answer says how far the proof got.
    The other arguments are as for `dipsat.search`.

    Raises `QuestionError` for rules that need something that open places cannot express, and the
    errors of `search`.
    """
    if not 1 <= most <= MOST_UNITS:
        wanted = f"a number from 1 to {MOST_UNITS}"
        raise ArgumentError("dipsat.search_smallest", "most", most, wanted)
    with running(limits) as now:
        board = load_map(map, limits=now)
        profiles = profiles_of(question, rules, now)
        watch = Watch(budget_of(now), progress or (lambda _: None))
        for number in range(1, most + 1):
            position = OpenPosition.from_units(f"any {number}", board)
            found = answered_anywhere(position, question, profiles, watch, solver)
            found = replace(found, bound=number)
            if found.verdict != IMPOSSIBLE:
                break
        else:
            return replace(found, anywhere=f"up to {most} units", bound=most + 1)
        if found.verdict == UNKNOWN:
            reason = f"{found.reason}; it is proven that fewer than {number} are not enough"
            return replace(found, reason=reason)
        return found


def answered_anywhere(
    position: OpenPosition,
    question: Question,
    profiles: Sequence[Profile],
    watch: Watch,
    solver: str,
) -> SearchResult:
    """The answer to a question about units whose places are open."""
    asked = ask_anywhere(position, profiles, watch, solver)
    empty = Position.from_units({}, position.map)
    answer = SearchResult(
        question,
        tuple(profile.name for profile in profiles),
        UNKNOWN,
        {},
        anywhere=str(position),
        _asked=(empty, tuple(profiles)),
    )
    try:
        match question:
            case Paradox(kind=kind):
                check_kind(profiles[0], kind)
                found = paradox_anywhere(asked, kind)
            case Differ():
                found = difference_anywhere(asked)
            case _:
                raise QuestionError(
                    "where units may stand anywhere, only a paradox or a difference can be asked"
                )
    except ExhaustedError as spent:
        return _unknown(answer, watch, str(spent))
    except NumberRangeError as large:  # so many units that the equations are too large
        return _unknown(answer, watch, str(large))
    except KeyboardInterrupt:
        return _unknown(answer, watch, INTERRUPTED)
    answer = replace(answer, adjudicated=watch.adjudicated)
    if found is None:
        return replace(answer, verdict=IMPOSSIBLE)
    placement, facts = found
    return replace(
        answer,
        verdict=FOUND,
        orders=_orders(placement),
        open_units=tuple(map(str, placement.position.units)),
        facts=facts,
        units={power: tuple(units) for power, units in by_power(placement.position.units).items()},
        _asked=(placement.position, tuple(profiles)),
    )


def _orders(found: Placement) -> Mapping[str, tuple[str, ...]]:
    """The orders of an answer, by power."""
    orders: dict[str, tuple[str, ...]] = {}
    for unit in found.position.units:
        text = write_order(found.orders[unit.location], found.position.map)
        orders[unit.power] = (*orders.get(unit.power, ()), text)
    return dict(sorted(orders.items()))


def _unknown(answer: SearchResult, watch: Watch, reason: str) -> SearchResult:
    about = f" of {watch.about}" if watch.about else ""
    return replace(answer, reason=f"{watch.ended(reason)}{about}", adjudicated=watch.adjudicated)
