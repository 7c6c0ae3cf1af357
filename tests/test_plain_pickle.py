"""Pickles of a stranger: only values are made, of what is there, and nothing else happens."""

from __future__ import annotations

import io
import pickle
import sys
from collections import Counter, OrderedDict, deque
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

import dipsat
from dipsat.executors.plain_pickle import check_plain, plain_value
from dipsat.game.unit import Unit
from dipsat.limits import Limits


def text(value: str) -> bytes:
    return b"\x8c" + bytes([len(value)]) + value.encode()


def named(name: str) -> bytes:
    """The steps that put what has a name, such as `os system`, on the stack."""
    module, inner = name.split()
    return text(module) + text(inner) + b"\x93"


def long(value: int) -> bytes:
    return b"\x8a\x08" + value.to_bytes(8, "little")


CALL, NEW, STATE, END = b"R", b"\x81", b"b", b"."
ONE = named("dipsat.limits Limits") + b")" + NEW


@pytest.mark.parametrize(
    "name", ["dipsat.files.writing write_text", "dipsat.executors.run results_of", "os system",
             "builtins eval", "dipsat.documents Path", "dipsat.board.load load_map",
             "dipsat.proof.outcome Outcome", "dipsat.formats.json_text FilePlace"],
)  # fmt: skip
def test_a_name_that_is_no_value_is_refused(name: str) -> None:
    with pytest.raises(pickle.UnpicklingError, match="no plain value"):
        plain_value(b"\x80\x04" + named(name) + END)


def test_nothing_is_imported_that_is_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """To import `dipsat.__main__` would run the command."""
    monkeypatch.setattr(sys, "argv", ["dipsat", "--version"])
    before = set(sys.modules)
    with pytest.raises(pickle.UnpicklingError, match="no plain value"):
        plain_value(named("dipsat.__main__ main") + END)
    assert set(sys.modules) == before


@pytest.mark.parametrize(
    "steps",
    [
        named("dipsat.limits Limits") + b"N}" + text("seconds") + b"K\x01s\x86" + STATE,
        named("pathlib Path") + b"N}" + text("open") + b"K\x01s\x86" + STATE,
        named("dipsat.board.unit_kind unit_kind") + b"}" + text("x") + b"K\x01s" + STATE,
        named("dipsat.game.phase_name PhaseKind") + text("movement") + b"\x85" + CALL
        + b"}" + text("x") + b"K\x01s" + STATE,
        ONE + b")" + STATE + b")" + STATE,
        named("dipsat.errors.base _restored") + named("dipsat.errors GameError") + b")\x86" + CALL
        + b"}" + text("__class__") + b"K\x01s" + STATE,
    ],
    ids=["class", "class of Python", "function", "enumeration", "twice", "dunder"],
)  # fmt: skip
def test_only_a_value_that_has_just_been_made_gets_a_state(steps: bytes) -> None:
    """A class or a member of an enumeration would be another one from then on."""
    with pytest.raises(pickle.UnpicklingError):
        plain_value(steps + END)
    assert Limits().seconds is None
    assert not hasattr(Unit, "seconds")


@pytest.mark.parametrize(
    "steps",
    [
        ONE + b")" + STATE + b")" + CALL,
        ONE + b")" + NEW,
        named("dipsat.limits Limits") + b")" + CALL,  # its `__init__`
        named("dipsat.limits Limits") + b"K\x01\x85" + NEW,
        text("text") + b"(K\x01e",  # str has no `extend`, but a class may
        named("dipsat.frozen FrozenDict") + b")" + CALL + b"K\x01K\x01s",
        named("dipsat.stresstests.trial Tally") + b")" + NEW + b"(K\x01\x90",
    ],
    ids=["value", "new of a value", "init", "arguments", "text", "frozen", "add"],
)  # fmt: skip
def test_nothing_is_called_but_what_makes_values(steps: bytes) -> None:
    with pytest.raises(pickle.UnpicklingError):
        plain_value(steps + END)


