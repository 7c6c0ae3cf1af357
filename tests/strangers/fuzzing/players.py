"""What players and game masters type and paste: e-mails, lenient sheets, lines of a game."""

from __future__ import annotations

import random
import re
from functools import cache

import dipsat
from dipsat.board import words_of
from dipsat.formats import Session, carry_out, parse_phase_text
from dipsat.formats.letter import letter_of
from dipsat.formats.phase_file import orders_for
from dipsat.formats.season import heading
from dipsat.formats.session import COMMANDS
from dipsat.orders import NO_WORDS, TEXT_FAULTS, parts_of
from tests.strangers.fuzzing.readers import DATC, START
from tests.strangers.fuzzing.uses import UntrueError, use_phase

_ORDERS = (
    "F Bre - MAO", "A Par - Bur", "> A Mar S A Par - Bur", "1. A Mar H;", "A Pic - Bur (bounced)",
    "The army at Kiel moves to Denmark.", "F Kie - Hol, A Ber - Kie, A Mun H", "Par - Bur, Mar H",
    "A Lon - Nwy via convoy // safe", "F Nth C, A Lon - Nwy", "A Tyr S A Vie - Tri [cut]",
    "F StP(sc) - Bot", "A Gas H", "A Ven - Tri", "F Nap - Ion", "A Rom - Apu", "F Lon - Nth",
)  # fmt: skip
_ODD = ("( FRA AMY PAR ) HLD", "A Rom", "A Venn - Pidmont", "Build A Paris", "WAIVE", "A Mnu H")
_AROUND = (
    "From: Bob <bob@example.org>", "To: gm@example.org,", "Subject: Re: France, Spring 1901",
    "Date: Mon, 3 Jan 2022 10:00", "Hi all,", "Dear GM,", "here are my orders:", "Cheers,", "Bob",
    "-- ", "On 3 Jan Bob wrote:", "I hope you are well.", "Orders for Germany:", "---", "",
    "Retreats, if needed:", "Winter 1901: Build A Par", "Builds: none", "Deadline: 3 Mar - 20:00",
    "Turkey: none received", "If dislodged, A Bur R Gas, Pic", "Ownership of supply centers:",
    "France: Brest, Paris,", "Marseilles.", "The French army in Paris can retreat to Gascony or",
    "Press: England to all: A Lon - Nth?", "Fall 1901 Movement", "Bob", "ENGLAND - Bob",
    "France, Spring 1901, sorry for the delay:", "<p>A Par H</p>", "A Mar H=20",
)  # fmt: skip
_HEADINGS = ("France:", "GERMANY", "**Italy** (Eve)", "Eng:", "> Austria:", "R: A War H")
_TYPED = (
    *(one for one in COMMANDS if not one.startswith(("save", "read"))),
    "France", "FRANCE: A PAR - BUR, A MAR S A PAR - BUR", "A Par - Bur", "F Bre - MAO # west",
    "why A PAR", "legal A MAR", "clear FRANCE", "clear A PAR", "advance", "advance", "undo",
    "Build A Paris", "A Rom", "Mun - Ruh, Ber - Kie", "next", "why A PAR - BUR",
)  # fmt: skip
_PLACE = re.compile(r"a\.txt:(\d+)(?:-(\d+))?: (?:skipped|['\"].*['\"] is read)")
_FILES = ("save", "read")  # commands that use files
_STEPS = 12  # lines of a game that are typed


def made_letter(rng: random.Random) -> str:
    """An e-mail, or another sheet that somebody pasted."""
    lines = [*rng.choices(_AROUND, k=rng.randrange(6)), rng.choice(_HEADINGS)]
    for order in rng.sample(_ORDERS, k=rng.randrange(1, 6)):
        lines += (order, *rng.choices(_AROUND, k=rng.randrange(2)))
    lines += rng.choices((*_ODD, *_HEADINGS), k=rng.random() < 0.2)
    return "\n".join((*lines, *rng.choices(_AROUND, k=rng.randrange(5))))


def made_lines(rng: random.Random) -> str:
    """Lines of a game; the first one chooses the game."""
    lines = rng.choices((*_TYPED, *_ORDERS, *_ODD), k=rng.randrange(1, _STEPS))
    return "\n".join((str(rng.randrange(len(games()))), *lines))


