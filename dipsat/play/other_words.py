"""What people type who look for a command, because another program calls it so."""

from __future__ import annotations

from collections.abc import Mapping

_WORDS = {
    "advance": ("adjudicate", "continue", "go", "judge", "next", "process", "resolve", "run"),
    "board": ("map", "position", "show", "status", "units"),
    "clear": ("cancel", "delete"),
    "help": ("commands",),
    "legal": ("moves", "options"),
    "quit": ("bye", "end", "exit", "leave", "stop"),
    "read": ("enter", "import"),
    "save": ("write",),
    "undo": ("back", "revert"),
    "why": ("explain", "reason"),
}
COMMAND_OF: Mapping[str, str] = {
    word: command for command, words in _WORDS.items() for word in words
}
"""Word -> the command that is meant."""

TYPED_ALONE = frozenset({"order", "submit", "issue", "set"})
"""Words that people type before an order."""

OTHER_GAME = frozenset({"load", "open", "restore"})
"""Words for what no command does: going over to another game."""
