"""Games as cases in the format of jDip, which test suites of several adjudicators read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from dipsat.base import titled
from dipsat.board import Map, is_shipped, province_of
from dipsat.errors import GameError
from dipsat.formats.godip_variants import godip_table, godip_variant
from dipsat.formats.turn import GameTurns, Turn
from dipsat.formats.written_game import is_movement, named
from dipsat.game import PhaseKind
from dipsat.orders import Build, Disband, Move, Order, Retreat, Unit, UnitName, Waive, write_order

_SEASONS = {"S": "Spring", "F": "Fall", "W": "Fall"}
_KINDS = {
    PhaseKind.MOVEMENT: "Movement",
    PhaseKind.RETREAT: "Retreat",
    PhaseKind.ADJUSTMENT: "Adjustment",
}

_GOOD, _LOST = ("succeeds", "given", "available", "stands"), ("dislodged", "destroyed")


def write_jdip(game: GameTurns) -> str:
    """A case for each phase, with the board that results in dipsat. Retreats without dislodged
    units are left out, and so is the last phase if it has no orders. Orders without a kind of unit,
    for places without a unit, become comments.

    Raises `GameError` for a game on a map that is not shipped, since a case names its map, for one
    that begins with retreats, since a case states the moves before them, for one whose owners are
    unknown in a phase of builds, and for one without a case.
    """
    board = game.turns[0].position.map
    if not is_shipped(board):
        raise GameError(
            f"cases name a shipped map, and {board.name} is not; save the game as .json, .yaml or "
            ".jsonl"
        )
    turns = game.turns if game.turns[-1].orders else game.turns[:-1]
    if not turns:
        raise GameError("no phase of this game has orders, so there is no case in it")
    cases = _Cases(board)
    for before, turn in zip((None, *turns), turns, strict=False):
        if turn.position.dislodged or turn.position.phase.kind is not PhaseKind.RETREAT:
            cases.add(before, turn)
    return "\n".join(cases.lines) + "\n"


class _Cases:
    """The lines of cases on a map. Provinces have the codes of jDip and godip, where those of
    godip are known."""

    def __init__(self, board: Map) -> None:
        names = (name for name, one in godip_table().variants.items() if one.map == board.name)
        name = next(names, None)
        self.board = board
        self.variant = None if name is None else godip_variant(name)
        self.lines = [f"VARIANT_ALL {titled(board.name)}"]

    def add(self, before: Turn | None, turn: Turn) -> None:
        """Add the case of a phase; `before` is the phase before it."""
        position, phase = turn.position, turn.position.phase
        self.lines += ["", f"CASE {phase}"]
        when = f"{_SEASONS[phase.season]} {phase.year}, {_KINDS[phase.kind]}"
        self.lines.append(f"PRESTATE_SETPHASE {when}")
        self.section("PRESTATE", self.units(position.units))
        if phase.kind is PhaseKind.ADJUSTMENT:
            if position.unknown_centers:
                raise GameError(f"a case says who owns each centre, which is unknown in {phase}")
            owned = [(power, f"A {one}") for power, own in position.centers.items() for one in own]
            self.section("PRESTATE_SUPPLYCENTER_OWNERS", owned)
        if phase.kind is PhaseKind.RETREAT:
            if before is None or not is_movement(before):
                raise GameError(f"a case states the moves before retreats, which {phase} lacks")
            self.section("PRESTATE_DISLODGED", self.units(one.unit for one in position.dislodged))
            self.lines.append("PRESTATE_RESULTS")
            succeeds = {
                province_of(one.unit[2:]): one.verdict in _GOOD and one.fate not in _LOST
                for one in before.outcome.orders
            }
            for power, location, text in self.orders(before):
                result = "SUCCESS" if succeeds.get(province_of(location)) else "FAILURE"
                self.lines.append(f"  {result}: {self.owned(power, text)}")
        self.section("ORDERS", ((power, text) for power, _, text in self.orders(turn)))
        for power, order, unit in _with_kinds(turn):
            if unit.kind is None:
                lost = self.owned(power, write_order(order, self.board))
                self.lines.append(f"  # left out, since no unit is there: {lost}")
        after = turn.outcome.next
        self.section("POSTSTATE", self.units(after.units))
        self.section("POSTSTATE_DISLODGED", self.units(one.unit for one in after.dislodged))
        self.lines.append("END")

    def section(self, name: str, rows: Iterable[tuple[str, str]]) -> None:
        """Add a section of units, centres or orders, each with its power."""
        self.lines += [name, *(f"  {self.owned(power, text)}" for power, text in rows)]

    def owned(self, power: str, text: str) -> str:
        """A line such as `France: A par - bur`."""
        return f"{titled(power)}: {' '.join(map(self.word, text.split()))}"

    def word(self, word: str) -> str:
        """A word of an order; a location in the codes of cases."""
        if province_of(word) not in self.board.provinces:
            return word
        return word.lower() if self.variant is None else self.variant.code(word)

    def units(self, units: Iterable[Unit]) -> list[tuple[str, str]]:
        """The power and the text of each unit."""
        return [(unit.power, str(unit)) for unit in units]

    def orders(self, turn: Turn) -> Iterator[tuple[str, str, str]]:
        """The power, the location of the unit and the text of each order."""
        is_winter = turn.position.phase.kind is PhaseKind.ADJUSTMENT
        for power, order, unit in _with_kinds(turn):
            if unit.kind is not None:
                yield power, unit.location, self.text(order, is_winter)

    def text(self, order: Order, is_winter: bool) -> str:
        """An order in the words of cases."""
        match order:
            case Build(unit):
                return f"Build {unit.kind} {unit.location}"
            case Disband(unit):
                lost = f"{unit.kind} {unit.location}"
                return f"Remove {lost}" if is_winter else f"{lost} Disband"
            case Retreat(unit, target):
                return f"{unit.kind} {unit.location} - {target}"
            case Move(unit, via=True):
                return f"{unit.kind} {unit.location} - {order.target} via convoy"
            case Move():
                order = replace(order, path=())
        return write_order(order, self.board)


def _with_kinds(turn: Turn) -> Iterator[tuple[str, Order, UnitName]]:
    """The power, each order and its unit, with the unit's kind if there is one."""
    position, is_retreat = turn.position, turn.position.phase.kind is PhaseKind.RETREAT
    there = [one.unit for one in position.dislodged] if is_retreat else position.units
    kinds = {unit.province: unit.kind for unit in there}
    for power, orders in named(turn).items():
        for order in orders:
            if not isinstance(order, Waive):
                kind = order.unit.kind or kinds.get(province_of(order.unit.location))
                unit = replace(order.unit, kind=kind)
                yield power, replace(order, unit=unit), unit
