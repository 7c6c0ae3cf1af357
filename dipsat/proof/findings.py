"""What fixed the truth values of decisions: the orders and the comparisons behind reasons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from dipsat.equations.about import units_about
from dipsat.game.facts import UnitFacts
from dipsat.language.syntax import Compare
from dipsat.profiles.profile import Decision
from dipsat.proof.decisive import DecisiveWalk, Part
from dipsat.proof.resolved import ResolvedPhase
from dipsat.terms.term import Key

_MAX_DRILL = 6  # levels of decisions that an explanation descends


@dataclass(frozen=True, slots=True)
class Settled:
    """How a cycle rule settled a decision: the rule's name, a sentence, the units of the cycle."""

    rule: str
    text: str
    units: tuple[UnitFacts, ...]


Compared: TypeAlias = tuple[Compare, bool, Any, Any, int | None, int | None, list[UnitFacts]]
"""A comparison, whether it holds, the values of its sides, the numbers of the decisions that they
are, and the units that add to the right side."""


class Finder:
    """Finds what fixed the truth values of one phase. `settled` has the decisions that a cycle rule
    has settled."""

    def __init__(self, resolved: ResolvedPhase, settled: Mapping[Key, Settled]) -> None:
        self.profile = resolved.profile
        self.settled = settled
        self.grounder = resolved.decided
        self.walk = DecisiveWalk(self.grounder)

    def find(self, family: Decision, about: Any) -> Findings:
        """What fixed the value of the decision about an object."""
        found = Findings(self)
        found.failing = found.step_by_step(family, about)
        if found.rules and found.failing < len(family.conditions):
            condition = family.conditions[found.failing][1]
            part = Part(condition, self.grounder.scope_of(family, about), False)
            found.is_settled = self.walk.called(part) in self.settled
        return found

    def equation(self, key: Key, value: bool | None) -> Part:
        """The equation of a decision with this value."""
        return Part(self.profile.decisions[key[0]].equation, self.grounder.scope(key), value)


class Findings:
    """What fixed the value of a decision: `failing` is the number of the first condition that
    fails, or how many there are if all hold. `who` has the units responsible, `compared` the
    comparisons of numbers, `rules` those that settled decisions on which it rests. `is_settled`
    says whether the condition is such a decision itself.

    Values that rest on those of other decisions are followed into their equations, unless orders
    or a rule explain them. `_seen` has the decisions that were followed, with or without members on
    the way, and how deep: what leads there again adds nothing.
    """

    __slots__ = ("_finder", "_seen", "compared", "failing", "is_settled", "rules", "who")

    def __init__(self, finder: Finder) -> None:
        self.failing = 0
        self.who: dict[UnitFacts, None] = {}
        self.compared: list[Compared] = []
        self.rules: dict[Settled, None] = {}
        self.is_settled = False
        self._finder = finder
        self._seen: dict[tuple[Key, bool], int] = {}

    def call(
        self, name: str, number: int, value: bool, is_inside: bool, depth: int = _MAX_DRILL
    ) -> None:
        """Note that it rests on the value of a decision; `is_inside` says whether the way there
        leads through members, and no member has a unit."""
        key = name, number
        rule = self._finder.settled.get(key)
        if rule is not None and not is_inside:
            self.rules[rule] = None
        there = key, is_inside
        if depth == 1 or rule is not None or self._seen.get(there, 0) >= depth:
            return
        self._seen[there] = depth
        self._blame(self._finder.equation(key, value), is_inside, depth - 1)

    def step_by_step(self, family: Decision, about: Any) -> int:
        """Find it along the walk through the first condition that fails, and return its number, or
        through the equation if all hold."""
        walk = self._finder.walk
        scope = self._finder.grounder.scope_of(family, about)
        for at, (_, condition) in enumerate(family.conditions):
            if not walk.holds(condition, scope):
                part = Part(condition, scope, False)
                self._blame(part, False, _MAX_DRILL)
                self._compare(part, False)
                return at
        self._compare(Part(family.equation, scope, True), True)
        return len(family.conditions)

    def _blame(self, part: Part, is_inside: bool, depth: int) -> None:
        """Find who is responsible for the value of a part, and what it rests on otherwise."""
        walk = self._finder.walk
        for end in walk.operand_ends(part):
            units = _units_on_way(end)
            self.who.update(dict.fromkeys(units))
            key = walk.called(end)
            if key is not None and not units and end.node.type.is_truth:
                inside = is_inside or bool(end.members)
                self.call(*key, bool(end.value), inside, depth)

    def _compare(self, part: Part, opposed: bool) -> None:
        """Find the decisive comparisons of strengths; only those whose right side is not zero if
        they should be `opposed`."""
        walk = self._finder.walk
        for end in walk.operand_ends(part):
            node, scope = end.node, end.scope
            if not isinstance(node, Compare) or not (node.open and node.left.type.is_number):
                continue
            right = walk.value(node.right, scope)
            if opposed and right == 0:
                continue
            left_at, right_at = map(walk.called, (Part(node.left, scope), Part(node.right, scope)))
            self.compared.append(
                (
                    node,
                    bool(end.value),
                    walk.value(node.left, scope),
                    right,
                    None if left_at is None else left_at[1],
                    None if right_at is None else right_at[1],
                    list(self._helpers(Part(node.right, scope), set())),
                )
            )

    def _helpers(self, part: Part, seen: set[Key]) -> Iterator[UnitFacts]:
        """The units that add to a strength: the members of its sums that count. `seen` has the
        strengths that were followed."""
        walk = self._finder.walk
        for end in walk.operand_ends(part):
            key = walk.called(end)
            if end.members:
                if walk.holds(end.node, end.scope):
                    yield from units_about(end.members[-1])
            elif key is not None and not end.node.type.is_truth and key not in seen:
                seen.add(key)
                yield from self._helpers(self._finder.equation(key, None), seen)


def _units_on_way(part: Part) -> tuple[UnitFacts, ...]:
    """The units of the outermost member that has any."""
    if not part.members:
        return ()
    return next((units for member in part.members if (units := units_about(member))), ())
