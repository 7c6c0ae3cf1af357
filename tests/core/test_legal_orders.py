"""Legal orders: exactly those that `judge_orders` calls legal, and the retreats, builds and
disbands carried out. Recorded games and another package: test_legal_orders_elsewhere."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

import dipsat
from dipsat.board import STANDARD_KINDS, UnitKind
from dipsat.errors import UnknownNameError
from dipsat.game import (
    Ruling,
    RulingStatus,
    Submission,
    convoy_routes,
    judge_orders,
    legal_orders,
    legal_orders_of,
    route_exists,
)
from dipsat.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    UnitName,
    Waive,
    reader_for,
    write_order,
)
from dipsat.rules import Settings, setting_values
from dipsat.studies import random_board
from tests.core.test_adjustments import ADJUSTMENT_SETTINGS
from tests.exhaustive import exhaustive, few_of
from tests.large_boards import full_position
from tests.legal_texts import legal_order_texts

BOARD = dipsat.load_map("standard")


def board_of(seed: int, units: int = 27) -> dipsat.Position:
    return dipsat.Position.from_units(random_board(seed, units).units)


def maze(armies: int = 15) -> dipsat.Position:
    """A fleet in every sea, and armies on the coast."""
    coasts = [f"A {code}" for code in random.Random(1).sample(sorted(BOARD.coastal), armies)]
    fleets = [f"F {sea}" for sea in sorted(BOARD.seas)]
    units = {"ENGLAND": fleets, "FRANCE": coasts[::2], "TURKEY": coasts[1::2]}
    return dipsat.Position.from_units(units)


# --- movement: some lists by hand -----------------------------------------------------------------


def test_the_orders_of_the_first_units_of_france() -> None:
    assert legal_order_texts(dipsat.Position.start(), Settings())["F BRE"] == (
        "F BRE H",
        "F BRE - ENG", "F BRE - GAS", "F BRE - MAO", "F BRE - PIC",
        "F BRE S F LON - ENG", "F BRE S A MAR - GAS", "F BRE S A PAR - GAS", "F BRE S A PAR - PIC",
    )  # fmt: skip


NORWAY = {"RUSSIA": ["A NWY"], "GERMANY": ["F SKA"]}
LONDON = {"ENGLAND": ["A LON", "F NTH"], "FRANCE": ["F ENG"]}
LYON = {"FRANCE": ["A MAR", "F WES"], "ITALY": ["F LYO"]}
SPAIN = {"FRANCE": ["F MAO", "A GAS"], "ITALY": ["A MAR"]}
OWN, FOREIGN = "A GAS S F MAO - SPA", "A MAR S F MAO - SPA"
ENDS: list[tuple[dict[str, list[str]], dict[str, Any], str, list[str]]] = [
    # 4.A.3; where the orders decide the way, "via convoy" means nothing
    (NORWAY, {"adjacent_convoy": "intent"}, "A NWY - SWE", ["", " VIA"]),
    (NORWAY, {"adjacent_convoy": "explicit"}, "A NWY - SWE", ["", " VIA"]),
    (NORWAY, {"adjacent_convoy": "opposed"}, "A NWY - SWE", [""]),
    (NORWAY, {"adjacent_convoy": "always"}, "A NWY - SWE", [""]),
    (NORWAY, {}, "A NWY - DEN", [" VIA"]),
    # a fleet cannot support a convoy that needs it
    (LONDON, {}, "F NTH S A LON - BEL", [""]),
    (LONDON, {}, "F NTH S A LON - HOL", []),
    # a fleet that has no part in a convoy cannot be ordered to convoy (6.G.19)
    (LYON, {}, "F LYO C A MAR - SPA", [""]),
    (LYON, {}, "F WES C A MAR - SPA", []),
    # 4.B.4
    (SPAIN, {"support_coast": "optional"}, FOREIGN, ["", "/NC", "/SC"]),
    (SPAIN, {"support_coast": "optional"}, OWN, ["", "/NC", "/SC"]),
    (SPAIN, {"support_coast": "required"}, FOREIGN, ["/NC", "/SC"]),
    (SPAIN, {"support_coast": "required"}, OWN, ["/NC", "/SC"]),
    (SPAIN, {"support_coast": "own"}, FOREIGN, ["/NC", "/SC"]),
    (SPAIN, {"support_coast": "own"}, OWN, ["", "/NC", "/SC"]),
    (SPAIN, {"support_coast": "ignored"}, FOREIGN, [""]),
    (SPAIN, {"support_coast": "ignored"}, OWN, [""]),
    (SPAIN, {"support_coast": "first"}, OWN, ["/NC", "/SC"]),  # no coast means one of these
]


@pytest.mark.parametrize(("units", "settings", "begin", "ends"), ENDS)
def test_a_list_has_exactly_the_stated_forms_of_an_order(
    units: dict[str, list[str]], settings: dict[str, Any], begin: str, ends: list[str]
) -> None:
    position = dipsat.Position.from_units(units)
    orders = legal_order_texts(position, Settings(**settings))[begin[:5]]
    assert [one.removeprefix(begin) for one in orders if one.startswith(begin)] == ends


# --- movement: as `judge_orders` rules ------------------------------------------------------------


def named(unit: Unit, by: Unit) -> UnitName:
    return unit.name if unit.power == by.power else unit.full_name


def conceivable(position: dipsat.Position, unit: Unit) -> Iterator[Order]:
    """Every order that names the units properly, possible or not."""
    name = named(unit, unit)
    places = sorted(BOARD.locations)
    yield Hold(name)
    for place in places:
        yield Move(name, place)
        yield Move(name, place, via=True)
    for other in position.units:
        yield SupportHold(name, named(other, unit))
        for place in places:
            yield SupportMove(name, named(other, unit), place)
            if "/" not in place:
                yield Convoy(name, named(other, unit), place)


def ruling(position: dipsat.Position, unit: Unit, order: Order, settings: Settings) -> Ruling:
    return judge_orders(position, [Submission(unit.power, "", order)], settings)[0]


def anonymous(order: Order) -> Order:
    """The order as `judge_orders` settles it, without the powers of foreign units."""
    if isinstance(order, Convoy):
        return replace(order, army=replace(order.army, power=None))
    if isinstance(order, SupportHold | SupportMove):
        return replace(order, supported=replace(order.supported, power=None))
    return order


def settled(position: dipsat.Position, unit: Unit, settings: Settings) -> set[Order]:
    """The conceivable orders that `judge_orders` calls legal, as it settles them. A move that can
    only be made by convoy is the same with and without "via"."""
    found = set()
    for order in conceivable(position, unit):
        ruled = ruling(position, unit, order, settings)
        if ruled.status is RulingStatus.LEGAL:
            order = ruled.order
            if isinstance(order, Move) and unit.kind is UnitKind.ARMY:
                by_land = order.target in BOARD.army[unit.province]
                order = replace(order, via=order.via or not by_land)
            found.add(order)
    return found


def check_against_judge(position: dipsat.Position, settings: Settings) -> int:
    found = legal_orders(position, settings)
    assert list(found) == [str(unit) for unit in position.units]
    for unit in position.units:
        listed = found[str(unit)]
        assert len(set(listed)) == len(listed)
        assert {anonymous(order) for order in listed} == settled(position, unit, settings)
        for order in listed:
            ruled = ruling(position, unit, order, settings)
            assert (ruled.status, ruled.order) == (RulingStatus.LEGAL, anonymous(order))
    return sum(map(len, found.values()))


@exhaustive
@pytest.mark.parametrize(("position", "most"), [(board_of(0), 100), (maze(armies=6), 1000)])
def test_listed_orders_are_exactly_the_legal_ones(position: dipsat.Position, most: int) -> None:
    assert check_against_judge(position, Settings()) > most


MOVEMENT_VALUES = [
    (setting, value)
    for setting, values in setting_values().items()
    for value in values[1:]
    if setting not in {*ADJUSTMENT_SETTINGS, "victory"} and value != "required"
] + [("support_coast", "required")]


OF_TEXTS = {
    "kind_missing", "kind_wrong", "nationality_wrong", "order_sets", "undated_order_sets",
    "multiple_orders", "poorly_written", "centers_change",
}  # fmt: skip
"""Settings that say nothing about one order in which every unit is named in full."""
ON_BOARDS = [
    *((4, *one) for one in MOVEMENT_VALUES),
    *((8, *one) for one in MOVEMENT_VALUES if one[0] not in OF_TEXTS),
]


@exhaustive
@pytest.mark.parametrize(("units", "setting", "value"), few_of(ON_BOARDS, 4))
def test_lists_are_right_under_every_setting(units: int, setting: str, value: Any) -> None:
    settings = replace(Settings(), **{setting: value})
    check_against_judge(board_of(1, units), settings)


@pytest.mark.parametrize("seed", few_of(range(4), 1))
def test_where_paths_are_required_every_route_without_a_spare_fleet_is_listed(seed: int) -> None:
    settings = Settings(convoy_path="required")
    position = board_of(seed)
    fleets = sorted(position.fleets_at_sea)
    found = legal_orders(position, settings)
    routes = 0
    for unit in (unit for unit in position.units if unit.kind is UnitKind.ARMY):
        moves = [order for order in found[str(unit)] if isinstance(order, Move)]
        assert all(move.via == bool(move.path) for move in moves)
        for move in moves:
            assert ruling(position, unit, move, settings).status is RulingStatus.LEGAL
        listed = {(move.target, frozenset(move.path)) for move in moves if move.path}
        expected = set()
        for target in BOARD.coastal:
            whole = [
                frozenset(some)
                for size in range(1, 4)
                for some in combinations(fleets, size)
                if route_exists(BOARD.convoys, unit.province, target, some)
            ]
            least = [some for some in whole if not any(other < some for other in whole)]
            expected |= {(target, some) for some in least}
        assert {one for one in listed if len(one[1]) < 4} == expected
        routes += len(expected)
    assert routes > 0


@exhaustive
def test_past_the_bound_of_stages_the_lists_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = [board_of(1), maze(armies=3)]
    expected = [legal_orders(position, Settings()) for position in positions]
    monkeypatch.setattr(convoy_routes, "_MAX_STAGES", 1)
    assert [legal_orders(position, Settings()) for position in positions] == expected


@pytest.mark.parametrize(
    ("position", "orders", "most"),
    [
        (maze(), 3000, 200),
        (full_position(dipsat.load_map("known_world_901"), 0, True), 20_000, 700),
    ],
    ids=["standard", "known_world_901"],
)
def test_the_seas_on_routes_are_searched_once_for_all_origins(
    position: dipsat.Position, orders: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a fleet in every sea, there are many thousands of routes."""
    onward, searched = convoy_routes.ConvoyRoutes._onward, list[tuple[int, int]]()

    def counted(routes: convoy_routes.ConvoyRoutes, ways: int, others: int) -> Any:
        searched.append((ways, others))
        return onward(routes, ways, others)

    monkeypatch.setattr(convoy_routes.ConvoyRoutes, "_onward", counted)
    assert sum(map(len, legal_orders(position, Settings()).values())) > orders
    assert len(searched) < most


