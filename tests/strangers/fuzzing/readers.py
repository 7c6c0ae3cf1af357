"""Every reader of dipsat: what it does with a text, and with what it made of it."""

from __future__ import annotations

import contextlib
import io
import random
import re
import tempfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import dipsat
from dipsat import searches, studies
from dipsat.cli import main
from dipsat.engines import carry_out, find_engine, read_order_set, to_text, transform
from dipsat.formats import (
    import_maps,
    packing_of,
    parse_phase_text,
    readable_turns,
    save_games,
    unpacked,
)
from dipsat.formats.jdip import read_jdip
from dipsat.orders.daide import read_daide
from dipsat.rules import Profile
from dipsat.searches import parse_line
from dipsat.studies.random_boards import trial_board
from tests.strangers.fuzzing.uses import (
    SHORT,
    UntrueError,
    use_game,
    use_map,
    use_phase,
    use_profile,
)

DATC = dipsat.load_profile("datc")
START = dipsat.Position.start("standard")
BOARDS = (
    "datc", "datc+poorly_written=matching", "datc+poorly_written=spelling+legal=format",
    "datc+implicit_orders=deduced+poorly_written=order set+order_sets=all", "rulebooks/1971",
    "variants/arpiesse+color_exchange=on", "variants/colonial", "variants/loeb9",
)  # fmt: skip
"""Rules under which orders are read; the first line of the input chooses one."""
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("adjudicate", "FILE"), ("adjudicate", "FILE", "--json"),
    ("adjudicate", "FILE", "--engine", "recursive_guess", "--trace"),
    ("adjudicate", "FILE", "--engine", "dip_eval", "--transformed"),
    ("explain", "FILE"), ("prove", "FILE", "--json"), ("prove", "FILE", "--timeout", "1"),
    ("compare", "FILE", "--rules", "datc", "--rules", "rulebooks/1982"),
    ("replay", "FILE"), ("crosscheck", "FILE", "-e", "dip_eval", "-e", "recursive_guess"),
    ("convert", "FILE", "FILE", "--to", "dipsat"),
    ("rules", "check", "FILE"), ("rules", "show", "FILE"), ("rules", "diff", "datc", "FILE"),
    ("maps", "check", "FILE"), ("maps", "show", "FILE"),
    ("search", "hold", "FILE", "--timeout", "1"),
    ("search", "paradox", "FILE", "--timeout", "1"),
)  # fmt: skip


class RefusedError(dipsat.DipsatError):
    """A command refused a file."""


def _rng(text: str) -> random.Random:
    """A source of chance that follows from the text, the same in every process."""
    return random.Random(zlib.crc32(text.encode(errors="surrogatepass")))


@cache
def board(number: int, seed: int) -> tuple[dipsat.Position, Mapping[str, Any], Profile]:
    """A position with orders under one of the `BOARDS`: of movement, or of the phase after it."""
    rules = dipsat.load_profile(BOARDS[number % len(BOARDS)])
    sheet = trial_board(rules, dipsat.load_map(rules.map or "standard"), seed, 16)
    position = sheet.position().with_words(rules.words)
    if seed % 3:
        return position, sheet.orders, rules
    following = dipsat.adjudicate(position, sheet.orders, rules).next
    return (following, {}, rules) if seed % 2 else (position, sheet.orders, rules)


def read_orders(text: str) -> None:
    """Orders for a board, one a line, each after its power and a colon."""
    head, _, rest = text.partition("\n")
    numbers = [int(word) for word in head.split() if word.isdecimal() and len(word) < 9]
    number, seed = (*numbers, 0, 0)[:2]
    position, _orders, rules = board(number, seed % 12)
    orders: dict[str, list[str]] = {}
    for line in rest.split("\n"):
        power, colon, order = line.partition(":")
        orders.setdefault(power.strip() if colon else "FRANCE", []).append(order if colon else line)
    use_phase(position, orders, rules, _rng(text))


def read_daide_order(text: str) -> None:
    """Orders of DAIDE, read, written and read again."""
    for line in text.split("\n"):
        power, order = read_daide(line, START.map)
        adjusts = isinstance(order, dipsat.Disband) and "REM" in line
        written = dipsat.write_order(
            order, START.map, "daide", power=power or "FRANCE", adjustment=adjusts
        )
        if read_daide(written, START.map)[1] != order:
            raise UntrueError(f"{written!r} is another order after it was written and read")
        dipsat.adjudicate(START, {power: [order]}).to_dict()


def read_phase(text: str) -> None:
    """An order file."""
    is_document = re.search(r"^(?:units|orders)\W", text, re.MULTILINE) is not None
    found = parse_phase_text(text, "fuzzed.yaml" if is_document else "fuzzed.txt", asking=True)
    use_phase(found.position, found.orders, found.rules or DATC, _rng(text))


def read_games(text: str) -> None:
    """A file of games in any format."""
    _games(text.encode(errors="surrogatepass"), _rng(text))


def read_packed(text: str) -> None:
    """A packed file of games, and bytes that are not text."""
    data = text.encode("latin-1", errors="replace")
    _games(data, _rng(text))
    raw: io.BufferedReader = io.BufferedReader(io.BytesIO(data))
    if packing := packing_of(raw):
        unpacked(raw, "fuzzed", packing).read(10**6)


