"""Pictures of reasons: what they show is what the documents and the rules say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from zlib import crc32

import pytest

import dipsat
from dipsat import searches, studies
from dipsat.errors import QuestionError
from dipsat.outcomes import decision_cycles_of
from dipsat.studies.replays import ReplayedBoard
from tests.checkout import ROOT
from tests.core.test_architecture import run_python
from tests.draw.svg_reading import (
    SVG,
    Element,
    hostile_map,
    of_class,
    orders,
    read,
    texts,
)
from tests.exhaustive import exhaustive, few_of
from tests.pages import assert_python_prints, blocks, page

SIMPLE = """\
England:
 F LON S F WAL - ENG
 F WAL - ENG
France:
 A BRE - LON
 F ENG C A BRE - LON
"""
"""DATC 6.F.14: a paradox with two resolutions."""
RING = "Turkey:\n F ANK - CON\n A CON - SMY\n A SMY - ANK\n"
"""DATC 6.C.1: three units in a circle."""
PANDIN = (ROOT / "docs/examples/convoy-paradox.txt").read_text(encoding="utf-8")
"""DATC 6.F.16: a paradox without a resolution."""


def judged(text: str, rules: str = "datc") -> dipsat.Outcome:
    """The outcome of an order sheet."""
    profile = dipsat.load_profile(rules)
    phase = dipsat.parse_phase(text, "x.txt", profile.map or "standard")
    return dipsat.adjudicate(phase.position, phase.orders, profile)


def proven(text: str, rules: str | dipsat.Profile = "datc") -> dipsat.Proof:
    phase = dipsat.parse_phase(text, "x.txt")
    return dipsat.prove(phase.position, phase.orders, rules)


def compared(text: str, *rules: str) -> dipsat.Comparison:
    phase = dipsat.parse_phase(text, "x.txt")
    return dipsat.compare(phase.position, phase.orders, rules)


def titles(found: Element) -> list[str]:
    """The titles above the boards."""
    return [text for one in of_class(found, "board-title") for text in texts(one)]


def values(found: Element) -> dict[str, dict[str, str]]:
    """Decision -> column -> the value shown."""
    return {
        one.attrib["data-name"]: {
            value.attrib["data-column"]: texts(value)[-1] for value in of_class(one, "value")
        }
        for one in of_class(found, "decision")
    }


# --- Decision cycles ------------------------------------------------------------------------------


def test_the_simple_paradox_has_its_two_resolutions_side_by_side() -> None:
    """As DATC 6.F.14 says: the convoy succeeds and the fleet stays, or the other way round."""
    found = read(dipsat.draw.cycle(judged(SIMPLE)))
    assert "A decision cycle with 2 resolutions" in texts(found)
    shown = values(found)
    convoy, attack = shown["convoy(F ENG C A BRE - LON)"], shown["move(F WAL - ENG)"]
    both = [(convoy[column], attack[column]) for column in ("1", "2")]
    assert sorted(both) == [("available", "fails"), ("disrupted", "succeeds")]
    assert (convoy["="], attack["="]) == ("disrupted", "succeeds")
    assert any("the rule 'Szykman' sets" in text for text in texts(found))


def test_a_paradox_without_a_resolution_shows_two_contradictions() -> None:
    """Pandin's paradox: if the convoy succeeds, its fleet is dislodged, and otherwise it is not."""
    found = read(dipsat.draw.cycle(judged(PANDIN)))
    shown = values(found)
    assert [shown["convoy(F ENG C A BRE - LON)"][column] for column in "ab="] == [
        "available", "disrupted", "disrupted",
    ]  # fmt: skip
    assert [shown["dislodge(F ENG)"][column] for column in "ab="] == ["dislodged", "stays", "stays"]
    assert [shown["prevent_strength(F WAL - ENG)"][column] for column in "ab="] == ["1", "2", "2"]
    assert "A decision cycle without a resolution" in texts(found)