@pytest.mark.parametrize("rule", ["optional", "own", "ignored"])
def test_texts_are_the_orders_as_they_are_written(rule: str) -> None:
    settings = replace(Settings(), support_coast=rule)  # type: ignore[arg-type]  # each is a value
    for position in (board_of(5, 34), maze(armies=4)):
        found = legal_orders(position, settings)
        written = {
            unit: tuple(write_order(order, BOARD) for order in orders)
            for unit, orders in found.items()
        }
        assert legal_order_texts(position, settings) == written


@pytest.mark.parametrize("notation", ["diplomacy", "datc", "judge"])
def test_texts_are_read_as_the_orders(notation: str) -> None:
    position, settings = board_of(3), Settings()
    found = legal_orders(position, settings)
    for unit, texts in legal_order_texts(position, settings, notation).items():
        read = [anonymous(reader_for(BOARD).read(text)) for text in texts]
        assert read == [anonymous(order) for order in found[unit]]
        assert notation == "diplomacy" or list(map(reader_for(BOARD).read, texts)) == [*found[unit]]


# --- retreats and adjustments: as carried out -----------------------------------------------------


def carried_out(
    position: dipsat.Position, power: str, order: Order, rules: dipsat.Profile
) -> str | None:
    """The order as it is carried out when given alone, None if it is illegal."""
    outcome = dipsat.adjudicate(position, {power: [order]}, rules)
    (result,) = [one for one in outcome.orders if one.submitted is not None]
    return result.order if result.verdict == "succeeds" else None


