"""Neutral powers: their units hold, are disbanded when they are dislodged, and come back in winter
where the map says so. The five shipped maps that have one are played."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

import dipsat
from dipsat import draw as svg, searches
from dipsat.app import godip
from dipsat.board import Map
from dipsat.cli import main
from dipsat.engines import ENGINES
from dipsat.errors import DipsatError, OrderFaultError, PositionError, QuestionError
from dipsat.kernel import Batch
from tests.exhaustive import exhaustive, few_of
from tests.kernel.kernel_agreement import needs_compiler

REFUSED = "Neutral's units hold: the map gives them no orders"
Orders = dict[str, list[str]]


class Attack(NamedTuple):
    """Two units that dislodge a garrison together, and where the one that enters can go next."""

    board: str
    power: str
    unit: str
    ally: str
    helper: str
    garrison: str
    onward: str

    @property
    def position(self) -> dipsat.Position:
        """The map's first position, with both units."""
        start = dipsat.Position.start(self.board)
        units = start.to_dict()["units"]
        for power, unit in ((self.power, self.unit), (self.ally, self.helper)):
            if unit not in units[power]:
                units[power].append(unit)
        return dipsat.Position.from_units(units, start.map, centers=start.centers)

    @property
    def spring(self) -> Orders:
        """The orders that dislodge the garrison."""
        move = f"{self.unit} - {self.garrison}"
        found: Orders = {self.power: [move]}
        found.setdefault(self.ally, []).append(f"{self.helper} S {self.power} {move}")
        return found

    @property
    def fall(self) -> Orders:
        """The orders that leave its centre."""
        return {self.power: [f"{self.unit[0]} {self.garrison} - {self.onward}"]}


WEST, EAST = "WEST FRANKISH KINGDOM", "EAST FRANKISH KINGDOM"
ATTACKS = [
    Attack("westernworld901", WEST, "F PAR", EAST, "A SWA", "LOT", "FRI"),
    Attack("known_world_901", "FRANCE", "F PAR", "GERMANY", "A SWA", "LOT", "FRI"),
    Attack("sengoku", "ODA", "A OWA", "TAKEDA", "A SOS", "MIN", "HID"),
    Attack(
        "unconstitutional", "SOUTH CAROLINA", "A COL", "MUSKOGEE CONFEDERACY", "A CUS", "CHK", "SOU"
    ),
    Attack("europe1939", "USSR", "A RUM", "USSR", "A TRA", "SER", "MAC"),
]
MAPS = [attack.board for attack in ATTACKS]
REBUILT = MAPS[:-1]  # the army of Serbia is not rebuilt
each_attack = pytest.mark.parametrize("attack", ATTACKS, ids=MAPS)
each_map = pytest.mark.parametrize("name", MAPS)
SERBIA = ATTACKS[-1]


def garrisons(board: Map) -> dict[str, str]:
    """Province -> the unit of the neutral power that starts there."""
    return {unit.partition(" ")[2]: unit for unit in board.powers["NEUTRAL"].start}


# --- the maps -------------------------------------------------------------------------------------


@each_map
def test_the_maps_state_their_neutral_power_and_what_is_rebuilt(name: str) -> None:
    board = dipsat.load_map(name)
    neutral = board.powers["NEUTRAL"]
    assert neutral.neutral
    assert board.neutrals == {"NEUTRAL"}
    assert set(board.players) == set(board.powers) - {"NEUTRAL"}
    assert neutral.rebuilt == (name in REBUILT)
    assert sorted(garrisons(board)) == sorted(neutral.centers)
    assert {unit[0] for unit in neutral.start} == {"A"}


@pytest.mark.parametrize(
    ("italy", "problem"),
    [
        ("{rebuilt: true}", "mine.yaml:4:20: only the units of neutral powers are rebuilt"),
        (
            "{neutral: true, rebuilt: true, centers: [ROM, NAP]}",
            "'A VEN' cannot be rebuilt: ITALY does not own VEN at the start",
        ),
        (
            "{neutral: true, rebuilt: soon}",
            "mine.yaml:4:35: rebuilt should be true or false, not 'soon'",
        ),
    ],
)
def test_a_map_that_cannot_rebuild_its_garrisons_is_refused(italy: str, problem: str) -> None:
    text = f"extends: standard\nname: mine\npowers:\n  ITALY: {italy}\n"
    with pytest.raises(DipsatError) as caught:
        dipsat.parse_map(text, "mine.yaml")
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)  # nothing else follows from this fault


# --- orders ---------------------------------------------------------------------------------------


