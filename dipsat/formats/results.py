"""The results of a phase, made for sending to the players of a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dipsat.base import (
    Column,
    Part,
    Shown,
    Styled,
    Table,
    Words,
    brief,
    checked,
    grouped,
    plain_text,
    titled,
)
from dipsat.formats.open_tasks import tasks_of
from dipsat.formats.players import name_in
from dipsat.formats.turn import Turn
from dipsat.game import adjustment_lines, center_lines
from dipsat.outcomes import OrderOutcome, Outcome, lines_of_fights, result_of


@brief()
@dataclass(frozen=True)
class Results(Shown):
    """The results of a phase of a game: the orders of every power, and what comes next. `str` is
    the text for a mail."""

    name: str
    """The name of the game."""
    turn: Turn
    """The phase that was played."""
    following: Turn
    """The phase after it."""
    players: Mapping[str, str]
    """Power -> its player, as in `Game.players`."""

    @property
    def outcome(self) -> Outcome:
        """What happened."""
        return self.turn.outcome

    @property
    def title(self) -> str:
        """The game and the phase: `our game: Spring 1901 Movement`."""
        phase = self.turn.position.phase.title(self.turn.position.words)
        phase += " (corrected)" * bool(self.turn.corrected)
        return f"{self.name}: {phase}" if self.name else phase

    @property
    def summary(self) -> tuple[str, ...]:
        """Which units are dislodged, where standoffs were, and which centres changed hands, in
        sentences."""
        before, after = self.turn.position, self.following.position
        taken = () if after.unknown_centers else center_lines(before, after)
        return (*lines_of_fights(self.outcome), *taken)

    @property
    def next_title(self) -> str:
        """The next phase, and when its orders are due."""
        if self.following.winner is not None:
            return f"{titled(self.following.winner)} has won."
        phase = self.following.position.phase.title(self.following.position.words)
        due = self.following.deadline
        return f"Next: {phase}." + (f" Deadline: {due}." if due else "")

    @property
    def tasks(self) -> tuple[str, ...]:
        """The units and centres of every power for the next phase, where units may retreat, and who
        builds or disbands, in lines of at most 80 columns."""
        position = self.following.position
        _, *board = str(position).split("\n")
        return (*board, *adjustment_lines(position, self.following.rules.settings))

    @property
    def by_power(self) -> Mapping[str, list[OrderOutcome]]:
        """Power -> the results of its orders, for all that had something to order."""
        turn, given = self.turn, grouped((order.power, order) for order in self.outcome.orders)
        waiting = tasks_of(turn.position, turn.orders, turn.rules)
        return {power: given.get(power, []) for power in sorted({*given, *waiting})}

    @checked
    def heading(self, power: str) -> str:
        """A power with its player, and a note if it has sent nothing."""
        player = name_in(self.players.get(power, ""))
        sent = "" if self.turn.orders.get(power) else ": no orders"
        return f"{titled(power)}{f' ({player})' if player else ''}{sent}"

    def _parts(self) -> Iterator[Part]:
        yield Styled(self.title, "bold")
        yield ""
        if self.turn.corrected:
            yield from ("Corrected:", *(f"  {one}" for one in self.turn.corrected), "")
        rows = {power: list(map(_row, orders)) for power, orders in self.by_power.items()}
        every = [row for own in rows.values() for row in own]
        widths = (max((len(plain_text(row[at])) for row in every), default=1) for at in (0, 1))
        columns = tuple(Column(width=width) for width in widths)
        for power, own in rows.items():
            yield Styled(self.heading(power), "bold")
            yield Table(tuple(own), columns, indent=2)
        if self.summary:
            yield ""
            yield from self.summary
        yield ""
        yield Styled(self.next_title, "bold")
        yield from self.tasks


def _row(order: OrderOutcome) -> tuple[Words, ...]:
    """An order, its result, and why if there is something to say."""
    why = why_of(order)
    return order.order, result_of(order.verdict, order.fate), *([why] if why else [])


def why_of(order: OrderOutcome) -> str:
    """Why an order came out as it did; "" if it fully succeeded. How it was read is left out, since
    the other players should not know."""
    return "" if order.reason.code == "ok" else order.reason.text
