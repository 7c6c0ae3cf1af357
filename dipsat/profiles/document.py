"""A composed profile as one document: every entry with its text and the file that states it."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dipsat.documents import Node
from dipsat.game.settings import setting_values
from dipsat.profiles.additions import BUILDING, as_written, builds_on_base, parts_of, whole_text
from dipsat.profiles.layers import (
    DECLARATIONS,
    SECTIONS,
    Layer,
    Layers,
    Stated,
    first_of_each_name,
)
from dipsat.profiles.profile import Profile
from dipsat.profiles.relations import rows_of, stated_properties
from dipsat.profiles.remarks import remarks
from dipsat.profiles.source_lines import NO_LINES, SourceLines, item_lines, lines_of
from dipsat.profiles.standing import Standing, standings
from dipsat.profiles.yaml_text import key_text

DEFAULT = "default"
"""Shown in place of a file for a setting that no file states."""

RULE_MAPPINGS = ("where", "set", "along")
"""The parts of a cycle rule that are mappings."""
_RULE_PARTS = ("when", *RULE_MAPPINGS, "choose", "together")  # of a cycle rule, besides its name


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a section. `heading` is its name with indices (`move(m)`), `text` what it says as
    written, or a mapping of such texts, `file` the path of the file that states it, `source` its
    lines there if they say all."""

    name: str
    heading: str
    text: str | Mapping[str, str]
    file: str
    source: SourceLines = NO_LINES

    @property
    def plain(self) -> str:
        """What it says, with one line per condition."""
        if isinstance(self.text, str):
            return self.text
        return "\n".join(
            f"{code}: {text}" if "\n" not in text else f"{code}:\n{textwrap.indent(text, '  ')}"
            for code, text in self.text.items()
        )


