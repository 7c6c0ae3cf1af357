"""What counts as the result of a phase, and where results of records and of rules differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

from dipsat.base import grouped, titled
from dipsat.errors import (
    DipsatError,
    EndlessRuleError,
    EngineError,
    ImpossibleBoardError,
    NumberRangeError,
    UndecidedError,
    UnresolvedError,
    WorkLimitError,
)
from dipsat.formats import RecordedState
from dipsat.game import (
    DislodgedUnit,
    PhaseKind,
    PhaseName,
    Position,
    by_location,
    by_power,
    legal_orders,
)
from dipsat.orders import write_order
from dipsat.outcomes import (
    Key,
    MovementOutcome,
    OrderOutcome,
    OrderResult,
    Outcome,
    adjudicate,
    keyed_orders,
)
from dipsat.rules import Profile
from dipsat.studies.sheet import Sheet

# --- sums -----------------------------------------------------------------------------------------


def add_up(mine: Any, other: Any, *names: str) -> None:
    """Add the counts and lists of one object to those of another, by the names of attributes.
    Without names, add all fields of a dataclass."""
    for name in names or [one.name for one in fields(mine)]:
        added = getattr(mine, name)
        added += getattr(other, name)  # extends a list in place, however long
        setattr(mine, name, added)


# --- records --------------------------------------------------------------------------------------

# Some conventions of records are not differences: whether a record lists dislodged units that
# cannot retreat (and has a retreat phase only for them), and whether it has an adjustment phase in
# which there is nothing to adjust.


def agree(outcome: Outcome, after: RecordedState) -> bool:
    """Whether the outcome is the result that the record states."""
    if outcome.units_after != after.units and set(outcome.units_after) != set(after.units):
        return False  # without computing the rest of the outcome
    return not sides(outcome, after)


Sides: TypeAlias = dict[str, tuple[Any, Any]]
"""Parts of `Position.to_dict()` that differ, each as the record has it and as dipsat has it."""


def sides(outcome: Outcome, after: RecordedState) -> Sides:
    """What differs between the outcome and the record."""
    found: Sides = {}
    if outcome.units_after != after.units:
        own, recorded = frozenset(outcome.units_after), frozenset(after.units)
        theirs, ours = by_location(recorded - own), by_location(own - recorded)
        found["units"] = by_power(theirs), by_power(ours)
    following = outcome.next
    if outcome.position.phase.kind is PhaseKind.MOVEMENT:
        found |= _dislodged(outcome, after)
    phase = after.phase
    if phase is None:
        return found
    only_dead = phase.kind is PhaseKind.RETREAT and following.phase.kind is not PhaseKind.RETREAT
    if only_dead and "dislodged" not in found:
        return found  # the same units, in a phase in which nothing can be ordered
    idle = phase.kind is PhaseKind.ADJUSTMENT and following.phase == phase.next_year()
    unknown = following.unknown_centers  # then nobody knows whether there is an adjustment phase
    if unknown and following.phase.kind is PhaseKind.ADJUSTMENT:
        idle = idle or phase == following.phase.next_year()
    if phase == following.phase or idle:
        if after.centers is not None:
            found |= _centers(following, after.centers, {*unknown, *after.unknown})
    elif not found:
        found["phase"] = str(phase), str(following.phase)
    return found


def side_in_words(side: Mapping[str, Any]) -> str:
    """What differs on one side, in one line."""
    found = []
    for key, value in side.items():
        if isinstance(value, str):
            found.append(f"{key} {value}")
            continue
        for power, items in value.items():
            entries = (
                [f"{unit} to {', '.join(places) or 'nowhere'}" for unit, places in items.items()]
                if isinstance(items, dict)
                else items
            )
            label = "" if key == "units" else f"{key} "
            found.append(f"{label}{titled(power)}: {', '.join(entries) or 'none'}")
    return "; ".join(found) or "nothing"


def _dislodged(outcome: Outcome, after: RecordedState) -> Sides:
    """Compare dislodged units. Those that can retreat must be listed, others may be; recorded
    retreats must be the same."""
    if not outcome.dislodged and not after.dislodged:
        return {}
    retreats = {(lost.power, lost.unit): lost.retreats for lost in outcome.dislodged}
    listed = {(unit.power, str(unit)) for unit in after.dislodged}
    alive = {unit for unit, places in retreats.items() if places}
    extra, missing = listed - retreats.keys(), alive - listed
    found: Sides = {}
    if extra or missing:
        found["dislodged"] = grouped(sorted(extra)), grouped(sorted(missing))
    theirs: dict[str, dict[str, list[str]]] = {}
    ours: dict[str, dict[str, list[str]]] = {}
    for power, text in sorted(listed & retreats.keys()):
        stated, own = after.retreats.get(text), retreats[power, text]
        if stated is not None and set(stated) != set(own):
            theirs.setdefault(power, {})[text] = list(stated)
            ours.setdefault(power, {})[text] = list(own)
    if theirs:
        found["retreats"] = theirs, ours
    return found


def _centers(
    following: Position, stated: Mapping[str, tuple[str, ...]], unknown: Collection[str]
) -> Sides:
    """Compare the owners of centres, without those that one side does not know."""
    if not unknown and stated == following.centers:
        return {}
    theirs, ours = (
        {power: [code for code in own if code not in unknown] for power, own in owned.items()}
        for owned in (stated, following.centers)
    )
    powers = sorted(theirs.keys() | ours.keys())
    differing = [power for power in powers if theirs.get(power, []) != ours.get(power, [])]
    if not differing:
        return {}
    first, second = ({power: side.get(power, []) for power in differing} for side in (theirs, ours))
    return {"centers": (first, second)}


# --- two rule sets --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a phase: the verdict on each order and the fate of its unit, and what comes
    next, with the winner. How an order was read and why it fails do not count, nor does the
    difference between illegal and invalid orders."""

    orders: Mapping[Key, tuple[str, str]]
    next: tuple[object, ...]

    @staticmethod
    def of(outcome: Outcome) -> Result:
        """The result in an outcome."""
        orders = {key: words_of(order) for key, order in keyed_orders(outcome.orders)}
        after = outcome.next
        following = after.phase, after.units, after.dislodged, after.centers, outcome.winner
        return Result(orders, following)

    def orders_changed(self, other: Result) -> int:
        """How many orders have a different verdict, or a unit with a different fate."""
        mine, theirs = self.orders, other.orders
        return sum(mine.get(key) != theirs.get(key) for key in {**mine, **theirs})


