"""Reading rule profiles from YAML: composition with `extends`, then all checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import ParamSpec, TypeVar

from dipsat.documents import Node, parse_yaml, read_text
from dipsat.errors import (
    DipsatError,
    FileError,
    ProblemsError,
    ProfileError,
    UnknownNameError,
    nearest_names,
)
from dipsat.game.settings import Settings, setting_values
from dipsat.profiles.check import Checker, Names, Term
from dipsat.profiles.parse import Source, parse_expression, parse_heading
from dipsat.profiles.profile import (
    DECISIONS_NEEDED,
    RESULTS_NEEDED,
    CycleRule,
    Decision,
    Profile,
    Result,
)
from dipsat.profiles.syntax import Expression, Junction, Variable
from dipsat.profiles.types import CYCLE, ENTITIES, TRUTH, Type
from dipsat.resources import data_folder

_TOP_KEYS = (
    "name", "title", "extends", "settings", "variables", "define", "decisions", "results",
    "cycles", "reasons",
)  # fmt: skip
_CYCLE_KEYS = ("name", "when", "set")
_NOT_PROFILES = ("maps", "variants")
_P = ParamSpec("_P")
_T = TypeVar("_T")
_MAX_FILES = 50  # that one profile may be composed of


def profile_names() -> tuple[str, ...]:
    """The names of the shipped profiles, such as `datc`."""
    rules = data_folder("rules")
    found = (path.relative_to(rules).with_suffix("") for path in rules.rglob("*.yaml"))
    return tuple(sorted(p.as_posix() for p in found if p.parts[0] not in _NOT_PROFILES))


def load_profile(name: str | Path | Profile) -> Profile:
    """The profile `name`: a shipped profile's name, or the path of a file.

    A loaded profile is given back as it is. Raises `UnknownNameError`, `FileError`,
    `DocumentError`, `ProfileError`, or `ProblemsError` with all faults of the profile.
    """
    if isinstance(name, Profile):
        return name
    text = str(name)
    if isinstance(name, Path) or text.endswith((".yaml", ".yml")):
        return parse_profile(read_text(text), text)
    return _shipped_profile(text)


@lru_cache(maxsize=64)
def _shipped_profile(name: str) -> Profile:
    shown, text = _read_shipped(name)
    return parse_profile(text, shown)


def _read_shipped(name: str) -> tuple[str, str]:
    if name not in profile_names():
        raise UnknownNameError("profile", name, profile_names())
    return f"rules/{name}.yaml", read_text(data_folder("rules") / f"{name}.yaml")


def parse_profile(text: str, path: str) -> Profile:
    """The profile that a YAML text states; `path` names it in errors and is where the files that
    it extends are looked for."""
    layers = _Layers()
    layers.read(parse_yaml(text, path), ())
    return _Composer(layers).profile()


@dataclass
class _Layers:
    """The entries of a profile's files, later ones over earlier ones."""

    heads: list[Node] = field(default_factory=list)
    entries: dict[str, dict[str, tuple[Node, Node]]] = field(default_factory=dict)
    cycles: Node | None = None

    def read(self, root: Node, open_files: tuple[str, ...]) -> None:
        """Add a file, after the files that it extends."""
        top = root.mapping(_TOP_KEYS, "a profile")
        chain = (*open_files, root.path)
        if "extends" in top:
            for base in _base_names(top["extends"]):
                shown, text = _read_base(base)
                if shown in chain:
                    base.fail(f"extends goes in a circle: {' -> '.join((*chain, shown))}",
                              ProfileError)  # fmt: skip
                if len(self.heads) >= _MAX_FILES:
                    base.fail(f"a profile may extend at most {_MAX_FILES} files", ProfileError)
                self.read(parse_yaml(text, shown), chain)
        self.heads.append(root)
        for section in ("settings", "variables", "define", "decisions", "results", "reasons"):
            if section in top:
                self._add(section, top[section])
        self.cycles = top.get("cycles", self.cycles)

    def _add(self, section: str, node: Node) -> None:
        own: dict[str, str] = {}
        for key, value in node.mapping(None, section).items():
            name = key.partition("(")[0].strip()
            if name in own:
                node.fail_at_key(key, f"{name!r} stands here twice: as {own[name]!r} and {key!r}")
            own[name] = key
            self.entries.setdefault(section, {})[name] = (node, value)

    def section(self, name: str) -> Iterator[tuple[str, str, Node, Node]]:
        """(name, key as written, section node, value) of each entry of a section."""
        for entry, (node, value) in self.entries.get(name, {}).items():
            key = next(k for k in node.value if k.partition("(")[0].strip() == entry)
            yield entry, key, node, value


