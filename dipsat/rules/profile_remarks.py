"""Oddities of a profile that loads: files without effect, conditions that are left out silently,
unused entries, and slips of the pen."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import SequenceMatcher, get_close_matches
from itertools import islice, pairwise

from dipsat.base import Node
from dipsat.board import Map
from dipsat.errors import LISTED_FAULTS, DipsatError, DocumentError, did_you_mean, hint, shortened
from dipsat.rules.demands import NamedMap, map_or_none
from dipsat.rules.layers import (
    BASE,
    BUILDING,
    KEPT,
    Layer,
    Layers,
    builds_on_base,
    idle_files,
    is_base,
    listed,
    parts_of,
    standings,
    still_stated,
)
from dipsat.rules.parser import Source, parse_expression
from dipsat.rules.profile import DECISIONS_NEEDED, RESULTS_NEEDED, Profile

# --- slips ----------------------------------------------------------------------------------------


_CODE = "code"
_RULES = ("cycles", "cycles_before")
_SECTIONS = ("define", "legal", "decisions", "results", "orders", *_RULES)
_ELSEWHERE = " (for the provinces of another map, write map: NAME in this file)"
_MANY = 100  # names of conditions or rules; with more, none counts as misspelt
_LONG = 60  # characters of a name
_KINDS = {"sea", "land", "coast", "army", "fleet"}  # values of .kind, not of .code
_ALIKE = 0.85
"""A name at least this similar to another counts as misspelt: `suport_cut` and `support_cut` have
0.95, `support_cut` and `support_call` 0.78."""

_NAMES_ALIKE = 0.8  # of two long names: `moskow` and `moscow` have 0.83

Oddity = tuple[tuple[str, int, int], str]
"""A place in a file, and the message about it."""


def slips(layer: Layer, layers: Layers, board: Map | None, is_own_map: bool) -> Iterator[Oddity]:
    """Oddities of a file in a profile with these `layers`. `board` is the map to which its codes
    belong, None if that has a fault. Without a map of its own, the file may mean another one."""
    sections = layer.root.mapping()
    for section in _SECTIONS:
        for source in _expressions(sections[section]) if section in sections else ():
            yield from _lost_base(source)
            if board is not None:
                yield from _unknown_codes(source, board, "" if is_own_map else _ELSEWHERE)
    yield from _misspelt_conditions(layer, layers)
    yield from _misspelt_rules(layer, layers)


def _expressions(section: Node) -> Iterator[Source]:
    """The expressions in a section that mention codes or the base."""
    for node in section.walk():
        if node.value is not None and (f".{_CODE}" in node.raw or f"{BASE} " in node.raw):
            with suppress(DipsatError):  # an entry that another file replaces is not checked
                yield parse_expression(node)


def _unknown_codes(source: Source, board: Map, elsewhere: str) -> Iterator[Oddity]:
    """Texts that are compared with the code of a province but are not codes of the map."""
    for part in ast.walk(source.tree):
        if not isinstance(part, ast.Compare):
            continue
        both = [part.left, *part.comparators]
        if any(isinstance(one, ast.Attribute) and one.attr == _CODE for one in both):
            for one in both:
                text = one.value if isinstance(one, ast.Constant) else None
                if isinstance(text, str) and text not in board.provinces:
                    what = f"no province of the map {board.name} has the code {shortened(text)!r}"
                    yield source.place_of(one), what + _hint(text, board) + elsewhere


def _hint(text: str, board: Map) -> str:
    """A hint at what a text may mean: the kind of a province or a unit, a province by its name, or
    its code with letters swapped or one letter wrong. The nearest of all codes is not enough: two
    of three letters always match some code."""
    folded = text[:_LONG].casefold()
    if folded in _KINDS:
        return f"; a kind is compared with `.kind`, as in `.kind == {folded!r}`"
    try:
        return f"; {did_you_mean(repr(board.names.province(text[:_LONG])))}"
    except DipsatError:
        pass
    codes = sorted(board.provinces)
    pairs = range(len(folded) - 1)
    other = {folded[:at] + folded[at + 1] + folded[at] + folded[at + 2 :] for at in pairs}
    swapped = [code for code in codes if code.casefold() in other - {folded}]
    near = swapped or [code for code in codes if _is_near(folded, code.casefold())]
    if len(near) == 1:
        return f"; {did_you_mean(repr(near[0]))}"
    by_name = {place.name.casefold(): code for code, place in sorted(board.provinces.items())}
    meant = get_close_matches(folded, by_name, 1, _NAMES_ALIKE) if not near else ()
    return f"; {did_you_mean(repr(by_name[meant[0]]))}" if meant else ""


def _is_near(text: str, code: str) -> bool:
    """Whether one letter is extra, missing or, in longer codes, wrong. Any three letters differ in
    one letter from some code."""
    if text[:1] != code[:1]:
        return False
    longer, shorter = (text, code) if len(text) > len(code) else (code, text)
    if len(longer) == len(shorter):
        return len(code) > 3 and sum(map(str.__ne__, text, code)) == 1
    return any(longer[:at] + longer[at + 1 :] == shorter for at in range(len(longer)))


def _lost_base(source: Source) -> Iterator[Oddity]:
    """`base + 1 if c else 0`, which is 0 if c does not hold."""
    tree = source.tree
    if not isinstance(tree, ast.IfExp) or not isinstance(tree.body, ast.BinOp):
        return
    if is_base(tree.body.left) and not any(map(is_base, ast.walk(tree.test))):
        rest = ast.unparse(tree.orelse)
        if rest.isdecimal():
            sign = "+" if isinstance(tree.body.op, ast.Add) else "-"
            what = f"where the condition fails, this is {rest} and not {BASE}"
            meant = did_you_mean(f"`{BASE} {sign} (... if ... else {rest})`")
            yield source.place_of(tree), f"{what}; {meant}"


def _misspelt_conditions(layer: Layer, layers: Layers) -> Iterator[Oddity]:
    """Conditions added to those of the base, almost with the name of one of them."""
    path = layer.root.path
    for stated in layers.entries("decisions").values():
        for at, (_, section, value) in enumerate(stated):
            if section.path != path or not isinstance(value.value, Mapping):
                continue
            if BASE in value.value and len(value.value) <= _MANY:
                known = [part.name for part in parts_of(stated[:at]) if part.name]
                for name in value.value:
                    if other := _meant(name, known):
                        what = f"{name!r} is one more condition beside {other!r}"
                        yield value.place_of(name), f"{what}; {did_you_mean('that one')}"


def _misspelt_rules(layer: Layer, layers: Layers) -> Iterator[Oddity]:
    """Rules tried before those of the base, almost with the name of one of them."""
    rules = [rule for _, node in layers.cycles for rule in node.value]
    if len(rules) > _MANY:
        return
    named = [(rule.path, rule.mapping()["name"]) for rule in rules]
    known = [name.raw for path, name in named if path != layer.root.path]
    for path, name in named:
        if path == layer.root.path and (other := _meant(name.raw, known)):
            what = f"{name.raw!r} is one more rule beside {other!r}; {did_you_mean('that one')}"
            yield (name.path, name.line, name.column), what


def _meant(name: str, known: Sequence[str]) -> str:
    """The known name that a misspelt one means, "" if there is none or there are too many names."""
    if name in known or len(known) > _MANY or len(name) > _LONG:
        return ""
    known = [other for other in known if len(other) <= _LONG]
    alike = (SequenceMatcher(None, name.casefold(), other.casefold()).ratio() for other in known)
    return next((other for other, one in zip(known, alike, strict=True) if one >= _ALIKE), "")


# --- remarks --------------------------------------------------------------------------------------


RESULTS_READ = (*RESULTS_NEEDED, "retreat_succeeds")
"""The results that dipsat reads, besides those that attributes name under `becomes`."""

_WORD = re.compile(r"\w+")
_MAX_HINTS = 10  # at unused names; each one compares all names
_TERMS = ("define", "decisions", "results")  # sections whose entries may be unused


def remarks(profile: Profile) -> tuple[str, ...]:
    """Sentences about oddities, at most fifty of a kind; those about an entry have its place."""
    layers = Layers(profile.layers)
    files = [layer.root.path for layer in profile.layers]
    kinds = (
        _left_out(layers), _idle(layers, profile), _unused(layers, profile),
        _only_shown(layers), _slips(layers, profile),
    )  # fmt: skip
    found = [one for kind in kinds for one in islice(kind, LISTED_FAULTS)]
    odd = sorted(found, key=lambda one: (files.index(one[0][0]), *one[0][1:]))
    told = (f"{':'.join(map(str, place))}: {what}" for place, what in odd)
    return (*idle_files(standings(profile.layers)), *told)


def _left_out(layers: Layers) -> Iterator[Oddity]:
    """Decisions whose entry drops conditions of the files below."""
    for stated in layers.entries("decisions").values():
        first = len(stated) - len(still_stated(stated))
        for at in range(max(first, 1), len(stated)):
            key, section, value = stated[at]
            below = stated[:at]
            own = value.value if isinstance(value.value, Mapping) else {}
            if BASE in own or (not own and builds_on_base(value)):
                continue
            try:
                parts = parts_of(below)
            except DocumentError:  # in entries that no longer count
                continue
            lost = [part.name for part in parts if part.name and part.name not in own]
            if lost:
                conditions = f"{'conditions' if lost[1:] else 'condition'} {listed(lost)}"
                what = f"{key} leaves out the {conditions} of {below[-1][1].path}; write "
                yield section.place_of(key), f"{what}`{BASE}: {KEPT}` to keep them"


def _idle(layers: Layers, profile: Profile) -> Iterator[Oddity]:
    """Entries in the user's files that only repeat the files below, and new conditions that are
    always true."""
    own = {layer.root.path for layer in profile.layers if not layer.is_shipped}
    for section in BUILDING:
        for stated in layers.entries(section).values():
            for at, (key, place, value) in enumerate(stated):
                if place.path not in own:
                    continue
                if set(_keys(value)) == {BASE} or value.raw.strip() == BASE:
                    what = f"{key} changes nothing: it only repeats the files below"
                    yield place.place_of(key), what
                elif section == "decisions":
                    below = {name for *_, node in stated[:at] for name in _keys(node)}
                    for name in _keys(value):
                        if name not in below and value.value[name].raw.strip() == "true":
                            what = f"the condition {name} changes nothing: it is always true"
                            yield value.place_of(name), what
    for stated in layers.entries("settings").values():
        for (*_, last), (key, place, value) in pairwise(stated):
            if place.path in own and last.value == value.value:
                what = f"{key} changes nothing: the files below choose {value.value}, too"
                yield place.place_of(key), what


def _keys(node: Node) -> tuple[str, ...]:
    return tuple(node.value) if isinstance(node.value, Mapping) else ()


def _unused(layers: Layers, profile: Profile) -> Iterator[Oddity]:
    """Unused entries in the user's files."""
    own = {layer.root.path for layer in profile.layers if not layer.is_shipped}
    used = _used(layers, profile)
    hints, terms = 0, (*layers.entries("define"), *layers.entries("decisions"))
    for section in _TERMS:
        for name, stated in layers.entries(section).items():
            key, place, _ = stated[0] if stated[0][1].path in own else stated[-1]
            if place.path in own and (section, name) not in used:
                known = RESULTS_READ if section == "results" else terms
                known = tuple(other for other in known if other != name)
                hints += 1
                is_new = place is stated[0][1]
                meant = hint(name, known) if is_new and hints <= _MAX_HINTS else ""
                what = f"nothing uses {key}{meant}"
                yield place.place_of(key), what


