"""Disagreements in words, and as order files that show them again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dipsat.crosschecks.finding import Difference
from dipsat.crosschecks.judge import Judge
from dipsat.crosschecks.report import CrosscheckReport, Disagreement

_YES = {
    "answer": "no answer", "moves": "goes to {}", "dislodged": "is dislodged",
    "contested": "is left vacant by a standoff", "retreats": "may retreat to {}",
}  # fmt: skip
_NO = {
    "answer": "an answer", "moves": "stays", "dislodged": "is not dislodged",
    "contested": "has no standoff", "legality": "legal",
}  # fmt: skip


def in_words(one: Difference) -> tuple[str, str]:
    """What either judge says of it, such as `goes to BEL` and `stays`."""
    first, second = (
        _YES.get(one.part, "{}").format(value) if value else _NO.get(one.part, "no such order")
        for value in one.values
    )
    return first, second


def allies_in_words(allies: Iterable[Iterable[str]]) -> str:
    """Which units must be of one power, "" if none."""
    return "; ".join(f"{' and '.join(units)} must be of one power" for units in allies)


def order_files(report: CrosscheckReport, judges: Iterable[Judge]) -> dict[str, str]:
    """Name -> text of a file for `dipsat adjudicate` per smallest disagreement: `2-1.yaml` is the
    first of the second group."""
    by_label = {judge.label: judge for judge in judges}
    return {
        f"{number}-{at}.yaml": _file(one, by_label)
        for number, group in enumerate(report.groups, 1)
        for at, one in enumerate(group.disagreements, 1)
        if one.smallest is not None
    }


def _file(one: Disagreement, judges: Mapping[str, Judge]) -> str:
    first, second = one.judges
    lines = [f"{one.source}: {first} and {second} differ."]
    for difference in one.shown.differences:
        mine, theirs = in_words(difference)
        about = f"{difference.about}: " if difference.about else ""
        lines.append(f"  {difference.part}: {about}{mine} by {first}, {theirs} by {second}")
    lines += [
        f"dipsat adjudicate FILE {judges[label].options(one.rules, one.variant)}"
        for label in one.judges
    ]
    return one.shown.sheet.to_file(line for text in lines for line in text.splitlines())
