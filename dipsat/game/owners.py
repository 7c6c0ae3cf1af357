"""Who owns the supply centres, and of which the owner is unknown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from dipsat.board.map import Map
from dipsat.errors import PositionError
from dipsat.frozen import frozen
from dipsat.game.phase_name import PhaseName
from dipsat.grouped import grouped
from dipsat.kept import kept_on_first

Listed: TypeAlias = Mapping[str, Iterable[str]]
OWNERS = ("centers", "unknown_centers")
"""The keys of documents about who owns which supply centre."""
STATE_OWNERS = (
    "state the centres of every power under `centers`, or start the game from the map "
    "(`--position standard`) and go on with `--next`"
)
"""What to do where owners are unknown."""


class Owners(NamedTuple):
    """Power -> the centres that it owns, and the centres whose owner is unknown, all sorted. Nobody
    owns the others."""

    centers: Mapping[str, tuple[str, ...]]
    unknown: tuple[str, ...] = ()


def owners_stated(
    board: Map, phase: PhaseName, centers: Listed | None, unknown: Iterable[str] | None = None
) -> Owners:
    """The owners in a phase, from names in any notation.

    A statement without any centre says nothing, unless it says of which centres the owner is
    `unknown`, if only that there are none. Then the owners are the map's in its first phase, and
    unknown later.

    Raises `PositionError` for a province without a supply centre or with two owners, and name
    errors.
    """
    found = owners_listed(board, centers or {}, unknown or ())
    return found if found.centers or unknown is not None else _unstated(board, phase)


def are_assumed(owners: Owners, board: Map, phase: PhaseName) -> bool:
    """Whether these are the owners in a phase for which none are stated."""
    return owners == _unstated(board, phase)


def owners_listed(board: Map, centers: Listed, unknown: Iterable[str] = ()) -> Owners:
    """The owners from names in any notation: power -> its centres, and those whose owner is
    `unknown`. Raises as `owners_stated` does."""
    owner: dict[str, str] = {}
    for typed, texts in centers.items():
        power = board.names.power(typed)
        for text in texts:
            add_center(owner, board, power, _code(board, text), text)
    codes = set()
    for text in unknown:
        code = _code(board, text)
        if code in owner:
            problem = f"it is owned by {owner[code]}, so its owner is not unknown"
            raise PositionError(text, problem, "centre")
        _refuse_other(board, code, text)
        codes.add(code)
    return Owners(centers_by_power(owner), tuple(sorted(codes)))


def _code(board: Map, text: str) -> str:
    return text if text in board.provinces else board.names.province(text)


@kept_on_first(64)
def _unstated(board: Map, phase: PhaseName) -> Owners:
    first = PhaseName.parse(board.first_phase)
    if phase not in (first, first.or_moves()):
        return Owners(frozen({}), tuple(sorted(board.centers)))
    owner = {code: power.name for power in board.powers.values() for code in power.centers}
    return Owners(frozen(centers_by_power(owner)))


def add_center(owner: dict[str, str], board: Map, power: str, code: str, text: str) -> None:
    """Add the province `code` to the owned centres in `owner` (centre -> power); `text` names it
    in errors.

    Raises `PositionError` for a province without a supply centre or with another owner.
    """
    _refuse_other(board, code, text)
    if owner.setdefault(code, power) != power:
        raise PositionError(text, f"it is owned by {owner[code]} and by {power}", "centre")


def _refuse_other(board: Map, code: str, text: str) -> None:
    if not board.provinces[code].supply:
        raise PositionError(text, f"{board.provinces[code].name} is not a supply centre", "centre")


def centers_by_power(owner: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Power -> its centres, both sorted, from centre -> power."""
    found = grouped((owner[code], code) for code in sorted(owner))
    return {power: tuple(owned) for power, owned in sorted(found.items())}


def refuse_unknown(unknown: Sequence[str]) -> None:
    """Raise `PositionError` if there are centres whose owner is unknown."""
    if unknown:
        rest = len(unknown) - 1
        whose = f"its owner and those of {rest} more are" if rest else "its owner is"
        raise PositionError(unknown[0], f"{whose} unknown; {STATE_OWNERS}", "centre")
