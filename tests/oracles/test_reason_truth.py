"""Every printed reason is true about the board: it has what sentences count and name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

import dipsat
from dipsat.outcomes import Reason
from dipsat.rules import shipped_names
from tests.exhaustive import exhaustive, few_of
from tests.oracles.reason_checker import falsehoods
from tests.oracles.reasons import (
    Phase,
    Tally,
    case_phases,
    judged_by,
    random_phases,
    recorded_phases,
)
from tests.phases import adjudicate
from tests.recorded import needs_games
from tests.shipped import shipped_profile

_NAMES = shipped_names()
_GAMES = [name for name in _NAMES if name.startswith("variants/")]
_OTHERS = [name for name in _NAMES if name not in _GAMES]


@pytest.fixture(scope="module", autouse=True)
def _without_cores() -> Iterator[None]:
    """Skip order cores: no reason names one, and finding them took a third of the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dipsat.outcomes.evidence.order_core", lambda *_: ())
        yield


def false_sentences(phases: Iterable[Phase]) -> tuple[int, list[object]]:
    """The number of reasons, and those that are false about the board."""
    tally = Tally()
    tally.check(phases)
    return tally.orders, [*tally.false]


@pytest.mark.parametrize("seed", few_of(range(6), 2))
@pytest.mark.parametrize("name", _GAMES)
def test_reasons_under_the_rules_of_variants_are_true(name: str, seed: int) -> None:
    rules = shipped_profile(name)
    count, found = false_sentences(random_phases(rules, rules.map or "standard", seed))
    assert count
    assert not found


@pytest.mark.parametrize("name", few_of(_OTHERS, 20))
def test_reasons_under_every_rulebook_and_choice_are_true(name: str) -> None:
    count, found = false_sentences(random_phases(shipped_profile(name), "standard", 1))
    assert count
    assert not found


@pytest.mark.parametrize("name", few_of(dipsat.map_names(), 3))
def test_reasons_on_every_map_are_true(name: str) -> None:
    if dipsat.load_map(name).powers:
        _, found = false_sentences(random_phases(shipped_profile("datc"), name, 0))
        assert not found


@exhaustive
@pytest.mark.parametrize(
    ("name", "first", "every"),
    few_of(
        [("rulebooks/1971", 0, 3), ("datc", 0, 1), *((n, at, 8) for at, n in enumerate(_NAMES))], 1
    ),
)
def test_reasons_of_the_datc_cases_are_true(name: str, first: int, every: int) -> None:
    """Under other rules, one case in eight each; `python -m tests reasons` looks at all."""
    rules = shipped_profile(name)
    count, found = false_sentences(case_phases(rules, first % every, every))
    # Rules with their own map judge only the cases that fit on it.
    assert count > 800 // every or rules.map not in (None, "standard")
    assert not found


@exhaustive
@needs_games
@pytest.mark.parametrize("every", few_of([300, 7], 1))
def test_reasons_of_recorded_games_are_true(every: int) -> None:
    count, found = false_sentences(recorded_phases(every))
    assert count > 250
    assert not found


@exhaustive
@pytest.mark.parametrize(
    ("engine", "every"),
    few_of([("dpjudge", 4), ("dpjudge", 1), ("dip_eval", 4), ("dip_eval", 1)], 2),
)
def test_reasons_of_engines_with_their_own_rules_are_true(engine: str, every: int) -> None:
    cases = case_phases(shipped_profile("rulebooks/1982"), every=every)
    count, found = false_sentences(judged_by(engine, cases))
    assert count > 150
    assert not found


# --- the checker itself ---------------------------------------------------------------------------

BATTLE = {
    "FRANCE": ["A PAR - BUR", "A PIC S A PAR - BUR", "F BRE - ENG", "A MAR - GAS"],
    "ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL", "F WAL S F LON", "A ROM - VEN"],
    "GERMANY": ["A BUR H", "A MUN S A BUR", "A RUH - BEL", "A KIE S A RUH - HOL"],
}


