"""Expressions of the rule language as C that computes their least and their greatest value.

The same two readings as in `dipsat.equations.folding.Dual`, for boards whose objects are numbers: a
set of orders or units is a set of bits, and `any`, `all` and `sum` over it are often one operation.

A part that needs statements becomes a separate function, which is written only once. No text of a
rule file gets into the source: names become numbers, and texts are numbered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from math import prod
from typing import Any

from dipsat.kernel.layout import (
    BY_UNIT,
    Layout,
    Numbered,
    number_among,
    number_in,
    parameters,
    walk,
)
from dipsat.kernel.numbers import DeclinedError
from dipsat.rules import (
    CONVOY,
    CYCLE,
    FACTS,
    POWER,
    PROVINCE,
    TEXT,
    UNIT,
    AllOf,
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
    Type,
    Variable,
    Word,
    children,
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
"""Type name -> the set of all its objects."""


def c_of(word: Word, kind: str) -> str:
    """A word of a type in C, for the object numbered `{x}`: a number, a truth value, the number of
    an object or a text, or a set; "" if the kernel does not know it."""
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

BOARD = "const struct facts *f, struct bounds *b"
"""The first parameters of every function."""
RETREAT_NAME, TARGET = "retreat", "retreat_target"
"""The names in C for the index of a condition on retreats, and for the retreat's target."""

_TOO_DEEP = "conditions or equalities are nested too deep in an equation"
"""Each reading of such a part needs both readings of its own parts, and so on. So each level
doubles the text, or the work."""
_MAX_SOURCE = 2_000_000  # characters; the longest shipped profile takes a tenth
_MAX_WEIGHT = 50_000  # most characters that a call evaluates; shipped rules have 3,000
_CALL = re.compile(r"\b(e\d+)\(f, ")
_MAX_ROWS = 1_000  # rows of a relation
_MAX_TEXT = 20_000  # characters of an expression; those of shipped rules have 2,000


