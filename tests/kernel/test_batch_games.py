"""Legal orders as codes, later phases and whole games of `dipsat.kernel.Batch` are those of
Python."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

import dipsat
from dipsat import kernel
from dipsat.errors import ArgumentError, CodeError
from dipsat.game import legal_orders
from dipsat.kernel import Batch, Games
from dipsat.kernel.codes import BUILD, DISBAND, RETREAT, WAIVE
from dipsat.kernel.game_arrays import drawn, mixed
from dipsat.kernel.library_cache import compilers
from dipsat.orders import Move
from tests.exhaustive import exhaustive
from tests.kernel.kernel_agreement import native, needs_compiler, quick, random_boards
from tests.kernel.sanitizers import sanitizer_environment

pytestmark = needs_compiler
MANY = (
    "1898", "ancient_mediterranean", "asia", "chaos", "colonial", "europe1939", "loeb9", "milan",
    "modern", "world", "youngstown",
)  # fmt: skip
RULES = (
    ("arpiesse", "standard"), ("difficult_borders", "loeb9"), ("loeb9", "loeb9"),
    ("wings", "standard"), ("colonial", "colonial"), ("coastal_convoys", "convoyable_coast"),
    ("portage", "standard"), ("4.A.6-c", "standard"), ("4.A.3-c", "standard"),
    ("4.B.4-b", "standard"),
    ("4.B.4-c", "standard"), ("4.B.4-d", "standard"), ("4.B.4-e", "standard"),
    ("4.C.5-b", "standard"), ("4.D.7-b", "standard"), ("dpjudge", "standard"),
    ("centres-taken-before-retreats", "standard"), ("build_anywhere", "standard"),
)  # fmt: skip


LEFT = {
    "datc": set[str](), "arpiesse": {"retreats to one province"}, "4.A.6-c": {"orders"},
    "wings": {"phases", "adjustments"}, "portage": {"orders"},
}  # fmt: skip


# --- legal orders ---------------------------------------------------------------------------------


def check_legal_orders(batch: Batch, seeds: Iterable[int]) -> int:
    """Compare with the list of Python; the number of boards that are left to it."""
    boards = random_boards(batch, seeds)
    positions = [replace(position, unknown_centers=()) for position, _ in boards]
    codes = batch.encode([(position, {}) for position in positions])
    found = batch.legal_orders(codes)
    assert len(found.starts) == codes.starts[-1] + 1
    for board, position in enumerate(positions):
        legal = legal_orders(position, batch.rules.settings)
        for at, unit in enumerate(position.units, codes.starts[board]):
            wanted = [
                batch._coder.movement_row(order)
                for order in legal[str(unit)]
                if not (isinstance(order, Move) and order.path)
            ]
            assert found.of(at) == wanted, (board, str(unit))
    return len(found.by_python)


def test_legal_orders_are_those_of_python_in_the_same_order() -> None:
    assert check_legal_orders(native(), range(25)) == 0


def test_python_lists_the_same_if_nothing_is_compiled() -> None:
    assert check_legal_orders(Batch(native=False), range(3)) == 3


@exhaustive
@pytest.mark.parametrize("map", ["standard", *MANY])
def test_legal_orders_on_many_maps(map: str) -> None:
    assert check_legal_orders(quick("datc", map), range(25)) == 0


@exhaustive
@pytest.mark.parametrize(("rules", "map"), RULES)
def test_legal_orders_under_many_rules(rules: str, map: str) -> None:
    batch = quick(rules, map)
    left = check_legal_orders(batch, range(15))
    assert left == (15 if "orders" in batch.left_to_python else 0)


def test_more_orders_than_fit_at_once_are_fetched_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = native()
    codes = batch.encode(random_boards(batch, range(12)))
    whole = batch.legal_orders(codes)
    monkeypatch.setattr("dipsat.kernel.library._ROOM", 100)
    parts = batch.legal_orders(codes)
    assert (list(parts.starts), list(parts.orders)) == (list(whole.starts), list(whole.orders))


def test_boards_of_python_and_of_compiled_code_are_put_together() -> None:
    """More units than there is room for are left to Python."""
    batch = native()
    provinces = sorted(batch.map.provinces.values(), key=lambda one: one.code)
    kinds = {"sea": "F", "land": "A", "coast": "A"}
    crowded = {"ITALY": [f"{kinds[one.kind]} {one.code}" for one in provinces if one.kind in kinds]}
    plain = {"ITALY": ["A ROM"]}
    codes = batch.encode([(plain, {}), (crowded, {}), (plain, {})])
    found = batch.legal_orders(codes)
    assert found.by_python == [1]
    assert found.of(0) == found.of(codes.starts[2])
    assert len(found.of(1)) > len(found.of(0))


# --- whole games ----------------------------------------------------------------------------------


def check_games(batch: Batch, games: Games) -> int:
    """Replay every phase in Python; the number of phases."""
    for game in range(len(games)):
        history = games.history(game)
        positions = [*(position for position, _ in history), games.position(game)]
        winner = None
        for (_, after), (position, orders) in zip(pairwise(positions), history, strict=True):
            assert winner is None
            outcome = dipsat.adjudicate(position, orders, batch.rules)
            assert outcome.next == after, (game, str(position.phase))
            assert not [one for one in outcome.orders if one.verdict == "illegal"]
            winner = outcome.winner
        assert games.winner(game) == winner
        owned = games.position(game).centers
        assert games.centers(game) == {p: len(owned.get(p, ())) for p in batch.map.powers}
    return sum(games.phases)


def test_every_phase_of_random_games_is_that_of_python() -> None:
    batch = native()
    games = batch.play(6, seed=1, record=True)
    assert check_games(batch, games) > 150
    kinds = Counter(history[0].phase.kind for n in range(6) for history in games.history(n))
    assert len(kinds) == 3
    assert not any(games.by_python)
    assert all(games.position(game).phase.year == 1911 for game in range(6))


@exhaustive
def test_every_phase_of_long_games_is_that_of_python() -> None:
    """`python -m tests agreement` plays hundreds."""
    batch = native()
    games = batch.play(20, seed=2, until=1925, record=True)
    assert check_games(batch, games) > 1_000
    assert not any(games.by_python)


@exhaustive
@pytest.mark.parametrize("map", MANY)
def test_every_phase_of_games_on_many_maps_is_that_of_python(map: str) -> None:
    batch = quick("datc", map)
    games = batch.play(10, seed=3, record=True)
    assert check_games(batch, games) > 200
    assert not any(games.by_python)


@exhaustive
@pytest.mark.parametrize(
    ("rules", "map"), [("datc", "standard"), ("variants/arpiesse", "standard")]
)
def test_sanitizers_find_nothing(rules: str, map: str) -> None:
    compiler = next(compilers(), None)
    assert compiler is not None
    environment = sanitizer_environment(compiler)
    command = [sys.executable, "-m", "tests.kernel.sanitized_games", rules, map, "2"]
    done = subprocess.run(  # our own module
        command, env={**os.environ, **environment}, capture_output=True, encoding="utf-8",
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "refused" in done.stdout


def test_what_is_left_to_python_is_said_before() -> None:
    left = {rules: set(Batch(rules, native=False).left_to_python) for rules in LEFT}
    assert left == LEFT


@exhaustive
@pytest.mark.parametrize(("rules", "map"), RULES)
def test_every_phase_of_games_under_many_rules_is_that_of_python(rules: str, map: str) -> None:
    batch = quick(rules, map)
    games = batch.play(3, seed=4, record=True)
    assert check_games(batch, games) > 60
    assert not sum(games.by_python) or batch.left_to_python


def told(games: Games) -> list[object]:
    """Everything about games except who has adjudicated them."""
    return [
        [list(games.winners), list(games.phases)],
        [games.position(game) for game in range(len(games))],
        [games.history(game) for game in range(len(games)) if games.record],
    ]


def test_games_depend_on_neither_threads_nor_each_other_nor_compiling() -> None:
    batch = native()
    games = batch.play(30, seed=5, phases=9, record=True)
    assert told(batch.play(30, seed=5, phases=9, record=True, threads=3)) == told(games)
    assert told(batch.play(30, seed=5, phases=9))[:2] == told(games)[:2]
    few = told(Batch(native=False).play(2, seed=5, phases=9, record=True))
    assert few == told(batch.play(2, seed=5, phases=9, record=True))
    assert few[2] == told(games)[2][:2]  # type: ignore[index]
    assert told(batch.play(30, seed=6, phases=9))[1] != told(games)[1]


def test_retreats_at_random_are_the_same_compiled_and_by_python() -> None:
    compiled = native(map="europe1939").play(1, seed=7, phases=6, record=True)
    assert any(position.dislodged for position, _ in compiled.history(0))
    by_python = Batch(map="europe1939", native=False).play(1, seed=7, phases=6, record=True)
    assert by_python.history(0) == compiled.history(0)


def test_games_go_on_where_others_ended() -> None:
    batch = native()
    first = batch.play(4, seed=7, phases=5)
    second = batch.play(first.positions, seed=7, phases=0)
    assert [second.position(n) for n in range(4)] == [first.position(n) for n in range(4)]
    assert not any(second.phases)
    assert check_games(batch, batch.play(first.positions, seed=8, until=1904, record=True)) > 10


def test_a_game_ends_when_a_power_has_won() -> None:
    """A position that is won already is not played."""
    batch = native()
    start = dipsat.Position.start()
    centers = [code for code, one in batch.map.provinces.items() if one.supply][:18]
    won = dipsat.Position.from_units({"ITALY": ["A ROM"]}, centers={"ITALY": centers})
    close = dipsat.Position.from_units({"ITALY": ["A ROM"]}, centers={"ITALY": centers[:15]})
    games = batch.play(batch.positions([start, won, close]), phases=3)
    assert list(games.phases) == [3, 0, 3]
    assert [games.winner(game) for game in range(3)] == [None, "ITALY", None]
    for one in (batch, Batch(native=False)):
        games = one.play(one.positions([start, won]), phases=0)
        assert [games.winner(game) for game in range(2)] == [None, "ITALY"]


def test_every_legal_order_is_as_likely() -> None:
    """And splitmix64 is splitmix64."""
    assert [mixed(0), mixed(mixed(0))][0] == 0xE220A8397B1DCDAF
    assert {drawn(0, subject, 3) for subject in range(20)} == {0, 1, 2}
    batch = native()
    position = dipsat.Position.from_units({"ITALY": ["A ROM", "F NAP"]})
    games = batch.play(batch.positions([position] * 2000), seed=9, phases=1, record=True)
    legal = legal_orders(position, batch.rules.settings)
    for unit in position.units:
        found = Counter(
            order
            for game in range(2000)
            for order in games.history(game)[0][1]["ITALY"]
            if order.unit == unit.name  # type: ignore[union-attr]
        )
        wanted = 2000 / len(legal[str(unit)])
        assert set(found) == set(legal[str(unit)])
        assert all(abs(count - wanted) < 5 * wanted**0.5 for count in found.values())


# --- single phases --------------------------------------------------------------------------------


def wild_orders(batch: Batch, position: dipsat.Position, choose: random.Random) -> Sequence[int]:
    """Rows of orders of which many are impossible or come twice."""
    numbers, rows = batch.numbers, list[tuple[int, ...]]()
    places = range(len(numbers.locations))
    kind = position.phase.kind.value
    if kind == "M":
        for _ in position.units:
            rows.append((choose.randrange(6), choose.randrange(2), choose.choice(places),
                         choose.choice(places)))  # fmt: skip
    if kind == "R":
        for lost in position.dislodged:
            near = [numbers.number_of[to] for to in lost.retreats] + [choose.choice(places)]
            retreat = (RETREAT, 0, 0, choose.choice(near))
            rows.append(choose.choice((retreat, (DISBAND, 0, 0, 0), (0, 0, 0, 0))))
    if kind == "A":
        standing = [numbers.number_of[unit.location] for unit in position.units]
        owned = [numbers.number_of[code] for own in position.centers.values() for code in own]
        for _ in range(choose.randrange(8)):
            power = choose.randrange(len(numbers.powers))
            place = choose.choice(choose.choice((standing, owned, [choose.choice(places)])))
            build, disband = (BUILD, choose.randrange(2), power, place), (DISBAND, 0, power, place)
            rows.append(choose.choice((build, disband, disband, (WAIVE, 0, power, 0))))
    flat = [number for row in rows for number in row]
    return flat + [0] * (4 * batch.order_rows - len(flat))


def check_advance(batch: Batch, seed: int, games: int) -> tuple[int, int]:
    """Compare single phases under wild orders; how many there are, and how many by Python."""
    played = batch.play(games, seed=seed, record=True, phases=12)
    positions = [position for game in range(games) for position, _ in played.history(game)]
    choose = random.Random(seed)
    codes = batch.positions(positions)
    orders = array("H")
    for position in positions:
        orders.extend(wild_orders(batch, position, choose))
    found = batch.advance(codes, orders)
    width = 4 * batch.order_rows
    for at, position in enumerate(positions):
        assert batch.position(codes, at) == position
        texts = batch._positions.orders_of(position, orders[width * at : width * (at + 1)])
        wanted = dipsat.adjudicate(position, texts, batch.rules).next
        assert batch.position(found.positions, at) == wanted, (at, str(position.phase), texts)
    return len(positions), len(found.by_python)


def test_single_phases_under_wild_orders_are_those_of_python() -> None:
    phases, by_python = check_advance(native(), 1, 8)
    assert 0 < by_python < phases


@exhaustive
@pytest.mark.parametrize("rules", ["datc", "dpjudge", "jdip", "4.D.8-b", "4.D.8-c", "4.D.7-b"])
def test_many_phases_under_wild_orders_are_those_of_python(rules: str) -> None:
    check_advance(quick(rules, "standard"), 2, 30)


def test_units_that_nobody_disbands_are_the_farthest() -> None:
    """In compiled code; DATC 6.J says which they are."""
    batch = native()
    played = batch.play(40, seed=3, until=1903, record=True)
    winters = [
        position
        for game in range(40)
        for position, _ in played.history(game)
        if position.phase.season == "W"
    ]
    found = batch.advance(batch.positions(winters), [0] * 4 * batch.order_rows * len(winters))
    assert not found.by_python
    gone = 0
    for at, position in enumerate(winters):
        wanted = dipsat.adjudicate(position, {}).next
        assert batch.position(found.positions, at) == wanted
        gone += len(position.units) > len(wanted.units)
    assert gone > 10


def test_units_that_retreat_to_one_province_are_disbanded() -> None:
    batch = native()
    lost = {"FRANCE": {"A PAR": ["PIC"], "A MAR": ["GAS"]}, "GERMANY": {"A BEL": ["PIC"]}}
    position = dipsat.Position.from_units({}, phase="S1901R", dislodged=lost, unknown_centers=())
    number = batch.numbers.number_of
    rows = [n for to in ("PIC", "GAS", "PIC") for n in (RETREAT, 0, 0, number[to])]
    found = batch.advance(batch.positions([position]), rows + [0] * (4 * batch.order_rows - 12))
    assert batch.position(found.positions, 0).to_dict()["units"] == {"FRANCE": ["A GAS"]}
    assert found.by_python == ()


@exhaustive
def test_two_powers_with_the_same_lead_have_not_won() -> None:
    batch, most = quick("datc", "1900"), 18  # of 39 centres
    centers = [code for code, one in batch.map.provinces.items() if one.supply]
    one, other, *_ = batch.map.powers
    for extra, winner in ((0, None), (1, other)):
        owned = {one: centers[:most], other: centers[most : 2 * most + extra]}
        position = dipsat.Position.from_units({}, "1900", centers=owned)
        assert batch.play(batch.positions([position]), phases=0).winner(0) == winner


@exhaustive
def test_retreats_that_meet_are_settled_by_the_rules() -> None:
    """By Python, under rules with a `retreat_succeeds` of their own."""
    batch = quick("arpiesse", "standard")
    colors = [f"{name} " for name in batch.rules.declared.attributes["color"].values]
    number = batch.numbers.number_of
    for one in colors:
        for other in colors:
            lost = {"FRANCE": {f"{one}A PAR": ["PIC"]}, "GERMANY": {f"{other}A BEL": ["PIC"]}}
            position = dipsat.Position.from_units(
                {}, phase="S1901R", rules=batch.rules, dislodged=lost, unknown_centers=()
            )
            rows = [RETREAT, 0, 0, number["PIC"]] * 2 + [0] * (4 * batch.order_rows - 8)
            found = batch.advance(batch.positions([position]), rows)
            orders = {"FRANCE": ["A PAR - PIC"], "GERMANY": ["A BEL - PIC"]}
            wanted = dipsat.adjudicate(position, orders, batch.rules).next
            assert batch.position(found.positions, 0) == wanted
            assert found.by_python == (0,)


# --- faulty codes ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "at", "value"),
    [
        ("phases", 1, 4), ("phases", 2, 9), ("phases", 2, 2), ("counts", 0, 65),
        ("counts", 1, 3), ("units", 0, 200), ("units", 1, 9), ("units", 2, 6000),
        ("owners", 0, 100), ("units", 2, 74),
    ],
)  # fmt: skip
def test_codes_of_positions_that_mean_nothing_are_reported(name: str, at: int, value: int) -> None:
    """Alike by compiled code and by Python."""
    found = []
    for batch in (native(), Batch(native=False)):
        codes = batch.positions([dipsat.Position.start()] * 2)
        array = getattr(codes, name)
        array[len(array) // 2 + at] = value
        with pytest.raises(CodeError, match=r"^board 1(, unit [0-9])?: ") as error:
            batch.play(codes, phases=1)
        found.append(str(error.value))
    assert found[0] == found[1]


def test_orders_that_mean_nothing_are_reported() -> None:
    """Alike by compiled code and by Python."""
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


def test_arguments_of_another_kind_are_refused() -> None:
    batch = Batch(native=False)
    for arguments in ({"games": -1}, {"games": "x"}, {"seed": "x"}, {"until": 0}, {"phases": -1},
                      {"threads": 0}, {"phases": 1.5}):  # fmt: skip
        with pytest.raises(ArgumentError):
            batch.play(**arguments)
    with pytest.raises(ArgumentError):
        batch.advance([], [])  # type: ignore[arg-type]
    with pytest.raises(ArgumentError):
        batch.legal_orders([])  # type: ignore[arg-type]
    games = batch.play(1, phases=1)
    for wrong in (lambda: games.position(1), lambda: games.winner(-1), lambda: games.history(0)):
        with pytest.raises(ArgumentError):
            wrong()


def test_positions_in_arrays_of_another_kind_are_read() -> None:
    batch = native()
    codes = batch.positions([dipsat.Position.start()])
    lists = kernel.PositionCodes(*([*getattr(codes, name)] for name in codes.__dataclass_fields__))
    assert told(batch.play(lists, phases=2)) == told(batch.play(codes, phases=2))
    with pytest.raises(CodeError, match="`owners` should have 75 numbers for each position"):
        batch.play(replace(lists, owners=[0]))
