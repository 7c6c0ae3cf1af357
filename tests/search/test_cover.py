"""König's theorem: the cover is a cover, and as small as the matching is large."""

from __future__ import annotations

import networkx
from hypothesis import given, strategies as st
from networkx.algorithms import bipartite

from dipsat.searches.line_certificate import matching_and_cover

KEYS, VALUES = "abcdef", "uvwxyz"
LINKS = st.dictionaries(st.sampled_from(KEYS), st.sets(st.sampled_from(VALUES)))


@given(LINKS)
def test_a_cover_has_an_end_of_each_link_and_is_as_small_as_the_matching(
    links: dict[str, set[str]],
) -> None:
    matching, cover = matching_and_cover(links)
    assert all(other in links[one] for one, other in matching.items())
    assert len({*matching.values()}) == len(matching) == len(cover)
    assert all(one in cover or other in cover for one in links for other in links[one])


@given(LINKS)
def test_networkx_finds_the_same_cover(links: dict[str, set[str]]) -> None:
    graph = networkx.Graph([(one, other) for one in links for other in links[one]])
    left = [one for one in links if one in graph]
    found = bipartite.hopcroft_karp_matching(graph, left)
    cover = bipartite.to_vertex_cover(graph, found, left)
    assert matching_and_cover(links)[1] == tuple(sorted(cover))
