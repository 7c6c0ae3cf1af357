"""The map that a profile names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dipsat.board.load import DEFAULT_MAP, load_map, map_names
from dipsat.board.map import Map
from dipsat.documents import Node, is_yaml_path, of_wrong_ending
from dipsat.errors import DipsatError, ProfileError, did_you_mean, shortened
from dipsat.files.named import Files, is_named_file, named_by
from dipsat.limits import reading
from dipsat.profiles.declared import Declared
from dipsat.profiles.features import marks_all
from dipsat.profiles.layers import Layers


@dataclass(frozen=True, slots=True)
class NamedMap:
    """The name or path of a map, "" for none, and which files it may be and name."""

    name: str
    files: Files


def map_named(node: Node, layers: Layers, allowed: Files) -> NamedMap:
    """The map that a node names: a shipped one, or a path beside the node's file. Raises
    `ProfileError`."""
    name = node.text("map")
    if name in map_names() or not name:
        return NamedMap(name, allowed)
    path = Path(node.path).parent / name
    files = named_by(allowed, layers.own_path(node.path))
    if not is_yaml_path(name) or not is_named_file(files, path):
        hint = of_wrong_ending(str(path), files) or did_you_mean(
            name, map_names(), "`dipsat maps list` lists the shipped ones"
        )
        node.fail(f"there is no map {shortened(name)!r}; {hint}", ProfileError)
    return NamedMap(str(path), files)


def best_map(named: Sequence[NamedMap], declared: Declared) -> NamedMap:
    """Among the maps of several files, one that marks all needed features, preferably not the
    standard map, and preferably a later one."""
    fitting = [one for one in named if marks_all(map_or_none(one), declared)] or named
    return next((one for one in reversed(fitting) if one.name != DEFAULT_MAP), fitting[-1])


def map_or_none(named: NamedMap) -> Map | None:
    """The map, by default the standard one; None if it has a fault, which dipsat reports when the
    map is used."""
    try:
        with reading(named.files):
            return load_map(named.name or DEFAULT_MAP)
    except DipsatError:
        return None
