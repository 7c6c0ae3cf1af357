"""dipsat: the Diplomacy adjudicator that proves its answers.

>>> import dipsat
>>> position = dipsat.Position.from_units({"ENGLAND": ["F NTH", "A LON"], "FRANCE": ["F BEL"]})
>>> outcome = dipsat.adjudicate(position, {"ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL"]})
>>> outcome.order("A LON").verdict
'fails'

Public are the names of this package, of `dipsat.errors` and of `dipsat.engines`; docs/api.md has
them all. Everything else may move.
"""

from typing import TYPE_CHECKING

from dipsat import engines as engines
from dipsat import errors as errors
from dipsat import lazy

__version__ = "0.1.0"

if TYPE_CHECKING:  # what type checkers and editors see
    __all__: list[str]
    from dipsat.board.load import check_map as check_map
    from dipsat.board.load import load_map as load_map
    from dipsat.board.load import map_names as map_names
    from dipsat.board.load import parse_map as parse_map
    from dipsat.board.map import Map as Map
    from dipsat.board.map import MapLine as MapLine
    from dipsat.board.map import PowerSetup as PowerSetup
    from dipsat.board.province import Province as Province
    from dipsat.board.unit_kind import UnitKind as UnitKind
    from dipsat.crosschecks.finding import Divergence as Divergence
    from dipsat.crosschecks.judge import Judge as Judge
    from dipsat.crosschecks.report import CrosscheckReport as CrosscheckReport
    from dipsat.crosschecks.report import Disagreement as Disagreement
    from dipsat.crosschecks.report import Group as _CrosscheckGroup
    from dipsat.crosschecks.report import Pair as _CrosscheckPair
    from dipsat.crosschecks.report import Smallest as _SmallestDisagreement
    from dipsat.crosschecks.run import crosscheck as crosscheck
    from dipsat.crosschecks.sources import DatcCases as DatcCases
    from dipsat.crosschecks.sources import RandomBoards as RandomBoards
    from dipsat.crosschecks.sources import Source as Source
    from dipsat.datc import Case as Case
    from dipsat.datc import CaseResult as CaseResult
    from dipsat.datc import Mismatch as _CaseMismatch
    from dipsat.datc import NotMade as NotMade
    from dipsat.datc import Statement as Statement
    from dipsat.datc import Unanswered as Unanswered
    from dipsat.datc import load_cases as load_cases
    from dipsat.datc import run_case as run_case
    from dipsat.datc import run_cases as run_cases
    from dipsat.errors import DipsatError as DipsatError
    from dipsat.explanations.explain import Explanation as Explanation
    from dipsat.explanations.explain import explain as explain
    from dipsat.explanations.responsible import Responsible as Responsible
    from dipsat.explanations.smallest_change import SmallestChange as SmallestChange
    from dipsat.explanations.tree import ExplanationNode as ExplanationNode
    from dipsat.formats.datc import Alternative as _CaseAlternative
    from dipsat.formats.datc import Expectation as _CaseExpectation
    from dipsat.formats.datc_choices import ChoiceCondition as ChoiceCondition
    from dipsat.game.order_sets import PowerOrders as PowerOrders
    from dipsat.game.phase_name import PhaseKind as PhaseKind
    from dipsat.game.phase_name import PhaseName as PhaseName
    from dipsat.game.position import DislodgedUnit as DislodgedUnit
    from dipsat.game.position import Position as Position
    from dipsat.game.ruling import Ruling as Ruling
    from dipsat.game.ruling import Status as _RulingStatus
    from dipsat.game.ruling import Submission as Submission
    from dipsat.game.settings import Settings as Settings
    from dipsat.game.unit import Unit as Unit
    from dipsat.orders.order import Build as Build
    from dipsat.orders.order import Convoy as Convoy
    from dipsat.orders.order import DeclaredOrder as DeclaredOrder
    from dipsat.orders.order import Disband as Disband
    from dipsat.orders.order import Hold as Hold
    from dipsat.orders.order import Move as Move
    from dipsat.orders.order import Order as Order
    from dipsat.orders.order import Retreat as Retreat
    from dipsat.orders.order import SupportHold as SupportHold
    from dipsat.orders.order import SupportMove as SupportMove
    from dipsat.orders.order import UnitName as UnitName
    from dipsat.orders.order import Unreadable as Unreadable
    from dipsat.orders.order import Waive as Waive
    from dipsat.orders.reader import OrderReader as OrderReader
    from dipsat.orders.reader import reader_for as reader_for
    from dipsat.orders.words import Words as Words
    from dipsat.orders.writer import NOTATIONS as NOTATIONS
    from dipsat.orders.writer import write_order as write_order
    from dipsat.play.game import Game as Game
    from dipsat.play.game import load_games as load_games
    from dipsat.play.turn import Turn as Turn
    from dipsat.profiles.load import load_profile as load_profile
    from dipsat.profiles.load import parse_profile as parse_profile
    from dipsat.profiles.load import profile_names as profile_names
    from dipsat.profiles.load import variant_names as variant_names
    from dipsat.profiles.profile import Profile as Profile
    from dipsat.proof.adjudicate import adjudicate as adjudicate
    from dipsat.proof.adjustments import AdjustmentOutcome as AdjustmentOutcome
    from dipsat.proof.comparison import ComparedOrder as ComparedOrder
    from dipsat.proof.comparison import ComparedRetreats as ComparedRetreats
    from dipsat.proof.comparison import Comparison as Comparison
    from dipsat.proof.comparison import OrderResult as OrderResult
    from dipsat.proof.comparison import compare as compare
    from dipsat.proof.engine_outcome import EngineOutcome as EngineOutcome
    from dipsat.proof.movement import MovementOrderOutcome as MovementOrderOutcome
    from dipsat.proof.movement import MovementOutcome as MovementOutcome
    from dipsat.proof.outcome import Dislodgement as Dislodgement
    from dipsat.proof.outcome import OrderOutcome as OrderOutcome
    from dipsat.proof.outcome import Outcome as Outcome
    from dipsat.proof.prove import Proof as Proof
    from dipsat.proof.prove import SubgraphProof as SubgraphProof
    from dipsat.proof.prove import prove as prove
    from dipsat.proof.reasons import Reason as Reason
    from dipsat.proof.retreats import RetreatOutcome as RetreatOutcome
    from dipsat.proof.subgraphs import Subgraph as Subgraph
    from dipsat.replays.causes import Deviation as Deviation
    from dipsat.replays.causes import deviations as deviations
    from dipsat.replays.causes import explanation as _explaining_deviations
    from dipsat.replays.causes import profile_with as profile_with
    from dipsat.replays.game import DifferingPhase as DifferingPhase
    from dipsat.replays.game import GameReport as GameReport
    from dipsat.replays.game import Skipped as _ReplaySkipped
    from dipsat.replays.run import Failure as _ReplayFailure
    from dipsat.replays.run import replay_files as replay_files
    from dipsat.scenarios.random_board import Board as _RandomBoard
    from dipsat.scenarios.random_board import random_board as random_board
    from dipsat.scenarios.sheet import Row as _SheetRow
    from dipsat.scenarios.sheet import Sheet as Sheet
    from dipsat.searches.ask import Achieve as Achieve
    from dipsat.searches.ask import Differ as Differ
    from dipsat.searches.ask import Guarantee as Guarantee
    from dipsat.searches.ask import Paradox as Paradox
    from dipsat.searches.ask import Question as Question
    from dipsat.searches.ask import SearchResult as SearchResult
    from dipsat.searches.ask import search as search
    from dipsat.searches.hold import HoldResult as HoldResult
    from dipsat.searches.hold import Witness as _HoldWitness
    from dipsat.searches.hold import hold_line as hold_line
    from dipsat.searches.line import Enemy as _LineEnemy
    from dipsat.searches.line import StalemateLine as StalemateLine
    from dipsat.solving.sat import SOLVERS as SOLVERS
    from dipsat.stresstests.report import Finding as _StressFinding
    from dipsat.stresstests.report import StressReport as StressReport
    from dipsat.stresstests.run import stress as stress
    from dipsat.theorems.structure import Lemma as Lemma
    from dipsat.theorems.structure import Question as _LemmaQuestion
    from dipsat.theorems.structure import Structure as Structure
    from dipsat.theorems.structure import structure_of as structure_of

    CaseAlternative = _CaseAlternative
    CaseExpectation = _CaseExpectation
    CaseMismatch = _CaseMismatch
    CrosscheckGroup = _CrosscheckGroup
    CrosscheckPair = _CrosscheckPair
    HoldWitness = _HoldWitness
    LemmaQuestion = _LemmaQuestion
    LineEnemy = _LineEnemy
    RandomBoard = _RandomBoard
    ReplayFailure = _ReplayFailure
    ReplaySkipped = _ReplaySkipped
    RulingStatus = _RulingStatus
    SheetRow = _SheetRow
    SmallestDisagreement = _SmallestDisagreement
    StressFinding = _StressFinding
    explaining_deviations = _explaining_deviations
