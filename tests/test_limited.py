"""Calls in a process of their own end when they outstay their limits, and so do commands."""

from __future__ import annotations

import math
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import dipsat
from dipsat.cli import main
from dipsat.errors import LimitError, UnknownNameError

START = dipsat.Position.start("standard")
ORDERS = {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"]}
ROOT = Path(__file__).resolve().parent.parent


def test_the_result_is_that_of_the_call() -> None:
    limits = dipsat.Limits(seconds=600, megabytes=2000)
    found = dipsat.run_limited(limits, dipsat.adjudicate, START, ORDERS)
    assert found.to_dict() == dipsat.adjudicate(START, ORDERS).to_dict()


def test_an_error_of_the_call_arrives_with_its_data() -> None:
    with pytest.raises(UnknownNameError) as caught:
        dipsat.run_limited(dipsat.Limits(seconds=600), dipsat.load_profile, "1972")
    assert caught.value.name == "1972"


@pytest.mark.parametrize(
    ("function", "argument", "limits", "limit"),
    [
        (time.sleep, 600, dipsat.Limits(seconds=0.5), "seconds"),
        (bytearray, 10**9, dipsat.Limits(megabytes=300), "megabytes"),
        (sys.exit, 5, dipsat.Limits(), "megabytes"),  # any other end
    ],
)
def test_a_process_that_outstays_its_limits_is_ended(
    function: Any, argument: Any, limits: dipsat.Limits, limit: str
) -> None:
    with pytest.raises(LimitError) as caught:
        dipsat.run_limited(limits, function, argument)
    assert caught.value.limit == limit


@pytest.mark.parametrize("value", [0, -1, math.nan])
@pytest.mark.parametrize("name", ["seconds", "work", "megabytes"])
def test_a_limit_is_above_zero(name: str, value: float) -> None:
    with pytest.raises(LimitError) as caught:
        dipsat.Limits(**{name: value})  # type: ignore[arg-type]  # a number of the wrong kind too
    assert caught.value.limit == name


def test_memory_is_limited_only_in_a_process_of_its_own() -> None:
    for call in (dipsat.adjudicate, dipsat.prove):
        with pytest.raises(LimitError, match="run_limited"):
            call(START, ORDERS, limits=dipsat.Limits(megabytes=500))


def test_what_is_not_decided_within_the_work_is_unknown() -> None:
    paradox = {
        "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
        "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
    }
    position = dipsat.Position.from_units(
        {"ENGLAND": ["F LON", "F WAL"], "FRANCE": ["A BRE", "F ENG"]}
    )
    limits = dipsat.Limits(work=1)
    outcome = dipsat.adjudicate(position, paradox, limits=limits)
    assert {order.verdict for order in outcome.orders} >= {"unknown"}
    assert dipsat.prove(position, paradox, limits=limits).verdict == "unknown"
    assert dipsat.prove(position, paradox, limits=dipsat.Limits(work=100_000)).verdict != "unknown"


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dipsat", *arguments],
        check=False, capture_output=True, text=True, input="", cwd=ROOT,
    )  # fmt: skip


@pytest.mark.parametrize(("limit", "value"), [("--timeout", "0.05"), ("--memory", "40")])
def test_a_command_that_outstays_its_limits_ends_with_one_message(limit: str, value: str) -> None:
    done = command(limit, value, "rules", "stress", "datc", "-j", "1")
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1].startswith("error: the command ")


def test_limits_that_are_enough_change_nothing() -> None:
    arguments = ("adjudicate", "docs/examples/bounce.txt")
    free = CliRunner().invoke(main, [arguments[0], str(ROOT / arguments[1])])
    assert free.exit_code == 0
    assert command("--timeout", "600", "--memory", "4000", *arguments).stdout == free.stdout
