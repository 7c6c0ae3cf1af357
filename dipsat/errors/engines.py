"""Errors of adjudication algorithms other than the solver."""

from __future__ import annotations

from collections.abc import Iterable

from dipsat.errors.base import DipsatError, nearest_names, shortened


class EngineError(DipsatError):
    """A phase or a profile that an adjudication algorithm is not made for.

    Attributes: `engine` (name), `problem`, and `trace`: how far the engine came, a
    `dipsat.engines.Trace` if one was wanted, else None.
    """

    instead = "take the engine 'solver' (docs/algorithms.md says when others go wrong)"
    """What to do where an algorithm goes wrong."""

    def __init__(self, engine: str, problem: str) -> None:
        super().__init__(f"the engine {engine!r} cannot decide this: {problem}")
        self.engine = engine
        self.problem = problem
        self.trace: object | None = None


class ContradictionError(EngineError):
    """An answer of an adjudication algorithm that contradicts the equations it was read from.

    Attributes, besides those of `EngineError`: `decision` (its name, such as `move(A LON - BEL)`),
    `found` (the value in the answer) and `expected` (what the decision's equation makes of the
    other values in the answer), truth values as 0 and 1; `several_cycles`, the orders on several
    cycles, if the algorithm is not made for such.
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
        cause = f"; on several cycles are {', '.join(several_cycles)}" if several_cycles else ""
        problem = (
            f"it found that {about} {found}, but by the rules {rules!r} it {expected} if all else "
            f"comes out as found{cause}"
        )
        super().__init__(engine, f"{problem}; {EngineError.instead}")
        self.decision = decision
        self.found, self.expected = values
        self.several_cycles = several_cycles


class NotMadeForError(EngineError):
    """Orders or rules that the algorithm does not know: no failure of the algorithm.

    Attributes: as `EngineError`.
    """


class CyclicOrdersError(EngineError):
    """Orders that depend on each other in a cycle, judged by an algorithm that has no way out.

    Attributes: those of `EngineError`, `cycle` (the decisions about these orders, by name, each
    depending on the next and the last on the first).
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

    Attributes: `engine` (name), `option` (as typed, "" if there is none), `problem`, `nearest`
    (the options most like it, best first, possibly none).
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
        """The error for an option that the engine does not have, with those that it has."""
        known = tuple(known)
        nearest = nearest_names(option, known, 1)
        if nearest:
            hint = f"did you mean {nearest[0]}?"
        else:
            hint = f"its options are {', '.join(known)}" if known else "it has no options"
        problem = f"unknown option {shortened(option)!r}; {hint}"
        return EngineOptionError(engine, problem, option, nearest)
