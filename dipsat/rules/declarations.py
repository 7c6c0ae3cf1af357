"""The words that a profile declares: domains, unit attributes, relations, options, and features of
the map.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from typing import Any, NoReturn, TypeAlias

from dipsat.base import MEMBERS, VALUES_OF_OPTION, Node, PlacedError, grouped
from dipsat.board import (
    ARMIES_BY_FLEETS,
    BORDERS,
    STANDARD_KINDS,
    WAYS,
    Carriage,
    Map,
    UnitKind,
    unit_kind,
    words_of,
)
from dipsat.errors import (
    DocumentError,
    InputLimitError,
    ProfileError,
    UnknownMemberError,
    UnknownNameError,
    hint,
    shortened,
)
from dipsat.orders import (
    ACTIONS,
    EXTRA_SEASONS,
    NO_WORDS,
    OrderKind,
    Slot,
    SwitchedOff,
    Words,
    meaning_of,
    read_form,
)
from dipsat.rules.layers import Layers, Stated, Try, listed
from dipsat.rules.settings import setting_values
from dipsat.rules.syntax import (
    CYCLE,
    INDEX_TYPES,
    NUMBER,
    PHASE,
    POWER,
    PROVINCE,
    SUPPORT,
    TEXT,
    TRUTH,
    UNIT,
    Type,
    Variable,
    set_of,
)
from dipsat.rules.vocabulary import Word

# --- members --------------------------------------------------------------------------------------


def member(node: Node, domain: Type) -> str:
    """The member of a domain that a scalar names. Raises `UnknownMemberError`."""
    text = node.text(f"a {domain}")
    found = domain.member(text)
    if found is None:
        error = partial(UnknownMemberError, domain=domain.name, member=text)
        refuse_unknown(node, text, domain.names, f"not a member of {domain}", error)
    return found


def distinct(node: Node, what: str) -> tuple[str, ...]:
    """The texts that a node lists, at least one and none twice. Raises `ProfileError`."""
    values = node.texts(what)
    if not values:
        node.refuse(f"{what} needs members: [a, b]")
    seen: set[str] = set()
    for part in node.sequence():
        if part.raw in seen:
            part.refuse(f"{shortened(part.raw)!r} is listed twice")
        seen.add(part.raw)
    return values


def refuse_unknown(
    node: Node,
    text: str,
    known: tuple[str, ...],
    problem: str,
    error: PlacedError = ProfileError,
) -> NoReturn:
    """Raise `error` for a text that is not among the known ones."""
    node.fail(f"{shortened(text)!r} is {problem}{hint(text, known, 'known:')}", error)


def with_lost_members(problems: Iterable[DocumentError], layers: Layers) -> list[DocumentError]:
    """The problems. Those that a changed domain causes in files below, which use members that the
    domain no longer has, are replaced by a single problem at the entry of the domain."""
    kept: list[DocumentError] = []
    lost: dict[str, list[UnknownMemberError]] = {}
    for problem in problems:
        if isinstance(problem, UnknownMemberError):
            stated = layers.stated("domains", problem.domain)  # empty for the values of an option
            below = (name for one in stated[:-1] for name in _names(one))
            if problem.member in below and problem.path != stated[-1].path:
                lost.setdefault(problem.domain, []).append(problem)
                continue
        kept.append(problem)
    return kept + [_at_domain(layers.stated("domains", name), lost[name]) for name in lost]


def words_in(node: Node) -> tuple[Node, ...]:
    """The words of a domain, from a list or from a mapping of the names that rule files use."""
    return tuple(node.value.values()) if isinstance(node.value, dict) else node.sequence()


def _names(node: Node) -> list[str]:
    """The names and words by which rule files can call a domain's members."""
    names = node.value if isinstance(node.value, dict) else ()
    return [*names, *(word.raw for word in words_in(node))]


