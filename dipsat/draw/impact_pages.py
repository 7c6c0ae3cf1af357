"""How often rules matter, as one HTML page: `dipsat.draw.impact_page`.

The page loads nothing and contains each map once. Everything can be read without its script, which
sorts the table of rule sets and opens and closes their sections.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from string import Template

from dipsat.base import counted, plain_text, titled
from dipsat.board import Map
from dipsat.draw.board_drawing import (
    Drawing,
    Look,
    codes_within,
    cropped,
    features,
    ground,
    land_or_sea,
    names,
    province_paths,
)
from dipsat.draw.comparison_sheets import MEANING, boards_apart, differing_units
from dipsat.draw.map_picture import Window
from dipsat.draw.markup import (
    FONT,
    element,
    head_of,
    number as decimal,
    page_text,
    quoted,
    tag,
    told,
    words,
)
from dipsat.draw.order_lines import Scene
from dipsat.draw.picture_choice import picture_for
from dipsat.draw.sheets import MOST_ZOOM, styles_of
from dipsat.draw.style_sheet import colors_of, scoped, style_of
from dipsat.errors import DipsatError
from dipsat.outcomes import Comparison, OrderResult, besides_of, result_of
from dipsat.studies import (
    ImpactCause,
    ImpactExample,
    ImpactReport,
    RulesImpact,
    gaps,
    joined,
    number,
    origin,
    percent,
    side_in_words,
)

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

    It has a table of all rule sets. For each rule set that changes something, it shows why, where,
    and examples: the boards under the base and under the rules side by side, with the orders whose
    results differ. `title` is the heading (default: the names of the rules). `colors` and `dark`
    are as for `board`; None for `dark` lets the reader's preference decide. Where an example cannot
    be drawn, the page says why. Raises the errors of `board` for wrong colours.
    """
    shown = [one for one in report.rules if one.differ or one.not_judged or len(report.rules) == 1]
    names = {id(one): f"r{at}" for at, one in enumerate(report.rules) if one in shown}
    links = [names.get(id(one), "") for one in report.rules]
    look, grounds = Look(colors=colors, labels=False, dark=dark), dict[Map, Ground | None]()
    sections = [
        _section(one, report, names[id(one)], len(shown) <= _MOST_OPEN,
                 lambda example, labels: example_markup(example, labels, look, grounds))
        for one in shown
    ]  # fmt: skip
    drawn = [ground for ground in grounds.values() if ground is not None]
    script = page_text("impact.js")
    styles = dict.fromkeys(ground.style for ground in drawn)
    heading = title or _heading(report)
    style = "".join((page_text("impact.css"), *styles))
    return Template(page_text("impact.html")).substitute(
        head=head_of(heading, dark, script, style),
        title=quoted(heading),
        lead=words(_lead(report)),
        remarks="\n".join(_remarks(report)),
        maps="".join(ground.markup() for ground in drawn),
        table=_all_rules(report, links) if len(report.rules) > 1 else "",
        sections="\n".join(sections),
        script=script,
    )


def _remarks(report: ImpactReport) -> Iterator[str]:
    """What a reader must know first, and what was left out."""
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
    """Lines that only some readers want to see, folded away."""
    parts = tag("summary", words(heading)), tag("ul", *(tag("li", words(one)) for one in lines))
    return tag("details", *parts, class_="remark", open="" if is_open else None)


def _section(
    one: RulesImpact, report: ImpactReport, name: str, is_open: bool,
    drawn: Callable[[ImpactExample, Sequence[str]], str],
) -> str:  # fmt: skip
    """The section about a rule set, with an identifier."""
    share = percent(one.differ, one.compared) if one.differ else ""
    tables = [_causes(one.causes, report.against), *_sorts(one)] if one.differ else []
    return tag(
        "details",
        tag("summary", tag("h2", words(one.rules)), tag("span", share, class_="fact")),
        tag(
            "div",
            tag("p", words(one.title), class_="title") if one.title else "",
            tag("p", words(_headline(one, report)), class_="headline"),
            tag("p", words(_extent(one, report))) if one.differ else "",
            *_gaps(one),
            tag("div", *tables, class_="tables") if tables else "",
            *_examples(one, (report.against, one.rules), drawn),
            id=name,
        ),
        class_="rules",
        open="" if is_open else None,
    )


