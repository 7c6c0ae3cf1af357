"""Domains that a profile declares: their members, and the words for them in orders."""

from __future__ import annotations

from functools import partial
from typing import NoReturn

from dipsat.board.names import words_of
from dipsat.documents import Node, PlacedError
from dipsat.errors import ProfileError, UnknownMemberError, nearest_names
from dipsat.language.types import Type

_MAX_MEMBERS = 50  # of a domain


def domain_called(name: str, node: Node) -> Type:
    """The domain of this name with the members that a node states: a list of words, or a mapping
    from the names that rule files use to the words of orders. Raises `ProfileError`."""
    if not isinstance(node.value, dict):
        found = Type(name, None, distinct(node, "a domain"))
    else:
        seen: set[tuple[str, ...]] = set()
        for word in node.mapping(None, "a domain").values():
            text = word.text("a word for a member")
            if not words_of(text) or words_of(text) in seen:
                problem = (
                    "stands here twice" if words_of(text) in seen else "is no word for a member"
                )
                word.fail(f"{text!r} {problem}", ProfileError)
            seen.add(words_of(text))
        if not seen:
            node.fail("a domain needs members: {a: one, b: other}", ProfileError)
        spelled = tuple(word.raw for word in node.value.values())
        found = Type(name, None, spelled, tuple(node.value))
    if len(found.members) > _MAX_MEMBERS:
        node.fail(f"a domain has at most {_MAX_MEMBERS} members", ProfileError)
    return found


def member(node: Node, domain: Type) -> str:
    """The member of a domain that a scalar names. Raises `UnknownMemberError`."""
    text = node.text(f"a {domain}")
    found = domain.member(text)
    if found is None:
        error = partial(UnknownMemberError, domain=domain.name, member=text)
        refuse_unknown(node, text, domain.names, f"no {domain}", error)
    return found


def distinct(node: Node, what: str) -> tuple[str, ...]:
    """The texts that a node lists, one at least and none twice. Raises `ProfileError`."""
    values = node.texts(what)
    if not values:
        node.fail(f"{what} needs members: [a, b]", ProfileError)
    for at, value in enumerate(values):
        if value in values[:at]:
            node.sequence()[at].fail(f"{value!r} stands here twice", ProfileError)
    return values


def refuse_unknown(
    node: Node,
    text: str,
    known: tuple[str, ...],
    problem: str,
    error: PlacedError = ProfileError,
) -> NoReturn:
    """Raise `error` for a text that is none of those that are known."""
    close = nearest_names(text, known, 1)
    hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(known) or 'none'}"
    node.fail(f"{text!r} is {problem}; {hint}", error)
