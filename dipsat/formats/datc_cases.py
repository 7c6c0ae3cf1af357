"""The DATC cases: reading them from `datc/`, with the results for other choices of chapter 4."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import chain, product
from pathlib import Path
from typing import Any, TypeAlias

from dipsat.base import Node, brief, checked, data_folder, kept_on_first, parse_yaml, read_text
from dipsat.board import DEFAULT_MAP, Map, load_map, province_of
from dipsat.errors import UnknownNameError, shortened
from dipsat.game import Position
from dipsat.orders import NO_WORDS, DeclaredOrder, MovementOrder, OrderReader, reader_for
from dipsat.rules import Layer, Profile, load_profile, standings

# --- choices --------------------------------------------------------------------------------------

_CONDITION = re.compile(r"(?:(\d\.[A-E]\.\d)-)?([\w.-]+(?:/[\w.-]+)*)")


@brief()
@dataclass(frozen=True, slots=True)
class ChoiceCondition:
    """The condition that one of these choices is made, or that one of these rulebooks is named."""

    text: str
    """The condition as written: `4.A.2-1971/1982`."""
    names: tuple[str, ...]
    """The single choices: `4.A.2-1971`, `4.A.2-1982`."""

    @checked
    def is_met(self, chosen: Iterable[str]) -> bool:
        """Whether one of the choices is among `chosen`."""
        return any(name in chosen for name in self.names)


def read_conditions(node: Node) -> tuple[ChoiceCondition, ...]:
    """A list of conditions; `4.A.2-1971/1982` names several choices of one issue.

    Raises `DocumentError` for a text that names none.
    """
    return tuple(_condition(item) for item in node.sequence("conditions"))


def _condition(node: Node) -> ChoiceCondition:
    match = _CONDITION.fullmatch(node.text("a condition"))
    if match is None:
        node.fail(f"{node.raw!r} names no choice; write 4.A.1-a, 4.A.1-a/b, or a profile")
    prefix = f"{match[1]}-" if match[1] else ""
    return ChoiceCondition(node.raw, tuple(prefix + name for name in match[2].split("/")))


def combinations(conditions: Iterable[ChoiceCondition]) -> list[tuple[str, ...]]:
    """Every way to meet all conditions with one name each."""
    return list(product(*(condition.names for condition in conditions)))


@kept_on_first(4)
def choices_of(profile: Profile, standard: Profile) -> frozenset[str]:
    """The names of the choices in force under a profile (the last one for each issue), and of its
    rulebooks whose choices are all in force. Its rulebooks are the profiles that it is composed of
    and that are in the folder of `standard`.

    A rulebook chooses nothing for an issue that it does not list. A profile without a rulebook
    makes the choices of `standard` where it makes none itself.
    """
    books = _books(profile, standard)
    own = _by_issue(profile)
    issues = own if books else {**_by_issue(standard), **own}
    lost = {one.file for one in standings(profile.layers) if one.lost} if books else ()
    whole = (
        _stem(book.root.path)
        for book in books
        if book.root.path not in lost
        and _by_issue(load_profile(Path(book.source[0]))).items() <= own.items()
    )
    return frozenset((*whole, *issues.values()))


def books_of(profile: Profile, standard: Profile) -> frozenset[str]:
    """The names of the rulebooks in a profile, even if other choices override theirs."""
    return frozenset(_stem(book.root.path) for book in _books(profile, standard))


def _books(profile: Profile, standard: Profile) -> list[Layer]:
    folder = Path(standard.path).parent
    return [layer for layer in profile.layers if Path(layer.root.path).parent == folder]


def _by_issue(profile: Profile) -> dict[str, str]:
    return {layer.issue: _stem(layer.root.path) for layer in profile.layers if layer.issue}


def _stem(path: str) -> str:
    """A profile's name, which may contain dots: `4.A.2-1971`, `datc-2.4`."""
    return Path(path).name.removesuffix(".yaml").removesuffix(".yml")


# --- cases ----------------------------------------------------------------------------------------

_TOP_KEYS = ("section", "title", "also", "source", "stated_for", "rules", "map", "unless", "cases")
_CASE_KEYS = (
    "case", "title", "also", "map", "source", "older", "depends", "unless", "phase", "centers",
    "units", "orders", "unordered", "retreats", "retreat_orders", "disbanded", "automatic", "after",
    "note", "alternatives",
)  # fmt: skip
_ALTERNATIVE_KEYS = (
    "when", "source", "answer", "superseded", "orders", "retreat_orders", "disbanded", "automatic",
    "after", "note",
)  # fmt: skip
_ANSWERS = ("none", "varies")
_PARTS = re.compile(r"\d+|[^\d.]+")
_PHASES = {"movement": "S1901M", "fall": "F1901M", "adjustment": "W1901A"}
_ORDER_KEYS = ("order", "verdict", "fate")
_UNIT_KEYS = ("unit", "verdict", "fate")


