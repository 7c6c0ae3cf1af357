"""`dipsat.studies.stress`: faulty rules are found, each with a small witness, and sound ones are
clean."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

import dipsat
from dipsat.app.view import Bar
from dipsat.cli import main
from dipsat.errors import DipsatError, QuestionError, SharedProvinceError
from dipsat.outcomes import MovementOutcome
from dipsat.rules import Profile, load_profile, parse_profile, variant_names
from dipsat.studies import (
    Sheet,
    SheetRow,
    StressFinding,
    StressReport,
    judgements as judging,
    stress,
    stress_boards as trial,
    stress_tests as open_orders,
)
from dipsat.studies.judgements import everything_in_words, phase_in_words
from dipsat.studies.random_boards import trial_board
from dipsat.studies.sheet import kept_map
from dipsat.studies.stress_boards import (
    CHANGES,
    NEVER,
    PROVEN,
    Judging,
    OwnEntry,
    Trial,
    effect_of,
    first_difference,
    own_entries,
    reach_of,
    without,
)
from dipsat.studies.stress_tests import FAULTS, FOUND, IMPOSSIBLE, question_about, with_orders
from tests.core.test_architecture import run_python
from tests.exhaustive import exhaustive, parts_of

QUICK = 0.01  # seconds for the solver where a test is not about it


@pytest.fixture
def one_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """The solver is asked about one position instead of six, where a test is not about it."""
    monkeypatch.setattr(open_orders, "POSITIONS", 1)


def profile_of(body: str, name: str = "faulty") -> dipsat.Profile:
    """The profile that extends datc with this text."""
    return parse_profile(f"name: {name}\nextends: datc\n{body}", f"{name}.yaml")


PARADOXES = 80  # the first seed of 20 boards that have a ring and two convoy paradoxes


def stressed(body: str, boards: int = 10, timeout: float = QUICK, seed: int = 0) -> StressReport:
    """The stress report of a profile that extends datc with this text."""
    return stress(profile_of(body), boards=boards, timeout=timeout, seed=seed)


def only(report: StressReport, check: str) -> StressFinding:
    """The finding of a check that has only one."""
    (found,) = report.of(check)
    return found


def judged(rules: str | dipsat.Profile, sheet: Sheet) -> MovementOutcome:
    """The outcome of a witness, judged as anybody would judge it."""
    outcome = dipsat.adjudicate(sheet.position(), sheet.orders, rules)
    assert isinstance(outcome, MovementOutcome)
    return outcome


# --- faults ---------------------------------------------------------------------------------------

NO_STANDOFF = """
decisions:
  move(m):
    convoy_disrupted: path(m)
    own_unit_stays: vacated(m) or all(u.power != m.power for u in m.target.units)
    too_weak: head_on(m) or attack_strength(m) > hold_strength(m.target)
"""


RINGS_ONLY = """
cycles:
  - {name: circular movement, when: ring(cycle.move) and not some(cycle.convoy), set: {move: true}}
"""


@exhaustive
def test_cycle_that_no_rule_settles_is_found_as_the_simple_convoy_paradox() -> None:
    report = stressed(RINGS_ONLY, boards=45, seed=PARADOXES)
    found = [one for one in report.of("unresolved") if "convoy" in one.about]
    assert {one.about.partition(":")[0] for one in found} == {"none", "several"}
    witness = next(one.witness for one in found if one.about.startswith("several"))
    assert witness is not None
    # DATC 6.F.14: a convoy, the army, the attack on the fleet and its support.
    assert len(witness.rows) == 4
    assert sum(" C " in text for row in witness.rows for text in row.orders) == 1


ENDLESS = """
decisions:
  ready(u): ready(u) and all(ready(s.unit) for s in u.supports)
cycles:
  - {name: next in line, when: some(cycle.ready), set: {ready: true}}
