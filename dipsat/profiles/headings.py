"""The headings of entries, such as `move(m)`, and the types of their indices."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from dipsat.documents import Node
from dipsat.errors import ProfileError, did_you_mean
from dipsat.game.conditions import PLACES
from dipsat.language.parse import parse_heading
from dipsat.language.syntax import Variable
from dipsat.language.types import BUILD, POWER, Type
from dipsat.language.vocabulary import PREDICATES, QUANTIFIERS
from dipsat.profiles.additions import BASE, indices_of, name_is_taken, still_stated
from dipsat.profiles.known import Consequence
from dipsat.profiles.layers import Layers, Stated, Try

_EXCLUSIVE = (
    ("define", "decisions"), ("results", "decisions"), ("legal", "decisions"),
    ("results", "define"), ("legal", "define"), ("define", "relations"), ("define", "features"),
)  # fmt: skip
"""Sections that have no names in common, because expressions, or people, would confuse them."""


class Headings:
    """Reads the headings of a profile's entries. `attempt` notes faults; the words in `broken` are
    faulty themselves."""

    def __init__(self, layers: Layers, attempt: Try, broken: set[str]) -> None:
        self.layers = layers
        self.attempt = attempt
        self.broken = broken
        self.variables: dict[str, Type | None] = {}  # None: its type is unknown

    def read_variables(self, types: Mapping[str, Type]) -> None:
        """Read what each index stands for; `types` are those that there are."""
        for name, _, _, value in self.layers.section("variables"):
            typed = self.attempt(value.text, "a type")
            self.variables[name] = types.get(typed or "")
            if typed is not None and typed not in types and typed not in self.broken:
                hint = did_you_mean(typed, types, f"use {', '.join(types)}")
                self._problem(value, f"{typed!r} is not a type; {hint}")
            elif typed is not None:
                self._one_type(name, value)

    def _one_type(self, name: str, value: Node) -> None:
        """Refuse a variable whose type differs from that in another file whose headings use it."""
        for other in self.layers.stated("variables", name)[:-1]:
            if other.raw != value.raw and self._has_heading(other.path, name):
                place = other.place
                problem = f"variable {name!r} has type {value.raw} here and {other.raw} at {place}"
                self._problem(value, f"{problem}; rename one of the two")
                self.variables[name] = None
                return

    def _has_heading(self, path: str, index: str) -> bool:
        """Whether an entry of a file that is still in force has this index in its heading."""
        return index in self._indices_used.get(path, ())

    @cached_property
    def _indices_used(self) -> Mapping[str, set[str]]:
        """File -> the indices in the headings of its entries that are in force."""
        found: dict[str, set[str]] = {}
        for section in ("relations", "orders", "define", "legal", "decisions", "results"):
            for stated in self.layers.entries(section).values():
                for key, place, _ in still_stated(stated):
                    found.setdefault(place.path, set()).update(indices_of(key))
        return found

    def read(self, key: str, section: Node) -> tuple[str, tuple[Variable, ...]]:
        """The name and the indices of an entry. Raises `ProfileError`, or `Consequence` for an
        index whose type is faulty."""
        name, indices = parse_heading(key, section)
        for index in indices:
            if index not in self.variables:
                if index in self.broken:  # in a section whose name is misspelt
                    raise Consequence
                section.fail_at_key(key, self._undeclared(index, name, indices), ProfileError)
        found = []
        for index in indices:
            kind = self.variables[index]
            if kind is None:
                raise Consequence
            found.append(Variable(index, kind))
        return name, tuple(found)

    def _undeclared(self, index: str, name: str, indices: Sequence[str]) -> str:
        """About an index whose type is unknown, with what to write. The types of some entries are
        fixed; what lacks an index otherwise is mostly about a build or, as a relation, a power."""
        types = PLACES.get(name, ())
        if types and len(types) < len(indices):
            return f"{name} has too many indices; it is about a {' and a '.join(map(str, types))}"
        at = indices.index(index)
        usual = BUILD if index.startswith("b") else POWER
        stands_for = types[at] if at < len(types) else usual
        write = f"write for example `variables: {{{index}: {stands_for}}}`"
        known = ", ".join(self.variables)
        return f"index {index!r} is not declared under `variables`; {write}; declared: {known}"

    def check_replacement(self, stated: Sequence[Stated]) -> None:
        """Refuse entries in force that are about other objects than the earliest of their name:
        everything that uses them would be wrong. Raises `ProfileError`, or `Consequence`."""
        first, place, _ = stated[0]
        wanted = self.read(first, place)[1]
        for key, section, _ in still_stated(stated):
            if section is place:
                continue
            own = indices_of(key)
            if own and len(own) != len(wanted):  # that one too many is undeclared follows from it
                types = ", ".join(str(index.type) for index in wanted)
                wrong = "many" if len(wanted) < len(own) else "few"
                problem = f"{key} has too {wrong} indices; {first}, which it replaces, has "
                section.fail_at_key(key, f"{problem}{len(wanted)}: {types}", ProfileError)
            found = self.read(key, section)[1]
            for one, other in zip(wanted, found, strict=True):
                if one.type != other.type:
                    problem = f"{key} replaces {first}, where {one.name} is a {one.type}; "
                    problem += f"here {other.name} is a {other.type}"
                    section.fail_at_key(key, problem, ProfileError)

    def refuse_names_of_others(self) -> None:
        """Note entries with the name of a word, or of an entry of another section: of the two,
        wrong is the one of the later file."""
        for name, key, section, _ in self.layers.section("define"):
            if name in (BASE, *QUANTIFIERS, *PREDICATES):
                self._problem_at_key(key, section, name_is_taken(name))
                self.broken.add(name)
        files = [root.path for root in self.layers.heads]
        for one, other in _EXCLUSIVE:
            ours, theirs = self.layers.entries(one), self.layers.entries(other)
            for name in ours.keys() & theirs.keys():
                found = (ours[name][0], other), (theirs[name][0], one)
                (key, section, _), where = max(found, key=lambda two: files.index(two[0][1].path))
                self._problem_at_key(key, section, name_is_taken(name, where))
                self.broken.add(name)

    def _problem_at_key(self, key: str, section: Node, problem: str) -> None:
        self.attempt(section.fail_at_key, key, problem, ProfileError)

    def _problem(self, node: Node, problem: str) -> None:
        self.attempt(node.fail, problem, ProfileError)


def names_stated(root: Node, leaving_out: Collection[str]) -> set[str]:
    """The names of all keys in a file, without their indices, except in these sections."""
    found = set[str]()
    waiting = [node for key, node in root.mapping().items() if key not in leaving_out]
    while waiting:
        value = waiting.pop().value
        if isinstance(value, Mapping):
            found |= {key.partition("(")[0] for key in value}
            waiting += value.values()
        elif isinstance(value, tuple):
            waiting += value
    return found
