"""DIP_EVAL as a transformation: the resulting order set, carried out and fed back.

Jacobi, "Ein Algorithmus zur Auswertung von Diplomacy", I: "Der Algorithmus transformiert einen
korrekten Befehlssatz [...] in einen anderen korrekten Befehlssatz für dieses Spiel, dessen
sämtliche Befehle ausgeführt werden können."
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import dipsat
from dipsat.cli import main
from dipsat.errors import DipsatError, OrderFaultError, ProblemsError
from dipsat.formats import load_cases
from dipsat.game import PhaseKind
from dipsat.outcomes import Convoy, EngineOutcome, Hold, Move, Order, OrderedUnit, OrderSet, Support
from dipsat.studies import (
    CarriedOut,
    carry_out,
    order_text,
    random_board,
    read_order_set,
    to_dict,
    to_text,
    transform,
)
from dipsat.studies.dip_eval import order_set_of
from tests.checkout import ROOT
from tests.exhaustive import exhaustive, parts_of
from tests.pages import assert_command_prints, assert_python_prints, blocks, page
from tests.phases import crowded_orders, position_of, troubled_orders

Phase = tuple[dipsat.Position, Mapping[str, Sequence[str]]]
Found = tuple[set[tuple[str, str]], set[tuple[str, str, str]], set[str]]
"""Units, dislodged units with the attacker, provinces left vacant by a standoff."""


def datc_cases() -> Iterator[Phase]:
    for case in load_cases(older=True):
        if case.position.phase.kind is PhaseKind.MOVEMENT:
            yield case.position, case.orders


def few_datc_cases(others: range) -> Iterator[Phase]:
    """All cases beside many other boards, and every eighth beside a few."""
    return islice(datc_cases(), 0, None, 1 if len(others) > 60 else 8)


def random_boards(seeds: range) -> Iterator[Phase]:
    for seed in seeds:
        board = random_board(seed)
        yield dipsat.Position.from_units(board.units), board.orders


def troubled(seeds: range) -> Iterator[Phase]:
    """Changed orders of the DATC's rings, convoys and swaps, and orders of crowds in a corner."""
    for seed in seeds:
        for orders in (troubled_orders(seed), crowded_orders(seed)):
            yield position_of(orders), orders


def judged(phase: Phase) -> EngineOutcome:
    outcome = dipsat.adjudicate(*phase, "1982", engine="dip_eval")
    assert isinstance(outcome, EngineOutcome)
    return outcome


def given(outcome: EngineOutcome) -> OrderSet:
    """The resulting order set."""
    assert outcome.transformed is not None
    return outcome.transformed


def found_by(outcome: dipsat.Outcome) -> Found:
    units = {(unit.power, str(unit)) for unit in outcome.units_after}
    lost = {(unit.power, unit.unit, unit.by or "") for unit in outcome.dislodged}
    return units, lost, set(outcome.contested)


def found_on(board: CarriedOut) -> Found:
    units = {(unit.power, str(unit)) for unit in board.units}
    lost = {(one.unit.power, str(one.unit), str(one.by.unit)) for one in board.dislodged}
    return units, lost, set(board.contested)


def texts(orders: OrderSet) -> list[str]:
    return [order_text(order, orders) for order in orders.orders]


def at(orders: OrderSet) -> dict[str, Order]:
    return {order.unit.province: order for order in orders.orders}


# "dessen sämtliche Befehle ausgeführt werden können": without rules and without a map.


def assert_leads_to_the_outcome(phase: Phase) -> None:
    outcome = judged(phase)
    orders = given(outcome)
    for text in (to_text(orders), json.dumps(to_dict(orders))):
        again = read_order_set(text)
        assert again == orders
        assert found_on(carry_out(again)) == found_by(outcome)


@exhaustive
def test_the_set_of_every_datc_case_leads_to_the_outcome_when_carried_out() -> None:
    """I: "woraus auch folgt, welche Einheiten vertrieben werden"."""
    for phase in datc_cases():
        assert_leads_to_the_outcome(phase)


