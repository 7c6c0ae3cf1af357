"""The stages of DIP_EVAL: from an order set to one whose orders can all be carried out.

Source: Jacobi, "Ein Algorithmus zur Auswertung von Diplomacy", chapters III and IV. "K1" to "K4"
are its stages. What replaces its lost lists is marked RECONSTRUCTED (`dipsat.engines.dip_eval`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from dipsat.engines.dip_eval_conflicts import Conflicts, State
from dipsat.proof.engine import Convoy, Hold, Move, Order, OrderedUnit, OrderSet, Support, has_route

Cuts = Callable[[Support, Move], bool]


def evaluate(orders: OrderSet) -> Conflicts:
    """Decide every order of a set whose orders match.

    A move that already `fails` was decided by an earlier stage: its unit stays, and the move
    counts.
    """
    conflicts = Conflicts(orders)
    for stage in (_k1, _k2, _k3, _k4):
        conflicts.stage = stage.__name__.upper().removeprefix("_")
        stage(conflicts)
    return conflicts


def transformed(conflicts: Conflicts) -> OrderSet:
    """The resulting order set, "dessen sämtliche Befehle ausgeführt werden können" (I).

    A futile move becomes a failed one. Orders that cannot be carried out at all become
    holds: a move or a support without effect, the convoy of a dislodged fleet, the convoy of an
    army that does not move by convoy, and a support or convoy for a move that itself becomes a
    hold.
    """
    kept = (_kept(conflicts, order) for order in conflicts.at.values())
    return OrderSet.of(kept, conflicts.borders)


def _kept(conflicts: Conflicts, order: Order) -> Order:
    place = order.unit.province
    if isinstance(order, Move):
        is_in_vain = conflicts.state[place] is State.IN_VAIN
        is_kept = conflicts.state[place] is not State.WITHOUT_EFFECT
        order = replace(order, fails=True) if is_in_vain and not order.fails else order
    elif isinstance(order, Support):
        is_kept = conflicts.effective[place] and _has_object(conflicts, order)
    elif isinstance(order, Convoy):
        is_kept = not conflicts.is_dislodged(place) and _has_object(conflicts, order)
    else:
        return order
    return order if is_kept else Hold(order.unit)


def _has_object(conflicts: Conflicts, order: Support | Convoy) -> bool:
    """Whether the order that a unit supports or convoys is still there."""
    move = conflicts.at[order.origin]
    if not isinstance(move, Move):
        return True
    is_carried = move.by_convoy or isinstance(order, Support)
    return is_carried and conflicts.state_of(move) is not State.WITHOUT_EFFECT


# III. Which supports are effective.


def _attacks_on(conflicts: Conflicts, support: Support) -> list[Move]:
    """The move orders that may cut a support: effective ones of another nation.

    RECONSTRUCTED: a nation does not cut its own supports.
    """
    attackers = conflicts.attackers(support.unit.province)
    return [move for move in attackers if move.unit.power != support.unit.power]


def _support_all(conflicts: Conflicts, supports: Iterable[Support], cuts: Cuts) -> None:
    """Decide that supports are effective unless an attack on the supporter cuts them."""
    for support in supports:
        cutting = [move for move in _attacks_on(conflicts, support) if cuts(support, move)]
        conflicts.effective[support.unit.province] = not cutting
        if cutting:
            is_beaten = conflicts.state_of(cutting[0]) is State.SUCCEEDS
            text = f"without effect, {cutting[0]} {'dislodges' if is_beaten else 'attacks'} it"
            conflicts.note(support.unit, text, cutting[0].unit)
        else:
            conflicts.note(support.unit, "effective")


def _from_aim(support: Support, move: Move) -> bool:
    """Whether a support is into the field that an attack on the supporter comes from."""
    return move.unit.province == support.target


# IV. The order of evaluation.


def _k1(conflicts: Conflicts) -> None:
    """K1: conflicts about fields in which convoying fleets stand, "nicht vom Ausgang anderer
    Konflikte abhängig".

    By III.1.a the supports in them do not depend on convoys: an attack by convoy does not cut them.
    RECONSTRUCTED: every other attack does. A support into the field from which the supporter is
    attacked (III.1.b) cannot occur here, since a convoying fleet attacks nothing. RECONSTRUCTED: it
    is then known whether an army has a route left; if not, it has no effect on its target.
    """
    places = {convoy.unit.province for convoy in conflicts.convoys}
    concerned = [support for support in conflicts.all_supports if support.target in places]
    _support_all(conflicts, concerned, lambda _, move: not move.by_convoy)
    for convoy in conflicts.convoys:
        conflicts.decide(convoy.unit.province)
    lost = {}
    for convoy in conflicts.convoys:
        winner = conflicts.entering(convoy.unit.province)
        if winner is None:
            conflicts.note(convoy.unit, "not dislodged")
        else:
            conflicts.note(convoy.unit, f"dislodged by {winner}", winner.unit)
            lost[convoy.unit.province] = convoy.unit
    for move in conflicts.moves:
        if move.by_convoy:
            _ask_for_route(conflicts, move, lost)


def _ask_for_route(conflicts: Conflicts, move: Move, lost: Mapping[str, OrderedUnit]) -> None:
    """Decide that a move by convoy has no effect if it has no route without the lost fleets."""
    fleets = [
        convoy.unit.province for convoy in conflicts.convoys
        if (convoy.origin, convoy.target) == (move.unit.province, move.target)
    ]  # fmt: skip
    left = [fleet for fleet in fleets if fleet not in lost]
    if not has_route(move, left, conflicts.borders):
        conflicts.set_state(move, State.WITHOUT_EFFECT)
        units = [lost[fleet] for fleet in fleets if fleet in lost]
        names = "".join(f", {unit} is dislodged" for unit in units)
        text = f"without effect, no convoy route is left{names}"
        conflicts.note(move.unit, text, *units)


def _k2(conflicts: Conflicts) -> None:
    """K2: conflicts on which the effect of supports depends. They are about fields from which a
    unit supports into a field that it is attacked from (III.1.b).

    In them, supports are effective "die nicht aus den Zielfeldern von Bewegungsbefehlen kommen"
    (here, as everywhere, of another nation). RECONSTRUCTED: afterwards, a support is effective
    unless its unit is attacked from a field other than the one it supports into, or dislodged from
    that field.
    """
    left = [s for s in conflicts.all_supports if s.unit.province not in conflicts.effective]
    doubtful = [s for s in left if any(_from_aim(s, m) for m in _attacks_on(conflicts, s))]
    _support_all(conflicts, left, lambda _, __: True)
    for support in doubtful:
        conflicts.decide(support.unit.province)
    _support_all(
        conflicts,
        left,
        lambda s, move: not _from_aim(s, move) or conflicts.state_of(move) is State.SUCCEEDS,
    )


def _k3(conflicts: Conflicts) -> None:
    """K3: opposing attacks.

    RECONSTRUCTED from III.2: of two units that move against each other, neither by convoy, one
    succeeds if it wins the conflict about its target while the other stays there, and is stronger
    than the other, whose attack is then without effect. If neither does, both are
    "nicht-gelingend".
    """
    for move in conflicts.moves:
        other = conflicts.at.get(move.target)
        if isinstance(other, Move) and other.target == move.unit.province:
            is_by_convoy = move.by_convoy or other.by_convoy
            states = {conflicts.state_of(move), conflicts.state_of(other)}
            if not is_by_convoy and states == {State.OPEN}:
                _oppose(conflicts, move, other)


def _oppose(conflicts: Conflicts, one: Move, other: Move) -> None:
    for move, against in ((one, other), (other, one)):
        conflicts.set_state(move, State.OPEN)
        conflicts.set_state(against, State.IN_VAIN)
        is_stronger = conflicts.dislodging_strength(move) > conflicts.attack_strength(against)
        if is_stronger and conflicts.winner(move.target) is move:
            conflicts.decide(move.target)
            conflicts.set_state(against, State.WITHOUT_EFFECT)
            conflicts.note(against.unit, f"without effect, beaten by {move}", move.unit)
            return
    conflicts.note(one.unit, f"in vain, neither it nor {other} wins", other.unit)
    conflicts.note(other.unit, f"in vain, neither it nor {one} wins", one.unit)
    conflicts.set_state(one, State.IN_VAIN)
    conflicts.set_state(other, State.IN_VAIN)


def _k4(conflicts: Conflicts) -> None:
    """K4: all other attacks. Until nothing changes, conflicts are evaluated as if every unit still
    ordered to move could leave its field, and attacks that do not win become "nicht-gelingend".
    Those that are left succeed."""
    while True:
        winners = {place: conflicts.winner(place) for place in conflicts.targets()}
        failing = [m for m in conflicts.open_moves() if winners[m.target] is not m]
        for move in failing:
            conflicts.note_failure(move)
        for move in failing:
            conflicts.set_state(move, State.IN_VAIN)
        if not failing:
            break
    for move in conflicts.open_moves():
        conflicts.succeed(move)