def check_phase(position: dipsat.Position, rules: dipsat.Profile) -> int:
    """Of all retreats, builds and disbands, exactly those that are carried out alone are listed."""
    found = legal_order_texts(position, rules.settings)
    listed = [text for orders in found.values() for text in orders if text != "WAIVE"]
    assert len(set(listed)) == len(listed)
    places = sorted(BOARD.locations)
    possible: set[str] = set()
    waivable: set[str] = set()
    for power in BOARD.powers:
        orders: list[Order] = [
            Build(UnitName(at, kind)) for at in places for kind in STANDARD_KINDS
        ]
        orders += [Disband(UnitName(at)) for at in places if "/" not in at]
        for lost in position.dislodged:
            name = UnitName(lost.unit.location, lost.unit.kind)
            orders += [Retreat(name, at) for at in places if lost.unit.power == power]
        done = {carried_out(position, power, order, rules) for order in orders}
        possible |= {text for text in done if text}
        if carried_out(position, power, Waive(), rules) is not None:
            waivable |= found.keys() & set(position.centers.get(power, ()))
    assert set(listed) == possible
    assert {key for key, orders in found.items() if "WAIVE" in orders} == waivable
    return len(listed)


def random_centers(seed: int) -> dict[str, list[str]]:
    """Most centres belong to their home power, the others to any power."""
    chance = random.Random(seed)
    powers = sorted(BOARD.powers)
    found: dict[str, list[str]] = {}
    home = {code: power.name for power in BOARD.powers.values() for code in power.home}
    for code in sorted(BOARD.centers):
        owner = home.get(code) if chance.random() < 0.6 else None
        found.setdefault(owner or chance.choice(powers), []).append(code)
    return found


