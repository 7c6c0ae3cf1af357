"""What the tests of `dipsat.kernel.Batch` share: compiled rules, and random boards for them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import pytest

from dipsat.kernel import Batch, library, source
from dipsat.kernel.library_cache import compilers
from dipsat.kernel.source import KernelSource
from dipsat.rules import Profile
from tests.kernel.agreement.boards import tense_board
from tests.kernel.agreement.compare import Board, Tally, compare_boards

needs_compiler = pytest.mark.skipif(next(compilers(), None) is None, reason="no C compiler")
"""For tests of compiled code. `.ci/run` makes sure that there is a compiler."""


ELSEWHERE = [
    *(
        ("datc", map)
        for map in (
            "1898", "ancient_mediterranean", "asia", "chaos", "colonial", "europe1939", "loeb9",
            "milan", "modern", "world", "youngstown",
        )
    ),
    *(
        (rules, "standard")
        for rules in (
            "arpiesse", "wings", "portage", "4.A.6-c", "4.A.3-c", "4.B.4-b", "4.B.4-c", "4.B.4-d",
            "4.B.4-e", "4.C.5-b", "4.D.7-b", "dpjudge", "centres-taken-before-retreats",
            "build_anywhere",
        )
    ),
    ("difficult_borders", "loeb9"), ("loeb9", "loeb9"), ("colonial", "colonial"),
    ("coastal_convoys", "convoyable_coast"),
]  # fmt: skip
"""Rules and maps in which games and legal orders depend on something that `datc` lacks."""


# No profile uses all words of the rule language, and some have a function in C.
STRICT = "-Wno-psabi", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function"
QUICKLY = ("-O0", *STRICT)

USUAL = library._OPTIMISED


@cache
def native(rules: str = "datc", map: str = "standard") -> Batch:
    """A batch of compiled code as users have it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(library, "_OPTIMISED", USUAL)
        return Batch(rules, map, native=True)


@cache
def quick(rules: str, map: str | None = None) -> Batch:
    """The same, compiled without optimising, as `test_batch` compiles all shipped rules."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(library, "_OPTIMISED", QUICKLY)
        return Batch(rules, map, native=True)


def adjudicate_only(patch: pytest.MonkeyPatch) -> None:
    """Compile only what adjudicates movements. The code that lists orders and plays games is the
    same for all rules, and a quarter of a compiler's work."""

    def shorter(profile: Profile, unit_words: int, place_words: int) -> KernelSource:
        with pytest.MonkeyPatch.context() as inner:
            inner.setattr(source, "_AFTER", ("batch.h",))
            return source.source_of(profile, unit_words, place_words)

    patch.setattr(library, "_source", shorter)
    for name in ("list_orders", "free_orders", "list_choices", "play"):
        patch.delitem(library._GIVEN, name)


def random_boards(batch: Batch, seeds: Iterable[int], units: int | None = None) -> list[Board]:
    """Random tense boards on the map of a batch, with random attributes of units."""
    return [tense_board(batch, seed, units or 20 + seed % 15) for seed in seeds]


def agreed(batch: Batch, boards: Iterable[Board], threads: int = 1) -> Tally:
    """Check that the batch finds what `adjudicate` finds, or reports the same error. Returns what
    was counted."""
    found = compare_boards(batch, [*boards], threads)
    assert not found.differing, found.differing[0]
    return found
