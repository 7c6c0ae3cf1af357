"""Adjudicating a phase, from texts to the outcome."""

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

    `orders` maps each power to its orders, as texts in any notation that the reader knows or as
    typed orders. Without an order a unit holds and a dislodged unit is disbanded; the civil
    disorder rule disbands units that must be removed. A power can hand in several sets of orders
    (DATC 3.0 4.D.1): a list of lists, the earliest first, in which `{"adds": [...]}` and
    `{"replaces": [...]}` say whether a set adds to the sets before it or replaces them; or
    `{"undated": [[...], [...]]}`. `rules` is the name of a shipped profile, the path of a profile,
    or a loaded profile.

    `engine` is the algorithm that decides a movement phase: the solver, or another of
    `dipsat.engines.ENGINES`, perhaps with options (`dpjudge(safe_convoys)`), whose outcome is an
    `EngineOutcome` that proves nothing. With `trace`, the outcome has a `trace` of the engine's
    decisions, step by step; the engines of `dipsat.engines.TRACED` can write one. The other
    arguments are meant for the solver. With `presolve=False` it does not propagate first, but hands
    to Z3 every decision that is not a constant (as in `prove`); the outcome is the same, and
    `Outcome.evidence` says what has decided. What is not decided within `limits` is left
    `unknown`; without them, only what takes more steps of Z3 than `Limits.work` says is.

    An order that cannot be carried out is not an error: the outcome reports it as illegal or
    invalid, with the reason. If the call is `lenient`, a text that cannot be read is not an error
    either: its unit holds, and all other orders are judged as usual. Otherwise it raises
    `OrderSyntaxError`, `UnknownNameError` or `AmbiguousNameError`, unless the rules say how to
    treat such orders (DATC 4.E.2). Raises `UnknownNameError` for the name of a power,
    `OrderFaultError` for sets of orders in another form, the errors of `load_profile` for the
    rules, `UnresolvedError` if the profile has no rule for a decision cycle, `FeatureError` if the
    map lacks a feature that the rules need, `PositionError` for a unit without an attribute that
    they require, `WorkLimitError` for rules that would take too many steps, `UnknownNameError` for
    the name of an engine, `EngineOptionError` for its options or for a trace that it cannot write,
    `NotMadeForError` if an engine other than the solver is not made for the phase or the rules,
    `EngineError` if it gives no answer, or one without a verdict for every order, and `LimitError`
    for an engine other than the solver with limits of time or work (call it by `run_limited`), or
    if `limits.seconds` are not enough to read the orders and the rules.
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
    """The outcome by the solver, with everything decided. Raises `LimitError` if the limits are not
    enough, and the errors of `adjudicate`."""
    found = adjudicate(position, orders, rules, lenient=lenient)
    if not found.is_decided:
        check_time()
        raise LimitError("work", running_limits().work, "was not enough")
    return found


def _other_judge(engine: str | Engine, position: Position) -> Engine | None:
    """The engine if it is not the solver; None if only the solver judges such a phase. Raises
    `LimitError` for limits that it would not keep."""
    if engine == SOLVER:
        return None
    judge = find_engine(engine) if isinstance(engine, str) else engine
    if judge.name == SOLVER or position.phase.kind in (PhaseKind.RETREAT, PhaseKind.ADJUSTMENT):
        return None
    limits = running_limits()
    for name, value in (("seconds", limits.seconds), ("work", limits.work)):
        if value is not None:
            raise LimitError(name, value, f"is for the solver; call {judge.name} by run_limited")
    return judge


def _check_traceable(engine: str | Engine, position: Position) -> None:
    """Raise `EngineOptionError` where there is nothing to trace."""
    judge = find_engine(engine) if isinstance(engine, str) else engine
    traceable(judge)
    if position.phase.kind is not PhaseKind.MOVEMENT:
        problem = f"only movement phases have a trace; {position.phase} is not one"
        raise EngineOptionError(judge.name, problem, "trace")
