"""The order in which the search for lines counts provinces: `dipsat.searches.line_question`."""

from __future__ import annotations

from itertools import pairwise

import pytest

from dipsat.searches.line_question import swept


def chain(names: str) -> dict[str, set[str]]:
    """Places in a row, each beside the next."""
    near: dict[str, set[str]] = {name: set() for name in names}
    for one, other in pairwise(names):
        near[one].add(other)
        near[other].add(one)
    return near


@pytest.mark.parametrize("names", ["A", "AB", "CAEBD", "EADBCHGF"])
def test_a_row_is_swept_from_one_end_to_the_other(names: str) -> None:
    found = "".join(swept(chain(names)))
    assert found in (names, names[::-1])


def test_each_place_comes_once_even_where_no_way_leads() -> None:
    found = "".join(swept(chain("CAB") | chain("FDE") | {"G": set()}))
    assert sorted(found) == list("ABCDEFG")
    assert found[:3] in ("CAB", "BAC")
