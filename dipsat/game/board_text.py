"""A position in the words of players: who has which units and centres, who builds, who retreats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap

from dipsat.game.next_phase import adjustments, build_sites, powers_of
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import Position
from dipsat.game.settings import Settings
from dipsat.tables import WIDTH, counted


def board_lines(position: Position, owners_known: bool = True) -> Iterator[str]:
    """The units and the owned centres of every power, then the centres without an owner if all
    owners are known, in lines of at most 80 columns."""
    powers = powers_of(position)
    names = {power: power.title() for power in powers}
    free = _unowned(position) if owners_known else []
    width = max(map(len, [*names.values(), "Nobody" if free else ""]), default=0) + 2
    for power in powers:
        units = [str(unit) for unit in position.units if unit.power == power]
        owned = position.centers.get(power, ())
        rows = [_listed("unit", units)]
        if position.centers:
            rows.append(_listed("centre", owned))
        yield from _entry(names[power], width, rows)
    if free:
        yield from _entry("Nobody", width, [_listed("centre", free)])


def retreat_lines(position: Position) -> Iterator[str]:
    """What each dislodged unit may do, in a retreat phase."""
    for lost in position.dislodged:
        where = ", ".join(lost.retreats)
        may = f"may retreat to {where}, or disband" if where else "has no retreat and disbands"
        yield from _entry(f"{lost.unit.power.title()}: {lost.unit} {may}.", 2, [])


def adjustment_lines(position: Position, settings: Settings) -> Iterator[str]:
    """What each power builds or disbands, in an adjustment phase."""
    if position.phase.kind is not PhaseKind.ADJUSTMENT:
        return
    for power in powers_of(position):
        due = adjustments(position, power, settings)
        units = [unit.power for unit in position.units].count(power)
        owned = len(position.centers.get(power, ()))
        has = f"{counted(owned, 'centre')}, {counted(units, 'unit')}"
        if due > 0:
            sites = ", ".join(build_sites(position, power, settings))
            yield from _wrapped(f"{power.title()} builds up to {due} in {sites} ({has}).")
        elif due < 0:
            yield from _wrapped(f"{power.title()} disbands {-due} ({has}).")
        elif owned > units:
            yield from _wrapped(f"{power.title()} cannot build: no free site for it ({has}).")


def center_lines(before: Position, after: Position) -> Iterator[str]:
    """Which centres changed hands between two positions."""
    owners = {code: power for power, owned in before.centers.items() for code in owned}
    for power, owned in after.centers.items():
        for code in owned:
            if owners.get(code) != power:
                loser = owners.get(code)
                whose = f" from {loser.title()}" if loser else ""
                yield f"{power.title()} takes {code}{whose}."


def _unowned(position: Position) -> list[str]:
    """The centres that nobody owns, where it is known who owns which."""
    if not position.centers:
        return []
    owned = {code for codes in position.centers.values() for code in codes}
    board = position.map.provinces.values()
    return sorted(one.code for one in board if one.supply and one.code not in owned)


def _listed(what: str, things: Iterable[str]) -> str:
    listed = list(things)
    count = counted(len(listed), what)
    return f"{count}: {', '.join(listed)}" if listed else count


def _entry(name: str, width: int, rows: Iterable[str]) -> Iterator[str]:
    """Rows beside a name."""
    begin = name.ljust(width)
    shown = list(rows)
    if not shown:
        yield from _wrapped(name)
    for row in shown:
        yield from wrap(row, WIDTH, initial_indent=begin, subsequent_indent=" " * (width + 2))
        begin = " " * width


def _wrapped(text: str) -> list[str]:
    return wrap(text, WIDTH, subsequent_indent="  ")
