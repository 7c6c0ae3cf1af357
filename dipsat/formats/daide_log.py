"""Games in logs of DAIDE messages, as servers and clients write them.

    SCO ( FRA BRE MAR PAR ) ( GER BER KIE MUN ) ( UNO BEL HOL )
    NOW ( SPR 1901 ) ( FRA AMY PAR ) ( RUS FLT ( STP SCS ) ) ( GER AMY BUR MRT ( BEL RUH ) )
    ORD ( SPR 1901 ) ( ( FRA AMY PAR ) MTO BUR ) ( SUC )

A message is on one line, and may have other text before it. Messages to several clients, and
repeated ones, count once; a different board for the same turn begins a new game. All other messages
are left out, and so are the results of orders, since the next board shows them. The server of the
package `diplomacy` omits the target of a convoyed army (`MTO VIA`); the fleets' orders supply it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from dipsat.base import CASES, ORDERS, PHASES, check_time, grouped
from dipsat.board import Map
from dipsat.errors import DipsatError, DocumentError, shortened
from dipsat.formats.json_text import FilePlace
from dipsat.formats.records import RecordedGame, Unread
from dipsat.formats.saved_game import read_map, read_saved_game
from dipsat.formats.season import heading
from dipsat.game import PhaseName
from dipsat.orders import Hold, Retreat, reader_for, write_order

DAIDE_BOARD = re.compile(r"\bNOW\s?\(\s?(?:SPR|SUM|FAL|AUT|WIN)\s#?\d")
"""The beginning of a board, which every log of a game has."""

_MESSAGE = re.compile(r"\b(MAP|SCO|NOW|ORD)\s?(?=\()")
_TURN = re.compile(r"(SPR|SUM|FAL|AUT|WIN)\s+#?(\d{1,4})")
_PHASES = {"SPR": "S{}M", "SUM": "S{}R", "FAL": "F{}M", "AUT": "F{}R", "WIN": "W{}A"}
_PARENTHESIS = re.compile(r"[()]")
_PLACE = re.compile(r"\([^()]*\)|[^\s()]+")


@dataclass(slots=True)
class _Messages:
    """The messages of one game by turn: the board with its line and the owners known by then, and
    the orders (as keys)."""

    boards: dict[PhaseName, tuple[int, Sequence[str], Sequence[str]]] = field(default_factory=dict)
    orders: defaultdict[PhaseName, dict[str, None]] = field(
        default_factory=lambda: defaultdict(dict)
    )


def read_daide_log(
    text: str, shown: str, map: Map | None = None, skip_faults: bool = False
) -> tuple[RecordedGame, ...]:
    """The games of a log; `shown` names it in errors. `map` overrides the map that the log names
    (default: standard).

    Raises `FileError` for an unknown map and, with the phase, for a board that is impossible, and
    `DocumentError` with the line for a unit or an order that cannot be read. With `skip_faults`,
    such a phase is left out.
    """
    games = [_Messages()]
    owners: Sequence[str] = ()
    named, headings = "standard", tuple[str, ...]()
    for number, line in enumerate(text.splitlines(), 1):
        check_time()
        message = _MESSAGE.search(line)
        if message is None:
            if not headings and (phase := heading(line)) is not None:
                what = f"{shown}:{number}: {phase}: this heading and the orders below it"
                headings = (f"{what} are left out, since the file has messages of DAIDE",)
            continue
        first, *others = _groups(line[message.end() :]) or [""]
        if message[1] == "MAP":
            named = _map_name(first)
        elif message[1] == "SCO":
            owners = (first, *others)
        elif (turn := _TURN.fullmatch(first)) is not None and others:
            phase = PhaseName.parse(_PHASES[turn[1]].format(turn[2]))
            if message[1] == "ORD":
                games[-1].orders[phase].setdefault(others[0] or line[message.start() :])
                ORDERS.check(len(games[-1].orders[phase]), f"{shown}:{number}")
            elif phase not in games[-1].boards:
                games[-1].boards[phase] = number, others, owners
                PHASES.check(len(games[-1].boards), f"{shown}:{number}")
            elif set(games[-1].boards[phase][1]) != set(others):
                games.append(_Messages({phase: (number, others, owners)}))
                CASES.check(len(games), f"{shown}:{number}")
    board = map or read_map(named, FilePlace(shown).at("map"))
    found = []
    for number, game in enumerate(games, 1):
        reading = _Reading(board, shown)
        saved = {
            "id": f"game {number}" if len(games) > 1 else None,
            "map": named,
            "phases": reading.entries(game),
        }
        one = read_saved_game(saved, shown, map, Unread() if skip_faults else None)
        found.append(replace(one, remarks=(*one.remarks, *reading.skipped, *headings)))
    return tuple(found)


def _groups(text: str) -> list[str]:
    """The contents of each pair of parentheses at the beginning of a text. If the last pair is cut
    off, the last item is ""."""
    found, depth, begin, end = [], 0, 0, 0
    for match in _PARENTHESIS.finditer(text):
        if not depth and text[end : match.start()].strip():
            break
        depth += 1 if match[0] == "(" else -1
        if depth < 0:
            break
        if match[0] == "(" and depth == 1:
            begin = match.end()
        elif not depth:
            end = match.end()
            found.append(text[begin : match.start()].strip())
    return [*found, ""] if depth > 0 else found


def _map_name(text: str) -> str:
    """The name in `MAP ( 'standard' )`, which may be spelt letter by letter."""
    words = text.replace("'", " ").replace('"', " ").split()
    return ("" if all(len(word) == 1 for word in words) else " ").join(words).casefold()


class _Reading:
    """Reads the messages of a game; `skipped` says what is left out or filled in."""

    def __init__(self, board: Map, shown: str) -> None:
        self.board = board
        self.shown = shown
        self.skipped: list[str] = []
        self.reader = reader_for(board)
        self.codes = board.codes("daide").meant

    def entries(self, game: _Messages) -> list[dict[str, Any] | DipsatError]:
        """The phases as in a saved game; a faulty one is an error."""
        found: list[dict[str, Any] | DipsatError] = []
        for phase in sorted(game.boards):
            line, units, owned = game.boards[phase]
            try:
                state = self.state(units, owned)
            except DipsatError as error:
                found.append(DocumentError(self.shown, line, 1, f"{phase}: {error}"))
                continue
            stated = game.orders.pop(phase, {})
            texts = [self.completed(text, stated, phase) for text in stated]
            orders = grouped(map(self.order, texts))
            found.append({"name": str(phase), "state": state, "orders": orders})
        for phase in sorted(game.orders.keys() - game.boards.keys()):
            self.skipped.append(f"{self.shown}: {phase}: its orders are left out: it has no board")
        return found

    def state(self, stated: Sequence[str], owned: Sequence[str]) -> dict[str, Any]:
        """The board that `NOW` and `SCO` state."""
        units, retreats = list[tuple[str, str]](), dict[str, list[str]]()
        for text in stated:
            if not text:
                raise DipsatError("NOW is not complete")
            named, is_lost, places = text.partition(" MRT")
            order = self.reader.read(f"( {named} ) HLD")
            assert isinstance(order, Hold)
            unit, power = f"{order.unit.kind} {order.unit.location}", order.unit.power or ""
            units.append((power, f"*{unit}" if is_lost else unit))
            if is_lost:
                retreats[unit] = [
                    self.place(named, place)
                    for group in _groups(places)
                    for place in _PLACE.findall(group)
                ]
        centers = {}
        if not all(owned):
            raise DipsatError("the owners before it (SCO) are cut off")
        for text in owned:
            code, *provinces = text.split()
            owner = self.meant("powers", code)
            if owner is not None or code != "UNO":
                centers[owner or code] = [self.meant("provinces", one) or one for one in provinces]
        return {"units": grouped(units), "centers": centers, "retreats": retreats}

    def place(self, unit: str, text: str) -> str:
        """A place to which a unit may retreat."""
        order = self.reader.read(f"( {unit} ) RTO {text}")
        assert isinstance(order, Retreat)
        return order.target

    def meant(self, kind: str, code: str) -> str | None:
        """What a code stands for."""
        return self.codes[kind].get(code.casefold())

    def completed(self, text: str, orders: Iterable[str], phase: PhaseName) -> str:
        """An order to move by convoy, with its target if the convoy orders of the turn state it."""
        army, is_cut, rest = text.partition(" MTO VIA")
        convoy = f" CVY {army} CTO "
        targets = {one.partition(convoy)[2] for one in orders if is_cut and convoy in one}
        if len(targets) != 1 or rest:
            return text
        target = targets.pop()
        whose, where = shortened(army), shortened(target)
        problem = f"{whose} MTO VIA has no target; a fleet convoys it to {where}, so it goes there"
        self.skipped.append(f"{self.shown}: {phase}: {problem}")
        return f"{army} CTO {target} VIA"

    def order(self, text: str) -> tuple[str, str]:
        """The power and the text of an order; one that cannot be read stays as it is."""
        codes = text.replace("(", " ").replace(")", " ").split() or [text]
        power = next(filter(None, (self.meant("powers", code) for code in codes)), codes[0])
        try:
            return power, write_order(self.reader.read(text), self.board)
        except DipsatError:
            return power, text
