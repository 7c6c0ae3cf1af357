"""`dipsat.explain`: trees from verdicts to facts, for DATC cases and under own rules."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import combinations, product
from math import prod
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import dipsat
from dipsat import searches, studies
from dipsat.cli import main
from dipsat.errors import AmbiguousNameError, UnknownNameError
from dipsat.formats import load_cases
from dipsat.game import legal_orders
from dipsat.orders import write_order
from dipsat.rules import parse_profile
from tests.checkout import ROOT
from tests.exhaustive import exhaustive, few_of, parts_of
from tests.oracles.every_order import tried
from tests.pages import assert_command_prints, assert_python_prints, blocks, page
from tests.phases import adjudicate, crowded_orders, troubled_orders


def case(name: str) -> dipsat.Outcome:
    """The outcome of a DATC case."""
    (found,) = load_cases([name])
    return dipsat.adjudicate(found.position, found.orders)


def nodes(node: dipsat.ExplanationNode) -> Iterator[dipsat.ExplanationNode]:
    """A node and all below it."""
    yield node
    for child in node.children:
        yield from nodes(child)


def texts(outcome: dipsat.Outcome, unit: str) -> list[str]:
    """The sentences of a unit's tree."""
    return [node.text for node in nodes(dipsat.explain(outcome, unit).tree)]


