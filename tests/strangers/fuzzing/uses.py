"""What is done with whatever a reader accepts: adjudicate, prove, explain, search and save it.

Each use raises a `DipsatError`, or `UntrueError` if two answers that must agree do not.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import dipsat
from dipsat.board import Map
from dipsat.draw import results_mail
from dipsat.engines import ENGINES, TRACED
from dipsat.errors import GameError, OrderWriteError
from dipsat.formats import status_of
from dipsat.game import PhaseKind, Position
from dipsat.orders import reader_for
from dipsat.outcomes import MovementOutcome, Outcome
from dipsat.rules import Profile
from dipsat.studies.random_boards import trial_board
from tests.made_games import random_orders

SHORT = dipsat.Limits(seconds=0.3)
"""Enough for a question that is worth asking."""
_PROFILES = ("datc", "rulebooks/1982", "datc-3", "choices/4.A.2-2000", "judges/vain-via-over-land")
_GOALS = ("any(move(m) for m in Move)", "sum(1 for u in Unit if dislodge(u)) > 1", "true")
_PARADOXES = (None, "none", "several", "circular movement")

Orders = Mapping[str, Any]
Use = Callable[[Position, Orders, Profile, random.Random], object]


class UntrueError(Exception):
    """Two answers contradict each other."""


def use_phase(position: Position, orders: Orders, rules: Profile, rng: random.Random) -> Outcome:
    """Adjudicate a phase, read everything about it, and do one more thing with it."""
    outcome = dipsat.adjudicate(position, orders, rules)
    outcome.to_dict()
    for order in rng.sample(outcome.orders, min(2, len(outcome.orders))):
        dipsat.explain(outcome, order.unit).to_dict()
    if position != Position.from_dict(position.to_dict(), position.map, rules):
        raise UntrueError("a position is another one after to_dict and from_dict")
    rng.choice(_USES)(position, orders, rules, rng)
    use_next(outcome, rules, rng)
    return outcome


def use_next(outcome: Outcome, rules: Profile, rng: random.Random) -> None:
    """Adjudicate the following phase, without orders and with random ones."""
    following = outcome.next
    dipsat.adjudicate(following, {}, rules).to_dict()
    dipsat.adjudicate(following, legal_orders(following, rules, rng), rules).to_dict()


def legal_orders(position: Position, rules: Profile, rng: random.Random) -> dict[str, list[str]]:
    """A random legal order for everything that can be ordered."""
    return random_orders(dipsat.Game(position, rules).all_legal_orders(), rng)


def use_profile(rules: Profile, rng: random.Random) -> None:
    """Adjudicate boards made for the rules, on their map."""
    board = dipsat.load_map(rules.map or "standard")
    for _ in range(2):
        sheet = trial_board(rules, board, rng.randrange(30), rng.choice((4, 12, 27)))
        use_phase(sheet.position().with_words(rules.words), sheet.orders, rules, rng)


def use_map(board: Map, rng: random.Random) -> None:
    """Adjudicate its first position, and boards on it."""
    rules = dipsat.load_profile("datc")
    start = Position.start(board)
    use_phase(start, legal_orders(start, rules, rng), rules, rng)
    sheet = trial_board(rules, board, rng.randrange(30), rng.choice((4, 12, 27)))
    position = Position.from_units(sheet.units, board, sheet.phase or None)
    use_phase(position, sheet.orders, rules, rng)


def use_game(game: dipsat.Game, rng: random.Random) -> None:
    """Look at all its phases, play on, and save and load it in every format."""
    shown = game.to_dict()
    if dipsat.Game.from_dict(shown).to_dict() != shown:
        raise UntrueError("a game is another one after to_dict and from_dict")
    for turn in game.history[:20]:
        turn.outcome.to_dict()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / rng.choice(("game.json", "game.yaml", "game.jsonl", "game.txt"))
        format = rng.choice((None, None, None, "judge", "daide"))
        with suppress(GameError):  # not every game can be written in every format
            game.save(path, format)
            again = dipsat.Game.load(path)
            if format is None and path.suffix in (".json", ".yaml") and again.to_dict() != shown:
                raise UntrueError("a game is another one after it was saved and loaded")
    other = game.copy()
    if not other.is_over:
        other.submit(legal_orders(other.position, other.profile, rng))
        other.advance().to_dict()
        str(status_of(other))
        results_mail(other.results())
        other.undo()
        if other.position != game.position:
            raise UntrueError("undo does not lead back")


def _prove(position: Position, orders: Orders, rules: Profile, rng: random.Random) -> None:
    proof = dipsat.prove(position, orders, rules, limits=rng.choice((dipsat.Limits(), SHORT)))
    proof.to_dict()
    if rng.random() < 0.3:
        proof.smt2()


def _solve_all(position: Position, orders: Orders, rules: Profile, _: random.Random) -> None:
    """Compare the solver's answer with and without propagation."""
    first = dipsat.adjudicate(position, orders, rules)
    second = dipsat.adjudicate(position, orders, rules, presolve=False)
    if not isinstance(first, MovementOutcome) or not isinstance(second, MovementOutcome):
        return
    values = [one.decisions.values() for one in (first, second)]
    if None in values[0] or None in values[1]:
        return
    if first.decisions != second.decisions:
        raise UntrueError("the solver decides something else without propagation")


