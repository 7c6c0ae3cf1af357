"""The output of `dipsat search`: the answer about open orders, or about a line."""

from __future__ import annotations

import textwrap

from dipsat.cli.printing import echo, printable
from dipsat.searches.ask import Achieve, Differ, Guarantee, Paradox, Question, SearchResult
from dipsat.searches.hold import HoldResult, HoldWitness

EXIT_STATUS = {"found": 0, "holds": 0, "impossible": 1, "breaks": 1, "unknown": 3}
"""Exit status by verdict; 2 is bad input."""

_WIDTH = 80
_LABEL, _LINE_LABEL = 12, 9  # columns before the text, and before the text about a line
_LARGE = 10**9  # from here on, only the order of magnitude is shown


def show_answer(result: SearchResult, has_centers: bool = True) -> None:
    """Print the verdict, what it is about, and the orders that were found. A comparison of boards
    on which nobody owns a centre (without `has_centers`) says so."""
    rules = " and ".join(result.rules)
    if result.verdict == "found":
        _say("FOUND", f"{_found(result.question)} (rules {rules}):")
        _show_orders(result)
        for fact in _facts(result):
            _say("", f"{fact}.")
        _say("", _confirmed(result.question))
    elif result.verdict == "impossible":
        _say("IMPOSSIBLE", f"Proven under the rules {rules}: {_impossible(result)}.")
        if isinstance(result.question, Differ) and not has_centers:
            _say("", "The file states no `centers`: nobody owns a centre before these orders.")
    else:
        _say("UNKNOWN", f"{result.reason}.")
        _show_orders(result)


def _show_orders(result: SearchResult) -> None:
    """Print the orders of the open units; holds are only mentioned."""
    rows = [(power, order) for power, orders in result.orders.items() for order in orders]
    besides = [row for row in rows if " ".join(row) in result.open_besides]
    opened = [row for row in rows if row[1].startswith(tuple(f"{u} " for u in result.open_units))]
    moving = [(power, order) for power, order in opened if not order.endswith(" H")]
    for power, order in (*moving, *besides):
        echo(f"{'':<{_LABEL}}{power.title()}: {printable(order)}")
    match len(opened) - len(moving):
        case 0:
            return
        case 1:
            _say("", "The other open unit holds." if moving else "The open unit holds.")
        case _:
            _say("", "The other open units hold." if moving else "The open units hold.")


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
    number = result.order_sets
    shown = f"{number:,}" if number < _LARGE else f"about 10^{len(str(number)) - 1}"
    sets = f"the {shown} order sets of the open units"
    match result.question:
        case Paradox(kind=None):
            return f"for each of {sets} the decisions have exactly one resolution"
        case Paradox(kind=kind):
            return f"none of {sets} has a decision cycle of the kind '{kind}'"
        case Differ():
            return f"after each of {sets} the board is the same under both"
        case Achieve(goal=goal):
            return f"none of {sets} reaches {goal}"
        case Guarantee(goal=goal, power=power):
            return f"to all orders of {power.title()} there is an answer that prevents {goal}"


def _confirmed(question: Question) -> str:
    if isinstance(question, Guarantee):
        return "Proven: the solver finds no answer to these orders."
    return "Confirmed by adjudicating these orders."


def show_hold(result: HoldResult) -> None:
    """Print the verdict, what it is about, and the witness if there is one."""
    line = result.line
    _say_of_line("Line", ", ".join(result.orders))
    _say_of_line("Region", ", ".join(sorted(line.region)) or "only the provinces of the own units")
    if line.derived:
        _say_of_line("", f"({line.derived})")
    echo()
    if result.verdict == "holds":
        _show_proof(result)
    elif result.verdict == "breaks":
        assert result.witness is not None
        _show_witness(result, result.witness)
    else:
        _say_of_line("UNKNOWN", f"{result.reason}.")


def _show_proof(result: HoldResult) -> None:
    _say_of_line(
        "HOLDS",
        f"Proven under the rules {result.line.rules.name}: wherever enemy armies and fleets "
        "stand outside of the region, and whatever they are ordered, supports and convoys "
        "included, no enemy enters the region and no unit of the line is dislodged.",
    )
    _say_of_line(
        "",
        "After the phase the line and the region are as they were, so the same orders hold for "
        "ever, as long as the enemy keeps to the limits stated and builds nothing in the region.",
    )


def _show_witness(result: HoldResult, witness: HoldWitness) -> None:
    what = [f"{unit} is dislodged" for unit in witness.dislodged]
    what += [f"an enemy stands in {province}" for province in witness.entered]
    start = "No orders of the open units hold; against these: " if result.any_orders else ""
    _say_of_line("BREAKS", f"{start}{'; '.join(what)}. Adjudicated with these orders:")
    enemy = result.line.enemy.powers[0]
    for order in witness.orders[enemy]:
        echo(f"{'':<{_LINE_LABEL}}{enemy.title()}: {order}")


def _say_of_line(label: str, text: str) -> None:
    _say(label, text, _LINE_LABEL)


def _say(label: str, text: str, column: int = _LABEL) -> None:
    lines = textwrap.wrap(printable(text), _WIDTH - column, break_on_hyphens=False)
    for number, part in enumerate(lines):
        echo(f"{label if number == 0 else '':<{column}}{part}".rstrip())
