"""Damaging texts by words and lines: left out, doubled, nested, or replaced by their kind."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from tests.strangers.odd_input import ODD_TEXTS

MOST = 200_000  # characters of an input
ODD = (
    *ODD_TEXTS, "\n", "\0", "\u2028", "'", '"', "{", "}", "[", "]", "(", ")", "-", "- ", ": ",
    "!!x", "<<", "0", "or", "and", "not", "in", "for", "if", "else", "==", "Province", "Unit",
    "any(", "sum(", "all(",
)  # fmt: skip
_WORD = re.compile(r"\w+|\s+|[=!<>]=|[^\w\s]")
_LIKE = (
    ("and", "or"), ("all", "any", "sum"), ("==", "!=", "<", "<=", ">", ">="), ("+", "-"),
    ("true", "false"),
)  # fmt: skip
_KIND = {word: words[0] for words in _LIKE for word in words}

Change = Callable[[list[str], Sequence[str], random.Random], list[str]]
"""Words, other texts, a source of chance -> the changed words."""


def damaged_words(text: str, others: Sequence[str], rng: random.Random) -> str:
    """The text with some of its words changed."""
    return _changed(_WORD.findall(text), _WORD_CHANGES, others, rng)


def damaged_lines(text: str, others: Sequence[str], rng: random.Random) -> str:
    """The text with some of its lines left out, repeated, moved, or taken from another."""
    return _changed(text.splitlines(keepends=True), _LINE_CHANGES, others, rng)


def _changed(
    parts: list[str], changes: Sequence[Change], others: Sequence[str], rng: random.Random
) -> str:
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        parts = changes[rng.randrange(len(changes))](parts, others, rng)[:MOST] or [""]
    return "".join(parts)[:MOST]


def _part(words: Sequence[str], rng: random.Random) -> tuple[int, int]:
    start = rng.randrange(len(words) + 1)
    return start, min(len(words), start + rng.choice((1, 1, 2, 5, 20, 100)))


def _left_out(words: list[str], _: Sequence[str], rng: random.Random) -> list[str]:
    start, end = _part(words, rng)
    return words[:start] + words[end:]


def _repeated(words: list[str], _: Sequence[str], rng: random.Random) -> list[str]:
    start, end = _part(words, rng)
    times = rng.choice((2, 3, 10, 100, 3000))
    part = words[start:end]
    return words[:end] + part * min(times, MOST // max(1, len(part))) + words[end:]


def _moved(words: list[str], _: Sequence[str], rng: random.Random) -> list[str]:
    start, end = _part(words, rng)
    rest = words[:start] + words[end:]
    at = rng.randrange(len(rest) + 1)
    return rest[:at] + words[start:end] + rest[at:]


def _odd(words: list[str], _: Sequence[str], rng: random.Random) -> list[str]:
    start, end = _part(words, rng)
    return [*words[:start], rng.choice(ODD), *words[end if rng.random() < 0.5 else start :]]


def _replaced(words: list[str], _: Sequence[str], rng: random.Random) -> list[str]:
    start, _end = _part(words, rng)
    return [*words[:start], rng.choice(words or [""]), *words[start + 1 :]]


def _spliced(words: list[str], others: Sequence[str], rng: random.Random) -> list[str]:
    return _with_other(words, _WORD.findall(rng.choice(others)), rng)


def _spliced_lines(lines: list[str], others: Sequence[str], rng: random.Random) -> list[str]:
    return _with_other(lines, rng.choice(others).splitlines(keepends=True), rng)


def _with_other(parts: list[str], other: list[str], rng: random.Random) -> list[str]:
    start, end = _part(parts, rng)
    first, last = _part(other, rng)
    return parts[:start] + other[first:last] + parts[end if rng.random() < 0.5 else start :]


def _nested(words: list[str], _: Sequence[str], rng: random.Random) -> list[str]:
    start, end = _part(words, rng)
    depth = rng.choice((1, 2, 5, 30, 300))
    opening, closing = rng.choice((("(", ")"), ("[", "]"), ("{", "}"), ("not ", ""), ("- ", "")))
    return [*words[:start], opening * depth, *words[start:end], closing * depth, *words[end:]]


_WORD_CHANGES: tuple[Change, ...] = (
    _left_out, _repeated, _moved, _odd, _replaced, _spliced, _nested,
)  # fmt: skip
_LINE_CHANGES: tuple[Change, ...] = (_left_out, _repeated, _moved, _spliced_lines)


class Kin:
    """The words of some texts by kind, so that a word can be replaced by one of its own kind: a
    number by a number, a code in capitals by another, `and` by `or`. Most texts damaged this way
    are still read."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.texts = texts

    @cached_property
    def pools(self) -> Mapping[str, list[str]]:
        """Kind -> all words of that kind."""
        found: dict[str, set[str]] = {words[0]: set(words) for words in _LIKE}
        for word in {word for text in self.texts for word in _WORD.findall(text)}:
            found.setdefault(_kind(word), set()).add(word)
        return {kind: sorted(found[kind]) for kind in found}

    def damaged(self, text: str, rng: random.Random) -> str:
        """The text with a few words replaced by others of their kind."""
        words = _WORD.findall(text)
        places = [at for at, word in enumerate(words) if _kind(word)]
        for _ in range(rng.choice((1, 1, 1, 2, 3, 8)) if places else 0):
            at = rng.choice(places)
            alike = self.pools.get(_kind(words[at]), words)
            near = [words[place] for place in places if _kind(words[place]) == _kind(words[at])]
            words[at] = rng.choice(near if near and rng.random() < 0.5 else alike)
        return "".join(words)[:MOST]


def _kind(word: str) -> str:
    """Words of one kind may replace each other; blank space and signs have none."""
    if word in _KIND:
        return _KIND[word]
    if not (word[:1].isalnum() or word[:1] == "_"):
        return ""
    if word.isdigit():
        return "0"
    return "A" if word.isupper() else "Aa" if word[0].isupper() else "a"