@each_attack
def test_orders_of_a_neutral_power_are_refused_except_holds(attack: Attack) -> None:
    position, army = attack.position, f"A {attack.garrison}"
    orders = [f"{army} - {attack.onward}", f"{army} S {attack.unit}"]
    for order in orders:
        found = dipsat.adjudicate(position, {"NEUTRAL": [order]}).order(army)
        assert (found.verdict, found.reason.text) == ("illegal", REFUSED)
    assert dipsat.adjudicate(position, {"NEUTRAL": [f"{army} H"]}).order(army).verdict == "stands"
    game = dipsat.Game(position)
    move, hold = game.check("NEUTRAL", [orders[0], f"{army} H"])
    assert (move.status, move.reason, hold.status) == ("illegal", REFUSED, "legal")
    with pytest.raises(OrderFaultError, match=REFUSED):
        game.submit("NEUTRAL", orders[:1])
    assert game.submit("NEUTRAL", [f"{army} H"]).orders == {"NEUTRAL": (f"{army} H",)}


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_refuses_orders_of_a_neutral_power(engine: str) -> None:
    orders = {"NEUTRAL": ["A SER - MAC"]}
    found = dipsat.adjudicate(SERBIA.position, orders, engine=engine).order("A SER")
    assert (found.verdict, found.reason.text) == ("illegal", REFUSED)


@pytest.mark.parametrize("rules", ["datc", "datc+legal=format", "datc+legal=map"])
def test_an_illegal_order_of_a_neutral_unit_does_not_keep_others_from_supporting_its_hold(
    rules: str,
) -> None:
    """2.4, 4.E.1 b and c: an illegal order of a player's unit may still be an order to move."""
    orders = {"NEUTRAL": ["A SER - MAC"], "USSR": ["A RUM S A SER", "A TRA - SER"]}
    assert dipsat.adjudicate(SERBIA.position, orders, rules).order("A RUM").verdict == "given"


def test_a_hold_of_a_neutral_unit_can_be_supported_but_not_a_move() -> None:
    orders = {"USSR": ["A RUM S A SER", "A TRA S A SER - RUM"]}
    found = dipsat.adjudicate(SERBIA.position, orders)
    assert found.order("A RUM").verdict == "given"
    other = found.order("A TRA")
    assert other.verdict == "illegal"
    assert other.reason.text == f"A SER cannot move to RUM: {REFUSED}"


@each_attack
def test_the_only_legal_order_of_a_neutral_unit_is_to_hold(attack: Attack) -> None:
    position = attack.position
    legal = dipsat.Game(position).all_legal_orders()
    neutral = {str(unit) for unit in position.units if unit.power == "NEUTRAL"}
    assert legal["NEUTRAL"] == {unit: (f"{unit} H",) for unit in neutral}
    for unit, orders in (pair for own in legal.values() for pair in own.items()):
        for order in orders:
            supported = order.partition(f"{unit} S ")[2].removeprefix("NEUTRAL ")
            assert supported in neutral or supported[:5] not in neutral


@exhaustive
@needs_compiler
def test_batches_list_the_same_orders() -> None:
    batches = [Batch(map=SERBIA.board, native=native) for native in (True, False)]
    codes = batches[0].positions([SERBIA.position])
    listed = [batch.legal_orders(codes) for batch in batches]
    assert list(listed[0].orders) == list(listed[1].orders)
    assert list(listed[0].starts) == list(listed[1].starts)
    game = dipsat.Game(SERBIA.position)
    listed_one_by_one = [
        len(game.legal_orders_of_power(power)) for power in game.position.map.powers
    ]
    assert listed[0].starts[-1] == sum(listed_one_by_one)


def test_order_sheets_and_the_server_refuse_orders_of_a_neutral_power(tmp_path: Path) -> None:
    sheet, board = tmp_path / "orders.txt", tmp_path / "board.json"
    sheet.write_text("USSR\nA MOS H\n\nNeutral\nA SER - RUM\n", encoding="utf-8")
    board.write_text(json.dumps(dipsat.Position.start("europe1939").to_dict()), encoding="utf-8")
    arguments = ["adjudicate", str(sheet), "--map", "europe1939", "--position", str(board)]
    refused = CliRunner().invoke(main, arguments)
    assert refused.exit_code == 2
    assert f"{sheet}:5:1: NEUTRAL: 'A SER - RUM': {REFUSED}" in refused.output
    judged = CliRunner().invoke(main, [*arguments, "--lenient", "--json"])
    (order,) = [one for one in json.loads(judged.output)["orders"] if one["unit"] == "A SER"]
    assert (order["verdict"], order["reason"]["text"]) == ("illegal", REFUSED)
    orders = "Neutral:\n A Ser - Rum\n"
    answer = dipsat.answer({"request": "adjudicate", "map": "europe1939", "orders": orders})
    (order,) = answer["answer"]["orders"]
    assert (order["verdict"], order["reason"]["text"]) == ("illegal", REFUSED)


