"""Objects of the public classes, found in the results of public functions."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Set
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import dipsat
from dipsat import searches, studies
from dipsat.studies import stress_tests as open_orders
from tests.checkout import ROOT

ORDER_SET = dipsat.engines.read_order_set("X:\n A Aaa H\n")
BATTLE = {
    "FRANCE": ["F BRE", "A PAR", "A PIC"], "ENGLAND": ["F ENG", "A LON", "F WAL"],
    "GERMANY": ["A BUR", "A MUN"],
}  # fmt: skip
ORDERS = {
    "FRANCE": ["A PAR - BUR", "A PIC S A PAR - BUR", "F BRE - ENG"],
    "ENGLAND": ["A LON - BRE", "F ENG C A LON - BRE", "F WAL S F ENG", "A ROM - VEN"],
    "GERMANY": ["A BUR H", "A MUN S A BUR"],
}


LINES = searches.Lines(centres=("ANK", "CON", "SMY"))


def game_of_a_phase() -> dipsat.Game:
    """A game in which a phase was played."""
    game = dipsat.Game.standard()
    game.advance()
    return game


def roots() -> Iterator[object]:
    """Results of all public functions that do not take long."""
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
    yield from (studies.load_cases(older=True, variants=True), studies.deviations())
    yield studies.run_cases(studies.load_cases(("6.A", "6.F")), "judges/base", engine="dip_eval")
    yield from (studies.random_board(1), ORDER_SET)
    yield studies.Sheet("standard", (studies.SheetRow("FRANCE", "A PAR", ("A PAR H",)),))
    ruling: Any = outcome.rulings[0]
    yield dipsat.engines.DeclaredFacts("Exchange", 0, ruling, None, {}, "A PAR exchange")
    yield dipsat.load_phase(ROOT / "docs/examples/bounce.txt")
    yield from map(dipsat.load_map, ("standard", "colonial", "loeb9", "pure"))
    judges = [studies.Judge("solver", "rulebooks/1982"), studies.Judge("dip_eval")]
    yield judges
    boards: list[studies.Source] = [
        studies.RandomBoards(5),
        studies.DatcCases(("6.A.1",)),
    ]
    yield from (boards, studies.crosscheck(judges, boards))
    yield studies.impact("4.C.5-a", boards=studies.RandomBoards(1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(open_orders, "POSITIONS", 1)
        yield studies.stress(boards=2, units=4, timeout=0.0)
    yield from (dipsat.Achieve("dislodged(PAR)"), dipsat.Differ("datc"), dipsat.Paradox())
    yield from (dipsat.Guarantee("not dislodged(PAR)", "FRANCE"), searches.StalemateLine)
    yield dipsat.search(position, dipsat.Achieve("dislodged(PAR)"), ORDERS, open=["A MUN"])
    for name in ("south", "triangle"):
        yield searches.hold_line(str(ROOT / f"docs/examples/line-{name}-short.yaml"))
    yield from (dipsat.search(LINES), searches.confirm_fewest(LINES, 1))
    icy = "extends: datc\nfeatures: {ice: province}\ndecisions: {path(m): not ice(m.target)}\n"
    yield searches.structure_of(dipsat.parse_profile(icy, "icy"))  # no theorem covers it
    yield searches.LemmaQuestion("(check-sat)", "convoy depends on dislodge", None)
    yield dipsat.engines.carry_out(dipsat.engines.transform(ORDER_SET))
    yield from (dipsat.PhaseName.parse("S1901M"), game_of_a_phase().results())
    games = sorted(Path(ROOT / "docs/examples").glob("*.json*"))
    yield list(studies.replay_files([str(path) for path in games]))


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
    """An object's public attributes that exist or can be computed."""
    for name in dir(one):
        own = name.isidentifier() and not name.startswith("_")  # not caches
        if own and not callable(getattr(type(one), name, None)):
            try:
                yield getattr(one, name)
            except (dipsat.DipsatError, KeyError):
                continue
