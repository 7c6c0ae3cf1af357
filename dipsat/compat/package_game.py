"""Games as in the package `diplomacy`, adjudicated by dipsat."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, KeysView, Mapping, Sequence
from copy import copy, deepcopy
from dataclasses import replace as replaced
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from dipsat.board import DEFAULT_MAP, province_of
from dipsat.compat.missing_names import missing
from dipsat.compat.order_results import Marks, OrderResult
from dipsat.compat.package_board import Board
from dipsat.compat.package_map import ENDS, Map, map_named, places_in
from dipsat.compat.package_power import (
    VOID,
    WAIVE,
    Power,
    listed_adjustments,
    listed_moves,
    listed_texts,
    read_adjustment,
    supported_place,
    take_unchecked,
)
from dipsat.compat.package_renderer import Renderer
from dipsat.compat.phase_data import (
    EVERYBODY,
    GLOBAL,
    GamePhaseData,
    History,
    Message,
    by_time,
)
from dipsat.compat.played_phase import PlayedPhase, now
from dipsat.errors import GameError, UnknownNameError
from dipsat.formats import listed_orders, short_name
from dipsat.game import (
    PhaseKind,
    PhaseName,
    Position,
    RulingStatus,
    adjustments,
    build_sites,
    judge_orders,
    read_submissions,
    victor,
)
from dipsat.orders import Move, SupportMove, Waive, write_order
from dipsat.outcomes import MovementOutcome, Outcome, adjudicate
from dipsat.rules import load_profile

_RULES = (
    "NO_DEADLINE", "CD_DUMMIES", "ALWAYS_WAIT", "SOLITAIRE", "NO_PRESS", "IGNORE_ERRORS",
    "POWER_CHOICE",
)  # fmt: skip
_NO_CHECK = "NO_CHECK"
_WRONG_ORDER, _WRONG_UNIT = 21000, 20000
"""The numbers of errors."""
_LAST_YEAR = 99
"""After this year, counted from the first, the powers with units draw."""
_HISTORIES = {
    "state_history": "state", "order_history": "orders", "result_history": "results",
    "message_history": "messages",
}  # fmt: skip
"""Names of the dictionaries by phase -> the part of the data of a phase in each."""
_PLAIN = ("game_id", "map_name", "note", "outcome", "role", "status", "timestamp_created", "win")
_GIVEN = (*_PLAIN, "rules", "victory", "judge")

_Listed: TypeAlias = Mapping[tuple[str, str], Sequence[str]]
"""Power and unit or province, as in `listed_orders` -> the legal orders for it."""


class Game:
    """A game with the attributes and methods of the package `diplomacy`, adjudicated by dipsat.

    `judge` names the rules of dipsat: `datc`, or `diplomacy` to judge as the package does. As a
    class attribute, it is the judge of games that do not state one. A program may add attributes.
    `adjudication` is dipsat's outcome of the last phase, with reasons.
    """

    judge: str = "datc"
    solitaire: ClassVar[bool] = True

    def __init__(
        self,
        game_id: str | None = None,
        map_name: str = DEFAULT_MAP,
        rules: Iterable[str] | None = None,
        seed: object = None,
        **given: Any,
    ) -> None:
        self.game_id = game_id or secrets.token_urlsafe(12)
        self.map_name = map_name
        self.map: Map = map_named(map_name)
        self.rules = [*_RULES] if rules is None else listed_texts(rules)
        self.status, self.note, self.role = "forming", "", "server_type"
        self.timestamp_created = now()
        self.victory = self.map.victory or [len(self.map.scs) // 2 + 1]
        self.win = self.victory[0]
        self.outcome: list[str] = []
        self.error: list[OrderResult] = []
        self.messages = History()
        self._told: dict[str, GamePhaseData] = {}  # phase -> its data for the histories
        self._played: PlayedPhase | None = None
        self.saved_with: dict[str, Any] = {}
        """The keys of a saved game that the package does not know."""
        self._phase = self.map.phase_abbr(self.map.phase)
        self._extras: dict[str, dict[str, Any]] = {}  # phase -> its keys of that kind
        self.powers = {
            power: Power(
                self, power, units=self.map.units[power], centers=self.map.centers[power],
                homes=self.map.homes[power],
                influence=[province_of(unit[2:]) for unit in self.map.units[power]],
            )
            for power in self.map.powers
        }  # fmt: skip
        vars(self).update(given)
        self._profile = load_profile(self.judge)
        self._reading = self._profile.settings.lenient
        self._kept = Board(self.map, self._profile, "", {})
        """The board without later changes of the program to the lists of powers."""
        self._legal: tuple[Board, _Listed] = self._kept, {}

    def __getattr__(self, name: str) -> Any:
        if name in _HISTORIES:
            found = History((of, getattr(one, _HISTORIES[name])) for of, one in self._told.items())
            return vars(self).setdefault(name, found)  # another thread may have read it
        if name[:8] == "is_game_":  # forming, active, paused, completed, canceled
            return self.status == name[8:]
        raise missing("Game", name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *_HISTORIES]

    def __repr__(self) -> str:
        return f"Game({self.game_id!r}, {self._phase!r}, map={self.map_name!r})"

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        found = type(self).__new__(type(self))
        memo[id(self)] = found
        shared = {"map", "powers", "_played", "_told", "_profile", "_reading", "_kept", "_legal"}
        for key, value in vars(self).items():
            vars(found)[key] = value if key in shared else _copied(value, memo)
        found._told = {**self._told}
        found.powers = {name: power.copy(found) for name, power in self.powers.items()}
        return found

    # --- the last phase ---------------------------------------------------------------------------

    @property
    def adjudication(self) -> Outcome | None:
        """The outcome of the last phase in dipsat, with reasons."""
        return None if self._played is None else self._played.outcome

    @property
    def result(self) -> Marks:
        """The marks of all units after the last phase."""
        return {} if self._played is None else self._played.marks

    @property
    def dislodged(self) -> dict[str, str]:
        """Each unit dislodged in the last phase, with the province of its attacker."""
        return {} if self._played is None else self._played.dislodged

    @property
    def popped(self) -> list[str]:
        """The units dislodged in the last movement phase that could not retreat."""
        return [] if self._played is None else self._played.popped

    @property
    def command(self) -> dict[str, str]:
        """Each unit in the last phase, a movement phase, with its order."""
        return {} if self._played is None else self._played.command

    @property
    def ordered_units(self) -> dict[str, list[str]]:
        """Power -> its units that had an order in the last phase, a movement phase."""
        return {} if self._played is None else self._played.ordered_units

    # --- phase ------------------------------------------------------------------------------------

    @property
    def phase(self) -> str:
        """The long name of the phase."""
        return self.map.phase_long(self._phase)

    @phase.setter
    def phase(self, name: str) -> None:
        self.set_current_phase(name)

    @property
    def phase_type(self) -> str | None:
        """M, R or A; None if the game is over."""
        return None if self._phase in ENDS else self._phase[-1]

    @property
    def current_short_phase(self) -> str:
        """The short name of the phase."""
        return self._phase

    def get_current_phase(self) -> str:
        """Return the short name of the phase."""
        return self._phase

    def set_current_phase(self, new_phase: str) -> None:
        """Set the phase by its short or long name. Raises `UnknownNameError`."""
        self._phase = (
            new_phase if new_phase in ENDS else short_name(str(PhaseName.parse(new_phase)))
        )

    @property
    def is_game_done(self) -> bool:
        """Whether the game is over."""
        return self._phase == ENDS[1]

    @is_game_done.setter
    def is_game_done(self, done: bool) -> None:
        if done:
            self._end([], "")

    def draw(self, winners: Iterable[str] | None = None) -> tuple[GamePhaseData, GamePhaseData]:
        """End the game in a draw between these powers, or all that have units. Return the last
        phase and the end."""
        self.clear_orders()
        last = GamePhaseData(self._phase, self.get_state(), self.get_orders(), {}, self.messages)
        if not self.is_game_done:
            self.extend_phase_history(last)
            self._begin_phase()
        left = (name for name, own in self._board.holdings.items() if own.units)
        self._end(listed_texts(winners or left), self.note)
        return last, self.get_phase_data()

    def set_status(self, status: str) -> None:
        """Set the status: forming, active, paused, completed or canceled."""
        self.status = status

    def _end(self, winners: list[str], when: str) -> None:
        if winners:
            self.outcome = [when or self._phase, *winners]
            self.note = f"Victory by: {', '.join(winner[:3] for winner in winners)}"
        self._phase, self.status = ENDS[1], "completed"

    # --- board ------------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The board as a position of dipsat."""
        return self._board.position

    @property
    def _board(self) -> Board:
        """The board, from the lists of the powers where a program has read them."""
        kept, phase, powers = self._kept, self._phase, self.powers
        is_kept = kept.phase == phase and kept.powers == [*powers]
        if not (is_kept and all(power.stands_on(kept) for power in powers.values())):
            held = {name: power.holding() for name, power in powers.items()}
            if kept.phase != phase or kept.holdings != held:
                self._kept = Board(self.map, self._profile, phase, held)
        return self._kept

    def get_power(self, power_name: str) -> Power | None:
        """Return the power with this name, or None."""
        return self.powers.get(self.map.norm_power(power_name))

    def _power(self, name: str) -> Power:
        found = self.get_power(name)
        if found is None:
            raise UnknownNameError("power", name, self.powers, list_known=True)
        return found

    def has_power(self, power_name: str) -> bool:
        """Return whether a power has this name."""
        return power_name in self.powers

    def get_random_power_name(self) -> str:
        """Return the name of a power."""
        return secrets.choice([*self.powers])

    def set_wait(self, power_name: str, wait: bool) -> None:
        """Set the attribute `wait` of a power. `process` waits for nobody."""
        self._power(power_name).wait = wait

    def get_map_power_names(self) -> KeysView[str]:
        """Return the names of the powers."""
        return self.powers.keys()

    def get_units(self, power_name: str | None = None) -> Any:
        """Return the units of a power, or of all by power; dislodged ones begin with a star."""
        if power_name is not None:
            return self._power(power_name).standing()
        return {name: own.standing for name, own in self._board.holdings.items()}

    def get_centers(self, power_name: str | None = None) -> Any:
        """Return the centres of a power, or of all by power."""
        if power_name is not None:
            return [*self._power(power_name).holding().centers]
        return {name: [*own.centers] for name, own in self._board.holdings.items()}

    def set_units(self, power_name: str, units: str | Iterable[str], reset: bool = False) -> None:
        """Add units of a power, or replace its units. They replace the units that are in their
        places. A unit with a star is dislodged; in a retreat phase it may go to any vacant
        neighbour. Impossible units are noted in `error`."""
        power = self._power(power_name)
        if reset:
            power.clear_units()
        for text in listed_texts(units):
            is_lost = text.startswith("*")
            unit = text.lstrip("*").strip().upper()
            if not self.map.is_valid_unit(unit):
                self.error.append(OrderResult(f"not a unit of this map: {text}", _WRONG_UNIT))
                continue
            place = province_of(unit[2:])
            if is_lost:
                power.retreats[unit] = self._vacant_beside(unit) if self.phase_type == "R" else []
                continue
            for other in self.powers.values():
                other.units = [one for one in other.units if province_of(one[2:]) != place]
                for lost, to in other.retreats.items():
                    other.retreats[lost] = [one for one in to if province_of(one) != place]
            power.units.append(unit)
            self._note_influence(power, place)

    def _vacant_beside(self, unit: str) -> list[str]:
        taken = {province_of(u[2:]) for power in self.powers.values() for u in power.units}
        reach = self.map.board.reach(unit[0], unit[2:])
        return sorted(place for place in reach if province_of(place) not in taken)

    def _note_influence(self, power: Power, place: str) -> None:
        for other in self.powers.values():
            if place in other.influence:
                other.influence.remove(place)
        power.influence.append(place)

    def set_centers(
        self, power_name: str, centers: str | Iterable[str], reset: bool = False
    ) -> None:
        """Give centres to a power, or replace its centres. Places that are not centres are noted in
        `error`."""
        power = self._power(power_name)
        if reset:
            power.clear_centers()
        for center in listed_texts(centers):
            if center not in self.map.scs:
                self.error.append(OrderResult(f"not a supply centre: {center}", _WRONG_UNIT))
                continue
            for other in self.powers.values():
                if center in other.centers:
                    other.centers.remove(center)
            power.centers.append(center)

    def clear_units(self, power_name: str | None = None) -> None:
        """Remove the units of a power, or of all."""
        for power in self._chosen(power_name):
            power.clear_units()

    def clear_centers(self, power_name: str | None = None) -> None:
        """Take the centres of a power, or of all."""
        for power in self._chosen(power_name):
            power.clear_centers()

    def _chosen(self, power_name: str | None) -> list[Power]:
        return [*self.powers.values()] if power_name is None else [self._power(power_name)]

    def _unit_owner(self, unit: str, coast_required: int = 1) -> Power | None:
        for power in self.powers.values():
            for own in power.units:
                if own == unit or (not coast_required and own.partition("/")[0] == unit[:5]):
                    return power
        return None

    def _occupant(self, site: str, any_coast: int = 0) -> str | None:
        for power in self.powers.values():
            for unit in power.units:
                if unit[2:] == site or (any_coast and province_of(unit[2:]) == site[:3]):
                    return unit
        return None

    # --- orders -----------------------------------------------------------------------------------

    def get_orders(self, power_name: str | None = None) -> Any:
        """Return the orders of a power that can be carried out, or of all by power."""
        listed = listed_moves if self.phase_type == "M" else listed_adjustments
        if power_name is None:
            return {name: listed(power) for name, power in self.powers.items()}
        return listed(self._power(power_name))

    def clear_orders(self, power_name: str | None = None) -> None:
        """Remove the orders of a power, or of all."""
        for power in self._chosen(power_name):
            power.clear_orders()

    def set_orders(
        self,
        power_name: str,
        orders: str | Iterable[str] | None,
        expand: bool = True,
        replace: bool = True,
    ) -> None:
        """Add orders of a power. An order for a unit that has one already replaces it, unless
        `replace` is false. Orders that cannot be carried out are dropped and noted in `error`."""
        power = self._power(power_name)
        texts = [text for text in listed_texts(orders or ()) if text.strip()]
        if self._phase in ENDS or not texts:
            return
        power.order_is_set = 2
        position = self.position
        if self.phase_type == "M" and _NO_CHECK in self.rules:
            take_unchecked(power, texts, replace)
        elif self.phase_type == "M":
            self._take_moves(power, position, texts, replace)
        else:
            self._take_adjustments(power, position, texts)

    def _take_moves(
        self, power: Power, position: Position, texts: Sequence[str], replaces: bool
    ) -> None:
        listed = self._legal[1] if self._legal[0] is self._kept else {}
        if all(_is_as_listed(text, listed.get((power.name, _unit_of(text)), ())) for text in texts):
            for text in texts:
                unit = _unit_of(text)
                if replaces or unit not in power.orders:
                    power.orders[unit] = text[len(unit) + 1 :]
            return
        settings = self._profile.settings
        submissions = read_submissions(position, {power.name: texts}, self._reading)
        for one in submissions:  # one at a time, since an order replaces an earlier one
            (ruling,) = judge_orders(position, (one,), settings)
            if ruling.status is RulingStatus.ILLEGAL or ruling.unit is None:
                self._note(one.text, ruling.reason)
                continue
            assert not isinstance(ruling.order, Waive)
            unit = str(ruling.unit)
            if getattr(one.order, "unit", ruling.unit.name).kind not in (None, ruling.unit.kind):
                self._note(one.text, f"the unit is {unit}")
                continue
            if unit in power.orders and not replaces:
                continue
            order = ruling.order
            if order.unit != ruling.unit.name:
                order = replaced(order, unit=ruling.unit.name)
            if isinstance(order, Move) and isinstance(one.order, Move) and one.order.path:
                order = replaced(order, via=True, path=())  # the package does not write paths
            if isinstance(order, SupportMove):
                typed = getattr(one.order, "target", order.target)
                place = supported_place(position.map, unit, order, typed)
                order = order if order.target == place else replaced(order, target=place)
            power.orders[unit] = write_order(order, position.map)[len(unit) + 1 :]

    def _note(self, text: str, reason: str) -> None:
        self.error.append(OrderResult(f"{text}: {reason}", _WRONG_ORDER))

    def _take_adjustments(self, power: Power, position: Position, texts: Sequence[str]) -> None:
        """Take retreats or builds. As in the package, WAIVE fills up missing builds."""
        due = 0
        if position.phase.kind is PhaseKind.ADJUSTMENT:
            due = adjustments(position, power.name, self._profile.settings)
        given: list[str] = []
        ordered = set[str]()
        listed = self._listed().items()
        legal = {text for (name, _), own in listed if name == power.name for text in own}
        for text in texts:
            if text.strip().upper() == WAIVE:
                given.append(WAIVE if due >= 0 else f"{VOID}{WAIVE}")
                continue
            order, place, reason = text, province_of(text[2:].partition(" ")[0]), ""
            if text not in legal:  # perhaps it is written differently
                order, place, reason = read_adjustment(position, self._profile, power.name, text)
            if place in ordered:
                reason = "another order for this place came first"
            if reason:
                self._note(text, reason)
                given.append(f"{VOID}{text}")
            else:
                ordered.add(place)
                given.append(order)
        kept = [
            one for one in power.adjust
            if one == WAIVE
            or (not one.startswith(VOID) and province_of(one.split()[1]) not in ordered)
        ]  # fmt: skip
        found_all = [*kept, *given]
        while len(found_all) > due and WAIVE in found_all:
            found_all.remove(WAIVE)
        power.adjust = [*found_all, *[WAIVE] * (due - len(found_all))]

    def get_orderable_locations(self, power_name: str | None = None) -> Any:
        """Return the provinces where a power can order something, or of all by power."""
        if power_name is None:
            return {name: self.get_orderable_locations(name) for name in self.powers}
        power = self._power(power_name)
        if self.phase_type == "M":
            return places_in(unit[2:] for unit in power.holding().units)
        if self.phase_type == "R":
            return places_in(unit[2:] for unit in power.holding().retreats)
        if self.phase_type is None:
            return []
        position = self.position
        due = adjustments(position, power.name, self._profile.settings)
        if due < 0:
            return places_in(unit[2:] for unit in power.holding().units)
        return list(build_sites(position, power.name, self._profile.settings)) if due else []

    def get_all_possible_orders(self) -> dict[str, list[str]]:
        """Return all possible orders at each place. A support of a fleet's move to a coast is
        listed with and without the coast."""
        found: dict[str, list[str]] = {place: [] for place in self.map.places}
        if self._phase in ENDS:
            return found
        kind, near_coasts, listed = self.phase_type, self.map.near_coasts, self._listed()
        fleets = self._fleets_to_coasts() if kind == "M" else ()
        for (_, unit), orders in listed.items():
            location = unit.rpartition(" ")[2]
            own = [*orders]
            near = near_coasts.get(unit, ())
            for fleet, province, places in fleets if near else ():
                if province in near:
                    supports = [f"{unit} S {fleet} - {place}" for place in (province, *places)]
                    others = [one for one in supports if one not in orders]
                    if len(others) < len(supports):
                        own += others
            found[location] = own
            province = province_of(location)
            if province != location:
                found[province] = [*own]
            elif kind == "A":
                for coast in self.map.find_coasts(location):
                    if coast != location:
                        mine = (WAIVE, f"F {coast} B")
                        found[coast] = [one for one in own if one in mine]
        return found

    def _listed(self) -> _Listed:
        """All legal orders, cached for the current board."""
        board = self._board
        if self._legal[0] is not board:
            listed = listed_orders(board.position, self._profile)
            self._legal = board, {(power, unit): orders for power, unit, orders in listed}
        return self._legal[1]

    def _fleets_to_coasts(self) -> list[tuple[str, str, list[str]]]:
        """Each fleet that can move to a province with several coasts, with the province and the
        coasts that it can reach."""
        return [
            (unit, province, places)
            for own in self._kept.holdings.values()
            for unit in own.units
            if unit[0] == "F"
            for province, places in self.map.near_coasts[unit].items()
        ]

    def get_order_status(
        self, power_name: str | None = None, unit: str | None = None, loc: str | None = None
    ) -> Any:
        """Return the marks of a unit's last order, or those of all units of a power or of all
        powers. For a place `loc`, return the unit there and its marks."""
        if unit is not None:
            return self.result.get(unit, [])
        if loc is not None:
            place = province_of(loc)
            at = ((u, marks) for u, marks in self.result.items() if province_of(u[2:]) == place)
            return next(at, (loc, []))
        last = self.state_history.last_value()["units"] if self.state_history else {}
        marks = self.result
        found = {
            name: {one: marks[one] for one in last.get(name, ()) if one in marks}
            for name in self.powers
        }
        return found if power_name is None else found[self._power(power_name).name]

    # --- process ----------------------------------------------------------------------------------

    def process(self) -> GamePhaseData:
        """Adjudicate the phase and go to the next one. Return the data of the adjudicated phase."""
        if self._phase in ENDS:
            return self.get_phase_data()
        board, orders = self._board, self.get_orders()
        outcome = adjudicate(board.position, orders, self._profile, lenient=True)
        self._played = played = PlayedPhase(
            outcome, board, self.note, self.powers.values(),
            None if isinstance(outcome, MovementOutcome) else self._played,
            is_unchecked=_NO_CHECK in self.rules,
        )  # fmt: skip
        told = self._phase, played, orders, self.messages
        self._tell(GamePhaseData.of(*told), {})
        self._kept = board.after(outcome, played.given)
        for power in self.powers.values():
            power.stand_on(self._kept)
        self._go_on(outcome)
        self._begin_phase()
        return GamePhaseData.of(*told)

    def _begin_phase(self) -> None:
        """Remove the messages, errors and orders of the previous phase."""
        self.messages, self.error = History(), []
        self.clear_orders()

    def _go_on(self, outcome: Outcome) -> None:
        """Begin the next phase, or end the game."""
        self._phase, ended = self._kept.phase, outcome.position.phase
        if self._phase[-1] == "R" or ended.season != "F":
            return
        winner = victor(self._kept.position, self._profile.settings)
        if winner is not None:
            self._end([winner], f"W{ended.year}A")
        elif ended.year == self.map.first_year + _LAST_YEAR:
            self._phase = f"W{ended.year}A"
            self.draw()

    # --- state ------------------------------------------------------------------------------------

    def get_state(self) -> dict[str, Any]:
        """Return the board as plain values."""
        disorder = {name: power.civil_disorder for name, power in self.powers.items()}
        return self._board.state(now(), self.note, disorder)

    def set_state(self, state: Mapping[str, Any], clear_history: bool = True) -> None:
        """Set a board as returned by `get_state`. Powers that it does not name stay as they are."""
        if clear_history:
            self._clear_history()
            self.clear_orders()
        self.set_current_phase(state.get("name", self._phase))
        self.note = state.get("note", self.note)
        for name in state.get("units", ()):
            self._power(name).clear_units()
        for name, places in state.get("centers", {}).items():
            self.set_centers(name, places, reset=True)
        for name, places in state.get("homes", {}).items():
            self._power(name).homes = list(places)
        for name, number in state.get("civil_disorder", {}).items():
            self._power(name).civil_disorder = number
        for name, units in state.get("units", {}).items():
            self.set_units(name, units)
        for name, retreats in state.get("retreats", {}).items():
            self._power(name).retreats = {unit: list(to) for unit, to in retreats.items()}
        for name, places in state.get("influence", {}).items():
            self._power(name).influence = list(places)

    def get_hash(self) -> int:
        """Return a number that depends only on the board, the same in every process."""
        return self._board.number

    @property
    def zobrist_hash(self) -> int:
        """The same as `get_hash`. It differs from the number that the package computes."""
        return self.get_hash()

    def clear_cache(self) -> None:
        """Do nothing: cached values belong to the current board."""

    def rebuild_hash(self) -> int:
        """Return the same as `get_hash`."""
        return self.get_hash()

    # --- history ----------------------------------------------------------------------------------

    def _clear_history(self) -> None:
        for name in _HISTORIES:
            vars(self).pop(name, None)
        self.messages, self._told, self._extras = History(), {}, {}

    def get_phase_data(self) -> GamePhaseData:
        """Return the current phase. The orders of a power that has not given any are None."""
        orders = {name: own or None for name, own in self.get_orders().items()}
        extras = self._extras.get(self._phase, {})
        state = self.get_state()
        return GamePhaseData(self._phase, state, orders, {}, self.messages, **extras)

    def extend_phase_history(self, game_phase_data: GamePhaseData) -> None:
        """Add a phase to the history."""
        self._tell(copy(game_phase_data), game_phase_data.extras)

    def _tell(self, data: GamePhaseData, extras: dict[str, Any]) -> None:
        self._told[data.name] = data
        self._extras[data.name] = extras
        for history in _HISTORIES.keys() & vars(self).keys():  # only those that have been read
            vars(self)[history][data.name] = getattr(data, _HISTORIES[history])

    def get_phase_from_history(
        self, short_phase_name: str, game_role: object = None
    ) -> GamePhaseData:
        """Return a phase of the history by its short name. Raises `KeyError`."""
        name = short_phase_name
        return GamePhaseData(
            name, self.state_history[name], self.order_history.get(name, {}),
            self.result_history.get(name, {}), self.message_history.get(name, History()),
            **self._extras.get(name, {}),
        )  # fmt: skip

    def get_phase_history(
        self,
        from_phase: str | int | None = None,
        to_phase: str | int | None = None,
        game_role: object = None,
    ) -> list[GamePhaseData]:
        """Return the phases of the history, perhaps only from one phase to another; both are named
        by short names or by numbers in the history."""
        names = list(self.state_history)
        at: dict[Any, str] = {**dict(enumerate(names)), **dict(enumerate(names, -len(names)))}
        given = from_phase, to_phase
        first, last = (one if isinstance(one, str) else at.get(one) for one in given)
        later = self.map.compare_phases
        return [
            self.get_phase_from_history(name)
            for name in names
            if (first is None or later(name, first) >= 0)
            and (last is None or later(name, last) <= 0)
        ]

    def set_phase_data(
        self, phase_data: GamePhaseData | Iterable[GamePhaseData], clear_history: bool = True
    ) -> None:
        """Set the current phase; of several, the last is current and the others are its history."""
        phases = [phase_data] if isinstance(phase_data, GamePhaseData) else list(phase_data)
        if clear_history:
            self._clear_history()
        *earlier, last = phases
        for one in earlier:
            self.extend_phase_history(one)
        self.clear_orders()
        self.set_state(last.state, clear_history=False)
        self._extras[last.name] = last.extras
        for name, orders in last.orders.items():
            if orders is not None:
                self.set_orders(name, orders)
        self.messages = last.messages

    # --- messages ---------------------------------------------------------------------------------

    def add_message(self, message: Message) -> int:
        """Add a message of the current phase and return the time at which it was sent. Raises
        `GameError` for a message of another phase, and `UnknownNameError` for a power."""
        if message.phase != self._phase:
            raise GameError(f"the message is of {message.phase}, but the phase is {self._phase}")
        for name in (message.sender, message.recipient):
            if name not in EVERYBODY:
                self._power(name)
        if message.time_sent is None:
            last = self.messages.last_key() if self.messages else 0
            message.time_sent = max(now(), last + 1)
        self.messages[message.time_sent] = message
        return message.time_sent

    def new_power_message(self, recipient: str, body: str) -> Message:
        """Return a message of the current phase for a power, from the power of `role`."""
        return Message(sender=self.role, recipient=recipient, message=body, phase=self._phase)

    def new_global_message(self, body: str) -> Message:
        """Return a message of the current phase for all powers."""
        return self.new_power_message(GLOBAL, body)

    @staticmethod
    def filter_messages(
        messages: Mapping[int, Message],
        game_role: str | Iterable[str],
        timestamp_from: int | None = None,
        timestamp_to: int | None = None,
    ) -> History:
        """Return the messages that a power, or one of several powers, sent or received, perhaps
        only between two times."""
        roles = {game_role} if isinstance(game_role, str) else {*game_role}
        sees_all = bool(roles & {"observer_type", "omniscient_type", "server_type"})
        return History(
            (time, one)
            for time, one in messages.items()
            if (timestamp_from is None or time >= timestamp_from)
            and (timestamp_to is None or time <= timestamp_to)
            and (sees_all or one.is_global() or one.sender in roles or one.recipient in roles)
        )

    # --- rules ------------------------------------------------------------------------------------

    def add_rule(self, rule: str) -> None:
        """Add a rule of the package. Only NO_CHECK, which keeps orders that cannot be carried out,
        has an effect in dipsat."""
        if rule not in self.rules:
            self.rules.append(rule)

    def remove_rule(self, rule: str) -> None:
        """Remove such a rule."""
        if rule in self.rules:
            self.rules.remove(rule)

    # --- other forms ------------------------------------------------------------------------------

    def render(
        self,
        incl_orders: bool = True,
        incl_abbrev: bool = False,
        output_format: str = "svg",
        output_path: str | Path | None = None,
    ) -> str:
        """Return the picture of the board, like `Renderer.render`."""
        return Renderer(self).render(incl_orders, incl_abbrev, output_format, output_path)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        messages = {
            name: [one.to_dict() for one in own.values()]
            for name, own in self.message_history.items()
        }
        return {
            **{key: getattr(self, key) for key in _PLAIN},
            "rules": list(self.rules),
            "victory": list(self.victory),
            "phase": self.phase,
            "error": [str(one) for one in self.error],
            "powers": {name: power.to_dict() for name, power in self.powers.items()},
            "zobrist_hash": self.zobrist_hash,
            "state_history": dict(self.state_history),
            "order_history": dict(self.order_history),
            "result_history": dict(self.result_history),
            "message_history": messages,
            "messages": [one.to_dict() for one in self.messages.values()],
            "judge": self.judge,
        }

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Game:
        """Return the game in the plain values of `to_dict`, from dipsat or from the package."""
        given = {key: value[key] for key in _GIVEN if key in value}
        found = cls(**given)
        found.set_current_phase(value["phase"])
        found.powers = {
            name: Power(found, **{**power, "name": name}) for name, power in value["powers"].items()
        }
        found.error = [OrderResult(str(one)) for one in value.get("error", ())]
        histories = {part: value.get(key, {}) for key, part in _HISTORIES.items()}
        for name in histories["state"]:
            phase = {part: own[name] for part, own in histories.items() if name in own}
            data = {"name": name, "orders": {}, **phase}
            found._told[name] = GamePhaseData.from_dict(data)
        found.messages = by_time(map(Message.from_dict, value.get("messages", ())))
        return found


def _unit_of(text: str) -> str:
    """The unit at the beginning of an order that the package has written."""
    return text[: text.find(" ", 2)]


def _is_as_listed(text: str, listed: Sequence[str]) -> bool:
    """Whether an order is among the legal orders of its unit and is kept as written. The package
    does not keep the path of a move, and perhaps not the coast in a support."""
    order = text[len(_unit_of(text)) + 1 :]
    return text in listed and (" - " not in order if order[0] == "-" else "/" not in order)


def _copied(value: Any, memo: dict[int, Any]) -> Any:
    """A copy of an attribute of a game. It shares the contents of histories, which never change."""
    if isinstance(value, History):
        return History(value)
    return deepcopy(value, memo)
