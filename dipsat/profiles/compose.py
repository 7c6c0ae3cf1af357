"""Build the checked profile from the entries of its files, collecting every fault."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import ParamSpec, TypeAlias, TypeVar

from dipsat.documents import Node
from dipsat.errors import LISTED_FAULTS, DocumentError, ProblemsError, ProfileError, did_you_mean
from dipsat.game.conditions import Conditions
from dipsat.game.settings import Settings, setting_values
from dipsat.language.closed import Formula
from dipsat.language.parse import parse_expression
from dipsat.language.syntax import Expression, Junction, Variable
from dipsat.language.types import INDEX_TYPES, POWER, TRUTH
from dipsat.language.vocabulary import CYCLE_FACTS
from dipsat.limits import allowed_files, check_time
from dipsat.profiles.additions import Part, parts_of, still_stated
from dipsat.profiles.check import Checker
from dipsat.profiles.cycle_rules import cycle_rule
from dipsat.profiles.declarations import (
    DeclarationReader,
    check_becoming,
    check_member_words,
    kinds_in_force,
)
from dipsat.profiles.declared import Declared
from dipsat.profiles.headings import Headings, names_stated
from dipsat.profiles.known import Consequence, Definition, Names
from dipsat.profiles.layers import TOP_KEYS, Layers, Stated, first_of_each_name
from dipsat.profiles.legal import read_condition
from dipsat.profiles.members import with_lost_members
from dipsat.profiles.named_map import NamedMap, best_map, map_named, map_or_none
from dipsat.profiles.names import letters_of
from dipsat.profiles.powers import NamedPowers
from dipsat.profiles.profile import (
    DECISIONS_NEEDED,
    RESULTS_NEEDED,
    CycleRule,
    Decision,
    NamedConditions,
    Profile,
)
from dipsat.profiles.standing import listed

_FEW = 2  # entries that may be missing from a profile that is meant to be whole
MAX_INDICES = 3  # of a family of decisions
_Conditions: TypeAlias = tuple[tuple[str, Definition], ...]  # of an equation, with their names
_P = ParamSpec("_P")
_T = TypeVar("_T")


class Composer:
    """Checks the composed entries and builds the profile, collecting every fault."""

    def __init__(self, layers: Layers) -> None:
        self.layers = layers
        self.problems: list[DocumentError] = []
        self.broken: set[str] = set()
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
        settings = self._settings(declared)
        defines = self._terms("define")
        terms, conditions = self._decision_terms()
        self.headings.refuse_names_of_others()
        truths, powers = _truths(conditions), self.powers
        checker = Checker(Names(defines, terms, truths, self.broken, declared, powers))
        for term in defines.values():
            if term.name not in self.broken:
                self._try(checker.check_term, term, term.indices)
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
            {*legal, *terms, *results}
            | {c for p in conditions.values() for c, _ in p}
            | {c for _, p in lawful.values() for c, _ in p},
        )
        self._stop_on_problems()
        declared = replace(declared, powers=tuple(self.powers.used))
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

    def _complete(self, head: Node) -> None:
        """Stop if the profile extends nothing and lacks what every profile needs: all else that is
        wrong would follow from that."""
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
        """A separate expression in the words of these files and `names`.

        Raises the faults of the files or, if they have none, `ProfileError` at the place of a fault
        of the expression.
        """
        declared = self._declared()
        defines = self._terms("define")
        terms, conditions = self._decision_terms()
        self._stop_on_problems()
        truths, powers = _truths(conditions), self.powers
        checker = Checker(Names(defines, terms, truths, declared=declared, powers=powers))
        return checker.check(parse_expression(node), tuple(names), TRUTH)

    def _head_text(self, key: str, default: str) -> str:
        node = self.layers.heads[-1].mapping().get(key)
        return node.text(key) if node is not None else default

    def _try(self, action: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T | None:
        """The result of `action`, or None after noting its fault. Raises `ExhaustedError` if the
        time is up."""
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
        self.headings.read_variables({**INDEX_TYPES, **Declared(domains, kinds=kinds).types})
        options, features = reader.options(), reader.features()
        self.board = self._map(Declared(features=features))
        self.powers = NamedPowers(partial(map_or_none, self.board), bool(self.board.name))
        attributes = reader.attributes(domains)
        relations = reader.relations(self.headings.read, self.powers)
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
        name, indices = self.headings.read(key, section)
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

    def _term(self, stated: Sequence[Stated]) -> Definition:
        """The term that files say something about, the earliest first."""
        self.headings.check_replacement(stated)
        parts = parts_of(stated)
        for _, _, value in still_stated(stated):
            if isinstance(value.value, Mapping):
                value.fail(
                    "only a decision has named conditions; write an expression", ProfileError
                )
        (part,) = parts
        return self._definition(part)

    def _definition(self, part: Part) -> Definition:
        """A part of an entry, with what `base` means in it."""
        base = tuple(map(self._definition, part.base))
        return Definition(*self.headings.read(part.key, part.section), part.source(), base)

    def _terms(self, section_name: str) -> dict[str, Definition]:
        terms = {}
        for name, stated in self.layers.entries(section_name).items():
            term = self._try(self._term, stated)
            if term is not None:
                terms[term.name] = term
            else:
                self.broken.add(name)
        return terms

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
        name, indices = self.headings.read(key, section)
        if any(index.type == POWER for index in indices):
            section.fail_at_key(key, f"a decision is about orders or places, not about a {POWER}")
        if len(indices) > MAX_INDICES:
            problem = f"a decision has at most {MAX_INDICES} indices, {name} has {len(indices)}"
            section.fail_at_key(key, problem)
        if name in CYCLE_FACTS:
            section.fail_at_key(key, f"{name!r} already means something else in cycle rules")
        return name, indices

    def _parts(self, stated: Sequence[Stated]) -> _Conditions | None:
        """An equation's conditions, with their names, "" for one that has none."""
        parts = self._try(parts_of, stated, self.layers.entries("decisions"))
        if parts is None:
            return None
        if not parts:
            self._problem(stated[-1][2], "an equation needs at least one condition")
            return None
        tried = [(part.name, self._try(self._definition, part)) for part in parts]
        found = tuple((name, term) for name, term in tried if term is not None)
        return found if len(found) == len(tried) else None

    def _condition(self, checker: Checker, term: Definition, condition: Definition) -> Expression:
        """A condition of a decision that is a truth value, which it must be, too.

        One that is kept from the files below is right there; wrong is to keep it.
        """
        key, section, _ = self.layers.entries("decisions")[term.name][-1]
        file = condition.source.node.path
        if file == section.path:
            return checker.check_term(condition, term.indices, TRUTH)
        found = checker.check_term(condition, term.indices)
        if not found.type.is_truth:
            problem = f"{key} keeps what {file} says, but that is a number, no condition"
            section.fail_at_key(key, problem, ProfileError)
        return found

    def _decision(
        self, checker: Checker, term: Definition, conditions: _Conditions
    ) -> Decision | None:
        """The checked decision; notes each faulty condition."""
        kind = checker.decision_type(term.name)
        parts = [
            (
                code,
                self._try(self._condition, checker, term, condition)
                if kind.is_truth
                else self._try(checker.check_term, condition, term.indices),
            )
            for code, condition in conditions
        ]
        checked = tuple((code, part) for code, part in parts if part is not None)
        if len(checked) < len(parts):
            return None
        equation: Expression = checked[0][1]
        if len(checked) > 1:
            expressions = tuple(part for _, part in checked)
            is_open = any(part.open for part in expressions)
            equation = Junction("and", expressions, TRUTH, is_open)
        path = self.layers.held_in("decisions", term.name).path
        return Decision(term.name, term.indices, kind, equation, checked, path)

    def _results(self, checker: Checker) -> dict[str, Formula]:
        results = {}
        for term in self._terms("results").values():
            expression = self._try(checker.check_term, term, term.indices, TRUTH)
            if expression is not None:
                path = term.source.node.path
                results[term.name] = Formula(term.name, term.indices, expression, path)
        return results

    def _legal(self, checker: Checker) -> dict[str, Formula]:
        """The conditions on single orders."""
        found = {}
        for name, stated in self.layers.entries("legal").items():
            key, section, _ = stated[-1]
            term = self._try(self._term, stated)
            if term is not None and name not in self.broken:
                condition = self._try(read_condition, checker, term, section, key)
                if condition is not None:
                    found[name] = condition
        return found

    def _map(self, declared: Declared) -> NamedMap:
        """The map that the profile is played on. The file's own map takes precedence."""
        nodes, allowed = self.layers.maps, allowed_files()
        found = [self._try(map_named, node, self.layers, allowed) for node in nodes]
        named = [one or NamedMap("", allowed) for one in found]
        if "map" in self.layers.heads[-1].mapping() or len({one.name for one in named}) < 2:
            return named[-1] if named else NamedMap("", allowed)
        return best_map(named, declared)

    def _cycles(self, checker: Checker, terms: Mapping[str, Definition]) -> tuple[CycleRule, ...]:
        rules: list[CycleRule] = []
        listed = [self._try(part.sequence, key) or () for key, part in self.layers.cycles]
        for node in first_of_each_name(listed):
            rule = self._try(cycle_rule, checker, node, terms, self.headings.read, self._try)
            if rule is not None:
                if rule.name in (other.name for other in rules):
                    self._problem(node, f"there already is a cycle rule called {rule.name!r}")
                rules.append(rule)
        return tuple(rules)

    def _reasons(self, head: Node, known: set[str]) -> dict[str, str]:
        """The texts for people. Each one in the profile's own file must belong to a `known`
        condition, decision or result; those of a base may have lost theirs."""
        reasons = {}
        known |= (
            names_stated(head, ["reasons"]) if self.problems else set()
        )  # then what states it has a fault
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
    named = (name for name, parts in conditions.items() if any(code for code, _ in parts))
    return {*named, *DECISIONS_NEEDED}
