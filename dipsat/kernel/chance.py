"""Orders at random, as `dipsat/kernel/runtime/play.h` chooses them, by dipsat's Python.

What is drawn depends on the seed, the number of the game, the number of the phase in it, and what
it is drawn for, and on nothing else: not on threads, nor on what was drawn before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from dipsat.board.province import province_of
from dipsat.game.legal_orders import legal_orders
from dipsat.game.next_phase import adjustments, build_sites
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import Position
from dipsat.kernel.numbers import MapNumbers
from dipsat.orders.order import Move, Order
from dipsat.profiles.settings import Settings

_MASK = 2**64 - 1
_T = TypeVar("_T")


def mixed(z: int) -> int:
    """splitmix64: a number of 64 bits from another, as if at random."""
    z = (z + 0x9E3779B97F4A7C15) & _MASK
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & _MASK
    return z ^ (z >> 31)


def drawn(key: int, subject: int, count: int) -> int:
    """One of `count` numbers from 0 for a subject."""
    return (mixed(key ^ subject) >> 32) * count >> 32


def key_of(seed: int, game: int, phase: int) -> int:
    """The key of all that is drawn in a phase of a game."""
    return mixed(mixed(mixed(seed & _MASK) ^ game) ^ phase)


def random_orders(
    position: Position, settings: Settings, numbers: MapNumbers, key: int
) -> dict[str, list[Order]]:
    """A legal order for every unit that needs one, each as likely as every other that has a code;
    in an adjustment phase, as many builds or disbands as are due. By power."""
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        return _winter_orders(position, settings, numbers, key)
    is_retreat = position.phase.kind is PhaseKind.RETREAT
    units = [one.unit for one in position.dislodged] if is_retreat else list(position.units)
    legal = legal_orders(position, settings)
    found: dict[str, list[Order]] = {}
    for unit in units:
        listed = [one for one in legal[str(unit)] if not (isinstance(one, Move) and one.path)]
        if listed:
            which = drawn(key, numbers.number_of[unit.province], len(listed))
            order = listed[which - is_retreat]  # 0 is a disband, which is listed last
            found.setdefault(unit.power, []).append(order)
    return found


def _winter_orders(
    position: Position, settings: Settings, numbers: MapNumbers, key: int
) -> dict[str, list[Order]]:
    legal = legal_orders(position, settings)
    found: dict[str, list[Order]] = {}
    for at, power in enumerate(numbers.powers):
        due = adjustments(position, power, settings)
        if due > 0:
            subjects = list(build_sites(position, power, settings))
        else:
            subjects = [str(unit) for unit in position.units if unit.power == power and due]
        subjects.sort(key=lambda one: numbers.number_of[_place(one)])
        for subject in _chosen(subjects, abs(due), at, key):
            listed = legal[subject]
            which = drawn(key, numbers.number_of[_place(subject)], len(listed)) if due > 0 else 0
            found.setdefault(power, []).append(listed[which])
    return found


def _chosen(listed: Sequence[_T], wanted: int, power: int, key: int) -> list[_T]:
    left = list(listed)
    for at in range(wanted):
        other = at + drawn(key, (power + 1) << 16 | at, len(left) - at)
        left[at], left[other] = left[other], left[at]
    return left[:wanted]


def _place(subject: str) -> str:
    """The province of a unit or a province as text."""
    return province_of(subject.rpartition(" ")[2])