def _gaps(one: RulesImpact) -> Iterator[str]:
    """Why phases could not be judged."""
    if one.not_judged:
        count = number(sum(gap.phases for gap in one.not_judged))
        lines = [
            f"{number(gap.phases)}, such as {', '.join(gap.first)}: {gap.reason}"
            for gap in one.not_judged
        ]
        heading = f"{count} phases cannot be judged under these rules"
        yield _listed(heading, lines, is_open=not one.compared)


def _examples(
    one: RulesImpact, names: Sequence[str], drawn: Callable[[ImpactExample, Sequence[str]], str]
) -> Iterator[str]:
    if one.first or one.smallest:
        yield tag("p", f"On the boards: {MEANING}", class_="origin")
    for title, examples in (
        ("First phases that differ", one.first),
        ("Smallest boards that differ", one.smallest),
    ):
        if examples:
            yield tag("h3", title)
            yield from (drawn(example, names) for example in examples)


# --- words ----------------------------------------------------------------------------------------


_EXACT = 10  # one phase in 3.3, but one in 33


def _heading(report: ImpactReport) -> str:
    """The heading of the page."""
    one, *more = [rules.rules for rules in report.rules] or ["no rules"]
    return f"{len(more) + 1} rule sets against {report.against}" if more else (
        f"{one} against {report.against}"
    )  # fmt: skip


def _lead(report: ImpactReport) -> str:
    """What was compared, and what counts as a difference."""
    return (
        f"{origin(report)}, each judged with the same position and orders under {report.against} "
        f"and under {'these rules' if len(report.rules) == 1 else 'each of these rule sets'}. A "
        "phase differs if an order has a different verdict, if its unit has a different fate, or "
        "if the board differs: the next position or the winner."
    )


def _headline(one: RulesImpact, report: ImpactReport) -> str:
    """How often a rule set matters."""
    if not one.compared:
        return "No phase could be compared."
    phases = f"{number(one.compared)} phases"
    if not one.differ:
        return f"No difference from {report.against} in {phases}."
    verb = "differs" if one.differ == 1 else "differ"
    share = percent(one.differ, one.compared)
    in_all = _one_in(one.differ, one.compared)
    return f"{number(one.differ)} of {phases} {verb}: {share}, or one phase in {in_all}."


def _extent(one: RulesImpact, report: ImpactReport) -> str:
    """How many games and orders are affected."""
    orders = f"{number(one.orders)} {'order has' if one.orders == 1 else 'orders have'}"
    if not one.orders:
        orders = "no order has"
    what = "They are" if one.differ > 1 else "It is"
    games = _of_games(one.games, report)
    board = "The board stays the same in every phase."
    if one.board_differs:
        board = (
            f"The board differs after {number(one.board_differs)} of them "
            f"({percent(one.board_differs, one.compared)} of all), in "
            f"{_of_games(one.board_games, report)}."
        )
    return f"{what} in {games}; {orders} a different result. {board}"


def _of_games(count: int, report: ImpactReport) -> str:
    """A number of the games: `3 of 12 games`."""
    total = report.games + report.boards
    if report.games and report.boards:
        what = "games and random boards"
    else:
        what = ("game" if report.games else "random board") + "s" * (total != 1)
    return f"{number(count)} of {number(total)} {what}"


def _one_in(part: int, whole: int) -> str:
    """N in "one phase in N"."""
    ratio = whole / part
    return f"{ratio:.1f}".removesuffix(".0") if ratio < _EXACT else number(round(ratio))


def _origin(example: ImpactExample) -> str:
    """Where an example comes from."""
    shrunk = "Shrunk as far as possible from " if example.is_shrunk else ""
    same = "" if example.board_differs else "; the board stays the same"
    return f"{shrunk}{example.source}, {counted(example.units, 'unit')}{same}"


# --- tables ---------------------------------------------------------------------------------------


