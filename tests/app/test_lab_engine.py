"""The rule lab whose engine is in the page: an old browser, a missing file, a damaged one."""

from __future__ import annotations

import json
from pathlib import Path

from tests.app.lab_page import Lab
from tests.app.lab_site import needs_pyodide, serving, site as site
from tests.browser import complaints, in_browser, started


@in_browser
@needs_pyodide
def test_a_missing_file_is_named_and_a_damaged_memory_is_not_used(
    site: Path, tmp_path: Path
) -> None:
    files = {file.name: file.read_bytes() for file in site.iterdir()}
    told = json.loads(files["engine.json"])
    whole = files.pop("pyodide.asm.wasm")
    damaged = files[told["memory"]["name"]] = files[told["memory"]["name"]][:-100_000]
    assert len(damaged) > 1_000_000
    with serving(files) as (address, paths), started(tmp_path) as browser:
        lab = Lab(browser, address)
        old = {"source": "delete window.DecompressionStream"}
        script = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", old)
        lab.open()
        assert "needs a newer browser" in lab.text("#fault")
        assert "this one has no DecompressionStream" in lab.text("#fault")
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
        lab.open()
        fault = lab.text("#fault")
        assert "pyodide.asm.wasm cannot be loaded: the site answers 404" in fault
        assert "Press Again" in fault
        assert lab.text("#status") in fault
        assert lab.verdicts() == {}
        assert lab.run("return document.querySelector('#map').options.length") < 20
        assert not lab.run("return document.querySelector('.cm-lint-marker-error')")
        asked = [path for path in paths if path == "/pyodide.asm.wasm"]
        assert len(asked) == 2  # with the kept memory and without
        complaints(browser)
        files["pyodide.asm.wasm"] = whole
        lab.click("again")
        lab.appears("#verdicts tbody tr")
        lab.settle()
        assert lab.verdicts()["F ENG"] == "disrupted, dislodged"
        assert lab.text("#fault") == ""
        lab.has_choices("map")
        (said,) = complaints(browser)
        assert "Python starts anew: its kept memory cannot be used" in said


@in_browser
@needs_pyodide
def test_the_header_is_as_before_once_an_engine_that_was_stopped_has_loaded(
    site: Path, tmp_path: Path
) -> None:
    files = {file.name: file.read_bytes() for file in site.iterdir()}
    with serving(files) as (address, _), started(tmp_path) as browser:
        lab = Lab(browser, address)
        lab.open()
        lab.has_choices("search-other")
        judged = lab.text("#status")
        assert "in this page" in lab.run("return document.querySelector('#status').title")
        lab.click("stop")
        lab.click_on("#verdicts [data-key^=why]")
        lab.appears("#tree li")
        assert lab.text("#status") == judged
