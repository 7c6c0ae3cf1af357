"""A composed profile as one document: every entry with its text and the file that contains it."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from dipsat.base import (
    YAML_LINE_ENDS,
    Node,
    data_folder,
    is_yaml_path,
    name_from,
    parse_yaml,
    read_text,
)
from dipsat.errors import DipsatError, FileError, UnknownNameError
from dipsat.rules.declarations import rows_of, stated_properties
from dipsat.rules.defaults import DEFAULT_KIND, KINDS
from dipsat.rules.layers import (
    BUILDING,
    DECLARATIONS,
    SECTIONS,
    Layer,
    Layers,
    Standing,
    Stated,
    as_written,
    builds_on_base,
    first_of_each_name,
    parts_of,
    standings,
    whole_text,
)
from dipsat.rules.profile import Profile
from dipsat.rules.profile_files import load_profile, parse_profile
from dipsat.rules.profile_remarks import remarks
from dipsat.rules.settings import setting_values

# --- source lines ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SourceLines:
    """An entry as written in a file, without its indentation: the comment above it, and its own
    lines. It has no lines if it shares a line with other entries."""

    comment: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


NO_LINES = SourceLines()


def lines_of(layer: Layer, section: Node, key: str) -> SourceLines:
    """The lines of an entry, or of a whole section if `section` is the document."""
    if not layer.source[0] or section.keys is None or key not in section.keys:
        return NO_LINES
    line, column = section.keys[key]
    lines = [at for at, _ in section.keys.values()]
    if lines.count(line) > 1 or _is_flow(_text_of(layer), section):
        return NO_LINES
    return _lines(layer, line, column, column, [at for at in lines if at > line])


def item_lines(layer: Layer, items: Sequence[Node], at: int) -> SourceLines:
    """The lines of an item in a list of mappings, such as a cycle rule, from its first key on."""
    text, item = _text_of(layer), items[at]
    before = text[item.line - 1][: item.column - 1] if layer.source[0] else ""
    if "- " not in before or _is_flow(text, item):
        return NO_LINES
    dash = before.index("- ") + 1
    return _lines(layer, item.line, dash, item.column, [one.line for one in items[at + 1 :]])


def _lines(layer: Layer, line: int, start: int, column: int, later: list[int]) -> SourceLines:
    """The entry that begins in a line: its comment from the column `start` on, and its text from
    `column` on. It ends before the first of the `later` lines, in which others begin."""
    text = _text_of(layer)
    later = later or [at for at, _ in (layer.root.keys or {}).values() if at > line]
    end = min(later, default=len(text) + 1) - 1
    comment, lines = _above(text, line, start), _without_tail(text[line - 1 : end])
    return SourceLines(_dedented(comment, start), _dedented(lines, column))


@lru_cache(maxsize=4)
def _text_of(layer: Layer) -> list[str]:
    """The lines of a file as YAML counts them."""
    return YAML_LINE_ENDS.split(layer.source[1])


def _is_flow(text: Sequence[str], node: Node) -> bool:
    """Whether a mapping is written in braces."""
    return text[node.line - 1][node.column - 1 : node.column] == "{"


def _above(text: Sequence[str], line: int, column: int) -> list[str]:
    """The comment directly above a key, with the same indentation, and an empty line above it."""
    found: list[str] = []
    for one in reversed(text[: line - 1]):
        if not one.strip():
            return ["", *found[::-1]]
        if not one.startswith(" " * (column - 1) + "#"):
            break
        found.append(one)
    return found[::-1]


def _without_tail(lines: Sequence[str]) -> list[str]:
    """The lines without empty lines and comments at their end, which belong to the next entry."""
    kept = list(lines)
    while kept and (not kept[-1].strip() or kept[-1].lstrip().startswith("#")):
        kept.pop()
    return [one.rstrip() for one in kept]


def _dedented(lines: Sequence[str], column: int) -> tuple[str, ...]:
    return tuple(one[column - 1 :].rstrip() for one in lines)


# --- yaml text ------------------------------------------------------------------------------------


_WIDTH = 96


def key_text(text: str) -> str:
    """A text as a YAML key."""
    return text if _says(text, f"{text}: x", as_key=True) else json.dumps(text, ensure_ascii=False)


def scalar(text: str, indent: int) -> str:
    """A text as a YAML value: plain if possible, else a block with this indentation or quoted."""
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
    """Whether a YAML document is read as a single entry with this text."""
    try:
        top = parse_yaml(document, "").mapping()
    except DipsatError:
        return False
    if as_key or list(top) != ["k"]:
        return as_key and list(top) == [text]
    return top["k"].value is not None and text in (as_written(top["k"]), top["k"].raw)


# --- document -------------------------------------------------------------------------------------


DEFAULT = "default"
"""Shown in place of a file for settings that no file states."""

RULE_MAPPINGS = ("where", "set", "along")
"""The parts of a cycle rule that are mappings."""
_RULE_PARTS = ("when", *RULE_MAPPINGS, "choose", "together")  # of a cycle rule besides its name


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a section. `heading` is its name with indices (`move(m)`), `text` its contents as
    written, or a mapping of such texts. `file` and `line` are its place, and `source` has its lines
    there if they are complete."""

    name: str
    heading: str
    text: str | Mapping[str, str]
    file: str
    source: SourceLines = NO_LINES
    line: int = 0

    @property
    def plain(self) -> str:
        """Its contents, with one line per condition."""
        if isinstance(self.text, str):
            return self.text
        return "\n".join(
            f"{code}: {text}" if "\n" not in text else f"{code}:\n{textwrap.indent(text, '  ')}"
            for code, text in self.text.items()
        )


