"""Lines of units, which stay or move: `dipsat.searches.hold_line` and `dipsat search hold`."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import dipsat
from dipsat import searches
from dipsat.base import UNLIMITED
from dipsat.board import Map, parse_map
from dipsat.cli import main
from dipsat.errors import DipsatError
from dipsat.rules import load_profile, parse_profile
from dipsat.searches import hold_line, parse_line
from dipsat.searches.checked_rules import unchecked
from dipsat.searches.line_question import terms_of
from dipsat.solving import Fewest
from tests.checkout import ROOT
from tests.exhaustive import exhaustive, few_of
from tests.pages import assert_command_prints, blocks, page
from tools.moving_lines import TriangleModel, triangles

EXAMPLES = ROOT / "docs" / "examples"
PAGES = page("docs/holding-lines.md") + page("docs/moving-lines.md")
EVERYWHERE = ", ".join(sorted(dipsat.load_map("standard").provinces))
STATES = "power: TURKEY\nbehind: [ANK]\nstates:\n"
SOUTH = (EXAMPLES / "line-south.yaml").read_text(encoding="utf-8")


def hold(
    text: str, rules: str | None = None, limits: dipsat.Limits = UNLIMITED
) -> searches.HoldResult:
    profile = None if rules is None else load_profile(rules)
    return hold_line(parse_line(text, str(EXAMPLES / "line.yaml"), profile), limits=limits)


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("line-south", "holds"),
        ("line-south-open", "holds"),
        ("line-south-short", "breaks"),
        ("line-turkey", "holds"),
        ("line-turkey-short", "breaks"),
        ("line-triangle", "holds"),
        ("line-sorties", "holds"),
        ("line-retreat", "holds"),
    ],
)
def test_examples_are_settled(name: str, verdict: str) -> None:
    assert searches.hold_line(EXAMPLES / f"{name}.yaml").verdict == verdict


def test_orders_are_found_by_learning_from_attacks_and_not_by_trying_all() -> None:
    """Ten units, each with two or more orders: at least a thousand sets of orders. An attack that
    breaks one set breaks most of them."""
    told: list[str] = []
    found = hold_line(EXAMPLES / "line-south-open.yaml", progress=told.append)
    first = found.line.units[0]
    assert len(found.line.open) == 10
    assert sum(text.startswith(f"who could dislodge {first}?") for text in told) < 50


@pytest.mark.parametrize(
    "unit", few_of(re.findall(r"[AF] [A-Z]{3}", SOUTH.partition("\norders")[0]), 4)
)
def test_every_unit_of_the_southern_line_is_needed(unit: str) -> None:
    region = ", ".join(sorted(hold(SOUTH).line.region))
    units = SOUTH.partition("units: [")[2].partition("]")[0].split(", ")
    left = [other for other in units if other != unit]
    behind = f"behind: [{region}, {unit[2:]}]\n"
    orders = [line for line in SOUTH.splitlines() if line.startswith("  - ") and unit not in line]
    text = f"units: [{', '.join(left)}]\n{behind}orders:\n" + "\n".join(orders)
    found = hold(text)
    assert found.verdict == "breaks"
    assert found.witness is not None
    witness = found.witness
    position = dipsat.Position.from_units(witness.units)
    outcome = dipsat.adjudicate(position, witness.orders)
    assert {one.unit for one in outcome.dislodged} >= set(witness.dislodged)
    assert witness.entered


def test_json_has_verdict_witness_and_states() -> None:
    def told(name: str, exits: int) -> Any:
        command = ["search", "hold", str(EXAMPLES / f"{name}.yaml"), "--json"]
        done = CliRunner().invoke(main, command)
        assert done.exit_code == exits
        return json.loads(done.output)

    found = told("line-turkey-short", 1)
    assert found["verdict"] == "breaks"
    assert found["witness"].keys() == {"units", "orders", "entered", "dislodged", "strayed"}
    assert found["witness"]["units"].keys() == found["witness"]["orders"].keys()
    found = told("line-triangle", 0)
    assert found["states"][1] == {
        "units": ["A ASH", "A OAK"],
        "orders": ["A ASH - ELM", "A OAK - ELM"],
        "retreats": [],
    }
    assert found["outposts"] == []


def test_number_of_enemy_units_limits_an_attack() -> None:
    text = "units: [F AEG]\nbehind: [AEG]\nenemy: {units: %s}\n"
    assert hold(text % 1).verdict == "holds"
    assert hold(text % 10**10).verdict == "breaks"
    found = hold(text % 2)
    assert found.verdict == "breaks"
    assert found.witness is not None
    assert found.witness.dislodged == ("F AEG",)
    passed = hold("units: [A SEV]\nprotect: [ANK]\n")  # no unit bars the way
    assert (passed.verdict, [*passed.line.region]) == ("breaks", ["ANK"])
    assert "only the protected" in passed.line.derived


def test_open_units_are_given_orders_that_hold_if_any_do() -> None:
    enemy = "enemy: {units: 2, fleets_not_in: [SYR, SMY, ION]}"
    text = f"units: [F AEG, F EAS]\n%sbehind: [AEG]\n{enemy}\n"
    assert hold(text % "").verdict == "breaks"
    found = hold(text % "open: [EAS]\n")
    assert (found.verdict, found.orders) == ("holds", ("F AEG H", "F EAS S F AEG"))
    text = "units: [A GAL, A BUD]\nopen: [A GAL, A BUD]\nbehind: [VIE, RUM]\nenemy: {units: 4}\n"
    found = hold(text)
    assert (found.verdict, found.any_orders) == ("breaks", True)


def test_without_time_or_after_an_interrupt_nothing_is_known() -> None:
    def stop(_: str) -> None:
        raise KeyboardInterrupt

    found = hold_line(EXAMPLES / "line-south.yaml", progress=stop)
    assert (found.verdict, found.reason) == ("unknown", "the search was interrupted")
    found = hold(SOUTH, limits=dipsat.Limits(seconds=1e-9))
    assert (found.verdict, found.reason) == ("unknown", "the time limit was not enough")


def test_verdicts_are_unknown_under_rules_that_the_proof_does_not_cover() -> None:
    weak = parse_profile(
        "name: weak\nextends: datc\ndecisions:\n  hold_strength(p): 1 if some(p.units) else 0\n",
        "weak.yaml",
    )
    assert unchecked(weak) == ("decisions: hold_strength",)
    found = hold_line(parse_line(SOUTH, "line.yaml", weak))
    assert found.verdict == "unknown"
    strong = parse_profile(
        "name: strong\nextends: datc\ndecisions:\n  hold_strength(p): 9 if some(p.units) else 0\n",
        "strong.yaml",
    )
    short = (EXAMPLES / "line-south-short.yaml").read_text(encoding="utf-8")
    found = hold_line(parse_line(short, "line.yaml", strong))
    assert found.verdict == "unknown"
    assert "do not" in found.reason


@pytest.mark.parametrize("name", ["datc", "2023", "2000", "datc-2.4", "1982", "1971", "dptg"])
def test_rulebooks_are_checked(name: str) -> None:
    """Four are also checked for lines that move."""
    assert unchecked(load_profile(name)) == ()
    if name in ("datc", "2023", "2000", "datc-2.4"):
        assert unchecked(load_profile(name), "moving-lines") == ()
        assert unchecked(load_profile(name), "sure-retreats") == ()


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ("units: [A SEW]\nbehind: [RUM]", "1:9", "SEW"),
        ("units: [A SEV]\nbehind: [RUN]", "2:10", "RUN"),
        ("units: [A SEV]", "1:1", "'protect' or 'behind'"),
        ("behind: [RUM]", "1:1", "'units' is missing"),
        ("units: []\nbehind: [RUM]", "1:8", "no unit"),
        ("units: [A SEV]\norders: [A UKR H]\nbehind: [RUM]", "2:10", "no own unit"),
        ("units: [A SEV]\norders: [A SEV - BUD]\nbehind: [RUM]", "2:10", "cannot go to"),
        ("units: [A SEV]\norders: [A SEV S A UKR]\nbehind: [RUM]", "2:10", "no own unit"),
        ("units: [A SEV, A GAL]\norders: [A SEV S A GAL]\nbehind: [RUM]", "2:10", "cannot support"),
        ("units: [A SEV, F SEV]\nbehind: [RUM]", "1:16", "A SEV already stands in SEV"),
        ("[{units: [A SEV]}]", "1:1", "check_lines.py"),
        ("units: [A SEV]\nbehind: RUM", "2:9", "provinces should be a list"),
        ("units: [A SEV]\norders: [A SEV H, A SEV H]\nbehind: [RUM]", "2:19", "two orders"),
        ("units: [A SEV]\nopen: [A UKR]\nbehind: [RUM]", "2:8", "no own unit"),
        ("units: [A SEV]\norders: [A SEV H]\nopen: [A SEV]\nbehind: [RUM]", "3:8", "is open"),
        ("units: [A SEV]\nbehind: [RUM]\nenemy: {units: -1}", "3:16", "less than 0"),
        ("units: [A SEV]\nbehind: [RUM]\nenemy: {powers: [MARS]}", "3:18", "MARS"),
        (
            "units: [A SEV]\npower: TURKEY\nbehind: [RUM]\nenemy: {powers: [TURKEY]}",
            "4:18",
            "TURKEY is the power of the line and an enemy",
        ),
        ("units: [A SEV]\nbehind: [RUM]\nenemy: {fleet: 1}", "3:9", "unknown key"),
        ("units: [A SEV]\nbehind: [RUM]\nrules: nothing", "3:8", "nothing"),
        (f"units: [A SEV]\nbehind: [{EVERYWHERE}]", "2:9", "the enemy can have no units"),
        ("units: [A SEV]\nstates: []\nbehind: [RUM]", "1:8", "leave out 'units'"),
        ("states: []\nbehind: [RUM]", "1:9", "lists no state"),
        ("units: [A SEV]\noutposts: [UKR]\nbehind: [RUM]", "2:11", "only a line with 'states'"),
        ("units: [A SEV]\nopen: [A SEV]\norders: [A SEV - RUM]\nbehind: [RUM]", "2:7", "open"),
        (f"{STATES}- {{orders: [A SEV H]}}", "4:3", "'units' is missing"),
        (f"{STATES}- {{units: [A SEV]}}\n- {{units: [F SEV]}}", "5:11", "0 armies and 1 fleet"),
        (f"{STATES}- {{units: [A SEV], order: []}}", "4:20", "unknown key"),
        (f"{STATES}- {{units: [A SEV], orders: [A SEV - BUD]}}", "4:29", "cannot go to BUD"),
        (f"{STATES}- {{units: [A SEV], orders: [A SEV - ANK]}}", "4:29", "no own fleets convoy"),
        (f"{STATES}- {{units: [F CON], orders: [F CON - BUL]}}", "4:29", "BUL/EC or BUL/SC"),
        (f"{STATES}- {{units: [A SEV], orders: [A SEV - RUM VIA]}}", "4:29", "leave out how"),
        (f"{STATES}- {{units: [A SEV, A UKR], orders: [A UKR S A SEV - RUM]}}", "4:36",
         "A SEV is not ordered to go to RUM"),
        (f"{STATES}- {{units: [A SEV, A UKR], orders: [A SEV - RUM, A UKR S A SEV]}}", "4:49",
         "is ordered to move"),
        (f"{STATES}- {{units: [A SEV, A MOS], orders: [A SEV - RUM, A MOS S A SEV - RUM]}}",
         "4:49", "cannot go to RUM"),
        (f"{STATES}- {{units: [A SEV, F BLA], orders: [A SEV - RUM, F BLA C A SEV - RUM]}}",
         "4:36", "over land"),
        (f"{STATES}- {{units: [A SEV], orders: [A SEV D]}}", "4:29", "holds, moves"),
        (f"{STATES}- {{units: [A SEV]}}\noutposts: [MOS]", "5:12", "no own unit stands there"),
        (f"{STATES}- {{units: [A SEV], retreats: [A SEV R ARM]}}", "4:31", "SEV is closed"),
        (f"{STATES}- {{units: [A SEV], retreats: [A SEV - ARM]}}", "4:31", "like A NOR R UPP"),
        (f"{STATES}- {{units: [A SEV], retreats: [A RUM R SEV]}}", "4:31", "no own unit stands in"),
        (f"{STATES}- {{units: [A SEV], retreats: [A SEV R ANK]}}\noutposts: [SEV]", "4:31",
         "not a neighbour"),
        (f"{STATES}- {{units: [A SEV], retreats: [A SEV R RUM]}}\noutposts: [SEV]", "4:31",
         "RUM is not closed"),
        (f"{STATES}- {{units: [F CON], retreats: [F CON R BUL]}}\noutposts: [CON]", "4:31",
         "BUL/EC or BUL/SC"),
        (f"{STATES}- {{units: [F CON], retreats: [F CON R ANK, F CON R ANK]}}\noutposts: [CON]",
         "4:44", "has two retreats"),
        (f"{STATES}- {{units: [A ANK, F BLA], orders: [A ANK - BUL, F BLA C A ANK - BUL], "
         "retreats: [F BLA R ANK]}\noutposts: [BLA]", "4:82", "must not be dislodged"),
    ],
)  # fmt: skip
def test_bad_input_is_a_single_error_with_its_place(
    text: str, place: str, problem: str, tmp_path: Path
) -> None:
    with pytest.raises(DipsatError) as caught:
        parse_line(text, "line.yaml")
    assert str(caught.value).startswith(f"line.yaml:{place}: ")
    assert problem in str(caught.value)
    path = tmp_path / "line.yaml"
    path.write_text(text, encoding="utf-8")
    done = CliRunner().invoke(main, ["search", "hold", str(path)])
    assert done.exit_code == 2
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("block", blocks(PAGES, "console"))
def test_commands_of_the_page_print_what_it_shows(
    block: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert_command_prints(block)


def test_units_built_behind_the_line_change_nothing() -> None:
    """Every home centre behind von Metzke's line, with an army in each."""
    file = EXAMPLES / "line-south.yaml"
    found = searches.hold_line(file)
    assert found.builds == ("ANK", "CON", "NAP", "ROM", "SMY", "TRI", "VEN", "VIE")
    more = "".join(f", A {code}" for code in found.builds)
    text = file.read_text(encoding="utf-8").replace("F WES, F NAF]", f"F WES, F NAF{more}]")
    assert more in text
    again = searches.hold_line(parse_line(text, str(file)))
    assert (again.verdict, again.builds) == ("holds", ())
    assert searches.hold_line(EXAMPLES / "line-south-short.yaml").builds == ()


