"""Writes lines as files that `dipsat search hold` reads (docs/holding-lines.md)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dipsat.board.load import is_shipped
from dipsat.documents import name_from
from dipsat.errors.arguments import checked
from dipsat.lines.line import LineEnemy, StalemateLine, sides_of
from dipsat.lines.plan import PlanState
from dipsat.profiles.load import DEFAULT_RULES
from dipsat.profiles.names import name_in_files


@checked
def write_line(line: StalemateLine, folder: str | Path = ".") -> str:
    """Return a line as YAML that `dipsat.hold_line` and `dipsat search hold` read. Open units hold.

    The file states maps and rules of your own by their paths, as seen from the `folder` in which it
    is to stand.
    """
    import yaml  # needed only for saving

    return yaml.safe_dump(
        _stated(line, Path(folder)), sort_keys=False, default_flow_style=None, width=100
    )


def _stated(line: StalemateLine, folder: Path) -> dict[str, Any]:
    """What the file states, as plain values."""
    board, rules = line.map, name_in_files(line.rules.path)
    found: dict[str, Any] = {
        "map": board.name if is_shipped(board) else name_from(folder, board.path),
        "rules": "+".join(name_from(folder, one) for one in rules.split("+")),
        "power": line.power,
    }
    if found["rules"] == DEFAULT_RULES:
        del found["rules"]
    if line.plan:
        found["states"] = [_state(one, line) for one in line.plan]
        found["outposts"] = sorted(line.outposts)
    else:
        texts = line.order_texts(line.supports)
        found["units"] = [str(unit) for unit in line.units]
        found["orders"] = [text for text in texts if not text.endswith(" H")]
    found["behind"] = sorted(line.closed if line.plan else line.region)
    found["enemy"] = _enemy(line, line.enemy)
    return {key: value for key, value in found.items() if value or key == "behind"}


def _state(state: PlanState, line: StalemateLine) -> dict[str, list[str]]:
    stated = {
        "units": [str(unit) for unit in state.units],
        "orders": list(state.texts(line.map)),
        "retreats": list(state.retreat_texts(line.map)),
    }
    return {key: value for key, value in stated.items() if value}


def _enemy(line: StalemateLine, enemy: LineEnemy) -> dict[str, Any]:
    """What is known about the enemy, without what is true of any."""
    anybody = sides_of(line.map, line.power, ())[1]
    stated = {
        "powers": [] if {*enemy.powers} == {*anybody} else list(enemy.powers),
        "fleets_not_in": sorted(enemy.fleets_not_in),
        "armies_not_in": sorted(enemy.armies_not_in),
        "units": enemy.units,
    }
    return {key: value for key, value in stated.items() if value not in ([], None)}
