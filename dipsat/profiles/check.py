"""Check expressions for names, types and arity, and expand defined terms.

A profile that passes can be grounded for any position. Every refusal names the place and, where
there is one, the nearest valid name.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NoReturn

from dipsat.errors import UnknownMemberError
from dipsat.language import advice
from dipsat.language.parse import COMPARISONS, Source
from dipsat.language.syntax import (
    AllOf,
    Arithmetic,
    Chain,
    Constant,
    CurrentPhase,
    DecisionCall,
    Expression,
    Fact,
    Feature,
    Predicate,
    Quantifier,
    Related,
    Variable,
    choice,
    comparison,
    junction,
    negation,
)
from dipsat.language.types import (
    CYCLE,
    MOVE,
    NUMBER,
    PHASE,
    POWER,
    PROVINCE,
    TEXT,
    TRUTH,
    UNIT,
    Type,
    set_of,
)
from dipsat.language.vocabulary import CYCLE_FACTS, PREDICATES, QUANTIFIERS
from dipsat.profiles.additions import BASE, KEPT, nothing_below, of_removal
from dipsat.profiles.known import Consequence, Definition, Names, is_declared

MAX_NODES = 5000  # of one equation with all defined terms expanded
MAX_TOTAL = 20_000  # of all equations of a profile together
MAX_LEVELS = 40  # of one equation
MAX_QUANTIFIERS = 5  # nested: grounding time grows exponentially with their number
MAX_NUMBER = 1000


class Checker:
    """Checks the expressions of one profile."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._inside: list[str] = []
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
        """As `check`, for a term whose indices stand for the variables `about`."""
        self._inside = []
        self._fresh = self.nodes = self.levels = self.quantifiers = 0
        found = _Scope.of(self, term, about).expression(term.source.tree)
        if wanted is not None and not _fits(found.type, wanted):
            term.source.fail(term.source.tree, advice.not_of_type(found.type, wanted))
        return found

    def decision_type(self, name: str) -> Type:
        """The type of a decision; see `Names.decision_type`."""
        return self.names.decision_type(name, _checked_type)

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

    def deeper(self, source: Source, part: ast.AST) -> None:
        """Go one level down; refuse expressions that are nested too deep."""
        self.levels += 1
        if self.levels > MAX_LEVELS:
            source.fail(part, f"with its terms expanded, this has more than {MAX_LEVELS} levels")

    def enter(self, name: str, source: Source, part: ast.AST) -> None:
        """Begin to expand a defined term; refuse recursion."""
        if name in self._inside:
            loop = " -> ".join([*self._inside[self._inside.index(name) :], name])
            source.fail(part, f"the defined term {name} refers to itself: {loop}")
        self._inside.append(name)

    def leave(self) -> None:
        """Finish expanding a defined term."""
        self._inside.pop()


def _checked_type(names: Names, term: Definition) -> Type:
    return Checker(names).check_term(term, term.indices).type


def _fits(found: Type, wanted: Type) -> bool:
    return found == wanted or (wanted.name == "number" and found.is_number)


