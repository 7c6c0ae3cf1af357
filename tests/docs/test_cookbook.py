"""docs/cookbook.md: every recipe loads without remarks, and its orders differ from datc exactly as
the comment above them says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import dipsat
from dipsat.errors import DipsatError, SharedProvinceError
from dipsat.rules import load_profile, parse_profile, remarks
from tests.app.commands import printed
from tests.checkout import ROOT
from tests.core.crowds import boards_judged
from tests.exhaustive import few_of
from tests.pages import assert_command_prints, blocks, page
from tools.site.tables import with_tables

FOLDER = ROOT / "docs" / "examples" / "cookbook"
PAGE = page("docs/cookbook.md")
RECIPES = sorted(
    path.stem for path in FOLDER.glob("*.yaml") if not path.stem.endswith((".orders", "-map"))
)
BOARDS = 12
_STATED = re.compile(r"^# Under ([\w.-]+): +(.*\n(?:# {5,}.*\n)*)", re.MULTILINE)
_SETTLED = re.compile(r"^# Settled by (.*)\.$", re.MULTILINE)
_RULE = re.compile(r"(?:the rule )?'([^']+)' under ([\w-]+)(?: and ([\w-]+))?")


def orders_of(name: str) -> Path:
    """The file of orders that shows a recipe."""
    (path,) = (
        path for end in ("txt", "orders.yaml") if (path := FOLDER / f"{name}.{end}").exists()
    )
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


def outcome_of(path: Path, rules: str | Path, presolve: bool = True) -> dipsat.Outcome:
    """The outcome of the orders under a profile, on the map of the file, else of the profile."""
    profile = load_profile(rules)
    phase = dipsat.load_phase(path, rules=profile)
    return dipsat.adjudicate(phase.position, phase.orders, profile, presolve=presolve)


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
    """What differs afterwards, apart from the retreats of units that only one of them dislodges."""
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


@pytest.mark.parametrize("name", few_of(RECIPES, 8))
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


@pytest.mark.parametrize("name", few_of(RECIPES, 5))
def test_recipe_puts_no_two_units_into_one_province(name: str) -> None:
    assert boards_judged(load_profile(FOLDER / f"{name}.yaml"), BOARDS) == BOARDS


def test_recipe_that_forgot_to_keep_others_out_is_found() -> None:
    strong = "name: strong\nextends: datc\ndecisions:\n  attack_strength(m): base + 1\n"
    with pytest.raises(SharedProvinceError):
        boards_judged(parse_profile(strong, "strong.yaml"), BOARDS)


def test_page_shows_every_file_once_and_names_its_orders() -> None:
    files = [path for path in FOLDER.glob("*.yaml") if not path.stem.endswith(".orders")]
    texts = [path.read_text(encoding="utf-8") for path in files]
    assert sorted(blocks(with_tables(PAGE), "yaml")) == sorted(texts)
    for path, text in zip(files, texts, strict=True):
        (title,) = re.findall(r"^title: (.+)$", text, re.MULTILINE)
        assert f"\n[{title}](examples/cookbook/{path.name})\n" in PAGE
    linked = re.findall(r"\[Orders\]\(\s*examples/cookbook/([\w.-]+)\)", PAGE)
    assert sorted(linked) == sorted(orders_of(name).name for name in RECIPES)
    assert len({*linked}) + len(files) == len(list(FOLDER.iterdir()))
    for section in re.split(r"^### ", PAGE, flags=re.MULTILINE)[1:]:
        (name,) = re.findall(r"\[Orders\]\(\s*examples/cookbook/([\w-]+)\.", section)
        assert f"](examples/cookbook/{name}.yaml)\n" in section


@pytest.mark.parametrize("block", blocks(PAGE, "console"))
def test_command_of_the_page_prints_what_it_shows(
    block: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert_command_prints(block)


KNOWN_TO_DATC = [name for name in RECIPES if "Under datc:" in orders_of(name).read_text("utf-8")]


@pytest.mark.parametrize("name", few_of(KNOWN_TO_DATC, 5))
def test_compare_shows_the_difference(name: str) -> None:
    rules = ("--rules", "datc", "--rules", str(FOLDER / f"{name}.yaml"))
    printed("compare", str(orders_of(name)), *rules, status=1)


UNSAYABLE = {
    "the year": "legal:\n  x(m): phase.year > 1901",
    "how many": "variables: {b: Build}\nlegal:\n  x(b): any(o != b for o in Build)",
    "twice": "decisions:\n  defend_strength(m): 2 * base",
    "where a unit could go, early": "legal:\n  x(m): some(m.unit.near)",
    "coasts": "define:\n  meets(m, o): base and m.coast == o.coast",
    "every power": "legal:\n  x(m): any(m.target.owner == w for w in Power)",
    "lists": 'legal:\n  x(m): m.target.code in ["BEL", "HOL"]',
    "provinces related": "variables: {q: Province}\nrelations:\n  linked(p, q): [[BEL, HOL]]",
}


@pytest.mark.parametrize("text", UNSAYABLE.values(), ids=UNSAYABLE)
def test_what_the_page_says_cannot_be_expressed_is_refused(text: str) -> None:
    with pytest.raises(DipsatError):
        parse_profile(f"name: mine\nextends: datc\n{text}\n", "mine.yaml")
