"""Helpers for values: frozen mappings, groups, results cached on objects, `repr`, plain values."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set, Sized
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache, lru_cache, partial, wraps
from inspect import signature
from operator import attrgetter
from pathlib import PurePath
from typing import Any, NoReturn, TypeVar, cast

# --- frozen ---------------------------------------------------------------------------------------


_K = TypeVar("_K")
_V = TypeVar("_V")


class FrozenDict(dict[_K, _V]):
    """A dict that cannot be changed; unlike a `MappingProxyType`, it can be pickled and copied."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("this mapping cannot be changed; make a dict of it first")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)


def frozen(mapping: Mapping[_K, _V]) -> FrozenDict[_K, _V]:
    """A copy of the mapping that cannot be changed, or the mapping itself if it cannot be."""
    return mapping if isinstance(mapping, FrozenDict) else FrozenDict(mapping)


# --- grouped --------------------------------------------------------------------------------------


def grouped(pairs: Iterable[tuple[_K, _V]]) -> dict[_K, list[_V]]:
    """Group values by key. Keys and values keep their order."""
    found: dict[_K, list[_V]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def reached(starts: Iterable[_K], step: Callable[[_K], Iterable[_K]]) -> dict[_K, None]:
    """The starts and all that can be reached from them by steps, in the order of discovery."""
    found = dict.fromkeys(starts)
    waiting = list(found)
    while waiting:
        fresh = [one for one in step(waiting.pop()) if one not in found]
        found.update(dict.fromkeys(fresh))
        waiting += fresh
    return found


# --- kept -----------------------------------------------------------------------------------------

# Results cached on the object that they are about, so that they end with it.
#
# A cache in the module would keep alive every map and profile that it has seen.


_Function = TypeVar("_Function", bound=Callable[..., Any])
_Value = TypeVar("_Value")


def kept_on_first(most: int = 1) -> Callable[[_Function], _Function]:
    """Return a decorator that caches a function's results on its first argument, by the other
    arguments. It keeps the `most` results that were used last.

    The first argument must have a `__dict__`, and drop it when it is pickled or copied
    (`own_fields`).
    """

    def decorate(function: _Function) -> _Function:
        name = f"kept: {function.__module__}.{function.__qualname__}"

        @wraps(function)
        def alone(owner: Any) -> Any:
            try:
                return owner.__dict__[name]
            except KeyError:
                found = owner.__dict__[name] = function(owner)
                return found

        @wraps(function)
        def call(owner: Any, *more: Any, **named: Any) -> Any:
            try:
                kept = owner.__dict__[name]
            except KeyError:
                kept = owner.__dict__[name] = lru_cache(most)(partial(function, owner))
            return kept(*more, **named)

        is_alone = len(signature(function).parameters) == 1
        return cast("_Function", alone if is_alone else call)

    return decorate


def own_fields(owner: Any) -> dict[str, Any]:
    """The fields of a dataclass by name, without values computed from them."""
    return {field.name: getattr(owner, field.name) for field in fields(owner)}


# --- brief ----------------------------------------------------------------------------------------

# One short line for public objects in an interpreter, even for large ones.


_Class = TypeVar("_Class")

LONGEST = 160
"""The most characters of a line; the rest is replaced by `...`."""
_PART = 50  # characters of one value in it
_FEW = 4  # members shown of a list; a longer one shows its length


def brief(*names: str) -> Callable[[type[_Class]], type[_Class]]:
    """Give a class a `repr` of one short line, such as `Position(map='standard', units=<22>, ...)`.

    It shows these attributes (`position.phase` is shown as `phase`), or, without names, the public
    fields of a dataclass that differ from their defaults.
    """

    def decorate(kind: type[_Class]) -> type[_Class]:
        def line(self: _Class) -> str:
            return f"{type(self).__name__}({', '.join(_shown(_values(self, names)))})"

        kind.__repr__ = line  # type: ignore[method-assign, assignment]  # its purpose
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
    """Whether a value is the default, or both are empty."""
    if value is usual:
        return True
    return type(value) in (str, int, bool, dict, tuple) and not value and usual in ("", (), 0)


def _shown(values: list[tuple[str, Any]]) -> list[str]:
    """The values as texts, as many as fit in a line."""
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
    """A short text for a value."""
    if value is None or isinstance(value, bool | int | float) or type(value) is str:
        return _cut(value)
    if isinstance(value, str | Enum | PurePath):
        return _cut(str(value))
    if _is_list(value):
        return _listed(value)
    if hasattr(value, "tolist"):  # an array, perhaps of NumPy
        shape = getattr(value, "shape", None)
        return f"<{'x'.join(map(str, (len(value),) if shape is None else shape))}>"
    kind: Any = type(value)
    if kind.__str__ is not object.__str__ and not hasattr(kind, "_repr_html_"):
        return _cut(str(value))  # says more than `repr`, and is not a whole table
    own = repr(value) if is_dataclass(value) else ""
    if own and len(own) <= _PART and not own.startswith("<"):
        return own
    name = getattr(value, "name", None)
    of = f" {name[:_PART]}" if isinstance(name, str) else ""
    if not of and isinstance(value, Sized):
        of = f" of {len(value)}"
    return f"<{type(value).__name__}{of}>"


def _cut(value: object) -> str:
    """The `repr` of a plain value, cut if it is long."""
    if isinstance(value, int) and value.bit_length() > _PART:
        return "<int>"  # Python refuses to write numbers with thousands of digits
    if not isinstance(value, str):
        return repr(value)
    text = repr(value[:_PART])
    text = text if len(text) <= _PART + 2 else text[: _PART + 1] + text[0]
    return text if len(value) <= _PART else f"{text}..."


def _is_list(value: object) -> bool:
    return isinstance(value, Mapping | Set | tuple | list)


def _listed(values: Mapping[Any, Any] | Set[Any] | Sequence[Any]) -> str:
    """A list with its members if they are few, short and not lists, else their number."""
    is_table = isinstance(values, Mapping | Set)
    if (is_table and values) or len(values) > _FEW or any(map(_is_list, values)):
        return f"<{len(values)}>"
    text = "{}" if is_table else f"[{', '.join(map(_text, values))}]"
    if isinstance(values, tuple):
        text = f"({text[1:-1]}{',' * (len(values) == 1)})"
    return text if len(text) <= _PART else f"<{len(values)}>"


# --- plain ----------------------------------------------------------------------------------------

# Results as plain values: the dictionaries, lists, texts and numbers of JSON and YAML.


class Plain:
    """A dataclass whose plain values are its fields."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: every field by its name, without `is_`."""
        return fields_of(self)


def fields_of(thing: Any, *left_out: str, **renamed: str) -> dict[str, Any]:
    """The public fields of a dataclass as plain values, in their order. Names lose a leading `is_`;
    fields in `left_out` are omitted, those in `renamed` get another name (field="key")."""
    names, keys, values_of = _plain_fields(thing.__class__)
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
def _plain_fields(kind: type[Any]) -> tuple[tuple[str, ...], tuple[str, ...], Callable[[Any], Any]]:
    """The public fields of a dataclass, their keys, and a getter of all their values at once."""
    names = tuple(field.name for field in fields(kind) if not field.name.startswith("_"))
    keys = tuple(name.removeprefix("is_") for name in names)
    if len(names) == 1:
        return names, keys, lambda thing: (getattr(thing, names[0]),)
    return names, keys, attrgetter(*names)


def plain(value: Any) -> Any:
    """A value in plain form: tuples become lists, results become what their `to_dict` returns."""
    if value.__class__ in _FLAT or isinstance(value, str):
        return value
    if isinstance(value, _LISTS):
        return [item if item.__class__ in _FLAT else plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return value.to_dict() if hasattr(value, "to_dict") else value


def quoted(text: str, separator: str) -> str:
    """A text in a form whose end is clear when texts are joined.

    Most texts stay as they are. A text that contains the separator or begins with a quotation mark
    is written as in JSON. So a joined text can be read in only one way: a text that begins with a
    quotation mark ends where its JSON ends, any other at the first separator. (No separator begins
    inside a text and ends after it, because the first character of a separator occurs in it once.)
    """
    return json.dumps(text) if separator in text or text.startswith('"') else text


def names_of(objects: Iterable[Any]) -> tuple[str, ...]:
    """A unique name in parentheses for each object: `(A LON - BEL)`.

    Objects with the same text are numbered: `(x)[1]`, `(x)[2]`. So no two names are the same: a
    name without a number ends in a parenthesis, a name with a number in a bracket after the text,
    and objects with the same text have different numbers.
    """
    texts = [str(one) for one in objects]
    if len(set(texts)) == len(texts):
        return tuple([f"({text})" for text in texts])
    count = Counter(texts)
    seen: Counter[str] = Counter()
    found = []
    for text in texts:
        seen[text] += 1
        found.append(f"({text})[{seen[text]}]" if count[text] > 1 else f"({text})")
    return tuple(found)
