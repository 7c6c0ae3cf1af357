"""`dipsat.kernel.Batch` finds what `adjudicate` finds, and what the documents state."""

from __future__ import annotations

import pytest

import dipsat
from dipsat.board import province_of
from dipsat.formats import Case, combinations, load_cases
from dipsat.game import PhaseKind
from dipsat.kernel import Batch, BatchResult, library
from dipsat.rules import shipped_names, short_name
from tests.exhaustive import exhaustive, parts_of
from tests.kernel.agreement.boards import random_boards as spoilt_boards
from tests.kernel.kernel_agreement import (
    QUICKLY,
    agreed,
    native,
    needs_compiler,
    quick,
    random_boards,
)
from tests.phases import crowded_orders, position_of, troubled_orders
from tests.recorded import each_part, needs_games, recorded_phases

pytestmark = needs_compiler
PROFILES = sorted(short_name(name, shipped_names()) for name in shipped_names())


@exhaustive
def test_tense_boards_come_out_as_in_python() -> None:
    """None of them is left to Python under the standard rules."""
    batch = native()
    found = agreed(batch, random_boards(batch, range(30)))
    assert found.by_python == 0
    assert len(found.settled) > 2  # one resolution, rings, convoys


@exhaustive
@pytest.mark.parametrize("units", [2, 8, 20, 40, 60])
def test_boards_of_all_sizes_come_out_as_in_python(units: int) -> None:
    batch = native()
    boards = random_boards(batch, range(1000 * units, 1000 * units + 60), units)
    assert agreed(batch, boards, threads=2).by_python == 0


