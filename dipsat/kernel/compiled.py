"""From a profile and a map to compiled code that is ready to be called."""

from __future__ import annotations

from dipsat.kernel.compilers import cpu_flags
from dipsat.kernel.library import KernelLibrary
from dipsat.kernel.library_cache import build_and_load
from dipsat.kernel.numbers import MapNumbers
from dipsat.kernel.source import KernelSource, source_of
from dipsat.kernel.tables import MapTables
from dipsat.profiles.profile import Profile
from dipsat.values import kept_on_first

_OPTIMISED = ("-O3",)


def compiled_library(profile: Profile, numbers: MapNumbers) -> KernelLibrary:
    """The compiled code of a profile, with the tables of a map.

    Raises `DeclinedError` for rules or a map that the compiled code cannot express, and
    `KernelError` if there is no compiler or it fails.
    """
    source = _source(profile, numbers.unit_words, numbers.place_words)
    tables = MapTables(numbers, profile, source)
    library, loaded = build_and_load(source.text, (*_OPTIMISED, *cpu_flags()))
    return KernelLibrary(loaded, tables, source, library.compiler.name, library.problem)


@kept_on_first(4)
def _source(profile: Profile, unit_words: int, place_words: int) -> KernelSource:
    return source_of(profile, unit_words, place_words)
