"""The checker of docs/atlas, which knows nothing of dipsat."""

from __future__ import annotations

import json
import runpy
from collections.abc import Callable
from functools import cache
from typing import Any

from tools.atlas_borders import FOLDER

why_not: Callable[[Any, Any], str] = runpy.run_path(str(FOLDER.parent / "check_lines.py"))[
    "why_not"
]
"""Why a certificate does not prove that its line holds, or "" if it does."""


@cache
def borders(name: str) -> Any:
    """The borders of a map, from its file."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
