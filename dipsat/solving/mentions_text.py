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

TERM = "None"
"""The source of a part that is a term."""


class MentionsText:
    """Writes into `source`. Each part is a Python expression; the statements that it needs are
    written before. `choices` are those that `same` is asked about, by number."""

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

    def part(self, node: Expression) -> str:
        """The constant that a part has, or None; `TERM` for a part that is never constant."""
        if not node.open:
            return self.bounds.value(node, LEAST)
        match node:
            case DecisionCall():
                self.source.line(f"out.append({self.number(node)})")
                return TERM
            case Not():
                part = self.part(node.part)
                if part == TERM:
                    return TERM
                name = self.source.assigned(part)
                return f"(None if {name} is None else not {name})"
            case Junction():
                return self._junction(node)
            case Compare() | Arithmetic():
                return self._binary(node)
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

    def _junction(self, node: Junction) -> str:
        """A part that has the value `ends` decides the whole. Parts are looked at until one does,
        which takes back what those before it have added."""
        line, ends = self.source.line, node.op == "or"
        if all(map(is_term, node.parts)):
            for part in node.parts:
                self.part(part)
            return TERM
        takes_back = any(part.open for part in node.parts[:-1])
        mark = self._mark() if takes_back else ""
        name, may_end = self.source.assigned(str(not ends)), False
        end = f"{name} = {ends}" + (f"; del out[{mark}:]" if takes_back else "")
        for part in node.parts:
            with self._if(f"{name} is not {ends}" if may_end else ""):
                found = self.part(part)
                if found == TERM:
                    line(f"{name} = None")
                elif not part.open:
                    line(f"if {'' if ends else 'not '}{found}: {end}")
                else:
                    found = self.source.assigned(found)
                    line(f"if {found} is {ends}: {end}")
                    line(f"elif {found} is None: {name} = None")
            may_end = may_end or not is_term(part)
        return name

    @contextmanager
    def _if(self, condition: str) -> Iterator[None]:
        """Let what is written meanwhile depend on a condition, unless it is empty."""
        if not condition:
            yield
            return
        self.source.line(f"if {condition}:")
        with self.source.indented():
            yield

    def _binary(self, node: Compare | Arithmetic) -> str:
        left, right = self.part(node.left), ""
        if left != TERM:
            left = self.source.assigned(left)
        right = self.part(node.right)
        if TERM in (left, right):
            return TERM
        right = self.source.assigned(right)
        both = f"{left} is None or {right} is None"
        return f"(None if {both} else {left} {node.op} {right})"

    def _choice(self, node: Choice) -> str:
        line = self.source.line
        if not node.condition.open:
            return self._choice_by_facts(node)
        start = self._mark()
        condition = self.source.assigned(self.part(node.condition))
        name, other = self.source.fresh(), self.source.fresh()
        then_at, other_at = self.source.fresh(), self.source.fresh()
        line(f"{then_at} = {other_at} = len(out)")
        line(f"{name} = {other} = None")
        with self._if(f"{condition} is not False"):
            line(f"{name} = {self.part(node.then)}")
            line(f"{other_at} = len(out)")
        with self._if(f"{condition} is not True"):
            line(f"{other} = {self.part(node.otherwise)}")
        line(f"if {condition} is False: {name} = {other}")
        line(f"elif {condition} is None:")
        with self.source.indented():
            line(f"if {name} is not None or {other} is not None:")
            with self.source.indented():
                line(f"if {name} == {other} and type({name}) is type({other}): del out[{start}:]")
                line(f"else: {name} = None")
            if node.then.open and node.otherwise.open:
                self.choices.append(node)
                asked = f"same({len(self.choices) - 1}, {self._scope()})"
                sets = f"set(out[{then_at}:{other_at}]) == set(out[{other_at}:])"
                line(f"elif {sets} and {asked}:")
                with self.source.indented():
                    line(f"del out[{other_at}:]; del out[{start}:{then_at}]")
        return name

    def _choice_by_facts(self, node: Choice) -> str:
        name = TERM if is_term(node) else self.source.fresh()
        self.source.line(f"if {self.bounds.value(node.condition, LEAST)}:")
        self._branch(name, node.then)
        self.source.line("else:")
        self._branch(name, node.otherwise)
        return name

    def _branch(self, name: str, node: Expression) -> None:
        with self.source.indented():
            found = self.part(node)
            if name != TERM:
                self.source.line(f"{name} = {found}")

    def _scope(self) -> str:
        """The variables with their values."""
        constant, variable = self.source.constant, self.bounds.variable
        return f"{{{', '.join(f'{constant(one.name)}: {variable(one)}' for one in self._bound)}}}"

    @contextmanager
    def _members(self, node: Quantifier | Chain, marks: bool) -> Iterator[tuple[str, str]]:
        """Write the loop over the members that may belong; what is written meanwhile is its body.
        Gives the names of whether a member belongs (True, or None if that is open), and with
        `marks` of how many numbers there were before."""
        variable = self.bounds.variable(node.variable)
        self.source.line(f"for {variable} in {self.bounds.value(node.domain, LEAST)}:")
        with self.source.indented(), self.bind(node.variable):
            start, chosen = self._mark() if marks else "", "True"
            if node.condition is not None:
                admits = self.part(node.condition)
                if node.condition.open:
                    chosen = admits = self.source.assigned(admits)
                    self.source.line(f"if {admits} is False: continue")
                else:
                    self.source.line(f"if not {admits}: continue")
            yield chosen, start

    def _all_any(self, node: Quantifier) -> str:
        """`all` is a conjunction of implications, `any` a disjunction of conjunctions."""
        line, is_all = self.source.line, node.op == "all"
        mark = "" if is_term(node.body) else self._mark()
        name = self.source.assigned(str(is_all))
        with self._members(node, _may_leave(node)) as (chosen, start):
            body = self.part(node.body)
            if body == TERM:
                line(f"{name} = None")
                return name
            body = self.source.assigned(body)
            if chosen != "True":
                line(f"if {chosen} is None:")
                with self.source.indented():
                    line(f"if {body} is {is_all}: del out[{start}:]; continue")
                    line(f"{body} = None")
            line(f"if {body} is {not is_all}: {name} = {not is_all}; del out[{mark}:]; break")
            line(f"if {body} is None: {name} = None")
        return name

    def _sum(self, node: Quantifier) -> str:
        line, name = self.source.line, self.source.assigned("0")
        with self._members(node, _may_leave(node)) as (chosen, start):
            body = self.part(node.body)
            if body == TERM:
                line(f"{name} = None")
                return name
            body = self.source.assigned(body)
            if chosen != "True":
                line(f"if {chosen} is None:")
                with self.source.indented():
                    line(f"if {body} == 0 and type({body}) is int: del out[{start}:]; continue")
                    line(f"{body} = None")
            line(f"{name} = None if {name} is None or {body} is None else {name} + {body}")
        return name

    def _chain(self, node: Chain) -> str:
        """The members are passed on with what each mentions; only those that can matter count."""
        line = self.source.line
        mark, found = self._mark(), self.source.assigned("[]")
        with self._members(node, marks=True) as (chosen, start):
            body = self.source.assigned(self.part(node.body))
            member = self.bounds.variable(node.variable)
            line(f"if {body} is True: {body} = {chosen}")
            line(f"if {body} is False: del out[{start}:]")
            line(f"{found}.append(({member}, {body}, out[{start}:]))")
        line(f"del out[{mark}:]")
        start_at, end_at = (self.bounds.value(end, LEAST) for end in (node.start, node.end))
        return self.source.assigned(f"chained(phase, {start_at}, {end_at}, {found}, out)")


def is_term(node: Expression) -> bool:
    """Whether a part is a term whatever the facts are: it can never be folded to a constant."""
    match node:
        case DecisionCall():
            return True
        case Not():
            return is_term(node.part)
        case Compare() | Arithmetic():
            return is_term(node.left) or is_term(node.right)
        case Junction():
            return all(map(is_term, node.parts))
        case Choice():
            return not node.condition.open and is_term(node.then) and is_term(node.otherwise)
    return False


def _may_leave(node: Quantifier) -> bool:
    """Whether a member that is looked at may take back what its condition has added."""
    return node.condition is not None and node.condition.open and not is_term(node.body)
