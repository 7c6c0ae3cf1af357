"""Open orders under rules that declare kinds of orders, of units and of convoys, against the
adjudication of all order sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

import dipsat
from dipsat.cli import main
from dipsat.errors import ProfileError, QuestionError
from dipsat.game import Position
from dipsat.outcomes import MovementOrderOutcome, MovementOutcome
from dipsat.rules import Profile, parse_profile
from dipsat.searches import Achieve, Differ, Guarantee, Paradox, Question
from dipsat.searches.achievement_goal import read_goal
from dipsat.searches.cegar import Judged
from dipsat.searches.paradox_goal import cycles_in, kinds_of
from dipsat.solving.sat import has_sat_solver
from tests.exhaustive import exhaustive, few_of
from tests.search.open_boards import (
    CARRIERS,
    COLONIAL,
    LINE,
    Board,
    Told,
    always,
    canal,
    carriers,
    case_of_document,
    permits,
    railroad,
)

SOLVERS = ("z3", "sat") if has_sat_solver() else ("z3",)
MOST_SETS = 60

# A truce is legal only if the other unit orders it too, and a siege only if nobody moves against
# the unit. If a power gives several warnings, none is legal.
PARLEY = """\
extends: datc
name: parley
orders:
  Truce(t):
    form: "{unit} T {other: Unit}"
    legal: {both: any(x.unit == t.other and x.other == t.unit for x in Truce if x != t)}
  Siege(g):
    form: "{unit} siege {place: Province}"
    legal:
      beside: any(p == g.place for p in g.unit.near) and g.place.supply
      at_peace: not some(g.origin.attackers)
    verdict: kept
  Warning(w):
    form: "warn {place: Province}"
    legal:
      own: any(u.power == w.power for u in w.place.units)
      once: not any(v != w and v.power == w.power for v in Warning)
variables: {t: Truce, x: Truce, g: Siege, w: Warning, v: Warning}
decisions:
  kept(g): not dislodge(g.unit)
  path(m): >
    (not by_convoy(m) or route(m)) and not any(w.place == m.target for w in Warning)
    and all(not any(u == t.unit for u in m.target.units) for t in Truce)
    and not any(kept(g) for g in Siege if g.place == m.origin)
reasons:
  both: it takes two
  beside: it is too far away
  at_peace: somebody moves against it
  own: no unit of its own is there
  once: a power warns once
