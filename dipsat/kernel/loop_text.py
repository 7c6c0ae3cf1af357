"""Choices, quantifiers and chains as C.

What needs statements becomes a function of its own, written once however often it is used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from dipsat.kernel.declined import DeclinedError
from dipsat.kernel.functions import Functions
from dipsat.kernel.layout import BY_UNIT
from dipsat.kernel.prepared_text import PreparedText
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
from dipsat.kernel.words import is_single
from dipsat.language.syntax import (
    CONVOY,
    POWER,
    PROVINCE,
    AllOf,
    Chain,
    Choice,
    Constant,
    Expression,
    Junction,
    Quantifier,
)


class LoopText:
    """Writes what goes through the members of a set. `value` writes other expressions."""

    def __init__(
        self,
        functions: Functions,
        sets: SetText,
        prepared: PreparedText,
        value: Callable[[Expression, str, Names], str],
    ) -> None:
        self.functions = functions
        self.sets = sets
        self.prepared = prepared
        self.value = value

    def choice(self, node: Choice, mode: str, names: Names) -> str:
        """`then if condition else otherwise`."""
        if not node.condition.open:
            then, other = (
                self.value(node.then, mode, names),
                self.value(node.otherwise, mode, names),
            )
            condition = self.value(node.condition, LEAST, names)
            if self.functions.is_quick(condition, then, other):
                return f"either({condition}, {then}, {other})"
            return f"({condition} ? {then} : {other})"
        known = self.functions.known(self._key(node, mode), names, variables_of(node, names))
        if known:
            return known
        then, other = self.value(node.then, mode, names), self.value(node.otherwise, mode, names)
        surely, maybe = (self.value(node.condition, one, names) for one in (LEAST, MOST))
        closer = "<" if mode == LEAST else ">"
        if self.functions.is_quick(then, other, surely, maybe):
            body = (
                f"long surely = {surely}, maybe = surely | {maybe}, one = {then}, two = {other};\n"
                f"long both = two {closer} one ? two : one;\n"
                "return either(surely, one, either(maybe, both, two));\n"
            )
            return self._call(node, mode, names, body, is_quick=True)
        body = (
            f"long surely = {surely}, maybe = surely || {maybe}, one = 0, two = 0;\n"
            f"if (maybe) one = {then};\nif (surely) return one;\n"
            f"two = {other};\nreturn !maybe || two {closer} one ? two : one;\n"
        )
        return self._call(node, mode, names, body)

    def quantifier(self, node: Quantifier, mode: str, names: Names) -> str:
        """`all`, `any` or `sum`: an operation on sets where possible, else a loop."""
        if self.sets.is_empty(node.domain):
            return {"all": "1"}.get(node.op, "0")
        if not self._is_over_units(node.domain):
            return (
                self._sum(node, mode, names) if node.op == "sum" else self._loop(node, mode, names)
            )
        members, left = self.members(node, mode, names)
        if node.op == "sum":
            return self._sum(left, mode, names, members)
        body, condition = self._masks(left, mode, _filtering(node, mode), names)
        if body is None or condition is None:
            return self._loop(left, mode, names, members)
        is_all = node.op == "all"
        found = f"any_unit({joined(joined(members, condition), f'~{body}' if is_all else body)})"
        return f"(!{found})" if is_all else found

    def members(self, node: Quantifier, mode: str, names: Names) -> tuple[str, Quantifier]:
        """The members of a set of units for which hold the conditions that do not depend on
        decisions, and the quantifier without these."""
        kept, parts = list[str](), list[Expression]()
        conditions = list(_parts_of(node.condition, "and"))
        for part in conditions:
            mask = self._closed_mask(node, part, names)
            if mask is None:
                parts.append(part)
            else:
                kept.append(mask)
        condition = _joined(node.condition, parts)
        body, sign = node.body, "~" if node.op == "all" else ""
        if node.body.type.is_truth:
            parts = []
            for part in _parts_of(node.body, "or" if sign else "and"):
                mask = self._closed_mask(node, part, names)
                if mask is None:
                    parts.append(part)
                else:
                    kept.append(f"{sign}{mask}")
            body = _joined(node.body, parts) or Constant(not sign, node.body.type)
        with self.prepared.switched_off():
            members = self.sets.units(node.domain, names)
        for mask in kept:
            members = joined(members, mask)
        left = replace(node, condition=condition, body=body)
        return self.prepared.set_of(members, names, node.domain, node.condition, node.body), left

    def some_members(self, node: Quantifier, mode: str, names: Names) -> str | None:
        """The orders for which, as the only variable, `any` or `all` goes through a set that is not
        empty; None if that is not known."""
        if node.op == "sum" or not self._is_over_units(node.domain):
            return None
        members, _ = self.members(node, mode, names)
        return self.prepared.some_of(members)

    def _closed_mask(self, node: Quantifier, part: Expression, names: Names) -> str | None:
        if part.open:
            return None
        inner = {**names, node.variable.name: f"v{len(names)}"}
        with self.prepared.switched_off():
            return self.sets.mask(part, node.variable, LEAST, inner)

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

    def _loop(self, node: Quantifier, mode: str, names: Names, members: str = "") -> str:
        """`any` or `all` as a loop."""
        known = self.functions.known(
            self._key(node, mode), names, variables_of(node, names, members)
        )
        if known:
            return known
        is_all = node.op == "all"
        inner = {**names, node.variable.name: f"v{len(names)}"}
        if is_single(node.domain):
            test = self.value(node.body, mode, inner)
            if node.condition is not None:
                condition = self.value(node.condition, _filtering(node, mode), inner)
                test = self.functions.in_order("and", [condition, f"(!{test})" if is_all else test])
                test = f"(!{test})" if is_all else test
            if self.functions.is_quick(test):
                some = "(!any_unit(set)) |" if is_all else "any_unit(set) &"
                text = self._only(node, names, inner, members) + f"return {some} {test};\n"
                return self._call(node, mode, names, text, members, is_quick=True)
        skip = ""
        if node.condition is not None:
            skip = f"if (!{self.value(node.condition, _filtering(node, mode), inner)}) continue;\n"
        found = self.value(node.body, mode, inner)
        body = (
            f"{self.head(node.domain, inner[node.variable.name], names, members)}{{\n{skip}"
            f"if ({'!' if is_all else ''}{found}) return {int(not is_all)};\n}}\n"
            f"return {int(is_all)};\n"
        )
        return self._call(node, mode, names, body, members)

    def _key(self, node: Expression, mode: str) -> tuple[object, ...]:
        return node, mode, self.prepared.is_off

    def _call(
        self,
        node: Expression,
        mode: str,
        names: Names,
        body: str,
        members: str = "",
        is_quick: bool = False,
    ) -> str:
        used = variables_of(node, names, members)
        return self.functions.call(self._key(node, mode), names, used, body, is_quick)

    def _only(self, node: Quantifier, names: Names, inner: Names, members: str) -> str:
        """Binds the variable to the only member of a set, or to any number if there is none."""
        listed = members or self.sets.units(node.domain, names)
        return f"units set = {listed};\nint {inner[node.variable.name]} = only_unit(set);\n"

    def _sum(self, node: Quantifier, mode: str, names: Names, members: str = "") -> str:
        condition = node.condition
        closed = condition is None or not condition.open
        if closed and members:
            body, filtered = self._masks(node, mode, mode, names)
            if body is not None and filtered is not None:
                return f"count_units({joined(joined(members, filtered), body)})"
        known = self.functions.known(
            self._key(node, mode), names, variables_of(node, names, members)
        )
        if known:
            return known
        inner = {**names, node.variable.name: f"v{len(names)}"}
        part = self.value(node.body, mode, inner)
        text = ""
        if condition is None and is_single(node.domain) and self.functions.is_quick(part):
            text = f"{self._only(node, names, inner, members)}return -any_unit(set) & ({part});\n"
            return self._call(node, mode, names, text, members, is_quick=True)
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
        head = self.head(node.domain, inner[node.variable.name], names, members)
        body = f"long found = 0;\n{head}{{\n{text}}}\nreturn found;\n"
        return self._call(node, mode, names, body, members)

    def head(self, domain: Expression, variable: str, names: Names, members: str = "") -> str:
        """The head of a loop over a set, which binds a variable in C. `members` is the set in C, if
        it is known."""
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
        kind = "unit"
        if item == PROVINCE:
            kind, members = "place", self.sets.places(domain, names)
        elif not members:
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
        known = self.functions.known(self._key(node, mode), names, variables_of(node, names))
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
        return self._call(node, mode, names, text)


def variables_of(node: Expression, names: Names, members: str = "") -> list[str]:
    """The variables around a node that it, or the set of its members, uses, sorted."""
    in_set = set(re.findall(r"\w+", members))
    return sorted(name for name in names if mentions(node, name) or names[name] in in_set)


def _filtering(node: Quantifier, mode: str) -> str:
    """The reading of a quantifier's condition: in `all`, it is on the left of "implies"."""
    return OTHER[mode] if node.op == "all" else mode


def _parts_of(node: Expression | None, op: str) -> tuple[Expression, ...]:
    if node is None:
        return ()
    return node.parts if isinstance(node, Junction) and node.op == op else (node,)


def _joined(node: Expression | None, parts: Sequence[Expression]) -> Expression | None:
    """A node with these of its parts only, None without any."""
    if not parts or len(parts) == 1:
        return parts[0] if parts else None
    assert isinstance(node, Junction)
    return replace(node, parts=tuple(parts), open=any(part.open for part in parts))
