"""DATC 3.0 chapter 5.B, written a second time by hand, in plain Python.

An oracle that shares nothing with the rule language: for a guess of which moves, supports and
convoys succeed, it computes what the chapter says, and whether the guess is consistent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from math import prod

import dipsat
from dipsat.equations import Phase
from dipsat.game import ConvoyFacts, MoveFacts, SupportFacts, UnitFacts

FAMILIES = {MoveFacts: "move", SupportFacts: "support", ConvoyFacts: "convoy"}
Guess = Mapping[MoveFacts | SupportFacts | ConvoyFacts, bool]


def consistent_guesses(phase: Phase) -> Iterator[Guess]:
    """Every assignment of success or failure to the orders that fulfils all conditions."""
    orders: list[MoveFacts | SupportFacts | ConvoyFacts] = [*phase.moves, *phase.supports]
    orders += phase.convoys
    for values in product((False, True), repeat=len(orders)):
        guess = dict(zip(orders, values, strict=True))
        if _is_consistent(phase, guess):
            yield guess


def assert_resolved(outcome: dipsat.Outcome, guesses: Iterable[Guess]) -> int:
    """Check that an outcome has as many resolutions as there are consistent guesses, and equals the
    only one. Returns how many there are."""
    found = list(guesses)
    orders = [order.order for order in outcome.orders]
    assert prod(part.resolutions for part in outcome.subgraphs) == len(found), orders
    if len(found) == 1:
        values = {f"{FAMILIES[type(one)]}({one})": int(value) for one, value in found[0].items()}
        assert values.items() <= outcome.decisions.items(), orders
    return len(found)


def _is_consistent(phase: Phase, guess: Guess) -> bool:
    return (
        all(guess[move] == _moves(phase, guess, move) for move in phase.moves)
        and all(guess[support] == _given(phase, guess, support) for support in phase.supports)
        and all(guess[c] != _dislodged(phase, guess, c.unit) for c in phase.convoys)
    )


def _entering(phase: Phase, guess: Guess, place: object) -> list[MoveFacts]:
    return [move for move in phase.moves if move.target is place and guess[move]]


def _dislodged(phase: Phase, guess: Guess, unit: UnitFacts) -> bool:
    own = [move for move in phase.moves if move.unit is unit]
    return bool(_entering(phase, guess, unit.province)) and not any(guess[m] for m in own)


def _path(phase: Phase, guess: Guess, move: MoveFacts) -> bool:
    """5.B.4, by trying every chain of fleets."""
    if not move.convoyed:
        return True
    water = phase.map.water
    open_seas = {c.province.code for c in move.convoys if guess[c]}

    def onward(sea: str, used: frozenset[str]) -> bool:
        if sea in water[move.target.code]:
            return True
        return any(onward(n, used | {n}) for n in water[sea] & open_seas if n not in used)

    return any(onward(sea, frozenset({sea})) for sea in water[move.origin.code] & open_seas)


def _opponent(phase: Phase, move: MoveFacts) -> MoveFacts | None:
    for other in phase.moves:
        against = other.origin is move.target and other.target is move.origin
        if against and not move.convoyed and not other.convoyed:
            return other
    return None


def _backing(phase: Phase, guess: Guess, move: MoveFacts, but: str | None = None) -> int:
    return sum(
        guess[support]
        for support in phase.supports
        if support.supported is move.unit and support.power != but
    )


def _given(phase: Phase, guess: Guess, support: SupportFacts) -> bool:
    """DATC 3.0 5.B.2."""
    for move in phase.moves:
        if move.target is not support.unit.province:
            continue
        if guess[move]:
            return False
        attack_on_itself = move.origin is support.target
        if _path(phase, guess, move) and move.power != support.power and not attack_on_itself:
            return False
    return True


def _unit_in(phase: Phase, place: object) -> UnitFacts | None:
    return next((unit for unit in phase.units if unit.province is place), None)


def _attack(phase: Phase, guess: Guess, move: MoveFacts) -> int:
    """DATC 3.0 5.B.8."""
    if not _path(phase, guess, move):
        return 0
    there = _unit_in(phase, move.target)
    leaves = any(m.unit is there and guess[m] for m in phase.moves)
    if there is None or (_opponent(phase, move) is None and leaves):
        return 1 + _backing(phase, guess, move)
    if there.power == move.power:
        return 0
    return 1 + _backing(phase, guess, move, but=there.power)


def _hold(phase: Phase, guess: Guess, place: object) -> int:
    """DATC 3.0 5.B.5."""
    there = _unit_in(phase, place)
    if there is None:
        return 0
    own = [move for move in phase.moves if move.unit is there]
    if own:
        return 0 if guess[own[0]] else 1
    return 1 + sum(guess[s] for s in phase.supports if s.supported is there)


def _prevent(phase: Phase, guess: Guess, move: MoveFacts) -> int:
    """DATC 3.0 5.B.6."""
    opponent = _opponent(phase, move)
    if not _path(phase, guess, move) or (opponent is not None and guess[opponent]):
        return 0
    return 1 + _backing(phase, guess, move)


def _moves(phase: Phase, guess: Guess, move: MoveFacts) -> bool:
    """DATC 3.0 5.B.1 and 5.B.7."""
    attack, opponent = _attack(phase, guess, move), _opponent(phase, move)
    if opponent is not None:
        wins = attack > 1 + _backing(phase, guess, opponent)
    else:
        wins = attack > _hold(phase, guess, move.target)
    rivals = (m for m in phase.moves if m.target is move.target and m is not move)
    return wins and all(attack > _prevent(phase, guess, rival) for rival in rivals)
