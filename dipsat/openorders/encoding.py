"""A position with open orders as clauses: every order that a unit may be given is a choice.

The same choices can be combined with several profiles, so that a solver finds orders on which they
differ, and with several answers of an opponent.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from dipsat.errors import QuestionError
from dipsat.game.facts import NO_ORDER
from dipsat.game.position import Position
from dipsat.limits import check_time
from dipsat.openorders.candidates import candidates, limits
from dipsat.openorders.open_facts import OpenPhase, open_phase_of
from dipsat.openorders.readings import ProfileReadings
from dipsat.openorders.ruled_system import RuledSystem
from dipsat.openorders.same_parts import SameParts
from dipsat.orders.order import Hold, Order
from dipsat.profiles.profile import Profile
from dipsat.solving.budget import Budget
from dipsat.solving.dual_rail import FALSE, TRUE, Gates, RailSystem
from dipsat.solving.sat import AUTO, clause_solver
from dipsat.solving.size import check_size
from dipsat.solving.system import System, ground_system
from dipsat.terms.term import ORDER, Key

_CLAUSES = 20_000  # added to a solver between two checks of the clock
Choices = Mapping[str, tuple[Order, ...]]
"""Location of a unit -> the orders it may be given; a single one is fixed. After the units come the
orders of powers, by `key_of`: the order, or `NO_ORDER`."""


def choices_for(
    position: Position,
    profiles: Sequence[Profile],
    given: Mapping[str, Order],
    opened: set[str],
    besides: Mapping[str, Order],
) -> Choices:
    """The orders that each unit may be given: for units in `opened` (locations), every order that
    is legal under some of the profiles; for others, the order in `given`, or else a hold. For
    powers, the orders in `given`; those in `besides` are open."""
    legal: dict[str, dict[Order, None]] = {}
    for profile in profiles:
        for location, orders in candidates(
            profile, position.with_words(profile.words)
        ).of_units.items():
            legal.setdefault(location, {}).update(dict.fromkeys(orders))
    found: dict[str, tuple[Order, ...]] = {}
    for unit in position.units:
        if unit.location in opened:
            found[unit.location] = tuple(legal[unit.location])
        else:
            hold = Hold(unit.name)
            found[unit.location] = (given.get(unit.location, hold),)
    found |= {key: (order,) for key, order in given.items() if key not in {*found, *besides}}
    return found | {key: (NO_ORDER, order) for key, order in besides.items()}


def refuse_limits(profile: Profile, position: Position, expressed: Collection[str] = ()) -> None:
    """Raise `QuestionError` if the profile needs something that open orders cannot express; they
    do express the words in `expressed`."""
    found = [*limits(profile, position, expressed)]
    for rule in profile.cycles:
        numbers = [name for name in rule.pins if not profile.decisions[name].type.is_truth]
        found += [f"the cycle rule {rule.name!r}, which sets {name}" for name in numbers]
        if rule.along and not numbers:
            besides = " and ".join(rule.along)
            found.append(f"the cycle rule {rule.name!r}, which sets {besides} along")
    if found:
        raise QuestionError(
            f"under the rules {profile.name!r}, no question about open orders can be asked because "
            f"of {', '.join(found)}"
        )


@dataclass(frozen=True, slots=True)
class Grounded:
    """The choices under one profile: the facts, and the equations."""

    open: OpenPhase
    system: System


class OpenOrders:
    """The choices as clauses of one solver. `under` adds the equations of a profile over them.

    `known` keeps what is grounded for all choices, for other solvers with the same choices.
    """

    def __init__(
        self,
        readings: ProfileReadings,
        choices: Choices,
        solver: str = AUTO,
        budget: Budget | None = None,
        known: dict[Profile, Grounded] | None = None,
    ) -> None:
        self._budget = budget or Budget()
        self._known = {} if known is None else known
        self.readings = readings
        self.position = readings.position
        self.choices = choices
        self.gates = Gates()
        self._solver = clause_solver(solver, self._budget)
        self._guards: dict[tuple[str, Order], int] = {}
        for location, orders in choices.items():
            literals = [self.gates.variable() if len(orders) > 1 else TRUE for _ in orders]
            self._guards.update(
                ((location, order), literal)
                for order, literal in zip(orders, literals, strict=True)
            )
            self.gates.require(*literals)
            self.gates.at_most_one(literals)

    def guard(self, location: str, order: Order) -> int:
        """The literal that says that the unit there, or a power, gives this order."""
        return self._guards.get((location, order), FALSE)

    def guards(self, orders: Mapping[str, Order]) -> list[int]:
        """The literals of several orders, without those that are fixed."""
        literals = [self.guard(location, order) for location, order in orders.items()]
        return [literal for literal in literals if literal != TRUE]

    def forbid(self, orders: Mapping[str, Order]) -> None:
        """From now on, do not allow all of these orders together."""
        self.gates.require(*(-literal for literal in self.guards(orders)))

    def grounded(self, profile: Profile) -> Grounded:
        """The choices under a profile."""
        if profile not in self._known:
            self._known[profile] = self._grounded(profile, self.choices)
        return self._known[profile]

    def under(
        self,
        profile: Profile,
        fixed: Mapping[str, Order] | None = None,
        rails: RailSystem | None = None,
    ) -> OpenRules:
        """The equations of a profile over the choices; units in `fixed` have only that order.
        `rails` may be those of a profile that decides everything alike."""
        if not fixed:
            return OpenRules(self, profile, self.choices, self.grounded(profile), rails)
        choices = {
            location: (fixed[location],) if location in fixed else orders
            for location, orders in self.choices.items()
        }
        return OpenRules(self, profile, choices, self._grounded(profile, choices))

    def _grounded(self, profile: Profile, choices: Choices) -> Grounded:
        read = {
            at: tuple(self.readings.read(profile, at, order) for order in orders)
            for at, orders in choices.items()
        }
        position = self.position.with_words(profile.words)  # these say who carries whom
        phase = open_phase_of(profile, position, read)
        system = ground_system(profile, phase.phase, self._budget.spend)
        check_size(system.grounder, system.equations, system.bounds, each=True)
        return Grounded(phase, system)

    def find(self, assumptions: Iterable[int]) -> Mapping[str, Order] | None:
        """An order for every unit, by location, for which the assumptions and all requirements can
        hold; None if there are none."""
        clauses = self.gates.take()
        each = iter(clauses)
        for _ in range(0, len(clauses), _CLAUSES):
            check_time()
            self._solver.add(islice(each, _CLAUSES))
        true = self._solver.solve(tuple(assumptions))
        if true is None:
            return None
        chosen = {}
        for location, orders in self.choices.items():
            guards = ((order, self.guard(location, order)) for order in orders)
            chosen[location] = next(
                o for o, literal in guards if literal == TRUE or literal in true
            )
        return chosen


class OpenRules(RuledSystem[Mapping[str, Order]]):
    """The choices under one profile: the facts, the equation system and its rails."""

    def __init__(
        self,
        board: OpenOrders,
        profile: Profile,
        choices: Choices,
        grounded: Grounded,
        rails: RailSystem | None = None,
    ) -> None:
        self.board = board
        self._orders = [(at, order) for at, orders in choices.items() for order in orders]
        self.open = grounded.open
        # Rails refer to themselves, so what they keep stays until the garbage collector runs. That
        # must not be the solver of the board, which takes megabytes that Python does not count.
        literals = [board.guard(at, order) for at, order in self._orders]
        super().__init__(profile, grounded.system, board.gates, lambda key: literals[key[1]], rails)

    def chosen(self, answer: Mapping[str, Order]) -> dict[Key, int]:
        """Which guards hold if these orders are given."""
        return {
            (ORDER, number): int(answer[location] == order)
            for number, (location, order) in enumerate(self._orders)
        }

    def same_parts(self, answer: Mapping[str, Order]) -> SameParts:
        """Finds the objects of the phase with these orders among those of the open phase."""
        return SameParts(self.open.phase, self.chosen(answer))
