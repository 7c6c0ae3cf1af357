"""The literals of a PHP file, read as text: none of it is run.

A file is a sequence of statements; the head of a class, a function or a loop is a statement with a
body. Brackets in a statement make groups. A literal has a value: a text, a number or an array. Any
other expression, such as a variable, has none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from dipsat.base import FOREIGN_WORDS, MAX_DEPTH, check_time
from dipsat.errors import DocumentError


@dataclass(frozen=True, slots=True)
class PhpText:
    """A text in quotes. Words and signs of the language are `str`."""

    value: str


@dataclass(frozen=True, slots=True)
class PhpGroup:
    """The contents of brackets: the items between commas."""

    bracket: str
    items: tuple[tuple[PhpToken, ...], ...]


PhpToken: TypeAlias = str | float | PhpText | PhpGroup
PhpArray: TypeAlias = "list[tuple[PhpValue, PhpValue]]"
"""Key and value of each entry; the key is None where none is stated."""
PhpValue: TypeAlias = "str | float | PhpArray | None"


@dataclass(frozen=True, slots=True)
class PhpStatement:
    """A statement, and the statements of its body; `body` is None if it has none."""

    line: int
    tokens: tuple[PhpToken, ...]
    body: tuple[PhpStatement, ...] | None = None

    def walk(self) -> Iterator[PhpStatement]:
        """This statement and all in its body."""
        yield self
        for one in self.body or ():
            yield from one.walk()

    @property
    def head(self) -> tuple[PhpToken, ...]:
        """The tokens before a `=`, without words such as `public`."""
        found = self.tokens[: self.tokens.index("=")] if "=" in self.tokens else ()
        return tuple(one for one in found if one not in _MODIFIERS)

    @property
    def value(self) -> PhpValue:
        """The value that is assigned."""
        return value_of(self.tokens[self.tokens.index("=") + 1 :]) if "=" in self.tokens else None


_MODIFIERS = ("public", "protected", "private", "static", "var", "const")
_TOKEN = re.compile(
    r"""(?P<skip>\s+|\#[^\n]*|//[^\n]*|/\*.*?(?:\*/|\Z)|\?>.*?(?:<\?php|<\?=?|\Z))
    |(?P<text>'(?:[^'\\]++|\\.)*+(?:'|\Z)|"(?:[^"\\]++|\\.)*+(?:"|\Z))
    |(?P<number>\d+(?:\.\d+)?)
    |(?P<word>\$?[^\W\d]\w*|->|::|=>|[=!<>]=+|.)""",
    re.DOTALL | re.VERBOSE,
)
_LONGEST_NUMBER = 15  # digits
_ESCAPED = re.compile(r"\\(['\"\\])")
_CLOSING = {"(": ")", "[": "]", "{": "}", "": ""}


@dataclass(slots=True)
class _Frame:
    """A bracket that is open, and what has been read in it."""

    bracket: str
    line: int
    is_body: bool
    tokens: list[PhpToken] = field(default_factory=list)
    items: list[tuple[PhpToken, ...]] = field(default_factory=list)
    statements: list[PhpStatement] = field(default_factory=list)

    def separate(self, line: int, body: tuple[PhpStatement, ...] | None = None) -> None:
        """End an item or a statement."""
        if self.is_body and (self.tokens or body is not None):
            self.statements.append(PhpStatement(line, tuple(self.tokens), body))
        elif not self.is_body and self.tokens:
            self.items.append(tuple(self.tokens))
        self.tokens = []


def parse_php(text: str, path: str) -> tuple[PhpStatement, ...]:
    """The statements of a PHP file. Raises `DocumentError` for brackets and quotes that are not
    closed, and `InputLimitError` for too many words."""
    stack = [_Frame("", 1, is_body=True)]
    start = re.search(r"<\?(?:php)?", text)
    line, at = 1, 0 if start is None else start.end()
    line += text.count("\n", 0, at)
    for number, token in enumerate(_TOKEN.finditer(text, at)):
        FOREIGN_WORDS.check(number, f"{path}:{line}")
        if number % 1000 == 0:
            check_time()
        written, kind = token[0], token.lastgroup
        top = stack[-1]
        if kind == "text":
            if len(written) < 2 or written[-1] != written[0]:
                raise DocumentError(path, line, 1, "the text that begins here has no end")
            top.tokens.append(PhpText(_ESCAPED.sub(r"\1", written[1:-1])))
        elif kind == "number" and len(written) <= _LONGEST_NUMBER:
            top.tokens.append(float(written))
        elif written in ("(", "[", "{"):
            if len(stack) > MAX_DEPTH:
                raise DocumentError(path, line, 1, f"nested deeper than {MAX_DEPTH} levels")
            stack.append(_Frame(written, line, is_body=top.is_body and written == "{"))
        elif written in (")", "]", "}"):
            if written != _CLOSING[top.bracket]:
                raise DocumentError(path, line, 1, f"{written} closes nothing here")
            top.separate(line)
            stack.pop()
            if top.is_body:
                stack[-1].separate(top.line, tuple(top.statements))
            else:
                stack[-1].tokens.append(PhpGroup(top.bracket, tuple(top.items)))
        elif written == ";" or (written == "," and not top.is_body):
            top.separate(line)
        elif kind != "skip":
            top.tokens.append(written)
        line += written.count("\n")
    if len(stack) > 1:
        bracket = stack[-1].bracket
        raise DocumentError(path, stack[-1].line, 1, f"the {bracket} of this line is not closed")
    stack[0].separate(line)
    return tuple(one for top in stack[0].statements for one in top.walk())


def value_of(tokens: Sequence[PhpToken]) -> PhpValue:
    """The value of a literal; None for anything else."""
    match tokens:
        case [float() as number]:
            return number
        case ["-", float() as number]:
            return -number
        case ["array", PhpGroup("(", items)] | [PhpGroup("[", items)]:
            return [_entry(item) for item in items]
        case ["l_t", PhpGroup("(", (only,))]:  # webDiplomacy's translations
            return value_of(only)
    texts = [one.value for one in tokens[::2] if isinstance(one, PhpText)]
    is_text = len(tokens) == 2 * len(texts) - 1 and set(tokens[1::2]) <= {"."}
    return "".join(texts) if is_text else None


def _entry(tokens: Sequence[PhpToken]) -> tuple[PhpValue, PhpValue]:
    if "=>" not in tokens:
        return None, value_of(tokens)
    arrow = tokens.index("=>")
    return value_of(tokens[:arrow]), value_of(tokens[arrow + 1 :])


def rows_of(value: PhpValue) -> Iterator[list[PhpValue]]:
    """The values of each array, at any depth, that contains no other array."""
    if isinstance(value, list):
        if any(isinstance(one, list) for _, one in value):
            for _, one in value:
                yield from rows_of(one)
        else:
            yield [one for _, one in value]


def texts_in(tokens: Sequence[PhpToken]) -> Iterator[str]:
    """All texts in quotes, including those in brackets."""
    for token in tokens:
        if isinstance(token, PhpText):
            yield token.value
        elif isinstance(token, PhpGroup):
            for item in token.items:
                yield from texts_in(item)
