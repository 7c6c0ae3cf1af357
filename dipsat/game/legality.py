"""How each submitted order is read, and whether it is possible (DATC 4.B to 4.E.1).

Every submitted order gets a `Ruling`; none is dropped. LEGAL orders could be carried out as far as
one can judge without the other orders; AMENDED ones are legal after something unclear in them was
settled; ILLEGAL ones are impossible on this board, and their unit holds. Whether a legal order
matches others (a support its move, an army its convoy) is decided later.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import get_args

from dipsat.board.map import Map
from dipsat.board.province import coast_of, province_of
from dipsat.board.unit_kind import UnitKind
from dipsat.game.conditions import CONVOYS_IN
from dipsat.game.convoying import Convoying, convoying
from dipsat.game.convoys import on_minimal_route
from dipsat.game.impossible_orders import is_order
from dipsat.game.naming import IllegalError, Note, refuse_irrelevant, settle_name, settle_naming
from dipsat.game.neutrals import refusal_of
from dipsat.game.order_conditions import conditions_on
from dipsat.game.orders_together import implied_moves, settle_several
from dipsat.game.position import Position, Unit
from dipsat.game.ruling import (
    IMPASSABLE,
    UNKNOWN_PLACE,
    Ruling,
    RulingStatus,
    Submission,
    with_reading,
)
from dipsat.game.settings import Settings
from dipsat.game.targets import Targets
from dipsat.grouped import grouped
from dipsat.limits import check_time
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
from dipsat.titles import titled

__all__ = ["Ruling", "RulingStatus", "Submission", "judge_orders"]


_ORDERS_TO = {UNKNOWN_PLACE: ("format",), IMPASSABLE: ("format", "places")}
"""The code of an order to a place that is no province -> the values of `legal` under which it still
counts as an order."""


_MOVEMENT_ORDERS = get_args(MovementOrder)  # a tuple is looked through in half the time


class _ForbiddenError(IllegalError):
    """The order breaks a condition of the rules, whatever the condition's name."""


def judge_orders(
    position: Position, submissions: Iterable[Submission], settings: Settings
) -> tuple[Ruling, ...]:
    """Return a ruling for every submission, in the order given (DATC 4.B.1-6, 4.C, 4.D.1-3, 4.E.1,
    4.E.3), then one for every implicit order."""
    judge = _Judge(position, settings)
    rulings: list[Ruling] = []
    for submission in submissions:
        check_time()
        rulings.append(judge.rule(submission))
    settle_several(rulings, settings)
    if settings.implicit_orders == "deduced":
        rulings += judge.implicit(rulings)
    return tuple(rulings)


