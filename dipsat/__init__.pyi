__all__: list[str]

from dipsat import engines as engines, errors as errors, svg as svg
from dipsat.board.load import (
    check_map as check_map,
    load_map as load_map,
    map_names as map_names,
    parse_map as parse_map,
)
from dipsat.board.map import Map as Map, MapLine as MapLine, PowerSetup as PowerSetup
from dipsat.board.province import Province as Province, UnitKind as UnitKind
from dipsat.datasets.files import read_rows as read_rows, write_rows as write_rows
from dipsat.datc import (
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
from dipsat.errors import DipsatError as DipsatError
from dipsat.executors.run import Done as Done, Workers as Workers, run_many as run_many
from dipsat.explanations.explain import Explanation as Explanation, explain as explain
from dipsat.explanations.searches import (
    Responsible as Responsible,
    SmallestChange as SmallestChange,
)
from dipsat.explanations.tree import ExplanationNode as ExplanationNode
from dipsat.files.reading import Files as Files
from dipsat.formats.datc import (
    CaseAlternative as CaseAlternative,
    CaseExpectation as CaseExpectation,
    ChoiceCondition as ChoiceCondition,
)
from dipsat.formats.load_phase import load_phase as load_phase, parse_phase as parse_phase
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
from dipsat.kernel.games import (
    Advanced as Advanced,
    Games as Games,
    LegalOrders as LegalOrders,
    PlayedPhase as PlayedPhase,
)
from dipsat.kernel.numbers import MapNumbers as MapNumbers
from dipsat.kernel.results import BatchResult as BatchResult, ResultArrays as ResultArrays
from dipsat.limited import run_limited as run_limited
from dipsat.limits import Limits as Limits
from dipsat.lines.confirm import (
    Confirmation as Confirmation,
    confirm_fewest as confirm_fewest,
)
from dipsat.lines.find import LinesResult as LinesResult
from dipsat.lines.hold import (
    HoldResult as HoldResult,
    HoldWitness as HoldWitness,
    hold_line as hold_line,
)
from dipsat.lines.line import (
    LineEnemy as LineEnemy,
    PlanState as PlanState,
    StalemateLine as StalemateLine,
)
from dipsat.lines.line_file import write_line as write_line
from dipsat.lines.question import Lines as Lines
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
from dipsat.play.files import Turn as Turn
from dipsat.play.game import Game as Game, load_games as load_games
from dipsat.profiles.load import (
    check_profile as check_profile,
    load_profile as load_profile,
    parse_profile as parse_profile,
    profile_names as profile_names,
    variant_names as variant_names,
)
from dipsat.profiles.profile import Profile as Profile
from dipsat.profiles.settings import Settings as Settings
from dipsat.proof.adjudicate import adjudicate as adjudicate
from dipsat.proof.adjustments import AdjustmentOutcome as AdjustmentOutcome
from dipsat.proof.comparison import (
    ComparedOrder as ComparedOrder,
    ComparedRetreats as ComparedRetreats,
    Comparison as Comparison,
    OrderResult as OrderResult,
    compare as compare,
)
from dipsat.proof.engine_outcome import EngineOutcome as EngineOutcome
from dipsat.proof.movement import (
    MovementOrderOutcome as MovementOrderOutcome,
    MovementOutcome as MovementOutcome,
)
from dipsat.proof.outcome import (
    Dislodgement as Dislodgement,
    Evidence as Evidence,
    OrderOutcome as OrderOutcome,
    Outcome as Outcome,
    Reason as Reason,
    SolvedSubgraph as SolvedSubgraph,
    Subgraph as Subgraph,
)
from dipsat.proof.proof import Proof as Proof, SubgraphProof as SubgraphProof, prove as prove
from dipsat.proof.retreats import RetreatOutcome as RetreatOutcome
from dipsat.scenarios.random_board import (
    RandomBoard as RandomBoard,
    random_board as random_board,
)
from dipsat.scenarios.sheet import Sheet as Sheet, SheetRow as SheetRow, write_phase as write_phase
from dipsat.searches import (
    Achieve as Achieve,
    Differ as Differ,
    Guarantee as Guarantee,
    Paradox as Paradox,
    Question as Question,
    SearchResult as SearchResult,
    search as search,
)
from dipsat.searches.ask import search_smallest as search_smallest
from dipsat.solving.sat import SOLVERS as SOLVERS
from dipsat.surveys.crosscheck import (
    CrosscheckGroup as CrosscheckGroup,
    CrosscheckPair as CrosscheckPair,
    CrosscheckReport as CrosscheckReport,
    Disagreement as Disagreement,
    SmallestDisagreement as SmallestDisagreement,
    crosscheck as crosscheck,
    crosscheck_rows as crosscheck_rows,
)
from dipsat.surveys.deviations import (
    Deviation as Deviation,
    deviations as deviations,
    explaining_deviations as explaining_deviations,
    profile_with as profile_with,
)
from dipsat.surveys.impact import impact as impact
from dipsat.surveys.impact_report import (
    ImpactCause as ImpactCause,
    ImpactExample as ImpactExample,
    ImpactReport as ImpactReport,
    ImpactShare as ImpactShare,
    NotJudged as NotJudged,
    RulesImpact as RulesImpact,
)
from dipsat.surveys.judges import Divergence as Divergence, Judge as Judge
from dipsat.surveys.replay import (
    DifferingPhase as DifferingPhase,
    GameReport as GameReport,
    ReplayFailure as ReplayFailure,
    ReplaySkipped as ReplaySkipped,
    replay_files as replay_files,
    replay_rows as replay_rows,
)
from dipsat.surveys.sources import (
    DatcCases as DatcCases,
    OrdersApart as OrdersApart,
    RandomBoards as RandomBoards,
    Source as Source,
)
from dipsat.surveys.stress import (
    StressFinding as StressFinding,
    StressReport as StressReport,
    stress as stress,
)
from dipsat.theorems.structure import (
    Lemma as Lemma,
    LemmaQuestion as LemmaQuestion,
    Structure as Structure,
    structure_of as structure_of,
)
from dipsat.version import __version__ as __version__
from dipsat.web.messages import answer as answer