HUGE = named("builtins range") + long(10**12) + b"\x85" + CALL


@pytest.mark.parametrize(
    "steps",
    [
        b"N" + b"r\xff\xff\xff\x7f",  # LONG_BINPUT: a table of this length
        named("builtins bytearray") + long(10**12) + b"\x85" + CALL,
        named("builtins set") + HUGE + b"\x85" + CALL,
        named("builtins frozenset") + HUGE + b"\x85" + CALL,
        named("collections deque") + HUGE + b"\x85" + CALL,
        named("collections Counter") + HUGE + b"\x85" + CALL,
        named("builtins complex") + HUGE + CALL,
        named("dipsat.errors.base _restored") + named("dipsat.errors GameError") + HUGE + b"\x86"
        + CALL,
        named("dipsat.game.ruling Ruling") + HUGE + NEW,
        named("dipsat.board.convoy_net ConvoyNet") + HUGE + b"}\x86" + CALL,
        b"B\xff\xff\xff\x7f",  # BINBYTES
    ],
)  # fmt: skip
def test_no_memory_is_taken_for_what_is_not_there(steps: bytes) -> None:
    """Each would take some gigabytes at once."""
    with pytest.raises(pickle.UnpicklingError):
        plain_value(steps + END)


def test_copies_of_one_long_text_are_counted() -> None:
    data = b"B" + (10**6).to_bytes(4, "little") + bytes(10**6) + b"\x94"
    copy = named("builtins bytearray") + b"h\x00\x85" + CALL + b"0"
    assert plain_value(data + copy * 3 + END) == bytes(10**6)
    with pytest.raises(pickle.UnpicklingError, match="too large"):
        plain_value(data + copy * 100 + END)


VALUES: list[Any] = [
    None, True, 0, 255, 70_000, -1, 2**80, 1.5, 1j, "text", "\ud800", "long" * 100, b"bytes",
    b"long" * 100, bytearray(b"bytes"), (), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), [1], [1, 2], {},
    {1: 2}, {1: 2, 3: 4}, set(), {1, 2}, frozenset({1, 2}), range(3), slice(1, 2), Counter("aab"),
    Counter(), OrderedDict(b=1, a=2), deque([1, 2], 5), deque([1]), Path("a/b"),
    PurePosixPath("/a"), dipsat.Limits(seconds=1), dipsat.load_map("standard"),
    dipsat.load_profile("datc"), dipsat.Paradox(), dipsat.random_board(1, 3),
    dipsat.Position.from_units({"ENGLAND": ["A LON"]}).to_dict(),
    dipsat.Position.from_units({"ENGLAND": ["A LON"]}),
]  # fmt: skip


@pytest.mark.parametrize("protocol", [4, 5])
def test_values_are_read_again(protocol: int) -> None:
    for value in VALUES:
        data = pickle.dumps(value, protocol)
        check_plain(data)
        read = plain_value(data)
        assert read == value
        assert type(read) is type(value)
    same = [value := ["shared"], value]
    read = plain_value(pickle.dumps(same, protocol))
    assert read[0] is read[1]


def test_an_error_is_read_again_with_what_it_says() -> None:
    with pytest.raises(dipsat.DipsatError) as raised:
        dipsat.load_profile("datcc")
    read = plain_value(pickle.dumps(raised.value))
    assert (type(read), str(read)) == (type(raised.value), str(raised.value))
    assert read.__dict__ == raised.value.__dict__


def test_any_damage_is_an_error_or_another_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is opened or imported on the way, whatever the steps are."""
    monkeypatch.setattr(io, "open", None)
    data = pickle.dumps([dipsat.Limits(seconds=1), Counter("aab"), {"a": (1, 2)}, {3}])
    for at in range(len(data)):
        for bit in range(8):
            changed = bytearray(data)
            changed[at] ^= 1 << bit
            try:
                plain_value(bytes(changed))
            except pickle.UnpicklingError:
                continue
