"""Pickled results, and reading them from a file. A file from a stranger must not run code, so only
values are made: those of dipsat, and Python's own plain ones.

Python's unpickler would call whatever lies on its stack, change classes, and reserve memory for
what is not there. So each step is done here, only those that Python's pickler writes, and only on
values that they are meant for.
"""

from __future__ import annotations

import copyreg
import pickle
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Sized
from dataclasses import dataclass, is_dataclass
from enum import Enum
from importlib import import_module
from io import BytesIO
from pathlib import Path, PosixPath, PurePosixPath, PureWindowsPath, WindowsPath
from pickletools import genops
from typing import Any

from dipsat.errors import DipsatError
from dipsat.frozen import FrozenDict

_MOST_STEPS = 2**25  # so that no result that a journal may have is too large


def result_bytes(value: object) -> bytes:
    """Pickle a result. Errors are pickled as their classes say, also where a package has told
    Python another way for them, which no journal could be read with: that of Dask has."""
    table = copyreg.dispatch_table.items()
    written = BytesIO()
    pickler = pickle.Pickler(written)
    pickler.dispatch_table = {
        kind: way for kind, way in table if not issubclass(kind, BaseException)
    }
    pickler.dump(value)
    return written.getvalue()


@dataclass(frozen=True, slots=True)
class _Maker:
    """A class or a function in a pickle: how it is called, and how an empty value of it is made,
    None for what is not allowed; and whether each value is an object of its own."""

    call: Callable[..., Any] | None = None
    new: Callable[..., Any] | None = None
    kind: type | None = None
    makes_new_objects: bool = True


def _from(kind: Callable[..., Any], *given: type) -> _Maker:
    """What makes a value of nothing or of one of these types: a bytearray of a number would be of
    that size, and a set may be of a long range."""

    def made(*arguments: Any) -> Any:
        if arguments and type(arguments[0]) not in given:
            raise pickle.UnpicklingError(f"a {kind.__name__} of something else")
        return kind(*arguments)

    return _Maker(made)


def _member(kind: object, name: object) -> Enum:
    if isinstance(kind, _Maker) and kind.kind and issubclass(kind.kind, Enum):
        return kind.kind[str(name)]
    raise pickle.UnpicklingError("an attribute of something that is no enumeration")


def _restored_error(kind: object, args: object) -> DipsatError:
    error = kind.kind if isinstance(kind, _Maker) else None
    if error is None or not issubclass(error, DipsatError) or not isinstance(args, tuple):
        raise pickle.UnpicklingError("an error of something that is none")
    return error.__new__(error, *args)


_PYTHON = {
    "builtins getattr": _Maker(_member, makes_new_objects=False),  # how Python 3.11 pickles enums
    "builtins set": _from(set, list),
    "builtins frozenset": _from(frozenset, list),
    "builtins bytearray": _from(bytearray, bytes),
    "builtins complex": _Maker(complex),
    "builtins slice": _Maker(slice),
    "builtins range": _Maker(range),
    "collections Counter": _from(Counter, dict),
    "collections OrderedDict": _from(OrderedDict),
    "collections deque": _from(deque, tuple, list),
    "dipsat.frozen FrozenDict": _from(FrozenDict, dict),
}
_PATHS = {kind.__name__: _Maker(kind) for kind in (
    Path, PosixPath, PurePosixPath, PureWindowsPath, WindowsPath
)}  # fmt: skip
_RESTORING = {
    "dipsat.board.unit_kind unit_kind",
    "dipsat.errors.base _restored",
    "dipsat.files.named Files",
}
"""What else restores a value."""
_ROOMS = {
    "board", "crosschecks", "documents", "equations", "errors", "explanations", "formats",
    "game", "impacts", "language", "limits", "orders", "profiles", "proof", "replays",
    "scenarios", "searches", "solving", "stresstests", "terms", "theorems",
}  # fmt: skip
"""The rooms whose classes may be values: to import one writes nothing and starts nothing."""


