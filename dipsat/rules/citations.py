"""Sources of rules: the section of the DATC that states an entry, or its place in a file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from dipsat.base import (
    Node,
    Plain,
    brief,
    data_folder,
    grouped,
    kept_on_first,
    parse_yaml,
    read_text,
)
from dipsat.errors import UnknownNameError
from dipsat.rules.layers import (
    BUILDING,
    Layer,
    Layers,
    entries_in,
    first_of_each_name,
    rule_name,
    standings,
    still_stated,
)
from dipsat.rules.profile import Profile
from dipsat.rules.profile_document import ProfileDocument
from dipsat.rules.profile_files import load_profile, shipped_files
from dipsat.rules.profile_remarks import words_in
from dipsat.rules.shipped_rules import letters_of, shipped_names

# --- sections of the DATC -------------------------------------------------------------------------

_NUMBER = re.compile(r"\d{1,2}(\.[A-Z](\.\d{1,3})?)?", re.IGNORECASE)
_CITED = re.compile(r"(DATC \d\.\d) (\d+(?:\.[A-Z](?:\.\d+)?)?)")
_STATED = ("settings", "decisions", "define", "legal", "results")
_SHOWN = (*_STATED, "cycles")
"""The sections of rule files to show, equations before their terms."""


@dataclass(frozen=True, slots=True)
class DatcSection(Plain):
    """A section of the DATC."""

    number: str
    title: str
    document: str
    """The version of the DATC that has this number and title."""
    note: str
    """What dipsat has for it if no entry of the rules is about it, otherwise ""."""


@cache
def _datc() -> Mapping[str, Node]:
    """The contents of the file about the sections of the DATC."""
    path = data_folder("rules") / "datc-sections.yaml"
    return parse_yaml(read_text(path), f"rules/{path.name}").mapping()


@cache
def datc_sections() -> Mapping[str, DatcSection]:
    """The sections of the DATC by number, in its order."""
    usual = {"document": _datc()["document"].raw, "note": ""}
    found = {}
    for number, node in _datc()["sections"].mapping().items():
        said = {key: part.text(key) for key, part in node.mapping().items()}
        found[number] = DatcSection(number, **{**usual, **said})
    return found


def is_datc_number(text: str) -> bool:
    """Whether a text looks like the number of a section or a case: `4`, `4.A`, `5.B.2`."""
    return _NUMBER.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Passage(Plain):
    """An entry of a rule file."""

    section: str
    """The section of the file, such as `decisions`."""
    entry: str
    """Its name."""
    text: str
    """Its text with the comment above it."""
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class DatcChoice(Plain):
    """A rule file that chooses one of the answers to an issue of the DATC."""

    name: str
    title: str
    letters: Mapping[str, str]
    """Document -> the letter of the choice there, if the name does not include it."""
    file: str
    preferred_by: tuple[str, ...]
    """The documents that prefer it."""
    in_force: bool
    """Whether the rules already have this choice."""


@dataclass(frozen=True, slots=True)
class RulesOfSection(Plain):
    """What rules say about a section of the DATC."""

    section: DatcSection
    passages: tuple[Passage, ...]
    """The entries about it."""
    choices: tuple[DatcChoice, ...]
    parts: tuple[DatcSection, ...]
    """Its subsections."""


def rules_of_section(profile: Profile, number: str) -> RulesOfSection:
    """What a profile says about a section of the DATC, given by its number.

    Raises `UnknownNameError` for a number that the DATC does not have.
    """
    known, wanted = datc_sections(), number.upper()
    if wanted not in known:
        raise UnknownNameError("section of the DATC", number, known)
    names = {name for name, issues in _issues().items() if wanted in issues}
    for name, stated in Layers(profile.layers).entries("sources").items():
        if any(wanted == _number_in(one.value.raw) for one in stated):
            names.add(name)
    document = ProfileDocument(profile)
    passages = (
        Passage(section, name, "\n".join(document.passage(section, one)), one.file, one.line)
        for section in _SHOWN
        for name, one in document.sections[section].items()
        if name in names
    )
    parts = (one for other, one in known.items() if other.rpartition(".")[0] == wanted)
    choices = _choices(profile, wanted)
    return RulesOfSection(known[wanted], tuple(passages), tuple(choices), tuple(parts))


def _number_in(source: str) -> str:
    """The number of the DATC section that is the source, "" for another source."""
    match = _CITED.fullmatch(source)
    return match[2] if match else ""


@cache
def _choice_files() -> Mapping[str, Layer]:
    """The shipped choices by name."""
    names = (name for name in shipped_names() if name.startswith("choices/"))
    return {name: shipped_files(name)[-1] for name in names}


@cache
def _issues() -> Mapping[str, Sequence[str]]:
    """Entry -> the issues of the DATC whose choices state it."""
    layers = _choice_files().values()
    return grouped(sorted({(name, layer.issue) for layer in layers for name in _stated(layer)}))


def _stated(layer: Layer) -> Iterator[str]:
    """The entries that a file states."""
    top = layer.root.mapping()
    for section in _STATED:
        if section in top:
            yield from (entry.name for entry in entries_in(top[section], section))
    for section in ("cycles", "cycles_before"):
        yield from map(rule_name, top[section].sequence(section) if section in top else ())


def _choices(profile: Profile, issue: str) -> Iterator[DatcChoice]:
    """The choices for an issue."""
    preferred = {
        document: {layer.source[0] for layer in load_profile(name.raw).layers}
        for document, name in _datc()["preferences"].mapping().items()
    }
    for name, layer in _choice_files().items():
        if layer.issue == issue:
            by = (document for document, files in preferred.items() if layer.source[0] in files)
            said = standings((*profile.layers, layer))[-1]
            title, short = layer.root.mapping()["title"].text("title"), name.rpartition("/")[2]
            letters, in_force = letters_of(layer.root), not (said.held or said.lost)
            yield DatcChoice(short, title, letters, layer.root.path, tuple(by), in_force)


# --- citations ------------------------------------------------------------------------------------


@brief()
@dataclass(frozen=True, slots=True)
class Citation(Plain):
    """The source of an entry of the rules."""

    entry: str
    """The name of the entry, such as `prevent_strength`."""
    source: str
    """The document and section that state it, such as `DATC 3.0 5.B.6`; "" if unknown."""
    title: str
    """The title of that section of the DATC, "" for another source."""
    file: str
    """The path of the rule file that has the entry."""
    line: int
    """The line there, from 1."""

    @property
    def number(self) -> str:
        """The number of the section of the DATC, "" for another source."""
        return _number_in(self.source)

    def __str__(self) -> str:
        if not self.source:
            return f"{self.file}:{self.line} ({self.entry})"
        is_issue = self.number.startswith("4.")  # its title says more than the name of a setting
        what = self.title.lower() if is_issue else self.entry.replace("_", " ")
        return f"{self.source} ({what})"


def cite(profile: Profile, names: Iterable[str]) -> tuple[Citation, ...]:
    """The sources of the entries with these names, and of the terms that they use if further files
    have changed these. An entry that builds on one in another file has both sources."""
    index, found = _index(profile), dict[str, Citation]()
    for name in names:
        for one in _cited(name, index):
            found.setdefault(one.source or f"{one.file}:{one.line}", one)
    return tuple(found.values())


def citations_in_words(profile: Profile, found: Sequence[Citation]) -> str:
    """Citations as a sentence such as `Rules (datc): DATC 3.0 5.B.1 (move).`, "" for none."""
    matches = ((_CITED.fullmatch(one.source), str(one)) for one in found)
    by_document = grouped((match[1] if match else "", text) for match, text in matches)
    texts = list(by_document.get("", ()))
    for document in filter(None, by_document):
        sections = (text.removeprefix(f"{document} ") for text in by_document[document])
        texts.insert(0, f"{document} {', '.join(sections)}")
    return f"Rules ({profile.name}): {'; '.join(texts)}." if texts else ""


class _Statement(NamedTuple):
    """A file's statement of an entry: the number of the file, the place in it, and the text."""

    at: int
    file: str
    line: int
    said: Node


