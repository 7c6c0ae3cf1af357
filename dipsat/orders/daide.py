"""Orders in the message syntax of DAIDE, the language of Diplomacy bots.

    ( ENG FLT NTH ) CVY ( ENG AMY LON ) CTO BEL

Every unit is written with its power and its kind. Provinces, coasts and powers have their own
codes, which are in the map file. DAIDE and dipsat's orders differ in these points:

- Only moves by convoy have a convoy path, so a path is read as `via`.
- `CTO BEL` without the seas is not DAIDE, but it is written where the seas are unknown. It can be
  read too, and so can `CTO BEL VIA`, which other programs write.
- A supported move has no coast; if one is written, it is read.
- A disband is `DSB` in a retreat phase and `REM` in an adjustment phase.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias

from dipsat.board import Map, UnitKind, coast_of, province_of, words_of
from dipsat.errors import OrderSyntaxError, OrderWriteError, UnknownNameError, shortened
from dipsat.orders.notation import Notation
from dipsat.orders.order import (
    Build,
    Convoy,
    DeclaredOrder,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    UnitName,
    Unreadable,
    Waive,
)

NOTATION = "daide"
"""The name of this notation, in `write_order` and under `notations` of a map file."""

_REMARK = r"\((?:\s*(?:if|when)\b|\s*\w+\s*\)|(?:(?!\b(?:amy|flt|wve)\b)[^()])*\)\W*$)"
"""What only begins like an order: a condition, a list marker such as `(b)`, a text in brackets."""
_START = re.compile(rf"\s*(?!{_REMARK})(?:sub\b\s*)?(?:\(|[^\s()]+\s+wve\b)", re.IGNORECASE)
_WORD = r"[^\s().,;:!]+"  # the other notations ignore these signs too
_TOKEN = re.compile(rf"[()]|{_WORD}")
_ONE_WORD = re.compile(_WORD)
_MAX_LENGTH = 300  # characters; a convoy over all seas of the standard map has about 120
_MAX_DEPTH = 3  # the order, a unit in it, and the unit's place
_KINDS = {"amy": UnitKind.ARMY, "flt": UnitKind.FLEET}
_UNIT = "( power AMY province ), ( power FLT province ) or ( power FLT ( province coast ) )"
_FORMS = {
    "hld": "HLD alone",
    "mto": "MTO province",
    "sup": "SUP ( unit ) or SUP ( unit ) MTO province",
    "cvy": "CVY ( unit ) CTO province",
    "cto": "CTO province VIA ( sea sea ... )",
    "rto": "RTO province",
    "dsb": "DSB alone",
    "bld": "BLD alone",
    "rem": "REM alone",
}

_Part: TypeAlias = "str | tuple[_Part, ...]"
"""A word, case-folded, or the contents of a pair of parentheses."""


def read_daide(text: str, board: Map) -> tuple[str, Order]:
    """Return the power and the order that `text` states, in any case and spacing.

    The whole order may be enclosed in another pair of parentheses and may follow `SUB`. Besides
    DAIDE codes, names of the map that consist of one word can be read.

    Raises `OrderSyntaxError`, or `UnknownNameError` for a province or a power.
    """
    if len(text) > _MAX_LENGTH:
        raise OrderSyntaxError(shortened(text), f"longer than {_MAX_LENGTH} characters")
    return _Parse(text, board).order()


def write_daide(order: Order, power: str | None, board: Map, *, adjustment: bool = False) -> str:
    """Return the order in DAIDE, without `SUB` and without parentheses around it.

    `power` is the power that gives the order. It is needed for a waived build and for a unit that
    the order names without its power. `adjustment` says whether a disband belongs to an adjustment
    phase rather than a retreat phase. A move by convoy whose `path` is empty is written without
    `VIA`, a supported move without its coast, and a unit without its attributes.

    Raises `OrderWriteError` if a power or a unit's kind is unknown or a name is not one word, and
    `UnknownNameError` for a power, province or coast that is not on the map.
    """
    return _Writer(order, power, board).text(adjustment)


class _Parse:
    """The parts of one text and what they mean on a map."""

    def __init__(self, text: str, board: Map) -> None:
        self.text = text
        self.board = board
        self.codes = board.codes(NOTATION)

    def fail(self, problem: str) -> OrderSyntaxError:
        return OrderSyntaxError(self.text, problem)

    def order(self) -> tuple[str, Order]:
        parts = self.parts()
        if parts[:1] == ("sub",):
            parts = parts[1:]
        if len(parts) == 1 and isinstance(parts[0], tuple):
            parts = parts[0]
        if len(parts) == 2 and isinstance(parts[0], str) and parts[1] == "wve":
            return self.name("power", parts[0]), Waive()
        if len(parts) > 1 and all(isinstance(part, tuple) for part in parts):
            raise self.fail("it has several orders or a turn; write one order and no turn")
        if not parts or isinstance(parts[0], str):
            known = ", ".join(_FORMS).upper()
            raise self.fail(f"write a unit, {_UNIT}, and then {known}; or power WVE")
        unit, power = self.unit(parts[0])
        return power, self.action(unit, parts[1:])

    def parts(self) -> tuple[_Part, ...]:
        """The text as words and groups of words."""
        groups: list[list[_Part]] = [[]]
        for match in _TOKEN.finditer(self.text):
            token, place = match.group(), f"at character {match.start() + 1}"
            if token == "(":
                if len(groups) > _MAX_DEPTH:
                    raise self.fail(f"the ( {place} is nested deeper than the place of a unit")
                groups.append([])
            elif token == ")":
                if len(groups) == 1:
                    raise self.fail(f"the ) {place} closes nothing; a ( is missing before it")
                group = tuple(groups.pop())
                groups[-1].append(group)
            else:
                groups[-1].append(token.casefold())
        if len(groups) > 1:
            raise self.fail(f"at the end {' '.join(')' * (len(groups) - 1))} is missing")
        return tuple(groups[0])

    def action(self, unit: UnitName, parts: tuple[_Part, ...]) -> Order:
        match parts:
            case ("hld",):
                return Hold(unit)
            case ("mto", place):
                return Move(unit, self.place(place))
            case ("cto", place) | ("cto", place, "via"):
                return Move(unit, self.place(place), True)
            case ("cto", place, "via", (_, *_) as seas):
                return Move(unit, self.place(place), True, tuple(map(self.place, seas)))
            case ("sup", supported):
                return SupportHold(unit, self.unit(supported)[0])
            case ("sup", supported, "mto", place):
                return SupportMove(unit, self.unit(supported)[0], self.place(place))
            case ("cvy", army, "cto", place):
                return Convoy(unit, self.unit(army)[0], self.place(place))
            case ("rto", place):
                return Retreat(unit, self.place(place))
            case ("dsb",) | ("rem",):
                return Disband(unit)
            case ("bld",):
                return Build(unit)
        known = ", ".join(_FORMS).upper()
        if not parts:
            raise self.fail(f"it does not say what the unit does; write one of {known}")
        form = _FORMS.get(parts[0]) if isinstance(parts[0], str) else None
        if form is None:
            raise self.fail(f"{_shown(parts[0])} is not an action; use one of {known}")
        raise self.fail(f"after the unit, write {form}, not {' '.join(map(_shown, parts))}")

    def unit(self, part: _Part) -> tuple[UnitName, str]:
        """A unit, and its power by itself, because `UnitName` may have none."""
        match part:
            case (str() as named, str() as typed, place):
                power = self.name("power", named)
                kind = _KINDS.get(typed)
                if kind is None:
                    raise self.fail(f"{_shown(typed)} is not a kind of unit; write AMY or FLT")
                return UnitName(self.place(place), kind, power), power
        raise self.fail(f"{_shown(part)} is not a unit; write {_UNIT}")

    def place(self, part: _Part) -> str:
        match part:
            case str():
                return self.name("province", part)
            case (str() as province, str() as coast):
                return f"{self.name('province', province)}/{self.coast(coast)}"
        raise self.fail(f"{_shown(part)} is not a place; write a province or ( province coast )")

    def meant(self, kinds: str, word: str) -> str | None:
        """The meaning of a DAIDE code, or else of one of the map's names."""
        known: Mapping[tuple[str, ...], str] = getattr(self.board.names, kinds)
        return self.codes.meant[kinds].get(word) or known.get(words_of(word))

    def name(self, kind: str, word: str) -> str:
        """The power or the province that a word names."""
        found = self.meant(f"{kind}s", word)
        if found is None:
            known = getattr(self.codes, f"{kind}s").values()
            raise UnknownNameError(kind, word.upper(), known, self.text)
        return found

    def coast(self, word: str) -> str:
        found = self.meant("coasts", word)
        if found is None:
            known = ", ".join(self.codes.coasts.values())
            raise self.fail(f"unknown coast {_shown(word)}; known: {known}")
        return found


