"""Read the files that compose a profile, following `extends`."""

from __future__ import annotations

import ast
import copy
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import count, takewhile
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, Protocol, TypeVar

from dipsat.base import (
    ANYWHERE,
    RULE_FILE,
    Node,
    allowed_files,
    by_caller,
    data_folder,
    grouped,
    is_foreign,
    is_named_file,
    is_yaml_path,
    note_foreign,
    parse_yaml,
    read_text,
    reading,
    reading_names_in,
    refuse_other_kinds,
    without_foreign,
)
from dipsat.errors import (
    AmbiguousNameError,
    DocumentError,
    FileError,
    InputLimitError,
    ProblemsError,
    ProfileError,
    UnknownNameError,
    hint,
    nearest_names,
)
from dipsat.rules.parser import Source, parse_expression
from dipsat.rules.settings import IF_NOT_STATED
from dipsat.rules.shipped_rules import find_name, shipped_file

DECLARATIONS = (
    "units", "convoys", "domains", "options", "features", "attributes", "relations", "orders",
)  # fmt: skip
"""The sections that declare a profile's own words."""

SECTIONS = (
    "settings", *DECLARATIONS, "variables", "define", "legal", "decisions", "results", "reasons",
    "sources",
)  # fmt: skip
"""The sections of a profile in which a file replaces single entries of other files."""

TOP_KEYS = ("name", "title", "letters", "map", "extends", *SECTIONS, "cycles", "cycles_before")
"""The keys of a profile's document."""
_WHAT = "a rule file"
_MAX_SIZE = 2_000_000  # characters of all files of a profile; all shipped rules have 110,000
_MAX_FILES = 100  # in one profile
_MAX_ENTRIES = 2000  # in a section of one file
_CHOICE = re.compile(r"[/\\]choices[/\\](\d+\.[A-Z]\.\d+)[^/\\]*$")
_SETTLED = 2_000_000_000  # nanoseconds after which a file's times show every change


@dataclass(frozen=True, slots=True)
class Layer:
    """One file of a profile. `source` identifies it regardless of the spelling of its path: its
    place on the disk, and its text, because the file may have changed since. It is foreign if a
    document in another folder named it; then errors must not quote it."""

    root: Node = field(compare=False)
    source: tuple[str, str]
    is_foreign: bool = field(default=False, compare=False)

    @property
    def is_shipped(self) -> bool:
        """Whether it is one of dipsat's own files."""
        return Path(self.source[0]).is_relative_to(data_folder("rules"))

    @property
    def issue(self) -> str:
        """The issue of which it is a choice, such as `4.A.2`: the beginning of the name of a file
        in a folder `choices`. "" for other files."""
        found = _CHOICE.search(self.source[0])
        return found[1] if found else ""


def settled_times(file: str) -> tuple[int, ...] | None:
    """Values by which a later change of the file will show. None if they cannot show it, because
    the file is missing or was changed just now."""
    seen = times_of(file)
    return seen if seen is not None and time.time_ns() - max(seen[:2]) > _SETTLED else None


def times_of(file: str) -> tuple[int, ...] | None:
    """Values that change with the content of a file: its times, its size and its place on the disk.
    None if it is missing."""
    try:
        found = os.stat(file)  # noqa: PTH116  # three times as fast as Path.stat
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino, found.st_dev


def parse_layer(
    text: str, shown: str, file: str | Path | None = None, foreign: bool = False
) -> Layer:
    """The file with this text at the path `shown` (or at `file`, if it is shown differently)."""
    path = Path(shown if file is None else file)
    try:
        place = str(path.resolve())
    except (OSError, RuntimeError, ValueError):  # not a possible path
        place = shown

    return _parsed(text, shown, place, foreign)


@lru_cache(512)
def _parsed(text: str, shown: str, place: str, foreign: bool) -> Layer:
    return Layer(parse_yaml(text, shown), (place, text), foreign)


