from dipsat import (
    compat as compat,
    draw as draw,
    engines as engines,
    errors as errors,
    kernel as kernel,
    searches as searches,
    studies as studies,
)
from dipsat.app import answer as answer
from dipsat.base import (
    Files as Files,
    Limits as Limits,
    __version__ as __version__,
    run_limited as run_limited,
)
from dipsat.board import (
    Map as Map,
    MapLine as MapLine,
    PowerSetup as PowerSetup,
    Province as Province,
    UnitKind as UnitKind,
    check_map as check_map,
    load_map as load_map,
    map_names as map_names,
    parse_map as parse_map,
)
from dipsat.errors import DipsatError as DipsatError
from dipsat.formats import (
    Game as Game,
    PhaseFile as PhaseFile,
    Turn as Turn,
    load_games as load_games,
    load_phase as load_phase,
    parse_phase as parse_phase,
)
from dipsat.game import (
    DislodgedUnit as DislodgedUnit,
    PhaseKind as PhaseKind,
    PhaseName as PhaseName,
    Position as Position,
    PowerOrders as PowerOrders,
    Ruling as Ruling,
    RulingStatus as RulingStatus,
    Submission as Submission,
)
from dipsat.orders import (
    NOTATIONS as NOTATIONS,
    Build as Build,
    Convoy as Convoy,
    DeclaredOrder as DeclaredOrder,
    Disband as Disband,
    Hold as Hold,
    Move as Move,
    Order as Order,
    OrderReader as OrderReader,
    Retreat as Retreat,
    SupportHold as SupportHold,
    SupportMove as SupportMove,
    Unit as Unit,
    UnitName as UnitName,
    Unreadable as Unreadable,
    Waive as Waive,
    Words as Words,
    reader_for as reader_for,
    write_order as write_order,
)
from dipsat.outcomes import (
    AdjustmentOutcome as AdjustmentOutcome,
    ComparedOrder as ComparedOrder,
    ComparedRetreats as ComparedRetreats,
    Comparison as Comparison,
    Dislodgement as Dislodgement,
    EngineOutcome as EngineOutcome,
    Evidence as Evidence,
    ExplanationNode as ExplanationNode,
    MovementOrderOutcome as MovementOrderOutcome,
    MovementOutcome as MovementOutcome,
    OrderOutcome as OrderOutcome,
    OrderResult as OrderResult,
    Outcome as Outcome,
    Proof as Proof,
    Reason as Reason,
    RetreatOutcome as RetreatOutcome,
    SolvedSubgraph as SolvedSubgraph,
    Subgraph as Subgraph,
    SubgraphProof as SubgraphProof,
    adjudicate as adjudicate,
    compare as compare,
    prove as prove,
)
from dipsat.rules import (
    Citation as Citation,
    Profile as Profile,
    Settings as Settings,
    check_profile as check_profile,
    load_profile as load_profile,
    parse_profile as parse_profile,
    profile_names as profile_names,
    variant_names as variant_names,
)
from dipsat.searches import (
    Achieve as Achieve,
    Differ as Differ,
    Explanation as Explanation,
    Guarantee as Guarantee,
    Paradox as Paradox,
    Question as Question,
    SearchResult as SearchResult,
    explain as explain,
    search as search,
)

__all__: list[str]
