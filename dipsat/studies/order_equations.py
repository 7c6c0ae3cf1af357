"""The equations of a phase as the published algorithms read them.

The algorithms resolve orders; the `adjudicate` function of an order computes strengths, paths and
dislodgements whenever it needs one (DATC 3.0 5.C; Kruijswijk, The Math of Adjudication). So the
decisions of a profile fall into two groups: those that are resolved, and those that are computed
from them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias, TypeVar

from dipsat.base import kept_on_first, reached
from dipsat.equations import (
    Dual,
    Grounder,
    Key,
    Phase,
    Reach,
    Term,
    Unknown,
    all_decisions,
    evaluate as value_of,
    fold,
    parts_of,
    reach,
    size_of,
    unknowns,
)
from dipsat.errors import ContradictionError, EngineWorkError, NotMadeForError
from dipsat.game import ConvoyFacts, MoveFacts, SupportFacts, UnitFacts
from dipsat.outcomes import BackupRule, EquationVerdicts
from dipsat.rules import Profile, decision_calls

Scenario: TypeAlias = bool | None
"""Which value uncertain information gets: true for the greatest, false for the least; None where
every decision has one value (DATC 3.0 5.E, the parameter `optimistic`)."""

Ask: TypeAlias = Callable[[Key, Scenario], int]
"""Returns the value of a decision in a scenario, truth values as 0 and 1."""

Value: TypeAlias = Callable[[], int]
"""Finds a value, resolving whatever it asks for."""

Search: TypeAlias = Callable[[Reach, Sequence[Value]], bool]
"""Searches for a convoy path; the functions find whether each fleet is available."""


def every_fleet_first(term: Reach, fleets: Sequence[Value]) -> bool:
    """Whether a chain of available fleets leads across. Every fleet is resolved before the search
    for a path begins, so that no other search can begin within it."""
    available: list[Term] = [bool(is_available()) for is_available in fleets]
    borders = [list(around) for around in term.borders]
    return reach(available, list(term.starts), list(term.ends), borders) is True


def with_local_marks(term: Reach, fleets: Sequence[Value]) -> bool:
    """The same by a depth-first search that resolves each fleet when it reaches it, and stops once
    it is across. Its visited marks are its own, not shared with searches that begin within it."""
    marks = set[int]()
    stack = list(reversed(term.starts))
    while stack:
        fleet = stack.pop()
        if fleet in marks:
            continue
        marks.add(fleet)
        if fleets[fleet]():
            if fleet in term.ends:
                return True
            stack += reversed(term.borders[fleet])
    return False


def evaluate(
    term: Term, ask: Ask, scenario: Scenario = None, search: Search = every_fleet_first
) -> int:
    """The value of a term in a scenario.

    Only the unknowns that matter are resolved, from left to right; `search` defines how convoy
    paths are found (Kruijswijk, The Math of Adjudication, the final note).
    """
    values = _WhenNeeded(lambda key: lambda: ask(key, None), search)
    if scenario is None:
        return fold(term, values)()
    ends = fold(term, Dual(values, lambda key: (lambda: ask(key, False), lambda: ask(key, True))))
    return ends[scenario]()


@dataclass(frozen=True, slots=True)
class _WhenNeeded:
    """The algebra of functions that find values. Loops instead of `all`, `any` and `sum` keep deep
    recursions on Python's own stack."""

    value: Callable[[Key], Value]
    search: Search

    def unknown(self, term: Unknown) -> Value:
        """The value of a decision."""
        return self.value(term.key)

    def constant(self, value: bool | int) -> Value:
        """The number."""
        return lambda: int(value)

    def negation(self, part: Value) -> Value:
        """0 becomes 1, and 1 becomes 0."""
        return lambda: 1 - part()

    def all_of(self, parts: Sequence[Value]) -> Value:
        """The conjunction, up to the first part that fails."""
        return lambda: _junction(parts, 0)

    def any_of(self, parts: Sequence[Value]) -> Value:
        """The disjunction, up to the first part that holds."""
        return lambda: _junction(parts, 1)

    def greater(self, left: Value, right: Value) -> Value:
        """As a truth value."""
        return _once(lambda: int(left() > right()))

    def unequal(self, left: Value, right: Value) -> Value:
        """As a truth value."""
        return lambda: int(left() != right())

    def sum(self, constant: int, added: Sequence[Value], taken: Sequence[Value]) -> Value:
        """The total."""

        def total() -> int:
            found = constant
            for part in added:
                found += part()
            for part in taken:
                found -= part()
            return found

        return total

    def choice(self, condition: Value, then: Value, otherwise: Value) -> Value:
        """One of the two."""
        return lambda: then() if condition() else otherwise()

    def worse(self, surely: Value, maybe: Value, then: Value, otherwise: Value) -> Value:
        """The lesser, where the condition is not known."""
        lesser = self.choice(maybe, lambda: min(then(), otherwise()), otherwise)
        return _once(self.choice(surely, then, lesser))

    def better(self, surely: Value, maybe: Value, then: Value, otherwise: Value) -> Value:
        """The greater, where the condition is not known."""
        greater = self.choice(maybe, lambda: max(then(), otherwise()), otherwise)
        return _once(self.choice(surely, then, greater))

    def reach(self, term: Reach, conditions: Sequence[Value]) -> Value:
        """The result of the search for a path."""
        return lambda: int(self.search(term, conditions))


