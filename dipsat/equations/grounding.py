"""Grounding: from a profile's equation and a phase's facts to a ground term.

Quantifiers range over candidates. A candidate order counts only if its guard `issued` holds. If the
orders are known, the guard is the constant true and folds away. If it is any other term, the same
equation covers all order sets at once.

A step is the evaluation of one part of an expression. Steps are counted so that rules that would
never end are refused, and the same rules on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from dipsat.base import check_time, kept_on_first
from dipsat.equations.chains import is_ring, links_of
from dipsat.equations.folding import fold, intervals
from dipsat.equations.phase import Phase, is_single, number_of
from dipsat.equations.reachability import reach
from dipsat.equations.shared_parts import SharedParts
from dipsat.equations.term import (
    Key,
    Ranges,
    Term,
    Unknown,
    all_of,
    any_of,
    both,
    greater,
    if_else,
    negation,
    sum_of,
    unequal,
)
from dipsat.errors import WorkLimitError
from dipsat.rules import Decision, Expression, Profile, Scope, scope_of, syntax, thing


def all_decisions(families: Mapping[str, Decision], phase: Phase) -> list[Key]:
    """Every decision of a phase, family by family in the given order."""
    return [
        (name, index)
        for name, decision in families.items()
        for index in range(len(phase.objects(decision.indices)))
    ]


MAX_STEPS = 2_000_000
"""The steps allowed for all equations of a phase. A full board takes 26,000 on the biggest map
under the standard rules, and 36,000 on the standard map under the costliest shipped rules."""

MAX_OPEN_STEPS = 100_000_000
"""The steps allowed for all equations of a phase with open orders. With all orders open, a full
board takes 8,300,000 on the biggest map, and 35,000,000 on the standard map under the shipped rules
with the longest equations."""

_AT_ONCE = 1000  # steps between two looks at the clock
_MOST_READINGS = 20_000  # of the parts of a profile, and of the conditions that searches ask about

Look: TypeAlias = Callable[[Any, Scope], Any]
"""The object that an expression stands for, given a grounder and the values of its variables."""
Read: TypeAlias = Callable[[Any, Scope], Term]
"""The same for a truth value or number, as a term."""


class Readings:
    """How grounders read the expressions of a profile. Each node becomes a function once, because
    inspecting the node each time would double the time of reading it. With `shared`, parts that say
    the same about the same objects are read once and become one term."""

    def __init__(self, profile: Profile, shared: bool) -> None:
        self.profile = profile
        equations = (decision.equation for decision in profile.decisions.values())
        self._shared = SharedParts(equations) if shared else None
        # The nodes are kept, so that their identities stay valid as keys.
        self._known: dict[int, tuple[Read, Expression]] = {}
        self._whole: dict[int, tuple[Read, int]] = {}
        self._keys: dict[int, tuple[Callable[[Any, Scope], Key], Expression]] = {}
        self._levels: dict[int, int] = {}

    def whole(self, node: Expression) -> tuple[Read, int]:
        """The reading as from `of`, and the steps that it takes outside quantifiers."""
        found = self._whole.get(id(node))
        if found is None:
            found = self._whole[id(node)] = self.of(node), _parts(node)
        return found

    def levels(self, node: Expression) -> int:
        """The levels of nesting of an expression."""
        found = self._levels.get(id(node))
        if found is None:
            found = self._levels[id(node)] = 1 + max(
                map(self.levels, syntax.children(node)), default=0
            )
        return found

    def of(self, node: Expression) -> Read:
        """The reading of a truth value or number as a term."""
        found = self._known.get(id(node))
        if found is None:
            if len(self._known) >= _MOST_READINGS:
                self._known.clear()
                self._whole.clear()
                self._keys.clear()
                self._levels.clear()
            read = self._sharing(node, _READINGS[type(node)](self, node))
            found = self._known[id(node)] = read, node
        return found[0]

    def _sharing(self, node: Expression, read: Read) -> Read:
        part = None if self._shared is None else self._shared.of.get(id(node))
        if part is None:
            return read
        number, names = part

        def sharing(grounder: Grounder, scope: Scope) -> Term:
            about = [scope[name] for name in names]
            key = (number, *map(id, about))
            return grounder.shared(key, lambda: read(grounder, scope), about)

        return sharing

    def key(self, node: syntax.DecisionCall) -> Callable[[Any, Scope], Key]:
        """The reading of a call as a decision."""
        found = self._keys.get(id(node))
        if found is None:
            found = self._keys[id(node)] = self._key(node), node
        return found[0]

    def _key(self, node: syntax.DecisionCall) -> Callable[[Any, Scope], Key]:
        name, indices = node.name, self.profile.decisions[node.name].indices
        things = [_thing(argument) for argument in node.arguments]
        if is_single(indices):
            (argument,), (one,) = node.arguments, things
            if isinstance(argument, syntax.Variable):  # the usual case
                variable = argument.name
                return lambda _, scope: (name, scope[variable].index)
            return lambda grounder, scope: (name, one(grounder, scope).index)

        def read(grounder: Grounder, scope: Scope) -> Key:
            objects = [argument(grounder, scope) for argument in things]
            return name, number_of(indices, objects, grounder.phase.domain)

        return read


@kept_on_first(4)
def _readings(profile: Profile, shared: bool) -> Readings:
    return Readings(profile, shared)


class _Family(NamedTuple):
    """How the equations of a family are read: the steps of each outside its quantifiers, its levels
    of nesting, the name of its only index ("" for several), its indices, and its objects."""

    read: Read
    steps: int
    levels: int
    variable: str
    indices: tuple[syntax.Variable, ...]
    objects: Sequence[Any]


class Grounder:
    """Grounds the equations of a phase.

    `bounds` gives what is known about each decision, as an interval. A decided one becomes a
    constant, and comparisons that the bounds settle are folded. With None, nothing is known.
    `spend` is called with the number of steps after every thousand, or later if a set takes more at
    once; it may raise an error to stop. The clock is checked then, too. More than `most` steps
    raise `WorkLimitError`. With `shared`, parts that say the same are one term; use it only for
    bounds that do not change.
    """

    def __init__(
        self,
        profile: Profile,
        phase: Phase,
        bounds: Ranges | None = None,
        spend: Callable[[int], None] | None = None,
        most: int = MAX_STEPS,
        shared: bool = False,
    ) -> None:
        self.profile = profile
        self.phase = phase
        self.know(bounds)
        self.entry = ""
        """The rules' entry that is being read: the name of a decision, result or kind."""
        self.left = _AT_ONCE
        self._spend, self._most, self._shares = spend, most, shared
        self._taken = 0
        self._names: dict[str, tuple[str, ...]] = {}  # by family, like the next
        self._families: dict[str, _Family] = {}
        self._unknowns: dict[Key, Unknown] = {}
        # Each value keeps the objects whose identities are the key, with the term and its steps.
        self._terms: dict[tuple[int, ...], tuple[Term, int, Any]] = {}
        self._readings = _readings(profile, shared)

    def __reduce__(self) -> tuple[Callable[..., Grounder], tuple[Any, ...]]:
        """A copy makes its own readings."""
        return Grounder, (
            self.profile, self.phase, self.bounds, self._spend, self._most, self._shares,
        )  # fmt: skip

    def know(self, bounds: Ranges | None) -> None:
        """Use these bounds as what is known from now on."""
        self.bounds = bounds
        self.intervals = None if bounds is None else intervals(bounds)

    @property
    def steps(self) -> int:
        """The steps taken so far."""
        return self._taken + _AT_ONCE - self.left

    def take(self, steps: int) -> None:
        """Count steps. Raises `WorkLimitError` if there are too many by now."""
        self.left -= steps
        if self.left <= 0:
            self.look()

    def look(self) -> None:
        """Spend the steps since the last call, and check the clock and the limit."""
        steps = _AT_ONCE - self.left
        self._taken += steps
        self.left = _AT_ONCE
        check_time()
        if self._spend is not None:
            self._spend(steps)
        if self._taken > self._most:
            raise WorkLimitError(self.profile.name, self.entry, self._taken, self._most)

    def shared(self, key: tuple[int, ...], read: Callable[[], Term], about: Any) -> Term:
        """The term read earlier for this key, or the result of `read`. The key is made of the
        identities of the objects in `about`. Its steps are counted at every use, because sums copy
        the parts of sums."""
        known = self._terms.get(key)
        if known is not None:
            self.take(known[1])
            return known[0]
        before = self.steps
        term = read()
        self._terms[key] = term, self.steps - before, about
        return term

    def equation(self, key: Key) -> Term:
        """The right-hand side of a decision's equation."""
        self.entry, number = key
        family = self._families.get(self.entry) or self._family(self.entry)
        read, steps, _, variable, indices, objects = family
        self.take(steps)
        about = objects[number]
        return read(self, {variable: about} if variable else scope_of(indices, about.parts))

    def levels(self, family: str) -> int:
        """The levels of nesting of a family's equation. Each takes a Python stack frame."""
        return (self._families.get(family) or self._family(family)).levels

    def _family(self, name: str) -> _Family:
        decision = self.profile.decisions[name]
        read, steps = self._readings.whole(decision.equation)
        levels = self._readings.levels(decision.equation)
        indices, objects = decision.indices, self.phase.objects(decision.indices)
        variable = indices[0].name if is_single(indices) else ""
        found = self._families[name] = _Family(read, steps, levels, variable, indices, objects)
        return found

    def result(self, name: str, *objects: Any) -> Term:
        """A result of the profile, such as `contested`, for the given objects."""
        result, self.entry = self.profile.results[name], name
        return self.term(result.expression, scope_of(result.indices, objects))

    def object(self, key: Key) -> Any:
        """The object that a decision is about; a `Combination` if its family has several
        indices."""
        name, number = key
        return (self._families.get(name) or self._family(name)).objects[number]

    def scope(self, key: Key) -> Scope:
        """The objects that the indices of a decision's equation stand for."""
        name, number = key
        family = self._families.get(name) or self._family(name)
        about, variable = family.objects[number], family.variable
        return {variable: about} if variable else scope_of(family.indices, about.parts)

    def key(self, node: syntax.DecisionCall, scope: Scope) -> Key:
        """The decision that a call stands for."""
        return self._readings.key(node)(self, scope)

    def unknown(self, key: Key, is_truth: bool) -> Term:
        """A decision as a term: its value if known."""
        if self.bounds is not None:
            low, high = self.bounds(key)
            if low == high:
                return bool(low) if is_truth else low
        found = self._unknowns.get(key)
        if found is None:
            found = self._unknowns[key] = Unknown(key, is_truth)
        return found

    def name(self, key: Key) -> str:
        """A decision in words, such as `move(A LON - BEL)`. It is unique in a phase: the name of a
        family has no parenthesis, and `Phase.names` tells its decisions apart."""
        family, number = key
        names = self._names.get(family)
        if names is None:
            indices = self.profile.decisions[family].indices
            own = [family + name for name in self.phase.names(indices)]
            names = self._names[family] = tuple(own)
        return names[number]

    def term(self, node: Expression, scope: Scope) -> Term:
        """The ground term of a truth value or number; `scope` holds the values of variables."""
        read, steps = self._readings.whole(node)
        self.take(steps)
        return read(self, scope)


