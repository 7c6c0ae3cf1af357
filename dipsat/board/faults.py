"""Collect the problems of a map file, so that all of them are reported at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from dipsat.board.names import words_of
from dipsat.documents import Node
from dipsat.errors import (
    LISTED_FAULTS,
    DipsatError,
    DocumentError,
    MapError,
    ProblemsError,
    nearest_names,
    shortened,
)
from dipsat.limits import ENDLESS, Running


class Faults:
    """The problems found so far. A map that changes another has nodes of several files. `limits`
    are those of a running call."""

    def __init__(self, limits: Running = ENDLESS) -> None:
        self.limits = limits
        self.found: list[DipsatError] = []

    def add(self, node: Node, problem: str) -> None:
        """Note a problem at a value."""
        self.found.append(MapError(node.path, node.line, node.column, problem))

    def add_at_key(self, node: Node, key: str, problem: str) -> None:
        """Note a problem at a key of the mapping `node`."""
        self.found.append(MapError(*node.place_of(key), problem))

    def hint(self, name: str, known: Iterable[str]) -> str:
        """The end of a message about an unknown name, as by `hint`; "" after so many problems that
        no message lists the next one."""
        return hint(name, known) if len(self.found) < LISTED_FAULTS else ""

    @contextmanager
    def gather(self) -> Iterator[None]:
        """Note the error of a value of the wrong kind or of an unknown key, and go on. Raises
        `ExhaustedError` if the time is up."""
        self.limits.check()
        try:
            yield
        except DocumentError as error:
            self.found.append(error)

    def stop_if_any(self) -> None:
        """Raise the problems, in file order, as a `ProblemsError`; a lone wrong key or value is
        raised as it is."""
        problems = sorted(self.found, key=_place)
        if len(problems) == 1 and not isinstance(problems[0], MapError):
            raise problems[0]
        if problems:
            raise ProblemsError(problems)

    def check_names(self, things: Mapping[str, tuple[Node, Iterable[str]]]) -> None:
        """Note each name that stands for two things, or has no word in it."""
        owner: dict[tuple[str, ...], str] = {}
        for thing, (node, names) in things.items():
            for name in (thing, *names):
                words = words_of(name)
                first = owner.setdefault(words, thing)
                if not words:
                    self.add(node, f"the name {shortened(name)!r} of {thing} has no word in it")
                elif first != thing:
                    self.add(node, f"the name {shortened(name)!r} stands for {first} and {thing}")


def _place(error: DipsatError) -> tuple[str, int, int]:
    assert isinstance(error, DocumentError)
    return error.path, error.line, error.column


def hint(name: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the nearest known one, if any is near."""
    close = nearest_names(name, known, 1)
    return f"; did you mean {close[0]}?" if close else ""
