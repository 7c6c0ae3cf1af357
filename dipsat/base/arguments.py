"""The base class of all errors, the format of their messages, and checks of arguments."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import cache, wraps
from inspect import isabstract, signature
from itertools import islice
from operator import index
from types import NoneType, UnionType
from typing import Any, Literal, Self, TypeVar, Union, cast, get_args, get_origin, get_type_hints

SHOWN = 80
"""The most characters of a text from outside that a message repeats."""
_LINE = 1900  # characters of a line; the longest genuine ones list a hundred names
_EXAMINED = 400_000  # characters of a line searched for quotations, at both ends together
_LINES = 60  # of a message; reading a rule file stops at 50 faults
_LONG_WORD = re.compile(r"\S{251,}")  # longer than the path of a file
_QUOTATION = re.compile(r"""(?<![^\W_])(?<!\\)(?:"(?:[^"\\]++|\\.)*+"|'(?:[^'\\]++|\\.)*+')""")
"""A quotation begins with a mark that follows neither a letter (as an apostrophe does) nor a
backslash. The next such mark that is not escaped ends it."""
_CUT_ESCAPE = re.compile(r"\\[^\\]{0,9}$")


class DipsatError(Exception):
    """The base of all errors for bad input, a bad rule file or a stated limit.

    You can show `str(error)` as it is, for any input: it is short, and has no character that a
    terminal would take for a command (`readable`). The attributes of errors are not shortened.
    Errors can be copied, and pickled for another process, if their attributes can. Like all
    exceptions in Python, an error is equal only to itself; a copy has the same message.
    """

    remedies: tuple[str, ...] = ()
    """Ways to avoid the error, which the program that shows it explains in its own terms: `phase`
    (state it), `position` (state it), `start` (begin at the start of the map), `force` (write
    nevertheless), `open` (name units whose orders are open)."""

    def with_remedy(self, remedy: str) -> Self:
        """Add a remedy to the error, and return the error itself."""
        self.remedies = tuple(dict.fromkeys((*self.remedies, remedy)))
        return self

    def __str__(self) -> str:
        return readable(super().__str__())

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]:
        # Python would call the class with the message instead of the arguments that make it.
        return _restored, (type(self), self.args), self.__dict__


def _restored(kind: type[DipsatError], args: tuple[Any, ...]) -> DipsatError:
    """Return an error with its message, without calling `__init__`; pickle adds the attributes."""
    return kind.__new__(kind, *args)


def shortened(text: str) -> str:
    """Return a text from outside, cut to a length that a message can show."""
    return text if len(text) <= SHOWN else text[:SHOWN] + "..."


def readable(message: str) -> str:
    """Return a message that quotes texts from outside in a form that is safe for a terminal.

    Quotations are cut after their beginning, so that you see the advice after them. Long words, and
    lines that are still too long, lose their middle. If there are too many lines, the first ones
    stay. Unprintable characters are written as escapes.
    """
    if len(message) <= SHOWN and message.isprintable():
        return message
    lines = message.split("\n", _LINES + 2)
    if len(lines) > _LINES + 1:
        more = message.count("\n") + 1 - _LINES
        lines = [*lines[:_LINES], f"... and {more} more lines"]
    return "\n".join(_readable_line(line) for line in lines)


def escaped(text: str) -> str:
    """Return a text with a Python escape for each character that is not printable, including line
    breaks."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def _readable_line(line: str) -> str:
    cut = _without_middle(line, _EXAMINED)
    cut = _QUOTATION.sub(_short_quotation, cut) if len(cut) > SHOWN else cut
    cut = _without_middle(cut, 10 * _LINE)
    if not cut.isprintable():
        cut = escaped(cut)
        cut = _QUOTATION.sub(_short_quotation, cut)
    return _without_middle(
        _LONG_WORD.sub(lambda word: _without_middle(word[0], 2 * SHOWN, "..."), cut), _LINE
    )


def _without_middle(text: str, most: int, mark: str = " ... ") -> str:
    half = most // 2
    return text if len(text) <= most else f"{text[: half - 5]}{mark}{text[-half:]}"


def _short_quotation(found: re.Match[str]) -> str:
    """Cut a quotation to a length that a message can show."""
    mark, text = found[0][0], found[0][1:-1]
    if len(text) <= SHOWN + 3:
        return found[0]
    return f"{mark}{_CUT_ESCAPE.sub('', text[:SHOWN])}...{mark}"


def with_article(noun: str) -> str:
    """Return a noun or the name of a class with `a` or `an`: `a UnitName`, `an Unreadable`."""
    vowel = noun[0] in "AEIOUaeiou" and not noun.lower().startswith(("uni", "use", "eu"))
    return f"{'an' if vowel else 'a'} {noun}"


_DEEPEST = 5  # levels within a value that are checked

_MANY = 5  # from this number on, classes of one module are named after the module

_LISTS = (Iterable, Collection, Sequence, list, tuple, Set, frozenset, set)

_WORDS: dict[object, str] = {
    str: "a text", int: "a whole number", float: "a number", bool: "True or False",
    NoneType: "None", Mapping: "a mapping", dict: "a mapping", Callable: "a function",
    **dict.fromkeys(_LISTS, "a list"),
}  # fmt: skip

_MOST_VALUES = 10_000
"""The most parts of a value that are examined; dipsat's limits on input refuse larger values."""

