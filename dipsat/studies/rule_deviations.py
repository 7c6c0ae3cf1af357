"""Why another program judged a phase differently: the smallest set of known deviations.

Each deviation of another program is a rule profile under `rules/judges`. Deviations explain a
difference only if dipsat decides the WHOLE phase under them as the other program did; so a
difference that merely looks like a known cause stays unexplained.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import chain, combinations
from pathlib import Path
from typing import TypeAlias

from dipsat.base import brief, data_folder, kept_on_first, read_text
from dipsat.errors import ProblemsError, ProfileError, UnknownNameError, UnresolvedError
from dipsat.outcomes import Outcome
from dipsat.rules import (
    Layer,
    Profile,
    combined_files,
    composed_profile,
    load_profile,
    profile_title,
    shipped_files,
)

_MOST_AT_ONCE = 3  # deviations; no board of 27 units has needed more so far

_FOLDER = "judges"


@brief()
@dataclass(frozen=True, slots=True)
class Deviation:
    """A known way in which a program departs from the preferences of the DATC."""

    name: str
    """The name of its file in `rules/judges`."""
    title: str
    """A sentence that describes it and names the section of the DATC that it departs from."""

    def __hash__(self) -> int:  # needed for every phase that differs
        return hash(self.name)

    def __str__(self) -> str:
        return self.name


@cache
def deviations() -> tuple[Deviation, ...]:
    """Return all known deviations, the most frequent first, in the order of
    `rules/judges/order.txt`.

    Raises `FileError`, `UnknownNameError` or `DocumentError` if that folder is damaged.
    """
    lines = read_text(data_folder("rules") / _FOLDER / "order.txt").splitlines()
    names = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    return tuple(Deviation(name, profile_title(_file_of(name))) for name in names)


def profile_with(rules: str | Path | Profile, deviating: Iterable[Deviation]) -> Profile:
    """Return the profile `rules` with these deviations laid over it, in any order; without any,
    `rules` itself. The same arguments give the same profile.

    Equations that a program changed in a loaded profile are taken as they were loaded; settings
    that it changed are kept unless a deviation changes them. Raises the errors of `load_profile`,
    `UnknownNameError` for a deviation that is none of `deviations()`, and `ProfileError` or
    `ProblemsError` if a deviation does not fit the names that the rules use.
    """
    found = load_profile(rules)
    chosen = frozenset(deviating)
    for unknown in chosen - {*deviations()}:
        raise UnknownNameError("deviation", unknown.name, [known.name for known in deviations()])
    ordered = tuple(one for one in deviations() if one in chosen)
    return _combined(found, ordered) if chosen else found


@kept_on_first(1024)
def _combined(rules: Profile, chosen: tuple[Deviation, ...]) -> Profile:
    names = [deviation.name for deviation in chosen]
    above = chain.from_iterable(map(_files_of, names))
    layers = (*_files_of("base"), *rules.layers, *above)
    found = combined_files(layers, " + ".join([rules.name, *names]), allowed=rules.allowed)
    stated = composed_profile(rules.layers, rules.allowed).settings
    # Settings that were changed in Python, after loading, hold unless a deviation changes them.
    changed = {
        setting.name: getattr(rules.settings, setting.name)
        for setting in fields(stated)
        if getattr(rules.settings, setting.name) != getattr(stated, setting.name)
        and getattr(found.settings, setting.name) == getattr(stated, setting.name)
    }
    return replace(found, settings=replace(found.settings, **changed)) if changed else found


@cache
def _files_of(name: str) -> tuple[Layer, ...]:
    return shipped_files(_file_of(name))


def _file_of(name: str) -> str:
    return f"{_FOLDER}/{name}"


def explaining_deviations(
    adjudicate: Callable[[Profile], Outcome],
    agrees: Callable[[Outcome], bool],
    rules: str | Path | Profile,
    candidates: Sequence[Deviation] | None = None,
) -> tuple[Deviation, ...] | None:
    """Return the smallest set of at most three deviations that explains the other judge's decision:
    empty if the rules themselves agree with it, None if no set explains it.

    `adjudicate` adjudicates the phase under a profile; `agrees` says whether an outcome is what the
    other judge decided. `candidates` are the deviations to consider (default: all), the likeliest
    first. A set is tried if it adds one deviation to a set whose deviations, one after the other,
    each change something in this phase (if only the value of a decision). If several smallest sets
    explain the decision, one with many such subsets is preferred, then the likeliest. Deviations
    that do not fit the rules, or with which the phase cannot be resolved, explain nothing. Loaded
    `rules` are faster than a path.

    Raises the errors of `load_profile` and `adjudicate` for the rules themselves.
    """
    rules = load_profile(rules)
    plain = adjudicate(rules)
    if agrees(plain):
        return ()
    known = deviations() if candidates is None else tuple(candidates)
    smaller: dict[_Set, Hashable] = {frozenset(): None}  # sets that change something
    for count in range(1, _MOST_AT_ONCE + 1):
        tried: dict[_Set, tuple[Hashable, list[_Set]]] = {}
        for chosen, parts in _sets(known, smaller, count):
            outcome = _outcome(adjudicate, rules, chosen)
            if outcome is not None:
                if agrees(outcome):
                    return chosen
                tried[frozenset(chosen)] = _state(outcome), parts
        if count == 1:
            smaller[frozenset()] = _state(plain)
        smaller = {
            one: state
            for one, (state, parts) in tried.items()
            if any(state != smaller[part] for part in parts)
        }
    return None


_Set: TypeAlias = frozenset[Deviation]


def _sets(
    known: Sequence[Deviation], smaller: Collection[_Set], count: int
) -> list[tuple[tuple[Deviation, ...], list[_Set]]]:
    """The sets of this size that add one deviation to a set in `smaller`, each with its subsets in
    there; those with the most subsets first, then in the order of the deviations."""
    found = []
    for chosen in combinations(known, count):
        parts = [frozenset(part) for part in combinations(chosen, count - 1)]
        parts = [part for part in parts if part in smaller]
        if parts:
            found.append((chosen, parts))
    return sorted(found, key=lambda entry: -len(entry[1]))


def _outcome(
    adjudicate: Callable[[Profile], Outcome], rules: Profile, chosen: Iterable[Deviation]
) -> Outcome | None:
    """The outcome under these deviations, None if they do not fit the rules or the phase."""
    try:
        return adjudicate(profile_with(rules, chosen))
    except UnresolvedError:
        return None
    except (ProfileError, ProblemsError):
        for deviation in chosen:
            load_profile(_file_of(deviation.name))  # raises the error of a damaged file
        return None


def _state(outcome: Outcome) -> Hashable:
    """Everything that a deviation may change in an outcome."""
    orders = tuple((order.unit, order.verdict, order.fate) for order in outcome.orders)
    return orders, outcome.units_after, outcome.dislodged, tuple(outcome.decisions.items())
