"""Compiling a profile's equations to Python functions that bound every decision.

Each decision is known to lie in an interval (for a truth value: false, unknown or true), which is
DATC 5's "partial information". An expression is read twice: for its least and for its greatest
value, given the bounds of the decisions in it (`dipsat.solving.bounds_text`). Both readings become
plain Python statements, because interpreting the expressions for every phase would be an order of
magnitude slower.

The source consists of fixed fragments, generated names and integers. No text of a rule file gets
into it: names become v0, v1 ..., and texts are passed by reference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from types import CodeType
from typing import Any

from dipsat.equations.chains import chain_exists, is_ring
from dipsat.equations.instances import is_single
from dipsat.language.closed import Formula
from dipsat.language.syntax import decision_calls
from dipsat.profiles.profile import Decision
from dipsat.solving.bounds_text import LEAST, MOST, BoundsText
from dipsat.solving.python_source import PythonSource

_TEXTS = 64  # generated sources that are remembered, some 10,000 characters each
LIMIT = 10**9  # a number decision lies between -LIMIT and LIMIT


def no_value(least: int, most: int) -> str:
    """Why a number decision whose equation gives something from `least` to `most` has no value."""
    gives = f"{least:,}" if least == most else f"from {least:,} to {most:,}"
    why = ", which contradicts what else is known"
    if least > LIMIT or most < -LIMIT:
        why = f"; numbers range from {-LIMIT:,} to {LIMIT:,}"
    return f"has no value: its equation gives {gives}{why}"


def compile_results(
    decisions: Mapping[str, Decision], results: Mapping[str, Formula]
) -> dict[str, Callable[..., bool]]:
    """For each result, a function `f(phase, low, high, *objects)` that evaluates it when all
    decisions are decided; `low` and `high` are as for `compile_sweep`."""
    source = PythonSource()
    bounds = BoundsText(source, decisions)
    for at, result in enumerate(results.values()):
        bounds.begin()
        objects = ", ".join(bounds.variable(index) for index in result.indices)
        source.line(f"def result{at}(phase, low, high, {objects}):")
        with source.indented():
            called = decision_calls(result.expression)
            _facts_as_locals(source, [bounds.families[name] for name in called])
            source.line(f"return {bounds.value(result.expression, LEAST)}")
    namespace = run_source(source)
    return {name: namespace[f"result{at}"] for at, name in enumerate(results)}


def compile_sweep(decisions: Mapping[str, Decision]) -> Callable[..., bool]:
    """A function `sweep(phase, low, high, pending, conflicts)` that tightens all bounds once.

    `low` and `high` hold, for each family in the order of `decisions`, a list of bounds by index;
    `pending` holds, for each family, a list of the objects whose decision is open, which `sweep`
    shortens. To `conflicts` it adds (family, index, least, most) for a number whose equation allows
    no value within its bounds. It returns whether anything changed.
    """
    source = PythonSource()
    bounds = BoundsText(source, decisions)
    source.line("def sweep(phase, low, high, pending, conflicts):")
    with source.indented():
        source.line("changed = False")
        _facts_as_locals(source, range(len(decisions)))
        for at, decision in enumerate(decisions.values()):
            _family(source, bounds, at, decision)
        source.line("return changed")
    sweep: Callable[..., bool] = run_source(source)["sweep"]
    return sweep


def run_source(source: PythonSource, name: str = "<equations as bounds>") -> dict[str, Any]:
    """Run generated source and return the namespace with its functions; `name` is that of its file
    in tracebacks."""
    namespace: dict[str, Any] = {
        "chain_exists": chain_exists,
        "is_ring": is_ring,
        **{f"k{at}": value for at, value in enumerate(source.constants)},
    }
    exec(_code(source.text, name), namespace)  # generated only, see the module's docstring
    return namespace


@lru_cache(maxsize=_TEXTS)
def _code(text: str, name: str) -> CodeType:
    """The code of a generated source. Profiles whose equations are alike share it: what differs
    may be constants, or settings."""
    return compile(text, name, "exec")


def _facts_as_locals(source: PythonSource, families: Iterable[int]) -> None:
    """Give the map's waters and the lists of each family short names."""
    source.line("water = phase.map.water")
    for at in sorted(families):
        source.line(f"low{at} = low[{at}]; high{at} = high[{at}]")


def _family(source: PythonSource, bounds: BoundsText, at: int, decision: Decision) -> None:
    """Write one family's part of the sweep: try to decide each object that is still open."""
    bounds.begin()
    single = is_single(decision.indices)
    index = bounds.variable(decision.indices[0]) if single else "about"
    source.line(f"if pending[{at}]:")
    with source.indented():
        source.line("rest = []")
        source.line(f"for {index} in pending[{at}]:")
        with source.indented():
            source.line(f"i = {index}.index")
            if not single:
                parts = "".join(f"{bounds.variable(part)}, " for part in decision.indices)
                source.line(f"{parts}= about.parts")
            write = _truth if decision.type.is_truth else _number
            write(source, bounds, at, decision)
            source.line(f"rest.append({index})")
        source.line(f"pending[{at}] = rest")


def _truth(source: PythonSource, bounds: BoundsText, at: int, decision: Decision) -> None:
    for mode, test, known in ((LEAST, "", f"low{at}"), (MOST, "not ", f"high{at}")):
        value = bounds.value(decision.equation, mode)
        source.line(f"if {test}{value}:")
        with source.indented():
            source.line(f"{known}[i] = {mode == LEAST}; changed = True; continue")


def _number(source: PythonSource, bounds: BoundsText, at: int, decision: Decision) -> None:
    least, most = bounds.both(decision.equation)
    source.line(f"a = {least}")
    source.line(f"b = {most}")
    source.line(f"if a > high{at}[i] or b < low{at}[i]:")
    with source.indented():
        source.line(f"conflicts.append(({at}, i, a, b)); continue")
    source.line(f"if a > low{at}[i]: low{at}[i] = a; changed = True")
    source.line(f"if b < high{at}[i]: high{at}[i] = b; changed = True")
    source.line("if a == b: continue")
