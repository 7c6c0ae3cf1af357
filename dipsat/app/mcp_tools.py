"""The tools of `dipsat mcp`: what a language model may ask, and the answers, in few words.

A worker of the server runs them. Between two calls the server keeps a game as a text."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, TypeAlias

import yaml

from dipsat import draw
from dipsat.app import requests
from dipsat.base import counted, lines_of, parts_of, plain_text, titled
from dipsat.board import is_shipped, map_names, province_of, words_of
from dipsat.errors import (
    DipsatError,
    GameError,
    InputLimitError,
    LimitError,
    ProfileError,
    UnknownNameError,
    hint,
    shortened,
)
from dipsat.formats import (
    Game,
    Session,
    carry_out,
    enter,
    listed_in,
    owner_of,
    typed_sheet,
)
from dipsat.game import adjustment_lines
from dipsat.outcomes import (
    OrderOutcome,
    Outcome,
    adjudicate,
    lines_of_fights,
    lines_of_proof,
    parts_of_outcome,
    row_of,
)
from dipsat.searches import Achieve, Guarantee, Question, explain, search

LONGEST = 1999
"""The characters of an answer."""
_GAME_BYTES = 2**18  # of a game that the server keeps; sixty years have about 100,000
_WIDE = 10_000  # columns: models need no line breaks

# --- what is asked --------------------------------------------------------------------------------

Orders: TypeAlias = str | Mapping[str, Sequence[str]]
"""Orders as a sheet, or power -> orders."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGame:
    """Start a game, which the server keeps: returns its id and the board."""

    map: str = "standard"
    """The map or variant, such as `standard` or `colonial`."""
    rules: str | None = None
    """The rules, such as `1982`; left out for the usual ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advance:
    """Adjudicate the phase of a game and go to the next one. Units without an order hold, dislodged
    ones disband."""

    game: str
    """The id of the game, from `new_game`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Submit:
    """Enter orders into a game; each is checked at once. They replace those entered for the same
    units."""

    game: str
    """The id of the game, from `new_game`."""
    orders: Orders
    """A line for each power: `France: A PAR - BUR, A MAR S A PAR - BUR`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OnBoard:
    """Show a board as text: units, centres, orders entered and what is to be done. The text can be
    given to other tools as `board`."""

    board: str = ""
    """The id of a game; or a map or variant, for its start; or text, such as `Fall 1901 Movement`
    in a line and then `Austria: A VIE, F TRI` and so on. Left out: the units that `orders` name,
    else the standard start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WithOrders(OnBoard):
    """Say what each of these orders was read as, and whether it is legal. Nothing is entered."""

    orders: Orders = ""
    """A line for each power: `France: A PAR - BUR, A MAR S A PAR - BUR`. They replace those that
    the board has for the same units."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture(WithOrders):
    """Draw a board with its orders as arrows, or with their results."""

    results: bool = False
    """Whether to mark what succeeds and fails. For a game without new orders, it is the phase that
    was adjudicated last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LegalOrders(OnBoard):
    """List the legal orders of a unit, or the moves of all units of a power."""

    of: str
    """A unit (`A PAR`) or a power (`France`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjudicate(WithOrders):
    """Adjudicate orders: the verdict on each with its reason, dislodged units and their retreats,
    and what proves the result. Units without an order hold."""

    power: str = ""
    """Only list the orders of this power."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Why(WithOrders):
    """Explain the result of a unit's order, down to the facts and rules. For a game without
    `orders`, it is about the phase that was adjudicated last."""

    unit: str
    """The unit, such as `A PAR`."""
    change: bool = False
    """Whether to find the fewest orders of its own power with which its order succeeds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIf(WithOrders):
    """Change some orders and say which results differ."""

    changes: Orders
    """The orders that are different, written as `orders`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CanThey(WithOrders):
    """Ask whether any orders of the units that have none yet reach a goal: finds such orders, or
    proves that there are none."""

    goal: str
    """`enters(GAL)`: a unit enters Galicia; `dislodged(VEN)`: the unit in Venice is dislodged;
    `stands(GAL, AUSTRIA)`: an Austrian unit is in Galicia afterwards; also `stays(VIE)`, `goes(SER,
    BUD)`, `owner(BEL, FRANCE)`; joined by `and`, `or`, `not`."""
    by: str = ""
    """The powers whose orders are free (`Russia, Turkey`); other units do as ordered, or hold. Left
    out: all units without an order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CanIGuarantee(WithOrders):
    """Ask whether a power has orders that reach a goal whatever all others order: finds them, or
    proves that there are none. Those of its units that are in `orders` keep them."""

    power: str
    """The power that wants the guarantee."""
    goal: str
    """As for `can_they`; `not stands(GAL, AUSTRIA)` keeps Austria out of Galicia."""


# --- answers --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Said:
    """An answer: its lines, how to ask for what is cut, and the game or the picture, if any."""

    lines: Iterable[str]
    more: str = "ask about less at a time"
    game: Game | None = None
    picture: draw.Svg | None = None


def begun(asked: NewGame, _: Game | None) -> Said:
    """A new game."""
    game = _new(asked.map, asked.rules)
    return Said(_on_board(game), game=game)


def submitted(asked: Submit, kept: Game | None) -> Said:
    """A game with more orders."""
    found, lines, problems = _read(_kept(asked.game, kept), asked.orders)
    waiting = ", ".join(map(titled, found.missing))
    due = f"Without orders so far: {waiting}." if waiting else "Every power has given orders."
    return Said((*problems, *lines, due), game=found)


def advanced(asked: Advance, kept: Game | None) -> Said:
    """A game in its next phase."""
    game = _kept(asked.game, kept)
    return Said((*_results(game.advance()), *game.turn.left_out), "`why` explains one unit", game)


def shown(asked: OnBoard, kept: Game | None) -> Said:
    """A board as text."""
    return Said(_on_board(_game(asked.board, kept)), "ask `legal_orders` of a power")


def checked(asked: WithOrders, kept: Game | None) -> Said:
    """What orders are read as, and whether they are legal."""
    game = _game(asked.board, kept, asked.orders)
    _, lines, problems = _read(game, asked.orders)
    return Said((*_note(asked, game), *problems, *lines))


def adjudicated(asked: Adjudicate, kept: Game | None) -> Said:
    """What happens."""
    game = _ordered(asked, kept)
    power = asked.power and game.position.map.names.power(asked.power)
    return Said((*_note(asked, game), *_results(_outcome(game), power)), "ask with `power`")


def explained(asked: Why, kept: Game | None) -> Said:
    """Why an order had its result."""
    if kept is not None and kept.history and not asked.orders:
        reply = carry_out(Session.of(kept), f"why {asked.unit}")
        assert reply.explained is not None
        outcome, unit = reply.explained
    else:
        outcome, unit = _outcome(_ordered(asked, kept)), asked.unit
    found = explain(outcome, unit, change=asked.change)
    lines = (_head(outcome), *lines_of_proof(outcome), *_lines(parts_of(found)))
    return Said(dict.fromkeys(lines))


def compared(asked: WhatIf, kept: Game | None) -> Said:
    """Which results differ after other orders."""
    game = _ordered(asked, kept)
    both = [_outcome(game), _outcome(_entered(game, asked.changes))]
    before, after = ({(one.power, one.unit): _result(one) for one in each.orders} for each in both)
    lines = [
        f"{titled(power)}: {result}. Now: {after[power, unit]}."
        for (power, unit), result in before.items()
        if after.get((power, unit), result) != result
    ]
    first, then = (set(lines_of_fights(one)) for one in both)
    lines += [f"No longer: {one}" for one in sorted(first - then)]
    lines += [f"Now: {one}" for one in sorted(then - first)]
    lines.append("Nothing else differs." if lines else "Nothing differs.")
    return Said((*_note(asked, game), *lines_of_proof(both[1]), *lines))


def possible(asked: CanThey, kept: Game | None) -> Said:
    """Whether any orders reach a goal."""
    game = _ordered(asked, kept)
    names = game.position.map.names
    by = [names.power(one.strip()) for one in asked.by.split(",") if one.strip()]
    return _searched(asked, game, Achieve(_goal(asked.goal, game)), by or None)


def guaranteed(asked: CanIGuarantee, kept: Game | None) -> Said:
    """Whether a power reaches a goal for certain."""
    game = _ordered(asked, kept)
    return _searched(asked, game, Guarantee(_goal(asked.goal, game), asked.power))


def _searched(
    asked: WithOrders, game: Game, question: Question, by: Sequence[str] | None = None
) -> Said:
    try:
        found = search(game.position, question, game.orders, open=by, rules=game.profile)
    except ProfileError as error:
        usual = "`enters(GAL)`, `dislodged(VEN)` or `not stands(GAL, AUSTRIA)`"
        raise GameError(f"{error}; a goal is written as {usual}") from None
    lines = (" ".join(line.split()) for line in _lines(parts_of(found)))
    return Said((*_note(asked, game), *lines))


def drawn(asked: Picture, kept: Game | None) -> Said:
    """A picture of a board."""
    game = _ordered(asked, kept)
    if asked.results:
        is_played = game.history and not any(game.orders.values())
        outcome = game.history[-1].outcome if is_played else _outcome(game)
        picture = draw.board(outcome, caption=True)
    else:
        picture = draw.board(game.position, orders=game.orders)
    return Said((f"{game.phase}, map {game.map_name}.",), picture=picture)


def listed(asked: LegalOrders, kept: Game | None) -> Said:
    """The legal orders of a unit, or the moves of a power."""
    game = _game(asked.board, kept)
    names, position = game.position.map.names, game.position
    if words_of(asked.of) not in names.powers:
        return Said((f"{asked.of}: {'; '.join(game.legal_orders(asked.of))}",))
    power = names.power(asked.of)
    lines, helping = [], 0
    for unit, orders in game.all_legal_orders().items():
        if owner_of(position, province_of(unit.split()[-1])) == power:
            moves = [one for one in orders if not one.startswith((f"{unit} S ", f"{unit} C "))]
            ways = "; ".join(one.removeprefix(f"{unit} ") for one in moves)
            lines.append(f"{unit}: {ways}")
            helping += len(orders) - len(moves)
    if helping:
        lines.append(f"Also {counted(helping, 'support or convoy', 'supports and convoys')}: ask "
                     "about one unit to see its own.")  # fmt: skip
    others = game.legal_orders_of_power(power)
    return Said((*lines, *others) or (f"{titled(power)} has nothing to order in {game.phase}.",))


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: the class of its requests, what answers one, and whether it changes a game."""

    request: type[Any]
    answer: Callable[[Any, Game | None], Said]
    changes: bool = False


