"""Many games as arrays: legal actions, observations, and what a step does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import dipsat
from dipsat.environments import GameBatch
from dipsat.errors import ArgumentError, GameError
from tests.environments.published_actions import (
    AREAS,
    BUILDS,
    WAIVE,
    actions,
    at,
    index_of,
    text_of,
    without_coast,
)
from tests.exhaustive import exhaustive

np = pytest.importorskip("numpy", reason="the extra environments is not installed")
pytestmark = pytest.mark.extra

POWERS = ["AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"]


Known = dict[tuple[str, int, int], tuple[list[int], int]]


def phases(games: GameBatch, seed: int) -> Iterator[tuple[int, dipsat.Position, Known]]:
    """Every game in every phase, with the legal actions (as indices) of each power and area, and
    the action that is drawn; then all games are played on."""
    generator = np.random.default_rng(seed)
    while not games.done.all():
        choices = games.choices
        drawn = choices.drawn(generator)
        for game in np.flatnonzero(~games.done):
            own = np.flatnonzero(choices.games == game)
            known: Known = {
                (POWERS[choices.powers[at]], int(choices.areas[at]), nth): (
                    choices.actions[choices.starts[at] : choices.starts[at + 1]].tolist(),
                    int(drawn[at]),
                )
                for nth, at in enumerate(own)
            }
            yield int(game), games.position(int(game)), known
        assert games.step(drawn).all()


def legal_texts(position: dipsat.Position) -> dict[str, set[str]]:
    """Legal orders of each unit or building site, according to dipsat."""
    return {
        unit: {without_coast(text) for text in texts}
        for own in dipsat.Game(position).all_legal_orders().values()
        for unit, texts in own.items()
    }


@pytest.mark.parametrize("count", [6, pytest.param(1000, marks=exhaustive)])
def test_legal_orders_are_legal_actions_and_back(count: int) -> None:
    """Every legal order has one action, long convoys too, and the action means that order."""
    for _, position, known in phases(GameBatch(count, until=1905), seed=count):
        legal = legal_texts(position)
        found = dict[str, list[str]]()
        for (power, area, _), (indices, _) in known.items():
            assert len({*indices}) == len(indices)
            texts = [text_of(actions()[at], position) for at in indices]
            unit = " ".join(texts[0].split()[:2])
            found[unit if area >= 0 else power] = texts
        if position.phase.kind is dipsat.PhaseKind.ADJUSTMENT:
            expected = {text for texts in legal.values() for text in texts}
            assert {text for texts in found.values() for text in texts} == expected
        else:
            assert {unit: sorted(texts) for unit, texts in found.items()} == {
                unit: sorted(texts) for unit, texts in legal.items()
            }


def test_a_step_adjudicates_the_orders_that_actions_mean() -> None:
    games, kinds, expected = GameBatch(4, until=1906), set(), dict[int, dipsat.Position]()
    for game, position, known in phases(games, seed=3):
        kinds.add(position.phase.kind)
        if game in expected:
            assert position.to_dict() == expected[game].to_dict()
        orders: dict[str, list[str]] = {power: [] for power in POWERS}
        for (power, _, _), (_, drawn) in known.items():
            text = text_of(actions()[drawn], position)
            if text not in orders[power]:  # the first of two builds in a province counts
                orders[power].append(text)
        firsts = {
            power: [*{text.split()[1][:3] if " " in text else at: text
                      for at, text in reversed([*enumerate(own)])}.values()]
            for power, own in orders.items()
        }  # fmt: skip
        is_build = position.phase.kind is dipsat.PhaseKind.ADJUSTMENT
        expected[game] = dipsat.adjudicate(position, firsts if is_build else orders).next
    assert {dipsat.PhaseKind.MOVEMENT, dipsat.PhaseKind.ADJUSTMENT} <= kinds


def flags(board: Any, place: str) -> set[int]:
    """The flags that are set for an area."""
    return {*np.flatnonzero(board[AREAS.index(place)]).tolist()}


def test_a_board_has_the_flags_of_the_first_phase() -> None:
    board = GameBatch(1).boards[0]
    assert board.shape == (81, 35)
    # An army (0) of France (3 + 2), nothing dislodged (15, 23), land (24), French (27 + 2).
    assert flags(board, "PAR") == {0, 5, 15, 23, 24, 29}
    # A fleet (1) of Russia (3 + 5), on the south coast (26), and in the province as a whole.
    assert flags(board, "STP/SC") == {1, 8, 15, 23, 26, 32}
    assert flags(board, "STP") == {1, 8, 15, 23, 24, 32}
    # No unit (2, 10); the centre is Russia's on this coast too.
    assert flags(board, "STP/NC") == {2, 10, 15, 23, 26, 32}
    assert flags(board, "NTH") == {2, 10, 15, 23, 25}
    assert flags(board, "BEL") == {2, 10, 15, 23, 24, 34}
    assert flags(board, "PIC") == {2, 10, 15, 23, 24}


def played(*orders: dict[int, list[int]]) -> GameBatch:
    """A game in which units had these actions, by area and step, and other units none."""
    games = GameBatch(1)
    for one in orders:
        choices = games.choices
        taken = np.full(len(choices), -1)
        for area, own in one.items():
            taken[np.flatnonzero(choices.areas == area)[: len(own)]] = own
        games.step(taken)
    return games


def builds() -> GameBatch:
    """A game in winter 1901: only France builds, and it builds two units, since it has taken Spain
    and Portugal."""
    spring = {at("MAR"): [index_of(4, "MAR", "SPA")], at("BRE"): [index_of(4, "BRE", "MAO")]}
    return played(spring, {at("MAO"): [index_of(4, "MAO", "POR")]})


def test_builds_are_due_where_a_power_may_build() -> None:
    games = builds()
    assert games.seasons.tolist() == [4]
    assert games.build_numbers.tolist() == [[0, 0, 2, 0, 0, 0, 0]]
    choices, board = games.choices, games.boards[0]
    assert choices.areas.tolist() == [BUILDS, BUILDS]
    assert {area for area in AREAS if 11 in flags(board, area)} == {"BRE", "MAR"}
    expected = {index_of(10, "BRE"), index_of(11, "BRE"), index_of(10, "MAR"), index_of(11, "MAR")}
    for choice in range(2):
        legal = choices.actions[choices.starts[choice] : choices.starts[choice + 1]]
        assert sorted(legal.tolist()) == sorted((*expected, WAIVE))


def test_the_first_of_two_builds_in_a_province_counts() -> None:
    games = builds()
    games.step(np.array([index_of(11, "BRE"), index_of(10, "BRE")]))
    assert "F BRE" in games.position(0).to_dict()["units"]["FRANCE"]
    assert len(games.position(0).to_dict()["units"]["FRANCE"]) == 4
    assert games.build_numbers.tolist() == [[0] * 7]  # builds are forgotten


def test_the_numbers_of_disbands_stay_until_the_next_builds() -> None:
    """DeepMind's observations do this, as documented. France leaves Paris to Germany, whose army is
    in Burgundy meanwhile."""
    spring = {
        at("MUN"): [index_of(4, "MUN", "BUR")],
        at("PAR"): [index_of(4, "PAR", "PIC")],
    }
    games = played(spring, {at("BUR"): [index_of(4, "BUR", "PAR")]})
    assert games.build_numbers.tolist() == [[0, 0, -1, 1, 0, 0, 0]]
    board = games.boards[0]
    assert {area for area in AREAS if 12 in flags(board, area)} == {"BRE", "MAR", "PIC"}
    france = np.flatnonzero(games.choices.powers == 2)
    legal = games.choices.mask(france)[0]
    expected = sorted(index_of(12, place) for place in ("BRE", "MAR", "PIC"))
    assert np.flatnonzero(legal).tolist() == expected
    taken = np.full(len(games.choices), -1)
    taken[france] = index_of(12, "MAR")
    games.step(taken)
    assert sorted(games.position(0).to_dict()["units"]["FRANCE"]) == ["A PIC", "F BRE"]
    assert games.build_numbers.tolist() == [[0, 0, -1, 0, 0, 0, 0]]


def test_a_dislodged_unit_retreats() -> None:
    """Germany attacks Burgundy from the Ruhr with a support from Munich."""
    spring = {
        at("PAR"): [index_of(4, "PAR", "BUR")],
        at("MUN"): [index_of(4, "MUN", "RUH")],
        at("BER"): [index_of(4, "BER", "MUN")],
    }
    autumn = {
        at("RUH"): [index_of(4, "RUH", "BUR")],
        at("MUN"): [index_of(6, "MUN", "BUR", "RUH")],
    }
    games = played(spring, autumn)
    assert games.seasons.tolist() == [3]
    # A German army (0, 3 + 3) in the province, and a French one (13, 16 + 2) dislodged.
    assert flags(games.boards[0], "BUR") == {0, 6, 13, 18, 24}
    assert games.choices.areas.tolist() == [at("BUR")]
    retreats = [index_of(9, "BUR", place) for place in ("BEL", "GAS", "PAR", "PIC")]
    assert sorted(games.choices.actions.tolist()) == sorted((*retreats, index_of(8, "BUR")))
    assert games.step(np.array([index_of(9, "BUR", "PAR")])).all()
    assert "A PAR" in games.position(0).to_dict()["units"]["FRANCE"]


def test_illegal_actions_are_reported_and_the_units_hold() -> None:
    games = GameBatch(2)
    taken = games.choices.drawn(np.random.default_rng(1))
    taken[0] = index_of(4, "PAR", "BUR")  # given to an Austrian unit
    assert np.flatnonzero(~games.step(taken)).tolist() == [0]
    assert games.last_actions[0, 0] == 0
    assert games.last_actions[1, 21] == actions()[taken[-1]]
    assert "A BUD" in games.position(0).to_dict()["units"]["AUSTRIA"]


def test_a_wrong_number_of_actions_is_refused() -> None:
    with pytest.raises(ArgumentError, match="an array of 44 whole numbers, one for each of `choi"):
        GameBatch(2).step(np.zeros(43, int))


def test_games_can_be_reset_and_copied() -> None:
    games = GameBatch(3, until=1901)
    games.step(games.choices.drawn(np.random.default_rng(1)))
    both = games.copies([1, 1])
    both.step(both.choices.drawn(np.random.default_rng(1)))
    assert len(both) == 2
    assert games.seasons.tolist() == [2, 2, 2]
    games.reset([0])
    assert games.seasons.tolist() == [0, 2, 2]
    games.reset(games.seasons == 2)
    assert games.seasons.tolist() == [0, 0, 0]
    assert not games.last_actions.any()


def test_games_end_after_the_last_year() -> None:
    games = GameBatch(2, until=1901)
    generator = np.random.default_rng(1)
    while not games.done.all():
        games.step(games.choices.drawn(generator))
    assert games.years.tolist() == [1902, 1902]
    assert len(games.choices) == 0
    assert not games.won.any()
    assert games.alive.all()
    squares = games.centers**2
    assert np.allclose(games.scores, squares / squares.sum(1, keepdims=True))


@pytest.mark.parametrize("rules", ["build_anywhere", "chaos", "wings", "portage"])
def test_rules_with_orders_that_have_no_action_are_refused_before_the_first_phase(
    rules: str,
) -> None:
    """Wings are a third kind of units, and armies that carry fleets have an order of their own."""
    with pytest.raises(GameError, match="no action for an order that these rules allow"):
        _ = GameBatch(1, rules=rules).choices


@pytest.mark.parametrize("rules", ["1898", "rulebooks/1971"])
def test_rules_that_build_in_home_centres_can_be_learned(rules: str) -> None:
    assert len(GameBatch(1, rules=rules).choices) == 22