def _base_names(node: Node) -> tuple[Node, ...]:
    return node.sequence("extends") if isinstance(node.value, tuple) else (node,)


def _read_base(base: Node) -> tuple[str, str]:
    """The shown path and the text of a file named under `extends`."""
    name = base.text("extends")
    try:
        if not name.endswith((".yaml", ".yml")):
            return _read_shipped(name)
        path = Path(base.path).parent / name
        return str(path), read_text(path)
    except (FileError, UnknownNameError) as error:
        base.fail(str(error), ProfileError)


class _Composer:
    """Checks the composed entries and builds the profile, collecting every fault."""

    def __init__(self, layers: _Layers) -> None:
        self.layers = layers
        self.problems: list[DipsatError] = []
        self.variables: dict[str, Type] = {}

    def profile(self) -> Profile:
        head = self.layers.heads[-1]
        settings = self._settings()
        self._variables()
        defines = self._terms("define")
        terms, conditions = self._decision_terms()
        sources = {name: tuple(source for _, source in c) for name, c in conditions.items()}
        names = Names(defines, terms, sources, DECISIONS_NEEDED)
        self._stop_on_problems()
        checker = Checker(names)
        for term in defines.values():
            self._try(checker.check, term.source, term.indices)
        decisions = {}
        for name, term in terms.items():
            decision = self._try(_decision, checker, term, conditions[term.name])
            if decision is not None:
                decisions[name] = decision
        results = self._results(checker)
        cycles = self._cycles(checker, terms)
        self._needed(head, {**terms}, results)
        self._stop_on_problems()
        return Profile(
            name=self._head_text("name", Path(head.path).stem),
            title=self._head_text("title", ""),
            path=head.path,
            settings=settings,
            decisions=decisions,
            results=results,
            cycles=cycles,
            reasons={n: v.text("a reason") for n, _, _, v in self.layers.section("reasons")},
            files=tuple(root.path for root in self.layers.heads),
        )

    def _head_text(self, key: str, default: str) -> str:
        node = self.layers.heads[-1].mapping().get(key)
        return node.text(key) if node is not None else default

    def _try(self, action: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T | None:
        """The result of `action`, or None after noting its `ProfileError`."""
        try:
            return action(*args, **kwargs)
        except ProfileError as error:
            self.problems.append(error)
            return None

    def _stop_on_problems(self) -> None:
        found = list({str(problem): problem for problem in self.problems}.values())
        if len(found) == 1:
            raise found[0]
        if found:
            raise ProblemsError(found)

    def _problem(self, node: Node, problem: str) -> None:
        self.problems.append(ProfileError(node.path, node.line, node.column, problem))

    def _settings(self) -> Settings:
        allowed = setting_values()
        chosen: dict[str, str] = {}
        for name, key, node, value in self.layers.section("settings"):
            if name not in allowed:
                close = nearest_names(name, allowed, 1)
                hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(allowed)}"
                line, column = (node.keys or {})[key]
                self.problems.append(
                    ProfileError(node.path, line, column, f"unknown setting {name!r}; {hint}")
                )
            elif value.text(name) not in allowed[name]:
                one_of = ", ".join(allowed[name])
                self._problem(value, f"{name} is one of {one_of}; not {value.raw!r}")
            else:
                chosen[name] = value.raw
        return Settings(**chosen)  # type: ignore[arg-type]  # each value was checked just above

    def _variables(self) -> None:
        for name, _, _, value in self.layers.section("variables"):
            kind = ENTITIES.get(value.text("a type"))
            if kind is None:
                self._problem(value, f"{value.raw!r} is no type; use {', '.join(ENTITIES)}")
            else:
                self.variables[name] = kind

    def _heading(self, key: str, section: Node) -> tuple[str, tuple[Variable, ...]]:
        line, column = (section.keys or {})[key]
        name, indices = parse_heading(key, section, line, column)
        for index in indices:
            if index not in self.variables:
                raise ProfileError(
                    section.path, line, column,
                    f"index {index!r} is not declared under `variables`; "
                    f"declared: {', '.join(self.variables)}",
                )  # fmt: skip
        return name, tuple(Variable(index, self.variables[index]) for index in indices)

    def _term(self, key: str, section: Node, value: Node) -> Term:
        return Term(*self._heading(key, section), parse_expression(value))

    def _terms(self, section_name: str) -> dict[str, Term]:
        terms = {}
        for _, key, section, value in self.layers.section(section_name):
            term = self._try(self._term, key, section, value)
            if term is not None:
                terms[term.name] = term
        return terms

    def _decision_terms(
        self,
    ) -> tuple[dict[str, Term], dict[str, tuple[tuple[str, Source], ...]]]:
        terms: dict[str, Term] = {}
        conditions: dict[str, tuple[tuple[str, Source], ...]] = {}
        for _, key, section, value in self.layers.section("decisions"):
            heading = self._try(self._heading, key, section)
            parts = self._try(_conditions, value)
            if heading is None or parts is None:
                continue
            name, indices = heading
            if len(indices) != 1:
                section.fail_at_key(key, f"a decision has one index, {name} has {len(indices)}")
            terms[name] = Term(name, indices, parts[0][1])
            conditions[name] = parts
        return terms, conditions

    def _results(self, checker: Checker) -> dict[str, Result]:
        results = {}
        for term in self._terms("results").values():
            expression = self._try(checker.check, term.source, term.indices, TRUTH)
            if expression is not None:
                results[term.name] = Result(
                    term.name, term.indices, expression.type, expression, term.source.node.path
                )
        return results

    def _cycles(self, checker: Checker, terms: Mapping[str, Term]) -> tuple[CycleRule, ...]:
        if self.layers.cycles is None:
            return ()
        rules = []
        for node in self.layers.cycles.sequence("cycles"):
            rule = self._try(_cycle_rule, checker, node, terms)
            if rule is not None:
                rules.append(rule)
        return tuple(rules)

    def _needed(self, head: Node, terms: Mapping[str, Term], results: Mapping[str, Result]) -> None:
        for name, kind in DECISIONS_NEEDED.items():
            if name not in terms:
                self._problem(head, f"the decision {name}(...) over {kind} is missing")
            elif terms[name].indices[0].type.name != kind:
                self._problem(terms[name].source.node, f"the index of {name} should be a {kind}")
        for name, kinds in RESULTS_NEEDED.items():
            if name not in results and name not in self.layers.entries.get("results", {}):
                self._problem(head, f"the result {name}(...) over {', '.join(kinds)} is missing")
            elif name in results and tuple(i.type.name for i in results[name].indices) != kinds:
                self._problem(head, f"the indices of {name} should be {', '.join(kinds)}")


