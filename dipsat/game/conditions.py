"""The conditions that rules place on single orders and provinces: a profile's section `legal`."""

from __future__ import annotations

from collections.abc import Mapping

from dipsat.errors import WorkLimitError
from dipsat.game.facts import PositionFacts
from dipsat.game.position import Position
from dipsat.language.closed import Formula, Surroundings
from dipsat.language.steps import Sizes, parts_by_domains
from dipsat.language.syntax import AllOf, CurrentPhase, Expression, Fact, children
from dipsat.language.types import ENTITIES, POWER, PROVINCE, UNIT
from dipsat.language.vocabulary import names_known

CONVOYS_IN, BUILDS_IN, COUNTS_FOR = "convoys_in", "builds_in", "counts_for"
CAPTURES = "captures"
PLACES = {
    CONVOYS_IN: (PROVINCE,),
    BUILDS_IN: (POWER, PROVINCE),
    COUNTS_FOR: (POWER, PROVINCE),
    CAPTURES: (UNIT, PROVINCE),
}
"""The conditions that say where a fleet may convoy, where a power may build, whether a centre
counts for its owner, and whether a unit captures the centre it occupies after fall."""

IF_NOT_STATED = {
    CONVOYS_IN: 'p.kind == "sea"',
    BUILDS_IN: "p.owner == w and any(h == w for h in p.homes)",
    COUNTS_FOR: "true",
    CAPTURES: "true",
}
"""What each of them is without an entry, on a map where powers build at home."""

MAX_STEPS = 10_000
"""Steps (`dipsat.language.steps`) of a condition for one order. The shipped ones take 13 at most;
one about every pair of units on a full board, a few thousand."""

MAX_TOGETHER = 500_000
"""Steps of a condition for all powers and provinces together: dipsat tests every pair to find where
each power may build. The shipped ones take 6,300 at most."""


class Conditions:
    """The conditions of a profile; `reasons` are texts for users. Two are equal if they say the
    same."""

    def __init__(self, conditions: Mapping[str, Formula], reasons: Mapping[str, str]) -> None:
        self.reasons = reasons
        self._all = dict(conditions)
        self._by_kind: dict[str, list[Formula]] = {kind: [] for kind in ENTITIES}
        for condition in conditions.values():
            if condition.name not in PLACES:
                self._by_kind[str(condition.indices[0].type)].append(condition)
        self._parts = [(one, parts_by_domains(one.expression)) for one in conditions.values()]

    def facts(self, position: Position) -> PositionFacts:
        """The facts of a position on which the conditions are to be tested.

        Raises `WorkLimitError` for a condition that would take more than `MAX_STEPS` steps, or
        more than `MAX_TOGETHER` for all powers and provinces.
        """
        facts = PositionFacts(position)
        sizes = Sizes(facts)
        for condition, parts in self._parts:
            steps = sizes.steps(parts)
            if steps > MAX_STEPS:
                raise WorkLimitError(condition.origin, condition.name, steps, MAX_STEPS)
            if POWER in PLACES.get(condition.name, ()):
                steps *= len(position.map.powers) * len(position.map.provinces)
                if steps > MAX_TOGETHER:
                    raise WorkLimitError(condition.origin, condition.name, steps, MAX_TOGETHER)
        return facts

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Conditions):
            return NotImplemented
        return self._all == other._all and self.reasons == other.reasons

    def __hash__(self) -> int:
        return hash(tuple(sorted(self._all)))

    def __contains__(self, name: str) -> bool:
        """Whether there is a condition with this name, such as one of `PLACES`."""
        return name in self._all

    def are_about(self, kind: str) -> bool:
        """Whether there is a condition on orders of a type of the vocabulary."""
        return bool(self._by_kind[kind])

    def refusal(self, kind: str, order: object, around: Surroundings) -> tuple[str, str] | None:
        """The name and reason of the first condition that an order of this type breaks."""
        for condition in self._by_kind[kind]:
            if not condition.holds(around, order):
                return condition.name, self.reason(condition.name)
        return None

    def hold(self, name: str, around: Surroundings, *objects: object) -> bool:
        """Whether one of `PLACES` holds, or is not stated."""
        return name not in self._all or self._all[name].holds(around, *objects)

    @property
    def count_whatever_stands(self) -> bool:
        """Whether the centres that count do not depend on the units on the board."""
        return COUNTS_FOR not in self._all or is_lasting(self._all[COUNTS_FOR].expression)

    def reason(self, name: str) -> str:
        """The text for users when a condition does not hold."""
        return self.reasons.get(name, name.replace("_", " "))


def is_lasting(node: Expression) -> bool:
    """Whether a condition has the same value for a unit and a province wherever units stand."""
    if isinstance(node, AllOf | CurrentPhase) and not node.type.members:
        return False
    if isinstance(node, Fact) and not node.type.members:
        lasting = _LASTING.get(str(node.of.type), ())
        if node.name not in lasting:
            return False
    return all(map(is_lasting, children(node)))


_LASTING = names_known("map", "unit")
