"""Relations between members of domains or powers, and the properties that rules require of them.

To the language, a relation is only its rows. What makes sense of it, such as that no color is
superior to one that is superior to it, a profile states by mathematical names of properties. The
rows are checked when the profile is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from dipsat.documents import Node
from dipsat.errors import ProfileError
from dipsat.grouped import grouped
from dipsat.language.syntax import Variable
from dipsat.language.types import POWER
from dipsat.profiles.layers import Try
from dipsat.profiles.members import member, refuse_unknown
from dipsat.profiles.powers import NamedPowers

_KEYS = ("rows", "properties")

Pair: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation between members of domains, or powers: what each place is about, the rows that
    hold, and the properties that were checked."""

    name: str
    indices: tuple[Variable, ...]
    rows: tuple[tuple[str, ...], ...]
    properties: tuple[str, ...] = ()


def read_relation(
    name: str,
    indices: tuple[Variable, ...],
    section: Node,
    key: str,
    stated: Sequence[Node],
    attempt: Try,
    powers: NamedPowers,
) -> Relation | None:
    """The relation with these indices that the entries `stated` declare. The last one replaces the
    others; only their properties still count, unless a later entry states some.

    None after `attempt` has noted all faults: of keys, rows and names of properties, and each row
    that breaks a property. Raises `ProfileError` if there are no rows to check.
    """
    for index in indices:
        if not index.type.members and index.type != POWER:
            problem = "a relation is between members of declared domains, or powers; "
            problem += f"{index.name} is a {index.type}"
            section.fail_at_key(key, problem, ProfileError)
    sound = _keys_are_known(stated[-1], attempt)
    asked = stated_properties(stated)
    properties = () if asked is None else attempt(_properties, asked, name, indices, attempt)
    listed = attempt(rows_of, stated[-1])
    if listed is None:
        return None
    rows: dict[tuple[str, ...], Node] = {}
    spelled: dict[str, str] = {}  # member -> what the rows call it
    complete = True
    for row in listed.sequence("a relation"):
        found = _row(name, row, indices, attempt, powers)
        if found is None:
            complete = False
            continue
        rows.setdefault(found, row)
        spelled |= {one: part.raw for one, part in zip(found, row.sequence(), strict=True)}
    known = [one for one in properties or () if one in PROPERTIES]
    if known:
        domain = indices[0].type
        members, names = (domain.members, domain.names) if domain.members else (powers.all(),) * 2
        spelled = dict(zip(members, names, strict=True)) | spelled
        checked = known if complete else [one for one in known if one in _ABOUT_PRESENT_ROWS]
        sound &= not _broken(name, checked, spelled, rows, listed, attempt)
    if not (sound and complete) or properties is None or len(known) < len(properties):
        return None
    return Relation(name, indices, tuple(sorted(rows)), properties)


def _keys_are_known(entry: Node, attempt: Try) -> bool:
    """Whether all keys of an entry are known; notes each that is not."""
    keys = tuple(entry.value) if isinstance(entry.value, dict) else ()
    for one in keys:
        attempt(entry.check_key, one, _KEYS)
    return set(keys) <= set(_KEYS)


def _row(
    name: str, row: Node, indices: Sequence[Variable], attempt: Try, powers: NamedPowers
) -> tuple[str, ...] | None:
    """The members that a row relates; None after noting its faults."""
    parts = attempt(row.sequence, "a row of a relation")
    if parts is None:
        return None
    if len(parts) != len(indices):
        problem = f"a row of {name} has {len(indices)} members, not {len(parts)}"
        attempt(row.fail, problem, ProfileError)
        return None
    pairs = zip(parts, indices, strict=True)
    found = [
        attempt(_power, part, powers) if index.type == POWER else attempt(member, part, index.type)
        for part, index in pairs
    ]
    known = tuple(one for one in found if one is not None)
    return known if len(known) == len(found) else None


