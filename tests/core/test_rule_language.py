"""The rule language: what a rule file may contain, what it means, and how its faults are reported.

In the texts below, « marks the place that the error must name; it is removed before loading.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings, strategies as st

import dipsat
from dipsat.base import data_folder, parse_yaml
from dipsat.equations import Grounder, Key, Phase, Term, build_phase, evaluate
from dipsat.errors import DipsatError, DocumentError, ProblemsError, ProfileError, UnresolvedError
from dipsat.game import PositionFacts, ProvinceFacts, Submission, UnitFacts, judge_orders
from dipsat.game.conditions import BuildFacts
from dipsat.orders import reader_for
from dipsat.outcomes.retreats import build_retreats
from dipsat.rules import FACTS, Profile, load_profile, parse_profile
from dipsat.rules.parser import parse_expression
from dipsat.rules.profile_files import combined_profile
from tests.exhaustive import exhaustive, few_examples

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


def faults(text: str) -> list[DipsatError]:
    """The faults that loading a rule file reports."""
    try:
        parse_profile(text, FILE)
    except ProblemsError as error:
        return list(error.problems)
    except DipsatError as error:
        return [error]
    return []


def place(error: DipsatError) -> tuple[str, int, int]:
    """The place that an error names; its message must begin with exactly that."""
    assert isinstance(error, DocumentError)
    assert str(error) == f"{error.path}:{error.line}:{error.column}: {error.problem}"
    return error.path, error.line, error.column


def marked(text: str) -> tuple[str, tuple[str, int, int]]:
    """The text without its mark, and the place of the mark."""
    before, mark, after = text.partition("«")
    assert mark
    return before + after, (FILE, before.count("\n") + 1, len(before) - before.rfind("\n"))


def check_fault(text: str, *words: str) -> None:
    """Loading the text reports one fault, at the mark, whose message has all the words."""
    text, where = marked(text)
    found = faults(text)
    assert [place(error) for error in found] == [where], [str(error) for error in found]
    for word in words:
        assert word in str(found[0])


def path(equation: str) -> str:
    """A rule file that changes the equation for `path` (a truth value) in `datc`."""
    return f"{DATC}decisions:\n  path(m): {equation}\n"


def strength(equation: str) -> str:
    """A rule file that states an equation for `defend_strength` (a number)."""
    return f"{DATC}decisions:\n  defend_strength(m): {equation}\n"


def cycle(when: str, pins: str = "{move: true}") -> str:
    """A rule file with one cycle rule."""
    return f"{DATC}cycles:\n  - {{name: a, when: {when}, set: {pins}}}\n"


def where(condition: str) -> str:
    """A rule file with one cycle rule that sets only some supports."""
    return (
        f"{DATC}cycles:\n  - name: a\n    when: true\n"
        f"    where:\n      {condition}\n    set: {{support: true}}\n"
    )


# Names without a meaning.

# fmt: off
UNKNOWN_NAMES = {
    "key": (DATC + "«settngs: {}\n", "unknown key 'settngs'", "'settings'"),
    "key of a cycle rule": (
        f"{DATC}cycles:\n  - {{name: a, «wen: true, set: {{}}}}\n", "'wen'", "'when'",
    ),
    "fact": (strength("sum(support(s) for s in «m.suports)"), "'suports'", "'supports'"),
    "fact of a fact": (path("«m.unit.provnce == m.origin"), "'provnce'", "'province'"),
    "fact of a number": (path("«move(m).origin == m.origin"), "truth", ".origin"),
    "decision": (path("not «mov(m)"), "unknown name 'mov'", "'move'"),
    "decision of a cycle": (cycle("some(«cycle.convoys)"), "'convoys'", "'convoy'"),
    "decision set by a cycle rule": (cycle("true", "{«mov: true}"), "'mov'", "'move'"),
    "defined term": (path("«enterd(m.target)"), "unknown name 'enterd'", "'entered'"),
    "quantifier": (path("«al(move(r) for r in m.rivals)"), "'al'", "'all'"),
    "variable": (path("all(move(«x) for rival in m.rivals)"), "unknown name 'x'"),
    "true in other words": (path("move(m) or «yes"), "unknown name 'yes'; write true"),
    "function of other languages": (strength("«max(1, 2)"), "'max'; write `a if a > b else b`"),
    "length": (strength("«len(m.supports)"), "unknown name 'len'; count with sum(1 for"),
    "near variable": (path("all(move(«rivl) for rival in m.rivals)"), "'rivl'", "'rival'"),
    "variable after its quantifier": (path("all(move(r) for r in m.rivals) and move(«r)"), "'r'"),
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
}
# fmt: on


# Types and arity.

# fmt: off
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
    "condition of if": (strength("1 if «2 else 3"), "true or false", "number"),
    "filter": (path("all(move(r) for r in m.rivals if «1)"), "true or false", "number"),
    "body of all": (path("all(«1 for r in m.rivals)"), "truth", "number"),
    "body of sum": (strength("sum(«r.origin for r in m.rivals)"), "number", "Province"),
    "part of and": (path("m.convoyed and «1"), "true or false", "number"),
    "part of not": (path("not «defend_strength(m)"), "true or false", "number"),
    "part of plus": (strength("1 + «m.origin"), "number", "Province"),
    "equation that is a province": (DATC + "decisions:\n  more(m): «m.origin\n", "Province"),
    "verdict that is a number": (DATC + "decisions:\n  move(m): «1\n", "true or false", "number"),
    "labelled condition": (DATC + "decisions:\n  path(m):\n    a: «1\n", "true or false", "number"),
    "result": (DATC + "results:\n  contested(p): «3\n", "true or false", "number"),
    "when": (cycle("«3"), "true or false", "number"),
    "decision in when": (cycle("«any(move(m) for m in cycle.move)"), "when"),
    "value in set": (cycle("true", "{move: «3}"), "true or false"),
    "text for a mapping": (DATC + "decisions: «none\n", "mapping"),
    "list for an equation": (path("«[true]"), "a list"),
    "nothing for an equation": (path("«{}"), "at least one condition"),
    "empty equation": (path('«""'),),
    "number in set too great": (cycle("true", "{attack_strength: «5000}"), "-1000 to 1000"),
    "decision in where": (where("support(s): «support(s)"), "`where` may use only facts"),
    "number in where": (where("support(s): «3"), "true or false", "number"),
    "index in where": (where("«support(m): true"), "support has one index, a Support"),
    "decision in where that is not set": (where("«move(m): true"), "under `set`", "'move'"),
    "number in choose": (f"{DATC}cycles:\n  - {{name: a, when: true, choose: «3}}\n", "or false"),
    "set and choose": (
        f"{DATC}cycles:\n  - «{{name: a, when: true, set: {{move: true}}, choose: true}}\n",
        "'set' or 'choose', not both",
    ),
    "where and choose": (
        f"{DATC}cycles:\n  - {{name: a, when: true, where: «{{move(m): true}}, choose: true}}\n",
        "`where` goes with `set`",
    ),
    "decision with the name of a fact of cycles": (
        f"{DATC}decisions:\n  «resolutions(m): true\n", "'resolutions'", "something else",
    ),
    "list for a setting": (DATC + "settings: {adjacent_convoy: «[intent]}\n", "a list"),
}
WRONG_ARITY = {
    "decision": (path("«move(m, m)"), "1 argument", "2"),
    "decision without argument": (path("«move()"), "1 argument", "0"),
    "defined term": (path("«entered(m.target, m.origin)"), "1 argument", "2"),
    "some": (path("«some(m.rivals, m.rivals)"), "one set", "2"),
    "chain": (path("«chain(m.origin, m.target)"), "chain(start, end, (... for c in set))"),
    "quantifier without for": (path("«all(m.rivals)"), "all(... for x in set)"),
    "named argument": (path("«move(m=m)"), "no keyword arguments"),
    "two loops": (path("all«(move(a) for a in m.rivals for b in m.rivals)"), "one 'for'"),
    "heading without index": (DATC + "decisions:\n  «path: m.convoyed\n", "move(m)"),
    "decision with another index": (DATC + "decisions:\n  «path(m, p): m.convoyed\n", "replaces"),
    "decision with four indices": (DATC + "decisions:\n  «far(m, p, u, s): true\n", "at most 3"),
    "result with one index": (DATC + "results:\n  «retreat(u): some(u.moves)\n", "Unit, Province"),
    "shadowed variable": (path("all(move(m) for «m in m.rivals)"), "'m'", "already"),
}
# fmt: on


@pytest.mark.parametrize(
    "heading",
    ["move(m)", "support(s)", "convoy(c)", "dislodge(u)", "contested(p)", "retreat(u, p)"],
)
def test_every_needed_decision_and_result_is_asked_for(heading: str) -> None:
    assert faults(MINIMAL) == []
    lines = [line for line in MINIMAL.splitlines() if not line.startswith(f"  {heading}:")]
    (error,) = faults("\n".join(lines))
    kind = "result" if heading in MINIMAL.partition("results:")[2] else "decision"
    name = heading.partition("(")[0]
    assert str(error).startswith(f"{FILE}:1:1: the {kind} {name}(...) over ")
    assert str(error).endswith(" is missing")


@pytest.mark.parametrize("name", ["some", "all", "chain", "move"])
def test_a_defined_term_may_not_take_a_name_that_is_taken(name: str) -> None:
    check_fault(f"{DATC}define:\n  «{name}(m): m.convoyed\n", f"'{name}'")


# Recursion and composition.


def test_recursive_define_is_refused() -> None:
    check_fault(f"{DATC}define:\n  loop(u): «loop(u)\n", "loop -> loop")


@pytest.mark.parametrize("names", [("aa", "bb"), ("aa", "bb", "cc")])
def test_mutually_recursive_defines_are_refused_at_the_calls(names: tuple[str, ...]) -> None:
    after = dict(zip(names, (*names[1:], names[0]), strict=True))
    found = faults(f"{DATC}define:\n" + "".join(f"  {n}(u): {after[n]}(u)\n" for n in names))
    assert found
    for error in found:
        file, line, column = place(error)
        assert (file, column) == (FILE, 10)
        assert 3 <= line < 3 + len(names)
        assert "refers to itself" in str(error)
        assert all(name in str(error) for name in names)


CIRCLES = {
    "self": {"a.yaml": "extends: «a.yaml\n"},
    "three files": {
        "a.yaml": "extends: b.yaml\n",
        "b.yaml": "extends: [datc, c.yaml]\n",
        "c.yaml": "extends:\n  - «a.yaml\n",
    },
}


@pytest.mark.parametrize("files", CIRCLES.values(), ids=CIRCLES.keys())
def test_extends_in_a_circle_is_refused(
    files: Mapping[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in files.items():
        Path(name).write_text(text.replace("«", ""), encoding="utf-8")
    with pytest.raises(ProfileError, match="extends goes in a circle: ") as caught:
        load_profile("a.yaml")
    last = list(files)[-1]
    assert place(caught.value) == (last, *marked(files[last])[1][1:])
    assert str(caught.value).endswith(" -> ".join([*files, "a.yaml"]))


def test_extends_in_a_circle_is_refused_whatever_the_spelling_of_the_path(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(f"extends: ../{tmp_path.name}/a.yaml\n", encoding="utf-8")
    with pytest.raises(ProfileError, match="circle"):
        load_profile(file)


def test_extends_has_a_bound_on_the_number_of_files(tmp_path: Path) -> None:
    for at in range(400):
        text = f"extends: f{at + 1}.yaml\n" if at < 399 else DATC
        (tmp_path / f"f{at}.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ProfileError, match="at most 100 files"):
        load_profile(tmp_path / "f0.yaml")


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("nowhere.yaml", "nowhere.yaml: cannot be read"),
        ("folder.yaml", "folder.yaml: cannot be read"),
        ("latin.yaml", "latin.yaml: the text is not UTF-8"),
        ("maps/standard", "unknown profile 'maps/standard'"),
        ('"a\\0.yaml"', ".yaml"),
    ],
    ids=["missing", "folder", "not UTF-8", "map", "null character"],
)
def test_unreadable_base_is_an_error_at_its_name(
    name: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder.yaml").mkdir()
    Path("latin.yaml").write_bytes(b"title: \xe9t\xe9\n")
    check_fault(f"extends:\n  - datc\n  - «{name}\n", problem)


# Expressions outside the language.

# fmt: off
OUTSIDE = {
    "import": (path('«__import__("os")'), "'__import__'"),
    "call of an attribute": (path('«__import__("os").system("true")'), "only names can be called"),
    "class": (path("«m.__class__.__mro__"), "Move", "'__class__'"),
    "private fact": (path("«m._Move__x"), "Move"),
    "attribute of a cycle": (cycle("some(«cycle.__dict__)"), "'__dict__'"),
    "lambda": (path('"«lambda: true"'), "not part of the rule language"),
    "called lambda": (path('"«(lambda: true)()"'), "only names can be called"),
    "list": (path('"«[true]"'), "not part of the rule language"),
    "list comprehension": (path('"«[r for r in m.rivals]"'), "not part of the rule language"),
    "list inside all": (path("«all([move(r) for r in m.rivals])"), "all(... for x in set)"),
    "set": (path('"«{m}"'), "not part of the rule language"),
    "dictionary": (path('"«{m: m}"'), "not part of the rule language"),
    "tuple": (path("«(m.convoyed, m.convoyed)"), "not part of the rule language"),
    "generator alone": (path("«(move(r) for r in m.rivals)"), "not part of the rule language"),
    "index in brackets": (path("«m.rivals[0]"), "not part of the rule language"),
    "slice": (path("some(«m.rivals[0:1])"), "not part of the rule language"),
    "formatted text": (path("m.target.code == «f'{m}'"), "not part of the rule language"),
    "assignment": (path('"(«x := true)"'), "not part of the rule language"),
    "star argument": (path("move(«*m.rivals)"), "not part of the rule language"),
    "double star": (path("«move(**m)"), "no keyword arguments"),
    "await": (path("«await move(m)"), "not part of the rule language"),
    "yield": (path("(«yield move(m))"), "not part of the rule language"),
    "async for": (path("all«(move(r) async for r in m.rivals)"), "'for'"),
    "two variables": (path("all«(move(r) for r, o in m.rivals)"), "one variable"),
    "None": (path("«None"), "a constant is"),
    "ellipsis": (path('"«..."'), "a constant is"),
    "fraction": (strength("«1.5"), "a constant is"),
    "imaginary number": (strength("«2j"), "a constant is"),
    "bytes": (path("m.target.code == «b'BEL'"), "a constant is"),
    "multiplication": (strength("«2 * 3"), "not part of the rule language"),
    "power": (strength("«9 ** 9 ** 9"), "not part of the rule language"),
    "inversion": (strength("«~1"), "not part of the rule language"),
    "membership": (path("«m in m.rivals"), "comparisons are"),
    "identity": (path("«m.origin is m.target"), "comparisons are"),
    "minus true": (strength("«-True"),),
    "number too great": (strength("«1001"), "-1000 to 1000"),
    "number too small": (strength("«-1001"), "-1000 to 1000"),
    "statement": (path("«import os"), "this is not possible here"),
    "two statements": (path("m.convoyed«; m.convoyed"), "this is not possible here"),
    "assignment statement": (path("«m = 3"), "a single = is not a comparison; write =="),
    "operator twice": (path("m.convoyed and «and move(m)"), "this is not possible here"),
    "closing bracket": (path("m.convoyed«) or (m.convoyed"), "unmatched ')'"),
    "other signs": (path("defend_strength(m) «≥ 3"), "'≥'"),
}
TOO_MUCH = {
    "10,000 brackets": path('«"' + "(" * 10_000 + "true" + ")" * 10_000 + '"'),
    "900 not": path('«"' + "not " * 900 + 'true"'),
    "3,000 minus": strength('«"' + "-" * 3_000 + '1"'),
    "5,000 digits": strength("«" + "9" * 5_000),
    "100,000 parts": path("«" + " and ".join(["m.convoyed"] * 100_000)),
    "600 facts of facts": path("«m" + ".unit" * 600),
    "1,900 calls": path("«m" + "()" * 1_900),
    "500 lambdas": path('«"' + "lambda:" * 500 + '1"'),
    "250 ifs": strength("«" + "1 if true else " * 250 + "1"),
}
# fmt: on


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        *((sign * 41 + "1", "more than 40 signs in a row") for sign in ("not ", "- ")),
        ("- not " * 21 + "1", "more than 40 signs in a row"),
        ("(" * 41 + "1" + ")" * 41, "brackets nested deeper than 40"),
    ],
)
def test_text_that_would_exhaust_pythons_parser_never_reaches_it(
    text: str, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dipsat.rules.parser._tree", lambda _: pytest.fail("it is parsed"))
    with pytest.raises(ProfileError, match=problem):
        parse_expression(parse_yaml(f"'{text}'", FILE))


def test_forty_signs_in_a_row_are_parsed() -> None:
    assert parse_expression(parse_yaml("not " * 40 + "m", FILE)).tree


@pytest.mark.parametrize("text", TOO_MUCH.values(), ids=TOO_MUCH.keys())
def test_too_long_or_deep_expression_is_one_short_error_with_place(text: str) -> None:
    text, where = marked(text)
    found = faults(text)
    assert [place(error) for error in found] == [where]
    assert isinstance(found[0], ProfileError)
    assert len(str(found[0])) < 200


def nested_terms(of: str, inner: str, count: int) -> str:
    """A decision over `count` defined terms, each of which uses the next."""
    lines = "".join(f"  d{at}(m): {of.format(f'd{at + 1}(m)')}\n" for at in range(count))
    return f"define:\n{lines}  d{count}(m): {inner}\ndecisions:\n  deep(m): d0(m)\n"


_LOOPS = "".join(f" for u{at} in m.target.units)" for at in range(24))
_CALLS = "".join(f"  d{at}(m): d{at + 1}(m)\n" for at in range(1500))
DEEP = {
    "quantifiers": "decisions:\n  deep(m): " + "any(" * 24 + f"move(m){_LOOPS}\n",
    "ifs": nested_terms("1 if move(m) else {}", "0", 100),
    "defined terms": nested_terms("not {}", "move(m)", 400),
    "decisions": f"decisions:\n{_CALLS}  d1500(m): some(m.rivals)\n",
}


@pytest.mark.parametrize("presolve", [True, False])
@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP.keys())
def test_deep_rules_are_refused_when_loaded_or_work(text: str, presolve: bool) -> None:
    found = faults(DATC + text)
    assert {place(error)[0] for error in found} <= {FILE}
    if not found:
        position = dipsat.Position.from_units({"FRANCE": ["A PIC"]})
        profile = parse_profile(DATC + text, FILE)
        orders = {"FRANCE": ["A PIC - BEL"]}
        outcome = dipsat.adjudicate(position, orders, profile, presolve=presolve)
        assert outcome.to_dict()["orders"][0]["verdict"] == "succeeds"


# Documents.

# fmt: off
MALFORMED = {
    "open bracket": (DATC + "settings: «{a: b\n", "malformed YAML: the mapping that begins here"),
    "open list": ("extends: «[datc\n", "the list that begins here has no ] at its end"),
    "open quote": (DATC + "title: «'abc\n", "malformed YAML: the text", "lacks its end quote"),
    "no colon": ("name: x\n«extends datc\ntitle: y\n", "a key needs a colon"),
    "no colon above": (path("\n    base kept\n    foo«: true"), "the colon of the line above"),
    "deeper than the line above": (DATC + "  title«: x\n", "check the indentation"),
    "between two depths": (DATC + "define:\n  t(m): true\n «s(m): true\n", "indentation"),
    "tab": (DATC + "«\tsettings: a\n", "malformed YAML", "tab"),
    "control character": (DATC + "ti«\0tle: c\n", "malformed YAML"),
    "bad escape": (DATC + 'title: "«\\q"\n', "malformed YAML"),
    "unknown version": ("«%YAML 9.9\n---\na: b\n", "malformed YAML"),
    "key twice": (DATC + "«extends: datc\n", "duplicate key 'extends'", "line 1"),
    "term twice": (DATC + "define:\n  t(m): true\n  «t(u): true\n", "'t'", "twice"),
    "anchor": ("extends: «&a datc\n", "anchors are not allowed"),
    "alias": (DATC + "title: «*a\n", "aliases are not allowed"),
    "tag": ("extends: «!!python/object/apply:os.getcwd []\n", "tags such as"),
    "two documents": (DATC + "«---\nextends: datc\n", "second document"),
    "list as key": ("? «[a]\n: b\n", "a key should be a text"),
    "50 levels": ("a: " + "[" * 49 + "«[", "nested deeper than 50 levels"),
    "list": ("«[]\n", "a profile should be a mapping", "a list"),
    "text": ("«hello\n", "a profile should be a mapping", "'hello'"),
}
# fmt: on


TABLES = {
    "unknown name": UNKNOWN_NAMES,
    "wrong type": WRONG_TYPES,
    "wrong arity": WRONG_ARITY,
    "outside the language": OUTSIDE,
    "malformed": MALFORMED,
}


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=f"{title}: {name}")
        for title, table in TABLES.items()
        for name, case in table.items()
    ],
)
def test_a_fault_is_one_error_with_its_place(case: tuple[str, ...]) -> None:
    check_fault(*case)


@pytest.mark.parametrize("text", ["", "# nothing but a comment\n", "---\n"])
def test_empty_rule_file_is_refused(text: str) -> None:
    assert [str(error) for error in faults(text)] == [f"{FILE}: is empty"]


# Places.

PLACES = {
    "plain": path("m.convoyed and «unknown(m)"),
    "single quotes": path("'m.convoyed and «unknown(m)'"),
    "double quotes": path('"m.convoyed and «unknown(m)"'),
    "folded block, later line": path(">\n    m.convoyed\n    and «unknown(m)"),
    "folded block with comment": path("> # why\n    m.convoyed\n    and «unknown(m)"),
    "literal block, later line": path("|\n      m.convoyed\n      and «unknown(m)"),
    "literal block that states its indentation": path("|1\n      m.convoyed\n    and «unknown(m)"),
    "several plain lines": path("m.convoyed\n    and «unknown(m)"),
    "after other letters": "# é 😀\ntitle: é😀\n" + path("|\n    m.convoyed\n    and «unknown(m)"),
    "flow mapping": DATC + "decisions: {path(m): m.convoyed and «unknown(m)}\n",
    "Windows lines": path("|\n    m.convoyed\n    and «unknown(m)").replace("\n", "\r\n"),
    "defined term": DATC + "define:\n  left(u): not «unknown(u)\n",
    "result": DATC + "results:\n  contested(p): any(«unknown(u) for u in p.units)\n",
    "cycle rule": cycle("'«unknown(cycle)'"),
}


UNFINISHED = {
    "plain": path("«m.convoyed and"),
    "block": path("|\n    «m.convoyed\n    and"),
    "bracket": path("«some(m.rivals"),
    "brackets closed too early": path('«"m.convoyed\\n)\\n\\nimport os\\n("'),
}


@pytest.mark.parametrize("text", PLACES.values(), ids=PLACES.keys())
def test_error_names_line_and_column(text: str) -> None:
    check_fault(text, "unknown name 'unknown'")


@pytest.mark.parametrize("text", UNFINISHED.values(), ids=UNFINISHED.keys())
def test_error_in_an_unfinished_expression_lies_within_it(text: str) -> None:
    text, (_, first_line, first_column) = marked(text)
    found = faults(text)
    assert len(found) == 1
    _, line, column = place(found[0])
    lines = text.splitlines()
    assert first_line <= line <= len(lines)
    assert first_column <= column <= len(lines[line - 1]) + 1


def test_all_faults_are_reported_in_file_order() -> None:
    text = f"""{DATC}settings:
  adjacent_convoys: intent
  convoy_path: none
