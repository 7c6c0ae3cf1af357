"""A real browser for tests of pages and pictures: Chromium, driven by its own driver."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.exhaustive import exhaustive

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome") or ""
DRIVER = shutil.which("chromedriver") or ""
AXE = os.environ.get("DIPSAT_AXE", "")
"""axe.min.js of axe-core, as .ci/run fetches it."""

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
    """A browser whose profile is in a folder of its own."""
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
    """What the browser has written to its console since the last call."""
    return [entry["message"] for entry in driver.get_log("browser")]


_BARRIERS = """
const done = arguments[0];
axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21aa"] })
  .then(({ violations }) => done(violations.map(({ id, nodes }) => `${id}: ${nodes[0].target}`)));
"""


def barriers(browser: Any) -> list[str]:
    """What axe finds wrong with a page; nothing without axe."""
    if not AXE:
        return []
    browser.execute_script(Path(AXE).read_text(encoding="utf-8"))
    found: list[str] = browser.execute_async_script(_BARRIERS)
    return found
