"""Deviations that are not tried on phases in which they change nothing."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest

import dipsat
from dipsat.game import PhaseKind
from dipsat.outcomes import judge_alike
from dipsat.rules import Profile
from dipsat.studies import deviations, profile_with, random_board

HOME = dipsat.load_map("standard").powers


def profiles() -> dict[str, Profile]:
    """`datc`, and `datc` with each deviation."""
    rules = dipsat.load_profile("datc")
    return {"datc": rules, **{one.name: profile_with(rules, [one]) for one in deviations()}}


def alike(kind: PhaseKind) -> list[tuple[Profile, Profile]]:
    """The pairs of different profiles that judge a kind of phase alike."""
    pairs = combinations(profiles().values(), 2)
    return [(one, other) for one, other in pairs if judge_alike(one, other, kind)]


def moves(seed: int) -> tuple[dipsat.Position, dict[str, list[str]]]:
    """A board with many units and orders; some armies go to neighbours by convoy."""
    board = random_board(seed, 30)
    position = dipsat.Position.from_units(board.units, "standard", "F1901M")
    orders = {power: list(texts) for power, texts in board.orders.items()}
    for texts in orders.values():
        for at, text in enumerate(texts):
            if text.startswith("A ") and text.split()[2:3] == ["-"] and not text.endswith("VIA"):
                texts[at] = f"{text} VIA" if at % 2 else text
    return position, orders


def winter(seed: int) -> tuple[dipsat.Position, dict[str, list[str]]]:
    """A winter in which powers build or disband too little."""
    rng = random.Random(seed)
    board = random_board(seed, 24)
    centers = {
        power: rng.sample(sorted(setup.centers), rng.randint(0, len(setup.centers)))
        for power, setup in HOME.items()
    }
    position = dipsat.Position.from_units(board.units, "standard", "W1901A", centers)
    texts = {power: [f"{unit} D" for unit in units[:1]] for power, units in board.units.items()}
    return position, {**texts, "FRANCE": ["A PAR B", "F BRE B"]}


def judged(
    profile: Profile, position: dipsat.Position, orders: dict[str, list[str]]
) -> dict[str, Any]:
    found = dipsat.adjudicate(position, orders, profile).to_dict()
    del found["rules"]
    return found


@pytest.mark.parametrize(
    ("kind", "phase"), [(PhaseKind.MOVEMENT, moves), (PhaseKind.ADJUSTMENT, winter)]
)
def test_what_is_said_to_judge_alike_does(kind: PhaseKind, phase: Any) -> None:
    pairs = alike(kind)
    assert pairs
    concerned = {profile.name: profile for pair in pairs for profile in pair}
    for seed in range(6):
        position, orders = phase(seed)
        found = {name: judged(profile, position, orders) for name, profile in concerned.items()}
        for one, other in pairs:
            assert found[one.name] == found[other.name], (seed, one.name, other.name)


def test_settings_count_only_where_they_are_asked() -> None:
    known = profiles()
    plain, via, home = (
        known[name] for name in ("datc", "vain-via-over-land", "home-centre-disbands")
    )
    by_kind, anywhere = known["home-centre-disbands-by-kind"], known["build-anywhere"]
    movement, retreat, adjustment = PhaseKind.MOVEMENT, PhaseKind.RETREAT, PhaseKind.ADJUSTMENT
    assert judge_alike(plain, via, adjustment)
    assert not judge_alike(via, home, movement)
    assert judge_alike(home, by_kind, movement)
    assert not judge_alike(home, by_kind, adjustment)
    assert not judge_alike(plain, anywhere, adjustment)
    assert not judge_alike(home, by_kind, retreat)
    assert judge_alike(plain, plain, retreat)
