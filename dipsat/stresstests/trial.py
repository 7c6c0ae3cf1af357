"""A profile on the boards that it is tried on, and what is counted there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache

from dipsat.errors import DipsatError
from dipsat.profiles.profile import Profile
from dipsat.scenarios.board_of_rules import trial_board
from dipsat.scenarios.sheet import Sheet, kept_map
from dipsat.stresstests.judging import Words, everything_in_words
from dipsat.stresstests.observations import Sight, sights

BOARDS_AT_ONCE = 20
_SLOW_SHARE = 4  # of so many boards, one is also judged without propagation
_FIRST = 3  # boards of each sight that are remembered

FAILED = "failed"
"""The sight of a board that cannot be judged at all; it also has the error in words."""


@dataclass(frozen=True)
class Trial:
    """A profile on random boards of a map (`map` is what `load_map` takes) with so many `units`;
    the seeds run from `seed` on."""

    profile: Profile
    map: str
    boards: int
    seed: int
    units: int

    def sheet(self, seed: int) -> Sheet:
        """The board of a seed."""
        return trial_board(self.profile, kept_map(self.map), seed, self.units)

    def crowd(self, seed: int, units: int) -> Sheet:
        """A few units close to each other, without orders."""
        sheet = trial_board(self.profile, kept_map(self.map), seed, units, crowd=True)
        rows = (replace(row, orders=()) for row in sheet.rows if row.unit)
        return replace(sheet, rows=tuple(rows))

    @property
    def seeds(self) -> range:
        """The seeds of all boards."""
        return range(self.seed, self.seed + self.boards)

    @property
    def slow_boards(self) -> int:
        """On how many boards everything is also given to Z3."""
        return sum(map(is_slow, self.seeds))


def is_slow(seed: int) -> bool:
    """Whether everything is given to Z3 on the board of a seed, too."""
    return seed % _SLOW_SHARE == 0


@dataclass
class Tally:
    """On how many boards each sight was seen, and the seeds of the first of them."""

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
    """What is seen on the boards of some seeds; done in whichever process."""
    tally = Tally()
    for seed in seeds:
        try:
            seen = list(sights(trial.profile, trial.sheet(seed), is_slow(seed)))
        except DipsatError as error:
            seen = [(FAILED, str(error).partition("\n")[0])]
        tally.see(seed, seen)
    return tally


@lru_cache(maxsize=5000)
def words_of_board(trial: Trial, seed: int) -> Words:
    """What becomes of the board of a seed, once worked out in each process."""
    return everything_in_words(trial.profile, trial.sheet(seed))
