"""Arguments of the right type that mean nothing: odd names in typed orders, paths and numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings, strategies as st

import dipsat
from dipsat import searches, studies
from dipsat.base import data_folder, fault_in, running
from dipsat.board import parse_map
from dipsat.errors import ArgumentError, DipsatError, FileError, OrderFaultError, UnknownNameError
from dipsat.orders import (
    Build,
    Convoy,
    DeclaredOrder,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    UnitName,
    Unreadable,
    Waive,
)
from dipsat.solving import budget_of
from dipsat.studies.parallel_run import Stage, results_of
from tests.exhaustive import exhaustive, few_examples
from tests.phases import RING, position_of

# --- Typed orders ---------------------------------------------------------------------------

COLONIAL = dipsat.load_profile("colonial")
ARPIESSE = dipsat.load_profile("arpiesse+color_exchange=on")
STANDARD = dipsat.Position.start()
WINTER = "phase: W1901A\nunits: {FRANCE: [A PAR, F BRE]}\ncenters: "
POSITIONS: dict[str, tuple[dipsat.Position, Any]] = {
    "movement": (STANDARD, "datc"),
    "every word counts": (STANDARD, "rulebooks/datc-2.4"),
    "declared kinds": (dipsat.Position.start("colonial"), COLONIAL),
} | {
    name: (dipsat.parse_phase(f"orders: {{}}\n{text}\n", "a.yaml", rules=rules).position, rules)
    for name, rules, text in (
        (
            "retreats", "datc",
            "phase: S1901R\nunits: {GERMANY: [A PAR]}\ndislodged: {FRANCE: {A PAR: []}}",
        ),
        ("builds", "datc", WINTER + "{FRANCE: [PAR, BRE, MAR], ENGLAND: [LON, EDI]}"),
        ("removals", "datc", WINTER + "{FRANCE: [PAR]}"),
        ("summer", ARPIESSE, "phase: U1901X\nunits: {FRANCE: [red A PAR, red F BRE]}"),
    )
}  # fmt: skip
KNOWN = ("PAR", "BUR", "BRE", "LON", "STP", "STP/NC", "BRE/EC", "MAO", "CAN", "HK")
ODD = ("NOPE", "", "/", "/NC", "PAR/XX", "STP/nc", "par", "A PAR", "\ud800", "\0", "É", "x" * 300)
LOCATIONS = st.sampled_from([*KNOWN * 5, *ODD])
KINDS = st.sampled_from([None, dipsat.UnitKind.ARMY, dipsat.UnitKind.FLEET])
POWERS = st.sampled_from([None, "FRANCE", "ENGLAND", "NOPE", ""])
VALUES = st.sampled_from([(), (("color", "red"),), (("color", "puce"),), (("nope", ""),)])
UNITS = st.builds(UnitName, LOCATIONS, KINDS, POWERS, VALUES)
DECLARED = [kind.name for rules in (COLONIAL, ARPIESSE) for kind in rules.words.kinds]
SLOTS = [s.name for rules in (COLONIAL, ARPIESSE) for k in rules.words.kinds for s in k.fields]
FIELDS = st.lists(st.tuples(st.sampled_from([*SLOTS, "nope"]), UNITS | LOCATIONS), max_size=3)
ORDERS: st.SearchStrategy[Order] = st.one_of(
    st.builds(Hold, UNITS),
    st.builds(Move, UNITS, LOCATIONS, st.booleans(), st.lists(LOCATIONS, max_size=2).map(tuple)),
    st.builds(SupportHold, UNITS, UNITS),
    st.builds(SupportMove, UNITS, UNITS, LOCATIONS),
    st.builds(Convoy, UNITS, UNITS, LOCATIONS),
    st.builds(Retreat, UNITS, LOCATIONS),
    st.builds(Disband, UNITS),
    st.builds(Build, UNITS),
    st.builds(Waive),
    st.builds(
        DeclaredOrder,
        st.sampled_from([*DECLARED, "nope"]),
        UNITS,
        FIELDS.map(tuple),
        st.sampled_from(["", "nonsense"]),
        st.sampled_from(["", "U", "S"]),
    ),
    st.builds(Unreadable, UNITS, st.just("A?"), st.just("no order")),
)


@pytest.mark.parametrize("name", POSITIONS)
@few_examples(
    20, settings(max_examples=60, deadline=None), orders=st.lists(ORDERS, min_size=1, max_size=3)
)
def test_typed_orders_with_any_names_are_ruled_on_or_refused(
    name: str, orders: list[Order]
) -> None:
    position, rules = POSITIONS[name]
    power = "FRANCE" if "FRANCE" in position.map.powers else next(iter(position.map.powers))
    with suppress(DipsatError):
        outcome = dipsat.adjudicate(position, {power: orders}, rules)
        assert str(outcome.next.phase)
        assert all(one.reason is not None for one in outcome.orders)
    with suppress(DipsatError):
        dipsat.Game(position, rules).submit(power, orders, keep_unreadable=True).advance()
    for order in orders:
        for notation in dipsat.NOTATIONS:
            with suppress(DipsatError):
                assert isinstance(
                    dipsat.write_order(order, position.map, notation, power=power), str
                )


PARIS = UnitName("PAR", dipsat.UnitKind.ARMY)


@pytest.mark.parametrize(
    ("phase", "order", "said"),
    [
        ("movement", Move(PARIS, "ZZ"), "unknown province 'ZZ'"),
        ("movement", Move(PARIS, "PIC", True, ("ENX",)), "unknown province 'ENX'; did you mean"),
        ("movement", Hold(UnitName("PAR", None, "FRANKREICH")), "unknown power 'FRANKREICH'"),
        ("movement", Hold(UnitName("PAR/XX")), "unknown coast 'XX'"),
        ("movement", Convoy(UnitName("MAO"), UnitName("BREST"), "SPA"), "unknown province"),
        ("movement", SupportHold(PARIS, UnitName("ZZ")), "unknown province 'ZZ'"),
        ("movement", DeclaredOrder("x", UnitName("LON"), ()), "unknown kind of orders 'x'"),
        ("retreats", Retreat(PARIS, "ZZ"), "unknown province 'ZZ'"),
        ("builds", Build(UnitName("ZZ")), "unknown province 'ZZ'"),
        ("removals", Disband(UnitName("ZZ")), "unknown province 'ZZ'"),
        ("declared kinds", DeclaredOrder("x", UnitName("LON"), ()), "unknown kind of orders 'x'"),
    ],
)
def test_a_typed_order_is_refused_as_its_text_would_be(phase: str, order: Order, said: str) -> None:
    position, rules = POSITIONS[phase]
    power = next(iter(position.map.powers))
    with pytest.raises(UnknownNameError, match=said):
        dipsat.adjudicate(position, {power: [order]}, rules)
    with pytest.raises(UnknownNameError, match=said):
        dipsat.Game(position, rules).submit(power, [order])


def test_fields_of_a_declared_order_must_be_those_of_its_kind() -> None:
    position, rules = POSITIONS["declared kinds"]
    kind = next(kind for kind in COLONIAL.words.kinds if kind.fields)
    order = DeclaredOrder(kind.name, UnitName("CAL"), (("nope", "CAL"),), season=kind.season)
    power = next(iter(position.map.powers))
    with pytest.raises(OrderFaultError, match=f"orders of the kind {kind.name} have the fields: "):
        dipsat.adjudicate(position, {power: [order]}, rules)


def test_a_coast_that_makes_no_sense_is_still_for_the_rules_to_judge() -> None:
    outcome = dipsat.adjudicate(STANDARD, {"FRANCE": [Move(PARIS, "PIC/EC")]})
    assert outcome.order("A PAR").verdict == "succeeds"


# --- Maps and documents ---------------------------------------------------------------------

BOARD = STANDARD.map


@pytest.mark.parametrize(
    "ask",
    [
        lambda: BOARD.has_feature("ice", "NOPE"),
        lambda: BOARD.has_feature("ice", "LON", "NOPE"),
        lambda: BOARD.reach("Z", "LON"),
        lambda: BOARD.reach_provinces("Z", "LON"),
        lambda: dipsat.write_order(Move(UnitName("NOPE"), "ZZ"), BOARD, "datc"),
    ],
)
def test_names_that_a_map_lacks_are_named(ask: Callable[[], object]) -> None:
    with pytest.raises(UnknownNameError):
        ask()


class Text(str):
    """A text of another library, such as numpy's."""

    __slots__ = ()

    def __str__(self) -> str:
        raise RuntimeError("not asked for")


