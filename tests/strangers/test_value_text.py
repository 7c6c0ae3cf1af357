"""The text of values in a stranger's journal: only values that the text holds are made."""

from __future__ import annotations

import io
import json
import sys
from collections import Counter, deque
from contextlib import suppress
from itertools import product
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

import dipsat
from dipsat import studies
from dipsat.errors import WorkerError
from dipsat.studies.journal import text_of, value_of


def entries(*listed: list[Any]) -> str:
    """The text with these entries, the last of which is the value."""
    return json.dumps([*listed, ["builtins tuple", [len(listed) - 1]]])


@pytest.mark.parametrize(
    "name",
    ["dipsat.base.file_writing write_text", "dipsat.studies.parallel_run results_of", "os system",
     "builtins eval", "dipsat.base.documents Path", "dipsat.board.map_files load_map", "a function",
     "functools partial"],
)  # fmt: skip
def test_a_name_that_is_not_of_a_value_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="not a plain value"):
        value_of(entries([name, "x"]))


def test_nothing_is_imported_that_is_not_a_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """Importing `dipsat.__main__` would run the command."""
    monkeypatch.setattr(sys, "argv", ["dipsat", "--version"])
    before = set(sys.modules)
    with pytest.raises(ValueError, match="not a plain value"):
        value_of(entries(["dipsat.__main__ main"]))
    assert set(sys.modules) == before


HUGE = ["builtins range", 0, 10**12]


TOO_MUCH = {
    "counter": [HUGE, ["collections Counter", [0]]],
    "frozen": [HUGE, ["dipsat.base.values FrozenDict", [0]]],
    "error": [HUGE, ["builtins dict"], ["dipsat.errors GameError", [0], [1]]],
    "fields": [HUGE, ["dipsat.game.facts Ruling", [0]]],
    "doubled": [["builtins tuple", 1], *(["builtins tuple", [at], [at]] for at in range(60))],
    "bytes": [["builtins bytes", 10**12]],
    "no fields": [["dipsat.base.limits Limits"]],
    "member": [["dipsat.game.phase_name PhaseKind", "mro"]],
    "state": [["builtins list", 1], ["dipsat.rules.settings Conditions", [0]]],
    "text": [["dipsat.formats.json_text FilePlace", "x"]],
}


@pytest.mark.parametrize("listed", TOO_MUCH.values(), ids=TOO_MUCH)
def test_no_memory_and_no_time_is_taken_for_what_is_not_in_the_text(listed: list[Any]) -> None:
    """Each would take some gigabytes at once, or never end, or make what is not a value."""
    with pytest.raises((ValueError, TypeError, KeyError)):
        value_of(entries(*listed))


VALUES: list[Any] = [
    None, True, 0, 255, 70_000, -1, 2**80, 1.5, "text", "\ud800", "long" * 100, b"bytes", (), (1,),
    (1, 2), [1], [1, 2], {}, {1: 2}, {1: 2, (3, 4): [5]}, set(), {1, 2}, frozenset({1, 2}),
    range(3), Counter("aab"), Counter(), Path("a/b"), PurePosixPath("/a"),
    dipsat.Limits(seconds=1), dipsat.load_map("standard"), dipsat.load_profile("datc"),
    dipsat.load_profile("colonial"), dipsat.Paradox(), studies.random_board(1, 3),
    dipsat.Position.from_units({"ENGLAND": ["A LON"]}).to_dict(),
    dipsat.Position.from_units({"ENGLAND": ["A LON"]}),
]  # fmt: skip


def test_values_are_read_again() -> None:
    for value in VALUES:
        read = value_of(text_of(value))
        assert read == value
        assert isinstance(value, PurePosixPath) or type(read) is type(value)
    same = [value := ["shared"], value]
    read = value_of(text_of(same))
    assert read[0] is read[1]


@pytest.mark.parametrize("value", [print, deque([1]), 1j, object(), int, [[print]]])
def test_what_could_not_be_read_again_is_refused_at_once(value: Any) -> None:
    with pytest.raises(WorkerError, match="not a plain value"):
        text_of(value)


def test_an_error_is_read_again_with_what_it_says() -> None:
    with pytest.raises(dipsat.DipsatError) as raised:
        dipsat.load_profile("datcc")
    read = value_of(text_of(raised.value))
    assert (type(read), str(read)) == (type(raised.value), str(raised.value))
    assert read.__dict__ == raised.value.__dict__


def test_any_damage_is_an_error_or_another_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is opened on the way, whatever the text is."""
    data = text_of([dipsat.Limits(seconds=1), Counter("aab"), {"a": (1, 2)}, {3}]).encode()
    monkeypatch.setattr(io, "open", None)
    for at, bit in product(range(len(data)), range(8)):
        changed = bytearray(data)
        changed[at] ^= 1 << bit
        with suppress(Exception):  # any but one that ends the program
            value_of(changed.decode())
