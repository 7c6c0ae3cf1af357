"""The games of tools/small_games, against dipsat's adjudicator, search for lines and prover of
plans."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import dipsat
from dipsat import kernel, searches
from dipsat.board import parse_map
from dipsat.searches import parse_line
from tests.exhaustive import exhaustive, parts_of
from tools.small_games.armies import adjudicate, retreats
from tools.small_games.falls import Choice, Falls
from tools.small_games.games import Games, games_of
from tools.small_games.graphs import Borders, maps, members, subsets
from tools.small_games.phases import Orders, Phases
from tools.small_games.questions import answers, gains_of_retreats

CODES = ("AAA", "BBB", "CCC", "DDD", "EEE", "FFF")


def map_text(borders: Borders) -> str:
    heads = ["name: small", "powers: {OWN: {}, ENEMY: {}}", "provinces:"]
    rows = [
        f"  {CODES[at]}: {{name: {CODES[at].title()}, type: land, army: {_listed(near)}}}"
        for at, near in enumerate(borders)
    ]
    return "\n".join([*heads, *rows, ""])


@cache
def board_of(borders: Borders) -> dipsat.Map:
    return parse_map(map_text(borders), "small.yaml")


def _listed(provinces: int) -> str:
    return f"[{', '.join(CODES[at] for at in members(provinces))}]"


def texts(armies: int, orders: Orders) -> dict[str, str]:
    """Army -> its order."""
    moves, supports = orders
    found = {}
    for at in members(armies):
        unit = f"A {CODES[at]}"
        found[unit] = f"{unit} H"
        if at in moves:
            found[unit] = f"{unit} - {CODES[moves[at]]}"
        elif at in supports:
            start, to = supports[at]
            way = f" - {CODES[to]}" if start != to else ""
            found[unit] = f"{unit} S A {CODES[start]}{way}"
    return found


def some_orders(dice: random.Random, borders: Borders, armies: int) -> Orders:
    """Orders of both sides; many go to a few provinces."""
    crowded = dice.sample(range(len(borders)), 2)
    moves = {}
    for at in members(armies):
        near = members(borders[at])
        aims = [to for to in crowded if to in near]
        if dice.random() < 0.6:
            moves[at] = dice.choice(aims if aims and dice.random() < 0.6 else near)
    supports = {}
    for at in members(armies):
        ways = [(a, moves.get(a, a)) for a in members(armies) if a != at]
        ways = [(a, to) for a, to in ways if borders[at] >> to & 1]
        if at not in moves and ways:
            supports[at] = dice.choice(ways)
    return moves, supports


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(1000), 30))
def test_outcomes_of_armies_are_those_of_dipsat(seeds: range) -> None:
    dense = maps(6)[-1]
    for borders in (dense, maps(6)[40]):
        batch, boards, cases = kernel.Batch(map=board_of(borders)), [], []
        for seed in seeds:
            dice = random.Random(seed)
            own = sum(1 << at for at in range(6) if dice.random() < 0.5)
            enemy = sum(1 << at for at in members(63 & ~own) if dice.random() < 0.8)
            orders = some_orders(dice, borders, own | enemy)
            sides = {"OWN": texts(own, orders), "ENEMY": texts(enemy, orders)}
            cases.append((own, enemy, orders))
            boards.append((
                {power: list(some) for power, some in sides.items()},
                {power: list(some.values()) for power, some in sides.items()},
            ))  # fmt: skip
        result = batch.adjudicate(batch.encode(boards))
        for at, (own, enemy, (moves, supports)) in enumerate(cases):
            ended = adjudicate(own, enemy, moves, supports)
            verdicts = result.verdicts(at)
            assert {one for one in moves if verdicts[f"A {CODES[one]}"] == "succeeds"} == set(
                ended.succeeded
            ), boards[at]
            fled = {
                f"A {CODES[one]}": sorted(CODES[to] for to in members(ways))
                for one, ways in retreats(ended, own | enemy, borders)
            }
            assert {one.unit: sorted(one.retreats) for one in result.dislodged(at)} == fled


def search_fewest(borders: Borders, closed: int, sorties: bool = False) -> int | None:
    everywhere = (1 << len(borders)) - 1
    protect, outside = (
        tuple(CODES[at] for at in members(some)) for some in (closed, everywhere & ~closed)
    )
    asked = searches.Lines(
        protect=protect, outside=outside, power="OWN", sorties=sorties, map=board_of(borders)
    )
    found = dipsat.search(asked)
    assert found.verdict != "unknown"
    return found.fewest


@exhaustive
@pytest.mark.parametrize("cases", parts_of([(4, 3), (4, 5), (5, 10)], 1))
def test_lines_that_hold_are_those_of_the_search(cases: list[tuple[int, int]]) -> None:
    for size, at in cases:
        borders = maps(size)[at]
        games = {armies: games_of(borders, armies) for armies in (1, 2, 3)}
        for closed in range(1, (1 << size) - 1):
            fewest = next((some for some, one in games.items() if closed in one.lines), None)
            found = search_fewest(borders, closed)
            assert fewest == (found if found is not None and found <= 3 else None), (size, at)


def result_of(
    folder: Path,
    borders: Borders,
    phases: Phases,
    closed: int,
    plan: Mapping[int, Choice],
) -> searches.HoldResult:
    """The result of dipsat for a plan: the number of the orders and the retreats in each state."""
    entered, rows = 0, list[str]()
    for own, (number, fled) in plan.items():
        entered |= own
        orders = texts(own, list(phases.orders(own, {}))[number])
        lists = {
            "units": orders,
            "orders": orders.values(),
            "retreats": [f"A {CODES[at]} R {CODES[to]}" for at, to in fled],
        }
        row = (f"{key}: [{', '.join(some)}]" for key, some in lists.items() if some)
        rows.append(f"  - {{{', '.join(row)}}}")
    (folder / "small.yaml").write_text(map_text(borders), encoding="utf-8")
    heads = ["map: small.yaml", "power: OWN", f"protect: {_listed(closed)}", "behind: []"]
    heads += [f"outposts: {_listed(entered & ~closed)}"] if entered & ~closed else []
    text = "\n".join([*heads, "states:", *rows, ""])
    return searches.hold_line(parse_line(text, str(folder / "plan.yaml")))


def without_retreats(plan: Mapping[int, int]) -> Mapping[int, Choice]:
    return {own: (number, ()) for own, number in plan.items()}


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(6), 2))
def test_plans_hold_if_dipsat_proves_them(seeds: range, tmp_path: Path) -> None:
    """Plans of the games, and some of their states with other orders in one."""
    verdicts = set[str]()
    for seed in seeds:
        dice = random.Random(seed)
        borders = dice.choice((*maps(4)[-2:], *maps(5)) if len(seeds) > 2 else maps(4)[-2:])
        games = some_games(borders, dice.choice((2, 2, 3)))
        found = {at: plan for at, plan in games.plans.items() if plan and at}
        closed = dice.choice([at for at in found if at != games.phases.everywhere])
        plan = dict(found[closed])
        asked = tmp_path, borders, games.phases, closed
        assert result_of(*asked, without_retreats(plan)).verdict == "holds", seed
        plan = {own: plan[own] for own in dice.sample([*plan], (len(plan) + 1) // 2)}
        changed = dice.choice([*plan])
        plan[changed] = dice.randrange(len(games.phases.results[changed]))
        verdict = result_of(*asked, without_retreats(plan)).verdict
        assert verdict == ("holds" if games.plan_holds(closed, plan) else "breaks"), seed
        verdicts.add(verdict)
    assert "breaks" in verdicts


@cache
def some_falls(borders: Borders, armies: int) -> Falls:
    return Falls(some_games(borders, armies).phases)


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(24), 5))
def test_plans_with_retreats_hold_if_dipsat_proves_them(seeds: range, tmp_path: Path) -> None:
    """Plans of the games with retreats, and some of their states with other orders and retreats in
    one or two."""
    verdicts = set[str]()
    for seed in seeds:
        dice = random.Random(seed)
        borders = dice.choice((*maps(4), *maps(5)) if len(seeds) > 11 else maps(4))
        falls = some_falls(borders, 2)
        closed = dice.randrange(1, falls.phases.everywhere)
        plan = dict(falls.plan(closed))
        if not plan:
            continue
        asked = tmp_path, borders, falls.phases, closed
        assert result_of(*asked, plan).verdict == "holds", seed
        for _ in range(3):
            changed = {at: plan[at] for at in dice.sample([*plan], dice.randint(1, len(plan)))}
            for own in dice.sample([*changed], min(len(changed), 2)):
                changed[own] = dice.choice([*falls.choices(own, closed)])
            found = result_of(*asked, changed).verdict
            assert found == ("holds" if falls.holds(closed, changed) else "breaks"), seed
            verdicts.add(found)
    assert verdicts == {"holds", "breaks"}


@exhaustive
@pytest.mark.parametrize("boards", parts_of([*reversed(maps(4)), *maps(5)[:4]], 2))
def test_units_built_where_no_unit_of_a_plan_goes_change_nothing(
    boards: list[Borders], tmp_path: Path
) -> None:
    """The answer names the provinces; the games with the army there agree."""
    built = 0
    for borders in boards:
        falls, more = some_falls(borders, 2), some_falls(borders, 3)
        numbers = {own: [*more.phases.orders(own, {})] for own in more.phases.places}
        for closed in range(1, falls.phases.everywhere):
            plan = falls.plan(closed)
            if not plan:
                continue
            found = result_of(tmp_path, borders, falls.phases, closed, plan)
            for at in map(CODES.index, sorted(found.line.vacant)):
                orders = {
                    own: [*falls.phases.orders(own, {})][number]
                    for own, (number, _) in plan.items()
                }
                larger = {
                    own | 1 << at: (numbers[own | 1 << at].index(orders[own]), plan[own][1])
                    for own in plan
                }
                assert more.holds(closed, larger), (borders, closed, at)
                built += 1
    assert built


@exhaustive
@pytest.mark.parametrize("size", [3, 4])
def test_retreats_save_no_army_on_small_maps(size: int) -> None:
    assert all(gains_of_retreats(borders)[1] == 0 for borders in maps(size))


KEEP = (6, 9, 17, 2, 4)
"""docs/examples/sorties-map.yaml. Keep is province 0; no unit can support the unit there."""


def every_line(
    borders: Borders, own: int, closed: int
) -> Iterator[tuple[dict[int, int], dict[int, int]]]:
    """All supports and sorties of armies with at least one sortie, even pointless ones."""
    armies = members(own)
    ways = [[None, *members(borders[at] & (own | ~closed))] for at in armies]
    for chosen in product(*ways):
        aims = {at: to for at, to in zip(armies, chosen, strict=True) if to is not None}
        sorties = {at: to for at, to in aims.items() if not closed >> to & 1}
        if sorties:
            yield {at: to for at, to in aims.items() if at not in sorties}, sorties


def line_holds(
    borders: Borders, own: int, closed: int, supports: Mapping[int, int], sorties: Mapping[int, int]
) -> bool:
    """Whether armies that hold, support each other or make sorties keep provinces closed, in every
    set of provinces where they can be."""
    armies = members(own)
    games, numbers = numbered(borders, len(armies))
    helped = frozenset((at, (to, to)) for at, to in supports.items() if to not in sorties)
    plan = dict[int, int]()
    for out in product((False, True), repeat=len(sorties)):
        away = {at for at, is_out in zip(sorties, out, strict=True) if is_out}
        places = {sorties[at] if at in away else at for at in armies}
        if len(places) == len(armies):
            moves = frozenset((to, at) if at in away else (at, to) for at, to in sorties.items())
            standing = sum(1 << at for at in places)
            plan[standing] = numbers[standing][moves, helped]
    return games.plan_holds(closed, plan)


@cache
def numbered(borders: Borders, armies: int) -> tuple[Games, Mapping[int, Mapping[Any, int]]]:
    """The games, and the number of each set of own orders."""
    games = some_games(borders, armies)
    return games, {
        own: {
            (frozenset(moves.items()), frozenset(supports.items())): at
            for at, (moves, supports) in enumerate(games.phases.orders(own, {}))
        }
        for own in games.phases.places
    }


def fewest_with_sorties(borders: Borders, closed: int) -> int | None:
    """The fewest of up to three armies that keep provinces closed. An army makes sorties only if
    its enemies all come from one province; no two go to the same."""
    return next(
        (
            number
            for number in (1, 2, 3)
            if closed in some_games(borders, number).lines
            or any(
                line_holds(borders, own, closed, supports, sorties)
                for own in some_games(borders, number).phases.places
                if not own & ~closed
                for supports, sorties in every_line(borders, own, closed)
                if len({*sorties.values()}) == len(sorties)
                and all(borders[at] & ~closed == 1 << to for at, to in sorties.items())
            )
        ),
        None,
    )


KEPT = [(KEEP, closed) for closed in (25, 9, *range(1, 31))]
PATH = [(maps(4)[2], closed) for closed in range(1, 15)]


@exhaustive
@pytest.mark.parametrize("cases", parts_of([*KEPT, *PATH], 2))
def test_lines_with_sorties_are_those_of_the_search(cases: list[tuple[Borders, int]]) -> None:
    for borders, closed in cases:
        found = search_fewest(borders, closed, sorties=True)
        assert fewest_with_sorties(borders, closed) == (found if found in (1, 2, 3) else None)
        if (borders, closed) == (KEEP, 25):
            assert (found, search_fewest(borders, closed)) == (3, None)


@cache
def some_games(borders: Borders, armies: int) -> Games:
    return games_of(borders, armies)


def test_closed_provinces_of_a_plan_can_be_held_by_a_player_who_sees_the_enemy() -> None:
    """A plan is one way to play, so the game that sees the enemy is won too."""
    borders = maps(4)[-1]
    games, sources = some_games(borders, 2), 1
    won = [
        closed
        for closed in subsets(14)
        if closed and any(not own & sources for own in games.plans[closed])
    ]
    assert 14 in won
    assert all(games.sees(closed, sources) for closed in won)


@exhaustive
@pytest.mark.parametrize("boards", parts_of([*reversed(maps(4))], 1))
def test_two_armies_hold_the_triangle(boards: list[Borders]) -> None:
    """docs/examples/line-triangle.yaml is the only plan that gains on maps of four provinces."""
    for borders in boards:
        for one in answers(borders):
            triangle = borders == maps(4)[-1] and one.protected.bit_count() == 3
            fewest = (3, 2, 2) if triangle else (one.lines,) * 3
            assert (one.lines, one.inside, one.plans) == fewest
