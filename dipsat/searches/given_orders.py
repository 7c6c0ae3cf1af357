"""Orders given to units whose places are known, beside units that may stand anywhere.

An order keeps its meaning whatever the other units are: it is followed where they make it possible,
as adjudication would. An order that could not be followed anywhere, or that rules read differently
depending on who stands where, is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dipsat.board.province import coast_of, province_of
from dipsat.errors import DipsatError, OrderFaultError, ProblemsError, QuestionError
from dipsat.game.conditions import convoying
from dipsat.game.position import Position, Unit, refusal_of
from dipsat.game.ruling import Submission
from dipsat.game.submissions import PowerOrders, read_submissions
from dipsat.openunits.given import CONVOY, HOLD, MOVE, SUPPORT, Given
from dipsat.orders.order import Convoy, Hold, Move, Order, SupportHold, SupportMove, UnitName
from dipsat.pages import titled
from dipsat.profiles.profile import Profile
from dipsat.profiles.settings import Settings
from dipsat.searches.problem import named_units

_NAMES = ("kind_wrong", "nationality_wrong")


def given_orders(
    position: Position,
    orders: Mapping[str, PowerOrders],
    profiles: Sequence[Profile],
    opened: str | Iterable[str] | None = None,
) -> Mapping[str, Given]:
    """The order of each unit of a position that has one, by location; `position` has the units
    whose places are known. Where `opened` names units or powers, as in `search`, their orders are
    open, and the other units without an order hold, as those of neutral powers always do.

    Raises `QuestionError` for rules under which none can be given, `OrderFaultError` for an order
    that cannot be given beside units that may stand anywhere, `ProblemsError` for several, and what
    the reader of orders raises.
    """
    found = _read(position, orders, profiles) if orders else {}
    free, _ = (set[str](), None) if opened is None else named_units(position, opened)
    neutrals = position.map.neutrals
    holding = [u for u in position.units if opened is not None or u.power in neutrals]
    holds = {u.location: Given(HOLD, Hold(u.name)) for u in holding}
    return {at: one for at, one in {**holds, **found}.items() if at not in free}


def _read(
    position: Position, orders: Mapping[str, PowerOrders], profiles: Sequence[Profile]
) -> dict[str, Given]:
    for profile in profiles:
        if profile.settings.legal != "position":
            raise QuestionError(
                f"under the rules {profile.name!r}, impossible orders can have an effect (4.E.1); "
                "then no orders can be given beside units that may stand anywhere"
            )
    settings = profiles[0].settings
    reading = _Reading(position, [profile.settings for profile in profiles])
    found: dict[str, Given] = {}
    faults: list[DipsatError] = []
    for one in read_submissions(position, orders, settings):
        try:
            unit = reading.ordered(one)
            if unit.location in found:
                raise _RefusedError(f"{unit} has two orders; leave one out")
            found[unit.location] = reading.given(unit, one.order)
        except _RefusedError as why:
            problem = f"cannot be given beside units that may stand anywhere: {why}"
            faults.append(OrderFaultError(one.power, [one.text], problem))
    if len(faults) == 1:
        raise faults[0]
    if faults:
        raise ProblemsError(faults)
    return found


class _RefusedError(Exception):
    """Why an order cannot be given."""


class _Reading:
    def __init__(self, position: Position, settings: Sequence[Settings]) -> None:
        self.position, self.board, self.settings = position, position.map, settings
        (self.convoying,) = convoying(position, settings[0])

    def ordered(self, one: Submission) -> Unit:
        """The unit that an order is for."""
        power, order = one.power, one.order
        if one.refusal is not None:
            raise _RefusedError(one.refusal[1])
        if not isinstance(order, Hold | Move | SupportHold | SupportMove | Convoy):
            raise _RefusedError("only orders to hold, move, support or convoy can")
        named = order.unit
        unit = self.position.by_province.get(province_of(named.location))
        if unit is None:
            problem = f"no unit is stated to stand in {province_of(named.location)}"
            raise _RefusedError(f"{problem}; the orders of units anywhere are open")
        if unit.power != power:
            raise _RefusedError(f"the unit there belongs to {titled(unit.power)}")
        other_coast = coast_of(named.location) and named.location != unit.location
        if named.kind not in (None, unit.kind) or other_coast:
            raise _RefusedError(f"the unit there is {unit}")
        refused = refusal_of(self.board, power, order)
        if refused is not None:
            raise _RefusedError(refused[1])
        return unit

    def given(self, unit: Unit, order: Order) -> Given:
        """What a unit does by its order, and where it can."""
        match order:
            case Hold():
                return Given(HOLD, order)
            case Move():
                return self._move(unit, order)
            case SupportHold(supported=named):
                self._check_named(unit, named)
                self._check_reach(unit, named.location)
                return Given(SUPPORT, order, province_of(named.location))
            case SupportMove(supported=named, target=target):
                self._check_named(unit, named)
                self._check_reach(unit, target)
                self._refuse_coast(target)
                return Given(SUPPORT, order, province_of(named.location), province_of(target))
            case Convoy(army=named, target=target):
                self._check_named(unit, named)
                if unit.kind is not self.convoying.carriage.carrier or (
                    unit.province not in self.convoying.places
                ):
                    raise _RefusedError(f"{unit} can convoy nothing")
                self._refuse_coast(target)
                return Given(CONVOY, order, province_of(named.location), province_of(target))
        raise AssertionError(f"{order!r} is no order of a movement phase")

    def _move(self, unit: Unit, order: Move) -> Given:
        code = province_of(order.target)
        if code == unit.province:
            raise _RefusedError("a unit cannot move to where it stands")
        if order.path:
            raise _RefusedError("leave out the provinces of the convoy")
        reach = self.board.reach(unit.kind, unit.location)
        landings = sorted(place for place in reach if province_of(place) == code)
        is_cargo = unit.kind is self.convoying.carriage.cargo
        if not landings:
            if not (is_cargo and self._is_shore(unit.location) and self._is_shore(code)):
                raise _RefusedError(f"{unit} cannot move to {code}")
            return Given(MOVE, order, "", code, code)
        location = order.target if order.target in landings else landings[0]
        is_exact = order.target in landings or not unit.kind.has_coasts
        if not is_exact and (coast_of(order.target) or len(landings) > 1):
            raise _RefusedError(f"{unit} can move to {' or '.join(landings)}")
        if not order.via:
            return Given(MOVE, order, "", code, location)
        if not is_cargo:
            raise _RefusedError(f"{unit.kind.plural} are not convoyed")
        for settings in self.settings:
            if settings.goes_by_land_instead(()) or settings.adjacent_convoy in (
                "opposed", "always",
            ):  # fmt: skip
                raise _RefusedError('leave out "via convoy": under these rules, it may not count')
        return Given(MOVE, order, "", code, location, via=True)

    def _is_shore(self, place: str) -> bool:
        shores = map(province_of, self.convoying.net.shores)
        return province_of(place) in shores

    def _check_named(self, unit: Unit, named: UnitName) -> None:
        """Refuse a supported or convoyed unit whose name may be read differently depending on who
        stands there."""
        if province_of(named.location) == unit.province:
            raise _RefusedError("a unit cannot support or convoy itself")
        known = self.position.by_province.get(province_of(named.location))
        is_right = known is not None and (
            named.kind in (None, known.kind) and named.power in (None, known.power)
        )
        if is_right or (named.kind is None and named.power is None):
            return
        for setting in _NAMES:
            if any(getattr(settings, setting) != "valid" for settings in self.settings):
                code = province_of(named.location)
                problem = f"write only {code} for the unit there, without its kind and power"
                raise _RefusedError(problem)

    def _check_reach(self, unit: Unit, place: str) -> None:
        code = province_of(place)
        if code not in self.board.reach_provinces(unit.kind, unit.location):
            raise _RefusedError(f"{unit} cannot move to {code}, so it cannot support there")

    def _refuse_coast(self, place: str) -> None:
        if coast_of(place):
            raise _RefusedError(f"leave out the coast; write {province_of(place)}")
