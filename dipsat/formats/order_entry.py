"""Entering orders into a game: those that somebody types, and those in a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dipsat.base import (
    ORDER_FILE,
    ORDERS,
    grouped,
    kind_of,
    parse_yaml,
    read_text,
    refuse_other_kinds,
    titled,
)
from dipsat.board import province_of
from dipsat.errors import DipsatError, FileError, GameError, OrderFaultError, shortened
from dipsat.formats.game import Game
from dipsat.formats.order_rulings import about, rulings_by_text
from dipsat.formats.phase_file import (
    is_document,
    load_phase,
    not_judged,
    orders_for,
    orders_in,
)
from dipsat.formats.text_sheet import Entry
from dipsat.game import PhaseKind, Position, read_in
from dipsat.orders import Build, Waive, unit_alone
from dipsat.rules import DEFAULT_RULES, Profile

# --- typed ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one order: whether it is `entered`, and whether it is `legal`."""

    typed: Entry
    power: str
    entered: bool
    legal: bool
    why: str = ""
    replaced: tuple[str, ...] = ()
    """The orders entered earlier that it replaces."""

    def __str__(self) -> str:
        begin = f"{self.typed.place}: " if self.typed.place else ""
        named = f"{titled(self.power)}: " if self.power else ""
        if not self.entered:
            return f"{begin}{named}not entered: {self.why}"
        verdict = "legal" if self.legal else "ILLEGAL"
        why = f" ({self.why})" if self.legal and self.why else f": {self.why}" if self.why else ""
        replaced = f"; it replaces {' and '.join(self.replaced)}" if self.replaced else ""
        return f"{begin}{named}{self.typed.text} is {verdict}{why}{replaced}"


def enter(game: Game, typed: Sequence[Entry]) -> tuple[Game, tuple[Answer, ...]]:
    """The game with these orders, and an answer to each of them. The game given stays as it is.

    An order replaces those that the game has for the same unit or site. If several of these are for
    one unit, all are entered: the rules say which one counts (DATC 4.D.3, 4.D.5). An illegal order
    is entered too, since it counts as an order of its unit. An order that cannot be read, or is for
    a unit that the power does not have, is not entered.
    """
    ORDERS.check(len(typed))
    refused: dict[int, Answer] = {}
    meant: dict[int, tuple[str, str]] = {}
    for at, one in enumerate(typed):
        why = "too many faults before it"
        if len(refused) < FAULTS:
            try:
                meant[at] = _read(game, one)
                continue
            except OrderFaultError as error:
                why = f"{shortened(one.text)!r}: {error.problem}"
            except DipsatError as error:
                why = str(error)
        refused[at] = Answer(one, one.power, entered=False, legal=False, why=why)
    merged = _merged(game, tuple(meant.values()))
    rulings = rulings_by_text(merged.position, merged.orders, merged.profile)
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
"""How many refused orders are looked at one by one: finding the name that is meant takes a
millisecond, and nobody reads more messages."""


def _read(game: Game, typed: Entry) -> tuple[str, str]:
    """The power of an order, and its text in a form that can always be read. Raises what
    `Game.submit` raises."""
    power = typed.power or _owner(game.position, typed.text)
    read = game.copy().submit(power, [typed.text]).orders[power]
    return power, read[0]


def _owner(position: Position, text: str) -> str:
    """The power whose unit an order without a heading is for. Raises `GameError`."""
    is_winter = position.phase.kind is PhaseKind.ADJUSTMENT
    alone = unit_alone(position.map, text, position.words) if is_winter else None
    order = read_in(position, text) if alone is None else Build(alone)
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
    """A copy of the game with these (power, order) pairs. They replace its orders for the same
    units; all its other orders stay."""
    new = grouped(orders)
    lists = {}
    for power, own in new.items():
        places = {about(game.position, text) for text in own} - {""}
        earlier = game.orders.get(power, ())
        lists[power] = [text for text in earlier if about(game.position, text) not in places] + own
    return game.copy().submit(lists, keep_unreadable=True) if lists else game.copy()


def owner_of(position: Position, province: str) -> str:
    """The power to which orders for a province belong: that of its dislodged unit, of its unit or,
    in an adjustment phase, of its centre; "" if there is none."""
    units = (*(one.unit for one in position.dislodged), *position.units)
    found = next((unit.power for unit in units if unit.province == province), "")
    if found or position.phase.kind is not PhaseKind.ADJUSTMENT:
        return found
    owners = (power for power, owned in position.centers.items() if province in owned)
    return next(owners, "")


# --- orders of files ------------------------------------------------------------------------------


def typed_in(file: str, position: Position, rules: Profile) -> tuple[list[Entry], tuple[str, ...]]:
    """The orders in an order sheet, or in YAML or JSON with `orders`, and what was skipped.

    Raises `FileError` for a file that has no orders for this phase, and what reading it raises.
    """
    text = read_text(file)
    if is_document(file):
        return list(listed_in(file, orders_for(position, text, file, rules).orders)), ()
    return typed_sheet(text, file, position, rules)


def typed_sheet(
    text: str, shown: str, position: Position, rules: Profile
) -> tuple[list[Entry], tuple[str, ...]]:
    """The orders in an order sheet, which errors call `shown`, and what was skipped. Raises as
    `typed_in` does."""
    entries, mail = orders_in(position, text, shown, rules, takes_all=True)
    return list(entries), (*mail.remarks, *not_judged(mail, position.phase))


def listed_in(file: str, orders: Mapping[str, object]) -> Iterator[Entry]:
    """The orders of a document. Raises `FileError` for several sets of orders of a power."""
    for power, own in orders.items():
        for text in own if isinstance(own, tuple) else (None,):
            if not isinstance(text, str):
                raise FileError(file, f"{power} has several sets of orders; keep one of them")
            yield Entry(power, text, file)


# --- games of files -------------------------------------------------------------------------------


def begun(file: str) -> tuple[Game, str]:
    """The game of a file, and the file to save it in; "" for an order file, which stays as it is.

    Raises what `Game.load` raises and, for an order file, what `load_phase` and `Game.submit` do.
    """
    try:
        return Game.load(file), file
    except DipsatError:
        if not _is_order_file(file):
            raise
    phase = load_phase(file)
    game = Game(phase.position, phase.rules or DEFAULT_RULES)
    orders = grouped((one.power, one.text) for one in listed_in(file, phase.orders))
    return (game.submit(orders) if orders else game), ""


def _is_order_file(file: str) -> bool:
    """Whether a file states a phase. Raises `ProfileError` for a map, or a file of rules."""
    if not is_document(file):
        return False
    try:
        root = parse_yaml(read_text(file), file)
    except DipsatError:
        return False
    if kind_of(root.value if isinstance(root.value, Mapping) else {}) == ORDER_FILE:
        return True
    refuse_other_kinds(root, "a saved game")
    return False