@dataclass
class ProfileFiles:
    """The files of a profile in the order in which they are layered.

    A file counts once, where it comes first. So a profile that several others extend does not undo
    their changes. Only a choice (`Layer.issue`) counts where it comes last: it is nothing but its
    change, so whoever names it wants that change.
    """

    layers: list[Layer] = field(default_factory=list)
    marks: dict[str, tuple[int, ...] | None] = field(default_factory=dict)  # `settled_times`
    foreign: dict[str, str] = field(default_factory=dict)
    size: int = 0  # characters read

    @contextmanager
    def veiled(self) -> Iterator[None]:
        """A block whose errors quote nothing from foreign files."""
        try:
            yield
        except (DocumentError, ProblemsError) as error:
            raise without_foreign(error, self.foreign, _WHAT) from None

    def named(self, name: str, folder: str | Path = "", where: str = "", namer: str = "") -> Layer:
        """The file with a name: a path relative to `folder`, or the name of a shipped profile.
        `namer` is the path of the file that contains the name, if any.

        Raises `FileError`, `DocumentError`, `UnknownNameError` or `AmbiguousNameError`.
        """
        if is_yaml_path(name):
            return self.at(name, folder, namer)
        whole = find_name(name, where, allowed_files())
        with reading(ANYWHERE):
            return self._read(f"rules/{whole}.yaml", str(shipped_file(whole)))

    def at(self, path: str, folder: str | Path = "", namer: str = "") -> Layer:
        """The file at a path relative to `folder`. Raises `FileError` or `DocumentError`."""
        shown = str(Path(folder) / path) if str(folder) else path
        return self._read(shown, shown, namer)

    def of_caller(self, path: str, folder: str | Path = "") -> Layer:
        """Like `at`, for a `Path`."""
        with reading(by_caller(allowed_files())):
            return self.at(path, folder)

    def _read(self, shown: str, file: str, namer: str = "") -> Layer:
        is_new = file not in self.marks
        if is_new:
            self.marks[file] = settled_times(file)
        text = read_text(file, files=allowed_files())
        if is_new:
            self.size += len(text)
        if self.size > _MAX_SIZE:
            problem = f"with the files that it extends, it has more than {_MAX_SIZE} characters"
            raise InputLimitError(shown, "characters of a profile", self.size, _MAX_SIZE, problem)
        foreign = is_foreign(allowed_files(), file)
        if foreign:
            note_foreign(self.foreign, shown, namer)
        return parse_layer(text, shown, file, foreign)

    def has(self, layer: Layer) -> bool:
        """Whether the file is one of them."""
        return any(layer.source == other.source for other in self.layers)

    def read(self, layer: Layer, open_files: tuple[Layer, ...] = ()) -> None:
        """Add a file. If it is new, add the files that it extends first."""
        if self.has(layer):
            self.add(layer)
            return
        top = layer.root.mapping(None, "a profile")
        refuse_other_kinds(layer.root, RULE_FILE)
        chain = (*open_files, layer)
        named: list[Layer] = []
        stated = top.get("extends")
        bases = stated.value if stated and isinstance(stated.value, tuple) else (stated,)
        with reading_names_in(layer.root.path):
            for base in filter(None, bases):
                found = self._base(base)
                if any(found.source[0] == other.source[0] for other in chain):
                    circle = " -> ".join(one.root.path for one in (*chain, found))
                    base.refuse(f"extends goes in a circle: {circle}")
                for other in named:
                    if found.source[0] == other.source[0]:
                        base.refuse(f"{base.text()} is named twice under extends")
                    if found.issue and found.issue == other.issue:
                        problem = f"{found.root.path} contradicts {other.root.path}: both are"
                        base.refuse(f"{problem} choices of {found.issue}; keep one of them")
                named.append(found)
                if len(self.layers) + len(chain) >= _MAX_FILES:
                    base.refuse(f"a profile may extend at most {_MAX_FILES} files")
                self.read(found, chain)
        self.add(layer)

    def add(self, layer: Layer) -> None:
        """Add one file on top of the others, without those that it extends."""
        if layer.is_foreign:
            note_foreign(self.foreign, layer.root.path, "")
        if not self.has(layer):
            self.layers.append(layer)
        elif layer.issue:
            self.layers = [other for other in self.layers if other.source != layer.source]
            self.layers.append(layer)

    def _base(self, base: Node) -> Layer:
        """The file named under `extends`."""
        name = base.text("extends")
        folder = Path(base.path).parent
        if "+" in name and not is_named_file(allowed_files(), folder / name):
            parts = ", ".join(part.strip() for part in name.split("+"))
            base.refuse(f"under extends, write several profiles as a list: [{parts}]")
        try:
            return self.named(name, folder, namer=base.path)
        except (FileError, UnknownNameError, AmbiguousNameError) as error:
            base.refuse(str(error))