def test_play_asks_for_no_order_of_a_neutral_unit() -> None:
    lines = "TURKEY: A IST H\norders\nA SER - RUM\n"
    found = CliRunner().invoke(main, ["play", "--map", "europe1939"], input=lines)
    assert REFUSED in found.output
    waiting = " ".join(found.output.partition("Without an order:")[2].partition(".")[0].split())
    assert "Turkey A ADA" in waiting
    assert "A SER" not in waiting


# --- dislodged ------------------------------------------------------------------------------------


@each_attack
def test_a_dislodged_neutral_unit_is_disbanded_at_once(attack: Attack) -> None:
    position, army = attack.position, f"A {attack.garrison}"
    outcome = dipsat.adjudicate(position, attack.spring)
    assert str(outcome.next.phase)[0] + str(outcome.next.phase)[-1] == "FM"
    assert army not in outcome.next.to_dict()["units"].get("NEUTRAL", ())
    (lost,) = outcome.dislodged
    assert (lost.unit, lost.by, lost.retreats) == (army, attack.unit, ())
    found = outcome.order(army)
    assert (found.verdict, found.fate) == ("stands", "disbanded")
    because = "Neutral's units do not retreat, so it is disbanded"
    assert found.reason.text == f"dislodged by {attack.unit}; {because}"
    assert because in " ".join(str(outcome).split())
    picture = str(svg.board(outcome)).split("<g ")
    (mark,) = [one for one in picture if f'data-unit="{army}"' in one and "unit " in one]
    assert "disbanded" in mark
    assert "leaving" in mark


@exhaustive
@needs_compiler
def test_a_batch_disbands_a_dislodged_neutral_unit() -> None:
    batch = Batch(map=SERBIA.board, native=True)
    result = batch.adjudicate(batch.encode([(SERBIA.position, SERBIA.spring)]))
    assert result.dislodged(0) == dipsat.adjudicate(SERBIA.position, SERBIA.spring).dislodged
    assert result.lost(0) == ()


def test_players_retreat_in_the_phase_in_which_a_neutral_unit_is_disbanded() -> None:
    ussr = ["A RUM", "A TRA", "A LUB", "A WAR"]
    units = {"NEUTRAL": ["A SER"], "USSR": ussr, "POLAND": ["A KRA"]}
    position = dipsat.Position.from_units(units, "europe1939")
    orders = ["A RUM - SER", "A TRA S A RUM - SER", "A LUB - KRA", "A WAR S A LUB - KRA"]
    after = dipsat.adjudicate(position, {"USSR": orders}).next
    assert [str(lost.unit) for lost in after.dislodged] == ["A KRA"]


def test_a_position_with_a_dislodged_neutral_unit_has_no_retreat_for_it() -> None:
    board: dict[str, Any] = {"units": {"USSR": ["A SER"]}, "map": "europe1939", "phase": "S1939R"}
    position = dipsat.Position.from_units(**board, dislodged={"NEUTRAL": ["A SER"]})
    assert position.dislodged[0].retreats == ()
    outcome = dipsat.adjudicate(position, {"NEUTRAL": ["A SER R MAC"]})
    assert outcome.order("A SER").reason.text == REFUSED
    assert [str(unit) for unit in outcome.next.units] == ["A SER"]
    with pytest.raises(PositionError, match="cannot retreat to MAC"):
        dipsat.Position.from_units(**board, dislodged={"NEUTRAL": {"A SER": ["MAC"]}})


# --- winter ---------------------------------------------------------------------------------------


def after_fall(attack: Attack, fall: Mapping[str, list[str]]) -> dipsat.Game:
    """The game after a spring in which the garrison is dislodged, and this fall."""
    game = dipsat.Game(attack.position)
    game.submit(attack.spring).advance()
    game.submit(fall).advance()
    return game