def _at_domain(stated: list[Node], lost: list[UnknownMemberError]) -> DocumentError:
    """The error that says to write the domain with the names from the earliest file."""
    top, last = stated[0], stated[-1]
    keys = list(top.value) if isinstance(top.value, dict) else list(top.texts())
    if isinstance(last.value, dict):
        words = {key: word.raw for key, word in last.value.items()}
    else:
        words = dict(zip(keys, last.texts(), strict=False))
    write = ", ".join(f"{key}: {words.get(key, '...')}" for key in keys)
    first = min(lost, key=lambda one: (one.path, one.line, one.column))
    names = listed(dict.fromkeys(one.member for one in lost))
    place = f"{first.path}:{first.line}:{first.column}{' and later' if lost[1:] else ''}"
    problem = f"{first.domain} lacks {names}, used at {place}; write {{{write}}}"
    return ProfileError(last.path, last.line, last.column, problem)


# --- order kinds ----------------------------------------------------------------------------------


_NAMES = ("line", "legs", "verdict", "lands")
_ORDER_KEYS = ("form", "legal", "phase", "when", *_NAMES)
_MAX_FORMS = 10
_TARGET = Slot("target", "Province")
_FIELD_TYPES = {"Unit": UNIT, "Province": PROVINCE}


@dataclass(frozen=True, slots=True)
class DeclaredKind:
    """A kind of order and the rules' statements about it.

    `legs` names the type of the steps along its line ("" if it has no line). `verdict` names the
    decision over the kind that says whether an order is carried out ("": whenever it is legal).
    `lands` names the decision over its legs that says where the unit ends ("": it stays). If it is
    not `in_force`, such orders cannot be given. `switch` is then the choice of an option that
    allows them (`color_exchange=on`), "" if no single choice is enough.
    """

    kind: OrderKind
    legs: str = ""
    verdict: str = ""
    lands: str = ""
    in_force: bool = True
    switch: str = ""


def read_kind(entry: Stated) -> DeclaredKind:
    """The kind of order that an entry of `orders` declares. Raises `ProfileError`."""
    name, node = entry.name, entry.value
    if name in INDEX_TYPES:
        entry.fail(f"{name} is already a type")
    parts = node.mapping(_ORDER_KEYS, "a kind of order")
    line, legs, verdict, lands = (
        parts[part].text(part) if part in parts else "" for part in _NAMES
    )
    if "form" not in parts:
        node.refuse("a kind of order needs a 'form'")
    forms = _forms(parts["form"])
    season = ""
    if "phase" in parts:
        named = parts["phase"].text("phase")
        if named not in EXTRA_SEASONS:
            known = " or ".join(EXTRA_SEASONS)
            problem = f"there is no extra phase in {named!r}; write {known}, or leave it out"
            parts["phase"].refuse(problem)
        season = EXTRA_SEASONS[named]
    kind = OrderKind(name, forms, line, season)
    if ("line" in parts) != ("legs" in parts):
        node.refuse("'line' and 'legs' go together")
    if line and not (kind.is_of_unit and _TARGET in kind.fields):
        node.refuse("an order along a line needs {unit} and {target: Province}")
    if "lands" in parts and not line:
        parts["lands"].refuse("'lands' goes with 'line' and 'legs'")
    return DeclaredKind(kind, legs, verdict, lands)


def _forms(node: Node) -> tuple[Any, ...]:
    """The written forms of an order, all with the same fields."""
    written = node.sequence() if isinstance(node.value, tuple) else (node,)
    if not 0 < len(written) <= _MAX_FORMS:
        node.refuse(f"a kind of order has one to {_MAX_FORMS} forms")
    forms: list[Any] = []
    for one in written:
        try:
            forms.append(read_form(one.text("a form")))
        except ValueError as problem:
            one.refuse(str(problem))
        except InputLimitError as error:
            raise error.at(one.place) from None
        first, last = (
            {part for part in form if isinstance(part, Slot)} for form in (forms[0], forms[-1])
        )
        if first != last:
            one.refuse("all forms of a kind must have the same fields")
    return tuple(forms)