@pytest.mark.parametrize(("text", "turns"), [(PANDIN, 1), (SIMPLE, 0)])
def test_an_odd_number_of_turns_has_no_resolution_and_an_even_one_has_two(
    text: str, turns: int
) -> None:
    found = read(dipsat.draw.cycle(judged(text)))
    boxes = of_class(found, "decision")
    arrows = of_class(found, "turns") + of_class(found, "depends")
    assert len(boxes) == len(arrows)  # one ring
    assert len(of_class(found, "turns")) % 2 == turns


def test_a_circular_movement_goes_round() -> None:
    found = read(dipsat.draw.cycle(judged(RING)))
    for move in ("F ANK - CON", "A CON - SMY", "A SMY - ANK"):
        shown = values(found)[f"move({move})"]
        assert {shown["1"], shown["2"]} == {"succeeds", "fails"}
        assert shown["="] == "succeeds"
    framed = [texts(one)[-1] for one in of_class(found, "framed")]
    assert framed == ["succeeds"] * 3


def test_a_proof_shows_the_same_cycle() -> None:
    assert dipsat.draw.cycle(proven(PANDIN)) == dipsat.draw.cycle(judged(PANDIN))


def test_an_arrow_has_a_bar_where_the_rules_turn_a_value_round() -> None:
    (one,) = decision_cycles_of(judged(PANDIN))
    named = {decision.name: at for at, decision in enumerate(one.decisions)}
    signs = {(link.source, link.target): link.sign for link in one.dependences}
    convoy, path = named["convoy(F ENG C A BRE - LON)"], named["path(A BRE - LON)"]
    support, fleet = named["support(F LON S F WAL - ENG)"], named["dislodge(F ENG)"]
    assert (signs[convoy, path], signs[path, support], signs[fleet, convoy]) == (1, -1, -1)


def test_a_cycle_without_a_rule_is_drawn_too() -> None:
    rules = dipsat.parse_profile("extends: datc\ncycles: []\n", "bare.yaml")
    found = read(dipsat.draw.cycle(proven(RING, rules)))
    assert "The profile has no rule for this cycle." in texts(found)
    assert set(values(found)["move(A CON - SMY)"]) == {"1", "2"}


def test_many_decisions_are_a_table() -> None:
    orders = "F ANK - CON", "A CON - SMY", "A SMY - SYR", "A SYR - ARM", "A ARM - ANK"
    text = "Turkey:\n" + "".join(f" {order}\n" for order in orders)
    found = read(dipsat.draw.cycle(judged(text)))
    rows = of_class(found, "decision")
    assert len(rows) > 12
    assert not of_class(found, "depends")
    (row,) = (one for one in rows if one.get("data-name") == "move(A SYR - ARM)")
    assert sorted(texts(row)[-3:]) == ["fails", "succeeds", "succeeds"]


def test_without_a_cycle_there_is_nothing_to_draw() -> None:
    with pytest.raises(QuestionError, match="there is no decision cycle to draw: none was met"):
        dipsat.draw.cycle(judged("France:\n A PAR - BUR\n"))


def test_names_of_rules_are_escaped() -> None:
    name = "</text><script>alert(1)</script>&\x07"
    text = f"extends: datc\ncycles: [{{name: '{name}', when: true, set: {{move: true}}}}]\n"
    rules = dipsat.parse_profile(text.replace("\x07", ""), "bare.yaml")
    found = read(dipsat.draw.cycle(proven(RING, rules)))
    assert any("</text><script>alert(1)</script>&" in text for text in texts(found))


def cycle_faults(outcome: dipsat.Outcome) -> list[str]:
    """What is wrong with the cycles found again after the solver has settled them."""
    if not isinstance(outcome, dipsat.MovementOutcome):
        return []
    faults = []
    applied = [record.applied for record in outcome.solution.records if record.applied]
    for one, settled in zip(decision_cycles_of(outcome), applied, strict=True):
        every = set(range(len(one.decisions)))
        if len(one.resolutions) != settled.resolutions:
            faults.append("the number of resolutions")
        if (
            not every
            == {link.source for link in one.dependences}
            == {link.target for link in one.dependences}
        ):
            faults.append("a decision that is on no cycle")
        if not one.resolutions and len(one.attempts) != 2:
            faults.append("contradictions")
    return faults


