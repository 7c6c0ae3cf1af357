"""The answers to all kinds of requests."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from dipsat import draw as svg
from dipsat.app import requests
from dipsat.base import (
    COMPARED_RULES,
    GAME_BYTES,
    TEXT_BYTES,
    UNLIMITED,
    allowed_files,
    check_time,
    read_text,
    titled,
    unlimited,
)
from dipsat.board import Map
from dipsat.errors import (
    LISTED_FAULTS,
    ArgumentError,
    DipsatError,
    DocumentError,
    FileError,
    OrderSyntaxError,
    ProblemsError,
    UnresolvedError,
)
from dipsat.formats import Game, orders_of_no_unit
from dipsat.game import Position, PowerOrders, adjustment_lines, by_power, retreat_lines
from dipsat.orders import Words
from dipsat.outcomes import (
    Outcome,
    Proof,
    adjudicate,
    compare,
    decision_cycles_of,
    in_resolution,
    prove,
)
from dipsat.rules import (
    CYCLE_FACTS,
    DEFAULT_RULES,
    FACTS,
    GOALS,
    PREDICATES,
    QUANTIFIERS,
    TOP_KEYS,
    Profile,
    ProfileDocument,
    check_features,
    difference,
    find_name,
    listed,
    load_profile,
    remarks,
    setting_values,
    shipped_file,
    whole_profile,
)
from dipsat.searches import explain

if TYPE_CHECKING:
    from dipsat.base import Plain
    from dipsat.formats import RecordedGame, RecordedState
    from dipsat.searches import HoldResult, LinesResult, Question
    from dipsat.studies import ReplayedPhase

# --- faults ---------------------------------------------------------------------------------------

_AT = ("document", "line", "column")
_HINT = re.compile(r"did you mean [^?]*\?")
_PLACE = re.compile(r"(?P<path>.*?):(?P<line>\d+)(?::(?P<column>\d+))?", re.DOTALL)
_REMARK = re.compile(r"(?P<path>[^\n]*?):(?P<line>\d+):(?P<column>\d+): (?P<text>.*)", re.DOTALL)


def fault(error: DipsatError) -> dict[str, Any]:
    """An error as plain values: its `kind` (the name of its class), the `message` without the
    place, the `document`, `line` and `column` (from 1) of the place, and the `hint` (did you mean
    ...?), each None if absent. `problems` has the faults of an error with several, each in this
    form; the place is then that of the first."""
    problems = list_faults(error.problems) if isinstance(error, ProblemsError) else []
    message = str(error)
    if problems:
        place = {name: problems[0][name] for name in _AT}
    else:
        place = dict(zip(_AT, _place(error), strict=True))
        shown = ":".join(str(part) for part in place.values() if part is not None)
        message = message.removeprefix(f"{shown}: ") if shown else message
    hint = _HINT.search(message)
    kind = type(error).__name__
    hinted = {"hint": hint[0] if hint else None, "problems": problems}
    return {"kind": kind, "message": message, **place, **hinted}


def list_faults(errors: Iterable[DipsatError]) -> list[dict[str, Any]]:
    """Errors as `fault` gives them, at most as many as a message lists."""
    return [fault(error) for error in list(errors)[:LISTED_FAULTS]]


def remark(text: str) -> dict[str, Any]:
    """A remark on a document as plain values. If the text begins with a place, it is split off."""
    found = _REMARK.fullmatch(text)
    if found is None:
        return {"message": text, **dict.fromkeys(_AT)}
    line, column = int(found["line"]), int(found["column"])
    return {"message": found["text"], "document": found["path"], "line": line, "column": column}


def _place(error: DipsatError) -> tuple[str | None, int | None, int | None]:
    if isinstance(error, DocumentError):
        return error.path, error.line, error.column
    if isinstance(error, OrderSyntaxError):
        return None, error.line, None
    if not isinstance(error, FileError) or not error.path:
        return None, None, None
    found = _PLACE.fullmatch(error.path)
    if found is None:
        return error.path, None, None
    return found["path"], int(found["line"]), int(found["column"]) if found["column"] else None


# --- boards ---------------------------------------------------------------------------------------


def adjudicated(request: requests.Adjudicate) -> dict[str, Any]:
    """The outcome of the orders."""
    given = _given(request)
    titles = {power: titled(power) for power in given.position.map.powers}
    outcome = _outcome(request, given)
    due = [*retreat_lines(given.position), *adjustment_lines(given.position, given.rules.settings)]
    found = {**outcome.to_dict(), "titles": titles, **({"due": due} if due else {})}
    return _with_faults(request, given, found)


def explained(request: requests.Explain) -> dict[str, Any]:
    """Why a unit's order has its result."""
    given = _given(request)
    asked = (_outcome(request, given), request.unit)
    found = explain(*asked, core=request.core, change=request.change)
    return _with_faults(request, given, found.to_dict())


