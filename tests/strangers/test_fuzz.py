"""Damaged inputs of every reader end in a result or in one `DipsatError`."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from dipsat.errors import DipsatError
from dipsat.rules import parse_profile
from tests.exhaustive import exhaustive
from tests.strangers.fuzzing.documents import Documents, parsed
from tests.strangers.fuzzing.equations import made_profile
from tests.strangers.fuzzing.run import fuzz
from tests.strangers.fuzzing.targets import TARGETS, Damage, Target
from tests.strangers.fuzzing.watch import cost_of
from tests.strangers.fuzzing.words import Kin

DEAR = {"commands", "expressions", "games", "jdip", "rules"}  # they take longest for each input
INPUTS = [
    *(pytest.param(name, range(1), id=f"{name}-few") for name in TARGETS),
    *(
        pytest.param(
            name, range(1, 30 if name in DEAR else 60), id=f"{name}-rest", marks=exhaustive
        )
        for name in TARGETS
    ),
]
KEPT = sorted((Path(__file__).parent / "fuzzed").glob("*.txt"))
"""Inputs that once were faults. `TARGET-slow-...` still take a second or more."""
FORKS = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")


@pytest.mark.parametrize(("name", "numbers"), INPUTS)
def test_damaged_inputs_end_in_a_result_or_an_error_of_dipsat(name: str, numbers: range) -> None:
    """Not all are refused at once: otherwise nothing behind the first check would be tested."""
    target, read = TARGETS[name], 0
    texts = list(islice(Damage(target).inputs(seed=2), numbers.start, numbers.stop))
    assert len(texts) == len(numbers)
    for text in texts:
        cost = cost_of(target.run, text)
        assert cost.fault == "", text[:2000]
        read += cost.is_read
    assert len(texts) == 1 or read > 2
    assert len(texts) == 1 or read < len(texts) or name == "names"


@pytest.mark.parametrize(
    "path",
    [pytest.param(p, id=p.stem, marks=exhaustive if "-slow-" in p.stem else ()) for p in KEPT],
)
def test_inputs_that_once_were_faults_are_none_now(path: Path) -> None:
    target = TARGETS[path.name.partition("-")[0]]
    text = path.read_bytes().decode(errors="surrogatepass")
    assert cost_of(target.run, text).fault == ""


def test_random_equations_are_typed_well() -> None:
    read = 0
    for seed in range(10):
        try:
            parse_profile(made_profile(random.Random(seed)), "made.yaml")
        except DipsatError:
            continue
        read += 1
    assert read >= 7


def test_a_document_stays_a_document() -> None:
    texts = ["a: [1, b]\nc: {d: e}\n", '{"a": {"b": [1, 2]}, "c": "d"}']
    documents = Documents(texts, Kin(texts))
    for text in texts:
        made = {documents.damaged(text, random.Random(seed)) for seed in range(50)}
        assert len(made) > 20
        assert all(one is not None and parsed(one) is not None for one in made)
    assert documents.damaged("England:\n A Lon - Wal", random.Random(0)) is not None
    assert documents.damaged("A PAR - BUR", random.Random(0)) is None


def test_words_are_replaced_by_their_kind() -> None:
    kin = Kin(["A PAR - BUR 1901", "F BRE S A MAR"])
    made = {kin.damaged("A PAR - BUR 1901", random.Random(seed)) for seed in range(50)}
    assert len(made) > 10
    assert all(one.endswith(" 1901") and one[0] in "AFSPBM" for one in made)


def test_the_same_seed_gives_the_same_inputs_and_another_one_others() -> None:
    target = TARGETS["daide"]
    made = [list(islice(Damage(target).inputs(seed), 50)) for seed in (0, 0, 1)]
    assert made[0] == made[1] != made[2]
    assert len(set(made[0])) > 25


@FORKS
def test_any_other_error_is_a_fault_that_is_saved_once(tmp_path: Path) -> None:
    def fails(text: str) -> None:
        raise KeyError("missing") if "x" in text else DipsatError("refused")

    def colours(text: str) -> None:
        error = DipsatError(text)
        error.__class__ = type("Colours", (DipsatError,), {"__str__": lambda _: "\x1b[31m"})
        raise error

    target = Target("failing", fails, lambda: ["x y", "y"])
    assert "KeyError" in cost_of(fails, "x").fault
    assert cost_of(fails, "y").fault == ""
    assert "cannot be shown" in cost_of(colours, "red").fault
    found = fuzz(target, 0.1, 0, tmp_path)
    assert found.faults.keys() == Counter(found.faults).keys() == {"KeyError: 'missing'"}
    assert 0 < found.faults.total() < found.inputs
    assert len(list(tmp_path.iterdir())) == 1


@FORKS
def test_an_input_that_ends_the_process_is_a_fault(tmp_path: Path) -> None:
    def dies(text: str) -> None:
        if "x" in text:
            import os

            os._exit(9)

    found = fuzz(Target("dying", dies, lambda: ["x y", "y"]), 100, 0, tmp_path)
    assert "the process died" in next(iter(found.faults))
    assert "x" in next(tmp_path.iterdir()).read_text(encoding="utf-8")
