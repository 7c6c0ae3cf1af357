"""The start of a new map file, with comments that say how to go on.

The templates are in `rules/templates/maps`. Each is a map file that loads. In its comments, BASE is
the map that it extends, and FILE the file itself.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from dipsat.board.load import load_map, parse_map
from dipsat.board.map import Map
from dipsat.documents import is_yaml_path, name_from, parse_yaml, read_text
from dipsat.errors import DipsatError, FileError
from dipsat.resources import data_folder

_WORDS = re.compile(r"\b(BASE|FILE)\b")


def map_start(file: str, base: str = "") -> str:
    """The text of a map file at the path `file`: a small map, or one that changes the map `base` (a
    name as `load_map` takes it; a path is relative to the current folder). It loads.

    Raises `FileError` for a path that is not a YAML file's or a map without a place for a further
    centre, and what `load_map` raises.
    """
    if not is_yaml_path(file):
        raise FileError(file, f"is not a YAML file; call it {file}.yaml")
    folder = data_folder("rules") / "templates" / "maps"
    text = read_text(folder / ("changed.yaml" if base else "island.yaml"))
    text = _WORDS.sub(lambda found: base if found[0] == "BASE" else file, text)
    text = _with(text, "name", _scalar(Path(file).stem))
    if base:
        text = _changed(text, load_map(base), _beside(base, file), file)
    parse_map(text, file)
    return text


def _changed(text: str, board: Map, extends: str, file: str) -> str:
    """The change of the standard map made one of another."""
    places = [code for code, one in board.provinces.items() if one.kind != "sea" and not one.supply]
    if not places:
        problem = f"is not written: every province of {board.name} is a supply centre already"
        raise FileError(file, problem)
    text = _with(text, "extends", extends)
    text = text.replace("BOH:", f"{_scalar(places[0])}:")
    if not board.players:
        raise FileError(file, f"is not written: {board.name} has no power that plays")
    power = board.powers[board.players[0]]
    text = text.replace("AUSTRIA:", f"{_scalar(power.name)}:")
    text = text.replace("[A BUD, A VIE]", f"[{', '.join(power.start[:-1])}]")
    most = len(board.centers)
    more = min((board.victory or most // 2 + 1) + 2, most)
    return text.replace("victory: 20", f"victory: {more}")


def _with(text: str, key: str, value: str) -> str:
    """A map with another value of a key."""
    return re.sub(rf"^{key}: .*$", lambda _: f"{key}: {value}", text, count=1, flags=re.MULTILINE)


def _beside(name: str, file: str) -> str:
    """A map as a file at that path must name it."""
    return _scalar(name_from(Path(file).parent, name))


def _scalar(text: str) -> str:
    """A text as a YAML value."""
    try:
        node = parse_yaml(f"k: {text}", "").mapping()["k"]
    except (DipsatError, KeyError):
        return json.dumps(text, ensure_ascii=False)
    return text if node.value == text else json.dumps(text, ensure_ascii=False)
