"""Legal orders, compared with what people ordered in recorded games and with what the
`diplomacy` package lists; the one difference from the package is explained."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import islice

import pytest

import dipsat
from dipsat.board import province_of
from dipsat.game import RulingStatus, Submission, judge_orders, legal_orders
from dipsat.orders import Move, SupportMove, reader_for
from dipsat.rules import Settings
from tests.core.test_legal_orders import BOARD, anonymous, board_of, maze, retreat, ruling, winter
from tests.exhaustive import exhaustive, parts_of
from tests.legal_texts import legal_order_texts
from tests.recorded import each_part, needs_games, recorded_phases

# The package leaves a file open when it is imported.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")


# --- recorded games -------------------------------------------------------------------------------


def phases(
    kind: str, games: Collection[int], step: int
) -> Iterator[tuple[dipsat.Position, Mapping[str, list[str]]]]:
    """Every `step`-th recorded phase of a kind, with its orders."""
    entries = (entry for entry in recorded_phases(games) if entry["phase"][-1] == kind)
    for entry in islice(entries, 0, None, step):
        if entry.get("unparsed_orders"):
            continue
        lost = entry["dislodged"]
        yield (
            dipsat.Position.from_units(
                entry["units"], phase=entry["phase"], centers=entry["centers"], dislodged=lost
            ),
            entry["orders"],
        )


@exhaustive
@needs_games
@each_part
def test_legal_orders_of_recorded_games_are_listed(games: Collection[int]) -> None:
    found: Counter[RulingStatus] = Counter()
    reader = reader_for(BOARD)
    for position, orders in phases("M", games, 30):
        listed = legal_orders(position, Settings())
        for power, written in orders.items():
            for text in written:
                submission = Submission(power, text, reader.read(text))
                (ruled,) = judge_orders(position, [submission], Settings())
                found[ruled.status] += 1
                order = ruled.order
                if ruled.unit is None or ruled.status is RulingStatus.ILLEGAL:
                    continue
                own = {anonymous(one) for one in listed[str(ruled.unit)]}
                if isinstance(order, Move) and order not in own:
                    order = replace(order, via=True)
                assert order in own, (str(position.phase), text)
    assert found[RulingStatus.LEGAL] + found[RulingStatus.AMENDED] > 5 * len(games)
    assert found[RulingStatus.ILLEGAL] < 0.02 * found.total()


@exhaustive
@needs_games
@each_part
@pytest.mark.parametrize("kind", ["R", "A"])
def test_retreats_and_adjustments_of_recorded_games_are_listed(
    kind: str, games: Collection[int]
) -> None:
    count = 0
    for position, orders in phases(kind, games, 8):
        listed = {o for texts in legal_order_texts(position, Settings()).values() for o in texts}
        for one in dipsat.adjudicate(position, orders).orders:
            if one.submitted is not None and one.verdict != "illegal":
                assert one.order in listed, (str(position.phase), one.submitted)
                count += 1
    assert count > len(games) // 2


# --- the `diplomacy` package ----------------------------------------------------------------------

BARE_COAST = "it also lists a support without the coast where the fleet can reach one coast only"
"""The only known difference: dipsat takes that for the support with the coast, listed once."""


def package_orders(position: dipsat.Position) -> dict[str, set[str]]:
    """The package's orders for every unit or province for which dipsat lists orders."""
    from diplomacy import Game

    game = Game()
    game.clear_units()
    game.clear_centers()
    game.set_current_phase(str(position.phase))
    for unit in position.units:
        game.set_units(unit.power, [str(unit)])
    for power, owned in position.centers.items():
        game.set_centers(power, list(owned), reset=True)
    for lost in position.dislodged:
        game.get_power(lost.unit.power).retreats[str(lost.unit)] = list(lost.retreats)
    listed = game.get_all_possible_orders()
    keys = legal_order_texts(position, Settings())
    found = {key: set(listed[key.rpartition(" ")[2]]) for key in keys}
    seen = {order for orders in found.values() for order in orders}
    rest = {order for orders in listed.values() for order in orders} - seen
    return {**found, **({"others": rest} if rest else {})}


def differences(position: dipsat.Position) -> Counter[str]:
    """How often each explained difference occurs. Unexplained ones fail."""
    causes: Counter[str] = Counter()
    settings = Settings()
    mine = {key: set(orders) for key, orders in legal_order_texts(position, settings).items()}
    theirs = package_orders(position)
    assert mine.keys() == theirs.keys()
    for key, orders in mine.items():
        causes["equal"] += len(orders & theirs[key])
        for text in orders ^ theirs[key]:
            order = reader_for(BOARD).read(text)
            assert isinstance(order, SupportMove), text
            assert text in theirs[key], text
            unit = position.by_province[province_of(order.unit.location)]
            ruled = ruling(position, unit, order, settings)
            assert isinstance(ruled.order, SupportMove)
            assert ruled.status is not RulingStatus.ILLEGAL
            assert ruled.order.target.startswith(f"{order.target}/"), text
            assert f"{text}/{ruled.order.target[4:]}" in orders
            causes[BARE_COAST] += 1
    return causes


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(120), 12))
def test_the_package_lists_the_same_movement_orders(seeds: range) -> None:
    causes: Counter[str] = Counter()
    for seed in seeds:
        causes += differences(board_of(seed, units=(22, 27, 34)[seed % 3]))
    assert causes["equal"] > 500 * len(seeds)
    assert 0 < causes[BARE_COAST] < 0.02 * causes["equal"]


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(60), 10))
def test_the_package_lists_the_same_retreats_and_adjustments(seeds: range) -> None:
    causes: Counter[str] = Counter()
    for seed in seeds:
        causes += differences(retreat(seed)) + differences(winter(seed))
    assert causes.keys() == {"equal"}
    assert causes["equal"] > 25 * len(seeds)


def test_the_package_lists_the_same_convoys_of_a_maze() -> None:
    causes = differences(maze())
    assert causes["equal"] > 3000
