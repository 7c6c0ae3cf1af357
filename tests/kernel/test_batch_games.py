"""Later phases and whole games of `dipsat.kernel.Batch` are those of Python."""

from __future__ import annotations

import random
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

import dipsat
from dipsat import kernel
from dipsat.errors import ArgumentError, CodeError
from dipsat.game import adjustments, build_sites, legal_orders
from dipsat.kernel import Batch, Games
from dipsat.kernel.codes import BUILD, DISBAND, POSITIONS, RETREAT, WAIVE
from dipsat.kernel.game_arrays import drawn, mixed
from tests.exhaustive import exhaustive
from tests.kernel.agreement.compare import compare_games
from tests.kernel.kernel_agreement import ELSEWHERE, native, needs_compiler, quick

pytestmark = needs_compiler
LEFT = {
    "datc": set[str](), "arpiesse": {"retreats"}, "4.A.6-c": {"orders"},
    "wings": {"phases", "adjustments"}, "portage": {"orders"},
}  # fmt: skip
Row = tuple[int, int, int, int]


# --- whole games ----------------------------------------------------------------------------------


def check_games(batch: Batch, games: Games) -> int:
    """Replay every phase in Python. Returns the number of phases."""
    found = compare_games(batch, games)
    assert not found.differing, found.differing[0]
    for game in range(len(games)):
        owned = games.position(game).centers
        assert games.centers(game) == {p: len(owned.get(p, ())) for p in batch.map.powers}
    return found.boards


@exhaustive
def test_every_phase_of_random_games_is_that_of_python() -> None:
    batch = native()
    games = batch.play(3, seed=1, record=True)
    assert check_games(batch, games) > 75
    kinds = {position.phase.kind for n in range(3) for position, _ in games.history(n)}
    assert len(kinds) == 3
    assert not any(games.by_python)
    assert all(games.position(game).phase.year == 1911 for game in range(3))


@exhaustive
def test_every_phase_of_long_games_is_that_of_python() -> None:
    """`python -m tests agreement` plays hundreds of games."""
    batch = native()
    games = batch.play(8, seed=2, until=1925, record=True)
    assert check_games(batch, games) > 400
    assert not any(games.by_python)


@exhaustive
@pytest.mark.parametrize(("rules", "map"), ELSEWHERE)
def test_every_phase_of_games_on_other_maps_is_that_of_python(rules: str, map: str) -> None:
    batch = quick(rules, map)
    games = batch.play(3, seed=4, record=True)
    assert check_games(batch, games) > 60
    assert not sum(games.by_python) or batch.left_to_python


@exhaustive
def test_a_batch_says_in_advance_what_is_left_to_python() -> None:
    left = {rules: set(Batch(rules, native=False).left_to_python) for rules in LEFT}
    assert left == LEFT


def told(games: Games) -> list[object]:
    """Everything about games except what has adjudicated them."""
    return [
        [list(games.winners), list(games.phases)],
        [games.position(game) for game in range(len(games))],
        [games.history(game) for game in range(len(games)) if games.record],
    ]


@exhaustive
def test_games_depend_on_neither_threads_nor_each_other_nor_compiling() -> None:
    batch = native()
    games = batch.play(12, seed=5, phases=9, record=True)
    assert told(batch.play(12, seed=5, phases=9, record=True, threads=3)) == told(games)
    assert told(batch.play(12, seed=5, phases=9))[:2] == told(games)[:2]
    few = told(Batch(native=False).play(2, seed=5, phases=9, record=True))
    assert few == told(batch.play(2, seed=5, phases=9, record=True))
    assert few[2] == told(games)[2][:2]  # type: ignore[index]
    assert told(batch.play(12, seed=6, phases=9))[1] != told(games)[1]


@exhaustive
def test_retreats_at_random_are_the_same_compiled_and_by_python() -> None:
    compiled = native(map="europe1939").play(1, seed=7, phases=6, record=True)
    assert any(position.dislodged for position, _ in compiled.history(0))
    by_python = Batch(map="europe1939", native=False).play(1, seed=7, phases=6, record=True)
    assert by_python.history(0) == compiled.history(0)


def test_games_continue_from_the_positions_of_others() -> None:
    batch = native()
    first = batch.play(2, seed=7, phases=5)
    second = batch.play(first.positions, seed=7, phases=0)
    assert [second.position(n) for n in range(2)] == [first.position(n) for n in range(2)]
    assert not any(second.phases)
    assert check_games(batch, batch.play(first.positions, seed=8, until=1904, record=True)) > 5


