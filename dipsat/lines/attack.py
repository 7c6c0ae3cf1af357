"""One attack by the enemy as a question to a solver: its units, where they are and what they do.

The target is an own unit, or a province of the region, which the attack enters. Every enemy unit
has one role: it attacks, supports the attack, or cuts an own support by attacking the supporter.
Own units do not move, so they cut none of the enemy's supports, and its moves do not obstruct each
other. No role needs a convoy: the last fleet of the route is beside the army's target, has no other
role, and can go there itself instead.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from dipsat.board.map import Map
from dipsat.board.province import province_of
from dipsat.game.position import Unit
from dipsat.lines.line import StalemateLine
from dipsat.solving.assignments import find_assignment
from dipsat.solving.budget import Budget
from dipsat.values import grouped

ATTACK, SUPPORT, CUT = "attack", "support", "cut"


@dataclass(frozen=True, slots=True)
class Role:
    """An enemy unit's part in an attack: it goes to the province `aim`, or supports the attack on
    it."""

    unit: Unit
    action: str
    aim: str

    @property
    def symbol(self) -> str:
        """The name of the unknown that says whether the unit is there and has this role."""
        return f"|{self.unit} {self.action} {self.aim}|"


@dataclass(frozen=True, slots=True)
class Attack:
    """The roles of an attack on the province `target`."""

    target: str
    roles: tuple[Role, ...]

    @property
    def supports(self) -> int:
        """How many units support the attack."""
        return sum(role.action == SUPPORT for role in self.roles)

    @property
    def cut(self) -> frozenset[str]:
        """The provinces of the own units that are attacked to cut their support."""
        return frozenset(role.aim for role in self.roles if role.action == CUT)

    def orders(self, board: Map) -> tuple[str, ...]:
        """The orders of all units in the attack."""
        (attacker,) = (role.unit for role in self.roles if role.action == ATTACK)
        return tuple(
            f"{role.unit} S {attacker} - {role.aim}"
            if role.action == SUPPORT
            else f"{role.unit} - {_location(role, board)}"
            for role in self.roles
        )


def _location(role: Role, board: Map) -> str:
    """The location that a unit goes to: the first coast that it reaches."""
    places = board.reach(role.unit.kind, role.unit.location)
    return min(place for place in places if province_of(place) == role.aim)


class AttackSearch:
    """Looks for attacks on `target` that overcome the own units which support it there.

    `supporters` are their provinces. `is_held` says whether an own unit is at the target.
    """

    def __init__(self, line: StalemateLine, target: str, supporters: Collection[str]) -> None:
        self.line = line
        self.target = target
        self.supporters = tuple(sorted(supporters))
        self.is_held = target in line.by_province
        self.roles = tuple(self._roles())
        self._text = ""

    @property
    def is_possible(self) -> bool:
        """Whether any enemy unit could go to the target, however strong its defence."""
        return any(role.action == ATTACK for role in self.roles)

    def find(
        self, budget: Budget, most: int | None = None, without: Sequence[Attack] = ()
    ) -> Attack | None:
        """An attack with at most `most` units that is not in `without`; None if there is none."""
        lines = [self._text or self._constraints()]
        self._text = lines[0]
        if most is not None:
            lines.append(at_most(most, [role.symbol for role in self.roles]))
        for attack in without:
            lines.append(_any(f"(not {role.symbol})" for role in attack.roles))
        found = find_assignment("\n".join(lines), budget)
        if found is None:
            return None
        return Attack(self.target, tuple(role for role in self.roles if role.symbol in found))

    def _roles(self) -> Iterator[Role]:
        line, aims = self.line, (self.target, *self.supporters)
        for unit in line.enemies:
            reached = line.map.reach_provinces(unit.kind, unit.location)
            for aim in aims:
                action = ATTACK if aim == self.target else CUT
                if aim in reached:
                    yield Role(unit, action, aim)
            if self.target in reached and self.is_held:
                yield Role(unit, SUPPORT, self.target)

    def _constraints(self) -> str:
        lines = [f"(declare-const {role.symbol} Bool)" for role in self.roles]
        places = grouped((role.unit.province, role.symbol) for role in self.roles)
        entering = (role for role in self.roles if role.action in (ATTACK, CUT))
        going = grouped((role.aim, role.symbol) for role in entering)
        lines += [at_most(1, symbols) for symbols in (*places.values(), *going.values())]
        lines.append(_any(going.get(self.target, [])))
        if self.is_held:
            gains = [role.symbol for role in self.roles if role.action in (SUPPORT, CUT)]
            lines.append(at_least(len(self.supporters) + 1, gains))
        if self.line.enemy.units is not None:
            lines.append(at_most(self.line.enemy.units, [role.symbol for role in self.roles]))
        return "\n".join(lines)


def _any(symbols: Iterable[str]) -> str:
    return f"(assert (or false {' '.join(symbols)}))"


def at_most(number: int, symbols: Sequence[str]) -> str:
    """The assertion that at most `number` of these hold, "" if there are no more."""
    return f"(assert ((_ at-most {number}) {' '.join(symbols)}))" if number < len(symbols) else ""


def at_least(number: int, symbols: Sequence[str]) -> str:
    """The assertion that at least `number` of these hold, "" if that is 0."""
    if number > len(symbols):
        return "(assert false)"
    return f"(assert ((_ at-least {number}) {' '.join(symbols)}))" if number > 0 else ""
