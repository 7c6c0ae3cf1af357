"""Texts of boards and orders, read quickly where files are as programs write them: most texts of a
game were read before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dipsat.board.map import Map
from dipsat.errors import DipsatError
from dipsat.game.phase_name import PhaseKind, PhaseName
from dipsat.game.phase_orders import ORDERS_OF
from dipsat.game.position import unit_reader
from dipsat.game.unit import Unit
from dipsat.kept import kept_on_first
from dipsat.limits_of_input import ORDERS, UNITS
from dipsat.orders.reader import reader_for
from dipsat.orders.text_parse import TEXT_FAULTS
from dipsat.orders.words import Words

_MOST = 20_000  # texts to remember of each power's units, and of the orders of each kind of phase
_UNUSUAL = (KeyError, TypeError, AttributeError)  # an unknown text, or not the usual structure


class TextsSeen:
    """What texts mean on one map under the words of rules.

    Each method takes a value as it is in a file, and returns None unless it has the form that
    programs write: lists of texts by the power's own name, nothing twice. The caller then reads it
    with care, and reports faults.
    """

    def __init__(self, board: Map, words: Words) -> None:
        self._powers = board.powers
        self._supply = frozenset(code for code, one in board.provinces.items() if one.supply)
        self._rank = {code: at for at, code in enumerate(sorted(board.provinces))}
        self._vacant: list[Unit | None] = [None] * len(self._rank)
        self._read_order = reader_for(board, words).read
        self._takes: dict[PhaseKind, set[str]] = {kind: set() for kind in PhaseKind}
        self._read_unit = unit_reader(board, words)
        self._units: dict[str, dict[str, tuple[int, Unit]]] = {power: {} for power in board.powers}
        self._phases: dict[str, PhaseName] = {}

    def units(self, value: Any) -> tuple[Unit, ...] | None:
        """The units of lists by power, sorted by province."""
        places = self._vacant.copy()
        count = 0
        try:
            for power, texts in value.items():
                if type(texts) is not list:
                    return None
                known = self._units[power]
                count += len(texts)
                for text in texts:  # a few: quicker one by one than all at once
                    try:
                        rank, unit = known[text]
                    except KeyError:
                        rank, unit = self._new_unit(power, text)
                    places[rank] = unit
        except _UNUSUAL:
            return None
        found = tuple(filter(None, places))  # quicker than sorting
        return found if len(found) == count <= UNITS.most else None

    def _new_unit(self, power: str, text: Any) -> tuple[int, Unit]:
        """The number of the province and the unit that a text names. Raises `KeyError` for a fault,
        and for a mark before the unit."""
        if type(text) is not str or text.startswith("*"):
            raise KeyError(text)
        try:
            unit = self._read_unit(power, text)
        except DipsatError:
            raise KeyError(text) from None
        known, found = self._units[power], (self._rank[unit.province], unit)
        if len(known) >= _MOST:
            known.clear()
        known[text] = found
        return found

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
        known, count = self._takes[kind].issuperset, 0
        try:
            for power, texts in value.items():
                if texts is None:
                    continue
                if type(texts) is not list or not (known(texts) or self._are_orders(texts, kind)):
                    return None
                found[power] = tuple(texts)
                count += len(texts)
        except _UNUSUAL:
            return None
        return found if found.keys() <= self._powers.keys() and count <= ORDERS.most else None

    def _are_orders(self, texts: list[Any], kind: PhaseKind) -> bool:
        return all(type(text) is str and self.is_order(text, kind) for text in texts)

    def is_order(self, text: str, kind: PhaseKind) -> bool:
        """Whether a text is an order that phases of a kind take."""
        known = self._takes[kind]
        if text in known:
            return True
        try:
            order = self._read_order(text)
        except TEXT_FAULTS:
            return False
        if type(order) not in ORDERS_OF[kind]:
            return False
        if len(known) >= _MOST:
            known.clear()
        known.add(text)
        return True


@kept_on_first(16)
def texts_seen(board: Map, words: Words) -> TextsSeen:
    """The texts seen on a map under these words."""
    return TextsSeen(board, words)
