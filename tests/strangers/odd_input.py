"""Every reader with honest input for it, odd things to put into that, and what a message is."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import settings

import dipsat
from dipsat.base import parse_yaml
from dipsat.board import parse_map
from dipsat.engines import find_engine, read_order_set
from dipsat.errors import DipsatError
from dipsat.formats import GameText, parse_games, parse_phase_text
from dipsat.formats.jdip import read_jdip
from dipsat.formats.text_sheet import read_transcript
from dipsat.orders import reader_for
from dipsat.orders.daide import read_daide
from dipsat.rules import parse_profile
from dipsat.rules.parser import parse_expression
from dipsat.searches import parse_line
from dipsat.searches.achievement_goal import read_goal

HUGE = 100_000
ODD_TEXTS = (
    "x" * HUGE, "A PAR - " * (HUGE // 8), "word " * (HUGE // 5), "(" * HUGE, "[" * 200, "'" * HUGE,
    "\\" * HUGE, '"' * 99, "9" * 30, "9" * 5000, "-" * 5000, "not " * 2000, "é" * 300, "ß" * 90,
    "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "a\rb", "\ry", "a\nb", "a\x85b", "a\u2028b", "a\x00b",
    "\x7f", "\u202ecba", "\ud800", "²", "٣", "½", "\U0001d538", "ﬁ", "İ", "", " ", "\t", "+", "=",
    "a=b", "a+b", "/", "a/b", "..", "../" * 50, "|", "#", ":", "- a", "{}", "f(m)", "true", "null",
    "~", "1e999", "-1", "0x10", "S1901M", "S99999M", "S٣M", "W1901B", "COMPLETED", "A PAR",
    "F STP/SC", "PAR", "FRANCE", "datc", "secret_config.yaml", "x" * 5000 + ".yaml", "\0.yaml",
    "a/" * 3000 + "b.yaml", "!!python/object:os.system", "&a", "*a", "%", "{unit}", "{a: Province}",
    "x" * 79 + "'" + "y" * 200,
)  # fmt: skip
ODD_VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 10**25, 1e300, 0.5, [], {}, [[]], {"": ""}, [None], {"a": {"b": []}},
)  # fmt: skip
EVERY_TIME = settings(deadline=None, max_examples=50)

MOST = 2000  # characters of a line of a message
MOST_LINES = 61


def check_message(error: DipsatError) -> None:
    """A message has few, short lines that a terminal shows as they are, and short quotations."""
    text = str(error)
    lines = text.split("\n")
    assert text
    assert len(lines) <= MOST_LINES
    assert max(map(len, lines)) <= MOST
    assert all(line.isprintable() for line in lines)
    assert not re.search(r"""["'](?:x{81}|é{81}|ß{81}|9{81})""", text)
    assert not re.search(r"\S{251}", text)


# --- honest input ---------------------------------------------------------------------------------

PHASE: dict[str, Any] = {
    "map": "standard",
    "rules": "datc",
    "phase": "F1901M",
    "units": {"FRANCE": ["A PAR", "F BRE"], "GERMANY": ["A MUN"]},
    "orders": {"FRANCE": ["A PAR - BUR", "F BRE - MAO"], "GERMANY": ["A MUN S A PAR - BUR"]},
    "centers": {"FRANCE": ["PAR", "BRE"]},
}
RETREAT: dict[str, Any] = {
    "phase": "F1901R",
    "units": {"FRANCE": ["A PAR"]},
    "dislodged": {"GERMANY": {"A BUR": ["MUN", "RUH"]}},
    "orders": {"GERMANY": ["A BUR R MUN"]},
}
MAP: dict[str, Any] = {
    "name": "tiny",
    "title": "Tiny",
    "sources": ["a book"],
    "victory": 1,
    "first_phase": "S1901M",
    "build": "home",
    "coasts": {"NC": ["north coast"], "SC": ["south coast"]},
    "powers": {"RED": {"aliases": ["reds"], "home": ["AAA"], "start": ["A AAA"]}},
    "provinces": {
        "AAA": {
            "name": "Alpha",
            "type": "coast",
            "supply": True,
            "army": ["BBB"],
            "fleet": ["CCC"],
        },
        "BBB": {
            "name": "Beta",
            "type": "coast",
            "army": ["AAA"],
            "fleet": {"NC": ["CCC"], "SC": ["CCC"]},
            "default_coast": "NC",
            "features": ["ice"],
            "aliases": ["bee"],
        },
        "CCC": {"name": "Gamma", "type": "sea", "fleet": ["AAA", "BBB/NC", "BBB/SC"]},
    },
    "impassable": {"DDD": "Delta"},
    "border_features": {"difficult": [["AAA", "BBB"]]},
    "power_features": {"rich": ["RED"]},
    "lines": {"RAIL": {"power": "RED", "provinces": ["AAA", "BBB"]}},
    "notations": {"daide": {"provinces": {"AAA": "AAA"}, "powers": {"RED": "RED"}}},
}
CHANGED_MAP: dict[str, Any] = {
    "extends": "standard",
    "name": "changed",
    "provinces": {"PAR": {"supply": False}, "MUN": {"features": ["ice"]}},
    "powers": {"FRANCE": {"home": ["MAR", "BRE"], "start": ["A MAR"]}},
    "victory": None,
}
PROFILE: dict[str, Any] = {
    "name": "mine",
    "title": "Mine",
    "extends": ["datc"],
    "settings": {"waive": "illegal"},
    "domains": {"Color": ["red", "gold"], "Size": {"s": "small", "l": "large"}},
    "options": {"siege": ["off", "on"]},
    "features": {"ice": "province"},
    "attributes": {"color": {"domain": "Color", "default": "red"}},
    "units": {"wing": {"letter": "W", "borders": ["army", "fleet"]}},
    "convoys": {"wing": {"carries": ["army"], "over": "any"}},
    "variables": {"co": "Color", "cd": "Color", "z": "Ally"},
    "relations": {"over(co, cd)": {"rows": [["red", "gold"]], "properties": ["irreflexive"]}},
    "orders": {"Ally": {"form": ["ally {unit} {p: Province}", "join {unit} {p: Province}"]}},
    "define": {"backing2(m)": "sum(support(s) for s in m.supports)"},
    "legal": {"far(m)": "true"},
    "decisions": {
        "seen(m, co)": "move(m) and any(over(co, cd) for cd in Color)",
        "heard(z)": "true",
    },
    "results": {"dull(p)": "not some(p.units)"},
    "reasons": {"seen": "it is seen"},
    "cycles_before": [{"name": "mine", "when": "ring(cycle.move)", "set": {"move": True}}],
}
LINE: dict[str, Any] = {
    "map": "standard",
    "rules": "datc",
    "power": "FRANCE",
    "units": ["A PAR", "A BUR"],
    "orders": ["A PAR S A BUR", "A BUR H"],
    "protect": ["BUR"],
}
SET: dict[str, Any] = {
    "orders": {"FRANCE": ["A PAR - BUR", "F BRE H"]},
    "borders": {"F BRE": ["PIC"]},
}
SHEET = "England:\n  F Lon - Nth\n  A Lvp - Yor\nFrance:\n  A Par S A Mar - Bur\n  A Mar - Bur\n"
JDIP = """\
VARIANT_ALL Standard
CASE one
PRESTATE_SETPHASE Spring 1901, Movement
PRESTATE
  Austria: A vie
  Italy: A ven
ORDERS
  Austria: A vie-tyr
  Italy: A ven-tyr
POSTSTATE_SAME
END
"""
TRANSCRIPT = "map: standard\nrules: datc\nSpring 1901 Movement\nFrance:\n A Par - Bur\n A Mar H\n"
DAIDE = "( FRA AMY PAR ) MTO BUR"
EXPRESSION = 'any(m.unit.kind == "army" and move(m) for m in p.attackers)'


