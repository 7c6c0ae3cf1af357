"""The findings about an equation system as SMT-LIB 2.6, which any SMT solver can confirm.

The text is the one that Z3 gets (`dipsat.terms.smtlib`), with a heading for readers.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dipsat.solving.models import Resolution
from dipsat.solving.system import System
from dipsat.terms.smtlib import SmtWriter, symbol_text
from dipsat.terms.term import Key

_WIDTH = 96  # columns of a comment
_INTRODUCTION = (
    "Each decision is an unknown, and each equation of the rule profile an assertion; what "
    "satisfies all assertions is a consistent resolution of the orders. A truth value is the "
    "boolean of its name. A number is written in booleans too: |n(x) >= 2| says that it is at "
    "least 2. A number with one possible value has no boolean, and a comparison that the ranges of "
    "the numbers decide is written as its result."
)
_EXISTENCE = "is there a consistent resolution? sat: there is. unsat: there is none."
_UNIQUENESS = (
    "is there a consistent resolution that differs from the one above? unsat: there is none; if "
    "{system} is sat, the one above is the only one. sat: there is another."
)
_MEMBERSHIP = (
    "do the values above satisfy the equations? sat: they are a consistent resolution. unsat: they "
    "are not."
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A finding about some decisions, for another solver to confirm.

    `title` says which decisions they are, `about` names rules, map and phase; `orders` are those
    that the decisions are about, as lines of text. `verdict` is unique, none, several or unknown,
    `found` says the same in words; `solver` says what has found it, "" if nothing was asked;
    `resolution` is one that was found, None if none was.
    """

    title: str
    about: str
    orders: Sequence[str]
    keys: Sequence[Key]
    verdict: str
    found: str
    solver: str
    resolution: Resolution | None


def smt2_files(system: System, claim: Claim, name: str) -> dict[str, str]:
    """File name -> SMT-LIB 2.6 text; the names begin with `name`.

    `NAME.system.smt2` asks for a resolution. If one was found, `NAME.unique.smt2` asks for another.
    For the verdict `several`, `NAME.resolution.smt2` asks whether the one found is a resolution, so
    that the other makes two. Each file states the expected answer as `:status`.
    """
    system_file = f"{name}.system.smt2"
    smt = SmtWriter(system.name, system.bounds)
    writer = _CertificateWriter(system, claim, smt.text(system.part(claim.keys)))
    exists = "unknown" if claim.verdict == "unknown" else "unsat"
    if claim.resolution is None:
        return {system_file: writer.file(_EXISTENCE, exists)}
    another = {"unique": "unsat", "several": "sat"}.get(claim.verdict, "unknown")
    differs = smt.differs({key: claim.resolution[key] for key in claim.keys})
    uniqueness = _UNIQUENESS.format(system=system_file)
    files = {
        system_file: writer.file(_EXISTENCE, "sat"),
        f"{name}.unique.smt2": writer.file(uniqueness, another, claim.resolution, differs),
    }
    if claim.verdict == "several":
        equals = f"(assert (not {differs.removeprefix('(assert ')})"
        text = writer.file(_MEMBERSHIP, "sat", claim.resolution, equals)
        files[f"{name}.resolution.smt2"] = text
    return files


class _CertificateWriter:
    """Writes the files of one claim; `equations` are the declarations and assertions of its
    system."""

    def __init__(self, system: System, claim: Claim, equations: str) -> None:
        self.system = system
        self.claim = claim
        self.equations = equations

    def file(
        self, question: str, status: str, resolution: Resolution | None = None, extra: str = ""
    ) -> str:
        """A file that asks a question about the system, with `extra` as another assertion."""
        comments = [*self._heading(), *self._ranges()]
        if resolution is not None:
            comments += ["", "The resolution that dipsat found:", *self._values(resolution)]
        by = f" by {self.claim.solver}" if self.claim.solver else ""
        answer = f"dipsat found{by}: {self.claim.found}. Expected answer: {status}."
        comments += ["", f"Question: {question}", answer]
        lines = [
            *_commented(comments),
            "(set-info :smt-lib-version 2.6)",
            "(set-logic QF_UF)",
            f"(set-info :status {status})",
            self.equations,
            *([extra] if extra else []),
            "(check-sat)",
            "(exit)",
        ]
        return "\n".join(line for line in lines if line) + "\n"

    def _heading(self) -> Iterator[str]:
        yield f"{self.claim.title}: {self.claim.about}"
        yield ""
        yield "The orders that its decisions are about:"
        yield from (f"  {order}" for order in self.claim.orders)
        yield ""
        yield _INTRODUCTION

    def _ranges(self) -> Iterator[str]:
        """The ranges of the numbers, which the booleans do not show."""
        numbers = [key for key in self.claim.keys if not self.system.equations[key][1]]
        if numbers:
            yield ""
            yield "Numbers, and the values that the equation of each can have:"
        for key in numbers:
            low, high = self.system.bounds(key)
            values = f"from {low} to {high}" if low != high else f"{low}"
            yield f"  {symbol_text(self.system.name(key))}: {values}"

    def _values(self, resolution: Mapping[Key, int]) -> Iterator[str]:
        for key in self.claim.keys:
            value = resolution[key]
            is_truth = self.system.equations[key][1]
            shown = str(bool(value)).lower() if is_truth else str(value)
            yield f"  {symbol_text(self.system.name(key))} = {shown}"


def _commented(paragraphs: Iterable[str]) -> Iterator[str]:
    """Paragraphs as comment lines; no character in them can end a line and leave the comment."""
    for paragraph in paragraphs:
        text = "".join(c if c.isprintable() else "?" for c in paragraph)
        indent = " " * (len(text) - len(text.lstrip()))
        lines = textwrap.wrap(text.strip(), _WIDTH - len(indent)) or [""]
        yield from (f"; {indent}{line}".rstrip() for line in lines)