def _conditions(value: Node) -> tuple[tuple[str, Source], ...]:
    """An equation's conditions: named ones of a mapping, or one without a name."""
    if not isinstance(value.value, dict):
        return (("", parse_expression(value)),)
    if not value.value:
        value.fail("an equation needs at least one condition", ProfileError)
    return tuple((code, parse_expression(part)) for code, part in value.value.items())


def _decision(checker: Checker, term: Term, sources: tuple[tuple[str, Source], ...]) -> Decision:
    kind = checker.names.decision_type(term.name, term.source, term.source.tree)
    wanted = kind if kind.is_truth else None
    if term.name in DECISIONS_NEEDED or sources[0][0]:
        wanted = TRUTH
    parts = tuple((code, checker.check(source, term.indices, wanted)) for code, source in sources)
    equation: Expression = parts[0][1]
    if not equation.type.is_number:
        term.source.fail(term.source.tree, f"an equation gives a truth value or a number, "
                                           f"not a {equation.type}")  # fmt: skip
    if len(parts) > 1:
        expressions = tuple(part for _, part in parts)
        equation = Junction("and", expressions, TRUTH, any(part.open for part in expressions))
    return Decision(term.name, term.indices[0], kind, equation, parts, term.source.node.path)


def _cycle_rule(checker: Checker, node: Node, terms: Mapping[str, Term]) -> CycleRule:
    fields = node.mapping(_CYCLE_KEYS, "a cycle rule")
    for key in _CYCLE_KEYS:
        if key not in fields:
            node.fail(f"the cycle rule has no {key!r}", ProfileError)
    cycle = Variable("cycle", CYCLE)
    when = checker.check(parse_expression(fields["when"]), (cycle,), TRUTH)
    if when.open:
        fields["when"].fail("`when` may only use facts of the cycle, no decisions", ProfileError)
    pins: dict[str, int | bool] = {}
    for name, value in fields["set"].mapping(None, "set").items():
        if name not in terms:
            close = nearest_names(name, terms, 1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            value.fail(f"no decision is called {name!r}{hint}", ProfileError)
        kind = checker.names.decision_type(name, terms[name].source, terms[name].source.tree)
        pins[name] = value.flag(name) if kind.is_truth else value.integer(name)
    return CycleRule(fields["name"].text("name"), when, pins, node.path)
