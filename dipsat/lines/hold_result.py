"""The answer about a line, with what people read of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dipsat.board.province import province_of
from dipsat.drawn import Drawn
from dipsat.errors import CertificateError
from dipsat.lines.certificate import certificate_of, with_orders
from dipsat.lines.line import PlanState, StalemateLine, limits_of, state_to_dict
from dipsat.pages import Column, Part, Shown, Table, titled
from dipsat.proof.outcome import Outcome
from dipsat.values import brief, fields_of

HOLDS, BREAKS, UNKNOWN = "holds", "breaks", "unknown"


@brief()
@dataclass(frozen=True, slots=True)
class HoldWitness:
    """A position with orders that breaks the line, confirmed by the adjudicator."""

    units: Mapping[str, tuple[str, ...]]
    """Power -> its units, including the own units."""
    orders: Mapping[str, tuple[str, ...]]
    """Power -> its orders, including the own orders."""
    entered: tuple[str, ...]
    """The provinces that enemy units entered."""
    dislodged: tuple[str, ...]
    """The own units that were dislodged, without those that retreat as their state says."""
    outcome: Outcome
    """The outcome of the orders."""
    strayed: tuple[str, ...] = ()
    """The own units after the phase, if they stand as in no state of the plan."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return fields_of(self, "outcome")