def retold(outcome: dipsat.Outcome, unit: str, text: str) -> Any:
    """The outcome with another reason for a unit's order."""
    orders = [
        SimpleNamespace(
            power=one.power, unit=one.unit, submitted=one.submitted, order=one.order,
            verdict=one.verdict, fate=one.fate, amended=one.amended,
            reason=Reason("", text) if one.unit == unit else one.reason,
        )
        for one in outcome.orders
    ]  # fmt: skip
    return SimpleNamespace(
        orders=orders, position=outcome.position, profile=outcome.profile, rules=outcome.rules,
        decisions=outcome.decisions, units_after=outcome.units_after, to_dict=outcome.to_dict,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("unit", "text"),
    [
        ("A PAR", "nothing stops it"),  # the move fails
        ("A PAR", "held off by A BUR (2 against 2)"),  # the support is missing
        ("A PAR", "held off by A BUR supported by A MUN (3 against 2)"),
        ("A PAR", "held off by A BUR supported by A RUH (2 against 2)"),
        ("A PAR", "bounces off A RUH (2 against 2)"),
        ("A LON", "bounces off A RUH (1 against 2)"),
        ("A LON", "its convoy is disrupted: F NTH"),
        ("A MUN", "cut by A PAR"),
        ("F NTH", "the convoying fleet is dislodged by F BRE"),
        ("A BUR", "dislodged by A PAR"),
        ("A KIE", "A RUH does not move to BEL"),
        ("F BRE", "the fleet cannot reach ENG from BRE"),
        ("A LON", "LON does not border BEL, and no fleets stand where they could convoy it"),
        ("A LON", "no fleets stand where they could convoy it from LON to BEL"),
        ("A MAR", "the moon stands in its way"),
    ],
)
def test_the_checker_finds_false_sentences(unit: str, text: str) -> None:
    outcome = adjudicate(BATTLE)
    assert not list(falsehoods(outcome))
    (found,) = falsehoods(retold(outcome, unit, text))
    assert found.sentence == text


# --- sentences that were false --------------------------------------------------------------------


def told(
    orders: dict[str, list[str]], unit: str, rules: str = "datc", engine: str = "solver"
) -> str:
    """The reason for the order of a unit."""
    return adjudicate(orders, rules, engine=engine).order(unit).reason.text


@pytest.mark.parametrize("engine", ["solver", "dpjudge"])
def test_the_reason_for_a_path_with_an_empty_sea_names_the_sea(engine: str) -> None:
    orders = {"ENGLAND": ["A LON - NTH - BEL"], "FRANCE": ["F ENG H"]}
    assert told(orders, "A LON", "judges/dpjudge", engine) == (
        "its route names NTH, where no fleet could convoy it"
    )


def test_the_reason_for_an_impossible_move_is_the_missing_border_and_convoy() -> None:
    orders = {"ENGLAND": ["A YOR - BEL"], "FRANCE": ["F ENG H"]}
    assert told(orders, "A YOR") == (
        "YOR does not border BEL, and no fleets stand where they could convoy it"
    )
    assert told({"ITALY": ["A VEN - NAP"]}, "A VEN").startswith("VEN does not border NAP, and ")


def test_a_supported_unit_whose_move_fails_is_said_to_be_ordered_to_move() -> None:
    orders = {"FRANCE": ["A PAR - BUR", "A GAS S A PAR"], "GERMANY": ["A BUR H"]}
    assert told(orders, "A GAS") == "A PAR is ordered to move"


def test_a_convoy_with_a_route_left_does_not_fail_for_lack_of_one() -> None:
    """By 4.A.1 a, one lost route is enough; by the all-hold rule, no route is lost at all."""
    orders = {
        "ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL", "F ENG C A LON - BEL"],
        "FRANCE": ["F BRE - ENG", "F MAO S F BRE - ENG"],
    }
    assert told(orders, "A LON", "choices/4.A.1-a") == (
        "one of its convoy routes is disrupted: F ENG"
    )
    paradox = {
        "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
        "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
    }
    assert told(paradox, "A BRE", "choices/4.A.2-all-hold") == (
        "the rule 'all hold' settles a decision cycle that has 2 resolutions"
    )


