"""A quick look at a profile on a few tense boards, for faults that its text does not show: two
units in one province, units in two places, orders that nothing resolves, empty provinces that
defend themselves.

`dipsat rules stress` looks far longer and at far more; this takes a fraction of a second.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from dipsat.base import ExhaustedError, Limits, running, titled, unlimited
from dipsat.board import Map
from dipsat.errors import (
    DipsatError,
    ImpossibleBoardError,
    SharedProvinceError,
    UnitTwiceError,
    UnresolvedError,
)
from dipsat.outcomes import MovementOutcome
from dipsat.rules import PROVINCE, Profile, load_profile
from dipsat.solving import MAX_STEPS, PHASE, TOO_MANY
from dipsat.studies.judgements import movement
from dipsat.studies.random_boards import trial_board
from dipsat.studies.sheet import Sheet, kept_map, shrunk

BOARDS, UNITS = 24, 9
"""The boards that are judged, and the units of each: few, so that a witness is short, and in one
region, so that they fight."""

STEPS = 5_000_000
"""The steps for all boards, counted as `_Work` does: ten times what the most expensive shipped
rules take, or some three seconds. The same rules get the same remarks on every machine. The boards
that slow rules do not get to are left to `dipsat rules stress`."""

_LISTED = 4  # the most units listed with their orders in a remark


def glimpse(profile: Profile) -> tuple[str, ...]:
    """Remarks on what goes wrong on the boards, at most one of each kind. A profile that cannot be
    tried on random boards gets none."""
    found: list[str] = []
    # an error: no powers, or features that the map lacks; or no steps are left
    with suppress(DipsatError, ExhaustedError):
        board = kept_map(profile.map or "standard", profile.allowed)
        found.extend(_remarks(profile, board))
    return tuple(found)


class _Work:
    """The steps left for judging boards. A judgement takes those that it states, and one for each
    step of an equation. A board that cannot be judged takes as many as the costliest so far."""

    def __init__(self) -> None:
        self.left = STEPS
        self._each = PHASE

    def judged(self, profile: Profile, sheet: Sheet) -> MovementOutcome:
        """The outcome of a sheet. Raises `ExhaustedError` if the steps are not enough."""
        if self.left <= 0:
            raise ExhaustedError(TOO_MANY)
        self.left -= self._each
        with unlimited(), running(Limits(work=max(1, min(self.left, MAX_STEPS)))):
            outcome = movement(profile, sheet)
        if not outcome.is_decided:
            raise ExhaustedError(TOO_MANY)
        cost = outcome.solution.steps + outcome.solution.bounds.steps
        self.left -= max(0, cost - self._each)
        self._each = max(self._each, cost)
        return outcome


def _remarks(profile: Profile, board: Map) -> Iterator[str]:
    work = _Work()
    shown = set[str]()
    numbers = _of_provinces(profile)
    base = _base(profile)
    for seed in range(BOARDS):
        sheet = trial_board(profile, board, seed, UNITS, crowd=True)
        try:
            outcome = work.judged(profile, sheet)
            kind, said = _guarded(outcome, numbers, base, sheet, work)
            outcome.units_after  # noqa: B018  # it raises an error for an impossible board
        except ImpossibleBoardError as error:
            kind = "twice" if isinstance(error, UnitTwiceError) else "shared"
            said = _impossible(error)
        except UnresolvedError as error:
            kind, said = "unresolved", ""
            if kind not in shown:
                said = _unresolved(profile, sheet, type(error), work)
        if said and kind not in shown:
            shown.add(kind)
            yield f"{said}; `dipsat rules stress` tells more"


def _impossible(error: ImpossibleBoardError) -> str:
    told = _told(error.orders)
    if isinstance(error, SharedProvinceError):
        where = f"{' and '.join(error.units)} in {error.province}"
        return f"two units can end in one province: {where} after {told}"
    return (
        f"a unit can move away and be dislodged all the same: {error.units[0]} after {told}; "
        "a unit that has left should not be dislodged"
    )


def _unresolved(profile: Profile, sheet: Sheet, kind: type[UnresolvedError], work: _Work) -> str:
    least = sheet

    def shows(other: Sheet) -> bool:
        nonlocal least
        try:
            work.judged(profile, other)
        except UnresolvedError as error:
            if type(error) is kind:
                least = other
                return True
        return False

    with suppress(ExhaustedError):  # it is smaller than it was
        shrunk(sheet, shows)
    return f"no rule for decision cycles settles some orders: {_told(least.orders)}"


def _guarded(
    outcome: MovementOutcome,
    numbers: list[str],
    base: Profile | None,
    sheet: Sheet,
    work: _Work,
) -> tuple[str, str]:
    """The kind of the remark, and what it says about an empty province with a strength of its own
    that the files below do not give it; ("", "") for none."""
    if base is None:
        return "", ""
    strengths = {
        (name, place.code): outcome.solution.bounds.value((name, place.index))
        for name in numbers
        for place in outcome.facts.provinces
        if not place.units
    }
    found = {key: value for key, value in strengths.items() if value}
    if not found:
        return "", ""
    try:
        below = work.judged(base, sheet)
    except DipsatError:  # units or orders that the files below do not know
        return "", ""
    plain = {
        (name, place.code): below.solution.bounds.value((name, place.index))
        for name in numbers
        if name in base.decisions
        for place in below.facts.provinces
    }
    for (name, code), value in sorted(found.items()):
        if plain.get((name, code)) == 0:
            said = f"{name} is {value} in the empty province {code}, but 0 under {base.name}, so "
            said += "an empty province keeps units out; to strengthen only units, write it as "
            return name, f"{said}in `base + 1 if some(p.units) else base`"
    return "", ""


def _of_provinces(profile: Profile) -> list[str]:
    """The decisions that are a number for each province."""
    return [
        name
        for name, decision in profile.decisions.items()
        if not decision.type.is_truth and [one.type for one in decision.indices] == [PROVINCE]
    ]


def _base(profile: Profile) -> Profile | None:
    """The last shipped file that the profile builds on; None if it is shipped itself."""
    shipped = [layer.source[0] for layer in profile.layers if layer.is_shipped]
    if not shipped or len(shipped) == len(profile.layers):
        return None
    try:
        return load_profile(Path(shipped[-1]))
    except DipsatError:
        return None


def _told(orders: Mapping[str, object]) -> str:
    """The first orders by power, in one line."""
    told = [
        f"{titled(power)}: {text}"
        for power, texts in orders.items()
        for text in (texts if isinstance(texts, list | tuple) else ())
    ]
    more = f" and {len(told) - _LISTED} more" if len(told) > _LISTED else ""
    return ", ".join(told[:_LISTED]) + more
