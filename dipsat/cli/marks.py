"""The marks of the DPjudge: the option that prints them, and what it is refused for."""

from __future__ import annotations

import click

from dipsat.cli.parameters import refuse_other_phases
from dipsat.proof.outcome import Outcome

marks_option = click.option(
    "--marks",
    is_flag=True,
    help="Show the words with which the engine marks orders in place of its verdicts: `void`, "
    "`no convoy`, `cut` and `bounce` of dpjudge; `none` for an order without a mark.",
)


def check_marks(outcome: Outcome, engine: str) -> None:
    """Raises `click.UsageError` for an outcome whose orders nobody has marked."""
    from dipsat.proof.engine_outcome import sets_marks

    refuse_other_phases("--marks", outcome.position.phase)
    if not sets_marks(outcome):
        raise click.UsageError(f"--marks is for an engine that marks orders; {engine} marks none")
