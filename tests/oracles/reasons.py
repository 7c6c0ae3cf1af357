"""`python -m tests reasons`: check the printed reasons of very many orders against the board.

`tests/oracles/reason_checker.py` reads each sentence as a player would, and checks it by counting
on the board. The boards are random ones of all phases under every shipped profile and on every map,
the DATC cases, and the recorded games. A third of the random orders are impossible, strange, badly
named, of another phase, or given twice. The same seed gives the same boards. A false sentence, or
one that the checker cannot read, ends the run with status 1.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from random import Random
from typing import NamedTuple, TypeAlias

import dipsat
from dipsat.formats import load_cases
from dipsat.game import PhaseKind, legal_orders
from dipsat.orders import Waive, write_order
from dipsat.rules import shipped_names, short_name
from dipsat.studies.random_boards import trial_board
from tests.oracles.reason_checker import Falsehood, falsehoods
from tests.recorded import GAMES

Orders: TypeAlias = Mapping[str, Sequence[str]]
_SIZES = (6, 12, 24, 34)
"""The most units of a random board; each value is equally likely."""
_SPOILT = 0.33
"""The share of orders that are changed on every second board."""


class Phase(NamedTuple):
    """A position, its orders, and the rules and the engine to judge them by."""

    position: dipsat.Position
    orders: Orders
    rules: dipsat.Profile
    engine: str = "solver"


# --- random boards ------------------------------------------------------------------------------


def random_phases(rules: dipsat.Profile, map: str | dipsat.Map, seed: int) -> Iterator[Phase]:
    """The random phases with this seed: a movement phase and those that follow until the next one,
    retreat phases with many dislodged units, and an adjustment phase."""
    random = Random(f"reasons {rules.name} {seed}")
    sheet = trial_board(rules, dipsat.load_map(map), seed, random.choice(_SIZES))
    position = sheet.position()
    phase = Phase(position, _spoilt(position, sheet.orders, random, seed % 2), rules)
    yield phase
    yield from _following(phase, random, seed % 2)
    if position.phase.kind is PhaseKind.MOVEMENT:
        for make in (_retreats, _retreats, _winter):
            later = make(position, rules, random)
            phase = Phase(later, _later_orders(later, rules, random, seed % 2), rules)
            yield phase


def _following(phase: Phase, random: Random, is_spoilt: int) -> Iterator[Phase]:
    """The phases between a movement phase and the next one."""
    for _ in range(3):
        with suppress(dipsat.DipsatError):  # rules can make boards impossible
            position = outcome_of(phase).next
            if position.phase.kind in (PhaseKind.RETREAT, PhaseKind.ADJUSTMENT):
                orders = _later_orders(position, phase.rules, random, is_spoilt)
                phase = Phase(position, orders, phase.rules)
                yield phase
                continue
        return


def _retreats(position: dipsat.Position, rules: dipsat.Profile, random: Random) -> dipsat.Position:
    """The position with a second, dislodged unit in about half of the provinces with a unit."""
    powers = sorted({unit.power for unit in position.units} | {*list(position.map.powers)[:2]})
    names = [str(unit).rpartition(f"{unit.kind} ")[0] for unit in position.units]  # attributes
    lost: dict[str, list[str]] = {}
    for unit in position.units:
        other = random.choice([power for power in powers if power != unit.power])
        if random.random() < 0.5:
            lost.setdefault(other, []).append(f"{random.choice(names)}{unit.kind} {unit.location}")
    phase = f"{random.choice('SF')}{position.phase.year}R"
    return dipsat.Position.from_units(
        _by_power(position), position.map, phase, position.centers, lost, rules
    )


def _winter(position: dipsat.Position, rules: dipsat.Profile, random: Random) -> dipsat.Position:
    """The position in winter, with some of the units and other owners of centres."""
    kept = {
        power: [text for text in texts if random.random() < 0.6]
        for power, texts in _by_power(position).items()
    }
    powers = [*list(position.map.powers)[:7], *kept, ""]
    owned: dict[str, list[str]] = {}
    for code in sorted(position.map.centers):
        homes = [*position.map.homes.get(code, ()), *powers]
        owner = random.choice(homes if random.random() < 0.5 else powers)
        if owner:
            owned.setdefault(owner, []).append(code)
    phase = f"W{position.phase.year}A"
    return dipsat.Position.from_units(kept, position.map, phase, owned, rules=rules)


def _by_power(position: dipsat.Position) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for unit in position.units:
        found.setdefault(unit.power, []).append(str(unit))
    return found


def _later_orders(
    position: dipsat.Position, rules: dipsat.Profile, random: Random, is_spoilt: int
) -> Orders:
    """Random orders for a retreat or adjustment phase; retreats prefer provinces to which others
    can retreat too."""
    owners = {str(one.unit): one.unit.power for one in position.dislodged}
    owners |= {str(unit): unit.power for unit in position.units if not position.dislodged}
    owners |= {code: power for power, codes in position.centers.items() for code in codes}
    wished = Counter(place for one in position.dislodged for place in one.retreats)
    found: dict[str, list[str]] = {}
    for key, legal in legal_orders(position, rules.settings).items():
        if random.random() < 0.1:
            continue
        texts = [write_order(order, position.map) for order in legal]
        texts.sort(key=lambda text: -wished[text.rpartition(" ")[2]])
        text = random.choice(texts[: random.choice((1, 2, len(texts)))])
        power = owners.get(key) or random.choice(sorted(position.map.powers))
        found.setdefault(power, []).append(text)
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        for power in sorted({*found, *position.centers}):
            while random.random() < 0.3:
                texts = [write_order(Waive(), position.map), _build(position, random)]
                found.setdefault(power, []).append(random.choice(texts))
    return _spoilt(position, found, random, is_spoilt)


def _build(position: dipsat.Position, random: Random) -> str:
    kind = random.choice(("A ", "F ", ""))
    return f"{kind}{random.choice(sorted(position.map.locations))} B"


def _spoilt(
    position: dipsat.Position, orders: Orders, random: Random, is_spoilt: int
) -> dict[str, list[str]]:
    """The orders, a third of them changed."""
    found = {power: list(texts) for power, texts in orders.items()}
    units = [str(unit) for unit in position.units]
    units += [str(one.unit) for one in position.dislodged]
    if not is_spoilt or not units:
        return found
    for power, texts in found.items():
        for at, text in enumerate(texts):
            if random.random() < _SPOILT:
                texts[at] = _strange(position, text, units, random)
        if texts and random.random() < 0.3:
            texts.append(_strange(position, random.choice(texts), units, random))
        if random.random() < 0.1:
            found[power] = texts[: len(texts) // 2]
    return found


def _strange(position: dipsat.Position, text: str, units: Sequence[str], random: Random) -> str:
    """An order of any kind, for the unit of another order or for any unit, with any place."""
    places, unit = sorted(position.map.locations), " ".join(text.split()[:2])
    chance = random.random()
    if chance < 0.15:
        unit = random.choice(units)
    elif chance < 0.2:
        unit = f"{random.choice('AF')} {random.choice(places)}"
    elif chance < 0.3:  # of another kind, of no kind, on another coast
        kind, _, place = unit.partition(" ")
        named = (f"{'F' if kind == 'A' else 'A'} {place}", place, f"{kind} {place[:3]}/NC")
        unit = random.choice(named)
    other = random.choice(units) if random.random() < 0.8 else f"A {random.choice(places)}"
    place, there = random.choice(places), random.choice(places)
    near = sorted(position.map.reach_provinces(*_of(random.choice(position.units))))
    if near and random.random() < 0.5:
        place = random.choice(near)
    return random.choice((
        f"{unit} - {place}", f"{unit} - {place} VIA", f"{unit} S {other}", f"{unit} H",
        f"{unit} S {other} - {place}", f"{unit} C {other} - {place}", f"{unit} S {unit}",
        f"{unit} - {there} - {place}", f"{unit} R {place}", f"{unit} D", f"{unit} B", "WAIVE",
    ))  # fmt: skip


def _of(unit: dipsat.Unit) -> tuple[dipsat.UnitKind, str]:
    return unit.kind, unit.location


# --- other boards -------------------------------------------------------------------------------


def case_phases(
    rules: dipsat.Profile | None = None, first: int = 0, every: int = 1
) -> Iterator[Phase]:
    """One in `every` DATC cases under these rules; those of variants only under their own. A
    retreat phase follows where a case has one."""
    for case in load_cases(older=True, variants=True)[first::every]:
        own = dipsat.load_profile(case.rules) if case.rules else None
        if own is not None and rules is not None and own.name != rules.name:
            continue
        phase = Phase(case.position, case.orders, own or rules or dipsat.load_profile("datc"))
        yield phase
        with suppress(dipsat.DipsatError):  # the map may be for other rules
            position = outcome_of(phase).next
            if position.dislodged:
                yield Phase(position, case.retreat_orders or {}, phase.rules)


def judged_by(engine: str, phases: Iterable[Phase]) -> Iterator[Phase]:
    """The movement phases among these, for another engine to judge."""
    for phase in phases:
        if phase.position.phase.kind is PhaseKind.MOVEMENT:
            yield phase._replace(engine=engine)


def recorded_phases(every: int = 1) -> Iterator[Phase]:
    """One in `every` recorded phases; none if the games are not beside the checkout."""
    if not GAMES.is_file():
        return
    rules = dipsat.load_profile("datc")
    with gzip.open(GAMES, "rt", encoding="utf-8") as lines:
        for at, line in enumerate(lines):
            if at % every:
                continue
            one = json.loads(line)
            lost = one.get("dislodged") or {}
            options = one.get("retreat_options") or {}
            given = {
                power: {text: options.get(text, ()) for text in texts} if options else texts
                for power, texts in lost.items()
            }
            with suppress(dipsat.DipsatError):  # what other programs recorded may be impossible
                yield Phase(
                    dipsat.Position.from_units(
                        one["units"], "standard", one["phase"], one.get("centers"), given
                    ),
                    one["orders"],
                    rules,
                )


def outcome_of(phase: Phase) -> dipsat.Outcome:
    """The outcome of a phase. An order that cannot be read makes its unit hold."""
    return dipsat.adjudicate(
        phase.position, phase.orders, phase.rules, engine=phase.engine, lenient=True
    )


# --- checking -----------------------------------------------------------------------------------


class Tally:
    """How many orders were checked, and the sentences that are false."""

    def __init__(self) -> None:
        self.phases: Counter[str] = Counter()
        self.orders = 0
        self.false: list[tuple[str, Falsehood]] = []

    def check(self, phases: Iterable[Phase]) -> None:
        """Check every reason of some phases. Those that cannot be judged are left out."""
        for phase in phases:
            with suppress(dipsat.DipsatError):
                outcome = outcome_of(phase)
                kind = outcome.position.phase.kind.name.lower()
                where = f"{phase.rules.name}, {outcome.map}, {outcome.position.phase}"
                self.false += [(f"{where}, {phase.engine}", one) for one in falsehoods(outcome)]
                self.phases[kind] += 1
                self.orders += len(outcome.orders)


def parts(given: argparse.Namespace) -> Iterator[tuple[str, Iterable[Phase]]]:
    """The boards to check, each set with a name."""
    seeds = range(given.seed * 1_000_000, given.seed * 1_000_000 + given.each)
    for name in shipped_names():
        if given.only in name:
            rules = dipsat.load_profile(short_name(name, shipped_names()))
            board = rules.map or "standard"
            phases = (one for seed in seeds for one in random_phases(rules, board, seed))
            yield name, phases
            yield f"{name}, DATC", case_phases(rules)
    datc = dipsat.load_profile("datc")
    for name in dipsat.map_names():
        if given.only in name and dipsat.load_map(name).powers:
            yield (
                f"map {name}",
                (one for seed in seeds for one in random_phases(datc, name, seed)),
            )
    for name, engine in (
        ("datc", "dpjudge"), ("judges/dpjudge", "dpjudge"), ("rulebooks/1982", "dip_eval")
    ):  # fmt: skip
        rules = dipsat.load_profile(name)
        made = (one for seed in seeds for one in random_phases(rules, "standard", seed))
        if given.only in f"{name}, {engine}":
            yield f"{name}, {engine}", judged_by(engine, chain(case_phases(rules), made))
    if given.only in "recorded games":
        yield "recorded games", recorded_phases()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tests reasons", description=__doc__)
    parser.add_argument("--each", type=int, default=20, help="seeds for each profile and map (20)")
    parser.add_argument("--seed", type=int, default=0, help="other seeds, other boards (0)")
    parser.add_argument("--only", default="", help="only rules and maps with this in their name")
    given = parser.parse_args(arguments)
    tally, start = Tally(), time.process_time()
    for name, phases in parts(given):
        before = len(tally.false)
        tally.check(phases)
        for where, one in tally.false[before:][:20]:
            print(f"{where}\n  {one.order}\n  {one.sentence}\n  {one.why}", flush=True)
        print(f"{name}: {tally.orders:,} orders so far", file=sys.stderr, flush=True)
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in sorted(tally.phases.items()))
    print(f"{tally.orders:,} orders of {sum(tally.phases.values()):,} phases ({kinds}):")
    print(f"{len(tally.false)} false sentences; {time.process_time() - start:.0f} s of CPU")
    sys.exit(1 if tally.false else 0)
