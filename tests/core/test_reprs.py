"""What public objects show in an interpreter: one short line, however much they hold."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

import pytest

import dipsat
from dipsat.base import brief
from dipsat.base.values import LONGEST
from tests.core.samples import samples
from tests.core.test_public_face import public_things
from tests.exhaustive import exhaustive

MOST = 200
CLASSES = {
    name: thing
    for name, thing in public_things()
    if isinstance(thing, type) and not issubclass(thing, dipsat.DipsatError | Enum)
}
PROTOCOLS = {"dipsat.engines.Engine", "dipsat.engines.TracedEngine"}
OWN = {"dipsat.Game", "dipsat.UnitKind", "dipsat.draw.Svg"}
"""Classes with a `repr` of their own: `Game('S1901M', ...)`, a letter, and a length."""


@pytest.mark.parametrize("name", sorted(CLASSES.keys() - PROTOCOLS))
def test_a_public_object_shows_itself_in_a_short_line(name: str) -> None:
    objects = samples().get(CLASSES[name], ())
    for one in objects:
        shown = repr(one)
        assert len(shown) <= MOST, shown
        assert "\n" not in shown
        assert " object at 0x" not in shown
        assert name in OWN or shown.startswith(f"{CLASSES[name].__name__}(")


WITHOUT = {
    *("dipsat.Outcome", "dipsat.OrderOutcome", "dipsat.Question"),  # bases
    *("dipsat.Game", "dipsat.studies.OrdersApart", "dipsat.UnitKind"),  # no part of a result
    *("dipsat.Build", "dipsat.Disband", "dipsat.Retreat", "dipsat.Waive", "dipsat.Unreadable"),
    *(
        "dipsat.DeclaredOrder",
        "dipsat.studies.NotMade",
        "dipsat.studies.Unanswered",
        "dipsat.ComparedRetreats",
    ),
    *(
        "dipsat.studies.Disagreement",
        "dipsat.studies.SmallestDisagreement",
        "dipsat.studies.CrosscheckGroup",
    ),
    "dipsat.studies.Divergence",
    *(
        "dipsat.studies.GameReport",
        "dipsat.studies.DifferingPhase",
        "dipsat.studies.ReplayFailure",
        "dipsat.studies.ReplaySkipped",
    ),
    "dipsat.studies.NotJudged",
    *(
        "dipsat.kernel.Batch",
        "dipsat.kernel.BatchResult",
        "dipsat.kernel.BoardCodes",
    ),  # about many phases
    *(
        "dipsat.kernel.ResultArrays",
        "dipsat.kernel.MapNumbers",
        "dipsat.kernel.LegalOrders",
        "dipsat.kernel.PositionCodes",
    ),
    *("dipsat.kernel.Advanced", "dipsat.kernel.Games", "dipsat.kernel.PlayedPhase"),
    *("dipsat.engines.Verdicts", "dipsat.engines.Mismatch", "dipsat.engines.Dislodged"),
    *("dipsat.studies.Workers", "dipsat.studies.Done"),  # about calls
    *(
        "dipsat.searches.OpenPosition",
        "dipsat.searches.AnyUnits",
    ),  # of which a result has only the text
    "dipsat.draw.Svg",  # a text
}
"""Classes that occur in no result of these; they are brief all the same."""


def test_there_is_an_object_of_nearly_every_public_class() -> None:
    lacking = {name for name in CLASSES.keys() - PROTOCOLS if not samples().get(CLASSES[name])}
    assert lacking == WITHOUT


def test_every_public_class_is_brief() -> None:
    """Including those that this file makes no objects of."""
    lacking = {
        name
        for name in CLASSES.keys() - PROTOCOLS - OWN
        if CLASSES[name].__repr__.__module__ != "dipsat.base.values"
    }
    assert lacking == set()


def test_a_line_says_what_matters() -> None:
    position = dipsat.Position.start()
    assert repr(position) == "Position(map=<Map standard>, units=<22>, phase='S1901M', centers=<7>)"
    assert repr(dipsat.adjudicate(position, {})) == (
        "MovementOutcome(rules='datc', map='standard', phase='S1901M')"
    )
    unit = dipsat.UnitName("PAR", dipsat.UnitKind.ARMY)
    assert repr(dipsat.Move(unit, "BUR")) == (
        "Move(unit=UnitName(location='PAR', kind='A'), target='BUR')"
    )


@exhaustive
def test_what_is_too_long_is_cut() -> None:
    @brief()
    @dataclass
    class Many:
        name: str
        parts: tuple[str, ...] = ()
        first: str = ""
        second: str = ""
        third: str = ""

    assert repr(Many("x", ("a",))) == "Many(name='x', parts=('a',))"
    assert repr(Many("x", ("a",) * 9)) == "Many(name='x', parts=<9>)"
    shown = repr(Many("x" * 999, ("y" * 99,), "z" * 99, "z" * 99, "last"))
    assert shown == f"Many(name='{'x' * 50}'..., parts=<1>, first='{'z' * 50}'..., ...)"
    assert len(shown) <= LONGEST + 20
    assert len(repr(Many("\n\U000e0001" * 99))) <= MOST
    nested: Any = []
    for _ in range(100_000):
        nested = [nested]
    assert repr(Many("x", nested)) == "Many(name='x', parts=<1>)"
