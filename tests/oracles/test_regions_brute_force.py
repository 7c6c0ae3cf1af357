"""Searches of boards region by region, against the adjudication of all order sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import product
from random import Random

import pytest

import dipsat
from dipsat import kernel
from dipsat.base import grouped
from dipsat.orders import Hold, Order, write_order
from dipsat.rules import Profile, load_profile, parse_profile
from dipsat.searches import (
    Differ,
    Paradox,
    difference_goal as differ,
    open_orders as problem,
    paradox_goal as paradox,
)
from dipsat.searches.cegar import judge
from dipsat.searches.encoding import Choices
from dipsat.searches.open_orders import SearchProblem, Watch, ask_about
from dipsat.searches.paradox_goal import Kinds, cycles_in, kinds_of
from dipsat.solving.sat import has_sat_solver
from dipsat.studies.datc_runs import load_cases
from tests.exhaustive import exhaustive

UNITS = 3
"""Open units of a region in these tests: so few that all order sets of a board with several regions
can be tried."""

MOST_UNITS = 6
MORE = 1  # orders of a unit besides a hold and that of the DATC case
RULES = "4.A.2-szykman"
DRY = "extends: 4.A.2-szykman\nresults:\n  retreat(u, p): may_retreat(u, p) and p.kind != 'sea'\n"
STOPPED = "cycles_before:\n  - {name: stopped, when: some(cycle.move), set: {move: false}}\n"
OTHERS = {
    "4.A.2-all-hold": "the same equations",
    "4.A.7-a": "other equations",
    "dry": DRY,  # decides everything alike, but lets other units retreat
    "dry and stopped": DRY + STOPPED,
}
SOLVERS = ("z3", "sat") if has_sat_solver() else ("z3",)
CASES = [
    case.name
    for case in load_cases(["6.C", "6.F", "6.G"])
    if UNITS < len(case.position.units) <= MOST_UNITS
]
USUAL = "6.C.3"  # tested in every run
PLENTY = 10**6
Orders = Mapping[str, Order]


class Board:
    """A position with a few open orders for each unit, and the outcomes of all order sets."""

    def __init__(self, name: str) -> None:
        (case,) = load_cases([name])
        self.position, self.random = case.position, Random(name)
        outcome = dipsat.adjudicate(case.position, case.orders)
        usual = {one.unit: one.order for one in outcome.orders if one.verdict != "illegal"}
        self.usual = {str(one): usual.get(str(one)) for one in case.position.units}
        self.choices = self._choices(self.ask(RULES).choices)
        self.sets = [*sets_of(self.choices)]
        self._differing: dict[str, list[bool]] = {}

    def _choices(self, choices: Choices) -> Choices:
        """A hold for each unit, its order in the case, and others at random."""
        found = {}
        for unit in self.position.units:
            orders = choices[unit.location]
            kept = [one for one in orders if self.text(one) == self.usual[str(unit)]]
            kept += [one for one in orders if isinstance(one, Hold) and one not in kept]
            rest = [one for one in orders if one not in kept]
            found[unit.location] = (*kept, *self.random.sample(rest, min(MORE, len(rest))))
        return found

    def text(self, order: Order) -> str:
        return write_order(order, self.position.map)

    def ask(self, *rules: str) -> SearchProblem:
        """A question about these orders, under some rules."""
        profiles = [rules_named(one) for one in rules]
        asked = ask_about(self.position, profiles, {}, "all", Watch(), self.random.choice(SOLVERS))
        if hasattr(self, "choices"):
            asked.__dict__["choices"] = self.choices  # as if it had computed them
        return asked

    def results(self, rules: str) -> kernel.BatchResult:
        """The outcomes of all order sets under some rules."""
        batch = batch_under(rules)
        owners = {unit.location: unit.power for unit in self.position.units}
        texts = {order: self.text(order) for orders in self.choices.values() for order in orders}
        boards = [
            (self.position, grouped((owners[at], texts[order]) for at, order in orders.items()))
            for orders in self.sets
        ]
        return batch.adjudicate(batch.encode(boards))

    @cached_property
    def usual_results(self) -> kernel.BatchResult:
        """The outcomes of all order sets under `RULES`."""
        return self.results(RULES)

    @cached_property
    def kinds(self) -> list[Kinds]:
        """The kinds of the decision cycles of all order sets."""
        asked = self.ask(RULES)
        return [
            () if settled == "unique" else cycles_in(judge(asked.readings, orders, *asked.profiles))
            for settled, orders in zip(self.usual_results.settled, self.sets, strict=True)
        ]

    def differing(self, other: str) -> list[bool]:
        """Which order sets have other results under other rules."""
        if other not in self._differing:
            one, two = self.usual_results, self.results(other)
            self._differing[other] = [
                (one.after(at), one.dislodged(at)) != (two.after(at), two.dislodged(at))
                for at in range(len(self.sets))
            ]
        return self._differing[other]


@cache
def batch_under(rules: str) -> kernel.Batch:
    return kernel.Batch(rules_named(rules))


def rules_named(name: str) -> Profile:
    """A shipped profile, or one of the texts above."""
    text = OTHERS.get(name, "")
    is_own = text.startswith("extends")
    return parse_profile(f"name: {name}\n{text}", "own.yaml") if is_own else load_profile(name)


def sets_of(choices: Choices) -> Iterator[Orders]:
    for orders in product(*choices.values()):
        yield dict(zip(choices, orders, strict=True))


def are_in(orders: Orders, choices: Choices) -> bool:
    return all(order in choices[at] for at, order in orders.items())


@cache
def board_named(name: str) -> Board:
    return Board(name)


def verdict(found: object) -> str:
    return "impossible" if found is None else "found"


@pytest.fixture(autouse=True)
def _small_regions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(problem, "_UNITS", UNITS)
    monkeypatch.setattr(problem, "_WORTHWHILE", 1)
    monkeypatch.setattr(problem, "_SHARE", (UNITS, 1))  # until every unit was in one


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch) -> list[Choices]:
    """A list for the only region to be searched: all of it, and not the board afterwards."""
    region: list[Choices] = []

    def once(_: SearchProblem) -> Iterator[Choices]:
        yield region[0]
        raise _NothingThereError

    for module in (paradox, differ):
        monkeypatch.setattr(module, "regions", once)
        monkeypatch.setattr(module, "FEW", PLENTY)
    monkeypatch.setattr(differ, "_FEW", PLENTY)
    monkeypatch.setattr(differ, "find_by_chance", lambda *_: None)
    return region


class _NothingThereError(Exception):
    """A region has no answer."""


each_case = pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name == USUAL else exhaustive) for name in CASES],
    scope="module",
)


@each_case
def test_region_keeps_orders_of_the_question(name: str) -> None:
    asked = board_named(name).ask(RULES)
    found = [*problem.regions(asked)]
    assert len(found) > 1
    for choices in found:
        assert choices.keys() == asked.choices.keys()
        opened = {at for at, orders in choices.items() if orders == asked.choices[at]}
        assert 0 < len(opened) <= UNITS
        idle = asked.idle()
        assert all(choices[at] == (idle[at],) for at in choices.keys() - opened)


@pytest.mark.parametrize("other", ["4.A.2-all-hold", "dry", "dry and stopped"])
def test_profiles_share_an_encoding_only_if_they_decide_alike(other: str) -> None:
    """Otherwise, lemmas of cycles learned under one profile would be wrong under the other."""
    asked = board_named(USUAL).ask(RULES, other)
    one, two = differ._Compared(asked.profiles, asked.board(), differ._results).systems
    assert (one.rails is two.rails) == (other == "dry")


def assert_found_where_it_is(
    board: Board,
    question: Paradox | Differ,
    rules: tuple[str, ...],
    wanted: Sequence[object],
    region: list[Choices],
) -> None:
    """Each region has an answer exactly if one of its order sets has what is wanted."""
    for choices in [*problem.regions(board.ask(*rules))]:
        region[:] = [choices]
        shown = zip(wanted, board.sets, strict=True)
        exists = any(is_so for is_so, orders in shown if are_in(orders, choices))
        try:
            found = question._find(board.ask(*rules))
        except _NothingThereError:
            assert not exists
        else:
            assert found is not None
            is_so = wanted[board.sets.index(found.orders)]
            assert is_so
            assert isinstance(question, Differ) or found.wanted == is_so


@exhaustive
@each_case
def test_region_has_a_paradox_exactly_if_one_of_its_order_sets_has_one(
    name: str, only: list[Choices]
) -> None:
    board = board_named(name)
    assert_found_where_it_is(board, Paradox(), (RULES,), board.kinds, only)


@exhaustive
@pytest.mark.parametrize(
    ("name", "other"),
    [(name, other) for number, name in enumerate(CASES) for other in [*OTHERS][number % 2 :: 2]],
    scope="module",
)
def test_region_has_a_difference_exactly_if_one_of_its_order_sets_has_one(
    name: str, other: str, only: list[Choices]
) -> None:
    board = board_named(name)
    assert_found_where_it_is(board, Differ(other), (RULES, other), board.differing(other), only)


@exhaustive
@pytest.mark.parametrize(
    ("few", "others"), [(1, 2), pytest.param(problem.FEW, 1, marks=exhaustive)]
)
@each_case
def test_search_in_regions_finds_what_some_order_set_has(name: str, few: int, others: int) -> None:
    board = board_named(name)
    with pytest.MonkeyPatch.context() as patch:
        for module in (paradox, differ):
            patch.setattr(module, "FEW", few)
        kinds = board.kinds
        for kind in (None, *kinds_of(load_profile(RULES))):
            exists = any(k and kind in (None, *k) for k in kinds)
            found = Paradox(kind)._find(board.ask(RULES))
            assert (found is not None) == exists, kind
            if found is not None:
                assert kind in (None, *kinds[board.sets.index(found.orders)])
        first = CASES.index(name)
        for other in [[*OTHERS][(first + more) % len(OTHERS)] for more in range(others)]:
            differing = board.differing(other)
            difference = Differ(other)._find(board.ask(RULES, other))
            assert (difference is not None) == any(differing), other
            if difference is not None:
                assert differing[board.sets.index(difference.orders)]