class _Index(NamedTuple):
    """What citations need from a profile: its files, the statements of each entry that still count,
    the terms, and the terms that later files have changed."""

    layers: Layers
    stated: Mapping[str, Sequence[_Statement]]
    terms: Set[str]
    changed: Set[str]


@kept_on_first()
def _index(profile: Profile) -> _Index:
    layers = Layers(profile.layers)
    held = (entry.partition(": ") for one in standings(layers.files)[1:] for entry in one.held)
    changed = {name for section, _, name in held if section == "define"}
    return _Index(layers, dict(_statements(layers)), layers.entries("define").keys(), changed)


def _statements(layers: Layers) -> Iterator[tuple[str, Sequence[_Statement]]]:
    """Each entry with those of its statements that still count."""
    number = {layer.root.path: at for at, layer in enumerate(layers.files)}
    for section in _STATED:
        for name, stated in layers.entries(section).items():
            counting = still_stated(stated) if section in BUILDING else stated[-1:]
            places = ((one.section.place_of(one.key), one.value) for one in counting)
            found = (_Statement(number[file], file, line, node) for (file, line, _), node in places)
            yield name, tuple(found)
    for rule in first_of_each_name(node.sequence() for _, node in layers.cycles):
        yield rule_name(rule), (_Statement(number[rule.path], rule.path, rule.line, rule),)


def _cited(entry: str, index: _Index) -> Iterator[Citation]:
    """The sources of an entry, and those of changed terms that it uses from other files."""
    own = tuple(_own(entry, index))
    yield from own
    seen, waiting = {entry}, [entry]
    while waiting:
        said = (one.said for one in index.stated.get(waiting.pop(), ()))
        words = {word for node in said for word in words_in(node)} & index.terms - seen
        seen |= words
        waiting += words
    files = {one.file for one in own}
    for term in sorted(seen & index.changed - {entry}):
        yield from (one for one in _own(term, index) if one.file not in files)


def _own(entry: str, index: _Index) -> Iterator[Citation]:
    """The sources of an entry's statements, the last one first. A file may give the source of its
    own entry, and of one that a file below states."""
    stated = index.layers.entries("sources").get(entry, ())
    sources = {one.section.path: one.value.raw for one in stated}
    files = index.layers.files
    end = len(files)
    for one in reversed(index.stated.get(entry, ())):
        above = (layer.root.path for layer in reversed(files[one.at : end]))
        source = next((sources[path] for path in above if path in sources), "")
        source = source or _issue(entry, files[one.at], one.at == 0)
        section = datc_sections().get(_number_in(source))
        yield Citation(entry, source, section.title if section else "", one.file, one.line)
        end = one.at


def _issue(entry: str, layer: Layer, is_first: bool) -> str:
    """The issue that an entry is about, "" if there is none. In a choice it is the issue of the
    choice. For an entry of the standard rules it is the one whose choices state the entry."""
    issues = [layer.issue] if layer.issue else []
    if not issues and is_first and layer.is_shipped:
        issues = [*_issues().get(entry, ())]
    return f"{datc_sections()[issues[0]].document} {issues[0]}" if issues else ""