def test_a_game_ends_when_a_power_has_won() -> None:
    """A position that is won already is not played."""
    batch = native()
    start = dipsat.Position.start()
    centers = list(batch.map.centers)
    won = dipsat.Position.from_units({"ITALY": ["A ROM"]}, centers={"ITALY": centers[:18]})
    close = dipsat.Position.from_units({"ITALY": ["A ROM"]}, centers={"ITALY": centers[:15]})
    games = batch.play(batch.positions([start, won, close]), phases=3)
    assert list(games.phases) == [3, 0, 3]
    assert [games.winner(game) for game in range(3)] == [None, "ITALY", None]
    for one in (batch, Batch(native=False)):
        games = one.play(one.positions([start, won]), phases=0)
        assert [games.winner(game) for game in range(2)] == [None, "ITALY"]


@exhaustive
def test_two_powers_with_the_same_lead_have_not_won() -> None:
    batch, most = quick("datc", "1900"), 18  # of 39 centres
    centers = list(batch.map.centers)
    one, other, *_ = batch.map.powers
    for extra, winner in ((0, None), (1, other)):
        owned = {one: centers[:most], other: centers[most : 2 * most + extra]}
        position = dipsat.Position.from_units({}, "1900", centers=owned)
        assert batch.play(batch.positions([position]), phases=0).winner(0) == winner


def test_all_legal_orders_are_equally_likely() -> None:
    """The random numbers are those of splitmix64."""
    assert mixed(0) == 0xE220A8397B1DCDAF
    assert {drawn(0, subject, 3) for subject in range(20)} == {0, 1, 2}
    batch, count = native(), 600
    position = dipsat.Position.from_units({"ITALY": ["A ROM", "F NAP"]})
    games = batch.play(batch.positions([position] * count), seed=9, phases=1, record=True)
    ordered = [order for game in range(count) for order in games.history(game)[0][1]["ITALY"]]
    for unit, legal in legal_orders(position, batch.rules.settings).items():
        found = Counter(order for order in ordered if order.unit.text() == unit)  # type: ignore[union-attr]
        assert set(found) == set(legal)
        wanted = count / len(legal)
        assert all(abs(often - wanted) < 5 * wanted**0.5 for often in found.values())


# --- single phases --------------------------------------------------------------------------------


def positions_of(batch: Batch, seed: int, games: int, phases: int) -> list[dipsat.Position]:
    """All positions of games at random."""
    played = batch.play(games, seed=seed, record=True, phases=phases)
    return [position for game in range(games) for position, _ in played.history(game)]


def winters(batch: Batch, seed: int, games: int) -> list[dipsat.Position]:
    return [one for one in positions_of(batch, seed, games, 25) if one.phase.season == "W"]


def check_advance(
    batch: Batch,
    positions: Sequence[dipsat.Position],
    rows_for: Callable[[dipsat.Position], Sequence[Row]],
) -> int:
    """Compare single phases under rows of orders. Returns how many are left to Python."""
    width, orders = 4 * batch.order_rows, array("H")
    for position in positions:
        flat = [number for row in rows_for(position)[: batch.order_rows] for number in row]
        orders.extend(flat + [0] * (width - len(flat)))
    codes = batch.positions(positions)
    found = batch.advance(codes, orders)
    for at, position in enumerate(positions):
        assert batch.position(codes, at) == position
        texts = batch._coder.orders_of(position, orders[width * at : width * (at + 1)])
        wanted = dipsat.adjudicate(position, texts, batch.rules).next
        assert batch.position(found.positions, at) == wanted, (at, str(position.phase), texts)
    return len(found.by_python)


