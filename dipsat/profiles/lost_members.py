"""Members that a profile takes out of a domain although the files it extends still use them."""

from __future__ import annotations

from collections.abc import Iterable

from dipsat.documents import Node
from dipsat.errors import DocumentError, ProfileError, UnknownMemberError
from dipsat.profiles.layers import Layers


def with_lost_members(problems: Iterable[DocumentError], layers: Layers) -> list[DocumentError]:
    """The problems, with one at the entry of a domain in place of all those that it causes
    elsewhere: there, files below use members that the domain used to have."""
    kept: list[DocumentError] = []
    lost: dict[str, list[UnknownMemberError]] = {}
    for problem in problems:
        if isinstance(problem, UnknownMemberError) and _is_lost(problem, layers):
            lost.setdefault(problem.domain, []).append(problem)
        else:
            kept.append(problem)
    return kept + [_at_domain(layers.stated("domains", name), lost[name]) for name in lost]


def _is_lost(problem: UnknownMemberError, layers: Layers) -> bool:
    """Whether the member is one that an earlier file gives to the domain, for a file other than the
    one that takes it away."""
    stated = layers.stated("domains", problem.domain)  # nothing for the values of an option
    return any(
        problem.path != stated[-1].path and problem.member in _names(one) for one in stated[:-1]
    )


def _names(node: Node) -> set[str]:
    """What a domain's members are called in rule files, by name or word."""
    words = node.value.values() if isinstance(node.value, dict) else node.sequence()
    return {*(node.value if isinstance(node.value, dict) else ()), *(word.raw for word in words)}


def _at_domain(stated: list[Node], lost: list[UnknownMemberError]) -> DocumentError:
    first = min(lost, key=lambda one: (one.path, one.line, one.column))
    members = list(dict.fromkeys(one.member for one in lost))
    names = " and ".join(filter(None, (", ".join(members[:-1]), members[-1])))
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
