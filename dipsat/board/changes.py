"""What a map file changes in the map that it extends, so that errors name the file's own lines."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from dipsat.board.names import words_of
from dipsat.documents import Node
from dipsat.errors import MapError, nearest_names

Place: TypeAlias = tuple[str, int, int]
"""A path, a line and a column."""

_NAMED = ("provinces", "powers", "coasts")
"""The sections whose keys are the names that others in the map refer to."""


@dataclass(frozen=True, slots=True)
class Changes:
    """The names that files change, the top ones first, and the whole map below them."""

    places: Mapping[str, Place] = field(default_factory=dict)
    """Name of a section, province, power or coast -> where it is changed."""
    removed: frozenset[str] = frozenset()
    """The names among these that are removed."""
    base: Node | None = None
    """The map that is extended, None if there is none."""
    hidden: Collection[str] = ()
    """The paths of files that errors must not mention, because the caller may not read them."""
    faults: tuple[MapError, ...] = ()
    """The changes of what is not there."""

    def of(self, path: str, names: Sequence[str]) -> str | None:
        """The first of these names that another file than that of `path` changes."""
        return next(
            (one for one in names if one in self.places and self.places[one][0] != path), None
        )

    @property
    def _shown(self) -> Node | None:
        """The map that is extended, if errors may mention it."""
        return None if self.base is None or self.base.path in self.hidden else self.base

    def is_new(self, section: str, name: str) -> bool:
        """Whether the map that is extended has no such entry."""
        return self._shown is not None and name not in _section(self._shown, section)

    def meant(self, section: str, name: str) -> str:
        """Which entry of the map that is extended a new name may mean, in words; "" for none."""
        base = self._shown
        if base is None:
            return ""
        known = {code: code for code in _section(base, section)} | dict(_names(base, section))
        close = nearest_names(name, known, 1)
        if not close:
            return ""
        code = known[close[0]]
        if code in _section(base, "impassable"):
            return f"did you mean {code}, which is impassable on {_title(base)}?"
        return f"did you mean {code}?"


def changes_of(chain: Sequence[Node], hidden: Collection[str] = ()) -> Changes:
    """The changes that a chain of files makes. Earlier files take precedence over later ones, and
    the last extends nothing. Errors do not mention `hidden` files."""
    places: dict[str, Place] = {}
    removed = set[str]()
    for root in chain[:-1]:
        for holder, key, node in _changed(root):
            if key not in places and node.value is None:
                removed.add(key)
            places.setdefault(key, holder.place_of(key))
    return Changes(places, frozenset(removed), chain[-1] if len(chain) > 1 else None, hidden)


def _changed(root: Node) -> Iterator[tuple[Node, str, Node]]:
    """The named entries of a file, then its sections."""
    for section in _NAMED:
        for name, node in _section(root, section).items():
            yield root.value[section], name, node
    yield from ((root, key, node) for key, node in root.value.items())


def _section(root: Node, name: str) -> Mapping[str, Node]:
    node = root.value.get(name) if isinstance(root.value, dict) else None
    return node.value if node is not None and isinstance(node.value, dict) else {}


def _names(root: Node, section: str) -> Iterator[tuple[str, str]]:
    """(name, code) of every entry of a section, and of the lands that no unit enters."""
    for code, node in _section(root, section).items():
        fields = node.value if isinstance(node.value, dict) else {}
        listed = fields["aliases"].value if "aliases" in fields else ()
        for one in (fields.get("name"), *(listed if isinstance(listed, tuple) else ())):
            if one is not None and words_of(one.raw):
                yield one.raw, code
    if section == "provinces":
        yield from ((land.raw, code) for code, land in _section(root, "impassable").items())
        yield from ((code, code) for code in _section(root, "impassable"))


def _title(root: Node) -> str:
    node = root.value.get("name") if isinstance(root.value, dict) else None
    return f"the map {node.raw}" if node is not None else "the other map"
