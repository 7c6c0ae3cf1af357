"""Why a decision came out as it did, read from its equation.

The equation that decided is the one that explains: the first condition that does not hold gives
the code, its comparisons the numbers, its quantifiers the orders responsible. A verdict and its
reason cannot disagree, because there is only one text of the rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dipsat.equations.facts import Phase, ProvinceFacts, UnitFacts
from dipsat.equations.ground import Grounder, Scope
from dipsat.equations.instances import Combination
from dipsat.profiles.profile import Profile
from dipsat.profiles.syntax import (
    Arithmetic,
    Chain,
    Choice,
    Compare,
    DecisionCall,
    Expression,
    Junction,
    Not,
    Quantifier,
)
from dipsat.solving.bounds import Bounds
from dipsat.terms.term import Key

_MAX_DRILL = 6  # levels of decisions that an explanation goes into
_OPPOSITES = {">": "<=", "<": ">=", ">=": "<", "<=": ">", "==": "!=", "!=": "=="}
_RELATIONS = {
    ">": "is greater than", "<": "is less than", ">=": "is at least", "<=": "is not greater than",
    "==": "equals", "!=": "differs from",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an order came out as it did."""

    code: str
    """For programs: `ok`, the name of the condition that failed, or a word such as `cycle_rule`."""
    text: str
    """For people: a sentence with the strengths, which count units."""
    because: tuple[str, ...] = ()
    """The units whose orders caused it."""


@dataclass(frozen=True, slots=True)
class Settled:
    """How a cycle rule settled a decision: the rule's name, a sentence, the units of the cycle."""

    rule: str
    text: str
    units: tuple[UnitFacts, ...]


@dataclass(frozen=True, slots=True)
class _Comparison:
    """A decisive comparison in words; `opposed` is false if its right side is zero."""

    text: str
    opposing: tuple[UnitFacts, ...]
    opposed: bool


