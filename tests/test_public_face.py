"""The public face: `dipsat`, `dipsat.errors` and `dipsat.engines`, and what wrong arguments get."""

from __future__ import annotations

import ast
import inspect
import pickle
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import GenericAlias, ModuleType
from typing import Any, get_args, get_type_hints

import pytest

import dipsat
import dipsat.engines
import dipsat.errors
from dipsat.errors import ArgumentError, DipsatError
from tests.exhaustive import few_of
from tests.pages import ROOT, blocks

FACES: dict[str, ModuleType] = {
    "dipsat": dipsat,
    "dipsat.engines": dipsat.engines,
    "dipsat.errors": dipsat.errors,
}
LAZY = ("dipsat", "dipsat.engines")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

INNER = {
    # The equations of a profile, and what becomes of them: terms of the rule language.
    *("Formula", "CycleRule", "Decision", "Declared", "Layer", "Conditions"),
    *("Explainer", "Solution", "DeclaredFacts"),
    *("AttributeRule", "OrderKind", "SwitchedOff", "WithWords"),  # what rules add to the notation
    *("Carriage", "Codes", "ConvoyNet", "NameIndex"),  # tables of a map
    "Shape",  # of the orders of a disagreement, by which disagreements are grouped
    "PhaseOrder",  # an `OrderOutcome` that adds nothing
}
"""Types of public attributes that stay inside: who reads rules and pages needs none of them."""


def names_of(face: ModuleType) -> list[str]:
    """The public names of a face; those of `dipsat.errors` are its errors."""
    if hasattr(face, "__all__"):
        return list(face.__all__)
    found = vars(face).items()
    return [name for name, it in found if isinstance(it, type) and issubclass(it, DipsatError)]


def public_things() -> Iterator[tuple[str, Any]]:
    """Every public thing with its name."""
    for title, face in FACES.items():
        for name in names_of(face):
            yield f"{title}.{name}", getattr(face, name)


def is_function(thing: object) -> bool:
    """Whether a public thing is a function."""
    return inspect.isroutine(thing)


# --- What is public -------------------------------------------------------------------------


def listed_for_type_checkers(face: ModuleType) -> dict[str, str]:
    """Public name -> the module that a face imports it from for type checkers."""
    tree = ast.parse(Path(str(face.__file__)).read_text(encoding="utf-8"))
    (block,) = (part for part in tree.body if isinstance(part, ast.If))
    found: dict[str, str] = {}
    for part in block.body:
        if isinstance(part, ast.ImportFrom):
            assert part.module is not None
            for alias in part.names:
                assert alias.asname == alias.name  # so that type checkers see it as public
                found[alias.name] = part.module
    return found


@pytest.mark.parametrize("title", LAZY)
def test_type_checkers_see_the_same_names_as_programs(title: str) -> None:
    face = FACES[title]
    listed = listed_for_type_checkers(face)
    assert sorted(listed) == face.__all__
    for name, module in listed.items():
        shown = getattr(face, name)
        assert inspect.unwrap(shown) is inspect.unwrap(getattr(sys.modules[module], name))


@pytest.mark.parametrize("title", LAZY)
def test_dir_lists_every_public_name(title: str) -> None:
    assert set(FACES[title].__all__) <= set(dir(FACES[title]))


@pytest.mark.parametrize("title", LAZY)
def test_a_name_that_is_not_public_is_refused(title: str) -> None:
    with pytest.raises(AttributeError, match=f"module '{title}' has no attribute 'adjudikate'"):
        _ = FACES[title].adjudikate


@pytest.mark.parametrize("title", LAZY)
def test_no_public_name_is_that_of_a_module_beside_it(title: str) -> None:
    """`import dipsat.engines.engine` would put the module in the place of the function."""
    folder = Path(str(FACES[title].__file__)).parent
    assert not set(FACES[title].__all__) & {path.stem for path in folder.iterdir()}


def test_public_functions_can_be_sent_to_other_processes() -> None:
    for name, thing in public_things():
        if is_function(thing):
            assert pickle.loads(pickle.dumps(thing)) is thing, name


def classes_in(hint: object) -> Iterator[type]:
    """The classes of dipsat that an annotation names."""
    if isinstance(hint, type) and not isinstance(hint, GenericAlias):
        if hint.__module__.startswith("dipsat"):
            yield hint
        return
    for part in hint if isinstance(hint, list) else get_args(hint):
        yield from classes_in(part)


def annotated(thing: object) -> Iterator[object]:
    """What has annotations in a public thing: itself, and the public methods of a class."""
    yield thing
    if isinstance(thing, type):
        for owner in thing.__mro__:
            if not owner.__module__.startswith("dipsat"):
                continue
            for name, member in vars(owner).items():
                if not name.startswith("_"):
                    inner = getattr(member, "fget", None) or getattr(member, "func", None)
                    yield inner or getattr(member, "__func__", member)


def hints_of(part: object) -> dict[str, object]:
    """The annotations of a class or a function, those that only type checkers see too."""
    try:
        return get_type_hints(part)
    except NameError:
        return get_type_hints(part, localns=vars(dipsat.engines))


