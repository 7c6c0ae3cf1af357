"""Hostile files: large, compressed, repetitive, or without an end."""

from __future__ import annotations

import gzip
import json
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import dipsat
from dipsat.base import InputLimit, limits, parse_yaml
from dipsat.board import parse_map
from dipsat.formats import GameText, parse_games, parse_json, parse_phase_text
from dipsat.orders import read_form
from tests.strangers.fuzzing.readers import command
from tests.strangers.hostile_rules import START, profile_of

Act = Callable[[], object]
Read = Callable[[str], Any]

LIMITS = {name: one for name, one in vars(limits).items() if isinstance(one, InputLimit)}
SPRING = "Spring 1901 Movement\n"


def springs(count: int, below: str = "") -> str:
    """The headings of this many phases, with the same text below each."""
    return "".join(f"Spring {year} Movement\n{below}" for year in range(1, count + 1))


MAP = "name: x\nextends: standard\n"


def games(text: str) -> object:
    """The games of a text file."""
    return parse_games(GameText("x.txt", 1, "text", text.encode()))


def game_of(phases: Iterable[Mapping[str, Any]]) -> str:
    """A game in dipsat's own format."""
    return json.dumps({"format": "dipsat game", "version": 1, "phases": list(phases)})


def sheet(text: str) -> dipsat.PhaseFile:
    """An order sheet."""
    return parse_phase_text(text, "x.txt")


def unclear(text: str) -> object:
    """Orders of England, one a line, with every way to read them."""
    return dipsat.adjudicate(START, {"ENGLAND": text.splitlines()}, "datc+4.E.2-d").to_dict()


def numbered(unit: str, count: int, between: str = "") -> str:
    """This many copies of something, each with its number in place of `#`."""
    return between.join(unit.replace("#", str(number)) for number in range(count))


def ring(provinces: int, powers: int = 1, units: int = 0) -> str:
    """A map with seas in a ring."""
    rows = (
        f"  P{at}: {{name: sea {at}, type: sea, "
        f"fleet: [P{(at - 1) % provinces}, P{(at + 1) % provinces}]}}\n"
        for at in range(provinces)
    )
    fleets = f"start: [{numbered('F P#', units, ', ')}]"
    named = ", ".join(f"WEST{at}: {{{'' if at else fleets}}}" for at in range(powers))
    return f"name: x\npowers: {{{named}}}\nprovinces:\n" + "".join(rows)


def _start(text: str) -> object:
    position = dipsat.Position.start(parse_map(text, "x.yaml"))
    return dipsat.adjudicate(position, {}).to_dict()


def _load(data: str | bytes, file: str = "a.json") -> object:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / file
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return [game.to_dict() for game in dipsat.load_games(path)]


