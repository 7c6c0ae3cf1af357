"""Sets of units and provinces as C: one operation on bits for all members at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from math import prod

from dipsat.kernel.layout import BY_UNIT, Layout, Numbered
from dipsat.kernel.numbers import DeclinedError
from dipsat.rules import (
    CYCLE,
    POWER,
    PROVINCE,
    AllOf,
    Chain,
    DecisionCall,
    Expression,
    Fact,
    Junction,
    Not,
    Quantifier,
    Type,
    Variable,
    Word,
    followed,
    parts_of_all,
    word_of,
)

ALL_BY_UNIT: Mapping[str, str] = {
    "Unit": "f->all",
    "Move": "f->moves",
    "Support": "f->supports",
    "Convoy": "f->convoys",
}
"""A type name used as a set."""


def c_of(word: Word, kind: str) -> str:
    """A word of a type in C, for the object numbered `{x}`: a number, a truth value, the number of
    what it is, or a set; "" if the kernel does not know it."""
    if word.path:
        first, then = followed(word, kind)
        return c_of(then, first.type.name).format(x=c_of(first, kind))
    if word.mask:
        is_truth = word.type.is_truth
        return f"has_unit({word.mask}, {{x}})" if is_truth else f"(the_unit({{x}}) & {word.mask})"
    return word.c


def is_single(domain: Expression) -> bool:
    """Whether a set never has several members."""
    word = word_of(domain)
    return word is not None and (word.single or word.mask != "")


LEAST, MOST = "least", "most"
"""The two readings of an expression."""
OTHER = {LEAST: MOST, MOST: LEAST}
Names = Mapping[str, str]
"""Variable -> its name in C."""
EVERYONE = "all_or_none(1)"
"""The set of all units."""


class SetText:
    """Writes sets. `value` writes expressions that are no sets."""

    def __init__(
        self,
        layout: Layout,
        numbered: Numbered,
        value: Callable[[Expression, str, Names], str],
    ) -> None:
        self.layout = layout
        self.numbered = numbered
        self.value = value

    def units(self, node: Expression, names: Names) -> str:
        """A set of units, or of orders by their units."""
        if isinstance(node, AllOf) and str(node.of) in ALL_BY_UNIT:
            return ALL_BY_UNIT[str(node.of)]
        if isinstance(node, Fact) and node.of.type == CYCLE:
            return self._of_cycle(node.name)
        return self._word(node, BY_UNIT, names, "a set")

    def _word(self, node: Expression, items: Collection[Type], names: Names, what: str) -> str:
        """A word for a set of such objects."""
        word = word_of(node)
        if isinstance(node, Fact) and word is not None and word.type.item in items:
            text, of = c_of(word, node.of.type.name), self.value(node.of, LEAST, names)
            if text:
                return text.format(x=of)
            if word.on_map is not None:
                at = self.numbered.feature(f"{node.of.type}.{node.name}", 2)
                return f"f->map->features_of_borders[{at} * f->map->provinces + {of}]"
        raise DeclinedError(f"{what} that the kernel does not know")

    def _of_cycle(self, name: str) -> str:
        """For combinations, the objects of the first index."""
        family = self.layout.families.get(name)
        if family is None:
            return "no_units()"
        if family.decision.indices[0].type not in BY_UNIT:
            raise DeclinedError(f"the set cycle.{name}")
        if len(family.sizes) == 1:
            return f"units_at(f->cycle.members + {family.word})"
        end, others = family.word + family.words, prod(family.sizes[1:])
        return f"of_combinations(f, {family.word}, {end}, {others})"

    def places(self, node: Expression, names: Names) -> str:
        """A set of provinces."""
        if isinstance(node, AllOf):
            return "f->map->every_place"
        return self._word(node, (PROVINCE,), names, "a set of provinces")

    def powers(self, node: Expression, names: Names) -> str:
        """A set of powers."""
        return self._word(node, (POWER,), names, "a set of powers")

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
            case Fact() if _is(node.of, variable):
                word = word_of(node)
                return word.mask or None if word is not None else None
            case Not():
                inner = self.mask(node.part, variable, OTHER[mode], names)
                return None if inner is None else f"~{inner}"
            case Junction():
                parts = [self.mask(part, variable, mode, names) for part in node.parts]
                known = [part for part in parts if part is not None]
                sign = " & " if node.op == "and" else " | "
                return f"({sign.join(known)})" if len(known) == len(parts) else None
        return None

    def masks(
        self, node: Quantifier | Chain, variable: Variable, mode: str, names: Names
    ) -> tuple[str, str] | None:
        """The units for whose number, as the variable, the body of a loop holds, and those for
        which its condition does. None where this takes more than operations on sets."""
        body = self.mask(node.body, variable, mode, names) if node.body.type.is_truth else None
        condition: str | None = EVERYONE
        if node.condition is not None:
            condition = self.mask(node.condition, variable, filtering(node, mode), names)
        return None if body is None or condition is None else (body, condition)


def filtering(node: Quantifier | Chain, mode: str) -> str:
    """The reading of a quantifier's condition: in `all`, it is on the left of "implies"."""
    return OTHER[mode] if isinstance(node, Quantifier) and node.op == "all" else mode


def mentions(node: Expression, name: str) -> bool:
    """Whether an expression mentions a variable."""
    return any(isinstance(part, Variable) and part.name == name for part in parts_of_all([node]))


def _is(node: Expression, variable: Variable) -> bool:
    return isinstance(node, Variable) and node.name == variable.name


def _is_unit_of(node: Expression, variable: Variable) -> bool:
    """Whether an expression has the number of the variable: it, or its unit."""
    if isinstance(node, Fact) and node.name == "unit" and not node.declared:
        return node.of.type in BY_UNIT and _is(node.of, variable)
    return _is(node, variable) and variable.type in BY_UNIT


def joined(one: str, other: str) -> str:
    """The units that are in both sets."""
    if other == EVERYONE:
        return one
    return other if one == EVERYONE else f"({one} & {other})"