def _only_shown(layers: Layers) -> Iterator[Oddity]:
    """Entries for `contested`, if retreats depend on the terms that it used in the files below."""
    first, *above = layers.entries("results")["contested"]
    terms = layers.entries("define")
    retreats = _reached(layers, [("results", "retreat")])
    for key, place, _ in above:
        went_by = [
            word for word in dict.fromkeys(words_in(first[2]))
            if ("define", word) in retreats and terms[word][-1][1].path != place.path
        ]  # fmt: skip
        if went_by:
            what = f"{key} changes only what is shown; retreats depend on "
            yield place.place_of(key), f"{what}{listed(went_by)} under `define`: change that"


def _slips(layers: Layers, profile: Profile) -> Iterator[Oddity]:
    """Probable slips of the pen in the user's files."""
    own = [layer for layer in profile.layers if not layer.is_shipped]
    board = map_or_none(NamedMap(profile.map, profile.allowed)) if own else None
    for layer in own:
        yield from slips(layer, layers, board, bool(profile.map))


def _used(layers: Layers, profile: Profile) -> set[tuple[str, str]]:
    """The entries that are used, directly or indirectly: section and name."""
    read = {*RESULTS_READ, *(one.becomes for one in profile.declared.attributes.values())}
    waiting = [("decisions", name) for name in DECISIONS_NEEDED]
    waiting += [("results", name) for name in read]
    stated = [one for kind in ("legal", "orders") for one in layers.entries(kind).values()]
    nodes = [entry.value for one in stated for entry in still_stated(one)]
    nodes += [rules for _, rules in layers.cycles]
    words = {word for node in nodes for word in words_in(node)}
    for kind in profile.declared.kinds.values():
        words |= {kind.verdict, kind.lands}
    return _reached(layers, waiting, words)


def _reached(
    layers: Layers, waiting: list[tuple[str, str]], words: Collection[str] = ()
) -> set[tuple[str, str]]:
    """The entries `waiting`, those that these words name, and everything that they use."""
    words = set(words)
    found: set[tuple[str, str]] = set()
    while waiting or words:
        waiting += [(section, word) for section in ("define", "decisions") for word in words]
        words = set()
        section, name = waiting.pop()
        if (section, name) in found or name not in layers.entries(section):
            continue
        found.add((section, name))
        for _, _, value in still_stated(layers.entries(section)[name]):
            words |= set(words_in(value))
    return found


def words_in(node: Node) -> Iterator[str]:
    """Every word in the texts and keys of a node."""
    for part in node.walk():
        for text in (*_keys(part), part.raw) if part.value is not None else ():
            yield from _WORD.findall(text)