def test_whatever_a_public_thing_takes_or_gives_is_public_too() -> None:
    things = dict(public_things())
    public = {id(thing) for thing in things.values()}
    missing: set[str] = set()
    for thing in things.values():
        for part in annotated(thing):
            if not isinstance(part, type) and not inspect.isroutine(part):
                continue
            shown = (hint for name, hint in hints_of(part).items() if not name.startswith("_"))
            found = {one for hint in shown for one in classes_in(hint) if id(one) not in public}
            missing |= {one.__name__ for one in found if "language.syntax" not in one.__module__}
    assert missing == INNER


# --- What the documents use -----------------------------------------------------------------


def dipsat_imports(code: str) -> Iterator[str]:
    """The modules of dipsat that a program imports."""
    for part in ast.walk(ast.parse(code)):
        if isinstance(part, ast.Import):
            names = [alias.name for alias in part.names]
        else:
            names = [part.module or ""] if isinstance(part, ast.ImportFrom) else []
        yield from (name for name in names if name.partition(".")[0] == "dipsat")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_examples_import_only_the_public_face(path: Path) -> None:
    for code in blocks(path.read_text(encoding="utf-8"), "python"):
        assert set(dipsat_imports(code)) <= FACES.keys()


def test_an_example_with_an_inner_module_is_found() -> None:
    code = "import dipsat\nfrom dipsat.proof.prove import prove\nimport dipsat.board.map"
    assert list(dipsat_imports(code)) == ["dipsat", "dipsat.proof.prove", "dipsat.board.map"]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_documents_name_only_what_is_public(path: Path) -> None:
    for name in re.findall(r"\bdipsat(?:\.[A-Za-z_]\w*)+", path.read_text(encoding="utf-8")):
        face = next(one for one in sorted(FACES, reverse=True) if f"{name}.".startswith(f"{one}."))
        first, *others = name.removeprefix(face).strip(".").split(".")
        if first:
            assert first in names_of(FACES[face]), name
            found = getattr(FACES[face], first)
            for part in others:
                found = getattr(found, part)


# --- Arguments of a wrong type --------------------------------------------------------------

