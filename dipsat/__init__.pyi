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
from dipsat.crosschecks.finding import Divergence as Divergence
from dipsat.crosschecks.judge import Judge as Judge
from dipsat.crosschecks.report import (
    CrosscheckGroup as CrosscheckGroup,
    CrosscheckPair as CrosscheckPair,
    CrosscheckReport as CrosscheckReport,
    Disagreement as Disagreement,
    SmallestDisagreement as SmallestDisagreement,
)
from dipsat.crosschecks.rows import crosscheck_rows as crosscheck_rows
from dipsat.crosschecks.run import crosscheck as crosscheck
from dipsat.crosschecks.sources import (
    DatcCases as DatcCases,
    OrdersApart as OrdersApart,
    RandomBoards as RandomBoards,
    Source as Source,
)
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
from dipsat.executors.many import Done as Done, run_many as run_many
from dipsat.executors.workers import Workers as Workers
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
)
from dipsat.formats.datc_choices import ChoiceCondition as ChoiceCondition
from dipsat.formats.load_phase import load_phase as load_phase, parse_phase as parse_phase
from dipsat.formats.phase_file import PhaseFile as PhaseFile
from dipsat.game.facts import (
    Ruling as Ruling,
    RulingStatus as RulingStatus,
    Submission as Submission,
)
from dipsat.game.open_position import AnyUnits as AnyUnits, OpenPosition as OpenPosition
from dipsat.game.phase_name import PhaseKind as PhaseKind, PhaseName as PhaseName
from dipsat.game.position import DislodgedUnit as DislodgedUnit, Position as Position, Unit as Unit
from dipsat.game.settings import Settings as Settings
from dipsat.game.submissions import PowerOrders as PowerOrders
from dipsat.impacts.findings import (
    ImpactCause as ImpactCause,
    ImpactExample as ImpactExample,
    ImpactShare as ImpactShare,
    NotJudged as NotJudged,
    RulesImpact as RulesImpact,
)
from dipsat.impacts.report import ImpactReport as ImpactReport
from dipsat.impacts.run import impact as impact
from dipsat.kernel.batch import Batch as Batch
from dipsat.kernel.board_codes import BoardCodes as BoardCodes
from dipsat.kernel.games import Advanced as Advanced, Games as Games, PlayedPhase as PlayedPhase
from dipsat.kernel.legal_rows import LegalOrders as LegalOrders
from dipsat.kernel.numbers import MapNumbers as MapNumbers
from dipsat.kernel.position_codes import PositionCodes as PositionCodes
from dipsat.kernel.results import BatchResult as BatchResult, ResultArrays as ResultArrays
from dipsat.limited import run_limited as run_limited
from dipsat.limits import Limits as Limits
from dipsat.lines.confirm import (
    Confirmation as Confirmation,
    confirm_fewest as confirm_fewest,
)
from dipsat.lines.found import LinesResult as LinesResult
from dipsat.lines.hold import hold_line as hold_line
from dipsat.lines.hold_result import HoldResult as HoldResult, HoldWitness as HoldWitness
from dipsat.lines.line import LineEnemy as LineEnemy, StalemateLine as StalemateLine
from dipsat.lines.line_writer import write_line as write_line
from dipsat.lines.plan import PlanState as PlanState
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
    UnitName as UnitName,
    Unreadable as Unreadable,
    Waive as Waive,
)
from dipsat.orders.reader import OrderReader as OrderReader, reader_for as reader_for
from dipsat.orders.verbs import Words as Words
from dipsat.orders.writer import NOTATIONS as NOTATIONS, write_order as write_order
from dipsat.play.files import Turn as Turn
from dipsat.play.game import Game as Game, load_games as load_games
from dipsat.profiles.load import (
    load_profile as load_profile,
    parse_profile as parse_profile,
    profile_names as profile_names,
    variant_names as variant_names,
)
from dipsat.profiles.profile import Profile as Profile
from dipsat.profiles.remarks import check_profile as check_profile
from dipsat.proof.adjudicate import EngineOutcome as EngineOutcome, adjudicate as adjudicate
from dipsat.proof.adjustments import AdjustmentOutcome as AdjustmentOutcome
from dipsat.proof.comparison import (
    ComparedOrder as ComparedOrder,
    ComparedRetreats as ComparedRetreats,
    Comparison as Comparison,
    OrderResult as OrderResult,
    compare as compare,
)
from dipsat.proof.movement import (
    MovementOrderOutcome as MovementOrderOutcome,
    MovementOutcome as MovementOutcome,
)
from dipsat.proof.outcome import (
    Dislodgement as Dislodgement,
    OrderOutcome as OrderOutcome,
    Outcome as Outcome,
)
from dipsat.proof.proof import Proof as Proof, SubgraphProof as SubgraphProof, prove as prove
from dipsat.proof.reasons import Reason as Reason
from dipsat.proof.resolved import (
    Evidence as Evidence,
    SolvedSubgraph as SolvedSubgraph,
    Subgraph as Subgraph,
)
from dipsat.proof.retreats import RetreatOutcome as RetreatOutcome
from dipsat.replays.causes import (
    Deviation as Deviation,
    deviations as deviations,
    explaining_deviations as explaining_deviations,
    profile_with as profile_with,
)
from dipsat.replays.game import (
    DifferingPhase as DifferingPhase,
    GameReport as GameReport,
    ReplaySkipped as ReplaySkipped,
)
from dipsat.replays.rows import replay_rows as replay_rows
from dipsat.replays.run import ReplayFailure as ReplayFailure, replay_files as replay_files
from dipsat.scenarios.random_board import (
    RandomBoard as RandomBoard,
    random_board as random_board,
)
from dipsat.scenarios.sheet import Sheet as Sheet, SheetRow as SheetRow
from dipsat.scenarios.written_phase import write_phase as write_phase
from dipsat.searches import (
    Achieve as Achieve,
    Differ as Differ,
    Guarantee as Guarantee,
    Paradox as Paradox,
    Question as Question,
    SearchResult as SearchResult,
    search as search,
)
from dipsat.searches.smallest import search_smallest as search_smallest
from dipsat.solving.sat import SOLVERS as SOLVERS
from dipsat.stresstests.report import (
    StressFinding as StressFinding,
    StressReport as StressReport,
)
from dipsat.stresstests.run import stress as stress
from dipsat.theorems.structure import (
    Lemma as Lemma,
    LemmaQuestion as LemmaQuestion,
    Structure as Structure,
    structure_of as structure_of,
)
from dipsat.version import __version__ as __version__
from dipsat.web.messages import answer as answer