def _judge_in_little(
    position: Position, orders: Orders, rules: Profile, rng: random.Random
) -> None:
    """Judge with few steps or little time: every verdict is unknown, or the one without limits."""
    work, seconds = rng.choice((None, 1, 2000)), rng.choice((None, 0.001, 0.05))
    whole = dipsat.adjudicate(position, orders, rules)
    part = dipsat.adjudicate(
        position, orders, rules, limits=dipsat.Limits(work=work, seconds=seconds)
    )
    part.to_dict()
    for one, other in zip(whole.orders, part.orders, strict=True):
        if other.verdict not in ("unknown", one.verdict):
            raise UntrueError(f"{one.unit}: {one.verdict}, but with limits {other.verdict}")


def _ask_engine(position: Position, orders: Orders, rules: Profile, rng: random.Random) -> None:
    engine = rng.choice(sorted(ENGINES))
    trace = engine in TRACED and rng.random() < 0.5
    dipsat.adjudicate(position, orders, rules, engine=engine, trace=trace).to_dict()


def _explain_more(position: Position, orders: Orders, rules: Profile, rng: random.Random) -> None:
    outcome = dipsat.adjudicate(position, orders, rules)
    if outcome.orders:
        unit = rng.choice(outcome.orders).unit
        core = rng.random() < 0.5
        dipsat.explain(outcome, unit, core=core, change=not core, limits=SHORT).to_dict()


def _search(position: Position, orders: Orders, rules: Profile, rng: random.Random) -> None:
    """Ask about all orders of a few units."""
    units = rng.sample(position.units, min(4, len(position.units)))
    power = rng.choice([unit.power for unit in units] or ["FRANCE"])
    questions: list[dipsat.Question] = [
        dipsat.Paradox(rng.choice(_PARADOXES)),
        dipsat.Differ(rng.choice(_PROFILES)),
        dipsat.Achieve(rng.choice(_GOALS)),
        dipsat.Guarantee(rng.choice(_GOALS), power),
    ]
    dipsat.search(
        position, rng.choice(questions), orders, open=[unit.province for unit in units],
        rules=rules, limits=SHORT,
    ).to_dict()  # fmt: skip


def _compare(position: Position, orders: Orders, rules: Profile, rng: random.Random) -> None:
    dipsat.compare(position, orders, [rules, rng.choice(_PROFILES)]).to_dict()


def _write_orders(position: Position, orders: Orders, rules: Profile, _: random.Random) -> None:
    """Write every order in every notation, and read the first one again."""
    reader = reader_for(position.map, rules.words)
    for texts in orders.values():
        for text in (one for one in texts if isinstance(one, str)):
            order = reader.read(text)
            for notation in dipsat.NOTATIONS:
                with suppress(OrderWriteError):
                    dipsat.write_order(order, position.map, notation, power="FRANCE")
            written = dipsat.write_order(order, position.map, "datc")
            if dipsat.write_order(reader.read(written), position.map, "datc") != written:
                raise UntrueError(f"{written!r} is another order after it was written and read")


def _list_legal(position: Position, _: Orders, rules: Profile, rng: random.Random) -> None:
    orders = legal_orders(position, rules, rng)
    if position.phase.kind is PhaseKind.ADJUSTMENT:  # all of them may be more than are allowed
        orders = {power: texts[:1] for power, texts in orders.items()}
    outcome = dipsat.adjudicate(position, orders, rules)
    bad = [one.submitted for one in outcome.orders if one.submitted and one.verdict == "illegal"]
    if bad and not rules.legal and rules.settings.nationality_missing != "illegal":
        raise UntrueError(f"an order listed as legal is illegal: {bad[0]}")


_USES: tuple[Use, ...] = (
    _prove, _solve_all, _judge_in_little, _ask_engine, _explain_more, _search, _compare,
    _write_orders, _list_legal,
)  # fmt: skip
