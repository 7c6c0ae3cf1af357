"""The game that a file begins: a saved one, or one from the phase that an order file states."""

from __future__ import annotations

from collections.abc import Mapping

from dipsat.documents import ORDER_FILE, kind_of, parse_yaml, read_text, refuse_other_kinds
from dipsat.errors import DipsatError
from dipsat.formats.load_phase import load_phase
from dipsat.formats.phase_file import is_document
from dipsat.play.game import Game
from dipsat.play.sheets import listed_in
from dipsat.profiles.load import DEFAULT_RULES
from dipsat.values import grouped


def begun(file: str) -> tuple[Game, str]:
    """The game of a file, and the file that it is saved in, "" if it has none of its own: an order
    file stays as it is.

    Raises what `Game.load` raises and, for an order file, what `load_phase` and `Game.submit` do.
    """
    try:
        return Game.load(file), file
    except DipsatError:
        if not _is_order_file(file):
            raise
    phase = load_phase(file)
    game = Game(phase.position, phase.rules or DEFAULT_RULES)
    orders = grouped((one.power, one.text) for one in listed_in(file, phase.orders))
    return (game.submit(orders) if orders else game), ""


def _is_order_file(file: str) -> bool:
    """Whether a file states a phase. Raises `ProfileError` for a map, or a file of rules."""
    if not is_document(file):
        return False
    try:
        root = parse_yaml(read_text(file), file)
    except DipsatError:
        return False
    if kind_of(root.value if isinstance(root.value, Mapping) else {}) == ORDER_FILE:
        return True
    refuse_other_kinds(root, "a saved game")
    return False
