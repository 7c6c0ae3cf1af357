"""The kinds of games in files, of dipsat and of other programs.

A kind is known by its content, not by the name of its file. The content is the value of a JSON
text, or any other text as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

from dipsat.base import FrozenDict
from dipsat.board import Map
from dipsat.formats.jdip import read_jdip
from dipsat.formats.records import RecordedGame, Unread
from dipsat.formats.saved_game import (
    is_game_document,
    read_game_document,
    read_phase_lines,
    read_saved_game,
    read_yaml_game,
)
from dipsat.formats.served_game import is_served_game, read_served_game
from dipsat.formats.transcript import Transcript, read_transcript
from dipsat.formats.turn import GameTurns
from dipsat.formats.webdip_game import is_webdip_game, read_webdip_game
from dipsat.formats.written_game import write_json, write_saved_game, write_text, write_yaml
from dipsat.orders import NOTATIONS

Read: TypeAlias = Callable[[Any, str, Map | None, bool], Sequence[RecordedGame | Transcript]]
"""Reads the games of a content. The text names its place in errors, a map overrules that of the
games. If the last argument is true, a faulty phase is left out, and stands in
`RecordedGame.unread`; otherwise it raises `FileError` or `DocumentError`."""


@dataclass(frozen=True, slots=True)
class GameKind:
    """A kind of games."""

    name: str
    """What people call it."""
    looks: str
    """How a file shows that it is of this kind, for the message on one that is of none."""
    recognises: Callable[[Any], bool]
    """Whether a content is of this kind. It looks at a few keys or words, since the first kind that
    says so reads all of it."""
    read: Read
    writers: Mapping[str, Callable[[GameTurns], str]] = field(default_factory=FrozenDict)
    """The name of a format (as in `Game.save`) -> the text of a game in it."""
    holds_several: bool = False
    """Whether the texts of several games, one after another, are a file of this kind."""


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


def _read_document(
    value: Any, shown: str, map: Map | None, skip_faults: bool
) -> Sequence[RecordedGame]:
    return (read_game_document(value, shown, map, unread=_unread(skip_faults)),)


def _read_yaml(text: str, shown: str, map: Map | None, skip_faults: bool) -> Sequence[RecordedGame]:
    return (read_yaml_game(text, shown, map, _unread(skip_faults)),)


def _read_saved(
    value: Any, shown: str, map: Map | None, skip_faults: bool
) -> Sequence[RecordedGame]:
    return (read_saved_game(value, shown, map, _unread(skip_faults)),)


def _read_served(
    value: Any, shown: str, map: Map | None, skip_faults: bool
) -> Sequence[RecordedGame]:
    return (read_served_game(value, shown, map, _unread(skip_faults)),)


def _read_phase(
    value: Any, shown: str, map: Map | None, skip_faults: bool
) -> Sequence[RecordedGame]:
    return (read_phase_lines([(1, value)], shown, map, _unread(skip_faults)),)


def _read_text(text: str, shown: str, map: Map | None, _: bool) -> Sequence[Transcript]:
    return (read_transcript(text, shown, map),)


def _unread(skip_faults: bool) -> Unread | None:
    return Unread() if skip_faults else None


# --- kinds ----------------------------------------------------------------------------------------

HEADINGS = GameKind(
    "text with phase headings",
    "orders under phase headings (Spring 1901 Movement)",
    lambda content: isinstance(content, str),
    _read_text,
    {name: partial(write_text, notation=name) for name in NOTATIONS},
)
"""A text of people or judges. Any text may be one; `phases_named` finds its headings."""

KINDS: tuple[GameKind, ...] = (
    GameKind(
        "dipsat game",
        "its own games (`format: dipsat game`)",
        is_game_document,
        _read_document,
        {"dipsat": write_json},
        holds_several=True,
    ),
    GameKind(
        "dipsat game in YAML",
        "",
        partial(_matches, _YAML_GAME),
        _read_yaml,
        {"yaml": write_yaml},
    ),
    GameKind(
        "game status of webDiplomacy",
        "the status of games of webDiplomacy (JSON with `variantID`)",
        is_webdip_game,
        read_webdip_game,
    ),
    GameKind(
        "saved game of the package diplomacy",
        "saved games (JSON with `phases`)",
        partial(_has, "phases"),
        _read_saved,
        {"diplomacy": write_saved_game},
        holds_several=True,
    ),
    GameKind(
        "game of the server of the package diplomacy",
        "",
        is_served_game,
        _read_served,
    ),
    GameKind(
        "JSON Lines of phases",
        "lines of phases (JSON with `next_phase`)",
        partial(_has, "next_phase"),
        _read_phase,
    ),
    GameKind("jDip cases", "jDip cases (CASE ...)", partial(_matches, _CASE), read_jdip),
    HEADINGS,
)
"""The first that recognises a content reads it."""

FORMATS: Mapping[str, GameKind] = {name: kind for kind in reversed(KINDS) for name in kind.writers}
"""The name of a format that dipsat writes -> its kind. A name that is also that of a notation means
the kind of games."""


def kind_of(content: Any) -> GameKind | None:
    """The kind of a content, None for a JSON value that is no game."""
    return next((kind for kind in KINDS if kind.recognises(content)), None)
