"""Provinces, how their places are written, kinds of units, and the names that people type."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, ClassVar
from unicodedata import combining, normalize

from dipsat.base import brief, checked, grouped, with_article
from dipsat.errors import AmbiguousNameError, UnknownNameError, nearest_names


@brief()
@dataclass(frozen=True, slots=True)
class Province:
    """A province of a map."""

    code: str
    """Its code in orders, such as `BUL`."""
    name: str
    """Its full name."""
    kind: str
    """`land` (inland), `coast` or `sea`."""
    coasts: tuple[str, ...] = ()
    """The suffixes of its coasts, such as `EC` and `SC`; empty unless it has several."""
    supply: bool = False
    """Whether it is a supply centre."""
    aliases: tuple[str, ...] = ()
    """Other names that players type."""
    default_coast: str = ""
    """The coast that an order without one means, where the rules allow that (DATC 2.4 4.B)."""
    features: frozenset[str] = frozenset()
    """The features that rules may ask about, such as `ice`."""

    @property
    def locations(self) -> tuple[str, ...]:
        """The locations where a fleet can be: one, or one for each coast."""
        return tuple(f"{self.code}/{coast}" for coast in self.coasts) or (self.code,)

    @property
    def default_location(self) -> str:
        """The location on the default coast; the first location if the map states no default."""
        return f"{self.code}/{self.default_coast}" if self.default_coast else self.locations[0]


def province_of(location: str) -> str:
    """The province of a location: `BUL/SC` -> `BUL`."""
    return location.partition("/")[0] if "/" in location else location


def coast_of(location: str) -> str:
    """The coast of a location, or an empty text: `BUL/SC` -> `SC`."""
    return location.partition("/")[2]


# --- unit kind ------------------------------------------------------------------------------------

# Kinds of units: armies, fleets, and any others that rules declare.


BORDERS = ("army", "fleet")
"""Kinds of borders between provinces: those that armies can cross, and those that fleets can."""
_TERRAIN = {"army": ("land", "coast"), "fleet": ("coast", "sea")}


class UnitKind(str):
    """A kind of unit, written as the letter in front of such a unit.

    There is one object for each kind, so compare kinds with `is`. A kind equals the plain text of
    its letter; two kinds with the same letter in different rules are not equal.
    """

    word: str
    """Its name, such as `army`."""
    borders: tuple[str, ...]
    """The borders that it crosses: those for `army`, those for `fleet`, or both."""
    has_coasts: bool
    """Whether it is on one particular coast in a province with several."""
    ARMY: ClassVar[UnitKind]
    """The army, `A`."""
    FLEET: ClassVar[UnitKind]
    """The fleet, `F`."""

    def __new__(cls, letter: str, word: str, borders: tuple[str, ...]) -> UnitKind:
        """Called only by `unit_kind`, which always returns the same object for a kind."""
        found = super().__new__(cls, letter)
        found.word = word
        found.borders = borders
        found.has_coasts = borders == ("fleet",)
        return found

    def __eq__(self, other: object) -> bool:
        return self is other if isinstance(other, UnitKind) else str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__

    def __reduce__(self) -> tuple[Any, ...]:  # so that a copy is the same object
        return unit_kind, (str(self), self.word, self.borders)

    @property
    def with_article(self) -> str:
        """Its name with an article: `an army`."""
        return with_article(self.word)

    @property
    def plural(self) -> str:
        """Its name in the plural: `armies`."""
        return f"{self.word[:-1]}ies" if self.word.endswith("y") else f"{self.word}s"

    @checked
    def stands_in(self, terrain: str) -> bool:
        """Whether it can be in a province with this terrain: "land", "coast" or "sea"."""
        return any(terrain in _TERRAIN[border] for border in self.borders)


@cache
def unit_kind(letter: str, word: str, borders: tuple[str, ...]) -> UnitKind:
    """The kind with these properties, always the same object."""
    return UnitKind(letter, word, borders)


UnitKind.ARMY = unit_kind("A", "army", ("army",))
UnitKind.FLEET = unit_kind("F", "fleet", ("fleet",))

STANDARD_KINDS: tuple[UnitKind, ...] = (UnitKind.ARMY, UnitKind.FLEET)
"""The kinds that the standard rules know."""


def one_of(kinds: Iterable[UnitKind]) -> str:
    """Kinds of units in words, such as `an army (A) or a fleet (F)`."""
    *others, last = (f"{kind.with_article} ({kind})" for kind in kinds)
    return f"{', '.join(others)} or {last}" if others else last


def standard_kind(letter: str) -> UnitKind:
    """The kind of the letter "A" or "F". Raises `UnknownNameError` for anything else."""
    found = next((kind for kind in STANDARD_KINDS if kind == letter), None)
    if found is None:
        raise UnknownNameError("kind of unit", letter, STANDARD_KINDS, list_known=True)
    return found


# --- names ----------------------------------------------------------------------------------------

# Finding provinces, coasts and powers by the many names that people type.


_WORDS = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_FEW_POWERS = 12  # if there are no more, a message lists them all
MOST_WORDS = 5  # in a phrase of another language that means one English word
_MIN_PREFIX = 4  # shorter beginnings, such as "nor", would surprise more often than help
_LONG_NAME = 8  # in a name with this many letters, one wrong letter is a slip, not another name
_IN_FULL = {"nth": "north", "sth": "south"}  # abbreviations of words in names


_WITH_E = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})  # as Germans type without umlauts
_LIGATURES = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o"})  # they have no accent to leave out


def composed(text: str) -> str:
    """A text with each letter and its accents as one character, however it was typed."""
    return text if text.isascii() else normalize("NFC", text)


def words_of(text: str) -> tuple[str, ...]:
    """The words of a name, folded: "St. Petersburg" -> ("st", "petersburg")."""
    return tuple(folded(word) for word in _WORDS.findall(composed(text)))


def folded(word: str) -> str:
    """A word in the form in which words are compared."""
    return word.casefold().replace("’", "'")


def plain_spellings(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Folded words as people type them without accents: ("münchen",) -> ("muenchen",) and
    ("munchen",)."""
    if all(map(str.isascii, words)):
        return
    for table in (_WITH_E, {}):
        apart = (normalize("NFD", word.translate(table)) for word in words)
        plain = ("".join(one for one in word if not combining(one)) for word in apart)
        yield tuple(word.translate(_LIGATURES) for word in plain)


