"""Maps by name or from a file: loading a map, remarks on its oddities, and starting a new one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path

from dipsat.base import (
    ANYWHERE,
    MAP_FILE,
    NAMES_FILE,
    UNLIMITED,
    Limits,
    Node,
    allowed_files,
    by_caller,
    data_folder,
    is_foreign,
    is_named_file,
    is_yaml_path,
    name_from,
    note_foreign,
    of_wrong_ending,
    parse_yaml,
    reached,
    read_text,
    reading,
    reading_names_in,
    refuse_other_kinds,
    running,
    without_foreign,
)
from dipsat.board.language import with_language
from dipsat.board.map import Map
from dipsat.board.province import UnitKind
from dipsat.board.read import Changes, changes_of, read_map
from dipsat.errors import (
    DipsatError,
    DocumentError,
    FileError,
    MapError,
    ProblemsError,
    UnknownNameError,
    hint,
    shortened,
)

# --- remarks --------------------------------------------------------------------------------------

# Oddities of a map that are not contradictions, such as a coast that no fleet can reach.


_TYPED = re.compile(r"[^\W_]+")  # one word, as the reader of orders splits text


def _about_places(board: Map, root: Node) -> Iterator[str]:
    """Provinces and coasts that nothing can reach, or that no order can name, with their places in
    the file."""
    nodes = root.value["provinces"]
    fleets = reached(_sources(board, UnitKind.FLEET), lambda place: board.fleet.get(place, ()))
    seas = board.seas.intersection(fleets)
    armies = reached(_sources(board, UnitKind.ARMY), _army_step(board, seas))
    if not board.centers:
        yield f"{nodes.place}: no province is a supply centre"
    for code, province in board.provinces.items():
        at = nodes.value[code].place
        if not _TYPED.fullmatch(code):
            text = f"the code {code!r} is not all letters and digits: no order can be read with it"
            yield f"{at}: {text}"
        places = [place for place in province.locations if place in fleets]
        if not places and code not in armies:
            yield f"{at}: {code} cannot be reached by any unit that starts or can be built"
        elif province.kind == "coast" and len(places) < len(province.locations):
            lost = " and ".join(p for p in province.locations if p not in places)
            yield f"{at}: no fleet can reach the coast {lost}"


def _sources(board: Map, kind: UnitKind) -> Iterator[str]:
    """Where units of a kind start, or can be built."""
    for power in board.powers.values():
        for unit in power.start:
            if unit.startswith(kind):
                yield unit.partition(" ")[2]
    everywhere = board.build.startswith("any")
    homes = {code for power in board.powers.values() for code in power.home}
    for code in board.centers if everywhere else homes:
        province = board.provinces[code]
        if kind is UnitKind.ARMY and province.kind != "sea":
            yield code
        elif kind is UnitKind.FLEET and province.kind != "land":
            yield from province.locations


def _army_step(board: Map, seas: frozenset[str]) -> Callable[[str], Iterable[str]]:
    """An army's steps: by land, or over water through `seas`, where fleets can be."""

    def step(place: str) -> Iterable[str]:
        if place in board.coastal or place in seas:
            wet = (board.coastal if place in seas else frozenset()) | seas
            yield from board.water.get(place, frozenset()) & wet
        yield from board.army.get(place, ())

    return step


def _about_powers(board: Map, root: Node) -> Iterator[str]:
    """Powers without starting units or home centres, with their places in the file."""
    begins_with_builds = board.first_phase.endswith("A")
    for name, power in board.powers.items():
        at = root.value["powers"].value[name].place
        if not power.start and not begins_with_builds:
            yield f"{at}: {name} has no units at the start"
        if not (power.neutral or power.home or board.build in ("any", "home-any")):
            yield f"{at}: {name} has no home centres to build in"


# --- load -----------------------------------------------------------------------------------------


DEFAULT_MAP = "standard"
"""The map that is used where none is named."""

_MAX_EXTENDED = 10  # maps that extend one another, and files of names laid over one map


def load_map(name: str | Path | Map, *, limits: Limits = UNLIMITED) -> Map:
    """Return the map `name`: the name of a shipped map, the path of a map file, or the map itself.
    Names in another language may be added to a name or path: `standard+german`,
    `mine.yaml+names.yaml`.

    The same name gives the same object. `limits.files` says which files the map may extend and, if
    `name` is a text, which files it may refer to; a `Path` is always read. Raises
    `UnknownNameError`, `FileError`, `DocumentError`, `ProblemsError` with all contradictions in the
    file, or `LimitError` if `limits.seconds` are not enough.
    """
    if isinstance(name, Map):
        return name
    with running(limits):
        return _named(name)[1]


