"""How each submitted order is read, and whether it is possible (DATC 4.B to 4.E.1).

Every submitted order receives a `Ruling`; none is dropped. LEGAL orders could be carried out, as
far as can be judged without the other orders; AMENDED ones are legal after something unclear in
them was settled; ILLEGAL ones are impossible on this board, and their unit holds. Whether a legal
order matches others (a support its move, an army its convoy) is decided later.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, TypeAlias, TypeVar, get_args

from dipsat.base import check_time, grouped, titled
from dipsat.board import Map, UnitKind, coast_of, province_of
from dipsat.errors import shortened
from dipsat.game.conditions import Convoying, conditions_on, convoying, is_possible_on_map
from dipsat.game.convoys import on_minimal_route
from dipsat.game.position import (
    DislodgedUnit,
    Position,
    by_location,
    refusal_of,
    retreats_in_words,
)
from dipsat.game.ruling import (
    IMPASSABLE,
    UNKNOWN_PLACE,
    Ruling,
    RulingStatus,
    Submission,
    foreign_unit,
    with_reading,
)
from dipsat.orders import (
    Convoy,
    DeclaredOrder,
    Hold,
    Move,
    MovementOrder,
    Order,
    SupportHold,
    SupportMove,
    Unit,
    UnitName,
    Waive,
    contradiction,
    write_order,
)
from dipsat.rules import CONVOYS_IN, Settings

# --- impossible orders ----------------------------------------------------------------------------

# Which impossible orders still count as orders (DATC 2.4 4.E.1 a to c).


BAD_ATTRIBUTE = "attribute_wrong"
"""The code of an order that gets a unit's attributes wrong."""
BADLY_NAMED = frozenset({
    "kind_missing", "kind_wrong", "nationality_missing", "nationality_wrong", BAD_ATTRIBUTE,
})  # fmt: skip
"""Codes of 4.C: such an order is invalid, and "the unit can receive hold support"."""
_BY_POSITION = {
    "unreachable", "no_convoy_possible", "no_such_unit", "impossible_move", "not_an_army",
    "no_part_in_convoy",
}  # fmt: skip
"""Codes that may depend on where the other units stand."""


def is_order(
    position: Position, settings: Settings, unit: Unit, order: MovementOrder, code: str
) -> bool:
    """Whether a unit's order, illegal for the reason `code`, still counts as an order. The code is
    "" for an order that breaks a condition of the rules."""
    if settings.legal == "position" or code in BADLY_NAMED:
        return False
    if settings.legal == "map":
        return code in _BY_POSITION and is_possible_on_map(position, settings, unit, order)
    # A coast that is not on the map counts as a place that is not on the map.
    return settings.legal == "format" or code != "coast_irrelevant"


# --- naming ---------------------------------------------------------------------------------------

# How an order of any phase names a unit (DATC 4.B.5, 4.B.6, 4.C).


Note: TypeAlias = tuple[str, str] | None
"""What was settled in an order, as a code and a reason."""

_BADLY = "the unit is not named properly"


class IllegalError(Exception):
    """Ends the ruling on an order: the order is illegal."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(code, reason)
        self.code = code
        self.reason = reason


NAMED_BETTER = ("named_better", "another order names the unit properly")
"""The code and reason of an order that gives way to a better named one (4.C.1 c, 4.C.2 c)."""


def settle_name(board: Map, settings: Settings, named: UnitName, unit: Unit) -> Note:
    """Settle how an order names a unit; the code of the note is the setting that allows it.

    Raises `IllegalError` if the settings do not allow it (4.B.5, 4.B.6, 4.C.1, 4.C.2), or if the
    name gets the unit's attributes wrong.
    """
    if (
        named.location == unit.location
        and named.kind is unit.kind
        and named.attributes == unit.attributes
    ):
        return None
    wrong = contradiction(named.attributes, unit.attributes)
    if wrong:
        raise IllegalError(BAD_ATTRIBUTE, f"{_BADLY}; {wrong}")
    noted = _settle_coast(board, settings, named.location, unit)
    if named.kind is unit.kind:
        return noted
    setting = "kind_missing" if named.kind is None else "kind_wrong"
    return settle_naming(settings, setting, f"read as {unit}")


def _settle_coast(board: Map, settings: Settings, location: str, unit: Unit) -> Note:
    """Settle the location in a unit's name (4.B.5, 4.B.6)."""
    coast = coast_of(location)
    if location == unit.location or not coast:
        return None
    if unit.kind.has_coasts and location in board.provinces[unit.province].locations:
        if settings.unit_coast_wrong == "illegal":
            where = f"the {unit.kind.word} stands on {unit.location}"
            raise IllegalError("unit_coast_wrong", where)
        return "unit_coast_wrong", f"read as {unit}"
    refuse_irrelevant(coast, settings)
    return "coast_irrelevant", f"read as {unit}"


