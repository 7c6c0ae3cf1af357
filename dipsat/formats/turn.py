"""One phase of a game: its position, the orders submitted for it, and their outcome."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

from dipsat.base import (
    ORDERS,
    UNLIMITED,
    FrozenDict,
    Limits,
    brief,
    checked,
    frozen,
    grouped,
    running,
    titled,
    unlimited,
)
from dipsat.board import province_of
from dipsat.errors import GameError, OrderFaultError, OrderSyntaxError
from dipsat.formats.order_rulings import about, rulings_by_text
from dipsat.game import (
    PhaseKind,
    PhaseName,
    Position,
    checked_order,
    other_power_in,
    read_in,
    read_unclear,
    refusal_of,
    refuse_misplaced,
    takes_text,
    victor,
)
from dipsat.orders import (
    TEXT_FAULTS,
    Build,
    Order,
    Unreadable,
    Waive,
    unit_alone,
    write_order,
)
from dipsat.outcomes import Outcome, adjudicate, decided
from dipsat.rules import Profile


@brief()
@dataclass(frozen=True)
class Turn:
    """A phase of a game."""

    position: Position
    """The position before the phase."""
    orders: Mapping[str, tuple[str, ...]]
    """Power -> its orders as submitted."""
    rules: Profile
    """The profile."""
    later: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=FrozenDict)
    """Phase after this one, such as `F1901R` -> power -> its orders submitted for that phase."""
    deadline: str = ""
    """When the orders of the phase are due, in the game master's words."""
    corrected: tuple[str, ...] = ()
    """What the last correction of the game has changed in the results of the phase, in
    sentences."""
    left_out: tuple[str, ...] = field(default=(), compare=False)
    """Which orders submitted before the phase could not be entered when it began, and why, in
    sentences. Files do not keep them."""

    def __post_init__(self) -> None:  # games share their history
        later = {phase: frozen(own) for phase, own in self.later.items() if own}
        object.__setattr__(self, "orders", frozen(self.orders))
        object.__setattr__(self, "later", frozen(later))

    @cached_property
    def outcome(self) -> Outcome:
        """The outcome of the orders by dipsat, computed when first read."""
        with unlimited():
            return adjudicate(self.position, self.orders, self.rules, lenient=True)

    @property
    def winner(self) -> str | None:
        """The power that had won before this phase, None if none had."""
        return victor(self.position, self.rules.settings)

    def refuse_if_over(self) -> None:
        """Raise `GameError` if a power has won."""
        winner = self.winner
        if winner is not None:
            count = len(self.position.centers[winner])
            raise GameError(
                f"the game is over: {winner} owns {count} centres; go back with undo(), or play on "
                f"under a profile with the setting 'victory: never'"
            )

    @checked
    def following(self, limits: Limits = UNLIMITED) -> Turn:
        """Return the next phase, with the orders submitted for it so far. Raises `LimitError` if
        the limits are not enough to judge this one."""
        with running(limits):
            following = Turn(judged(self).next, {}, self.rules)
            return _entered(following, self.later) if self.later else following

    @checked
    def with_orders(self, given: Mapping[str, object], keep_unreadable: bool = False) -> Turn:
        """Return this phase with new orders of these powers, which replace what they had submitted.
        Raises the errors of `Game.submit`."""
        read: dict[str, tuple[str, ...]] = {}
        for typed, orders in given.items():
            listed = _listed(orders)
            name = self.position.map.names.power(str(typed))
            texts = self._written(name, listed)
            clear = self._kept if keep_unreadable else self._readable
            read[name] = (*read.get(name, ()), *clear(name, texts))
        return replace(self, orders={**self.orders, **read})

    def _written(self, power: str, orders: Sequence[str | Order]) -> tuple[str, ...]:
        """The orders as texts."""
        ORDERS.check(len(orders))
        return tuple(
            one
            if isinstance(one, str)
            else write_order(checked_order(one, power, self.position), self.position.map)
            for one in orders
        )

    def _readable(self, power: str, texts: Sequence[str]) -> tuple[str, ...]:
        """The orders as texts that can always be read."""
        found = list[str]()
        try:
            for text in texts:
                order = read_in(self.position, text)
                self._refuse(order, power, text, self.position)
                found.append(_by_itself(self.position, text, order))
        except TEXT_FAULTS:
            return self._meant(power, texts)
        return tuple(found)

    def _kept(self, power: str, texts: Sequence[str]) -> tuple[str, ...]:
        """The orders as texts that can always be read, and the others as they are."""
        found = list[str]()
        for text in texts:
            try:
                found += self._readable(power, [text])
            except (OrderFaultError, *TEXT_FAULTS):
                found.append(text)
        return tuple(found)

    def _refuse(self, order: Order, power: str, text: str, position: Position) -> None:
        """Raise `OrderFaultError` for an order of another kind of phase, of a neutral power, or for
        the unit of another power."""
        refuse_misplaced(order, power, text, position.phase)
        if problem := other_power_in(order, power):
            raise OrderFaultError(power, [text], problem)
        refused = refusal_of(self.position.map, power, order)
        if refused is not None:
            raise OrderFaultError(power, [text], refused[1])

    def _meant(self, power: str, texts: Sequence[str]) -> tuple[str, ...]:
        """Orders, some of them poorly written, as texts in clear form (DATC 4.E.2)."""
        found = []
        for one in read_unclear(self.position, power, texts, self.rules.settings):
            if isinstance(one.order, Unreadable):
                raise OrderSyntaxError(one.text, one.order.problem)
            if one.refusal is not None:
                raise OrderSyntaxError(one.text, one.refusal[1])
            self._refuse(one.order, power, one.text, self.position)
            meant = write_order(one.order, self.position.map)
            found.append(meant if one.reading else one.text)
        return tuple(found)


