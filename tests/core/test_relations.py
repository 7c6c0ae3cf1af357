"""Properties that rules require of a relation, and the words for a domain in orders."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import TypeAlias

import pytest

import dipsat
from dipsat.errors import ProblemsError, ProfileError, UnknownNameError
from dipsat.rules import Profile, difference, load_profile, parse_profile, whole_profile
from dipsat.rules.declarations import PROPERTIES
from tests.exhaustive import exhaustive, parts_of
from tests.oracles.arpiesse_boards import COLORS, battle
from tests.phases import adjudicate

BASE = """\
name: ranks
extends: datc
domains: {Rank: [low, mid, top]}
variables: {x: Rank, y: Rank, u: Unit}
"""


def rows(text: str, asked: str) -> Profile:
    """Rules with a relation of these rows that must have these properties."""
    relation = f"relations:\n  over(x, y): {{rows: {text}, properties: {asked}}}\n"
    return parse_profile(BASE + relation, "ranks.yaml")


# By the definitions of mathematics, for every relation over three members.
MEMBERS = ("low", "mid", "top")
Pairs: TypeAlias = set[tuple[str, str]]
DEFINITIONS: dict[str, Callable[[Pairs], bool]] = {
    "reflexive": lambda r: all((a, a) in r for a in MEMBERS),
    "irreflexive": lambda r: all((a, a) not in r for a in MEMBERS),
    "symmetric": lambda r: r == {(b, a) for a, b in r},
    "antisymmetric": lambda r: all(a == b for a, b in r & {(b, a) for a, b in r}),
    "asymmetric": lambda r: not r & {(b, a) for a, b in r},
    "transitive": lambda r: r >= {(a, d) for (a, b), (c, d) in product(r, r) if b == c},
    "connected": lambda r: all(
        a == b or (a, b) in r or (b, a) in r for a, b in product(MEMBERS, MEMBERS)
    ),
    "total": lambda r: all((a, b) in r or (b, a) in r for a, b in product(MEMBERS, MEMBERS)),
}


def test_every_property_is_defined_here_a_second_time() -> None:
    assert PROPERTIES.keys() == DEFINITIONS.keys()


@pytest.mark.parametrize("name", DEFINITIONS)
def test_properties_are_those_of_mathematics(name: str) -> None:
    pairs = list(product(MEMBERS, MEMBERS))
    for chosen in product((False, True), repeat=len(pairs)):
        relation = {pair for pair, is_in in zip(pairs, chosen, strict=True) if is_in}
        found = next(PROPERTIES[name](dict.fromkeys(sorted(relation)), MEMBERS), None)
        assert (found is None) is DEFINITIONS[name](relation), relation
        assert found is None or found[0] is None or found[0] in relation


@pytest.mark.parametrize(
    ("listed", "asked", "problem"),
    [
        ("[[low, low]]", "irreflexive", "23: {} irreflexive, but this row relates low to itself"),
        ("[[low, mid], [mid, low]]", "asymmetric",
         "35: {} asymmetric, but [low, mid] is there too"),
        ("[[low, mid], [mid, top]]", "transitive",
         "35: {} transitive, but with [low, mid] and [mid, top], [low, top] is missing"),
        ("[[low, mid], [mid, top]]", "connected",
         "22: {} connected, but neither [low, top] nor [top, low] is there"),
        ("[[low, mid]]", "asymetric",
         "49: 'asymetric' is not a property of a relation; did you mean 'asymmetric'?"),
    ],
)  # fmt: skip
def test_row_that_breaks_a_property_is_refused_at_its_place(
    listed: str, asked: str, problem: str
) -> None:
    with pytest.raises(ProfileError) as caught:
        rows(listed, f"[{asked}]")
    told = problem.format("relation 'over' should be")
    assert str(caught.value) == f"ranks.yaml:6:{told}"


@pytest.mark.parametrize(
    ("relation", "problems"),
    [
        ("{rows: [[low], [low, tip]], row: 1, property: 2}",
         ["6:23: a row of over has 2 members, not 1", "6:36: 'tip' is not a member of Rank",
          "6:43: unknown key 'row'", "6:51: unknown key 'property'"]),
        ("{properties: [odd], keys: 1}",
         ["6:15: this relation has no 'rows'", "6:29: 'odd'", "6:35: unknown key 'keys'"]),
        # Once corrected, the second row may make it symmetric; nothing makes it irreflexive.
        ("{rows: [[mid, mid], [low, tip], [mid, low]], properties: [symmetric, irreflexive]}",
         ["6:23: relation 'over' should be irreflexive", "6:41: 'tip' is not a member of Rank"]),
    ],
)  # fmt: skip
def test_all_faults_of_a_relation_are_reported_at_once(relation: str, problems: list[str]) -> None:
    with pytest.raises(ProblemsError) as caught:
        parse_profile(f"{BASE}relations:\n  over(x, y): {relation}\n", "ranks.yaml")
    found = str(caught.value).splitlines()
    assert len(found) == len(problems)
    for line, problem in zip(found, problems, strict=True):
        assert line.startswith(f"ranks.yaml:{problem}"), line


def test_relation_that_has_its_properties_loads() -> None:
    profile = rows("[[low, mid], [mid, top], [low, top]]", "[asymmetric, transitive, connected]")
    relation = profile.declared.relations["over"]
    assert relation.properties == ("asymmetric", "transitive", "connected")


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("over(x): {rows: [[low]], properties: [transitive]}", "two members of one domain"),
        ("over(x, y): {properties: [transitive]}", "has no 'rows'"),
        ("over(x, y): {rows: [[low, mid]], property: [transitive]}", "did you mean 'properties'"),
    ],
)
def test_relation_that_is_stated_wrongly_is_refused(entry: str, problem: str) -> None:
    with pytest.raises(dipsat.errors.DipsatError, match=problem):
        parse_profile(f"{BASE}relations:\n  {entry}\n", "ranks.yaml")


def extended(relation: str) -> Profile:
    return parse_profile(
        f"name: mine\nextends: arpiesse\nrelations:\n  superior(k, n): {relation}\n", "mine.yaml"
    )


def test_replaced_rows_must_keep_the_properties_of_the_relation() -> None:
    """Red over silver over red: two units would enter one province."""
    with pytest.raises(
        ProfileError, match=r"mine.yaml:4:28: relation 'superior' should be asymmetric, but "
    ):
        extended("[[R, S], [S, R]]")
    assert extended("[[P, R]]").declared.relations["superior"].properties == ("asymmetric",)


def test_stated_properties_replace_all_others() -> None:
    profile = extended("{rows: [[R, S], [S, R]], properties: []}")
    assert profile.declared.relations["superior"].properties == ()


def test_profile_written_in_full_keeps_properties_and_words() -> None:
    profile = extended("[[P, R]]")
    again = parse_profile(whole_profile(profile), "again.yaml")
    assert again.declared == profile.declared
    assert not difference(profile, again).changes


# --- words of a domain ----------------------------------------------------------------------------

ROCK = """\
name: rock
extends: arpiesse
domains:
  Color: {R: rock, P: paper, S: scissors}
