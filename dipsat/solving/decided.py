"""The values of a profile's expressions when all decisions are made, by generated functions.

Reasons read the same few hundred parts of equations in every phase. A part that is read often gets
a function of its own (`dipsat.solving.bounds_text`); compiling it takes as long as some thirty
readings by grounding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias, TypeVar

from dipsat.equations.ground import Grounder
from dipsat.equations.phase import Phase
from dipsat.kept import kept_on_first
from dipsat.language.closed import Scope
from dipsat.language.syntax import (
    Chain,
    Expression,
    Quantifier,
    Variable,
    children,
    decision_calls,
)
from dipsat.profiles.profile import Decision, Profile
from dipsat.solving.bounds import Bounds, propagator_for
from dipsat.solving.bounds_code import run_source
from dipsat.solving.bounds_text import LEAST, BoundsText
from dipsat.solving.ends_text import Ends, EndsText, is_walkable
from dipsat.solving.python_source import PythonSource

_OFTEN = 30

_Part = TypeVar("_Part")
_Reading: TypeAlias = Callable[[Phase, list[list[int]], Scope], Any]
"""The value of an expression in a phase, with these values of all decisions, in a scope."""


class DecidedValues:
    """Reads the expressions of a profile in phases in which every decision is made."""

    def __init__(self, families: Mapping[str, Decision]) -> None:
        self.families = families
        # By identity of the expression, which is kept so that its id is not used again.
        self.by_identity: dict[int, tuple[_Reading, Expression]] = {}
        self._read: dict[int, tuple[int, Expression]] = {}
        self._ends: dict[tuple[int, bool | None], tuple[Ends | None, Expression]] = {}
        self._walked: dict[tuple[int, bool | None], tuple[int, Expression]] = {}

    def compiled(self, node: Expression) -> _Reading | None:
        """The function of an expression that was read often, None for another."""
        found = self.by_identity.get(id(node))
        if found is not None:
            return found[0]
        self._count(node)
        return None

    def _count(self, node: Expression) -> None:
        count = self._read.get(id(node), (0, node))[0] + 1
        self._read[id(node)] = count, node
        if count > _OFTEN:
            self._read.pop(id(node), None)
            self.by_identity[id(node)] = self._reading(node), node

    def _reading(self, node: Expression) -> _Reading:
        source = PythonSource()
        text = BoundsText(source, self.families)
        source.line("def value(phase, low, scope):")
        with source.indented():
            _bind(source, text, node)
            source.line(f"return {text.value(node, LEAST)}")
        reading: _Reading = run_source(source, "<equations as values>")["value"]
        return reading

    def ends(self, node: Expression, value: bool | None) -> Ends | None:
        """The function of the walk through an expression that had this value often, None for
        another, or one that is too long."""
        key = id(node), value
        found = self._ends.get(key)
        if found is not None:
            return found[0]
        count = self._walked.get(key, (0, node))[0] + 1
        self._walked[key] = count, node
        if count > _OFTEN:
            self._walked.pop(key)
            self._ends[key] = self._walk(node, value) if is_walkable(node) else None, node
        return None

    def _walk(self, node: Expression, value: bool | None) -> Ends:
        source = PythonSource()
        text = EndsText(source, self.families)
        source.line("def ends(phase, low, scope, members, part, found):")
        with source.indented():
            _bind(source, text.text, node)
            text.walk(node, value, "scope", "members")
        walk: Ends = run_source(source, "<equations as walks>")["ends"]
        return walk


def _bind(source: PythonSource, text: BoundsText, node: Expression) -> None:
    """Write what gives names to the variables of an expression and to the values of decisions."""
    source.line("water = phase.map.water")
    for variable in free_variables(node):
        name = source.constant(variable.name)
        source.line(f"{text.variable(variable)} = scope[{name}]")
    for family in sorted(text.families[name] for name in decision_calls(node)):
        source.line(f"low{family} = high{family} = low[{family}]")


class DecidedReader:
    """Reads expressions in the phase of a `grounder` that knows these `bounds` of all decisions: it
    is called with an expression and a scope."""

    def __init__(self, grounder: Grounder, bounds: Bounds) -> None:
        self.grounder = grounder
        self.bounds = bounds
        self._values = decided_values(grounder.profile)

    def __call__(self, node: Expression, scope: Scope) -> Any:
        """Return the value of an expression."""
        found = self._values.by_identity.get(id(node))
        if found is not None:  # as mostly, so without another call
            return found[0](self.grounder.phase, self.bounds.low, scope)
        compiled = self._values.compiled(node)
        if compiled is None:
            return self.grounder.term(node, scope)
        return compiled(self.grounder.phase, self.bounds.low, scope)

    def ends(
        self,
        node: Expression,
        scope: Scope,
        value: bool | None,
        members: tuple[Any, ...],
        part: Callable[..., _Part],
    ) -> list[_Part] | None:
        """The ends of the walk through an expression (`DecisiveWalk.operand_ends`), each made by
        `part`; None if it is to be taken step by step."""
        walk = self._values.ends(node, value)
        if walk is None:
            return None
        found: list[_Part] = []
        walk(self.grounder.phase, self.bounds.low, scope, members, part, found)
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return DecidedReader, (self.grounder, self.bounds)  # functions stay behind


@kept_on_first()
def decided_values(profile: Profile) -> DecidedValues:
    """The readings of a profile's expressions."""
    return DecidedValues(propagator_for(profile).families)


def free_variables(node: Expression) -> list[Variable]:
    """The variables that an expression does not bind itself, each once."""
    return list({one.name: one for one in _free(node)}.values())


def _free(node: Expression) -> Iterator[Variable]:
    if isinstance(node, Variable):
        yield node
        return
    if not isinstance(node, Quantifier | Chain):
        for part in children(node):
            yield from _free(part)
        return
    outer = (node.domain, node.start, node.end) if isinstance(node, Chain) else (node.domain,)
    for part in outer:
        yield from _free(part)
    for part in (node.body, *(() if node.condition is None else (node.condition,))):
        yield from (one for one in _free(part) if one.name != node.variable.name)