class ProfileDocument:
    """The combined contents of a profile's files."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._layers = Layers(profile.layers)

    @cached_property
    def sections(self) -> Mapping[str, Mapping[str, Entry]]:
        """Section -> name -> entry, in the order of the files, with every setting. Cycle rules keep
        their order. Reasons and sources come after everything that they are about."""
        found = {section: dict(self._entries(section)) for section in SECTIONS}
        own = {name: getattr(self.profile.settings, name) for name in setting_values()}
        chosen = {**own, **self.profile.declared.chosen}
        found["settings"] = {
            name: found["settings"].get(name, Entry(name, name, value, DEFAULT))
            for name, value in chosen.items()
        }
        reasons, sources = found.pop("reasons"), found.pop("sources")
        found["cycles"] = dict(self._cycles())
        found["reasons"] = {name: reasons[name] for name in reasons if name in self._explained}
        order = {layer.root.path: at for at, layer in enumerate(self._layers.files)}
        last: dict[str, int] = {}
        for one in (entry for entries in found.values() for entry in entries.values()):
            last[one.name] = max(last.get(one.name, 0), order.get(one.file, 0))
        found["sources"] = {  # not those of entries that a later file has changed
            name: source
            for name, source in sources.items()
            if name in last and last[name] <= order[source.file]
        }
        return found

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
            source, line = self._source(section, stated), place.place_of(key)[1]
            yield name, Entry(name, key, text, place.path, source, line)

    def _source(self, section: str, stated: Sequence[Stated]) -> SourceLines:
        """The lines of an entry, if they state its whole meaning."""
        key, place, value = stated[-1]
        found = lines_of(self._layer_of[id(place)], place, key)
        merged = section == "relations" and len(stated) > 1
        if merged or (section in BUILDING and builds_on_base(value)):
            return SourceLines(found.comment)
        return found

    @cached_property
    def _layer_of(self) -> Mapping[int, Layer]:
        """`id` of a section's node -> the file."""
        return {
            id(node): layer
            for layer in self._layers.files
            for node in layer.root.mapping().values()
        }

    def heading_lines(self, section: str) -> SourceLines:
        """The first line of a section in the first file that has it, with its comment."""
        for layer in self._layers.files:
            if section in layer.root.mapping():
                found = lines_of(layer, layer.root, section)
                first = found.lines[:1]
                is_alone = bool(first) and first[0].partition("#")[0].strip() == f"{section}:"
                return SourceLines(found.comment, first if is_alone else ())
        return NO_LINES

    def _cycles(self) -> Iterator[tuple[str, Entry]]:
        """The cycle rules. Their text has `when`, and either `set` (with `where`, if there is one)
        or `choose`."""
        lists = [part for _, part in self._layers.cycles]
        places = {id(one): (part, at) for part in lists for at, one in enumerate(part.sequence())}
        for node in first_of_each_name(part.sequence() for part in lists):
            top = node.mapping()
            name = top["name"].raw
            texts = {key: _rule_part(top[key]) for key in _RULE_PARTS if key in top}
            part, at = places[id(node)]
            source = item_lines(self._layer_of[id(part)], part.sequence(), at)
            yield name, Entry(name, name, texts, node.path, source, node.line)

    def to_dict(self) -> dict[str, Any]:
        """The document as plain values: every entry with `text` (or `conditions`) and `file`."""
        return {
            "name": self.profile.name,
            "title": self.profile.title,
            **({"map": self.profile.map} if self.profile.map else {}),
            "files": list(dict.fromkeys(one.file for one in self.standings)),
            "layers": [one.to_dict() for one in self.standings],
            "remarks": list(remarks(self.profile)),
            **{
                section: {one.heading: _plain(one) for one in self.sections[section].values()}
                for section in SECTIONS
            },
            "cycles": [
                {"name": entry.name, **_plain(entry)["conditions"], "file": entry.file}
                for entry in self.sections["cycles"].values()
            ],
        }

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """Which entries of each file are in force."""
        return standings(self.profile.layers)

    @property
    def _explained(self) -> set[str]:
        """The names that can have a reason. The condition for a base's reason may be gone."""
        decisions = self.profile.decisions
        codes = {code for decision in decisions.values() for code, _ in decision.conditions}
        codes |= {code for _, parts in self.profile.lawful.values() for code, _ in parts}
        return codes | set(decisions) | set(self.profile.legal) | set(self.profile.results)

    @property
    def _main(self) -> str:
        """The first file."""
        return self.standings[0].file if self.standings else ""

    def whole(self) -> str:
        """All entries; see `whole_profile`."""
        lines = self._head()
        for section, entries in self.sections.items():
            if entries:
                found = self.heading_lines(section)
                lines += ["", *_trimmed(found.comment), *(found.lines or (f"{section}:",))]
                lines += self._written(section, entries.values())
            elif section == "cycles":
                lines += ["", "cycles: []"]
        return "\n".join(lines) + "\n"

    def _written(self, section: str, entries: Iterable[Entry]) -> list[str]:
        """The lines of a section's entries."""
        return _trimmed([line for entry in entries for line in self._entry(section, entry)])

    def passage(self, section: str, entry: Entry) -> list[str]:
        """The comment and the lines of an entry."""
        written = _rule(entry, entry.source) if section == "cycles" else _written(section, entry)
        own = [] if section == "cycles" else entry.source.lines
        return [*_trimmed(entry.source.comment), *(own or [line[2:] for line in written])]

    def chosen(self, names: Sequence[str]) -> str:
        """The entries with these names, including cycle rules, each with its comment and file.

        Raises `UnknownNameError`.
        """
        known = dict.fromkeys(name for found in self.sections.values() for name in found)
        for name in names:
            if name not in known:
                raise UnknownNameError("entry", name, known)
        sections = self.sections.values()
        stated = (found[name].text for found in sections for name in names if name in found)
        codes = {code for text in stated if not isinstance(text, str) for code in text}
        lines: list[str] = []
        for section, found in self.sections.items():
            wanted = {*names, *codes} if section == "reasons" else {*names}
            entries = [entry for entry in found.values() if entry.name in wanted]
            if entries:
                lines += ["", f"{section}:", *self._written(section, entries)]
        return "\n".join(_trimmed(lines)) + "\n"

    def _head(self) -> list[str]:
        lines = []
        if len(self.standings) > 1:
            lines = ["# Composed of:"]
            for one in self.standings:
                others = f" (no effect, replaced by {', '.join(one.replaced_by)})"
                lines.append(f"#   {one.file}{'' if one.has_effect else others}")
            lines.append(f"# Entries without a file name are from {self._main}.")
        elif self.profile.layers:
            root = self.profile.layers[-1].root
            lines += _trimmed(lines_of(self.profile.layers[-1], root, "name").comment)
        lines.append(f"name: {scalar(self.profile.name, 2)}")
        if self.profile.title:
            lines.append(f"title: {scalar(self.profile.title, 2)}")
        if self.profile.map:
            lines.append(f"map: {scalar(self.profile.map, 2)}")
        return lines

    def _entry(self, section: str, entry: Entry) -> list[str]:
        """An entry with its comment, and the name of its file if that is not the first."""
        comment = _indented(entry.source.comment)
        if entry.file != self._main:
            space = 1 if comment[:1] == [""] else 0
            comment.insert(space, f"  # {entry.file}")
        if section == "cycles":
            return [*comment, *_rule(entry, entry.source)]
        return [*comment, *(_indented(entry.source.lines) or _written(section, entry))]


