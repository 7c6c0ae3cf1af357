"""What rules can say that has no reading while orders are open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dipsat.game.settings import Settings
from dipsat.language.syntax import Constant, Expression, Fact, Predicate, parts_of_all
from dipsat.language.types import TRUTH
from dipsat.orders.forms import OrderKind
from dipsat.profiles.places import expressions_of
from dipsat.profiles.profile import Profile


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
