"""The kinds of units that a profile declares, and which units convoy which: sections `units` and
`convoys`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from dipsat.board.convoy_net import ARMIES_BY_FLEETS, WAYS, Carriage
from dipsat.board.unit_kind import BORDERS, STANDARD_KINDS, UnitKind, unit_kind
from dipsat.documents import Node
from dipsat.errors import ProfileError, did_you_mean
from dipsat.orders.verbs import ACTIONS, meaning_of
from dipsat.orders.words import NO_WORDS
from dipsat.profiles.members import refuse_unknown

_LETTER = re.compile(r"[A-Z]")
_WORD = re.compile(r"[a-z]{2,20}")
_VERB = re.compile(r"[a-z]+")
_TERRAINS = ("land", "coast", "sea")
_KEYS = ("carries", "over", "aboard", "in", "verbs")


def read_unit_kind(name: str, key: str, section: Node, node: Node) -> UnitKind:
    """The kind of unit that an entry of `units` declares. Raises `ProfileError`."""
    if not _WORD.fullmatch(name):
        section.fail_at_key(
            key, f"{name!r} cannot name a kind of unit; write a word such as wing", ProfileError
        )
    if name in (kind.word for kind in STANDARD_KINDS):
        section.fail_at_key(key, f"{name} is already a kind of unit", ProfileError)
    meaning = meaning_of(name, NO_WORDS)
    if meaning:
        section.fail_at_key(key, f"{name} already stands for {meaning} in orders", ProfileError)
    fields = node.mapping(("letter", "borders"), "a kind of unit")
    for wanted in ("letter", "borders"):
        if wanted not in fields:
            node.fail(f"a kind of unit needs {wanted!r}", ProfileError)
    letter = fields["letter"].text("letter")
    if not _LETTER.fullmatch(letter):
        fields["letter"].fail(
            f"the letter should be one capital letter, such as W, not {letter!r}", ProfileError
        )
    taken = {str(kind): kind.word for kind in STANDARD_KINDS}
    if letter in taken:
        fields["letter"].fail(f"{letter} already stands for {taken[letter]}", ProfileError)
    if letter.casefold() in ACTIONS:
        problem = f"{letter} already stands for an action in orders, such as A PAR {letter} ..."
        fields["letter"].fail(problem, ProfileError)
    borders = _listed(fields["borders"], BORDERS, "not a border")
    if not borders:
        fields["borders"].fail("a kind of unit crosses some borders: [army, fleet]", ProfileError)
    return unit_kind(letter, name, tuple(one for one in BORDERS if one in borders))


def read_carriages(
    carrier: str, key: str, section: Node, node: Node, kinds: Mapping[str, UnitKind]
) -> tuple[Carriage, ...]:
    """What an entry of `convoys` says about the units called `carrier`; `kinds` maps words to all
    kinds of units. Raises `ProfileError`."""
    if carrier not in kinds:
        hint = did_you_mean(carrier, kinds, f"known: {', '.join(kinds)}")
        section.fail_at_key(key, f"{carrier!r} is not a kind of unit; {hint}", ProfileError)
    kind = kinds[carrier]
    fields = node.mapping(_KEYS, "how units convoy")
    if "carries" not in fields:
        node.fail(
            "'carries' lists what such a unit convoys: [army], or [] for nothing", ProfileError
        )
    carried = _listed(fields["carries"], tuple(kinds), "not a kind of unit")
    over, aboard = (
        _one_of(fields[name], WAYS, "not a way") if name in fields else default
        for name, default in (("over", _own_way(kind)), ("aboard", "water"))
    )
    return tuple(
        Carriage(kind, kinds[cargo], over, aboard, _terrain(fields, kind), _verbs(fields))
        for cargo in carried
    )


def carriages_of(
    own: Mapping[str, tuple[Carriage, ...]],
) -> tuple[Carriage, ...]:
    """All carriages: those of each carrier that the rules list, and the standard one if they do not
    list fleets."""
    found = [one for carriages in own.values() for one in carriages]
    if UnitKind.FLEET.word not in own:
        found.insert(0, ARMIES_BY_FLEETS)
    return tuple(found)


def _own_way(kind: UnitKind) -> str:
    """The way in which places are neighbours for a kind of unit."""
    if len(kind.borders) == len(BORDERS):
        return "any"
    return "water" if kind.borders == UnitKind.FLEET.borders else "land"


def _terrain(fields: Mapping[str, Node], kind: UnitKind) -> tuple[str, ...]:
    possible = tuple(one for one in _TERRAINS if kind.stands_in(one))
    if "in" not in fields:
        return ("sea",) if kind is UnitKind.FLEET else possible
    chosen = _listed(fields["in"], possible, f"not a kind of province in which {kind.plural} stand")
    return tuple(one for one in possible if one in chosen)


def _verbs(fields: Mapping[str, Node]) -> tuple[str, ...]:
    if "verbs" not in fields:
        return ()
    for one in fields["verbs"].sequence("verbs"):
        if not _VERB.fullmatch(one.text("a verb")):
            one.fail(f"{one.raw!r} is not a word in lower-case letters", ProfileError)
        if one.raw in ACTIONS:
            one.fail(f"{one.raw} already stands for an action in orders", ProfileError)
    return fields["verbs"].texts("verbs")


def _listed(node: Node, known: tuple[str, ...], problem: str) -> tuple[str, ...]:
    found: list[str] = []
    for one in node.sequence():
        text = _one_of(one, known, problem)
        if text in found:
            one.fail(f"{text} is listed twice", ProfileError)
        found.append(text)
    return tuple(found)


def _one_of(node: Node, known: tuple[str, ...], problem: str) -> str:
    text = node.text("a name")
    if text not in known:
        refuse_unknown(node, text, known, problem)
    return text
