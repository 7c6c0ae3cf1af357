"""How two rule profiles differ: settings, terms, decisions, results, cycle rules and reasons.

Equations are compared by their meaning (`normal_form`), not by their text.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

from dipsat.base import Plain, kept_on_first, plain
from dipsat.rules import syntax
from dipsat.rules.closed_values import Formula
from dipsat.rules.layers import DECLARATIONS
from dipsat.rules.profile import CycleRule, Decision, Profile
from dipsat.rules.profile_document import Entry, ProfileDocument
from dipsat.rules.syntax import CYCLE, Expression, Variable

# --- normal ---------------------------------------------------------------------------------------

# Bound variables lose their names, negations move inwards, `and`, `or`, `+` and comparisons lose
# their order, and constants are folded. Expressions with equal normal forms mean the same on every
# board. In rare cases, expressions with different normal forms do, too.


Normal: TypeAlias = tuple[Any, ...]
"""A normal form: nested tuples that can be compared and hashed."""


@dataclass(frozen=True, slots=True)
class _Levels:
    """The levels of the variables, and the forms of the choices found so far, by identity and by
    whether they are negated. A choice needs both forms of its condition, which would double the
    work with each level of choices."""

    of: Mapping[str, int]
    choices: dict[tuple[int, bool], Normal]

    def within(self, variable: Variable) -> _Levels:
        """The levels of variables inside a quantifier."""
        return _Levels({**self.of, variable.name: len(self.of)}, self.choices)


_TRUE, _FALSE = ("bool", True), ("bool", False)
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_OTHER = {"and": "or", "or": "and", "all": "any", "any": "all"}


def normal_form(expression: Expression, indices: tuple[Variable, ...] = ()) -> Normal:
    """The normal form of an expression over `indices`, of which only places and types count."""
    levels = _Levels({index.name: at for at, index in enumerate(indices)}, {})
    return (tuple(str(index.type) for index in indices), _normal_form(expression, levels))


def is_true(form: Normal) -> bool:
    """Whether a normal form is always true."""
    return bool(form[1] == _TRUE)


def _normal_form(node: Expression, levels: _Levels, negated: bool = False) -> Normal:
    match node:
        case syntax.Constant(value=bool(value)):
            return ("bool", value is not negated)
        case syntax.Constant(value=value):
            return (type(value).__name__, value)
        case Variable(name=name):
            return ("variable", levels.of[name])
        case syntax.Not(part=part):
            return _normal_form(part, levels, not negated)
        case syntax.Junction():
            op = _OTHER[node.op] if negated else node.op
            return _join(op, [_normal_form(part, levels, negated) for part in node.parts])
        case syntax.Compare():
            return _compare(node, levels, negated)
        case syntax.Arithmetic():
            return _sum(node, levels)
        case syntax.Choice():
            place = id(node), negated
            if place not in levels.choices:
                levels.choices[place] = _choice(node, levels, negated)
            return levels.choices[place]
        case syntax.Quantifier():
            return _quantifier(node, levels, negated)
    found = _parts(node, levels)
    return ("not", found) if negated else found


def _parts(node: Any, levels: _Levels) -> Normal:
    """The form of a node to which no special laws apply. Its parts, except the domain and the ends
    of a chain, may use its bound variable."""
    variable = getattr(node, "variable", None)
    inner = levels if variable is None else levels.within(variable)
    found: list[Any] = [type(node).__name__]
    for field in fields(node):
        value = getattr(node, field.name)
        if field.name in ("type", "variable"):
            continue
        if isinstance(value, Expression):
            found.append(
                _normal_form(value, levels if field.name in ("domain", "start", "end") else inner)
            )
        elif isinstance(value, tuple):
            forms = (
                _normal_form(part, inner) if isinstance(part, Expression) else part
                for part in value
            )
            found.append(tuple(forms))
        else:
            found.append(value)
    return tuple(found)


def _join(op: str, parts: list[Normal]) -> Normal:
    unit, zero = (_TRUE, _FALSE) if op == "and" else (_FALSE, _TRUE)
    flat = [inner for part in parts for inner in (part[1:] if part[0] == op else (part,))]
    kept = sorted({part for part in flat if part != unit}, key=repr)
    if zero in kept:
        return zero
    if len(kept) < 2:
        return kept[0] if kept else unit
    return (op, *kept)


def _compare(node: syntax.Compare, levels: _Levels, negated: bool) -> Normal:
    op = _OPPOSITE[node.op] if negated else node.op
    left, right = _normal_form(node.left, levels), _normal_form(node.right, levels)
    if op in (">", ">="):
        op, left, right = {">": "<", ">=": "<="}[op], right, left
    if op in ("==", "!="):
        left, right = sorted((left, right), key=repr)
    if left[0] == right[0] and left[0] in ("int", "str"):
        sides = left[1], right[1]
        holds = {"==": sides[0] == sides[1], "!=": sides[0] != sides[1]}
        if left[0] == "int":
            holds |= {"<": sides[0] < sides[1], "<=": sides[0] <= sides[1]}
        return ("bool", holds[op])
    return (op, left, right)


def _sum(node: Expression, levels: _Levels) -> Normal:
    """The signed addends, with constants added up; a lone constant or addend without a sum."""
    constant = 0
    addends: list[tuple[int, Normal]] = []
    waiting: list[tuple[int, Expression]] = [(1, node)]
    while waiting:
        sign, part = waiting.pop()
        if isinstance(part, syntax.Arithmetic):
            waiting += [(sign, part.left), (sign if part.op == "+" else -sign, part.right)]
        elif isinstance(part, syntax.Constant):
            constant += sign * int(part.value)
        else:
            addends.append((sign, _normal_form(part, levels)))
    kept = tuple(sorted(addends, key=repr))
    if not kept:
        return ("int", constant)
    if constant == 0 and len(kept) == 1 and kept[0][0] == 1:
        return kept[0][1]
    return ("sum of", constant, kept)


def _choice(node: syntax.Choice, levels: _Levels, negated: bool) -> Normal:
    condition = _normal_form(node.condition, levels)
    then, otherwise = (_normal_form(part, levels, negated) for part in (node.then, node.otherwise))
    if condition == _TRUE or then == otherwise:
        return then
    if condition == _FALSE:
        return otherwise
    other = ("if", _normal_form(node.condition, levels, True), otherwise, then)
    return min(("if", condition, then, otherwise), other, key=repr)


def _quantifier(node: syntax.Quantifier, levels: _Levels, negated: bool) -> Normal:
    inner = levels.within(node.variable)
    domain = _normal_form(node.domain, levels)
    if node.op == "sum":
        condition = _TRUE if node.condition is None else _normal_form(node.condition, inner)
        body = _normal_form(node.body, inner)
        empty = condition == _FALSE or body in (_FALSE, ("int", 0))
        return ("int", 0) if empty else ("sum", domain, condition, body)
    op = _OTHER[node.op] if negated else node.op
    parts = [_normal_form(node.body, inner, negated)]
    if node.condition is not None:
        parts.append(_normal_form(node.condition, inner, op == "all"))
    body = _join("or" if op == "all" else "and", parts)
    if body == (_TRUE if op == "all" else _FALSE):
        return body
    return (op, domain, body)


# --- difference -----------------------------------------------------------------------------------


_USED = ("relations", "domains", "define")  # sections whose words equations use
_EQUATIONS = ("legal", "decisions", "results")


@dataclass(frozen=True, slots=True)
class Side(Plain):
    """A statement of one profile, and the file that contains it."""

    text: str
    file: str


@dataclass(frozen=True, slots=True)
class Change(Plain):
    """One entry that differs.

    `section` is the section of the rule file, `name` the entry as written there (`move(m)`). The
    side of a profile without the entry is None. If the entry itself is the same in both, `through`
    names the terms that cause the difference.
    """

    section: str
    name: str
    before: Side | None
    after: Side | None
    through: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RulesDifference:
    """All differences between two profiles, by section; none if both mean the same."""

    first: str
    second: str
    changes: tuple[Change, ...]

    def to_dict(self) -> dict[str, Any]:
        """The differences as plain values, as `dipsat rules diff --json` prints them."""
        sides, changes = [self.first, self.second], plain(self.changes)
        return {"profiles": sides, "differs": bool(changes), "changes": changes}


@kept_on_first(4)  # searches ask again for each region of a board
def difference(first: Profile, second: Profile) -> RulesDifference:
    """Find the differences between two profiles. Names and titles do not count."""
    return RulesDifference(first.name, second.name, tuple(_Comparison(first, second).changes()))


def equation_forms(profile: Profile) -> dict[tuple[str, str], object]:
    """A profile's statements about each decision, cycle rule and single order: (section, name) -> a
    value that is equal for two profiles only if both say the same."""
    found: dict[tuple[str, str], object] = {}
    found |= {("decisions", name): _form(one) for name, one in profile.decisions.items()}
    found |= {("cycles", rule.name): _cycle(rule) for rule in profile.cycles}
    return found | {("legal", name): _form(one) for name, one in profile.legal.items()}


def result_forms(profile: Profile, names: Collection[str]) -> dict[tuple[str, str], object]:
    """Like `equation_forms`, for the results with these names."""
    found = profile.results.items()
    return {("results", name): _form(one) for name, one in found if name in names}


class _Comparison:
    def __init__(self, first: Profile, second: Profile) -> None:
        self.profiles = first, second
        self.documents = ProfileDocument(first), ProfileDocument(second)

    def changes(self) -> Iterator[Change]:
        before, after = (
            Side(profile.map, profile.path) if profile.map else None for profile in self.profiles
        )
        if (before and before.text) != (after and after.text):
            yield Change("map", "map", before, after)
        found: list[Change] = []
        for section in ("settings", *DECLARATIONS, "define"):
            found += self._section(section)
        yield from found
        used = (change for change in found if change.section in _USED)
        changed = {change.name.partition("(")[0].strip() for change in used}
        for section in (*_EQUATIONS, "cycles"):
            yield from self._section(section, changed)
        yield from self._order_of_cycles()
        yield from self._section("reasons")

    def _section(self, section: str, changed: Collection[str] = ()) -> Iterator[Change]:
        """The entries that differ. If an equation is written alike on both sides, the change names
        the terms, relations and domains among those `changed` that cause the difference."""
        before, after = (document.sections[section] for document in self.documents)
        for name in {**before, **after}:
            old, new = before.get(name), after.get(name)
            if old is not None and new is not None and self._say_the_same(section, old, new):
                continue
            through: Collection[str] = ()
            if old and new and section in _EQUATIONS and _entry_tree(old) == _entry_tree(new):
                through = sorted(self._terms_of(old, changed))
            first, then = (Side(one.plain, one.file) if one else None for one in (old, new))
            yield Change(section, (new or before[name]).heading, first, then, tuple(through))

    def _say_the_same(self, section: str, old: Entry, new: Entry) -> bool:
        """Whether two entries with the same name mean the same. Equations from files that both
        profiles have are mostly one object; these are recognised without normal forms."""
        if section in _EQUATIONS:
            one, other = (getattr(profile, section)[old.name] for profile in self.profiles)
            return bool(one == other or _form(one) == _form(other))
        if section == "cycles":
            first, second = (
                next(rule for rule in profile.cycles if rule.name == old.name)
                for profile in self.profiles
            )
            return _cycle(first) == _cycle(second)
        if (old.heading, old.text) == (new.heading, new.text):
            return True
        if section == "define":
            return _entry_tree(old) == _entry_tree(new)
        return old.plain.split() == new.plain.split()

    def _terms_of(self, entry: Entry, changed: Collection[str]) -> set[str]:
        """The changed terms, relations and domains that an entry uses, directly or indirectly."""
        found: set[str] = set()
        waiting = [entry.plain]
        while waiting:
            for name in set(re.findall(r"[A-Za-z_]\w*", waiting.pop())) - found:
                for profile, document in zip(self.profiles, self.documents, strict=True):
                    if name in document.sections["define"]:
                        found.add(name)
                        waiting.append(document.sections["define"][name].plain)
                    elif name in profile.declared.relations:
                        found.add(name)
                        indices = profile.declared.relations[name].indices
                        waiting += [index.type.name for index in indices]
                    elif name in profile.declared.domains:
                        found.add(name)
        return found & set(changed)

    def _order_of_cycles(self) -> Iterator[Change]:
        """The change in the order of cycle rules, if the profiles try them in different orders."""
        sides = [[rule.name for rule in profile.cycles] for profile in self.profiles]
        both = {*sides[0]} & {*sides[1]}
        common = [[name for name in side if name in both] for side in sides]
        if common[0] != common[1]:
            rules = ([*document.sections["cycles"].values()] for document in self.documents)
            before, after = (Side(", ".join(one.name for one in own), own[0].file) for own in rules)
            yield Change("cycles", "the order of the rules", before, after)


def _form(equation: Decision | Formula) -> object:
    """The meaning of an equation. For a decision these are its conditions, in order, without those
    that always hold."""
    if not isinstance(equation, Decision):
        return normal_form(equation.expression, equation.indices)
    forms = [(code, normal_form(part, equation.indices)) for code, part in equation.conditions]
    return equation.type, [(code, form) for code, form in forms if not is_true(form)]


def _cycle(rule: CycleRule) -> object:
    pins, along = (
        {name: (type(value), value) for name, value in values.items()}
        for values in (rule.pins, rule.along)
    )
    cycle = Variable("cycle", CYCLE)
    where = {
        name: normal_form(condition, (*indices, cycle))
        for name, (indices, condition) in rule.where.items()
    }
    choose = None if rule.choose is None else normal_form(rule.choose, (cycle,))
    return normal_form(rule.when, (cycle,)), pins, where, choose, rule.together, along


def _entry_tree(entry: Entry) -> object:
    """The text of an equation without spacing, comments and the names of its variables."""
    indices = [name.strip() for name in entry.heading.partition("(")[2].rstrip(") ").split(",")]
    texts = {"": entry.text} if isinstance(entry.text, str) else entry.text
    return [(code, _tree(text, indices)) for code, text in texts.items()]


def _tree(text: str, indices: list[str]) -> str:
    try:
        tree = ast.parse(f"({text}\n)", mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return text
    names = {index: f"#{at}" for at, index in enumerate(indices)}
    return ast.dump(_Renamed(names).visit(tree))


class _Renamed(ast.NodeTransformer):
    """Replaces the names of variables by numbers."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = dict(names)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        target = node.generators[0].target
        if not isinstance(target, ast.Name):
            return node
        inner = _Renamed({**self.names, target.id: f"#{len(self.names)}"})
        return inner.generic_visit(node)
