"""The memory of a program is measured without that of the process that started it."""

from __future__ import annotations

import sys

import pytest

from tests.memory import megabytes_of

_MUCH = 24  # megabytes; a Python that does nothing has less than half of that


@pytest.mark.skipif(sys.platform != "linux", reason="other systems count the parent too")
def test_memory_of_a_program_is_not_that_of_its_parent() -> None:
    held = bytearray(b"x") * (_MUCH << 20)
    assert megabytes_of("pass") < _MUCH <= len(held)
    assert megabytes_of(f"held = b'x' * {_MUCH << 20}") >= _MUCH
