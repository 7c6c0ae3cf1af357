"""Results that are kept on the object that they are about, so that they end with it.

A cache of the module would keep every map and every profile alive that it has seen.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import fields
from functools import lru_cache, partial, wraps
from inspect import signature
from typing import Any, Generic, TypeVar, cast

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Value = TypeVar("_Value")


def kept_on_first(most: int = 1) -> Callable[[_Function], _Function]:
    """Return a decorator of functions: their first argument itself keeps up to `most` results, the
    last used, by the other arguments.

    The first argument must have a `__dict__`, and leave it behind when it is pickled or copied
    (`own_fields`).
    """

    def decorate(function: _Function) -> _Function:
        name = f"kept: {function.__module__}.{function.__qualname__}"
        if len(signature(function).parameters) == 1:
            return cast("_Function", _kept_alone(function, name))

        @wraps(function)
        def call(owner: Any, *more: Any, **named: Any) -> Any:
            try:
                kept = owner.__dict__[name]
            except KeyError:
                kept = owner.__dict__[name] = lru_cache(most)(partial(function, owner))
            return kept(*more, **named)

        return cast("_Function", call)

    return decorate


def _kept_alone(function: Callable[[Any], Any], name: str) -> Callable[[Any], Any]:
    """A function whose only argument keeps its result."""

    @wraps(function)
    def call(owner: Any) -> Any:
        try:
            return owner.__dict__[name]
        except KeyError:
            found = owner.__dict__[name] = function(owner)
            return found

    return call


class KeptByKey(Generic[_Value]):
    """The results of a function by the arguments that matter for them, the last used ones; other
    arguments, such as the limits of a call, do not."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: dict[Hashable, _Value] = {}

    def get(self, key: Hashable, make: Callable[[], _Value]) -> _Value:
        """The result for this key, made if it is not kept."""
        value = self._found.pop(key, None)
        if value is None:
            value = make()
            for oldest in list(self._found)[: len(self._found) + 1 - self._most]:
                self._found.pop(oldest, None)
        self._found[key] = value  # as the last used
        return value


def own_fields(owner: Any) -> dict[str, Any]:
    """The fields of a dataclass by name, without what has been computed from them."""
    return {field.name: getattr(owner, field.name) for field in fields(owner)}