Orders: TypeAlias = Mapping[str, tuple[str, ...]]
"""Power (or unit) -> texts."""


@brief()
@dataclass(frozen=True, slots=True)
class CaseExpectation:
    """The result that a document states for one order."""

    power: str
    """The power that gave it."""
    unit: str
    """The ordered unit."""
    order: str | None
    """The order, None for a unit without one."""
    verdict: str
    """The verdict, `not` and a verdict that it is not, or `any` if the document states none."""
    fate: str
    """The unit's fate, or `any`."""


@brief()
@dataclass(frozen=True, slots=True)
class Case:
    """A test case of the DATC: a position with orders, and the results that the document states.

    The results hold for the profile `stated_for`, and for others that meet the conditions `depends`
    and none of `unless`.
    """

    name: str
    """Its number, such as `6.F.14`."""
    title: str
    """Its title."""
    also: str
    """Other words for what it is about."""
    position: Position
    """The position."""
    orders: Orders
    """Power -> its orders."""
    expected: tuple[CaseExpectation, ...]
    """The stated result of each order."""
    retreats: Orders
    """Unit -> its possible retreats."""
    retreat_orders: Orders | None = None
    """Power -> its orders in the retreat phase, None if the case has none."""
    retreat_expected: tuple[CaseExpectation, ...] = ()
    """The stated results of these orders."""
    disbanded: Orders | None = None
    """Power -> its units that are disbanded, None if nothing is stated."""
    automatic: Orders | None = None
    """Power -> its units that are disbanded for lack of orders, None if nothing is stated."""
    after: Orders | None = None
    """Power -> all its units after the last phase, None if nothing is stated."""
    note: str = ""
    """A remark."""
    source: str = ""
    """The document that states the results."""
    stated_for: str = ""
    """The profile for which the results are stated."""
    older: bool = False
    """Whether the results are stated only for older rules, not for `stated_for`."""
    depends: tuple[ChoiceCondition, ...] = ()
    """The choices on which the results depend."""
    unless: tuple[ChoiceCondition, ...] = ()
    """The choices that exclude the results."""
    rules: str = ""
    """The profile of the variant that the case is about, "" for the standard rules."""
    alternatives: tuple[CaseAlternative, ...] = ()
    """The results stated for other choices."""


@brief()
@dataclass(frozen=True, slots=True)
class CaseAlternative:
    """What a document states about a case for choices other than those of its main result."""

    when: tuple[ChoiceCondition, ...]
    """The choices for which it is stated."""
    unless: tuple[ChoiceCondition, ...]
    """The choices that exclude it: those that exclude the main result, except any that `when`
    names."""
    source: str
    """The document that states it."""
    answer: str
    """`none` if the document says that the rules give no answer, `varies` if it says that they give
    no definite one."""
    superseded: str
    """Why a later document contradicts it, "" if none does."""
    note: str
    """A remark."""
    case: Case | None
    """The case with these results; None if `answer` is not ""."""


def load_cases(
    names: Iterable[str] = (), older: bool = False, variants: bool = False
) -> tuple[Case, ...]:
    """Return the test cases called `names` (`6.F.14`; `6.F` means the whole section, `6` the
    chapter), or all cases of the standard rules; with `variants` also those of variants.

    Cases for older rules only (`Case.older`) are left out unless `older` is set or they are named.
    Raises `UnknownNameError` for a name without a case.
    """
    wanted = [name.upper() for name in names]
    known = _files()
    if not wanted:
        own = (name for name in known if variants or "rules" not in _section(known[name])[0])
        return tuple(case for case in map(_case_called, own) if older or not case.older)
    found: dict[str, Case] = {}
    for name in wanted:
        chosen = [_case_called(one) for one in known if one.upper() == name]
        if not chosen:
            section = [_case_called(one) for one in known if one.startswith(f"{name}.")]
            chosen = [case for case in section if older or not case.older]
        if not chosen:
            raise UnknownNameError("DATC case or section", name, known)
        found |= {case.name: case for case in chosen}
    return tuple(found.values())


def names_of_cases() -> tuple[str, ...]:
    """The names of all test cases in order, including those of variants and for older rules."""
    return tuple(_files())