def _power(node: Node, powers: NamedPowers) -> str:
    """The power that a scalar names. Raises `ProfileError`."""
    return powers.code(node.text("a power"), partial(node.fail, error=ProfileError))


def _broken(
    name: str,
    properties: Iterable[str],
    spelled: Mapping[str, str],
    rows: Mapping[tuple[str, ...], Node],
    listed: Node,
    attempt: Try,
) -> bool:
    """Whether the rows break a property; notes each row that does. `spelled` maps members to what
    the rows call them."""
    pairs = {(spelled[row[0]], spelled[row[1]]): node for row, node in rows.items()}
    is_broken = False
    for one in properties:
        for broken, problem in PROPERTIES[one](pairs, tuple(spelled.values())):
            place = listed if broken is None else pairs[broken]
            attempt(place.fail, f"relation {name!r} should be {one}, but {problem}", ProfileError)
            is_broken = True
    return is_broken


def rows_of(node: Node) -> Node:
    """The rows that an entry lists, alone or beside properties. Raises `ProfileError`."""
    if not isinstance(node.value, dict):
        return node
    if "rows" not in node.value:
        node.fail("this relation has no 'rows'; add rows: [[a, b]], or rows: []", ProfileError)
    return node.mapping()["rows"]


def stated_properties(stated: Iterable[Node]) -> Node | None:
    """The properties of the last entry that states any; None if none does."""
    found = None
    for node in stated:
        if isinstance(node.value, dict):
            found = node.value.get("properties", found)
    return found


def _properties(
    asked: Node, name: str, indices: Sequence[Variable], attempt: Try
) -> tuple[str, ...]:
    """The properties that are required; `attempt` notes each that does not exist."""
    names = asked.texts("properties")
    for node, text in zip(asked.sequence(), names, strict=True):
        if text not in PROPERTIES:
            known = tuple(PROPERTIES)
            attempt(refuse_unknown, node, text, known, "not a property of a relation")
    if names and (len(indices) != 2 or indices[0].type != indices[1].type):
        problem = f"only a relation between two members of one domain has properties; {name} is not"
        asked.fail(problem, ProfileError)
    return names


_Pairs: TypeAlias = Mapping[Pair, object]
_Broken: TypeAlias = Iterator[tuple[Pair | None, str]]
"""The rows that break a property (None for a missing row), and how."""


def _reflexive(pairs: _Pairs, members: Sequence[str]) -> _Broken:
    yield from ((None, f"[{a}, {a}] is missing") for a in members if (a, a) not in pairs)


def _irreflexive(pairs: _Pairs, members: Sequence[str]) -> _Broken:
    yield from (((a, b), f"this row relates {a} to itself") for a, b in pairs if a == b)


def _symmetric(pairs: _Pairs, members: Sequence[str]) -> _Broken:
    for a, b in pairs:
        if (b, a) not in pairs:
            yield (a, b), f"[{b}, {a}] is missing"


def _antisymmetric(pairs: _Pairs, members: Sequence[str]) -> _Broken:
    before: set[Pair] = set()
    for a, b in pairs:
        if a != b and (b, a) in before:
            yield (a, b), f"[{b}, {a}] is there too"
        before.add((a, b))


def _asymmetric(pairs: _Pairs, members: Sequence[str]) -> _Broken:
    yield from _irreflexive(pairs, members)
    yield from _antisymmetric(pairs, members)


def _transitive(pairs: _Pairs, members: Sequence[str]) -> _Broken:
    following = grouped((a, b) for a, b in pairs)
    missing = set()
    for a, b in pairs:
        for d in following.get(b, ()):
            if (a, d) not in pairs and (a, d) not in missing:
                missing.add((a, d))
                yield (b, d), f"with [{a}, {b}] and [{b}, {d}], [{a}, {d}] is missing"


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
"""The properties that can be required of a relation between members of one domain."""

_ABOUT_PRESENT_ROWS = ("irreflexive", "antisymmetric", "asymmetric")
"""Those that no additional row can restore."""