results:
  contested(p): unknown_1(p)
decisions:
  dislodge(u): unknown_2(u)
  path(m): m.origin == m.power
  move(m):
    one: unknown_3(m)
define:
  left(u): unknown_4(u)
cycles:
  - {{name: a, when: true}}
"""
    assert [place(error)[1] for error in faults(text)] == [3, 4, 6, 8, 9, 11, 13, 15]


# Nothing of a rule file is executed.

HARMFUL = [
    "__import__('pathlib').Path({0!r}).touch()",
    "all(open({0!r}, 'w') for r in m.rivals)",
    "m.convoyed) or open({0!r}, 'w') or (m.convoyed",
    "m.__class__.__init__.__globals__['__builtins__']['open']({0!r}, 'w')",
]


HEADINGS = {"define": "left(u)", "decisions": "path(m)", "results": "contested(p)"}


@pytest.mark.parametrize("expression", HARMFUL)
def test_nothing_that_a_rule_file_holds_is_executed(expression: str, tmp_path: Path) -> None:
    quoted = "'" + expression.format(str(tmp_path / "marker")).replace("'", "''") + "'"
    assert faults(cycle(quoted))
    for section, heading in HEADINGS.items():
        assert faults(f"{DATC}{section}:\n  {heading}: {quoted}\n")
    assert list(tmp_path.iterdir()) == []


def test_yaml_tags_construct_nothing(tmp_path: Path) -> None:
    for tag in ("!!python/object/apply:open", "!open"):
        check_fault(f"{DATC}title: «{tag} ['{tmp_path / 'marker'}', w]\n", "tags such as")
    assert list(tmp_path.iterdir()) == []


@cache
def _datc_text() -> str:
    return (data_folder("rules") / "datc.yaml").read_text(encoding="utf-8")


@exhaustive
@few_examples(
    50,
    settings(max_examples=150, deadline=None),
    start=st.integers(0, 5500),
    length=st.integers(0, 30),
    put=st.text("abcms(){}[]'\"\\|>-#:&*!?%@,. \n\t01\0é=+<", max_size=12),
)
def test_damaged_rule_file_ends_in_a_profile_or_in_errors_with_places(
    start: int, length: int, put: str
) -> None:
    text = _datc_text()
    for error in faults(text[:start] + put + text[start + length :]):
        assert place(error)[0] == FILE


# What `extends` does.


def changed(base: Mapping[str, Any], derived: Mapping[str, Any]) -> list[str]:
    """The entries that differ between two mappings with the same keys."""
    assert list(base) == list(derived)
    return [name for name in base if base[name] != derived[name]]


def test_extends_overrides_exactly_one_decision() -> None:
    base = load_profile("datc")
    derived = parse_profile(strength("1"), FILE)
    assert changed(base.decisions, derived.decisions) == ["defend_strength"]
    assert derived.decisions["defend_strength"].origin == FILE
    assert changed(base.results, derived.results) == []
    assert (derived.settings, derived.cycles) == (base.settings, base.cycles)
    assert (derived.reasons, derived.files[-1]) == (base.reasons, FILE)
    assert (derived.name, derived.title, len(derived.files)) == ("rules", "", 2)


def test_extends_overrides_a_defined_term_wherever_it_is_used() -> None:
    base = load_profile("datc")
    derived = parse_profile(f"{DATC}define:\n  supports_given(m): 0\n", FILE)
    names = changed(base.decisions, derived.decisions)
    assert names == ["prevent_strength", "defend_strength", "attack_strength"]


def test_extends_reads_a_file_that_is_reached_twice_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the second reading would undo the changes in between."""
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("base.yaml").write_text(strength("1"), encoding="utf-8")
    Path("one.yaml").write_text(
        "extends: base.yaml\n" + "decisions:\n  defend_strength(m): 2\n", encoding="utf-8"
    )
    Path("two.yaml").write_text("extends: folder/../base.yaml\n", encoding="utf-8")
    Path("all.yaml").write_text("extends: [one.yaml, two.yaml, datc]\n", encoding="utf-8")
    found = load_profile("all.yaml")
    assert getattr(found.decisions["defend_strength"].equation, "value", None) == 2
    assert found.files == ("rules/datc.yaml", "base.yaml", "one.yaml", "two.yaml", "all.yaml")


