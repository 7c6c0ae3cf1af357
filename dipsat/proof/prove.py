"""Whether the orders of a phase have one consistent resolution, proven by Z3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from dipsat.brief import brief
from dipsat.errors import NoEquationsError, NumberRangeError, UnresolvedError
from dipsat.errors.arguments import checked
from dipsat.game.facts import UnitFacts
from dipsat.game.legality import Ruling, judge_orders
from dipsat.game.order_sets import PowerOrders
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import Position
from dipsat.game.submissions import read_submissions
from dipsat.limits import (
    UNLIMITED,
    ExhaustedError,
    Limits,
    Running,
    not_enough,
    running,
)
from dipsat.orders.order import Hold
from dipsat.orders.writer import write_order
from dipsat.plain import fields_of
from dipsat.profiles.features import check_features
from dipsat.profiles.load import load_profile
from dipsat.profiles.profile import Profile
from dipsat.proof.certificates import write_files
from dipsat.proof.resolved import GivenPhase
from dipsat.proof.subgraphs import Subgraph, budget_for_cores, order_core, subgraphs_of, units_of
from dipsat.solving.budget import Budget, budget_of
from dipsat.solving.certificate import Claim, smt2_files
from dipsat.solving.models import MAX_STEPS, Models, Resolution
from dipsat.solving.system import System, count_resolutions, ground_system
from dipsat.tables import html_of
from dipsat.terms.term import Key

NOT_UNIQUE = "not unique"
_WHOLE = "whole"  # names the files about all subgraphs together


def prove(
    position: Position,
    orders: Mapping[str, PowerOrders],
    rules: str | Path | Profile = "datc",
    *,
    lenient: bool = False,
    limits: Limits = UNLIMITED,
) -> Proof:
    """Count the consistent resolutions of a phase, subgraph by subgraph, with Z3. The phase is a
    movement phase, or an extra phase for orders that the rules declare (`U1901X`).

    Z3 gets the grounded equations of all decisions. Nothing is propagated before, and no cycle rule
    is applied. `position`, `orders`, `rules` and `lenient` are as for `adjudicate`. What is not
    decided within `limits` has the verdict `unknown`. Without them, only what takes more steps of
    Z3 than `Limits.work` says is unknown.

    Raises `NoEquationsError` for a retreat or adjustment phase, `NumberRangeError` for rules with
    numbers that cannot be searched, `WorkLimitError` for rules that would take too many steps, and
    the errors of `adjudicate` for orders and rules that cannot be read. Raises `LimitError` if
    `limits.seconds` are not enough to read them.
    """
    if position.phase.kind in (PhaseKind.RETREAT, PhaseKind.ADJUSTMENT):
        raise NoEquationsError(str(position.phase))
    with running(limits) as now:
        budget = budget_of(now, MAX_STEPS)
        given = _given(position, orders, rules, lenient, now)
        try:
            system = ground_system(given.profile, given.facts, now.spend)
        except ExhaustedError:
            return Proof(given, None, (), limits)
        return Proof(given, system, count_resolutions(system, budget), limits)


def _given(
    position: Position,
    orders: Mapping[str, PowerOrders],
    rules: str | Path | Profile,
    lenient: bool,
    limits: Running,
) -> GivenPhase:
    profile = load_profile(rules, limits=limits)
    check_features(profile, position.map)
    position = position.with_words(profile.words)
    submissions = read_submissions(position, orders, profile.settings, limits, lenient)
    rulings = judge_orders(position, submissions, profile.settings, limits)
    return GivenPhase.of(profile, position, rulings, limits=limits)


@brief()
@dataclass(frozen=True)
class SubgraphProof:
    """What is proven about a connected subgraph of the decision graph."""

    decisions: tuple[str, ...]
    """The names of its decisions, as in `Outcome.decisions`."""
    orders: tuple[tuple[str, str], ...]
    """The orders of the units that the decisions are about, as (power, order)."""
    verdict: str
    """`unique`, `none`, `several`, or `unknown` if the time limit was too short."""
    resolutions: int
    """The number of resolutions found."""
    is_complete: bool
    """Whether there are no others; the search stops at 64."""
    _proof: Proof = field(repr=False, compare=False)
    _number: int = field(repr=False, compare=False)

    @property
    def values(self) -> tuple[Mapping[str, int], ...]:
        """The resolutions found: each maps decisions to values, strengths in units and truth values
        as 0 or 1."""
        found = self._proof._models[self._number].resolutions
        return tuple(self._proof._named(resolution) for resolution in found)

    @property
    def cycle(self) -> tuple[str, ...]:
        """The decision cycle, if the verdict is `none` or `several`; empty if the time limit was
        too short to decide every subgraph."""
        return self._trouble[0]

    @property
    def core(self) -> tuple[str, ...]:
        """The units of the smallest set of orders found with the same verdict (DATC 3.0 4.A.2)."""
        return self._trouble[1]

    @cached_property
    def _trouble(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return self._proof._trouble(self._number)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        orders = [{"power": power, "order": order} for power, order in self.orders]
        found = {**fields_of(self), "orders": orders}
        return {**found, "cycle": list(self.cycle), "core": list(self.core)}


@brief("rules", "map", "position.phase")
class Proof:
    """What is proven about the resolutions of a phase. Made by `dipsat.prove`.

    Two proofs are equal only if they are the same object; `to_dict` gives what can be compared.
    """

    def __init__(
        self,
        given: GivenPhase,
        system: System | None,
        models: Sequence[Models],
        limits: Limits = UNLIMITED,
    ) -> None:
        self.position: Position = given.position
        """The position before the phase."""
        self.profile: Profile = given.profile
        """The rules."""
        self.rulings: tuple[Ruling, ...] = given.rulings
        """The ruling on each submitted order before the other orders are looked at."""
        self.limits = limits
        """The limits of the proof."""
        self._given = given
        self._grounded = system
        self._models = tuple(models)

    @property
    def rules(self) -> str:
        """The name of the profile."""
        return self.profile.name

    @property
    def map(self) -> str:
        """The name of the map."""
        return self.position.map.name

    @property
    def is_grounded(self) -> bool:
        """Whether the time was enough to write down the equations; without them there are no
        subgraphs and no files."""
        return self._grounded is not None

    @property
    def verdict(self) -> str:
        """`unique` if every subgraph, and so the phase, has exactly one resolution; `not unique` if
        a subgraph has none or several; else `unknown`."""
        verdicts = {models.verdict for models in self._models}
        if self._grounded is None:
            return "unknown"
        if verdicts & {"none", "several"}:
            return NOT_UNIQUE
        return "unknown" if "unknown" in verdicts else "unique"

    @cached_property
    def subgraphs(self) -> tuple[SubgraphProof, ...]:
        """All connected subgraphs, in order of their first decision; none if the time was up before
        they were known."""
        if self._grounded is None:
            return ()
        name = self._system.grounder.name
        return tuple(
            SubgraphProof(
                tuple(name(key) for key in group),
                self._orders(group),
                models.verdict,
                len(models.resolutions),
                models.complete,
                self,
                number,
            )
            for number, (group, models) in enumerate(
                zip(self._system.subgraphs, self._models, strict=True)
            )
        )

    def _repr_html_(self) -> str:
        head = ("Subgraph", "Decisions", "Verdict", "Resolutions", "Orders")
        rows = (
            (
                str(number), str(len(one.decisions)), one.verdict,
                f"{one.resolutions}{'' if one.is_complete else '+'}",
                "; ".join(order for _, order in one.orders),
            )
            for number, one in enumerate(self.subgraphs, 1)
        )  # fmt: skip
        title = f"{self.position.phase}, {self.map}, {self.rules}: {self.verdict}"
        return html_of(head, rows, title)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as `dipsat prove --json` prints them."""
        return {
            "rules": self.rules,
            "map": self.map,
            "phase": str(self.position.phase),
            "seconds": self.limits.seconds,
            "work": self.limits.work,
            "verdict": self.verdict,
            "subgraphs": [subgraph.to_dict() for subgraph in self.subgraphs],
        }

    def smt2(self) -> dict[str, str]:
        """Return the system and its uniqueness query as SMT-LIB 2.6: file name -> text, for each
        subgraph and for the whole phase.

        `NAME.system.smt2` asks for a resolution, `NAME.unique.smt2` for one other than the
        resolution found. Each states the expected answer as `:status` (docs/proofs.md). Raises
        `LimitError` if the time was up before the system was known.
        """
        files = smt2_files(self._system, self._whole_claim(), _WHOLE)
        width = len(str(len(self._models)))
        for number in range(len(self._models)):
            name = f"subgraph-{number + 1:0{width}}"
            files |= smt2_files(self._system, self._claim(number), name)
        return files

    @checked
    def write_smt2(self, folder: str | Path, force: bool = False) -> tuple[str, ...]:
        """Write the files of `smt2()` into a folder, and return their names.

        A missing folder is created. Raises `FileError` if the folder cannot be written, or if it
        holds anything and `force` is not set. With `force`, the files of an earlier proof are
        replaced.
        """
        files = self.smt2()
        write_files(folder, files, force)
        return tuple(files)

    def _claim(self, number: int) -> Claim:
        models, group = self._models[number], self._system.subgraphs[number]
        return Claim(
            f"Subgraph {number + 1} of {len(self._models)}",
            self._about,
            _lines(self._orders(group)),
            group,
            models.verdict,
            in_words(models.verdict, len(models.resolutions), models.complete),
            models.resolutions[0] if models.resolutions else None,
        )

    def _whole_claim(self) -> Claim:
        """The claim about all subgraphs together: their resolutions combine freely."""
        verdict, resolution = self._whole()
        keys = tuple(key for group in self._system.subgraphs for key in group)
        words = {
            "unique": "exactly one resolution",
            "none": "no resolution, because a subgraph has none",
            "several": "several resolutions, because a subgraph has",
            "unknown": "unknown, the time limit was not enough",
        }[verdict]
        return Claim(
            "All subgraphs", self._about, _lines(self._orders(keys)), keys, verdict, words,
            resolution,
        )  # fmt: skip

    def _whole(self) -> tuple[str, Resolution | None]:
        """The verdict on all subgraphs together, and one of their common resolutions if known."""
        verdicts = {models.verdict for models in self._models}
        if "none" in verdicts:
            return "none", None
        if not all(models.resolutions for models in self._models):
            return "unknown", None
        values: dict[Key, int] = {}
        for models in self._models:
            values.update(models.resolutions[0])
        for verdict in ("several", "unknown"):
            if verdict in verdicts:
                return verdict, values
        return "unique", values

    @property
    def _about(self) -> str:
        return f"rules {self.rules}, map {self.map}, phase {self.position.phase}"

    def _named(self, resolution: Resolution) -> Mapping[str, int]:
        return {self._system.grounder.name(key): value for key, value in resolution.items()}

    def _orders(self, keys: Sequence[Key]) -> tuple[tuple[str, str], ...]:
        units = units_of(self._system.grounder, keys)
        return tuple(sorted((unit.power, self._order(unit)) for unit in units))

    def _order(self, unit: UnitFacts) -> str:
        """The order that counts for a unit; one without a legal order holds."""
        if isinstance(unit.order, Hold):
            return f"{unit} H"
        return write_order(unit.order, self.position.map)

    def _trouble(self, number: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The cycle and the core of a subgraph; empty unless it has none or several resolutions, or
        if the time is over."""
        models = self._models[number]
        is_over = any(other.verdict == "unknown" for other in self._models)
        if models.verdict not in ("none", "several") or is_over:
            return (), ()
        reports = self._reports
        if isinstance(reports, NumberRangeError):
            return (), ()
        if isinstance(reports, UnresolvedError):  # the profile has no rule for it
            units = units_of(self._system.grounder, self._system.subgraphs[number])
            core = order_core(self._given, units, models.verdict, self._budget_for_cores)
            own = set(self.subgraphs[number].decisions)
            return tuple(reports.cycle) if own.issuperset(reports.cycle) else (), core
        return reports[number].cycle, reports[number].core

    @property
    def _system(self) -> System:
        if self._grounded is None:
            raise not_enough(self.limits)
        return self._grounded

    @cached_property
    def _reports(self) -> tuple[Subgraph, ...] | NumberRangeError | UnresolvedError:
        """What `adjudicate` reports about the subgraphs, in the same order, or its error."""
        try:
            with running(self.limits) as now:
                return subgraphs_of(self._given.resolved(budget_of(now, MAX_STEPS)))
        except (NumberRangeError, UnresolvedError) as error:
            return error

    @cached_property
    def _budget_for_cores(self) -> Budget:
        return budget_for_cores()


def in_words(verdict: str, resolutions: int, is_complete: bool) -> str:
    """A verdict in words: `exactly one resolution`, `2 resolutions` ..."""
    match verdict:
        case "unique":
            return "exactly one resolution"
        case "none":
            return "no resolution"
        case "several":
            return f"{resolutions}{'' if is_complete else ' or more'} resolutions"
    return "unknown, the time limit was not enough"


def _lines(orders: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(f"{power}: {order}" for power, order in orders)