_ODD_LINE = "postrrate x#\n"
_REPEATED: dict[str, tuple[Read, int, int, Callable[[int], str]]] = {
    "sheet: blank lines": (sheet, 1000, 2_000_000, lambda n: "\n" * n),
    "sheet: spaces after a map": (sheet, 1000, 60_000, lambda n: "England:\nmap: a" + " " * n),
    "sheet: opened notes": (sheet, 1000, 200_000, lambda n: "England:\n" + "(* " * n),
    "sheet: notes": (sheet, 100, 100_000, lambda n: "England:\n" + "(* a *) " * n),
    "sheet: orders": (sheet, 10, 170_000, lambda n: "England:\n" + "F Lon H\nF Lon - Nth\n" * n),
    "sheet: orders of no power": (sheet, 10, 60_000, lambda n: "F Lon H\n" * n),
    "sheet: a long section": (sheet, 10, 14_000, lambda n: "England:\n " + "F Lon S " * n),
    "sheet: a long word": (sheet, 1000, 4_000_000, lambda n: "England:\n F " + "a" * n),
    "sheet: one line": (sheet, 10, 80_000, lambda n: "England: " + "F Lon - Nth, " * n),
    "sheet: unknown names": (sheet, 0, 100_000, lambda n: "England:\n" + numbered("F X# H\n", n)),
    "sheet: powers": (sheet, 0, 15_000, lambda n: numbered("Power#:\n A Par H\n", n)),
    "sheet: the same key": (sheet, 0, 20_000, lambda n: "a:\n" * n),
    "sheet: keys": (sheet, 0, 20_000, lambda n: numbered("k#: a\n", n)),
    "sheet: late duplicates": (sheet, 0, 10_000, lambda n: numbered("k#: a\n", n) * 2),
    "map: equal units": (
        _start, 0, 60_000, lambda n: f"{MAP}powers: {{ENGLAND: {{start: [{'F LON, ' * n}]}}}}\n",
    ),
    "map: unknown provinces": (
        _start, 0, 20_000, lambda n: f"{MAP}lines: {{l: {{provinces: [{numbered('X#,', n)}]}}}}",
    ),
    "map: duplicate keys": (
        _start, 0, 15_000, lambda n: f"{MAP}provinces:\n" + numbered("  A#: a\n", n) * 2,
    ),
    "rules: domains": (profile_of, 0, 40_000, lambda n: f"domains:\n  Aa: [{numbered('m#,', n)}]"),
    "rules: options": (profile_of, 0, 40_000, lambda n: f"options:\n  a: [{numbered('m#,', n)}]"),
    "rules: settings": (profile_of, 0, 40_000, lambda n: f"settings: {{a: [{'m,' * n}]}}"),
    "rules: slots": (
        profile_of, 0, 40_000,
        lambda n: f"orders:\n  Wish: {{form: '{numbered('{a#: Province} ', n)}'}}\n",
    ),
    "orders: provinces": (unclear, 10, 3_000, lambda n: numbered("F LON - zzyyxxw#\n", n)),
    "orders: supports": (
        unclear, 0, 2_600, lambda n: "\n".join("A B S A B - B" + " " * at for at in range(n)),
    ),
    "orders: words": (unclear, 10, 100_000, lambda n: "F LON - " + "aa " * n),
    "game: phases": (games, 10, 10_000, lambda n: springs(n, "England:\nF Lon H\n")),
    "game: headings": (games, 10, 10_000, springs),
    "game: blank lines": (games, 100, 600_000, lambda n: SPRING + "\n" * n + "England: F Lon H\n"),
    "game: blank lines in each phase": (games, 0, 600, lambda n: springs(n, "\n" * 1_000)),
    "jDip": (
        games, 10, 10_000,
        lambda n: f"VARIANT_ALL Standard\nCASE 1\nORDERS\n{numbered(_ODD_LINE, n)}END\n",
    ),
    "YAML": (lambda text: parse_yaml(text, "x.yaml"), 10, 40_000, lambda n: "a:\n" + "- b\n" * n),
}  # fmt: skip
REPEATED: Mapping[str, tuple[Read, int, int, Callable[[int], str]]] = _REPEATED | {
    f"sheet: {sign!r}": (sheet, 1000, 100_000, lambda n, sign=sign: f"England: {sign * n}A LON H")
    for sign in (";", ",", ",;", " ", "\t", "\n", "\n#", "\n>", "England:", "/", "'", "(")
}
"""Parts that a reader could go through again and again: name -> what reads them, how many show how
the steps grow, how many are hostile, and the text with a given number."""


def quadratic_readers() -> Iterator[tuple[str, Act]]:
    """Very many of such parts."""
    for name, (read, _, most, text) in REPEATED.items():
        yield name, partial(_read, read, text, most)


def _read(read: Read, text: Callable[[int], str], count: int) -> object:
    return read(text(count))


