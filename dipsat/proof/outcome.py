"""What outcomes of all phases have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dipsat.board.province import province_of
from dipsat.brief import brief
from dipsat.errors import UnknownNameError
from dipsat.errors.arguments import checked
from dipsat.game.legality import Ruling
from dipsat.game.next_phase import following
from dipsat.game.position import Position, Unit
from dipsat.game.victory import victor
from dipsat.plain import Plain, plain
from dipsat.profiles.profile import Profile
from dipsat.proof.reasons import Reason
from dipsat.proof.report import (
    NOBODY_ENTERS as NOBODY_ENTERS,
    as_html,
    as_text,
)
from dipsat.proof.subgraphs import Subgraph

VERDICTS: Mapping[str, tuple[str, str]] = {
    "move": ("succeeds", "fails"),
    "support": ("given", "cut"),
    "convoy": ("available", "disrupted"),
    "dislodge": ("is dislodged", "is not dislodged"),
}
"""Decision that is a verdict -> the word if it is true, the word if it is false."""
DECLARED = ("succeeds", "fails")
"""The words for orders of kinds that rules declare."""


@brief()
@dataclass(frozen=True, slots=True)
class OrderOutcome(ABC):
    """The result of one order, or of a unit without an order (it holds or is disbanded)."""

    power: str
    """The power that gave the order."""
    unit: str
    """The ordered unit, such as `A LON`."""
    submitted: str | None
    """The order as submitted, None if there was none."""
    verdict: str
    """The result in the words of DATC 3.2: `succeeds` or `fails` (move, retreat), `given` or `cut`
    (support), `available` or `disrupted` (convoy), `stands` (hold), `illegal`, `invalid`; `unknown`
    if the limits were too low to decide it. A hold order cannot fail: it `stands` also if the
    unit is dislodged, which its `fate` says."""
    fate: str
    """The unit's fate: "", `dislodged`, `destroyed` (dislodged without a retreat), `disbanded`
    (in a retreat or adjustment phase), or `unknown` if the limits were too low to decide it."""

    @property
    @abstractmethod
    def order(self) -> str:
        """The order in the `diplomacy` notation, with everything unclear settled."""

    @property
    @abstractmethod
    def amended(self) -> str:
        """What was unclear in the order and how it is read, "" if nothing was unclear."""

    @property
    @abstractmethod
    def reason(self) -> Reason:
        """Why, with the units whose orders caused it."""

    @property
    def marks(self) -> tuple[str, ...]:
        """The words with which an algorithm marks the order, such as the DPjudge's `bounce`, and
        `dislodged` for its unit; empty without a mark, or if the algorithm has no marks."""
        return ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "power": self.power,
            "unit": self.unit,
            "order": self.order,
            "submitted": self.submitted,
            "amended": self.amended,
            "verdict": self.verdict,
            "fate": self.fate,
            "reason": self.reason.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class PhaseOrder(OrderOutcome):
    """An order of a retreat or adjustment phase, with its text and reason."""

    order: str
    reason: Reason
    amended: str = ""


@brief()
@dataclass(frozen=True, slots=True)
class Dislodgement(Plain):
    """A unit's dislodgement."""

    power: str
    """The power that owns the unit."""
    unit: str
    """The unit, such as `A LON`."""
    by: str | None
    """The unit that dislodged it; None if no unit enters its province, as some house rules have
    it."""
    retreats: tuple[str, ...]
    """The locations to which it may retreat, none if it is destroyed."""

    @property
    def cause(self) -> str:
        """What dislodged it, in words: `dislodged by A RUH`."""
        return f"dislodged by {self.by}" if self.by else f"dislodged, {NOBODY_ENTERS}"


