"""Copies: of errors, maps, rules, positions and games; and what stays in memory."""

from __future__ import annotations

import copy
import gc
import inspect
import pickle
import weakref
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.pool import ThreadPool
from typing import Any, get_type_hints

import pytest

import dipsat
import dipsat.engines
import dipsat.errors
from dipsat import searches, studies
from dipsat.base import data_folder
from dipsat.board import parse_map
from dipsat.errors import DipsatError
from dipsat.formats import RecordedState
from tests.exhaustive import exhaustive, few_of

COPIERS: list[Callable[[Any], Any]] = [
    copy.copy,
    copy.deepcopy,
    *(
        lambda it, n=n: pickle.loads(pickle.dumps(it, n))
        for n in range(2, pickle.HIGHEST_PROTOCOL + 1)
    ),
]


# --- Errors ---------------------------------------------------------------------------------


def kinds_of_errors(base: type[DipsatError] = DipsatError) -> list[type[DipsatError]]:
    """Every class of errors of dipsat."""
    below = [kind for one in base.__subclasses__() for kind in kinds_of_errors(one)]
    return [base, *(kind for kind in below if kind.__module__.startswith("dipsat"))]


def argument_for(name: str, hint: object) -> object:
    """A value for a parameter of an error."""
    by_name: dict[str, object] = {
        "problems": [dipsat.errors.FileError("a.yaml", "is empty"), DipsatError("too long")],
        "values": (1, 2),
        "words": ("the move", "succeeds", "fails"),
    }
    if name in by_name:
        return by_name[name]
    if name == "orders" and "Mapping" in str(hint):
        return {"FRANCE": ["A PAR - BUR"]}
    if hint is int or hint in (int | None, float | None):
        return 7
    return f"some {name}" if hint in (str, object) else ["PAR", "BUR"]


def error_of(kind: type[DipsatError]) -> DipsatError:
    """An error of a class with a value for each parameter, however it is passed."""
    if kind.__init__ is Exception.__init__:
        return kind("a message")
    hints = get_type_hints(kind.__init__)
    places, named = [], {}
    for name, parameter in list(inspect.signature(kind.__init__).parameters.items())[1:]:
        if parameter.kind is parameter.KEYWORD_ONLY:
            if parameter.default is parameter.empty:
                named[name] = argument_for(name, hints[name])
        else:
            places.append(argument_for(name, hints[name]))
    return kind(*places, **named)


def shown(error: BaseException) -> tuple[object, ...]:
    """Everything about an error, and about the errors within it."""
    about = {
        name: [shown(one) for one in value] if name == "problems" else value
        for name, value in vars(error).items()
    }
    return type(error), str(error), error.args, about


KINDS = kinds_of_errors()


def test_all_public_errors_are_among_those_copied() -> None:
    public = [it for it in vars(dipsat.errors).values() if inspect.isclass(it)]
    assert {it for it in public if issubclass(it, DipsatError)} <= set(KINDS)
    assert len(KINDS) > 25


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_copy_of_an_error_says_the_same(kind: type[DipsatError]) -> None:
    error = error_of(kind)
    error.add_note("in the second file")
    for copied in (copier(error) for copier in COPIERS):
        assert shown(copied) == shown(error)


# --- Maps, rules, positions -----------------------------------------------------------------

START = dipsat.Position.start()
RULES = [*dipsat.profile_names(), *dipsat.variant_names()]


@pytest.mark.parametrize("name", few_of(dipsat.map_names(), 2))
def test_a_copy_of_a_map_equals_it(name: str) -> None:
    board = dipsat.load_map(name)
    _ = board.names, board.convoys
    dipsat.Position.start(board)
    for copied in (copier(board) for copier in COPIERS):
        assert (copied, hash(copied)) == (board, hash(board))
    assert replace(board, victory=99) != board
    assert board != name


@pytest.mark.parametrize("name", few_of(RULES, 2))
def test_a_copy_of_a_profile_equals_it(name: str) -> None:
    profile = dipsat.load_profile(name)
    for copied in (copier(profile) for copier in COPIERS):
        assert copied == profile
        assert hash(copied) == hash(profile)
    assert replace(profile, decisions={}) != profile
    assert profile != name


