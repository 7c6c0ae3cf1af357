"""Lines of units: `dipsat.searches.hold_line` and `dipsat search hold`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import dipsat
from dipsat import searches
from dipsat.base import UNLIMITED
from dipsat.cli import main
from dipsat.errors import DipsatError
from dipsat.rules import load_profile, parse_profile
from dipsat.searches import hold_line, parse_line
from dipsat.searches.checked_rules import unchecked
from tests.checkout import ROOT
from tests.exhaustive import exhaustive, few_of
from tests.pages import assert_command_prints, blocks

EXAMPLES = ROOT / "docs" / "examples"
PAGE = (ROOT / "docs" / "holding-lines.md").read_text(encoding="utf-8")
SOUTH = (EXAMPLES / "line-south.yaml").read_text(encoding="utf-8")


def hold(text: str, limits: dipsat.Limits = UNLIMITED) -> searches.HoldResult:
    return hold_line(parse_line(text, "line.yaml"), limits=limits)


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("line-south", "holds"),
        ("line-south-open", "holds"),
        ("line-south-short", "breaks"),
        ("line-turkey", "holds"),
        ("line-turkey-short", "breaks"),
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


def test_json_has_verdict_region_and_witness() -> None:
    path = str(EXAMPLES / "line-turkey-short.yaml")
    done = CliRunner().invoke(main, ["search", "hold", path, "--json"])
    assert done.exit_code == 1
    found = json.loads(done.output)
    assert found["verdict"] == "breaks"
    assert found["witness"].keys() == {"units", "orders", "entered", "dislodged", "strayed"}
    assert found["witness"]["units"].keys() == found["witness"]["orders"].keys()


@pytest.mark.parametrize(
    "names",
    [
        ("line-south-short", "line-turkey-short"),
        pytest.param(
            ("line-south-short", "line-turkey-short", "line-south-open"), marks=exhaustive
        ),
    ],
    ids=len,
)
def test_results_are_the_same_whatever_was_asked_before(names: tuple[str, ...]) -> None:
    first = [searches.hold_line(EXAMPLES / f"{name}.yaml").to_dict() for name in names]
    again = [searches.hold_line(EXAMPLES / f"{name}.yaml").to_dict() for name in reversed(names)]
    assert first == again[::-1]


def test_a_way_in_that_passes_no_unit_breaks_the_line() -> None:
    found = hold("units: [A SEV]\nprotect: [ANK]\n")
    assert found.verdict == "breaks"
    assert found.line.region == {"ANK"}
    assert "only the protected" in found.line.derived


def test_number_of_enemy_units_limits_an_attack() -> None:
    text = "units: [F AEG]\nbehind: [AEG]\nenemy: {units: %s}\n"
    assert hold(text % 1).verdict == "holds"
    assert hold(text % 10**10).verdict == "breaks"
    found = hold(text % 2)
    assert found.verdict == "breaks"
    assert found.witness is not None
    assert found.witness.dislodged == ("F AEG",)


def test_open_units_get_orders_that_hold() -> None:
    text = "units: [F AEG, F EAS]\n%s: [EAS]\nbehind: [AEG]\nenemy: {units: 2, fleets_not_in: [SYR, SMY, ION]}\n"  # fmt: skip  # noqa: E501
    assert hold(text.replace("%s: [EAS]\n", "")).verdict == "breaks"
    found = hold(text % "open")
    assert (found.verdict, found.orders) == ("holds", ("F AEG H", "F EAS S F AEG"))


def test_time_limit_gives_unknown() -> None:
    found = hold(SOUTH, dipsat.Limits(seconds=1e-9))
    assert (found.verdict, found.reason) == ("unknown", "the time limit was not enough")


def test_an_interrupt_ends_the_search_with_what_is_known() -> None:
    def stop(_: str) -> None:
        raise KeyboardInterrupt

    found = hold_line(EXAMPLES / "line-south.yaml", progress=stop)
    assert (found.verdict, found.reason) == ("unknown", "the search was interrupted")


def test_open_units_whose_every_order_breaks() -> None:
    text = "units: [A GAL, A BUD]\nopen: [A GAL, A BUD]\nbehind: [VIE, RUM]\nenemy: {units: 4}\n"
    found = hold(text)
    assert (found.verdict, found.any_orders) == ("breaks", True)
    done = CliRunner().invoke(main, ["search", "hold", str(EXAMPLES / "line-south-open.yaml")])
    assert done.exit_code == 0


def test_rules_that_change_what_the_proof_needs_are_unknown() -> None:
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


@pytest.mark.parametrize("name", ["datc", "2023", "2000", "1982", "1971", "dptg", "datc-2.4"])
def test_rulebooks_are_checked(name: str) -> None:
    assert unchecked(load_profile(name)) == ()


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ("units: [A SEW]\nbehind: [RUM]", "1:9", "SEW"),
        ("units: [A SEV, F SEV]\nbehind: [RUM]", "1:16", "already stands"),
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
    ],
)
def test_bad_input_is_one_error_with_its_place(
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


def test_a_region_that_leaves_no_place_for_an_enemy_is_refused() -> None:
    everything = ", ".join(sorted(dipsat.load_map("standard").provinces))
    with pytest.raises(DipsatError, match=r"line.yaml:2:9: .*the enemy can have no units"):
        parse_line(f"units: [A SEV]\nbehind: [{everything}]", "line.yaml")


@pytest.mark.parametrize("block", blocks(PAGE, "console"))
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


def test_the_answer_says_what_the_line_supposes_about_the_enemy() -> None:
    found = searches.hold_line(EXAMPLES / "line-turkey.yaml")
    assert "Enemy    no fleets in AEG, BLA, EAS\n" in str(found)
    banned = {"units": None, "fleets_not_in": ["AEG", "BLA", "EAS"], "armies_not_in": []}
    assert found.to_dict()["enemy"] == banned
