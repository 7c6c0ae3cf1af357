"""A real browser for tests of pages and pictures: Chromium, driven by its own driver."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.exhaustive import exhaustive

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome") or ""
DRIVER = shutil.which("chromedriver") or ""
_OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--hide-scrollbars", "--window-size=1400,1000",
)  # fmt: skip


def in_browser(test: Any) -> Any:
    """A decorator of tests that need the browser: they are exhaustive, and skipped without it."""
    missing = pytest.mark.skipif(
        not (CHROMIUM and DRIVER),
        reason="the commands chromium and chromedriver (Debian: chromium-driver) are missing",
    )
    return exhaustive(missing(test))


@contextmanager
def started(folder: Path) -> Iterator[Any]:
    """A browser with a profile of its own in a folder."""
    pytest.importorskip("selenium", reason="the extra browser is not installed")
    from selenium.webdriver import Chrome, ChromeOptions, ChromeService

    options = ChromeOptions()
    options.binary_location = CHROMIUM
    for option in (*_OPTIONS, f"--user-data-dir={folder / 'profile'}"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options=options, service=ChromeService(DRIVER))
    try:
        yield driver
    finally:
        driver.quit()


def complaints(driver: Any) -> list[str]:
    """What the browser has written on its console since this was last asked."""
    return [entry["message"] for entry in driver.get_log("browser")]
