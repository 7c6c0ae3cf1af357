__all__: list[str]

from dipsat import draw as draw, engines as engines, errors as errors
from dipsat.app.messages import answer as answer
from dipsat.base.child_process import run_limited as run_limited
from dipsat.base.file_reading import Files as Files
from dipsat.base.limits import Limits as Limits
from dipsat.base.version import __version__ as __version__
from dipsat.board.map import Map as Map, MapLine as MapLine, PowerSetup as PowerSetup
from dipsat.board.map_files import (
    check_map as check_map,
    load_map as load_map,
    map_names as map_names,
    parse_map as parse_map,
)
from dipsat.board.province import Province as Province, UnitKind as UnitKind
from dipsat.errors import DipsatError as DipsatError
from dipsat.formats.datc_cases import (
    CaseAlternative as CaseAlternative,
    CaseExpectation as CaseExpectation,
    ChoiceCondition as ChoiceCondition,
)
from dipsat.formats.game import Game as Game, load_games as load_games
from dipsat.formats.game_archive import Turn as Turn
from dipsat.formats.order_files import load_phase as load_phase, parse_phase as parse_phase
from dipsat.formats.phase_file import PhaseFile as PhaseFile
from dipsat.game.open_position import AnyUnits as AnyUnits, OpenPosition as OpenPosition
from dipsat.game.phase_name import PhaseKind as PhaseKind, PhaseName as PhaseName
from dipsat.game.position import DislodgedUnit as DislodgedUnit, Position as Position
from dipsat.game.ruling import (
    Ruling as Ruling,
    RulingStatus as RulingStatus,
    Submission as Submission,
)
from dipsat.game.submissions import PowerOrders as PowerOrders
from dipsat.kernel.batch import Batch as Batch
from dipsat.kernel.codes import BoardCodes as BoardCodes, PositionCodes as PositionCodes
from dipsat.kernel.game_arrays import (
    Advanced as Advanced,
    Games as Games,
    LegalOrders as LegalOrders,
    PlayedPhase as PlayedPhase,
)
from dipsat.kernel.numbers import MapNumbers as MapNumbers
from dipsat.kernel.result_arrays import BatchResult as BatchResult, ResultArrays as ResultArrays
from dipsat.orders.order import (
    Build as Build,
    Convoy as Convoy,
    DeclaredOrder as DeclaredOrder,
    Disband as Disband,
    Hold as Hold,
    Move as Move,
    Order as Order,
    Retreat as Retreat,
    SupportHold as SupportHold,
    SupportMove as SupportMove,
    Unit as Unit,
    UnitName as UnitName,
    Unreadable as Unreadable,
    Waive as Waive,
)
from dipsat.orders.texts import (
    NOTATIONS as NOTATIONS,
    OrderReader as OrderReader,
    reader_for as reader_for,
    write_order as write_order,
)
from dipsat.orders.verbs import Words as Words
from dipsat.outcomes.adjudication import adjudicate as adjudicate
from dipsat.outcomes.adjustments import AdjustmentOutcome as AdjustmentOutcome
from dipsat.outcomes.comparison import (
    ComparedOrder as ComparedOrder,
    ComparedRetreats as ComparedRetreats,
    Comparison as Comparison,
    OrderResult as OrderResult,
    compare as compare,
)
from dipsat.outcomes.engine_outcome import EngineOutcome as EngineOutcome
from dipsat.outcomes.explanation_tree import ExplanationNode as ExplanationNode
from dipsat.outcomes.movement import (
    MovementOrderOutcome as MovementOrderOutcome,
    MovementOutcome as MovementOutcome,
)
from dipsat.outcomes.outcome import (
    Dislodgement as Dislodgement,
    Evidence as Evidence,
    OrderOutcome as OrderOutcome,
    Outcome as Outcome,
    Reason as Reason,
    SolvedSubgraph as SolvedSubgraph,
    Subgraph as Subgraph,
)
from dipsat.outcomes.proof import Proof as Proof, SubgraphProof as SubgraphProof, prove as prove
from dipsat.outcomes.retreats import RetreatOutcome as RetreatOutcome
from dipsat.rules.profile import Profile as Profile
from dipsat.rules.profile_files import (
    check_profile as check_profile,
    load_profile as load_profile,
    parse_profile as parse_profile,
    profile_names as profile_names,
    variant_names as variant_names,
)
from dipsat.rules.settings import Settings as Settings
from dipsat.searches.achievement_goal import Achieve as Achieve
from dipsat.searches.answering import (
    SearchResult as SearchResult,
    search as search,
    search_smallest as search_smallest,
)
from dipsat.searches.difference_goal import Differ as Differ
from dipsat.searches.explanation import Explanation as Explanation, explain as explain
from dipsat.searches.guarantee_goal import Guarantee as Guarantee
from dipsat.searches.line import (
    LineEnemy as LineEnemy,
    PlanState as PlanState,
    StalemateLine as StalemateLine,
)
from dipsat.searches.line_confirmation import (
    Confirmation as Confirmation,
    confirm_fewest as confirm_fewest,
)
from dipsat.searches.line_file import write_line as write_line
from dipsat.searches.line_finder import LinesResult as LinesResult
from dipsat.searches.line_holding import (
    HoldResult as HoldResult,
    HoldWitness as HoldWitness,
    hold_line as hold_line,
)
from dipsat.searches.line_question import Lines as Lines
from dipsat.searches.order_changes import (
    Responsible as Responsible,
    SmallestChange as SmallestChange,
)
from dipsat.searches.paradox_goal import Paradox as Paradox
from dipsat.searches.question import Question as Question
from dipsat.searches.structure import (
    Lemma as Lemma,
    LemmaQuestion as LemmaQuestion,
    Structure as Structure,
    structure_of as structure_of,
)
from dipsat.solving.sat import SOLVERS as SOLVERS
from dipsat.studies.crosschecks import (
    CrosscheckGroup as CrosscheckGroup,
    CrosscheckPair as CrosscheckPair,
    CrosscheckReport as CrosscheckReport,
    Disagreement as Disagreement,
    SmallestDisagreement as SmallestDisagreement,
    crosscheck as crosscheck,
    crosscheck_rows as crosscheck_rows,
)
from dipsat.studies.datc_runs import (
    Case as Case,
    CaseMismatch as CaseMismatch,
    CaseResult as CaseResult,
    NotMade as NotMade,
    Statement as Statement,
    Unanswered as Unanswered,
    load_cases as load_cases,
    run_case as run_case,
    run_cases as run_cases,
)
from dipsat.studies.impact_report import (
    ImpactCause as ImpactCause,
    ImpactExample as ImpactExample,
    ImpactReport as ImpactReport,
    ImpactShare as ImpactShare,
    NotJudged as NotJudged,
    RulesImpact as RulesImpact,
)
from dipsat.studies.judges import Divergence as Divergence, Judge as Judge
from dipsat.studies.parallel_run import Done as Done, Workers as Workers, run_many as run_many
from dipsat.studies.random_board import RandomBoard as RandomBoard, random_board as random_board
from dipsat.studies.replays import (
    DifferingPhase as DifferingPhase,
    GameReport as GameReport,
    ReplayFailure as ReplayFailure,
    ReplaySkipped as ReplaySkipped,
    replay_files as replay_files,
    replay_rows as replay_rows,
)
from dipsat.studies.row_files import read_rows as read_rows, write_rows as write_rows
from dipsat.studies.rule_deviations import (
    Deviation as Deviation,
    deviations as deviations,
    explaining_deviations as explaining_deviations,
    profile_with as profile_with,
)
from dipsat.studies.rule_impacts import impact as impact
from dipsat.studies.sheet import Sheet as Sheet, SheetRow as SheetRow, write_phase as write_phase
from dipsat.studies.sources import (
    DatcCases as DatcCases,
    OrdersApart as OrdersApart,
    RandomBoards as RandomBoards,
    Source as Source,
)
from dipsat.studies.stress_tests import (
    StressFinding as StressFinding,
    StressReport as StressReport,
    stress as stress,
)