Fault = tuple[str, object, object]
"""The place of a value, the value, and the annotation that it does not fit."""


def fault_in(
    value: object,
    hint: object,
    place: str = "",
    levels: int = _DEEPEST,
    within_own: bool = True,
) -> Fault | None:
    """Return the value, or the part of it, that does not fit an annotation; None if all fits.
    Fields of dipsat's own objects are checked only with `within_own`."""
    if not levels or hint is Any:
        return None
    if is_union(hint):
        options = get_args(hint)
        if isinstance(value, Mapping):  # its keys would also pass as a list
            options = tuple(one for one in options if Mapping in classes_of(one)) or options
        faults = [fault_in(value, one, place, levels, within_own) for one in options]
        if None in faults:
            return None
        within = [fault for fault in faults if fault is not None and fault[0] != place]
        return within[0] if within else (place, value, hint)
    if (
        not isinstance(value, classes_of(hint))
        or (_is_protocol(hint) and not _has_members(value, hint))
        or (isinstance(value, bool) and hint in (int, float))
        or (isinstance(value, str) and _is_list(hint))
        or (_is_pair(hint) and isinstance(value, Collection) and len(value) != 2)
        or (get_origin(hint) is Literal and value not in get_args(hint))
    ):
        return place, value, hint
    parts = islice(_parts(value, hint, place, within_own), _MOST_VALUES)
    found = next(filter(None, (fault_in(*part, levels - 1, within_own) for part in parts)), None)
    is_no_list = len(get_args(hint)) == 1 and isinstance(value, str | Mapping)
    return (place, value, hint) if found and is_no_list else found


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


_hints_of = cache(get_type_hints)


def _is_pair(hint: object) -> bool:
    """Whether an annotation asks for a tuple of two members, each with its own type."""
    return get_origin(hint) is tuple and len(get_args(hint)) == 2 and Ellipsis not in get_args(hint)


def is_union(hint: object) -> bool:
    """Whether an annotation has alternatives."""
    return get_origin(hint) in (Union, UnionType)


def _is_protocol(hint: object) -> bool:
    """Whether an annotation is a protocol: it asks for members, not for a class."""
    return bool(getattr(hint, "_is_protocol", False))


def _has_members(value: object, protocol: object) -> bool:
    return not isinstance(value, type) and all(hasattr(value, one) for one in _members(protocol))


def _members(protocol: object) -> list[str]:
    return [name for name in vars(protocol) if not name.startswith("_")]


def _is_list(hint: object) -> bool:
    """Whether an annotation asks for a list of some kind, in place of which a text is wrong."""
    return (get_origin(hint) or hint) in _LISTS


def _maps_to_lists(hint: object) -> bool:
    """Whether an annotation asks for a mapping to lists."""
    return get_origin(hint) is Mapping and fault_in("", get_args(hint)[1], levels=1) is not None


def classes_of(hint: object) -> tuple[type, ...]:
    """The classes of the values that may fit an annotation, the usual ones first."""
    if is_union(hint):
        found = dict.fromkeys(one for part in get_args(hint) for one in classes_of(part))
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


def in_words(hint: object) -> str:
    """Return an annotation in words, such as `a text, a Path or a Profile`. The many classes of
    orders become `an order`; an abstract class is replaced by its subclasses."""
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
    """Return alternatives as a list with `or`, without duplicates."""
    *others, last = dict.fromkeys(words)
    return " or ".join(filter(None, (", ".join(others), last)))