def test_copies_of_positions_and_their_parts_equal_them() -> None:
    units = {"FRANCE": ["F SPA/SC"], "ITALY": ["A VEN"]}
    for position in (START, dipsat.Position.from_units(units, "standard", "F1902M")):
        _ = position.reader
        for it in (position, position.units, position.phase, position.words):
            assert all(copier(it) == it for copier in COPIERS)
    assert dipsat.Position.start("youngstown") != START


def test_classes_that_compare_objects_say_so() -> None:
    faces = (dipsat, dipsat.engines, dipsat.draw)
    things = {getattr(face, name) for face in faces for name in face.__all__ if name[0].isupper()}
    kinds = {it for it in things if inspect.isclass(it) and it.__eq__ is object.__eq__}
    kinds = {it for it in kinds if not (issubclass(it, DipsatError) or inspect.isabstract(it))}
    kinds = {it for it in kinds if it.__name__[-5:] != "Facts" and it.__name__[-6:] != "Engine"}
    said = {it for it in kinds if any("the same object" in str(of.__doc__) for of in it.__mro__)}
    assert {it.__name__ for it in kinds - said} == set()
    assert {"Game", "OrderReader"} <= {it.__name__ for it in said}


RING = {"TURKEY": ["F ANK - CON", "A CON - SMY", "A SMY - ANK"]}
LOOP = dipsat.Position.from_units({"TURKEY": ["F ANK", "A CON", "A SMY"]})
RETREAT = dipsat.Position.from_units(
    {"GERMANY": ["A BUR"]}, phase="F1901R", dislodged={"FRANCE": ["A MAR"]}
)
WINTER = dipsat.Position.from_units({}, phase="W1901A", centers={"FRANCE": ["PAR", "BRE"]})
CONVOY = dipsat.Position.from_units({"ENGLAND": ["A LON", "F ENG"]})
PHASES: dict[str, tuple[dipsat.Position, dict[str, list[str]]]] = {
    "movement": (LOOP, RING),
    "convoy": (CONVOY, {"ENGLAND": ["A LON - BRE", "F ENG C A LON - BRE"]}),
    "retreat": (RETREAT, {"FRANCE": ["A MAR - GAS"]}),
    "adjustment": (WINTER, {"FRANCE": ["A PAR B"]}),
}


@pytest.mark.parametrize("name", PHASES)
def test_outcomes_are_equal_if_they_say_the_same(name: str) -> None:
    position, orders = PHASES[name]
    outcome, again = (dipsat.adjudicate(position, orders) for _ in range(2))
    assert all(copier(position) == position for copier in COPIERS)
    for other in (again, *(copier(outcome) for copier in COPIERS)):
        assert other == outcome
        assert hash(other) == hash(outcome)
        assert other.to_dict() == outcome.to_dict()
    assert outcome != dipsat.adjudicate(position, {})
    assert outcome != dipsat.adjudicate(position, orders, "rulebooks/1982")
    assert outcome != orders


@exhaustive
def test_engines_answers_proofs_comparisons_and_explanations_that_say_the_same_are_equal() -> None:
    def answers(orders: dict[str, list[str]]) -> list[object]:
        return [
            dipsat.adjudicate(LOOP, orders, engine="recursive_guess", trace=True),
            dipsat.adjudicate(LOOP, orders, engine="dpjudge"),
            dipsat.prove(LOOP, orders),
            dipsat.compare(LOOP, orders, ["datc", "rulebooks/1982"]),
            dipsat.explain(dipsat.adjudicate(LOOP, orders), "F ANK"),
        ]

    found, others = answers(RING), answers({})
    assert found == answers(RING)
    for copier in COPIERS:
        assert [copier(one) for one in found] == found
    for one, other in zip(found, others, strict=True):
        assert one != other
        assert len({one, other}) == 2
    assert found[0] != dipsat.adjudicate(LOOP, RING, engine="recursive_guess")
    assert found[0] != dipsat.adjudicate(LOOP, RING)
    assert found[2] != dipsat.prove(LOOP, RING, limits=dipsat.Limits(seconds=60))


def test_threads_share_what_a_map_keeps() -> None:
    board = parse_map(STANDARD, "shared.yaml")
    with ThreadPool(4) as pool:
        found = pool.map(lambda _: dipsat.Position.start(board), range(40))
    assert set(found) == {found[0]}


# --- Games ----------------------------------------------------------------------------------