def judged(turn: Turn) -> Outcome:
    """The outcome of a turn, which keeps it. Raises `LimitError` if the limits are not enough."""
    known: Outcome | None = vars(turn).get("outcome")
    if known is None:
        known = decided(turn.position, turn.orders, turn.rules, lenient=True)
        object.__setattr__(turn, "outcome", known)
    return known


def _listed(orders: object) -> tuple[str | Order, ...]:
    """The orders of a power. Raises `GameError` for anything else."""
    if not isinstance(orders, Iterable) or isinstance(orders, str | Mapping):
        raise GameError("give the orders as a list: submit('FRANCE', ['A PAR - BUR'])")
    found = tuple(orders)
    for one in found:
        if not isinstance(one, str | Order):
            raise GameError(f"{one!r} is not an order; give a text such as 'A PAR - BUR'")
    return found


# --- orders for later phases ----------------------------------------------------------------------


def with_later(turn: Turn, phase: PhaseName, given: Mapping[str, object]) -> Turn:
    """A turn with the orders of these powers for a later phase, in place of what they had submitted
    for that. Raises the errors of `Game.submit`."""
    board, now = turn.position.map, turn.position.phase
    if not now.is_before(phase):
        raise GameError(f"the game is in {now}, so {phase} is not a later phase")
    read: dict[str, tuple[str, ...]] = {}
    for typed, orders in given.items():
        power = board.names.power(str(typed))
        texts = turn._written(power, _listed(orders))
        kept = tuple(_text_for(turn, phase, power, text) for text in texts)
        read[power] = (*read.get(power, ()), *kept)
    own = {**turn.later.get(str(phase), {}), **read}
    later = {**turn.later, str(phase): {power: texts for power, texts in own.items() if texts}}
    ORDERS.check(sum(len(texts) for one in later.values() for texts in one.values()))
    return replace(turn, later=later)


def _text_for(turn: Turn, phase: PhaseName, power: str, text: str) -> str:
    """The text of an order for a later phase, as a reader takes it. Raises an error for an order
    that is wrong in any position of that phase."""
    board, words, settings = turn.position.map, turn.rules.words, turn.rules.settings
    there = replace(turn.position, phase=phase, dislodged=())
    try:
        order = read_in(there, text)
    except TEXT_FAULTS:
        is_built = phase.kind is PhaseKind.ADJUSTMENT and unit_alone(board, text, words)
        if not is_built and not takes_text(board, text, words, settings):
            raise
        return text
    turn._refuse(order, power, text, there)
    return _by_itself(there, text, order)


def _by_itself(position: Position, text: str, order: Order) -> str:
    """The text of an order in a form that is read the same anywhere: a retreat may need its phase
    to be understood (`A Gal - War or Ukr`)."""
    try:
        position.reader.read(text)
    except TEXT_FAULTS:
        return write_order(order, position.map)
    return text


