"""What OpenAPI says about requests: their members as JSON Schema, and examples."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping
from functools import cache
from textwrap import dedent
from typing import Any

from dipsat.web.messages import KINDS
from dipsat.web.shapes import GIVEN

_SHEET = """\
England:
 F London Supports F Wales - English Channel
 F Wales - English Channel
France:
 A Brest - London
 F English Channel Convoys A Brest - London
"""
_POSITION = {
    "phase": "F1901M",
    "units": {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]},
    "centers": {"FRANCE": ["PAR"], "GERMANY": ["MUN"]},
}
_OPEN = {"position": _POSITION, "orders": {"FRANCE": ["A PAR - BUR"]}}
_SIEGE = """\
extends: datc
decisions:
  hold_strength(p): base + (1 if some(p.units) and not some(p.departures) else 0)
"""
_GAME = """\
Spring 1901 Movement

France:
  A Paris - Burgundy

Germany:
  A Munich - Burgundy
"""
EXAMPLES: Mapping[str, Mapping[str, dict[str, Any]]] = {
    "adjudicate": {
        "order sheet": {"orders": _SHEET},
        "position": {"position": _POSITION, "orders": {"FRANCE": ["A PAR - BUR"]}},
    },
    "explain": {"order sheet": {"orders": _SHEET, "unit": "A BRE", "change": True}},
    "prove": {"paradox": {"orders": _SHEET}},
    "compare": {"own rules": {"orders": _SHEET, "rules": ["datc", {"text": _SIEGE}]}},
    "search": {
        "achieve": {"question": "achieve", "goal": "enters(BUR)", **_OPEN},
        "paradox": {"question": "paradox", **_OPEN},
    },
    "legal-orders": {"one unit": {"position": _POSITION, "unit": "A PAR"}},
    "replay": {"own rules": {"game": _GAME, "rules": {"text": _SIEGE}, "limit": 1}},
    "svg": {"outcome": {"orders": _SHEET}, "dark": {"orders": _SHEET, "dark": True}},
    "rules": {
        "list": {"what": "list"},
        "check": {"what": "check", "rules": {"text": _SIEGE, "name": "siege.yaml"}},
    },
    "maps": {"list": {}, "one map": {"map": "standard"}},
    "cases": {"one case": {"names": ["6.F.14"], "rules": {"text": _SIEGE}}},
}
"""Kind of requests -> the name of an example -> its members."""

_TEXT, _NUMBER = {"type": "string"}, {"type": "number"}
_PLACE = {"type": ["string", "null"]}
_LINE = {"type": ["integer", "null"], "minimum": 0}
_FAULT: dict[str, Any] = {
    "type": "object",
    "required": ["kind", "message", "document", "line", "column", "hint", "problems"],
    "properties": {
        "kind": {**_TEXT, "description": "The class of the error in `dipsat.errors`."},
        "message": {**_TEXT, "description": "What is wrong, and what would be right."},
        "document": _PLACE,
        "line": _LINE,
        "column": _LINE,
        "hint": {**_PLACE, "description": "did you mean ...?"},
        "problems": {"type": "array", "items": {"type": "object"}},
    },
}
_HEAD: dict[str, Any] = {
    "dipsat": {**_TEXT, "description": "The version of dipsat."},
    "schema": {"type": "integer", "description": "The version of requests and answers."},
    "request": {"type": ["string", "null"], "description": "The kind of the request."},
}
COMPONENTS = {
    "Answer": {
        "type": "object",
        "required": [*_HEAD, "answer"],
        "properties": {**_HEAD, "answer": {"type": "object"}},
        "additionalProperties": False,
    },
    "Failure": {
        "type": "object",
        "required": [*_HEAD, "error"],
        "properties": {**_HEAD, "error": _FAULT},
        "additionalProperties": False,
    },
    "State": GIVEN,
}
"""The schemas of all answers."""

FAILURES = {
    400: "The body is no JSON object.",
    408: "The body came too slowly.",
    413: "The body is too large.",
    415: "The body is not called `application/json`.",
    422: "The request is wrong, or not answered within its limits.",
    429: "Too many requests wait already; try again after the seconds of `Retry-After`.",
    500: "A fault of dipsat.",
    503: "The server stops.",
}
"""Status -> what it means."""


def schema_of(kind: str) -> dict[str, Any]:
    """The members of the requests of a kind as JSON Schema, each with its meaning."""
    from pydantic import TypeAdapter  # comes with FastAPI

    found = TypeAdapter(KINDS[kind].request).json_schema()
    documents = found.pop("$defs", {})
    meanings = _meanings(kind)
    for name, value in found["properties"].items():
        value["description"] = meanings[name]
        for one in value.get("anyOf", ()):
            if name in ("seconds", "work") and one["type"] != "null":
                one["exclusiveMinimum"] = 0
    found["properties"]["request"] = {"const": kind, "description": "The kind, once more."}
    return dict(_closed(_inlined(found, documents)))


def meaning_of(kind: str) -> str:
    """What requests of a kind ask."""
    return inspect.cleandoc(KINDS[kind].request.__doc__ or "")


def _inlined(value: Any, documents: Mapping[str, Any]) -> Any:
    """A schema with what it refers to in the place of the reference."""
    if isinstance(value, dict):
        if "$ref" in value:
            return documents[value["$ref"].rpartition("/")[2]]
        return {key: _inlined(one, documents) for key, one in value.items() if key != "title"}
    return [_inlined(one, documents) for one in value] if isinstance(value, list) else value


def _closed(value: Any) -> Any:
    """A schema whose objects have no other members than those that it names."""
    if isinstance(value, dict):
        found = {key: _closed(one) for key, one in value.items()}
        if isinstance(found.get("properties"), dict) and found.get("type") == "object":
            found["additionalProperties"] = False
        return found
    return [_closed(one) for one in value] if isinstance(value, list) else value


@cache
def _meanings(kind: str) -> Mapping[str, str]:
    """Member of the requests of a kind -> the text below it in the source."""
    found: dict[str, str] = {}
    for owner in reversed(KINDS[kind].request.__mro__[:-1]):
        body = ast.parse(dedent(inspect.getsource(owner))).body[0]
        assert isinstance(body, ast.ClassDef)
        for stated, text in zip(body.body, body.body[1:], strict=False):
            if not (isinstance(stated, ast.AnnAssign) and isinstance(stated.target, ast.Name)):
                continue
            if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
                found[stated.target.id] = inspect.cleandoc(str(text.value.value))
    return found
