"""Build the checked profile from the entries of its files, collecting every fault."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from keyword import iskeyword
from pathlib import Path
from typing import ParamSpec, TypeAlias, TypeVar

from dipsat.base import KINDS_OF_ORDERS, OPTIONS, Node, allowed_files, check_time
from dipsat.board import STANDARD_KINDS, Carriage, Map, UnitKind, words_of
from dipsat.errors import LISTED_FAULTS, DocumentError, ProblemsError, hint
from dipsat.orders import Words, meaning_of
from dipsat.rules.checker import (
    MAX_NUMBER,
    Checker,
    Consequence,
    Definition,
    Headings,
    Names,
    names_stated,
    read_condition,
)
from dipsat.rules.closed_values import Formula
from dipsat.rules.declarations import (
    Attribute,
    Declared,
    DeclaredKind,
    NamedPowers,
    Relation,
    read_attribute,
    read_carriages,
    read_domain,
    read_feature,
    read_kind,
    read_option,
    read_relation,
    read_unit_kind,
    with_lost_members,
    words_in,
)
from dipsat.rules.demands import NamedMap, best_map, map_named, map_or_none
from dipsat.rules.layers import (
    TOP_KEYS,
    Layers,
    Part,
    Stated,
    Try,
    entries_in,
    first_of_each_name,
    listed,
    parts_of,
    still_stated,
)
from dipsat.rules.parser import parse_expression
from dipsat.rules.profile import (
    DECISIONS_NEEDED,
    RESULTS_NEEDED,
    CycleRule,
    Decision,
    NamedConditions,
    Profile,
)
from dipsat.rules.settings import Conditions, Settings, setting_values
from dipsat.rules.shipped_rules import letters_of
from dipsat.rules.syntax import (
    CYCLE,
    INDEX_TYPES,
    POWER,
    TRUTH,
    UNIT,
    Constant,
    Expression,
    Junction,
    Type,
    Variable,
)
from dipsat.rules.vocabulary import CYCLE_FACTS, FACTS, PREDICATES, QUANTIFIERS

# --- cycle rules ----------------------------------------------------------------------------------


_KEYS = ("name", "when", "where", "set", "along", "choose", "together")
_CYCLE = Variable("cycle", CYCLE)

Heading = Callable[[Stated], tuple[str, tuple[Variable, ...]]]
"""Reads a key such as `support(s)`: its name, and its indices with their types."""


def cycle_rule(checker: Checker, node: Node, heading: Heading, attempt: Try) -> CycleRule:
    """The checked cycle rule of an entry. `attempt` checks each part separately. Raises
    `DocumentError`, or `Consequence` after faults that were noted."""
    fields = node.mapping(_KEYS, "a cycle rule")
    for key in ("name", "when"):
        if key not in fields:
            node.refuse(f"the cycle rule has no {key!r}")
    if ("set" in fields) == ("choose" in fields):
        both = "a cycle rule takes 'set' or 'choose', not both"
        node.refuse(both if "set" in fields else "the cycle rule has no 'set'")
    of_when = "`when` may use only facts of the cycle, not decisions"
    when = attempt(_of_facts, checker, fields["when"], (_CYCLE,), of_when)
    name = fields["name"].text("name")
    if "choose" in fields:
        for key in ("where", "along", "together"):
            if key in fields:
                fields[key].refuse(f"`{key}` goes with `set`, not with `choose`")
        choose = checker.check(parse_expression(fields["choose"]), (_CYCLE,), TRUTH)
        if when is None:
            raise Consequence
        return CycleRule(name, when, {}, node.path, choose=choose)
    pins = attempt(_pins, checker, fields["set"])
    if when is None or pins is None:
        raise Consequence
    along = _along(checker, fields["along"], pins) if "along" in fields else {}
    where = _where(checker, fields["where"], pins, heading) if "where" in fields else {}
    together = "together" in fields and fields["together"].flag("together")
    return CycleRule(name, when, pins, node.path, where, together=together, along=along)


def _of_facts(
    checker: Checker, node: Node, about: tuple[Variable, ...], problem: str
) -> Expression:
    """A condition without decisions; `problem` is the message for one that has decisions."""
    found = checker.check(parse_expression(node), about, TRUTH)
    if found.has_decision:
        node.refuse(problem)
    return found


def _pins(checker: Checker, node: Node, what: str = "set") -> dict[str, int | bool]:
    """The values that `set` or `along` gives families of decisions."""
    if node.value == {}:
        problem = "so the rule can never apply" if what == "set" else "leave it out"
        node.refuse(f"`{what}` names no decision, {problem}")
    pins: dict[str, int | bool] = {}
    terms = checker.names.decisions
    for entry in entries_in(node, what):
        name, value = entry.key, entry.value
        if name in checker.names.broken:
            continue
        if name not in terms:
            entry.fail(f"no decision is called {name!r}{hint(name, terms)}")
        kind = checker.decision_type(name)
        pins[name] = value.flag(name) if kind.is_truth else value.integer(name)
        if abs(pins[name]) > MAX_NUMBER:
            value.refuse(f"numbers range from -{MAX_NUMBER} to {MAX_NUMBER}")
    return pins


def _along(checker: Checker, node: Node, pins: Mapping[str, int | bool]) -> dict[str, int | bool]:
    """The values that `along` gives decisions about the same objects as those of `pins`."""
    found, terms = _pins(checker, node, "along"), checker.names.decisions
    about = {name: _kinds(terms[name].indices) for name in (*pins, *found)}
    for entry in entries_in(node, "along"):
        name = entry.key
        if name in found and name in pins:
            entry.fail(f"{name!r} is already under `set`")
        if name in found and about[name] not in [about[other] for other in pins]:
            entry.fail(f"{name} is about {about[name]}, and no decision under `set` is")
    return found


def _kinds(indices: Iterable[Variable]) -> str:
    """The types of indices in words."""
    return ", ".join(f"a {index.type}" for index in indices)


def _where(
    checker: Checker, node: Node, pins: Mapping[str, int | bool], heading: Heading
) -> dict[str, tuple[tuple[Variable, ...], Expression]]:
    """The conditions on the objects of families that are set."""
    found = {}
    for entry in entries_in(node, "where"):
        (name, indices), value = heading(entry), entry.value
        if name in checker.names.broken:
            continue
        if name not in pins:
            entry.fail(f"under `set`, no decision is called {name!r}{hint(name, pins)}")
        wanted = checker.names.decisions[name].indices
        if _kinds(indices) != _kinds(wanted):
            count = "one index" if len(wanted) == 1 else f"{len(wanted)} indices"
            entry.fail(f"{name} has {count}, {_kinds(wanted)}")
        problem = "`where` may use only facts, not decisions"
        found[name] = indices, _of_facts(checker, value, (*indices, _CYCLE), problem)
    return found


# --- declarations ---------------------------------------------------------------------------------

# Some checks have to wait until everything else is read: those of the kinds of orders in force, of
# the values of attributes after a phase, and of the words that orders write before units.


_S = TypeVar("_S")
_T = TypeVar("_T")
_MAX_TRIED = 400  # choices of options that may allow a kind of order; shipped variants need 2
_LIMITS = {"options": OPTIONS, "orders": KINDS_OF_ORDERS}
_WORDS = {*QUANTIFIERS, *PREDICATES, "true", "false", "phase", "cycle"}


def _named(read: Callable[..., _T], entry: Stated, *more: object) -> _T:
    """The result of `read` for an entry that declares a word. Raises `ProfileError`."""
    if not entry.name.isidentifier() or iskeyword(entry.name):
        entry.fail(f"expressions cannot use the name {entry.name!r}")
    if entry.name in _WORDS:
        entry.fail(f"{entry.name!r} already means something else")
    return read(entry, *more)


def _unit_kind(entry: Stated, seen: dict[str, UnitKind]) -> UnitKind:
    """The kind of unit that an entry declares. Its letter must differ from those seen before."""
    found = read_unit_kind(entry)
    other = seen.setdefault(str(found), found)
    if other is not found:
        entry.value.refuse(f"{found} already stands for {other.word}")
    return found


def kinds_in_force(layers: Layers, checker: Checker, attempt: Try) -> dict[str, DeclaredKind]:
    """The declared kinds of orders, each with whether its `when` holds; `attempt` notes faults."""
    found = dict(checker.names.declared.kinds)
    tries = iter(range(_MAX_TRIED))
    for entry in layers.section("orders"):
        name, when = entry.name, entry.fields.get("when")
        if when is None or name not in found:
            continue
        holds = attempt(_holds, checker, when)
        switch = _switch(checker, when, tries) if holds is False else ""
        found[name] = replace(found[name], in_force=holds is not False, switch=switch)
    return found


def _holds(checker: Checker, when: Node) -> bool:
    value: Expression = checker.check(parse_expression(when), (), TRUTH)
    if not isinstance(value, Constant):
        when.refuse("`when` may use only declared options")
    return bool(value.value)


def _switch(checker: Checker, when: Node, tries: Iterator[int]) -> str:
    """The first single choice of an option that makes a condition hold. "" if none does, or if the
    `tries` are used up."""
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
    """Check that the results named under `becomes` by attributes are over units and values."""
    stated = layers.entries("results")
    for entry in layers.section("attributes"):
        attribute = declared.attributes.get(entry.name)
        if attribute is None or not attribute.becomes:
            continue
        result = results.get(attribute.becomes)
        if result is None and attribute.becomes in stated:
            continue  # its own fault is noted already
        if _types(result) != (UNIT.name, attribute.domain.name):
            problem = f"there is no result {attribute.becomes} over Unit, {attribute.domain}"
            attempt(entry.fail, problem)


def check_member_words(
    layers: Layers, declared: Declared, map_called: Callable[[], Map | None], attempt: Try
) -> None:
    """Check the words for the values of attributes. Each must be unique, mean nothing else in
    orders, and not name a province or power on the profile's map (None if the map has a fault).
    `attempt` notes faults."""
    domains = {attribute.domain.name for attribute in declared.attributes.values()}
    if not domains:
        return
    board = map_called()
    for entry in layers.section("domains"):
        if entry.name in domains:
            first: dict[tuple[str, ...], str] = {}
            for one in words_in(entry.value):
                same = first.setdefault(words_of(one.raw), one.raw)
                attempt(_check, one, same, declared.words, board)


def _check(node: Node, same: str, words: Words, board: Map | None) -> None:
    """Check a value; `same` is the first value that has the same words."""
    parts = words_of(node.raw)
    if not parts:
        node.refuse(f"{node.raw!r} cannot be written before a unit: it has no word")
    if same != node.raw:
        node.refuse(f"{node.raw!r} and {same!r} are the same word in orders; choose another word")
    meanings = [(part, meaning_of(part, words)) for part in parts]
    if board is not None:
        meanings.append((node.raw, _name_on(board, parts)))
    part, meaning = next(((part, found) for part, found in meanings if found), ("", ""))
    if meaning:
        shown = "it" if part in (node.raw, node.raw.casefold()) else repr(part)
        node.refuse(
            f"{node.raw!r} cannot be written before a unit: {shown} already stands for {meaning} "
            "in orders; choose a word that has no other meaning there"
        )


def _name_on(board: Map, parts: tuple[str, ...]) -> str:
    """The province or power with this name on the map, in words, "" if there is none. Abbreviations
    do not count: nobody takes the color red before a unit for the Red Sea."""
    code = board.names.provinces.get(parts, "")
    if code and words_of(board.provinces[code].name) == parts:
        return f"the province {code} of the map {board.name!r}"
    power = board.names.powers.get(parts, "")
    return f"the power {power} of the map {board.name!r}" if power else ""


# --- compose --------------------------------------------------------------------------------------


_FEW = 2  # entries that may be missing from a profile that is meant to be whole
MAX_INDICES = 3  # indices of a family of decisions
_Conditions: TypeAlias = tuple[tuple[str, Definition], ...]  # of an equation, by name
_P = ParamSpec("_P")


class Composer:
    """Checks the composed entries and builds the profile, collecting every fault."""

    def __init__(self, layers: Layers) -> None:
        self.layers = layers
        self.problems: list[DocumentError] = []
        self.broken: set[str] = set()
        self.chosen: dict[str, str] = {}  # values of settings and options
        self.board = NamedMap("", allowed_files())
        self.headings = Headings(layers, self._try, self.broken)
        self.powers = NamedPowers(lambda: None, is_own_map=False)

    def profile(self) -> Profile:
        """The checked profile. Raises a `DocumentError`, or `ProblemsError` for several."""
        head = self.layers.heads[-1]
        for root in self.layers.heads:
            for key in root.mapping():
                self._try(root.check_key, key, TOP_KEYS)
            self.broken |= names_stated(root, leaving_out=TOP_KEYS)  # of misspelt sections
        self._complete(head)
        self._try(letters_of, head)
        declared = self._declared()
        board = self.board
        check_member_words(self.layers, declared, partial(map_or_none, board), self._try)
        chosen = {k: value for k, value in self.chosen.items() if k not in declared.options}
        settings = Settings(**chosen)  # type: ignore[arg-type]  # each value was checked
        known, conditions = self._names(declared)
        checker, terms = Checker(known), known.decisions
        self.headings.refuse_names_of_others()
        for term in known.defines.values():
            if term.name not in self.broken:
                self._try(checker.check_term, term, term.indices)
        decisions = self._read(terms, partial(self._decision, checker, conditions))
        results = self._read(self._terms("results"), partial(_result, checker))
        orders = {entry.name: entry for entry in self.layers.section("orders")}
        lawful = self._read(orders, partial(self._lawful, checker))
        self._verdicts(declared, terms)
        check_becoming(self.layers, declared, results, self._try)
        declared = replace(declared, kinds=kinds_in_force(self.layers, checker, self._try))
        cycles = self._cycles(checker)
        legal = self._read(self.layers.entries("legal"), partial(self._legal, checker))
        self._needed(head, terms, results)
        named = (*conditions.values(), *(parts for _, parts in lawful.values()))
        codes = {code for parts in named for code, _ in parts}
        explained = {*legal, *terms, *results} | codes
        reasons = self._texts("reasons", "condition or decision", head, explained)
        entries = {*setting_values(), *declared.options, *known.defines}
        entries |= {rule.name for rule in cycles}
        self._texts("sources", "entry", head, explained | entries)
        self._stop_on_problems()
        declared = replace(declared, powers=tuple(self.powers.used))
        if legal:
            settings = replace(settings, conditions=Conditions(legal, reasons))
        top = head.mapping()
        return Profile(
            name=top["name"].text("name") if "name" in top else Path(head.path).stem,
            title=top["title"].text("title") if "title" in top else "",
            path=head.path,
            settings=settings,
            decisions=decisions,
            results=results,
            cycles=cycles,
            reasons=reasons,
            declared=declared,
            lawful=lawful,
            legal=legal,
            map=board.name,
            allowed=board.files,
            layers=tuple(self.layers.files),
        )

    def _complete(self, head: Node) -> None:
        """Stop if the profile extends nothing and lacks what every profile needs. Any other faults
        would only follow from that."""
        needed = (("decisions", DECISIONS_NEEDED), ("results", RESULTS_NEEDED))
        lacking = [
            name for kind, names in needed for name in names
            if name not in self.layers.entries(kind)
        ]  # fmt: skip
        if lacking[_FEW:] and not any("extends" in root.mapping() for root in self.layers.heads):
            if not self.problems:
                problem = f"this profile has no equations for {listed(lacking)}; write"
                self._problem(head, f"{problem} `extends: datc` to change the standard rules")
            self._stop_on_problems()

    def expression(self, node: Node, names: Iterable[Variable]) -> Expression:
        """A separate expression that uses the words of these files and `names`.

        Raises the faults of the files or, if they have none, `ProfileError` at the place of a fault
        of the expression.
        """
        declared = self._declared()
        checker = Checker(self._names(declared)[0])
        self._stop_on_problems()
        return checker.check(parse_expression(node), tuple(names), TRUTH)

    def _names(self, declared: Declared) -> tuple[Names, Mapping[str, _Conditions]]:
        """What expressions may refer to, and the conditions of the decisions. Verdicts and
        decisions with named conditions are truth values."""
        defines = self._terms("define")
        terms, conditions = self._decision_terms()
        named = (name for name, parts in conditions.items() if any(code for code, _ in parts))
        truths = {*named, *DECISIONS_NEEDED}
        return Names(defines, terms, truths, self.broken, declared, self.powers), conditions

    def _try(self, action: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T | None:
        """The result of `action`, or None after a fault, which is noted. Raises `ExhaustedError` if
        the time is up."""
        check_time()
        try:
            return action(*args, **kwargs)
        except DocumentError as error:
            self._note(error)
        except Consequence:
            pass
        return None

    def _stop_on_problems(self) -> None:
        files = [root.path for root in self.layers.heads]
        problems = with_lost_members(self.problems, self.layers)
        unique = {str(problem): problem for problem in problems}.values()
        found = sorted(unique, key=lambda p: (files.index(p.path), p.line, p.column))
        if len(found) == 1:
            raise found[0]
        if found:
            raise ProblemsError(found)

    def _read(self, things: Mapping[str, _S], read: Callable[[_S], _T | None]) -> dict[str, _T]:
        """Name -> the result of `read` for the thing with that name. Faulty things are left out."""
        tried = ((name, self._try(read, thing)) for name, thing in things.items())
        return {name: found for name, found in tried if found is not None}

    def _or_broken(self, things: Mapping[str, _S], read: Callable[[_S], _T]) -> dict[str, _T]:
        """The same; the names of faulty things become `broken`."""
        found = self._read(things, read)
        self.broken |= things.keys() - found.keys()
        return found

    def _problem(self, node: Node, problem: str) -> None:
        self._try(node.refuse, problem)

    def _note(self, error: DocumentError) -> None:
        self.problems.append(error)
        if len(self.problems) >= LISTED_FAULTS:
            self._stop_on_problems()

    def _declared(self) -> Declared:
        """The words that the profile declares; also finds the types of its variables."""
        domains = self._words("domains", read_domain)
        kinds = self._words("orders", read_kind)
        units = self._words("units", _unit_kind, {})
        self.headings.read_variables({**INDEX_TYPES, **Declared(domains, kinds=kinds).types})
        options = self._words("options", read_option)
        features = self._words("features", read_feature)
        self.board = self._map(Declared(features=features))
        self.powers = NamedPowers(partial(map_or_none, self.board), bool(self.board.name))
        attributes = self._words("attributes", self._attribute, domains)
        relations = self._words("relations", self._relation)
        self.chosen = self._chosen(options)
        chosen = {name: self.chosen.get(name, values[0]) for name, values in options.items()}
        known = {kind.word: kind for kind in STANDARD_KINDS} | units
        return Declared(
            domains, attributes, relations, options, chosen, features, kinds, units,
            self._words("convoys", self._carriages, known),
        )  # fmt: skip

    def _words(self, section: str, read: Callable[..., _T], *more: object) -> dict[str, _T]:
        """The words that a section declares."""
        entries = {entry.name: entry for entry in self.layers.section(section)}
        if entries and section in _LIMITS:
            _LIMITS[section].check(len(entries), list(entries.values())[-1].section.place)
        return self._or_broken(entries, lambda entry: _named(read, entry, *more))

    def _attribute(self, entry: Stated, domains: Mapping[str, Type]) -> Attribute:
        """The attribute of units that an entry declares."""
        if entry.name in FACTS[UNIT.name]:
            entry.fail(f"{entry.name!r} cannot name an attribute")
        if "domain" in entry.fields and entry.fields["domain"].raw in self.broken:
            raise Consequence
        return read_attribute(entry, domains)

    def _relation(self, entry: Stated) -> Relation:
        """The relation that an entry declares."""
        indices = self.headings.read(entry)[1]
        stated = self.layers.stated("relations", entry.name)
        found = read_relation(entry, indices, stated, self._try, self.powers)
        if found is None:
            raise Consequence
        return found

    def _carriages(self, entry: Stated, kinds: Mapping[str, UnitKind]) -> tuple[Carriage, ...]:
        """The convoys of the carrier that an entry is about."""
        carried = entry.fields["carries"].value if "carries" in entry.fields else ()
        cargo = {one.raw for one in carried} if isinstance(carried, tuple) else set()
        if not self.broken.isdisjoint({entry.name, *cargo}):
            raise Consequence
        return read_carriages(entry, kinds)

    def _lawful(self, checker: Checker, entry: Stated) -> tuple[Variable, NamedConditions] | None:
        """The conditions under which an order of a declared kind is legal, if there are any."""
        if entry.name not in checker.names.declared.kinds or "legal" not in entry.fields:
            return None
        name, indices = self.headings.read(entry)
        if [index.type.name for index in indices] != [name]:
            entry.fail(f"{name} has one index, a {name}")
        problem = "`legal` may use only facts, not decisions"
        conditions = entry.fields["legal"].mapping(None, "legal").items()
        return indices[0], tuple(
            (code, _of_facts(checker, node, indices, problem)) for code, node in conditions
        )

    def _verdicts(self, declared: Declared, terms: Mapping[str, Definition]) -> None:
        """Check that the decisions named by a kind of order are about that kind or its legs."""
        for entry in self.layers.section("orders"):
            kind = declared.kinds.get(entry.name)
            wanted = () if kind is None else ((kind.verdict, entry.name), (kind.lands, kind.legs))
            for decision, about in wanted:
                if not decision or decision in self.broken:
                    continue
                if _types(terms.get(decision)) != (about,):
                    self._try(entry.fail, f"there is no decision {decision} over {about}")

    def _chosen(self, options: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
        """The values that `settings` gives settings and declared options."""
        allowed = {**setting_values(), **options}
        chosen: dict[str, str] = {}
        for entry in self.layers.section("settings"):
            name, value = entry.name, entry.value
            if name not in allowed:
                if name not in self.broken:
                    meant = hint(name, allowed, "known:")
                    self._try(entry.fail, f"unknown setting {name!r}{meant}")
            elif self._try(value.text, name) not in (None, *allowed[name]):
                problem = f"{value.raw!r} is not a value of {name}; choose from "
                self._problem(value, f"{problem}{', '.join(allowed[name])}")
            elif value.raw in allowed[name]:
                chosen[name] = value.raw
        return chosen

    def _term(self, stated: Sequence[Stated]) -> Definition:
        """The term that entries of several files state, the earliest entry first."""
        self.headings.check_replacement(stated)
        parts = parts_of(stated)
        for _, _, value in still_stated(stated):
            if isinstance(value.value, Mapping):
                value.refuse("only a decision has named conditions; write an expression")
        (part,) = parts
        return self._definition(part)

    def _definition(self, part: Part) -> Definition:
        """A part of an entry, with what `base` means in it."""
        base = tuple(map(self._definition, part.base))
        return Definition(*self.headings.read(part.entry), part.source(), base)

    def _terms(self, section: str) -> dict[str, Definition]:
        return self._or_broken(self.layers.entries(section), self._term)

    def _decision_terms(self) -> tuple[dict[str, Definition], dict[str, _Conditions]]:
        terms: dict[str, Definition] = {}
        conditions: dict[str, _Conditions] = {}
        for name, stated in self.layers.entries("decisions").items():
            value = stated[-1][2]
            heading = self._try(self._decision_heading, stated)
            if heading is None and value.value:
                for part in self._try(parts_of, stated, self.layers.entries("decisions")) or ():
                    self._try(part.source)
            parts = None if heading is None else self._parts(stated)
            if heading is None or parts is None:
                self.broken.add(name)
                continue
            first = parts[0][1]
            terms[name] = Definition(name, heading[1], first.source, first.base)
            conditions[name] = parts
        return terms, conditions

    def _decision_heading(self, stated: Sequence[Stated]) -> tuple[str, tuple[Variable, ...]]:
        key, section, _ = stated[-1]
        self.headings.check_replacement(stated)
        name, indices = self.headings.read(stated[-1])
        if any(index.type == POWER for index in indices):
            section.fail_at_key(key, f"a decision is about orders or places, not about a {POWER}")
        if len(indices) > MAX_INDICES:
            problem = f"a decision has at most {MAX_INDICES} indices, {name} has {len(indices)}"
            section.fail_at_key(key, problem)
        if name in CYCLE_FACTS:
            section.fail_at_key(key, f"{name!r} already means something else in cycle rules")
        return name, indices

    def _parts(self, stated: Sequence[Stated]) -> _Conditions | None:
        """An equation's conditions with their names; "" for a condition without a name."""
        parts = self._try(parts_of, stated, self.layers.entries("decisions"))
        if parts is None:
            return None
        if not parts:
            self._problem(stated[-1][2], "an equation needs at least one condition")
            return None
        tried = [(part.name, self._try(self._definition, part)) for part in parts]
        found = tuple((name, term) for name, term in tried if term is not None)
        return found if len(found) == len(tried) else None

    def _condition(
        self, checker: Checker, term: Definition, kind: Type, condition: Definition
    ) -> Expression:
        """A condition of a decision. It must be a truth value if the decision is one.

        If it comes from the files below, it is right there. The fault is in keeping it.
        """
        entry = self.layers.entries("decisions")[term.name][-1]
        file = condition.source.node.path
        wanted = TRUTH if kind.is_truth and file == entry.section.path else None
        found = checker.check_term(condition, term.indices, wanted)
        if kind.is_truth and not found.type.is_truth:
            entry.fail(f"{entry.key} keeps what {file} says, but that is a number, not a condition")
        return found

    def _decision(
        self, checker: Checker, conditions: Mapping[str, _Conditions], term: Definition
    ) -> Decision | None:
        """The checked decision; notes each faulty condition."""
        kind = checker.decision_type(term.name)
        parts = [
            (code, self._try(self._condition, checker, term, kind, condition))
            for code, condition in conditions[term.name]
        ]
        checked = tuple((code, part) for code, part in parts if part is not None)
        if len(checked) < len(parts):
            return None
        equation: Expression = checked[0][1]
        if len(checked) > 1:
            equation = Junction("and", tuple(part for _, part in checked))
        path = self.layers.entries("decisions")[term.name][-1].section.path
        return Decision(term.name, term.indices, kind, equation, checked, path)

    def _legal(self, checker: Checker, stated: Sequence[Stated]) -> Formula | None:
        """The condition on single orders that entries of several files state."""
        term = self._term(stated)
        return None if term.name in self.broken else read_condition(checker, term, stated[-1])

    def _map(self, declared: Declared) -> NamedMap:
        """The map that the profile is played on. The file's own map takes precedence."""
        nodes, allowed = self.layers.maps, allowed_files()
        found = [self._try(map_named, node, self.layers, allowed) for node in nodes]
        named = [one or NamedMap("", allowed) for one in found]
        if "map" in self.layers.heads[-1].mapping() or len({one.name for one in named}) < 2:
            return named[-1] if named else NamedMap("", allowed)
        return best_map(named, declared)

    def _cycles(self, checker: Checker) -> tuple[CycleRule, ...]:
        rules: list[CycleRule] = []
        listed = [self._try(part.sequence, key) or () for key, part in self.layers.cycles]
        for node in first_of_each_name(listed):
            rule = self._try(cycle_rule, checker, node, self.headings.read, self._try)
            if rule is not None:
                if rule.name in (other.name for other in rules):
                    self._problem(node, f"there already is a cycle rule called {rule.name!r}")
                rules.append(rule)
        return tuple(rules)

    def _texts(self, section: str, what: str, head: Node, known: set[str]) -> dict[str, str]:
        """The texts for people, each about a `what` of the profile. Those in the profile's own file
        must belong to a `known` name; those of a base may have lost theirs."""
        texts = {}
        if self.problems:  # then the entry that states the name may be faulty
            known |= names_stated(head, [section])
        for entry in self.layers.section(section):
            name, text = entry.name, self._try(entry.value.text, "a text")
            if text is not None:
                texts[name] = text
            if name not in known | self.broken and entry.section.path == head.path:
                self._try(entry.fail, f"no {what} is called {name!r}{hint(name, known)}")
        return texts

    def _needed(
        self, head: Node, terms: Mapping[str, Definition], results: Mapping[str, Formula]
    ) -> None:
        for name, kind in DECISIONS_NEEDED.items():
            if name not in terms:
                if name not in self.broken:
                    self._problem(head, f"the decision {name}(...) over {kind} is missing")
            elif _types(terms[name]) != (kind,):
                self._problem(terms[name].source.node, f"the index of {name} should be a {kind}")
        stated = self.layers.entries("results")
        for name, kinds in RESULTS_NEEDED.items():
            if name not in stated:
                self._problem(head, f"the result {name}(...) over {', '.join(kinds)} is missing")
            elif name in results and _types(results[name]) != kinds:
                self._try(stated[name][-1].fail, f"{name} should be over {', '.join(kinds)}")


def _types(term: Definition | Formula | None) -> tuple[str, ...]:
    """The names of the types that a term is about; none without a term."""
    return () if term is None else tuple(index.type.name for index in term.indices)


def _result(checker: Checker, term: Definition) -> Formula:
    expression = checker.check_term(term, term.indices, TRUTH)
    return Formula(term.name, term.indices, expression, term.source.node.path)
