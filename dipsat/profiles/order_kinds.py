"""Read the kinds of orders that a profile declares, and list the facts of their objects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dipsat.documents import Node
from dipsat.errors import InputLimitError, ProfileError
from dipsat.language.types import (
    INDEX_TYPES,
    NUMBER,
    POWER,
    PROVINCE,
    SUPPORT,
    TRUTH,
    UNIT,
    Type,
    set_of,
)
from dipsat.language.vocabulary import Word
from dipsat.orders.forms import EXTRA_SEASONS, OrderKind, Slot, read_form

_NAMES = ("line", "legs", "verdict", "lands")
_KEYS = ("form", "legal", "phase", "when", *_NAMES)
_MAX_FORMS = 10
_TARGET = Slot("target", "Province")
_FIELD_TYPES = {"Unit": UNIT, "Province": PROVINCE}


@dataclass(frozen=True, slots=True)
class DeclaredKind:
    """A kind of order with what the rules say about it.

    `legs` is the name of the type of the steps along its line ("" if it has none). `verdict` names
    the decision over the kind that says whether an order is carried out ("": it is if it is legal),
    `lands` the decision over its legs that says where the unit ends ("": it stays). If it is not
    `in_force`, such an order cannot be given; `switch` is then the choice of an option that allows
    it (`color_exchange=on`), "" if no single one is enough.
    """

    kind: OrderKind
    legs: str = ""
    verdict: str = ""
    lands: str = ""
    in_force: bool = True
    switch: str = ""


def read_kind(name: str, key: str, section: Node, node: Node) -> DeclaredKind:
    """The kind of order that an entry of `orders` declares. Raises `ProfileError`."""
    if name in INDEX_TYPES:
        section.fail_at_key(key, f"{name} is already a type", ProfileError)
    parts = node.mapping(_KEYS, "a kind of order")
    texts = {part: parts[part].text(part) for part in _NAMES if part in parts}
    if "form" not in parts:
        node.fail("a kind of order needs a 'form'", ProfileError)
    forms = []
    listed = parts["form"]
    written = listed.sequence() if isinstance(listed.value, tuple) else (listed,)
    if not 0 < len(written) <= _MAX_FORMS:
        listed.fail(f"a kind of order has one to {_MAX_FORMS} forms", ProfileError)
    for one in written:
        try:
            forms.append(read_form(one.text("a form")))
        except ValueError as problem:
            one.fail(str(problem), ProfileError)
        except InputLimitError as error:
            raise error.at(one.place) from None
        if _slots(forms[-1]) != _slots(forms[0]):
            one.fail("all forms of a kind must have the same fields", ProfileError)
    kind = OrderKind(name, tuple(forms), texts.get("line", ""), _season(parts))
    if ("line" in texts) != ("legs" in texts):
        node.fail("'line' and 'legs' go together", ProfileError)
    if kind.line and not (kind.is_of_unit and _TARGET in kind.fields):
        node.fail("an order along a line needs {unit} and {target: Province}", ProfileError)
    if "lands" in texts and not kind.line:
        parts["lands"].fail("'lands' goes with 'line' and 'legs'", ProfileError)
    return DeclaredKind(
        kind, texts.get("legs", ""), texts.get("verdict", ""), texts.get("lands", "")
    )


def _season(parts: Mapping[str, Node]) -> str:
    """The season of the extra phase in which such an order is given, "" for movement phases."""
    if "phase" not in parts:
        return ""
    named = parts["phase"].text("phase")
    if named not in EXTRA_SEASONS:
        known = " or ".join(EXTRA_SEASONS)
        problem = f"there is no extra phase in {named!r}; write {known}, or leave it out"
        parts["phase"].fail(problem, ProfileError)
    return EXTRA_SEASONS[named]


def _slots(form: object) -> set[Slot]:
    assert isinstance(form, tuple)
    return {part for part in form if isinstance(part, Slot)}


def facts_of_kinds(kinds: Mapping[str, DeclaredKind]) -> dict[str, Mapping[str, Word]]:
    """Type -> fact -> its word, for all orders and legs."""
    found: dict[str, Mapping[str, Word]] = {}
    for name, declared in kinds.items():
        kind = declared.kind
        facts = {"power": Word(POWER, "the power that orders it")}
        if kind.is_of_unit:
            facts["unit"] = Word(UNIT, "the unit that is ordered")
            facts["origin"] = Word(PROVINCE, "where the unit stands")
        for slot in kind.fields:
            facts[slot.name] = Word(_FIELD_TYPES[slot.type], "what the order names")
        if kind.line:
            facts |= {
                "operator": Word(POWER, "the power that the line belongs to"),
                "supports": Word(set_of(SUPPORT), "the matching orders that support its last leg"),
                "legs": Word(set_of(Type(declared.legs)), "its steps along the line"),
            }
            found[declared.legs] = _leg_facts(Type(declared.legs), Type(name))
        found[name] = facts
    return found


def _leg_facts(leg: Type, order: Type) -> Mapping[str, Word]:
    return {
        "order": Word(order, "the order that it is a step of"),
        "unit": Word(UNIT, "the unit that goes"),
        "power": Word(POWER, "the power that owns the unit"),
        "origin": Word(PROVINCE, "where the step begins"),
        "target": Word(PROVINCE, "where it ends"),
        "number": Word(NUMBER, "its place among the steps, from 1"),
        "first": Word(TRUTH, "whether it is the first step"),
        "last": Word(TRUTH, "whether it is the last step"),
        "earlier": Word(set_of(leg), "the steps before it"),
        "later": Word(set_of(leg), "the steps after it"),
    }
