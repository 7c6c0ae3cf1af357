"""Texts of any characters, for properties."""

from __future__ import annotations

from hypothesis import strategies as st

ANY_CHARACTER = st.characters(exclude_categories=["Cs"])
"""All characters that UTF-8 can encode, as in `st.text()`. There, Hypothesis finds them by trying,
which takes each process of the tests more than a second in a fresh checkout."""


def any_text(min_size: int = 0, max_size: int | None = None) -> st.SearchStrategy[str]:
    """Texts whose length is between these limits."""
    return st.text(ANY_CHARACTER, min_size=min_size, max_size=max_size)
