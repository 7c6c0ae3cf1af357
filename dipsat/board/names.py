"""Finding provinces, coasts and powers by the many names that people type."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from dipsat.board.province import Province
from dipsat.errors import AmbiguousNameError, UnknownNameError, nearest_names

_WORDS = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_FEW_POWERS = 12  # which a message can list
_MIN_PREFIX = 4  # shorter beginnings, such as "nor", would surprise more often than help


def words_of(text: str) -> tuple[str, ...]:
    """The words of a name, folded: "St. Petersburg" -> ("st", "petersburg")."""
    return tuple(word.replace("’", "'") for word in _WORDS.findall(text.casefold()))


class NameIndex:
    """Looks names up as sequences of folded words, so that spacing and dots do not matter."""

    def __init__(
        self,
        provinces: Mapping[str, Province],
        powers: Mapping[str, Iterable[str]],
        coasts: Mapping[str, Iterable[str]],
    ) -> None:
        self.provinces: dict[tuple[str, ...], str] = {}
        self.powers: dict[tuple[str, ...], str] = {}
        self.coasts: dict[tuple[str, ...], str] = {}
        self._shown: list[str] = []
        self._own_powers = frozenset(powers)
        for code, province in provinces.items():
            self._shown += [code, province.name]
            for name in (code, province.name, *province.aliases):
                self.provinces[words_of(name)] = code
        for power, aliases in powers.items():
            for name in (power, *aliases):
                self.powers[words_of(name)] = power
        for coast, names in coasts.items():
            for name in (coast, *names):
                self.coasts[words_of(name)] = coast
        self.longest = max((len(words) for words in self.provinces), default=1)

    def province(self, name: str, where: str = "") -> str:
        """The code of the province called `name`.

        `name` is a known name, or an unambiguous beginning of one, of four letters or more.
        Raises `UnknownNameError` with the nearest names, or `AmbiguousNameError`.
        """
        choices = self.meant(name)
        if len(choices) == 1:
            return choices[0]
        if choices:
            raise AmbiguousNameError("province", name, choices, where)
        raise UnknownNameError("province", name, self._nearest(name), where)

    def meant(self, name: str) -> tuple[str, ...]:
        """The codes of the provinces that `name` may stand for: that of the known name, else of
        those that it begins."""
        words = words_of(name)
        found = self.provinces.get(words)
        return self._by_prefix(words) if found is None else (found,)

    def _nearest(self, name: str) -> Iterator[str]:
        """The two provinces with the most similar names, by code or name."""
        near: dict[str, str] = {}
        for known in nearest_names(name, self._shown, 4):
            near.setdefault(self.provinces[words_of(known)], known)
        yield from tuple(near.values())[:2]

    def power(self, name: str, where: str = "") -> str:
        """The power called `name`, in any case, by name or adjective ("Turkish").

        Raises `UnknownNameError`.
        """
        if name in self._own_powers:  # as programs write them
            return name
        found = self.powers.get(words_of(name))
        if found is None:
            known = sorted(set(self.powers.values()))
            listed = len(known) <= _FEW_POWERS
            raise UnknownNameError("power", name, known, where, list_known=listed)
        return found

    def _by_prefix(self, words: tuple[str, ...]) -> tuple[str, ...]:
        typed = " ".join(words)
        if len(typed) < _MIN_PREFIX:
            return ()
        first = at = bisect_left(self._sorted, (typed, ""))
        while at < len(self._sorted) and self._sorted[at][0].startswith(typed):
            at += 1
        return tuple(sorted({code for _, code in self._sorted[first:at]}))

    @cached_property
    def _sorted(self) -> list[tuple[str, str]]:
        """Every name of a province, sorted, with the province."""
        return sorted((" ".join(words), code) for words, code in self.provinces.items())
