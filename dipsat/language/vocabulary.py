"""The vocabulary of the rule language: every fact an expression may name.

FACTS are known before adjudication: who stands where and which orders are candidates. A fact
about orders is always a set of candidates, never "the order of the unit in X", so that the same
expression makes sense when the orders themselves are unknown (a candidate counts if issued).
The names are also the attributes of the classes in `dipsat.game.facts`.
"""

from __future__ import annotations

from collections.abc import Mapping

from dipsat.language.types import (
    CONVOY,
    MOVE,
    NUMBER,
    POWER,
    PROVINCE,
    RETREAT,
    SUPPORT,
    TEXT,
    TRUTH,
    UNIT,
    Type,
    set_of,
)

FACTS: Mapping[str, Mapping[str, tuple[Type, str]]] = {
    "Province": {
        "code": (TEXT, 'its abbreviation, such as "BUL"'),
        "kind": (TEXT, '"land", "coast" or "sea"'),
        "supply": (TRUTH, "whether it is a supply centre"),
        "owner": (POWER, "the power that owns it as a supply centre; no power if nobody does"),
        "homes": (set_of(POWER), "the powers whose home centre it is"),
        "units": (set_of(UNIT), "the units that stand there at the start of the phase"),
        "attackers": (set_of(MOVE), "the moves to it"),
        "departures": (set_of(MOVE), "the moves out of it"),
    },
    "Unit": {
        "power": (POWER, "the power that owns it"),
        "kind": (TEXT, '"army", "fleet", or a kind that the rules declare'),
        "province": (PROVINCE, "where it stands at the start of the phase"),
        "near": (set_of(PROVINCE), "the provinces that it could move to without a convoy"),
        "moves": (set_of(MOVE), "its own move"),
        "supports": (set_of(SUPPORT), "the matching orders that support it to hold"),
        "convoys": (set_of(CONVOY), "its own matching convoy order"),
    },
    "Move": {
        "unit": (UNIT, "the unit that moves"),
        "power": (POWER, "the power that owns the unit"),
        "origin": (PROVINCE, "where it starts"),
        "target": (PROVINCE, "where it goes"),
        "convoyed": (TRUTH, "whether it goes by convoy and not by land"),
        "via": (TRUTH, 'whether it is ordered "via convoy"'),
        "by_land": (TRUTH, "whether the unit could go there without a convoy"),
        "rivals": (set_of(MOVE), "the other moves to the same target"),
        "facing": (set_of(MOVE), "the move from the target to the origin"),
        "opponents": (
            set_of(MOVE),
            "the move from the target to the origin if neither goes by convoy (head-to-head)",
        ),
        "meeting": (set_of(MOVE), "the moves out of the target or into the origin"),
        "supports": (set_of(SUPPORT), "the matching orders that support this move"),
        "convoys": (set_of(CONVOY), "the matching convoy orders that may carry it"),
    },
    "Support": {
        "unit": (UNIT, "the unit that supports"),
        "power": (POWER, "the power that owns the unit"),
        "province": (PROVINCE, "where the supporting unit stands"),
        "supported": (UNIT, "the unit that is supported"),
        "origin": (PROVINCE, "where the supported unit stands"),
        "target": (PROVINCE, "where the support is directed: the move's target, or the origin"),
    },
    "Convoy": {
        "unit": (UNIT, "the fleet that convoys"),
        "power": (POWER, "the power that owns the fleet"),
        "province": (PROVINCE, "where the fleet stands"),
        "army": (UNIT, "the army that is convoyed"),
        "origin": (PROVINCE, "where the army starts"),
        "target": (PROVINCE, "where the army goes"),
        "on_route": (
            TRUTH,
            "whether it is on a route of matching orders that needs every one of its fleets",
        ),
    },
    "Retreat": {
        "unit": (UNIT, "the unit that retreats"),
        "power": (POWER, "the power that owns the unit"),
        "origin": (PROVINCE, "where it was dislodged"),
        "target": (PROVINCE, "where it goes"),
        "rivals": (set_of(RETREAT), "the other retreats to the same target"),
    },
    "Build": {
        "power": (POWER, "the power that builds"),
        "kind": (TEXT, 'what is built: "army", "fleet", or a kind that the rules declare'),
        "province": (PROVINCE, "where it is built"),
    },
    "Phase": {
        "season": (TEXT, '"spring", "summer", "fall" or "winter"'),
    },
}

KNOWN_EARLY: Mapping[str, tuple[str, ...]] = {
    "Province": ("code", "kind", "supply", "owner", "homes", "units"),
    "Unit": ("power", "kind", "province"),
    "Move": ("unit", "power", "origin", "target", "via", "by_land"),
    "Support": ("unit", "power", "province", "supported", "origin", "target"),
    "Convoy": ("unit", "power", "province", "army", "origin", "target"),
    "Retreat": ("unit", "power", "origin", "target"),
    "Build": ("power", "kind", "province"),
    "Phase": ("season",),
}
"""The facts known when a single order is judged, before the others are looked at. The attributes of
units are known too."""

FIXED: Mapping[str, tuple[str, ...]] = {
    "Province": ("code", "kind", "supply", "homes"),
    "Phase": ("season",),
}
"""Those of these facts that are the same in every phase of a season on one map."""

CYCLE_FACTS: Mapping[str, tuple[Type, str]] = {
    "resolutions": (NUMBER, "how many resolutions the cycle has by itself"),
}
"""The facts of `cycle` in cycle rules, besides a set for every decision (`cycle.move`)."""

TEXT_VALUES: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("Province", "kind"): ("land", "coast", "sea"),
    ("Phase", "season"): ("spring", "summer", "fall", "winter"),
}
"""The possible texts of a fact, where known; comparing it with any other text is an error."""

KINDS_OF_UNITS = (("Unit", "kind"), ("Build", "kind"))
"""The facts that name a kind of unit: "army", "fleet", or one that rules declare."""

QUANTIFIERS: Mapping[str, str] = {
    "all": "all(e for x in D if c): c implies e for every x in D; the filter may be left out",
    "any": "any(e for x in D if c): c and e for some x in D; the filter may be left out",
    "sum": "sum(e for x in D if c): e added up over the x in D for which c holds; a truth value "
    "counts 1; the filter may be left out",
}
"""Quantifier -> what it means. The filter may be unknown, too."""

PREDICATES: Mapping[str, str] = {
    "some": "some(D): D is not empty",
    "ring": "ring(D): the moves D form one closed ring, each entering the province that the next "
    "one leaves",
    "chain": "chain(a, b, (e for c in D if f)): the provinces of those c in D for which f and e "
    "hold contain a chain of neighbouring waters from province a to province b",
}
"""Predicate -> what it means."""
