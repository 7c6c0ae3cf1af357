"""What much work takes and costs, reckoned by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dipsat.studies.impact_judging import BOARDS_AT_ONCE
from tools.cluster_cost import Inputs, predicted

# 2 ms of a core for each of 10^9 boards are 2,000,000 seconds; half as much again at 2/3.
GIVEN = Inputs(10**9, 1000, 0.05, board=0.002, efficiency=2 / 3, piece=0.0, task=0.001)


def test_a_thousand_cores_take_fifty_minutes() -> None:
    """3,000,000 seconds of them: 3,000 each. Their tasks take 20 seconds: there are 150,000."""
    found = predicted(GIVEN)
    assert found.core_hours == pytest.approx(2500 / 3)
    assert found.hours == pytest.approx(5 / 6)
    assert found.cost == pytest.approx(1000 * 5 / 6 * 0.05)
    assert found.driver == pytest.approx(150 / 3000)


def test_a_driver_that_is_too_busy_is_waited_for() -> None:
    """2 ms for each 500 boards are 4,000 seconds, with the tasks 4,150. The cores cost money."""
    assert BOARDS_AT_ONCE == 500
    found = predicted(replace(GIVEN, piece=0.002))
    assert found.hours == pytest.approx(4150 / 3600)
    assert found.cost == pytest.approx(1000 * 4150 / 3600 * 0.05)
    assert found.driver == pytest.approx(4150 / 3000)