POSITION = dipsat.Position.from_units({"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]})
OUTCOME = dipsat.adjudicate(POSITION, {})
ORDER_SET = dipsat.engines.read_order_set("X:\n A Aaa H\n")
CASES = dipsat.load_cases(("6.A.1",))
RIGHT: dict[str, Any] = {
    "position": POSITION, "orders": {}, "outcome": OUTCOME, "unit": "A PAR", "board": POSITION.map,
    "question": dipsat.Achieve("dislodged(PAR)"), "order": dipsat.Waive(), "name": "standard",
    "sources": [dipsat.RandomBoards(0)], "engines": ["dip_eval"], "cases": CASES,
    "case": CASES[0], "profile": dipsat.load_profile("datc"), "rules": "datc", "seed": 0,
    "text": "name: x", "path": "x", "line": str(ROOT / "docs/examples/line-south-short.yaml"),
    "paths": [], "deviating": [], "adjudicate": lambda _: OUTCOME, "agrees": lambda _: True,
}  # fmt: skip
RIGHT_THERE: dict[str, dict[str, Any]] = {
    "dipsat.compare": {"rules": ["datc", "judges/base"]},
    "dipsat.load_profile": {"name": "datc"},
    "dipsat.stress": {"boards": 0, "units": 2, "timeout": 0.0},
    "dipsat.engines.find_engine": {"name": "solver"},
    "dipsat.engines.carry_out": {"orders": ORDER_SET},
    "dipsat.engines.order_text": {"orders": ORDER_SET, "order": ORDER_SET.orders[0]},
    "dipsat.engines.to_text": {"orders": ORDER_SET},
    "dipsat.engines.transform": {"orders": ORDER_SET},
}
"""Right arguments by parameter, and those of single functions. Long work is asked for no boards."""

WRONG: tuple[Any, ...] = (None, 1, [], [5], "no such thing", {"FRANCE": 5}, {"FRANCE": [5]}, {5: 6})
FUNCTIONS = {name: thing for name, thing in public_things() if is_function(thing)}
PARAMETERS = [
    (title, name)
    for title, function in FUNCTIONS.items()
    for name, parameter in inspect.signature(function).parameters.items()
    if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
]
GAME = dipsat.Game.standard()
METHODS: dict[str, Callable[[Any], Any]] = {
    "dipsat.Position.from_units: units": dipsat.Position.from_units,
    "dipsat.Position.from_units: map": lambda wrong: dipsat.Position.from_units({}, wrong),
    "dipsat.Position.from_units: phase": lambda wrong: dipsat.Position.from_units({}, phase=wrong),
    "dipsat.Position.from_units: centers": lambda wrong: dipsat.Position.from_units(
        {}, centers=wrong
    ),
    "dipsat.Position.from_units: dislodged": lambda wrong: dipsat.Position.from_units(
        {}, phase="S1901R", dislodged=wrong
    ),
    "dipsat.Position.from_units: rules": lambda wrong: dipsat.Position.from_units({}, rules=wrong),
    "dipsat.Position.start: map": dipsat.Position.start,
    "dipsat.PhaseName.parse: text": dipsat.PhaseName.parse,
    "dipsat.PhaseName.find: text": dipsat.PhaseName.find,
    "dipsat.Outcome.order: unit": OUTCOME.order,
    "dipsat.Proof.write_smt2: folder": dipsat.prove(POSITION, {}).write_smt2,
    "dipsat.OrderReader.read: text": POSITION.reader.read,
    "dipsat.OrderReader.read_unit: text": POSITION.reader.read_unit,
    "dipsat.Game: position": dipsat.Game,
    "dipsat.Game.standard: rules": dipsat.Game.standard,
    "dipsat.Game.new: map": dipsat.Game.new,
    "dipsat.Game.back_to: phase": GAME.back_to,
    "dipsat.Game.legal_orders: unit": GAME.legal_orders,
    "dipsat.Game.legal_orders_of_power: power": GAME.legal_orders_of_power,
    "dipsat.Game.save: path": GAME.save,
    "dipsat.Game.load: path": dipsat.Game.load,
}
"""Methods that take what a person or another program hands over, by the begin of the message."""


def called(title: str, argument: str, value: object) -> Any:
    """What comes of a public function with one argument of a wrong type, the others right."""
    parameters = inspect.signature(FUNCTIONS[title]).parameters
    needed = [name for name, one in parameters.items() if one.default is one.empty]
    right = {name: RIGHT[name] for name in needed if name in RIGHT}
    return FUNCTIONS[title](**{**right, **RIGHT_THERE.get(title, {}), argument: value})


@pytest.mark.parametrize(("title", "argument"), PARAMETERS)
def test_a_wrong_argument_of_a_function_is_named(title: str, argument: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        called(title, argument, object())
    assert str(caught.value).startswith(f"{title}: {argument} should be ")
    assert (caught.value.function, caught.value.argument) == (title, argument)


@pytest.mark.parametrize(("title", "argument"), few_of(PARAMETERS, 25))
def test_no_argument_ends_in_an_error_of_python(
    title: str, argument: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    for value in WRONG:
        with suppress(DipsatError):
            found = called(title, argument, value)
            if inspect.isgenerator(found):
                list(found)


@pytest.mark.parametrize("begin", METHODS)
def test_a_wrong_argument_of_a_method_is_named(
    begin: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ArgumentError, match=f"^{begin} should be "):
        METHODS[begin](object())
    for value in WRONG:
        with suppress(DipsatError):
            METHODS[begin](value)


@pytest.mark.parametrize("value", WRONG)
def test_wrong_orders_and_documents_of_a_game_are_refused(value: Any) -> None:
    with suppress(DipsatError):
        dipsat.Game.from_dict(value)
    with suppress(DipsatError):
        GAME.copy().submit(value)
    with suppress(DipsatError):
        GAME.copy().submit("FRANCE", value)


@pytest.mark.parametrize(
    ("orders", "message"),
    [
        (None, "orders should be a mapping, not None"),
        ({"FRANCE": 5}, "orders['FRANCE'] should be a list or a mapping, not 5 (int)"),
        ({5: []}, "a key of orders should be a text, not 5 (int)"),
        ({"FRANCE": {"undated": 5}}, "orders['FRANCE']['undated'] should be a list, not 5 (int)"),
    ],
)
def test_the_place_within_an_argument_is_told(orders: Any, message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        dipsat.adjudicate(POSITION, orders)
    assert str(caught.value) == f"dipsat.adjudicate: {message}"


def test_the_place_within_a_judge_is_told() -> None:
    wrong: Any = dipsat.Judge(5)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=r"dipsat.crosscheck: engines\[0\].engine should be"):
        dipsat.crosscheck([wrong], [dipsat.RandomBoards(1, units=2)])


def test_a_long_wrong_argument_is_cut_short() -> None:
    with pytest.raises(ArgumentError) as caught:
        dipsat.adjudicate(POSITION, ["A PAR - BUR"] * 100)  # type: ignore[arg-type]
    assert len(str(caught.value)) < 200


def test_an_error_in_a_function_that_was_handed_over_stays_as_it_is() -> None:
    def broken(_: str) -> None:
        raise TypeError("mine")

    with pytest.raises(TypeError, match="mine"):
        dipsat.search(POSITION, dipsat.Achieve("dislodged(PAR)"), progress=broken)


def test_a_missing_argument_is_an_error_of_python() -> None:
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'orders'"):
        dipsat.adjudicate(POSITION)  # type: ignore[call-arg]


def test_functions_keep_their_signatures_and_texts() -> None:
    assert str(inspect.signature(dipsat.map_names)) == "() -> 'tuple[str, ...]'"
    assert str(dipsat.adjudicate.__doc__).startswith("Adjudicate a phase")
    assert dipsat.engines.find_engine.__qualname__ == "find_engine"