TOOLS: Mapping[str, Tool] = {
    "board": Tool(OnBoard, shown),
    "picture": Tool(Picture, drawn),
    "legal_orders": Tool(LegalOrders, listed),
    "check_orders": Tool(WithOrders, checked),
    "adjudicate": Tool(Adjudicate, adjudicated),
    "why": Tool(Why, explained),
    "what_if": Tool(WhatIf, compared),
    "can_they": Tool(CanThey, possible),
    "can_i_guarantee": Tool(CanIGuarantee, guaranteed),
    "new_game": Tool(NewGame, begun, changes=True),
    "submit": Tool(Submit, submitted, changes=True),
    "advance": Tool(Advance, advanced, changes=True),
}
"""Name of a tool -> the tool."""


def answer(name: str, message: Mapping[str, Any]) -> dict[str, Any]:
    """The answer of a tool to its `arguments` and the text of a `game`, None for none: its `text`,
    the text of the `game` after it, a `picture` (its type and its bytes in base 64), and whether it
    is the `error` that is wrong with the arguments. Raises `LimitError`."""
    tool, text = TOOLS[name], message["game"]
    try:
        asked: Any = requests.read_request(tool.request, name, message["arguments"])
        said = tool.answer(asked, None if text is None else Game.from_dict(json.loads(text)))
        found: dict[str, Any] = {"text": cut("\n".join(said.lines), said.more)}
        if said.game is not None:
            found["game"] = json.dumps(said.game.to_dict())
            if len(found["game"]) > _GAME_BYTES:
                size = len(found["game"])
                raise InputLimitError("game", "bytes in a game", size, _GAME_BYTES)
        if said.picture is not None:
            found["picture"] = _encoded(said.picture)
    except LimitError:
        raise
    except DipsatError as error:
        return {"error": cut(str(error))}
    return found


