"""Where the checkout is, and what the container is built from."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def container_sources() -> list[str]:
    """The files and folders of the checkout that the container's build receives."""
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8")
    return re.findall(r"^!(.*)", ignored, re.MULTILINE)
