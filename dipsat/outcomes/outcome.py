"""What outcomes of all phases have in common: orders, reports, dislodgements."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

from dipsat.base import (
    GAP,
    Column,
    Drawn,
    Part,
    Plain,
    Shown,
    Styled,
    Table,
    Words,
    brief,
    checked,
    counted,
    fields_of,
    grouped,
    html_of,
    html_of_parts,
    plain,
    plain_text,
    titled,
)
from dipsat.board import province_of, words_of
from dipsat.errors import AmbiguousNameError, UnknownNameError
from dipsat.game import (
    PhaseKind,
    Position,
    Ruling,
    adjustment_lines,
    board_lines,
    center_lines,
    following,
    missing_unit,
    no_retreat,
    retreats_in_words,
    victor,
)
from dipsat.orders import Unit, ordered_unit
from dipsat.rules import Profile
from dipsat.solving import Z3

# --- order outcome --------------------------------------------------------------------------------

# The result of one order, in the words of DATC 3.2.


VERDICTS: Mapping[str, tuple[str, str]] = {
    "move": ("succeeds", "fails"),
    "support": ("given", "cut"),
    "convoy": ("available", "disrupted"),
    "dislodge": ("is dislodged", "is not dislodged"),
}
"""Decision that gives a verdict -> the word if it is true, the word if it is false."""
DECLARED = ("succeeds", "fails")
"""The words for orders of declared kinds."""


Told: TypeAlias = tuple[str, str, str | None, str, str]
"""Power, unit, order as submitted, verdict and fate."""


@brief("power", "unit", "submitted", "verdict", "fate")
class OrderOutcome(ABC):
    """The result of one order, or of a unit without an order (it holds or is disbanded)."""

    __slots__ = ()
    _told: Told

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self._told == other._told

    def __hash__(self) -> int:
        return hash(self._told)

    @property
    def power(self) -> str:
        """The power that gave the order."""
        return self._told[0]

    @property
    def unit(self) -> str:
        """The ordered unit, such as `A LON`."""
        return self._told[1]

    @property
    def submitted(self) -> str | None:
        """The order as submitted, None if there was none."""
        return self._told[2]

    @property
    def verdict(self) -> str:
        """The result in the words of DATC 3.2: `succeeds` or `fails` (move, retreat), `given` or
        `cut` (support), `available` or `disrupted` (convoy), `stands` (hold), `illegal`, `invalid`;
        `unknown` if the limits were too low to decide it. A hold order cannot fail: it `stands`
        even if the unit is dislodged, which its `fate` says."""
        return self._told[3]

    @property
    def fate(self) -> str:
        """The unit's fate: "", `dislodged`, `destroyed` (dislodged without a retreat), `disbanded`
        (in a retreat or adjustment phase; in a movement phase, the dislodged unit of a neutral
        power), or `unknown` if the limits were too low to decide it."""
        return self._told[4]

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
        `dislodged` for its unit; empty if there is no mark, or if the algorithm has no marks."""
        return ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        told = dict(zip(_TOLD, _told(self), strict=True))
        return {**told, "reason": self.reason.to_dict()}


_TOLD = ("power", "unit", "order", "submitted", "amended", "verdict", "fate")
_told = attrgetter(*_TOLD)


@brief()
@dataclass(frozen=True, slots=True)
class PhaseOrder(OrderOutcome):
    """An order of a retreat or adjustment phase, with its text and reason."""

    power: str
    unit: str
    submitted: str | None
    verdict: str
    fate: str
    order: str
    reason: Reason
    amended: str = ""


# --- report ---------------------------------------------------------------------------------------

# The parts of an outcome as people read it: a row for each order, and what is proven.


_STYLES = {
    "succeeds": "green", "given": "green", "available": "green",
    "fails": "red", "cut": "red", "disrupted": "red", "illegal": "magenta", "invalid": "yellow",
}  # fmt: skip


def head_of(marks: bool) -> tuple[str, str, str]:
    """The header of the table of orders."""
    return "Order", "Mark" if marks else "Result", "Why"