@pytest.mark.parametrize("copier", [*COPIERS, dipsat.Game.copy])
def test_a_copied_game_goes_its_own_way(copier: Callable[[dipsat.Game], dipsat.Game]) -> None:
    game = dipsat.Game.standard()
    game.submit("FRANCE", ["A PAR - BUR"]).advance()
    before = game.to_dict()
    copied = copier(game)
    assert copied.to_dict() == before
    copied.submit("FRANCE", ["A BUR - MUN"]).advance()
    assert game.to_dict() == before
    assert copied.phase != game.phase


def test_states_of_records_can_be_copied() -> None:
    state = RecordedState(None, LOOP.units)
    assert all(copier(state) == state for copier in COPIERS)


# --- What stays in memory -------------------------------------------------------------------

STANDARD = (data_folder("rules") / "maps" / "standard.yaml").read_text(encoding="utf-8")
MOST = 70
"""The most maps or profiles that may stay in memory although nobody holds them."""
MANY = 85
WEST = """
name: west
powers:
  FRANCE: {home: [PAR, BRE], start: [A PAR, F BRE]}
  ENGLAND: {home: [LON, LVP], start: [F LON, F LVP]}
provinces:
  PAR: {name: Paris, type: land, supply: true, army: [BUR]}
  BUR: {name: Burgundy, type: land, army: [PAR]}
  BRE: {name: Brest, type: coast, supply: true, fleet: [MAO]}
  LON: {name: London, type: coast, supply: true, fleet: [MAO]}
  LVP: {name: Liverpool, type: coast, supply: true, fleet: [MAO]}
  MAO: {name: the ocean, type: sea, fleet: [BRE, LON, LVP]}
"""


def alive(references: list[weakref.ref[Any]]) -> int:
    gc.collect()
    return sum(reference() is not None for reference in references)


def use(position: dipsat.Position, rules: dipsat.Profile) -> None:
    """Ask what programs ask most."""
    game = dipsat.Game(position, rules).submit("FRANCE", ["A PAR - BUR", "F BRE - MAO"])
    game.advance().order("A PAR")
    game.legal_orders("F MAO")
    dipsat.write_order(dipsat.reader_for(position.map).read("a par-bur"), position.map)


@exhaustive
def test_maps_are_freed_with_their_positions() -> None:
    datc = dipsat.load_profile("datc")
    found: list[weakref.ref[Any]] = []
    for number in range(MANY):
        board = parse_map(WEST, f"x{number}")
        found.append(weakref.ref(board))
        if number % 6 == 0:
            use(dipsat.Position.start(board), datc)
        dipsat.Position.start(board)
    del board
    assert alive(found) <= MOST


@exhaustive
def test_profiles_are_freed_with_their_outcomes() -> None:
    found: list[weakref.ref[Any]] = []
    for number in range(MANY):
        text = f"name: x{number}\ntitle: x\nextends: datc\n"
        profile = dipsat.parse_profile(text, f"rules/x{number}.yaml")
        found.append(weakref.ref(profile))
        if number % 60 == 0:
            use(START, profile)
            studies.profile_with(profile, studies.deviations()[:1])
            for engine in ("dip_eval", "decision_graph", "partial_information"):
                dipsat.adjudicate(START, {}, profile, engine=engine)
            searches.structure_of(profile, effort=1)
    del profile
    assert alive(found) <= MOST


@exhaustive
def test_one_map_with_many_profiles_and_many_words_does_not_leak() -> None:
    """A map keeps what belongs to it, up to a limit."""
    board = parse_map(STANDARD, "one.yaml")
    found: list[weakref.ref[Any]] = []
    for number in range(100):
        text = (
            f"name: x{number}\ntitle: x\nextends: datc\n"
            f"domains: {{C{number}: [red, green]}}\n"
            f"attributes: {{color: {{domain: C{number}, default: red}}}}\n"
        )
        profile = dipsat.parse_profile(text, f"rules/x{number}.yaml")
        found.append(weakref.ref(profile))
        dipsat.Position.from_units({"FRANCE": ["red A PAR"]}, board, rules=profile)
    del profile
    assert alive(found) <= MOST
    readers = [it for it in gc.get_objects() if isinstance(it, dipsat.OrderReader)]
    assert sum(it.board is board for it in readers) <= MOST
