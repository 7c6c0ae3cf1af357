"""Boards that people have written, from docs/judges.md and written.yaml."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

import dipsat
from dipsat.game import Position

_FILE = Path(__file__).with_name("written.yaml")
_JUDGES = Path(__file__).resolve().parent.parent.parent / "docs" / "judges.md"
_BOARD = re.compile(r"^## `(.*?)`.*?^```(text|yaml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

BY_HAND = "the boards written by hand"
"""The source of the boards of written.yaml."""

Written = tuple[str, Position, dict[str, Any]]


def written() -> Iterator[Written]:
    """The source, the position and the orders of each."""
    for name, kind, text in _BOARD.findall(_JUDGES.read_text(encoding="utf-8")):
        suffix = {"text": "txt", "yaml": "yaml"}[kind]
        phase = dipsat.parse_phase(text, f"{name}.{suffix}")
        yield f"judges.md, {name}", phase.position, dict(phase.orders)
    for stated in yaml.safe_load(_FILE.read_text(encoding="utf-8")):
        position = Position.from_units(
            stated["units"], "standard", stated.get("phase"), stated.get("centers", {})
        )
        yield BY_HAND, position, stated["orders"]