Submitted: TypeAlias = Mapping[str, Mapping[str, tuple[str, ...]]]
"""Phase -> power -> orders."""


def _entered(turn: Turn, submitted: Submitted) -> Turn:
    """A turn at its beginning, with the orders submitted for it before. Orders for later phases are
    kept; orders whose phase or unit is missing are left out."""
    now = turn.position.phase
    later = {name: own for name, own in submitted.items() if now.is_before(PhaseName.parse(name))}
    left, given = list[str](), list[tuple[str, str]]()

    def leave_out(phase: str, power: str, text: str, why: str) -> None:
        left.append(f"{titled(power)}: {text} is left out of {phase}: {why}")

    for phase, own in submitted.items():
        skipped = _SKIPPED.get(PhaseName.parse(phase).kind, "it was skipped")
        skipped = skipped if phase != str(now) else ""
        why = "the game is over" if own and turn.winner else skipped
        for power, text in _pairs({} if phase in later else own):
            if why:
                leave_out(phase, power, text, why)
                continue
            try:
                given += [(power, one) for one in turn._readable(power, [text])]
            except (OrderFaultError, *TEXT_FAULTS) as error:
                leave_out(phase, power, text, str(error))
    kept = list[tuple[str, str]]()
    rulings = rulings_by_text(turn.position, grouped(given), turn.rules)
    for power, text in given:
        is_there, _, why = rulings[power, text].pop(0)
        other = _other_unit(turn.position, power, text) if is_there else ""
        if other:
            leave_out(str(now), power, text, f"{other} stands there")
        elif is_there or not about(turn.position, text):  # a waived build is in no place
            kept.append((power, text))
        else:
            leave_out(str(now), power, text, why)
    return replace(turn, later=later, left_out=tuple(left)).with_orders(grouped(kept))


def _other_unit(position: Position, power: str, text: str) -> str:
    """The unit of another kind in the place that a power's order is for; "" if there is none."""
    order = read_in(position, text)
    if isinstance(order, Build | Waive) or order.unit.kind is None:
        return ""
    units = (*(one.unit for one in position.dislodged), *position.units)
    there = province_of(order.unit.location)
    unit = next((one for one in units if (one.power, one.province) == (power, there)), None)
    return "" if unit is None or unit.kind == order.unit.kind else str(unit)


_SKIPPED = {
    PhaseKind.RETREAT: "no unit was dislodged",
    PhaseKind.ADJUSTMENT: "no unit was to be built or disbanded",
}
"""Why a phase of some kind does not take place."""


def _pairs(orders: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, str]]:
    return ((power, text) for power, texts in orders.items() for text in texts)


def with_known(turn: Turn, given: Iterable[Submitted]) -> Turn:
    """A turn with more orders for the phases after it, each laid over the ones before."""
    now, later = turn.position.phase, dict(turn.later)
    for name, orders in (pair for one in given for pair in one.items()):
        phase, before = PhaseName.parse(name), later.get(name, {})
        if now.is_before(phase):
            later[name] = {**before} | {
                power: laid_over(turn.position, phase.kind, before.get(power, ()), texts)
                for power, texts in orders.items()
            }
    return replace(turn, later=later)


def laid_over(
    position: Position,
    kind: PhaseKind,
    earlier: Sequence[str],
    new: Sequence[str],
    is_whole: bool = True,
) -> tuple[str, ...]:
    """The orders of a power for a phase of a kind after it has sent new ones: each replaces those
    for its unit. Builds and disbands are one list, which depends on how many are due, so a new list
    replaces the old one if it `is_whole`."""
    if kind is PhaseKind.ADJUSTMENT and new and is_whole:
        return tuple(new)
    places = {about(position, text) for text in new}
    return (*(text for text in earlier if about(position, text) not in places), *new)


@dataclass(frozen=True)
class GameTurns:
    """A game as in a file: its name, the names of its map and its rules, and its phases. The last
    phase is the one to be played."""

    name: str
    map_name: str
    rules: str
    turns: tuple[Turn, ...]
    players: Mapping[str, str] = field(default_factory=FrozenDict)
    is_own: bool = True
    """Whether dipsat wrote the file, or there is none yet; saving over another program's loses what
    dipsat does not keep."""
    remarks: tuple[str, ...] = ()
    """What was left out of the file, with its places, in sentences."""