def settle_naming(settings: Settings, setting: str, reason: str) -> tuple[str, str]:
    """Settle the name of a badly named unit as `setting` says (4.C).

    Raises `IllegalError` if it says that the order is illegal.
    """
    if getattr(settings, setting) == "illegal":
        raise IllegalError(setting, f"{_BADLY}; {reason}")
    return setting, reason


def refuse_irrelevant(coast: str, settings: Settings) -> None:
    """4.B.6: raise `IllegalError` for a coast that does not exist or does not matter, unless the
    settings ignore such coasts."""
    if settings.coast_irrelevant == "illegal":
        raise IllegalError("coast_irrelevant", f"the coast {coast.lower()} has no meaning")


def gives_way(settings: Settings, naming: tuple[str, ...]) -> bool:
    """Whether an order that needed the settings `naming` is valid only if no other order names the
    units properly."""
    return any(getattr(settings, name) == "unless named" for name in naming)


# --- targets --------------------------------------------------------------------------------------

# The targets of moves: which coast is meant (DATC 4.B), and where convoys could lead.


class Targets:
    """Finds the locations to which the units of one position can be ordered. Possible convoys are
    computed once. Methods that return a target raise `IllegalError` if there is none."""

    def __init__(self, board: Map, settings: Settings, convoying: tuple[Convoying, ...]) -> None:
        self.board = board
        self.settings = settings
        self.by_cargo = grouped((one.carriage.cargo, one) for one in convoying)
        self.routes: dict[tuple[str, str, str, tuple[str, ...]], bool] = {}

    def own(self, unit: Unit, target: str) -> tuple[str, Note]:
        """The target of a unit's move without a convoy."""
        return self.among(unit, target, self.board.reach(unit.kind, unit.location))

    def among(self, unit: Unit, target: str, reach: Collection[str]) -> tuple[str, Note]:
        """The target of the move or retreat of a unit that can go to the locations `reach`."""
        if unit.kind.has_coasts:
            return self._coast(target, reach, f"the {unit.kind.word}", unit)
        found, amended = self._bare(target)
        if found not in reach:
            problem = f"the {unit.kind.word} cannot reach {found} from {unit.location}"
            raise IllegalError("unreachable", problem)
        return found, amended

    def of_cargo(self, unit: Unit, target: str, via: bool) -> tuple[str, Note]:
        """The target of the move of a unit that could be convoyed. For a kind that does not stand
        on coasts, this does not check whether the unit can get there."""
        if not unit.kind.has_coasts:
            return self._bare(target)
        reach = self.board.reach(unit.kind, unit.location)
        near = province_of(target) in self.board.reach_provinces(unit.kind, unit.location)
        if via or not near or (coast_of(target) and target not in reach):
            reach |= self._carried_to(unit, province_of(target))
        return self._coast(target, reach, f"the {unit.kind.word}", unit)

    def supported(self, unit: Unit, target: str, other: Unit) -> str:
        """The target of a supported move of `other`, which can stand on coasts (4.B.4, 6.D.31).

        A province without a coast means any of its coasts.
        """
        code, rule = province_of(target), self.settings.support_coast
        locations = self.board.provinces[code].locations
        written = target if coast_of(target) and target in locations else ""
        reach = self.board.reach(other.kind, other.location)
        if self.is_cargo(other):
            reach |= self._carried_to(other, code, unit.province)
        if rule == "first" and not written:
            written = self.board.provinces[code].default_location
        if written and rule != "ignored":
            try:
                return self._coast(written, reach, str(other), other)[0]
            except IllegalError as fault:
                raise IllegalError("impossible_move", fault.reason) from None
        possible = [location for location in locations if location in reach]
        if not possible:
            raise IllegalError("impossible_move", f"{other} cannot move to {code}")
        excused = rule == "own" and (len(possible) == 1 or other.power == unit.power)
        if len(locations) > 1 and (rule == "required" or (rule == "own" and not excused)):
            problem = f"the coast is missing: write {' or '.join(possible)}"
            raise IllegalError("coast_missing", problem)
        return possible[0] if len(possible) == 1 else code

    def _bare(self, target: str) -> tuple[str, Note]:
        """The province, for a unit that does not stand on coasts."""
        code = province_of(target)
        if not coast_of(target):
            return code, None
        refuse_irrelevant(coast_of(target), self.settings)
        return code, ("coast_ignored", f"read as {code}")

    def _coast(
        self, target: str, reach: Collection[str], mover: str, unit: Unit
    ) -> tuple[str, Note]:
        """4.B.1-3, 4.B.6: the location in `reach` that is meant."""
        settings, province = self.settings, self.board.provinces[province_of(target)]
        if target in reach:
            return target, None
        locations = province.locations
        possible = [location for location in locations if location in reach]
        if not possible:
            raise IllegalError(
                "unreachable", f"{mover} cannot reach {province.code} from {unit.location}"
            )
        if coast_of(target) and target not in locations:
            refuse_irrelevant(coast_of(target), self.settings)
        elif coast_of(target):
            if settings.coast_impossible == "illegal":
                raise IllegalError("coast_impossible", f"{mover} cannot reach {target}")
            return possible[0], ("coast_amended", f"read as {possible[0]}")
        several = len(possible) > 1
        rule = settings.coast_of_two_omitted if several else settings.coast_of_one_omitted
        if rule == "illegal" and len(locations) > 1:
            problem = f"the coast is missing: write {' or '.join(possible)}"
            raise IllegalError("coast_missing", problem)
        if rule == "first":
            meant = self._coast(province.default_location, reach, mover, unit)[0]
            return meant, ("coast_amended", f"read as {meant}")
        return possible[0], ("coast_amended", f"read as {possible[0]}")

    # Possible convoys.

    def is_cargo(self, unit: Unit) -> bool:
        """Whether units of its kind can be convoyed."""
        return unit.kind in self.by_cargo

    def carriers_of(self, unit: Unit) -> str:
        """The kinds of units that could convoy a unit, in words."""
        kinds = (one.carriage.carrier.plural for one in self.by_cargo[unit.kind])
        return " or ".join(dict.fromkeys(kinds))

    def could_be_carried(
        self, unit: Unit, target: str, but: str = "", only: tuple[str, ...] = ()
    ) -> bool:
        """Whether the units on the board could convoy a unit to a location. The carrier in province
        `but` is left out; if `only` is given, carriers elsewhere are left out too."""
        key = (unit.location, target, but, only)
        found = self.routes.get(key)
        if found is None:
            found = False
            for one in self.by_cargo.get(unit.kind, ()):
                found = found or one.could_carry(unit, target, but, only)
            self.routes[key] = found
        return found

    def check_convoy(self, unit: Unit, target: str, only: tuple[str, ...]) -> None:
        """Raise `IllegalError` if no units could convoy a unit to a location."""
        if self.could_be_carried(unit, target, only=only):
            return
        shores = [one.net.shores for one in self.by_cargo[unit.kind]]
        by_land = target in self.board.reach(unit.kind, unit.location)
        if not by_land and not any(target in places for places in shores):
            problem = f"{unit.kind.with_article} cannot get to {target} from {unit.location}"
            raise IllegalError("unreachable", problem)
        is_here = any(unit.location in places for places in shores)
        problem = f"no {self.carriers_of(unit)} stand where they could convoy it"
        if self._borders(unit.province, province_of(target)):
            problem += f" from {unit.location} to {target}"
        else:
            problem = f"{unit.province} does not border {province_of(target)}, and {problem}"
        if only:
            problem = self._fault_of_path(unit, target, only)
        raise IllegalError("no_convoy_possible" if is_here else "unreachable", problem)

    def _borders(self, one: str, other: str) -> bool:
        """Whether two provinces border each other, by land or by water."""
        by_water = self.board.fleet_provinces.items()
        return other in self.board.army.get(one, ()) or any(
            other in reached for place, reached in by_water if province_of(place) == one
        )

    def _fault_of_path(self, unit: Unit, target: str, path: tuple[str, ...]) -> str:
        """Why no convoy goes along the path that an order names."""
        kinds = self.by_cargo[unit.kind]
        for place in path:
            if not any(place in one.carriers for one in kinds):
                carrier = kinds[0].carriage.carrier.word
                return f"its route names {place}, where no {carrier} could convoy it"
        return f"{' - '.join((unit.province, *path, province_of(target)))} is not a convoy path"

    def _carried_to(self, unit: Unit, province: str, but: str = "") -> frozenset[str]:
        """The locations in a province to which a unit could be convoyed."""
        nets = (one.net for one in self.by_cargo[unit.kind])
        places = {place for net in nets for place in net.landing_places(province)}
        return frozenset(place for place in places if self.could_be_carried(unit, place, but))


