"""Compiling a profile's equations to Python functions that bound every decision.

Each decision is known to lie in an interval (for a truth value: false, unknown or true), which is
DATC 5's "partial information". An expression is read twice: for its least and for its greatest
value, given the bounds of the decisions in it. Both readings become plain Python statements,
because interpreting the expressions for every phase would be an order of magnitude slower.

The source consists of fixed fragments, generated names and integers. No text of a rule file gets
into it: names become v0, v1 ..., and texts are passed by reference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dipsat.equations.chains import chain_exists, is_ring
from dipsat.equations.instances import is_single
from dipsat.language.closed import Formula
from dipsat.language.syntax import (
    AllOf,
    Arithmetic,
    Chain,
    Choice,
    Compare,
    Constant,
    CurrentPhase,
    DecisionCall,
    Expression,
    Fact,
    Feature,
    Junction,
    Not,
    Predicate,
    Quantifier,
    Related,
    Variable,
)
from dipsat.language.types import ENTITIES, POWER
from dipsat.profiles.profile import Decision

LIMIT = 10**9  # a number decision lies between -LIMIT and LIMIT
LEAST, MOST = "least", "most"
_OTHER = {LEAST: MOST, MOST: LEAST}
_ENTITY_TYPES = frozenset(ENTITIES.values())


def compile_results(
    decisions: Mapping[str, Decision], results: Mapping[str, Formula]
) -> dict[str, Callable[..., bool]]:
    """For each result, a function `f(phase, low, high, *objects)` that evaluates it when all
    decisions are decided; `low` and `high` are as for `compile_sweep`."""
    writer = _Writer(decisions)
    for at, result in enumerate(results.values()):
        writer.names = {}
        objects = ", ".join(writer.variable(index) for index in result.indices)
        writer.line(f"def result{at}(phase, low, high, {objects}):")
        with writer.indented():
            writer.facts_as_locals()
            writer.line(f"return {writer.value(result.expression, LEAST)}")
    namespace = writer.run()
    return {name: namespace[f"result{at}"] for at, name in enumerate(results)}


def compile_sweep(decisions: Mapping[str, Decision]) -> Callable[..., bool]:
    """A function `sweep(phase, low, high, pending, conflicts)` that tightens all bounds once.

    `low` and `high` hold, for each family in the order of `decisions`, a list of bounds by index;
    `pending` holds, for each family, a list of the objects whose decision is open, which `sweep`
    shortens. To `conflicts` it adds (family, index, least, most) for a number whose equation allows
    no value within its bounds. It returns whether anything changed.
    """
    writer = _Writer(decisions)
    writer.line("def sweep(phase, low, high, pending, conflicts):")
    with writer.indented():
        writer.line("changed = False")
        writer.facts_as_locals()
        for at, decision in enumerate(decisions.values()):
            writer.family(at, decision)
        writer.line("return changed")
    sweep: Callable[..., bool] = writer.run()["sweep"]
    return sweep


class _Indent:
    def __init__(self, writer: _Writer) -> None:
        self.writer = writer

    def __enter__(self) -> None:
        self.writer.depth += 1

    def __exit__(self, *_: object) -> None:
        self.writer.depth -= 1


class _Writer:
    """Writes statements; each call of `value` returns a Python expression, after writing the
    statements that it needs."""

    def __init__(self, decisions: Mapping[str, Decision]) -> None:
        self.decisions = decisions
        self.families = {name: at for at, name in enumerate(decisions)}
        self.lines: list[str] = []
        self.depth = 0
        self.constants: list[object] = []
        self.names: dict[str, str] = {}
        self.counter = 0

    def run(self) -> dict[str, Any]:
        """Run the source and return the namespace with its functions."""
        namespace: dict[str, Any] = {
            "chain_exists": chain_exists,
            "is_ring": is_ring,
            **{f"k{at}": value for at, value in enumerate(self.constants)},
        }
        code = compile("\n".join(self.lines), "<equations as bounds>", "exec")
        exec(code, namespace)  # generated source only, see the module's docstring
        return namespace

    def constant(self, value: object) -> str:
        """The name of a value from a rule file, passed by reference."""
        self.constants.append(value)
        return f"k{len(self.constants) - 1}"

    def facts_as_locals(self) -> None:
        """Give the map's waters and the lists of each family short names."""
        self.line("water = phase.map.water")
        for at in range(len(self.families)):
            self.line(f"low{at} = low[{at}]; high{at} = high[{at}]")

    def line(self, text: str) -> None:
        self.lines.append(" " * self.depth + text)

    def indented(self) -> _Indent:
        return _Indent(self)

    def fresh(self) -> str:
        self.counter += 1
        return f"t{self.counter}"

    def variable(self, variable: Variable) -> str:
        return self.names.setdefault(variable.name, f"v{len(self.names)}")

    def family(self, at: int, decision: Decision) -> None:
        """Write one family's part of the sweep: try to decide each object that is still open."""
        self.names = {}
        single = is_single(decision.indices)
        index = self.variable(decision.indices[0]) if single else "about"
        self.line(f"if pending[{at}]:")
        with self.indented():
            self.line("rest = []")
            self.line(f"for {index} in pending[{at}]:")
            with self.indented():
                self.line(f"i = {index}.index")
                if not single:
                    parts = "".join(f"{self.variable(part)}, " for part in decision.indices)
                    self.line(f"{parts}= about.parts")
                if decision.type.is_truth:
                    self._truth(at, decision)
                else:
                    self._number(at, decision)
                self.line(f"rest.append({index})")
            self.line(f"pending[{at}] = rest")

    def _truth(self, at: int, decision: Decision) -> None:
        for mode, test, bounds in ((LEAST, "", f"low{at}"), (MOST, "not ", f"high{at}")):
            value = self.value(decision.equation, mode)
            self.line(f"if {test}{value}:")
            with self.indented():
                self.line(f"{bounds}[i] = {mode == LEAST}; changed = True; continue")

    def _number(self, at: int, decision: Decision) -> None:
        least = self.value(decision.equation, LEAST)
        self.line(f"a = {least}")
        most = self.value(decision.equation, MOST)
        self.line(f"b = {most}")
        self.line(f"if a > high{at}[i] or b < low{at}[i]:")
        with self.indented():
            self.line(f"conflicts.append(({at}, i, a, b)); continue")
        self.line(f"if a > low{at}[i]: low{at}[i] = a; changed = True")
        self.line(f"if b < high{at}[i]: high{at}[i] = b; changed = True")
        self.line("if a == b: continue")

    def value(self, node: Expression, mode: str) -> str:
        """The least or the greatest value of `node`, as a Python expression."""
        match node:
            case Constant(value=value):
                return self.constant(value) if isinstance(value, str) else repr(value)
            case Variable():
                return self.variable(node)
            case Fact(declared=True):
                return f"{self.value(node.of, mode)}.attribute({self.constant(node.name)})"
            case Fact():
                return f"{self.value(node.of, mode)}.{node.name}"
            case DecisionCall():
                bounds = "low" if mode == LEAST else "high"
                return f"{bounds}{self.families[node.name]}[{self._number_of(node, mode)}]"
            case CurrentPhase() | AllOf() | Related() | Feature():
                return self._declared(node, mode)
            case Not():
                return f"(not {self.value(node.part, _OTHER[mode])})"
            case Junction():
                return self._junction(node, mode)
            case Compare():
                return self._compare(node, mode)
            case Arithmetic():
                left = self.value(node.left, mode)
                right = self.value(node.right, mode if node.op == "+" else _OTHER[mode])
                return f"({left} {node.op} {right})"
            case Choice():
                return self._choice(node, mode)
            case Quantifier() | Chain():
                return self._bound(node, mode)
            case Predicate():
                return self._predicate(node, mode)

    def _predicate(self, node: Predicate, mode: str) -> str:
        domains = [self.value(domain, mode) for domain in node.domains]
        if node.op == "some":
            return f"(not not {domains[0]})"
        return f"is_ring([{', '.join(f'*{domain}' for domain in domains)}])"

    def _declared(self, node: CurrentPhase | AllOf | Related | Feature, mode: str) -> str:
        """An expression about words that the profile declares, or about the phase as a whole."""
        match node:
            case AllOf(of=kind) if kind.members:
                return self.constant(kind.members)
            case AllOf(of=kind):
                return f"phase.domain({self.constant(kind.name)})"
            case Related():
                arguments = "".join(f"{self.value(part, mode)}, " for part in node.arguments)
                return f"(({arguments}) in {self.constant(frozenset(node.rows))})"
            case Feature():
                name, marked = self.constant(node.name), node.arguments
                values = [self.value(part, mode) for part in marked]
                if marked[0].type == POWER:
                    return f"phase.map.has_power_feature({name}, {values[0]})"
                codes = ", ".join(f"{value}.code" for value in values)
                return f"phase.map.has_feature({name}, {codes})"
        return "phase"

    def _number_of(self, node: DecisionCall, mode: str) -> str:
        """The number of a decision in its family (`dipsat.equations.instances`)."""
        indices = self.decisions[node.name].indices
        result = ""
        for index, argument in zip(indices, node.arguments, strict=True):
            members, value = index.type.members, self.value(argument, mode)
            place = f"{value}.index"
            size = f"len(phase.domain({self.constant(index.type.name)}))"
            if members:
                place = f"{self.constant({m: at for at, m in enumerate(members)})}[{value}]"
                size = str(len(members))
            result = f"({result} * {size} + {place})" if result else place
        return result

    def _block(self, node: Expression, mode: str) -> tuple[str, list[str]]:
        """The value of a part, and its statements, removed from the lines again."""
        start = len(self.lines)
        value = self.value(node, mode)
        statements = self.lines[start:]
        del self.lines[start:]
        return value, statements

    def _junction(self, node: Junction, mode: str) -> str:
        """Short-circuit evaluation: the statements of later parts run only if needed."""
        result = self.value(node.parts[0], mode)
        for part in node.parts[1:]:
            value, statements = self._block(part, mode)
            if not statements:
                result = f"({result} {node.op} {value})"
                continue
            name = self.fresh()
            self.line(f"{name} = {result}")
            self.line(f"if {'' if node.op == 'and' else 'not '}{name}:")
            self.lines += [" " + statement for statement in statements]
            with self.indented():
                self.line(f"{name} = {value}")
            result = name
        return result

    def _compare(self, node: Compare, mode: str) -> str:
        if not node.left.type.is_number:
            left, right = self.value(node.left, mode), self.value(node.right, mode)
            is_entity = node.left.type in _ENTITY_TYPES
            word = {"==": "is", "!=": "is not"}[node.op] if is_entity else node.op
            return f"({left} {word} {right})"
        if not node.open:
            return f"({self.value(node.left, mode)} {node.op} {self.value(node.right, mode)})"
        if node.op in ("==", "!="):
            return self._equal(node, mode)
        high, low = (mode, _OTHER[mode]) if node.op in (">", ">=") else (_OTHER[mode], mode)
        return f"({self.value(node.left, high)} {node.op} {self.value(node.right, low)})"

    def _equal(self, node: Compare, mode: str) -> str:
        left_least, left_most = self.value(node.left, LEAST), self.value(node.left, MOST)
        right_least, right_most = self.value(node.right, LEAST), self.value(node.right, MOST)
        surely = f"({left_least} == {right_most} and {left_most} == {right_least})"
        maybe = f"({left_least} <= {right_most} and {right_least} <= {left_most})"
        if node.op == "==":
            return surely if mode == LEAST else maybe
        return f"(not {maybe})" if mode == LEAST else f"(not {surely})"

    def _choice(self, node: Choice, mode: str) -> str:
        name = self.fresh()
        if not node.condition.open:
            self.line(f"if {self.value(node.condition, mode)}:")
            self._assign(name, node.then, mode)
            self.line("else:")
            self._assign(name, node.otherwise, mode)
            return name
        surely, maybe, other = self.fresh(), self.fresh(), self.fresh()
        self.line(f"{surely} = {self.value(node.condition, LEAST)}")
        self.line(f"{maybe} = {surely} or {self.value(node.condition, MOST)}")
        self.line(f"if {maybe}:")
        self._assign(name, node.then, mode)
        self.line(f"if not {surely}:")
        self._assign(other, node.otherwise, mode)
        with self.indented():
            closer = "<" if mode == LEAST else ">"
            self.line(f"if not {maybe} or {other} {closer} {name}: {name} = {other}")
        return name

    def _assign(self, name: str, node: Expression, mode: str) -> None:
        with self.indented():
            self.line(f"{name} = {self.value(node, mode)}")

    def _bound(self, node: Quantifier | Chain, mode: str) -> str:
        if isinstance(node, Chain):
            return self._chain(node, mode)
        return self._sum(node, mode) if node.op == "sum" else self._all_any(node, mode)

    def _all_any(self, node: Quantifier, mode: str) -> str:
        name = self.fresh()
        is_all = node.op == "all"
        self.line(f"{name} = {is_all}")
        self.line(f"for {self.variable(node.variable)} in {self.value(node.domain, mode)}:")
        with self.indented():
            if node.condition is not None:
                # In `all`, the condition is on the left of "implies", so its other bound counts.
                condition_mode = _OTHER[mode] if is_all else mode
                self.line(f"if not {self.value(node.condition, condition_mode)}: continue")
            body = self.value(node.body, mode)
            self.line(f"if {'not ' if is_all else ''}{body}: {name} = {not is_all}; break")
        return name

    def _sum(self, node: Quantifier, mode: str) -> str:
        name = self.fresh()
        self.line(f"{name} = 0")
        self.line(f"for {self.variable(node.variable)} in {self.value(node.domain, mode)}:")
        with self.indented():
            if node.condition is None:
                self.line(f"{name} += {self.value(node.body, mode)}")
            elif not node.condition.open:
                self.line(f"if not {self.value(node.condition, mode)}: continue")
                self.line(f"{name} += {self.value(node.body, mode)}")
            else:
                extreme = "min" if mode == LEAST else "max"
                self.line(f"if not {self.value(node.condition, MOST)}: continue")
                part, surely = self.fresh(), self.fresh()
                self.line(f"{part} = {self.value(node.body, mode)}")
                self.line(f"{surely} = {self.value(node.condition, LEAST)}")
                self.line(f"{name} += {part} if {surely} else {extreme}(0, {part})")
        return name

    def _chain(self, node: Chain, mode: str) -> str:
        name = self.fresh()
        variable = self.variable(node.variable)
        self.line(f"{name} = []")
        self.line(f"for {variable} in {self.value(node.domain, mode)}:")
        with self.indented():
            if node.condition is not None:
                self.line(f"if not {self.value(node.condition, mode)}: continue")
            body = self.value(node.body, mode)
            self.line(f"if {body}: {name}.append({variable})")
        start, end = self.value(node.start, mode), self.value(node.end, mode)
        return f"chain_exists(water, {start}, {end}, {name})"