@pytest.mark.parametrize("boards", [random_boards, troubled])
@pytest.mark.parametrize("seeds", parts_of(range(300), 15))
def test_the_sets_of_random_boards_lead_to_the_outcome_when_carried_out(
    seeds: range, boards: Callable[[range], Iterator[Phase]]
) -> None:
    for phase in boards(seeds):
        assert_leads_to_the_outcome(phase)


def any_orders(seed: int) -> OrderSet:
    """Orders that match, of up to seven units on a map that nobody has drawn: any field may be
    beside any other, and every unit may convoy. Some moves fail already."""
    rng = random.Random(seed)
    fields = list("abcdefghi")[: rng.randint(4, 9)]
    units = {place: OrderedUnit(rng.choice("XYZ"), "A", place) for place in fields[:-2]}
    orders: dict[str, Order] = {}
    for place, unit in units.items():
        if rng.random() < 0.55:
            target = rng.choice([field for field in fields if field != place])
            orders[place] = Move(unit, target, rng.random() < 0.3, rng.random() < 0.1)
    for place, unit in units.items():
        if place not in orders:
            other = rng.choice([field for field in units if field != place])
            move = orders.get(other)
            kind = rng.choice((Support, Convoy)) if isinstance(move, Move) else Support
            orders[place] = kind(unit, other, move.target if isinstance(move, Move) else other)
    near = {place: [field for field in fields if rng.random() < 0.6] for place in units}
    return OrderSet.of(orders.values(), near)


@pytest.mark.parametrize("seeds", parts_of(range(600), 100))
def test_every_set_that_matches_becomes_one_that_can_be_carried_out(seeds: range) -> None:
    for seed in seeds:
        before = any_orders(seed)
        after = transform(before)
        board = carry_out(after)
        assert len(board.units) + len(board.dislodged) == len(before.orders)
        assert read_order_set(to_text(after)) == after


# Fed back.


def spared_before(before: OrderSet, after: OrderSet) -> list[Support]:
    """Supports that K1 spared although an army by convoy attacks them (III.1.a), into a field whose
    fleet no longer convoys: in the new set nothing spares them."""
    were, are = at(before), at(after)
    moves = [order for order in after.orders if isinstance(order, Move)]
    attacked = {(m.target, power) for m in moves for power in powers(after) - {m.unit.power}}
    return [
        order
        for order in after.orders
        if isinstance(order, Support)
        and isinstance(were.get(order.target), Convoy)
        and isinstance(are[order.target], Hold)
        and (order.unit.province, order.unit.power) in attacked
    ]


def powers(orders: OrderSet) -> set[str]:
    return {order.unit.power for order in orders.orders}


def standard_orders(orders: OrderSet, fails_as: str) -> dict[str, list[str]]:
    """The set as orders that any judge takes. Moves that fail are ordered again, or as holds."""
    found: dict[str, list[str]] = {}
    for order, text in zip(orders.orders, texts(orders), strict=True):
        fails = isinstance(order, Move) and order.fails
        text = f"{order.unit} H" if fails and fails_as == "hold" else text
        found.setdefault(order.unit.power, []).append(text.removesuffix(" (fails)"))
    return found


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(300), 20))
def test_fed_back_the_set_comes_out_again_unless_a_spared_support_is_no_longer_spared(
    seeds: range,
) -> None:
    differing = 0
    for phase in (*datc_cases(), *random_boards(seeds), *troubled(seeds[:200])):
        outcome = judged(phase)
        orders = given(outcome)
        again = transform(orders)
        spared = spared_before(order_set_of(outcome.facts), orders)
        assert (again == orders) is not bool(spared)
        assert {order.unit for order in spared} <= {
            order.unit for order in again.orders if isinstance(order, Hold)
        }
        differing += again != orders
    assert 0 < differing < 40


