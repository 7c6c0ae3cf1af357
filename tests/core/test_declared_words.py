"""Words that a profile declares: domains, attributes, relations, options, features; families with
several indices."""

from __future__ import annotations

from itertools import product

import pytest

import dipsat
from dipsat.equations import Grounder, all_decisions, evaluate
from dipsat.errors import (
    DipsatError,
    DocumentError,
    ProblemsError,
    ProfileError,
    TooManyDecisionsError,
)
from dipsat.game import Position
from dipsat.rules import Profile, difference, load_profile, parse_profile, whole_profile
from dipsat.rules.declarations import Declared
from dipsat.solving import resolve
from tests.exhaustive import few_of
from tests.phases import phase_of

# A unit beats those that its size is above, whatever the strengths; a dwarf beats a giant.
SIZES = """\
extends: datc
name: sizes
domains:
  Size: [dwarf, human, giant]
attributes:
  size: {domain: Size, default: human}
relations:
  above(x, y): [[giant, human], [human, dwarf], [dwarf, giant]]
options:
  borrowed: [by support, never]
features:
  cave: province
  tunnel: border
variables: {x: Size, y: Size}
decisions:
  # A support lends the size of its unit.
  sized(m, x): >
    m.unit.size == x or
    borrowed == "by support" and any(support(s) for s in m.supports if s.unit.size == x)
  move(m):
    convoy_disrupted: path(m)
    outsized: >
      all(all(not above(u.size, x) for x in Size if sized(m, x)) for u in m.target.units)
    bounced: >
      all(any(sized(m, x) and all(above(x, y) for y in Size if sized(r, y)) for x in Size)
          for r in m.rivals)
"""
ORDERS = {
    "FRANCE": ["A PAR - BUR", "A PIC S A PAR - BUR"],
    "GERMANY": ["A MUN - BUR", "A RUH - BEL", "A BUR H"],
    "ITALY": ["A MAR - BUR"],
}


def phase_and_solution(
    rules: Profile, sizes: dict[str, str], presolve: bool = True
) -> dict[str, int | None]:
    """The value of every decision, by name, with units of these sizes (by province)."""
    orders = {
        power: [f"{sizes.get(text[2:5], 'human')} {text}" for text in texts]
        for power, texts in ORDERS.items()
    }
    phase = phase_of(orders, rules)
    solution, grounder = resolve(rules, phase, presolve), Grounder(rules, phase)
    values = {
        key: solution.bounds.value(key)
        for key in all_decisions(grounder.profile.decisions, grounder.phase)
    }
    for key, value in values.items():
        if not solution.pins:
            assert value == evaluate(grounder.equation(key), lambda k: values[k] or 0)
    return {grounder.name(key): value for key, value in values.items()}


SIZED = [(sizes,) for sizes in product(["dwarf", "human", "giant"], repeat=3)]


@pytest.mark.parametrize("sizes", few_of(SIZED, 6))
def test_family_with_a_declared_index_is_solved_alike_with_and_without_presolve(
    sizes: tuple[str, ...],
) -> None:
    rules = parse_profile(SIZES, "sizes.yaml")
    by_place = dict(zip(("PAR", "MUN", "BUR"), sizes, strict=True))
    found = phase_and_solution(rules, by_place)
    assert found == phase_and_solution(rules, by_place, presolve=False)
    assert found["sized(Dwarf A PAR - BUR, giant)".replace("Dwarf", sizes[0].capitalize())] == (
        sizes[0] == "giant"
    )


def test_option_is_chosen_under_settings() -> None:
    lent = parse_profile(SIZES, "sizes.yaml")
    own = parse_profile(SIZES + "settings: {borrowed: never}\n", "own.yaml")
    sizes = {"PAR": "dwarf", "PIC": "giant"}
    name = "sized(Dwarf A PAR - BUR, giant)"
    assert phase_and_solution(lent, sizes)[name] == 1
    assert phase_and_solution(own, sizes)[name] == 0
    assert difference(lent, own).changes[0].name == "borrowed"


def test_declared_words_are_written_and_read_back() -> None:
    assert load_profile("datc").declared == Declared()
    rules = parse_profile(SIZES, "sizes.yaml")
    again = parse_profile(whole_profile(rules), "again.yaml")
    assert again.declared == rules.declared
    assert difference(rules, again).changes == ()