def test_extends_distinguishes_files_that_are_shown_with_the_same_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy of the standard profile in another folder is another file."""
    monkeypatch.chdir(tmp_path)
    Path("rules").mkdir()
    Path("rules/datc.yaml").write_text(f"{_datc_text()}\n", encoding="utf-8")
    found = parse_profile("extends: [datc, rules/datc.yaml]\n", FILE)
    assert found.files == ("rules/datc.yaml", "rules/datc.yaml", FILE)


def test_combined_profiles_that_do_not_fit_are_refused() -> None:
    army = "variables: {x: Unit}\ndefine:\n  is_army(x): x.kind == 'army'\n"
    one = parse_profile(DATC + army, "one.yaml")
    two = parse_profile(DATC + "variables: {x: Move}\n", "two.yaml")
    assert combined_profile([two, one], "fits").name == "fits"
    with pytest.raises(
        ProfileError, match=r"'x' has type Move here and Unit at one.yaml"
    ) as caught:
        combined_profile([one, two], "does not fit")
    assert place(caught.value)[0] == "two.yaml"


def test_extends_replaces_the_cycle_rules_as_a_whole() -> None:
    (rule,) = parse_profile(cycle("true"), FILE).cycles
    assert (rule.name, dict(rule.pins), rule.origin) == ("a", {"move": True}, FILE)


# What expressions mean.

UNITS = {
    "ENGLAND": ["F NTH", "A LON"],
    "FRANCE": ["A PIC", "A BUR"],
    "GERMANY": ["A BEL", "A RUH", "F HOL"],
}
ORDERS = {
    "ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL"],
    "FRANCE": ["A PIC - BEL", "A BUR S A PIC - BEL"],
    "GERMANY": ["A BEL H", "A RUH S A BEL", "F HOL S A BEL"],
}
"""Two moves to Belgium: from Picardy with one support, which is `m` below, and by convoy from
London. Belgium has two supports. A decision is named by its unit's province: `support BUR`."""

