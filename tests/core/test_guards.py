"""Guards: the same equations read when it is open whether an order is issued.

Each candidate order has a guard `issued`. With an unknown guard, the ground equation must say what
the equation says without the order if the guard is false, and what it says with it if it is true.
"""

from __future__ import annotations

import dipsat
from dipsat.equations import Grounder, Key, Phase, Unknown, all_decisions, evaluate, unknowns
from dipsat.game import MoveFacts, SupportFacts
from tests.phases import phase_of

GUARD: Key = ("issued", 0)
WITH = {
    "ITALY": ["A VEN - TRI", "A TYR S A VEN - TRI"],
    "AUSTRIA": ["A TRI H"],
    "GERMANY": ["A VIE - TRI"],
}
WITHOUT_SUPPORT = {**WITH, "ITALY": ["A VEN - TRI", "A TYR H"]}


def guard(phase: Phase, order: str) -> None:
    """Give an order an unknown guard."""
    candidates: list[MoveFacts | SupportFacts] = [*phase.moves, *phase.supports]
    (candidate,) = [candidate for candidate in candidates if str(candidate) == order]
    candidate.issued = Unknown(GUARD, True)


def solved(phase: Phase, issued: int, key: Key = ("move", 0)) -> int:
    """The value of a decision in a phase without cycles, by evaluating what it needs first."""
    grounder = Grounder(dipsat.load_profile("datc"), phase)

    def value(needed: Key) -> int:
        return issued if needed == GUARD else solved(phase, issued, needed)

    return evaluate(grounder.equation(key), value)


def test_the_attack_strength_has_the_guard_of_a_support_and_is_as_with_or_without_it() -> None:
    phase, strength = phase_of(WITH), ("attack_strength", 0)
    guard(phase, "A TYR S A VEN - TRI")
    assert GUARD in unknowns(Grounder(dipsat.load_profile("datc"), phase).equation(strength))
    assert solved(phase, 1, strength) == solved(phase_of(WITH), 1, strength) == 2
    assert solved(phase, 0, strength) == solved(phase_of(WITHOUT_SUPPORT), 1, strength) == 1


def test_an_unknown_guard_of_a_rival_stands_in_the_move() -> None:
    phase = phase_of({"ITALY": ["A VEN - TRI"], "GERMANY": ["A VIE - TRI"]})
    move = ("move", [str(m) for m in phase.moves].index("A VEN - TRI"))
    guard(phase, "A VIE - TRI")
    assert GUARD in unknowns(Grounder(dipsat.load_profile("datc"), phase).equation(move))
    assert solved(phase, 1, move) == 0
    assert solved(phase, 0, move) == 1


def test_constant_guards_fold_away() -> None:
    phase = phase_of(WITH)
    grounder = Grounder(dipsat.load_profile("datc"), phase)
    for key in all_decisions(grounder.profile.decisions, phase):
        assert GUARD not in unknowns(grounder.equation(key))