class Stated(NamedTuple):
    """An entry of one file: its key as written, its section and its value."""

    key: str
    section: Node
    value: Node

    @property
    def name(self) -> str:
        """Its name, without the indices."""
        return self.key.partition("(")[0].strip()

    @property
    def indices(self) -> list[str]:
        """The names of its indices: `m` of `move(m)`."""
        return re.findall(r"\w+", self.key.partition("(")[2])

    @property
    def fields(self) -> Mapping[str, Node]:
        """Its parts by name, none if it is not a mapping."""
        return self.value.value if isinstance(self.value.value, dict) else {}

    def fail(self, problem: str) -> NoReturn:
        """Raise `ProfileError` at its key."""
        self.section.fail_at_key(self.key, problem, ProfileError)


def entries_in(section: Node, what: str) -> list[Stated]:
    """The entries of a mapping. Raises `DocumentError` for anything else."""
    return [Stated(key, section, value) for key, value in section.mapping(None, what).items()]


class Layers:
    """The entries of a profile's files; later files override earlier ones."""

    def __init__(self, files: Iterable[Layer]) -> None:
        self.files = list(files)
        self._entries: dict[str, dict[str, list[Stated]]] = {}
        self.before: list[Node] = []
        self._cycles: Node | None = None
        self.maps: tuple[Node, ...] = ()  # as the files name them, in the order of the files
        for layer in self.files:
            top = layer.root.mapping(None, "a profile")
            for section in SECTIONS:
                if section in top:
                    self._add(section, top[section])
            self._cycles = top.get("cycles", self._cycles)
            if "cycles_before" in top:
                self.before.insert(0, top["cycles_before"])
            self.maps += (top["map"],) if "map" in top else ()

    @property
    def cycles(self) -> list[tuple[str, Node]]:
        """The lists of cycle rules, with their keys, in the order in which they are tried:
        `cycles_before` of each file, the last file first, then `cycles` of the last file that has
        it. `first_of_each_name` selects the rules that count."""
        found = [("cycles_before", node) for node in self.before]
        return found if self._cycles is None else [*found, ("cycles", self._cycles)]

    @property
    def heads(self) -> list[Node]:
        """The whole documents, the profile's own file last."""
        return [layer.root for layer in self.files]

    def own_path(self, path: str) -> str:
        """The path of a file or, if it is foreign, of the last file that is not. That file counts
        as naming whatever a foreign file names."""
        if any(layer.is_foreign for layer in self.files if layer.root.path == path):
            own = (one for one in reversed(self.files) if one.source[0] and not one.is_foreign)
            return next((one.root.path for one in own), path)
        return path

    def _add(self, section: str, node: Node) -> None:
        own: dict[str, str] = {}
        if len(node.mapping(None, section)) > _MAX_ENTRIES:
            node.refuse(f"more than {_MAX_ENTRIES} entries under {section}")
        for entry in entries_in(node, section):
            name, key = entry.name, entry.key
            if name in own:
                node.fail_at_key(key, f"{name!r} is given twice: as {own[name]!r} and {key!r}")
            own[name] = key
            self._entries.setdefault(section, {}).setdefault(name, []).append(entry)

    def section(self, name: str) -> Iterator[Stated]:
        """The entries of a section, each as the last file states it."""
        return (found[-1] for found in self._entries.get(name, {}).values())

    def entries(self, section: str) -> Mapping[str, Sequence[Stated]]:
        """Name -> the entries of that name in a section, the earliest file's first."""
        return self._entries.get(section, {})

    def stated(self, section: str, name: str) -> list[Node]:
        """The values of an entry in the files that have it, the earliest first."""
        return [entry.value for entry in self.entries(section).get(name, ())]


def first_of_each_name(lists: Iterable[Sequence[Node]]) -> Iterator[Node]:
    """The cycle rules of several lists. A rule replaces those of the same name in later lists."""
    taken = set[str]()
    for entries in lists:
        kept = [one for one in entries if rule_name(one) not in taken]
        yield from kept
        taken |= {name for name in map(rule_name, kept) if name}


def rule_name(entry: Node) -> str:
    """The name of a cycle rule, "" if it has none (an error when the rule is read)."""
    named = entry.value.get("name") if isinstance(entry.value, Mapping) else None
    return named.raw if named is not None else ""


_T = TypeVar("_T")


class Try(Protocol):
    """Calls a function. If it fails, notes the fault and returns None."""

    def __call__(self, action: Callable[..., _T], *args: object) -> _T | None:
        """The result of `action(*args)`."""


