__all__: list[str]

from dipsat.solving.assignments import can_hold as can_hold
from dipsat.solving.bounds import Bounds as Bounds, propagate as propagate
from dipsat.solving.budget import (
    INTERRUPTED as INTERRUPTED,
    PHASE as PHASE,
    QUESTION as QUESTION,
    TOO_MANY as TOO_MANY,
    Budget as Budget,
    Progress as Progress,
    budget_of as budget_of,
)
from dipsat.solving.dual_rail import (
    FALSE as FALSE,
    TRUE as TRUE,
    Gates as Gates,
    RailSystem as RailSystem,
)
from dipsat.solving.graph import (
    connected_subgraphs as connected_subgraphs,
    decision_cycles as decision_cycles,
    has_cycle as has_cycle,
    on_cycles as on_cycles,
)
from dipsat.solving.models import (
    MAX_RESOLUTIONS as MAX_RESOLUTIONS,
    MAX_STEPS as MAX_STEPS,
    Z3 as Z3,
    Models as Models,
    Resolution as Resolution,
    find_resolutions as find_resolutions,
)
from dipsat.solving.resolution import (
    CoreRecord as CoreRecord,
    CycleResolution as CycleResolution,
    Solution as Solution,
    cycle_scope as cycle_scope,
    decision_graph as decision_graph,
    equations_of as equations_of,
    resolve as resolve,
)
from dipsat.solving.sat import (
    AUTO as AUTO,
    SOLVERS as SOLVERS,
    CardinalityProblem as CardinalityProblem,
    Fewest as Fewest,
    clause_solver as clause_solver,
    refutation_of as refutation_of,
    smt_lib as smt_lib,
    solution_by_z3 as solution_by_z3,
)
from dipsat.solving.size import STEPS_OF_LITERAL as STEPS_OF_LITERAL, check_size as check_size
from dipsat.solving.system import (
    Claim as Claim,
    System as System,
    count_resolutions as count_resolutions,
    ground_system as ground_system,
    number_ranges as number_ranges,
    smt2_files as smt2_files,
)
