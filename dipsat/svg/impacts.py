"""How often rules matter, as one HTML page: `dipsat.svg.impact_page`.

The page loads nothing and holds each map once. Everything can be read without its script, which
sorts the table of rule sets, and opens and closes the section of each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from string import Template
from typing import TypeAlias

from dipsat.board.map import Map
from dipsat.errors import DipsatError
from dipsat.impacts.findings import ImpactCause, ImpactExample, ImpactShare, RulesImpact
from dipsat.impacts.report import ImpactReport, origin
from dipsat.impacts.shown import gaps, joined, number, percent
from dipsat.pages import counted, plain_text, titled
from dipsat.proof.comparison import Comparison, OrderResult, besides_of
from dipsat.proof.outcome import result_of
from dipsat.replays.compare import side_in_words
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
from dipsat.svg.boards.look import colors_of, scoped, style_of
from dipsat.svg.markup import (
    FONT,
    element,
    head_of,
    number as decimal,
    page_text,
    quoted,
    tag,
    words,
)
from dipsat.svg.pictures.choice import picture_for
from dipsat.svg.pictures.picture import Picture, Window
from dipsat.svg.reasons.compared import MEANING, boards_apart, differing_units
from dipsat.svg.reasons.sheets import MOST_ZOOM, styles_of

_MOST_OPEN = 4
"""The most rule sets whose sections are open at first."""


def impact_page(
    report: ImpactReport,
    *,
    title: str = "",
    colors: Mapping[str, str] | None = None,
    dark: bool | None = None,
) -> str:
    """Return a report of how often rules matter as an HTML page that needs no network.

    It has a table of all rule sets, and for each that changes something why, where, and its
    examples: the boards under the base and under the rules side by side, with the orders whose
    results differ. `title` is the heading (default: the names of the rules). `colors` and `dark`
    are as for `board`; None for `dark` lets the reader's preference decide. Where an example
    cannot be drawn, the page says why. Raises the errors of `board` for colours that are not right.
    """
    told = [
        _Told(one, report, f"r{at}")
        for at, one in enumerate(report.rules)
        if one.differ or one.not_judged or len(report.rules) == 1
    ]
    places = {id(one.rules): one.name for one in told}
    links = [places.get(id(one), "") for one in report.rules]
    grounds = Grounds(Look(colors=colors, labels=False, dark=dark))
    sections = [one.markup(grounds, len(told) <= _MOST_OPEN) for one in told]
    script = page_text("impact.js")
    styles = dict.fromkeys(ground.style for ground in grounds.drawn)
    shown = title or heading(report)
    style = "".join((page_text("impact.css"), *styles))
    return Template(page_text("impact.html")).substitute(
        head=head_of(shown, dark, script, style),
        title=quoted(shown),
        lead=words(lead(report)),
        remarks="\n".join(_remarks(report)),
        maps="".join(ground.markup() for ground in grounds.drawn),
        table=of_all(report, links) if len(report.rules) > 1 else "",
        sections="\n".join(sections),
        script=script,
    )


def _remarks(report: ImpactReport) -> Iterator[str]:
    """What a reader must know before all else, and what was left out."""
    if report.is_interrupted:
        yield tag("p", "Interrupted; this is what was found until then.", class_="warning")
    if len(report.rules) > 1 and not report.differs and report.compared:
        yield tag("p", "No phase differs under any of them.", class_="headline")
    if report.skipped:
        lines = [f"{reason}: {number(count)}" for reason, count in report.skipped.items()]
        yield _listed(f"{number(sum(report.skipped.values()))} not compared", lines)
    if report.failures:
        yield _listed("What could not be read", report.failures)


def _listed(heading: str, lines: Iterable[str], is_open: bool = False) -> str:
    """Lines that often only some readers want to see."""
    parts = tag("summary", words(heading)), tag("ul", *(tag("li", words(one)) for one in lines))
    return tag("details", *parts, class_="remark", open="" if is_open else None)


@dataclass(frozen=True, slots=True)
class _Told:
    """All that the page tells of a rule set."""

    rules: RulesImpact
    report: ImpactReport
    name: str
    """The identifier of its part of the page."""

    def markup(self, grounds: Grounds, is_open: bool) -> str:
        """The rule set as HTML."""
        one, report = self.rules, self.report
        title = tag("p", words(one.title), class_="title") if one.title else ""
        share = percent(one.differ, one.compared) if one.differ else ""
        summary = tag("summary", tag("h2", words(one.rules)), tag("span", share, class_="fact"))
        inside = tag(
            "div",
            title,
            tag("p", words(headline(one, report)), class_="headline"),
            tag("p", words(extent(one, report))) if one.differ else "",
            *self._gaps(),
            tag("div", *self._tables(), class_="tables") if one.differ else "",
            *self._examples(grounds),
            id=self.name,
        )
        return tag("details", summary, inside, class_="rules", open="" if is_open else None)

    def _gaps(self) -> Iterator[str]:
        """Why phases could not be judged."""
        gaps = self.rules.not_judged
        if gaps:
            count = number(sum(gap.phases for gap in gaps))
            lines = [
                f"{number(gap.phases)}, such as {', '.join(gap.first)}: {gap.reason}"
                for gap in gaps
            ]
            heading = f"{count} phases cannot be judged under these rules"
            yield _listed(heading, lines, is_open=not self.rules.compared)

    def _tables(self) -> Iterator[str]:
        yield of_causes(self.rules.causes, self.report.against)
        yield from of_shares(self.rules)

    def _examples(self, grounds: Grounds) -> Iterator[str]:
        names = self.report.against, self.rules.rules
        first, smallest = self.rules.first, self.rules.smallest
        if first or smallest:
            yield tag("p", f"On the boards: {MEANING}", class_="origin")
        for title, examples in (
            ("First phases that differ", first),
            ("Smallest boards that differ", smallest),
        ):
            if examples:
                yield tag("h3", title)
                yield from (example_markup(example, names, grounds) for example in examples)


# --- tables ---------------------------------------------------------------------------------------

# The tables of the page, with bars.


# --- words ----------------------------------------------------------------------------------------

# What the page of an impact says in sentences.


_EXACT = 10  # one phase in 3.3, but one in 33


def heading(report: ImpactReport) -> str:
    """What the page is about."""
    one, *more = [rules.rules for rules in report.rules] or ["no rules"]
    return f"{len(more) + 1} rule sets against {report.against}" if more else (
        f"{one} against {report.against}"
    )  # fmt: skip


def lead(report: ImpactReport) -> str:
    """What was compared, and what counts as a difference."""
    return (
        f"{origin(report)}, each judged with the same position and orders under {report.against} "
        f"and under {'these rules' if len(report.rules) == 1 else 'each of these rule sets'}. A "
        "phase differs if an order has another verdict, if its unit has another fate, or if the "
        "board differs: the next position or the winner."
    )


def headline(one: RulesImpact, report: ImpactReport) -> str:
    """How often a rule set matters."""
    if not one.compared:
        return "No phase could be compared."
    phases = f"{number(one.compared)} phases"
    if not one.differ:
        return f"No difference from {report.against} in {phases}."
    verb = "differs" if one.differ == 1 else "differ"
    share = percent(one.differ, one.compared)
    in_all = one_in(one.differ, one.compared)
    return f"{number(one.differ)} of {phases} {verb}: {share}, or one phase in {in_all}."


def extent(one: RulesImpact, report: ImpactReport) -> str:
    """In how many games and orders."""
    orders = f"{number(one.orders)} {'order has' if one.orders == 1 else 'orders have'}"
    if not one.orders:
        orders = "no order has"
    what = "They are" if one.differ > 1 else "It is"
    games = of_games(one.games, report)
    return f"{what} in {games}; {orders} another result. {_on_the_board(one, report)}"


def _on_the_board(one: RulesImpact, report: ImpactReport) -> str:
    """After how many phases, and of how many games, the board differs."""
    if not one.board_differs:
        return "The board stays the same in every phase."
    share = percent(one.board_differs, one.compared)
    return (
        f"The board differs after {number(one.board_differs)} of them ({share} of all), in "
        f"{of_games(one.board_games, report)}."
    )


def of_games(count: int, report: ImpactReport) -> str:
    """In how many of the games: `3 of 12 games`."""
    total = report.games + report.boards
    if report.games and report.boards:
        what = "games and random boards"
    else:
        what = ("game" if report.games else "random board") + "s" * (total != 1)
    return f"{number(count)} of {number(total)} {what}"


def one_in(part: int, whole: int) -> str:
    """In how many of a kind there is one."""
    ratio = whole / part
    return f"{ratio:.1f}".removesuffix(".0") if ratio < _EXACT else number(round(ratio))


def origin_of(example: ImpactExample) -> str:
    """Where an example comes from."""
    shrunk = "What is left when nothing more can be left out of " if example.is_shrunk else ""
    same = "" if example.board_differs else "; the board stays the same"
    return f"{shrunk}{example.source}, {counted(example.units, 'unit')}{same}"


# --- tables ---------------------------------------------------------------------------------------


_MOST_CAUSES = 20
_MOST_IN_ROW = 2
Besides: TypeAlias = Iterable[tuple[str, list[str]]]
"""What differs besides the orders, each with what it is under the base and under the rules."""

_GOOD = frozenset({"succeeds", "given", "available", "stands"})


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a column."""

    text: str
    is_number: bool = False