@each_attack
def test_a_garrison_is_rebuilt_in_winter_if_nobody_has_captured_its_centre(attack: Attack) -> None:
    game, army = after_fall(attack, attack.fall), f"A {attack.garrison}"
    is_rebuilt = attack.board in REBUILT
    assert str(game.phase)[0] == "W" or not is_rebuilt
    assert army not in game.position.to_dict()["units"].get("NEUTRAL", ())
    if str(game.phase)[0] == "W":
        assert (f"Neutral rebuilds {army}." in str(game)) == is_rebuilt
        outcome = game.advance()
        built = [order for order in outcome.orders if order.power == "NEUTRAL"]
        assert [one.order for one in built] == [f"{army} B"] * is_rebuilt
        assert all(one.verdict == "succeeds" and one.submitted is None for one in built)
        assert "data-unit" in str(svg.board(outcome))
    neutral = game.position.to_dict()["units"].get("NEUTRAL", [])
    assert (army in neutral) == is_rebuilt
    assert len(neutral) == len(garrisons(game.position.map)) - (not is_rebuilt)
    assert game.position.owner(attack.garrison) == "NEUTRAL"


@each_attack
def test_a_captured_garrison_is_not_rebuilt(attack: Attack) -> None:
    game, army = after_fall(attack, {}), f"A {attack.garrison}"
    assert game.position.owner(attack.garrison) == attack.power
    while str(game.phase)[-1] != "M":
        game.advance()
    assert game.position.by_province[attack.garrison].power == attack.power
    game.submit(attack.power, [f"{attack.unit[0]} {attack.garrison} - {attack.onward}"]).advance()
    while str(game.phase)[0] != "S":
        game.advance()
    assert army not in game.position.to_dict()["units"].get("NEUTRAL", ())


@each_map
def test_a_neutral_power_neither_builds_nor_disbands(name: str) -> None:
    board = dipsat.load_map(name)
    (first, *others) = garrisons(board)
    for units, centers in (
        ({"NEUTRAL": [f"A {first}"]}, {}),  # more units than centres
        ({}, {"NEUTRAL": [first]}),  # more centres than units
    ):
        centers = {**centers, board.players[0]: others}
        winter = f"W{board.first_phase[1:-1]}A"
        position = dipsat.Position.from_units(units, board, winter, centers, unknown_centers=())
        game = dipsat.Game(position)
        assert not game.all_legal_orders()["NEUTRAL"]
        assert not any(
            first in text for one in board.players for text in game.legal_orders_of_power(one)
        )
        outcome = dipsat.adjudicate(
            position, {"NEUTRAL": [f"A {first} B", f"A {first} D", "WAIVE"]}
        )
        mine = [one for one in outcome.orders if one.power == "NEUTRAL" and one.submitted]
        assert {(one.verdict, one.reason.text) for one in mine} == {("illegal", REFUSED)}
        stays = bool(units) or name in REBUILT
        assert [str(unit) for unit in outcome.units_after] == [f"A {first}"] * stays


@each_map
def test_a_neutral_power_never_wins_and_keeps_nobody_from_winning(name: str) -> None:
    board = dipsat.load_map(name)
    player, spring = board.players[0], f"S{int(board.first_phase[1:-1]) + 1}M"
    needed = board.victory or len(board.centers) // 2 + 1
    for own in ((), board.centers[:needed]):
        neutral = board.centers[len(own) :]
        centers = {"NEUTRAL": neutral, player: own}
        position = dipsat.Position.from_units({}, board, spring, centers)
        assert dipsat.Game(position).winner == (player if own else None)
        if name == SERBIA.board:
            batch = Batch(map=name, native=False)
            found = batch.play(batch.positions([position]), phases=0)
            assert found.winner(0) == (player if own else None)


# --- questions ------------------------------------------------------------------------------------


@exhaustive
def test_a_search_never_opens_a_neutral_unit() -> None:
    units = {"NEUTRAL": ["A SER"], "USSR": ["A RUM", "A TRA"]}
    position = dipsat.Position.from_units(units, "europe1939")
    for opened in (None, "all"):
        found = dipsat.search(position, dipsat.Achieve("enters(SER)"), open=opened)
        assert (found.open_units, found.verdict) == (("A RUM", "A TRA"), "found")
    away = dipsat.search(position, dipsat.Achieve("some(SER.departures)"))
    assert away.verdict == "impossible"
    for named in ("NEUTRAL", "A SER"):
        with pytest.raises(QuestionError, match="nobody plays Neutral"):
            dipsat.search(position, dipsat.Paradox(), open=named)
    with pytest.raises(QuestionError, match="nobody plays Neutral"):
        dipsat.search(position, dipsat.Guarantee("enters(SER)", "NEUTRAL"))


