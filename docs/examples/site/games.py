"""The games of a web site in a database. `dipsat serve` is their judge.

    python games.py tables     # makes the tables
    python games.py worker     # adjudicates every game at its deadline; start as many as you like

The environment names the database (DATABASE, by default a file of SQLite) and the judge (JUDGE).
"""

from __future__ import annotations

import json
import logging
import os
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from sqlalchemy import JSON, ForeignKey, create_engine, event, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

DATABASE = os.environ.get("DATABASE", "sqlite:///site.db")
JUDGE = os.environ.get("JUDGE", "http://127.0.0.1:8125")

engine = create_engine(DATABASE, pool_pre_ping=True)
if engine.dialect.name == "sqlite":  # It locks no rows: each transaction waits for the one before.

    @event.listens_for(engine, "connect")
    def _wait(connection: Any, _: Any) -> None:
        connection.isolation_level = None
        connection.execute("pragma busy_timeout = 30000")

    @event.listens_for(engine, "begin")
    def _lock(connection: Any) -> None:
        connection.exec_driver_sql("begin immediate")


class Table(DeclarativeBase):
    """What all tables have."""

    type_annotation_map = {dict[str, Any]: JSON, list[Any]: JSON}  # noqa: RUF012


class Game(Table):
    """A game: its board, and when its phase ends. A game that is over has no deadline."""

    __tablename__ = "games"
    id: Mapped[int] = mapped_column(primary_key=True)
    map: Mapped[str]
    rules: Mapped[str]
    position: Mapped[dict[str, Any]]  # as the judge takes it, with the name of the phase
    pace: Mapped[float]  # seconds for a phase
    deadline: Mapped[float | None] = mapped_column(index=True)
    winner: Mapped[str | None]


class Orders(Table):
    """The orders of a power for a phase."""

    __tablename__ = "orders"
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    phase: Mapped[str] = mapped_column(primary_key=True)
    power: Mapped[str] = mapped_column(primary_key=True)
    texts: Mapped[list[Any]]


class Phase(Table):
    """A phase that is over. Its key keeps a phase from being adjudicated twice."""

    __tablename__ = "phases"
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    phase: Mapped[str] = mapped_column(primary_key=True)
    position: Mapped[dict[str, Any]]  # before the orders
    results: Mapped[list[Any]]  # every order with its verdict and reason
    ended: Mapped[float]


class Refused(Exception):  # noqa: N818
    """What a player asks for is wrong, or comes too late."""


@contextmanager
def transaction() -> Iterator[Session]:
    """A transaction, which is undone if anything fails."""
    with Session(engine) as session, session.begin():
        yield session


def ask(kind: str, **members: Any) -> dict[str, Any]:
    """The answer of the judge. Raises `Refused` for a faulty request, `OSError` without one."""
    head = {"Content-Type": "application/json"}
    request = Request(f"{JUDGE}/api/{kind}", json.dumps(members).encode(), head)
    try:
        with urlopen(request, timeout=30) as reply:
            return json.load(reply)["answer"]
    except HTTPError as error:
        if error.code == 422:
            raise Refused(json.load(error)["error"]["message"]) from None
        raise


def judge(kind: str, game: Game, **members: Any) -> dict[str, Any]:
    """The answer of the judge about the board of a game."""
    return ask(kind, map=game.map, rules=game.rules, position=game.position, **members)


def begin(map: str, pace: float) -> int:
    """Begin a game on a map of dipsat, and return its number."""
    if not 1 <= pace <= 366 * 86_400:
        raise Refused("a phase takes from a second to a year")
    start = ask("maps", map=map)["start"]
    shipped = [one["short"] for one in ask("rules", what="list")["rules"]]
    variant = map.partition("+")[0]  # without the language of its names
    rules = variant if variant in shipped else "datc"
    deadline = time.time() + pace
    game = Game(map=map, rules=rules, position=start, pace=pace, deadline=deadline)
    with transaction() as session:
        session.add(game)
        session.flush()
        return game.id


def show(game_id: int) -> Game:
    """A game as it is now."""
    with Session(engine, expire_on_commit=False) as session:
        game = session.get(Game, game_id) if game_id < 2**31 else None  # PostgreSQL's largest
    if game is None:
        raise Refused(f"there is no game {game_id}")
    return game


def refuse_if_late(game: Game, phase: str) -> None:
    """Raise `Refused` if a game takes no orders for a phase now."""
    if game.position["phase"] != phase or not game.deadline or game.deadline <= time.time():
        raise Refused(f"{phase} is not the current phase, or its deadline has passed")


def submit(game_id: int, phase: str, power: str, texts: list[str]) -> dict[str, str]:
    """Keep the orders of a power, in place of earlier ones. Return the illegal ones with reasons.

    Which player may order for which power is the business of your site.
    """
    game = show(game_id)
    board = game.position
    refuse_if_late(game, phase)
    if power not in {*board["units"], *board["dislodged"], *board["centers"]}:
        raise Refused(f"there is no power {power}")  # Two spellings would be two rows.
    most = sum(len(board[what].get(power, ())) for what in ("units", "dislodged", "centers"))
    if len(texts) > most:  # The judge refuses a phase with too many.
        raise Refused(f"{power} can give at most {most} orders")
    found = judge("adjudicate", game, orders={power: texts})
    with transaction() as session:  # The lock waits for a worker that is adjudicating this game.
        game = session.get_one(Game, game_id, with_for_update=True)
        refuse_if_late(game, phase)
        session.merge(Orders(game_id=game_id, phase=phase, power=power, texts=texts))
    illegal = [one for one in found["orders"] if one["verdict"] == "illegal"]
    return {one["submitted"]: one["reason"]["text"] for one in illegal}


def adjudicate(game_id: int) -> None:
    """End the phase of a game whose deadline has passed, all in one transaction.

    Does nothing if another worker has the game, or has ended the phase meanwhile.
    """
    due = select(Game).where(Game.id == game_id, Game.deadline <= time.time())
    with transaction() as session:
        game = session.scalar(due.with_for_update(skip_locked=True))
        if game is None:
            return
        phase = game.position["phase"]
        given = session.scalars(select(Orders).filter_by(game_id=game_id, phase=phase))
        orders = {one.power: one.texts for one in given}
        answer = judge("adjudicate", game, orders=orders, lenient=True)
        if answer["next"] is None:
            raise Refused("the judge could not decide the phase within its limits")
        ended = {"results": answer["orders"], "position": game.position, "ended": time.time()}
        session.add(Phase(game_id=game_id, phase=phase, **ended))
        game.position, game.winner = answer["next"], answer["winner"]
        game.deadline = None if game.winner else time.time() + game.pace


def work() -> None:
    """Adjudicate games at their deadlines, for ever. What fails is tried again a second later."""
    while True:
        try:
            with Session(engine) as session:
                late = select(Game.id).where(Game.deadline <= time.time()).order_by(Game.deadline)
                due = session.scalars(late).all()
        except Exception as error:
            logging.warning("no database: %s", error)
            due = []
        for game_id in due:
            try:
                adjudicate(game_id)
            except Exception as error:  # The other games go on, whatever it is.
                logging.warning("game %s waits: %r", game_id, error)
        time.sleep(1)


if __name__ == "__main__":
    parser = ArgumentParser()
    parser.add_argument("task", choices=["tables", "worker"])
    if parser.parse_args().task == "tables":
        Table.metadata.create_all(engine)
    else:
        work()
