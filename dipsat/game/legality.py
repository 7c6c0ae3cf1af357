"""What each submitted order is taken to mean, and whether it is possible (DATC 4.B to 4.E.1).

Every submitted order gets a `Ruling`; none is dropped. LEGAL orders could be carried out for all
one knows before seeing the other orders; AMENDED ones are legal after something unclear in them
was settled; ILLEGAL ones are impossible on this board, and their unit holds. Whether a legal
order finds the orders it needs (a support its move, an army its convoy) comes later.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeAlias

from dipsat.board.map import Map
from dipsat.board.province import UnitKind, coast_of, province_of
from dipsat.game.conditions import Refusal, conditions_on, convoy_waters, convoying_fleets
from dipsat.game.convoys import on_minimal_route, route_exists
from dipsat.game.implicit import implied_moves
from dipsat.game.position import Position, Unit
from dipsat.game.possible import BAD_ATTRIBUTE, is_order
from dipsat.game.ruling import UNKNOWN_PLACE, Ruling, Status, Submission, refusal_of
from dipsat.game.settings import Settings
from dipsat.game.several import settle_several
from dipsat.orders.attributes import contradiction
from dipsat.orders.order import (
    Convoy,
    DeclaredOrder,
    Hold,
    Move,
    MovementOrder,
    Order,
    SupportHold,
    SupportMove,
    UnitName,
    Waive,
)

__all__ = ["Ruling", "Status", "Submission", "judge_orders"]

_BADLY = "the unit is not named properly"


class _IllegalError(Exception):
    """Ends the reading of an order; becomes an illegal ruling."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(code, reason)
        self.code = code
        self.reason = reason


class _ForbiddenError(_IllegalError):
    """The order breaks a condition of the rules, whatever that condition is called."""


def judge_orders(
    position: Position, submissions: Iterable[Submission], settings: Settings
) -> tuple[Ruling, ...]:
    """A ruling for every submission, in the order given (DATC 4.B.1-6, 4.C, 4.D.1-3, 4.E.1,
    4.E.3); after them, one for every implicit order."""
    judge = _Judge(position, settings)
    rulings = [judge.rule(submission) for submission in submissions]
    settle_several(rulings, settings)
    if settings.implicit_orders == "deduced":
        rulings += judge.implicit(rulings)
    return tuple(rulings)


_Note: TypeAlias = tuple[str, str] | None
"""What was settled in an order, as code and reason."""