def row_of(order: OrderOutcome, marks: bool) -> tuple[str, Words, str]:
    """The row of an order, with the result or the algorithm's `marks`."""
    why = order.reason.text
    if order.amended:
        why = f"{why} ({order.amended})"
    result = result_of(order.verdict, order.fate)
    if marks:
        result = Styled(", ".join(order.marks) or "none", style_of(order.verdict))
    return order.order, result, why


def result_of(verdict: str, fate: str) -> Words:
    """An order's verdict and its unit's fate; `stands` is left out if there is a fate."""
    words = [fate] if verdict == "stands" and fate else [verdict, fate]
    return Styled(", ".join(filter(None, words)), style_of(verdict))


def style_of(verdict: str) -> str:
    """The style of a verdict on a terminal, "" for plain text."""
    return _STYLES.get(verdict, "")


def what_is_proven(subgraphs: Sequence[Subgraph], evidence: Evidence) -> list[Part]:
    """How many subgraphs have one resolution, what proves it, and what is known of the others."""
    found: list[Part] = [proof_in_words((one.verdict for one in subgraphs), evidence)]
    for subgraph in subgraphs:
        if subgraph.verdict != "unique":
            found += _trouble(subgraph)
    return found


def _trouble(subgraph: Subgraph) -> list[Part]:
    number = {"none": "no", "several": str(subgraph.resolutions)}.get(subgraph.verdict, "?")
    rules = ", ".join(dict.fromkeys(rule for rule, _ in subgraph.applications))
    return [
        f"A subgraph of {len(subgraph.decisions)} decisions has {number} resolutions "
        f"({subgraph.verdict}).",
        Table(
            (
                ("Decision cycle", ", ".join(subgraph.cycle)),
                ("Order core", ", ".join(subgraph.core)),
                ("Rule applied", rules or "none"),
            ),
            indent=2,
        ),
    ]


# --- dislodgement ---------------------------------------------------------------------------------

# A unit's dislodgement, and its words.


NOBODY_ENTERS = "though no unit enters"
"""The words about a unit that house rules dislodge although no attacker succeeds."""


@brief()
@dataclass(frozen=True, slots=True)
class Dislodgement(Plain):
    """A unit's dislodgement."""

    power: str
    """The power that owns the unit."""
    unit: str
    """The unit, such as `A LON`."""
    by: str | None
    """The unit that dislodged it; None if no unit enters its province, which some house rules
    allow."""
    retreats: tuple[str, ...]
    """The locations to which it may retreat, none if it is destroyed."""

    @property
    def cause(self) -> str:
        """What dislodged it, in words: `dislodged by A RUH`."""
        return f"dislodged by {self.by}" if self.by else f"dislodged, {NOBODY_ENTERS}"


# --- outcome --------------------------------------------------------------------------------------


class PhaseResult(Shown, Drawn, ABC):
    """The findings about a phase. Two results are equal if they say the same about equal positions
    under equal rules, so a copy equals its original."""

    rulings: tuple[Ruling, ...] = ()
    """The ruling on each submitted order of a movement phase before the other orders are looked
    at."""

    def __init__(self, position: Position, profile: Profile) -> None:
        self.position = position
        """The position before the phase."""
        self.profile = profile
        """The rules."""

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, PhaseResult):
            return NotImplemented
        return type(self) is type(other) and self._value() == other._value()

    def __hash__(self) -> int:
        return hash(self.position)

    @abstractmethod
    def _value(self) -> tuple[object, ...]:
        """The values that determine everything else in the result."""

    @property
    def rules(self) -> str:
        """The name of the profile."""
        return self.profile.name

    @property
    def map(self) -> str:
        """The name of the map."""
        return self.position.map.name


