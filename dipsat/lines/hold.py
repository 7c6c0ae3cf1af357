"""Proving or refuting that a line of units holds, whatever units the enemy has and orders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from dipsat.board.province import province_of
from dipsat.errors import UnresolvedError
from dipsat.game.position import FIRST_PHASE, Position
from dipsat.limits import UNLIMITED, ExhaustedError, Limits, running, unlimited
from dipsat.lines.attack import Attack, AttackSearch, at_least, at_most
from dipsat.lines.hold_plan import MAX_REFUTED, HoldPlanSearch
from dipsat.lines.hold_result import BREAKS, HOLDS, UNKNOWN, HoldResult, HoldWitness
from dipsat.lines.line import StalemateLine
from dipsat.lines.line_file import read_line
from dipsat.openorders.checked_rules import unchecked_rules
from dipsat.proof.adjudicate import adjudicate
from dipsat.proof.outcome import Outcome
from dipsat.solving.assignments import find_assignment
from dipsat.solving.budget import INTERRUPTED, Budget, Progress, budget_of


def hold_line(
    line: StalemateLine | str | Path,
    *,
    progress: Progress | None = None,
    limits: Limits = UNLIMITED,
) -> HoldResult:
    """Prove that a line holds, or find a position and orders that break it.

    `line` may be the path of a file (docs/holding-lines.md); `limits.files` says which files that
    may name. The line holds if after the phase no enemy unit is in its region or in the province of
    an own unit, and no own unit is dislodged, wherever the enemy units were outside the region and
    whatever they were ordered. `limits` bound the search; without them there is no limit.
    `progress` is called with a description of each step. An interrupt from the keyboard ends the
    search with the verdict `unknown`.

    Raises `FileError` or `DocumentError` with the place of a fault in the file, and the errors of
    `load_map` and `load_profile` for the map and the rules that it names.
    """
    with running(limits):
        if not isinstance(line, StalemateLine):
            line = read_line(line)
        judge = HoldPlanSearch if line.plan else _HoldSearch
        search = judge(line, progress or (lambda _: None))
        try:
            return search.run()
        except (ExhaustedError, KeyboardInterrupt) as end:
            return search.unknown(str(end) or INTERRUPTED)


@dataclass(frozen=True, slots=True)
class _Found:
    attack: Attack
    witness: HoldWitness


class _HoldSearch:
    def __init__(self, line: StalemateLine, progress: Progress) -> None:
        self.line = line
        self.budget = budget_of()
        self.progress = progress
        self.supports: Mapping[str, str] = line.supports
        self.refuted: list[str] = []

    def run(self) -> HoldResult:
        found = next(self._entries(), None)
        if found is not None:
            return self._breaks(found)
        standing = _StandingOrders(self.line)
        while True:
            proposed = standing.propose(self.budget)
            if proposed is None:  # only after an attack has been found
                assert found is not None
                return self._none_left(found)
            self.supports = proposed
            self.refuted.clear()
            found = self._first_dislodgement()
            if found is None:
                return self._holds()
            standing.learn(found.attack)

    def unknown(self, reason: str) -> HoldResult:
        return HoldResult(self.line, UNKNOWN, self.line.order_texts(self.supports), reason=reason)

    def _holds(self) -> HoldResult:
        if self.refuted:
            return self.unknown(
                f"attacks on {', '.join(self.refuted)} should break the line, but under the rules "
                f"{self.line.rules.name!r} the attacks that were tried do not"
            )
        changes = unchecked_rules(self.line.rules)
        if changes:
            return self.unknown(f"no attack was found that breaks the line, but {changes}")
        quiet = self._replay((), ())
        refused = [one.order for one in quiet.orders if one.verdict in ("illegal", "invalid")]
        if refused:
            return self.unknown(f"the rules do not accept the order {refused[0]}")
        return HoldResult(self.line, HOLDS, self.line.order_texts(self.supports))

    def _none_left(self, found: _Found) -> HoldResult:
        """The result if no orders withstand the attacks found. What those attacks imply for other
        orders is proven only for checked rules."""
        if self.line.open and unchecked_rules(self.line.rules):
            return self.unknown(
                f"the orders that were tried do not hold; whether that rules out all others was "
                f"not checked for the rules {self.line.rules.name!r}"
            )
        return self._breaks(found)

    def _breaks(self, found: _Found) -> HoldResult:
        orders = self.line.order_texts(self.supports)
        return HoldResult(self.line, BREAKS, orders, "", bool(self.line.open), self._smaller(found))

    def _entries(self) -> Iterator[_Found]:
        """Ways into the provinces of the region."""
        for target in sorted(self.line.region):
            attack = AttackSearch(self.line, target, ())
            if attack.is_possible:
                self.progress(f"who could enter {target}?")
                found = self._confirmed(attack)
                if found is not None:
                    yield found

    def _first_dislodgement(self) -> _Found | None:
        for at, unit in enumerate(self.line.units, 1):
            self.progress(f"who could dislodge {unit}? ({at} of {len(self.line.units)})")
            attack = AttackSearch(self.line, unit.province, self._supporters(unit.province))
            found = self._confirmed(attack) if attack.is_possible else None
            if found is not None:
                return found
        return None

    def _supporters(self, province: str) -> list[str]:
        return [supporter for supporter, aim in self.supports.items() if aim == province]

    def _confirmed(self, search: AttackSearch, most: int | None = None) -> _Found | None:
        """An attack for which the adjudicator confirms that it breaks the line."""
        tried: list[Attack] = []
        while (attack := search.find(self.budget, most, tried)) is not None:
            witness = self._witness(attack)
            if witness is not None:
                return _Found(attack, witness)
            tried.append(attack)
            if len(tried) == MAX_REFUTED:
                break
        if tried and most is None:
            self.refuted.append(search.target)
        return None

    def _smaller(self, found: _Found) -> HoldWitness:
        """A witness with the same target and as few enemy units as can be found in time."""
        target = found.attack.target
        search = AttackSearch(self.line, target, self._supporters(target))
        try:
            while len(found.attack.roles) > 1:
                fewer = self._confirmed(search, len(found.attack.roles) - 1)
                if fewer is None:
                    break
                found = fewer
        except (ExhaustedError, KeyboardInterrupt):
            pass
        return found.witness

    def _witness(self, attack: Attack) -> HoldWitness | None:
        units = tuple(str(role.unit) for role in attack.roles)
        orders = attack.orders(self.line.map)
        try:
            outcome = self._replay(units, orders)
        except UnresolvedError:
            return None
        line, enemy = self.line, self.line.enemy.powers[0]
        standing = {province_of(unit.split()[1]) for unit in outcome.units.get(enemy, ())}
        entered = sorted(standing & (line.region | line.by_province.keys()))
        dislodged = [one.unit for one in outcome.dislodged if one.power == line.power]
        if not entered and not dislodged:
            return None
        own = tuple(str(unit) for unit in line.units)
        return HoldWitness(
            {line.power: own, enemy: units},
            {line.power: line.order_texts(self.supports), enemy: orders},
            tuple(entered),
            tuple(dislodged),
            outcome,
        )

    def _replay(self, units: tuple[str, ...], orders: tuple[str, ...]) -> Outcome:
        line, enemy = self.line, self.line.enemy.powers[0]
        own = [str(unit) for unit in line.units]
        position = Position.from_units({line.power: own, enemy: units}, line.map, FIRST_PHASE)
        given = {line.power: line.order_texts(self.supports), enemy: orders}
        with unlimited():
            return adjudicate(position, given, line.rules)


class _StandingOrders:
    """Proposes who supports whom. An open unit holds, or supports a neighbour to hold.

    An attack with k supports that cuts the units in C breaks every line in which fewer than k units
    outside C support its target; so `learn` requires k of them from then on.
    """

    def __init__(self, line: StalemateLine) -> None:
        self.line = line
        self._options = {
            (unit.province, aim): f"|{unit.province} S {aim}|"
            for unit in line.units
            if unit.province in line.open
            for aim in line.can_support(unit)
        }
        self._text = [f"(declare-const {name} Bool)" for name in self._options.values()]
        for supporter in sorted(line.open):
            names = [name for (one, _), name in self._options.items() if one == supporter]
            self._text.append(at_most(1, names))

    def propose(self, budget: Budget) -> Mapping[str, str] | None:
        """Supporting province -> supported province; None if no orders are left."""
        found = find_assignment("\n".join(self._text), budget)
        if found is None:
            return None
        chosen = {one: aim for (one, aim), name in self._options.items() if name in found}
        return {**self.line.supports, **chosen}

    def learn(self, attack: Attack) -> None:
        """From now on, propose only orders that withstand this attack."""
        stated = [s for s, aim in self.line.supports.items() if aim == attack.target]
        needed = attack.supports - len(set(stated) - attack.cut)
        names = [
            name
            for (supporter, aim), name in self._options.items()
            if aim == attack.target and supporter not in attack.cut
        ]
        self._text.append(at_least(needed, names))
