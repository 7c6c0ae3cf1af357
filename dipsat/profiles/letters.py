"""The letters that the documents give to choices whose files are named otherwise."""

from __future__ import annotations

import re
from collections.abc import Mapping

from dipsat.documents import Node
from dipsat.errors import ProfileError

_LETTER = re.compile(r"[a-z]")


def letters_of(root: Node) -> dict[str, str]:
    """The `letters` of a rule file: by document, the letter of the choice there.

    Raises `DocumentError`.
    """
    node = root.mapping().get("letters")
    if node is None:
        return {}
    found = {}
    for document, one in node.mapping(None, "letters").items():
        if not _LETTER.fullmatch(one.text("a letter")):
            one.fail(f"a letter is a small letter, such as d; not {one.raw!r}", ProfileError)
        found[document] = one.raw
    return found


def in_words(letters: Mapping[str, str]) -> str:
    """Letters for people: `DATC 2.4: d, DATC 3.0: f`."""
    return ", ".join(f"{document}: {letter}" for document, letter in letters.items())
