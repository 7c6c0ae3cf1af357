"""The compiled source: what is computed once for each order, and how little is searched."""

from __future__ import annotations

import re

import pytest

from dipsat import kernel
from dipsat.kernel import library, source
from dipsat.kernel.source import source_of
from dipsat.rules import load_profile
from tests.exhaustive import exhaustive
from tests.kernel.kernel_agreement import needs_compiler

KEPT = re.compile(r"f->(?:kept|has_kept|holds)\b")
RING = ("PAR", "BUR", "MUN", "RUH", "BEL", "PIC")


def bodies(text: str) -> dict[str, str]:
    """Function -> its text, of the functions in a source."""
    found = re.split(r"^static (?:inline )?\w+ (\w+)\(", text, flags=re.MULTILINE)
    return dict(zip(found[1::2], found[2::2], strict=True))


@pytest.mark.parametrize("rules", ["datc", "portage"])
def test_what_is_kept_is_computed_from_facts_alone(rules: str) -> None:
    functions = bodies(source_of(load_profile(rules), 1, 2).text)
    read = [line for line in functions["prepare"].splitlines() if "= " in line]
    assert len(read) > 5
    for line in read:
        assert not KEPT.search(line.split("= ", 1)[1]), line


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
