"""The errors of wrong arguments: of public methods, and of classes that users instantiate."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import dipsat
from dipsat import kernel, studies
from dipsat.errors import ArgumentError, DipsatError, UnknownNameError
from tests.core.samples import samples
from tests.core.test_public_face import OUTCOME, POSITION, WRONG, public_things
from tests.exhaustive import exhaustive

HAS_NUMPY = find_spec("numpy") is not None
MADE_BY_USERS = {
    "PhaseName": dipsat.PhaseName.parse("S1901M"), "DatcCases": studies.DatcCases(),
    "RandomBoards": studies.RandomBoards(1), "Judge": studies.Judge("solver"),
    "Achieve": dipsat.Achieve("x"), "Differ": dipsat.Differ("datc"),
    "Guarantee": dipsat.Guarantee("x", "FRANCE"), "Paradox": dipsat.Paradox(),
    "Settings": dipsat.Settings(), "Game": dipsat.Game.standard(),
    "OrderReader": dipsat.reader_for("standard"),
}  # fmt: skip
"""Classes whose arguments are checked when an object is made, each with a right object."""

ELSEWHERE = {
    "dipsat.Game.from_dict",  # what is not a game is a `FileError`
    "dipsat.engines.UnitFacts.attribute", "dipsat.engines.DeclaredFacts.attribute",  # unknown name
    "dipsat.engines.Phase.domain",  # no objects of an unknown type
}  # fmt: skip
"""Methods with an answer of their own to an argument of a wrong type."""
PROTOCOLS = ("dipsat.engines.Engine", "dipsat.engines.TracedEngine")
RIGHT: dict[str, Any] = {
    "goal": "x", "engine": "solver", "count": 1,
    "text": "x", "units": {}, "value": {}, "phase": "S1901M", "unit": "A PAR", "power": "FRANCE",
    "path": "x", "folder": "x", "rules": "datc", "map": "standard", "position": POSITION,
    "given": {}, "words": POSITION.words, "location": "PAR", "kind": dipsat.UnitKind.ARMY,
    "boards": [], "at": 0,
    "name": "x", "codes": "PAR", "notation": "judge", "carriage": POSITION.words.carriages[0],
    "terrain": "land", "province": "PAR", "one": "solver", "other": "dip_eval", "check": "x",
    "chosen": (), "default": "datc", "code": "x", "reason": "x", "path_": (), "remarks": (),
    "supports": {}, "orders": [], "borders": {}, "indices": (), "place": None,
    "positions": kernel.Batch(native=False).positions([POSITION]),
    "board": POSITION.map, "extra": (), "season": "S", "year": 1901,
}  # fmt: skip


@cache
def objects() -> dict[str, Any]:
    """Public class -> an object of it or of a subclass; if there is none, the class itself."""
    found: dict[str, Any] = {}
    for name, thing in public_things():
        if isinstance(thing, type) and name not in PROTOCOLS:
            below = (them[0] for kind, them in samples().items() if issubclass(kind, thing))
            found[name] = MADE_BY_USERS.get(name.rpartition(".")[2]) or next(below, thing)
    found["dipsat.UnitKind"] = dipsat.UnitKind.ARMY
    found["dipsat.draw.Svg"] = dipsat.draw.Svg("<svg></svg>")
    return found | batches() | environments()


def batches() -> dict[str, Any]:
    """The same for classes about many boards, by Python alone."""
    batch = kernel.Batch(native=False)
    codes = batch.encode([({"FRANCE": ["A PAR"]}, {})])
    return {
        "dipsat.kernel.Batch": batch,
        "dipsat.kernel.BatchResult": batch.adjudicate(codes),
        "dipsat.kernel.Games": batch.play(1, phases=1, record=True),
        "dipsat.kernel.LegalOrders": batch.legal_orders(codes),
        "dipsat.kernel.MapNumbers": batch.numbers,
    }


def environments() -> dict[str, Any]:
    """The same for programs that learn."""
    if not HAS_NUMPY:
        return {}
    games = dipsat.environments.GameBatch(1)
    return {
        "dipsat.environments.GameBatch": games,
        "dipsat.environments.Choices": games.choices,
        "dipsat.environments.DeepMindState": dipsat.environments.DeepMindState(),
    }


def methods() -> Iterator[tuple[str, str]]:
    """(method, argument) of every public class; `Class` itself if users instantiate it."""
    for name, thing in public_things():
        if not isinstance(thing, type) or issubclass(thing, DipsatError) or name in PROTOCOLS:
            continue
        for owner in thing.__mro__:
            if not owner.__module__.startswith("dipsat."):
                continue
            for title, member in vars(owner).items():
                function = getattr(member, "__func__", member)
                if not inspect.isfunction(function) or title.startswith("_"):
                    continue
                for argument in list(inspect.signature(function).parameters):
                    if argument != "self":
                        yield f"{name}.{title}", argument
    for title, one in MADE_BY_USERS.items():
        for argument in inspect.signature(type(one)).parameters:
            yield f"dipsat.{title}", argument


NEEDS_NUMPY = (
    pytest.mark.extra,
    pytest.mark.skipif(not HAS_NUMPY, reason="the extra environments is not installed"),
)


def arguments(*slow: str) -> list[Any]:
    """Every method and argument, with marks for those that need an extra or are slow."""
    return [
        pytest.param(
            title, argument,
            marks=NEEDS_NUMPY if "environments" in title else exhaustive if title in slow else (),
        )
        for title, argument in sorted({*methods()})
    ]  # fmt: skip


CODES = kernel.Batch(native=False).positions([POSITION])
OWN_RIGHT: dict[str, dict[str, Any]] = {
    "dipsat.environments.GameBatch.step": {"actions": 22 * [-1]},
    "dipsat.kernel.Batch.adjudicate": {"codes": kernel.Batch(native=False).encode([])},
    "dipsat.kernel.Batch.legal_orders": {"codes": kernel.Batch(native=False).encode([])},
    "dipsat.kernel.Batch.position": {"codes": CODES},
    **{f"dipsat.kernel.BatchResult.{name}": {"board": 0} for name in vars(kernel.BatchResult)},
}
"""Right arguments of single methods, where they differ from `RIGHT`."""


def called(title: str, argument: str, wrong: object) -> Any:
    """The result of a method with one wrong argument, the others right."""
    made = title.removeprefix("dipsat.")
    if made in MADE_BY_USERS:
        function: Any = type(MADE_BY_USERS[made])
    else:
        owner, _, name = title.rpartition(".")
        function = getattr(objects()[owner], name)
    right = RIGHT | OWN_RIGHT.get(title, {})
    given: dict[str, Any] = {}
    placed: list[Any] = []
    for name, one in inspect.signature(function).parameters.items():
        if one.kind is one.VAR_POSITIONAL:
            placed = [*given.values(), wrong if name == argument else right[name]]
            given = {}
        elif name == argument:
            given[name] = wrong
        elif one.default is one.empty:
            given[name] = right[name]
    return function(*placed, **given)


@pytest.mark.parametrize(
    ("title", "argument"), [one for one in arguments() if one.values[0] not in ELSEWHERE]
)
def test_a_wrong_argument_of_a_method_is_named(title: str, argument: str) -> None:
    with pytest.raises(ArgumentError, match=f"{argument}.* should be ") as caught:
        called(title, argument, object())
    assert caught.value.function.rpartition(".")[2] == title.rpartition(".")[2]


SLOW = {"dipsat.kernel.Batch.play", "dipsat.Game", "dipsat.OrderReader", "dipsat.Proof.write_smt2"}


@pytest.mark.parametrize(("title", "argument"), arguments(*SLOW))
def test_no_argument_of_a_method_ends_in_an_error_of_python(
    title: str, argument: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    for value in WRONG:
        with suppress(DipsatError):
            called(title, argument, value)


@pytest.mark.parametrize("kind", ["X", "f", ""])
def test_a_kind_of_unit_that_a_map_does_not_know_is_named(kind: str) -> None:
    board = POSITION.map
    for call in (board.reach, board.reach_provinces, lambda kind, _: board.steps(kind)):
        with pytest.raises(UnknownNameError, match="unknown kind of unit"):
            call(kind, "PAR")
    assert board.steps("A") is board.army


def test_an_object_says_which_class_a_wrong_argument_should_have() -> None:
    with pytest.raises(ArgumentError) as caught:
        OUTCOME.position.map.convoy_net(3)  # type: ignore[arg-type]  # what is refused
    assert str(caught.value) == "dipsat.Map.convoy_net: carriage should be a Carriage, not 3 (int)"
    with pytest.raises(ArgumentError, match="'S', 'U', 'F' or 'W', not 'X'"):
        dipsat.PhaseName("X", 1901, dipsat.PhaseKind.MOVEMENT)
