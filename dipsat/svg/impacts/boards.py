"""Boards in a page that holds each map once: what many boards have in common is written once, and
the others refer to it.

Browsers do not agree whether a style sheet's selectors look beyond an element that is referred to.
So each of these has the class of the style sheet itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dipsat.board.map import Map
from dipsat.errors import DipsatError
from dipsat.pages import titled
from dipsat.proof.comparison import Comparison, besides_of
from dipsat.surveys.impact_report import ImpactExample, joined
from dipsat.svg.boards.drawing import (
    Drawing,
    Look,
    codes_within,
    cropped,
    features,
    ground,
    names,
    province_paths,
)
from dipsat.svg.boards.scene import colors_of, scoped, style_of
from dipsat.svg.html import tag
from dipsat.svg.impacts.tables import Besides, of_example, origin_of
from dipsat.svg.markup import FONT, element, number, words
from dipsat.svg.pictures.choice import picture_for
from dipsat.svg.pictures.picture import Picture, Window
from dipsat.svg.reasons.compared import MOST_ZOOM, boards_apart, differing_units
from dipsat.svg.reasons.marks import styles_of

_SHARED = ("orders", "units", "names", "signs")
"""Layers that are mostly the same on the boards of two results."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A map that boards of a page stand on. The identifiers of its parts begin with `name`."""

    name: str
    map: Map
    picture: Picture
    look: Look
    scope: str
    """The class of its style sheet."""
    style: str
    written: dict[str, str] = field(default_factory=dict)
    """What the page has by now -> its identifier."""

    @staticmethod
    def of(board: Map, picture: Picture, name: str, look: Look) -> Ground:
        """The ground of a map. Raises the errors of `colors_of`."""
        colors = tuple(colors_of(board, look.colors).values())
        usual, scope = style_of(colors, look.dark, picture.scale)
        style = usual + scoped(scope, styles_of(bool(look.dark)))
        return Ground(name, board, picture, look, scope, style)

    def once(self, content: str) -> str:
        """Markup where it comes first, and a reference to it where it comes again."""
        if not content:
            return ""
        if content in self.written:
            return _reference(self.written[content])
        name = self.written[content] = f"{self.name}s{len(self.written)}"
        return element("g", content, id=name, class_=self.scope)

    def markup(self) -> str:
        """Its parts, for boards to refer to."""
        paths = province_paths(self.picture)
        numbers = {code: at for at, code in enumerate(paths)}
        provinces = (
            element("path", f"<title>{words(self.map.provinces[code].name)}</title>",
                    id=f"{self.name}p{at}", d=paths[code])
            for code, at in numbers.items()
        )  # fmt: skip
        under = self._part("under", ground(self.picture), features(self.picture, self.map))
        over = self._part("over", names(self.picture, self.map))
        return element("defs", *provinces, under, over)

    def provinces(self, drawing: Drawing, window: Window) -> str:
        """The provinces that a window shows, in the colours of their owners."""
        seen = codes_within(self.picture, window)
        numbers = {name: at for at, name in enumerate(self.map.powers)}
        owners = {code: numbers[name] for code, name in drawing.scene.owners.items()}
        return "".join(
            _reference(f"{self.name}p{at}", _classes(self.map, code, owners.get(code)))
            for at, code in enumerate(province_paths(self.picture))
            if code in seen
        )

    def _part(self, name: str, *content: str) -> str:
        return element("g", *content, id=f"{self.name}{name}", class_=self.scope)


def _classes(board: Map, code: str, owner: int | None) -> str:
    kind = "sea" if board.provinces[code].kind == "sea" else "land"
    return kind if owner is None else f"{kind} o{owner}"


class Grounds:
    """The maps that boards of a page have stood on by now, each drawn in a look."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.known: dict[Map, Ground | None] = {}

    def of(self, board: Map) -> Ground | None:
        """The ground of a map, None if it cannot be drawn. Raises the errors of `colors_of`."""
        if board not in self.known:
            try:
                picture = picture_for(board)
            except DipsatError:
                self.known[board] = None
            else:
                name = f"m{len(self.known)}"
                self.known[board] = Ground.of(board, picture, name, self.look)
        return self.known[board]

    @property
    def drawn(self) -> list[Ground]:
        """Those that could be drawn."""
        return [ground for ground in self.known.values() if ground is not None]


def boards_markup(what: Comparison, labels: Sequence[str], ground: Ground) -> list[str]:
    """The board of each result on a ground, with what differs standing out. `labels` say which is
    which."""
    drawings, window = boards_apart(what.outcomes, differing_units(what), ground.look)
    seen = [cropped(drawing, window) for drawing in drawings]
    common = {layer: _common(seen, layer) for layer in _SHARED}
    boards = _Boards(ground, window, ground.provinces(seen[0], window), common)
    return [boards.markup(*one) for one in zip(seen, labels, strict=True)]


@dataclass(frozen=True, slots=True)
class _Boards:
    """Boards of one position."""

    ground: Ground
    window: Window
    provinces: str
    common: Mapping[str, Mapping[str, None]]
    """Name of a layer -> what it has on every board."""

    def markup(self, drawing: Drawing, label: str) -> str:
        """A board."""
        name = self.ground.name
        parts = (
            self._sea(),
            self.ground.once(self.provinces),
            self.ground.once("".join(drawing.layers.get("regions", ()))),
            _reference(f"{name}under"),
            self._layer(drawing, "orders"),
            self._layer(drawing, "units"),
            _reference(f"{name}over"),
            self._layer(drawing, "names"),
            self._layer(drawing, "signs"),
        )
        return tag(
            "svg", *parts,
            class_=f"dipsat-board {self.ground.scope}", role="img", font_family=FONT,
            aria_label=f"{drawing.scene.title}, {label}",
            viewBox=" ".join(map(number, self.window)),
            style=f"max-width:{number(self.window[2] * MOST_ZOOM / drawing.scale)}px",
        )  # fmt: skip

    def _layer(self, drawing: Drawing, layer: str) -> str:
        common = self.common[layer]
        own = (part for part in drawing.layers.get(layer, ()) if part not in common)
        return self.ground.once("".join(common)) + "".join(own)

    def _sea(self) -> str:
        left, top, wide, high = map(number, self.window)
        return element("rect", class_="open-sea", x=left, y=top, width=wide, height=high)


def _common(drawings: Sequence[Drawing], layer: str) -> dict[str, None]:
    """What the layers of all drawings have, in its order."""
    first, *others = (drawing.layers.get(layer, ()) for drawing in drawings)
    return dict.fromkeys(part for part in first if all(part in other for other in others))


def _reference(name: str, classes: str | None = None) -> str:
    return element("use", href=f"#{name}", class_=classes)


# --- examples -------------------------------------------------------------------------------------

# An example of a phase that differs: its boards side by side, and the orders in words.


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