@dataclass(frozen=True, slots=True)
class _Scope:
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
        checker, source = self.checker, self.term.source
        checker.count(source, tree)
        checker.deeper(source, tree)
        found = self._expression(tree)
        checker.levels -= 1
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
                return negation(self.wanted(operand, TRUTH))
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))) if not (
                isinstance(value, bool)
            ):
                return self._constant(tree, -value)
            case ast.BoolOp(op=op, values=values):
                word = "and" if isinstance(op, ast.And) else "or"
                return junction(word, [self.wanted(value, TRUTH) for value in values])
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
        if wanted == POWER and self.checker.names.powers is not None:
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
        self.fail(tree, "a constant is a whole number, True, False or a quoted text")

    def _name(self, tree: ast.expr, name: str) -> Expression:
        if name in self.scope:
            return self.scope[name]
        if name == BASE:
            return self._base(tree)
        if name in ("true", "false"):
            return Constant(name == "true", TRUTH)
        if name == "phase":
            return CurrentPhase(PHASE)
        names = self.checker.names
        if name in names.declared.options:
            kind = Type(name, None, names.declared.options[name])
            return Constant(names.declared.chosen[name], kind)
        if name in names.broken:
            raise Consequence
        kind_called = names.type_called(name)
        if kind_called is not None:
            return AllOf(kind_called, set_of(kind_called))
        if name == KEPT:
            self.fail(tree, f"write `{BASE}: {KEPT}` to keep the conditions of the files below")
        known = {**self.scope, **dict.fromkeys(names.declared.options)}
        hint = names.as_text(name) or of_removal(name) or advice.nearest(name, known)
        self.fail(tree, f"unknown name {name!r}{hint}")

    def _base(self, tree: ast.expr) -> Expression:
        """What the files below say of this entry, about the same objects."""
        if not self.term.base:
            self.fail(tree, nothing_below(self.term.name, self.checker.names.stated))
        found = []
        for below in self.term.base:
            found.append(_Scope.of(self.checker, below, self.about).expression(below.source.tree))
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
        return Fact(of, name, facts[name].type, declared=is_declared(of.type, name))

    def _compare(self, tree: ast.Compare) -> Expression:
        values = [tree.left, *tree.comparators]
        checked = self._operands(values)
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

    def _operands(self, values: list[ast.expr]) -> list[Expression]:
        """The checked operands of a comparison. In `a < b < c`, the one between two signs is part
        of two comparisons, so its parts count twice; else nested ones would double unseen."""
        checked = []
        for at, value in enumerate(values):
            before = self.checker.nodes
            checked.append(self.expression(value))
            if 0 < at < len(values) - 1:
                self.checker.count(self.source, value, self.checker.nodes - before)
        return checked

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
                values = self.checker.names.text_values(fact.of.type, fact.name)
                if values is not None and text.value not in values:
                    if text.value in self.checker.names.broken:
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
            return DecisionCall(name, arguments, self.checker.decision_type(name))
        self.checker.enter(name, self.source, tree)
        body = _Scope.of(self.checker, term, arguments).expression(term.source.tree)
        self.checker.leave()
        return body

    def _arguments(
        self, tree: ast.Call, name: str, kinds: Sequence[Type]
    ) -> tuple[Expression, ...]:
        """The arguments of a call, one of each type."""
        if len(tree.args) != len(kinds):
            plural = "" if len(kinds) == 1 else "s"
            problem = f"{name} takes {len(kinds)} argument{plural}, not {len(tree.args)}"
            self.fail(tree, problem)
        pairs = zip(tree.args, kinds, strict=True)
        return tuple(self.wanted(argument, kind) for argument, kind in pairs)

    def _declared(self, tree: ast.Call, name: str) -> Expression:
        """A declared relation, or a feature of the map."""
        declared = self.checker.names.declared
        if name in declared.features:
            places = [PROVINCE] * declared.features[name] or [POWER]
            return Feature(name, self._arguments(tree, name, places), TRUTH)
        relation = declared.relations[name]
        kinds = [index.type for index in relation.indices]
        return Related(name, self._arguments(tree, name, kinds), relation.rows, TRUTH)

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
        return Predicate(name, tuple(domains), TRUTH)

    def _quantifier(self, tree: ast.Call, name: str) -> Expression:
        if len(tree.args) != 1 or not isinstance(tree.args[0], ast.GeneratorExp):
            self.fail(tree, f"write {name}(... for x in set)")
        variable, domain, condition, body = self._generator(tree.args[0])
        if not _fits(body.type, NUMBER if name == "sum" else TRUTH):
            wanted = "a number" if name == "sum" else "a truth value"
            self.fail(tree.args[0].elt, f"{name} takes {wanted}, but this is a {body.type}")
        kind = NUMBER if name == "sum" else TRUTH
        unknown = body.open or (condition is not None and condition.open)
        return Quantifier(name, variable, domain, condition, body, kind, unknown)

    def _chain(self, tree: ast.Call) -> Expression:
        if len(tree.args) != 3 or not isinstance(tree.args[2], ast.GeneratorExp):
            self.fail(tree, "write chain(start, end, (... for c in set))")
        start, end = self.wanted(tree.args[0], PROVINCE), self.wanted(tree.args[1], PROVINCE)
        variable, domain, condition, body = self._generator(tree.args[2])
        if "province" not in self.checker.names.facts(variable.type):
            self.fail(tree.args[2], f"a {variable.type} has no province")
        if not body.type.is_truth:
            self.fail(tree.args[2].elt, f"chain takes a truth value, but this is a {body.type}")
        unknown = body.open or (condition is not None and condition.open)
        return Chain(start, end, variable, domain, condition, body, TRUTH, unknown)

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
