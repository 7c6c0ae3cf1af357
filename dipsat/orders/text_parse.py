"""Read the text of one order from left to right, in the notations of `dipsat.orders.texts`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import TypeAlias

from dipsat.base import Node, data_folder, parse_yaml, read_text
from dipsat.board import Map, composed, language_hint, one_of, province_of, words_of
from dipsat.errors import AmbiguousNameError, OrderSyntaxError, UnknownNameError, shortened
from dipsat.orders import verbs
from dipsat.orders.order import (
    ALL_BUILDS,
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
from dipsat.orders.slips import MAX_SLIPS, provinces_like
from dipsat.orders.verbs import (
    NO_WORDS,
    UNIT_FIELD,
    Form,
    OrderKind,
    Slot,
    Word,
    Words,
    is_hyphenated,
    is_parted,
    kind_words,
    plain_order,
    remark_in,
    tokens_of,
)

TextFault: TypeAlias = AmbiguousNameError | OrderSyntaxError | UnknownNameError
TEXT_FAULTS = (AmbiguousNameError, OrderSyntaxError, UnknownNameError)
"""The errors that the reader raises for a text."""

_MAX_LENGTH = 300  # characters; the longest sensible order has about 100
_MAX_POWER_WORDS = 3
_SHORT_POWER = 2  # letters of a shortened nationality
_SHORT_NAME = 3  # letters of the shortest name that is compared with known ones
_TO = {*verbs.MOVE, "-"}  # before the place to which a unit goes
_GO = {*_TO, *verbs.GOES}  # what may follow the unit
_OR = {"or", "else", "otherwise", "then", "/"}  # between places to retreat to
_CONVOYED = {"convoy", "convoyed", "vc"}
_ROUTES = {*verbs.VIA, *_CONVOYED, "overland"}  # how a unit goes
_BETWEEN = {*_CONVOYED, "c", "sea", "and", "-", "/"}  # before the seas of a route
_BY_LAND = "'by land' has no effect: the rules and the orders of fleets say how an army goes"
_IF = {"if", "when"}
_ITSELF = {"it", "it's", "its", "the", "this", "unit", "army", "fleet", "is", "gets"}
_NUMBERS = {
    "a": 1, "one": 1, "two": 2, "both": 2, "three": 3, "four": 4, "five": 5, "all": ALL_BUILDS,
}  # fmt: skip


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
        self.nationality = 0, 0  # the first token of the last one, and the token after it
        self.named_at = 0  # the token at which the last name of a place begins
        self.lists_places = False
        self.meant: dict[str, str] = {}  # guessed name, as typed -> the province
        self.idle: list[str] = []  # remarks on words without effect
        if len(text) > _MAX_LENGTH:
            raise OrderSyntaxError(shortened(text), f"longer than {_MAX_LENGTH} characters")
        self.tokens = tokens_of(board.language.in_english(text), text)
        self.if_dislodged = self._take_out_condition()

    def _take_out_condition(self) -> bool:
        """Remove `if it is dislodged`, perhaps in parentheses; it makes an order a retreat."""
        tokens = self.tokens
        if _IF.isdisjoint(tokens):  # usually
            return False
        for start in (at for at, token in enumerate(tokens) if token in _IF):
            end = start + 1
            while end < len(tokens) and tokens[end] in _ITSELF:
                end += 1
            if tokens[end : end + 1] == ["dislodged"]:
                inside = tokens[start - 1 : start] == ["("] and tokens[end + 1 : end + 2] == [")"]
                self.tokens = tokens[: start - inside] + tokens[end + 1 + inside :]
                return True
        return False

    def fail(self, problem: str) -> OrderSyntaxError:
        """The error to raise for the text."""
        return OrderSyntaxError(self.text, problem)

    def guesses(self) -> str:
        """Sentences about names that had to be guessed, and about words that have no effect; "" if
        there are none."""
        names = " and ".join(
            f"'{self._as_typed(typed)}' is read as {self.board.provinces[code].name}"
            for typed, code in self.meant.items()
        )
        return "; ".join(filter(None, (names, *self.idle)))

    def _as_typed(self, name: str) -> str:
        """A folded name as the text spells it, or an English word as the text has it in another
        language. If it does not occur there, the name itself."""
        spoken = self.board.language.words.items()
        for one in (name, *(" ".join(words) for words, english in spoken if english == name)):
            together = r"[\W_]+".join(map(re.escape, one.split()))
            if found := re.search(together, self.text, re.IGNORECASE):
                return found[0]
        return name

    def peek(self) -> str:
        """The next token, "" at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, words: set[str]) -> bool:
        """Step over the next token if it is one of `words`."""
        if self.peek() in words:
            self.at += 1
            return True
        return False

    def _take_all(self, words: set[str]) -> bool:
        """Step over all following tokens that are among `words`; return whether there were any."""
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
            raise self._unexpected(f"{rest}; {hint}" if hint else rest)

    def order(self) -> Order:
        """The order that the whole text states. Raises the errors of `OrderReader.read`."""
        for kind in self.kinds:
            declared = self._of_kind(kind)
            if declared is not None:
                return declared
        try:
            order = self._leading_verb() or self._leading_letter() or self._trailing_verb()
            self.end()
            if self.if_dislodged and not isinstance(order, Retreat | Disband):
                raise self.fail("a dislodged unit can only retreat or disband")
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
        """`Build A Paris`, `Silver Build A Paris`, `Remove F Ion`, `WAIVE`. Single letters are not
        read here."""
        start, said = self.at, dict[str, str]()
        power = self._described(None, said) if self.attributes.known else None
        if said and len(self.peek()) > 1 and self.take(verbs.BUILD):
            return self._build(self.unit(power, said))
        self.at = start
        waived = self._waived()
        if waived is not None or len(self.peek()) < 2:
            return waived
        if self.take(verbs.BUILD):
            return self._build(self.unit())
        if self.take(verbs.DISBAND):
            return Disband(self.unit())
        if self.take(verbs.RETREAT):
            return self._retreat(self.unit())
        return None

    def _waived(self) -> Waive | None:
        """`Waive`, `waive 2 builds`, `2 builds waived`; None, without a step, for other words."""
        if verbs.WAIVE.isdisjoint(self.tokens):  # usually
            return None
        start = self.at
        if self.take(verbs.WAIVE):
            count = self._count()
            self.take({"build", "builds"})
            return Waive(count)
        count = self._count()
        if self.take({"build", "builds"}) and self.take(verbs.WAIVE):
            return Waive(count)
        self.at = start
        return None

    def _count(self) -> int:
        """Step over a number of builds and return it; 1 if none is written."""
        word = self.peek()
        count = int(word) if word.isdecimal() and len(word) < 3 else _NUMBERS.get(word, 0)
        self.at += count > 0
        return count or 1

    def _leading_letter(self) -> Order | None:
        """`B F StP`, `D A Par`, `R A Bel - Pic`: a letter before the kind of a unit that can only
        be a verb."""
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
        return self._retreat(unit)

    def _trailing_verb(self) -> Order:
        unit = self.unit()
        order: Order
        if self.take(verbs.HOLD):
            order = Hold(unit)
        elif self.take(verbs.SUPPORT):
            order = self._support(unit)
        elif self.take(self.convoy_verbs) or self.take(verbs.CARRIES):
            army = self.unit()
            path = self._path("convoyed unit")
            self._ignore_route()
            order = Convoy(unit, army, path[-1])
        elif self.take(verbs.RETREAT) or (self.if_dislodged and self.peek() in _TO):
            order = self._retreat(unit)
        elif self.peek() in _GO:
            path = self._path("unit")
            via, route = self._via()
            order = Move(unit, path[-1], via, path[:-1] + route)
        elif self.take(verbs.DISBAND):
            order = Disband(unit)
        elif self.take(verbs.BUILD):
            order = self._build(unit)
        elif not self.peek():
            raise self.fail(
                "it does not say what the unit does; write H to hold, D to disband, B to build"
            )
        else:
            raise self._unexpected(f"{self.peek()!r} is not an action; use H, -, S, C, R, D or B")
        return order

    def _build(self, unit: UnitName) -> Order:
        """The build of a unit. Its kind or attributes may follow: `Paris: build army`, `A Paris B
        silver`."""
        if unit.kind is None and self.peek() in self.unit_kinds:
            unit = replace(unit, kind=self.unit_kinds[self.peek()])
            self.at += 1
        said = dict(unit.attributes)
        while self.attributes.known and self._attribute(said):
            unit = replace(unit, attributes=self.attributes.in_order(said))
        return Build(unit)

    def _support(self, unit: UnitName) -> Order:
        supported = self.unit()
        if self.peek() in _GO:
            target = self._path("supported unit")[-1]
            self._ignore_route()
            return SupportMove(unit, supported, target)
        self.take(verbs.HOLD)
        return SupportHold(unit, supported)

    def _path(self, who: str) -> tuple[str, ...]:
        """The places after `-`: the target, or sea provinces and then the target."""
        places = []
        goes = self.take(verbs.GOES)
        while self._take_all(_TO) or goes:
            places.append(self.location())
            goes = False
        if not places:
            raise self.fail(f"it does not say where the {who} goes; write - and a province")
        return tuple(places)

    def _retreat(self, unit: UnitName) -> Order:
        """The retreat of a unit to one place, or to the first of several to which it may retreat:
        `War, Ukr`, `War or Ukr`, `War, else Ukr, else disband`."""
        self._take_all(_TO)
        if self.take(verbs.DISBAND):
            return Disband(unit)
        self.lists_places = True
        places = [self.location()]
        while self.peek() not in self.unit_kinds and (
            self._take_all(_OR) or is_parted(self.text, *self.tokens[self.at - 1 : self.at + 1])
        ):
            if self.take(verbs.DISBAND):
                break  # a unit that cannot retreat disbands anyway
            self.take(verbs.RETREAT)
            self.take(_TO)
            places.append(self.location())
        return Retreat(unit, places[0], tuple(places[1:]))

    def _via(self) -> tuple[bool, tuple[str, ...]]:
        """Whether the text says that the unit goes by convoy, and the seas named in it: `via
        convoy`, `(VC)`, `via Nth, Hel`, `convoyed by F Nth`."""
        inside = self.peek() == "(" and not _ROUTES.isdisjoint(
            self.tokens[self.at + 1 : self.at + 2]
        )
        self.at += inside
        is_convoyed, said = self.take(_CONVOYED), self.take(verbs.VIA)
        is_by_land = not is_convoyed and self.take({"land"} if said else {"overland"})
        route = []
        if is_by_land:
            self.idle.append(_BY_LAND)
        elif is_convoyed or said:
            while self.peek() not in ("", ")"):
                if not self._take_all(_BETWEEN):
                    self.at += self.peek() in self.unit_kinds and self.at + 1 < len(self.tokens)
                    route.append(self.location())
        if inside and not self.take({")"}):
            raise self.fail("a closing ) is missing")
        return not is_by_land and (is_convoyed or said), tuple(route)

    def _ignore_route(self) -> None:
        """Step over the route of a supported or convoyed unit; only its own order can state one."""
        if self._via()[1]:
            self.idle.append("the route has no effect here")

    def unit(self, power: str | None = None, said: dict[str, str] | None = None) -> UnitName:
        """[nationality and attributes] [A or F] province [coast]. The `power` and the attributes
        `said` were read before."""
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
        """Step over an attribute's value, unless its word is a province's name or part of one."""
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
        """Raise `UnknownNameError` for words before an A or F that are not an attribute, a
        nationality or a province."""
        _, end, words = self._match_province()
        if end > self.at:
            return
        for at in range(len(words)):
            if words[at] in self.unit_kinds and self.at + at + 1 < len(self.tokens):
                kind, typed = " or ".join(self.attributes.names), " ".join(words[:at])
                known = self.attributes.values
                raise UnknownNameError(kind, typed, known, self.text, list_known=True)

    def _refuse_unknown_kind(self) -> None:
        """Raise `OrderSyntaxError` for a letter before a province that is not a kind of unit."""
        letter = self.peek()
        is_letter = len(letter) == 1 and letter.isalpha() and not self._match_province()[0]
        if is_letter and self._match_province(self.at + 1)[0]:
            kinds = one_of(tuple(dict.fromkeys(self.unit_kinds.values())))
            raise self.fail(f"there is no unit {letter.upper()} under these rules, only {kinds}")

    def _power(self) -> str | None:
        """A nationality. None if its word begins a longer province name (English Channel), or if it
        also names a province and no unit follows (`A Norway - Sweden` on some maps)."""
        first = self.peek()
        if self.names.first_of_powers.isdisjoint((first, first.removesuffix("'s"))):  # usually
            return self._short_power()
        power, end, _ = self._match(self.names.powers, _MAX_POWER_WORDS, "'s")
        if not power:
            return None
        province = self._match_province()[1]
        follows = self.tokens[end : end + 1]
        has_unit = follows and (follows[0] in self.unit_kinds or self._match_province(end)[0])
        if province > end or (province == end and not has_unit):
            return None
        self.nationality, self.at = (self.at, end), end
        return power

    def _short_power(self) -> str | None:
        """The only power whose name begins with the word before the kind of a unit: `Aus A Vie`."""
        word, follows = self.peek(), self.tokens[self.at + 1 : self.at + 2]
        if len(word) < _SHORT_POWER or self.unit_kinds.keys().isdisjoint(follows):  # usually
            return None
        powers = self.names.powers_begun(word)
        is_place = self._match_province()[1] > self.at + 1 or self.names.meant(
            f"{word} {follows[0]}"
        )
        if len(powers) != 1 or is_place or word in self.ends or (word,) in self.attributes.known:
            return None
        self.at += 1
        return powers[0]

    def location(self) -> str:
        """A province, by the longest known name, and its coast if one is written."""
        self.named_at = self.at
        province, end, words = self._match_province()
        if province:
            if self.names.misspelt and (named := self._named(end)) in self.names.misspelt:
                self.meant[" ".join(named)] = province
            province, self.at = self._longer_name(province, end)
        elif words:
            province = self._unknown_province(words)
        else:
            raise self.fail("a province is missing")
        coast = self._coast(province)
        return f"{province}/{coast}" if coast else province

    def _named(self, end: int) -> tuple[str, ...]:
        """The words of the name from here to a token."""
        return tuple(token for token in self.tokens[self.at : end] if token != "-")

    def _longer_name(self, province: str, end: int) -> tuple[str, int]:
        """The province of a name and the token after it. The next words may make a longer name of
        the same province (`Tyrrhenian Se`) or of another one (`Norw. Sea`). Actions do not count as
        such words (`Rio D`)."""
        if end == len(self.tokens) or self.tokens[end] in self.ends:  # usually
            return province, end
        if self.tokens[end] in verbs.ACTIONS:
            return province, end
        phrase = self._phrase()
        for length in range(min(len(phrase), self.names.longest), end - self.at, -1):
            typed = " ".join(phrase[:length])
            if self.names.meant(typed) == (province,):
                self.meant[typed] = province
                return province, self.at + length
            longer = self._abbreviated(phrase[:length])
            if longer:
                return longer, self.at + length
        return province, end

    def _abbreviated(self, words: list[str]) -> str:
        """The province that words may mean together if each is part of its name, "" if there is
        none."""
        if any(word in verbs.NO_NAMES or word in self.unit_kinds for word in words):
            return ""
        typed, choices = " ".join(words), self.names.abbreviated(tuple(words))
        together = r"[\s.'’]+".join(map(re.escape, words))
        if not choices or re.search(together, self.text.casefold()) is None:
            return ""
        if len(choices) > 1:
            return self._one_of(typed, choices)
        self.meant[typed] = choices[0]
        return choices[0]

    def _one_of(self, typed: str, choices: tuple[str, ...]) -> str:
        """The province to take for a name with several meanings."""
        raise AmbiguousNameError("province", self._as_typed(typed), choices, self.text)

    def _match_province(self, start: int | None = None) -> tuple[str, int, list[str]]:
        """The province of the longest known name here or at token `start`, the token after that
        name, and the words seen."""
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
        """The meaning of the longest known name here, the token after it, and the words seen. A
        name may have an `ending`. Only the `beginnings` begin longer names."""
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
        """Read the beginning of a name; if there is none, raise an error with similar names."""
        phrase = self._phrase()
        longest = min(len(phrase), self.names.longest)
        for length in range(longest, 0, -1):
            typed = " ".join(phrase[:length])
            choices = self.names.meant(typed)
            if len(choices) == 1:
                self.at += length
                self.meant[typed] = choices[0]
                return choices[0]
            longer = "" if choices else self._abbreviated(phrase[:length])
            if longer:
                self.at += length
                return longer
        typed = self._as_typed(words[0])
        choices = self.names.meant(words[0])
        if choices:
            raise AmbiguousNameError("province", typed, choices, self.text)
        hint = rules_hint(words[0]) or language_hint(self.board, phrase)
        if hint:
            raise UnknownNameError("province", typed, (), self.text, hint=hint)
        raise self._misspelt(self._phrase(True) or words)

    def _misspelt(self, phrase: list[str]) -> UnknownNameError:
        """The error for words that name no province. It points out those that resemble a name; a
        nationality before them may be the first one (`English Chanel`)."""
        before = self.tokens[slice(*self.nationality)] if self.nationality[1] == self.at else []
        found = (self._like(before + phrase, 0) if before else None) or self._like(phrase, 0)
        typed = self._as_typed(" ".join(phrase))
        return found or UnknownNameError("province", typed, self.names.nearest(typed), self.text)

    def _unexpected(self, problem: str) -> TextFault:
        """The error for words that cannot follow the last name of a place. They may be the rest of
        a longer, misspelt name, as in `Black Sae`."""
        named = [token for token in self.tokens[self.named_at : self.at] if token != "-"]
        self.at = self.named_at
        return self._like(self._phrase(True), len(named)) or self.fail(problem)

    def _like(self, words: list[str], least: int) -> UnknownNameError | None:
        """The error for the most words, more than `least`, that resemble a name."""
        for length in range(min(len(words), self.names.longest + MAX_SLIPS), least, -1):
            typed = " ".join(words[:length])
            codes = provinces_like(self.board, typed) if len(typed) >= _SHORT_NAME else ()
            if codes:
                meant, typed = self.names.alike(typed, codes), self._as_typed(typed)
                return UnknownNameError("province", typed, (), self.text, meant=meant)
        return None

    def _has_coasts(self, province: str) -> bool:
        known = self.board.provinces.get(province)
        return known is not None and bool(known.coasts)

    def _phrase(self, over_hyphens: bool = False) -> list[str]:
        """The words up to the next word or sign that cannot be part of a name."""
        phrase: list[str] = []
        for at in range(self.at, len(self.tokens)):
            token = self.tokens[at]
            if over_hyphens and token == "-" and phrase and not self._spaced(at):
                continue
            if token in self.ends or not token[0].isalnum():
                break
            phrase.append(token)
        return phrase

    def _spaced(self, at: int) -> bool:
        """Whether the hyphen at token `at` is between spaces, or is an arrow."""
        after = self.tokens[at + 1 : at + 2]
        return not after or not is_hyphenated(self.text, self.tokens[at - 1], after[0])

    def _coast(self, province: str) -> str:
        start = self.at
        is_parted = self.lists_places and self.peek() == "/" and not self._has_coasts(province)
        if is_parted and self._match_province(start + 1)[0]:
            return ""  # the next place to retreat to
        marked = self.take({"/", "("})
        if not marked and self.peek() not in self.names.first_of_coasts:  # usually
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
        if (opened and self.peek() in _ROUTES) or (self.lists_places and not opened and marked):
            self.at = start
            return ""
        if marked:
            known = sorted({coast.lower() for coast in self.names.coasts.values()})
            raise self.fail(f"unknown coast {self.peek()!r}; known: {', '.join(known)}")
        return ""


