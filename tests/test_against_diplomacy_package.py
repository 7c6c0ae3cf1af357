"""dipsat against the Python package `diplomacy`, an independent judge, on random full boards.

Every unit's move, dislodgement and support must come out alike, unless the package's known
deviations from the DATC explain the difference exactly (see `tests.other_judges`).
"""

from __future__ import annotations

from collections import Counter

import pytest

from bench.boards import Board, random_board
from tests.diplomacy_package import Fate, Fates, agree, dipsat_fates, package_fates
from tests.other_judges import (
    CONVOYED_DOES_NOT_CUT,
    COAST_OF_SUPPORT_IGNORED,
    DISRUPTED_OVER_LAND,
    OWN_SUPPORT_DISRUPTS,
    OWN_SUPPORT_DOES_NOT_DEFEND,
    OWN_SUPPORT_OF_VIA,
    PACKAGE_DEVIATIONS,
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
