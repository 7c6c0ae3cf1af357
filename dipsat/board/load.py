"""Maps by name or from a file, and maps that change another map.

`extends` names the other map; everything else states what differs. Mappings are merged key by key,
at every depth; a key set to null removes what was there; any other value replaces the old one (as
in RFC 7396).
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from dipsat.board.changes import Changes, changes_of
from dipsat.board.faults import hint
from dipsat.board.map import Map
from dipsat.board.read import read_map
from dipsat.board.remarks import Remark, remarks
from dipsat.document_kinds import MAP_FILE, refuse_other_kinds
from dipsat.documents import Node, is_yaml_path, of_wrong_ending, parse_yaml, read_text
from dipsat.errors import DocumentError, FileError, MapError, ProblemsError, UnknownNameError
from dipsat.files.named import ANYWHERE, by_caller, is_foreign, note_foreign, without_foreign
from dipsat.limits import UNLIMITED, Limits, allowed_files, reading, reading_names_in, running
from dipsat.resources import data_folder

__all__ = ["check_map", "load_map", "map_names", "parse_map"]

DEFAULT_MAP = "standard"
"""The map that is used where none is named."""

_WHAT = "a map"
_MAX_EXTENDED = 10  # maps that extend one another


def load_map(name: str | Path | Map, *, limits: Limits = UNLIMITED) -> Map:
    """Return the map `name`: the name of a shipped map, the path of a map file, or the map itself.

    The same name gives the same object. `limits.files` says which files `name` may stand for, if it
    is a text, and which ones the map may extend; a `Path` is read in any case. Raises
    `UnknownNameError`, `FileError`, `DocumentError`, `ProblemsError` with all contradictions in the
    file, or `LimitError` if `limits.seconds` are not enough.
    """
    if isinstance(name, Map):
        return name
    with running(limits):
        return _named(name)[1]


def _named(name: str | Path) -> tuple[Node, Map]:
    """The whole document of a map, with what it extends, and the map."""
    if isinstance(name, Path):  # the caller's own, unless a document names it
        return _read(read_text(name, files=by_caller(allowed_files())), str(name))
    if is_yaml_path(name):
        return _read(read_text(name, files=allowed_files()), name)
    if name in map_names():
        return _shipped(name)
    hint = of_wrong_ending(name, allowed_files())
    raise UnknownNameError("map", name, map_names(), hint=hint, listed_by="dipsat maps list")


@lru_cache(maxsize=64)
def _shipped(name: str) -> tuple[Node, Map]:
    with reading(ANYWHERE):
        root, changes = extended(shipped_document(name), {})
        return root, read_map(root, changes)


def parse_map(text: str, path: str, *, limits: Limits = UNLIMITED) -> Map:
    """Return the map that a YAML text describes. `path` names the text in errors; a map that the
    text extends is looked for beside that path, among `limits.files`. Raises the errors of
    `load_map`."""
    with running(limits):
        return _read(text, path)[1]


def _read(text: str, path: str) -> tuple[Node, Map]:
    """The same for a text."""
    foreign = dict[str, str]()
    with reading_names_in(path):
        if is_foreign(allowed_files(), path):
            note_foreign(foreign, path, "")
        try:
            whole, changes = extended(parse_yaml(text, path), foreign)
            return whole, read_map(whole, changes)
        except (DocumentError, ProblemsError) as error:
            raise without_foreign(error, foreign, _WHAT) from None


def check_map(name: str | Path, *, limits: Limits = UNLIMITED) -> tuple[Map, tuple[str, ...]]:
    """Return a map as `load_map` does, and remarks on oddities that are no contradictions, such as
    places that no unit can reach or powers without anything, each with file, line and column.

    `limits` and the errors are those of `load_map`.
    """
    with running(limits):
        root, board = _named(name)
        return board, tuple(_placed(root, remark) for remark in remarks(board))


def _placed(root: Node, remark: Remark) -> str:
    section = root.value[remark.section]
    node = section.value.get(remark.key, section) if remark.key else section
    return f"{node.place}: {remark.text}"


def map_names() -> tuple[str, ...]:
    """Return the names of the shipped maps."""
    return tuple(sorted(path.stem for path in maps_folder().glob("*.yaml")))


def shipped_document(name: str) -> Node:
    """The file of a shipped map, as written."""
    return _document(maps_folder() / f"{name}.yaml")


@lru_cache(maxsize=2)  # most users' maps extend the same one
def _document(path: Path) -> Node:
    return parse_yaml(read_text(path), f"rules/maps/{path.name}")


def is_shipped(board: Map) -> bool:
    """Whether a map is shipped, and so can be named by its name alone."""
    return board.path == f"rules/maps/{board.name}.yaml"


def maps_folder() -> Path:
    """Where the shipped maps are."""
    return data_folder("rules") / "maps"


def extended(root: Node, foreign: dict[str, str]) -> tuple[Node, Changes]:
    """The whole map of a document that extends another, and what it changes in that; any other
    document as it is. The paths of files in other folders are added to those that are `foreign`.

    Raises `MapError` for an unknown name or a circle, and what reading the other file raises. A
    removed key that was not there is among the faults of the changes.
    """
    chain = [root]
    seen = {root.path}
    refuse_other_kinds(chain[0], MAP_FILE)
    while isinstance(chain[-1].value, dict) and "extends" in chain[-1].value:
        node = chain[-1].value["extends"]
        base = _base(node, foreign)
        if base.path in seen or len(chain) >= _MAX_EXTENDED:
            node.fail(f"{root.path} extends itself, or too many maps one after another", MapError)
        seen.add(base.path)
        base.mapping(what="a map")
        chain.append(base)
    changes = changes_of(chain, foreign)
    whole, faults = chain.pop(), list[MapError]()
    while chain:
        whole = _laid_over(whole, chain.pop(), faults)
    return whole, replace(changes, faults=tuple(faults))


def _base(node: Node, foreign: dict[str, str]) -> Node:
    name = node.text("extends")
    if is_yaml_path(name):
        path = Path(node.path).parent / name
        if is_foreign(allowed_files(), path):
            note_foreign(foreign, str(path), node.path)
        try:
            return parse_yaml(read_text(path, files=allowed_files()), str(path))
        except FileError as error:
            node.fail(f"there is no map file to extend: {error}", MapError)
    known = map_names()
    if name not in known:
        ending = of_wrong_ending(str(Path(node.path).parent / name), allowed_files())
        meant = f"; {ending}" if ending else hint(name, known)
        node.fail(f"extends an unknown map {name!r}{meant}", MapError)
    return shipped_document(name)


def _laid_over(base: Node, change: Node, faults: list[MapError]) -> Node:
    if not (isinstance(base.value, dict) and isinstance(change.value, dict)):
        return change
    entries = dict(base.value)
    for key, node in change.value.items():
        if node.value is None and key not in entries:
            meant = hint(key, entries)
            problem = f"{key} is removed, but was not there{meant}"
            faults.append(MapError(*change.place_of(key), problem))
        if node.value is None:
            entries.pop(key, None)
        else:
            entries[key] = _laid_over(entries[key], node, faults) if key in entries else node
    keys = {key: place for key, place in (change.keys or {}).items() if key in entries}
    return replace(change, value=entries, keys=keys)