# --- additions ------------------------------------------------------------------------------------

# Entries that add to the same entry in the files below, or change it.
#
# `base` in an expression means what the entry says in these files. In a mapping of conditions,
# `base: kept` keeps their conditions: a new condition adds to them or replaces the one with its
# name, and `NAME: removed` removes one. `base and ...` keeps named conditions, too. An entry
# without `base` replaces everything below it.


BASE = "base"
"""The word for what the files below say."""
KEPT, REMOVED = "kept", "removed"
BUILDING = ("define", "legal", "decisions", "results")
"""The sections whose entries may build on those below."""
_MAX_SHOWN = 20_000  # parts of an expression that is written out
_LEAST = 5  # letters of a text that may be a misspelt `removed`
_MENTIONED = re.compile(r"\bbase\b")


@dataclass(frozen=True, slots=True)
class Part:
    """A condition of an entry, or the whole entry: its name ("" if it has none), the entry, and its
    expression, in which `base` means the parts `base`. If it `joins`, its expression is
    `base and ...`, and the parts of the base are listed beside it."""

    name: str
    entry: Stated
    node: Node
    base: tuple[Part, ...] = ()
    joins: bool = False

    def source(self) -> Source:
        """The expression. Raises `ProfileError` if it cannot be parsed."""
        source = parse_expression(self.node)
        if not self.joins:
            return source
        first, *more = rest = _beside_base(source.tree)
        tree = ast.copy_location(ast.BoolOp(ast.And(), rest), first) if more else first
        return replace(source, tree=tree)


def builds_on_base(value: Node) -> bool:
    """Whether an entry uses what the files below say about it."""
    if isinstance(value.value, Mapping):
        return BASE in value.value or any(map(builds_on_base, value.value.values()))
    return value.value is not None and bool(_MENTIONED.search(value.raw))


def still_stated(stated: Sequence[Stated]) -> tuple[Stated, ...]:
    """Those of several files' entries of one name, the earliest first, that still count: the last
    one, and those on which it builds."""
    if len(stated) == 1:  # the usual case
        return tuple(stated)
    above = list(takewhile(lambda one: builds_on_base(one[2]), reversed(stated)))
    return tuple(stated[-len(above) - 1 :])


def parts_of(stated: Sequence[Stated], known: Iterable[str] = ()) -> tuple[Part, ...]:
    """The parts of an entry, from its statements in all files, the earliest first. `known` are the
    names of the section's entries, for hints.

    Raises `ProfileError` if a removed condition does not exist, if `base:` has another value than
    `kept`, and for `base` with nothing below.
    """
    parts: tuple[Part, ...] = ()
    for entry in still_stated(stated):
        if isinstance(entry.value.value, Mapping):
            parts = _changed(parts, entry, known)
        elif any(part.name for part in parts) and _joins(entry.value):
            unnamed = tuple(part for part in parts if not part.name)
            named = (part for part in parts if part.name)
            base = unnamed or parts  # `base` may occur in the rest, too
            parts = (*named, Part("", entry, entry.value, base, joins=not unnamed))
        else:
            parts = (Part("", entry, entry.value, parts),)
    return parts


_RESULTS = ("contested", "retreat", "retreat_succeeds")


def nothing_below(name: str, known: Iterable[str] = ()) -> str:
    """The message for `base` in an entry that no file below states. They state those `known`."""
    usual = IF_NOT_STATED.get(name)
    end = f"; write it out: without an entry, the condition is `{usual}`" if usual else ""
    meant = "" if usual else hint(name, [one for one in (*known, *_RESULTS) if one != name])
    if meant:
        end = f" under the name {name!r}{meant}"
    return f"`{BASE}` is what the files below say here, but none of them has it{end}"


def of_removal(word: str) -> str:
    """A hint if a word without meaning here is `removed`, perhaps misspelt."""
    if word == REMOVED:
        return f"; `{REMOVED}` takes away only a named condition of a decision of the files below"
    begins = word[:1] == REMOVED[0] and len(word) >= _LEAST  # `moved` is something else
    is_slip = begins and nearest_names(word, (REMOVED,), 1)
    return f"; write `{REMOVED}` to take away a condition of the files below" if is_slip else ""


def name_is_taken(name: str, section: str = "") -> str:
    """The message for an entry that has the name of something else: an entry of another section, or
    a word of the language."""
    hint = f": it is under `{section}`; to change {name}, write it there, or choose another name"
    return f"{name!r} already means something else{hint if section else ''}"