"""


@exhaustive
def test_rule_that_settles_too_little_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dipsat.solving.resolution.MAX_ROUNDS", 2)
    report = stressed(ENDLESS, boards=20)
    witness = only(report, "endless").witness
    assert witness is not None
    # A unit alone settles in one round; each support adds a round.
    assert len(witness.rows) == 3


@pytest.mark.usefixtures("one_position")
def test_number_without_bounds_is_found() -> None:
    report = stressed("decisions:\n  hold_strength(p): 0 - hold_strength(p)\n", boards=2)
    witness = only(report, "range").witness
    assert witness is not None
    assert len(witness.rows) == 1


@exhaustive
def test_results_that_depend_on_the_order_of_input_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No rule can cause this, because equations speak of sets, so a judge is made to cause it."""
    honest = judging.moved

    def hasty(profile, position, orders, presolve=True):  # type: ignore[no-untyped-def]
        late = {p: texts[:-1] for p, texts in orders.items() if texts is orders[max(orders)]}
        return honest(profile, position, {**orders, **late}, presolve)

    monkeypatch.setattr("dipsat.studies.stress_boards.moved", hasty)
    report = stress("datc", boards=5, timeout=QUICK)
    found = only(report, "input order")
    assert (found.about, found.verdict) == ("units", FOUND)
    assert found.witness is not None
    assert len(found.witness.rows) <= 2


@exhaustive
def test_results_that_propagation_changes_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = judging.movement

    def careless(profile, sheet, presolve=True):  # type: ignore[no-untyped-def]
        rows = sheet.rows if presolve else sheet.rows[:-1]
        return honest(profile, replace(sheet, rows=rows), presolve)

    monkeypatch.setattr("dipsat.studies.stress_boards.movement", careless)
    report = stress("datc", boards=5, timeout=QUICK)
    found = only(report, "presolve")
    assert found.verdict == FOUND
    assert found.witness is not None
    assert len(found.witness.rows) == 1


@exhaustive
def test_board_that_cannot_be_judged_is_reported_with_the_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused(*_: object) -> None:
        raise DipsatError("no such luck")

    monkeypatch.setattr(trial, "sights", refused)
    report = stress("datc", boards=5, timeout=QUICK)
    assert [(one.about, one.count) for one in report.of("failed")] == [("no such luck", 5)]


# --- what changes nothing -------------------------------------------------------------------------


@exhaustive
def test_cycle_rule_after_one_that_takes_all_is_never_used() -> None:
    body = """
cycles:
  - {name: everything fails, when: "true", set: {move: false, support: false, convoy: false}}
  - {name: too late, when: some(cycle.move), set: {move: true}}
"""
    report = stressed(body, boards=20, seed=PARADOXES)
    assert [one.about for one in report.of("rule")] == ["too late"]


@exhaustive
def test_decision_that_nothing_makes_true_is_reported_and_proven_on_small_positions() -> None:
    body = "decisions:\n  ghostly(m): move(m) and not path(m)\n"
    found = only(stressed(body, boards=20, timeout=300), "decision")
    assert (found.about, found.verdict) == ("ghostly", IMPOSSIBLE)
    assert found.note.startswith("never true")


@exhaustive
def test_condition_that_never_fails_is_told_apart_from_one_that_never_fails_alone() -> None:
    body = """
decisions:
  support(s):
    supporter_dislodged: not overrun(s)
    support_cut: not any(cuts(a, s) for a in s.province.attackers)
    stands_elsewhere: s.province != s.target
"""
    notes = {one.about: one.note for one in stressed(body, boards=20).of("condition")}
    assert notes["support: stands_elsewhere"] == "never fails"
    # 5.B.1: a move without a path has no attack strength, so that it is too weak as well.
    assert notes["move: convoy_disrupted"] == "never alone"
    assert "support: support_cut" not in notes


RESTATED = """
define:
  unused(m): path(m)
decisions:
  convoy(c):
    fleet_dislodged: not dislodge(c.unit)
  dislodge(u): entered(u.province) and not left(u) and some(u.province.attackers)
  support(s): not overrun(s)
"""


