"""The equations of variants against brute force: DATC chapter 5.B by hand
(tests/oracles/datc_equations.py), changed by hand as chapters 9 and 10 of DATC 2.4 and the rules of
the variants say, and every assignment tried."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

import pytest

import dipsat
from dipsat import studies
from dipsat.equations import Phase
from dipsat.formats import load_cases
from dipsat.game import MoveFacts, SupportFacts
from dipsat.outcomes import MovementOutcome
from dipsat.studies import rules_for
from tests.exhaustive import exhaustive, parts_of
from tests.legal_texts import legal_order_texts
from tests.oracles import datc_equations
from tests.oracles.datc_equations import Guess, assert_resolved, consistent_guesses

DIFFICULT = {
    "loeb9": {frozenset({"NAP", "SIC"}), frozenset({"COR", "NAF"})},
    "loeb9_sic_tun": {
        frozenset({"NAP", "SIC"}), frozenset({"COR", "NAF"}), frozenset({"SIC", "TUN"}),
    },
}  # fmt: skip
NO_EFFECT = -1  # less than the strength of a move that has none


def burdened(phase: Phase, move: MoveFacts) -> bool:
    """Whether a move goes over land over a border that is difficult by the tables above."""
    pair = frozenset({move.origin.code, move.target.code})
    known = DIFFICULT[phase.map.name]
    return move.unit.kind == "army" and not move.convoyed and pair in known


def counting(phase: Phase, guess: Guess, move: MoveFacts) -> int:
    """The supports that count against the unit at the target, if it stays."""
    there = datc_equations._unit_in(phase, move.target)
    return datc_equations._backing(phase, guess, move, but=there.power if there else None)


def prevent(phase: Phase, guess: Guess, move: MoveFacts) -> int:
    """One less over the border; a move without effect keeps nobody out."""
    opponent = datc_equations._opponent(phase, move)
    if not datc_equations._path(phase, guess, move) or (opponent is not None and guess[opponent]):
        return NO_EFFECT
    strength = 1 + datc_equations._backing(phase, guess, move)
    return strength - burdened(phase, move)


def given(phase: Phase, guess: Guess, support: SupportFacts) -> bool:
    """10.A, 10.B: over the border only an attack with a support cuts."""
    for move in phase.moves:
        if move.target is not support.unit.province:
            continue
        if guess[move]:
            return False
        if burdened(phase, move) and not counting(phase, guess, move):
            continue
        arrives = datc_equations._path(phase, guess, move)
        if arrives and move.power != support.power and move.origin is not support.target:
            return False
    return True


def moves(phase: Phase, guess: Guess, move: MoveFacts) -> bool:
    """One less over the border; an empty province is entered nevertheless."""
    there = datc_equations._unit_in(phase, move.target)
    opponent = datc_equations._opponent(phase, move)
    leaves = any(m.unit is there and guess[m] for m in phase.moves)
    if not datc_equations._path(phase, guess, move):
        return False
    free = there is None or (opponent is None and leaves)
    if free:
        attack = 1 + datc_equations._backing(phase, guess, move) - burdened(phase, move)
    elif there is not None and there.power == move.power:
        return False
    else:
        attack = 1 + counting(phase, guess, move) - burdened(phase, move)
    if opponent is not None:
        backing = datc_equations._backing(phase, guess, opponent)
        wins = attack > 1 + backing - burdened(phase, opponent)
    else:
        wins = free or attack > datc_equations._hold(phase, guess, move.target)
    rivals = (m for m in phase.moves if m.target is move.target and m is not move)
    return wins and all(attack > prevent(phase, guess, rival) for rival in rivals)


def carried(phase: Phase, guess: Guess, move: MoveFacts) -> bool:
    """Armies carry fleets from any water at their coast to any other, over each other's land."""
    if move.unit.kind == "army" or not move.convoyed:
        return BY_FLEETS(phase, guess, move)
    board = phase.map
    armies = {c.province.code for c in move.convoys if guess[c]}

    def sails(start: str, code: str) -> bool:
        return any(place.split("/")[0] == code for place in board.fleet.get(start, ()))

    reached = {code for code in armies if sails(move.unit.unit.location, code)}
    while True:
        near = {code for here in reached for code in board.army[here]} & armies
        if near <= reached:
            break
        reached |= near
    coasts = {place for code in reached for place in board.provinces[code].locations}
    return any(move.target_location in board.fleet.get(place, ()) for place in coasts)


BY_FLEETS = datc_equations._path


def by_hand(rules: str, patch: pytest.MonkeyPatch) -> None:
    """Change the equations by hand to those of a variant. If fleets convoy on coasts, the equations
    stay the same: a path is a chain of fleets."""
    if rules == "difficult_borders":
        patch.setattr(datc_equations, "_moves", moves)
        patch.setattr(datc_equations, "_given", given)
    elif rules == "portage":
        patch.setattr(datc_equations, "_path", carried)


