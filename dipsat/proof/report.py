"""Parts of what people read of an outcome: a row for each order, and what is proven."""

from __future__ import annotations

from collections.abc import Sequence

from dipsat.pages import Part, Styled, Table, Words
from dipsat.proof.evidence import Evidence, proof_in_words
from dipsat.proof.order_outcome import OrderOutcome
from dipsat.proof.subgraphs import Subgraph

_STYLES = {
    "succeeds": "green", "given": "green", "available": "green",
    "fails": "red", "cut": "red", "disrupted": "red", "illegal": "magenta", "invalid": "yellow",
}  # fmt: skip


def head_of(marks: bool) -> tuple[str, str, str]:
    """The head of the table of orders."""
    return "Order", "Mark" if marks else "Result", "Why"


def row_of(order: OrderOutcome, marks: bool) -> tuple[str, Words, str]:
    """The row of an order, with the result or the algorithm's `marks`."""
    why = order.reason.text
    if order.amended:
        why = f"{why} ({order.amended})"
    result = result_of(order.verdict, order.fate)
    if marks:
        result = Styled(", ".join(order.marks) or "none", style_of(order.verdict))
    return order.order, result, why


def result_of(verdict: str, fate: str) -> Words:
    """An order's verdict and its unit's fate; only the fate if it just stands."""
    words = [fate] if verdict == "stands" and fate else [verdict, fate]
    return Styled(", ".join(filter(None, words)), style_of(verdict))


def style_of(verdict: str) -> str:
    """How a terminal shows a verdict, "" for plainly."""
    return _STYLES.get(verdict, "")


def what_is_proven(subgraphs: Sequence[Subgraph], evidence: Evidence) -> list[Part]:
    """How many subgraphs have one resolution, what proves it, and what is known of the others."""
    found: list[Part] = [proof_in_words((one.verdict for one in subgraphs), evidence)]
    for subgraph in subgraphs:
        if subgraph.verdict != "unique":
            found += _trouble(subgraph)
    return found


def _trouble(subgraph: Subgraph) -> list[Part]:
    number = {"none": "no", "several": str(subgraph.resolutions)}.get(subgraph.verdict, "?")
    rules = ", ".join(dict.fromkeys(rule for rule, _ in subgraph.applications))
    return [
        f"A subgraph of {len(subgraph.decisions)} decisions has {number} resolutions "
        f"({subgraph.verdict}).",
        Table(
            (
                ("Decision cycle", ", ".join(subgraph.cycle)),
                ("Order core", ", ".join(subgraph.core)),
                ("Rule applied", rules or "none"),
            ),
            indent=2,
        ),
    ]
