"""Provinces, and how their places are written.

A LOCATION is where a unit stands: the province's code (`BUL`), or with a coast `BUL/SC`.
An army's location is always the bare province; a fleet's has a coast where there are several.
"""

from __future__ import annotations

from dataclasses import dataclass

from dipsat.brief import brief


@brief()
@dataclass(frozen=True, slots=True)
class Province:
    """A province of a map."""

    code: str
    """Its code in orders, such as `BUL`."""
    name: str
    """Its full name."""
    kind: str
    """`land` (inland), `coast` or `sea`."""
    coasts: tuple[str, ...] = ()
    """The suffixes of its coasts, such as `EC` and `SC`; empty unless it has several."""
    supply: bool = False
    """Whether it is a supply centre."""
    aliases: tuple[str, ...] = ()
    """Other names that players type."""
    default_coast: str = ""
    """The coast that an order without one means, where the rules allow that (DATC 2.4 4.B)."""
    features: frozenset[str] = frozenset()
    """The features that rules may ask about, such as `ice`."""

    @property
    def locations(self) -> tuple[str, ...]:
        """The locations that a fleet can have here: one, or one for each coast."""
        return tuple(f"{self.code}/{coast}" for coast in self.coasts) or (self.code,)

    @property
    def default_location(self) -> str:
        """The location on the default coast; the first location if the map states no default."""
        return f"{self.code}/{self.default_coast}" if self.default_coast else self.locations[0]


def province_of(location: str) -> str:
    """The province of a location: `BUL/SC` -> `BUL`."""
    return location.partition("/")[0] if "/" in location else location


def coast_of(location: str) -> str:
    """The coast of a location, or an empty text: `BUL/SC` -> `SC`."""
    return location.partition("/")[2]
