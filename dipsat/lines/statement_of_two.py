"""The statement that two lines with few units together exist: those about each of them, side by
side, and what is said of both."""

from __future__ import annotations

from dipsat.lines.pair import are_alike
from dipsat.lines.statement import Statement, statement_of
from dipsat.lines.terms import Terms

_SECOND = "second: "
"""How the names of unknowns of the second line begin."""


def statement_of_two(first: Terms, second: Terms, most: int | None) -> Statement:
    """The statement that two lines with at most `most` units together, None for any number, hold
    what the terms require, and share no province."""
    one, other = statement_of(first, None), statement_of(second, None)
    problem = one.problem
    problem.add(other.problem)
    names = [*one.names, *map(_of_second, other.names)]
    number_of = {name: number for number, name in enumerate(names, 1)}

    def outside(province: str) -> tuple[int, int]:
        name = f"{province} outside"
        return number_of[name], number_of[_of_second(name)]

    for province in first.map.provinces:
        problem.require(*outside(province))
    if are_alike(first, second):  # the first line holds the first of all centres that are held
        before = list[int]()
        for here, there in map(outside, sorted(first.map.centers)):
            problem.require(there, *before)
            before.append(-here)
    units = [*one.units, *map(_of_second, other.units)]
    kinds = {kind: [one for one in units if one.removeprefix(_SECOND)[0] == kind] for kind in "AF"}
    for limit, among in (
        (most, units), (first.units, units), (first.armies, kinds["A"]),
        (first.fleets, kinds["F"]),
    ):  # fmt: skip
        if limit is not None:
            problem.at_most(limit, [number_of[name] for name in among])
    return Statement(problem, names, tuple(units))


def _of_second(name: str) -> str:
    return _SECOND + name
