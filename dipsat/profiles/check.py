"""Checking expressions: names, types and arity; defined terms are put in place.

A profile that passes can be grounded for any position. Every refusal names the place and, where
there is one, the nearest right name.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import NoReturn

from dipsat.errors import nearest_names
from dipsat.profiles.operators import COMPARISONS, SIGNS, WORDS
from dipsat.profiles.parse import Source
from dipsat.profiles.syntax import (
    Arithmetic,
    Chain,
    Choice,
    Compare,
    Constant,
    DecisionCall,
    Expression,
    Fact,
    Junction,
    Not,
    Predicate,
    Quantifier,
    Variable,
)
from dipsat.profiles.types import (
    CYCLE,
    ENTITIES,
    NUMBER,
    PROVINCE,
    TEXT,
    TRUTH,
    Type,
    set_of,
)
from dipsat.profiles.vocabulary import CYCLE_FACTS, FACTS, PREDICATES, QUANTIFIERS, TEXT_VALUES

MAX_NODES = 5000  # of one equation with all defined terms put in place
MAX_TOTAL = 20_000  # of all equations of a profile together
MAX_LEVELS = 40  # of one equation
MAX_QUANTIFIERS = 5  # inside one another: the time they take grows with this power
MAX_NUMBER = 1000
_MAX_LISTED = 40  # names that a message lists


@dataclass(frozen=True, slots=True)
class Term:
    """A heading with its expression, before checking: `backing(m): sum(...)`."""

    name: str
    indices: tuple[Variable, ...]
    source: Source


class Consequence(Exception):  # noqa: N818  # no error of its own: its cause is told elsewhere
    """An expression that cannot be checked because something it refers to is faulty."""


@dataclass
class Names:
    """What an expression of the profile may refer to, besides the vocabulary. `broken` are names
    whose own text is faulty."""

    defines: Mapping[str, Term]
    decisions: Mapping[str, Term]
    truths: Collection[str]
    broken: Collection[str] = ()
    parts: int = 0
    _types: dict[str, Type | None] = field(default_factory=dict)

    def decision_type(self, name: str) -> Type:
        """The type of a decision: a truth value if it is one of `truths` (verdicts, and what has
        named conditions), else read from the form of its equation.

        Raises `ProfileError` at the equation if its form does not tell.
        """
        if name not in self._types:
            self._types[name] = None
            self._types[name] = TRUTH if name in self.truths else self._infer(name)
        found = self._types[name]
        if found is None:
            source = self.decisions[name].source
            source.fail(source.tree, f"cannot tell whether {name} is a truth value or a number")
        return found

    def _infer(self, name: str) -> Type | None:
        term = self.decisions[name]
        found = self._form(term.source.tree)
        if found is not None:
            return found
        try:  # the form does not tell, but the checker may, or say what is wrong with it
            kind = Checker(self).check(term.source, term.indices).type
        finally:
            del self._types[name]
        if not kind.is_number:
            problem = f"an equation gives a truth value or a number, not a {kind}"
            term.source.fail(term.source.tree, problem)
        return kind

    def _form(self, tree: ast.expr) -> Type | None:
        match tree:
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                return TRUTH
            case ast.Constant(value=bool()):
                return TRUTH
            case ast.Constant(value=int()):
                return NUMBER
            case ast.BinOp() | ast.UnaryOp():
                return NUMBER
            case ast.IfExp(body=body, orelse=orelse):
                return self._form(body) or self._form(orelse)
            case ast.Call(func=ast.Name(id="sum")):
                return NUMBER
            case ast.Call(func=ast.Name(id=called)) if called in self.defines:
                key = f"define {called}"
                if key not in self._types:
                    self._types[key] = None
                    self._types[key] = self._form(self.defines[called].source.tree)
                return self._types[key]
            case ast.Call(func=ast.Name(id=called)) if called in self.decisions:
                if called not in self._types:
                    self._types[called] = None
                    self._types[called] = self._infer(called)
                return self._types[called]
            case ast.Call():
                return TRUTH
        return None


class Checker:
    """Checks expressions of one profile."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._fresh = 0
        self._nodes = 0
        self._inside: list[str] = []
        self.levels = 0
        self.quantifiers = 0

    def check(
        self, source: Source, indices: tuple[Variable, ...], wanted: Type | None = None
    ) -> Expression:
        """The typed expression of `source`; `wanted` is the type it must have.

        Raises `ProfileError` with file, line and column.
        """
        self._fresh = 0
        self._nodes = 0
        self._inside = []
        self.levels = 0
        self.quantifiers = 0
        scope: dict[str, Expression] = {index.name: index for index in indices}
        found = _Scope(self, source, scope).expression(source.tree)
        if wanted is not None and not _fits(found.type, wanted):
            source.fail(source.tree, f"this should be a {wanted}, but it is a {found.type}")
        return found

    def fresh(self, name: str) -> str:
        """A variable name that nothing else in the expression can have."""
        self._fresh += 1
        return f"{name}#{self._fresh}"

    def count(self, source: Source, part: ast.AST) -> None:
        """Count one node; refuse expressions that grow too large."""
        self._nodes += 1
        self.names.parts += 1
        if self._nodes > MAX_NODES:
            source.fail(part, f"with its defined terms this has more than {MAX_NODES} parts")
        if self.names.parts > MAX_TOTAL:
            source.fail(part, f"the profile has more than {MAX_TOTAL} parts in all")

    def deeper(self, source: Source, part: ast.AST) -> None:
        """Go one level down; refuse expressions that are nested too deep."""
        self.levels += 1
        if self.levels > MAX_LEVELS:
            source.fail(part, f"with its defined terms this has more than {MAX_LEVELS} levels")

    def enter(self, name: str, source: Source, part: ast.AST) -> None:
        """Begin to put a defined term in place; refuse recursion."""
        if name in self._inside:
            loop = " -> ".join([*self._inside[self._inside.index(name) :], name])
            source.fail(part, f"the defined term {name} refers to itself: {loop}")
        self._inside.append(name)

    def leave(self) -> None:
        """End putting a defined term in place."""
        self._inside.pop()