def _changed(below: tuple[Part, ...], entry: Stated, known: Iterable[str]) -> tuple[Part, ...]:
    """The parts after a mapping of conditions is applied to the parts below."""
    stated = entry.fields
    named = {part.name: part for part in below}
    found: dict[str, Part] = {}
    if BASE in stated:
        if stated[BASE].text(BASE) != KEPT:
            problem = f"write `{BASE}: {KEPT}`, which keeps the conditions of the files below"
            stated[BASE].refuse(problem)
        if not below:
            meant = hint(entry.name, (one for one in known if one != entry.name))
            stated[BASE].refuse(f"no file below says anything about {entry.key}{meant}")
        found = dict(named)
    for name, node in stated.items():
        if name == BASE:
            continue
        if node.value is not None and node.raw == REMOVED:
            if name not in found:
                meant = hint(name, filter(None, named), otherwise=f"known: {', '.join(named)}")
                lost = Stated(name, entry.value, node)
                lost.fail(f"there is no condition {name!r} to remove{meant}")
            del found[name]
            continue
        under = (named[name],) if name in named else ()
        found[name] = Part(name, entry, node, under)
    return tuple(found.values())


def _joins(node: Node) -> bool:
    """Whether an expression is `base and ...`."""
    with suppress(DocumentError):
        return _beside_base(parse_expression(node).tree) != []
    return False


def _beside_base(tree: ast.expr) -> list[ast.expr]:
    """The operands of `base and ...` besides `base`; none for any other expression."""
    values = tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And) else []
    rest = [one for one in values if not is_base(one)]
    return rest if len(rest) < len(values) else []


def whole_text(part: Part) -> str:
    """The expression as text, with the meaning of `base` written out.

    Raises `ProfileError` if it would be too long.
    """
    if not part.joins and not any(map(is_base, ast.walk(part.source().tree))):
        return as_written(part.node)
    return ast.unparse(_whole_tree(part))


def _whole_tree(part: Part) -> ast.expr:
    """The syntax tree, with the trees that `base` means inserted."""
    tree = copy.deepcopy(part.source().tree)
    times = sum(map(is_base, ast.walk(tree)))
    if not part.base or not times:
        return tree
    below = [_whole_tree(one) for one in part.base]
    own, size = (sum(1 for one in trees for _ in ast.walk(one)) for trees in ((tree,), below))
    if own + size * times > _MAX_SHOWN:
        part.node.refuse("with `base` written out, this is too long to show")
    taken = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name)}
    taken |= {*part.entry.indices}
    for at, (one, stated) in enumerate(zip(below, part.base, strict=True)):
        names = _other_names(one, stated.entry.indices, part.entry.indices, taken)
        below[at] = _InPlace({name: ast.Name(other) for name, other in names.items()}).visit(one)
    means = below[0] if len(below) == 1 else ast.BoolOp(ast.And(), below)
    found: ast.expr = _InPlace({BASE: means}).visit(tree)
    return found


def is_base(node: ast.AST) -> bool:
    """Whether a part of an expression is the word `base`."""
    return isinstance(node, ast.Name) and node.id == BASE


def _other_names(
    tree: ast.expr, old: Sequence[str], new: Sequence[str], taken: set[str]
) -> dict[str, str]:
    """New names in an expression that is inserted in another entry: of its indices, and of bound
    variables whose names already have a meaning there."""
    names = dict(zip(old, new, strict=False))
    used = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name)}
    for part in ast.walk(tree):
        if isinstance(part, ast.comprehension) and isinstance(part.target, ast.Name):
            name = part.target.id
            if name in taken and name not in names:
                free = (f"{name}{at}" for at in count(2))
                names[name] = next(one for one in free if one not in taken | used)
    return names


class _InPlace(ast.NodeTransformer):
    """Replaces names by expressions."""

    def __init__(self, means: Mapping[str, ast.expr]) -> None:
        self.means = means

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """The name, or the expression that replaces it."""
        return copy.deepcopy(self.means.get(node.id, node))


def as_written(node: Node) -> str:
    """The text of a scalar; the lines of a block as written."""
    if node.block is None or node.value is None:
        return node.raw
    return node.block[0].strip("\n")


# --- standing -------------------------------------------------------------------------------------


_IDLE = ("variables", "reasons", "sources")  # sections without effects of their own