def settle_retreat(
    position: Position, settings: Settings, lost: DislodgedUnit, written: str
) -> tuple[str, Note]:
    """The possible retreat that is meant (4.B.1 to 4.B.3, 4.B.6). Raises `IllegalError`."""
    if province_of(written) not in {province_of(place) for place in lost.retreats}:
        raise IllegalError("unreachable", f"it {retreats_in_words(lost.retreats)}")
    targets = Targets(position.map, settings, ())
    target, amended = targets.among(lost.unit, written, lost.retreats)
    conditions = conditions_on(position, settings)
    refusal = None if conditions is None else conditions.retreat_refusal(lost.unit, target)
    if refusal is not None:
        raise IllegalError(*refusal)
    return target, amended


# --- orders together ------------------------------------------------------------------------------

# What the orders of one power mean together: several orders for one unit (DATC 4.D.1 to 4.D.3, and
# the choices c of 4.C), and moves implied by supports and convoys (4.E.3).


SEVERAL = frozenset({"named_better", "several_orders", "ordered_later"})
"""The codes of orders that are illegal because the unit has another order."""


def settle_several(rulings: list[Ruling], settings: Settings) -> None:
    """Make all different orders of a unit illegal, or all except one."""
    units = [ruling.unit.location for ruling in rulings if ruling.unit is not None]
    if len(set(units)) == len(units):  # as in most phases
        return
    ordered = ((one.unit.location, at) for at, one in enumerate(rulings) if one.unit is not None)
    for orders in grouped(ordered).values():
        if len(orders) > 1:
            _settle(rulings, orders, settings)


