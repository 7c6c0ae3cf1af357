"""The OpenAPI description of requests, answers, and states in the format of godip's web service."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from pathlib import Path
from textwrap import dedent
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from dipsat.app.messages import KINDS
from dipsat.app.requests import Document, hints_of
from dipsat.base import __version__, parse_yaml, read_text

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}


def reference(name: str) -> dict[str, str]:
    """A reference to the component with this name."""
    return {"$ref": f"#/components/schemas/{name}"}


def _name_of(kind: str, part: str) -> str:
    """The name of the schema for requests or answers of a kind: `legal-orders`, `Answer` ->
    `LegalOrdersAnswer`."""
    return "".join(word.capitalize() for word in kind.split("-")) + part


# --- answers --------------------------------------------------------------------------------------

_TYPES: Mapping[str, Schema] = {
    "text": TEXT,
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "truth": {"type": "boolean"},
    "object": {"type": "object"},
    "value": {"type": ["integer", "boolean", "null"]},
    "anything": {},
    "unit": {
        "type": "object",
        "required": ["Type", "Nation"],
        "properties": {"Type": {**TEXT, "enum": ["Army", "Fleet"]}, "Nation": TEXT},
    },
}


def _type(words: str) -> Schema:
    """The schema of a type as `answers.yaml` writes it."""
    if (rest := words.removesuffix(" or null")) != words:
        found = _type(rest)
        if "$ref" in found:
            return {"anyOf": [found, {"type": "null"}]}
        return {**found, "type": [found["type"], "null"]}
    if (rest := words.removesuffix(" by name")) != words:
        return {"type": "object", "additionalProperties": _type(rest)}
    if (rest := words.removeprefix("list of ")) != words:
        return {"type": "array", "items": _type(rest)}
    if (rest := words.removeprefix("one of ")) != words:
        return {**TEXT, "enum": rest.split(", ")}
    return _TYPES[words] if words in _TYPES else reference(words)


def _member(stated: Any) -> Schema:
    if isinstance(stated, dict):
        return {"type": "array", "items": _object(**stated)}
    words, _, meaning = stated.partition("; ")
    return {**_type(words), "description": meaning} if meaning else _type(words)


def _object(about: str = "", others: bool = False, **members: Any) -> Schema:
    """The schema of an object in `answers.yaml`. Later versions may add members."""
    return {
        "type": "object",
        **({"description": about} if about else {}),
        "required": [name for name in members if not name.endswith("?")],
        "properties": {name.rstrip("?"): _member(one) for name, one in members.items()},
        **({"additionalProperties": True} if others else {}),
    }


_FILE = Path(__file__).with_name("answers.yaml")
_STATED = parse_yaml(read_text(_FILE), str(_FILE)).plain()
SHAPES: Mapping[str, Schema] = {name: _object(**one) for name, one in _STATED["parts"].items()}
"""Name of a part of answers -> its schema."""
_PARTS = {kind: [*map(reference, of.split(", "))] for kind, of in _STATED["answers"].items()}
ANSWERS: Mapping[str, Schema] = {
    kind: dict(parts[0]) if len(parts) == 1 else {"anyOf": parts} for kind, parts in _PARTS.items()
}
"""Kind of request -> the schema of its answers."""


# --- requests -------------------------------------------------------------------------------------

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
        "lines": {"question": "lines", "lines": {"centres": ["ANK", "CON", "SMY"]}},
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
"""Kind of request -> the name of an example -> its members."""

_HEAD: dict[str, Any] = {
    "dipsat": {**TEXT, "description": "The version of dipsat."},
    "schema": {"type": "integer", "description": "The version of requests and answers."},
    "request": {"type": ["string", "null"], "description": "The kind of the request."},
}


FAILURES = {
    400: "The body is not a JSON object.",
    408: "The body came too slowly.",
    413: "The body is too large.",
    415: "The Content-Type is not `application/json`.",
    422: "The request is wrong, or not answered within its limits.",
    429: "Too many requests wait already; try again after the seconds of `Retry-After`.",
    500: "A fault of dipsat.",
    503: "The server stops.",
}
"""Status -> its meaning."""


def _request(kind: str) -> Schema:
    """The members of the requests of a kind, each with its meaning."""
    found = members_of(KINDS[kind].request.whole())
    found["properties"]["request"] = {"const": kind, "description": "The kind, repeated."}
    return found


def members_of(asked: Any) -> Schema:
    """The members of a class of requests, or of a document."""
    properties, required = {}, []
    hints, meanings = hints_of(asked), _meanings(asked)
    for one in fields(asked):
        found = _fitting(hints[one.name])
        if one.name in ("seconds", "work"):
            found["anyOf"][0]["exclusiveMinimum"] = 0
        if one.default is not MISSING:
            found["default"] = one.default
        elif one.default_factory is MISSING:
            required.append(one.name)
        properties[one.name] = {**found, "description": meanings[one.name].replace("None", "null")}
    return {
        "type": "object",
        "description": inspect.cleandoc(asked.__doc__),
        **({"required": required} if required else {}),
        "properties": properties,
        "additionalProperties": False,
    }


def _fitting(hint: Any) -> Schema:
    """The schema of the values that fit an annotation of a request."""
    kind, of = get_origin(hint) or hint, get_args(hint)
    if kind in (Union, UnionType):
        return {"anyOf": [_fitting(one) for one in of]}
    if kind is Literal:
        return {**TEXT, "enum": list(of)}
    if kind is Sequence:
        return {"type": "array", "items": _fitting(of[0])}
    if kind is Mapping:
        return {"type": "object", "additionalProperties": of[1] is Any or _fitting(of[1])}
    return reference("Document") if kind is Document else {"type": _NAMES[kind]}


_NAMES = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}


def _meanings(asked: Any) -> Mapping[str, str]:
    """Member of a class of requests -> the text below it in the source."""
    found: dict[str, str] = {}
    made = [one for one in fields(asked) if "meaning" in one.metadata]
    for owner in reversed(asked.__mro__[bool(made) : -1]):  # a generated class has no source
        body = ast.parse(dedent(inspect.getsource(owner))).body[0]
        assert isinstance(body, ast.ClassDef)
        for stated, text in zip(body.body, body.body[1:], strict=False):
            if not (isinstance(stated, ast.AnnAssign) and isinstance(stated.target, ast.Name)):
                continue
            if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
                found[stated.target.id] = inspect.cleandoc(str(text.value.value))
    return found | {one.name: one.metadata["meaning"] for one in made}


# --- godip ----------------------------------------------------------------------------------------

_STATES = {name: _object(**one) for name, one in _STATED["states"].items()}
_STATE = {**_STATES["State"], "required": ["Season", "Year", "Type"]}
"""A state that the server accepts; the schemas in `_STATES` are for states that it returns."""

_EXAMPLE: dict[str, Any] = {
    "Season": "Spring",
    "Year": 1901,
    "Type": "Movement",
    "Units": {
        "mun": {"Type": "Army", "Nation": "Germany"},
        "par": {"Type": "Army", "Nation": "France"},
    },
    "Orders": {"France": {"par": ["Move", "bur"]}, "Germany": {"mun": ["Move", "bur"]}},
    "SupplyCenters": {"mun": "Germany", "par": "France"},
}


def _variant_paths(variants: Sequence[str]) -> Schema:
    """The description of the addresses of all variants: path -> its methods."""
    named = {**TEXT, "enum": list(variants)}
    parameter = {"name": "variant", "in": "path", "required": True, "schema": named,
                 "description": "The name of the variant in godip."}  # fmt: skip
    body = {"schema": _STATE, "examples": {"move": {"value": _EXAMPLE}}}

    def said(name: str, more: bool) -> Schema:
        summary = "The state at the start of a variant's games, in the format of godip."
        if name == "resolve":
            summary = "The state that follows a state with orders, in the format of godip."
        if more:
            summary = f"{summary[:-1]}, with the legal orders."
        answers = {
            "200": _response("The state.", f"State{'WithOptions' * more}"),
            **_FAILED,
            "404": _response("There is no such variant.", "Failure"),
        }
        found = {"operationId": f"{name}{'WithOptions' * more}", "summary": summary,
                 "parameters": [parameter], "responses": answers}  # fmt: skip
        return found if name == "start" else {**found, **_sent(body)}

    return {
        "/{variant}": {"get": said("start", False), "post": said("resolve", False)},
        "/start-with-options/{variant}": {"get": said("start", True)},
        "/resolve-with-options/{variant}": {"post": said("resolve", True)},
    }


# --- all ------------------------------------------------------------------------------------------


def description(variants: Sequence[str]) -> Schema:
    """The OpenAPI description of the server."""
    about = "The Diplomacy adjudicator that proves its answers."
    return {
        "openapi": "3.1.0",
        "info": {"title": "dipsat", "description": about, "version": __version__},
        "paths": {
            **{f"/api/{kind}": {"post": _asked(kind)} for kind in KINDS},
            "/healthz": {"get": _HEALTH},
            "/metrics": {"get": _METRICS},
            **_variant_paths(variants),
        },
        "components": {"schemas": _components()},
    }


def _components() -> dict[str, Schema]:
    """The schemas of all requests and answers by name."""
    found = {"Document": members_of(Document)}
    for kind in KINDS:
        found[_name_of(kind, "Request")] = _request(kind)
        found[_name_of(kind, "Answer")] = {
            **_whole("answer", ANSWERS[kind]), "additionalProperties": False,
        }  # fmt: skip
    return {**found, "Failure": _whole("error", reference("Fault")), **_STATES, **SHAPES}


def _whole(member: str, schema: Schema) -> Schema:
    return {
        "type": "object",
        "required": [*_HEAD, member],
        "properties": {**_HEAD, member: schema},
    }


def _asked(kind: str) -> Schema:
    """The description of the address for a kind of request."""
    examples = {name: {"value": value} for name, value in EXAMPLES[kind].items()}
    return {
        "summary": f"dipsat.answer, {kind}",
        "description": inspect.cleandoc(KINDS[kind].request.__doc__ or ""),
        "operationId": kind,
        **_sent({"schema": reference(_name_of(kind, "Request")), "examples": examples}),
        "responses": {"200": _response("The answer.", _name_of(kind, "Answer")), **_FAILED},
    }


def _sent(body: Schema) -> Schema:
    return {"requestBody": {"required": True, **_json(body)}}


def _response(about: str, name: str) -> Schema:
    return {"description": about, **_json({"schema": reference(name)})}


def _json(content: Schema) -> Schema:
    return {"content": {"application/json": content}}


_FAILED = {str(status): _response(text, "Failure") for status, text in FAILURES.items()}
_OK = {"description": "Successful Response"}
_HEALTH: Schema = {
    "summary": "Whether the server answers",
    "operationId": "health_healthz_get",
    "responses": {
        "200": {**_OK, **_json({"schema": {}})}, "503": {"description": "No worker is ready."},
    },
}  # fmt: skip
_METRICS: Schema = {
    "summary": "Counts for Prometheus",
    "operationId": "measures_metrics_get",
    "responses": {"200": {**_OK, "content": {"text/plain": {"schema": TEXT}}}},
}
