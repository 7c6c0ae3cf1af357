"""Why a decision came out as it did, read from its equation.

The equation that decided also explains: the first condition that does not hold gives the code, its
comparisons the numbers, its quantifiers the orders responsible. A verdict and its reason cannot
disagree, because the rule has only one text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum, auto
from typing import Any, NamedTuple

from dipsat.equations import Grounder, Key, objects_about, unit_of, units_about
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
    scope_of,
    thing,
)

# --- walk -----------------------------------------------------------------------------------------

# The walk through an equation to what fixed its value.
#
# Both the reason of an order (`Explainer`) and its tree (`dipsat.outcomes.explanation_tree`) read
# what this walk finds; each says which operands it follows.


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
        """Whether a truth value holds; one that limits have left open does not."""
        return self.value(node, scope) is True

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
            case Junction() if value is not None:
                is_each = node.op == ("and" if value else "or")
                for one in node.parts:
                    if is_each or self.value(one, scope) is value:
                        yield Part(one, scope, value, members)
            case Compare() | Arithmetic():
                role = Role.SIDE if isinstance(node, Compare) else Role.OPERAND
                for one in (node.left, node.right):
                    yield Part(one, scope, None, members, role)
            case Choice():
                held = self.value(node.condition, scope)
                if isinstance(held, bool):  # else it is open, and both branches say the same
                    yield Part(node.condition, scope, held, members, Role.BRANCH)
                chosen = node.otherwise if held is False else node.then
                yield Part(chosen, scope, value, members)
            case Quantifier() | Chain() if (value is None) == (not node.type.is_truth):
                yield from self._members(part, node)

    def _members(self, part: Part, node: Quantifier | Chain) -> Iterator[Part]:
        """The body for each member of the domain that fixed the value of the whole, and the
        conditions that kept members out of a sum or decided which members a truth value is
        about."""
        is_sum = part.value is None
        op = node.op if isinstance(node, Quantifier) else ""
        is_each = is_sum or op == ("all" if part.value else "any")
        is_nobody = op == "any" and part.value is False
        role = Role.NOBODY if is_nobody and not node.has_decision else Role.OPERAND
        asked: list[Part] = []
        for member in thing(node.domain, part.scope, self.grounder.phase):
            scope, members = {**part.scope, node.variable.name: member}, (*part.members, member)
            belongs = node.condition is None or self.value(node.condition, scope)
            if node.condition is not None and not is_sum and isinstance(belongs, bool):
                asked.append(Part(node.condition, scope, belongs, members, Role.ADMITS))
            if belongs is True and (is_each or self.value(node.body, scope) is part.value):
                yield Part(node.body, scope, part.value, members, role)
            elif node.condition is not None and is_sum and belongs is False:
                yield Part(node.condition, scope, False, members, Role.LEFT_OUT)
        yield from asked


# --- findings -------------------------------------------------------------------------------------

# What fixed the truth values of decisions: the orders and the comparisons behind reasons.


_MAX_DRILL = 6  # levels of decisions that an explanation descends


class Compared(NamedTuple):
    """A comparison: whether it holds, the values of its sides, the numbers of the decisions that
    they are, if so, and the units that add to the right side."""

    node: Compare
    holds: bool
    left: int
    right: int
    left_at: int | None
    right_at: int | None
    helpers: list[UnitFacts]


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
        ends = self._explainer.walk.operand_ends(self._explainer.equation(key, value))
        self._blame(ends, is_inside, depth - 1)

    def step_by_step(self, family: Decision, about: Any) -> int:
        """Find it along the walk through the first condition that fails, and return its number, or
        through the equation if all hold."""
        walk = self._explainer.walk
        scope = scope_of(family.indices, objects_about(about))
        for at, (_, condition) in enumerate(family.conditions):
            if walk.value(condition, scope) is False:
                ends = walk.operand_ends(Part(condition, scope, False))
                self._blame(ends, False, _MAX_DRILL)
                self._compare(ends, False)
                return at
        self._compare(walk.operand_ends(Part(family.equation, scope, True)), True)
        return len(family.conditions)

    def _blame(self, ends: Iterable[Part], is_inside: bool, depth: int) -> None:
        """Find who is responsible for the value of what has these ends, and what it rests on
        otherwise."""
        for end in ends:
            units = _units_on_way(end)
            self.who.update(dict.fromkeys(units))
            key = self._explainer.walk.called(end)
            if key is not None and not units and end.node.type.is_truth:
                inside = is_inside or bool(end.members)
                self.call(*key, bool(end.value), inside, depth)

    def _compare(self, ends: Iterable[Part], opposed: bool) -> None:
        """Find the decisive comparisons of strengths among these ends; only those whose right side
        is not zero if they should be `opposed`."""
        walk = self._explainer.walk
        for end in ends:
            node, scope = end.node, end.scope
            if not (isinstance(node, Compare) and node.has_decision and node.left.type.is_number):
                continue
            left, right = walk.value(node.left, scope), walk.value(node.right, scope)
            if not (isinstance(left, int) and isinstance(right, int)):  # limits left it open
                continue
            if opposed and right == 0:
                continue
            sides = Part(node.left, scope), Part(node.right, scope)
            one, two = (None if key is None else key[1] for key in map(walk.called, sides))
            helpers = list(self._helpers(sides[1], set()))
            self.compared.append(Compared(node, bool(end.value), left, right, one, two, helpers))

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


class Explainer:
    """Explains the decisions of one phase.

    `settled` has those that a cycle rule has settled: the rule explains them, not their equation.
    """

    def __init__(self, resolved: ResolvedPhase, settled: Mapping[Key, Settled]) -> None:
        self.resolved = resolved
        self.profile = resolved.profile
        self.settled = settled
        self.grounder = resolved.decided_grounder
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
        head = heads_of(self.profile, family.name)[found.failing]
        if not (found.who or found.compared or found.rules):
            return head.plain
        if found.is_settled:  # what the text says follows from the equation that the rule overrode
            head = Head("", False, Reason(head.plain.code, ""))
        telling: list[StrengthComparison | Settled] = [*map(self._comparison, found.compared)]
        telling += found.rules
        return reason_in_words(head, telling, found.who, unit_of(about))

    def find(self, family: Decision, about: Any) -> Findings:
        """What fixed the value of the decision about an object."""
        found = Findings(self)
        found.failing = found.step_by_step(family, about)
        if found.rules and found.failing < len(family.conditions):
            condition = family.conditions[found.failing][1]
            part = Part(condition, scope_of(family.indices, objects_about(about)), False)
            found.is_settled = self.walk.called(part) in self.settled
        return found

    def equation(self, key: Key, value: bool | None) -> Part:
        """The equation of a decision with this value."""
        return Part(self.profile.decisions[key[0]].equation, self.grounder.scope(key), value)

    def _comparison(self, compared: Compared) -> StrengthComparison:
        node, holds, left, right, left_at, right_at, helpers = compared
        sides = self._side(node.left, left, left_at), self._side(node.right, right, right_at)
        return comparison_in_words(node.op, holds, *sides, helpers)

    def _side(self, node: Expression, value: Any, number: int | None) -> Side:
        """A side of a comparison; `number` is that of the decision, if it is one."""
        text = str(int(value) if isinstance(value, int) else value)
        name = f"{node.name.replace('_', ' ')} " if isinstance(node, DecisionCall) else ""
        if number is None:
            return Side(value, text, name)
        assert isinstance(node, DecisionCall)
        key = node.name, number
        if self.settled and (rule := self.settled.get(key)):
            text += f" by the rule '{rule.rule}'"
        return Side(value, text, name, units_about(self.grounder.object(key)))