"""
PARLEYS: list[dict[str, list[str]]] = [
    {"FRANCE": ["A BUR"], "GERMANY": ["A MUN", "A RUH"]},
    {"FRANCE": ["A BUR", "A PIC"], "GERMANY": ["A BEL"]},
    {"FRANCE": ["A PAR", "A BUR"], "GERMANY": ["A MUN", "A RUH"]},
    {"ITALY": ["A VEN", "F ADR"], "AUSTRIA": ["A TRI", "A TYR"]},
]


@cache
def parley() -> Profile:
    return parse_profile(PARLEY, "parley.yaml")


def parleying(named: Mapping[str, Sequence[str]]) -> Board:
    """Units that may have a truce with each other, besiege places nearby, and warn."""
    position = Position.from_units(named)
    units = [str(unit) for unit in position.units]
    places = sorted(p for p in position.map.provinces if position.map.provinces[p].supply)
    near = {str(u): position.map.reach_provinces(u.kind, u.location) for u in position.units}
    declared = {
        unit: [f"{unit} T {other}" for other in units if other != unit]
        + [f"{unit} siege {place}" for place in places if place in near[unit]]
        for unit in units
    }
    warnings = [(unit.power, f"warn {unit.province}") for unit in position.units]
    return Board(position, parley(), warnings, declared)


def board_named(name: str) -> Board | None:
    kind, _, number = name.partition(" ")
    if kind == "case":
        return case_of_document(int(number), MOST_SETS)
    if kind == "parley":
        board = parleying(PARLEYS[int(number)])
    elif kind == "carriers":
        board = Board(*carriers(int(number)))
    else:
        board = {"railroad": railroad, "canal": canal}[kind](int(number))
    board.fix_most(Random(name), MOST_SETS)
    return board


# --- searches -------------------------------------------------------------------------------------

SEARCHED = [
    *(f"railroad {seed}" for seed in range(2)),
    *(f"canal {seed}" for seed in range(2)),
    *(f"case {number}" for number in range(0, 45, 9)),
    *(f"carriers {number}" for number in range(len(CARRIERS))),
    *(f"parley {number}" for number in range(len(PARLEYS))),
]


def verdict(exists: bool) -> str:
    return "found" if exists else "impossible"


def ask(board: Board, question: Question, solver: str = "auto") -> dipsat.SearchResult:
    return dipsat.search(
        board.position, question, board.given, open=board.open_units, rules=board.rules,
        solver=solver,
    )  # fmt: skip


def goals(board: Board, random: Random) -> list[str]:
    """Questions about the provinces where units are, and where they could go or a train could."""
    one, other = random.choices(board.position.units, k=2)
    near = board.position.map.reach_provinces(one.kind, one.location)
    on_line = [place for place in LINE if place in board.position.map.provinces]
    to = random.choice(sorted(random.choice([near, *[on_line] * bool(on_line)])))
    return [
        f"stands({to}, {one.power})",
        f"goes({one.province}, {to}) and not stays({other.province})",
        f"moves({one.province}) and occupied({to})",
        f"not dislodged({one.province})",
        f"any(goes({one.province}, p) for p in provinces if p.kind == 'sea')",
    ]


def board_after(judged: Judged) -> object:
    """Where all units are after the phase, and where dislodged ones may retreat."""
    if not isinstance(judged, MovementOutcome):
        return None
    return judged.units_after, judged.dislodged


def others(board: Board) -> list[Profile]:
    """Rules with the same kinds of orders and units, one for each board."""
    changes = {"portage": "4.A.2-all-hold", "wings": "4.A.7-a", "airlift": ""}
    if board.rules.name == "parley":
        if len(board.open_units) % 2:
            return [parse_profile(PARLEY.replace("once: not any", "once: true or any"), "one.yaml")]
        twice = PARLEY.replace("if x != t", "if x != t and x.power == t.power")
        return [parse_profile(twice, "own.yaml")]
    if board.rules.name in changes:
        more = changes[board.rules.name]
        return [dipsat.load_profile(f"{board.rules.name}+{more}")] if more else []
    if board.size % 2:
        return [dipsat.load_profile("colonial+4.A.2-all-hold")]
    has_trains = any(unit.province in LINE for unit in board.position.units)
    off = "trans_siberian_railroad" if has_trains else "suez_canal"
    return [dipsat.load_profile(f"colonial+{off}=off")]


def check_goal(board: Board, text: str, random: Random) -> None:
    goal = read_goal(text, board.rules, board.position.map)
    hits = [isinstance(one, MovementOutcome) and goal.holds(one) for one in board.outcomes]
    found = ask(board, Achieve(text), random.choice(SOLVERS))
    assert found.verdict == verdict(any(hits)), text
    if found.verdict == "found":
        outcome = dipsat.adjudicate(board.position, found.orders, board.rules)
        assert isinstance(outcome, MovementOutcome)
        assert goal.holds(outcome), text
    power = board.powers[random.choice(board.open_units)]
    sure = always(board, power, hits)
    found = ask(board, Guarantee(text, power), random.choice(SOLVERS))
    assert found.verdict == verdict(any(sure.values())), (text, power)
    if found.verdict == "found":
        assert sure[frozenset(found.orders[power])], (text, power)


@exhaustive
@pytest.mark.parametrize("name", few_of(SEARCHED[::-1], 1))
def test_search_finds_exactly_what_some_order_set_shows(name: str) -> None:
    board = board_named(name)
    if board is None:
        return
    random = Random(name)
    kinds = {kind for outcome in board.outcomes for kind in cycles_in(outcome)}
    for kind in kinds_of(board.rules):
        found = ask(board, Paradox(kind), random.choice(SOLVERS))
        assert found.verdict == verdict(kind in kinds), kind
        assert found.order_sets == board.size
    for text in goals(board, random):
        check_goal(board, text, random)
    for other in others(board):
        pairs = zip(board.outcomes, board.outcomes_under(other), strict=True)
        exists = any(board_after(one) != board_after(two) for one, two in pairs)
        assert ask(board, Differ(other), random.choice(SOLVERS)).verdict == verdict(exists)


# --- explanations ---------------------------------------------------------------------------------

EXPLAINED: list[tuple[str, dict[str, list[str]]]] = [
    ("colonial", {"RUSSIA": ["A MOS"], "CHINA": ["A OMS"]}),
    ("colonial", {"RUSSIA": ["A MOS", "A KRA"], "TURKEY": ["A ORE"]}),
    ("colonial", {"RUSSIA": ["A IRK", "A VLA"], "JAPAN": ["F OKH"]}),
    ("colonial", {"BRITAIN": ["A EGY"], "TURKEY": ["F MED"]}),
    ("colonial", {"BRITAIN": ["F EGY"], "TURKEY": ["F MED", "A SUD"]}),
    ("parley", {"FRANCE": ["A BUR"], "GERMANY": ["A MUN"]}),
    ("portage", {"RUSSIA": ["F BLA", "A SEV"]}),
    ("portage", {"FRANCE": ["F LYO"], "GERMANY": ["A MAR"]}),
    ("portage", {"FRANCE": ["F POR", "A SPA"], "ITALY": ["F WES"]}),
    ("wings", {"FRANCE": ["W PAR"], "GERMANY": ["A BUR"]}),
    ("wings", {"FRANCE": ["W BRE", "A PAR"], "ENGLAND": ["F ENG"]}),
]


@cache
def explained(number: int) -> Board:
    name, units = EXPLAINED[number]
    if name == "parley":
        return parleying(units)
    rules = dipsat.load_profile(name)
    if name == "colonial":
        position = Position.from_units(units, COLONIAL)
        return Board(position, rules, permits(position))
    return Board(Position.from_units(units, rules=rules), rules)


@exhaustive
@pytest.mark.parametrize("number", few_of(range(len(EXPLAINED)), 2))
def test_responsible_orders_and_changes_are_those_of_all_order_sets(number: int) -> None:
    board, random = explained(number), Random(f"{number} 0")
    given = {key: random.choice(orders) for key, orders in board.choices.items()}
    outcome = board.judged(given)
    assert isinstance(outcome, MovementOutcome)
    for unit in map(str, board.position.units):
        found = dipsat.explain(outcome, unit, core=True, change=True)
        told = Told(board, unit, given)
        core, change = found.core, found.change
        assert core is not None
        assert change is not None
        order = outcome.order(unit)
        assert isinstance(order, MovementOrderOutcome)
        if order.decision is None:
            assert core.verdict == "unknown"
        elif core.verdict == "forced":
            is_dislodged = order.decision[0] == "dislodge"
            assert told.is_forced(core.orders, is_dislodged)
            if core.is_smallest:
                assert len(core.orders) == told.fewest(is_dislodged)
        if change.verdict != "unknown":
            fewest = told.smallest_change(change.aim.endswith("not dislodged"))
            assert (change.verdict == "found") == (fewest is not None), change
            if change.is_smallest:
                assert len(change.orders) == fewest, change


# --- what is open ---------------------------------------------------------------------------------

CANAL = {"BRITAIN": ["A EGY", "F RED"], "TURKEY": ["F MED"]}
THROUGH = "goes(MED, RED)"


def through(
    orders: Mapping[str, Sequence[str]], opened: str | list[str] | None
) -> dipsat.SearchResult:
    """Whether the Turkish fleet can get through the canal, which DATC 2.4 7.C.4 allows if Britain
    permits it, and the British one leaves."""
    position = Position.from_units(CANAL, COLONIAL)
    return dipsat.search(position, Achieve(THROUGH), orders, open=opened, rules="colonial")


def test_powers_with_an_open_unit_may_give_their_orders() -> None:
    found = through({"TURKEY": ["F MED - RED"]}, None)
    assert found.verdict == "found"
    assert "SC F MED - RED" in found.orders["BRITAIN"]
    assert "BRITAIN SC F MED - RED" in found.open_besides


def test_powers_without_an_open_unit_give_only_the_stated_orders() -> None:
    british = ["A EGY H", "F RED - ADE"]
    assert through({"BRITAIN": british}, None).verdict == "impossible"
    assert through({"BRITAIN": [*british, "SC F MED - RED"]}, None).verdict == "found"


def test_orders_of_a_named_power_may_be_left_out() -> None:
    wrong = ["A EGY H", "F RED - ADE", "SC F RED - MED"]
    assert through({"BRITAIN": wrong}, ["F MED", "F RED"]).verdict == "impossible"
    assert through({"BRITAIN": wrong}, "all").verdict == "found"


def test_a_second_train_makes_both_illegal() -> None:
    """7.B.33: a short circuit; an enemy cannot order one, so only Russia itself can."""
    position = Position.from_units({"RUSSIA": ["A MOS", "A VLA"], "CHINA": ["A PEK"]}, COLONIAL)
    orders = {"RUSSIA": ["A MOS - TSR - PRM"]}
    alone = dipsat.search(
        position, Guarantee("goes(MOS, PRM)", "RUSSIA"), orders, rules="colonial",
        open=["A PEK"],
    )  # fmt: skip
    assert alone.verdict == "found"
    both = {"RUSSIA": [*orders["RUSSIA"], "A VLA - TSR - IRK"]}
    found = dipsat.search(position, Achieve("moves(MOS) or moves(VLA)"), both, rules="colonial")
    assert found.verdict == "impossible"


def test_change_finds_the_train_that_must_not_run() -> None:
    position = Position.from_units({"RUSSIA": ["A MOS", "A VLA"]}, COLONIAL)
    orders = {"RUSSIA": ["A MOS - TSR - PRM", "A VLA - TSR - IRK"]}
    outcome = dipsat.adjudicate(position, orders, "colonial")
    assert outcome.order("A MOS").verdict == "illegal"
    change = dipsat.explain(outcome, "A MOS", change=True).change
    assert change is not None
    assert (change.verdict, change.aim) == ("found", "A MOS - TSR - PRM succeeds")
    assert (change.orders, change.is_smallest) == (("A VLA H",), True)


@exhaustive
def test_a_core_names_orders_of_powers_that_are_given_or_missing() -> None:
    """7.C.4, 7.C.5: a power's own unit needs no permission, unless another unit receives one."""
    position = Position.from_units({"BRITAIN": ["A EGY", "F MED"], "TURKEY": ["F RED"]}, COLONIAL)
    orders = {"BRITAIN": ["A EGY H", "F MED - RED"], "TURKEY": ["F RED - ADE"]}
    outcome = dipsat.adjudicate(position, orders, "colonial")
    assert outcome.order("F MED").verdict == "succeeds"
    core = dipsat.explain(outcome, "F MED", core=True).core
    assert core is not None
    assert (core.verdict, core.is_smallest) == ("forced", True)
    assert set(core.orders) == {"F MED - RED", "A EGY H", "F RED - ADE", "no SC F RED - MED"}
    denied = {**orders, "BRITAIN": [*orders["BRITAIN"], "SC F RED - MED"]}
    outcome = dipsat.adjudicate(position, denied, "colonial")
    found = dipsat.explain(outcome, "F MED", core=True, change=True)
    assert found.core is not None
    assert found.change is not None
    assert (found.verdict, found.core.orders) == ("fails", ("F MED - RED", "SC F RED - MED"))
    assert found.change.orders == ("no SC F RED - MED",)
    assert found.change.instead_of == ("SC F RED - MED",)


