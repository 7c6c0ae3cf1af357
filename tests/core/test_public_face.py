"""The public face: `dipsat`, its modules, and the errors of wrong arguments."""

from __future__ import annotations

import ast
import inspect
import json
import pickle
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import GenericAlias, ModuleType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from click.testing import CliRunner

import dipsat
import dipsat.draw
import dipsat.engines
import dipsat.errors
from dipsat import searches, studies
from dipsat.cli import main
from dipsat.errors import ArgumentError, DipsatError, FileError, UnknownNameError
from tests.checkout import ROOT
from tests.exhaustive import exhaustive, few_of
from tests.pages import blocks

MODULES = (
    "compat", "draw", "engines", "environments", "errors", "kernel", "searches", "studies",
)  # fmt: skip
FACES: dict[str, ModuleType] = {
    "dipsat": dipsat,
    **{f"dipsat.{name}": import_module(f"dipsat.{name}") for name in MODULES},
}
LAZY = tuple(name for name in FACES if name != "dipsat.errors")
# The page on the architecture is for people who change dipsat, and names what is inside.
DOCS = sorted(page for page in (ROOT / "docs").glob("*.md") if page.name != "architecture.md")
PAGES = [ROOT / "README.md", *DOCS]

INNER = {
    # The equations of a profile and what is made from them: terms of the rule language.
    *("Formula", "CycleRule", "Decision", "Declared", "Layer", "Conditions"),
    *("Explainer", "Solution"),
    *("AttributeRule", "OrderKind", "SwitchedOff", "WithWords"),  # what rules add to the notation
    *("Carriage", "Codes", "ConvoyNet", "Language", "NameIndex", "OwnPicture"),  # tables of a map
    "Shape",  # of a disagreement's orders, by which disagreements are grouped
    "PhaseOrder",  # an `OrderOutcome` that adds nothing
    "RowsFile",  # an open file of rows, which the command hands to `impact`
}
"""Types of public attributes that stay inside: readers of rules and pages need none of them."""


def names_of(face: ModuleType) -> list[str]:
    """The public names of a face without those of its modules."""
    return [name for name in face.__all__ if not isinstance(getattr(face, name), ModuleType)]


def public_things() -> Iterator[tuple[str, Any]]:
    """Every public thing with its name."""
    for title, face in FACES.items():
        for name in names_of(face):
            yield f"{title}.{name}", getattr(face, name)


# --- What is public -------------------------------------------------------------------------


def listed_for_type_checkers(face: ModuleType) -> dict[str, str]:
    """Public name -> the module that a face imports it from for type checkers."""
    stub = Path(str(face.__file__)).with_suffix(".pyi").read_text(encoding="utf-8")
    tree = ast.parse(stub.partition("__all__: list[str]\n")[0])  # the others are for other rooms
    found: dict[str, str] = {}
    for part in tree.body:
        if isinstance(part, ast.ImportFrom):
            assert part.module is not None
            for alias in part.names:
                assert alias.asname == alias.name  # so that type checkers see it as public
                if part.module != "dipsat" and alias.name != "__version__":
                    found[alias.name] = part.module
    return found


@pytest.mark.parametrize("title", LAZY)
def test_type_checkers_see_the_same_names_as_programs(title: str) -> None:
    face = FACES[title]
    listed = listed_for_type_checkers(face)
    assert sorted(listed) == names_of(face)
    for name, module in listed.items():
        shown = getattr(face, name)
        assert inspect.unwrap(shown) is inspect.unwrap(getattr(sys.modules[module], name))


@pytest.mark.parametrize("title", FACES)
def test_dir_lists_the_public_names_and_nothing_else(title: str) -> None:
    shown = [name for name in dir(FACES[title]) if not name.startswith("__")]
    assert sorted(shown) == sorted(FACES[title].__all__)
    assert "__doc__" in dir(FACES[title])


def test_the_public_modules_are_public_names() -> None:
    assert set(MODULES) <= set(dipsat.__all__)
    assert all(
        issubclass(getattr(dipsat.errors, name), DipsatError) for name in names_of(dipsat.errors)
    )


@pytest.mark.parametrize("title", LAZY)
def test_a_name_that_is_not_public_is_refused(title: str) -> None:
    with pytest.raises(AttributeError, match=f"module '{title}' has no attribute 'adjudikate'"):
        _ = FACES[title].adjudikate


