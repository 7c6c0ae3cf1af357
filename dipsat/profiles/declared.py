"""The words that a profile declares: domains, unit attributes, relations, options, and features of
the map."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from dipsat.board.convoy_net import Carriage
from dipsat.board.unit_kind import STANDARD_KINDS, UnitKind
from dipsat.documents import Node
from dipsat.errors import ProfileError
from dipsat.game.settings import setting_values
from dipsat.language.types import CYCLE, INDEX_TYPES, NUMBER, PHASE, TEXT, TRUTH, Type
from dipsat.language.vocabulary import Word
from dipsat.limits_of_input import VALUES_OF_OPTION
from dipsat.orders.words import NO_WORDS, SwitchedOff, Words
from dipsat.profiles.members import distinct, domain_called, member, refuse_unknown
from dipsat.profiles.order_kinds import DeclaredKind, facts_of_kinds
from dipsat.profiles.relations import Relation
from dipsat.profiles.unit_kinds import carriages_of

FEATURE_PLACES = ("power", "province", "border")
"""What a feature can mark; the index in this list is the number of provinces it takes."""

_BUILT_IN = {*INDEX_TYPES, *(kind.name for kind in (CYCLE, NUMBER, PHASE, TEXT, TRUTH))}


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute that every unit has: the domain of its values, and the default where no value is
    given ("" if one is required). `becomes` names the result over units and values that holds for
    the value after a phase ("": it stays)."""

    name: str
    domain: Type
    default: str = ""
    becomes: str = ""

    @property
    def values(self) -> tuple[str, ...]:
        """The values that a unit can have."""
        return self.domain.members


@dataclass(frozen=True)
class Declared:
    """Everything that a profile declares, by name. `options` maps an option to its values, the
    default first, `chosen` to the one in force; `features` maps a feature to the number of
    provinces it is about (0: it is about a power); `kinds` are the kinds of orders. `units` maps a
    word to the kind of unit it names, and `carriages` a carrier to what it convoys. `powers` are
    the powers that the rules name."""

    domains: Mapping[str, Type] = field(default_factory=dict)
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    relations: Mapping[str, Relation] = field(default_factory=dict)
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    chosen: Mapping[str, str] = field(default_factory=dict)
    features: Mapping[str, int] = field(default_factory=dict)
    kinds: Mapping[str, DeclaredKind] = field(default_factory=dict)
    units: Mapping[str, UnitKind] = field(default_factory=dict)
    carriages: Mapping[str, tuple[Carriage, ...]] = field(default_factory=dict)
    powers: tuple[str, ...] = ()

    @cached_property
    def order_facts(self) -> Mapping[str, Mapping[str, Word]]:
        """Type -> fact -> its word, for the kinds of orders and their legs."""
        return facts_of_kinds(self.kinds)

    @cached_property
    def words(self) -> Words:
        """What the profile adds to the notation of orders."""
        kinds = tuple(declared.kind for declared in self.kinds.values() if declared.in_force)
        off = tuple(
            SwitchedOff(declared.kind, declared.switch)
            for declared in self.kinds.values()
            if declared.switch
        )
        if not (self.attributes or kinds or self.units or self.carriages or off):
            return NO_WORDS
        return Words(
            tuple(self.attributes.values()),
            kinds,
            (*STANDARD_KINDS, *self.units.values()),
            carriages_of(self.carriages),
            off,
        )

    @property
    def unit_words(self) -> tuple[str, ...]:
        """The possible values of the fact `kind` of units."""
        return tuple(kind.word for kind in (*STANDARD_KINDS, *self.units.values()))

    @property
    def types(self) -> Mapping[str, Type]:
        """The declared types: domains, kinds of orders, and their legs."""
        return {**self.domains, **{name: Type(name) for name in self.order_facts}}


def read_domain(name: str, key: str, section: Node, node: Node) -> Type:
    """The domain that an entry of `domains` declares. Raises `ProfileError`."""
    if name in _BUILT_IN:
        section.fail_at_key(key, f"{name} is already a type", ProfileError)
    if not name.isidentifier() or key != name:
        section.fail_at_key(
            key, f"{key!r} cannot name a domain; write a name such as Color", ProfileError
        )
    return domain_called(name, node)


def read_option(name: str, key: str, section: Node, node: Node) -> tuple[str, ...]:
    """The values of an option, the default first. Raises `ProfileError`."""
    if name in setting_values():
        section.fail_at_key(key, f"{name} is already a setting", ProfileError)
    if not key.isidentifier():
        section.fail_at_key(key, f"{key!r} cannot name an option", ProfileError)
    VALUES_OF_OPTION.check(len(node.sequence("an option")), node.place)
    values = distinct(node, "an option")
    if len(values) < 2:
        node.fail("an option needs at least two values, the default first", ProfileError)
    return values


def read_feature(node: Node) -> int:
    """The number of provinces that a feature is about. Raises `ProfileError`."""
    place = node.text("a feature")
    if place not in FEATURE_PLACES:
        refuse_unknown(node, place, FEATURE_PLACES, "not something a feature can mark")
    return FEATURE_PLACES.index(place)


def read_attribute(name: str, node: Node, domains: Mapping[str, Type]) -> Attribute:
    """The attribute that an entry declares. Raises `ProfileError`."""
    fields = node.mapping(("domain", "default", "becomes"), "an attribute")
    if "domain" not in fields:
        node.fail("an attribute needs a 'domain'", ProfileError)
    kind = fields["domain"].text("domain")
    if kind not in domains:
        refuse_unknown(fields["domain"], kind, tuple(domains), "not a declared domain")
    default = ""
    if "default" in fields:
        default = member(fields["default"], domains[kind])
    becomes = fields["becomes"].text("becomes") if "becomes" in fields else ""
    return Attribute(name, domains[kind], default, becomes)
