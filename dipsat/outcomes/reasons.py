"""Why a decision came out as it did, read from its equation.

The equation that decided also explains: the first condition that does not hold gives the code, its
comparisons the numbers, its quantifiers the orders responsible. A verdict and its reason cannot
disagree, because the rule has only one text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum, auto
from typing import Any, TypeAlias

from dipsat.equations import Grounder, Key, unit_of, units_about
from dipsat.game import UnitFacts
from dipsat.outcomes.outcome import Reason
from dipsat.outcomes.resolved_phase import ResolvedPhase
from dipsat.outcomes.sentences import (
    Head,
    Settled,
    Side,
    StrengthComparison,
    comparison_in_words,
    heads_of,
    reason_in_words,
)
from dipsat.rules import (
    Arithmetic,
    Chain,
    Choice,
    Compare,
    Decision,
    DecisionCall,
    Expression,
    Junction,
    Not,
    Quantifier,
    Scope,
    thing,
)

# --- walk -----------------------------------------------------------------------------------------

# The walk through an equation to the parts that fixed its value.
#
# Both the reason of an order (`Explainer`) and its tree (`dipsat.outcomes.explanation_tree`) read
# what this walk finds; each says which operands it follows.


class Role(Enum):
    """The part that an operand plays in the value of the whole."""

    OPERAND = auto()
    """The value of the whole follows from the value of this."""
    SIDE = auto()
    """A number that is compared."""
    NOBODY = auto()
    """A condition that holds for no member and does not depend on orders: no unit is to blame."""
    BRANCH = auto()
    """The condition that chose between two branches."""
    ADMITS = auto()
    """The condition that decided whether a member belongs to the domain of a quantifier."""
    LEFT_OUT = auto()
    """The condition that keeps a member out of a sum."""


OPERAND, SIDE, NOBODY, BRANCH, ADMITS, LEFT_OUT = Role

Part: TypeAlias = tuple[Any, Scope, bool | None, tuple[Any, ...], Role]
"""A part of an equation: its node, the objects that its variables stand for, its truth value (None
for a number), the members of the quantifiers' domains that lead to it, and its role. It is a tuple,
because a walk makes many."""

Follows: TypeAlias = Callable[[Expression, Role, tuple[Any, ...]], bool]
"""Whether a walk follows an operand in a role, in a part that lies behind these members."""


def whole(node: Expression, scope: Scope, value: bool | None = None) -> Part:
    """The part with which a walk begins."""
    return node, scope, value, (), OPERAND


class DecisiveWalk:
    """Finds what fixed the values of expressions. The grounder knows the values of all
    decisions."""

    def __init__(self, grounder: Grounder) -> None:
        self.grounder = grounder
        self.value = grounder.term

    def called(self, part: Part) -> Key | None:
        """The decision that a part calls, None if it is not a call."""
        node, scope, *_ = part
        return self.grounder.key(node, scope) if isinstance(node, DecisionCall) else None

    def ends(self, part: Part, follows: Follows) -> list[Part]:
        """The ends of the walk from a part over the operands that it `follows`: calls of decisions,
        comparisons, facts."""
        find = _OPERANDS.get(type(part[0]))
        found: list[Part] = []
        for one in () if find is None else find(self, part, follows):
            if type(one[0]) in _OPERANDS:
                found += self.ends(one, follows)
            else:  # calls and facts have no operands
                found.append(one)
        return found or [part]

    def operands(self, part: Part, follows: Follows) -> Sequence[Part]:
        """The operands that fixed the value of a part, as far as the walk `follows` them."""
        find = _OPERANDS.get(type(part[0]))
        return () if find is None else find(self, part, follows)

    def _junction(self, part: Part, follows: Follows) -> list[Part]:
        node, scope, value, members, _ = part
        is_each = node.op == ("and" if value else "or")
        found: list[Part] = []
        for one in () if value is None else node.parts:
            if follows(one, OPERAND, members) and (is_each or self.value(one, scope) is value):
                found.append((one, scope, value, members, OPERAND))
        return found

    def _not(self, part: Part, follows: Follows) -> list[Part]:
        node, scope, value, members, _ = part
        if value is None or not follows(node.part, OPERAND, members):
            return []
        return [(node.part, scope, not value, members, OPERAND)]

    def _sides(self, part: Part, follows: Follows) -> list[Part]:
        node, scope, _, members, _ = part
        role = SIDE if isinstance(node, Compare) else OPERAND
        sides = node.left, node.right
        return [(one, scope, None, members, role) for one in sides if follows(one, role, members)]

    def _choice(self, part: Part, follows: Follows) -> list[Part]:
        node, scope, value, members, _ = part
        held = self.value(node.condition, scope)
        found: list[Part] = []
        # If the condition is open, both branches have the same value.
        if isinstance(held, bool) and follows(node.condition, BRANCH, members):
            found.append((node.condition, scope, held, members, BRANCH))
        chosen = node.otherwise if held is False else node.then
        if follows(chosen, OPERAND, members):
            found.append((chosen, scope, value, members, OPERAND))
        return found

    def _members(self, part: Part, follows: Follows) -> list[Part]:
        """The body for each member of the domain that fixed the value of the whole, and the
        conditions that kept members out of a sum or decided which members a truth value is
        about."""
        node, around, value, before, _ = part
        domain = thing(node.domain, around, self.grounder.phase)
        if not domain or (value is None and node.type.is_truth):
            return []
        condition, body, is_sum = node.condition, node.body, value is None
        op = node.op if isinstance(node, Quantifier) else ""
        is_each = is_sum or op == ("all" if value else "any")
        is_nobody = op == "any" and value is False
        role = NOBODY if is_nobody and not node.has_decision else OPERAND
        follows_body = follows(body, role, before)
        found: list[Part] = []
        asked: list[Part] = []
        for member in domain:
            scope, members = {**around, node.variable.name: member}, (*before, member)
            belongs = condition is None or self.value(condition, scope)
            fits = belongs is True and follows_body
            if fits and (is_each or self.value(body, scope) is value):
                found.append((body, scope, value, members, role))
            if condition is None or not isinstance(belongs, bool):
                continue
            if not is_sum and follows(condition, ADMITS, before):
                asked.append((condition, scope, belongs, members, ADMITS))
            elif is_sum and not belongs and follows(condition, LEFT_OUT, before):
                found.append((condition, scope, False, members, LEFT_OUT))
        return found + asked


_OPERANDS: Mapping[type, Callable[[DecisiveWalk, Any, Follows], Sequence[Part]]] = {
    Junction: DecisiveWalk._junction,
    Not: DecisiveWalk._not,
    Compare: DecisiveWalk._sides,
    Arithmetic: DecisiveWalk._sides,
    Choice: DecisiveWalk._choice,
    Quantifier: DecisiveWalk._members,
    Chain: DecisiveWalk._members,
}


def _to_operands(node: Expression, role: Role, members: tuple[Any, ...]) -> bool:
    return role is OPERAND


def _to_comparisons(node: Expression, role: Role, members: tuple[Any, ...]) -> bool:
    return role is OPERAND and node.compares


def _to_units(node: Expression, role: Role, members: tuple[Any, ...]) -> bool:
    """Stop at a member with units: everything behind it has the same units on the way."""
    return role is OPERAND and not (members and _units_on_way(members))


def _to_both(node: Expression, role: Role, members: tuple[Any, ...]) -> bool:
    return _to_units(node, role, members) or _to_comparisons(node, role, members)


def _units_on_way(members: tuple[Any, ...]) -> tuple[UnitFacts, ...]:
    """The units of the outermost member that has any."""
    return next((units for member in members if (units := units_about(member))), ())


# --- findings -------------------------------------------------------------------------------------

# What fixed the truth values of decisions: the orders and the comparisons behind reasons.


_MAX_DRILL = 6  # levels of decisions that an explanation descends


class Findings:
    """What fixed the value of a decision: `who` holds the units responsible, `compared` the
    comparisons of numbers, `rules` the cycle rules that settled decisions on which it rests.

    A value that rests on other decisions is followed into their equations, unless orders or a rule
    explain it. `_seen` holds the decisions that were followed, with or without members on the way,
    and how deep; following them again adds nothing.
    """

    __slots__ = ("_explainer", "_seen", "compared", "rules", "who")

    def __init__(self, explainer: Explainer) -> None:
        self.who: dict[UnitFacts, None] = {}
        self.compared: list[StrengthComparison] = []
        self.rules: dict[Settled, None] = {}
        self._explainer = explainer
        self._seen: dict[tuple[Key, bool], int] = {}

    def call(self, key: Key, value: bool, is_inside: bool, depth: int) -> None:
        """Note that the value rests on that of a decision. `is_inside` says whether the way there
        leads through members, none of which has a unit."""
        rule = self._explainer.settled.get(key)
        if rule is not None and not is_inside:
            self.rules[rule] = None
        if depth == 1 or rule is not None or self._seen.get((key, is_inside), 0) >= depth:
            return
        self._seen[key, is_inside] = depth
        ends = self._explainer.walk.ends(self._explainer.equation(key, value), _to_units)
        self._blame(ends, is_inside, depth - 1)

    def step_by_step(self, family: Decision, scope: Scope, value: int | None) -> int:
        """Walk through the first condition that fails and return its number. If all hold, walk
        through the equation and return the number of conditions."""
        walk = self._explainer.walk
        for at, (_, condition) in enumerate(family.conditions if value != 1 else ()):
            if walk.value(condition, scope) is False:
                ends = walk.ends(whole(condition, scope, False), _to_both)
                self._blame(ends, False, _MAX_DRILL)
                self._compare(ends, False)
                return at
        if family.equation.compares:
            self._compare(walk.ends(whole(family.equation, scope, True), _to_comparisons), True)
        return len(family.conditions)

    def _blame(self, ends: Iterable[Part], is_inside: bool, depth: int) -> None:
        """Find the units responsible for a value whose walk has these ends; where there are none,
        find the decisions on which it rests."""
        for end in ends:
            node, _, value, members, _ = end
            if members and (units := _units_on_way(members)):
                self.who.update(dict.fromkeys(units))
            elif node.type.is_truth and (key := self._explainer.walk.called(end)):
                self.call(key, bool(value), is_inside or bool(members), depth)

    def _compare(self, ends: Iterable[Part], opposed: bool) -> None:
        """Find the decisive comparisons of strengths among these ends; if they should be `opposed`,
        only those whose right side is not zero."""
        side = self._explainer.side
        for node, scope, value, _, _ in ends:
            if not (isinstance(node, Compare) and node.compares):
                continue
            right = side(node.right, scope)
            if right is None or (opposed and right.value == 0):
                continue
            if (left := side(node.left, scope)) is not None:
                helpers: list[UnitFacts] = []
                self._help(whole(node.right, scope), helpers, set())
                words = comparison_in_words(node.op, bool(value), left, right, helpers)
                self.compared.append(words)

    def _help(self, part: Part, helpers: list[UnitFacts], seen: set[Key]) -> None:
        """Find the units that add to a strength: the members of its sums that count. `seen` has the
        strengths already followed."""
        walk = self._explainer.walk
        for end in walk.ends(part, _to_operands):
            node, scope, _, members, _ = end
            if members:
                if walk.value(node, scope) is True:  # limits may have left it open
                    helpers += units_about(members[-1])
            elif not node.type.is_truth and (key := walk.called(end)) and key not in seen:
                seen.add(key)
                self._help(self._explainer.equation(key, None), helpers, seen)


# --- reasons --------------------------------------------------------------------------------------


class Explainer:
    """Explains the decisions of one phase.

    `settled` has those that a cycle rule settled: the rule explains them, not their equation.
    """

    def __init__(self, resolved: ResolvedPhase, settled: Mapping[Key, Settled]) -> None:
        self.resolved = resolved
        self.profile = resolved.profile
        self.settled = settled
        self.grounder = resolved.decided_grounder
        self.walk = DecisiveWalk(self.grounder)
        self.value = resolved.solution.bounds.value
        self.heads = heads_of(self.profile)

    def decision(self, key: Key) -> Reason:
        """Why a decision has its truth value: the rule that settled it, the first condition that
        fails, or, if all hold, what its conditions have overcome."""
        if self.settled and key in self.settled:
            subject, rule = unit_of(self.grounder.object(key)), self.settled[key]
            because = tuple([str(unit) for unit in rule.units if unit is not subject])
            return Reason("cycle_rule", rule.text, because)
        family, scope = self.profile.decisions[key[0]], self.grounder.scope(key)
        found = Findings(self)
        failing = found.step_by_step(family, scope, self.value(key))
        head = self.heads[family.name][failing]
        if not (found.who or found.compared or found.rules):
            return head.plain
        if found.rules and failing < len(family.conditions):
            part = whole(family.conditions[failing][1], scope)
            if self.walk.called(part) in self.settled:
                # The text describes the equation, which the rule overrode.
                head = Head("", False, Reason(head.plain.code, ""))
        subject = unit_of(self.grounder.object(key))
        return reason_in_words(head, [*found.compared, *found.rules], found.who, subject)

    def equation(self, key: Key, value: bool | None) -> Part:
        """The equation of a decision with this value."""
        return whole(self.profile.decisions[key[0]].equation, self.grounder.scope(key), value)

    def side(self, node: Expression, scope: Scope) -> Side | None:
        """A side of a comparison; None if limits have left its value open."""
        if not isinstance(node, DecisionCall):
            value = self.walk.value(node, scope)
            return Side(value, str(int(value))) if isinstance(value, int) else None
        key = self.grounder.key(node, scope)
        number = self.value(key)
        if number is None:
            return None
        text = str(number)
        if self.settled and (rule := self.settled.get(key)):
            text += f" by the rule '{rule.rule}'"
        return Side(number, text, node.name, units_about(self.grounder.object(key)))
