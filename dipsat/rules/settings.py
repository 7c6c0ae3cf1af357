"""Settings, and the conditions that rules place on single orders and places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property
from math import prod
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, get_args, get_type_hints

from dipsat.base import brief, checked, checked_fields, own_fields
from dipsat.errors import WorkLimitError
from dipsat.rules.closed_values import Formula, Surroundings
from dipsat.rules.syntax import (
    ENTITIES,
    POWER,
    PROVINCE,
    UNIT,
    AllOf,
    Chain,
    CurrentPhase,
    Expression,
    Fact,
    Predicate,
    Quantifier,
    children,
)
from dipsat.rules.vocabulary import names_known

CONVOYS_IN, BUILDS_IN, COUNTS_FOR = "convoys_in", "builds_in", "counts_for"

CAPTURES = "captures"

PLACES = {
    CONVOYS_IN: (PROVINCE,),
    BUILDS_IN: (POWER, PROVINCE),
    COUNTS_FOR: (POWER, PROVINCE),
    CAPTURES: (UNIT, PROVINCE),
}
"""The conditions that say where a fleet may convoy, where a power may build, whether a centre
counts for its owner, and whether a unit captures the centre it occupies after fall."""

IF_NOT_STATED = {
    CONVOYS_IN: 'p.kind == "sea"',
    BUILDS_IN: "p.owner == w and any(h == w for h in p.homes)",
    COUNTS_FOR: "true",
    CAPTURES: "true",
}
"""The meaning of each without an entry, on a map where powers build at home."""

MAX_STEPS = 10_000
"""Steps (`dipsat.rules.closed_values`) of a condition for one order. Shipped conditions take at
most 13; one about every pair of units on a full board takes a few thousand."""

MAX_TOGETHER = 500_000
"""Steps of a condition for all powers and provinces together: dipsat tests every pair to find where
each power may build. Shipped conditions take at most 6,300."""


class Conditions:
    """The conditions of a profile; `reasons` are texts for users. Two are equal if their conditions
    and reasons are."""

    def __init__(self, conditions: Mapping[str, Formula], reasons: Mapping[str, str]) -> None:
        self.reasons = reasons
        self._all = dict(conditions)
        self._by_kind: dict[str, list[Formula]] = {kind: [] for kind in ENTITIES}
        for condition in conditions.values():
            if condition.name not in PLACES:
                self._by_kind[str(condition.indices[0].type)].append(condition)
        self._parts = [(one, parts_by_domains(one.expression)) for one in conditions.values()]

    def check_steps(self, around: Surroundings) -> None:
        """Raise `WorkLimitError` for a condition that would take more than `MAX_STEPS` steps on
        these facts, or more than `MAX_TOGETHER` steps for all powers and provinces."""
        sizes = Sizes(around)
        for condition, parts in self._parts:
            steps = sizes.steps(parts)
            if steps > MAX_STEPS:
                raise WorkLimitError(condition.origin, condition.name, steps, MAX_STEPS)
            if POWER in PLACES.get(condition.name, ()):
                steps *= len(around.map.powers) * len(around.map.provinces)
                if steps > MAX_TOGETHER:
                    raise WorkLimitError(condition.origin, condition.name, steps, MAX_TOGETHER)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Conditions):
            return NotImplemented
        return self._all == other._all and self.reasons == other.reasons

    def __hash__(self) -> int:
        return hash(tuple(sorted(self._all)))

    def __contains__(self, name: str) -> bool:
        """Whether there is a condition with this name, such as one of `PLACES`."""
        return name in self._all

    def are_about(self, kind: str) -> bool:
        """Whether there is a condition on orders of a type of the vocabulary."""
        return bool(self._by_kind[kind])

    def refusal(self, kind: str, order: object, around: Surroundings) -> tuple[str, str] | None:
        """The name and reason of the first condition that an order of this type violates."""
        for condition in self._by_kind[kind]:
            if not condition.holds(around, order):
                return condition.name, self.reason(condition.name)
        return None

    def hold(self, name: str, around: Surroundings, *objects: object) -> bool:
        """Whether one of `PLACES` holds; true if it is not stated."""
        return name not in self._all or self._all[name].holds(around, *objects)

    @property
    def count_whatever_stands(self) -> bool:
        """Whether the centres that count are independent of the units on the board."""
        return COUNTS_FOR not in self._all or is_lasting(self._all[COUNTS_FOR].expression)

    def reason(self, name: str) -> str:
        """The text for users for a condition that does not hold."""
        return self.reasons.get(name, name.replace("_", " "))


def is_lasting(node: Expression) -> bool:
    """Whether a condition on a unit and a province has the same value on every board."""
    if isinstance(node, AllOf | CurrentPhase) and not node.type.members:
        return False
    if isinstance(node, Fact) and not node.type.members:
        lasting = _LASTING.get(str(node.of.type), ())
        if node.name not in lasting:
            return False
    return all(map(is_lasting, children(node)))


_LASTING = names_known("map", "unit")

Naming = Literal["valid", "illegal", "unless named"]


@brief()
@checked_fields
@dataclass(frozen=True)
class Settings:
    """A value for each issue of DATC chapter 4 that no equation decides. The defaults are the
    preferences of DATC 3.0."""

    # 4.A.3: when an army ordered to a neighbouring province goes by convoy. intent: if ordered
    # "via convoy", or if a fleet of its own power is legally ordered to convoy it. explicit: only
    # if ordered "via convoy". opposed: if a complete route is ordered and the unit at the target
    # moves the other way. always: if a complete route is ordered.
    adjacent_convoy: Literal["intent", "explicit", "opposed", "always"] = "intent"
    # 4.A.3, 6.G.8: an army is to go to a neighbouring province by convoy, since it is ordered "via
    # convoy" or a fleet of its own power shows the intent, but no whole route is ordered. stays: it
    # stays. by land: it moves by land. by land without path: it moves by land unless its order
    # names a convoy path (4.A.6). by land as via: it moves by land, but its order
    # still counts as one "via convoy" in the equations.
    via_without_convoy: Literal["stays", "by land", "by land without path", "by land as via"] = (
        "stays"
    )
    # 4.A.6: a convoy path in a move order (A YOR - NTH - BEL). required: an army without one is
    # not convoyed.
    convoy_path: Literal["ignored", "allowed", "required"] = "ignored"
    # 4.B.1: a fleet's move without a coast to a province where it can reach two. first: it moves to
    # the default coast, which is the one that the map states, or else lists first.
    coast_of_two_omitted: Literal["illegal", "first"] = "illegal"
    # 4.B.2: a fleet's move without a coast to a province where it can reach one. amended: it moves
    # to that coast. first: it moves to the default coast, as for coast_of_two_omitted.
    coast_of_one_omitted: Literal["amended", "illegal", "first"] = "amended"
    # 4.B.3: a fleet's move to a coast that it cannot reach, while it can reach another. amended: it
    # moves to the other.
    coast_impossible: Literal["illegal", "amended"] = "illegal"
    # 4.B.4: the coast in a support order. required: it must be written and match. own: it may be
    # left out for a unit of the same power, or if only one coast is possible. optional: if written,
    # it must match. ignored: it never matters. first: an order without one means the default coast.
    support_coast: Literal["optional", "required", "own", "ignored", "first"] = "optional"
    # 4.B.5: the ordered unit is on another coast than written.
    unit_coast_wrong: Literal["ignored", "illegal"] = "ignored"
    # 4.B.6: a coast that does not exist or does not matter (F BRE/EC, A GAS - SPA/NC).
    coast_irrelevant: Literal["ignored", "illegal"] = "ignored"
    # 4.C.1, 4.C.2: A or F is missing or wrong. unless named: valid unless another order of the
    # power names the same unit properly.
    kind_missing: Naming = "valid"
    kind_wrong: Naming = "valid"
    # 4.C.5, 4.C.6: the nationality of another power's supported or convoyed unit is missing or
    # wrong.
    nationality_missing: Naming = "valid"
    nationality_wrong: Naming = "valid"
    # 4.D.1: which of several sets of orders of a power count, if it is known which came first. A
    # last set with an order for everything replaces the others under every value. last unless it
    # adds: the last one, and those before it if it says that it adds to them. last: the last one.
    # all unless replaced: all, except those before a set that says that it replaces them. all: all.
    # If several sets count and order the same unit, the later set is followed.
    order_sets: Literal["last unless it adds", "last", "all unless replaced", "all"] = (
        "last unless it adds"
    )
    # 4.D.2: which of them count if it is not known which came first. all: their orders form one
    # set. none: the power has no orders.
    undated_order_sets: Literal["all", "none"] = "all"
    # 4.D.3: several different legal orders in a set for one unit. hold: all are illegal, and the
    # unit holds.
    multiple_orders: Literal["hold", "first", "last"] = "hold"
    # 4.D.9: support to hold for a unit of a power without any orders. refused: it is invalid.
    disorder_support: Literal["given", "refused"] = "given"
    # 4.E.1: which orders count as orders. position: those that could be carried out with the units
    # where they are. map: also those that could be with other units on the board. places: all that
    # name places on the map. format: also moves to places that are not on the map. An order that
    # counts but is impossible now fails. It is one of several orders (4.D.3), it may show an intent
    # to convoy (4.A.3), and a unit that it orders to move cannot be supported to hold.
    legal: Literal["position", "map", "places", "format"] = "position"
    # 4.E.2: an order that is misspelt, or has a name that could mean several provinces. refused: it
    # is an error, so that the player can be asked. spelling: it is read if only one name is like
    # what was typed. one order: it has the one meaning that makes the order possible. order set:
    # it has the one meaning left if the power means to order each unit once. matching: it has the
    # one meaning left if the power also means its orders to match each other. held: it has no
    # meaning. Under all values except refused, a unit holds if its order has no single meaning.
    poorly_written: Literal[
        "refused", "spelling", "one order", "order set", "matching", "held"
    ] = "refused"  # fmt: skip
    # 4.E.3: a unit without an order whose move a legal order of its own power supports or convoys.
    # deduced: it gets the order to move there.
    implicit_orders: Literal["ignored", "deduced"] = "ignored"
    # Where units are built. map: as the map says (`build`). home: in owned home centres. any: in
    # every owned centre. any-if-home-owned: in every owned centre, if at least one home centre is
    # owned. home-any: in owned centres that are home centres of any power.
    build_where: Literal["map", "home", "any", "any-if-home-owned", "home-any"] = "map"
    # 4.B.7: a fleet built without a coast where there are two. first: it is built on the default
    # coast, as for coast_of_two_omitted.
    build_coast_omitted: Literal["illegal", "first"] = "illegal"
    # 4.C.3: A or F is missing in a build. by place: it is an army inland, a fleet if a coast is
    # written. inland: it is an army inland.
    build_kind_missing: Literal["by place", "inland", "illegal"] = "by place"
    # 4.C.4: a fleet built inland. army: an army is built instead.
    build_fleet_inland: Literal["illegal", "army"] = "illegal"
    # 4.D.4: more legal builds than allowed.
    builds_too_many: Literal["first", "last", "none"] = "first"
    # 4.D.5: different legal builds in one province.
    builds_in_one_place: Literal["first", "last", "none"] = "first"
    # 4.D.6: more legal disbands than required. none: the civil disorder rule chooses all of them.
    disbands_too_many: Literal["first", "last", "none"] = "first"
    # 4.D.7: whether a build may be waived.
    waive: Literal["allowed", "illegal"] = "allowed"
    # 4.D.8: which units are disbanded for lack of orders: the farthest from some centres, then
    # fleets before armies, then by the name of the province. owned: from the owned centres, by land
    # and sea alike. home: from the home centres, by land and sea alike. home by kind: from the home
    # centres, armies by land and sea, fleets as they move. home by convoy: from the home centres,
    # both as they move, with a convoy as one move and a fleet in every sea. home by own convoy: the
    # same, but only with the power's fleets at sea. home by any convoy: the same, but only with the
    # fleets at sea of all powers.
    civil_disorder: Literal[
        "owned", "home", "home by kind",
        "home by convoy", "home by own convoy", "home by any convoy",
    ] = "owned"  # fmt: skip
    # When centres change owners: after the fall retreats, or already after the fall moves (and, for
    # units that retreat, after the retreats).
    centers_change: Literal["after retreats", "after moves"] = "after retreats"
    # How many centres a power must own to win; it must also own more than any other power. map: as
    # many as the map says (`victory`), a majority if it does not say. majority: more than half of
    # the centres on the map. never: no power wins.
    victory: Literal["map", "majority", "never"] = "map"
    # Not a choice: the section `legal` of a profile, None if there is none.
    conditions: Conditions | None = field(default=None, repr=False)

    __getstate__ = own_fields

    @cached_property
    def lenient(self) -> Settings:
        """These settings, except that no text is refused: the unit of a refused text holds."""
        refuses = self.poorly_written == "refused"
        return replace(self, poorly_written="held") if refuses else self

    @checked
    def goes_by_land_instead(self, path: tuple[str, ...]) -> bool:
        """Whether an army that is ordered "via convoy" to a neighbouring province with this convoy
        path moves by land if there is no convoy (DATC 3.0 6.G.8)."""
        rule = self.via_without_convoy
        return rule in ("by land", "by land as via") or (
            rule == "by land without path" and not path
        )


@cache
def setting_values() -> Mapping[str, tuple[str, ...]]:
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
    return MappingProxyType(found)


Domains: TypeAlias = tuple[Expression, ...]
"""The sets over which a part of an expression is evaluated."""


def parts_by_domains(node: Expression, around: Domains = ()) -> Counter[Domains]:
    """The number of parts of an expression for each combination of sets over which they are
    evaluated. The whole expression is evaluated over the sets `around`."""
    return Counter(_domains(node, around))


def _domains(node: Expression, around: Domains) -> Iterator[Domains]:
    yield around
    inside = around
    if isinstance(node, Quantifier | Chain):
        inside = (*around, node.domain)
    elif isinstance(node, Predicate):
        yield from ((*around, domain) for domain in node.domains)
    for part in children(node):
        yield from _domains(part, inside)


class Sizes:
    """The sizes of sets: the number of objects of a type, or the largest set of a fact."""

    def __init__(self, around: Surroundings) -> None:
        self.around = around
        self._found: dict[int, int] = {}  # by identity: hashing an expression walks it

    def steps(self, parts: Counter[Domains]) -> int:
        """The total number of steps of the parts of an expression."""
        return sum(count * prod(map(self._of, domains)) for domains, count in parts.items())

    def _of(self, domain: Expression) -> int:
        found = self._found.get(id(domain))
        if found is None:
            found = self._found[id(domain)] = self._size(domain)
        return found

    def _size(self, domain: Expression) -> int:
        if isinstance(domain, Fact):
            owners = self.around.domain(domain.of.type.name)
            if owners:
                name, declared = domain.name, domain.declared
                sets = (one.attribute(name) if declared else getattr(one, name) for one in owners)
                return max(len(tuple(members)) for members in sets)
        return self._all(domain)

    def _all(self, domain: Expression) -> int:
        """The number of all objects that could be in a set."""
        kind = domain.of if isinstance(domain, AllOf) else domain.type.item
        return 1 if kind is None else len(kind.members or self.around.domain(kind.name))


class RoughSizes(Sizes):
    """Upper bounds that are quick to find: the set of a fact may hold all objects of its type."""

    def _size(self, domain: Expression) -> int:
        return self._all(domain)
