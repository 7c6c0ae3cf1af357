"""The answers about one board: what happens, why, whether it is certain, and what may be
ordered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dipsat.errors import ArgumentError, UnresolvedError
from dipsat.limits import COMPARED_RULES, UNLIMITED
from dipsat.profiles.defaults import DEFAULT_RULES
from dipsat.web.faults import list_faults
from dipsat.web.given import Given, given_board, given_rules
from dipsat.web.requests import (
    Adjudicate,
    Compare,
    Draw,
    Explain,
    LegalOrders,
    OnBoard,
    Prove,
    Search,
    UnderRules,
)

if TYPE_CHECKING:
    from dipsat.game.position import Position
    from dipsat.game.submissions import PowerOrders
    from dipsat.proof.outcome import Outcome
    from dipsat.proof.proof import Proof
    from dipsat.searches.question import Question


def adjudicated(request: Adjudicate) -> dict[str, Any]:
    """What happens."""
    from dipsat.pages import titled

    given = _given(request)
    titles = {power: titled(power) for power in given.position.map.powers}
    found = {**_outcome(request, given).to_dict(), "titles": titles}
    return _with_faults(request, given, found)


def explained(request: Explain) -> dict[str, Any]:
    """Why a unit's order has its result."""
    from dipsat.explanations.explain import explain

    given = _given(request)
    outcome = _outcome(request, given)
    found = explain(outcome, request.unit, core=request.core, change=request.change)
    return _with_faults(request, given, found.to_dict())


def proven(request: Prove) -> dict[str, Any]:
    """How many resolutions the orders have."""
    from dipsat.proof.decision_cycles import decision_cycles_of

    given = _given(request)
    found = _proof(request, given)
    cycles = [cycle.to_dict() for cycle in decision_cycles_of(found)]
    return _with_faults(request, given, {**found.to_dict(), "cycles": cycles})


def compared(request: Compare) -> dict[str, Any]:
    """The same orders under several rules."""
    from dipsat.proof.comparison import compare

    COMPARED_RULES.check(len(request.rules))
    if len(request.rules) < 2:
        raise ArgumentError("compare", "rules", request.rules, "a list of two or more rules")
    rules = [given_rules(one, variant=request.variant) for one in request.rules]
    given = given_board(request, rules[0])
    found = compare(given.position, given.orders, rules, lenient=request.lenient)
    return _with_faults(request, given, found.to_dict())


def searched(request: Search) -> dict[str, Any]:
    """The answer to a question about open orders, or about a line."""
    from dipsat import svg
    from dipsat.formats.text_sheet import naming_orders
    from dipsat.searches.ask import FOUND, Posed, facts_of, headline_of

    if request.question in ("hold", "lines"):
        return _about_lines(request)
    question = _question(request)
    given = _given(request, searching=True)
    posed = Posed(
        given.anywhere or given.position,
        given.orders,
        given.rules,
        given.open if request.open is None else tuple(request.open),
        _power_of_open(request, question),
        request.most,
    )
    with naming_orders(given.places):
        found = posed.answer(question, UNLIMITED, request.solver)
    text = [headline_of(found), *(facts_of(found) if found.verdict == FOUND else ())]
    answer = {**found.to_dict(), "text": text}
    if request.picture:
        answer["svg"] = str(svg.search(found, dark=request.dark))
    return _with_faults(request, given, answer)


def _question(request: Search) -> Question:
    """The question that is asked. Raises `ArgumentError` for a member that it lacks."""
    from dipsat.searches import QUESTIONS
    from dipsat.searches.question import arguments_of

    kind = next(kind for kind in QUESTIONS if kind._command == request.question)
    given = {}
    for one in arguments_of(kind):
        value = getattr(request, one.name)
        if one.wanted:
            _needed("search", one.name, value, one.wanted)
        if one.is_rules and value is not None:
            value = given_rules(value, variant=request.variant)
        given[one.name] = value
    return kind(**given)


def _power_of_open(request: Search, question: Question) -> str | None:
    """The power whose units alone are open. Raises `ArgumentError` where it has no meaning."""
    if request.power is None or question._own_power is not None:
        return None
    if not question._opens_for_power:
        from dipsat.searches import QUESTIONS

        able = (kind for kind in QUESTIONS if kind._opens_for_power or hasattr(kind, "power"))
        kinds = " or ".join(f"`{kind._command}`" for kind in able)
        wanted = f"left out, unless the question is {kinds}"
        raise ArgumentError("search", "power", request.power, wanted)
    if request.open is not None:
        wanted = "left out, because `power` already says which orders are open"
        raise ArgumentError("search", "open", request.open, wanted)
    return request.power


