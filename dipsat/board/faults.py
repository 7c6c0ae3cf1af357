"""Collect the problems of a map file, so that all of them are reported at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from dipsat.board.changes import Changes
from dipsat.board.names import words_of
from dipsat.board.province import province_of
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
from dipsat.grouped import grouped

_SHOWN, _LINES = 3, 12  # problems that follow from one change, and the lines of each


class Faults:
    """The problems found so far. A map that changes another has nodes of several files, and
    `changes` says what of the other map it changes."""

    def __init__(self, changes: Changes | None = None) -> None:
        self.changes = changes or Changes()
        self.found: list[DipsatError] = [*self.changes.faults]
        self._follows: dict[str, list[MapError]] = {}

    def add(self, node: Node, problem: str, *about: str) -> None:
        """Note a problem at a value: one that is about these names, the likelier cause first. What
        follows in the other map from a change of one of them is a problem of that change."""
        self._note(MapError(node.path, node.line, node.column, problem), about)

    def add_at_key(self, node: Node, key: str, problem: str, *about: str) -> None:
        """Note a problem at a key of the mapping `node`."""
        self._note(MapError(*node.place_of(key), problem), about)

    def _note(self, fault: MapError, about: Sequence[str]) -> None:
        changed = self.changes.of(fault.path, about)
        if changed is None:
            self.found.append(fault)
        else:
            self._follows.setdefault(changed, []).append(fault)

    def _consequences(self) -> Iterator[MapError]:
        """One problem for each change of a name from which problems in the other map follow."""
        for name, faults in self._follows.items():
            what = "removed" if name in self.changes.removed else "changed"
            problem = f"{name} is {what} here, which does not fit the map that this one extends"
            told = grouped(
                ((one.path, one.problem), str(one.line))
                for one in sorted(faults, key=_place)
                if one.path not in self.changes.hidden
            )
            shown = [f"{said} ({path}:{_some(lines)})" for (path, said), lines in told.items()]
            more = f"; and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
            problem += f": {'; '.join(shown[:_SHOWN])}{more}" if shown else ""
            yield MapError(*self.changes.places[name], problem)

    def hint(self, name: str, known: Iterable[str]) -> str:
        """The end of a message about an unknown name, as by `hint`; "" after so many problems that
        no message lists the next one, or if it is unknown because it was changed."""
        if len(self.found) >= LISTED_FAULTS or province_of(name) in self.changes.places:
            return ""
        return hint(name, known)

    @contextmanager
    def gather(self) -> Iterator[None]:
        """Note the error of a value of the wrong kind or of an unknown key, and go on."""
        try:
            yield
        except DocumentError as error:
            self.found.append(error)

    def stop_if_any(self) -> None:
        """Raise the problems, in file order, as a `ProblemsError`; a lone wrong key or value is
        raised as it is."""
        problems = sorted([*self.found, *self._consequences()], key=_place)
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
                    problem = f"the name {shortened(name)!r} stands for {first} and {thing}"
                    self.add(node, problem, thing, first)


def _some(lines: Sequence[str]) -> str:
    """The first of many lines."""
    return ", ".join(lines[:_LINES]) + ("..." if len(lines) > _LINES else "")


def _place(error: DipsatError) -> tuple[str, int, int]:
    assert isinstance(error, DocumentError)
    return error.path, error.line, error.column


def hint(name: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the nearest known one, if any is near."""
    close = nearest_names(name, known, 1)
    return f"; did you mean {close[0]}?" if close else ""
