"""The units, centres and other lists of the powers in a phase, as in the package `diplomacy`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Any, NamedTuple, TypeAlias

from dipsat.board import province_of
from dipsat.compat.package_map import ENDS, Map
from dipsat.formats import short_name
from dipsat.game import (
    DislodgedUnit,
    PhaseKind,
    PhaseName,
    Position,
    add_unit,
    adjustments,
    build_sites,
    by_location,
    by_power,
    unit_reader,
)
from dipsat.orders import Unit
from dipsat.outcomes import MovementOutcome, Outcome
from dipsat.rules import Profile


class Holding(NamedTuple):
    """The lists of a power: attributes of `Power`, which returns copies of them."""

    units: Sequence[str]
    centers: Sequence[str]
    homes: Sequence[str]
    influence: Sequence[str]
    retreats: Mapping[str, Sequence[str]]

    @property
    def standing(self) -> list[str]:
        """The units; dislodged ones come last, after a star."""
        return [*self.units, *[f"*{unit}" for unit in self.retreats]]


Holdings: TypeAlias = Mapping[str, Holding]
"""Power -> its lists."""
Given: TypeAlias = Mapping[str, tuple[Mapping[str, str], Sequence[str], int]]
"""Power -> its `orders`, `adjust` and `civil_disorder` in a phase, which are attributes of `Power`
until the next phase."""


class Board:
    """The position in a phase and the lists of each power. One is computed from the other when it
    is first read. A board never changes."""

    def __init__(self, of: Map, profile: Profile, phase: str, holdings: Holdings) -> None:
        self.map = of
        self.phase = phase
        self.powers = [*holdings]
        self._profile = profile
        self._holdings = holdings
        # The origin of the board, until somebody reads the lists of the powers.
        self._came: tuple[Board, Outcome, Given] | None = None

    def after(self, outcome: Outcome, given: Given) -> Board:
        """The board after a phase with these orders."""
        position = outcome.next
        found = Board(self.map, self._profile, short_name(str(position.phase)), {})
        found.powers, found._came = self.powers, (self, outcome, given)
        found.position = _allowed(position) if position.dislodged else position
        return found

    def __deepcopy__(self, memo: dict[int, Any]) -> Board:
        return self

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_holdings": self.holdings, "_came": None}

    @property
    def holdings(self) -> Holdings:
        """The lists of each power."""
        later, board = list[tuple[Board, tuple[Board, Outcome, Given]]](), self
        while (came := board._came) is not None:  # another thread may set it to None
            later.append((board, came))
            board = came[0]
        for one, came in reversed(later):
            one._holdings, one._came = _held_after(*came), None
        return self._holdings

    @cached_property
    def position(self) -> Position:
        """The board as a position of dipsat. Raises `PositionError` for impossible units."""
        board, words, held = self.map.board, self._profile.words, self.holdings
        read = unit_reader(board, words)
        placed = dict[str, Unit]()
        for power, own in held.items():
            for text in own.units:
                add_unit(placed, read(power, text), text)
        lost = [
            DislodgedUnit(read(power, text), tuple(sorted(places)))
            for power, own in held.items()
            for text, places in own.retreats.items()
        ]
        centers = {power: tuple(sorted(own.centers)) for power, own in held.items() if own.centers}
        phase = PhaseName.parse(board.first_phase if self.phase in ENDS else self.phase)
        found = Position(
            board, by_location(placed.values()), phase, dict(sorted(centers.items())),
            tuple(sorted(lost, key=lambda one: one.unit.location)), words,
        )  # fmt: skip
        return _allowed(found) if lost else found

    def state(self, time: int, note: str, disorder: Mapping[str, int]) -> dict[str, Any]:
        """The board as plain values; `disorder` is the civil disorder of each power."""
        held = self.holdings.items()
        return {
            "timestamp": time,
            "zobrist_hash": str(self.number),
            "note": note,
            "name": self.phase,
            "phase": self.phase,  # as in a copy of the package that language models play
            "units": {power: own.standing for power, own in held},
            "retreats": {
                power: {unit: [*to] for unit, to in own.retreats.items()} for power, own in held
            },
            "centers": {power: [*own.centers] for power, own in held},
            "homes": {power: [*own.homes] for power, own in held},
            "influence": {power: [*own.influence] for power, own in held},
            "civil_disorder": {**disorder},
            "builds": {power: self._builds(power) for power, _ in held},
        }

    def _builds(self, power: str) -> dict[str, Any]:
        if self.phase in ENDS or self.phase[-1] != "A":
            return {"count": 0, "homes": []}
        position, settings = self.position, self._profile.settings
        count = adjustments(position, power, settings)
        return {
            "count": count,
            "homes": [*build_sites(position, power, settings)] if count > 0 else [],
        }

    @property
    def number(self) -> int:
        """A number that depends only on the board, the same in every process."""
        found = _number_of(f"{self.map.name} {self.phase}")
        for power, own in self.holdings.items():  # sums, since units may be listed in any order
            held = _number_of(power) + sum(map(_number_of, own.units))
            held += 7 * sum(map(_number_of, own.centers)) + 11 * sum(map(_number_of, own.retreats))
            found = 31 * found + held
        return found & ((1 << 63) - 1)


def _allowed(position: Position) -> Position:
    """A position without retreats to occupied provinces. The package lists them but does not allow
    them."""
    taken = position.by_province
    lost = (
        replace(one, retreats=tuple(to for to in one.retreats if province_of(to) not in taken))
        for one in position.dislodged
    )
    return replace(position, dislodged=tuple(lost))


def _held_after(before: Board, outcome: Outcome, given: Given) -> Holdings:
    """The lists of each power after a phase. The units that stay keep their place in the lists."""
    was, after, held = outcome.position, outcome.next, before.holdings
    ends = outcome.ends if isinstance(outcome, MovementOutcome) else None
    left = {} if ends is not None else by_power(after.units)
    placed = {
        power: _moved(own.units, ends)
        if ends is not None
        else _adjusted(own.units, given[power][1], left.get(power, ()))
        for power, own in held.items()
    }
    count = sum(len(stayed) + len(arrived) for stayed, arrived in placed.values())
    if count != len(after.units):  # the rules built or removed some
        _take_others(placed, by_power(after.units))
    lost = {str(one.unit): [*one.retreats] for one in after.dislodged}
    influence = {power: [*own.influence] for power, own in held.items()}
    holders = {place: power for power, places in influence.items() for place in places}
    found = dict[str, Holding]()
    for power, (stayed, arrived) in placed.items():
        for unit in arrived if was.phase.kind is not PhaseKind.ADJUSTMENT else ():
            place = province_of(unit[2:])
            if place in holders:
                influence[holders[place]].remove(place)
            influence[power].append(place)
            holders[place] = power
        own, owned = held[power], after.centers.get(power, ())
        centers = own.centers
        if after.centers != was.centers:
            kept = [center for center in centers if center in owned]
            centers = [*kept, *[one for one in owned if one not in kept]]
        retreats = {unit: lost[unit] for unit in own.units if unit in lost} if lost else {}
        found[power] = Holding([*stayed, *arrived], centers, own.homes, influence[power], retreats)
    return found


_Placed: TypeAlias = tuple[list[str], list[str]]
"""The units of a power that stay, and the others, in the order of its lists or orders."""


def _moved(units: Iterable[str], ends: Mapping[str, str | None]) -> _Placed:
    """The units of a power after moves; `ends` says where each ends."""
    stayed, arrived = list[str](), list[str]()
    for unit in units:
        end = ends.get(unit)
        if end == unit[2:]:
            stayed.append(unit)
        elif end is not None:
            arrived.append(unit[:2] + end)
    return stayed, arrived


def _adjusted(units: Iterable[str], adjust: Iterable[str], left: Collection[str]) -> _Placed:
    """The same after retreats or builds, from `adjust`. `left` are all units of the power."""
    orders = [order.removesuffix(" B").split() for order in adjust]
    listed = [f"{words[0]} {words[-1]}" for words in orders]
    return [unit for unit in units if unit in left], [unit for unit in listed if unit in left]


def _take_others(placed: Mapping[str, _Placed], left: Mapping[str, list[str]]) -> None:
    """Add the units that no list has, and remove those that are no longer there."""
    for name, both in placed.items():
        own = left.get(name, [])
        for listed in both:
            listed[:] = [unit for unit in listed if unit in own]
        both[1].extend(unit for unit in own if unit not in both[0] and unit not in both[1])


@lru_cache(maxsize=2_000)
def _number_of(text: str) -> int:
    """A 64-bit number, the same in every process."""
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big")
