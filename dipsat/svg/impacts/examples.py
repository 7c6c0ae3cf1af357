"""An example of a phase that differs: its boards side by side, and the orders in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dipsat.board.map import Map
from dipsat.errors import DipsatError
from dipsat.game.position import Position
from dipsat.impacts.findings import ImpactExample
from dipsat.impacts.shown import joined
from dipsat.proof.comparison import Comparison, besides_of
from dipsat.svg.html import tag
from dipsat.svg.impacts.boards import Ground, boards_markup
from dipsat.svg.impacts.tables import of_example
from dipsat.svg.impacts.words import origin_of
from dipsat.svg.markup import words
from dipsat.titles import titled


@dataclass(frozen=True, slots=True)
class ShownExample:
    """An example with its results under the base and under the rules, or why there are none."""

    example: ImpactExample
    comparison: Comparison | None
    problem: str = ""

    @staticmethod
    def of(example: ImpactExample) -> ShownExample:
        """Judge an example again."""
        try:
            return ShownExample(example, example.comparison())
        except DipsatError as error:
            return ShownExample(example, None, str(error))

    @property
    def position(self) -> Position | None:
        """Its position, if it has results."""
        return None if self.comparison is None else self.comparison.outcomes[0].position

    def markup(self, names: Sequence[str], grounds: Mapping[Map, Ground]) -> str:
        """The example as HTML; `names` are those of the base and of the rules."""
        example, position = self.example, self.position
        ground = None if position is None else grounds.get(position.map)
        title = example.phase if position is None else position.phase.title(position.words)
        besides = () if self.comparison is None else besides_of(self.comparison)
        same = "All orders have the same results; what comes next differs."
        return tag(
            "article",
            tag("h4", words(title)),
            tag("p", words(origin_of(example)), class_="origin"),
            tag("p", words(f"Because of: {joined(example.cause)}")) if example.cause else "",
            *(self._given() if example.is_shrunk or ground is None else ()),
            self._boards(names, ground),
            "" if example.changed else tag("p", same),
            of_example(example, besides, names),
        )

    def _given(self) -> Iterator[str]:
        """The orders, where they are few or there is no board."""
        for power, texts in self.example.orders.items():
            yield tag("p", words(f"{titled(power)}: {'; '.join(texts)}"), class_="given")

    def _boards(self, names: Sequence[str], ground: Ground | None) -> str:
        if self.comparison is None or ground is None:
            problem = self.problem or "the map has no picture"
            return tag("p", words(f"The boards cannot be drawn: {problem}"))
        pictures = boards_markup(self.comparison, names, ground)
        figures = (
            tag("figure", tag("figcaption", words(name)), picture)
            for name, picture in zip(names, pictures, strict=True)
        )
        return tag("div", *figures, class_="pair")
