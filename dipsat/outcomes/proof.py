"""What is proven about the resolutions of a phase, and how people read it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from dipsat.base import (
    GAP,
    UNLIMITED,
    Column,
    ExhaustedError,
    Limits,
    Part,
    Styled,
    Table,
    Words,
    brief,
    checked,
    counted,
    fields_of,
    not_enough,
    running,
    running_limits,
    write_folder,
)
from dipsat.equations import Key, all_decisions
from dipsat.errors import NoEquationsError, NumberRangeError, UnresolvedError
from dipsat.game import (
    PhaseKind,
    Position,
    PowerOrders,
    UnitFacts,
    judge_orders,
    read_submissions,
)
from dipsat.orders import Hold, write_order
from dipsat.outcomes.evidence import CORE_STEPS, order_core, solved_subgraph, subgraphs_of
from dipsat.outcomes.outcome import Evidence, PhaseResult, Subgraph, proof_in_words, solver_in_words
from dipsat.outcomes.resolved_phase import GivenPhase, units_of
from dipsat.rules import Profile, check_features, load_profile
from dipsat.solving import (
    MAX_STEPS,
    Budget,
    Claim,
    Models,
    Resolution,
    System,
    budget_of,
    count_resolutions,
    ground_system,
    smt2_files,
)

# --- certificates ---------------------------------------------------------------------------------

# Writing the files of a proof, or of other findings, into a folder of their own.


_OURS = re.compile(r"(?:whole|subgraph-\d+)\.(?:system|unique|resolution)\.smt2|\d+-\d+\.yaml")
"""The names of the files that dipsat writes into a folder: proofs and disagreements."""


def write_files(folder: str | Path, files: Mapping[str, str], force: bool = False) -> None:
    """Write files (name -> text) into a folder, which is created if it is missing.

    A folder that is not empty is refused, because files about another phase would seem to belong to
    these. With `force`, the files of an earlier command are deleted first, and all others stay.
    Raises `FileError`.
    """
    write_folder(folder, files, _OURS, force)


# --- proof ----------------------------------------------------------------------------------------


NOT_UNIQUE = "not unique"
_WHOLE = "whole"  # names the files about all subgraphs together


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
class Proof(PhaseResult):
    """What is proven about the resolutions of a phase. Made by `dipsat.prove`.

    Two proofs are equal if they say the same about equal positions under equal rules and limits, so
    a copy equals its original.
    """

    _drawn_by: ClassVar[str] = "cycle"

    def __init__(self, given: GivenPhase, system: System | None, models: Sequence[Models]) -> None:
        super().__init__(given.position, given.profile)
        self.rulings = given.rulings
        self.limits: Limits = running_limits()
        """The limits of the proof."""
        self._given = given
        self._grounded = system
        self._models = tuple(models)

    def _value(self) -> tuple[object, ...]:
        limits = (self.limits.seconds, self.limits.work)
        found = (self.is_grounded, self._models)
        return self.position, self.profile, self.rulings, limits, found

    @property
    def is_grounded(self) -> bool:
        """Whether there was time to write down the equations; without them there are no subgraphs
        and no files."""
        return self._grounded is not None

    @property
    def verdict(self) -> str:
        """`unique` if every subgraph, and so the phase, has exactly one resolution; `not unique` if
        a subgraph has none or several; otherwise `unknown`."""
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

    @cached_property
    def evidence(self) -> Evidence:
        """What proves the verdict. Nothing is propagated. A strength whose equation allows one
        value is a constant, for which a solver has no symbol."""
        if self._grounded is None:
            return Evidence(0, 0, (), len(all_decisions(self.profile.decisions, self._given.facts)))
        constants = undecided = 0
        solved = []
        for number, (group, models) in enumerate(
            zip(self._system.subgraphs, self._models, strict=True)
        ):
            given = self._given_to_solver(number)
            constants += len(group) - len(given)
            if models.verdict == "unknown":
                undecided += len(given)
            elif given:
                solved.append(solved_subgraph(tuple(map(self._system.name, given)), models))
        return Evidence(0, constants, tuple(solved), undecided)

    def _given_to_solver(self, number: int) -> list[Key]:
        """The decisions of a subgraph for which a solver has symbols: not the constants."""
        bounds = self._system.bounds
        return [key for key in self._system.subgraphs[number] if len(set(bounds(key))) == 2]

    def _solvers(self, numbers: Iterable[int]) -> str:
        """The solvers that were asked about subgraphs, in words; "" if none was."""
        asked = (self._models[number] for number in numbers if self._given_to_solver(number))
        named = {solver_in_words(one.solver, one.instead_of): None for one in asked if one.solver}
        return " and ".join(named)

    def _parts(self) -> Iterable[Part]:
        return parts_of_proof(self)

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
            "evidence": self.evidence.to_dict(),
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
            self._solvers((number,)),
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
            self._solvers(range(len(self._models))), resolution,
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
            with running(self.limits):
                return subgraphs_of(self._given.resolved())
        except (NumberRangeError, UnresolvedError) as error:
            return error

    @cached_property
    def _budget_for_cores(self) -> Budget:
        return Budget(CORE_STEPS)


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


def parts_of_proof(proof: Proof, every: bool = False) -> Iterator[Part]:
    """A proof as people read it: the verdict, the subgraphs (one line for all those of a single
    decision, unless `every` is set), and what is not unique."""
    if not proof.is_grounded:
        yield "Not decided: the time limit was not enough to write down the equations."
        return
    subgraphs = proof.subgraphs
    yield proof_in_words((one.verdict for one in subgraphs), proof.evidence)
    yield ""
    shown = [(at, one) for at, one in enumerate(subgraphs, 1) if every or not _is_trivial(one)]
    if shown:
        yield Table(tuple(_row(at, one) for at, one in shown), _COLUMNS, edge=GAP)
    if folded := len(subgraphs) - len(shown):
        which = counted(folded, "subgraph", "subgraphs")
        yield f"{which} of one decision: unique."
    troubles = [(at, one) for at, one in enumerate(subgraphs, 1) if one.verdict != "unique"]
    if troubles:
        yield ""
    for number, one in troubles:
        yield f"Subgraph {number}: {in_words(one.verdict, one.resolutions, one.is_complete)}."
        if one.cycle:
            core = (("Decision cycle", ", ".join(one.cycle)), ("Order core", ", ".join(one.core)))
            yield Table(core, indent=2)


_COLUMNS = (
    Column("Subgraph", is_right=True), Column("Decisions", is_right=True), Column("Verdict"),
    Column("Resolutions", is_right=True), Column("Orders"),
)  # fmt: skip
_STYLES = {"unique": "green", "none": "red", "several": "red", "unknown": "yellow"}


def _row(number: int, one: SubgraphProof) -> tuple[Words, ...]:
    """The row of a subgraph; `+` says that there may be more resolutions than those found."""
    return (
        str(number), str(len(one.decisions)), Styled(one.verdict, _STYLES[one.verdict]),
        f"{one.resolutions}{'' if one.is_complete else '+'}",
        "; ".join(order for _, order in one.orders),
    )  # fmt: skip


def _is_trivial(one: SubgraphProof) -> bool:
    return one.verdict == "unique" and len(one.decisions) == 1


# --- prove ----------------------------------------------------------------------------------------

# Whether the orders of a phase have one consistent resolution, without propagation.


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

    Z3 gets the equations of all decisions except strengths that can have only one value. Those
    values are inserted, as are the results of comparisons that the ranges of strengths decide.
    Nothing else is propagated first, and no cycle rule is applied. If Z3 is not installed, case
    analysis stands in for it; `Proof.evidence` says which of them decided. `position`, `orders`,
    `rules` and `lenient` are as for `adjudicate`. Subgraphs that are not decided within `limits`
    have the verdict `unknown`. Without `limits`, only those that take more steps than dipsat's own
    bound (`Limits.work`) have it.

    Raises `NoEquationsError` for a retreat or adjustment phase, `NumberRangeError` for rules with
    numbers that cannot be searched, `SolverError` for a board that needs Z3 if that is not
    installed, `WorkLimitError` for rules that would take too many steps, and the errors of
    `adjudicate` for orders and rules that cannot be read. Raises `LimitError` if `limits.seconds`
    are not enough to read them.
    """
    if position.phase.kind in (PhaseKind.RETREAT, PhaseKind.ADJUSTMENT):
        raise NoEquationsError(str(position.phase))
    with running(limits):
        budget = budget_of(MAX_STEPS)
        profile = load_profile(rules)
        check_features(profile, position.map)
        position = position.with_words(profile.words)
        submissions = read_submissions(position, orders, profile.settings, lenient)
        rulings = judge_orders(position, submissions, profile.settings)
        given = GivenPhase.of(profile, position, rulings)
        try:
            system = ground_system(profile, given.facts)
        except ExhaustedError:
            return Proof(given, None, ())
        return Proof(given, system, count_resolutions(system, budget))
