"""Public objects show one short line in an interpreter, however much they hold."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

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


def test_public_objects_show_themselves_in_a_short_line() -> None:
    found = {name: samples().get(CLASSES[name], ()) for name in CLASSES.keys() - PROTOCOLS}
    assert sum(bool(objects) for objects in found.values()) > len(found) / 2
    for name, objects in found.items():
        for one in objects:
            shown = repr(one)
            assert len(shown) <= MOST, shown
            assert "\n" not in shown
            assert " object at 0x" not in shown
            assert name in OWN or shown.startswith(f"{CLASSES[name].__name__}(")


def test_every_public_class_has_a_brief_repr() -> None:
    """Including those of which this file makes no objects."""
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
