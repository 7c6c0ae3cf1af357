"""Errors as plain values, with the place that an editor marks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from dipsat.errors import (
    LISTED_FAULTS,
    DipsatError,
    DocumentError,
    FileError,
    OrderSyntaxError,
    ProblemsError,
)

_HINT = re.compile(r"did you mean [^?]*\?")
_PLACE = re.compile(r"(?P<path>.*?):(?P<line>\d+)(?::(?P<column>\d+))?", re.DOTALL)
_REMARK = re.compile(r"(?P<path>[^\n]*?):(?P<line>\d+):(?P<column>\d+): (?P<text>.*)", re.DOTALL)


def fault(error: DipsatError) -> dict[str, Any]:
    """An error as plain values: its `kind` (the name of its class), the `message` without the
    place, the `document`, `line` and `column` (from 1) of the place, None if it has none, and the
    `hint` (did you mean ...?), None without one. Several faults at once are under `problems`, each
    like this; the place is then that of the first."""
    problems = list_faults(error.problems) if isinstance(error, ProblemsError) else []
    if problems:
        first = problems[0]
        place = first["document"], first["line"], first["column"]
        message = str(error)
    else:
        place = _place(error)
        message = _without_place(str(error), place)
    hint = _HINT.search(message)
    names = ("document", "line", "column")
    return {
        "kind": type(error).__name__,
        "message": message,
        **dict(zip(names, place, strict=True)),
        "hint": hint[0] if hint else None,
        "problems": problems,
    }


def list_faults(errors: Iterable[DipsatError]) -> list[dict[str, Any]]:
    """Errors as `fault` gives them, as many as a message lists."""
    return [fault(error) for error in list(errors)[:LISTED_FAULTS]]


def remark(text: str) -> dict[str, Any]:
    """A remark on a document, which begins with its place if it has one."""
    found = _REMARK.fullmatch(text)
    if found is None:
        return {"message": text, "document": None, "line": None, "column": None}
    line, column = int(found["line"]), int(found["column"])
    return {"message": found["text"], "document": found["path"], "line": line, "column": column}


_Place = tuple[str | None, int | None, int | None]


def _place(error: DipsatError) -> _Place:
    if isinstance(error, DocumentError):
        return error.path, error.line, error.column
    if isinstance(error, OrderSyntaxError):
        return None, error.line, None
    if not isinstance(error, FileError) or not error.path:
        return None, None, None
    found = _PLACE.fullmatch(error.path)
    if found is None:
        return error.path, None, None
    return found["path"], int(found["line"]), int(found["column"]) if found["column"] else None


def _without_place(message: str, place: _Place) -> str:
    shown = ":".join(str(part) for part in place if part is not None)
    return message.removeprefix(f"{shown}: ") if shown else message
