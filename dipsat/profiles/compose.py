"""Build the checked profile from the entries of its files, collecting every fault."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import ParamSpec, TypeAlias, TypeVar

from dipsat.documents import Node
from dipsat.errors import LISTED_FAULTS, DocumentError, ProblemsError, ProfileError, did_you_mean
from dipsat.game.conditions import Conditions
from dipsat.game.settings import Settings, setting_values
from dipsat.language.closed import Formula
from dipsat.language.parse import Source, parse_expression, parse_heading
from dipsat.language.syntax import Expression, Junction, Variable
from dipsat.language.types import INDEX_TYPES, POWER, TRUTH, Type
from dipsat.language.vocabulary import CYCLE_FACTS, PREDICATES, QUANTIFIERS
from dipsat.limits import ENDLESS, Running
from dipsat.profiles.check import Checker
from dipsat.profiles.cycle_rules import cycle_rule
from dipsat.profiles.declarations import (
    DeclarationReader,
    check_becoming,
    check_member_words,
    kinds_in_force,
)
from dipsat.profiles.declared import Declared
from dipsat.profiles.known import Consequence, Definition, Names
from dipsat.profiles.layers import Layers, first_of_each_name
from dipsat.profiles.legal import read_condition
from dipsat.profiles.members import with_lost_members
from dipsat.profiles.named_map import NamedMap, best_map, map_named, map_or_none
from dipsat.profiles.names import letters_of
from dipsat.profiles.profile import (
    DECISIONS_NEEDED,
    RESULTS_NEEDED,
    CycleRule,
    Decision,
    NamedConditions,
    Profile,
)

_WORD = re.compile(r"\w+")
MAX_INDICES = 3  # of a family of decisions
_Conditions: TypeAlias = tuple[tuple[str, Source], ...]  # of an equation, with their names
_P = ParamSpec("_P")
_T = TypeVar("_T")


class Composer:
    """Checks the composed entries and builds the profile, collecting every fault. `limits` are
    those of a running call."""

    def __init__(self, layers: Layers, limits: Running = ENDLESS) -> None:
        self.layers = layers
        self.limits = limits
        self.problems: list[DocumentError] = []
        self.variables: dict[str, Type | None] = {}  # None: its type is unknown
        self.broken: set[str] = set()

    def profile(self) -> Profile:
        """The checked profile. Raises a `DocumentError`, or `ProblemsError` for several."""
        head = self.layers.heads[-1]
        self._try(letters_of, head)
        declared = self._declared()
        board = self._map(declared)
        check_member_words(
            self.layers, declared, partial(map_or_none, board, self.limits), self._try
        )
        settings = self._settings(declared)
        defines = self._terms("define")
        terms, conditions = self._decision_terms()
        taken = {*QUANTIFIERS, *PREDICATES, *terms, *declared.relations, *declared.features}
        for name, key, section, _ in self.layers.section("define"):
            if name in taken:
                self._problem_at_key(key, section, f"{name!r} already means something else")
                self.broken.add(name)
        checker = Checker(Names(defines, terms, _truths(conditions), self.broken, declared))
        for term in defines.values():
            if term.name not in self.broken:
                self._try(checker.check, term.source, term.indices)
        decisions = {}
        for name, term in terms.items():
            decision = self._try(self._decision, checker, term, conditions[name])
            if decision is not None:
                decisions[name] = decision
        results = self._results(checker)
        lawful = self._lawful(checker)
        self._verdicts(declared, terms)
        check_becoming(self.layers, declared, results, self._try)
        declared = replace(declared, kinds=kinds_in_force(self.layers, checker, self._try))
        cycles = self._cycles(checker, terms)
        legal = self._legal(checker)
        self._needed(head, terms, results)
        reasons = self._reasons(
            head,
            {*legal, *terms}
            | {c for p in conditions.values() for c, _ in p}
            | {c for _, p in lawful.values() for c, _ in p},
        )
        self._stop_on_problems()
        if legal:
            settings = replace(settings, conditions=Conditions(legal, reasons))
        return Profile(
            name=self._head_text("name", Path(head.path).stem),
            title=self._head_text("title", ""),
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

    def expression(self, node: Node, names: Iterable[Variable]) -> Expression:
        """A separate expression in the words of these files and `names`.

        Raises the faults of the files or, if they have none, `ProfileError` at the place of a fault
        of the expression.
        """
        declared = self._declared()
        defines = self._terms("define")
        terms, conditions = self._decision_terms()
        self._stop_on_problems()
        checker = Checker(Names(defines, terms, _truths(conditions), declared=declared))
        return checker.check(parse_expression(node), tuple(names), TRUTH)

    def _head_text(self, key: str, default: str) -> str:
        node = self.layers.heads[-1].mapping().get(key)
        return node.text(key) if node is not None else default

    def _try(self, action: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T | None:
        """The result of `action`, or None after noting its fault. Raises `ExhaustedError` if the
        time is up."""
        self.limits.check()
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

    def _problem(self, node: Node, problem: str) -> None:
        self._try(node.fail, problem, ProfileError)

    def _problem_at_key(self, key: str, section: Node, problem: str) -> None:
        self._try(section.fail_at_key, key, problem, ProfileError)

    def _note(self, error: DocumentError) -> None:
        self.problems.append(error)
        if len(self.problems) >= LISTED_FAULTS:
            self._stop_on_problems()

    def _declared(self) -> Declared:
        """The words that the profile declares; also finds the types of its variables."""
        reader = DeclarationReader(self.layers, self._try, self.broken)
        domains, kinds, units = reader.domains(), reader.kinds(), reader.units()
        self._variables({**INDEX_TYPES, **Declared(domains, kinds=kinds).types})
        options, features = reader.options(), reader.features()
        attributes, relations = reader.attributes(domains), reader.relations(self._heading)
        chosen = {name: values[0] for name, values in options.items()} | self._options(options)
        return Declared(
            domains, attributes, relations, options, chosen, features, kinds, units,
            reader.carriages(units),
        )  # fmt: skip

    def _lawful(self, checker: Checker) -> dict[str, tuple[Variable, NamedConditions]]:
        """Declared kind of order -> the conditions under which such an order is legal."""
        found = {}
        for name, key, section, node in self.layers.section("orders"):
            legal = node.value.get("legal") if isinstance(node.value, dict) else None
            if name in checker.names.declared.kinds and legal is not None:
                conditions = self._try(self._conditions, checker, key, section, legal)
                if conditions is not None:
                    found[name] = conditions
        return found

    def _conditions(
        self, checker: Checker, key: str, section: Node, legal: Node
    ) -> tuple[Variable, NamedConditions]:
        name, indices = self._heading(key, section)
        if [index.type.name for index in indices] != [name]:
            section.fail_at_key(key, f"{name} has one index, a {name}", ProfileError)
        conditions = []
        for code, node in legal.mapping(None, "legal").items():
            condition = checker.check(parse_expression(node), indices, TRUTH)
            if condition.open:
                node.fail("`legal` may use only facts, not decisions", ProfileError)
            conditions.append((code, condition))
        return indices[0], tuple(conditions)

    def _options(self, options: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
        """The values that `settings` gives to declared options."""
        chosen = {}
        for name, _, _, value in self.layers.section("settings"):
            if name in options and self._try(value.text, name) in options[name]:
                chosen[name] = value.raw
        return chosen

    def _verdicts(self, declared: Declared, terms: Mapping[str, Definition]) -> None:
        """Check that the decisions that a kind of order names are about it, or about its legs."""
        for name, key, section, _ in self.layers.section("orders"):
            kind = declared.kinds.get(name)
            wanted = () if kind is None else ((kind.verdict, name), (kind.lands, kind.legs))
            for decision, about in wanted:
                if decision in self.broken:
                    continue
                indices = terms[decision].indices if decision in terms else ()
                if decision and [index.type.name for index in indices] != [about]:
                    problem = f"there is no decision {decision} over {about}"
                    self._problem_at_key(key, section, problem)

    def _settings(self, declared: Declared) -> Settings:
        allowed = {**setting_values(), **declared.options}
        chosen: dict[str, str] = {}
        for name, key, node, value in self.layers.section("settings"):
            if name not in allowed and name in self.broken:
                continue
            if name not in allowed:
                hint = did_you_mean(name, allowed, f"known: {', '.join(allowed)}")
                self._problem_at_key(key, node, f"unknown setting {name!r}; {hint}")
            elif self._try(value.text, name) not in (None, *allowed[name]):
                one_of = ", ".join(allowed[name])
                problem = f"{value.raw!r} is not a value of {name}; choose from {one_of}"
                self._problem(value, problem)
            elif value.raw in allowed[name] and name not in declared.options:
                chosen[name] = value.raw
        return Settings(**chosen)  # type: ignore[arg-type]  # each value was checked just above

    def _variables(self, types: Mapping[str, Type]) -> None:
        for name, _, _, value in self.layers.section("variables"):
            typed = self._try(value.text, "a type")
            self.variables[name] = types.get(typed or "")
            if typed is not None and typed not in types and typed not in self.broken:
                hint = did_you_mean(typed, types, f"use {', '.join(types)}")
                self._problem(value, f"{typed!r} is not a type; {hint}")
            elif typed is not None:
                self._one_type(name, value)

    def _one_type(self, name: str, value: Node) -> None:
        """Refuse a variable whose type differs from that in another file whose headings use it."""
        for other in self.layers.stated("variables", name)[:-1]:
            if other.raw != value.raw and self._has_heading(other.path, name):
                place = other.place
                problem = f"variable {name!r} has type {value.raw} here and {other.raw} at {place}"
                self._problem(value, f"{problem}; rename one of the two")
                self.variables[name] = None
                return

    def _has_heading(self, path: str, index: str) -> bool:
        """Whether an entry of a file that is still in force has this index in its heading."""
        return index in self._indices_used.get(path, ())

    @cached_property
    def _indices_used(self) -> Mapping[str, set[str]]:
        """File -> the indices in the headings of its entries that are in force."""
        found: dict[str, set[str]] = {}
        for section in ("relations", "orders", "define", "legal", "decisions", "results"):
            for _, key, place, _ in self.layers.section(section):
                found.setdefault(place.path, set()).update(_WORD.findall(key.partition("(")[2]))
        return found

    def _heading(self, key: str, section: Node) -> tuple[str, tuple[Variable, ...]]:
        name, indices = parse_heading(key, section)
        for index in indices:
            if index not in self.variables:
                problem = f"index {index!r} is not declared under `variables`; "
                declared = f"declared: {', '.join(self.variables)}"
                section.fail_at_key(key, problem + declared, ProfileError)
        found = []
        for index in indices:
            kind = self.variables[index]
            if kind is None:
                raise Consequence
            found.append(Variable(index, kind))
        return name, tuple(found)

    def _term(self, key: str, section: Node, value: Node) -> Definition:
        return Definition(*self._heading(key, section), parse_expression(value))

    def _terms(self, section_name: str) -> dict[str, Definition]:
        terms = {}
        for name, key, section, value in self.layers.section(section_name):
            term = self._try(self._term, key, section, value)
            if term is not None:
                terms[term.name] = term
            else:
                self.broken.add(name)
        return terms

    def _decision_terms(self) -> tuple[dict[str, Definition], dict[str, _Conditions]]:
        terms: dict[str, Definition] = {}
        conditions: dict[str, _Conditions] = {}
        for name, key, section, value in self.layers.section("decisions"):
            heading = self._try(self._decision_heading, key, section)
            parts = self._parts(value)
            if heading is None or parts is None:
                self.broken.add(name)
                continue
            terms[name] = Definition(name, heading[1], parts[0][1])
            conditions[name] = parts
        return terms, conditions

    def _decision_heading(self, key: str, section: Node) -> tuple[str, tuple[Variable, ...]]:
        name, indices = self._heading(key, section)
        first = self.layers.first_key("decisions", name)
        if first.count(",") != key.count(","):
            problem = f"{key} replaces {first}, so it needs as many indices"
            section.fail_at_key(key, problem, ProfileError)
        if any(index.type == POWER for index in indices):
            section.fail_at_key(key, f"a decision is about orders or places, not about a {POWER}")
        if len(indices) > MAX_INDICES:
            problem = f"a decision has at most {MAX_INDICES} indices, {name} has {len(indices)}"
            section.fail_at_key(key, problem)
        if name in CYCLE_FACTS:
            section.fail_at_key(key, f"{name!r} already means something else in cycle rules")
        return name, indices

    def _parts(self, value: Node) -> _Conditions | None:
        """An equation's conditions: those named in a mapping, or a single one without a name."""
        if not isinstance(value.value, dict):
            source = self._try(parse_expression, value)
            return None if source is None else (("", source),)
        if not value.value:
            self._problem(value, "an equation needs at least one condition")
            return None
        parts = [(code, self._try(parse_expression, part)) for code, part in value.value.items()]
        found = tuple((code, source) for code, source in parts if source is not None)
        return found if len(found) == len(parts) else None

    def _decision(
        self, checker: Checker, term: Definition, sources: _Conditions
    ) -> Decision | None:
        """The checked decision; notes each faulty condition."""
        kind = checker.decision_type(term.name)
        wanted = TRUTH if kind.is_truth else None
        parts = [
            (code, self._try(checker.check, source, term.indices, wanted))
            for code, source in sources
        ]
        checked = tuple((code, part) for code, part in parts if part is not None)
        if len(checked) < len(parts):
            return None
        equation: Expression = checked[0][1]
        if len(checked) > 1:
            expressions = tuple(part for _, part in checked)
            is_open = any(part.open for part in expressions)
            equation = Junction("and", expressions, TRUTH, is_open)
        path = term.source.node.path
        return Decision(term.name, term.indices, kind, equation, checked, path)

    def _results(self, checker: Checker) -> dict[str, Formula]:
        results = {}
        for term in self._terms("results").values():
            expression = self._try(checker.check, term.source, term.indices, TRUTH)
            if expression is not None:
                path = term.source.node.path
                results[term.name] = Formula(term.name, term.indices, expression, path)
        return results

    def _legal(self, checker: Checker) -> dict[str, Formula]:
        """The conditions on single orders."""
        found = {}
        for name, key, section, value in self.layers.section("legal"):
            term = self._try(self._term, key, section, value)
            if term is not None:
                condition = self._try(read_condition, checker, term, section, key)
                if condition is not None:
                    found[name] = condition
        return found

    def _map(self, declared: Declared) -> NamedMap:
        """The map that the profile is played on. The file's own map takes precedence."""
        nodes, allowed = self.layers.maps, self.limits.files
        found = [self._try(map_named, node, self.layers, allowed) for node in nodes]
        named = [one or NamedMap("", allowed) for one in found]
        if "map" in self.layers.heads[-1].mapping() or len({one.name for one in named}) < 2:
            return named[-1] if named else NamedMap("", allowed)
        return best_map(named, declared, self.limits)

    def _cycles(self, checker: Checker, terms: Mapping[str, Definition]) -> tuple[CycleRule, ...]:
        rules: list[CycleRule] = []
        listed = [self._try(part.sequence, key) or () for key, part in self.layers.cycles]
        for node in first_of_each_name(listed):
            rule = self._try(cycle_rule, checker, node, terms, self._heading)
            if rule is not None:
                if rule.name in (other.name for other in rules):
                    self._problem(node, f"there already is a cycle rule called {rule.name!r}")
                rules.append(rule)
        return tuple(rules)

    def _reasons(self, head: Node, known: set[str]) -> dict[str, str]:
        """The texts for people. Each one in the profile's own file must belong to a `known`
        condition or decision; those of a base may have lost theirs."""
        reasons = {}
        for name, key, section, value in self.layers.section("reasons"):
            text = self._try(value.text, "a reason")
            if text is not None:
                reasons[name] = text
            if name not in known | self.broken and section.path == head.path:
                hint = did_you_mean(name, known)
                problem = f"no condition or decision is called {name!r}{hint and f'; {hint}'}"
                self._problem_at_key(key, section, problem)
        return reasons

    def _needed(
        self, head: Node, terms: Mapping[str, Definition], results: Mapping[str, Formula]
    ) -> None:
        for name, kind in DECISIONS_NEEDED.items():
            if name not in terms:
                if name not in self.broken:
                    self._problem(head, f"the decision {name}(...) over {kind} is missing")
            elif tuple(index.type.name for index in terms[name].indices) != (kind,):
                self._problem(terms[name].source.node, f"the index of {name} should be a {kind}")
        places = {name: (key, node) for name, key, node, _ in self.layers.section("results")}
        for name, kinds in RESULTS_NEEDED.items():
            if name not in places:
                self._problem(head, f"the result {name}(...) over {', '.join(kinds)} is missing")
            elif name in results and tuple(i.type.name for i in results[name].indices) != kinds:
                self._problem_at_key(*places[name], f"{name} should be over {', '.join(kinds)}")


def _truths(conditions: Mapping[str, _Conditions]) -> set[str]:
    """The decisions that are truth values: those with named conditions, and verdicts."""
    return {name for name, parts in conditions.items() if parts[0][0]} | {*DECISIONS_NEEDED}