class ExpressionText:
    """Writes expressions. `functions` are those that they call, in the order in which they were
    written. Each is written once, even if it is called often."""

    def __init__(self, layout: Layout, numbered: Numbered) -> None:
        self.layout = layout
        self.numbered = numbered
        self.functions: list[str] = []
        self._length = 0
        self._known: dict[tuple[object, ...], str] = {}
        self._weights: dict[str, int] = {}
        self._writers: dict[type, Callable[[Any, str, Names], str]] = {
            Constant: lambda node, _, __: self._constant(node),
            Variable: lambda node, _, names: names[node.name],
            Fact: lambda node, _, names: self._fact(node, names),
            DecisionCall: self._decision,
            Not: lambda node, mode, names: f"(!{self.value(node.part, OTHER[mode], names)})",
            Junction: self._junction,
            Compare: self._compare,
            Arithmetic: self._arithmetic,
            Choice: self._choice,
            Quantifier: self._quantifier,
            Chain: self._chain,
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
        text = writer(node, mode, names)
        if len(text) > _MAX_TEXT:
            raise DeclinedError(_TOO_DEEP)
        return text

    def readings(self, node: Expression, names: Names) -> tuple[str, str]:
        """The least and the greatest value of an expression."""
        return self.value(node, LEAST, names), self.value(node, MOST, names)

    def _junction(self, node: Junction, mode: str, names: Names) -> str:
        """Parts that are quickly evaluated come first; the order does not change the value."""
        parts = [self.value(part, mode, names) for part in node.parts]
        parts.sort(key=lambda part: (part.count("(f, "), len(part)))
        return f"({(' && ' if node.op == 'and' else ' || ').join(parts)})"

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
            return f"f->map->power_numbers[{number_in(self.numbered.powers, value)}]"
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
            return f"f->attribute[{self.numbered.attributes[node.name]}][{of}]"
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
            return f"{mode}{family.number}(f, b, {', '.join(values)})"
        at = self.decision_number(node, names)
        if family.is_truth:
            return f"bit_at(b->{'low' if mode == LEAST else 'high'}, {at})"
        return f"b->{mode}[{at} - {64 * self.layout.truth_words}]"

    def decision_number(self, node: DecisionCall, names: Names) -> str:
        """The number of a decision among all decisions."""
        family = self.layout.families[node.name]
        values = [self.value(argument, LEAST, names) for argument in node.arguments]
        return f"({64 * family.word} + {number_among(values, family.sizes)})"

    def _compare(self, node: Compare, mode: str, names: Names) -> str:
        if not node.left.type.is_number:
            left, right = self._sides(node, names)
            return f"({left} {node.op} {right})"
        if not node.has_decision:
            left, right = (self.value(side, LEAST, names) for side in (node.left, node.right))
            return f"({left} {node.op} {right})"
        if node.op in ("==", "!="):
            return self._equal(node, mode, names)
        up, down = (mode, OTHER[mode]) if node.op in (">", ">=") else (OTHER[mode], mode)
        left, right = self.value(node.left, up, names), self.value(node.right, down, names)
        return f"({left} {node.op} {right})"

    def _equal(self, node: Compare, mode: str, names: Names) -> str:
        """Numbers are surely equal if known and the same; they may be if their ranges meet."""
        (least, most), (low, high) = (
            self.readings(side, names) for side in (node.left, node.right)
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
        """A text as a number among the possible values of a fact."""
        if isinstance(node, Choice):
            if node.condition.has_decision:
                raise DeclinedError("a text that depends on decisions")
            then, other = (self._text(one, fact, names) for one in (node.then, node.otherwise))
            return f"({self.value(node.condition, LEAST, names)} ? {then} : {other})"
        if not isinstance(node, Constant):
            return self.value(node, LEAST, names)
        if fact == ("Province", "code"):
            return f"f->map->code_numbers[{number_in(self.numbered.codes, str(node.value))}]"
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
            return f"f->map->power_numbers[{number_in(self.numbered.powers, text)}]"
        return self._text(Constant(text, TEXT), ("Province", "code"), {})

    def _feature(self, node: Feature, names: Names) -> str:
        values = [self.value(argument, LEAST, names) for argument in node.arguments]
        about = 0 if node.arguments[0].type == POWER else len(values)
        at = number_in(self.numbered.features, (node.name, about))
        if about == 0:
            return f"has_power(f->map->features_of_powers[{at}], {values[0]})"
        if about == 1:
            return f"has_place(f->map->features_of_places[{at}], {values[0]})"
        row = f"{at} * f->map->provinces + {values[0]}"
        return f"has_place(f->map->features_of_borders[{row}], {values[1]})"

    def _predicate(self, node: Predicate, names: Names) -> str:
        if node.op == "ring":
            return f"is_ring(f, {' | '.join(self.units(one, names) for one in node.domains)})"
        domain = node.domains[0]
        item = domain.type.item
        if self.is_static(domain):
            return str(int(bool(self.members(domain))))
        if item == PROVINCE:
            return f"any_place({self.places(domain, names)})"
        if item == POWER:
            return f"({self.powers(domain, names)} != 0)"
        return f"any_unit({self.units(domain, names)})"

    # --- sets: one operation on bits for all members at once --------------------------------------

    def units(self, node: Expression, names: Names) -> str:
        """A set of units, or of orders by their units."""
        if isinstance(node, AllOf) and str(node.of) in ALL_BY_UNIT:
            return ALL_BY_UNIT[str(node.of)]
        if isinstance(node, Fact) and node.of.type == CYCLE:
            return self._of_cycle(node.name)
        return self._word(node, BY_UNIT, names, "a set")

    def _word(self, node: Expression, items: Collection[Type], names: Names, what: str) -> str:
        """A word for a set of objects of these types."""
        word = word_of(node)
        if isinstance(node, Fact) and word is not None and word.type.item in items:
            text, of = c_of(word, node.of.type.name), self.value(node.of, LEAST, names)
            if text:
                return text.format(x=of)
            if word.on_map is not None:
                at = number_in(self.numbered.features, (f"{node.of.type}.{node.name}", 2))
                return f"f->map->features_of_borders[{at} * f->map->provinces + {of}]"
        raise DeclinedError(f"{what} that the kernel does not know")

    def _of_cycle(self, name: str) -> str:
        """The units of a family's decisions on the cycle; for combinations, of the first index."""
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
        kind, which compiled boards do not have."""
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

    # --- choices, quantifiers and chains ----------------------------------------------------------

    def _choice(self, node: Choice, mode: str, names: Names) -> str:
        """`then if condition else otherwise`."""
        if not node.condition.has_decision:
            condition = self.value(node.condition, LEAST, names)
            then, other = (self.value(one, mode, names) for one in (node.then, node.otherwise))
            return f"({condition} ? {then} : {other})"
        return self._call(self._open_choice, node, mode, names)

    def _open_choice(self, node: Choice, mode: str, names: Names) -> str:
        then, other = self.value(node.then, mode, names), self.value(node.otherwise, mode, names)
        surely, maybe = self.readings(node.condition, names)
        closer = "<" if mode == LEAST else ">"
        return (
            f"long surely = {surely}, maybe = surely || {maybe}, one = 0, two = 0;\n"
            f"if (maybe) one = {then};\nif (surely) return one;\n"
            f"two = {other};\nreturn !maybe || two {closer} one ? two : one;\n"
        )

    def _quantifier(self, node: Quantifier, mode: str, names: Names) -> str:
        """`all`, `any` or `sum`."""
        if self.is_empty(node.domain):
            return {"all": "1"}.get(node.op, "0")
        return self._call(self._sum if node.op == "sum" else self._loop, node, mode, names)

    def _loop(self, node: Quantifier, mode: str, names: Names) -> str:
        """`any` or `all` as a loop."""
        is_all = node.op == "all"
        inner = bound(node.variable, names)
        skip = ""
        if node.condition is not None:
            reading = OTHER[mode] if is_all else mode  # the condition is on the left of "implies"
            skip = f"if (!{self.value(node.condition, reading, inner)}) continue;\n"
        found = self.value(node.body, mode, inner)
        return (
            f"{self.head(node.domain, inner[node.variable.name], names)}{{\n{skip}"
            f"if ({'!' if is_all else ''}{found}) return {int(not is_all)};\n}}\n"
            f"return {int(is_all)};\n"
        )

    def _call(
        self, write: Callable[[Any, str, Names], str], node: Expression, mode: str, names: Names
    ) -> str:
        """The call of the function for an expression. `write` writes its body the first time."""
        given = list[str]()
        for one in sorted(name for name in names if mentions(node, name)):
            # A retreat is a unit and its target.
            given += [names[one], TARGET] if names[one] == RETREAT_NAME else [names[one]]
        known = node, mode, *given
        name = self._known.get(known)
        if name is None:
            body = write(node, mode, names)
            name = self._known[known] = f"e{len(self.functions)}"
            self._weights[name] = len(body) + sum(self._weights[one] for one in _CALL.findall(body))
            if self._weights[name] > _MAX_WEIGHT:
                raise DeclinedError(_TOO_DEEP)
            head = f"static long {name}({BOARD}{parameters(given)})"
            self.write(f"{head} {{\n(void)f, (void)b;\n{body}}}\n")
        return f"{name}({', '.join(('f', 'b', *given))})"

    def write(self, text: str) -> None:
        """Add a function. Raises `DeclinedError` if the source becomes too long."""
        self._length += len(text)
        if self._length > _MAX_SOURCE:
            raise DeclinedError("the equations are too long")
        self.functions.append(text)

    def _sum(self, node: Quantifier, mode: str, names: Names) -> str:
        condition = node.condition
        inner = bound(node.variable, names)
        part = self.value(node.body, mode, inner)
        if condition is None:
            text = f"found += {part};\n"
        elif not condition.has_decision:
            text = f"if ({self.value(condition, mode, inner)}) found += {part};\n"
        else:  # a part that may belong counts only if it widens the bound
            surely, maybe = self.readings(condition, inner)
            further = "<" if mode == LEAST else ">"
            text = (
                f"if (!{maybe}) continue;\nlong part = {part};\n"
                f"if (part {further} 0 || {surely}) found += part;\n"
            )
        head = self.head(node.domain, inner[node.variable.name], names)
        return f"long found = 0;\n{head}{{\n{text}}}\nreturn found;\n"

    def head(self, domain: Expression, variable: str, names: Names) -> str:
        """The head of a loop over a set, which binds a variable in C."""
        if self.is_static(domain):
            count = len(self.members(domain))
            return f"for (int {variable} = 0; {variable} < {count}; {variable}++) "
        item = item_of(domain)
        if item == POWER:
            left = f"{variable}_left"
            return (
                f"u64 {left} = {self.powers(domain, names)};\n"
                f"for (int {variable}; ({variable} = next_power(&{left})) >= 0;) "
            )
        if item == PROVINCE:
            return walk("place", self.places(domain, names), variable, f"{variable}_walk")
        return walk("unit", self.units(domain, names), variable, f"{variable}_walk")

    def _chain(self, node: Chain, mode: str, names: Names) -> str:
        """Whether the units that surely, or perhaps, belong to the set make a chain."""
        if item_of(node.domain) not in BY_UNIT:
            raise DeclinedError("a chain of something else than units")
        return self._call(self._chain_body, node, mode, names)

    def _chain_body(self, node: Chain, mode: str, names: Names) -> str:
        inner = bound(node.variable, names)
        variable, test = inner[node.variable.name], self.value(node.body, mode, inner)
        if node.condition is not None:
            test = f"{self.value(node.condition, mode, inner)} && {test}"
        found = self.chained(node, names, "members")
        return (
            f"units members = no_units();\n{self.head(node.domain, variable, names)}"
            f"if ({test}) members |= the_unit({variable});\nreturn {found};\n"
        )

    def chained(self, node: Chain, names: Names, members: str, over: str = "-1") -> str:
        """Whether known units make a chain, or connect one of them to both ends."""
        start, end = self.value(node.start, LEAST, names), self.value(node.end, LEAST, names)
        shape = "convoy_chain" if node.variable.type == CONVOY else "water_chain"
        return f"{shape}(f, {start}, {end}, {members}, {over})"


def item_of(domain: Expression) -> Type | None:
    """The type of the members of a set."""
    return domain.of if isinstance(domain, AllOf) else domain.type.item


def mentions(node: Expression, name: str) -> bool:
    """Whether an expression mentions a variable."""
    return any(isinstance(part, Variable) and part.name == name for part in parts_of_all([node]))


def bound(variable: Variable, names: Names) -> Names:
    """The names, with one more for the variable of a loop."""
    return {**names, variable.name: f"v{len(names)}"}


def _facts_of_text(node: Expression) -> list[tuple[str, str]]:
    """The facts whose value a text expression can take. All kinds of units count as one fact."""
    match node:
        case Fact():
            word = str(node.of.type), node.name
            return [("Unit", "kind") if word == ("Build", "kind") else word]
        case Choice():
            return [*_facts_of_text(node.then), *_facts_of_text(node.otherwise)]
    return []


class DependencyText:
    """Writes statements that add to the scope `d`. A part with a known value adds nothing, as if
    `dipsat.equations.folding` had simplified the term."""

    def __init__(self, expressions: ExpressionText) -> None:
        self.expressions = expressions

    def text(self, node: Expression, names: Names) -> str:
        """The statements for an expression."""
        if not node.has_decision:
            return ""
        least, most = self.expressions.readings(node, names)
        if isinstance(node, DecisionCall):
            at = self.expressions.decision_number(node, names)
            return f"if ({least} != {most}) put(d, {at});\n"
        return f"if ({least} != {most}) {{\n{self._parts(node, names)}}}\n"

    def _parts(self, node: Expression, names: Names) -> str:
        match node:
            case Quantifier() | Chain():
                return self._loop(node, names)
            case Choice():
                return self._choice(node, names)
        return "".join(self.text(part, names) for part in children(node))

    def _loop(self, node: Quantifier | Chain, names: Names) -> str:
        if self.expressions.is_empty(node.domain):
            return ""
        inner = bound(node.variable, names)
        variable = inner[node.variable.name]
        head = self.expressions.head(node.domain, variable, names)
        text, matters, before = self.text(node.body, inner), self._matters(node, inner), ""
        if node.condition is not None:
            matters = f"{self.expressions.value(node.condition, MOST, inner)} && {matters}"
            text = f"{self.text(node.condition, inner)}{text}"
        if isinstance(node, Chain):
            gathered = f"{head}if ({matters}) some |= the_unit({variable});"
            before = f"units some = no_units();\n{{\n{gathered}\n}}\n"
            matters = self.expressions.chained(node, names, "some", variable)
        elif node.condition is None:
            matters = "1"
        return f"{{\n{before}{head}if ({matters}) {{\n{text}}}\n}}\n"

    def _matters(self, node: Quantifier | Chain, names: Names) -> str:
        """Whether membership matters for a member: not if the body holds for it in `all`."""
        least, most = self.expressions.readings(node.body, names)
        if isinstance(node, Quantifier) and node.op == "all":
            return f"!{least}"
        if isinstance(node, Quantifier) and node.op == "sum":
            return f"({least} || {most})"
        return most

    def _choice(self, node: Choice, names: Names) -> str:
        then, other = self.text(node.then, names), self.text(node.otherwise, names)
        value = self.expressions.value
        if not node.condition.has_decision:
            condition = value(node.condition, LEAST, names)
            return f"if ({condition}) {{\n{then}}} else {{\n{other}}}\n"
        surely, maybe = self.expressions.readings(node.condition, names)
        condition = self.text(node.condition, names)
        return f"{condition}if ({maybe}) {{\n{then}}}\nif (!{surely}) {{\n{other}}}\n"
