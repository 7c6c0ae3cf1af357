"""What a shell offers after Tab."""

from __future__ import annotations

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from dipsat.cli import main


def offered(*words: str) -> list[str]:
    """What completes the last word of a command."""
    complete = ShellComplete(main, {}, "dipsat", "_DIPSAT_COMPLETE")
    found = complete.get_completions(list(words[:-1]), words[-1])
    return [item.value for item in found if item.type == "plain"]


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("adj",), ["adjudicate"]),
        (("adjudicate", "--rules", "19"), ["1971", "1982"]),
        (("adjudicate", "--rules", "datc+4.A.7"), ["datc+4.A.7-a", "datc+4.A.7-b"]),
        (("compare", "--rules", "DATC-"), ["datc-2.4", "datc-3"]),
        (("rules", "show", "wing"), ["wings"]),
        (("rules", "diff", "datc", "arp"), ["arpiesse"]),
        (("maps", "show", "col"), ["coldwar", "colonial"]),
        (("search", "differ", "--map", "youngs"), ["youngstown", "youngstown_redux"]),
    ],
)
def test_names_are_completed(words: tuple[str, ...], names: list[str]) -> None:
    assert offered(*words) == names


@pytest.mark.parametrize("command", [["adjudicate"], ["rules", "shw"], ["adjudicate", "--foo"]])
def test_wrong_usage_begins_as_all_errors_do(command: list[str]) -> None:
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 2
    assert result.stderr.startswith("Usage: ")
    assert result.stderr.splitlines()[-1].startswith("error: ")


def test_no_line_of_a_piped_table_ends_in_spaces() -> None:
    printed = CliRunner().invoke(main, ["rules", "list", "4.A"]).stdout
    assert [line for line in printed.splitlines() if line != line.rstrip()] == []
