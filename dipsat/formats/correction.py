"""Correcting a past phase of a game: playing it again, and saying what has changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dipsat.base import (
    Column,
    Part,
    Plain,
    Shown,
    Styled,
    Table,
    brief,
    grouped,
    plain_text,
    titled,
)
from dipsat.formats.game import Game
from dipsat.formats.open_tasks import tasks_of
from dipsat.formats.turn import Turn
from dipsat.game import PhaseKind, Position, by_power
from dipsat.outcomes import Outcome, result_of


@brief()
@dataclass(frozen=True, slots=True)
class ChangedPhase(Plain):
    """What is otherwise in a phase than it was."""

    phase: str
    left_out: tuple[str, ...]
    """The orders that no longer fit when the phase begins, and why, in sentences."""
    orders: tuple[tuple[str, str, str], ...] = ()
    """For each unit with another order or result its power, what it had before, and what it has
    now."""
    position: tuple[str, ...] = ()
    """What is otherwise in the position after it, in sentences."""


@brief()
@dataclass(frozen=True, slots=True)
class Correction(Shown, Plain):
    """What became of a game whose past was changed."""

    phases: tuple[ChangedPhase, ...]
    """The phases that were played again."""
    before: str
    """The phase in which the game stood."""
    now: str
    """The phase in which it stands."""
    missing: tuple[str, ...] = ()
    """The powers for whose orders it stopped before the phase in which it stood."""

    def _parts(self) -> Iterator[Part]:
        for one in self.phases:
            yield Styled(f"{one.phase}:", "bold")
            yield from one.left_out
            if one.orders:
                yield Table(one.orders, tuple(map(Column, ("Power", "Before", "Now"))), indent=2)
            yield from one.position
            if not (one.left_out or one.orders or one.position):
                yield "Nothing changes."
        is_same = self.now == self.before
        where = "as before" if is_same else f"where it stood in {self.before} before"
        yield f"The game stands in {self.now}, {where}."
        if self.missing:
            names = ", ".join(map(titled, self.missing))
            yield f"Orders of {names} are missing there; those for later phases are kept."


def caught_up(changed: Game, before: Game) -> tuple[Game, Correction]:
    """Play a game again that went back to a past phase with `keep_later` and has other orders
    there, up to the phase in which it stood before. It stops where orders are missing that were not
    missing then: in a phase that did not take place, or where other units are dislodged. The games
    given stay as they are. Raises what `Game.advance` raises."""
    game, first, phases = changed.copy(), changed.phase, list[ChangedPhase]()
    turns = (*before.history, last := before.turn)
    old = {turn.position.phase: (turn, after) for turn, after in pairwise(turns)}
    while game.phase in old and not game.is_over:
        was, after = old[game.phase]
        game.deadline = was.deadline
        left = _no_longer_fitting(game, turns)
        if game.phase != first and _lacking(game.turn) - _lacking(was):
            break
        results = _results_apart(was.outcome, game.advance())
        differences = tuple(_positions_apart(after.position, game.position))
        phases.append(ChangedPhase(str(was.position.phase), left, results, differences))
    missing: tuple[str, ...] = ()
    if game.phase == last.position.phase:
        game.deadline = last.deadline
        left = _no_longer_fitting(game, turns)
        phases += [ChangedPhase(str(game.phase), left)] if left else []
    elif game.phase.is_before(before.phase):
        missing = game.missing
    return game, Correction(tuple(phases), str(before.phase), str(game.phase), missing)


def _lacking(turn: Turn) -> set[tuple[str, str]]:
    """The powers whose orders are missing in a phase; for retreats, with each unit."""
    tasks = tasks_of(turn.position, turn.orders, turn.rules.settings)
    is_retreat = turn.position.phase.kind is PhaseKind.RETREAT
    return {
        (power, unit)
        for power, task in tasks.items()
        if task.is_missing
        for unit in (task.unordered if is_retreat else ("",))
    }


def _no_longer_fitting(game: Game, before: Iterable[Turn]) -> tuple[str, ...]:
    """Which orders that counted before cannot be entered now, and why."""
    counted = tuple(
        f"{titled(power)}: {text} is left out of {turn.position.phase}:"
        for turn in before
        for power, texts in turn.orders.items()
        for text in texts
    )
    return tuple(one for one in game.turn.left_out if one.startswith(counted))


def _results_apart(before: Outcome, now: Outcome) -> tuple[tuple[str, str, str], ...]:
    """The orders of units that have other orders or results than before."""
    was, own = _results(before), _results(now)
    return tuple(
        (titled(power), was.get((power, unit), ""), own.get((power, unit), ""))
        for power, unit in sorted({**was, **own})
        if was.get((power, unit)) != own.get((power, unit))
    )


def _results(outcome: Outcome) -> Mapping[tuple[str, str], str]:
    """(Power, unit) -> its orders with their results."""
    found = grouped(
        ((one.power, one.unit), f"{one.order}: {plain_text(result_of(one.verdict, one.fate))}")
        for one in outcome.orders
    )
    return {key: "; ".join(texts) for key, texts in found.items()}


def _positions_apart(before: Position, now: Position) -> Iterator[str]:
    """What is otherwise in a position."""
    yield from _apart("has", by_power(before.units), by_power(now.units))
    if before.phase != now.phase:
        yield f"Next is {now.phase}, not {before.phase}."
    else:
        yield from _apart("owns", before.centers, now.centers)


def _apart(
    verb: str, before: Mapping[str, Sequence[object]], now: Mapping[str, Sequence[object]]
) -> Iterator[str]:
    """What each power has in place of other things, in sentences."""
    for power in sorted({*before, *now}):
        had, own = ({*map(str, one.get(power, ()))} for one in (before, now))
        gained, lost = (", ".join(sorted(one)) for one in (own - had, had - own))
        if gained:
            yield f"{titled(power)} {verb} {gained}" + (f", not {lost}." if lost else ".")
        elif lost:
            yield f"{titled(power)} no longer {verb} {lost}."
