"""The files that a profile is composed of: reading them, following `extends`."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeAlias, TypeVar

from dipsat.document_kinds import RULE_FILE, refuse_other_kinds
from dipsat.documents import Node, is_yaml_path, parse_yaml, read_text
from dipsat.errors import (
    AmbiguousNameError,
    DocumentError,
    FileError,
    InputLimitError,
    ProblemsError,
    ProfileError,
    UnknownNameError,
)
from dipsat.files.named import (
    ANYWHERE,
    by_caller,
    is_foreign,
    is_named_file,
    note_foreign,
    without_foreign,
)
from dipsat.kept import KeptByKey
from dipsat.limits import allowed_files, reading, reading_names_in
from dipsat.profiles.names import find_name, shipped_file
from dipsat.resources import data_folder

DECLARATIONS = (
    "units", "convoys", "domains", "options", "features", "attributes", "relations", "orders",
)  # fmt: skip
"""The sections in which a profile declares its own words."""

SECTIONS = (
    "settings", *DECLARATIONS, "variables", "define", "legal", "decisions", "results", "reasons",
)  # fmt: skip
"""The sections of a profile whose entries replace each other one by one."""

TOP_KEYS = ("name", "title", "letters", "map", "extends", *SECTIONS, "cycles", "cycles_before")
"""The keys of a profile."""
_WHAT = "a rule file"
_MAX_SIZE = 2_000_000  # characters of all files of a profile; all shipped rules have 110,000
_MAX_FILES = 100  # that one profile may be composed of
_MAX_ENTRIES = 2000  # of a section of one file
_CHOICE = re.compile(r"[/\\]choices[/\\](\d+\.[A-Z]\.\d+)[^/\\]*$")
_SETTLED = 2_000_000_000  # nanoseconds after which a change shows in a file's times


@dataclass(frozen=True, slots=True)
class Layer:
    """One file of a profile. `source` identifies it, however its path is spelled: its place on the
    disk, and its text, because the file may have changed since. It is foreign if a document in
    another folder named it: errors must not quote it."""

    root: Node = field(compare=False)
    source: tuple[str, str]
    is_foreign: bool = field(default=False, compare=False)

    @property
    def is_shipped(self) -> bool:
        """Whether it is one of dipsat's own files."""
        return Path(self.source[0]).is_relative_to(data_folder("rules"))

    @property
    def issue(self) -> str:
        """The issue that it is a choice of, such as `4.A.2`, if it is a file in a folder `choices`
        whose name begins with one; else ""."""
        found = _CHOICE.search(self.source[0])
        return found[1] if found else ""


@dataclass(frozen=True, slots=True)
class FileStamp:
    """Shows whether a file is still as it was read. `seen` is None if its times cannot show that,
    because it was changed just before."""

    file: str
    seen: tuple[int, ...] | None

    @staticmethod
    def of(file: str) -> FileStamp:
        """The stamp of a file as it is now."""
        seen = _times(file)
        settled = seen is not None and time.time_ns() - max(seen[:2]) > _SETTLED
        return FileStamp(file, seen if settled else None)

    def holds(self) -> bool:
        """Whether the file is certainly unchanged."""
        return self.seen is not None and self.seen == _times(self.file)


def _times(file: str) -> tuple[int, ...] | None:
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

    def parsed() -> Layer:
        return Layer(parse_yaml(text, shown), (place, text), foreign)

    return _parsed.get((text, shown, place, foreign), parsed)


_parsed = KeptByKey[Layer](512)


