"""The tools of `dipsat mcp`: the questions of a language model, and short answers.

Each is a function of the game that the server keeps under the given id (or None) and of the model's
arguments. A worker of the server runs it."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, make_dataclass
from functools import cache
from importlib.util import find_spec
from inspect import Parameter, signature
from typing import Any, TypeAlias, get_type_hints

import yaml

from dipsat import draw
from dipsat.app import requests
from dipsat.base import counted, lines_of, parts_of, plain_text, titled
from dipsat.board import is_shipped, map_names, words_of
from dipsat.errors import (
    DipsatError,
    GameError,
    InputLimitError,
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
    lines_of_status,
    listed_in,
    parse_phase,
    typed_sheet,
)
from dipsat.game import PhaseKind, adjustment_lines
from dipsat.outcomes import (
    OrderOutcome,
    Outcome,
    adjudicate as judge,
    lines_of_fights,
    lines_of_proof,
    parts_of_outcome,
    row_of,
)
from dipsat.rules import DEFAULT_RULES, profile_names
from dipsat.searches import Achieve, Guarantee, Question, explain, search

LONGEST = 1800
"""The most characters of an answer."""
_GAME_BYTES = 2**18  # of a game that the server keeps; sixty years have about 100,000
_WIDE = 10_000  # columns: models need no line breaks
_ACROSS = 1000  # pixels of a picture

Orders: TypeAlias = str | Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Said:
    """An answer: its lines, how to ask for what was cut, and the game or the picture, if any."""

    lines: Iterable[str]
    more: str = "ask about less at a time"
    game: Game | None = None
    picture: draw.Svg | None = None


_MEANINGS = {
    "board": "The id of a game; or a map or variant, for its start; or text, such as `Fall 1901 "
    "Movement` in a line and then `Austria: A VIE, F TRI` and so on, or as the tool `board` prints "
    "it. If left out: the units that `orders` name, else the standard start.",
    "orders": "A line for each power: `France: A PAR - BUR, A MAR S A PAR - BUR`. They replace "
    "those that the board has for the same units.",
    "changes": "The changed orders, written as `orders`.",
    "game": "The id of the game, from `new_game`.",
    "rules": "The name of the rules; leave it out for the usual ones.",
    "results": "Whether to mark which orders succeed or fail.",
    "of": "A unit (`A PAR`) or a power (`France`).",
    "power": "The power that asks.",
    "unit": "The unit, such as `A PAR`.",
    "change": "Whether to find the fewest changed orders of its power that let its order succeed.",
    "goal": "`enters(GAL)`: a unit enters Galicia; `dislodged(VEN)`: the unit in Venice is "
    "dislodged; `stands(GAL, AUSTRIA)`: an Austrian unit is in Galicia afterwards; also "
    "`stays(VIE)`, `goes(SER, BUD)`, `owner(BEL, FRANCE)`; joined by `and`, `or`, `not`. A unit "
    "that leaves is not dislodged.",
    "by": "The powers whose orders are free (`Russia, Turkey`); other units do as ordered, or "
    "hold. If left out: all units without an order.",
}
"""Argument -> its meaning."""

# --- tools ----------------------------------------------------------------------------------------


def board(kept: Game | None, board: str = "") -> Said:
    """Show a board as text: units, centres, orders entered, and what is to be built."""
    return Said(_on_board(_game(kept, board)), "ask `legal_orders` of a power")


def picture(kept: Game | None, board: str = "", orders: Orders = "", results: bool = False) -> Said:
    """Draw a board with its orders as arrows, or with their results, those of `adjudicate`."""
    game = (_judged if results else _ordered)(kept, board, orders)
    if results:
        drawn = draw.board(_outcome(game), caption=True)
    else:
        drawn = draw.board(game.position, orders=game.orders)
    return Said((f"{game.phase}, map {game.map_name}.",), picture=drawn)


def legal_orders(kept: Game | None, of: str, board: str = "") -> Said:
    """List the legal orders of a unit, or the moves of all units of a power."""
    game = _game(kept, board)
    names = game.position.map.names
    if words_of(of) not in names.powers:
        try:
            return Said(("; ".join(game.legal_orders(of)),))
        except UnknownNameError as error:
            if error.name != of:
                raise
            near = hint(of, (*names.shown_powers, *error.nearest))
            wanted = "`of` should be a unit (`A PAR`) or a power (`France`)"
            raise GameError(f"{wanted}, not {shortened(of)!r}{near}") from None
    power, helping = names.power(of), 0
    units = dict(game.all_legal_orders()[power])
    lines = list(units.pop("", ()))
    for unit, orders in units.items():
        moves = [one for one in orders if not one.startswith((f"{unit} S ", f"{unit} C "))]
        ways = "; ".join(one.removeprefix(f"{unit} ") for one in moves)
        lines.append(f"{unit}: {ways}")
        helping += len(orders) - len(moves)
    if helping:
        lines.append(f"{counted(helping, 'support or convoy', 'supports and convoys')} besides: "
                     "ask about one unit.")  # fmt: skip
    return Said(lines or (f"{titled(power)} has nothing to order in {game.phase}.",))


def check_orders(kept: Game | None, orders: Orders, board: str = "") -> Said:
    """Show how each of these orders was read, and whether it is legal. Nothing is entered."""
    game = _game(kept, board, orders)
    _, lines, problems = _read(game, orders)
    return Said((*problems, *_note(game, board, orders, problems), *lines))


def adjudicate(kept: Game | None, board: str = "", orders: Orders = "", power: str = "") -> Said:
    """Adjudicate orders: each verdict with its reason, dislodged units with their retreats, and
    what proves the result. Units without an order hold. For a game without new orders, it shows the
    moves played last. With `power`, only its orders are listed."""
    game = _judged(kept, board, orders)
    only = power and game.position.map.names.power(power)
    lines = _results(_outcome(game), only)
    return Said((*_note(game, board, orders), *lines), "ask with `power`")


def why(
    kept: Game | None, unit: str, board: str = "", orders: Orders = "", change: bool = False
) -> Said:
    """Explain the result of a unit's order, down to the facts and rules. For a game without new
    orders, it explains the unit's last move."""
    if kept is not None and _is_played(kept, orders):
        reply = carry_out(Session.of(kept), f"why {unit}")
        assert reply.explained is not None
        outcome, unit = reply.explained
    else:
        outcome = _outcome(_ordered(kept, board, orders))
    found = _lines(parts_of(explain(outcome, unit, change=change)))
    return Said(dict.fromkeys((_head(outcome), *lines_of_proof(outcome), *found)))


