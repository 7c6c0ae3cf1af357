"""Entries that add to what the files below say of the same entry, or change it.

`base` in an expression means what these files say. In a mapping of conditions, `base: kept` keeps
theirs: a condition that is given adds to them or replaces the one of its name, and `NAME: removed`
takes one away. `base and ...` keeps named conditions, too. Without `base`, an entry replaces the
whole of what is below.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, takewhile

from dipsat.documents import Node
from dipsat.errors import DocumentError, ProfileError, did_you_mean, nearest_names
from dipsat.game.conditions import IF_NOT_STATED
from dipsat.language.parse import Source, parse_expression
from dipsat.profiles.layers import Stated

BASE = "base"
"""The word for what the files below say."""
KEPT, REMOVED = "kept", "removed"
BUILDING = ("define", "legal", "decisions", "results")
"""The sections whose entries may build on those below."""
_MAX_SHOWN = 20_000  # parts of an expression written out
_LEAST = 5  # letters of a slip of `removed`
_MENTIONED = re.compile(r"\bbase\b")


@dataclass(frozen=True, slots=True)
class Part:
    """A condition of an entry, or the whole of it: its name ("" if it has none), the entry's key
    and section, and its expression, in which `base` means the parts `base`. If it `joins`, its
    expression is `base and ...`, and the parts of the base stand beside it."""

    name: str
    key: str
    section: Node
    node: Node
    base: tuple[Part, ...] = ()
    joins: bool = False

    def source(self) -> Source:
        """The expression. Raises `ProfileError` if it cannot be parsed."""
        source = parse_expression(self.node)
        return _without_base(source) if self.joins else source


def builds_on_base(value: Node) -> bool:
    """Whether an entry uses what the files below say of it."""
    if isinstance(value.value, Mapping):
        return BASE in value.value or any(map(builds_on_base, value.value.values()))
    return value.value is not None and bool(_MENTIONED.search(value.raw))


def still_stated(stated: Sequence[Stated]) -> tuple[Stated, ...]:
    """Of the files' entries of one name, the earliest first, those that still count: the last, and
    those that it builds on."""
    if len(stated) == 1:  # as most are
        return tuple(stated)
    above = list(takewhile(lambda one: builds_on_base(one[2]), reversed(stated)))
    return tuple(stated[-len(above) - 1 :])


def parts_of(stated: Sequence[Stated], known: Iterable[str] = ()) -> tuple[Part, ...]:
    """The parts of an entry that files say something about, the earliest first. `known` are the
    names of the section's entries, for hints.

    Raises `ProfileError` for a removed condition that there is not, `base` with another word than
    `kept`, and `base` where nothing is below.
    """
    parts: tuple[Part, ...] = ()
    for key, section, value in still_stated(stated):
        if isinstance(value.value, Mapping):
            parts = _changed(parts, key, section, value, known)
        elif any(part.name for part in parts) and _joins(value):
            unnamed = tuple(part for part in parts if not part.name)
            named = (part for part in parts if part.name)
            base = unnamed or parts  # `base` may stand within the rest, too
            parts = (*named, Part("", key, section, value, base, joins=not unnamed))
        else:
            parts = (Part("", key, section, value, parts),)
    return parts


_RESULTS = ("contested", "retreat", "retreat_succeeds")


def nothing_below(name: str, known: Iterable[str] = ()) -> str:
    """What is wrong with `base` in an entry that no file below states; those `known` are stated."""
    usual = IF_NOT_STATED.get(name)
    hint = f"; write it out, what holds without an entry is `{usual}`" if usual else ""
    if not usual and (
        meant := did_you_mean(name, [one for one in (*known, *_RESULTS) if one != name])
    ):
        hint = f" under the name {name!r}; {meant}"
    return f"`{BASE}` is what the files below say here, but none of them has it{hint}"


def of_removal(word: str) -> str:
    """A hint if a word that means nothing here is `removed`, perhaps misspelt."""
    if word == REMOVED:
        return f"; `{REMOVED}` takes away only a named condition of a decision of the files below"
    begins = word[:1] == REMOVED[0] and len(word) >= _LEAST  # `moved` is something else
    is_slip = begins and nearest_names(word, (REMOVED,), 1)
    return f"; write `{REMOVED}` to take away a condition of the files below" if is_slip else ""


def name_is_taken(name: str, section: str = "") -> str:
    """What is wrong with an entry that has the name of something else: of an entry of a section, or
    of a word of the language."""
    hint = (
        f": it stands under `{section}`; to change {name}, write it there, else choose another name"
    )
    return f"{name!r} already means something else{hint if section else ''}"


def _changed(
    below: tuple[Part, ...], key: str, section: Node, value: Node, known: Iterable[str]
) -> tuple[Part, ...]:
    """The parts when a mapping of conditions is laid over those below."""
    stated = value.mapping()
    named = {part.name: part for part in below}
    found: dict[str, Part] = {}
    if BASE in stated:
        if stated[BASE].text(BASE) != KEPT:
            problem = f"write `{BASE}: {KEPT}`, which keeps the conditions of the files below"
            stated[BASE].fail(problem, ProfileError)
        if not below:
            name = key.partition("(")[0].strip()
            meant = did_you_mean(name, (one for one in known if one != name))
            problem = f"no file below says anything of {key}{meant and f'; {meant}'}"
            stated[BASE].fail(problem, ProfileError)
        found = dict(named)
    for name, node in stated.items():
        if name == BASE:
            continue
        if node.value is not None and node.raw == REMOVED:
            if name not in found:
                hint = did_you_mean(name, filter(None, named), f"known: {', '.join(named)}")
                problem = f"there is no condition {name!r} to remove; {hint}"
                value.fail_at_key(name, problem, ProfileError)
            del found[name]
            continue
        under = (named[name],) if name in named else ()
        found[name] = Part(name, key, section, node, under)
    return tuple(found.values())


def _joins(node: Node) -> bool:
    """Whether an expression is `base and ...`."""
    try:
        tree = parse_expression(node).tree
    except DocumentError:
        return False
    return isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And) and _others(tree) != []


def _others(tree: ast.BoolOp) -> list[ast.expr]:
    """The other operands, if one is `base`."""
    rest = [one for one in tree.values if not is_base(one)]
    return rest if len(rest) < len(tree.values) else []


def _without_base(source: Source) -> Source:
    assert isinstance(source.tree, ast.BoolOp)
    rest = _others(source.tree)
    tree = rest[0] if len(rest) == 1 else ast.copy_location(ast.BoolOp(ast.And(), rest), rest[0])
    return replace(source, tree=tree)


def whole_text(part: Part) -> str:
    """The expression as text, with what `base` means written out.

    Raises `ProfileError` for one that would be too long.
    """
    if not part.joins and not _uses_base(part.source().tree):
        return as_written(part.node)
    return ast.unparse(_whole_tree(part))


def _whole_tree(part: Part) -> ast.expr:
    """The syntax tree, with the trees that `base` means in it."""
    tree = copy.deepcopy(part.source().tree)
    if not part.base or not _uses_base(tree):
        return tree
    below = [_whole_tree(one) for one in part.base]
    own, size = (sum(1 for one in trees for _ in ast.walk(one)) for trees in ((tree,), below))
    times = sum(map(is_base, ast.walk(tree)))
    if own + size * times > _MAX_SHOWN:
        part.node.fail("with `base` written out, this is too long to show", ProfileError)
    taken = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name)}
    taken |= {*indices_of(part.key)}
    for at, (one, stated) in enumerate(zip(below, part.base, strict=True)):
        names = _other_names(one, indices_of(stated.key), indices_of(part.key), taken)
        below[at] = _Words(names).visit(one)
    means = below[0] if len(below) == 1 else ast.BoolOp(ast.And(), below)
    found: ast.expr = _InPlaceOfBase(means).visit(tree)
    return found


def _uses_base(tree: ast.AST) -> bool:
    return any(map(is_base, ast.walk(tree)))


def is_base(node: ast.AST) -> bool:
    """Whether a part of an expression is the word `base`."""
    return isinstance(node, ast.Name) and node.id == BASE


def _other_names(
    tree: ast.expr, old: Sequence[str], new: Sequence[str], taken: set[str]
) -> dict[str, str]:
    """The names that an expression must get to stand in another entry: of its indices, and of bound
    variables that would mean something there."""
    names = dict(zip(old, new, strict=False))
    used = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name)}
    for part in ast.walk(tree):
        if isinstance(part, ast.comprehension) and isinstance(part.target, ast.Name):
            name = part.target.id
            if name in taken and name not in names:
                free = (f"{name}{at}" for at in count(2))
                names[name] = next(one for one in free if one not in taken | used)
    return names


class _Words(ast.NodeTransformer):
    """Puts other words in place of names."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """The name, or the other word."""
        return ast.Name(self.names.get(node.id, node.id), node.ctx)


class _InPlaceOfBase(ast.NodeTransformer):
    """Puts an expression in place of `base`."""

    def __init__(self, means: ast.expr) -> None:
        self.means = means

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """The name, or the expression."""
        return copy.deepcopy(self.means) if is_base(node) else node


def as_written(node: Node) -> str:
    """The text of a scalar; the lines of a block as written."""
    if node.block is None or node.value is None:
        return node.raw
    return node.block[0].strip("\n")


def indices_of(key: str) -> list[str]:
    """The names of the indices of an entry: `m` of `move(m)`."""
    return re.findall(r"\w+", key.partition("(")[2])