SPARED = {
    "AUSTRIA": ["A PIC - BEL VIA", "F ENG C A PIC - BEL", "A LON - DEN"],
    "ENGLAND": ["F BEL S F DEN - NTH"],
    "RUSSIA": ["F DEN - NTH"],
    "TURKEY": ["F NTH C A LON - DEN"],
}


def test_a_support_into_the_water_of_a_fleet_that_no_longer_convoys_is_cut_when_fed_back() -> None:
    """III.1.a speaks of "Konflikte um Felder, die keine convoyenden Flotten enthalten"; in the new
    set the field is one of these, as docs/algorithms.md says."""
    orders = given(judged((position_of(SPARED), SPARED)))
    assert {"F BEL S F DEN - NTH", "F NTH H", "F DEN - NTH"} <= set(texts(orders))
    again = transform(orders)
    assert {"F BEL H", "F NTH H", "F DEN - NTH (fails)"} <= set(texts(again))


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(300), 20))
def test_the_solver_makes_the_same_board_from_the_set(seeds: range) -> None:
    """With the failing moves ordered again, standoffs included; with holds in their place nobody
    contests a province, and everything else is the same."""
    contested = 0
    for phase in (*few_datc_cases(seeds), *random_boards(seeds)):
        outcome = judged(phase)
        orders = given(outcome)
        if spared_before(order_set_of(outcome.facts), orders):
            continue
        units, lost, standoffs = found_by(outcome)
        moving = dipsat.adjudicate(phase[0], standard_orders(orders, "move"), "1982")
        assert found_by(moving) == (units, lost, standoffs)
        holding = dipsat.adjudicate(phase[0], standard_orders(orders, "hold"), "1982")
        assert found_by(holding) == (units, lost, set())
        contested += bool(standoffs)
    assert contested > 0


# The set itself.

EXAMPLE_OF_K2 = """
X:
  A Bbb - Aaa
Y:
  A Ccc - Bbb
  A Aaa S A Ccc - Bbb
"""


def test_the_example_of_the_text_is_transformed_as_printed() -> None:
    """IV, K2: "X: A Bbb-Aaa; Y: A Ccc-Bbb; A Aaa S A Ccc-Bbb". No map has such fields."""
    orders = transform(read_order_set(EXAMPLE_OF_K2))
    assert texts(orders) == ["A Bbb - Aaa (fails)", "A Aaa S A Ccc - Bbb", "A Ccc - Bbb"]
    board = carry_out(orders)
    assert [str(unit) for unit in board.units] == ["A Aaa", "A Bbb"]
    assert [(str(one.unit), str(one.by)) for one in board.dislodged] == [("A Bbb", "A Ccc - Bbb")]


KEPT = [
    # IV: "Die nicht gelingenden Bewegungsbefehle werden in nicht-gelingende-Bewegungsbefehle
    # umgewandelt", with the supports that count for them.
    (
        {"X": ["A a - c", "A d S A a - c"], "Y": ["A b - c", "A e S A b - c"]},
        ["A a - c (fails)", "A d S A a - c", "A b - c (fails)", "A e S A b - c"],
    ),
    # III.2.b: the opposing attack of the weaker unit is "unwirksam", and so is help for it.
    (
        {"X": ["A a - b", "A c S A a - b", "A d S A a - b"], "Y": ["A b - a", "A e S A b - a"]},
        ["A a - b", "A c S A a - b", "A d S A a - b", "A b H", "A e H"],
    ),
    # III.1: a support that is not "wirksam" does not come about.
    (
        {"X": ["A a S A b", "A b H"], "Y": ["A c - a"]},
        ["A a H", "A b H", "A c - a (fails)"],
    ),
    # III.1.a: without a convoy route nothing of a convoy comes about.
    (
        {
            "X": ["A a - b VIA", "F s C A a - b", "F t C A a - b", "A g S A a - b"],
            "Y": ["F u - s", "F v S F u - s"],
        },
        ["A a H", "A g H", "F s H", "F t H", "F u - s", "F v S F u - s"],
    ),
]  # fmt: skip
ROUTE = {"s": ["a", "t"], "t": ["s", "b"]}


