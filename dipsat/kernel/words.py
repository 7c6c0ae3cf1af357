"""The vocabulary of the rule language in the kernel's C: `dipsat/kernel/runtime/board.h`."""

from __future__ import annotations

from collections.abc import Mapping

from dipsat.language.syntax import Expression
from dipsat.language.vocabulary import Word, followed, word_of

ALL_BY_UNIT: Mapping[str, str] = {
    "Unit": "f->all",
    "Move": "f->moves",
    "Support": "f->supports",
    "Convoy": "f->convoys",
}
"""A type name used as a set."""


def c_of(word: Word, kind: str) -> str:
    """A word of a type in C, for the object numbered `{x}`: a number, a truth value, the number of
    what it is, or a set; "" if the kernel does not know it."""
    if word.path:
        first, then = followed(word, kind)
        return c_of(then, first.type.name).format(x=c_of(first, kind))
    if word.mask:
        is_truth = word.type.is_truth
        return f"has_unit({word.mask}, {{x}})" if is_truth else f"(the_unit({{x}}) & {word.mask})"
    return word.c


def inverse_of(word: Word, kind: str) -> str:
    """The units for which a word of a type has a `{value}`, "" if the kernel does not know. What is
    a unit's own has the number of the unit."""
    if kind in ALL_BY_UNIT and word.path.startswith("unit."):
        return followed(word, kind)[1].inverse
    return word.inverse


def is_single(domain: Expression) -> bool:
    """Whether a set never has several members."""
    word = word_of(domain)
    return word is not None and (word.single or word.mask != "")