def _rule_part(node: Node) -> str:
    """A part of a cycle rule. A mapping (`where`, `set`, `along`) becomes one line of YAML."""
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
    """The rows of a relation's last entry, with the properties that they must have."""
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


# --- written --------------------------------------------------------------------------------------


def whole_profile(profile: Profile) -> str:
    """Write the profile as YAML that loads as an equal profile. Entries of the first file are
    unchanged, with their comments. A comment names the file of every other entry."""
    return ProfileDocument(profile).whole()


def _trimmed(lines: Sequence[str]) -> list[str]:
    """The lines without an empty line at their beginning."""
    return list(lines[1:] if lines and not lines[0] else lines)


def _indented(lines: Sequence[str], space: str = "  ") -> list[str]:
    return [space + line if line else "" for line in lines]


def _rule(entry: Entry, source: SourceLines) -> Iterator[str]:
    """The lines of a cycle rule."""
    if source.lines:
        first, *rest = source.lines
        yield f"  - {first}"
        yield from _indented(rest, "    ")
        return
    assert not isinstance(entry.text, str)
    yield f"  - name: {scalar(entry.name, 6)}"
    for key, text in entry.text.items():
        yield f"    {key}: {text if key in RULE_MAPPINGS else scalar(text, 6)}"


def _written(section: str, entry: Entry) -> list[str]:
    """An entry that shares a line in its file, or is not complete there."""
    heading = key_text(entry.heading)
    if isinstance(entry.text, str):
        is_flow = section in DECLARATIONS
        text = entry.text if is_flow else scalar(entry.text, 4)
        return [f"  {heading}: {text}"]
    return [
        f"  {heading}:",
        *(f"    {key_text(code)}: {scalar(text, 6)}" for code, text in entry.text.items()),
    ]


