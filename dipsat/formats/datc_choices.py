"""The choices of DATC chapter 4: for which a result is stated, and which a profile makes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from dipsat.documents import Node
from dipsat.errors.arguments import checked
from dipsat.profiles.layers import Layer, standings
from dipsat.profiles.load import load_profile
from dipsat.profiles.profile import Profile
from dipsat.values import brief, kept_on_first

_CONDITION = re.compile(r"(?:(\d\.[A-E]\.\d)-)?([\w.-]+(?:/[\w.-]+)*)")


@brief()
@dataclass(frozen=True, slots=True)
class ChoiceCondition:
    """A condition that one of these choices is made, or one of these rulebooks named."""

    text: str
    """The condition as written: `4.A.2-1971/1982`."""
    names: tuple[str, ...]
    """The single choices: `4.A.2-1971`, `4.A.2-1982`."""

    @checked
    def is_met(self, chosen: Iterable[str]) -> bool:
        """Whether one of the choices is among `chosen`."""
        return any(name in chosen for name in self.names)


def read_conditions(node: Node) -> tuple[ChoiceCondition, ...]:
    """A list of conditions; `4.A.2-1971/1982` names several choices of one issue.

    Raises `DocumentError` for a text that names none.
    """
    return tuple(_condition(item) for item in node.sequence("conditions"))


def _condition(node: Node) -> ChoiceCondition:
    match = _CONDITION.fullmatch(node.text("a condition"))
    if match is None:
        node.fail(f"{node.raw!r} names no choice; write 4.A.1-a, 4.A.1-a/b, or a profile")
    prefix = f"{match[1]}-" if match[1] else ""
    return ChoiceCondition(node.raw, tuple(prefix + name for name in match[2].split("/")))


def combinations(conditions: Iterable[ChoiceCondition]) -> list[tuple[str, ...]]:
    """Every way to meet all conditions with one name each."""
    return list(product(*(condition.names for condition in conditions)))


@kept_on_first(4)
def choices_of(profile: Profile, standard: Profile) -> frozenset[str]:
    """The names of the choices in force under a profile (the last one for each issue), and of the
    rulebooks that it is composed of (the profiles in the folder of `standard`) and whose choices
    are all in force.

    A rulebook chooses nothing for an issue that it does not list. A profile without a rulebook
    makes the choices of `standard`, unless it says otherwise.
    """
    books = _books(profile, standard)
    own = _by_issue(profile)
    issues = own if books else {**_by_issue(standard), **own}
    lost = {one.file for one in standings(profile.layers) if one.lost} if books else ()
    whole = (book for book in books if book.root.path not in lost and _agrees(book, own))
    return frozenset((*(_stem(book.root.path) for book in whole), *issues.values()))


def books_of(profile: Profile, standard: Profile) -> frozenset[str]:
    """The names of the rulebooks that a profile is composed of, whatever is laid over them."""
    return frozenset(_stem(book.root.path) for book in _books(profile, standard))


def _books(profile: Profile, standard: Profile) -> list[Layer]:
    folder = Path(standard.path).parent
    return [layer for layer in profile.layers if Path(layer.root.path).parent == folder]


def _agrees(book: Layer, chosen: Mapping[str, str]) -> bool:
    """Whether the choices of a rulebook are in force."""
    stated = _by_issue(load_profile(Path(book.source[0])))
    return all(chosen.get(issue) == name for issue, name in stated.items())


def _by_issue(profile: Profile) -> dict[str, str]:
    return {layer.issue: _stem(layer.root.path) for layer in profile.layers if layer.issue}


def _stem(path: str) -> str:
    """A profile's name, which may contain dots: `4.A.2-1971`, `datc-2.4`."""
    return Path(path).name.removesuffix(".yaml").removesuffix(".yml")
