"""Why a decision came out as it did, read from its equation.

The equation that decided also explains: the first condition that does not hold gives the code, its
comparisons the numbers, its quantifiers the orders responsible. A verdict and its reason cannot
disagree, because the rule has only one text.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, NamedTuple, TypeAlias

from dipsat.equations.ground import Grounder
from dipsat.equations.phase import parts_of, unit_of, units_about
from dipsat.game.facts import UnitFacts
from dipsat.language.closed import Scope, scope_of
from dipsat.language.syntax import (
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
from dipsat.profiles.profile import Decision, Profile
from dipsat.proof.outcome import Reason
from dipsat.proof.resolved import ResolvedPhase
from dipsat.terms.term import Key
from dipsat.values import kept_on_first

# --- decisive -------------------------------------------------------------------------------------

# The walk through an equation to what fixed its value.
#
# Both the reason of an order (`dipsat.proof.reasons`) and its explanation tree
# (`dipsat.explanations.tree`) read what this walk finds; each says which operands it follows.


class Role(Enum):
    """The part that an operand plays in the value of the whole."""

    OPERAND = auto()
    """The whole has its value because of the value of this."""
    SIDE = auto()
    """A number that is compared."""
    NOBODY = auto()
    """This holds for no member, and orders do not matter: no unit is to blame."""
    BRANCH = auto()
    """The condition that chose between two branches."""
    ADMITS = auto()
    """The condition that decided whether a member belongs to the domain of a quantifier."""
    LEFT_OUT = auto()
    """The condition that keeps a member out of a sum."""


class Part(NamedTuple):  # a walk makes many; a frozen dataclass would take three times as long
    """A part of an equation. `value` is its truth value, None for a number; `members` are the
    members of the quantifiers' domains that lead to it."""

    node: Expression
    scope: Scope
    value: bool | None = None
    members: tuple[Any, ...] = ()
    role: Role = Role.OPERAND


class DecisiveWalk:
    """Finds what fixed the values of expressions when all decisions are made, as the grounder
    knows."""

    def __init__(self, grounder: Grounder) -> None:
        self.grounder = grounder
        self.value = grounder.term

    def holds(self, node: Expression, scope: Scope) -> bool:
        """Whether a truth value holds."""
        return bool(self.value(node, scope))

    def called(self, part: Part) -> Key | None:
        """The decision that a part calls, None if it is not a call."""
        if not isinstance(part.node, DecisionCall):
            return None
        return self.grounder.key(part.node, part.scope)

    def ends(self, part: Part, follows: Callable[[Part], bool]) -> list[Part]:
        """The ends of the walk from a part over the operands that it `follows`: calls of decisions,
        comparisons, facts."""
        found: list[Part] = []
        if not isinstance(part.node, DecisionCall):  # the most frequent end
            for operand in self.operands(part):
                if follows(operand):
                    found += self.ends(operand, follows)
        return found or [part]

    def operand_ends(self, part: Part) -> list[Part]:
        """The ends of the walk over operands in the narrow sense (`Role.OPERAND`)."""
        return self.ends(part, lambda operand: operand.role is Role.OPERAND)

    def operands(self, part: Part) -> Iterator[Part]:
        """The operands that fixed the value of a part."""
        node, scope, value, members = part.node, part.scope, part.value, part.members
        match node:
            case Not() if value is not None:
                yield Part(node.part, scope, not value, members)
            case Junction():
                for one in node.parts:
                    if self.holds(one, scope) == value:
                        yield Part(one, scope, value, members)
            case Compare() | Arithmetic():
                role = Role.SIDE if isinstance(node, Compare) else Role.OPERAND
                for one in (node.left, node.right):
                    yield Part(one, scope, None, members, role)
            case Choice():
                held = self.holds(node.condition, scope)
                yield Part(node.condition, scope, held, members, Role.BRANCH)
                chosen = node.then if held else node.otherwise
                yield Part(chosen, scope, value, members)
            case Quantifier() | Chain() if (value is None) == (not node.type.is_truth):
                yield from self._members(part, node)

    def _members(self, part: Part, node: Quantifier | Chain) -> Iterator[Part]:
        """The body for each member of the domain that fixed the value of the whole, and the
        conditions that kept members out of a sum or decided which members a truth value is
        about."""
        is_sum = part.value is None
        is_nobody = isinstance(node, Quantifier) and node.op == "any" and part.value is False
        role = Role.NOBODY if is_nobody and not node.open else Role.OPERAND
        asked: list[Part] = []
        for member in self.grounder.thing(node.domain, part.scope):
            scope, members = {**part.scope, node.variable.name: member}, (*part.members, member)
            belongs = node.condition is None or self.holds(node.condition, scope)
            if node.condition is not None and not is_sum:
                asked.append(Part(node.condition, scope, belongs, members, Role.ADMITS))
            if belongs and (is_sum or self.holds(node.body, scope) == part.value):
                yield Part(node.body, scope, part.value, members, role)
            elif node.condition is not None and is_sum:
                yield Part(node.condition, scope, False, members, Role.LEFT_OUT)
        yield from asked


