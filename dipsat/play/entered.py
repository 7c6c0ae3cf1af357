"""Entering orders one by one into a game: each takes the place of an earlier one for its unit, and
is ruled on at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dipsat.board.province import province_of
from dipsat.errors import DipsatError, GameError, OrderFaultError, shortened
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import Position
from dipsat.game.ruling import RulingStatus
from dipsat.limits_of_input import ORDERS
from dipsat.orders.order import Build, Waive
from dipsat.orders.reader import unit_alone
from dipsat.orders.text_parse import TEXT_FAULTS
from dipsat.play.check import rulings_on
from dipsat.play.game import Game
from dipsat.titles import titled


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

    def __str__(self) -> str:
        begin = f"{self.typed.place}: " if self.typed.place else ""
        named = f"{titled(self.power)}: " if self.power else ""
        if not self.entered:
            return f"{begin}{named}not entered: {self.why}"
        verdict = "legal" if self.legal else "ILLEGAL"
        why = f" ({self.why})" if self.legal and self.why else f": {self.why}" if self.why else ""
        return f"{begin}{named}{self.typed.text} is {verdict}{why}"


def enter(game: Game, typed: Sequence[Typed]) -> tuple[Game, tuple[Answer, ...]]:
    """The game with these orders, and an answer to each of them. The game given stays as it is.

    An order takes the place of an earlier one for the same unit or site. An illegal order is
    entered too, since it counts as an order of its unit; what cannot be read, and an order for a
    unit that the power does not have, is not.
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
    merged = _merged(game, meant.values())
    rulings = rulings_by_text(merged)
    final: dict[tuple[str, str], str] = {}
    answers = []
    for at, one in enumerate(typed):
        if at in refused:
            answers.append(refused[at])
            continue
        power, text = meant[at]
        has_unit, legal, why = rulings.get((power, text), (True, True, ""))
        if has_unit:
            final[power, text] = text
        read_as = "" if text == one.text else f"read as {text}"
        answers.append(Answer(one, power, has_unit, legal, "; ".join(filter(None, (read_as, why)))))
    kept = [pair for at, pair in meant.items() if pair in final]
    return (merged if len(kept) == len(meant) else _merged(game, kept)), tuple(answers)


FAULTS = 50
"""The orders refused at once of which each is looked at: to find the name that is meant takes a
millisecond, and nobody reads more."""


def rulings_by_text(game: Game) -> dict[tuple[str, str], tuple[bool, bool, str]]:
    """(power, text) of each entered order -> whether there is something that it is for, whether it
    is legal, and why."""
    found = {}
    for ruling in rulings_on(game.position, game.orders, game.profile):
        one, legal = ruling.submission, ruling.status is not RulingStatus.ILLEGAL
        there = legal or ruling.unit is not None
        if game.position.phase.kind in (PhaseKind.RETREAT, PhaseKind.ADJUSTMENT):
            there = legal or not (isinstance(one.order, Waive) or ruling.code in _OF_NOTHING)
        found[one.power, one.text] = (there, legal, ruling.reason)
    return found


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


def _merged(game: Game, orders: Iterable[tuple[str, str]]) -> Game:
    """A copy of the game with these (power, order) besides those that it has; of several for one
    unit, the last."""
    by_power: dict[str, dict[str, str]] = {}
    for power, own in game.orders.items():
        for at, text in enumerate(own):
            by_power.setdefault(power, {})[about(game.position, text) or f"#{at}"] = text
    for power, text in orders:
        own_orders = by_power.setdefault(power, {})
        key = about(game.position, text) or f"#{len(own_orders)}+"
        own_orders.pop(key, None)
        own_orders[key] = text
    lists = {power: list(own.values()) for power, own in by_power.items()}
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
