"""The files that a profile is composed of: reading them, following `extends`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from dipsat.documents import Node, parse_yaml, read_text
from dipsat.errors import FileError, ProfileError, UnknownNameError
from dipsat.resources import data_folder

_TOP_KEYS = (
    "name", "title", "extends", "settings", "variables", "define", "decisions", "results",
    "cycles", "reasons",
)  # fmt: skip
_NOT_PROFILES = ("maps", "variants")
_APART = ("judges",)  # profiles that are not offered to play by, but can be named
_MAX_FILES = 50  # that one profile may be composed of
_MAX_ENTRIES = 2000  # of a section of one file


def profile_names() -> tuple[str, ...]:
    """The names of the shipped profiles to play by, such as `datc`.

    Those of `rules/judges`, which say what other programs do, are left out; they too are loaded
    by name (`judges/vain-via-over-land`).
    """
    return tuple(name for name in _shipped() if name.partition("/")[0] not in _APART)


def _shipped() -> tuple[str, ...]:
    rules = data_folder("rules")
    found = (path.relative_to(rules).with_suffix("") for path in rules.rglob("*.yaml"))
    return tuple(sorted(p.as_posix() for p in found if p.parts[0] not in _NOT_PROFILES))


@dataclass(frozen=True, slots=True)
class Layer:
    """One file of a profile. `source` tells it from any other file, however its path is spelled:
    its place on the disk, and its text, for the file may have been changed since."""

    root: Node
    source: tuple[str, str]


def read_shipped(name: str) -> Layer:
    """A shipped profile's file. Raises `UnknownNameError`."""
    known = _shipped()
    if name not in known:
        raise UnknownNameError("profile", name, known)
    file = data_folder("rules") / f"{name}.yaml"
    return _layer(read_text(file), f"rules/{name}.yaml", file)


def read_layer(text: str, shown: str) -> Layer:
    """The file with this text at the path `shown`."""
    return _layer(text, shown, Path(shown))


def _layer(text: str, shown: str, file: Path) -> Layer:
    try:
        place = str(file.resolve())
    except (OSError, RuntimeError, ValueError):  # no path that a file could have
        place = shown
    return Layer(parse_yaml(text, shown), (place, text))


@dataclass
class Layers:
    """The entries of a profile's files, later ones over earlier ones; each file counts once, where
    it comes first."""

    files: list[Layer] = field(default_factory=list)
    entries: dict[str, dict[str, tuple[Node, Node]]] = field(default_factory=dict)
    cycles: Node | None = None

    @property
    def heads(self) -> list[Node]:
        """The whole documents, the profile's own file last."""
        return [layer.root for layer in self.files]

    def read(self, layer: Layer, open_files: tuple[Layer, ...] = ()) -> None:
        """Add a file, after the files that it extends; what is there already is not added again."""
        top = layer.root.mapping(_TOP_KEYS, "a profile")
        chain = (*open_files, layer)
        for base in _base_names(top["extends"]) if "extends" in top else ():
            found = _read_base(base)
            if any(found.source[0] == other.source[0] for other in chain):
                circle = " -> ".join(one.root.path for one in (*chain, found))
                base.fail(f"extends goes in a circle: {circle}", ProfileError)
            if len(self.files) + len(chain) >= _MAX_FILES:
                base.fail(f"a profile may extend at most {_MAX_FILES} files", ProfileError)
            if not self._has(found):
                self.read(found, chain)
        self.add(layer)

    def add(self, layer: Layer) -> None:
        """Add one file over the others, without those that it extends, unless it is there."""
        if self._has(layer):
            return
        top = layer.root.mapping(_TOP_KEYS, "a profile")
        self.files.append(layer)
        for section in ("settings", "variables", "define", "decisions", "results", "reasons"):
            if section in top:
                self._add(section, top[section])
        self.cycles = top.get("cycles", self.cycles)

    def _has(self, layer: Layer) -> bool:
        return any(layer.source == other.source for other in self.files)

    def _add(self, section: str, node: Node) -> None:
        own: dict[str, str] = {}
        if len(node.mapping(None, section)) > _MAX_ENTRIES:
            node.fail(f"more than {_MAX_ENTRIES} entries under {section}", ProfileError)
        for key, value in node.mapping(None, section).items():
            name = key.partition("(")[0].strip()
            if name in own:
                node.fail_at_key(key, f"{name!r} stands here twice: as {own[name]!r} and {key!r}")
            own[name] = key
            self.entries.setdefault(section, {})[name] = (node, value)

    def section(self, name: str) -> Iterator[tuple[str, str, Node, Node]]:
        """(name, key as written, section node, value) of each entry of a section."""
        for entry, (node, value) in self.entries.get(name, {}).items():
            key = next(k for k in node.value if k.partition("(")[0].strip() == entry)
            yield entry, key, node, value


def _base_names(node: Node) -> tuple[Node, ...]:
    return node.sequence("extends") if isinstance(node.value, tuple) else (node,)


def _read_base(base: Node) -> Layer:
    """The file named under `extends`."""
    name = base.text("extends")
    try:
        if not name.endswith((".yaml", ".yml")):
            return read_shipped(name)
        path = Path(base.path).parent / name
        return read_layer(read_text(path), str(path))
    except (FileError, UnknownNameError) as error:
        base.fail(str(error), ProfileError)