@exhaustive
def test_command_shows_the_orders_of_powers(tmp_path: Path) -> None:
    file = tmp_path / "canal.yaml"
    file.write_text(
        "map: colonial\nrules: colonial\nunits: {BRITAIN: [A EGY], TURKEY: [F MED]}\n"
        "orders: {TURKEY: [F MED - RED]}\n"
    )
    result = CliRunner().invoke(main, ["search", "achieve", str(file), THROUGH])
    assert result.exit_code == 0, result.output
    assert "Britain: SC F MED - RED" in result.output


# --- what is refused ------------------------------------------------------------------------------


def refused(text: str, units: Mapping[str, Sequence[str]] = PARLEYS[0]) -> str:
    rules = parse_profile(text, "own.yaml")
    with pytest.raises(QuestionError) as error:
        dipsat.search(Position.from_units(units), Paradox(), rules=rules)
    return str(error.value)


def test_a_kind_with_too_many_orders_for_a_unit_is_refused() -> None:
    ways = "siege {place: Province} by {way: Province} past {stop: Province}"
    text = PARLEY.replace("siege {place: Province}", ways)
    assert "orders of the kind 'Siege'" in refused(text)


@pytest.mark.parametrize("condition", ["any(a.via for a in Move)", "ring(Move)"])
def test_conditions_that_have_no_meaning_for_open_orders_are_refused(condition: str) -> None:
    word = "ring" if "ring" in condition else "via"
    text = PARLEY.replace("at_peace: not", f"at_peace: {condition} or not")
    assert f"equations that use {word!r}" in refused(text)


