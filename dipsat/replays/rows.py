"""The phases of replayed games as rows, see `dipsat.datasets.kinds.REPLAY`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from dipsat.datasets.kinds import phase_columns
from dipsat.errors import ArgumentError
from dipsat.replays.game import DifferingPhase, GameReport, ReplaySkipped
from dipsat.replays.judged import JudgedGame, JudgedPhase
from dipsat.replays.run import ReplayFailure, Result


def replay_rows(results: Iterable[Result]) -> Iterator[dict[str, Any]]:
    """Return a row for each phase of the replayed games, as plain values by column, in the order
    of the games (docs/data.md has the columns).

    `results` are those of `replay_files`, which are taken one after the other; a file or a game
    that cannot be replayed gives one row without a phase. `write_rows` writes rows into a file.
    """
    for result in results:
        if isinstance(result, ReplayFailure):
            yield _failure(result)
        elif isinstance(result, GameReport):
            yield from _rows_of(result)
        else:
            wanted = "what `replay_files` returns"
            raise ArgumentError("dipsat.replay_rows", "results", result, wanted)


def _failure(failure: ReplayFailure) -> dict[str, Any]:
    game = JudgedGame(failure.source)
    skipped = ReplaySkipped("", failure.problem, is_fault=True)
    return _row(failure.source, game, None, ("", None, "skipped"), skipped)


def _rows_of(report: GameReport) -> Iterator[dict[str, Any]]:
    game = report._judged
    differ, skipped = iter(report.differ), iter(report.skipped)
    for number, phase in enumerate(game.phases, 1):
        verdict = phase[2]
        found: DifferingPhase | ReplaySkipped | None = None
        if verdict == "differ":
            found = next(differ)
        elif verdict == "skipped":
            found = next(skipped)
        yield _row(report.source, game, number, phase, found)


def _row(
    source: str,
    game: JudgedGame,
    number: int | None,
    phase: JudgedPhase,
    found: DifferingPhase | ReplaySkipped | None,
) -> dict[str, Any]:
    """The row of a phase, with what differs in it, or why it is skipped."""
    name, units, verdict = phase
    differing = found if isinstance(found, DifferingPhase) else None
    skipped = found if isinstance(found, ReplaySkipped) else None
    return {
        "file": game.file,
        "game": source,
        "map": game.map or None,
        "rules": game.rules or None,
        "number": number,
        **phase_columns(name),
        "units": units,
        "verdict": verdict,
        "causes": list(differing.causes) if differing else [],
        "powers": _powers(differing) if differing else [],
        "theirs": _side(differing.theirs) if differing else None,
        "ours": _side(differing.ours) if differing else None,
        "orders": pairs(differing.orders, "order") if differing else [],
        "reason": skipped.reason if skipped else None,
        "fault": skipped is not None and skipped.is_fault,
    }


def pairs(by_power: Mapping[str, Iterable[str]], name: str) -> list[dict[str, str]]:
    """What powers have, as a list of records with a `power` and this other member."""
    return [{"power": power, name: one} for power, listed in by_power.items() for one in listed]


def _powers(phase: DifferingPhase) -> list[str]:
    """The powers that either side names."""
    parts = [part for side in (phase.theirs, phase.ours) for part in side.values()]
    return sorted({power for part in parts if isinstance(part, Mapping) for power in part})


def _side(side: Mapping[str, Any]) -> dict[str, Any]:
    retreats = [
        {"power": power, "unit": unit, "to": list(places)}
        for power, units in side.get("retreats", {}).items()
        for unit, places in units.items()
    ]
    return {
        "units": pairs(side.get("units", {}), "unit"),
        "dislodged": pairs(side.get("dislodged", {}), "unit"),
        "retreats": retreats,
        "centers": pairs(side.get("centers", {}), "center"),
        "phase": side.get("phase"),
    }
