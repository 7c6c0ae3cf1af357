"""Which rules can be asked about units whose places are open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dipsat.board.map import ARMIES_BY_FLEETS
from dipsat.errors import QuestionError
from dipsat.game.position import Position
from dipsat.language.syntax import (
    PROVINCE,
    AllOf,
    DecisionCall,
    Expression,
    Fact,
    Feature,
    Related,
    parts_of_all,
)
from dipsat.language.vocabulary import FACTS, word_of
from dipsat.openorders.encoding import refuse_limits
from dipsat.profiles.demands import expressions_of, open_kinds
from dipsat.profiles.difference import difference
from dipsat.profiles.profile import Profile

_EXPRESSED = {name for words in FACTS.values() for name, word in words.items() if word.anywhere}


def refuse_rules(profiles: Sequence[Profile], position: Position) -> None:
    """Raise `QuestionError` for rules that need something open places cannot express, and for
    several that do not read the same orders."""
    for profile in profiles:
        refuse_limits(profile, position, _EXPRESSED)
        found = list(dict.fromkeys(_problems(profile)))
        if found:
            raise QuestionError(
                f"under the rules {profile.name!r}, no question about units anywhere can be asked "
                f"because of {', '.join(found)}; ask about a position"
            )
    first, last = profiles[0], profiles[-1]
    coasts = first.settings.support_coast, last.settings.support_coast
    if coasts[0] != coasts[1]:
        raise QuestionError(
            f"{first.name} and {last.name} read the coasts in supports differently (4.B.4), which "
            "a question about units anywhere does not see; ask about a position"
        )


READINGS = frozenset(
    {
        "coast_of_two_omitted", "coast_of_one_omitted", "coast_impossible", "unit_coast_wrong",
        "coast_irrelevant", "kind_missing", "kind_wrong", "nationality_missing",
        "nationality_wrong", "order_sets", "undated_order_sets", "multiple_orders", "legal",
        "poorly_written", "implicit_orders", "convoy_path", "build_where", "build_coast_omitted",
        "build_kind_missing", "build_fleet_inland", "builds_too_many", "builds_in_one_place",
        "disbands_too_many", "waive", "civil_disorder", "centers_change", "victory",
    }
)  # fmt: skip
"""Settings that say nothing about a movement phase in which every unit has one legal order, written
in full and without a convoy path."""


def decide_alike_in_full(one: Profile, other: Profile) -> bool:
    """Whether two profiles that `refuse_rules` lets pass have the same equations and rules for
    cycles, so that after orders in full the board is the same with any number of units. A changed
    term alone changes nothing: its effect is listed where it is used."""
    return all(
        change.section in ("define", "reasons")
        or (change.section == "settings" and _is_of_readings(one, other, change.name))
        for change in difference(one, other).changes
    )


def _is_of_readings(one: Profile, other: Profile, setting: str) -> bool:
    values = {getattr(profile.settings, setting) for profile in (one, other)}
    return setting in READINGS or len(values) == 1


def refuse_goal(text: str, expression: Expression, profile: Profile) -> None:
    """Raise `QuestionError` for a goal with words that open places cannot express."""
    found: dict[str, None] = {}
    for node in parts_of_all([expression]):
        match node:
            case Fact(name=name) if not _is_expressed(node):
                found[name] = None
            case Feature(name=name) | Related(name=name):
                found[name] = None
            case DecisionCall(name=name) if _is_about_places(profile, name):
                found[f"{name}, which is about provinces"] = None
    if found:
        raise QuestionError(
            f"the goal {text!r} uses {', '.join(found)}; no question about units anywhere can be "
            "asked with that; ask about a position"
        )


def _is_expressed(fact: Fact) -> bool:
    word = word_of(fact)
    return word.anywhere if word is not None else not fact.declared  # else a fact of a cycle


def _is_about_places(profile: Profile, name: str) -> bool:
    return any(index.type == PROVINCE for index in profile.decisions[name].indices)


def _problems(profile: Profile) -> Iterator[str]:
    """What open places cannot express, in words."""
    words, settings = profile.words, profile.settings
    if words.have_own_units or words.attributes or words.carriages != (ARMIES_BY_FLEETS,):
        yield "units or convoys that they declare"
    if open_kinds(profile):
        yield "orders that they declare"
    if settings.conditions is not None:
        yield "their conditions on legal orders"
    if settings.convoy_path == "required":
        yield "convoy paths (4.A.6)"
    if profile.declared.powers:
        yield f"powers that they name, such as {profile.declared.powers[0]}"
    for node in parts_of_all(expressions_of(profile)):
        match node:
            case Fact(name=name) if not _is_expressed(node):
                yield f"equations that use {name!r}"
            case Feature(name=name) | Related(name=name):
                yield f"equations that use {name!r}"
            case AllOf(of=of) if of == PROVINCE:
                yield f"equations that use {str(of)!r}"
