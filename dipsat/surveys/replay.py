"""Replaying the games of many files, in several processes, with bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain, takewhile
from pathlib import Path
from typing import Any, TypeAlias

from dipsat.board.map import Map
from dipsat.datasets.kinds import phase_columns
from dipsat.errors import ArgumentError, DipsatError
from dipsat.executors.run import Jobs, Stage, results_of
from dipsat.formats.game_files import GameText
from dipsat.limits import UNLIMITED, Limits, reading_names_in, running
from dipsat.profiles.load import DEFAULT_RULES, load_profile, portable_map, portable_rules
from dipsat.profiles.profile import Profile
from dipsat.scenarios.sheet import kept_map
from dipsat.surveys.replay_game import (
    DifferingPhase,
    GameReport,
    JudgedGame,
    ReplaySkipped,
    replay_game,
)
from dipsat.surveys.sources import BadSource, Workload, games_of, texts_of
from dipsat.values import brief

MAX_IN_A_ROW = 1000
"""Games in a row that cannot be replayed, after which the rest of their file is left out. Files of
games have a damaged one now and then."""

_FEW = 8  # games; for up to these it does not pay to start other processes


@brief()
@dataclass(frozen=True, slots=True)
class ReplayFailure:
    """A file, or a game in it, that cannot be replayed."""

    source: str
    """The file."""
    problem: str
    """Why, with the place."""

    @property
    def _report(self) -> GameReport:
        """The same as of a game without phases."""
        skipped = ReplaySkipped("", self.problem, is_fault=True)
        judged = JudgedGame(self.source, phases=(("", None, "skipped"),))
        return GameReport(self.source, 0, 0, (), (skipped,), judged)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values as of a `GameReport` without phases: `skipped` has the reason."""
        return self._report.to_dict()


Result: TypeAlias = GameReport | ReplayFailure


def replay_files(
    paths: Iterable[str | Path],
    rules: str | Path | Profile | None = None,
    map: str | Path | Map | None = None,
    jobs: Jobs = 1,
    progress: Callable[[str, int, int], None] | None = None,
    *,
    limits: Limits = UNLIMITED,
) -> Iterator[Result]:
    """Replay all games of the files, in their order in the files.

    `rules` and `map` override what the files name; `limits.files` says which files they may name,
    and `limits.seconds` are for each game; `jobs` is the number of processes, an executor, or
    `Workers`. A bad file or game gives a failure with its place, and the others follow. `progress`
    is called with a file, the number of its bytes that are done, and the number of games that this
    added. A file is left after `MAX_IN_A_ROW` games in a row that cannot be replayed.

    Raises the errors of `load_profile` and `load_map` for the names given, `WorkerError` if there
    are no workers any more, and `JournalError` for a journal that cannot be used.
    """
    with running(limits):
        named = None if rules is None else portable_rules(rules)
        load_profile(named or DEFAULT_RULES)
        board = None if map is None else portable_map(map)
    replay = partial(_replay, rules=named, map=board, limits=limits)
    left = set[str]()
    work = chain.from_iterable(_work(str(path), left) for path in paths)
    stage = Stage("replaying", replay, _lost)
    return _reported(results_of(stage, work, jobs, few=_FEW), progress, left)


def _work(path: str, left: Collection[str]) -> Iterator[Workload]:
    return takewhile(lambda _: path not in left, texts_of(path))


def _lost(piece: Workload, reason: str) -> list[Result]:
    shown = _file_of(piece)
    return [ReplayFailure(shown, f"{shown}: {reason}")]


def _file_of(piece: Workload) -> str:
    return piece.work.file if isinstance(piece.work, BadSource) else piece.shown


