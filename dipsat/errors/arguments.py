"""One check of the types of arguments for all public functions, read from their annotations."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from functools import wraps
from inspect import signature
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from dipsat.errors.base import DipsatError, shortened

_Function = TypeVar("_Function", bound=Callable[..., Any])

_RAW = (TypeError, AttributeError, ValueError, LookupError)
_DEEPEST = 5  # levels within an argument that are looked at
_LISTS = (Iterable, Collection, Sequence, list, tuple, Set, frozenset, set)
_WORDS: dict[object, str] = {
    str: "a text", int: "a whole number", float: "a number", bool: "True or False",
    NoneType: "None", Mapping: "a mapping", dict: "a mapping", Callable: "a function",
    **dict.fromkeys(_LISTS, "a list"),
}  # fmt: skip


class ArgumentError(DipsatError):
    """An argument of the wrong type for a public function.

    Attributes: `function` (its name, such as `dipsat.adjudicate`), `argument` (its name, with the
    place within it: `orders['FRANCE']`), `given` (the value), `wanted` (what it should be).
    """

    def __init__(self, function: str, argument: str, given: object, wanted: str) -> None:
        shown = "None" if given is None else f"{shortened(repr(given))} ({type(given).__name__})"
        super().__init__(f"{function}: {argument} should be {wanted}, not {shown}")
        self.function = function
        self.argument = argument
        self.given = given
        self.wanted = wanted


def checked(function: _Function, name: str = "") -> _Function:
    """Return the function, with `ArgumentError` for arguments that do not fit its annotations.

    The type of each argument is checked before the call. The contents of an argument are checked
    only if the call raises one of Python's own errors, so that a correct call costs almost nothing.
    `name` is the name of the function in messages.
    """
    owner, _, own = function.__qualname__.rpartition(".")
    name = name or f"dipsat.{owner}" + ("" if own == "__init__" else f".{own.lstrip('_')}")
    classes: dict[str, tuple[type, ...]] = {}

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        if not classes:
            hints = get_type_hints(function)
            for argument, one in signature(function).parameters.items():
                if one.kind is one.VAR_POSITIONAL:
                    break  # what follows is given by name
                classes[argument] = _classes(hints.get(argument))
        wrong = False
        for value, right in zip(given, classes.values(), strict=False):
            if not isinstance(value, right):
                wrong = True
        for argument, value in named.items():
            if not isinstance(value, classes.get(argument, object)):
                wrong = True
        error = _error(function, name, given, named) if wrong else None
        if error is not None:
            raise error
        try:
            return function(*given, **named)
        except _RAW as raised:
            if not isinstance(raised, DipsatError):
                error = _error(function, name, given, named)
            if error is None:
                raise
            raise error from raised

    return cast("_Function", call)


def _error(
    function: Callable[..., Any], name: str, given: tuple[Any, ...], named: Mapping[str, Any]
) -> ArgumentError | None:
    """Return the error for the first argument that does not fit its annotation, None if all do."""
    hints = get_type_hints(function)
    in_place = zip(signature(function).parameters, given, strict=False)
    for argument, value in (*in_place, *named.items()):
        fault = _fault(value, hints.get(argument, Any), argument, _DEEPEST)
        if fault is not None:
            return ArgumentError(name, fault[0], fault[1], _words(fault[2]))
    return None


_Fault = tuple[str, object, object]
"""The place of a value, the value, and the annotation that it does not fit."""


def _fault(value: object, hint: object, place: str, levels: int) -> _Fault | None:
    """Return what does not fit an annotation: the value, or a part of it."""
    if not levels or hint is Any:
        return None
    if _is_union(hint):
        options = get_args(hint)
        if isinstance(value, Mapping):  # which a list of its keys would be, too
            options = tuple(one for one in options if Mapping in _classes(one)) or options
        faults = [_fault(value, one, place, levels) for one in options]
        if None in faults:
            return None
        within = [fault for fault in faults if fault is not None and fault[0] != place]
        return within[0] if within else (place, value, hint)
    if not isinstance(value, _classes(hint)) or not _has_members(value, hint):
        return place, value, hint
    found = next(filter(None, (_fault(*p, levels - 1) for p in _parts(value, hint, place))), None)
    is_list = len(get_args(hint)) == 1 and not isinstance(value, str | Mapping)
    return found if found is None or is_list or len(get_args(hint)) != 1 else (place, value, hint)


def _parts(value: object, hint: object, place: str) -> Iterable[tuple[object, object, str]]:
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
    elif is_dataclass(value) and value.__class__.__module__.startswith("dipsat."):
        hints = get_type_hints(value.__class__)
        for field in fields(value):
            if not field.name.startswith("_"):
                yield getattr(value, field.name), hints[field.name], f"{place}.{field.name}"


def _is_union(hint: object) -> bool:
    return get_origin(hint) in (Union, UnionType)


def _is_protocol(hint: object) -> bool:
    return bool(getattr(hint, "_is_protocol", False))


def _has_members(value: object, hint: object) -> bool:
    """Whether a value has the members of a protocol; True for other annotations."""
    return not _is_protocol(hint) or all(hasattr(value, name) for name in _members(hint))


def _members(protocol: object) -> list[str]:
    return [name for name in vars(protocol) if not name.startswith("_")]


def _classes(hint: object) -> tuple[type, ...]:
    """The classes of values that may fit an annotation, the usual ones first."""
    if _is_union(hint):
        found = dict.fromkeys(one for part in get_args(hint) for one in _classes(part))
        return (object,) if object in found else tuple(found)
    kind = get_origin(hint) or hint
    if kind is Literal:
        return tuple({type(one) for one in get_args(hint)})
    if kind is Any or not isinstance(kind, type) or _is_protocol(kind):
        return (object,)
    if kind is float:
        return float, int
    if kind is Mapping:
        return dict, Mapping
    return (list, kind) if kind in _LISTS and issubclass(list, kind) else (kind,)


def _words(hint: object) -> str:
    """Return an annotation in words, such as `a text, a Path or a Profile`."""
    parts = get_args(hint) if _is_union(hint) else (hint,)
    words = list(dict.fromkeys(map(_word, parts)))
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _word(hint: object) -> str:
    kind = get_origin(hint) or hint
    if kind is Literal:
        return " or ".join(map(repr, get_args(hint)))
    if _is_protocol(kind):
        return f"an object with {' and '.join(_members(kind))}"
    name = getattr(kind, "__name__", str(kind))
    return _WORDS.get(kind) or f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"