@brief("rules", "map", "position.phase")
class Outcome(PhaseResult):
    """The results of a phase, and the position that comes next. Made by `dipsat.adjudicate`.

    What a phase cannot have is empty: only movement phases have dislodgements, standoffs, decisions
    and subgraphs; only retreat and adjustment phases disband units. Two outcomes are equal if they
    say the same about equal positions under equal rules, so a copy equals its original.
    """

    def _value(self) -> tuple[object, ...]:
        return self.position, self.profile, self.rulings, self.orders, self.decisions

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
        """Whether the resolution is proven to be the only consistent one: no cycle rule was needed.
        True for retreats and adjustments, which have no equations and only one result."""
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

    @property
    def evidence(self) -> Evidence | None:
        """What proves how many resolutions there are; None if an engine other than the solver
        decided, and for retreats and adjustments, which have no equations."""
        return None

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
        """Return the outcome of a unit's order. The unit may be in any notation (`"A LON"`). An
        order after it, as in `"A LON - WAL"`, is not compared with the unit's own order.

        If the unit has several orders, the outcome is that of the order that was followed, or else
        the first. An order of no unit is named by its text, if need be after its power (`"WAIVE"`,
        `"France WAIVE"`). Raises `UnknownNameError` if there is no such unit, or if it has no order
        in this phase; `F PAR` is not such a unit if `A PAR` is there. Raises `AmbiguousNameError`
        if several powers have this order of no unit, and the reader's errors for a text that names
        neither an order nor a unit.
        """
        of_none = {f"{one.power} {one.order}": one for one in self.orders if not one.unit}
        words = words_of(unit)
        meant = [n for n, one in of_none.items() if words in map(words_of, (n, one.order))]
        if len(meant) > 1:
            raise AmbiguousNameError("order", unit, meant)
        if meant:
            return of_none[meant[0]]
        reader = self.position.reader
        named = reader.read_unit(ordered_unit(reader, unit)[0])
        province = province_of(named.location)
        lost = {one.unit.province: one.unit.power for one in self.position.dislodged}
        there = self.position.by_province.get(province)
        owner = lost.get(province) or (there.power if there else None)

        def is_other(order: OrderOutcome) -> bool:
            return named.kind is not None and order.unit.split()[-2:-1] not in ([], [named.kind])

        there_too = (
            order
            for order in self.orders
            if province_of(order.unit.rpartition(" ")[2]) == province
            and owner in (None, order.power)
        )
        found = min(
            there_too, key=lambda one: (is_other(one), one.verdict == "illegal"), default=None
        )
        phase = str(self.position.phase)
        if found is not None and not is_other(found) and named.power in (None, found.power):
            return found
        if (
            there is not None
            and named.kind in (None, there.kind)
            and named.power in (None, there.power)
        ):
            raise UnknownNameError("unit", unit, (), problem=_without_order(there, phase))
        hint = "" if found is None else f"the unit there is {found.unit} of {titled(found.power)}"
        raise missing_unit(named, (order.unit for order in self.orders), phase, hint)

    def _parts(self) -> Iterable[Part]:
        return parts_of_outcome(self)

    def _repr_html_(self) -> str:
        return html_of_outcome(self)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences to keep in mind about the outcome: which algorithm decided, and whether it may
        be wrong. Empty if the solver decided."""
        return ()

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `dipsat adjudicate --json` prints them. If not
        everything is decided, `units`, `dislodged`, `contested`, `next` and `winner` are None."""
        known = self.is_decided
        return {
            "rules": self.rules,
            "map": self.map,
            "phase": str(self.position.phase),
            "orders": [order.to_dict() for order in self.orders],
            "units": plain(self.units) if known else None,
            "dislodged": plain(self.dislodged) if known else None,
            "disbanded": plain(self.disbanded),
            "contested": plain(self.contested) if known else None,
            "subgraphs": [subgraph.to_dict() for subgraph in self.subgraphs],
            "evidence": plain(self.evidence),
            "next": self.next.to_dict() if known else None,
            "winner": self.winner if known else None,
        }


def _without_order(unit: Unit, phase: str) -> str:
    """The message about a unit on the board that has no order in a retreat or adjustment phase."""
    why = "it is not dislodged" if phase.endswith("R") else "it is not disbanded"
    return f"{unit} of {titled(unit.power)} has no order in {phase}: {why}"


