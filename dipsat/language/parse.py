"""Parse the text of an expression into Python's syntax tree, refusing whatever could do harm.

Expressions are a subset of Python's. The standard `ast` module parses the text, and Python never
compiles or evaluates it; size and depth are checked before anything walks the tree.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NoReturn

from dipsat.documents import YAML_LINE_ENDS, Node, PlacedError
from dipsat.errors import ProfileError, hint
from dipsat.language.syntax import PROVINCE, TEXT, TRUTH, UNIT, Type

MAX_LENGTH = 4000  # characters of one expression; the longest in rules/ is a tenth of that
MAX_DEPTH = 40  # levels of nesting
_MAX_KEPT = 2048  # syntax trees
_HEADING = re.compile(r"\s*([A-Za-z_]\w*)\s*\(\s*([A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*)\s*\)\s*")
_LINE_ENDS = re.compile("\r\n|[\r\n]")  # where Python's parser begins a line
_OPENING, _CLOSING = "(", "\n)"  # around the text, so that it may span lines
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
"""Python's comparison operators, with the signs that people write."""

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
"""Constructs that the language lacks, in words; `SIGNS` has the operators."""

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


_WRITTEN = {"&&": "and", "||": "or", "!": "not"}
"""Signs of other languages -> the words that stand for them here."""
_MISPLACED = "this cannot stand here in an expression"
_SIDE_BY_SIDE = "two expressions stand side by side; join them, with `and` for example"
_ASSIGNED, _NO_ELSE = "one = is no comparison; write ==", "an `if` needs its `else`"
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
"""What is wrong with an expression -> the words by which Python's parser says so. What it advises
besides is about Python programs."""


@dataclass(frozen=True, slots=True)
class Source:
    """An expression's syntax tree, with what is needed to locate its parts in the file.

    `lines` are the parsed lines (the first begins with the added bracket); `first` is the column in
    the file (from 1) at which the first line begins, `rest` that of the others. `exact` is false
    if the file spells the text differently (escapes): then only the node's own place is known.
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

    def fail_at_end(self, problem: str) -> NoReturn:
        """Raise `ProfileError` after the last character of the expression."""
        filled = [at for at, line in enumerate(self.lines) if line.strip()]
        at = filled[-1]
        self.fail_at(at + 1, len(self.lines[at].rstrip()), problem)


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
        _fail_syntax(source, error)
    except (ValueError, MemoryError, RecursionError):
        node.fail("this is not an expression", ProfileError)
    if (tree.lineno, tree.col_offset) == (1, 0):  # the added bracket was closed by the text
        source.fail_at(*_first_unmatched(source.lines), "unmatched ')'")
    if is_deep:
        node.fail("the expression is nested too deeply", ProfileError)
    return Source(tree, node, source.lines, source.first, source.rest, source.exact)


@lru_cache(maxsize=_MAX_KEPT)
def _tree(text: str) -> tuple[ast.expr, bool]:
    """The syntax tree of a text, never changed, and whether it is nested too deeply. Profiles share
    most of their expressions."""
    with warnings.catch_warnings():  # Python's hints on style are not for rule files
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
    """The text of a node as it will be parsed, still without a tree."""
    text, exact, ends = node.text("an expression", lines=True), True, _LINE_ENDS
    first, rest = node.column - len(_OPENING), 1
    if node.block is not None:  # its lines as written, so that places are right
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


def _fail_syntax(source: Source, error: SyntaxError) -> NoReturn:
    line, column = error.lineno or 1, (error.offset or 1) - 1
    if (line, column) == (1, 0) or line > len(source.lines):
        at, unmatched = _first_unmatched(source.lines)
        if (at, unmatched) != (1, 0):
            source.fail_at(at, unmatched, "unmatched ')'")
        source.fail_at_end("the expression is not finished")
    problem = next((own for own, words in _FAULTS.items() if words.search(error.msg)), _MISPLACED)
    text = source.lines[line - 1]
    if problem == _NO_ELSE and (single := _SINGLE.search(text)):
        column, problem = single.start(), _ASSIGNED
    if problem == _MISPLACED and _SINGLE.match(text, column):  # as in `a and b = c`
        problem = _ASSIGNED
    if problem == _MISPLACED and (sign := _other_sign(source, line, column)):
        column = source.lines[line - 1].index(sign, max(0, column - 1))
        problem = f"write `{_WRITTEN[sign]}` for {sign}"
    if problem in (_MISPLACED, _SIDE_BY_SIDE) and (word := _CAPITALS.search(text)):
        column, problem = word.start(), f"write `{word[0].lower()}` for {word[0]}"
    if error.msg.startswith("invalid character"):
        problem = error.msg  # it names the character
    source.fail_at(line, min(column, len(source.lines[line - 1])), problem)


def _other_sign(source: Source, line: int, column: int) -> str:
    """The sign of another language beside a place, "" if there is none."""
    text = source.lines[line - 1][max(0, column - 1) : column + 3].replace("!=", "  ")
    return next((sign for sign in _WRITTEN if sign in text), "")


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


def _first_unmatched(lines: tuple[str, ...]) -> tuple[int, int]:
    """Line (from 1) and column (from 0) of the bracket that closes the added one."""
    depth = 0
    for number, line in enumerate(lines, start=1):
        for column, character in enumerate(line):
            depth += (character == "(") - (character == ")")
            if depth == 0:
                return number, column
    return 1, 0


def _is_deep(tree: ast.expr) -> bool:
    level: list[ast.AST] = [tree]
    for _ in range(3 * MAX_DEPTH):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return False
    return True


# --- advice ---------------------------------------------------------------------------------------

# What is wrong with a part of an expression, and what to write instead.


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
"""Words of other languages -> what is written here."""
_IN_WORDS = {PROVINCE: "code", UNIT: "kind"}
"""What is usually meant when an object is compared with a text."""
_MAX_LISTED = 250  # characters of the names that a message lists


def not_in_the_language(tree: ast.expr) -> str:
    """About a construct of Python that the rule language lacks."""
    if isinstance(tree, ast.BinOp | ast.UnaryOp):
        return f"{SIGNS.get(type(tree.op), 'this sign')} is not part of the rule language"
    what = WORDS.get(type(tree), "this")
    return f"{what} is not part of the rule language{_INSTEAD.get(what, '')}"


def not_of_type(found: Type, wanted: Type) -> str:
    """About an expression of another type than the one that is wanted."""
    is_set = wanted == TRUTH and found.item is not None
    hint = "; ask with some(), any() or all()" if is_set else ""
    return f"this should be a {wanted}, but it is a {found}{hint}"


def without_facts(of: Type, fact: str) -> str:
    """About a fact of something that has none."""
    hint = f"; ask its members: any(x.{fact} ... for x in ...)" if of.item is not None else ""
    return f"a {of} has no facts, so .{fact} means nothing{hint}"


def not_comparable(left: Type, right: Type) -> str:
    """About two values of different types between which a comparison stands."""
    thing = left if right == TEXT else right if left == TEXT else None
    hint = f"; compare its .{_IN_WORDS[thing]}" if thing in _IN_WORDS else ""
    return f"a {left} cannot be compared with a {right}{hint}"


def nearest(name: str, known: Mapping[str, object]) -> str:
    """The name that was meant instead of an unknown one, or all that are known if they are few."""
    listed = ", ".join(known)
    few = f"known here: {listed}" if 0 < len(listed) <= _MAX_LISTED else ""
    elsewhere = _ELSEWHERE.get(name)
    return f"; {elsewhere}" if elsewhere else hint(name, known, otherwise=few)
