"""The questions of the atlas about a map, and the answers as plain values, with lines by form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import dipsat
from dipsat import searches
from dipsat.base import grouped
from dipsat.searches import LinesResult

Answer = dict[str, Any]
"""An answer, as docs/atlas/README.md describes it."""


def answer(name: str, asked: Mapping[str, Any], limits: dipsat.Limits, every: bool) -> Answer:
    """The fewest units of the lines of a map that meet a question, and one such line, or all of
    them if `every` is set and the limits are enough."""
    if not every:
        found = search(name, asked, limits)
        return as_answer(asked, found.to_dict(), found.verdict == "impossible")
    found = search(name, asked, limits, every=True)
    whole = found.verdict != "unknown"
    if not whole and found.fewest == found.bound:
        found = search(name, asked, limits)  # the same line in every run, unlike lines found before
    return as_answer(asked, found.to_dict(), whole)


def search(
    name: str, asked: Mapping[str, Any], limits: dipsat.Limits, every: bool = False
) -> LinesResult:
    """Dipsat's answer to the question."""
    question = question_of(name, asked, every)
    found = dipsat.search(question, limits=limits)
    assert isinstance(found, LinesResult)
    return found


def question_of(name: str, asked: Mapping[str, Any], every: bool = False) -> searches.Lines:
    """The question about a map, from the arguments of `dipsat.searches.Lines` other than the map,
    or from the centres on each side of a split."""
    if "split" in asked:
        centres, split = asked["split"]
        return searches.Lines(centres, split=split, every=every, map=name)
    arguments: dict[str, Any] = {
        key: tuple(one) if isinstance(one, list) else one for key, one in asked.items()
    }
    return searches.Lines(**arguments, every=every, map=name)


def as_answer(asked: Mapping[str, Any], found: Mapping[str, Any], whole: bool) -> Answer:
    """The answer, given the members of a result. `whole` says that it has all lines."""
    proven = found["fewest"] is not None and found["fewest"] == found["bound"]
    return {
        "asked": dict(asked),
        "verdict": "found" if proven else found["verdict"],
        "fewest": found["fewest"],
        "bound": None if found["verdict"] == "impossible" else found["bound"],
        "all": whole,
        "forms": list(forms_of(found["lines"])),
    }


def forms_of(lines: Iterable[Mapping[str, list[str]]]) -> Iterator[dict[str, Any]]:
    """Lines by form. Lines of one form have units in the same provinces and the same region; they
    differ in which units are armies and which are fleets, and in the supports that these need."""
    by = grouped((_form(line), line) for line in lines)
    for (provinces, region), alike in sorted(by.items()):
        units = grouped((_province(unit), unit) for line in alike for unit in line["units"])
        yield {
            "units": [" or ".join(sorted({*units[province]})) for province in provinces],
            "region": list(region),
            "centres": alike[0]["centres"],
            "fleets_not_in": alike[0]["fleets_not_in"],
            "count": len(alike),
            "lines": sorted(", ".join(line["orders"]) for line in alike),
        }


def _form(line: Mapping[str, list[str]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(sorted(map(_province, line["units"]))), tuple(line["region"])


def _province(unit: str) -> str:
    return unit.split()[1].partition("/")[0]


def count_of(answered: Answer) -> int:
    """How many lines an answer has."""
    return sum(form["count"] for form in answered["forms"])


def lines_in(answered: Answer) -> Iterator[tuple[dict[str, Any], str]]:
    """Every line that an answer lists: its form, and its orders."""
    for form in answered["forms"]:
        for orders in form["lines"]:
            yield form, orders


def units_of(orders: str) -> list[str]:
    """The units that orders separated by commas are for."""
    return [" ".join(order.split()[:2]) for order in orders.split(", ")]
