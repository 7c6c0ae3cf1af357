"""The part of a page about splits of the board: a matrix of all, and lines of the most even."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tools.atlas import record
from tools.atlas.answers import Answer
from tools.atlas.split_units import most_even
from tools.tables import table

_SAID = (
    "Two lines that share no province, with the fewest units together. Each holds against enemies "
    "anywhere outside of it, so against the other side, too, and against third powers between "
    "them. Neither side can ever take anything from the other. The table has the fewest units of "
    "both for every two numbers of centres that single lines hold, the smaller side in rows; "
    "{unsettled}."
)
_EVEN = (
    "A split is more even than another if its smaller side holds more centres, or as many and the "
    "other side more. Each of these needs fewer units than every split that is more even:"
)


def part(name: str, answers: Sequence[Answer]) -> Iterator[str]:
    """The part of the page of a map."""
    open_ones = any(one["verdict"] == "unknown" for one in answers)
    unsettled = "`24 to 26` is not settled" if open_ones else "all are proven"
    yield from ("## Splits of the board", "", _SAID.format(unsettled=unsettled), "")
    yield from _matrix(answers)
    yield from ("", "### The most even splits with fewer units", "", _EVEN, "")
    yield from _lines(name, most_even(answers))
    yield ""
    for one in answers:
        path = record.PICTURES / f"atlas-{record.slug_of(name, one)}.svg"
        if path.exists():
            said = " and ".join(map(record.title_of, one["forms"]))
            yield f"![{said}, and no enemy can enter either side](../pictures/{path.name})"
            yield ""


def _matrix(answers: Sequence[Answer]) -> Iterator[str]:
    """The fewest units of every split."""
    of = {tuple(one["asked"]["split"]): _units(one) for one in answers}
    sizes = sorted({size for both in of for size in both})
    rows = [[f"**{less}**", *(of.get((less, more), "") for more in sizes)] for less in sizes]
    yield from table(["centres", *map(str, sizes)], rows)


def _units(one: Answer) -> str:
    if one["verdict"] == "impossible":
        return "none"
    if one["verdict"] == "found":
        return str(one["fewest"])
    most = "" if one["fewest"] is None else f" to {one['fewest']}"
    return f"{one['bound']}{most or ' or more'}"


def _lines(name: str, answers: Sequence[Answer]) -> Iterator[str]:
    """Two lines for each split."""
    rows = list[tuple[str, ...]]()
    for one in answers:
        slug = record.slug_of(name, one)
        files = f"[first](lines/{slug}.yaml), [second](lines/{slug}-other.yaml), "
        files += f"[certificates](lines/{slug}.json)"
        held = [f"{len(form['units'])} units: {form['lines'][0]}" for form in one["forms"]]
        both = " : ".join(map(str, one["asked"]["split"]))
        rows.append((both, str(one["fewest"]), *held, files))
    yield from table(("centres", "fewest units", "one side", "the other side", "files"), rows)