def find_cases(words: str, cases: Sequence[Case]) -> tuple[Case, ...]:
    """The cases about these words: those with all of them in their titles, in any form. If there
    are none, those with all of them in their titles, notes and orders.

    Raises `UnknownNameError` if there is none.
    """
    wanted = {_root(word) for word in _words(words)}
    titles = {case.name: {*_words(f"{case.title} {case.also}")} for case in cases}
    found = [case for case in cases if _has_all(titles[case.name], wanted)]
    if not found:
        found = [case for case in cases if _has_all(titles[case.name] | _text_of(case), wanted)]
    if not (found and wanted):
        problem = f"no DATC case mentions {shortened(words)!r}"
        raise UnknownNameError("topic", words, {*chain(*titles.values())}, problem=problem)
    return tuple(found)


def _words(text: str) -> list[str]:
    """The words of a text, without the shortest: for `head-to-head`, `head` twice."""
    return [word for word in re.findall(r"\w+", text.casefold()) if len(word) > _SHORT]


def _root(word: str) -> str:
    """A word without its ending: `swap` of `swapping`, `dislodg` of `dislodgement`."""
    root = _ENDING.sub("", word)
    return root[:-1] if root != word and root[-1:] == root[-2:-1] else root


def _has_all(words: Collection[str], roots: Iterable[str]) -> bool:
    return all(any(word.startswith(root) for word in words) for root in roots)


def _text_of(case: Case) -> set[str]:
    """The words of the notes and the orders of a case."""
    others = (one.note for one in case.alternatives)
    return {*_words(" ".join((case.note, *others, *chain(*case.orders.values()))))}


_SHORT = 2  # letters of the longest word that is left out
_ENDING = re.compile(r"(?<=\w{3})(?:e?ments?|ings?|ed|es|e|s)$")


_NAME = re.compile(r"^  - case: (\S+)$", re.MULTILINE)


@lru_cache(maxsize=1)
def _files() -> Mapping[str, Path]:
    """The name of each case -> its file, which is parsed when a case of it is needed."""
    found: dict[str, Path] = {}
    for path in data_folder("datc").glob("*.yaml"):
        found |= dict.fromkeys(_NAME.findall(read_text(path)), path)
    return {name: found[name] for name in sorted(found, key=_sort_key)}


@cache
def _section(path: Path) -> tuple[Mapping[str, Node], Mapping[str, Node]]:
    """What a file says about all its cases, and each case by name."""
    root = parse_yaml(read_text(path), f"datc/{path.name}").mapping(_TOP_KEYS, "a section")
    cases = root["cases"].sequence("cases")
    return root, {one.mapping(_CASE_KEYS, "a case")["case"].text("case"): one for one in cases}


@cache
def _case_called(name: str) -> Case:
    section, cases = _section(_files()[name])
    return _case(cases[name], section)


def _sort_key(name: str) -> list[tuple[int, str]]:
    """Sort by chapter, section and number; another form of a case (`6.J.3-v3.0`) comes after it."""
    return [(int(p), "") if p.isdigit() else (0, p) for p in _PARTS.findall(name)]


def _board(fields: Mapping[str, Node], section: Mapping[str, Node]) -> Map:
    """The map of a case: its own, that of the section, that of the variant, or the standard one."""
    played = load_profile(_text(section, "rules")).map if "rules" in section else ""
    return load_map(_text(fields, "map") or _text(section, "map") or played or DEFAULT_MAP)


def _case(node: Node, section: Mapping[str, Node]) -> Case:
    fields = node.mapping(_CASE_KEYS, "a case")
    board = _board(fields, section)
    orders, stated = _ordered(fields["orders"], board)
    expected = list(stated)
    units = {power: list(texts) for power, texts in (_texts(fields, "units", board) or {}).items()}
    phase = _text(fields, "phase") or "movement"
    if phase != "adjustment":
        words = load_profile(_text(section, "rules")).words if "rules" in section else NO_WORDS
        _add_units_of_orders(units, orders, reader_for(board, words))
    for typed, entries in fields["unordered"].mapping().items() if "unordered" in fields else ():
        power = board.names.power(typed)
        expected += [_expectation(power, entry, _UNIT_KEYS) for entry in entries.sequence()]
    retreats = fields["retreats"].mapping() if "retreats" in fields else {}
    case = Case(
        name=fields["case"].text("case"),
        title=fields["title"].text("title"),
        also=" ".join((_text(section, "also"), _text(fields, "also"))).strip(),
        position=Position.from_units(
            units, board, _PHASES[phase], _texts(fields, "centers", board)
        ),
        orders=orders,
        expected=tuple(expected),
        retreats={unit: places.texts("retreats") for unit, places in retreats.items()},
        note=_text(fields, "note"),
        source=_text(fields, "source") or section["source"].text("source").partition(";")[0],
        stated_for=section["stated_for"].text("stated_for"),
        older="older" in fields and fields["older"].flag("older"),
        depends=_conditions(fields, "depends"),
        unless=_conditions(section, "unless") + _conditions(fields, "unless"),
        rules=_text(section, "rules"),
    )
    case = replace(case, **_after(fields, board))
    if "alternatives" not in fields:
        return case
    others = fields["alternatives"].sequence("alternatives")
    return replace(case, alternatives=tuple(_alternative(one, case, board) for one in others))


