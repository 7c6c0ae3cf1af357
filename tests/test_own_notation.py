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
        yield f"{unit()} H"
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


def test_a_code_with_which_a_longer_name_begins_is_read() -> None:
    """`ENG C` is no beginning of `Eng Ch`: an action or nothing stands behind a location."""
    board = dipsat.load_map("standard")
    for place in sorted(board.locations):
        for text in (
            f"F {place} H", f"A PAR - {place}", f"A PAR - {place} VIA", f"F {place} C A PAR - BRE",
            f"F {place} S F {place} - {place}",
        ):  # fmt: skip
            parse = TextParse(board, text)
            assert read_own(text, board, NO_WORDS) == parse.order(), text
            assert not parse.guesses()


def test_words_of_rules_are_left_to_the_reader_of_typed_texts() -> None:
    text, board = "A PAR - BUR", dipsat.load_map("standard")
    assert read_own(text, board, dipsat.load_profile("datc").words) is not None
    assert read_own(text, board, dipsat.load_profile("arpiesse").words) is None
