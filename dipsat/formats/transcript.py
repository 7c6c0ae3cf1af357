"""Games as people write them down: phase headings, power headings, orders.

    Map: standard

    Spring 1901 Movement

    England:
      F London - North Sea

Such a text holds only orders; the boards follow by judging them one phase after the other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dipsat.board.load import load_map
from dipsat.board.map import Map
from dipsat.errors import DipsatError, FileError, OrderSyntaxError
from dipsat.game.phase_name import PhaseName
from dipsat.orders.reader import reader_for
from dipsat.orders.sheet import read_sheet
from dipsat.orders.writer import write_order

_SETTING = re.compile(r"\s*(map|rules)\s*:\s*(\S.*?)\s*", re.IGNORECASE)
_PHASE = re.compile(r"[a-z]+[\s,.]*\d{1,5}\b[^:]*:?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Transcript:
    """The orders of a game, phase by phase. `rules` is None where the text names none."""

    board: Map
    map_name: str
    rules: str | None
    phases: tuple[tuple[PhaseName, Mapping[str, tuple[str, ...]]], ...]


def is_transcript(text: str) -> bool:
    """Whether a text has a phase heading."""
    return any(_heading(line) is not None for line in text.splitlines())


def read_transcript(text: str, shown: str, map: Map | None = None) -> Transcript:
    """The game that a text states; `shown` names it in errors.

    Raises `FileError` with the line: for an unknown map or phase, an order above the first
    heading, or an order that cannot be read.
    """
    named: dict[str, str] = {}
    sections: list[tuple[PhaseName, int, list[str]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        written = line.partition("#")[0].strip()
        setting = _SETTING.fullmatch(written)
        phase = _heading(line)
        if phase is not None:
            sections.append((phase, number, []))
        elif sections:
            sections[-1][2].append(line)
        elif setting is not None:
            named[setting[1].lower()] = setting[2]
        elif written:
            raise FileError(f"{shown}:{number}", "stands above the first phase heading")
    try:
        board = map or load_map(named.get("map", "standard"))
    except DipsatError as error:
        raise FileError(shown, str(error)) from None
    phases = tuple(
        (phase, _orders(board, "\n".join(lines), f"{shown}:{line}"))
        for phase, line, lines in sections
    )
    return Transcript(board, named.get("map", "standard"), named.get("rules"), phases)


def _heading(line: str) -> PhaseName | None:
    written = line.partition("#")[0].strip()
    if _PHASE.fullmatch(written) is None:
        return None
    try:
        return PhaseName.parse(written.rstrip(":"))
    except DipsatError:
        return None


def _orders(board: Map, text: str, shown: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    if not re.sub(r"#.*", "", text).strip():
        return {}
    path, _, first = shown.rpartition(":")
    reader = reader_for(board)
    try:
        for line in read_sheet(text, board):
            try:
                reader.read(line.text)
            except DipsatError as error:
                raise FileError(f"{path}:{int(first) + line.line}", str(error)) from None
            found.setdefault(line.power, []).append(line.text)
    except OrderSyntaxError as error:
        where = int(first) + (error.line or 0)
        raise FileError(f"{path}:{where}", error.problem) from None
    except FileError:
        raise
    except DipsatError as error:
        raise FileError(shown, f"below this line: {error}") from None
    return {power: tuple(orders) for power, orders in found.items()}


def write_transcript(
    board: Map,
    map_name: str,
    rules: str,
    phases: Sequence[tuple[PhaseName, Mapping[str, Sequence[str]]]],
    notation: str = "datc",
) -> str:
    """The text of a game in a notation of `dipsat.orders.NOTATIONS`; `read_transcript` reads it."""
    reader = reader_for(board)
    lines = [f"Map: {map_name}", f"Rules: {rules}"]
    for phase, orders in phases:
        lines += ["", phase.title()]
        for power, texts in orders.items():
            if texts:
                written = [write_order(reader.read(text), board, notation) for text in texts]
                lines += ["", f"{_title(board, power)}:", *(f"  {text}" for text in written)]
    return "\n".join(lines) + "\n"


def _title(board: Map, power: str) -> str:
    title = power.title()
    return title if board.names.powers.get(tuple(title.casefold().split())) == power else power
