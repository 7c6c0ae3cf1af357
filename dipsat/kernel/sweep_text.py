"""One sweep over the open decisions as C: their equations are evaluated, family by family.

For decisions about units, one operation on sets takes the place of a loop wherever it can; what is
left is evaluated for those units only for which it still matters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dipsat.kernel.expression_text import ExpressionText
from dipsat.kernel.family_text import for_each, indices_of
from dipsat.kernel.functions import BOARD
from dipsat.kernel.layout import Family, Layout
from dipsat.kernel.set_text import EVERYONE, LEAST, MOST, Names
from dipsat.language.syntax import (
    DecisionCall,
    Expression,
    Junction,
    Not,
    Quantifier,
    Variable,
    parts_of_all,
)

_ONE = "x"
"""The unit in C that a set is asked about."""
_EACH = f"for (int {_ONE}; ({_ONE} = next_unit(&each)) >= 0;) "
"""The head of a loop over the walk `each`."""


class SweepText:
    """Writes the function `sweep`."""

    def __init__(self, layout: Layout, expressions: ExpressionText) -> None:
        self.layout = layout
        self.expressions = expressions
        self.functions = expressions.functions
        self.sets = expressions.sets
        self.most_tested = 0
        """The most conditions that are tested for all open decisions of a family."""
        self._tested: dict[Expression, tuple[str, str]] = {}

    def function(self) -> Iterator[str]:
        """The function, after those that it calls."""
        families = [one for one in self.layout.families.values() if not one.is_lazy]
        lines = [self._units(one) if one.is_mask else self._one_by_one(one) for one in families]
        yield (
            f"static int sweep({BOARD}) {{\nint changed = 0;\nrefresh(b);\n"
            f"{''.join(lines)}return changed;\n}}\n"
        )

    def _one_by_one(self, family: Family) -> str:
        names, unpacked = indices_of(family)
        equation = family.decision.equation
        least, most = (self.expressions.value(equation, mode, names) for mode in (LEAST, MOST))
        if family.is_truth:
            most = f"least || {most}"
            settled = "settle_truth(b, w, bit, least, most)"
        else:
            number = 64 * (family.word - self.layout.truth_words)
            settled = f"narrow_number(b, w, bit, {number} + i, least, most)"
        return (
            f"{for_each('b->open[w]', family)}{unpacked}"
            f"long least = {least};\nlong most = {most};\nchanged |= {settled};\n}}\n"
        )

    # --- decisions about units --------------------------------------------------------------------

    def _units(self, family: Family) -> str:
        index, word = family.decision.indices[0], family.word
        variable, equation = Variable(index.name, index.type), family.decision.equation
        ahead = dict(self._read_of_each(family))
        self.functions.computed = frozenset(ahead)
        tests = self._tests_of_each(equation, variable) if ahead else {}
        found = self._filtered(equation, variable, "all")
        self.functions.computed, self._tested = frozenset(), {}
        computing = self._computing(list(ahead.values()), list(tests.values())) if ahead else ""
        return (
            f"{{\nunits open = units_at(b->open + {word});\nif (any_unit(open)) {{\n{computing}"
            f"struct readings all = {{open, open}}, found = {found};\n"
            f"changed |= settle_units(b, {word}, open, found);\n}}\n}}\n"
        )

    def _computing(self, ahead: Sequence[str], tests: Sequence[tuple[str, str]]) -> str:
        """The walk over the open decisions of a family that computes everything without branches.
        A second walk would take longer: the processor cannot predict where a walk ends."""
        text = "struct unit_walk each = walk_units(open);\n"
        if tests:
            text += f"struct readings tested[{len(tests)}];\nmemset(tested, 0, sizeof tested);\n"
        text += f"{_EACH}{{\n{''.join(ahead)}"
        for at, (least, most) in enumerate(tests):
            text += (
                f"tested[{at}].least |= unit_if({_ONE}, {least});\n"
                f"tested[{at}].most |= unit_if({_ONE}, {most});\n"
            )
        return f"{text}}}\n" + ("memcpy(b->tested, tested, sizeof tested);\n" if tests else "")

    def _tests_of_each(
        self, equation: Expression, variable: Variable
    ) -> Mapping[Expression, tuple[str, str]]:
        """The parts of an equation that are quickly evaluated, but not as operations on sets, and
        their two readings. From now on they are read as sets."""
        names, found = {variable.name: _ONE}, dict[Expression, tuple[str, str]]()
        waiting = [equation]
        while waiting:
            node = waiting.pop()
            if node in found or self._masks(node, variable) is not None:
                continue
            if isinstance(node, Junction | Not):
                waiting += node.parts if isinstance(node, Junction) else (node.part,)
                continue
            least, most = (self.expressions.value(node, mode, names) for mode in (LEAST, MOST))
            if self.functions.is_quick(least, most):
                found[node] = least, most
        self._tested = {
            node: (f"b->tested[{at}].least", f"b->tested[{at}].most")
            for at, node in enumerate(found)
        }
        self.most_tested = max(self.most_tested, len(found))
        return found

    def _read_of_each(self, family: Family) -> Iterator[tuple[str, str]]:
        """The lazy numbers that depend on nothing but the object of a decision, and how to compute
        them: for all open decisions one after the other, so that nothing has to be looked after
        where they are read."""
        names = {family.decision.indices[0].name: _ONE}
        for node in parts_of_all([family.decision.equation]):
            if not isinstance(node, DecisionCall) or node.name not in self.layout.families:
                continue
            lazy = self.layout.families[node.name]
            variables = {p.name for p in parts_of_all(node.arguments) if isinstance(p, Variable)}
            if not lazy.is_lazy or lazy.is_truth or not variables <= names.keys():
                continue
            own, _ = indices_of(lazy)
            equation = lazy.decision.equation
            readings = [self.expressions.value(equation, mode, own) for mode in (LEAST, MOST)]
            if not self.functions.is_quick(*readings):
                continue
            values = [self.expressions.value(part, LEAST, names) for part in node.arguments]
            at = self.expressions.decision_number(node, names)
            yield (
                self.functions.lazy_key(lazy.number, values),
                (
                    f"{{\nint at = {at};\nif (!bit_at(b->known, at)) "
                    f"compute{lazy.number}(f, b, {', '.join(values)}, at);\n}}\n"
                ),
            )

    def _filtered(self, node: Expression, variable: Variable, among: str) -> str:
        """The units among some for which, as the variable, a truth value holds; both readings."""
        masks = self._masks(node, variable)
        if masks is not None:
            return f"both({among}, {masks[0]}, {masks[1]})"
        if isinstance(node, Junction):
            return self._filtered_by_parts(node, variable, among)
        if isinstance(node, Not):
            inner = self._filtered(node.part, variable, "all")
            return self._call(
                "units some = among.least | among.most;\nstruct readings all = {some, some};\n"
                f"struct readings found = {inner};\n"
                "return both(among, ~found.most, ~found.least);\n",
                among,
            )
        names = {variable.name: _ONE}
        some = None
        if isinstance(node, Quantifier):
            some = self.expressions.loops.some_members(node, LEAST, names)
        if some is None or not isinstance(node, Quantifier):
            return self._gathered(node, names, among)
        found = self._gathered(node, names, f"both(among, {some}, {some})")
        if node.op == "any":
            return self._call(f"return {found};\n", among)
        rest = f"both(among, ~{some}, ~{some})"
        return self._call(f"return with({rest}, {found});\n", among)

    def _masks(self, node: Expression, variable: Variable) -> tuple[str, str] | None:
        if node in self._tested:
            return self._tested[node]
        least, most = (self.sets.mask(node, variable, mode, {}) for mode in (LEAST, MOST))
        return None if least is None or most is None else (least, most)

    def _filtered_by_parts(self, node: Junction, variable: Variable, among: str) -> str:
        """First come operations on sets, then what is quickly evaluated, each for those units only
        that the parts before it leave over."""
        names = {variable.name: _ONE}
        masks, slow = list[tuple[str, str]](), list[Expression]()
        for part in node.parts:
            found = self._masks(part, variable)
            if found is None:
                slow.append(part)
            else:
                masks.append(found)
        slow.sort(key=lambda part: self.functions.cost(self.expressions.value(part, MOST, names)))
        sign, empty = (" & ", EVERYONE) if node.op == "and" else (" | ", "no_units()")
        least, most = (sign.join(mask[at] for mask in masks) or empty for at in (0, 1))
        text = f"struct readings found = both(among, {least}, {most});\n"
        for part in slow:
            if node.op == "and":
                text += f"found = {self._filtered(part, variable, 'found')};\n"
            else:
                rest = self._filtered(part, variable, "both(among, ~found.least, ~found.most)")
                text += f"found = with(found, {rest});\n"
        return self._call(f"{text}return found;\n", among)

    def _gathered(self, node: Expression, names: Names, among: str) -> str:
        """The units in a set, one after the other, for which a truth value holds."""
        least, most = (self.expressions.value(node, mode, names) for mode in (LEAST, MOST))
        if self.functions.is_quick(least, most):
            tests = f"long surely = {least}, maybe = {most};\n"
        else:
            surely = f"has_unit(among.least, {_ONE}) && {least}"
            tests = f"long surely = {surely}, maybe = surely || {most};\n"
        return self._call(
            "units least = no_units(), most = no_units();\n"
            f"struct unit_walk each = walk_units(among.least | among.most);\n{_EACH}{{\n{tests}"
            f"least |= unit_if({_ONE}, surely);\nmost |= unit_if({_ONE}, maybe);\n}}\n"
            "return both(among, least, most);\n",
            among,
        )

    def _call(self, body: str, among: str) -> str:
        return f"{self.functions.filter(body)}(f, b, {among})"
