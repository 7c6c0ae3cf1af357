"""Choices, quantifiers and chains as C.

What needs statements becomes a function of its own, written once however often it is used.
"""

from __future__ import annotations

from collections.abc import Callable

from dipsat.kernel.declined import DeclinedError
from dipsat.kernel.functions import Functions
from dipsat.kernel.layout import BY_UNIT
from dipsat.kernel.set_text import (
    EVERYONE,
    LEAST,
    MOST,
    OTHER,
    Names,
    SetText,
    joined,
    mentions,
)
from dipsat.language.syntax import AllOf, Chain, Choice, Expression, Quantifier
from dipsat.language.types import CONVOY, POWER, PROVINCE


class LoopText:
    """Writes what goes through the members of a set. `value` writes other expressions."""

    def __init__(
        self,
        functions: Functions,
        sets: SetText,
        value: Callable[[Expression, str, Names], str],
    ) -> None:
        self.functions = functions
        self.sets = sets
        self.value = value

    def choice(self, node: Choice, mode: str, names: Names) -> str:
        """`then if condition else otherwise`."""
        if not node.condition.open:
            then, other = (
                self.value(node.then, mode, names),
                self.value(node.otherwise, mode, names),
            )
            return f"({self.value(node.condition, LEAST, names)} ? {then} : {other})"
        known = self.functions.known((node, mode), names, variables_of(node, names))
        if known:
            return known
        then, other = self.value(node.then, mode, names), self.value(node.otherwise, mode, names)
        surely, maybe = (self.value(node.condition, one, names) for one in (LEAST, MOST))
        closer = "<" if mode == LEAST else ">"
        body = (
            f"long surely = {surely}, maybe = surely || {maybe}, one = 0, two = 0;\n"
            f"if (maybe) one = {then};\nif (surely) return one;\n"
            f"two = {other};\nreturn !maybe || two {closer} one ? two : one;\n"
        )
        return self.functions.call((node, mode), names, variables_of(node, names), body)

    def quantifier(self, node: Quantifier, mode: str, names: Names) -> str:
        """`all`, `any` or `sum`: an operation on sets where possible, else a loop."""
        if node.op == "sum":
            return self._sum(node, mode, names)
        is_all = node.op == "all"
        filtering = OTHER[mode] if is_all else mode  # in `all`, it is on the left of "implies"
        if not self._is_over_units(node.domain):
            return self._loop(node, mode, names, filtering)
        body, condition = self._masks(node, mode, filtering, names)
        if body is None or condition is None:
            return self._loop(node, mode, names, filtering)
        members = joined(self.sets.units(node.domain, names), condition)
        found = f"any_unit({joined(members, f'~{body}' if is_all else body)})"
        return f"(!{found})" if is_all else found

    def _masks(
        self, node: Quantifier | Chain, mode: str, filtering: str, names: Names
    ) -> tuple[str | None, str | None]:
        """The body and the filter of a quantifier as sets of units."""
        variable = node.variable
        body = self.sets.mask(node.body, variable, mode, names) if node.body.type.is_truth else None
        condition: str | None = EVERYONE
        if node.condition is not None:
            condition = self.sets.mask(node.condition, variable, filtering, names)
        return body, condition

    def _is_over_units(self, domain: Expression) -> bool:
        return domain.type.item in BY_UNIT or (isinstance(domain, AllOf) and domain.of in BY_UNIT)

    def _loop(self, node: Quantifier, mode: str, names: Names, filtering: str) -> str:
        """`any` or `all` as a loop."""
        if self.sets.is_empty(node.domain):
            return str(int(node.op == "all"))
        known = self.functions.known((node, mode), names, variables_of(node, names))
        if known:
            return known
        is_all = node.op == "all"
        inner = {**names, node.variable.name: f"v{len(names)}"}
        skip = ""
        if node.condition is not None:
            skip = f"if (!{self.value(node.condition, filtering, inner)}) continue;\n"
        found = self.value(node.body, mode, inner)
        body = (
            f"{self.head(node.domain, inner[node.variable.name], names)}{{\n{skip}"
            f"if ({'!' if is_all else ''}{found}) return {int(not is_all)};\n}}\n"
            f"return {int(is_all)};\n"
        )
        return self.functions.call((node, mode), names, variables_of(node, names), body)

    def _sum(self, node: Quantifier, mode: str, names: Names) -> str:
        condition = node.condition
        closed = condition is None or not condition.open
        if self.sets.is_empty(node.domain):
            return "0"
        if closed and self._is_over_units(node.domain):
            body, filtered = self._masks(node, mode, mode, names)
            if body is not None and filtered is not None:
                members = joined(self.sets.units(node.domain, names), filtered)
                return f"count_units({joined(members, body)})"
        known = self.functions.known((node, mode), names, variables_of(node, names))
        if known:
            return known
        inner = {**names, node.variable.name: f"v{len(names)}"}
        part = self.value(node.body, mode, inner)
        text = ""
        if condition is None:
            text = f"found += {part};\n"
        elif closed:
            text = f"if ({self.value(condition, mode, inner)}) found += {part};\n"
        else:  # a part that may belong counts only if it brings the sum further
            surely, maybe = (self.value(condition, one, inner) for one in (LEAST, MOST))
            further = "<" if mode == LEAST else ">"
            text = (
                f"if (!{maybe}) continue;\nlong part = {part};\n"
                f"if (part {further} 0 || {surely}) found += part;\n"
            )
        body = (
            f"long found = 0;\n{self.head(node.domain, inner[node.variable.name], names)}"
            f"{{\n{text}}}\nreturn found;\n"
        )
        return self.functions.call((node, mode), names, variables_of(node, names), body)

    def head(self, domain: Expression, variable: str, names: Names) -> str:
        """The head of a loop over a set, which binds a variable in C."""
        if self.sets.is_static(domain):
            count = len(self.sets.members(domain))
            return f"for (int {variable} = 0; {variable} < {count}; {variable}++) "
        item = domain.of if isinstance(domain, AllOf) else domain.type.item
        if item == POWER:
            left = f"{variable}_left"
            return (
                f"u64 {left} = {self.sets.powers(domain, names)};\n"
                f"for (int {variable}; ({variable} = next_power(&{left})) >= 0;) "
            )
        kind, members = "unit", ""
        if item == PROVINCE:
            kind, members = "place", self.sets.places(domain, names)
        else:
            members = self.sets.units(domain, names)
        walk = f"struct {kind}_walk {variable}_walk = walk_{kind}s({members});\n"
        return f"{walk}for (int {variable}; ({variable} = next_{kind}(&{variable}_walk)) >= 0;) "

    def chain(self, node: Chain, mode: str, names: Names) -> str:
        """Whether units that surely, or perhaps, belong make a chain."""
        if not self._is_over_units(node.domain):
            raise DeclinedError("a chain of something else than units")
        body, condition = self._masks(node, mode, mode, names)
        start, end = self.value(node.start, LEAST, names), self.value(node.end, LEAST, names)
        shape = "convoy_chain" if node.variable.type == CONVOY else "water_chain"
        if body is not None and condition is not None:
            members = joined(self.sets.units(node.domain, names), joined(condition, body))
            return f"{shape}(f, {start}, {end}, {members})"
        known = self.functions.known((node, mode), names, variables_of(node, names))
        if known:
            return known
        inner = {**names, node.variable.name: f"v{len(names)}"}
        variable = inner[node.variable.name]
        test = self.value(node.body, mode, inner)
        if node.condition is not None:
            test = f"{self.value(node.condition, mode, inner)} && {test}"
        text = (
            f"units members = no_units();\n{self.head(node.domain, variable, names)}"
            f"if ({test}) members |= the_unit({variable});\n"
            f"return {shape}(f, {start}, {end}, members);\n"
        )
        return self.functions.call((node, mode), names, variables_of(node, names), text)


def variables_of(node: Expression, names: Names) -> list[str]:
    """The variables around a node that it uses, sorted."""
    return sorted(name for name in names if mentions(node, name))
