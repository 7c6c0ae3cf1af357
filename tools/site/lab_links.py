"""Links that open orders and rules in the rule lab, with the whole state after the `#`."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import yaml

import dipsat
from dipsat import studies

_OWN_RULES = "extends: datc\ntitle: My rules\n"
"""The rules with which the lab begins too."""
_RULES = Path(__file__).resolve().parent.parent.parent / "rules"
_CODE = re.compile(r"`([^`]+)`")
_MAP = re.compile(r"^map: *(\S+)\n", re.MULTILINE)
_BOTH = "Under datc:"
"""The mark in the comment above orders that gives their results under `datc`."""


@dataclass(frozen=True, slots=True)
class LabState:
    """The state of the lab's page, as lab/src/link.mjs reads it."""

    rules: str
    orders: str
    map: str | None = None
    """The name of a shipped map, or the text of another."""
    position: Mapping[str, Any] | None = None
    compare: tuple[str, ...] = ()
    search: Mapping[str, Any] | None = None
    """The contents of the search form (lab/src/panels/search.mjs)."""

    @property
    def fragment(self) -> str:
        """The part of a link after the `#`: JSON, deflated without a header, in base64url."""
        packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
        data = packer.compress(json.dumps(self._members()).encode()) + packer.flush()
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

    def _members(self) -> dict[str, Any]:
        members = asdict(self)
        needed = {"rules", "orders", "compare"}
        return {name: value for name, value in members.items() if value or name in needed}


def unpacked(fragment: str) -> Mapping[str, Any]:
    """The JSON object that a fragment holds."""
    data = base64.urlsafe_b64decode(fragment + "=" * (-len(fragment) % 4))
    found = json.loads(zlib.decompress(data, -zlib.MAX_WBITS))
    assert isinstance(found, dict)
    return found


def is_order_file(path: Path) -> bool:
    """Whether a file has orders that the lab can show: a sheet, or YAML with orders by power that
    does not name rules."""
    return path.suffix == ".txt" or (
        path.suffix == ".yaml" and _has_position(path.read_text(encoding="utf-8"))
    )


def _has_position(text: str) -> bool:
    """Whether a text is YAML with orders by power that does not name rules."""
    try:
        top = yaml.safe_load(text)
    except yaml.YAMLError:
        return False
    if not isinstance(top, dict) or not isinstance(top.get("orders"), dict):
        return False
    return top.keys() <= {"map", "phase", "units", "centers", "dislodged", "orders"}


def rules_beside(orders: Path) -> Path | None:
    """The rules of which orders are an example: the file with the same name, or None."""
    path = orders.with_name(f"{orders.name.partition('.')[0]}.yaml")
    return path if path != orders and path.exists() else None


def state_of(orders: Path, rules: Path | str | None) -> LabState:
    """The state in which the lab shows the orders of a file, under the rules of another file or
    shipped rules."""
    text = orders.read_text(encoding="utf-8")
    written, board = _written(rules)
    compare = ("datc",) if _BOTH in text or rules is None else ()
    state = LabState(written, text, board, compare=compare)
    if orders.suffix == ".txt":
        return state
    return _apart(state, dipsat.load_phase(orders, rules=rules or "datc").position)


def _written(rules: Path | str | None) -> tuple[str, str | None]:
    """The text of rules, and the text of their own map, since the lab reads no files."""
    if not isinstance(rules, Path):
        return _OWN_RULES if rules in (None, "datc") else extending(str(rules)), None
    text = rules.read_text(encoding="utf-8")
    board = _MAP.search(text)
    if board is None or not board[1].endswith(".yaml"):
        return text, None
    return _MAP.sub("", text), (rules.parent / board[1]).read_text(encoding="utf-8")


def _apart(state: LabState, position: dipsat.Position) -> LabState:
    """The state with a position and a sheet in place of orders in YAML."""
    return replace(state, orders=_sheet(state.orders), position=position_of(position))


def position_of(position: dipsat.Position) -> dict[str, Any]:
    """A position as in the state: without its map, which may be a file."""
    return {key: value for key, value in position.to_dict().items() if key != "map"}


def state_of_sheet(sheet: str, heading: str, shown: str = "") -> LabState | None:
    """The state for orders that a page shows as a sheet or in YAML; None if the text is neither, or
    needs a position that it does not state.

    Its rules are the ones that the page shows above it (`shown`), compared with `datc`, or the ones
    that the heading names: deviations of other programs, or choices of the DATC, compared with the
    second name.
    """
    is_apart = _has_position(sheet)
    if ":\n" not in sheet and not is_apart:
        return None
    state = _under(sheet, heading, shown)
    try:
        profile = dipsat.parse_profile(state.rules, "rules.yaml")
        phase = dipsat.parse_phase(sheet, "orders.yaml" if is_apart else "orders", rules=profile)
    except dipsat.DipsatError:
        return None
    if is_apart:
        return _apart(state, phase.position)
    return state if phase.orders else None


def _under(sheet: str, heading: str, shown: str) -> LabState:
    if shown:
        return LabState(shown, sheet, compare=("datc",))
    names = [name for name in _CODE.findall(heading) if _is_judge(name) or _are_rules(name)]
    if not names:
        return LabState(_OWN_RULES, sheet, compare=("datc",))
    first, *others = names
    if _is_judge(first):
        rules = f"extends: [{', '.join(_judged_by(first))}]\ntitle: As others judge\n"
        return LabState(rules, sheet, compare=("datc",))
    return LabState(extending(first), sheet, compare=tuple(map(laid_over, others)) or ("datc",))


def state_of_case(case: studies.Case) -> LabState:
    """The state for a case of the DATC, under the rules of its variant or the usual ones."""
    rules = f"extends: {case.rules}\ntitle: My rules\n" if case.rules else _OWN_RULES
    stated, board = position_of(case.position), case.position.map.name
    return LabState(rules, sheet_of(case.orders), board, stated, ("datc",))


def extending(name: str) -> str:
    """Rules that add nothing to shipped rules."""
    return f"extends: [{laid_over(name).replace('+', ', ')}]\ntitle: My rules\n"


def _is_judge(name: str) -> bool:
    return (_RULES / "judges" / f"{name}.yaml").exists()


def _judged_by(name: str) -> tuple[str, ...]:
    """The profiles to extend for another program's rulings: a whole one, or a deviation on top."""
    whole = "extends:" in (_RULES / "judges" / f"{name}.yaml").read_text(encoding="utf-8")
    return (f"judges/{name}",) if whole else ("judges/base", "datc", f"judges/{name}")


def _are_rules(name: str) -> bool:
    try:
        dipsat.load_profile(name)
    except dipsat.DipsatError:
        return False
    return True


def laid_over(name: str) -> str:
    """The expression for rules by name: choices are laid over `datc`, variants are whole."""
    is_choice = (_RULES / "choices" / f"{name}.yaml").exists()
    return f"datc+{name}" if is_choice else name


def _sheet(text: str) -> str:
    """The orders of a YAML file as a sheet, below the comment with which the file begins; empty
    without orders."""
    comment = re.match(r"(?:#.*\n)*", text)
    sheet = sheet_of(yaml.safe_load(text)["orders"])
    return f"{comment[0]}{sheet}" if comment and sheet else sheet


def sheet_of(orders: Mapping[str, Sequence[str]]) -> str:
    """Orders by power as a sheet; empty without orders."""
    if not any(orders.values()):
        return ""
    parts = [
        f"{power.title()}:\n" + "".join(f" {order}\n" for order in given)
        for power, given in orders.items()
    ]
    return "".join(parts)
