"""The walk through an equation to what fixed its value.

Both the reason of an order (`dipsat.proof.reasons`) and its explanation tree
(`dipsat.explanations.tree`) read what this walk finds; each says which operands it follows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum, auto
from typing import Any, NamedTuple

from dipsat.equations.ground import Grounder
from dipsat.language.closed import Scope
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
from dipsat.terms.term import Key


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
