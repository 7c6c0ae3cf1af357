"""The tables of a map that the compiled code reads, against what Python finds."""

from __future__ import annotations

import ctypes

import pytest

from dipsat.board import load_map
from dipsat.game import IllegalError, Targets
from dipsat.kernel import MapNumbers
from dipsat.kernel.source import source_of
from dipsat.kernel.tables import MapTables
from dipsat.orders import unit_of
from dipsat.rules import load_profile


def tables(rules: str, map: str) -> MapTables:
    profile = load_profile(rules)
    numbers = MapNumbers(load_map(map), profile)
    return MapTables(numbers, profile, source_of(profile, numbers.unit_words, numbers.place_words))


@pytest.mark.parametrize(("rules", "map"), [("datc+coast_of_one_omitted=first", "hundred")])
def test_a_target_means_what_python_finds_wherever_it_is(rules: str, map: str) -> None:
    made = tables(rules, map)
    size = len(made.locations)
    found = (ctypes.c_int16 * (len(made.kinds) * size * size)).from_address(made.structure.meant)
    targets = Targets(made.board, made.profile.settings, ())
    at = 0
    for kind in made.kinds:
        for location in made.locations:
            for target in made.locations:
                meant = -1
                if made.numbers.stands(kind, location):
                    try:
                        unit = unit_of("X", kind, location)
                        meant = made.number_of[targets.own(unit, target)[0]]
                    except IllegalError:
                        pass
                assert found[at] == meant, (kind, location, target)
                at += 1
