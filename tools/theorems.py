"""Checks of the claims about decision cycles: `python -m tools.theorems` (docs/theorems.md).

For every rule choice about movement it shows which claims the solver proves for all boards. Then it
checks the same claims, and one without such a proof, for all orders of small positions. Last, it
checks the counterexamples.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import dipsat
from dipsat import load_phase
from dipsat.equations import Grounder, Key, unknowns
from dipsat.errors import UnresolvedError
from dipsat.outcomes import MovementOutcome
from dipsat.rules import DECISIONS_NEEDED, Profile, load_profile
from dipsat.searches import Structure, structure_of
from dipsat.searches.cegar import Judged, find_confirmed
from dipsat.searches.open_orders import Watch, ask_about
from dipsat.solving import Budget, propagate
from dipsat.solving.budget import ExhaustedError
from dipsat.studies.datc_runs import load_cases

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "docs" / "examples" / "theorems"
SINGLE, KINDS, NO_PARADOX = "one cycle, two resolutions", "two kinds of cycles", "no paradox"
BATTLES = "no cycle in a head-to-head battle"
PROVEN, OPEN = "proven for every board", "not proven"
PARTIAL, ORDER = "partial information suffices", "one simple cycle of orders"

RULES = (
    *("datc", "rulebooks/1971", "rulebooks/1982", "rulebooks/2000", "rulebooks/2023"),
    *("rulebooks/datc-2.4", "rulebooks/datc-3", "rulebooks/dptg"),
    *(f"choices/{path.stem}" for path in sorted((ROOT / "rules/choices").glob("4.A.[1-57]*.yaml"))),
    *(str(path) for path in sorted(EXAMPLES.glob("*.yaml"))),
)
"""The rules that are checked: all rules about movement and convoys."""

COUNTEREXAMPLES = {
    "mutual-support": "mutual-support.yaml",
    "winners-bounce": "winners-bounce.yaml",
    "convoys-cut-nothing": "convoys-cut-nothing.yaml",
    "by-sea-or-land": "choices/4.A.3-fallback",
    "figure-18": "datc",
    "dislodged-twice": "datc",
}
"""The orders of an example, and the rules under which they refute a claim."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A claim under some rules: its scope, the answer, and the time in seconds."""

    claim: str
    rules: str
    scope: str
    answer: str
    seconds: float


def proofs(rules: Iterable[str] = RULES) -> Iterator[Verdict]:
    """The claims proven for every board: any map, any number of units, any orders."""
    for name in rules:
        profile = load_profile(name)
        start = time.perf_counter()
        structure = structure_of(profile)
        seconds = time.perf_counter() - start
        for claim, holds in claims_of(structure).items():
            answer = PROVEN if holds else OPEN
            yield Verdict(claim, profile.name, "every board", answer, seconds)


def claims_of(structure: Structure) -> Mapping[str, bool]:
    """The claims that follow from the lemmas of a profile."""
    return {
        SINGLE: structure.has_single_cycles,
        BATTLES: structure.battles_are_no_cycles,
        KINDS: structure.paradoxes_need_convoys,
        NO_PARADOX: structure.has_no_paradoxes,
    }


# --- all orders of small positions ----------------------------------------------------------------


def all_orders(
    rules: str, claims: Sequence[str], most_units: int, seconds: float
) -> Iterator[Verdict]:
    """Whether any orders refute a claim, for each position with at most `most_units` units in the
    DATC's cases about circular movement and convoys. Each position takes at most `seconds`."""
    profile = load_profile(rules)
    for case in load_cases(["6.C", "6.F", "6.G"]):
        count = len(case.position.units)
        if count <= most_units:
            start = time.perf_counter()
            answer = refutation(case.position, profile, claims, seconds)
            took = time.perf_counter() - start
            scope = f"all orders of {case.name} ({count} units)"
            yield Verdict("; ".join(claims), profile.name, scope, answer, took)


def refutation(
    position: dipsat.Position, profile: Profile, claims: Iterable[str], seconds: float | None = None
) -> str:
    """The claim that some orders of the units refute; `proven` if none do."""
    claims = frozenset(claims)
    deadline = None if seconds is None else time.monotonic() + seconds
    watch = Watch(budget=Budget(None, deadline))
    asked = ask_about(position, [profile], {}, "all", watch)
    board = asked.board()
    rules = board.under(profile)

    def accept(judged: Sequence[Judged]) -> str | None:
        return next((claim for claim in refuted(judged[0], profile) if claim in claims), None)

    try:
        found = find_confirmed(
            board, [rules], [rules.any_open], accept, watch, "cycles", alike=True
        )
    except ExhaustedError:
        return "not decided in time"
    return "proven" if found is None else f"refuted: {found.wanted}"


