"""Lines that move: `dipsat.searches.hold_line` on files with `states`, or with moves among the
orders."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import dipsat
from dipsat import searches
from dipsat.cli import main
from dipsat.errors import DipsatError
from dipsat.rules import load_profile
from dipsat.searches import hold_line, parse_line
from dipsat.searches.checked_rules import unchecked
from tests.checkout import ROOT
from tests.pages import assert_command_prints, blocks, page

EXAMPLES = ROOT / "docs" / "examples"
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


def hold(text: str, rules: str | None = None) -> searches.HoldResult:
    profile = None if rules is None else load_profile(rules)
    return hold_line(parse_line(text, str(EXAMPLES / "line.yaml"), profile))


def test_two_units_hold_three_provinces() -> None:
    assert hold(TRIANGLE).verdict == "holds"


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("A ASH - ELM, A OAK - ELM", "A ASH - ELM", {"entered": ["ASH"]}),
        ("A ASH - ELM, A OAK - ELM", "A ASH H", {"entered": ["ELM"]}),
        # The enemy supports one of two moves that bounce, and the unit goes astray.
        ("  - units: [A ELM, A OAK]\n    orders: [A ELM - ASH, A OAK - ASH]\n", "",
         {"strayed": ["A ELM", "A OAK"]}),
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


def test_sorties_cut_supports_that_no_own_support_could_make_up_for() -> None:
    assert hold(SORTIES).verdict == "holds"
    for sortie in ("A UPP - NOR", "A LOW - SOU"):  # one of the two is not enough
        found = hold(SORTIES.replace(f"[{sortie}, ", "[").replace(f", {sortie}]", "]"))
        assert found.witness is not None
        assert found.witness.dislodged == ("A KEE",)


def test_units_outside_may_be_dislodged_if_they_can_retreat() -> None:
    assert hold(RETREAT).verdict == "holds"
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
        # The own move to Ash succeeds, or bounces with an enemy's.
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


def test_a_retreat_that_no_file_can_state_proves_nothing() -> None:
    """From a closed province, and to one where enemies may stand."""
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
    assert hold_line(file).verdict == "holds"  # whoever comes to Main bounces
    file.write_text(text.replace("[A MAI H]", "[A MAI - ISL, F SND C A MAI - ISL]"), "utf-8")
    found = hold_line(file)
    assert found.witness is not None
    assert found.witness.entered == ("MAI",)


def test_rings_of_own_units_go_round_and_are_drawn() -> None:
    text = "units: [A BOH, A MUN, A TYR]\norders: [A BOH - MUN, A MUN - TYR, A TYR - BOH]\n"
    text += "behind: [BOH]\nenemy: {units: %s}\n"
    assert hold(text % 1).verdict == "holds"  # one enemy stops no ring that ends as it began
    found = hold(text % 2)
    assert found.verdict == "breaks"
    assert "The line breaks" in str(dipsat.draw.line(found))


def test_json_has_the_states() -> None:
    path = str(EXAMPLES / "line-triangle.yaml")
    done = CliRunner().invoke(main, ["search", "hold", path, "--json"])
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert found["states"][1] == {
        "units": ["A ASH", "A OAK"],
        "orders": ["A ASH - ELM", "A OAK - ELM"],
        "retreats": [],
    }
    assert found["outposts"] == []


@pytest.mark.parametrize("rules", ["datc", "2023", "2000", "datc-2.4"])
def test_rulebooks_are_checked(rules: str) -> None:
    assert unchecked(load_profile(rules), "moving-lines") == ()
    assert unchecked(load_profile(rules), "sure-retreats") == ()


def test_rules_for_retreats_matter_only_to_plans_with_retreats() -> None:
    for rules in ("judges/beaten-move-contests", "judges/retreats-left-out"):
        found = hold(RETREAT, rules)
        assert found.verdict == "unknown"
        assert "results: retreat" in found.reason
        assert hold(SORTIES, rules).verdict == "holds"


def test_rules_that_change_what_the_proof_needs_are_unknown() -> None:
    found = hold(TRIANGLE, "1971")
    assert found.verdict == "unknown"
    assert "adjacent_convoy" in found.reason
    broken = TRIANGLE.replace("A ASH - ELM, A OAK - ELM", "A ASH - ELM")
    assert hold(broken, "1971").verdict == "breaks"


STATES = "power: TURKEY\nbehind: [ANK]\nstates:\n"


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
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
         "no neighbour"),
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
def test_bad_input_is_one_error_with_its_place(text: str, place: str, problem: str) -> None:
    with pytest.raises(DipsatError) as caught:
        parse_line(text, "line.yaml")
    assert str(caught.value).startswith(f"line.yaml:{place}: ")
    assert problem in str(caught.value)


@pytest.mark.parametrize("block", blocks(page("docs/moving-lines.md"), "console"))
def test_commands_of_the_page_print_what_it_shows(
    block: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert_command_prints(block)
