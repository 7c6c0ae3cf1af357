"""Check expressions for names, types and arity, and expand defined terms.

A profile that passes can be grounded for any position. Every error names the place and, if there is
one, the nearest valid name.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import NamedTuple, NoReturn

from dipsat.base import Node, titled
from dipsat.errors import UnknownMemberError, hint
from dipsat.rules import advice, syntax
from dipsat.rules.closed_values import Formula
from dipsat.rules.declarations import Declared, NamedPowers
from dipsat.rules.layers import (
    BASE,
    KEPT,
    Layers,
    Stated,
    Try,
    name_is_taken,
    nothing_below,
    of_removal,
    still_stated,
)
from dipsat.rules.parser import COMPARISONS, Source, parse_heading
from dipsat.rules.settings import CONVOYS_IN, PLACES
from dipsat.rules.syntax import (
    BUILD,
    CONVOY,
    CYCLE,
    ENTITIES,
    MOVE,
    NUMBER,
    POWER,
    PROVINCE,
    RETREAT,
    SUPPORT,
    TEXT,
    TRUTH,
    UNIT,
    Constant,
    Expression,
    Fact,
    Type,
    Variable,
    children,
    set_of,
)
from dipsat.rules.vocabulary import (
    CYCLE_FACTS,
    FACTS,
    FIXED,
    KINDS_OF_UNITS,
    KNOWN_EARLY,
    PREDICATES,
    QUANTIFIERS,
    Word,
)


@dataclass(frozen=True, slots=True)
class Definition:
    """A heading with its expression, before checking: `backing(m): sum(...)`. In it, `base` means
    the conjunction of the definitions `base`, or the only one."""

    name: str
    indices: tuple[Variable, ...]
    source: Source
    base: tuple[Definition, ...] = ()


class Consequence(Exception):  # noqa: N818  # not an error itself: its cause is reported elsewhere
    """An expression that cannot be checked because something it refers to is faulty."""


@dataclass
class Names:
    """What an expression of the profile may refer to besides the vocabulary. `broken` holds names
    whose own text is faulty. `parts` counts the parts of all expressions checked so far; `is_full`
    says that there are too many, which is reported once. `types` has the known types of decisions
    and terms, None while a type is being determined."""

    defines: Mapping[str, Definition]
    decisions: Mapping[str, Definition]
    truths: Collection[str]
    broken: Collection[str]
    declared: Declared
    powers: NamedPowers
    parts: int = 0
    is_full: bool = False
    types: dict[str, Type | None] = field(default_factory=dict)

    def facts(self, kind: Type) -> Mapping[str, Word]:
        """The facts of a type: those of the vocabulary, and the attributes that units have."""
        facts = FACTS.get(kind.name) or self.declared.order_facts.get(kind.name, {})
        attributes = self.declared.attributes.values() if kind == UNIT else ()
        added = {one.name: Word(one.domain, "an attribute of the unit") for one in attributes}
        return {**facts, **added} if added else facts

    def as_text(self, name: str) -> str:
        """A hint for a word that is probably a text without its quotes."""
        known = {text for words in FACTS.values() for word in words.values() for text in word.texts}
        known |= {word for kind in self.declared.types.values() for word in kind.names}
        known |= {*self.declared.unit_words}
        board = self.powers.board
        if board is not None:
            known |= {*board.provinces, *board.powers, *map(titled, board.powers)}
        return f'; a text needs quotes: "{name}"' if name in known else ""


MAX_NODES = 5000  # parts of one equation with all defined terms expanded
MAX_TOTAL = 20_000  # parts of all equations of a profile together
MAX_LEVELS = 40  # of nesting in one equation
MAX_QUANTIFIERS = 5  # nested: grounding time grows exponentially with their number
MAX_NUMBER = 1000


class Checker:
    """Checks the expressions of one profile."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.inside: list[str] = []
        self._fresh = self.nodes = self.levels = self.quantifiers = 0

    def check(
        self, source: Source, indices: tuple[Variable, ...], wanted: Type | None = None
    ) -> Expression:
        """The typed expression of `source`; `wanted` is the type it must have.

        Raises `ProfileError` with file, line and column.
        """
        return self.check_term(Definition("", indices, source), indices, wanted)

    def check_term(
        self, term: Definition, about: tuple[Variable, ...], wanted: Type | None = None
    ) -> Expression:
        """Like `check`, for a term whose indices stand for the variables `about`."""
        self.inside = []
        self._fresh = self.nodes = self.levels = self.quantifiers = 0
        found = _Scope.of(self, term, about).expression(term.source.tree)
        if wanted is not None and not _fits(found.type, wanted):
            term.source.fail(term.source.tree, advice.not_of_type(found.type, wanted))
        return found

    def decision_type(self, name: str) -> Type:
        """The type of a decision: a truth value if it is one of `truths` (verdicts, and decisions
        with named conditions), otherwise the type shown by the form of its equation. If the form
        does not show it, the equation is checked.

        Raises `ProfileError` at the equation if its type cannot be determined.
        """
        is_truth = name in self.names.truths
        found = self._noted(name, lambda: TRUTH if is_truth else self._infer(name))
        if found is None:
            source = self.names.decisions[name].source
            source.fail(source.tree, f"cannot tell whether {name} is a truth value or a number")
        return found

    def _noted(self, key: str, find: Callable[[], Type | None]) -> Type | None:
        types = self.names.types
        if key not in types:
            types[key] = None
            types[key] = find()
        return types[key]

    def _infer(self, name: str) -> Type | None:
        term = self.names.decisions[name]
        found = self._form(term)
        if found is not None:
            return found
        try:  # the form does not show it; a check may, or may say what is wrong
            kind = Checker(self.names).check_term(term, term.indices).type
        finally:
            del self.names.types[name]
        if not kind.is_number:
            problem = f"an equation gives a truth value or a number, not a {kind}"
            term.source.fail(term.source.tree, problem)
        return kind

    def _form(self, term: Definition, tree: ast.expr | None = None) -> Type | None:
        """The type shown by the form of a term, or of a part of it; None if it shows none."""
        names = self.names
        match tree or term.source.tree:
            case ast.Name(id="base") if term.base:
                return TRUTH if term.base[1:] else self._form(term.base[0])
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                return TRUTH
            case ast.Constant(value=bool()):
                return TRUTH
            case ast.Constant(value=int()) | ast.BinOp() | ast.UnaryOp():
                return NUMBER
            case ast.IfExp(body=body, orelse=orelse):
                return self._form(term, body) or self._form(term, orelse)
            case ast.Call(func=ast.Name(id="sum")):
                return NUMBER
            case ast.Call(func=ast.Name(id=called)) if called in names.defines:
                return self._noted(f"define {called}", lambda: self._form(names.defines[called]))
            case ast.Call(func=ast.Name(id=called)) if called in names.decisions:
                return self._noted(called, lambda: self._infer(called))
            case ast.Call():
                return TRUTH
        return None

    def fresh(self, name: str) -> str:
        """A variable name that is unique in the expression."""
        self._fresh += 1
        return f"{name}#{self._fresh}"

    def count(self, source: Source, part: ast.AST, number: int = 1) -> None:
        """Count nodes; refuse expressions that grow too large."""
        self.nodes += number
        self.names.parts += number
        if self.nodes > MAX_NODES:
            source.fail(part, f"with its terms expanded, this has more than {MAX_NODES} parts")
        if self.names.parts > MAX_TOTAL:
            if self.names.is_full:
                raise Consequence
            self.names.is_full = True
            source.fail(part, f"the profile has more than {MAX_TOTAL} parts in all")


