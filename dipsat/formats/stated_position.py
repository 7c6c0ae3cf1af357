"""The position that a document states: units, centres and dislodged units of each power. All faults
are noted, each with its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dipsat.board.map import Map
from dipsat.documents import Node
from dipsat.formats.json_text import FilePlace, GatheredFaults
from dipsat.formats.named_units import placed
from dipsat.game.order_sets import UNDATED
from dipsat.game.owners import OWNERS, Owners, owners_stated, refuse_unknown
from dipsat.game.phase_name import PhaseKind, PhaseName
from dipsat.game.position import Dislodged, Position, Unit, add_unit, by_power, place_unit
from dipsat.orders.reader import reader_for
from dipsat.orders.words import Words


def powers_in(section: Node, board: Map, faults: GatheredFaults) -> Iterator[tuple[str, Node]]:
    """The powers of a section with what it lists for each; notes the faults of the others."""
    named: Mapping[str, Node] = {}
    with faults:
        named = section.mapping(None, "orders and units")
    for name, node in named.items():
        power = ""
        with faults, _at_key(faults, section, name):
            power = board.names.power(name)
        with faults:
            if not (isinstance(node.value, dict) and node.value.keys() == {UNDATED}):
                node.sequence(f"the entry of {power or name}")
            if power:
                yield power, node


def stated_position(section: Node, board: Map, words: Words, faults: GatheredFaults) -> Position:
    """The position of the units listed in a document; notes the fault of each that is left out."""
    units: dict[str, Unit] = {}
    places: dict[str, str] = {}
    reader = reader_for(board, words)
    for power, node in powers_in(section, board, faults):
        for one in node.sequence():
            with faults, faults.at(one.place):
                text = one.text("a unit")
                unit = place_unit(board, power, reader.read_unit(text), text)
                add_unit(units, unit, text)
                places[unit.province] = one.place
    return placed(board, units, places, words, faults)


def later_position(
    top: Mapping[str, Node],
    board: Map,
    position: Position | None,
    words: Words,
    faults: GatheredFaults,
) -> Position | None:
    """The position with its phase, owned centres and dislodged units; None for a movement phase
    without units."""
    phase = PhaseName.parse(board.first_phase) if position is None else position.phase
    if "phase" in top:
        phase = replace(phase, kind=PhaseKind.RETREAT) if "dislodged" in top else phase
        with faults, FilePlace(top["phase"].place):
            phase = PhaseName.parse(top["phase"].text("phase"), words)
    if position is None and phase.kind in (PhaseKind.MOVEMENT, PhaseKind.EXTRA):
        return None
    unknown: Sequence[str] | None = None
    owners = owners_stated(board, phase, None)
    if "unknown_centers" in top:
        with faults, FilePlace(top["unknown_centers"].place):
            listed = top["unknown_centers"].texts("a centre")
            owners, unknown = owners_stated(board, phase, None, listed), listed

    def owning(centers: Mapping[str, Sequence[str]]) -> Owners:
        return owners_stated(board, phase, centers, unknown)

    if "centers" in top and _are_well_named(top["centers"], owning, faults):
        with faults, FilePlace(top["centers"].place):
            owners = owning(_lists(top["centers"]))
    if phase.kind is PhaseKind.ADJUSTMENT and not top.keys() & OWNERS:
        with faults, FilePlace(top["phase"].place):
            refuse_unknown(owners.unknown)
    found = position or Position.from_units({}, board, phase)

    def losing(lost: Dislodged) -> Position:
        return Position.from_units(
            by_power(found.units), board, phase, owners.centers, lost, words, owners.unknown
        )

    if "dislodged" not in top:
        return losing({})
    section = top["dislodged"]
    if phase.kind is not PhaseKind.RETREAT or _are_well_named(section, losing, faults):
        with faults, FilePlace(section.place):
            lost = section.mapping(None, "dislodged").items()
            return losing({power: _lost(node) for power, node in lost})
    return found


def _lost(node: Node) -> Mapping[str, Sequence[str]] | Sequence[str]:
    """The dislodged units of a power, perhaps with where they may retreat to."""
    return _lists(node) if isinstance(node.value, dict) else node.texts("dislodged units")


def _are_well_named(
    section: Node, position_with: Callable[[Any], object], faults: GatheredFaults
) -> bool:
    """Whether each power of a section, and each thing that it lists, makes a position by itself;
    notes the fault of each that does not."""
    before = len(faults.found)
    with faults:
        for power, node in section.mapping(None, "this").items():
            known = len(faults.found)
            with faults, _at_key(faults, section, power):
                position_with({power: ()})
            if len(faults.found) > known:
                continue
            with faults:
                if isinstance(node.value, dict):
                    for name, texts in _lists(node).items():
                        with faults, _at_key(faults, node, name):
                            position_with({power: {name: texts}})
                else:
                    for one in node.sequence("this"):
                        with faults, faults.at(one.place):
                            position_with({power: (one.text(),)})
    return len(faults.found) == before


def _lists(section: Node) -> dict[str, tuple[str, ...]]:
    return {key: node.texts(key) for key, node in section.mapping(None, "this").items()}


def _at_key(faults: GatheredFaults, section: Node, key: str) -> FilePlace:
    return faults.at(":".join(map(str, section.place_of(key))))
