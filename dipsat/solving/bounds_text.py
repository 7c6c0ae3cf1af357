"""Expressions as Python source that computes their least and their greatest value.

`BoundsText.value` writes one of the two readings, `BoundsText.both` writes them together. Some
expressions need both readings of a part for either of their own: the condition of a choice, the
sides of `==`, the filter of a sum. If each reading of the whole asked for its parts anew, the
source would double with each level of such parts. So `both` goes down to the parts once, and every
expression is written a bounded number of times.

Without such a part, the two readings of a truth value stay apart, because each can stop early.
Those of a number cannot, so they share their loops.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

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
    children,
)
from dipsat.language.types import ENTITIES, POWER
from dipsat.profiles.profile import Decision
from dipsat.solving.python_source import PythonSource

LEAST, MOST = "least", "most"
_OTHER = {LEAST: MOST, MOST: LEAST}
_ENTITY_TYPES = frozenset(ENTITIES.values())
Pair = tuple[str, str]
"""Python expressions for the least and the greatest value."""


class BoundsText:
    """Writes into `source`. Each reading is a Python expression; the statements that it needs are
    written before."""

    def __init__(self, source: PythonSource, decisions: Mapping[str, Decision]) -> None:
        self.source = source
        self.decisions = decisions
        self.families = {name: at for at, name in enumerate(decisions)}
        self._names: dict[str, str] = {}
        self._relations: dict[str, str] = {}
        self._doubling: dict[int, tuple[Expression, bool]] = {}

    def begin(self) -> None:
        """Begin another equation, with its own names of variables."""
        self._names = {}

    def variable(self, variable: Variable) -> str:
        """The name of a variable."""
        return self._names.setdefault(variable.name, f"v{len(self._names)}")

    def value(self, node: Expression, mode: str) -> str:
        """The least or the greatest value of `node`."""
        match node:
            case Constant(value=value):
                return self.source.constant(value) if isinstance(value, str) else repr(value)
            case Variable():
                return self.variable(node)
            case Fact(declared=True):
                return f"{self.value(node.of, mode)}.attribute({self.source.constant(node.name)})"
            case Fact():
                return f"{self.value(node.of, mode)}.{node.name}"
            case DecisionCall():
                bounds = "low" if mode == LEAST else "high"
                return f"{bounds}{self.families[node.name]}[{self.number_of(node, mode)}]"
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

    def both(self, node: Expression) -> Pair:
        """The least and the greatest value of `node`, with every part written once."""
        if not node.open:
            known = self._once(self.value(node, LEAST))
            return known, known
        if isinstance(node, DecisionCall) or not (node.type.is_number or self._doubles(node)):
            return self.value(node, LEAST), self.value(node, MOST)
        match node:
            case Not():
                low, high = self.both(node.part)
                return f"(not {high})", f"(not {low})"
            case Junction():
                return self._junction_both(node)
            case Compare() | Arithmetic():
                return self._binary_both(node)
            case Choice():
                return self._choice_both(node)
            case Quantifier(op="sum"):
                return self._sum_both(node)
            case Quantifier():
                return self._all_any_both(node)
            case Chain():
                return self._chain_both(node)
        raise AssertionError(f"{type(node).__name__} has no parts that need both readings")

    def _doubles(self, node: Expression) -> bool:
        """Whether one reading of the node needs both readings of some part."""
        kept = self._doubling.get(id(node))
        if kept is not None:
            return kept[1]
        match node:
            case Choice(condition=condition):
                found = condition.open
            case Compare(op="==" | "!="):
                found = node.open
            case Quantifier(op="sum", condition=condition):
                found = condition is not None and condition.open
            case _:
                found = False
        found = found or any(self._doubles(part) for part in children(node))
        self._doubling[id(node)] = (node, found)  # with the node, so that its id is not used again
        return found

    def _once(self, text: str) -> str:
        """A name for a text that is used twice."""
        return text if text.isalnum() else self.source.assigned(text)

    # --- words ------------------------------------------------------------------------------------

    def _predicate(self, node: Predicate, mode: str) -> str:
        domains = [self.value(domain, mode) for domain in node.domains]
        if node.op == "some":
            return f"(not not {domains[0]})"
        return f"is_ring([{', '.join(f'*{domain}' for domain in domains)}])"

    def _declared(self, node: CurrentPhase | AllOf | Related | Feature, mode: str) -> str:
        """An expression about words that the profile declares, or about the phase as a whole."""
        constant = self.source.constant
        match node:
            case AllOf(of=kind) if kind.members:
                return constant(kind.members)
            case AllOf(of=kind):
                return f"phase.domain({constant(kind.name)})"
            case Related():
                arguments = "".join(f"{self.value(part, mode)}, " for part in node.arguments)
                if node.name not in self._relations:
                    self._relations[node.name] = constant(frozenset(node.rows))
                return f"(({arguments}) in {self._relations[node.name]})"
            case Feature():
                name, marked = constant(node.name), node.arguments
                values = [self.value(part, mode) for part in marked]
                if marked[0].type == POWER:
                    return f"phase.map.has_power_feature({name}, {values[0]})"
                codes = ", ".join(f"{value}.code" for value in values)
                return f"phase.map.has_feature({name}, {codes})"
        return "phase"

    def number_of(self, node: DecisionCall, mode: str) -> str:
        """The number of a decision in its family (`dipsat.equations.instances`)."""
        indices = self.decisions[node.name].indices
        result = ""
        for index, argument in zip(indices, node.arguments, strict=True):
            members, value = index.type.members, self.value(argument, mode)
            place = f"{value}.index"
            size = f"len(phase.domain({self.source.constant(index.type.name)}))"
            if members:
                place = f"{self.source.constant({m: at for at, m in enumerate(members)})}[{value}]"
                size = str(len(members))
            result = f"({result} * {size} + {place})" if result else place
        return result

    # --- truth values -----------------------------------------------------------------------------

    def _junction(self, node: Junction, mode: str) -> str:
        """Short-circuit evaluation: the statements of later parts run only if needed."""
        texts = [self.value(node.parts[0], mode)]
        for part in node.parts[1:]:
            with self.source.apart() as statements:
                value = self.value(part, mode)
            if not statements:
                texts.append(value)
                continue
            name = self.source.assigned(_joined(node.op, texts))
            self.source.line(f"if {'' if node.op == 'and' else 'not '}{name}:")
            with self.source.indented():
                self.source.insert(statements)
                self.source.line(f"{name} = {value}")
            texts = [name]
        return _joined(node.op, texts)

    def _junction_both(self, node: Junction) -> Pair:
        """A part runs only if the readings before it leave both values possible."""
        low, high = map(self.source.assigned, self.both(node.parts[0]))
        for part in node.parts[1:]:
            self.source.line(f"if {high}:" if node.op == "and" else f"if not {low}:")
            with self.source.indented():
                least, most = self.both(part)
                self.source.line(f"{low} = {low} {node.op} {least}")
                self.source.line(f"{high} = {high} {node.op} {most}")
        return low, high

    def _compare(self, node: Compare, mode: str) -> str:
        if not node.left.type.is_number:
            left, right = self.value(node.left, mode), self.value(node.right, mode)
            is_entity = node.left.type in _ENTITY_TYPES
            word = {"==": "is", "!=": "is not"}[node.op] if is_entity else node.op
            return f"({left} {word} {right})"
        if not node.open:
            return f"({self.value(node.left, mode)} {node.op} {self.value(node.right, mode)})"
        if node.op in ("==", "!="):
            return _equal(node.op, self.both(node.left), self.both(node.right))[mode == MOST]
        high, low = (mode, _OTHER[mode]) if node.op in (">", ">=") else (_OTHER[mode], mode)
        return f"({self.value(node.left, high)} {node.op} {self.value(node.right, low)})"

    def _binary_both(self, node: Compare | Arithmetic) -> Pair:
        """Where the right side counts against the left one, its other reading counts."""
        (least, most), (low, high) = self.both(node.left), self.both(node.right)
        if node.op in ("==", "!="):
            once = self._once
            return _equal(node.op, (once(least), once(most)), (once(low), once(high)))
        if node.op == "+":
            return f"({least} + {low})", f"({most} + {high})"
        if node.op in ("<", "<="):
            least, most = most, least
        else:
            low, high = high, low
        return f"({least} {node.op} {low})", f"({most} {node.op} {high})"

    # --- choices ----------------------------------------------------------------------------------

    def _condition(self, node: Expression) -> Pair:
        """Names for whether an open condition surely holds, and whether it may hold."""
        source = self.source
        if self._doubles(node):
            surely, maybe = self.both(node)
            return source.assigned(surely), source.assigned(maybe)
        name = source.assigned(self.value(node, LEAST))
        return name, source.assigned(f"{name} or {self.value(node, MOST)}")

    def _choice(self, node: Choice, mode: str) -> str:
        name = self.source.fresh()
        if not node.condition.open:
            self.source.line(f"if {self.value(node.condition, mode)}:")
            self._assign(name, node.then, mode)
            self.source.line("else:")
            self._assign(name, node.otherwise, mode)
            return name
        surely, maybe = self._condition(node.condition)
        other = self.source.fresh()
        self.source.line(f"if {maybe}:")
        self._assign(name, node.then, mode)
        self.source.line(f"if not {surely}:")
        self._assign(other, node.otherwise, mode)
        with self.source.indented():
            self._take_closer(name, other, maybe, mode)
        return name

    def _choice_both(self, node: Choice) -> Pair:
        names = self.source.fresh(), self.source.fresh()
        if not node.condition.open:
            self.source.line(f"if {self.value(node.condition, LEAST)}:")
            self._assign_both(names, node.then)
            self.source.line("else:")
            self._assign_both(names, node.otherwise)
            return names
        surely, maybe = self._condition(node.condition)
        others = self.source.fresh(), self.source.fresh()
        self.source.line(f"if {maybe}:")
        self._assign_both(names, node.then)
        self.source.line(f"if not {surely}:")
        self._assign_both(others, node.otherwise)
        with self.source.indented():
            for name, other, mode in zip(names, others, (LEAST, MOST), strict=True):
                self._take_closer(name, other, maybe, mode)
        return names

    def _take_closer(self, name: str, other: str, maybe: str, mode: str) -> None:
        """Take the second branch's value, unless the first may be taken and reaches further."""
        closer = "<" if mode == LEAST else ">"
        self.source.line(f"if not {maybe} or {other} {closer} {name}: {name} = {other}")

    def _assign(self, name: str, node: Expression, mode: str) -> None:
        with self.source.indented():
            self.source.line(f"{name} = {self.value(node, mode)}")

    def _assign_both(self, names: Pair, node: Expression) -> None:
        with self.source.indented():
            for name, value in zip(names, self.both(node), strict=True):
                self.source.line(f"{name} = {value}")

    # --- quantifiers ------------------------------------------------------------------------------

    def _loop(self, node: Quantifier | Chain) -> str:
        """Write the head of the loop over the domain, and return the variable."""
        variable = self.variable(node.variable)
        self.source.line(f"for {variable} in {self.value(node.domain, LEAST)}:")
        return variable

    def _admit(self, condition: Expression | None) -> str:
        """In a loop that needs both readings, skip a member that the condition excludes. The result
        begins another condition that holds only if the member surely belongs: `t1 and `."""
        if condition is None:
            return ""
        if not condition.open:
            self.source.line(f"if not {self.value(condition, LEAST)}: continue")
            return ""
        surely, maybe = self._condition(condition)
        self.source.line(f"if not {maybe}: continue")
        return f"{surely} and "

    def _bound(self, node: Quantifier | Chain, mode: str) -> str:
        if isinstance(node, Chain):
            return self._chain(node, mode)
        return self._sum(node, mode) if node.op == "sum" else self._all_any(node, mode)

    def _all_any(self, node: Quantifier, mode: str) -> str:
        is_all = node.op == "all"
        name = self.source.assigned(str(is_all))
        self._loop(node)
        with self.source.indented():
            if node.condition is not None:
                # In `all`, the condition is on the left of "implies", so its other bound counts.
                condition_mode = _OTHER[mode] if is_all else mode
                self.source.line(f"if not {self.value(node.condition, condition_mode)}: continue")
            body = self.value(node.body, mode)
            self.source.line(f"if {'not ' if is_all else ''}{body}: {name} = {not is_all}; break")
        return name

    def _all_any_both(self, node: Quantifier) -> Pair:
        """A member that may belong counts against `all` for the least value, and for `any` for the
        greatest; one that surely belongs settles both."""
        is_all = node.op == "all"
        low, high = (self.source.assigned(str(is_all)) for _ in (LEAST, MOST))
        maybe, unless = (low, "not ") if is_all else (high, "")
        self._loop(node)
        with self.source.indented():
            surely = self._admit(node.condition)
            least, most = self.both(node.body)
            likely, certain = (least, most) if is_all else (most, least)
            end = f"{low} = {high} = {not is_all}; break"
            self.source.line(f"if {unless}{likely}: {maybe} = {not is_all}")
            self.source.line(f"if {surely}{unless}{certain}: {end}")
        return low, high

    def _sum(self, node: Quantifier, mode: str) -> str:
        name = self.source.assigned("0")
        self._loop(node)
        with self.source.indented():
            condition = node.condition
            if condition is None or not condition.open:
                self._admit(condition)
                self.source.line(f"{name} += {self.value(node.body, mode)}")
            elif self._doubles(condition):
                surely, maybe = self._condition(condition)
                self.source.line(f"if not {maybe}: continue")
                self._add(name, self.value(node.body, mode), surely, mode)
            else:  # whether the member surely belongs is asked last: most do not
                self.source.line(f"if not {self.value(condition, MOST)}: continue")
                part = self.source.assigned(self.value(node.body, mode))
                self._add(name, part, self.value(condition, LEAST), mode)
        return name

    def _sum_both(self, node: Quantifier) -> Pair:
        names = self.source.assigned("0"), self.source.assigned("0")
        self._loop(node)
        with self.source.indented():
            surely = self._admit(node.condition).removesuffix(" and ")
            for name, part, mode in zip(names, self.both(node.body), (LEAST, MOST), strict=True):
                self._add(name, part, surely, mode)
        return names

    def _add(self, name: str, part: str, surely: str, mode: str) -> None:
        """Add a part that counts surely, or else only if it brings the sum further."""
        if surely:
            part = self._once(part)
            extreme = "min" if mode == LEAST else "max"
            part = f"{part} if {surely} else {extreme}(0, {part})"
        self.source.line(f"{name} += {part}")

    def _chain(self, node: Chain, mode: str) -> str:
        name = self.source.assigned("[]")
        variable = self._loop(node)
        with self.source.indented():
            if node.condition is not None:
                self.source.line(f"if not {self.value(node.condition, mode)}: continue")
            body = self.value(node.body, mode)
            self.source.line(f"if {body}: {name}.append({variable})")
        return self._chained(node, (name,))[0]

    def _chain_both(self, node: Chain) -> Pair:
        low, high = (self.source.assigned("[]") for _ in (LEAST, MOST))
        variable = self._loop(node)
        with self.source.indented():
            surely = self._admit(node.condition)
            least, most = self.both(node.body)
            self.source.line(f"if {most}: {high}.append({variable})")
            self.source.line(f"if {surely}{least}: {low}.append({variable})")
        least, most = self._chained(node, (low, high))
        return least, most

    def _chained(self, node: Chain, lists: Iterable[str]) -> list[str]:
        start, end = self.value(node.start, LEAST), self.value(node.end, LEAST)
        return [f"chain_exists(water, {start}, {end}, {name})" for name in lists]


def _joined(op: str, texts: list[str]) -> str:
    return texts[0] if len(texts) == 1 else f"({f' {op} '.join(texts)})"


def _equal(op: str, left: Pair, right: Pair) -> Pair:
    """Two numbers are surely equal if both are known; they may be if their ranges meet."""
    surely = f"({left[0]} == {right[1]} and {left[1]} == {right[0]})"
    maybe = f"({left[0]} <= {right[1]} and {right[0]} <= {left[1]})"
    return (surely, maybe) if op == "==" else (f"(not {maybe})", f"(not {surely})")
