"""One phase of a game: its position, the orders submitted for it, and their outcome."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from dipsat.brief import brief
from dipsat.errors import GameError, OrderFaultError, OrderSyntaxError
from dipsat.errors.arguments import checked
from dipsat.frozen import frozen
from dipsat.game.neutrals import refusal_of
from dipsat.game.phase_name import PhaseKind
from dipsat.game.phase_orders import refuse_misplaced
from dipsat.game.poorly_written import read_unclear
from dipsat.game.position import Position
from dipsat.game.typed_orders import checked_order
from dipsat.game.victory import victor
from dipsat.limits import UNLIMITED, Limits, running, unlimited
from dipsat.limits_of_input import ORDERS
from dipsat.orders.order import Order, Unreadable
from dipsat.orders.text_parse import TEXT_FAULTS
from dipsat.orders.writer import write_order
from dipsat.profiles.profile import Profile
from dipsat.proof.adjudicate import adjudicate, decided
from dipsat.proof.outcome import Outcome


@brief()
@dataclass(frozen=True)
class Turn:
    """A phase of a game."""

    position: Position
    """The position before the phase."""
    orders: Mapping[str, tuple[str, ...]]
    """Power -> its orders as submitted."""
    rules: Profile
    """The profile."""

    def __post_init__(self) -> None:  # games share their history
        object.__setattr__(self, "orders", frozen(self.orders))

    @cached_property
    def outcome(self) -> Outcome:
        """The outcome of the orders by dipsat, computed when first read."""
        with unlimited():
            return adjudicate(self.position, self.orders, self.rules)

    @property
    def winner(self) -> str | None:
        """The power that had won before this phase, None if none had."""
        return victor(self.position, self.rules.settings)

    def refuse_if_over(self) -> None:
        """Raise `GameError` if a power has won."""
        winner = self.winner
        if winner is not None:
            count = len(self.position.centers[winner])
            raise GameError(
                f"the game is over: {winner} owns {count} centres; go back with undo(), or play on "
                f"under a profile with the setting 'victory: never'"
            )

    @checked
    def following(self, limits: Limits = UNLIMITED) -> Turn:
        """Return the next phase, without orders. Raises `LimitError` if the limits are not enough
        to judge this one."""
        with running(limits):
            return Turn(judged(self).next, {}, self.rules)

    @checked
    def with_orders(self, given: Mapping[str, object], keep_unreadable: bool = False) -> Turn:
        """Return this phase with the orders of these powers in place of what they had submitted.
        Raises the errors of `Game.submit`."""
        read: dict[str, tuple[str, ...]] = {}
        for typed, orders in given.items():
            listed = _listed(orders)
            ORDERS.check(len(listed))
            name = self.position.map.names.power(str(typed))
            read[name] = (*read.get(name, ()), *self._readable(name, listed, keep_unreadable))
        return Turn(self.position, {**self.orders, **read}, self.rules)

    def _readable(self, power: str, orders: Sequence[str | Order], keep: bool) -> tuple[str, ...]:
        """The orders as texts that can always be read."""
        board, read = self.position.map, self.position.reader.read
        texts = tuple(
            one
            if isinstance(one, str)
            else write_order(checked_order(one, power, self.position), board)
            for one in orders
        )
        try:
            for text in texts:
                self._refuse(read(text), power, text, keep)
        except TEXT_FAULTS:
            is_winter = self.position.phase.kind is PhaseKind.ADJUSTMENT  # a unit may stand alone
            if self.rules.settings.poorly_written == "refused" and not keep and not is_winter:
                raise
            return self._meant(power, texts, keep)
        return texts

    def _refuse(self, order: Order, power: str, text: str, keep: bool) -> None:
        """Raise `OrderFaultError` for an order of another kind of phase, or of a neutral power."""
        refuse_misplaced(order, power, text, self.position.phase)
        refused = None if keep else refusal_of(self.position.map, power, order)
        if refused is not None:
            raise OrderFaultError(power, [text], refused[1])

    def _meant(self, power: str, texts: Sequence[str], keep: bool) -> tuple[str, ...]:
        """Orders, some of them poorly written, as texts in clear form (DATC 4.E.2)."""
        found = []
        for one in read_unclear(self.position, power, texts, self.rules.settings):
            refusal = one.refusal
            if keep and refusal is not None:
                found.append(one.text)
                continue
            if isinstance(one.order, Unreadable):
                raise OrderSyntaxError(one.text, one.order.problem)
            if refusal is not None:
                raise OrderSyntaxError(one.text, refusal[1])
            self._refuse(one.order, power, one.text, keep)
            meant = write_order(one.order, self.position.map)
            found.append(meant if one.reading else one.text)
        return tuple(found)


def judged(turn: Turn) -> Outcome:
    """The outcome of a turn, which keeps it. Raises `LimitError` if the limits are not enough."""
    known: Outcome | None = vars(turn).get("outcome")
    if known is None:
        known = decided(turn.position, turn.orders, turn.rules)
        object.__setattr__(turn, "outcome", known)
    return known


def _listed(orders: object) -> tuple[str | Order, ...]:
    """The orders of a power. Raises `GameError` for anything else."""
    if not isinstance(orders, Iterable) or isinstance(orders, str | Mapping):
        raise GameError("give the orders as a list: submit('FRANCE', ['A PAR - BUR'])")
    found = tuple(orders)
    for one in found:
        if not isinstance(one, str | Order):
            raise GameError(f"{one!r} is not an order; give a text such as 'A PAR - BUR'")
    return found
