"""What rules demand of a phase: whether they look at provinces that concern no unit and no order,
or at owners, and which of their words cannot be read while orders are open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dipsat.language.syntax import (
    PROVINCE,
    TRUTH,
    AllOf,
    Constant,
    Expression,
    Fact,
    Predicate,
    parts_of_all,
)
from dipsat.language.vocabulary import word_of
from dipsat.orders.verbs import OrderKind
from dipsat.profiles.profile import Profile
from dipsat.profiles.settings import Settings
from dipsat.values import kept_on_first


@kept_on_first()
def asks_for_places(profile: Profile) -> bool:
    """Whether the equations of a profile ask for all provinces, or for those near something. What
    they say about some orders then depends on which provinces have facts."""
    several = (decision.indices for decision in profile.decisions.values())
    if any(len(one) > 1 and any(i.type == PROVINCE for i in one) for one in several):
        return True
    return bool(words_for_places(expressions_of(profile)))


def words_for_places(expressions: Iterable[Expression]) -> tuple[str, ...]:
    """Which words for sets of provinces the expressions use, also `Province` itself."""
    found: dict[str, None] = {}
    for node in parts_of_all(expressions):
        if isinstance(node, AllOf) and node.of == PROVINCE:
            found[str(PROVINCE)] = None
        elif isinstance(node, Fact) and node.type.item == PROVINCE and word_of(node) is not None:
            found[node.name] = None
    return tuple(found)


def expressions_of(profile: Profile) -> Iterator[Expression]:
    """All expressions about a phase and its decision cycles, except conditions for legal orders."""
    yield from (decision.equation for decision in profile.decisions.values())
    yield from (result.expression for result in profile.results.values())
    for rule in profile.cycles:
        yield rule.when
        yield from (condition for _, condition in rule.where.values())
        if rule.choose is not None:
            yield rule.choose


@kept_on_first()
def asks_for_owners(profile: Profile) -> bool:
    """Whether a movement phase depends on who owns supply centres: an equation or a condition on
    orders asks for it."""
    conditions = [part for _, parts in profile.lawful.values() for _, part in parts]
    conditions += [formula.expression for formula in profile.legal.values()]
    words = map(word_of, parts_of_all([*expressions_of(profile), *conditions]))
    return any(word is not None and word.known == "owners" for word in words)


def limits_of(settings: Settings) -> tuple[str, ...]:
    """What the settings require and open orders cannot express, in words."""
    found = []
    if settings.disorder_support == "refused":
        found.append("supports of units in civil disorder (4.D.9)")
    return tuple(found)


def words_not_open(profile: Profile) -> tuple[str, ...]:
    """The words in a profile's equations, and in its conditions on orders of declared kinds, that
    cannot be read while orders are open."""
    lawful = [part for _, parts in profile.lawful.values() for _, part in parts]
    terms = [decision.equation for decision in profile.decisions.values()]
    terms += [result.expression for result in profile.results.values()]
    found = dict.fromkeys(words_of_orders([*expressions_of(profile), *lawful]))
    found |= dict.fromkeys(rings([*terms, *lawful]))
    return tuple(found)


def words_of_orders(expressions: Iterable[Expression]) -> Iterator[str]:
    """Which words the expressions use that have no meaning while orders are open."""
    for node in parts_of_all(expressions):
        word = word_of(node)
        if isinstance(node, Fact) and word is not None and not word.open_orders:
            yield node.name


def rings(expressions: Iterable[Expression]) -> Iterator[str]:
    """The word `ring`, if the expressions use it: it is about a set of orders and ignores guards.
    Conditions of cycle rules may use it, because a cycle has only issued orders."""
    for node in parts_of_all(expressions):
        if isinstance(node, Predicate) and node.op == "ring":
            yield node.op


def open_kinds(profile: Profile) -> tuple[OrderKind, ...]:
    """The kinds of orders that the profile declares for movement phases, except those that the
    chosen options make illegal altogether."""
    kinds = (kind for kind in profile.words.kinds if not kind.season)
    return tuple(kind for kind in kinds if not _is_switched_off(profile, kind.name))


def _is_switched_off(profile: Profile, kind: str) -> bool:
    _, conditions = profile.lawful.get(kind, (None, ()))
    return any(condition == Constant(False, TRUTH) for _, condition in conditions)