def test_a_wrong_argument_is_that_of_the_function_that_was_called() -> None:
    with pytest.raises(ArgumentError, match=r"^dipsat\.Position\.from_dict: units should be"):
        dipsat.Position.from_dict({"phase": None, "units": None})


def test_texts_may_be_of_a_subclass() -> None:
    text = (data_folder("rules") / "maps" / "standard.yaml").read_text(encoding="utf-8")
    assert parse_map(Text(text), "x") == parse_map(text, "x")
    rules = "name: x\ntitle: x\nextends: datc\n"
    assert dipsat.parse_profile(Text(rules), "x") == dipsat.parse_profile(rules, "x")
    assert STANDARD.reader.read(Text("A PAR - BUR")) == STANDARD.reader.read("A PAR - BUR")


@pytest.mark.parametrize("name", ["a\0b", "a\ud800"])
def test_a_path_that_no_file_can_have_is_reported(name: str, tmp_path: Path) -> None:
    path = str(tmp_path / name)
    for write in (dipsat.Game.standard().save, dipsat.prove(STANDARD, {}).write_smt2):
        with pytest.raises(FileError, match="cannot be written"):
            write(path)


def test_a_text_that_no_file_can_hold_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    game = dipsat.Game.standard()
    file = tmp_path / "game.json"
    game.save(file)
    before = file.read_bytes()
    game.name = "\ud800"
    with pytest.raises(FileError, match="cannot be written"):
        game.save(file)
    assert file.read_bytes() == before