def proven(request: requests.Prove) -> dict[str, Any]:
    """How many resolutions the orders have."""
    given = _given(request)
    found = _proof(request, given)
    cycles = [cycle.to_dict() for cycle in decision_cycles_of(found)]
    return _with_faults(request, given, {**found.to_dict(), "cycles": cycles})


def compared(request: requests.Compare) -> dict[str, Any]:
    """The same orders under several rules."""
    COMPARED_RULES.check(len(request.rules))
    if len(request.rules) < 2:
        raise ArgumentError("compare", "rules", request.rules, "a list of two or more rules")
    rules = [requests.given_rules(one, variant=request.variant) for one in request.rules]
    given = requests.given_board(request, rules[0])
    found = compare(given.position, given.orders, rules, lenient=request.lenient)
    return _with_faults(request, given, found.to_dict())


def searched(request: requests.Search) -> dict[str, Any]:
    """The answer to a question about open orders, or about a line."""
    from dipsat.formats import naming_orders
    from dipsat.searches import FOUND, Posed, facts_of, headline_of

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


def _question(request: requests.Search) -> Question:
    """The question of a request. Raises `ArgumentError` if a member that it needs is missing."""
    from dipsat.searches import QUESTIONS, arguments_of

    kind = next(kind for kind in QUESTIONS if kind._command == request.question)
    given = {}
    for one in arguments_of(kind):
        value = getattr(request, one.name)
        if one.wanted:
            _needed("search", one.name, value, one.wanted)
        if one.is_rules and value is not None:
            value = requests.given_rules(value, variant=request.variant)
        given[one.name] = value
    return kind(**given)


def _power_of_open(request: requests.Search, question: Question) -> str | None:
    """The power whose units alone are open. Raises `ArgumentError` where that has no meaning."""
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


def may_order(request: requests.LegalOrders) -> dict[str, Any]:
    """The legal orders of a position."""
    given = _given(request)
    game = Game(given.position, given.rules)
    if request.unit is None:
        listed = game.all_legal_orders()
        powers = {power: own[""] for power, own in listed.items() if "" in own}
        units = {unit: orders for own in listed.values() for unit, orders in own.items() if unit}
    else:
        powers = dict(orders_of_no_unit(given.position, given.rules))
        units = {request.unit: game.legal_orders(request.unit)}
    return {
        "phase": str(game.phase),
        "units": {unit: list(orders) for unit, orders in units.items()},
        "powers": {power: list(orders) for power, orders in powers.items()},
    }


def drawn(request: requests.Draw) -> dict[str, Any]:
    """A picture."""
    given = _given(request)
    dark = request.dark
    match request.what:
        case "explanation":
            unit = _needed("svg", "unit", request.unit, "a unit, such as 'A LON'")
            reason = explain(_outcome(request, given), unit)
            if request.words:
                found = svg.explain(reason, dark=dark)
            else:
                from dipsat.draw import explained_board

                found = explained_board(reason, dark)
        case "cycle":
            try:
                cycles: Outcome | Proof = _outcome(request, given)
            except UnresolvedError:  # no rule settles the cycle
                cycles = _proof(request, given)
            found = svg.cycle(cycles, dark=dark)
        case "resolution":
            proof = _proof(request, given)
            found = _board(request, in_resolution(proof, request.cycle, request.resolution))
        case "comparison":
            named = _needed("svg", "other", request.other, "the other rules")
            other = requests.given_rules(named, variant=request.variant)
            both = compare(given.position, given.orders, [given.rules, other])
            found = svg.compare(both, dark=dark)
        case "position":
            found = _board(request, given.position, given.orders)
        case "outcome":
            found = _board(request, _outcome(request, given))
    return _with_faults(request, given, {"svg": str(found)})


