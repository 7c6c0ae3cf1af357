"""Which units play the parts that every answer needs.

Units that may stand anywhere have numbers, and with other numbers an answer stays the same. So if
every answer has a unit that convoys another, there is one in which the first convoys the second.
With the parts given, a proof takes a tenth of the time, because it is not made anew for each pair.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from dipsat.equations.phase import parts_of
from dipsat.game.facts import ConvoyFacts, MoveFacts, ProvinceFacts, SupportFacts, UnitFacts
from dipsat.openunits.board import OpenUnits, UnitRules
from dipsat.terms.term import Key

Part = tuple[tuple[int, ...], int]
"""The numbers of the units that something is about, and the literal that says that it is so."""


def parts_in(rules: UnitRules, found: Mapping[Key, int]) -> Iterator[Part]:
    """A part for each of these decisions, with its literal."""
    is_uniform = rules.board.is_uniform
    for key, literal in found.items():
        yield (_units_of(rules, key) if is_uniform else ()), literal


def parts_of_units(board: OpenUnits, found: Mapping[tuple[int, str, str], int]) -> Iterator[Part]:
    """A part for each result about a unit, with its literal."""
    for key, literal in found.items():
        yield ((key[0],) if board.is_uniform else ()), literal


def _units_of(rules: UnitRules, key: Key) -> tuple[int, ...]:
    numbers = rules.board.slots.numbers
    about = parts_of(rules.system.grounder.object(key))
    found = (number for one in about for number in _units_in(one, len(numbers)))
    return tuple(dict.fromkeys(found))


def _units_in(one: Any, count: int) -> Iterator[int]:
    """The units that an object is about. An empty province is about the first of the units that
    go there."""
    match one:
        case UnitFacts():
            yield one.index
        case MoveFacts():
            yield one.unit.index
        case SupportFacts():
            yield from (one.unit.index, one.supported.index)
        case ConvoyFacts():
            yield from (one.unit.index, one.army.index)
        case ProvinceFacts():
            yield one.index % count


def numbers_of_parts(parts: Iterable[Part]) -> list[int]:
    """How many units the parts are about; an answer has a part with one of these numbers."""
    return sorted({len(units) for units, _ in parts})


def cast(board: OpenUnits, parts: Iterable[Part], number: int) -> int:
    """Give a part about so many units to the first of them: the literal that says that they have
    one. The others are put in order."""
    board.put_in_order(number)
    first = tuple(range(number))
    return board.gates.any_of(literal for units, literal in parts if units == first)
