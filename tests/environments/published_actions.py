"""The actions of DeepMind's environment, read from its documentation alone."""

from __future__ import annotations

from functools import cache

from dipsat import Position
from dipsat.environments import deepmind_actions

PROVINCES = (
    "BOH", "BUR", "GAL", "RUH", "SIL", "TYR", "UKR", "BUD", "MOS", "MUN", "PAR", "SER", "VIE",
    "WAR", "ADR", "AEG", "BAL", "BAR", "BLA", "EAS", "ENG", "BOT", "LYO", "HEL", "ION", "IRI",
    "MAO", "NAO", "NTH", "NWG", "SKA", "TYS", "WES", "ALB", "APU", "ARM", "CLY", "FIN", "GAS",
    "LVN", "NAF", "PIC", "PIE", "PRU", "SYR", "TUS", "WAL", "YOR", "ANK", "BEL", "BER", "BRE",
    "CON", "DEN", "EDI", "GRE", "HOL", "KIE", "LON", "LVP", "MAR", "NAP", "NWY", "POR", "ROM",
    "RUM", "SEV", "SMY", "SWE", "TRI", "TUN", "VEN", "BUL", "SPA", "STP",
)  # fmt: skip
"""The provinces by number, with the codes of dipsat."""
COASTS = {"BUL": ("EC", "SC"), "SPA": ("NC", "SC"), "STP": ("NC", "SC")}
AREAS = [
    area
    for code in PROVINCES
    for area in (code, *(f"{code}/{coast}" for coast in COASTS.get(code, ())))
]

BUILDS = -2
"""The area of a build or a disband."""
WAIVE = 3
"""The index of the action that means no build."""


def at(place: str) -> int:
    """The number of an area."""
    return AREAS.index(place)


@cache
def actions() -> list[int]:
    """The actions by index."""
    return list(deepmind_actions())


def index_of(kind: int, first: str, target: str = "BOH", third: str = "BOH") -> int:
    """The index of an action by its parts, without coasts; a missing part has the number 0."""
    places = (PROVINCES.index(one) << low for one, low in ((first, 9), (target, 17), (third, 25)))
    bits = kind | sum(places)
    return next(at for at, one in enumerate(actions()) if one & 0xFFFFFFFF == bits)


def text_of(action: int, position: Position) -> str:
    """An action on a board, as dipsat writes orders. A supported move names no coast."""
    kind = action & 255
    first, target, third = (PROVINCES[action >> low & 127] for low in (9, 17, 25))
    units = {unit.province: unit for unit in position.units}
    unit = {one.unit.province: one.unit for one in position.dislodged}.get(first, units.get(first))

    def with_coast(code: str, flag: int, is_fleet: bool) -> str:
        """A place with the coast that the flag means, if it means one."""
        if code not in COASTS or not is_fleet:
            return code
        return f"{code}/{COASTS[code][flag]}"

    is_fleet = unit is not None and unit.kind == "F"
    if is_fleet and kind in (4, 9):
        reached = position.map.reach("F", unit.location if unit else "")
        flag = action >> 16 & 1
        target = with_coast(target, flag, True)
        assert target in reached
    other = f"{units[target].kind} {units[target].location}" if target in units else ""
    moved = f"{units[third].kind} {units[third].location} - {target}" if third in units else ""
    home = with_coast(first, action >> 8 & 1, True)
    subject = f"{unit.kind} {unit.location}" if unit else ""
    return {
        1: f"{subject} - {target} VIA",
        2: f"{subject} C {moved}",
        3: f"{subject} H",
        4: f"{subject} - {target}",
        5: f"{subject} S {other}",
        6: f"{subject} S {moved}",
        8: f"{subject} D",
        9: f"{subject} R {target}",
        10: f"A {first} B",
        11: f"F {home} B",
        12: f"{subject} D",
        13: "WAIVE",
    }[kind]


def without_coast(text: str) -> str:
    """An order as in the texts of actions: the target of a supported move without its coast."""
    words = text.split()
    return " ".join([*words[:-1], words[-1].partition("/")[0]]) if len(words) == 7 else text