@pytest.mark.parametrize(("orders", "expected"), KEPT)
def test_orders_that_cannot_be_carried_out_become_holds_and_others_stay(
    orders: dict[str, list[str]], expected: list[str]
) -> None:
    found = transform(read_order_set(json.dumps({"orders": orders, "borders": ROUTE})))
    assert texts(found) == expected
    assert transform(found) == found


# "Weder um welche Einheiten es sich handelt, noch (bis auf eine Ausnahme) die Geografie des
# Spielplans muß für diesen Auswertungsschritt bekannt sein" (I).


@pytest.mark.parametrize("seeds", parts_of(range(200), 40))
def test_names_of_provinces_and_kinds_of_units_change_nothing(seeds: range) -> None:
    names = dict(zip("abcdefghiA", "ihcgfebdaF", strict=True))

    def renamed(orders: OrderSet) -> OrderSet:
        text = re.sub(r"\b[a-iA]\b", lambda name: names[name[0]], to_text(orders))
        return read_order_set(text)

    for seed in seeds:
        orders = any_orders(seed)
        assert transform(renamed(orders)) == renamed(transform(orders))


TWO_FLEETS = """
X:
  A a - b VIA
  F s C A a - b
  F t C A a - b
Y:
  F u - s
  F v S F u - s
Convoy borders:
  s: a, b
"""


@pytest.mark.parametrize(
    ("border", "order"), [("t: a, b", "A a - b VIA"), ("t: a, s", "A a H"), ("t: s", "A a H")]
)
def test_the_exception_is_whether_a_convoy_route_exists(border: str, order: str) -> None:
    """III.1.a: "hängt davon ab, ob eine gültige Convoyroute existiert". The same orders, and only
    the borders of the fleet that is left decide."""
    assert texts(transform(read_order_set(f"{TWO_FLEETS}  {border}\n")))[0] == order


@pytest.mark.parametrize("seeds", parts_of(range(150), 10))
def test_borders_matter_only_to_armies_that_have_fleets_but_no_route(seeds: range) -> None:
    """With every fleet beside everything, no board comes out differently without such an army."""
    differing = 0
    for phase in (*few_datc_cases(seeds), *random_boards(seeds)):
        orders = order_set_of(judged(phase).facts)
        places = [order.unit.province for order in orders.orders]
        places += [order.target for order in orders.orders if isinstance(order, Move)]
        free = OrderSet.of(orders.orders, dict.fromkeys(places, places))
        before, after = transform(orders), transform(free)
        if before.orders != after.orders:
            differing += 1
            carried = {o.origin for o in after.orders if isinstance(o, Convoy)}
            stranded = {
                order.unit.province
                for order, new in zip(orders.orders, before.orders, strict=True)
                if isinstance(order, Move) and order.by_convoy and isinstance(new, Hold)
            }
            assert carried & stranded
    assert differing > 0


def test_no_borders_are_given_where_nobody_convoys() -> None:
    orders = {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]}
    assert given(judged((position_of(orders), orders))).borders == ()


# Order sets as people get them: notation, refusals, commands and the page.


SECTION = page("docs/algorithms.md").partition("### The transformed order set")[2]
EXAMPLE = "docs/examples/transformed.txt"


