"""Certificates of lines that hold. Programs without a solver can check them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dipsat.base import grouped
from dipsat.board import Map, province_of
from dipsat.errors import CertificateError
from dipsat.searches.line import Sorties, StalemateLine, limits_of, steps, without_sorties

# --- covers ---------------------------------------------------------------------------------------

# A maximum matching of a bipartite graph, and a smallest vertex cover, by König's theorem.
#
# The graphs link a unit's supporters with the provinces from which they can be cut. There are so
# few of each that importing a library would take longer than all matchings of a search.


def matching_and_cover(
    links: Mapping[str, Iterable[str]],
) -> tuple[Mapping[str, str], tuple[str, ...]]:
    """A maximum matching of the keys with their values, and a smallest set that has one end of each
    link. No key may also be a value.

    Source: Kőnig, Gráfok és mátrixok (1931). The cover is the same for every maximum matching
    (Dulmage and Mendelsohn, Coverings of Bipartite Graphs).
    """
    linked = {one: sorted(others) for one, others in links.items()}
    partner: dict[str, str] = {}  # value -> key
    for one in linked:
        _give_partner(one, linked, partner, set())
    matching = {one: other for other, one in partner.items()}
    keys, values = _reached([one for one in linked if one not in matching], linked, partner)
    cover = {one for one, others in linked.items() if others and one not in keys} | values
    return {one: matching[one] for one in linked if one in matching}, tuple(sorted(cover))


def _give_partner(
    one: str, linked: Mapping[str, Collection[str]], partner: dict[str, str], tried: set[str]
) -> bool:
    """Match a key along an augmenting path, if there is one."""
    for other in linked[one]:
        if other not in tried:
            tried.add(other)
            if other not in partner or _give_partner(partner[other], linked, partner, tried):
                partner[other] = one
                return True
    return False


def _reached(
    keys: Iterable[str], linked: Mapping[str, Collection[str]], partner: Mapping[str, str]
) -> tuple[set[str], set[str]]:
    """The keys and values on alternating paths that start from these keys."""
    left, right, found = list(keys), set[str](), set[str]()
    while left:
        one = left.pop()
        if one not in found:
            found.add(one)
            right.update(linked[one])
            left += [partner[other] for other in linked[one]]  # all have partners, as it is maximum
    return found, right


# --- certificates ---------------------------------------------------------------------------------

# For a unit of a line, let N be the provinces from which an enemy could move to it. At worst, a
# unit in each of them attacks, supports the attack or cuts a support; other enemies can only cut
# supports. The most that they can cut is a matching of supporters and provinces. The smallest set
# that touches every possible cut, the cover, has the same size (Koenig). So the unit holds if N and
# the cover together have at most one member more than it has supports; otherwise the matching says
# how it falls.
#
# A sortie cuts every support by an enemy in its target. Such an enemy can only lead the attack,
# which is one more vertex of the matching, or cut a support. So it counts with the others, not in
# N. docs/atlas/check_lines.py checks certificates; it says why they suffice.


Certificate = Mapping[str, Any]
"""A certificate as in JSON; docs/holding-lines.md describes its keys."""


@dataclass(frozen=True, slots=True)
class Defence:
    """Who could attack a unit, who supports it, and a cover of all cuts of its supports."""

    attackers: tuple[str, ...]
    supporters: tuple[str, ...]
    cuts: Mapping[str, str]
    """Supporter -> the province from which it is cut, for as many supporters as possible. The
    unit's province -> the origin of the lead attack, if that is the target of a sortie."""
    cover: tuple[str, ...]
    met: frozenset[str]
    """The attackers' provinces that are targets of sorties."""

    def holds(self, most: int | None) -> bool:
        """Whether `most` enemy units (None for any number) cannot dislodge the unit."""
        against = len(self.attackers) - len(self.met) + len(self.cuts)
        against = against if most is None else min(against, most)
        return not self.attackers or against <= len(self.supporters) + 1

    def to_dict(self) -> dict[str, list[str]]:
        """The defence in a certificate."""
        return {
            "attackers": list(self.attackers),
            "supporters": list(self.supporters),
            "cover": list(self.cover),
        }


