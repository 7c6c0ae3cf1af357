"""A mapping that cannot be changed, for values that several objects share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar

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
    """An unchangeable copy of the mapping, or the mapping itself if it is one."""
    return mapping if isinstance(mapping, FrozenDict) else FrozenDict(mapping)
