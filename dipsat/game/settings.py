"""Settings: how unclear or faulty orders are read, before any equation is solved.

Each is one issue of DATC chapter 4; a rule profile chooses under `settings`. The defaults are the
DATC 3.0 author's preferences.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args, get_type_hints

from dipsat.game.conditions import Conditions

Naming = Literal["valid", "illegal", "unless named"]


@dataclass(frozen=True, slots=True)
class Settings:
    """One value for each issue of DATC chapter 4 that no equation decides."""

    # 4.A.3: when an army ordered to a neighbouring province goes by convoy. intent: if ordered
    # "via convoy", or if a fleet of its own power is legally ordered to convoy it. explicit: only
    # if ordered "via convoy". opposed: if a complete route is ordered and the unit at the target
    # moves the other way. always: if a complete route is ordered.
    adjacent_convoy: Literal["intent", "explicit", "opposed", "always"] = "intent"
    # 4.A.3, 6.G.8: an army should go to a neighbouring province by convoy, because it is ordered
    # "via convoy" or a fleet of its own power shows the intent, but no complete route is ordered.
    # by land: it goes over land. by land without path: it goes over land unless its order names a
    # convoy path (4.A.6).
    via_without_convoy: Literal["stays", "by land", "by land without path"] = "stays"
    # 4.A.6: a convoy path in a move order (A YOR - NTH - BEL). required: without one, the army
    # is not convoyed.
    convoy_path: Literal["ignored", "allowed", "required"] = "ignored"
    # 4.B.1: a fleet's move without a coast where it could reach two. first: the default coast is
    # meant: the one that the map states, or else lists first.
    coast_of_two_omitted: Literal["illegal", "first"] = "illegal"
    # 4.B.2: a fleet's move without a coast where it can reach one. first: the default coast.
    coast_of_one_omitted: Literal["amended", "illegal", "first"] = "amended"
    # 4.B.3: a fleet's move to a coast it cannot reach, while it can reach another.
    coast_impossible: Literal["illegal", "amended"] = "illegal"
    # 4.B.4: the coast in a support order. required: it must be given and match. own: it may be
    # left out for a unit of the same power, or where one coast is possible. optional: if given,
    # it must match. ignored: it never matters. first: without one the default coast is meant.
    support_coast: Literal["optional", "required", "own", "ignored", "first"] = "optional"
    # 4.B.5: the ordered unit stands on a different coast from the one written.
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
    # 4.D.1: which of a power's several sets of orders count, where it is known which came first.
    # Under every value, a last set with an order for every unit replaces the others. last unless it
    # adds: the last one, and those before it if it says that it adds to them. last: the last one.
    # all unless replaced: all, except those before a set that says that it replaces them. all: all.
    # Where several count and order the same unit, the latest applies.
    order_sets: Literal["last unless it adds", "last", "all unless replaced", "all"] = (
        "last unless it adds"
    )
    # 4.D.2: the same where it is not known which came first. all: their orders form one set. none:
    # the power has no orders.
    undated_order_sets: Literal["all", "none"] = "all"
    # 4.D.3: several different legal orders in a set for one unit. hold: all are illegal, it holds.
    multiple_orders: Literal["hold", "first", "last"] = "hold"
    # 4.D.9: support to hold for a unit of a power without any orders. refused: it is invalid.
    disorder_support: Literal["given", "refused"] = "given"
    # 4.E.1: which orders count as orders. position: those that could be carried out with the units
    # where they are. map: also those that could be if other units stood on the board. places: all
    # that name places on the map. format: also moves to places that are not on the map. An
    # impossible order that counts fails, but it is one of several orders (4.D.3), it may show an
    # intent to convoy (4.A.3), and a unit that it orders to move cannot be supported to hold.
    legal: Literal["position", "map", "places", "format"] = "position"
    # 4.E.2: an order that is misspelt, or a name that could mean several provinces. refused: it is
    # an error, so that the player can be asked. spelling: it is read if only one province has a
    # similar name. one order: it is read as the only possible order. order set: the same, given
    # that the power orders each unit once. matching: the same, given that its orders also match
    # each other. Under all values except the first, a unit holds if its order is ambiguous.
    poorly_written: Literal["refused", "spelling", "one order", "order set", "matching"] = "refused"
    # 4.E.3: a unit without an order that a legal order of its own power supports or convoys to
    # somewhere. deduced: it is ordered to go there.
    implicit_orders: Literal["ignored", "deduced"] = "ignored"
    # Where units are built. map: as the map says (`build`). home: in owned home centres. any: in
    # every owned centre. any-if-home-owned: in every owned centre, if one of them is a home centre.
    # home-any: in owned centres that are home centres of any power.
    build_where: Literal["map", "home", "any", "any-if-home-owned", "home-any"] = "map"
    # 4.B.7: a fleet built without a coast where there are two. first: the default coast.
    build_coast_omitted: Literal["illegal", "first"] = "illegal"
    # 4.C.3: A or F is missing in a build. by place: an army inland, a fleet if a coast is written.
    # inland: an army inland.
    build_kind_missing: Literal["by place", "inland", "illegal"] = "by place"
    # 4.C.4: a fleet built inland.
    build_fleet_inland: Literal["illegal", "army"] = "illegal"
    # 4.D.4: more legal builds than allowed.
    builds_too_many: Literal["first", "last", "none"] = "first"
    # 4.D.5: different legal builds in one province.
    builds_in_one_place: Literal["first", "last", "none"] = "first"
    # 4.D.6: more legal disbands than required. none: civil disorder decides them all.
    disbands_too_many: Literal["first", "last", "none"] = "first"
    # 4.D.7: whether a build may be declined.
    waive: Literal["allowed", "illegal"] = "allowed"
    # 4.D.8: the units disbanded for lack of orders are those farthest from certain centres; then
    # fleets before armies, then by the province's name. owned: from the owned centres, by land and
    # sea alike. home: from the home centres, by land and sea alike. home by kind: from the home
    # centres; armies by land and sea, fleets as they move. home by convoy: from the home centres;
    # both as they move, where a convoy is one move and every sea has a fleet. home by own convoy,
    # home by any convoy: the same, but only over fleets of the power, or of any power, at sea.
    civil_disorder: Literal[
        "owned", "home", "home by kind",
        "home by convoy", "home by own convoy", "home by any convoy",
    ] = "owned"  # fmt: skip
    # How many centres a power needs to win; it must also own more than any other power. map: as
    # many as the map says (`victory`), a majority if it says nothing. majority: more than half.
    victory: Literal["map", "majority", "never"] = "map"
    # Not a choice: the section `legal` of a profile, None if there is none.
    conditions: Conditions | None = field(default=None, repr=False)

    def goes_by_land_instead(self, path: tuple[str, ...]) -> bool:
        """Whether an army that is ordered "via convoy" to a neighbouring province, by this convoy
        path, goes over land for lack of a convoy (6.G.8)."""
        rule = self.via_without_convoy
        return rule == "by land" or (rule == "by land without path" and not path)


def setting_values() -> dict[str, tuple[str, ...]]:
    """The allowed values of each setting, the default first."""
    hints: dict[str, Any] = get_type_hints(Settings)
    defaults = Settings()
    found = {}
    for setting in fields(Settings):
        if setting.name == "conditions":
            continue
        default = getattr(defaults, setting.name)
        others = [value for value in get_args(hints[setting.name]) if value != default]
        found[setting.name] = (default, *others)
    return found
