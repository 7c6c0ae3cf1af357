"""Open orders: whatever orders are chosen, the candidates issued are those of the closed phase."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import cycle, islice, product
from math import prod
from typing import Any

import pytest

import dipsat
from dipsat.equations import Key, Phase, build_phase, evaluate
from dipsat.game import ConvoyFacts, MoveFacts, Submission, SupportFacts, judge_orders, legal_orders
from dipsat.orders import Order, write_order
from dipsat.rules import Settings
from dipsat.searches.open_order_facts import OpenPhase, open_phase
from tests.exhaustive import exhaustive, few_of
from tests.search.open_boards import CARRIERS, carriers

BOARDS: list[dict[str, list[str]]] = [
    {"ENGLAND": ["A LON", "F NTH"], "FRANCE": ["A BEL"]},
    {"ENGLAND": ["A WAL", "F ENG"], "FRANCE": ["A LON"]},
    {"ENGLAND": ["A LON", "F ENG"], "FRANCE": ["F NTH"]},
    {"ITALY": ["A APU", "F ADR"], "TURKEY": ["A ALB"]},
    {"RUSSIA": ["F STP/SC"], "ENGLAND": ["F NWY", "A FIN"]},
]
HALF_ROUTE = {"ENGLAND": ["A LVP", "F NAO"], "RUSSIA": ["F NWG"]}
TWO_ROUTES = {"ENGLAND": ["A LON", "F NTH"], "FRANCE": ["A BEL", "F ENG"]}
SETTINGS = {
    "intent": Settings(),
    "explicit": Settings(adjacent_convoy="explicit"),
    "opposed": Settings(adjacent_convoy="opposed"),
    "always": Settings(adjacent_convoy="always"),
    "by land": Settings(via_without_convoy="by land"),
    "path allowed": Settings(convoy_path="allowed"),
    "path required": Settings(convoy_path="required"),
    "path, by land": Settings(convoy_path="required", via_without_convoy="by land"),
    "path, by land without one": Settings(
        convoy_path="allowed", via_without_convoy="by land without path"
    ),
    "coast required": Settings(support_coast="required"),
}


def units_named(units: Mapping[str, Sequence[str]]) -> str:
    """The name of a board."""
    return " ".join(unit for mine in units.values() for unit in mine)


def described(phase: Phase, value: Mapping[Key, int]) -> dict[str, object]:
    """Everything that equations read from the issued candidates, in words."""

    def issued(things: Sequence[Any]) -> list[Any]:
        return [thing for thing in things if evaluate(thing.issued, lambda key: value[key])]

    def name(thing: MoveFacts | SupportFacts | ConvoyFacts) -> str:
        if isinstance(thing, MoveFacts):
            return f"{thing} {thing.via} {thing.by_land} {thing.convoyed}"
        return str(thing)

    def names(things: Sequence[Any]) -> list[str]:
        return sorted(name(thing) for thing in issued(things))

    found: dict[str, object] = {}
    for move in issued(phase.moves):
        met = (move.rivals, move.facing, move.opponents, move.supports, move.convoys)
        found[name(move)] = [names(things) for things in met]
    for thing in issued([*phase.supports, *phase.convoys]):
        found[name(thing)] = [str(thing.target), str(thing.origin), str(thing.province)]
    for unit in phase.units:
        found[str(unit)] = [names(t) for t in (unit.moves, unit.supports, unit.convoys)]
    for place in phase.provinces:
        links = (place.attackers, place.departures)
        if place.units or any(issued(things) for things in links):
            found[place.code] = [names(things) for things in links]
    return found


def closed(position: dipsat.Position, orders: Sequence[Order], settings: Settings) -> Phase:
    """The phase with these orders."""
    submissions = [
        Submission(unit.power, write_order(order, position.map), order)
        for unit, order in zip(position.units, orders, strict=True)
    ]
    return build_phase(position, judge_orders(position, submissions, settings), settings)


def choice_values(opened: OpenPhase, numbers: Sequence[int]) -> dict[Key, int]:
    """The value of each guard if each unit makes the choice with its number in `numbers`."""
    return {
        choice.key: int(at == number)
        for group, number in zip(opened.choices, numbers, strict=True)
        for at, choice in enumerate(group)
    }


def check(position: dipsat.Position, settings: Settings, most: int) -> int:
    """Compare open and closed facts for all combinations of legal orders, or a sample of `most`."""
    legal = legal_orders(position, settings)
    orders = {unit.location: legal[str(unit)] for unit in position.units}
    opened = open_phase(position, orders, settings)
    sizes = [len(group) for group in opened.choices]
    every = product(*map(range, sizes))
    if prod(sizes) > most:
        rng = random.Random(0)
        every = (tuple(rng.randrange(size) for size in sizes) for _ in iter(int, 1))  # type: ignore[assignment]
    count = 0
    for numbers in islice(every, most):
        chosen = [g[n].order for g, n in zip(opened.choices, numbers, strict=True)]
        found = described(opened.phase, choice_values(opened, numbers))
        expected = described(closed(position, chosen, settings), {})
        assert {key: found.get(key) for key in expected} == expected, chosen
        assert not found.keys() - expected.keys(), chosen
        count += 1
    return count


@exhaustive
@pytest.mark.parametrize(
    ("units", "name"), [*zip(BOARDS, cycle(["opposed", "always"]), strict=False)], ids=str
)
def test_all_orders_of_small_boards(units: dict[str, list[str]], name: str) -> None:
    assert 100 < check(dipsat.Position.from_units(units), SETTINGS[name], 6000) < 6000


@pytest.mark.parametrize("settings", few_of(SETTINGS.values(), 3), ids=SETTINGS)
@pytest.mark.parametrize("units", few_of([*BOARDS, TWO_ROUTES], 1), ids=units_named)
def test_many_orders_under_all_settings(units: dict[str, list[str]], settings: Settings) -> None:
    assert check(dipsat.Position.from_units(units), settings, 110) > 100


@pytest.mark.parametrize("settings", few_of(SETTINGS.values(), 1), ids=SETTINGS)
@pytest.mark.parametrize("number", few_of(range(len(CARRIERS)), 2))
def test_many_orders_of_units_that_carry_others(number: int, settings: Settings) -> None:
    position, _ = carriers(number)
    assert check(position, settings, 40) == 40


@exhaustive
@pytest.mark.parametrize("name", ["intent", "by land"])
def test_all_orders_with_a_fleet_that_can_make_half_a_route(name: str) -> None:
    """DATC 3.0, 4.A.3: the army is committed to the convoy; with a fallback it is not."""
    assert 1000 < check(dipsat.Position.from_units(HALF_ROUTE), SETTINGS[name], 6000) < 6000


def test_a_unit_with_one_choice_takes_it() -> None:
    position = dipsat.Position.from_units(BOARDS[0])
    settings = replace(Settings(), adjacent_convoy="always")
    legal = legal_orders(position, settings)
    for order in legal["A LON"]:
        opened = open_phase(position, {"LON": [order]}, settings)
        assert all(choice.guard is True for group in opened.choices for choice in group)