def parts_of_outcome(outcome: Outcome, marks: bool = False) -> list[Part]:
    """The table of orders, with the powers as headings, and the lines below it. With `marks`, rows
    show the algorithm's marks instead of the results."""
    rows: list[tuple[Words, ...]] = []
    power = None
    for order in outcome.orders:
        if order.power != power:
            power = order.power
            rows.append((Styled(titled(power), "bold"),))
        shown, *others = row_of(order, marks)
        rows.append((f"  {shown}", *others))
    columns = tuple(map(Column, head_of(marks)))
    return [Table(tuple(rows), columns, edge=GAP), *_below(outcome)]


def html_of_outcome(outcome: Outcome) -> str:
    """The same as HTML, with the powers in a column."""
    title = f"{outcome.position.phase}, {outcome.map}, {outcome.rules}"
    rows = [
        (titled(order.power), *map(plain_text, row_of(order, False))) for order in outcome.orders
    ]
    return html_of(("Power", *head_of(False)), rows, title) + html_of_parts(_below(outcome))


def _below(outcome: Outcome) -> list[Part]:
    """The lines below the orders: what follows, what is proven and the remarks, separated by empty
    lines."""
    if outcome.is_decided:
        found = _what_follows(outcome)
    else:
        found = ["Not everything is decided, so what follows is not known."]
    if outcome.evidence is not None and outcome.subgraphs:
        found += ["", *what_is_proven(outcome.subgraphs, outcome.evidence)]
    else:
        found += ["", *lines_of_proof(outcome)]
    return found


def lines_of_proof(outcome: Outcome) -> tuple[str, ...]:
    """What is proven about an outcome, and what proves it, in sentences."""
    if outcome.evidence is None:
        return outcome.remarks or (_NO_EQUATIONS,)
    return (proof_in_words((one.verdict for one in outcome.subgraphs), outcome.evidence),)


_NO_EQUATIONS = "Retreats and adjustments are decided without equations; there is nothing to prove."


def lines_of_fights(outcome: Outcome) -> Iterator[str]:
    """Which units are dislodged, and where standoffs bar retreats, if everything is decided."""
    for unit in outcome.dislodged:
        cause = f"by {unit.by}" if unit.by else NOBODY_ENTERS
        is_neutral = unit.power in outcome.position.map.neutrals
        where = no_retreat(unit.power) if is_neutral else retreats_in_words(unit.retreats)
        yield f"Dislodged: {unit.unit} ({titled(unit.power)}) {cause}; {where}."
    if outcome.contested:
        yield f"Standoff, no retreat to: {', '.join(outcome.contested)}."


def _what_follows(outcome: Outcome) -> list[Part]:
    found: list[Part] = [*lines_of_fights(outcome), f"Next phase: {outcome.next.phase}."]
    phase = outcome.next.phase
    is_adjustment = phase.kind is PhaseKind.ADJUSTMENT
    if phase.year > outcome.position.phase.year or is_adjustment:
        found += ["", *_end_of_year(outcome)]
    return found


def _end_of_year(outcome: Outcome) -> list[str]:
    """The end of the year: who owns and has what, and who builds or disbands."""
    before, after = outcome.position, outcome.next
    found = list(board_lines(after))
    if not after.unknown_centers:
        found += center_lines(before, after)
    found += adjustment_lines(after, outcome.profile.settings)
    return found if outcome.winner is None else [*found, f"{titled(outcome.winner)} has won."]


# --- reason and evidence --------------------------------------------------------------------------


