"""The command line, run in the process of the test."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from dipsat.cli import main


def run(*arguments: str, stdin: bytes | str | None = None) -> Result:
    """The result of a command, which never ends in any exception but its exit."""
    result = CliRunner().invoke(main, arguments, input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def printed(*arguments: str, stdin: bytes | str | None = None, status: int = 0) -> str:
    """What a command prints when it has an answer."""
    result = run(*arguments, stdin=stdin)
    assert (result.exit_code, result.stderr) == (status, "")
    return result.stdout


def refused(*arguments: str, stdin: bytes | str | None = None) -> str:
    """What a command says when it refuses its input."""
    result = run(*arguments, stdin=stdin)
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr


def write(name: str, content: str | bytes) -> str:
    """Write a file in the current folder, and return its name."""
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return name