# --- findings -------------------------------------------------------------------------------------

# What fixed the truth values of decisions: the orders and the comparisons behind reasons.


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


class Findings:
    """What fixed the value of a decision: `failing` is the number of the first condition that
    fails, or how many there are if all hold. `who` has the units responsible, `compared` the
    comparisons of numbers, `rules` those that settled decisions on which it rests. `is_settled`
    says whether the condition is such a decision itself.

    Values that rest on those of other decisions are followed into their equations, unless orders
    or a rule explain them. `_seen` has the decisions that were followed, with or without members on
    the way, and how deep: what leads there again adds nothing.
    """

    __slots__ = ("_explainer", "_seen", "compared", "failing", "is_settled", "rules", "who")

    def __init__(self, explainer: Explainer) -> None:
        self.failing = 0
        self.who: dict[UnitFacts, None] = {}
        self.compared: list[Compared] = []
        self.rules: dict[Settled, None] = {}
        self.is_settled = False
        self._explainer = explainer
        self._seen: dict[tuple[Key, bool], int] = {}

    def call(
        self, name: str, number: int, value: bool, is_inside: bool, depth: int = _MAX_DRILL
    ) -> None:
        """Note that it rests on the value of a decision; `is_inside` says whether the way there
        leads through members, and no member has a unit."""
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
        scope = scope_of(family.indices, parts_of(about))
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
        walk = self._explainer.walk
        for end in walk.operand_ends(part):
            key = walk.called(end)
            if end.members:
                if walk.holds(end.node, end.scope):
                    yield from units_about(end.members[-1])
            elif key is not None and not end.node.type.is_truth and key not in seen:
                seen.add(key)
                yield from self._helpers(self._explainer.equation(key, None), seen)


def _units_on_way(part: Part) -> tuple[UnitFacts, ...]:
    """The units of the outermost member that has any."""
    if not part.members:
        return ()
    return next((units for member in part.members if (units := units_about(member))), ())


# --- reasons --------------------------------------------------------------------------------------


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


class _StrengthComparison(NamedTuple):
    """A decisive comparison in words, with the units of its right side. If strengths of units are
    compared, `relation` is `stronger than` or the like, and the text names the others with the
    numbers: `A MUN supported by A RUH (1 against 2)`."""

    text: str
    relation: str
    units: tuple[UnitFacts, ...]


