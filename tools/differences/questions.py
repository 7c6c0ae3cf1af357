"""The questions of the table of differences: pairs of rules, and kinds of paradoxes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from dipsat.rules import DEFAULT_RULES, load_profile, shipped_names

PARADOXES = Path(__file__).resolve().parent.parent.parent / "docs" / "atlas" / "paradoxes.yaml"
"""The default rules with a name for each kind of decision cycle."""
RULEBOOKS, CHOICES, JUDGES = "rulebooks", "choices", "judges"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two rule profiles, and the section of the table about them."""

    section: str
    one: str
    other: str

    @property
    def name(self) -> str:
        """The name of the pair in the table."""
        return f"{self.one} and {self.other}"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of decision cycle under some rules."""

    rules: str
    kind: str

    @property
    def name(self) -> str:
        """The name of the kind in the table."""
        return f"{self.kind} under {self.rules}"

    @property
    def file(self) -> Path:
        """The file of the rules."""
        return PARADOXES.with_stem(self.rules)


def pairs() -> Iterator[Pair]:
    """Every pair of rulebooks, then every choice and every deviation of a judge with the default
    rules."""
    names = {section: _names(section) for section in (RULEBOOKS, CHOICES, JUDGES)}
    books = [DEFAULT_RULES, *names[RULEBOOKS]]
    yield from (Pair(RULEBOOKS, *two) for two in combinations(books, 2))
    for section in (CHOICES, JUDGES):
        yield from (Pair(section, DEFAULT_RULES, name) for name in names[section])


def _names(section: str) -> list[str]:
    return [name for name in shipped_names() if name.startswith(f"{section}/")]


def kinds() -> Iterator[Kind]:
    """The kinds of decision cycles without the last one, which a theorem excludes."""
    found = [rule.name for rule in load_profile(PARADOXES).cycles]
    yield from (Kind(PARADOXES.stem, name) for name in found[:-1])
