"""From the text of an expression to Python's syntax tree, refusing what could do harm.

Expressions are a subset of Python's. The text is parsed by the standard `ast` module and never
compiled or evaluated by Python; size and depth are bounded before anything walks the tree.
"""

from __future__ import annotations

import ast
import re
import textwrap
from dataclasses import dataclass
from typing import NoReturn

from dipsat.documents import Node
from dipsat.errors import ProfileError

MAX_LENGTH = 4000  # characters of one expression; the longest in rules/ has a tenth of that
MAX_DEPTH = 40  # levels of nesting
_HEADING = re.compile(r"\s*([A-Za-z_]\w*)\s*\(\s*([A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*)\s*\)\s*")
_BLOCK_HEADER = re.compile(r"[|>][^\n]*\n")


@dataclass(frozen=True, slots=True)
class Source:
    """An expression's syntax tree with its node. Lines of the tree begin with 1 in the node's
    line; `first` is added to a column of the first line, `rest` to one of the others, to get the
    column in the file (from 1)."""

    tree: ast.expr
    node: Node
    first: int
    rest: int

    def fail(self, part: ast.AST, problem: str) -> NoReturn:
        """Raise `ProfileError` at the place of `part`."""
        self.fail_at(getattr(part, "lineno", 1), getattr(part, "col_offset", 0), problem)

    def fail_at(self, line: int, column: int, problem: str) -> NoReturn:
        """Raise `ProfileError` at a line (from 1) and column (from 0) of the tree."""
        raise ProfileError(
            self.node.path,
            self.node.line + line - 1,
            max(column + (self.first if line == 1 else self.rest), 1),
            problem,
        )


def parse_expression(node: Node) -> Source:
    """Parse the expression that a scalar node holds.

    Raises `ProfileError` where it is no expression, too long, or nested too deep.
    """
    text = node.text("an expression")
    opening, first, rest = "(", node.column - 1, 1
    header = _BLOCK_HEADER.match(node.source)
    if header is not None:  # a block scalar: its lines as they stand, so that places are right
        body = node.source[header.end() :]
        indented = next((line for line in body.splitlines() if line.strip()), "")
        text, opening = textwrap.dedent(body), "(\n"
        first = rest = len(indented) - len(indented.lstrip()) + 1
    elif node.quoted:
        first += 1
    elif node.source:  # a plain text over several lines
        text = node.source
    source = Source(ast.Constant(value=True), node, first, rest)
    _check_text(text, node)
    try:
        tree = ast.parse(f"{opening}{text}\n)", mode="eval").body
    except SyntaxError as error:
        source.fail_at(error.lineno or 1, (error.offset or 1) - 1, error.msg)
    except (ValueError, MemoryError, RecursionError):
        node.fail("this is no expression", ProfileError)
    source = Source(tree, node, first, rest)
    _check_depth(source)
    return source


def parse_heading(text: str, node: Node, line: int, column: int) -> tuple[str, tuple[str, ...]]:
    """Split `move(m)` into its name and its indices."""
    match = _HEADING.fullmatch(text)
    if match is None:
        raise ProfileError(
            node.path, line, column, f"{text!r} should be a name with its index, such as move(m)"
        )
    return match.group(1), tuple(index.strip() for index in match.group(2).split(","))


def _check_text(text: str, node: Node) -> None:
    """Refuse long texts, deep brackets and long runs of signs before Python's parser sees them."""
    if len(text) > MAX_LENGTH:
        node.fail(f"an expression may have at most {MAX_LENGTH} characters", ProfileError)
    depth = 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if depth > MAX_DEPTH:
            node.fail(f"brackets nested deeper than {MAX_DEPTH}", ProfileError)
    if re.search(rf"(?:(?:not|[-+~])\s*){{{MAX_DEPTH},}}", text):
        node.fail(f"more than {MAX_DEPTH} signs in a row", ProfileError)


def _check_depth(source: Source) -> None:
    level: list[ast.AST] = [source.tree]
    for _ in range(3 * MAX_DEPTH):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return
    source.node.fail("the expression is nested too deep", ProfileError)