def _named(name: str | Path) -> tuple[Node, Map]:
    """The whole document of a map, including what it extends, and the map."""
    if isinstance(name, Path):  # the caller's own, unless a document names it
        return _read(read_text(name, files=by_caller(allowed_files())), str(name))
    base, plus, names = name.rpartition("+")
    if name.count("+") > _MAX_EXTENDED:
        raise UnknownNameError("map", name, ())
    if is_shipped_map(name):
        return _shipped(name)
    if is_yaml_path(name) and not (plus and not is_named_file(allowed_files(), name)):
        return _read(read_text(name, files=allowed_files()), name)
    if plus:
        return _spoken(*_named(base), names)
    hint = of_wrong_ending(name, allowed_files())
    if name in language_names():
        hint = f"these are names for a map; write {DEFAULT_MAP}+{name}"
    raise UnknownNameError("map", name, map_names(), hint=hint, listed_by="dipsat maps list")


@lru_cache(maxsize=64)
def _shipped(name: str) -> tuple[Node, Map]:
    with reading(ANYWHERE):
        base, plus, names = name.rpartition("+")
        if plus:
            return _spoken(*_shipped(base), names)
        root, changes = extended(shipped_document(name), {})
        return root, read_map(root, changes)


def _spoken(root: Node, board: Map, names: str) -> tuple[Node, Map]:
    """A map with its document, and names in another language laid over it."""
    path = f"{board.name if is_shipped(board) else board.path}+{names}"
    if names in language_names():
        text = read_text(_languages_folder() / f"{names}.yaml")
        document = parse_yaml(text, f"rules/languages/{names}.yaml")
        return root, with_language(board, document, _home_of(document) or board, path)
    if not is_yaml_path(names):
        raise UnknownNameError("names for a map", names, language_names(), list_known=True)
    text = read_text(names, files=allowed_files())
    with _veiling(names, NAMES_FILE):
        document = parse_yaml(text, names)
        refuse_other_kinds(document, NAMES_FILE)
        return root, with_language(board, document, _home_of(document) or board, path)


def _home_of(document: Node) -> Map | None:
    """The shipped map for which a names file is written; None if it does not say. Raises
    `MapError`."""
    node = document.mapping().get("map")
    if node is None:
        return None
    if node.text("map") not in map_names():
        end = hint(node.raw, map_names(), quoted=False)
        node.fail(f"there is no shipped map {shortened(node.raw)!r}{end}", MapError)
    return _shipped(node.raw)[1]


def parse_map(text: str, path: str, *, limits: Limits = UNLIMITED) -> Map:
    """Return the map that a YAML text describes. `path` names the text in errors; a map that the
    text extends is looked for beside that path, among `limits.files`. Raises the errors of
    `load_map`."""
    with running(limits):
        return _read(text, path)[1]


def _read(text: str, path: str) -> tuple[Node, Map]:
    """Parse a text: its whole document and its map, as `_named` returns them."""
    with _veiling(path, MAP_FILE) as foreign:
        whole, changes = extended(parse_yaml(text, path), foreign)
        return whole, read_map(whole, changes)


@contextmanager
def _veiling(path: str, what: str) -> Iterator[dict[str, str]]:
    """Keep errors of the block from quoting files outside the first document's folder: the one at
    `path`, if it is outside, and those that the block adds to the yielded dict."""
    foreign = dict[str, str]()
    with reading_names_in(path):
        if is_foreign(allowed_files(), path):
            note_foreign(foreign, path, "")
        try:
            yield foreign
        except (DocumentError, ProblemsError) as error:
            raise without_foreign(error, foreign, what) from None


def check_map(name: str | Path, *, limits: Limits = UNLIMITED) -> tuple[Map, tuple[str, ...]]:
    """Return a map as `load_map` does, and remarks on oddities that are not contradictions, such as
    places that no unit can reach or powers without units. Each remark names file, line and column.

    `limits` and the errors are those of `load_map`.
    """
    with running(limits):
        root, board = _named(name)
        return board, (*_about_places(board, root), *_about_powers(board, root))


@cache
def map_names() -> tuple[str, ...]:
    """Return the names of the shipped maps."""
    return tuple(sorted(path.stem for path in maps_folder().glob("*.yaml")))


@lru_cache(maxsize=2)  # most users' maps extend the same one
def shipped_document(name: str) -> Node:
    """The file of a shipped map, parsed as it is written."""
    return parse_yaml(read_text(maps_folder() / f"{name}.yaml"), f"rules/maps/{name}.yaml")


def is_shipped(board: Map) -> bool:
    """Whether a map and the names laid over it are shipped, so that its name alone identifies
    it."""
    return board.path == (board.name if "+" in board.name else f"rules/maps/{board.name}.yaml")


@lru_cache(maxsize=64)
def is_shipped_map(name: str) -> bool:
    """Whether a name is that of a shipped map, perhaps with shipped names in other languages."""
    base, *languages = name.split("+")
    return base in map_names() and all(one in language_names() for one in languages)


def map_beside(name: str, folder: str | Path) -> str:
    """Make a map name in a document one that `load_map` takes: paths in a document are relative to
    its `folder`."""
    whole = str(Path(folder) / name)
    if is_yaml_path(name) and ("+" not in name or is_named_file(allowed_files(), whole)):
        return whole
    parts = name.split("+")
    return "+".join(str(Path(folder) / one) if is_yaml_path(one) else one for one in parts)


