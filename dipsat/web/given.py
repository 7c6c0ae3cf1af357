"""What a request gives: rules, a map, a board with orders. Nothing but shipped files is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dipsat.board.load import DEFAULT_MAP, load_map, parse_map
from dipsat.board.map import Map
from dipsat.errors import ArgumentError, DipsatError, QuestionError
from dipsat.formats.phase_file import parse_apart
from dipsat.formats.text_sheet import OrderPlaces
from dipsat.game.open_position import OpenPosition
from dipsat.game.position import Position
from dipsat.game.submissions import PowerOrders
from dipsat.limits import TEXT_BYTES
from dipsat.profiles.demands import check_features
from dipsat.profiles.load import DEFAULT_RULES, load_profile, parse_profile, with_variant
from dipsat.profiles.profile import Profile
from dipsat.web.requests import Document, OnBoard, Rules

RULES_NAME, MAP_NAME, ORDERS_NAME, LINE_NAME = "rules.yaml", "map.yaml", "orders", "line.yaml"
"""How errors name documents without a name."""


@dataclass(frozen=True, slots=True)
class Given:
    """A board with orders and rules, and the faults that a lenient reader has met."""

    position: Position
    orders: Mapping[str, PowerOrders]
    rules: Profile
    open: tuple[str, ...] | None = None
    faults: tuple[DipsatError, ...] = ()
    anywhere: OpenPosition | None = None
    """The position of a search if it is open where units stand; then `position` is empty."""
    places: OrderPlaces = field(default_factory=dict)
    """Where the orders are in a sheet."""


def given_rules(
    rules: Rules, settings: Mapping[str, str] | None = None, variant: str | None = None
) -> Profile:
    """The rules of a request, with a variant laid over them and other values of settings. Raises
    the errors of `load_profile`."""
    if isinstance(rules, Document):
        TEXT_BYTES.check(len(rules.text), rules.name or RULES_NAME)
        profile = parse_profile(rules.text, rules.name or RULES_NAME)
    else:
        profile = load_profile(rules)
    played = with_variant(profile, variant or "")
    return load_profile(played, settings=settings)


def given_map(board: str | Document) -> Map:
    """The map of a request. Raises the errors of `load_map`."""
    if isinstance(board, Document):
        TEXT_BYTES.check(len(board.text), board.name or MAP_NAME)
        return parse_map(board.text, board.name or MAP_NAME)
    return load_map(board)


def given_board(
    request: OnBoard,
    rules: Profile | None = None,
    settings: Mapping[str, str] | None = None,
    searching: bool = False,
) -> Given:
    """The board and the orders of a request. Without `rules` they are those that an order sheet
    names, else the usual ones, with the `settings` laid over them. Only a search may leave open
    where units stand.

    Raises the errors of `dipsat.load_phase`, and `ArgumentError` for orders by power without a
    position.
    """
    board = None if request.map is None else given_map(request.map)
    orders = request.orders
    if request.position is None and not isinstance(orders, str):
        wanted = "an order sheet, a text, as there is no `position`"
        raise ArgumentError("request", "orders", orders, wanted)
    position = None
    if request.position is not None:
        chosen = rules or load_profile(DEFAULT_RULES, settings=settings)
        position = _position(request, board or load_map(chosen.map or DEFAULT_MAP), chosen)
        if not isinstance(orders, str) or not orders.strip():
            return Given(position, orders if isinstance(orders, Mapping) else {}, chosen)
        rules = chosen
    assert isinstance(orders, str)
    TEXT_BYTES.check(len(orders), ORDERS_NAME)
    phase = parse_apart(
        (orders, ORDERS_NAME), position, None if position is not None else request.phase, board,
        rules, True, settings, request.lenient,
    )  # fmt: skip
    if phase.anywhere is not None and not searching:
        raise QuestionError(
            "only a search takes units that may stand anywhere; state where they stand"
        )
    played = rules or phase.rules or load_profile(DEFAULT_RULES)
    return Given(
        phase.position, phase.orders, played, phase.open, phase.faults, phase.anywhere, phase.places
    )


def _position(request: OnBoard, board: Map, rules: Profile) -> Position:
    stated: dict[str, Any] = {"phase": request.phase or board.first_phase}
    stated |= request.position or {}
    if request.phase is not None and stated["phase"] != request.phase:
        wanted = f"that of the position, {stated['phase']!r}, or left out"
        raise ArgumentError("request", "phase", request.phase, wanted)
    check_features(rules, board)
    return Position.from_dict(stated, board, rules)
