"""The rest of a term when some of its unknowns are known, and which of these it uses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from dipsat.equations.folding import fold
from dipsat.equations.reachability import reach
from dipsat.equations.term import (
    Key,
    Reach,
    Term,
    Unknown,
    all_of,
    any_of,
    greater,
    if_else,
    negation,
    sum_of,
    unequal,
)

Residual: TypeAlias = tuple[Term, frozenset[Key]]
"""A term, and the unknowns whose values were used to get it."""

_NONE: frozenset[Key] = frozenset()


def residual(term: Term, known: Callable[[Key], int | None]) -> Residual:
    """The term with the known values substituted, and the unknowns whose values were used. It does
    not depend on the values of any others."""
    return fold(term, Residuals(known))


@dataclass(frozen=True, slots=True)
class Residuals:
    """The algebra of terms in which the values from `known` are substituted."""

    known: Callable[[Key], int | None]

    def constant(self, value: bool | int) -> Residual:
        """The constant itself."""
        return value, _NONE

    def unknown(self, term: Unknown) -> Residual:
        """The value if it is known."""
        value = self.known(term.key)
        if value is None:
            return term, _NONE
        return (bool(value) if term.is_truth else value), frozenset((term.key,))

    def negation(self, part: Residual) -> Residual:
        """Not the part."""
        return negation(part[0]), part[1]

    def all_of(self, parts: Sequence[Residual]) -> Residual:
        """Every part holds; a false part decides."""
        return _junction(parts, all_of, ends=False)

    def any_of(self, parts: Sequence[Residual]) -> Residual:
        """Some part holds; a true part decides."""
        return _junction(parts, any_of, ends=True)

    def greater(self, left: Residual, right: Residual) -> Residual:
        """The left part is greater than the right one."""
        return greater(left[0], right[0]), left[1] | right[1]

    def unequal(self, left: Residual, right: Residual) -> Residual:
        """The parts differ."""
        return unequal(left[0], right[0]), left[1] | right[1]

    def sum(self, constant: int, added: Sequence[Residual], taken: Sequence[Residual]) -> Residual:
        """The constant plus the added parts, minus the taken ones."""
        total = sum_of([constant, *_terms(added)], _terms(taken))
        return total, _used([*added, *taken])

    def choice(self, condition: Residual, then: Residual, otherwise: Residual) -> Residual:
        """One of the two if the condition is known."""
        chosen, used = condition
        if isinstance(chosen, bool):
            branch, more = then if chosen else otherwise
            return branch, used | more
        return if_else(chosen, then[0], otherwise[0]), _used([condition, then, otherwise])

    def reach(self, term: Reach, conditions: Sequence[Residual]) -> Residual:
        """Whether a chain leads over the nodes."""
        borders = [list(around) for around in term.borders]
        found = reach(_terms(conditions), list(term.starts), list(term.ends), borders)
        return found, _used(conditions)


def _terms(parts: Sequence[Residual]) -> list[Term]:
    return [term for term, _ in parts]


def _used(parts: Sequence[Residual]) -> frozenset[Key]:
    return _NONE.union(*(used for _, used in parts))


def _junction(
    parts: Sequence[Residual], join: Callable[[Sequence[Term]], Term], ends: bool
) -> Residual:
    """One deciding part is enough, so take the one that uses the fewest unknowns."""
    ending = [used for term, used in parts if term is ends]
    if ending:
        return ends, min(ending, key=lambda used: (len(used), sorted(used)))
    return join(_terms(parts)), _used(parts)