def run(*arguments: str, stdin: str | None = None) -> Result:
    result = CliRunner().invoke(main, arguments, input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def piece(text: str) -> OrderedUnit:
    power, kind, location = text.split()
    return OrderedUnit(power, kind, location)


# The notation.

WRITTEN = """\
ENGLAND:
  A LON - BEL VIA
  F NTH C A LON - BEL
FRANCE:
  A GAS - SPA (fails)
  F MAR S A GAS - SPA
HUNDRED DAYS:
  A SPA H
  A TUN - NAP VIA (fails)
  F POR S A SPA
  F WES - SPA/SC
Convoy borders:
  NTH: BEL, LON
"""
READ = OrderSet.of(
    [
        Move(piece("ENGLAND A LON"), "BEL", by_convoy=True),
        Convoy(piece("ENGLAND F NTH"), "LON", "BEL"),
        Move(piece("FRANCE A GAS"), "SPA", fails=True),
        Support(piece("FRANCE F MAR"), "GAS", "SPA"),
        Hold(OrderedUnit("HUNDRED DAYS", "A", "SPA")),
        Move(OrderedUnit("HUNDRED DAYS", "A", "TUN"), "NAP", by_convoy=True, fails=True),
        Support(OrderedUnit("HUNDRED DAYS", "F", "POR"), "SPA", "SPA"),
        Move(OrderedUnit("HUNDRED DAYS", "F", "WES"), "SPA/SC"),
    ],
    {"NTH": ["LON", "BEL", "NWG"]},
)


def test_each_kind_of_order_is_written_and_read_back() -> None:
    """I, 1 and 2: moves by convoy are distinguished from others, and failing moves from those that
    succeed."""
    assert to_text(READ) == WRITTEN
    assert read_order_set(WRITTEN) == READ


def test_blanks_comments_and_the_order_of_lines_do_not_matter() -> None:
    text = "Y:\n\n# a comment\nA  b   H # stays\nX:\n  F c S A b\n  A a - d\n"
    assert to_text(read_order_set(text)) == "X:\n  A a - d\n  F c S A b\nY:\n  A b H\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("X:\n A a\n", "line 2: cannot read the order 'A a': write it like A PAR H, "),
        ("X:\n A a - b (failed)\n", "line 2: cannot read the order 'A a - b (failed)'"),
        ("X:\n\n F a C A b\n", "'F a C A b': a convoy needs a destination"),
        ("A a H\n", "line 1: cannot read the order 'A a H': no power is named above it"),
        ("X:\n", "there are no orders in it"),
        ('{"orders": {"X": ["A a"]}}', "line 1: cannot read the order 'A a'"),
        ('{"orders": {"X": "A a H"}}', "order set:1:18: the entry of X should be a list"),
        ('{"borders": {}}', "order set:1:1: an order set needs `orders`"),
        ('{"orders": {}, "border": {}}', "unknown key 'border'; did you mean 'borders'"),
        ('{"orders": ', "malformed"),
    ],
)
def test_what_cannot_be_read_is_reported_with_its_place(text: str, said: str) -> None:
    with pytest.raises(DipsatError) as told:
        read_order_set(text)
    assert said in str(told.value)


# What cannot be an order set, or cannot be carried out.

UNMATCHED = [
    ("X:\n A a H\n A a - b\n", "two orders in a; keep one"),
    ("X:\n A a - a\n", "a move to the unit's own province; order it to hold"),
    ("X:\n A a S A b\n", "there is no unit in b"),
    ("X:\n A a S A a\n", "a unit cannot support itself; order it to hold"),
    ("X:\n A a S A b\n A b - c\n", "A b is ordered to move, not to hold"),
    ("X:\n A a S A b - c\n A b H\n", "A b is not ordered to move to c"),
    ("X:\n F a C A b - c\n A b - d VIA\n", "A b is not ordered to move to c"),
]
IMPOSSIBLE = [
    ("X:\n A a - c\n A b - c\n", "both would end up in c"),
    ("X:\n A a - b\n A b - a\n", "they swap places, and neither moves by convoy"),
    ("X:\n A a - b VIA\n F s C A a - b\n", "the fleets that convoy it make no route"),
    ("X:\n A a - b (fails)\n F s C A a - b\n", "A a does not move by convoy"),
    (
        "X:\n A a - b VIA\n F s C A a - b\n F t C A a - b\nY:\n F u - s\n"
        "Convoy borders:\n s: a, b\n t: a, b\n",
        "the fleet is dislodged by F u - s",
    ),
]