def wild_orders(batch: Batch, position: dipsat.Position, choose: random.Random) -> list[Row]:
    """Rows of orders, many of which are impossible or come twice."""
    numbers, places = batch.numbers, range(len(batch.numbers.locations))
    if position.phase.season == "W":
        standing = [numbers.number_of[unit.location] for unit in position.units]
        owned = [numbers.number_of[code] for own in position.centers.values() for code in own]
        rows = list[Row]()
        for _ in range(choose.randrange(8)):
            power = choose.randrange(len(numbers.powers))
            place = choose.choice(choose.choice((standing, owned, [choose.choice(places)])))
            build, disband = (BUILD, choose.randrange(2), power, place), (DISBAND, 0, power, place)
            rows.append(choose.choice((build, disband, disband, (WAIVE, 0, power, 0))))
        return rows
    if position.phase.kind.value == "R":
        retreats = [
            (RETREAT, 0, 0, choose.choice([*map(numbers.number_of.__getitem__, one.retreats), 0]))
            for one in position.dislodged
        ]
        return [choose.choice((row, (DISBAND, 0, 0, 0), (0, 0, 0, 0))) for row in retreats]
    return [
        (choose.randrange(6), choose.randrange(2), choose.choice(places), choose.choice(places))
        for _ in position.units
    ]


@exhaustive
def test_single_phases_under_wild_orders_are_those_of_python() -> None:
    batch, choose = native(), random.Random(1)
    positions = positions_of(batch, 1, 3, 12)
    left = check_advance(batch, positions, lambda one: wild_orders(batch, one, choose))
    assert 0 < left < len(positions)


@exhaustive
@pytest.mark.parametrize("rules", ["datc", "dpjudge", "jdip", "4.D.8-b", "4.D.8-c", "4.D.7-b"])
def test_many_phases_under_wild_orders_are_those_of_python(rules: str) -> None:
    batch, choose = quick(rules, "standard"), random.Random(2)
    positions = positions_of(batch, 2, 10, 12)
    check_advance(batch, positions, lambda one: wild_orders(batch, one, choose))


@exhaustive
def test_without_orders_the_farthest_units_are_disbanded() -> None:
    """Compiled code does this; DATC 6.J says which units they are."""
    batch = native()
    due = [
        position
        for position in winters(batch, 3, 10)
        if any(adjustments(position, one, batch.rules.settings) < 0 for one in batch.map.powers)
    ]
    assert len(due) > 4
    assert check_advance(batch, due, lambda _: ()) == 0


def test_units_that_retreat_to_one_province_are_disbanded() -> None:
    batch = native()
    lost = {"FRANCE": {"A PAR": ["PIC"], "A MAR": ["GAS"]}, "GERMANY": {"A BEL": ["PIC"]}}
    position = dipsat.Position.from_units({}, phase="S1901R", dislodged=lost, unknown_centers=())
    rows = [(RETREAT, 0, 0, batch.numbers.number_of[to]) for to in ("PIC", "GAS", "PIC")]
    assert check_advance(batch, [position], lambda _: rows) == 0


@exhaustive
def test_retreats_to_one_province_are_settled_by_the_rules() -> None:
    """Python settles them under rules with their own `retreat_succeeds`."""
    batch = quick("arpiesse", "standard")
    colors = batch.rules.declared.attributes["color"].values
    positions = [
        dipsat.Position.from_units(
            {}, phase="S1901R", rules=batch.rules, unknown_centers=(),
            dislodged={"FRANCE": {f"{one} A PAR": ["PIC"]},
                       "GERMANY": {f"{other} A BEL": ["PIC"]}},
        )
        for one in colors
        for other in colors
    ]  # fmt: skip
    rows = [(RETREAT, 0, 0, batch.numbers.number_of["PIC"])] * 2
    assert check_advance(batch, positions, lambda _: rows) == len(positions) == 9


def too_many(
    batch: Batch, position: dipsat.Position, choose: random.Random, wild: bool
) -> list[Row]:
    """Rows of orders to build wherever the powers may, and to disband all their units. If they are
    wild, there are also waives, builds elsewhere and orders that come twice."""
    numbers, rows = batch.numbers, list[Row]()
    for at, power in enumerate(numbers.powers):
        own = [unit.location for unit in position.units if unit.power == power]
        rows += [(DISBAND, 0, at, numbers.number_of[location]) for location in own]
        sites = build_sites(position, power, batch.rules.settings)
        if wild and choose.random() < 0.2:
            sites = tuple(position.centers.get(power, ()))
        kind = int(wild and choose.random() < 0.2)
        rows += [(BUILD, kind, at, numbers.number_of[code]) for code in sites]
        if wild and choose.random() < 0.2:
            rows += [(WAIVE, 0, at, 0), *choose.sample(rows, min(len(rows), 1))]
    choose.shuffle(rows)
    return rows


