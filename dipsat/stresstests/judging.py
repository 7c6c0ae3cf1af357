"""The results of a board under rules: the moves, the retreats that follow, and a winter with its
units and centres."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from dipsat.errors import (
    DipsatError,
    EngineError,
    ImpossibleBoardError,
    UndecidedError,
    UnresolvedError,
)
from dipsat.game.legal_orders import legal_orders
from dipsat.game.phase_name import PhaseKind, PhaseName
from dipsat.game.position import DislodgedUnit, Position
from dipsat.orders.writer import write_order
from dipsat.profiles.profile import Profile
from dipsat.proof.adjudicate import adjudicate
from dipsat.proof.movement import MovementOutcome
from dipsat.proof.outcome import Outcome
from dipsat.scenarios.sheet import Sheet
from dipsat.values import grouped

Words: TypeAlias = Mapping[str, str]

NO_ANSWER = (UnresolvedError, UndecidedError, ImpossibleBoardError, EngineError)
"""Having no answer is a result of the rules, not a fault of a board."""


def movement(profile: Profile, sheet: Sheet, presolve: bool = True) -> MovementOutcome:
    """The outcome of a sheet. Raises what `dipsat.adjudicate` raises."""
    return moved(profile, sheet.position(), sheet.orders, presolve)


def moved(
    profile: Profile, position: Position, orders: Mapping[str, list[str]], presolve: bool = True
) -> MovementOutcome:
    """The outcome of a movement phase. Raises what `dipsat.adjudicate` raises."""
    outcome = adjudicate(position, orders, profile, presolve=presolve)
    assert isinstance(outcome, MovementOutcome)
    return outcome


def moves_in_words(outcome: MovementOutcome) -> Words:
    """The results of units and orders in a movement phase. Raises `ImpossibleBoardError`."""
    found = {"units": ", ".join(map(str, outcome.units_after))}
    for order in outcome.orders:
        said = f"{order.power} {order.unit} {order.submitted}"
        found[said] = f"{order.verdict} {order.fate}".strip()
    for lost in outcome.dislodged:
        found[f"{lost.unit} may retreat"] = ", ".join(lost.retreats) or "nowhere"
    found["contested"] = ", ".join(outcome.contested)
    return found


def phase_in_words(profile: Profile, sheet: Sheet) -> tuple[Words, MovementOutcome | None]:
    """The results of a board in the movement phase, with the outcome. A phase without an answer
    says so, without an outcome.

    Raises what `dipsat.adjudicate` raises for a sheet that cannot be judged.
    """
    try:
        outcome = movement(profile, sheet)
        return moves_in_words(outcome), outcome
    except NO_ANSWER as error:
        return {"answer": type(error).__name__}, None


def everything_in_words(profile: Profile, sheet: Sheet) -> Words:
    """The results of a board in the movement phase, in the retreats after it, and in a winter with
    the units where they are. A phase without an answer says so.

    Raises what `dipsat.adjudicate` raises for a sheet that cannot be judged.
    """
    moves, outcome = phase_in_words(profile, sheet)
    if outcome is None:
        return moves
    found, after = dict(moves), outcome.next
    if after.phase.kind is PhaseKind.RETREAT:
        found |= _in_words("retreats", _retreats(profile, after))
    found |= {f"owned by {power}": ", ".join(owned) for power, owned in after.centers.items()}
    found |= _winter(profile, sheet.position())
    return found


def _in_words(what: str, outcome: Outcome) -> dict[str, str]:
    found = {
        f"{what}: {order.power} {order.order}": f"{order.verdict} {order.fate}"
        for order in outcome.orders
    }
    return {**found, f"{what}: units": ", ".join(map(str, outcome.units_after))}


def _retreats(profile: Profile, position: Position) -> Outcome:
    """Let every unit retreat to where most others may retreat, too."""
    wanted = Counter(place for lost in position.dislodged for place in lost.retreats)
    orders = grouped((lost.unit.power, _retreat(lost, wanted)) for lost in position.dislodged)
    return adjudicate(position, orders, profile)


def _retreat(lost: DislodgedUnit, wanted: Mapping[str, int]) -> str:
    if not lost.retreats:
        return f"{lost.unit} D"
    return f"{lost.unit} R {min(lost.retreats, key=lambda place: (-wanted[place], place))}"


def _winter(profile: Profile, position: Position) -> dict[str, str]:
    """What may be built, and what civil disorder disbands if each power gives its first legal
    order."""
    if not position.centers:
        return {}
    winter = PhaseName("W", position.phase.year, PhaseKind.ADJUSTMENT)
    position = replace(position, phase=winter).with_words(profile.words)
    found, orders = {}, dict[str, list[str]]()
    for subject, listed in legal_orders(position, profile.settings).items():
        texts = [write_order(one, position.map, adjustment=True) for one in listed]
        found[f"winter: {subject}"] = ", ".join(texts)
        power = position.owner(subject)
        if power and texts:
            orders.setdefault(power, []).append(texts[0])
    try:
        return found | _in_words("winter", adjudicate(position, orders, profile))
    except DipsatError as error:
        return {**found, "winter": type(error).__name__}
