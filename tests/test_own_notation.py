"""Orders in dipsat's own notation, read by their words: as the reader of typed texts reads them."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import dipsat
from dipsat.orders.own_notation import read_own
from dipsat.orders.text_parse import TEXT_FAULTS, TextParse
from dipsat.orders.words import NO_WORDS
from tests.exhaustive import few_of, parts_of


def orders(board: dipsat.Map, count: int) -> Iterator[str]:
    """Texts in the notation, about any locations of the map."""
    rng = random.Random(board.name)
    places = sorted(board.locations)

    def unit() -> str:
        return f"{rng.choice('AF')} {rng.choice(places)}"

    for _ in range(count):
        yield f"{unit()} {rng.choice('HDB')}"
        yield f"{unit()} R {rng.choice(places)}"
        yield f"{unit()} - {rng.choice(places)}{rng.choice(['', ' VIA'])}"
        yield f"{unit()} S {unit()}"
        yield f"{unit()} {rng.choice('SC')} {unit()} - {rng.choice(places)}"
    for place in places:
        yield f"F {place} S A {place} - {place}"


@pytest.mark.parametrize("name", few_of(dipsat.map_names(), 4))
def test_what_is_read_is_what_the_reader_of_typed_texts_reads(name: str) -> None:
    board = dipsat.load_map(name)
    read = 0
    for text in orders(board, 40):
        own = read_own(text, board, NO_WORDS)
        if own is not None:
            read += 1
            parse = TextParse(board, text)
            assert own == parse.order(), text
            assert not parse.guesses()
    assert read > 100


@pytest.mark.parametrize("seeds", parts_of(range(20_000), 500))
def test_no_other_text_is_read_otherwise(seeds: range) -> None:
    board = dipsat.load_map("standard")
    words = [
        "A",
        "F",
        "H",
        "S",
        "C",
        "-",
        "VIA",
        "PAR",
        "BUR",
        "STP/SC",
        "STP",
        "par",
        "",
        "NTH",
        "D",
    ]
    read = 0
    for seed in seeds:
        rng = random.Random(seed)
        text = " ".join(rng.choice(words) for _ in range(rng.randint(1, 8)))
        if seed % 2:
            text = f"{rng.choice('AF')} {rng.choice(['PAR', 'BUR', 'STP/SC'])} {text}"
        own = read_own(text, board, NO_WORDS)
        if own is not None:
            read += 1
            try:
                assert own == TextParse(board, text).order(), text
            except TEXT_FAULTS as error:
                pytest.fail(f"{text!r}: {error}")
    assert read


@pytest.mark.parametrize("name", few_of(dipsat.map_names(), 3))
def test_a_code_with_which_a_longer_name_begins_is_read_where_it_is_clear(name: str) -> None:
    """`RIO D` may be short for Rio de Janeiro, but `ENG S` is no beginning of a name."""
    board = dipsat.load_map(name)
    for place in sorted(board.locations):
        for text in (
            f"F {place} H", f"A PAR - {place}", f"A {place} - {place} VIA", f"F {place} D",
            f"F {place} C A {place} - {place}", f"F {place} S F {place} - {place}",
            f"A {place} B", f"F {place} R {place}",
        ):  # fmt: skip
            own = read_own(text, board, NO_WORDS)
            if own is not None:
                parse = TextParse(board, text)
                assert own == parse.order(), text
                assert not parse.guesses()


def test_codes_of_seas_are_read_by_their_words_alone() -> None:
    board = dipsat.load_map("standard")
    for text in ("F ENG H", "F EAS S F WES", "A PAR - NTH", "F WES R LYO"):
        assert read_own(text, board, NO_WORDS) is not None, text
    assert read_own("F ENG C A LON - BEL", board, NO_WORDS) is None  # as in Eng Ch


def test_words_of_rules_are_left_to_the_reader_of_typed_texts() -> None:
    text, board = "A PAR - BUR", dipsat.load_map("standard")
    assert read_own(text, board, dipsat.load_profile("datc").words) is not None
    assert read_own(text, board, dipsat.load_profile("arpiesse").words) is None