@dataclass(frozen=True, slots=True)
class Standing:
    """The effect of one file of a profile.

    `held` are its entries in force that differ from the files below it, `same` those in force that
    only repeat these files, and `lost` those that other files replace, each with the other file. An
    entry is called by its section and its name, such as `define: spares`. `issue` is the DATC issue
    of which the file is a choice, "" for none.
    """

    file: str
    issue: str
    held: tuple[str, ...]
    same: tuple[str, ...]
    lost: Mapping[str, str]

    @property
    def has_effect(self) -> bool:
        """False if other files replace everything by which it differs from the files below it."""
        return bool(self.held) or not self.lost

    @property
    def replaced_by(self) -> tuple[str, ...]:
        """The files that replace its entries."""
        return tuple(dict.fromkeys(self.lost.values()))

    def to_dict(self) -> dict[str, Any]:
        """The standing as plain values."""
        return {
            "file": self.file,
            "issue": self.issue,
            "has_effect": self.has_effect,
            "in_force": [*self.held, *self.same],
            "replaced": dict(self.lost),
        }


def standings(files: Iterable[Layer]) -> tuple[Standing, ...]:
    """The effect of every file of a profile, in their order; later ones override earlier ones.

    Left out are reasons and sources, which only people read, and variables, which decide nothing.
    """
    layers = Layers(files)
    below: dict[str, object] = {}
    found = []
    for layer in layers.files:
        held, same, lost = [], [], {}
        for entry, saying, file in _entries(layer, layers):
            if file:
                lost[entry] = file
            elif below.get(entry) == saying:
                same.append(entry)
            else:
                held.append(entry)
            below[entry] = saying
        if layer.source[0]:  # else it only combines the others
            path = layer.root.path
            found.append(Standing(path, layer.issue, tuple(held), tuple(same), lost))
    return tuple(found)


def _entries(layer: Layer, layers: Layers) -> Iterator[tuple[str, object, str]]:
    """The entries of a file, each with its contents and the file that replaces it ("" if none
    does)."""
    top = layer.root.mapping()
    for section in (name for name in SECTIONS if name in top and name not in _IDLE):
        for entry in entries_in(top[section], section):
            stated = layers.entries(section)[entry.name]
            counting = still_stated(stated) if section in BUILDING else stated[-1:]
            adds = section in BUILDING and builds_on_base(entry.value)
            saying = (entry.key, _saying(entry.value), layer.source[0] if adds else "")
            counts = any(one.section is top[section] for one in counting)
            yield f"{section}: {entry.name}", saying, "" if counts else counting[0].section.path
    if "map" in top:  # nothing replaces it
        yield "map", (layer.source[0], _saying(top["map"])), ""
    for rule in top["cycles_before"].sequence("cycles_before") if "cycles_before" in top else ():
        name = rule_name(rule)
        first = next(one for one in layers.before if name in map(rule_name, one.sequence()))
        file = "" if not name or first is top["cycles_before"] else first.path
        yield f"cycles_before: {name}", _saying(rule), file
    if "cycles" in top:
        _, in_force = layers.cycles[-1]
        file = "" if in_force is top["cycles"] else in_force.path
        yield "cycles", _saying(top["cycles"]), file


def _saying(node: Node) -> object:
    """The contents of a node, without spacing."""
    match node.value:
        case dict():
            return tuple((key, _saying(part)) for key, part in node.value.items())
        case tuple():
            return tuple(_saying(part) for part in node.value)
    return " ".join(node.raw.split())


def idle_files(found: Sequence[Standing]) -> tuple[str, ...]:
    """Sentences about the files that have no effect, one for each reason."""
    issues = {one.file: one.issue for one in found}
    idle = grouped(((one.issue, one.replaced_by), one.file) for one in found if not one.has_effect)
    told = []
    for (issue, others), files in sorted(idle.items()):
        idle_ones = f"{listed(files)} {'have' if files[1:] else 'has'} no effect"
        if issue and {issues.get(other) for other in others} == {issue}:
            told.append(f"for {issue}, {listed(others)} is in force; {idle_ones}")
        else:
            replaces = "replace" if others[1:] else "replaces"
            states = "they state" if files[1:] else "it states"
            told.append(f"{idle_ones}: {listed(others)} {replaces} what {states}")
    return tuple(told)


def listed(texts: Iterable[str]) -> str:
    """The texts as a list in words, such as `a, b and c`."""
    *first, last = texts
    return f"{', '.join(first)} and {last}" if first else last