@exhaustive
@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("define: unused", PROVEN),  # nothing uses it
        ("decisions: convoy", PROVEN),  # as the base says it
        ("decisions: dislodge", NEVER),  # what is entered has attackers
        ("decisions: support", CHANGES),  # nothing cuts
    ],
)
def test_entry_counts_as_idle_only_if_no_board_differs_without_it(name: str, verdict: str) -> None:
    tried = Trial(profile_of(RESTATED), "standard", 20, 0, 27)
    (entry,) = [one for one in own_entries(tried.profile) if str(one) == name]
    assert effect_of(tried, entry) == verdict


def test_settings_for_builds_and_disbands_are_seen_in_winter() -> None:
    tried = Trial(profile_of("settings: {build_where: any}\n"), "standard", 20, 0, 27)
    assert effect_of(tried, OwnEntry("settings", "build_where")) == CHANGES


@exhaustive
def test_option_that_decides_nothing_is_reported() -> None:
    body = "options:\n  moon: [full, new]\ndefine:\n  shining(m): moon == 'full'\n"
    found = {one.about: one.verdict for one in stressed(body).of("entry")}
    assert found["option: moon=new"] in (NEVER, PROVEN)


# --- sound rules ----------------------------------------------------------------------------------


@exhaustive
def test_standard_rules_are_clean_except_for_the_known_cycles() -> None:
    report = stress("datc", boards=40, timeout=300, seed=PARADOXES)
    assert report.faults == ()
    assert {one.check for one in report.findings if one.check in FAULTS} == set(FAULTS)
    # 5.B.9 and 4.A.2: circular movement has two resolutions, a convoy paradox none or two.
    settled = {one.about.partition("; settled by ")[2] for one in report.of("cycle")}
    assert settled <= {"circular movement", "Szykman"}
    assert [one.about for one in report.of("rule") if one.verdict != FOUND] == ["fallback"]
    assert only(report, "shared").verdict == IMPOSSIBLE


def has_nothing_to_spare(witness: Sheet, sight: trial.Sight) -> bool:
    """Whether a sight is on a board under the standard rules, and is gone if any one unit is."""
    profile, rows = load_profile("datc"), witness.rows
    fewer = [replace(witness, rows=rows[:at] + rows[at + 1 :]) for at in range(len(rows))]
    there = [sight in trial.cycles(profile, judged(profile, one)) for one in (witness, *fewer)]
    return there == [True] + [False] * len(rows)


@exhaustive
def test_witness_of_a_cycle_has_nothing_to_spare() -> None:
    report = stress("datc", boards=20, timeout=QUICK, seed=PARADOXES)
    assert len(report.of("cycle")) == 3
    for found in report.of("cycle"):
        what, _, rule = found.about.partition("; settled by ")
        count, _, families = what.partition(": ")
        assert found.witness is not None
        assert has_nothing_to_spare(found.witness, (trial.CYCLE, count, families, rule))


# --- boards ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", variant_names())
@pytest.mark.parametrize("seeds", parts_of(range(15), 8))
def test_boards_of_a_variant_can_be_judged_and_have_tense_orders(seeds: range, name: str) -> None:
    profile = load_profile(name)
    board = kept_map(profile.map or "standard")
    verdicts = set()
    for seed in seeds:
        sheet = trial_board(profile, board, seed, 27)
        verdicts |= {order.verdict for order in judged(profile, sheet).orders}
    assert {"succeeds", "fails", "given", "cut", "available"} <= verdicts


@exhaustive
def test_units_have_attributes_and_declared_orders_of_each_kind_are_legal() -> None:
    profile = load_profile("arpiesse")
    texts = {
        row.unit.partition(" ")[0]
        for seed in range(5)
        for row in trial_board(profile, kept_map("standard"), seed, 27).rows
    }
    assert texts == {"Red", "Purple", "Silver"}
    colonial = load_profile("colonial")
    kinds = set()
    for seed in range(40):
        sheet = trial_board(colonial, kept_map("colonial"), seed, 27)
        facts = judged(colonial, sheet).facts
        kinds |= {kind for kind in colonial.declared.kinds if facts.domain(kind)}
    assert kinds == set(colonial.declared.kinds)