def _junction(parts: Sequence[Value], ending: int) -> int:
    for part in parts:
        if part() == ending:
            return ending
    return 1 - ending


def _once(find: Value) -> Value:
    """The same value, found at most once. Choices and inequalities ask for their parts in both
    scenarios, so without this the work would double with each level of them."""
    found: list[int] = []

    def value() -> int:
        if not found:
            found.append(find())
        return found[0]

    return value


_FAMILIES: Mapping[type, str] = {
    MoveFacts: "move", SupportFacts: "support", ConvoyFacts: "convoy",
}  # fmt: skip
_WORDS = {
    "move": ("fails", "succeeds"),
    "support": ("is cut", "is given"),
    "convoy": ("is disrupted", "is available"),
    "dislodge": ("stays where it is", "is dislodged"),
}
"""The players' words for the values false and true."""
_ORDER_FAMILIES = frozenset(_FAMILIES.values())
_NOTHING: frozenset[Key] = frozenset()
_Node = TypeVar("_Node", Key, str)

_ENDLESS = 1_000_000  # the maximum of a number about which nothing is known
MAX_STEPS = 3_000_000
"""The most steps of an algorithm in a phase; each evaluates a part of an equation. Full boards and
DATC cases take 30,000 at most; chains of decisions that name each other twice double them."""

Paths: TypeAlias = Literal["orders_first", "local_marks", "resolved"]
"""When the convoy orders of a path are resolved (Kruijswijk, The Math of Adjudication, the final
note): all of them before the search for a path; or each when the search, whose marks are on the
stack, reaches it; or in a path equation that is resolved as orders are."""


