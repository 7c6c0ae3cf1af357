"""Rules that would keep compiled code busy forever are left to dipsat's Python."""

from __future__ import annotations

import pytest

import dipsat
from dipsat.kernel import Batch, MapNumbers, library, work_bounds as work
from dipsat.kernel.numbers import DeclinedError
from dipsat.kernel.source import source_of
from dipsat.kernel.work_bounds import check_work
from dipsat.rules import shipped_names
from tests.exhaustive import exhaustive
from tests.kernel.kernel_agreement import agreed, native, needs_compiler, random_boards
from tests.shipped import shipped_profile
from tests.strangers.hostile_rules import profile_of


def nested(word: str, kind: str, depth: int) -> str:
    """Nested quantifiers over all objects of a type."""
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
    check_work(profile, 64 * numbers.unit_words, 64 * numbers.place_words)


@exhaustive
@needs_compiler
def test_boards_with_too_many_sweeps_are_left_to_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some boards have decision cycles, which take the most sweeps."""
    usual = native()
    monkeypatch.setattr(work, "MOST_SWEEPS", 10)
    monkeypatch.setattr(library, "_OPTIMISED", ("-O0",))
    batch = Batch(dipsat.parse_profile("extends: datc\nname: sweeps\n", "mine.yaml"), native=True)
    boards = random_boards(batch, range(60))
    assert agreed(usual, boards).by_python == 0
    found = agreed(batch, boards)
    assert 0 < found.by_python < 9
