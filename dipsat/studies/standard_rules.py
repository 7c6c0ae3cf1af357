"""What an algorithm with its own rules covers: the standard game, and no variant.

Such an algorithm does not read the equations, so it plays by its own rules, whatever rulebook a
profile states. A profile counts as a variant if its movement rules use what the standard game does
not have: kinds of units and of orders, attributes of units, features of the map, relations, other
convoys. A variant with only another map, other builds or another goal has standard movement.
"""

from __future__ import annotations

from collections.abc import Iterator

from dipsat.base import kept_on_first
from dipsat.board import ARMIES_BY_FLEETS, Carriage
from dipsat.errors import NotMadeForError
from dipsat.rules import (
    CONVOY,
    CONVOYS_IN,
    MOVE,
    POWER,
    SUPPORT,
    Constant,
    Expression,
    Feature,
    Profile,
    Related,
    parts_of_all,
)

_ORDERS = (MOVE, SUPPORT, CONVOY)


def refuse_variants(name: str, profile: Profile, *known: Carriage) -> None:
    """Raise `NotMadeForError` for a profile whose movement rules use something that an engine with
    its own rules lacks. Besides convoys of armies by fleets, the engine knows those in `known`."""
    lacking = _lacking(profile, known)
    if lacking:
        what = ", ".join(lacking)
        raise NotMadeForError(name, f"its own rules lack what {profile.name!r} declares: {what}")


@kept_on_first(16)
def _lacking(profile: Profile, known: tuple[Carriage, ...]) -> tuple[str, ...]:
    """The things that the profile uses and the standard game does not have, in words."""
    declared = profile.declared
    found = [f"the attribute {name}" for name in declared.attributes]
    found += [f"the unit {name}" for name in declared.units]
    found += [f"the order {name}" for name, kind in declared.kinds.items() if kind.in_force]
    ways = {_way(one) for one in (ARMIES_BY_FLEETS, *known)}
    found += [
        f"convoys of {one.cargo.plural} by {one.carrier.plural}"
        for carriages in declared.carriages.values()
        for one in carriages
        if _way(one) not in ways
    ]
    if CONVOYS_IN in profile.legal:
        found.append(f"the condition {CONVOYS_IN}")
    used = set(filter(None, map(_unusual, parts_of_all(_of_movement(profile)))))
    return (*found, *sorted(used))


def _unusual(node: Expression) -> str:
    """What this part uses and the standard game does not have, "" for any other part."""
    match node:
        case Feature(name=name):
            return f"the feature {name}"
        case Related(name=name):
            return f"the relation {name}"
        case Constant(value=value) if node.type == POWER:
            return f"the power {value}"
    return ""


def _way(carriage: Carriage) -> tuple[object, ...]:
    """Everything about a carriage except its words."""
    return carriage.carrier, carriage.cargo, carriage.over, carriage.aboard, carriage.terrain


def _of_movement(profile: Profile) -> Iterator[Expression]:
    """The rules of movement phases: the equations, what a standoff is, the rules for cycles, and
    what makes a single order illegal. Engines do not judge retreats."""
    for decision in profile.decisions.values():
        yield decision.equation
    yield profile.results["contested"].expression
    for rule in profile.cycles:
        yield rule.when
        yield from (condition for _, condition in rule.where.values())
        if rule.choose is not None:
            yield rule.choose
    for condition in profile.legal.values():
        if condition.name == CONVOYS_IN or condition.indices[0].type in _ORDERS:
            yield condition.expression
