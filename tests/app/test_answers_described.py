"""Answers are as OpenAPI describes them: every member, with its type."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

import dipsat
from dipsat.app.messages import KINDS
from dipsat.app.schema import ANSWERS, EXAMPLES, SHAPES
from tests.pages import page

_TYPES: Mapping[str, Any] = {
    "string": str, "integer": int, "number": (int, float), "boolean": bool, "object": dict,
    "array": list, "null": type(None),
}  # fmt: skip
SHEET = EXAMPLES["adjudicate"]["order sheet"]["orders"]
LATER = {
    "phase": "S1901R", "units": {"FRANCE": ["A MUN"]}, "dislodged": {"GERMANY": ["A MUN"]},
}  # fmt: skip
WINTER = {"phase": "W1901A", "units": {"FRANCE": ["A PAR"]}, "centers": {"FRANCE": ["PAR", "BRE"]}}
MORE: tuple[dict[str, Any], ...] = (
    {"request": "adjudicate", "orders": "France:\n A Par - Nowhere\n", "lenient": True},
    {"request": "adjudicate", "position": LATER, "orders": {"GERMANY": ["A MUN - RUH"]}},
    {"request": "adjudicate", "position": WINTER, "orders": {"FRANCE": ["F BRE B"]}},
    {"request": "legal-orders", "position": WINTER},
    {"request": "explain", "orders": SHEET, "unit": "A BRE", "core": True},
    {"request": "compare", "orders": SHEET, "rules": ["datc", "rulebooks/1982"]},
    {"request": "search", "question": "hold", "line": page("docs/examples/line-south.yaml")},
    *({"request": "rules", "what": what} for what in ("text", "whole", "entries", "words")),
    {"request": "rules", "what": "check", "rules": {"text": "extends: datc\nnothing: 1\n"}},
    {"request": "rules", "what": "difference", "rules": "rulebooks/1982"},
    {"request": "maps", "map": "loeb9"},
)
ALL = [{"request": kind, **one} for kind in KINDS for one in EXAMPLES[kind].values()] + [*MORE]


def faults(value: Any, schema: Mapping[str, Any], place: str) -> Iterator[str]:
    """Where a value is not as described. A described object has no other members."""
    if "$ref" in schema:
        yield from faults(value, SHAPES[schema["$ref"].rpartition("/")[2]], place)
        return
    if "anyOf" in schema:
        found = [list(faults(value, one, place)) for one in schema["anyOf"]]
        yield from [] if not all(found) else min(found, key=len)
        return
    kinds = schema.get("type", list(_TYPES))
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if not any(isinstance(value, _TYPES[kind]) for kind in kinds):
        yield f"{place}: {value!r} is no {kinds}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{place}: {value!r} is not in {schema['enum']}"
    if isinstance(value, list):
        for at, item in enumerate(value):
            yield from faults(item, schema.get("items", {}), f"{place}[{at}]")
    if isinstance(value, dict) and "properties" in schema:
        yield from (f"{place}: no {name}" for name in schema["required"] if name not in value)
    if isinstance(value, dict) and ("properties" in schema or "additionalProperties" in schema):
        members, others = schema.get("properties", {}), schema.get("additionalProperties")
        for name, item in value.items():
            described = members.get(name, others)
            if described is None:
                yield f"{place}: {name} is not described"
            elif described is not True:
                yield from faults(item, described, f"{place}.{name}")


def named(request: Mapping[str, Any]) -> str:
    return "-".join(str(request.get(name, "")) for name in ("request", "what", "question"))


@pytest.mark.parametrize("request_", ALL, ids=named)
def test_answers_are_as_described(request_: dict[str, Any]) -> None:
    found = dipsat.answer(request_)
    assert "answer" in found, found
    kind = request_["request"]
    assert list(faults(found["answer"], ANSWERS[kind], kind)) == []


def test_a_wrong_answer_is_found() -> None:
    assert list(faults({"svg": 1, "more": 2}, ANSWERS["svg"], "svg")) == [
        "svg.svg: 1 is no ['string']",
        "svg: more is not described",
    ]


def test_every_kind_is_described_by_parts_that_exist() -> None:
    assert ANSWERS.keys() == KINDS.keys()
    described = json.dumps([*SHAPES.values(), *ANSWERS.values()])
    assert {*re.findall(r"#/components/schemas/(\w+)", described)} == SHAPES.keys()
