"""Equations as Python source that finds the decisions which their ground terms mention.

Grounding (`dipsat.equations.ground`) folds what the facts decide: a term that is false makes a
conjunction false, and nothing else in it matters. The source that is written here folds in the same
way, but makes no terms: every part is a constant, or None for a term, and a list `out` gets the
numbers of the decisions in it. A part that turns out to be constant takes back what it has added.

Only a choice between two terms depends on what they are: if they are equal, its condition does not
matter. If two branches mention the same decisions, `same` is asked to ground and compare them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from dipsat.language.syntax import (
    Arithmetic,
    Chain,
    Choice,
    Compare,
    DecisionCall,
    Expression,
    Junction,
    Not,
    Quantifier,
    Variable,
)
from dipsat.profiles.profile import Decision
from dipsat.solving.bounds_text import LEAST, BoundsText
from dipsat.solving.python_source import PythonSource

_TRUTH: frozenset[object] = frozenset({True, False})
_NUMBER: frozenset[object] = frozenset({"number"})


class _Part(NamedTuple):
    """A part as source: a Python expression for its constant, None for a term. `can` has the values
    that are possible, "number" for every number. If it is `negated`, it is the opposite."""

    text: str
    can: frozenset[object]
    negated: bool = False

    @property
    def is_term(self) -> bool:
        """Whether it is a term whatever the facts are."""
        return self.can == {None}

    def has(self, value: bool | None) -> str:
        """Whether it has a value, as a Python condition."""
        if value is None:
            return f"{self.text} is None"
        if None in self.can:
            return f"{self.text} is {value is not self.negated}"
        return f"{'' if value is not self.negated else 'not '}{self.text}"

    @property
    def value(self) -> str:
        """Its value."""
        if not self.negated:
            return self.text
        return f"(None if {self.text} is None else not {self.text})"


_TERM = _Part("None", frozenset({None}))


class MentionsText:
    """Writes into `source`. The statements that a part needs are written before. `choices` are
    those that `same` is asked about, by number."""

    def __init__(self, source: PythonSource, decisions: Mapping[str, Decision]) -> None:
        self.source = source
        self.bounds = BoundsText(source, decisions)
        self.choices: list[Choice] = []
        self._bound: list[Variable] = []  # the variables that have a value here

    @contextmanager
    def bind(self, *variables: Variable) -> Iterator[None]:
        """Let variables have values in what is written meanwhile."""
        self._bound += variables
        yield
        del self._bound[len(self._bound) - len(variables) :]

    def part(self, node: Expression) -> _Part:
        """Write what adds the decisions that a part mentions."""
        if not node.open:
            can = _TRUTH if node.type.is_truth else _NUMBER
            return _Part(self.bounds.value(node, LEAST), can)
        match node:
            case DecisionCall():
                self.source.line(f"out.append({self.number(node)})")
                return _TERM
            case Not():
                part = self.part(node.part)
                can = frozenset(None if one is None else not one for one in part.can)
                return _Part(part.text, can, not part.negated)
            case Junction():
                return self._junction(node)
            case Compare() | Arithmetic():
                return self._binary(node)
            case Choice() if not node.condition.open:
                return self._choice_by_facts(node)
            case Choice():
                return self._choice(node)
            case Quantifier(op="sum"):
                return self._sum(node)
            case Quantifier():
                return self._all_any(node)
            case Chain():
                return self._chain(node)
        raise AssertionError(f"{type(node).__name__} cannot be open")

    def number(self, node: DecisionCall) -> str:
        """The number of a decision among all decisions of the phase."""
        return f"first{self.bounds.families[node.name]} + {self.bounds.number_of(node, LEAST)}"

    def _mark(self) -> str:
        """A name for how many numbers have been added so far."""
        return self.source.assigned("len(out)")

    def _named(self, node: Expression) -> _Part:
        """A part, with a name for its value."""
        part = self.part(node)
        return part if part.is_term else _Part(self.source.assigned(part.value), part.can)

    @contextmanager
    def _if(self, condition: str) -> Iterator[None]:
        """Let what is written meanwhile depend on a condition, unless it is empty."""
        if not condition:
            yield
            return
        self.source.line(f"if {condition}:")
        with self.source.indented():
            yield

    def _note(self, name: str, part: _Part, ends: bool, end: str) -> None:
        """Count a part of a whole that no part before it has ended: if the part has the value
        `ends`, take the step `end`."""
        if part.is_term:
            self.source.line(f"{name} = None")
            return
        if ends in part.can:
            self.source.line(f"if {part.has(ends)}: {end}")
        if None in part.can:
            otherwise = "elif" if ends in part.can else "if"
            self.source.line(f"{otherwise} {part.has(None)}: {name} = None")

    def _junction(self, node: Junction) -> _Part:
        """A part that has the value `ends` decides the whole, and takes back what those before it
        have added. Facts come first, because they add nothing."""
        ends = node.op == "or"
        name = self.source.assigned(str(not ends))
        parts = sorted(node.parts, key=lambda part: part.open)
        first = next(at for at, part in enumerate(parts) if part.open)
        mark = self._mark() if len(parts) > first + 1 else ""
        can: set[object] = {not ends}
        for at, part in enumerate(parts):
            with self._if(f"{name} is not {ends}" if ends in can else ""):
                found = self.part(part)
                back = f"; del out[{mark}:]" if at > first else ""
                self._note(name, found, ends, f"{name} = {ends}{back}")
            can |= found.can - {not ends}
            can -= {not ends} - found.can
        return _Part(name, frozenset(can))

    def _binary(self, node: Compare | Arithmetic) -> _Part:
        left, right = self._named(node.left), self._named(node.right)
        if left.is_term or right.is_term:
            return _TERM
        text = f"{left.text} {node.op} {right.text}"
        can = _TRUTH if node.type.is_truth else _NUMBER
        if opened := [part.has(None) for part in (left, right) if None in part.can]:
            text, can = f"None if {' or '.join(opened)} else {text}", can | {None}
        return _Part(self.source.assigned(text), can)

    # --- choices ----------------------------------------------------------------------------------

    def _choice_by_facts(self, node: Choice) -> _Part:
        source, name = self.source, self.source.fresh()
        with source.apart() as chosen:
            then = self.part(node.then)
            source.line(f"{name} = {then.value}")
        with source.apart() as others:
            otherwise = self.part(node.otherwise)
            source.line(f"{name} = {otherwise.value}")
        source.line(f"if {self.bounds.value(node.condition, LEAST)}:")
        source.insert(chosen)
        source.line("else:")
        source.insert(others)
        return _Part(name, then.can | otherwise.can)

    def _choice(self, node: Choice) -> _Part:
        """Both branches matter if the condition is open, unless they are equal."""
        source, line = self.source, self.source.line
        with source.apart() as asked:
            condition = self.part(node.condition)
        with source.apart() as chosen:
            then = self.part(node.then)
        with source.apart() as others:
            otherwise = self.part(node.otherwise)
        if condition.is_term and then.is_term is not otherwise.is_term:
            source.lines += [*asked, *chosen, *others]
            return _TERM
        start = self._mark()
        source.lines += asked
        name, other = source.assigned("None"), source.assigned("None")
        marks = start, self._mark(), self._mark()
        if condition.is_term:
            source.lines += chosen
            line(f"{name} = {then.value}; {marks[2]} = len(out)")
            source.lines += others
            line(f"{other} = {otherwise.value}")
            self._merge(node, (name, then), (other, otherwise), marks)
            return _Part(name, then.can & otherwise.can | {None})
        line(f"if not ({condition.has(False)}):")
        source.insert(chosen)
        with source.indented():
            line(f"{name} = {then.value}; {marks[2]} = len(out)")
        line(f"if not ({condition.has(True)}):")
        source.insert(others)
        with source.indented():
            line(f"{other} = {otherwise.value}")
        line(f"if {condition.has(False)}: {name} = {other}")
        line(f"elif {condition.has(None)}:")
        with source.indented():
            self._merge(node, (name, then), (other, otherwise), marks)
        return _Part(name, then.can | otherwise.can | {None})

    def _merge(
        self,
        node: Choice,
        chosen: tuple[str, _Part],
        others: tuple[str, _Part],
        marks: tuple[str, str, str],
    ) -> None:
        """Write what follows if the condition of a choice is open: the first name gets the value of
        the choice. The branches are given by name; `marks` are how many numbers there were before
        the condition and the branches."""
        (name, then), (other, otherwise) = chosen, others
        line, (start, then_at, other_at) = self.source.line, marks
        with self._if(
            f"{name} is not None and {name} == {other} and type({name}) is type({other})"
        ):
            line(f"del out[{start}:]")
        if None in then.can and None in otherwise.can:
            self.choices.append(node)
            asked = f"same({len(self.choices) - 1}, {self._scope()})"
            sets = f"set(out[{then_at}:{other_at}]) == set(out[{other_at}:])"
            line(f"elif {name} is None and {other} is None and {sets} and {asked}:")
            with self.source.indented():
                line(f"del out[{other_at}:]; del out[{start}:{then_at}]")
        line(f"else: {name} = None")

    def _scope(self) -> str:
        """The variables with their values."""
        constant, variable = self.source.constant, self.bounds.variable
        return f"{{{', '.join(f'{constant(one.name)}: {variable(one)}' for one in self._bound)}}}"

    # --- members of sets --------------------------------------------------------------------------

    @contextmanager
    def _members(self, node: Quantifier | Chain) -> Iterator[tuple[_Part | None, str]]:
        """Write the loop over the members that may belong; what is written meanwhile is its body.
        Gives the condition if it is open, and then, or in a chain, the name of how many numbers
        there were before."""
        variable = self.bounds.variable(node.variable)
        self.source.line(f"for {variable} in {self.bounds.value(node.domain, LEAST)}:")
        with self.source.indented(), self.bind(node.variable):
            condition, start = None, self._mark() if isinstance(node, Chain) else ""
            if node.condition is not None and node.condition.open:
                start = start or self._mark()
                condition = self.part(node.condition)
                if False in condition.can:
                    self.source.line(f"if {condition.has(False)}: continue")
            elif node.condition is not None:
                self.source.line(f"if not {self.bounds.value(node.condition, LEAST)}: continue")
            yield condition, start

    def _all_any(self, node: Quantifier) -> _Part:
        """`all` is a conjunction of implications, `any` a disjunction of conjunctions."""
        line, ends = self.source.line, node.op == "any"
        name, mark = self.source.assigned(str(not ends)), self.source.fresh()
        with self.source.apart() as loop, self._members(node) as (condition, start):
            body = self.part(node.body)
            if condition is not None:
                with self._if("" if condition.is_term else condition.has(None)):
                    if (not ends) in body.can:
                        line(f"if {body.has(not ends)}: del out[{start}:]; continue")
                    line(f"{name} = None")
                    line("continue")
            if condition is None or not condition.is_term:
                self._note(name, body, ends, f"{name} = {ends}; del out[{mark}:]; break")
        if ends in body.can:
            line(f"{mark} = len(out)")
        self.source.lines += loop
        can = body.can | {not ends} if condition is None else body.can | {not ends, None}
        return _Part(name, can)

    def _sum(self, node: Quantifier) -> _Part:
        line, name = self.source.line, self.source.assigned("0")
        with self._members(node) as (condition, start):
            body = self._named(node.body)
            if condition is not None:
                with self._if("" if condition.is_term else condition.has(None)):
                    if not body.is_term:
                        is_zero = f"{body.text} == 0 and type({body.text}) is int"
                        line(f"if {is_zero}: del out[{start}:]; continue")
                    line(f"{name} = None")
                    line("continue")
            if body.is_term:
                line(f"{name} = None")
            else:
                opened = f"{name} is None or {body.text} is None"
                line(f"{name} = None if {opened} else {name} + {body.text}")
        return _Part(name, _NUMBER | {None})

    def _chain(self, node: Chain) -> _Part:
        """The members are passed on with what each mentions; only those that can matter count."""
        line = self.source.line
        mark, found = self._mark(), self.source.assigned("[]")
        with self._members(node) as (condition, start):
            body = self.source.assigned(self.part(node.body).value)
            member = self.bounds.variable(node.variable)
            if condition is not None:
                line(f"if {body} is True and {condition.has(None)}: {body} = None")
            line(f"if {body} is False: del out[{start}:]")
            line(f"{found}.append(({member}, {body}, out[{start}:]))")
        line(f"del out[{mark}:]")
        start_at, end_at = (self.bounds.value(end, LEAST) for end in (node.start, node.end))
        chained = f"chained(phase, {start_at}, {end_at}, {found}, out)"
        return _Part(self.source.assigned(chained), _TRUTH | {None})