def _shown(part: _Part) -> str:
    """A part in the usual spelling of DAIDE."""
    if isinstance(part, str):
        return part.upper()
    return f"( {' '.join(map(_shown, part))} )" if part else "( )"


class _Writer:
    """Writes one order."""

    def __init__(self, order: Order, power: str | None, board: Map) -> None:
        self.order = order
        self.giver = power
        self.codes = board.codes(NOTATION)

    def text(self, adjustment: bool) -> str:
        order = self.order
        if isinstance(order, DeclaredOrder | Unreadable):
            raise OrderWriteError(order, NOTATION, "it has no word for such an order")
        if isinstance(order, Waive):
            if self.giver is None:
                raise OrderWriteError(order, NOTATION, "it needs the power that waives a build")
            return f"{self.code('power', self.giver)} WVE"
        return f"{self.unit(order.unit, self.giver)} {self.action(adjustment)}"

    def action(self, adjustment: bool) -> str:
        match self.order:
            case Hold():
                return "HLD"
            case Move(_, target, via, path) if via or path:
                seas = f" VIA ( {' '.join(map(self.place, path))} )" if path else ""
                return f"CTO {self.place(target)}{seas}"
            case Move(_, target):
                return f"MTO {self.place(target)}"
            case SupportHold(_, supported):
                return f"SUP {self.unit(supported)}"
            case SupportMove(_, supported, target):
                return f"SUP {self.unit(supported)} MTO {self.place(province_of(target))}"
            case Convoy(_, army, target):
                return f"CVY {self.unit(army)} CTO {self.place(target)}"
            case Retreat(_, _, others) if others:
                raise OrderWriteError(self.order, NOTATION, "it has no word for a second choice")
            case Retreat(_, target):
                return f"RTO {self.place(target)}"
            case Disband():
                return "REM" if adjustment else "DSB"
        assert isinstance(self.order, Build)
        return "BLD"

    def unit(self, named: UnitName, power: str | None = None) -> str:
        power = named.power or power
        if power is None:
            problem = f"it needs the power of the unit in {named.location}"
            raise OrderWriteError(self.order, NOTATION, problem)
        if named.kind is None:
            problem = f"it needs the kind of the unit in {named.location}, army or fleet"
            raise OrderWriteError(self.order, NOTATION, problem)
        if named.attributes and isinstance(self.order, Build):
            problem = f"it has no word for the {named.attributes[0][0]} of what is built"
            raise OrderWriteError(self.order, NOTATION, problem)
        words = {kind: word.upper() for word, kind in _KINDS.items()}
        if named.kind not in words:
            raise OrderWriteError(self.order, NOTATION, f"it has no word for a {named.kind.word}")
        giver = self.code("power", power)
        return f"( {giver} {words[named.kind]} {self.place(named.location)} )"

    def place(self, location: str) -> str:
        word, coast = self.code("province", province_of(location), location), coast_of(location)
        return f"( {word} {self.code('coast', coast, location)} )" if coast else word

    def code(self, kind: str, name: str, where: str = "") -> str:
        """The code of a province, a coast or a power. It must be one word so that it can be read
        again; a name of the map may be longer."""
        codes = getattr(self.codes, f"{kind}s")
        if name not in codes:
            raise UnknownNameError(kind, name, codes, where)
        code: str = codes[name]
        if _ONE_WORD.fullmatch(code):
            return code
        problem = f"{code!r} is not one word; give it a code under `notations` of the map file"
        raise OrderWriteError(self.order, NOTATION, problem)


DAIDE = Notation(
    NOTATION,
    lambda order, board, power, adjustment: write_daide(order, power, board, adjustment=adjustment),
    _START,
    lambda text, board: read_daide(text, board)[1],
)
"""The notation."""