@exhaustive
def test_the_first_builds_and_disbands_count() -> None:
    """Among more than are due (DATC 4.D.4 to 4.D.7)."""
    batch, choose = native(), random.Random(5)
    positions = winters(batch, 3, 4)
    left = check_advance(batch, positions, lambda one: too_many(batch, one, choose, wild=False))
    assert left == 0


@exhaustive
@pytest.mark.parametrize(
    "setting",
    [
        *(
            f"{name}={value}"
            for name in ("builds_too_many", "builds_in_one_place", "disbands_too_many")
            for value in ("last", "none")
        ),
        "waive=illegal",
        "build_where=any",
    ],
)
def test_builds_and_disbands_count_as_the_settings_say(setting: str) -> None:
    batch, choose = quick(f"datc+{setting}", "standard"), random.Random(5)
    positions = winters(batch, 4, 8)
    for wild in (True, True, False):
        check_advance(batch, positions, partial(too_many, batch, choose=choose, wild=wild))


# --- faulty codes ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "at", "value"),
    [
        ("phases", 1, 4), ("phases", 2, 9), ("counts", 0, 65), ("counts", 1, 3), ("units", 0, 200),
        ("units", 1, 9), ("units", 2, 6000), ("owners", 0, 100), ("units", 2, 74),
    ],
)  # fmt: skip
def test_codes_of_positions_without_a_meaning_are_reported(name: str, at: int, value: int) -> None:
    """Compiled code and Python report the same, whatever is asked about them."""
    told: list[list[str]] = [[], []]
    for texts, batch in zip(told, (native(), Batch(native=False)), strict=True):
        codes = batch.positions([dipsat.Position.start()] * 2)
        array = getattr(codes, name)
        array[len(array) // 2 + at] = value
        calls: tuple[Callable[[], object], ...] = (
            partial(batch.play, codes, phases=1),
            partial(batch.legal_orders, codes),
            partial(batch.advance, codes, [{"FRANCE": ["A PAR H"]}, {}]),
        )
        for call in calls:
            with pytest.raises(CodeError, match=r"^board 1(, unit [0-9])?: ") as error:
                call()
            texts.append(str(error.value))
    assert told[0] == told[1]


def test_orders_without_a_meaning_are_reported() -> None:
    """Compiled code and Python report the same."""
    faulty = ((11, 0, 0, 0), (2, 0, 0, 9999), (3, 0, 9999, 0))
    found: list[list[str]] = [[], []]
    for into, batch in zip(found, (native(), Batch(native=False)), strict=True):
        codes = batch.positions([dipsat.Position.start()])
        for row in faulty:
            orders = [*[0] * 4, *row, *[0] * (4 * batch.order_rows - 8)]
            with pytest.raises(CodeError, match=r"^board 0, unit 1: ") as error:
                batch.advance(codes, orders)
            into.append(str(error.value))
        for wrong in ([0], [-1] * 4 * batch.order_rows, ["a"] * 4 * batch.order_rows):
            with pytest.raises(CodeError, match="`orders`"):
                batch.advance(codes, wrong)  # type: ignore[arg-type]
    assert found[0] == found[1]


def test_arguments_of_wrong_types_are_refused() -> None:
    batch = Batch(native=False)
    for arguments in ({"games": -1}, {"games": "x"}, {"seed": "x"}, {"until": 0}, {"phases": -1},
                      {"threads": 0}, {"phases": 1.5}):  # fmt: skip
        with pytest.raises(ArgumentError):
            batch.play(**arguments)
    for call in (lambda: batch.advance([], []), lambda: batch.legal_orders([])):  # type: ignore[arg-type]
        with pytest.raises(ArgumentError):
            call()
    games = batch.play(1, phases=1)
    for wrong in (lambda: games.position(1), lambda: games.winner(-1), lambda: games.history(0)):
        with pytest.raises(ArgumentError):
            wrong()


def test_positions_in_lists_are_read() -> None:
    batch = native()
    codes = batch.positions([dipsat.Position.start()])
    given: Any = ([*getattr(codes, name)] for name in POSITIONS)
    lists = kernel.PositionCodes(*given)
    assert told(batch.play(lists, phases=2)) == told(batch.play(codes, phases=2))
    with pytest.raises(CodeError, match="`owners` should have 75 numbers for each position"):
        batch.play(replace(lists, owners=[0]))