def game() -> dict[str, Any]:
    """A saved game of three phases."""
    played = dipsat.Game.standard()
    for order in ("A PAR - BUR", "A BUR - MUN"):
        played.submit("FRANCE", [order])
        played.advance()
    return played.to_dict()


STANDARD = dipsat.load_map("standard")
DATC = dipsat.load_profile("datc")
POSITION = dipsat.Position.from_units({"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]})


def _games(text: str) -> object:
    data = text.encode(errors="surrogatepass")
    return parse_games(GameText("game.json", 1, "json", data))


def _adjudicated(text: str) -> object:
    return dipsat.adjudicate(POSITION, {"FRANCE": [text]}).to_dict()


DOCUMENTS: Mapping[str, tuple[Callable[[], dict[str, Any]], Callable[[str], object]]] = {
    "phase": (lambda: PHASE, lambda text: parse_phase_text(text, "phase.json")),
    "retreat": (lambda: RETREAT, lambda text: parse_phase_text(text, "phase.json")),
    "map": (lambda: MAP, lambda text: parse_map(text, "map.yaml")),
    "changed map": (lambda: CHANGED_MAP, lambda text: parse_map(text, "map.yaml")),
    "profile": (lambda: PROFILE, lambda text: parse_profile(text, "mine.yaml")),
    "line": (lambda: LINE, lambda text: parse_line(text, "line.yaml")),
    "order set": (lambda: SET, read_order_set),
    "game": (game, _games),
}
TEXTS: Mapping[str, tuple[str, Callable[[str], object]]] = {
    "sheet": (SHEET, lambda text: parse_phase_text(text, "orders.txt")),
    "jdip": (JDIP, lambda text: read_jdip(text, "cases.txt")),
    "transcript": (TRANSCRIPT, lambda text: read_transcript(text, "game.txt")),
    "daide": (DAIDE, lambda text: read_daide(text, STANDARD)),
    "order": ("A PAR - BUR", lambda text: reader_for(STANDARD).read(text)),
    "unit": ("A PAR", lambda text: reader_for(STANDARD).read_unit(text)),
    "adjudicated order": ("A PAR S A MUN - BUR", _adjudicated),
    "expression": (EXPRESSION, lambda text: parse_expression(parse_yaml(text, "e.yaml"))),
    "goal": ("any(move(m) for m in PAR.attackers)", lambda text: read_goal(text, DATC, STANDARD)),
    "phase name": ("S1901M", lambda text: dipsat.Position.from_units({}, phase=text)),
    "profile name": ("datc+4.A.2-1982+waive=illegal", dipsat.load_profile),
    "map name": ("standard", dipsat.load_map),
    "engine": ("recursive_guess(paths=orders_first)", find_engine),
    "order set": ("FRANCE:\nA PAR - BUR\nF BRE H\nConvoy borders:\nF BRE: PIC", read_order_set),
}
