"""Why a decision came out as it did, read from its equation.

The equation that decided also explains: the first condition that does not hold gives the code, its
comparisons the numbers, its quantifiers the orders responsible. A verdict and its reason cannot
disagree, because the rule has only one text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from dipsat.brief import brief
from dipsat.equations.about import unit_of, units_about
from dipsat.equations.ground import Grounder
from dipsat.game.facts import UnitFacts
from dipsat.kept import kept_on_first
from dipsat.language.syntax import Compare, DecisionCall, Expression
from dipsat.profiles.profile import Decision, Profile
from dipsat.proof.decisive import DecisiveWalk, Part
from dipsat.proof.resolved import ResolvedPhase
from dipsat.solving.decided import DecidedReader
from dipsat.solving.reasons_text import compares_numbers
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


_Compared: TypeAlias = tuple[Compare, bool, Any, Any, int | None, int | None, list[UnitFacts]]
"""A comparison, whether it holds, the values of its sides, the numbers of the decisions that they
are, and the units that add to the right side."""


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
        self._reader = None  # an open decision has no value
        if not resolved.solution.unknown:
            self._reader = DecidedReader(self.grounder, bounds)
        self.walk = DecisiveWalk(self.grounder, self._reader)
        self._heads = _heads(resolved.profile)

    def decision(self, key: Key) -> Reason:
        """Why a decision has its truth value: the rule that settled it, the first condition that
        fails, or, if all hold, what its conditions have overcome."""
        family = self.profile.decisions[key[0]]
        about = self.grounder.object(key)
        subject = unit_of(about)
        if self.settled and key in self.settled:
            units = (unit for unit in self.settled[key].units if unit is not subject)
            because = tuple(str(unit) for unit in units)
            return Reason("cycle_rule", self.settled[key].text, because)
        findings = _Findings(self)
        who, call, compared = findings.who, findings.call, findings.compared
        failing = None
        if self._reader is not None:
            failing = self._reader.findings(family, about, who, call, compared)
        if failing is None:
            failing = findings.step_by_step(family, about)
        if failing == len(family.conditions):
            return self._reason(key[0], "ok", findings, subject)
        name = family.conditions[failing][0]
        return self._reason(name, name or key[0], findings, subject)

    def equation(self, key: Key, value: bool | None) -> Part:
        """The equation of a decision with this value."""
        return Part(self.profile.decisions[key[0]].equation, self.grounder.scope(key), value)

    def _reason(self, name: str, code: str, findings: _Findings, subject: Any) -> Reason:
        """The text of that name, with what decided. A condition without a name has no text of its
        own."""
        culprits = findings.who
        telling: list[_StrengthComparison | Settled] = []
        if findings.compared:
            telling += [self._comparison(*compared) for compared in findings.compared]
        if findings.rules:
            telling += findings.rules
        for one in telling:
            for unit in one.units:
                culprits[unit] = None
        culprits.pop(subject, None)
        head = self._heads.get(name)
        if head is None:
            head = self._heads[name] = _head(self.profile, name)
        if not culprits and not telling:
            return Reason(code, head.alone)
        because = tuple([str(unit.unit) for unit in culprits])
        return Reason(code, _sentence(head, telling, because), because)

    def _comparison(
        self,
        node: Compare,
        value: bool,
        left: Any,
        right: Any,
        left_at: int | None,
        right_at: int | None,
        helpers: list[UnitFacts],
    ) -> _StrengthComparison:
        op = node.op if value else _OPPOSITES[node.op]
        left_text, left_units = self._side(node.left, left, left_at)
        right_text, right_units = self._side(node.right, right, right_at)
        opposing, backed = right_units, ""
        if helpers:
            opposing = tuple(dict.fromkeys([*right_units, *helpers]))
            helping = ", ".join([str(unit) for unit in opposing if unit not in right_units])
            backed = f" supported by {helping}" if helping else ""
        whose = ", ".join([str(unit.unit) for unit in right_units])
        if whose and left_units:
            text = f"{whose}{backed} ({left_text} against {right_text})"
            return _StrengthComparison(text, _STRONGER[op], opposing)
        left_text = f"{_words(node.left)}{left_text}"
        text = f"{left_text} {_RELATIONS[op]} {_words(node.right)}{right_text}"
        text += f" of {whose}" if whose else ""
        return _StrengthComparison(text + backed, "", opposing)

    def _side(
        self, node: Expression, value: Any, number: int | None
    ) -> tuple[str, tuple[UnitFacts, ...]]:
        """A side of a comparison: its value in words, and the units whose strength it is. `number`
        is that of the decision, if it is one."""
        text = str(int(value) if isinstance(value, int) else value)
        if number is None:
            return text, ()
        assert isinstance(node, DecisionCall)
        key = node.name, number
        if self.settled and (rule := self.settled.get(key)):
            text += f" by the rule '{rule.rule}'"
        return text, units_about(self.grounder.object(key))


class _Findings:
    """What fixed the value of a decision: `who` has the units responsible, `compared` the
    comparisons of numbers, `rules` those that settled decisions on which it rests.

    Values that rest on those of other decisions are followed into their equations, unless orders
    or a rule explain them. `_seen` has the decisions that were followed, with or without members on
    the way, and how deep: what leads there again adds nothing.
    """

    __slots__ = ("_explainer", "_seen", "compared", "rules", "who")

    def __init__(self, explainer: Explainer) -> None:
        self.who: dict[UnitFacts, None] = {}
        self.compared: list[_Compared] = []
        self.rules: dict[Settled, None] = {}
        self._explainer = explainer
        self._seen: dict[tuple[Key, bool], int] = {}

    def call(
        self, name: str, number: int, value: bool, is_inside: bool, depth: int = _MAX_DRILL
    ) -> None:
        """Note that it rests on the value of a decision; `is_inside` says whether there are members
        on the way there, none of which has a unit."""
        key = name, number
        rule = self._explainer.settled.get(key)
        if rule is not None and not is_inside:
            self.rules[rule] = None
        there = key, is_inside
        if depth == 1 or rule is not None or self._seen.get(there, 0) >= depth:
            return
        self._seen[there] = depth
        self._blame(self._explainer.equation(key, value), is_inside, depth - 1)

    def step_by_step(self, family: Decision, about: Any) -> int:
        """Find it along the walk through the first condition that fails, and return its number, or
        through the equation if all hold."""
        walk = self._explainer.walk
        scope = self._explainer.grounder.scope_of(family, about)
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
        walk = self._explainer.walk
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
        walk = self._explainer.walk
        for end in walk.operand_ends(part):
            node, scope = end.node, end.scope
            if not isinstance(node, Compare) or not compares_numbers(node):
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
        walk = self._explainer.walk
        for end in walk.operand_ends(part):
            key = walk.called(end)
            if end.members:
                if walk.holds(end.node, end.scope):
                    yield from units_about(end.members[-1])
            elif key is not None and not end.node.type.is_truth and key not in seen:
                seen.add(key)
                yield from self._helpers(self._explainer.equation(key, None), seen)


def _words(node: Expression) -> str:
    """What stands before the value of a side: the name of its decision, if it is one."""
    return f"{node.name.replace('_', ' ')} " if isinstance(node, DecisionCall) else ""


class _Head(NamedTuple):
    """A text of the rules with which a reason begins. If its last word goes on with the units
    responsible, as that of `bounces off` does, `goes_on` is set, and `alone` is the text without
    it. `before` stands before these units if there is nothing else to say."""

    text: str
    alone: str
    before: str
    goes_on: bool


def _head(profile: Profile, name: str) -> _Head:
    """The text with the name of a condition or a decision, "" for a condition without one."""
    text = f"a condition of {profile.name} that has no name does not hold"
    if name:
        text = profile.reasons.get(name, name.replace("_", " "))
    begun, _, last = text.rpartition(" ")
    goes_on = bool(begun) and last in _JOINING
    if goes_on:
        return _Head(text, begun, f"{text} ", True)
    return _Head(text, text, f"{text}: " if text else "", False)


@kept_on_first()
def _heads(profile: Profile) -> dict[str, _Head]:
    """The texts of a profile that were needed so far, by name."""
    return {}


def _sentence(
    head: _Head, telling: Collection[_StrengthComparison | Settled], culprits: Collection[str]
) -> str:
    """A text of the rules with what decided: after `bounces off`, the units with their strengths,
    otherwise behind a colon."""
    if not telling:
        return f"{head.before}{', '.join(culprits)}"
    clauses: list[str] = []
    named: dict[str, list[str]] = {}  # by how they compare
    for one in telling:
        if isinstance(one, _StrengthComparison) and one.relation:
            named.setdefault("" if head.goes_on else f"{one.relation} ", []).append(one.text)
        else:
            clauses.append(one.text)
    if not named and not clauses and (units := ", ".join(culprits)):
        named[""] = [units]
    units_named = [how + " and ".join(dict.fromkeys(who)) for how, who in named.items()]
    begin = head.alone
    if head.goes_on and named:
        begin = f"{head.before}{units_named.pop()}"
    details = dict.fromkeys([*units_named, *clauses])
    return ": ".join(part for part in (begin, "; ".join(details)) if part)


def _units_on_way(part: Part) -> tuple[UnitFacts, ...]:
    """The units of the outermost member that has any."""
    if not part.members:
        return ()
    return next((units for member in part.members if (units := units_about(member))), ())