def _fits(found: Type, wanted: Type) -> bool:
    if found is wanted:  # the usual case
        return True
    return found == wanted or (wanted.name == "number" and found.is_number)


class _Scope(NamedTuple):
    """The names that are bound at one place of a term, whose indices stand for `about`."""

    checker: Checker
    term: Definition
    about: Sequence[Expression]
    scope: Mapping[str, Expression]

    @property
    def source(self) -> Source:
        """The text."""
        return self.term.source

    @staticmethod
    def of(checker: Checker, term: Definition, about: Sequence[Expression]) -> _Scope:
        """The scope of a term whose indices stand for `about`."""
        pairs = zip(term.indices, about, strict=True)
        return _Scope(checker, term, about, {index.name: value for index, value in pairs})

    def fail(self, part: ast.AST, problem: str) -> NoReturn:
        self.source.fail(part, problem)

    def expression(self, tree: ast.expr) -> Expression:
        checker = self.checker
        checker.count(self.source, tree)
        checker.levels += 1
        if checker.levels > MAX_LEVELS:
            self.fail(tree, f"with its terms expanded, this has more than {MAX_LEVELS} levels")
        found = self._expression(tree)
        checker.levels -= 1
        return found

    def _expression(self, tree: ast.expr) -> Expression:
        match tree:  # the most frequent first
            case ast.Name(id=name):
                return self._name(tree, name)
            case ast.Call(func=ast.Name(id=name)):
                return self._call(tree, name)
            case ast.Attribute(value=value, attr=name):
                return self._fact(tree, self.expression(value), name)
            case ast.Compare():
                return self._compare(tree)
            case ast.Constant(value=value):
                return self._constant(tree, value)
            case ast.BoolOp(op=op, values=values):
                word = "and" if isinstance(op, ast.And) else "or"
                return junction(word, [self.wanted(value, TRUTH) for value in values])
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return negation(self.wanted(operand, TRUTH))
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))) if not (
                isinstance(value, bool)
            ):
                return self._constant(tree, -value)
            case ast.BinOp(op=ast.Add() | ast.Sub() as op, left=left, right=right):
                first, second = self.wanted(left, NUMBER), self.wanted(right, NUMBER)
                sign = "+" if isinstance(op, ast.Add) else "-"
                return syntax.Arithmetic(sign, first, second)
            case ast.IfExp():
                return self._choice(tree)
            case ast.Call():
                self.fail(tree, "only names can be called, such as all(...) or path(m)")
        self.fail(tree, advice.not_in_the_language(tree))

    def wanted(self, tree: ast.expr, wanted: Type) -> Expression:
        found = self._as_member(tree, self.expression(tree), wanted)
        if not _fits(found.type, wanted):
            self.fail(tree, advice.not_of_type(found.type, wanted))
        return found

    def _as_member(self, tree: ast.expr, found: Expression, wanted: Type) -> Expression:
        """Turn a text into the member of a domain or the power, if one is wanted."""
        if not isinstance(found, Constant) or found.type != TEXT:
            return found
        if wanted == POWER:
            named = self.checker.names.powers.code(str(found.value), partial(self.fail, tree))
            return Constant(named, POWER)
        if not wanted.members:
            return found
        value = wanted.member(str(found.value))
        if value is None:
            hint = advice.nearest(str(found.value), dict.fromkeys(wanted.names))
            error = partial(UnknownMemberError, domain=wanted.name, member=str(found.value))
            self.source.fail(tree, f"{wanted} is never {found.value!r}{hint}", error)
        return Constant(value, wanted)

    def _constant(self, tree: ast.expr, value: object) -> Expression:
        if isinstance(value, bool):
            return Constant(value, TRUTH)
        if isinstance(value, int):
            if abs(value) > MAX_NUMBER:
                self.fail(tree, f"numbers range from -{MAX_NUMBER} to {MAX_NUMBER}")
            return Constant(value, NUMBER)
        if isinstance(value, str):
            return Constant(value, TEXT)
        self.fail(tree, "a constant is a whole number, true, false or a quoted text")

    def _name(self, tree: ast.expr, name: str) -> Expression:
        if name in self.scope:
            return self.scope[name]
        if name == BASE:
            return self._base(tree)
        if name in ("true", "false"):
            return Constant(name == "true", TRUTH)
        if name == "phase":
            return syntax.CurrentPhase()
        names = self.checker.names
        if name in names.declared.options:
            kind = Type(name, None, names.declared.options[name])
            return Constant(names.declared.chosen[name], kind)
        if name in names.broken:
            raise Consequence
        kind_called = ENTITIES.get(name) or names.declared.types.get(name)
        if kind_called is not None:
            return syntax.AllOf(kind_called)
        if name == KEPT:
            self.fail(tree, f"write `{BASE}: {KEPT}` to keep the conditions of the files below")
        known = {**self.scope, **dict.fromkeys(names.declared.options)}
        hint = names.as_text(name) or of_removal(name) or advice.nearest(name, known)
        self.fail(tree, f"unknown name {name!r}{hint}")

    def _base(self, tree: ast.expr) -> Expression:
        """What the files below say about this entry, for the same objects."""
        if not self.term.base:
            names = self.checker.names
            self.fail(tree, nothing_below(self.term.name, {**names.decisions, **names.defines}))
        scopes = [_Scope.of(self.checker, below, self.about) for below in self.term.base]
        found = [scope.expression(scope.source.tree) for scope in scopes]
        return found[0] if len(found) == 1 else junction("and", found)

    def _fact(self, tree: ast.expr, of: Expression, name: str) -> Expression:
        if of.type == CYCLE:
            if name in self.checker.names.broken:
                raise Consequence
            if name in CYCLE_FACTS:
                return Fact(of, name, CYCLE_FACTS[name].type)
            decision = self.checker.names.decisions.get(name)
            if decision is None:
                known = {**self.checker.names.decisions, **CYCLE_FACTS}
                self.fail(tree, f"no decision is called {name!r}{advice.nearest(name, known)}")
            return Fact(of, name, set_of(decision.indices[0].type))
        facts = self.checker.names.facts(of.type)
        if of.type == UNIT and name not in facts and name in self.checker.names.broken:
            raise Consequence
        if not facts:
            self.fail(tree, advice.without_facts(of.type, name))
        if name not in facts:
            self.fail(tree, f"a {of.type} has no fact {name!r}{advice.nearest(name, facts)}")
        return Fact(of, name, facts[name].type, declared=name not in FACTS.get(of.type.name, {}))

    def _compare(self, tree: ast.Compare) -> Expression:
        values = [tree.left, *tree.comparators]
        checked = []
        for at, value in enumerate(values):
            before = self.checker.nodes
            checked.append(self.expression(value))
            if 0 < at < len(values) - 1:  # it is part of two comparisons, so its parts count twice
                self.checker.count(self.source, value, self.checker.nodes - before)
        parts: list[Expression] = []
        for at, op in enumerate(tree.ops):
            if type(op) not in COMPARISONS:
                self.fail(tree, "comparisons are ==, !=, <, <=, > and >=")
            left, right, sign = checked[at], checked[at + 1], COMPARISONS[type(op)]
            right = self._as_member(values[at + 1], right, left.type)
            left = self._as_member(values[at], left, right.type)
            self._comparable(values[at + 1], left, right, sign)
            parts.append(comparison(sign, left, right))
        return junction("and", parts)

    def _comparable(self, at: ast.expr, left: Expression, right: Expression, sign: str) -> None:
        if left.type.is_number and right.type.is_number:
            return
        if left.type != right.type:
            self.fail(at, advice.not_comparable(left.type, right.type))
        if left.type.item is not None:
            self.fail(at, "sets cannot be compared; use some(), all() or any()")
        if sign not in ("==", "!="):
            self.fail(at, f"a {left.type} can only be compared with == and !=")
        for fact, text in ((left, right), (right, left)):
            if isinstance(fact, Fact) and isinstance(text, Constant):
                names, kind = self.checker.names, fact.of.type
                word = names.facts(kind).get(fact.name)
                values = () if word is None else word.texts
                if (kind.name, fact.name) in KINDS_OF_UNITS:
                    values = names.declared.unit_words
                if values and text.value not in values:
                    if text.value in names.broken:
                        raise Consequence
                    hint = advice.nearest(str(text.value), dict.fromkeys(values))
                    self.fail(at, f"{fact.name} is never {text.value!r}{hint}")

    def _choice(self, tree: ast.IfExp) -> Expression:
        condition = self.wanted(tree.test, TRUTH)
        then, otherwise = self.expression(tree.body), self.expression(tree.orelse)
        if then.type == otherwise.type:
            kind = then.type
        elif then.type.is_number and otherwise.type.is_number:
            kind = NUMBER
        else:
            self.fail(tree, f"one branch is a {then.type}, the other a {otherwise.type}")
        if not kind.is_number:
            self.fail(tree, f"'if' chooses between truth values or numbers, not {kind}s")
        return choice(condition, then, otherwise, kind)

    def _call(self, tree: ast.Call, name: str) -> Expression:
        if tree.keywords:
            self.fail(tree, "the rule language has no keyword arguments")
        if name in QUANTIFIERS:
            return self._quantifier(tree, name)
        if name == "chain":
            return self._chain(tree)
        if name in PREDICATES:
            return self._predicate(tree, name)
        names = self.checker.names
        if name in names.broken:
            raise Consequence
        if name in names.declared.relations or name in names.declared.features:
            return self._declared(tree, name)
        term = names.defines.get(name) or names.decisions.get(name)
        if term is None:
            known = dict.fromkeys((
                *QUANTIFIERS, *PREDICATES, *names.defines, *names.decisions,
                *names.declared.relations, *names.declared.features,
            ))  # fmt: skip
            self.fail(tree, f"unknown name {name!r}{advice.nearest(name, known)}")
        arguments = self._arguments(tree, name, [index.type for index in term.indices])
        if name in names.decisions and name not in names.defines:
            return syntax.DecisionCall(name, arguments, self.checker.decision_type(name))
        inside = self.checker.inside
        if name in inside:
            loop = " -> ".join([*inside[inside.index(name) :], name])
            self.fail(tree, f"the defined term {name} refers to itself: {loop}")
        inside.append(name)
        body = _Scope.of(self.checker, term, arguments).expression(term.source.tree)
        inside.pop()
        return body

    def _arguments(
        self, tree: ast.Call, name: str, kinds: Sequence[Type]
    ) -> tuple[Expression, ...]:
        """The arguments of a call, one for each type."""
        if len(tree.args) != len(kinds):
            plural = "" if len(kinds) == 1 else "s"
            self.fail(tree, f"{name} takes {len(kinds)} argument{plural}, not {len(tree.args)}")
        return tuple(map(self.wanted, tree.args, kinds))

    def _declared(self, tree: ast.Call, name: str) -> Expression:
        """A declared relation, or a feature of the map."""
        declared = self.checker.names.declared
        if name in declared.features:
            places = [PROVINCE] * declared.features[name] or [POWER]
            return syntax.Feature(name, self._arguments(tree, name, places))
        relation = declared.relations[name]
        kinds = [index.type for index in relation.indices]
        return syntax.Related(name, self._arguments(tree, name, kinds), relation.rows)

    def _predicate(self, tree: ast.Call, name: str) -> Expression:
        if len(tree.args) != 1 and (name != "ring" or not tree.args):
            self.fail(tree, f"{name} takes one set, not {len(tree.args)} arguments")
        domains = []
        kinds = self.checker.names.declared.kinds.values()
        going = {MOVE.name, *(kind.legs for kind in kinds if kind.legs)}
        for argument in tree.args:
            domain = self.expression(argument)
            if domain.type.item is None:
                self.fail(argument, f"{name} takes a set, but this is a {domain.type}")
            if name == "ring" and domain.type.item.name not in going:
                self.fail(argument, f"ring takes a set of Move, but this is a {domain.type}")
            domains.append(domain)
        return syntax.Predicate(name, tuple(domains))

    def _quantifier(self, tree: ast.Call, name: str) -> Expression:
        if len(tree.args) != 1 or not isinstance(tree.args[0], ast.GeneratorExp):
            self.fail(tree, f"write {name}(... for x in set)")
        variable, domain, condition, body = self._generator(tree.args[0])
        kind, wanted = (NUMBER, "a number") if name == "sum" else (TRUTH, "a truth value")
        if not _fits(body.type, kind):
            self.fail(tree.args[0].elt, f"{name} takes {wanted}, but this is a {body.type}")
        return syntax.Quantifier(name, variable, domain, condition, body, kind)

    def _chain(self, tree: ast.Call) -> Expression:
        if len(tree.args) != 3 or not isinstance(tree.args[2], ast.GeneratorExp):
            self.fail(tree, "write chain(start, end, (... for c in set))")
        start, end = self.wanted(tree.args[0], PROVINCE), self.wanted(tree.args[1], PROVINCE)
        variable, domain, condition, body = self._generator(tree.args[2])
        if "province" not in self.checker.names.facts(variable.type):
            self.fail(tree.args[2], f"a {variable.type} has no province")
        if not body.type.is_truth:
            self.fail(tree.args[2].elt, f"chain takes a truth value, but this is a {body.type}")
        return syntax.Chain(start, end, variable, domain, condition, body)

    def _generator(
        self, tree: ast.GeneratorExp
    ) -> tuple[Variable, Expression, Expression | None, Expression]:
        if len(tree.generators) != 1:
            self.fail(tree, "only one 'for'; nest another quantifier instead")
        generator = tree.generators[0]
        if not isinstance(generator.target, ast.Name) or generator.is_async:
            self.fail(tree, "write 'for' with one variable")
        name = generator.target.id
        if name in self.scope:
            self.fail(generator.target, f"the name {name!r} is already taken")
        domain = self.expression(generator.iter)
        if domain.type.item is None:
            self.fail(generator.iter, f"'in' takes a set, but this is a {domain.type}")
        variable = Variable(self.checker.fresh(name), domain.type.item)
        self.checker.quantifiers += 1
        if self.checker.quantifiers > MAX_QUANTIFIERS:
            self.fail(tree, f"more than {MAX_QUANTIFIERS} nested quantifiers")
        inner = _Scope(self.checker, self.term, self.about, {**self.scope, name: variable})
        condition = None
        if generator.ifs:
            condition = junction("and", [inner.wanted(test, TRUTH) for test in generator.ifs])
        body = inner.expression(tree.elt)
        self.checker.quantifiers -= 1
        return variable, domain, condition, body


