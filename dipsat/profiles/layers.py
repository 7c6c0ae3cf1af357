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
_MAX_FILES = 50  # that one profile may be composed of
_MAX_ENTRIES = 2000  # of a section of one file


def profile_names() -> tuple[str, ...]:
    """The names of the shipped profiles, such as `datc`."""
    rules = data_folder("rules")
    found = (path.relative_to(rules).with_suffix("") for path in rules.rglob("*.yaml"))
    return tuple(sorted(p.as_posix() for p in found if p.parts[0] not in _NOT_PROFILES))


def read_shipped(name: str) -> tuple[str, str]:
    """The shown path and the text of a shipped profile. Raises `UnknownNameError`."""
    if name not in profile_names():
        raise UnknownNameError("profile", name, profile_names())
    return f"rules/{name}.yaml", read_text(data_folder("rules") / f"{name}.yaml")


@dataclass
class Layers:
    """The entries of a profile's files, later ones over earlier ones."""

    heads: list[Node] = field(default_factory=list)
    entries: dict[str, dict[str, tuple[Node, Node]]] = field(default_factory=dict)
    cycles: Node | None = None

    def read(self, root: Node, open_files: tuple[str, ...]) -> None:
        """Add a file, after the files that it extends."""
        top = root.mapping(_TOP_KEYS, "a profile")
        chain = (*open_files, root.path)
        if "extends" in top:
            for base in _base_names(top["extends"]):
                shown, text = _read_base(base)
                if shown in chain:
                    base.fail(f"extends goes in a circle: {' -> '.join((*chain, shown))}",
                              ProfileError)  # fmt: skip
                if len(self.heads) + len(chain) >= _MAX_FILES:
                    base.fail(f"a profile may extend at most {_MAX_FILES} files", ProfileError)
                self.read(parse_yaml(text, shown), chain)
        self.heads.append(root)
        for section in ("settings", "variables", "define", "decisions", "results", "reasons"):
            if section in top:
                self._add(section, top[section])
        self.cycles = top.get("cycles", self.cycles)

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


def _read_base(base: Node) -> tuple[str, str]:
    """The shown path and the text of a file named under `extends`."""
    name = base.text("extends")
    try:
        if not name.endswith((".yaml", ".yml")):
            return read_shipped(name)
        path = Path(base.path).parent / name
        return str(path), read_text(path)
    except (FileError, UnknownNameError) as error:
        base.fail(str(error), ProfileError)