def _proof(request: requests.OnBoard, given: requests.Given) -> Proof:
    return prove(given.position, given.orders, given.rules, lenient=request.lenient)


def _board(
    request: requests.Draw,
    what: Position | Outcome,
    orders: Mapping[str, PowerOrders] | None = None,
) -> Any:
    asked = ("colors", "labels", "size", "dark", "highlight", "legend", "holders")
    return svg.board(what, orders=orders, **{name: getattr(request, name) for name in asked})


def _given(request: requests.UnderRules, searching: bool = False) -> requests.Given:
    if request.rules is None and request.variant is None:
        return requests.given_board(request, None, request.settings, searching)
    rules = request.rules or DEFAULT_RULES
    profile = requests.given_rules(rules, request.settings, request.variant)
    return requests.given_board(request, profile, searching=searching)


def _outcome(request: requests.OnBoard, given: requests.Given) -> Any:
    return adjudicate(given.position, given.orders, given.rules, lenient=request.lenient)


def _with_faults(
    request: requests.OnBoard, given: requests.Given, found: dict[str, Any]
) -> dict[str, Any]:
    """An answer; for a lenient request with the faults that were found."""
    return {**found, "faults": list_faults(given.faults)} if request.lenient else found


def _needed(kind: str, name: str, value: Any, wanted: str) -> Any:
    """Return the value of a required member. Raises `ArgumentError` if it is None."""
    if value is None:
        raise ArgumentError(kind, name, value, wanted)
    return value


# --- lines ----------------------------------------------------------------------------------------


def _about_lines(request: requests.Search) -> dict[str, Any]:
    """Whether a line in YAML holds, or the lines with the fewest units that hold what is
    requested."""
    from dipsat.searches import (
        Lines,
        find_lines,
        hold_answer,
        hold_line,
        lines_answer,
        parse_line,
    )

    found: HoldResult | LinesResult
    board = None if request.map is None else requests.given_map(request.map)
    if request.question == "hold":
        wanted = "a line, in YAML (docs/holding-lines.md)"
        line = _needed("search", "line", request.line, wanted)
        TEXT_BYTES.check(len(line), requests.LINE_NAME)
        named = request.rules
        rules = None if named is None else requests.given_rules(named, request.settings)
        found = held = hold_line(parse_line(line, requests.LINE_NAME, rules, board))
        sentences = hold_answer(held)
    else:
        wanted = "what the lines hold, such as {'centres': 15}"
        asked = _needed("search", "lines", request.lines, wanted)
        question = requests.read_request(Lines, "search: lines", asked, without="map")
        found = lines = find_lines(
            replace(question, map=board),
            rules=requests.given_rules(
                request.rules or DEFAULT_RULES, request.settings, request.variant
            ),
            solver=request.solver,
        )
        sentences = lines_answer(lines)
    answer = {**found.to_dict(), "text": [sentence for _, sentence in sentences]}
    if request.picture and getattr(found, "held", True):
        answer["svg"] = str(svg.line(found, dark=request.dark))
    return answer


# --- games ----------------------------------------------------------------------------------------

GAME_NAME = "game"
"""How errors name a game without a name."""
_MOST_PHASES = 200  # in one answer: the longest known game has 150


