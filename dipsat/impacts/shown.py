"""What people read about one rule set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from dipsat.impacts.findings import ImpactExample, ImpactShare, RulesImpact
from dipsat.pages import GAP, Column, Part, Styled, Table, Words, counted, indented, titled
from dipsat.proof.comparison import ComparedOrder
from dipsat.proof.outcome import result_of
from dipsat.replays.compare import side_in_words


def gaps(one: RulesImpact) -> str:
    """How many phases the rules cannot judge, "" if they can judge all."""
    count = sum(gap.phases for gap in one.not_judged)
    return f"{number(count)} cannot be judged" if count else ""


def in_full(one: RulesImpact, base: str) -> Iterator[Part]:
    """Everything about a rule set."""
    yield from ("", Styled(f"{one.rules}: {one.title}", "bold"))
    if one.differ:
        for heading, shares in (
            ("Kind of phase", one.by_kind), ("Season", one.by_season), ("Map", one.by_map),
            ("Units", one.by_units),
        ):  # fmt: skip
            if len(shares) > 1:
                yield _shares(heading, shares)
        rows = [(number(cause.phases), joined(cause.entries)) for cause in one.causes]
        yield from ("", Table(tuple(rows), (Column("Phases", is_right=True), Column("Why"))))
        yield from _examples("First", one.first, base, one.rules)
        yield from _examples("Smallest", one.smallest, base, one.rules)
    for gap in one.not_judged:
        phases = f"{number(gap.phases)} cannot be judged"
        yield f"{phases}, such as {', '.join(gap.first)}: {gap.reason}"


def _shares(heading: str, shares: Mapping[str, ImpactShare]) -> Table:
    rows = [
        (name, number(share.differ), f"of {number(share.compared)}",
         percent(share.differ, share.compared))
        for name, share in shares.items()
    ]  # fmt: skip
    columns = (Column(heading, 20), *(Column(is_right=True) for _ in range(3)))
    return Table(tuple(rows), columns, edge=GAP)


def _examples(
    heading: str, examples: Iterable[ImpactExample], base: str, rules: str
) -> Iterator[Part]:
    for example in examples:
        what = "shrunk from " if example.is_shrunk else ""
        units = counted(example.units, "unit")
        same = "" if example.board_differs else "; the board stays the same"
        yield from ("", f"{heading}: {what}{example.source}, {example.phase}, {units}{same}")
        if example.is_shrunk:
            rows = [(f"{titled(p)}:", "; ".join(texts)) for p, texts in example.orders.items()]
            yield Table(tuple(rows), indent=2, gap=1)
        if not example.changed:
            yield indented("All orders have the same results. Next:", 2)
            rows = [
                (f"{n}:", side_in_words(s))
                for n, s in zip((base, rules), example.next, strict=True)
            ]
            yield Table(tuple(rows), indent=4, gap=1)
            continue
        changed = [_changed(order) for order in example.changed]
        columns = (Column("Order"), Column(base, wraps=True), Column(rules, wraps=True))
        yield Table(tuple(changed), columns, indent=2, edge=GAP)


def _changed(order: ComparedOrder) -> tuple[Words, ...]:
    results = (
        "no such order" if one is None else result_of(one.verdict, one.fate)
        for one in order.results
    )
    return (f"{titled(order.power)}: {order.order}", *results)


def joined(entries: Iterable[str]) -> str:
    """The entries of a cause."""
    return " and ".join(entries) or "not found"


def number(count: int) -> str:
    """A number with its thousands apart."""
    return f"{count:,}"


def percent(part: int, whole: int) -> str:
    """A share in percent, so that a small one is not called none, nor a large one all."""
    if not whole:
        return ""
    share = 100 * part / whole
    if 0 < share < 0.01:
        return "< 0.01 %"
    if 99.9 < share < 100:
        return "> 99.9 %"
    return f"{share:.2f} %" if share < 1 else f"{share:.1f} %"
