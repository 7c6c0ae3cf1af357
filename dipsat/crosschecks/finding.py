"""What a judge decides about a phase, and where two judges differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dipsat.crosschecks.judge import Judge, Rules
from dipsat.crosschecks.options import Extent
from dipsat.errors import (
    EngineError,
    ImpossibleBoardError,
    NotMadeForError,
    UndecidedError,
    UnresolvedError,
)
from dipsat.game.facts import MoveFacts, SupportFacts
from dipsat.game.position import Position
from dipsat.game.submissions import PowerOrders
from dipsat.profiles.load import with_variant
from dipsat.proof.adjudicate import adjudicate
from dipsat.proof.engine_outcome import EngineOutcome
from dipsat.proof.movement import MovementOrderOutcome, MovementOutcome
from dipsat.values import Plain, brief

PARTS = (
    "answer", "moves", "dislodged", "contested", "retreats", "supports", "convoys", "legality",
)  # fmt: skip
"""What may differ, the most important first."""

_OF_UNITS = ("answer", "moves", "dislodged", "contested")
_NO_ANSWER = ("answer", "")


@brief()
@dataclass(frozen=True, slots=True)
class Divergence(Plain):
    """One part of the decision that two judges decide differently."""

    part: str
    """`answer`, `moves`, `dislodged`, `contested`, `retreats`, `supports`, `convoys` or `legality`.
    """
    about: str
    """The unit (`A LON`) or the province."""
    values: tuple[str, str]
    """What each judge decides: the location to which a unit moves, a verdict, or `dislodged`; ""
    where it decides nothing."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge decides about a phase: (part, about) -> a word. `problem` says why it has no
    answer, "" if it has one; `by_equations` says whether it reads the equations of the profile. A
    judge that is not made for the phase (`is_made`) is compared with no other; `problem` says why
    it is not."""

    values: Mapping[tuple[str, str], str]
    by_equations: bool = True
    problem: str = ""
    is_made: bool = True


def find(
    judge: Judge,
    position: Position,
    orders: Mapping[str, PowerOrders],
    default: Rules,
    variant: str = "",
) -> Judgement:
    """Return what a judge decides about a movement phase; `default` are the rules of one that has
    none. Those of a `variant` are laid over them.

    Raises what `dipsat.adjudicate` raises, except `UnresolvedError`, `EngineError`,
    `UndecidedError` and `ImpossibleBoardError`: having no answer is a result.
    """
    try:
        rules = judge.rules or default
        rules = with_variant(rules, variant) if variant else rules
        outcome = adjudicate(position, orders, rules, engine=judge.engine)
        assert isinstance(outcome, MovementOutcome)
        by_equations = not isinstance(outcome, EngineOutcome) or outcome.reads_equations
        return Judgement(_values(outcome), by_equations)
    except NotMadeForError as error:
        return Judgement({}, problem=error.problem, is_made=False)
    except (EngineError, ImpossibleBoardError, UndecidedError, UnresolvedError) as error:
        return Judgement({_NO_ANSWER: "none"}, problem=str(error).partition("\n")[0])


def _values(outcome: MovementOutcome) -> dict[tuple[str, str], str]:
    values: dict[tuple[str, str], str] = {}
    for order in outcome.orders:
        if order.verdict in ("illegal", "invalid"):
            key = "legality", order.unit
            values[key] = f"{values[key]}, {order.verdict}" if key in values else order.verdict
        else:
            _add_verdict(values, order)
    for lost in outcome.dislodged:
        values["dislodged", lost.unit] = "dislodged"
        values["retreats", lost.unit] = ", ".join(lost.retreats) or "nowhere"
    for place in outcome.contested:
        values["contested", place] = "contested"
    return values


def _add_verdict(values: dict[tuple[str, str], str], order: MovementOrderOutcome) -> None:
    candidate = order.facts.candidate if order.facts is not None else None
    if isinstance(candidate, MoveFacts):
        if order.verdict == "succeeds":
            values["moves", order.unit] = candidate.target_location
    elif candidate is not None:
        part = "supports" if isinstance(candidate, SupportFacts) else "convoys"
        values[part, order.unit] = order.verdict


def differences(
    one: Judgement, other: Judgement, extent: Extent = "auto"
) -> tuple[Divergence, ...]:
    """Where two judges differ, the most important first; empty if they agree or if one is not made
    for the phase."""
    if not (one.is_made and other.is_made):
        return ()
    if bool(one.problem) != bool(other.problem):
        return (
            Divergence(*_NO_ANSWER, ("none" * bool(one.problem), "none" * bool(other.problem))),
        )
    everything = one.by_equations and other.by_equations if extent == "auto" else extent == "all"
    parts = PARTS if everything else _OF_UNITS
    if one.values == other.values:
        return ()
    found = {
        key: (one.values.get(key, ""), other.values.get(key, ""))
        for key in one.values.keys() | other.values.keys()
        if key[0] in parts and one.values.get(key) != other.values.get(key)
    }
    shown = [key for key in found if not _follows(key, found)]
    shown.sort(key=lambda key: (PARTS.index(key[0]), key[1]))
    return tuple(Divergence(*key, found[key]) for key in shown)


def _follows(key: tuple[str, str], found: Iterable[tuple[str, str]]) -> bool:
    """Whether a difference only repeats another one."""
    part, about = key
    if part == "retreats":
        return ("dislodged", about) in found
    return part in ("supports", "convoys") and ("legality", about) in found


def leading(found: Iterable[Divergence]) -> frozenset[Divergence]:
    """The differences of the most important kind."""
    listed = tuple(found)
    return frozenset(one for one in listed if one.part == listed[0].part)
