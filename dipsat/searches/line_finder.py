"""Finding the lines with the fewest units, and the proof that no line has fewer."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from dipsat.base import (
    UNLIMITED,
    Column,
    Drawn,
    ExhaustedError,
    Limits,
    Part,
    Shown,
    Table,
    brief,
    counted,
    grouped,
    reached,
    running,
    unlimited,
)
from dipsat.board import UnitKind
from dipsat.rules import DEFAULT_RULES, Profile, check_features, load_profile
from dipsat.searches.checked_rules import unchecked_rules
from dipsat.searches.line import StalemateLine, enemies_outside, limits_of, steps
from dipsat.searches.line_certificate import defence_of, enemies_beside
from dipsat.searches.line_holding import BREAKS, HOLDS, HoldResult, hold_line, plan_to_dict
from dipsat.searches.line_placement import PlacementModel, SortieModel, moving_line, require_of_both
from dipsat.searches.line_question import Lines, Terms, second_of, terms_of
from dipsat.solving import AUTO, INTERRUPTED, Fewest, Progress, budget_of

FOUND, IMPOSSIBLE, UNKNOWN = "found", "impossible", "unknown"


@brief()
@dataclass(frozen=True, slots=True)
class LinesResult(Drawn, Shown):
    """The lines with the fewest units. Made by `dipsat.search`."""

    _drawn_by: ClassVar[str] = "line"

    question: Lines
    """The question."""
    verdict: str
    """`found`: the lines hold, and it is proven that none has fewer units. `impossible`: proven, no
    line holds what is asked for. `unknown`: neither is proven."""
    held: tuple[HoldResult, ...]
    """The results about each line, sorted by the orders of the lines. Two lines that hold at the
    same time are next to each other. If the verdict is `unknown`, the lines found so far."""
    bound: int
    """It is proven that no line has fewer units. 0 under rules without a checked proof."""
    reason: str = ""
    """Why the verdict is `unknown`, else ""."""

    @property
    def lines(self) -> tuple[StalemateLine, ...]:
        """The lines."""
        return tuple(one.line for one in self.held)

    @property
    def fewest(self) -> int | None:
        """The number of units of each line, or of two lines together; None without a line."""
        if not self.lines:
            return None
        return sum(len(line.units) for line in self.lines[: self.together])

    @property
    def together(self) -> int:
        """The number of lines that hold at the same time: 2 with `split`, else 1."""
        return 1 if self.question.split is None else 2

    def _parts(self) -> Iterable[Part]:
        yield Table(tuple(lines_answer(self)), (_LABEL,))
        for line, label in zip(self.lines, _labels(self), strict=True):
            yield ""
            yield Table(tuple(_line(line, label)), (_LABEL,))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as `dipsat search lines --json` prints them: the first line, and all
        lines as `lines`. If the question names no power, the lines belong to the map's first power,
        though any other could have them."""
        lines = [line_to_dict(line) | plan_to_dict(line) for line in self.lines]
        first = lines[0] if lines else {key: [] for key in _PLAIN}
        one = self.lines[0] if self.lines else None
        return {
            "verdict": self.verdict,
            **first,
            "map": one and one.map.name,
            "power": one and one.power,
            "fewest": self.fewest,
            "bound": self.bound,
            "reason": self.reason,
            "lines": lines,
        }


_PLAIN = (
    "units", "orders", "region", "centres", "fleets_not_in", "armies_not_in", "states", "outposts",
)  # fmt: skip


def line_to_dict(line: StalemateLine) -> dict[str, list[str]]:
    """A line as plain values: units, orders, region, the centres that it holds, and where it
    assumes that the enemy has no fleets or armies. For a line with sorties, the units and orders
    are those before any sortie has got in."""
    held = line.region | line.by_province.keys()
    return {
        "units": [str(unit) for unit in line.units],
        "orders": list(line.first_orders),
        "region": sorted(line.region),
        "centres": sorted(held & set(line.map.centers)),
        **{key: value for key, value in limits_of(line.enemy).items() if key != "units"},
    }


_LABEL = Column(width=10)


