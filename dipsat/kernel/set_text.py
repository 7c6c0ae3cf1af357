"""Sets of units and provinces as C: one operation on bits for all members at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod

from dipsat.kernel.declined import DeclinedError
from dipsat.kernel.layout import BY_UNIT, Layout
from dipsat.kernel.words import ALL_BY_UNIT, MASKS, SETS_OF_UNITS, UNITS_BY_VALUE
from dipsat.language.syntax import (
    AllOf,
    Compare,
    DecisionCall,
    Expression,
    Fact,
    Junction,
    Not,
    Variable,
    children,
)
from dipsat.language.types import CYCLE, POWER

LEAST, MOST = "least", "most"
"""The two readings of an expression."""
OTHER = {LEAST: MOST, MOST: LEAST}
Names = Mapping[str, str]
"""Variable -> its name in C."""
EVERYONE = "all_or_none(1)"
"""The set of all units."""


class SetText:
    """Writes sets. `value` writes expressions that are no sets."""

    def __init__(self, layout: Layout, value: Callable[[Expression, str, Names], str]) -> None:
        self.layout = layout
        self.value = value

    def units(self, node: Expression, names: Names) -> str:
        """A set of units, or of orders by their units."""
        if isinstance(node, AllOf) and str(node.of) in ALL_BY_UNIT:
            return ALL_BY_UNIT[str(node.of)]
        if isinstance(node, Fact) and node.of.type == CYCLE:
            return self._of_cycle(node.name)
        if isinstance(node, Fact) and not node.declared:
            word = str(node.of.type), node.name
            if word in SETS_OF_UNITS:
                return SETS_OF_UNITS[word].format(x=self.value(node.of, LEAST, names))
        raise DeclinedError("a set that the kernel does not know")

    def _of_cycle(self, name: str) -> str:
        """For combinations, the objects of the first index."""
        family = self.layout.families.get(name)
        if family is None:
            return "no_units()"
        if family.decision.indices[0].type not in BY_UNIT:
            raise DeclinedError(f"the set cycle.{name}")
        if len(family.sizes) == 1:
            return f"units_at(f->cycle.members + {family.word})"
        return (
            f"first_units(f, {family.word}, {family.word + family.words}, {prod(family.sizes[1:])})"
        )

    def places(self, node: Expression, names: Names) -> str:
        """A set of provinces."""
        if isinstance(node, AllOf):
            return "f->map->every_place"
        if isinstance(node, Fact) and (str(node.of.type), node.name) == ("Unit", "near"):
            return f"near(f, {self.value(node.of, LEAST, names)})"
        raise DeclinedError("a set of provinces that the kernel does not know")

    def powers(self, node: Expression, names: Names) -> str:
        """A set of powers."""
        if isinstance(node, Fact) and (str(node.of.type), node.name) == ("Province", "homes"):
            return f"f->map->homes[{self.value(node.of, LEAST, names)}]"
        raise DeclinedError("a set of powers that the kernel does not know")

    def is_static(self, node: Expression) -> bool:
        """Whether a set has the same members on every board: a domain, or orders of a declared
        kind, of which compiled boards have none."""
        item = node.type.item
        if isinstance(node, AllOf):
            return bool(node.of.members) or self.layout.size_of(node.of) is None
        return item is not None and item != POWER and self.layout.size_of(item) is None

    def is_empty(self, domain: Expression) -> bool:
        """Whether a set has no members on any compiled board."""
        return self.is_static(domain) and not self.members(domain)

    def members(self, node: Expression) -> Sequence[str]:
        """The members of a declared domain."""
        return node.of.members if isinstance(node, AllOf) else ()

    def mask(self, node: Expression, variable: Variable, mode: str, names: Names) -> str | None:
        """The units for whose number, as the variable, a truth value holds; None where this takes
        more than operations on sets."""
        if not mentions(node, variable.name):
            return f"all_or_none({self.value(node, mode, names)})"
        match node:
            case DecisionCall(arguments=(argument,)) if _is_unit_of(argument, variable):
                family = self.layout.families.get(node.name)
                if family is None or not family.is_mask or family.is_lazy:
                    return None
                return f"units_at(b->{'low' if mode == LEAST else 'high'} + {family.word})"
            case Fact(name=name, declared=False) if name in MASKS and _is(node.of, variable):
                return MASKS[name]
            case Not():
                inner = self.mask(node.part, variable, OTHER[mode], names)
                return None if inner is None else f"~{inner}"
            case Junction():
                parts = [self.mask(part, variable, mode, names) for part in node.parts]
                known = [part for part in parts if part is not None]
                sign = " & " if node.op == "and" else " | "
                return f"({sign.join(known)})" if len(known) == len(parts) else None
            case Compare(op="==" | "!=") if not node.left.type.is_number:
                return self._mask_of_equals(node, variable, names)
        return None

    def _mask_of_equals(self, node: Compare, variable: Variable, names: Names) -> str | None:
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if not isinstance(one, Fact) or one.declared or mentions(other, variable.name):
                continue
            of = one.of
            if isinstance(of, Fact) and of.name == "unit" and not of.declared:
                of = of.of if _is(of.of, variable) else of
                word = "Unit", one.name
            else:
                word = str(of.type), one.name
            if not _is(of, variable) or word not in UNITS_BY_VALUE:
                continue
            if one.type == POWER and not _is_somebody(other):
                continue  # a province may have no owner
            found = UNITS_BY_VALUE[word].format(value=self.value(other, LEAST, names))
            return found if node.op == "==" else f"~{found}"
        return None


def mentions(node: Expression, name: str) -> bool:
    """Whether an expression mentions a variable."""
    return (isinstance(node, Variable) and node.name == name) or any(
        mentions(part, name) for part in children(node)
    )


def _is(node: Expression, variable: Variable) -> bool:
    return isinstance(node, Variable) and node.name == variable.name


def _is_unit_of(node: Expression, variable: Variable) -> bool:
    """Whether an expression has the number of the variable: it, or its unit."""
    if isinstance(node, Fact) and node.name == "unit" and not node.declared:
        return node.of.type in BY_UNIT and _is(node.of, variable)
    return _is(node, variable) and variable.type in BY_UNIT


def _is_somebody(node: Expression) -> bool:
    """Whether an expression is surely a power on the map."""
    return isinstance(node, Fact) and node.name == "power"


def joined(one: str, other: str) -> str:
    """The units that are in both sets."""
    if other == EVERYONE:
        return one
    return other if one == EVERYONE else f"({one} & {other})"
