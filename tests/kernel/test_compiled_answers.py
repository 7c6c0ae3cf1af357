"""`adjudicate` has the same results if compiled equations give the verdicts and the position."""

from __future__ import annotations

import copy
import os
import pickle
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import dipsat
from dipsat import Limits, studies
from dipsat.board import UnitKind
from dipsat.errors import DipsatError, KernelError
from dipsat.formats.saved_game import read_phase_lines
from dipsat.kernel import Batch, library
from dipsat.orders import Move, Unit, UnitName
from dipsat.outcomes import MovementOutcome, answer_source, answers
from dipsat.rules import shipped_names, short_name
from dipsat.studies.replays import replay_game
from dipsat.studies.sources import Source
from tests.exhaustive import exhaustive, few_of
from tests.kernel.agreement.boards import random_boards
from tests.kernel.agreement.compare import Board
from tests.kernel.kernel_agreement import ELSEWHERE, QUICKLY, needs_compiler
from tests.phases import BY_SOLVER
from tests.recorded import FEW, needs_games, recorded_games

pytestmark = needs_compiler

PROFILES = sorted(short_name(name, shipped_names()) for name in shipped_names())
PLACES = [("datc", one) for one in ("standard", "known_world_901", "pure", "sengoku", "britain")]
Compile = Callable[..., Batch]


@pytest.fixture
def compile_rules(monkeypatch: pytest.MonkeyPatch) -> Iterator[Compile]:
    """A function that compiles rules for this test only."""
    built = []
    monkeypatch.setattr(library, "_OPTIMISED", QUICKLY)

    def build(*of: Any) -> Batch:
        built.append(dipsat.kernel.build(*of))
        return built[-1]

    yield build
    for batch in built:
        answer_source(batch.rules, batch.map).answers = None


def judged(board: Board, batch: Batch, **options: Any) -> MovementOutcome | str:
    """The outcome of a board, or the error."""
    position, orders = board
    try:
        found = dipsat.adjudicate(position, orders, batch.rules, lenient=True, **options)
        found.next  # noqa: B018  # rules may let two units end in one province
    except DipsatError as error:
        return f"{type(error).__name__}: {error}"
    assert isinstance(found, MovementOutcome)
    return found


def dumped_and_loaded(outcome: MovementOutcome) -> Any:
    return pickle.loads(pickle.dumps(outcome))


def what_comes(outcome: MovementOutcome) -> list[object]:
    """The results of compiled equations, before anything else is read."""
    orders = [(one.power, one.unit, one.submitted, one.verdict, one.fate) for one in outcome.orders]
    after, lost = (outcome.units_after, outcome.ends), outcome.dislodged
    proven = outcome.is_proven, outcome.is_decided
    return [orders, after, lost, outcome.contested, outcome.next, proven]


@exhaustive
@pytest.mark.parametrize("rules", few_of(PROFILES, 3))
def test_outcomes_are_the_same_as_without_compiling(rules: str, compile_rules: Compile) -> None:
    batch, compiled = compile_rules(rules), 0
    for board in random_boards(batch, range(12)):
        quick, plain = judged(board, batch), judged(board, batch, limits=BY_SOLVER)
        if isinstance(quick, str) or isinstance(plain, str):
            assert quick == plain
            continue
        compiled += quick.is_compiled
        assert not plain.is_compiled
        assert what_comes(quick) == what_comes(plain)
        assert quick.to_dict() == plain.to_dict()
        assert str(quick) == str(plain)
        assert quick == plain
    assert compiled or rules == "arpiesse"


