"""`python -m bench lab FOLDER`: how long the rule lab takes in Chromium, with both engines.

FOLDER has Pyodide and its wheels, as for `dipsat lab --pyodide`. A visit begins with the request
for the page; the first visit has an empty cache. Figures are medians of several browsers, each with
its own profile. The extras `browser` and `serve` are needed.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from dipsat.app.site import keep_memory, site_files
from tests.app.lab_page import served
from tests.browser import started

PATIENCE = 120.0  # seconds
KEYS = 10
VERDICT = "document.querySelector('#verdicts tbody tr')"
QUIET = f"{VERDICT} && document.body.dataset.state === 'done'"
FILLED = "document.querySelector('#map').options.length > 20"


class _Files(SimpleHTTPRequestHandler):
    """Serves a folder as ordinary servers do: browsers may keep its files."""

    extensions_map = {  # noqa: RUF012 - that of the base class, which is not called so either
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, format: str, *arguments: object) -> None:
        """Write nothing."""


@contextmanager
def _offering(folder: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def _wait(browser: Any, condition: str) -> None:
    end = time.monotonic() + PATIENCE
    while not browser.execute_script(f"return Boolean({condition})"):
        if time.monotonic() > end:
            sys.exit(browser.execute_script("return document.body.innerText"))
        time.sleep(0.01)


def _visit(browser: Any, address: str) -> tuple[float, float]:
    """Seconds until the first verdict, and until the page is complete."""
    browser.get("about:blank")
    began = time.monotonic()
    browser.get(address)
    _wait(browser, VERDICT)
    verdict = time.monotonic()
    _wait(browser, QUIET)
    _wait(browser, FILLED)
    return verdict - began, time.monotonic() - began


def _keys(browser: Any) -> Iterator[float]:
    """Milliseconds from a key typed into the orders to new verdicts."""
    from selenium.webdriver import Keys

    place = browser.find_element("css selector", "#orders-text .cm-content")
    for at in range(KEYS):
        browser.execute_script(
            "arguments[0].focus(); delete document.body.dataset.milliseconds", place
        )
        place.send_keys(Keys.BACKSPACE if at % 2 else " ")
        _wait(browser, f"document.body.dataset.milliseconds && {QUIET}")
        yield float(browser.execute_script("return document.body.dataset.milliseconds"))


def _figures(address: str, browsers: int) -> tuple[list[Sequence[float]], list[float]]:
    """The seconds of each browser for the first visit and the next, and the times after keys."""
    visits: list[Sequence[float]] = []
    keys = list[float]()
    for _ in range(browsers):
        with tempfile.TemporaryDirectory() as profile, started(Path(profile)) as browser:
            visits.append([*_visit(browser, address), *_visit(browser, address)])
            keys += _keys(browser)
    return list(zip(*visits, strict=True)), keys


def _print(name: str, visits: list[Sequence[float]], keys: list[float]) -> None:
    first, whole, again, whole_again = (statistics.median(times) for times in visits)
    usual, worst = statistics.median(keys), max(keys)
    print(
        f"| {name} | {first:.1f} s | {whole:.1f} s | {again:.1f} s | {whole_again:.1f} s | "
        f"{usual:.0f} ms, at most {worst:.0f} |",
        flush=True,
    )


def main(arguments: list[str]) -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(prog="python -m bench lab", description=__doc__)
    parser.add_argument("folder", help="Pyodide and its wheels")
    parser.add_argument("--browsers", type=int, default=3, help="how many browsers (3)")
    given = parser.parse_args(arguments)
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print("| engine | first verdict | complete | next visit | complete | after a key |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as made:
        site = Path(made)
        for name, content in site_files(given.folder).items():
            (site / name).write_bytes(content)
        anew = (site / "engine.json").read_bytes()
        if lacking := keep_memory(site):
            sys.exit(lacking)
        told = json.loads((site / "engine.json").read_bytes())
        with _offering(site) as address:
            _print("in the page", *_figures(address, given.browsers))
            (site / "engine.json").write_bytes(anew)
            _print("in the page, without the kept memory", *_figures(address, given.browsers))
    with tempfile.TemporaryDirectory() as logs, served(Path(logs) / "log") as address:
        _print("`dipsat serve` on the same computer", *_figures(address, given.browsers))
    loaded = sum(told["sizes"].values())
    print(
        f"The page loads {loaded / 1e6:.1f} MB, and {told['memory']['size'] / 1e6:.1f} MB more if"
    )
    print("it uses the kept memory.")
    for solver, file in told["solvers"].items():
        print(f"{solver}: {file['bytes'] / 1e6:.1f} MB")