def _facts_of_kinds(kinds: Mapping[str, DeclaredKind]) -> dict[str, Mapping[str, Word]]:
    """Type -> fact -> its word, for all orders and legs."""
    found: dict[str, Mapping[str, Word]] = {}
    for name, declared in kinds.items():
        kind = declared.kind
        facts = {"power": Word(POWER, "the power that orders it")}
        if kind.is_of_unit:
            facts["unit"] = Word(UNIT, "the unit that is ordered")
            facts["origin"] = Word(PROVINCE, "where the unit stands")
        for slot in kind.fields:
            facts[slot.name] = Word(_FIELD_TYPES[slot.type], "what the order names")
        if kind.line:
            facts |= {
                "operator": Word(POWER, "the power that the line belongs to"),
                "supports": Word(set_of(SUPPORT), "the matching orders that support its last leg"),
                "legs": Word(set_of(Type(declared.legs)), "its steps along the line"),
            }
            found[declared.legs] = _leg_facts(Type(declared.legs), Type(name))
        found[name] = facts
    return found


def _leg_facts(leg: Type, order: Type) -> Mapping[str, Word]:
    return {
        "order": Word(order, "the order that it is a step of"),
        "unit": Word(UNIT, "the unit that goes"),
        "power": Word(POWER, "the power that owns the unit"),
        "origin": Word(PROVINCE, "where the step begins"),
        "target": Word(PROVINCE, "where it ends"),
        "number": Word(NUMBER, "its place among the steps, from 1"),
        "first": Word(TRUTH, "whether it is the first step"),
        "last": Word(TRUTH, "whether it is the last step"),
        "earlier": Word(set_of(leg), "the steps before it"),
        "later": Word(set_of(leg), "the steps after it"),
    }


# --- unit kinds -----------------------------------------------------------------------------------


_LETTER = re.compile(r"[A-Z]")
_WORD = re.compile(r"[a-z]{2,20}")
_VERB = re.compile(r"[a-z]+")
_TERRAINS = ("land", "coast", "sea")
_UNIT_KEYS = ("carries", "over", "aboard", "in", "verbs")


def read_unit_kind(entry: Stated) -> UnitKind:
    """The kind of unit declared by an entry of `units`. Raises `ProfileError`."""
    name, node = entry.name, entry.value
    if not _WORD.fullmatch(name):
        entry.fail(f"{name!r} cannot name a kind of unit; write a word such as wing")
    if name in (kind.word for kind in STANDARD_KINDS):
        entry.fail(f"{name} is already a kind of unit")
    meaning = meaning_of(name, NO_WORDS)
    if meaning:
        entry.fail(f"{name} already stands for {meaning} in orders")
    fields = node.mapping(("letter", "borders"), "a kind of unit")
    for wanted in ("letter", "borders"):
        if wanted not in fields:
            node.refuse(f"a kind of unit needs {wanted!r}")
    letter = fields["letter"].text("letter")
    if not _LETTER.fullmatch(letter):
        fields["letter"].refuse(
            f"the letter should be one capital letter, such as W, not {letter!r}"
        )
    taken = {str(kind): kind.word for kind in STANDARD_KINDS}
    if letter in taken:
        fields["letter"].refuse(f"{letter} already stands for {taken[letter]}")
    if letter.casefold() in ACTIONS:
        problem = f"{letter} already stands for an action in orders, such as A PAR {letter} ..."
        fields["letter"].refuse(problem)
    borders = _listed(fields["borders"], BORDERS, "not a border")
    if not borders:
        fields["borders"].refuse("a kind of unit crosses some borders: [army, fleet]")
    return unit_kind(letter, name, tuple(one for one in BORDERS if one in borders))


