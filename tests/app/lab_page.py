"""The rule lab's page in a browser, and the server that serves it."""

from __future__ import annotations

import base64
import json
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.app.served import lines_of, started
from tests.browser import complaints, started as browser_started

HELD = """\
extends: datc
decisions:
  hold_strength(p): base + (1 if some(p.units) and not some(p.departures) else 0)
"""
_SHOW = """
const panel = arguments[0].closest("[role=tabpanel]");
const isLow = document.getElementById("side").dataset.size === "low" && innerWidth < 900;
const tab = panel && document.getElementById(panel.getAttribute("aria-labelledby"));
if (panel && (panel.hidden || isLow)) tab.click();
const menu = arguments[0].closest("details");
if (menu) menu.open = true;
"""
ATTACK = "Italy:\n A Ven - Tri\n A Tyr S A Ven - Tri\nAustria:\n F Tri H\n"


class Lab:
    """The page in a browser."""

    def __init__(self, browser: Any, address: str, patience: float = 90) -> None:
        self.browser, self.address, self.patience = browser, address, patience
        self.first = ""  # the part of the address that holds the state in which the page opens

    def run(self, script: str, *arguments: Any) -> Any:
        return self.browser.execute_script(script, *arguments)

    def wait(self, condition: str, *arguments: Any) -> None:
        """Wait until a condition in JavaScript holds, which the page meets by itself."""
        end = time.monotonic() + self.patience
        while not self.run(f"return Boolean({condition})", *arguments):
            assert time.monotonic() < end, (condition, arguments, self.text("#status"))
            time.sleep(0.03)

    def appears(self, selector: str, text: str = "") -> None:
        """Wait until the first element that matches the selector has this text."""
        found = "document.querySelector(arguments[0])?.textContent.includes(arguments[1])"
        self.wait(found, selector, text)

    def vanishes(self, selector: str) -> None:
        """Wait until no element matches the selector."""
        self.wait("!document.querySelector(arguments[0])", selector)

    def lists(self, selector: str, count: int) -> None:
        """Wait until this many elements match the selector."""
        self.wait(
            "document.querySelectorAll(arguments[0]).length === arguments[1]", selector, count
        )

    def has_choices(self, name: str) -> None:
        """Wait until a list has everything that is shipped."""
        self.wait("document.getElementById(arguments[0]).options.length > 20", name)

    def count(self, selector: str) -> int:
        return int(self.run("return document.querySelectorAll(arguments[0]).length", selector))

    def is_old(self, name: str) -> bool:
        """Whether what an element shows is marked as not up to date."""
        return bool(self.run("return document.getElementById(arguments[0]).matches('.old')", name))

    def open(self, link: str = "") -> None:
        self.browser.get("about:blank")
        self.browser.get(link or self.address)
        self.settle()

    def begin_anew(self) -> None:
        """Bring the page back to the state in which it opens, without starting its engine again."""
        if not self.first:
            self.open()
            self.click("share")
            self.wait("location.hash")
            self.first = self.run("return location.hash")
            return
        self._rest()
        self.run(
            "history.replaceState(null, '', ' '); location.hash = arguments[0];"
            "document.getElementById('tab-orders').click();"
            "document.getElementById('again').click()", self.first,
        )  # fmt: skip
        self.wait_for("F ENG", "disrupted, dislodged")

    def _rest(self) -> None:
        """Wait a moment for what the previous test left running, since it could interfere."""
        end = time.monotonic() + 5
        while self.run("return document.body.dataset.state !== 'done'"):
            if time.monotonic() > end:
                return  # it left the page in another state
            time.sleep(0.03)

    def link(self, **state: Any) -> str:
        """A link that holds a state."""
        whole = {"rules": "extends: datc\n", "orders": "", "compare": [], **state}
        packer = zlib.compressobj(wbits=-15)
        data = packer.compress(json.dumps(whole).encode()) + packer.flush()
        return f"{self.address}#{base64.urlsafe_b64encode(data).decode().rstrip('=')}"

    def settle(self) -> None:
        self.appears("#verdicts tbody tr, #fault p")
        self.rest()

    def rest(self) -> None:
        self.wait("document.body.dataset.state === 'done'")

    def text(self, selector: str) -> str:
        found = self.run("return document.querySelector(arguments[0])?.textContent", selector)
        return str(found or "")

    def show(self, selector: str) -> Any:
        """An element, after opening its panel and menu if they are closed."""
        element = self.browser.find_element("css selector", selector)
        self.run(_SHOW, element)
        return element

    def click(self, name: str) -> None:
        self.show(f"#{name}").click()

    def click_on(self, selector: str) -> None:
        """Click an element even where something covers it."""
        self.run("document.querySelector(arguments[0]).click()", selector)

    def choose(self, name: str, value: str) -> None:
        """Choose from a list."""
        from selenium.webdriver.support.ui import Select

        Select(self.show(f"#{name}")).select_by_value(value)

    def fill(self, name: str, text: str) -> None:
        """Put a text into a field."""
        field = self.show(f"#{name}")
        field.clear()
        field.send_keys(text)

    def write(self, editor: str, text: str) -> None:
        """Replace everything in an editor by a text, in one step."""
        from selenium.webdriver import Keys

        place = self.show(f"#{editor} .cm-content")
        place.send_keys(Keys.CONTROL, "a")
        place.send_keys(Keys.DELETE)
        self.run(
            "arguments[0].focus(); document.execCommand('insertText', false, arguments[1])",
            place, text,
        )  # fmt: skip

    def verdicts(self) -> dict[str, str]:
        rows = self.run(
            "return Array.from(document.querySelectorAll('#verdicts tbody tr')).map("
            "(row) => [row.dataset.unit, row.cells[2].textContent])"
        )
        return dict(rows)

    def wait_for(self, unit: str, verdict: str) -> None:
        self.wait(
            "document.querySelector(`#verdicts tr[data-unit='${arguments[0]}']`)"
            "?.cells[2].textContent === arguments[1]", unit, verdict,
        )  # fmt: skip
        self.settle()

    def command(self, name: str, **members: Any) -> Any:
        """The browser's answer to a command of the DevTools protocol."""
        return self.browser.execute_cdp_cmd(name, members)

    def size(self, width: int, height: int, mobile: bool = False) -> None:
        self.command(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=mobile,
        )  # fmt: skip

    def media(self, **features: str) -> None:
        """Set what the reader's system prefers, such as `prefers_color_scheme="dark"`."""
        named = [
            {"name": name.replace("_", "-"), "value": value} for name, value in features.items()
        ]
        self.command("Emulation.setEmulatedMedia", features=named)

    def press(self, *keys: str) -> None:
        """Press keys, wherever the focus is."""
        from selenium.webdriver import ActionChains

        ActionChains(self.browser).send_keys(*keys).perform()

    def complaints(self) -> list[str]:
        """What the browser complains about, apart from a server that refuses bad rules."""
        return [one for one in complaints(self.browser) if "status of 422" not in one]


@contextmanager
def opened_lab(folder: Path) -> Iterator[Lab]:
    """A browser for the page of `dipsat serve`."""
    with served(folder / "log") as address, browser_started(folder) as browser:
        yield Lab(browser, address, patience=60)


@contextmanager
def served(log: Path) -> Iterator[str]:
    """The address of `dipsat serve`, with its content policy; the page must have used its API."""
    for package in ("starlette", "uvicorn"):
        pytest.importorskip(package, reason="the extra `serve` is not installed")
    with started(log) as server:
        yield f"http://127.0.0.1:{server.port}/"
        assert any("/api/" in line.get("path", "") for line in lines_of(log))