def test_the_answer_says_what_the_line_assumes_about_the_enemy() -> None:
    found = searches.hold_line(EXAMPLES / "line-turkey.yaml")
    assert "Enemy    no fleets in AEG, BLA, EAS\n" in str(found)
    banned = {"units": None, "fleets_not_in": ["AEG", "BLA", "EAS"], "armies_not_in": []}
    assert found.to_dict()["enemy"] == banned


TRIANGLE = (EXAMPLES / "line-triangle.yaml").read_text(encoding="utf-8")
SORTIES = (EXAMPLES / "line-sorties.yaml").read_text(encoding="utf-8")
RETREAT = (EXAMPLES / "line-retreat.yaml").read_text(encoding="utf-8")
COAST = """
name: coast
powers: {OWN: {}, ONE: {}, TWO: {}}
provinces:
  ISL: {name: Isle, type: coast, fleet: [SND]}
  MAI: {name: Main, type: coast, army: [OUT], fleet: [SND, OUT]}
  OUT: {name: Out, type: coast, army: [MAI], fleet: [MAI]}
  SND: {name: Sound, type: sea, fleet: [ISL, MAI]}
"""


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("A ASH - ELM, A OAK - ELM", "A ASH - ELM", {"entered": ["ASH"]}),
        ("A ASH - ELM, A OAK - ELM", "A ASH H", {"entered": ["ELM"]}),
        # The enemy supports one of two moves that bounce, and the unit goes astray.
        ("  - units: [A ELM, A OAK]\n    orders: [A ELM - ASH, A OAK - ASH]\n", "",
         {"strayed": ["A ELM", "A OAK"]}),
        (TRIANGLE.partition("states:\n")[2].rpartition("  - units")[0], "",
         {"strayed": ["A ASH", "A OAK"]}),
    ],
)  # fmt: skip
def test_a_change_that_breaks_the_triangle_is_found(
    old: str, new: str, what: dict[str, list[str]]
) -> None:
    assert old in TRIANGLE
    found = hold(TRIANGLE.replace(old, new))
    assert found.verdict == "breaks"
    assert found.witness is not None
    shown = found.witness.to_dict()
    assert {key: shown[key] for key in what} == what
    assert sum(map(len, found.witness.units.values())) <= 3  # one enemy unit is enough


