"""Kinds of orders that rules declare, and how they are written.

A form is a text such as `{unit} - TSR - {target: Province}`: words as they are typed (`X|exchange`
for either), and fields in braces for units and provinces. `{unit}` is the ordered unit; a form
without it is an order of a power and not of a unit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from dipsat.errors import shortened
from dipsat.limits_of_input import FORM_PARTS
from dipsat.orders.order import DeclaredOrder, UnitName

FIELD_TYPES = ("Unit", "Province")
UNIT_FIELD = "unit"
EXTRA_SEASONS = {"summer": "U"}
"""The seasons in which rules may add a phase, with the letter that its name begins with."""

_PART = re.compile(r"\{([^{}]*)\}|([^\s{}]+)")
_FIELD = re.compile(r"\s*([A-Za-z_]\w*)\s*(?::\s*(\w+)\s*)?")
_WORD = re.compile(r"-|[^\W_]+(?:\|[^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Word:
    """Alternative words, in lower case. Any of them is read; the first is written, spelled as in
    `shown`."""

    words: tuple[str, ...]
    shown: str


@dataclass(frozen=True, slots=True)
class Slot:
    """What an order names: a field, and whether that is a `Unit` or a `Province`."""

    name: str
    type: str


Form: TypeAlias = tuple[Word | Slot, ...]


@dataclass(frozen=True, slots=True)
class OrderKind:
    """A kind of order: its name and its forms. All of them are read, the first is written.

    With `line`, the name of a line of the map, the ordered unit goes along that line to the
    field `target`. `season` is the letter of the season in whose extra phase it is given ("": in
    movement phases).
    """

    name: str
    forms: tuple[Form, ...]
    line: str = ""
    season: str = ""
    fields: tuple[Slot, ...] = field(init=False)

    def __post_init__(self) -> None:
        slots = (part for part in self.forms[0] if isinstance(part, Slot))
        fields = tuple(sorted((s for s in slots if s.name != UNIT_FIELD), key=lambda s: s.name))
        object.__setattr__(self, "fields", fields)

    @property
    def is_of_unit(self) -> bool:
        """Whether it is an order of a unit, and not only of a power."""
        return any(isinstance(part, Slot) and part.name == UNIT_FIELD for part in self.forms[0])

    def written(self, order: DeclaredOrder) -> DeclaredOrder:
        """An order of this kind with its text."""
        named = {**dict(order.fields), UNIT_FIELD: order.unit}
        parts = (p.shown if isinstance(p, Word) else named[p.name] for p in self.forms[0])
        texts = (part.text() if isinstance(part, UnitName) else part for part in parts)
        return replace(order, text=" ".join(texts))


def read_form(text: str) -> Form:
    """The form that a text states.

    Raises `ValueError` with what is wrong, and `InputLimitError` for a form with too many parts.
    """
    parts: list[Word | Slot] = []
    for match in _PART.finditer(text):
        FORM_PARTS.check(len(parts) + 1)
        parts.append(_word(match[2]) if match[1] is None else _slot(match[1]))
    if _PART.sub("", text).strip():
        raise ValueError("a brace is not closed")
    seen: set[str] = set()
    for part in parts:
        if isinstance(part, Slot) and part.name in seen:
            raise ValueError(f"{{{part.name}}} occurs twice")
        seen |= {part.name} if isinstance(part, Slot) else set()
    if not any(isinstance(part, Word) and part.shown != "-" for part in parts):
        raise ValueError("a form needs a word that distinguishes it from other orders")
    return tuple(parts)


def _word(text: str) -> Word:
    if not _WORD.fullmatch(text):
        problem = f"{shortened(text)!r} is not a word; write words, -, and fields in braces"
        raise ValueError(problem)
    words = text.split("|")
    FORM_PARTS.check(len(words))
    return Word(tuple(word.casefold() for word in words), words[0])


def _slot(text: str) -> Slot:
    match = _FIELD.fullmatch(text)
    if match is None:
        raise ValueError(f"{{{shortened(text)}}} is not a field; write {{name: Province}}")
    name, kind = match[1], match[2]
    if name == UNIT_FIELD and kind in (None, "Unit"):
        return Slot(name, "Unit")
    if kind not in FIELD_TYPES:
        raise ValueError(
            f"{{{shortened(text)}}} does not say what it is: {' or '.join(FIELD_TYPES)}"
        )
    return Slot(name, kind)
