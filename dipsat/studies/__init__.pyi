from dipsat.formats import (
    Case as Case,
    CaseAlternative as CaseAlternative,
    CaseExpectation as CaseExpectation,
    ChoiceCondition as ChoiceCondition,
    load_cases as load_cases,
)
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
    CaseMismatch as CaseMismatch,
    CaseResult as CaseResult,
    NotMade as NotMade,
    Statement as Statement,
    Unanswered as Unanswered,
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
from dipsat.studies.random_boards import RandomBoard as RandomBoard, random_board as random_board
from dipsat.studies.replays import (
    DifferingPhase as DifferingPhase,
    GameReport as GameReport,
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
    ReplayFailure as ReplayFailure,
    Source as Source,
)
from dipsat.studies.stress_tests import (
    StressFinding as StressFinding,
    StressReport as StressReport,
    stress as stress,
)

__all__: list[str]

from dipsat.studies.crosschecks import crosscheck_files as crosscheck_files
from dipsat.studies.datc_runs import rules_for as rules_for
from dipsat.studies.dip_eval import transform as transform
from dipsat.studies.engine_names import ENGINES as ENGINES, TRACED as TRACED
from dipsat.studies.first_look import glimpse as glimpse
from dipsat.studies.impact_report import (
    gaps as gaps,
    impact_files as impact_files,
    joined as joined,
    number as number,
    origin as origin,
    percent as percent,
)
from dipsat.studies.judgements import side_in_words as side_in_words
from dipsat.studies.judges import check_judges as check_judges
from dipsat.studies.options import (
    DEFAULT_EXAMPLES as DEFAULT_EXAMPLES,
    DEFAULT_SMALLEST as DEFAULT_SMALLEST,
    EXTENTS as EXTENTS,
    MOST_JOBS as MOST_JOBS,
    Extent as Extent,
)
from dipsat.studies.order_sets import (
    CarriedOut as CarriedOut,
    Dislodged as Dislodged,
    carry_out as carry_out,
    order_text as order_text,
    read_order_set as read_order_set,
    to_dict as to_dict,
    to_text as to_text,
)
from dipsat.studies.replays import (
    ReplayedPhase as ReplayedPhase,
    Result as Result,
    replayed_phases as replayed_phases,
)
from dipsat.studies.row_files import (
    RowsFile as RowsFile,
    refuse_unwritable as refuse_unwritable,
    rows_file as rows_file,
)
from dipsat.studies.row_kinds import (
    CROSSCHECK as CROSSCHECK,
    IMPACT as IMPACT,
    REPLAY as REPLAY,
    RowKind as RowKind,
)
from dipsat.studies.stress_tests import stress_files as stress_files
