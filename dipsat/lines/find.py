"""Finding the lines with the fewest units, and the proof that no line has fewer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from dipsat.limits import UNLIMITED, ExhaustedError, Limits, running, unlimited
from dipsat.lines.decode import line_of
from dipsat.lines.found import FOUND, IMPOSSIBLE, UNKNOWN, LinesResult
from dipsat.lines.hold import hold_line
from dipsat.lines.hold_result import BREAKS, HOLDS, HoldResult
from dipsat.lines.line import StalemateLine
from dipsat.lines.pair import require_of_both
from dipsat.lines.placement import PlacementModel
from dipsat.lines.question import Lines
from dipsat.lines.sorties import SortieModel, moving_line
from dipsat.lines.terms import Terms, second_of, terms_of
from dipsat.lines.windows import windows
from dipsat.openorders.checked_rules import unchecked_rules
from dipsat.pages import counted
from dipsat.profiles.demands import check_features
from dipsat.profiles.load import DEFAULT_RULES, load_profile
from dipsat.profiles.profile import Profile
from dipsat.solving.budget import INTERRUPTED, Progress, budget_of
from dipsat.solving.sat import AUTO, Fewest

_LATE = Limits(seconds=5)
"""After the time is up, to confirm the best line so far."""


def find_lines(
    question: Lines,
    *,
    rules: str | Path | Profile = DEFAULT_RULES,
    limits: Limits = UNLIMITED,
    progress: Progress | None = None,
    solver: str = AUTO,
) -> LinesResult:
    """Find the lines with the fewest units that hold what a question asks for.

    `dipsat.hold_line` confirms each line. `limits` bound the search; without them there is no
    limit. If they are not enough, or after an interrupt from the keyboard, the result has the best
    line so far and the fewest units that are not excluded. `progress` is called with a description
    of each step. `solver` is one of `dipsat.SOLVERS`.

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
        self.question = question
        self.terms = terms
        self.rules = rules
        self.progress = progress
        self.model = SortieModel(terms) if terms.sorties else PlacementModel(terms)
        self.models = [self.model]
        if second is not None:
            self.models.append(PlacementModel(second, self.model))
            require_of_both(self.models)
        self.fewest = Fewest(self.model.problem, solver, budget_of())
        self.held: list[tuple[HoldResult, ...]] = []
        """Each line that was found, or two that hold at the same time."""

    def run(self) -> LinesResult:
        reason = ""
        try:
            reason = self._search()
        except (ExhaustedError, KeyboardInterrupt) as end:
            reason = str(end) or INTERRUPTED
        return self._result(reason)

    def _search(self) -> str:
        """Search. Returns why the answer is unknown, "" if it is known."""
        self.progress("does any line hold that?")
        self.fewest.search(self._report, self._guides())
        if self.fewest.best is None:
            return ""
        for true in self._solutions(self.fewest.best):
            found = self._hold(true)
            refused = next(filter(None, map(self._refused, found)), "")
            if not (refused and self.held):  # what is not proven does not join what is
                self.held.append(found)
            if refused:
                return refused
        return ""

    def _hold(self, true: frozenset[int], limits: Limits = UNLIMITED) -> tuple[HoldResult, ...]:
        return tuple(hold_line(self._line(one, true), limits=limits) for one in self.models)

    def _guides(self) -> Iterable[Sequence[int]]:
        """What guides the search to a first good line."""
        return windows(self.model) if len(self.models) == 1 else ()

    def _report(self) -> None:
        count, bound = self.fewest.count, self.fewest.bound
        proven = f"; no fewer than {bound} can" if bound else ""
        self.progress(f"{counted(count, 'unit')} can hold that{proven}")

    def _solutions(self, best: frozenset[int]) -> Iterator[frozenset[int]]:
        """The solutions that are asked for, one for each choice of units; if a number of centres is
        asked for, one for each choice of units and centres: the same units may close off others."""
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

    def _line(self, model: PlacementModel, true: frozenset[int]) -> StalemateLine:
        line = line_of(model, true, self.rules)
        return moving_line(line, model, true) if isinstance(model, SortieModel) else line

    def _refused(self, held: HoldResult) -> str:
        """Why a line is not proven to hold, "" if it is."""
        if held.verdict == HOLDS:
            return ""
        if held.verdict == BREAKS:
            return f"under the rules {self.rules.name!r}, an attack breaks the line that was found"
        return held.reason

    def _result(self, reason: str) -> LinesResult:
        """The result; with a reason, it is unknown. What the search excludes may hold under rules
        for which the assumptions of the proof were not checked."""
        if reason and not self.held and self.fewest.best is not None:
            with unlimited():
                self.held.append(self._hold(self.fewest.best, _LATE))
        proof = "moving-lines" if self.terms.sorties else "holding-lines"
        changes = unchecked_rules(self.rules, proof)
        reason = reason or changes
        verdict = UNKNOWN if reason else FOUND if self.held else IMPOSSIBLE
        in_order = sorted(self.held, key=lambda lines: [one.orders for one in lines])
        held = tuple(one for lines in in_order for one in lines)
        bound = 0 if changes else self.fewest.bound
        return LinesResult(self.question, verdict, held, bound, reason)