def _thing(node: Expression) -> Look:
    """The reading of an expression that is not a term."""
    if isinstance(node, syntax.Variable):
        name = node.name
        return lambda _, scope: scope[name]
    if isinstance(node, syntax.Fact):
        fact = node.name
        if isinstance(node.of, syntax.Variable) and not node.declared:
            name = node.of.name
            return lambda _, scope: getattr(scope[name], fact)
        whose = _thing(node.of)
        if node.declared:
            return lambda grounder, scope: whose(grounder, scope).attribute(fact)
        return lambda grounder, scope: getattr(whose(grounder, scope), fact)
    return lambda grounder, scope: thing(node, scope, grounder.phase)


def _constant(readings: Readings, node: syntax.Constant) -> Read:
    value = node.value
    assert isinstance(value, int)
    return lambda *_: value


def _not(readings: Readings, node: syntax.Not) -> Read:
    part = readings.of(node.part)
    return lambda grounder, scope: negation(part(grounder, scope))


def _junction(readings: Readings, node: syntax.Junction) -> Read:
    ends, parts = node.op == "or", [readings.of(part) for part in node.parts]
    join = any_of if ends else all_of

    def read(grounder: Grounder, scope: Scope) -> Term:
        left: list[Term] = []
        for part in parts:
            found = part(grounder, scope)
            if found is ends:
                return ends
            if type(found) is not bool:
                left.append(found)
        return join(left) if left else not ends

    return read


