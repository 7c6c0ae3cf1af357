"""The output of `dipsat rules`: the list of profiles, the results of checks, and differences."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import groupby
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from dipsat.app.printing import echo
from dipsat.app.view import terminal
from dipsat.base import Plain, counted, read_text
from dipsat.errors import AmbiguousNameError, DipsatError, UnknownNameError
from dipsat.rules import (
    Change,
    ListedProfile,
    Profile,
    RulesDifference,
    Side,
    in_words,
    load_profile,
    parse_profile,
    remarks,
)
from dipsat.studies import glimpse

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


def show_list(rows: Sequence[ListedProfile]) -> None:
    """Print the profiles by group."""
    console = terminal()
    width = max(len(row.short) for row in rows)
    for at, (group, members) in enumerate(groupby(rows, lambda row: row.group)):
        if at:
            console.print()
        heading = _HEADINGS.get(group) or group.capitalize()
        console.print(heading, style="bold")
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(no_wrap=True, min_width=min(width, 30))
        table.add_column()
        for issue, choices in groupby(members, lambda row: row.issue):
            if issue:
                table.add_row(Text(issue, style="bold"))
            for row in choices:
                letters = f" ({in_words(row.letters)})" if row.letters else ""
                table.add_row(f"  {row.short}" if issue else row.short, row.title + letters)
        console.print(table)


@dataclass(frozen=True, slots=True)
class Checked(Plain):
    """The result of `check` for a profile: its name and numbers of decisions and cycle rules (None
    if it has problems), its problems, and remarks on files without effect."""

    file: str
    name: str | None
    decisions: int | None
    cycle_rules: int | None
    problems: tuple[str, ...]
    remarks: tuple[str, ...]
    native: str | None = None
    """Why its equations cannot be compiled to machine code, "" if they can; None if
    that was not asked."""
    compiler: str | None = None
    """The command of the compiler; None if nothing was compiled."""
    why_not_kept: str | None = None
    """Why the compiled code is not in the cache folder, "" if it is; None if nothing was
    compiled."""


def checked(file: str, native: bool = False) -> Checked:
    """Check a profile, by its name or path; with `native`, also whether it can be compiled."""
    try:
        profile = _profile_called(file)
    except DipsatError as error:
        return Checked(file, None, None, None, tuple(str(error).split("\n")), ())
    said = (*remarks(profile), *glimpse(profile))
    sizes = len(profile.decisions), len(profile.cycles)
    found = Checked(file, profile.name, *sizes, (), said)
    if not native:
        return found
    from dipsat.kernel import Batch

    try:
        batch = Batch(profile, native=True)
    except DipsatError as error:
        return replace(found, native=str(error))
    return replace(found, native="", compiler=batch.compiler, why_not_kept=batch.why_not_kept)


def _profile_called(file: str) -> Profile:
    try:
        return load_profile(file)
    except (UnknownNameError, AmbiguousNameError):
        exists = os.path.exists(file)  # noqa: PTH110  # Path.exists fails for a long path
        if "+" in file or not (exists or Path(file).suffix[1:].isalpha()):
            raise
        return parse_profile(read_text(file), file)  # a file with another suffix


def show_checked(found: Checked) -> None:
    """Print the result for a profile, problems on standard error."""
    for problem in found.problems:
        echo(f"error: {problem}", err=True)
    if found.name is not None:
        decisions = counted(found.decisions or 0, "decision")
        rules = counted(found.cycle_rules or 0, "cycle rule")
        echo(f"{found.name}: {decisions}, {rules}, no problems")
    if found.compiler is not None:
        echo(f"  native: {found.compiler} has compiled its equations to machine code")
    elif found.native is not None:
        echo(f"  native: {found.native}")
    if found.why_not_kept:
        echo(f"  remark: the compiled code is not kept: {found.why_not_kept}")
    for remark in found.remarks:
        echo(f"  remark: {remark}")


def show_difference(found: RulesDifference) -> None:
    """Print every change by section, with the old and the new text and their files."""
    console = terminal()
    if not found.changes:
        console.print(f"No difference: {found.first} and {found.second} say the same.")
        return
    for at, (section, changes) in enumerate(groupby(found.changes, lambda c: c.section)):
        if at:
            console.print()
        console.print(_SECTIONS.get(section, section), style="bold")
        for change in changes:
            _show_change(console, change)
    entries = counted(len(found.changes), "entry", "entries")
    console.print()
    console.print(f"{found.first} and {found.second} differ in {entries}.")
    if all(change.section in ("define", "reasons") for change in found.changes):
        console.print("They judge alike: only terms that decide nothing, or reasons, differ.")


def _show_change(console: Console, change: Change) -> None:
    console.print(f"  {change.name}", style="yellow")
    if change.through:
        console.print(f"    reads the same, but differs by {', '.join(change.through)}")
        return
    before, after = change.before, change.after
    if change.section == "settings":
        for mark, side in (("-", before), ("+", after)):
            if side is not None:
                _line(console, mark, f"{side.text:<30} {side.file}")
        return
    for mark, side in (("-", before), ("+", after)):
        if side is not None:
            _line(console, mark, side.file, "bold ")
    for mark, line in _lines(before, after):
        _line(console, mark, f"  {line}")


def _lines(before: Side | None, after: Side | None) -> list[tuple[str, str]]:
    """The lines of both texts, each with - (old), + (new) or a space (both)."""
    old = [] if before is None else before.text.splitlines()
    new = [] if after is None else after.text.splitlines()
    found: list[tuple[str, str]] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new).get_opcodes():
        if tag == "equal":
            found += [(" ", line) for line in old[i1:i2]]
        else:
            found += [("-", line) for line in old[i1:i2]] + [("+", line) for line in new[j1:j2]]
    return found


def _line(console: Console, mark: str, text: str, weight: str = "") -> None:
    style = {"-": "red", "+": "green"}.get(mark, "")
    grid = Table.grid()
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    indent = len(text) - len(text.lstrip())
    grid.add_row(f"    {mark} {text[:indent]}", Text(text.strip(), style=f"{weight}{style}"))
    console.print(grid)