def winter(seed: int) -> dipsat.Position:
    units = random_board(seed, 8 + seed % 20).units
    return dipsat.Position.from_units(units, phase="W1905A", centers=random_centers(seed))


def retreat(seed: int) -> dipsat.Position:
    """A position where each fourth unit has dislodged a unit of another power."""
    position = board_of(seed)
    dislodged: dict[str, list[str]] = {}
    powers = sorted(BOARD.powers)
    for unit in position.units[::4]:
        other = powers[(powers.index(unit.power) + 1) % len(powers)]
        dislodged.setdefault(other, []).append(str(unit))
    return dipsat.Position.from_units(
        random_board(seed, 27).units, phase="F1905R", dislodged=dislodged
    )


DATC = dipsat.load_profile("datc")


@exhaustive
@pytest.mark.parametrize("seed", range(2))
def test_listed_retreats_are_those_that_are_carried_out(seed: int) -> None:
    assert check_phase(retreat(seed), DATC) > 5


@exhaustive
@pytest.mark.parametrize("seed", few_of(range(4), 1))
def test_listed_adjustments_are_those_that_are_carried_out(seed: int) -> None:
    assert check_phase(winter(seed), DATC) > 3


ADJUSTMENT_VALUES = [
    (setting, value)
    for setting in sorted(ADJUSTMENT_SETTINGS)
    for value in setting_values()[setting][1:]
]


@exhaustive
@pytest.mark.parametrize(("setting", "value"), ADJUSTMENT_VALUES)
def test_adjustments_are_right_under_every_setting(setting: str, value: Any) -> None:
    rules = replace(DATC, settings=replace(DATC.settings, **{setting: value}))
    check_phase(winter(1), rules)


# --- one unit -------------------------------------------------------------------------------------


def test_the_orders_of_one_unit_by_any_name() -> None:
    position, settings = dipsat.Position.start(), Settings()
    found = legal_orders(position, settings)
    for name in ("F STP/SC", "f stp", "St. Petersburg", "Russian Fleet Saint Petersburg (sc)"):
        assert legal_orders_of(position, settings, name) == found["F STP/SC"]


def test_the_orders_of_one_place_in_the_other_phases() -> None:
    lost = dipsat.Position.from_units(
        {"FRANCE": ["A BEL"]}, phase="F1901R", dislodged={"ENGLAND": {"F BEL": ["ENG", "HOL"]}}
    )
    assert legal_orders_of(lost, Settings(), "English F Belgium") == (
        Retreat(UnitName("BEL", UnitKind.FLEET), "ENG"),
        Retreat(UnitName("BEL", UnitKind.FLEET), "HOL"),
        Disband(UnitName("BEL", UnitKind.FLEET)),
    )
    centers = {"RUSSIA": ["STP", "MOS"], "ITALY": ["ROM"]}
    position = dipsat.Position.from_units(
        {"ITALY": ["A ROM", "F TYS"]}, phase="W1901A", centers=centers
    )
    assert legal_order_texts(position, Settings()) == {
        "MOS": ("A MOS B", "WAIVE"),
        "A ROM": ("A ROM D",),
        "STP": ("A STP B", "F STP/NC B", "F STP/SC B", "WAIVE"),
        "F TYS": ("F TYS D",),
    }
    assert legal_orders_of(position, Settings(waive="illegal"), "Moscow") == (
        Build(UnitName("MOS", UnitKind.ARMY)),
    )
    assert legal_orders_of(position, Settings(), "A Rome") == (
        Disband(UnitName("ROM", UnitKind.ARMY)),
    )


@pytest.mark.parametrize(
    ("name", "nearest"),
    [("F PAR", "A PAR"), ("F STP/NC", "F STP/SC"), ("A BEL", "A BER"),
     ("English A PAR", "FRANCE A PAR")],
)  # fmt: skip
def test_a_unit_that_cannot_be_ordered_is_an_error_with_near_names(name: str, nearest: str) -> None:
    with pytest.raises(UnknownNameError, match="did you mean") as error:
        legal_orders_of(dipsat.Position.start(), Settings(), name)
    assert nearest in error.value.nearest


@pytest.mark.parametrize("rule", ["opposed", "always"])
def test_a_written_path_to_a_neighbour_is_listed_where_the_orders_decide(rule: str) -> None:
    settings = Settings(convoy_path="required", adjacent_convoy=rule)  # type: ignore[arg-type]  # both are values
    position = dipsat.Position.from_units({"England": ["A LON", "F NTH"]})
    orders = legal_orders(position, settings)["A LON"]
    by_sea = Move(UnitName("LON", UnitKind.ARMY), "YOR", True, ("NTH",))
    assert by_sea in orders
    assert ruling(position, position.units[0], by_sea, settings).status is RulingStatus.LEGAL
