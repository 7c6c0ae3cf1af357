"""Odd input to every reader: it is read, or refused with a message that a person can read.

Each test takes honest input, puts something odd into one place of it (a text of a hundred thousand
letters, control characters, a value of another type), and lets dipsat read it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import strategies as st

from dipsat.errors import DipsatError
from tests.exhaustive import few_examples
from tests.strangers.odd_input import (
    DOCUMENTS,
    EVERY_TIME,
    ODD_TEXTS,
    ODD_VALUES,
    TEXTS,
    check_message,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of everything in a value."""
    found = [path]
    if isinstance(value, dict | list):
        keys = value if isinstance(value, dict) else range(len(value))
        for key in keys:
            found += places(value[key], (*path, key))
    return found


def changed(value: Any, path: tuple[Any, ...], odd: Any, as_key: bool) -> Any:
    """A copy of a value with something odd at a path, or as the key there."""
    if not path:
        return odd
    key, rest = path[0], path[1:]
    if isinstance(value, list):
        return [changed(v, rest, odd, as_key) if at == key else v for at, v in enumerate(value)]
    if as_key and not rest:
        return {str(odd) if k == key else k: v for k, v in value.items()}
    return {k: changed(v, rest, odd, as_key) if k == key else v for k, v in value.items()}


def read(reader: Callable[[str], object], text: str) -> None:
    """Let dipsat read a text; an error must have a message for people."""
    try:
        reader(text)
    except DipsatError as error:
        check_message(error)


@pytest.mark.parametrize("name", DOCUMENTS)
@few_examples(8, EVERY_TIME, data=st.data())
def test_odd_values_in_documents(name: str, data: st.DataObject) -> None:
    make, reader = DOCUMENTS[name]
    document = make()
    path = data.draw(st.sampled_from(places(document)))
    odd = data.draw(st.sampled_from(ODD_TEXTS) | st.sampled_from(ODD_VALUES))
    document = changed(document, path, odd, data.draw(st.booleans()))
    read(reader, json.dumps(document, ensure_ascii=data.draw(st.booleans())))


@pytest.mark.parametrize("name", TEXTS)
@few_examples(8, EVERY_TIME, data=st.data())
def test_odd_words_in_texts(name: str, data: st.DataObject) -> None:
    text, reader = TEXTS[name]
    parts = re.split(r"(\W+)", text)
    at = data.draw(st.integers(0, len(parts) - 1))
    odd = data.draw(st.sampled_from(ODD_TEXTS))
    kept = parts[at] if data.draw(st.booleans()) else ""
    read(reader, "".join((*parts[:at], kept, odd, *parts[at + 1 :])))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_honest_documents_are_read(name: str) -> None:
    make, reader = DOCUMENTS[name]
    reader(json.dumps(make()))


@pytest.mark.parametrize("name", TEXTS)
def test_honest_texts_are_read(name: str) -> None:
    text, reader = TEXTS[name]
    with suppress(DipsatError):
        reader(text)
