"""The outcome of a movement phase that an algorithm other than the solver has decided."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import cached_property, partial
from typing import Any

from dipsat.base import grouped, with_article
from dipsat.equations import Key, Phase, all_decisions
from dipsat.errors import EngineError, NotMadeForError, shortened
from dipsat.game import ProvinceFacts, Ruling, RulingStatus, UnitFacts
from dipsat.outcomes.engine import (
    Engine,
    EngineReason,
    EquationVerdicts,
    OrderSet,
    ReasonedVerdicts,
    Verdicts,
    traceable,
)
from dipsat.outcomes.impossible_board import impossible_board
from dipsat.outcomes.movement import MovementOutcome
from dipsat.outcomes.outcome import Outcome, Reason, Subgraph
from dipsat.outcomes.resolved_phase import GivenPhase, units_of
from dipsat.outcomes.sentences import Settled
from dipsat.outcomes.trace import Trace
from dipsat.rules import DECISIONS_NEEDED, Profile
from dipsat.solving import Solution, propagate


class EngineOutcome(MovementOutcome):
    """An algorithm's answer to a movement phase. Made by `dipsat.adjudicate` with `engine`.

    Nothing is proven, and there are no subgraphs. If an algorithm does not read the equations of
    the profile, only its verdicts are known, with the reasons, marks and retreats that it gives
    itself. If it lists no retreats, the profile's equations compute them from the verdicts.
    """

    def __init__(
        self,
        given: GivenPhase,
        engine: str,
        verdicts: Verdicts,
        trace: Trace | None = None,
    ) -> None:
        solution = _solution(given.profile, given.facts, verdicts, engine)
        super().__init__(given.with_solution(solution))
        self.engine = engine
        """The name of the engine."""
        self.verdicts = verdicts
        """The algorithm's verdicts as it gives them."""
        self.trace = trace
        """How it decided, step by step; None unless asked for."""

    def _value(self) -> tuple[object, ...]:
        return *super()._value(), self.engine, self.verdicts, self.trace

    @property
    def is_proven(self) -> bool:
        """False: an algorithm finds a resolution, but does not say whether it is the only one."""
        return False

    @property
    def reads_equations(self) -> bool:
        """Whether the algorithm reads the equations of the profile; if not, it has its own
        rules."""
        return isinstance(self.verdicts, EquationVerdicts)

    @cached_property
    def subgraphs(self) -> tuple[Subgraph, ...]:
        """Empty: nothing is proven."""
        return ()

    @cached_property
    def evidence(self) -> None:
        """None: nothing is proven."""

    @cached_property
    def decisions(self) -> Mapping[str, int | None]:
        """Name of a decision -> its value, for the decisions that the algorithm decides."""
        grounder = self.resolved.grounder
        families = list(self.profile.decisions)
        if not self.reads_equations:
            families = [family for family in families if family in DECISIONS_NEEDED]
        return {
            grounder.name((family, index)): value
            for family in families
            for index, value in enumerate(self.resolved.values(family))
        }

    @cached_property
    def contested(self) -> tuple[str, ...]:
        """The provinces left vacant by a standoff, to which no unit may retreat."""
        return tuple(sorted(self.verdicts.contested))

    @property
    def transformed(self) -> OrderSet | None:
        """The order set into which the algorithm turns the orders, with only orders that can be
        carried out; None if the algorithm makes none. Jacobi's algorithm makes one ("Ein
        Algorithmus zur Auswertung von Diplomacy", I)."""
        found: OrderSet | None = getattr(self.verdicts, "transformed", None)
        return found

    @property
    def several_cycles(self) -> tuple[str, ...] | None:
        """The orders that are part of several decision cycles, if the algorithm is not made for
        such orders and may go wrong (Kruijswijk, The Math of Adjudication); None if it is made for
        them."""
        found = self.verdicts
        return found.several_cycles if isinstance(found, EquationVerdicts) else None

    @property
    def remarks(self) -> tuple[str, ...]:
        """Which algorithm decided, and whether the verdicts may be wrong."""
        own = f" by rules of its own, not by the equations of {self.rules}"
        by = "" if self.reads_equations else own
        found = [f"Decided by {self.engine}{by}; nothing is proven."]
        if self.several_cycles:
            orders = ", ".join(self.several_cycles)
            found.append(
                f"Warning: the verdicts may be wrong. {self.engine} is not made for orders that "
                f"are part of several decision cycles, as these are: {orders}."
            )
        return tuple(found)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `dipsat adjudicate --json` prints them."""
        found = {**super().to_dict(), "engine": self.engine}
        if self.several_cycles is not None:
            found["several_cycles"] = list(self.several_cycles)
        if self.trace is not None:
            found["trace"] = self.trace.to_dict()
        if sets_marks(self):
            for entry, order in zip(found["orders"], self.orders, strict=True):
                entry["marks"] = list(order.marks)
        return found

    def _marks(self, facts: UnitFacts | None, ruling: Ruling | None) -> tuple[str, ...]:
        verdicts = self.verdicts
        if not isinstance(verdicts, ReasonedVerdicts) or verdicts.marks is None:
            return ()
        is_illegal = ruling is not None and ruling.status is RulingStatus.ILLEGAL
        own = verdicts.marks[facts.index] if facts is not None else ""
        mark = ruling.mark if ruling is not None and is_illegal else own
        is_lost = facts is not None and verdicts.dislodged[facts.index]
        return tuple(filter(None, (mark, "dislodged" * is_lost)))

    def _may_retreat(self, unit: UnitFacts, place: ProvinceFacts) -> bool:
        listed = self.verdicts.retreats if isinstance(self.verdicts, ReasonedVerdicts) else None
        if listed is not None:
            return place.code in listed[unit.index]
        return place.code not in self.verdicts.contested and super()._may_retreat(unit, place)

    def _decision_reason(self, key: Key) -> Reason:
        if isinstance(self.verdicts, EquationVerdicts):
            return super()._decision_reason(key)
        if not isinstance(self.verdicts, ReasonedVerdicts):
            return Reason("engine", f"the engine {self.engine!r} decides this, and gives no reason")
        (unit,) = units_of(self.resolved.grounder, [key])
        found = self.verdicts.reasons[unit.index]
        because = tuple(str(self.facts.units[index]) for index in found.because)
        return Reason("engine", found.text, because)

    @cached_property
    def _settled(self) -> Mapping[Key, Settled]:
        """Decision -> how a backup rule settled it."""
        if not isinstance(self.verdicts, EquationVerdicts):
            return {}
        found: dict[Key, Settled] = {}
        for rule in self.verdicts.backup:
            text = f"the rule '{rule.name}' settles a decision cycle"
            units = tuple(units_of(self.resolved.grounder, rule.cycle))
            settled = Settled(rule.name, text, units)
            found.update(dict.fromkeys(rule.pins, settled))
        return found

    def _refuse_impossible_board(self) -> None:
        """Raise `EngineError` if only the engine leads to an impossible board, else the error about
        the rules. The error lists all orders; fewer are not looked for."""
        submitted = (ruling.submission for ruling in self.rulings)
        fault = impossible_board(self.resolved, grouped((one.power, one.text) for one in submitted))
        if not self.resolved.resolved().is_impossible:
            raise EngineError(self.engine, f"in its answer {fault.problem}")
        raise fault


def sets_marks(outcome: Outcome) -> bool:
    """Whether an outcome is that of an algorithm that marks orders (`OrderOutcome.marks`)."""
    if not isinstance(outcome, EngineOutcome) or not isinstance(outcome.verdicts, ReasonedVerdicts):
        return False
    return outcome.verdicts.marks is not None


def _solution(profile: Profile, phase: Phase, verdicts: Verdicts, engine: str) -> Solution:
    """The values of all decisions in the solver's form: those that the engine decided, and those
    that the equations compute from them. Raises `NotMadeForError` if any stay open."""
    bounds = propagate(profile, phase, _decided(verdicts))
    if bounds.open:
        families = ", ".join(sorted({family for family, _ in bounds.open}))
        raise NotMadeForError(engine, f"under {profile.name!r} its verdicts leave open: {families}")
    return Solution(bounds, (), {})


def _decided(verdicts: Verdicts) -> Mapping[Key, int]:
    """Decision -> the value that an engine gave it."""
    if isinstance(verdicts, EquationVerdicts):
        return verdicts.decisions
    rows = verdicts.moves, verdicts.supports, verdicts.convoys, verdicts.dislodged
    return {
        (family, index): value
        for family, row in zip(DECISIONS_NEEDED, rows, strict=True)
        for index, value in enumerate(row)
    }


# An answer that is not a proper `Verdicts` is refused. Anybody can pass their own engine to
# `dipsat.adjudicate`, so nothing is taken for granted.


def answer_of(
    judge: Engine, phase: Phase, profile: Profile, trace: bool
) -> tuple[Verdicts, Trace | None]:
    """The verdicts of an engine on a phase, with the trace if it is wanted.

    Raises `EngineError` for an answer of the wrong form, and whatever the engine raises.
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
    """Yield what is wrong with verdicts, one fault at a time."""
    rows: dict[str, tuple[Sequence[object], str, Callable[[Any], bool]]] = {
        "moves": (phase.moves, "True or False", _is_truth),
        "supports": (phase.supports, "True or False", _is_truth),
        "convoys": (phase.convoys, "True or False", _is_truth),
        "dislodged": (phase.units, "True or False", _is_truth),
    }
    if isinstance(found, ReasonedVerdicts):
        rows["reasons"] = phase.units, "an EngineReason", partial(_is_reason, phase)
        if found.marks is not None:
            rows["marks"] = phase.units, "a text", _is_text
        if found.retreats is not None:
            rows["retreats"] = phase.units, "a tuple of provinces", _are_texts
    for name, (objects, wanted, fits) in rows.items():
        row: object = getattr(found, name)
        if not isinstance(row, tuple | list) or len(row) != len(objects):
            shown = f"has {len(row)}" if isinstance(row, tuple | list) else f"is {_shown(row)}"
            about = "units" if objects is phase.units else name
            yield f"{name} should have an entry for each of the {len(objects)} {about}, but {shown}"
            continue
        for at, value in enumerate(row):
            if not fits(value):
                yield f"{name}[{at}], about {objects[at]}, should be {wanted}, not {_shown(value)}"
    if not isinstance(found.contested, Set):
        yield f"contested should be a set of provinces, not {_shown(found.contested)}"
        return
    for code in found.contested:
        if code not in phase.map.provinces:
            yield f"contested: there is no province {_shown(code)} on the map"
    if isinstance(found, EquationVerdicts):
        yield from _faulty_decisions(found.decisions, phase, profile)


def _faulty_decisions(decisions: object, phase: Phase, profile: Profile) -> Iterator[str]:
    if not isinstance(decisions, Mapping):
        yield f"decisions should be a mapping, not {_shown(decisions)}"
        return
    known = set(all_decisions(profile.decisions, phase))
    for key, value in decisions.items():
        if key not in known:
            yield f"decisions: there is no decision {_shown(key)}"
        elif not isinstance(value, int):
            yield f"decisions[{_shown(key)}] should be a whole number, not {_shown(value)}"


def _is_truth(value: object) -> bool:
    return isinstance(value, int) and value in (0, 1)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _are_texts(value: object) -> bool:
    return isinstance(value, tuple | list) and all(map(_is_text, value))


def _is_reason(phase: Phase, value: object) -> bool:
    units = range(len(phase.units))
    return isinstance(value, EngineReason) and all(index in units for index in value.because)


def _shown(value: object) -> str:
    if value is None:
        return "None"
    return f"{shortened(repr(value))} ({with_article(type(value).__name__)})"
