"""Grounding in which parts that say the same about the same objects become one term.

`supports_given(m)` is in three equations about a move, and with open orders it is as long as the
candidates are many. Terms that are one object are also read once (`dipsat.terms.rails`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any as AnyObject

from dipsat.equations.counted import CountedGrounder
from dipsat.equations.ground import READINGS
from dipsat.equations.phase import Phase
from dipsat.kept import kept_on_first
from dipsat.language import syntax
from dipsat.language.closed import Scope, thing
from dipsat.language.sharing import SharedParts
from dipsat.language.syntax import Expression
from dipsat.profiles.profile import Profile
from dipsat.terms.term import (
    Key,
    Term,
    Unknown,
    all_of,
    any_of,
    if_else,
    negation,
    sum_of,
)


class SharingGrounder(CountedGrounder):
    """Grounds the equations of a profile. Steps are counted as if every part were grounded
    wherever it occurs."""

    def __init__(
        self, profile: Profile, phase: Phase, spend: Callable[[int], None] = lambda _: None
    ) -> None:
        super().__init__(profile, phase, spend)
        shared = _shared_parts(profile)
        self._parts, self._members_of = shared.of, shared.members
        # Identities are keys only of objects that are kept, with the term and its steps.
        self._terms: dict[tuple[int, ...], tuple[Term, int, AnyObject]] = {}
        self._unknowns: dict[Key, Unknown] = {}
        self._negations: dict[int, tuple[Term, Term]] = {}

    def term(self, node: Expression, scope: Scope) -> Term:
        """The ground term of a truth value or number, with `scope` as the values of variables."""
        part = self._parts.get(id(node))
        if part is None:
            self._left -= 1
            if self._left <= 0:
                self._count()
            return _READINGS[type(node)](self, node, scope)
        number, names = part
        if len(names) == 1:  # as most parts
            about = scope[names[0]]
            key: tuple[int, ...] = (number, id(about))
        else:
            about = [scope[name] for name in names]
            key = (number, *map(id, about))
        known = self._terms.get(key)
        if known is not None:
            self.charge(known[1])
            return known[0]
        before = self.steps
        self._left -= 1
        if self._left <= 0:
            self._count()
        term = _READINGS[type(node)](self, node, scope)
        self._terms[key] = term, self.steps - before, about
        return term

    def _quantified(self, node: syntax.Quantifier, scope: Scope) -> Term:
        number = self._members_of.get(id(node))
        found: list[Term] = []
        terms, variable = self._terms, node.variable.name
        for member in thing(node.domain, scope, self.phase):
            if number is None:
                found.append(self._member(node, member, {**scope, variable: member}))
                continue
            key = -1 - number, id(member)
            known = terms.get(key)
            if known is None:
                before = self.steps
                term = self._member(node, member, {variable: member})
                known = terms[key] = term, self.steps - before, member
            else:
                self.charge(known[1])
            found.append(known[0])
        return _JOINS[node.op](found)

    def _unknown(self, node: syntax.DecisionCall, scope: Scope) -> Term:
        key = self.key(node, scope)
        found = self._unknowns.get(key)
        if found is None:
            found = self._unknowns[key] = Unknown(key, node.type.is_truth)
        return found

    def _unless(self, condition: Term) -> Term:
        """The negation of a condition, which many quantifiers have."""
        known = self._negations.get(id(condition))
        if known is None:
            known = self._negations[id(condition)] = negation(condition), condition
        return known[0]

    def _member(self, node: syntax.Quantifier, member: AnyObject, scope: Scope) -> Term:
        """What a quantifier says about one member; the term that changes nothing if the member
        cannot be issued or does not meet the condition."""
        condition: Term = getattr(member, "issued", True)
        if node.condition is not None:
            chosen = self.term(node.condition, scope)
            condition = condition if chosen is True else all_of([condition, chosen])
        if condition is False:
            return _NOTHING[node.op]
        body = self.term(node.body, scope)
        if condition is True:
            return body
        if node.op == "all":
            return any_of([self._unless(condition), body])
        return all_of([condition, body]) if node.op == "any" else if_else(condition, body, 0)


@kept_on_first()
def _shared_parts(profile: Profile) -> SharedParts:
    return SharedParts(decision.equation for decision in profile.decisions.values())


_JOINS: Mapping[str, Callable[[list[Term]], Term]] = {"all": all_of, "any": any_of, "sum": sum_of}
_NOTHING: Mapping[str, Term] = {"all": True, "any": False, "sum": 0}
_READINGS: Mapping[type, Callable[[SharingGrounder, AnyObject, Scope], Term]] = {
    **READINGS,
    syntax.DecisionCall: SharingGrounder._unknown,
    syntax.Quantifier: SharingGrounder._quantified,
}
