"""Expressions as C that notes the undecided decisions on which their value still depends."""

from __future__ import annotations

from dipsat.kernel.expression_text import ExpressionText
from dipsat.kernel.set_text import LEAST, MOST, Names
from dipsat.language.syntax import Chain, Choice, DecisionCall, Expression, Quantifier, children


class DependencyText:
    """Writes statements that add to the scope `d`. A part whose value is known adds nothing, as
    when `dipsat.terms.fold` simplifies the term."""

    def __init__(self, expressions: ExpressionText) -> None:
        self.expressions = expressions

    def text(self, node: Expression, names: Names) -> str:
        """The statements for an expression."""
        if not node.open:
            return ""
        value = self.expressions.value
        if isinstance(node, DecisionCall):
            at = self.expressions.decision_number(node, names)
            least, most = (value(node, mode, names) for mode in (LEAST, MOST))
            return f"if ({least} != {most}) put(d, {at});\n"
        least, most = (value(node, mode, names) for mode in (LEAST, MOST))
        return f"if ({least} != {most}) {{\n{self._parts(node, names)}}}\n"

    def _parts(self, node: Expression, names: Names) -> str:
        match node:
            case Quantifier() | Chain():
                return self._loop(node, names)
            case Choice():
                return self._choice(node, names)
        return "".join(self.text(part, names) for part in children(node))

    def _loop(self, node: Quantifier | Chain, names: Names) -> str:
        if self.expressions.sets.is_empty(node.domain):
            return ""
        inner = {**names, node.variable.name: f"v{len(names)}"}
        variable = inner[node.variable.name]
        text = self.text(node.body, inner)
        if node.condition is not None:
            maybe = self.expressions.value(node.condition, MOST, inner)
            text = f"if ({maybe}) {{\n{self.text(node.condition, inner)}{text}}}\n"
        return f"{{\n{self.expressions.loops.head(node.domain, variable, names)}{{\n{text}}}\n}}\n"

    def _choice(self, node: Choice, names: Names) -> str:
        then, other = self.text(node.then, names), self.text(node.otherwise, names)
        value = self.expressions.value
        if not node.condition.open:
            condition = value(node.condition, LEAST, names)
            return f"if ({condition}) {{\n{then}}} else {{\n{other}}}\n"
        surely, maybe = (value(node.condition, mode, names) for mode in (LEAST, MOST))
        condition = self.text(node.condition, names)
        return f"{condition}if ({maybe}) {{\n{then}}}\nif (!{surely}) {{\n{other}}}\n"