def table(caption: str, heads: Sequence[Head], rows: Iterable[str], **given: object) -> str:
    """A table of rows that are markup; the caption says what is in it."""
    top = tag("thead", tag("tr", *map(_head, heads)))
    return tag("table", tag("caption", words(caption)), top, tag("tbody", *rows), **given)


def _head(one: Head) -> str:
    names = "number" if one.is_number else None
    return tag("th", words(one.text), scope="col", class_=names) if one.text else tag("td")


def of_all(report: ImpactReport, links: Sequence[str]) -> str:
    """A row for each rule set; `links` are the places of what the page tells more of them, "" for
    nothing."""
    caption = "How often each rule set has another result"
    games = ("Games",) if report.games else ()
    names = ("Phases", "Share", "", "One phase in", "Board", *games, "Orders")
    numbers = (Head(name, is_number=bool(name)) for name in names)
    heads = (Head("Rules"), *numbers, Head("Why"))
    most = max((_share(one.differ, one.compared) for one in report.rules), default=0.0)
    pairs = zip(report.rules, links, strict=True)
    rows = (_row(*pair, most, bool(report.games)) for pair in pairs)
    whole = table(caption, heads, rows, id="rules")
    # What can be scrolled must be within reach of the keyboard.
    return tag("div", whole, class_="wide", tabindex=0, role="region", aria_label=caption)


