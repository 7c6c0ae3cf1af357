"""Checked terms, kept for other profiles: those share most of their entries, and to see that a term
says the same there takes a fraction of the time of checking it again.

A term says the same where its text, its indices and what `base` means in it are the same, and
whatever it refers to: the terms that it expands, the indices and types of the decisions that it
calls, and the words that the profile declares.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from dipsat.errors import DocumentError
from dipsat.kept import KeptByKey
from dipsat.language.syntax import Expression, Variable
from dipsat.language.types import Type
from dipsat.profiles.declared import Declared
from dipsat.profiles.known import Consequence, Definition, Names

_MOST_TERMS = 512  # all shipped rules have 200
_MOST_FORMS = 20  # of one term: variants declare other words, so that it refers to others
_MOST_PARTS = 300  # of a term that is kept; no shipped one has more
_MOST_DECLARED = 16

DecisionType: TypeAlias = Callable[[str], Type]
"""Finds the type of a decision. Raises `ProfileError` or `Consequence`."""
Check: TypeAlias = Callable[[Definition, tuple[Variable, ...]], tuple[Expression, int]]
"""Checks a term whose indices stand for variables; gives the number of its parts, too."""


@dataclass(frozen=True, slots=True)
class _Use:
    """What a name stood for: a term that was expanded, else a decision of this type."""

    name: str
    term: Definition | None
    indices: tuple[Variable, ...]
    type: Type | None

    def holds(self, names: Names) -> bool:
        """Whether the name stands for the same among `names`. The type of a decision is not
        compared."""
        term = names.defines.get(self.name)
        if self.term is not None or term is not None:
            return _is_same(self.term, term)
        decision = names.decisions.get(self.name)
        return decision is not None and decision.indices == self.indices


@dataclass(frozen=True, slots=True)
class _Form:
    """A checked term, and what it was checked against. It has so many parts."""

    term: Definition
    declared: Declared
    uses: tuple[_Use, ...]
    expression: Expression
    parts: int


class KeptTerms:
    """The kept terms that a profile with these `names` can take. `decision_type` is that of what
    checks its terms."""

    def __init__(self, names: Names, decision_type: DecisionType) -> None:
        self._names = names
        self._decision_type = decision_type
        self._declared: Declared | None = None
        self._taken: set[int] = set()
        self._uses: dict[str, _Use] | None = {}

    def expression(
        self, term: Definition, about: tuple[Variable, ...], check: Check, most: int
    ) -> Expression:
        """The expression of a term whose indices stand for the variables `about`: a kept one, or
        what `check` gives. All expressions of a profile may have so many parts; `check` reports it
        if there are more. A profile takes an expression once: no two equations share an object.
        """
        self._uses = {}
        names = self._names
        if names.broken:
            return check(term, about)[0]
        forms = _forms(term, about)
        for form in tuple(forms):
            if self._is_free(form, most) and _is_same(form.term, term) and self._all_stand(form):
                names.parts += form.parts
                self._taken.add(id(form.expression))
                return form.expression
        found, parts = check(term, about)
        self._taken.add(id(found))
        if self._uses is not None and not names.broken and parts <= _MOST_PARTS:
            uses = tuple(self._uses.values())
            new = _Form(term, self._common_declared(), uses, found, parts)
            forms[:] = [new, *forms][:_MOST_FORMS]
        return found

    def _is_free(self, form: _Form, most: int) -> bool:
        return (
            form.declared is self._common_declared()
            and id(form.expression) not in self._taken
            and self._names.parts + form.parts <= most
        )

    def _all_stand(self, form: _Form) -> bool:
        """Whether all names stand for the same. Types are asked for in the order in which checking
        asks, since to find one may need others."""
        names = self._names
        if not all(use.holds(names) for use in form.uses):
            return False
        types, parts, is_full = dict(names.types), names.parts, names.is_full
        called = (use for use in form.uses if use.term is None)
        try:
            return all(self._decision_type(use.name) == use.type for use in called)
        except (DocumentError, Consequence):  # checking reports it, from where it began
            names.types.clear()
            names.types.update(types)
            names.parts, names.is_full = parts, is_full
            return False

    def note_term(self, name: str, term: Definition) -> None:
        """Note that the term being checked expands another."""
        if self._uses is not None:
            self._uses.setdefault(name, _Use(name, term, term.indices, None))

    def note_decision(self, name: str, decision: Definition, kind: Type) -> None:
        """Note that the term being checked calls a decision."""
        if self._uses is not None:
            self._uses.setdefault(name, _Use(name, None, decision.indices, kind))

    def refuse(self) -> None:
        """Do not keep the term being checked: checking it does more than to give an expression."""
        self._uses = None

    def _common_declared(self) -> Declared:
        """The one object for all equal declarations."""
        if self._declared is None:
            own = self._names.declared
            self._declared = next((one for one in tuple(_declared) if one == own), own)
            others = (one for one in tuple(_declared) if one is not self._declared)
            _declared[:] = [self._declared, *others][:_MOST_DECLARED]
        return self._declared


def _is_same(one: Definition | None, other: Definition | None) -> bool:
    """Whether two terms say the same, as long as what they refer to does. Equal texts have the same
    syntax tree."""
    if one is None or other is None or one is other:
        return one is other
    return (
        one.source.tree is other.source.tree
        and one.indices == other.indices
        and len(one.base) == len(other.base)
        and all(map(_is_same, one.base, other.base))
    )


def _forms(term: Definition, about: tuple[Variable, ...]) -> list[_Form]:
    """The kept forms of a term, those of last first. Each holds its syntax tree, so that nothing
    else gets the same number while it is kept."""
    return _kept.get((id(term.source.tree), about), list)


_kept = KeptByKey[list[_Form]](_MOST_TERMS)
_declared: list[Declared] = []
