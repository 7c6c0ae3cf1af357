"""The shapes that decision cycles can have under a profile, on every board.

A decision belongs to a province: to the target of its move, or to where its unit stands. Each lemma
asks Z3 about single equations on any board that satisfies the axioms. docs/theorems.md proves the
consequences for whole cycles.

A worked example: the lemma `near`, and the equation `convoy(c): not dislodge(c.unit)` of `datc`.

1. The equation of `convoy(c)` mentions one decision, `dislodge(c.unit)`, whatever the facts are.
2. `convoy(c)` belongs to the province of the convoy, `(Convoy.province c)`; `dislodge(c.unit)`
   belongs to the province of the unit, `(Unit.province (Convoy.unit c))`.
3. A move, a support or a convoy may matter in another province (`_WAYS`). A unit may not, so the
   question to Z3 is whether the two provinces can differ on any board:
       (assert (not (= (Convoy.province c) (Unit.province (Convoy.unit c)))))
4. The theory defines the first province as the second, so Z3 finds a contradiction: False.
5. The equations of `datc` mention 24 decisions. Z3 refutes all 24 questions, so `near` holds.

If Z3 could satisfy the question, `near` would fail with the fault "convoy depends on dislodge".

The facts of a movement phase that hold on every board are a theory in SMT-LIB 2. It fixes no map,
no number of units and no owners. Its consequences hold for every phase that `dipsat.equations` can
build; the tests check each definition and each axiom on such phases. It is weaker than the facts
(here a unit may reach any province), which is safe: anything that it excludes is impossible. The
names are those of `dipsat.rules.vocabulary`, as `Type.fact`; a set is a relation.

There are two readings of an equation as first-order formulas: the decisions that it mentions, each
with the facts that it needs; and its value, where sums and chains may have any value. Both
over-approximate, so anything that they exclude is excluded on every board.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from pathlib import Path

from dipsat.base import brief, kept_on_first
from dipsat.equations import is_single, symbol_text
from dipsat.rules import (
    FACTS,
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
    Profile,
    Quantifier,
    Related,
    Variable,
    Word,
    children,
    decision_calls,
    load_profile,
    parts_of_all,
)
from dipsat.solving import can_hold, on_cycles

SORTS = ("Province", "Unit", "Move", "Support", "Convoy", "Power", "Text")

_SORTS = {"truth": "Bool", "text": "Text"}
_ORDERS = ("Move", "Support", "Convoy")


def definition_of(word: Word, kind: str) -> str:
    """The meaning of a type's word for x, or the condition for y to be in the set of x; "" if that
    is left to the axioms."""
    if not word.path:
        return word.theory
    name, then = word.path.split(".")
    return f"({FACTS[kind][name].type}.{then} ({kind}.{name} x))"


def declarations() -> list[str]:
    """All words about the sorts. A word with a definition comes after the words that it uses."""
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
    **{
        f"one {sort.lower()} of a unit": (
            f"(forall ((x {sort}) (y {sort})) (=> (= ({sort}.unit x) ({sort}.unit y)) (= x y)))"
        )
        for sort in _ORDERS
    },
    **{
        f"no {one.lower()} and {other.lower()}": (
            f"(forall ((x {one}) (y {other})) (not (= ({one}.unit x) ({other}.unit y))))"
        )
        for one, other in combinations(_ORDERS, 2)
    },
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
"""The objects that the variables of an expression stand for."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A decision `family(argument)` that an equation may depend on.

    `symbols` are the other objects that the equation names on the way to it; `when` are formulas
    about them and the object of the equation, over facts only.
    """

    family: str
    argument: Symbol
    symbols: tuple[Symbol, ...]
    when: tuple[str, ...]


def beyond_the_theory(profile: Profile) -> tuple[str, ...]:
    """The decisions whose equations the theory of every board cannot read.

    These have several indices, or use words that the profile declares, all objects of a type, the
    season, or the name of a power. If the profile declares units, convoys or lines of its own, all
    decisions are among them."""
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
    """Whether the theory of every board cannot read a node."""
    is_power = isinstance(node, Constant) and node.type == POWER
    is_own = isinstance(node, AllOf | CurrentPhase | Feature | Related) or bool(node.type.members)
    return is_own or is_power


class FirstOrder:
    """Writes formulas about the equations of a profile; `prelude` declares their symbols.

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
        """Sorts, facts and axioms, and the declarations of all symbols written so far."""
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
        """An uninterpreted value for this expression about these objects."""
        sorts = tuple(sort for _, sort in scope.values())
        key = (node, tuple(scope), sorts, 0 if decision_calls(node) <= self.same else copy)
        number = self._numbers.setdefault(key, len(self._numbers))
        symbol = f"|{type(node).__name__} {number}|"
        self._declared[symbol] = f"(declare-fun {symbol} ({' '.join(sorts)}) {sort})"
        return f"({' '.join((symbol, *(name for name, _ in scope.values())))})"

    # --- the value of an equation -----------------------------------------------------------------

    def value(self, node: Expression, scope: Scope, copy: int = 0) -> str:
        """The term of an expression; a formula for a truth value."""
        match node:
            case Constant(value=bool(value)):
                return "true" if value else "false"
            case Constant(value=int(value)):
                return str(value) if value >= 0 else f"(- {-value})"
            case Constant(value=value):
                return self._literal(str(value))
            case Variable(name=name):
                return scope[name][0]
            case Fact(of=of, name=name):
                return f"({of.type.name}.{name} {self.value(of, scope)})"
            case DecisionCall(name=name, arguments=(argument,)):
                return self.decision(name, self.value(argument, scope), copy)
            case Not(part=part):
                return f"(not {self.value(part, scope, copy)})"
            case Junction(op=op, parts=parts):
                return _join(op, [self.value(part, scope, copy) for part in parts])
            case Compare(op=op, left=left, right=right):
                read = self._number if left.type.is_number else self.value
                sides = f"{read(left, scope, copy)} {read(right, scope, copy)}"
                return f"(not (= {sides}))" if op == "!=" else f"({op.replace('==', '=')} {sides})"
            case Arithmetic(op=op, left=left, right=right):
                return (
                    f"({op} {self._number(left, scope, copy)} {self._number(right, scope, copy)})"
                )
            case Choice(condition=condition, then=then, otherwise=otherwise):
                read = self.value if node.type.is_truth else self._number
                branches = f"{read(then, scope, copy)} {read(otherwise, scope, copy)}"
                return f"(ite {self.value(condition, scope, copy)} {branches})"
            case Predicate(op="some", domains=(domain,)):
                (name, sort), inside = self._member(domain, scope)
                return f"(exists (({name} {sort})) {inside})"
            case Quantifier(op="any" | "all"):
                return self._quantified(node, scope, copy)
        return self._anything(node, scope, copy, "Bool" if node.type.is_truth else "Int")

    def _number(self, node: Expression, scope: Scope, copy: int) -> str:
        """The term of a number; a truth value counts as 0 or 1."""
        term = self.value(node, scope, copy)
        return f"(ite {term} 1 0)" if node.type.is_truth else term

    def _member(self, domain: Expression, scope: Scope) -> tuple[Symbol, str]:
        """A new object, and the formula that puts it in this set."""
        assert isinstance(domain, Fact)
        assert domain.type.item is not None
        made = self.symbol(domain.type.item.name)
        owner = self.value(domain.of, scope)
        return made, f"({domain.of.type.name}.{domain.name} {owner} {made[0]})"

    def _quantified(self, node: Quantifier, scope: Scope, copy: int) -> str:
        made, inside = self._member(node.domain, scope)
        inner = {**scope, node.variable.name: made}
        conditions = [inside]
        if node.condition is not None:
            conditions.append(self.value(node.condition, inner, copy))
        body, bound = self.value(node.body, inner, copy), f"(({made[0]} {made[1]}))"
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
        if not node.has_decision:
            return
        match node:
            case DecisionCall(name=name, arguments=(argument,)):
                sort = argument.type.name
                yield Mention(name, (self.value(argument, scope), sort), symbols, when)
            case Junction(op=op, parts=parts):
                possible = [self.possible(part, op == "and", scope) for part in parts]
                for at, part in enumerate(parts):
                    if part.has_decision:
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
        if not node.has_decision:
            return self.value(node, scope) if value else f"(not {self.value(node, scope)})"
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


