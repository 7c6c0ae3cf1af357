"""Words of orders that only other rules know: values of the attributes that shipped variants give
to units. They are looked up only if a text cannot be read, to say which rules it may be for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from dipsat.board.province import words_of
from dipsat.documents import Node, parse_yaml, read_text
from dipsat.resources import data_folder


def rules_hint(word: str) -> str:
    """Advice on a word that cannot be read, if it is the value of an attribute in a shipped
    variant; else ""."""
    found = _values().get(word.casefold())
    if found is None:
        return ""
    attribute, variant = found
    return f"{word!r} is a {attribute} in {variant}; choose the rules {variant!r}"


@cache
def _values() -> Mapping[str, tuple[str, str]]:
    """Value, folded -> its attribute, and the first variant that has it."""
    found: dict[str, tuple[str, str]] = {}
    for path in sorted((data_folder("rules") / "variants").glob("*.yaml")):
        text = read_text(path)
        if "\nattributes:" in text:
            for attribute, value in _declared(parse_yaml(text, str(path)).mapping()):
                found.setdefault(" ".join(words_of(value)), (attribute, path.stem))
    return found


def _declared(top: Mapping[str, Node]) -> Iterator[tuple[str, str]]:
    """Each attribute that a rule file declares, with each of its values."""
    for attribute, node in top["attributes"].mapping().items():
        domain = top["domains"].mapping()[node.mapping()["domain"].raw]
        members = domain.value.values() if isinstance(domain.value, dict) else domain.sequence()
        yield from ((attribute, member.raw) for member in members)
