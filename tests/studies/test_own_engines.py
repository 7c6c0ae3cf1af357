"""Engines of a user's own: an answer that is no answer is the engine's fault, and says so."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest

import dipsat
from dipsat.engines import (
    SOLVER,
    EngineReason,
    EquationVerdicts,
    Phase,
    ReasonedVerdicts,
    Trace,
    Verdicts,
    find_engine,
)
from dipsat.errors import ArgumentError, EngineError, SharedProvinceError

UNITS = {"FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A MUN", "F HOL", "F NTH", "A BEL"]}
ORDERS = {
    "FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"],
    "GERMANY": ["A MUN - BUR", "F NTH C A BEL - YOR", "A BEL - YOR", "F HOL S F NTH"],
}
POSITION = dipsat.Position.from_units(UNITS)


@dataclass(frozen=True)
class Answering:
    """An engine that gives one answer, or makes it from that of the solver."""

    answer: Any
    name: str = "my engine"

    def decide(self, phase: Phase, profile: dipsat.Profile) -> Any:
        """The answer."""
        right = find_engine(SOLVER).decide(phase, profile)
        return self.answer(right) if callable(self.answer) else self.answer

    def traced(self, phase: Phase, profile: dipsat.Profile) -> Any:
        """The answer, where a trace belongs to it."""
        return self.decide(phase, profile)


def plain(right: Verdicts) -> Verdicts:
    """Verdicts without decisions."""
    return Verdicts(right.moves, right.supports, right.convoys, right.dislodged, right.contested)


def reasoned(right: Verdicts, **fields: Any) -> Verdicts:
    """Verdicts with reasons, and with other fields."""
    given = [getattr(plain(right), name) for name in Verdicts.__dataclass_fields__]
    fields.setdefault("reasons", (EngineReason("so it is"),) * len(right.dislodged))
    return ReasonedVerdicts(*given, **fields)


def other(verdicts: Verdicts, **fields: Any) -> Verdicts:
    """Verdicts with other fields, of whatever type."""
    return replace(verdicts, **fields)


WRONG: list[tuple[Any, str]] = [
    (3, "its answer should be dipsat.engines.Verdicts, not 3 (an int)"),
    (None, "its answer should be dipsat.engines.Verdicts, not None"),
    (
        Verdicts((), (), (), (), frozenset()),
        "moves should have an entry for each of the 3 moves, but has 0",
    ),
    (lambda v: other(plain(v), supports=(True,)), "supports should have an entry for each"),
    (lambda v: other(plain(v), convoys=None), "convoys should have an entry for each"),
    (lambda v: other(plain(v), dislodged=(False,) * 9), "of the 6 units, but has 9"),
    (
        lambda v: other(plain(v), moves=(True, None, False)),
        "moves[1], about A MUN - BUR, should be True or False, not None",
    ),
    (lambda v: other(plain(v), moves=(True, "no", False)), "should be True or False, not 'no'"),
    (lambda v: other(plain(v), moves=(True, 2, False)), "should be True or False, not 2"),
    (lambda v: other(plain(v), contested=["BUR"]), "contested should be a set of provinces"),
    (lambda v: other(plain(v), contested={"XXX"}), "contested: there is no province 'XXX'"),
    (lambda v: other(v, decisions=3), "decisions should be a mapping, not 3"),
    (lambda v: other(v, decisions={("move", 99): 1}), "there is no decision ('move', 99)"),
    (lambda v: other(v, decisions={"move": 1}), "there is no decision 'move'"),
    (lambda v: other(v, decisions={("move", 0): None}), "should be a whole number, not None"),
    (lambda v: reasoned(v, reasons=()), "reasons should have an entry for each of the 6 units"),
    (lambda v: reasoned(v, reasons=("because",) * 6), "should be an EngineReason, not 'because'"),
    (
        lambda v: reasoned(v, reasons=(EngineReason("x", (9,)),) * 6),
        "reasons[0], about A BEL, should be an EngineReason",
    ),
    (lambda v: reasoned(v, marks=("bounce",)), "marks should have an entry for each"),
    (lambda v: reasoned(v, retreats=(1,) * 6), "retreats[0], about A BEL, should be a tuple"),
]


@pytest.mark.parametrize(("answer", "problem"), WRONG)
def test_an_answer_that_is_none_names_the_engine(answer: Any, problem: str) -> None:
    with pytest.raises(EngineError) as caught:
        dipsat.adjudicate(POSITION, ORDERS, engine=Answering(answer))
    assert problem in str(caught.value)
    assert str(caught.value).startswith("the engine 'my engine' cannot decide this: ")
    assert caught.value.engine == "my engine"
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("make", [plain, reasoned, lambda right: right])
def test_right_answers_are_taken(make: Any) -> None:
    found = dipsat.adjudicate(POSITION, ORDERS, engine=Answering(make))
    assert found.units == dipsat.adjudicate(POSITION, ORDERS).units


def test_numbers_are_truth_values_too() -> None:
    def numbers(right: Verdicts) -> Verdicts:
        return replace(plain(right), moves=tuple(map(int, right.moves)))  # type: ignore[arg-type]

    found = dipsat.adjudicate(POSITION, ORDERS, engine=Answering(numbers))
    assert found.units == dipsat.adjudicate(POSITION, ORDERS).units


@pytest.mark.parametrize("kind", [plain, lambda right: right])
def test_two_units_in_one_province_are_the_fault_of_the_engine(kind: Any) -> None:
    def both(right: EquationVerdicts) -> Verdicts:
        made: Verdicts = replace(kind(right), moves=(True,) * 3)
        if isinstance(made, EquationVerdicts):
            won = {("move", at): 1 for at in range(3)}
            made = replace(made, decisions={**made.decisions, **won})
        return made

    outcome = dipsat.adjudicate(POSITION, ORDERS, engine=Answering(both))
    with pytest.raises(EngineError, match=r"'my engine'.* both end in BUR") as caught:
        _ = outcome.next
    assert not isinstance(caught.value, SharedProvinceError)


@pytest.mark.parametrize("wrong", [None, lambda v: v, lambda v: (v, None), lambda v: (v, v, v)])
def test_a_trace_comes_with_the_verdicts(wrong: Any) -> None:
    with pytest.raises(EngineError, match=r"`traced` should return a pair of verdicts and a trace"):
        dipsat.adjudicate(POSITION, ORDERS, engine=Answering(wrong), trace=True)
    right = Answering(lambda verdicts: (verdicts, Trace("my engine", {}, ())))
    assert dipsat.adjudicate(POSITION, ORDERS, engine=right, trace=True).units


def test_a_class_is_no_engine() -> None:
    with pytest.raises(ArgumentError, match="engine should be a text or an object with name"):
        dipsat.adjudicate(POSITION, ORDERS, engine=Answering)  # type: ignore[arg-type]


def test_an_error_of_the_engine_itself_stays_as_it_is() -> None:
    def broken(_: Verdicts) -> Verdicts:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        dipsat.adjudicate(POSITION, ORDERS, engine=Answering(broken))
