"""The vocabulary of the rule language in the kernel's C: `dipsat/kernel/runtime/board.h`."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from dipsat.language.vocabulary import TEXT_VALUES

SCALARS: Mapping[tuple[str, str], str] = {
    ("Province", "code"): "{x}",
    ("Province", "kind"): "f->map->kind_of[{x}]",
    ("Province", "supply"): "f->map->supply[{x}]",
    ("Province", "owner"): "f->owner[{x}]",
    ("Unit", "power"): "f->power[{x}]",
    ("Unit", "kind"): "f->kind[{x}]",
    ("Unit", "province"): "f->province[{x}]",
    ("Move", "unit"): "{x}",
    ("Move", "power"): "f->power[{x}]",
    ("Move", "origin"): "f->province[{x}]",
    ("Move", "target"): "f->target[{x}]",
    ("Move", "convoyed"): "has_unit(f->convoyed, {x})",
    ("Move", "via"): "has_unit(f->via, {x})",
    ("Move", "by_land"): "has_unit(f->by_land, {x})",
    ("Support", "unit"): "{x}",
    ("Support", "power"): "f->power[{x}]",
    ("Support", "province"): "f->province[{x}]",
    ("Support", "supported"): "f->other[{x}]",
    ("Support", "origin"): "f->province[f->other[{x}]]",
    ("Support", "target"): "f->aim[{x}]",
    ("Convoy", "unit"): "{x}",
    ("Convoy", "power"): "f->power[{x}]",
    ("Convoy", "province"): "f->province[{x}]",
    ("Convoy", "army"): "f->other[{x}]",
    ("Convoy", "origin"): "f->province[f->other[{x}]]",
    ("Convoy", "target"): "f->aim[{x}]",
    ("Convoy", "on_route"): "on_route(f, {x})",
    ("Retreat", "unit"): "{x}",
    ("Retreat", "power"): "f->power[{x}]",
    ("Retreat", "origin"): "f->province[{x}]",
    ("Retreat", "target"): "{x}_target",
    ("Phase", "season"): "f->season",
}
"""A fact of the object numbered `{x}` -> its value: a number, a truth value, or the number of what
it is."""

SETS_OF_UNITS: Mapping[tuple[str, str], str] = {
    ("Province", "units"): "f->units_in[{x}]",
    ("Province", "attackers"): "f->attackers[{x}]",
    ("Province", "departures"): "departures(f, {x})",
    ("Unit", "moves"): "(the_unit({x}) & f->moves)",
    ("Unit", "supports"): "f->hold_supports[{x}]",
    ("Unit", "convoys"): "(the_unit({x}) & f->convoys)",
    ("Move", "rivals"): "rivals(f, {x})",
    ("Move", "facing"): "facing(f, {x})",
    ("Move", "opponents"): "opponents(f, {x})",
    ("Move", "meeting"): "meeting(f, {x})",
    ("Move", "supports"): "f->move_supports[{x}]",
    ("Move", "convoys"): "f->carriers[{x}]",
}
"""A fact -> the set of the units whose orders, or which themselves, are meant."""

OWN_ORDER: Mapping[tuple[str, str], str] = {
    ("Unit", "moves"): "f->moves",
    ("Unit", "convoys"): "f->convoys",
}
"""A fact whose only member, if there is one, is the order of the unit -> all such orders."""

SINGLE: Collection[tuple[str, str]] = {
    *OWN_ORDER,
    ("Province", "units"),
    ("Province", "departures"),
}
"""The facts that never have several members."""

ALL_BY_UNIT: Mapping[str, str] = {
    "Unit": "f->all",
    "Move": "f->moves",
    "Support": "f->supports",
    "Convoy": "f->convoys",
}
"""A type name used as a set."""

UNITS_BY_VALUE: Mapping[tuple[str, str], str] = {
    **{(kind, "power"): "f->of_power[{value}]" for kind in ("Unit", "Move", "Support", "Convoy")},
    ("Unit", "province"): "f->units_in[{value}]",
    ("Move", "origin"): "f->units_in[{value}]",
    ("Move", "target"): "f->attackers[{value}]",
    ("Support", "province"): "f->units_in[{value}]",
    ("Convoy", "province"): "f->units_in[{value}]",
}
"""A fact -> the set of the units for which it has this value, among those that have the fact."""

MASKS: Mapping[str, str] = {
    "convoyed": "f->convoyed",
    "via": "f->via",
    "by_land": "f->by_land",
}
"""A fact of moves that is a truth value -> the units for which it holds."""

TEXT_NUMBERS: Mapping[tuple[str, str], Mapping[str, int]] = {
    fact: {text: at for at, text in enumerate(texts)} for fact, texts in TEXT_VALUES.items()
}
"""A fact that is a text -> the numbers of its texts."""