@pytest.mark.parametrize("title", LAZY)
def test_no_public_name_is_that_of_a_module_beside_it(title: str) -> None:
    """`import dipsat.outcomes.engine` would put the module in the place of the function."""
    folder = Path(str(FACES[title].__file__)).parent
    assert not set(names_of(FACES[title])) & {path.stem for path in folder.iterdir()}


def test_public_functions_can_be_sent_to_other_processes() -> None:
    for name, thing in public_things():
        if inspect.isroutine(thing):
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
    """Parts of a public thing that have annotations: itself, and a class's public methods."""
    yield thing
    if isinstance(thing, type):
        for owner in thing.__mro__:
            if not owner.__module__.startswith("dipsat"):
                continue
            for name, member in vars(owner).items():
                if not name.startswith("_"):
                    inner = getattr(member, "fget", None) or getattr(member, "func", None)
                    yield inner or getattr(member, "__func__", member)


def test_types_of_public_parameters_and_results_are_public_too() -> None:
    public = {id(thing) for _, thing in public_things()}
    missing: set[str] = set()
    for _, thing in public_things():
        for part in annotated(thing):
            if isinstance(part, type) or inspect.isroutine(part):
                hints = get_type_hints(part)
                shown = (hint for name, hint in hints.items() if not name.startswith("_"))
                found = {one for hint in shown for one in classes_in(hint) if id(one) not in public}
                missing |= {one.__name__ for one in found if "rules.syntax" not in one.__module__}
    assert missing == INNER


# --- What the documents use -----------------------------------------------------------------


