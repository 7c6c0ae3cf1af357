"""The command `dipsat prove`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

import dipsat
from dipsat.app import parameters as cli
from dipsat.app.named_files import phase_and_rules
from dipsat.base import Limits

if TYPE_CHECKING:
    from dipsat.formats import PhaseFile
    from dipsat.rules import Profile

_EXIT_STATUS = {"unique": 0, "not unique": 1, "unknown": 3}  # by the verdict; 2 is bad input


@click.command()
@click.argument("file", metavar="FILE")
@cli.rules_option
@cli.map_option
@cli.json_option
@cli.lenient_option
@cli.position_options
@cli.timeout_option
@cli.svg_option
@click.option(
    "--smt2", "folder", metavar="DIR", help="Write what is proven as SMT-LIB 2 into this folder."
)
@cli.force_option
@click.option("--all", "every", is_flag=True, help="List the subgraphs of one decision, too.")
def prove(
    file: str,
    rules: str | None,
    map_name: str | None,
    as_json: bool,
    lenient: bool,
    elsewhere: cli.Elsewhere,
    limits: Limits,
    picture_file: str | None,
    folder: str | None,
    force: bool,
    every: bool,
) -> None:
    """Prove that the orders of a phase have exactly one consistent resolution, or that they do not.

    FILE is as for `dipsat adjudicate`. Z3, or case analysis where it is not installed, counts the
    resolutions of the equations, without propagation and without cycle rules; strengths that can
    have one value only are inserted before (docs/proofs.md). With --smt2, any SMT solver can
    confirm the verdicts. With --svg, the decision cycles are drawn, or the board if there are none.

    Exit status 0 if the resolution is unique, 1 if it is not, 2 for bad input, 3 if the time was
    too short.

    \b
    Example:
      dipsat prove orders.txt --smt2 proof && z3 proof/whole.unique.smt2
    """
    from dipsat.app.view import show
    from dipsat.formats import check_faults
    from dipsat.outcomes import parts_of_proof

    phase, chosen = phase_and_rules(file, map_name, rules, elsewhere=elsewhere, lenient=lenient)
    proof = dipsat.prove(phase.position, phase.orders, chosen, lenient=lenient, limits=limits)
    if not lenient:
        check_faults(phase, proof.rulings)
    files = () if folder is None else proof.write_smt2(folder, force)
    if picture_file is not None:
        cli.write_picture(_drawn(phase, chosen, proof, lenient), picture_file)
    if as_json:
        cli.print_json(proof.to_dict())
    else:
        show(parts_of_proof(proof, every))
        if folder is not None and files:
            show(("", _written(folder, files)))
    click.get_current_context().exit(_EXIT_STATUS[proof.verdict])


def _drawn(
    phase: PhaseFile, rules: Profile | str, proof: dipsat.Proof, lenient: bool
) -> dipsat.draw.Svg:
    """The decision cycles of a proof, or the board with its results if there are none."""
    if any(one.cycle for one in proof.subgraphs):
        return dipsat.draw.cycle(proof)
    outcome = dipsat.adjudicate(phase.position, phase.orders, rules, lenient=lenient)
    return dipsat.draw.board(outcome, caption=True)


def _written(folder: str, files: Sequence[str]) -> str:
    """What was written, and the most important file: that of all subgraphs together, the uniqueness
    query if there is one."""
    first = next((name for name in files if name == "whole.unique.smt2"), files[0])
    return (
        f"{len(files)} files in {folder}: any SMT solver should give the answer stated in each; "
        f"begin with {first}."
    )