MEANINGS = """
# Facts, which are folded away: expression -> value
true -> 1
False -> 0
m.convoyed -> 0
any(r.by_land or r.via for r in m.rivals) -> 0
1 if some(m.target.units) else move(m) -> 1
m.target.code == 'BEL' and m.unit.kind == "army" -> 1
any(u.power == m.power for u in m.target.units) -> 0
# Numbers: expression | values of the decisions in it -> value
-3 -> -3
2 - -5 -> 7
attack_strength(m) - 5 | attack_strength PIC 2 -> -3
path(m) + path(m) | path PIC 1 -> 2
# Comparisons of strengths
attack_strength(m) == prevent_strength(m) | attack_strength PIC 2, prevent_strength PIC 3 -> 0
attack_strength(m) != prevent_strength(m) | attack_strength PIC 2, prevent_strength PIC 2 -> 0
attack_strength(m) != prevent_strength(m) | attack_strength PIC 2, prevent_strength PIC 3 -> 1
attack_strength(m) >= 2 | attack_strength PIC 2 -> 1
attack_strength(m) <= 2 | attack_strength PIC 3 -> 0
0 < attack_strength(m) <= 2 | attack_strength PIC 3 -> 0
move(m) == path(m) | move PIC 0, path PIC 0 -> 1
# Junctions
not path(m) or move(m) and path(m) | path PIC 1, move PIC 0 -> 0
not path(m) or move(m) and path(m) | path PIC 0, move PIC 0 -> 1
# Choices with an unknown condition
5 if path(m) else -2 | path PIC 1 -> 5
5 if path(m) else -2 | path PIC 0 -> -2
1 if path(m) else 2 if move(m) else 3 | path PIC 0, move PIC 1 -> 2
move(m) if path(m) else not move(m) | path PIC 0, move PIC 0 -> 1
# Quantifiers, nested
sum(sum(support(s) for s in u.supports) for u in m.target.units) | support RUH 1, support HOL 0 -> 1
any(all(support(s) for s in u.supports) for u in m.target.units) | support RUH 1, support HOL 0 -> 0
all(any(support(s) for s in u.supports) for u in m.target.units) | support RUH 1, support HOL 0 -> 1
sum(sum(1 for s in a.supports) for a in m.target.attackers) -> 1
sum(7 for o in m.opponents) -> 0
# Filters that are facts
sum(attack_strength(a) for a in m.target.attackers if a.convoyed) | attack_strength LON 4 -> 4
all(move(a) for a in m.target.attackers if not a.convoyed) | move PIC 1 -> 1
any(true for a in m.target.attackers if a.convoyed if a.power == m.power) -> 0
# Filters that are unknown: in `all` they imply the body
all(path(a) for a in m.rivals if move(a)) | move LON 1, path LON 0 -> 0
all(path(a) for a in m.rivals if move(a)) | move LON 1, path LON 1 -> 1
all(path(a) for a in m.rivals if move(a)) | move LON 0, path LON 0 -> 1
any(path(a) for a in m.rivals if move(a)) | move LON 1, path LON 1 -> 1
any(path(a) for a in m.rivals if move(a)) | move LON 0, path LON 1 -> 0
sum(attack_strength(a) for a in m.rivals if path(a)) | path LON 1, attack_strength LON 3 -> 3
sum(attack_strength(a) for a in m.rivals if path(a)) | path LON 0, attack_strength LON 3 -> 0
sum(-2 for a in m.target.attackers if path(a) if a.convoyed) | path LON 1 -> -2
# Chains; an inland province is no water
all(chain(r.origin, r.target, (convoy(c) for c in r.convoys)) for r in m.rivals) | convoy NTH 1 -> 1
all(chain(r.origin, r.target, (convoy(c) for c in r.convoys)) for r in m.rivals) | convoy NTH 0 -> 0
any(chain(r.origin, r.target, (true for c in r.convoys if convoy(c))) for r in m.rivals) \
| convoy NTH 0 -> 0
chain(m.origin, m.target, (move(m) for u in m.origin.units)) | move PIC 1 -> 0
any(chain(m.origin, m.target, (move(m) for u in s.province.units)) for s in m.supports) \
| move PIC 1 -> 0
# Defined terms with two indices
all(stronger(m, r) for r in m.rivals) | attack_strength PIC 3, attack_strength LON 2 -> 1
sum(1 for v in m.rivals if stronger(v, m)) | attack_strength PIC 1, attack_strength LON 2 -> 1
any(same_power(m, s.unit) for s in m.supports) -> 1
any(twice(r) > 5 for r in m.rivals) | attack_strength LON 3 -> 1
"""
DEFINES = f"""\
{DATC}variables: {{v: Move}}
define:
  stronger(v, m): attack_strength(v) > attack_strength(m)
  same_power(m, u): m.power == u.power
  twice(m): attack_strength(m) + attack_strength(m)
decisions:
"""