def _settle(rulings: list[Ruling], orders: list[int], settings: Settings) -> None:
    """Settle several orders for one unit: 4.D.3, and the "unless named" readings of 4.C."""
    legal = [
        at for at in orders if rulings[at].status is not RulingStatus.ILLEGAL or rulings[at].counts
    ]
    legal = _of_last_batch(rulings, legal)
    vague = [at for at in legal if gives_way(settings, rulings[at].naming)]
    if len(vague) < len(legal):
        for at in vague:
            rulings[at] = rulings[at].made_illegal(*NAMED_BETTER)
        gone = set(vague)
        legal = [at for at in legal if at not in gone]
    if len({rulings[at].order for at in legal}) < 2:
        return
    used = {"first": legal[0], "last": legal[-1], "hold": None}[settings.multiple_orders]
    different = {rulings[at].order: rulings[at].submission.shown for at in legal}
    for at in legal:
        if used is None or rulings[at].order != rulings[used].order:
            other = next(text for order, text in different.items() if order != rulings[at].order)
            reason = f"the unit has another order too: {shortened(other)}"
            rulings[at] = rulings[at].made_illegal("several_orders", reason)


def _of_last_batch(rulings: list[Ruling], legal: list[int]) -> list[int]:
    """4.D.1: where several sets count, the last one that orders the unit applies. Make different
    orders in earlier sets illegal, and return those of the last set."""
    batches = {at: rulings[at].submission.batch for at in legal}
    last = max(batches.values(), default=0)
    later = {rulings[at].order for at in legal if batches[at] == last}
    for at in [at for at in legal if batches[at] < last]:
        if rulings[at].order not in later:
            reason = "a later set of orders has another order for the unit"
            rulings[at] = rulings[at].made_illegal("ordered_later", reason)
    return [at for at in legal if batches[at] == last]


