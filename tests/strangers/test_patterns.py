"""Every regular expression of the package takes steps in proportion to the text.

A small matcher, which tries what Python's does in the same order, counts its steps on texts made to
hurt: a beginning that fits, many repetitions of what a pattern repeats, and an end that fits not.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from math import inf
from pathlib import Path
from typing import Any

import pytest

import dipsat
from tests.exhaustive import exhaustive

sre: Any = importlib.import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")
Next = Callable[[int], bool]


class TooManySteps(Exception):  # noqa: N818
    """The matcher gave up."""


class Matcher:
    """Matches one pattern on one text by backtracking, and counts the characters it looks at."""

    def __init__(self, pattern: re.Pattern[Any], text: str, most: int) -> None:
        source = pattern.pattern
        self.tree = sre.parse(source, pattern.flags & ~re.UNICODE if pattern.flags else 0)
        self.flags = pattern.flags
        self.text = text.lower() if pattern.flags & re.IGNORECASE else text
        self.most = most
        self.steps = 0
        self.end = 0

    def tick(self) -> None:
        self.steps += 1
        if self.steps > self.most:
            raise TooManySteps

    def search(self) -> None:
        """Look for all matches, as `findall` does, wherever they begin."""
        at = 0
        while at <= len(self.text):
            found = self.run(list(self.tree), at, self.ended)
            at = max(self.end, at + 1) if found else at + 1

    def ended(self, end: int) -> bool:
        """Note where a match ends."""
        self.end = end
        return True

    def fullmatch(self) -> bool:
        return self.run(list(self.tree), 0, lambda end: end == len(self.text))

    def run(self, items: list[Any], at: int, then: Next) -> bool:
        self.tick()
        if not items:
            return then(at)
        (op, argument), rest = items[0], items[1:]
        name = str(op)
        if name in ("LITERAL", "NOT_LITERAL", "ANY", "IN"):
            fits = at < len(self.text) and self.fits(name, argument, self.text[at])
            return fits and self.run(rest, at + 1, then)
        if name == "SUBPATTERN":
            return self.run(list(argument[-1]), at, lambda end: self.run(rest, end, then))
        if name == "BRANCH":
            return any(self.run([*branch, *rest], at, then) for branch in argument[1])
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            return self.repeat(name, argument, at, lambda end: self.run(rest, end, then))
        if name == "POSSESSIVE_REPEAT":  # as often as it can be, and no less if the rest fails
            return self.repeat("MAX_REPEAT", argument, at, self.ended) and self.run(
                rest, self.end, then
            )
        if name in ("ASSERT", "ASSERT_NOT"):
            direction, body = argument
            start = at if direction > 0 else at - 1
            found = start >= 0 and self.run(list(body), start, lambda end: True)
            return found == (name == "ASSERT") and self.run(rest, at, then)
        assert name == "AT", name
        return self.holds(str(argument), at) and self.run(rest, at, then)

    def repeat(self, name: str, argument: Any, at: int, then: Next) -> bool:
        low, high, body = argument
        inner = list(body)
        if len(inner) == 1 and str(inner[0][0]) in ("LITERAL", "NOT_LITERAL", "ANY", "IN"):
            kind, what = str(inner[0][0]), inner[0][1]
            far = at
            while (
                far < len(self.text) and far - at < high and self.fits(kind, what, self.text[far])
            ):
                self.tick()
                far += 1
            ends = (
                range(far, at + low - 1, -1) if name == "MAX_REPEAT" else range(at + low, far + 1)
            )
            return any(self.counted(then, end) for end in ends)

        def again(count: int, start: int) -> bool:
            def more(end: int) -> bool:
                return end > start and again(count + 1, end)

            if count < low:
                return self.run(inner, start, lambda end: again(count + 1, end))
            if name == "MIN_REPEAT" and then(start):
                return True
            if count < high and self.run(inner, start, more):
                return True
            return name == "MAX_REPEAT" and then(start)

        return again(0, at)

    def counted(self, then: Next, end: int) -> bool:
        self.tick()
        return then(end)

    def fits(self, kind: str, what: Any, letter: str) -> bool:
        if kind == "LITERAL":
            return letter in (chr(what), chr(what).lower())
        if kind == "NOT_LITERAL":
            return letter != chr(what)
        if kind == "ANY":
            return letter != "\n" or bool(self.flags & re.DOTALL)
        negated = str(what[0][0]) == "NEGATE"
        found = any(self.in_set(part, letter) for part in what[negated:])
        return found != negated

    def in_set(self, part: Any, letter: str) -> bool:
        op, value = str(part[0]), part[1]
        if op == "LITERAL":
            return letter in (chr(value), chr(value).lower())
        if op == "RANGE":
            low, high = value
            return any(low <= ord(one) <= high for one in (letter, letter.upper()))
        category = str(value).removeprefix("CATEGORY_")
        holds = {
            "DIGIT": letter.isdigit(),
            "SPACE": letter.isspace(),
            "WORD": letter.isalnum() or letter == "_",
        }[category.removeprefix("NOT_")]
        return holds != category.startswith("NOT_")

    def holds(self, where: str, at: int) -> bool:
        text, lines = self.text, self.flags & re.MULTILINE
        if where == "AT_BEGINNING":
            return at == 0 or bool(lines and text[at - 1] == "\n")
        if where == "AT_END":
            return at >= len(text) or bool(lines and text[at] == "\n")
        sides = [0 <= one < len(text) and (text[one].isalnum() or text[one] == "_")
                 for one in (at - 1, at)]  # fmt: skip
        return (sides[0] != sides[1]) == (where == "AT_BOUNDARY")


@pytest.fixture(autouse=True)
def _deep() -> Iterator[None]:
    """The matcher calls itself for every repetition of a group."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(10_000)
    yield
    sys.setrecursionlimit(before)