def meanings() -> list[tuple[str, dict[str, int], int]]:
    """The table above: expression, values of decisions, expected value."""
    found = []
    for line in filter(None, MEANINGS.splitlines()):
        if not line.startswith("#"):
            expression, _, value = line.rpartition(" -> ")
            expression, _, given_values = expression.partition(" | ")
            pairs = (pair.rpartition(" ") for pair in filter(None, given_values.split(", ")))
            found.append((expression, {name: int(number) for name, _, number in pairs}, int(value)))
    return found


def ground(profile: Profile) -> tuple[Grounder, Phase]:
    """The equations of the position above, with nothing decided."""
    position = dipsat.Position.from_units(UNITS)
    read = reader_for(position.map).read
    submissions = [Submission(p, text, read(text)) for p, texts in ORDERS.items() for text in texts]
    rulings = judge_orders(position, submissions, profile.settings)
    phase = build_phase(position, rulings, profile.settings)
    return Grounder(profile, phase), phase


def province(thing: Any) -> str:
    """The province that stands for an object in the table above."""
    if isinstance(thing, ProvinceFacts):
        return thing.code
    unit: UnitFacts = thing if isinstance(thing, UnitFacts) else thing.unit
    return unit.province.code


def move_from(phase: Phase, origin: str) -> int:
    """The index of the move that starts in a province."""
    (index,) = (move.index for move in phase.moves if move.origin.code == origin)
    return index


