"""The options of an algorithm, as written after its name: `dpjudge(safe_convoys)`.

The options of an engine are the fields of its dataclass, and of dataclasses in these fields: truth
values, or one of several words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import Field, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_type_hints

from dipsat.errors import EngineOptionError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_YES, _NO = "yes", "no"
_TRUTHS = {_YES: True, "true": True, _NO: False, "false": False}

_T = TypeVar("_T")


def read_name(text: str) -> tuple[str, dict[str, str]]:
    """Split the name of an engine from its options as typed: `name(option=value, option)`.

    An option without a value is `yes`. Raises `EngineOptionError` for any other form, and for an
    option that is given twice.
    """
    name, opening, rest = text.strip().partition("(")
    name = name.strip()
    if not opening:
        return name, {}
    if not rest.endswith(")"):
        problem = f"write options as in {name}(option=value, option); {text!r} does not end in ')'"
        raise EngineOptionError(name, problem)
    found: dict[str, str] = {}
    for part in filter(None, map(str.strip, rest[:-1].split(","))):
        option, equals, value = (piece.strip() for piece in part.partition("="))
        if option in found:
            raise EngineOptionError(name, f"the option {option!r} is given twice", option)
        found[option] = value if equals else _YES
    return name, found


def with_options(name: str, engine: _T, typed: Mapping[str, str]) -> _T:
    """Return an engine with some of its options set. Raises `EngineOptionError` for an option that
    it does not have, and for a value that the option cannot take."""
    known = [option for option, _, _ in _options(engine)]
    for option in typed:
        if option not in known:
            raise EngineOptionError.unknown(name, option, known)
    return _changed(name, engine, typed) if typed else engine


def written(name: str, engine: object) -> str:
    """The name of an engine with those of its options that differ from the default."""
    unusual = [
        f"{option}={_word(value)}" for option, value, usual in _options(engine) if value != usual
    ]
    return f"{name}({','.join(unusual)})" if unusual else name


def _options(holder: object) -> Iterator[tuple[str, Any, Any]]:
    """Each option with its value and its default."""
    for field in _fields(holder):
        value = getattr(holder, field.name)
        if is_dataclass(value):
            yield from _options(value)
        else:
            yield field.name, value, field.default


def _fields(holder: object) -> tuple[Field[Any], ...]:
    """The fields of an engine that are options: all but `name`."""
    if not is_dataclass(holder):
        return ()
    return tuple(field for field in fields(holder) if field.name != "name")


def _changed(name: str, holder: Any, typed: Mapping[str, str]) -> Any:
    changes: dict[str, Any] = {}
    for field in _fields(holder):
        value = getattr(holder, field.name)
        if is_dataclass(value):
            changes[field.name] = _changed(name, value, typed)
        elif field.name in typed:
            changes[field.name] = _read(name, holder, field.name, typed[field.name])
    data: DataclassInstance = holder
    return replace(data, **changes)


def _read(name: str, holder: object, option: str, value: str) -> Any:
    kind = get_type_hints(type(holder))[option]
    values: dict[str, Any] = _TRUTHS if kind is bool else {word: word for word in get_args(kind)}
    if value.casefold() not in values:
        allowed = " or ".join((_YES, _NO) if kind is bool else values)
        raise EngineOptionError(name, f"{option!r} is {allowed}, not {value!r}", option)
    return values[value.casefold()]


def _word(value: Any) -> str:
    return (_YES if value else _NO) if isinstance(value, bool) else str(value)
