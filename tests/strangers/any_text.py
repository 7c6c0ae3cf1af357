"""Texts of any characters, for properties."""

from __future__ import annotations

from hypothesis import strategies as st

ANY_CHARACTER = st.characters(exclude_categories=["Cs"])
"""The same as those of `st.text()`, all that UTF-8 can encode. There, Hypothesis tries which ones
these are: in a fresh checkout this takes each process of the tests more than a second."""


def any_text(min_size: int = 0, max_size: int | None = None) -> st.SearchStrategy[str]:
    """Texts of so many characters."""
    return st.text(ANY_CHARACTER, min_size=min_size, max_size=max_size)
