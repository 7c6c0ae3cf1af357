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


def variant_path(
    variants: Sequence[str], given: Mapping[str, Any], failures: Mapping[str, Any]
) -> dict[str, Any]:
    """What OpenAPI says about the addresses of all variants. `given` is the answer with a state,
    `failures` are those without one by status."""
    named = {"type": "string", "enum": list(variants)}
    said = {
        "parameters": [
            {"name": "variant", "in": "path", "required": True, "schema": named,
             "description": "What godip calls it."}
        ],
        "responses": {"200": given, **failures},
    }  # fmt: skip
    body = {"schema": _STATE, "examples": {"move": {"value": _EXAMPLE}}}
    return {
        "get": {
            "operationId": "start",
            "summary": "The state in which games of a variant begin, in the shape of godip.",
            **said,
        },
        "post": {
            "operationId": "resolve",
            "summary": "The state after a state with orders, in the shape of godip.",
            "requestBody": {"required": True, "content": {"application/json": body}},
            **said,
        },
    }
