"""The order that someone asks about: by its unit, or by the order itself."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from dipsat.cli.printing import echo

if TYPE_CHECKING:
    from dipsat.game.position import Unit
    from dipsat.orders.order import Order, UnitName
    from dipsat.proof.order_outcome import OrderOutcome
    from dipsat.proof.outcome import Outcome

_NAMED = ("target", "supported", "army")  # what orders of one type can differ in


def order_asked(outcome: Outcome, typed: str, record: str = "") -> OrderOutcome:
    """The outcome for the unit that someone named, perhaps with its order. A remark says if the
    unit had another one. Raises `UnknownNameError`; `record` is the file of a game, whose other
    phases may have the unit."""
    from dipsat.errors import UnknownNameError, shortened
    from dipsat.orders.reader import ordered_unit
    from dipsat.orders.text_parse import TEXT_FAULTS

    reader = outcome.position.reader
    unit, order = ordered_unit(reader, typed)
    try:
        found = outcome.order(unit)
    except UnknownNameError:
        here, phases = str(outcome.position.phase), _phases_with(unit, record)
        if not phases or here in phases:
            raise
        there = ", ".join(phases)
        problem = f"there is no unit {shortened(unit)!r} in {here}, the last phase of {record}, "
        problem += f"but there is in {there}"
        raise UnknownNameError("unit", unit, (), problem=problem) from None
    with suppress(*TEXT_FAULTS):
        if order is not None and _said(order) != _said(reader.read(found.order)):
            problem = f"{found.unit} has another order than {shortened(typed)!r}"
            echo(f"remark: {problem}: {found.order}", err=True)
    return found


def _phases_with(typed: str, record: str) -> list[str]:
    """The phases of a recorded game in which a unit stood."""
    from dipsat.errors import DipsatError
    from dipsat.formats.games import read_games
    from dipsat.formats.records import RecordedGame
    from dipsat.orders.reader import reader_for

    found = []
    with suppress(DipsatError):
        for game in read_games(record) if record else ():
            named = reader_for(game.board).read_unit(typed)
            for phase in game.phases if isinstance(game, RecordedGame) else ():
                units = (*phase.before.units, *phase.before.dislodged)
                if any(_is_named(one, named) for one in units):
                    found.append(str(phase.before.phase))
    return found


def _is_named(unit: Unit, named: UnitName) -> bool:
    return unit.location == named.location and named.kind in (None, unit.kind)


def _said(order: Order) -> list[object]:
    """What an order says, without the kinds of its units, which may be left out."""
    from dipsat.board.province import province_of

    named = (getattr(order, name, "") for name in _NAMED)
    return [type(order), *(province_of(getattr(one, "location", one)) for one in named)]
