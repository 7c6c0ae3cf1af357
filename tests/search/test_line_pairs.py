"""Two lines that hold at the same time: the fewest units of both, every pair, and limits on both
together, compared with trying all pairs of lines on small maps."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import pytest
from click.testing import CliRunner

import dipsat
from dipsat import searches
from dipsat.cli import main
from dipsat.errors import DipsatError
from dipsat.searches.line_finder import line_to_dict
from tests.exhaustive import exhaustive, parts_of
from tests.oracles import brute_lines
from tools.atlas import split_units
from tools.atlas.split_units import SplitUnits

Side = tuple[frozenset[str], frozenset[str]]
"""The units of a line, and the centres that it holds."""
Pair = tuple[Side, Side] | frozenset[Side]
"""Two lines, as a set if the same is asked of both."""

NUMBERS = ((1, 1), (2, 1), (1, 2))
SIZE = 5


@cache
def safe_lines(seed: int) -> list[tuple[Side, frozenset[str]]]:
    """Every line of a board that holds some centre with some orders, and the line's provinces."""
    board, found = brute_lines.random_board(seed, SIZE), set[tuple[Side, frozenset[str]]]()
    for number in range(SIZE):
        for line in brute_lines.lines(board, brute_lines.NO_LIMITS, number):
            provinces = frozenset(line.region | line.units.keys())
            centres = frozenset(board["centres"]) & provinces
            one = (frozenset(line.units.values()), centres), provinces
            safe = one in found or next(brute_lines.safe_orders(board, line), None) is not None
            found |= {one} if centres and safe else set()
    return sorted(found, key=lambda one: (*map(sorted, one[0]), sorted(one[1])))


def pairs(
    seed: int, numbers: tuple[int, int], allowed: Callable[[list[str]], bool] = lambda _: True
) -> tuple[int | None, set[Pair]]:
    """The fewest units of two lines that hold `numbers` of centres and share no province, if their
    units are allowed, and every pair with this number of units."""
    fewest: int | None = None
    found = set[Pair]()
    for (one, here), (two, there) in product(safe_lines(seed), repeat=2):
        if here & there or (len(one[1]), len(two[1])) != numbers:
            continue
        units = [*one[0], *two[0]]
        if allowed(units) and (fewest is None or len(units) <= fewest):
            found = found if len(units) == fewest else set()
            fewest = len(units)
            found.add(pair_of(one, two, numbers))
    return fewest, found


def pair_of(one: Side, two: Side, numbers: tuple[int, int]) -> Pair:
    return frozenset((one, two)) if numbers[0] == numbers[1] else (one, two)


def search(seed: int, numbers: tuple[int, int], **asked: Any) -> searches.LinesResult:
    """The answer, which the second statement confirms."""
    board = brute_lines.as_map(brute_lines.random_board(seed, SIZE))
    question = searches.Lines(centres=numbers[0], split=numbers[1], map=board, **asked)
    found = dipsat.search(question)
    assert isinstance(found, searches.LinesResult)
    assert searches.confirm_fewest(question, found.fewest).verdict == "confirmed"
    if found.fewest is not None:
        refuted = searches.confirm_fewest(question, found.fewest + 1)
        assert (refuted.verdict, len(refuted.units)) == ("refuted", found.fewest)
    return found


def listed(found: searches.LinesResult, numbers: tuple[int, int]) -> Iterator[Pair]:
    """The pairs of a result."""
    sides = [
        (frozenset(map(str, line.units)), frozenset(line_to_dict(line)["centres"]))
        for line in found.lines
    ]
    for one, two in zip(sides[::2], sides[1::2], strict=True):
        yield pair_of(one, two, numbers)


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(10), 2))
def test_two_lines_hold_at_the_same_time(seeds: range) -> None:
    for seed, numbers in product(seeds, NUMBERS):
        found, (fewest, expected) = search(seed, numbers), pairs(seed, numbers)
        assert found.fewest == fewest, (seed, numbers)
        assert found.verdict == ("impossible" if fewest is None else "found")
        assert {*listed(found, numbers)} <= expected
        if found.lines:
            one, two = (line.region | line.by_province.keys() for line in found.lines)
            assert not one & two
            assert found.bound == found.fewest
            assert {one.verdict for one in found.held} == {"holds"}


@exhaustive
def test_every_pair_of_lines_is_found_once() -> None:
    several = set[tuple[int, int]]()
    for seed, numbers in product((0, 3, 9), NUMBERS):
        expected = pairs(seed, numbers)[1]
        found = list(listed(search(seed, numbers, every=True), numbers))
        assert {*found} == expected, (seed, numbers)
        assert len(found) == len(expected), (seed, numbers)
        several |= {numbers} if len(expected) > 1 else set()
    assert several == {*NUMBERS}


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(12), 6))
def test_one_solver_for_all_splits_finds_the_same(seeds: range) -> None:
    """The atlas takes its table of splits from it."""
    verdicts = set[str]()
    for seed in seeds:
        small = brute_lines.random_board(seed, SIZE)
        board = replace(brute_lines.as_map(small), victory=len(small["centres"]) + 1)
        alone = [
            {"asked": {"centres": centres}, "bound": fewest, "forms": [{}]}
            for centres, fewest in brute_lines.fewest(small).items()
            if centres
        ]
        splits = SplitUnits(board, alone)
        for both in split_units.pairs(alone):
            if sum(both) <= len(small["centres"]):
                made, (fewest, _) = splits.answer(both, 60), pairs(seed, both)
                verdicts.add(made["verdict"])
                assert made["verdict"] == ("impossible" if fewest is None else "found")
                assert (made["fewest"], made["bound"]) == (fewest, fewest), (seed, both)
    assert verdicts == {"found", "impossible"}


