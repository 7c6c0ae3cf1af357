"""Maps that change another map: `extends` names it, everything else says what differs.

A mapping is laid over the one it changes key by key, all the way down; a key set to null leaves
out what was there; any other value takes the place of the old one (as in RFC 7396).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from dipsat.board.faults import hint
from dipsat.documents import Node, parse_yaml, read_text
from dipsat.errors import MapError
from dipsat.resources import data_folder

_MAX_EXTENDED = 10  # maps that extend one another


def map_names() -> tuple[str, ...]:
    """The names of the shipped maps."""
    return tuple(sorted(path.stem for path in _folder().glob("*.yaml")))


def is_path(name: str) -> bool:
    """Whether a text names a map file rather than a shipped map."""
    return name.endswith((".yaml", ".yml"))


def shipped_document(name: str) -> Node:
    """The file of a shipped map, as it stands."""
    path = _folder() / f"{name}.yaml"
    return parse_yaml(read_text(path), f"rules/maps/{path.name}")


def _folder() -> Path:
    return data_folder("rules") / "maps"


def extended(root: Node) -> Node:
    """The whole of a map that names another under `extends`; else the document as it is.

    Raises `MapError` for an unknown name, a circle, or a key that is left out but is not there,
    and what reading the other file raises.
    """
    chain = [root]
    seen = {root.path}
    while isinstance(chain[-1].value, dict) and "extends" in chain[-1].value:
        node = chain[-1].value["extends"]
        base = _base(node)
        if base.path in seen or len(chain) >= _MAX_EXTENDED:
            node.fail(f"{root.path} extends itself, or too many maps one after another", MapError)
        seen.add(base.path)
        chain.append(base)
    whole = chain.pop()
    while chain:
        whole = _laid_over(whole, chain.pop())
    return whole


def _base(node: Node) -> Node:
    name = node.text("extends")
    if is_path(name):
        path = Path(node.path).parent / name
        if not path.is_file():
            node.fail(f"there is no map file {str(path)!r}", MapError)
        return parse_yaml(read_text(path), str(path))
    known = map_names()
    if name not in known:
        node.fail(f"extends an unknown map {name!r}{hint(name, known)}", MapError)
    return shipped_document(name)


def _laid_over(base: Node, change: Node) -> Node:
    if not (isinstance(base.value, dict) and isinstance(change.value, dict)):
        return change
    entries = dict(base.value)
    for key, node in change.value.items():
        if node.value is None and key not in entries:
            change.fail_at_key(key, f"{key} is left out, but it was not there", MapError)
        if node.value is None:
            del entries[key]
        else:
            entries[key] = _laid_over(entries[key], node) if key in entries else node
    keys = {key: place for key, place in (change.keys or {}).items() if key in entries}
    return replace(change, value=entries, keys=keys)
