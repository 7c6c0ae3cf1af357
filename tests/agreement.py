"""The boards and DATC cases on which an engine and the solver differ under some rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from typing import TypeVar

import dipsat
from dipsat.equations import Phase
from dipsat.formats import load_cases
from dipsat.game import PhaseKind
from dipsat.outcomes import Engine, MovementOutcome, Verdicts, find_engine
from dipsat.rules import load_profile
from dipsat.studies import RandomBoard, random_board
from dipsat.studies.engine_names import SOLVER
from tests.phases import phase_of

_Name = TypeVar("_Name")

WHAT = tuple(field.name for field in fields(Verdicts))
"""What engines decide: `moves`, `supports`, ..."""


def board_differences(judge: Engine, rules: str, seeds: range) -> dict[int, set[str]]:
    """Seed of a random board -> the fields of `WHAT` in which the engine differs."""
    phases = ((seed, phase_of(_board(seed).orders, rules)) for seed in seeds)
    return dict(_differing(judge, rules, phases))


def case_differences(judge: Engine, rules: str) -> dict[str, set[str]]:
    """Name of a DATC case about movement -> the fields of `WHAT` in which the engine differs."""
    cases = [
        case for case in load_cases(older=True) if case.position.phase.kind is PhaseKind.MOVEMENT
    ]
    phases = ((c.name, _facts(c.position, c.orders, rules)) for c in cases)
    return dict(_differing(judge, rules, phases))


def _differing(
    judge: Engine, rules: str, phases: Iterable[tuple[_Name, Phase]]
) -> Iterator[tuple[_Name, set[str]]]:
    profile = load_profile(rules)
    for name, phase in phases:
        mine, theirs = find_engine(SOLVER).decide(phase, profile), judge.decide(phase, profile)
        what = {field for field in WHAT if getattr(mine, field) != getattr(theirs, field)}
        if what:
            yield name, what


def _facts(position: dipsat.Position, orders: Mapping[str, Sequence[str]], rules: str) -> Phase:
    outcome = dipsat.adjudicate(position, orders, rules)
    assert isinstance(outcome, MovementOutcome)
    return outcome.facts


@lru_cache(maxsize=512)
def _board(seed: int) -> RandomBoard:
    return random_board(seed)
