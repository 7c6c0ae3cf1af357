"""Games of the stand-in agree with those of the package `diplomacy`, phase by phase."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dipsat.compat.diplomacy import Game
from tests.compat.two_games import TwoGames
from tests.exhaustive import parts_of

# The package leaves a file open when it is imported.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")


@pytest.mark.parametrize("seeds", parts_of(range(120), 4, shares=2))
def test_random_games_have_the_same_orders_results_and_boards(seeds: range) -> None:
    for seed in seeds:
        games = TwoGames(seed)
        games.play()
        games.read_saved()
        assert games.differences == [], seed
        assert len(games.ours.state_history) > 3


def both(**units: list[str]) -> tuple[Any, Game]:
    """Both games, in spring 1901 with these units."""
    import diplomacy

    games = diplomacy.Game(), Game(judge="diplomacy")
    for game in games:
        game.clear_units()
        for power, own in units.items():
            game.set_units(power, own)
    return games


ORDERS = [
    "A STP - MOS", "A STP-MOS", "STP - MOS", "army st petersburg to moscow",
    "F BAR - STP/NC", "F BAR - STP/SC", "F BAR S A STP - STP", "F STP - MOS", "F BAR HOLD",
    "A STP S F BAR - NWY", "A STP S BAR - NWY", "A STP - LON", "A STP - LON VIA", "A STP - BAR",
    "F BAR C A STP - NWY", "F BAR C A STP - LON", "F BAR C A MOS - LON", "F BAR - BAR",
    "A STP S A STP", "F BAR D", "A STP R MOS", "A MOS - STP", "A STP - BAR - NWY",
    "F BAR S F NWY", "F NWY S F LON", "F NWY S F BAR - STP",
]  # fmt: skip


@pytest.mark.parametrize("order", ORDERS)
def test_an_order_is_accepted_if_the_package_accepts_it(order: str) -> None:
    games = both(RUSSIA=["A STP", "F BAR", "F NWY"])
    for game in games:
        game.set_orders("RUSSIA", [order])
    theirs, ours = games
    assert ours.get_orders("RUSSIA") == theirs.get_orders("RUSSIA")
    assert bool(ours.error) == bool(theirs.error)


PHASES: list[tuple[dict[str, list[str]], dict[str, list[str]]]] = [
    (
        {"FRANCE": ["A PAR", "A MAR", "A BUR"]},  # an attack on a unit of its own power
        {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"]},
    ),
    (
        {"ENGLAND": ["A LON", "F ENG"], "FRANCE": ["F BEL", "F PIC"]},  # a paradox
        {
            "ENGLAND": ["A LON - BEL VIA", "F ENG C A LON - BEL"],
            "FRANCE": ["F BEL S F PIC - ENG", "F PIC - ENG"],
        },
    ),
    (
        {"ENGLAND": ["A LON", "F NTH"], "FRANCE": ["F SKA", "F DEN"]},  # a convoy for nobody
        {
            "ENGLAND": ["A LON H", "F NTH C A LON - NWY"],
            "FRANCE": ["F SKA - NTH", "F DEN S F SKA - NTH"],
        },
    ),
    (
        {"FRANCE": ["F NAF"], "ITALY": ["F WES", "F MAO", "A TUN"]},  # no retreat is possible
        {"ITALY": ["F WES - NAF", "F MAO S F WES - NAF"]},
    ),
    (
        # One fleet of a convoy is dislodged, and the army is supported.
        {"TURKEY": ["A BUL", "F AEG", "F ION", "A BUD"], "ITALY": ["F NAP", "F TUN", "F ADR"]},
        {
            "TURKEY": [
                "A BUL - TRI",
                "F AEG C A BUL - TRI",
                "F ION C A BUL - TRI",
                "A BUD S A BUL - TRI",
            ],
            "ITALY": ["F NAP - ION", "F TUN S F NAP - ION", "F ADR C A BUL - TRI"],
        },
    ),
    (
        {"GERMANY": ["A KIE", "F BAL", "F HEL", "F SKA", "F NTH"]},  # fleets on no route
        {
            "GERMANY": [
                "A KIE - SWE",
                "F BAL C A KIE - SWE",
                "F HEL C A KIE - SWE",
                "F SKA C A KIE - SWE",
            ]
        },
    ),
    (
        # An army goes by convoy only because of its own power's fleet; and a paradox.
        {"RUSSIA": ["A SWE", "F SKA", "F BAR"], "ENGLAND": ["F NTH", "F NWY"]},
        {
            "RUSSIA": ["A SWE - NWY", "F SKA C A SWE - NWY", "F BAR S A SWE - NWY"],
            "ENGLAND": ["F NTH - SKA", "F NWY S F NTH - SKA"],
        },
    ),
    (
        # The army goes over land instead, and cuts the support of the fleet.
        {"ITALY": ["A TUS", "F TYS"], "TURKEY": ["F ROM"], "FRANCE": ["F TUN", "F NAP"]},
        {
            "ITALY": ["A TUS - ROM", "F TYS C A TUS - ROM"],
            "TURKEY": ["F ROM S F TYS"],
            "FRANCE": ["F TUN - TYS", "F NAP S F TUN - TYS"],
        },
    ),
    (
        # A support of an attack on the supporter's own power counts if the army goes via convoy.
        {"AUSTRIA": ["A TRI", "F VEN"], "ITALY": ["A APU", "F ADR"]},
        {
            "AUSTRIA": ["F VEN S A APU - TRI"],
            "ITALY": ["A APU - TRI VIA", "F ADR C A APU - TRI"],
        },
    ),
    (
        # The support of a unit that is dislodged from where its support goes is not cut beforehand.
        {"RUSSIA": ["A SMY", "A ARM"], "TURKEY": ["A SYR", "A CON"]},
        {"RUSSIA": ["A SMY S A ARM - SYR", "A ARM - SYR"], "TURKEY": ["A SYR - SMY"]},
    ),
    (
        # A head-to-head battle with an army that no fleet convoys.
        {"ENGLAND": ["A BEL"], "GERMANY": ["A HOL", "F KIE"], "FRANCE": ["A PIC", "F NTH"]},
        {
            "ENGLAND": ["A BEL - HOL VIA"],
            "GERMANY": ["A HOL - BEL", "F KIE S A BEL - HOL"],
            "FRANCE": ["A PIC S A HOL - BEL"],
        },
    ),
    (
        # A head-to-head battle whose victim belongs to a supporter's own power.
        {"ENGLAND": ["F ADR"], "FRANCE": ["F TRI", "A ALB", "F VEN", "F ION"]},
        {
            "ENGLAND": ["F ADR - TRI"],
            "FRANCE": [
                "F TRI - ADR",
                "A ALB S F ADR - TRI",
                "F VEN S F TRI - ADR",
                "F ION S F TRI - ADR",
            ],
        },
    ),
]


@pytest.mark.parametrize(("units", "orders"), PHASES)
def test_a_phase_has_the_same_results(
    units: dict[str, list[str]], orders: dict[str, list[str]]
) -> None:
    games = both(**units)
    for game in games:
        for power, own in orders.items():
            game.set_orders(power, own)
    theirs, ours = [{u: [*map(str, m)] for u, m in g.process().results.items()} for g in games]
    assert ours == theirs
    assert games[1].get_units() == games[0].get_units()
    assert games[1].phase == games[0].phase


RETREATS = [
    {"GERMANY": ["A BEL R RUH", "A BEL D"]},  # the second order is void
    {"GERMANY": ["F BEL R RUH"]},  # another unit
    {"GERMANY": ["", "A BEL R RUH"]},
    {"GERMANY": ["A BEL R RUH"]},
    {"GERMANY": ["A BEL R PIC"]},  # an occupied province, which the package lists
    {"FRANCE": ["A PIC R BRE"], "GERMANY": ["A BEL S A PIC - BRE"]},  # a unit that is not dislodged
    {},
]


@pytest.mark.parametrize("orders", RETREATS)
def test_retreats_have_the_same_results(orders: dict[str, list[str]]) -> None:
    games = both(ENGLAND=["A LON", "F NTH", "F ENG"], FRANCE=["A PIC"], GERMANY=["A BEL"])
    for game in games:
        convoy = ["A LON - BEL", "F NTH C A LON - BEL", "F ENG S A LON - BEL"]
        game.set_orders("ENGLAND", convoy)
        game.process()
        for power, own in orders.items():
            game.set_orders(power, own)
    theirs, ours = games
    assert ours.get_state()["retreats"]["GERMANY"] == theirs.get_state()["retreats"]["GERMANY"]
    assert ours.get_orders() == theirs.get_orders()
    results = [{u: [*map(str, m)] for u, m in g.process().results.items()} for g in games]
    assert results[1] == results[0]
    assert ours.get_units() == theirs.get_units()
    assert ours.popped == theirs.popped


WINTER_ORDERS = [
    {"FRANCE": ["A PAR B", "A MAR B", "F BRE B"], "RUSSIA": ["F STP/NC B", "WAIVE"]},
    {"FRANCE": ["A PAR B", "F PAR B", "A SPA B"], "GERMANY": ["A BUR D"], "RUSSIA": ["F STP B"]},
    {"FRANCE": ["WAIVE"] * 4, "GERMANY": ["A BUR D", "F KIE D", "A TYR D", "A BUR B", "WAIVE"]},
    {"FRANCE": ["A PAR B", "WAIVE"], "GERMANY": ["A BUR D", "A BUR D"]},
    {"RUSSIA": ["A STP B", "F STP/SC B", "A MOS B", "A WAR B"]},
    {},
]


@pytest.mark.parametrize("orders", WINTER_ORDERS)
def test_builds_have_the_same_results(orders: dict[str, list[str]]) -> None:
    games = both(FRANCE=["A GAS"], GERMANY=["A BUR", "A TYR", "F KIE"], RUSSIA=["A FIN"])
    centers = {"FRANCE": ["PAR", "MAR", "BRE", "SPA"], "GERMANY": ["KIE"]}
    for game in games:
        game.set_current_phase("W1901A")
        game.clear_centers()
        for power, own in {**centers, "RUSSIA": ["STP", "MOS", "WAR"]}.items():
            game.set_centers(power, own)
        for power, own in orders.items():
            game.set_orders(power, own)
    theirs, ours = games
    assert ours.get_orders() == theirs.get_orders()
    for power in theirs.powers:
        assert ours.powers[power].adjust == theirs.powers[power].adjust
    results = [{u: [*map(str, m)] for u, m in g.process().results.items()} for g in games]
    assert results[1] == results[0]
    assert ours.get_units() == theirs.get_units()


def ended(game: Any) -> None:
    """Let France win."""
    game.set_current_phase("F1905M")
    game.clear_units()
    game.clear_centers()
    game.set_centers("FRANCE", [one for one in game.map.scs if one != "BEL"][:17])
    game.set_units("FRANCE", ["A BUR"])
    game.set_orders("FRANCE", ["A BUR - BEL"])
    game.process()


def drawn(game: Any) -> None:
    """Let two powers draw."""
    game.draw(["FRANCE", "ITALY"])


def timed_out(game: Any) -> None:
    """Let the last year pass."""
    game.set_current_phase("F2000M")
    game.process()


def owned(season: str) -> Callable[[Any], None]:
    """Give France most centres, which are counted only in autumn."""

    def end(game: Any) -> None:
        game.set_current_phase(season)
        game.set_centers("FRANCE", game.map.scs[:20])
        game.process()

    return end


@pytest.mark.parametrize("end", [ended, drawn, timed_out, *map(owned, ["S1901M", "W1901A"])])
def test_a_game_ends_in_the_same_way(end: Callable[[Any], None]) -> None:
    games = both(FRANCE=["A PAR"])
    for game in games:
        end(game)
    theirs, ours = games
    for name in ("phase", "status", "is_game_done", "outcome", "note"):
        assert getattr(ours, name) == getattr(theirs, name)
    assert [*ours.state_history] == [*map(str, theirs.state_history)]
    assert [*ours.order_history.values()] == [*theirs.order_history.values()]


def test_a_draw_returns_the_last_phase_and_the_end() -> None:
    games = both(FRANCE=["A PAR"])
    for game in games:
        game.set_orders("FRANCE", ["A PAR - BUR"])
    for _ in range(2):  # the second time the game is over
        theirs, ours = ([(one.name, one.state["name"]) for one in game.draw()] for game in games)
        assert ours == theirs


def test_influence_is_listed_in_the_order_in_which_units_arrived() -> None:
    games = both(ENGLAND=["F LON", "A LVP"], FRANCE=["F BRE"])
    for game in games:
        game.set_units("ENGLAND", ["F EDI", "F LON"])
        game.set_units("FRANCE", "F ENG")
        for orders in (["F LON - WAL", "A LVP - YOR"], ["F WAL - LON"]):
            game.set_orders("ENGLAND", orders)
            game.process()
    theirs, ours = ({name: power.influence for name, power in g.powers.items()} for g in games)
    assert ours == theirs
    assert ours["ENGLAND"] == ["LVP", "EDI", "YOR", "WAL", "LON"]


def test_unchecked_orders_are_kept_as_typed_and_void() -> None:
    games = both(FRANCE=["A PAR", "A MAR", "F BRE"], ENGLAND=["F LON"])
    for game in games:
        game.add_rule("NO_CHECK")
        game.set_orders("FRANCE", ["A PAR - PIC", "A MAR - LON", "BRE - GAS", "F LON - ENG"])
        game.set_orders("FRANCE", "A PAR - BUR")
    theirs, ours = games
    assert sorted(ours.get_orders("FRANCE")) == sorted(theirs.get_orders("FRANCE"))
    results = [{u: [*map(str, m)] for u, m in g.process().results.items()} for g in games]
    assert results[1] == results[0]


UNITS = ["A PAR", "*A PAR", "A LIV", "A Paris", "F PAR", "F SPA", "F SPA/SC", "A STP/NC", "PAR"]


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_is_set_if_the_package_sets_it(unit: str) -> None:
    theirs, ours = both(FRANCE=[unit])
    assert ours.get_units("FRANCE") == theirs.get_units("FRANCE")


STATES: list[dict[str, Any]] = [
    {"name": "F1901M", "units": {"FRANCE": ["A MUN", "A BUR"]}},
    {"name": "F1901M", "centers": {"FRANCE": ["PAR", "LON"]}},
    {"name": "F1901M", "homes": {"FRANCE": ["PAR"]}},
    {"units": {"FRANCE": ["A BUR"]}},
    {"name": "S1901R", "units": {"FRANCE": ["*A PAR", "A GAS"], "GERMANY": ["A BUR"]}},
    {"name": "S1901M", "units": {"FRANCE": ["*A PAR"]}},
]


@pytest.mark.parametrize("clear_history", [True, False])
@pytest.mark.parametrize("state", STATES)
def test_a_state_that_lacks_keys_or_powers_leaves_them(
    state: dict[str, Any], clear_history: bool
) -> None:
    import diplomacy

    games = diplomacy.Game(), Game(judge="diplomacy")
    for game in games:
        game.set_orders("FRANCE", ["A PAR - BUR"])
        game.set_state(state, clear_history=clear_history)
    theirs, ours = games
    left, right = (game.get_state() for game in (theirs, ours))
    for key in ("name", "units", "centers", "homes", "influence", "retreats"):
        assert sorted_lists(right[key]) == sorted_lists(left[key]), key
    assert ours.get_orders() == theirs.get_orders()


def sorted_lists(value: Any) -> Any:
    """A value without the order of its lists."""
    if isinstance(value, dict):
        return {key: sorted_lists(one) for key, one in value.items()}
    return sorted(value)


def test_the_names_of_powers_can_be_read_twice() -> None:
    theirs, ours = (game.get_map_power_names() for game in both())
    assert [*ours, *ours] == [*theirs, *theirs]


RANGES = [
    ("S1901R", None), (None, "S1901R"), ("S1902M", None), (None, "W1900A"), (1, None), (-1, None),
    (0, 0), (None, -2), (5, None),
]  # fmt: skip


@pytest.mark.parametrize(("first", "last"), RANGES)
def test_a_part_of_the_history_is_selected_by_phases_or_indices(first: Any, last: Any) -> None:
    games = both(FRANCE=["A PAR"])
    for game in games:
        game.process()
        game.process()
    theirs, ours = [[str(one.name) for one in g.get_phase_history(first, last)] for g in games]
    assert ours == theirs


@pytest.mark.parametrize("place", ["PAR", "STP", "STP/SC", "BUR"])
def test_the_unit_in_a_place_has_the_same_marks(place: str) -> None:
    theirs, ours = both(FRANCE=["A PAR"], RUSSIA=["F STP/SC"])
    for game in (theirs, ours):
        game.process()
    assert ours.get_order_status(loc=place) == theirs.get_order_status(loc=place)


def test_none_stands_for_no_orders_and_a_text_for_one_rule() -> None:
    game = Game(rules="NO_CHECK")
    game.set_orders("FRANCE", None)
    assert (game.rules, game.get_orders("FRANCE")) == (["NO_CHECK"], [])


@pytest.mark.parametrize("text", ["", "B", "waive 2 builds", "A PAR B; A MAR B", "F GAS D"])
def test_a_text_that_is_not_one_order_builds_nothing(text: str) -> None:
    _, game = both(FRANCE=["A GAS"])
    game.set_current_phase("W1901A")
    game.set_orders("FRANCE", [text])
    game.process()
    assert game.get_units("FRANCE") == ["A GAS"]


def test_orders_of_units_that_are_gone_change_nothing() -> None:
    theirs, ours = both(FRANCE=["A PAR", "A MAR"])
    for game in (theirs, ours):
        game.set_orders("FRANCE", ["A PAR - BUR", "A MAR - SPA"])
        game.clear_units("FRANCE")
        game.set_units("FRANCE", "A PAR")
    results = [{u: [*map(str, m)] for u, m in g.process().results.items()} for g in (theirs, ours)]
    assert results[1] == results[0]
    assert ours.get_units("FRANCE") == theirs.get_units("FRANCE")