def read_carriages(entry: Stated, kinds: Mapping[str, UnitKind]) -> tuple[Carriage, ...]:
    """The convoys that an entry of `convoys` gives the kind of unit after which it is named.
    `kinds` maps words to all kinds of units. Raises `ProfileError`."""
    carrier, node = entry.name, entry.value
    if carrier not in kinds:
        entry.fail(f"{carrier!r} is not a kind of unit{hint(carrier, kinds, 'known:')}")
    kind = kinds[carrier]
    fields = node.mapping(_UNIT_KEYS, "how units convoy")
    if "carries" not in fields:
        node.refuse("'carries' lists what such a unit convoys: [army], or [] for nothing")
    carried = _listed(fields["carries"], tuple(kinds), "not a kind of unit")
    own = "water" if kind.borders == UnitKind.FLEET.borders else "land"
    own = "any" if len(kind.borders) == len(BORDERS) else own
    over, aboard = (
        _one_of(fields[name], WAYS, "not a way") if name in fields else default
        for name, default in (("over", own), ("aboard", "water"))
    )
    return tuple(
        Carriage(kind, kinds[cargo], over, aboard, _terrain(fields, kind), _verbs(fields))
        for cargo in carried
    )


def _terrain(fields: Mapping[str, Node], kind: UnitKind) -> tuple[str, ...]:
    possible = tuple(one for one in _TERRAINS if kind.stands_in(one))
    if "in" not in fields:
        return ("sea",) if kind is UnitKind.FLEET else possible
    chosen = _listed(fields["in"], possible, f"not a kind of province in which {kind.plural} stand")
    return tuple(one for one in possible if one in chosen)


def _verbs(fields: Mapping[str, Node]) -> tuple[str, ...]:
    if "verbs" not in fields:
        return ()
    for one in fields["verbs"].sequence("verbs"):
        if not _VERB.fullmatch(one.text("a verb")):
            one.refuse(f"{one.raw!r} is not a word in lower-case letters")
        if one.raw in ACTIONS:
            one.refuse(f"{one.raw} already stands for an action in orders")
    return fields["verbs"].texts("verbs")


def _listed(node: Node, known: tuple[str, ...], problem: str) -> tuple[str, ...]:
    found: list[str] = []
    for one in node.sequence():
        text = _one_of(one, known, problem)
        if text in found:
            one.refuse(f"{text} is listed twice")
        found.append(text)
    return tuple(found)


def _one_of(node: Node, known: tuple[str, ...], problem: str, what: str = "a name") -> str:
    text = node.text(what)
    if text not in known:
        refuse_unknown(node, text, known, problem)
    return text


# --- powers ---------------------------------------------------------------------------------------


@dataclass
class NamedPowers:
    """Finds the powers that rules name, on the rules' map or else the standard map. `load` loads
    the map, or gives None if it has a fault. `used` collects the powers."""

    load: Callable[[], Map | None]
    is_own_map: bool
    used: dict[str, None] = field(default_factory=dict)

    @cached_property
    def board(self) -> Map | None:
        """The map."""
        return self.load()

    def code(self, text: str, fail: Callable[[str], NoReturn]) -> str:
        """The power that a text names in any spelling that the map knows, "" for an empty text.
        `fail` reports an unknown power at the place of the text."""
        if not text:
            return ""
        board = self.board
        if board is None:
            fail("the map of these rules has a fault, so its powers are not known")
        try:
            found = board.names.power(text)
        except UnknownNameError as error:
            end = hint(text, error.nearest, otherwise=f"known: {', '.join(board.powers)}")
            if not self.is_own_map:
                end += " (for the powers of another map, write map: NAME in this file)"
            fail(f"the map {board.name} has no power {shortened(text)!r}{end}")
        self.used[found] = None
        return found

    def named(self, node: Node) -> str:
        """The power that a scalar names. Raises `ProfileError`."""
        return self.code(node.text("a power"), node.refuse)

    def all(self) -> tuple[str, ...]:
        """All powers of the map."""
        return () if self.board is None else tuple(self.board.powers)


