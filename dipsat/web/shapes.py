"""What OpenAPI says about states in the shape of godip's web service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dipsat.web.godip_names import KINDS, TYPES

_TEXT = {"type": "string"}
_UNIT: dict[str, Any] = {
    "type": "object",
    "required": ["Type", "Nation"],
    "properties": {"Type": {**_TEXT, "enum": list(KINDS)}, "Nation": _TEXT},
}
_TURN: dict[str, Any] = {
    "Season": {**_TEXT, "description": "`Spring` or `Fall`, in Hundred `Year`."},
    "Year": {"type": "integer", "description": "The year, such as 1901."},
    "Type": {**_TEXT, "enum": list(TYPES), "description": "The kind of the phase."},
}


def _by(key: str, value: dict[str, Any], meaning: str) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": value, "description": f"{key} -> {meaning}"}


_ORDERS = _by(
    "Nation",
    {"type": "object", "additionalProperties": {"type": "array", "items": _TEXT}},
    'province -> an order, such as `["Move", "bur"]`, `["Support", "mar", "bur"]`, `["Hold"]`, '
    '`["Convoy", "lon", "bre"]`, `["MoveViaConvoy", "bre"]`, `["Build", "Army"]`, `["Disband"]`.',
)
_MEMBERS: dict[str, Any] = {
    **_TURN,
    "Units": _by("Province or coast (`stp/sc`)", _UNIT, "the unit there."),
    "Orders": _ORDERS,
    "SupplyCenters": _by("Province", _TEXT, "the nation that owns its centre."),
    "Dislodgeds": _by("Province or coast", _UNIT, "the unit dislodged from there."),
    "Dislodgers": _by("Province", _TEXT, "the province that was attacked from there."),
    "Bounces": _by(
        "Province",
        {"type": "object", "additionalProperties": {"type": "boolean"}},
        "the provinces from which units have bounced there.",
    ),
    "Resolutions": _by("Province or coast", _TEXT, "`OK`, or why the order there has failed."),
}
_STATE: dict[str, Any] = {"type": "object", "required": list(_TURN), "properties": _MEMBERS}

GIVEN: dict[str, Any] = {"type": "object", "required": list(_MEMBERS), "properties": _MEMBERS}
"""A state, as the server gives it."""

GIVEN_WITH_OPTIONS: dict[str, Any] = {
    "type": "object",
    "required": ["phase", "options"],
    "properties": {
        "phase": {"$ref": "#/components/schemas/State"},
        "options": _by("Nation", {"type": "object"}, "a tree of orders, word by word."),
    },
}
"""The same with what may be ordered."""

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


_START = "The state in which games of a variant begin, in the shape of godip."
_RESOLVE = "The state after a state with orders, in the shape of godip."


def variant_paths(variants: Sequence[str], failures: Mapping[str, Any]) -> dict[str, Any]:
    """What OpenAPI says about the addresses of all variants: path -> the methods. `failures` are
    the answers without a state by status."""
    named = {"type": "string", "enum": list(variants)}
    parameter = {"name": "variant", "in": "path", "required": True, "schema": named,
                 "description": "What godip calls it."}  # fmt: skip
    body = {"schema": _STATE, "examples": {"move": {"value": _EXAMPLE}}}
    sent = {"requestBody": {"required": True, "content": {"application/json": body}}}

    def said(name: str, summary: str, given: str) -> dict[str, Any]:
        content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{given}"}}}
        answers = {"200": {"description": "The state.", "content": content}, **failures}
        return {"operationId": name, "summary": summary, "parameters": [parameter],
                "responses": answers}  # fmt: skip

    more = f"{_START[:-1]}, with what may be ordered."
    after = f"{_RESOLVE[:-1]}, with what may be ordered."
    return {
        "/{variant}": {
            "get": said("start", _START, "State"),
            "post": {**said("resolve", _RESOLVE, "State"), **sent},
        },
        "/start-with-options/{variant}": {
            "get": said("startWithOptions", more, "StateWithOptions"),
        },
        "/resolve-with-options/{variant}": {
            "post": {**said("resolveWithOptions", after, "StateWithOptions"), **sent},
        },
    }