def cut(text: str, more: str = "ask about less at a time") -> str:
    """As much of a text as an answer may have; the last sentence says how to ask for `more`."""
    if len(text) <= LONGEST:
        return text
    room = LONGEST - len(more) - 60
    end = max(text.rfind("\n", room // 2, room), text.rfind(" ", room - 100, room), room // 2)
    return f"{text[:end]}\n({len(text) - end:,} more characters are left out: {more}.)"


def _encoded(picture: draw.Svg) -> tuple[str, str]:
    """The type and the bytes of a picture: PNG, which more clients show, if it can be made."""
    if find_spec("resvg_py") is None:
        return "image/svg+xml", b64encode(picture.encode()).decode()
    return "image/png", b64encode(picture.to_png(_ACROSS)).decode()


_ACROSS = 1000  # pixels

# --- boards and orders ----------------------------------------------------------------------------


def _game(board: str, kept: Game | None, orders: Orders = "") -> Game:
    """The game, or the board that an argument names or states, else the units that the orders
    name."""
    if kept is not None:
        return kept
    stated, sheet = board.strip(), _sheet(orders)
    if not (stated or sheet):
        return Game.standard()
    if stated and not set(stated) & set("\n:{"):
        return _new(stated, or_id="no game has this id, and it is an ")
    on_board = requests.UnderRules(orders=stated or sheet, lenient=not stated)
    given = requests.given_board(on_board)
    game = Game(given.position, given.rules)
    return enter(game, list(listed_in("board", given.orders)))[0] if stated else game


def _new(name: str, rules: str | None = None, or_id: str = "") -> Game:
    """A new game on a map. Raises an error that lists the maps if there is none of the name."""
    try:
        return Game.new(name, rules)
    except UnknownNameError as error:
        if error.kind != "map":
            raise
        choices = hint(name, map_names(), "choose from")
        raise GameError(f"{or_id}unknown map {shortened(name)!r}{choices}") from None


def _kept(name: str, game: Game | None) -> Game:
    if game is None:
        raise GameError(f"no game has the id {name!r}; `new_game` starts one")
    return game


def _ordered(asked: WithOrders, kept: Game | None) -> Game:
    """The board with the orders. Raises `GameError` for orders that cannot be entered."""
    return _entered(_game(asked.board, kept, asked.orders), asked.orders)


def _entered(game: Game, orders: Orders) -> Game:
    """The game with these orders, too. Raises `GameError` for any that cannot be entered."""
    if not _sheet(orders):
        return game
    found, _, problems = _read(game, orders)
    if problems:
        raise GameError("\n".join(problems))
    return found


def _read(game: Game, orders: Orders) -> tuple[Game, list[str], list[str]]:
    """The game with orders of a sheet, what is said of each of them, and of what is not entered."""
    typed, skipped = typed_sheet(_sheet(orders), "orders", game.position, game.profile)
    found, answers = enter(game, [one._replace(place="") for one in typed])
    refused = [str(one) for one in answers if not one.entered]
    return found, [str(one) for one in answers if one.entered], [*refused, *skipped]


def _sheet(orders: Orders) -> str:
    if isinstance(orders, str):
        return orders.strip()
    return "\n".join(f"{power}: {', '.join(own)}" for power, own in orders.items())


def _note(asked: WithOrders, game: Game) -> Iterator[str]:
    if not asked.board and asked.orders:
        count = counted(len(game.position.units), "unit")
        yield f"No `board` was given: it has only the {count} of the orders."


def _goal(text: str, game: Game) -> str:
    """A goal with the codes of provinces and powers, however they were written."""
    names = game.position.map.names

    def code(name: str) -> str:
        words = words_of(name)
        return names.provinces.get(words) or names.powers.get(words) or name

    return _ARGUMENTS.sub(lambda found: f"({', '.join(map(code, found[1].split(',')))})", text)


_ARGUMENTS = re.compile(r"\(([^()]*)\)")

# --- lines ----------------------------------------------------------------------------------------


def _lines(parts: Iterable[Any]) -> Iterator[str]:
    """What people read of a result, without empty lines and the commands of a terminal."""
    for line in lines_of(parts, _WIDE):
        text = "".join(map(plain_text, line))
        if text and not text.startswith("`dipsat "):
            yield text


def _outcome(game: Game) -> Outcome:
    return adjudicate(game.position, game.orders, game.profile)


def _head(outcome: Outcome) -> str:
    return f"{outcome.position.phase}, map {outcome.map}, rules {outcome.rules}."


def _result(one: OrderOutcome) -> str:
    order, result, why = row_of(one, False)
    return f"{order} {plain_text(result)}{why and ': '}{why}"


def _results(outcome: Outcome, power: str = "") -> Iterator[str]:
    """What is proven, what follows, and the results of all orders, or of those of a power."""
    yield _head(outcome)
    yield from _lines(parts_of_outcome(outcome)[1:])
    resting = []
    for one in outcome.orders:
        if one.power != (power or one.power):
            continue
        if one.submitted is None and one.verdict == "stands" and not (one.fate or one.reason.text):
            resting.append(one.unit)
        else:
            yield f"{titled(one.power)}: {_result(one)}."
    if resting:
        yield f"Without an order, and stand: {', '.join(resting)}."


def _on_board(game: Game) -> Iterator[str]:
    """A board in YAML, as it is read again, with what is to be done as comments."""
    position = game.position
    head = {"map": position.map.name} if is_shipped(position.map) else {}
    orders = {power: list(own) for power, own in game.orders.items() if own}
    stated = {**head, "rules": game.rules, **position.to_dict(), "orders": orders}
    filled = {key: value for key, value in stated.items() if value}
    yield yaml.safe_dump(filled, default_flow_style=None, width=_WIDE, sort_keys=False).rstrip()
    due = adjustment_lines(position, game.profile.settings)
    yield from (f"# {line}" for line in due)
    if game.is_over:
        yield f"# {titled(str(game.winner))} has won."