@exhaustive
@pytest.mark.parametrize("section", few_of(["6.C", "6.E", "6.F", "6.G", "7.C", "9"], 1))
def test_the_cycles_of_datc_cases_are_found_again(section: str) -> None:
    """In every case that has one: as many resolutions as the solver has counted."""
    for case in studies.load_cases((section,), variants=True):
        outcome = dipsat.adjudicate(case.position, case.orders, case.rules or "datc")
        assert cycle_faults(outcome) == [], case.name
        if decision_cycles_of(outcome):
            read(dipsat.draw.cycle(outcome))


# --- Explanations ---------------------------------------------------------------------------------


BOUNCE = (ROOT / "docs/examples/bounce.txt").read_text(encoding="utf-8")
"""The orders of docs/explain.md."""


def explained(text: str, unit: str) -> Element:
    """The picture of an explanation, read back."""
    return read(dipsat.draw.explain(dipsat.explain(judged(text), unit)))


def strengths(found: Element) -> dict[str, str]:
    """Decision -> the number on the board for it."""
    return {one.attrib["data-decision"]: texts(one)[0] for one in of_class(found, "strength")}


def orders_shown(found: Element, faint: bool) -> set[str]:
    """The orders that are drawn faintly, or the others."""
    return {order for order, named in orders(found).items() if ("others" in named) == faint}


def test_an_explanation_has_the_strengths_and_the_tree_of_the_document() -> None:
    found = explained(f"{BOUNCE}\nTurkey:\n F ANK - CON\n", "A PAR")
    assert strengths(found) == {
        "attack_strength(A PAR - BUR)": "1", "prevent_strength(A MUN - BUR)": "2",
    }  # fmt: skip
    shown = blocks(page("docs/explain.md"), "console")[0].partition("\n\n")[0]
    headline, *tree = shown.splitlines()[1:]
    assert " ".join(texts(found)).startswith(headline)
    assert {line.lstrip("│├└─ ") for line in tree if line[:1] in ("│", "├", "└", " ")} <= set(
        texts(found)
    )
    assert "Proven unique: 36 decisions by propagation." in texts(found)
    assert orders_shown(found, faint=True) == {"F ANK - CON"}
    assert "A PIE - MAR" in orders_shown(found, faint=False)  # it cuts the support
    assert of_class(found, "about")


def test_a_strength_that_holds_stands_beside_its_unit() -> None:
    text = (ROOT / "docs/examples/late-support.txt").read_text(encoding="utf-8")
    found = explained(text, "A PAR")
    assert strengths(found) == {"attack_strength(A PAR - BUR)": "2", "hold_strength(BUR)": "2"}


@exhaustive
def test_the_orders_responsible_and_the_smallest_change_are_written_below() -> None:
    text = (ROOT / "docs/examples/late-support.txt").read_text(encoding="utf-8")
    asked = dipsat.explain(judged(text), "A PAR", core=True, change=True)
    shown = " ".join(texts(read(dipsat.draw.explain(asked))))
    assert "A PAR - BUR succeeds: A MAR S A PAR - BUR instead of A MAR - SPA." in shown
    assert "Forced by these orders" in shown


@pytest.mark.parametrize("phase", ["F1901R", "W1901A"])
def test_phases_without_equations_are_explained_by_their_reasons(phase: str) -> None:
    lost = {"FRANCE": ["A BUR"]} if phase == "F1901R" else None
    position = dipsat.Position.from_units(
        {"GERMANY": ["A PAR"]}, phase=phase, dislodged=lost, centers={"FRANCE": ["BRE", "MAR"]}
    )
    given = ["A BUR R GAS"] if lost else ["A MAR B"]
    asked = dipsat.explain(dipsat.adjudicate(position, {"FRANCE": given}), given[0][:5])
    found = read(dipsat.draw.explain(asked))
    assert asked.tree.text in " ".join(texts(found))


