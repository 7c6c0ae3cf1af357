"""Entries that add to what the files below say of the same entry, or change it.

`base` in an expression means what these files say. In a mapping of conditions, `base: kept` keeps
theirs: a condition that is given adds to them or replaces the one of its name, and `NAME: removed`
takes one away. `base and ...` keeps named conditions, too. Without `base`, an entry replaces the
whole of what is below.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, takewhile

from dipsat.documents import Node
from dipsat.errors import DocumentError, ProfileError, did_you_mean
from dipsat.game.conditions import IF_NOT_STATED
from dipsat.language.parse import Source, parse_expression
from dipsat.profiles.layers import Stated

BASE = "base"
"""The word for what the files below say."""
KEPT, REMOVED = "kept", "removed"
BUILDING = ("define", "legal", "decisions", "results")
"""The sections whose entries may build on those below."""
_MENTIONED = re.compile(r"\bbase\b")
_WORD = re.compile(r"""("[^"]*"|'[^']*')|(?<![\w.])[A-Za-z_]\w*""")


@dataclass(frozen=True, slots=True)
class Part:
    """A condition of an entry, or the whole of it: its name ("" if it has none), the entry's key
    and section, and its expression, in which `base` means the parts `base`. If it `joins`, its
    expression is `base and ...`, of which the base stands as parts of their own beside it."""

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
    above = list(takewhile(lambda one: builds_on_base(one[2]), reversed(stated)))
    return tuple(stated[-len(above) - 1 :])


def parts_of(stated: Sequence[Stated]) -> tuple[Part, ...]:
    """The parts of an entry that files say something about, the earliest first.

    Raises `ProfileError` for a removed condition that there is not, `base` with another word than
    `kept`, and `base` where nothing is below.
    """
    parts: tuple[Part, ...] = ()
    for key, section, value in still_stated(stated):
        if isinstance(value.value, Mapping):
            parts = _changed(parts, key, section, value)
        elif any(part.name for part in parts) and _joins(value):
            unnamed = tuple(part for part in parts if not part.name)
            named = (part for part in parts if part.name)
            parts = (*named, Part("", key, section, value, unnamed, joins=not unnamed))
        else:
            parts = (Part("", key, section, value, parts),)
    return parts


def nothing_below(name: str) -> str:
    """What is wrong with `base` in an entry of which no file below says anything."""
    usual = IF_NOT_STATED.get(name)
    hint = f"; write it out, what holds without an entry is `{usual}`" if usual else ""
    return f"`{BASE}` is what the files below say here, but none of them has it{hint}"


def _changed(below: tuple[Part, ...], key: str, section: Node, value: Node) -> tuple[Part, ...]:
    """The parts when a mapping of conditions is laid over those below."""
    stated = value.mapping()
    named = {part.name: part for part in below}
    found: dict[str, Part] = {}
    if BASE in stated:
        if stated[BASE].text(BASE) != KEPT:
            problem = f"write `{BASE}: {KEPT}`, which keeps the conditions of the files below"
            stated[BASE].fail(problem, ProfileError)
        if not below:
            stated[BASE].fail(f"no file below says anything of {key}", ProfileError)
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
    rest = [one for one in tree.values if not (isinstance(one, ast.Name) and one.id == BASE)]
    return rest if len(rest) < len(tree.values) else []


def _without_base(source: Source) -> Source:
    assert isinstance(source.tree, ast.BoolOp)
    rest = _others(source.tree)
    tree = rest[0] if len(rest) == 1 else ast.copy_location(ast.BoolOp(ast.And(), rest), rest[0])
    return replace(source, tree=tree)


def whole_text(part: Part) -> str:
    """The expression as text, with what `base` means written out."""
    text = as_written(part.node)
    if part.joins:
        return _without_base_text(text)
    indices = indices_of(part.key)
    below = [_about(whole_text(one), indices_of(one.key), indices) for one in part.base]
    means = " and ".join(one if _is_simple(one) else f"({one})" for one in below)
    return _renamed(text, {BASE: f"({means})" if below[1:] else means} if below else {})


def _is_simple(text: str) -> bool:
    """Whether an expression needs no brackets wherever it stands."""
    return isinstance(ast.parse(f"({text}\n)", mode="eval").body, ast.Call | ast.Name)


def as_written(node: Node) -> str:
    """The text of a scalar; the lines of a block as written."""
    if node.block is None or node.value is None:
        return node.raw
    return node.block[0].strip("\n")


def indices_of(key: str) -> list[str]:
    """The names of the indices of an entry: `m` of `move(m)`."""
    return re.findall(r"\w+", key.partition("(")[2])


def _about(text: str, old: Sequence[str], new: Sequence[str]) -> str:
    """An expression over other indices. Bound variables of these names get others."""
    names = {one: other for one, other in zip(old, new, strict=False) if one != other}
    if not names:
        return text
    taken = {match[0] for match in _WORD.finditer(text)} | {*new}
    for name in set(names.values()) & taken - names.keys():
        names[name] = next(f"{name}{at}" for at in count(2) if f"{name}{at}" not in taken)
    return _renamed(text, names)


def _renamed(text: str, names: Mapping[str, str]) -> str:
    """A text with other words in place of some; quoted texts and facts stay."""
    return _WORD.sub(lambda match: match[0] if match[1] else names.get(match[0], match[0]), text)


def _without_base_text(text: str) -> str:
    """The rest of `base and ...`."""
    found = re.sub(r"^\s*base\s+and\s+", "", text)
    if found == text:
        found = re.sub(r"\s+and\s+base(?=\s*$|\s+and\b)", "", text)
    return found