@brief()
@dataclass(frozen=True)
class Language:
    """Names and words of another language that are laid over a map."""

    provinces: Mapping[str, str] = field(default_factory=dict)
    """Name -> the code of the province."""
    powers: Mapping[str, str] = field(default_factory=dict)
    """Name -> the power."""
    coasts: Mapping[str, str] = field(default_factory=dict)
    """Name -> the suffix of the coast."""
    words: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    """Folded words -> the English word for them in orders and headings."""

    def in_english(self, text: str) -> str:
        """A text with its words of orders and headings in English. All names stay as they are."""
        if not self.words:
            return text
        text = composed(text)
        found = list(_WORDS.finditer(text))
        parts: list[str] = []
        at = done = 0
        while at < len(found):
            for end in range(min(at + MOST_WORDS, len(found)), at, -1):
                english = self.words.get(tuple(folded(one[0]) for one in found[at:end]))
                if english is not None:
                    parts += text[done : found[at].start()], english
                    done, at = found[end - 1].end(), end
                    break
            else:
                at += 1
        return "".join((*parts, text[done:]))


def _is_slip(words: tuple[str, ...], own: tuple[str, ...]) -> bool:
    typed, name = " ".join(words), " ".join(own)
    if len(typed) != len(name) or len(name) < _LONG_NAME:
        return False
    return sum(map(str.__ne__, typed, name)) == 1


