"""The page about the Python interface: docstrings describe everything that is public."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from types import ModuleType
from typing import Any

import dipsat
from dipsat import studies
from tests.exhaustive import exhaustive
from tools.api_page import (
    GROUPS,
    attribute_texts,
    errors,
    item,
    members,
    names_of,
    own_classes,
    page,
    public_names,
    settings_texts,
    signature_text,
    type_text,
)

THINGS: list[tuple[str, Any]] = [
    (f"{group.face.__name__}.{name}", getattr(group.face, name))
    for group in GROUPS
    for name in names_of(group)
]
CLASSES = {title: thing for title, thing in THINGS if isinstance(thing, type)}


@exhaustive
def test_every_public_class_has_a_heading() -> None:
    text = page()
    for title in CLASSES:
        if not title.startswith("dipsat.errors."):
            assert f"### class `{title.removeprefix('dipsat.')}`\n" in text


def test_every_public_name_is_on_the_page_once() -> None:
    faces = [name for name in dipsat.__all__ if isinstance(getattr(dipsat, name), ModuleType)]
    public = [f"dipsat.{name}" for name in {*dipsat.__all__} - {*faces, "DipsatError"}]
    for face in faces:
        names = errors() if face == "errors" else getattr(dipsat, face).__all__
        public += [f"dipsat.{face}.{name}" for name in names]
    assert Counter(title for title, _ in THINGS) == Counter(public)


def test_every_attribute_has_a_line_of_its_own() -> None:
    explained = {"conditions", *dict(settings_texts())}
    lacking = {
        f"{title}.{one.name}"
        for title, owner in CLASSES.items()
        if is_dataclass(owner)
        for one in fields(owner)
        if not one.name.startswith("_") and one.name not in explained | attributes_of(owner)
    }
    assert lacking == set()


def attributes_of(owner: type) -> set[str]:
    """The attributes of a class and of its bases that have a line of their own."""
    own = [one for one in owner.__mro__ if one.__module__.startswith("dipsat.")]
    return {name for one in own for name in attribute_texts(one)}


def test_every_function_class_and_method_is_explained() -> None:
    lacking = [
        title
        for title, thing in THINGS
        if (inspect.isroutine(thing) or isinstance(thing, type)) and not thing.__doc__
    ]
    for title, thing in CLASSES.items():
        lacking += [f"{title}.{head}" for head, text in members(thing) if not text]
    assert lacking == []


def test_types_are_shown_by_their_public_names() -> None:
    assert type_text(studies.StressFinding) == "studies.StressFinding"
    assert type_text(dict[str, dipsat.engines.Move | None]) == "dict[str, engines.Move | None]"
    assert type_text(str | dipsat.Order) == "str | Order"
    assert type_text(Callable[[str, int], None]) == "Callable[[str, int], None]"


def test_a_long_signature_takes_several_lines() -> None:
    def told(board: dipsat.Map, *codes: str, power: str = "FRANCE") -> bool:
        return bool(board and codes and power)

    told.__annotations__ = {"board": dipsat.Map, "codes": str, "power": str, "return": bool}
    whole = 'told(board: Map, *codes: str, power: str = "FRANCE") -> bool'
    assert signature_text("told", told) == whole
    assert signature_text("told", told, 40).splitlines()[1] == "    board: Map,"


def test_a_base_that_is_not_public_is_shown_with_its_class() -> None:
    class Inner:
        """A base."""

    Inner.__module__ = "dipsat.inner"

    @dataclass
    class Shown(Inner):
        """A class."""

    Shown.__module__ = "dipsat.inner"
    assert own_classes(Shown) == [Shown, Inner]
    assert "Shown" not in public_names().values()


def test_an_item_of_several_paragraphs_stays_one_item() -> None:
    assert item("x: int", "One.\n\nTwo.") == "- `x: int`: One.\n\n    Two."