@exhaustive
def test_units_anywhere_are_not_those_of_a_neutral_power() -> None:
    with pytest.raises(PositionError, match="nobody plays Neutral"):
        searches.OpenPosition.from_units({"NEUTRAL": "any 1"}, "europe1939")
    position = searches.OpenPosition.from_units({"NEUTRAL": "A SER", "any": "any 2"}, "europe1939")
    found = dipsat.search(position, dipsat.Achieve("enters(SER)"))
    assert found.verdict == "found"
    assert found.units["NEUTRAL"] == ("A SER",)
    assert "A SER" not in found.open_units
    with pytest.raises(OrderFaultError, match=REFUSED):
        dipsat.search(position, dipsat.Achieve("enters(SER)"), {"NEUTRAL": ["A SER - RUM"]})


def test_a_neutral_power_is_on_neither_side_of_a_line() -> None:
    for sides in ({"power": "NEUTRAL"}, {"power": "USSR", "enemies": ("NEUTRAL",)}):
        lines = searches.Lines(protect=("MOS",), map="europe1939", **sides)
        with pytest.raises(QuestionError, match="nobody plays Neutral"):
            dipsat.search(lines)


# --- games ----------------------------------------------------------------------------------------


def test_godip_lists_the_nations_that_are_played() -> None:
    for name in ("Sengoku", "Western World 901", "Unconstitutional", "Europe 1939"):
        assert "Neutral" not in godip.variants()[name]["Nations"]


def orders_at_random(game: dipsat.Game, chance: random.Random) -> Orders:
    """Random legal orders of the players, preferably moves into garrisons' provinces."""
    position, found = game.position, Orders()
    places = garrisons(position.map)
    for power in position.map.players:
        for orders in game.all_legal_orders()[power].values():
            wanted = [one for one in orders if one.rpartition(" - ")[2] in places]
            chosen = wanted if wanted and chance.random() < 0.7 else list(orders)
            found.setdefault(power, []).append(chance.choice(chosen))
    return found


def orders_of_nobody(position: dipsat.Position) -> Orders:
    """Orders of the neutral power, none of which count."""
    phase, near = str(position.phase)[-1], position.map.army
    units = [one for one in position.units if one.power == "NEUTRAL" and one.province in near]
    if phase == "A":
        return {"NEUTRAL": [f"{unit} D" for unit in units[:3]]}
    moves = [f"{unit} - {min(near[unit.province])}" for unit in units[:9]]
    return {"NEUTRAL": moves} if phase == "M" else {}


def check_garrisons(position: dipsat.Position, places: Mapping[str, str]) -> None:
    """Neutral units are where the map puts them, and nowhere else."""
    for unit in position.units:
        assert unit.power != "NEUTRAL" or places[unit.province] == str(unit)
    assert all(lost.unit.power != "NEUTRAL" for lost in position.dislodged)
    if str(position.phase)[0] == "S" and str(position.phase)[-1] == "M":
        vacant = places.keys() - position.by_province.keys()
        owned = {code for code in vacant if position.owner(code) == "NEUTRAL"}
        assert not owned or not position.map.garrisons


@exhaustive
@needs_compiler
@pytest.mark.parametrize(("name", "seed"), few_of([(m, s) for m in MAPS for s in range(2)], 2))
def test_years_are_the_same_by_adjudicate_by_games_and_by_batches(name: str, seed: int) -> None:
    batches: Sequence[Batch] = [Batch(map=name, native=native) for native in (True, False)]
    game, chance, lost = dipsat.Game.new(name), random.Random(seed), 0
    for _ in range(18):
        position, orders = game.position, orders_at_random(game, chance)
        given = {**orders, **orders_of_nobody(position)}
        outcome = dipsat.adjudicate(position, given)
        lost += sum(one.fate == "disbanded" and one.power == "NEUTRAL" for one in outcome.orders)
        for batch in batches:
            codes = batch.positions([position])
            assert batch.position(batch.advance(codes, [given]).positions, 0) == outcome.next
        game.submit(orders).advance()
        assert game.position == outcome.next
        assert dipsat.Position.from_dict(outcome.next.to_dict(), name) == outcome.next
        check_garrisons(game.position, garrisons(game.position.map))
        if game.is_over:
            break
    assert lost or name == "europe1939"
    assert dipsat.Game.from_dict(game.to_dict()).position == game.position


@exhaustive
@needs_compiler
@pytest.mark.parametrize("name", few_of(MAPS, 1))
def test_games_at_random_are_the_same_compiled_and_by_python(name: str) -> None:
    batches = [Batch(map=name, native=native) for native in (True, False)]
    one, other = (batch.play(1, seed=7, phases=8, record=True) for batch in batches)
    assert one.history(0) == other.history(0)
    for position, _ in one.history(0):
        check_garrisons(position, garrisons(position.map))