def implied_moves(
    rulings: Sequence[Ruling], position: Position
) -> Iterator[tuple[Submission, str]]:
    """The moves that legal orders imply, each with the reason, sorted by the units' locations.

    Only a unit without any order from its power has one, and only if all orders of its own power
    that mention its move agree on the target.
    """
    implying: dict[Unit, list[Ruling]] = {}
    for ruling in rulings:
        order = ruling.order
        if ruling.status is RulingStatus.ILLEGAL or not isinstance(order, SupportMove | Convoy):
            continue
        named = order.army if isinstance(order, Convoy) else order.supported
        unit = position.by_province[province_of(named.location)]
        if unit.power == ruling.submission.power:
            implying.setdefault(unit, []).append(ruling)
    ordered = {ruling.unit for ruling in rulings}
    for unit in by_location(implying.keys() - ordered):
        move = _agreed(unit, implying[unit])
        if move is not None:
            texts = (ruling.submission.shown for ruling in implying[unit])
            submission = Submission(unit.power, write_order(move, position.map), move)
            yield submission, f"implied by {' and '.join(texts)}"


def _agreed(unit: Unit, rulings: Sequence[Ruling]) -> Move | None:
    orders = [r.order for r in rulings if isinstance(r.order, SupportMove | Convoy)]
    targets = {order.target for order in orders}
    targets = {target for target in targets if coast_of(target)} or targets
    if len(targets) > 1 or len({province_of(order.target) for order in orders}) > 1:
        return None
    by_convoy = any(isinstance(order, Convoy) for order in orders)
    return Move(unit.name, targets.pop(), via=by_convoy)


# --- legality -------------------------------------------------------------------------------------


_ORDERS_TO = {UNKNOWN_PLACE: ("format",), IMPASSABLE: ("format", "places")}
"""The code of an order to a place that is not a province -> the values of the setting `legal` under
which it still counts as an order."""


