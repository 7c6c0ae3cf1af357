"""Hostile inputs of every class end in a result or in one error, in little memory.

`python -m tests hostile` prints what each takes. CPU time is measured there only: no test is timed.
"""

from __future__ import annotations

import sys
from itertools import islice

import pytest

from dipsat.studies import order_equations
from tests.exhaustive import exhaustive, few_of

if sys.platform == "win32":
    pytest.skip("processes are measured by means of Unix", allow_module_level=True)

from tests.strangers.fuzzing.watch import WAITING
from tests.strangers.hostile import CLASSES, costs

pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded")
SOONER = 6
"""How many times sooner than usual an engine gives up endless work. The error is the same, and the
engine takes its memory at the beginning."""


@pytest.fixture(autouse=True)
def _sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order_equations, "MAX_STEPS", order_equations.MAX_STEPS // SOONER)


def test_there_are_inputs_of_every_class_and_each_has_its_own_name() -> None:
    names = [f"{kind}: {name}" for kind, inputs in CLASSES.items() for name, _ in inputs()]
    assert len(names) == len(set(names)) > 150
    assert len(CLASSES) == 7


@pytest.mark.parametrize("kind", few_of(["rules that never end", "chains for engines"], 1))
def test_the_first_input_of_a_class_answers(kind: str) -> None:
    ((_, found),) = islice(costs(kind, seconds=WAITING), 1)
    assert found.fault == ""


@exhaustive
@pytest.mark.parametrize("kind", CLASSES)
def test_every_input_answers_in_little_memory(kind: str) -> None:
    found = dict(costs(kind, seconds=WAITING))
    assert len(found) == sum(1 for _ in CLASSES[kind]())
    assert {name: one.fault for name, one in found.items() if one.fault} == {}