PLACES = {
    "difficult_borders": (
        ("loeb9", "loeb9_sic_tun"),
        "A NAP, A SIC, F SIC, A TUN, F TUN, A NAF, A COR, F TYS, F ION, F WES",
    ),
    "coastal_convoys": (
        ("convoyable_coast",),
        "F DEN, F SWE, A KIE, A BER, A FIN, F FIN, A STP, F BOT, F BAL, F SKA, A NWY, F LVN, "
        "A DEN, A SWE",
    ),
    "portage": (
        ("standard",),
        "A DEN, A SWE, A NWY, A DEN, A SWE, F KIE, F DEN, F SWE, F FIN, F SKA, F STP/NC",
    ),
    "wings": (
        ("standard",),
        "W DEN, W SWE, W NTH, W SKA, W NWY, W HEL, A DEN, F DEN, F SWE, F NTH, F SKA, F HEL",
    ),
}  # fmt: skip
POWERS = ("ENGLAND", "GERMANY", "RUSSIA")


def random_phases(rules: str, seeds: range) -> Iterator[MovementOutcome]:
    """Phases of up to eight units in the places of the variant, with legal orders."""
    boards, places = PLACES[rules]
    profile = dipsat.load_profile(rules)
    for seed in seeds:
        rng = random.Random(seed)
        placed: dict[str, str] = {}
        for text in rng.sample(places.split(", "), 9):
            placed.setdefault(text[2:5], text)
        units: dict[str, list[str]] = {}
        for text in list(placed.values())[:7]:
            units.setdefault(rng.choice(POWERS), []).append(text)
        position = dipsat.Position.from_units(units, rng.choice(boards), rules=profile)
        legal = legal_order_texts(position, profile.settings)
        outcome = dipsat.adjudicate(position, some_orders(units, legal, rng), profile)
        assert isinstance(outcome, MovementOutcome)
        yield outcome


def some_orders(
    units: Mapping[str, Sequence[str]], legal: Mapping[str, tuple[str, ...]], rng: random.Random
) -> dict[str, list[str]]:
    """An order for each unit; moves come first, and other orders tend to help them."""
    moving = {
        unit: chosen(legal[unit], rng) for listed in units.values() for unit in listed
        if rng.random() < 0.6
    }  # fmt: skip
    wanted = [text.removesuffix(" VIA") for text in moving.values() if " - " in text]
    found: dict[str, list[str]] = {}
    for power, listed in units.items():
        for unit in listed:
            helping = [t for t in legal[unit] if any(t.endswith(f" {w}") for w in wanted)]
            choices = helping or legal[unit]
            found.setdefault(power, []).append(moving.get(unit) or rng.choice(choices))
    return found


def chosen(legal: Sequence[str], rng: random.Random) -> str:
    """One of the orders, more likely a move by convoy."""
    by_convoy = [text for text in legal if text.endswith(" VIA")]
    return rng.choice(by_convoy if by_convoy and rng.random() < 0.5 else legal)


def check(outcome: MovementOutcome) -> int:
    return assert_resolved(outcome, consistent_guesses(outcome.facts))


@pytest.mark.parametrize("rules", PLACES)
@pytest.mark.parametrize("seeds", parts_of(range(400), 25))
def test_resolutions_on_random_boards_are_those_of_brute_force(
    seeds: range, rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_hand(rules, monkeypatch)
    outcomes = list(random_phases(rules, seeds))
    counts = {check(outcome) for outcome in outcomes}
    assert counts >= ({1} if rules == "wings" or len(seeds) < 100 else {1, 2})
    touched = sum(is_touched(rules, outcome.facts) for outcome in outcomes)
    assert touched > len(seeds) // 40  # otherwise nothing of the variant would be compared


def is_touched(rules: str, phase: Phase) -> bool:
    """Whether a phase has something that the standard rules lack."""
    if rules == "difficult_borders":
        return any(burdened(phase, move) for move in phase.moves)
    if rules == "wings":
        return any(move.unit.kind == "wing" for move in phase.moves)
    return any(convoy.province.kind != "sea" for convoy in phase.convoys)


CASES = load_cases(["9", "10"])
RESOLUTIONS = {"9.E": 2, "9.F": 0, "9.G": 2, "10.F": 2, "10.H": 2, "10.J": 2} | {
    "9.E-portage": 2, "9.F-portage": 0, "9.G-portage": 2,
}  # fmt: skip
"""The document states 9.F and 9.G. Two convoys that disrupt each other (9.E), two supports that cut
each other (10.F), and every ring can go either way. All others have one.
"""


@exhaustive
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_resolutions_of_the_cases_are_those_of_brute_force(
    case: studies.Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_hand(case.rules, monkeypatch)
    if case.position.map.name == "loeb9_naf_tun":
        known = {*DIFFICULT["loeb9"], frozenset({"NAF", "TUN"})}
        monkeypatch.setitem(DIFFICULT, "loeb9_naf_tun", known)
    outcome = dipsat.adjudicate(case.position, case.orders, rules_for(case, "datc"))
    assert isinstance(outcome, MovementOutcome)
    assert check(outcome) == RESOLUTIONS.get(case.name, 1)
