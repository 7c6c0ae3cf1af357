"""Who plays which power: names, perhaps with addresses, as the game master wrote them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from dipsat.base import NOTE_LENGTH, FrozenDict, grouped, titled
from dipsat.board import Map
from dipsat.errors import GameError, shortened

_ATOM = r'[^\s<>()\[\],:;"\\@.]+'
_ADDRESS = re.compile(
    rf'<?(?<![^\s<>()\[\],:;"\\])({_ATOM}(?:\.{_ATOM})*@[\w-]+(?:\.[\w-]+)+)(?![\w@])>?'
)
"""An address without quotation marks (nearly all are), and never a part of another one."""


def checked_players(board: Map, given: Mapping[str, str]) -> Mapping[str, str]:
    """Power of the map -> its player, in the order of the map; an empty text means no player.
    Raises `UnknownNameError` for a name that is not a power's, and what `note` raises."""
    found = dict[str, str]()
    for typed, text in given.items():
        power = power_named(board, typed)
        found[power] = note(text, f"the player of {titled(power)}")
    return FrozenDict({power: found[power] for power in board.powers if found.get(power)})


def power_named(board: Map, typed: str) -> str:
    """The power with a name, or the only one whose name begins so. Raises `UnknownNameError`."""
    begun = board.names.powers_begun(typed.strip().casefold())
    return begun[0] if len(begun) == 1 else board.names.power(typed)


def note(text: str, what: str) -> str:
    """A text by the game master, which is shown on pages and in mail headers. Raises `GameError` if
    it is not one printable line; the message says `what` it is."""
    NOTE_LENGTH.check(len(text := text.strip()))
    if not text.isprintable():
        raise GameError(f"{what} should be one line of printable text, not {shortened(text)!r}")
    return text


def addresses_in(player: str) -> tuple[str, ...]:
    """The addresses in the text of a player."""
    return tuple(dict.fromkeys(_ADDRESS.findall(player)))


def sender_in(head: str) -> str:
    """The address in the line `From:` of a mail, "" if there is none. A name before it may be
    another address."""
    found = _ADDRESS.search(head.rpartition("<")[2])
    return found[1] if found else ""


def name_in(player: str) -> str:
    """The name in the text of a player, "" if it has only an address."""
    return " ".join(_ADDRESS.sub(" ", player).replace('"', " ").split()).strip(" ,;")


def senders_of(players: Mapping[str, str]) -> Mapping[str, Sequence[str]]:
    """A name or address of a mail's sender -> the powers of that player. A player of several powers
    must say whose orders follow."""
    return grouped(
        (known.casefold(), power)
        for power, player in players.items()
        for known in {name_in(player), *addresses_in(player)} - {""}
    )
