"""Texts of boards and orders that were read before: most of a game's, which need no care again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dipsat.board.map import Map
from dipsat.game.phase_name import PhaseKind, PhaseName
from dipsat.game.phase_orders import ORDERS_OF
from dipsat.game.unit import Unit
from dipsat.kept import kept_on_first
from dipsat.limits_of_input import ORDERS, UNITS
from dipsat.orders.reader import orders_read, reader_for
from dipsat.orders.words import Words

_MOST = 20_000  # texts of a power that are remembered; the biggest map has a few hundred
_UNUSUAL = (KeyError, TypeError, AttributeError)  # an unknown text, or not the usual structure


class TextsSeen:
    """What texts mean on one map under the words of rules.

    Each method takes a value as a file has it, and answers None or False unless it is as files of
    programs usually are: texts that were read before, lists by the power's own name, nothing twice.
    What is unusual, or a fault, the caller then reads with care.
    """

    def __init__(self, board: Map, words: Words) -> None:
        self._powers = board.powers
        self._supply = frozenset(code for code, one in board.provinces.items() if one.supply)
        self._orders = orders_read(reader_for(board, words))
        self._units: dict[str, dict[str, tuple[str, Unit]]] = {}
        self._phases: dict[str, PhaseName] = {}

    def add_unit(self, power: str, text: str, unit: Unit) -> None:
        """Remember the unit that a text names under a power."""
        known = self._units.setdefault(power, {}) if power in self._powers else {}
        if len(known) >= _MOST:
            known.clear()
        known[text] = unit.province, unit

    def units(self, value: Any) -> dict[str, Unit] | None:
        """Province -> unit, from lists of units by power."""
        pairs: list[tuple[str, Unit]] = []
        try:
            for power, texts in value.items():
                if type(texts) is not list:
                    return None
                pairs.extend(map(self._units[power].__getitem__, texts))
        except _UNUSUAL:
            return None
        found = dict(pairs)
        return found if len(found) == len(pairs) <= UNITS.most else None

    def phase(self, name: Any) -> PhaseName | None:
        """The phase with a name."""
        return self._phases.get(name) if type(name) is str else None

    def add_phase(self, name: str, phase: PhaseName) -> None:
        """Remember the phase with a name."""
        if len(self._phases) < _MOST:
            self._phases[name] = phase

    def centers(self, value: Any) -> Mapping[str, tuple[str, ...]] | None:
        """Power -> its centres, both sorted, from lists of centres by power."""
        found: dict[str, tuple[str, ...]] = {}
        try:
            for power, texts in sorted(value.items()):
                if type(texts) is not list or not self._supply.issuperset(texts):
                    return None
                if texts:
                    found[power] = tuple(sorted(texts))
        except _UNUSUAL:
            return None
        owned = set[str]().union(*found.values())
        is_usual = found.keys() <= self._powers.keys()
        return found if is_usual and len(owned) == sum(map(len, found.values())) else None

    def orders(self, value: Any, kind: PhaseKind) -> dict[str, tuple[str, ...]] | None:
        """Power -> its orders, which phases of a kind take, from lists of orders by power."""
        found: dict[str, tuple[str, ...]] = {}
        takes, known, count = ORDERS_OF[kind], self._orders.__getitem__, 0
        try:
            for power, texts in value.items():
                if texts is None:
                    continue
                if type(texts) is not list or not takes.issuperset(map(type, map(known, texts))):
                    return None
                found[power] = tuple(texts)
                count += len(texts)
        except _UNUSUAL:
            return None
        return found if found.keys() <= self._powers.keys() and count <= ORDERS.most else None

    def is_order(self, text: str, kind: PhaseKind) -> bool:
        """Whether a text is such an order."""
        return type(self._orders.get(text)) in ORDERS_OF[kind]


@kept_on_first(16)
def texts_seen(board: Map, words: Words) -> TextsSeen:
    """The texts seen on a map under these words."""
    return TextsSeen(board, words)
