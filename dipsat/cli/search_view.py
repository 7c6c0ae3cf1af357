"""What `dipsat search` prints for a question about open orders."""

from __future__ import annotations

import textwrap

import click

from dipsat.cli.view import printable
from dipsat.questions.ask import Achieve, Differ, Guarantee, Paradox, Question, SearchResult

EXIT_STATUS = {"found": 0, "impossible": 1, "unknown": 3}
"""Exit status by verdict; 2 is bad input."""

_WIDTH = 80
_LABEL = 12


def show_answer(result: SearchResult) -> None:
    """Print the verdict, what it is about, and the orders that were found."""
    rules = " and ".join(result.rules)
    if result.verdict == "found":
        _say("FOUND", f"{_found(result.question)} (rules {rules}):")
        _show_orders(result)
        for fact in _facts(result):
            _say("", f"{fact}.")
        _say("", _confirmed(result.question))
    elif result.verdict == "impossible":
        _say("IMPOSSIBLE", f"Proven under the rules {rules}: {_impossible(result)}.")
    else:
        _say("UNKNOWN", f"{result.reason}.")
        _show_orders(result)


def _show_orders(result: SearchResult) -> None:
    """The orders but for holds, which are only told to exist."""
    holding = 0
    for power, orders in result.orders.items():
        for order in orders:
            if order.endswith(" H"):
                holding += 1
            else:
                click.echo(f"{'':<{_LABEL}}{power.title()}: {printable(order)}")
    if holding:
        others = "The other units hold." if holding > 1 else "The other unit holds."
        _say("", others)


def _found(question: Question) -> str:
    match question:
        case Paradox(kind=None):
            return "Orders with a decision cycle"
        case Paradox(kind=kind):
            return f"Orders with a decision cycle of the kind '{kind}'"
        case Differ():
            return "Orders after which the board differs"
        case Achieve(goal=goal):
            return f"Orders that reach {goal}"
        case Guarantee(goal=goal):
            return f"Orders that reach {goal} whatever the other open units are ordered"


def _facts(result: SearchResult) -> tuple[str, ...]:
    if isinstance(result.question, Paradox):
        return (f"Kinds of the decision cycles met: {', '.join(result.facts)}",)
    return result.facts


def _impossible(result: SearchResult) -> str:
    sets = (
        f"all {result.order_sets:.3g} order sets"
        if result.order_sets >= 10_000
        else (f"all {result.order_sets} order sets")
    )
    match result.question:
        case Paradox(kind=None):
            return f"the decisions have exactly one resolution for {sets} of the open units"
        case Paradox(kind=kind):
            return f"none of {sets} of the open units has a decision cycle of the kind '{kind}'"
        case Differ():
            return f"the board is the same under both for {sets} of the open units"
        case Achieve(goal=goal):
            return f"none of {sets} of the open units reaches {goal}"
        case Guarantee(goal=goal, power=power):
            return f"to all orders of {power.title()} there is an answer that prevents {goal}"


def _confirmed(question: Question) -> str:
    if isinstance(question, Guarantee):
        return "Proven: the solver finds no answer to these orders."
    return "Confirmed by adjudicating these orders."


def _say(label: str, text: str) -> None:
    lines = textwrap.wrap(printable(text), _WIDTH - _LABEL, break_on_hyphens=False)
    for number, part in enumerate(lines):
        click.echo(f"{label if number == 0 else '':<{_LABEL}}{part}".rstrip())
