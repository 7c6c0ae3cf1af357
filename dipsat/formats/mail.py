"""The orders that a mail or a pasted text holds, each kept for its phase."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from dipsat.base import grouped
from dipsat.errors import DipsatError
from dipsat.formats.json_text import GatheredFaults
from dipsat.formats.phase_file import entries_for, sheet_of
from dipsat.formats.text_sheet import Entry, check_readable
from dipsat.game import PhaseKind, PhaseName, Position
from dipsat.orders import TEXT_FAULTS, Build, Retreat, Waive
from dipsat.rules import Profile


@dataclass(frozen=True, slots=True)
class Mail:
    """What a text says about a game: the orders of each phase, and what else it names."""

    orders: Mapping[PhaseName, tuple[Entry, ...]]
    """Phase -> its orders in the order written, the earliest phase first. An `Entry` has the power,
    the text and the place (`mail.txt:7:3`) of an order. `Entry.otherwise` has the orders to try in
    turn if it is a retreat that is not possible (`A GAL R WAR, UKR`)."""
    silent: Mapping[PhaseName, tuple[str, ...]]
    """Phase -> the powers of which the text says that nothing has come from them
    (`Turkey: none received`, `NMR`)."""
    remarks: tuple[str, ...] = ()
    """What was skipped, or taken from the lines around the orders, each with its place."""
    faults: tuple[DipsatError, ...] = ()
    """What cannot be read, if the reader is lenient."""


def read_mail(
    text: str,
    shown: str,
    position: Position,
    rules: Profile,
    senders: Mapping[str, str] = MappingProxyType({}),
    lenient: bool = False,
) -> Mail:
    """Return the orders in a text for a game that is in `position`, those of later phases, too.

    `shown` names the text in places. `senders` maps the name or e-mail address of a player to a
    power: the `From:` line of a mail then says whose orders follow. A retreat without a season is
    one of those that follow the moves of the text, and builds are those of the winter of its year.
    Nothing says that an order is legal; only that it can be read.

    Raises `FileError` or `ProblemsError`, with places, for an order or a heading that cannot be
    read, for a phase before that of the position, for a power other than that of the sender, and
    for orders of which nothing says whose they are. If the reading is `lenient`, an order that
    cannot be read is kept in `faults` instead.
    """
    faults = GatheredFaults(lenient)
    letter = sheet_of(position, text, shown, rules.words)
    entries = list(entries_for(position, letter, shown, rules.words, faults))
    check_readable(position.with_words(rules.words), entries, rules.settings, faults)
    found = grouped((_phase_of(position, one), one) for one in entries)
    orders = {phase: tuple(found[phase]) for phase in sorted(found, key=str)}
    return Mail(orders, {}, letter.skipped, faults.found)


def _phase_of(position: Position, entry: Entry) -> PhaseName:
    phase = position.phase
    try:
        order = position.reader.read(entry.text)
    except TEXT_FAULTS:
        return phase
    if isinstance(order, Build | Waive):
        return PhaseName("W", phase.year, PhaseKind.ADJUSTMENT)
    is_movement = phase.kind is PhaseKind.MOVEMENT
    return phase.retreats() if isinstance(order, Retreat) and is_movement else phase
