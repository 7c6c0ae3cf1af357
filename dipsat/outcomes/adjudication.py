"""Adjudicate a phase, from the texts of orders to the outcome."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from dipsat.base import SOLVER, UNLIMITED, Limits, check_time, running, running_limits
from dipsat.errors import EngineOptionError, LimitError, NotMadeForError
from dipsat.game import PhaseKind, Position, PowerOrders, judge_orders, read_submissions
from dipsat.outcomes.adjustments import AdjustmentOutcome
from dipsat.outcomes.answers import AnsweredOutcome, compiled_answer
from dipsat.outcomes.engine import Engine, find_engine, order_settings, own_rulings, traceable
from dipsat.outcomes.engine_outcome import EngineOutcome, answer_of
from dipsat.outcomes.movement import MovementOutcome
from dipsat.outcomes.outcome import Outcome
from dipsat.outcomes.resolved_phase import GivenPhase
from dipsat.outcomes.retreats import RetreatOutcome
from dipsat.rules import DEFAULT_RULES, Profile, check_features, load_profile


def adjudicate(
    position: Position,
    orders: Mapping[str, PowerOrders],
    rules: str | Path | Profile = DEFAULT_RULES,
    *,
    presolve: bool = True,
    engine: str | Engine = SOLVER,
    trace: bool = False,
    lenient: bool = False,
    limits: Limits = UNLIMITED,
) -> Outcome:
    """Adjudicate a phase: movement, retreat or adjustment, as `position.phase` says.

    `orders` maps each power to its orders: texts in any notation that the reader knows, or order
    objects. A unit without an order holds, and a dislodged unit without one is disbanded. If a
    power orders too few disbands, the civil disorder rule disbands units. A power can hand in
    several sets of orders (DATC 3.0 4.D.1) as a list of lists, the earliest first. In it,
    `{"adds": [...]}` and `{"replaces": [...]}` say whether a set adds to the sets before it or
    replaces them. Write `{"undated": [[...], [...]]}` if it is not known which set came first.
    `rules` is the name of a shipped profile, the path of a profile, or a loaded profile.

    `engine` is the algorithm that decides a movement phase: the solver, or another of
    `dipsat.engines.ENGINES`, perhaps with options (`dpjudge(safe_convoys)`), whose outcome is an
    `EngineOutcome` that proves nothing. With `trace`, the outcome has a `trace` of the engine's
    decisions, step by step; only the engines in `dipsat.engines.TRACED` can write one. `presolve`
    and `limits` are for the solver. With `presolve=False` it does not propagate first, but hands Z3
    every decision that is not a constant (as in `prove`). The outcome is the same, and
    `Outcome.evidence` says what decided. What is not decided within `limits` is left `unknown`.
    Without `limits`, only what takes more steps than dipsat's bound (`Limits.work`) is `unknown`.

    An order that cannot be carried out is not an error: the outcome reports it as illegal or
    invalid, with the reason. With `lenient`, a text that cannot be read is no error either: its
    unit holds, and all other orders are judged as usual. Otherwise it raises `OrderSyntaxError`,
    `UnknownNameError` or `AmbiguousNameError`, unless the rules say how to treat it (DATC 4.E.2).

    Raises `UnknownNameError` for an unknown power or engine, `OrderFaultError` for sets of orders
    in another form, the errors of `load_profile` for the rules, `UnresolvedError` if the profile
    has no rule for a decision cycle, `FeatureError` if the map lacks a feature that the rules need,
    `PositionError` for a unit without an attribute that they require, `WorkLimitError` for rules
    that would take too many steps, and `LimitError` if `limits.seconds` are not enough to read the
    orders and the rules. Raises `EngineOptionError` for invalid options of the engine, or a trace
    that it cannot write. If the engine is not the solver, raises `NotMadeForError` if it is not
    made for the phase or the rules, `EngineError` if its answer is missing or incomplete, and
    `LimitError` for limits of time or work (call it through `run_limited`).
    """
    with running(limits):
        judge = _other_judge(engine, position)
        profile = rules if isinstance(rules, Profile) else load_profile(rules)
        check_features(profile, position.map)
        if position.words is not profile.words:
            position = position.with_words(profile.words)
        if trace:
            _check_traceable(engine, position)
        kind = position.phase.kind
        if judge is None and kind is PhaseKind.MOVEMENT and presolve:
            answer = compiled_answer(position, orders, profile)
            if answer is not None:
                return AnsweredOutcome(position, profile, answer, lenient)
        settings = profile.settings if judge is None else order_settings(judge, profile.settings)
        submissions = read_submissions(position, orders, settings, lenient)
        if kind is PhaseKind.RETREAT:
            return RetreatOutcome(position, profile, submissions)
        if kind is PhaseKind.ADJUSTMENT:
            return AdjustmentOutcome(position, profile, submissions)
        rulings = judge_orders(position, submissions, settings)
        if judge is None:
            given = GivenPhase.of(profile, position, rulings)
            return MovementOutcome(given.resolved(presolve=presolve))
        rulings = own_rulings(judge, position, rulings, settings)
        given = GivenPhase.of(profile, position, rulings, settings)
        if given.facts.declared or position.phase.extra_season:
            problem = f"it knows no orders of the kinds that {profile.name!r} declares"
            raise NotMadeForError(judge.name, problem)
        return EngineOutcome(given, judge.name, *answer_of(judge, given.facts, profile, trace))


def decided(
    position: Position,
    orders: Mapping[str, PowerOrders],
    rules: str | Path | Profile,
    lenient: bool = False,
) -> Outcome:
    """Return the solver's outcome, with everything decided. Raises `LimitError` if the limits are
    too low for that, and the errors of `adjudicate`."""
    found = adjudicate(position, orders, rules, lenient=lenient)
    if not found.is_decided:
        check_time()
        raise LimitError("work", running_limits().work)
    return found


def _other_judge(engine: str | Engine, position: Position) -> Engine | None:
    """Return the engine, or None if the solver is to judge the phase. Raises `LimitError` for
    limits that the engine would not keep."""
    if engine == SOLVER:
        return None
    judge = find_engine(engine) if isinstance(engine, str) else engine
    if judge.name == SOLVER or position.phase.kind in (PhaseKind.RETREAT, PhaseKind.ADJUSTMENT):
        return None
    limits = running_limits()
    for name, value in (("seconds", limits.seconds), ("work", limits.work)):
        if value is not None:
            raise LimitError(name, value, f"is for the solver; call {judge.name} with run_limited")
    return judge


def _check_traceable(engine: str | Engine, position: Position) -> None:
    """Raise `EngineOptionError` if the engine or the phase has no trace."""
    judge = find_engine(engine) if isinstance(engine, str) else engine
    traceable(judge)
    if position.phase.kind is not PhaseKind.MOVEMENT:
        problem = f"only movement phases have a trace; {position.phase} is not one"
        raise EngineOptionError(judge.name, problem, "trace")