def _row(one: RulesImpact, link: str, most: float, counts_games: bool) -> str:
    name = words(one.rules)
    title = tag("small", words(one.title)) if one.title else ""
    shown = tag("a", name, href=f"#{link}") if link else name
    share = _share(one.differ, one.compared)
    ratio = one_in(one.differ, one.compared) if one.differ else ""
    why = [f"{joined(cause.entries)}: {number(cause.phases)}" for cause in one.causes]
    more = [f"{len(why) - _MOST_IN_ROW} more"] if len(why) > _MOST_IN_ROW else []
    lacking = filter(None, [gaps(one)])
    return tag(
        "tr",
        tag("th", shown, title, scope="row", data_value=one.rules),
        _number(number(one.differ) if one.compared else "", one.differ),
        _number(percent(one.differ, one.compared) if one.differ else "", share),
        tag("td", bar(share, most), class_="bar"),
        _number(ratio, one.compared / one.differ if one.differ else 0),
        _number(number(one.board_differs) if one.differ else "", one.board_differs),
        _number(number(one.games) if one.differ else "", one.games) if counts_games else "",
        _number(number(one.orders) if one.differ else "", one.orders),
        tag("td", words("; ".join([*why[:_MOST_IN_ROW], *more, *lacking])), class_="why"),
    )


def bar(value: float, most: float) -> str:
    """A bar that is as long as a value is beside the greatest one."""
    width = 100 * value / most if most else 0.0
    return tag("span", style=f"width:{width:.1f}%", aria_hidden="true")


