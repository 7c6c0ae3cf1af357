"""Grounding in which parts that say the same about the same objects become one term.

`supports_given(m)` is in three equations about a move, and with open orders it is as long as the
candidates are many. Terms that are one object are also read once (`dipsat.terms.rails`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any as AnyObject

from dipsat.equations.counted import CountedGrounder, CountedReadings
from dipsat.equations.ground import Read, ReadMember
from dipsat.equations.phase import Phase
from dipsat.language import syntax
from dipsat.language.closed import Scope
from dipsat.language.sharing import SharedParts
from dipsat.language.syntax import Expression
from dipsat.profiles.profile import Profile
from dipsat.terms.term import Term


class SharedReadings(CountedReadings):
    """Readings that read what is the same once."""

    def __init__(self, profile: Profile) -> None:
        super().__init__(profile)
        self._shared = SharedParts(decision.equation for decision in profile.decisions.values())

    def around(self, node: Expression, read: Read) -> Read:
        """Read it unless the same has been read."""
        counting, part = super().around(node, read), self._shared.of.get(id(node))
        if part is None:
            return counting
        number, names = part

        def sharing(grounder: SharingGrounder, scope: Scope) -> Term:
            about = [scope[name] for name in names]
            key = (number, *map(id, about))
            return grounder.shared(key, lambda: counting(grounder, scope), about)

        return sharing

    def around_member(self, node: syntax.Quantifier, read: ReadMember) -> ReadMember:
        """The same, where it is about the member only."""
        number = self._shared.members.get(id(node))
        if number is None:
            return read

        def sharing(grounder: SharingGrounder, scope: Scope, member: AnyObject) -> Term:
            key = -1 - number, id(member)
            return grounder.shared(key, lambda: read(grounder, scope, member), member)

        return sharing


class SharingGrounder(CountedGrounder):
    """Grounds the equations of a profile. Steps are counted as if every part were grounded
    wherever it occurs."""

    reads_by = SharedReadings

    def __init__(
        self, profile: Profile, phase: Phase, spend: Callable[[int], None] = lambda _: None
    ) -> None:
        super().__init__(profile, phase, spend)
        # Identities are keys only of objects that are kept, with the term and its steps.
        self._terms: dict[tuple[int, ...], tuple[Term, int, AnyObject]] = {}

    def shared(self, key: tuple[int, ...], read: Callable[[], Term], about: AnyObject) -> Term:
        """What has been read for this key, which is made of the identities of the objects that it
        is `about`; else what `read` gives now."""
        known = self._terms.get(key)
        if known is not None:
            self.charge(known[1])
            return known[0]
        before = self.steps
        term = read()
        self._terms[key] = term, self.steps - before, about
        return term