_MOST_CAUSES = 20
_MOST_IN_ROW = 2
_GOOD = frozenset({"succeeds", "given", "available", "stands"})


def _table(caption: str, heads: Iterable[str], rows: Iterable[str], **given: object) -> str:
    """A table of heads and rows, which are markup, with a caption."""
    top = tag("thead", tag("tr", *heads))
    return tag("table", tag("caption", words(caption)), top, tag("tbody", *rows), **given)


def _heads(*texts: str, names: str | None = None) -> list[str]:
    """The heads of columns, with a class."""
    return [
        tag("th", words(text), scope="col", class_=names) if text else tag("td") for text in texts
    ]


def _titled_row(title: str, *cells: str) -> str:
    return tag("tr", tag("th", words(title), scope="row"), *cells)


def _bar(value: float, most: float) -> str:
    """A cell with a bar whose length is proportional to a value; `most` is the full length."""
    width = 100 * value / most if most else 0.0
    bar = tag("span", style=f"width:{width:.1f}%", aria_hidden="true")
    return tag("td", bar, class_="bar")


def _number(text: str, value: float | None = None) -> str:
    shown = None if value is None else f"{value:.6g}"
    return tag("td", text, class_="number", data_value=shown)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _all_rules(report: ImpactReport, links: Sequence[str]) -> str:
    """A row for each rule set. `links` are the identifiers of their sections, "" for none."""
    caption = "How often each rule set gives a different result"
    games = ("Games",) if report.games else ()
    names = "Phases", "Share", "", "One phase in", "Board", *games, "Orders"
    heads = *_heads("Rules"), *_heads(*names, names="number"), *_heads("Why")
    most = max((_share(one.differ, one.compared) for one in report.rules), default=0.0)
    pairs = zip(report.rules, links, strict=True)
    rows = (_rules_row(*pair, most, report) for pair in pairs)
    whole = _table(caption, heads, rows, id="rules")
    # Scrollable elements must be reachable with the keyboard.
    return tag("div", whole, class_="wide", tabindex=0, role="region", aria_label=caption)


def _rules_row(one: RulesImpact, link: str, most: float, report: ImpactReport) -> str:
    name = words(one.rules)
    title = tag("small", words(one.title)) if one.title else ""
    shown = tag("a", name, href=f"#{link}") if link else name
    share = _share(one.differ, one.compared)
    why = [f"{joined(cause.entries)}: {number(cause.phases)}" for cause in one.causes]
    more = [f"{len(why) - _MOST_IN_ROW} more"] if len(why) > _MOST_IN_ROW else []
    lacking = filter(None, [gaps(one, report.boards)])

    def counted(count: int) -> str:
        return _number(number(count) if one.differ else "", count)

    return tag(
        "tr",
        tag("th", shown, title, scope="row", data_value=one.rules),
        _number(number(one.differ) if one.compared else "", one.differ),
        _number(percent(one.differ, one.compared) if one.differ else "", share),
        _bar(share, most),
        _number(_one_in(one.differ, one.compared), one.compared / one.differ)
        if one.differ
        else _number("", 0),
        counted(one.board_differs),
        counted(one.games) if report.games else "",
        counted(one.orders),
        tag("td", words("; ".join([*why[:_MOST_IN_ROW], *more, *lacking])), class_="why"),
    )


def _causes(causes: Sequence[ImpactCause], base: str) -> str:
    """Why phases differ."""
    most = max((cause.phases for cause in causes), default=0)
    rows = [
        _titled_row(joined(cause.entries), _bar(cause.phases, most), _number(number(cause.phases)))
        for cause in causes[:_MOST_CAUSES]
    ]
    if left := causes[_MOST_CAUSES:]:
        phases = _number(number(sum(cause.phases for cause in left)))
        rows.append(_titled_row(f"{number(len(left))} more", tag("td", class_="bar"), phases))
    caption = f"Why: which part of these rules, laid over {base}, has the same result"
    return _table(caption, [*_heads("Entries", ""), *_heads("Phases", names="number")], rows)


