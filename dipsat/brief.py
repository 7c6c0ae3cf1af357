"""One short line for what public objects show in an interpreter, however much they hold."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence, Set, Sized
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from operator import attrgetter
from pathlib import PurePath
from typing import Any, TypeVar, cast

_Class = TypeVar("_Class")

LONGEST = 160
"""Characters of a line; what would make it longer is left out, and `...` says so."""
_PART = 50  # characters of one value in it
_FEW = 4  # members of a list that are shown; a longer one is counted


def brief(*names: str) -> Callable[[type[_Class]], type[_Class]]:
    """Give a class a `repr` of one short line, such as `Position(map='standard', units=<22>, ...)`.

    It shows these attributes (`position.phase` is shown as `phase`); without names the public
    fields of a dataclass, those with their default value left out.
    """

    def decorate(kind: type[_Class]) -> type[_Class]:
        def line(self: _Class) -> str:
            return f"{type(self).__name__}({', '.join(_shown(_values(self, names)))})"

        kind.__repr__ = line  # type: ignore[method-assign, assignment]  # what a decorator is for
        return kind

    return decorate


def _values(thing: Any, names: Sequence[str]) -> list[tuple[str, Any]]:
    """The attributes to show, each with its value."""
    if names:
        return [(name.rpartition(".")[2], attrgetter(name)(thing)) for name in names]
    found = (
        (name, getattr(thing, name, None), usual)
        for name, usual in _fields(cast("Hashable", type(thing)))
    )
    return [(name, value) for name, value, usual in found if not _is_same(value, usual)]


@cache
def _fields(kind: Any) -> tuple[tuple[str, Any], ...]:
    """The public fields of a dataclass or a named tuple, each with its default."""
    if not is_dataclass(kind):
        usual = getattr(kind, "_field_defaults", {})
        return tuple((name, usual.get(name, MISSING)) for name in kind._fields)
    return tuple(
        (field.name, () if field.default_factory is not MISSING else field.default)
        for field in fields(kind)
        if field.repr and not field.name.startswith("_")
    )


def _is_same(value: Any, usual: Any) -> bool:
    """Whether a value is the default, or as empty as that."""
    if value is usual:
        return True
    return type(value) in (str, int, bool, dict, tuple) and not value and usual in ("", (), 0)


def _shown(values: list[tuple[str, Any]]) -> list[str]:
    """The values as texts, as many as fit in the line."""
    found: list[str] = []
    room = LONGEST
    for name, value in values:
        text = f"{name}={_text(value)}"
        room -= len(text) + 2
        if room < 0:
            return [*found, "..."]
        found.append(text)
    return found


def _text(value: Any) -> str:
    """A value in a few characters."""
    if value is None or isinstance(value, bool | int | float) or type(value) is str:
        return _cut(value)
    if isinstance(value, str | Enum | PurePath):
        return _cut(str(value))
    if _is_list(value):
        return _listed(value)
    if hasattr(value, "tolist"):  # an array, perhaps of NumPy
        shape = getattr(value, "shape", None)
        return f"<{'x'.join(map(str, (len(value),) if shape is None else shape))}>"
    if _has_text(type(value)):
        return _cut(str(value))
    own = repr(value) if is_dataclass(value) else ""
    if own and len(own) <= _PART and not own.startswith("<"):
        return own
    name = getattr(value, "name", None)
    of = f" {name[:_PART]}" if isinstance(name, str) else ""
    if not of and isinstance(value, Sized):
        of = f" of {len(value)}"
    return f"<{type(value).__name__}{of}>"


def _has_text(kind: Any) -> bool:
    """Whether `str` gives more than `repr`, but not a whole table."""
    return kind.__str__ is not object.__str__ and not hasattr(kind, "_repr_html_")


def _cut(value: object) -> str:
    """The `repr` of a plain value, cut if it is long."""
    if isinstance(value, int) and value.bit_length() > _PART:
        return "<int>"  # Python refuses to write a number of thousands of digits
    if not isinstance(value, str):
        return repr(value)
    text = repr(value[:_PART])
    text = text if len(text) <= _PART + 2 else text[: _PART + 1] + text[0]
    return text if len(value) <= _PART else f"{text}..."


def _is_list(value: object) -> bool:
    return isinstance(value, Mapping | Set | tuple | list)


def _listed(values: Mapping[Any, Any] | Set[Any] | Sequence[Any]) -> str:
    """A list with its members if these are few, short and no lists, else their number."""
    is_table = isinstance(values, Mapping | Set)
    if (is_table and values) or len(values) > _FEW or any(map(_is_list, values)):
        return f"<{len(values)}>"
    text = "{}" if is_table else f"[{', '.join(map(_text, values))}]"
    if isinstance(values, tuple):
        text = f"({text[1:-1]}{',' * (len(values) == 1)})"
    return text if len(text) <= _PART else f"<{len(values)}>"
