"""DIP_EVAL as a transformation: the resulting order set, carried out and fed back.

Jacobi, "Ein Algorithmus zur Auswertung von Diplomacy", I: "Der Algorithmus transformiert einen
korrekten Befehlssatz [...] in einen anderen korrekten Befehlssatz für dieses Spiel, dessen
sämtliche Befehle ausgeführt werden können."
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

import pytest

import dipsat
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
from tests.exhaustive import exhaustive, parts_of
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
    """Orders around the DATC's rings, convoys and swaps, and crowds in a corner."""
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


def test_carried_out_the_set_of_every_datc_case_leads_to_the_outcome() -> None:
    """I: "woraus auch folgt, welche Einheiten vertrieben werden"."""
    for phase in datc_cases():
        assert_leads_to_the_outcome(phase)


@pytest.mark.parametrize("boards", [random_boards, troubled])
@pytest.mark.parametrize("seeds", parts_of(range(300), 15))
def test_carried_out_the_sets_of_random_boards_lead_to_the_outcome(
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
    fleet does not convoy any more: in the new set nothing spares them."""
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
    """The set as orders that any judge takes; what fails is ordered again, or to hold."""
    found: dict[str, list[str]] = {}
    for order, text in zip(orders.orders, texts(orders), strict=True):
        fails = isinstance(order, Move) and order.fails
        text = f"{order.unit} H" if fails and fails_as == "hold" else text
        found.setdefault(order.unit.power, []).append(text.removesuffix(" (fails)"))
    return found


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(300), 20))
def test_fed_back_the_set_comes_out_again_but_where_a_spared_support_is_spared_no_more(
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
    set the field is one of these. As docs/algorithms.md says."""
    orders = given(judged((position_of(SPARED), SPARED)))
    assert {"F BEL S F DEN - NTH", "F NTH H", "F DEN - NTH"} <= set(texts(orders))
    again = transform(orders)
    assert {"F BEL H", "F NTH H", "F DEN - NTH (fails)"} <= set(texts(again))


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(300), 20))
def test_the_solver_makes_the_same_board_of_the_set(seeds: range) -> None:
    """With the failing moves ordered again, standoffs included; with holds in their place nobody
    contests a province, and all else is the same."""
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


def test_the_example_of_the_text_is_transformed_as_it_stands_there() -> None:
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


def renamed(orders: OrderSet, names: Mapping[str, str], kinds: Mapping[str, str]) -> OrderSet:
    """The set with other provinces and letters of units; no coasts are left."""

    def new(order: Order) -> Order:
        power, kind, place = order.unit.power, order.unit.kind, order.unit.province
        unit = OrderedUnit(power, kinds[kind], names[place])
        if isinstance(order, Move):
            return Move(unit, names[order.target], order.by_convoy, order.fails)
        if isinstance(order, Hold):
            return Hold(unit)
        return replace(order, unit=unit, origin=names[order.origin], target=names[order.target])

    borders = {names[fleet]: [names[place] for place in near] for fleet, near in orders.borders}
    return OrderSet.of(map(new, orders.orders), borders)


@pytest.mark.parametrize(
    "kinds", [{"A": "A", "F": "F"}, {"A": "F", "F": "A"}, {"A": "x", "F": "x"}]
)
@pytest.mark.parametrize("seeds", parts_of(range(80), 5))
def test_names_of_provinces_and_kinds_of_units_change_nothing(
    seeds: range, kinds: dict[str, str]
) -> None:
    rng = random.Random(0)
    for phase in (*few_datc_cases(seeds), *random_boards(seeds)):
        orders = order_set_of(judged(phase).facts)
        codes = sorted(phase[0].map.provinces)
        opaque = [f"field-{number}" for number in rng.sample(range(1000), len(codes))]
        for others in (opaque, rng.sample(codes, len(codes))):
            names = dict(zip(codes, others, strict=True))
            assert transform(renamed(orders, names, kinds)) == renamed(
                transform(orders), names, kinds
            )


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
    """With every fleet beside everything, no board comes out otherwise but for such an army."""
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
