"""Hostile files: large, compressed, repetitive, broken, or with names that are no names."""

from __future__ import annotations

import gzip
import json
import os
import tempfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import dipsat
from dipsat.cli import main
from tests.strangers.hostile_rules import START, profile_of

Act = Callable[[], object]

MAP = "name: x\nextends: standard\n"


def command(name: str, text: str | bytes, *arguments: str, file: str = "file.txt") -> object:
    """Run a command with a file; an exit status of 1 or 2 is an answer."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / file
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return main([name, *arguments, str(path)], standalone_mode=False)


def _games(text: str | bytes, file: str = "file.json") -> object:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / file
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return [game.to_dict() for game in dipsat.load_games(path)]


def _sheet(text: str) -> object:
    return command("adjudicate", text)


def _map(text: str) -> object:
    board = dipsat.parse_map(text, "map.yaml")
    return dipsat.adjudicate(dipsat.Position.start(board), {}).to_dict()


def _orders(texts: list[str], rules: str = "datc") -> object:
    return dipsat.adjudicate(START, {"FRANCE": texts}, rules).to_dict()


def _ring(provinces: int, units: int = 0) -> str:
    rows = "".join(
        f"  P{at}: {{name: sea {at}, type: sea, "
        f"fleet: [P{(at - 1) % provinces}, P{(at + 1) % provinces}]}}\n"
        for at in range(provinces)
    )
    start = ", ".join(f"F P{at}" for at in range(units))
    return f"name: x\npowers: {{WEST: {{units: [{start}]}}}}\nprovinces:\n{rows}"


def _repeated(act: Callable[[str], object], head: str, unit: str, count: int) -> object:
    return act(head + unit * count)


def _numbered(act: Callable[[str], object], head: str, unit: str, count: int) -> object:
    return act(head + "".join(unit.format(number) for number in range(count)))


def quadratic_readers() -> Iterator[tuple[str, Act]]:
    """What a reader could go through again and again."""
    lines: dict[str, tuple[str, str, int]] = {
        "blank lines": ("", "\n", 2_000_000),
        "spaces after a map": ("England:\n F Lon H\nmap: a", " ", 60_000),
        "opened notes": ("England:\n", "(* ", 200_000),
        "notes": ("England:\n", "(* a *) ", 100_000),
        "170,000 lines of orders": ("England:\n", "F Lon H\n", 170_000),
        "60,000 lines of no power": ("", "F Lon H\n", 60_000),
        "a section of 115 KB": ("England:\n ", "F Lon S ", 14_000),
        "a word of 4 MB": ("England:\n F ", "a", 4_000_000),
        "20,000 lines of colons": ("", "a:\n", 20_000),
        "one line of 1 MB": ("England: ", "F Lon - Nth, ", 80_000),
        "100,000 slashes": ("England:\n F ", "/", 100_000),
        "100,000 quotation marks": ("England:\n F ", "'", 100_000),
        "100,000 open brackets": ("England:\n F ", "(", 100_000),
    }
    for name, (head, unit, count) in lines.items():
        yield f"sheet: {name}", partial(_repeated, _sheet, head, unit, count)
    numbered = {
        "100,000 unknown names": ("England:\n", "F X{0} H\n", 100_000),
        "15,000 powers": ("", "Power{0}:\n A Par H\n", 15_000),
        "20,000 keys": ("", "k{0}: a\n", 20_000),
    }
    for name, (head, unit, count) in numbered.items():
        yield f"sheet: {name}", partial(_numbered, _sheet, head, unit, count)
    yield (
        "sheet: 10,000 late duplicate keys",
        partial(_sheet, "".join(f"k{n}: a\n" for n in range(10_000)) * 2),
    )
    yield (
        "map of 60,000 equal units",
        partial(_map, f"{MAP}powers: {{ENGLAND: {{units: [{'F LON, ' * 60_000}]}}}}\n"),
    )
    unknown = ", ".join(f"X{n}" for n in range(20_000))
    yield (
        "map: 20,000 unknown provinces",
        partial(_map, f"{MAP}lines: {{l: {{provinces: [{unknown}]}}}}"),
    )
    yield (
        "map: duplicate keys",
        partial(_map, MAP + "provinces:\n" + "".join(f"  A{n}: a\n" for n in range(15_000)) * 2),
    )
    members = ", ".join(f"m{n}" for n in range(40_000))
    for section in ("domains:\n  Aa: [{0}]", "options:\n  a: [{0}]", "settings: {{waive: [{0}]}}"):
        yield (
            f"rules: {section.partition(':')[0]} of 40,000",
            partial(profile_of, section.format(members)),
        )
    slots = " ".join(f"{{a{n}: Province}}" for n in range(40_000))
    yield (
        "rules: a form of 40,000 slots",
        partial(profile_of, f"orders:\n  Wish: {{form: '{slots}'}}\n"),
    )
    many = [f"A X{n} - BUR" for n in range(2_600)]
    yield "2,600 unknown provinces under 4.E.2 d", partial(_orders, many, "datc+4.E.2-d")
    yield (
        "3,000 unknown provinces under 4.E.2 d",
        partial(_orders, [f"A X{n} - BUR" for n in range(3_000)], "datc+4.E.2-d"),
    )
    yield (
        "2,600 unclear supports",
        partial(_orders, ["A B S A B - B" + " " * n for n in range(2_600)], "datc+4.E.2-d"),
    )
    for size in (1_000, 100_000):
        yield f"an order of {size:,} words", partial(_orders, ["A PAR - " + "a " * size])


def beyond_limits() -> Iterator[tuple[str, Act]]:
    """More of something than any game has."""
    for reader, act in {"map": _map, "rules": profile_of, "sheet": _sheet, "game": _yaml}.items():
        yield f"4 MB of YAML values: {reader}", partial(_repeated, act, "x: [", "a,", 2_000_000)
    deep = "[" * 100_000
    for reader, act in {"map": _map, "rules": profile_of, "sheet": _sheet}.items():
        yield f"deep lists: {reader}", partial(act, f"x: {deep}")
    yield "deep lists: game", partial(_games, f'{{"phases": {deep}')
    yield "deep mappings: game", partial(_games, '{"a":' * 100_000)
    aliases = "a: &a [x, x]\n" + "".join(
        f"{name}: &{name} [*{last}, *{last}, *{last}]\n"
        for last, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    for reader, act in {"map": _map, "rules": profile_of}.items():
        yield f"aliases: {reader}", partial(act, aliases)
    winter = dipsat.Position.from_units({}, phase="W1901A", centers={"ENGLAND": ["LON"]})
    yield "100,000 WAIVEs", lambda: dipsat.adjudicate(winter, {"ENGLAND": ["WAIVE"] * 100_000})
    phases = [{"phase": f"S{year}M", "units": {}} for year in range(1, 10_001)]
    game = json.dumps({"format": "dipsat game", "version": 1, "phases": phases})
    yield "10,000 empty phases", partial(_games, game)
    yield "10,000 headings of phases", partial(_games, "Spring 1901 Movement\n" * 10_000, "a.txt")
    blank = ("Spring 1901 Movement\n" + "\n" * 1_000) * 600
    yield "blank lines between phases", partial(_games, blank, "a.txt")
    yield "ring of 2,600 seas", partial(_map, _ring(2_600))
    yield "ring of 10,000 seas", partial(_map, _ring(10_000))
    yield "ring of 1,000 fleets", partial(_map, _ring(2_600, 1_000))
    yield "grid of 1,600 fleets", _grid
    long = "9" * 100_000
    yield "a year of 100,000 digits", partial(_games, f'{{"phases": [{{"name": "S{long}M"}}]}}')
    yield "a number of 100,000 digits", partial(_games, f'{{"phases": {long}}}')
    yield "an exponent", partial(_games, '{"phases": 1e999999999}')
    yield "2,690 orders for one unit", partial(_orders, ["A PAR H", "A PAR - BUR"] * 1_345)
    yield "2,691 orders", partial(_orders, ["A PAR H"] * 2_691)


def _yaml(text: str) -> object:
    return _games(f"format: dipsat game\n{text}", "a.yaml")


def _grid() -> object:
    """A board with all fleets of a square of seas, each supporting another."""
    side = 40
    rows, units = [], []
    for at in range(side * side):
        row, column = divmod(at, side)
        near = [
            f"P{(row + down) % side * side + (column + right) % side}"
            for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0))
        ]
        rows.append(f"  P{at}: {{name: sea {at}, type: sea, fleet: [{', '.join(near)}]}}\n")
        units.append(f"F P{at}")
    board = dipsat.parse_map(f"name: x\npowers: {{WEST: {{}}}}\nprovinces:\n{''.join(rows)}", "m")
    position = dipsat.Position.from_units({"WEST": units}, board)
    orders = [f"F P{at} - P{at + 1}" for at in range(side * side - 1)]
    return dipsat.adjudicate(position, {"WEST": orders}).to_dict()


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
        "headings": (b"", b"Spring 1901 Movement\n", 2_000_000),
        "JSON Lines": (b"", b"{}\n", 10_000_000),
    }
    for name, bomb in bombs.items():
        yield f"gzip: {name}", partial(_packed, partial(_games, file="a.json.gz"), *bomb)
        replay = partial(command, "replay", file="a.json.gz")
        yield f"gzip, replayed: {name}", partial(_packed, replay, *bomb)
    cut = gzip.compress(b'{"phases": []}' * 1000)
    yield "gzip: cut off", partial(_games, cut[:-10], "a.json.gz")
    yield "gzip: damaged", partial(_games, cut[:20] + b"\0\1" + cut[22:], "a.json.gz")


def replayed_files() -> Iterator[tuple[str, Act]]:
    """Files of games that are none."""
    for name, line in {
        "objects": '{"a":1}\n', "lists": "[]\n", "broken": '{"a"\n', "empty": '{"phases":[]}\n',
        "phases": '{"source":"a","next_phase":1}\n', "numbers": "1\n",
    }.items():  # fmt: skip
        replay = partial(command, "replay", file="a.jsonl")
        count = 4_000_000 // len(line)
        yield f"replay: 4 MB of {name}", partial(_repeated, replay, "", line, count)
    yield (
        "replay: a list of 300,000",
        partial(command, "replay", f"[{'{},' * 300_000}{{}}]", file="a.json"),
    )


def named_files() -> Iterator[tuple[str, Act]]:
    """Documents that name files they should not read, and files that are none."""
    for name in ("/etc/passwd", "../../../../etc/passwd", "/dev/zero", "/dev/stdin", "a\0b", "~"):
        shown = json.dumps(name + ".yaml")
        yield f"map extends {name!a}", partial(_map, f"name: x\nextends: {shown}\n")
        yield (
            f"rules extend {name!a}",
            partial(dipsat.parse_profile, f"name: x\nextends: {shown}\n", "x.yaml"),
        )
        yield f"sheet with rules {name!a}", partial(_sheet, f"rules: {shown}\nEngland:\n F Lon H\n")
    for kind in ("pipe", "folder", "link to itself", "device", "missing", "long name"):
        yield f"load a {kind}", partial(_load, kind)


def _load(kind: str) -> object:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ("a" * 5000 if kind == "long name" else "a.yaml")
        if kind == "pipe":
            os.mkfifo(path)
        elif kind == "folder":
            path.mkdir()
        elif kind == "link to itself":
            path.symlink_to(path)
        elif kind == "device":
            path = Path("/dev/zero")
        return dipsat.load_map(path)


def strange_names() -> Iterator[tuple[str, Act]]:
    """Names that control a terminal or pass for another text."""
    for name in (
        "\x1b[31mred",
        "a\nerror: b",
        "a\rb",
        "\u202eabc",
        "\x9b2J",
        "a" * 100_000,
        "\ud800",
    ):
        shown = json.dumps(name)
        label = ascii(name[:12])
        yield f"province {label}", partial(_map, f"{MAP}provinces:\n  LON: {{name: {shown}}}\n")
        yield f"power {label}", partial(_map, f"{MAP}powers: {{{shown}: {{}}}}\n")
        yield (
            f"title {label}",
            partial(dipsat.parse_profile, f"name: x\ntitle: {shown}\nextends: datc\n", "x.yaml"),
        )
        yield f"family {label}", partial(profile_of, f"decisions:\n  {shown}: true\n")
        yield f"member {label}", partial(profile_of, f"domains:\n  Aa: [a, {shown}]\n")
        yield f"order {label}", partial(_orders, [f"A PAR - {name}"], "datc+4.E.2-d")
        yield f"game {label}", partial(_games, json.dumps({"id": name, "phases": [{"name": name}]}))


def broken_files() -> Iterator[tuple[str, Act]]:
    """What once ended in another error than a `DipsatError`, or might."""
    texts = [
        "", "\0", "\ufeff", "[]", "{}", "null", "- a", "a: b: c", "? [a]: b", "%TAG ! a\n---\na",
        "!!python/object:os.system a", "a: !!binary a", "--- a\n--- b", "\r", "a:\r b", "\x85",
        "name: x", "name: [x]", "extends: [", "name: 1e400", "name: .nan", "a: 0o9", "<<: {a: b}",
    ]  # fmt: skip
    for text in texts:
        yield f"map {text!a}", partial(_map, text)
        yield f"rules {text!a}", partial(dipsat.parse_profile, text, "x.yaml")
        yield f"sheet {text!a}", partial(_sheet, text)
        yield f"games {text!a}", partial(_games, text, "a.txt")
    for value in ("null", "1", '"a"', "[]", "[null]", "[[]]", "{}", '{"a": 1}', "[1e400]", "true"):
        for key in ("phases", "map", "rules", "id", "next_phase", "format"):
            game = f'{{"phases": [{{"name": "S1901M", "state": {value}}}], "{key}": {value}}}'
            yield f"a game with {key} {value}", partial(_games, game)
    for expression in (
        "p.",
        "(",
        "x" * 3000,
        "not " * 900 + "true",
        "-" * 900 + "1",
        "1 if",
        "a\rb",
    ):
        shown = json.dumps(expression)
        yield f"expression {expression[:10]!a}", partial(profile_of, f"define:\n  x(p): {shown}\n")
