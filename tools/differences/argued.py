"""The page's arguments on paper, which go beyond the proofs of searches."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from dipsat.rules import DEFAULT_RULES

_FILE = Path(__file__).with_suffix(".yaml")
NO_NUMBER = "none"
LINK = "[argument](#by-argument)"


@cache
def _stated() -> dict[str, dict[str, Any]]:
    stated: dict[str, dict[str, Any]] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return stated


def argued_pair(one: str, other: str) -> int | str | None:
    """The fewest units with which rules differ from the default rules, or `NO_NUMBER`; None where
    nothing is argued."""
    return _stated()["pairs"].get(other) if one == DEFAULT_RULES else None


def argued_cycle(kind: str) -> int | None:
    """The fewest units with a decision cycle of a kind; None where nothing is argued."""
    return _stated()["cycles"].get(kind)