def test_rules_that_do_not_know_each_others_orders_cannot_be_compared() -> None:
    position = Position.from_units(PARLEYS[0])
    with pytest.raises(QuestionError, match="does not know the orders that parley calls"):
        dipsat.search(position, Differ("datc"), rules=parley())
    with pytest.raises(QuestionError, match="does not know the orders that parley calls"):
        dipsat.search(position, Differ(parley()), rules="datc")


def test_an_order_that_a_power_gives_twice_is_refused() -> None:
    position = Position.from_units(PARLEYS[0])
    orders = {"FRANCE": ["warn BUR", "warn Burgundy"]}
    with pytest.raises(QuestionError, match="'FRANCE warn BUR' is given twice"):
        dipsat.search(position, Paradox(), orders, rules=parley())
    outcome = dipsat.adjudicate(position, {**orders, "GERMANY": ["A MUN - BUR"]}, parley())
    change = dipsat.explain(outcome, "A MUN", change=True).change
    assert change is not None
    assert change.verdict == "unknown"
    assert "gives twice" in change.why


@pytest.mark.parametrize("goal", ["any(m.via for m in Move)", "ring(Move)"])
def test_goals_that_have_no_meaning_for_open_orders_are_refused(goal: str) -> None:
    with pytest.raises(ProfileError, match="a goal cannot use"):
        dipsat.search(Position.from_units(PARLEYS[0]), Achieve(goal))


