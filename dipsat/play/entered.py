"""Entering orders into a game: those of a line or a sheet take the place of earlier ones for their
units, and are ruled on at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dipsat.board.province import province_of
from dipsat.errors import DipsatError, GameError, OrderFaultError, shortened
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import Position
from dipsat.game.ruling import RulingStatus
from dipsat.limits import ORDERS
from dipsat.orders.order import Build, Waive
from dipsat.orders.reader import unit_alone
from dipsat.orders.text_parse import TEXT_FAULTS
from dipsat.pages import titled
from dipsat.play.check import rulings_on
from dipsat.play.game import Game
from dipsat.values import grouped


@dataclass(frozen=True, slots=True)
class Typed:
    """An order as someone typed it: for which power ("" if nobody said), and in which place ("" at
    the keyboard)."""

    power: str
    text: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said of one order: whether it is `entered`, and whether it is `legal`."""

    typed: Typed
    power: str
    entered: bool
    legal: bool
    why: str = ""
    replaced: tuple[str, ...] = ()
    """The orders entered earlier whose place it takes."""

    def __str__(self) -> str:
        begin = f"{self.typed.place}: " if self.typed.place else ""
        named = f"{titled(self.power)}: " if self.power else ""
        if not self.entered:
            return f"{begin}{named}not entered: {self.why}"
        verdict = "legal" if self.legal else "ILLEGAL"
        why = f" ({self.why})" if self.legal and self.why else f": {self.why}" if self.why else ""
        replaced = f"; it replaces {' and '.join(self.replaced)}" if self.replaced else ""
        return f"{begin}{named}{self.typed.text} is {verdict}{why}{replaced}"


def enter(game: Game, typed: Sequence[Typed]) -> tuple[Game, tuple[Answer, ...]]:
    """The game with these orders, and an answer to each of them. The game given stays as it is.

    An order takes the place of those that the game has for the same unit or site. Several of these
    for one unit are all entered: which of them counts is for the rules to say (DATC 4.D.3, 4.D.5).
    An illegal order is entered too, since it counts as an order of its unit; what cannot be read,
    and an order for a unit that the power does not have, is not.
    """
    ORDERS.check(len(typed))
    refused: dict[int, Answer] = {}
    meant: dict[int, tuple[str, str]] = {}
    for at, one in enumerate(typed):
        if len(refused) >= FAULTS:
            refused[at] = Answer(one, one.power, False, False, "too many faults before it")
            continue
        try:
            meant[at] = _read(game, one)
        except OrderFaultError as error:
            why = f"{shortened(one.text)!r}: {error.problem}"
            refused[at] = Answer(one, one.power, entered=False, legal=False, why=why)
        except DipsatError as error:
            refused[at] = Answer(one, one.power, entered=False, legal=False, why=str(error))
    merged = _merged(game, tuple(meant.values()))
    rulings = rulings_by_text(merged)
    given = set(meant.values())
    kept: list[tuple[str, str]] = []
    answers = []
    for at, one in enumerate(typed):
        if at in refused:
            answers.append(refused[at])
            continue
        power, text = meant[at]
        has_unit, legal, why = rulings[power, text].pop(0)
        replaced: tuple[str, ...] = ()
        if has_unit:
            kept.append((power, text))
            place = about(game.position, text)
            earlier = (old for old in game.orders.get(power, ()) if (power, old) not in given)
            replaced = tuple(old for old in earlier if place and about(game.position, old) == place)
        read_as = "" if text == one.text else f"read as {text}"
        reason = "; ".join(filter(None, (read_as, why)))
        answers.append(Answer(one, power, has_unit, legal, reason, replaced))
    return (merged if len(kept) == len(meant) else _merged(game, kept)), tuple(answers)


FAULTS = 50
"""The orders refused at once of which each is looked at: to find the name that is meant takes a
millisecond, and nobody reads more."""


def rulings_by_text(game: Game) -> Mapping[tuple[str, str], list[tuple[bool, bool, str]]]:
    """(power, text) -> for each entered order of this text, whether there is something that it is
    for, whether it is legal, and why."""
    found = []
    for ruling in rulings_on(game.position, game.orders, game.profile):
        one, legal = ruling.submission, ruling.status is not RulingStatus.ILLEGAL
        there = legal or ruling.unit is not None
        if game.position.phase.kind in (PhaseKind.RETREAT, PhaseKind.ADJUSTMENT):
            there = legal or not (isinstance(one.order, Waive) or ruling.code in _OF_NOTHING)
        found.append(((one.power, one.text), (there, legal, ruling.reason)))
    return grouped(found)


_OF_NOTHING = ("no_such_unit", "no_unit")
"""The codes of orders for units that the power does not have."""


def _read(game: Game, typed: Typed) -> tuple[str, str]:
    """The power of an order, and its text in a form that can always be read. Raises what
    `Game.submit` raises."""
    power = typed.power or _owner(game.position, typed.text)
    read = game.copy().submit(power, [typed.text]).orders[power]
    return power, read[0]


def _owner(position: Position, text: str) -> str:
    """The power whose unit an order without a heading is for. Raises `GameError`."""
    is_winter = position.phase.kind is PhaseKind.ADJUSTMENT
    alone = unit_alone(position.map, text, position.words) if is_winter else None
    order = position.reader.read(text) if alone is None else Build(alone)
    if not isinstance(order, Waive) and order.unit.location:
        if order.unit.power:
            return order.unit.power
        province = province_of(order.unit.location)
        owner = owner_of(position, province)
        if owner:
            return owner
        if isinstance(order, Build) and position.phase.kind is not PhaseKind.ADJUSTMENT:
            problem = "not an order of this phase; units are built in an adjustment phase"
            raise GameError(f"{shortened(text)!r}: {problem}")
        if position.phase.kind is not PhaseKind.ADJUSTMENT:
            raise GameError(f"{shortened(text)!r}: there is no unit in {province} to be ordered")
    power = next(iter(position.map.powers))
    raise GameError(f"{shortened(text)!r}: say whose order it is, such as '{power}: {text[:40]}'")


def _merged(game: Game, orders: Sequence[tuple[str, str]]) -> Game:
    """A copy of the game with these (power, order) in place of those that it has for their units,
    and besides all others."""
    new = grouped(orders)
    lists = {}
    for power, own in new.items():
        places = {about(game.position, text) for text in own} - {""}
        earlier = game.orders.get(power, ())
        lists[power] = [text for text in earlier if about(game.position, text) not in places] + own
    return game.copy().submit(lists, keep_unreadable=True) if lists else game.copy()


def owner_of(position: Position, province: str) -> str:
    """The power whose orders a province gets: that of its dislodged unit, of its unit, or in an
    adjustment phase that of the centre; "" if there is none."""
    units = (*(one.unit for one in position.dislodged), *position.units)
    found = next((unit.power for unit in units if unit.province == province), "")
    if found or position.phase.kind is not PhaseKind.ADJUSTMENT:
        return found
    owners = (power for power, owned in position.centers.items() if province in owned)
    return next(owners, "")


def about(position: Position, text: str) -> str:
    """The province that an order is for; "" if it is for none, as a waived build."""
    try:
        order = position.reader.read(text)
    except TEXT_FAULTS:
        return f"unreadable {text}"
    return "" if isinstance(order, Waive) else province_of(order.unit.location)