"""
WORDS = {"Red": "Rock", "Purple": "Paper", "Silver": "Scissors"}


def renamed(text: str) -> str:
    for old, new in WORDS.items():
        text = text.replace(old, new).replace(old.lower(), new.lower())
    return text


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(25), 4))
def test_one_entry_gives_the_colors_other_names(seeds: range) -> None:
    """Szykman, introduction: other labels may replace the colors.

    "If you find some alternative set of three labels preferable, feel free to substitute them for
    the colors. The rules will work just as well."
    """
    rock = parse_profile(ROCK, "rock.yaml")
    assert set(WORDS) == set(COLORS)
    for seed in seeds:
        orders = battle(seed)
        own = {power: [renamed(text) for text in texts] for power, texts in orders.items()}
        plain, found = adjudicate(orders, "arpiesse"), adjudicate(own, rock)
        assert {renamed(name): v for name, v in plain.decisions.items()} == found.decisions
        shown = [renamed(f"{o.order}: {o.verdict}, {o.reason.text}") for o in plain.orders]
        assert shown == [f"{o.order}: {o.verdict}, {o.reason.text}" for o in found.orders]


def test_other_names_are_the_only_ones_in_a_game() -> None:
    game = dipsat.Game.new(rules=parse_profile(ROCK, "rock.yaml"))
    assert str(game.position.units[0]) == "Rock F ANK"
    with pytest.raises(UnknownNameError, match=r"unknown color 'red'.*rock, paper, scissors"):
        game.submit("ITALY", ["Red A VEN H"])
    game.submit("ITALY", ["rock A VEN H"])


def test_words_may_be_swapped() -> None:
    swapped = parse_profile(ROCK.replace("rock,", "purple,").replace("paper", "red"), "s.yaml")
    orders = {"ITALY": ["Purple A Ven - Tri"], "AUSTRIA": ["Red A Tri H"]}
    assert adjudicate(orders, "arpiesse").order("VEN").verdict == "succeeds"
    assert adjudicate(orders, swapped).order("VEN").verdict == "fails"


@exhaustive
def test_expressions_have_the_name_of_the_rule_file_and_not_the_word() -> None:
    """The words are for orders only, so that other words never change what rules say."""
    profile = parse_profile(ROCK + 'legal: {no_paper(m): m.unit.color != "P"}\n', "rock.yaml")
    orders = {"ITALY": ["Paper A Ven - Tri"], "AUSTRIA": ["Rock A Vie - Tri"]}
    assert adjudicate(orders, profile).order("VEN").verdict == "illegal"
    for word in ("paper", "purple"):
        with pytest.raises(ProfileError, match=f"Color is never '{word}'; known here: R, P, S"):
            parse_profile(ROCK + f'legal: {{no_paper(m): m.unit.color != "{word}"}}\n', "rock.yaml")


@pytest.mark.parametrize(
    ("domain", "problem"),
    [
        ("{R: rock, P: Rock, S: scissors}", "4:23: 'Rock' is listed twice"),
        ('{R: rock, P: "-", S: scissors}', "4:23: '-' cannot be a word in orders"),
        ("{}", "4:10: a domain needs members"),
        ("[rock, paper, scissors]",
         "rock.yaml:4:10: Color lacks R, S and P, used at rules/variants/arpiesse.yaml:16:35 "
         "and later; write {R: rock, P: paper, S: scissors}"),
    ],
)  # fmt: skip
def test_impossible_words_of_a_domain_are_refused(domain: str, problem: str) -> None:
    text = ROCK.replace("{R: rock, P: paper, S: scissors}", domain)
    with pytest.raises(dipsat.errors.DipsatError) as caught:
        parse_profile(text, "rock.yaml")
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


def test_equation_of_the_base_that_needs_a_lost_member_is_named(tmp_path: Path) -> None:
    base = f"{BASE}attributes: {{rank: {{domain: Rank}}}}\n"
    (tmp_path / "base.yaml").write_text(f'{base}legal:\n  low(m): m.unit.rank == "low"\n')
    text = "name: top\nextends: base.yaml\ndomains:\n  Rank: [bottom, middle, top]\n"
    with pytest.raises(ProfileError) as caught:
        parse_profile(text, str(tmp_path / "mine.yaml"))
    assert f"mine.yaml:4:9: Rank lacks low, used at {tmp_path / 'base.yaml'}:7" in str(caught.value)
    with pytest.raises(ProfileError, match=r"mine.yaml:5:32: Rank is never 'low'"):
        parse_profile(
            f'{text}legal: {{low(m): m.unit.rank == "low"}}\n', str(tmp_path / "mine.yaml")
        )


@pytest.mark.parametrize(
    ("domain", "problems"),
    [
        ("{R: A, P: F, S: H}", ["4:14: 'A' .* the unit kind army in", "4:20: 'F' .* kind fleet",
                                "4:26: 'H' .* an action in orders"]),
        ("{R: Army, P: Fleet, S: build}", ["4:14: 'Army'", "4:23: 'Fleet'", "4:33: 'build'"]),
        ("{R: Paris, P: via, S: Turkish}", ["4:14: 'Paris' .* province PAR", "4:24: 'via'",
                                            "4:32: 'Turkish' .* power TURKEY"]),
        ("{R: dark fleet, P: exchange, S: c}", ["4:14: 'dark fleet' .* 'fleet' already",
                                                 "4:29: 'exchange' .* kind Exchange",
                                                 "4:42: 'c'"]),
    ],
)  # fmt: skip
def test_word_before_units_means_nothing_else_in_orders(domain: str, problems: list[str]) -> None:
    """Szykman, introduction: any "set of three labels" will do, but orders must stay readable."""
    with pytest.raises(ProblemsError) as caught:
        parse_profile(f"name: mine\nextends: arpiesse\ndomains:\n  Color: {domain}\n", "mine.yaml")
    found = str(caught.value).splitlines()
    assert len(found) == len(problems)
    for line, problem in zip(found, problems, strict=True):
        assert re.match(f"mine.yaml:{problem}.*; choose a word", line), line


@exhaustive
def test_words_before_units_depend_on_the_map_and_the_units() -> None:
    text = "name: mine\nextends: [arpiesse, {}]\ndomains: {{Color: {{R: {}, P: paper, S: mice}}}}\n"
    with pytest.raises(ProfileError, match=r"3:22: 'Wing' .* the unit kind wing"):
        parse_profile(text.format("wings", "Wing"), "mine.yaml")
    with pytest.raises(ProfileError, match=r"4:22: 'Delhi' .* province DEL of the map 'colonial'"):
        parse_profile(f"map: colonial\n{text.format('datc', 'Delhi')}", "mine.yaml")
    parse_profile(text.format("datc", "Delhi"), "mine.yaml")


def test_difference_names_the_words_and_what_uses_them() -> None:
    found = difference(load_profile("arpiesse"), parse_profile(ROCK, "rock.yaml")).changes
    assert (found[0].section, found[0].name) == ("domains", "Color")
    assert {change.through for change in found[1:]} == {("Color",)}
