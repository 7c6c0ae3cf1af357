"""Results as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dipsat.base import Plain, fields_of, plain


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