def _labels(result: LinesResult) -> Iterator[str]:
    """The label of each line, such as `Line 3`; with several pairs, `Line 3b` is the second line of
    the third pair."""
    number = len(result.lines)
    for at in range(number):
        if number > 2 == result.together:
            yield f"Line {at // 2 + 1}{'ab'[at % 2]}"
        else:
            yield "Line" if number == 1 else f"Line {at + 1}"


def lines_answer(result: LinesResult) -> Iterator[tuple[str, str]]:
    """The verdict, and a sentence that explains it."""
    number = len(result.lines) // result.together
    of = {"number": number, "units": counted(result.fewest or 0, "unit")}
    hold, have = _TEXTS[result.together, number > 1]
    line, has = ("two lines", "have") if result.together == 2 else ("line", "has")
    if result.verdict == FOUND:
        others = ", and there are no others" if result.question.every else ""
        yield "FOUND", f"{hold.format(**of)}. Proven: no {line} {has} fewer{others}."
    elif result.verdict == IMPOSSIBLE:
        verb = "hold" if result.together == 2 else "holds"
        yield "IMPOSSIBLE", f"Proven: no {line} {verb} what is asked for."
    else:
        text = f"{result.reason[:1].upper()}{result.reason[1:]}."
        if result.bound:
            units = counted(result.bound, "unit")
            text += f" It is proven that no {line} {has} fewer than {units}."
        if result.fewest is not None:
            unproven = "" if result.bound else "; that none has fewer is not proven"
            text += f" {have.format(**of)}{unproven}."
        yield "UNKNOWN", text


_TEXTS = {
    (1, False): ("1 line of {units} holds", "The line below has {units}"),
    (1, True): (
        "{number} lines of {units} hold",
        "The {number} lines below have {units} each; there may be more such lines",
    ),
    (2, False): (
        "2 lines of {units} together hold at the same time",
        "The lines below have {units} together",
    ),
    (2, True): (
        "{number} pairs of lines hold at the same time, each of {units} together",
        "The {number} pairs of lines below have {units} each; there may be more such pairs",
    ),
}
"""The number of lines that hold at the same time, and whether several were found -> the sentence if
it is proven that none have fewer units, and the sentence if it is not."""


def _line(line: StalemateLine, label: str) -> Iterator[tuple[str, str]]:
    plain = line_to_dict(line)
    yield label, ", ".join(plain["orders"]) or "no unit is needed"
    yield "Region", ", ".join(plain["region"]) or "only the provinces of the own units"
    if line.outposts:
        yield "Sorties", f"to {', '.join(sorted(line.outposts))}; a unit that gets in comes back"
    yield counted(len(plain["centres"]), "centre"), ", ".join(plain["centres"])
    if limits := line.enemy.limits:
        yield "Enemy", limits


# --- the line of a solution -----------------------------------------------------------------------

_DERIVED = "every province that the enemy cannot reach"


def line_of(model: PlacementModel, true: Container[int], rules: Profile) -> StalemateLine:
    """The line of a solution, given the unknowns that are true in it."""
    terms = model.terms
    units = [unit for unit, there in model.own.items() if there in true]
    line = StalemateLine(
        terms.map,
        rules,
        terms.power,
        tuple(sorted(units, key=lambda unit: unit.province)),
        {one: aim for (one, aim), given in model.supports.items() if given in true},
        frozenset(),
        frozenset(province for province, inside in model.region.items() if inside in true),
        terms.enemy,
        _DERIVED,
    )
    line = replace(line, region=_with_pockets(line, terms.outside))
    no_fleets = _without_fleets(line, terms.fleet_sources) | terms.enemy.fleets_not_in
    line = replace(line, enemy=replace(terms.enemy, fleets_not_in=no_fleets))
    return replace(line, supports=_needed(line, terms.supports.keys()))


