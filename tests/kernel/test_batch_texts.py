"""Texts of units and orders: compiled code reads them as dipsat's Python does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

import pytest

import dipsat
from dipsat.errors import ArgumentError, OrderSyntaxError
from dipsat.kernel import Batch
from tests.exhaustive import exhaustive, few_of
from tests.kernel.kernel_agreement import ELSEWHERE, needs_compiler, quick, random_boards

pytestmark = needs_compiler
RULES = ("datc", "4.A.6-c", "4.D.9-b", "4.C.5-b", "4.C.6-b", "dpjudge", "arpiesse", "wings")
"""Under some of these rules, a wrong name or an order for a missing unit has to be settled first;
others have words of their own."""
PAIRS = dict.fromkeys((
    *((one, "standard") for one in RULES), *ELSEWHERE,
    *(("datc", one) for one in dipsat.map_names()), ("datc", "standard+german"),
))  # fmt: skip


@cache
def plain(rules: str, map: str) -> Batch:
    """The same in Python."""
    return Batch(rules, map, native=False)


def strange(random: Random, texts: Sequence[str]) -> str:
    """An order with a change, which often says something else or nothing."""
    text, other = random.choice(texts), random.choice(texts).split(" ")
    tokens = text.split(" ")
    match random.randrange(9):
        case 0:
            return text.lower()
        case 1:
            return f"{text} {random.choice(('VIA', 'H', '', '-', 'A'))}"
        case 2:
            tokens[random.randrange(len(tokens))] = random.choice(other)
        case 3:
            del tokens[random.randrange(len(tokens))]
        case 4:
            return text.replace("/", "", 1)
        case 5:
            return f"{text[:4]}\n{text[4:]}"
        case 6:
            return text.replace(" ", "  ", 1)
        case 7:
            tokens.insert(random.randrange(len(tokens)), random.choice(other))
    return " ".join(tokens)


def boards_of_texts(batch: Batch, seeds: Sequence[int]) -> Iterator[tuple[Any, Any]]:
    """Boards with legal orders; every second board has strange orders too."""
    for seed, (position, _) in zip(seeds, random_boards(batch, seeds), strict=True):
        random = Random(f"texts {seed}")
        units = {
            power: [str(unit) for unit in position.units if unit.power == power]
            for power in {unit.power: None for unit in position.units}
        }
        legal = dipsat.Game(position, batch.rules).all_legal_orders()
        orders = {
            power: [random.choice(legal[power][unit]) for unit in own if random.random() < 0.95]
            for power, own in units.items()
        }
        every = [text for own in orders.values() for text in own]
        if seed % 2 and every:
            changed = random.choice(list(orders.values()))
            changed.append(strange(random, every))
        yield (position if seed % 3 else units), orders


@exhaustive
@pytest.mark.parametrize(("rules", "map"), few_of(PAIRS, 5))
def test_boards_have_the_codes_that_python_finds(rules: str, map: str) -> None:
    compiled, python = quick(rules, map), plain(rules, map)
    for board in boards_of_texts(compiled, range(12)):
        found: list[Any] = []
        for batch in (python, compiled):
            try:
                codes = batch.encode([board])
                found.append((codes.starts, codes.units, codes.orders, set(codes.uncoded)))
            except dipsat.errors.DipsatError as error:
                found.append((type(error), str(error)))
        assert found[0] == found[1], board


@pytest.mark.parametrize(
    ("spoken", "written"),
    [
        ("A München - Burgund", "A MUN - BUR"),
        ("A Mün u A Ber - Sil", "A MUN S A BER - SIL"),
        ("A MUN hält", "A MUN H"),
    ],
)
def test_names_in_other_languages_have_the_codes_of_the_map(spoken: str, written: str) -> None:
    foreign = ({"Deutschland": ["A München", "A BER"]}, {"Deutschland": [spoken]})
    english = ({"GERMANY": ["A MUN", "A BER"]}, {"GERMANY": [written]})
    found = quick("datc", "standard+german").encode([foreign])
    codes = quick("datc", "standard").encode([english])
    assert (found.units, found.orders) == (codes.units, codes.orders)


STRAYING = (  # a text that ends in the line of the next power, and zeros, which end names in C
    ({"FRANCE": ["A PAR H\nF LON - YOR"], "ENGLAND": [""]}, "F LON"),
    ({"FRANCE": ["A PAR\0 - BUR"]}, "A PAR"),
    ({"FRANCE": ["A PAR - BUR\0"]}, "A PAR"),
)


@pytest.mark.parametrize(("orders", "unit"), STRAYING)
def test_lines_and_zeros_in_a_text_are_not_orders(orders: dict[str, list[str]], unit: str) -> None:
    units = {"FRANCE": ["A PAR"], "ENGLAND": ["F LON"]}
    batch = quick("datc", "standard")
    with pytest.raises(OrderSyntaxError):
        batch.encode([(units, orders)])
    codes = batch.encode([(units, orders)], lenient=True)
    after = batch.adjudicate(codes).units_after(0)
    assert [unit] in after.values()


@pytest.mark.parametrize("units", [{"FRANCE": ["A PAR\nF LON"], "ENGLAND": [""]}])
def test_lines_in_the_text_of_a_unit_are_not_units(units: dict[str, list[str]]) -> None:
    with pytest.raises(dipsat.errors.DipsatError):
        quick("datc", "standard").encode([(units, {})])


def test_a_text_in_place_of_a_list_is_refused() -> None:
    for lenient in (False, True):
        with pytest.raises(ArgumentError):
            quick("datc", "standard").encode(
                [({"FRANCE": ["A PAR"]}, {"FRANCE": "A PAR - BUR"})], lenient=lenient
            )


ODD = """
name: odd
powers: {RED: {home: [AAA]}, F: {home: [TO]}}
provinces:
  AAA: {name: Alpha, type: coast, supply: true, army: [TO], fleet: [TO]}
  TO: {name: Gamma, type: coast, supply: true, army: [AAA], fleet: [AAA]}
"""


@pytest.mark.parametrize("order", ["A AAA - TO", "A AAA S A TO", "A AAA H"])
@pytest.mark.parametrize("unit", ["A AAA", "F AAA"])
def test_names_that_are_words_of_orders_mean_what_python_reads(order: str, unit: str) -> None:
    board, found = dipsat.parse_map(ODD, "odd.yaml"), list[object]()
    for native in (True, False):
        batch = Batch("datc", board, native=native)
        try:
            codes = batch.encode([({"RED": [unit]}, {"RED": [order.replace("A AAA", unit)]})])
            found.append((codes.units, codes.orders, set(codes.uncoded)))
        except dipsat.errors.DipsatError as error:
            found.append(str(error))
    assert found[0] == found[1]