@dataclass
class ProfileFiles:
    """The files of a profile in the order in which they are layered.

    A file counts once, where it comes first, so that a profile that several others extend does
    not undo their changes. Only a choice (`Layer.issue`) counts where it comes last: it consists
    of its change alone, so naming it asks for exactly that.
    """

    layers: list[Layer] = field(default_factory=list)
    marks: dict[str, FileStamp] = field(default_factory=dict)
    foreign: dict[str, str] = field(default_factory=dict)
    size: int = 0  # characters read

    @contextmanager
    def veiled(self) -> Iterator[None]:
        """A block whose errors quote nothing of a foreign file."""
        try:
            yield
        except (DocumentError, ProblemsError) as error:
            raise without_foreign(error, self.foreign, _WHAT) from None

    def named(self, name: str, folder: str | Path = "", where: str = "", namer: str = "") -> Layer:
        """The file that a name stands for: a path relative to `folder`, or a shipped profile.
        `namer` is the path of the file that names it, if one does.

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
        """As `at`, for a `Path`."""
        with reading(by_caller(allowed_files())):
            return self.at(path, folder)

    def _read(self, shown: str, file: str, namer: str = "") -> Layer:
        is_new = file not in self.marks
        if is_new:
            self.marks[file] = FileStamp.of(file)
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
        """Whether the file is among them."""
        return any(layer.source == other.source for other in self.layers)

    def read(self, layer: Layer, open_files: tuple[Layer, ...] = ()) -> None:
        """Add a file, after the files that it extends."""
        top = layer.root.mapping(None, "a profile")
        refuse_other_kinds(layer.root, RULE_FILE)
        chain = (*open_files, layer)
        named: list[Layer] = []
        bases = _base_names(top["extends"]) if "extends" in top else ()
        with reading_names_in(layer.root.path):
            for base in bases:
                found = self._base(base)
                if any(found.source[0] == other.source[0] for other in chain):
                    circle = " -> ".join(one.root.path for one in (*chain, found))
                    base.fail(f"extends goes in a circle: {circle}", ProfileError)
                _refuse_contradiction(base, found, named)
                named.append(found)
                if len(self.layers) + len(chain) >= _MAX_FILES:
                    base.fail(f"a profile may extend at most {_MAX_FILES} files", ProfileError)
                if self.has(found):
                    self.add(found)
                else:
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
            base.fail(f"under extends, write several profiles as a list: [{parts}]", ProfileError)
        try:
            return self.named(name, folder, namer=base.path)
        except (FileError, UnknownNameError, AmbiguousNameError) as error:
            base.fail(str(error), ProfileError)


def _base_names(node: Node) -> tuple[Node, ...]:
    return node.sequence("extends") if isinstance(node.value, tuple) else (node,)


def _refuse_contradiction(base: Node, found: Layer, named: Iterable[Layer]) -> None:
    """Refuse a list that names one file twice, or two choices of one issue."""
    for other in named:
        if found.source[0] == other.source[0]:
            base.fail(f"{base.text()} is named twice under extends", ProfileError)
        if found.issue and found.issue == other.issue:
            base.fail(
                f"{found.root.path} contradicts {other.root.path}: both are choices of "
                f"{found.issue}; keep one of them",
                ProfileError,
            )


Stated: TypeAlias = tuple[str, Node, Node]
"""An entry of one file: its key as written, its section, its value."""


class Layers:
    """The entries of a profile's files; later files override earlier ones."""

    def __init__(self, files: Iterable[Layer]) -> None:
        self.files = list(files)
        self._entries: dict[str, dict[str, list[Stated]]] = {}
        self.before: list[Node] = []
        self._cycles: Node | None = None
        self.maps: tuple[Node, ...] = ()  # as the files name them, the later ones last
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
        """The lists of cycle rules, with their keys, in the order in which they are tried: those
        under `cycles_before`, the last file's first, then `cycles` of the last file that has it.
        `first_of_each_name` selects the rules that count."""
        found = [("cycles_before", node) for node in self.before]
        return found if self._cycles is None else [*found, ("cycles", self._cycles)]

    @property
    def heads(self) -> list[Node]:
        """The whole documents, the profile's own file last."""
        return [layer.root for layer in self.files]

    def own_path(self, path: str) -> str:
        """The path of a file or, if that is foreign, of the last file that is not: who names what
        a foreign file names."""
        if any(layer.is_foreign for layer in self.files if layer.root.path == path):
            own = (one for one in reversed(self.files) if one.source[0] and not one.is_foreign)
            return next((one.root.path for one in own), path)
        return path

    def _add(self, section: str, node: Node) -> None:
        own: dict[str, str] = {}
        if len(node.mapping(None, section)) > _MAX_ENTRIES:
            node.fail(f"more than {_MAX_ENTRIES} entries under {section}", ProfileError)
        for key, value in node.mapping(None, section).items():
            name = key.partition("(")[0].strip()
            if name in own:
                node.fail_at_key(key, f"{name!r} is given twice: as {own[name]!r} and {key!r}")
            own[name] = key
            self._entries.setdefault(section, {}).setdefault(name, []).append((key, node, value))

    def section(self, name: str) -> Iterator[tuple[str, str, Node, Node]]:
        """(name, key as written, section node, value) of each entry of a section."""
        for entry, found in self._entries.get(name, {}).items():
            yield entry, *found[-1]

    def entries(self, section: str) -> Mapping[str, Sequence[Stated]]:
        """Name -> the entries of that name in a section, the earliest file's first."""
        return self._entries.get(section, {})

    def stated(self, section: str, name: str) -> list[Node]:
        """The values of an entry in the files that have it, the earliest first."""
        return [value for _, _, value in self._entries.get(section, {}).get(name, ())]

    def held_in(self, section: str, name: str) -> Node:
        """The section with the entry of that name that is in force: the latest file's."""
        return self._entries[section][name][-1][1]


def first_of_each_name(lists: Iterable[Sequence[Node]]) -> Iterator[Node]:
    """The cycle rules of several lists, without those whose name occurs in an earlier list: the
    rule there replaces them."""
    taken = set[str]()
    for entries in lists:
        kept = [one for one in entries if rule_name(one) not in taken]
        yield from kept
        taken |= {name for name in map(rule_name, kept) if name}


def rule_name(entry: Node) -> str:
    """The name of a cycle rule, "" if it has none (which is reported when it is read)."""
    named = entry.value.get("name") if isinstance(entry.value, Mapping) else None
    return named.raw if named is not None else ""


_T = TypeVar("_T")


class Try(Protocol):
    """Calls a function; notes its fault, if any, and returns None."""

    def __call__(self, action: Callable[..., _T], *args: object) -> _T | None:
        """The result of `action(*args)`."""
