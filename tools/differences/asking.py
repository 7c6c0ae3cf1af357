"""The fewest units, found by asking `dipsat.search` about each number with the same steps."""

from __future__ import annotations

from dataclasses import dataclass, replace

import dipsat
from dipsat import searches
from dipsat.errors import NumberRangeError, QuestionError
from dipsat.game import MOST_UNITS, Position
from dipsat.rules import Profile, load_profile
from dipsat.searches.difference_goal import suspects_among
from dipsat.searches.open_unit_facts import decide_alike_in_full
from tools.differences.boards import SEARCH, Example, judged

NEVER = MOST_UNITS + 1
"""The bound of rules that decide the same with any number of units."""


@dataclass(frozen=True, slots=True)
class Effort:
    """The limits of a search."""

    work: int
    """Steps for each number of units."""
    most: int
    """The most units; fewer than `MOST_UNITS`, so that no bound from a search is `NEVER`."""


@dataclass(frozen=True, slots=True)
class Fewest:
    """A search's result: fewer than `bound` units are not enough; None if it cannot be asked."""

    bound: int | None
    result: dipsat.SearchResult | None = None
    refused: str = ""


def fewest(
    question: dipsat.Differ | dipsat.Paradox, rules: dipsat.Profile, effort: Effort, first: int = 1
) -> Fewest:
    """Ask about `first` units, then one more, and so on, until there is an answer or no way on."""
    for number in range(first, effort.most + 1):
        position = searches.OpenPosition.from_units(f"any {number}", "standard")
        limits = dipsat.Limits(work=effort.work)
        try:
            found = dipsat.search(position, question, rules=rules, limits=limits)
        except NumberRangeError:
            return Fewest(number)  # too many units for clauses
        except QuestionError as error:
            return Fewest(None, refused=str(error))
        if found.verdict != "impossible":
            return Fewest(number, found if found.verdict == "found" else None)
    return Fewest(max(first, effort.most + 1))


def smallest_difference(
    one: str, other: str, effort: Effort, first: int = 1
) -> tuple[Fewest, Example | None]:
    """The fewest units with which two profiles differ, and the board if the search found one."""
    profiles = load_profile(one), _alike(load_profile(one), load_profile(other))
    found = fewest(dipsat.Differ(profiles[1]), profiles[0], effort, first)
    if found.bound is None:
        return _by_cycles(profiles, found, effort), None
    if found.result is None:
        return (Fewest(NEVER) if decide_alike_in_full(*profiles) else found), None
    position = Position.from_units(found.result.units, "standard")
    board = judged(position, found.result.orders, one, other)
    if not board.differs:  # the settings that `_alike` changed cancel the difference
        return Fewest(found.bound), None
    return found, board.example(SEARCH)


def _alike(one: Profile, other: Profile) -> Profile:
    """The second profile with those settings of the first that make no difference if all units have
    orders in full, including the coasts in supports. A search may refuse different ones."""
    mine = one.settings
    settings = replace(
        other.settings,
        support_coast=mine.support_coast,
        disorder_support=mine.disorder_support,
    )
    return replace(other, settings=settings)


def _by_cycles(profiles: tuple[Profile, Profile], asked: Fewest, effort: Effort) -> Fewest:
    """Profiles with the same equations differ only where their cycle rules settle a cycle
    differently, so a difference needs at least as many units as such a cycle. The search looks for
    the cycles of the first profile's rules. The other profile's rules are about the same cycles if
    each has the condition of one of these."""
    one, other = profiles
    suspects = suspects_among(one, other)
    mine = [rule for rule in suspects or () if rule in one.cycles]
    if not mine or not {rule.when for rule in suspects or ()} <= {rule.when for rule in mine}:
        return asked
    bounds = [fewest(dipsat.Paradox(rule.name), one, effort).bound for rule in mine]
    known = [bound for bound in bounds if bound is not None]
    return replace(asked, bound=min(known) if len(known) == len(bounds) else None)
