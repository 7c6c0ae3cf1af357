"""Python source that is written line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class PythonSource:
    """Lines of Python. `constants` are the values that the source refers to as k0, k1 ..."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.constants: list[object] = []
        self._depth = 0
        self._counter = 0

    @property
    def text(self) -> str:
        """The source."""
        return "\n".join(self.lines)

    def constant(self, value: object) -> str:
        """The name of a value from a rule file, passed by reference."""
        self.constants.append(value)
        return f"k{len(self.constants) - 1}"

    def fresh(self) -> str:
        """A new name."""
        self._counter += 1
        return f"t{self._counter}"

    def assigned(self, text: str) -> str:
        """A new name for the value of a Python expression."""
        name = self.fresh()
        self.line(f"{name} = {text}")
        return name

    def line(self, text: str) -> None:
        """Write a line."""
        self.lines.append(" " * self._depth + text)

    @contextmanager
    def indented(self) -> Iterator[None]:
        """Indent the lines that are written meanwhile."""
        self._depth += 1
        yield
        self._depth -= 1

    @contextmanager
    def apart(self) -> Iterator[list[str]]:
        """Put the lines that are written meanwhile into a list, for `insert`."""
        found: list[str] = []
        before, self.lines = self.lines, found
        yield found
        self.lines = before

    def insert(self, lines: Iterable[str]) -> None:
        """Write lines that were put apart one level further out."""
        self.lines += [" " + line for line in lines]