def read_rows(text: str) -> None:
    """A file of rows."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows"
        path.write_bytes(text.encode("latin-1", errors="replace"))
        rows = list(studies.read_rows(path))
        studies.write_rows(rows, path.with_suffix(".jsonl"))


def _games(data: bytes, rng: random.Random) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game"
        path.write_bytes(data)
        for number, game in enumerate(dipsat.load_games(path, check=rng.random() < 0.7)):
            if number < 3:
                use_game(game, rng)
        for report in studies.replay_files([path]):
            str(report)
        for found in islice(readable_turns(path, None), 3):
            if not isinstance(found, dipsat.DipsatError):
                with contextlib.suppress(dipsat.DipsatError):
                    save_games([found], path, rng.choice(("dipsat", "diplomacy", "datc")))


def read_cases(text: str) -> None:
    """Cases as jDip writes them."""
    for game in read_jdip(text, "fuzzed.txt"):
        str(game)
    read_games(text)


def read_map(text: str) -> None:
    """A map."""
    found = dipsat.parse_map(text, "fuzzed")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "map.yaml"
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
        with contextlib.suppress(dipsat.DipsatError):
            dipsat.check_map(path)
    use_map(found, _rng(text))


def read_variant(text: str) -> None:
    """A variant of another program. PHP stands for every file of its folder."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "variant"
        files = [path]
        if text.startswith("<?php"):
            (path / "classes").mkdir(parents=True)
            php = ("install.php", "variant.php", "classes/adjudicatorPreGame.php")
            files = [path / name for name in php]
        for file in files:
            file.write_text(text, encoding="utf-8", errors="surrogatepass")
        for made in import_maps(path):
            if isinstance(made, dipsat.DipsatError):
                raise made
            use_map(made.map, _rng(text))


def read_rules(text: str) -> None:
    """A rule profile."""
    rules, rng = dipsat.parse_profile(text, "fuzzed.yaml"), _rng(text)
    use_profile(rules, rng)
    if rng.random() < 0.05:
        searches.structure_of(rules, effort=20_000)


def read_expression(text: str) -> None:
    """An equation for moves, and a goal."""
    if "PAR" not in text and "provinces" not in text:
        lines = "\n".join(f"    {line}" for line in text.splitlines())
        read_rules(f"extends: variants/arpiesse\ndecisions:\n  move(m): |\n{lines}\n")
        return
    position, orders, rules = board(0, _rng(text).choice((1, 2, 4, 5)))
    power = position.units[0].power
    units = [unit.province for unit in position.units[:3]]
    for question in (dipsat.Achieve(text), dipsat.Guarantee(text, power)):
        dipsat.search(position, question, orders, open=units, rules=rules, limits=SHORT).to_dict()


def read_line(text: str) -> None:
    """A stalemate line."""
    searches.hold_line(parse_line(text, "fuzzed.yaml"), limits=SHORT).to_dict()


def read_set(text: str) -> None:
    """An order set of Jacobi's algorithm."""
    orders = read_order_set(text)
    if read_order_set(to_text(orders)) != orders:
        raise UntrueError("an order set is another one after it was written and read")
    with contextlib.suppress(dipsat.DipsatError):
        carry_out(orders).to_dict()
    carry_out(transform(orders)).to_dict()


def read_names(text: str) -> None:
    """Names as callers give them, one a line: of rules, maps, engines, phases, units."""
    known = dipsat.Limits(files=dipsat.Files.none())
    readers: tuple[Callable[[str], object], ...] = (
        lambda name: dipsat.load_profile(name, limits=known),
        lambda name: dipsat.load_map(name, limits=known),
        find_engine,
        lambda name: dipsat.PhaseName.parse(name),
        lambda name: dipsat.Position.from_units({"FRANCE": [name]}),
        lambda name: studies.load_cases([name]),
        lambda name: START.reader.read(name),
    )
    for line in text.split("\n")[:20]:
        for reader in readers:
            with contextlib.suppress(dipsat.DipsatError):
                reader(line)


def command(words: Sequence[str], data: str | bytes, file: str = "file.yaml") -> None:
    """Run a command with a file; no exception escapes but its status."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / file
        path.write_bytes(data if isinstance(data, bytes) else data.encode(errors="surrogatepass"))
        arguments = [str(path) if word == "FILE" else word for word in words]
        shown, status = io.StringIO(), None
        with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
            try:
                main.main(arguments, prog_name="dipsat", standalone_mode=True)
            except SystemExit as end:
                status = end.code
    if status not in (0, 1, 2, 3) or "Traceback" in shown.getvalue():
        raise UntrueError(f"exit status {status}: {shown.getvalue()[-2000:]}")
    if status == 2:
        raise RefusedError("refused")


def run_command(text: str) -> None:
    """A file for a command, the first line choosing the command."""
    head, _, rest = text.partition("\n")
    number = int(head) if head.isdecimal() and len(head) < 9 else _rng(head).randrange(99)
    command(COMMANDS[number % len(COMMANDS)], rest)
