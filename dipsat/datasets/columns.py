"""What rows of a kind have: columns with a type and a meaning, the same in every format of files.

There are three plain types (texts, integers and truths), lists of a type, and records of named
members. Every value may also be missing (null).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

Row: TypeAlias = Mapping[str, Any]


class Plainly(Enum):
    """The types of plain values."""

    TEXT = "text"
    INTEGER = "integer"
    TRUTH = "truth"


@dataclass(frozen=True, slots=True)
class ListOf:
    """Lists, each item of one type."""

    of: Type


@dataclass(frozen=True, slots=True)
class Record:
    """Records with these members."""

    members: tuple[Column, ...]


Type: TypeAlias = Plainly | ListOf | Record


@dataclass(frozen=True, slots=True)
class Column:
    """A column of rows, or a member of a record in one."""

    name: str
    type: Type
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class RowKind:
    """A kind of row: its name, and its columns in their order."""

    name: str
    columns: tuple[Column, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    def fits(self, row: Row) -> bool:
        """Whether a row has just these columns, in any order."""
        return row.keys() == set(self.names)


def type_in_words(type: Type) -> str:
    """A type as the documentation writes it: `text`, `list of text`, `{power: text, ...}`."""
    if isinstance(type, Plainly):
        return type.value
    if isinstance(type, ListOf):
        return f"list of {type_in_words(type.of)}"
    members = (f"{member.name}: {type_in_words(member.type)}" for member in type.members)
    return f"{{{', '.join(members)}}}"
