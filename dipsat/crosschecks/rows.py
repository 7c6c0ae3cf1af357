"""The disagreements of judges as rows, see `dipsat.datasets.kinds.CROSSCHECK`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dipsat.crosschecks.judge import named_rules
from dipsat.crosschecks.report import CrosscheckGroup, CrosscheckReport, Disagreement
from dipsat.scenarios.sheet import Sheet


def crosscheck_rows(report: CrosscheckReport) -> Iterator[dict[str, Any]]:
    """Return a row for each disagreement that a report keeps, as plain values by column, by group
    (docs/data.md has the columns). `write_rows` writes rows into a file."""
    for number, group in enumerate(report.groups, 1):
        for one in group.disagreements:
            yield _row(number, group, one)


def _row(number: int, group: CrosscheckGroup, one: Disagreement) -> dict[str, Any]:
    shown, (first, second) = one.shown, one.judges
    differences = [
        {"part": found.part, "about": found.about, "first": word, "second": other}
        for found in shown.differences
        for word, other in [found.values]
    ]
    return {
        "source": one.source,
        "map": one.sheet.map,
        "phase": one.sheet.phase or None,
        "rules": named_rules(one.rules, one.variant),
        "first": first,
        "second": second,
        "group": number,
        "title": group.title,
        "parts": list(one.parts),
        "differences": differences,
        "units": sum(bool(row.unit) for row in one.sheet.rows),
        "shrunk": one.smallest is not None,
        "orders": _orders(shown.sheet),
        "one_power": [list(units) for units in shown.allies],
    }


def _orders(sheet: Sheet) -> list[dict[str, str | None]]:
    return [
        {"power": row.power, "unit": row.unit or None, "order": order}
        for row in sheet.rows
        for order in row.orders or (None,)
    ]
