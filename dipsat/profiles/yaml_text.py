"""Texts as YAML writes them."""

from __future__ import annotations

import json
import textwrap

from dipsat.documents import parse_yaml
from dipsat.errors import DipsatError
from dipsat.profiles.additions import as_written

_WIDTH = 96


def key_text(text: str) -> str:
    """A text as a YAML key."""
    return text if _says(text, f"{text}: x", as_key=True) else json.dumps(text, ensure_ascii=False)


def scalar(text: str, indent: int) -> str:
    """A text as a YAML value: plain if it can be, else a block with this indentation or quoted."""
    space = " " * indent
    lines = text.split("\n") if "\n" in text else []
    if not lines and len(text) <= _WIDTH - indent and _says(text, f"k: {text}"):
        return text
    if not lines:
        lines = textwrap.wrap(text, _WIDTH - indent, break_long_words=False, break_on_hyphens=False)
    block = ">-\n" + "\n".join(space + line if line.strip() else "" for line in lines)
    if _says(text, f"k: {block}"):
        return block
    return json.dumps(text, ensure_ascii=False)


def _says(text: str, document: str, as_key: bool = False) -> bool:
    """Whether a YAML document reads as a single entry with this text."""
    try:
        top = parse_yaml(document, "").mapping()
    except DipsatError:
        return False
    if as_key:
        return list(top) == [text]
    return (
        list(top) == ["k"]
        and top["k"].value is not None
        and text in (as_written(top["k"]), top["k"].raw)
    )
