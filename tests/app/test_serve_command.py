"""`dipsat serve` where its packages are missing, and in a container."""

from __future__ import annotations

import json
import re
import tomllib

import pytest
from click.testing import CliRunner

from dipsat.app.serve_command import serve
from dipsat.cli import main
from tests.checkout import ROOT
from tests.pages import page


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dipsat.app.server_run.find_spec", lambda _: None)
    done = CliRunner().invoke(main, ["serve"])
    assert done.exit_code == 2
    assert "pip install 'dipsat[serve]'" in done.stderr


def test_the_container_has_what_is_installed_and_starts_a_server_for_no_user_of_its_own() -> None:
    """It cannot be built without a registry of images; what it names is there."""
    lines = page("Dockerfile").replace("\\\n", "").splitlines()
    said = [line.split(maxsplit=1) for line in lines if line and not line.startswith("#")]
    copied = [rest.split()[:-1] for word, rest in said if word == "COPY" and "--from" not in rest]
    sources = {source for sources in copied for source in sources}
    assert all((ROOT / source).exists() for source in sources)
    assert sources == set(re.findall(r"^!(.*)", page(".dockerignore"), re.MULTILINE))
    build = tomllib.loads(page("pyproject.toml"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert {*build["packages"], *build["force-include"]} < sources
    words = dict(said)
    assert int(words["USER"].partition(":")[0]) > 0
    command, *options = json.loads(words["CMD"])[1:]
    assert serve.make_context(command, options).params["host"] == "0.0.0.0"
    assert int(words["EXPOSE"]) == serve.make_context(command, options).params["port"]
