"""Known deviations of other programs, whole programs and switches: `rules/judges`, their page,
and how deviations are laid over rules."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import dipsat
from dipsat.base import parse_yaml
from dipsat.errors import ProfileError, UnknownNameError, UnresolvedError
from dipsat.formats import load_cases, parse_phase_text
from dipsat.game import PhaseKind
from dipsat.outcomes import judge_alike
from dipsat.rules import Profile, load_profile, parse_profile
from dipsat.rules.composer import Composer
from dipsat.studies import (
    Deviation,
    RandomBoard,
    deviations,
    explaining_deviations,
    profile_with,
    random_board,
    rule_deviations as causes,
)
from tests.checkout import ROOT
from tests.exhaustive import exhaustive, parts_of
from tests.judged_boards import judge_of, named
from tests.phases import adjudicate, troubled_orders

FILES = sorted(path.stem for path in (ROOT / "rules" / "judges").glob("*.yaml"))
PAGE = (ROOT / "docs" / "judges.md").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Section:
    """A deviation on the page. `fates` maps each unit to what dipsat and the other judge say."""

    name: str
    text: str
    example: str
    fates: Mapping[str, tuple[str, str]]

    def outcome(self, rules: dipsat.Profile | str) -> dipsat.Outcome:
        """The example under these rules."""
        phase = parse_phase_text(self.example, "docs/judges.md")
        return dipsat.adjudicate(phase.position, phase.orders, rules)


def section(name: str, body: str) -> Section:
    text, _, rest = body.strip().partition("\n\n```")
    example, _, table = rest.partition("\n")[2].partition("```")
    rows = re.findall(
        r"^- ([AF] \w{3}(?:/\w\w)?|owner of \w{3}): (.+) → (.+)$", table, re.MULTILINE
    )
    fates = {unit: (mine, theirs) for unit, mine, theirs in rows}
    return Section(name, " ".join(text.split()), example, fates)


def sections(heading: str) -> list[Section]:
    """The sections of the page under headings of this level."""
    found = re.findall(rf"^{heading} `(.+)`$([^#]*)", PAGE, re.MULTILINE)
    return [section(name, body) for name, body in found]


SECTIONS = sections("##")
PROGRAMS = sections("###")  # whole programs and switches


def fates(outcome: dipsat.Outcome) -> dict[str, str]:
    """The verdict, fate and possible retreats of each unit in an outcome, and who owns centres."""
    retreats = {
        lost.unit: f" to {', '.join(lost.retreats)}" for lost in outcome.dislodged if lost.retreats
    }
    owners = {
        f"owner of {code}": power for power, owned in outcome.next.centers.items() for code in owned
    }
    return owners | {
        order.unit: ", ".join(
            filter(None, [order.verdict, order.fate + retreats.get(order.unit, "")])
        )
        for order in outcome.orders
    }


def file_of(name: str) -> str:
    return (ROOT / "rules" / "judges" / f"{name}.yaml").read_text(encoding="utf-8")


# The files and their page.


def test_page_and_order_have_every_file_of_the_folder() -> None:
    """One section per file and one file per section, the commonest first in both lists."""
    names = [deviation.name for deviation in deviations()]
    assert [section.name for section in SECTIONS] == names
    programs = [section.name for section in PROGRAMS]
    assert sorted([*names, *programs, "base"]) == FILES


def differing(section: Section, rules: dipsat.Profile) -> dict[str, tuple[str, str]]:
    """The units for which datc and these rules differ, and what each says."""
    mine, theirs = fates(section.outcome("datc")), fates(section.outcome(rules))
    return {
        unit: (mine.get(unit, "stays"), theirs.get(unit, "stays"))
        for unit in mine | theirs
        if mine.get(unit) != theirs.get(unit)
    }


@pytest.mark.parametrize("section", [*SECTIONS, *PROGRAMS], ids=lambda section: section.name)
def test_each_section_begins_with_the_title_of_its_file_and_its_example_differs_as_it_says(
    section: Section,
) -> None:
    """The title of a program or switch has its source; readers of a list must know that no game
    showed it."""
    profile, is_seen = load_profile(f"judges/{section.name}"), section in SECTIONS
    assert profile.name == section.name
    assert section.text.startswith(f"{profile.title} Seen in " if is_seen else f"{profile.title} ")
    sources = r"\(DATC \d\.[A-J]\.\d+"
    if not is_seen:
        sources = r"\(DATC |\(the published DPjudge algorithm, steps? \d|\(version \d"
    assert re.search(sources, profile.title)
    rules = profile_with("datc", named(section.name)) if is_seen else profile
    assert differing(section, rules) == section.fates != {}


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.name)
def test_each_example_is_explained_by_its_deviation_alone(section: Section) -> None:
    theirs = fates(section.outcome(profile_with("datc", named(section.name))))
    found = explaining_deviations(section.outcome, lambda outcome: fates(outcome) == theirs, "datc")
    assert found == named(section.name)
    assert explaining_deviations(section.outcome, lambda _: True, "datc") == ()  # nothing differs


@pytest.mark.parametrize(
    "name", [name for name in FILES if name not in ("base", "diplomacy", "dpjudge", "jdip")]
)
def test_each_deviation_changes_only_terms_of_the_base_and_settings(name: str) -> None:
    """A term of another name would silently change nothing."""
    hooks = parse_yaml(file_of("base"), "base.yaml").value["define"].value
    own = parse_yaml(file_of(name), "own.yaml").value
    assert set(own) <= {"name", "title", "extends", "define", "settings", "decisions"}
    if "decisions" in own:
        assert set(own["decisions"].value).isdisjoint(load_profile("datc").decisions)
    assert own["extends"].value == "judges/base"
    assert not own.get("define") or set(own["define"].value) <= set(hooks)


def test_the_profile_of_the_page_plays_by_two_deviations() -> None:
    house = parse_profile(re.findall(r"^```yaml\n(.*?)^```", PAGE, re.M | re.S)[0], "house.yaml")
    chosen = profile_with("datc", named("vain-via-over-land", "home-centre-disbands"))
    assert house.settings == chosen.settings != load_profile("datc").settings


def test_judges_are_loaded_by_name_but_not_offered_to_play_by() -> None:
    assert load_profile("judges/base").name == "judges-base"
    assert not [name for name in dipsat.profile_names() if name.startswith("judges")]


# The base judges as datc.


def alike(rules: dipsat.Profile, board: RandomBoard) -> bool:
    mine, theirs = judge_of(board)(load_profile("datc")), judge_of(board)(rules)
    return all(
        getattr(mine, what) == getattr(theirs, what)
        for what in ("decisions", "dislodged", "contested", "units_after")
    )


@pytest.mark.parametrize("seeds", parts_of(range(200), 6))
def test_the_base_decides_random_boards_as_datc(seeds: range) -> None:
    base = load_profile("judges/base")
    assert [seed for seed in seeds if not alike(base, random_board(seed))] == []


@pytest.mark.parametrize("seeds", parts_of(range(200), 6))
def test_the_base_decides_boards_with_cycles_as_datc(seeds: range) -> None:
    for seed in seeds:
        orders = troubled_orders(seed)
        mine, theirs = adjudicate(orders), adjudicate(orders, "judges/base")
        assert mine.decisions == theirs.decisions, orders
        assert [order.reason.code for order in mine.orders] == [
            order.reason.code for order in theirs.orders
        ]


@exhaustive
def test_the_base_decides_every_case_of_the_datc_as_datc() -> None:
    cases = load_cases()
    for case in cases:
        mine = dipsat.adjudicate(case.position, case.orders)
        theirs = dipsat.adjudicate(case.position, case.orders, "judges/base")
        assert mine.decisions == theirs.decisions, case.name
        assert fates(mine) == fates(theirs), case.name
        assert mine.units_after == theirs.units_after, case.name
    assert len(cases) > 150


# Laying deviations over rules.

SIEGE = """\
name: siege
extends: datc
settings: {support_coast: own}
decisions:
  hold_strength(p): 2 if some(p.units) else 0
