"""A maximum matching of a bipartite graph, and a smallest vertex cover, by König's theorem.

The graphs are a unit's supporters and the provinces from which they can be cut: a handful of each,
for which importing a library would take longer than all matchings of a search.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping


def matching_and_cover(
    links: Mapping[str, Iterable[str]],
) -> tuple[Mapping[str, str], tuple[str, ...]]:
    """A maximum matching of the keys with their values, and a smallest set that has one end of each
    link. No key is a value, too.

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
    """The keys and values on alternating paths from these keys."""
    left, right, found = list(keys), set[str](), set[str]()
    while left:
        one = left.pop()
        if one not in found:
            found.add(one)
            right.update(linked[one])
            left += [partner[other] for other in linked[one]]  # maximum: all have partners
    return found, right
