"""Read the sections that declare a profile's own words, collecting every fault.

Some checks have to wait until everything else is read: which kinds of orders are in force, what
attributes become after a phase, and the words of domains that orders write before units.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from keyword import iskeyword
from typing import TypeVar

from dipsat.board.convoy_net import Carriage
from dipsat.board.map import Map
from dipsat.board.names import words_of
from dipsat.board.unit_kind import STANDARD_KINDS, UnitKind
from dipsat.documents import Node
from dipsat.errors import ProfileError
from dipsat.language.closed import Formula
from dipsat.language.parse import parse_expression
from dipsat.language.syntax import Constant, Expression, Variable
from dipsat.language.types import TRUTH, UNIT, Type
from dipsat.language.vocabulary import FACTS, PREDICATES, QUANTIFIERS
from dipsat.limits_of_input import KINDS_OF_ORDERS, OPTIONS
from dipsat.orders.verbs import meaning_of
from dipsat.orders.words import Words
from dipsat.profiles.check import Checker
from dipsat.profiles.declared import (
    Attribute,
    Declared,
    read_attribute,
    read_domain,
    read_feature,
    read_option,
)
from dipsat.profiles.known import Consequence
from dipsat.profiles.layers import Layers, Try
from dipsat.profiles.members import words_in
from dipsat.profiles.order_kinds import DeclaredKind, read_kind
from dipsat.profiles.powers import NamedPowers
from dipsat.profiles.relations import Relation, read_relation
from dipsat.profiles.unit_kinds import read_carriages, read_unit_kind

_T = TypeVar("_T")
_MAX_TRIED = 400  # choices of options that may allow a kind of order; shipped variants need 2
_LIMITS = {"options": OPTIONS, "orders": KINDS_OF_ORDERS}
_WORDS = {*QUANTIFIERS, *PREDICATES, "true", "false", "phase", "cycle"}


class DeclarationReader:
    """Reads the declarations of composed files; `attempt` notes the faults."""

    def __init__(self, layers: Layers, attempt: Try, broken: set[str]) -> None:
        self.layers = layers
        self.attempt = attempt
        self.broken = broken  # names whose entries are faulty

    def domains(self) -> dict[str, Type]:
        """The declared domains."""
        return self._read("domains", read_domain)

    def options(self) -> dict[str, tuple[str, ...]]:
        """The declared options, each with its values, the default first."""
        return self._read("options", read_option)

    def kinds(self) -> dict[str, DeclaredKind]:
        """The declared kinds of orders."""
        return self._read("orders", read_kind)

    def units(self) -> dict[str, UnitKind]:
        """The declared kinds of units, by their words."""

        def read(name: str, key: str, section: Node, node: Node) -> UnitKind:
            found = read_unit_kind(name, key, section, node)
            for other in seen:
                if str(found) == other:
                    node.fail(f"{found} already stands for {other.word}", ProfileError)
            seen.append(found)
            return found

        seen: list[UnitKind] = []
        return self._read("units", read)

    def carriages(self, units: Mapping[str, UnitKind]) -> dict[str, tuple[Carriage, ...]]:
        """Carrier -> what it convoys, for the carriers that the profile lists."""
        kinds = {kind.word: kind for kind in STANDARD_KINDS} | dict(units)

        def read(name: str, key: str, section: Node, node: Node) -> tuple[Carriage, ...]:
            fields = node.value if isinstance(node.value, dict) else {}
            carried = fields["carries"].value if "carries" in fields else ()
            cargo = {one.raw for one in carried} if isinstance(carried, tuple) else set()
            if name in self.broken or not cargo.isdisjoint(self.broken):
                raise Consequence
            return read_carriages(name, key, section, node, kinds)

        return self._read("convoys", read)

    def features(self) -> dict[str, int]:
        """The declared features, each with the number of provinces it is about."""
        return self._read("features", lambda name, key, section, node: read_feature(node))

    def attributes(self, domains: Mapping[str, Type]) -> dict[str, Attribute]:
        """The declared attributes of units."""

        def read(name: str, key: str, section: Node, node: Node) -> Attribute:
            if name in FACTS[UNIT.name] or not name.isidentifier():
                section.fail_at_key(key, f"{name!r} cannot name an attribute", ProfileError)
            fields = node.value if isinstance(node.value, dict) else {}
            if "domain" in fields and fields["domain"].raw in self.broken:
                raise Consequence
            return read_attribute(name, node, domains)

        return self._read("attributes", read)

    def relations(
        self, heading: Callable[[str, Node], tuple[str, tuple[Variable, ...]]], powers: NamedPowers
    ) -> dict[str, Relation]:
        """The declared relations; `heading` reads a key such as `superior(c, d)`."""

        def read(name: str, key: str, section: Node, node: Node) -> Relation:
            indices = heading(key, section)[1]
            stated = self.layers.stated("relations", name)
            found = read_relation(name, indices, section, key, stated, self.attempt, powers)
            if found is None:
                raise Consequence
            return found

        return self._read("relations", read)

    def _read(self, section: str, read: Callable[[str, str, Node, Node], _T]) -> dict[str, _T]:
        found = {}
        entries = list(self.layers.section(section))
        if entries and section in _LIMITS:
            _LIMITS[section].check(len(entries), entries[-1][2].place)
        for name, key, node, value in entries:
            entry = self.attempt(self._one, read, name, key, node, value)
            if entry is not None:
                found[name] = entry
            else:
                self.broken.add(name)
        return found

    @staticmethod
    def _one(
        read: Callable[[str, str, Node, Node], _T], name: str, key: str, section: Node, node: Node
    ) -> _T:
        if not name.isidentifier() or iskeyword(name):
            section.fail_at_key(key, f"expressions cannot use the name {name!r}", ProfileError)
        if name in _WORDS:
            section.fail_at_key(key, f"{name!r} already means something else", ProfileError)
        return read(name, key, section, node)


def kinds_in_force(layers: Layers, checker: Checker, attempt: Try) -> dict[str, DeclaredKind]:
    """The declared kinds of orders, each with whether its `when` holds; `attempt` notes faults."""
    found = dict(checker.names.declared.kinds)
    tries = iter(range(_MAX_TRIED))
    for name, _, _, node in layers.section("orders"):
        when = node.value.get("when") if isinstance(node.value, dict) else None
        if when is None or name not in found:
            continue

        holds = attempt(_holds, checker, when)
        switch = _switch(checker, when, tries) if holds is False else ""
        found[name] = replace(found[name], in_force=holds is not False, switch=switch)
    return found


def _holds(checker: Checker, when: Node) -> bool:
    value: Expression = checker.check(parse_expression(when), (), TRUTH)
    if not isinstance(value, Constant):
        when.fail("`when` may use only declared options", ProfileError)
    return bool(value.value)


def _switch(checker: Checker, when: Node, tries: Iterator[int]) -> str:
    """The first single choice of an option that makes a condition hold, "" if none does, or if
    there are no more `tries`."""
    declared = checker.names.declared
    for option, values in declared.options.items():
        if option not in when.raw:
            continue
        for value, _ in zip(values, tries, strict=False):
            chosen = replace(declared, chosen={**declared.chosen, option: value})
            if _holds(Checker(replace(checker.names, declared=chosen)), when):
                return f"{option}={value}"
    return ""


def check_becoming(
    layers: Layers, declared: Declared, results: Mapping[str, Formula], attempt: Try
) -> None:
    """Check that the results that attributes name under `becomes` are over units and values."""
    stated = {name for name, *_ in layers.section("results")}
    for name, key, section, _ in layers.section("attributes"):
        attribute = declared.attributes.get(name)
        if attribute is None or not attribute.becomes:
            continue
        result = results.get(attribute.becomes)
        if result is None and attribute.becomes in stated:
            continue  # its own fault is noted already
        found = () if result is None else tuple(index.type for index in result.indices)
        if found != (UNIT, attribute.domain):
            problem = f"there is no result {attribute.becomes} over Unit, {attribute.domain}"
            attempt(section.fail_at_key, key, problem, ProfileError)


def check_member_words(
    layers: Layers, declared: Declared, map_called: Callable[[], Map | None], attempt: Try
) -> None:
    """Check that each value of an attribute is a word of its own that means nothing else in orders
    and names no province or power on the profile's map (None if it has a fault); `attempt` notes
    faults."""
    domains = {attribute.domain.name for attribute in declared.attributes.values()}
    if not domains:
        return
    board = map_called()
    for name, _, _, node in layers.section("domains"):
        if name in domains:
            first: dict[tuple[str, ...], str] = {}
            for one in words_in(node):
                same = first.setdefault(words_of(one.raw), one.raw)
                attempt(_check, one, same, declared.words, board)


def _check(node: Node, same: str, words: Words, board: Map | None) -> None:
    """Check a value; `same` is the first value that has the same words."""
    parts = words_of(node.raw)
    if not parts:
        node.fail(f"{node.raw!r} cannot be written before a unit: it has no word", ProfileError)
    if same != node.raw:
        problem = f"{node.raw!r} and {same!r} are the same word in orders; choose another word"
        node.fail(problem, ProfileError)
    meanings = ((part, meaning_of(part, words)) for part in parts)
    part, meaning = next(((part, found) for part, found in meanings if found), (node.raw, ""))
    if not meaning and board is not None:
        meaning = _name_on(board, parts)
    if meaning:
        shown = "it" if part in (node.raw, node.raw.casefold()) else repr(part)
        node.fail(
            f"{node.raw!r} cannot be written before a unit: {shown} already stands for {meaning} "
            "in orders; choose a word that has no other meaning there",
            ProfileError,
        )


def _name_on(board: Map, parts: tuple[str, ...]) -> str:
    """What has this name on the map, "" if nothing. Abbreviations of provinces do not count: before
    a unit, nobody mistakes the color red for the Red Sea."""
    code = board.names.provinces.get(parts, "")
    if code and words_of(board.provinces[code].name) == parts:
        return f"the province {code} of the map {board.name!r}"
    power = board.names.powers.get(parts, "")
    return f"the power {power} of the map {board.name!r}" if power else ""
