"""The facts of a phase in which the places, powers and orders of units are open.

A province is known by its role for the units: the place of one of them, or an empty province that
the first of some units goes to. So the objects of each decision are known. The open facts are which
candidates are issued, who belongs to whom, and where fleets make a route. Each such fact is a
guard, like the order of a unit whose orders are open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from dipsat.board import ARMIES_BY_FLEETS, UnitKind
from dipsat.equations import Phase, Term, all_of, any_of
from dipsat.errors import QuestionError
from dipsat.game import ConvoyFacts, MoveFacts, Position, ProvinceFacts, SupportFacts, UnitFacts
from dipsat.orders import Hold, Move, Unit, UnitName
from dipsat.rules import (
    FACTS,
    PROVINCE,
    AllOf,
    DecisionCall,
    Expression,
    Fact,
    Feature,
    Profile,
    Related,
    Settings,
    Word,
    difference,
    expressions_of,
    open_kinds,
    parts_of_all,
    word_of,
)
from dipsat.searches.encoding import refuse_limits
from dipsat.searches.unit_slots import CONVOY, ORIGIN, SUPPORT, TARGET, Slots
from dipsat.solving import FALSE


class OpenValue:
    """A fact with one of several values, such as the power of a unit. A comparison gives the term
    that holds if the values are the same. `cases` has the literal of each value."""

    __hash__ = None  # type: ignore[assignment]  # a look-up could not have an open result

    def __init__(self, cases: Mapping[str, int], slots: Slots) -> None:
        self._cases, self._slots = cases, slots

    def __eq__(self, other: object) -> Any:
        """The term that holds if both have the same value."""
        if other is self:
            return True
        if isinstance(other, OpenValue):
            both, theirs = self._slots.gates.both, other._cases
            same = [both(lit, theirs[one]) for one, lit in self._cases.items() if one in theirs]
            return self._slots.term(self._slots.gates.any_of(same))
        literal = self._cases.get(other, FALSE) if isinstance(other, str) else FALSE
        return self._slots.term(literal)


class OpenProvince(ProvinceFacts):
    """A province that is known only by its role for the units. `where` maps the code of each
    province of the map to the literal that holds if this is it."""

    __slots__ = ("_slots", "where")

    def __init__(self, index: int, code: str, where: Mapping[str, int], slots: Slots) -> None:
        super().__init__(index, code, slots.around)
        self.where, self._slots = where, slots

    def _on_map(self, word: Word) -> Any:
        """A word that the map alone decides, as a guard or as an open value."""
        assert word.on_map is not None
        cases: dict[Any, list[int]] = {}
        for code, literal in self.where.items():
            cases.setdefault(word.on_map(self._slots.board, code), []).append(literal)
        any_of_these = self._slots.gates.any_of
        if word.type.is_truth:
            return self._slots.term(any_of_these(cases.get(True, ())))
        found = {value: any_of_these(literals) for value, literals in cases.items()}
        return OpenValue(found, self._slots)


class OpenUnit(UnitFacts):
    """A unit somewhere on the board; nothing else about it is known."""

    __slots__ = ("_slots",)

    def __init__(self, index: int, province: ProvinceFacts, slots: Slots) -> None:
        unit = Unit("", UnitKind.ARMY, province.code)
        super().__init__(index, unit, province, Hold(unit.name), slots.around)
        self._slots = slots
        self.power: Any = OpenValue(slots.power[index], slots)

    @property
    def kind(self) -> Any:  # type: ignore[override]  # the base class has a read-only one, too
        """The word for its kind, such as "army"."""
        kinds = {kind for kind, _ in self._slots.slots[self.index].standings}
        cases = {kind.word: self._slots.is_kind(self.index, kind) for kind in sorted(kinds)}
        return OpenValue(cases, self._slots)


class OpenConvoy(ConvoyFacts):
    """A convoy of a known unit for a known move; nothing else about it is known."""

    __slots__ = ("_slots",)

    def __init__(self, index: int, unit: UnitFacts, move: MoveFacts, slots: Slots) -> None:
        net = slots.convoying.net
        super().__init__(index, unit, move.unit, move.target, move.target_location, net)
        self._slots = slots

    @property
    def on_route(self) -> Any:
        """Whether a route through the convoy orders that may carry the army needs this one."""
        literal = self._slots.is_route_ordered(self.army.index, self.unit.index)
        return self._slots.term(literal)


def rest_of_map(slots: Slots) -> OpenProvince:
    """A province where no unit stands or goes."""
    return OpenProvince(2 * len(slots.slots), "elsewhere", slots.rest, slots)


def open_units_phase(slots: Slots, settings: Settings) -> Phase:
    """The facts of a phase in which everything about some units is open, under these settings."""
    return _Builder(slots, settings).phase()


class _Builder:
    def __init__(self, slots: Slots, settings: Settings) -> None:
        self.slots, self.settings = slots, settings
        self.homes = [
            self._place(at, f"place of {at}", {c: slots.stands_in(at, c) for c in slots.codes})
            for at in slots.numbers
        ]
        count = len(self.homes)
        self.empty = [
            self._place(
                count + at,
                f"target of {at}",
                {
                    code: slots.gates.both(lit, slots.goes_to_empty(at, at))
                    for code, lit in slots.target[at].items()
                },
            )
            for at in slots.numbers
        ]
        self.units = [OpenUnit(at, home, slots) for at, home in enumerate(self.homes)]
        for unit, home in zip(self.units, self.homes, strict=True):
            home.units = (unit,)
        self.moves: list[MoveFacts] = []
        self.supports: list[SupportFacts] = []
        self.convoys: list[ConvoyFacts] = []

    def _place(self, index: int, code: str, where: Mapping[str, int]) -> OpenProvince:
        known = {code: literal for code, literal in where.items() if literal != FALSE}
        return OpenProvince(index, code, known, self.slots)

    def phase(self) -> Phase:
        for unit in self.units:
            self._move(unit)
        for unit in self.units:
            for other in self.units:
                if other is not unit:
                    self._support(unit, other)
                    self._convoy(unit, other)
        return Phase(
            self.slots.board,
            (*self.homes, *self.empty),
            tuple(self.units),
            tuple(self.moves),
            tuple(self.supports),
            tuple(self.convoys),
            {},
            _routes=self._route,
        )

    def _move(self, unit: UnitFacts) -> None:
        """The moves of a unit to the place of each other unit, and to empty provinces."""
        slots, term, at = self.slots, self.slots.term, unit.index
        convoyed, via = term(self._is_convoyed(at)), term(slots.via[at])
        targets = [(self.homes[one], slots.goes_to(at, one)) for one in slots.numbers if one != at]
        targets += [
            (self.empty[one], slots.goes_to_empty(at, one)) for one in slots.numbers[: at + 1]
        ]
        found = []
        for place, literal in targets:
            issued = term(literal)
            if issued is False:
                continue
            order: Any = Move(UnitName(unit.province.code), place.code)
            move: Any = MoveFacts(len(self.moves), unit, place, order, True, False)
            move.convoyed, move.via, move.by_land = convoyed, via, term(slots.by_land(at))
            move.issued = issued
            self.moves.append(move)
            found.append(move)
            place.attackers = (*place.attackers, move)
        unit.moves = unit.province.departures = tuple(found)

    def _is_convoyed(self, at: int) -> int:
        """DATC 4.A.3, 6.G.8: the literal that holds if a move goes by convoy when it is made."""
        slots, gates, settings = self.slots, self.slots.gates, self.settings
        by_sea, rule = -slots.by_land(at), settings.adjacent_convoy
        ordered = slots.is_route_ordered(at)
        own = gates.any_of(
            gates.both(slots.does(one, CONVOY, at), slots.allied(one, at))
            for one in slots.numbers
            if one != at
        )
        falls_back = settings.goes_by_land_instead(())
        via = gates.both(slots.via[at], ordered) if falls_back else slots.via[at]
        if rule == "explicit":
            return gates.any_of([by_sea, via])
        if rule == "intent":
            intended = own if settings.via_without_convoy == "stays" else gates.both(own, ordered)
            return gates.any_of([by_sea, via, intended])
        if rule == "always":
            return gates.any_of([by_sea, ordered])
        opposed = gates.any_of(
            gates.both(slots.goes_to(at, one), slots.goes_to(one, at))
            for one in slots.numbers
            if one != at
        )
        return gates.any_of([by_sea, gates.both(ordered, opposed)])

    def _support(self, unit: UnitFacts, other: UnitFacts) -> None:
        slots, term = self.slots, self.slots.term
        given = slots.does(unit.index, SUPPORT, other.index)
        for move in other.moves:
            if move.target is not unit.province:
                issued = all_of([term(given), move.issued])
                move.supports = (*move.supports, self._add(unit, other, move.target, issued))
        stays = term(slots.gates.both(given, -slots.moves(other.index)))
        other.supports = (*other.supports, self._add(unit, other, other.province, stays))

    def _add(
        self, unit: UnitFacts, other: UnitFacts, target: ProvinceFacts, issued: Term
    ) -> SupportFacts:
        found = SupportFacts(len(self.supports), unit, other, target)
        found.issued = issued
        self.supports.append(found)
        return found

    def _convoy(self, unit: UnitFacts, other: UnitFacts) -> None:
        given = self.slots.does(unit.index, CONVOY, other.index)
        if given == FALSE:
            return
        for move in other.moves:
            convoy = OpenConvoy(len(self.convoys), unit, move, self.slots)
            convoy.issued = all_of([self.slots.term(given), move.issued])
            self.convoys.append(convoy)
            unit.convoys = (*unit.convoys, convoy)
            move.convoys = (*move.convoys, convoy)

    def _route(
        self, start: Any, end: Any, members: Sequence[Any], conditions: Sequence[Term]
    ) -> Term:
        """Whether convoys whose conditions hold make a route for an army."""
        if not members:
            return False
        army, target = members[0].army, members[0].target
        known = {army.province: ORIGIN, target: TARGET}
        if not all(isinstance(one, ConvoyFacts) and one.army is army for one in members) or (
            start not in known or end not in known
        ):
            raise QuestionError(
                "a chain of anything but the convoys of an army, from or to where it stands or "
                "goes, cannot be part of a question about units anywhere"
            )
        works = {one.unit.index: term for one, term in zip(members, conditions, strict=True)}
        return any_of(
            all_of([self.slots.term(literal), *(works[one] for one in route)])
            for route, literal in self.slots.routes(army.index, (known[start], known[end])).items()
            if works.keys() >= set(route)
        )


# --- the provinces that a goal names --------------------------------------------------------------

# The equations know a province by its role for the units. A goal names provinces of the map. For
# these, the units that may stand there are candidates, each guarded by the literal that it does,
# and so are the moves out of the province and into it.


class _Candidate:
    """A unit or a move that counts only if a guard holds. Its facts are those of the unit or move
    itself, and it is equal to itself under other guards."""

    def __init__(self, about: UnitFacts | MoveFacts, issued: Term) -> None:
        self._about, self.issued = about, issued

    def __getattr__(self, name: str) -> Any:
        return getattr(self._about, name)

    def __eq__(self, other: object) -> bool:
        about = other._about if isinstance(other, _Candidate) else other
        return self._about is about

    def __hash__(self) -> int:
        return hash(self._about)


class NamedProvince(ProvinceFacts):
    """A province of the map. Comparing it with a province that is known only by its role gives the
    term that they are the same."""

    __slots__ = ("_phase", "_slots")

    def __init__(self, code: str, phase: Phase, slots: Slots) -> None:
        super().__init__(-1, code, slots.around)
        self._phase, self._slots = phase, slots

    def __getattribute__(self, name: str) -> Any:
        # Made on demand: most goals name few of the provinces.
        match name:
            case "units":
                return self._where(self._phase.units, self._here)
            case "departures":
                return self._where(self._phase.moves, lambda move: self._here(move.unit))
            case "attackers":
                return self._where(self._phase.moves, lambda move: self._ahead(move.unit))
        return super().__getattribute__(name)

    def __eq__(self, other: object) -> Any:
        """Whether a province is this one, as a term."""
        if isinstance(other, OpenProvince):
            return self._slots.term(other.where.get(self.code, FALSE))
        return self is other

    __hash__ = object.__hash__

    def _here(self, unit: UnitFacts) -> int:
        return self._slots.stands_in(unit.index, self.code)

    def _ahead(self, unit: UnitFacts) -> int:
        return self._slots.target[unit.index].get(self.code, FALSE)

    def _where(self, those: Iterable[Any], literal_of: Callable[[Any], int]) -> Sequence[Any]:
        """Those that are candidates if a literal holds."""
        found = ((one, self._slots.term(literal_of(one))) for one in those)
        return [
            _Candidate(one, all_of([getattr(one, "issued", True), here]))
            for one, here in found
            if here is not False
        ]


def named_provinces(phase: Phase, slots: Slots) -> tuple[NamedProvince, ...]:
    """Every province of the map."""
    return tuple(NamedProvince(code, phase, slots) for code in slots.board.provinces)


# --- rules that can be asked about ----------------------------------------------------------------

_EXPRESSED = {name for words in FACTS.values() for name, word in words.items() if word.anywhere}


def refuse_rules(profiles: Sequence[Profile], position: Position) -> None:
    """Raise `QuestionError` for rules that need something that open places cannot express, and for
    profiles that do not read the same orders."""
    for profile in profiles:
        refuse_limits(profile, position, _EXPRESSED)
        found = list(dict.fromkeys(_problems(profile)))
        if found:
            raise QuestionError(
                f"the rules {profile.name!r} allow no question about units anywhere because of "
                f"{', '.join(found)}; ask about a position"
            )
    first, last = profiles[0], profiles[-1]
    coasts = first.settings.support_coast, last.settings.support_coast
    if coasts[0] != coasts[1]:
        raise QuestionError(
            f"{first.name} and {last.name} read the coasts in supports differently (4.B.4), which "
            "a question about units anywhere does not see; ask about a position"
        )


READINGS = frozenset(
    {
        "coast_of_two_omitted", "coast_of_one_omitted", "coast_impossible", "unit_coast_wrong",
        "coast_irrelevant", "kind_missing", "kind_wrong", "nationality_missing",
        "nationality_wrong", "order_sets", "undated_order_sets", "multiple_orders", "legal",
        "poorly_written", "implicit_orders", "convoy_path", "build_where", "build_coast_omitted",
        "build_kind_missing", "build_fleet_inland", "builds_too_many", "builds_in_one_place",
        "disbands_too_many", "waive", "civil_disorder", "centers_change", "victory",
    }
)  # fmt: skip
"""Settings that make no difference to a movement phase in which every unit has one legal order,
written in full and without a convoy path."""


def decide_alike_in_full(one: Profile, other: Profile) -> bool:
    """Whether two profiles that `refuse_rules` accepts have the same equations and cycle rules, so
    that after orders in full the board is the same with any number of units. A changed term by
    itself changes nothing: its effect is listed where it is used."""
    return all(
        change.section in ("define", "reasons")
        or (change.section == "settings" and _is_of_readings(one, other, change.name))
        for change in difference(one, other).changes
    )


def _is_of_readings(one: Profile, other: Profile, setting: str) -> bool:
    values = {getattr(profile.settings, setting) for profile in (one, other)}
    return setting in READINGS or len(values) == 1


def refuse_goal(text: str, expression: Expression, profile: Profile) -> None:
    """Raise `QuestionError` for a goal with words that open places cannot express."""
    found: dict[str, None] = {}
    for node in parts_of_all([expression]):
        match node:
            case Fact(name=name) if not _is_expressed(node):
                found[name] = None
            case Feature(name=name) | Related(name=name):
                found[name] = None
            case DecisionCall(name=name) if _is_about_places(profile, name):
                found[f"{name}, which is about provinces"] = None
    if found:
        raise QuestionError(
            f"the goal {text!r} uses {', '.join(found)}; no question about units anywhere can be "
            "asked with that; ask about a position"
        )


def _is_expressed(fact: Fact) -> bool:
    word = word_of(fact)
    return word.anywhere if word is not None else not fact.declared  # else a cycle's fact


def _is_about_places(profile: Profile, name: str) -> bool:
    return any(index.type == PROVINCE for index in profile.decisions[name].indices)


def _problems(profile: Profile) -> Iterator[str]:
    """The features of a profile that open places cannot express, in words."""
    words, settings = profile.words, profile.settings
    if words.have_own_units or words.attributes or words.carriages != (ARMIES_BY_FLEETS,):
        yield "units or convoys that they declare"
    if open_kinds(profile):
        yield "orders that they declare"
    if settings.conditions is not None:
        yield "their conditions on legal orders"
    if settings.convoy_path == "required":
        yield "convoy paths (4.A.6)"
    if profile.declared.powers:
        yield f"powers that they name, such as {profile.declared.powers[0]}"
    for node in parts_of_all(expressions_of(profile)):
        match node:
            case Fact(name=name) if not _is_expressed(node):
                yield f"equations that use {name!r}"
            case Feature(name=name) | Related(name=name):
                yield f"equations that use {name!r}"
            case AllOf(of=of) if of == PROVINCE:
                yield f"equations that use {str(of)!r}"
