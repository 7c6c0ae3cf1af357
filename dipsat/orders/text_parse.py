"""Read the text of one order from left to right, in the notations of `dipsat.orders.texts`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import TypeAlias

from dipsat.base import Node, data_folder, parse_yaml, read_text
from dipsat.board import Map, composed, language_hint, one_of, province_of, words_of
from dipsat.errors import AmbiguousNameError, OrderSyntaxError, UnknownNameError, shortened
from dipsat.orders import verbs
from dipsat.orders.order import (
    Build,
    Convoy,
    DeclaredOrder,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    UnitName,
    Waive,
    attribute_words,
)
from dipsat.orders.verbs import (
    NO_WORDS,
    UNIT_FIELD,
    Form,
    OrderKind,
    Slot,
    Word,
    Words,
    is_hyphenated,
    kind_words,
    tokens_of,
)

TextFault: TypeAlias = AmbiguousNameError | OrderSyntaxError | UnknownNameError
TEXT_FAULTS = (AmbiguousNameError, OrderSyntaxError, UnknownNameError)
"""The errors that the reader raises for a text."""

_MAX_LENGTH = 300  # characters; the longest sensible order has about 100
_MAX_POWER_WORDS = 3
_TO = {*verbs.MOVE, "-"}  # what stands before the place to which a unit goes


class TextParse:
    """A recursive descent over the tokens of one text."""

    def __init__(self, board: Map, text: str, words: Words = NO_WORDS) -> None:
        self.board = board
        self.kinds = words.kinds
        self.switched_off = words.switched_off
        self.names = board.names
        self.unit_kinds = kind_words(words.units)
        self.convoy_verbs = verbs.of_convoys(words)
        self.ends = verbs.ends_of_names(words)
        self.attributes = attribute_words(words.attributes)
        self.text = text = composed(text)
        self.at = 0
        self.meant: dict[str, str] = {}  # guessed name, as typed -> the province
        if len(text) > _MAX_LENGTH:
            raise OrderSyntaxError(shortened(text), f"longer than {_MAX_LENGTH} characters")
        self.tokens = tokens_of(board.language.in_english(text), text)

    def fail(self, problem: str) -> OrderSyntaxError:
        """The error to raise for the text."""
        return OrderSyntaxError(self.text, problem)

    def guesses(self) -> str:
        """How names were read that stand for nothing as typed, in words; "" if there were none."""
        return " and ".join(
            f"'{self._as_typed(typed)}' is read as {self.board.provinces[code].name}"
            for typed, code in self.meant.items()
        )

    def _as_typed(self, name: str) -> str:
        """A folded name as the text spells it, if it is there, or an English word as the text has
        it in another language."""
        text, spoken = self.text.casefold(), self.board.language.words.items()
        for one in (name, *(" ".join(words) for words, english in spoken if english == name)):
            if (at := text.find(one)) >= 0:
                return self.text[at : at + len(one)]
        return name

    def peek(self) -> str:
        """The next token, empty at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, words: set[str]) -> bool:
        """Step over the next token if it is one of `words`."""
        if self.peek() in words:
            self.at += 1
            return True
        return False

    def _take_all(self, words: set[str]) -> bool:
        """Step over all tokens from here that are among `words`."""
        start = self.at
        while self.take(words):
            pass
        return self.at > start

    def end(self) -> None:
        """Raise `OrderSyntaxError` if anything is left over."""
        if self.peek():
            hint = rules_hint(self.peek())
            if self.at and self.peek() in self.unit_kinds and len(self.tokens) > self.at + 1:
                hint = "each order needs a line of its own, or a semicolon before it"
            rest = f"{' '.join(self.tokens[self.at :])!r} is left over at the end"
            raise self.fail(f"{rest}; {hint}" if hint else rest)

    def order(self) -> Order:
        """The order that the whole text states. Raises what `OrderReader.read` does."""
        for kind in self.kinds:
            declared = self._of_kind(kind)
            if declared is not None:
                return declared
        try:
            order = self._leading_verb() or self._leading_letter() or self._trailing_verb()
            self.end()
        except TEXT_FAULTS:
            for off in self.switched_off:
                if self._of_kind(off.kind) is not None:
                    raise self.fail(off.advice) from None
            raise
        return order

    def _of_kind(self, kind: OrderKind) -> DeclaredOrder | None:
        """The order of a declared kind, if the whole text has one of its forms."""
        found = (self._declared(kind, form) for form in kind.forms)
        return next((one for one in found if one is not None), None)

    def _declared(self, kind: OrderKind, form: Form) -> DeclaredOrder | None:
        """The order of a declared kind, if the whole text has this form."""
        words = (part for part in form if isinstance(part, Word))
        if not all(any(word in self.tokens for word in part.words) for part in words):
            return None
        self.at = 0
        named: dict[str, UnitName | str] = {UNIT_FIELD: UnitName("")}
        try:
            for part in form:
                if isinstance(part, Word):
                    if not self.take(set(part.words)):
                        raise self.fail(f"{part.shown} is missing")
                else:
                    named[part.name] = self._slot(part)
            self.end()
        except TEXT_FAULTS:
            self.at = 0
            return None
        unit = named.pop(UNIT_FIELD)
        assert isinstance(unit, UnitName)
        fields = tuple(sorted(named.items()))
        return kind.written(DeclaredOrder(kind.name, unit, fields, season=kind.season))

    def _slot(self, slot: Slot) -> UnitName | str:
        return self.unit() if slot.type == "Unit" else province_of(self.location())

    def _leading_verb(self) -> Order | None:
        """`Build A Paris`, `Silver Build A Paris`, `Remove F Ion`, `WAIVE`; single letters are not
        enough here."""
        start, said = self.at, dict[str, str]()
        power = self._described(None, said) if self.attributes.known else None
        if said and len(self.peek()) > 1 and self.take(verbs.BUILD):
            return self._build(self.unit(power, said))
        self.at = start
        word = self.peek()
        if len(word) < 2:
            return None
        if self.take(verbs.WAIVE):
            self.take({"a"})
            self.take({"build", "builds"})
            return Waive()
        if self.take(verbs.BUILD):
            return self._build(self.unit())
        if self.take(verbs.DISBAND):
            return Disband(self.unit())
        return None

    def _leading_letter(self) -> Order | None:
        """`B F StP`, `D A Par`, `R A Bel - Pic`: a letter that can only be the verb, before the
        kind of a unit."""
        letter, follows = self.peek(), (*self.tokens[self.at + 1 : self.at + 2], "")[0]
        if letter in self.unit_kinds or follows not in self.unit_kinds:
            return None
        if letter not in ("b", "d", "r") or self._match_province()[0]:
            return None
        self.at += 1
        unit = self.unit()
        if letter == "b":
            return self._build(unit)
        if letter == "d":
            return Disband(unit)
        if not self.peek():
            raise self.fail("R could mean retreat or remove; write - and a province, or Remove")
        return Retreat(unit, self._path("retreating unit")[-1])

    def _trailing_verb(self) -> Order:
        unit = self.unit()
        order: Order
        if self.take(verbs.HOLD):
            order = Hold(unit)
        elif self.take(verbs.SUPPORT):
            order = self._support(unit)
        elif self.take(self.convoy_verbs):
            army = self.unit()
            path = self._path("convoyed unit")
            self._via()
            order = Convoy(unit, army, path[-1])
        elif self.peek() in _TO:
            path = self._path("unit")
            order = Move(unit, path[-1], self._via(), path[:-1])
        elif self.take(verbs.RETREAT):
            self._take_all(_TO)
            order = Retreat(unit, self.location())
        elif self.take(verbs.DISBAND):
            order = Disband(unit)
        elif self.take(verbs.BUILD):
            order = self._build(unit)
        elif not self.peek():
            raise self.fail(
                "it does not say what the unit does; write H to hold, D to disband, B to build"
            )
        else:
            raise self.fail(f"{self.peek()!r} is not an action; use H, -, S, C, R, D or B")
        return order

    def _build(self, unit: UnitName) -> Order:
        """The build of a unit whose attributes may follow: `A Paris B silver`."""
        said = dict(unit.attributes)
        while self.attributes.known and self._attribute(said):
            unit = replace(unit, attributes=self.attributes.in_order(said))
        return Build(unit)

    def _support(self, unit: UnitName) -> Order:
        supported = self.unit()
        if self.peek() in _TO:
            target = self._path("supported unit")[-1]
            self._via()
            return SupportMove(unit, supported, target)
        self.take(verbs.HOLD)
        return SupportHold(unit, supported)

    def _path(self, who: str) -> tuple[str, ...]:
        """The places after `-`: the target, or sea provinces and then the target."""
        places = []
        while self._take_all(_TO):
            places.append(self.location())
        if not places:
            raise self.fail(f"it does not say where the {who} goes; write - and a province")
        return tuple(places)

    def _via(self) -> bool:
        inside = self.peek() == "(" and set(self.tokens[self.at + 1 : self.at + 2]) <= verbs.VIA
        self.at += inside
        if not self.take(verbs.VIA):
            return False
        self.take({"convoy"})
        if inside and not self.take({")"}):
            raise self.fail("a closing ) is missing")
        return True

    def unit(self, power: str | None = None, said: dict[str, str] | None = None) -> UnitName:
        """[nationality and attributes] [A or F] province [coast]; `power` and what is `said` of
        attributes were read before."""
        said = {} if said is None else said
        power = self._described(power, said)
        kind = None
        if self.peek() in self.unit_kinds and self.at + 1 < len(self.tokens):
            kind = self.unit_kinds[self.peek()]
            self.at += 1
            power = self._described(power, said)
        else:
            if self.attributes.known:
                self._refuse_unknown_attribute()
            self._refuse_unknown_kind()
        return UnitName(
            self.location(), kind, power, self.attributes.in_order(said) if said else ()
        )

    def _described(self, power: str | None, said: dict[str, str]) -> str | None:
        """The nationality, if none was read yet; attributes are added to `said`."""
        power = power or self._power()
        while self.attributes.known and self._attribute(said):
            power = power or self._power()
        return power

    def _attribute(self, said: dict[str, str]) -> bool:
        """Step over the value of an attribute, unless its word is (part of) a province's name."""
        for length in range(self.attributes.longest, 0, -1):
            end = self.at + length
            meant = self.attributes.known.get(tuple(self.tokens[self.at : end]))
            if meant is None:
                continue
            before_kind = end < len(self.tokens) and self.tokens[end] in self.unit_kinds
            if self._match_province()[1] >= end + before_kind:
                return False
            new = [one for one in meant if one[0] not in said]
            if not new:
                raise self.fail(f"it says the {meant[0][0]} of the unit twice")
            said[new[0][0]] = new[0][1]
            self.at = end
            return True
        return False

    def _refuse_unknown_attribute(self) -> None:
        """Raise `UnknownNameError` for words before an A or F that are neither attribute nor
        nationality nor province."""
        _, end, words = self._match_province()
        if end > self.at:
            return
        for at in range(len(words)):
            if words[at] in self.unit_kinds and self.at + at + 1 < len(self.tokens):
                kind, typed = " or ".join(self.attributes.names), " ".join(words[:at])
                known = self.attributes.values
                raise UnknownNameError(kind, typed, known, self.text, list_known=True)

    def _refuse_unknown_kind(self) -> None:
        """Raise `OrderSyntaxError` for a letter before a province that is no kind of unit."""
        letter = self.peek()
        is_letter = len(letter) == 1 and letter.isalpha() and not self._match_province()[0]
        if is_letter and self._match_province(self.at + 1)[0]:
            kinds = one_of(tuple(dict.fromkeys(self.unit_kinds.values())))
            raise self.fail(f"there is no unit {letter.upper()} under these rules, only {kinds}")

    def _power(self) -> str | None:
        """A nationality, unless its word begins a longer province name (English Channel), or also
        names a province and no unit follows (in `A Norway - Sweden` on some maps)."""
        first = self.peek()
        if self.names.first_of_powers.isdisjoint((first, first.removesuffix("'s"))):  # as mostly
            return None
        power, end, _ = self._match(self.names.powers, _MAX_POWER_WORDS, "'s")
        if not power:
            return None
        province = self._match_province()[1]
        follows = self.tokens[end : end + 1]
        has_unit = follows and (follows[0] in self.unit_kinds or self._match_province(end)[0])
        if province > end or (province == end and not has_unit):
            return None
        self.at = end
        return power

    def location(self) -> str:
        """A province by its longest known name, then a coast if one is written."""
        province, end, words = self._match_province()
        if province:
            self.at = self._end_of_beginning(province, end)
        elif words:
            province = self._unknown_province(words)
        else:
            raise self.fail("a province is missing")
        coast = self._coast()
        return f"{province}/{coast}" if coast else province

    def _end_of_beginning(self, province: str, end: int) -> int:
        """The token after a name: `end`, or a later one if the next words continue to a longer name
        of the same province: `Tyrrhenian Se`."""
        if end == len(self.tokens) or self.tokens[end] in self.ends:  # as mostly
            return end
        phrase = self._phrase()
        for length in range(min(len(phrase), self.names.longest), end - self.at, -1):
            typed = " ".join(phrase[:length])
            if self.names.meant(typed) == (province,):
                self.meant[typed] = province
                return self.at + length
        return end

    def _match_province(self, start: int | None = None) -> tuple[str, int, list[str]]:
        """The province of the longest known name here, or at another token, the token after it, the
        words seen."""
        names = self.names
        return self._match(names.provinces, names.longest, "", names.beginnings, start)

    def _match(
        self,
        known: Mapping[tuple[str, ...], str],
        longest: int,
        ending: str = "",
        beginnings: Collection[tuple[str, ...]] | None = None,
        start: int | None = None,
    ) -> tuple[str, int, list[str]]:
        """What the longest known name here stands for, the token after it, the words seen. A name
        may have an `ending`. What is none of the `beginnings` begins no longer name."""
        words: list[str] = []
        start = self.at if start is None else start
        best, end = "", start
        for at in range(start, len(self.tokens)):
            token = self.tokens[at]
            if token == "-" and words and not self._spaced(at):
                continue  # a hyphen inside a name: Mid-Atlantic, Austro-Hungarian
            if not token[0].isalnum() or len(words) >= longest:
                break
            words.append(token)
            named = (*words[:-1], token.removesuffix(ending))
            found = known.get(named)
            if found is not None:
                best, end = found, at + 1
                if beginnings is not None and named not in beginnings:
                    break
        return best, end, words

    def _unknown_province(self, words: list[str]) -> str:
        """Read the beginning of a name; if there is none, say which names are near."""
        phrase = self._phrase()
        longest = min(len(phrase), self.names.longest)
        for length in range(longest, 1, -1):  # the beginning of a name of several words
            typed = " ".join(phrase[:length])
            choices = self.names.meant(typed)
            if len(choices) == 1:
                self.at += length
                self.meant[typed] = choices[0]
                return choices[0]
        typed = self._as_typed(words[0])
        try:
            found = self.names.province(typed, self.text)
        except UnknownNameError as error:
            hint = rules_hint(words[0]) or language_hint(self.board, phrase)
            if hint:
                raise UnknownNameError("province", typed, (), self.text, hint=hint) from None
            if len(phrase) > 1:
                self.names.province(self._as_typed(" ".join(phrase)), self.text)
            raise error from None
        self.at += 1
        self.meant[words[0]] = found
        return found

    def _phrase(self) -> list[str]:
        """The words from here to the next word or sign that cannot be part of a name."""
        phrase = []
        for token in self.tokens[self.at :]:
            if token in self.ends or not token[0].isalnum():
                break
            phrase.append(token)
        return phrase

    def _spaced(self, at: int) -> bool:
        """Whether the hyphen at token `at` is between spaces, or is an arrow."""
        after = self.tokens[at + 1 : at + 2]
        return not after or not is_hyphenated(self.text, self.tokens[at - 1], after[0])

    def _coast(self) -> str:
        start = self.at
        marked = self.take({"/", "("})
        if not marked and self.peek() not in self.names.first_of_coasts:  # as mostly
            return ""
        opened = marked and self.tokens[start] == "("
        for length in (2, 1):
            words = tuple(self.tokens[self.at : self.at + length])
            if len(words) < length or (not marked and length == 1 and len(words[0]) > 3):
                continue  # a bare "north" is not a coast
            found = self.names.coasts.get(words)
            if found is not None:
                self.at += length
                if opened and not self.take({")"}):
                    raise self.fail("a closing ) is missing")
                return found
        if opened and self.peek() in verbs.VIA:
            self.at = start
            return ""
        if marked:
            known = sorted({coast.lower() for coast in self.names.coasts.values()})
            raise self.fail(f"unknown coast {self.peek()!r}; known: {', '.join(known)}")
        return ""


def is_plain_order(board: Map, words: Words, text: str) -> bool:
    """Whether a text is an order as it is, with nothing to leave out."""
    try:
        TextParse(board, text, words).order()
    except TEXT_FAULTS:
        return False
    return True


# --- words of other rules -----------------------------------------------------------------------

# They are looked up only if a text cannot be read, to say which rules it may be for.


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