def _arithmetic(readings: Readings, node: syntax.Arithmetic) -> Read:
    left, right = readings.of(node.left), readings.of(node.right)
    if node.op == "+":
        return lambda grounder, scope: sum_of((left(grounder, scope), right(grounder, scope)))
    return lambda grounder, scope: sum_of((left(grounder, scope),), (right(grounder, scope),))


def _predicate(readings: Readings, node: syntax.Predicate) -> Read:
    domains = [_thing(part) for part in node.domains]

    def ring(grounder: Grounder, scope: Scope) -> Term:
        return is_ring([one for part in domains for one in part(grounder, scope)])

    def some(grounder: Grounder, scope: Scope) -> Term:
        guards: list[Term] = []
        for part in domains:
            for member in part(grounder, scope):
                issued: Term = getattr(member, "issued", True)
                if issued is True:
                    return True
                guards.append(issued)
        return any_of(guards)

    return ring if node.op == "ring" else some


def _choice(readings: Readings, node: syntax.Choice) -> Read:
    condition = readings.of(node.condition)
    then, otherwise = readings.of(node.then), readings.of(node.otherwise)

    def read(grounder: Grounder, scope: Scope) -> Term:
        chosen = condition(grounder, scope)
        if chosen is True or chosen is False:
            return (then if chosen else otherwise)(grounder, scope)
        return if_else(chosen, then(grounder, scope), otherwise(grounder, scope))

    return read