def dipsat_imports(code: str) -> Iterator[str]:
    """The modules of dipsat that a program imports."""
    for part in ast.walk(ast.parse(code)):
        if isinstance(part, ast.Import | ast.ImportFrom):
            module = getattr(part, "module", None)
            names = [module] if module else [alias.name for alias in part.names]
            yield from (name for name in names if name.partition(".")[0] == "dipsat")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_documents_use_only_what_is_public(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for code in blocks(text, "python"):
        assert set(dipsat_imports(code)) <= FACES.keys()
    for name in re.findall(r"\bdipsat(?:\.[A-Za-z_]\w*)+", text):
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
RING = dipsat.adjudicate(
    dipsat.Position.from_units({"TURKEY": ["F ANK", "A CON", "A SMY"]}),
    {"TURKEY": ["F ANK - CON", "A CON - SMY", "A SMY - ANK"]},
)
SMALL_GAME = dipsat.Game.new("pure")
ORDER_SET = dipsat.engines.read_order_set("X:\n A Aaa H\n")
CASES = studies.load_cases(("6.A.1",))
RIGHT: dict[str, Any] = {
    "position": POSITION, "orders": {}, "outcome": OUTCOME, "unit": "A PAR", "map": POSITION.map,
    "question": dipsat.Achieve("dislodged(PAR)"), "order": dipsat.Waive(), "name": "standard",
    "sources": [studies.RandomBoards(0)], "engines": ["dip_eval"], "cases": CASES,
    "case": CASES[0], "profile": dipsat.load_profile("datc"), "rules": "datc", "seed": 0,
    "text": "name: x", "path": "x", "line": str(ROOT / "docs/examples/line-south-short.yaml"),
    "paths": [], "rows": [], "deviating": [], "adjudicate": lambda _: OUTCOME,
    "agrees": lambda _: True,
}  # fmt: skip
RIGHT_THERE: dict[str, dict[str, Any]] = {
    "dipsat.compare": {"rules": ["datc", "judges/base"]},
    "dipsat.searches.confirm_fewest": {"question": searches.Lines(centres=3), "below": 0},
    "dipsat.load_profile": {"name": "datc"},
    "dipsat.environments.power_env": {"power": "FRANCE"},
    "dipsat.studies.run_many": {"function": str, "work": []},
    "dipsat.run_limited": {"limits": dipsat.Limits(seconds=60), "function": dipsat.map_names},
    "dipsat.studies.stress": {"boards": 0, "units": 2, "timeout": 0.0},
    "dipsat.engines.find_engine": {"name": "solver"},
    "dipsat.engines.carry_out": {"orders": ORDER_SET},
    "dipsat.engines.order_text": {"orders": ORDER_SET, "order": ORDER_SET.orders[0]},
    "dipsat.engines.to_text": {"orders": ORDER_SET},
    "dipsat.engines.transform": {"orders": ORDER_SET},
    "dipsat.searches.write_line": {
        "line": searches.hold_line(str(ROOT / "docs/examples/line-turkey.yaml")).line
    },
    "dipsat.draw.board": {"what": POSITION},
    "dipsat.draw.cycle": {"what": RING},
    "dipsat.draw.explain": {"what": dipsat.explain(OUTCOME, "A PAR")},
    "dipsat.draw.compare": {"what": dipsat.Comparison(("a", "b"), (OUTCOME, OUTCOME))},
    "dipsat.draw.search": {"what": dipsat.search(POSITION, dipsat.Achieve("enters(BUR)"))},
    "dipsat.draw.line": {"what": searches.hold_line(str(ROOT / "docs/examples/line-turkey.yaml"))},
    "dipsat.draw.replay": {"what": studies.DifferingPhase("S1901M", {}, {}, {}, ())},
    "dipsat.draw.impact_page": {"report": studies.ImpactReport("datc", 0, 0, {}, (), ())},
    "dipsat.draw.game_gif": {"game": SMALL_GAME, "width": 60},
    "dipsat.draw.game_page": {"game": SMALL_GAME},
}
"""Right arguments by parameter, and those of single functions. Slow ones are given no boards."""

WRONG: tuple[Any, ...] = (None, 1, [], [5], "no such thing", {"FRANCE": 5}, {"FRANCE": [5]}, {5: 6})
FUNCTIONS = {name: thing for name, thing in public_things() if inspect.isroutine(thing)}
PARAMETERS = [
    (title, name)
    for title, function in FUNCTIONS.items()
    for name, parameter in inspect.signature(function).parameters.items()
    if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
]


def called(title: str, argument: str, value: object) -> Any:
    """The result of a public function with one argument of a wrong type, the others right."""
    parameters = inspect.signature(FUNCTIONS[title]).parameters
    needed = [name for name, one in parameters.items() if one.default is one.empty]
    right = {name: RIGHT[name] for name in needed if name in RIGHT}
    named = {**right, **RIGHT_THERE.get(title, {}), argument: value}
    placed = [
        named.pop(name) for name, one in parameters.items() if one.kind is one.POSITIONAL_ONLY
    ]
    return FUNCTIONS[title](*placed, **named)


@pytest.mark.parametrize(("title", "argument"), PARAMETERS)
def test_a_wrong_argument_of_a_function_is_named(title: str, argument: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        called(title, argument, object())
    assert str(caught.value).startswith(f"{title}: {argument} should be ")
    assert (caught.value.function, caught.value.argument) == (title, argument)


@pytest.mark.parametrize(("title", "argument"), few_of(PARAMETERS, 14))
def test_no_argument_ends_in_an_error_of_python(
    title: str, argument: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    for value in WRONG:
        with suppress(DipsatError):
            found = called(title, argument, value)
            if inspect.isgenerator(found):
                list(found)


@pytest.mark.parametrize(
    ("orders", "message"),
    [
        (None, "orders should be a mapping such as {'FRANCE': ['A PAR - BUR']}, not None"),
        ({"FRANCE": 5}, "orders['FRANCE'] should be a list or a mapping, not 5 (int)"),
        ({5: []}, "a key of orders should be a text, not 5 (int)"),
        ({"FRANCE": {"undated": 5}}, "orders['FRANCE']['undated'] should be a list, not 5 (int)"),
    ],
)
def test_the_place_within_an_argument_is_named(orders: Any, message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        dipsat.adjudicate(POSITION, orders)
    assert str(caught.value) == f"dipsat.adjudicate: {message}"


def test_the_place_within_dipsats_own_objects_is_named() -> None:
    with pytest.raises(ArgumentError, match=r"dipsat.studies.Judge: engine should be a text or an"):
        studies.Judge(5)  # type: ignore[arg-type]
    case: Any = replace(CASES[0], position=dipsat.OrderOutcome)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=r"run_case: case.position should be a Position"):
        studies.run_case(case)


def test_a_long_wrong_argument_is_cut_short() -> None:
    with pytest.raises(ArgumentError) as caught:
        dipsat.adjudicate(POSITION, ["A PAR - BUR"] * 100)  # type: ignore[arg-type]
    assert len(str(caught.value)) < 200


def test_an_error_in_a_function_of_the_caller_is_passed_on() -> None:
    def broken(_: str) -> None:
        raise TypeError("mine")

    with pytest.raises(TypeError, match="mine"):
        dipsat.search(POSITION, dipsat.Achieve("dislodged(PAR)"), progress=broken)


# --- Arguments of a right type that make no sense -------------------------------------------


def hint_of(title: str, argument: str) -> Any:
    """The annotation of an argument."""
    return get_type_hints(inspect.unwrap(FUNCTIONS[title])).get(argument)


def test_a_text_is_not_a_list() -> None:
    """Its letters would be taken for members."""
    hints = {one: hint_of(*one) for one in PARAMETERS}
    lists = [one for one, hint in hints.items() if lists_in(hint) and not takes_text(hint)]
    assert len(lists) > 5
    for title, argument in lists:
        told = rf"^{title}: {argument} should be a list such as \['A PAR - BUR'\]"
        with pytest.raises(ArgumentError, match=told):
            called(title, argument, "A PAR - BUR")


@pytest.mark.parametrize(
    ("title", "argument"),
    [(title, name) for title, name in PARAMETERS if name == "orders" and "engines" not in title],
)
def test_a_mapping_to_a_text_is_not_a_mapping_to_lists(title: str, argument: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        called(title, argument, {"FRANCE": "A PAR - BUR"})
    assert str(caught.value) == (
        f"{title}: orders['FRANCE'] should be a list such as ['A PAR - BUR'] or a mapping, "
        "not 'A PAR - BUR' (str)"
    )


def lists_in(hint: Any) -> bool:
    """Whether an annotation takes a list."""
    parts = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    return any(get_origin(part) in (Iterable, Sequence) for part in parts)


def takes_text(hint: Any) -> bool:
    """Whether an annotation takes a text."""
    return hint is str or str in get_args(hint)


NUMBERS = {
    "below": -1, "delay": -1.0, "effort": -1, "examples": -1, "jobs": 0, "most": 0, "size": 0,
    "smallest": -1, "timeout": -3.0, "units": -3, "until": 0, "width": 0,
}  # fmt: skip
"""Arguments that are numbers, each with one that makes no sense; `boards` and `seed` have their own
errors (`QuestionError`)."""


@exhaustive
def test_a_number_that_makes_no_sense_is_refused() -> None:
    hints = {one: hint_of(*one) for one in PARAMETERS}
    numbers = [
        one
        for one, hint in hints.items()
        if any(part in (int, float) for part in (hint, *get_args(hint)))
    ]
    assert {argument for _, argument in numbers} == {*NUMBERS, "boards", "seed"}
    for title, argument in numbers:
        for wrong in (NUMBERS.get(argument), float("nan")):
            if argument in NUMBERS:
                told = f"^{title}: {argument} should be a .*number"
                with pytest.raises(ArgumentError, match=told):
                    called(title, argument, wrong)


def test_the_error_lists_the_texts_that_are_allowed() -> None:
    with pytest.raises(ArgumentError, match="compare should be 'auto', 'moves' or 'all'"):
        called("dipsat.studies.crosscheck", "compare", "foo")
    with pytest.raises(ArgumentError, match="'position', 'map', 'places' or 'format', not 'foo'"):
        dipsat.Settings(legal="foo")  # type: ignore[arg-type]  # what is refused


def test_rules_that_no_judge_needs_are_read_nevertheless() -> None:
    with pytest.raises(UnknownNameError, match="unknown profile 'nope'"):
        studies.crosscheck(["dip_eval:1982"], [studies.RandomBoards(1)], rules="nope")


# --- Parameters of one name -----------------------------------------------------------------


SEVERAL = {("dipsat.compare", "rules"), ("dipsat.studies.impact", "rules")}
"""Arguments that are lists of rules. Others may be None too."""


@pytest.mark.parametrize(
    ("title", "argument"),
    [one for one in PARAMETERS if one[1] in ("map", "rules") and one not in SEVERAL],
)
def test_maps_and_rules_are_taken_in_the_same_forms(title: str, argument: str) -> None:
    hint = hint_of(title, argument)
    kind = dipsat.Map if argument == "map" else dipsat.Profile
    assert set(get_args(hint)) - {type(None)} == {str, Path, kind}


def test_an_order_file_states_its_rules_and_what_is_open(tmp_path: Path) -> None:
    document = tmp_path / "orders.yaml"
    document.write_text("rules: 1982\nunits: {FRANCE: [A PAR]}\norders: {}\nopen: [all]\n")
    found = dipsat.load_phase(str(document), "standard")
    assert found.rules is not None
    assert (found.rules.name, found.open) == ("1982", ("all",))
    with pytest.raises(DipsatError, match="nowhere"):
        dipsat.load_phase("nowhere.txt")


def test_a_phase_is_written_as_an_order_file_and_read_back() -> None:
    """Every kind of phase, order objects, sets of orders, and the retreats that are left."""
    first = dipsat.load_phase(ROOT / "docs" / "examples" / "retreat.yaml")
    winter = dipsat.load_phase(ROOT / "docs" / "examples" / "winter.yaml")
    sets = {"FRANCE": [["A PAR H"], {"adds": ["A MAR H"]}]}
    objects = {"FRANCE": [dipsat.Move(dipsat.UnitName("PAR", dipsat.UnitKind.ARMY), "BUR")]}
    start, rules = dipsat.Position.start("fleet_rome"), dipsat.load_profile("1982")
    for position, orders in (
        (first.position, first.orders), (winter.position, winter.orders), (start, sets),
        (start, objects), (start, {}),
    ):  # fmt: skip
        text = studies.write_phase(position, orders, rules, ["a remark\non two lines"])
        found = dipsat.parse_phase(text, "a.yaml")
        assert found.position == position
        assert found.rules is not None
        assert found.rules.name == "1982"
        judged, again = (
            [(one.order, one.verdict) for one in dipsat.adjudicate(position, given, "1982").orders]
            for given in (orders, found.orders)
        )
        assert judged == again
        assert text.startswith("# a remark\n# on two lines\nmap: ")


def test_an_order_file_may_take_position_and_phase_from_elsewhere(tmp_path: Path) -> None:
    """As with `--position` and `--phase`; the commands and the functions have one way."""
    sheet, board = tmp_path / "fall.txt", tmp_path / "fall.json"
    text = "France:\n A Bur - Mun\n"
    sheet.write_text(text, encoding="utf-8")
    after = dipsat.adjudicate(dipsat.Position.start(), {"FRANCE": ["A PAR - BUR"]}).next
    board.write_text(json.dumps(after.to_dict()))
    typed = ["adjudicate", str(sheet), "--json", "--position", str(board)]
    printed = CliRunner().invoke(main, typed).stdout
    for position in (after, board, str(board)):
        found = dipsat.load_phase(sheet, position=position)
        assert found.position == after
        assert dipsat.adjudicate(found.position, found.orders).to_dict() == json.loads(printed)
        again = dipsat.parse_phase(text, "x.txt", phase="Fall 1901", position=position)
        assert (again.position, again.orders) == (found.position, found.orders)
        with pytest.raises(DipsatError, match="S1901M"):
            dipsat.load_phase(sheet, position=position, phase="S1901M")
    with pytest.raises(FileError, match="so its orders cannot be for the map hundred"):
        dipsat.load_phase(sheet, "hundred", position=after)
    nothing = dipsat.Limits(files=dipsat.Files.none())
    with pytest.raises(FileError):
        dipsat.load_phase(sheet, position=str(board), limits=nothing)
    for phase in ("fall 1903", dipsat.PhaseName.parse("F1903M")):
        assert str(dipsat.load_phase(sheet, phase=phase).position.phase) == "F1903M"
    with pytest.raises(UnknownNameError, match="Autumn of love"):
        dipsat.load_phase(sheet, phase="Autumn of love")


@pytest.mark.parametrize("name", few_of(dipsat.map_names(), 2))
def test_a_position_is_read_as_it_was_written(name: str) -> None:
    position = dipsat.Position.start(name)
    assert dipsat.Position.from_dict(position.to_dict(), name) == position


def test_a_position_with_retreats_and_attributes_is_read_as_it_was_written() -> None:
    lost: dict[str, dict[str, list[str]]]
    lost = {"FRANCE": {"A BUR": ["PAR", "GAS"]}, "ITALY": {"A VEN": []}}
    position = dipsat.Position.from_units(
        {"GERMANY": ["A MUN"]}, phase="F1901R", centers={"GERMANY": ["MUN"]}, dislodged=lost
    )
    assert dipsat.Position.from_dict(position.to_dict()) == position
    rules = dipsat.load_profile("arpiesse")
    position = dipsat.Position.from_units({"FRANCE": ["red A PAR"]}, rules=rules)
    assert dipsat.Position.from_dict(position.to_dict(), rules=rules) == position
    for wrong in ({}, {"phase": "S1901M"}, {**position.to_dict(), "unit": 1}):
        with pytest.raises(dipsat.errors.PositionError, match="key"):
            dipsat.Position.from_dict(wrong)