@brief()
@dataclass(frozen=True, slots=True)
class Reason:
    """Why an order had its result."""

    code: str
    """For programs: `ok`, the name of the condition that failed, or a word such as `cycle_rule`."""
    text: str
    """For people: a sentence with the strengths, in units."""
    because: tuple[str, ...] = ()
    """The units whose orders caused it."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {"code": self.code, "text": self.text, "because": list(self.because)}


_TITLES = {Z3: "Z3"}
"""The names of solvers that people write differently."""


@brief()
@dataclass(frozen=True, slots=True)
class SolvedSubgraph(Plain):
    """A connected subgraph of the decisions that were given to a solver, and its answer."""

    decisions: tuple[str, ...]
    """The names of its decisions, as in `Outcome.decisions`."""
    solver: str
    """What counted its resolutions: `z3`, or `case analysis`, dipsat's own search that tries every
    value."""
    instead_of: str | None
    """The solver that this one replaced because it is not installed; else None."""
    verdict: str
    """Its answer: `unique`, `none` or `several`."""
    resolutions: int
    """The number of resolutions found, at most 64."""


@brief()
@dataclass(frozen=True, slots=True)
class Evidence:
    """What proves how many resolutions the equations of a phase have, before any cycle rule.

    Each decision is counted once: as propagated, as a constant, in a subgraph, or as undecided.
    """

    propagation: int
    """The number of decisions that propagation decided: their value holds in every resolution."""
    constants: int
    """If nothing was propagated, the number of strengths whose equations allow only one value."""
    subgraphs: tuple[SolvedSubgraph, ...]
    """The subgraphs that solvers were asked about."""
    undecided: int
    """The number of decisions that a limit of time or work left open, besides those in subgraphs
    that were solved."""
    is_stopped: bool = False
    """Whether a limit kept a cycle rule from deciding a subgraph that was solved."""

    @property
    def text(self) -> str:
        """The same in words: `24 decisions by propagation, 4 decisions in 1 subgraph by Z3`."""
        found = []
        if self.propagation:
            found.append(f"{counted(self.propagation, 'decision')} by propagation")
        asked = grouped(((one.solver, one.instead_of or ""), one) for one in self.subgraphs)
        for (solver, missing), those in asked.items():
            decisions = counted(sum(len(one.decisions) for one in those), "decision")
            where = counted(len(those), "subgraph")
            found.append(f"{decisions} in {where} by {solver_in_words(solver, missing)}")
        if self.constants:
            found.append(counted(self.constants, "constant"))
        if self.undecided:
            found.append(f"{counted(self.undecided, 'decision')} left open by the limits")
        if self.is_stopped:
            found.append("with a cycle that the limits left without a rule")
        return ", ".join(found) or "no decisions"

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, with the text."""
        return {**fields_of(self), "text": self.text}


def solver_in_words(solver: str, instead_of: str | None = None) -> str:
    """The name of what decided, for people: `Z3`, or what replaced it and why."""
    title = _TITLES.get(solver, solver)
    if not instead_of:
        return title
    return f"{title} because {_TITLES.get(instead_of, instead_of)} is not installed"


def proof_in_words(verdicts: Iterable[str], evidence: Evidence) -> str:
    """Whether subgraphs with these verdicts have one resolution each, and what proves it."""
    found: Sequence[str] = tuple(verdicts)
    unique = found.count("unique")
    if unique == len(found):
        return f"Proven unique: {evidence.text}."
    start = "Proven not unique" if {"none", "several"}.intersection(found) else "Not decided"
    have = "has" if len(found) == 1 else "have"
    return (
        f"{start}: {evidence.text}. {unique} of {counted(len(found), 'subgraph')} {have} exactly "
        f"one consistent resolution."
    )


@brief()
class Subgraph(NamedTuple):  # a board has some forty; a frozen dataclass takes three times as long
    """A connected subgraph of the decision graph: decisions that depend on one another."""

    decisions: tuple[str, ...]
    """The names of the decisions, such as `move(A LON - BEL)`."""
    resolutions: int
    """The number of consistent resolutions of its equations, counted up to 64."""
    verdict: str
    """What is proven: `unique`, `none`, `several`, or `unknown` if the time limit was too short."""
    cycle: tuple[str, ...] = ()
    """The decisions of the cycle, if there is not exactly one resolution."""
    core: tuple[str, ...] = ()
    """The units of the smallest set of orders found that still lacks a single resolution (DATC 3.0
    4.A.2). The search has a bound, which rules with long equations can reach."""
    rule: str | None = None
    """The first cycle rule applied, None if there was none."""
    applications: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Every application of a rule, as (rule, cycle), in order."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        applied = [{"rule": rule, "cycle": [*cycle]} for rule, cycle in self.applications]
        return {
            "decisions": [*self.decisions],
            "resolutions": self.resolutions,
            "verdict": self.verdict,
            "cycle": [*self.cycle],
            "core": [*self.core],
            "rule": self.rule,
            "applications": applied,
        }