def test_fleets_convoy_where_the_rules_let_them() -> None:
    profile = load_profile("coastal_convoys")
    board = kept_map(profile.map)
    coasts = {code for code, p in board.provinces.items() if "convoyable_coast" in p.features}
    carrying = {
        row.unit.partition(" ")[2]
        for seed in range(60)
        for row in trial_board(profile, board, seed, 27).rows
        if any(" C " in text for text in row.orders)
    }
    assert coasts & carrying


def test_two_units_that_land_in_one_province_are_noticed() -> None:
    """A unit that moves along a line ends where the profile says, not where a move does."""
    rules = "decisions:\n  move(m):\n    convoy_disrupted: path(m)\n  enters(l): tries(l)\n"
    profile = parse_profile(f"name: loose\nextends: colonial\n{rules}", "loose.yaml")
    position = dipsat.Position.from_units(
        {"RUSSIA": ["A MOS"], "TURKEY": ["A OMS"]},
        "colonial",
        centers={"RUSSIA": ["MOS", "OMS", "VLA"]},
    )
    line = kept_map("colonial").lines["trans_siberian_railroad"].provinces
    assert line[0] == "MOS"
    orders = {"RUSSIA": [f"A MOS - TSR - {line[1]}"], "TURKEY": [f"A OMS - {line[1]}"]}
    outcome = dipsat.adjudicate(position, orders, profile)
    with pytest.raises(SharedProvinceError):
        outcome.units_after  # noqa: B018


@exhaustive
def test_solver_is_asked_about_units_that_land_where_another_one_is() -> None:
    profile = parse_profile(
        "name: crowded\nextends: colonial\ndecisions:\n  enters(l): tries(l)\n"
        "  dislodge(u): any(move(a) for a in u.province.attackers) and not left(u)\n",
        "crowded.yaml",
    )
    question = question_about(profile, StressFinding("shared", "", NEVER))
    assert question is not None
    for rules, verdict in ((profile, FOUND), (load_profile("colonial"), IMPOSSIBLE)):
        position = dipsat.Position.from_units(
            {"RUSSIA": ["A MOS"], "TURKEY": ["A PRM"]}, "colonial"
        )
        assert dipsat.search(position, question, open="all", rules=rules).verdict == verdict


def test_witness_also_has_the_permissions_that_powers_give() -> None:
    """Only a permission lets a foreign fleet through the canal (DATC 2.4 7.C)."""
    profile = parse_profile(
        "name: odd\nextends: colonial\ndecisions:\n  foreign(m): move(m) and through_canal(m)"
        " and all(u.power != m.power for u in Unit if controls(u))\n",
        "odd.yaml",
    )
    sheet = Sheet("colonial", (SheetRow("BRITAIN", "A EGY"), SheetRow("TURKEY", "F MED")))
    question = question_about(
        profile, StressFinding("decision", "foreign", NEVER, note="never true")
    )
    assert question is not None
    result = dipsat.search(sheet.position(), question, open="all", rules=profile)
    rows = with_orders(sheet, result).rows
    assert SheetRow("BRITAIN", "", ("SC F MED - RED",)) in rows


# --- the report -----------------------------------------------------------------------------------


@exhaustive
def test_report_does_not_depend_on_the_number_of_processes_or_the_hash_seed() -> None:
    code = (
        "import dipsat, json, sys\n"
        "report = dipsat.studies.stress('datc', boards=45, timeout=300, jobs=int(sys.argv[1]))\n"
        "print(json.dumps(report.to_dict()))\n"
    )
    one, other = (run_python(code, seed, PYTHONHASHSEED=seed) for seed in ("1", "2"))
    assert one == other
    assert json.loads(one)["boards"] == 45


