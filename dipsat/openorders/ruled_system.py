"""An equation system whose guards are literals of a solver: its rails, and what they leave open."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, Generic, TypeVar

from dipsat.equations.phase import parts_of
from dipsat.language.syntax import Variable
from dipsat.limits import check_time
from dipsat.profiles.profile import Profile
from dipsat.solving.dual_rail import Gates, RailSystem
from dipsat.solving.system import System
from dipsat.terms.term import Key, all_of, unknowns

_Answer = TypeVar("_Answer")


class RuledSystem(ABC, Generic[_Answer]):
    """The equations of a profile about a phase in which something is open, and their rails.
    An `_Answer` is what the solver chooses: an order for each unit.

    `guard` gives the literal of a guard. `rails` may be those of a profile that decides everything
    alike.
    """

    def __init__(
        self,
        profile: Profile,
        system: System,
        gates: Gates,
        guard: Callable[[Key], int],
        rails: RailSystem | None = None,
    ) -> None:
        self.profile, self.system, self.gates = profile, system, gates
        if rails is None:
            rails = RailSystem(gates, system.equations, system.bounds, guard)
        self.rails = rails
        self._open_literals: dict[Key, int] = {}
        self._issued_literals: dict[tuple[int, int], int] = {}
        numbers: dict[tuple[Variable, ...], int] = {}
        self._index_sets = {
            name: numbers.setdefault(decision.indices, len(numbers))
            for name, decision in profile.decisions.items()
        }

    @abstractmethod
    def chosen(self, answer: _Answer) -> Mapping[Key, int]:
        """Which guards hold in an answer."""

    @abstractmethod
    def same_parts(self, answer: _Answer) -> Callable[[Any], Any]:
        """A function that finds the objects of the adjudicated phase in the open one, None for
        those that are not there."""

    def issued(self, key: Key) -> int:
        """The literal that says that the orders a decision is about are given."""
        objects = self._index_sets[key[0]], key[1]
        found = self._issued_literals.get(objects)
        if found is None:
            about = parts_of(self.system.grounder.object(key))
            found = self.rails.surely(all_of(getattr(part, "issued", True) for part in about))
            self._issued_literals[objects] = found
        return found

    def is_open(self, key: Key) -> int:
        """The literal that says that the decision matters and propagation leaves it open."""
        if key not in self._open_literals:
            check_time()
            known = self.rails.is_known(key)
            self._open_literals[key] = self.gates.all_of((-known, self.issued(key)))
        return self._open_literals[key]

    @cached_property
    def any_open(self) -> int:
        """The literal that says that some decision is open."""
        return self.gates.any_of(self.each_open.values())

    @property
    def each_open(self) -> Mapping[Key, int]:
        """The same for each decision."""
        return {key: self.is_open(key) for key in self.system.equations}

    def each_on_cycle_with(self, families: Iterable[str]) -> Mapping[Key, int]:
        """Each decision of the first of these families, with the literal that says that it is open
        and lies on a cycle of open decisions that depend on each other in turn, or between two such
        cycles, and that so does some decision of each other family."""
        gates, chosen = self.gates, self._on_cycle
        first, *others = sorted(families)
        rest = gates.all_of(
            gates.any_of(literal for key, literal in chosen.items() if key[0] == family)
            for family in others
        )
        return {
            key: gates.both(literal, rest) for key, literal in chosen.items() if key[0] == first
        }

    @cached_property
    def _on_cycle(self) -> dict[Key, int]:
        """Decision -> a literal that can hold only if it is open and lies on a cycle of open
        decisions, or on a path from one cycle to another: an open decision leads to it, and it
        leads to one. To choose one edge into each decision and one out of it would leave out the
        paths, but would take as many clauses as all equations together."""
        gates, equations = self.gates, self.system.equations
        chosen = {key: gates.variable() for key in equations}
        before: dict[Key, list[int]] = {key: [] for key in equations}
        for key, (term, _) in equations.items():
            literal, after = chosen[key], []
            for other in unknowns(term):
                if other in before:
                    before[other].append(literal)
                    after.append(chosen[other])
            gates.imply(literal, (self.is_open(key),))
            gates.imply(literal, sorted(after))
        for key, literals in before.items():
            gates.imply(chosen[key], literals)
        return chosen
