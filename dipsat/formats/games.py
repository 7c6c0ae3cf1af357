"""The games of a file in any format."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from dipsat.board.map import Map
from dipsat.documents import decode
from dipsat.errors import DipsatError, FileError, shortened
from dipsat.formats.game_document import is_game_document, read_game_document, read_yaml_game
from dipsat.formats.game_files import GameText, game_texts
from dipsat.formats.jdip import read_jdip
from dipsat.formats.json_text import MAX_GAME_BYTES, described, parse_json
from dipsat.formats.phase_lines import read_phase_lines
from dipsat.formats.records import RecordedGame
from dipsat.formats.saved_game import read_saved_game
from dipsat.formats.text_sheet import Transcript, has_several_phases, is_transcript, read_transcript
from dipsat.formats.unread import Unread, leaving_out
from dipsat.limits import PHASES, TEXT_BYTES, UNLIMITED, Limits, running


def read_games(
    path: str | Path, map: Map | None = None, limits: Limits = UNLIMITED
) -> Iterator[RecordedGame | Transcript]:
    """The games of a file, one after the other; the time of the limits is for each text in
    it. Raises a `DipsatError` at the first bad one."""
    for text in game_texts(path):
        if isinstance(text, DipsatError):
            raise text
        with running(limits):
            found = parse_games(text, map)
        yield from found


def parse_games(
    text: GameText, map: Map | None = None, skip_faults: bool = False
) -> tuple[RecordedGame | Transcript, ...]:
    """The games that a text states: one, or the cases of a file of cases.

    `map` overrules the map that the text names. Raises `FileError` or `DocumentError` with the
    place of the fault. With `skip_faults`, a faulty phase or case is left out instead, and is in
    `RecordedGame.unread` of its game.
    """
    content = _content(text)
    unread = Unread() if skip_faults else None
    if text.kind == "phase lines":
        return (_from_lines(content, text, map, unread),)
    if text.kind == "json":
        value = parse_json(content, text.shown, text.line)
        where = text.shown if text.line == 1 else f"{text.shown}:{text.line}"
        if text.number and text.line == 1:
            where = f"{text.shown}, number {text.number}"
        return (_from_json(value, where, map, unread),)
    if _CASE.search(content):
        return read_jdip(content, text.shown, map, skip_faults)
    if _YAML_GAME.search(content):
        return (read_yaml_game(content, text.shown, map, unread),)
    if is_transcript(content):
        return (read_transcript(content, text.shown, map),)
    raise FileError(text.shown, f"no game in it; {_GAMES}")


def _from_lines(
    content: str, text: GameText, map: Map | None, unread: Unread | None
) -> RecordedGame:
    """The game of lines of phases. The fault of a line that is no JSON comes before all others."""
    if unread is None or content.count("\n") >= PHASES.most:
        lines = list(_json_lines(content, text, unread))
        PHASES.check(len(lines), text.shown)
        return read_phase_lines(lines, text.shown, map, unread)
    # Line by line, so that the values of a game need not be in memory at once.
    broken = Unread()
    game = read_phase_lines(_json_lines(content, text, broken), text.shown, map, unread)
    return replace(game, unread=(*broken.found(), *game.unread)) if broken.phases else game


def _json_lines(content: str, text: GameText, unread: Unread | None) -> Iterator[tuple[int, Any]]:
    """The values of a text's lines with the numbers of the lines; faulty lines go to `unread`."""
    count = 0
    for number, line in enumerate(content.split("\n"), text.line):
        value = None
        if line:
            with leaving_out(unread, count, ""):
                value = parse_json(line, text.shown, number)
        if value is not None:
            count += 1
            yield number, value


def holds_games(text: GameText) -> bool:
    """Whether a text seems to state games, judged without reading all of it; if not, it may be an
    order file. Raises `FileError` for a text that is not UTF-8."""
    if text.kind == "phase lines":
        return True
    content = _content(text)
    if text.kind == "json":
        return _JSON_GAME.search(content) is not None
    return bool(_CASE.search(content) or _YAML_GAME.search(content)) or has_several_phases(content)


def _content(text: GameText) -> str:
    most = TEXT_BYTES.most if text.kind == "text" else MAX_GAME_BYTES
    return decode(text.data, text.shown, most)


_JSON_GAME = re.compile(r'"(?:phases|next_phase)"\s*:|"format"\s*:\s*"dipsat game"')
_KEYS_SHOWN = 5  # of a value that is no game
_CASE = re.compile(r"^[^\S\n]*CASE\s", re.MULTILINE)
_YAML_GAME = re.compile(r"^[\"']?format[\"']?\s*:\s*[\"']?dipsat game", re.MULTILINE)
_GAMES = (
    "dipsat reads saved games (JSON with `phases`), its own (`format: dipsat "
    "game`), jDip cases (CASE ...) and orders under phase headings (Spring 1901 Movement)"
)


def _from_json(value: Any, shown: str, map: Map | None, unread: Unread | None) -> RecordedGame:
    if is_game_document(value):
        return read_game_document(value, shown, map, unread=unread)
    if isinstance(value, dict) and "phases" in value:
        return read_saved_game(value, shown, map, unread)
    if isinstance(value, dict) and "next_phase" in value:
        return read_phase_lines([(1, value)], shown, map, unread)
    raise FileError(shown, f"no game in it, but {_seen(value)}; {_GAMES}")


def _seen(value: Any) -> str:
    """What a value that is no game looks like, and what it lacks."""
    if not isinstance(value, dict) or not value:
        return "an empty object" if value == {} else described(value)
    keys = ", ".join(shortened(key) for key in islice(value, _KEYS_SHOWN))
    keys += " and others" if len(value) > _KEYS_SHOWN else ""
    is_phase = value.keys() & {"units", "orders"}
    hint = "; it may be one phase, and a game lists these" if is_phase else ""
    return f"an object without `phases`, with the keys {keys}{hint}"
