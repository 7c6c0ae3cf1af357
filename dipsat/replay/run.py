"""Replaying the games of many files, on several cores, with bounded memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from multiprocessing import get_context
from pathlib import Path
from typing import TypeAlias

from dipsat.board.load import load_map
from dipsat.errors import DipsatError, GameError
from dipsat.formats.game_files import GameText, game_texts
from dipsat.formats.games import parse_games
from dipsat.formats.transcript import Transcript
from dipsat.profiles.load import load_profile
from dipsat.replay.game import GameReport, replay_game

_FEW = 8  # games; for no more than these it does not pay to start other processes
_AHEAD = 4  # games per process that are read before they are needed


@dataclass(frozen=True, slots=True)
class Failure:
    """A file, or a game in it, that cannot be replayed. `problem` names the place."""

    source: str
    problem: str


Result: TypeAlias = GameReport | Failure
_Work: TypeAlias = GameText | Failure


def replay_files(
    paths: Iterable[str | Path],
    rules: str | Path | None = None,
    map: str | Path | None = None,
    jobs: int = 1,
    progress: Callable[[str, int], None] | None = None,
) -> Iterator[Result]:
    """Replay all games of the files, in the order in which they stand there.

    `rules` and `map` overrule what the files name; `jobs` is the number of processes. Of a bad
    file or game comes a `Failure`, and the others follow. `progress` is called with a file and the
    bytes of it that are done. Raises what `load_profile` and `load_map` raise for the names given.
    """
    load_profile(rules or "datc")
    if map is not None:
        load_map(map)
    replay = partial(_replay, rules=rules, map=map)
    work = chain.from_iterable(_work(path) for path in paths)
    first = list(islice(work, _FEW + 1))
    alone = jobs < 2 or len(first) <= _FEW
    done = (
        _alone(replay, chain(first, work)) if alone else _shared(replay, chain(first, work), jobs)
    )
    for text, results in done:
        yield from results
        if progress is not None and isinstance(text, GameText):
            progress(text.shown, text.offset)


def _work(path: str | Path) -> Iterator[_Work]:
    try:
        for text in game_texts(path):
            yield text if isinstance(text, GameText) else Failure(str(path), str(text))
    except DipsatError as error:
        yield Failure(str(path), str(error))


def _replay(text: _Work, rules: str | Path | None, map: str | Path | None) -> list[Result]:
    """The reports of a text's games; made in whichever process."""
    if isinstance(text, Failure):
        return [text]
    try:
        games = parse_games(text, load_map(map) if map is not None else None)
    except DipsatError as error:
        return [Failure(text.shown, str(error))]
    found: list[Result] = []
    for game in games:
        if isinstance(game, Transcript):
            found.append(Failure(text.shown, f"{text.shown}: {_ONLY_ORDERS}"))
            continue
        try:
            found.append(replay_game(game, rules))
        except DipsatError as error:
            found.append(Failure(game.source, _placed(game.source, str(error))))
    return found


_ONLY_ORDERS = "holds only orders; there is no other judge's result to compare with"


def _placed(source: str, problem: str) -> str:
    return problem if problem.startswith(source) else f"{source}: {problem}"


def _alone(
    replay: Callable[[_Work], list[Result]], work: Iterable[_Work]
) -> Iterator[tuple[_Work, list[Result]]]:
    for text in work:
        yield text, replay(text)


def _shared(
    replay: Callable[[_Work], list[Result]], work: Iterable[_Work], jobs: int
) -> Iterator[tuple[_Work, list[Result]]]:
    """As `_alone`, in `jobs` processes. Only a few games at a time are in memory."""
    running: deque[tuple[_Work, Future[list[Result]]]] = deque()
    with ExitStack() as stack:
        # Spawned, because a thread of this process (of a progress bar, say) would not survive
        # being forked.
        pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))
        stack.callback(pool.shutdown, wait=True, cancel_futures=True)
        try:
            for text in work:
                running.append((text, pool.submit(replay, text)))
                if len(running) >= _AHEAD * jobs:
                    oldest, future = running.popleft()
                    yield oldest, future.result()
            while running:
                oldest, future = running.popleft()
                yield oldest, future.result()
        except BrokenProcessPool:
            raise GameError(
                "a process that replayed games came to an end (out of memory?); try --jobs 1"
            ) from None
