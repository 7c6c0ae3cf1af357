"""Games of diplicity in JSON: as its service returns them, and as its tests keep them.

    {"variant": "Classical", "phases": [{"season": "Spring", "year": 1901, "type": "Movement",
      "units": [{"nation": "France", "type": "Army", "province": "par", "dislodged": false}],
      "supply_centers": [{"nation": "France", "province": "par"}],
      "orders": [{"nation": "France", "selected": ["par", "Move", "bur"]}]}]}

Keys may be in any case, with `_` or without. A variant, a nation or a province may also be an
object that names it. The older service wraps its answers in `Properties`, and uses the keys `SCs`,
`Owner`, `Dislodgeds` and `Parts`. Tests state the board after each phase (`expected_state_after`),
and begin with the first board of the variant.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from dipsat.base import PHASES, check_time
from dipsat.board import Map, province_of
from dipsat.errors import DipsatError
from dipsat.formats.godip_variants import (
    GODIP_KINDS,
    GODIP_TYPES,
    GodipVariant,
    godip_order,
    godip_variant,
)
from dipsat.formats.json_text import FilePlace, described
from dipsat.formats.records import RecordedGame, Unread
from dipsat.formats.saved_game import read_saved_game
from dipsat.game import PhaseName, Position


def is_diplicity_game(value: Any) -> bool:
    """Whether a parsed JSON value is such a game."""
    game = _plain(value)
    phases = game.get("phases")
    first = _plain(phases[0]) if isinstance(phases, list) and phases else {}
    return "variant" in game and {"season", "year", "type"} <= first.keys()


def read_diplicity_game(
    value: Any, shown: str, map: Map | None = None, unread: Unread | None = None
) -> RecordedGame:
    """The game that a parsed JSON object states; `shown` names its place in errors.

    `map` overrides the map of the variant. Raises `FileError` for an unknown variant and, with the
    phase, for a board or an order that cannot be read, unless `unread` collects the faults of
    single phases.
    """
    place = FilePlace(shown)
    game = _plain(value)
    name = place.at("variant").text(_named(game.get("variant"), "name"))
    with place:
        variant = godip_variant(name)
    title = game.get("name", game.get("desc"))
    saved = {
        "id": title if isinstance(title, str) else None,
        "map": variant.map.name,
        "phases": _phases(place, game, variant),
        "profile": variant.rules.name,
    }
    return read_saved_game(saved, shown, map, unread)


def _plain(value: Any) -> Mapping[str, Any]:
    """An object without its wrapping, its keys in lower case without `_`. It is empty for anything
    that is not an object."""
    while isinstance(value, dict) and isinstance(value.get("Properties"), dict | list):
        value = value["Properties"]
    if not isinstance(value, dict):
        return {}
    return {key.replace("_", "").casefold(): entry for key, entry in value.items()}


def _named(value: Any, key: str) -> Any:
    """The name of something: a text, or the value under a key of an object."""
    return _plain(value).get(key) if isinstance(value, dict) else value


def _phases(
    place: FilePlace, game: Mapping[str, Any], variant: GodipVariant
) -> list[dict[str, Any] | DipsatError]:
    """The phases as in a saved game; a faulty one is an error."""
    found: list[dict[str, Any] | DipsatError] = []
    entries = place.at("phases").sequence(game["phases"])
    PHASES.check(len(entries), place.shown)
    after: Any = _start(variant)  # the board that the phase before states
    for number, entry in enumerate(entries):
        check_time()
        phase = _plain(entry)
        try:
            name = _phase_name(phase, place.at(f"phase {number + 1}"), variant)
            stated = phase if "units" in phase else _plain(after)
            found.append(_entry(str(name), place.at(name), stated, phase.get("orders"), variant))
        except DipsatError as error:
            found.append(error)
        after = phase.get("expectedstateafter")
    if after is not None and "outcome" in game:
        found.append(_entry("COMPLETED", place.at("the end"), _plain(after), None, variant))
    return found


def _start(variant: GodipVariant) -> dict[str, Any]:
    """The board with which games begin."""
    position = Position.start(variant.map)
    return {
        "units": [
            {"nation": variant.nations[unit.power], "type": _TYPES[str(unit)[0]],
             "province": variant.code(unit.location)}
            for unit in position.units
        ],
        "supply_centers": {
            variant.code(center): variant.nations[power]
            for power, owned in position.centers.items() for center in owned
        },
    }  # fmt: skip


_TYPES = {letter: name for name, letter in GODIP_KINDS.items()}


def _phase_name(phase: Mapping[str, Any], place: FilePlace, variant: GodipVariant) -> PhaseName:
    """The phase that an entry is about. Raises `FileError`."""
    season, year = place.at("season").text(phase.get("season")), phase.get("year")
    kind = GODIP_TYPES.get(place.at("type").text(phase.get("type")))
    if kind is None:
        place.at("type").fail(f"this should be one of {', '.join(GODIP_TYPES)}")
    if type(year) is not int:
        place.at("year").fail(f"this should be a number, not {described(year)}")
    with place:
        return variant.phase(season, year, kind)


def _entry(
    name: str, place: FilePlace, board: Mapping[str, Any], ordered: Any, variant: GodipVariant
) -> dict[str, Any]:
    """A phase as in a saved game. Raises `FileError`."""
    if "units" not in board:
        place.fail("it has no units")
    units, retreating = defaultdict[str, list[str]](list), name.endswith("R")
    by_province = dict[str, str]()
    for key in ("units", "dislodgeds"):
        for entry in place.at(key).sequence(board.get(key)):
            lost = _plain(entry).get("dislodged")
            unit = {**_plain(entry), **_plain(_plain(entry).get("unit")), **_plain(lost)}
            code, here = _code(unit, place.at(key)), place.at(key)
            location = variant.located(code)
            letter = GODIP_KINDS.get(here.text(unit.get("type")), str(unit["type"]))
            text = f"{letter} {location}"
            nation = here.text(_named(unit.get("nation"), "name"))
            units[_power(nation, variant)].append(f"*{text}" if lost else text)
            if bool(lost) is retreating:
                by_province[province_of(location)] = text
    centers = defaultdict[str, list[str]](list)
    for code, nation in _owners(place, board):
        centers[_power(nation, variant)].append(variant.located(code))
    orders = defaultdict[str, list[str]](list)
    for entry in place.at("orders").sequence(ordered):
        order, here = _plain(entry), place.at("orders")
        words = here.texts(order.get("selected", order.get("parts")))
        nation = here.text(_named(order.get("nation"), "name"))
        orders[_power(nation, variant)].append(godip_order(variant, by_province, words))
    return {"name": name, "state": {"units": units, "centers": centers}, "orders": orders}


def _owners(place: FilePlace, board: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The code of each centre that is owned, and the nation that owns it."""
    stated, here = board.get("supplycenters", board.get("scs")), place.at("supply_centers")
    if isinstance(stated, dict):
        yield from ((code, here.text(nation)) for code, nation in stated.items() if nation)
        return
    for entry in map(_plain, here.sequence(stated)):
        nation = _named(entry.get("nation", entry.get("owner")), "name")
        if nation:
            yield _code(entry, here), here.text(nation)


def _code(entry: Mapping[str, Any], place: FilePlace) -> str:
    return place.text(_named(entry.get("province"), "id"))


def _power(nation: str, variant: GodipVariant) -> str:
    """The power with a name in godip; the name itself if godip does not know it."""
    return next((power for power, name in variant.nations.items() if name == nation), nation)