def _reported(
    done: Iterator[tuple[Workload, list[Result]]],
    progress: Callable[[str, int, int], None] | None,
    left: set[str],
) -> Iterator[Result]:
    """The results. Files with too many bad games in a row are added to `left`; what was read of
    them ahead does not count any more."""
    in_a_row, file = 0, ""
    for piece, results in done:
        shown = _file_of(piece)
        if shown in left:
            continue
        yield from results
        is_read = any(_is_read(result) for result in results)
        in_a_row = 0 if is_read else 1 + (in_a_row if shown == file else 0)
        file = shown
        if in_a_row >= MAX_IN_A_ROW:
            left.add(shown)
            yield ReplayFailure(shown, f"{shown}: {_LEFT}")
        if progress is not None and isinstance(piece.work, GameText):
            progress(shown, piece.work.offset, len(results))


def _is_read(result: Result) -> bool:
    """Whether something of a game could be read."""
    if isinstance(result, ReplayFailure):
        return False
    return (
        result.phases == 0
        or any(not skipped.is_fault for skipped in result.skipped)
        or (result.agree + len(result.differ) > 0)
    )


def _replay(
    piece: Workload, rules: str | Profile | None, map: str | Map | None, limits: Limits
) -> list[Result]:
    """The reports of a text's games; runs in any process."""
    work = piece.work
    if isinstance(work, BadSource):
        return [ReplayFailure(work.file, work.problem)]
    assert isinstance(work, GameText)
    try:
        games = games_of(work, _map(map), limits, _ONLY_ORDERS)
    except DipsatError as error:
        return [ReplayFailure(work.shown, str(error))]
    found: list[Result] = []
    for game in games:
        if isinstance(game, BadSource):
            found.append(ReplayFailure(game.file, game.problem))
            continue
        try:
            with running(limits):
                with reading_names_in(work.shown):
                    chosen = rules or load_profile(game.rules or DEFAULT_RULES)
                found.append(replay_game(game, chosen, work.shown))
        except DipsatError as error:
            text = str(error)
            problem = text if text.startswith(game.source) else f"{game.source}: {text}"
            found.append(ReplayFailure(game.source, problem))
    return found


def _map(map: str | Map | None) -> Map | None:
    return kept_map(map) if isinstance(map, str) else map


_LEFT = f"{MAX_IN_A_ROW:,} games in a row cannot be replayed; the rest of the file is left out"
_ONLY_ORDERS = (
    "holds only orders, and no judge's result to compare with; `dipsat play` goes on with it"
)


# --- rows -----------------------------------------------------------------------------------------


def replay_rows(results: Iterable[Result]) -> Iterator[dict[str, Any]]:
    """Return a row for each phase of the replayed games, as plain values by column, in the order
    of the games (docs/data.md has the columns).

    `results` are those of `replay_files`, which are taken one after the other; a file or a game
    that cannot be replayed gives one row without a phase. `write_rows` writes rows into a file.
    """
    for result in results:
        if not isinstance(result, GameReport | ReplayFailure):
            wanted = "what `replay_files` returns"
            raise ArgumentError("dipsat.replay_rows", "results", result, wanted)
        yield from _rows_of(result if isinstance(result, GameReport) else result._report)


def _rows_of(report: GameReport) -> Iterator[dict[str, Any]]:
    """A row for each phase, with what differs in it, or why it is skipped."""
    game = report._judged
    differ, skipped = iter(report.differ), iter(report.skipped)
    for number, (name, units, verdict) in enumerate(game.phases, 1):
        differing = next(differ) if verdict == "differ" else None
        why = next(skipped) if verdict == "skipped" else None
        yield {
            "file": game.file,
            "game": report.source,
            "map": game.map or None,
            "rules": game.rules or None,
            "number": number if report.phases else None,
            **phase_columns(name),
            "units": units,
            "verdict": verdict,
            "causes": list(differing.causes) if differing else [],
            "powers": _powers(differing) if differing else [],
            "theirs": _side(differing.theirs) if differing else None,
            "ours": _side(differing.ours) if differing else None,
            "orders": pairs(differing.orders, "order") if differing else [],
            "reason": why.reason if why else None,
            "fault": why is not None and why.is_fault,
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