else:
    __getattr__, __dir__, __all__ = lazy.public(
        __name__,
        {
            "board.load": "check_map load_map map_names parse_map",
            "board.map": "Map MapLine PowerSetup",
            "board.province": "Province",
            "board.unit_kind": "UnitKind",
            "crosschecks.finding": "Divergence",
            "crosschecks.judge": "Judge",
            "crosschecks.report": (
                "CrosscheckGroup=Group CrosscheckPair=Pair CrosscheckReport Disagreement "
                "SmallestDisagreement=Smallest"
            ),
            "crosschecks.run": "crosscheck",
            "crosschecks.sources": "DatcCases RandomBoards Source",
            "datc": (
                "Case CaseMismatch=Mismatch CaseResult NotMade Statement Unanswered load_cases "
                "run_case run_cases"
            ),
            "errors": "DipsatError",
            "explanations.explain": "Explanation explain",
            "explanations.responsible": "Responsible",
            "explanations.smallest_change": "SmallestChange",
            "explanations.tree": "ExplanationNode",
            "formats.datc": "CaseAlternative=Alternative CaseExpectation=Expectation",
            "formats.datc_choices": "ChoiceCondition",
            "game.order_sets": "PowerOrders",
            "game.phase_name": "PhaseKind PhaseName",
            "game.position": "DislodgedUnit Position",
            "game.ruling": "Ruling RulingStatus=Status Submission",
            "game.settings": "Settings",
            "game.unit": "Unit",
            "orders.order": (
                "Build Convoy DeclaredOrder Disband Hold Move Order Retreat SupportHold "
                "SupportMove UnitName Unreadable Waive"
            ),
            "orders.reader": "OrderReader reader_for",
            "orders.words": "Words",
            "orders.writer": "NOTATIONS write_order",
            "play.game": "Game load_games",
            "play.turn": "Turn",
            "profiles.load": "load_profile parse_profile profile_names variant_names",
            "profiles.profile": "Profile",
            "proof.adjudicate": "adjudicate",
            "proof.adjustments": "AdjustmentOutcome",
            "proof.comparison": "ComparedOrder ComparedRetreats Comparison OrderResult compare",
            "proof.engine_outcome": "EngineOutcome",
            "proof.movement": "MovementOrderOutcome MovementOutcome",
            "proof.outcome": "Dislodgement OrderOutcome Outcome",
            "proof.prove": "Proof SubgraphProof prove",
            "proof.reasons": "Reason",
            "proof.retreats": "RetreatOutcome",
            "proof.subgraphs": "Subgraph",
            "replays.causes": "Deviation deviations explaining_deviations=explanation profile_with",
            "replays.game": "DifferingPhase GameReport ReplaySkipped=Skipped",
            "replays.run": "ReplayFailure=Failure replay_files",
            "scenarios.random_board": "RandomBoard=Board random_board",
            "scenarios.sheet": "Sheet SheetRow=Row",
            "searches.ask": "Achieve Differ Guarantee Paradox Question SearchResult search",
            "searches.hold": "HoldResult HoldWitness=Witness hold_line",
            "searches.line": "LineEnemy=Enemy StalemateLine",
            "solving.sat": "SOLVERS",
            "stresstests.report": "StressFinding=Finding StressReport",
            "stresstests.run": "stress",
            "theorems.structure": "Lemma LemmaQuestion=Question Structure structure_of",
        },
    )
