"""The position that a document states: one that people write, or one that dipsat has written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dipsat.base import (
    Node,
)
from dipsat.board import Map
from dipsat.formats.json_text import FilePlace, GatheredFaults
from dipsat.formats.text_sheet import (
    placed,
)
from dipsat.game import (
    ANY,
    OWNERS,
    UNDATED,
    AnyUnits,
    Dislodged,
    OpenPosition,
    Owners,
    PhaseKind,
    PhaseName,
    Position,
    add_unit,
    by_power,
    checked_position,
    is_open_unit,
    owners_stated,
    place_unit,
    power_or_any,
    read_open_unit,
    refuse_unknown,
)
from dipsat.orders import (
    Unit,
    Words,
    reader_for,
)

# --- stated position ------------------------------------------------------------------------------

# The position that a document states: units, centres and dislodged units of each power. All faults
# are recorded, each with its place.


def powers_in(
    section: Node, what: str, board: Map, faults: GatheredFaults
) -> Iterator[tuple[str, Node]]:
    """The powers of a section, called `what`, with what it lists for each; records the faults of
    the others."""
    named: Mapping[str, Node] = {}
    with faults:
        named = section.mapping(None, what)
    for name, node in named.items():
        power = ""
        with faults, at_key(faults, section, name):
            power = board.names.power(name)
        with faults:
            if not (isinstance(node.value, dict) and node.value.keys() == {UNDATED}):
                node.sequence(f"the entry of {power or name}")
            if power:
                yield power, node


def stated_position(section: Node, board: Map, words: Words, faults: GatheredFaults) -> Position:
    """The position of the units listed in a document; records the fault of each one left out."""
    units: dict[str, Unit] = {}
    places: dict[str, str] = {}
    reader = reader_for(board, words)
    for power, node in powers_in(section, "units", board, faults):
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
            named = board.language.in_english(top["phase"].text("phase"))
            phase = PhaseName.parse(named, words)
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
    """The dislodged units of a power, perhaps with their possible retreats."""
    return _lists(node) if isinstance(node.value, dict) else node.texts("dislodged units")


def _are_well_named(
    section: Node, position_with: Callable[[Any], object], faults: GatheredFaults
) -> bool:
    """Whether each power of a section, and each thing that it lists, makes a position by itself.
    The fault of each that does not is recorded."""
    before = len(faults.found)
    with faults:
        for power, node in section.mapping(None, "this").items():
            known = len(faults.found)
            with faults, at_key(faults, section, power):
                position_with({power: ()})
            if len(faults.found) > known:
                continue
            with faults:
                if isinstance(node.value, dict):
                    for name, texts in _lists(node).items():
                        with faults, at_key(faults, node, name):
                            position_with({power: {name: texts}})
                else:
                    for one in node.sequence("this"):
                        with faults, faults.at(one.place):
                            position_with({power: (one.text(),)})
    return len(faults.found) == before


def _lists(section: Node) -> dict[str, tuple[str, ...]]:
    return {key: node.texts(key) for key, node in section.mapping(None, "this").items()}


def at_key(faults: GatheredFaults, section: Node, key: str) -> FilePlace:
    """The place of a key of a section, for its faults."""
    return faults.at(":".join(map(str, section.place_of(key))))


def is_nested(node: Node) -> bool:
    """Whether a node is a list or a mapping."""
    return isinstance(node.value, tuple | dict)


def leaves_of(node: Node) -> Iterator[Node]:
    """What a node lists, including lists and mappings within it."""
    return (one for one in node.walk() if not is_nested(one))


# --- open position --------------------------------------------------------------------------------

# Reading `units` that may stand anywhere: `any 4`, or by power, beside units whose places are
# stated.


def read_open_position(section: Node, board: Map) -> OpenPosition | None:
    """The position that `units` leave open; None if each says where it stands. Raises
    `DocumentError`, or what the reader raises for units."""
    if not leaves_open(section):
        return None
    placed: dict[str, Unit] = {}
    found: dict[str, tuple[Unit | AnyUnits, ...]] = {}
    for power, nodes in _powers(section, board):
        for node in nodes:
            with FilePlace(node.place):
                one = read_open_unit(node.text("units"), power, board, placed)
            found[power] = (*found.get(power, ()), one)
    with FilePlace(section.place):
        return checked_position(board, found)


def leaves_open(section: Node) -> bool:
    """Whether `units` leave open where some of them stand."""
    names = section.value if isinstance(section.value, dict) else ()
    is_any = any(name.strip().lower() == ANY for name in names)
    return is_any or any(is_open_unit(one.value) for one in leaves_of(section))


def refuse_beside(top: Mapping[str, Node], asking: bool) -> None:
    """Raise `DocumentError` for keys that cannot be beside units that may stand anywhere."""
    if not asking:
        top["units"].fail("only `dipsat search` takes units that may stand anywhere")
    for key in ("phase", "centers", "dislodged"):
        if key in top:
            problem = "units that may stand anywhere need a movement phase without owned centres"
            top[key].fail(f"{problem}; leave out `{key}`")


def _powers(section: Node, board: Map) -> Iterator[tuple[str, tuple[Node, ...]]]:
    """Each power, or `any`, with what is stated about its units."""
    if not isinstance(section.value, dict):
        yield ANY, _listed(section)
        return
    for name, node in section.mapping(None, "units").items():
        path, line, column = section.place_of(name)
        with FilePlace(f"{path}:{line}:{column}"):
            power = power_or_any(name, board)
        yield power, _listed(node)


def _listed(node: Node) -> tuple[Node, ...]:
    return node.sequence("units") if isinstance(node.value, tuple) else (node,)


# --- recorded position ----------------------------------------------------------------------------

# Documents that dipsat has written, read as a phase.


_POSITION = ("phase", "units", *OWNERS, "dislodged")


def recorded_position(root: Node) -> dict[str, Node] | None:
    """What a document that dipsat wrote says about a phase: a position, a saved game (about its
    last phase, with the orders entered so far), or the output of `adjudicate --json` (about the
    next phase). None for a document that people write."""
    top = root.mapping()
    about: dict[str, Node] = {key: top[key] for key in ("map", "rules") if key in top}
    phases = top["phases"].value if "phases" in top else ()
    if isinstance(phases, tuple) and phases:
        last = phases[-1].mapping()
        entered = {"orders": last["orders"]} if "orders" in last else {}
        return {**about, **_position_in(phases[-1]), **entered}
    if "next" in top and "units" in top:
        return {**about, **_position_in(top["next"])}
    return {**about, **_position_in(root)} if "retreats" in top else None


def _position_in(node: Node) -> dict[str, Node]:
    """The keys of a position as dipsat writes it, as those of a phase."""
    found = {key: value for key, value in node.mapping().items() if key in _POSITION}
    if "retreats" in node.mapping():
        found["dislodged"] = node.mapping()["retreats"]
    return found
