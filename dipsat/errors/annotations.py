"""What values fit an annotation, what does not fit in them, and annotations in words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from functools import cache
from inspect import isabstract
from itertools import islice
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from dipsat.errors.base import shortened, with_article

_DEEPEST = 5  # levels within a value that are looked at
_MANY = 5  # classes of one module in an annotation, which go by the name of the module
_LISTS = (Iterable, Collection, Sequence, list, tuple, Set, frozenset, set)
_WORDS: dict[object, str] = {
    str: "a text", int: "a whole number", float: "a number", bool: "True or False",
    NoneType: "None", Mapping: "a mapping", dict: "a mapping", Callable: "a function",
    **dict.fromkeys(_LISTS, "a list"),
}  # fmt: skip

_EXAMINED = 10_000
"""Parts of a value that are examined; more are refused by the limits of what dipsat reads."""

Fault = tuple[str, object, object]
"""The place of a value, the value, and the annotation that it does not fit."""


def fault_in(
    value: object,
    hint: object,
    place: str = "",
    levels: int = _DEEPEST,
    within_own: bool = True,
) -> Fault | None:
    """Return what does not fit an annotation: the value, or a part of it; None if all does. The
    fields of dipsat's own objects are looked at only if it says `within_own`."""
    if not levels or hint is Any:
        return None
    if is_union(hint):
        options = get_args(hint)
        if isinstance(value, Mapping):  # which a list of its keys would be, too
            options = tuple(one for one in options if Mapping in classes_of(one)) or options
        faults = [fault_in(value, one, place, levels, within_own) for one in options]
        if None in faults:
            return None
        within = [fault for fault in faults if fault is not None and fault[0] != place]
        return within[0] if within else (place, value, hint)
    if not isinstance(value, classes_of(hint)) or not _has_members(value, hint):
        return place, value, hint
    if isinstance(value, bool) and hint in (int, float):
        return place, value, hint
    if isinstance(value, str) and is_list_of(hint):
        return place, value, hint
    if _is_pair(hint) and isinstance(value, Collection) and len(value) != len(get_args(hint)):
        return place, value, hint
    if get_origin(hint) is Literal and value not in get_args(hint):
        return place, value, hint
    parts = islice(_parts(value, hint, place, within_own), _EXAMINED)
    found = next(filter(None, (fault_in(*part, levels - 1, within_own) for part in parts)), None)
    is_list = len(get_args(hint)) == 1 and not isinstance(value, str | Mapping)
    return found if found is None or is_list or len(get_args(hint)) != 1 else (place, value, hint)


def _parts(
    value: object, hint: object, place: str, within_own: bool
) -> Iterable[tuple[object, object, str]]:
    """Yield the parts of a value, each with its annotation and its place."""
    of = get_args(hint)
    if isinstance(value, Mapping) and len(of) == 2:
        for key, one in value.items():
            yield key, of[0], f"a key of {place}"
            yield one, of[1], f"{place}[{shortened(repr(key))}]"
    elif isinstance(value, Collection) and of:
        is_pair = isinstance(value, tuple) and len(of) == len(value) and Ellipsis not in of
        for at, one in enumerate(value):
            yield one, of[at] if is_pair else of[0], f"{place}[{at}]"
    elif within_own and is_dataclass(value) and type(value).__module__.startswith("dipsat."):
        hints = _hints_of(value.__class__)
        for field in fields(value):
            if not field.name.startswith("_"):
                yield getattr(value, field.name), hints[field.name], f"{place}.{field.name}"


@cache
def _hints_of(kind: type) -> Mapping[str, Any]:
    """The annotations of the fields of a class of dipsat."""
    return get_type_hints(kind)


def _is_pair(hint: object) -> bool:
    """Whether an annotation asks for a tuple with two members, each of its own kind."""
    return get_origin(hint) is tuple and len(get_args(hint)) == 2 and Ellipsis not in get_args(hint)


def is_union(hint: object) -> bool:
    """Whether an annotation has alternatives."""
    return get_origin(hint) in (Union, UnionType)


def is_protocol(hint: object) -> bool:
    """Whether an annotation asks for members only, of whatever class."""
    return bool(getattr(hint, "_is_protocol", False))


def _has_members(value: object, hint: object) -> bool:
    """Whether a value has the members of a protocol; True for other annotations."""
    if not is_protocol(hint):
        return True
    return not isinstance(value, type) and all(hasattr(value, name) for name in _members(hint))


def is_list_of(hint: object) -> bool:
    """Whether an annotation asks for a list of some kind, for which a text is no substitute."""
    return (get_origin(hint) or hint) in _LISTS


def maps_to_lists(hint: object) -> bool:
    """Whether an annotation asks for a mapping to lists."""
    of = get_args(hint)
    return (get_origin(hint) is Mapping) and len(of) == 2 and not _takes_text(of[1])


def _takes_text(hint: object) -> bool:
    """Whether a text fits an annotation."""
    return fault_in("", hint, levels=1) is None


def _members(protocol: object) -> list[str]:
    return [name for name in vars(protocol) if not name.startswith("_")]


def classes_of(hint: object) -> tuple[type, ...]:
    """The classes of values that may fit an annotation, the usual ones first."""
    if is_union(hint):
        found = dict.fromkeys(one for part in get_args(hint) for one in classes_of(part))
        return (object,) if object in found else tuple(found)
    kind = get_origin(hint) or hint
    if kind is Literal:
        return tuple({type(one) for one in get_args(hint)})
    if kind is Any or not isinstance(kind, type) or is_protocol(kind):
        return (object,)
    if kind is float:
        return float, int
    if kind is Mapping:
        return dict, Mapping
    return (list, kind) if kind in _LISTS and issubclass(list, kind) else (kind,)


def in_words(hint: object) -> str:
    """Return an annotation in words, such as `a text, a Path or a Profile`. Of the many classes of
    orders, it says `an order`; an abstract class goes by the names of its classes."""
    stated = get_args(hint) if is_union(hint) else (hint,)
    parts = tuple(
        one for part in stated for one in (part.__subclasses__() if isabstract(part) else [part])
    )
    if float in parts:  # whole numbers are numbers, too
        parts = tuple(part for part in parts if part is not int)
    modules = [getattr(part, "__module__", "") for part in parts]
    return _either(
        with_article(module.rpartition(".")[2])  # `an order`, not every kind of order
        if modules.count(module) >= _MANY and module.startswith("dipsat.")
        else _word(part)
        for part, module in zip(parts, modules, strict=True)
    )


def _either(words: Iterable[str]) -> str:
    """Return alternatives as a list with `or`, each of them once."""
    *others, last = dict.fromkeys(words)
    return " or ".join(filter(None, (", ".join(others), last)))


def _word(hint: object) -> str:
    kind = get_origin(hint) or hint
    if kind is Literal:
        return _either(map(repr, get_args(hint)))
    if _is_pair(hint):
        return "a pair"
    if is_protocol(kind):
        return f"an object with {' and '.join(_members(kind))}"
    return _WORDS.get(kind) or with_article(getattr(kind, "__name__", str(kind)))
