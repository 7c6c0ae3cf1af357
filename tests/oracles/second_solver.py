"""cvc5 as a second judge of dipsat's proofs. It receives only the SMT-LIB texts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

import cvc5

_STATUS = re.compile(r"^\(set-info :status \w+\)\n", re.MULTILINE)
SYSTEM, UNIQUE, RESOLUTION = ".system.smt2", ".unique.smt2", ".resolution.smt2"


@lru_cache(maxsize=64)  # a proof's files are asked about more than once
def answer(text: str) -> str:
    """The answer of cvc5, which reads strictly by the standard, to a text with one question. The
    status that dipsat states is removed, so that it cannot sway the answer.
    """
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("strict-parsing", "true")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, _STATUS.sub("", text), "proof")
    answers = []
    while True:
        command = parser.nextCommand()
        if command.isNull():
            break
        said = command.invoke(solver, parser.getSymbolManager()).strip()
        if said:
            answers.append(said)
    (only,) = answers
    return str(only)


def stated(text: str) -> str:
    """The answer that a file says to expect."""
    (found,) = re.findall(r"^\(set-info :status (\w+)\)$", text, re.MULTILINE)
    return str(found)


def names_of(files: Mapping[str, str]) -> list[str]:
    """The names before the endings: `whole`, `subgraph-1` ..."""
    return [name.removesuffix(SYSTEM) for name in files if name.endswith(SYSTEM)]


def confirmed(files: Mapping[str, str], name: str) -> str:
    """The verdict that follows from the files of a name alone: `unique`, `none`, `several`, or
    `nothing` if none follows."""
    if answer(files[name + SYSTEM]) == "unsat":
        return "none"
    if name + UNIQUE not in files:
        return "nothing"
    if answer(files[name + UNIQUE]) == "unsat":
        return "unique"
    if name + RESOLUTION in files and answer(files[name + RESOLUTION]) == "sat":
        return "several"
    return "nothing"


def equations_of(text: str) -> str:
    """What a file asserts about the system: everything but comments; in the system's own file, only
    what is before `(check-sat)`."""
    lines = (line for line in text.splitlines() if not line.startswith(";"))
    return "\n".join(line for line in lines if not line.startswith("(set-info :status"))
