"""The marker `exhaustive`: slow tests, such as all but a few of many values, run only on request.

`pytest -m exhaustive` tests the rest, `pytest -m ""` everything.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from inspect import Signature, signature
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis.strategies import SearchStrategy

_Decorator: TypeAlias = Callable[[Callable[..., None]], Callable[..., None]]
exhaustive = pytest.mark.exhaustive


def spread(count: int, few: int) -> Sequence[int]:
    """The places of `few` of `count` values, spread evenly."""
    return sorted({number * count // few for number in range(few)})


def few_of(values: Iterable[Any], few: int) -> list[Any]:
    """Parameters of a test: `few` of the values, spread evenly, and the others marked. A tuple is
    the values of several parameters."""
    listed = list(values)
    kept = spread(len(listed), few)
    return [_parameter(value, at in kept) for at, value in enumerate(listed)]


def first_of_each(values: Iterable[Any], kind: Callable[..., Hashable]) -> list[Any]:
    """Parameters of a test: the first of the values of each kind, and the others marked. A tuple is
    the values of several parameters, also for `kind`."""
    listed = [value if isinstance(value, tuple) else (value,) for value in values]
    first = {kind(*listed[at]): at for at in reversed(range(len(listed)))}
    return [_parameter(value, first[kind(*value)] == at) for at, value in enumerate(listed)]


def parts_of(values: Sequence[Any], few: int, shares: int = 1) -> list[Any]:
    """Parameters of a test that goes through values itself: the first few, and the others, which
    are marked. If these take long, they are split into `shares` for parallel processes."""
    others = [values[few + at :: shares] for at in range(shares)]
    ids = ["rest"] if shares == 1 else [f"share {at} of {shares}" for at in range(1, shares + 1)]
    return [
        pytest.param(values[:few], id="few"),
        *(pytest.param(one, id=id, marks=exhaustive) for one, id in zip(others, ids, strict=True)),
    ]


def spread_parts_of(values: Sequence[Any], few: int) -> list[Any]:
    """Like `parts_of`, with a few values that are spread evenly."""
    kept = spread(len(values), few)
    others = [value for at, value in enumerate(values) if at not in kept]
    return parts_of([*(values[at] for at in kept), *others], few)


def few_examples(few: int, usual: settings, **strategies: SearchStrategy[Any]) -> _Decorator:
    """A decorator: a property is tested with a few examples in every run, and with the usual number
    on request. The strategies replace `@given`; other parameters are those of the test."""

    def decorate(check: Callable[..., None]) -> Callable[..., None]:
        def test(examples: int, **others: Any) -> None:
            settings(usual, max_examples=examples)(given(**strategies)(check))(**others)

        own = signature(test).parameters["examples"]
        others = [p for name, p in signature(check).parameters.items() if name not in strategies]
        test.__signature__ = Signature([own, *others])  # type: ignore[attr-defined]  # for pytest
        test.__name__, test.__doc__ = check.__name__, check.__doc__
        numbers = [
            pytest.param(few, id="few"),
            pytest.param(usual.max_examples, id="all", marks=exhaustive),
        ]
        marked: Callable[..., None] = pytest.mark.parametrize("examples", numbers)(test)
        return marked

    return decorate


def _parameter(value: Any, kept: bool) -> Any:
    values = value if isinstance(value, tuple) else (value,)
    return pytest.param(*values, marks=() if kept else exhaustive)
