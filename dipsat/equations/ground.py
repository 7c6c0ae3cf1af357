"""Grounding: from a profile's equation and a phase's facts to a ground term.

Quantifiers range over candidates. A candidate order counts only if its guard `issued` holds. When
the orders are known, the guard is the constant true and folds away; if it is any other term, the
same equation covers all order sets at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any as AnyObject

from dipsat.equations.chains import is_ring, links_of
from dipsat.equations.instances import Combination, is_single, number_of, parts_of
from dipsat.equations.phase import Phase
from dipsat.language import syntax
from dipsat.language.closed import Scope, scope_of, thing
from dipsat.language.syntax import Expression
from dipsat.profiles.profile import Decision, Profile
from dipsat.terms.fold import interval
from dipsat.terms.term import (
    Key,
    Term,
    Unknown,
    all_of,
    any_of,
    greater,
    if_else,
    negation,
    reach,
    sum_of,
    unequal,
)


def all_decisions(families: Mapping[str, Decision], phase: Phase) -> list[Key]:
    """Every decision of a phase, by family in the order given."""
    return [
        (name, index)
        for name, decision in families.items()
        for index in range(len(phase.objects(decision.indices)))
    ]


class Grounder:
    """Grounds the equations of a phase.

    `bounds` gives what is known about each decision, as an interval: a decided one becomes a
    constant, and comparisons that the bounds settle are folded. With None, nothing is known.
    `check` is called at every equation and quantifier, and may raise an error to stop.
    """

    def __init__(
        self,
        profile: Profile,
        phase: Phase,
        bounds: Callable[[Key], tuple[int, int]] | None = None,
        check: Callable[[], None] | None = None,
    ) -> None:
        self.profile = profile
        self.phase = phase
        self.bounds = bounds
        self.check = check
        self._is_single: dict[str, bool] = {}  # by family, as the next
        self._names: dict[str, tuple[str, ...]] = {}
        self._objects: dict[str, Sequence[AnyObject]] = {}

    def equation(self, key: Key) -> Term:
        """The right-hand side of a decision's equation."""
        if self.check is not None:
            self.check()
        decision, about = self.profile.decisions[key[0]], self.object(key)
        return self.term(decision.equation, self.scope_of(decision, about))

    def conditions(self, key: Key) -> tuple[tuple[str, Term], ...]:
        """The named conditions of a decision's equation."""
        decision = self.profile.decisions[key[0]]
        scope = self.scope(key)
        return tuple((code, self.term(part, scope)) for code, part in decision.conditions)

    def result(self, name: str, *objects: AnyObject) -> Term:
        """A result of the profile, such as `contested`, for the given objects."""
        result = self.profile.results[name]
        return self.term(result.expression, scope_of(result.indices, objects))

    def object(self, key: Key) -> AnyObject:
        """The object that a decision is about, a `Combination` if its family has several
        indices."""
        family, number = key
        found = self._objects.get(family)
        if found is None:
            found = self.phase.objects(self.profile.decisions[family].indices)
            self._objects[family] = found
        return found[number]

    def scope(self, key: Key) -> Scope:
        """The objects that the indices of a decision's equation stand for."""
        return self.scope_of(self.profile.decisions[key[0]], self.object(key))

    @staticmethod
    def scope_of(decision: Decision, about: AnyObject) -> Scope:
        """The objects that a family's indices stand for in the decision about this object."""
        indices = decision.indices
        if len(indices) == 1 and not isinstance(about, Combination):
            return {indices[0].name: about}
        return scope_of(indices, parts_of(about))

    def key(self, node: syntax.DecisionCall, scope: Scope) -> Key:
        """The decision that a call stands for."""
        name, arguments = node.name, node.arguments
        single = self._is_single.get(name)
        if single is None:
            single = self._is_single[name] = is_single(self.profile.decisions[name].indices)
        if single:
            return name, thing(arguments[0], scope, self.phase).index
        objects = [thing(argument, scope, self.phase) for argument in arguments]
        return name, number_of(self.profile.decisions[name].indices, objects, self.phase.domain)

    def name(self, key: Key) -> str:
        """A decision in words, such as `move(A LON - BEL)`; no two decisions of a phase have the
        same. The name of a family has no parenthesis, and `Phase.names` tells its decisions
        apart."""
        family, number = key
        names = self._names.get(family)
        if names is None:
            indices = self.profile.decisions[family].indices
            own = [family + name for name in self.phase.names(indices)]
            names = self._names[family] = tuple(own)
        return names[number]

    def term(self, node: Expression, scope: Scope) -> Term:
        """The ground term of a truth value or number, with `scope` as the values of variables."""
        return READINGS[type(node)](self, node, scope)

    def _constant(self, node: syntax.Constant, scope: Scope) -> Term:
        assert isinstance(node.value, int)
        return node.value

    def _not(self, node: syntax.Not, scope: Scope) -> Term:
        return negation(self.term(node.part, scope))

    def _junction(self, node: syntax.Junction, scope: Scope) -> Term:
        ends = node.op == "or"
        left: list[Term] = []
        for part in node.parts:
            found = self.term(part, scope)
            if found is ends:
                return ends
            if type(found) is not bool:
                left.append(found)
        if len(left) > 1:
            return any_of(left) if ends else all_of(left)
        return left[0] if left else not ends

    def _arithmetic(self, node: syntax.Arithmetic, scope: Scope) -> Term:
        left, right = self.term(node.left, scope), self.term(node.right, scope)
        return sum_of([left, right]) if node.op == "+" else sum_of([left], [right])

    def _predicate(self, node: syntax.Predicate, scope: Scope) -> Term:
        if node.op == "ring":
            return is_ring([one for part in node.domains for one in thing(part, scope, self.phase)])
        guards: list[Term] = []
        for part in node.domains:
            for member in thing(part, scope, self.phase):
                issued: Term = getattr(member, "issued", True)
                if issued is True:
                    return True
                guards.append(issued)
        return any_of(guards) if guards else False

    def thing(self, node: Expression, scope: Scope) -> AnyObject:
        """The value of an expression that is not a truth value or number: an object, a set, a
        power, a text; or of a fact that needs no unknown."""
        return thing(node, scope, self.phase)

    def _choice(self, node: syntax.Choice, scope: Scope) -> Term:
        condition = self.term(node.condition, scope)
        if isinstance(condition, bool):
            return self.term(node.then if condition else node.otherwise, scope)
        then, otherwise = self.term(node.then, scope), self.term(node.otherwise, scope)
        return if_else(condition, then, otherwise)

    def _decision(self, node: syntax.DecisionCall, scope: Scope) -> Term:
        key = self.key(node, scope)
        is_truth = node.type.is_truth
        if self.bounds is not None:
            low, high = self.bounds(key)
            if low == high:
                return bool(low) if is_truth else low
        return Unknown(key, is_truth)

    def _compare(self, node: syntax.Compare, scope: Scope) -> Term:
        if not node.left.type.is_number:
            # A fact that is open, such as the power of a unit that is, compares to a term.
            same: Term = thing(node.left, scope, self.phase) == thing(node.right, scope, self.phase)
            return same if node.op == "==" else negation(same)
        left, right = self.term(node.left, scope), self.term(node.right, scope)
        match node.op:
            case ">":
                term = greater(left, right)
            case "<":
                term = greater(right, left)
            case ">=":
                term = negation(greater(right, left))
            case "<=":
                term = negation(greater(left, right))
            case _:
                term = unequal(left, right)
                term = negation(term) if node.op == "==" else term
        if self.bounds is not None and not isinstance(term, bool):
            low, high = interval(term, self.bounds)
            if low == high:
                return bool(low)
        return term

    def _members(
        self, node: syntax.Quantifier | syntax.Chain, scope: Scope
    ) -> list[tuple[AnyObject, Term, Term]]:
        """(object, condition, body) of each member that can be issued and meet the condition."""
        if self.check is not None:
            self.check()
        found = []
        for member in thing(node.domain, scope, self.phase):
            inner = {**scope, node.variable.name: member}
            condition: Term = getattr(member, "issued", True)
            if node.condition is not None:
                chosen = self.term(node.condition, inner)
                condition = chosen if condition is True else all_of([condition, chosen])
            if condition is not False:
                found.append((member, condition, self.term(node.body, inner)))
        return found

    def _quantifier(self, node: syntax.Quantifier, scope: Scope) -> Term:
        members = self._members(node, scope)
        if node.op == "all":
            return all_of(
                body if c is True else any_of([negation(c), body]) for _, c, body in members
            )
        if node.op == "any":
            return any_of(body if c is True else all_of([c, body]) for _, c, body in members)
        return sum_of(if_else(c, body, 0) for _, c, body in members)

    def _chain(self, node: syntax.Chain, scope: Scope) -> Term:
        start, end = thing(node.start, scope, self.phase), thing(node.end, scope, self.phase)
        members = self._members(node, scope)
        conditions = [all_of([condition, body]) for _, condition, body in members]
        if self.phase._routes is not None:
            return self.phase._routes(start, end, [member for member, _, _ in members], conditions)
        links = links_of(self.phase.map.water, start, end, [member for member, _, _ in members])
        return reach(conditions, links.starts, links.ends, links.near)


READINGS: Mapping[type, Callable[[Grounder, AnyObject, Scope], Term]] = {
    syntax.Constant: Grounder._constant,
    syntax.Fact: Grounder.thing,
    syntax.Related: Grounder.thing,
    syntax.Feature: Grounder.thing,
    syntax.DecisionCall: Grounder._decision,
    syntax.Not: Grounder._not,
    syntax.Junction: Grounder._junction,
    syntax.Compare: Grounder._compare,
    syntax.Arithmetic: Grounder._arithmetic,
    syntax.Choice: Grounder._choice,
    syntax.Predicate: Grounder._predicate,
    syntax.Quantifier: Grounder._quantifier,
    syntax.Chain: Grounder._chain,
}
"""How each kind of node is grounded. A look-up table, because the published algorithms spend most
of their time grounding."""