"""


def test_deviations_are_laid_over_a_profile_of_ones_own(tmp_path: Path) -> None:
    """The result is that of a file that extends them all, in whatever order they are named."""
    (tmp_path / "siege.yaml").write_text(SIEGE, encoding="utf-8")
    names = ("disrupted-convoy-over-land", "vain-via-over-land")
    bases = ", ".join(["judges/base", "siege.yaml", *(f"judges/{name}" for name in names)])
    (tmp_path / "all.yaml").write_text(f"extends: [{bases}]\n", encoding="utf-8")
    written = load_profile(tmp_path / "all.yaml")
    siege = load_profile(tmp_path / "siege.yaml")
    for chosen in (named(*names), named(*reversed(names))):
        found = profile_with(siege, chosen)
        assert found.settings == written.settings
        assert found.decisions == written.decisions
        assert found.decisions["hold_strength"] == siege.decisions["hold_strength"]
        assert found.name == "siege + vain-via-over-land + disrupted-convoy-over-land"
    assert (written.settings.support_coast, written.settings.via_without_convoy) == (
        "own", "by land",
    )  # fmt: skip


def test_all_deviations_or_none_can_be_laid_over_rules() -> None:
    every = profile_with("datc", deviations())
    assert len(every.name.split(" + ")) == len(deviations()) + 1
    assert judge_of(random_board(1))(every).orders
    assert profile_with("datc", []) is load_profile("datc")
    assert profile_with("datc", deviations()) is every


def test_an_unknown_deviation_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean own-support-disrupts"):
        profile_with("datc", [Deviation("own-support-disrupt", "")])
    with pytest.raises(UnknownNameError, match="did you mean judges/own-support-disrupts"):
        load_profile("judges/own-support-disrupt")


def test_deviations_are_listed_without_composing_their_rules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    listed = deviations()
    for function in vars(causes).values():
        if hasattr(function, "cache_clear"):
            function.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(Composer, "profile", lambda *_: pytest.fail("rules are composed"))
        patch.setattr(causes, "load_profile", lambda *_: pytest.fail("rules are loaded"))
        assert deviations() == listed


# Finding the cause.


def test_two_deviations_are_found_where_one_is_not_enough() -> None:
    first, second = (
        next(section for section in SECTIONS if section.name == name)
        for name in ("convoyed-army-does-not-cut", "coast-of-support-ignored")
    )
    sheet = first.example + second.example
    both = replace(first, example=sheet)
    wanted = named(first.name, second.name)
    theirs = fates(both.outcome(profile_with("datc", wanted)))
    assert (
        explaining_deviations(both.outcome, lambda found: fates(found) == theirs, "datc") == wanted
    )
    known = named(second.name)
    assert (
        explaining_deviations(both.outcome, lambda found: fates(found) == theirs, "datc", known)
        is None
    )


@exhaustive
def test_what_no_set_of_deviations_causes_is_not_explained() -> None:
    board = random_board(8)
    assert explaining_deviations(judge_of(board), lambda _: False, "datc") is None


@exhaustive
def test_deviations_that_do_not_fit_or_leave_a_phase_unresolved_explain_nothing() -> None:
    """A user's own profile may use a name of the base for something else."""
    text = "extends: datc\ndefine:\n  arrives(p): true\n"
    rules = parse_profile(text, "mine.yaml")
    assert explaining_deviations(SECTIONS[0].outcome, lambda _: False, rules) is None

    def judge(rules: dipsat.Profile) -> dipsat.Outcome:
        if rules.name != "datc":
            raise UnresolvedError(rules.name, ["move(A PAR - BUR)"], 0)
        return SECTIONS[0].outcome(rules)

    assert explaining_deviations(judge, lambda _: False, "datc") is None
    with pytest.raises(UnresolvedError):  # a fault of the rules themselves is raised
        explaining_deviations(judge, lambda _: True, "1982")


