"""Choices of DATC 4.A against brute force: the equations of chapter 5.B by hand
(tests/oracles/datc_equations.py), changed by hand too, and every assignment tried."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dipsat.equations import Phase
from dipsat.formats import load_cases
from dipsat.game import MoveFacts, SupportFacts
from tests.exhaustive import few_of, parts_of
from tests.oracles import datc_equations
from tests.oracles.datc_equations import Guess, assert_resolved, consistent_guesses
from tests.oracles.orders_by_hand import routes
from tests.phases import adjudicate, phase_of, troubled_orders


def one_route_is_all(phase: Phase, guess: Guess, move: MoveFacts) -> bool:
    """4.A.1 a."""
    if not move.convoyed:
        return True
    seas = {convoy.province.code: guess[convoy] for convoy in move.convoys}
    found = list(routes(phase.map, move.origin.code, move.target.code, frozenset(seas)))
    return bool(found) and all(seas[sea] for sea in frozenset().union(*found))


def given_but_for(spared: str, phase: Phase, guess: Guess, support: SupportFacts) -> bool:
    """5.B.2 with the exception of 1971 or 1982, or with 4.A.4 b."""
    for move in phase.moves:
        if move.target is not support.unit.province:
            continue
        carriers = {convoy.province for convoy in move.convoys}
        busy = {convoy.province for convoy in phase.convoys}
        against = support.target is not support.origin and support.target in carriers
        at_sea = support.target.kind == "sea" and support.target in busy
        if move.convoyed and {"1971": against, "1982": at_sea}.get(spared):
            continue
        if guess[move]:
            return False
        itself = move.origin is support.target and not (spared == "itself" and move.convoyed)
        arrives = datc_equations._path(phase, guess, move)
        if arrives and move.power != support.power and not itself:
            return False
    return True


def prevent_of_the_literal_rule(phase: Phase, guess: Guess, move: MoveFacts) -> int:
    """4.A.7 a, as 2.4 5.B.6 states it."""
    if not datc_equations._path(phase, guess, move):
        return 0
    for other in phase.moves:
        against = other.origin is move.target and other.target is move.origin
        if against and guess[other] and not guess[move]:
            return 0
    return 1 + datc_equations._backing(phase, guess, move)


class OpenRoutesOnly:
    """4.A.3 c: the guess says which moves go by convoy and which meet head-to-head (2.4 5.B.10)."""

    def __init__(self) -> None:
        self.guess: Guess = {}
        self.consistent = datc_equations._is_consistent
        self.known_path = datc_equations._path

    def is_consistent(self, phase: Phase, guess: Guess) -> bool:
        self.guess = guess
        return self.consistent(phase, guess)

    def path(self, phase: Phase, guess: Guess, move: MoveFacts) -> bool:
        return move.by_land or self.known_path(phase, guess, move)

    def opponent(self, phase: Phase, move: MoveFacts) -> MoveFacts | None:
        def sails(one: MoveFacts) -> bool:
            return one.convoyed and self.known_path(phase, self.guess, one)

        for other in phase.moves:
            against = other.origin is move.target and other.target is move.origin
            by_land = not (move.convoyed and not move.by_land) and not (
                other.convoyed and not other.by_land
            )
            if against and by_land and not sails(move) and not sails(other):
                return other
        return None


def by_hand(choice: str, patch: pytest.MonkeyPatch) -> None:
    """Change the equations by hand to those of a choice."""
    exceptions = {"4.A.2-1971": "1971", "4.A.2-1982": "1982", "4.A.4-b": "itself"}
    if choice in exceptions:
        spared = exceptions[choice]
        patch.setattr(datc_equations, "_given", lambda *args: given_but_for(spared, *args))
    elif choice == "4.A.1-a":
        patch.setattr(datc_equations, "_path", one_route_is_all)
    elif choice == "4.A.7-a":
        patch.setattr(datc_equations, "_prevent", prevent_of_the_literal_rule)
    elif choice == "4.A.3-c":
        open_routes = OpenRoutesOnly()
        for name in ("is_consistent", "path", "opponent"):
            patch.setattr(datc_equations, f"_{name}", getattr(open_routes, name))


def small_orders() -> Iterator[dict[str, list[str]]]:
    """Order sets of up to nine orders: DATC cases about convoys, some with random changes."""
    for case in load_cases(["6.F"]) + load_cases(["6.G"]):
        orders = {power: list(texts) for power, texts in case.orders.items()}
        if sum(map(len, orders.values())) <= 8:
            yield orders
    for seed in range(120):
        orders = troubled_orders(seed)
        if sum(map(len, orders.values())) <= 9:
            yield orders


BOARDS = list(small_orders())
FEW = 15  # too few for some choices to change anything


@pytest.mark.parametrize(
    "choice", few_of(["4.A.1-a", "4.A.2-1971", "4.A.2-1982", "4.A.3-c", "4.A.4-b", "4.A.7-a"], 1)
)
@pytest.mark.parametrize("boards", parts_of(BOARDS, FEW))
def test_resolutions_are_those_of_brute_force(
    boards: list[dict[str, list[str]]], choice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All assignments of success and failure, tried one by one."""
    by_hand(choice, monkeypatch)
    rules, changed = f"datc+{choice}", 0
    for orders in boards:
        outcome = adjudicate(orders, rules)
        assert_resolved(outcome, consistent_guesses(phase_of(orders, rules)))
        changed += outcome.decisions != adjudicate(orders).decisions
    assert changed > 0 or len(boards) == FEW