def _about_lines(request: Search) -> dict[str, Any]:
    from dipsat.web.line_answers import found_lines, held_line

    if request.question == "hold":
        wanted = "a line, in YAML (docs/holding-lines.md)"
        return held_line(request, _needed("search", "line", request.line, wanted))
    wanted = "what the lines hold, such as {'centres': 15}"
    return found_lines(request, _needed("search", "lines", request.lines, wanted))


def may_order(request: LegalOrders) -> dict[str, Any]:
    """What may be ordered in a position."""
    from dipsat.play.game import Game

    given = _given(request)
    game = Game(given.position, given.rules)
    if request.unit is None:
        units = game.all_legal_orders()
    else:
        units = {request.unit: game.legal_orders(request.unit)}
    powers = game.all_legal_orders_of_powers()
    return {
        "phase": str(game.phase),
        "units": {unit: list(orders) for unit, orders in units.items()},
        "powers": {power: list(orders) for power, orders in powers.items() if orders},
    }


def drawn(request: Draw) -> dict[str, Any]:
    """A picture."""
    from dipsat import svg

    given = _given(request)
    dark = request.dark
    match request.what:
        case "explanation":
            from dipsat.explanations.explain import explain

            unit = _needed("svg", "unit", request.unit, "a unit, such as 'A LON'")
            reason = explain(_outcome(request, given), unit)
            if request.words:
                found = svg.explain(reason, dark=dark)
            else:
                from dipsat.svg.reasons.explained import explained_board

                found = explained_board(reason, dark)
        case "cycle":
            found = svg.cycle(_with_cycles(request, given), dark=dark)
        case "resolution":
            found = _board(request, _in_resolution(request, given))
        case "comparison":
            from dipsat.proof.comparison import compare

            named = _needed("svg", "other", request.other, "the other rules")
            other = given_rules(named, variant=request.variant)
            both = compare(given.position, given.orders, [given.rules, other])
            found = svg.compare(both, dark=dark)
        case "position":
            found = _board(request, given.position, given.orders)
        case "outcome":
            found = _board(request, _outcome(request, given))
    return _with_faults(request, given, {"svg": str(found)})


def _with_cycles(request: Draw, given: Given) -> Outcome | Proof:
    """The outcome, or the proof that the orders have none."""
    try:
        outcome: Outcome = _outcome(request, given)
    except UnresolvedError:  # the rules have no rule for the cycle
        return _proof(request, given)
    return outcome


def _proof(request: OnBoard, given: Given) -> Proof:
    from dipsat.proof.proof import prove

    return prove(given.position, given.orders, given.rules, lenient=request.lenient)


def _in_resolution(request: Draw, given: Given) -> Any:
    from dipsat.proof.decision_cycles import in_resolution

    return in_resolution(_proof(request, given), request.cycle, request.resolution)


def _board(
    request: Draw, what: Position | Outcome, orders: Mapping[str, PowerOrders] | None = None
) -> Any:
    from dipsat import svg

    return svg.board(
        what,
        orders=orders,
        colors=request.colors,
        labels=request.labels,
        size=request.size,
        dark=request.dark,
        highlight=request.highlight,
        legend=request.legend,
    )


def _given(request: UnderRules, searching: bool = False) -> Given:
    if request.rules is None and request.variant is None:
        return given_board(request, None, request.settings, searching)
    rules = request.rules or DEFAULT_RULES
    profile = given_rules(rules, request.settings, request.variant)
    return given_board(request, profile, searching=searching)


def _outcome(request: OnBoard, given: Given) -> Any:
    from dipsat.proof.adjudicate import adjudicate

    return adjudicate(given.position, given.orders, given.rules, lenient=request.lenient)


def _with_faults(request: OnBoard, given: Given, found: dict[str, Any]) -> dict[str, Any]:
    """An answer, with the faults that a lenient reader has met."""
    return {**found, "faults": list_faults(given.faults)} if request.lenient else found


def _needed(kind: str, name: str, value: Any, wanted: str) -> Any:
    """A member that is needed for what is asked. Raises `ArgumentError`."""
    if value is None:
        raise ArgumentError(kind, name, value, wanted)
    return value
