"""Which files of a composed profile have an effect: what each states, and what takes its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from dipsat.profiles.layers import SECTIONS, Layer, Layers
from dipsat.profiles.profile import Profile

_IDLE = ("variables", "reasons")  # sections that decide nothing by themselves
_KEPT = ("map", "cycles_before")  # what later files add to, and do not replace entry by entry


@dataclass(frozen=True, slots=True)
class Standing:
    """What has become of one file of a profile. `held` are the entries of it that are in force,
    as (section, name); `lost` those that other files take the place of, each with their file;
    `issue` is the DATC issue that the file is a choice of, "" for none."""

    file: str
    issue: str
    held: tuple[tuple[str, str], ...]
    lost: tuple[tuple[tuple[str, str], str], ...]

    @property
    def has_no_effect(self) -> bool:
        """Whether the file states something, and nothing of that is in force."""
        return bool(self.lost) and not self.held

    @property
    def replaced_by(self) -> tuple[str, ...]:
        """The files that take the place of its entries."""
        return tuple(dict.fromkeys(file for _, file in self.lost))


def standings(profile: Profile) -> tuple[Standing, ...]:
    """What has become of every file of a profile, in their order.

    What only a person reads (reasons), and what decides nothing by itself (variables), is left out.
    """
    layers = Layers(profile.layers)
    return tuple(_standing(layer, layers) for layer in layers.files if layer.source[0])


def _standing(layer: Layer, layers: Layers) -> Standing:
    held, lost = [], []
    for entry, file in _entries(layer, layers):
        if file == "":
            held.append(entry)
        else:
            lost.append((entry, file))
    return Standing(layer.root.path, layer.issue, tuple(held), tuple(lost))


def _entries(layer: Layer, layers: Layers) -> Iterator[tuple[tuple[str, str], str]]:
    """The entries of a file, each with the file that takes its place, "" if none does."""
    top = layer.root.mapping()
    for section in (name for name in SECTIONS if name in top and name not in _IDLE):
        for key in top[section].mapping(None, section):
            name = key.partition("(")[0].strip()
            place, _ = layers.entries[section][name]
            yield (section, name), "" if place is top[section] else place.path
    for section in (name for name in _KEPT if name in top):
        yield (section, section), ""
    if "cycles" in top:
        in_force = layers.cycles[-1]
        yield ("cycles", "cycles"), "" if in_force is top["cycles"] else in_force.path


def remarks(profile: Profile) -> tuple[str, ...]:
    """A sentence for the files that have no effect, those with the same reason together."""
    idle = sorted((one for one in standings(profile) if one.has_no_effect), key=_reason)
    issues = {one.file: one.issue for one in standings(profile)}
    return tuple(_remark(list(files), issues) for _, files in groupby(idle, _reason))


def _reason(standing: Standing) -> tuple[str, tuple[str, ...]]:
    return standing.issue, standing.replaced_by


def _remark(idle: list[Standing], issues: dict[str, str]) -> str:
    issue, others = _reason(idle[0])
    has = "has" if len(idle) == 1 else "have"
    files = _listed(one.file for one in idle)
    if issue and {issues.get(other) for other in others} == {issue}:
        return f"of {issue}, {_listed(others)} holds; {files} {has} no effect"
    take = "takes" if len(others) == 1 else "take"
    stated = "it states" if len(idle) == 1 else "they state"
    return f"{files} {has} no effect: {_listed(others)} {take} the place of all that {stated}"


def _listed(texts: Iterable[str]) -> str:
    *first, last = texts
    return f"{', '.join(first)} and {last}" if first else last
