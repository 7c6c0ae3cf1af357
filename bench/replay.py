"""Replaying whole games: dipsat and the `diplomacy` package on the same games."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from dipsat.formats import RecordedGame, RecordedPhase, read_games
from dipsat.game import by_power
from dipsat.studies.replays import replay_game
from tests.made_games import made_game
from tests.recorded import GAMES

SAMPLE = 10  # the peer is slow, so it receives one in this many games
MADE_GAMES = 60


def recorded_games(folder: str) -> Path:
    """People's recorded games if they are beside the checkout, otherwise games made here."""
    return GAMES if GAMES.is_file() else made_games(Path(folder) / "games.jsonl")


def made_games(path: Path) -> Path:
    """Seeded games of random legal orders, half of them moves, as saved games."""
    with path.open("w", encoding="utf-8") as file:
        for seed in range(MADE_GAMES):
            part = path.with_suffix(".one.jsonl")
            made_game(seed).save(part)
            file.write(part.read_text(encoding="utf-8"))
    return path


def own_seconds(games: Sequence[RecordedGame]) -> float:
    """The processor time that dipsat takes to replay the games, comparing every phase."""
    start = time.thread_time()
    for game in games:
        replay_game(game)
    return time.thread_time() - start


def file_seconds(path: Path, jobs: int) -> float:
    """The seconds that `dipsat replay` takes for a file in `jobs` processes, including their
    start. A new process remembers no boards."""
    command = [sys.executable, "-m", "dipsat", "replay", str(path), "--summary"]
    start = time.perf_counter()
    subprocess.run([*command, "--jobs", str(jobs)], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def peer_seconds(games: Sequence[RecordedGame]) -> float:
    """The processor time that the `diplomacy` package takes to play the recorded orders without
    comparing anything."""
    from diplomacy import Game

    start = time.thread_time()
    for recorded in games:
        game = Game()
        for phase in recorded.phases:
            if game.get_current_phase() != str(phase.before.phase):
                _put(game, phase)
            for power, orders in phase.orders.items():
                game.set_orders(power, list(orders))
            game.process()
            if game.is_game_done:
                break
    return time.thread_time() - start


def _put(game: Any, phase: RecordedPhase) -> None:
    """Set up the package's board as before a phase, where its own game took another course."""
    game.set_current_phase(str(phase.before.phase))
    game.clear_units()
    game.clear_centers()
    for power, owned in (phase.before.centers or {}).items():
        game.set_centers(power, list(owned), reset=True)
    for power, units in by_power(phase.before.units).items():
        game.set_units(power, units)
    for power, units in by_power(phase.before.dislodged).items():
        game.set_units(power, [f"*{unit}" for unit in units])


def replay_figures() -> Iterator[tuple[str, str, str]]:
    """(what, value, remark) of each measurement."""
    with tempfile.TemporaryDirectory() as folder:
        path = recorded_games(folder)
        games = [game for game in read_games(path) if isinstance(game, RecordedGame)]
        count = sum(len(game.phases) for game in games)
        sample = games[::SAMPLE]
        phases = sum(len(game.phases) for game in sample)
        own_seconds(games[1::SAMPLE])
        own = own_seconds(sample) / phases  # only once: dipsat remembers boards
        kind = "recorded" if path == GAMES else "made"
        yield (
            f"replay and compare {phases} phases of {kind} games",
            f"{own * 1e6:.0f} us a phase",
            "",
        )
        try:
            peer = peer_seconds(sample) / phases
        except ImportError:
            yield "the same, diplomacy package", "not installed", ""
        else:
            what = "the same orders, diplomacy 1.1.2 `set_orders` and `process()`"
            yield what, f"{peer * 1e6:.0f} us a phase", f"{peer / own:.1f} times dipsat's"
        one, two = (min(file_seconds(path, jobs) for _ in range(2)) for jobs in (1, 2))
        yield f"`dipsat replay`, {count} phases from the file, one job", f"{one:.1f} s", ""
        yield "the same, two jobs", f"{two:.1f} s", f"{one / two:.2f} times as fast"
