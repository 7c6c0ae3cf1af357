"""Printing texts of strangers: nothing in them controls the terminal."""

from __future__ import annotations

import json

import click

from dipsat.tables import one_line


def printable_lines(text: str) -> str:
    """Untrusted text of several lines, without characters that would control the terminal."""
    return "\n".join(map(one_line, text.split("\n")))


def json_text(value: object, indent: int | None = None) -> str:
    """Plain values as JSON; characters that are not printable are escapes in its strings."""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    return "\n".join(map(_json_line, text.split("\n")))


def _json_line(line: str) -> str:
    if line.isprintable():
        return line
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in line)


def echo(text: str = "", nl: bool = True, err: bool = False) -> None:
    """Print a text as `click.echo` does, with escapes for characters that would control the
    terminal."""
    click.echo(printable_lines(text), nl=nl, err=err)