def _fits(found: Type, wanted: Type) -> bool:
    return found == wanted or (wanted.name == "number" and found.is_number)


class _Scope:
    """The names that stand for something at one place of an expression."""

    def __init__(self, checker: Checker, source: Source, scope: dict[str, Expression]) -> None:
        self.checker = checker
        self.source = source
        self.scope = scope

    def fail(self, part: ast.AST, problem: str) -> NoReturn:
        self.source.fail(part, problem)

    def expression(self, tree: ast.expr) -> Expression:
        self.checker.count(self.source, tree)
        self.checker.deeper(self.source, tree)
        found = self._expression(tree)
        self.checker.levels -= 1
        return found

    def _expression(self, tree: ast.expr) -> Expression:
        match tree:
            case ast.Constant(value=value):
                return self._constant(tree, value)
            case ast.Name(id=name):
                return self._name(tree, name)
            case ast.Attribute(value=value, attr=name):
                return self._fact(tree, self.expression(value), name)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                part = self.wanted(operand, TRUTH)
                return Not(part, TRUTH, part.open)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))) if not (
                isinstance(value, bool)
            ):
                return self._constant(tree, -value)
            case ast.BoolOp(op=op, values=values):
                parts = tuple(self.wanted(value, TRUTH) for value in values)
                word = "and" if isinstance(op, ast.And) else "or"
                return Junction(word, parts, TRUTH, any(part.open for part in parts))
            case ast.Compare():
                return self._compare(tree)
            case ast.BinOp(op=ast.Add() | ast.Sub() as op, left=left, right=right):
                first, second = self.wanted(left, NUMBER), self.wanted(right, NUMBER)
                sign = "+" if isinstance(op, ast.Add) else "-"
                return Arithmetic(sign, first, second, NUMBER, first.open or second.open)
            case ast.IfExp():
                return self._choice(tree)
            case ast.Call(func=ast.Name(id=name)):
                return self._call(tree, name)
            case ast.Call():
                self.fail(tree, "only names can be called, such as all(...) or path(m)")
            case ast.BinOp() | ast.UnaryOp():
                sign = SIGNS.get(type(tree.op), "this sign")
                self.fail(tree, f"{sign} is not part of the rule language")
        what = WORDS.get(type(tree), "this")
        self.fail(tree, f"{what} is not part of the rule language")

    def wanted(self, tree: ast.expr, wanted: Type) -> Expression:
        found = self.expression(tree)
        if not _fits(found.type, wanted):
            self.fail(tree, f"this should be a {wanted}, but it is a {found.type}")
        return found

    def _constant(self, tree: ast.expr, value: object) -> Expression:
        if isinstance(value, bool):
            return Constant(value, TRUTH)
        if isinstance(value, int):
            if abs(value) > MAX_NUMBER:
                self.fail(tree, f"numbers go from -{MAX_NUMBER} to {MAX_NUMBER}")
            return Constant(value, NUMBER)
        if isinstance(value, str):
            return Constant(value, TEXT)
        self.fail(tree, "a constant is a whole number, True, False or a quoted text")

    def _name(self, tree: ast.expr, name: str) -> Expression:
        if name in self.scope:
            return self.scope[name]
        if name in ("true", "false"):
            return Constant(name == "true", TRUTH)
        self.fail(tree, f"unknown name {name!r}{self._hint(name, self.scope)}")

    def _fact(self, tree: ast.expr, of: Expression, name: str) -> Expression:
        if of.type == CYCLE:
            if name in self.checker.names.broken:
                raise Consequence
            if name in CYCLE_FACTS:
                return Fact(of, name, CYCLE_FACTS[name][0])
            decision = self.checker.names.decisions.get(name)
            if decision is None:
                known = {**self.checker.names.decisions, **CYCLE_FACTS}
                self.fail(tree, f"no decision is called {name!r}{self._hint(name, known)}")
            return Fact(of, name, set_of(decision.indices[0].type))
        facts = FACTS.get(of.type.name)
        if facts is None:
            self.fail(tree, f"a {of.type} has no facts, so .{name} means nothing")
        if name not in facts:
            self.fail(tree, f"a {of.type} has no fact {name!r}{self._hint(name, facts)}")
        return Fact(of, name, facts[name][0])

    @staticmethod
    def _hint(name: str, known: Mapping[str, object]) -> str:
        close = nearest_names(name, known, 1)
        if close:
            return f"; did you mean {close[0]!r}?"
        return f"; known here: {', '.join(known)}" if 0 < len(known) <= _MAX_LISTED else ""

    def _compare(self, tree: ast.Compare) -> Expression:
        values = [tree.left, *tree.comparators]
        checked = [self.expression(value) for value in values]
        parts: list[Expression] = []
        for at, op in enumerate(tree.ops):
            if type(op) not in COMPARISONS:
                self.fail(tree, "comparisons are ==, !=, <, <=, > and >=")
            left, right, sign = checked[at], checked[at + 1], COMPARISONS[type(op)]
            self._comparable(values[at + 1], left, right, sign)
            parts.append(Compare(sign, left, right, TRUTH, left.open or right.open))
        if len(parts) == 1:
            return parts[0]
        return Junction("and", tuple(parts), TRUTH, any(part.open for part in parts))

    def _comparable(self, at: ast.expr, left: Expression, right: Expression, sign: str) -> None:
        if left.type.is_number and right.type.is_number:
            return
        if left.type != right.type:
            self.fail(at, f"a {left.type} cannot be compared with a {right.type}")
        if left.type.item is not None:
            self.fail(at, "sets cannot be compared; use some(), all() or any()")
        if sign not in ("==", "!="):
            self.fail(at, f"a {left.type} can only be compared with == and !=")
        for fact, text in ((left, right), (right, left)):
            if isinstance(fact, Fact) and isinstance(text, Constant):
                values = TEXT_VALUES.get((fact.of.type.name, fact.name))
                if values is not None and text.value not in values:
                    known = dict.fromkeys(values)
                    self.fail(
                        at,
                        f"{fact.name} is never {text.value!r}{self._hint(str(text.value), known)}",
                    )

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
        unknown = condition.open or then.open or otherwise.open
        return Choice(condition, then, otherwise, kind, unknown)

    def _call(self, tree: ast.Call, name: str) -> Expression:
        if tree.keywords:
            self.fail(tree, "arguments have no names in the rule language")
        if name in QUANTIFIERS:
            return self._quantifier(tree, name)
        if name == "chain":
            return self._chain(tree)
        if name in PREDICATES:
            return self._predicate(tree, name)
        names = self.checker.names
        if name in names.broken:
            raise Consequence
        term = names.defines.get(name) or names.decisions.get(name)
        if term is None:
            known = dict.fromkeys((*QUANTIFIERS, *PREDICATES, *names.defines, *names.decisions))
            self.fail(tree, f"unknown name {name!r}{self._hint(name, known)}")
        if len(tree.args) != len(term.indices):
            plural = "" if len(term.indices) == 1 else "s"
            self.fail(tree, f"{name} takes {len(term.indices)} argument{plural}, "
                            f"not {len(tree.args)}")  # fmt: skip
        arguments = []
        for argument, index in zip(tree.args, term.indices, strict=True):
            arguments.append(self.wanted(argument, index.type))
        if name in names.decisions and name not in names.defines:
            kind = names.decision_type(name)
            return DecisionCall(name, arguments[0], kind)
        self.checker.enter(name, self.source, tree)
        scope = {index.name: value for index, value in zip(term.indices, arguments, strict=True)}
        body = _Scope(self.checker, term.source, scope).expression(term.source.tree)
        self.checker.leave()
        return body

    def _predicate(self, tree: ast.Call, name: str) -> Expression:
        if len(tree.args) != 1:
            self.fail(tree, f"{name} takes one set, not {len(tree.args)} arguments")
        domain = self.expression(tree.args[0])
        if domain.type.item is None:
            self.fail(tree.args[0], f"{name} takes a set, but this is a {domain.type}")
        if name == "ring" and domain.type.item != ENTITIES["Move"]:
            self.fail(tree.args[0], f"ring takes a set of Move, but this is a {domain.type}")
        return Predicate(name, domain, TRUTH)

    def _quantifier(self, tree: ast.Call, name: str) -> Expression:
        if len(tree.args) != 1 or not isinstance(tree.args[0], ast.GeneratorExp):
            self.fail(tree, f"{name} is written {name}(... for x in set)")
        variable, domain, condition, body = self._generator(tree.args[0])
        if not _fits(body.type, NUMBER if name == "sum" else TRUTH):
            wanted = "a number" if name == "sum" else "a truth value"
            self.fail(tree.args[0].elt, f"{name} takes {wanted}, but this is a {body.type}")
        kind = NUMBER if name == "sum" else TRUTH
        unknown = body.open or (condition is not None and condition.open)
        return Quantifier(name, variable, domain, condition, body, kind, unknown)

    def _chain(self, tree: ast.Call) -> Expression:
        if len(tree.args) != 3 or not isinstance(tree.args[2], ast.GeneratorExp):
            self.fail(tree, "chain is written chain(start, end, (... for c in set))")
        start, end = self.wanted(tree.args[0], PROVINCE), self.wanted(tree.args[1], PROVINCE)
        variable, domain, condition, body = self._generator(tree.args[2])
        if "province" not in FACTS.get(variable.type.name, {}):
            self.fail(tree.args[2], f"a {variable.type} stands in no province")
        if not body.type.is_truth:
            self.fail(tree.args[2].elt, f"chain takes a truth value, but this is a {body.type}")
        unknown = body.open or (condition is not None and condition.open)
        return Chain(start, end, variable, domain, condition, body, TRUTH, unknown)

    def _generator(
        self, tree: ast.GeneratorExp
    ) -> tuple[Variable, Expression, Expression | None, Expression]:
        if len(tree.generators) != 1:
            self.fail(tree, "one 'for' at a time; nest another quantifier instead")
        generator = tree.generators[0]
        if not isinstance(generator.target, ast.Name) or generator.is_async:
            self.fail(tree, "write 'for' with one variable")
        name = generator.target.id
        if name in self.scope:
            self.fail(generator.target, f"the name {name!r} already stands for something")
        domain = self.expression(generator.iter)
        if domain.type.item is None:
            self.fail(generator.iter, f"'in' takes a set, but this is a {domain.type}")
        variable = Variable(self.checker.fresh(name), domain.type.item)
        self.checker.quantifiers += 1
        if self.checker.quantifiers > MAX_QUANTIFIERS:
            self.fail(tree, f"more than {MAX_QUANTIFIERS} quantifiers inside one another")
        inner = _Scope(self.checker, self.source, {**self.scope, name: variable})
        condition = None
        if generator.ifs:
            parts = tuple(inner.wanted(test, TRUTH) for test in generator.ifs)
            unknown = any(part.open for part in parts)
            condition = parts[0] if len(parts) == 1 else Junction("and", parts, TRUTH, unknown)
        body = inner.expression(tree.elt)
        self.checker.quantifiers -= 1
        return variable, domain, condition, body
