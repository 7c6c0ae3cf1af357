"""What `dipsat search hold` prints."""

from __future__ import annotations

import textwrap

import click

from dipsat.cli.view import printable
from dipsat.searches.hold import HoldResult, Witness

EXIT_STATUS = {"holds": 0, "breaks": 1, "unknown": 3}
"""Exit status by verdict; 2 is bad input."""

_WIDTH = 80


def show_hold(result: HoldResult) -> None:
    """Print the verdict, what it is about, and the witness if there is one."""
    line = result.line
    _say("Line", ", ".join(result.orders))
    _say("Region", ", ".join(sorted(line.region)) or "only the provinces of the own units")
    if line.derived:
        _say("", f"({line.derived})")
    click.echo()
    if result.verdict == "holds":
        _show_proof(result)
    elif result.verdict == "breaks":
        assert result.witness is not None
        _show_witness(result, result.witness)
    else:
        _say("UNKNOWN", f"{result.reason}.")


def _show_proof(result: HoldResult) -> None:
    _say(
        "HOLDS",
        f"Proven under the rules {result.line.rules.name}: wherever enemy armies and fleets "
        "stand outside of the region, and whatever they are ordered, supports and convoys "
        "included, no enemy enters the region and no unit of the line is dislodged.",
    )
    _say(
        "",
        "After the phase the line and the region are as they were, so the same orders hold for "
        "ever, as long as the enemy keeps to the limits stated and builds nothing in the region.",
    )


def _show_witness(result: HoldResult, witness: Witness) -> None:
    what = [f"{unit} is dislodged" for unit in witness.dislodged]
    what += [f"an enemy stands in {province}" for province in witness.entered]
    start = "No orders of the open units hold; against these: " if result.any_orders else ""
    _say("BREAKS", f"{start}{'; '.join(what)}. Adjudicated with these orders:")
    enemy = result.line.enemy.powers[0]
    for order in witness.orders[enemy]:
        click.echo(f"         {enemy.title()}: {order}")


def _say(label: str, text: str) -> None:
    lines = textwrap.wrap(printable(text), _WIDTH - 9, break_on_hyphens=False)
    for number, part in enumerate(lines):
        click.echo(f"{label if number == 0 else '':<9}{part}".rstrip())