def test_sorties_cut_supports_that_own_supports_cannot_outweigh() -> None:
    for sortie in ("A UPP - NOR", "A LOW - SOU"):  # one sortie is not enough
        found = hold(SORTIES.replace(f"[{sortie}, ", "[").replace(f", {sortie}]", "]"))
        assert found.witness is not None
        assert found.witness.dislodged == ("A KEE",)


def test_units_outside_may_be_dislodged_if_they_can_retreat() -> None:
    found = hold(RETREAT.replace("    retreats: [A SOU R LOW]\n", ""))
    assert found.witness is not None
    assert found.witness.dislodged == ("A SOU",)
    assert "A SOU is dislodged. Adj" in str(found)


@pytest.mark.parametrize(
    ("plan", "outposts", "lost", "enemies"),
    [
        # Ash stays in the refuge of the unit outside.
        ("{units: [A ASH, A SEA], orders: [], retreats: [A SEA R ASH]}", "SEA", ("A SEA",), 2),
        # Both units retreat to Ash, which nobody holds: an enemy there would break the plan anyway.
        ("{units: [A ELM, A SEA], orders: [], retreats: [A ELM R ASH, A SEA R ASH]}",
         "ELM, SEA", ("A ELM", "A SEA"), 4),
        # Our own move to Ash succeeds, or bounces with an enemy's.
        ("{units: [A ELM, A SEA], orders: [A ELM - ASH], retreats: [A SEA R ASH]}", "ELM, SEA",
         ("A SEA",), 2),
    ],
)  # fmt: skip
def test_a_retreat_that_is_barred_breaks_a_plan(
    plan: str, outposts: str, lost: tuple[str, ...], enemies: int, tmp_path: Path
) -> None:
    """Ash, Elm and Sea border each other; enemies can attack Elm and Sea from two sides each."""
    rows = {"ASH": "ELM, SEA", "ELM": "ASH, SEA, EAA, EBB", "SEA": "ASH, ELM, SAA, SBB"}
    rows |= {"EAA": "ELM", "EBB": "ELM", "SAA": "SEA", "SBB": "SEA"}
    board = "".join(f"  {c}: {{name: {c}, type: land, army: [{n}]}}\n" for c, n in rows.items())
    head = "name: small\npowers: {OWN: {}, ENEMY: {}}\nprovinces:\n"
    (tmp_path / "small.yaml").write_text(head + board, encoding="utf-8")
    text = "map: small.yaml\npower: OWN\nbehind: [ASH]\n"
    text += f"outposts: [{outposts}]\nstates:\n- {plan}\n"
    found = hold_line(parse_line(text, str(tmp_path / "line.yaml")))
    assert found.witness is not None
    assert found.witness.dislodged == lost
    assert f"{lost[0]} is dislodged and cannot retreat to ASH" in str(found)
    own = found.witness.units["OWN"]
    assert sum(map(len, found.witness.units.values())) - len(own) == enemies


