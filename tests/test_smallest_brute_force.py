"""The smallest paradoxes and differences, against all positions and orders of an island."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain, combinations, product

import pytest

import dipsat
from dipsat import Differ, Paradox, Position, Question
from dipsat.board.unit_kind import STANDARD_KINDS
from dipsat.game.legal_orders import legal_order_texts
from dipsat.proof.movement import MovementOutcome
from dipsat.resources import data_folder
from dipsat.searches.paradox import cycles_in
from tests.exhaustive import exhaustive

ISLAND = dipsat.load_map(data_folder("rules") / "templates" / "maps" / "island.yaml")
POWERS = ISLAND.players
MOST = 3
Orders = Mapping[str, tuple[str, ...]]


def standings() -> Iterator[tuple[str, str]]:
    """Where units can stand: the province, and the unit as a text."""
    for code, province in ISLAND.provinces.items():
        for kind in STANDARD_KINDS:
            if kind.stands_in(province.kind):
                yield code, f"{kind} {code}"


def positions(number: int) -> Iterator[Position]:
    """Every position of so many units; the first belongs to the first power."""
    for chosen in combinations(standings(), number):
        if len({code for code, _ in chosen}) < number:
            continue
        for owners in product(POWERS, repeat=number - 1):
            units: dict[str, list[str]] = {power: [] for power in POWERS}
            for power, (_, unit) in zip((POWERS[0], *owners), chosen, strict=True):
                units[power].append(unit)
            yield Position.from_units(units, ISLAND)


def order_sets(position: Position) -> Iterator[Orders]:
    settings = dipsat.load_profile("datc").settings
    legal = legal_order_texts(position, settings)
    for orders in product(*(legal[str(unit)] for unit in position.units)):
        pairs = list(zip(position.units, orders, strict=True))
        yield {
            power: tuple(order for unit, order in pairs if unit.power == power) for power in POWERS
        }


@cache
def boards(number: int) -> tuple[tuple[Position, Orders], ...]:
    return tuple((one, orders) for one in positions(number) for orders in order_sets(one))


@cache
def results(number: int, rules: str) -> dipsat.BatchResult:
    batch = dipsat.Batch(rules, ISLAND)
    return batch.adjudicate(batch.encode(boards(number)))


@cache
def kinds(number: int) -> frozenset[str]:
    """The kinds of the decision cycles of all order sets of so many units."""
    found = results(number, "datc")
    cyclic = [board for board, how in zip(boards(number), found.settled, strict=True)
              if how != "unique"]  # fmt: skip
    outcomes = [dipsat.adjudicate(position, orders) for position, orders in cyclic]
    return frozenset(
        chain.from_iterable(cycles_in(one) for one in outcomes if isinstance(one, MovementOutcome))
    )


def exists(number: int, question: Question) -> bool:
    if isinstance(question, Paradox):
        return bool(kinds(number)) if question.kind is None else question.kind in kinds(number)
    assert isinstance(question, Differ)
    one, other = (results(number, rules) for rules in ("datc", str(question.other)))
    return any(
        (one.after(at), one.dislodged(at)) != (other.after(at), other.dislodged(at))
        for at in range(len(boards(number)))
    )


def agrees(question: Question, most: int) -> None:
    expected = next((n for n in range(1, most + 1) if exists(n, question)), None)
    found = dipsat.search_smallest(question, ISLAND, most=most)
    assert found.verdict == ("impossible" if expected is None else "found")
    assert found.fewest == expected
    assert found.bound == (most + 1 if expected is None else expected)


@pytest.mark.parametrize("question", [Paradox(), Differ("4.A.3-a")])
def test_two_units_of_an_island(question: Question) -> None:
    agrees(question, 2)


@exhaustive
@pytest.mark.parametrize(
    "question",
    [
        *map(Paradox, (None, "Szykman", "circular movement")),
        *map(Differ, ("4.A.3-b", "4.A.5-a", "rulebooks/1971")),
    ],
    ids=str,
)
def test_three_units_of_an_island(question: Question) -> None:
    agrees(question, MOST)
