"""Clear orders are ruled on at a glance, as the judge of all orders rules on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from dipsat import Position, load_map, load_profile
from dipsat.game import Ruling, Settings, Submission, judge_orders, legality
from dipsat.game.clear_orders import ClearOrders
from dipsat.game.settings import setting_values
from dipsat.game.submissions import read_submissions
from dipsat.game.unit import Unit
from dipsat.orders import Convoy, Hold, Move, Order, SupportHold, SupportMove, UnitName
from dipsat.scenarios.board_of_rules import trial_board
from dipsat.scenarios.random_board import random_board
from tests.exhaustive import parts_of

BOARDS = (
    ("datc", "standard"), ("portage", "standard"), ("arpiesse", "standard"), ("datc", "colonial"),
)  # fmt: skip
"""Rules without conditions on orders, and maps: with convoys by armies, and units with a colour."""


def settings_by(rng: Random) -> Settings:
    """The usual settings, or others for some issues."""
    values = setting_values()
    issues = rng.sample(sorted(values), rng.choice((0, 3, len(values))))
    chosen: dict[str, Any] = {issue: rng.choice(values[issue]) for issue in issues}
    return replace(Settings(), **chosen)


def orders_by(rng: Random, position: Position) -> Iterator[tuple[str, Order]]:
    """Power and order of each unit, often unclear: other coasts, paths, kinds and powers."""
    board = position.map
    places = sorted(board.locations)

    def named(unit: Unit) -> UnitName:
        spoilt = rng.choice((0, 0, 0, 0, 0, 1, 2, 3, 4))
        return (
            unit.name,
            unit.full_name,
            UnitName(unit.province, unit.kind),
            UnitName(unit.location),
            UnitName(unit.location, rng.choice(position.words.units)),
        )[spoilt]

    def target(unit: Unit) -> str:
        near = sorted(board.reach(unit.kind, unit.location))
        return rng.choice(near if near and rng.random() < 0.7 else places)

    for unit in position.units:
        name, other = named(unit), rng.choice(position.units)
        power = unit.power if rng.random() < 0.9 else other.power
        path = (rng.choice(places),) if rng.random() < 0.1 else ()
        yield power, Hold(name)
        yield power, Move(name, target(unit), rng.random() < 0.3, path)
        yield power, SupportHold(name, named(other))
        yield power, SupportMove(name, named(other), target(other))
        yield power, Convoy(name, named(other), target(unit))


def ruled(position: Position, order: Submission, settings: Settings) -> Ruling:
    """The ruling on one order."""
    (ruling,) = judge_orders(position, [order], settings)
    return ruling


@pytest.mark.parametrize("seeds", parts_of(range(200), 3))
def test_clear_orders_are_ruled_on_as_all_orders_are(
    seeds: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(legality, "clear_orders", lambda *_: None)
    kinds = Counter[type]()
    for seed in seeds:
        rng = Random(seed)
        rules, name = BOARDS[seed % len(BOARDS)]
        sheet = trial_board(load_profile(rules), load_map(name), seed, 27)
        position, settings = sheet.position(), settings_by(rng)
        clear = ClearOrders(position, settings)
        alone = replace(settings, implicit_orders="ignored")
        given = [*orders_by(rng, position)]
        for power, texts in sheet.orders.items():
            given += [(power, position.reader.read(text)) for text in texts]
        for power, order in given:
            submission = Submission(power, "", order)
            found, depends = clear.ruling(submission)
            if found is None:
                continue
            kinds[type(order)] += 1
            assert found == ruled(position, submission, alone)
            if depends is not None and found.unit is not None:
                two = {unit for unit in position.units if unit.province == depends} | {found.unit}
                both = replace(position, units=tuple(two))
                assert found == ruled(both, submission, alone)
    assert min(kinds[kind] for kind in (Hold, Move, SupportHold, SupportMove, Convoy)) > 1


def test_random_boards_have_clear_orders_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards that have never been seen do not need the judge of unclear orders."""

    def refuse(*_: object) -> None:
        raise AssertionError("an order is unclear")

    monkeypatch.setattr(legality, "_Judge", refuse)
    settings = load_profile("datc").settings
    for seed in range(70_000, 70_020):
        board = random_board(seed)
        position = Position.from_units(board.units)
        given = read_submissions(position, board.orders, settings)
        assert len(judge_orders(position, given, settings)) == len(position.units)


def test_a_remembered_ruling_holds_for_the_same_units_only() -> None:
    """The same text about a unit of another power needs another reading of the settings (4.C.5)."""
    settings = Settings()
    own = Position.from_units({"FRANCE": ["A PAR", "A MAR"]})
    foreign = Position.from_units({"FRANCE": ["A PAR"], "ITALY": ["A MAR"]})
    for position, naming in ((own, ()), (foreign, ("nationality_missing",))) * 2:
        given = read_submissions(position, {"FRANCE": ["A PAR S A MAR - BUR"]}, settings)
        (ruling,) = judge_orders(position, given, settings)
        assert ruling.naming == naming
