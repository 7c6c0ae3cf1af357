"""What is wrong with an expression, and what to write instead."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from dipsat.errors import hint
from dipsat.rules.syntax import PROVINCE, TEXT, TRUTH, UNIT, Type

WORDS = {
    ast.Lambda: "a lambda",
    ast.Subscript: "an index in brackets",
    ast.ListComp: "a list",
    ast.List: "a list",
    ast.Dict: "a dictionary",
    ast.Set: "a set",
    ast.Tuple: "a tuple",
    ast.JoinedStr: "a formatted text",
    ast.NamedExpr: "an assignment",
    ast.Await: "await",
    ast.Starred: "a star",
}
"""Names of constructs that the language lacks; `SIGNS` has the operators."""

SIGNS: dict[type[ast.AST], str] = {
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.BitAnd: "& (write and)",
    ast.BitOr: "| (write or)",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.Invert: "~",
    ast.UAdd: "a leading +",
    ast.USub: "a leading - (write 0 - x)",
}

_INSTEAD = {
    "a list": "; compare with each member, joined by `or`",
    "a set": "; compare with each member, joined by `or`",
    "a tuple": "; compare with each member, joined by `or`",
}

_ELSEWHERE = {
    **dict.fromkeys(("yes", "on"), "write true"),
    **dict.fromkeys(("no", "off", "none", "None", "null"), "write false"),
    **dict.fromkeys(("len", "count", "size", "number"), "count with sum(1 for x in ...)"),
    "max": "write `a if a > b else b`",
    "min": "write `a if a < b else b`",
    "exists": "write any(... for x in ...)",
    "forall": "write all(... for x in ...)",
}
"""Words of other languages -> what to write here."""

_IN_WORDS = {PROVINCE: "code", UNIT: "kind"}
"""The fact that is usually meant when an object is compared with a text."""

_MAX_LISTED = 250  # characters of the names that a message lists


def not_in_the_language(tree: ast.expr) -> str:
    """The message for a Python construct that the rule language lacks."""
    if isinstance(tree, ast.BinOp | ast.UnaryOp):
        return f"{SIGNS.get(type(tree.op), 'this sign')} is not part of the rule language"
    what = WORDS.get(type(tree), "this")
    return f"{what} is not part of the rule language{_INSTEAD.get(what, '')}"


def not_of_type(found: Type, wanted: Type) -> str:
    """The message for an expression that does not have the wanted type."""
    is_set = wanted == TRUTH and found.item is not None
    hint = "; ask with some(), any() or all()" if is_set else ""
    expected, seen = ("true or false" if one == TRUTH else f"a {one}" for one in (wanted, found))
    return f"expected {expected}, found {seen}{hint}"


def without_facts(of: Type, fact: str) -> str:
    """The message for a fact of something that has no facts."""
    hint = f"; ask its members: any(x.{fact} ... for x in ...)" if of.item is not None else ""
    return f"a {of} has no facts, so .{fact} means nothing{hint}"


def not_comparable(left: Type, right: Type) -> str:
    """The message for a comparison of two values of different types."""
    thing = left if right == TEXT else right if left == TEXT else None
    hint = f"; compare its .{_IN_WORDS[thing]}" if thing in _IN_WORDS else ""
    return f"a {left} cannot be compared with a {right}{hint}"


def nearest(name: str, known: Mapping[str, object]) -> str:
    """A hint at the name that was probably meant, or at all known names if there are few."""
    listed = ", ".join(known)
    few = f"known here: {listed}" if 0 < len(listed) <= _MAX_LISTED else ""
    elsewhere = _ELSEWHERE.get(name)
    return f"; {elsewhere}" if elsewhere else hint(name, known, otherwise=few)


# --- syntax ---------------------------------------------------------------------------------------

UNMATCHED = "unmatched ')'"
_WRITTEN = {"&&": "and", "||": "or", "!": "not"}
"""Signs of other languages -> the words that stand for them here."""
_MISPLACED = "this is not possible here in an expression"
_SIDE_BY_SIDE = "two expressions stand side by side; join them, with `and` for example"
_ASSIGNED, _NO_ELSE = "a single = is not a comparison; write ==", "an `if` needs its `else`"
_SINGLE = re.compile(r"(?<![=!<>])=(?!=)")  # after it, Python's parser misses the `else`
_CAPITALS = re.compile(r"\b(?:AND|OR|NOT|And|Or|Not|IF|If|ELSE|Else|IN|In|FOR|For)\b(?!\s*\")")
_FAULTS = {
    _SIDE_BY_SIDE: re.compile("comma"),
    _ASSIGNED: re.compile("==|assign"),
    "the text in quotes does not end": re.compile("unterminated"),
    _NO_ELSE: re.compile("'else'"),
    "this is not a number": re.compile("literal|zeros|digit"),
    "this bracket does not match the one that it should close": re.compile("does not match"),
    "unmatched closing bracket": re.compile("unmatched"),
}
"""Fault of an expression -> the words in which Python's parser reports it. The parser's own advice
is about Python programs."""
Place: TypeAlias = tuple[int, int]
"""A line (from 1) and a column (from 0) among the lines of an expression. The first line begins
with an added bracket."""


def syntax_fault(lines: Sequence[str], error: SyntaxError) -> tuple[Place, str]:
    """The place and the description of a fault that Python's parser has found in an expression."""
    line, column = error.lineno or 1, (error.offset or 1) - 1
    if (line, column) == (1, 0) or line > len(lines):
        unmatched = first_unmatched(lines)
        if unmatched != (1, 0):
            return unmatched, UNMATCHED
        last = max(at for at, one in enumerate(lines) if one.strip())
        return (last + 1, len(lines[last].rstrip())), "the expression is not finished"
    problem = next((own for own, words in _FAULTS.items() if words.search(error.msg)), _MISPLACED)
    text = lines[line - 1]
    if problem == _NO_ELSE and (single := _SINGLE.search(text)):
        column, problem = single.start(), _ASSIGNED
    if problem == _MISPLACED and _SINGLE.match(text, column):  # as in `a and b = c`
        problem = _ASSIGNED
    if problem == _MISPLACED:
        beside = text[max(0, column - 1) : column + 3].replace("!=", "  ")
        sign = next((sign for sign in _WRITTEN if sign in beside), "")
        if sign:
            column = text.index(sign, max(0, column - 1))
            problem = f"write `{_WRITTEN[sign]}` for {sign}"
    if problem in (_MISPLACED, _SIDE_BY_SIDE) and (word := _CAPITALS.search(text)):
        column, problem = word.start(), f"write `{word[0].lower()}` for {word[0]}"
    if error.msg.startswith("invalid character"):
        problem = error.msg  # it names the character
    return (line, min(column, len(text))), problem


def first_unmatched(lines: Sequence[str]) -> Place:
    """The place of the bracket that closes the added one; (1, 0) if there is none."""
    depth = 0
    for number, line in enumerate(lines, start=1):
        for column, character in enumerate(line):
            depth += (character == "(") - (character == ")")
            if depth == 0:
                return number, column
    return 1, 0