class _Judge:
    """Rules on the orders of one position; possible convoys are worked out once."""

    def __init__(self, position: Position, settings: Settings) -> None:
        self.position = position
        self.kinds = {kind.name: kind for kind in position.words.kinds}
        self.board: Map = position.map
        self.settings = settings
        self.units = position.by_province
        self.season = position.phase.extra_season
        self.naming: list[str] = []  # of the order that is being ruled on
        self.conditions = conditions_on(position, settings)
        self.convoying = convoying(position, settings)
        kinds = ((one.carriage.carrier, one.carriage.cargo) for one in self.convoying)
        self.carrying = grouped(zip(kinds, self.convoying, strict=True))
        self.targets = Targets(self.board, settings, self.convoying)

    def rule(self, submission: Submission) -> Ruling:
        """The ruling on an order."""
        if submission.refusal is not None:
            return self._refused(submission, submission.refusal)
        ruling = self._ruled(submission)
        return self._guessed(ruling) if submission.reading else ruling

    def _guessed(self, ruling: Ruling) -> Ruling:
        """4.E.2: the ruling on an order in which names had to be guessed. 2.4 4.E.1 b: it does not
        name "a space on the board" (`A Mun - Mars`), so if it is impossible it is no order."""
        reason = with_reading(ruling.submission, ruling.reason)
        if ruling.status is RulingStatus.ILLEGAL:
            counts = ruling.counts and self.settings.legal != "places"
            return ruling._replace(reason=reason, counts=counts)
        return ruling._replace(
            status=RulingStatus.AMENDED, code=ruling.code or "guessed", reason=reason
        )

    def _ruled(self, submission: Submission) -> Ruling:
        order = submission.order
        season = self.season
        refused = refusal_of(self.board, submission.power, order)
        if refused is not None:
            return self._refused(submission, refused)
        if isinstance(order, DeclaredOrder) and order.season == season:
            if not self.kinds[order.kind].is_of_unit:
                return Ruling(submission, None, order, RulingStatus.LEGAL)
        elif season or not isinstance(order, _MOVEMENT_ORDERS):
            unit = None if isinstance(order, Waive) else self._own(order.unit, submission.power)
            reason = "a movement phase takes only orders to hold, move, support or convoy"
            if season:
                reason = "this phase takes only orders that the rules declare for it"
            return Ruling(submission, unit, order, RulingStatus.ILLEGAL, "wrong_phase", reason)
        unit = self.units.get(province_of(order.unit.location))
        if unit is None:
            reason = f"no unit stands in {province_of(order.unit.location)}"
            return Ruling(submission, None, order, RulingStatus.ILLEGAL, "no_unit", reason)
        if unit.power != submission.power:
            reason = f"the unit there belongs to {titled(unit.power)}"
            return Ruling(submission, None, order, RulingStatus.ILLEGAL, "foreign_unit", reason)
        if isinstance(order, DeclaredOrder):
            return self._declared(submission, unit, order)
        self.naming = []
        try:
            noted = self._named(order.unit, unit)
            if isinstance(order, Move):
                ruled, amended = self._move(unit, order)
            elif isinstance(order, Hold):
                name = _name(unit, order.unit)
                ruled, amended = order if name is order.unit else Hold(name), None
            else:
                ruled, amended = self._about_another(unit, order)
            self._meet_conditions(unit, ruled)
        except IllegalError as fault:
            return self._illegal(submission, unit, order, fault)
        noted = noted or amended
        status = RulingStatus.LEGAL if noted is None else RulingStatus.AMENDED
        return Ruling(submission, unit, ruled, status, *(noted or ("", "")), tuple(self.naming))

    def _declared(self, submission: Submission, unit: Unit, order: DeclaredOrder) -> Ruling:
        """Settle how an order of a declared kind names units; the rules say when it is legal."""
        fields = dict(order.fields)
        self.naming = []
        for name, named in (("", order.unit), *order.fields):
            if not isinstance(named, UnitName):
                continue
            there = self.units.get(province_of(named.location))
            if there is None:
                continue
            try:
                self._named(named, there)
            except IllegalError as fault:
                code, reason = fault.code, fault.reason
                return Ruling(submission, unit, order, RulingStatus.ILLEGAL, code, reason)
            if name:
                fields[name] = there.name
        order = replace(order, unit=unit.name, fields=tuple(fields.items()))
        ruled, naming = self.kinds[order.kind].written(order), tuple(self.naming)
        return Ruling(submission, unit, ruled, RulingStatus.LEGAL, naming=naming)

    def _meet_conditions(self, unit: Unit, order: Order) -> None:
        """Check the conditions that the rules place on single orders."""
        refusal = None if self.conditions is None else self.conditions.refusal(unit, order)
        if refusal is not None:
            raise _ForbiddenError(*refusal)

    def _refused(self, submission: Submission, refusal: tuple[str, str]) -> Ruling:
        order = submission.order
        unit = None if isinstance(order, Waive) else self._own(order.unit, submission.power)
        counts = self.settings.legal in _ORDERS_TO.get(refusal[0], ())
        return Ruling(submission, unit, order, RulingStatus.ILLEGAL, *refusal, counts=counts)

    def _illegal(
        self, submission: Submission, unit: Unit, order: MovementOrder, fault: IllegalError
    ) -> Ruling:
        code = "" if isinstance(fault, _ForbiddenError) else fault.code
        counts = is_order(self.position, self.settings, unit, order, code)
        status = RulingStatus.ILLEGAL
        return Ruling(submission, unit, order, status, fault.code, fault.reason, counts=counts)

    def implicit(self, rulings: list[Ruling]) -> list[Ruling]:
        """Rulings on the orders that the others imply (4.E.3), except impossible ones."""
        found = [
            self.rule(implied)._replace(code="implicit", reason=reason)
            for implied, reason in implied_moves(rulings, self.position)
        ]
        return [
            ruling._replace(status=RulingStatus.AMENDED)
            for ruling in found
            if ruling.status is not RulingStatus.ILLEGAL
        ]

    def _own(self, named: UnitName, power: str) -> Unit | None:
        unit = self.units.get(province_of(named.location))
        return unit if unit is not None and unit.power == power else None

    def _named(self, named: UnitName, unit: Unit) -> Note:
        """Settle how an order names a unit (4.B.5, 4.B.6, 4.C.1, 4.C.2)."""
        noted = settle_name(self.board, self.settings, named, unit)
        if noted is not None:
            self.naming.append(noted[0])
        return noted

    def _naming(self, setting: str, reason: str) -> Note:
        """Settle the badly named nationality of a unit."""
        self.naming.append(setting)
        return settle_naming(self.settings, setting, reason)

    def _move(self, unit: Unit, order: Move) -> tuple[Order, Note]:
        target = province_of(order.target)
        if target == unit.province:
            raise IllegalError("own_province", "a unit cannot move to where it stands")
        if not self.targets.is_cargo(unit):
            location, amended = self.targets.own(unit, order.target)
            if order.via or order.path:
                amended = "via_ignored", f"{unit.kind.plural} are not convoyed"
            return Move(_name(unit, order.unit), location), amended
        path, via, word = order.path, order.via, unit.kind.word
        target, amended = self.targets.of_cargo(unit, order.target, via)
        if path and self.settings.convoy_path == "ignored":
            self._refuse_several_targets(unit, order)
            path, amended = (), ("path_ignored", "the convoy path is not part of an order")
        by_land = target in self.board.reach(unit.kind, unit.location)
        orders_decide = self.settings.adjacent_convoy in ("opposed", "always") and not path
        if via and by_land and orders_decide:
            via, amended = False, ("via_ignored", f"the orders decide which way the {word} goes")
        via = via or bool(path)
        if via and by_land and self._goes_by_land_instead(unit, target, path):
            carriers = self.targets.carriers_of(unit)
            via = self.settings.via_without_convoy == "by land as via"
            path, amended = (), ("via_ignored", f"no {carriers} could convoy it")
            return Move(_name(unit, order.unit), target, via), amended
        if via or not by_land:
            self.targets.check_convoy(unit, target, path)
            if self.settings.convoy_path == "required" and not path:
                raise IllegalError("path_missing", "the convoy path is missing")
        return Move(_name(unit, order.unit), target, via, path), amended

    def _refuse_several_targets(self, unit: Unit, order: Move) -> None:
        """4.A.6 a ignores a convoy path. Provinces in which no unit could convoy this one are no
        path but further targets, and an order with several targets is ambiguous (4.E.2)."""
        nets = [
            one
            for (_, cargo), found in self.carrying.items()
            if cargo is unit.kind
            for one in found
        ]
        for place in order.path:
            if not any(province_of(place) in one.places for one in nets):
                problem = f"it names several targets; no unit can convoy in {province_of(place)}"
                raise IllegalError("several_targets", problem)

    def _goes_by_land_instead(self, unit: Unit, target: str, path: tuple[str, ...]) -> bool:
        """6.G.8: whether an impossible convoy to a neighbour makes the army go by land."""
        may = self.settings.goes_by_land_instead(path)
        return may and not self.targets.could_be_carried(unit, target, only=path)

    def _about_another(
        self, unit: Unit, order: SupportHold | SupportMove | Convoy
    ) -> tuple[Order, Note]:
        named = order.army if isinstance(order, Convoy) else order.supported
        other = self.units.get(province_of(named.location))
        if isinstance(order, Convoy):
            return self._convoy(unit, order, other)
        self._supported_place(unit, order)
        if other is None:
            raise IllegalError("no_such_unit", f"no unit stands in {province_of(named.location)}")
        amended = self._other_named(unit, named, other)
        if isinstance(order, SupportMove):
            self._refuse_move_of_neutral(other, order.target)
        if other is unit:
            raise IllegalError("own_move", "a unit cannot support its own move")
        if isinstance(order, SupportHold):
            names = _name(unit, order.unit), _name(other, named)
            as_written = names[0] is order.unit and names[1] is named
            return order if as_written else SupportHold(*names), amended
        target = self._supported_target(unit, order, other)
        names = _name(unit, order.unit), _name(other, named)
        as_written = names[0] is order.unit and names[1] is named and target == order.target
        return order if as_written else SupportMove(*names, target), amended

    def _supported_place(self, unit: Unit, order: SupportHold | SupportMove) -> None:
        aim = order.supported.location if isinstance(order, SupportHold) else order.target
        if province_of(aim) not in self.board.reach_provinces(unit.kind, unit.location):
            where = f"{unit} cannot move to {province_of(aim)}"
            raise IllegalError("unreachable", f"{where}, so it cannot support there")

    def _other_named(self, unit: Unit, named: UnitName, other: Unit) -> Note:
        """Settle how the supported or convoyed unit is named (also 4.C.5, 4.C.6)."""
        noted = self._named(named, other)
        if named.power is None:
            if other.power != unit.power:
                self._naming("nationality_missing", f"it belongs to {titled(other.power)}")
        elif named.power != other.power:
            return self._naming("nationality_wrong", f"read as the unit of {titled(other.power)}")
        return noted

    def _supported_target(self, unit: Unit, order: SupportMove, other: Unit) -> str:
        """The target of the supported move, if it is possible (4.B.4, 4.E.1, 6.D.31).

        A province without a coast means any of its coasts.
        """
        coast, kind = coast_of(order.target), other.kind
        if coast and (not kind.has_coasts or order.target not in self.board.locations):
            refuse_irrelevant(coast, self.settings)
        if not kind.has_coasts:
            target = province_of(order.target)
            goes = target in self.board.reach(kind, other.location)
            goes = goes or self._on_a_line(other.province, target)
            if not goes and not self.targets.could_be_carried(other, target, unit.province):
                raise IllegalError("impossible_move", f"{other} cannot move to {target}")
            return target
        return self.targets.supported(unit, order.target, other)

    def _convoy(self, unit: Unit, order: Convoy, cargo: Unit | None) -> tuple[Order, Note]:
        fitting = () if cargo is None else self.carrying.get((unit.kind, cargo.kind), ())
        kinds = [one for one in fitting if unit.province in one.places]
        if cargo is None or not kinds:
            raise self._carries_nothing(unit, order, cargo)
        target, coast = order.target, coast_of(order.target)
        if coast and (not cargo.kind.has_coasts or target not in self.board.locations):
            refuse_irrelevant(coast, self.settings)
            target = province_of(target)
        amended = self._other_named(unit, order.army, cargo)
        self._refuse_move_of_neutral(cargo, target)
        if not _have_part(kinds, unit, cargo, target):
            reason = f"no convoy of {cargo} to {target} needs this {unit.kind.word}"
            raise IllegalError("no_part_in_convoy", reason)
        return Convoy(_name(unit, order.unit), _name(cargo, order.army), target), amended

    def _refuse_move_of_neutral(self, other: Unit, target: str) -> None:
        """A move that the map forbids cannot be supported, nor its unit be convoyed."""
        refused = refusal_of(self.board, other.power, Move(other.name, target))
        if refused is not None:
            problem = f"{other} cannot move to {province_of(target)}: {refused[1]}"
            raise IllegalError("impossible_move", problem)

    def _carries_nothing(self, unit: Unit, order: Convoy, cargo: Unit | None) -> IllegalError:
        """Why a unit does not carry another."""
        own = [one for one in self.convoying if one.carriage.carrier is unit.kind]
        if not own:
            words = dict.fromkeys(one.carriage.carrier.plural for one in self.convoying)
            return IllegalError("not_a_fleet", f"only {' and '.join(words)} convoy")
        if not any(unit.province in one.places for one in own):
            return self._not_at_sea(unit)
        if cargo is None:
            code = province_of(order.army.location)
            return IllegalError("no_such_unit", f"no unit stands in {code}")
        if (unit.kind, cargo.kind) in self.carrying:
            return self._not_at_sea(unit)
        words = dict.fromkeys(one.carriage.cargo.plural for one in own)
        return IllegalError("not_an_army", f"only {' and '.join(words)} are convoyed")

    def _on_a_line(self, origin: str, target: str) -> bool:
        """Whether a kind of order follows a line of the map from origin to target."""
        lines = (self.board.lines.get(kind.line) for kind in self.kinds.values() if kind.line)
        return any({origin, target} <= set(line.provinces) for line in lines if line is not None)

    def _not_at_sea(self, unit: Unit) -> IllegalError:
        own = self.settings.conditions
        if own is not None and CONVOYS_IN in own and unit.kind is UnitKind.FLEET:
            return IllegalError("not_at_sea", own.reason(CONVOYS_IN))
        if unit.kind is not UnitKind.FLEET:
            where = f"{unit.kind.plural} do not convoy in {unit.province}"
            return IllegalError("not_at_sea", where)
        return IllegalError("not_at_sea", "only a fleet at sea convoys")


def _have_part(kinds: Iterable[Convoying], unit: Unit, cargo: Unit, target: str) -> bool:
    """Whether some convoy of `cargo` to a target needs the unit."""
    for one in kinds:
        for place in one.net.landing_places(target):
            if on_minimal_route(one.net, cargo.location, place, one.carriers, unit.province):
                return True
    return False


def _name(unit: Unit, written: UnitName) -> UnitName:
    """The unit's exact name; the written one if it is exact already."""
    if written.location != unit.location or written.kind is not unit.kind or written.power:
        return unit.name
    return written if written.attributes == unit.attributes else unit.name
