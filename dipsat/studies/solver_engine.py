"""dipsat's own solver behind the interface of the other algorithms."""

from __future__ import annotations

from dataclasses import dataclass

from dipsat.equations import Phase
from dipsat.outcomes import BackupRule, EquationVerdicts
from dipsat.rules import Profile
from dipsat.studies.engine_names import SOLVER


@dataclass(frozen=True, slots=True)
class Solver:
    """Propagation, then Z3 or case analysis, over the equations of a profile."""

    name: str = SOLVER

    def decide(self, phase: Phase, profile: Profile) -> EquationVerdicts:
        """Decide a phase; see `dipsat.outcomes.engine.Engine`."""
        # Every command finds this engine by its name; few let it decide through this interface.
        from dipsat.solving import resolve
        from dipsat.studies.order_equations import OrderEquations

        solution = resolve(profile, phase)
        equations = OrderEquations(profile, phase, self.name)
        values = {key: solution.bounds.interval(key)[0] for key in equations.keys}
        applied = [record.applied for record in solution.records if record.applied is not None]
        backup = tuple(BackupRule(a.rule, a.cycle, a.pins, a.chosen) for a in applied)
        return equations.verdicts(values, backup)


ENGINE = Solver()