class NameIndex:
    """Looks names up as sequences of folded words, so that spacing and dots do not matter."""

    def __init__(
        self,
        provinces: Mapping[str, Province],
        powers: Mapping[str, Iterable[str]],
        coasts: Mapping[str, Iterable[str]],
        language: Language,
    ) -> None:
        self._named = {code: (one.name, *one.aliases) for code, one in provinces.items()}
        self.provinces = by_words(self._named, language.provinces)
        self.powers = by_words(powers, language.powers)
        self.coasts = by_words(coasts, language.coasts)
        self._names = {code: one.name for code, one in provinces.items()}
        self._shown = [name for code, one in provinces.items() for name in (code, one.name)]
        self._shown += language.provinces
        self._own_powers = frozenset(powers)
        self.shown_powers = (*powers, *language.powers)
        first: dict[str, str] = {}
        for name, power in language.powers.items():
            first.setdefault(power, name)
        # If the names of several powers begin with a letter, it means the one whose main name does.
        self.main_powers = frozenset(map(words_of, (*powers, *first.values())))
        self.first_of_powers = frozenset(words[0] for words in self.powers)
        self.first_of_coasts = frozenset(words[0] for words in self.coasts)
        self.beginnings = frozenset(
            words[:length] for words in self.provinces for length in range(1, len(words))
        )
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
        raise UnknownNameError("province", name, self.nearest(name), where)

    def meant(self, name: str) -> tuple[str, ...]:
        """The codes of the provinces that `name` may mean: the one with that name or, if there is
        none, all with a name that begins with it."""
        words = words_of(name)
        found = self.provinces.get(words)
        return self._by_prefix(words) if found is None else (found,)

    def abbreviated(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """The codes of the provinces that words may abbreviate which neither are nor begin a name:
        the one whose name has other spaces (`NthSea`), or else all with a name whose words begin
        with these (`N Atl`)."""
        if len("".join(words)) < _MIN_PREFIX:
            return ()
        joined = self._joined.get("".join(words))
        return (joined,) if joined else self._by_begun_words(words)

    def nearest(self, name: str) -> Iterator[str]:
        """The two provinces with the most similar names, by code or name."""
        near: dict[str, str] = {}
        for known in nearest_names(name, self._shown, 4):
            near.setdefault(self.provinces[words_of(known)], known)
        yield from tuple(near.values())[:2]

    def alike(self, typed: str, codes: Iterable[str]) -> Iterator[str]:
        """For each province, the one of its names that is most like the typed text."""
        named = grouped((self.provinces[words_of(name)], name) for name in self._shown)
        for code in codes:
            yield (nearest_names(typed, named[code], 1) or (self._names[code],))[0]

    def powers_begun(self, word: str) -> list[str]:
        """The powers that a shortened name may mean: the only one whose main name begins with it
        or, if there is not exactly one, all with any name that does."""
        meant = {name: power for name, power in self.powers.items() if name[0].startswith(word)}
        own = {power for name, power in meant.items() if name in self.main_powers}
        return sorted(own) if len(own) == 1 else sorted(set(meant.values()))

    def power(self, name: str, where: str = "") -> str:
        """The power called `name`, in any case, by name or adjective ("Turkish").

        Raises `UnknownNameError`.
        """
        if name in self._own_powers:  # as programs write them
            return name
        found = self.powers.get(words_of(name))
        if found is None:
            raise self.unknown_power(name, where)
        return found

    def unknown_power(self, name: str, where: str = "", hint: str = "") -> UnknownNameError:
        """The error for a name that no power has."""
        known, listed = sorted(self.shown_powers), len(self.shown_powers) <= _FEW_POWERS
        return UnknownNameError("power", name, known, where, list_known=listed, hint=hint)

    def _by_prefix(self, words: tuple[str, ...]) -> tuple[str, ...]:
        typed = " ".join(words)
        if len(typed) < _MIN_PREFIX:
            return ()
        first = at = bisect_left(self._sorted, (typed, ""))
        while at < len(self._sorted) and self._sorted[at][0].startswith(typed):
            at += 1
        return tuple(sorted({code for _, code in self._sorted[first:at]}))

    @cached_property
    def misspelt(self) -> frozenset[tuple[str, ...]]:
        """The aliases that differ in one letter from the long full name of their province, such as
        `Sevastapol`."""
        folded = ([words_of(name) for name in names] for names in self._named.values())
        return frozenset(
            other for own, *others in folded for other in others if _is_slip(other, own)
        )

    @cached_property
    def _sorted(self) -> list[tuple[str, str]]:
        """Every name of a province, sorted, with the province."""
        return sorted((" ".join(words), code) for words, code in self.provinces.items())

    def _by_begun_words(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """The provinces with a name of several words that begin, in order, with the typed words."""
        typed = tuple(_IN_FULL.get(word, word) for word in words)
        found, at = set[str](), bisect_left(self._phrases, (typed[:1], ""))
        for name, code in self._phrases[at:] if len(words) > 1 else ():
            if not name[0].startswith(typed[0]):
                break
            if len(name) >= len(typed) and all(map(str.startswith, name, typed)):
                found.add(code)
        return tuple(sorted(found))

    @cached_property
    def _phrases(self) -> list[tuple[tuple[str, ...], str]]:
        """Every name of several words, sorted, with the province; also with a short name of the
        province in place of the first word (`Eng Channel`)."""
        found = {words: code for words, code in self.provinces.items() if len(words) > 1}
        short = [(words, code) for words, code in self.provinces.items() if len(words) == 1]
        rest = {code: words_of(self._names[code])[1:] for _, code in short}
        for words, code in short:
            if rest[code] and rest[code][0] != "of":
                found.setdefault((*words, *rest[code]), code)
        return sorted(found.items())

    @cached_property
    def _joined(self) -> dict[str, str]:
        """Each name without spaces -> its province, unless several provinces share that."""
        every = (*self.provinces.items(), *self._phrases)
        named = grouped(("".join(words), code) for words, code in every)
        return {joined: codes[0] for joined, codes in named.items() if len(set(codes)) == 1}


def by_words(
    named: Mapping[str, Iterable[str]], laid_over: Mapping[str, str] | None = None
) -> dict[tuple[str, ...], str]:
    """Folded words -> the thing with this name. `named` gives each thing its other names; the names
    `laid_over` those take precedence. Names can also be typed without accents."""
    known = {words_of(name): thing for thing, names in named.items() for name in (thing, *names)}
    known |= {words_of(name): thing for name, thing in (laid_over or {}).items()}
    for words, thing in tuple(known.items()):
        for plain in plain_spellings(words):
            known.setdefault(plain, thing)
    return known