def test_only_an_explanation_with_a_board_is_drawn() -> None:
    tree = dipsat.ExplanationNode("", None, "x")
    asked = dipsat.Explanation("FRANCE", "A PAR", "A PAR H", "stands", "", tree)
    with pytest.raises(QuestionError, match=r"was not made by `dipsat\.explain`"):
        dipsat.draw.explain(asked)


# --- Stalemate lines ------------------------------------------------------------------------------


def held(name: str) -> Element:
    """The picture of a line of the documents, read back."""
    result = searches.hold_line(str(ROOT / "docs/examples" / name))
    return read(dipsat.draw.line(result))


def test_a_line_that_holds_shows_its_region_and_the_attacks_that_fail() -> None:
    """The army in Galicia, which one other supports, can be attacked from Silesia and Warsaw."""
    found = held("line-south.yaml")
    shown = blocks(page("docs/holding-lines.md"), "console")[0]
    region = re.findall(r"\b[A-Z]{3}\b", shown.partition("Region")[2].partition("(every")[0])
    assert len(of_class(found, "region")) == len(region)
    assert len(of_class(found, "held")) == 10
    threats = {one.attrib["data-from"] for one in found.iter() if one.get("data-to", "") == "GAL"}
    assert threats == {"SIL", "WAR"}
    assert strengths(found)["attacks on A GAL"] == "2 : 2"
    assert any(text.startswith("The line holds") for text in texts(found))


def test_a_line_that_breaks_shows_what_breaks_it() -> None:
    found = held("line-south-short.yaml")
    assert len(of_class(found, "broken")) == 1
    assert {"A SIL S A WAR - GAL", "A WAR - GAL"} <= orders_shown(found, faint=False)
    assert not of_class(found, "threat")
    assert texts(found)[0].startswith("The line breaks: A GAL is dislodged")


def test_a_line_without_an_answer_says_so() -> None:
    known = searches.hold_line(str(ROOT / "docs/examples/line-turkey.yaml"))
    found = read(dipsat.draw.line(replace(known, verdict="unknown", reason="time ran out")))
    assert texts(found)[0] == "Whether the line holds is unknown: time ran out"
    assert not of_class(found, "threat")


# --- Comparisons ----------------------------------------------------------------------------------


SECTIONS = re.findall(
    r"^## `(\S+)` and `(\S+)`\n.*?```text\n(.*?)```\n(.*?)(?=^## |\Z)",
    page("docs/decision-cycles.md"),
    re.MULTILINE | re.DOTALL,
)


@exhaustive
@pytest.mark.parametrize(
    ("one", "other", "text", "table"),
    few_of([found for found in SECTIONS if "+" not in found[0]], 3),
)
def test_what_the_documents_list_as_different_is_lit(
    one: str, other: str, text: str, table: str
) -> None:
    found = read(dipsat.draw.compare(compared(text, one, other)))
    boards = of_class(found, "dipsat-board")
    assert len(boards) == 2
    assert titles(found) == [one, other]
    units = re.findall(r"^- ([AF] \w+):", table, re.MULTILINE)
    assert units
    for board in boards:  # a circle for each unit, and its order
        circles = [part for part in of_class(board, "about") if part.tag == f"{SVG}circle"]
        assert len(circles) == len(units)


def test_without_a_difference_there_is_nothing_to_light() -> None:
    found = read(dipsat.draw.compare(compared(BOUNCE, "datc", "4.A.2-1982")))
    assert texts(found)[0] == "No difference"
    assert len(of_class(found, "dipsat-board")) == 1
    assert not of_class(found, "about")
    assert orders_shown(found, faint=True) == set()


