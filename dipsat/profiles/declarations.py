"""Reading the sections that declare words of a profile's own, collecting every fault."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from keyword import iskeyword
from typing import TypeVar

from dipsat.board.convoy_net import Carriage
from dipsat.board.unit_kind import STANDARD_KINDS, UnitKind
from dipsat.documents import Node
from dipsat.errors import ProfileError
from dipsat.game.settings import setting_values
from dipsat.language.syntax import Variable
from dipsat.language.types import UNIT, Type
from dipsat.language.vocabulary import FACTS, PREDICATES, QUANTIFIERS
from dipsat.profiles.declared import (
    Attribute,
    read_attribute,
    read_domain,
    read_feature,
    read_option,
)
from dipsat.profiles.known import Consequence
from dipsat.profiles.layers import Layers
from dipsat.profiles.noting import Try
from dipsat.profiles.order_kinds import DeclaredKind, read_kind
from dipsat.profiles.relations import Relation, read_relation
from dipsat.profiles.unit_kinds import read_carriages, read_unit_kind

_T = TypeVar("_T")
_WORDS = {*QUANTIFIERS, *PREDICATES, "true", "false", "phase", "cycle"}


class DeclarationReader:
    """Reads the declaring sections of composed files; faults go to `attempt`."""

    def __init__(self, layers: Layers, attempt: Try) -> None:
        self.layers = layers
        self.attempt = attempt

    def domains(self) -> dict[str, Type]:
        """The declared domains."""
        return self._read("domains", read_domain)

    def options(self) -> dict[str, tuple[str, ...]]:
        """The declared options, each with its values, the default first."""

        def read(name: str, key: str, section: Node, node: Node) -> tuple[str, ...]:
            if name in setting_values():
                section.fail_at_key(key, f"{name} is a setting already", ProfileError)
            return read_option(key, section, node)

        return self._read("options", read)

    def kinds(self) -> dict[str, DeclaredKind]:
        """The declared kinds of orders."""

        def read(name: str, key: str, section: Node, node: Node) -> DeclaredKind:
            return read_kind(name, section, key, node)

        return self._read("orders", read)

    def units(self) -> dict[str, UnitKind]:
        """The declared kinds of units, by their words."""

        def read(name: str, key: str, section: Node, node: Node) -> UnitKind:
            found = read_unit_kind(name, section, key, node)
            for other in seen:
                if str(found) == other:
                    node.fail(f"{found} stands for {other.word} already", ProfileError)
            seen.append(found)
            return found

        seen: list[UnitKind] = []
        return self._read("units", read)

    def carriages(
        self, units: Mapping[str, UnitKind], broken: Collection[str]
    ) -> dict[str, tuple[Carriage, ...]]:
        """Carrier -> what it convoys, of those that the profile speaks of; `broken` are faulty
        kinds of units, among other names."""
        kinds = {kind.word: kind for kind in STANDARD_KINDS} | dict(units)

        def read(name: str, key: str, section: Node, node: Node) -> tuple[Carriage, ...]:
            fields = node.value if isinstance(node.value, dict) else {}
            carried = fields["carries"].value if "carries" in fields else ()
            cargo = {one.raw for one in carried} if isinstance(carried, tuple) else set()
            if name in broken or not cargo.isdisjoint(broken):
                raise Consequence
            return read_carriages(name, key, section, node, kinds)

        return self._read("convoys", read)

    def features(self) -> dict[str, int]:
        """The declared features, each with how many provinces it is about."""
        return self._read("features", lambda name, key, section, node: read_feature(node))

    def attributes(
        self, domains: Mapping[str, Type], broken: Collection[str]
    ) -> dict[str, Attribute]:
        """The declared attributes of units; `broken` are faulty domains, among other names."""

        def read(name: str, key: str, section: Node, node: Node) -> Attribute:
            if name in FACTS[UNIT.name] or not name.isidentifier():
                section.fail_at_key(key, f"{name!r} cannot name an attribute", ProfileError)
            fields = node.value if isinstance(node.value, dict) else {}
            if "domain" in fields and fields["domain"].raw in broken:
                raise Consequence
            return read_attribute(name, node, domains)

        return self._read("attributes", read)

    def relations(
        self, heading: Callable[[str, Node], tuple[str, tuple[Variable, ...]]]
    ) -> dict[str, Relation]:
        """The declared relations; `heading` reads a key such as `superior(c, d)`."""

        def read(name: str, key: str, section: Node, node: Node) -> Relation:
            indices = heading(key, section)[1]
            stated = self.layers.stated("relations", name)
            found = read_relation(name, indices, section, key, stated, self.attempt)
            if found is None:
                raise Consequence
            return found

        return self._read("relations", read)

    def _read(self, section: str, read: Callable[[str, str, Node, Node], _T]) -> dict[str, _T]:
        found = {}
        for name, key, node, value in self.layers.section(section):
            entry = self.attempt(self._one, read, name, key, node, value)
            if entry is not None:
                found[name] = entry
        return found

    @staticmethod
    def _one(
        read: Callable[[str, str, Node, Node], _T], name: str, key: str, section: Node, node: Node
    ) -> _T:
        if not name.isidentifier() or iskeyword(name):
            section.fail_at_key(key, f"{name!r} is no name that expressions can use", ProfileError)
        if name in _WORDS:
            section.fail_at_key(key, f"{name!r} means something else already", ProfileError)
        return read(name, key, section, node)