def test_the_sentence_of_the_root_has_the_numbers() -> None:
    outcome = adjudicate(
        {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"]}
    )
    tree = dipsat.explain(outcome, "A PAR").tree
    assert tree.text == "A PAR - BUR fails: bounces off A MUN supported by A RUH (1 against 2)"
    assert (tree.decision, tree.value) == ("move(A PAR - BUR)", 0)
    assert [child.decision for child in tree.children] == [
        "attack_strength(A PAR - BUR)", "prevent_strength(A MUN - BUR)",
    ]  # fmt: skip
    assert tree.children[1].children[0].text == "A RUH S A MUN - BUR given: nothing cuts it"
    assert tree.children[1].children[0].orders == ("A RUH S A MUN - BUR",)


@pytest.mark.parametrize(
    ("name", "unit", "said"),
    [
        ("6.D.2", "A TRI", "hold strength 1 of VEN"),
        ("6.D.2", "A TRI", "A TYR S A VEN cut by A VIE"),
        ("6.D.10", "F KIE",
         "attack strength 0 of F KIE - BER: the power of A BER is that of F KIE - BER, GERMANY"),
        # DATC 5.B.8: a support does not count against a unit of its own power.
        ("6.D.12", "F TRI", "A VIE S A VEN - TRI does not count: the power of A VIE S A VEN - TRI "
         "is that of F TRI, AUSTRIA"),
    ],
)  # fmt: skip
def test_trees_of_datc_cases_say_what_counts(name: str, unit: str, said: str) -> None:
    assert said in texts(case(name), unit)


def test_an_unmatched_support_does_not_count_and_says_why() -> None:
    outcome = adjudicate({"FRANCE": ["A PAR - BUR", "A MAR S A PAR - GAS"], "GERMANY": ["A BUR H"]})
    why = "A PAR does not move to GAS"
    assert f"A MAR S A PAR - GAS does not count: {why}" in texts(outcome, "A PAR")
    assert texts(outcome, "A MAR") == [f"A MAR S A PAR - GAS invalid: {why}"]


def test_a_dislodged_unit_has_its_order_and_its_dislodgement_explained() -> None:
    tree = dipsat.explain(case("6.D.2"), "A VEN").tree
    assert (tree.text, tree.children[0].decision) == ("A VEN is dislodged", "move(A TRI - VEN)")
    attack = ["A PAR - BUR", "A MAR S A PAR - BUR"]
    outcome = adjudicate({"FRANCE": attack, "GERMANY": ["A BUR - MUN", "A MUN H"]})
    tree = dipsat.explain(outcome, "A BUR").tree
    assert tree.text.startswith("A BUR - MUN fails: ")
    assert tree.children[-1].text == "A BUR is dislodged"


def test_illegal_orders_and_retreats_have_one_node() -> None:
    position = dipsat.Position.from_units({"FRANCE": ["A PAR"]})
    (illegal,) = texts(dipsat.adjudicate(position, {"FRANCE": ["A PAR - LON"]}), "A PAR")
    assert "illegal" in illegal
    position = dipsat.Position.from_units(
        {"FRANCE": ["A BUR"]}, phase="F1901R", dislodged={"GERMANY": ["A RUH"]}
    )
    (retreat,) = texts(dipsat.adjudicate(position, {"GERMANY": ["A RUH R HOL"]}), "A RUH")
    assert retreat.startswith("A RUH R HOL succeeds")


@pytest.mark.parametrize(
    ("decisions", "said"),
    [
        ("  fortress(p): 3 if p.supply else 2\n  hold_strength(p): fortress(p)",
         "fortress 2 of BUR"),
        # A truth value in a sum counts once, and its parts do not.
        ("  attack_strength(m): 1 + sum(support(s) or move(m) for s in m.supports)",
         "attack strength 3 of A PAR - BUR"),
    ],
)  # fmt: skip
def test_own_rules_are_explained_by_their_own_equations(decisions: str, said: str) -> None:
    rules = parse_profile(f"name: own\nextends: datc\ndecisions:\n{decisions}\n", "own.yaml")
    supports = ["A MAR S A PAR - BUR", "A GAS S A PAR - BUR"]
    orders = {"FRANCE": ["A PAR - BUR", *supports], "GERMANY": ["A BUR H"]}
    outcome = adjudicate(orders, rules)
    assert said in texts(outcome, "A PAR")


def test_a_cycle_ends_with_the_rule_that_settled_it() -> None:  # DATC 6.F.14
    tree = dipsat.explain(case("6.F.14"), "A BRE").tree
    (end,) = [node for node in nodes(tree) if "the rule" in node.text]
    assert end.text == (
        "F ENG C A BRE - LON disrupted: the rule 'Szykman' settles a decision cycle that has 2 "
        "resolutions"
    )
    assert end.children == ()
    assert "F LON S F WAL - ENG" in end.orders


@pytest.mark.parametrize("seed", few_of(range(40), 5))
def test_trees_agree_with_the_decisions_and_are_bounded(seed: int) -> None:
    for orders in (crowded_orders(seed), troubled_orders(seed)):
        outcome = adjudicate(orders)
        for order in outcome.orders:
            found = dipsat.explain(outcome, order.unit)
            told = [node for node in nodes(found.tree) if node.decision]
            assert all(outcome.decisions[node.decision] == node.value for node in told)
            full = [node.decision for node in told if not node.refers]
            assert len(full) == len(set(full))
            named = {node.decision for node in told if node.refers}
            assert named <= set(full)
            assert found.tree.text.startswith(order.order.removesuffix(" H").removesuffix(" VIA"))
            if order.reason.text and order.verdict not in ("stands", "illegal") and not order.fate:
                assert order.reason.text in found.tree.text


# --- responsible orders ---------------------------------------------------------------------------


def core(outcome: dipsat.Outcome, unit: str) -> searches.Responsible:
    """The responsible orders of a unit's verdict."""
    found = dipsat.explain(outcome, unit, core=True).core
    assert found is not None
    return found


@pytest.mark.parametrize(
    "extra",
    [
        "s.unit.kind == 'army' or any(hold_strength(q.target) >= 1 for q in Move)",
        "not (s.unit.kind == 'fleet' or any(hold_strength(q.target) > 1 for q in Move if move(q)))",
    ],
)
def test_a_reason_compares_only_strengths_that_are_decided(extra: str) -> None:
    """The ring is not decided, and so are the strengths in its provinces."""
    rules = parse_profile(
        "name: own\nextends: datc\nvariables: {q: Move}\ndecisions:\n"
        f"  support(s):\n    base: kept\n    extra: {extra}\n",
        "own.yaml",
    )
    position = dipsat.Position.from_units(
        {"TURKEY": ["F ANK", "A CON", "A SMY"], "FRANCE": ["A PAR", "A MAR"]}
    )
    orders = {
        "TURKEY": ["F ANK - CON", "A CON - SMY", "A SMY - ANK"],
        "FRANCE": ["A PAR S A MAR - BUR", "A MAR - BUR"],
    }
    outcome = dipsat.adjudicate(position, orders, rules, limits=dipsat.Limits(work=1))
    assert outcome.order("A CON").verdict == "unknown"
    reason = outcome.order("A PAR").reason.text
    assert reason.partition(":")[0] == "nothing cuts it"
    assert "Unknown" not in reason


@exhaustive
def test_the_fewest_orders_that_force_a_verdict() -> None:  # DATC 6.D.1
    found = core(case("6.D.1"), "A TRI")
    assert found.orders == ("A TRI - VEN", "A TYR S A VEN", "A VEN H")
    assert (found.verdict, found.is_smallest, found.why) == ("forced", True, "")


@exhaustive
def test_what_a_cycle_rule_settled_is_not_said_to_be_forced() -> None:  # DATC 6.F.14
    found = core(case("6.F.14"), "F ENG")
    assert (found.verdict, found.orders, found.is_smallest) == ("unknown", (), False)
    assert found.why


def succeeded(outcome: dipsat.Outcome, unit: str) -> bool:
    """Whether an order succeeded; for a unit that holds, whether it is dislodged."""
    order = outcome.order(unit)
    return bool(order.fate) if order.verdict == "stands" else order.verdict in GOOD


GOOD = {"succeeds", "given", "available"}
OPEN = 4000  # order sets tried one by one


def refuting(
    outcome: dipsat.Outcome, order: dipsat.OrderOutcome, rules: str | dipsat.Profile = "datc"
) -> set[frozenset[str]] | None:
    """The sets of other units that can keep their orders while orders of the rest lead to another
    verdict, found by trying all orders; None if there are too many."""
    position, board = outcome.position, outcome.position.map
    legal = legal_orders(position, outcome.profile.settings)
    given = given_orders(outcome)
    others = [unit for unit in given if unit != order.unit]
    if prod(len(legal[unit]) for unit in others) > OPEN:
        return None
    texts = [[write_order(one, board) for one in legal[unit]] for unit in others]
    sets = [
        {**dict(zip(others, chosen, strict=True)), order.unit: given[order.unit]}
        for chosen in product(*texts)
    ]
    by_power: list[dict[str, list[str]]] = []
    for every in sets:
        by_power.append({})
        for unit in position.units:
            by_power[-1].setdefault(unit.power, []).append(every[str(unit)])
    found = set()
    for every, played in zip(sets, tried(position, by_power, rules), strict=True):
        verdict = played.verdicts[order.unit]
        is_good = order.unit in played.dislodged if verdict == "stands" else verdict in GOOD
        if is_good != succeeded(outcome, order.unit):
            found.add(frozenset(u for u in others if every[u] == given[u]))
    return found


def given_orders(outcome: dipsat.Outcome) -> dict[str, str]:
    """What each unit did."""
    return {o.unit: f"{o.unit} H" if o.verdict == "illegal" else o.order for o in outcome.orders}


def check_core(
    outcome: dipsat.Outcome, order: dipsat.OrderOutcome, rules: str | dipsat.Profile = "datc"
) -> bool:
    """Compare the responsible orders with those of trying all orders; whether that was done."""
    refuted = refuting(outcome, order, rules)
    if refuted is None:
        return False
    given, found = given_orders(outcome), core(outcome, order.unit)
    others = [unit for unit in given if unit != order.unit]
    if found.verdict == "unknown":  # what a rule for decision cycles can settle
        return True
    assert found.verdict == "forced"
    kept = frozenset(unit for unit in others if given[unit] in found.orders)
    assert len(found.orders) == len(kept) + 1
    assert not any(kept <= free for free in refuted)
    if found.is_smallest:
        fewer = combinations(others, len(kept) - 1) if kept else ()
        assert all(any(set(some) <= free for free in refuted) for some in fewer)
    return True


@exhaustive
@pytest.mark.parametrize(
    ("seed", "units"),
    few_of([*((s, 3) for s in range(24, 34)), *((s, 4) for s in range(200, 213))], 1),
)
def test_responsible_orders_equal_those_found_by_trying_all_orders(seed: int, units: int) -> None:
    outcome = adjudicate(crowded_orders(seed, units))
    judged = [o for o in outcome.orders if o.verdict not in ("illegal", "invalid")]
    done = [order for order in judged if check_core(outcome, order)]
    for order in done:
        found = core(outcome, order.unit)
        assert (found.verdict, found.is_smallest) == ("forced", True), order.order


@exhaustive
@pytest.mark.parametrize("rules", few_of(["datc+4.A.3-c", "datc+4.A.3-d", "datc+4.A.6-c"], 1))
@pytest.mark.parametrize("seeds", parts_of(range(300, 312), 2))
def test_responsible_orders_under_other_rules(seeds: range, rules: str) -> None:
    checked = 0
    for seed in seeds:
        outcome = adjudicate(crowded_orders(seed, 3), rules)
        for order in outcome.orders:
            if order.verdict not in ("illegal", "invalid"):
                checked += check_core(outcome, order, outcome.profile)
    assert checked


@exhaustive
@pytest.mark.parametrize("name", few_of(["6.C.1", "6.C.3", "6.F.14", "6.F.16", "6.G.2"], 1))
def test_responsible_orders_where_rules_for_cycles_apply(name: str) -> None:
    outcome = case(name)
    for order in outcome.orders:
        if order.verdict not in ("illegal", "invalid"):
            check_core(outcome, order)


# --- the command ----------------------------------------------------------------------------------

SHEET = "France:\n A Par - Bur\nGermany:\n A Mun - Bur\n A Ruh S A Mun - Bur\n"


@pytest.fixture
def sheet(tmp_path: Path) -> str:
    path = tmp_path / "orders.txt"
    path.write_text(SHEET, encoding="utf-8")
    return str(path)


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, ["explain", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_command_draws_trees_of_80_columns(sheet: str) -> None:
    result = run(sheet, "par")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("A PAR - BUR fails: bounces off A MUN supported by A RUH (1")
    assert "└── prevent strength 2 of A MUN - BUR; A RUH S A MUN - BUR counts" in result.stdout
    every = run(sheet).stdout.splitlines()
    assert [line for line in every if line in ("France", "Germany")] == ["France", "Germany"]
    assert any(line.startswith("A RUH S A MUN - BUR given") for line in every)
    assert all(len(line) <= 80 for line in (*result.stdout.splitlines(), *every))


def test_command_names_the_responsible_orders(sheet: str) -> None:
    words = " ".join(run(sheet, "A PAR", "--core").stdout.split())
    assert (
        "Forced by these orders, whatever all other units do: A PAR - BUR; A MUN - BUR; "
        "A RUH S A MUN - BUR. No fewer force it. Rules (datc): DATC 3.0 5.B.1 (move), "
    ) in words
    assert run(sheet, "--core").exit_code == 2


def test_command_prints_json(sheet: str) -> None:
    value = json.loads(run(sheet, "A PAR", "--json").stdout)
    assert value["rules"] == "datc"
    (unit,) = value["units"]
    assert (unit["unit"], unit["verdict"]) == ("A PAR", "fails")
    assert unit["tree"]["decision"] == "move(A PAR - BUR)"


def test_command_refuses_bad_input(sheet: str, tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_text("France:\n A Par - Burr gundy\n", encoding="utf-8")
    for arguments in ((sheet, "A MOS"), (str(bad),), (str(tmp_path / "none.txt"),)):
        result = run(*arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith("error: ")


# --- the page -------------------------------------------------------------------------------------


PAGE = page("docs/explain.md")


@pytest.mark.parametrize("block", blocks(PAGE, "console"))
def test_the_command_of_the_page_prints_what_it_shows(
    block: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert_command_prints(block)


@pytest.mark.parametrize("code", blocks(PAGE, "python"))
def test_the_python_of_the_page_prints_what_it_says(code: str) -> None:
    assert_python_prints(f"import dipsat\n{code}")


BARE = re.compile(r"(?:^|: |; )-?\d+ (?:is|equals|differs)\b")
"""A comparison in a reason whose first number has no name."""


@pytest.mark.parametrize("rules", [*dipsat.profile_names(), "judges/base"])
@pytest.mark.parametrize("seeds", parts_of(range(8), 1))
def test_reasons_name_the_numbers_that_they_compare(seeds: range, rules: str) -> None:
    profile = dipsat.load_profile(rules)
    texts: set[str] = set()
    for seed in seeds:
        board = studies.random_board(seed)
        position = dipsat.Position.from_units(board.units)
        outcome = dipsat.adjudicate(position, board.orders, profile)
        texts |= {order.reason.text for order in outcome.orders}
    assert any(" against " in text for text in texts)
    assert [text for text in texts if BARE.search(text)] == []


@exhaustive
def test_strengths_that_depend_on_one_another_have_ranges() -> None:
    """With open orders, a strength may lead back to itself, and strengths may form a chain over the
    whole board."""
    rules = parse_profile(
        "extends: datc\ndecisions:\n  prevent_strength(m): 0 if not path(m) else\n"
        "    1 + (1 if hold_strength(m.target) > 2 else 0) + supports_given(m)\n"
        "  hold_strength(p): 0 if not some(p.units) or entered(p) and some(p.departures) else\n"
        "    2 if any(prevent_strength(d) > 1 for d in p.departures) else 1\n",
        "rules.yaml",
    )
    board = studies.random_board(3)
    outcome = dipsat.adjudicate(dipsat.Position.from_units(board.units), board.orders, rules)
    failed = [one.unit for one in outcome.orders if one.verdict == "fails"]
    for unit in failed[:1]:
        found = dipsat.explain(outcome, unit, core=True)
        assert found.core is not None
        assert found.core.verdict in ("forced", "unknown")


@pytest.mark.parametrize(
    "typed", ["A PAR - BUR", "Par - Burgundy", "the army at Paris moves to Bur"]
)
def test_a_unit_may_be_named_by_its_order(typed: str, sheet: str) -> None:
    found, by_unit = run(sheet, typed), run(sheet, "Par")
    assert (found.output, found.exit_code) == (by_unit.output, 0)
    other = run(sheet, "A PAR H")
    assert "A PAR has another order than 'A PAR H': A PAR - BUR" in other.stderr
    assert other.stdout == by_unit.stdout
    none = run(sheet, "A MAR - BUR")
    assert (none.exit_code, none.stdout) == (2, "")


@pytest.mark.parametrize("equation", ["true", "base or sum(1 for a in u.province.attackers) >= 2"])
def test_the_tree_says_why_a_unit_is_dislodged_though_no_unit_enters(equation: str) -> None:
    text = f"name: odd\nextends: datc\ndecisions: {{dislodge(u): {equation}}}\n"
    position = dipsat.Position.from_units({"FRANCE": ["A BUR"], "ITALY": ["A MAR", "A GAS"]})
    orders = {"ITALY": ["A MAR - BUR", "A GAS - BUR"]}
    outcome = dipsat.adjudicate(position, orders, rules=parse_profile(text, "odd.yaml"))
    told = dipsat.explain(outcome, "A BUR").tree.text
    expected = "A BUR is dislodged, though no unit enters; attacked by A GAS, A MAR"
    assert told == expected


@pytest.fixture
def game(tmp_path: Path) -> str:
    """A saved game in its winter, with a German fleet that was in DEN in fall only."""
    game = dipsat.Game.standard()
    game.submit("GERMANY", ["F KIE - DEN"]).advance()
    game.submit("GERMANY", ["F DEN - SWE"]).advance()
    game.save(tmp_path / "game.json")
    return str(tmp_path / "game.json")


@pytest.mark.parametrize(
    ("unit", "said"),
    [
        ("F KIE", "there is no unit 'F KIE' in F1901M of"),
        ("F KIE", "but there is in S1901M (--phase)"),
        ("F MAO", "there is no unit F MAO in F1901M"),
    ],
)
def test_a_unit_of_another_phase_of_a_saved_game_leads_to_that_phase(
    game: str, unit: str, said: str
) -> None:
    found = run(game, unit)
    assert found.exit_code == 2
    assert said in found.output


@pytest.mark.parametrize("command", [["explain"], ["adjudicate"]])
def test_an_answer_about_a_saved_game_names_its_phase(command: list[str], tmp_path: Path) -> None:
    game = dipsat.Game.standard()
    game.submit("GERMANY", ["F KIE - DEN"]).advance()
    game.advance()
    game.save(tmp_path / "game.json")
    unit = ["F DEN"] if command == ["explain"] else []
    found = CliRunner().invoke(main, [*command, str(tmp_path / "game.json"), *unit])
    assert found.output.startswith("In F1901M:\n")


@pytest.mark.parametrize("ending", ["json", "yaml", "jsonl", "txt"])
def test_any_phase_of_a_game_in_any_format_is_explained(ending: str, tmp_path: Path) -> None:
    game = dipsat.Game.standard()
    game.submit("GERMANY", ["F KIE - DEN"]).advance()
    game.submit("GERMANY", ["F DEN - SWE"]).advance()
    game.save(file := str(tmp_path / f"game.{ending}"))
    for phase, unit in (("S1901M", "F KIE"), ("F1901M", "F DEN")):
        found = run(file, unit, "--phase", phase)
        assert found.exit_code == 0
        assert found.output.startswith(f"In {phase}:\n{unit} - ")
    assert run(file, "F DEN").output == found.output


def test_a_unit_that_is_not_dislodged_is_known_in_a_retreat_phase() -> None:
    position = dipsat.Position.from_units(
        {"ITALY": ["A TRI"], "RUSSIA": ["A RUM"]}, phase="F1901R", dislodged={"TURKEY": ["A RUM"]}
    )
    outcome = dipsat.adjudicate(position, {})
    for unit, said in (
        ("A TRI", "A TRI of Italy has no order in F1901R: it is not dislodged"),
        ("RUSSIA A RUM", "A RUM of Russia has no order in F1901R: it is not dislodged"),
        ("F RUM", "there is no unit F RUM in F1901R; the unit there is A RUM of Turkey"),
        ("A VIE", "there is no unit A VIE in F1901R"),
        ("A RUH", "there is no unit A RUH in F1901R; did you mean A RUM?"),
    ):
        with pytest.raises(UnknownNameError) as raised:
            outcome.order(unit)
        assert str(raised.value).startswith(said)
    assert outcome.order("A RUM").power == "TURKEY"


def test_an_order_of_no_unit_is_found_by_its_text_and_explained() -> None:
    winter = dipsat.Position.from_units(
        {"FRANCE": ["A BUR"], "GERMANY": ["A KIE"]},
        phase="W1901A",
        centers={"FRANCE": ["PAR", "MAR"], "GERMANY": ["MUN", "BER"]},
    )
    outcome = dipsat.adjudicate(winter, {"FRANCE": ["waive"], "GERMANY": ["WAIVE", "A MUN B"]})
    french = outcome.order("France waive")
    assert (french.power, french.unit, french.order) == ("FRANCE", "", "WAIVE")
    assert str(dipsat.explain(outcome, "France waive")).startswith("WAIVE succeeds")
    with pytest.raises(AmbiguousNameError, match="it could be FRANCE WAIVE, GERMANY WAIVE"):
        outcome.order("WAIVE")
    explained = [dipsat.explain(outcome, order) for order in outcome.orders]
    assert [one.verdict for one in explained] == [order.verdict for order in outcome.orders]
