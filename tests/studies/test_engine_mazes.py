"""The search for a convoy path stays polynomial in every engine, however many routes there are."""

from __future__ import annotations

import sys
from contextlib import suppress
from types import FrameType

import pytest

import dipsat
from dipsat.errors import CyclicOrdersError
from dipsat.studies import ENGINES
from tests.exhaustive import few_of
from tests.mazes import Maze, seas_beside_each_other

OF_1982 = ("dpjudge", "dip_eval")
SIMPLE = "simple_recursive"
NAMES = (
    *ENGINES,
    "simple_recursive(dependencies_first)",
    "partial_information(multi_pass=orders)",
    "partial_information(multi_pass=decisions)",
    "recursive_guess(paths=local_marks)",
    "recursive_guess(paths=resolved)",
    "recursive_guess(ask_once)",
)
ANSWERING = [name for name in NAMES if not name.startswith(SIMPLE)]


def judged(maze: Maze, name: str) -> dipsat.Outcome:
    return dipsat.adjudicate(maze.position(), maze.orders, engine=name)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("count", [2, 30])
def test_army_crosses_seas_that_are_all_beside_each_other(count: int, name: str) -> None:
    """Thirty of them have so many routes that an engine that lists the routes never ends."""
    outcome = judged(seas_beside_each_other(count, contested=False), name)
    assert [order.verdict for order in outcome.orders] == ["succeeds"] + ["available"] * count


@pytest.mark.parametrize("name", ANSWERING)
def test_route_is_found_while_a_fleet_of_it_depends_on_the_army(name: str) -> None:
    """The army arrives by other routes too, so its attack cuts the support. Under the rules of 1982
    it does not, and the fleet is dislodged (DATC 3.0 6.F.19)."""
    outcome = judged(seas_beside_each_other(30), name)
    last = "F S29"
    assert outcome.order(last).fate == ("destroyed" if name in OF_1982 else "")
    assert outcome.order("F END").verdict == ("given" if name in OF_1982 else "cut")
    others = {o.verdict for o in outcome.orders if o.unit[:3] == "F S" and o.unit != last}
    assert others == {"available"}


def calls(maze: Maze, name: str) -> int:
    """The number of Python functions called to judge a maze."""
    count = 0

    def seen(_: FrameType, event: str, __: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        with suppress(CyclicOrdersError):
            judged(maze, name)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("name", few_of(NAMES, 3))
@pytest.mark.parametrize("contested", [False, True], ids=["free", "contested"])
def test_work_grows_at_most_with_the_cube_of_the_seas(contested: bool, name: str) -> None:
    """Twice the seas have more than 10 to the 29 times the routes, and at most 8 times the work."""
    small, large = (seas_beside_each_other(count, contested) for count in (20, 40))
    for maze in (small, large):
        calls(maze, name)  # this imports modules and loads rules and maps
    assert calls(large, name) <= 8 * calls(small, name)
