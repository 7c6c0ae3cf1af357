"""The answer about a saved game: its phases, and where rules judge otherwise than its record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dipsat.errors import ArgumentError, DipsatError
from dipsat.limits import GAME_BYTES
from dipsat.profiles.load import DEFAULT_RULES, load_profile
from dipsat.web.given import given_map, given_rules
from dipsat.web.requests import Replay

if TYPE_CHECKING:  # most requests are not about games
    from dipsat.board.map import Map
    from dipsat.formats.records import RecordedGame, RecordedState
    from dipsat.orders.verbs import Words
    from dipsat.surveys.replay import DifferingPhase, ReplayedPhase

GAME_NAME = "game"
"""How errors name a game without a name."""
_MOST_PHASES = 200  # of one answer: the longest known game has 150


def replayed(request: Replay) -> dict[str, Any]:
    """The phases of a saved game, judged again."""
    from dipsat.profiles.profile import check_features
    from dipsat.surveys.replay import replayed_phases

    _check("offset", request.offset, 0, None)
    _check("limit", request.limit, 0, _MOST_PHASES)
    board = None if request.map is None else given_map(request.map)
    game, count, is_played = _game(request, board)
    if request.rules is None:
        named = game.rules or DEFAULT_RULES
        rules = load_profile(named, settings=request.settings)
    else:
        rules = given_rules(request.rules, request.settings)
    check_features(rules, game.board)
    phases = replayed_phases(game, rules, request.offset, request.limit, causes=request.causes)
    return {
        "name": game.name,
        "map": game.board.name,
        "rules": rules.name,
        "named": game.rules,
        "games": count,
        "played": is_played,
        "count": len(game.phases) + len(game.unread),
        "phases": [
            {"number": number, **_phase(one, rules.words), **_picture(one, request)}
            for number, one in enumerate(phases, request.offset + 1)
        ],
    }


def _check(name: str, value: int, least: int, most: int | None) -> None:
    if value < least or (most is not None and value > most):
        wanted = f"a whole number from {least}" + ("" if most is None else f" to {most}")
        raise ArgumentError("replay", name, value, wanted)


def _game(request: Replay, board: Map | None) -> tuple[RecordedGame, int, bool]:
    """The game that is asked for, the number of games in the text, and whether the boards are
    dipsat's because the text has only orders."""
    from dipsat.formats.game_files import game_texts_in
    from dipsat.formats.games import parse_games
    from dipsat.formats.text_sheet import Transcript
    from dipsat.play.files import played

    name = request.name or GAME_NAME
    GAME_BYTES.check(len(request.game), name)
    texts = game_texts_in(request.game, name)
    is_several = len(texts) > 1
    if is_several:
        _check("number", request.number, 1, len(texts))
    text = texts[request.number - 1 if is_several else 0]
    if isinstance(text, DipsatError):
        raise text
    games = parse_games(text, board, skip_faults=True)
    if not is_several:
        _check("number", request.number, 1, len(games))
    game = games[0 if is_several else request.number - 1]
    count = len(texts) if is_several else len(games)
    if isinstance(game, Transcript):
        return played(game, name), count, True
    return game, count, False


def _phase(one: ReplayedPhase, words: Words) -> dict[str, Any]:
    """A phase as plain values."""
    from dipsat.surveys.replay import DifferingPhase, ReplaySkipped

    differs = one.found if isinstance(one.found, DifferingPhase) else None
    skipped = one.found if isinstance(one.found, ReplaySkipped) else None
    orders = {} if one.record is None else one.record.orders
    after = None if one.record is None else one.record.after
    return {
        "phase": one.name,
        "title": one.name if one.position is None else one.position.phase.title(words),
        "position": None if one.position is None else one.position.to_dict(),
        "orders": {power: list(own) for power, own in orders.items() if own},
        "after": None if after is None else _state(after),
        "status": "differs" if differs else "skipped" if skipped else "agrees",
        "theirs": dict(differs.theirs) if differs else {},
        "ours": dict(differs.ours) if differs else {},
        "text": _in_words(differs) if differs else None,
        "cause": (differs.cause or None) if differs else None,
        "reason": skipped.reason if skipped else None,
    }


def _in_words(differs: DifferingPhase) -> dict[str, str]:
    from dipsat.surveys.results import side_in_words

    return {"theirs": side_in_words(differs.theirs), "ours": side_in_words(differs.ours)}


def _state(state: RecordedState) -> dict[str, Any]:
    """A recorded board as plain values; `phase` is None if the game is over, `centers` is None if
    the record does not say who owns them."""
    from dipsat.game.position import by_power

    centers = state.centers
    return {
        "phase": None if state.phase is None else str(state.phase),
        "units": by_power(state.units),
        "dislodged": by_power(state.dislodged),
        "centers": None if centers is None else {at: list(own) for at, own in centers.items()},
        **({"unknown_centers": list(state.unknown)} if state.unknown else {}),
    }


def _picture(one: ReplayedPhase, request: Replay) -> dict[str, Any]:
    """A picture of a phase that differs, if it is asked for."""
    from dipsat.surveys.replay import DifferingPhase

    if not request.picture or not isinstance(one.found, DifferingPhase):
        return {}
    from dipsat import svg

    return {"svg": str(svg.replay(one.found, dark=request.dark))}