def replayed(request: requests.Replay) -> dict[str, Any]:
    """The phases of a saved game, adjudicated again."""
    from dipsat.studies import replayed_phases

    _check("offset", request.offset, 0, None)
    _check("limit", request.limit, 0, _MOST_PHASES)
    board = None if request.map is None else requests.given_map(request.map)
    game, count, is_played = _game(request, board)
    if request.rules is None:
        named = game.rules or DEFAULT_RULES
        rules = load_profile(named, settings=request.settings)
    else:
        rules = requests.given_rules(request.rules, request.settings)
    check_features(rules, game.board)
    phases = replayed_phases(game, rules, request.offset, request.limit, causes=request.causes)
    return {
        "name": game.name,
        "map": game.board.name,
        "rules": rules.name,
        "named": game.rules,
        "games": count,
        "played": is_played,
        "count": len(game.phases) + len(game.unread),
        "phases": [
            {"number": number, **_phase(one, rules.words, request)}
            for number, one in enumerate(phases, request.offset + 1)
        ],
    }


def _check(name: str, value: int, least: int, most: int | None) -> None:
    if value < least or (most is not None and value > most):
        wanted = f"a whole number from {least}" + ("" if most is None else f" to {most}")
        raise ArgumentError("replay", name, value, wanted)


def _game(request: requests.Replay, board: Map | None) -> tuple[RecordedGame, int, bool]:
    """The requested game, the number of games in the text, and whether dipsat computed the boards
    because the text has only orders."""
    from dipsat.formats import Transcript, game_texts_in, parse_games, played

    name, number = request.name or GAME_NAME, request.number
    GAME_BYTES.check(len(request.game), name)
    texts = game_texts_in(request.game, name)
    count = len(texts)
    if count > 1:
        _check("number", number, 1, count)
    text = texts[number - 1 if count > 1 else 0]
    if isinstance(text, DipsatError):
        raise text
    games = parse_games(text, board, skip_faults=True)
    if count > 1:
        game = games[0]
    else:
        count = len(games)
        _check("number", number, 1, count)
        game = games[number - 1]
    return (
        (played(game, name), count, True) if isinstance(game, Transcript) else (game, count, False)
    )


def _phase(one: ReplayedPhase, words: Words, request: requests.Replay) -> dict[str, Any]:
    """A phase as plain values; if it differs, with a picture on request."""
    from dipsat.studies import DifferingPhase, ReplaySkipped, side_in_words

    orders = {} if one.record is None else one.record.orders
    after = None if one.record is None else one.record.after
    answer: dict[str, Any] = {
        "phase": one.name,
        "title": one.name if one.position is None else one.position.phase.title(words),
        "position": None if one.position is None else one.position.to_dict(),
        "orders": {power: list(own) for power, own in orders.items() if own},
        "after": None if after is None else _state(after),
        "status": "agrees",
        "theirs": {},
        "ours": {},
        **dict.fromkeys(("text", "cause", "reason")),
    }
    if isinstance(one.found, ReplaySkipped):
        answer |= {"status": "skipped", "reason": one.found.reason}
    if isinstance(one.found, DifferingPhase):
        sides = {"theirs": dict(one.found.theirs), "ours": dict(one.found.ours)}
        text = {name: side_in_words(side) for name, side in sides.items()}
        answer |= {"status": "differs", **sides, "text": text, "cause": one.found.cause or None}
        if request.picture:
            answer["svg"] = str(svg.replay(one.found, dark=request.dark))
    return answer


def _state(state: RecordedState) -> dict[str, Any]:
    """A recorded board as plain values. `phase` is None if the game is over, and `centers` is None
    if the record does not say who owns them."""
    centers = state.centers
    return {
        "phase": None if state.phase is None else str(state.phase),
        "units": by_power(state.units),
        "dislodged": by_power(state.dislodged),
        "centers": None if centers is None else {at: list(own) for at, own in centers.items()},
        **({"unknown_centers": list(state.unknown)} if state.unknown else {}),
    }


# --- catalogues -----------------------------------------------------------------------------------


def about_rules(request: requests.AskRules) -> dict[str, Any]:
    """The list of shipped rules, or information about the rules in the request."""
    match request.what:
        case "list":
            return {"rules": _rows(listed)}
        case "text":
            if isinstance(request.rules, requests.Document):
                wanted = "the name of shipped rules"
                raise ArgumentError("rules", "rules", request.rules.name, wanted)
            return {
                "text": read_text(shipped_file(find_name(request.rules, files=allowed_files())))
            }
        case "whole":
            return {"text": whole_profile(requests.given_rules(request.rules))}
        case "check":
            return _checked(request.rules)
        case "difference":
            first = requests.given_rules(request.base)
            return difference(first, requests.given_rules(request.rules)).to_dict()
        case "entries":
            return ProfileDocument(requests.given_rules(request.rules)).to_dict()
        case "words":
            return _words()


