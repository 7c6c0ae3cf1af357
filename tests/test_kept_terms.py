"""Terms that are kept from one profile to the next change nothing: a profile is what checking all
of its terms makes it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest

import dipsat
from bench.fuzzing.equations import made_profile
from dipsat.profiles import kept_terms
from dipsat.profiles.compose import Composer
from dipsat.profiles.layers import Layers, ProfileFiles, parse_layer
from dipsat.profiles.names import shipped_names
from dipsat.profiles.profile import Profile
from tests.exhaustive import few_of, parts_of


@contextmanager
def nothing_kept() -> Iterator[None]:
    """A block in which every term is checked."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept_terms.KeptTerms, "_is_free", lambda *_: False)
        yield


def composed(files: ProfileFiles) -> Profile | str:
    """The profile of these files, or its faults."""
    try:
        return Composer(Layers(files.layers)).profile()
    except dipsat.DipsatError as error:
        return str(error)


def agree(files: ProfileFiles) -> Profile | str:
    """Check that a profile is the same whether or not its terms are kept, also the second time."""
    with nothing_kept():
        wanted = composed(files)
    assert composed(files) == wanted
    assert composed(files) == wanted
    return wanted


def stated(text: str) -> ProfileFiles:
    """The files of rules given as a text."""
    files = ProfileFiles()
    files.read(parse_layer(text, "rules.yaml"))
    return files


@pytest.mark.parametrize("name", few_of(shipped_names()[::5], 3))
def test_shipped_profiles_are_those_whose_terms_are_all_checked(name: str) -> None:
    files = ProfileFiles()
    files.read(files.named(name))
    assert isinstance(agree(files), Profile)


@pytest.mark.parametrize("seeds", parts_of(range(50), 6))
def test_random_profiles_are_those_whose_terms_are_all_checked(seeds: range) -> None:
    """With and without faults."""
    for seed in seeds:
        agree(stated(made_profile(Random(seed))))


BASE = """
extends: datc
domains: {Color: {Red: r, Blue: b}}
options: {mild: ["off", "on"]}
define: {lucky(m): some(m.supports)}
decisions:
  probe(m): lucky(m) or mild == "on"
  count(m): 1 if probe(m) else 0
  move(m): {base: kept, mine: count(m) > 0}
"""


@pytest.mark.parametrize(
    "change",
    [
        ("lucky(m): some(m.supports)", "lucky(m): not some(m.supports)"),  # what a term expands
        ("lucky(m): some(m.supports)", "lucky(m): 1"),  # its type
        ("probe(m): lucky", "probe(u): lucky"),  # the index of a decision
        ("1 if probe(m) else 0", "probe(m)"),  # the type of a decision
        ("count(m): 1", "counted(m): 1"),  # a decision that is gone
        ('"off", "on"', '"on", "off"'),  # what is in force
        ("mild: ", "wild: "),  # a word that is gone
        ("base: kept, mine", "mine"),  # what `base` means
    ],
)  # fmt: skip
def test_a_term_is_checked_again_where_what_it_refers_to_has_changed(
    change: tuple[str, str],
) -> None:
    agree(stated(BASE))
    assert BASE.count(change[0]) == 1
    before, after = composed(stated(BASE)), agree(stated(BASE.replace(*change)))
    assert before != after


def test_two_equations_with_one_text_have_two_expressions() -> None:
    """What is kept about an expression while rules are applied goes by its object."""
    files = stated("extends: datc\ndecisions: {one(m): some(m.rivals), two(m): some(m.rivals)}")
    for _ in range(3):
        profile = composed(files)
        assert isinstance(profile, Profile)
        one, two = (profile.decisions[name].equation for name in ("one", "two"))
        assert one == two
        assert one is not two


def test_terms_of_an_earlier_profile_are_taken() -> None:
    files = stated("extends: datc\ntitle: Again")
    first, again = composed(files), composed(files)
    assert isinstance(first, Profile)
    assert isinstance(again, Profile)
    for name, decision in first.decisions.items():
        for (_, part), (_, other) in zip(
            decision.conditions, again.decisions[name].conditions, strict=True
        ):
            assert part is other, name
