"""Powers of a game as in the package `diplomacy`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dipsat.board import Map, province_of
from dipsat.compat.missing_names import missing
from dipsat.compat.package_board import Board, Holding
from dipsat.game import Position, read_submissions
from dipsat.orders import SupportMove
from dipsat.outcomes import adjudicate
from dipsat.rules import Profile

_STATED: dict[str, Any] = {
    "abbrev": None, "adjust": [], "centers": [], "civil_disorder": 0, "controller": {},
    "homes": [], "influence": [], "name": "", "order_is_set": 0, "orders": {}, "retreats": {},
    "role": "server_type", "tokens": [], "units": [], "vote": "neutral", "wait": True,
}  # fmt: skip
"""The keys of `to_dict`, with their initial values."""
WAIVE, VOID = "WAIVE", "VOID "
"""A waived build, and the prefix of an impossible order."""


class Power:
    """A power with its units, centres and orders. A program may change the lists: those of its
    `Board` are copied when they are first read, and from then on the copies count.

    `orders` maps units to their orders in a movement phase. `adjust` lists the orders of other
    phases, with VOID before impossible ones. `retreats` maps dislodged units to where they may go.
    `influence` lists the provinces where the power was the last to have a unit.
    """

    game: Any
    name: str
    units: list[str]
    centers: list[str]
    homes: list[str]
    influence: list[str]
    retreats: dict[str, list[str]]
    orders: dict[str, str]
    adjust: list[str]
    civil_disorder: int
    wait: bool

    def __init__(self, game: Any = None, name: str = "", **given: Any) -> None:
        self.game = game
        self._board: Board | None = None
        for key, value in {**_STATED, "abbrev": name[:1], **given, "name": name}.items():
            setattr(self, key, _copied(value))

    def __repr__(self) -> str:
        return f"Power({self.name!r}, units={self.units}, centers={self.centers})"

    def __getattr__(self, name: str) -> Any:
        if name not in Holding._fields or self._board is None:
            raise missing("Power", name)
        found = _copied(getattr(self._board.holdings[self.name], name))
        return vars(self).setdefault(name, found)  # another thread may have read it

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *Holding._fields]

    def holding(self) -> Holding:
        """Return its lists."""
        own, held = vars(self), None if self._board is None else self._board.holdings[self.name]
        return Holding(
            *(_copied(own[n]) if n in own else getattr(held, n) for n in Holding._fields)
        )

    def stand_on(self, board: Board) -> None:
        """Take its lists from a board from now on."""
        self._board = board
        for name in Holding._fields:
            vars(self).pop(name, None)

    def stands_on(self, board: Board) -> bool:
        """Return whether its lists are those of a board, because no program has read them."""
        return self._board is board and vars(self).keys().isdisjoint(Holding._fields)

    def copy(self, game: object) -> Power:
        """Return a copy of the power for another game."""
        found = Power.__new__(Power)
        for key, value in vars(self).items():
            vars(found)[key] = value if key == "game" else _copied(value)
        found.game = game
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {key: _copied(getattr(self, key)) for key in _STATED}

    def is_eliminated(self) -> bool:
        """Return whether it has neither units nor centres."""
        return not (self.units or self.centers or self.retreats)

    def is_dummy(self) -> bool:
        """Return whether nobody plays it over a network, which is true here."""
        return True

    def is_controlled(self) -> bool:
        """Return whether somebody plays it over a network, which is false here."""
        return False

    def does_not_wait(self) -> bool:
        """Return whether its orders are complete."""
        return bool(self.order_is_set) and not self.wait

    def moves_submitted(self) -> list[str]:
        """Return its orders."""
        return [f"{unit} {order}" for unit, order in self.orders.items()]

    def standing(self) -> list[str]:
        """Return its units; dislodged ones come last, after a star."""
        return self.holding().standing

    def clear_units(self) -> None:
        """Remove its units."""
        self.units, self.retreats, self.influence = [], {}, []

    def clear_centers(self) -> None:
        """Remove all its centres."""
        self.centers = []

    def clear_orders(self) -> None:
        """Remove its orders."""
        self.orders, self.adjust, self.order_is_set = {}, [], 0


def _copied(value: Any) -> Any:
    """Copy a value, including the lists in it."""
    if isinstance(value, dict):
        return {key: _copied(one) for key, one in value.items()}
    return list(value) if isinstance(value, (list, set)) else value


def listed_moves(power: Power) -> list[str]:
    """The orders of a power in a movement phase."""
    return [
        order if unit[:6] == "ORDER " else f"{unit} {order}" for unit, order in power.orders.items()
    ]


def listed_adjustments(power: Power) -> list[str]:
    """The possible orders of a power in a retreat or adjustment phase."""
    return [one for one in power.adjust if one != WAIVE and not one.startswith(VOID)]


def listed_texts(given: str | Iterable[str]) -> list[str]:
    """The texts as a list, even if only a single one is given."""
    return [given] if isinstance(given, str) else list(given)


def read_adjustment(
    position: Position, profile: Profile, power: str, text: str
) -> tuple[str, str, str]:
    """An order of another phase than movement, its province, and the reason if it is impossible."""
    outcome = adjudicate(position, {power: [text]}, profile, lenient=True)
    found, *others = [one for one in outcome.orders if one.submitted is not None]
    read = read_submissions(position, {power: [text]}, profile.settings, lenient=True)[0].order
    kind, reason = getattr(getattr(read, "unit", None), "kind", None), ""
    if found.verdict in ("illegal", "invalid"):
        reason = found.reason.text
    elif others:
        reason = "these are several orders"
    elif kind not in (None, found.unit[:1]):
        reason = f"the unit is {found.unit}"
    return found.order, found.unit and province_of(found.unit[2:]), reason


def supported_place(board: Map, unit: str, order: SupportMove, typed: str) -> str:
    """The target in a support, with the typed coast. As in the package, the coast is left out if a
    fleet supports a fleet that can reach several coasts."""
    province = province_of(typed)
    near = board.fleet.get(order.supported.location, ())
    reached = [place for place in near if province_of(place) == province]
    return province if unit[0] == "F" and len(reached) > 1 else typed


def take_unchecked(power: Power, texts: Iterable[str], replaces: bool) -> None:
    """Keep orders as typed. With `replaces`, they replace those with the same first two words."""
    kept = [*power.orders.values()]
    for text in texts:
        if replaces:
            kept = [one for one in kept if one.split()[:2] != text.split()[:2]]
        kept.append(text)
    power.orders = {f"ORDER {number}": one for number, one in enumerate(kept, 1)}
