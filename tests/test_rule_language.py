"""The rule language: what a rule file may say, what it means, and how its faults are told.

In the texts below « stands before the place that the error must name; it is taken out again.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dipsat
from dipsat.equations.facts import Phase, ProvinceFacts, UnitFacts, build_phase
from dipsat.equations.ground import Grounder
from dipsat.equations.terms import Key, Term, evaluate
from dipsat.errors import (
    DipsatError,
    DocumentError,
    FileError,
    ProblemsError,
    ProfileError,
    UnknownNameError,
    UnresolvedError,
)
from dipsat.game.legality import Submission, judge_orders
from dipsat.orders import reader_for
from dipsat.profiles import Profile, load_profile, parse_profile
from dipsat.profiles.vocabulary import FACTS
from dipsat.resources import data_folder
from dipsat.solving import bounds_code

FILE = "rules.yaml"
DATC = "extends: datc\n"
MINIMAL = """\
variables: {m: Move, s: Support, c: Convoy, u: Unit, p: Province}
decisions:
  move(m): m.convoyed
  support(s): some(s.unit.moves)
  convoy(c): some(c.unit.moves)
  dislodge(u): some(u.moves)
results:
  contested(p): some(p.units)
  retreat(u, p): some(u.moves) and some(p.units)
"""


def faults(text: str, path: str = FILE) -> list[DipsatError]:
    """The faults that loading a rule file reports."""
    try:
        parse_profile(text, path)
    except ProblemsError as error:
        return list(error.problems)
    except DipsatError as error:
        return [error]
    return []


def place(error: DipsatError) -> tuple[str, int, int]:
    """Where an error says the fault is; its message must begin with just that."""
    assert isinstance(error, DocumentError)
    assert str(error) == f"{error.path}:{error.line}:{error.column}: {error.problem}"
    return error.path, error.line, error.column


def marked(text: str) -> tuple[str, tuple[str, int, int]]:
    """The text without its mark, and the place of the mark."""
    before, mark, after = text.partition("«")
    assert mark, "the text has no mark"
    line = before.count("\n") + 1
    return before + after, (FILE, line, len(before) - (before.rfind("\n") + 1) + 1)


def check_fault(text: str, *words: str) -> None:
    """Loading the text reports one fault, at the mark, whose message has all the words."""
    text, where = marked(text)
    found = faults(text)
    assert [place(error) for error in found] == [where], [str(error) for error in found]
    for word in words:
        assert word in str(found[0])


def path(equation: str) -> str:
    """A rule file that states an equation for `path` (a truth value) otherwise than `datc`."""
    return f"{DATC}decisions:\n  path(m): {equation}\n"


def strength(equation: str) -> str:
    """A rule file that states an equation for `defend_strength` (a number)."""
    return f"{DATC}decisions:\n  defend_strength(m): {equation}\n"


# Names that stand for nothing.

UNKNOWN_NAMES = {
    "key": (DATC + "«settngs: {}\n", "unknown key 'settngs'", "'settings'"),
    "key of a cycle rule": (
        DATC + "cycles:\n  - {name: a, «wen: true, set: {move: true}}\n", "'wen'", "'when'",
    ),
    "fact": (strength("sum(support(s) for s in «m.suports)"), "'suports'", "'supports'"),
    "fact of a fact": (path("«m.unit.provnce == m.origin"), "'provnce'", "'province'"),
    "fact of a number": (path("«move(m).origin == m.origin"), "truth", ".origin"),
    "decision": (path("not «mov(m)"), "unknown name 'mov'", "'move'"),
    "decision of a cycle": (
        DATC + "cycles:\n  - {name: a, when: some(«cycle.convoys), set: {move: true}}\n",
        "'convoys'", "'convoy'",
    ),
    "decision set by a cycle rule": (
        DATC + "cycles:\n  - {name: a, when: true, set: {«mov: true}}\n", "'mov'", "'move'",
    ),
    "defined term": (path("«enterd(m.target)"), "unknown name 'enterd'", "'entered'"),
    "quantifier": (path("«al(move(r) for r in m.rivals)"), "'al'", "'all'"),
    "variable": (path("all(move(«rr) for rival in m.rivals)"), "unknown name 'rr'"),
    "near variable": (path("all(move(«rivl) for rival in m.rivals)"), "'rivl'", "'rival'"),
    "setting": (
        DATC + "settings: {«adjacent_convoys: intent}\n", "'adjacent_convoys'", "'adjacent_convoy'",
    ),
    "value of a setting": (
        DATC + "settings: {adjacent_convoy: «intend}\n", "intent, explicit", "'intend'",
    ),
    "type of an index": (DATC + "variables: {m: «Mov}\n", "'Mov'", "Move"),
    "base": ("extends: «dact\n", "unknown profile 'dact'", "datc"),
    "undeclared index": (DATC + "decisions:\n  «path(q): q.convoyed\n", "'q'", "variables"),
    "undeclared second index": (DATC + "results:\n  «retreat(u, q): some(u.moves)\n", "'q'"),
}  # fmt: skip


@pytest.mark.parametrize("case", UNKNOWN_NAMES.values(), ids=UNKNOWN_NAMES.keys())
def test_unknown_name_is_one_error_with_place_and_nearest_name(case: tuple[str, ...]) -> None:
    check_fault(*case)


# Types and arity.

WRONG_TYPES = {
    "comparison": (path("m.origin == «m.power"), "Province", "Power"),
    "comparison of number and province": (path("m.origin == «3"), "Province", "number"),
    "order of provinces": (path("m.origin < «m.target"), "== and !="),
    "comparison of sets": (path("m.rivals == «m.opponents"), "sets cannot be compared"),
    "argument of a decision": (path("move(«m.unit)"), "Move", "Unit"),
    "argument of a defined term": (path("entered(«m)"), "Province", "Move"),
    "argument of some": (path("some(«m.unit)"), "set", "Unit"),
    "argument of ring": (path("ring(«m.supports)"), "set of Move", "set of Support"),
    "argument of chain": (path("chain(«m, m.target, (convoy(c) for c in m.convoys))"), "Province"),
    "domain": (path("all(move(m) for x in «m.unit)"), "set", "Unit"),
    "branches": (path("m.origin == («m.origin if m.convoyed else m.power)"), "Province", "Power"),
    "branches that are provinces": (
        path("m.origin == («m.origin if m.convoyed else m.target)"), "truth values or numbers",
    ),
    "condition of if": (strength("1 if «2 else 3"), "truth", "number"),
    "filter": (path("all(move(r) for r in m.rivals if «1)"), "truth", "number"),
    "body of all": (path("all(«1 for r in m.rivals)"), "truth", "number"),
    "body of sum": (strength("sum(«r.origin for r in m.rivals)"), "number", "Province"),
    "part of and": (path("m.convoyed and «1"), "truth", "number"),
    "part of not": (path("not «defend_strength(m)"), "truth", "number"),
    "part of plus": (strength("1 + «m.origin"), "number", "Province"),
    "verdict that is a number": (DATC + "decisions:\n  move(m): «1\n", "truth", "number"),
    "labelled condition": (DATC + "decisions:\n  path(m):\n    a: «1\n", "truth", "number"),
    "result": (DATC + "results:\n  contested(p): «3\n", "truth", "number"),
    "when": (
        DATC + "cycles:\n  - {name: a, when: «3, set: {move: true}}\n", "truth", "number",
    ),
    "decision in when": (
        DATC + "cycles:\n  - {name: a, when: «any(move(m) for m in cycle.move), "
        "set: {move: true}}\n", "when",
    ),
    "value in set": (
        DATC + "cycles:\n  - {name: a, when: true, set: {move: «3}}\n", "true or false",
    ),
    "text for a mapping": (DATC + "decisions: «none\n", "mapping"),
    "list for an equation": (path("«[true]"), "a list"),
    "nothing for an equation": (DATC + "decisions:\n  path(m): «{}\n", "at least one condition"),
    "empty equation": (path('«""'),),
    "list for a setting": (DATC + "settings: {adjacent_convoy: «[intent]}\n", "a list"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG_TYPES.values(), ids=WRONG_TYPES.keys())
def test_wrong_type_is_one_error_with_place(case: tuple[str, ...]) -> None:
    check_fault(*case)


WRONG_ARITY = {
    "decision": (path("«move(m, m)"), "1 argument", "2"),
    "decision without argument": (path("«move()"), "1 argument", "0"),
    "defined term": (path("«entered(m.target, m.origin)"), "1 argument", "2"),
    "some": (path("«some(m.rivals, m.rivals)"), "one set", "2"),
    "chain": (path("«chain(m.origin, m.target)"), "chain(start, end, (... for c in set))"),
    "quantifier without for": (path("«all(m.rivals)"), "all(... for x in set)"),
    "named argument": (path("«move(m=m)"), "no names"),
    "two loops": (path("all«(move(a) for a in m.rivals for b in m.rivals)"), "one 'for'"),
    "heading without index": (DATC + "decisions:\n  «path: m.convoyed\n", "move(m)"),
    "decision with two indices": (DATC + "decisions:\n  «path(m, p): m.convoyed\n", "one index"),
    "result with one index": (
        MINIMAL.replace("retreat(u, p): some(u.moves) and some(p.units)", "«retreat(u): true"),
        "Unit, Province",
    ),
    "shadowed variable": (path("all(move(m) for «m in m.rivals)"), "'m'", "already"),
}


@pytest.mark.parametrize("case", WRONG_ARITY.values(), ids=WRONG_ARITY.keys())
def test_wrong_arity_is_one_error_with_place(case: tuple[str, ...]) -> None:
    check_fault(*case)


@pytest.mark.parametrize(
    ("heading", "message"),
    [
        ("move(m)", "the decision move(...) over Move is missing"),
        ("support(s)", "the decision support(...) over Support is missing"),
        ("convoy(c)", "the decision convoy(...) over Convoy is missing"),
        ("dislodge(u)", "the decision dislodge(...) over Unit is missing"),
        ("contested(p)", "the result contested(...) over Province is missing"),
        ("retreat(u, p)", "the result retreat(...) over Unit, Province is missing"),
    ],
)
def test_every_needed_decision_and_result_is_asked_for(heading: str, message: str) -> None:
    assert faults(MINIMAL) == []
    lines = [line for line in MINIMAL.splitlines() if not line.startswith(f"  {heading}:")]
    text = "\n".join(line for line in lines if not line.endswith(" {}"))
    assert [str(error) for error in faults(text)] == [f"{FILE}:1:1: {message}"]


@pytest.mark.parametrize("name", ["some", "all", "any", "sum", "ring", "chain", "move"])
def test_a_defined_term_may_not_take_a_name_that_is_taken(name: str) -> None:
    check_fault(f"{DATC}define:\n  «{name}(m): m.convoyed\n", f"'{name}'")


# Recursion and composition.


def test_recursive_define_is_refused() -> None:
    check_fault(f"{DATC}define:\n  loop(u): «loop(u)\n", "loop -> loop")


@pytest.mark.parametrize("names", [("aa", "bb"), ("aa", "bb", "cc")])
def test_mutually_recursive_defines_are_refused_at_the_calls(names: tuple[str, ...]) -> None:
    after = dict(zip(names, (*names[1:], names[0]), strict=True))
    calls = [f"  {name}(u): {after[name]}(u)\n" for name in names]
    found = faults(DATC + "define:\n" + "".join(calls))
    assert found
    for error in found:
        file, line, column = place(error)
        assert (file, column) == (FILE, 10)
        assert 3 <= line < 3 + len(names)
        assert all(name in str(error) for name in names)
        assert "refers to itself" in str(error)


EXTENDS_CIRCLES = {
    "self": {"a.yaml": "extends: «a.yaml\n"},
    "mutual": {"a.yaml": "extends: b.yaml\n", "b.yaml": "title: b\nextends: [«a.yaml]\n"},
    "three files": {
        "a.yaml": "extends: b.yaml\n",
        "b.yaml": "extends: [datc, c.yaml]\n",
        "c.yaml": "extends:\n  - «a.yaml\n",
    },
}


@pytest.mark.parametrize("files", EXTENDS_CIRCLES.values(), ids=EXTENDS_CIRCLES.keys())
def test_extends_in_a_circle_is_refused(
    files: Mapping[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in files.items():
        where = (name, *marked(text)[1][1:]) if "«" in text else where_none
        if "«" in text:
            expected = where
        Path(name).write_text(text.replace("«", ""), encoding="utf-8")
    with pytest.raises(ProfileError, match="extends goes in a circle: ") as caught:
        load_profile("a.yaml")
    assert place(caught.value) == expected
    assert str(caught.value).endswith(" -> ".join([*files, "a.yaml"]))