@pytest.mark.parametrize(("text", "problem"), UNMATCHED)
def test_orders_that_do_not_match_are_not_a_correct_set(text: str, problem: str) -> None:
    """I: the algorithm transforms "einen korrekten Befehlssatz"."""
    orders = read_order_set(text)
    for use in (transform, carry_out):
        with pytest.raises((OrderFaultError, ProblemsError), match=problem):
            use(orders)


@pytest.mark.parametrize(("text", "problem"), IMPOSSIBLE)
def test_a_set_that_cannot_be_carried_out_is_refused_but_can_be_transformed(
    text: str, problem: str
) -> None:
    orders = read_order_set(text)
    with pytest.raises(OrderFaultError, match=problem):
        carry_out(orders)
    carry_out(transform(orders))


def test_all_faults_are_reported_at_once() -> None:
    with pytest.raises(ProblemsError) as told:
        carry_out(read_order_set("X:\n A a - c\n A b - c\n A d S A e\n"))
    assert len(told.value.problems) == 2


def test_units_that_exchange_places_by_convoy_can_be_carried_out() -> None:
    text = "X:\n A a - b VIA\n A b - a\n F s C A a - b\nConvoy borders:\n s: a, b\n"
    assert [str(unit) for unit in carry_out(read_order_set(text)).units] == ["A a", "A b", "F s"]


def test_a_field_that_is_entered_or_held_has_no_standoff() -> None:
    text = "X:\n A a - c (fails)\n A b - c\n A d - e (fails)\n A f - g (fails)\nY:\n A e H\n"
    assert carry_out(read_order_set(text)).contested == ("g",)


# Commands.


@pytest.fixture(autouse=True)
def _in_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_what_adjudicate_prints_is_carried_out(options: tuple[str, ...]) -> None:
    printed = run("adjudicate", EXAMPLE, "--engine", "dip_eval", "--transformed", *options).stdout
    whole = json.loads(run("adjudicate", EXAMPLE, "--engine", "dip_eval", "--json").stdout)
    board = json.loads(run("carry-out", "-", "--json", stdin=printed).stdout)
    assert board["units"] == {power: units for power, units in whole["units"].items() if units}
    assert board["contested"] == whole["contested"]
    lost = [{key: one[key] for key in ("power", "unit", "by")} for one in whole["dislodged"]]
    assert board["dislodged"] == sorted(lost, key=lambda one: (one["power"], one["unit"]))


@pytest.mark.parametrize("engine", ["solver", "dpjudge(safe_convoys=yes)"])
def test_other_engines_have_no_transformed_set(engine: str) -> None:
    result = run("adjudicate", EXAMPLE, "--engine", engine, "--transformed")
    assert result.exit_code == 2
    assert f"--transformed is for the engine dip_eval, not for {engine}" in result.stderr
    assert result.stdout == ""


def test_carry_out_says_what_cannot_be_carried_out(tmp_path: Path) -> None:
    file = tmp_path / "set.txt"
    file.write_text("X:\n A a - c\n A b - c\n", encoding="utf-8")
    result = run("carry-out", str(file))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "error: X: 'A a - c' and 'A b - c': both would end up in c\n"
    missing = run("carry-out", str(tmp_path / "none.txt"))
    assert missing.exit_code == 2
    assert "cannot be read" in missing.stderr


# The page.


@pytest.mark.parametrize("block", blocks(SECTION, "console"))
def test_commands_print_what_the_page_shows(block: str) -> None:
    assert_command_prints(block)


@pytest.mark.parametrize("code", blocks(SECTION, "python"))
def test_python_of_the_page_prints_what_it_says(code: str) -> None:
    assert_python_prints(code)