class Explainer:
    """Explains decided decisions of one phase.

    `settled` holds those that a cycle rule has settled: not their equation tells why they are as
    they are, but the rule.
    """

    def __init__(
        self, profile: Profile, phase: Phase, bounds: Bounds, settled: Mapping[Key, Settled]
    ) -> None:
        self.profile = profile
        self.phase = phase
        self.bounds = bounds
        self.settled = settled
        self.grounder = Grounder(profile, phase, bounds.interval)

    def decision(self, key: Key) -> Reason:
        """Why a truth value decision is as it is: the rule that settled it, the first condition
        that fails, or what its conditions have overcome if all hold."""
        family = self.profile.decisions[key[0]]
        subject = self.grounder.object(key)
        if key in self.settled:
            units = (unit for unit in self.settled[key].units if unit is not _unit_of(subject))
            because = tuple(str(unit) for unit in units)
            return Reason("cycle_rule", self.settled[key].text, because)
        scope = self.grounder.scope(key)
        for code, condition in family.conditions:
            if not self.holds(condition, scope):
                return self._reason(code or key[0], condition, scope, False, subject)
        return self._reason(key[0], family.equation, scope, True, subject)

    def _reason(
        self, name: str, node: Expression, scope: Scope, value: bool, subject: Any
    ) -> Reason:
        found = [c for c in self._comparisons(node, scope, value) if not value or c.opposed]
        culprits: dict[UnitFacts, None] = {}
        if not value:
            for unit in self._culprits(node, scope, value, _MAX_DRILL):
                culprits[unit] = None
        for comparison in found:
            culprits |= dict.fromkeys(comparison.opposing)
        settled = {} if value else dict.fromkeys(self._settled(node, scope, value, _MAX_DRILL))
        for rule in settled:
            culprits |= dict.fromkeys(rule.units)
        culprits.pop(_unit_of(subject), None)
        because = tuple(str(unit) for unit in culprits)
        head = self.profile.reasons.get(name, name.replace("_", " "))
        details = [comparison.text for comparison in found] + [rule.text for rule in settled]
        details = list(dict.fromkeys(details))
        if not details and because:
            details = [", ".join(self._order_text(unit) for unit in culprits)]
        text = ": ".join(part for part in (head, "; ".join(details)) if part)
        return Reason("ok" if value else name, text, because)

    @staticmethod
    def _order_text(unit: UnitFacts) -> str:
        return str(unit.moves[0]) if unit.moves else str(unit)

    def holds(self, node: Expression, scope: Scope) -> bool:
        """Whether a truth value holds, all its decisions being made."""
        return bool(self.grounder.term(node, scope))

    def members(self, node: Quantifier | Chain, scope: Scope) -> Iterator[tuple[Any, Scope]]:
        """The members of a quantifier's domain that its condition admits."""
        for member in self.grounder.thing(node.domain, scope):
            inner: Scope = {**scope, node.variable.name: member}
            if node.condition is None or self.holds(node.condition, inner):
                yield member, inner

    def decisive(
        self, node: Expression, scope: Scope, value: bool
    ) -> Iterator[tuple[Expression, Scope, bool, Any]]:
        """The parts that make `node` have `value`: (part, scope, its value, member if bound)."""
        match node:
            case Not():
                yield node.part, scope, not value, None
            case Junction():
                for part in node.parts:
                    if self.holds(part, scope) == value:
                        yield part, scope, value, None
            case Choice():
                chosen = node.then if self.holds(node.condition, scope) else node.otherwise
                yield chosen, scope, value, None
            case Quantifier(op="all") | Quantifier(op="any") | Chain():
                for member, inner in self.members(node, scope):
                    if self.holds(node.body, inner) == value:
                        yield node.body, inner, value, member

    def _culprits(
        self, node: Expression, scope: Scope, value: bool, depth: int
    ) -> Iterator[UnitFacts]:
        """The units of the orders over which the decisive quantifiers run."""
        if depth == 0:
            return
        if isinstance(node, DecisionCall):
            decision = self.profile.decisions[node.name]
            if decision.type.is_truth and self.key(node, scope) not in self.settled:
                inner = self.grounder.scope(self.key(node, scope))
                yield from self._culprits(decision.equation, inner, value, depth - 1)
            return
        if isinstance(node, Quantifier) and node.op == "any" and not value and not node.open:
            return  # nobody is such that it would hold, which is no doing of anybody there
        for part, inner, part_value, member in self.decisive(node, scope, value):
            units = tuple(units_of(member))
            yield from units or self._culprits(part, inner, part_value, depth)

    def key(self, node: DecisionCall, scope: Scope) -> Key:
        """The decision that a call asks for."""
        return self.grounder.key(node, scope)

    def _settled(
        self, node: Expression, scope: Scope, value: bool, depth: int
    ) -> Iterator[Settled]:
        """The rules that settled the decisions in which an explanation ends."""
        if depth == 0:
            return
        if isinstance(node, DecisionCall):
            decision = self.profile.decisions[node.name]
            key = self.key(node, scope)
            if key in self.settled:
                yield self.settled[key]
            elif decision.type.is_truth:
                inner = self.grounder.scope(key)
                yield from self._settled(decision.equation, inner, value, depth - 1)
            return
        for part, inner, part_value, member in self.decisive(node, scope, value):
            if member is None:
                yield from self._settled(part, inner, part_value, depth)

    def _comparisons(self, node: Expression, scope: Scope, value: bool) -> Iterator[_Comparison]:
        """The decisive comparisons of strengths, with their numbers."""
        if isinstance(node, Compare) and node.left.type.is_number and node.open:
            yield self._comparison(node, scope, value)
        for part, inner, part_value, _ in self.decisive(node, scope, value):
            yield from self._comparisons(part, inner, part_value)

    def _comparison(self, node: Compare, scope: Scope, value: bool) -> _Comparison:
        relation = _RELATIONS[node.op if value else _OPPOSITES[node.op]]
        left, right = self._side(node.left, scope), self._side(node.right, scope)
        opposing = tuple(dict.fromkeys(right[1] + self._helpers(node.right, scope)))
        helpers = [str(unit) for unit in opposing if unit not in right[1]]
        whose = ", ".join(self._order_text(unit) for unit in right[1])
        text = f"{left[0]} {relation} {right[0]}"
        text += f" of {whose}" if whose else ""
        text += f", supported by {', '.join(helpers)}" if helpers else ""
        return _Comparison(text, opposing, self.grounder.term(node.right, scope) != 0)

    def _side(self, node: Expression, scope: Scope) -> tuple[str, list[UnitFacts]]:
        value = self.grounder.term(node, scope)
        if not isinstance(node, DecisionCall):
            return str(int(value) if isinstance(value, int) else value), []
        owners = list(units_of(self.grounder.object(self.key(node, scope))))
        text = f"{node.name.replace('_', ' ')} {value}"
        rule = self.settled.get(self.key(node, scope))
        return f"{text} by the rule '{rule.rule}'" if rule else text, owners

    def _helpers(self, node: Expression, scope: Scope) -> list[UnitFacts]:
        """The units that add to a strength: members of its sums that count."""
        found: list[UnitFacts] = []
        match node:
            case DecisionCall():
                decision = self.profile.decisions[node.name]
                if not decision.type.is_truth:
                    inner = self.grounder.scope(self.key(node, scope))
                    return self._helpers(decision.equation, inner)
            case Choice():
                chosen = node.then if self.holds(node.condition, scope) else node.otherwise
                return self._helpers(chosen, scope)
            case Arithmetic():
                return self._helpers(node.left, scope) + self._helpers(node.right, scope)
            case Quantifier(op="sum"):
                for member, inner in self.members(node, scope):
                    if isinstance(node.body, Quantifier):
                        found += self._helpers(node.body, inner)
                    elif self.holds(node.body, inner):
                        found += units_of(member)
        return found


def _unit_of(subject: Any) -> Any:
    if isinstance(subject, Combination):
        subject = subject.parts[0]
    return subject if isinstance(subject, UnitFacts) else getattr(subject, "unit", None)


def units_of(thing: Any) -> Iterator[UnitFacts]:
    """The units that a decision about this object is about."""
    if isinstance(thing, ProvinceFacts):
        yield from thing.units
    elif isinstance(thing, Combination):
        yield from dict.fromkeys(unit for part in thing.parts for unit in units_of(part))
    else:
        unit = _unit_of(thing)
        if unit is not None:
            yield unit