# --- headings -------------------------------------------------------------------------------------


_EXCLUSIVE = (
    ("define", "decisions"), ("results", "decisions"), ("legal", "decisions"),
    ("results", "define"), ("legal", "define"), ("define", "relations"), ("define", "features"),
)  # fmt: skip
"""Pairs of sections that must not share names, because expressions or people would confuse them."""


class Headings:
    """Reads the headings of a profile's entries. `attempt` notes faults. The words in `broken` have
    faulty declarations."""

    def __init__(self, layers: Layers, attempt: Try, broken: set[str]) -> None:
        self.layers = layers
        self.attempt = attempt
        self.broken = broken
        self.variables: dict[str, Type | None] = {}  # None: its type is unknown

    def read_variables(self, types: Mapping[str, Type]) -> None:
        """Read the type of each index from `variables`; `types` are all known types."""
        for entry in self.layers.section("variables"):
            name, value = entry.name, entry.value
            typed = self.attempt(value.text, "a type")
            self.variables[name] = types.get(typed or "")
            if typed is not None and typed not in types and typed not in self.broken:
                self.attempt(value.refuse, f"{typed!r} is not a type{hint(typed, types, 'use')}")
            elif typed is not None and self.attempt(self._check_type, name, value) is None:
                self.variables[name] = None

    def _check_type(self, name: str, value: Node) -> bool:
        """Refuse a variable that has another type in another file whose headings use it."""
        for other in self.layers.stated("variables", name)[:-1]:
            if other.raw != value.raw and name in self._indices_used.get(other.path, ()):
                problem = f"variable {name!r} has type {value.raw} here and {other.raw} at "
                value.refuse(f"{problem}{other.place}; rename one of the two")
        return True

    @cached_property
    def _indices_used(self) -> Mapping[str, set[str]]:
        """File -> the indices in the headings of those of its entries that are in force."""
        found: dict[str, set[str]] = {}
        for section in ("relations", "orders", "define", "legal", "decisions", "results"):
            for stated in self.layers.entries(section).values():
                for entry in still_stated(stated):
                    found.setdefault(entry.section.path, set()).update(entry.indices)
        return found

    def read(self, entry: Stated) -> tuple[str, tuple[Variable, ...]]:
        """The name and the indices of an entry. Raises `ProfileError`, or `Consequence` for an
        index with a faulty type."""
        name, indices = parse_heading(entry.key, entry.section)
        for index in indices:
            if index not in self.variables:
                if index in self.broken:  # in a section whose name is misspelt
                    raise Consequence
                entry.fail(self._undeclared(index, name, indices))
        kinds = ((index, self.variables[index]) for index in indices)
        found = tuple(Variable(index, kind) for index, kind in kinds if kind is not None)
        if len(found) < len(indices):
            raise Consequence
        return name, found

    def _undeclared(self, index: str, name: str, indices: Sequence[str]) -> str:
        """The message for an undeclared index, with the declaration to write. Some entries fix its
        type. Otherwise it mostly stands for a build or, in a relation, a power."""
        types = PLACES.get(name, ())
        if types and len(types) < len(indices):
            return f"{name} has too many indices; it is about a {' and a '.join(map(str, types))}"
        at = indices.index(index)
        usual = BUILD if index.startswith("b") else POWER
        stands_for = types[at] if at < len(types) else usual
        write = f"write for example `variables: {{{index}: {stands_for}}}`"
        known = ", ".join(self.variables)
        return f"index {index!r} is not declared under `variables`; {write}; declared: {known}"

    def check_replacement(self, stated: Sequence[Stated]) -> None:
        """Refuse entries in force whose indices have other types than the earliest entry of that
        name: everything that uses them would be wrong. Raises `ProfileError`, or `Consequence`."""
        first, place, _ = stated[0]
        wanted = self.read(stated[0])[1]
        for entry in still_stated(stated):
            key, own = entry.key, entry.indices
            if entry.section is place:
                continue
            if own and len(own) != len(wanted):  # explains an undeclared index, too
                types = ", ".join(str(index.type) for index in wanted)
                wrong = "many" if len(wanted) < len(own) else "few"
                problem = f"{key} has too {wrong} indices; {first}, which it replaces, has "
                entry.fail(f"{problem}{len(wanted)}: {types}")
            found = self.read(entry)[1]
            for one, other in zip(wanted, found, strict=True):
                if one.type != other.type:
                    problem = f"{key} replaces {first}, where {one.name} is a {one.type}"
                    entry.fail(f"{problem}; here {other.name} is a {other.type}")

    def refuse_names_of_others(self) -> None:
        """Note entries with the name of a word, or of an entry in another section. Of two such
        entries, the one in the later file is at fault."""
        for entry in self.layers.section("define"):
            if entry.name in (BASE, *QUANTIFIERS, *PREDICATES):
                self.attempt(entry.fail, name_is_taken(entry.name))
                self.broken.add(entry.name)
        files = [root.path for root in self.layers.heads]
        for one, other in _EXCLUSIVE:
            ours, theirs = self.layers.entries(one), self.layers.entries(other)
            for name in ours.keys() & theirs.keys():
                found = (ours[name][0], other), (theirs[name][0], one)
                entry, where = max(found, key=lambda two: files.index(two[0].section.path))
                self.attempt(entry.fail, name_is_taken(name, where))
                self.broken.add(name)


