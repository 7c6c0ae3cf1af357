"""An equation as a first-order formula about any board.

What holds on every board is a theory in SMT-LIB 2: the facts of a movement phase. It fixes no map,
no number of units and no owners. What follows from it holds for every phase that `dipsat.equations`
can build; the tests check each definition and each axiom on such phases. It is weaker than the
facts (a unit may reach any province here), which is the safe side: what it excludes is impossible.
The names are those of `dipsat.language.vocabulary`, as `Type.fact`; a set is a relation.

Formulas are SMT-LIB 2 texts. There are two readings of an equation: the decisions that it mentions,
each with the facts that this needs; and its value, where sums and chains may have any value. Both
over-approximate, so whatever they exclude is excluded on every board.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from dipsat.equations.phase import is_single
from dipsat.language.syntax import (
    POWER,
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
    decision_calls,
    parts_of_all,
)
from dipsat.language.vocabulary import FACTS, Word
from dipsat.profiles.profile import Profile
from dipsat.terms.smtlib import symbol_text

SORTS = ("Province", "Unit", "Move", "Support", "Convoy", "Power", "Text")

_SORTS = {"truth": "Bool", "text": "Text"}


def definition_of(word: Word, kind: str) -> str:
    """What a word of a type is for x, or when y is in the set of x; "" if that is up to the
    axioms."""
    if not word.path:
        return word.theory
    name, then = word.path.split(".")
    return f"({FACTS[kind][name].type}.{then} ({kind}.{name} x))"


def declarations() -> list[str]:
    """All words about the sorts, those with a definition after those that it uses."""
    found = []
    for kind, name, word in ((k, n, w) for k in SORTS for n, w in FACTS.get(k, {}).items()):
        text, item = definition_of(word, kind), word.type.item
        sorts = [kind, *([] if item is None else [item.name])]
        value = "Bool" if item is not None else _SORTS.get(word.type.name, word.type.name)
        if text:
            bound = " ".join(f"({x} {sort})" for x, sort in zip("xy", sorts, strict=False))
            line = f"(define-fun {kind}.{name} ({bound}) {value} {text})"
        else:
            line = f"(declare-fun {kind}.{name} ({' '.join(sorts)}) {value})"
        found.append((bool(text), item is not None, line))
    return [line for *_, line in sorted(found)]


AXIOMS = {
    "one unit in a province": (
        "(forall ((x Unit) (y Unit)) (=> (= (Unit.province x) (Unit.province y)) (= x y)))"
    ),
    "one move of a unit": (
        "(forall ((x Move) (y Move)) (=> (= (Move.unit x) (Move.unit y)) (= x y)))"
    ),
    "one support of a unit": (
        "(forall ((x Support) (y Support)) (=> (= (Support.unit x) (Support.unit y)) (= x y)))"
    ),
    "one convoy of a unit": (
        "(forall ((x Convoy) (y Convoy)) (=> (= (Convoy.unit x) (Convoy.unit y)) (= x y)))"
    ),
    "no move and support": (
        "(forall ((x Move) (y Support)) (not (= (Move.unit x) (Support.unit y))))"
    ),
    "no move and convoy": (
        "(forall ((x Move) (y Convoy)) (not (= (Move.unit x) (Convoy.unit y))))"
    ),
    "no support and convoy": (
        "(forall ((x Support) (y Convoy)) (not (= (Support.unit x) (Convoy.unit y))))"
    ),
    "a move goes elsewhere": "(forall ((x Move)) (not (= (Move.target x) (Move.origin x))))",
    "a support goes elsewhere": (
        "(forall ((x Support)) (not (= (Support.target x) (Support.province x))))"
    ),
    "a supported unit that moves is not held": (
        "(forall ((x Support) (y Move)) (=> (= (Support.supported x) (Move.unit y))"
        " (= (Support.target x) (Move.target y))))"
    ),
    "a support of a move has one": (
        "(forall ((x Support)) (or (= (Support.target x) (Support.origin x)) (exists ((y Move))"
        " (and (= (Move.unit y) (Support.supported x)) (= (Move.target y) (Support.target x))))))"
    ),
    "a convoy has its army's move": (
        "(forall ((x Convoy)) (exists ((y Move)) (and (= (Move.unit y) (Convoy.army x))"
        " (= (Move.target y) (Convoy.target x)))))"
    ),
    "what may carry a move": (
        "(forall ((x Move) (y Convoy)) (=> (Move.convoys x y)"
        " (and (= (Convoy.army y) (Move.unit x)) (= (Convoy.target y) (Move.target x)))))"
    ),
    "fleets convoy at sea": ('(forall ((x Convoy)) (= (Province.kind (Convoy.province x)) "sea"))'),
    "armies go ashore": (
        "(forall ((x Move)) (=> (or (Move.convoyed x) (exists ((y Convoy)) (Move.convoys x y)))"
        ' (not (= (Province.kind (Move.target x)) "sea"))))'
    ),
}
"""Name -> a sentence that holds in every phase. Texts are written as in SMT-LIB."""


Symbol = tuple[str, str]
"""The name of an object in a formula, and its sort."""
Scope = Mapping[str, Symbol]
"""What the variables of an expression stand for."""


@dataclass(frozen=True, slots=True)
class Mention:
    """That an equation may depend on the decision `family(argument)`.

    `symbols` are the other objects that the equation names on the way to it; `when` are formulas
    about them and the object of the equation, over facts only.
    """

    family: str
    argument: Symbol
    symbols: tuple[Symbol, ...]
    when: tuple[str, ...]


def beyond_the_theory(profile: Profile) -> tuple[str, ...]:
    """The decisions whose equations the theory of any board cannot read.

    These have several indices, or use words that the profile declares, all objects of a type, the
    season, or the name of a power. If the profile declares units, convoys or lines of its own, it
    is every decision."""
    along_lines = any(kind.line for kind in profile.words.kinds)
    if "convoys_in" in profile.legal or profile.words.have_own_units or along_lines:
        return tuple(profile.decisions)
    return tuple(
        name
        for name, decision in profile.decisions.items()
        if not is_single(decision.indices)
        or decision.indices[0].type.name in profile.declared.order_facts
        or any(map(_is_beyond, parts_of_all([decision.equation])))
    )


def _is_beyond(node: Expression) -> bool:
    """Whether the theory of any board cannot read a node."""
    is_power = isinstance(node, Constant) and node.type == POWER
    is_own = isinstance(node, AllOf | CurrentPhase | Feature | Related) or bool(node.type.members)
    return is_own or is_power


class FirstOrder:
    """Writes formulas about the equations of a profile; `prelude` declares what they use.

    Decisions come in numbered copies, each with its own values; the families in `same` share their
    values among all copies.
    """

    def __init__(self, profile: Profile, same: Iterable[str] = ()) -> None:
        self.profile = profile
        self.same = frozenset(same)
        self._declared: dict[str, str] = {}
        self._texts: dict[str, None] = {}
        self._numbers: dict[object, int] = {}
        self._made = 0

    # --- the theory -------------------------------------------------------------------------------

    def prelude(self) -> str:
        """Sorts, facts and axioms, and the declarations of all that has been written so far."""
        axioms = [self._with_texts(axiom) for axiom in AXIOMS.values()]
        texts = [_text(text) for text in self._texts]
        lines = ["(set-logic ALL)", *(f"(declare-sort {sort} 0)" for sort in SORTS)]
        lines += [f"(declare-const {text} Text)" for text in texts]
        lines += declarations()
        lines += self._declared.values()
        if len(texts) > 1:
            lines.append(f"(assert (distinct {' '.join(texts)}))")
        lines += [f"(assert {axiom})" for axiom in axioms]
        return "\n".join(lines) + "\n"

    def _with_texts(self, axiom: str) -> str:
        pieces = axiom.split('"')
        return "".join(self._literal(p) if at % 2 else p for at, p in enumerate(pieces))

    def _literal(self, value: str) -> str:
        self._texts[value] = None
        return _text(value)

    def symbol(self, sort: str) -> Symbol:
        """A new name for an object."""
        self._made += 1
        return f"{sort.lower()}-{self._made}", sort

    def decision(self, family: str, argument: str, copy: int) -> str:
        """The value of a decision in one of the copies."""
        decision = self.profile.decisions[family]
        symbol = f"|{family} {0 if family in self.same else copy}|"
        sort = "Bool" if decision.type.is_truth else "Int"
        index = decision.indices[0].type.name
        self._declared[symbol] = f"(declare-fun {symbol} ({index}) {sort})"
        return f"({symbol} {argument})"

    def _anything(self, node: Expression, scope: Scope, copy: int, sort: str) -> str:
        """An uninterpreted value: that of this expression for these objects."""
        sorts = tuple(sort for _, sort in scope.values())
        key = (node, tuple(scope), sorts, 0 if decision_calls(node) <= self.same else copy)
        number = self._numbers.setdefault(key, len(self._numbers))
        symbol = f"|{type(node).__name__} {number}|"
        self._declared[symbol] = f"(declare-fun {symbol} ({' '.join(sorts)}) {sort})"
        return f"({' '.join((symbol, *(name for name, _ in scope.values())))})"

    # --- the value of an equation -----------------------------------------------------------------

    def truth(self, node: Expression, scope: Scope, copy: int = 0) -> str:
        """The formula of a truth value."""
        match node:
            case Constant(value=value):
                return "true" if value else "false"
            case Fact():
                return self._fact(node, scope)
            case DecisionCall(name=name, arguments=(argument,)):
                return self.decision(name, self.thing(argument, scope), copy)
            case Not(part=part):
                return f"(not {self.truth(part, scope, copy)})"
            case Junction(op=op, parts=parts):
                return _join(op, [self.truth(part, scope, copy) for part in parts])
            case Compare():
                return self._compare(node, scope, copy)
            case Choice():
                parts = (node.condition, node.then, node.otherwise)
                return f"(ite {' '.join(self.truth(part, scope, copy) for part in parts)})"
            case Predicate(op="some", domains=(domain,)):
                (name, sort), inside = self._member(domain, scope)
                return f"(exists (({name} {sort})) {inside})"
            case Quantifier(op="any" | "all"):
                return self._quantified(node, scope, copy)
        return self._anything(node, scope, copy, "Bool")

    def number(self, node: Expression, scope: Scope, copy: int = 0) -> str:
        """The term of a number; a truth value counts 0 or 1."""
        if node.type.is_truth:
            return f"(ite {self.truth(node, scope, copy)} 1 0)"
        match node:
            case Constant(value=value):
                return str(value) if int(value) >= 0 else f"(- {-int(value)})"
            case DecisionCall(name=name, arguments=(argument,)):
                return self.decision(name, self.thing(argument, scope), copy)
            case Arithmetic(op=op, left=left, right=right):
                sides = (self.number(side, scope, copy) for side in (left, right))
                return f"({op} {' '.join(sides)})"
            case Choice(condition=condition, then=then, otherwise=otherwise):
                branches = (self.number(part, scope, copy) for part in (then, otherwise))
                return f"(ite {self.truth(condition, scope, copy)} {' '.join(branches)})"
        return self._anything(node, scope, copy, "Int")

    def thing(self, node: Expression, scope: Scope) -> str:
        """The term of an object, a power or a text."""
        match node:
            case Constant(value=value):
                return self._literal(str(value))
            case Variable(name=name):
                return scope[name][0]
            case Fact():
                return self._fact(node, scope)
        raise AssertionError(f"no reading for {type(node).__name__}")

    def _fact(self, node: Fact, scope: Scope) -> str:
        return f"({node.of.type.name}.{node.name} {self.thing(node.of, scope)})"

    def _compare(self, node: Compare, scope: Scope, copy: int) -> str:
        if node.left.type.is_number:
            sides = [self.number(side, scope, copy) for side in (node.left, node.right)]
        else:
            sides = [self.thing(side, scope) for side in (node.left, node.right)]
        if node.op == "!=":
            return f"(not (= {' '.join(sides)}))"
        return f"({'=' if node.op == '==' else node.op} {' '.join(sides)})"

    def _member(self, domain: Expression, scope: Scope) -> tuple[Symbol, str]:
        """A new object, and the formula that puts it in this set."""
        assert isinstance(domain, Fact)
        assert domain.type.item is not None
        made = self.symbol(domain.type.item.name)
        owner = self.thing(domain.of, scope)
        return made, f"({domain.of.type.name}.{domain.name} {owner} {made[0]})"

    def _quantified(self, node: Quantifier, scope: Scope, copy: int) -> str:
        made, inside = self._member(node.domain, scope)
        inner = {**scope, node.variable.name: made}
        conditions = [inside]
        if node.condition is not None:
            conditions.append(self.truth(node.condition, inner, copy))
        body, bound = self.truth(node.body, inner, copy), f"(({made[0]} {made[1]}))"
        if node.op == "any":
            return f"(exists {bound} {_join('and', [*conditions, body])})"
        return f"(forall {bound} (=> {_join('and', conditions)} {body}))"

    # --- what an equation mentions ----------------------------------------------------------------

    def mentions(self, family: str, about: Symbol) -> Iterator[Mention]:
        """The decisions that the equation of `family(about)` may depend on."""
        decision = self.profile.decisions[family]
        found = self._mentions(decision.equation, {decision.indices[0].name: about}, (), ())
        return iter(dict.fromkeys(found))

    def _mentions(
        self, node: Expression, scope: Scope, symbols: tuple[Symbol, ...], when: tuple[str, ...]
    ) -> Iterator[Mention]:
        if not node.open:
            return
        match node:
            case DecisionCall(name=name, arguments=(argument,)):
                sort = argument.type.name
                yield Mention(name, (self.thing(argument, scope), sort), symbols, when)
            case Junction(op=op, parts=parts):
                possible = [self.possible(part, op == "and", scope) for part in parts]
                for at, part in enumerate(parts):
                    if part.open:
                        others = (*when, *possible[:at], *possible[at + 1 :])
                        yield from self._mentions(part, scope, symbols, others)
            case Choice(condition=condition):
                yield from self._mentions(condition, scope, symbols, when)
                for value, branch in ((True, node.then), (False, node.otherwise)):
                    chosen = (*when, self.possible(condition, value, scope))
                    yield from self._mentions(branch, scope, symbols, chosen)
            case Quantifier() | Chain():
                made, inside = self._member(node.domain, scope)
                inner, symbols = {**scope, node.variable.name: made}, (*symbols, made)
                when = (*when, inside)
                if node.condition is not None:
                    yield from self._mentions(node.condition, inner, symbols, when)
                    when = (*when, self.possible(node.condition, True, inner))
                yield from self._mentions(node.body, inner, symbols, when)
            case _:
                for part in children(node):
                    yield from self._mentions(part, scope, symbols, when)

    def possible(self, node: Expression, value: bool, scope: Scope) -> str:
        """A formula over facts that must hold if an expression has this truth value."""
        if not node.open:
            return self.truth(node, scope) if value else f"(not {self.truth(node, scope)})"
        match node:
            case Not(part=part):
                return self.possible(part, not value, scope)
            case Junction(op=op, parts=parts):
                every = (op == "and") == value
                needed = [self.possible(part, value, scope) for part in parts]
                return _join("and" if every else "or", needed)
            case Quantifier(op="any" | "all"):
                return self._some_possible(node, value, scope)
        return "true"

    def _some_possible(self, node: Quantifier, value: bool, scope: Scope) -> str:
        made, inside = self._member(node.domain, scope)
        inner, bound = {**scope, node.variable.name: made}, f"(({made[0]} {made[1]}))"
        body = self.possible(node.body, value, inner)
        if (node.op == "any") == value:
            conditions = [inside, body]
            if node.condition is not None:
                conditions.append(self.possible(node.condition, True, inner))
            return f"(exists {bound} {_join('and', conditions)})"
        ways = [f"(not {inside})", body]
        if node.condition is not None:
            ways.append(self.possible(node.condition, False, inner))
        return f"(forall {bound} {_join('or', ways)})"


def _text(value: str) -> str:
    return f"|text {symbol_text(value)}|"


def _join(op: str, parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({op} {' '.join(parts)})"
