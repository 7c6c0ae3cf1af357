"""The equations of a phase as the published algorithms read them.

They resolve orders; the `adjudicate` function of an order computes strengths, paths and
dislodgements on the way, whenever it needs one (DATC 3.0 5.C, seed 003). So the decisions of a
profile fall into two groups: those that are resolved, and those that are computed from them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Literal, TypeAlias

from dipsat.algorithms.engine import BackupRule, EquationVerdicts
from dipsat.algorithms.evaluation import (
    Ask,
    Scenario,
    evaluate,
    every_fleet_first,
    with_local_marks,
)
from dipsat.equations.facts import ConvoyFacts, MoveFacts, Phase, SupportFacts, UnitFacts
from dipsat.equations.ground import Grounder, all_decisions
from dipsat.equations.terms import Key, Reach, Term, parts_of, unknowns
from dipsat.errors import EngineError
from dipsat.profiles.profile import Profile
from dipsat.profiles.syntax import decision_calls

_FAMILIES: Mapping[type, str] = {
    MoveFacts: "move", SupportFacts: "support", ConvoyFacts: "convoy",
}  # fmt: skip
_NOTHING: frozenset[Key] = frozenset()

Paths: TypeAlias = Literal["orders_first", "local_marks", "resolved"]
"""When the convoy orders of a path are resolved (Kruijswijk, The Math of Adjudication, the final
note): all of them before the search for a path, or each when a search comes to it, which has its
marks on the stack, or in a path equation that is itself resolved as orders are."""


class OrderEquations:
    """The equations of one phase. `orders` are the decisions that an algorithm resolves, by family
    and index: of every move, support and convoy, and of further families only where a profile lets
    those depend on themselves without an order between, or where `paths` are resolved too."""

    def __init__(
        self, profile: Profile, phase: Phase, engine: str, paths: Paths = "orders_first"
    ) -> None:
        self.profile = profile
        self.phase = phase
        self.resolved_families = _resolved_families(profile, engine)
        self.keys = tuple(all_decisions(profile.decisions, phase))
        self._grounder = Grounder(profile, phase)
        self._terms: dict[Key, Term] = {}
        self._search = with_local_marks if paths == "local_marks" else every_fleet_first
        self._resolved_paths = self._searched() if paths == "resolved" else _NOTHING
        ordered = [_key(unit) for unit in phase.units if unit.candidate is not None]
        further = [key for key in self.keys if self.is_order(key) and key not in ordered]
        self.orders = (*ordered, *further)

    def is_order(self, key: Key) -> bool:
        """Whether the decision is one that algorithms resolve, and do not just compute."""
        return key[0] in self.resolved_families or key in self._resolved_paths

    def name(self, key: Key) -> str:
        """A decision in words."""
        return self._grounder.name(key)

    def term(self, key: Key) -> Term:
        """The right-hand side of a decision's equation."""
        found = self._terms.get(key)
        if found is None:
            found = self._terms[key] = self._grounder.equation(key)
        return found

    def needed(self, order: Key, known: Collection[Key] = _NOTHING) -> list[Key]:
        """The orders that an order's equation mentions, itself or in what is computed for it, in a
        fixed sequence; without those that are known, or stand only behind what is."""
        found, seen, stack = list[Key](), set[Key](known), [order]
        while stack:
            for key in sorted(unknowns(self.term(stack.pop())) - seen):
                seen.add(key)
                (found if self.is_order(key) else stack).append(key)
        return found

    def adjudicate(
        self,
        order: Key,
        resolve: Ask,
        pins: Mapping[Key, int],
        scenario: Scenario = None,
        adjudicated: Collection[Key] = _NOTHING,
        skipped: Collection[Key] = _NOTHING,
    ) -> int:
        """What an order's equation gives, by what `resolve` says of the orders it depends on.

        `pins` are decisions that a backup rule has settled. Orders in `adjudicated` are not
        resolved but computed too, and those in `skipped` count as false without being asked.
        """

        def ask(key: Key, scenario: Scenario) -> int:
            if key in pins:
                return pins[key]
            if key in skipped:
                return 0
            if key in adjudicated or not self.is_order(key):
                return evaluate(self.term(key), ask, scenario, self._search)
            return resolve(key, scenario)

        return evaluate(self.term(order), ask, scenario, self._search)

    def _searched(self) -> frozenset[Key]:
        """The decisions that a convoy path is searched for, and that only say whether: PATH."""
        families = self.profile.decisions
        truths = [key for key in self.keys if families[key[0]].type.is_truth]
        return frozenset(
            key for key in truths if key[0] not in _FAMILIES.values() and _is_path(self.term(key))
        )

    def values(self, known: Mapping[Key, int]) -> dict[Key, int]:
        """The values of all decisions, by those of all orders and of whatever else is known."""

        def ask(key: Key, _: Scenario) -> int:
            if key not in found:
                found[key] = evaluate(self.term(key), ask)
            return found[key]

        found = dict(known)
        return {key: ask(key, None) for key in self.keys}

    def verdicts(
        self, known: Mapping[Key, int], backup: tuple[BackupRule, ...]
    ) -> EquationVerdicts:
        """The verdicts, by the values of all orders and what backup rules have settled."""
        values = self.values(known)

        def of(family: str, count: int) -> tuple[bool, ...]:
            return tuple(bool(values[family, index]) for index in range(count))

        phase = self.phase
        contested = frozenset(
            place.code
            for place in phase.provinces
            if place.attackers
            and evaluate(self._grounder.result("contested", place), lambda key, _: values[key])
        )
        return EquationVerdicts(
            of("move", len(phase.moves)),
            of("support", len(phase.supports)),
            of("convoy", len(phase.convoys)),
            of("dislodge", len(phase.units)),
            contested,
            values,
            backup,
        )


def _is_path(term: Term) -> bool:
    """Whether a path is searched for in a term."""
    return isinstance(term, Reach) or any(map(_is_path, parts_of(term)))


def _key(unit: UnitFacts) -> Key:
    """The decision about a unit's order."""
    candidate = unit.candidate
    assert candidate is not None
    return _FAMILIES[type(candidate)], candidate.index


@lru_cache(maxsize=64)
def _resolved_families(profile: Profile, engine: str) -> frozenset[str]:
    """The families that have to be resolved, so that the rest can be computed from them."""
    calls = {name: decision_calls(one.equation) for name, one in profile.decisions.items()}
    found = set(_FAMILIES.values())
    for name, decision in profile.decisions.items():
        if name not in found and _returns(name, calls, found):
            if not decision.type.is_truth:
                problem = f"numbers {name!r} depend on themselves, and no order lies between"
                raise EngineError(engine, f"the profile {profile.name!r}: {problem}")
            found.add(name)
    return frozenset(found)


def _returns(start: str, calls: Mapping[str, Collection[str]], without: Collection[str]) -> bool:
    """Whether a chain of calls leads from a family back to itself, over none of `without`."""
    reached, seen = [start], set[str]()
    while reached:
        for name in calls[reached.pop()]:
            if name == start:
                return True
            if name not in without and name not in seen:
                seen.add(name)
                reached.append(name)
    return False
