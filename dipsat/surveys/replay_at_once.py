"""The phases of a recorded game, adjudicated at once by compiled equations.

Most phases of most records agree with dipsat, and for these nothing but the agreement is needed, so
what is recorded is compared with what is found as codes. What differs, and whatever needs care, is
judged again phase by phase.
"""

from __future__ import annotations

from collections.abc import Sequence

from dipsat.board.map import Map
from dipsat.errors import DipsatError
from dipsat.formats.records import (
    RecordedGame,
    RecordedPhase,
    RecordedState,
)
from dipsat.game.phase_name import PhaseKind
from dipsat.kernel.kept_batch import kept_batch
from dipsat.kernel.phase_coder import CodedPhase, CodedPosition, PhaseCoder
from dipsat.profiles.profile import Profile
from dipsat.values import kept_on_first


def agreeing_at_once(game: RecordedGame, profile: Profile) -> frozenset[int]:
    """The identities of the recorded phases that surely are what dipsat decides; of a phase of
    retreats, from the moves as dipsat has decided them in the phase before. None if the equations
    cannot be compiled, or if there is an error, which is found again where it is read with care."""
    try:
        coder = _coder(profile, game.board)
        return _agreeing(game.phases, coder) if coder.is_ready else frozenset()
    except (DipsatError, ValueError):
        return frozenset()


def _agreeing(phases: Sequence[RecordedPhase], coder: PhaseCoder) -> frozenset[int]:
    """The identities of the phases that surely agree. Raises `CodeError`."""
    given = [(at, _coded(record, coder)) for at, record in enumerate(phases)]
    first = [(at, coded) for at, coded in given if coded is not None]
    after: dict[int, CodedPosition] = {}
    _judge(phases, first, coder, after)
    retreats = [
        (at, coded)
        for at, record in enumerate(phases)
        if record.before.dislodged
        and (moved := after.get(at - 1)) is not None
        and (coded := _retreats(record, moved, coder)) is not None
    ]
    _judge(phases, retreats, coder, after)
    return frozenset(id(phases[at]) for at in after)


def _judge(
    phases: Sequence[RecordedPhase],
    coded: Sequence[tuple[int, CodedPhase]],
    coder: PhaseCoder,
    into: dict[int, CodedPosition],
) -> None:
    """Add the positions after those phases that agree with the record."""
    results = coder.adjudicated([phase for _, phase in coded])
    for (at, phase), found in zip(coded, results, strict=True):
        after = phases[at].after
        if found is not None and after is not None and _agrees(phase, found, after, coder):
            into[at] = found


def _coded(record: RecordedPhase, coder: PhaseCoder) -> CodedPhase | None:
    """The code of a phase without dislodged units, None for one that has none."""
    before, phase = record.before, record.before.phase
    if phase is None or before.dislodged or record.after is None:
        return None
    if record.fault or record.is_incomplete or before.unknown:
        return None
    needs_owners = coder.asks_for_owners or phase.kind is PhaseKind.ADJUSTMENT
    if needs_owners and not before.states_owners:
        return None
    orders = None
    if phase.kind is PhaseKind.MOVEMENT:
        orders = coder.moves(before.units, record.orders)
    elif phase.kind is PhaseKind.ADJUSTMENT:
        orders = coder.texts.adjustments(before.units, record.orders)
    if orders is None:
        return None
    return CodedPhase(coder.position(phase, before.units, before.centers), orders)


def _retreats(record: RecordedPhase, moved: CodedPosition, coder: PhaseCoder) -> CodedPhase | None:
    """The code of a retreat phase that follows these moves; None if it has none."""
    before, phase = record.before, record.before.phase
    if phase is None or record.fault or record.is_incomplete:
        return None
    if coder.phase(phase) != moved.phase:
        return _all_disbanded(record, coder)
    if coder.units(before.units) != moved.units:
        return None
    lost = before.dislodged
    if coder.units(lost) != moved.dislodged:  # it lists units that cannot retreat, too
        alive = coder.rows(moved.dislodged)
        lost = tuple(unit for unit in lost if coder.units((unit,)) in alive)
        if coder.units(lost) != moved.dislodged:
            return None
    orders = coder.texts.retreats(lost, record.orders)
    return None if orders is None else CodedPhase(moved, orders)


def _all_disbanded(record: RecordedPhase, coder: PhaseCoder) -> CodedPhase | None:
    """The code of a phase in which no unit retreats (some records have one although no unit can);
    None if an order says otherwise."""
    before = record.before
    assert before.phase is not None
    orders = coder.texts.retreats(before.dislodged, record.orders)
    if orders is None or not coder.only_disbands(orders):
        return None
    return CodedPhase(coder.position(before.phase, before.units, before.centers), b"")


def _agrees(
    phase: CodedPhase, found: CodedPosition, after: RecordedState, coder: PhaseCoder
) -> bool:
    """Whether the position after a phase is what the record states; in doubt not. `compare.agree`
    says what is no difference."""
    if coder.units(after.units) != found.units:
        return False
    if coder.units(after.dislodged) != found.dislodged:
        alive = set(coder.rows(found.dislodged))
        listed = set(coder.rows(coder.units(after.dislodged)))
        if not alive <= listed or not listed <= coder.dislodged(phase):
            return False
    if after.retreats and not _same_retreats(found, after, coder):
        return False
    stated = after.phase
    if stated is None:
        return True
    if coder.phase(stated) != found.phase:
        if stated.kind is PhaseKind.RETREAT and not found.dislodged:
            return True  # for units that cannot retreat
        idle = stated.kind is PhaseKind.ADJUSTMENT
        if not idle or coder.phase(stated.next_year()) != found.phase:
            return False
    if after.centers is None:
        return True
    return not after.unknown and coder.owners(after.centers) == found.owners


def _same_retreats(found: CodedPosition, after: RecordedState, coder: PhaseCoder) -> bool:
    """Whether the places to which units may retreat are those stated."""
    places = memoryview(found.retreats).cast("Q")
    bits = dict(zip(coder.rows(found.dislodged), places, strict=True))
    return all(
        set(after.retreats[str(unit)]) == set(coder.places(unit, bits.get(coder.units((unit,)), 0)))
        for unit in after.dislodged
        if str(unit) in after.retreats
    )


@kept_on_first(4)
def _coder(profile: Profile, board: Map) -> PhaseCoder:
    return PhaseCoder(kept_batch(profile, board))
