"""The problems of a map file, with what it changes in the map that it extends and its picture."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from dipsat.board.province import Province, province_of, words_of
from dipsat.documents import Node
from dipsat.errors import (
    LISTED_FAULTS,
    DipsatError,
    DocumentError,
    MapError,
    ProblemsError,
    did_you_mean,
    hint,
    nearest_names,
    shortened,
)
from dipsat.files.reading import ANYWHERE, Files
from dipsat.limits import allowed_files
from dipsat.values import brief, grouped

# --- changes --------------------------------------------------------------------------------------

# What a map file changes in the map that it extends, so that errors name the file's own lines.


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
        code = known[close[0]] if close else ""
        if code in _section(base, "impassable"):
            code += f", which is impassable on {_title(base)}"
        return did_you_mean(code) if code else ""


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


# --- faults ---------------------------------------------------------------------------------------


_SHOWN, _LINES = 3, 12  # problems that follow from one change, and the lines of each


class Faults:
    """The problems found so far. A map that changes another has nodes of several files, and
    `changes` says what of the other map it changes."""

    def __init__(self, changes: Changes | None = None) -> None:
        self.changes = changes or Changes()
        self.found: list[DipsatError] = [*self.changes.faults]
        self._follows: dict[str, list[MapError]] = {}

    def add(self, node: Node, problem: str, *about: str) -> None:
        """Note a problem at a value: one that is about these names, the likelier cause first. What
        follows in the other map from a change of one of them is a problem of that change."""
        self._note(MapError(node.path, node.line, node.column, problem), about)

    def add_at_key(self, node: Node, key: str, problem: str, *about: str) -> None:
        """Note a problem at a key of the mapping `node`."""
        self._note(MapError(*node.place_of(key), problem), about)

    def _note(self, fault: MapError, about: Sequence[str]) -> None:
        changed = self.changes.of(fault.path, about)
        if changed is None:
            self.found.append(fault)
        else:
            self._follows.setdefault(changed, []).append(fault)

    def _consequences(self) -> Iterator[MapError]:
        """One problem for each change of a name from which problems in the other map follow."""
        for name, faults in self._follows.items():
            what = "removed" if name in self.changes.removed else "changed"
            problem = f"{name} is {what} here, which does not fit the map that this one extends"
            told = grouped(
                ((one.path, one.problem), str(one.line))
                for one in sorted(faults, key=_place)
                if one.path not in self.changes.hidden
            )
            shown = [f"{said} ({path}:{_some(lines)})" for (path, said), lines in told.items()]
            more = f"; and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
            problem += f": {'; '.join(shown[:_SHOWN])}{more}" if shown else ""
            yield MapError(*self.changes.places[name], problem)

    def hint(self, name: str, known: Iterable[str]) -> str:
        """The end of a message about an unknown name, the nearest known one; "" after so many
        problems that no message lists the next one, or if it is unknown because it was changed."""
        if len(self.found) >= LISTED_FAULTS or province_of(name) in self.changes.places:
            return ""
        return hint(name, known, quoted=False)

    @contextmanager
    def gather(self) -> Iterator[None]:
        """Note the error of a value of the wrong kind or of an unknown key, and go on."""
        try:
            yield
        except DocumentError as error:
            self.found.append(error)

    def stop_if_any(self) -> None:
        """Raise the problems, in file order, as a `ProblemsError`; a lone wrong key or value is
        raised as it is."""
        problems = sorted([*self.found, *self._consequences()], key=_place)
        if len(problems) == 1 and not isinstance(problems[0], MapError):
            raise problems[0]
        if problems:
            raise ProblemsError(problems)

    def check_names(self, things: Mapping[str, tuple[Node, Iterable[str]]]) -> None:
        """Note each name that stands for two things, or has no word in it."""
        owner: dict[tuple[str, ...], str] = {}
        for thing, (node, names) in things.items():
            for name in (thing, *names):
                words = words_of(name)
                first = owner.setdefault(words, thing)
                if not words:
                    self.add(node, f"the name {shortened(name)!r} of {thing} has no word in it")
                elif first != thing:
                    problem = f"the name {shortened(name)!r} stands for {first} and {thing}"
                    self.add(node, problem, thing, first)


def _some(lines: Sequence[str]) -> str:
    """The first of many lines."""
    return ", ".join(lines[:_LINES]) + ("..." if len(lines) > _LINES else "")


def _place(error: DipsatError) -> tuple[str, int, int]:
    assert isinstance(error, DocumentError)
    return error.path, error.line, error.column


# --- own picture ----------------------------------------------------------------------------------

# What a map file says about the picture of its map.


_SHAPES = ("like", "file", "svg")
_PICTURE_KEYS = (*_SHAPES, "places")
_PLACE_KEYS = ("unit", "dislodged", "name", "center")
_FARTHEST = 100_000  # units of a picture


@brief()
@dataclass(frozen=True, slots=True)
class OwnPicture:
    """What a map says about its picture. At most one of `like`, `file` and `svg` is not ""; without
    any, the shapes follow from the borders."""

    like: str = ""
    """The shipped map in whose shape it is drawn."""
    places: Mapping[str, Mapping[str, tuple[float, float]]] = field(default_factory=dict)
    """Province or coast -> where its `unit`, a `dislodged` one, its `name` and its `center` stand,
    to the right and down from the corner of the picture; with `svg`, in the coordinates of that
    file."""
    file: str = ""
    """The path of the file with its picture, which `dipsat maps draw` writes."""
    svg: str = ""
    """The path of the SVG file with its shapes."""
    files: Files = field(default=ANYWHERE, compare=False, repr=False)
    """Which files `file` and `svg` may stand for."""
    place: tuple[str, int, int] = field(default=("", 1, 1), compare=False, repr=False)
    """The path, the line and the column at which the map says whose shapes it has."""


def read_own_picture(
    node: Node | None, provinces: Mapping[str, Province], faults: Faults
) -> OwnPicture:
    """What the key `picture` of a map says; notes what is wrong. The files that it names are not
    read. Raises `DocumentError`."""
    if node is None:
        return OwnPicture()
    top = node.mapping(_PICTURE_KEYS, "picture")
    stated = [key for key in _SHAPES if key in top]
    if len(stated) > 1:
        problem = f"a picture has its shapes from {' or '.join(stated)}, not from both"
        faults.add(top[stated[-1]], f"{problem}; `{stated[0]}: ~` removes what another map says")
    lowest = -_FARTHEST if "svg" in top else 0
    places: dict[str, Mapping[str, tuple[float, float]]] = {}
    if "places" in top:
        known = {place for one in provinces.values() for place in (one.code, *one.locations)}
        for location, entry in top["places"].mapping(None, "places").items():
            if location not in known:
                problem = f"{location} is no province and no coast of the map"
                faults.add_at_key(top["places"], location, problem)
                continue
            points = entry.mapping(_PLACE_KEYS, "a place")
            places[location] = {key: _point(one, lowest, faults) for key, one in points.items()}
    shown = top[stated[0]] if stated else node
    return OwnPicture(
        top["like"].text("like") if "like" in top else "",
        places,
        _path(top.get("file"), "file"),
        _path(top.get("svg"), "svg"),
        allowed_files(),
        (shown.path, shown.line, shown.column),
    )


def _path(node: Node | None, key: str) -> str:
    """The path of a file that is named in relation to the map file; "" for none."""
    if node is None:
        return ""
    name = node.text(key)
    if not name.strip():
        node.fail(f"{key} should be the path of a file")
    return str(Path(node.path).parent / name)


def _point(node: Node, lowest: float, faults: Faults) -> tuple[float, float]:
    numbers = [one.value for one in node.sequence("a point")]
    match numbers:
        case [int() | float() as x, int() | float() as y] if all(
            not isinstance(one, bool) and lowest <= one <= _FARTHEST for one in (x, y)
        ):
            return float(x), float(y)
    faults.add(node, f"a point is [x, y], two numbers from {lowest:,} to {_FARTHEST:,}")
    return 0.0, 0.0
