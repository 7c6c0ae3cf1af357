"""What a question about open orders is asked of: the position, what is ordered, what is open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from dipsat.equations.facts import build_phase
from dipsat.errors import QuestionError, UnknownNameError
from dipsat.game.legality import judge_orders
from dipsat.game.order_sets import PowerOrders
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import Position, Unit
from dipsat.game.submissions import read_submissions
from dipsat.orders.order import Hold, Order
from dipsat.orders.reader import reader_for
from dipsat.profiles.profile import Profile
from dipsat.questions.open_orders import Choices, OpenOrders, choices_for, refuse_limits
from dipsat.questions.watch import Watch
from dipsat.solving.sat import AUTO

ALL = "all"
"""Opens every unit."""


@dataclass(frozen=True)
class Asked:
    """A position whose open units may be ordered anything; the others keep what they are `given`
    (by location, as the first profile reads it)."""

    position: Position
    profiles: tuple[Profile, ...]
    given: Mapping[str, Order]
    opened: frozenset[str]
    watch: Watch = field(default_factory=Watch)
    solver: str = AUTO

    @property
    def open_units(self) -> tuple[Unit, ...]:
        """The units that may be ordered anything."""
        return tuple(unit for unit in self.position.units if unit.location in self.opened)

    def choices(self) -> Choices:
        """The orders that each unit may be given."""
        return choices_for(self.position, self.profiles, self.given, set(self.opened))

    def board(self) -> OpenOrders:
        """Its choices as clauses."""
        return OpenOrders(self.position, self.choices(), self.solver, self.watch.check)


def ask_about(
    position: Position,
    profiles: Iterable[Profile],
    orders: Mapping[str, PowerOrders],
    opened: str | Iterable[str] | None,
    watch: Watch,
    solver: str = AUTO,
) -> Asked:
    """What is asked about, checked.

    `orders` are as `adjudicate` takes them. `opened` names the units whose orders are open, each in
    any notation, or powers with all their units, or is `all`; what `orders` say of them does not
    count. With None, every unit without an order is open.

    Raises `QuestionError` for another phase than one of movement, if no unit is open, for an open
    unit that is not there, and for rules that ask for what open orders cannot express; and what
    `adjudicate` raises for the orders.
    """
    profiles = tuple(profiles)
    if position.phase.kind is not PhaseKind.MOVEMENT:
        raise QuestionError(f"{position.phase} is no movement phase; only there orders are open")
    for profile in profiles:
        refuse_limits(profile)
    settings = profiles[0].settings
    rulings = judge_orders(position, read_submissions(position, orders, settings), settings)
    facts = {unit.unit.location: unit for unit in build_phase(position, rulings, settings).units}
    given: dict[str, Order] = {}
    for ruling in rulings:
        if ruling.counts:
            raise QuestionError(
                f"{ruling.submission.text!r} is an impossible order that has an effect (4.E.1); "
                "such orders cannot be part of a question about open orders"
            )
        if ruling.unit is not None:
            order, unit = facts[ruling.unit.location].order, ruling.unit
            hold = Hold(unit.name)
            given[unit.location] = hold if isinstance(order, Hold) else order
    free = {unit.location for unit in position.units} - given.keys()
    named = free if opened is None else _named(position, opened)
    if not named:
        raise QuestionError("no unit is open: all have orders; say which orders are open")
    return Asked(position, profiles, given, frozenset(named), watch, solver)


def _named(position: Position, opened: str | Iterable[str]) -> set[str]:
    board, found = position.map, set[str]()
    for text in (opened,) if isinstance(opened, str) else opened:
        if text.strip().lower() == ALL:
            found |= {unit.location for unit in position.units}
            continue
        try:
            power = board.names.power(text)
        except UnknownNameError:
            found.add(_unit(position, text).location)
        else:
            own = {unit.location for unit in position.units if unit.power == power}
            if not own:
                raise QuestionError(f"{power} has no unit whose orders could be open")
            found |= own
    return found


def _unit(position: Position, text: str) -> Unit:
    named = reader_for(position.map).read_unit(text)
    for unit in position.units:
        same_place = unit.province == named.location.partition("/")[0]
        if same_place and named.kind in (None, unit.kind) and named.power in (None, unit.power):
            return unit
    raise QuestionError(f"{text!r} cannot be open: no such unit is on the board")
