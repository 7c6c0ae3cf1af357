"""Every regular expression of the package takes steps in proportion to the text.

A small matcher, which tries what Python's does in the same order, counts its steps on texts made to
hurt: a beginning that fits, many repetitions of what a pattern repeats, and an end that does not.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from math import inf
from pathlib import Path
from typing import Any

import pytest

import dipsat
from tests.exhaustive import exhaustive

sre: Any = importlib.import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")
compiler: Any = importlib.import_module(sre.__name__.replace("parse", "compile"))
LETTERS = ("LITERAL", "NOT_LITERAL", "ANY", "IN")
"""The parts of a pattern that fit one letter."""
REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")


class TooManySteps(Exception):  # noqa: N818
    """The matcher gave up."""


_ALONE: dict[str, tuple[re.Pattern[str], dict[str, bool]]] = {}


def alone(part: Any, flags: int) -> tuple[re.Pattern[str], dict[str, bool]]:
    """A part of a pattern, as Python compiles it, and which letters are known to fit it."""
    key = f"{part} {flags}"
    if key not in _ALONE:
        state = sre.State()
        state.flags, state.str = flags, ""
        _ALONE[key] = compiler.compile(sre.SubPattern(state, [part]), flags & ~re.UNICODE), {}
    return _ALONE[key]


class Matcher:
    """Matches one pattern on one text by backtracking, and counts the parts that it tries."""

    def __init__(self, pattern: re.Pattern[Any], text: str, most: int) -> None:
        self.items = list(sre.parse(pattern.pattern, pattern.flags & ~re.UNICODE))
        self.flags, self.text, self.most, self.steps = pattern.flags, text, most, 0

    def search(self) -> None:
        """Look for all matches, as `findall` does, wherever they begin."""
        at = 0
        while at <= len(self.text):
            at = max(next(self.ends(self.items, at), 0), at + 1)

    def fullmatch(self) -> bool:
        return any(end == len(self.text) for end in self.ends(self.items, 0))

    def ends(self, items: Sequence[Any], at: int) -> Iterator[int]:
        """Where a match of these parts may end, in the order in which Python tries them."""
        self.steps += 1
        if self.steps > self.most:
            raise TooManySteps
        if not items:
            yield at
            return
        (op, argument), rest = items[0], items[1:]
        for end in self.part_ends(str(op), argument, items[0], at):
            yield from self.ends(rest, end)

    def part_ends(self, name: str, argument: Any, part: Any, at: int) -> Iterator[int]:
        if name in LETTERS:
            if at < len(self.text) and fits(part, self.text[at], self.flags):
                yield at + 1
        elif name == "SUBPATTERN":
            yield from self.ends(list(argument[-1]), at)
        elif name == "BRANCH":
            for branch in argument[1]:
                yield from self.ends(list(branch), at)
        elif name in ("ASSERT", "ASSERT_NOT"):
            direction, body = argument
            start = at if direction > 0 else at - 1
            found = start >= 0 and any(True for _ in self.ends(list(body), start))
            if found == (name == "ASSERT"):
                yield at
        elif name == "AT":
            if alone(part, self.flags)[0].match(self.text, at):
                yield at
        else:
            assert name in REPEATS, name
            low, high, body = argument
            ends = self.repeated(name, low, high, list(body), at)
            yield from islice(ends, 1 if name == "POSSESSIVE_REPEAT" else None)

    def repeated(self, name: str, low: int, high: int, body: list[Any], at: int) -> Iterator[int]:
        """Go on from each place with one more, or with what follows."""
        waiting = [(at, iter(()) if high == 0 else self.ends(body, at))]
        if name == "MIN_REPEAT" and low == 0:
            yield at
        while waiting:
            start, more = waiting[-1]
            end = next(more, None)
            if end is None:
                waiting.pop()
                if name != "MIN_REPEAT" and len(waiting) >= low:
                    yield start
            elif end > start or len(waiting) <= low:
                if name == "MIN_REPEAT" and len(waiting) >= low:
                    yield end
                waiting.append((end, self.ends(body, end) if len(waiting) < high else iter(())))


def fits(part: Any, letter: str, flags: int) -> bool:
    """Whether a letter fits a part of a pattern."""
    pattern, known = alone(part, flags)
    if letter not in known:
        known[letter] = pattern.fullmatch(letter) is not None
    return known[letter]


_LETTERS = "a1 \n.-|(/'\"{:*\\,!="


def sample(items: Any, flags: int) -> str:
    """A text that (mostly) fits a pattern."""
    found = ""
    for op, argument in items:
        name = str(op)
        if name in LETTERS:
            found += letters_of((op, argument), flags)[0]
        elif name in ("SUBPATTERN", "BRANCH"):
            found += sample(argument[-1] if name == "SUBPATTERN" else argument[1][0], flags)
        elif name in REPEATS:
            found += sample(argument[2], flags) * max(1, argument[0])
    return found


def letters_of(part: Any, flags: int) -> str:
    """Some letters that a part of a pattern fits."""
    op, argument = part
    listed = argument if str(op) == "IN" else [part]
    own = [chr(value) for kind, value in listed if str(kind) == "LITERAL"]
    return "".join(one for one in (*own, *_LETTERS) if fits(part, one, flags)) or "a"


def pumps(items: list[Any], flags: int, before: str = "") -> Iterator[tuple[str, str]]:
    """(what comes before, what is repeated) for every part of a pattern that repeats."""
    for at, (op, argument) in enumerate(items):
        name = str(op)
        start = before + sample(items[:at], flags)
        if name == "SUBPATTERN":
            yield from pumps(list(argument[-1]), flags, start)
        elif name == "BRANCH":
            for branch in argument[1]:
                yield from pumps(list(branch), flags, start)
        elif name in REPEATS and argument[1] > 300:
            (first, *others) = inner = list(argument[2])
            if not others and str(first[0]) in LETTERS:
                yield from ((start, one) for one in letters_of(first, flags)[:8])
            else:
                yield start, sample(inner, flags)
                yield from pumps(inner, flags, start)


def attacks(pattern: re.Pattern[Any], size: int) -> Iterator[str]:
    """Texts of some size on which a pattern may take long."""
    tree = list(sre.parse(pattern.pattern, pattern.flags & ~re.UNICODE))
    whole = sample(tree, pattern.flags)
    starts = {(before, pump) for before, pump in pumps(tree, pattern.flags)}
    starts |= {("", whole), ("", whole[: max(1, len(whole) // 2)])}
    for before, pump in sorted(starts):
        for end in ("", "\x00", "b\x00"):
            yield before + pump * size + end


def steps(pattern: re.Pattern[Any], anchored: bool, text: str) -> float:
    """The steps on a text; infinity if there are too many to count."""
    matcher = Matcher(pattern, text, 100_000)
    try:
        if anchored:
            matcher.fullmatch()
        else:
            matcher.search()
    except (TooManySteps, RecursionError):
        return inf
    return matcher.steps


def is_linear(pattern: re.Pattern[Any], anchored: bool) -> bool:
    """Whether twice the text takes about twice the steps, on every attack."""
    pairs = zip(attacks(pattern, 25), attacks(pattern, 50), strict=True)
    return all(
        steps(pattern, anchored, long) <= 2.6 * steps(pattern, anchored, short) + 100 < inf
        for short, long in pairs
    )


@cache
def compiled() -> dict[str, tuple[re.Pattern[Any], bool]]:
    """Module and name -> each pattern at the top of a module, and whether only whole texts, or
    their beginnings, are matched with it."""
    found = {}
    for info in pkgutil.walk_packages(dipsat.__path__, "dipsat."):
        if info.name.endswith("__main__"):
            continue
        try:
            module = importlib.import_module(info.name)
        except ModuleNotFoundError as error:
            if error.name not in OPTIONAL:
                raise
            continue
        patterns = {name: value for name, value in vars(module).items() if is_of_text(value)}
        if not patterns:
            continue
        source = Path(str(module.__file__)).read_text(encoding="utf-8")
        uses: dict[str, set[str]] = {}
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                uses.setdefault(node.value.id, set()).add(node.attr)
        for name, value in patterns.items():
            anchored = bool(uses.get(name)) and uses[name] <= {"match", "fullmatch"}
            found[f"{info.name}.{name}"] = (value, anchored)
    return found


def is_of_text(value: object) -> bool:
    """Whether this is a pattern for texts, not for bytes."""
    return isinstance(value, re.Pattern) and isinstance(value.pattern, str)


OPTIONAL = {"gymnasium", "mcp", "pettingzoo", "starlette", "uvicorn"}
"""Packages of extras. Patterns of modules that need them are found where they are installed, as in
the exhaustive run."""

BOUNDED = {
    "dipsat.orders.daide._START": 300,
    "dipsat.orders.verbs._OFF": 300,
    "dipsat.orders.verbs._STEP": 300,
    "dipsat.formats.jdip._COAST": 300,
    "dipsat.base.arguments._LONG_WORD": 250,
    "dipsat.orders.texts._PLAYER": 100,
    "dipsat.outcomes.proof._OURS": 255,
}
"""Patterns that see only texts of this many characters, such as names of files, or look no further
at each place."""


@exhaustive
def test_the_patterns_of_the_readers_are_found() -> None:
    patterns = compiled()
    assert len(patterns) > 30
    assert patterns["dipsat.formats.game_kinds._CASE"][1] is False
    assert patterns["dipsat.formats.text_sheet.SETTING"][1] is True


@exhaustive
def test_a_pattern_takes_steps_in_proportion_to_the_text() -> None:
    patterns = compiled()
    unbounded = patterns.keys() - BOUNDED.keys()
    assert [name for name in sorted(unbounded) if not is_linear(*patterns[name])] == []


@pytest.mark.parametrize(
    ("pattern", "anchored", "linear"),
    [
        (re.compile(r"^\s*CASE\s", re.MULTILINE), False, False),
        (re.compile(r"\s*(map|rules)\s*:\s*(\S.*?)\s*", re.IGNORECASE), True, False),
        (re.compile(r"\(\*.*?\*\)"), False, False),
        (re.compile(r"(a+)+b"), True, False),
        (re.compile(r"^[^\S\n]*CASE\s", re.MULTILINE), False, True),
        (re.compile(r"[a-z]+\d*"), True, True),
    ],
)
def test_slow_patterns_are_told_apart_from_others(
    pattern: re.Pattern[str], anchored: bool, linear: bool
) -> None:
    assert is_linear(pattern, anchored) == linear


@pytest.mark.parametrize("text", ["CASE 1\n", "  case 1", "x1-nc y", "success: x", "", "F1901M"])
def test_the_matcher_agrees_with_python(text: str) -> None:
    for name, (pattern, _) in compiled().items():
        found = Matcher(pattern, text, 100_000).fullmatch()
        assert found == (pattern.fullmatch(text) is not None), (name, text)
