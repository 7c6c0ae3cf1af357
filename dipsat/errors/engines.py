"""The errors of adjudication algorithms other than the solver."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dipsat.errors.base import DipsatError, nearest_names, shortened


class EngineError(DipsatError):
    """A phase or a profile that an adjudication algorithm cannot decide.

    Attributes: `engine` (name), `problem` (text), and `trace` (the steps up to the error, a
    `dipsat.engines.Trace` if one was asked for, else None).
    """

    instead = "use the engine 'solver' (docs/algorithms.md says when others go wrong)"
    """What to do if an algorithm goes wrong."""

    def __init__(self, engine: str, problem: str) -> None:
        super().__init__(f"the engine {engine!r} cannot decide this: {problem}")
        self.engine = engine
        self.problem = problem
        self.trace: Any = None  # its class is in a room above this one


class ContradictionError(EngineError):
    """An answer of an adjudication algorithm that contradicts the equations from which it was
    derived.

    Attributes, besides those of `EngineError`: `decision` (its name, such as `move(A LON - BEL)`),
    `found` (its value in the answer), `expected` (its value by its equation, given the other values
    in the answer), both as a strength in units or a truth value 0 or 1, and `several_cycles` (the
    orders on several cycles, if the algorithm is not made for such orders).
    """

    def __init__(
        self,
        engine: str,
        rules: str,
        decision: str,
        values: tuple[int, int],
        words: Iterable[str],
        several_cycles: tuple[str, ...] = (),
    ) -> None:
        about, found, expected = words
        cause = f"; orders on several cycles: {', '.join(several_cycles)}" if several_cycles else ""
        problem = (
            f"it found that {about} {found}, but under the rules {rules!r} it {expected} if all "
            f"else is as found{cause}"
        )
        super().__init__(engine, f"{problem}; {EngineError.instead}")
        self.decision = decision
        self.found, self.expected = values
        self.several_cycles = several_cycles


class NotMadeForError(EngineError):
    """Orders or rules that an algorithm is not made for. This is no failure of the algorithm.

    Attributes: those of `EngineError`.
    """


class EngineWorkError(EngineError):
    """Orders or rules for which an algorithm would take too many steps. The count is the same on
    every machine.

    Attributes, besides those of `EngineError`: `decision` (the name of the one at which it stopped,
    such as `move(A LON - BEL)`), `most` (the limit).
    """

    def __init__(self, engine: str, rules: str, decision: str, most: int) -> None:
        problem = (
            f"under the rules {rules!r} it takes more than {most:,} steps and was stopped at "
            f"{decision}"
        )
        super().__init__(engine, f"{problem}; {EngineError.instead}")
        self.decision = decision
        self.most = most


class CyclicOrdersError(EngineError):
    """Orders that depend on each other in a cycle, for an algorithm that cannot resolve cycles.

    Attributes, besides those of `EngineError`: `cycle` (the names of the decisions about these
    orders, each one depending on the next and the last on the first).
    """

    def __init__(self, engine: str, cycle: Iterable[str]) -> None:
        self.cycle = tuple(cycle)
        super().__init__(
            engine,
            f"these orders depend on each other in a cycle: {', '.join(self.cycle)}; try solver, "
            "partial_information, recursive_guess or decision_graph",
        )


class EngineOptionError(DipsatError):
    """An option that an adjudication algorithm does not have, or not with this value.

    Attributes: `engine` (name), `option` (as typed, "" if there is none), `problem` (text),
    `nearest` (the options most like it, best first, possibly none).
    """

    def __init__(
        self, engine: str, problem: str, option: str = "", nearest: tuple[str, ...] = ()
    ) -> None:
        super().__init__(f"the engine {shortened(engine)!r}: {problem}")
        self.engine = engine
        self.option = option
        self.problem = problem
        self.nearest = nearest

    @staticmethod
    def unknown(engine: str, option: str, known: Iterable[str]) -> EngineOptionError:
        """Return the error for an option that the engine does not have; its message names the
        nearest option, or else all options."""
        known = tuple(known)
        nearest = nearest_names(option, known, 1)
        if nearest:
            hint = f"did you mean {nearest[0]}?"
        else:
            hint = f"its options are {', '.join(known)}" if known else "it has no options"
        problem = f"unknown option {shortened(option)!r}; {hint}"
        return EngineOptionError(engine, problem, option, nearest)