def words_of(order: OrderOutcome | OrderResult) -> tuple[str, str]:
    """The parts of an order's result that count: its verdict, and the fate of its unit. The unit of
    an illegal order stands, like that of an invalid one, so both count as invalid."""
    return "invalid" if order.verdict == "illegal" else order.verdict, order.fate


def cycle_rules(outcome: Outcome) -> tuple[str, ...]:
    """The rules for decision cycles that were applied, in alphabetical order."""
    if not isinstance(outcome, MovementOutcome):
        return ()
    applied = (record.applied for record in outcome.solution.records)
    return tuple(sorted({rule for one in applied if one is not None for rule in one.rules}))


def reason_of(error: DipsatError) -> str:
    """Why a phase cannot be judged, in the same words for all phases with the same fault."""
    found = (words for kind, words in _REASONS.items() if isinstance(error, kind))
    return next(found, str(error))


_REASONS = {
    EndlessRuleError: "a rule for decision cycles settles too little",
    NumberRangeError: "numbers grow without bounds",
    UnresolvedError: "no rule settles a decision cycle",
    ImpossibleBoardError: "two units would stand in one province",
    WorkLimitError: "it would take too many steps",
}
"""Kind of errors about single orders -> the words for all of them; special kinds come before more
general ones."""


def next_apart(one: Position, other: Position) -> tuple[dict[str, Any], dict[str, Any]]:
    """What only one of two next positions has, as parts of `Position.to_dict`: the phase and, by
    power, the units, the retreats of dislodged units, and the centres."""
    parts = one.to_dict(), other.to_dict()
    keys = ("phase", "units", "retreats", "centers")
    apart = [key for key in keys if parts[0][key] != parts[1][key]]
    mine, theirs = (
        {key: _only(own[key], others[key]) for key in apart} for own, others in (parts, parts[::-1])
    )
    return mine, theirs


def _only(own: Any, other: Any) -> Any:
    """The values of each power that are not among its other values."""
    if isinstance(own, str):
        return own
    found = {power: _apart(own[power], other.get(power, type(own[power])())) for power in own}
    return {power: values for power, values in found.items() if values}


def _apart(own: Any, other: Any) -> Any:
    if isinstance(own, dict):  # unit -> its retreats
        return {unit: places for unit, places in own.items() if other.get(unit) != places}
    return [value for value in own if value not in other]


# --- a whole year, for stress tests ---------------------------------------------------------------


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
    retreats = {
        f"{lost.unit} may retreat": ", ".join(lost.retreats) or "nowhere"
        for lost in outcome.dislodged
    }
    return {**_in_words("moves", outcome), **retreats, "contested": ", ".join(outcome.contested)}


def phase_in_words(profile: Profile, sheet: Sheet) -> Words:
    """The results of a board in the movement phase, as in `everything_in_words`."""
    return everything_in_words(profile, sheet, only_moves=True)


def everything_in_words(profile: Profile, sheet: Sheet, only_moves: bool = False) -> Words:
    """The results of a board in the movement phase, in the retreats after it, and in a winter with
    the units where they are. A phase without an answer says so.

    Raises what `dipsat.adjudicate` raises for a sheet that cannot be judged.
    """
    try:
        outcome = movement(profile, sheet)
        found = dict(moves_in_words(outcome))
    except NO_ANSWER as error:
        return {"answer": type(error).__name__}
    if only_moves:
        return found
    after = outcome.next
    if after.phase.kind is PhaseKind.RETREAT:
        found |= _in_words("retreats", _retreats(profile, after))
    found |= {f"owned by {power}": ", ".join(owned) for power, owned in after.centers.items()}
    found |= _winter(profile, sheet.position())
    return found


def _in_words(what: str, outcome: Outcome) -> dict[str, str]:
    found = {f"{what}: units": ", ".join(map(str, outcome.units_after))}
    for order in outcome.orders:
        said = f"{what}: {order.power} {order.unit} {order.submitted or order.order}"
        found[said] = f"{order.verdict} {order.fate}"
    return found


def _retreats(profile: Profile, position: Position) -> Outcome:
    """Let every unit retreat to where most others may retreat too."""
    wanted = Counter(place for lost in position.dislodged for place in lost.retreats)
    orders = grouped((lost.unit.power, _retreat(lost, wanted)) for lost in position.dislodged)
    return adjudicate(position, orders, profile)


def _retreat(lost: DislodgedUnit, wanted: Mapping[str, int]) -> str:
    if not lost.retreats:
        return f"{lost.unit} D"
    return f"{lost.unit} R {min(lost.retreats, key=lambda place: (-wanted[place], place))}"


def _winter(profile: Profile, position: Position) -> dict[str, str]:
    """The possible builds, and the disbands by civil disorder if each power gives its first legal
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
