"""Folders that take long to make: made once for all processes of a run of tests."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

_PATIENCE = 300  # seconds


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """The folder `name`, which `make` has written in whichever process came first."""
    base = factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, made = shared / name, shared / f"{name}-made"
    try:
        (shared / f"{name}-begun").mkdir()
    except FileExistsError:
        end = time.monotonic() + _PATIENCE
        while not made.exists():
            assert time.monotonic() < end, f"{name} is not made"
            time.sleep(0.2)
        return folder
    try:
        make(folder)
    finally:
        made.touch()
    return folder