def _needed(line: StalemateLine, kept: Container[str]) -> Mapping[str, str]:
    """The supports that are needed, and those of the units `kept`."""
    beside = enemies_beside(line)
    for supporter, aim in sorted(line.supports.items()):
        if supporter not in kept:
            supports = {one: other for one, other in line.supports.items() if one != supporter}
            without = replace(line, supports=supports)
            if defence_of(without, aim, beside).holds(line.enemy.units):
                line = without
    return line.supports


def _with_pockets(line: StalemateLine, outside: frozenset[str]) -> frozenset[str]:
    """The region, plus any provinces without a centre that no enemy can reach from outside."""
    board = line.map
    rest = frozenset(board.provinces.keys() - line.region - line.by_province.keys())
    pockets = rest - outside - set(board.centers)
    ways = grouped(steps(board, enemies_outside(board, frozenset(), line.enemy)))
    entered = reached(rest - pockets, lambda province: pockets.intersection(ways.get(province, ())))
    return line.region | pockets.difference(entered) if entered else line.region


def _without_fleets(line: StalemateLine, sources: frozenset[str] | None) -> frozenset[str]:
    """The outside provinces that no enemy fleet can reach from one of the sources."""
    if sources is None:
        return frozenset()
    fleets = [unit for unit in line.enemies if unit.kind is UnitKind.FLEET]
    there = frozenset(unit.province for unit in fleets)
    ways = grouped(steps(line.map, fleets))
    entered = reached(sources & there, lambda at: there.intersection(ways.get(at, ())))
    return there.difference(entered)


# --- windows --------------------------------------------------------------------------------------

# Parts of a large map, in which the search for a first line begins.
#
# On a whole large map, the first line that a solver finds has three times as many units as needed,
# and it takes minutes to halve them. If the enemy has all but a window of the map, the question is
# as small as on a small map, and the best line of the best window is often the smallest of all.


_LARGE = 100
"""A map with more provinces has windows. On smaller maps a search without them takes seconds."""
_LEAST = 40  # provinces of a window, about half of the standard map
_AROUND = 1.7
"""The provinces of a window, as a multiple of the number that has enough centres on average."""
_STEP = 5
"""One in this many of a window's provinces, around its middle, are no other window's middle."""


