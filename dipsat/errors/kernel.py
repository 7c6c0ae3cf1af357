"""Errors of compiled rules: a compiler that fails, and a library that cannot be loaded."""

from __future__ import annotations

from collections.abc import Iterable

from dipsat.errors.base import DipsatError

_SHOWN_LINES = 5  # of a compiler's messages


class KernelError(DipsatError):
    """Rules that could not be compiled to machine code, or not be loaded. Attribute: `problem`
    (text)."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


class KernelBuildError(KernelError):
    """A C compiler that cannot be started, fails, or writes no library.

    Attributes, besides that of `KernelError`: `compiler` (its command), `status` (its exit status;
    None if it could not be started), `messages` (the first lines that it printed).
    """

    def __init__(self, compiler: str, status: int | None, messages: Iterable[str]) -> None:
        self.compiler = compiler
        self.status = status
        self.messages = tuple(messages)
        ended = "could not be started" if status is None else f"ended with status {status}"
        shown = "\n".join(("", *self.messages[:_SHOWN_LINES]))
        super().__init__(
            f"the C compiler {compiler!r} {ended}{':' if self.messages else ''}{shown}"
        )


class KernelTimeoutError(KernelError):
    """A C compiler that took too long and was stopped.

    Attributes, besides that of `KernelError`: `compiler` (its command), `seconds` (the limit).
    """

    def __init__(self, compiler: str, seconds: float) -> None:
        self.compiler = compiler
        self.seconds = seconds
        super().__init__(f"the C compiler {compiler!r} was stopped after {seconds} seconds")


class KernelLoadError(KernelError):
    """A compiled library that cannot be loaded: it has changed, was made for another kind of
    computer, or the system does not execute files in its folder.

    Attributes, besides that of `KernelError`: `path` (the library).
    """

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}")
        self.path = path
        self.problem = problem


class CodeError(DipsatError):
    """A number in the codes of a board that means nothing, or arrays that do not fit together.

    Attributes: `board` (its number), `unit` (its number on the board; both None if it is not about
    one), `problem` (text).
    """

    def __init__(self, board: int | None, unit: int | None, problem: str) -> None:
        place = [
            f"{what} {at}" for what, at in (("board", board), ("unit", unit)) if at is not None
        ]
        super().__init__(f"{', '.join(place)}: {problem}" if place else problem)
        self.board = board
        self.unit = unit
        self.problem = problem
