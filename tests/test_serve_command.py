"""`dipsat serve` where its packages are missing."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from dipsat.cli import main


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dipsat.web.serving.find_spec", lambda _: None)
    done = CliRunner().invoke(main, ["serve"])
    assert done.exit_code == 2
    assert "pip install 'dipsat[serve]'" in done.stderr
