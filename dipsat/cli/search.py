"""The commands `dipsat search`: questions about all orders."""

from __future__ import annotations

import click

from dipsat.cli.output import print_json
from dipsat.cli.parameters import json_option, rules_option, timeout_option


@click.group()
def search() -> None:
    """Ask about all orders of all positions, such as whether a line holds."""


@search.command()
@click.argument("file", metavar="FILE")
@rules_option
@json_option
@timeout_option
def hold(file: str, rules: str | None, as_json: bool, timeout: float | None) -> None:
    """Prove that a line of units holds whatever the enemy has and orders, or show what breaks it.

    FILE is YAML with `units`, their standing `orders`, and `protect` or `behind`: the provinces
    that no enemy may enter (docs/holding-lines.md).

    Exit status 0 if the line holds, 1 if it breaks, 2 for bad input, 3 if it is not known.

    \b
    Example:
      dipsat search hold docs/examples/line-south.yaml
    """
    try:
        status = _hold(file, rules, as_json, timeout)
    except KeyboardInterrupt:
        click.echo("error: interrupted before there was anything to show", err=True)
        status = 3
    click.get_current_context().exit(status)


def _hold(file: str, rules: str | None, as_json: bool, timeout: float | None) -> int:
    from dipsat.cli.hold_view import EXIT_STATUS, Ticker, show_hold
    from dipsat.profiles.load import load_profile
    from dipsat.questions import hold_line, read_line

    line = read_line(file, load_profile(rules) if rules else None)
    limit = None if timeout is None else int(timeout * 1000)
    result = hold_line(line, time_limit_ms=limit, progress=Ticker())
    if as_json:
        print_json(result.to_dict())
    else:
        show_hold(result)
    return EXIT_STATUS[result.verdict]
