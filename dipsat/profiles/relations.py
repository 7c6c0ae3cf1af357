"""Relations between members of domains, and the properties that rules ask of them.

The language knows no more of a relation than its rows. What makes sense of it, such as that no
color is superior to one that is superior to it, a profile says by the names that mathematics has
for that; the rows are checked when the profile is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from dipsat.documents import Node
from dipsat.errors import ProfileError
from dipsat.profiles.members import member, refuse_unknown
from dipsat.profiles.syntax import Variable

_KEYS = ("rows", "properties")

Pair: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation between members of domains: one domain per place, the rows that hold, and the
    properties that it is checked to have."""

    name: str
    indices: tuple[Variable, ...]
    rows: tuple[tuple[str, ...], ...]
    properties: tuple[str, ...] = ()


def read_relation(
    name: str, indices: tuple[Variable, ...], section: Node, key: str, stated: Sequence[Node]
) -> Relation:
    """The relation with these indices that entries declare, the last of which takes the place of
    those before: of these, only properties count that no later one states.

    Raises `ProfileError`, also at a row that breaks a property.
    """
    for index in indices:
        if not index.type.members:
            problem = f"a relation is between declared domains; {index.name} is a {index.type}"
            section.fail_at_key(key, problem, ProfileError)
    listed = rows_of(stated[-1])
    rows: dict[tuple[str, ...], Node] = {}
    spelled: dict[str, str] = {}  # member -> what the rows call it
    for row in listed.sequence("a relation"):
        parts = row.sequence("a row of a relation")
        if len(parts) != len(indices):
            row.fail(f"a row of {name} has {len(indices)} members, not {len(parts)}", ProfileError)
        pairs = zip(parts, indices, strict=True)
        found = tuple(member(part, index.type) for part, index in pairs)
        rows.setdefault(found, row)
        spelled |= {one: part.raw for one, part in zip(found, parts, strict=True)}
    asked = stated_properties(stated)
    properties = () if asked is None else _properties(asked, name, indices)
    if properties:
        domain = indices[0].type
        spelled = dict(zip(domain.members, domain.names, strict=True)) | spelled
        _check(name, properties, spelled, rows, listed)
    return Relation(name, indices, tuple(sorted(rows)), properties)


def _check(
    name: str,
    properties: Iterable[str],
    spelled: Mapping[str, str],
    rows: Mapping[tuple[str, ...], Node],
    listed: Node,
) -> None:
    """Raise `ProfileError` where the rows, between members that are `spelled` so, break one."""
    pairs = {(spelled[row[0]], spelled[row[1]]): node for row, node in rows.items()}
    for one in properties:
        for broken, problem in PROPERTIES[one](pairs, tuple(spelled.values())):
            place = listed if broken is None else pairs[broken]
            place.fail(f"{name} is to be {one}, but {problem}", ProfileError)


def rows_of(node: Node) -> Node:
    """The rows that an entry lists, by themselves or beside properties."""
    if not isinstance(node.value, dict):
        return node
    fields = node.mapping(_KEYS, "a relation")
    if "rows" not in fields:
        node.fail("a relation has 'rows'", ProfileError)
    return fields["rows"]


def stated_properties(stated: Iterable[Node]) -> Node | None:
    """The properties that the last of some entries states that states any; None if none does."""
    found = None
    for node in stated:
        if isinstance(node.value, dict):
            found = node.value.get("properties", found)
    return found


def _properties(asked: Node, name: str, indices: Sequence[Variable]) -> tuple[str, ...]:
    names = asked.texts("properties")
    for node, text in zip(asked.sequence(), names, strict=True):
        if text not in PROPERTIES:
            refuse_unknown(node, text, tuple(PROPERTIES), "no property of a relation")
    if names and (len(indices) != 2 or indices[0].type != indices[1].type):
        problem = f"only a relation between two members of one domain has properties; {name} is not"
        asked.fail(problem, ProfileError)
    return names


_Pairs: TypeAlias = Mapping[Pair, object]
_Broken: TypeAlias = Iterator[tuple[Pair | None, str]]
"""The rows that break a property (None: one that is missing does), and how."""


def _reflexive(pairs: _Pairs, members: Sequence[str]) -> _Broken:
    yield from ((None, f"[{a}, {a}] is missing") for a in members if (a, a) not in pairs)


def _irreflexive(pairs: _Pairs, members: Sequence[str]) -> _Broken:
    yield from (((a, b), f"this row relates {a} to itself") for a, b in pairs if a == b)


def _symmetric(pairs: _Pairs, members: Sequence[str]) -> _Broken:
    for a, b in pairs:
        if (b, a) not in pairs:
            yield (a, b), f"[{b}, {a}] is missing"


def _antisymmetric(pairs: _Pairs, members: Sequence[str]) -> _Broken:
    for at, (a, b) in enumerate(pairs):
        if a != b and (b, a) in list(pairs)[:at]:
            yield (a, b), f"[{b}, {a}] stands there too"


def _asymmetric(pairs: _Pairs, members: Sequence[str]) -> _Broken:
    yield from _irreflexive(pairs, members)
    yield from _antisymmetric(pairs, members)


def _transitive(pairs: _Pairs, members: Sequence[str]) -> _Broken:
    for (a, b), (c, d) in product(pairs, repeat=2):
        if b == c and (a, d) not in pairs:
            yield (c, d), f"with [{a}, {b}] and [{c}, {d}], [{a}, {d}] is missing"


def _connected(pairs: _Pairs, members: Sequence[str]) -> _Broken:
    for at, a in enumerate(members):
        for b in members[at + 1 :]:
            if (a, b) not in pairs and (b, a) not in pairs:
                yield None, f"neither [{a}, {b}] nor [{b}, {a}] is there"


def _total(pairs: _Pairs, members: Sequence[str]) -> _Broken:
    yield from _reflexive(pairs, members)
    yield from _connected(pairs, members)


PROPERTIES: Mapping[str, Callable[[_Pairs, Sequence[str]], _Broken]] = {
    "reflexive": _reflexive,
    "irreflexive": _irreflexive,
    "symmetric": _symmetric,
    "antisymmetric": _antisymmetric,
    "asymmetric": _asymmetric,
    "transitive": _transitive,
    "connected": _connected,
    "total": _total,
}
"""The properties that a relation between members of one domain can be asked to have."""
