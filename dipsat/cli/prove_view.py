"""The output of `dipsat prove`: a row per subgraph, then what is not unique and why."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from dipsat.cli.view import plain_table, terminal
from dipsat.proof.prove import Proof, SubgraphProof, in_words
from dipsat.tables import counted

EXIT_STATUS = {"unique": 0, "not unique": 1, "unknown": 3}
"""Exit status by the verdict of a proof; 2 is bad input."""

_STYLES = {"unique": "green", "none": "red", "several": "red", "unknown": "yellow"}


def show_proof(proof: Proof, folder: str | None, files: Sequence[str], every: bool) -> None:
    """Print a proof: the verdict, the subgraphs (those of one decision in a line, unless `every`
    one is wanted), and what is not unique. `files` are the names of those written into `folder`,
    if any."""
    console = terminal()
    if not proof.is_grounded:
        console.print("Not decided: the time limit was not enough to write down the equations.")
        return
    _show_verdict(console, proof)
    console.print()
    _show_subgraphs(console, proof.subgraphs, every)
    troubles = any(subgraph.verdict != "unique" for subgraph in proof.subgraphs)
    if troubles:
        console.print()
    for number, subgraph in enumerate(proof.subgraphs, 1):
        if subgraph.verdict != "unique":
            _show_trouble(console, number, subgraph)
    if folder is not None:
        console.print()
        console.print(
            f"{len(files)} files in {folder}: any SMT solver should give the answer stated in "
            f"each; begin with {_first(files)}."
        )


def _first(files: Sequence[str]) -> str:
    """The most important file: that of all subgraphs together, the uniqueness query if there is
    one."""
    return next((name for name in files if name == "whole.unique.smt2"), files[0])


def _show_subgraphs(console: Console, subgraphs: Sequence[SubgraphProof], every: bool) -> None:
    shown = [(at, one) for at, one in enumerate(subgraphs, 1) if every or not _is_trivial(one)]
    if shown:
        console.print(_table(shown))
    if folded := len(subgraphs) - len(shown):
        which = counted(folded, "subgraph", "subgraphs")
        console.print(f"{which} of one decision: unique. (--all lists them.)")


def _is_trivial(subgraph: SubgraphProof) -> bool:
    return subgraph.verdict == "unique" and len(subgraph.decisions) == 1


def _table(subgraphs: Sequence[tuple[int, SubgraphProof]]) -> Table:
    table = plain_table(
        Column("Subgraph", justify="right", no_wrap=True),
        Column("Decisions", justify="right", no_wrap=True),
        Column("Verdict", no_wrap=True),
        Column("Resolutions", justify="right", no_wrap=True),
        "Orders",
    )
    for number, subgraph in subgraphs:
        table.add_row(
            str(number),
            str(len(subgraph.decisions)),
            Text(subgraph.verdict, style=_STYLES[subgraph.verdict]),
            _count(subgraph),
            "; ".join(order for _, order in subgraph.orders),
        )
    return table


def _count(subgraph: SubgraphProof) -> str:
    """The number of resolutions found, as a lower bound if there may be more."""
    return f"{subgraph.resolutions}{'' if subgraph.is_complete else '+'}"


def _show_verdict(console: Console, proof: Proof) -> None:
    subgraphs = proof.subgraphs
    decisions = sum(len(subgraph.decisions) for subgraph in subgraphs)
    if proof.verdict == "unique":
        console.print(
            f"Proven unique by Z3: {decisions} decisions in {len(subgraphs)} subgraphs have "
            f"exactly one consistent resolution."
        )
        return
    unique = sum(subgraph.verdict == "unique" for subgraph in subgraphs)
    start = "Proven not unique by Z3" if proof.verdict == "not unique" else "Not decided"
    console.print(
        f"{start}: {unique} of {len(subgraphs)} subgraphs have exactly one consistent resolution."
    )


def _show_trouble(console: Console, number: int, subgraph: SubgraphProof) -> None:
    words = in_words(subgraph.verdict, subgraph.resolutions, subgraph.is_complete)
    console.print(f"Subgraph {number}: {words}.")
    if not subgraph.cycle:
        return
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_row("  Decision cycle", ", ".join(subgraph.cycle))
    table.add_row("  Order core", ", ".join(subgraph.core))
    console.print(table)
