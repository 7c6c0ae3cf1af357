"""Games as the tests of godip's variants keep them: text with a board and orders for each phase.

    PHASE 1901 Spring Movement
    POSITIONS
        France: army par
        France: supply par
        Germany: army/dislodged bur
    ORDERS
        par move bur
        mun support ber
        build Army par

The file does not name its variant: it is the first one that has all nations and provinces. An order
does not name its power: it belongs to the unit in its province, or else to the power of the order
before it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dipsat.base import PHASES, check_time
from dipsat.board import Map, province_of
from dipsat.errors import DipsatError, DocumentError, FileError, shortened
from dipsat.formats.godip_variants import (
    GODIP_KINDS,
    GODIP_TYPES,
    GodipVariant,
    godip_order,
    godip_table,
    godip_variant,
)
from dipsat.formats.records import RecordedGame, Unread
from dipsat.formats.saved_game import read_saved_game
from dipsat.game import PhaseKind, Position

GODIP_PHASE = re.compile(r"^PHASE [0-9]{1,4} (?:Spring|Fall|Year) ", re.MULTILINE)
"""The beginning of a phase."""

_UNITS = {name.lower(): letter for name, letter in GODIP_KINDS.items()}


def read_godip_game(
    text: str, shown: str, map: Map | None = None, unread: Unread | None = None
) -> RecordedGame:
    """The game that a text states; `shown` names it in errors. `map` is the map of one of godip's
    variants.

    Raises `DocumentError` with the line of a fault in the text, and `FileError` with the phase for
    a board or an order that is impossible, unless `unread` collects the faults of single phases.
    """
    phases = _phases(text, shown)
    variant = _variant(phases, shown, map)
    value = {
        "map": variant.map.name,
        "phases": [_entry(phase, variant) for phase in phases],
        "profile": variant.rules.name,
    }
    return read_saved_game(value, shown, map, unread)


@dataclass(slots=True)
class _Phase:
    """A phase as its lines state it: its heading in words, its positions (nation, what is there,
    code of the province) and its orders in words; `fault` is the error of the first line that is
    none of these."""

    heading: tuple[str, int, PhaseKind]
    positions: list[tuple[str, str, str]] = field(default_factory=list)
    orders: list[list[str]] = field(default_factory=list)
    fault: DocumentError | None = None


def _phases(text: str, shown: str) -> list[_Phase]:
    found: list[_Phase] = []
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        check_time()
        words = line.split()
        match words:
            case []:
                pass
            case ("PHASE", year, season, kind) if kind in GODIP_TYPES and _YEAR.fullmatch(year):
                found.append(_Phase((season, int(year), GODIP_TYPES[kind])))
                PHASES.check(len(found), f"{shown}:{number}")
                section = ""
            case ("POSITIONS" | "ORDERS",) if found:
                section = words[0]
            case _ if section == "ORDERS":
                found[-1].orders.append(words)
            case (*nation, kind, code) if section and nation and nation[-1].endswith(":"):
                found[-1].positions.append((" ".join(nation)[:-1], kind, code))
            case _:
                problem = f"{shortened(line.strip())!r} is not {_WANTED[section]}"
                fault = DocumentError(shown, number, 1, problem)
                if not found:
                    raise fault
                found[-1].fault = found[-1].fault or fault
    return found


_YEAR = re.compile(r"[0-9]{1,4}")
_WANTED = {
    "": "a phase, such as PHASE 1901 Spring Movement, nor POSITIONS or ORDERS below one",
    "POSITIONS": "a position, such as 'France: army par' or 'France: supply par'",
}


def _variant(phases: Sequence[_Phase], shown: str, map: Map | None) -> GodipVariant:
    """A variant that has all nations and provinces of the positions: the first whose games begin
    with the units of the first phase, or else the first."""
    stated = {(nation, code) for phase in phases for nation, _, code in phase.positions}
    known = godip_table().variants
    named = [name for name, one in known.items() if map is None or map.name == one.map]
    found = [
        variant
        for variant in (godip_variant(name) for name in named)
        if all(n in variant.nations.values() and variant.location(c) for n, c in stated)
    ]
    if not found:
        nations = shortened(", ".join(sorted({nation for nation, _ in stated})))
        problem = f"no variant of godip has these nations with their provinces: {nations}"
        raise FileError(shown, problem)
    units = {f"{_UNITS[kind]} {code}" for _, kind, code in phases[0].positions if kind in _UNITS}
    return next((one for one in found if units == _start(one)), found[0])


def _start(variant: GodipVariant) -> set[str]:
    """The units with which games begin, in godip's codes."""
    units = Position.start(variant.map).units
    return {f"{str(unit)[0]} {variant.code(unit.location)}" for unit in units}


def _entry(phase: _Phase, variant: GodipVariant) -> dict[str, Any] | DipsatError:
    """The phase as in a saved game; if it is faulty, the error."""
    if phase.fault is not None:
        return phase.fault
    try:
        name = variant.phase(*phase.heading)
    except DipsatError as error:
        return error
    units, centers = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    ordered, owners = dict[str, str](), dict[str, str]()  # province -> unit, province -> power
    for nation, kind, code in dict.fromkeys(phase.positions):
        power, location = variant.power(nation, ""), variant.located(code)
        letter, slash, _ = kind.partition("/")
        if kind == "supply":
            centers[power].append(location)
            owners.setdefault(province_of(location), power)
            continue
        if letter == "army":  # it is listed twice, with and without a coast
            location = province_of(location)
        unit = f"{_UNITS.get(letter, letter)} {location}"
        text = f"*{unit}" if slash else unit
        if text not in units[power]:
            units[power].append(text)
        if bool(slash) is (name.kind is PhaseKind.RETREAT):
            ordered[province_of(location)] = unit
            owners[province_of(location)] = power
    orders = defaultdict[str, list[str]](list)
    power = next(iter(variant.map.powers))
    for words in phase.orders:
        code, *rest = _words(words)
        power = owners.get(province_of(variant.located(code)), power)
        orders[power].append(godip_order(variant, ordered, (code, *rest)))
    return {"name": str(name), "state": {"units": units, "centers": centers}, "orders": orders}


def _words(words: list[str]) -> list[str]:
    """An order with the words of godip's web service."""
    match words:
        case ("build", *_, kind, code):
            return [code, "Build", kind]
        case ("remove", code):
            return [code, "Disband"]
        case (code, "move", target, "via", "convoy"):
            return [code, "MoveViaConvoy", target]
        case (code, "support", aided):
            return [code, "Support", aided, aided]
        case (code, "support" | "convoy" as kind, aided, "move", target):
            return [code, kind.title(), aided, target]
        case (code, "hold" | "disband" | "move" as kind, *target):
            return [code, kind.title(), *target]
    return words