class _Judge:
    """Rules on the orders of one position; what convoys could do is worked out once."""

    def __init__(self, position: Position, settings: Settings) -> None:
        self.position = position
        self.kinds = {kind.name: kind for kind in position.words.kinds}
        self.board: Map = position.map
        self.settings = settings
        self.units = position.by_province
        self.routes: dict[tuple[str, str, str, tuple[str, ...]], bool] = {}
        self.naming: list[str] = []  # of the order that is being ruled on
        self.conditions = conditions_on(position, settings)
        self.waters = convoy_waters(self.board, position.phase, settings)
        self.fleets = convoying_fleets(position, settings)

    def rule(self, submission: Submission) -> Ruling:
        order = submission.order
        if type(submission) is not Submission:
            refusal = refusal_of(submission)
            if refusal is not None:
                return self._refused(submission, refusal)
        season = self.position.phase.extra_season
        if isinstance(order, DeclaredOrder) and order.season == season:
            if not self.kinds[order.kind].is_of_unit:
                return Ruling(submission, None, order, Status.LEGAL)
        elif season or not isinstance(order, MovementOrder):
            unit = None if isinstance(order, Waive) else self._own(order.unit, submission.power)
            reason = "this is a movement phase; it is no order to hold, move, support or convoy"
            if season:
                reason = "this phase takes only orders that the rules have for it alone"
            return Ruling(submission, unit, order, Status.ILLEGAL, "wrong_phase", reason)
        unit = self.units.get(province_of(order.unit.location))
        if unit is None:
            reason = f"no unit stands in {province_of(order.unit.location)}"
            return Ruling(submission, None, order, Status.ILLEGAL, "no_unit", reason)
        if unit.power != submission.power:
            reason = f"the unit there belongs to {unit.power}"
            return Ruling(submission, None, order, Status.ILLEGAL, "foreign_unit", reason)
        if isinstance(order, DeclaredOrder):
            return self._declared(submission, unit, order)
        if self.conditions is None and self._is_plain(order, unit):
            return Ruling(submission, unit, order, Status.LEGAL)
        self.naming = []
        try:
            noted = self._named(order.unit, unit)
            if isinstance(order, Move):
                ruled, amended = self._move(unit, order)
            elif isinstance(order, Hold):
                ruled, amended = Hold(_name(unit, order.unit)), None
            else:
                ruled, amended = self._about_another(unit, order)
            self._meet_conditions(unit, ruled)
        except _IllegalError as fault:
            return self._illegal(submission, unit, order, fault)
        noted = noted or amended
        status = Status.LEGAL if noted is None else Status.AMENDED
        return Ruling(submission, unit, ruled, status, *(noted or ("", "")), tuple(self.naming))

    def _declared(self, submission: Submission, unit: Unit, order: DeclaredOrder) -> Ruling:
        """How an order of a declared kind names units; the rules say when it is legal."""
        fields = dict(order.fields)
        for name, named in (("", order.unit), *order.fields):
            if not isinstance(named, UnitName):
                continue
            there = self.units.get(province_of(named.location))
            wrong = contradiction(named.attributes, there.attributes) if there else ""
            if wrong:
                fault = BAD_ATTRIBUTE, f"{_BADLY}; {wrong}"
                return Ruling(submission, unit, order, Status.ILLEGAL, *fault)
            if there is not None and name:
                fields[name] = there.name
        order = replace(order, unit=unit.name, fields=tuple(fields.items()))
        text = self.kinds[order.kind].write(order, UnitName.text, str)
        return Ruling(submission, unit, replace(order, text=text), Status.LEGAL)

    def _meet_conditions(self, unit: Unit, order: Order) -> None:
        """What the rules demand of single orders besides."""
        refusal: Refusal = None
        if self.conditions is not None:
            refusal = self.conditions.refusal(unit, order)
        if refusal is not None:
            raise _ForbiddenError(*refusal)

    def _refused(self, submission: Submission, refusal: tuple[str, str]) -> Ruling:
        order = submission.order
        unit = None if isinstance(order, Waive) else self._own(order.unit, submission.power)
        counts = refusal[0] == UNKNOWN_PLACE and self.settings.legal == "format"
        return Ruling(submission, unit, order, Status.ILLEGAL, *refusal, counts=counts)

    def _illegal(
        self, submission: Submission, unit: Unit, order: MovementOrder, fault: _IllegalError
    ) -> Ruling:
        code = "" if isinstance(fault, _ForbiddenError) else fault.code
        counts = is_order(self.position, self.settings, unit, order, code)
        status = Status.ILLEGAL
        return Ruling(submission, unit, order, status, fault.code, fault.reason, counts=counts)

    def implicit(self, rulings: list[Ruling]) -> list[Ruling]:
        """Rulings on the orders that the others imply (4.E.3), but for impossible ones."""
        found = [
            replace(self.rule(implied), code="implicit", reason=reason)
            for implied, reason in implied_moves(rulings, self.position)
        ]
        return [
            replace(ruling, status=Status.AMENDED)
            for ruling in found
            if ruling.status is not Status.ILLEGAL
        ]

    def _is_plain(self, order: MovementOrder, unit: Unit) -> bool:
        """Whether the order is a hold or a move without convoy in which nothing is unclear; most
        are, and nothing has to be settled for them."""
        named = order.unit
        if named.location != unit.location or named.kind is not unit.kind or named.power:
            return False
        if named.attributes != unit.attributes:
            return False
        if type(order) is Move:
            reach = self.board.army if unit.kind is UnitKind.ARMY else self.board.fleet
            plain = not order.via and not order.path
            return plain and order.target in reach.get(unit.location, ())
        return type(order) is Hold

    def _own(self, named: UnitName, power: str) -> Unit | None:
        unit = self.units.get(province_of(named.location))
        return unit if unit is not None and unit.power == power else None

    def _named(self, named: UnitName, unit: Unit) -> _Note:
        """4.B.5, 4.B.6, 4.C.1, 4.C.2: how an order names a unit."""
        wrong = contradiction(named.attributes, unit.attributes)
        if wrong:
            raise _IllegalError(BAD_ATTRIBUTE, f"{_BADLY}; {wrong}")
        if named.location != unit.location:
            coast = coast_of(named.location)
            known = named.location in self.board.provinces[unit.province].locations
            if coast and unit.kind is UnitKind.FLEET and known:
                if self.settings.unit_coast_wrong == "illegal":
                    raise _IllegalError("unit_coast_wrong", f"the fleet stands on {unit.location}")
            elif coast:
                self._irrelevant(coast)
        if named.kind is unit.kind:
            return None
        return self._naming(
            "kind_missing" if named.kind is None else "kind_wrong", f"read as {unit}"
        )

    def _naming(self, setting: str, reason: str) -> _Note:
        """A unit is named badly: `setting` says what that means (DATC 4.C)."""
        if getattr(self.settings, setting) == "illegal":
            raise _IllegalError(setting, f"{_BADLY}; {reason}")
        self.naming.append(setting)
        return setting, reason

    def _irrelevant(self, coast: str) -> None:
        """4.B.6: a coast that does not exist or does not matter."""
        if self.settings.coast_irrelevant == "illegal":
            raise _IllegalError("coast_irrelevant", f"the coast {coast.lower()} has no meaning")

    def _move(self, unit: Unit, order: Move) -> tuple[Order, _Note]:
        target = province_of(order.target)
        if target == unit.province:
            raise _IllegalError("own_province", "a unit cannot move to where it stands")
        if unit.kind is UnitKind.FLEET:
            location, amended = self._fleet_target(unit, order.target)
            if order.via or order.path:
                amended = "via_ignored", "fleets are not convoyed"
            return Move(_name(unit, order.unit), location), amended
        amended = None
        if coast_of(order.target):
            self._irrelevant(coast_of(order.target))
            amended = "coast_ignored", f"an army moves to {target}"
        path, via = order.path, order.via
        if path and self.settings.convoy_path == "ignored":
            path, amended = (), ("path_ignored", "the convoy path is not part of an order")
        by_land = target in self.board.army.get(unit.province, ())
        if via and by_land and self.settings.adjacent_convoy in ("opposed", "always"):
            via, amended = False, ("via_ignored", "the orders decide which way the army goes")
        via = via or bool(path)
        if via and by_land and self._goes_by_land_instead(unit, target, path):
            via, path, amended = False, (), ("via_ignored", "no fleets could convoy it")
        if via or not by_land:
            if target not in self.board.coastal and not by_land:
                raise _IllegalError("unreachable", f"an army cannot get to {target} from here")
            if not self._convoy_possible(unit.province, target, only=path):
                raise _IllegalError(
                    "no_convoy_possible" if unit.province in self.board.coastal else "unreachable",
                    f"no fleets stand where they could convoy an army to {target}",
                )
            if self.settings.convoy_path == "required" and not path:
                raise _IllegalError("path_missing", "the convoy path is missing")
        return Move(_name(unit, order.unit), target, via, path), amended

    def _goes_by_land_instead(self, unit: Unit, target: str, path: tuple[str, ...]) -> bool:
        """6.G.8: whether an impossible convoy to a neighbour makes the army go by land."""
        rule = self.settings.via_without_convoy
        return rule == "by land" and not self._convoy_possible(unit.province, target, only=path)

    def _fleet_target(self, unit: Unit, target: str, mover: str = "the fleet") -> tuple[str, _Note]:
        """4.B.1-3, 4.B.6: the location that a fleet's move leads to."""
        board, settings, province = self.board, self.settings, province_of(target)
        reach = board.reach(unit.kind, unit.location)
        if target in reach:
            return target, None
        locations = board.provinces[province].locations
        possible = [location for location in locations if location in reach]
        if not possible:
            raise _IllegalError(
                "unreachable", f"{mover} cannot reach {province} from {unit.location}"
            )
        if coast_of(target) and target not in locations:
            self._irrelevant(coast_of(target))
        elif coast_of(target):
            if settings.coast_impossible == "illegal":
                raise _IllegalError("coast_impossible", f"{mover} cannot reach {target}")
            return possible[0], ("coast_amended", f"read as {possible[0]}")
        several = len(possible) > 1
        rule = settings.coast_of_two_omitted if several else settings.coast_of_one_omitted
        if rule == "illegal" and len(locations) > 1:
            raise _IllegalError("coast_missing", f"say {' or '.join(possible)}")
        if rule == "first":
            meant = self._fleet_target(unit, board.provinces[province].default_location, mover)[0]
            return meant, ("coast_amended", f"read as {meant}")
        return possible[0], ("coast_amended", f"read as {possible[0]}")

    def _about_another(
        self, unit: Unit, order: SupportHold | SupportMove | Convoy
    ) -> tuple[Order, _Note]:
        named = order.army if isinstance(order, Convoy) else order.supported
        other = self.units.get(province_of(named.location))
        if isinstance(order, Convoy):
            return self._convoy(unit, order, other)
        self._supported_place(unit, order)
        if other is None:
            raise _IllegalError("no_such_unit", f"no unit stands in {province_of(named.location)}")
        amended = self._other_named(unit, named, other)
        if other is unit:
            raise _IllegalError("own_move", "a unit cannot move and support its move")
        if isinstance(order, SupportHold):
            return SupportHold(_name(unit, order.unit), _name(other, named)), amended
        target = self._supported_target(unit, order, other)
        return SupportMove(_name(unit, order.unit), _name(other, named), target), amended

    def _supported_place(self, unit: Unit, order: SupportHold | SupportMove) -> None:
        aim = order.supported.location if isinstance(order, SupportHold) else order.target
        if province_of(aim) not in self.board.reach_provinces(unit.kind, unit.location):
            where = f"{unit} cannot move to {province_of(aim)}"
            raise _IllegalError("unreachable", f"{where}, so it cannot support there")

    def _other_named(self, unit: Unit, named: UnitName, other: Unit) -> _Note:
        """4.C.5, 4.C.6 and again 4.B.5, 4.C.1, 4.C.2 for the supported or convoyed unit."""
        noted = self._named(named, other)
        if named.power is None:
            if other.power != unit.power:
                self._naming("nationality_missing", f"it is of {other.power}")
        elif named.power != other.power:
            return self._naming("nationality_wrong", f"read as the unit of {other.power}")
        return noted

    def _supported_target(self, unit: Unit, order: SupportMove, other: Unit) -> str:
        """Where the supported move leads, if it is possible (4.B.4, 4.E.1, 6.D.31).

        A province without coast stands for any coast of it.
        """
        target = province_of(order.target)
        coast = coast_of(order.target)
        if coast and (other.kind is UnitKind.ARMY or order.target not in self.board.locations):
            self._irrelevant(coast)
        if other.kind is UnitKind.ARMY:
            by_land = target in self.board.army.get(other.province, ())
            goes = by_land or self._on_a_line(other.province, target)
            if not goes and not self._convoy_possible(other.province, target, unit.province):
                raise _IllegalError("impossible_move", f"{other} cannot move to {target}")
            return target
        rule, locations = self.settings.support_coast, self.board.provinces[target].locations
        written = order.target if coast and order.target in locations else ""
        if rule == "first" and not written:
            written = self.board.provinces[target].default_location
        if written and rule != "ignored":
            try:
                return self._fleet_target(other, written, str(other))[0]
            except _IllegalError as fault:
                raise _IllegalError("impossible_move", fault.reason) from None
        reach = self.board.reach(other.kind, other.location)
        possible = [location for location in locations if location in reach]
        if not possible:
            raise _IllegalError("impossible_move", f"{other} cannot move to {target}")
        excused = rule == "own" and (len(possible) == 1 or other.power == unit.power)
        if len(locations) > 1 and (rule == "required" or (rule == "own" and not excused)):
            raise _IllegalError("coast_missing", f"say {' or '.join(possible)}")
        return possible[0] if len(possible) == 1 else target

    def _convoy(self, unit: Unit, order: Convoy, army: Unit | None) -> tuple[Order, _Note]:
        target = province_of(order.target)
        if unit.kind is not UnitKind.FLEET:
            raise _IllegalError("not_a_fleet", "only fleets convoy")
        if unit.province not in self.waters:
            raise self._not_at_sea()
        if army is None:
            raise _IllegalError(
                "no_such_unit", f"no unit stands in {province_of(order.army.location)}"
            )
        if army.kind is not UnitKind.ARMY:
            raise _IllegalError("not_an_army", "only armies are convoyed")
        if coast_of(order.target):
            self._irrelevant(coast_of(order.target))
        amended = self._other_named(unit, order.army, army)
        if not on_minimal_route(self.board, army.province, target, self.fleets, unit.province):
            reason = f"no convoy of {army} to {target} needs this fleet"
            raise _IllegalError("no_part_in_convoy", reason)
        return Convoy(_name(unit, order.unit), _name(army, order.army), target), amended

    def _on_a_line(self, origin: str, target: str) -> bool:
        """Whether a kind of order leads along a line of the map from origin to target."""
        lines = (self.board.lines.get(kind.line) for kind in self.kinds.values() if kind.line)
        return any({origin, target} <= set(line.provinces) for line in lines if line is not None)

    def _not_at_sea(self) -> _IllegalError:
        own = self.settings.conditions
        if own is not None and own.say_where_to_convoy:
            return _IllegalError("not_at_sea", own.reason("convoys_in"))
        return _IllegalError("not_at_sea", "only a fleet at sea convoys")

    def _convoy_possible(
        self, origin: str, target: str, but: str = "", only: tuple[str, ...] = ()
    ) -> bool:
        """Whether the fleets at sea (`but` one, or `only` some) could make a route."""
        key = (origin, target, but, only)
        found = self.routes.get(key)
        if found is None:
            seas = self.fleets - {but}
            seas &= set(only) or seas
            found = self.routes[key] = route_exists(self.board, origin, target, seas)
        return found


def _name(unit: Unit, written: UnitName) -> UnitName:
    """The unit's exact name; the written one if that is exact already."""
    if written.location != unit.location or written.kind is not unit.kind or written.power:
        return unit.name
    return written if written.attributes == unit.attributes else unit.name
