"""The names of decisions: every name stands for one decision, whatever the names in rules and maps.

A name that stands for two decisions would make them one symbol of the solver, and its proof a proof
about other equations. So these tests give members, powers and provinces the most awkward names
possible, and compare the verdicts with those of brute force.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product

import pytest
import yaml
import z3
from hypothesis import settings, strategies as st

import dipsat
from dipsat.base import quoted
from dipsat.base.documents import CONTROL
from dipsat.board import parse_map
from dipsat.equations import symbol_text
from dipsat.errors import ProblemsError, ProfileError
from dipsat.outcomes import Proof
from dipsat.rules import parse_profile
from tests.exhaustive import exhaustive, few_examples
from tests.oracles.second_solver import answer, stated
from tests.strangers.any_text import any_text

AWKWARD = (
    "a", "b", "c", ", ", ",", " ", '"', "'", "(", ")", "[1]", "|", "\\", "#", ";", "7C", " >= 1",
    "\n", "\r", "\x85", "\u2028", "\t", "é", "\u200b", "½", "\U0001d538", "shared0", "x(", "not ",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(AWKWARD), min_size=1, max_size=6).map("".join)
REFUSED = "\n" + "".join(one for one in map(chr, range(0x10000)) if CONTROL.search(one))
"""Characters that no name may have. Strategies omit them: a filter would reject too much."""
NAMES = st.lists(
    st.sampled_from([one for one in AWKWARD if not set(one) & set(REFUSED)]), min_size=1, max_size=6
).map("".join) | st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters=REFUSED), min_size=1, max_size=8
)
Pair = tuple[int, int]


def proven(ks: Sequence[str], ls: Sequence[str], edges: Sequence[Pair]) -> Proof:
    """The proof for rules in which x(k, l) holds if no x(j, l) holds, where `edges` has the numbers
    of k and j; n(l) counts the x of an l."""
    document = {
        "name": "names",
        "extends": "datc",
        "domains": {"K": list(ks), "L": list(ls)},
        "variables": {"k": "K", "j": "K", "l": "L"},
        "relations": {"blocks(k, j)": [[ks[a], ks[b]] for a, b in edges]},
        "decisions": {
            "x(k, l)": "all(not x(j, l) for j in K if blocks(k, j))",
            "n(l)": "sum(x(k, l) for k in K)",
        },
    }
    profile = parse_profile(yaml.safe_dump(document), "names.yaml")
    position = dipsat.Position.from_units({"FRANCE": ["A PAR"]})
    return dipsat.prove(position, {"FRANCE": ["A PAR - BUR"]}, profile)


def resolutions(members: int, edges: Sequence[Pair]) -> int:
    """The number of assignments to the x of one l that satisfy their equations."""
    return sum(
        all(values[k] != any(values[b] for a, b in edges if a == k) for k in range(members))
        for values in product((False, True), repeat=members)
    )


def word(count: int) -> str:
    """The verdict for a number of resolutions."""
    return ("none", "unique")[count] if count < 2 else "several"


@st.composite
def systems(draw: st.DrawFn) -> tuple[list[str], list[str], list[Pair]]:
    """Two domains with any members, and some pairs of members of the first, by number. In half of
    them, a member of each, joined with a comma, reads like two others."""
    ks = draw(st.lists(NAMES, min_size=2, max_size=3, unique=True))
    ls = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    if draw(st.booleans()):
        first, second, third = draw(NAMES), draw(NAMES), draw(NAMES)
        ks = list(dict.fromkeys((first, f"{first}, {second}", *ks)))[:3]
        ls = list(dict.fromkeys((third, f"{second}, {third}", *ls)))[:3]
    number = st.integers(0, len(ks) - 1)
    return ks, ls, draw(st.lists(st.tuples(number, number), min_size=1, max_size=4, unique=True))


@exhaustive
@few_examples(4, settings(max_examples=25, deadline=None), system=systems())
def test_every_proof_about_any_names_is_that_of_brute_force(
    system: tuple[list[str], list[str], list[Pair]],
) -> None:
    ks, ls, edges = system
    proof, count = proven(*system), resolutions(len(ks), edges)
    about_x = [one for one in proof.subgraphs if any(n.startswith("x(") for n in one.decisions)]
    whole = {name: text for name, text in proof.smt2().items() if name.startswith("whole")}
    decisions = [name for one in proof.subgraphs for name in one.decisions]
    assert len(decisions) == len(set(decisions)) == len(proof._system.equations)
    assert {one.verdict for one in about_x} == {word(count)}
    for one in about_x:
        assert all(values.keys() == set(one.decisions) for values in one.values)
    everything = count ** len(ls)
    assert proof.verdict == ("unique" if everything == 1 else "not unique")
    for text in whole.values():
        declared = re.findall(r"^\(declare-const (\|[^|]*\|) Bool\)$", text, re.MULTILINE)
        assert len(declared) == len(set(declared)) == text.count("(declare-const |")
        assert answer(text) == stated(text) == in_z3(text)
    assert stated(whole["whole.system.smt2"]) == ("sat" if everything else "unsat")


def in_z3(text: str) -> str:
    """Z3's answer to a text."""
    solver = z3.Solver(ctx=z3.Context())
    solver.from_string(text)
    return str(solver.check())