_LETTERS = "a1 \n.-|(/'\"{:*\\,!="


def sample(items: Any, flags: int) -> str:
    """A text that (mostly) fits a pattern."""
    found = ""
    for op, argument in items:
        name = str(op)
        if name in ("LITERAL", "NOT_LITERAL", "ANY", "IN"):
            found += letters_of(name, argument, flags)[0]
        elif name == "SUBPATTERN":
            found += sample(argument[-1], flags)
        elif name == "BRANCH":
            found += sample(argument[1][0], flags)
        elif name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            found += sample(argument[2], flags) * max(1, argument[0])
    return found


def letters_of(name: str, argument: Any, flags: int) -> str:
    """Some letters that a part of a pattern fits."""
    probe = Matcher(re.compile("", flags & ~re.UNICODE), "", 0)
    own = [argument] if name == "LITERAL" else []
    own += [part[1] for part in argument if str(part[0]) == "LITERAL"] if name == "IN" else []
    candidates = "".join(map(chr, own)) + _LETTERS
    return "".join(one for one in candidates if probe.fits(name, argument, one.lower())) or "a"


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
        elif name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT") and argument[1] > 300:
            (first, *others) = inner = list(argument[2])
            if not others and str(first[0]) in ("LITERAL", "NOT_LITERAL", "ANY", "IN"):
                yield from ((start, one) for one in letters_of(str(first[0]), first[1], flags)[:8])
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


OPTIONAL = {"starlette", "uvicorn"}
"""Packages of extras. Patterns of modules that need them are found where they are installed, as in
the exhaustive run."""

BOUNDED = {
    "dipsat.orders.daide._START": 300,
    "dipsat.orders.verbs._STEP": 300,
    "dipsat.formats.jdip._COAST": 300,
    "dipsat.base.arguments._LONG_WORD": 250,
    "dipsat.orders.texts._PLAYER": 100,
    "dipsat.outcomes.proof._OURS": 255,
}
"""Patterns that see only texts of so many characters, such as names of files, or look no further
at each place."""


def test_the_patterns_of_the_readers_are_found() -> None:
    patterns = compiled()
    assert len(patterns) > 30
    assert patterns["dipsat.formats.game_files._CASE"][1] is False
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
def test_slow_patterns_are_told_from_others(
    pattern: re.Pattern[str], anchored: bool, linear: bool
) -> None:
    assert is_linear(pattern, anchored) == linear


@pytest.mark.parametrize("text", ["CASE 1\n", "  case 1", "x1-nc y", "success: x", "", "F1901M"])
def test_the_matcher_agrees_with_python(text: str) -> None:
    for name, (pattern, _) in compiled().items():
        found = Matcher(pattern, text, 100_000).fullmatch()
        assert found == (pattern.fullmatch(text) is not None), (name, text)
