"""What public objects show in an interpreter: one short line, however much they hold."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import dipsat
from dipsat.brief import LONGEST, brief
from tests.pages import ROOT
from tests.test_public_face import ORDER_SET, public_things

MOST = 200
CLASSES = {
    name: thing
    for name, thing in public_things()
    if isinstance(thing, type) and not issubclass(thing, dipsat.DipsatError | Enum)
}
PROTOCOLS = {"dipsat.engines.Engine", "dipsat.engines.TracedEngine"}
OWN = {"dipsat.Game", "dipsat.UnitKind"}
"""Classes with a `repr` of their own: `Game('S1901M', ...)`, and a letter."""
BATTLE = {
    "FRANCE": ["F BRE", "A PAR", "A PIC"], "ENGLAND": ["F ENG", "A LON", "F WAL"],
    "GERMANY": ["A BUR", "A MUN"],
}  # fmt: skip
ORDERS = {
    "FRANCE": ["A PAR - BUR", "A PIC S A PAR - BUR", "F BRE - ENG"],
    "ENGLAND": ["A LON - BRE", "F ENG C A LON - BRE", "F WAL S F ENG", "A ROM - VEN"],
    "GERMANY": ["A BUR H", "A MUN S A BUR"],
}


def roots() -> Iterator[object]:
    """Results of all public functions that take no long time."""
    position = dipsat.Position.from_units(BATTLE)
    for engine in dipsat.engines.ENGINES:
        outcome = dipsat.adjudicate(position, ORDERS, engine=engine)
        yield outcome
    yield dipsat.adjudicate(position, ORDERS, engine="recursive_guess", trace=True)
    yield dipsat.adjudicate(position, ORDERS, engine="partial_information", trace=True)
    outcome = dipsat.adjudicate(position, ORDERS)
    yield from (outcome, dipsat.prove(position, ORDERS))
    yield dipsat.explain(outcome, "A PAR", core=True, change=True)
    yield dipsat.compare(position, ORDERS, ["datc", "judges/base"])
    yield dipsat.adjudicate(outcome.next, {})
    ring = {"TURKEY": ["F ANK - CON", "A CON - SMY", "A SMY - ANK"]}
    loop = dipsat.Position.from_units({"TURKEY": ["F ANK", "A CON", "A SMY"]})
    yield dipsat.adjudicate(loop, ring)
    yield dipsat.adjudicate(loop, ring, engine="recursive_guess", trace=True)
    retreat = {"FRANCE": ["A BUR"]}
    lost = dipsat.Position.from_units({"GERMANY": ["A PAR"]}, phase="F1901R", dislodged=retreat)
    yield from (lost, dipsat.adjudicate(lost, {"FRANCE": ["A BUR R GAS"]}))
    winter = dipsat.Position.from_units({}, phase="W1901A", centers={"FRANCE": ["PAR", "BRE"]})
    yield dipsat.adjudicate(winter, {"FRANCE": ["A PAR B", "WAIVE"]})
    yield dipsat.Game.standard().submit("FRANCE", ["A PAR - BUR"])._turns
    yield dipsat.load_profile("arpiesse").words
    yield from (dipsat.load_cases(older=True, variants=True), dipsat.deviations())
    yield dipsat.run_cases(dipsat.load_cases(("6.A", "6.F")), "judges/base", engine="dip_eval")
    yield from (dipsat.random_board(1), ORDER_SET)
    yield from map(dipsat.load_map, dipsat.map_names())
    judges = [dipsat.Judge("solver", "rulebooks/1982"), dipsat.Judge("dip_eval")]
    yield judges
    boards: list[dipsat.Source] = [dipsat.RandomBoards(20), dipsat.DatcCases(("6.A.1",))]
    yield from (boards, dipsat.crosscheck(judges, boards))
    yield dipsat.stress(boards=2, units=4, timeout=0.0)
    yield from (dipsat.Achieve("dislodged(PAR)"), dipsat.Differ("datc"), dipsat.Paradox())
    yield from (dipsat.Guarantee("not dislodged(PAR)", "FRANCE"), dipsat.StalemateLine)
    yield dipsat.search(position, dipsat.Achieve("dislodged(PAR)"), ORDERS, open=["A MUN"])
    yield dipsat.hold_line(str(ROOT / "docs/examples/line-south-short.yaml"))
    yield dipsat.structure_of(dipsat.load_profile("datc"), 1)
    yield dipsat.engines.carry_out(dipsat.engines.transform(ORDER_SET))
    yield dipsat.PhaseName.parse("S1901M")
    games = sorted(Path(ROOT / "docs/examples").glob("*.json*"))
    yield list(dipsat.replay_files([str(path) for path in games]))


@cache
def samples() -> Mapping[type, tuple[object, ...]]:
    """Public class -> some of its objects, found in the attributes of other objects."""
    found: dict[type, list[object]] = {}
    waiting, seen = deque[object](roots()), set[int]()
    kept: list[object] = []
    while waiting:
        one = waiting.popleft()
        if id(one) in seen or isinstance(one, str | int | float | type | None):
            continue
        seen.add(id(one))
        kept.append(one)  # so that no other object gets its id
        if isinstance(one, Mapping):
            waiting.extend((*one.keys(), *one.values()))
        elif isinstance(one, list | Set) or type(one) is tuple:
            waiting.extend(one)
        elif type(one).__module__.startswith("dipsat") and len(found.get(type(one), ())) < 50:
            found.setdefault(type(one), []).append(one)
            waiting.extend(attributes(one))
    return {kind: tuple(objects) for kind, objects in found.items()}


def attributes(one: Any) -> Iterator[object]:
    """The public attributes of an object that are there, or can be computed."""
    for name in dir(one):
        if not name.startswith("_") and not callable(getattr(type(one), name, None)):
            try:
                yield getattr(one, name)
            except (dipsat.DipsatError, KeyError):
                continue


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
    *("dipsat.Outcome", "dipsat.OrderOutcome"),  # bases
    *("dipsat.Game", "dipsat.UnitKind"),  # no part of a result
    *("dipsat.Build", "dipsat.Disband", "dipsat.Retreat", "dipsat.Waive", "dipsat.Unreadable"),
    *("dipsat.DeclaredOrder", "dipsat.NotMade", "dipsat.Unanswered", "dipsat.ComparedRetreats"),
    *("dipsat.Disagreement", "dipsat.SmallestDisagreement", "dipsat.CrosscheckGroup"),
    *("dipsat.Divergence", "dipsat.Sheet", "dipsat.SheetRow"),
    *("dipsat.GameReport", "dipsat.DifferingPhase", "dipsat.ReplayFailure", "dipsat.ReplaySkipped"),
    *("dipsat.engines.Verdicts", "dipsat.engines.Mismatch", "dipsat.engines.Dislodged"),
}
"""Classes that occur in no result of these; they are brief all the same."""


def test_there_is_an_object_of_nearly_every_public_class() -> None:
    lacking = {name for name in CLASSES.keys() - PROTOCOLS if not samples().get(CLASSES[name])}
    assert lacking == WITHOUT


def test_every_public_class_is_brief() -> None:
    """Those too of which this file makes no object."""
    lacking = {
        name
        for name in CLASSES.keys() - PROTOCOLS - OWN
        if CLASSES[name].__repr__.__module__ != "dipsat.brief"
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