def certificate_of(line: StalemateLine) -> dict[str, Any]:
    """The certificate that a line holds with its stated orders.

    Raises `CertificateError` if an enemy can enter a province of the region, if a unit can be
    dislodged, or if the line moves other than by sorties.
    """
    found = without_sorties(line) if line.plan else (line, {})
    if found is None:
        raise CertificateError(
            "there is no certificate: only lines whose units stay or make sorties have one"
        )
    line, sorties = found
    beside = enemies_beside(line)
    for province in sorted(line.region):
        if beside.get(province):
            raise CertificateError(
                f"the line does not hold: an enemy unit can go from {min(beside[province])} to "
                f"{province}, which is in the region",
                province,
            )
    _check_sorties(line, sorties, beside)
    met = frozenset(map(province_of, sorties.values()))
    staying = [unit.province for unit in line.units if unit.province not in sorties]
    defences = {province: defence_of(line, province, beside, met) for province in staying}
    for province, defence in defences.items():
        if not defence.holds(line.enemy.units):
            raise CertificateError(_fall_of(line, province, defence), province)
    centers = set(line.map.centers) & (line.region | line.by_province.keys())
    orders = line.order_texts(line.supports)
    goals = [sorties.get(unit.province) for unit in line.units]
    return {
        "map": line.map.name,
        "power": line.power,
        "units": [str(unit) for unit in line.units],
        "orders": [
            order if goal is None else f"{unit} - {goal}"
            for unit, order, goal in zip(line.units, orders, goals, strict=True)
        ],
        **({"sorties": {**sorties}} if sorties else {}),
        "region": sorted(line.region),
        "centres": sorted(centers),
        "enemy": limits_of(line.enemy),
        "defence": {province: defence.to_dict() for province, defence in defences.items()},
    }


def _check_sorties(
    line: StalemateLine, sorties: Sorties, beside: Mapping[str, frozenset[str]]
) -> None:
    """Raise `CertificateError` for a sortie that certificates do not cover."""
    no = "there is no certificate"
    gone: dict[str, str] = {}
    for province, goal in sorties.items():
        unit, target = line.by_province[province], province_of(goal)
        if unit.location not in line.map.reach(unit.kind, goal):
            raise CertificateError(f"{no}: {unit} cannot come back from {goal}", province)
        others = beside.get(province, frozenset()) - {target}
        if others:
            raise CertificateError(
                f"{no}: {unit} goes to {target}, but enemies can enter {province} from "
                f"{min(others)}, too",
                province,
            )
        if target in gone:
            raise CertificateError(f"{no}: {gone[target]} and {unit} both go to {target}", province)
        gone[target] = str(unit)


def enemies_beside(line: StalemateLine) -> Mapping[str, frozenset[str]]:
    """Province -> the provinces from which an enemy could move to it."""
    enemies = line.enemies if line.enemy.units != 0 else ()
    found = grouped((to, at) for at, to in steps(line.map, enemies))
    return {province: frozenset(near) for province, near in found.items()}


def defence_of(
    line: StalemateLine,
    province: str,
    beside: Mapping[str, frozenset[str]],
    met: frozenset[str] = frozenset(),
) -> Defence:
    """The defence of the unit in a province of a line, if sorties go to the provinces `met`."""
    attackers = beside.get(province, frozenset())
    supporters = sorted(one for one, aim in line.supports.items() if aim == province)
    free = attackers - met
    cuts, cover = matching_and_cover(
        {one: sorted(beside.get(one, frozenset()) - free) for one in (province, *supporters)}
    )
    return Defence(tuple(sorted(attackers)), tuple(supporters), cuts, cover, attackers & met)


def _fall_of(line: StalemateLine, province: str, defence: Defence) -> str:
    """How a unit is dislodged, in a sentence."""
    cuts = {**defence.cuts}
    lead = {cuts.pop(province)} if province in cuts else set[str]()
    attackers = ", ".join(sorted({*defence.attackers} - defence.met | lead))
    cutting = ", ".join(f"from {near} on {one}" for one, near in cuts.items())
    return (
        f"the line does not hold: {line.by_province[province]} has {len(defence.supporters)} "
        f"supports, and enemies can attack it from {attackers}"
        f"{f', {cutting} to cut supports' if cutting else ''}"
    )


def borders_of(board: Map) -> dict[str, Any]:
    """The borders of a map in the form that docs/atlas/check_lines.py reads: where an army or a
    fleet can stand, and where it can go from there."""
    provinces = board.provinces.values()
    armies = sorted(one.code for one in provinces if one.kind != "sea")
    fleets = sorted(place for one in provinces if one.kind != "land" for place in one.locations)
    return {
        "map": board.name,
        "kind": {one.code: one.kind for one in sorted(provinces, key=lambda one: one.code)},
        "centres": sorted(board.centers),
        "army": {place: sorted(board.army.get(place, ())) for place in armies},
        "fleet": {place: sorted(board.fleet.get(place, ())) for place in fleets},
    }
