"""Results as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, FrozenInstanceError, dataclass, fields, replace
from inspect import signature
from typing import Any

import pytest

from dipsat.kernel.board_codes import BoardCodes
from dipsat.plain import Plain, fields_of, plain
from dipsat.proof.movement import MovementOrderOutcome
from dipsat.proof.subgraphs import Subgraph


@dataclass(frozen=True, slots=True)
class Part(Plain):
    name: str
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class Result(Plain):
    parts: tuple[Part, ...]
    by_name: Mapping[str, tuple[Part | None, ...]]
    _hidden: int = 0


RESULT = Result((Part("a"), Part("b", True)), {"a": (Part("a"), None)})
WHOLE = {"name": "b", "whole": True}
PART = {"name": "a", "whole": False}


def test_plain_values_are_the_public_fields_in_their_order() -> None:
    found = RESULT.to_dict()
    assert found == {"parts": [PART, WHOLE], "by_name": {"a": [PART, None]}}
    assert list(found) == ["parts", "by_name"]
    assert plain((RESULT, "x", 1)) == [found, "x", 1]


def test_fields_are_left_out_and_renamed() -> None:
    assert fields_of(RESULT, "by_name", parts="all") == {"all": [PART, WHOLE]}


@pytest.mark.parametrize("kind", [Subgraph, MovementOrderOutcome, BoardCodes])
def test_an_own_init_sets_every_field_and_nothing_can_be_set_later(kind: type[Any]) -> None:
    """They are made often; a frozen dataclass would set each field by a call."""
    taken = signature(kind).parameters
    assert [field.name for field in fields(kind)] == list(taken)
    usual = {one.name: one.default for one in fields(kind) if one.default is not MISSING}
    usual |= {one.name: {} for one in fields(kind) if one.default_factory is not MISSING}
    assert usual == {
        name: one.default for name, one in taken.items() if one.default is not one.empty
    }
    given = {name: f"the {name}" for name in taken}
    made = kind(**given)
    assert vars(made) == given
    with pytest.raises(FrozenInstanceError):
        setattr(made, next(iter(taken)), "another")
    last = next(reversed(taken))
    assert vars(replace(made, **{last: "another"})) == {**given, last: "another"}