def value_of(grounder: Grounder, term: Term, values: Mapping[str, int]) -> int:
    """A term's value, if only the decisions in `values` matter."""
    return evaluate(term, lambda key: values[f"{key[0]} {province(grounder.object(key))}"])


@pytest.mark.parametrize(("expression", "values", "expected"), meanings())
def test_expression_means_what_it_says(
    expression: str, values: dict[str, int], expected: int
) -> None:
    grounder, phase = ground(parse_profile(f"{DEFINES}  probe(m): |\n    {expression}\n", FILE))
    term = grounder.equation(("probe", move_from(phase, "PIC")))
    assert value_of(grounder, term, values) == expected
    assert values or isinstance(term, int)


@pytest.mark.parametrize("presolve", [True, False])
def test_solved_decisions_satisfy_every_kind_of_equation(presolve: bool) -> None:
    expressions = sorted({expression for expression, _, _ in meanings()})
    probes = "".join(f"  probe_{at}(m): |\n    {e}\n" for at, e in enumerate(expressions))
    profile = parse_profile(DEFINES + probes, FILE)
    position = dipsat.Position.from_units(UNITS)
    outcome = dipsat.adjudicate(position, ORDERS, profile, presolve=presolve)
    assert outcome.is_proven
    grounder, phase = ground(profile)

    def value(key: Key) -> int:
        found = outcome.decisions[grounder.name(key)]
        assert found is not None
        return found

    for at, expression in enumerate(expressions):
        for move in phase.moves:
            key = (f"probe_{at}", move.index)
            assert value(key) == evaluate(grounder.equation(key), value), expression


