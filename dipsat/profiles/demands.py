"""What rules ask of a phase: whether they look at provinces that no unit and no order has to do
with, and what they say that has no reading while orders are open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from dipsat.game.settings import Settings
from dipsat.language.syntax import AllOf, Constant, Expression, Fact, Predicate, parts_of_all
from dipsat.language.types import PROVINCE, TRUTH
from dipsat.orders.forms import OrderKind
from dipsat.profiles.profile import Profile

_NEAR = "near"


@lru_cache(maxsize=64)
def asks_for_places(profile: Profile) -> bool:
    """Whether the equations of a profile ask for all provinces, or all that a unit can reach; then
    what they say of some orders depends on which provinces there are facts about."""
    several = (decision.indices for decision in profile.decisions.values())
    if any(len(one) > 1 and any(i.type == PROVINCE for i in one) for one in several):
        return True
    return bool(words_for_places(expressions_of(profile)))


def words_for_places(expressions: Iterable[Expression]) -> tuple[str, ...]:
    """Those of the words `Province` (the set) and `near` that some expressions say."""
    found: dict[str, None] = {}
    for node in parts_of_all(expressions):
        if isinstance(node, AllOf) and node.of == PROVINCE:
            found[str(PROVINCE)] = None
        elif isinstance(node, Fact) and node.name == _NEAR and not node.declared:
            found[_NEAR] = None
    return tuple(found)


def expressions_of(profile: Profile) -> Iterator[Expression]:
    """All that a profile says of a phase and its decision cycles, but what makes orders legal."""
    yield from (decision.equation for decision in profile.decisions.values())
    yield from (result.expression for result in profile.results.values())
    for rule in profile.cycles:
        yield rule.when
        yield from (condition for _, condition in rule.where.values())
        if rule.choose is not None:
            yield rule.choose


def limits_of(settings: Settings) -> tuple[str, ...]:
    """What the settings ask for that open orders cannot express, in words; empty if nothing."""
    found = []
    if settings.disorder_support == "refused":
        found.append("supports of units in civil disorder (4.D.9)")
    return tuple(found)


def words_not_open(profile: Profile) -> tuple[str, ...]:
    """The words in a profile's equations, and in its conditions on orders of declared kinds, that
    have no reading while orders are open."""
    lawful = [part for _, parts in profile.lawful.values() for _, part in parts]
    terms = [decision.equation for decision in profile.decisions.values()]
    terms += [result.expression for result in profile.results.values()]
    found = dict.fromkeys(words_of_orders([*expressions_of(profile), *lawful]))
    found |= dict.fromkeys(rings([*terms, *lawful]))
    return tuple(found)


def words_of_orders(expressions: Iterable[Expression]) -> Iterator[str]:
    """Those of the words `on_route` and `via` that some expressions say.

    Of an army that can go by sea only, no order is a candidate that does not say "via convoy"."""
    for node in parts_of_all(expressions):
        if isinstance(node, Fact) and node.name in ("on_route", "via") and not node.declared:
            yield node.name


def rings(expressions: Iterable[Expression]) -> Iterator[str]:
    """The word `ring`, if some expressions say it: of a set of orders, in which guards do not
    count. Conditions of rules for decision cycles may, because a cycle has only issued ones."""
    for node in parts_of_all(expressions):
        if isinstance(node, Predicate) and node.op == "ring":
            yield node.op


def open_kinds(profile: Profile) -> tuple[OrderKind, ...]:
    """The kinds of orders that the profile declares for movement phases, without those of which
    no order can be legal, as an option is chosen."""
    kinds = (kind for kind in profile.words.kinds if not kind.season)
    return tuple(kind for kind in kinds if not _is_switched_off(profile, kind.name))


def _is_switched_off(profile: Profile, kind: str) -> bool:
    _, conditions = profile.lawful.get(kind, (None, ()))
    return any(condition == Constant(False, TRUTH) for _, condition in conditions)
