"""The places of a profile's decisions in the kernel: one bit each, family by family.

Objects are numbered by their units, because a unit has at most one order, provinces by their codes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import TypeVar

from dipsat.equations import Key, Phase
from dipsat.kernel.numbers import DeclinedError
from dipsat.rules import (
    CONVOY,
    DECISIONS_NEEDED,
    MOVE,
    PROVINCE,
    SUPPORT,
    UNIT,
    Decision,
    Type,
    decision_calls,
)
from dipsat.solving import on_cycles

_Key = TypeVar("_Key")


@dataclass
class Numbered:
    """`attributes` and `kinds` are those of the profile. Codes of provinces, names of powers, and
    features are numbered as the equations use them, and each map has a table for them. A feature
    comes with the number of provinces that it is about."""

    attributes: Mapping[str, int]
    kinds: Mapping[str, int]
    codes: dict[str, int] = field(default_factory=dict)
    powers: dict[str, int] = field(default_factory=dict)
    features: dict[tuple[str, int], int] = field(default_factory=dict)


def number_in(table: dict[_Key, int], key: _Key) -> int:
    """The number of a key in a table; a new key gets the next number."""
    return table.setdefault(key, len(table))


BY_UNIT = (UNIT, MOVE, SUPPORT, CONVOY)
"""The types whose objects are numbered by their unit."""

_MAX_WORDS = 4_608  # for all decisions: one family about pairs of 512 units, and some more


@dataclass(frozen=True, slots=True)
class Family:
    """A family of decisions. `sizes` has the most objects that each index can have. `word` is the
    first of its `words`. If it `is_lazy`, its decisions are computed only when they are read."""

    number: int
    decision: Decision
    sizes: tuple[int, ...]
    word: int
    words: int
    is_lazy: bool

    @property
    def is_truth(self) -> bool:
        """Whether its decisions are truth values."""
        return self.decision.type.is_truth


@dataclass(frozen=True)
class Layout:
    """The families by name, in the order in which they are evaluated, for boards with at most
    `64 * unit_words` units and maps with at most `64 * place_words` provinces. A family over orders
    that the profile declares is left out, because boards with such orders are not compiled."""

    families: Mapping[str, Family]
    unit_words: int
    place_words: int

    @property
    def truth_words(self) -> int:
        """The words of all truth values; those of the numbers follow."""
        return sum(family.words for family in self.families.values() if family.is_truth)

    @property
    def decision_words(self) -> int:
        """The words of all decisions."""
        return sum(family.words for family in self.families.values())

    def size_of(self, kind: Type) -> int | None:
        """The most objects of a type that a board can have, None for orders of declared kinds."""
        if kind.members:
            return len(kind.members)
        if kind in BY_UNIT:
            return 64 * self.unit_words
        return 64 * self.place_words if kind == PROVINCE else None

    def numbered(self, phase: Phase, number_of: Mapping[str, int]) -> Iterator[tuple[Key, int]]:
        """The decisions of a phase, sorted, with their numbers; `number_of` has the numbers of
        provinces."""
        orders = (MOVE, phase.moves), (SUPPORT, phase.supports), (CONVOY, phase.convoys)
        numbers: dict[Type, Sequence[int]] = {
            PROVINCE: [number_of[one.code] for one in phase.provinces],
            UNIT: range(len(phase.units)),
            **{kind: [one.unit.index for one in given] for kind, given in orders},
        }
        for name, family in sorted(self.families.items()):
            found = [0]
            for index, size in zip(family.decision.indices, family.sizes, strict=True):
                own = range(size) if index.type.members else numbers[index.type]
                found = [size * before + at for before in found for at in own]
            for number, at in enumerate(found):
                yield (name, number), 64 * family.word + at


def number_among(values: Sequence[str], sizes: Sequence[int]) -> str:
    """The number, in C, of a combination of objects; the last object varies fastest."""
    text, *rest = values
    for value, size in zip(rest, sizes[1:], strict=True):
        text = f"({text} * {size} + {value})"
    return text


def layout_of(
    decisions: Mapping[str, Decision],
    eager: Collection[str],
    unit_words: int,
    place_words: int,
) -> Layout:
    """The layout of these decisions. Raises `DeclinedError` if there are too many.

    Numbers, and truth values about several objects, are lazy unless they are `eager` or depend on
    themselves through such decisions alone. So the equations give a lazy decision one value once
    everything else is known.
    """
    on_a_cycle = on_cycles(
        (name, needed)
        for name, decision in decisions.items()
        for needed in decision_calls(decision.equation)
        if not {name, needed} & {*DECISIONS_NEEDED, *eager}
    )
    lazy = {
        name
        for name, decision in decisions.items()
        if not (decision.type.is_truth and len(decision.indices) == 1)
    } - {*DECISIONS_NEEDED, *eager, *on_a_cycle}
    empty = Layout({}, unit_words, place_words)
    families: dict[str, Family] = {}
    word = 0
    for is_truth in (True, False):
        for name, decision in decisions.items():
            sizes = [empty.size_of(index.type) for index in decision.indices]
            if decision.type.is_truth is not is_truth or None in sizes:
                continue
            known = tuple(size for size in sizes if size is not None)
            words = -(-prod(known) // 64)
            families[name] = Family(len(families), decision, known, word, words, name in lazy)
            word += words
            if word > _MAX_WORDS:
                raise DeclinedError(f"{name} has too many combinations")
    ordered = {name: families[name] for name in decisions if name in families}
    return Layout(ordered, unit_words, place_words)


def indices_of(family: Family) -> tuple[dict[str, str], str]:
    """The indices of a family in C, and the statements that find them from a decision's number
    `i`."""
    names: dict[str, str] = {}
    text, after = "", 1
    for at in reversed(range(len(family.sizes))):
        name, size = f"x{at}", family.sizes[at]
        whole = "i" if after == 1 else f"i / {after}"
        text += f"int {name} = {whole}{'' if at == 0 else f' % {size}'};\n(void){name};\n"
        after *= size
    for at, index in enumerate(family.decision.indices):
        names[index.name] = f"x{at}"
    return names, text


def for_each(words: str, family: Family) -> str:
    """The head of a loop over those decisions of a family that are in a set."""
    return (
        f"for (int w = {family.word}; w < {family.word + family.words}; w++)\n"
        f"for (u64 left = {words}; left; left &= left - 1) {{\nu64 bit = left & -left;\n"
        f"int i = 64 * (w - {family.word}) + LOWEST(left);\n(void)i; (void)bit;\n"
    )


def walk(kind: str, members: str, variable: str, name: str) -> str:
    """The head of a loop over a set of units or places, which binds a variable. `name` is the name
    of the walk."""
    return (
        f"struct {kind}_walk {name} = walk_{kind}s({members});\n"
        f"for (int {variable}; ({variable} = next_{kind}(&{name})) >= 0;) "
    )


def parameters(names: Iterable[str]) -> str:
    """More parameters of a function; all are numbers of objects."""
    return "".join(f", int {name}" for name in names)