def _decision(readings: Readings, node: syntax.DecisionCall) -> Read:
    key, is_truth = readings.key(node), node.type.is_truth
    return lambda grounder, scope: grounder.unknown(key(grounder, scope), is_truth)


def _compare(readings: Readings, node: syntax.Compare) -> Read:
    if not node.left.type.is_number:
        one, other, is_same = _thing(node.left), _thing(node.right), node.op == "=="

        def same(grounder: Grounder, scope: Scope) -> Term:
            # Comparing an open fact, such as the power of an open unit, gives a term.
            found: Term = one(grounder, scope) == other(grounder, scope)
            return found if is_same else negation(found)

        return same
    left, right = readings.of(node.left), readings.of(node.right)
    compare = _COMPARISONS[node.op]

    def read(grounder: Grounder, scope: Scope) -> Term:
        term = compare(left(grounder, scope), right(grounder, scope))
        if grounder.intervals is not None and not isinstance(term, bool):
            low, high = fold(term, grounder.intervals)
            if low == high:
                return bool(low)
        return term

    return read


_COMPARISONS: Mapping[str, Callable[[Term, Term], Term]] = {
    ">": greater,
    "<": lambda left, right: greater(right, left),
    ">=": lambda left, right: negation(greater(right, left)),
    "<=": lambda left, right: negation(greater(left, right)),
    "==": lambda left, right: negation(unequal(left, right)),
    "!=": unequal,
}