def test_retreats_that_no_file_can_state_prove_nothing() -> None:
    """Retreats from a closed province, and to a province where enemies may be."""
    line = parse_line(RETREAT, str(EXAMPLES / "line.yaml"))
    for closed, outposts in (({"NOR"}, {"SOU"}), (set[str](), {"NOR", "SOU", "UPP"})):
        changed = replace(
            line, region=line.region | closed, outposts=frozenset(outposts), enemy=line.enemy
        )
        found = hold_line(changed)
        assert found.verdict == "breaks"
        assert found.witness is not None


def test_own_convoys_are_judged(tmp_path: Path) -> None:
    (tmp_path / "coast.yaml").write_text(COAST, encoding="utf-8")
    text = (
        "map: coast.yaml\npower: OWN\nbehind: [ISL, MAI, SND]\nstates:\n"
        "- {units: [A ISL, F SND], orders: [A ISL - MAI, F SND C A ISL - MAI]}\n"
        "- {units: [A MAI, F SND], orders: [A MAI H]}\n"
    )
    file = tmp_path / "line.yaml"
    file.write_text(text, encoding="utf-8")
    assert hold_line(file).verdict == "holds"  # any unit that moves to Main bounces
    file.write_text(text.replace("[A MAI H]", "[A MAI - ISL, F SND C A MAI - ISL]"), "utf-8")
    found = hold_line(file)
    assert found.witness is not None
    assert found.witness.entered == ("MAI",)


