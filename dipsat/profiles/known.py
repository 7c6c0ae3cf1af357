"""What an expression may refer to besides the vocabulary: terms, decisions, declared words."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from dipsat.language.parse import Source
from dipsat.language.syntax import Variable
from dipsat.language.types import ENTITIES, NUMBER, TRUTH, UNIT, Type
from dipsat.language.vocabulary import FACTS, KINDS_OF_UNITS, Word
from dipsat.profiles.declared import Declared
from dipsat.profiles.powers import NamedPowers
from dipsat.titles import titled


@dataclass(frozen=True, slots=True)
class Definition:
    """A heading with its expression, before checking: `backing(m): sum(...)`. In it, `base` means
    that all of `base` hold, or the only one of them."""

    name: str
    indices: tuple[Variable, ...]
    source: Source
    base: tuple[Definition, ...] = ()


class Consequence(Exception):  # noqa: N818  # not an error itself: its cause is reported elsewhere
    """An expression that cannot be checked because something it refers to is faulty."""


@dataclass
class Names:
    """What an expression of the profile may refer to besides the vocabulary. `broken` holds names
    whose own text is faulty. `powers` finds those that a text names. `parts` counts those of all
    expressions checked so far; `is_full` says that there are too many, which is reported once.
    `types` has those of decisions found so far, None while one is being found."""

    defines: Mapping[str, Definition]
    decisions: Mapping[str, Definition]
    truths: Collection[str]
    broken: Collection[str] = ()
    declared: Declared = field(default_factory=Declared)
    powers: NamedPowers | None = None
    parts: int = 0
    is_full: bool = False
    types: dict[str, Type | None] = field(default_factory=dict)

    @property
    def stated(self) -> Mapping[str, Definition]:
        """All decisions and defined terms."""
        return {**self.decisions, **self.defines}

    def facts(self, kind: Type) -> Mapping[str, Word]:
        """The facts of a type: those of the vocabulary, and the attributes that units have."""
        facts = FACTS.get(kind.name) or self.declared.order_facts.get(kind.name, {})
        if kind != UNIT or not self.declared.attributes:
            return facts
        attributes = self.declared.attributes.values()
        return {**facts, **{a.name: Word(a.domain, "an attribute of the unit") for a in attributes}}

    def text_values(self, kind: Type, fact: str) -> tuple[str, ...] | None:
        """The possible texts of a fact of a type, None if any text is possible."""
        if (kind.name, fact) in KINDS_OF_UNITS:
            return self.declared.unit_words
        word = self.facts(kind).get(fact)
        return word.texts or None if word is not None else None

    def as_text(self, name: str) -> str:
        """A hint if a word stands in an expression without the quotes of a text."""
        known = {text for words in FACTS.values() for word in words.values() for text in word.texts}
        known |= {*self.declared.unit_words}
        known |= {word for kind in self.declared.types.values() for word in kind.names}
        board = self.powers.board if self.powers is not None else None
        if board is not None:
            known |= {*board.provinces, *board.powers, *map(titled, board.powers)}
        return f'; as a text it has quotes: "{name}"' if name in known else ""

    def type_called(self, name: str) -> Type | None:
        """The type of this name whose objects can be listed, None if there is none."""
        return ENTITIES.get(name) or self.declared.types.get(name)

    def decision_type(self, name: str, infer: Infer) -> Type:
        """The type of a decision: a truth value if it is one of `truths` (verdicts, and decisions
        with named conditions), else what the form of its equation shows. If the form leaves it
        open, `infer` checks the equation.

        Raises `ProfileError` at the equation if its type cannot be determined.
        """
        if name not in self.types:
            self.types[name] = None
            self.types[name] = TRUTH if name in self.truths else self._infer(name, infer)
        found = self.types[name]
        if found is None:
            source = self.decisions[name].source
            source.fail(source.tree, f"cannot tell whether {name} is a truth value or a number")
        return found

    def _infer(self, name: str, infer: Infer) -> Type | None:
        term = self.decisions[name]
        found = self._form(term.source.tree, infer, term.base)
        if found is not None:
            return found
        try:  # the form leaves it open; the checker may find it, or say what is wrong
            kind = infer(self, term)
        finally:
            del self.types[name]
        if not kind.is_number:
            problem = f"an equation gives a truth value or a number, not a {kind}"
            term.source.fail(term.source.tree, problem)
        return kind

    def _form(self, tree: ast.expr, infer: Infer, base: tuple[Definition, ...] = ()) -> Type | None:
        match tree:
            case ast.Name(id="base") if base:
                below = base[0]
                return TRUTH if base[1:] else self._form(below.source.tree, infer, below.base)
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                return TRUTH
            case ast.Constant(value=bool()):
                return TRUTH
            case ast.Constant(value=int()):
                return NUMBER
            case ast.BinOp() | ast.UnaryOp():
                return NUMBER
            case ast.IfExp(body=body, orelse=orelse):
                return self._form(body, infer, base) or self._form(orelse, infer, base)
            case ast.Call(func=ast.Name(id="sum")):
                return NUMBER
            case ast.Call(func=ast.Name(id=called)) if called in self.defines:
                key = f"define {called}"
                if key not in self.types:
                    self.types[key] = None
                    term = self.defines[called]
                    self.types[key] = self._form(term.source.tree, infer, term.base)
                return self.types[key]
            case ast.Call(func=ast.Name(id=called)) if called in self.decisions:
                if called not in self.types:
                    self.types[called] = None
                    self.types[called] = self._infer(called, infer)
                return self.types[called]
            case ast.Call():
                return TRUTH
        return None


def is_declared(kind: Type, name: str) -> bool:
    """Whether a fact of a type is declared by profiles, not part of the vocabulary."""
    return name not in FACTS.get(kind.name, {})


Infer = Callable[[Names, Definition], Type]
"""Finds the type of a term by checking it."""
