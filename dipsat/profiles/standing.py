"""Which files of a composed profile have an effect: what each states, and what replaces it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, TypeAlias

from dipsat.documents import Node
from dipsat.profiles.additions import BUILDING, builds_on_base, still_stated
from dipsat.profiles.layers import SECTIONS, Layer, Layers, rule_name

_IDLE = ("variables", "reasons")  # sections that decide nothing by themselves
_ADDED = ("map",)  # what replaces nothing

Entry: TypeAlias = str
"""An entry as reports call it: its section and its name, such as `define: spares`."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The effect of one file of a profile.

    `held` are its entries in force that differ from the files below it, `same` those in force that
    only repeat these, `lost` those that other files replace, each with that file. `issue` is the
    DATC issue that the file is a choice of, "" for none.
    """

    file: str
    issue: str
    held: tuple[Entry, ...]
    same: tuple[Entry, ...]
    lost: Mapping[Entry, str]

    @property
    def has_effect(self) -> bool:
        """False if other files replace everything in which it differs from those below it."""
        return bool(self.held) or not self.lost

    @property
    def replaced_by(self) -> tuple[str, ...]:
        """The files that replace its entries."""
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
    """The effect of every file of a profile, in their order; later ones override earlier ones.

    Reasons, which only people read, and variables, which decide nothing, are left out.
    """
    layers = Layers(files)
    below: dict[Entry, object] = {}
    found = []
    for layer in layers.files:
        standing = _standing(layer, layers, below)
        if layer.source[0]:  # else it only combines the others
            found.append(standing)
    return tuple(found)


def _standing(layer: Layer, layers: Layers, below: dict[Entry, object]) -> Standing:
    """The effect of a file. `below` maps each entry to what the files below say there; what this
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
    """The entries of a file: what each says, and the file that replaces it, "" if none does."""
    top = layer.root.mapping()
    for section in (name for name in SECTIONS if name in top and name not in _IDLE):
        for key, value in top[section].mapping(None, section).items():
            name = key.partition("(")[0].strip()
            stated = layers.entries(section)[name]
            counting = still_stated(stated) if section in BUILDING else stated[-1:]
            counts = any(place is top[section] for _, place, _ in counting)
            adds = section in BUILDING and builds_on_base(value)
            saying = (key, _saying(value), layer.source[0] if adds else "")
            yield f"{section}: {name}", saying, "" if counts else counting[0][1].path
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


def idle_files(found: Sequence[Standing]) -> tuple[str, ...]:
    """Sentences about the files that have no effect, one for each reason."""
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
        return f"for {issue}, {listed(others)} is in force; {files} {has} no effect"
    replaces = "replaces" if len(others) == 1 else "replace"
    states = "it states" if len(idle) == 1 else "they state"
    return f"{files} {has} no effect: {listed(others)} {replaces} what {states}"


def listed(texts: Iterable[str]) -> str:
    """Texts as one, such as `a, b and c`."""
    *first, last = texts
    return f"{', '.join(first)} and {last}" if first else last