def retreating(rules: dipsat.Profile, first: str, second: str) -> list[str]:
    """The reasons for the retreats of an army in TRI and one in GAL, both to BUD."""
    lost = {"AUSTRIA": {f"{first}A TRI": ["BUD"]}, "RUSSIA": {f"{second}A GAL": ["BUD"]}}
    standing = {"ITALY": ["A TRI", "A GAL"]}
    position = dipsat.Position.from_units(standing, "standard", "F1901R", None, lost, rules)
    orders = {"AUSTRIA": ["A TRI R BUD"], "RUSSIA": ["A GAL R BUD"]}
    return [one.reason.text for one in dipsat.adjudicate(position, orders, rules).orders]


@pytest.mark.parametrize(
    ("first", "second", "reasons"),
    [
        ("Silver ", "Red ", ["Red A GAL goes there: its color is superior to that of Silver A TRI",
                             "its color is superior to that of Silver A TRI"]),
        ("Silver ", "Purple ", ["its color is superior to that of Purple A GAL",
                                "Silver A TRI goes there: its color is superior to that of "
                                "Purple A GAL"]),
        ("Red ", "Red ", ["Red A GAL retreats there too, so both are disbanded",
                          "Red A TRI retreats there too, so both are disbanded"]),
    ],
)  # fmt: skip
def test_the_reasons_of_two_retreats_to_one_province_say_what_decides(
    first: str, second: str, reasons: list[str]
) -> None:
    assert retreating(dipsat.load_profile("arpiesse"), first, second) == reasons


def test_reasons_under_house_rules_about_retreats_name_the_rules_or_their_reason() -> None:
    text = "name: x\nextends: datc\nresults:\n  retreat_succeeds(r): "
    by_power = f'{text}r.power == "RUSSIA"\n'
    assert retreating(dipsat.parse_profile(by_power, "x"), "", "") == [
        "A GAL goes there: the rules let it go there instead of A TRI",
        "the rules let it go there instead of A TRI",
    ]
    named = f"{by_power}reasons: {{retreat_succeeds: Russia goes before}}\n"
    assert retreating(dipsat.parse_profile(named, "x"), "", "")[1] == "Russia goes before: A TRI"


@pytest.mark.parametrize(
    ("power", "centres", "units", "order", "reason"),
    [
        ("CHINA", ["CAN", "HON"], ["A HON"], "A CAN B",
         "China has no build: 1 centre (CAN, but not HON), 1 unit"),
        ("CHINA", ["HON"], [], "WAIVE", "China has no build: 0 centres (not HON), 0 units"),
        ("CHINA", ["CAN", "HON"], ["A HON"], "A HON D",
         "China need not disband: 1 centre (CAN, but not HON), 1 unit"),
        ("BRITAIN", ["HON"], ["F HON"], "WAIVE", "Britain has no build: 1 centre, 1 unit"),
    ],
)  # fmt: skip
def test_centres_that_do_not_count_are_named(
    power: str, centres: list[str], units: list[str], order: str, reason: str
) -> None:
    rules = dipsat.load_profile("colonial")
    position = dipsat.Position.from_units(
        {power: units}, "colonial", "W1874A", {power: centres}, rules=rules
    )
    (found,) = dipsat.adjudicate(position, {power: [order]}, rules).orders
    assert found.reason.text == reason


def test_the_reason_for_no_build_is_the_missing_place_if_centres_exceed_units() -> None:
    position = dipsat.Position.from_units(
        {"FRANCE": ["A PAR"]}, phase="W1901A", centers={"FRANCE": ["PAR", "BEL"]}
    )
    (found,) = dipsat.adjudicate(position, {"FRANCE": ["WAIVE"]}).orders
    assert found.reason.text == (
        "France has no build: 2 centres, 1 unit, but no vacant province to build in"
    )


def test_a_disband_without_an_order_says_how_distance_is_measured() -> None:
    position = dipsat.Position.from_units(
        {"FRANCE": ["A PAR", "F NTH"]}, phase="W1901A", centers={"FRANCE": ["PAR"]}
    )
    (found,) = dipsat.adjudicate(position, {}, "choices/4.D.8-d").orders
    assert found.reason.text == (
        "not enough disbands ordered; no unit that stays is farther from home, with only moves of "
        "fleets counted for fleets"
    )
