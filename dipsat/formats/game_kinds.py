"""The kinds of games in files, of dipsat and of other programs.

A kind is recognised by a file's content, not by its name. The content is the value of a JSON text,
or any other text as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

from dipsat.base import FrozenDict
from dipsat.board import Map
from dipsat.formats.backstabbr import BACKSTABBR_UNITS, read_backstabbr_pages
from dipsat.formats.daide_log import DAIDE_BOARD, read_daide_log
from dipsat.formats.diplicity import is_diplicity_game, read_diplicity_game
from dipsat.formats.godip_games import GODIP_PHASE, read_godip_game
from dipsat.formats.jdip import read_jdip
from dipsat.formats.records import RecordedGame, Unread
from dipsat.formats.rust_cases import is_rust_cases, read_rust_cases
from dipsat.formats.saved_game import (
    is_game_document,
    read_game_document,
    read_phase_lines,
    read_saved_game,
    read_yaml_game,
)
from dipsat.formats.served_game import SERVED, read_served_game
from dipsat.formats.transcript import Transcript, read_transcript
from dipsat.formats.turn import GameTurns
from dipsat.formats.webdip_game import is_webdip_game, read_webdip_game
from dipsat.formats.written_cases import write_jdip
from dipsat.formats.written_game import write_json, write_saved_game, write_text, write_yaml
from dipsat.orders import NOTATIONS

Read: TypeAlias = Callable[[Any, str, Map | None, bool], Sequence[RecordedGame | Transcript]]
"""Reads the games in a content. The text names its place in errors; a map overrides that of the
games. If the last argument is true, a faulty phase is left out and listed in `RecordedGame.unread`;
otherwise it raises `FileError` or `DocumentError`."""


@dataclass(frozen=True, slots=True)
class GameKind:
    """A kind of game file."""

    name: str
    """What people call it."""
    looks: str
    """What such files look like, for the message about a file of no kind."""
    recognises: Callable[[Any], bool]
    """Whether a content is of this kind. This checks only a few keys or words; the first kind that
    recognises a content reads it."""
    read: Read
    writers: Mapping[str, Callable[[GameTurns], str]] = field(default_factory=FrozenDict)
    """The name of a format (as in `Game.save`) -> a function that writes a game in it."""
    holds_several: bool = False
    """Whether the texts of several games, one after another, form a file of this kind."""


# --- recognising ----------------------------------------------------------------------------------

_CASE = re.compile(r"^[^\S\n]*CASE\s", re.MULTILINE)
_YAML_GAME = re.compile(r"^[\"']?format[\"']?\s*:\s*[\"']?dipsat game", re.MULTILINE)


def _has(key: str, content: Any) -> bool:
    """Whether a content is a JSON object with a key."""
    return isinstance(content, dict) and key in content


def _matches(pattern: re.Pattern[str], content: Any) -> bool:
    """Whether a pattern is found in a content that is a text."""
    return isinstance(content, str) and pattern.search(content) is not None


# --- reading --------------------------------------------------------------------------------------


def _one(
    read: Callable[..., RecordedGame], content: Any, shown: str, map: Map | None, skip_faults: bool
) -> Sequence[RecordedGame]:
    """Call a reader of one game with the arguments that all readers take."""
    return (read(content, shown, map, unread=Unread() if skip_faults else None),)


def _read_phase(
    value: Any, shown: str, map: Map | None = None, *, unread: Unread | None = None
) -> RecordedGame:
    return read_phase_lines([(1, value)], shown, map, unread)


def _read_text(text: str, shown: str, map: Map | None, _: bool) -> Sequence[Transcript]:
    return (read_transcript(text, shown, map),)


# --- kinds ----------------------------------------------------------------------------------------

HEADINGS = GameKind(
    "text with phase headings",
    "orders under phase headings (Spring 1901 Movement)",
    lambda content: isinstance(content, str),
    _read_text,
    {name: partial(write_text, notation=name) for name in NOTATIONS},
)
"""A text by people or judges. Any text may be one; `phases_named` finds its headings."""

KINDS: tuple[GameKind, ...] = (
    GameKind(
        "dipsat game",
        "its own games (`format: dipsat game`)",
        is_game_document,
        partial(_one, read_game_document),
        {"dipsat": write_json},
        holds_several=True,
    ),
    GameKind(
        "dipsat game in YAML",
        "",
        partial(_matches, _YAML_GAME),
        partial(_one, read_yaml_game),
        {"yaml": write_yaml},
    ),
    GameKind(
        "game status of webDiplomacy",
        "webDiplomacy games",
        is_webdip_game,
        read_webdip_game,
    ),
    GameKind(
        "diplicity game",
        "diplicity games",
        is_diplicity_game,
        partial(_one, read_diplicity_game),
    ),
    GameKind(
        "saved game of the package diplomacy",
        "saved games (JSON with `phases`)",
        partial(_has, "phases"),
        partial(_one, read_saved_game),
        {"diplomacy": write_saved_game},
        holds_several=True,
    ),
    GameKind(
        "game of the server of the package diplomacy",
        "",
        partial(_has, SERVED),
        partial(_one, read_served_game),
    ),
    GameKind(
        "JSON Lines of phases",
        "lines of phases (JSON with `next_phase`)",
        partial(_has, "next_phase"),
        partial(_one, _read_phase),
    ),
    GameKind(
        "jDip cases",
        "jDip cases (CASE ...)",
        partial(_matches, _CASE),
        read_jdip,
        {"jdip": write_jdip},
    ),
    GameKind(
        "cases of the Rust crate diplomacy",
        "Rust cases",
        is_rust_cases,
        read_rust_cases,
    ),
    GameKind(
        "godip game",
        "godip games (PHASE ...)",
        partial(_matches, GODIP_PHASE),
        partial(_one, read_godip_game),
    ),
    GameKind(
        "DAIDE log",
        "DAIDE logs",
        partial(_matches, DAIDE_BOARD),
        read_daide_log,
    ),
    GameKind(
        "Backstabbr pages",
        "Backstabbr pages",
        partial(_matches, BACKSTABBR_UNITS),
        partial(_one, read_backstabbr_pages),
    ),
    HEADINGS,
)
"""The first that recognises a content reads it."""

FORMATS: Mapping[str, GameKind] = {name: kind for kind in reversed(KINDS) for name in kind.writers}
"""The name of a format that dipsat writes -> its kind. If a notation has the same name, the name
does not mean a text in that notation."""


def kind_of(content: Any) -> GameKind | None:
    """The kind of a content, None for a JSON value that is not a game."""
    return next((kind for kind in KINDS if kind.recognises(content)), None)
