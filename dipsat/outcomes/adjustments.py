"""The outcome of an adjustment phase (DATC 6.I, 6.J)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from dipsat.base import counted, grouped, titled
from dipsat.board import UnitKind, coast_of, one_of, province_of
from dipsat.game import (
    NAMED_BETTER,
    IllegalError,
    Note,
    Position,
    Refusal,
    Submission,
    adjustments,
    build_sites,
    by_location,
    civil_disorder,
    conditions_on,
    counted_centers,
    foreign_unit,
    gives_way,
    kinds_built_in,
    only_kind,
    powers_of,
    rebuilt_garrisons,
    refusal_of,
    refuse_irrelevant,
    settle_name,
    surplus_of_centers,
    why_no_build_site,
    with_defaults,
    with_reading,
)
from dipsat.orders import Build, Disband, Order, Unit, UnitName, Waive, unit_of, write_order
from dipsat.outcomes.outcome import Outcome, PhaseOrder, Reason
from dipsat.rules import BUILDS_IN, Profile, Settings


class AdjustmentOutcome(Outcome):
    """The results of an adjustment phase: builds, disbands, and what comes next.

    Orders are carried out one by one; an order that cannot be carried out is illegal. If a power
    orders too few disbands, the profile's civil disorder rule disbands units.
    """

    def __init__(
        self, position: Position, profile: Profile, submissions: Sequence[Submission]
    ) -> None:
        super().__init__(position, profile)
        by_power = grouped((submission.power, submission) for submission in submissions)
        garrisons = grouped((unit.power, unit) for unit in rebuilt_garrisons(position))
        self._sheets: list[_Sheet] = []
        for power in sorted({*powers_of(position), *by_power, *garrisons}):
            own = by_power.get(power, []), garrisons.get(power, ())
            due = adjustments(position, power, profile.settings)
            if due < 0 or any(own):
                self._sheets.append(_Sheet(position, profile.settings, power, due, *own))
        self.automatic: Mapping[str, tuple[str, ...]] = {
            sheet.power: tuple(str(unit) for unit in sheet.automatic)
            for sheet in self._sheets
            if sheet.automatic
        }
        """Power -> its units disbanded by the civil disorder rule."""

    @cached_property
    def orders(self) -> tuple[PhaseOrder, ...]:
        """The outcome of every order, and of the units disbanded without one, by power."""
        return tuple(order for sheet in self._sheets for order in sheet.orders)

    @cached_property
    def units_after(self) -> tuple[Unit, ...]:
        """The units after the phase, sorted by location."""
        gone = {u.province for sheet in self._sheets for u in (*sheet.disbanded, *sheet.automatic)}
        kept = [unit for unit in self.position.units if unit.province not in gone]
        built = [unit for sheet in self._sheets for unit in sheet.built]
        return by_location((*kept, *built))


class _Sheet:
    """The adjustments of one power, order by order."""

    def __init__(
        self,
        position: Position,
        settings: Settings,
        power: str,
        due: int,
        submissions: list[Submission],
        garrisons: Sequence[Unit],
    ) -> None:
        self.position = position
        self.settings = settings
        self.power = power
        self.due = due
        self.built: list[Unit] = []
        self.disbanded: list[Unit] = []
        self.waived = 0
        self._done = self._run(submissions)
        self.garrisons = garrisons
        self.built += garrisons
        missing = max(0, -self.due - len(self.disbanded))
        self.automatic = civil_disorder(position, power, self.disbanded, missing, settings)

    @cached_property
    def orders(self) -> list[PhaseOrder]:
        """The outcome of every order, of every garrison rebuilt, and of every unit disbanded for
        lack of orders."""
        found = [self._outcome(*one) for one in self._done]
        for unit in self.garrisons:
            order = write_order(Build(unit.name), self.position.map)
            found.append(PhaseOrder(self.power, str(unit), None, "succeeds", "", order, _GARRISON))
        for unit in self.automatic:
            order = write_order(Disband(unit.name), self.position.map)
            why = _farthest(self.settings)
            found.append(
                PhaseOrder(self.power, str(unit), None, "succeeds", "disbanded", order, why)
            )
        return found

    @cached_property
    def _surplus(self) -> int:
        """How many more centres than units the power has."""
        return surplus_of_centers(self.position, self.power, self.settings)

    @cached_property
    def sites(self) -> tuple[str, ...]:
        """The provinces in which the power may build."""
        return build_sites(self.position, self.power, self.settings)

    def _run(self, submissions: list[Submission]) -> list[_Done]:
        """Carry out all orders, those of the latest set first (4.D.1). An earlier set only fills up
        what is still due."""
        done: dict[int, _Done] = {}
        by_batch = grouped((one.batch, (at, one)) for at, one in enumerate(submissions))
        for batch in sorted(by_batch, reverse=True):
            self._run_set(by_batch[batch], done)
        return [done[at] for at in range(len(submissions))]

    def _run_set(self, submissions: list[tuple[int, Submission]], done: dict[int, _Done]) -> None:
        """Carry out the orders of one set, as given or from last to first."""
        refused = self._refused(submissions)
        rule = self.settings.builds_too_many if self.due > 0 else self.settings.disbands_too_many
        for at, submission in submissions[::-1] if rule == "last" else submissions:
            unit, noted = None, None
            code, text = refused.get(at, ("", ""))
            try:
                if not code:
                    unit, noted = self._rule(submission)
            except IllegalError as fault:
                code, text = fault.code, fault.reason
            if unit is not None:
                (self.built if self.due > 0 else self.disbanded).append(unit)
            done[at] = submission, unit, code, text, noted

    def _refused(self, submissions: list[tuple[int, Submission]]) -> Mapping[int, tuple[str, str]]:
        """The orders that do not count, in any case or because of others in the set (4.D.4 to
        4.D.6), with code and reason. Where the first one counts, later ones fail in their turn."""
        board = self.position.map
        found = {
            at: why
            for at, one in submissions
            if (why := one.refusal or refusal_of(board, self.power, one.order)) is not None
        }
        found |= dict.fromkeys(self._named_worse(submissions), NAMED_BETTER)
        rule = self.settings.builds_too_many if self.due > 0 else self.settings.disbands_too_many
        in_place = self.settings.builds_in_one_place
        is_in_turn = (rule, in_place if self.due > 0 else "first") == ("first", "first")
        if is_in_turn or not submissions:
            return found
        wanted = {
            at: unit
            for at, submission in submissions
            if at not in found and (unit := self._possible(submission.order)) is not None
        }
        if self.due > 0:
            for at in _in_one_place(wanted, in_place):
                found[at] = _SEVERAL_BUILDS
                del wanted[at]
        left = abs(self.due) - len(self.built) - len(self.disbanded) - self.waived
        if rule == "none" and len(set(wanted.values())) > left:
            found |= dict.fromkeys(wanted, ("too_many", f"more orders than the {left} allowed"))
        return found

    def _named_worse(self, submissions: list[tuple[int, Submission]]) -> list[int]:
        """The disbands that give way to one that names the unit properly (4.C.1 c, 4.C.2 c)."""
        properly: set[Unit] = set()
        vague: list[tuple[int, Unit]] = []
        for at, submission in submissions:
            order = submission.order
            if not isinstance(order, Disband) or (unit := self._possible(order)) is None:
                continue
            noted = settle_name(self.position.map, self.settings, order.unit, unit)
            if noted is not None and gives_way(self.settings, (noted[0],)):
                vague.append((at, unit))
            else:
                properly.add(unit)
        return [at for at, unit in vague if unit in properly]

    def _possible(self, order: Order) -> Unit | None:
        """The unit that an order would build or disband if it were the only one."""
        try:
            if self.due > 0:
                if not isinstance(order, Build) or self._site_fault(order.unit) is not None:
                    return None
                return self._new_unit(order.unit)[0]
            return self._named_unit(order.unit)[0] if isinstance(order, Disband) else None
        except IllegalError:
            return None

    def _outcome(
        self, submission: Submission, unit: Unit | None, code: str, text: str, noted: Note
    ) -> PhaseOrder:
        order = submission.order
        fate = "disbanded" if not code and isinstance(order, Disband) else ""
        if not code and unit is not None:
            verb = Build if isinstance(order, Build) else Disband
            order = verb(unit.name)
        named = "" if isinstance(order, Waive) else order.unit.text()
        return PhaseOrder(
            self.power, named, submission.text, "illegal" if code else "succeeds", fate,
            write_order(order, self.position.map),
            Reason(code or "ok", with_reading(submission, text) if code else text),
            "" if code else with_reading(submission, noted[1] if noted else ""),
        )  # fmt: skip

    def _rule(self, submission: Submission) -> tuple[Unit | None, Note]:
        """The unit that an order builds or disbands, and how anything unclear in the order is read.
        Raises `IllegalError`."""
        order = submission.order
        if isinstance(order, Waive):
            self._waive()
            return None, None
        if isinstance(order, Build):
            return self._build(order.unit)
        if isinstance(order, Disband):
            return self._disband(order.unit)
        reason = "in an adjustment phase, units are only built or disbanded"
        raise IllegalError("wrong_phase", reason)

    def _waive(self) -> None:
        if self.settings.waive == "illegal":
            raise IllegalError("no_waiving", "builds may not be declined")
        if self.due - len(self.built) - self.waived <= 0:
            raise IllegalError("nothing_due", self._no_build_left())
        self.waived += 1

    def _build(self, named: UnitName) -> tuple[Unit, Note]:
        fault = self._site_fault(named)
        if fault is not None:
            raise IllegalError(*fault)
        if any(unit.province == province_of(named.location) for unit in self.built):
            raise IllegalError("built_already", "another unit is built there")
        if len(self.built) + self.waived >= max(self.due, 0):
            raise IllegalError("nothing_due", self._no_build_left())
        return self._new_unit(named)

    def _site_fault(self, named: UnitName) -> tuple[str, str] | None:
        """Why the power cannot build in a province; None if it can."""
        code = province_of(named.location)
        if code in self.sites:
            return None
        there = self.position.by_province.get(code)
        if there is not None:
            return "occupied", f"{there} stands there"
        kinds = kinds_built_in(self.position, code)
        refusal = self._refusal(named.kind if named.kind in kinds else kinds[0], code)
        own = self.settings.conditions
        if own is not None and BUILDS_IN in own:
            return refusal or ("no_build_site", own.reason(BUILDS_IN))
        if code not in self.position.centers.get(self.power, ()):
            return "not_owned", self._no_site(code)
        if refusal is not None:
            return refusal
        return "no_build_site", self._no_site(code)

    def _no_site(self, code: str) -> str:
        """Why the power cannot build in a province, in words."""
        why = why_no_build_site(self.position, self.power, code, self.settings)
        name = self.position.map.provinces[code].name
        return f"{titled(self.power)} cannot build in {name}: {why}"

    def _no_build_left(self) -> str:
        """Why the power has no build left, in words."""
        who = titled(self.power)
        if self.due > 0:
            return f"{who} has no more than {counted(self.due, 'build')}"
        missing = ", but no vacant province to build in" if self._surplus > 0 else ""
        return f"{who} has no build: {self._has()}{missing}"

    def _has(self) -> str:
        """The power's centres and units in words, with the centres that do not count."""
        counting = counted_centers(self.position, self.power, self.settings)
        owned = self.position.centers.get(self.power, ())
        which = ""
        if others := [code for code in owned if code not in counting]:
            which = f" ({', '.join(counting)}{', but ' if counting else ''}not {', '.join(others)})"
        units = len(counting) - self._surplus
        return f"{counted(len(counting), 'centre')}{which}, {counted(units, 'unit')}"

    def _refusal(self, kind: UnitKind, code: str) -> Refusal:
        """Why the conditions of the rules forbid a build; None if they do not."""
        conditions = conditions_on(self.position, self.settings)
        return None if conditions is None else conditions.build_refusal(self.power, kind, code)

    def _new_unit(self, named: UnitName) -> tuple[Unit, Note]:
        kind = self._kind(named)
        refusal = self._refusal(kind, province_of(named.location))
        if refusal is not None:
            raise IllegalError(*refusal)
        location = self._location(kind, named.location)
        attributes, fault = with_defaults(named.attributes, self.position.words.attributes)
        if fault:
            raise IllegalError("attribute_missing", fault)
        unit = unit_of(self.power, kind, location, attributes)
        is_plain = named.kind is kind and named.location == location
        return unit, None if is_plain else ("build_amended", f"read as {unit}")

    def _kind(self, named: UnitName) -> UnitKind:
        """The kind of unit that is built (4.C.3, 4.C.4)."""
        province = self.position.map.provinces[province_of(named.location)]
        kind, kinds = named.kind, self.position.words.units
        if kind is not None and kind.stands_in(province.kind):
            return kind
        if kind is not None:
            if kind is UnitKind.FLEET and self.settings.build_fleet_inland == "army":
                return UnitKind.ARMY
            where = "at sea" if province.kind == "sea" else "inland"
            problem = f"{kind.with_article} cannot be built in {province.name}: it is {where}"
            raise IllegalError("kind_impossible", problem)
        rule = self.settings.build_kind_missing
        coast = coast_of(named.location) if rule == "by place" else ""
        if rule != "illegal" and (coast or province.kind == "land"):
            kind = only_kind(kinds, province, coast)
        if kind is None:
            raise IllegalError("kind_impossible", f"say whether it is {one_of(kinds)}")
        return kind

    def _location(self, kind: UnitKind, written: str) -> str:
        """The location of a unit that is built, with its coast if there are several (4.B.6,
        4.B.7)."""
        province = self.position.map.provinces[province_of(written)]
        is_known = kind.has_coasts and written in province.locations
        if coast_of(written) and not is_known:
            refuse_irrelevant(coast_of(written), self.settings)
        if not kind.has_coasts:
            return province.code
        if is_known:
            return written
        if len(province.locations) == 1 or self.settings.build_coast_omitted == "first":
            return province.default_location
        problem = f"the coast is missing: write {' or '.join(province.locations)}"
        raise IllegalError("coast_missing", problem)

    def _disband(self, named: UnitName) -> tuple[Unit, Note]:
        unit, noted = self._named_unit(named)
        if unit in self.disbanded:
            raise IllegalError("disbanded_already", "it is already disbanded")
        if len(self.disbanded) >= max(-self.due, 0):
            who = titled(self.power)
            must = f"{who} disbands only {counted(-self.due, 'unit')}"
            if self.due >= 0:
                must = f"{who} need not disband: {self._has()}"
            raise IllegalError("nothing_due", must)
        return unit, noted

    def _named_unit(self, named: UnitName) -> tuple[Unit, Note]:
        """The unit that is to be disbanded (4.B.5, 4.B.6, 4.C.1, 4.C.2)."""
        unit = self.position.by_province.get(province_of(named.location))
        if unit is None or unit.power != self.power:
            missing = _NO_UNIT + province_of(named.location)
            problem = foreign_unit(unit, self.power) if unit else missing
            raise IllegalError("no_such_unit", problem)
        return unit, settle_name(self.position.map, self.settings, named, unit)


