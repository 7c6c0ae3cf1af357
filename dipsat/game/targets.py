"""The targets of moves: which coast is meant (DATC 4.B), and where convoys could lead."""

from __future__ import annotations

from collections.abc import Collection

from dipsat.board.map import Map
from dipsat.board.province import coast_of, province_of
from dipsat.game.convoying import Convoying
from dipsat.game.naming import IllegalError, Note, refuse_irrelevant
from dipsat.game.position import Unit
from dipsat.game.settings import Settings
from dipsat.grouped import grouped


class Targets:
    """Finds the locations to which the units of one position can be ordered; possible convoys are
    worked out once. Methods that return a target raise `IllegalError` if there is none."""

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
        """The target of the move of a unit that could be convoyed. For a kind that stands on no
        coast, this does not check whether it can get there."""
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
        """The province, for a unit that stands on no coast."""
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
        """Whether the units on the board could convoy one to a location, without the one in
        province `but`, or with `only` those in some provinces."""
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
        problem = f"no {self.carriers_of(unit)} stand where they could convoy it from "
        problem += f"{unit.location} to {target}"
        if only:
            problem = self._fault_of_path(unit, target, only)
        raise IllegalError("no_convoy_possible" if is_here else "unreachable", problem)

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
