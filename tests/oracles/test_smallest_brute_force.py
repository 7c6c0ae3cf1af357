"""The smallest paradoxes and differences, against all positions and orders of an island."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations, product

import pytest

import dipsat
from dipsat import Achieve, Differ, Paradox, Position, Question, kernel, searches
from dipsat.base import data_folder
from dipsat.board import STANDARD_KINDS, parse_map
from dipsat.outcomes import MovementOutcome
from dipsat.searches.paradox_goal import cycles_in
from tests.exhaustive import exhaustive
from tests.legal_texts import legal_order_texts

ISLAND = dipsat.load_map(data_folder("rules") / "templates" / "maps" / "island.yaml")
POWERS = ISLAND.players
MOST = 3
Orders = Mapping[str, tuple[str, ...]]


def standings() -> Iterator[tuple[str, str]]:
    """Where units can be: the province, and the unit as text."""
    for code, province in ISLAND.provinces.items():
        for kind in STANDARD_KINDS:
            if kind.stands_in(province.kind):
                yield code, f"{kind} {code}"


def positions(number: int) -> Iterator[Position]:
    """Every position of `number` units; the first belongs to the first power."""
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
def results(number: int, rules: str) -> kernel.BatchResult:
    batch = kernel.Batch(rules, ISLAND)
    return batch.adjudicate(batch.encode(boards(number)))


@cache
def kinds(number: int) -> frozenset[str]:
    """The kinds of the decision cycles of all order sets of `number` units."""
    found = results(number, "datc")
    cyclic = [board for board, how in zip(boards(number), found.settled, strict=True)
              if how != "unique"]  # fmt: skip
    outcomes = [dipsat.adjudicate(position, orders) for position, orders in cyclic]
    return frozenset(
        chain.from_iterable(cycles_in(one) for one in outcomes if isinstance(one, MovementOutcome))
    )


@dataclass(frozen=True)
class Seen:
    """What happened on a board: the moves that succeeded, and the provinces of dislodged units."""

    moves: frozenset[tuple[str, str]]
    lost: frozenset[str]


@cache
def seen(number: int) -> tuple[Seen, ...]:
    found = results(number, "datc")
    every = []
    for at, (_, orders) in enumerate(boards(number)):
        verdicts = found.verdicts(at)
        texts = [text.split() for text in chain.from_iterable(orders.values())]
        moves = [(one[1][:3], one[3][:3]) for one in texts if one[2] == "-"]
        done = {unit[2:5] for unit, verdict in verdicts.items() if verdict == "succeeds"}
        lost = frozenset(one.unit[2:5] for one in found.dislodged(at))
        every.append(Seen(frozenset(move for move in moves if move[0] in done), lost))
    return tuple(every)


GOALS: Mapping[str, Callable[[Seen], bool]] = {
    "dislodged(ALP)": lambda one: "ALP" in one.lost,
    "enters(WES)": lambda one: any(target == "WES" for _, target in one.moves),
    "goes(DEL, MID) and goes(MID, DEL)": lambda one: {("DEL", "MID"), ("MID", "DEL")} <= one.moves,
    "dislodged(MID) and moves(BET)": lambda one: (
        "MID" in one.lost and any(origin == "BET" for origin, _ in one.moves)
    ),
    "goes(ALP, GUL) and goes(GUL, ALP)": lambda one: {("ALP", "GUL"), ("GUL", "ALP")} <= one.moves,
    "sum(dislodge(u) for u in units) >= 2": lambda one: len(one.lost) >= 2,
    "dislodged(GUL) and dislodged(WES)": lambda one: {"GUL", "WES"} <= one.lost,
    "sum(move(m) for m in Move) >= 2 and enters(BET) and moves(BET)": lambda one: (
        len(one.moves) >= 2
        and any(target == "BET" for _, target in one.moves)
        and any(origin == "BET" for origin, _ in one.moves)
    ),
}
"""Goals, each with its meaning for an adjudicated board."""


def exists(number: int, question: Question) -> bool:
    if isinstance(question, Achieve):
        return any(map(GOALS[question.goal], seen(number)))
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
    found = searches.search_smallest(question, ISLAND, most=most)
    assert found.verdict == ("impossible" if expected is None else "found")
    assert found.fewest == expected
    assert found.bound == (most + 1 if expected is None else expected)


@pytest.mark.parametrize(
    "question", [Paradox(), Differ("4.A.3-a"), *map(Achieve, tuple(GOALS)[-3:])], ids=str
)
def test_answers_about_two_units_of_an_island_are_right(question: Question) -> None:
    agrees(question, 2)


STRAIT = """
name: strait
powers: {ONE: {}, TWO: {}}
provinces:
  AAA: {name: Aaa, type: coast, army: [CCC], fleet: [BBB, CCC]}
  BBB: {name: Bbb, type: sea, fleet: [AAA, CCC]}
  CCC: {name: Ccc, type: coast, army: [AAA], fleet: [AAA, BBB]}
"""


@pytest.mark.parametrize("other", ["4.A.3-a", "4.A.3-b", "4.A.7-a", "rulebooks/1982"])
def test_units_may_be_or_go_anywhere_on_the_map(other: str) -> None:
    board = parse_map(STRAIT, "strait.yaml")
    settings = dipsat.load_profile("datc").settings
    every = list[tuple[Position, Orders]]()
    for army, owner in product(("AAA", "CCC"), ("ONE", "TWO")):
        units = {"ONE": ["F BBB"], "TWO": list[str]()}
        units[owner] = [*units[owner], f"A {army}"]
        position = Position.from_units(units, board)
        legal = legal_order_texts(position, settings)
        for fleet, moved in product(legal["F BBB"], legal[f"A {army}"]):
            given: dict[str, tuple[str, ...]] = {"ONE": (fleet,), "TWO": ()}
            every.append((position, {**given, owner: (*given[owner], moved)}))
    one, two = (
        batch.adjudicate(batch.encode(every))
        for batch in (kernel.Batch(rules, board) for rules in ("datc", other))
    )
    differs = any(
        (one.after(at), one.dislodged(at)) != (two.after(at), two.dislodged(at))
        for at in range(len(every))
    )
    where = searches.OpenPosition.from_units({"ONE": "F BBB", "any": "any 1 army"}, board)
    assert dipsat.search(where, Differ(other)).verdict == ("found" if differs else "impossible")


@exhaustive
@pytest.mark.parametrize(
    "question",
    [
        *map(Paradox, (None, "Szykman", "circular movement")),
        *map(Differ, ("4.A.3-b", "4.A.5-a", "rulebooks/1971")),
        *map(Achieve, GOALS),
    ],
    ids=str,
)
def test_answers_about_three_units_of_an_island_are_right(question: Question) -> None:
    agrees(question, MOST)