# --- start ----------------------------------------------------------------------------------------

# The templates are in `rules/templates`. Each is a rule file that loads. The comment above its name
# has orders that show what it changes. BASE in comments is the profile that it extends, and FILE is
# the file itself.


_WORDS, _KNOWN = re.compile(r"\b(BASE|FILE)\b"), "extends: datc"
_HEAD = """\
# A house rule: {base} with one change. Text after a # is a comment.
#
# It is a complete example. Write these orders into a file {orders_file} ...
#
{orders}#
# ... and try:
#
#   {tried}
{more}#
# Then change it. `dipsat rules show {base}` prints everything that can be
# changed; whatever this file does not state stays as it is there. docs/rule-language.md describes
# the language, docs/house-rules.md has worked examples, docs/cookbook.md many short ones.
name: {name}
title: {title}
extends: {extends}
"""


def start_of(file: str, base: str, kind: str = DEFAULT_KIND) -> str:
    """Write the text of a rule file for the path `file` that extends `base` with a rule of one of
    the `KINDS`. `base` is a name for `load_profile`; paths in it are relative to the current
    folder. The file loads, and changes one thing.

    Raises `FileError` if the path is not that of a YAML file, and the errors of `load_profile`.
    """
    if not is_yaml_path(file):
        raise FileError(file, f"is not a YAML file; call it {file}.yaml")
    load_profile(base)
    template = read_text(data_folder("rules") / "templates" / f"{kind}.yaml")
    orders, _, rest = template.partition("name: ")
    title, body = re.split(rf"^{_KNOWN}$", rest, maxsplit=1, flags=re.MULTILINE)
    quoted = f"'{base}'" if " " in base else base
    known = KINDS[kind]
    parts = [scalar(name_from(Path(file).parent, part.strip()), 2) for part in base.split("+")]
    compared = f"compare {known.orders_file} --rules {quoted} --rules {file}"
    judged = f"adjudicate {known.orders_file} --rules {file}"
    commands = {
        f"dipsat rules check {file}": "all faults, with line and column",
        f"dipsat rules diff {quoted} {file}": "only what differs",
        f"dipsat datc --rules {file}": "which DATC cases have another result",
    }
    width = max(map(len, commands))
    head = _HEAD.format(
        base=quoted,
        orders_file=known.orders_file,
        orders="".join(f"#   {line.removeprefix('# ')}\n" for line in orders.splitlines()),
        more="".join(f"#   {one:{width}}    {what}\n" for one, what in commands.items()),
        tried=f"dipsat {compared if known.is_compared else judged}",
        file=file,
        name=scalar(Path(file).stem, 2),
        title=title.partition("title: ")[2].strip(),
        extends=parts[0] if len(parts) == 1 else f"[{', '.join(parts)}]",
    )
    text = head + _WORDS.sub(
        lambda found: file if found[0] == "FILE" else quoted, body.removeprefix("\n")
    )
    parse_profile(text, file)
    return text
