"""The choices of DATC chapter 4.B to 4.E, each as a file: what the documents say they do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import dipsat
from dipsat import load_phase
from dipsat.base import data_folder
from dipsat.board import parse_map
from dipsat.errors import ArgumentError, FileError, OrderFaultError, ProblemsError
from dipsat.formats import check_faults, load_cases
from dipsat.rules import Settings, setting_values
from dipsat.studies import random_board
from tests.exhaustive import exhaustive, few_of

FOLDER = data_folder("rules") / "choices"
NAMES = sorted(path.stem for path in FOLDER.glob("4.[BCDE].*.yaml"))
PREFERRED = [
    "4.B.1-a", "4.B.2-a", "4.B.3-b", "4.B.4-d", "4.B.5-b", "4.B.6-b", "4.B.7-a", "4.C.1-b",
    "4.C.2-b", "4.C.3-c", "4.C.4-a", "4.C.5-b", "4.C.6-b", "4.D.1-c", "4.D.2-b", "4.D.3-c",
    "4.D.4-b", "4.D.5-b", "4.D.6-b", "4.D.7-a", "4.D.8-2023", "4.D.9-b", "4.E.1-d", "4.E.3-b",
]  # fmt: skip


BY_CHOICES_ALONE = (
    "build_coast_omitted", "build_kind_missing", "build_fleet_inland", "builds_too_many",
    "builds_in_one_place", "disbands_too_many", "waive", "civil_disorder",
)  # fmt: skip
"""Settings of the adjustment phase, each value of which is a choice and is tested here."""

Orders = Mapping[str, Any]


def choice(name: str) -> dipsat.Profile:
    """The profile of one choice."""
    return dipsat.load_profile(Path(str(FOLDER / f"{name}.yaml")))


def composed(*names: str) -> dipsat.Profile:
    """The standard profile with several choices."""
    settings: dict[str, Any] = {}
    for name in names:
        settings |= changed(choice(name))
    return under(**settings)


def under(**settings: Any) -> dipsat.Profile:
    """The standard profile with other settings."""
    datc = dipsat.load_profile("datc")
    return replace(datc, settings=replace(datc.settings, **settings))


def changed(profile: dipsat.Profile) -> dict[str, Any]:
    """What a choice's own file states."""
    (file,) = (
        layer for layer in profile.layers if layer.root.path.endswith(f"{profile.name}.yaml")
    )
    settings = file.root.value["settings"].value
    return {key: node.raw for key, node in settings.items()}