def is_plain_order(board: Map, words: Words, text: str) -> bool:
    """Whether a text as it stands is an order, with nothing to leave out."""
    try:
        TextParse(board, text, words).order()
    except TEXT_FAULTS:
        return False
    return True


# --- remarks --------------------------------------------------------------------------------------

# What people write in brackets after an order, for themselves or for others.


def plain_text(board: Map, text: str, words: Words) -> str:
    """A text without notes and prose (`plain_order`), and without bracketed remarks at its end that
    cannot be part of an order: `(please!)`, `[guard]`."""
    kinds = kind_words(words.units)
    found = plain_order(text, kinds)
    if len(text) > _MAX_LENGTH:
        return found
    while (at := remark_in(found)) and not _may_matter(board, words, found[at:]):
        found = plain_order(found[:at], kinds)
    return found


def _may_matter(board: Map, words: Words, remark: str) -> bool:
    """Whether a remark has a word that changes orders, or names something of the game."""
    said, names = words_of(board.language.in_english(remark)), board.names
    if not {*verbs.CHANGING, *verbs.ACTIONS, *verbs.of_convoys(words)}.isdisjoint(said):
        return True
    phrases = (said[at:end] for at in range(len(said)) for end in range(at + 1, len(said) + 1))
    short = (phrase for phrase in phrases if len(phrase) <= names.longest)
    known = {*names.powers, *attribute_words(words.attributes).known}
    known |= {(word,) for coast in names.coasts for word in coast}
    return any(phrase in known or names.meant(" ".join(phrase)) for phrase in short)


# --- words of other rules -----------------------------------------------------------------------

# They are looked up only after a text cannot be read, to say for which rules it may be meant.


def rules_hint(word: str) -> str:
    """Advice on an unreadable word that is the value of an attribute in a shipped variant; "" for
    any other word."""
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
    """Each attribute that a rule file declares, paired with each of its values."""
    for attribute, node in top["attributes"].mapping().items():
        domain = top["domains"].mapping()[node.mapping()["domain"].raw]
        members = domain.value.values() if isinstance(domain.value, dict) else domain.sequence()
        yield from ((attribute, member.raw) for member in members)
