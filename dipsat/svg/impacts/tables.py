"""The tables of the page of an impact, with bars."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from dipsat.pages import counted, plain_text, titled
from dipsat.proof.comparison import OrderResult
from dipsat.proof.outcome import result_of
from dipsat.surveys.impact_report import (
    ImpactCause,
    ImpactExample,
    ImpactReport,
    ImpactShare,
    RulesImpact,
    gaps,
    joined,
    number,
    origin,
    percent,
)
from dipsat.surveys.results import side_in_words
from dipsat.svg.html import tag
from dipsat.svg.markup import words

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
