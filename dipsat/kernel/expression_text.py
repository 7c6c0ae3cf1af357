"""Expressions of the rule language as C that computes their least and their greatest value.

The same two readings as in `dipsat.terms.fold.Dual`, for boards whose objects are numbers: a
set of orders or units is a set of bits, and `any`, `all` and `sum` over it are often one operation.

No text of a rule file gets into the source: names become numbers, and texts are numbered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dipsat.kernel.declined import DeclinedError
from dipsat.kernel.functions import Functions
from dipsat.kernel.layout import Layout, number_among
from dipsat.kernel.loop_text import LoopText
from dipsat.kernel.numbered import Numbered
from dipsat.kernel.prepared_text import PreparedText
from dipsat.kernel.set_text import LEAST, MOST, OTHER, Names, SetText
from dipsat.kernel.words import c_of
from dipsat.language.syntax import (
    CYCLE,
    POWER,
    PROVINCE,
    TEXT,
    UNIT,
    Arithmetic,
    Chain,
    Choice,
    Compare,
    Constant,
    CurrentPhase,
    DecisionCall,
    Expression,
    Fact,
    Feature,
    Junction,
    Not,
    Predicate,
    Quantifier,
    Related,
    Variable,
)
from dipsat.language.vocabulary import FACTS, word_of

_MAX_ROWS = 1_000  # of a relation


class ExpressionText:
    """Writes expressions; what they call goes into `functions`."""

    def __init__(self, layout: Layout, numbered: Numbered) -> None:
        self.layout = layout
        self.numbered = numbered
        self.functions = Functions()
        self.prepared = PreparedText(self.functions)
        self.sets = SetText(layout, numbered, self.value, self.kept)
        self.loops = LoopText(self.functions, self.sets, self.prepared, self.value)
        self._writers: dict[type, Callable[[Any, str, Names], str]] = {
            Constant: lambda node, _, __: self._constant(node),
            Variable: lambda node, _, names: names[node.name],
            Fact: lambda node, _, names: self._fact(node, names),
            DecisionCall: self._decision,
            Not: lambda node, mode, names: f"(!{self.value(node.part, OTHER[mode], names)})",
            Junction: self._junction,
            Compare: self._compare,
            Arithmetic: self._arithmetic,
            Choice: self.loops.choice,
            Quantifier: self.loops.quantifier,
            Chain: self.loops.chain,
            Predicate: lambda node, _, names: self._predicate(node, names),
            Related: lambda node, _, names: self._related(node, names),
            Feature: lambda node, _, names: self._feature(node, names),
            CurrentPhase: lambda _, __, ___: "0",
        }

    # --- values -----------------------------------------------------------------------------------

    def value(self, node: Expression, mode: str, names: Names) -> str:
        """The least or the greatest value of an expression: a number, a truth value as 0 or 1, or
        the number of an object."""
        writer = self._writers.get(type(node))
        if writer is None:
            raise DeclinedError(f"no reading for {type(node).__name__}")
        found = self.kept(node, names)
        return writer(node, mode, names) if found is None else f"has_unit({found[0]}, {found[1]})"

    def kept(self, node: Expression, names: Names) -> tuple[str, str] | None:
        """The set of orders for which a truth value holds, and the order that it is about here, if
        it is kept for all orders."""
        if node.open or not node.type.is_truth or isinstance(node, Not) or self.prepared.is_off:
            return None
        with self.prepared.switched_off():
            text = self._writers[type(node)](node, LEAST, names)
        return self.prepared.truth(text, names, node)

    def _junction(self, node: Junction, mode: str, names: Names) -> str:
        """What is quickly evaluated comes first; the order does not matter to the value."""
        return self.functions.in_order(
            node.op, [self.value(part, mode, names) for part in node.parts]
        )

    def _arithmetic(self, node: Arithmetic, mode: str, names: Names) -> str:
        left = self.value(node.left, mode, names)
        right = self.value(node.right, mode if node.op == "+" else OTHER[mode], names)
        return f"({left} {node.op} {right})"

    def _constant(self, node: Constant, texts: Mapping[str, int] | None = None) -> str:
        value = node.value
        if isinstance(value, bool | int):
            return str(int(value))
        if node.type.members:
            return str(node.type.members.index(value))
        if node.type == POWER:
            return f"f->map->power_numbers[{self.numbered.power(value)}]"
        if texts is None:
            raise DeclinedError("a text is compared with something that has no numbers")
        return str(texts.get(value, -1))

    def _fact(self, node: Fact, names: Names) -> str:
        if node.of.type == CYCLE and node.name == "resolutions":
            return "f->cycle.resolutions"
        of = self.value(node.of, LEAST, names)
        if node.declared:
            if node.of.type != UNIT:
                raise DeclinedError("facts of orders that the rules declare")
            return f"f->attribute[{self.numbered.attribute(node.name)}][{of}]"
        word = word_of(node)
        text = "" if word is None or word.type.item else c_of(word, node.of.type.name)
        if not text:
            raise DeclinedError(f"the fact {node.name} of a {node.of.type} as a value")
        return text.format(x=of)

    def _decision(self, node: DecisionCall, mode: str, names: Names) -> str:
        family = self.layout.families.get(node.name)
        if family is None:
            raise DeclinedError("decisions about orders that the rules declare")
        if family.is_lazy:
            values = [self.value(argument, LEAST, names) for argument in node.arguments]
            is_computed = self.functions.lazy_key(family.number, values) in self.functions.computed
            if not is_computed or family.is_truth:
                return f"{mode}{family.number}(f, b, {', '.join(values)})"
        at = self.decision_number(node, names)
        if family.is_truth:
            return f"bit_at(b->{'low' if mode == LEAST else 'high'}, {at})"
        return f"b->{mode}[{at} - {64 * self.layout.truth_words}]"

    def decision_number(self, node: DecisionCall, names: Names) -> str:
        """The number of a decision among all."""
        family = self.layout.families[node.name]
        values = [self.value(argument, LEAST, names) for argument in node.arguments]
        return f"({64 * family.word} + {number_among(values, family.sizes)})"

    def _compare(self, node: Compare, mode: str, names: Names) -> str:
        if not node.left.type.is_number:
            left, right = self._sides(node, names)
            return f"({left} {node.op} {right})"
        if not node.open:
            left, right = (self.value(side, LEAST, names) for side in (node.left, node.right))
            return f"({left} {node.op} {right})"
        if node.op in ("==", "!="):
            return self._equal(node, mode, names)
        up, down = (mode, OTHER[mode]) if node.op in (">", ">=") else (OTHER[mode], mode)
        left, right = self.value(node.left, up, names), self.value(node.right, down, names)
        return f"({left} {node.op} {right})"

    def _equal(self, node: Compare, mode: str, names: Names) -> str:
        """Two numbers are surely equal if both are known; they may be if their ranges meet."""
        (least, most), (low, high) = (
            [self.value(side, one, names) for one in (LEAST, MOST)]
            for side in (node.left, node.right)
        )
        surely = f"({least} == {high} && {most} == {low})"
        maybe = f"({least} <= {high} && {low} <= {most})"
        if node.op == "==":
            return surely if mode == LEAST else maybe
        return f"(!{maybe if mode == LEAST else surely})"

    def _sides(self, node: Compare, names: Names) -> tuple[str, str]:
        """Both sides of a comparison of objects or texts."""
        sides = node.left, node.right
        if node.left.type != TEXT:
            return self.value(sides[0], LEAST, names), self.value(sides[1], LEAST, names)
        facts = [fact for side in sides for fact in _facts_of_text(side)]
        if len(set(facts)) != 1:
            raise DeclinedError("texts of different kinds are compared")
        left, right = (self._text(side, facts[0], names) for side in sides)
        return left, right

    def _text(self, node: Expression, fact: tuple[str, str], names: Names) -> str:
        """A text as a number, among those that a fact can be."""
        if isinstance(node, Choice):
            if node.condition.open:
                raise DeclinedError("a text that depends on decisions")
            then, other = (self._text(one, fact, names) for one in (node.then, node.otherwise))
            return f"({self.value(node.condition, LEAST, names)} ? {then} : {other})"
        if not isinstance(node, Constant):
            return self.value(node, LEAST, names)
        if fact == ("Province", "code"):
            return f"f->map->code_numbers[{self.numbered.code(str(node.value))}]"
        kinds = self.numbered.kinds if fact[1] == "kind" and fact[0] != "Province" else None
        texts = FACTS[fact[0]][fact[1]].texts
        return self._constant(node, kinds or {text: at for at, text in enumerate(texts)})

    def _related(self, node: Related, names: Names) -> str:
        if len(node.rows) > _MAX_ROWS:
            raise DeclinedError(f"the relation {node.name} has too many rows")
        values = [self.value(argument, LEAST, names) for argument in node.arguments]
        rows = []
        for row in node.rows:
            cells = [
                self._cell(text, argument)
                for text, argument in zip(row, node.arguments, strict=True)
            ]
            pairs = zip(values, cells, strict=True)
            rows.append(f"({' && '.join(f'{value} == {cell}' for value, cell in pairs)})")
        return f"({' || '.join(rows) or '0'})"

    def _cell(self, text: str, argument: Expression) -> str:
        if argument.type.members:
            return str(argument.type.members.index(text))
        if argument.type == POWER:
            return f"f->map->power_numbers[{self.numbered.power(text)}]"
        return self._text(Constant(text, TEXT), ("Province", "code"), {})

    def _feature(self, node: Feature, names: Names) -> str:
        values = [self.value(argument, LEAST, names) for argument in node.arguments]
        about = 0 if node.arguments[0].type == POWER else len(values)
        at = self.numbered.feature(node.name, about)
        if about == 0:
            return f"has_power(f->map->features_of_powers[{at}], {values[0]})"
        if about == 1:
            return f"has_place(f->map->features_of_places[{at}], {values[0]})"
        row = f"{at} * f->map->provinces + {values[0]}"
        return f"has_place(f->map->features_of_borders[{row}], {values[1]})"

    def _predicate(self, node: Predicate, names: Names) -> str:
        if node.op == "ring":
            return f"is_ring(f, {' | '.join(self.sets.units(one, names) for one in node.domains)})"
        domain = node.domains[0]
        item = domain.type.item
        if self.sets.is_static(domain):
            return str(int(bool(self.sets.members(domain))))
        if item == PROVINCE:
            return f"any_place({self.sets.places(domain, names)})"
        if item == POWER:
            return f"({self.sets.powers(domain, names)} != 0)"
        return f"any_unit({self.sets.units(domain, names)})"


def _facts_of_text(node: Expression) -> list[tuple[str, str]]:
    """The facts whose value a text expression can have. All kinds of units count as one fact."""
    match node:
        case Fact():
            word = str(node.of.type), node.name
            return [("Unit", "kind") if word == ("Build", "kind") else word]
        case Choice():
            return [*_facts_of_text(node.then), *_facts_of_text(node.otherwise)]
    return []
