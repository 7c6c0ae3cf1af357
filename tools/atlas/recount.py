"""Every line with the fewest units, found again by Z3 from the second statement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set

from dipsat.rules import DEFAULT_RULES, load_profile
from dipsat.searches import Lines
from dipsat.searches.line_confirmation import statement_of
from dipsat.searches.line_question import terms_of
from dipsat.solving import smt_lib
from dipsat.solving.models import z3_module
from tools.atlas.answers import Answer, lines_in, question_of, units_of

Found = tuple[frozenset[str], frozenset[str]]
"""The units of a line, and the centres that it holds."""


def every_line(question: Lines, units: int) -> Iterator[Found]:
    """Each line that meets a question with at most this many units, if no line has fewer: one for
    each choice of units and centres."""
    z3 = z3_module()
    terms = terms_of(question, load_profile(DEFAULT_RULES))
    statement = statement_of(terms, units)
    centres = sorted(terms.map.centers)
    solver = z3.SolverFor("QF_FD")
    solver.from_string(smt_lib(statement.problem, statement.names))
    while solver.check() == z3.sat:
        model = solver.model()
        true = {str(one) for one in model if z3.is_true(model[one])}
        placed = true.intersection(statement.units)
        inside = [one for one in centres if f"{one} in the region" in true]
        yield frozenset(placed), frozenset(one for one in centres if f"{one} outside" not in true)
        told = [*placed, *(f"{one} in the region" for one in inside)]
        solver.add(z3.Or(*(z3.Not(z3.Bool(name)) for name in told)))
    assert solver.check() == z3.unsat, "Z3 gave no answer"


def differences(answered: Answer, found: Set[Found]) -> list[str]:
    """The errors in an answer with all lines."""
    wrong = []
    forms = Counter((_provinces(units), centres) for units, centres in found)
    listed = Counter[tuple[frozenset[str], frozenset[str]]]()
    for form in answered["forms"]:
        listed[_provinces(form["units"]), frozenset(form["centres"])] += form["count"]
    if listed != forms:
        wrong.append(f"{listed.total()} lines are counted, but there are {len(found)}")
    for form, orders in lines_in(answered):
        if (frozenset(units_of(orders)), frozenset(form["centres"])) not in found:
            wrong.append(f"{orders} is none of them")
    return wrong


def _provinces(units: Set[str] | list[str]) -> frozenset[str]:
    return frozenset(one.split()[1].partition("/")[0] for one in units)


def lines_of(name: str, answered: Answer) -> frozenset[Found]:
    """Every line of an answer, counted again."""
    return frozenset(every_line(question_of(name, answered["asked"]), answered["fewest"]))