# --- relations ------------------------------------------------------------------------------------

# To the language, a relation is only its rows. A profile can require properties by their
# mathematical names, for example that no two colors are superior to each other. The rows are
# checked when the profile is loaded.


_RELATION_KEYS = ("rows", "properties")

Pair: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation between members of domains, or powers: the type of each place, the rows that hold,
    and the properties that were checked."""

    name: str
    indices: tuple[Variable, ...]
    rows: tuple[tuple[str, ...], ...]
    properties: tuple[str, ...] = ()


def read_relation(
    entry: Stated,
    indices: tuple[Variable, ...],
    stated: Sequence[Node],
    attempt: Try,
    powers: NamedPowers,
) -> Relation | None:
    """The relation with these indices that an entry declares: the last of those `stated`, which
    replaces the others. Only their properties still count, until a later entry states some.

    None after `attempt` has noted all faults in keys, rows and names of properties, and each row
    that breaks a property. Raises `ProfileError` if there are no rows to check.
    """
    name = entry.name
    for index in indices:
        if not index.type.members and index.type != POWER:
            problem = "a relation is between members of declared domains, or powers"
            entry.fail(f"{problem}; {index.name} is a {index.type}")
    keys = tuple(entry.fields)
    for one in keys:
        attempt(entry.value.check_key, one, _RELATION_KEYS)
    sound = set(keys) <= set(_RELATION_KEYS)
    asked = stated_properties(stated)
    properties = () if asked is None else attempt(_properties, asked, name, indices, attempt)
    listed = attempt(rows_of, stated[-1])
    if listed is None:
        return None
    rows: dict[tuple[str, ...], Node] = {}
    domain = indices[0].type
    members, names = (domain.members, domain.names) if domain.members else (powers.all(),) * 2
    spelled = dict(zip(members, names, strict=True))  # member -> what the rows call it
    complete = True
    for row in listed.sequence("a relation"):
        found = _row(name, row, indices, attempt, powers)
        if found is None:
            complete = False
            continue
        rows.setdefault(found, row)
        spelled |= {one: part.raw for one, part in zip(found, row.sequence(), strict=True)}
    for one in properties or ():
        if one in PROPERTIES and (complete or one in _ABOUT_PRESENT_ROWS):
            pairs = {(spelled[row[0]], spelled[row[1]]): node for row, node in rows.items()}
            for broken, problem in PROPERTIES[one](pairs, tuple(spelled.values())):
                place = listed if broken is None else pairs[broken]
                attempt(place.refuse, f"relation {name!r} should be {one}, but {problem}")
                sound = False
    if not (sound and complete) or properties is None or not {*PROPERTIES}.issuperset(properties):
        return None
    return Relation(name, indices, tuple(sorted(rows)), properties)


def _row(
    name: str, row: Node, indices: Sequence[Variable], attempt: Try, powers: NamedPowers
) -> tuple[str, ...] | None:
    """The members that a row relates; None if it has faults, which are noted."""
    parts = attempt(row.sequence, "a row of a relation")
    if parts is None:
        return None
    if len(parts) != len(indices):
        attempt(row.refuse, f"a row of {name} has {len(indices)} members, not {len(parts)}")
        return None
    found = [
        attempt(powers.named, part) if index.type == POWER else attempt(member, part, index.type)
        for part, index in zip(parts, indices, strict=True)
    ]
    known = tuple(one for one in found if one is not None)
    return known if len(known) == len(found) else None


def rows_of(node: Node) -> Node:
    """The rows that an entry lists, alone or beside properties. Raises `ProfileError`."""
    if not isinstance(node.value, dict):
        return node
    if "rows" not in node.value:
        node.refuse("this relation has no 'rows'; add rows: [[a, b]], or rows: []")
    return node.mapping()["rows"]


def stated_properties(stated: Iterable[Node]) -> Node | None:
    """The properties in the last entry that states any; None if none does."""
    found = None
    for node in stated:
        if isinstance(node.value, dict):
            found = node.value.get("properties", found)
    return found


def _properties(
    asked: Node, name: str, indices: Sequence[Variable], attempt: Try
) -> tuple[str, ...]:
    """The properties that are required; `attempt` notes each that does not exist."""
    names = asked.texts("properties")
    for node, text in zip(asked.sequence(), names, strict=True):
        if text not in PROPERTIES:
            known = tuple(PROPERTIES)
            attempt(refuse_unknown, node, text, known, "not a property of a relation")
    if names and (len(indices) != 2 or indices[0].type != indices[1].type):
        problem = f"properties need a relation between two members of one domain; {name} is not one"
        asked.refuse(problem)
    return names


_Pairs: TypeAlias = Mapping[Pair, object]
_Broken: TypeAlias = Iterator[tuple[Pair | None, str]]
"""The rows that break a property (None for a missing row), each with the reason."""


def _reflexive(pairs: _Pairs, members: Sequence[str]) -> _Broken:
    yield from ((None, f"[{a}, {a}] is missing") for a in members if (a, a) not in pairs)


def _irreflexive(pairs: _Pairs, members: Sequence[str]) -> _Broken:
    yield from (((a, b), f"this row relates {a} to itself") for a, b in pairs if a == b)


def _symmetric(pairs: _Pairs, members: Sequence[str]) -> _Broken:
    for a, b in pairs:
        if (b, a) not in pairs:
            yield (a, b), f"[{b}, {a}] is missing"


def _antisymmetric(pairs: _Pairs, members: Sequence[str]) -> _Broken:
    before: set[Pair] = set()
    for a, b in pairs:
        if a != b and (b, a) in before:
            yield (a, b), f"[{b}, {a}] is there too"
        before.add((a, b))


def _transitive(pairs: _Pairs, members: Sequence[str]) -> _Broken:
    following = grouped((a, b) for a, b in pairs)
    missing = set()
    for a, b in pairs:
        for d in following.get(b, ()):
            if (a, d) not in pairs and (a, d) not in missing:
                missing.add((a, d))
                yield (b, d), f"with [{a}, {b}] and [{b}, {d}], [{a}, {d}] is missing"


def _connected(pairs: _Pairs, members: Sequence[str]) -> _Broken:
    for at, a in enumerate(members):
        for b in members[at + 1 :]:
            if (a, b) not in pairs and (b, a) not in pairs:
                yield None, f"neither [{a}, {b}] nor [{b}, {a}] is there"


PROPERTIES: Mapping[str, Callable[[_Pairs, Sequence[str]], _Broken]] = {
    "reflexive": _reflexive,
    "irreflexive": _irreflexive,
    "symmetric": _symmetric,
    "antisymmetric": _antisymmetric,
    "asymmetric": lambda *rows: chain(_irreflexive(*rows), _antisymmetric(*rows)),
    "transitive": _transitive,
    "connected": _connected,
    "total": lambda *rows: chain(_reflexive(*rows), _connected(*rows)),
}
"""The properties that can be required of a relation between members of one domain."""

_ABOUT_PRESENT_ROWS = ("irreflexive", "antisymmetric", "asymmetric")
"""The properties that more rows cannot restore once they are broken."""


# --- declared -------------------------------------------------------------------------------------


FEATURE_PLACES = ("power", "province", "border")
"""What a feature can mark; the index in this list is the number of provinces."""

_BUILT_IN = {*INDEX_TYPES, *(kind.name for kind in (CYCLE, NUMBER, PHASE, TEXT, TRUTH))}


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute that every unit has: the domain of its values, and the default if no value is
    given ("" if a value is required). `becomes` names the result over units and values that holds
    for the value after a phase ("": the value stays)."""

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
    default first; `chosen` maps it to the value in force. `features` maps a feature to the number
    of provinces it is about (0: it is about a power). `kinds` are the kinds of orders. `units` maps
    a word to the kind of unit it names, and `carriages` maps a carrier to what it convoys. `powers`
    are the powers that the rules name."""

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
        return _facts_of_kinds(self.kinds)

    @cached_property
    def words(self) -> Words:
        """What the profile adds to the notation of orders."""
        kinds = tuple(one.kind for one in self.kinds.values() if one.in_force)
        off = tuple(SwitchedOff(one.kind, one.switch) for one in self.kinds.values() if one.switch)
        if not (self.attributes or kinds or self.units or self.carriages or off):
            return NO_WORDS
        carriages = tuple(one for listed in self.carriages.values() for one in listed)
        if UnitKind.FLEET.word not in self.carriages:
            carriages = (ARMIES_BY_FLEETS, *carriages)
        units = (*STANDARD_KINDS, *self.units.values())
        return Words(tuple(self.attributes.values()), kinds, units, carriages, off)

    @property
    def unit_words(self) -> tuple[str, ...]:
        """The possible values of the fact `kind` of units."""
        return tuple(kind.word for kind in (*STANDARD_KINDS, *self.units.values()))

    @property
    def types(self) -> Mapping[str, Type]:
        """The declared types: domains, kinds of orders, and their legs."""
        return {**self.domains, **{name: Type(name) for name in self.order_facts}}


def read_domain(entry: Stated) -> Type:
    """The domain that an entry of `domains` declares: a list of words, or a mapping from the names
    that rule files use to the words of orders. Raises `ProfileError`."""
    if entry.name in _BUILT_IN:
        entry.fail(f"{entry.name} is already a type")
    if entry.key != entry.name:
        entry.fail(f"{entry.key!r} cannot name a domain; write a name such as Color")
    node = entry.value
    if isinstance(node.value, dict | tuple) and len(node.value) > MEMBERS.most:
        node.refuse(f"a domain has at most {MEMBERS.most} members")
    if not isinstance(node.value, dict):
        return Type(entry.name, None, distinct(node, "a domain"))
    seen: set[tuple[str, ...]] = {()}
    for word in node.value.values():
        text = word.text("a word for a member")
        words = words_of(text)
        if words in seen:
            problem = "is listed twice" if words else "cannot be a word in orders"
            word.refuse(f"{text!r} {problem}")
        seen.add(words)
    if not node.value:
        node.refuse("a domain needs members: {a: one, b: other}")
    return Type(entry.name, None, tuple(word.raw for word in words_in(node)), tuple(node.value))


def read_option(entry: Stated) -> tuple[str, ...]:
    """The values of an option, the default first. Raises `ProfileError`."""
    if entry.name in setting_values():
        entry.fail(f"{entry.name} is already a setting")
    if not entry.key.isidentifier():
        entry.fail(f"{entry.key!r} cannot name an option")
    node = entry.value
    VALUES_OF_OPTION.check(len(node.sequence("an option")), node.place)
    values = distinct(node, "an option")
    if len(values) < 2:
        node.refuse("an option needs at least two values, the default first")
    return values


def read_feature(entry: Stated) -> int:
    """The number of provinces that a feature is about. Raises `ProfileError`."""
    place = _one_of(entry.value, FEATURE_PLACES, "not something a feature can mark", "a feature")
    return FEATURE_PLACES.index(place)


def read_attribute(entry: Stated, domains: Mapping[str, Type]) -> Attribute:
    """The attribute declared by an entry. Raises `ProfileError`."""
    fields = entry.value.mapping(("domain", "default", "becomes"), "an attribute")
    if "domain" not in fields:
        entry.value.refuse("an attribute needs a 'domain'")
    kind = domains[_one_of(fields["domain"], tuple(domains), "not a declared domain", "domain")]
    default = member(fields["default"], kind) if "default" in fields else ""
    becomes = fields["becomes"].text("becomes") if "becomes" in fields else ""
    return Attribute(entry.name, kind, default, becomes)
