__all__: list[str]

from dipsat.rules import syntax as syntax
from dipsat.rules.citations import (
    Citation as Citation,
    RulesOfSection as RulesOfSection,
    citations_in_words as citations_in_words,
    cite as cite,
    datc_sections as datc_sections,
    is_datc_number as is_datc_number,
    rules_of_section as rules_of_section,
)
from dipsat.rules.closed_values import (
    Scope as Scope,
    scope_of as scope_of,
    thing as thing,
)
from dipsat.rules.declarations import DeclaredKind as DeclaredKind
from dipsat.rules.defaults import (
    DEFAULT_KIND as DEFAULT_KIND,
    DEFAULT_RULES as DEFAULT_RULES,
    KINDS as KINDS,
)
from dipsat.rules.demands import (
    asks_for_owners as asks_for_owners,
    asks_for_places as asks_for_places,
    check_features as check_features,
    evaluation_order as evaluation_order,
    expressions_of as expressions_of,
    limits_of as limits_of,
    open_kinds as open_kinds,
    rings as rings,
    words_for_places as words_for_places,
    words_not_open as words_not_open,
    words_of_orders as words_of_orders,
)
from dipsat.rules.layers import TOP_KEYS as TOP_KEYS, Layer as Layer, standings as standings
from dipsat.rules.profile import (
    DECISIONS_NEEDED as DECISIONS_NEEDED,
    CycleRule as CycleRule,
    Decision as Decision,
    Profile as Profile,
)
from dipsat.rules.profile_difference import (
    Change as Change,
    RulesDifference as RulesDifference,
    difference as difference,
    equation_forms as equation_forms,
    result_forms as result_forms,
)
from dipsat.rules.profile_document import (
    ProfileDocument as ProfileDocument,
    start_of as start_of,
    whole_profile as whole_profile,
)
from dipsat.rules.profile_files import (
    GOALS as GOALS,
    ListedProfile as ListedProfile,
    check_profile as check_profile,
    combined_files as combined_files,
    composed_profile as composed_profile,
    goal_expression as goal_expression,
    listed as listed,
    load_profile as load_profile,
    map_for as map_for,
    parse_profile as parse_profile,
    portable_map as portable_map,
    portable_rules as portable_rules,
    profile_title as profile_title,
    settings_in as settings_in,
    shipped_files as shipped_files,
    with_variant as with_variant,
)
from dipsat.rules.profile_remarks import remarks as remarks
from dipsat.rules.settings import (
    BUILDS_IN as BUILDS_IN,
    CAPTURES as CAPTURES,
    CONVOYS_IN as CONVOYS_IN,
    COUNTS_FOR as COUNTS_FOR,
    Conditions as Conditions,
    Domains as Domains,
    RoughSizes as RoughSizes,
    Settings as Settings,
    parts_by_domains as parts_by_domains,
    setting_values as setting_values,
)
from dipsat.rules.shipped_rules import (
    LISTED_BY as LISTED_BY,
    find_name as find_name,
    in_words as in_words,
    name_in_files as name_in_files,
    profile_names as profile_names,
    shipped_file as shipped_file,
    shipped_name as shipped_name,
    shipped_names as shipped_names,
    short_name as short_name,
    variant_names as variant_names,
)
from dipsat.rules.syntax import (
    CONVOY as CONVOY,
    CYCLE as CYCLE,
    MOVE as MOVE,
    POWER as POWER,
    PROVINCE as PROVINCE,
    RETREAT as RETREAT,
    SUPPORT as SUPPORT,
    TEXT as TEXT,
    TRUTH as TRUTH,
    UNIT as UNIT,
    AllOf as AllOf,
    Arithmetic as Arithmetic,
    Chain as Chain,
    Choice as Choice,
    Compare as Compare,
    Constant as Constant,
    CurrentPhase as CurrentPhase,
    DecisionCall as DecisionCall,
    Expression as Expression,
    Fact as Fact,
    Feature as Feature,
    Junction as Junction,
    Not as Not,
    Predicate as Predicate,
    Quantifier as Quantifier,
    Related as Related,
    Type as Type,
    Variable as Variable,
    children as children,
    decision_calls as decision_calls,
    parts_of_all as parts_of_all,
    set_of as set_of,
)
from dipsat.rules.vocabulary import (
    CYCLE_FACTS as CYCLE_FACTS,
    FACTS as FACTS,
    PREDICATES as PREDICATES,
    QUANTIFIERS as QUANTIFIERS,
    Word as Word,
    followed as followed,
    word_of as word_of,
)
