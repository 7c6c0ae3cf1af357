"""The commands `dipsat rules`: list, show, compare, check, stress and begin rule profiles."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

import dipsat
from dipsat.app.impact_command import impact
from dipsat.app.parameters import Chosen, complete_rules, print_json
from dipsat.app.printing import echo
from dipsat.app.stress_command import stress
from dipsat.base import Part, Plain, Styled, Table, Words, counted, indented
from dipsat.errors import AmbiguousNameError, DipsatError, UnknownNameError
from dipsat.rules import DEFAULT_KIND, DEFAULT_RULES, KINDS

if TYPE_CHECKING:
    from dipsat.rules import Change, ListedProfile, Profile, RulesDifference, RulesOfSection

_NAME = "NAME-OR-FILE"
_HEADINGS = {
    "": "Profiles",
    "variants": "Variants: rules with the map that they are played on",
    "choices": "Choices: one issue of the DATC each, to be laid over a profile",
    "judges": "Judges: what other programs do",
}
_SECTIONS = {
    "map": "Map",
    "settings": "Settings",
    "units": "Kinds of units",
    "convoys": "Convoys",
    "define": "Terms",
    "legal": "Conditions on single orders",
    "decisions": "Decisions",
    "results": "Results",
    "cycles": "Rules for decision cycles",
    "reasons": "Reasons",
}


@click.group()
def rules() -> None:
    """List, show, compare, check, stress-test and write rule profiles.

    \b
    Wherever a profile is named, it may be
      datc, 4.A.2-1982             a shipped one (`dipsat rules list`)
      siege.yaml                   a file
      datc+4.A.2-1982+siege.yaml   several: later ones change earlier ones
    """


@rules.command("list")
@click.argument("prefix", required=False, default="", metavar="[PREFIX]")
@click.option("--json", "as_json", is_flag=True, help="Print names, titles and groups as JSON.")
def list_profiles(prefix: str, as_json: bool) -> None:
    """List the shipped rule profiles by group, each with the shortest name it is found by.

    With PREFIX, only those whose name or DATC issue begins with it.

    \b
    Example:
      dipsat rules list 4.A.2
    """
    from dipsat.rules import listed

    rows = listed(prefix)
    if as_json:
        print_json([row.to_dict() for row in rows])
    else:
        from dipsat.app.view import show

        show(_groups(rows))


def _groups(rows: Sequence[ListedProfile]) -> Iterator[Part]:
    """The profiles by group."""
    from dipsat.rules import in_words

    width = min(max(len(row.short) for row in rows), 30)
    for at, (group, members) in enumerate(groupby(rows, lambda row: row.group)):
        if at:
            yield ""
        yield Styled(_HEADINGS.get(group) or group.capitalize(), "bold")
        entries: list[tuple[Words, ...]] = []
        for issue, choices in groupby(members, lambda row: row.issue):
            if issue:
                entries.append((Styled(issue, "bold"),))
            for row in choices:
                letters = f" ({in_words(row.letters)})" if row.letters else ""
                name = f"  {row.short}" if issue else row.short
                entries.append((f"{name:<{width}}", row.title + letters))
        yield Table(tuple(entries))


@rules.command("show")
@click.argument("name", metavar="NAME-OR-NUMBER", shell_complete=complete_rules)
@click.argument("entries", nargs=-1, metavar="[ENTRY-OR-NUMBER]...")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def show_profile(name: str, entries: tuple[str, ...], as_json: bool) -> None:
    """Print a profile, some of its entries, or what it says about a section of the DATC.

    NAME is the name of a profile, or a file. ENTRY is the name of an entry, such as move. NUMBER is
    that of a section of the DATC, such as 5.B.2: you see its title, the entries that state it, and,
    for an issue of chapter 4, the choices. Without a NAME, a NUMBER is about datc.

    \b
    Examples:
      dipsat rules show 5.B.2
      dipsat rules show 1982 4.A.2
      dipsat rules show datc move hold_strength
    Without ENTRY, the output is itself a rule file:
      dipsat rules show datc+4.A.2-1982 > mine.yaml
    """
    from dipsat.rules import ProfileDocument, is_datc_number

    if is_datc_number(name):
        name, entries = DEFAULT_RULES, (name, *entries)
    if " " in name and not Path(name).suffix:
        raise click.UsageError(
            f"{name!r} is not the name of a profile; `dipsat datc {name}` looks for these words in "
            "the test cases"
        )
    profile = dipsat.load_profile(name)
    if entries and all(map(is_datc_number, entries)):
        _show_sections(profile, entries, as_json)
        return
    if as_json:
        if entries:
            raise click.UsageError("--json prints the whole profile; name no entries")
        print_json(ProfileDocument(profile).to_dict())
        return
    document = ProfileDocument(profile)
    text = document.chosen(entries) if entries else document.whole()
    echo(text, nl=False)


def _show_sections(profile: Profile, numbers: Sequence[str], as_json: bool) -> None:
    """Print what a profile says about sections of the DATC."""
    from dipsat.app.view import show
    from dipsat.formats import load_cases
    from dipsat.rules import datc_sections, rules_of_section

    found = []
    for number in dict.fromkeys(map(str.upper, numbers)):
        if number not in datc_sections() and int(number.partition(".")[0]) >= _TEST_CASES:
            (case,) = load_cases((number,))
            echo(f"{number} is a test case: {case.title}\n`dipsat datc {number}` runs it.")
            continue
        found.append(rules_of_section(profile, number))
    if as_json:
        print_json([one.to_dict() for one in found])
        return
    for one in found:
        section = one.section
        show([Styled(f"{section.number} {section.title} ({section.document})", "bold")])
        for passage in one.passages:  # as written, whatever the width
            echo(f"\n{passage.file}:{passage.line}, under `{passage.section}`")
            echo("\n".join(f"  {line}" for line in passage.text.split("\n")))
        show(_beside_passages(one, profile))


_TEST_CASES = 6
"""The first chapter of the DATC that has test cases."""


def _beside_passages(found: RulesOfSection, profile: Profile) -> Iterator[Part]:
    """The choices for a section of the DATC, its parts, and other notes on it."""
    from dipsat.rules import in_words

    if found.choices:
        yield from ("", Styled("Choices", "bold"))
        rows: list[tuple[Words, ...]] = []
        for one in found.choices:
            letters = f" ({in_words(one.letters)})" if one.letters else ""
            marks = [one.file, *["in force"] * one.in_force]
            marks += [f"preferred by {' and '.join(one.preferred_by)}"] * bool(one.preferred_by)
            rows += [(one.name, one.title + letters), ("", Styled("; ".join(marks), "dim"))]
        yield Table(tuple(rows), indent=2)
        other = next(one.name for one in found.choices if not one.in_force)
        yield f"`--rules {profile.name}+{other}` makes another choice."
    if found.parts:
        yield Table(tuple((one.number, one.title) for one in found.parts), indent=2)
    if found.section.note:
        yield found.section.note
    if int(found.section.number.partition(".")[0]) >= _TEST_CASES:
        yield f"`dipsat datc {found.section.number}` runs its cases."


@rules.command()
@click.argument("first", metavar="A", shell_complete=complete_rules)
@click.argument("second", metavar="B", shell_complete=complete_rules)
@click.option("--json", "as_json", is_flag=True, help="Print the differences as JSON.")
def diff(first: str, second: str, as_json: bool) -> None:
    """Say how the profile B differs from A: settings, terms, decisions, results, rules for cycles,
    and the reasons that people read.

    Equations are compared by meaning, not by wording. Exit status 0 if nothing differs, 1 if
    something does, 2 for bad input.
    """
    from dipsat.rules import difference

    found = difference(dipsat.load_profile(first), dipsat.load_profile(second))
    if as_json:
        print_json(found.to_dict())
    else:
        from dipsat.app.view import show

        show(_differences(found))
    if found.changes:
        click.get_current_context().exit(1)


def _differences(found: RulesDifference) -> Iterator[Part]:
    """Every change by section, with the old and the new text and their files."""
    if not found.changes:
        yield f"No difference: {found.first} and {found.second} say the same."
        return
    for at, (section, changes) in enumerate(groupby(found.changes, lambda c: c.section)):
        if at:
            yield ""
        yield Styled(_SECTIONS.get(section, section), "bold")
        for change in changes:
            yield indented(Styled(change.name, "yellow"), 2)
            if change.through:
                yield indented(f"reads the same, but differs by {', '.join(change.through)}", 4)
            else:
                yield from _sides(change)
    yield ""
    entries = counted(len(found.changes), "entry", "entries")
    yield f"{found.first} and {found.second} differ in {entries}."
    if all(change.section in ("define", "reasons") for change in found.changes):
        yield "They judge alike: only terms that decide nothing, or reasons, differ."


def _sides(change: Change) -> Iterator[Part]:
    """Both texts of an entry: lines of the old one after -, lines of the new one after +."""
    both = [(mark, one) for mark, one in (("-", change.before), ("+", change.after)) if one]
    if change.section == "settings":
        yield from (_line(mark, f"{side.text:<30} {side.file}") for mark, side in both)
        return
    yield from (_line(mark, side.file, "bold ") for mark, side in both)
    old, new = (side.text.splitlines() if side else [] for side in (change.before, change.after))
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new).get_opcodes():
        if tag == "equal":
            yield from (_line(" ", f"  {line}") for line in old[i1:i2])
        else:
            yield from (_line("-", f"  {line}") for line in old[i1:i2])
            yield from (_line("+", f"  {line}") for line in new[j1:j2])


def _line(mark: str, text: str, weight: str = "") -> Table:
    style = weight + {"-": "red", "+": "green"}.get(mark, "")
    indent = len(text) - len(text.lstrip())
    row = f"{mark} {text[:indent]}", Styled(text.strip(), style)
    return Table((row,), indent=4, gap=0)


@rules.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=complete_rules)
@click.option("--json", "as_json", is_flag=True, help="Print problems and remarks as JSON.")
def check(files: tuple[str, ...], as_json: bool) -> None:
    """Check rule profiles, and report all problems of each with file, line and column.

    FILE is a path, or a name as for `--rules`. Remarks name files that have no effect because
    others replace them, unused entries, and conditions of the base that an entry leaves out. Exit
    status 0 if there is neither, 1 if there are only remarks, 2 if there is a problem.
    """
    found = [_checked(file) for file in files]
    if as_json:
        print_json([one.to_dict() for one in found])
    else:
        for one in found:
            _show_checked(one)
    if any(one.problems for one in found):
        click.get_current_context().exit(2)
    if any(one.remarks for one in found):
        click.get_current_context().exit(1)


@dataclass(frozen=True, slots=True)
class _Checked(Plain):
    """The result of `check` for a profile: its name, its numbers of decisions and cycle rules (None
    if it has problems), its problems, and remarks on files without effect."""

    file: str
    name: str | None
    decisions: int | None
    cycle_rules: int | None
    problems: tuple[str, ...]
    remarks: tuple[str, ...]


def _checked(file: str) -> _Checked:
    """Check a profile, by its name or path."""
    from dipsat.rules import remarks
    from dipsat.studies import glimpse

    try:
        profile = _profile_called(file)
    except DipsatError as error:
        return _Checked(file, None, None, None, tuple(str(error).split("\n")), ())
    said = (*remarks(profile), *glimpse(profile))
    sizes = len(profile.decisions), len(profile.cycles)
    return _Checked(file, profile.name, *sizes, (), said)


def _profile_called(file: str) -> Profile:
    from dipsat.base import read_text
    from dipsat.rules import parse_profile

    try:
        return dipsat.load_profile(file)
    except (UnknownNameError, AmbiguousNameError):
        exists = os.path.exists(file)  # noqa: PTH110  # Path.exists fails for a long path
        if "+" in file or not (exists or Path(file).suffix[1:].isalpha()):
            raise
        return parse_profile(read_text(file), file)  # a file with another suffix


def _show_checked(found: _Checked) -> None:
    """Print the result for a profile, with problems on standard error."""
    for problem in found.problems:
        echo(f"error: {problem}", err=True)
    if found.name is not None:
        decisions = counted(found.decisions or 0, "decision")
        rules = counted(found.cycle_rules or 0, "cycle rule")
        echo(f"{found.name}: {decisions}, {rules}, no problems")
    for remark in found.remarks:
        echo(f"  remark: {remark}")


@rules.command()
@click.argument("file", metavar="FILE")
@click.option(
    "--extends",
    "base",
    metavar=_NAME,
    shell_complete=complete_rules,
    default=DEFAULT_RULES,
    show_default=True,
    help="The profile that it changes.",
)
@click.option(
    "--kind",
    type=Chosen(tuple(KINDS)),
    default=DEFAULT_KIND,
    show_default=True,
    help="What the rule changes. For a map use `dipsat maps new`.",
)
@click.option("--force", is_flag=True, help="Overwrite FILE if it exists.")
def new(file: str, base: str, kind: str, force: bool) -> None:
    """Write a small house rule into FILE, with comments that show how to try and change it.

    \b
    Examples:
      dipsat rules new mine.yaml
      dipsat rules new mine.yaml --kind builds --extends 1982
    """
    from dipsat.base import write_text
    from dipsat.rules import start_of

    write_text(file, start_of(file, base, kind), new=not force)
    changes = KINDS[kind].changes.format(base=base)
    echo(f"{file} is written: it changes {changes}.")
    echo(f"Its comments explain how to try it; `dipsat rules diff {base} {file}` shows the change.")
    echo("`--kind` begins rules of other kinds; docs/cookbook.md has more than forty.")


rules.add_command(impact)
rules.add_command(stress)
