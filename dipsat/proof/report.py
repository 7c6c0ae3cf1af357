"""What people read of an outcome: a row for each order, what follows, and what is proven. The
command line, `str` and notebooks show the same rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from dipsat.game.board_text import adjustment_lines, board_lines, center_lines
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import Position
from dipsat.profiles.profile import Profile
from dipsat.proof.reasons import Reason
from dipsat.proof.subgraphs import Subgraph
from dipsat.tables import Row, html_lines, html_of, text_of, wrapped

NOBODY_ENTERS = "though no unit enters"
"""What is said of a unit that house rules dislodge without an attacker that succeeds."""

Part = str | tuple[Row, ...]
"""A sentence, or a small table."""


class _ShownOrder(Protocol):
    """What is shown of the result of an order."""

    @property
    def power(self) -> str: ...
    @property
    def order(self) -> str: ...
    @property
    def verdict(self) -> str: ...
    @property
    def fate(self) -> str: ...
    @property
    def amended(self) -> str: ...
    @property
    def reason(self) -> Reason: ...
    @property
    def marks(self) -> tuple[str, ...]: ...


class _ShownDislodgement(Protocol):
    """What is shown of a dislodgement."""

    @property
    def power(self) -> str: ...
    @property
    def unit(self) -> str: ...
    @property
    def by(self) -> str | None: ...
    @property
    def retreats(self) -> tuple[str, ...]: ...


class _ShownOutcome(Protocol):
    """What is shown of an outcome."""

    @property
    def orders(self) -> Sequence[_ShownOrder]: ...
    @property
    def is_decided(self) -> bool: ...
    @property
    def dislodged(self) -> Sequence[_ShownDislodgement]: ...
    @property
    def contested(self) -> Sequence[str]: ...
    @property
    def position(self) -> Position: ...
    @property
    def profile(self) -> Profile: ...
    @property
    def winner(self) -> str | None: ...
    @property
    def next(self) -> Position: ...
    @property
    def subgraphs(self) -> Sequence[Subgraph]: ...
    @property
    def remarks(self) -> Sequence[str]: ...


def head_of(marks: bool = False) -> Row:
    """The head of the table of orders."""
    return "Order", "Mark" if marks else "Result", "Why"


def row_of(order: _ShownOrder, marks: bool = False) -> Row:
    """The row of an order, with the result or the algorithm's `marks`."""
    why = order.reason.text
    if order.amended:
        why = f"{why} ({order.amended})"
    result = ", ".join(order.marks) or "none" if marks else result_of(order.verdict, order.fate)
    return order.order, result, why


def result_of(verdict: str, fate: str) -> str:
    """An order's verdict and its unit's fate; only the fate if it just stands."""
    words = [fate] if verdict == "stands" and fate else [verdict, fate]
    return ", ".join(filter(None, words))


def parts_below(outcome: _ShownOutcome) -> list[Part]:
    """What stands below the orders: what follows, what is proven, and the remarks, with empty lines
    between them."""
    if outcome.is_decided:
        found = _what_follows(outcome)
    else:
        found = ["Not everything is decided, so what follows is not known."]
    if outcome.subgraphs:
        found += ["", *_what_is_proven(outcome.subgraphs)]
    return [*found, *([""] if outcome.remarks else []), *outcome.remarks]


def _what_follows(outcome: _ShownOutcome) -> list[Part]:
    found: list[Part] = []
    for unit in outcome.dislodged:
        cause = f"by {unit.by}" if unit.by else NOBODY_ENTERS
        where = retreats_in_words(unit.retreats)
        found.append(f"Dislodged: {unit.unit} ({unit.power.title()}) {cause}; {where}.")
    if outcome.contested:
        found.append(f"Standoff, no retreat to: {', '.join(outcome.contested)}.")
    found.append(f"Next phase: {outcome.next.phase}.")
    phase = outcome.next.phase
    is_adjustment = phase.kind is PhaseKind.ADJUSTMENT
    if phase.year > outcome.position.phase.year or is_adjustment:
        found += ["", *_end_of_year(outcome)]
    return found


def _end_of_year(outcome: _ShownOutcome) -> list[str]:
    """What the end of the year brings: who owns and has what, and who builds or disbands."""
    before, after = outcome.position, outcome.next
    found = list(board_lines(after, bool(before.centers)))
    if not before.centers:
        return [*found, _CENTERS_UNKNOWN] if after.centers else found
    found += [*center_lines(before, after), *adjustment_lines(after, outcome.profile.settings)]
    return found if outcome.winner is None else [*found, f"{outcome.winner.title()} has won."]


_CENTERS_UNKNOWN = (
    "It is not stated who owned which centres before, so only those occupied now count. State it "
    "under `centers:` in YAML, or in the file of the position."
)


def retreats_in_words(retreats: Sequence[str]) -> str:
    """Where a dislodged unit may go."""
    return f"may retreat to {', '.join(retreats)}" if retreats else "has no retreat"


def _what_is_proven(subgraphs: Sequence[Subgraph]) -> list[Part]:
    unique = [subgraph for subgraph in subgraphs if subgraph.verdict == "unique"]
    if len(unique) == len(subgraphs):
        count = sum(len(subgraph.decisions) for subgraph in subgraphs)
        return [
            f"Proven unique: {count} decisions in {len(subgraphs)} subgraphs have exactly one "
            f"consistent resolution."
        ]
    unproven = (
        f"{len(unique)} of {len(subgraphs)} subgraphs have exactly one consistent resolution."
    )
    found: list[Part] = [unproven]
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
        (
            ("  Decision cycle", ", ".join(subgraph.cycle)),
            ("  Order core", ", ".join(subgraph.core)),
            ("  Rule applied", rules or "none"),
        ),
    ]


def as_text(outcome: _ShownOutcome) -> str:
    """The table of orders, with the powers as headings, and what stands below it."""
    rows: list[Row] = [head_of()]
    power = None
    for order in outcome.orders:
        if order.power != power:
            power = order.power
            rows.append((power.title(),))
        shown, *others = row_of(order)
        rows.append((f"  {shown}", *others))
    lines = text_of(rows)
    for part in parts_below(outcome):
        lines += (wrapped(part) or [""]) if isinstance(part, str) else text_of(part, edge=0)
    return "\n".join(lines)


def as_html(outcome: _ShownOutcome, title: str) -> str:
    """The same as HTML."""
    rows = [(order.power.title(), *row_of(order)) for order in outcome.orders]
    found = html_of(("Power", *head_of()), rows, title)
    for part in parts_below(outcome):
        if isinstance(part, str):
            found += html_lines([part] if part else [])
        else:
            found += html_of((), part)
    return found