EFFORT = 500_000
"""The limit of a question, in steps as Z3 counts them (`rlimit`)."""

HOLDS, FAILS, UNDECIDED = "holds", "fails", "undecided"

_HOMES = {
    "Province": "{}",
    "Unit": "(Unit.province {})",
    "Move": "(Move.target {})",
    "Support": "(Support.province {})",
    "Convoy": "(Convoy.province {})",
}
"""The province that decisions about an object belong to."""

_EXCHANGE = (
    "(exists ((o Move) (p Move))"
    " (and (Move.facing o p) (= (Move.target o) {home}) (= (Move.target p) ({sort}.target {y}))))"
)
_WAYS = {
    "Move": ("(= (Move.origin {y}) {home})",),
    "Support": ("(= (Support.target {y}) {home})", _EXCHANGE.replace("{sort}", "Support")),
    "Convoy": ("(= (Convoy.target {y}) {home})", _EXCHANGE.replace("{sort}", "Convoy")),
}
"""How a decision about y may matter in another province: y leaves it, or y aims at it."""

_CARRIED = {"Move": "move", "Support": "support", "Convoy": "convoy"}
"""The one decision that may matter in another province, by the type that it is about."""


@brief()
@dataclass(frozen=True, slots=True)
class LemmaQuestion:
    """A question to the solver about an equation and a decision that the equation mentions."""

    text: str
    """The question in SMT-LIB 2."""
    about: str
    """The equation and the decision."""
    answer: bool | None
    """Whether the text is satisfiable; None if the limit was too low."""