def refuted(judged: Judged, profile: Profile) -> Iterator[str]:
    """The claims about single decision cycles that the resolution of some orders refutes."""
    if isinstance(judged, UnresolvedError):
        yield KINDS
        return
    for record in judged.solution.records:
        if len(record.models.resolutions) > 2:
            yield SINGLE
        if record.applied is not None and record.applied.rule == "fallback":
            yield KINDS
        if record.models.verdict == "unique":
            yield PARTIAL
    if judged.solution.records and most_cycles(order_cycles(judged, profile, pruned=True)) > 1:
        yield ORDER


# --- cycles of orders -----------------------------------------------------------------------------


def order_cycles(outcome: MovementOutcome, profile: Profile, pruned: bool) -> list[list[str]]:
    """The simple cycles of the graph of orders: each order points to those on whose success or
    failure its own depends, in the equations themselves or, if `pruned`, after propagation."""
    import networkx

    phase = outcome.facts
    bounds = propagate(profile, phase) if pruned else None
    grounder = Grounder(profile, phase, None if bounds is None else bounds.interval)
    graph = networkx.DiGraph()
    for family, kind in DECISIONS_NEEDED.items():
        if family != "dislodge":
            for index in range(len(phase.domain(kind))):
                if bounds is None or len(set(bounds.interval((family, index)))) == 2:
                    key = (family, index)
                    graph.add_edges_from((key, other) for other in _orders_behind(grounder, key))
    names = [
        sorted(str(grounder.object(key)) for key in cycle)
        for cycle in networkx.simple_cycles(graph)
    ]
    return sorted(names, key=lambda cycle: (len(cycle), cycle))


def most_cycles(cycles: Sequence[Sequence[str]]) -> int:
    """The greatest number of these cycles that one order is in."""
    return max(Counter(order for cycle in cycles for order in cycle).values(), default=0)


def _orders_behind(grounder: Grounder, key: Key) -> list[Key]:
    """The decisions about the success of orders on which a decision depends, directly or through
    other decisions."""
    found, seen, fringe = set[Key](), {key}, [key]
    while fringe:
        for other in unknowns(grounder.equation(fringe.pop())):
            if other[0] in ("move", "support", "convoy"):
                found.add(other)
            elif other not in seen:
                seen.add(other)
                fringe.append(other)
    return sorted(found)


# --- counterexamples ------------------------------------------------------------------------------


def counterexample(name: str) -> tuple[MovementOutcome, Profile]:
    """The orders of an example, adjudicated under its rules."""
    rules = COUNTEREXAMPLES[name]
    profile = load_profile(EXAMPLES / rules if rules.endswith(".yaml") else rules)
    phase = load_phase(str(EXAMPLES / f"{name}.txt"), None, profile)
    outcome = dipsat.adjudicate(phase.position, phase.orders, profile)
    assert isinstance(outcome, MovementOutcome)
    return outcome, profile


def counterexamples() -> Iterator[Verdict]:
    """The claims that each counterexample refutes."""
    for name in COUNTEREXAMPLES:
        start = time.perf_counter()
        outcome, profile = counterexample(name)
        found = list(dict.fromkeys(refuted(outcome, profile)))
        if most_cycles(order_cycles(outcome, profile, pruned=False)) > 1 and ORDER not in found:
            found.append(f"{ORDER}, before propagation")
        scope = f"{len(outcome.orders)} units"
        took = time.perf_counter() - start
        yield Verdict("; ".join(found), profile.name, scope, f"refuted by {name}.txt", took)


def paradoxes(rules: Iterable[str] = RULES) -> Iterator[Verdict]:
    """The smallest case of the DATC (6.F) that is a convoy paradox under these rules."""
    cases = [case for case in load_cases(["6.F"]) if len(case.position.units) <= 12]
    cases.sort(key=lambda case: len(case.position.units))
    for name in rules:
        profile, start = load_profile(name), time.perf_counter()
        for case in cases:
            outcome = dipsat.adjudicate(case.position, case.orders, profile)
            if isinstance(outcome, MovementOutcome) and _has_paradox(outcome):
                scope, took = f"{len(case.position.units)} units", time.perf_counter() - start
                yield Verdict(NO_PARADOX, profile.name, scope, f"refuted by {case.name}", took)
                break


def _has_paradox(outcome: MovementOutcome) -> bool:
    applied = (record.applied for record in outcome.solution.records)
    return any(step is not None and "convoy" in {key[0] for key in step.cycle} for step in applied)


def main(most_units: int = 7, seconds: float = 120.0) -> None:
    """Print all results, line by line."""
    theirs, ours = (SINGLE, KINDS, PARTIAL), str(EXAMPLES / "cut-first.yaml")
    for verdict in chain(
        proofs(),
        paradoxes(),
        all_orders("datc", theirs, most_units, seconds),
        all_orders(ours, (*theirs, ORDER), most_units, seconds),
        all_orders("choices/4.A.4-brannan", theirs, most_units, seconds),
        counterexamples(),
    ):
        print(
            f"{verdict.rules}: {verdict.claim}; {verdict.scope}: {verdict.answer}"
            f" ({verdict.seconds:.1f} s)",
            flush=True,
        )


if __name__ == "__main__":
    main()