# --- what each choice does ------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """Orders, and their results under some choices according to the documents.

    A result holds the verdict of each order ("not given": any other verdict), and perhaps, under
    `+POWER`, the units of a power afterwards.
    """

    source: str
    orders: Orders
    results: Mapping[str, Mapping[str, str]]
    units: Mapping[str, list[str]] = field(default_factory=dict)
    centers: Mapping[str, list[str]] = field(default_factory=dict)

    def position(self) -> dipsat.Position:
        """The units that are stated, or named by the orders; in winter if there are centres."""
        units = self.units or {
            power: sorted({text.partition(" ")[0] + " " + _place(text) for text in texts})
            for power, texts in self.orders.items()
        }
        phase = "W1901A" if self.centers else "S1901M"
        return dipsat.Position.from_units(units, phase=phase, centers=self.centers)

    def outcome(self, rules: str | dipsat.Profile) -> dipsat.Outcome:
        """The outcome under a choice."""
        profile = choice(rules) if isinstance(rules, str) else rules
        return dipsat.adjudicate(self.position(), self.orders, profile)


def _place(text: str) -> str:
    named = dipsat.reader_for(dipsat.load_map("standard")).read(text)
    assert not isinstance(named, dipsat.Waive)
    return named.unit.location


def found_in(outcome: dipsat.Outcome, keys: Iterable[str]) -> dict[str, str]:
    """What became of orders, and the units of powers after the phase."""
    verdicts = {order.submitted: order.verdict for order in outcome.orders}
    return {
        key: ", ".join(sorted(outcome.units.get(key[1:], ()))) if key[0] == "+" else verdicts[key]
        for key in keys
    }


def same(names: str, result: Mapping[str, str]) -> dict[str, Mapping[str, str]]:
    """One result under several choices: `4.B.4-acd`."""
    issue, _, letters = names.partition("-")
    return {f"{issue}-{letter}": result for letter in letters}


POR_MAO = "F Portugal Supports F Mid-Atlantic Ocean - Spain"
CONSTANTINOPLE = "F Constantinople - Bulgaria(ec)"
WALKER = {
    "GERMANY": ["A Mun - Mos", "A Ruh S A Mun"],
    "RUSSIA": ["A Sil - Mun", "A Boh S A Sil - Mun"],
}
BLACK_SEA = "F Black Sea Convoys A Rumania - Armenia"
TWO_UNITS = {"FRANCE": ["A PAR", "A MAR"]}


def kinds(issue: str, word: str) -> list[Case]:
    """4.C.1 and 4.C.2: `word` replaces A; choice c lets a proper order take precedence."""
    bad, good, support = (
        f"{word}Paris - Burgundy",
        "A Paris - Gascony",
        "A Picardy Supports A Paris",
    )
    return [
        Case(f"{issue}, choices a and b", {"FRANCE": [bad, support]},
             {f"{issue}-a": {bad: "illegal", support: "given"},
              **same(f"{issue}-bc", {bad: "succeeds"})},
             {"FRANCE": ["A PAR", "A PIC"]}),
        Case(f"{issue}, choice c", {"FRANCE": [bad, good]},
             {f"{issue}-b": {bad: "illegal", good: "illegal"},
              f"{issue}-c": {bad: "illegal", good: "succeeds"}}, {"FRANCE": ["A PAR"]}),
    ]  # fmt: skip


def nations(issue: str, word: str) -> list[Case]:
    """4.C.5 and 4.C.6: `word` replaces German; choice c as in `kinds`."""
    bad, good = f"A PAR S {word}A MUN - BUR", "A PAR S German A RUH - BUR"
    units = {"FRANCE": ["A PAR"], "GERMANY": ["A MUN", "A RUH"]}
    return [
        Case(f"{issue}, choices a and b", {"FRANCE": [bad], "GERMANY": ["A MUN - BUR"]},
             {f"{issue}-a": {bad: "illegal"}, **same(f"{issue}-bc", {bad: "given"})}, units),
        Case(f"{issue}, choice c", {"FRANCE": [bad, good], "GERMANY": ["A RUH - BUR"]},
             {f"{issue}-b": {bad: "illegal", good: "illegal"},
              f"{issue}-c": {bad: "illegal", good: "given"}}, units),
    ]  # fmt: skip


CASES = [
    Case("2.4 6.B.2", {"FRANCE": ["F Gascony - Spain"]},
         {"4.B.2-a": {"F Gascony - Spain": "succeeds", "+FRANCE": "F SPA/NC"},
          "4.B.2-b": {"F Gascony - Spain": "not succeeds"},
          "4.B.2-c": {"F Gascony - Spain": "not succeeds"}}),
    Case("2.4 4.B.2, the default coast of Spain being the south coast (6.B.7)",
         {"ITALY": ["F Gulf of Lyon - Spain"]},
         {**same("4.B.2-ab", {"F Gulf of Lyon - Spain": "succeeds", "+ITALY": "F SPA/SC"}),
          "4.B.2-c": {"F Gulf of Lyon - Spain": "not succeeds"}}),
    Case("2.4 4.B.4, choice b: a default coast is taken",
         {"FRANCE": [POR_MAO, "F Mid-Atlantic Ocean - Spain(sc)"]},
         {"4.B.4-a": {POR_MAO: "not given"}, "4.B.4-b": {POR_MAO: "given"}}),
    Case("3.0 4.B.4, Calhamer's first answer",
         {"TURKEY": [CONSTANTINOPLE], "RUSSIA": ["A Rum S Turkish F Con - Bul(sc)"]},
         same("4.B.4-abcd", {"A Rum S Turkish F Con - Bul(sc)": "not given"})),
    Case("3.0 4.B.4, Calhamer's second answer",
         {"TURKEY": [CONSTANTINOPLE], "RUSSIA": ["A Rum S Turkish F Con - Bul"]},
         {"4.B.4-c": {"A Rum S Turkish F Con - Bul": "not given"}}),
    Case("3.0 4.B.4, Calhamer's third answer",
         {"TURKEY": [CONSTANTINOPLE, "A Rum S F Con - Bul"]},
         {"4.B.4-c": {"A Rum S F Con - Bul": "given"}}),
    *kinds("4.C.1", ""), *kinds("4.C.2", "F "),
    *nations("4.C.5", ""), *nations("4.C.6", "Italian "),
    Case("4.C.3", {"RUSSIA": ["Build MOS", "Build STP/NC", "Build SEV"]},
         {"4.C.3-a": {"+RUSSIA": ""}, "4.C.3-b": {"+RUSSIA": "A MOS"},
          "4.C.3-c": {"+RUSSIA": "A MOS, F STP/NC", "Build SEV": "illegal"}},
         {"RUSSIA": []}, {"RUSSIA": ["MOS", "STP", "SEV"]}),
    Case("4.D.1, a last set that is incomplete and says nothing",
         {"FRANCE": [["A PAR - BUR", "A MAR - SPA"], ["A PAR - GAS"]]},
         same("4.D.1-ab", {"+FRANCE": "A GAS, A SPA"})
         | same("4.D.1-cd", {"+FRANCE": "A GAS, A MAR"}), TWO_UNITS),
    Case("4.D.1, a last set that says that it replaces the others",
         {"FRANCE": [["A PAR - BUR", "A MAR - SPA"], {"replaces": ["A PAR - GAS"]}]},
         {"4.D.1-a": {"+FRANCE": "A GAS, A SPA"}} | same("4.D.1-bcd", {"+FRANCE": "A GAS, A MAR"}),
         TWO_UNITS),
    Case("4.D.1, a last set that says that it adds to the others",
         {"FRANCE": [["A PAR - BUR", "A MAR - SPA"], {"adds": ["A PAR - GAS"]}]},
         same("4.D.1-abc", {"+FRANCE": "A GAS, A SPA"}) | {"4.D.1-d": {"+FRANCE": "A GAS, A MAR"}},
         TWO_UNITS),
    Case("4.D.1, a last set that is complete",
         {"FRANCE": [["A PAR - BUR", "A MAR - SPA"], ["A PAR - GAS", "A MAR - MOS"]]},
         same("4.D.1-abcd", {"+FRANCE": "A GAS, A MAR"}), TWO_UNITS),
    Case("4.D.2", {"FRANCE": {"undated": [["A PAR - BUR"], ["A MAR - SPA"]]}},
         {"4.D.2-a": {"+FRANCE": "A MAR, A PAR", "A PAR - BUR": "illegal"},
          "4.D.2-b": {"+FRANCE": "A BUR, A SPA"}}, TWO_UNITS),
    Case("4.D.2 b and 4.D.3 c", {"FRANCE": {"undated": [["A PAR - BUR"], ["A PAR - GAS"]]}},
         {"4.D.2-b": {"+FRANCE": "A PAR"}}, {"FRANCE": ["A PAR"]}),
    Case("4.D.3", {"FRANCE": ["A PAR - BUR", "A PAR - GAS"]},
         {"4.D.3-a": {"+FRANCE": "A BUR"}, "4.D.3-b": {"+FRANCE": "A GAS"},
          "4.D.3-c": {"+FRANCE": "A PAR"}}, {"FRANCE": ["A PAR"]}),
    Case("4.D.3, an illegal order beside a legal one",
         {"FRANCE": ["A PAR - MOS", "A PAR - BUR"]}, same("4.D.3-abc", {"+FRANCE": "A BUR"}),
         {"FRANCE": ["A PAR"]}),
    Case("4.D.5", {"RUSSIA": ["Build A Sevastopol", "Build F Sevastopol"]},
         {"4.D.5-a": {"+RUSSIA": ""}, "4.D.5-b": {"+RUSSIA": "A SEV"},
          "4.D.5-c": {"+RUSSIA": "F SEV"}}, {"RUSSIA": []}, {"RUSSIA": ["SEV", "MOS"]}),
    Case("6.I.7", {"RUSSIA": ["Build A Moscow", "A Moscow B"]},
         same("4.D.5-abc", {"A Moscow B": "illegal", "+RUSSIA": "A MOS"}), {"RUSSIA": []},
         {"RUSSIA": ["WAR", "MOS"]}),
    Case("6.J.1", {"FRANCE": ["Remove F Gulf of Lyon", "Remove A Picardy", "Remove A Paris"]},
         {"4.D.6-a": {"Remove A Paris": "illegal", "Remove A Picardy": "illegal",
                      "+FRANCE": "A PAR"},
          "4.D.6-b": {"Remove A Picardy": "succeeds", "+FRANCE": "A PAR"},
          "4.D.6-c": {"Remove A Paris": "succeeds", "+FRANCE": "A PIC"}},
         {"FRANCE": ["A PAR", "A PIC"]}, {"FRANCE": ["PAR"]}),
    Case("4.D.7", {"RUSSIA": ["WAIVE", "Build A Moscow"]},
         {"4.D.7-a": {"WAIVE": "succeeds", "+RUSSIA": "A UKR"},
          "4.D.7-b": {"WAIVE": "illegal", "+RUSSIA": "A MOS, A UKR"}},
         {"RUSSIA": ["A UKR"]}, {"RUSSIA": ["MOS", "SEV"]}),
    Case("2.4 4.D.8, choices b and c: whose fleets convoy", {},
         {"4.D.8-b": {"+ITALY": "A SIL"}, "4.D.8-c": {"+ITALY": "A GRE"}},
         {"ITALY": ["A GRE", "A SIL"], "TURKEY": ["F ION"]},
         {"ITALY": ["ROM"], "TURKEY": ["CON"]}),
    Case("2.4 4.D.8, choices a and d: a convoy is one move, or one and its fleets", {},
         {"4.D.8-a": {"+ENGLAND": "A CON"}, "4.D.8-d": {"+ENGLAND": "A PAR"}},
         {"ENGLAND": ["A PAR", "A CON"]}, {"ENGLAND": ["LON"]}),
    Case("3.0 6.J.11", {},
         {**same("4.D.8-abcde", {"+ITALY": "A TUS"}), "4.D.8-2023": {"+ITALY": "A WAR"}},
         {"ITALY": ["A WAR", "A TUS"]}, {"ITALY": ["WAR"]}),
    Case("4.D.9", {"RUSSIA": ["A Rumania Supports A Budapest"]},
         {"4.D.9-a": {"A Rumania Supports A Budapest": "not given"},
          "4.D.9-b": {"A Rumania Supports A Budapest": "given"}},
         {"RUSSIA": ["A RUM"], "AUSTRIA": ["A BUD"]}),
    Case("2.4 6.D.31, with a second order",
         {"AUSTRIA": ["A Rumania - Armenia"],
          "TURKEY": ["F Black Sea Supports A Rumania - Armenia", BLACK_SEA]},
         same("4.E.1-cd", {BLACK_SEA: "available"}) | same("4.E.1-ab", {BLACK_SEA: "illegal"}),
         {"AUSTRIA": ["A RUM"], "TURKEY": ["F BLA"]}),
    Case("2.4 4.E.1, Walker's answer: the Russian attack succeeds", WALKER,
         same("4.E.1-ab", {"A Sil - Mun": "succeeds"})
         | same("4.E.1-cd", {"A Sil - Mun": "fails"})),
    Case("2.4 4.A.3 d on 6.G.7: the land route is taken, whether or not the order is legal",
         {"ENGLAND": ["F Skagerrak Convoys A Sweden - Norway", "F Norway - Sweden"],
          "RUSSIA": ["A Sweden - Norway", "F Gulf of Bothnia Convoys A Sweden - Norway"]},
         same("4.E.1-abcd", {"+ENGLAND": "F NWY, F SKA", "+RUSSIA": "A SWE, F BOT"})),
    Case("4.E.3", {"GERMANY": ["A Ruhr Supports F Kiel - Holland"]},
         {"4.E.3-a": {"A Ruhr Supports F Kiel - Holland": "given", "+GERMANY": "A RUH, F HOL"},
          "4.E.3-b": {"A Ruhr Supports F Kiel - Holland": "invalid", "+GERMANY": "A RUH, F KIE"}},
         {"GERMANY": ["A RUH", "F KIE"]}),
    Case("4.E.3, an explicit order takes precedence",
         {"GERMANY": ["A Ruhr Supports F Kiel - Holland", "F Kiel - Denmark"]},
         same("4.E.3-ab", {"+GERMANY": "A RUH, F DEN"})),
    Case("4.E.3, never from the orders of another player",
         {"FRANCE": ["A Ruhr Supports F Kiel - Holland"]},
         same("4.E.3-ab", {"+GERMANY": "F KIE"}), {"FRANCE": ["A RUH"], "GERMANY": ["F KIE"]}),
    Case("4.E.3, from a convoy order", {"ENGLAND": ["F NTH C A LON - BEL"]},
         {"4.E.3-a": {"+ENGLAND": "A BEL, F NTH"}, "4.E.3-b": {"+ENGLAND": "A LON, F NTH"}},
         {"ENGLAND": ["F NTH", "A LON"]}),
]  # fmt: skip


STATED = [(case, name) for case in CASES for name in case.results]


@pytest.mark.parametrize(
    ("case", "name"), STATED, ids=[f"{name}: {case.source}" for case, name in STATED]
)  # fmt: skip
def test_a_choice_does_what_the_documents_say(case: Case, name: str) -> None:
    for key, found in found_in(case.outcome(name), case.results[name]).items():
        wanted, is_open, other = case.results[name][key].rpartition("not ")
        assert (found != other) if is_open else (found == other), (key, wanted)


def issue(name: str) -> str:
    """The issue that a choice belongs to."""
    return name.partition("-")[0]


def test_every_choice_has_a_stated_result() -> None:
    """Here, or where a condition in `datc/` names it (test_datc_alternatives.py)."""
    stated = {name for case in CASES for name in case.results}
    for datc in load_cases(older=True):
        conditions = [*datc.depends, *(one for entry in datc.alternatives for one in entry.when)]
        stated |= {name for condition in conditions for name in condition.names}
    assert {name for name in NAMES if issue(name) != "4.E.2"} <= stated


def test_the_default_coast_is_the_one_of_the_map_or_the_first() -> None:
    """2.4 6.B.7 takes the south coast of Spain to be the probable one."""
    text = (data_folder("rules") / "maps" / "standard.yaml").read_text(encoding="utf-8")
    (stated,) = (line for line in text.splitlines(keepends=True) if "default_coast" in line)
    for board, coast in ((parse_map(text, "map.yaml"), "SC"),
                         (parse_map(text.replace(stated, ""), "map.yaml"), "NC")):  # fmt: skip
        position = dipsat.Position.from_units({"FRANCE": ["F POR"]}, board)
        outcome = dipsat.adjudicate(position, {"FRANCE": ["F POR - SPA"]}, choice("4.B.1-b"))
        assert outcome.units == {"FRANCE": (f"F SPA/{coast}",)}
    with pytest.raises(ProblemsError) as error:
        parse_map(text.replace("default_coast: SC", "default_coast: EC"), "map.yaml")
    assert "default_coast is a coast of SPA (NC, SC); not 'EC'" in str(error.value)


def test_files_hold_sets_of_orders_and_poorly_written_ones(tmp_path: Path) -> None:
    file = tmp_path / "phase.yaml"
    file.write_text(
        "units: {France: [A PAR, A MAR], Russia: [F RUM]}\n"
        "orders:\n"
        "  France: [[A PAR - BUR, A MAR - SPA], {adds: [A PAR - GAS]}]\n"
        "  Russia: {undated: [[F Rum - Bu.]]}\n",
        encoding="utf-8",
    )
    with pytest.raises(FileError, match=r"phase\.yaml:4:23: unknown province 'Bu'"):
        load_phase(file)
    rules = choice("4.E.2-b")
    phase = load_phase(file, rules=rules)
    outcome = dipsat.adjudicate(phase.position, phase.orders, rules)
    check_faults(phase, outcome.rulings)
    assert outcome.units == {"FRANCE": ("A GAS", "A SPA"), "RUSSIA": ("F BUL/EC",)}


# --- sets of orders -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "given",
    [
        [["A PAR H"], "A MAR H"], ["A PAR H", ["A MAR H"]], {"newest": [["A PAR H"]]},
        [{"adds": ["A PAR H"], "replaces": []}], [["A PAR H", ["A MAR H"]]], [{"after": []}],
    ],
)  # fmt: skip
def test_another_form_of_order_sets_is_an_error(given: Any) -> None:
    with pytest.raises((OrderFaultError, ArgumentError)):
        dipsat.adjudicate(dipsat.Position.start(), {"FRANCE": given})


def test_sets_of_builds_and_of_retreats_are_combined_too() -> None:
    build = dipsat.Position.from_units({}, phase="W1901A", centers={"RUSSIA": ["SEV", "MOS"]})
    retreat = dipsat.Position.from_units(
        {}, phase="S1901R", dislodged={"FRANCE": {"A BUR": ["GAS", "PAR"], "A BEL": ["HOL"]}}
    )
    first = ["A BUR R PAR", "A BEL R HOL"]
    orders: list[tuple[dipsat.Position, str, list[Any], tuple[str, ...]]] = [
        (build, "RUSSIA", [["A SEV B", "A MOS B"], {"adds": ["F SEV B"]}], ("A MOS", "F SEV")),
        (retreat, "FRANCE", [first, {"adds": ["A BUR R GAS"]}], ("A GAS", "A HOL")),
        (retreat, "FRANCE", [first, ["A BUR R GAS"]], ("A GAS",)),
    ]
    for position, power, sets, units in orders:
        assert dipsat.adjudicate(position, {power: sets}).units == {power: units}


def test_orders_of_a_set_that_does_not_count_are_reported() -> None:
    position = dipsat.Position.from_units(TWO_UNITS)
    orders = {"FRANCE": [["A PAR - BUR", "A MAR - SPA"], ["A PAR - GAS"]]}
    found = dipsat.adjudicate(position, orders).orders
    codes = [one.reason.code for one in found if one.submitted]
    assert codes == ["replaced", "replaced", "ok"]


# --- what does not change -------------------------------------------------------------------------


def test_there_is_a_file_for_every_choice() -> None:
    letters = (
        "4.B.1-ab 4.B.2-abc 4.B.3-ab 4.B.4-abcde 4.B.5-ab 4.B.6-ab 4.B.7-ab 4.C.1-abc 4.C.2-abc "
        "4.C.3-abc 4.C.4-ab 4.C.5-abc 4.C.6-abc 4.D.1-abcd 4.D.2-ab 4.D.3-abc 4.D.4-abc 4.D.5-abc "
        "4.D.6-abc 4.D.7-ab 4.D.8-abcde 4.D.9-ab 4.E.1-abcd 4.E.2-abcd 4.E.3-ab"
    )
    expected = [name for issue in letters.split() for name in same(issue, {})]
    assert sorted([*expected, "4.D.8-2023"]) == NAMES


@exhaustive
def test_choices_state_each_value_of_a_setting_and_say_what_it_is() -> None:
    datc, stated = dipsat.load_profile("datc"), dict[str, set[str]]()
    for name in NAMES:
        profile = choice(name)
        ((setting, value),) = changed(profile).items()
        stated.setdefault(setting, set()).add(value)
        assert (profile.name, bool(profile.title)) == (name, True)
        assert (FOLDER / f"{name}.yaml").read_text(encoding="utf-8").startswith("# DATC ")
        assert profile.settings == under(**changed(profile)).settings
        assert (profile.decisions, profile.cycles) == (datc.decisions, datc.cycles)
    assert sum(map(len, stated.values())) == len(NAMES)  # each differs from all others
    for setting in BY_CHOICES_ALONE:
        assert stated[setting] == set(setting_values()[setting])


def test_the_preferences_are_those_of_the_standard_profile() -> None:
    assert composed(*PREFERRED).settings == dipsat.load_profile("datc").settings == Settings()
    assert {issue(name) for name in PREFERRED} == {issue(name) for name in NAMES} - {"4.E.2"}


NEUTRAL = [
    (setting, value)
    for setting in ("poorly_written", "order_sets", "undated_order_sets")
    for value in setting_values()[setting][1:]
]


@cache
def well_written() -> list[tuple[dipsat.Position, Mapping[str, Sequence[str]], dict[str, Any]]]:
    """A third of the DATC cases, and random boards, with their outcomes."""
    boards = [random_board(seed) for seed in range(6)]
    found: list[tuple[dipsat.Position, Mapping[str, Sequence[str]]]] = [
        *((dipsat.Position.from_units(board.units), board.orders) for board in boards),
        *((case.position, case.orders) for case in load_cases(())[::3]),
    ]
    return [(*one, dipsat.adjudicate(*one).to_dict()) for one in found]


@exhaustive
@pytest.mark.parametrize(("setting", "value"), NEUTRAL)
def test_well_written_orders_in_one_set_are_read_as_always(setting: str, value: str) -> None:
    profile = under(**{setting: value})
    for position, orders, expected in well_written():
        assert dipsat.adjudicate(position, orders, profile).to_dict() == expected


@pytest.mark.parametrize("value", setting_values()["order_sets"])
@pytest.mark.parametrize("seed", few_of(range(4), 1))
def test_a_complete_last_set_is_all_that_counts(seed: int, value: str) -> None:
    board, other = random_board(seed), random_board(seed + 1000)
    position = dipsat.Position.from_units(board.units)
    given = {power: board.orders.get(power, ()) for power in board.units}
    whole = {
        power: [*texts, *(f"{unit} H" for unit in missing(position, power, texts))]
        for power, texts in given.items()
    }
    sets = {power: [list(other.orders.get(power, ())), texts] for power, texts in whole.items()}
    profile = under(order_sets=value)
    expected = dipsat.adjudicate(position, whole, profile)
    assert dipsat.adjudicate(position, sets, profile).units == expected.units


def missing(position: dipsat.Position, power: str, texts: Iterable[str]) -> list[str]:
    """A power's units without an order."""
    ordered = {_place(text) for text in texts}
    return [str(u) for u in position.units if u.power == power and u.location not in ordered]


@pytest.mark.parametrize("seed", few_of(range(8), 2))
def test_orders_are_the_same_however_they_are_split_into_sets(seed: int) -> None:
    """With 4.D.1 a, if no unit is ordered twice."""
    board = random_board(seed)
    position = dipsat.Position.from_units(board.units)
    parted = {power: [[text] for text in texts] for power, texts in board.orders.items()}
    expected = dipsat.adjudicate(position, board.orders)
    for given in (parted, {power: {"undated": sets} for power, sets in parted.items()}):
        outcome = dipsat.adjudicate(position, given, under(order_sets="all"))
        assert outcome.to_dict() == expected.to_dict()
