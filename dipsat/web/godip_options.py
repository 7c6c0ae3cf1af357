"""What may be ordered in a state, as the tree that godip's web service gives: nation -> province ->
type of an order -> its words one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from dipsat.board.province import province_of
from dipsat.game.phase_name import PhaseKind
from dipsat.game.position import Position
from dipsat.profiles.profile import Profile
from dipsat.web.godip_names import KINDS, Variant

_Tree = dict[str, dict[str, Any]]
_Step = tuple[str, str]
"""A word of an order, and what godip calls words of that sort."""
_UNIT_OF = {letter: name for name, letter in KINDS.items()}
_TYPES = {"H": "Hold", "S": "Support", "C": "Convoy", "D": "Disband"}


def options(variant: Variant, position: Position, rules: Profile) -> dict[str, _Tree]:
    """The orders of each nation."""
    from dipsat.play.game import Game

    found: dict[str, _Tree] = {variant.nations[power]: {} for power in variant.map.players}
    owners = {str(unit): unit.power for unit in position.units}
    owners |= {str(one.unit): one.unit.power for one in position.dislodged}
    owners |= {center: power for power, own in position.centers.items() for center in own}
    due = _due(position)
    for unit, orders in Game(position, rules).all_legal_orders().items():
        power = owners[unit]
        if power in variant.map.neutrals:
            continue
        tree = found[variant.nations[power]]
        for order in orders:
            for steps in _steps(variant, order.split()):
                _grow(tree, steps)
                if position.phase.kind is PhaseKind.ADJUSTMENT:
                    tree[steps[0][0]]["Filter"] = f"MAX:{steps[1][0]}:{abs(due[power])}"
    return found


def _due(position: Position) -> Counter[str]:
    """Power -> its builds, or as a negative number its disbands."""
    due = Counter({power: len(own) for power, own in position.centers.items()})
    due.subtract(unit.power for unit in position.units)
    return due


def _steps(variant: Variant, words: Sequence[str]) -> Iterator[tuple[_Step, ...]]:
    """The ways through the tree that an order is, none for one that godip does not know."""
    if len(words) < 3:
        return
    kind, location, verb, *rest = words
    code, places = variant.code(location), [word for word in rest if word not in ("-", "VIA")]
    at = (variant.code(province_of(location)), "Province")
    source = (code, "SrcProvince")
    match verb:
        case "H" | "D":
            yield at, (_TYPES[verb], "OrderType"), source
        case "-" | "R":
            target = (variant.code(places[0]), "Province")
            yield at, ("Move", "OrderType"), source, target
            if "VIA" in rest:
                yield at, ("MoveViaConvoy", "OrderType"), source, target
        case "S" | "C":
            _, aided, target_place = (*places, places[-1])[:3]
            aims = [(variant.code(province_of(one)), "Province") for one in (aided, target_place)]
            yield at, (_TYPES[verb], "OrderType"), source, *aims
        case "B":
            where = variant.code(province_of(location)) if kind == "A" else code
            built = (_UNIT_OF[kind], "UnitType"), (where, "SrcProvince")
            coasts = variant.map.provinces[province_of(location)].coasts
            tops = [f"{code}/{coast.lower()}" for coast in coasts] if kind == "A" else []
            for top in tops or [code]:
                yield (top, "Province"), ("Build", "OrderType"), *built


def _grow(tree: _Tree, steps: Sequence[_Step]) -> None:
    for word, sort in steps:
        tree = tree.setdefault(word, {"Type": sort, "Next": {}})["Next"]