def _word(hint: object) -> str:
    kind = get_origin(hint) or hint
    if kind is Literal:
        return _either(map(repr, get_args(hint)))
    if _is_pair(hint):
        return "a pair"
    if _is_protocol(kind):
        return f"an object with {' and '.join(_members(kind))}"
    return _WORDS.get(kind) or with_article(getattr(kind, "__name__", str(kind)))


_Function = TypeVar("_Function", bound=Callable[..., Any])

_Class = TypeVar("_Class")

RAW = (TypeError, AttributeError, ValueError, LookupError, StopIteration)
"""The errors of Python that a wrong argument may cause."""

_FACES = (
    "dipsat.compat", "dipsat.draw", "dipsat.environments", "dipsat.kernel", "dipsat.searches",
    "dipsat.studies",
)  # fmt: skip
"""The rooms that are public modules."""

_LEAST = {
    "armies": 0, "below": 0, "delay": 0, "effort": 1, "enemy_units": 0, "examples": 0, "fleets": 0,
    "jobs": 1, "most": 1, "size": 1, "smallest": 0, "split": 1, "timeout": 0, "units": 0,
    "until": 1, "width": 1, "year": 0,
}  # fmt: skip
"""Argument -> its least value if it is a number. A name means the same in all functions."""

_EXAMPLES = {"orders": "{'FRANCE': ['A PAR - BUR']}", "units": "{'FRANCE': ['A PAR']}"}
"""Argument -> an example of a mapping for it."""


class ArgumentError(DipsatError):
    """An argument of a public function has the wrong type, or a value that is not allowed.

    Attributes: `function` (its name, such as `dipsat.adjudicate`), `argument` (its name, with the
    place within it: `orders['FRANCE']`), `given` (the value), `wanted` (what it should be),
    `is_missing` (whether it is missing from a request in JSON).
    """

    def __init__(
        self, function: str, argument: str, given: object, wanted: str, is_missing: bool = False
    ) -> None:
        shown = "None" if given is None else f"{shortened(repr(given))} ({type(given).__name__})"
        fault = f"is missing; it should be {wanted}"
        if not is_missing:
            fault = f"should be {wanted}, not {shown}"
        super().__init__(f"{function}: {argument} {fault}")
        self.function = function
        self.argument = argument
        self.given = given
        self.wanted = wanted
        self.is_missing = is_missing


def checked(function: _Function, name: str = "") -> _Function:
    """Return a function that raises `ArgumentError` for arguments that do not fit its annotations.

    Before the call, it checks the type of each argument, numbers with a least value, parameters
    that allow only certain texts, and texts in place of lists. It checks the contents of an
    argument only if the call raises an error, so a correct call costs almost nothing. `name` is the
    name of the function in messages.
    """
    name = name or _name_of(function)

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        wanted = _wanted_by(function)
        if any(map(_Wanted.refuses, wanted.values(), given)) or (
            named and any(wanted.get(name, _ANY).refuses(value) for name, value in named.items())
        ):
            given = (*map(_whole, wanted.values(), given), *given[len(wanted) :])
            named = {key: _whole(wanted.get(key, _ANY), value) for key, value in named.items()}
            if error := _error(name, wanted, given, named):
                raise error
        try:
            return function(*given, **named)
        except (*RAW, DipsatError) as raised:
            error, is_own = None, isinstance(raised, DipsatError)
            if not isinstance(raised, ArgumentError) or raised.function != name:
                error = _error(name, wanted, given, named, within_own=not is_own)
            if error is None and isinstance(raised, ArgumentError):  # the user called this function
                error = ArgumentError(
                    name, raised.argument, raised.given, raised.wanted, raised.is_missing
                )
                for note in getattr(raised, "__notes__", ()):
                    error.add_note(note)
            if error is None:
                raise
            raise error from (None if is_own else raised)

    return cast("_Function", call)


def checked_fields(kind: type[_Class]) -> type[_Class]:
    """Make a dataclass that users create check its fields, as `checked` does."""
    made = checked(kind.__init__)
    kind.__init__ = made  # type: ignore[method-assign]  # the purpose of the decorator
    return kind


def _name_of(function: Callable[..., Any]) -> str:
    """The public name of a function or method; for `__init__`, that of its class."""
    owner, _, own = function.__qualname__.rpartition(".")
    room = ".".join(function.__module__.split(".")[:2])
    face = room if room in _FACES else "dipsat"
    return f"{face}.{owner}" + ("" if own == "__init__" else f".{own.lstrip('_')}")


