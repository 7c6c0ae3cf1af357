"""Names and words of another language, from a file, laid over a map.

What dipsat itself writes keeps its meaning: codes and full names of provinces, names of powers,
codes of coasts, words and letters of orders. The file's names override all others of the map.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import TypeAlias

from dipsat.base import NAMES_FILE, Node
from dipsat.board.map import Map
from dipsat.board.province import (
    MOST_WORDS,
    Language,
    NameIndex,
    by_words,
    plain_spellings,
    words_of,
)
from dipsat.board.read import Faults
from dipsat.errors import MapError, hint, shortened

Phrase: TypeAlias = tuple[str, ...]

_SECTIONS = {"provinces": "province", "powers": "power", "coasts": "coast", "words": "word"}
_ENGLISH = {
    "army": "a", "fleet": "f", "holds": "h", "supports": "s", "convoys": "c", "retreats": "r",
    "disbands": "d", "builds": "b", "moves": "to", "via": "by", "waives": "waived",
    "orders": "order", "spring": "spring", "summer": "summer", "fall": "autumn", "winter": "winter",
    **{one: one for one in ("dear", "here", "my", "for", "regards", "subject")},
}  # fmt: skip
"""English words in orders, headings and mails -> a shorter or alternative word for each."""
_OWN_WORDS: Mapping[Phrase, str] = {
    (word,): one for one, other in _ENGLISH.items() for word in (one, one.removesuffix("s"), other)
}


def with_language(board: Map, root: Node, home: Map, path: str) -> Map:
    """Return `board` with the names in a document laid over it. The document is written for the map
    `home`; `path` is the path of the new map.

    Powers that only `home` has are ignored. Raises `DocumentError`, or `ProblemsError` with every
    name that already means something else or that is given to something unknown.
    """
    if not home.provinces.keys() <= board.provinces.keys():
        problem = f"these names are for {home.name}, and {board.name} lacks some of its provinces"
        raise MapError(*root.place_of("map"), problem)
    reader = _Reader(root, board, home)
    powers = reader.names("powers")
    old = board.language
    laid = Language(
        {**old.provinces, **reader.names("provinces")},
        {**old.powers, **{name: one for name, one in powers.items() if one in board.powers}},
        {**old.coasts, **reader.names("coasts")},
    )
    parts = _parts(replace(board, language=laid).names)
    words = {**old.words, **_spelled(reader.names("words", parts))}
    reader.faults.stop_if_any()
    words = {one: english for one, english in words.items() if one not in parts}
    return replace(
        board,
        name=f"{board.name}+{PurePath(path.rpartition('+')[2]).stem}",
        path=path,
        language=replace(laid, words=words),
    )


class _Reader:
    """Reads the sections of a names file, and records what is wrong with them in `faults`."""

    def __init__(self, root: Node, board: Map, home: Map) -> None:
        self.faults = Faults()
        self.root = root.mapping(("map", *_SECTIONS), NAMES_FILE)
        self.kept: Mapping[str, Mapping[Phrase, str]] = {
            "provinces": by_words({code: (one.name,) for code, one in board.provinces.items()}),
            "powers": by_words(dict.fromkeys((*board.powers, *home.powers), ())),
            "coasts": by_words(dict.fromkeys(board.coast_names, ())),
            "words": _OWN_WORDS,
        }

    def names(self, section: str, parts: Mapping[Phrase, str] | None = None) -> dict[str, str]:
        """Name -> what it stands for in one section. No name may be among the `parts` of names."""
        found: dict[str, str] = {}
        owner = dict(self.kept[section])
        for thing, item in self._stated(section):
            name = item.text("a name")
            words, shown = words_of(name), f"the name {shortened(name)!r}"
            found[name] = thing
            if not words:
                self.faults.add(item, f"{shown} of {thing} has no word in it")
            elif owner.setdefault(words, thing) != thing:
                self.faults.add(item, f"{shown} of {thing} already means {owner[words]}")
            elif section != "words" and words in _OWN_WORDS:
                self.faults.add(item, f"{shown} of {thing} is a word of orders")
            elif parts and words in parts:
                self.faults.add(item, f"{shown} of {thing} is part of the name {parts[words]!r}")
            elif section == "words" and len(words) > MOST_WORDS:
                self.faults.add(item, f"{shown} of {thing} has more than {MOST_WORDS} words")
        return found

    def _stated(self, section: str) -> Iterator[tuple[str, Node]]:
        """The node of each name in a section, with the thing that it names."""
        known = dict.fromkeys(self.kept[section].values())
        entries = self.root[section].mapping(None, section) if section in self.root else {}
        for thing, node in entries.items():
            if thing not in known:
                end = hint(thing, known, quoted=False)
                problem = f"there is no {_SECTIONS[section]} {shortened(thing)!r}{end}"
                self.faults.add_at_key(self.root[section], thing, problem)
                continue
            yield from ((thing, item) for item in node.sequence(f"the names of {thing}"))


def _parts(names: NameIndex) -> dict[Phrase, str]:
    """Every part of a name that could be taken for a word of orders -> the name."""
    return {
        name[at:end]: " ".join(name)
        for index in (names.provinces, names.powers, names.coasts)
        for name in index
        for at in range(len(name))
        for end in range(at + 1, min(at + MOST_WORDS, len(name)) + 1)
    }


def _spelled(named: Mapping[str, str]) -> dict[Phrase, str]:
    """Folded words, in every spelling -> the English word for them."""
    found = {words_of(name): english for name, english in named.items()}
    for words, english in tuple(found.items()):
        for plain in plain_spellings(words):
            if plain not in _OWN_WORDS:  # such as the French à
                found.setdefault(plain, english)
    return found
