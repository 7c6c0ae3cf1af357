"""The answer of an algorithm other than the solver, refused unless it has the form of verdicts.

Anybody can hand `dipsat.adjudicate` an engine of their own, so nothing is taken for granted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import Any

from dipsat.engines.engine import (
    Engine,
    EngineReason,
    EquationVerdicts,
    ReasonedVerdicts,
    Verdicts,
    traceable,
)
from dipsat.engines.trace import Trace
from dipsat.equations.phase import Phase
from dipsat.errors import EngineError, shortened
from dipsat.errors.base import with_article
from dipsat.profiles.profile import Profile


def answer_of(
    judge: Engine, phase: Phase, profile: Profile, trace: bool
) -> tuple[Verdicts, Trace | None]:
    """The verdicts of an engine on a phase, with the trace if it is wanted.

    Raises `EngineError` for an answer that is none, and whatever the engine raises.
    """
    if not trace:
        verdicts: object = judge.decide(phase, profile)
        return _verdicts(judge.name, verdicts, phase, profile), None
    found: object = traceable(judge).traced(phase, profile)
    if not isinstance(found, tuple) or len(found) != 2 or not isinstance(found[1], Trace):
        wanted = "a pair of verdicts and a trace"
        raise EngineError(judge.name, f"`traced` should return {wanted}, not {_shown(found)}")
    return _verdicts(judge.name, found[0], phase, profile), found[1]


def _verdicts(engine: str, found: object, phase: Phase, profile: Profile) -> Verdicts:
    if not isinstance(found, Verdicts):
        problem = f"its answer should be dipsat.engines.Verdicts, not {_shown(found)}"
        raise EngineError(engine, problem)
    for problem in _faults(found, phase, profile):
        raise EngineError(engine, f"its answer is faulty: {problem}")
    return found


def _faults(found: Verdicts, phase: Phase, profile: Profile) -> Iterator[str]:
    """What is wrong with verdicts, one thing after the other."""
    for name, objects in (
        ("moves", phase.moves),
        ("supports", phase.supports),
        ("convoys", phase.convoys),
        ("dislodged", phase.units),
    ):
        yield from _row(name, getattr(found, name), objects, _is_truth, "True or False")
    if not isinstance(found.contested, Set):
        yield f"contested should be a set of provinces, not {_shown(found.contested)}"
    else:
        yield from (
            f"contested: there is no province {_shown(code)} on the map"
            for code in found.contested
            if code not in phase.map.provinces
        )
    if isinstance(found, EquationVerdicts):
        yield from _decisions(found.decisions, phase, profile)
    if isinstance(found, ReasonedVerdicts):
        yield from _row("reasons", found.reasons, phase.units, _is_reason(phase), "an EngineReason")
        if found.marks is not None:
            yield from _row("marks", found.marks, phase.units, _is_text, "a text")
        if found.retreats is not None:
            wanted = "a tuple of provinces"
            yield from _row("retreats", found.retreats, phase.units, _are_texts, wanted)


def _row(
    name: str, row: Any, objects: Sequence[object], fits: Callable[[Any], bool], wanted: str
) -> Iterator[str]:
    """What is wrong with the verdicts about some objects."""
    if not isinstance(row, tuple | list) or len(row) != len(objects):
        shown = f"has {len(row)}" if isinstance(row, tuple | list) else f"is {_shown(row)}"
        about = "units" if name in ("dislodged", "reasons", "marks", "retreats") else name
        yield f"{name} should have an entry for each of the {len(objects)} {about}, but {shown}"
        return
    for at, value in enumerate(row):
        if not fits(value):
            yield f"{name}[{at}], about {objects[at]}, should be {wanted}, not {_shown(value)}"


def _decisions(decisions: object, phase: Phase, profile: Profile) -> Iterator[str]:
    """What is wrong with the decisions of an engine that reads the equations."""
    if not isinstance(decisions, Mapping):
        yield f"decisions should be a mapping, not {_shown(decisions)}"
        return
    counts = {
        family: len(phase.objects(decision.indices))
        for family, decision in profile.decisions.items()
    }
    for key, value in decisions.items():
        is_key = isinstance(key, tuple) and len(key) == 2 and isinstance(key[1], int)
        if not is_key or not 0 <= key[1] < counts.get(key[0], 0):
            yield f"decisions: there is no decision {_shown(key)}"
        elif not isinstance(value, int):
            yield f"decisions[{_shown(key)}] should be a whole number, not {_shown(value)}"


def _is_truth(value: object) -> bool:
    return isinstance(value, int) and value in (0, 1)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _are_texts(value: object) -> bool:
    return isinstance(value, tuple | list) and all(isinstance(one, str) for one in value)


def _is_reason(phase: Phase) -> Callable[[object], bool]:
    units = range(len(phase.units))

    def fits(value: object) -> bool:
        return isinstance(value, EngineReason) and all(index in units for index in value.because)

    return fits


def _shown(value: object) -> str:
    if value is None:
        return "None"
    return f"{shortened(repr(value))} ({with_article(type(value).__name__)})"
