"""docs/cookbook.md: every recipe loads without remarks, and its orders differ from datc exactly as
the comment above them says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import dipsat
from dipsat.profiles.load import load_profile
from dipsat.profiles.remarks import remarks
from tests.pages import ROOT, blocks, page

FOLDER = ROOT / "docs" / "examples" / "cookbook"
PAGE = page("docs/cookbook.md")
RECIPES = sorted(
    path.stem for path in FOLDER.glob("*.yaml") if not path.stem.endswith((".orders", "-map"))
)
_STATED = re.compile(r"^# Under ([\w.-]+): +(.*\n(?:# {5,}.*\n)*)", re.MULTILINE)
_SETTLED = re.compile(r"^# Settled by (.*)\.$", re.MULTILINE)
_RULE = re.compile(r"(?:the rule )?'([^']+)' under ([\w-]+)(?: and ([\w-]+))?")


def orders_of(name: str) -> Path:
    """The file of orders that shows a recipe."""
    (path,) = (path for end in ("txt", "orders.yaml") if (path := FOLDER / f"{name}.{end}").exists())
    return path


def stated(text: str) -> dict[str, set[str]]:
    """Profile -> what the comment above the orders says of it, sentence by sentence."""
    return {
        name: {line.lstrip("# ").rstrip() for line in lines.splitlines()}
        for name, lines in _STATED.findall(text)
    }


def settled(text: str) -> dict[str, list[str]]:
    """Profile -> the rules for cycles that the comment names."""
    rules: dict[str, list[str]] = {}
    for line in _SETTLED.findall(text):
        for rule, *profiles in _RULE.findall(line):
            for profile in filter(None, profiles):
                rules.setdefault(profile, []).append(rule)
    return rules


def outcome_of(path: Path, rules: str | Path, **options: bool) -> dipsat.Outcome:
    """The outcome of the orders under a profile, on the map of the file, else of the profile."""
    profile = load_profile(rules)
    phase = dipsat.load_phase(path, rules=profile)
    return dipsat.adjudicate(phase.position, phase.orders, profile, **options)


def results(outcome: dipsat.Outcome) -> set[str]:
    """What became of each order, as a table of `dipsat adjudicate` says it."""
    found = set()
    for one in outcome.orders:
        words = [one.verdict] if one.verdict != "stands" or not one.fate else []
        found.add(f"{one.order} {', '.join([*words, *filter(None, [one.fate])])}")
    return found


def after(outcome: dipsat.Outcome) -> set[str]:
    """Where dislodged units may retreat, who owns which centre, and who wins."""
    found = {f"{one.unit} may retreat to {', '.join(one.retreats)}" for one in outcome.dislodged}
    for power, centers in outcome.next.to_dict()["centers"].items():
        found |= {f"{center} belongs to {power.title()}" for center in centers}
    return found | {f"{outcome.winner.title()} wins" if outcome.winner else "nobody wins yet"}


def without_consequences(one: dipsat.Outcome, other: dipsat.Outcome) -> set[str]:
    """What differs after the phase, apart from the retreats of units that only one dislodges."""
    both = {unit.unit for unit in one.dislodged if unit.retreats}
    both &= {unit.unit for unit in other.dislodged if unit.retreats}
    lines = after(one) - after(other)
    return {line for line in lines if " may retreat" not in line or line.split(" may")[0] in both}


@pytest.mark.parametrize("name", RECIPES)
def test_recipe_loads_without_remarks(name: str) -> None:
    profile = load_profile(FOLDER / f"{name}.yaml")
    assert profile.name == name
    assert remarks(profile) == ()


@pytest.mark.parametrize("name", RECIPES)
def test_orders_show_exactly_what_their_comment_says(name: str) -> None:
    path = orders_of(name)
    promised = stated(path.read_text(encoding="utf-8"))
    here = outcome_of(path, FOLDER / f"{name}.yaml")
    if "datc" not in promised:  # units that datc does not know
        assert promised == {name: results(here)}
        return
    standard = outcome_of(path, "datc")
    assert promised == {
        "datc": results(standard) - results(here) | without_consequences(standard, here),
        name: results(here) - results(standard) | without_consequences(here, standard),
    }
    assert all(promised.values())


@pytest.mark.parametrize("name", RECIPES)
def test_orders_have_one_resolution_or_the_rule_for_cycles_that_is_named(name: str) -> None:
    path = orders_of(name)
    promised = settled(path.read_text(encoding="utf-8"))
    for rules in (FOLDER / f"{name}.yaml", "datc"):
        if rules == "datc" and "datc" not in stated(path.read_text(encoding="utf-8")):
            continue
        outcome = outcome_of(path, rules, presolve=False)
        used = [rule for part in outcome.subgraphs for rule, _ in part.applications]
        assert used == promised.get(outcome.rules, []), outcome.rules
        assert outcome.is_proven == (used == [])
