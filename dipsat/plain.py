"""Results as plain values: the dictionaries, lists, texts and numbers that JSON and YAML have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
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
    return {
        renamed.get(name, key): plain(getattr(thing, name))
        for name, key in _names(thing.__class__)
        if name not in left_out
    }


@cache
def _names(kind: type[Any]) -> tuple[tuple[str, str], ...]:
    """The public fields of a dataclass, each with its key."""
    names = (field.name for field in fields(kind))
    return tuple((name, name.removeprefix("is_")) for name in names if not name.startswith("_"))


def plain(value: Any) -> Any:
    """A value as a plain one: tuples as lists, results as their `to_dict` gives them."""
    if isinstance(value, str):
        return value
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return value.to_dict() if hasattr(value, "to_dict") else value
