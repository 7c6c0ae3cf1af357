"""How an order of any phase names a unit (DATC 4.B.5, 4.B.6, 4.C)."""

from __future__ import annotations

from typing import TypeAlias

from dipsat.board.map import Map
from dipsat.board.province import coast_of
from dipsat.game.impossible_orders import BAD_ATTRIBUTE
from dipsat.game.position import Unit
from dipsat.game.settings import Settings
from dipsat.orders.attributes import contradiction
from dipsat.orders.order import UnitName

Note: TypeAlias = tuple[str, str] | None
"""What was settled in an order: code and reason."""

_BADLY = "the unit is not named properly"


class IllegalError(Exception):
    """Stops the reading of an order, which becomes an illegal ruling."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(code, reason)
        self.code = code
        self.reason = reason


NAMED_BETTER = ("named_better", "another order names the unit properly")
"""The code and reason of an order that gives way to a better named one (4.C.1 c, 4.C.2 c)."""


def settle_name(board: Map, settings: Settings, named: UnitName, unit: Unit) -> Note:
    """Settle how an order names a unit; the code of the note is the setting that allows it.

    Raises `IllegalError` if the settings do not allow it (4.B.5, 4.B.6, 4.C.1, 4.C.2), or if the
    name gets the unit's attributes wrong.
    """
    if (
        named.location == unit.location
        and named.kind is unit.kind
        and named.attributes == unit.attributes
    ):
        return None
    wrong = contradiction(named.attributes, unit.attributes)
    if wrong:
        raise IllegalError(BAD_ATTRIBUTE, f"{_BADLY}; {wrong}")
    noted = _settle_coast(board, settings, named.location, unit)
    if named.kind is unit.kind:
        return noted
    setting = "kind_missing" if named.kind is None else "kind_wrong"
    return settle_naming(settings, setting, f"read as {unit}")


def _settle_coast(board: Map, settings: Settings, location: str, unit: Unit) -> Note:
    """Settle the location in a unit's name (4.B.5, 4.B.6)."""
    coast = coast_of(location)
    if location == unit.location or not coast:
        return None
    if unit.kind.has_coasts and location in board.provinces[unit.province].locations:
        if settings.unit_coast_wrong == "illegal":
            where = f"the {unit.kind.word} stands on {unit.location}"
            raise IllegalError("unit_coast_wrong", where)
        return "unit_coast_wrong", f"read as {unit}"
    refuse_irrelevant(coast, settings)
    return "coast_irrelevant", f"read as {unit}"


def settle_naming(settings: Settings, setting: str, reason: str) -> tuple[str, str]:
    """Settle the name of a badly named unit as `setting` says (4.C).

    Raises `IllegalError` if it says that the order is illegal.
    """
    if getattr(settings, setting) == "illegal":
        raise IllegalError(setting, f"{_BADLY}; {reason}")
    return setting, reason


def refuse_irrelevant(coast: str, settings: Settings) -> None:
    """4.B.6: raise `IllegalError` for a coast that does not exist or does not matter, unless the
    settings ignore such coasts."""
    if settings.coast_irrelevant == "illegal":
        raise IllegalError("coast_irrelevant", f"the coast {coast.lower()} has no meaning")


def gives_way(settings: Settings, naming: tuple[str, ...]) -> bool:
    """Whether an order that needed the settings `naming` is valid only if no other order names the
    units properly."""
    return any(getattr(settings, name) == "unless named" for name in naming)