def _sorts(one: RulesImpact) -> Iterator[str]:
    """How often phases of each sort differ; nothing if there is only one sort."""
    for caption, head, shares in (
        ("By kind of phase", "Kind", one.by_kind), ("By season", "Season", one.by_season),
        ("By map", "Map", one.by_map), ("By number of units", "Units", one.by_units),
    ):  # fmt: skip
        if len(shares) > 1:
            most = max(_share(one.differ, one.compared) for one in shares.values())
            rows = (
                _titled_row(
                    name,
                    _bar(_share(one.differ, one.compared), most),
                    _number(percent(one.differ, one.compared) if one.differ else "0 %"),
                    _number(f"{number(one.differ)} of {number(one.compared)}"),
                )
                for name, one in shares.items()
            )
            heads = [*_heads(head, ""), *_heads("Share", "Phases", names="number")]
            yield _table(caption, heads, rows, class_="share")


def _differences(
    example: ImpactExample, besides: Iterable[tuple[str, list[str]]], names: Sequence[str]
) -> str:
    """A table of what differs in an example, with a column for the base and one for the rules, or
    "" if no row can say it. `besides` has the differences other than in the orders."""
    rows = [
        _titled_row(
            f"{titled(order.power)}: {order.order}",
            *(_result(one, order.order) for one in order.results),
        )
        for order in example.changed
    ]
    besides = list(besides)
    if not example.changed and not besides:
        besides = [("Next", list(map(side_in_words, example.next)))]
    rows += [
        _titled_row(title, *(tag("td", words(one)) for one in texts)) for title, texts in besides
    ]
    return _table("What differs", _heads("Order", *names), rows, class_="orders") if rows else ""


def _result(one: OrderResult | None, order: str) -> str:
    if one is None:
        return tag("td", "no such order")
    bad = None if one.verdict in _GOOD and not one.fate else "bad"
    shown = words(plain_text(result_of(one.verdict, one.fate)))
    read = "" if one.order == order else f"read as {one.order}"
    why = ": ".join(filter(None, (read, one.reason)))
    return tag("td", tag("b", shown, class_=bad), tag("small", words(why)) if why else "")


# --- boards ---------------------------------------------------------------------------------------

# Boards in a page that contains each map once: what boards have in common is written once, and the
# others refer to it.
#
# Browsers disagree on whether a style sheet's selectors match ancestors outside a referenced
# element. So each of these elements has the class of the style sheet itself.


_SHARED = ("orders", "units", "names", "signs")
"""Layers that are mostly the same on the boards of two results."""