WRONG = {
    "member twice": ("domains: {Size: [a, a]}", "twice"),
    "no member": ("domains: {Size: []}", "members"),
    "a type": ("domains: {Move: [a]}", "already a type"),
    "no such domain": ("attributes: {size: {domain: Siz}}\ndomains: {Size: [a]}", "Size"),
    "default": (
        "attributes: {size: {domain: Size, default: b}}\ndomains: {Size: [a]}",
        "not a member of Size",
    ),
    "a fact": ("attributes: {power: {domain: Size}}\ndomains: {Size: [a]}", "power"),
    "one value": ("options: {one: [a]}", "two values"),
    "a setting": ("options: {legal: [a, b]}", "already a setting"),
    "feature": ("features: {ice: provinc}", "did you mean 'province'"),
    "row": ("domains: {S: [a]}\nvariables: {x: S}\nrelations: {r(x): [[b]]}", "not a member of S"),
    "short row": ("domains: {S: [a]}\nvariables: {x: S}\nrelations: {r(x): [[a, a]]}", "1 member"),
    "no domain": ("relations: {r(m): [[a]]}", "declared domains"),
    "value": ("options: {one: [a, b]}\nsettings: {one: c}", "of one; choose from a, b"),
    "text": ('options: {one: [a, b]}\ndefine: {f(m): one == "c"}', "one is never 'c'"),
    "compared": ("domains: {S: [a]}\ndefine: {f(u): any(x == u.kind for x in S)}", "compared"),
    "argument": ("features: {ice: province}\ndefine: {f(m): ice(m)}", "Province"),
    "arity": ("features: {ice: border}\ndefine: {f(p): ice(p)}", "2 arguments"),
    "taken": ("features: {vacated: province}", "means something else"),
    "season": ('define: {f(m): phase.season == "autumn"}', "never 'autumn'"),
    "keyword": ("features: {pass: border}", "cannot use the name"),
    "word": ("features: {all: province}", "means something else"),
}


@pytest.mark.parametrize(("entry", "problem"), WRONG.values(), ids=WRONG)
def test_faulty_declaration_is_one_error_with_place(entry: str, problem: str) -> None:
    with pytest.raises(DipsatError) as caught:
        parse_profile(f"extends: datc\n{entry}\n", "wrong.yaml")
    assert not isinstance(caught.value, ProblemsError), str(caught.value)
    assert isinstance(caught.value, ProfileError)
    assert problem in str(caught.value)


WORDS_IN_USE = """\
extends: datc
domains:
  Size: [small, big]
attributes:
  size: {domain: Size, default: small, becomes: size_after}
relations:
  over(z, y): [[big, small]]
options:
  passes: [open, closed]
features:
  ridge: border
settings: {passes: closed}
variables: {z: Size, y: Size}
define:
  large(u): u.size == "big"
  barred(m): passes == "closed" and ridge(m.origin, m.target)
decisions:
  moves_as(m, z): move(m) and m.unit.size == z
  path(m): (not by_convoy(m) or route(m)) and not barred(m)
results:
  size_after(u, z): u.size == z and not any(over(y, z) for y in Size)
units:
  wing: {letter: W, borders: [army, fleet]}
convoys:
  wing: {carries: [army]}
  fleet: {carries: [wing]}
legal:
  only(m): m.unit.kind != "wing"
"""


@pytest.mark.parametrize(
    ("right", "wrong", "line"),
    [
        ("[small, big]", "[small, small]", 3),
        ("[small, big]", "small", 3),
        ("default: small", "default: tiny", 5),
        ("{domain: Size", "{domain: Sise", 5),
        ("[[big, small]]", "[[big]]", 7),
        ("[open, closed]", "[open]", 9),
        ("ridge: border", "ridge: sea", 11),
        ("letter: W", "letter: w", 23),
    ],
)
def test_only_the_declaration_is_at_fault_and_not_what_uses_its_words(
    right: str, wrong: str, line: int
) -> None:
    parse_profile(WORDS_IN_USE, "words.yaml")
    with pytest.raises(DocumentError) as caught:
        parse_profile(WORDS_IN_USE.replace(right, wrong), "words.yaml")
    assert caught.value.line == line


def test_season_is_known_to_the_equations() -> None:
    rules = parse_profile(
        "extends: datc\ndecisions:\n  path(m): phase.season != 'fall'\n",
        "season.yaml",
    )
    for phase, succeeds in (("S1902M", True), ("F1902M", False)):
        position = Position.from_units({"FRANCE": ["A PAR"]}, phase=phase)
        outcome = dipsat.adjudicate(position, {"FRANCE": ["A PAR - BUR"]}, rules)
        assert (outcome.order("A PAR").verdict == "succeeds") is succeeds


def test_family_with_too_many_decisions_is_one_error() -> None:
    rules = parse_profile(
        "extends: datc\nvariables: {q: Province, w: Province}\n"
        "decisions:\n  far(p, q, w): some(p.units) and all(far(q, w, p) for u in w.units)\n",
        "far.yaml",
    )
    position = Position.start("world")
    with pytest.raises(TooManyDecisionsError, match="Province, Province, Province"):
        dipsat.adjudicate(position, {}, rules)
