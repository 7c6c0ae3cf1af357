"""Whether an entry of a rule file changes anything: only the boards and phases on which it can are
judged, and the answer is the same as when everything is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from dipsat.rules import Profile, load_profile, parse_profile, variant_names
from dipsat.studies import judgements as judging, stress_boards as entries
from dipsat.studies.stress_boards import (
    CHANGES,
    LONGER,
    NEVER,
    PROVEN,
    OwnEntry,
    Reach,
    Trial,
    effect_of,
    first_difference,
    moves_of_board,
    own_entries,
    reach_of,
    without,
)
from tests.exhaustive import exhaustive

HOUSE = """
name: house
extends: datc
settings: {build_where: any}
legal:
  captures(u, p): u.kind == "army"
decisions:
  support(s): not overrun(s)
  dislodge(u): entered(u.province) and not left(u) and some(u.province.attackers)
  hold_strength(p): >
    0 if not some(p.units) else
    (0 if any(move(d) for d in p.departures) else 1) if some(p.departures) else 1
results:
  retreat_succeeds(r): 1 > 0
  retreat(u, p): may_retreat(u, p) and p.kind != "sea"
cycles_before:
  - {name: rings stop, when: ring(cycle.move), set: {move: false}}
  - {name: no such cycle, when: some(cycle.path) and not some(cycle.convoy), set: {move: false}}
"""
RESTS = """
name: rests
extends: datc
orders:
  Rest(x): {form: "{unit} rests", phase: summer, legal: {ashore: dry(x.unit.province)}}
variables: {x: Rest}
define:
  dry(p): p.kind != "sea"
decisions:
  support(s): not overrun(s) and (dry(s.unit.province) or s.unit.kind == "fleet")
reasons: {ashore: no rest at sea}
"""
BOARDS = 6
SEED = 80  # a ring and two convoy paradoxes are on the boards that follow


def house(boards: int = BOARDS) -> Trial:
    """The house rules above on a few boards."""
    return Trial(parse_profile(HOUSE, "house.yaml"), "standard", boards, SEED, 27)


def reach_without(profile: Profile, entry: OwnEntry) -> Reach | None:
    """Where leaving out an entry can make a difference."""
    reduced = without(profile, entry)
    assert reduced is not None
    return reach_of(reduced, profile)


def same_as_everything(trial: Trial, entry: OwnEntry) -> str:
    """The verdict on an entry, which has to be that of judging everything."""
    found, other = effect_of(trial, entry), without(trial.profile, entry)
    if other is not None and found.verdict != PROVEN:
        tried, against = trial, other
        if entry.section == "option":
            tried, against = replace(trial, profile=other), trial.profile
        assert found == first_difference(tried, against, Reach.EVERYTHING), entry
    return found.verdict


def test_entry_has_the_effect_that_judging_everything_shows() -> None:
    trial = house(boards=1)
    for section, name in (("cycles_before", "rings stop"), ("decisions", "dislodge")):
        same_as_everything(trial, OwnEntry(section, name))


@exhaustive
def test_every_entry_has_the_effect_that_judging_everything_shows() -> None:
    trial = house()
    found = {entry: same_as_everything(trial, entry) for entry in own_entries(trial.profile)}
    reached = {entry: reach_without(trial.profile, entry) for entry in found}
    assert set(reached.values()) == set(Reach)
    for reach in (Reach.CYCLES, Reach.MOVES):
        verdicts = {verdict for entry, verdict in found.items() if reached[entry] is reach}
        assert verdicts == {CHANGES, NEVER}


@exhaustive
@pytest.mark.parametrize("rules", variant_names())
def test_every_entry_of_a_variant_has_the_effect_that_judging_everything_shows(rules: str) -> None:
    profile = load_profile(rules)
    trial = Trial(profile, profile.map or "standard", 3, 0, 27)
    for entry in own_entries(profile):
        same_as_everything(trial, entry)


@pytest.mark.parametrize(
    ("entry", "reach"),
    [
        ("cycles_before: rings stop", Reach.CYCLES),
        ("decisions: support", Reach.MOVES),
        ("results: retreat", Reach.MOVES),
        ("results: retreat_succeeds", Reach.EVERYTHING),
        ("legal: captures", Reach.EVERYTHING),
        ("settings: build_where", Reach.EVERYTHING),
    ],
)
def test_reach_of_an_entry_is_where_equations_ask_for_it(entry: str, reach: Reach) -> None:
    profile = house().profile
    (found,) = [one for one in own_entries(profile) if str(one) == entry]
    assert reach_without(profile, found) is reach


def test_equations_reach_the_retreats_where_units_change_by_what_happens() -> None:
    """The colour of a dislodged unit is first seen when it retreats."""
    profile = load_profile("arpiesse")
    assert reach_without(profile, OwnEntry("decisions", "support")) is Reach.EVERYTHING


@pytest.mark.parametrize(
    ("old", "new", "reach"),
    [('== "fleet"', '!= "army"', Reach.MOVES), ('!= "sea"', '== "land"', Reach.EVERYTHING)],
)
def test_term_reaches_a_phase_whose_orders_it_makes_legal(old: str, new: str, reach: Reach) -> None:
    """Where a unit may rest in summer says nothing about moves."""
    one, other = (parse_profile(text, "rests.yaml") for text in (RESTS, RESTS.replace(old, new)))
    assert reach_of(one, other) is reach


def counted(monkeypatch: pytest.MonkeyPatch, module: object, name: str) -> Callable[[], int]:
    """How often a function of a module is called from now on."""
    calls, honest = [0], getattr(module, name)

    def counting(*arguments: object) -> object:
        calls[0] += 1
        return honest(*arguments)

    monkeypatch.setattr(module, name, counting)
    return lambda: calls[0]


def test_cycle_rule_is_tried_on_boards_with_a_cycle_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    trial = house()
    seeds = range(SEED, SEED + LONGER * BOARDS)
    with_cycle = sum(moves_of_board(trial, seed)[1] for seed in seeds)
    assert 0 < with_cycle < len(seeds) // 2
    judged = counted(monkeypatch, entries, "everything_in_words")
    assert effect_of(trial, OwnEntry("cycles_before", "no such cycle")).verdict == NEVER
    assert judged() == 2 * with_cycle  # under both profiles


def test_no_retreats_and_no_winter_are_judged_for_an_equation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    winters = counted(monkeypatch, judging, "_winter")
    assert effect_of(house(), OwnEntry("decisions", "dislodge")).verdict == NEVER
    assert winters() == 0
