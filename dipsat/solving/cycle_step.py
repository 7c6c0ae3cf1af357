"""One step of resolving a decision cycle: the cycle rule that applies, and what it settles."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace

from dipsat.equations.cycle_rules import objects_of_cycle, pins_along, pins_set, rules_that_apply
from dipsat.equations.ground import Grounder
from dipsat.equations.phase import Phase
from dipsat.errors import UnresolvedError
from dipsat.language.closed import Scope
from dipsat.language.syntax import Expression
from dipsat.profiles.profile import CycleRule, Profile
from dipsat.solving.models import Models, Resolution
from dipsat.terms.term import Key

Interval = Callable[[Key], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class CycleResolution:
    """How cycle rules settle a decision cycle: the cycle, the number of its resolutions on its own,
    the names of the rules (usually one), and the decisions that they set. `chosen` says whether
    these are one of the resolutions (`choose`), so that every equation of the cycle is kept."""

    cycle: tuple[Key, ...]
    resolutions: int
    rules: tuple[str, ...]
    pins: Mapping[Key, int]
    chosen: bool = False

    @property
    def reaches_out(self) -> bool:
        """Whether decisions outside the cycle are set too (`along`)."""
        return not self.pins.keys() <= set(self.cycle)

    @property
    def rule(self) -> str:
        """The names of the rules as one text."""
        return ", ".join(self.rules)


def settle_cycle(
    profile: Profile,
    phase: Phase,
    cycle: tuple[Key, ...],
    models: Models,
    interval: Interval,
    subgraph: Collection[Key],
) -> CycleResolution:
    """Settle a cycle by the first rule that applies, and those marked `together` with it. `models`
    holds the cycle's resolutions.

    `interval` gives what is known about the other decisions; those in the cycle's `subgraph` may be
    set along with it. Raises `UnresolvedError` if no rule applies.
    """
    grounder = Grounder(profile, phase)
    scope = cycle_scope(grounder, cycle, len(models.resolutions))

    def is_open(key: Key) -> bool:
        return key in subgraph and len(set(interval(key))) == 2

    def pins_of(rule: CycleRule) -> Mapping[Key, int]:
        if rule.choose is None:
            pins = pins_set(rule, grounder, cycle, scope)
            return {**pins_along(rule, grounder, pins, is_open), **pins} if rule.along else pins
        return _choice(profile, phase, rule.choose, scope, models, interval)

    applied, pins, idle = rules_that_apply(profile.cycles, grounder, scope, pins_of)
    if applied:
        names = tuple(rule.name for rule in applied)
        chosen = applied[0].choose is not None
        return CycleResolution(cycle, len(models.resolutions), names, pins, chosen)
    about = (grounder.name(key) for key in cycle)
    raise UnresolvedError(profile.name, about, len(models.resolutions), idle)


def cycle_scope(grounder: Grounder, cycle: Iterable[Key], resolutions: int) -> dict[str, object]:
    """The value of `cycle` in the expressions of a rule."""
    return {"cycle": SimpleNamespace(**objects_of_cycle(grounder, cycle), resolutions=resolutions)}


def _choice(
    profile: Profile,
    phase: Phase,
    condition: Expression,
    scope: Scope,
    models: Models,
    interval: Interval,
) -> Resolution:
    """The only resolution for which the condition holds; empty if there are none or several, or if
    not all resolutions are known."""

    def holds(resolution: Resolution) -> bool:
        def known(key: Key) -> tuple[int, int]:
            return (resolution[key], resolution[key]) if key in resolution else interval(key)

        return Grounder(profile, phase, known).term(condition, scope) is True

    fitting = [resolution for resolution in models.resolutions if holds(resolution)]
    return fitting[0] if len(fitting) == 1 and models.complete else {}