@exhaustive
@pytest.mark.usefixtures("one_position")
def test_ctrl_c_gives_what_was_found_so_far() -> None:
    def stop(what: str, done: float, total: float) -> None:
        if what == "boards" and done >= 20:
            raise KeyboardInterrupt

    report = stress("datc", boards=100, timeout=QUICK, progress=stop)
    assert report.is_interrupted
    assert report.boards == 20
    assert report.of("cycle")


def test_sheet_without_the_trouble_is_left_as_it_is() -> None:
    profile = load_profile("datc")
    sheet = trial_board(profile, kept_map("standard"), 0, 5)
    assert trial.smallest(profile, sheet, (trial.SHARED,)) is sheet


def test_numbers_that_make_no_sense_are_refused() -> None:
    with pytest.raises(QuestionError):
        stress("datc", boards=0)


def test_board_without_an_answer_says_so_in_words() -> None:
    sheet = trial_board(load_profile("datc"), kept_map("standard"), 0, 27)
    words = everything_in_words(profile_of(ENDLESS.partition("cycles:")[0] + "cycles: []\n"), sheet)
    assert words == {"answer": "UnresolvedError"}


# --- the command ----------------------------------------------------------------------------------


def run(*arguments: str) -> tuple[int, str, str]:
    """Exit status and output of `dipsat rules stress`."""
    done = CliRunner().invoke(main, ["rules", "stress", *arguments])
    return done.exit_code, done.stdout, done.stderr


@exhaustive
@pytest.mark.usefixtures("one_position")
def test_command_saves_witnesses_that_show_the_fault_again(tmp_path: Path) -> None:
    rules, folder = tmp_path / "loose.yaml", tmp_path / "found"
    rules.write_text(f"name: loose\nextends: datc\n{NO_STANDOFF}", encoding="utf-8")
    status, printed, _ = run(
        f"datc+{rules}", "--random", "5", "--timeout", "0.1", "--save", str(folder), "-j", "1"
    )
    assert status == 1
    assert "two units in one province" in printed
    file = folder / "shared-1.yaml"
    assert len(yaml.safe_load(file.read_text(encoding="utf-8"))["orders"]) <= 2
    again = CliRunner().invoke(main, ["adjudicate", str(file), "--rules", str(rules)])
    assert again.exit_code == 2
    assert "both end in" in again.stderr


@exhaustive
@pytest.mark.usefixtures("one_position")
def test_command_takes_settings_and_prints_json() -> None:
    arguments = ("--set", "suez_canal=off", "--random", "1", "--timeout", "0.01", "--json")
    status, printed, _ = run("colonial", *arguments)
    assert status == 0
    report = json.loads(printed)
    assert (report["rules"], report["boards"]) == ("colonial+suez_canal=off", 1)
    assert report["notes"] == []  # nothing of these rules is left out
    expected = stress("colonial+suez_canal=off", boards=1, timeout=QUICK).to_dict()
    assert report == json.loads(json.dumps(expected))


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("no-such-rules",), "no-such-rules"),
        (("datc", "--set", "suez_canal=off"), "suez_canal"),
        (("ice", "--map", "standard"), "ice"),
        (("datc", "--random", "0"), "--random"),
        (("datc", "--units", "0"), "--units"),
        (("datc", "--timeout", "soon"), "soon"),
    ],
)
def test_bad_input_is_one_clear_error(arguments: tuple[str, ...], problem: str) -> None:
    status, printed, errors = run(*arguments)
    assert status == 2
    assert problem in errors
    assert "Traceback" not in errors
    assert printed == ""


def test_interrupt_of_the_solver_ends_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("dipsat.searches.paradox_goal.Paradox._find", interrupted)
    monkeypatch.setattr("dipsat.searches.achievement_goal.Achieve._find", interrupted)
    report = stress("datc", boards=2, timeout=60)
    assert report.is_interrupted
    assert report.boards == 2