@exhaustive
@pytest.mark.parametrize("rules", PROFILES)
def test_all_shipped_rules_come_out_as_in_python(
    rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`python -m tests agreement` compares thousands of boards. The compiler gives no warnings."""
    monkeypatch.setattr(library, "_OPTIMISED", QUICKLY)
    batch = Batch(rules, native=True)
    agreed(batch, random_boards(batch, range(6)))


@exhaustive
@pytest.mark.parametrize("name", dipsat.map_names())
def test_boards_on_all_maps_come_out_as_in_python(name: str) -> None:
    batch = quick("datc", name)
    agreed(batch, random_boards(batch, range(8), 30))
    most = batch.numbers.most_units  # some boards have more than a set holds
    agreed(batch, [*random_boards(batch, range(4), most), *random_boards(batch, [4], most + 20)])


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(400), 40))
def test_crowded_and_troubled_boards_come_out_as_in_python(seeds: range) -> None:
    """Small boards in one corner of the map, and DATC cases with changes."""
    ordered = [make(seed) for seed in seeds for make in (crowded_orders, troubled_orders)]
    agreed(native(), [(position_of(orders), orders) for orders in ordered])


# Cases of the documents.

CASES = load_cases(older=True, variants=True)
MOVEMENT = [case for case in CASES if case.position.phase.kind is PhaseKind.MOVEMENT]


def place_of(case: Case, order: str | None, unit: str) -> str | None:
    """The province of the unit that a statement is about, None if its order is unreadable."""
    try:
        if order is None:
            return province_of(case.position.reader.read_unit(unit).location)
        return province_of(getattr(case.position.reader.read(order), "unit").location)  # noqa: B009
    except (dipsat.DipsatError, AttributeError):
        return None


def unexpected(case: Case, result: BatchResult, at: int) -> tuple[list[str], int]:
    """A case's statements about units on the board that did not come out, and the number of
    statements."""
    verdicts = {province_of(u.split()[-1]): v for u, v in result.verdicts(at).items()}
    gone = {province_of(one.unit.split()[-1]): one.retreats for one in result.dislodged(at)}
    owners = {unit.province: unit.power for unit in result.units(at)}
    places = [place_of(case, one.order, one.unit) for one in case.expected]
    found, count = [], 0
    for one, place in zip(case.expected, places, strict=True):
        if place is None or owners.get(place) != one.power or places.count(place) > 1:
            continue  # the order of another power's unit, or one of several
        word = one.verdict.removeprefix("not ")
        if word != "any" and (word == verdicts[place]) != (word == one.verdict):
            found.append(f"{one.power} {one.order}: {verdicts[place]}, stated {one.verdict}")
        fate = "" if place not in gone else "dislodged" if gone[place] else "destroyed"
        if one.fate not in ("any", fate):
            found.append(f"{one.power} {one.order}: {fate}, stated {one.fate}")
        count += 2
    for unit, stated in case.retreats.items():
        place = place_of(case, None, unit)
        possible = gone.get(place, ()) if place else ()
        read = case.position.reader.read_unit
        if {read(f"F {one}").location for one in stated} != set(possible):
            found.append(f"{unit} retreats: {possible}, stated {stated}")
        count += 1
    return [f"{case.name}: {text}" for text in found], count


def checked(rules: str, cases: list[Case]) -> tuple[list[str], int]:
    """What did not come out as stated, and how many statements there are."""
    found, count = [], 0
    by_map: dict[str, list[Case]] = {}
    for case in cases:
        by_map.setdefault(case.position.map.name, []).append(case)
    for board, some in by_map.items():
        batch = native() if (rules, board) == ("datc", "standard") else quick(rules, board)
        result = batch.adjudicate(batch.encode((case.position, case.orders) for case in some))
        for at, case in enumerate(some):
            texts, statements = unexpected(case, result, at)
            found += texts
            count += statements
        agreed(batch, [(case.position, case.orders) for case in some])
    return found, count


@exhaustive
def test_movement_cases_come_out_as_the_document_states() -> None:
    cases = [case for case in MOVEMENT if not case.older and not case.rules]
    found, count = checked("datc", cases)
    assert not found
    assert (len(cases), count) == (157, 1589)


def other_statements() -> dict[str, list[Case]]:
    """Rules -> the cases with the results that documents state for them."""
    found: dict[str, list[Case]] = {}
    for case in MOVEMENT:
        if case.rules:
            found.setdefault(f"datc+{case.rules}", []).append(case)
        for entry in case.alternatives:
            if entry.superseded or not entry.case or case.rules:
                continue
            for names in combinations(entry.when):
                found.setdefault("+".join(("datc", *names)), []).append(entry.case)
    return found


@exhaustive
@pytest.mark.parametrize("rules", sorted(other_statements()))
def test_cases_come_out_as_stated_for_other_rules(rules: str) -> None:
    found, count = checked(rules, other_statements()[rules])
    assert not found
    assert count


# Arbitrary boards.


@exhaustive
@pytest.mark.parametrize(
    ("rules", "map"),
    [
        ("datc", "standard"),
        *(
            pytest.param(*one, marks=exhaustive)
            for one in (
                ("rulebooks/1971", "standard"), ("judges/dpjudge", "standard"),
                ("variants/arpiesse", "standard"), ("variants/wings", "standard"),
                ("variants/colonial", "colonial"), ("datc", "world"),
                ("choices/4.E.1-a", "standard"), ("choices/4.D.9-b", "standard"),
            )
        ),
    ],
)  # fmt: skip
def test_spoilt_and_large_boards_come_out_as_in_python(rules: str, map: str) -> None:
    """Owners are random. Some orders are impossible, missing, strange or given twice; unreadable
    ones raise the same error."""
    batch = native() if (rules, map) == ("datc", "standard") else quick(rules, map)
    made = spoilt_boards(batch, range(40), large=True)
    texts = ("nonsense", "", "A PAR - PAR", "F STP - BAR", "A BUR R PAR", "A PAR D", "PAR - BUR")
    odd = [({"FRANCE": ["A PAR"], "RUSSIA": ["F STP/NC"]}, {"FRANCE": [text]}) for text in texts]
    agreed(batch, made)
    if map == "standard" and rules not in ("variants/arpiesse", "variants/wings"):
        agreed(batch, [(dipsat.Position.from_units(units), orders) for units, orders in odd])


@exhaustive
@needs_games
@each_part
def test_recorded_phases_come_out_as_in_python(games: range) -> None:
    """Only boards without codes, such as those with two orders for a unit, are left to Python."""
    batch = native()
    phases = [phase for phase in recorded_phases(games[::12]) if phase["phase"][-1] == "M"]
    boards = [
        (dipsat.Position.from_units(one["units"], "standard", one["phase"]), one["orders"])
        for one in phases
    ]
    codes = batch.encode(boards)
    assert agreed(batch, boards).by_python == len(codes.uncoded)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(one, marks=() if one == "datc" else exhaustive)
        for one in ("datc", "choices/4.A.3-d", "choices/4.A.3-e", "judges/vain-via-swaps")
    ],
)
def test_a_move_via_convoy_that_could_go_by_land_comes_out_as_in_python(name: str) -> None:
    """Two units pass each other only if one goes by convoy."""
    batch = native() if name == "datc" else quick(name)
    places = {"GERMANY": ["A BEL", "A HOL"], "ENGLAND": ["F NTH"]}
    moves = ["A BEL - HOL VIA", "A HOL - BEL"]
    boards = [
        (dipsat.Position.from_units(places), {"GERMANY": moves, "ENGLAND": ordered})
        for ordered in (["F NTH H"], ["F NTH C GERMAN A BEL - HOL"], ["F NTH C GERMAN A BEL - NWY"])
    ]
    assert agreed(batch, boards).by_python == 0