def maps_folder() -> Path:
    """The folder of the shipped maps."""
    return data_folder("rules") / "maps"


def extended(root: Node, foreign: dict[str, str]) -> tuple[Node, Changes]:
    """The whole document of a map, with what it extends filled in, and what it changes in the maps
    that it extends. The paths of files in other folders are added to `foreign`.

    Raises `MapError` for an unknown name or a map that extends itself, and whatever reading the
    other files raises. Removing a key that is not there is one of the `faults` of the changes.
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
        meant = f"; {ending}" if ending else hint(name, known, quoted=False)
        node.fail(f"extends an unknown map {name!r}{meant}", MapError)
    return shipped_document(name)


def _laid_over(base: Node, change: Node, faults: list[MapError]) -> Node:
    if not (isinstance(base.value, dict) and isinstance(change.value, dict)):
        return change
    entries = dict(base.value)
    for key, node in change.value.items():
        if node.value is None and key not in entries:
            meant = hint(key, entries, quoted=False)
            problem = f"{key} is removed, but was not there{meant}"
            faults.append(MapError(*change.place_of(key), problem))
        if node.value is None:
            entries.pop(key, None)
        else:
            entries[key] = _laid_over(entries[key], node, faults) if key in entries else node
    keys = {key: place for key, place in (change.keys or {}).items() if key in entries}
    return replace(change, value=entries, keys=keys)


# --- languages ------------------------------------------------------------------------------------


@cache
def language_names() -> tuple[str, ...]:
    """The languages whose names for a map are shipped."""
    return tuple(sorted(path.stem for path in _languages_folder().glob("*.yaml")))


def _languages_folder() -> Path:
    """The folder of the shipped names in other languages."""
    return data_folder("rules") / "languages"


def language_hint(board: Map, phrase: Sequence[str]) -> str:
    """Advice on folded words that cannot be read. It is "" unless they begin with a province or a
    power in a shipped language that is not laid over the map."""
    if tuple(phrase[:1]) in board.names.provinces or not is_shipped(board):
        return ""
    for one, spoken in _in_languages(board.name):
        for length in range(min(len(phrase), spoken.names.longest), 0, -1):
            words = tuple(phrase[:length])
            code, power = spoken.names.provinces.get(words), spoken.names.powers.get(words)
            if code or power:
                meant = spoken.provinces[code].name if code else power
                advice = f"name the map {spoken.name} to use {one.capitalize()} names"
                return f"this is {one.capitalize()} for {meant}; write that, or {advice}"
    return ""


def in_any_language(board: Map, text: str) -> Iterator[str]:
    """Yield a text with the words of orders and headings in English: first as read in the map's
    language, then as read in each other shipped language that changes it."""
    yield board.language.in_english(text)
    for _, spoken in _in_languages(board.name) if is_shipped(board) else ():
        if (english := spoken.language.in_english(text)) != text:
            yield english


@lru_cache(maxsize=64)  # called for every text that cannot be read
def _in_languages(name: str) -> tuple[tuple[str, Map], ...]:
    """The languages whose names are for a shipped map, each with the map in that language."""
    found = []
    for one in language_names():
        with suppress(DipsatError):  # it may be for another map
            found.append((one, load_map(f"{name}+{one}")))
    return tuple(found)


# --- start ----------------------------------------------------------------------------------------

# The start of a new map file, with comments that say what to do next.
#
# The templates are in `rules/templates/maps`. Each is a map file that loads. In its comments, BASE
# is the map that it extends, and FILE the file itself.


_WORDS = re.compile(r"\b(BASE|FILE)\b")


def map_start(file: str, base: str = "") -> str:
    """The text of a map file at the path `file`: a small map, or one that changes the map `base` (a
    name as `load_map` takes it; a path is relative to the current folder). The text loads as it is.

    Raises `FileError` for a path that is not a YAML file's, or a map with no player or no room for
    another centre, and whatever `load_map` raises.
    """
    if not is_yaml_path(file):
        raise FileError(file, f"is not a YAML file; call it {file}.yaml")
    folder = data_folder("rules") / "templates" / "maps"
    text = read_text(folder / ("changed.yaml" if base else "island.yaml"))
    text = _WORDS.sub(lambda found: base if found[0] == "BASE" else file, text)
    text = _with(text, "name", _scalar(Path(file).stem))
    if base:
        text = _changed_map(text, load_map(base), _scalar(name_from(Path(file).parent, base)), file)
    parse_map(text, file)
    return text


def _changed_map(text: str, board: Map, extends: str, file: str) -> str:
    """Adapt the template, which changes the standard map, to another map."""
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
    """The text of a map with another value for a key."""
    return re.sub(rf"^{key}: .*$", lambda _: f"{key}: {value}", text, count=1, flags=re.MULTILINE)


def _scalar(text: str) -> str:
    """A text as a YAML value."""
    try:
        node = parse_yaml(f"k: {text}", "").mapping()["k"]
    except (DipsatError, KeyError):
        return json.dumps(text, ensure_ascii=False)
    return text if node.value == text else json.dumps(text, ensure_ascii=False)