@exhaustive
def test_questions_without_railroad_and_canal_have_the_usual_answers() -> None:
    rules = "colonial+trans_siberian_railroad=off+suez_canal=off"
    position = Position.from_units(CANAL, COLONIAL)
    found = dipsat.search(position, Achieve(THROUGH), rules=rules)
    assert (found.verdict, found.open_besides) == ("impossible", ())
    other = dipsat.search(position, Differ("datc"), rules=rules)  # there the canal is a strait
    assert other.verdict == "found"


def test_a_search_finds_how_a_fleet_is_carried() -> None:
    units = {"RUSSIA": ["F BLA", "A SEV", "A MOS", "A STP"]}
    asked = Position.from_units(units, rules=dipsat.load_profile("portage"))
    goal = Achieve("any(goes(BLA, p) for p in provinces if p.code == 'BAR')")
    found = dipsat.search(asked, goal, rules="portage", open="all")
    assert sorted(found.orders["RUSSIA"]) == [
        "A MOS C F BLA - BAR", "A SEV C F BLA - BAR", "A STP C F BLA - BAR", "F BLA - BAR VIA",
    ]  # fmt: skip
    without = dipsat.search(asked, goal, {"RUSSIA": ["A MOS H"]}, rules="portage")
    assert without.verdict == "impossible"
