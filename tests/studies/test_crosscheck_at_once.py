"""What judges decide by compiled equations is what they decide phase by phase."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

import dipsat
from dipsat import studies
from dipsat.kernel import Batch
from dipsat.studies import DatcCases, Judge, RandomBoards, Source, crosschecks as run
from dipsat.studies.judges import Judgement, find, judged_at_once
from dipsat.studies.sources import Posed
from tests.exhaustive import exhaustive, few_of
from tests.kernel.agreement.boards import random_boards
from tests.kernel.kernel_agreement import needs_compiler

pytestmark = needs_compiler
RULES = ("datc", "rulebooks/1982", "judges/dpjudge", "choices/4.A.3-c", "variants/colonial")


def strayed(
    orders: Mapping[str, Sequence[str]], seed: int, nobody: Sequence[str]
) -> Mapping[str, Sequence[str]]:
    """Orders, some of them for units that others own or that do not exist."""
    if seed % 4:
        return orders
    first, *_, last = sorted(orders)
    return {**orders, first: [*orders[first], orders[last][0], *nobody]}


def posed(batch: Batch, seeds: range) -> list[Posed]:
    boards = random_boards(batch, seeds)
    nobody = ["A PAR - BUR"] if batch.map.name == "standard" else []
    return [
        Posed(str(seed), position, strayed(orders, seed, nobody))  # type: ignore[arg-type]
        for seed, (position, orders) in zip(seeds, boards, strict=False)
    ]


@pytest.mark.parametrize("rules", few_of(RULES, 1))
def test_phases_are_judged_alike_at_once_and_one_by_one(rules: str) -> None:
    judge = Judge("solver", rules)
    phases = posed(Batch(rules, native=False), range(80))
    found = judged_at_once(judge, phases, "datc")
    for phase in phases:
        if id(phase) in found:
            wanted = find(judge, phase.position, phase.orders, "datc")
            assert found[id(phase)] == wanted, phase.source
    assert len(phases) / 5 < len(found) < len(phases)


def test_engines_and_rules_of_your_own_are_not_compiled() -> None:
    rules = dipsat.parse_profile("extends: datc\n", "mine.yaml")
    for judge in (Judge("dip_eval"), Judge("solver", rules)):
        assert judged_at_once(judge, posed(Batch(native=False), range(3)), "datc") == {}


@exhaustive
@pytest.mark.parametrize("one", few_of(["solver:judges/jdip", "dip_eval"], 1))
def test_reports_are_the_same(one: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sources: list[Source] = [RandomBoards(30), DatcCases(("6.G", "6.D.21", "9"))]
    usual = studies.crosscheck(["solver:datc", one], sources, smallest=0)
    found: list[int] = []

    def watched(*asked: Any) -> Mapping[int, Judgement]:
        judged = judged_at_once(*asked)
        found.append(len(judged))
        return judged

    monkeypatch.setattr(run, "judged_at_once", watched)
    monkeypatch.setattr(run, "MANY", 30)
    again = studies.crosscheck(["solver:datc", one], sources, smallest=0)
    assert again.to_dict() == usual.to_dict()
    assert sum(found) > 40
