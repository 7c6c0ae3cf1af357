"""The compiled source: what is computed once for each order, and how little is searched."""

from __future__ import annotations

import re

import pytest

from dipsat import kernel
from dipsat.kernel import library, source
from dipsat.kernel.functions import Functions, PreparedText, _denied
from dipsat.kernel.source import source_of
from dipsat.rules import MOVE, Variable, load_profile
from tests.exhaustive import exhaustive
from tests.kernel.kernel_agreement import needs_compiler

KEPT = re.compile(r"f->(?:kept|has_kept|holds)\b")
RING = ("PAR", "BUR", "MUN", "RUH", "BEL", "PIC")


def bodies(text: str) -> dict[str, str]:
    """Function -> its text, of the functions in a source."""
    found = re.split(r"^static (?:inline )?\w+ (\w+)\(", text, flags=re.MULTILINE)
    return dict(zip(found[1::2], found[2::2], strict=True))


@pytest.mark.parametrize("rules", ["datc", "dptg", "portage", "1971"])
def test_what_is_kept_is_computed_from_facts_alone(rules: str) -> None:
    functions = bodies(source_of(load_profile(rules), 1, 2).text)
    read = [line for line in functions["prepare"].splitlines() if "= " in line]
    assert len(read) > 5
    for line in read:
        assert not KEPT.search(line.split("= ", 1)[1]), line


def test_orders_are_checked_without_what_is_computed_later() -> None:
    """Conditions on orders are evaluated before the orders match."""
    functions = bodies(source_of(load_profile("portage"), 1, 2).text)
    waiting = [name for name in functions if name.startswith("refuses_")]
    assert len(waiting) >= 4
    seen = set[str]()
    while waiting:
        name = waiting.pop()
        seen.add(name)
        assert not KEPT.search(functions[name]), name
        called = re.findall(r"\b([eq]\d+)\(f, ", functions[name])
        waiting += [one for one in called if one not in seen]


def test_sets_about_two_orders_are_not_kept() -> None:
    prepared = PreparedText(Functions())
    one, other = Variable("m", MOVE), Variable("o", MOVE)
    names = {"m": "x0", "o": "v1"}
    assert prepared.set_of("rivals(f, x0)", names, one) == "f->kept[0][x0]"
    assert prepared.set_of("rivals(f, v1)", names, other) == "f->kept[0][v1]"
    both = "(rivals(f, x0) & facing(f, v1))"
    assert prepared.set_of(both, names, one, other) == both
    with prepared.switched_off():
        assert prepared.set_of("rivals(f, x0)", names, one) == "rivals(f, x0)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(!any_unit(f->all))", "any_unit(f->all)"),
        ("(!any_unit(a) & any_unit(b))", ""),
        ("(!(a | b))", "(a | b)"),
        ("any_unit(f->all)", ""),
        ("(!x)", ""),
    ],
)
def test_opposites_are_recognised(text: str, expected: str) -> None:
    assert _denied(text) == expected


@needs_compiler
@exhaustive
def test_a_ring_takes_few_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The dislodgements that follow from a ring of moves are not guessed beside it."""

    def with_a_low_limit(part: str) -> str:
        return original(part).replace("MAX_SEARCHED 4000", "MAX_SEARCHED 5")

    original = source._runtime
    assert "MAX_SEARCHED 5 " in with_a_low_limit("resolve.h")
    monkeypatch.setattr(source, "_runtime", with_a_low_limit)
    monkeypatch.setattr(library, "_source", source_of)
    monkeypatch.setattr(library, "_OPTIMISED", ("-O0",))
    batch = kernel.Batch(load_profile("datc"), native=True)
    orders = [f"A {here} - {there}" for here, there in zip(RING, RING[1:] + RING[:1], strict=True)]
    result = batch.adjudicate(
        batch.encode([({"FRANCE": [f"A {p}" for p in RING]}, {"FRANCE": orders})])
    )
    assert not result.outcomes
    assert result.settled == ["circular movement"]
