__all__: list[str]

from dipsat.game import listed_maps as listed_maps
from dipsat.game.conditions import (
    Convoying as Convoying,
    Refusal as Refusal,
    RetreatFacts as RetreatFacts,
    allowed_retreats as allowed_retreats,
    conditions_on as conditions_on,
    convoy_nets as convoy_nets,
    convoy_places as convoy_places,
    convoying as convoying,
    counted_centers as counted_centers,
    is_possible_on_map as is_possible_on_map,
)
from dipsat.game.convoys import (
    on_minimal_routes as on_minimal_routes,
    route_exists as route_exists,
    route_over as route_over,
)
from dipsat.game.distance import (
    by_land_or_water as by_land_or_water,
    civil_disorder as civil_disorder,
    letters_of as letters_of,
    rank_of_kind as rank_of_kind,
)
from dipsat.game.facts import (
    NO_ORDER as NO_ORDER,
    Candidate as Candidate,
    ConvoyFacts as ConvoyFacts,
    DeclaredFacts as DeclaredFacts,
    MoveFacts as MoveFacts,
    PositionFacts as PositionFacts,
    ProvinceFacts as ProvinceFacts,
    SupportFacts as SupportFacts,
    UnitFacts as UnitFacts,
)
from dipsat.game.legality import (
    BADLY_NAMED as BADLY_NAMED,
    NAMED_BETTER as NAMED_BETTER,
    SEVERAL as SEVERAL,
    IllegalError as IllegalError,
    Note as Note,
    Targets as Targets,
    gives_way as gives_way,
    judge_orders as judge_orders,
    refuse_irrelevant as refuse_irrelevant,
    settle_name as settle_name,
    settle_retreat as settle_retreat,
)
from dipsat.game.listed_maps import (
    listed as listed,
    map_to_dict as map_to_dict,
    row_of as row_of,
)
from dipsat.game.next_phase import (
    adjustment_lines as adjustment_lines,
    adjustments as adjustments,
    build_sites as build_sites,
    center_lines as center_lines,
    centers_to_win as centers_to_win,
    following as following,
    kinds_built_in as kinds_built_in,
    powers_of as powers_of,
    surplus_of_centers as surplus_of_centers,
    victor as victor,
    why_no_build_site as why_no_build_site,
)
from dipsat.game.open_position import (
    ANY as ANY,
    MOST_UNITS as MOST_UNITS,
    AnyUnits as AnyUnits,
    OpenPosition as OpenPosition,
    checked_position as checked_position,
    is_open_unit as is_open_unit,
    number_of as number_of,
    power_or_any as power_or_any,
    read_open_unit as read_open_unit,
    standings as standings,
)
from dipsat.game.order_choices import (
    legal_orders as legal_orders,
    legal_orders_of as legal_orders_of,
    listed_order_texts as listed_order_texts,
    missing_unit as missing_unit,
)
from dipsat.game.phase_name import (
    FIRST_PHASE as FIRST_PHASE,
    SEASON_WORDS as SEASON_WORDS,
    SEASONS as SEASONS,
    PhaseKind as PhaseKind,
    PhaseName as PhaseName,
    is_misplaced as is_misplaced,
    phase_letters as phase_letters,
    refuse_misplaced as refuse_misplaced,
)
from dipsat.game.position import (
    OWNERS as OWNERS,
    STATE_OWNERS as STATE_OWNERS,
    Dislodged as Dislodged,
    DislodgedUnit as DislodgedUnit,
    Owners as Owners,
    Position as Position,
    add_center as add_center,
    add_unit as add_unit,
    are_assumed as are_assumed,
    board_lines as board_lines,
    by_location as by_location,
    by_power as by_power,
    centers_by_power as centers_by_power,
    completed as completed,
    no_retreat as no_retreat,
    only_kind as only_kind,
    owners_listed as owners_listed,
    owners_stated as owners_stated,
    place_unit as place_unit,
    possible_retreats as possible_retreats,
    read_retreats as read_retreats,
    rebuilt_garrisons as rebuilt_garrisons,
    refusal_of as refusal_of,
    refuse_unknown as refuse_unknown,
    retreat_lines as retreat_lines,
    retreats_in_words as retreats_in_words,
    unit_reader as unit_reader,
    with_defaults as with_defaults,
)
from dipsat.game.ruling import (
    UNKNOWN_PLACE as UNKNOWN_PLACE,
    Ruling as Ruling,
    RulingStatus as RulingStatus,
    Submission as Submission,
    foreign_unit as foreign_unit,
    with_reading as with_reading,
)
from dipsat.game.submissions import (
    UNDATED as UNDATED,
    PowerOrders as PowerOrders,
    checked_order as checked_order,
    other_power_in as other_power_in,
    read_in as read_in,
    read_order_sets as read_order_sets,
    read_submissions as read_submissions,
    read_unclear as read_unclear,
    takes_text as takes_text,
)
