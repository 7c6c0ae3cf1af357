"""Parse the text of an expression into Python's syntax tree, refusing anything that could do harm.

Expressions are a subset of Python's. The standard `ast` module parses the text, and Python never
compiles or evaluates it; size and depth are checked before anything walks the tree.
"""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass
from functools import lru_cache
from typing import NoReturn

from dipsat.base import YAML_LINE_ENDS, Node, PlacedError
from dipsat.errors import ProfileError
from dipsat.rules.advice import UNMATCHED, first_unmatched, syntax_fault

MAX_LENGTH = 4000  # characters of one expression; the longest in rules/ is a tenth of that
MAX_DEPTH = 40  # levels of nesting
_MAX_KEPT = 2048  # syntax trees
_HEADING = re.compile(r"\s*([A-Za-z_]\w*)\s*\(\s*([A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*)\s*\)\s*")
_LINE_ENDS = re.compile("\r\n|[\r\n]")  # where Python's parser begins a line
_OPENING, _CLOSING = "(", "\n)"  # around the text, which may then span lines
_BRACKETS = re.compile(r"[(\[{)\]}]")
_SIGNS = re.compile(rf"(?:not|[-+~]){{{MAX_DEPTH + 1}}}")

COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
"""Python's comparison operators, each with its sign."""


@dataclass(frozen=True, slots=True)
class Source:
    """An expression's syntax tree, with the data that locate its parts in the file.

    `lines` are the parsed lines (the first begins with the added bracket); `first` is the column in
    the file (from 1) at which the first line begins, `rest` that of the others. `exact` is false if
    the file spells the text differently (escapes). Then only the place of the node is known.
    """

    tree: ast.expr
    node: Node
    lines: tuple[str, ...]
    first: int
    rest: int
    exact: bool

    def fail(self, part: ast.AST, problem: str, error: PlacedError = ProfileError) -> NoReturn:
        """Raise `error` at the place of `part`."""
        raise error(*self.place_of(part), problem)

    def fail_at(
        self, line: int, column: int, problem: str, error: PlacedError = ProfileError
    ) -> NoReturn:
        """Raise `error` at a line (from 1) and column (from 0, in characters)."""
        raise error(*self._place_at(line, column), problem)

    def place_of(self, part: ast.AST) -> tuple[str, int, int]:
        """Path, line and column of `part` in the file."""
        line = getattr(part, "lineno", 1)
        before = self.lines[line - 1].encode()[: getattr(part, "col_offset", 0)]
        return self._place_at(line, len(before.decode(errors="replace")))

    def _place_at(self, line: int, column: int) -> tuple[str, int, int]:
        if not self.exact:
            return self.node.path, self.node.line, self.node.column
        start = self.first if line == 1 else self.rest
        return self.node.path, self.node.line + line - 1, start + column


def parse_expression(node: Node) -> Source:
    """Parse the expression that a scalar node holds.

    Raises `ProfileError` if it is not an expression, is too long, or is nested too deeply.
    """
    source = _source_of(node)
    text = "\n".join(source.lines)
    _check_text(node, text[len(_OPENING) :])
    try:
        tree, is_deep = _tree(text + _CLOSING)
    except SyntaxError as error:
        (line, column), problem = syntax_fault(source.lines, error)
        source.fail_at(line, column, problem)
    except (ValueError, MemoryError, RecursionError):
        node.fail("this is not an expression", ProfileError)
    if (tree.lineno, tree.col_offset) == (1, 0):  # the added bracket was closed by the text
        source.fail_at(*first_unmatched(source.lines), UNMATCHED)
    if is_deep:
        node.fail("the expression is nested too deeply", ProfileError)
    return Source(tree, node, source.lines, source.first, source.rest, source.exact)


@lru_cache(maxsize=_MAX_KEPT)
def _tree(text: str) -> tuple[ast.expr, bool]:
    """The syntax tree of a text, and whether it is nested too deeply. Profiles share most of their
    expressions, so nobody may change the tree."""
    with warnings.catch_warnings():  # Python's hints on style do not apply to rule files
        warnings.simplefilter("ignore")
        tree = ast.parse(text, mode="eval").body
    return tree, _is_deep(tree)


def parse_heading(text: str, node: Node) -> tuple[str, tuple[str, ...]]:
    """Split `move(m)`, a key of a mapping, into its name and its indices."""
    found = _heading(text)
    if found is None:
        problem = f"{text!r} should be a name with its indices, such as move(m) or allied(v, w)"
        node.fail_at_key(text, problem, ProfileError)
    return found


@lru_cache(maxsize=_MAX_KEPT)
def _heading(text: str) -> tuple[str, tuple[str, ...]] | None:
    match = _HEADING.fullmatch(text)
    if match is None:
        return None
    return match.group(1), tuple(index.strip() for index in match.group(2).split(","))


def _source_of(node: Node) -> Source:
    """The text of a node, prepared for parsing, still without a tree."""
    text, exact, ends = node.text("an expression", lines=True), True, _LINE_ENDS
    first, rest = node.column - len(_OPENING), 1
    if node.block is not None:  # its lines as written, for correct places
        text, indent = node.block
        lines = (_OPENING, *YAML_LINE_ENDS.split(text))
        return Source(ast.Constant(value=True), node, lines, first, indent + 1, exact)
    if node.quoted:
        first += 1
        exact = node.source[1:-1] == text
    elif node.source:  # a plain text over several lines
        text, ends = node.source, YAML_LINE_ENDS
    lines = tuple(ends.split(_OPENING + text))
    return Source(ast.Constant(value=True), node, lines, first, rest, exact)


def _check_text(node: Node, text: str) -> None:
    """Refuse long texts, deep nesting and long runs of signs before Python's parser sees them."""
    if not text.strip():
        node.fail("the expression is empty", ProfileError)
    if len(text) > MAX_LENGTH:
        node.fail(f"an expression may have at most {MAX_LENGTH} characters", ProfileError)
    if _is_bracketed_deeply(text):
        node.fail(f"brackets nested deeper than {MAX_DEPTH}", ProfileError)
    if _SIGNS.search("".join(text.split())):
        node.fail(f"more than {MAX_DEPTH} signs in a row", ProfileError)


def _is_bracketed_deeply(text: str) -> bool:
    depth = 0
    for bracket in _BRACKETS.findall(text):
        depth += 1 if bracket in "([{" else -1
        if depth > MAX_DEPTH:
            return True
    return False


def _is_deep(tree: ast.expr) -> bool:
    level: list[ast.AST] = [tree]
    for _ in range(3 * MAX_DEPTH):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return False
    return True
