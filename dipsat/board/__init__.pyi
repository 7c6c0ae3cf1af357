__all__: list[str]

from dipsat.board.map import (
    ARMIES_BY_FLEETS as ARMIES_BY_FLEETS,
    WAYS as WAYS,
    Carriage as Carriage,
    ConvoyNet as ConvoyNet,
    Map as Map,
    MapLine as MapLine,
    OwnPicture as OwnPicture,
    PowerSetup as PowerSetup,
    bits_of as bits_of,
)
from dipsat.board.map_files import (
    DEFAULT_MAP as DEFAULT_MAP,
    check_map as check_map,
    in_any_language as in_any_language,
    is_shipped as is_shipped,
    is_shipped_map as is_shipped_map,
    language_hint as language_hint,
    language_names as language_names,
    load_map as load_map,
    map_beside as map_beside,
    map_names as map_names,
    map_start as map_start,
    maps_folder as maps_folder,
    parse_map as parse_map,
)
from dipsat.board.province import (
    BORDERS as BORDERS,
    STANDARD_KINDS as STANDARD_KINDS,
    Province as Province,
    UnitKind as UnitKind,
    coast_of as coast_of,
    composed as composed,
    one_of as one_of,
    province_of as province_of,
    unit_kind as unit_kind,
    words_of as words_of,
)
