"""Finding provinces, coasts and powers by the many names that people type."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from dipsat.board.province import Province
from dipsat.errors import AmbiguousNameError, UnknownNameError, nearest_names

_WORDS = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
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
        words = words_of(name)
        found = self.provinces.get(words)
        if found is not None:
            return found
        choices = self._by_prefix(words)
        if len(choices) == 1:
            return choices[0]
        if choices:
            raise AmbiguousNameError("province", name, choices, where)
        near: dict[str, str] = {}  # each province once, by code or name
        for known in nearest_names(name, self._shown, 4):
            near.setdefault(self.provinces[words_of(known)], known)
        raise UnknownNameError("province", name, tuple(near.values())[:2], where)

    def power(self, name: str, where: str = "") -> str:
        """The power called `name`, in any case, by name or adjective ("Turkish").

        Raises `UnknownNameError`.
        """
        if name in self._own_powers:  # as programs write them
            return name
        found = self.powers.get(words_of(name))
        if found is None:
            raise UnknownNameError("power", name, sorted(set(self.powers.values())), where)
        return found

    def _by_prefix(self, words: tuple[str, ...]) -> list[str]:
        if len(" ".join(words)) < _MIN_PREFIX:
            return []
        typed = " ".join(words)
        return sorted(
            {code for name, code in self.provinces.items() if " ".join(name).startswith(typed)}
        )
