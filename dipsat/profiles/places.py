"""Whether rules look at provinces that no unit and no order has to do with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from dipsat.language.syntax import AllOf, Expression, Fact, parts_of_all
from dipsat.language.types import PROVINCE
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
