"""What rules add to the notation of orders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from dipsat.orders.attributes import Attributes
from dipsat.orders.forms import OrderKind


@dataclass(frozen=True, slots=True)
class Words:
    """The attributes that units have under the rules, and the kinds of orders they declare."""

    attributes: Attributes = ()
    kinds: tuple[OrderKind, ...] = ()

    @property
    def words(self) -> Words:
        """Itself: words will do where rules are asked for their words."""
        return self

    @property
    def extra_seasons(self) -> frozenset[str]:
        """The seasons with a phase for orders that the rules declare."""
        return frozenset(kind.season for kind in self.kinds if kind.season)


class WithWords(Protocol):
    """Rules, such as a profile, as far as they add to the notation."""

    @property
    def words(self) -> Words:
        """What they add."""


NO_WORDS = Words()
"""Of rules that add nothing."""
