"""An example of a phase that differs: its boards side by side, and the orders in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dipsat.errors import DipsatError
from dipsat.impacts.findings import ImpactExample
from dipsat.impacts.shown import joined
from dipsat.proof.comparison import besides_of
from dipsat.svg.html import tag
from dipsat.svg.impacts.boards import Grounds, boards_markup
from dipsat.svg.impacts.tables import Besides, of_example
from dipsat.svg.impacts.words import origin_of
from dipsat.svg.markup import words
from dipsat.titles import titled

_FEW = 12  # units, whose orders can also be read


def example_markup(example: ImpactExample, names: Sequence[str], grounds: Grounds) -> str:
    """An example as HTML; `names` are those of the base and of the rules. It is judged again for
    that, and nothing of this is kept, since a page may have hundreds."""
    try:
        found = example.comparison()
    except DipsatError as error:
        return _markup(example, names, example.phase, problem=str(error))
    position = found.outcomes[0].position
    ground = grounds.of(position.map)
    pictures = [] if ground is None else boards_markup(found, names, ground)
    figures = (
        tag("figure", tag("figcaption", words(name)), picture)
        for name, picture in zip(names, pictures, strict=False)
    )
    boards = tag("div", *figures, class_="pair") if pictures else ""
    title = position.phase.title(position.words)
    return _markup(example, names, title, boards, besides_of(found), "the map has no picture")


def _markup(
    example: ImpactExample, names: Sequence[str], title: str, boards: str = "",
    besides: Besides = (), problem: str = "",
) -> str:  # fmt: skip
    same = "All orders have the same results; what comes next differs."
    return tag(
        "article",
        tag("h4", words(title)),
        tag("p", words(origin_of(example)), class_="origin"),
        tag("p", words(f"Because of: {joined(example.cause)}")) if example.cause else "",
        *(_given(example) if example.units <= _FEW or not boards else ()),
        boards or tag("p", words(f"The boards cannot be drawn: {problem}")),
        "" if example.changed else tag("p", same),
        of_example(example, besides, names),
    )


def _given(example: ImpactExample) -> Iterator[str]:
    for power, texts in example.orders.items():
        yield tag("p", words(f"{titled(power)}: {'; '.join(texts)}"), class_="given")