def of_causes(causes: Sequence[ImpactCause], base: str) -> str:
    """Why phases differ."""
    most = max((cause.phases for cause in causes), default=0)
    rows = [
        tag(
            "tr",
            tag("th", words(joined(cause.entries)), scope="row"),
            tag("td", bar(cause.phases, most), class_="bar"),
            _number(number(cause.phases)),
        )
        for cause in causes[:_MOST_CAUSES]
    ]
    if left := causes[_MOST_CAUSES:]:
        shown = f"{number(len(left))} more"
        phases = _number(number(sum(cause.phases for cause in left)))
        rows.append(tag("tr", tag("th", shown, scope="row"), tag("td", class_="bar"), phases))
    caption = f"Why: what of these rules, laid over {base}, has the same result"
    return table(caption, (Head("Entries"), Head(""), Head("Phases", is_number=True)), rows)


def of_shares(one: RulesImpact) -> Iterator[str]:
    """How often phases of each sort differ; nothing where there is only one sort."""
    for caption, head, shares in (
        ("By kind of phase", "Kind", one.by_kind), ("By season", "Season", one.by_season),
        ("By map", "Map", one.by_map), ("By number of units", "Units", one.by_units),
    ):  # fmt: skip
        if len(shares) > 1:
            yield _shares(caption, head, shares)


def _shares(caption: str, head: str, shares: Mapping[str, ImpactShare]) -> str:
    most = max(_share(one.differ, one.compared) for one in shares.values())
    rows = (
        tag(
            "tr",
            tag("th", words(name), scope="row"),
            tag("td", bar(_share(one.differ, one.compared), most), class_="bar"),
            _number(percent(one.differ, one.compared) if one.differ else "0 %"),
            _number(f"{number(one.differ)} of {number(one.compared)}"),
        )
        for name, one in shares.items()
    )
    numbers = (Head("Share", is_number=True), Head("Phases", is_number=True))
    return table(caption, (Head(head), Head(""), *numbers), rows, class_="share")


def of_example(example: ImpactExample, besides: Iterable[tuple[str, list[str]]],
               names: Sequence[str]) -> str:  # fmt: skip
    """What differs in an example, in a column for the base and for the rules; "" if it is nothing
    that a row can say."""
    rows = [
        tag(
            "tr",
            tag("th", words(f"{titled(order.power)}: {order.order}"), scope="row"),
            *(_result(one, order.order) for one in order.results),
        )
        for order in example.changed
    ]
    besides = list(besides)
    if not example.changed and not besides:
        besides = [("Next", list(map(side_in_words, example.next)))]
    rows += [
        tag("tr", tag("th", words(title), scope="row"), *(tag("td", words(one)) for one in texts))
        for title, texts in besides
    ]
    heads = (Head("Order"), *map(Head, names))
    return table("What differs", heads, rows, class_="orders") if rows else ""


def _result(one: OrderResult | None, order: str) -> str:
    if one is None:
        return tag("td", "no such order")
    bad = None if one.verdict in _GOOD and not one.fate else "bad"
    shown = words(plain_text(result_of(one.verdict, one.fate)))
    read = "" if one.order == order else f"read as {one.order}"
    why = ": ".join(filter(None, (read, one.reason)))
    return tag("td", tag("b", shown, class_=bad), tag("small", words(why)) if why else "")


def _number(text: str, value: float | None = None) -> str:
    shown = None if value is None else f"{value:.6g}"
    return tag("td", text, class_="number", data_value=shown)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


# --- boards ---------------------------------------------------------------------------------------

# Boards in a page that holds each map once: what many boards have in common is written once, and
# the others refer to it.
#
# Browsers do not agree whether a style sheet's selectors look beyond an element that is referred
# to. So each of these has the class of the style sheet itself.


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
            viewBox=" ".join(map(decimal, self.window)),
            style=f"max-width:{decimal(self.window[2] * MOST_ZOOM / drawing.scale)}px",
        )  # fmt: skip

    def _layer(self, drawing: Drawing, layer: str) -> str:
        common = self.common[layer]
        own = (part for part in drawing.layers.get(layer, ()) if part not in common)
        return self.ground.once("".join(common)) + "".join(own)

    def _sea(self) -> str:
        left, top, wide, high = self.window
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
