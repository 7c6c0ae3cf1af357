"""A composed profile as a rule file: its entries with the comments of their files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dipsat.errors import UnknownNameError
from dipsat.profiles.document import RULE_MAPPINGS, Entry, ProfileDocument
from dipsat.profiles.layers import DECLARATIONS, SECTIONS
from dipsat.profiles.profile import Profile
from dipsat.profiles.source_lines import SourceLines, lines_of
from dipsat.profiles.standing import Standing
from dipsat.profiles.yaml_text import key_text, scalar


def whole_profile(profile: Profile) -> str:
    """The profile as YAML that loads as an equal one. Entries of the first file stand as they are
    there, with its comments; comments name the file of every other entry."""
    return _Writer(ProfileDocument(profile)).whole()


def entries_called(profile: Profile, names: Sequence[str]) -> str:
    """The entries of these names, and the rules for cycles, each with its comment and file.

    Raises `UnknownNameError`.
    """
    return _Writer(ProfileDocument(profile)).chosen(names)


class _Writer:
    def __init__(self, document: ProfileDocument) -> None:
        self.document = document
        self.profile = document.profile
        files = [one.file for one in document.standings]
        self.main = files[0] if files else ""

    def whole(self) -> str:
        """All entries."""
        lines = self._head()
        for section in SECTIONS:
            if section == "reasons":  # after everything that they are about
                lines += self._section("cycles", self.document.cycles) or ["", "cycles: []"]
            lines += self._section(section, tuple(self.document.sections[section].values()))
        return "\n".join(lines) + "\n"

    def _section(self, section: str, entries: Sequence[Entry]) -> list[str]:
        """A section; none if it is empty."""
        if not entries:
            return []
        found = self.document.heading_lines(section)
        heading = [*_trimmed(found.comment), *(found.lines or (f"{section}:",))]
        first, *rest = (self._entry(section, entry) for entry in entries)
        return ["", *heading, *_trimmed(first), *(line for lines in rest for line in lines)]

    def chosen(self, names: Sequence[str]) -> str:
        """The entries of these names."""
        sections = {
            **{name: tuple(found.values()) for name, found in self.document.sections.items()},
            "cycles": self.document.cycles,
        }
        sections["reasons"] = sections.pop("reasons")  # after everything that they are about
        known = dict.fromkeys(entry.name for found in sections.values() for entry in found)
        for name in names:
            if name not in known:
                raise UnknownNameError("entry", name, known)
        codes = {
            code
            for found in sections.values()
            for entry in found
            if entry.name in names and not isinstance(entry.text, str)
            for code in entry.text
        }
        lines: list[str] = []
        for section, found in sections.items():
            wanted = {*names, *codes} if section == "reasons" else {*names}
            entries = [self._entry(section, entry) for entry in found if entry.name in wanted]
            if entries:
                lines += ["", f"{section}:", *_trimmed(entries[0])]
                lines += [line for entry in entries[1:] for line in entry]
        return "\n".join(_trimmed(lines)) + "\n"

    def _head(self) -> list[str]:
        lines = []
        if len(self.document.standings) > 1:
            lines = ["# Composed of:"]
            lines += [f"#   {_composed(one)}" for one in self.document.standings]
            lines.append(f"# Where no file is named, an entry is that of {self.main}.")
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
        """An entry below its comment, and the name of its file if that is not the first."""
        comment = _indented(entry.source.comment)
        if entry.file != self.main:
            space = 1 if comment[:1] == [""] else 0
            comment.insert(space, f"  # {entry.file}")
        if section == "cycles":
            return [*comment, *_rule(entry, entry.source)]
        return [*comment, *(_indented(entry.source.lines) or _written(section, entry))]


def _composed(standing: Standing) -> str:
    """A file, and what replaces it if it has no effect."""
    if standing.has_effect:
        return standing.file
    return f"{standing.file} (no effect, replaced by {', '.join(standing.replaced_by)})"


def _trimmed(lines: Sequence[str]) -> list[str]:
    """Lines without an empty one before them."""
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
    """An entry that does not stand alone in its file, or not as a whole."""
    heading = key_text(entry.heading)
    if isinstance(entry.text, str):
        is_flow = section in DECLARATIONS
        text = entry.text if is_flow else scalar(entry.text, 4)
        return [f"  {heading}: {text}"]
    return [
        f"  {heading}:",
        *(f"    {key_text(code)}: {scalar(text, 6)}" for code, text in entry.text.items()),
    ]