def what_if(kept: Game | None, changes: Orders, board: str = "", orders: Orders = "") -> Said:
    """Change some orders and show the results that differ, as `adjudicate` does."""
    game = _judged(kept, board, orders)
    both = [_outcome(game), _outcome(_entered(game, changes, board))]
    before, after = ({(one.power, one.unit): _result(one) for one in each.orders} for each in both)
    lines = [
        f"{titled(key[0])}: {result}. Now: {after[key]}."
        for key, result in before.items()
        if after.get(key, result) != result
    ]
    first, then = (set(lines_of_fights(one)) for one in both)
    lines += [f"No longer: {one}" for one in sorted(first - then)]
    lines += [f"Now: {one}" for one in sorted(then - first)]
    lines.append("Nothing else differs." if lines else "Nothing differs.")
    head = (*_note(game, board, orders), _head(both[1]), *lines_of_proof(both[1]))
    return Said((*head, *lines))


def can_they(
    kept: Game | None, goal: str, board: str = "", orders: Orders = "", by: str = ""
) -> Said:
    """Ask whether any orders of the units that have none yet reach a goal: finds such orders, or
    proves that there are none."""
    game = _ordered(kept, board, orders)
    powers = [game.position.map.names.power(one.strip()) for one in by.split(",") if one.strip()]
    found = _searched(game, Achieve(_goal(goal, game)), powers or None)
    return Said((*_note(game, board, orders), *found))