LIE = """\
name: lie
extends: datc
domains: {K: [a, "a, b"], L: [c, "b, c"]}
variables: {k: K, l: L}
decisions:
  x(k, l): k == "a" and l == "b, c"
  path(m): x("a", "b, c") and not x("a, b", "c")
"""


def test_members_with_commas_are_not_taken_for_several_members() -> None:
    position = dipsat.Position.from_units({"FRANCE": ["A PAR"]})
    orders = {"FRANCE": ["A PAR - BUR"]}
    rules = parse_profile(LIE, "lie.yaml")
    proof = dipsat.prove(position, orders, rules)
    assert proof.verdict == "unique"
    outcome = dipsat.adjudicate(position, orders, rules)
    assert {name: value for name, value in outcome.decisions.items() if name[0] == "x"} == {
        "x(a, c)": 0, 'x(a, "b, c")': 1, 'x("a, b", c)': 0, 'x("a, b", "b, c")': 0,
    }  # fmt: skip
    assert outcome.decisions["path(A PAR - BUR)"] == 1


@exhaustive
@few_examples(
    30, settings(), names=st.lists(any_text(max_size=8) | TEXTS, max_size=12, unique=True)
)
def test_symbols_differ_where_names_do(names: list[str]) -> None:
    symbols = [symbol_text(name) for name in names]
    assert len(set(symbols)) == len(names)
    assert all(symbol.isprintable() and not set("|\\") & set(symbol) for symbol in symbols)


@few_examples(
    5, settings(), lists=st.lists(st.lists(NAMES, min_size=3, max_size=3), min_size=2, max_size=30)
)
def test_quoted_lists_are_distinct(lists: list[list[str]]) -> None:
    for separator in (", ", " "):
        joined = {separator.join(quoted(text, separator) for text in one) for one in lists}
        assert len(joined) == len(set(map(tuple, lists)))


BLESSING = """\
name: blessing
extends: datc
orders:
  Blessing: {form: "bless {place: Province}"}
variables: {b: Blessing}
decisions:
  heard(b): any(some(u.moves) for u in Unit if u.power == b.power)
"""


def test_orders_of_two_powers_with_the_same_text_have_names_of_their_own() -> None:
    rules = parse_profile(BLESSING, "blessing.yaml")
    units = {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]}
    orders = {"FRANCE": ["A PAR H", "bless BUR"], "GERMANY": ["A MUN - BUR", "bless BUR"]}
    position = dipsat.Position.from_units(units, rules=rules)
    proof = dipsat.prove(position, orders, rules)
    names = [name for one in proof.subgraphs for name in one.decisions if "heard" in name]
    assert sorted(names) == ["heard(bless BUR)[1]", "heard(bless BUR)[2]"]
    heard = {name: dipsat.adjudicate(position, orders, rules).decisions[name] for name in names}
    assert set(heard.values()) == {0, 1}


FAULTY_RULES = {
    "cycles:\n  - {name: a, when: 'true', set: {move: true}}\n"
    "  - {name: a, when: 'true', set: {move: false}}": "there already is a cycle rule called 'a'",
    "domains: {C: [red, RED]}\nattributes: {color: {domain: C}}": "'RED' and 'red' are the same",
    "domains: {C: [red, '-']}\nattributes: {color: {domain: C}}": "it has no word",
}


@pytest.mark.parametrize(("entries", "problem"), FAULTY_RULES.items())
def test_rules_do_not_call_two_things_by_one_name(entries: str, problem: str) -> None:
    with pytest.raises((ProblemsError, ProfileError), match=problem):
        parse_profile(f"name: twins\nextends: datc\n{entries}\n", "twins.yaml")


@pytest.mark.parametrize("coast", ["a b", "a/b", "a\t"])
def test_a_coast_has_no_space_or_slash_in_its_code(coast: str) -> None:
    text = f"""
name: coasts
coasts: {{"{coast}": [one]}}
powers: {{RED: {{home: [], start: []}}}}
provinces: {{AAA: {{name: alpha, type: land}}}}
"""
    with pytest.raises(ProblemsError, match="has a space or a / in it"):
        parse_map(text, "coasts.yaml")
