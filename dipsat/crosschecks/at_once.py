"""What the solver decides of many phases, by compiled equations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dipsat.board.map import Map
from dipsat.crosschecks.finding import Judgement
from dipsat.crosschecks.judge import Judge, Rules
from dipsat.crosschecks.sources import Posed
from dipsat.engines.names import SOLVER
from dipsat.errors import DipsatError
from dipsat.game.submissions import PowerOrders
from dipsat.kernel.batch import kept_batch
from dipsat.kernel.numbers import NO_ORDER
from dipsat.kernel.results import BatchResult, ends_of
from dipsat.profiles.load import load_profile, with_variant
from dipsat.profiles.profile import Profile
from dipsat.values import grouped

MANY = 2_000
"""Phases from which on compiling pays: it takes some seconds the first time."""

_BAD = ("illegal", "invalid")
_PARTS = {"given": "supports", "cut": "supports", "available": "convoys", "disrupted": "convoys"}


def judged_at_once(
    judge: Judge, phases: Sequence[Posed], default: Rules
) -> Mapping[int, Judgement]:
    """Identity of a phase -> what a judge decides of it, as `find` returns it. Phases are missing
    if the equations are not compiled, or if something is said of them that codes cannot say."""
    if judge.engine != SOLVER:
        return {}
    found: dict[int, Judgement] = {}
    by_rules = grouped(((_profile(judge, one, default), one.position.map), one) for one in phases)
    for (profile, board), some in by_rules.items():
        if profile is not None:
            found |= _judged(profile, board, list(some))
    return found


def _profile(judge: Judge, phase: Posed, default: Rules) -> Profile | None:
    rules = judge.rules or phase.rules or default
    try:
        return load_profile(with_variant(rules, phase.variant) if phase.variant else rules)
    except DipsatError:
        return None  # it is raised again phase by phase


def _judged(profile: Profile, board: Map, phases: list[Posed]) -> dict[int, Judgement]:
    try:
        batch = kept_batch(profile, board)
        if not batch.native:
            return {}
        boards = [(one.position.with_words(profile.words), one.orders) for one in phases]
        result = batch.adjudicate(batch.encode(boards))
    except DipsatError:
        return {}
    return {
        id(one): Judgement(_values(result, at))
        for at, one in enumerate(phases)
        if at not in result.outcomes and _is_coded(result, at, one.orders)
    }


def _is_coded(result: BatchResult, at: int, orders: Mapping[str, PowerOrders]) -> bool:
    """Whether every order is in the codes: those to units that do not exist are not."""
    first, end = result.codes.starts[at], result.codes.starts[at + 1]
    types = result.codes.orders[4 * first : 4 * end : 4]
    return sum(map(_length, orders.values())) == sum(type != NO_ORDER for type in types)


def _length(orders: Iterable[object]) -> int:
    return sum(1 for _ in orders)


def _values(result: BatchResult, at: int) -> dict[tuple[str, str], str]:
    """The same as `dipsat.crosschecks.finding` finds in an outcome."""
    values: dict[tuple[str, str], str] = {}
    ends = ends_of(result, at)
    for unit, verdict in result.verdicts(at).items():
        if verdict in _BAD:
            values["legality", unit] = verdict
        elif verdict == "succeeds":
            values["moves", unit] = ends[unit] or ""
        elif verdict in _PARTS:
            values[_PARTS[verdict], unit] = verdict
    for lost in result.dislodged(at):
        values["dislodged", lost.unit] = "dislodged"
        values["retreats", lost.unit] = ", ".join(lost.retreats) or "nowhere"
    for place in result.contested(at):
        values["contested", place] = "contested"
    return values