def test_rings_of_own_units_rotate_and_are_drawn() -> None:
    text = "units: [A BOH, A MUN, A TYR]\norders: [A BOH - MUN, A MUN - TYR, A TYR - BOH]\n"
    text += "behind: [BOH]\nenemy: {units: %s}\n"
    assert hold(text % 1).verdict == "holds"  # one enemy cannot stop a ring; it ends as it began
    found = hold(text % 2)
    assert found.verdict == "breaks"
    assert "The line breaks" in str(dipsat.draw.line(found))


@exhaustive
def test_rules_for_retreats_matter_only_to_plans_with_retreats() -> None:
    for rules in ("judges/beaten-move-contests", "judges/retreats-left-out"):
        found = hold(RETREAT, rules)
        assert found.verdict == "unknown"
        assert "results: retreat" in found.reason
        assert hold(SORTIES, rules).verdict == "holds"


def test_verdicts_on_moves_are_unknown_under_rules_that_the_proof_does_not_cover() -> None:
    found = hold(TRIANGLE, "1971")
    assert found.verdict == "unknown"
    assert "adjacent_convoy" in found.reason
    broken = TRIANGLE.replace("A ASH - ELM, A OAK - ELM", "A ASH - ELM")
    assert hold(broken, "1971").verdict == "breaks"


