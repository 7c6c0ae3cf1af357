"""The progress of a phase: who has sent orders, and what is still to be done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dipsat.base import Column, Part, Plain, Shown, Table, brief, counted, titled
from dipsat.formats.game import Game
from dipsat.formats.open_tasks import Task, tasks_of
from dipsat.formats.order_rulings import rulings_by_text
from dipsat.formats.players import name_in
from dipsat.game import adjustment_lines, retreat_lines


@brief()
@dataclass(frozen=True, slots=True)
class PowerStatus(Plain):
    """What a power has sent for the current phase, and what is missing."""

    power: str
    player: str
    orders: tuple[str, ...]
    illegal: tuple[str, ...]
    """Those of its orders that cannot be carried out, and why."""
    legal: int
    """How many can be carried out; an order that waives several builds counts for each."""
    task: Task

    @property
    def count(self) -> str:
        """How many of the orders that are due have been sent: `2 of 3`."""
        due = abs(self.task.due) or len(self.task.units)
        return f"{due - self._missing} of {due}" if due else str(len(self.orders))

    @property
    def to_do(self) -> str:
        """The units without an order, or how many builds or disbands are missing."""
        if self.task.due and self._missing:
            return counted(self._missing, "build" if self.task.due > 0 else "disband")
        return ", ".join(self.task.unordered)

    @property
    def _missing(self) -> int:
        if self.task.due:
            return max(0, abs(self.task.due) - self.legal)
        return len(self.task.unordered)


@brief()
@dataclass(frozen=True, slots=True)
class GameStatus(Shown, Plain):
    """The current phase of a game at a glance."""

    title: str
    deadline: str
    winner: str | None
    powers: tuple[PowerStatus, ...]
    """Those that have something to do, or have sent something."""
    missing: tuple[str, ...]
    """The powers that the phase waits for."""
    notes: tuple[str, ...]
    """Where units may retreat, who builds where, and whose orders are kept for later phases, in
    sentences."""

    def _parts(self) -> Iterable[Part]:
        yield f"{self.title}." + (f" Deadline: {self.deadline}." if self.deadline else "")
        if self.winner is not None:
            yield f"{titled(self.winner)} has won."
            return
        rows = tuple(
            (titled(one.power), name_in(one.player) or one.player, one.count, one.to_do)
            for one in self.powers
        )
        yield Table(rows, tuple(map(Column, ("Power", "Player", "Orders", "To do"))))
        for one in self.powers:
            yield from (f"ILLEGAL: {titled(one.power)}: {text}." for text in one.illegal)
        yield from self.notes
        yield waiting_for(self.missing)


def lines_of_status(game: Game) -> tuple[str, ...]:
    """What is missing from powers that have sent orders, and whose orders the phase waits for, in
    sentences. Raises what `status_of` raises."""
    status = status_of(game)
    waiting = "; ".join(
        f"{titled(one.power)} {one.to_do}" for one in status.powers if one.orders and one.to_do
    )
    lines = (f"Without an order: {waiting}.",) if waiting else ()
    return (*lines, waiting_for(status.missing))


def waiting_for(missing: Iterable[str]) -> str:
    """Whose orders a phase waits for, in a sentence."""
    names = ", ".join(map(titled, missing))
    return f"Waiting for {names}." if names else "No orders are missing."


def status_of(game: Game) -> GameStatus:
    """The status of a game. Raises `PositionError` in a winter in which owners are unknown."""
    position, orders = game.position, game.orders
    tasks = {} if game.is_over else tasks_of(position, orders, game.profile)
    rulings = rulings_by_text(position, orders, game.profile)
    powers = []
    for power in position.map.powers:
        own = orders.get(power, ())
        every = (one for text in {*own} for one in rulings[power, text])
        legal = sum(is_legal for _, is_legal, _ in every)
        judged = ((text, *rulings[power, text].pop(0)[1:]) for text in own)
        illegal = tuple(f"{text}: {why}" for text, is_legal, why in judged if not is_legal)
        if own or power in tasks:
            player, task = game.players.get(power, ""), tasks.get(power, Task())
            powers.append(PowerStatus(power, player, own, illegal, legal, task))
    missing = tuple(power for power, task in tasks.items() if task.is_missing)
    title = f"{position.phase.title(position.words)} ({position.phase})"
    title = f"{game.name}: {title}" if game.name else title
    notes = tuple(_notes(game))
    return GameStatus(title, game.deadline, game.winner, tuple(powers), missing, notes)


def _notes(game: Game) -> Iterator[str]:
    """Where units may retreat, who builds where, and what is kept for later phases."""
    yield from retreat_lines(game.position)
    yield from adjustment_lines(game.position, game.profile.settings)
    for phase, own in game.later.items():
        counts = (f"{titled(power)} {counted(len(texts), 'order')}" for power, texts in own.items())
        yield f"Kept for {phase}: {', '.join(counts)}."
