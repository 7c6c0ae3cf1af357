"""What is wrong with a part of an expression, and what to write instead."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from dipsat.errors import did_you_mean
from dipsat.language.parse import SIGNS, WORDS
from dipsat.language.types import PROVINCE, TEXT, TRUTH, UNIT, Type

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
    hint = _ELSEWHERE.get(name, "") or did_you_mean(name, known, few)
    return hint and f"; {hint}"
