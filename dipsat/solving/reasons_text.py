"""What fixed the truth values of a family, as Python source.

`dipsat.proof.findings` finds it step by step. A family whose reasons are often needed gets a
function that finds the same: it evaluates the conditions, walks through the first that fails, or
through the whole equation if all hold, and notes the units responsible and the comparisons of
numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from dipsat.equations.about import units_about
from dipsat.equations.instances import is_single
from dipsat.language.syntax import (
    Arithmetic,
    Choice,
    Compare,
    DecisionCall,
    Expression,
    Variable,
    decision_calls,
    parts_of_all,
)
from dipsat.language.types import CONVOY, MOVE, POWER, SUPPORT, TEXT, UNIT
from dipsat.profiles.profile import Decision
from dipsat.solving.bounds_code import run_source
from dipsat.solving.python_source import PythonSource
from dipsat.solving.walk_text import WalkText, Way, is_walkable

_ORDERS = (MOVE, SUPPORT, CONVOY)

Findings: TypeAlias = Callable[..., int]
"""A function of a phase, the values of all decisions, the objects of all families, the object that
the decision is about, and three that take what it finds: `who`, a dictionary whose keys are units;
`call`, called with the name and the number of a decision on which the value rests, its value, and
whether there are members on the way; and `compared`, a list. It returns the number of the first
condition that fails, or how many there are if all hold."""


def findings_code(decision: Decision, families: Mapping[str, Decision]) -> Findings | None:
    """The function for a family, None if its walks are too long to be generated."""
    equations = [decision.equation, *(condition for _, condition in decision.conditions)]
    summed = list(_summed(equations, families))
    if not all(map(is_walkable, [*equations, *(families[name].equation for name in summed)])):
        return None
    writer = _FindingsText(families)
    writer.findings(decision, equations)
    for name in summed:
        writer.helpers(families[name])
    found: Findings = run_source(writer.source, "<equations as reasons>")["findings"]
    return found


def _summed(equations: Sequence[Expression], families: Mapping[str, Decision]) -> dict[str, None]:
    """The families whose numbers are on the right of comparisons, and those that they add up."""
    compared = [part for part in parts_of_all(equations) if isinstance(part, Compare)]
    waiting = [name for part in compared for name in _added(part.right)]
    found: dict[str, None] = {}
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = None
            waiting += _added(families[name].equation)
    return found


def _added(node: Expression) -> Iterator[str]:
    """The families of the numbers on the walk through a number, outside its sums."""
    match node:
        case DecisionCall() if not node.type.is_truth:
            yield node.name
        case Choice():
            yield from (*_added(node.then), *_added(node.otherwise))
        case Arithmetic():
            yield from (*_added(node.left), *_added(node.right))


def compares_numbers(node: Compare) -> bool:
    """Whether a comparison is part of a reason: it compares numbers that orders decide."""
    return node.open and node.left.type.is_number


class _FindingsText(WalkText):
    """Writes the functions of a family."""

    def __init__(self, families: Mapping[str, Decision]) -> None:
        super().__init__(PythonSource(), families)
        self.families = families

    def findings(self, decision: Decision, expressions: Sequence[Expression]) -> None:
        """Write the function that finds the reasons for a decision."""
        line = self.source.line
        line("def findings(phase, low, objects, about, who, call, compared):")
        with self.source.indented():
            self._begin(decision, expressions)
            for at, (_, condition) in enumerate(decision.conditions):
                line(f"if not {self.value(condition)}:")
                with self.source.indented():
                    self.walk(condition, False, _Blame(self))
                    line(f"return {at}")
            self.walk(decision.equation, True, _Overcome(self))
            line(f"return {len(decision.conditions)}")

    def helpers(self, decision: Decision) -> None:
        """Write the function that adds to `found` the units which add to a number. `seen` has the
        numbers that were followed."""
        at = self.text.families[decision.name]
        self.source.line(f"def helpers{at}(phase, low, objects, about, found, seen):")
        with self.source.indented():
            self._begin(decision, [decision.equation])
            self.walk(decision.equation, None, _Help(self, "found", "seen"))

    def _begin(self, decision: Decision, expressions: Sequence[Expression]) -> None:
        """Begin a function: give names to the values of decisions and to the indices."""
        line, text = self.source.line, self.text
        text.begin()
        line("water = phase.map.water")
        called = {name for one in expressions for name in decision_calls(one)}
        for family in sorted(text.families[name] for name in called):
            line(f"low{family} = high{family} = low[{family}]")
        names = "".join(f"{text.variable(index)}, " for index in decision.indices)
        single = is_single(decision.indices)
        line(f"{names.removesuffix(', ')} = about" if single else f"{names}= about.parts")

    def comparison(self, node: Compare, value: bool | None, opposed: bool) -> None:
        """Write what notes a comparison: the values of its sides, the numbers of the decisions that
        they are, and the units that add to the right side. If it should be `opposed`, its right
        side must not be zero."""
        source = self.source
        right, right_at = self._side(node.right)
        with source.apart() as noted:
            left, left_at = self._side(node.left)
            helpers = source.assigned("[]")
            is_deep = any(map(self.is_deep, _added(node.right)))
            seen = source.assigned("set()") if is_deep else "None"
            self.walk(node.right, None, _Help(self, helpers, seen))
            what = f"{source.constant(node)}, {value}, {left}, {right}, {left_at}, {right_at}"
            source.line(f"compared.append(({what}, {helpers}))")
        if opposed:
            source.line(f"if {right} != 0:")
            source.insert(noted)
        else:
            source.lines += noted

    def _side(self, node: Expression) -> tuple[str, str]:
        """The value of a side, and the number of the decision that it is, if it is one."""
        if not isinstance(node, DecisionCall):
            return self.source.assigned(self.value(node)), "None"
        number = self.source.assigned(self.number_of(node))
        return f"low{self.text.families[node.name]}[{number}]", number

    def is_deep(self, name: str) -> bool:
        """Whether the numbers of a family add up other numbers, and so perhaps each other."""
        return any(True for _ in _added(self.families[name].equation))


@dataclass(frozen=True, slots=True)
class _Blame:
    """The way from a condition that fails to the units responsible and the comparisons.

    `is_inside` says whether there are members on the way, `has_unit` whether one of them has a
    unit: a Python expression, "" for no. The outermost one counts.
    """

    writer: _FindingsText
    is_inside: bool = False
    has_unit: str = ""

    def into(self, variable: Variable) -> Way:
        source, name = self.writer.source, self.writer.text.variable(variable)
        own = _unit(variable, name)
        if own == "" or self.has_unit == "True":
            return replace(self, is_inside=True)
        unless = self._unless_found()
        if own is not None:
            source.line(f"{unless}who[{own}] = None")
            return replace(self, is_inside=True, has_unit="True")
        found = source.assigned(self.has_unit or "None")
        listed = f"dict.fromkeys({source.constant(units_about)}({name}))"
        source.line(f"if not {found}: {found} = {listed}; who.update({found})")
        return replace(self, is_inside=True, has_unit=found)

    def end(self, node: Expression, value: bool | None) -> None:
        if isinstance(node, Compare) and compares_numbers(node):
            self.writer.comparison(node, value, opposed=False)
        elif isinstance(node, DecisionCall) and self.has_unit != "True":
            name, number = self.writer.source.constant(node.name), self.writer.number_of(node)
            called = f"call({name}, {number}, {value}, {self.is_inside})"
            self.writer.source.line(f"{self._unless_found()}{called}")

    def _unless_found(self) -> str:
        return f"if not {self.has_unit}: " if self.has_unit else ""


@dataclass(frozen=True, slots=True)
class _Overcome:
    """The way from an equation that holds to the comparisons that something opposed."""

    writer: _FindingsText

    def into(self, variable: Variable) -> Way:
        return self

    def end(self, node: Expression, value: bool | None) -> None:
        if isinstance(node, Compare) and compares_numbers(node):
            self.writer.comparison(node, value, opposed=True)


@dataclass(frozen=True, slots=True)
class _Help:
    """The way from a number to the units that add to it: those of the innermost members that count.
    They are added to `found`. `units` lists those of the member: a Python expression, "" outside
    sums."""

    writer: _FindingsText
    found: str
    seen: str
    units: str = ""

    def into(self, variable: Variable) -> Way:
        name = self.writer.text.variable(variable)
        own = _unit(variable, name)
        listed = f"({own},)" if own else "()"
        if own is None:
            listed = f"{self.writer.source.constant(units_about)}({name})"
        return replace(self, units=listed)

    def end(self, node: Expression, value: bool | None) -> None:
        source = self.writer.source
        if self.units:
            if self.units != "()":
                source.line(f"if {self.writer.value(node)}: {self.found}.extend({self.units})")
        elif isinstance(node, DecisionCall) and not node.type.is_truth:
            at = self.writer.text.families[node.name]
            number = source.assigned(self.writer.number_of(node))
            call = f"helpers{at}(phase, low, objects, objects[{at}][{number}], "
            call += f"{self.found}, {self.seen})"
            if self.writer.is_deep(node.name):
                key = f"({at}, {number})"
                call = f"if {key} not in {self.seen}: {self.seen}.add({key}); {call}"
            source.line(call)


def _unit(variable: Variable, name: str) -> str | None:
    """The unit of a member: a Python expression, "" if it has none, None if it may have several or
    none."""
    kind = variable.type
    if kind == UNIT:
        return name
    if kind in _ORDERS:
        return f"{name}.unit"
    return "" if kind.members or kind in (POWER, TEXT) else None
