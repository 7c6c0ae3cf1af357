"""Why a decision came out as it did, read from its equation.

The equation that decided also explains: the first condition that does not hold gives the code, its
comparisons the numbers, its quantifiers the orders responsible. A verdict and its reason cannot
disagree, because the rule has only one text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from dipsat.brief import brief
from dipsat.equations.ground import Grounder
from dipsat.equations.instances import Combination
from dipsat.game.facts import ProvinceFacts, UnitFacts
from dipsat.language.closed import Scope
from dipsat.language.syntax import Compare, Expression
from dipsat.proof.decisive import DecisiveWalk, Part
from dipsat.proof.resolved import ResolvedPhase
from dipsat.solving.decided import DecidedReader
from dipsat.terms.term import Key

_MAX_DRILL = 6  # levels of decisions that an explanation descends
_OPPOSITES = {">": "<=", "<": ">=", ">=": "<", "<=": ">", "==": "!=", "!=": "=="}
_STRONGER = {
    ">": "stronger than", "<": "weaker than", ">=": "at least as strong as",
    "<=": "not stronger than", "==": "as strong as", "!=": "not as strong as",
}  # fmt: skip
_JOINING = ("against", "by", "of", "off", "than", "with")
"""The last words of texts that go on with the units responsible: `bounces off`."""
_RELATIONS = {
    ">": "is greater than", "<": "is less than", ">=": "is at least", "<=": "is not greater than",
    "==": "equals", "!=": "differs from",
}  # fmt: skip


@brief()
@dataclass(frozen=True, slots=True)
class Reason:
    """Why an order had its result."""

    code: str
    """For programs: `ok`, the name of the condition that failed, or a word such as `cycle_rule`."""
    text: str
    """For people: a sentence with the strengths, in units."""
    because: tuple[str, ...] = ()
    """The units whose orders caused it."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: every field by its name, without `is_`."""
        return {"code": self.code, "text": self.text, "because": list(self.because)}


@dataclass(frozen=True, slots=True)
class Settled:
    """How a cycle rule settled a decision: the rule's name, a sentence, the units of the cycle."""

    rule: str
    text: str
    units: tuple[UnitFacts, ...]


@dataclass(frozen=True, slots=True)
class _StrengthComparison:
    """A decisive comparison in words, with the units of its right side. If strengths of units are
    compared, `relation` is `stronger than` or the like, and the text names the others with the
    numbers: `A MUN supported by A RUH (1 against 2)`."""

    text: str
    relation: str
    units: tuple[UnitFacts, ...]


class _Side(NamedTuple):
    """A side of a comparison: in words, its number alone, and the units whose strength it is."""

    text: str
    value: str
    units: tuple[UnitFacts, ...] = ()


