"""The vocabulary of the rule language: every fact an expression may name, stated once.

FACTS are known before adjudication: which unit is where, and which orders are candidates. A fact
about orders is always a set of candidates, never "the order of the unit in X". So the same
expression makes sense when the orders themselves are unknown (a candidate counts if issued). The
names are also the attributes of the classes in `dipsat.game.facts`.

Every reading takes a word from its entry here: Python, open orders, units anywhere, the kernel, the
theory of any board, and the table in docs/rule-language.md. If an entry has nothing for the kernel,
the kernel declines rules that use the word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from dipsat.board import Map
from dipsat.rules.syntax import (
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
    Fact,
    Type,
    set_of,
)

Known: TypeAlias = Literal["map", "unit", "board", "owners", "orders"]
"""What has to be known for a fact: only the map and the season; the unit but not its place; the
board with one order; also the owners of supply centres; or all orders."""


@dataclass(frozen=True, slots=True)
class Word:
    """A fact. `texts` are its only possible values, if these are known.

    In Python, `value` finds it from its object, or `on_map` from the map and the code of a
    province; provinces are given by their codes. A word with neither is an attribute with which the
    facts are created. `open_orders` and `anywhere` say whether rules may use it while orders, or
    the places of units, are open. A truth or a text from `on_map` can be `anywhere` without more
    code, any other new word only if the objects of `dipsat.searches.open_unit_facts` have it, too.

    For the kernel, `c` is its value for the object numbered `{x}`; a set of orders is given as the
    set of their units (`dipsat/kernel/runtime/board.h`). `mask` has the units for which a truth
    value holds or, for a unit's own order, all orders of its type. A set that is `single` never has
    several members. A set of provinces from `on_map` needs no `c`, because the kernel makes a table
    of it; a truth or a text does.

    For the theory of any board, `theory` says when y is in the set of x. A set without it, like a
    value, may be anything that the axioms allow. For both, a word with a `path`, such as
    "unit.power", is found by following these facts one after the other.
    """

    type: Type
    meaning: str
    known: Known = "orders"
    texts: tuple[str, ...] = ()
    value: Callable[[Any], Any] | None = None
    on_map: Callable[[Map, str], Any] | None = None
    open_orders: bool = True
    anywhere: bool = True
    path: str = ""
    c: str = ""
    mask: str = ""
    single: bool = False
    theory: str = ""

    def of(self, thing: Any) -> Any:
        """The fact of an object, if `value` or `on_map` says how to find it."""
        if self.value is not None:
            return self.value(thing)
        return thing._on_map(self)


def _near(unit: Any) -> tuple[Any, ...]:
    """Reachable provinces. Under the few rules that ask for them, all provinces have facts."""
    places = unit.around.places
    reached = unit.around.map.reach_provinces(unit.unit.kind, unit.unit.location)
    return tuple(places[code] for code in sorted(reached) if code in places)


def _neighbours(board: Map, code: str) -> list[str]:
    nowhere = frozenset[str]()
    return sorted(board.land.get(code, nowhere) | board.water.get(code, nowhere))


_AGAINST = "(= (Move.origin y) (Move.target x)) (= (Move.target y) (Move.origin x))"
_POWER_OF_UNIT = Word(POWER, "the power that owns the unit", "board", path="unit.power")

FACTS: Mapping[str, Mapping[str, Word]] = {
    "Province": {
        "code": Word(TEXT, 'its abbreviation, such as "BUL"', "map", anywhere=False, c="{x}"),
        "kind": Word(TEXT, '"land", "coast" or "sea"', "map", ("land", "coast", "sea"),
            on_map=lambda board, code: board.provinces[code].kind, c="f->map->kind_of[{x}]"),
        "supply": Word(TRUTH, "whether it is a supply centre", "map",
            on_map=lambda board, code: board.provinces[code].supply, c="f->map->supply[{x}]"),
        "owner": Word(POWER, "the power that owns it as a supply centre; no power if nobody does",
            "owners", value=lambda place: place.around.position.owner(place.code), anywhere=False,
            c="f->owner[{x}]"),
        "homes": Word(set_of(POWER), "the powers whose home centre it is", "map",
            on_map=lambda board, code: board.homes.get(code, ()), anywhere=False,
            c="f->map->homes[{x}]"),
        "neighbours": Word(set_of(PROVINCE), "the provinces that border it by land or water", "map",
            on_map=_neighbours, anywhere=False),
        "units": Word(set_of(UNIT), "the units that stand there at the start of the phase", "board",
            c="f->units_in[{x}]", single=True, theory="(= (Unit.province y) x)"),
        "attackers": Word(set_of(MOVE), "the moves to it",
            c="f->attackers[{x}]", theory="(= (Move.target y) x)"),
        "departures": Word(set_of(MOVE), "the moves out of it",
            c="departures(f, {x})", single=True, theory="(= (Move.origin y) x)"),
    },
    "Unit": {
        "power": Word(POWER, "the power that owns it", "unit", c="f->power[{x}]"),
        "kind": Word(TEXT, '"army", "fleet", or a kind that the rules declare', "unit",
            value=lambda unit: unit.unit.kind.word, c="f->kind[{x}]"),
        "province": Word(PROVINCE, "where it stands at the start of the phase", "board",
            c="f->province[{x}]"),
        "near": Word(set_of(PROVINCE), "the provinces that it could move to without a convoy",
            value=_near, anywhere=False, c="near(f, {x})"),
        "moves": Word(set_of(MOVE), "its own move", mask="f->moves", theory="(= (Move.unit y) x)"),
        "supports": Word(set_of(SUPPORT), "the matching orders that support it to hold",
            c="f->hold_supports[{x}]",
            theory="(and (= (Support.supported y) x) (= (Support.target y) (Unit.province x)))"),
        "convoys": Word(set_of(CONVOY), "its own matching convoy order",
            mask="f->convoys", theory="(= (Convoy.unit y) x)"),
    },
    "Move": {
        "unit": Word(UNIT, "the unit that moves", "board", c="{x}"),
        "power": _POWER_OF_UNIT,
        "origin": Word(PROVINCE, "where it starts", "board", path="unit.province"),
        "target": Word(PROVINCE, "where it goes", "board", c="f->target[{x}]"),
        "convoyed": Word(TRUTH, "whether it goes by convoy and not by land", mask="f->convoyed"),
        "via": Word(TRUTH, 'whether it is ordered "via convoy"', "board",
            # If an army can go only by sea, every candidate for its move says "via convoy".
            open_orders=False, anywhere=False, mask="f->via"),
        "by_land": Word(TRUTH, "whether the unit could go there without a convoy", "board",
            mask="f->by_land"),
        "rivals": Word(set_of(MOVE), "the other moves to the same target",
            value=lambda m: tuple([o for o in m.target.attackers if o.unit is not m.unit]),
            c="rivals(f, {x})", theory="(and (= (Move.target y) (Move.target x)) (not (= y x)))"),
        "facing": Word(set_of(MOVE), "the move from the target to the origin",
            value=lambda m: tuple([o for o in m.target.departures if o.target is m.origin]),
            c="facing(f, {x})", theory=f"(and {_AGAINST})"),
        "opponents": Word(set_of(MOVE),
            "the move from the target to the origin if neither goes by convoy (head-to-head)",
            value=lambda m: tuple(o for o in m.facing if not m.convoyed and not o.convoyed),
            anywhere=False, c="opponents(f, {x})",
            theory=f"(and {_AGAINST} (not (Move.convoyed x)) (not (Move.convoyed y)))"),
        "meeting": Word(set_of(MOVE), "the moves out of the target or into the origin",
            value=lambda m: tuple(dict.fromkeys((*m.target.departures, *m.origin.attackers))),
            c="meeting(f, {x})", theory=f"(or {_AGAINST})"),
        "supports": Word(set_of(SUPPORT), "the matching orders that support this move",
            c="f->move_supports[{x}]",
            theory="(and (= (Support.supported y) (Move.unit x)) (= (Support.target y)"
            " (Move.target x)))"),
        # An order's path may leave out fleets that convoy it, so the axioms only bound this set.
        "convoys": Word(set_of(CONVOY), "the matching convoy orders that may carry it",
            c="f->carriers[{x}]"),
    },
    "Support": {
        "unit": Word(UNIT, "the unit that supports", "board", c="{x}"),
        "power": _POWER_OF_UNIT,
        "province": Word(PROVINCE, "where the supporting unit stands", "board",
            path="unit.province"),
        "supported": Word(UNIT, "the unit that is supported", "board", c="f->other[{x}]"),
        "origin": Word(PROVINCE, "where the supported unit stands", "board",
            path="supported.province"),
        "target": Word(PROVINCE, "where the support is directed: the move's target, or the origin",
            "board", c="f->aim[{x}]"),
    },
    "Convoy": {
        "unit": Word(UNIT, "the fleet that convoys", "board", c="{x}"),
        "power": Word(POWER, "the power that owns the fleet", "board", path="unit.power"),
        "province": Word(PROVINCE, "where the fleet stands", "board", path="unit.province"),
        "army": Word(UNIT, "the army that is convoyed", "board", c="f->other[{x}]"),
        "origin": Word(PROVINCE, "where the army starts", "board", path="army.province"),
        "target": Word(PROVINCE, "where the army goes", "board", c="f->aim[{x}]"),
        "on_route": Word(TRUTH,
            "whether it is on a route of matching orders that needs every one of its fleets",
            open_orders=False, c="on_route(f, {x})"),
    },
    "Retreat": {
        "unit": Word(UNIT, "the unit that retreats", "board", c="{x}"),
        "power": _POWER_OF_UNIT,
        "origin": Word(PROVINCE, "where it was dislodged", "board", path="unit.province"),
        "target": Word(PROVINCE, "where it goes", "board", c="{x}_target"),
        "rivals": Word(set_of(RETREAT), "the other retreats to the same target"),
    },
    "Build": {
        "power": Word(POWER, "the power that builds", "board"),
        "kind": Word(TEXT, 'what is built: "army", "fleet", or a kind that the rules declare',
            "board"),
        "province": Word(PROVINCE, "where it is built", "board"),
    },
    "Phase": {
        "season": Word(TEXT, '"spring", "summer", "fall" or "winter"', "map",
            ("spring", "summer", "fall", "winter"), c="f->season"),
    },
}  # fmt: skip

CYCLE_FACTS = {"resolutions": Word(NUMBER, "how many resolutions the cycle has by itself")}
"""The facts of `cycle` in cycle rules, besides a set for every decision (`cycle.move`)."""


def word_of(node: object) -> Word | None:
    """The word that an expression consists of, None if it is not one of the vocabulary."""
    if not isinstance(node, Fact) or node.declared:
        return None
    return FACTS.get(node.of.type.name, {}).get(node.name)


def followed(word: Word, kind: str) -> tuple[Word, Word]:
    """The two words on the path of a word of this type."""
    name, then = word.path.split(".")
    first = FACTS[kind][name]
    return first, FACTS[first.type.name][then]


def names_known(*known: Known) -> Mapping[str, tuple[str, ...]]:
    """Type -> its words that need no more knowledge than this."""
    found = {
        kind: tuple(name for name, word in words.items() if word.known in known)
        for kind, words in FACTS.items()
    }
    return {kind: names for kind, names in found.items() if names}


KNOWN_EARLY = names_known("map", "unit", "board", "owners")
"""The facts that are known when a single order is judged, before the others are looked at. The
attributes of units are known, too."""

FIXED = names_known("map")
"""Those of them that are the same in every phase of a season on one map."""

KINDS_OF_UNITS = (("Unit", "kind"), ("Build", "kind"))
"""The facts whose value is a kind of unit: "army", "fleet", or one that rules declare."""

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
