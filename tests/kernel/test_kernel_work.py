"""Rules that would keep compiled code busy for ever are left to dipsat's Python."""

from __future__ import annotations

import pytest

import dipsat
from dipsat.errors import WorkLimitError
from dipsat.kernel import Batch, MapNumbers, library, work_bounds as work
from dipsat.kernel.numbers import DeclinedError
from dipsat.kernel.source import source_of
from dipsat.kernel.work_bounds import KernelWork
from dipsat.rules import shipped_names
from tests.exhaustive import exhaustive
from tests.kernel.kernel_agreement import agreed, native, needs_compiler, random_boards
from tests.shipped import shipped_profile
from tests.strangers.hostile_rules import profile_of


def nested(word: str, kind: str, depth: int) -> str:
    """Quantifiers in each other over all objects of a type."""
    names = "qwyztkjv"[:depth]
    body = " or ".join(f"{one} != p" if kind == "Province" else f"{one} == {one}" for one in names)
    for name in names:
        body = f"{word}({body} for {name} in {kind})"
    listed = ", ".join(f"{name}: {kind}" for name in names)
    return f"variables: {{{listed}}}\ndecisions:\n  x(p): {body}\n"


@pytest.mark.parametrize(("word", "depth"), [("any", 3), ("all", 5)])
def test_rules_with_too_many_steps_are_declined(word: str, depth: int) -> None:
    rules = profile_of(nested(word, "Province", depth))
    with pytest.raises(DeclinedError, match="too many steps on one board"):
        source_of(rules, 1, 2)


def test_conditions_with_too_many_steps_are_declined() -> None:
    body = nested("any", "Province", 3).replace("decisions:\n  x(p)", "legal:\n  odd(m)")
    with pytest.raises(DeclinedError, match="condition on orders would take too many steps"):
        source_of(profile_of(body.replace("!= p", "!= m.target")), 1, 2)


def most(depth: int) -> int:
    return KernelWork(profile_of(nested("all", "Unit", depth)), 64, 128).most_units


def test_the_deeper_loops_are_nested_the_fewer_units_a_board_may_have() -> None:
    found = [most(depth) for depth in range(1, 6)]
    assert found == sorted(found, reverse=True)
    assert found[0] == 64 > found[3] > found[4] > 2
    for depth, units in enumerate(found, 1):
        rules = profile_of(nested("all", "Unit", depth))
        counted = KernelWork(rules, 64, 128)
        assert counted.steps(units) <= work.MOST_STEPS
        assert units == 64 or (
            counted.steps(units + 1) > work.MOST_STEPS or counted._is_refused(units + 1)
        )


@pytest.mark.parametrize(
    ("name", "map"),
    [
        ("datc", "standard"),
        *(pytest.param(name, None, marks=exhaustive) for name in shipped_names()),
        *(pytest.param("datc", name, marks=exhaustive) for name in dipsat.map_names()),
    ],
)
def test_shipped_rules_are_compiled_for_boards_of_all_sizes(name: str, map: str | None) -> None:
    profile = shipped_profile(name)
    numbers = MapNumbers(dipsat.load_map(map or profile.map or "standard"), profile)
    found = KernelWork(profile, numbers.most_units, 64 * numbers.place_words)
    assert found.most_units == numbers.most_units


@exhaustive
@pytest.mark.parametrize("depth", [3, pytest.param(5, marks=exhaustive)])
def test_boards_that_python_refuses_are_not_answered(depth: int) -> None:
    """Loops over all units take as many steps whatever is ordered."""
    text = nested("all", "Unit", depth).replace("x(p)", "x(u)")
    rules = profile_of(text)
    units = KernelWork(rules, 64, 128).most_units
    board, places = dipsat.load_map("standard"), sorted(dipsat.load_map("standard").centers)
    assert 2 < units < len(places)
    holding = [f"{'F' if board.provinces[at].kind == 'sea' else 'A'} {at}" for at in places]
    dipsat.adjudicate(dipsat.Position.from_units({"FRANCE": holding[:units]}), {}, rules)
    with pytest.raises(WorkLimitError):
        dipsat.adjudicate(dipsat.Position.from_units({"FRANCE": holding[: units + 3]}), {}, rules)


@exhaustive
@needs_compiler
def test_boards_with_too_many_units_are_left_to_python(monkeypatch: pytest.MonkeyPatch) -> None:
    profile = dipsat.parse_profile("extends: datc\nname: units\n", "mine.yaml")
    monkeypatch.setattr(work, "MOST_STEPS", KernelWork(profile, 64, 128).steps(20))
    monkeypatch.setattr(library, "_OPTIMISED", ("-O0",))
    batch = Batch(profile, native=True)
    for units in (19, 20, 21):
        boards = random_boards(batch, range(3), units)
        assert {len(position.units) for position, _ in boards} == {units}
        assert agreed(batch, boards).by_python == (3 if units > 20 else 0)


@exhaustive
@needs_compiler
def test_boards_with_too_many_sweeps_are_left_to_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of those, some have decision cycles, which take most."""
    usual = native()
    monkeypatch.setattr(work, "MOST_SWEEPS", 10)
    monkeypatch.setattr(library, "_OPTIMISED", ("-O0",))
    batch = Batch(dipsat.parse_profile("extends: datc\nname: sweeps\n", "mine.yaml"), native=True)
    boards = random_boards(batch, range(60))
    assert agreed(usual, boards).by_python == 0
    found = agreed(batch, boards)
    assert 0 < found.by_python < 9
