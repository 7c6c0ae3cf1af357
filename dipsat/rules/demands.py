"""Demands of rules: maps with the features and powers that they name, phases with facts about all
provinces or with owners, and known orders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from dipsat.base import (
    Files,
    Node,
    data_folder,
    is_named_file,
    is_yaml_path,
    kept_on_first,
    named_by,
    of_wrong_ending,
    read_text,
    reading,
)
from dipsat.board import DEFAULT_MAP, Map, load_map, map_names
from dipsat.errors import DipsatError, FeatureError, MissingPowerError, hint, shortened
from dipsat.orders import OrderKind
from dipsat.rules.declarations import FEATURE_PLACES, Declared
from dipsat.rules.layers import Layers
from dipsat.rules.profile import Decision, Profile
from dipsat.rules.settings import Settings
from dipsat.rules.syntax import (
    PROVINCE,
    TRUTH,
    AllOf,
    Constant,
    Expression,
    Fact,
    Predicate,
    decision_calls,
    parts_of_all,
)
from dipsat.rules.vocabulary import word_of


@kept_on_first()
def asks_for_places(profile: Profile) -> bool:
    """Whether the equations of a profile ask for all provinces, or for those near something. If so,
    their values for some orders depend on which provinces have facts."""
    several = (decision.indices for decision in profile.decisions.values())
    if any(len(one) > 1 and any(i.type == PROVINCE for i in one) for one in several):
        return True
    return bool(words_for_places(expressions_of(profile)))


def words_for_places(expressions: Iterable[Expression]) -> tuple[str, ...]:
    """The words for sets of provinces that the expressions use, including `Province` itself."""
    found: dict[str, None] = {}
    for node in parts_of_all(expressions):
        if isinstance(node, AllOf) and node.of == PROVINCE:
            found[str(PROVINCE)] = None
        elif isinstance(node, Fact) and node.type.item == PROVINCE and word_of(node) is not None:
            found[node.name] = None
    return tuple(found)


def expressions_of(profile: Profile) -> Iterator[Expression]:
    """All expressions about a phase and its decision cycles, except conditions for legal orders."""
    yield from (decision.equation for decision in profile.decisions.values())
    yield from (result.expression for result in profile.results.values())
    for rule in profile.cycles:
        yield rule.when
        yield from (condition for _, condition in rule.where.values())
        if rule.choose is not None:
            yield rule.choose


@kept_on_first()
def asks_for_owners(profile: Profile) -> bool:
    """Whether a movement phase depends on who owns supply centres: an equation or a condition on
    orders asks for it."""
    conditions = [part for _, parts in profile.lawful.values() for _, part in parts]
    conditions += [formula.expression for formula in profile.legal.values()]
    words = map(word_of, parts_of_all([*expressions_of(profile), *conditions]))
    return any(word is not None and word.known == "owners" for word in words)


def limits_of(settings: Settings) -> tuple[str, ...]:
    """Demands of the settings that open orders cannot express, in words."""
    refused = settings.disorder_support == "refused"
    return ("supports of units in civil disorder (4.D.9)",) if refused else ()


def words_not_open(profile: Profile) -> tuple[str, ...]:
    """The words in a profile's equations, and in its conditions on orders of declared kinds, that
    cannot be read while orders are open."""
    lawful = [part for _, parts in profile.lawful.values() for _, part in parts]
    terms = [decision.equation for decision in profile.decisions.values()]
    terms += [result.expression for result in profile.results.values()]
    found = dict.fromkeys(words_of_orders([*expressions_of(profile), *lawful]))
    found |= dict.fromkeys(rings([*terms, *lawful]))
    return tuple(found)


def words_of_orders(expressions: Iterable[Expression]) -> Iterator[str]:
    """The words in the expressions that have no meaning while orders are open."""
    for node in parts_of_all(expressions):
        word = word_of(node)
        if isinstance(node, Fact) and word is not None and not word.open_orders:
            yield node.name


def rings(expressions: Iterable[Expression]) -> Iterator[str]:
    """The word `ring`, for each use in the expressions. It is about a set of orders and ignores
    guards. Conditions of cycle rules may use it, because a cycle has only issued orders."""
    for node in parts_of_all(expressions):
        if isinstance(node, Predicate) and node.op == "ring":
            yield node.op


def open_kinds(profile: Profile) -> tuple[OrderKind, ...]:
    """The kinds of orders that the profile declares for movement phases, except those that are
    always illegal under the chosen options."""
    off = {
        name
        for name, (_, conditions) in profile.lawful.items()
        if any(condition == Constant(False, TRUTH) for _, condition in conditions)
    }
    return tuple(one for one in profile.words.kinds if not one.season and one.name not in off)


# --- maps -----------------------------------------------------------------------------------------

_EXTENDS = re.compile(r"^extends:\s*(\S+)", re.MULTILINE)


def check_features(profile: Profile, board: Map) -> None:
    """Raise `FeatureError` for a feature of the profile that the map marks nowhere, and
    `MissingPowerError` for a power that the profile names and the map does not have."""
    if profile.declared.features or profile.declared.powers:
        _check(board, profile)


@kept_on_first(16)
def _check(board: Map, profile: Profile) -> None:
    for name, places in profile.declared.features.items():
        if not _marks(board, name, places):
            place = FEATURE_PLACES[places]
            raise FeatureError(name, place, profile.name, board.name, _maps_with(name, places))
    for power in profile.declared.powers:
        if power not in board.powers:
            raise MissingPowerError(power, profile.name, board.name, board.powers)


def _marks(board: Map, name: str, places: int) -> bool:
    if places == 0:
        return bool(board.power_features.get(name))
    if places > 1:
        return bool(board.border_features.get(name))
    return any(name in province.features for province in board.provinces.values())


@lru_cache(64)
def _maps_with(name: str, places: int) -> tuple[str, ...]:
    """The shipped maps that mark a feature. A map is loaded only if its file, or the file of a map
    that it extends, mentions the feature."""
    folder = data_folder("rules") / "maps"
    texts = {board: read_text(folder / f"{board}.yaml") for board in map_names()}
    extends = {board: "".join(_EXTENDS.findall(text)) for board, text in texts.items()}
    word = re.compile(rf"\b{re.escape(name)}\b")

    def may_mark(board: str) -> bool:
        base = extends[board]
        is_there = name in texts[board] and word.search(texts[board])  # `in` is much faster
        return bool(is_there) or (base in texts and may_mark(base))

    return tuple(b for b in texts if may_mark(b) and _marks(load_map(b), name, places))


@dataclass(frozen=True, slots=True)
class NamedMap:
    """The name or path of a map, "" for none, and the files that it may be and may name."""

    name: str
    files: Files


def map_named(node: Node, layers: Layers, allowed: Files) -> NamedMap:
    """The map that a node names: a shipped one, or a path beside the node's file. Raises
    `ProfileError`."""
    name = node.text("map")
    if name in map_names() or not name:
        return NamedMap(name, allowed)
    path = Path(node.path).parent / name
    files = named_by(allowed, layers.own_path(node.path))
    if not is_yaml_path(name) or not is_named_file(files, path):
        ending = of_wrong_ending(str(path), files)
        usual = "`dipsat maps list` lists the shipped ones"
        end = f"; {ending}" if ending else hint(name, map_names(), otherwise=usual)
        node.refuse(f"there is no map {shortened(name)!r}{end}")
    return NamedMap(str(path), files)


def best_map(named: Sequence[NamedMap], declared: Declared) -> NamedMap:
    """One of the maps of several files: one that marks all needed features, preferably not the
    standard map, and preferably a later one."""
    features = declared.features.items()
    boards = ((one, map_or_none(one)) for one in named)
    read = [(one, board) for one, board in boards if board is not None]
    fitting = [one for one, board in read if all(_marks(board, *feature) for feature in features)]
    fitting = fitting or list(named)
    return next((one for one in reversed(fitting) if one.name != DEFAULT_MAP), fitting[-1])


def map_or_none(named: NamedMap) -> Map | None:
    """The map, by default the standard one. None if it has a fault; dipsat reports the fault when
    the map is used."""
    try:
        with reading(named.files):
            return load_map(named.name or DEFAULT_MAP)
    except DipsatError:
        return None


@kept_on_first()
def evaluation_order(profile: Profile) -> Mapping[str, Decision]:
    """The families of a profile, sorted so that, except on cycles, each comes after those that it
    needs."""
    decisions, ordered = profile.decisions, dict[str, Decision]()
    entered: set[str] = set()

    def visit(name: str) -> None:
        if name in entered:
            return
        entered.add(name)
        for needed in sorted(decision_calls(decisions[name].equation)):
            visit(needed)
        ordered[name] = decisions[name]

    for name in decisions:
        visit(name)
    return ordered