def letters() -> list[str]:
    """Some e-mails."""
    return [made_letter(random.Random(seed)) for seed in range(40)]


def lines() -> list[str]:
    """Some games at the keyboard."""
    return [made_lines(random.Random(seed)) for seed in range(40)]


def read_pasted(text: str) -> None:
    """An e-mail: no order in it is skipped, and what is skipped is noted."""
    letter = letter_of(text, "a.txt", START.map, NO_WORDS)
    noted, quoted = set[int](), set[int]()
    for one in letter.skipped:
        if place := _PLACE.match(one):
            lines = range(int(place[1]), int(place[2] or place[1]) + 1)
            (quoted if "of an older mail" in one else noted).update(lines)
    noted |= {one.line for one in letter.sections}
    pairs = zip(text.splitlines(), letter.text.split("\n"), strict=False)
    for at, (line, kept) in enumerate(pairs):
        if at + 1 in quoted or heading(line) is not None:
            continue
        if kept.strip() or letter.place == f"a.txt:{at + 1}":  # which states the phase
            orders = {part for _, part in parts_of(line, _is_order) if _is_order(part)}
            if not orders <= {part for _, part in parts_of(kept, _is_order)}:
                raise UntrueError(f"an order is changed: {line!r}")
            continue
        if at + 1 not in noted and words_of(line):
            raise UntrueError(f"skipped without a word: {line!r}")
        if any(_is_order(part) for _, part in parts_of(line, _is_order)):
            raise UntrueError(f"an order is skipped: {line!r}")
    found = parse_phase_text(text, "a.txt")
    use_phase(found.position, found.orders, found.rules or DATC, random.Random(len(text)))


def _is_order(text: str) -> bool:
    try:
        START.reader.read(text)
    except TEXT_FAULTS:
        return False
    return True


def read_leniently(text: str) -> None:
    """A sheet with faults, for a position of its own and for the first one."""
    apart = orders_for(START, text, "a.txt", DATC, lenient=True)
    dipsat.adjudicate(START, apart.orders, DATC, lenient=True).to_dict()
    found = parse_phase_text(text, "a.txt", lenient=True)
    outcome = dipsat.adjudicate(found.position, found.orders, found.rules or DATC, lenient=True)
    outcome.to_dict()
    given = sum(len(tuple(texts)) for texts in found.orders.values())
    if len([one for one in outcome.orders if one.submitted]) < given:
        raise UntrueError("an order has no answer")


@cache
def games() -> tuple[dipsat.Game, ...]:
    """Games in which lines are typed: in spring, in a retreat phase, in winter, of a variant."""
    units = {"ITALY": ["A VEN"], "FRANCE": ["A PAR", "A MAR", "A BUR"]}
    centers = {"ITALY": ["ROM", "VEN", "NAP"], "FRANCE": ["PAR", "MAR"]}
    winter = dipsat.Position.from_units(units, phase="W1901A", centers=centers)
    lost = {"GERMANY": {"A MUN": ["RUH", "TYR"]}}
    retreats = dipsat.Position.from_units({"FRANCE": ["A PAR"]}, phase="F1901R", dislodged=lost)
    return (dipsat.Game.new(), *map(dipsat.Game, (retreats, winter)), dipsat.Game.new("arpiesse"))


def play_lines(text: str) -> None:
    """Lines that someone types in a game, without those that use files. A line that is refused
    changes nothing."""
    head, _, rest = text.partition("\n")
    number = int(head) if head.isdecimal() and len(head) < 9 else 0
    session, done, error = Session.of(games()[number % len(games())]), 0, None
    for line in rest.split("\n")[:_STEPS]:
        if line.strip().casefold().startswith(_FILES):
            continue
        before = session.game.orders, len(session.past)
        try:
            reply = carry_out(session, line)
        except dipsat.DipsatError as refused:
            error = refused
            if before != (session.game.orders, len(session.past)):
                raise UntrueError(f"{line!r} is refused and changes the game") from None
            continue
        session, done = reply.session, done + 1
        if reply.explained is not None:
            dipsat.explain(*reply.explained).to_dict()
    if error is not None and not done:
        raise error
