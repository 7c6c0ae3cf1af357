"""What shape decision cycles can have under a profile, on every board.

A decision belongs to a province: to the target of its move, or to where its unit stands. Each lemma
asks Z3 about single equations on any board that satisfies the axioms. docs/theorems.md proves what
follows for whole cycles.

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
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from dipsat.profiles.load import load_profile
from dipsat.profiles.profile import Profile
from dipsat.solving.graph import on_cycles
from dipsat.solving.models import can_hold
from dipsat.theorems.first_order import FirstOrder, Mention, Symbol, beyond_the_theory
from dipsat.values import brief, kept_on_first

EFFORT = 500_000
"""The limit of a question, in steps that Z3 counts (`rlimit`)."""

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
"""The one decision that may matter in another province, by what it is about."""


@brief()
@dataclass(frozen=True, slots=True)
class LemmaQuestion:
    """A question to the solver about an equation and a decision that the equation mentions."""

    text: str
    """The question in SMT-LIB 2."""
    about: str
    """The equation and the decision."""
    answer: bool | None
    """Whether the text is satisfiable, None if the limit was too low."""


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
    """The lemmas of a profile, and what follows from them. Made by `dipsat.structure_of`."""

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
    """Return the lemmas for a profile, and what follows from them for all boards
    (docs/theorems.md).

    `effort` bounds each question, in steps that Z3 counts (`rlimit`), and is at least 1. If a
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
        """Whether the equation can mention the decision where the claims hold. In these, `{x}` and
        `{y}` are what the two decisions are about, `{home}` and `{other}` their provinces."""
        home, other = _home(about), _home(mention.argument)
        names = {"x": about[0], "y": mention.argument[0], "home": home, "other": other}
        filled = (claim.format(**names) for claim in claims)
        text = f"{family} depends on {mention.family}"
        symbols = (about, *mention.symbols)
        return self._ask(self.writer, text, symbols, (*mention.when, *filled))

    # --- lemmas about mentions --------------------------------------------------------------------

    def near(self) -> Lemma:
        """What matters in a province is decided there, where its own unit goes, or by a unit that
        stays elsewhere and supports or convoys to it (or to the province with which it exchanges
        units)."""
        claim = "(not (or {ways} false))"
        return _impossible(NEAR, (
            self._of(family, about, mention, _ELSEWHERE,
                     claim.replace("{ways}", " ".join(_WAYS.get(mention.argument[1], ("false",)))))
            for family, about, mention in self.mentions
        ))  # fmt: skip

    def one_truth_value(self) -> Lemma:
        """From another province a single truth value matters: whether the move, support or convoy
        succeeds. Whatever else matters depends on supports and convoys only."""
        return _impossible(ONE, (
            self._of(family, about, mention, _ELSEWHERE)
            for family, about, mention in self.mentions
            if mention.family not in (_CARRIED.get(mention.argument[1]), *self.loose)
        ))  # fmt: skip

    @cached_property
    def loose(self) -> frozenset[str]:
        """The families about moves that depend on supports and convoys only."""
        bound = {
            family
            for family, about, mention in self.mentions
            if about[1] != "Move" or mention.argument[1] not in ("Support", "Convoy")
        }
        return frozenset(self.profile.decisions.keys() - bound)

    def inside(self) -> Lemma:
        """Within a province decisions depend on each other in one direction, once the move that
        comes from where the unit of the province goes is kept apart from the other moves. That move
        does not depend on them."""
        forbidden = (
            "move",
            "move" + _BACK,
        )  # with this arrow added, the opposite one would close a cycle
        return self._one_direction(
            INSIDE, "(= {home} {other})", "(Move.facing {move} q)", (forbidden,)
        )

    def head_on(self) -> Lemma:
        """The same holds within the two provinces of a head-to-head battle, once those two moves
        are kept apart from the others."""
        within = f"(exists ((o Move) (p Move)) (and {_PAIR}))"
        return self._one_direction(HEAD_ON, within, "(Move.opponents {move} q)")

    def _one_direction(
        self, name: str, where: str, special: str, more: Iterable[tuple[str, str]] = ()
    ) -> Lemma:
        """Decisions make no cycle where `where` holds, even with `more` arrows. `special` splits
        moves into two kinds."""
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
        """A support towards a unit that itself supports depends on convoys only: whatever dislodges
        the supporter has cut the support already."""
        supporter = "(exists ((t Support)) (= (Support.province t) (Support.target s)))"
        return self._same_support(CUT, supporter, FirstOrder(self.profile, same=("convoy",)))

    def spared(self) -> Lemma:
        """A support towards a convoying fleet does not even depend on convoys."""
        fleet = "(exists ((c Convoy)) (= (Convoy.province c) (Support.target s)))"
        return self._same_support(SPARED, fleet, FirstOrder(self.profile))

    def _same_support(self, name: str, where: str, writer: FirstOrder) -> Lemma:
        """A support has one value in all resolutions, whatever value sums and chains have."""
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
    """The equation of a family for all objects with `of`, or (`how` is `=>`) that the decision
    implies it."""
    decision = writer.profile.decisions[family]
    name, sort = writer.symbol(decision.indices[0].type.name)
    says = writer.truth(decision.equation, {decision.indices[0].name: (name, sort)}, copy)
    value = writer.decision(family, name, copy)
    return f"(forall (({name} {sort})) (=> {of.format(m=name)} ({how} {value} {says})))"


def _home(symbol: Symbol) -> str:
    return _HOMES[symbol[1]].format(symbol[0])


def _parted(symbol: Symbol, special: str) -> tuple[tuple[str, str], ...]:
    """Decisions about moves, split by whether some move has the property `special` to theirs."""
    if symbol[1] != "Move":
        return (("", "true"),)
    some = f"(exists ((q Move)) {special.format(move=symbol[0])})"
    return ((_BACK, some), ("", f"(not {some})"))


def _impossible(name: str, asked: Iterable[LemmaQuestion]) -> Lemma:
    """A lemma that holds if no question is satisfiable."""
    questions = tuple(asked)
    faults = dict.fromkeys(question.about for question in questions if question.answer)
    unknown = dict.fromkeys(question.about for question in questions if question.answer is None)
    verdict = FAILS if faults else UNDECIDED if unknown else HOLDS
    return Lemma(name, verdict, tuple(faults or unknown), questions)


def _acyclic(name: str, asked: list[LemmaQuestion], arrows: list[tuple[str, str]]) -> Lemma:
    """A lemma that holds if the possible arrows make no cycle."""
    circle = on_cycles(arrows)
    faults = dict.fromkeys(f"{a} depends on {b}" for a, b in arrows if {a, b} <= circle)
    unknown = any(question.answer is None for question in asked)
    verdict = HOLDS if not faults else UNDECIDED if unknown else FAILS
    return Lemma(name, verdict, tuple(faults), tuple(asked))