TOO_MUCH: Mapping[str, tuple[Callable[[int], object], str]] = {
    "VALUES": (lambda n: parse_yaml(f"[{'a,' * n}]", "x.yaml"), "x.yaml:1:"),
    "KEY_LENGTH": (lambda n: parse_yaml("k" * n + ": a", "x.yaml"), "x.yaml:1:1"),
    "GAME_VALUES": (lambda n: games(f"format: dipsat game\nx: [{'a,' * n}]"), "x.txt:2:"),
    "JSON_VALUES": (lambda n: parse_json(f"[{'0,' * n}0]", "x.json", 7), "x.json:7"),
    "PHASES": (lambda n: games(springs(n)), "x.txt:1501"),
    "CASES": (lambda n: games("VARIANT_ALL Standard\n" + "CASE x\nEND\n" * n), "x.txt:4003"),
    "PROVINCES": (lambda n: parse_map(ring(n), "x.yaml"), "x.yaml:4:3"),
    "POWERS": (lambda n: parse_map(ring(3, n), "x.yaml"), "x.yaml:2:9"),
    "ORDERS": (lambda n: sheet("England:\n" + "F Lon H\n" * n), "x.txt:2692"),
    "SHEET_LENGTH": (lambda n: sheet("England: " + ";" * (n - 16) + "A LON H"), "x.txt"),
    "NOTE_LENGTH": (lambda n: setattr(dipsat.Game.standard(), "deadline", "x" * n), ""),
    "FORM_PARTS": (lambda n: read_form("a " * n), ""),
    "OPTIONS": (
        lambda n: profile_of("options:\n" + numbered("  a#: [x, y]\n", n)), "strange.yaml:4:3",
    ),
    "VALUES_OF_OPTION": (
        lambda n: profile_of(f"options:\n  a: [{numbered('x#', n, ',')}]"), "strange.yaml:4:6",
    ),
    "KINDS_OF_ORDERS": (
        lambda n: profile_of("orders:\n" + numbered('  X#: {form: "{unit} word#"}\n', n)),
        "strange.yaml:4:3",
    ),
    "READINGS": (
        lambda n: unclear("\n".join("A B S A B - B" + " " * at for at in range(n // 150))), "",
    ),
}  # fmt: skip
"""Limit -> how to read input with a number of something, and where an error about it is."""


def beyond_limits() -> Iterator[tuple[str, Act]]:
    """More of something than any game has."""
    for name, (read, _) in TOO_MUCH.items():
        yield f"ten times {name}", partial(read, 10 * LIMITS[name].most)
    yield "a ring of 1,000 fleets", partial(_start, ring(2_600, units=1_000))
    phases = ({"phase": f"S{year}M", "units": {}} for year in range(1, 10_001))
    yield "10,000 empty phases", partial(_load, game_of(phases))
    long = "9" * 100_000
    yield "a year of 100,000 digits", partial(_load, f'{{"phases": [{{"name": "S{long}M"}}]}}')
    yield "a number of 100,000 digits", partial(_load, f'{{"phases": {long}}}')
    yield "an exponent", partial(_load, '{"phases": 1e999999999}')
    yield "deep lists", partial(_load, f'{{"phases": {"[" * 100_000}')
    yield "deep mappings", partial(_load, '{"a":' * 100_000)
    for count, orders in ((1_345, ["A PAR H", "A PAR - BUR"]), (2_691, ["A PAR H"])):
        yield f"{len(orders)} orders, {count} times", partial(
            dipsat.adjudicate, START, {"FRANCE": orders * count}
        )  # fmt: skip


def _packed(act: Callable[[bytes], object], head: bytes, unit: bytes, count: int) -> object:
    packer = zlib.compressobj(1, wbits=31)
    parts = [packer.compress(head)]
    parts += [packer.compress(unit * 100_000) for _ in range(count // 100_000)]
    return act(b"".join([*parts, packer.flush()]))


def gzip_bombs() -> Iterator[tuple[str, Act]]:
    """A few bytes that unpack to many."""
    bombs: dict[str, tuple[bytes, bytes, int]] = {
        "a list": (b'{"phases":[', b"[],", 10_000_000),
        "a word": (b"", b"a", 50_000_000),
        "blank lines": (b"", b"\n", 50_000_000),
        "headings": (b"", SPRING.encode(), 2_000_000),
        "JSON Lines": (b"", b"{}\n", 10_000_000),
    }
    replay = partial(command, ("replay", "FILE"), file="a.json.gz")
    for name, bomb in bombs.items():
        yield name, partial(_packed, partial(_load, file="a.json.gz"), *bomb)
        yield f"{name}, replayed", partial(_packed, replay, *bomb)
    cut = gzip.compress(b'{"phases": []}' * 1000)
    yield "cut off", partial(_load, cut[:-10], "a.json.gz")
    yield "damaged", partial(_load, cut[:20] + b"\0\1" + cut[22:], "a.json.gz")


def replayed_files() -> Iterator[tuple[str, Act]]:
    """Files of things that are not games."""
    replay = partial(command, ("replay", "FILE"))
    for name, line in {
        "objects": '{"a":1}\n', "lists": "[]\n", "broken": '{"a"\n', "empty": '{"phases":[]}\n',
        "phases": '{"source":"a","next_phase":1}\n', "numbers": "1\n",
    }.items():  # fmt: skip
        lines = line * (4_000_000 // len(line))
        yield f"4 MB of {name}", partial(replay, lines, file="a.jsonl")
    yield "a list of 300,000", partial(replay, f"[{'{},' * 300_000}{{}}]", file="a.json")
