"""Entering the orders of mails into a game: a whole mail, or nothing of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from dipsat.base import grouped, titled
from dipsat.errors import FileError
from dipsat.formats.game import Game
from dipsat.formats.json_text import FilePlace, GatheredFaults
from dipsat.formats.mail import Mail, read_mail
from dipsat.formats.order_entry import Answer, enter, listed_in
from dipsat.formats.order_rulings import about
from dipsat.formats.phase_file import is_document, orders_for
from dipsat.formats.players import senders_of
from dipsat.formats.text_sheet import Entry
from dipsat.formats.turn import laid_over
from dipsat.game import PhaseKind, PhaseName, Position, read_in
from dipsat.orders import TEXT_FAULTS


@dataclass(frozen=True, slots=True)
class MailReply:
    """What a mail has changed in a game."""

    game: Game
    """The game with its orders."""
    lines: tuple[str, ...]
    """How many orders each power sent, which of them are illegal, and which orders they replace."""
    remarks: tuple[str, ...]
    """What was skipped and may be about the orders, and what a lenient reader has left out."""


def enter_mail(game: Game, text: str, shown: str, lenient: bool = False) -> MailReply:
    """Enter the orders of a mail, including those for later phases. The game given stays as it is.

    They replace the orders that their powers sent earlier for the same units; builds and disbands
    replace everything that the power sent for that winter. An illegal order is entered, since it
    counts as its unit's order. Raises what `read_mail` raises, and `FileError` or `ProblemsError`,
    with places, for orders to units that their powers do not have, unless the reader is `lenient`:
    then earlier orders for other units are kept beside the orders that can be read.
    """
    mail = _mail(game, text, shown, lenient)
    faults = GatheredFaults(lenient)
    found, lines = game.copy(), list[str]()
    told = tuple(map(str, mail.faults))
    for phase, written in mail.orders.items():
        entries = [one for one in written if not _is_told(one, told)]
        _refuse_second(game, phase, entries, faults)
        add = _entered if phase == game.phase else _kept
        found, powers, said = add(found, phase, entries, faults, not told)
        counts = Counter(map(titled, powers))
        whose = ", ".join(f"{power} ({count})" for power, count in counts.items())
        kept = "" if phase == game.phase else ", kept until then"
        lines += [f"{shown}: orders for {phase} of {whose}{kept}"] if powers else []
        lines += said
    faults.raise_all()
    for phase, silent in mail.silent.items():
        names = ", ".join(map(titled, silent))
        known = found.orders if phase == game.phase else found.later.get(str(phase), {})
        kept = ", ".join(titled(power) for power in silent if known.get(power))
        still = f"; earlier orders of {kept} are kept" if kept else ""
        lines.append(f"{shown}: nothing has come from {names} for {phase}{still}")
    if not mail.orders and not mail.silent and not mail.faults:
        lines.append(f"{shown}: there are no orders in it")
    remarks = (*mail.doubtful, *map(str, (*mail.faults, *faults.found)))
    return MailReply(found, tuple(lines), remarks)


def _is_told(entry: Entry, told: Iterable[str]) -> bool:
    """Whether one of these faults is about an order."""
    return bool(entry.place) and any(one.startswith(f"{entry.place}: ") for one in told)


def _mail(game: Game, text: str, shown: str, lenient: bool) -> Mail:
    """The orders of a mail, or of YAML or JSON with `orders`."""
    if not is_document(shown):
        known = senders_of(game.players)
        return read_mail(text, shown, game.position, game.profile, known, lenient)
    found = orders_for(game.position, text, shown, game.profile)
    entries = (
        one._replace(place=found.places.get((one.power, one.text), shown))
        for one in listed_in(shown, found.orders)
    )
    return Mail({game.phase: tuple(entries)}, {})


def _refuse_second(
    game: Game, phase: PhaseName, entries: Sequence[Entry], faults: GatheredFaults
) -> None:
    """Raise `FileError` for another order of a unit that has one in the same mail: its player must
    say which of them counts."""
    first = dict[tuple[str, str], Entry]()
    hint = "keep the one that counts"
    if phase.kind is PhaseKind.RETREAT:
        hint += ", or name several places in one, such as 'A Mun R Ruh or Kie'"
    for one in entries if phase.kind is not PhaseKind.ADJUSTMENT else ():
        place = about(game.position, one.text)
        before = first.setdefault((one.power, place), one)
        if place and " ".join(before.text.split()) != " ".join(one.text.split()):
            problem = f"{one.text!r} is a second order for a unit: {before.place} has one"
            with faults:
                raise FileError(one.place, f"{problem}; {hint}")


def _entered(
    game: Game,
    phase: PhaseName,
    entries: Sequence[Entry],
    faults: GatheredFaults,
    is_whole: bool,
) -> tuple[Game, list[str], list[str]]:
    """Enter orders for the current phase. Returns the power of each order, and sentences on orders
    that are illegal, not read as written, or replaced."""
    base = game
    if phase.kind is PhaseKind.ADJUSTMENT and is_whole:
        base = game.copy().submit({one.power: () for one in entries})
    found, answers = enter(base, entries)
    refused = [  # except a build too many, which is waived and harms nothing
        one for one in answers if not one.entered and about(game.position, one.typed.text)
    ]
    for one in refused:
        with faults:
            raise FileError(one.typed.place, one.why)
    if refused and base is not game:
        base = game
        found, answers = enter(game, entries)
    said = [
        str(one)
        for one in answers
        if one.replaced or (one.why and one not in refused and not _adds_kind(game.position, one))
    ]
    if base is not game:
        said += _replaced(game.orders, found.orders)
    return found, [one.power for one in answers if one not in refused], said


def _adds_kind(position: Position, answer: Answer) -> bool:
    """Whether the only remark on an order is the kind of a unit, which it leaves out."""
    with suppress(*TEXT_FAULTS):
        order = read_in(position, answer.typed.text)
        named = (getattr(order, name, None) for name in ("unit", "supported", "army"))
        short = {one.location for one in named if one is not None and one.kind is None}
        units = (*position.units, *(one.unit for one in position.dislodged))
        return answer.why in {f"read as {one}" for one in units if one.province in short}
    return False


def _kept(
    game: Game,
    phase: PhaseName,
    entries: Sequence[Entry],
    faults: GatheredFaults,
    is_whole: bool,
) -> tuple[Game, list[str], list[str]]:
    """Keep orders for a later phase. Returns their powers, and sentences on replaced orders."""
    readable = list[tuple[str, str]]()
    for one in entries:
        with faults, FilePlace(one.place):
            alone = game.copy().submit(one.power, [one.text], phase=phase)
            (text,) = alone.later[str(phase)][one.power]
            readable.append((one.power, text))
    before = game.later.get(str(phase), {})
    is_whole = is_whole and len(readable) == len(entries)
    given = {
        power: laid_over(game.position, phase.kind, before.get(power, ()), own, is_whole)
        for power, own in grouped(readable).items()
    }
    found = game.copy().submit(given, phase=phase)
    return found, [power for power, _ in readable], list(_replaced(before, given))


def _replaced(
    before: Mapping[str, Sequence[str]], now: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    """The orders of a phase that their powers no longer have, in sentences."""
    for power, own in now.items():
        gone = [text for text in before.get(power, ()) if text not in own]
        if gone:
            yield f"{titled(power)} no longer has {', '.join(gone)}"