def about_maps(request: requests.AskMaps) -> dict[str, Any]:
    """The shipped maps, or everything about one map."""
    from dipsat.game import listed_maps

    if request.map is None:
        return {"maps": _rows(listed_maps.listed)}
    return listed_maps.map_to_dict(requests.given_map(request.map))


@cache
def _rows(listed: Callable[[], Sequence[Plain]]) -> list[dict[str, Any]]:
    return [row.to_dict() for row in listed()]


def _words() -> dict[str, Any]:
    """The words of the rule language that all rules share, each with its meaning or its values."""

    def meanings(own: Mapping[str, Any]) -> dict[str, Any]:
        return {name: {"type": str(one.type), "text": one.meaning} for name, one in own.items()}

    facts = {**FACTS, "cycle": CYCLE_FACTS}
    return {
        "keys": list(TOP_KEYS),
        "settings": {name: list(values) for name, values in setting_values().items()},
        "facts": {owner: meanings(own) for owner, own in facts.items()},
        "quantifiers": dict(QUANTIFIERS),
        "predicates": dict(PREDICATES),
        "goals": dict(GOALS),
    }


def _checked(rules: requests.Rules) -> dict[str, Any]:
    """Whether rules load, with their problems and remarks."""
    try:
        profile = requests.given_rules(rules)
    except DipsatError as error:
        several = error.problems if isinstance(error, ProblemsError) else (error,)
        figures = dict.fromkeys(("name", "title", "map", "decisions", "cycle_rules"))
        return {"valid": False, **figures, "faults": list_faults(several), "remarks": []}
    return {
        "valid": True,
        "name": profile.name,
        "title": profile.title,
        "map": profile.map or None,
        "decisions": len(profile.decisions),
        "cycle_rules": len(profile.cycles),
        "faults": [],
        "remarks": [remark(text) for text in remarks(profile)],
    }


def about_cases(request: requests.AskCases) -> dict[str, Any]:
    """The DATC's cases under rules, and which results change."""
    from dipsat.formats import load_cases

    rules, base = requests.given_rules(request.rules), requests.given_rules(request.base)
    cases, beside = load_cases(request.names), _beside()
    rows = [{**_case_row(case, rules, base), **beside[case.name]} for case in cases]
    counts = Counter(row["status"] for row in rows)
    return {"rules": rules.name, "base": base.name, "counts": dict(counts), "cases": rows}


def _beside() -> dict[str, dict[str, str | None]]:
    """Name of a case -> the names of the cases before and after it."""
    from dipsat.formats import names_of_cases

    names = names_of_cases()
    around = zip(names, (None, *names), (*names[1:], None), strict=False)
    return {name: {"before": before, "after": after} for name, before, after in around}


def _case_row(case: Any, rules: Profile, base: Profile) -> dict[str, Any]:
    """A case under rules: its status, and the orders whose result differs from the base."""
    from dipsat.studies import rules_for, run_case

    board = {
        "map": case.position.map.name,
        "position": case.position.to_dict(),
        "orders": {power: list(orders) for power, orders in case.orders.items()},
        "variant": case.rules or None,
    }
    try:
        check_time()
        with unlimited():
            result = run_case(case, rules)
        row = {**result.to_dict(), "results": result.results()}
        both = [rules_for(case, base), rules_for(case, rules)]
        found = compare(case.position, case.orders, both)
        changed = [one.to_dict() for one in found.orders if one.differs]
        differs = found.differs
    except DipsatError as error:
        row = {"case": case.name, "title": case.title, "status": "no answer", "passed": False}
        row |= {"source": None, "differences": [], "results": [], "error": fault(error)}
        changed, differs = [], True
    row.pop("outcome", None)
    return {**row, "note": case.note, "differs": differs, "changed": changed, "board": board}
