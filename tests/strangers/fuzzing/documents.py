"""Damaging YAML and JSON as values, so that the result is still a document: entries left out,
renamed, swapped, taken from other documents, emptied, multiplied or nested."""

from __future__ import annotations

import json
import pickle
import random
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Any

import yaml

from tests.strangers.fuzzing.words import MOST, ODD, Kin, damaged_words
from tests.strangers.odd_input import ODD_VALUES

_PLAIN = {"true": True, "false": False, "null": None}
_NUMBER = re.compile(r"-?\d{1,15}")
_NUMBERS = (1, 2, 7, 35, 1000, 10**6)
_MOST_SPOTS = 20_000  # more than any shipped file has

Spot = tuple[Any, Any, str]
"""A list or mapping, an index or key in it, and the nearest key that names it."""

Equation = Callable[[str, str, random.Random], str]
"""The name of an entry, its text, a source of chance -> another text for it."""


class Documents:
    """Damages documents, with parts of others."""

    def __init__(self, texts: Iterable[str], kin: Kin, equation: Equation | None = None) -> None:
        self.texts = texts
        self.kin = kin
        self.equation = equation

    @cached_property
    def parts(self) -> Mapping[str, list[Any]]:
        """Key -> everything below keys of this name."""
        found: dict[str, list[Any]] = {"": [None]}
        for text in self.texts:
            for holder, key, name in _spots(parsed(text)):
                found.setdefault(name, []).append(holder[key])
        return found

    @cached_property
    def names(self) -> list[str]:
        """All keys."""
        return sorted(self.parts)

    def damaged(self, text: str, rng: random.Random) -> str | None:
        """The document with a few changes, None if the text is not a document."""
        value = parsed(text)
        if not value or not isinstance(value, dict | list):
            return None
        for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
            spots = _spots(value)
            if 0 < len(spots) < _MOST_SPOTS:
                _CHANGES[rng.randrange(len(_CHANGES))](self, rng.choice(spots), spots, rng)
        return written(value, text.lstrip()[:1] in ("{", "[") or rng.random() < 0.3)[:MOST]

    def _left_out(self, spot: Spot, _: list[Spot], rng: random.Random) -> None:
        holder, key, _name = spot
        del holder[key]

    def _renamed(self, spot: Spot, _: list[Spot], rng: random.Random) -> None:
        holder, key, _name = spot
        if isinstance(holder, dict):
            other = rng.choice(
                (rng.choice(self.names), self.kin.damaged(key, rng), rng.choice(ODD))
            )
            holder[other] = holder.pop(key)

    def _swapped(self, spot: Spot, spots: list[Spot], rng: random.Random) -> None:
        holder, key, name = spot
        alike = [other for other in spots if other[2] == name]
        other_holder, other_key, _ = rng.choice(alike if rng.random() < 0.7 else spots)
        mine, other = _copy(holder[key]), _copy(other_holder[other_key])
        other_holder[other_key] = mine
        holder[key] = other  # a part swapped with a part of itself is doubled

    def _grafted(self, spot: Spot, _: list[Spot], rng: random.Random) -> None:
        holder, key, name = spot
        names = self.parts.get(name) if rng.random() < 0.8 else None
        holder[key] = _copy(rng.choice(names or self.parts.get(rng.choice(self.names)) or [None]))

    def _added(self, spot: Spot, _: list[Spot], rng: random.Random) -> None:
        holder, key, _name = spot
        name = rng.choice(self.names)
        part = _copy(rng.choice(self.parts.get(name) or [None]))
        if isinstance(holder, dict):
            holder[name] = part
        else:
            holder.insert(key, _copy(rng.choice(holder)) if rng.random() < 0.5 else part)

    def _emptied(self, spot: Spot, _: list[Spot], rng: random.Random) -> None:
        holder, key, _name = spot
        holder[key] = _copy(rng.choice((*ODD_VALUES, *_NUMBERS)))

    def _multiplied(self, spot: Spot, _: list[Spot], rng: random.Random) -> None:
        holder, key, _name = spot
        size = len(json.dumps(holder[key]))
        times = min(rng.choice((2, 10, 100, 3000)), 1 + MOST // size)
        if isinstance(holder, list):
            holder[key:key] = [_copy(holder[key]) for _ in range(times)]
        elif isinstance(holder[key], str):
            holder[key] *= times
        else:
            holder.update({f"{key}{at}": _copy(holder[key]) for at in range(times)})

    def _nested(self, spot: Spot, _: list[Spot], rng: random.Random) -> None:
        holder, key, name = spot
        for _times in range(rng.choice((1, 1, 2, 5, 30, 90))):
            holder[key] = [holder[key]] if rng.random() < 0.5 else {name: holder[key]}

    def _rewritten(self, _spot: Spot, spots: list[Spot], rng: random.Random) -> None:
        leaves = [spot for spot in spots if isinstance(spot[0][spot[1]], str)]
        if not leaves:
            return
        holder, key, name = rng.choice(leaves)
        text, chance = holder[key], rng.random()
        if self.equation and "(" in text + name and chance < 0.6:
            holder[key] = self.equation(name, text, rng)
        elif chance < 0.8:
            holder[key] = self.kin.damaged(text, rng)
        else:
            holder[key] = damaged_words(text, [text], rng)


_CHANGES = (
    Documents._left_out, Documents._renamed, Documents._swapped, Documents._grafted,
    Documents._added, Documents._emptied, Documents._multiplied, Documents._nested,
    Documents._rewritten, Documents._rewritten, Documents._rewritten, Documents._rewritten,
)  # fmt: skip


def parsed(text: str) -> Any:
    """The value of a document with every scalar as text, None if it is not a document."""
    found = _pickled(text)
    return None if found is None else pickle.loads(found)


@lru_cache(maxsize=300)
def _pickled(text: str) -> bytes | None:
    try:
        if text.lstrip()[:1] in ("{", "["):
            return pickle.dumps(json.loads(text, parse_int=str, parse_float=str))
        return pickle.dumps(yaml.load(text, yaml.CBaseLoader))  # texts only, no objects
    except (ValueError, RecursionError, yaml.YAMLError):
        return None


def written(value: Any, as_json: bool) -> str:
    """The value as JSON or as YAML, with numbers and truth values that are not quoted."""
    value = _typed(value)
    if not as_json:
        try:
            return str(
                yaml.dump(value, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True)
            )
        except (yaml.YAMLError, UnicodeError):
            pass
    return json.dumps(value)


def _typed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _typed(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_typed(one) for one in value]
    if isinstance(value, str):
        return int(value) if _NUMBER.fullmatch(value) else _PLAIN.get(value, value)
    return value


def _spots(value: Any) -> list[Spot]:
    """The parts of a document, not many more than `_MOST_SPOTS` of them."""
    found: list[Spot] = []
    waiting = [(value, "")]
    while waiting and len(found) < _MOST_SPOTS:
        holder, name = waiting.pop()
        keys: Iterable[Any] = ()
        if isinstance(holder, dict):
            keys = holder
        elif isinstance(holder, list):
            keys = range(len(holder))
        for key in keys:
            called = key if isinstance(key, str) and ("(" in key or "(" not in name) else name
            found.append((holder, key, called))
            waiting.append((holder[key], called))
    return found


def _copy(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


def part(text: str, *keys: str) -> Mapping[str, Any]:
    """The mapping below some keys of a document."""
    value = parsed(text)
    for key in keys:
        value = value[key]
    return dict(value)