LETTER = {"units": "", "armies": "A", "fleets": "F"}
LIMITS = (("units", 3), ("armies", 0), ("armies", 1), ("fleets", 0), ("fleets", 1))


@exhaustive
def test_limits_count_the_units_of_both_lines() -> None:
    """Both lines together may exceed a limit that each of them keeps."""
    decided = set[str]()
    for (seed, numbers), (name, most) in product([(4, (2, 1)), (0, (1, 1)), (3, (1, 1))], LIMITS):

        def allowed(units: list[str], letter: str = LETTER[name], most: int = most) -> bool:
            return sum(unit.startswith(letter) for unit in units) <= most

        fewest, expected = pairs(seed, numbers, allowed)
        found = search(seed, numbers, **{name: most})
        assert found.fewest == fewest, (seed, numbers, name, most)
        assert {*listed(found, numbers)} <= expected
        decided |= {name} if pairs(seed, numbers)[0] != fewest else set()
    assert decided == {*LETTER}, "a limit changes nothing"


@exhaustive
def test_a_pair_counts_in_both_orders_if_the_sides_differ() -> None:
    """A centre that the first line must hold names the first."""
    for seed in (0, 3, 9):
        _, both = pairs(seed, (1, 1))
        for centre in brute_lines.random_board(seed, SIZE)["centres"]:
            found = search(seed, (1, 1), every=True, protect=(centre,))
            expected = [pair for pair in both if any(centre in side[1] for side in pair)]
            if expected:
                assert {*listed(found, (1, 1))} == {*expected}
                assert all(centre in line_to_dict(one)["centres"] for one in found.lines[::2])


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ({"split": 3}, "say how many centres the first holds"),
        ({"centres": 18, "split": 17}, "two lines cannot hold 35 centres"),
        ({"centres": 3, "split": 3, "sorties": True}, "`sorties` is about one line"),
        (
            {"centres": 3, "split": 3, "self_sufficient": True},
            "`self_sufficient` is about one line",
        ),
        ({"centres": 3, "split": 0}, "split should be a whole number of at least 1"),
    ],
)
def test_impossible_questions_of_two_lines_are_refused(asked: dict[str, Any], problem: str) -> None:
    with pytest.raises(DipsatError, match=problem):
        dipsat.search(searches.Lines(**asked))


@exhaustive
def test_the_command_shows_every_pair(tmp_path: Any) -> None:
    board = brute_lines.random_board(0, SIZE)
    file = tmp_path / "board.yaml"
    file.write_text(brute_lines.map_text(board), encoding="utf-8")
    command = ["search", "lines", "--map", str(file), "--centres", "2", "--split", "1", "--all"]
    fewest, expected = pairs(0, (2, 1))
    done = CliRunner().invoke(main, command)
    shown = done.stdout.split("\n\n")
    assert f"{len(expected)} pairs of lines hold at the same time" in done.stdout
    assert "there are no others" in " ".join(shown[0].split())
    labels = [part.split("  ")[0] for part in shown[1:]]
    assert labels == [f"Line {at}{side}" for at in range(1, len(expected) + 1) for side in "ab"]
    plain = json.loads(CliRunner().invoke(main, [*command, "--json"]).stdout)
    assert (plain["fewest"], plain["bound"]) == (fewest, fewest)
    assert len(plain["lines"]) == 2 * len(expected)
    assert {len(one["centres"]) for one in plain["lines"][::2]} == {2}
    assert {len(one["centres"]) for one in plain["lines"][1::2]} == {1}
    few = CliRunner().invoke(main, [*command, "--units", str((fewest or 0) - 1)])
    assert (few.exit_code, few.stdout.split()[0]) == (1, "IMPOSSIBLE")


def test_pairs_found_before_an_interrupt_are_kept() -> None:
    board = brute_lines.as_map(brute_lines.random_board(0, SIZE))

    def stop(text: str) -> None:
        if text == "3 pairs of lines so far":
            raise KeyboardInterrupt

    question = searches.Lines(centres=2, split=1, every=True, map=board)
    found = dipsat.search(question, progress=stop)
    assert (found.verdict, found.reason) == ("unknown", "the search was interrupted")
    assert {*listed(found, (2, 1))} < pairs(0, (2, 1))[1]
    assert len(found.lines) == 4
    said = "The 2 pairs of lines below have 2 units each; there may be more such pairs"
    assert said in " ".join(str(found).split())