def refuse_misuse(function: Callable[..., Any], *given: object, name: str = "") -> None:
    """Raise `ArgumentError` if the arguments of a method do not fit its annotations.

    For methods that are called too often to be `checked` on each call. They call this after one of
    Python's own errors.
    """
    error = _error(name or _name_of(function), _wanted_by(function), given, {})
    if error is not None:
        raise error


class _Wanted:
    """The requirements for an argument.

    `classes` are the classes of values that may fit. If `is_special` is true, a value of these
    classes may still be wrong: a number below `least`, True in place of a number, a text that is
    not allowed, an object without the members of a protocol, or a text in place of a list, whose
    letters would pass for members.
    """

    def __init__(self, hint: object, argument: str = "") -> None:
        self.hint = hint
        self.classes = classes_of(hint)
        self.is_number = not {int, float}.isdisjoint(self.classes) and bool not in self.classes
        self.least = _LEAST.get(argument) if self.is_number else None
        parts = get_args(hint) if is_union(hint) else (hint,)
        literals = [part for part in parts if get_origin(part) is Literal]
        self.texts = frozenset(one for part in literals for one in get_args(part))
        self.takes_protocol = any(map(_is_protocol, parts))
        lists = any(_is_list(part) or _maps_to_lists(part) for part in parts)
        self.is_special = self.is_number or bool(self.texts) or lists or self.takes_protocol

    def refuses(self, value: Any) -> bool:
        """Whether a value may be wrong. Nearly every call asks this, so the value is examined only
        where its class is not enough."""
        if not self.is_special or not isinstance(value, self.classes):
            return not isinstance(value, self.classes)
        if self.is_number and isinstance(value, bool):
            return True
        if self.least is not None:
            return self.is_below(value)
        if isinstance(value, Mapping):
            return any(isinstance(one, str) for one in value.values())
        if isinstance(value, str) and (value in self.texts or self.takes_protocol):
            return False  # a name in place of an object: the function decides
        if not (isinstance(value, str) or self.texts or self.takes_protocol):
            return False  # a list of the right class
        return fault_in(value, self.hint, levels=1, within_own=False) is not None

    def is_below(self, value: Any) -> bool:
        """Whether a value is a number that is too small, or NaN."""
        return self.least is not None and isinstance(value, int | float) and not value >= self.least


_ANY = _Wanted(Any)


@cache
def _wanted_by(function: Callable[..., Any]) -> dict[str, _Wanted]:
    """The requirements for each argument of a function."""
    hints = get_type_hints(function)
    return {name: _Wanted(hints.get(name, Any), name) for name in signature(function).parameters}


def _whole(right: _Wanted, value: Any) -> Any:
    """Return the argument; a whole number of another library, such as NumPy, becomes an `int`."""
    if int in right.classes and not isinstance(value, right.classes):
        with suppress(TypeError):  # such as an array with several numbers
            return index(value)
    return value


def _error(
    name: str,
    wanted: Mapping[str, _Wanted],
    given: tuple[Any, ...],
    named: Mapping[str, Any],
    *,
    within_own: bool = True,
) -> ArgumentError | None:
    """Return the error for the first argument that does not fit its annotation, None if all do.
    Fields of dipsat's own objects are checked only with `within_own`."""
    for argument, value in (*zip(wanted, given, strict=False), *named.items()):
        right = wanted.get(argument, _ANY)
        fault = fault_in(value, right.hint, argument, within_own=within_own)
        if fault is not None:
            place, found, hint = fault
            words = in_words(hint)
            if not isinstance(found, Mapping) and _maps_to_lists(hint) and place in _EXAMPLES:
                words = words.replace("a mapping", f"a mapping such as {_EXAMPLES[place]}")
            within = getattr(found, "position", None)
            if right.hint is hint and within is not None and isinstance(within, right.classes):
                words += f", such as the position of this {type(found).__name__}"
            lists = classes_of(hint)
            only_tuples = tuple in lists and list not in lists
            if only_tuples:  # frozen objects cannot keep a list
                words = words.replace("a list", "a tuple")
            if isinstance(found, str):
                example = (shortened(found),) if only_tuples else [shortened(found)]
                for kind in ("a list", "a tuple"):
                    words = words.replace(kind, f"{kind} such as {example}")
            return ArgumentError(name, place, found, words)
        if right.is_below(value):
            words = f"{in_words(right.hint).removesuffix(' or None')} of at least {right.least}"
            return ArgumentError(name, argument, value, words)
    return None
