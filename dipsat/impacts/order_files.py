"""Phases that differ as order files, which the other commands read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dipsat.impacts.findings import ImpactExample, RulesImpact
from dipsat.impacts.report import ImpactReport
from dipsat.scenarios.sheet import order_file, stated_phase


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
    orders = {power: list(texts) for power, texts in example.orders.items()}
    position = {"retreats": {}, **example.position, "phase": example.phase}
    return order_file(stated_phase(example._map, position, orders), remarks)