def can_i_guarantee(
    kept: Game | None, power: str, goal: str, board: str = "", orders: Orders = ""
) -> Said:
    """Ask whether a power has orders that reach a goal whatever all others do: finds them, or
    proves that there are none. `not stands(GAL, AUSTRIA)` keeps Austria out of Galicia. Units in
    `orders` do as ordered. `can_they` with your own orders and the opposite goal finds what beats
    them."""
    game = _ordered(kept, board, orders)
    found = _searched(game, Guarantee(_goal(goal, game), power))
    return Said((*_note(game, board, orders), *found))


def new_game(kept: Game | None, board: str = "", rules: str = "") -> Said:
    """Start a game, or keep a board about which you have several questions: returns its id."""
    game = _game(kept, board, rules=rules)
    return Said((*_on_board(game), *_needed(game)), game=game)


def submit(kept: Game | None, game: str, orders: Orders) -> Said:
    """Enter orders into a game; each is checked at once."""
    found, lines, problems = _read(_kept(kept, game), orders)
    if not lines:
        raise GameError("\n".join(problems))
    return Said((*problems, *lines, *lines_of_status(found)), game=found)


def advance(kept: Game | None, game: str) -> Said:
    """Adjudicate the phase of a game and go to the next one. Units without an order hold, dislodged
    ones disband."""
    found = _unfinished(_kept(kept, game))
    outcome = found.advance()
    return Said((*_results(outcome), *found.turn.left_out), "`why` explains one unit", found)


_ALL: tuple[Callable[..., Said], ...] = (
    board, picture, legal_orders, check_orders, adjudicate, why, what_if, can_they,
    can_i_guarantee, new_game, submit, advance,
)  # fmt: skip
TOOLS: Mapping[str, Callable[..., Said]] = {tool.__name__: tool for tool in _ALL}
"""Name -> the tool."""
CHANGING = ("new_game", "submit", "advance")
"""The tools that create or change a game."""


@cache
def request_of(name: str) -> type[Any]:
    """The class for the arguments of a tool, like the class of a kind of requests."""
    tool, hints = TOOLS[name], get_type_hints(TOOLS[name])
    members = []
    for one in list(signature(tool).parameters.values())[1:]:
        default = MISSING if one.default is Parameter.empty else one.default
        metadata = {"meaning": _MEANINGS[one.name]}
        members.append((one.name, hints[one.name], field(default=default, metadata=metadata)))
    return make_dataclass(
        name, members, frozen=True, kw_only=True, namespace={"__doc__": tool.__doc__}
    )


def answer(name: str, message: Mapping[str, Any]) -> dict[str, Any]:
    """The answer of a tool to its `arguments` and the text of a `game` (or None): its `text`,
    perhaps the new text of the `game` and a `picture` (its type and its bytes in base 64); or an
    `error`."""
    text, found = message["game"], dict[str, Any]()
    try:
        kind, given = request_of(name), message["arguments"]
        known = requests.hints_of(kind)
        if other := [one for one in given if one not in known]:
            every = f"known: {', '.join(known)}"
            raise UnknownNameError("argument", other[0], known, name, hint=every)
        asked = requests.read_request(kind, name, given)
        kept = None if text is None else Game.from_dict(json.loads(text))
        said = TOOLS[name](kept, **vars(asked))
        found["text"] = cut("\n".join(said.lines), said.more)
        if said.game is not None:
            found["game"] = json.dumps(said.game.to_dict())
            if (size := len(found["game"])) > _GAME_BYTES:
                raise InputLimitError("game", "bytes in a game", size, _GAME_BYTES)
        if said.picture is not None:
            found["picture"] = _encoded(said.picture)
    except DipsatError as error:
        return {"error": cut(_advised(str(error)))}
    return found


def _advised(text: str) -> str:
    """An error with advice that a model can follow in place of that for a terminal."""
    for other, own in {
        "`dipsat rules list` lists them": f"choose from {', '.join(profile_names())}",
        "`dipsat maps list` lists them": f"choose from {', '.join(map_names())}",
        "the option --map or the argument `map` takes": "the argument `board` takes",
        "in a file of its own": "in YAML as `board`",
    }.items():
        text = text.replace(other, own)
    return text


