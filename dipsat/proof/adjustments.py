"""The outcome of an adjustment phase (DATC 6.I, 6.J)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from dipsat.board.province import UnitKind, coast_of, province_of
from dipsat.game.distance import civil_disorder
from dipsat.game.following import adjustments, build_sites, following, powers_of
from dipsat.game.legality import Submission
from dipsat.game.position import Position, Unit
from dipsat.game.settings import Settings
from dipsat.orders.order import Build, Disband, Order, UnitName, Waive
from dipsat.orders.writer import write_order
from dipsat.profiles.profile import Profile
from dipsat.proof.outcome import Outcome, unit_text
from dipsat.proof.phase_order import PhaseOrder
from dipsat.proof.reasons import Reason


class AdjustmentOutcome(Outcome):
    """What happens in an adjustment phase: builds, disbands, and what comes next.

    Orders are carried out one by one; what cannot be carried out is illegal. Units that must go
    and were not ordered to are disbanded by the profile's civil disorder rule; `automatic` lists
    them by power.
    """

    def __init__(
        self, position: Position, profile: Profile, submissions: Sequence[Submission]
    ) -> None:
        super().__init__(position, profile)
        by_power: dict[str, list[Submission]] = {power: [] for power in powers_of(position)}
        for submission in submissions:
            by_power.setdefault(submission.power, []).append(submission)
        sheets = [
            _Sheet(position, profile.settings, power, by_power[power]) for power in sorted(by_power)
        ]
        self._orders = tuple(order for sheet in sheets for order in sheet.orders)
        self.automatic: Mapping[str, tuple[str, ...]] = {
            sheet.power: tuple(str(unit) for unit in sheet.automatic)
            for sheet in sheets
            if sheet.automatic
        }
        gone = {u.province for sheet in sheets for u in (*sheet.disbanded, *sheet.automatic)}
        built = [unit for sheet in sheets for unit in sheet.built]
        kept = [unit for unit in position.units if unit.province not in gone]
        self._after = tuple(sorted((*kept, *built), key=lambda unit: unit.location))

    @property
    def orders(self) -> tuple[PhaseOrder, ...]:
        """What became of every order, and of the units disbanded without one, by power."""
        return self._orders

    @property
    def units_after(self) -> tuple[Unit, ...]:
        """The units after the phase, sorted by location."""
        return self._after

    @cached_property
    def next(self) -> Position:
        """The position of the next phase."""
        return following(self.position, self.units_after, (), self.profile.settings)


class _Sheet:
    """The adjustments of one power, order by order."""

    def __init__(
        self, position: Position, settings: Settings, power: str, submissions: list[Submission]
    ) -> None:
        self.position = position
        self.settings = settings
        self.power = power
        self.due = adjustments(position, power, settings)
        self.built: list[Unit] = []
        self.disbanded: list[Unit] = []
        self.waived = 0
        self.orders = self._run(submissions)
        missing = max(0, -self.due - len(self.disbanded))
        self.automatic = civil_disorder(position, power, self.disbanded, missing, settings)
        for unit in self.automatic:
            order = _text(position, Disband(_name(unit)))
            self.orders.append(
                PhaseOrder(power, str(unit), None, "succeeds", "disbanded", order, _FARTHEST)
            )

    @cached_property
    def sites(self) -> tuple[str, ...]:
        """The provinces in which the power may build."""
        return build_sites(self.position, self.power, self.settings)

    def _run(self, submissions: list[Submission]) -> list[PhaseOrder]:
        """All orders, in the order in which they were given, or from the last to the first."""
        builds = sum(isinstance(s.order, Build) for s in submissions)
        disbands = sum(isinstance(s.order, Disband) for s in submissions)
        rule = self.settings.builds_too_many if self.due > 0 else self.settings.disbands_too_many
        too_many = (builds if self.due > 0 else disbands) > abs(self.due)
        backwards = rule == "last"
        done = []
        for submission in reversed(submissions) if backwards else submissions:
            code, text, unit = self._rule(submission.order)
            if not code and too_many and rule == "none":
                code, text = "too_many", f"more orders than the {abs(self.due)} allowed"
            if not code and unit is not None:
                (self.built if self.due > 0 else self.disbanded).append(unit)
            done.append(self._outcome(submission, unit, code, text))
        return done[::-1] if backwards else done

    def _outcome(
        self, submission: Submission, unit: Unit | None, code: str, text: str
    ) -> PhaseOrder:
        order = submission.order
        fate = "disbanded" if not code and isinstance(order, Disband) else ""
        if not code and unit is not None:
            verb = Build if isinstance(order, Build) else Disband
            order = verb(_name(unit))
        named = "" if isinstance(order, Waive) else unit_text(order.unit)
        return PhaseOrder(
            self.power, named, submission.text, "illegal" if code else "succeeds", fate,
            _text(self.position, order), Reason(code or "ok", text),
        )  # fmt: skip

    def _rule(self, order: Order) -> tuple[str, str, Unit | None]:
        """(code and reason if illegal, unit that is built or disbanded)."""
        if isinstance(order, Waive):
            return self._waive()
        if isinstance(order, Build):
            return self._build(order.unit)
        if isinstance(order, Disband):
            return self._disband(order.unit)
        return "wrong_phase", "this is an adjustment phase; only builds and disbands count", None

    def _waive(self) -> tuple[str, str, Unit | None]:
        if self.settings.waive == "illegal":
            return "no_waiving", "builds may not be declined", None
        if self.due - len(self.built) - self.waived <= 0:
            return "nothing_due", "there is no build to decline", None
        self.waived += 1
        return "", "", None

    def _build(self, named: UnitName) -> tuple[str, str, Unit | None]:
        code = province_of(named.location)
        province = self.position.map.provinces[code]
        owner = self.position.centers.get(self.power, ())
        if code not in self.sites:
            if code in self.position.by_province:
                return "occupied", "a unit stands there", None
            if code not in owner:
                return "not_owned", f"{province.name} is no centre that {self.power} owns", None
            return "no_build_site", f"{province.name} is no place where {self.power} builds", None
        if any(unit.province == code for unit in self.built):
            return "built_already", "something is built there already", None
        if len(self.built) + self.waived >= max(self.due, 0):
            return "nothing_due", "there is no build left", None
        kind, fault = self._kind(named)
        if kind is None:
            return "kind_impossible", fault, None
        location, fault = self._location(kind, named.location)
        if location is None:
            return "coast_missing", fault, None
        return "", "", Unit(self.power, kind, location)

    def _kind(self, named: UnitName) -> tuple[UnitKind | None, str]:
        """4.C.3, 4.C.4: what is built."""
        terrain = self.position.map.provinces[province_of(named.location)].kind
        inland = terrain == "land"
        if named.kind is UnitKind.FLEET and inland:
            if self.settings.build_fleet_inland == "army":
                return UnitKind.ARMY, ""
            return None, "a fleet cannot be built inland"
        if named.kind is UnitKind.ARMY and terrain == "sea":
            return None, "an army cannot be built at sea"
        if named.kind is not None:
            return named.kind, ""
        rule = self.settings.build_kind_missing
        if inland and rule != "illegal":
            return UnitKind.ARMY, ""
        if coast_of(named.location) and rule == "by place":
            return UnitKind.FLEET, ""
        return None, "say whether it is an army (A) or a fleet (F)"

    def _location(self, kind: UnitKind, written: str) -> tuple[str | None, str]:
        """4.B.7: where a fleet stands in a province with several coasts."""
        province = self.position.map.provinces[province_of(written)]
        if kind is UnitKind.ARMY:
            return province.code, ""
        if written in province.locations:
            return written, ""
        if len(province.locations) == 1 or self.settings.build_coast_omitted == "first":
            return province.locations[0], ""
        return None, f"say {' or '.join(province.locations)}"

    def _disband(self, named: UnitName) -> tuple[str, str, Unit | None]:
        unit = self.position.by_province.get(province_of(named.location))
        if unit is None or unit.power != self.power:
            owner = f"belongs to {unit.power}" if unit else "is not there"
            return "no_such_unit", f"the unit {owner}", None
        if unit in self.disbanded:
            return "disbanded_already", "it is disbanded already", None
        if len(self.disbanded) >= max(-self.due, 0):
            return "nothing_due", "no unit more has to be disbanded", None
        return "", "", unit


_FARTHEST = Reason("civil_disorder", "it is the farthest of those left over")


def _name(unit: Unit) -> UnitName:
    return UnitName(unit.location, unit.kind)


def _text(position: Position, order: Order) -> str:
    return write_order(order, position.map)
