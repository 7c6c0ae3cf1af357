"""dipsat against the Python package `diplomacy`, an independent judge, on random full boards.

Every unit's move, dislodgement and support must come out alike, unless known deviations of the
package from the DATC explain the whole board exactly (see `tests.other_judges`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from bench.boards import Board, random_board
from tests.diplomacy_package import Fates, agree, dipsat_fates, package_fates
from tests.other_judges import (
    BELEAGUERED_CONVOY_FAILS,
    COAST_OF_SUPPORT_IGNORED,
    CONVOYED_DOES_NOT_CUT,
    DISRUPTED_ARMY_CUTS,
    DISRUPTED_OVER_LAND,
    OWN_SUPPORT_DISRUPTS,
    OWN_SUPPORT_DOES_NOT_DEFEND,
    OWN_SUPPORT_OF_VIA,
    PACKAGE_DEVIATIONS,
    PROPPED_CONVOY_FAILS,
    VAIN_VIA_OVER_LAND,
    Deviation,
    explanation,
    judged,
    written,
)

pytest.importorskip(
    "diplomacy", reason="the package diplomacy (an independent judge) is not installed"
)

BOARDS = 300
SHOWN = 5  # unexplained boards; to seek explanations for more would take long

# For each deviation the smallest orders that show it: power -> orders, of its units only.
SMALLEST: dict[Deviation, dict[str, tuple[str, ...]]] = {
    VAIN_VIA_OVER_LAND: {
        "FRANCE": ("A MAR - PIE VIA", "F LYO H"),
    },
    DISRUPTED_OVER_LAND: {
        "ENGLAND": ("F VEN - ADR", "F ALB S F VEN - ADR"),
        "FRANCE": ("A APU - VEN", "F ADR C A APU - VEN"),
    },
    CONVOYED_DOES_NOT_CUT: {
        "ENGLAND": ("A YOR - EDI VIA", "F NTH C A YOR - EDI"),
        "FRANCE": ("F EDI S F NTH",),
    },
    DISRUPTED_ARMY_CUTS: {
        "ENGLAND": ("A CLY - BEL", "F NAO C A CLY - BEL", "F IRI C A CLY - BEL"),
        "FRANCE": ("F MAO C A CLY - BEL", "F ENG C A CLY - BEL"),
        "GERMANY": ("F BEL S F NTH", "F NTH H"),
        "ITALY": ("F BRE - ENG", "F LON S F BRE - ENG"),
    },
    OWN_SUPPORT_OF_VIA: {
        "AUSTRIA": ("A TRI H", "F VEN S A APU - TRI"),
        "ITALY": ("A APU - TRI VIA", "F ADR C A APU - TRI"),
    },
    OWN_SUPPORT_DISRUPTS: {
        "ENGLAND": ("F HEL - NTH",),
        "RUSSIA": ("F NTH C A DEN - YOR", "F NWG S F HEL - NTH", "A DEN - YOR"),
    },
    BELEAGUERED_CONVOY_FAILS: {
        "ENGLAND": ("F NTH C A LON - HOL", "A LON - HOL", "F KIE S A LON - HOL"),
        "FRANCE": ("F ENG - NTH", "F BEL S F ENG - NTH"),
        "GERMANY": ("F HOL - NTH", "F HEL S F HOL - NTH"),
    },
    PROPPED_CONVOY_FAILS: {
        "GERMANY": ("F CON - BLA", "F SEV S F BLA"),
        "RUSSIA": ("A UKR - SEV",),
        "TURKEY": ("A ANK - SEV", "F BLA C A ANK - SEV", "A MOS S A ANK - SEV"),
    },
    OWN_SUPPORT_DOES_NOT_DEFEND: {
        "ENGLAND": (
            "F WAL - IRI", "F MAO S F WAL - IRI", "F LVP S F IRI - WAL", "A YOR S F IRI - WAL",
        ),
        "FRANCE": ("F IRI - WAL",),
    },
    COAST_OF_SUPPORT_IGNORED: {
        "FRANCE": ("F POR - SPA/SC", "F WES S F POR - SPA/NC"),
    },
}  # fmt: skip


def board_of(orders: dict[str, tuple[str, ...]]) -> Board:
    """The board with just the units that are ordered."""
    units = {
        power: tuple(" ".join(order.split()[:2]) for order in texts)
        for power, texts in orders.items()
    }
    return Board(units, orders)


def explained(board: Board, theirs: Fates) -> tuple[Deviation, ...] | None:
    """Why the package's fates differ from dipsat's: not at all, by deviations, or None."""
    return explanation(
        board, lambda outcome: agree(dipsat_fates(outcome), theirs), PACKAGE_DEVIATIONS
    )


def test_random_boards_differ_only_by_known_deviations() -> None:
    """Guards the movement rules on whole boards: whatever no known deviation of the package
    explains is a fault, of dipsat until shown otherwise. Most boards must agree outright."""
    causes: Counter[str] = Counter()
    unexplained = []
    for seed in range(BOARDS):
        board = random_board(seed)
        theirs = package_fates(board)
        found = explained(board, theirs)
        if found is None:
            mine = dipsat_fates(judged(board))
            units = [f"  {u}: {mine[u]}, package {f}" for u, f in theirs.items() if f != mine[u]]
            unexplained.append("\n".join([f"random_board({seed})", written(board), *units]))
        else:
            causes[" + ".join(map(str, found)) or "equal"] += 1
        if len(unexplained) == SHOWN:
            break
    print(f"{seed + 1} boards compared: {dict(causes.most_common())}")
    assert not unexplained, "\n".join(unexplained)
    assert causes["equal"] > 0.8 * BOARDS


@pytest.mark.parametrize("deviation", SMALLEST, ids=str)
def test_smallest_board_of_each_deviation(deviation: Deviation) -> None:
    """Each deviation is real, and needed: its smallest board differs for that cause alone."""
    board = board_of(SMALLEST[deviation])
    assert explained(board, package_fates(board)) == (deviation,)


def test_every_deviation_has_its_smallest_board() -> None:
    """No deviation may be added to explain differences without a board that shows it."""
    assert set(SMALLEST) == set(PACKAGE_DEVIATIONS)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_wrong_outcome_is_not_explained(seed: int) -> None:
    """The deviations are no excuse for anything: with one unit's fate turned round, no set of
    them explains the board."""
    board = random_board(seed, units=15)
    theirs = dict(package_fates(board))
    unit = min(unit for unit, fate in theirs.items() if not fate.moves)
    theirs[unit] = replace(theirs[unit], dislodged=not theirs[unit].dislodged)
    assert explained(board, theirs) is None


def test_the_hooks_alone_change_nothing() -> None:
    """The equations with hooks, in which deviations are written, say what the profile `datc`
    says as long as no deviation fills a hook: so they cannot hide a fault of `datc`."""
    nothing = Deviation("nothing", "deviates in nothing")
    for seed in range(BOARDS):
        board = random_board(seed)
        assert dipsat_fates(judged(board, [nothing])) == dipsat_fates(judged(board))
