"""What is odd about a map but no contradiction, such as a coast that no fleet can reach."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from dipsat.board.map import Map
from dipsat.board.reachable import reachable
from dipsat.board.unit_kind import UnitKind

_TYPED = re.compile(r"[^\W_]+")  # one word, as the reader of orders knows words


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark on the entry `key` of a section of a map file, or on the whole section ("")."""

    section: str
    key: str
    text: str


def remarks(board: Map) -> tuple[Remark, ...]:
    """Provinces and coasts that nothing can reach, and powers that lack what others have."""
    return (*_about_places(board), *_about_powers(board))


def _about_places(board: Map) -> Iterator[Remark]:
    fleets = reachable(_sources(board, UnitKind.FLEET), lambda place: board.fleet.get(place, ()))
    seas = board.seas & fleets
    armies = reachable(_sources(board, UnitKind.ARMY), _army_step(board, seas))
    if not board.centers:
        yield Remark("provinces", "", "no province is a supply centre")
    for code, province in board.provinces.items():
        if not _TYPED.fullmatch(code):
            text = f"the code {code!r} is not all letters and digits: no order can be read with it"
            yield Remark("provinces", code, text)
        places = [place for place in province.locations if place in fleets]
        if not places and code not in armies:
            text = f"{code} cannot be reached by any unit that starts or can be built"
            yield Remark("provinces", code, text)
        elif province.kind == "coast" and len(places) < len(province.locations):
            lost = " and ".join(p for p in province.locations if p not in places)
            yield Remark("provinces", code, f"no fleet can reach the coast {lost}")


def _sources(board: Map, kind: UnitKind) -> Iterator[str]:
    """Where units of a kind start, or can be built."""
    for power in board.powers.values():
        for unit in power.start:
            if unit.startswith(kind):
                yield unit.partition(" ")[2]
    everywhere = board.build.startswith("any")
    homes = {code for power in board.powers.values() for code in power.home}
    for code in board.centers if everywhere else homes:
        province = board.provinces[code]
        if kind is UnitKind.ARMY and province.kind != "sea":
            yield code
        elif kind is UnitKind.FLEET and province.kind != "land":
            yield from province.locations


def _army_step(board: Map, seas: frozenset[str]) -> Callable[[str], Iterable[str]]:
    """Steps by land, or over the water of `seas`, where fleets can be."""

    def step(place: str) -> Iterable[str]:
        if place in board.coastal or place in seas:
            wet = (board.coastal if place in seas else frozenset()) | seas
            yield from board.water.get(place, frozenset()) & wet
        yield from board.army.get(place, ())

    return step


def _about_powers(board: Map) -> Iterator[Remark]:
    begins_with_builds = board.first_phase.endswith("A")
    for name, power in board.powers.items():
        if not power.start and not begins_with_builds:
            yield Remark("powers", name, f"{name} has no units at the start")
        if not (power.neutral or power.home or board.build in ("any", "home-any")):
            yield Remark("powers", name, f"{name} has no home centres to build in")