def test_labelled_conditions_are_a_conjunction_in_their_order() -> None:
    text = path("\n    far: not move(m)\n    near: attack_strength(m) > 1")
    grounder, phase = ground(parse_profile(text, FILE))
    key = ("path", move_from(phase, "PIC"))
    conditions, scope = grounder.profile.decisions["path"].conditions, grounder.scope(key)
    terms = [grounder.term(part, scope) for _, part in conditions]
    assert [code for code, _ in conditions] == ["far", "near"]
    for moves, attack, expected in ((0, 1, [1, 0]), (0, 2, [1, 1]), (1, 1, [0, 0]), (1, 2, [0, 1])):
        values = {"move PIC": moves, "attack_strength PIC": attack}
        assert [value_of(grounder, term, values) for term in terms] == expected
        assert value_of(grounder, grounder.equation(key), values) == min(expected)


@pytest.mark.parametrize("presolve", [True, False])
def test_equation_without_a_solution_is_never_proven(presolve: bool) -> None:
    profile = parse_profile(f"{DATC}decisions:\n  probe(u): probe(u) + 1\n", FILE)
    position = dipsat.Position.from_units({"FRANCE": ["A PIC"]})
    with pytest.raises(UnresolvedError, match="probe"):
        dipsat.adjudicate(position, {}, profile, presolve=presolve)


