"""Correcting a past phase of a game: playing on from it again, and saying what has changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
from dipsat.board import province_of
from dipsat.formats.game import Game
from dipsat.formats.open_tasks import tasks_of
from dipsat.formats.turn import Submitted, Turn, judged, with_known
from dipsat.game import PhaseKind, Position, by_power
from dipsat.outcomes import Outcome, result_of

_LONGEST = 400  # characters of a sentence that a game keeps


@brief()
@dataclass(frozen=True, slots=True)
class ChangedPhase(Plain):
    """What has changed in a phase that was played again."""

    phase: str
    orders: tuple[tuple[str, str, str], ...]
    """For each unit whose order or result has changed: its power, what it had before, and what it
    has now."""
    position: tuple[str, ...]
    """What has changed in the position after it, in sentences."""
    left_out: tuple[str, ...]
    """The orders for later phases that no longer fit, and why, in sentences."""


@brief()
@dataclass(frozen=True, slots=True)
class Correction(Shown, Plain):
    """The effects of changing the past of a game."""

    phases: tuple[ChangedPhase, ...]
    """The phases that were played again."""
    before: str
    """The game's current phase before the change."""
    now: str
    """Its current phase now."""
    missing: tuple[str, ...] = ()
    """The powers whose missing orders kept it from reaching its earlier phase."""

    def _parts(self) -> Iterator[Part]:
        for one in self.phases:
            yield Styled(f"{one.phase}:", "bold")
            if one.orders:
                yield Table(one.orders, tuple(map(Column, ("Power", "Before", "Now"))), indent=2)
            yield from one.position
            yield from one.left_out
            if not (one.orders or one.position or one.left_out):
                yield "Nothing changes."
        is_same = self.now == self.before
        where = "as before" if is_same else f"but was in {self.before} before"
        yield f"The game is in {self.now}, {where}."
        if self.missing:
            names = ", ".join(map(titled, self.missing))
            yield f"Orders of {names} are missing there; those for later phases are kept."


def caught_up(changed: Game, before: Game) -> tuple[Game, Correction]:
    """Play on a game that went back to a past phase and has different orders there, with the orders
    that `before` has for the phases after it, up to its phase. Stop where orders are missing that
    were not missing then, as where other units are dislodged; orders for later phases are kept. The
    games given stay as they are. Raises what `Game.advance` raises."""
    turns, old = [*changed.history, changed.turn], (*before.history, before.turn)
    first, *waiting = old[len(turns) - 1 :]
    new = _new_orders(changed.later, first.later)
    played = {turn.position.phase: (turn, after.position) for turn, after in pairwise(old)}
    counted = [{str(turn.position.phase): turn.orders} for turn in old]
    phases = list[ChangedPhase]()
    while turns[-1].position.phase.is_before(before.phase) and turns[-1].winner is None:
        turn = turns[-1]
        was, after = played.get(turn.position.phase, (None, None))
        if phases and _lacking(turn) - (_lacking(was) if was else set()):
            break
        come = judged(turn).next.phase
        due = [one for one in waiting if not come.is_before(one.position.phase)]
        del waiting[: len(due)]
        following = with_known(turn, (*map(_submitted, due), new)).following()
        deadlines = [one.deadline for one in due if one.position.phase == come]
        turns.append(replace(following, deadline="".join(deadlines)))
        apart = _results_apart(was.outcome if was else None, turn.outcome)
        changes = tuple(
            f"{power}: {now or 'none'} (was: {before or 'none'})"[:_LONGEST]
            for power, before, now in apart
        )
        turns[-2] = replace(turn, corrected=() if was is None else changes or was.corrected)
        phases.append(
            ChangedPhase(
                str(turn.position.phase),
                apart,
                tuple(_positions_apart(after, following.position)) if after else (),
                _no_longer_fitting(following, (*counted, new)),
            )
        )
    turns[-1] = with_known(turns[-1], map(_submitted, waiting))
    game = Game._of(replace(changed._recorded, turns=tuple(turns)))
    stopped = game.phase.is_before(before.phase) and not game.is_over
    missing = game.missing if stopped else ()
    return game, Correction(tuple(phases), str(before.phase), str(game.phase), missing)


def _submitted(turn: Turn) -> Submitted:
    """All orders that were submitted in a phase, for it and for later ones."""
    return {**turn.later, str(turn.position.phase): turn.orders}


def _new_orders(now: Submitted, before: Submitted) -> Submitted:
    """The orders for later phases that were not there before."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for phase, own in now.items():
        had = before.get(phase, {})
        new = {
            power: tuple(text for text in texts if text not in had.get(power, ()))
            for power, texts in own.items()
        }
        found[phase] = {power: texts for power, texts in new.items() if texts}
    return found


def _lacking(turn: Turn) -> set[tuple[str, str]]:
    """The powers whose orders are missing in a phase; in a retreat phase, with each unit."""
    tasks = tasks_of(turn.position, turn.orders, turn.rules)
    is_retreat = turn.position.phase.kind is PhaseKind.RETREAT
    return {
        (power, unit)
        for power, task in tasks.items()
        if task.is_missing
        for unit in (task.unordered if is_retreat else ("",))
    }


def _no_longer_fitting(turn: Turn, counted: Iterable[Submitted]) -> tuple[str, ...]:
    """Which of these orders could not be entered when a phase began, and why."""
    begins = tuple(
        f"{titled(power)}: {text} is left out of {phase}:"
        for one in counted
        for phase, own in one.items()
        for power, texts in own.items()
        for text in texts
    )
    return tuple(one for one in turn.left_out if one.startswith(begins))


def _results_apart(before: Outcome | None, now: Outcome) -> tuple[tuple[str, str, str], ...]:
    """Each unit's power with its order and result before and now, if either has changed."""
    was, own = _results(before) if before else {}, _results(now)
    return tuple(
        (titled(key[0]), was.get(key, ""), own.get(key, ""))
        for key in sorted({**was, **own})
        if was.get(key) != own.get(key)
    )


def _results(outcome: Outcome) -> Mapping[tuple[str, str], str]:
    """(Power, province of a unit) -> its orders with their results."""
    found = grouped(
        (
            (one.power, province_of(one.unit.rpartition(" ")[2])),
            f"{one.order}: {plain_text(result_of(one.verdict, one.fate))}",
        )
        for one in outcome.orders
    )
    return {key: "; ".join(texts) for key, texts in found.items()}


def _positions_apart(before: Position, now: Position) -> Iterator[str]:
    """The differences between two positions, in sentences."""
    yield from _apart("has", by_power(before.units), by_power(now.units))
    if before.phase != now.phase:
        yield f"Next is {now.phase}, not {before.phase}."
    else:
        yield from _apart("owns", before.centers, now.centers)


def _apart(
    verb: str, before: Mapping[str, Sequence[object]], now: Mapping[str, Sequence[object]]
) -> Iterator[str]:
    """What each power has gained and lost, in sentences."""
    for power in sorted({*before, *now}):
        had, own = ({*map(str, one.get(power, ()))} for one in (before, now))
        gained, lost = (", ".join(sorted(one)) for one in (own - had, had - own))
        if gained:
            yield f"{titled(power)} {verb} {gained}" + (f", not {lost}." if lost else ".")
        elif lost:
            yield f"{titled(power)} no longer {verb} {lost}."