def cut(text: str, more: str = "ask about less at a time") -> str:
    """Cut a text to the length of an answer; a last sentence then says how to ask for `more`."""
    if len(text) <= LONGEST:
        return text
    room = LONGEST - len(more) - 60
    end = max(text.rfind("\n", room // 2, room), text.rfind(" ", room - 100, room), room // 2)
    return f"{text[:end]}\n({len(text) - end:,} more characters are left out: {more}.)"


def _encoded(picture: draw.Svg) -> tuple[str, str]:
    """The type and the bytes of a picture: PNG if possible, since more clients show it."""
    if find_spec("resvg_py") is None:
        return "image/svg+xml", b64encode(picture.encode()).decode()
    return "image/png", b64encode(picture.to_png(_ACROSS)).decode()


# --- boards and orders ----------------------------------------------------------------------------


def _game(kept: Game | None, board: str, orders: Orders = "", rules: str = "") -> Game:
    """The board given as an argument, else one with the units that the orders name."""
    stated, sheet = board.strip(), _sheet(orders)
    if kept is not None:
        return kept
    if (stated or not sheet) and not set(stated) & set("\n:{"):
        name = stated or "standard"
        try:
            return Game.new(name, rules or None)
        except UnknownNameError as error:
            if error.kind != "map":
                raise
            choices = hint(name, map_names(), "choose from")
            raise GameError(f"{shortened(name)!r} is neither a game nor a map{choices}") from None
    name = "board" if stated else "orders"
    phase = parse_phase(stated or sheet, name, rules=rules or None, lenient=not stated)
    if phase.anywhere is not None:
        raise GameError("the board should say where the units stand")
    game = Game(phase.position, rules or phase.rules or DEFAULT_RULES)
    own = list(listed_in(name, phase.orders)) if stated else []
    if not own:
        return game  # perhaps a winter without owners, which takes no orders
    found, answers = enter(_unfinished(game), own)
    if refused := [str(one) for one in answers if not one.entered]:
        raise GameError("\n".join(refused))
    return found


def _kept(kept: Game | None, name: str) -> Game:
    if kept is None:
        raise GameError(f"no game has the id {shortened(name)!r}; `new_game` starts one")
    return kept


def _unfinished(game: Game) -> Game:
    if game.winner is None:
        return game
    count = counted(len(game.position.centers[game.winner]), "centre")
    raise GameError(f"{titled(game.winner)} has won with {count}; `new_game` begins another game")


def _ordered(kept: Game | None, board: str, orders: Orders) -> Game:
    """The board with orders. Raises `GameError` for orders that cannot be entered."""
    return _entered(_game(kept, board, orders), orders, board)


def _is_played(kept: Game, orders: Orders) -> bool:
    """Whether a game has orders only in phases that were played."""
    return bool(kept.history) and not orders and not any(kept.orders.values())


def _judged(kept: Game | None, board: str, orders: Orders) -> Game:
    """The board with orders; for a game without new orders, the last movement phase played."""
    if kept is None or not _is_played(kept, orders):
        return _ordered(kept, board, orders)
    game = kept.copy()
    while game.history:
        game.undo()
        if game.phase.kind is PhaseKind.MOVEMENT:
            break
    return game


def _entered(game: Game, orders: Orders, board: str) -> Game:
    if not _sheet(orders):
        return game
    found, _, problems = _read(game, orders)
    if problems:
        raise GameError("\n".join((*problems, *_note(game, board, orders, problems))))
    return found


def _read(game: Game, orders: Orders) -> tuple[Game, list[str], list[str]]:
    """The game with the orders of a sheet, replies to those entered, and problems of the others."""
    typed, skipped = typed_sheet(_sheet(orders), "orders", game.position, game.profile)
    found, answers = enter(_unfinished(game), [one._replace(place="") for one in typed])
    refused = [str(one) for one in answers if not one.entered]
    return found, [str(one) for one in answers if one.entered], [*refused, *skipped]


def _sheet(orders: Orders) -> str:
    if isinstance(orders, str):
        return orders.strip()
    return "\n".join(f"{power}: {', '.join(own)}" for power, own in orders.items())


def _note(game: Game, board: str, orders: Orders, problems: Sequence[str] = ()) -> Iterator[str]:
    if orders and not board:
        count = counted(len(game.position.units), "unit")
        yield f"No `board` was given: it has only the {count} of the orders."
        if problems:
            yield "Name units with their types (`A PAR`), or give `board`."


def _searched(game: Game, question: Question, by: Sequence[str] | None = None) -> Iterator[str]:
    try:
        found = search(game.position, question, game.orders, open=by, rules=game.profile)
    except ProfileError as error:
        usual = "`enters(GAL)`, `goes(SER, BUD)` or `not stands(GAL, AUSTRIA)`"
        stop = "" if str(error).endswith("?") else "."
        raise GameError(f"{error}{stop} A goal is written as {usual}") from None
    yield from (" ".join(line.split()) for line in _lines(parts_of(found)))
    if found.verdict == "unknown":
        yield "Give more orders, or a smaller goal, to ask about less."


def _goal(text: str, game: Game) -> str:
    """A goal in which names of provinces and powers, in any spelling, are replaced by codes."""
    names = game.position.map.names

    def code(name: str) -> str:
        words = words_of(name)
        return names.provinces.get(words) or names.powers.get(words) or name

    return _ARGUMENTS.sub(lambda found: f"({', '.join(map(code, found[1].split(',')))})", text)


_ARGUMENTS = re.compile(r"\(([^()]*)\)")

# --- lines ----------------------------------------------------------------------------------------


def _lines(parts: Iterable[Any]) -> Iterator[str]:
    """The lines of a result, without empty ones and those that suggest commands of the terminal."""
    for line in lines_of(parts, _WIDE):
        text = "".join(map(plain_text, line))
        if text and not text.startswith("`dipsat "):
            yield text


def _outcome(game: Game) -> Outcome:
    return judge(game.position, game.orders, game.profile)


def _head(outcome: Outcome) -> str:
    return f"{outcome.position.phase}, map {outcome.map}, rules {outcome.rules}."


def _result(one: OrderOutcome) -> str:
    order, result, reason = row_of(one, False)
    return f"{order} {plain_text(result)}{reason and ': '}{reason}"


def _results(outcome: Outcome, power: str = "") -> Iterator[str]:
    """What is proven, the consequences, and the results of all orders, or of one power's."""
    yield _head(outcome)
    yield from _lines(parts_of_outcome(outcome)[1:])
    resting = 0
    for one in outcome.orders:
        if one.power != (power or one.power):
            continue
        if one.submitted is None and one.verdict == "stands" and not (one.fate or one.reason.text):
            resting += 1
        else:
            yield f"{titled(one.power)}: {_result(one)}."
    if resting:
        yield f"{counted(resting, 'more unit')} without an order, undisturbed."


def _on_board(game: Game) -> Iterator[str]:
    """A board in YAML that can be read again, with builds and disbands due as comments."""
    position = game.position
    head = {"map": position.map.name} if is_shipped(position.map) else {}
    orders = {power: list(own) for power, own in game.orders.items() if own}
    stated = {**head, "rules": game.rules, **position.to_dict(), "orders": orders}
    if not stated["centers"]:  # then all are unknown
        stated["unknown_centers"] = ()
    filled = {key: value for key, value in stated.items() if value}
    yield yaml.safe_dump(filled, default_flow_style=None, width=_WIDE, sort_keys=False).rstrip()
    yield from (f"# {line}" for line in adjustment_lines(position, game.profile.settings))
    if game.winner is not None:
        yield f"# {titled(game.winner)} has won."


def _needed(game: Game) -> Iterator[str]:
    """What is to be stated before a winter can be played, as a comment."""
    if unknown := game.position.unknown_centers:
        example = f"`centers: {{{next(iter(game.position.map.powers))}: [{unknown[0]}]}}`"
        yield (
            f"# No winter can be played without the owners of {', '.join(unknown)}. To play one, "
            f"give `new_game` this text with all owners, written as {example}, and without "
            "`unknown_centers`. Centres that are left out have no owner."
        )