class Explainer:
    """Explains the decisions of one phase.

    `settled` has those that a cycle rule has settled: the rule explains them, not their equation.
    """

    def __init__(self, resolved: ResolvedPhase, settled: Mapping[Key, Settled]) -> None:
        self.resolved = resolved
        self.profile = resolved.profile
        self.settled = settled
        bounds = resolved.solution.bounds
        self.grounder = Grounder(resolved.profile, resolved.facts, bounds.interval)
        value = None  # an open decision has none
        if not resolved.solution.unknown:
            value = DecidedReader(self.grounder, bounds)
        self.walk = DecisiveWalk(self.grounder, value)

    def decision(self, key: Key) -> Reason:
        """Why a decision has its truth value: the rule that settled it, the first condition that
        fails, or, if all hold, what its conditions have overcome."""
        family = self.profile.decisions[key[0]]
        about = self.grounder.object(key)
        subject = _unit_of(about)
        if key in self.settled:
            units = (unit for unit in self.settled[key].units if unit is not subject)
            because = tuple(str(unit) for unit in units)
            return Reason("cycle_rule", self.settled[key].text, because)
        scope = self.grounder.scope_of(family, about)
        for code, condition in family.conditions:
            if not self.walk.holds(condition, scope):
                return self._reason(code, Part(condition, scope, False), subject, key[0])
        return self._reason(key[0], Part(family.equation, scope, True), subject)

    def _reason(self, name: str, part: Part, subject: Any, family: str = "") -> Reason:
        """The reason for the value of a part: the text of that name, with what decided it. A
        condition without a name has no text of its own; it belongs to a decision of `family`."""
        value = bool(part.value)
        near = self.walk.operand_ends(part)
        ends: list[Part] = []
        if not value:
            self._add_deeper(near, {}, ends)
        culprits: dict[UnitFacts, None] = {}
        for end in ends:
            if end.members:
                culprits.update(dict.fromkeys(_units_on_way(end)))
        telling: list[_StrengthComparison | Settled] = []
        if any(isinstance(end.node, Compare) for end in near):
            telling += self._comparisons(near, value)
        if self.settled:
            rules = (rule for end in ends if (rule := self._settled(end)) is not None)
            telling += dict.fromkeys(rules)
        for one in telling:
            culprits |= dict.fromkeys(one.units)
        culprits.pop(subject, None)
        because = tuple([str(unit) for unit in culprits])
        if name:
            head = self.profile.reasons.get(name, name.replace("_", " "))
        else:
            head = f"a condition of {self.profile.name} that has no name does not hold"
        text = _sentence(head, telling, culprits)
        return Reason("ok" if value else name or family, text, because)

    def _settled(self, end: Part) -> Settled | None:
        """The rule that settled the decision in which an explanation ends."""
        key = None if end.members else self.walk.called(end)
        return None if key is None else self.settled.get(key)

    def _add_deeper(
        self,
        ends: Iterable[Part],
        seen: dict[tuple[Key, bool], int],
        found: list[Part],
        depth: int = _MAX_DRILL,
    ) -> None:
        """The ends of a walk, and those in the equations of the truth values called there, unless
        orders or a rule explain them. `seen` has the calls whose equations were followed, with or
        without members on the way, and how deep: what leads there again adds nothing."""
        for end in ends:
            found.append(end)
            key = self.walk.called(end)
            if key is None or depth == 1 or key in self.settled or not end.node.type.is_truth:
                continue
            there = key, bool(end.members)
            if seen.get(there, 0) < depth and not any(_units_on_way(end)):
                seen[there] = depth
                inner = self.walk.operand_ends(self._equation(end, key))
                self._add_deeper(inner, seen, found, depth - 1)

    def _equation(self, part: Part, key: Key) -> Part:
        """The equation of a decision that a part calls."""
        equation = self.profile.decisions[key[0]].equation
        return Part(equation, self.grounder.scope(key), part.value, part.members)

    def _comparisons(self, ends: Iterable[Part], opposed: bool) -> Iterator[_StrengthComparison]:
        """The decisive comparisons of strengths, with their numbers; only those whose right side is
        not zero if they should be `opposed`."""
        for end in ends:
            node = end.node
            if not isinstance(node, Compare) or not node.open or not node.left.type.is_number:
                continue
            if not opposed or self.walk.value(node.right, end.scope) != 0:
                yield self._comparison(node, end.scope, bool(end.value))

    def _comparison(self, node: Compare, scope: Scope, value: bool) -> _StrengthComparison:
        op = node.op if value else _OPPOSITES[node.op]
        left, right = self._side(node.left, scope), self._side(node.right, scope)
        opposing = tuple(
            dict.fromkeys([*right.units, *self._helpers(Part(node.right, scope), set())])
        )
        helpers = ", ".join(str(unit) for unit in opposing if unit not in right.units)
        whose = ", ".join(map(str, right.units))
        backed = f" supported by {helpers}" if helpers else ""
        if whose and left.units:
            text = f"{whose}{backed} ({left.value} against {right.value})"
            return _StrengthComparison(text, _STRONGER[op], opposing)
        text = f"{left.text} {_RELATIONS[op]} {right.text}"
        text += f" of {whose}" if whose else ""
        return _StrengthComparison(text + backed, "", opposing)

    def _side(self, node: Expression, scope: Scope) -> _Side:
        term = self.walk.value(node, scope)
        value = str(int(term) if isinstance(term, int) else term)
        key = self.walk.called(Part(node, scope))
        if key is None:
            return _Side(value, value)
        rule = self.settled.get(key)
        value = f"{value} by the rule '{rule.rule}'" if rule else value
        units = tuple(units_about(self.grounder.object(key)))
        return _Side(f"{key[0].replace('_', ' ')} {value}", value, units)

    def _helpers(self, part: Part, seen: set[Key]) -> Iterator[UnitFacts]:
        """The units that add to a strength: the members of its sums that count. `seen` has the
        strengths that were followed."""
        for end in self.walk.operand_ends(part):
            key = self.walk.called(end)
            if end.members:
                if self.walk.holds(end.node, end.scope):
                    yield from units_about(end.members[-1])
            elif key is not None and not end.node.type.is_truth and key not in seen:
                seen.add(key)
                yield from self._helpers(self._equation(end, key), seen)


def _sentence(
    head: str, telling: Collection[_StrengthComparison | Settled], culprits: Collection[UnitFacts]
) -> str:
    """A text of the rules with what decided: after `bounces off`, the units with their strengths,
    otherwise behind a colon."""
    begun, _, last = head.rpartition(" ")
    goes_on = bool(begun) and last in _JOINING
    if not telling and not culprits:
        return begun if goes_on else head
    clauses: list[str] = []
    named: dict[str, list[str]] = {}  # by how they compare
    for one in telling:
        if isinstance(one, _StrengthComparison) and one.relation:
            named.setdefault("" if goes_on else f"{one.relation} ", []).append(one.text)
        else:
            clauses.append(one.text)
    if not named and not clauses and (units := ", ".join(map(str, culprits))):
        named[""] = [units]
    units_named = [how + " and ".join(dict.fromkeys(who)) for how, who in named.items()]
    if goes_on:
        head = f"{head} {units_named.pop()}" if named else begun
    details = dict.fromkeys([*units_named, *clauses])
    return ": ".join(part for part in (head, "; ".join(details)) if part)


def _units_on_way(part: Part) -> tuple[UnitFacts, ...]:
    """The units of the outermost member that has any."""
    if not part.members:
        return ()
    return next((units for member in part.members if (units := tuple(units_about(member)))), ())


def _unit_of(subject: Any) -> Any:
    if isinstance(subject, Combination):
        subject = subject.parts[0]
    return subject if isinstance(subject, UnitFacts) else getattr(subject, "unit", None)


def units_about(thing: Any) -> Iterator[UnitFacts]:
    """The units that a decision about this object is about."""
    if isinstance(thing, ProvinceFacts):
        yield from thing.units
    elif isinstance(thing, Combination):
        yield from dict.fromkeys(unit for part in thing.parts for unit in units_about(part))
    else:
        unit = _unit_of(thing)
        if unit is not None:
            yield unit
