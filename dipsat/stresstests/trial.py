"""A profile with its random boards, and the count of what they show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from dipsat.errors import DipsatError
from dipsat.files.reading import ANYWHERE, Files
from dipsat.profiles.profile import Profile
from dipsat.scenarios.random_board import trial_board
from dipsat.scenarios.sheet import Sheet, kept_map
from dipsat.stresstests.judging import Words, everything_in_words, phase_in_words
from dipsat.stresstests.observations import Sight, sights
from dipsat.values import kept_on_first, own_fields

BOARDS_AT_ONCE = 20
_SLOW_SHARE = 4  # one board in this many is also judged without propagation
_FIRST = 3  # boards of each sight that are remembered

FAILED = "failed"
"""The sight of a board that cannot be judged; the error message follows it."""


@dataclass(frozen=True)
class Trial:
    """A profile on random boards of a map (`map` is what `load_map` takes) with this many `units`;
    the seeds start at `seed`."""

    profile: Profile
    map: str
    boards: int
    seed: int
    units: int
    files: Files = ANYWHERE  # that the map may be

    __getstate__ = own_fields

    def sheet(self, seed: int) -> Sheet:
        """The board of a seed."""
        return trial_board(self.profile, kept_map(self.map, self.files), seed, self.units)

    def crowd(self, seed: int, units: int) -> Sheet:
        """A few units close to each other, without orders."""
        sheet = trial_board(self.profile, kept_map(self.map, self.files), seed, units, crowd=True)
        rows = (replace(row, orders=()) for row in sheet.rows if row.unit)
        return replace(sheet, rows=tuple(rows))

    @property
    def seeds(self) -> range:
        """The seeds of all boards."""
        return range(self.seed, self.seed + self.boards)

    @property
    def slow_boards(self) -> int:
        """The number of boards that are also judged without propagation."""
        return sum(map(is_slow, self.seeds))


def is_slow(seed: int) -> bool:
    """Whether the board of a seed is also judged without propagation."""
    return seed % _SLOW_SHARE == 0


@dataclass
class Tally:
    """The number of boards with each sight, and the seeds of the first of them."""

    boards: int = 0
    slow: int = 0
    count: Counter[Sight] = field(default_factory=Counter)
    first: dict[Sight, tuple[int, ...]] = field(default_factory=dict)

    def see(self, seed: int, seen: Iterable[Sight]) -> None:
        """Add a board."""
        self.boards += 1
        self.slow += is_slow(seed)
        for sight in sorted(set(seen)):
            self.count[sight] += 1
            self.first[sight] = (*self.first.get(sight, ()), seed)[:_FIRST]

    def add(self, other: Tally) -> None:
        """Add boards with higher seeds."""
        self.boards += other.boards
        self.slow += other.slow
        self.count.update(other.count)
        for sight, seeds in other.first.items():
            self.first[sight] = (*self.first.get(sight, ()), *seeds)[:_FIRST]


def tally_of(trial: Trial, seeds: range) -> Tally:
    """What is seen on the boards of some seeds; runs in any process."""
    tally = Tally()
    for seed in seeds:
        try:
            seen = list(sights(trial.profile, trial.sheet(seed), is_slow(seed)))
        except DipsatError as error:
            seen = [(FAILED, str(error).partition("\n")[0])]
        tally.see(seed, seen)
    return tally


@kept_on_first(5000)
def moves_of_board(trial: Trial, seed: int) -> tuple[Words, bool]:
    """The results of the movement phase on the board of a seed, and whether rules for decision
    cycles had a part in them, computed once in each process."""
    words, outcome = phase_in_words(trial.profile, trial.sheet(seed))
    has_cycle = outcome is None or any(record.applied for record in outcome.solution.records)
    return words, has_cycle


@kept_on_first(5000)
def words_of_board(trial: Trial, seed: int) -> Words:
    """The results of the board of a seed, computed once in each process."""
    return everything_in_words(trial.profile, trial.sheet(seed))