@brief()
@dataclass(frozen=True, slots=True)
class Lemma:
    """A lemma for a profile (docs/theorems.md)."""

    name: str
    """Its name."""
    verdict: str
    """`holds`, `fails` or `undecided`."""
    faults: tuple[str, ...]
    """The equations for which it fails or is undecided."""
    asked: tuple[LemmaQuestion, ...] = field(repr=False)
    """The questions that were asked."""


@brief()
@dataclass(frozen=True, slots=True)
class Structure:
    """The lemmas of a profile, and their consequences. Made by `dipsat.searches.structure_of`."""

    profile: str
    """The name of the profile."""
    lemmas: Mapping[str, Lemma]
    """Name -> lemma."""

    @property
    def has_single_cycles(self) -> bool:
        """Whether the lemmas prove, for every board, that each province lies on at most one cycle,
        and that each connected subgraph has at most one cycle and so at most two resolutions."""
        return all(self.lemmas[name].verdict == HOLDS for name in SINGLE)

    @property
    def battles_are_no_cycles(self) -> bool:
        """Whether the lemmas also prove that two units in a head-to-head battle form no cycle."""
        return self.has_single_cycles and self.lemmas[HEAD_ON].verdict == HOLDS

    @property
    def paradoxes_need_convoys(self) -> bool:
        """Whether the lemmas also prove that a cycle without exactly one resolution is a circular
        movement or contains a convoy."""
        return self.has_single_cycles and self.lemmas[CUT].verdict == HOLDS

    @property
    def has_no_paradoxes(self) -> bool:
        """Whether the lemmas also prove that such a cycle is always a circular movement."""
        return self.paradoxes_need_convoys and self.lemmas[SPARED].verdict == HOLDS


NEAR, ONE, INSIDE, HEAD_ON = "near", "one truth value", "no cycle inside", "no cycle head-on"
CUT, SPARED = "cut before dislodged", "convoys spare attacks on convoys"
SINGLE = (NEAR, ONE, INSIDE)
NAMES = (*SINGLE, HEAD_ON, CUT, SPARED)


def structure_of(rules: str | Path | Profile, effort: int = EFFORT) -> Structure:
    """Return the lemmas for a profile, and their consequences for all boards (docs/theorems.md).

    `effort` bounds each question, in steps as Z3 counts them (`rlimit`), and is at least 1. If a
    question exceeds it, the lemma is `undecided`. Raises the errors of `load_profile`.
    """
    return _structure(load_profile(rules), effort)


@kept_on_first(4)
def _structure(profile: Profile, effort: int) -> Structure:
    unread = beyond_the_theory(profile)
    if unread:
        undecided = [Lemma(name, UNDECIDED, unread, ()) for name in NAMES]
        return Structure(profile.name, {lemma.name: lemma for lemma in undecided})
    asker = _Asker(profile, effort)
    found = [asker.near(), asker.one_truth_value(), asker.inside(), asker.head_on()]
    found += [asker.cut(), asker.spared()]
    return Structure(profile.name, {lemma.name: lemma for lemma in found})