@brief()
@dataclass(frozen=True, slots=True)
class HoldResult(Drawn, Shown):
    """What is proven about a line. Made by `dipsat.hold_line`."""

    _drawn_by: ClassVar[str] = "line"

    line: StalemateLine
    """The line."""
    verdict: str
    """`holds`, `breaks` or `unknown`."""
    orders: tuple[str, ...]
    """The orders of the own units that the verdict is about. For open units, these are the orders
    found; if no orders hold, they are the last ones tried."""
    reason: str = ""
    """Why the verdict is `unknown`, else ""."""
    any_orders: bool = False
    """Whether the line breaks under any orders of the open units."""
    witness: HoldWitness | None = None
    """A position with orders that breaks the line, None if none was found."""

    @property
    def builds(self) -> tuple[str, ...]:
        """The centres where a unit may be built, and hold, without changing the verdict `holds`:
        those behind the line that its units do not use. They are home centres of any power, or all
        centres if the map lets a power build in each that it owns."""
        if self.verdict != HOLDS:
            return ()
        board = self.line.map
        sites = board.homes if board.build in ("home", "home-any") else board.centers
        return tuple(code for code in board.centers if code in sites and code in self.line.vacant)

    def certificate(self) -> dict[str, Any]:
        """Return a proof that needs no solver: for each unit, who could attack it, who supports it,
        and what covers every cut of those supports. It is plain values, ready for JSON;
        docs/holding-lines.md describes it.

        Raises `CertificateError` unless the verdict is `holds`, and for a line that moves in other
        ways than by sorties.
        """
        if self.verdict != HOLDS:
            raise CertificateError(
                f"the verdict is {self.verdict!r}; only lines that hold have one"
            )
        line = self.line
        return certificate_of(line if line.plan else with_orders(line, self.orders))

    def _parts(self) -> Iterable[Part]:
        line = self.line
        region = ", ".join(sorted(line.region)) or "only the provinces of the own units"
        about = [("Line", ", ".join(self.orders)), ("Region", region)]
        if line.plan:
            each = enumerate(line.plan, 1)
            about = [(f"State {at}", _state_text(line, state)) for at, state in each]
            about.append(("Closed", ", ".join(sorted(line.closed))))
        if line.derived:
            about.append(("", f"({line.derived})"))
        if limits := line.enemy.limits:
            about.append(("Enemy", limits))
        yield Table(tuple(about), (_LABEL,))
        yield ""
        yield Table(tuple(answer_of(self)), (_LABEL,))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as `dipsat search hold --json` prints them."""
        line = self.line
        return {
            "verdict": self.verdict,
            "rules": line.rules.name,
            "map": line.map.name,
            "region": sorted(line.region),
            "derived": line.derived,
            **fields_of(self, "line", "verdict"),
            **plan_to_dict(line),
            "builds": [*self.builds],
            "enemy": limits_of(line.enemy),
        }


def plan_to_dict(line: StalemateLine) -> dict[str, Any]:
    """The plan of a line as plain values: its states, each with units, orders and retreats, and
    outposts."""
    return {
        "states": [state_to_dict(state, line.map) for state in line.plan],
        "outposts": sorted(line.outposts),
    }


_LABEL = Column(width=7)
_WHOEVER = "wherever enemy armies and fleets stand outside of"


def _state_text(line: StalemateLine, state: PlanState) -> str:
    """The orders of a state, and the retreats behind them."""
    orders, retreats = (", ".join(some) for some in (
        state.texts(line.map), state.retreat_texts(line.map)
    ))  # fmt: skip
    return f"{orders}; if dislodged, {retreats}" if retreats else orders


def answer_of(result: HoldResult) -> Iterator[tuple[str, str]]:
    """What is proven, in sentences, each behind its label or ""."""
    if result.verdict == HOLDS and result.line.plan:
        yield from _planned(result)
    elif result.verdict == HOLDS:
        yield (
            "HOLDS",
            f"Proven under the rules {result.line.rules.name}: {_WHOEVER} the region, and whatever "
            "they are ordered, supports and convoys included, no enemy enters the region and no "
            "unit of the line is dislodged.",
        )
        yield (
            "",
            "After the phase the line and the region are as they were, so the same orders hold for "
            "ever, as long as the enemy keeps to the limits stated and builds nothing in the "
            f"region.{_built(result)}",
        )
    elif result.witness is not None:
        yield from _broken(result, result.witness)
    else:
        yield "UNKNOWN", f"{result.reason}."


def _built(result: HoldResult) -> str:
    """What is proven about own units that are built."""
    if not result.builds:
        return ""
    *others, last = result.builds
    where = f"{', '.join(others)} or {last}" if others else last
    return f" An own unit that is built in {where} and holds there changes nothing."


def _planned(result: HoldResult) -> Iterator[tuple[str, str]]:
    line = result.line
    retreats = any(state.retreats for state in line.plan)
    safe = "each own unit that is dislodged can retreat as its state says"
    yield (
        "HOLDS",
        f"Proven under the rules {line.rules.name}, in each state: {_WHOEVER} the closed provinces "
        "and those of the own units, and whatever they are ordered, supports of own moves "
        "included, after the phase no enemy stands in a closed province, "
        f"{safe if retreats else 'no own unit is dislodged'}, "
        f"and the own units {'then ' if retreats else ''}stand as one of the states says.",
    )
    yield (
        "",
        "So the orders of the state in which the units then stand hold again, and so on for ever, "
        "as long as the enemy keeps to the limits stated and builds nothing in the closed "
        f"provinces.{_built(result)}",
    )


def _broken(result: HoldResult, witness: HoldWitness) -> Iterator[tuple[str, str]]:
    line = result.line
    inside = {province_of(unit.split()[1]) for p, u in witness.outcome.units.items()
              if p != line.power for unit in u}  # fmt: skip
    refuges = _refuges(line, witness)
    what = [
        f"{unit} is dislodged" + (f" and cannot retreat to {refuges[at]}" if at in refuges else "")
        for unit in witness.dislodged
        for at in [province_of(unit.split()[1])]
    ]
    what += [
        f"an enemy {'stands in' if province in inside else 'may retreat to'} {province}"
        for province in witness.entered
    ]
    if witness.strayed:
        what.append(f"the own units stand as in no state: {', '.join(witness.strayed)}")
    start = "No orders of the open units hold; against these: " if result.any_orders else ""
    yield "BREAKS", f"{start}{'; '.join(what)}. Adjudicated with these orders:"
    shown = [line.power] if line.plan else []
    for power in (*shown, *(name for name in witness.orders if name != line.power)):
        yield from (("", f"{titled(power)}: {order}") for order in witness.orders[power])


def _refuges(line: StalemateLine, witness: HoldWitness) -> Mapping[str, str]:
    """Province -> where the own unit there should retreat to, in the state that the witness
    breaks."""
    orders = witness.orders[line.power]
    found = (state.refuges for state in line.plan if state.texts(line.map) == orders)
    return next(found, {})
