"""dipsat against the Python package `diplomacy`, an independent judge, on random full boards.

Every unit's move, dislodgement and support must be the same, unless known deviations of the package
from the DATC explain the whole board exactly (`rules/judges`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from dipsat.formats import parse_phase_text
from dipsat.rules import load_profile
from dipsat.studies import Deviation, RandomBoard, deviations, explaining_deviations, random_board
from tests.exhaustive import exhaustive, parts_of
from tests.judged_boards import judge_of, named, written
from tests.oracles.diplomacy_package import Fates, agree, dipsat_fates, package_fates
from tests.studies.test_judges import SECTIONS, Section

pytest.importorskip(
    "diplomacy", reason="the package diplomacy (an independent judge) is not installed"
)

BOARDS = range(300)
FEW = 50  # boards in every run
SHOWN = 5  # unexplained boards; explaining more would take long

NAMES = {
    "vain-via-over-land", "disrupted-convoy-over-land", "convoyed-army-does-not-cut",
    "disrupted-army-cuts", "own-support-of-via-counts", "own-support-disrupts",
    "beleaguered-convoy-fails", "propped-convoy-fails", "own-support-does-not-defend",
    "coast-of-support-ignored",
}  # fmt: skip
KNOWN = tuple(deviation for deviation in deviations() if deviation.name in NAMES)
"""Deviations that may explain a difference: only those of the package on their smallest boards."""

DATC = load_profile("datc")
SMALLEST = [section for section in SECTIONS if section.name in NAMES]


def board_of(section: Section) -> RandomBoard:
    """The example of a deviation on its page: a board with just the units that are ordered."""
    phase = parse_phase_text(section.example, section.name)
    units = {
        power: tuple(str(unit) for unit in phase.position.units if unit.power == power)
        for power in phase.orders
    }
    return RandomBoard(
        units, {power: tuple(map(str, given)) for power, given in phase.orders.items()}
    )


def explained(board: RandomBoard, theirs: Fates) -> tuple[Deviation, ...] | None:
    """Why the package's fates differ from dipsat's: not at all, by deviations, or None."""
    return explaining_deviations(
        judge_of(board), lambda outcome: agree(dipsat_fates(outcome), theirs), DATC, KNOWN
    )


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(BOARDS, FEW))
def test_random_boards_differ_only_by_known_deviations(seeds: range) -> None:
    """Guards the movement rules on whole boards: a difference that no known deviation explains
    counts as a fault of dipsat until shown otherwise. Most boards must agree outright."""
    causes: Counter[str] = Counter()
    unexplained = []
    for seed in seeds:
        board = random_board(seed)
        theirs = package_fates(board)
        found = explained(board, theirs)
        if found is None:
            mine = dipsat_fates(judge_of(board)(DATC))
            units = [f"  {u}: {mine[u]}, package {f}" for u, f in theirs.items() if f != mine[u]]
            unexplained.append("\n".join([f"random_board({seed})", written(board), *units]))
        else:
            causes[" + ".join(map(str, found)) or "equal"] += 1
        if len(unexplained) == SHOWN:
            break
    print(f"boards up to {seed} compared: {dict(causes.most_common())}")
    assert not unexplained, "\n".join(unexplained)
    assert causes["equal"] > 0.8 * len(seeds)


@pytest.mark.parametrize("seeds", parts_of(BOARDS, FEW))
def test_the_rules_named_after_the_package_judge_as_it_does(seeds: range) -> None:
    """All deviations together judge exactly as the package does."""
    rules = load_profile("judges/diplomacy")
    for seed in seeds:
        board = random_board(seed)
        assert agree(dipsat_fates(judge_of(board)(rules)), package_fates(board)), written(board)


@pytest.mark.parametrize("section", SMALLEST, ids=lambda section: section.name)
def test_smallest_board_of_each_deviation_differs_for_it_alone(section: Section) -> None:
    """Each deviation is real, and needed: its smallest board differs for that cause alone."""
    board = board_of(section)
    assert explained(board, package_fates(board)) == named(section.name)


def test_every_deviation_has_its_smallest_board() -> None:
    """No deviation may explain differences to the package without a board that shows it."""
    assert {section.name for section in SMALLEST} == NAMES


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_wrong_outcome_is_not_explained(seed: int) -> None:
    """The deviations do not excuse everything: if one unit's fate is reversed, no set of them
    explains the board."""
    board = random_board(seed, units=15)
    theirs = dict(package_fates(board))
    unit = min(unit for unit, fate in theirs.items() if not fate.moves)
    theirs[unit] = replace(theirs[unit], dislodged=not theirs[unit].dislodged)
    assert explained(board, theirs) is None
