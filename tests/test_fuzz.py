"""Damaged inputs of every reader end in a result or in one `DipsatError`."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path

import pytest

from bench.fuzz import damaged, fault_of, fuzz, inputs_of
from bench.fuzz_targets import TARGETS, Target
from dipsat.errors import DipsatError
from tests.exhaustive import exhaustive

SIZES = [
    pytest.param(range(10), id="few"),
    pytest.param(range(10, 1500), id="rest", marks=exhaustive),
]


@pytest.mark.parametrize("numbers", SIZES)
@pytest.mark.parametrize("name", TARGETS)
def test_damaged_inputs_end_in_a_result_or_an_error_of_dipsat(name: str, numbers: range) -> None:
    target = TARGETS[name]
    texts = list(islice(inputs_of(target, seed=1), numbers.start, numbers.stop))
    assert len(texts) == len(numbers)
    for text in texts:
        assert fault_of(target, text) == "", text[:2000]


@pytest.mark.parametrize("name", TARGETS)
def test_good_inputs_are_read_and_damaged_ones_are_not_all_refused_at_once(name: str) -> None:
    """Otherwise nothing behind the first check would be tested."""
    target = TARGETS[name]
    is_read, is_refused = False, False
    for text in (*target.seeds()[:1], *islice(inputs_of(target, seed=2), 40)):
        try:
            target.run(text)
            is_read = True
        except DipsatError:
            is_refused = True
        if is_read and is_refused:
            return
    pytest.fail("all are refused" if is_refused else "all are read")


def test_the_same_seed_gives_the_same_inputs_and_another_one_others() -> None:
    texts = ["A PAR - BUR", "F NTH C A LON - BEL"]
    made = [[damaged(texts[0], texts, random.Random(seed)) for seed in range(50)] for _ in range(2)]
    assert made[0] == made[1]
    assert len(set(made[0])) > 40


def test_any_other_error_is_a_fault_that_is_saved_once(tmp_path: Path) -> None:
    def fails(text: str) -> None:
        raise KeyError("missing") if "x" in text else DipsatError("refused")

    target = Target("failing", fails, lambda: ["x y", "y"])
    assert "KeyError" in fault_of(target, "x")
    assert fault_of(target, "y") == ""
    count, faults = fuzz(target, 0.2, 0, tmp_path)
    assert 0 < faults < count
    assert len(list(tmp_path.iterdir())) == 1