# An army is convoyed between Elm and Oak; the inlet is closed. Bay borders Oak in the second map.
INLET = """
name: inlet
powers: {OWN: {}, ENEMY: {}}
provinces:
  ASH: {name: Ashford, type: land, army: [ELM, OAK, SEA]}
  ELM: {name: Elmhurst, type: coast, army: [ASH, SEA], fleet: [INS]}
  OAK: {name: Oakham, type: coast, army: [ASH, SEA], fleet: [INS]}
  INS: {name: Inlet, type: sea, fleet: [ELM, OAK]}
  SEA: {name: Seaford, type: land, army: [ASH, ELM, OAK]}
"""
BAY = INLET.replace("Oakham, type: coast, army: [", "Oakham, type: coast, army: [BAY, ")
BAY += "  BAY: {name: Bayview, type: land, army: [OAK]}\n"
WITH_CONVOY = """
map: inlet.yaml
power: OWN
protect: [ASH, ELM, OAK, INS]
states:
  - {units: [A ASH, A ELM, F INS], orders: [A ASH - OAK, A ELM - OAK, F INS C A ELM - OAK]}
  - {units: [A ASH, A OAK, F INS], orders: [A ASH - ELM, A OAK - ELM, F INS C A OAK - ELM]}
  - {units: [A ELM, A OAK, F INS], orders: [A ELM - ASH, A OAK - ASH]}
"""


def asked(board: Map, **more: Any) -> searches.Lines:
    outside = ("SEA", "BAY") if "BAY" in board.provinces else ("SEA",)
    return searches.Lines(
        protect=("ASH", "ELM", "OAK"), outside=outside, power="OWN", map=board, **more
    )


def with_triangles(question: searches.Lines) -> int | None:
    search = Fewest(TriangleModel(terms_of(question, load_profile("datc"))).problem)
    search.search()
    return None if search.best is None else search.count


@pytest.mark.parametrize(("text", "stay", "move"), [(INLET, 4, 3), (BAY, 4, 4)])
def test_a_triangle_with_a_convoy_saves_a_unit_if_all_enemies_come_from_one_province(
    text: str, stay: int, move: int
) -> None:
    question = asked(parse_map(text, "inlet.yaml"), given=("F INS",))
    assert dipsat.search(question).fewest == stay
    assert with_triangles(question) == move


def test_hold_proves_the_triangle_with_a_convoy(tmp_path: Path) -> None:
    found = [one for one in triangles(parse_map(INLET, "inlet.yaml")) if one.beside == "SEA"]
    assert {one.empty for one in found} == {"ELM", "OAK"}
    (tmp_path / "inlet.yaml").write_text(INLET, encoding="utf-8")
    (tmp_path / "line.yaml").write_text(WITH_CONVOY, encoding="utf-8")
    assert searches.hold_line(tmp_path / "line.yaml").verdict == "holds"