@brief("rules", "map", "position.phase")
class Outcome(ABC):
    """The results of a phase, and the position that comes next. Made by `dipsat.adjudicate`.

    What a phase cannot have is empty: only movement phases have dislodgements, standoffs, decisions
    and subgraphs; only retreat and adjustment phases disband units. Two outcomes are equal only if
    they are the same object; `to_dict` gives what can be compared.
    """

    rulings: tuple[Ruling, ...] = ()
    """The ruling on each submitted order of a movement phase before the other orders are looked
    at."""

    def __init__(self, position: Position, profile: Profile) -> None:
        self.position = position
        """The position before the phase."""
        self.profile = profile
        """The rules."""

    @property
    def rules(self) -> str:
        """The name of the profile."""
        return self.profile.name

    @property
    def map(self) -> str:
        """The name of the map."""
        return self.position.map.name

    @property
    @abstractmethod
    def orders(self) -> tuple[OrderOutcome, ...]:
        """The result of every order, and of every unit that needed one, by power."""

    @property
    @abstractmethod
    def units_after(self) -> tuple[Unit, ...]:
        """The units after the phase, by location, without those dislodged or disbanded."""

    @cached_property
    def next(self) -> Position:
        """The position of the next phase in which something can be ordered."""
        return following(self.position, self.units_after, (), self.profile.settings)

    @property
    def winner(self) -> str | None:
        """The power that has won in the `next` position, None if none has."""
        return victor(self.next, self.profile.settings)

    @property
    def is_proven(self) -> bool:
        """Whether the resolution is proven to be the only consistent one: no cycle rule was
        needed."""
        return True

    @property
    def is_decided(self) -> bool:
        """Whether no verdict is `unknown`. A limit of time or work can leave some open."""
        return True

    @property
    def decisions(self) -> Mapping[str, int | None]:
        """Name of a decision -> its value."""
        return {}

    @property
    def dislodged(self) -> tuple[Dislodgement, ...]:
        """The dislodged units, each with its attacker and its possible retreats."""
        return ()

    @property
    def contested(self) -> tuple[str, ...]:
        """The provinces left vacant by a standoff, to which no unit may retreat."""
        return ()

    @property
    def subgraphs(self) -> tuple[Subgraph, ...]:
        """The connected subgraphs of the decision graph, with what is proven about each."""
        return ()

    @cached_property
    def disbanded(self) -> Mapping[str, tuple[str, ...]]:
        """Power -> its units disbanded in this phase."""
        found: dict[str, dict[str, None]] = {}
        for order in self.orders:
            if order.fate == "disbanded":
                found.setdefault(order.power, {})[order.unit] = None
        return {power: tuple(units) for power, units in sorted(found.items())}

    @cached_property
    def units(self) -> Mapping[str, tuple[str, ...]]:
        """Power -> its units after the phase."""
        powers = {unit.power for unit in self.position.units}
        powers |= {order.power for order in self.orders}
        placed: dict[str, list[str]] = {power: [] for power in sorted(powers)}
        for unit in self.units_after:
            placed[unit.power].append(str(unit))
        return {power: tuple(units) for power, units in placed.items()}

    @checked
    def order(self, unit: str) -> OrderOutcome:
        """Return the outcome of a unit's order, the unit in any notation (`"A LON"`).

        If the unit has several orders, it is the order that was followed, or else the first. Raises
        `UnknownNameError` if there is no such unit; `F PAR` is none if `A PAR` stands there.
        """
        named = self.position.reader.read_unit(unit)
        province = province_of(named.location)
        lost = {one.unit.province: one.unit.power for one in self.position.dislodged}
        there = self.position.by_province.get(province)
        owner = lost.get(province) or (there.power if there else None)
        found = None
        for outcome in self.orders:
            if province_of(outcome.unit.rpartition(" ")[2]) != province:
                continue
            if owner in (None, outcome.power) and (found is None or found.verdict == "illegal"):
                found = outcome
        if found is None:
            raise UnknownNameError("unit", unit, (order.unit for order in self.orders))
        kind = "".join(found.unit.split()[-2:-1])
        if (named.kind and kind and named.kind != kind) or named.power not in (None, found.power):
            hint = f"the unit there is {found.unit} of {found.power.title()}"
            raise UnknownNameError("unit", unit, (), hint=hint)
        return found

    def __str__(self) -> str:
        """Return the table that `dipsat adjudicate` prints."""
        return as_text(self)

    def _repr_html_(self) -> str:
        return as_html(self, f"{self.position.phase}, {self.map}, {self.rules}")

    @property
    def remarks(self) -> tuple[str, ...]:
        """What to keep in mind about the outcome, in sentences: which algorithm has decided, and
        whether it may be wrong. Empty if the solver has."""
        return ()

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `dipsat adjudicate --json` prints them. If not
        everything is decided, what follows (`units`, `dislodged`, `contested`, `next`, `winner`) is
        None."""
        known = self.is_decided
        return {
            "rules": self.rules,
            "map": self.map,
            "phase": str(self.position.phase),
            "orders": plain(self.orders),
            "units": plain(self.units) if known else None,
            "dislodged": plain(self.dislodged) if known else None,
            "disbanded": plain(self.disbanded),
            "contested": plain(self.contested) if known else None,
            "subgraphs": plain(self.subgraphs),
            "next": self.next.to_dict() if known else None,
            "winner": self.winner if known else None,
        }
