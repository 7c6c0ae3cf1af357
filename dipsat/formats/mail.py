"""The orders that a mail or a pasted text holds, each kept for its phase."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from types import MappingProxyType

from dipsat.base import grouped
from dipsat.board import Map, province_of, words_of
from dipsat.errors import DipsatError, FileError, OrderSyntaxError, shortened
from dipsat.formats.json_text import FilePlace, GatheredFaults
from dipsat.formats.letter import DESPITE_SENDER, Letter, Section, Sender, letter_of, other_sender
from dipsat.formats.mail_text import plain_text
from dipsat.formats.order_rulings import about
from dipsat.formats.season import may_wait, other_phase
from dipsat.formats.text_sheet import Entry, head_of, refuse_unreadable
from dipsat.game import PhaseKind, PhaseName, Position, other_power_in
from dipsat.orders import (
    TEXT_FAULTS,
    Build,
    Disband,
    Order,
    OrderLine,
    OrderReader,
    Retreat,
    Waive,
    Words,
    reader_for,
    scan_sheet,
    sign_of,
    unit_alone,
)
from dipsat.rules import Profile, Settings

# --- phases of orders -----------------------------------------------------------------------------

# A heading such as `Retreats:` or `Winter 1901` begins a section. If a power is directly below it,
# the section applies to all powers that follow. If orders are there, it applies only to the power
# above it, and the next power begins with the phase with which that one began. Besides, some orders
# belong to one kind of phase only.


class _Sections:
    """The phases of the lines of a letter."""

    def __init__(self, letter: Letter, phase: PhaseName, is_game: bool) -> None:
        self.letter = letter
        self.waiting = deque(letter.sections)
        self.earliest = None if is_game else phase
        # The phase, the one that dates it, and its heading.
        self.outer = self.current = (phase, phase, "")
        self.inner = 0  # the line of a section for the power above it only
        self.ordered = set[tuple[str, PhaseName]]()

    def phase_of(self, line: OrderLine) -> PhaseName:
        """The phase that the headings above the next line state. Raises `FileError` if they do not
        make it clear."""
        while self.waiting and self.waiting[0].line <= line.line:
            section = self.waiting.popleft()
            is_inner = line.headed <= section.line
            if not is_inner or line.headed > self.inner:
                self.current = self.outer
            self._begin(section)
            self.inner = section.line if is_inner else 0
            self.outer = self.outer if is_inner else self.current
        if self.inner and line.headed > self.inner:
            self._end(line)
        self.ordered.add((line.power, self.current[0]))
        return self.current[0]

    def end(self) -> None:
        """Raise `FileError` for a season without orders below it, unless the text is a game."""
        for section in self.waiting:
            is_second = section.season.letter and not section.season.fits(self.outer[0])
            if is_second and self.earliest is not None:
                problem = f"{section.text!r} is a second phase, and no orders are below it"
                raise FileError(self.letter.at(section.line), problem)

    def _begin(self, section: Section) -> None:
        """Begin a section. Raises `FileError` if orders for it cannot be kept now."""
        base = self.current[1]
        place = self.letter.at(section.line)
        phase = section.season.beside(base)
        if phase is None:
            problem = f"{section.text!r} does not say its phase beside {base}"
            raise FileError(place, f"{problem}; write the season and the year")
        if self.earliest is not None and not may_wait(phase, self.earliest):
            raise other_phase(phase, self.earliest, place)
        self.current = (phase, phase if section.season.letter else base, section.text)

    def _end(self, line: OrderLine) -> None:
        """End the section of a power, at the heading of another one."""
        (inner, dated, _), (outer, base, _) = self.current, self.outer
        is_of_moves = inner.kind is PhaseKind.MOVEMENT and dated != base
        if is_of_moves or (line.power, outer) in self.ordered:
            problem = f"it is not clear whether these orders are of {outer} or of {inner}"
            hint = f"write the phase above '{line.power}:'"
            raise FileError(self.letter.at(line.headed), f"{problem}; {hint}")
        self.current, self.inner = self.outer, 0


_BUILDING = {"build", "builds", "placement"}
_REMOVING = {"destroy", "disband", "disbands", "removals", "remove", "removes"}
_UNCLEAR = "it may belong to the retreats or the builds; write 'Retreats:' or 'Builds:' above it"


def _by_kind(phase: PhaseName, order: Order, text: str) -> PhaseName:
    """The phase of an order, which may be below the heading of another one. Raises
    `OrderSyntaxError` for an order that two phases could have."""
    winter = PhaseName("W", phase.year, PhaseKind.ADJUSTMENT)
    if isinstance(order, Build | Waive):
        return winter
    if phase.kind is not PhaseKind.MOVEMENT:
        return phase
    if not isinstance(order, Retreat | Disband):
        return phase
    words = set(words_of(text))
    if isinstance(order, Disband) and "dislodged" not in words:
        if words & _REMOVING:
            return winter
        if phase.season == "F":
            raise OrderSyntaxError(text, _UNCLEAR)
    return phase.retreats()


def _read(reader: OrderReader, phase: PhaseName, text: str) -> Order | None:
    """The order of a text below the heading of a phase, None for one that cannot be read."""
    with suppress(*TEXT_FAULTS):
        return reader.read(text)
    if phase.kind is PhaseKind.RETREAT:  # its unit is dislodged: `A Gal - War or Ukr`
        with suppress(*TEXT_FAULTS):
            return reader.read(f"if dislodged {text}")
    return None


def _with_verb(
    entry: Entry, reader: OrderReader, words: Collection[str], is_later: bool = True
) -> Entry:
    """Turn a unit alone below words for builds or for removals into an order; any other entry
    stays. In a phase that has begun, a unit below `Builds` stays, too: what its power must do is
    known. Raises `OrderSyntaxError` for a sign that contradicts the words."""
    unit = unit_alone(reader.board, entry.text, reader.words)
    sign = sign_of(entry.text)
    is_built = not _BUILDING.isdisjoint(words)
    if unit is None or is_built != _REMOVING.isdisjoint(words):
        return entry
    if sign and is_built != (sign == "+"):
        does = ("disbands", "builds")[sign == "+"]
        problem = f"{sign!r} {does} the unit, but it is listed under "
        problem += "builds" if is_built else "removals"
        hint = f"write 'Build {unit.text()}' or 'Remove {unit.text()}'"
        raise OrderSyntaxError(entry.text, f"{problem}; {hint}")
    if is_built and not is_later:
        return entry
    return entry._replace(text=f"{'Build' if is_built else 'Remove'} {unit.text()}")


# --- entries --------------------------------------------------------------------------------------


def entries_of(
    letter: Letter,
    board: Map,
    words: Words,
    faults: GatheredFaults,
    phase: PhaseName,
    check: Callable[[PhaseName, Entry, Order | None], object],
    is_game: bool = False,
) -> Iterator[tuple[PhaseName, Entry]]:
    """The orders of a letter with their phases, in the order written; those that no heading dates
    are for the `phase`. An entry without a text says that its power has sent nothing. `check`
    raises what is wrong with an order; it gets None for one that cannot be read.

    Headings that name no power, and orders whose power is not stated, become `faults`. A lenient
    reader accepts only the latter: it must be known who wrote the orders below a misspelt heading.
    Raises `FileError` for a sheet without orders, and for headings that contradict each other.
    """
    sections = _Sections(letter, phase, is_game)
    reader = reader_for(board, words)
    found = 0
    verb: tuple[int, str, PhaseName, Collection[str]] = (0, "", phase, ())
    headings, refused = GatheredFaults(), set[int]()
    with FilePlace(letter.shown):
        for line in scan_sheet(letter.text, board, letter.shown, letter.above, letter.power, words):
            place = f"{letter.at(line.line)}:{line.column}"
            fault = line.fault
            _refuse_sender(letter, line)
            if fault is None:
                found += 1
                named = sections.phase_of(line)
                entry = Entry(line.power, line.text, place)
                at, power, of, said = verb  # as in `Build A Ber, A Mun`
                is_listed = named == of != phase and named.kind is PhaseKind.ADJUSTMENT
                with faults:
                    _refuse_address(letter, line, refused)
                is_after = line.power == power and (line.line == at or is_listed)
                if not (_BUILDING | _REMOVING).isdisjoint(own := set(words_of(line.text))):
                    verb = line.line, line.power, named, own
                with faults, faults.at(place):
                    if named.kind is PhaseKind.ADJUSTMENT:
                        is_later = is_game or named not in (phase, letter.phase)
                        above = words_of(sections.current[2] or letter.title)
                        entry = _with_verb(entry, reader, above, is_later)
                    if is_after:
                        entry = _with_verb(entry, reader, said)
                    order = _read(reader, named, entry.text)
                    if order is not None:
                        named = _by_kind(named, order, entry.text)
                    if line.text:
                        check(named, entry, order)
                yield named, entry
            elif isinstance(fault, OrderSyntaxError):
                with faults, FilePlace(place):
                    raise OrderSyntaxError(fault.text, fault.problem)
            elif faults.lenient:
                with headings:
                    raise FileError(place, str(fault))
            else:
                with faults, FilePlace(place):
                    raise fault
    headings.raise_all()
    sections.end()
    if faults.lenient and not found:
        raise faults.found[0]


def _sender_of(letter: Letter, line: OrderLine) -> Sender | None:
    return next((one for one in reversed(letter.senders) if one.line <= line.line), None)


def _refuse_sender(letter: Letter, line: OrderLine) -> None:
    """Raise `FileError` for an order in a mail from another power, or from an unknown sender."""
    sender = _sender_of(letter, line)
    if sender is None:
        return
    if sender.powers and line.power not in ("", *sender.powers):
        raise other_sender(line.power, sender, letter.at(line.headed or line.line))
    if not sender.power and line.headed < sender.line and not letter.power:
        hint = "write a heading such as 'England:' above the orders"
        problem = f"no player is known as {shortened(sender.text)!r}"
        if sender.powers:
            problem = f"{shortened(sender.text)} plays {' and '.join(sender.powers)}"
        raise FileError(letter.at(sender.line), f"{problem}; {hint}")


def _refuse_address(letter: Letter, line: OrderLine, refused: set[int]) -> None:
    """Raise `FileError`, once for each mail, for an order of a power whose player has another
    address. `refused` has the lines of senders that were refused."""
    sender = _sender_of(letter, line)
    if sender is None or sender.power or sender.line in refused:
        return
    if line.text and line.power in sender.elsewhere and "@" in sender.text:
        refused.add(sender.line)
        problem = f"is from {shortened(sender.text)}, which is not the address of {line.power}"
        raise FileError(letter.at(sender.line), f"{problem}; {DESPITE_SENDER}")


# --- mail -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mail:
    """What a text says about a game: the orders of each phase, and what else it names."""

    orders: Mapping[PhaseName, tuple[Entry, ...]]
    """Phase -> its orders in the order written, the earliest phase first. An `Entry` has the power,
    the text and the place (`mail.txt:7:3`) of an order."""
    silent: Mapping[PhaseName, tuple[str, ...]]
    """Phase -> the powers that have sent nothing, according to the text (`Turkey: none received`,
    `NMR`)."""
    remarks: tuple[str, ...] = ()
    """What was skipped, or taken from the lines around the orders, each with its place."""
    faults: tuple[DipsatError, ...] = ()
    """What cannot be read, if the reader is lenient."""
    doubtful: tuple[str, ...] = ()
    """The remarks, and the skipped sentences, that somebody should look at."""


def mail_of(
    letter: Letter, entries: Iterable[tuple[PhaseName, Entry]], faults: GatheredFaults
) -> Mail:
    """What a letter with these entries says. Raises the faults."""
    found, contradicted = grouped(entries), list[str]()
    faults.raise_all()
    orders, silent = dict[PhaseName, tuple[Entry, ...]](), dict[PhaseName, tuple[str, ...]]()
    for phase in sorted(found):
        sent = tuple(one for one in found[phase] if one.text)
        unsent = [one for one in found[phase] if not one.text]
        given = {one.power for one in sent}
        contradicted += [
            f"{one.place}: says that {one.power} has sent nothing, but it has orders"
            for one in unsent
            if one.power in given
        ]
        powers = tuple(dict.fromkeys(one.power for one in unsent if one.power not in given))
        orders |= {phase: sent} if sent else {}
        silent |= {phase: powers} if powers else {}
    return Mail(
        MappingProxyType(orders), MappingProxyType(silent), (*letter.skipped, *contradicted),
        faults.found, (*letter.doubtful, *contradicted),
    )  # fmt: skip


def refuse_later(reader: OrderReader, phase: PhaseName, entry: Entry, settings: Settings) -> None:
    """Raise what is wrong with an unreadable order for a later phase. A unit alone may be built or
    disbanded: by then it is known whether its power builds or disbands."""
    is_winter = phase.kind is PhaseKind.ADJUSTMENT
    is_unit = is_winter and unit_alone(reader.board, entry.text, reader.words) is not None
    if settings.poorly_written == "refused" and not is_unit:
        reader.read(entry.text)


def read_mail(
    text: str,
    shown: str,
    position: Position,
    rules: Profile,
    senders: Mapping[str, Sequence[str]] = MappingProxyType({}),
    lenient: bool = False,
) -> Mail:
    """Return the orders in a text for a game that is in `position`, including those for later
    phases.

    `shown` names the text in places. `senders` maps the name or e-mail address of a player to
    powers: the `From:` line of a mail then says whose orders follow. A retreat without a season is
    for the phase after the moves in the text; a build without one is for the winter of its year.
    The orders can be read, but need not be legal. A text that is skipped as a whole, such as press,
    has no orders.

    Raises `FileError` or `ProblemsError`, with places, for an order or a heading that cannot be
    read, for a phase before that of the position, for a power other than that of the sender, and
    for orders whose power is not stated. If the reading is `lenient`, an order that cannot be read
    is kept in `faults` instead.
    """
    return letter_and_mail(position, text, shown, rules, senders, lenient)[1]


def letter_and_mail(
    position: Position,
    text: str,
    shown: str,
    rules: Profile,
    senders: Mapping[str, Sequence[str]] = MappingProxyType({}),
    lenient: bool = False,
    takes_all: bool = False,
) -> tuple[Letter, Mail]:
    """The letter of a text, and what `read_mail` returns. A reader that `takes_all` keeps
    unreadable orders without a fault."""
    board, words, faults = position.map, rules.words, GatheredFaults(lenient)
    known = position.with_words(words)
    is_movement = position.phase.kind is PhaseKind.MOVEMENT
    there = {(unit.power, unit.province) for unit in position.units if is_movement}

    def is_idle(phase: PhaseName, entry: Entry) -> bool:
        """Whether an entry is a unit of the position, without an order."""
        unit = unit_alone(board, entry.text, words) if phase == position.phase else None
        return unit is not None and (entry.power, province_of(unit.location)) in there

    def check(phase: PhaseName, entry: Entry, order: Order | None) -> None:
        if takes_all or is_idle(phase, entry):
            return
        if order is None and phase == position.phase:
            refuse_unreadable(known, entry, rules.settings)
        elif order is None:
            refuse_later(known.reader, phase, entry, rules.settings)
        elif problem := other_power_in(order, entry.power):
            raise OrderSyntaxError(entry.text, problem)

    text, said, unread = plain_text(text, shown)
    letter = letter_of(head_of(text, shown)[1], shown, board, words, position.phase, senders)
    letter = replace(
        letter, skipped=(*said, *unread, *letter.skipped), doubtful=(*unread, *letter.doubtful)
    )
    for place, sentence in letter.revoking:
        with faults:
            problem = f"{shortened(sentence)!r} may change the orders"
            raise FileError(place, f"{problem}; write what it means as orders, or delete it")
    phase = letter.phase or position.phase
    if letter.is_empty:
        return letter, mail_of(letter, (), faults)
    entries = tuple(entries_of(letter, board, words, faults, phase, check))
    idle = [one for of, one in entries if is_idle(of, one)]
    mail = mail_of(letter, (one for one in entries if not is_idle(*one)), faults)
    ordered = {(one.power, about(position, one.text)) for one in mail.orders.get(phase, ())}
    twice = tuple(
        f"{one.place}: {one.text!r} is not an order of that unit, which has another one"
        for one in idle
        if (one.power, about(position, f"{one.text} H")) in ordered
    )
    twice += tuple(_torn(known.reader, mail))
    return letter, replace(mail, remarks=(*mail.remarks, *twice), doubtful=(*mail.doubtful, *twice))


_DOES = {Build: "+", Disband: "-"}


def _torn(reader: OrderReader, mail: Mail) -> Iterator[str]:
    """Remarks on powers that both build and disband in one winter."""
    for phase, entries in mail.orders.items():
        first = dict[str, tuple[str, Entry]]()
        for one in entries if phase.kind is PhaseKind.ADJUSTMENT else ():
            does = _DOES.get(type(_read(reader, phase, one.text)), sign_of(one.text))
            before, earlier = first.setdefault(one.power, (does, one)) if does else ("", one)
            if does != before:
                problem = f"{earlier.text!r} and {one.text!r} are for the same winter"
                yield f"{one.place}: {problem}, but no power both builds and disbands"
