"""Links that open orders and rules in the rule lab, with the whole state after the `#`."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import yaml

import dipsat

_OWN_RULES = "extends: datc\ntitle: My rules\n"
"""What the lab begins with, too."""
_MAP = re.compile(r"^map: *(\S+)\n", re.MULTILINE)
_BOTH = "Under datc:"
"""What the comment above orders has, if `datc` has results for them."""


@dataclass(frozen=True, slots=True)
class LabState:
    """The state of the lab's page, as lab/src/link.mjs reads it."""

    rules: str
    orders: str
    map: str | None = None
    """The name of a shipped map, or the text of another."""
    position: Mapping[str, Any] | None = None
    compare: tuple[str, ...] = ()

    @property
    def fragment(self) -> str:
        """What stands after the `#` of a link: JSON, deflated without a header, in base64url."""
        packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
        data = packer.compress(json.dumps(asdict(self)).encode()) + packer.flush()
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unpacked(fragment: str) -> Mapping[str, Any]:
    """The JSON object that a fragment holds."""
    data = base64.urlsafe_b64decode(fragment + "=" * (-len(fragment) % 4))
    found = json.loads(zlib.decompress(data, -zlib.MAX_WBITS))
    assert isinstance(found, dict)
    return found


def is_order_file(path: Path) -> bool:
    """Whether a file has orders that the lab can show: a sheet, or YAML with orders by power for
    the rules that the lab is given."""
    if path.suffix == ".txt":
        return True
    top = yaml.safe_load(path.read_text(encoding="utf-8")) if path.suffix == ".yaml" else None
    if not isinstance(top, dict) or not isinstance(top.get("orders"), dict):
        return False
    return top.keys() <= {"map", "phase", "units", "centers", "dislodged", "orders"}


def rules_beside(orders: Path) -> Path | None:
    """The rules that orders are an example of: the file of the same name, None if there is none."""
    path = orders.with_name(f"{orders.name.partition('.')[0]}.yaml")
    return path if path != orders and path.exists() else None


def state_of(orders: Path, rules: Path | None) -> LabState:
    """The state in which the lab shows the orders of a file, under the rules of another."""
    text = orders.read_text(encoding="utf-8")
    written = _OWN_RULES if rules is None else rules.read_text(encoding="utf-8")
    board = _MAP.search(written)
    named = board[1] if board else None
    if rules is not None and named is not None and named.endswith(".yaml"):
        # The lab reads no files: the text of the map is a part of the state.
        named = (rules.parent / named).read_text(encoding="utf-8")
        written = _MAP.sub("", written)
    else:
        named = None  # the rules say it
    compare = ("datc",) if _BOTH in text or rules is None else ()
    if orders.suffix == ".txt":
        return LabState(written, text, named, compare=compare)
    phase = dipsat.load_phase(orders, rules=rules or "datc")
    position = {key: value for key, value in phase.position.to_dict().items() if key != "map"}
    return LabState(written, _sheet(text), named, position, compare)


def _sheet(text: str) -> str:
    """The orders of a YAML file as a sheet, below the comment that begins the file; empty if there
    are none."""
    given: dict[str, list[str]] = yaml.safe_load(text)["orders"]
    if not any(given.values()):
        return ""
    comment = re.match(r"(?:#.*\n)*", text)
    parts = [
        f"{power.title()}:\n" + "".join(f" {one}\n" for one in own) for power, own in given.items()
    ]
    return f"{comment[0] if comment else ''}{''.join(parts)}"
