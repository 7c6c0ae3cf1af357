"""Expressions of the rule language as C that computes their least and their greatest value.

The same two readings as in `dipsat.solving.bounds_text`, for boards whose objects are numbers: a
set of orders or units is a set of bits, and `any`, `all` and `sum` over it are often one operation.
What needs statements becomes a function of its own, written once however often it is used.

No text of a rule file gets into the source: names become numbers, and texts are numbered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from dipsat.kernel.declined import DeclinedError
from dipsat.kernel.layout import BY_UNIT, Layout
from dipsat.kernel.numbered import Numbered
from dipsat.kernel.words import (
    ALL_BY_UNIT,
    MASKS,
    SCALARS,
    SETS_OF_UNITS,
    TEXT_NUMBERS,
    UNITS_BY_VALUE,
)
from dipsat.language.syntax import (
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
    Variable,
    children,
)
from dipsat.language.types import CONVOY, CYCLE, POWER, PROVINCE, TEXT, UNIT

LEAST, MOST = "least", "most"
OTHER = {LEAST: MOST, MOST: LEAST}
Names = Mapping[str, str]
"""Variable -> its name in C."""

RETREAT_NAME, TARGET = "retreat", "retreat_target"
"""How the index of a condition on retreats is called in C, and where it goes."""

BOARD = "const struct facts *f, const struct bounds *b"
"""The first parameters of every function."""

_MAX_SOURCE = 2_000_000  # characters; the longest shipped profile takes a tenth
_MAX_ROWS = 1_000  # of a relation
_EVERYONE = "all_or_none(1)"


class ExpressionText:
    """Writes expressions. `functions` are the functions that they call, in order."""

    def __init__(self, layout: Layout, numbered: Numbered) -> None:
        self.layout = layout
        self.numbered = numbered
        self.functions: list[str] = []
        self._length = 0
        self._known: dict[tuple[object, ...], str] = {}

    # --- values -----------------------------------------------------------------------------------

    def value(self, node: Expression, mode: str, names: Names) -> str:
        """The least or the greatest value of an expression: a number, a truth value as 0 or 1, or
        the number of an object."""
        match node:
            case Constant():
                return self._constant(node)
            case Variable():
                return names[node.name]
            case Fact():
                return self._fact(node, names)
            case DecisionCall():
                return self._decision(node, mode, names)
            case Not():
                return f"(!{self.value(node.part, OTHER[mode], names)})"
            case Junction():
                sign = " && " if node.op == "and" else " || "
                return f"({sign.join(self.value(part, mode, names) for part in node.parts)})"
            case Compare():
                return self._compare(node, mode, names)
            case Arithmetic():
                right = mode if node.op == "+" else OTHER[mode]
                left = self.value(node.left, mode, names)
                return f"({left} {node.op} {self.value(node.right, right, names)})"
            case Choice():
                return self._choice(node, mode, names)
            case Quantifier():
                return self._quantifier(node, mode, names)
            case Chain():
                return self._chain(node, mode, names)
            case Predicate():
                return self._predicate(node, names)
            case Related():
                return self._related(node, names)
            case Feature():
                return self._feature(node, names)
            case CurrentPhase():
                return "0"
        raise DeclinedError(f"no reading for {type(node).__name__}")

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
        of = self.value(node.of, LEAST, names)
        if node.declared:
            if node.of.type != UNIT:
                raise DeclinedError("facts of orders that the rules declare")
            return f"f->attribute[{self.numbered.attribute(node.name)}][{of}]"
        word = str(node.of.type), node.name
        if word not in SCALARS:
            raise DeclinedError(f"the fact {node.name} of a {node.of.type} as a value")
        return SCALARS[word].format(x=of)

    def _decision(self, node: DecisionCall, mode: str, names: Names) -> str:
        family = self.layout.families.get(node.name)
        if family is None:
            raise DeclinedError("decisions about orders that the rules declare")
        at = self.decision_number(node, names)
        if family.is_truth:
            return f"bit_at(b->{'low' if mode == LEAST else 'high'}, {at})"
        return f"b->{mode}[{at} - {64 * self.layout.truth_words}]"

    def decision_number(self, node: DecisionCall, names: Names) -> str:
        """The number of a decision among all."""
        family = self.layout.families[node.name]
        text = ""
        for argument, size in zip(node.arguments, family.sizes, strict=True):
            value = self.value(argument, LEAST, names)
            text = f"({text} * {size} + {value})" if text else value
        return f"({64 * family.word} + {text})"

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
        return self._constant(node, kinds or TEXT_NUMBERS[fact])

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
            rows.append(" && ".join(f"{value} == {cell}" for value, cell in pairs))
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
            return f"is_ring(f, {' | '.join(self.units(one, names) for one in node.domains)})"
        domain = node.domains[0]
        item = domain.type.item
        if self._is_static(domain):
            return str(int(bool(self._members(domain))))
        if item == PROVINCE:
            return f"any_place({self._places(domain, names)})"
        if item == POWER:
            return f"({self._powers(domain, names)} != 0)"
        return f"any_unit({self.units(domain, names)})"

    # --- sets -------------------------------------------------------------------------------------

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

    def _places(self, node: Expression, names: Names) -> str:
        if isinstance(node, AllOf):
            return "f->map->every_place"
        if isinstance(node, Fact) and (str(node.of.type), node.name) == ("Unit", "near"):
            return f"near(f, {self.value(node.of, LEAST, names)})"
        raise DeclinedError("a set of provinces that the kernel does not know")

    def _powers(self, node: Expression, names: Names) -> str:
        if isinstance(node, Fact) and (str(node.of.type), node.name) == ("Province", "homes"):
            return f"f->map->homes[{self.value(node.of, LEAST, names)}]"
        raise DeclinedError("a set of powers that the kernel does not know")

    def _is_static(self, node: Expression) -> bool:
        """Whether a set has the same members on every board: a domain, or orders of a declared
        kind, of which compiled boards have none."""
        item = node.type.item
        if isinstance(node, AllOf):
            return bool(node.of.members) or self.layout.size_of(node.of) is None
        return item is not None and item != POWER and self.layout.size_of(item) is None

    def is_empty(self, domain: Expression) -> bool:
        """Whether a set has no members on any compiled board."""
        return self._is_static(domain) and not self._members(domain)

    def _members(self, node: Expression) -> Sequence[str]:
        return node.of.members if isinstance(node, AllOf) else ()

    def mask(self, node: Expression, variable: Variable, mode: str, names: Names) -> str | None:
        """The units for whose number, as the variable, a truth value holds; None where this takes
        more than operations on sets."""
        if not _mentions(node, variable.name):
            return f"all_or_none({self.value(node, mode, names)})"
        match node:
            case DecisionCall(arguments=(argument,)) if _is_unit_of(argument, variable):
                family = self.layout.families.get(node.name)
                if family is None or not family.is_mask:
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
            if not isinstance(one, Fact) or one.declared or _mentions(other, variable.name):
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

    # --- what needs statements --------------------------------------------------------------------

    def _function(
        self, key: tuple[object, ...], names: Names, used: Sequence[str], body: str
    ) -> str:
        """The call of a function with this body, written once for each key. `used` are the
        variables that the body needs."""
        parameters = _parameters(used, names)
        name = self._known.get((*key, *parameters))
        if name is None:
            name = self._known[(*key, *parameters)] = f"e{len(self.functions)}"
            listed = "".join(f", int {one}" for one in parameters)
            self.write(f"static long {name}({BOARD}{listed}) {{\n{body}}}\n")
        return f"{name}(f, b{''.join(f', {one}' for one in parameters)})"

    def write(self, text: str) -> None:
        """Add a function. Raises `DeclinedError` if the source becomes too long."""
        self._length += len(text)
        if self._length > _MAX_SOURCE:
            raise DeclinedError("the equations are too long")
        self.functions.append(text)

    def _as_function(self, node: Expression, mode: str, names: Names) -> str | None:
        """The call of the function for a node that is already written."""
        parameters = _parameters(_variables(node, names), names)
        name = self._known.get((node, mode, *parameters))
        return name and f"{name}(f, b{''.join(f', {one}' for one in parameters)})"

    def _choice(self, node: Choice, mode: str, names: Names) -> str:
        if not node.condition.open:
            then, other = (
                self.value(node.then, mode, names),
                self.value(node.otherwise, mode, names),
            )
            return f"({self.value(node.condition, LEAST, names)} ? {then} : {other})"
        known = self._as_function(node, mode, names)
        if known:
            return known
        then, other = self.value(node.then, mode, names), self.value(node.otherwise, mode, names)
        surely, maybe = (self.value(node.condition, one, names) for one in (LEAST, MOST))
        closer = "<" if mode == LEAST else ">"
        body = (
            f"if ({surely}) return {then};\nif (!{maybe}) return {other};\n"
            f"long one = {then}, two = {other};\nreturn two {closer} one ? two : one;\n"
        )
        return self._function((node, mode), names, _variables(node, names), body)

    def _quantifier(self, node: Quantifier, mode: str, names: Names) -> str:
        if node.op == "sum":
            return self._sum(node, mode, names)
        is_all = node.op == "all"
        filtering = OTHER[mode] if is_all else mode  # in `all`, it is on the left of "implies"
        if not self._is_over_units(node.domain):
            return self._loop(node, mode, names, filtering)
        body, condition = self._masks(node, mode, filtering, names)
        if body is None or condition is None:
            return self._loop(node, mode, names, filtering)
        members = _joined(self.units(node.domain, names), condition)
        found = f"any_unit({_joined(members, f'~{body}' if is_all else body)})"
        return f"(!{found})" if is_all else found

    def _masks(
        self, node: Quantifier | Chain, mode: str, filtering: str, names: Names
    ) -> tuple[str | None, str | None]:
        """The body and the filter of a quantifier as sets of units."""
        variable = node.variable
        body = self.mask(node.body, variable, mode, names) if node.body.type.is_truth else None
        condition: str | None = _EVERYONE
        if node.condition is not None:
            condition = self.mask(node.condition, variable, filtering, names)
        return body, condition

    def _is_over_units(self, domain: Expression) -> bool:
        return domain.type.item in BY_UNIT or (isinstance(domain, AllOf) and domain.of in BY_UNIT)

    def _loop(self, node: Quantifier, mode: str, names: Names, filtering: str) -> str:
        """`any` or `all` as a loop."""
        if self.is_empty(node.domain):
            return str(int(node.op == "all"))
        known = self._as_function(node, mode, names)
        if known:
            return known
        is_all = node.op == "all"
        inner = {**names, node.variable.name: self._fresh(names)}
        skip = ""
        if node.condition is not None:
            skip = f"if (!{self.value(node.condition, filtering, inner)}) continue;\n"
        found = self.value(node.body, mode, inner)
        body = (
            f"{self.head(node.domain, inner[node.variable.name], names)}{{\n{skip}"
            f"if ({'!' if is_all else ''}{found}) return {int(not is_all)};\n}}\n"
            f"return {int(is_all)};\n"
        )
        return self._function((node, mode), names, _variables(node, names), body)

    def _sum(self, node: Quantifier, mode: str, names: Names) -> str:
        condition = node.condition
        closed = condition is None or not condition.open
        if self.is_empty(node.domain):
            return "0"
        if closed and self._is_over_units(node.domain):
            body, filtered = self._masks(node, mode, mode, names)
            if body is not None and filtered is not None:
                members = _joined(self.units(node.domain, names), filtered)
                return f"count_units({_joined(members, body)})"
        known = self._as_function(node, mode, names)
        if known:
            return known
        inner = {**names, node.variable.name: self._fresh(names)}
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
        return self._function((node, mode), names, _variables(node, names), body)

    def head(self, domain: Expression, variable: str, names: Names) -> str:
        """The head of a loop over a set, which binds a variable in C."""
        if self._is_static(domain):
            return f"for (int {variable} = 0; {variable} < {len(self._members(domain))}; {variable}++) "
        item = domain.of if isinstance(domain, AllOf) else domain.type.item
        if item == POWER:
            left = f"{variable}_left"
            return (
                f"u64 {left} = {self._powers(domain, names)};\n"
                f"for (int {variable}; ({variable} = next_power(&{left})) >= 0;) "
            )
        kind, members = "unit", ""
        if item == PROVINCE:
            kind, members = "place", self._places(domain, names)
        else:
            members = self.units(domain, names)
        walk = f"struct {kind}_walk {variable}_walk = walk_{kind}s({members});\n"
        return f"{walk}for (int {variable}; ({variable} = next_{kind}(&{variable}_walk)) >= 0;) "

    def _chain(self, node: Chain, mode: str, names: Names) -> str:
        if not self._is_over_units(node.domain):
            raise DeclinedError("a chain of something else than units")
        body, condition = self._masks(node, mode, mode, names)
        start, end = self.value(node.start, LEAST, names), self.value(node.end, LEAST, names)
        shape = "convoy_chain" if node.variable.type == CONVOY else "water_chain"
        if body is not None and condition is not None:
            members = _joined(self.units(node.domain, names), _joined(condition, body))
            return f"{shape}(f, {start}, {end}, {members})"
        known = self._as_function(node, mode, names)
        if known:
            return known
        inner = {**names, node.variable.name: self._fresh(names)}
        variable = inner[node.variable.name]
        test = self.value(node.body, mode, inner)
        if node.condition is not None:
            test = f"{self.value(node.condition, mode, inner)} && {test}"
        text = (
            f"units members = no_units();\n{self.head(node.domain, variable, names)}"
            f"if ({test}) members |= the_unit({variable});\n"
            f"return {shape}(f, {start}, {end}, members);\n"
        )
        return self._function((node, mode), names, _variables(node, names), text)

    def _fresh(self, names: Names) -> str:
        return f"v{len(names)}"


def _facts_of_text(node: Expression) -> list[tuple[str, str]]:
    """The facts of which an expression that is a text is one; kinds of units are one fact."""
    match node:
        case Fact():
            word = str(node.of.type), node.name
            return [("Unit", "kind") if word == ("Build", "kind") else word]
        case Choice():
            return [*_facts_of_text(node.then), *_facts_of_text(node.otherwise)]
    return []


def _mentions(node: Expression, name: str) -> bool:
    return (isinstance(node, Variable) and node.name == name) or any(
        _mentions(part, name) for part in children(node)
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


def _variables(node: Expression, names: Names) -> list[str]:
    """The variables around a node that it uses, sorted."""
    return sorted(name for name in names if _mentions(node, name))


def _parameters(used: Sequence[str], names: Names) -> list[str]:
    """The variables in C; a retreat is a unit and where it goes."""
    found = []
    for one in used:
        found += [names[one], TARGET] if names[one] == RETREAT_NAME else [names[one]]
    return found


def _joined(one: str, other: str) -> str:
    if other == _EVERYONE:
        return one
    return other if one == _EVERYONE else f"({one} & {other})"
