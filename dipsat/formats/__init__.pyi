__all__: list[str]

from dipsat.formats.compression import packing_of as packing_of, unpacked as unpacked, zstd as zstd
from dipsat.formats.correction import caught_up as caught_up
from dipsat.formats.datc_cases import (
    Case as Case,
    CaseAlternative as CaseAlternative,
    CaseExpectation as CaseExpectation,
    ChoiceCondition as ChoiceCondition,
    Orders as Orders,
    books_of as books_of,
    choices_of as choices_of,
    combinations as combinations,
    find_cases as find_cases,
    load_cases as load_cases,
    names_of_cases as names_of_cases,
)
from dipsat.formats.game import (
    Game as Game,
    listed_orders as listed_orders,
    load_games as load_games,
    orders_of_no_unit as orders_of_no_unit,
)
from dipsat.formats.game_archive import (
    format_of as format_of,
    played as played,
    readable_turns as readable_turns,
    reported as reported,
    save_games as save_games,
    written_games as written_games,
)
from dipsat.formats.game_files import (
    GameText as GameText,
    game_texts as game_texts,
    game_texts_in as game_texts_in,
    holds_games as holds_games,
    parse_games as parse_games,
    read_games as read_games,
    value_lines as value_lines,
)
from dipsat.formats.game_status import (
    lines_of_status as lines_of_status,
    status_of as status_of,
    waiting_for as waiting_for,
)
from dipsat.formats.godip_variants import (
    GODIP_KINDS as GODIP_KINDS,
    GODIP_TYPES as GODIP_TYPES,
    GodipVariant as GodipVariant,
    godip_table as godip_table,
    godip_variant as godip_variant,
)
from dipsat.formats.imported_maps import ImportedMap as ImportedMap, import_maps as import_maps
from dipsat.formats.json_text import MAX_GAME_BYTES as MAX_GAME_BYTES, parse_json as parse_json
from dipsat.formats.mail_entry import MailReply as MailReply, enter_mail as enter_mail
from dipsat.formats.mail_text import decoded_mail as decoded_mail
from dipsat.formats.order_entry import (
    begun as begun,
    enter as enter,
    listed_in as listed_in,
    typed_sheet as typed_sheet,
)
from dipsat.formats.parquet_games import (
    PARQUET as PARQUET,
    parquet_file as parquet_file,
    pyarrow as pyarrow,
)
from dipsat.formats.phase_file import (
    PhaseFile as PhaseFile,
    check_faults as check_faults,
    is_document as is_document,
    load_phase as load_phase,
    parse_apart as parse_apart,
    parse_phase as parse_phase,
    parse_phase_text as parse_phase_text,
    shipped_start as shipped_start,
)
from dipsat.formats.players import (
    addresses_in as addresses_in,
    name_in as name_in,
    power_named as power_named,
)
from dipsat.formats.records import (
    INCOMPLETE as INCOMPLETE,
    NO_OWNERS as NO_OWNERS,
    UNFINISHED as UNFINISHED,
    UNKNOWN_RETREATS as UNKNOWN_RETREATS,
    RecordedGame as RecordedGame,
    RecordedPhase as RecordedPhase,
    RecordedState as RecordedState,
    UnreadPhase as UnreadPhase,
    recorded_position as recorded_position,
)
from dipsat.formats.results import Results as Results, why_of as why_of
from dipsat.formats.saved_game import PROGRAM as PROGRAM, short_name as short_name
from dipsat.formats.season import phase_named as phase_named
from dipsat.formats.session import (
    Reply as Reply,
    Session as Session,
    carry_out as carry_out,
)
from dipsat.formats.text_sheet import OrderPlaces as OrderPlaces, naming_orders as naming_orders
from dipsat.formats.transcript import Transcript as Transcript
from dipsat.formats.turn import Turn as Turn
from dipsat.formats.variant_names import variant_of as variant_of
