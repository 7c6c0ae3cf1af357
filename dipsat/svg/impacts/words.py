"""What the page of an impact says in sentences."""

from __future__ import annotations

from dipsat.impacts.findings import ImpactExample, RulesImpact
from dipsat.impacts.report import ImpactReport, origin
from dipsat.impacts.shown import number, percent
from dipsat.tables import counted

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
