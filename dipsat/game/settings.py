"""Settings: how unclear or faulty orders are taken, before any equation is solved.

Each is one issue of DATC chapter 4; a rule profile chooses under `settings`. The defaults are the
DATC 3.0 author's preferences.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal, get_args, get_type_hints

Naming = Literal["valid", "illegal", "unless named"]


@dataclass(frozen=True, slots=True)
class Settings:
    """One value per issue; the comment names the issue and explains the values."""

    # 4.A.3: when an army ordered to a neighbouring province goes by convoy. intent: if ordered
    # "via convoy", or if a fleet of its own power is legally ordered to convoy it and the ordered
    # convoys make a whole route. explicit: only if ordered "via convoy". opposed: if a whole
    # route is ordered and the unit at the target moves the other way. always: if a whole route
    # is ordered.
    adjacent_convoy: Literal["intent", "explicit", "opposed", "always"] = "intent"
    # 6.G.8, 4.A.3: an army is ordered "via convoy" to a neighbouring province, but no whole route
    # is ordered. by land: it goes as if the order did not say "via convoy".
    via_without_convoy: Literal["stays", "by land"] = "stays"
    # 4.A.6: a convoy path in a move order (A YOR - NTH - BEL). required: without one, the army
    # is not convoyed.
    convoy_path: Literal["ignored", "allowed", "required"] = "ignored"
    # 4.B.1: a fleet's move without a coast where it could reach two. first: the coast that the
    # map lists first.
    coast_of_two_omitted: Literal["illegal", "first"] = "illegal"
    # 4.B.2: a fleet's move without a coast where it can reach one.
    coast_of_one_omitted: Literal["amended", "illegal"] = "amended"
    # 4.B.3: a fleet's move to a coast it cannot reach, while it can reach another.
    coast_impossible: Literal["illegal", "amended"] = "illegal"
    # 4.B.4: the coast in a support order. required: it must be there and match. own: it may be
    # left out for a unit of the same power, or where one coast is possible. optional: if there,
    # it must match. ignored: it never matters.
    support_coast: Literal["optional", "required", "own", "ignored"] = "optional"
    # 4.B.5: the ordered unit stands on another coast than written.
    unit_coast_wrong: Literal["ignored", "illegal"] = "ignored"
    # 4.B.6: a coast that does not exist or does not matter (F BRE/EC, A GAS - SPA/NC).
    coast_irrelevant: Literal["ignored", "illegal"] = "ignored"
    # 4.C.1, 4.C.2: A or F is missing or wrong. unless named: valid unless another order of the
    # power names the same unit properly.
    kind_missing: Naming = "valid"
    kind_wrong: Naming = "valid"
    # 4.C.5, 4.C.6: the nationality of a supported or convoyed foreign unit is missing or wrong.
    nationality_missing: Naming = "valid"
    nationality_wrong: Naming = "valid"
    # 4.D.3: several different legal orders for one unit. hold: all are illegal, it holds.
    multiple_orders: Literal["hold", "first", "last"] = "hold"
    # 4.E.1: what an impossible move order does besides failing. nothing: the unit holds.
    # refuses support: the unit holds but cannot be supported to hold.
    illegal_move: Literal["nothing", "refuses support"] = "nothing"
    # Where units are built. map: as the map says (`build`). home: in owned home centres. any: in
    # every owned centre. any-if-home-owned: likewise, while one home centre is owned. home-any: in
    # owned centres that are home centres of any power.
    build_where: Literal["map", "home", "any", "any-if-home-owned", "home-any"] = "map"
    # 4.B.7: a fleet built without a coast where there are two. first: the first that the map lists.
    build_coast_omitted: Literal["illegal", "first"] = "illegal"
    # 4.C.3: A or F is missing in a build. by place: an army inland, a fleet if a coast is written.
    # inland: an army inland.
    build_kind_missing: Literal["by place", "inland", "illegal"] = "by place"
    # 4.C.4: a fleet built inland.
    build_fleet_inland: Literal["illegal", "army"] = "illegal"
    # 4.D.4, 4.D.5: more builds than allowed, or two in one province.
    builds_too_many: Literal["first", "last", "none"] = "first"
    # 4.D.6: more disbands than asked for. none: civil disorder decides about all.
    disbands_too_many: Literal["first", "last", "none"] = "first"
    # 4.D.7: whether a build may be declined.
    waive: Literal["allowed", "illegal"] = "allowed"
    # 4.D.8: units that are disbanded for want of orders are the farthest from these centres, by
    # land and sea alike; then fleets before armies, then by the province's name.
    # home: from the home centres, likewise. home by kind: from the home centres; armies by land
    # and sea, fleets as they move.
    civil_disorder: Literal["owned", "home", "home by kind"] = "owned"
    # How many centres a power must own to win, and more than any other power. map: as many as the
    # map says (`victory`), a majority if it says nothing. majority: more than half of the map's.
    victory: Literal["map", "majority", "never"] = "map"


def setting_values() -> dict[str, tuple[str, ...]]:
    """The allowed values of each setting, the default first."""
    hints: dict[str, Any] = get_type_hints(Settings)
    defaults = Settings()
    found = {}
    for setting in fields(Settings):
        default = getattr(defaults, setting.name)
        others = [value for value in get_args(hints[setting.name]) if value != default]
        found[setting.name] = (default, *others)
    return found
