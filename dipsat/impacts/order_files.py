"""Phases that differ as order files, which the other commands read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from dipsat.impacts.findings import ImpactExample, RulesImpact
from dipsat.impacts.report import ImpactReport
from dipsat.scenarios.sheet import name_of, order_file


def order_files(report: ImpactReport, against: str, rules: Sequence[str]) -> dict[str, str]:
    """Name -> text of an order file, one for each example: `mine-first-1.yaml`. `against` and
    `rules` are what `load_profile` takes, in the order of the report."""
    found: dict[str, str] = {}
    for number, (one, typed) in enumerate(zip(report.rules, rules, strict=True), 1):
        begin = re.sub(r"[^\w.+-]+", "-", one.rules)
        if f"{begin}-first-1.yaml" in found:  # other rules of the same name
            begin = f"{begin}-{number}"
        for name, example in _examples(one):
            found[f"{begin}-{name}.yaml"] = _file(example, against, typed)
    return found


def _examples(one: RulesImpact) -> Iterator[tuple[str, ImpactExample]]:
    for kind, examples in (("first", one.first), ("smallest", one.smallest)):
        yield from ((f"{kind}-{at}", example) for at, example in enumerate(examples, 1))


def _file(example: ImpactExample, against: str, rules: str) -> str:
    what = "shrunk from " if example.is_shrunk else ""
    remarks = (
        f"{what}{example.source}, {example.phase}: {', '.join(example.cause)}",
        f"dipsat compare FILE --rules {against} --rules {rules}",
        f"dipsat explain FILE --rules {rules}",
    )
    return order_file(_stated(example), remarks)


def _stated(example: ImpactExample) -> dict[str, Any]:
    """What an order file states: each dislodged unit with its retreats."""
    board = example.position
    retreats = board.get("retreats", {})
    dislodged = {
        power: {unit: list(retreats.get(power, {}).get(unit, ())) for unit in units}
        for power, units in board["dislodged"].items()
    }
    return {
        "map": name_of(example._map),
        "phase": example.phase,
        "units": board["units"],
        "centers": board["centers"],
        **({"dislodged": dislodged} if dislodged else {}),
        "orders": {power: list(texts) for power, texts in example.orders.items()},
    }
