"""The marker `exhaustive`: a few of many values are tested in every run, the rest only when asked.

`pytest -m exhaustive` tests the rest, `pytest -m ""` everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest

exhaustive = pytest.mark.exhaustive


def few_of(values: Iterable[Any], few: int) -> list[Any]:
    """Parameters of a test: so many of the values, spread evenly, and the others marked. A tuple
    is the values of several parameters."""
    listed = list(values)
    kept = {number * len(listed) // few for number in range(few)}
    return [_parameter(value, at in kept) for at, value in enumerate(listed)]


def parts_of(values: Sequence[Any], few: int) -> list[Any]:
    """Two parameters of a test that goes through values itself: the first few, and the others,
    which are marked."""
    return [
        pytest.param(values[:few], id="few"),
        pytest.param(values[few:], id="rest", marks=exhaustive),
    ]


def _parameter(value: Any, kept: bool) -> Any:
    values = value if isinstance(value, tuple) else (value,)
    return pytest.param(*values, marks=() if kept else exhaustive)