_LEGAL = RulingStatus.LEGAL  # looking up a member takes as long as a call
_MOVEMENT_ORDERS = get_args(MovementOrder)  # `isinstance` is twice as fast on a tuple
_Order = TypeVar("_Order", bound=MovementOrder)


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
    """Rules on the orders of one position. Possible convoys are computed once."""

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
        self.targets = Targets(self.board, settings, self.convoying)

    def rule(self, submission: Submission) -> Ruling:
        """The ruling on an order."""
        if submission.refusal is not None:
            return self._refused(submission, submission.refusal)
        ruling = self._ruled(submission)
        return self._guessed(ruling) if submission.reading else ruling

    def _guessed(self, ruling: Ruling) -> Ruling:
        """4.E.2: the ruling on an order in which names had to be guessed. 2.4 4.E.1 b: it does not
        name "a space on the board" (`A Mun - Mars`), so if it is impossible it is not an order."""
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
            reason = foreign_unit(unit, submission.power)
            return Ruling(submission, None, order, RulingStatus.ILLEGAL, "foreign_unit", reason)
        if isinstance(order, DeclaredOrder):
            return self._declared(submission, unit, order)
        self.naming = []
        try:
            noted = self._named(order.unit, unit)
            if isinstance(order, Move):
                ruled, amended = self._move(unit, order)
            elif isinstance(order, Hold):
                ruled, amended = Hold(_name(unit, order.unit)), None
            else:
                ruled, amended = self._about_another(unit, order)
            refusal = None if self.conditions is None else self.conditions.refusal(unit, ruled)
            if refusal is not None:
                raise _ForbiddenError(*refusal)
        except IllegalError as fault:
            return self._illegal(submission, unit, order, fault)
        noted = noted or amended
        status = _LEGAL if noted is None else RulingStatus.AMENDED
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
            return _settled(Move, order, _name(unit, order.unit), location, False, ()), amended
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
        may_go_by_land = via and by_land and self.settings.goes_by_land_instead(path)
        if may_go_by_land and not self.targets.could_be_carried(unit, target, only=path):  # 6.G.8
            carriers = self.targets.carriers_of(unit)
            via = self.settings.via_without_convoy == "by land as via"
            path, amended = (), ("via_ignored", f"no {carriers} could convoy it")
            return Move(_name(unit, order.unit), target, via), amended
        if via or not by_land:
            self.targets.check_convoy(unit, target, path)
            if self.settings.convoy_path == "required" and not path:
                raise IllegalError("path_missing", "the convoy path is missing")
        return _settled(Move, order, _name(unit, order.unit), target, via, path), amended

    def _refuse_several_targets(self, unit: Unit, order: Move) -> None:
        """4.A.6 a ignores a convoy path. Provinces in which no unit could convoy this one are not a
        path but further targets, and an order with several targets is ambiguous (4.E.2)."""
        kinds = self.targets.by_cargo.get(unit.kind, ())
        for place in order.path:
            if not any(province_of(place) in one.places for one in kinds):
                problem = f"it names several targets; no unit can convoy in {province_of(place)}"
                raise IllegalError("several_targets", problem)

    def _about_another(
        self, unit: Unit, order: SupportHold | SupportMove | Convoy
    ) -> tuple[Order, Note]:
        named = order.army if isinstance(order, Convoy) else order.supported
        other = self.units.get(province_of(named.location))
        if isinstance(order, Convoy):
            return self._convoy(unit, order, other)
        aim = order.supported.location if isinstance(order, SupportHold) else order.target
        if province_of(aim) not in self.board.reach_provinces(unit.kind, unit.location):
            where = f"{unit} cannot move to {province_of(aim)}"
            raise IllegalError("unreachable", f"{where}, so it cannot support there")
        if other is None:
            raise IllegalError("no_such_unit", f"no unit stands in {province_of(named.location)}")
        amended = self._other_named(unit, named, other)
        if isinstance(order, SupportMove):
            self._refuse_move_of_neutral(other, order.target)
        if other is unit:
            raise IllegalError("own_move", "a unit cannot support its own move")
        names = _name(unit, order.unit), _name(other, named)
        if isinstance(order, SupportHold):
            return _settled(SupportHold, order, *names), amended
        target = self._supported_target(unit, order, other)
        return _settled(SupportMove, order, *names, target), amended

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
        fitting = () if cargo is None else self.targets.by_cargo.get(cargo.kind, ())
        own = [one for one in fitting if one.carriage.carrier is unit.kind]
        kinds = [one for one in own if unit.province in one.places]
        if cargo is None or not kinds:
            raise self._carries_nothing(unit, order, cargo)
        target, coast = order.target, coast_of(order.target)
        if coast and (not cargo.kind.has_coasts or target not in self.board.locations):
            refuse_irrelevant(coast, self.settings)
            target = province_of(target)
        amended = self._other_named(unit, order.army, cargo)
        self._refuse_move_of_neutral(cargo, target)
        if not any(
            on_minimal_route(one.net, cargo.location, place, one.carriers, unit.province)
            for one in kinds
            for place in one.net.landing_places(target)
        ):
            reason = f"no convoy of {cargo} to {target} needs this {unit.kind.word}"
            raise IllegalError("no_part_in_convoy", reason)
        names = _name(unit, order.unit), _name(cargo, order.army)
        return _settled(Convoy, order, *names, target), amended

    def _refuse_move_of_neutral(self, other: Unit, target: str) -> None:
        """Refuse the support or convoy of a move that the map forbids to a neutral power's unit."""
        refused = None
        if other.power in self.board.neutrals:
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
        if any(one.carriage.cargo is cargo.kind for one in own):
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


def _name(unit: Unit, written: UnitName) -> UnitName:
    """The unit's exact name; the written one if it is exact already."""
    if written.location != unit.location or written.kind is not unit.kind or written.power:
        return unit.name
    return written if written.attributes == unit.attributes else unit.name


def _settled(kind: type[_Order], written: _Order, *fields: Any) -> _Order:
    """The order with these fields: the written order itself if it has the same."""
    return written if _FIELDS[kind](written) == fields else kind(*fields)


_FIELDS: Mapping[type, Callable[[Any], Any]] = {
    kind: attrgetter(*kind.__match_args__) for kind in (Move, SupportHold, SupportMove, Convoy)
}
