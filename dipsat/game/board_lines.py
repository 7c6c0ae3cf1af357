"""Units, centres and retreats in the words of players, power by power."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from textwrap import wrap

from dipsat.board.map import Map
from dipsat.game.unit import Unit
from dipsat.grouped import grouped
from dipsat.tables import WIDTH, counted
from dipsat.titles import titled


def lines_of_units(
    units: Iterable[Unit],
    centers: Mapping[str, Sequence[str]],
    board: Map,
    unknown: Collection[str] = (),
) -> Iterator[str]:
    """The units and the owned centres of every power, then the centres without an owner and those
    whose owner is unknown, in lines of at most 80 columns."""
    placed = grouped((unit.power, str(unit)) for unit in units)
    powers = sorted({*placed, *centers})
    names = {power: titled(power) for power in powers}
    others = {"Nobody": _unowned(centers, board, unknown), "Unknown": list(unknown)}
    others = {name: codes for name, codes in others.items() if codes and centers}
    width = max(map(len, [*names.values(), *others]), default=0) + 2
    for power in powers:
        rows = [_listed("unit", placed.get(power, ()))]
        if centers:
            rows.append(_listed("centre", centers.get(power, ())))
        yield from _entry(names[power], width, rows)
    for name, codes in others.items():
        yield from _entry(name, width, [_listed("centre", codes)])


def lines_of_retreats(dislodged: Iterable[tuple[Unit, Sequence[str]]]) -> Iterator[str]:
    """What each dislodged unit may do, in a retreat phase; a unit is given with its retreats."""
    for unit, retreats in dislodged:
        where = ", ".join(retreats)
        may = f"may retreat to {where}, or disband" if where else "has no retreat and disbands"
        yield from folded(f"{titled(unit.power)}: {unit} {may}.")


def _unowned(
    centers: Mapping[str, Sequence[str]], board: Map, unknown: Collection[str]
) -> list[str]:
    """The centres that nobody owns."""
    owned = {code for codes in centers.values() for code in codes}.union(unknown)
    return sorted(code for code in board.centers if code not in owned)


def _listed(what: str, things: Iterable[str]) -> str:
    listed = list(things)
    count = counted(len(listed), what)
    return f"{count}: {', '.join(listed)}" if listed else count


def _entry(name: str, width: int, rows: Iterable[str]) -> Iterator[str]:
    """Rows beside a name."""
    begin = name.ljust(width)
    for row in rows:
        yield from wrap(row, WIDTH, initial_indent=begin, subsequent_indent=" " * (width + 2))
        begin = " " * width


def folded(text: str) -> list[str]:
    """A sentence in lines of at most 80 columns, all but the first indented."""
    return wrap(text, WIDTH, subsequent_indent="  ")
