"""The procedures that the steps of the DPjudge use (Hand, the DPjudge's
adjudication algorithm, after step 10), and the list of retreats in that step."""

from __future__ import annotations

from collections.abc import Sequence

from dipsat.engines.dpjudge_records import Mark, Records
from dipsat.equations.chains import convoy_path_exists
from dipsat.game.facts import ConvoyFacts, MoveFacts, SupportFacts, UnitFacts
from dipsat.orders.order import Move


def cut_support(records: Records, move: MoveFacts, is_dislodging: bool = False) -> None:
    """Procedure cutSupport for a moving unit.

    It does not cut a support "for or against" an attack space: its own space, or for a convoyed
    army those of its fleets "and only those". When dislodging (step 9), it cuts that too.
    """
    spaces = [c.province for c in move.convoys] if move.convoyed else [move.origin]
    for unit in move.target.units:
        support = unit.candidate
        if (
            not isinstance(support, SupportFacts)
            or records.marks.get(unit.index) in (Mark.CUT, Mark.VOID)
            or unit.power == move.power
            or (support.target in spaces and not is_dislodging)
        ):
            continue
        verb = "dislodges" if is_dislodging else "attacks"
        records.mark(unit.index, Mark.CUT, f"{move} {verb} it", move.unit)
        records.count[support.supported.index] -= 1
        records.no_help[support.supported.index].discard(unit.index)


def makes_path(move: MoveFacts, convoys: Sequence[ConvoyFacts]) -> bool:
    """Whether some convoys of an army make its convoy path: all fleets of the path that its order
    names; if it names none, any chain of fleets."""
    named = move.unit.order.path if isinstance(move.unit.order, Move) else ()
    if named:
        return {convoy.province.code for convoy in convoys}.issuperset(named)
    return convoy_path_exists(move, convoys)


def check_disruptions(
    records: Records, move: MoveFacts, in_danger: set[int], is_safe: bool
) -> None:
    """Procedure checkDisruptions for a convoying army: mark it "convoy endangered", or do nothing.

    `in_danger` is kept up to date: it has the convoys whose fleet is in danger. `is_safe` says
    whether RULE SAFE_CONVOYS is in use.
    """
    carriers, lost = [], []
    for convoy in move.convoys:
        if find_danger(records, convoy, is_safe):
            in_danger.add(convoy.index)
            lost.append(convoy.unit)
        else:
            in_danger.discard(convoy.index)
            carriers.append(convoy)
    if not makes_path(move, carriers):
        fleets = ", ".join(map(str, lost))
        why = f"{fleets} in danger" if lost else "no fleets make a path"
        records.mark(move.unit.index, Mark.ENDANGERED, why, *lost)


def find_danger(records: Records, convoy: ConvoyFacts, is_safe: bool) -> bool:
    """Note and return whether the combat list of a fleet's space endangers the convoy."""
    culprits = _endangering(records, convoy, is_safe)
    if culprits:
        names = ", ".join(_order(unit) for unit in culprits)
        how = "has" if len(culprits) == 1 else "have"
        text = f"finds the fleet in danger: {names} {how} the greatest support count"
        records.note_only(convoy.unit.index, text, *culprits)
    else:
        records.note_only(convoy.unit.index, "finds the fleet in no danger")
    return bool(culprits)


def _endangering(records: Records, convoy: ConvoyFacts, is_safe: bool) -> list[UnitFacts]:
    """The units with the greatest support count in the combat list of a fleet's space, if they
    endanger the convoy."""
    code, units = convoy.province.code, records.phase.units
    strongest = records.strongest(code)
    if strongest is not None:
        return [units[strongest]] if units[strongest].power != convoy.power else []
    most = records.strength(code, records.by_strength(code)[0])
    tied = [units[unit] for unit in records.combat[code] if records.strength(code, unit) == most]
    is_endangered = (
        is_safe and convoy.unit not in tied and any(unit.power != convoy.power for unit in tied)
    )
    return tied if is_endangered else []


def bounce(records: Records, move: MoveFacts, why: str, *because: UnitFacts) -> None:
    """Procedure bounce for a moving unit, which also stays in the combat list of its target."""
    records.mark(move.unit.index, Mark.BOUNCE, why, *because)
    records.combat[move.origin.code][move.unit.index] = False


def unbounce(records: Records, code: str) -> None:
    """Procedure unbounce for a space, and for those that become vacant in turn."""
    while True:
        unit = records.strongest(code)
        if unit is None or records.marks.get(unit) is not Mark.BOUNCE:
            return
        records.unmark(unit, f"{code} becomes free")
        if unit in records.dislodged:
            records.dislodged.discard(unit)
            return
        code = records.phase.units[unit].province.code
        records.combat[code].pop(unit, None)


def possible_retreats(records: Records, unit: UnitFacts, attack: MoveFacts) -> tuple[str, ...]:
    """The "possible retreats" of step 10 for a unit that an attack dislodges: all spaces to which
    it could move without a convoy, except those with "a non-empty combat list" and the one from
    which the attacker came, "unless the attacker was convoyed"."""
    reached = records.phase.map.reach_provinces(unit.unit.kind, unit.unit.location)
    barred = set() if attack.convoyed else {attack.origin.code}
    return tuple(code for code in sorted(reached - barred) if not records.combat.get(code))


def _order(unit: UnitFacts) -> str:
    return str(unit.moves[0]) if unit.moves else str(unit)