@exhaustive
def test_progress_is_reported_in_words_with_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[str, str]] = []

    class Recorder(Bar):
        def __call__(self, what: str, done: float, total: float, besides: str = "") -> None:
            told.append((what, besides))

    monkeypatch.setattr("dipsat.app.view.Bar", Recorder)
    typed = ["rules", "stress", "datc", "--random", "2", "--units", "3", "--timeout", "0.001"]
    assert CliRunner().invoke(main, [*typed, "-j", "1"]).exit_code == 0
    assert told[0] == ("judging random boards", "  0 of 2")
    assert ("judging random boards", "  2 of 2") in told
    assert {"asking the solver for trouble that no board has shown"} < {what for what, _ in told}


# --- entries that change nothing ------------------------------------------------------------------


HOUSE_RULES = """
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
SEED = 80  # the boards from this seed on have a ring and two convoy paradoxes


def house(boards: int = BOARDS) -> Trial:
    """The house rules above on a few boards."""
    return Trial(parse_profile(HOUSE_RULES, "house.yaml"), "standard", boards, SEED, 27)


def reach_without(profile: Profile, entry: OwnEntry) -> Judging | None:
    """Where leaving out an entry can make a difference."""
    reduced = without(profile, entry)
    assert reduced is not None
    return reach_of(reduced, profile)


def same_as_everything(trial: Trial, entry: OwnEntry) -> str:
    """The verdict on an entry, which has to be that of judging everything."""
    found, other = effect_of(trial, entry), without(trial.profile, entry)
    if other is not None and found != PROVEN:
        tried, against = trial, other
        if entry.section == "option":
            tried, against = replace(trial, profile=other), trial.profile
        reach = reach_of(tried.profile, against)
        assert reach is not None
        seed = first_difference(tried, against, reach)
        assert seed == first_difference(tried, against, everything_in_words), entry
        assert found == (NEVER if seed is None else CHANGES), entry
    return found


@exhaustive
def test_entry_has_the_effect_that_judging_everything_shows() -> None:
    trial = house(boards=1)
    for section, name in (("cycles_before", "rings stop"), ("decisions", "dislodge")):
        same_as_everything(trial, OwnEntry(section, name))


@exhaustive
def test_every_entry_has_the_effect_that_judging_everything_shows() -> None:
    trial = house()
    found = {entry: same_as_everything(trial, entry) for entry in own_entries(trial.profile)}
    reached = {entry: reach_without(trial.profile, entry) for entry in found}
    verdicts = {verdict for entry, verdict in found.items() if reached[entry] is phase_in_words}
    assert verdicts == {CHANGES, NEVER}
    assert set(reached.values()) == {phase_in_words, everything_in_words}


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
        ("cycles_before: rings stop", phase_in_words),
        ("decisions: support", phase_in_words),
        ("results: retreat", phase_in_words),
        ("results: retreat_succeeds", everything_in_words),
        ("legal: captures", everything_in_words),
        ("settings: build_where", everything_in_words),
    ],
)
def test_reach_of_an_entry_is_where_equations_ask_for_it(entry: str, reach: Judging) -> None:
    profile = house().profile
    (found,) = [one for one in own_entries(profile) if str(one) == entry]
    assert reach_without(profile, found) is reach


def test_equations_reach_the_retreats_where_units_change_by_what_happens() -> None:
    """The colour of a dislodged unit is first seen when it retreats."""
    profile = load_profile("arpiesse")
    assert reach_without(profile, OwnEntry("decisions", "support")) is everything_in_words


@pytest.mark.parametrize(
    ("old", "new", "reach"),
    [('== "fleet"', '!= "army"', phase_in_words), ('!= "sea"', '== "land"', everything_in_words)],
)
def test_term_reaches_a_phase_whose_orders_it_makes_legal(
    old: str, new: str, reach: Judging
) -> None:
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


@exhaustive
def test_no_retreats_and_no_winter_are_judged_for_an_equation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    winters = counted(monkeypatch, judging, "_winter")
    assert effect_of(house(), OwnEntry("decisions", "dislodge")) == NEVER
    assert winters() == 0
