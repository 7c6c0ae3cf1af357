"""Reading a game without those of its phases that cannot be read.

A reader that is given no `Unread` raises the first fault. With one, it leaves out the faulty phase,
and keeps the fault with its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dipsat.errors import DocumentError, FileError, InputLimitError
from dipsat.formats.records import RecordedPhase, RecordedState, UnreadPhase

_NO_RESULT = "its result cannot be read"


class Unread:
    """The phases of one game that cannot be read."""

    def __init__(self) -> None:
        self.phases: list[UnreadPhase] = []

    def take(self, error: BaseException | None, at: int, name: str) -> bool:
        """Keep the fault of a phase after `at` others; False for an error that is none. An
        `InputLimitError` is no fault of one phase."""
        if not isinstance(error, FileError | DocumentError) or isinstance(error, InputLimitError):
            return False
        self.phases.append(UnreadPhase(at, name, str(error)))
        return True

    def found(self) -> tuple[UnreadPhase, ...]:
        """The phases, in their order in the game."""
        return tuple(self.phases)


class leaving_out:  # noqa: N801  # used as a function
    """A block that reads a phase and keeps its fault, if `unread` takes it; `at` is the number of
    phases read before it. A generator with `contextmanager` would take twice as long, for each
    part of a line."""

    __slots__ = ("at", "name", "unread")

    def __init__(self, unread: Unread | None, at: int, name: str) -> None:
        self.unread = unread
        self.at = at
        self.name = name

    def __enter__(self) -> None:
        """Begin the block."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        return self.unread is not None and self.unread.take(error, self.at, self.name)


@dataclass(frozen=True, slots=True)
class PhaseRead:
    """What was read of a phase: the board at its beginning, and its orders."""

    state: RecordedState
    orders: Mapping[str, tuple[str, ...]]
    faults: tuple[str, ...] = ()
    is_recorded: bool = False


def with_results(phases: Sequence[PhaseRead | None]) -> tuple[RecordedPhase, ...]:
    """The phases of a record in which the result of each is the board of the next; None stands for
    a phase that cannot be read."""
    found = []
    for read, following in zip(phases, [*phases[1:], None], strict=True):
        if read is None or read.state.phase is None:
            continue
        faults = read.faults
        after = None if following is None else following.state
        if not faults and following is None and read is not phases[-1]:
            faults = (_NO_RESULT,)
        fault = in_short(faults)
        found.append(
            RecordedPhase(read.state, read.orders, after, bool(faults), read.is_recorded, fault)
        )
    return tuple(found)


def in_short(faults: Sequence[str]) -> str:
    """The first fault, and how many there are besides; "" for none."""
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    return f"{faults[0]}{more}" if faults else ""
