"""Answers of compiled equations, which `adjudicate` tries first; they give no reasons.

Loading them takes as long as a hundred boards, so the first boards under a profile do without.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Protocol

from dipsat.base import (
    ANSWERS,
    check_time,
    extension,
    grouped,
    kept_on_first,
    running_limits,
    unlimited,
)
from dipsat.board import Map
from dipsat.equations import Key, Phase
from dipsat.game import PhaseKind, Position, PowerOrders, Ruling, judge_orders, read_submissions
from dipsat.orders import Unit
from dipsat.outcomes.evidence import subgraphs_of
from dipsat.outcomes.movement import MovementOutcome
from dipsat.outcomes.outcome import Dislodgement, Subgraph, Told
from dipsat.outcomes.resolved_phase import GivenPhase, ResolvedPhase
from dipsat.rules import Profile
from dipsat.solving import Bounds, Solution

FIRST_BOARDS = 200
"""The number of boards of a map that a profile adjudicates before it uses compiled equations."""


class Answer(Protocol):
    """The results of a movement phase whose only resolution propagation finds, without reasons."""

    @property
    def given(self) -> Mapping[str, PowerOrders]:
        """The orders as submitted; nothing changes them later."""

    def told(self) -> Sequence[Told]:
        """The power, the texts, the verdict and the fate of each unit and its order."""

    def decided(self, phase: Phase) -> Sequence[tuple[Key, int, int]] | None:
        """The decisions, sorted, each with its value and the number of its connected subgraph,
        which is the least number of a decision in it; None if the solver has to find them again."""

    @property
    def ends(self) -> Mapping[str, str | None]:
        """As in `MovementOutcome`, like the properties below."""

    @property
    def units_after(self) -> tuple[Unit, ...]: ...  # noqa: D102

    @property
    def dislodged(self) -> tuple[Dislodgement, ...]: ...  # noqa: D102

    @property
    def contested(self) -> tuple[str, ...]: ...  # noqa: D102

    @property
    def next(self) -> Position: ...  # noqa: D102


class Answers(Protocol):
    """Answers to the movement phases of a map under a profile; None for a phase that compiled
    equations cannot answer in full."""

    def __call__(self, position: Position, orders: Mapping[str, PowerOrders], /) -> Answer | None:
        """The results of a phase."""

    def legal_orders(self, position: Position, /) -> Sequence[tuple[str, ...]] | None:
        """The legal orders of each unit, as texts in `diplomacy` notation."""


class NoAnswers:
    """Answers that are always None."""

    def __call__(self, position: Position, orders: Mapping[str, PowerOrders]) -> None:
        """Return None."""

    def legal_orders(self, position: Position) -> None:
        """Return None."""


class AnsweredOutcome(MovementOutcome):
    """The outcome of a movement phase for which there is an answer. Orders are read and decisions
    looked up only when somebody asks for more than the answer has, such as reasons."""

    is_compiled = True

    def __init__(self, position: Position, profile: Profile, answer: Answer, lenient: bool) -> None:
        super(MovementOutcome, self).__init__(position, profile)
        self._answer = answer
        self._lenient = lenient

    def __eq__(self, other: object) -> bool:
        return self is other or MovementOutcome(self.resolved) == other

    __hash__ = MovementOutcome.__hash__

    def __repr__(self) -> str:
        return super().__repr__().replace(type(self).__name__, MovementOutcome.__name__, 1)

    @cached_property
    def _phase(self) -> GivenPhase:
        settings, position = self.profile.settings, self.position
        with unlimited():  # the result is kept, so the limits of its first reader must not matter
            submissions = read_submissions(position, self._answer.given, settings, self._lenient)
            return GivenPhase.of(
                self.profile, position, judge_orders(position, submissions, settings)
            )

    @cached_property
    def _decided(self) -> Sequence[tuple[Key, int, int]] | None:
        return self._answer.decided(self._phase.facts)

    @cached_property
    def resolved(self) -> ResolvedPhase:  # type: ignore[override]  # made when it is read
        """The phase with its decisions made."""
        if self._decided is None:
            with unlimited():
                return self._phase.resolved()
        ranges = {key: (value, value) for key, value, _ in self._decided}
        return self._phase.with_solution(Solution(Bounds(ranges, ()), (), {}))

    @cached_property
    def subgraphs(self) -> tuple[Subgraph, ...]:
        """The connected subgraphs of the decision graph, with what is proven about each."""
        if self._decided is None:
            return super().subgraphs
        found = grouped((number, key) for key, _, number in self._decided)
        return subgraphs_of(self.resolved, [tuple(keys) for keys in found.values()])

    @property
    def rulings(self) -> tuple[Ruling, ...]:  # type: ignore[override]  # made when they are read
        """The ruling on each submitted order before the other orders are looked at."""
        return self.resolved.rulings

    @cached_property
    def _told(self) -> Sequence[Told]:
        return self._answer.told()

    @property
    def is_proven(self) -> bool:
        """True: propagation has found the only resolution."""
        return True

    @property
    def is_decided(self) -> bool:
        """True: propagation has decided everything."""
        return True

    @cached_property
    def ends(self) -> Mapping[str, str | None]:
        """Unit -> its location after the phase, None if it is dislodged."""
        return self._answer.ends

    @cached_property
    def dislodged(self) -> tuple[Dislodgement, ...]:
        """The dislodged units, each with its attacker and its possible retreats."""
        return self._answer.dislodged

    @cached_property
    def contested(self) -> tuple[str, ...]:
        """The provinces left vacant by a standoff, to which no unit may retreat."""
        return self._answer.contested

    @cached_property
    def units_after(self) -> tuple[Unit, ...]:
        """The units after the phase, by location, without the dislodged ones."""
        return self._answer.units_after

    @cached_property
    def next(self) -> Position:
        """The position of the next phase."""
        return self._answer.next


class AnswerSource:
    """The source of answers to movement phases on a map under a profile."""

    def __init__(self, profile: Profile, board: Map) -> None:
        self._profile = profile
        self._map = board
        self._boards_left = FIRST_BOARDS
        self.answers: Answers | None = None

    def known(self) -> Answers:
        """The answers to use for one more board."""
        if self.answers is None:
            self._boards_left -= 1
            if self._boards_left >= 0:
                return NoAnswers()
            try:
                self.answers = extension(ANSWERS).answers_for(self._profile, self._map)
            except ImportError:  # a web page has no compiled equations
                self.answers = NoAnswers()
        return self.answers


@kept_on_first(4)
def answer_source(profile: Profile, board: Map) -> AnswerSource:
    """The profile's source of answers for a map; the profile keeps it."""
    return AnswerSource(profile, board)


def compiled_answer(
    position: Position, orders: Mapping[str, PowerOrders], profile: Profile
) -> Answer | None:
    """The answer to a phase, or None. If work is limited it is None, because the outcome must then
    depend on the limit alone. Raises `ExhaustedError` if the time is up."""
    if running_limits().work is not None:
        return None
    check_time()
    return answer_source(profile, position.map).known()(position, orders)


def compiled_legal_orders(position: Position, profile: Profile) -> Sequence[tuple[str, ...]] | None:
    """The legal orders of each unit in a movement phase, as `listed_order_texts` gives them; None
    if there is no answer."""
    if position.phase.kind is not PhaseKind.MOVEMENT:
        return None
    return answer_source(profile, position.map).known().legal_orders(position)