def test_every_fact_of_the_vocabulary_exists() -> None:
    _, phase = ground(load_profile("datc"))
    lost = dipsat.Position.from_units({}, phase="S1901R", dislodged={"FRANCE": ["A PIC"]})
    others = {
        "Retreat": tuple(build_retreats(lost, {"PIC": "BRE"}).values()),
        "Build": (BuildFacts("FRANCE", "army", PositionFacts(lost).place("PAR")),),
    }
    for kind, facts in FACTS.items():
        things = phase.domain(kind) or others[kind]
        assert things
        for thing in things:
            assert [name for name in facts if not hasattr(thing, name)] == []


@pytest.mark.parametrize(
    ("fact", "owner", "succeeds"),
    [
        ("r.target.owner == r.power", "FRANCE", True),
        ("r.target.owner == r.power", "GERMANY", False),
        ("any(p == r.power for p in r.target.homes)", "GERMANY", True),
    ],
)
def test_equations_of_retreats_know_whose_a_province_is(
    fact: str, owner: str, succeeds: bool
) -> None:
    lost = dipsat.Position.from_units(
        {}, phase="S1901R", dislodged={"FRANCE": ["A PIC"]}, centers={owner: ["BRE"]}
    )
    profile = parse_profile(f"{DATC}results:\n  retreat_succeeds(r): {fact}\n", FILE)
    after = dipsat.adjudicate(lost, {"FRANCE": ["A PIC R BRE"]}, profile).units_after
    assert [str(unit) for unit in after] == (["A BRE"] if succeeds else [])


@pytest.mark.parametrize(
    "case",
    [
        (f"{DATC}reasons:\n  «convoy_disruptd: gone\n", "convoy_disruptd", "convoy_disrupted"),
        (path("m.unit.kind == «'armee'"), "never 'armee'", "army"),
        (path("m.target.kind == «'ocean'"), "never 'ocean'", "land, coast, sea"),
        (f"{DATC}cycles:\n  - {{name: idle, when: true, set: «{{}}}}\n", "never apply"),
        (path("m.unit.kind == 'army' and 2 > «1 * 1"), "*", "not part"),
    ],
    ids=["reason of nothing", "kind of no unit", "kind of no province", "empty set", "sign"],
)
def test_slip_that_would_change_nothing_is_an_error(case: tuple[str, ...]) -> None:
    check_fault(*case)


def test_many_large_equations_together_are_refused() -> None:
    doubling = "".join(f"  d{at}(m): d{at + 1}(m) or d{at + 1}(m)\n" for at in range(9))
    many = "".join(f"  big{at}(m): d0(m)\n" for at in range(500))
    found = faults(f"{DATC}define:\n{doubling}  d9(m): m.convoyed\ndecisions:\n{many}")
    assert found
    assert all("20000 parts in all" in str(error) for error in found)


def test_at_most_fifty_problems_are_reported_at_once() -> None:
    wrong = "".join(f"  wrong_{at}: x\n" for at in range(200))
    assert len(faults(f"{DATC}settings:\n{wrong}")) == 50