def test_a_damaged_file_of_a_deviation_is_not_taken_for_one_that_does_not_fit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Deviations that do not fit the rules explain nothing; that does not excuse a broken file."""
    rules, judge = load_profile("datc"), judge_of(random_board(1))
    known = named("vain-via-over-land", "own-support-disrupts")

    def not_fitting(*_: object) -> dipsat.Profile:
        raise ProfileError("rules", 1, 1, "it does not fit")

    def loaded(name: str | dipsat.Profile) -> dipsat.Profile:
        if name == "judges/own-support-disrupts":
            raise ProfileError("judges/own-support-disrupts", 1, 1, "it is damaged")
        return load_profile(name)

    monkeypatch.setattr(causes, "_combined", not_fitting)
    assert explaining_deviations(judge, lambda _: False, rules, known) is None
    monkeypatch.setattr(causes, "load_profile", loaded)
    with pytest.raises(ProfileError, match="damaged"):
        explaining_deviations(judge, lambda _: False, rules, known)


# Deviations that are not tried on phases in which they change nothing.


HOMES = dipsat.load_map("standard").powers


def profiles() -> dict[str, Profile]:
    """`datc`, and `datc` with each deviation."""
    rules = dipsat.load_profile("datc")
    return {"datc": rules, **{one.name: profile_with(rules, [one]) for one in deviations()}}


def judging_alike(kind: PhaseKind) -> list[tuple[Profile, Profile]]:
    """The pairs of different profiles that judge a kind of phase alike."""
    pairs = combinations(profiles().values(), 2)
    return [(one, other) for one, other in pairs if judge_alike(one, other, kind)]


def moves(seed: int) -> tuple[dipsat.Position, dict[str, list[str]]]:
    """A board with many units and orders; some armies go to neighbours by convoy."""
    board = random_board(seed, 30)
    position = dipsat.Position.from_units(board.units, "standard", "F1901M")
    orders = {power: list(texts) for power, texts in board.orders.items()}
    for texts in orders.values():
        for at, text in enumerate(texts):
            if text.startswith("A ") and text.split()[2:3] == ["-"] and not text.endswith("VIA"):
                texts[at] = f"{text} VIA" if at % 2 else text
    return position, orders


def winter(seed: int) -> tuple[dipsat.Position, dict[str, list[str]]]:
    """A winter in which powers build or disband too few units."""
    rng = random.Random(seed)
    board = random_board(seed, 24)
    centers = {
        power: rng.sample(sorted(setup.centers), rng.randint(0, len(setup.centers)))
        for power, setup in HOMES.items()
    }
    position = dipsat.Position.from_units(board.units, "standard", "W1901A", centers)
    texts = {power: [f"{unit} D" for unit in units[:1]] for power, units in board.units.items()}
    return position, {**texts, "FRANCE": ["A PAR B", "F BRE B"]}


def judged_under(
    profile: Profile, position: dipsat.Position, orders: dict[str, list[str]]
) -> dict[str, Any]:
    found = dipsat.adjudicate(position, orders, profile).to_dict()
    del found["rules"]
    return found


@exhaustive
@pytest.mark.parametrize(
    ("kind", "phase"), [(PhaseKind.MOVEMENT, moves), (PhaseKind.ADJUSTMENT, winter)]
)
def test_profiles_that_are_said_to_judge_alike_do(kind: PhaseKind, phase: Any) -> None:
    pairs = judging_alike(kind)
    assert pairs
    concerned = {profile.name: profile for pair in pairs for profile in pair}
    for seed in range(6):
        position, orders = phase(seed)
        found = {
            name: judged_under(profile, position, orders) for name, profile in concerned.items()
        }
        for one, other in pairs:
            assert found[one.name] == found[other.name], (seed, one.name, other.name)


def test_settings_count_only_where_they_are_asked() -> None:
    known = profiles()
    plain, via, home = (
        known[name] for name in ("datc", "vain-via-over-land", "home-centre-disbands")
    )
    by_kind, anywhere = known["home-centre-disbands-by-kind"], known["build-anywhere"]
    movement, retreat, adjustment = PhaseKind.MOVEMENT, PhaseKind.RETREAT, PhaseKind.ADJUSTMENT
    assert judge_alike(plain, via, adjustment)
    assert not judge_alike(via, home, movement)
    assert judge_alike(home, by_kind, movement)
    assert not judge_alike(home, by_kind, adjustment)
    assert not judge_alike(plain, anywhere, adjustment)
    assert not judge_alike(home, by_kind, retreat)
    assert judge_alike(plain, plain, retreat)