class _Asker:
    def __init__(self, profile: Profile, effort: int) -> None:
        self.profile = profile
        self.writer = FirstOrder(profile)
        self.effort = effort
        self.mentions: list[tuple[str, Symbol, Mention]] = []
        for family, decision in profile.decisions.items():
            about = self.writer.symbol(decision.indices[0].type.name)
            for mention in self.writer.mentions(family, about):
                self.mentions.append((family, about, mention))

    def _ask(
        self, writer: FirstOrder, about: str, symbols: Iterable[Symbol], claims: Iterable[str]
    ) -> LemmaQuestion:
        lines = [f"(declare-const {name} {sort})" for name, sort in symbols]
        lines += [f"(assert {claim})" for claim in claims]
        text = writer.prelude() + "\n".join((*lines, "(check-sat)")) + "\n"
        return LemmaQuestion(text, about, can_hold(text, self.effort))

    def _of(self, family: str, about: Symbol, mention: Mention, *claims: str) -> LemmaQuestion:
        """Whether the equation can mention the decision if the claims hold. In these, `{x}` and
        `{y}` are the objects of the two decisions, `{home}` and `{other}` their provinces."""
        home, other = _home(about), _home(mention.argument)
        names = {"x": about[0], "y": mention.argument[0], "home": home, "other": other}
        filled = (claim.format(**names) for claim in claims)
        text = f"{family} depends on {mention.family}"
        symbols = (about, *mention.symbols)
        return self._ask(self.writer, text, symbols, (*mention.when, *filled))

    # --- lemmas about mentions --------------------------------------------------------------------

    def near(self) -> Lemma:
        """Everything that matters in a province is decided there, at the target of its own unit, or
        by a unit that stays elsewhere and supports or convoys to it (or to the province that it
        swaps units with)."""
        claim = "(not (or {ways} false))"
        return _impossible(NEAR, (
            self._of(family, about, mention, _ELSEWHERE,
                     claim.replace("{ways}", " ".join(_WAYS.get(mention.argument[1], ("false",)))))
            for family, about, mention in self.mentions
        ))  # fmt: skip

    def one_truth_value(self) -> Lemma:
        """Only one truth value from another province matters: whether the move, support or convoy
        succeeds. Anything else that matters depends only on supports and convoys."""
        return _impossible(ONE, (
            self._of(family, about, mention, _ELSEWHERE)
            for family, about, mention in self.mentions
            if mention.family not in (_CARRIED.get(mention.argument[1]), *self.loose)
        ))  # fmt: skip

    @cached_property
    def loose(self) -> frozenset[str]:
        """The families about moves that depend only on supports and convoys."""
        bound = {
            family
            for family, about, mention in self.mentions
            if about[1] != "Move" or mention.argument[1] not in ("Support", "Convoy")
        }
        return frozenset(self.profile.decisions.keys() - bound)

    def inside(self) -> Lemma:
        """Within a province, decisions depend on each other in one direction, once the move that
        comes from the target of the province's unit is kept apart from the other moves. That move
        does not depend on them."""
        where, special = "(= {home} {other})", "(Move.facing {move} q)"
        forbidden = "move", "move" + _BACK  # closes a cycle with the opposite arrow
        return self._one_direction(INSIDE, where, special, [forbidden])

    def head_on(self) -> Lemma:
        """The same holds within the two provinces of a head-to-head battle, once its two moves are
        kept apart from the others."""
        within = f"(exists ((o Move) (p Move)) (and {_PAIR}))"
        return self._one_direction(HEAD_ON, within, "(Move.opponents {move} q)")

    def _one_direction(
        self, name: str, where: str, special: str, more: Iterable[tuple[str, str]] = ()
    ) -> Lemma:
        """Decisions make no cycle if `where` holds, even with `more` arrows. `special` splits moves
        into two kinds."""
        asked, arrows = [], list(more)
        for family, about, mention in self.mentions:
            asked.append(self._of(family, about, mention, where))
            if asked[-1].answer is False:
                continue
            for one, is_one in _parted(about, special):
                for two, is_two in _parted(mention.argument, special):
                    question = self._of(family, about, mention, where, is_one, is_two)
                    asked.append(question)
                    if question.answer is not False:
                        arrows.append((family + one, mention.family + two))
        return _acyclic(name, asked, arrows)

    # --- lemmas about the value of a support ------------------------------------------------------

    def cut(self) -> Lemma:
        """A support towards a unit that itself supports depends only on convoys: a unit that
        dislodges the supporter has cut its support already."""
        supporter = "(exists ((t Support)) (= (Support.province t) (Support.target s)))"
        return self._same_support(CUT, supporter, FirstOrder(self.profile, same=("convoy",)))

    def spared(self) -> Lemma:
        """A support towards a convoying fleet does not even depend on convoys."""
        fleet = "(exists ((c Convoy)) (= (Convoy.province c) (Support.target s)))"
        return self._same_support(SPARED, fleet, FirstOrder(self.profile))

    def _same_support(self, name: str, where: str, writer: FirstOrder) -> Lemma:
        """A support has one value in all resolutions, whatever values sums and chains have."""
        attack = "(= (Move.target {m}) (Support.province s))"
        claims = [where, "(forall ((m Move)) (not (= (Move.origin m) (Support.target s))))"]
        for copy in (1, 2):
            if "path" in self.profile.decisions:
                claims.append(_says(writer, "path", copy, "=", attack))
            claims.append(_says(writer, "move", copy, "=>", attack))
            claims.append(_says(writer, "dislodge", copy, "=>", "(= {m} (Support.unit s))"))
            claims.append(_says(writer, "support", copy, "=", "(= {m} s)"))
        first, second = (writer.decision("support", "s", copy) for copy in (1, 2))
        claims.append(f"(not (= {first} {second}))")
        return _impossible(name, [self._ask(writer, "support", [("s", "Support")], claims)])