def _text(fields: Mapping[str, Node], key: str) -> str:
    return fields[key].text(key) if key in fields else ""


def _conditions(fields: Mapping[str, Node], key: str) -> tuple[ChoiceCondition, ...]:
    return read_conditions(fields[key]) if key in fields else ()


def _alternative(node: Node, case: Case, board: Map) -> CaseAlternative:
    fields = node.mapping(_ALTERNATIVE_KEYS, "an alternative")
    for key in ("when", "source"):
        if key not in fields:
            node.fail(f"{key!r} is missing")
    answer = _text(fields, "answer")
    if answer not in ("", *_ANSWERS):
        fields["answer"].fail(f"an answer is {' or '.join(_ANSWERS)}, not {answer!r}")
    when = read_conditions(fields["when"])
    named = {name for condition in when for name in condition.names}
    return CaseAlternative(
        when=when,
        unless=tuple(one for one in case.unless if named.isdisjoint(one.names)),
        source=fields["source"].text("source"),
        answer=answer,
        superseded=_text(fields, "superseded"),
        note=_text(fields, "note"),
        case=None if answer else _other_case(fields, case, board),
    )


def _other_case(fields: Mapping[str, Node], case: Case, board: Map) -> Case:
    """The case with the changes that `fields` state."""
    return replace(
        case,
        expected=_changed(fields["orders"], case, board) if "orders" in fields else case.expected,
        source=fields["source"].text("source"),
        older=False,
        depends=(),
        unless=(),
        **_after(fields, board),
    )


def _after(fields: Mapping[str, Node], board: Map) -> dict[str, Any]:
    """What is stated about the phases after the orders; the rest is as in the case. `any` means
    that nothing is stated."""
    found: dict[str, Any] = {}
    if "retreat_orders" in fields:
        both = _ordered(fields["retreat_orders"], board)
        found["retreat_orders"], found["retreat_expected"] = both
    for key in ("disbanded", "automatic", "after"):
        if key in fields:
            found[key] = None if fields[key].value == "any" else _texts(fields, key, board)
    return found


def _changed(section: Node, case: Case, board: Map) -> tuple[CaseExpectation, ...]:
    """The expectations of a case with the changes of an alternative."""
    expected = list(case.expected)
    for changed in _ordered(section, board)[1]:
        known = [e for e in expected if (e.power, e.order) == (changed.power, changed.order)]
        if not known:
            section.fail(f"{case.name} has no order {changed.order!r} of {changed.power}")
        expected[expected.index(known[0])] = changed
    return tuple(expected)


def _texts(fields: Mapping[str, Node], key: str, board: Map) -> Orders | None:
    """The texts by power under `key`, None if it is missing."""
    if key not in fields:
        return None
    return {
        board.names.power(typed): node.texts(key) for typed, node in fields[key].mapping().items()
    }


def _ordered(section: Node, board: Map) -> tuple[Orders, tuple[CaseExpectation, ...]]:
    """The orders by power, and the expectation for each."""
    orders: dict[str, tuple[str, ...]] = {}
    expected: list[CaseExpectation] = []
    for typed, entries in section.mapping().items():
        power = board.names.power(typed)
        own = [_expectation(power, entry, _ORDER_KEYS) for entry in entries.sequence()]
        orders[power] = tuple(one.order for one in own if one.order is not None)
        expected += own
    return orders, tuple(expected)


def _add_units_of_orders(units: dict[str, list[str]], orders: Orders, reader: OrderReader) -> None:
    """Add the units that orders name, unless the case places them itself."""
    placed = {
        province_of(reader.read_unit(text).location) for texts in units.values() for text in texts
    }
    for power, texts in orders.items():
        for text in texts:
            order = reader.read(text)
            assert isinstance(order, MovementOrder | DeclaredOrder)
            if order.unit.location and province_of(order.unit.location) not in placed:
                placed.add(province_of(order.unit.location))
                kind = f"{order.unit.kind} " if order.unit.kind else ""
                units.setdefault(power, []).append(f"{kind}{order.unit.location}")


def _expectation(power: str, node: Node, keys: tuple[str, ...]) -> CaseExpectation:
    fields = node.mapping(keys, "an order")
    for key in (keys[0], "verdict"):
        if key not in fields:
            node.fail(f"{key!r} is missing")
    text = fields[keys[0]].text(keys[0])
    unit, order = ("", text) if keys is _ORDER_KEYS else (text, None)
    return CaseExpectation(power, unit, order, _text(fields, "verdict"), _text(fields, "fate"))