class ProfileDocument:
    """What a profile's files say together."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._layers = Layers(profile.layers)

    @cached_property
    def sections(self) -> Mapping[str, Mapping[str, Entry]]:
        """Section -> name -> entry, in the order of the files, with every setting."""
        found = {section: dict(self._entries(section)) for section in SECTIONS}
        reasons = found["reasons"]
        found["reasons"] = {name: reasons[name] for name in reasons if name in self._explained}
        own = {name: getattr(self.profile.settings, name) for name in setting_values()}
        chosen = {**own, **self.profile.declared.chosen}
        settings = {
            name: found["settings"].get(name, Entry(name, name, value, DEFAULT))
            for name, value in chosen.items()
        }
        return {**found, "settings": settings}

    def _entries(self, section: str) -> Iterator[tuple[str, Entry]]:
        for name, stated in self._layers.entries(section).items():
            key, place, value = stated[-1]
            text: str | dict[str, str] = as_written(value)
            if section in BUILDING and builds_on_base(value):
                parts = parts_of(stated)
                whole = {part.name: whole_text(part) for part in parts}
                text = whole if any(whole) else whole[""]
            elif section == "relations":
                text = _relation(self._layers.stated(section, name))
            elif section in DECLARATIONS:
                text = _flow(value)
            elif isinstance(value.value, dict):
                text = {code: as_written(part) for code, part in value.value.items()}
            yield name, Entry(name, key, text, place.path, self._source(section, stated))

    def _source(self, section: str, stated: Sequence[Stated]) -> SourceLines:
        """The lines of an entry, if they say all that it means."""
        key, place, value = stated[-1]
        found = lines_of(self._layer_of[id(place)], place, key)
        merged = section == "relations" and len(stated) > 1
        if merged or (section in BUILDING and builds_on_base(value)):
            return SourceLines(found.comment)
        return found

    @cached_property
    def _layer_of(self) -> Mapping[int, Layer]:
        """Identity of a section -> its file."""
        return {
            id(node): layer
            for layer in self._layers.files
            for node in layer.root.mapping().values()
        }

    def heading_lines(self, section: str) -> SourceLines:
        """The line with which the first file that has a section begins it, with its comment."""
        for layer in self._layers.files:
            if section in layer.root.mapping():
                found = lines_of(layer, layer.root, section)
                first = found.lines[:1]
                is_alone = bool(first) and first[0].partition("#")[0].strip() == f"{section}:"
                return SourceLines(found.comment, first if is_alone else ())
        return NO_LINES

    @cached_property
    def cycles(self) -> tuple[Entry, ...]:
        """The cycle rules in their order. Their text has `when`, and either `set` (with `where`, if
        the rule has it) or `choose`."""
        found = []
        lists = [part for _, part in self._layers.cycles]
        places = {id(one): (part, at) for part in lists for at, one in enumerate(part.sequence())}
        for node in first_of_each_name(part.sequence() for part in lists):
            top = node.mapping()
            name = top["name"].raw
            texts = {key: _rule_part(top[key]) for key in _RULE_PARTS if key in top}
            part, at = places[id(node)]
            source = item_lines(self._layer_of[id(part)], part.sequence(), at)
            found.append(Entry(name, name, texts, node.path, source))
        return tuple(found)

    def to_dict(self) -> dict[str, Any]:
        """As plain values: every entry with `text` (or `conditions`) and `file`."""
        return {
            "name": self.profile.name,
            "title": self.profile.title,
            **({"map": self.profile.map} if self.profile.map else {}),
            "files": list(dict.fromkeys(one.file for one in self.standings)),
            "layers": [one.to_dict() for one in self.standings],
            "remarks": list(remarks(self.profile)),
            **{
                section: {entry.heading: _plain(entry) for entry in entries.values()}
                for section, entries in self.sections.items()
            },
            "cycles": [
                {"name": entry.name, **dict(entry.text), "file": entry.file}  # type: ignore[arg-type]  # a cycle rule's text is a mapping
                for entry in self.cycles
            ],
        }

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """Which of each file's entries are in force."""
        return standings(self.profile.layers)

    @property
    def _explained(self) -> set[str]:
        """The names that can have a reason; a reason of a base may have lost its condition."""
        decisions = self.profile.decisions
        codes = {code for decision in decisions.values() for code, _ in decision.conditions}
        codes |= {code for _, parts in self.profile.lawful.values() for code, _ in parts}
        return codes | set(decisions) | set(self.profile.legal) | set(self.profile.results)


def _rule_part(node: Node) -> str:
    """A part of a cycle rule; a mapping (`where`, `set`, `along`) as YAML on one line."""
    if not isinstance(node.value, dict):
        return as_written(node)
    parts = []
    for name, value in node.mapping().items():
        text = json.dumps(as_written(value), ensure_ascii=False) if "(" in name else value.raw
        parts.append(f"{key_text(name)}: {text}")
    return f"{{{', '.join(parts)}}}"


def _plain(entry: Entry) -> dict[str, Any]:
    key = "text" if isinstance(entry.text, str) else "conditions"
    return {key: entry.text if isinstance(entry.text, str) else dict(entry.text),
            "file": entry.file}  # fmt: skip


def _relation(stated: Sequence[Node]) -> str:
    """The rows of a relation's last entry, with the properties required of them."""
    rows, properties = _flow(rows_of(stated[-1])), stated_properties(stated)
    return rows if properties is None else f"{{rows: {rows}, properties: {_flow(properties)}}}"


def _flow(node: Node) -> str:
    """A node as YAML on one line."""
    if isinstance(node.value, tuple):
        return f"[{', '.join(_flow(part) for part in node.value)}]"
    if isinstance(node.value, dict):
        parts = (f"{key_text(key)}: {_flow(part)}" for key, part in node.value.items())
        return f"{{{', '.join(parts)}}}"
    text = " ".join(as_written(node).split())
    return text if re.fullmatch(r"[A-Za-z][\w .-]*", text) else json.dumps(text, ensure_ascii=False)
