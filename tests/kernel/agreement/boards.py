"""Boards for comparing: random ones, some of them spoilt, DATC cases, and recorded phases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import TypeAlias

import dipsat
from dipsat.formats import load_cases
from dipsat.game import PhaseKind
from dipsat.kernel import Batch
from dipsat.orders.order import value_texts
from dipsat.studies import random_board
from dipsat.studies.random_boards import trial_board
from tests.kernel.agreement.compare import Board
from tests.recorded import GAMES, GAMES_RECORDED, recorded_phases

_Texts: TypeAlias = tuple[dipsat.Position, Mapping[str, Sequence[str]]]
SIZES = ((3, 12), (12, 24), (20, 40), (20, 40))
"""The fewest and the most units of random boards; each pair is equally likely."""
SPOILT = 0.2
"""The share of boards with orders that are impossible, missing, strange, or given twice."""


def random_boards(batch: Batch, seeds: Iterable[int], large: bool = False) -> Iterator[Board]:
    """Random movement phases for the rules and the map of a batch. Every second has owners, marks
    and orders that the rules declare; about a fifth are spoilt. With `large`, every third has as
    many units as compiled code has room for, and every twelfth has more."""
    for seed in seeds:
        random = Random(f"agreement {seed}")
        count = random.randint(*random.choice(SIZES))
        if large and seed % 3 == 0:
            count = batch.numbers.most_units + 20 * (seed % 12 == 0)
        made = _of_rules(batch, seed, count) if seed % 2 else tense_board(batch, seed, count)
        if made is None:
            continue
        position, orders = made
        if random.random() < SPOILT:
            orders = spoilt(position, orders, random)
        yield position, orders


def _of_rules(batch: Batch, seed: int, count: int) -> _Texts | None:
    """None if the board is in a phase that rules have added, in which nothing moves."""
    sheet = trial_board(batch.rules, batch.map, seed, count)
    position = sheet.position()
    return (position, sheet.orders) if position.phase.kind is PhaseKind.MOVEMENT else None


def tense_board(batch: Batch, seed: int, units: int) -> _Texts:
    """The random board with this seed, in spring or in fall, with random attributes of units."""
    board, random = random_board(seed, units, batch.map), Random(f"{seed} of agreement")
    known = batch.numbers.attributes

    def valued(unit: str) -> str:
        values = tuple((name, random.choice(values)) for name, values in known.items())
        return " ".join((*value_texts(values), unit))

    placed = {power: [*map(valued, texts)] for power, texts in board.units.items()}
    phase = f"{random.choice('SF')}{dipsat.Position.start(batch.map).phase.year}M"
    # Nobody owns a centre: rules that ask for owners leave boards with unknown owners uncoded.
    position = dipsat.Position.from_units(
        placed, batch.map, phase, rules=batch.rules, unknown_centers=()
    )
    return position, board.orders


def spoilt(
    position: dipsat.Position, orders: Mapping[str, Sequence[str]], random: Random
) -> Mapping[str, Sequence[str]]:
    """The orders with one to six changes: an order is lost, impossible, strange, or given twice (by
    the same power or by another)."""
    found = {power: list(texts) for power, texts in orders.items()}
    units = [str(unit) for unit in position.units]
    places = sorted(position.map.provinces)
    many = random.random() < 0.1
    for _ in range(random.randint(1, 6)):
        power = random.choice(sorted(found) or [""])
        if not found.get(power) or not units:
            break
        at = random.randrange(len(found[power]))
        unit = " ".join(found[power][at].split()[:2])
        if unit.split()[0] not in ("A", "F"):  # with attributes, or of a declared kind
            continue
        other, place = random.choice(units), random.choice(places)
        texts = (
            f"{unit} - {place}", f"{unit} - {place} VIA", f"{unit} S {other}", f"{unit} H",
            f"{unit} S {other} - {place}", f"{unit} C {other} - {place}", f"{unit} S {unit}",
            f"{unit} C {unit} - {place}",
        )  # fmt: skip
        chosen = random.choice(texts)
        if many and random.random() < 0.5:
            found[random.choice(sorted(found))].append(chosen)  # twice, or for another power
        elif random.random() < 0.15:
            del found[power][at]
        else:
            found[power][at] = chosen
    return found


def case_boards(batch: Batch) -> Iterator[Board]:
    """The movement phases of the DATC cases on the map of a batch: those of variants only under
    their own rules."""
    own = batch.rules.name.rpartition("/")[2]
    for case in load_cases(older=True, variants=True):
        is_here = case.position.map.name == batch.map.name and case.rules in ("", own)
        if is_here and case.position.phase.kind is PhaseKind.MOVEMENT:
            yield case.position, case.orders


def recorded_boards() -> Iterator[Board]:
    """The recorded movement phases of people, none if they are not beside the checkout."""
    for one in recorded_phases(GAMES_RECORDED) if GAMES.is_file() else ():
        if one["phase"].endswith("M"):
            yield (
                dipsat.Position.from_units(
                    one["units"], "standard", one["phase"], one.get("centers")
                ),
                one["orders"],
            )
