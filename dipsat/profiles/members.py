"""Domains that a profile declares: their members, the words for them in orders, and members that
a profile removes although the files it extends still use them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import NoReturn

from dipsat.board.names import words_of
from dipsat.documents import Node, PlacedError
from dipsat.errors import DocumentError, ProfileError, UnknownMemberError, did_you_mean, shortened
from dipsat.language.types import Type
from dipsat.limits_of_input import MEMBERS
from dipsat.profiles.layers import Layers
from dipsat.profiles.standing import listed


def domain_called(name: str, node: Node) -> Type:
    """The domain of this name with the members that a node states: a list of words, or a mapping
    from the names that rule files use to the words of orders. Raises `ProfileError`."""
    if isinstance(node.value, dict | tuple) and len(node.value) > MEMBERS.most:
        node.fail(f"a domain has at most {MEMBERS.most} members", ProfileError)
    if not isinstance(node.value, dict):
        found = Type(name, None, distinct(node, "a domain"))
    else:
        seen: set[tuple[str, ...]] = set()
        for word in node.mapping(None, "a domain").values():
            text = word.text("a word for a member")
            if not words_of(text) or words_of(text) in seen:
                problem = (
                    "is listed twice" if words_of(text) in seen else "cannot be a word in orders"
                )
                word.fail(f"{text!r} {problem}", ProfileError)
            seen.add(words_of(text))
        if not seen:
            node.fail("a domain needs members: {a: one, b: other}", ProfileError)
        spelled = tuple(word.raw for word in node.value.values())
        found = Type(name, None, spelled, tuple(node.value))
    return found


def member(node: Node, domain: Type) -> str:
    """The member of a domain that a scalar names. Raises `UnknownMemberError`."""
    text = node.text(f"a {domain}")
    found = domain.member(text)
    if found is None:
        error = partial(UnknownMemberError, domain=domain.name, member=text)
        refuse_unknown(node, text, domain.names, f"not a member of {domain}", error)
    return found


def distinct(node: Node, what: str) -> tuple[str, ...]:
    """The texts that a node lists, at least one and none twice. Raises `ProfileError`."""
    values = node.texts(what)
    if not values:
        node.fail(f"{what} needs members: [a, b]", ProfileError)
    seen: set[str] = set()
    for part in node.sequence():
        if part.raw in seen:
            part.fail(f"{shortened(part.raw)!r} is listed twice", ProfileError)
        seen.add(part.raw)
    return values


def refuse_unknown(
    node: Node,
    text: str,
    known: tuple[str, ...],
    problem: str,
    error: PlacedError = ProfileError,
) -> NoReturn:
    """Raise `error` for a text that is not among the known ones."""
    hint = did_you_mean(text, known, f"known: {', '.join(known) or 'none'}")
    node.fail(f"{shortened(text)!r} is {problem}; {hint}", error)


def with_lost_members(problems: Iterable[DocumentError], layers: Layers) -> list[DocumentError]:
    """The problems, with a single one at the entry of a changed domain in place of those that it
    causes in files below, which use members that the domain used to have."""
    kept: list[DocumentError] = []
    lost: dict[str, list[UnknownMemberError]] = {}
    for problem in problems:
        if isinstance(problem, UnknownMemberError) and _is_lost(problem, layers):
            lost.setdefault(problem.domain, []).append(problem)
        else:
            kept.append(problem)
    return kept + [_at_domain(layers.stated("domains", name), lost[name]) for name in lost]


def _is_lost(problem: UnknownMemberError, layers: Layers) -> bool:
    """Whether an earlier file gives the domain this member, and it is missed in a file other than
    the one that removes it."""
    stated = layers.stated("domains", problem.domain)  # nothing for the values of an option
    return any(
        problem.path != stated[-1].path and problem.member in _names(one) for one in stated[:-1]
    )


def words_in(node: Node) -> tuple[Node, ...]:
    """The words of a domain, listed or beside the names that rule files use."""
    return tuple(node.value.values()) if isinstance(node.value, dict) else node.sequence()


def _names(node: Node) -> set[str]:
    """What a domain's members are called in rule files, by name or word."""
    names = node.value if isinstance(node.value, dict) else ()
    return {*names, *(word.raw for word in words_in(node))}


def _at_domain(stated: list[Node], lost: list[UnknownMemberError]) -> DocumentError:
    first = min(lost, key=lambda one: (one.path, one.line, one.column))
    names = listed(dict.fromkeys(one.member for one in lost))
    last = stated[-1]
    place = f"{first.path}:{first.line}:{first.column}"
    problem = f"{first.domain} lacks {names}, used at {place}"
    problem += " and later" if len(lost) > 1 else ""
    problem += f"; write {_mapping(stated)}"
    return ProfileError(last.path, last.line, last.column, problem)


def _mapping(stated: list[Node]) -> str:
    """The domain as it should be: the names of the earliest file with the new words in order."""
    first, last = stated[0], stated[-1]
    keys = list(first.value) if isinstance(first.value, dict) else list(first.texts())
    if isinstance(last.value, dict):
        words = {key: last.value[key].raw for key in keys if key in last.value}
    else:
        words = dict(zip(keys, last.texts(), strict=False))
    entries = (f"{key}: {words.get(key, '...')}" for key in keys)
    return f"{{{', '.join(entries)}}}"