def test_names_of_rules_above_boards_are_escaped() -> None:
    names = ("<script>alert(1)</script>", '" onload="alert(1)')
    outcomes = judged(SIMPLE), judged(SIMPLE.replace("F LON S F WAL - ENG", "F LON H"))
    found = read(dipsat.draw.compare(dipsat.Comparison(names, outcomes)))
    assert titles(found) == list(names)


# --- Searches -------------------------------------------------------------------------------------


CHANNEL = dipsat.Position.from_units(
    {"ENGLAND": ["F LON", "F WAL"], "FRANCE": ["A BRE", "F ENG"], "GERMANY": ["F BEL"]}
)


def answered(question: dipsat.Question, **more: object) -> Element:
    """The picture of an answer, read back."""
    found = dipsat.search(CHANNEL, question, **more)  # type: ignore[call-overload]  # as they are
    return read(dipsat.draw.search(found))


def test_a_paradox_stands_above_its_cycle() -> None:
    found = answered(dipsat.Paradox("none"))
    assert len(of_class(found, "dipsat-board")) == 1
    assert "A decision cycle without a resolution" in texts(found)
    assert "convoy" in {name.partition("(")[0] for name in values(found)}


def test_a_difference_stands_under_both_rules_side_by_side() -> None:
    found = answered(dipsat.Differ("4.A.2-all-hold"))
    assert titles(found) == ["datc", "4.A.2-all-hold"]
    assert of_class(found, "about")


def test_orders_of_a_guarantee_have_no_results() -> None:
    found = answered(dipsat.Guarantee("not dislodged(ENG)", "FRANCE"))
    (board,) = of_class(found, "dipsat-board")
    assert {one.attrib["data-power"] for one in of_class(board, "order")} == {"FRANCE"}
    assert not of_class(board, "succeeds")


def test_an_impossible_goal_shows_the_position() -> None:
    found = answered(dipsat.Achieve("enters(VIE)"))
    assert len(of_class(found, "unit")) == 5
    assert not of_class(found, "order")
    assert texts(found)[0].startswith("Proven under the rules datc: none of the")


# --- Replays --------------------------------------------------------------------------------------


def assert_two_boards(picture: str) -> None:
    """The boards of a record in which the attack on the fleet succeeds."""
    found = read(picture)
    ours, theirs = of_class(found, "dipsat-board")
    for board, fleet in ((ours, "F BEL"), (theirs, "F ENG")):
        assert len(of_class(board, "differing")) == 2  # ENG and BEL
        germans = [one for one in of_class(board, "unit") if one.get("data-power") == "GERMANY"]
        assert fleet in {one.attrib["data-unit"] for one in germans}
    assert "Theirs: Germany: F ENG" in texts(found)


def test_a_phase_that_a_record_decides_differently_has_two_boards() -> None:
    theirs = {"units": {"GERMANY": ["F ENG"]}}
    ours = {"units": {"FRANCE": ["F ENG"], "GERMANY": ["F BEL"]}}
    outcome = judged(PANDIN)
    board = ReplayedBoard.of(outcome.position, outcome.profile)
    assert (board.map, board.rules) == ("standard", "datc")  # small for other processes
    orders = dipsat.parse_phase(PANDIN, "x.txt").orders
    differing = studies.DifferingPhase("S1901M", orders, theirs, ours, (), board)  # type: ignore[arg-type]  # orders as read
    assert_two_boards(dipsat.draw.replay(differing))


# --- Notebooks ------------------------------------------------------------------------------------


