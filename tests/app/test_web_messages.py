"""The rule lab's interface: every kind of request has its answer in plain JSON, or one error."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import pytest

import dipsat
from dipsat.app.messages import KINDS, SCHEMA
from dipsat.base import Limits
from tests.checkout import ROOT
from tests.exhaustive import exhaustive, parts_of
from tests.formats.sheets import PARADOX
from tests.pages import page
from tools.site.tables import with_tables

SIEGE = """\
extends: datc
title: A unit that holds is as strong as two
decisions:
  hold_strength(p): base + (1 if some(p.units) and not some(p.departures) else 0)
"""
PARIS = {"units": {"FRANCE": ["A PAR"]}}


def asked(**request: Any) -> dict[str, Any]:
    """The answer to a request; both go through JSON, as over the network."""
    found = dipsat.answer(json.loads(json.dumps(request)))
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["dipsat"] == dipsat.__version__
    assert found["schema"] == SCHEMA
    assert found["request"] == (request["request"] if request["request"] in KINDS else None)
    assert ("answer" in found) != ("error" in found)
    return found


def answered(**request: Any) -> Any:
    found = asked(**request)
    assert "error" not in found, found.get("error")
    return found["answer"]


def refused(**request: Any) -> Any:
    return asked(**request)["error"]


def verdicts(outcome: Mapping[str, Any]) -> dict[str, str]:
    return {order["unit"]: order["verdict"] for order in outcome["orders"]}


def test_paradox_is_adjudicated_as_the_datc_states_and_its_next_position_is_accepted() -> None:
    found = answered(request="adjudicate", orders=PARADOX)
    assert verdicts(found) == {
        "F LON": "given", "F WAL": "succeeds", "A BRE": "fails", "F ENG": "disrupted",
    }  # fmt: skip
    assert found["next"]["phase"] == "S1901R"
    assert found["next"]["dislodged"] == {"FRANCE": ["F ENG"]}
    orders = {"FRANCE": ["F ENG R BEL"]}
    found = answered(request="adjudicate", position=found["next"], orders=orders)
    assert set(found["units"]["FRANCE"]) == {"A BRE", "F BEL"}


def test_adjudication_is_that_of_the_python_interface() -> None:
    units, orders = {"FRANCE": ["A PAR"], "ITALY": ["A MUN"]}, {"FRANCE": ["A PAR - BUR"]}
    position = dipsat.Position.from_units(units, phase="F1902M", centers={"FRANCE": ["PAR"]})
    found = answered(request="adjudicate", position=position.to_dict(), orders=orders)
    assert found.pop("titles")["FRANCE"] == "France"
    assert found == dipsat.adjudicate(position, orders).to_dict()


def test_orders_of_a_position_may_be_a_sheet() -> None:
    by_power = answered(request="adjudicate", position=PARIS, orders={"FRANCE": ["A PAR - BUR"]})
    sheet = answered(request="adjudicate", position=PARIS, orders="France:\n A Par - Bur\n")
    assert verdicts(sheet) == verdicts(by_power) == {"A PAR": "succeeds"}
    assert verdicts(answered(request="adjudicate", position=PARIS)) == {"A PAR": "stands"}


def test_rules_are_a_name_or_a_text_and_so_is_a_map() -> None:
    # One attacker with one support: 2 against 1, and against 2 under the siege.
    orders = "Italy:\n A Ven - Tri\n A Tyr S A Ven - Tri\nAustria:\n F Tri H\n"
    for rules, verdict in (("1982", "succeeds"), ({"text": SIEGE}, "fails")):
        found = answered(request="adjudicate", orders=orders, rules=rules)
        assert verdicts(found)["A VEN"] == verdict
    both = answered(request="compare", orders=orders, rules=["datc", {"text": SIEGE}])
    assert [row["unit"] for row in both["orders"] if row["differs"]] == ["F TRI", "A VEN"]
    board = {"text": "extends: standard\nname: own\n", "name": "own.yaml"}
    assert answered(request="adjudicate", orders=PARADOX, map=board)["map"] == "own"


def test_tree_explains_and_a_proof_counts() -> None:
    tree = answered(request="explain", orders=PARADOX, unit="a brest", core=True)
    assert tree["unit"] == "A BRE"
    assert "Szykman" in json.dumps(tree["tree"])
    assert tree["core"]["verdict"] != "unknown"
    proof = answered(request="prove", orders=PARADOX)
    assert proof["verdict"] == "not unique"
    # Either the convoy succeeds and cuts the support, or it is disrupted and cuts nothing.
    assert max(part["resolutions"] for part in proof["subgraphs"]) == 2
    (cycle,) = proof["cycles"]
    assert cycle["rule"] == "Szykman"
    convoy = [one["family"] for one in cycle["decisions"]].index("convoy")
    assert {values[convoy] for values in cycle["resolutions"]} == {0, 1}
    assert cycle["outcome"][convoy] == 0  # disrupted


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ({"question": "achieve", "goal": "enters(BUR)"}, "found"),
        ({"question": "achieve", "goal": "enters(MUN)"}, "impossible"),  # not beside Paris
        ({"question": "guarantee", "goal": "enters(BUR)", "power": "France"}, "found"),
        ({"question": "paradox"}, "impossible"),
        ({"question": "differ", "other": {"text": "extends: datc"}}, "impossible"),
    ],
)
def test_searches_are_answered(question: dict[str, Any], verdict: str) -> None:
    found = answered(request="search", position=PARIS, picture=True, **question)
    assert found["verdict"] == verdict
    assert found["text"]
    assert found["svg"].startswith("<svg")


@exhaustive
def test_the_fewest_units_of_a_guarantee_are_answered() -> None:
    """One army in Venice is dislodged only if Tuscany supports the attack from Rome; with a
    support, two armies hold it."""
    others = {"ITALY": ["A ROM"], "FRANCE": ["A TUS"]}
    asked = {"question": "guarantee", "goal": "stands(VEN, AUSTRIA)", "power": "Austria"}
    found = answered(request="search", position={"units": others}, most=3, **asked)
    assert (found["verdict"], found["fewest"], found["bound"]) == ("found", 2, 2)
    assert {power: found["units"][power] for power in others} == others
    assert len(found["units"]["AUSTRIA"]) == 2
    fewer = answered(request="search", position={"units": others}, most=1, **asked)
    assert fewer["verdict"] == "impossible"


def test_only_the_units_of_the_power_of_a_goal_are_open() -> None:
    """One army without support never dislodges another, so Austria needs the French support, or a
    second unit of its own."""
    venice = {"units": {"AUSTRIA": ["A TRI"], "FRANCE": ["A ROM"], "ITALY": ["A VEN"]}}
    asked = {"question": "achieve", "goal": "dislodged(VEN)", "position": venice}
    assert answered(request="search", **asked)["verdict"] == "found"
    alone = answered(request="search", power="Austria", **asked)
    assert (alone["verdict"], alone["open"]) == ("impossible", ["A TRI"])
    joined = answered(request="search", power="Austria", most=2, **asked)
    assert (joined["verdict"], joined["fewest"]) == ("found", 1)
    assert len(joined["units"]["AUSTRIA"]) == 2


@pytest.mark.parametrize(
    ("question", "member"),
    [
        ({"question": "paradox", "power": "FRANCE"}, "power"),
        ({"question": "differ", "other": "1982", "power": "FRANCE"}, "power"),
        ({"question": "achieve", "goal": "enters(BUR)", "power": "FRANCE", "open": []}, "open"),
    ],
)
def test_a_power_is_refused_where_it_means_nothing(question: dict[str, Any], member: str) -> None:
    error = refused(request="search", position=PARIS, **question)
    assert f"search: {member} should be left out" in error["message"]


def test_line_is_read_from_the_request() -> None:
    broken = "own: Turkey\nunits: [A ARM]\nprotect: [SYR]\n"
    assert refused(request="search", question="hold", line=broken)["document"] == "line.yaml"
    line = (ROOT / "docs" / "examples" / "line-turkey.yaml").read_text(encoding="utf-8")
    found = answered(request="search", question="hold", line=line, picture=True)
    assert found["verdict"] == "holds"
    assert found["text"][0].startswith("Proven under the rules datc")
    assert found["svg"].startswith("<svg")


MANY = [*["SMY"] * 12_000, 5]


@exhaustive
def test_lines_with_the_fewest_units_are_found() -> None:
    no_fleets = ["AEG", "BLA", "EAS"]
    lines: dict[str, Any] = {"centres": ["ANK", "CON", "SMY"], "fleets_not_in": no_fleets}
    asked: dict[str, Any] = {"request": "search", "question": "lines", "picture": True}
    found = answered(lines=lines, **asked)
    said = found["verdict"], found["map"], found["fewest"], found["bound"], found["units"]
    assert said == ("found", "standard", 2, 2, ["F ARM", "F CON"])
    assert found["text"] == ["1 line of 2 units holds. Proven: no line has fewer."]
    assert found["svg"].startswith("<svg")
    none = answered(lines={**lines, "units": 1}, **asked)
    assert (none["verdict"], none["map"], none["lines"]) == ("impossible", None, [])


def test_lines_are_about_the_map_and_the_rules_of_the_request() -> None:
    """What docs/atlas/northseawars.md has for three centres."""
    asked: dict[str, Any] = {"question": "lines", "lines": {"centres": 3}}
    found = answered(request="search", map="northseawars", **asked)
    assert (found["map"], found["fewest"]) == ("northseawars", 3)
    # A line that is as strong as two everywhere was not checked, so nothing is proven.
    own = answered(request="search", map="northseawars", rules={"text": SIEGE}, **asked)
    assert (own["verdict"], own["bound"]) == ("unknown", 0)


def test_a_line_that_names_no_map_is_on_that_of_the_request() -> None:
    line = {"question": "hold", "line": "units: [F CNS]\nprotect: [CNS]"}
    found = answered(request="search", map="northseawars", **line)
    assert (found["verdict"], found["orders"]) == ("breaks", ["F CNS H"])
    assert "'CNS'" in refused(request="search", **line)["message"]
    line["line"] = f"map: standard\n{line['line']}"
    assert "'CNS'" in refused(request="search", map="northseawars", **line)["message"]


@pytest.mark.parametrize(
    ("lines", "kind", "words"),
    [
        (None, "ArgumentError", "such as {'centres': 15}"),
        ({}, "QuestionError", "say how many centres"),
        ({"centers": 3}, "UnknownNameError", "did you mean centres"),
        ({"centres": [15]}, "ArgumentError", "search: lines: centres[0] should be a text"),
        ({"centres": True}, "ArgumentError", "a whole number, a list or None, not True"),
        ({"centres": 3, "units": -1}, "ArgumentError", "at least 0"),
        ({"centres": ["ANK", "Atlantis"]}, "UnknownNameError", "unknown province 'Atlantis'"),
        (["centres"], "ArgumentError", "a mapping or None"),
    ],
)
def test_wrong_questions_about_lines_are_refused(lines: Any, kind: str, words: str) -> None:
    error = refused(request="search", question="lines", lines=lines)
    assert error["kind"] == kind
    assert words in error["message"]


@pytest.mark.parametrize(
    ("request_", "place"),
    [
        ({"request": "search", "question": "lines", "lines": {"protect": MANY}}, "protect"),
        ({"request": "search", "question": "paradox", "orders": PARADOX, "open": MANY}, "open"),
        ({"request": "svg", "orders": PARADOX, "highlight": MANY}, "highlight"),
        ({"request": "cases", "names": MANY}, "names"),
    ],
)
def test_lists_of_too_many_names_are_refused(request_: dict[str, Any], place: str) -> None:
    """Their last members are not even checked for being names."""
    error = refused(**request_)
    assert error["kind"] == "InputLimitError"
    assert error["message"] == f"more than 2,690 names in `{place}`; dipsat reads no more"


def test_legal_orders_of_paris() -> None:
    places = ("BRE", "BUR", "GAS", "PIC")  # the neighbours of Paris on the board
    legal = {"A PAR": ["A PAR H", *(f"A PAR - {place}" for place in places)]}
    found = answered(request="legal-orders", position=PARIS)
    assert found == {"phase": "S1901M", "units": legal, "powers": {}}


def test_case_of_a_variant_is_judged_by_it() -> None:
    """Its armies carry a fleet; without the variant, armies carry nothing."""
    (case,) = answered(request="cases", names=["9.C-portage"])["cases"]
    assert case["status"] == "passed"
    for variant, is_illegal in ((case["board"]["variant"], False), (None, True)):
        found = answered(request="adjudicate", **{**case["board"], "variant": variant})
        assert ("illegal" in verdicts(found).values()) == is_illegal


@pytest.mark.parametrize(
    ("number", "lon", "wal", "eng"),
    [(1, "cut", "fails", "available"), (2, "given", "succeeds", "disrupted")],
)
def test_each_resolution_of_a_cycle_is_a_board(number: int, lon: str, wal: str, eng: str) -> None:
    """As DATC 6.F.14 says: either the support is cut, or the convoy is disrupted."""
    drawn = answered(request="svg", what="resolution", resolution=number, orders=PARADOX)["svg"]
    lines = re.findall(r'<g class="order \w+ (\w+)[^"]*" data-order="([^"]*)"', drawn)
    assert {order: verdict for verdict, order in lines} == {
        "F LON S F WAL - ENG": lon, "F WAL - ENG": wal, "A BRE - LON": "fails",
        "F ENG C A BRE - LON": eng,
    }  # fmt: skip
    assert bool(re.search(r'"unit \w+ dislodged"', drawn)) == (number == 2)


@pytest.mark.parametrize(
    "what",
    [{}, {"what": "position", "dark": True}, {"what": "cycle"},
     {"what": "explanation", "unit": "A BRE"}, {"what": "comparison", "other": "1982"},
     {"what": "explanation", "unit": "A BRE", "words": False}],
)  # fmt: skip
def test_pictures_are_svg(what: dict[str, Any]) -> None:
    found = answered(request="svg", orders=PARADOX, **what)["svg"]
    assert found.startswith("<svg")
    assert found.rstrip().endswith("</svg>")


def test_lists_name_what_is_shipped() -> None:
    rules = answered(request="rules")["rules"]
    assert {row["name"] for row in rules} >= {"datc", "rulebooks/1982"}
    assert answered(request="rules", what="text", rules="1982")["text"].startswith(("#", "name"))
    text = answered(request="rules", what="whole", rules={"text": "extends: datc"})["text"]
    whole = dipsat.parse_profile(text, "whole.yaml")
    assert whole.decisions.keys() == dipsat.load_profile("datc").decisions.keys()
    assert answered(request="maps", map="standard")["provinces"]["STP"]["coasts"]


@exhaustive
def test_list_of_maps_names_what_is_shipped() -> None:
    assert {row["name"] for row in answered(request="maps")["maps"]} == set(dipsat.map_names())


@pytest.mark.parametrize(
    ("text", "line", "column", "hint"),
    [
        ("extends: datcc\n", 1, 10, "datc"),
        ("extends: datc\ntitle: [\n", 3, 1, ""),
        ("extends: datc\ncycels: []\n", 2, 1, "cycles"),
        ("extends: datc\ndecisions:\n  move(m): suports_given(m) > 1\n", 3, 12, "supports_given"),
        ("extends: house.yaml\n", 1, 10, ""),
    ],
)
def test_faults_of_rules_have_their_places(text: str, line: int, column: int, hint: str) -> None:
    found = answered(request="rules", what="check", rules={"text": text, "name": "mine.yaml"})
    assert not found["valid"]
    fault = found["faults"][0]
    assert (fault["document"], fault["line"], fault["column"]) == ("mine.yaml", line, column)
    assert fault["message"]
    assert not fault["message"].startswith("mine.yaml")
    assert hint in (fault["hint"] or "")


def test_rules_in_order_have_remarks_with_places() -> None:
    text = "extends: datc\ntitle: x\ndefine:\n  idle(p): 1 + 1\n"
    found = answered(request="rules", what="check", rules={"text": text})
    assert found["valid"]
    assert found["decisions"] == len(dipsat.load_profile("datc").decisions)
    (remark,) = found["remarks"]
    assert (remark["document"], remark["line"], remark["column"]) == ("rules.yaml", 4, 3)


def test_words_and_entries_are_what_an_editor_completes() -> None:
    words = answered(request="rules", what="words")
    assert {"extends", "decisions", "cycles"} <= set(words["keys"])
    assert words["facts"]["Move"]["target"] == {"type": "Province", "text": "where it goes"}
    assert {"all", "any", "sum"} == set(words["quantifiers"])
    assert {"refused", "one order"} <= set(words["settings"]["poorly_written"])
    goals = (ROOT / "rules" / "searches" / "goals.yaml").read_text(encoding="utf-8")
    for word in words["goals"].keys() - {"provinces", "units"}:
        assert re.search(rf"^  {word.partition('(')[0]}\(goal_p", goals, re.MULTILINE)
    entries = answered(request="rules", what="entries", rules={"text": SIEGE, "name": "own.yaml"})
    assert entries["decisions"]["hold_strength(p)"]["file"] == "own.yaml"
    assert entries["decisions"]["move(m)"]["file"] == "rules/datc.yaml"


def test_difference_and_cases_say_what_a_rule_file_changes() -> None:
    found = answered(request="rules", what="difference", rules={"text": SIEGE})
    assert [change["name"] for change in found["changes"]] == ["hold_strength(p)"]
    # 6.A.11: two moves bounce. 6.D.2: a unit with a cut support is attacked by two.
    found = answered(request="cases", names=["6.A.11", "6.D.2"], rules={"text": SIEGE})
    bounce, attack = found["cases"]
    assert not bounce["differs"]
    assert {row["unit"] for row in attack["changed"]} == {"A TRI", "A VEN"}


def test_cases_of_the_standard_rules_pass_and_change_nothing() -> None:
    found = answered(request="cases", names=["6.F.14", "6.A.1"])
    assert found["counts"] == {"passed": len(found["cases"])}
    assert not any(row["differs"] for row in found["cases"])
    row = next(row for row in found["cases"] if row["case"] == "6.F.14")
    assert verdicts(answered(request="adjudicate", **row["board"]))["F ENG"] == "disrupted"


def test_lenient_reader_lists_the_faults() -> None:
    orders = "France:\n A Par - Bur\n A Mra - Bur\n"
    assert refused(request="adjudicate", orders=orders) | {"message": "", "hint": ""} == {
        "kind": "FileError", "message": "", "document": "orders", "line": 3, "column": 2,
        "hint": "", "problems": [],
    }  # fmt: skip
    found = answered(request="adjudicate", orders=orders, lenient=True)
    assert verdicts(found)["A PAR"] == "succeeds"
    assert [fault["line"] for fault in found["faults"]] == [3]


@pytest.mark.parametrize(
    ("request_", "kind", "words"),
    [
        ({"request": "adjudicat"}, "UnknownNameError", "did you mean adjudicate?"),
        ({"request": None}, "ArgumentError", "a kind of requests"),
        ({"request": "adjudicate", "ordrs": ""}, "UnknownNameError", "did you mean orders?"),
        ({"request": "adjudicate", "orders": {"F": []}}, "ArgumentError", "no `position`"),
        ({"request": "maps", "seconds": True}, "ArgumentError", "seconds should be a number"),
        ({"request": "adjudicate", "position": {"unit": {}}}, "PositionError", "it is missing"),
        ({"request": "adjudicate", "position": {"units": 7}}, "ArgumentError", "units"),
        ({"request": "explain", "orders": PARADOX}, "ArgumentError", "unit is missing; it should"),
        ({"request": "explain", "orders": PARADOX, "unit": "A ROM"}, "UnknownNameError", "A ROM"),
        ({"request": "compare", "orders": PARADOX, "rules": ["datc"]}, "ArgumentError", "two"),
        ({"request": "compare", "orders": PARADOX, "rules": ["datc", {"txt": ""}]},
         "UnknownNameError", "did you mean text?"),
        ({"request": "compare", "orders": PARADOX, "rules": ["datc"] * 101}, "InputLimitError", ""),
        ({"request": "search", "position": PARIS, "question": "achieve"}, "ArgumentError", "goal"),
        (
            {"request": "svg", "orders": PARADOX, "what": "resolution", "resolution": 3},
            "ArgumentError", "from 1 to 2",
        ),
        ({"request": "rules", "what": "text", "rules": {"text": ""}}, "ArgumentError", "shipped"),
        ({"request": "adjudicate", "orders": PARADOX, "variant": "x.yaml"}, "FileError", "shipped"),
        ({"request": "cases", "names": ["9.Z"]}, "UnknownNameError", "9.Z"),
        ({"request": "adjudicate", "orders": PARADOX, "seconds": 0}, "LimitError", "more than 0"),
        ({"request": "adjudicate", "orders": PARADOX, "seconds": 1e-9}, "LimitError", "1e-09"),
        ({"request": "adjudicate", "orders": PARADOX, "rules": {"text": "x" * (2**22 + 1)}},
         "InputLimitError", "more"),
    ],
)  # fmt: skip
def test_bad_requests_are_errors_that_say_what_would_be_right(
    request_: dict[str, Any], kind: str, words: str
) -> None:
    found = refused(**request_)
    assert found["kind"] == kind
    assert words in found["message"]


@pytest.mark.parametrize("request_", [None, [], "adjudicate", True])
def test_a_request_that_is_not_an_object_is_an_error(request_: Any) -> None:
    assert dipsat.answer(request_)["error"]["kind"] == "ArgumentError"


FILES = [
    {"rules": "FILE"}, {"rules": {"text": "extends: FILE"}}, {"rules": {"text": "map: FILE"}},
    {"map": "FILE"}, {"map": {"text": "extends: FILE"}}, {"orders": "rules: FILE\n" + PARADOX},
    {"orders": '{"map": "FILE", "orders": {}}'},
    {"rules": {"text": "extends: datc", "name": "FILE"}, "orders": "rules: FILE\n" + PARADOX},
]  # fmt: skip


@pytest.mark.parametrize("given", FILES)
def test_nothing_but_shipped_files_is_read(given: dict[str, Any], tmp_path: Any) -> None:
    file = tmp_path / "secret.yaml"
    file.write_text("title: a secret\nextends: datc\n", encoding="utf-8")
    text = json.dumps({"request": "adjudicate", "orders": PARADOX, **given})
    found = json.dumps(asked(**json.loads(text.replace("FILE", str(file)))))
    assert "a secret" not in found
    is_read_anyway = "name" in str(given)  # it reads the text itself, which only bears the name
    assert is_read_anyway or '"error"' in found


def test_caller_bounds_what_a_request_may_ask() -> None:
    request = {"request": "prove", "orders": PARADOX, "work": 10**6}
    assert dipsat.answer(request)["answer"]["verdict"] == "not unique"
    found = dipsat.answer(request, limits=Limits(work=1))
    assert found["answer"]["verdict"] == "unknown"


@pytest.mark.parametrize("name", KINDS)
def test_every_member_of_a_request_is_documented(name: str) -> None:
    documented = with_tables(page("docs/web.md"))
    members = {"request", *(field.name for field in fields(KINDS[name].request))}
    assert {member for member in members if f"`{member}`" not in documented} == set()
    assert f"`{name}`: " in str(KINDS[name].request.__doc__)


RIGHT: dict[str, list[Any]] = {
    "orders": [PARADOX, {"FRANCE": ["A PAR - BUR"]}], "position": [PARIS],
    "rules": ["datc", "1982"],
    "unit": ["A BRE", "A PAR"],
    "question": ["paradox", "differ", "achieve", "guarantee", "hold", "lines"],
    "lines": [{"centres": 3}, {"protect": ["SMY"], "units": 3}, {"centres": [3]}, {"units": "x"}],
    "goal": ["enters(BUR)"], "power": ["FRANCE"], "other": ["1982"], "names": [["6.A.1"]],
    "what": ["position", "cycle", "explanation", "check", "text", "whole", "entries"],
}  # fmt: skip
ODD: list[Any] = [
    None, True, 0, -1, 1e308, "", "x", "\0", "a" * 5000, [], {}, [[]], [None], {"": ""},
    ["datc", 1],
    {"text": ""}, {"text": "- 1"}, {"text": "x: &a [*a]"}, {"text": "extends: datc\ncycles: 5"},
    {"text": "extends: datc", "name": "\n"}, {"FRANCE": "A"}, {"FRANCE": [5]},
    {"FRANCE": {"A": []}},
    {"units": []}, {**PARIS, "phase": "W1901A"}, {**PARIS, "phase": None}, "W1901A", "F1901R",
    {**PARIS, "centers": {"FRANCE": ["XXX"]}},
    {**PARIS, "phase": "F1901R", "retreats": {"FRANCE": 3}},
    {"units": {"FRANCE": ["A PAR", "A PAR"]}}, "datc+datc", "datc+x=y", "../datc", "all",
]  # fmt: skip


@exhaustive
@pytest.mark.parametrize("seeds", parts_of(range(2_000), 300))
def test_no_request_ends_in_an_error_of_python(seeds: range) -> None:
    for seed in seeds:
        rng = random.Random(seed)
        name = rng.choice(sorted(KINDS))
        request: dict[str, Any] = {"request": name, "seconds": 5}
        for member in fields(KINDS[name].request):
            chance = rng.random()
            if member.name in RIGHT and chance < 0.7:
                request[member.name] = rng.choice(RIGHT[member.name])
            elif chance > 0.9:
                request[member.name] = rng.choice(ODD)
        if name == "cases":
            request["names"] = ["6.A.1"]  # all of them take a second
        asked(**request)