def names_stated(root: Node, leaving_out: Collection[str]) -> set[str]:
    """The names of all keys in a file, without their indices, except in sections `leaving_out`."""
    sections = (node for key, node in root.mapping().items() if key not in leaving_out)
    parts = (part for section in sections for part in section.walk())
    mappings = (part.value for part in parts if isinstance(part.value, dict))
    return {key.partition("(")[0] for mapping in mappings for key in mapping}


# --- legal ----------------------------------------------------------------------------------------


_ORDERS = (MOVE, SUPPORT, CONVOY, RETREAT, BUILD)


def read_condition(checker: Checker, term: Definition, entry: Stated) -> Formula:
    """The checked condition of an entry. Raises `ProfileError`."""
    types = tuple(index.type for index in term.indices)
    if term.name in PLACES and types != PLACES[term.name]:
        about = " and a ".join(str(kind) for kind in PLACES[term.name])
        entry.fail(f"{term.name} is about a {about}")
    if term.name not in PLACES and (len(types) != 1 or types[0] not in _ORDERS):
        kinds = ", ".join(str(kind) for kind in _ORDERS)
        entry.fail(f"a condition is about one order: {kinds}{hint(term.name, PLACES)}")
    expression = checker.check_term(term, term.indices, TRUTH)
    known = FIXED if term.name == CONVOYS_IN else KNOWN_EARLY
    for fault in _unknown_then(expression, known):
        term.source.node.refuse(fault)
    return Formula(term.name, term.indices, expression, term.source.node.path)