_Done: TypeAlias = tuple[Submission, Unit | None, str, str, Note]
"""An order and what became of it: the unit that it builds or disbands, the code and the text of the
reason if it failed, and how anything unclear in it is read."""


def _in_one_place(wanted: Mapping[int, Unit], rule: str) -> list[int]:
    """The builds that give way to a different one in the same province (4.D.5)."""
    by_place = grouped((unit.province, at) for at, unit in wanted.items())
    several = [ats for ats in by_place.values() if len({wanted[at] for at in ats}) > 1]
    kept = {ats[0 if rule == "first" else -1] for ats in several if rule != "none"}
    return [at for ats in several for at in ats if at not in kept]


_SEVERAL_BUILDS = ("several_builds", "another build is ordered there, too")
_NO_UNIT = "no unit stands in "
_GARRISON = Reason("ok", "the map rebuilds it while no other power owns its centre")


_FARTHEST_FROM: Mapping[str, str] = {
    "owned": "the centres of its power",
    "home": "home",
    "home by kind": "home, with only moves of fleets counted for fleets",
    "home by convoy": "home, with a convoy over any sea counted as one move",
    "home by own convoy": "home, with a convoy by fleets of its power counted as one move",
    "home by any convoy": "home, with a convoy by fleets on the board counted as one move",
}
"""Value of `civil_disorder` -> from where distances are measured, in words (DATC 4.D.8)."""


def _farthest(settings: Settings) -> Reason:
    """The reason for a disband that nobody ordered."""
    where = _FARTHEST_FROM[settings.civil_disorder]
    text = f"not enough disbands ordered; no unit that stays is farther from {where}"
    return Reason("civil_disorder", text)