def _maker(module: object, name: object) -> _Maker:
    """What makes values of a name. Nothing is imported unless it may be a value."""
    full = f"{module} {name}"
    if full in _PYTHON:
        return _PYTHON[full]
    if str(module).startswith("pathlib") and name in _PATHS:
        return _PATHS[str(name)]
    package, _, inner = str(module).partition(".")
    if package == "dipsat" and (full in _RESTORING or inner.partition(".")[0] in _ROOMS):
        found = vars(import_module(str(module))).get(str(name))
        if full == "dipsat.errors.base _restored":
            return _Maker(_restored_error)
        if full == "dipsat.board.unit_kind unit_kind":
            return _Maker(found, makes_new_objects=False)
        if isinstance(found, type) and found.__module__ == module:
            return _maker_of(found, full)
    raise pickle.UnpicklingError(f"{module}.{name} is no plain value")


def _maker_of(kind: type, full: str) -> _Maker:
    """What makes values of a class; only for enumerations its own code runs."""
    if issubclass(kind, Enum):
        return _Maker(kind, kind=kind, makes_new_objects=False)
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return _Maker(new=lambda *args: tuple.__new__(kind, args), kind=kind)
    if issubclass(kind, DipsatError):
        return _Maker(kind=kind)
    if is_dataclass(kind):
        return _Maker(new=lambda: object.__new__(kind), kind=kind)
    raise pickle.UnpicklingError(f"{full.replace(' ', '.')} is no plain value")


class _Values:
    """The values of a pickle, as its steps make them."""

    def __init__(self) -> None:
        self.stack: list[Any] = []
        self._below: list[list[Any]] = []  # what lies below each mark
        self._memo: list[Any] = []
        self._unfinished: dict[int, Any] = {}  # made, and without their state yet, by identity
        self._steps = 0

    def count(self, steps: int) -> None:
        """Count steps, or what they copy. Raises `UnpicklingError` for too many."""
        self._steps += steps
        if self._steps > _MOST_STEPS:
            raise pickle.UnpicklingError("it is too large")

    def take(self, step: str, given: Any) -> None:
        """Take a step."""
        self.count(1)
        if step in _GIVEN:
            self.stack.append(given)
        elif step in _MADE:
            self.stack.append(_MADE[step]())
        elif step in _TUPLES:
            at = len(self.stack) - _TUPLES[step]
            self.stack[at:] = [tuple(self.stack[at:])]
        else:
            own = _STEPS.get(step)
            if own is None:
                raise pickle.UnpicklingError(f"a step {step}, which no plain value needs")
            own(self, given)

    def memoize(self, _: None) -> None:
        self._memo.append(self.stack[-1])

    def get(self, at: int) -> None:
        self.stack.append(self._memo[at])

    def mark(self, _: None) -> None:
        self._below.append(self.stack)
        self.stack = []

    def marked(self) -> list[Any]:
        items, self.stack = self.stack, self._below.pop()
        return items

    def pop(self, _: None) -> None:
        self.stack.pop()

    def pop_mark(self, _: None) -> None:
        self.marked()

    def tuple(self, _: None) -> None:
        items = self.marked()
        self.stack.append((*items,))

    def frozenset(self, _: None) -> None:
        items = self.marked()
        self.stack.append(frozenset(items))

    def append(self, _: None) -> None:
        item = self.stack.pop()
        self._last(list, deque).append(item)

    def appends(self, _: None) -> None:
        items = self.marked()
        self._last(list, deque).extend(items)

    def additems(self, _: None) -> None:
        items = self.marked()
        self._last(set).update(items)

    def setitem(self, _: None) -> None:
        value, key = self.stack.pop(), self.stack.pop()
        self._last(dict, OrderedDict)[key] = value

    def setitems(self, _: None) -> None:
        items = self.marked()
        self._last(dict, OrderedDict).update(zip(items[::2], items[1::2], strict=True))

    def _last(self, *kinds: type) -> Any:
        """What lies uppermost, which is of one of these types, and not of a class of them."""
        if type(self.stack[-1]) not in kinds:
            raise pickle.UnpicklingError("items of something that has none")
        return self.stack[-1]

    def stack_global(self, _: None) -> None:
        name, module = self.stack.pop(), self.stack.pop()
        self.stack.append(_maker(module, name))

    def reduce(self, _: None) -> None:
        arguments, maker = self.stack.pop(), self.stack.pop()
        if not (isinstance(maker, _Maker) and maker.call and type(arguments) is tuple):
            raise pickle.UnpicklingError("a call of something that makes no value")
        self.count(sum(len(one) for one in arguments if isinstance(one, Sized)))
        self._made(maker.call(*arguments), maker)

    def newobj(self, _: None) -> None:
        arguments, maker = self.stack.pop(), self.stack.pop()
        if not (isinstance(maker, _Maker) and maker.new and type(arguments) is tuple):
            raise pickle.UnpicklingError("a value of something that is no class of values")
        self._made(maker.new(*arguments), maker)

    def _made(self, value: Any, maker: _Maker) -> None:
        self.stack.append(value)
        if maker.makes_new_objects:
            self._unfinished[id(value)] = value

    def build(self, _: None) -> None:
        """Give a value its state: only one that has just been made, and is nobody else's."""
        state = self.stack.pop()
        value = self._unfinished.pop(id(self.stack[-1]), None)
        if value is None:
            raise pickle.UnpicklingError("a state of something that is complete")
        if hasattr(type(value), "__setstate__"):  # a dataclass has it, and sets its fields
            value.__setstate__(state)
            return
        plain, slots = state if isinstance(state, tuple) else (state, None)
        for name, part in {**(plain or {}), **(slots or {})}.items():
            if name.startswith("__") and name != "__notes__":
                raise pickle.UnpicklingError(f"{name} is no part of a value")
            object.__setattr__(value, name, part)


