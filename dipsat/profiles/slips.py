"""What in a rule file is probably a slip of the pen, although it means something: codes of
provinces that the map lacks, `base + 1 if ...` without brackets, and names that are nearly those of
the files below."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher, get_close_matches

from dipsat.board.map import Map
from dipsat.documents import Node
from dipsat.errors import DipsatError, shortened
from dipsat.language.parse import Source, parse_expression
from dipsat.profiles.additions import BASE, is_base, parts_of
from dipsat.profiles.layers import Layer, Layers

_CODE = "code"
_RULES = ("cycles", "cycles_before")
_SECTIONS = ("define", "legal", "decisions", "results", "orders", *_RULES)
_ELSEWHERE = " (for the provinces of another map, write map: NAME in this file)"
_MANY = 100  # names of conditions or rules; nobody misspells one of so many
_LONG = 60  # characters of a name
_KINDS = {"sea", "land", "coast", "army", "fleet"}  # what .kind is, not .code
_ALIKE = 0.85
"""From here on a name is taken for another one, misspelt: `suport_cut` and `support_cut` have 0.95,
`support_cut` and `support_call` 0.78."""

_NAMES_ALIKE = 0.8  # of two long names: `moskow` and `moscow` have 0.83

Oddity = tuple[tuple[str, int, int], str]
"""A place in a file, and what is odd there."""


def slips(layer: Layer, layers: Layers, board: Map | None, is_own_map: bool) -> Iterator[Oddity]:
    """What is odd about a file of a profile with these `layers`; `board` is the map that its codes
    are about, None if it has a fault. Without a map of its own, the file may mean another."""
    sections = layer.root.mapping()
    for section in _SECTIONS:
        for source in _expressions(sections[section]) if section in sections else ():
            yield from _lost_base(source)
            if board is not None:
                yield from _unknown_codes(source, board, "" if is_own_map else _ELSEWHERE)
    yield from _misspelt_conditions(layer, layers)
    yield from _misspelt_rules(layer, layers)


def _expressions(node: Node) -> Iterator[Source]:
    """The expressions in a section that speak of codes or of the base."""
    if isinstance(node.value, Mapping):
        for part in node.value.values():
            yield from _expressions(part)
    elif isinstance(node.value, tuple):
        for part in node.value:
            yield from _expressions(part)
    elif node.value is not None and (f".{_CODE}" in node.raw or f"{BASE} " in node.raw):
        try:
            yield parse_expression(node)
        except DipsatError:  # an entry that another file replaces is not checked
            return


def _unknown_codes(source: Source, board: Map, elsewhere: str) -> Iterator[Oddity]:
    """Texts that are compared with the code of a province, and are none on the map."""
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
    """What a text may stand for: the kind of a province or a unit, a province by its name, or by
    its code with letters swapped or one letter wrong. Not what is merely the nearest of all codes:
    two of three letters are always like some code."""
    folded = text[:_LONG].casefold()
    if folded in _KINDS:
        return f"; a kind is compared with `.kind`, as in `.kind == {folded!r}`"
    try:
        return f"; did you mean {board.names.province(text[:_LONG])!r}?"
    except DipsatError:
        pass
    codes = sorted(board.provinces)
    swapped = [code for code in codes if code.casefold() in _with_two_swapped(folded)]
    near = swapped or [code for code in codes if _is_near(folded, code.casefold())]
    if len(near) == 1:
        return f"; did you mean {near[0]!r}?"
    by_name = {place.name.casefold(): code for code, place in sorted(board.provinces.items())}
    meant = get_close_matches(folded, by_name, 1, _NAMES_ALIKE) if not near else ()
    return f"; did you mean {by_name[meant[0]]!r}?" if meant else ""


def _with_two_swapped(text: str) -> set[str]:
    """The text with two neighbouring letters swapped."""
    return {text[:at] + text[at + 1] + text[at] + text[at + 2 :] for at in range(len(text) - 1)} - {
        text
    }


def _is_near(text: str, code: str) -> bool:
    """Whether one letter is too many, missing, or, in a longer code, wrong: every three letters
    have a code that differs in one."""
    if text[:1] != code[:1]:
        return False
    longer, shorter = (text, code) if len(text) > len(code) else (code, text)
    if len(longer) == len(shorter):
        return len(code) > 3 and sum(map(str.__ne__, text, code)) == 1
    return any(longer[:at] + longer[at + 1 :] == shorter for at in range(len(longer)))


def _lost_base(source: Source) -> Iterator[Oddity]:
    """`base + 1 if c else 0`, which is 0 where c does not hold."""
    tree = source.tree
    if not isinstance(tree, ast.IfExp) or not isinstance(tree.body, ast.BinOp):
        return
    if is_base(tree.body.left) and not any(map(is_base, ast.walk(tree.test))):
        rest = ast.unparse(tree.orelse)
        if rest.isdecimal():
            sign = "+" if isinstance(tree.body.op, ast.Add) else "-"
            what = f"where the condition fails, this is {rest} and not {BASE}; did you mean "
            yield source.place_of(tree), f"{what}`{BASE} {sign} (... if ... else {rest})`?"


def _misspelt_conditions(layer: Layer, layers: Layers) -> Iterator[Oddity]:
    """Conditions that join those of the base, with nearly the name of one."""
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
                        yield value.place_of(name), f"{what}; did you mean that one?"


def _misspelt_rules(layer: Layer, layers: Layers) -> Iterator[Oddity]:
    """Rules tried before those of the base, with nearly the name of one."""
    rules = [rule for _, node in layers.cycles for rule in node.value]
    if len(rules) > _MANY:
        return
    named = [(rule.path, rule.mapping()["name"]) for rule in rules]
    known = [name.raw for path, name in named if path != layer.root.path]
    for path, name in named:
        if path == layer.root.path and (other := _meant(name.raw, known)):
            what = f"{name.raw!r} is one more rule beside {other!r}; did you mean that one?"
            yield (name.path, name.line, name.column), what


def _meant(name: str, known: Sequence[str]) -> str:
    """The known name that a misspelt one stands for, "" for none, or if there are too many."""
    if name in known or len(known) > _MANY or len(name) > _LONG:
        return ""
    known = [other for other in known if len(other) <= _LONG]
    alike = (SequenceMatcher(None, name.casefold(), other.casefold()).ratio() for other in known)
    return next((other for other, one in zip(known, alike, strict=True) if one >= _ALIKE), "")