_BACK = " of the move back"
_ELSEWHERE = "(not (= {home} {other}))"
_PAIR = (
    "(Move.opponents o p) "
    "(or (= {home} (Move.target o)) (= {home} (Move.target p))) "
    "(or (= {other} (Move.target o)) (= {other} (Move.target p)))"
)


def _says(writer: FirstOrder, family: str, copy: int, how: str, of: str) -> str:
    """The equation of a family for all objects with `of`; if `how` is `=>`, only that the decision
    implies its right-hand side."""
    decision = writer.profile.decisions[family]
    name, sort = writer.symbol(decision.indices[0].type.name)
    says = writer.value(decision.equation, {decision.indices[0].name: (name, sort)}, copy)
    value = writer.decision(family, name, copy)
    return f"(forall (({name} {sort})) (=> {of.format(m=name)} ({how} {value} {says})))"


def _home(symbol: Symbol) -> str:
    return _HOMES[symbol[1]].format(symbol[0])


def _parted(symbol: Symbol, special: str) -> tuple[tuple[str, str], ...]:
    """Decisions about moves, split by whether some move is `special` to theirs."""
    if symbol[1] != "Move":
        return (("", "true"),)
    some = f"(exists ((q Move)) {special.format(move=symbol[0])})"
    return ((_BACK, some), ("", f"(not {some})"))


def _impossible(name: str, asked: Iterable[LemmaQuestion]) -> Lemma:
    """A lemma that holds if no question is satisfiable."""
    questions = tuple(asked)
    faults = dict.fromkeys(one.about for one in questions if one.answer)
    unknown = dict.fromkeys(one.about for one in questions if one.answer is None)
    verdict = FAILS if faults else UNDECIDED if unknown else HOLDS
    return Lemma(name, verdict, tuple(faults or unknown), questions)


def _acyclic(name: str, asked: list[LemmaQuestion], arrows: list[tuple[str, str]]) -> Lemma:
    """A lemma that holds if the possible arrows make no cycle."""
    circle = on_cycles(arrows)
    faults = dict.fromkeys(f"{a} depends on {b}" for a, b in arrows if {a, b} <= circle)
    unknown = any(question.answer is None for question in asked)
    verdict = HOLDS if not faults else UNDECIDED if unknown else FAILS
    return Lemma(name, verdict, tuple(faults), tuple(asked))
