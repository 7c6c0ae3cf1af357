"""Which files of a composed profile have an effect: what each states, and what takes its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, TypeAlias

from dipsat.documents import Node
from dipsat.profiles.layers import SECTIONS, Layer, Layers, rule_name

_IDLE = ("variables", "reasons")  # sections that decide nothing by themselves
_ADDED = ("map",)  # what takes nothing's place

Entry: TypeAlias = str
"""An entry as it is called in reports: its section and its name, `define: spares`."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What has become of one file of a profile.

    `held` are its entries that are in force and say something else than the files below it, `same`
    those in force that only repeat these, `lost` those that other files take the place of, each
    with that file. `issue` is the DATC issue that the file is a choice of, "" for none.
    """

    file: str
    issue: str
    held: tuple[Entry, ...]
    same: tuple[Entry, ...]
    lost: Mapping[Entry, str]

    @property
    def has_effect(self) -> bool:
        """False if other files take the place of all by which it differs from those below it."""
        return bool(self.held) or not self.lost

    @property
    def replaced_by(self) -> tuple[str, ...]:
        """The files that take the place of its entries."""
        return tuple(dict.fromkeys(self.lost.values()))

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "file": self.file,
            "issue": self.issue,
            "has_effect": self.has_effect,
            "in_force": [*self.held, *self.same],
            "replaced": dict(self.lost),
        }


def standings(files: Iterable[Layer]) -> tuple[Standing, ...]:
    """What has become of every file of a profile, in their order; later ones lie over earlier ones.

    What only a person reads (reasons), and what decides nothing by itself (variables), is left out.
    """
    layers = Layers(files)
    below: dict[Entry, object] = {}
    found = []
    for layer in layers.files:
        standing = _standing(layer, layers, below)
        if layer.source[0]:  # else it only names the others
            found.append(standing)
    return tuple(found)


def _standing(layer: Layer, layers: Layers, below: dict[Entry, object]) -> Standing:
    """What has become of a file. `below` is what the files below it say of each entry; what this
    one says is added."""
    held, same, lost = [], [], {}
    for entry, saying, file in _entries(layer, layers):
        if file:
            lost[entry] = file
        elif below.get(entry) == saying:
            same.append(entry)
        else:
            held.append(entry)
        below[entry] = saying
    return Standing(layer.root.path, layer.issue, tuple(held), tuple(same), lost)


def _entries(layer: Layer, layers: Layers) -> Iterator[tuple[Entry, object, str]]:
    """The entries of a file: what each says, and the file that takes its place, "" if none does."""
    top = layer.root.mapping()
    for section in (name for name in SECTIONS if name in top and name not in _IDLE):
        for key, value in top[section].mapping(None, section).items():
            name = key.partition("(")[0].strip()
            place = layers.held_in(section, name)
            file = "" if place is top[section] else place.path
            yield f"{section}: {name}", (key, _saying(value)), file
    for section in (name for name in _ADDED if name in top):
        yield section, (layer.source[0], _saying(top[section])), ""
    for rule in top["cycles_before"].sequence("cycles_before") if "cycles_before" in top else ():
        name = rule_name(rule)
        first = next(one for one in layers.before if name in map(rule_name, one.sequence()))
        file = "" if not name or first is top["cycles_before"] else first.path
        yield f"cycles_before: {name}", _saying(rule), file
    if "cycles" in top:
        _, in_force = layers.cycles[-1]
        file = "" if in_force is top["cycles"] else in_force.path
        yield "cycles", _saying(top["cycles"]), file


def _saying(node: Node) -> object:
    """What a node says, without spacing."""
    match node.value:
        case dict():
            return tuple((key, _saying(part)) for key, part in node.value.items())
        case tuple():
            return tuple(_saying(part) for part in node.value)
    return " ".join(node.raw.split())


def remarks(found: Sequence[Standing]) -> tuple[str, ...]:
    """A sentence about the files that have no effect; those for the same reason together."""
    issues = {one.file: one.issue for one in found}
    idle = sorted((one for one in found if not one.has_effect), key=_reason)
    return tuple(_remark(list(files), issues) for _, files in groupby(idle, _reason))


def _reason(standing: Standing) -> tuple[str, tuple[str, ...]]:
    return standing.issue, standing.replaced_by


def _remark(idle: list[Standing], issues: Mapping[str, str]) -> str:
    issue, others = _reason(idle[0])
    has = "has" if len(idle) == 1 else "have"
    files = listed(one.file for one in idle)
    if issue and {issues.get(other) for other in others} == {issue}:
        return f"of {issue}, {listed(others)} holds; {files} {has} no effect"
    takes = "takes" if len(others) == 1 else "take"
    states = "it states" if len(idle) == 1 else "they state"
    return f"{files} {has} no effect: {listed(others)} {takes} the place of what {states}"


def listed(texts: Iterable[str]) -> str:
    """Texts as one, such as `a, b and c`."""
    *first, last = texts
    return f"{', '.join(first)} and {last}" if first else last
