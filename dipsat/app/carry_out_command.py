"""The command `dipsat carry-out`, and its input: order sets whose orders can all be carried out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dipsat.app.named_files import text_from
from dipsat.app.parameters import json_option, print_json
from dipsat.app.printing import echo
from dipsat.base import titled

if TYPE_CHECKING:
    from dipsat.outcomes import Outcome


def print_transformed(outcome: Outcome, as_json: bool) -> None:
    """Print the order set that an engine has made."""
    from dipsat.outcomes import EngineOutcome
    from dipsat.studies import to_dict, to_text

    assert isinstance(outcome, EngineOutcome)
    assert outcome.transformed is not None
    if as_json:
        print_json(to_dict(outcome.transformed))
    else:
        echo(to_text(outcome.transformed), nl=False)


@click.command("carry-out")
@click.argument("file", metavar="FILE")
@json_option
def carry_out(file: str, as_json: bool) -> None:
    """Carry out an order set, without rules and without a map.

    FILE is what `dipsat adjudicate --engine dip_eval --transformed` prints, as text or JSON; `-`
    reads standard input. Exit status 0, or 2 if an order cannot be carried out.

    \b
    Example:
      dipsat adjudicate orders.txt --engine dip_eval --transformed | dipsat carry-out -
    """
    from dipsat.studies import carry_out as carried_out, read_order_set

    board = carried_out(read_order_set(*text_from(file)))
    if as_json:
        print_json(board.to_dict())
        return
    for power, units in board.to_dict()["units"].items():
        echo(f"{titled(power)}: {', '.join(units)}")
    for lost in board.dislodged:
        echo(f"Dislodged: {lost.unit} ({titled(lost.unit.power)}) by {lost.by.unit}.")
    if board.contested:
        echo(f"Standoff, no retreat to: {', '.join(board.contested)}.")
