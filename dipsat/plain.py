"""Results as plain values: the dictionaries, lists, texts and numbers that JSON and YAML have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any


class Plain:
    """A dataclass whose plain values are its fields."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: every field by its name, without `is_`."""
        return fields_of(self)


def fields_of(thing: Any, *left_out: str, **renamed: str) -> dict[str, Any]:
    """The public fields of a dataclass as plain values, in their order. Names lose a leading `is_`;
    fields in `left_out` are omitted, those in `renamed` get another name (field="key")."""
    names, keys, values_of = _fields(thing.__class__)
    if left_out or renamed:
        pairs = zip(names, keys, strict=True)
        return {
            renamed.get(name, key): plain(getattr(thing, name))
            for name, key in pairs
            if name not in left_out
        }
    values = values_of(thing)
    return {
        key: value if value.__class__ in _FLAT else plain(value)
        for key, value in zip(keys, values, strict=True)
    }


_FLAT = frozenset({str, int, bool, float, type(None)})
"""Types of values that are plain already."""
_LISTS = (tuple, list)


@cache
def _fields(kind: type[Any]) -> tuple[tuple[str, ...], tuple[str, ...], Callable[[Any], Any]]:
    """The public fields of a dataclass, their keys, and what gets all their values at once."""
    names = tuple(field.name for field in fields(kind) if not field.name.startswith("_"))
    keys = tuple(name.removeprefix("is_") for name in names)
    if len(names) == 1:
        return names, keys, lambda thing: (getattr(thing, names[0]),)
    return names, keys, attrgetter(*names)


def plain(value: Any) -> Any:
    """A value as a plain one: tuples as lists, results as their `to_dict` gives them."""
    if value.__class__ in _FLAT or isinstance(value, str):
        return value
    if isinstance(value, _LISTS):
        return [item if item.__class__ in _FLAT else plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return value.to_dict() if hasattr(value, "to_dict") else value
