from dipsat.game import AnyUnits as AnyUnits, OpenPosition as OpenPosition
from dipsat.searches.answering import search_smallest as search_smallest
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
from dipsat.searches.structure import (
    Lemma as Lemma,
    LemmaQuestion as LemmaQuestion,
    Structure as Structure,
    structure_of as structure_of,
)
from dipsat.solving import SOLVERS as SOLVERS

__all__: list[str]

from dipsat.searches.achievement_goal import Achieve as Achieve
from dipsat.searches.answering import (
    FOUND as FOUND,
    Posed as Posed,
    SearchResult as SearchResult,
    facts_of as facts_of,
    headline_of as headline_of,
    search as search,
)
from dipsat.searches.difference_goal import Differ as Differ, read_alike as read_alike
from dipsat.searches.explanation import (
    Explanation as Explanation,
    explain as explain,
    parts_of_explanations as parts_of_explanations,
)
from dipsat.searches.guarantee_goal import Guarantee as Guarantee
from dipsat.searches.line_certificate import borders_of as borders_of
from dipsat.searches.line_confirmation import (
    CONFIRMED as CONFIRMED,
    FILES as FILES,
    REFUTED as REFUTED,
)
from dipsat.searches.line_file import parse_line as parse_line, read_line as read_line
from dipsat.searches.line_finder import (
    IMPOSSIBLE as IMPOSSIBLE,
    find_lines as find_lines,
    lines_answer as lines_answer,
)
from dipsat.searches.line_holding import (
    BREAKS as BREAKS,
    HOLDS as HOLDS,
    hold_answer as hold_answer,
)
from dipsat.searches.order_changes import (
    change_in_words as change_in_words,
    responsible_in_words as responsible_in_words,
)
from dipsat.searches.paradox_goal import Paradox as Paradox
from dipsat.searches.question import Question as Question, arguments_of as arguments_of
from dipsat.searches.question_kinds import QUESTIONS as QUESTIONS
