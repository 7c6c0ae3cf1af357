"""The commands `dipsat rules`: list, show, compare, check, stress and begin rule profiles."""

from __future__ import annotations

import click

import dipsat
from dipsat.app.impact_command import impact
from dipsat.app.parameters import Chosen, complete_rules, print_json
from dipsat.app.printing import echo
from dipsat.app.stress_command import stress
from dipsat.rules import DEFAULT_KIND, DEFAULT_RULES, KINDS

_NAME = "NAME-OR-FILE"


@click.group()
def rules() -> None:
    """List, show, compare, check, stress and write rule profiles.

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
    from dipsat.app.rules_view import show_list
    from dipsat.rules import listed

    rows = listed(prefix)
    if as_json:
        print_json([row.to_dict() for row in rows])
    else:
        show_list(rows)


@rules.command()
@click.argument("name", metavar=_NAME, shell_complete=complete_rules)
@click.argument("entries", nargs=-1, metavar="[ENTRY]...")
@click.option("--json", "as_json", is_flag=True, help="Print every entry with its file as JSON.")
def show(name: str, entries: tuple[str, ...], as_json: bool) -> None:
    """Print a profile as its files state it together, with their comments; or only the entries of
    these names.

    \b
    The whole output is itself a rule file:
      dipsat rules show datc+4.A.2-1982 > mine.yaml
      dipsat rules show datc move hold_strength
    """
    from dipsat.rules import ProfileDocument

    profile = dipsat.load_profile(name)
    if as_json:
        if entries:
            raise click.UsageError("--json prints the whole profile; name no entries")
        print_json(ProfileDocument(profile).to_dict())
        return
    document = ProfileDocument(profile)
    text = document.chosen(entries) if entries else document.whole()
    echo(text, nl=False)


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
        from dipsat.app.rules_view import show_difference

        show_difference(found)
    if found.changes:
        click.get_current_context().exit(1)


@rules.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=complete_rules)
@click.option(
    "--native", is_flag=True, help="Compile the equations, and say why if that is impossible."
)
@click.option("--json", "as_json", is_flag=True, help="Print problems and remarks as JSON.")
def check(files: tuple[str, ...], native: bool, as_json: bool) -> None:
    """Check rule profiles: all problems of each at once, with file, line and column.

    FILE is a path, or a name as for `--rules`. Remarks name files that have no effect because
    others replace them, entries that nothing uses, and conditions of the base that an entry leaves
    out. Exit status 0 if there is neither, 1 if there are only remarks, 2 if there is a problem.
    """
    from dipsat.app.rules_view import checked, show_checked

    found = [checked(file, native) for file in files]
    if as_json:
        print_json([one.to_dict() for one in found])
    else:
        for one in found:
            show_checked(one)
    if any(one.problems for one in found):
        click.get_current_context().exit(2)
    if any(one.remarks for one in found):
        click.get_current_context().exit(1)


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
    help="What the rule changes; for a map there is `dipsat maps new`.",
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
    echo(f"Its comments tell how to try it; `dipsat rules diff {base} {file}` shows the change.")
    echo("`--kind` begins rules of other kinds; docs/cookbook.md has more than forty.")


rules.add_command(impact)
rules.add_command(stress)
