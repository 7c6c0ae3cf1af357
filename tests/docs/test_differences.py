"""docs/atlas/differences: the boards differ as the table says, and no unit of them is idle."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from dipsat.errors import UnresolvedError
from dipsat.game import Position, legal_orders
from dipsat.orders import write_order
from dipsat.outcomes import MovementOutcome, adjudicate
from dipsat.rules import difference, load_profile
from dipsat.searches.paradox_goal import cycles_in
from tests.exhaustive import few_of
from tools.atlas.pages import maps
from tools.differences import after, page, record
from tools.differences.answers import FULL, PLACES, SAME, Answer, arranged, boards_of, is_proven
from tools.differences.asking import NEVER
from tools.differences.boards import SEARCH, Example, example_of
from tools.differences.questions import kinds, pairs
from tools.differences.share import key_of
from tools.differences.sheets import sheet

KNOWN = record.read()
FOUND = [(one, one[place]) for one in KNOWN.pairs for place in PLACES if one[place]]
PAGE = page.PAGE.read_text(encoding="utf-8")
CYCLES = [one for one in KNOWN.kinds if one["example"]]


def _without_one(units: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, dict[str, list[str]]]]:
    """Each unit, and the units without it."""
    for power, own in units.items():
        for unit in own:
            yield unit, {**units, power: [other for other in own if other != unit]}  # type: ignore[dict-item]  # a list is a sequence


def _orders_without(
    orders: Mapping[str, Sequence[str]], units: Mapping[str, Sequence[str]]
) -> dict[str, list[str]]:
    """The orders of the units that are left; orders that can no longer be given become holds."""
    position = Position.from_units(units, "standard")
    legal = legal_orders(position, load_profile("datc").settings)
    found: dict[str, list[str]] = {}
    for power, own in units.items():
        for unit in own:
            may = {write_order(one, position.map) for one in legal[unit]}
            given = next(text for text in orders[power] if text.startswith(f"{unit} "))
            found.setdefault(power, []).append(given if given in may else f"{unit} H")
    return found


def test_every_pair_and_kind_has_an_answer() -> None:
    asked = [(pair.section, pair.one, pair.other) for pair in pairs()]
    assert [(one["section"], one["one"], one["other"]) for one in KNOWN.pairs] == asked
    wanted = [(kind.rules, kind.kind) for kind in kinds()]
    assert [(one["rules"], one["kind"]) for one in KNOWN.kinds] == wanted


@pytest.mark.exhaustive
def test_what_is_called_the_same_has_the_same_rules() -> None:
    for one in KNOWN.pairs:
        if one["verdict"] == SAME:
            changes = difference(load_profile(one["one"]), load_profile(one["other"])).changes
            assert not changes, (one["one"], one["other"])


@pytest.mark.parametrize(("answer", "board"), few_of(FOUND, 9))
def test_each_board_differs_as_the_data_say(answer: Answer, board: Example) -> None:
    found = example_of(board, answer["one"], answer["other"])
    assert found.differs
    assert found.units == board["units"]
    assert found.example(board["source"]) == board


@pytest.mark.exhaustive
def test_without_any_unit_a_smallest_board_does_not_differ() -> None:
    proven = [(one, one[FULL]) for one in KNOWN.pairs if is_proven(one)]
    assert len(proven) > 30
    for answer, board in proven:
        for unit, units in _without_one(board["position"]["units"]):
            orders = _orders_without(board["orders"], units)
            less = {"position": {**board["position"], "units": units}, "orders": orders}
            assert not example_of(less, answer["one"], answer["other"]).differs, (board, unit)


def _kinds_of(units: Mapping[str, Any], orders: Mapping[str, Any], rules: Any) -> Sequence[str]:
    try:
        outcome = adjudicate(Position.from_units(units, "standard"), orders, rules)
    except UnresolvedError as error:
        return cycles_in(error)
    assert isinstance(outcome, MovementOutcome)
    return cycles_in(outcome)


@pytest.mark.parametrize("answer", CYCLES, ids=lambda one: str(one["kind"]))
def test_each_cycle_is_of_its_kind_and_needs_all_its_units(answer: Answer) -> None:
    (rules,) = {kind.file for kind in kinds() if kind.rules == answer["rules"]}
    board, kind = answer["example"], answer["kind"]
    units, orders = board["position"]["units"], board["orders"]
    assert kind in _kinds_of(units, orders, rules)
    assert sum(map(len, units.values())) == board["units"]
    for _, rest in _without_one(units):
        assert kind not in _kinds_of(rest, _orders_without(orders, rest), rules)


@pytest.mark.exhaustive
def test_the_page_says_what_the_data_say() -> None:
    """`python -m tools.differences_table --page` writes it."""
    assert page.made(KNOWN) == page.PAGE.read_text(encoding="utf-8")


BOARDS = re.findall(
    r"^### Board (\d+)\n.*?```text\n(.*?)```\n(.*?)(?=^### |\Z)", PAGE, re.MULTILINE | re.DOTALL
)
"""The number of each board on the page, its orders, and the table of its results."""


def test_every_board_of_the_page_shows_what_differs() -> None:
    rows = {int(number): _rows(table) for number, _, table in BOARDS}
    numbers = page.numbered(KNOWN)
    assert rows.keys() == set(numbers.values())
    for found in rows.values():
        assert len({text for _, text in found}) == len(found) >= 2
    for answer, board in FOUND:
        names = {answer[side].rpartition("/")[2] for side in ("one", "other")}
        shared = [names & own for own, _ in rows[numbers[key_of(board)]]]
        assert sorted(map(len, shared)) == [*[0] * (len(shared) - 2), 1, 1], (names, board)


def _rows(table: str) -> list[tuple[set[str], str]]:
    """The rules in each row, and the board after it."""
    found = re.findall(r"^\| (`.*?) \| (.*?) \|$", table, re.MULTILINE)
    return [(set(re.findall("`(.*?)`", names)), text) for names, text in found]


def test_the_boards_of_the_page_are_written_as_players_write_them() -> None:
    for number, orders, _ in BOARDS:
        assert not set(orders) & set("[]{}'"), number


@pytest.mark.parametrize(
    ("given", "lines"),
    [
        (["A PAR - BUR"], ["A PAR - BUR"]),
        ([["A PAR - BUR"], {"adds": ["A MAR H", "F BRE H"]}],
         ["units: A PAR", "first set of orders: A PAR - BUR", "added later: A MAR H, F BRE H"]),
        ([["A PAR H"], ["A PAR - BUR"], {"replaces": ["A PAR - PIC"]}],
         ["units: A PAR", "first set of orders: A PAR H", "second set of orders: A PAR - BUR",
          "later instead of all before: A PAR - PIC"]),
        ({"undated": [["A PAR H"], ["A PAR - BUR"]]},
         ["units: A PAR", "sets of orders without a date:", "  A PAR H", "  A PAR - BUR"]),
        (["F PAR - BUR"], ["units: A PAR", "F PAR - BUR"]),
        ([], ["units: A PAR"]),
    ],
)  # fmt: skip
def test_orders_as_players_write_them(given: Any, lines: list[str]) -> None:
    board = {"position": {"units": {"FRANCE": ["A PAR"]}}, "orders": {"FRANCE": given}}
    assert list(sheet(board)) == ["France:", *(f"  {line}" for line in lines)]


def test_results_that_look_the_same_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    (use,) = [one for one in FOUND if one[0]["other"] == "judges/centres-taken-before-retreats"]
    owners = ["BEL belongs to Germany", "BEL belongs to France"]
    assert [text.rpartition("; ")[2] for _, text in after.rows([use])] == owners
    monkeypatch.setattr(after, "_disputed", lambda _: [])
    with pytest.raises(ValueError, match="look the same"):
        after.rows([use])


def test_the_data_are_not_taken_for_a_map_of_the_atlas() -> None:
    assert record.FILE.stem not in maps()


def test_a_board_that_contradicts_a_proof_is_an_error() -> None:
    answer = next(one for one in KNOWN.pairs if SEARCH in {b["source"] for b in boards_of(one)})
    assert arranged(answer, boards_of(answer)) == answer
    with pytest.raises(ValueError, match="are proven to be needed"):
        arranged({**answer, "bound": NEVER - 1}, boards_of(answer))
