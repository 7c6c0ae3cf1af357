__all__: list[str]

from dipsat.outcomes.adjudication import adjudicate as adjudicate, decided as decided
from dipsat.outcomes.adjustments import AdjustmentOutcome as AdjustmentOutcome
from dipsat.outcomes.answers import (
    Answers as Answers,
    NoAnswers as NoAnswers,
    answer_source as answer_source,
    compiled_legal_orders as compiled_legal_orders,
)
from dipsat.outcomes.comparison import (
    SILENT as SILENT,
    ComparedOrder as ComparedOrder,
    ComparedRetreats as ComparedRetreats,
    Comparison as Comparison,
    Key as Key,
    OrderResult as OrderResult,
    besides_of as besides_of,
    changes_for as changes_for,
    compare as compare,
    judge_alike as judge_alike,
    keyed_orders as keyed_orders,
    labels_of as labels_of,
    parts_of_comparison as parts_of_comparison,
    proofs_of as proofs_of,
    retreat_in_words as retreat_in_words,
)
from dipsat.outcomes.decision_cycles import (
    CycleDecision as CycleDecision,
    DecisionCycle as DecisionCycle,
    decision_cycles_of as decision_cycles_of,
    in_resolution as in_resolution,
)
from dipsat.outcomes.declared_choices import (
    declared_orders as declared_orders,
    declared_orders_of_powers as declared_orders_of_powers,
    line_supports as line_supports,
    named_orders as named_orders,
    orders_named as orders_named,
)
from dipsat.outcomes.engine import (
    BackupRule as BackupRule,
    Convoy as Convoy,
    Engine as Engine,
    EngineReason as EngineReason,
    EquationVerdicts as EquationVerdicts,
    Hold as Hold,
    Move as Move,
    Order as Order,
    OrderedUnit as OrderedUnit,
    OrderSet as OrderSet,
    ReasonedVerdicts as ReasonedVerdicts,
    Support as Support,
    TracedEngine as TracedEngine,
    Verdicts as Verdicts,
    find_engine as find_engine,
    has_route as has_route,
    written as written,
)
from dipsat.outcomes.engine_outcome import EngineOutcome as EngineOutcome, sets_marks as sets_marks
from dipsat.outcomes.explanation_tree import (
    ExplanationNode as ExplanationNode,
    TreeBuilder as TreeBuilder,
    drawn as drawn,
    leaf as leaf,
    with_reason as with_reason,
)
from dipsat.outcomes.movement import MovementOutcome as MovementOutcome
from dipsat.outcomes.movement_order import MovementOrderOutcome as MovementOrderOutcome
from dipsat.outcomes.outcome import (
    DECLARED as DECLARED,
    VERDICTS as VERDICTS,
    Dislodgement as Dislodgement,
    Evidence as Evidence,
    OrderOutcome as OrderOutcome,
    Outcome as Outcome,
    Reason as Reason,
    SolvedSubgraph as SolvedSubgraph,
    Subgraph as Subgraph,
    Told as Told,
    lines_of_fights as lines_of_fights,
    lines_of_proof as lines_of_proof,
    parts_of_outcome as parts_of_outcome,
    result_of as result_of,
    row_of as row_of,
    solver_in_words as solver_in_words,
    style_of as style_of,
)
from dipsat.outcomes.proof import (
    Proof as Proof,
    SubgraphProof as SubgraphProof,
    parts_of_proof as parts_of_proof,
    prove as prove,
    write_files as write_files,
)
from dipsat.outcomes.retreats import RetreatOutcome as RetreatOutcome
from dipsat.outcomes.trace import (
    RESOLVED as RESOLVED,
    UNRESOLVED as UNRESOLVED,
    Call as Call,
    Function as Function,
    Note as Note,
    Return as Return,
    Row as Row,
    Rule as Rule,
    Step as Step,
    Table as Table,
    Trace as Trace,
    in_words as in_words,
)