class OrderEquations:
    """The equations of one phase. `orders` are the decisions that an algorithm resolves, by family
    and index: those of every move, support and convoy. Other families are among them only where a
    profile lets these depend on themselves with no order in between, or where `paths` are resolved
    too."""

    def __init__(
        self, profile: Profile, phase: Phase, engine: str, paths: Paths = "orders_first"
    ) -> None:
        self.profile = profile
        self.phase = phase
        self.engine = engine
        self.keys = tuple(all_decisions(profile.decisions, phase))
        self._grounder = Grounder(profile, phase)
        self._term = cache(self._grounder.equation)
        self._size = cache(lambda key: size_of(self._term(key)))
        self.steps = 0
        """The number of parts of equations evaluated so far, as if none ended early."""
        self._further = self._on_rings(_further_families(profile, engine))
        self._search = with_local_marks if paths == "local_marks" else every_fleet_first
        self._resolved_paths = self._searched() if paths == "resolved" else _NOTHING
        ordered = [_key(unit) for unit in phase.units if unit.candidate is not None]
        further = [key for key in self.keys if self.is_order(key) and key not in ordered]
        self.orders = (*ordered, *further)

    def is_order(self, key: Key) -> bool:
        """Whether algorithms resolve the decision rather than only compute it."""
        if key[0] in _ORDER_FAMILIES:
            return True
        return key in self._further or key in self._resolved_paths

    def name(self, key: Key) -> str:
        """A decision in words."""
        return self._grounder.name(key)

    def order_name(self, key: Key) -> str:
        """The order or unit that a decision is about, as players write it; for other kinds of
        decisions, their name."""
        return str(self._grounder.object(key)) if key[0] in _WORDS else self.name(key)

    def short_name(self, key: Key) -> str:
        """The province of an order's unit; for other kinds of decisions, their name."""
        if key[0] not in _ORDER_FAMILIES:
            return self.name(key)
        found: str = self._grounder.object(key).unit.province.code
        return found

    def term(self, key: Key) -> Term:
        """The right-hand side of a decision's equation."""
        return self._term(key)

    def widest(self, key: Key) -> tuple[int, int]:
        """The least and the greatest value of a decision about which nothing is known."""
        return (0, 1) if self.profile.decisions[key[0]].type.is_truth else (-_ENDLESS, _ENDLESS)

    def needed(
        self,
        order: Key,
        is_known: Callable[[Key], bool] = _NOTHING.__contains__,
        is_end: Callable[[Key], bool] | None = None,
    ) -> list[Key]:
        """The orders, or whatever `is_end` holds for, that an order's equation mentions, itself or
        in what is computed for it, in a fixed sequence. Known decisions, and what is reached only
        through them, are left out."""
        is_end = is_end or self.is_order

        def mentioned(key: Key) -> list[Key]:
            return [one for one in sorted(unknowns(self.term(key))) if not is_known(one)]

        found = reached(mentioned(order), lambda key: () if is_end(key) else mentioned(key))
        return [key for key in found if is_end(key)]

    def adjudicate(
        self,
        order: Key,
        resolve: Ask,
        pins: Mapping[Key, int],
        scenario: Scenario = None,
        adjudicated: Collection[Key] = _NOTHING,
        skipped: Collection[Key] = _NOTHING,
    ) -> int:
        """Evaluate an order's equation with the values that `resolve` returns for the orders it
        needs.

        `pins` are decisions that a backup rule has set. Orders in `adjudicated` are computed
        instead of resolved, and those in `skipped` count as false without being resolved.
        """

        def ask(key: Key, scenario: Scenario) -> int:
            if key in pins:
                return pins[key]
            if key in skipped:
                return 0
            if key in adjudicated or not self.is_order(key):
                return evaluate(self.evaluated(key), ask, scenario, self._search)
            return resolve(key, scenario)

        return evaluate(self.evaluated(order), ask, scenario, self._search)

    def evaluated(self, key: Key) -> Term:
        """The right-hand side of a decision's equation; counts as evaluating it once more. Raises
        `EngineWorkError` after too many steps."""
        self.count(self._size(key), key)
        return self._term(key)

    def count(self, steps: int, key: Key) -> None:
        """Count steps of the algorithm at a decision. Raises `EngineWorkError` after too many."""
        self.steps += steps
        if self.steps > MAX_STEPS:
            raise EngineWorkError(self.engine, self.profile.name, self.name(key), MAX_STEPS)

    def _searched(self) -> frozenset[Key]:
        """The decisions that only say whether there is a convoy path: PATH."""
        families = self.profile.decisions
        truths = [key for key in self.keys if families[key[0]].type.is_truth]
        return frozenset(
            key for key in truths if key[0] not in _FAMILIES.values() and _is_path(self.term(key))
        )

    def values(self, known: Mapping[Key, int]) -> dict[Key, int]:
        """The values of all decisions, computed from those of all orders and whatever else is
        known."""

        def value(key: Key) -> int:
            if key not in found:
                found[key] = value_of(self.term(key), value)
            return found[key]

        found = dict(known)
        return {key: value(key) for key in self.keys}

    def verdicts(
        self,
        known: Mapping[Key, int],
        backup: tuple[BackupRule, ...],
        several_cycles: tuple[str, ...] | None = None,
    ) -> EquationVerdicts:
        """The verdicts, from the values of all orders and what backup rules have set.
        `several_cycles` are orders for which the algorithm is not made.

        Raises `ContradictionError` if a value that no backup rule has set differs from that of its
        equation: such verdicts are never an answer.
        """
        values = self.values(known)
        self._check(values, known, backup, several_cycles or ())

        def of(family: str, count: int) -> tuple[bool, ...]:
            return tuple(bool(values[family, index]) for index in range(count))

        phase = self.phase
        contested = frozenset(
            place.code
            for place in phase.provinces
            if place.attackers
            and value_of(self._grounder.result("contested", place), values.__getitem__)
        )
        return EquationVerdicts(
            of("move", len(phase.moves)),
            of("support", len(phase.supports)),
            of("convoy", len(phase.convoys)),
            of("dislodge", len(phase.units)),
            contested,
            values,
            backup,
            several_cycles,
        )

    def _check(
        self,
        values: Mapping[Key, int],
        known: Collection[Key],
        backup: Iterable[BackupRule],
        several_cycles: tuple[str, ...],
    ) -> None:
        """Check every given value against its equation. The others were computed from these. What a
        rule set on a cycle need not follow from the equations; what it chose must."""
        exempt = {key for rule in backup if not rule.chosen for key in rule.pins}
        for key in sorted(known):
            if key in exempt:
                continue
            expected = value_of(self.term(key), values.__getitem__)
            if expected != values[key]:
                both = values[key], expected
                raise ContradictionError(
                    self.engine, self.profile.name, self.name(key), both,
                    self._in_words(key, both), several_cycles,
                )  # fmt: skip

    def _in_words(self, key: Key, values: Iterable[int]) -> tuple[str, ...]:
        """A decision and two of its values in players' words."""
        words = _WORDS.get(key[0])
        return self.order_name(key), *(words[value] if words else f"is {value}" for value in values)

    def _on_rings(self, families: Collection[str]) -> frozenset[Key]:
        """Decisions of some families that depend on themselves in this phase, with no order and no
        other one of them in between."""
        found = set[Key]()
        for key in self.keys if families else ():
            if key[0] in families and _returns(key, self._computed_from, found):
                found.add(key)
        return frozenset(found)

    def _computed_from(self, key: Key) -> Iterable[Key]:
        """What a decision's equation mentions, without the orders."""
        return (one for one in unknowns(self.term(key)) if one[0] not in _ORDER_FAMILIES)