class Ground:
    """A map under boards of a page. The identifiers of its parts begin with `name`. Raises the
    errors of `picture_for` and `colors_of`."""

    def __init__(self, board: Map, name: str, look: Look) -> None:
        self.map, self.name, self.look = board, name, look
        self.picture = picture_for(board)
        colors = tuple(colors_of(board, look.colors).values())
        usual, self.scope = style_of(colors, look.dark, self.picture.scale)
        self.style = usual + scoped(self.scope, styles_of(bool(look.dark)))
        self.written: dict[str, str] = {}
        """Markup that is already in the page -> its identifier."""

    def once(self, content: str) -> str:
        """The markup itself the first time, and a reference to it after that."""
        if not content:
            return ""
        if content in self.written:
            return _reference(self.written[content])
        name = self.written[content] = f"{self.name}s{len(self.written)}"
        return element("g", content, id=name, class_=self.scope)

    def markup(self) -> str:
        """Its parts, for boards to refer to."""
        provinces = (
            element("path", told(self.map.provinces[code].name), id=f"{self.name}p{at}", d=path)
            for at, (code, path) in enumerate(province_paths(self.picture).items())
        )
        under = self._part("under", ground(self.picture), features(self.picture, self.map))
        over = self._part("over", names(self.picture, self.map))
        return element("defs", *provinces, under, over)

    def boards(self, what: Comparison, labels: Sequence[str]) -> Iterator[str]:
        """The board of each result, with what differs standing out. `labels` say which is which."""
        drawings, window = boards_apart(what.outcomes, differing_units(what), self.look)
        seen = [cropped(drawing, window) for drawing in drawings]
        common = {layer: _common(seen, layer) for layer in _SHARED}
        for drawing, label in zip(seen, labels, strict=True):
            yield self._board(drawing, window, common, label)

    def _part(self, name: str, *content: str) -> str:
        return element("g", *content, id=f"{self.name}{name}", class_=self.scope)

    def _provinces(self, scene: Scene, window: Window) -> str:
        """The provinces that a window shows, in the colours of their owners."""
        seen = codes_within(self.picture, window)
        found = []
        for at, code in enumerate(province_paths(self.picture)):
            if code in seen:
                names, owner = land_or_sea(self.map, code), scene.owners.get(code)
                names += f" o{scene.numbers[owner]}" if owner else ""
                found.append(_reference(f"{self.name}p{at}", names))
        return "".join(found)

    def _board(
        self, drawing: Drawing, window: Window, common: Mapping[str, Mapping[str, None]], label: str
    ) -> str:
        """A board. `common` has the contents of layers that are on every board."""
        left, top, wide, high = window

        def layer(name: str) -> str:
            own = (part for part in drawing.layers.get(name, ()) if part not in common[name])
            return self.once("".join(common[name])) + "".join(own)

        return tag(
            "svg",
            element("rect", class_="open-sea", x=left, y=top, width=wide, height=high),
            self.once(self._provinces(drawing.scene, window)),
            self.once("".join(drawing.layers.get("regions", ()))),
            _reference(f"{self.name}under"),
            layer("orders"),
            layer("units"),
            _reference(f"{self.name}over"),
            layer("names"),
            layer("signs"),
            class_=f"dipsat-board {self.scope}", role="img", font_family=FONT,
            aria_label=f"{drawing.scene.title}, {label}", viewBox=" ".join(map(decimal, window)),
            style=f"max-width:{decimal(wide * MOST_ZOOM / drawing.scale)}px",
        )  # fmt: skip


def _common(drawings: Sequence[Drawing], layer: str) -> dict[str, None]:
    """The parts that a layer has in all drawings, in order."""
    first, *others = (drawing.layers.get(layer, ()) for drawing in drawings)
    return dict.fromkeys(part for part in first if all(part in other for other in others))


def _reference(name: str, classes: str | None = None) -> str:
    return element("use", href=f"#{name}", class_=classes)


_FEW = 12  # units, whose orders are also given as text


def example_markup(
    example: ImpactExample, names: Sequence[str], look: Look, grounds: dict[Map, Ground | None]
) -> str:
    """An example of a phase that differs, as HTML: its boards side by side on the page's grounds,
    and its orders as text. `names` are those of the base and of the rules. It is judged again, and
    none of that is kept, since a page may have hundreds of examples."""
    title, boards, problem = example.phase, "", "the map has no picture"
    besides: Iterable[tuple[str, list[str]]] = ()
    try:
        found = example.comparison()
    except DipsatError as error:
        problem = str(error)
    else:
        position, besides = found.outcomes[0].position, besides_of(found)
        title = position.phase.title(position.words)
        if position.map not in grounds:
            try:
                picture_for(position.map)
            except DipsatError:
                grounds[position.map] = None
            else:
                grounds[position.map] = Ground(position.map, f"m{len(grounds)}", look)
        ground = grounds[position.map]
        if ground is not None:
            pairs = zip(names, ground.boards(found, names), strict=True)
            figures = (
                tag("figure", tag("figcaption", words(name)), drawn) for name, drawn in pairs
            )
            boards = tag("div", *figures, class_="pair")
    given = (
        tag("p", words(f"{titled(power)}: {'; '.join(texts)}"), class_="given")
        for power, texts in example.orders.items()
    )
    same = "All orders have the same results; what comes next differs."
    return tag(
        "article",
        tag("h4", words(title)),
        tag("p", words(_origin(example)), class_="origin"),
        tag("p", words(f"Because of: {joined(example.cause)}")) if example.cause else "",
        *(given if example.units <= _FEW or not boards else ()),
        boards or tag("p", words(f"The boards cannot be drawn: {problem}")),
        "" if example.changed else tag("p", same),
        _differences(example, besides, names),
    )