# --- Numbers --------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [10**400, 10**18, 1e308, math.inf])
def test_a_huge_time_limit_is_no_limit(limit: float) -> None:
    with running(dipsat.Limits(seconds=limit)):
        assert not budget_of().is_over()


@exhaustive
def test_every_question_takes_a_huge_time_limit() -> None:
    huge = dipsat.Limits(seconds=10**400)
    outcome = dipsat.adjudicate(position_of(RING), RING, presolve=False, limits=huge)
    assert outcome.order("A CON").verdict == "succeeds"
    dipsat.explain(outcome, "A CON", core=True, limits=huge)
    dipsat.prove(outcome.position, RING, limits=huge)
    small = dipsat.Position.from_units({"FRANCE": ["A PAR"], "GERMANY": ["A BUR"]})
    dipsat.search(small, dipsat.Achieve("dislodged(PAR)"), limits=huge)


@pytest.mark.parametrize("timeout", [math.inf, 10**400])
def test_a_stress_test_takes_a_huge_timeout(timeout: float, monkeypatch: Any) -> None:
    monkeypatch.setattr("dipsat.studies.stress_tests.question_about", lambda *_: None)
    studies.stress("datc", boards=1, units=3, timeout=timeout)


def test_a_timeout_that_is_not_a_number_is_refused() -> None:
    with pytest.raises(ArgumentError, match="not nan"):
        studies.stress("datc", boards=1, units=3, timeout=math.nan)


def test_the_number_of_processes_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    class Pool(ThreadPoolExecutor):
        def __init__(self, jobs: int, **_: object) -> None:
            asked.append(jobs)
            super().__init__(1)

    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", Pool)
    stage = Stage("writing", str, lambda number, reason: reason)
    for jobs in (2, 2**63, 10**400):
        assert [text for _, text in results_of(stage, range(3), jobs, few=1)] == ["0", "1", "2"]
    assert asked == [2, 1024, 1024]


@pytest.mark.parametrize("effort", [0, -(10**30)])
def test_an_effort_without_a_limit_is_refused(effort: int) -> None:
    with pytest.raises(ArgumentError, match="effort should be a whole number of at least 1"):
        searches.structure_of(COLONIAL, effort)


@exhaustive
def test_the_parts_of_a_long_list_are_examined_up_to_a_limit() -> None:
    """A list that is too long for dipsat is refused for its length, not searched for faults."""
    asked = 0

    class Listed(list[str]):
        def __iter__(self) -> Iterator[str]:
            nonlocal asked
            for _ in range(50_000):
                asked += 1
                yield "WAIVE"

    assert fault_in(Listed(["a"]), list[str]) is None
    assert asked <= 10_001
