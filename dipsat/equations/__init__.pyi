__all__: list[str]

from dipsat.equations.chains import convoy_path_exists as convoy_path_exists, links_of as links_of
from dipsat.equations.cycle_rules import (
    objects_of_cycle as objects_of_cycle,
    pins_along as pins_along,
    pins_set as pins_set,
    rules_that_apply as rules_that_apply,
    where_of as where_of,
)
from dipsat.equations.declared_facts import (
    Fault as Fault,
    Referents as Referents,
    by_type as by_type,
    order_facts as order_facts,
)
from dipsat.equations.folding import (
    Dual as Dual,
    Folded as Folded,
    Integers as Integers,
    evaluate as evaluate,
    fold as fold,
    interval as interval,
    intervals as intervals,
    no_value as no_value,
)
from dipsat.equations.grounding import (
    MAX_OPEN_STEPS as MAX_OPEN_STEPS,
    Grounder as Grounder,
    all_decisions as all_decisions,
)
from dipsat.equations.kind_conditions import (
    broken_condition as broken_condition,
    conditions_on_order as conditions_on_order,
)
from dipsat.equations.levels import (
    Levels as Levels,
    Number as Number,
    between as between,
    is_much_wider as is_much_wider,
)
from dipsat.equations.matching import (
    DeclaredInput as DeclaredInput,
    Effects as Effects,
    build_phase as build_phase,
    match_orders as match_orders,
    phase_of as phase_of,
)
from dipsat.equations.phase import (
    Combination as Combination,
    Mismatch as Mismatch,
    Phase as Phase,
    is_single as is_single,
    number_of as number_of,
    objects_about as objects_about,
    unit_of as unit_of,
    units_about as units_about,
)
from dipsat.equations.reachability import reach as reach
from dipsat.equations.residuals import residual as residual
from dipsat.equations.smtlib import SmtWriter as SmtWriter, symbol_text as symbol_text
from dipsat.equations.term import (
    ORDER as ORDER,
    Disjunction as Disjunction,
    Equations as Equations,
    Key as Key,
    Range as Range,
    Ranges as Ranges,
    Reach as Reach,
    Term as Term,
    Unknown as Unknown,
    all_of as all_of,
    any_of as any_of,
    greater as greater,
    negation as negation,
    parts_of as parts_of,
    size_of as size_of,
    unequal as unequal,
    unknowns as unknowns,
)