@exhaustive
@pytest.mark.parametrize(("rules", "map"), few_of([*ELSEWHERE, *PLACES], 4))
def test_legal_orders_are_the_same_as_without_compiling(
    rules: str, map: str, compile_rules: Compile, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = compile_rules(rules, map)
    for position, _ in random_boards(batch, range(6), large=True):
        game = dipsat.Game(position, batch.rules)
        compiled = game.all_legal_orders()
        with monkeypatch.context() as patch:
            patch.setattr("dipsat.formats.game.compiled_legal_orders", lambda *_: None)
            plain = game.all_legal_orders()
        assert [(power, [*own.items()]) for power, own in compiled.items()] == [
            (power, [*own.items()]) for power, own in plain.items()
        ]


def test_legal_orders_come_from_compiled_code(
    compile_rules: Compile, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = compile_rules("datc")
    monkeypatch.setattr("dipsat.formats.game.listed_order_texts", None)
    assert len(dipsat.Game().all_legal_orders()["RUSSIA"]["F STP/SC"]) == 6
    monkeypatch.undo()
    ((position, _),) = random_boards(batch, [1])
    assert dipsat.Game(position).all_legal_orders()


@exhaustive
def test_an_outcome_can_be_copied_before_reasons_are_read(compile_rules: Compile) -> None:
    batch = compile_rules("datc")
    (board,) = random_boards(batch, [1])
    expected = judged(board, batch, limits=BY_SOLVER)
    assert isinstance(expected, MovementOutcome)
    copies: list[Callable[[Any], Any]] = [copy.copy, copy.deepcopy, dumped_and_loaded]
    for copied in copies:
        outcome = judged(board, batch)
        assert isinstance(outcome, MovementOutcome)
        assert outcome.is_compiled
        twice = copied(copied(outcome))
        assert twice.is_compiled
        assert twice.to_dict() == expected.to_dict()
        assert not copied(expected).is_compiled


def test_a_convoy_that_joins_no_route_is_in_no_subgraph_of_the_move(
    compile_rules: Compile,
) -> None:
    """F NAO could convoy with three other fleets, which do not; F ENG needs no other fleet."""
    compile_rules("datc")
    fleets = ["F ENG", "F NAO", "F MAO", "F NWG", "F NTH"]
    position = dipsat.Position.from_units({"ENGLAND": ["A LON", *fleets]})
    convoys = [f"{fleet} C A LON - BRE" for fleet in fleets[:2]]
    outcome = dipsat.adjudicate(position, {"ENGLAND": ["A LON - BRE", *convoys]})
    assert isinstance(outcome, MovementOutcome)
    assert outcome.is_compiled
    (own,) = [one.decisions for one in outcome.subgraphs if "path(A LON - BRE)" in one.decisions]
    assert "convoy(F ENG C A LON - BRE)" in own
    assert "convoy(F NAO C A LON - BRE)" not in own


def test_reasons_are_those_of_the_orders_as_they_were(compile_rules: Compile) -> None:
    """A caller may reuse the lists of orders before the reasons are read."""
    compile_rules("datc")
    position = dipsat.Position.from_units({"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]})
    orders = {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]}
    outcome = dipsat.adjudicate(position, orders)
    orders["FRANCE"][0] = "A PAR H"
    del orders["GERMANY"]
    assert "A MUN" in str(outcome.order("A PAR").reason)


def test_limits_of_the_first_reader_leave_nothing_open(compile_rules: Compile) -> None:
    batch = compile_rules("datc")
    (board,) = random_boards(batch, [1])
    outcome, plain = judged(board, batch), judged(board, batch, limits=BY_SOLVER)
    assert isinstance(outcome, MovementOutcome)
    assert isinstance(plain, MovementOutcome)
    unit, little = plain.orders[0].unit, Limits(seconds=1e-9)
    found, expected = (str(dipsat.explain(one, unit, limits=little)) for one in (outcome, plain))
    assert found == expected
    assert outcome == plain


@pytest.mark.parametrize(
    "unit",
    [
        Unit("NOBODY", UnitKind.ARMY, "GAS"), Unit("FRANCE", UnitKind.FLEET, "STP"),
        Unit("FRANCE", UnitKind.ARMY, "ENG"), Unit("FRANCE", UnitKind.ARMY, "GAS", (("x", "y"),)),
    ],
    ids=str,
)  # fmt: skip
def test_units_that_no_text_can_name_are_left_to_the_solver(
    unit: Unit, compile_rules: Compile
) -> None:
    batch = compile_rules("datc")
    start = dipsat.Position.from_units({"FRANCE": ["A PAR"]})
    position = replace(start, units=(*start.units, unit))
    outcome = dipsat.adjudicate(position, {}, batch.rules)
    assert isinstance(outcome, MovementOutcome)
    assert not outcome.is_compiled


def test_orders_that_are_objects_are_judged_like_texts(compile_rules: Compile) -> None:
    batch, compiled = compile_rules("datc"), 0
    codes = batch.encode(random_boards(batch, range(12)), lenient=True)
    for at in range(len(codes)):
        if at not in codes.uncoded:
            board = batch.board(codes, at)
            quick, plain = judged(board, batch), judged(board, batch, limits=BY_SOLVER)
            assert isinstance(quick, MovementOutcome)
            assert isinstance(plain, MovementOutcome)
            assert what_comes(quick) == what_comes(plain)
            assert quick.to_dict() == plain.to_dict()
            compiled += quick.is_compiled
    assert compiled


@pytest.mark.parametrize("place", ["GAS/NC", "STP/NC", "XYZ"])
def test_objects_with_odd_places_are_judged_as_usual(place: str, compile_rules: Compile) -> None:
    batch = compile_rules("datc")
    position = dipsat.Position.from_units({"FRANCE": ["A PAR"]})
    board: Any = position, {"FRANCE": [Move(UnitName("PAR"), place)]}
    quick, plain = judged(board, batch), judged(board, batch, limits=BY_SOLVER)
    assert str(quick) == str(plain)


def test_what_propagation_leaves_open_is_left_to_z3(compile_rules: Compile) -> None:
    compile_rules("datc")
    ring = ["F ANK - CON", "A CON - SMY", "A SMY - ANK"]
    position = dipsat.Position.from_units({"TURKEY": [order.split(" - ")[0] for order in ring]})
    outcome = dipsat.adjudicate(position, {"TURKEY": ring})
    assert isinstance(outcome, MovementOutcome)
    assert not outcome.is_compiled
    assert outcome.evidence is not None
    assert outcome.evidence.subgraphs


@pytest.fixture
def compiled_later(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> tuple[answers.AnswerSource, Callable[[], bool]]:
    """A source of answers under rules that are compiled after five boards, and a function that says
    whether one more board has a compiled answer."""
    monkeypatch.setenv("DIPSAT_CACHE", str(tmp_path))
    monkeypatch.setattr(answers, "FIRST_BOARDS", 3)
    monkeypatch.setattr("dipsat.kernel.answers.BOARDS_BETWEEN_LOOKS", 2)
    rules = dipsat.load_profile("dptg")
    source = answers.AnswerSource(rules, dipsat.load_map("standard"))
    monkeypatch.setattr(answers, "answer_source", lambda *_: source)
    monkeypatch.setattr("dipsat.kernel.answers.answer_source", lambda *_: source)
    position = dipsat.Position.from_units({"FRANCE": ["A PAR"]})

    def is_compiled() -> bool:
        outcome = dipsat.adjudicate(position, {"FRANCE": ["A PAR H"]}, rules)
        assert isinstance(outcome, MovementOutcome)
        return outcome.is_compiled

    return source, is_compiled


@exhaustive
def test_shipped_rules_are_compiled_after_many_boards(
    compiled_later: tuple[answers.AnswerSource, Callable[[], bool]],
) -> None:
    source, is_compiled = compiled_later
    assert not any(is_compiled() for _ in range(5))
    later: Any = source.answers
    later._thread.join()
    assert [is_compiled() for _ in range(3)] == [False, False, True]  # every second looks


@exhaustive
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system forks no processes")
def test_a_process_forked_during_compiling_compiles_by_itself(
    compiled_later: tuple[answers.AnswerSource, Callable[[], bool]],
) -> None:
    source, is_compiled = compiled_later
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("threading.Thread.start", lambda _: None)  # the thread has hardly begun
        assert not any(is_compiled() for _ in range(5))
    if (child := os.fork()) == 0:
        status = 1
        try:
            assert not any(is_compiled() for _ in range(2))
            later: Any = source.answers
            later._thread.join()
            status = 0 if [is_compiled() for _ in range(3)][2] else 1
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_phases_are_judged_as_usual_where_there_are_no_compiled_rules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The lab in a browser has none."""
    monkeypatch.setattr(answers, "FIRST_BOARDS", 0)
    monkeypatch.setitem(sys.modules, "dipsat.kernel.answers", None)
    source = answers.AnswerSource(dipsat.load_profile("datc"), dipsat.load_map("standard"))
    position = dipsat.Position.from_units({"FRANCE": ["A PAR"]})
    for _ in range(2):
        assert source.known()(position, {"FRANCE": ["A PAR H"]}) is None
        assert source.known().legal_orders(position) is None


def test_libraries_of_another_process_are_found_later(
    compiled_later: tuple[answers.AnswerSource, Callable[[], bool]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Libraries of own rules too, which nothing else compiles."""
    source, is_compiled = compiled_later
    monkeypatch.setattr("dipsat.kernel.answers.is_shipped", lambda _: False)
    assert not any(is_compiled() for _ in range(9))
    dipsat.kernel.Batch(source._profile, source._map, native=True)  # and keeps it
    assert is_compiled() in {True, False}
    assert [is_compiled() for _ in range(4)][3]


@exhaustive
def test_own_rules_are_compiled_only_on_request(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DIPSAT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(answers, "FIRST_BOARDS", 0)
    file = tmp_path / "mine.yaml"
    file.write_text("extends: datc\nname: mine\n", encoding="utf-8")
    position = dipsat.Position.from_units({"FRANCE": ["A PAR"]})
    for _ in range(2):
        outcome = dipsat.adjudicate(position, {"FRANCE": ["A PAR H"]}, file)
        assert isinstance(outcome, MovementOutcome)
        assert not outcome.is_compiled
    assert not dipsat.kernel.Batch(file).native
    dipsat.kernel.build(file)
    assert dipsat.kernel.Batch(file).native
    outcome = dipsat.adjudicate(position, {"FRANCE": ["A PAR H"]}, file)
    assert isinstance(outcome, MovementOutcome)
    assert outcome.is_compiled


def test_building_without_a_compiler_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dipsat.kernel.library_cache.compilers", lambda: iter(()))
    with pytest.raises(KernelError, match="install one, or the package ziglang"):
        dipsat.kernel.build("datc")


@exhaustive
def test_crosschecks_report_the_same(compile_rules: Compile) -> None:
    sources: list[Source] = [studies.RandomBoards(30), studies.DatcCases(("6.G",))]
    judges = ["solver:datc", "dip_eval"]
    plain = studies.crosscheck(judges, sources, smallest=0).to_dict()
    compile_rules("datc")
    assert studies.crosscheck(judges, sources, smallest=0).to_dict() == plain


@exhaustive
@needs_games
def test_replays_report_the_same(compile_rules: Compile) -> None:
    games = [read_phase_lines(list(enumerate(lines, 1)), "x") for lines in recorded_games(FEW[:2])]
    plain = [replay_game(game).to_dict() for game in games]
    compile_rules("datc")
    assert [replay_game(game).to_dict() for game in games] == plain