def _unknown_then(node: Expression, known: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Messages about parts of an expression that are not known when a single order is judged."""
    if node.has_decision:
        yield "this depends on decisions, but orders are judged before anything is decided"
    elif isinstance(node, syntax.Chain) or getattr(node, "op", "") == "ring":
        yield "rings and chains need several orders, but here each order is judged alone"
    elif isinstance(node, syntax.AllOf) and str(node.of) in ENTITIES:
        if node.of not in (UNIT, PROVINCE) or str(node.of) not in known:
            yield f"the other objects of type {node.of} are not known when this is judged"
    elif isinstance(node, Fact) and not node.type.members:
        facts = known.get(str(node.of.type), ())
        if node.name not in facts:
            one_of = f"; known: {', '.join(facts)}" if facts else ""
            yield f"the fact {node.name} is not known when this is judged{one_of}"
    for part in children(node):
        yield from _unknown_then(part, known)


def negation(part: Expression) -> Expression:
    """The negation of `part`."""
    if isinstance(part, Constant):
        return Constant(not part.value, TRUTH)
    return syntax.Not(part)


def junction(op: str, parts: Iterable[Expression]) -> Expression:
    """The parts joined by `op`; without parts, true for `and` and false for `or`."""
    left: list[Expression] = []
    for part in parts:
        if isinstance(part, Constant):
            if part.value is not (op == "and"):
                return part
            continue
        left.append(part)
    if not left:
        return Constant(op == "and", TRUTH)
    return left[0] if len(left) == 1 else syntax.Junction(op, tuple(left))


def comparison(sign: str, left: Expression, right: Expression) -> Expression:
    """`left sign right`."""
    if isinstance(left, Constant) and isinstance(right, Constant) and sign in ("==", "!="):
        return Constant((left.value == right.value) is (sign == "=="), TRUTH)
    return syntax.Compare(sign, left, right)


def choice(
    condition: Expression, then: Expression, otherwise: Expression, kind: Type
) -> Expression:
    """`then if condition else otherwise`."""
    if isinstance(condition, Constant):
        return then if condition.value else otherwise
    return syntax.Choice(condition, then, otherwise, kind)