_GIVEN = frozenset({
    "BININT", "BININT1", "BININT2", "LONG1", "LONG4", "BINFLOAT", "SHORT_BINUNICODE", "BINUNICODE",
    "BINUNICODE8", "SHORT_BINBYTES", "BINBYTES", "BINBYTES8", "BYTEARRAY8",
})  # fmt: skip
"""The steps with a value of their own."""
_MADE: dict[str, Callable[[], Any]] = {
    "NONE": lambda: None, "NEWTRUE": lambda: True, "NEWFALSE": lambda: False,
    "EMPTY_LIST": list, "EMPTY_DICT": dict, "EMPTY_SET": set, "EMPTY_TUPLE": tuple,
}  # fmt: skip
_TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
_STEPS: dict[str, Callable[[_Values, Any], None]] = {
    **{name.upper(): getattr(_Values, name) for name in (
        "memoize", "mark", "pop", "pop_mark", "tuple", "frozenset", "append", "appends", "additems",
        "setitem", "setitems", "stack_global", "reduce", "newobj", "build",
    )},
    **dict.fromkeys(("BINGET", "LONG_BINGET"), _Values.get),
    **dict.fromkeys(("PROTO", "FRAME", "STOP"), lambda *_: None),
}  # fmt: skip


def plain_value(data: bytes) -> Any:
    """The value that bytes of a file stand for. Raises `UnpicklingError` if they stand for none."""
    values = _Values()
    try:
        for step, given, _ in genops(data):
            values.take(step.name, given)
        (value,) = values.stack
    except pickle.UnpicklingError:
        raise
    except Exception as error:
        raise pickle.UnpicklingError(f"{type(error).__name__}: {error}") from None
    return value


class _Checker(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        _maker(module, name)
        return super().find_class(module, name)


def check_plain(data: bytes) -> None:
    """Raise `UnpicklingError` if a value that one of our own workers has pickled is none that
    `plain_value` makes. It is much faster, and safe only for these."""
    try:
        _Checker(BytesIO(data)).load()
    except pickle.UnpicklingError:
        raise
    except Exception as error:
        raise pickle.UnpicklingError(f"{type(error).__name__}: {error}") from None