@exhaustive
def test_notebooks_show_what_can_be_drawn_as_pictures() -> None:
    outcome = judged(PANDIN)
    line = searches.hold_line(str(ROOT / "docs/examples/line-turkey.yaml"))
    explanation = dipsat.explain(outcome, "F BEL")
    proof, comparison = proven(PANDIN), compared(PANDIN, "datc", "4.A.2-1971")
    assert explanation._repr_svg_() == dipsat.draw.explain(explanation)
    assert line._repr_svg_() == dipsat.draw.line(line)
    assert proof._repr_svg_() == dipsat.draw.cycle(proof)
    assert comparison._repr_svg_() == dipsat.draw.compare(comparison)
    assert "<svg" in explanation._repr_mimebundle_()["text/html"]
    clear = proven(BOUNCE)
    assert clear._repr_svg_() is None  # no cycle
    assert clear._repr_mimebundle_() == {}
    game = dipsat.Game.standard()
    for thing in (game, game.position, dipsat.adjudicate(game.position, {}), game.position.map):
        assert thing._repr_svg_() == dipsat.draw.board(thing)
        bundle = thing._repr_mimebundle_()
        assert bundle["image/svg+xml"] == dipsat.draw.board(thing)
        assert ("text/html" in bundle) == hasattr(thing, "_repr_html_")
        assert bundle.get("text/html", "<svg").count("<svg") == 1


# --- Names of strangers ---------------------------------------------------------------------------


def test_names_cannot_bring_in_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    hostile = hostile_map(monkeypatch)
    england, france = (power for power in hostile.powers if power[:3] in ("ENG", "FRA"))
    orders = {
        france: ["A BRE - LON", "F ENG C A BRE - LON"],
        england: ["F LON S F WAL - ENG", "F WAL - ENG"],
    }
    units = {power: [text[:5] for text in listed] for power, listed in orders.items()}
    position = dipsat.Position.from_units(units, hostile)
    outcome = dipsat.adjudicate(position, orders)
    two = dipsat.compare(position, orders, ["datc", "4.A.2-all-hold"])
    answer = dipsat.search(position, dipsat.Paradox(), orders, open=["F LON"])
    for picture in (
        dipsat.draw.explain(dipsat.explain(outcome, "A BRE", change=True)),
        dipsat.draw.compare(two),
        dipsat.draw.search(answer),
    ):
        read(picture)
        assert "&lt;script" in picture


# --- All kinds ------------------------------------------------------------------------------------


def kinds() -> Iterator[str]:
    """A picture of each kind."""
    outcome = judged(PANDIN)
    two = compared(SIMPLE, "datc", "4.A.2-all-hold")
    found = dipsat.search(CHANNEL, dipsat.Achieve("dislodged(ENG)"))
    line = searches.hold_line(str(ROOT / "docs/examples/line-turkey.yaml"))
    for dark in (False, True):
        yield dipsat.draw.cycle(outcome, dark=dark)
        yield dipsat.draw.explain(dipsat.explain(outcome, "F BEL"), dark=dark)
        yield dipsat.draw.compare(two, dark=dark)
        yield dipsat.draw.search(found, dark=dark)
        yield dipsat.draw.line(line, dark=dark)
        yield dipsat.draw.board(outcome, dark=dark)
    yield dipsat.draw.board("loeb9")


@exhaustive
def test_pictures_are_the_same_each_time_and_not_too_large() -> None:
    once = list(kinds())
    assert once == list(kinds())
    assert len(set(once)) == len(once)  # the dark ones differ
    for picture in once:
        read(picture)
        assert len(picture) < 300_000


@exhaustive
@pytest.mark.parametrize("seed", ["1", "2"])
def test_pictures_do_not_depend_on_the_hash_seed(seed: str) -> None:
    code = "from tests.draw.test_svg_why import kinds\nfor one in kinds(): print(len(one), "
    code += "__import__('zlib').crc32(one.encode()))"
    printed = run_python(code, PYTHONHASHSEED=seed).split()
    assert printed == [str(part) for one in kinds() for part in (len(one), crc32(one.encode()))]


# --- The page -----------------------------------------------------------------------------------


@exhaustive
def test_the_examples_of_the_page_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert_python_prints("\n".join(blocks(page("docs/pictures.md"), "python")))