class Explainer:
    """Explains the decisions of one phase.

    `settled` has those that a cycle rule has settled: the rule explains them, not their equation.
    """

    def __init__(self, resolved: ResolvedPhase, settled: Mapping[Key, Settled]) -> None:
        self.resolved = resolved
        self.profile = resolved.profile
        self.settled = settled
        self.grounder = resolved.decided
        self.walk = DecisiveWalk(self.grounder)

    def decision(self, key: Key) -> Reason:
        """Why a decision has its truth value: the rule that settled it, the first condition that
        fails, or, if all hold, what its conditions have overcome."""
        about = self.grounder.object(key)
        if self.settled and key in self.settled:
            subject, rule = unit_of(about), self.settled[key]
            because = tuple([str(unit) for unit in rule.units if unit is not subject])
            return Reason("cycle_rule", rule.text, because)
        family = self.profile.decisions[key[0]]
        found = self.find(family, about)
        head = _heads_of(self.profile, family.name)[found.failing]
        if not (found.who or found.compared or found.rules):
            return head.plain
        if found.is_settled:  # what the text says follows from the equation that the rule overrode
            head = _Head("", "", False, Reason(head.plain.code, ""))
        return self._reason(head, found, unit_of(about))

    def find(self, family: Decision, about: Any) -> Findings:
        """What fixed the value of the decision about an object."""
        found = Findings(self)
        found.failing = found.step_by_step(family, about)
        if found.rules and found.failing < len(family.conditions):
            condition = family.conditions[found.failing][1]
            part = Part(condition, scope_of(family.indices, parts_of(about)), False)
            found.is_settled = self.walk.called(part) in self.settled
        return found

    def equation(self, key: Key, value: bool | None) -> Part:
        """The equation of a decision with this value."""
        return Part(self.profile.decisions[key[0]].equation, self.grounder.scope(key), value)

    def _reason(self, head: _Head, found: Findings, subject: Any) -> Reason:
        """The reason that begins with this text, with what was found about this unit's order."""
        direct = [str(unit.unit) for unit in found.who if unit is not subject]
        culprits = found.who
        telling: list[_StrengthComparison | Settled] = []
        telling += [self._comparison(*compared) for compared in found.compared]
        telling += found.rules
        for one in telling:
            for unit in one.units:
                culprits[unit] = None
        culprits.pop(subject, None)
        because = tuple([str(unit.unit) for unit in culprits])
        return Reason(head.plain.code, _sentence(head, telling, direct or because), because)

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
        op = ">" if op == ">=" and left > right else op
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


def _words(node: Expression) -> str:
    """What stands before the value of a side: the name of its decision, if it is one."""
    return f"{node.name.replace('_', ' ')} " if isinstance(node, DecisionCall) else ""


def reason_of(profile: Profile, name: str, units: Collection[str]) -> Reason:
    """The text of the rules for something that holds because of the orders of some units."""
    head = _head(profile, name, "ok")
    return Reason("ok", _sentence(head, (), units), tuple(units))


class _Head(NamedTuple):
    """A text of the rules with which a reason begins. `before` stands before the units responsible:
    after `bounces off`, whose last word `goes_on` with them, or else behind a colon. `plain` is the
    reason if there are none: the text without that word."""

    text: str
    before: str
    goes_on: bool
    plain: Reason


@kept_on_first(64)
def _heads_of(profile: Profile, name: str) -> list[_Head]:
    """The texts for each condition of a family that fails, and for all of them if they hold."""
    family = profile.decisions[name]
    found = [_head(profile, name, name or family.name) for name, _ in family.conditions]
    return [*found, _head(profile, family.name, "ok")]


def _head(profile: Profile, name: str, code: str) -> _Head:
    """The text with the name of a condition or a decision, "" for a condition without one."""
    text = f"a condition of {profile.name} that has no name does not hold"
    if name:
        text = profile.reasons.get(name, name.replace("_", " "))
    begun, _, last = text.rpartition(" ")
    if begun and last in _JOINING:
        return _Head(text, f"{text} ", True, Reason(code, begun))
    return _Head(text, f"{text}: " if text else "", False, Reason(code, text))


def _sentence(
    head: _Head, telling: Sequence[_StrengthComparison | Settled], culprits: Collection[str]
) -> str:
    """A text of the rules with what decided: after `bounces off`, the units with their strengths,
    otherwise behind a colon."""
    if not telling:
        return f"{head.before}{', '.join(culprits)}" if culprits else head.plain.text
    first = telling[0]
    if len(telling) == 1 and isinstance(first, _StrengthComparison) and first.relation:
        return f"{head.before}{'' if head.goes_on else f'{first.relation} '}{first.text}"
    clauses: list[str] = []
    named: dict[str, list[str]] = {}  # by how they compare
    for one in telling:
        if isinstance(one, _StrengthComparison) and one.relation:
            named.setdefault("" if head.goes_on else f"{one.relation} ", []).append(one.text)
        else:
            clauses.append(one.text)
    if not named and culprits and (head.goes_on or not clauses):
        named[""] = [", ".join(culprits)]
    units_named = [how + " and ".join(dict.fromkeys(who)) for how, who in named.items()]
    begin = head.plain.text
    if head.goes_on and named:
        begin = f"{head.before}{units_named.pop()}"
    details = dict.fromkeys([*units_named, *clauses])
    return ": ".join(part for part in (begin, "; ".join(details)) if part)
