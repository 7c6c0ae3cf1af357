"""A composed profile as one document: every entry with its text and the file that states it."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dipsat.documents import Node, parse_yaml
from dipsat.errors import DipsatError
from dipsat.game.settings import setting_values
from dipsat.profiles.additions import BUILDING, as_written, builds_on_base, parts_of, whole_text
from dipsat.profiles.layers import DECLARATIONS, SECTIONS, Layers, first_of_each_name
from dipsat.profiles.profile import Profile
from dipsat.profiles.relations import rows_of, stated_properties
from dipsat.profiles.remarks import remarks
from dipsat.profiles.standing import Standing, standings

DEFAULT = "default"
"""Shown in place of a file for a setting that no file states."""

_RULE_MAPPINGS = ("where", "set", "along")
_RULE_PARTS = ("when", *_RULE_MAPPINGS, "choose", "together")  # of a cycle rule, besides its name
_WIDTH = 96


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a section. `heading` is its name with indices (`move(m)`), `text` what it says as
    written, or a mapping of such texts, `file` the path of the file that states it."""

    name: str
    heading: str
    text: str | Mapping[str, str]
    file: str

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
            yield name, Entry(name, key, text, place.path)

    @cached_property
    def cycles(self) -> tuple[Entry, ...]:
        """The cycle rules in their order. Their text has `when`, and either `set` (with `where`, if
        the rule has it) or `choose`."""
        found = []
        for node in first_of_each_name(part.sequence() for _, part in self._layers.cycles):
            top = node.mapping()
            name = top["name"].raw
            texts = {key: _rule_part(top[key]) for key in _RULE_PARTS if key in top}
            found.append(Entry(name, name, texts, node.path))
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
        return codes | set(decisions) | set(self.profile.legal)

    def to_yaml(self) -> str:
        """The whole profile as YAML that loads as an equal profile. Comments name the file of every
        entry."""
        lines = ["# Composed of:"]
        lines += [f"#   {_composed(one)}" for one in self.standings]
        lines.append(f"name: {scalar(self.profile.name, 2)}")
        if self.profile.title:
            lines.append(f"title: {scalar(self.profile.title, 2)}")
        if self.profile.map:
            lines.append(f"map: {scalar(self.profile.map, 2)}")
        for section, entries in self.sections.items():
            if entries:
                lines += ["", f"{section}:"]
            for entry in entries.values():
                if section in DECLARATIONS and isinstance(entry.text, str):
                    lines.append(f"  {_key(entry.heading)}: {entry.text}  # {entry.file}")
                    continue
                lines += _written(entry, section in ("settings", "variables", "reasons"))
        lines += ["", "cycles:" if self.cycles else "cycles: []"]
        for entry in self.cycles:
            assert not isinstance(entry.text, str)
            lines += [f"  # {entry.file}", f"  - name: {scalar(entry.name, 6)}"]
            for key, text in entry.text.items():
                lines.append(f"    {key}: {text if key in _RULE_MAPPINGS else scalar(text, 6)}")
        return "\n".join(lines) + "\n"


def _composed(standing: Standing) -> str:
    """A file, and what replaces it if it has no effect."""
    if standing.has_effect:
        return standing.file
    return f"{standing.file} (no effect, replaced by {', '.join(standing.replaced_by)})"


def _rule_part(node: Node) -> str:
    """A part of a cycle rule; a mapping (`where`, `set`, `along`) as YAML on one line."""
    if not isinstance(node.value, dict):
        return as_written(node)
    parts = []
    for name, value in node.mapping().items():
        text = json.dumps(as_written(value), ensure_ascii=False) if "(" in name else value.raw
        parts.append(f"{_key(name)}: {text}")
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
        parts = (f"{_key(key)}: {_flow(part)}" for key, part in node.value.items())
        return f"{{{', '.join(parts)}}}"
    text = " ".join(as_written(node).split())
    return text if re.fullmatch(r"[A-Za-z][\w .-]*", text) else json.dumps(text, ensure_ascii=False)


def _written(entry: Entry, is_short: bool) -> list[str]:
    heading = _key(entry.heading)
    if isinstance(entry.text, str):
        line = f"  {heading}: {scalar(entry.text, 4)}"
        with_file = f"{line:<36} # {entry.file}"
        if is_short and "\n" not in line and len(with_file) <= _WIDTH:
            return [with_file]
        return [f"  # {entry.file}", line]
    lines = [f"  # {entry.file}", f"  {heading}:"]
    return lines + [f"    {_key(code)}: {scalar(text, 6)}" for code, text in entry.text.items()]


def _key(text: str) -> str:
    return text if _says(text, f"{text}: x", as_key=True) else json.dumps(text, ensure_ascii=False)


def scalar(text: str, indent: int) -> str:
    """A text as a YAML value: plain if it can be, else a block with this indentation or quoted."""
    space = " " * indent
    lines = text.split("\n") if "\n" in text else []
    if not lines and len(text) <= _WIDTH - indent and _says(text, f"k: {text}"):
        return text
    if not lines:
        lines = textwrap.wrap(text, _WIDTH - indent, break_long_words=False, break_on_hyphens=False)
    block = ">-\n" + "\n".join(space + line if line.strip() else "" for line in lines)
    if _says(text, f"k: {block}"):
        return block
    return json.dumps(text, ensure_ascii=False)


def _says(text: str, document: str, as_key: bool = False) -> bool:
    """Whether a YAML document reads as a single entry with this text."""
    try:
        top = parse_yaml(document, "").mapping()
    except DipsatError:
        return False
    if as_key:
        return list(top) == [text]
    return (
        list(top) == ["k"]
        and top["k"].value is not None
        and text in (as_written(top["k"]), top["k"].raw)
    )
