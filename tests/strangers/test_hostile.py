"""Hostile inputs of every class end in a result or in one error, in little memory.

`python -m tests hostile` prints what each takes. CPU time is measured there only: no test is timed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from itertools import islice

import pytest

from dipsat.errors import DipsatError
from tests.exhaustive import exhaustive, few_of

if sys.platform == "win32":
    pytest.skip("processes are measured by means of Unix", allow_module_level=True)

from tests.strangers import hostile
from tests.strangers.hostile import CLASSES, MAX_MEGABYTES, answer_of, answers, in_child

LONG = {"readers": 2}  # classes in shares, for processes side by side
SOONER = 6
"""So many times sooner than usual, an engine gives up what it would go on with for ever. The
error is the same, and it takes its memory at the beginning."""
SHARES = [
    (kind, first, LONG.get(kind, 1)) for kind in CLASSES for first in range(LONG.get(kind, 1))
]


def test_there_are_inputs_of_every_class_and_each_has_its_own_name() -> None:
    names = [f"{kind}: {name}" for kind, inputs in CLASSES.items() for name, _ in inputs()]
    assert len(names) == len(set(names)) > 350
    assert len(CLASSES) == 10


@pytest.mark.parametrize("kind", few_of(["names", "rules that never end", "chains for engines"], 2))
def test_the_first_inputs_of_a_class_answer(kind: str) -> None:
    for number, (name, act) in enumerate(CLASSES[kind]()):
        found = in_child(name, act)
        assert not found.answer.startswith("FAULT")
        if number == 1:
            break


@exhaustive
@pytest.mark.parametrize(("kind", "first", "step"), SHARES)
def test_every_input_answers_in_little_memory(kind: str, first: int, step: int) -> None:
    found = answers(kind, first, step, SOONER)
    assert len(found) == sum(1 for _ in islice(CLASSES[kind](), first, None, step))
    assert [one for one in found if one.answer.startswith("FAULT")] == []
    assert max(one.megabytes for one in found) <= MAX_MEGABYTES


def refuse() -> object:
    raise DipsatError("no")


def fail() -> object:
    raise KeyError("missing")


@pytest.mark.parametrize(
    ("act", "answer"), [(lambda: 1, "result"), (refuse, "DipsatError"), (fail, "FAULT: KeyError")]
)
def test_what_an_input_ends_in_is_named(act: Callable[[], object], answer: str) -> None:
    assert answer_of("x", act).answer.startswith(answer)
    assert in_child("x", act).answer.startswith(answer)
    assert bool(answer_of("x", act).fault) == answer.startswith("FAULT")


def test_a_process_that_dies_is_a_fault() -> None:
    found = in_child("x", lambda: os._exit(3))
    assert found.fault.startswith("FAULT: ended with status")


def test_much_memory_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hostile, "MAX_MEGABYTES", 60)
    found = in_child("x", lambda: bytearray(60 << 20).count(1))
    assert found.fault == f"{found.megabytes} MB"
