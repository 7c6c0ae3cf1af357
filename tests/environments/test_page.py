"""The page about environments, and the notebook beside it."""

from __future__ import annotations

import json

import pytest

from tests.checkout import ROOT
from tests.exhaustive import exhaustive
from tests.pages import assert_python_prints, blocks, page
from tools.notebook import ran, text_of

pytest.importorskip("pettingzoo", reason="the extra environments is not installed")
pytestmark = pytest.mark.extra


@pytest.mark.parametrize("code", blocks(page("docs/environments.md"), "python"))
def test_python_of_the_page_runs(code: str) -> None:
    assert_python_prints(code)


@exhaustive
def test_the_notebook_prints_what_it_shows() -> None:
    text = (ROOT / "docs" / "examples" / "learning.ipynb").read_text(encoding="utf-8")
    assert text_of(ran(json.loads(text))) == text  # `python -m tools.notebook` renews it
