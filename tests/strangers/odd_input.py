"""Odd texts and values to put into honest input, and what a message about them is."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import settings

from dipsat.errors import DipsatError

HUGE = 100_000
ODD_TEXTS = (
    "x" * HUGE, "A PAR - " * (HUGE // 8), "word " * (HUGE // 5), "(" * HUGE, "[" * 200, "'" * HUGE,
    "\\" * HUGE, '"' * 99, "9" * 30, "9" * 5000, "-" * 5000, "not " * 2000, "é" * 300, "ß" * 90,
    "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "a\rb", "\ry", "a\nb", "a\x85b", "a\u2028b", "a\x00b",
    "\x7f", "\u202ecba", "\ud800", "²", "٣", "½", "\U0001d538", "ﬁ", "İ", "", " ", "\t", "+", "=",
    "a=b", "a+b", "/", "a/b", "..", "../" * 50, "|", "#", ":", "- a", "{}", "f(m)", "true", "null",
    "~", "1e999", "-1", "0x10", "S1901M", "S99999M", "S٣M", "W1901B", "COMPLETED", "A PAR",
    "F STP/SC", "PAR", "FRANCE", "datc", "secret_config.yaml", "x" * 5000 + ".yaml", "\0.yaml",
    "a/" * 3000 + "b.yaml", "!!python/object:os.system", "&a", "*a", "%", "{unit}", "{a: Province}",
    "x" * 79 + "'" + "y" * 200, "\ufeff", "[]", "a: b: c", "? [a]: b", "%TAG ! a\n---\na",
    "a: !!binary a", "--- a\n--- b", "\r", "a:\r b", "\x85", "\x9b2J", "name: x", "name: [x]",
    "extends: [", "extends", "name: 1e400", "name: .nan", "a: 0o9", "<<: {a: b}", "p.", "1 if",
    "-" * 900 + "1", "../../etc/passwd", "/dev/zero", "\U0001f6a2",
)  # fmt: skip
ODD_VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 10**25, 1e300, 0.5, [], {}, [[]], {"": ""}, [None], {"a": {"b": []}},
)  # fmt: skip
EVERY_TIME = settings(deadline=None, max_examples=50)

MOST = 2000  # characters of a line of a message
MOST_LINES = 61


def check_message(error: DipsatError) -> None:
    """Check that a message has few, short lines, shown as they are, and short quotations."""
    text = str(error)
    lines = text.split("\n")
    assert text
    assert len(lines) <= MOST_LINES
    assert max(map(len, lines)) <= MOST
    assert all(line.isprintable() for line in lines)
    assert not re.search(r"""["'](?:x{81}|é{81}|ß{81}|9{81})""", text)
    assert not re.search(r"\S{251}", text)


SHEET = "England:\n  F Lon - Nth\n  A Lvp - Yor\nFrance:\n  A Par S A Mar - Bur\n  A Mar - Bur\n"
"""Honest orders."""
