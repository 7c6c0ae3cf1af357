"""The values of a profile's expressions when all decisions are made, by generated functions.

Reasons read the same few hundred parts of equations in every phase. A part that is read often gets
a function of its own (`dipsat.solving.bounds_text`); compiling it takes as long as some thirty
readings by grounding.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from dipsat.equations.ground import Grounder
from dipsat.equations.phase import Phase
from dipsat.game.facts import UnitFacts
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
from dipsat.solving.python_source import PythonSource
from dipsat.solving.reasons_text import Findings, findings_code

_OFTEN = 30

_Reading: TypeAlias = Callable[[Phase, list[list[int]], Scope], Any]
"""The value of an expression in a phase, with these values of all decisions, in a scope."""


class DecidedValues:
    """Reads the expressions of a profile in phases in which every decision is made."""

    def __init__(self, families: Mapping[str, Decision]) -> None:
        self.families = families
        # By identity of the expression, which is kept so that its id is not used again.
        self.by_identity: dict[int, tuple[_Reading, Expression]] = {}
        self._read: dict[int, tuple[int, Expression]] = {}
        self.finding: dict[str, Findings | None] = {}  # by family, as the next
        self._explained: Counter[str] = Counter()

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

    def findings(self, decision: Decision) -> Findings | None:
        """The function that finds the reasons of a family, None if they were not often needed, or
        if its walks are too long."""
        name = decision.name
        self._explained[name] += 1
        if self._explained[name] > _OFTEN and name not in self.finding:
            self.finding[name] = findings_code(decision, self.families)
        return self.finding.get(name)


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
        self._objects: list[Sequence[Any]] | None = None

    def __call__(self, node: Expression, scope: Scope) -> Any:
        """Return the value of an expression."""
        found = self._values.by_identity.get(id(node))
        if found is not None:  # as mostly, so without another call
            return found[0](self.grounder.phase, self.bounds.low, scope)
        compiled = self._values.compiled(node)
        if compiled is None:
            return self.grounder.term(node, scope)
        return compiled(self.grounder.phase, self.bounds.low, scope)

    def findings(
        self,
        decision: Decision,
        about: Any,
        who: dict[UnitFacts, None],
        call: Callable[[str, int, bool, bool], None],
        compared: list[Any],
    ) -> int | None:
        """Find what fixed the truth value of the decision about this object (`Findings`). None
        means that it must be found step by step."""
        find = self._values.finding.get(decision.name)
        if find is None:
            find = self._values.findings(decision)
            if find is None:
                return None
        if self._objects is None:
            families, phase = self._values.families, self.grounder.phase
            self._objects = [phase.objects(one.indices) for one in families.values()]
        low = self.bounds.low
        return find(self.grounder.phase, low, self._objects, about, who, call, compared)

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