def _quantifier(readings: Readings, node: syntax.Quantifier) -> Read:
    domain, variable, steps = _thing(node.domain), node.variable.name, _parts_inside(node)
    condition, body = _condition(readings, node), readings.of(node.body)
    nothing, join, guarded = _NOTHING[node.op], _JOINS[node.op], _GUARDED[node.op]
    ends = None if node.op == "sum" else not nothing

    def read(grounder: Grounder, scope: Scope) -> Term:
        members = domain(grounder, scope)
        if not members:  # a common case
            return nothing
        grounder.take(steps * len(members))
        found: list[Term] = []
        inner = {**scope}
        for one in members:
            inner[variable] = one
            counts: Term = getattr(one, "issued", True)
            if condition is not None:
                counts = both(counts, condition(grounder, inner))
            if counts is False:
                continue
            term = body(grounder, inner)
            if counts is not True:
                term = guarded(counts, term)
            if term is ends:
                return term
            if term is not nothing:
                found.append(term)
        return join(found) if found else nothing

    return read


def _condition(readings: Readings, node: syntax.Quantifier | syntax.Chain) -> Read | None:
    return None if node.condition is None else readings.of(node.condition)


def _chain(readings: Readings, node: syntax.Chain) -> Read:
    first, last, domain = _thing(node.start), _thing(node.end), _thing(node.domain)
    condition, body = _condition(readings, node), readings.of(node.body)
    variable, steps = node.variable.name, _parts_inside(node)

    def read(grounder: Grounder, scope: Scope) -> Term:
        start, end, around = (one(grounder, scope) for one in (first, last, domain))
        grounder.take(steps * len(around))
        inner = {**scope}
        members: list[Any] = []
        terms: list[Term] = []
        for one in around:
            inner[variable] = one
            counts: Term = getattr(one, "issued", True)
            if condition is not None:
                counts = both(counts, condition(grounder, inner))
            if counts is not False:
                members.append(one)
                terms.append(both(counts, body(grounder, inner)))
        if grounder.phase._routes is not None:
            return grounder.phase._routes(start, end, members, terms)
        links = links_of(grounder.phase.map.water, start, end, members)
        return reach(terms, links.starts, links.ends, links.near)

    return read


def _parts(node: Expression) -> int:
    """The number of parts that are evaluated once with an expression. Parts inside a quantifier are
    evaluated for each member of its set."""
    if isinstance(node, syntax.Quantifier):
        return 1 + _parts(node.domain)
    if isinstance(node, syntax.Chain):
        return 1 + _parts(node.start) + _parts(node.end) + _parts(node.domain)
    return 1 + sum(map(_parts, syntax.children(node)))


def _parts_inside(node: syntax.Quantifier | syntax.Chain) -> int:
    """The number of parts that are evaluated for each member of a quantifier's set."""
    return _parts(node.body) + (0 if node.condition is None else _parts(node.condition))


_JOINS: Mapping[str, Callable[[list[Term]], Term]] = {"all": all_of, "any": any_of, "sum": sum_of}
_NOTHING: Mapping[str, Term] = {"all": True, "any": False, "sum": 0}
_GUARDED: Mapping[str, Callable[[Term, Term], Term]] = {
    "all": lambda guard, term: any_of([negation(guard), term]),
    "any": lambda guard, term: all_of([guard, term]),
    "sum": lambda guard, term: if_else(guard, term, 0),
}
"""What a member that counts under a condition contributes to a quantifier."""
_READINGS: Mapping[type, Callable[[Readings, Any], Read]] = {
    syntax.Constant: _constant,
    syntax.Fact: lambda _, node: _thing(node),
    syntax.Related: lambda _, node: _thing(node),
    syntax.Feature: lambda _, node: _thing(node),
    syntax.DecisionCall: _decision,
    syntax.Not: _not,
    syntax.Junction: _junction,
    syntax.Compare: _compare,
    syntax.Arithmetic: _arithmetic,
    syntax.Choice: _choice,
    syntax.Predicate: _predicate,
    syntax.Quantifier: _quantifier,
    syntax.Chain: _chain,
}