def _is_path(term: Term) -> bool:
    """Whether a term searches for a path."""
    return isinstance(term, Reach) or any(map(_is_path, parts_of(term)))


def _key(unit: UnitFacts) -> Key:
    """The decision about a unit's order."""
    candidate = unit.candidate
    assert candidate is not None
    return _FAMILIES[type(candidate)], candidate.index


@kept_on_first(64)
def _further_families(profile: Profile, engine: str) -> frozenset[str]:
    """The families, besides those of orders, whose decisions may have to be resolved, so that the
    rest can be computed from them."""
    calls = {name: decision_calls(one.equation) for name, one in profile.decisions.items()}
    found = set(_ORDER_FAMILIES)
    for name, decision in profile.decisions.items():
        if name not in found and _returns(name, calls.__getitem__, found):
            if not decision.type.is_truth:
                problem = f"numbers {name!r} depend on themselves, and no order lies between"
                raise NotMadeForError(engine, f"the profile {profile.name!r}: {problem}")
            found.add(name)
    return frozenset(found - _ORDER_FAMILIES)


def _returns(
    start: _Node, mentioned: Callable[[_Node], Iterable[_Node]], without: Collection[_Node]
) -> bool:
    """Whether a chain of mentions leads back to the start, avoiding `without`."""

    def step(node: _Node) -> Iterable[_Node]:
        return (one for one in mentioned(node) if one not in without)

    return start in reached(step(start), step)
