"""The types of the rule language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Type:
    """A type, by name. `item` is the member type of a set, `members` the values of a declared
    domain as orders write them, `keys` the names of these in rule files where they differ."""

    name: str
    item: Type | None = None
    members: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"set of {self.item}" if self.item else self.name

    @property
    def names(self) -> tuple[str, ...]:
        """What rule files call the members."""
        return self.keys or self.members

    def member(self, text: str) -> str | None:
        """The member that a rule file calls `text`, None if there is none. If a domain has keys,
        its words are for orders only, because another file may give its members other words."""
        return self.members[self.names.index(text)] if text in self.names else None

    @property
    def is_truth(self) -> bool:
        """Whether it is a truth value."""
        return self.name == "truth"

    @property
    def is_number(self) -> bool:
        """Whether it is a number; a truth value counts as 0 or 1 in a sum."""
        return self.name in ("number", "truth")


TRUTH = Type("truth")
NUMBER = Type("number")
TEXT = Type("text")
POWER = Type("Power")
PROVINCE = Type("Province")
UNIT = Type("Unit")
MOVE = Type("Move")
SUPPORT = Type("Support")
CONVOY = Type("Convoy")
RETREAT = Type("Retreat")
BUILD = Type("Build")
PHASE = Type("Phase")
CYCLE = Type("Cycle")

ENTITIES = {
    entity.name: entity for entity in (PROVINCE, UNIT, MOVE, SUPPORT, CONVOY, RETREAT, BUILD)
}

INDEX_TYPES = {**ENTITIES, POWER.name: POWER}
"""The types that a variable of a defined term can have."""


def set_of(item: Type) -> Type:
    """The type of sets of `item`."""
    return Type("set", item)
