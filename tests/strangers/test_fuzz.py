"""Damaged inputs of every reader end in a result or in one `DipsatError`."""

from __future__ import annotations

import operator
import os
import random
import time
from collections.abc import Callable
from functools import partial
from itertools import count, islice
from pathlib import Path

import pytest

from dipsat.errors import DipsatError
from dipsat.rules import parse_profile
from tests.exhaustive import exhaustive, few_of
from tests.memory import megabytes_of
from tests.strangers.fuzzing import watch
from tests.strangers.fuzzing.documents import Documents, parsed
from tests.strangers.fuzzing.equations import made_profile
from tests.strangers.fuzzing.run import fuzz
from tests.strangers.fuzzing.targets import TARGETS, Damage, Target
from tests.strangers.fuzzing.watch import cost_of, in_child
from tests.strangers.fuzzing.words import Kin
from tests.strangers.odd_input import ODD_TEXTS

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
HONEST, FAULTS = (
    sorted((Path(__file__).parent / folder).iterdir()) for folder in ("honest", "fuzzed")
)
"""Inputs that have everything a reader knows, and inputs that once were faults. The name begins
with that of the target. `TARGET-slow-...` still take a second or more."""
FORKS = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")


@pytest.mark.parametrize(("name", "numbers"), INPUTS)
def test_damaged_inputs_end_in_a_result_or_an_error_of_dipsat(name: str, numbers: range) -> None:
    """Not all are refused at once: otherwise nothing behind the first check would be tested."""
    target, read = TARGETS[name], 0
    texts = list(islice(Damage(target).inputs(seed=2), numbers.start, numbers.stop))
    assert len(texts) == len(numbers)
    for text in texts:
        cost = cost_of(partial(target.run, text))
        assert cost.fault == "", text[:2000]
        read += cost.answer == "result"
    assert len(texts) == 1 or read > 0
    assert len(texts) == 1 or read < len(texts) or name == "names"


@pytest.mark.parametrize("name", few_of(TARGETS, 6))
def test_odd_texts_end_in_a_result_or_an_error_of_dipsat(name: str) -> None:
    for text in ODD_TEXTS:
        assert cost_of(partial(TARGETS[name].run, text)).fault == "", text[:2000]


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=exhaustive if "-slow-" in path.stem else ())
        for path in (*HONEST, *FAULTS)
    ],
)
def test_kept_inputs_are_not_faults_and_honest_ones_are_read(path: Path) -> None:
    text = path.read_bytes().decode(errors="surrogatepass").strip("\n")
    cost = cost_of(partial(TARGETS[path.stem.partition("-")[0]].run, text))
    assert cost.fault == ""
    # Uses ask for equations of a retreat, a map with ice, owners of all centres, or much time.
    later = {"NoEquationsError", "FeatureError", "PositionError", "LimitError"}
    assert path in FAULTS or cost.answer in {"result", *later}


@exhaustive
def test_random_equations_are_well_typed() -> None:
    read = 0
    for seed in range(5):
        try:
            parse_profile(made_profile(random.Random(seed)), "made.yaml")
        except DipsatError:
            continue
        read += 1
    assert read >= 4


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


def test_the_same_seed_gives_the_same_inputs_and_another_seed_other_inputs() -> None:
    target = TARGETS["daide"]
    made = [list(islice(Damage(target).inputs(seed), 50)) for seed in (0, 0, 1)]
    assert made[0] == made[1] != made[2]
    assert len(set(made[0])) > 25


# What is a fault.


def refuse(message: str) -> None:
    error = DipsatError("no")
    error.__class__ = type("Shown", (DipsatError,), {"__str__": lambda _: message})
    raise error


@exhaustive
@FORKS
@pytest.mark.parametrize(
    ("act", "answer", "fault"),
    [
        (lambda: 1, "result", ""),
        (partial(refuse, "no"), "Shown", ""),
        (partial(refuse, "\x1b[31m"), "Shown", "cannot be shown"),
        (partial(refuse, ""), "Shown", "cannot be shown"),
        (partial(refuse, "no\n" * 100), "Shown", "cannot be shown"),
        (partial(operator.getitem, {}, "missing"), "result", "KeyError"),
        (lambda: time.sleep(60), "result", "more than 0.2 seconds"),
        (lambda: all(True for _ in count()), "result", "more than 0.2 seconds"),
        (lambda: bytearray(60 << 20).count(1), "result", "more than 50 megabytes"),
    ],
)
def test_what_an_input_ends_in_is_named(
    act: Callable[[], object], answer: str, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "MEGABYTES", 50)
    monkeypatch.setattr(watch, "WAITING", 1)  # not at the same time as the other signal
    found = in_child(partial(cost_of, act, 0.2))
    assert found.answer == answer
    assert fault in found.fault
    assert bool(fault) == bool(found.fault)


@exhaustive
@FORKS
def test_a_process_that_dies_or_hangs_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    assert in_child(lambda: os._exit(3)).startswith("the process died")
    monkeypatch.setattr(watch, "_DEAD", 0.2)
    assert in_child(lambda: time.sleep(60)).startswith("the process died")


@exhaustive
@FORKS
def test_any_other_error_is_a_fault_that_is_saved_once(tmp_path: Path) -> None:
    def fails(text: str) -> None:
        raise KeyError("missing") if "x" in text else DipsatError("refused")

    found = fuzz(Target("failing", fails, lambda: ["x y", "y"]), 0.1, 0, tmp_path)
    assert found.faults.keys() == {"KeyError: 'missing'"}
    assert 0 < found.faults.total() < found.inputs
    assert len(list(tmp_path.iterdir())) == 1


@FORKS
def test_an_input_that_ends_the_process_is_a_fault(tmp_path: Path) -> None:
    def dies(text: str) -> None:
        if "x" in text:
            os._exit(9)

    found = fuzz(Target("dying", dies, lambda: ["x y", "y"]), 100, 0, tmp_path)
    assert "the process died" in next(iter(found.faults))
    assert "x" in next(tmp_path.iterdir()).read_text(encoding="utf-8")


@exhaustive
@pytest.mark.skipif(not Path("/proc").exists(), reason="other systems count the parent too")
def test_memory_of_a_program_is_not_that_of_its_parent() -> None:
    much = 24  # megabytes; a Python that does nothing has less than half of that
    held = bytearray(b"x") * (much << 20)
    assert megabytes_of("pass") < much <= len(held)
    assert megabytes_of(f"held = b'x' * {much << 20}") >= much