def windows(model: PlacementModel) -> Iterator[tuple[int, ...]]:
    """For each window of a large map, the literals by which the enemy has the rest of the map."""
    terms, provinces = model.terms, model.provinces
    supply = terms.map.centers
    centres = terms.centres or len(terms.protect.intersection(supply))
    size = max(_LEAST, int(_AROUND * len(provinces) * centres / max(1, len(supply))))
    if len(provinces) <= _LARGE or size >= len(provinces):
        return
    done = set[str]()
    for province in provinces:
        if province not in done:
            window = _around(province, model.near, size)
            done.update(window[: size // _STEP])
            inside = frozenset(window)
            if terms.protect <= inside:
                yield tuple(model.outside[one] for one in provinces if one not in inside)


def _around(province: str, near: Mapping[str, Set[str]], size: int) -> list[str]:
    """The `size` provinces nearest to this one, nearest first."""
    found, seen = [province], {province}
    for one in found:
        for other in sorted(near[one] - seen):
            if len(found) < size:
                seen.add(other)
                found.append(other)
    return found


# --- the search -----------------------------------------------------------------------------------

_LATE = Limits(seconds=5)
"""Extra time, once the time is up, to confirm the best line so far."""


def find_lines(
    question: Lines,
    *,
    rules: str | Path | Profile = DEFAULT_RULES,
    limits: Limits = UNLIMITED,
    progress: Progress | None = None,
    solver: str = AUTO,
) -> LinesResult:
    """Find the lines with the fewest units that hold what a question asks for.

    `dipsat.searches.hold_line` confirms each line. `limits` bound the search; without them there is
    no limit. When a limit is reached, or after an interrupt from the keyboard, the result has the
    best line so far and the fewest units that are not excluded. `progress` is called with a
    description of each step. `solver` is one of `dipsat.searches.SOLVERS`.

    Raises `QuestionError` for a question that contradicts itself, `SolverError` for a solver that
    does not exist or is not installed, and the errors of `load_map`, `load_profile` and of the
    readers of units and orders.
    """
    with running(limits):
        profile = load_profile(rules)
        terms = terms_of(question, profile)
        check_features(profile, terms.map)
        second = second_of(question, profile)
        search = _Search(question, terms, second, profile, progress or (lambda _: None), solver)
        return search.run()


class _Search:
    def __init__(
        self,
        question: Lines,
        terms: Terms,
        second: Terms | None,
        rules: Profile,
        progress: Progress,
        solver: str,
    ) -> None:
        self.question, self.terms, self.rules, self.progress = question, terms, rules, progress
        self.model = SortieModel(terms) if question.sorties else PlacementModel(terms)
        self.models = [self.model]
        if second is not None:
            self.models.append(PlacementModel(second, self.model))
            require_of_both(self.models)
        self.fewest = Fewest(self.model.problem, solver, budget_of())
        self.held: list[tuple[HoldResult, ...]] = []
        """The lines found, each alone or with the other line that holds at the same time."""

    def run(self) -> LinesResult:
        try:
            reason = self._search()
        except (ExhaustedError, KeyboardInterrupt) as end:
            reason = str(end) or INTERRUPTED
        return self._result(reason)

    def _search(self) -> str:
        """Search, and return why the answer is unknown, "" if it is known."""
        self.progress("does any line hold that?")
        self.fewest.search(self._report, windows(self.model) if len(self.models) == 1 else ())
        if self.fewest.best is None:
            return ""
        for true in self._solutions(self.fewest.best):
            found = self._hold(true)
            refused = next(filter(None, map(self._refused, found)), "")
            if not (refused and self.held):  # an unproven line does not join proven ones
                self.held.append(found)
            if refused:
                return refused
        return ""

    def _hold(self, true: frozenset[int], limits: Limits = UNLIMITED) -> tuple[HoldResult, ...]:
        found = []
        for model in self.models:
            line = line_of(model, true, self.rules)
            if isinstance(model, SortieModel):
                line = moving_line(line, model, true)
            found.append(hold_line(line, limits=limits))
        return tuple(found)

    def _report(self) -> None:
        count, bound = self.fewest.count, self.fewest.bound
        proven = f"; no fewer than {bound} can" if bound else ""
        self.progress(f"{counted(count, 'unit')} can hold that{proven}")

    def _solutions(self, best: frozenset[int]) -> Iterator[frozenset[int]]:
        """The requested solutions, one for each choice of units; with a number of centres, one for
        each choice of units and centres, as the same units may close off other centres."""
        if not self.question.every:
            yield best
            return
        distinct = list[int]()
        for model in self.models:
            distinct += model.own.values()
            if self.terms.centres is not None:
                distinct += [model.region[centre] for centre in sorted(self.terms.map.centers)]
        found = ("line", "") if len(self.models) == 1 else ("pair of lines", "pairs of lines")
        for true in self.fewest.each(self.fewest.bound, distinct):
            self.progress(f"{counted(len(self.held) + 1, *found)} so far")
            yield true

    def _refused(self, held: HoldResult) -> str:
        """Why a line is not proven to hold; "" if it is."""
        if held.verdict == HOLDS:
            return ""
        if held.verdict == BREAKS:
            return f"under the rules {self.rules.name!r}, an attack breaks the line that was found"
        return held.reason

    def _result(self, reason: str) -> LinesResult:
        """The result; with a reason, it is unknown. Lines that the search excludes may hold under
        rules for which the assumptions of the proof were not checked."""
        if reason and not self.held and self.fewest.best is not None:
            with unlimited():
                self.held.append(self._hold(self.fewest.best, _LATE))
        proof = "moving-lines" if self.question.sorties else "holding-lines"
        changes = unchecked_rules(self.rules, proof)
        reason = reason or changes
        verdict = UNKNOWN if reason else FOUND if self.held else IMPOSSIBLE
        in_order = sorted(self.held, key=lambda lines: [one.orders for one in lines])
        held = tuple(one for lines in in_order for one in lines)
        bound = 0 if changes else self.fewest.bound
        return LinesResult(self.question, verdict, held, bound, reason)
