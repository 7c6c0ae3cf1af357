"""`dipsat serve` as the judge of the web site in docs/examples/site: whatever is killed, no order
that was confirmed to a player is lost, and no phase is adjudicated twice."""

from __future__ import annotations

import http.client
import json
import os
import random
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any, TypeAlias

import pytest

import dipsat
from tests.app.served import JSON, SECONDS, started, waited_for
from tests.checkout import ROOT
from tests.exhaustive import exhaustive
from tests.pages import page

sqlalchemy = pytest.importorskip("sqlalchemy", reason="the extra `serve-test` is not installed")
for needed in ("pg8000", "starlette", "uvicorn"):
    pytest.importorskip(needed, reason="the extra `serve-test` is not installed")
if sys.platform == "win32":
    pytest.skip("the server is stopped by signals of Unix", allow_module_level=True)

pytestmark = [
    pytest.mark.extra,
    # pg8000 leaves a socket open if the database dies while it connects.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

SITE = ROOT / "docs" / "examples" / "site"
TOOLS = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)
GAMES = (sys.executable, "games.py")
DAY = 86_400
Sent: TypeAlias = dict[tuple[int, str, str], list[str]]
"""Game, phase and power -> the orders that the site confirmed."""


@dataclass(frozen=True)
class Database:
    """A database: its address, and a function that restarts it as after a crash."""

    address: str
    restart: Callable[[], None]

    def rows(self, table: str) -> list[dict[str, Any]]:
        """The rows of a table."""
        engine = self._engine()
        found = sqlalchemy.Table(table, sqlalchemy.MetaData(), autoload_with=engine)
        with engine.connect() as connection:
            return [dict(row._mapping) for row in connection.execute(sqlalchemy.select(found))]

    def end_phase(self, game: int) -> bool:
        """Let the deadline of a game pass, and return whether the database is up."""
        try:
            self.change("update games set deadline = 1 where id = :id", game)
        except (OSError, sqlalchemy.exc.SQLAlchemyError):
            return False
        return True

    def change(self, statement: str, game: int) -> None:
        """Change the row of a game."""
        with self._engine().begin() as connection:
            connection.execute(sqlalchemy.text(statement), {"id": game})

    def is_locked(self, game: int) -> bool:
        """Whether another transaction has locked a game."""
        is_file = self.address.startswith("sqlite")
        ask = "update games set map = map" if is_file else "select id from games"
        skip = "" if is_file else " for update skip locked"
        request = sqlalchemy.text(f"{ask} where id = :id{skip}")
        try:
            with self._engine(wait=0).begin() as connection:
                found = connection.execute(request, {"id": game})
                return not is_file and not found.all()
        except sqlalchemy.exc.OperationalError:
            return True

    def _engine(self, wait: float = SECONDS) -> Any:
        is_file = self.address.startswith("sqlite")
        arguments = {"timeout": wait} if is_file else {}
        pool = sqlalchemy.pool.NullPool
        return sqlalchemy.create_engine(self.address, connect_args=arguments, poolclass=pool)


@contextmanager
def postgres() -> Iterator[Database]:
    """A PostgreSQL server of our own, on a socket in a temporary folder."""
    if TOOLS is None:
        pytest.skip("PostgreSQL is not installed")
    tools, user = TOOLS, ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    folder = tempfile.mkdtemp(prefix="dipsat-")  # a short path, as sockets need

    def run(tool: str, *options: str) -> None:
        command = [*user, str(tools / tool), "-D", f"{folder}/data", *options]
        with Path(folder, "log").open("a") as log:
            subprocess.run(command, stdout=log, stderr=log, check=True, timeout=SECONDS, cwd="/")

    def restart() -> None:
        run("pg_ctl", "stop", "-m", "immediate")
        run("pg_ctl", "start", "-w", "-o", f"-k {folder} -h ''")

    if user:
        shutil.chown(folder, "postgres")
    try:
        run("initdb", "--no-sync", "-A", "trust", "-U", "site", "-E", "UTF8")
        run("pg_ctl", "start", "-w", "-o", f"-k {folder} -h ''")
        place = f"{folder}/.s.PGSQL.5432"
        yield Database(f"postgresql+pg8000://site@/postgres?unix_sock={place}", restart)
    finally:
        with suppress(subprocess.SubprocessError):
            run("pg_ctl", "stop", "-m", "immediate")
        shutil.rmtree(folder)


@contextmanager
def sqlite() -> Iterator[Database]:
    """An SQLite file, which is never down."""
    with tempfile.TemporaryDirectory() as folder:
        yield Database(f"sqlite:///{folder}/site.db", lambda: None)


class Site:
    """The site with its judge and its workers, each of which can be killed and started again."""

    def __init__(self, database: Database, stack: ExitStack) -> None:
        self.database, self._stack = database, stack
        with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("", 0)) as other:
            self.port, self.judge_port = one.getsockname()[1], other.getsockname()[1]
        judge = f"http://127.0.0.1:{self.judge_port}"
        self._environment = {**os.environ, "DATABASE": database.address, "JUDGE": judge}
        subprocess.run([*GAMES, "tables"], cwd=SITE, env=self._environment, check=True)
        self.workers: list[subprocess.Popen[bytes]] = []
        self.start_judge()
        self.start_pages()

    def start_judge(self) -> None:
        """Start `dipsat serve`, at the same address as before."""
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory()))
        options = ("--port", str(self.judge_port), "--workers", "3")
        self.judge = self._stack.enter_context(started(folder / "log", *options)).process

    def start_pages(self) -> None:
        """Start the program that answers the players."""
        command = [sys.executable, "-m", "uvicorn", "web:app", "--port", str(self.port)]
        self.pages = self._run([*command, "--log-level", "error"])
        waited_for(lambda: self.asked("GET", "/games/0"))

    def start_worker(self) -> None:
        """Start one more program that adjudicates."""
        self.workers.append(self._run([*GAMES, "worker"]))

    def replace(self, victim: str) -> None:
        """Kill one of the four programs and start it again."""
        if victim == "worker":
            kill(self.workers.pop(0))
            self.start_worker()
        elif victim == "judge":
            kill(self.judge)
            self.start_judge()
        elif victim == "pages":
            kill(self.pages)
            self.start_pages()
        else:
            self.database.restart()

    def asked(self, method: str, path: str, body: Any = None) -> tuple[int, Any] | None:
        """The site's status and answer; None while something that it needs is down."""
        link = http.client.HTTPConnection("127.0.0.1", self.port, SECONDS)
        with closing(link), suppress(OSError, http.client.HTTPException):
            link.request(method, path, None if body is None else json.dumps(body), JSON)
            reply = link.getresponse()
            text = reply.read().decode()
            if reply.status < 500:
                return reply.status, text if text.startswith("<") else json.loads(text)
        return None

    def begin(self, board: str = "standard") -> int:
        """The number of a new game."""
        body = {"map": board, "pace": DAY}
        status, answer = waited_for(lambda: self.asked("POST", "/games", body))
        assert status == 201, answer
        return int(answer["game"])

    def submit(self, game: int, phase: str, power: str, orders: list[str]) -> None:
        """Send the orders of a power until the site confirms them."""
        body = {"phase": phase, "power": power, "orders": orders}
        found = waited_for(lambda: self.asked("POST", f"/games/{game}/orders", body), 0.2)
        assert found == (200, {"illegal": {}}), found

    def position(self, game: int) -> dict[str, Any]:
        """The position of a game."""
        status, answer = waited_for(lambda: self.asked("GET", f"/games/{game}"), 0.2)
        assert status == 200, answer
        found: dict[str, Any] = answer["position"]
        return found

    def wait_for_next(self, game: int, phase: str) -> None:
        """Wait until a phase is adjudicated."""
        waited_for(lambda: self.position(game)["phase"] != phase, 1)

    def _run(self, command: list[str]) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            command, cwd=SITE, env=self._environment, stderr=subprocess.DEVNULL
        )
        self._stack.callback(kill, process)
        return process


def kill(process: subprocess.Popen[bytes]) -> None:
    """End a process as `kill -9` does."""
    process.kill()
    process.wait(SECONDS)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def site(request: pytest.FixtureRequest) -> Iterator[Site]:
    """The site on a database of each kind."""
    with ExitStack() as stack:
        kind = {"sqlite": sqlite, "postgresql": postgres}[request.param]
        yield Site(stack.enter_context(kind()), stack)


@pytest.fixture
def workers(site: Site) -> Iterator[None]:
    """Two workers for a test."""
    site.start_worker()
    site.start_worker()
    yield
    while site.workers:
        kill(site.workers.pop())


def some_orders(position: dict[str, Any], chance: random.Random) -> dict[str, list[str]]:
    """Random legal orders: power -> its orders."""
    legal = dipsat.answer({"request": "legal-orders", "position": position})["answer"]["units"]
    orders = {}
    for power in sorted(position["centers"]):
        units, centers = position["units"].get(power, []), position["centers"][power]
        due = len(legal)
        if position["phase"].endswith("A"):
            due = abs(len(centers) - len(units))
        elif position["phase"].endswith("R"):
            units = position["dislodged"].get(power, [])
        own = [one for one in legal if one in units or one in centers]
        if own:
            orders[power] = [chance.choice(legal[one]) for one in own[:due]]
    return orders


def play(site: Site, game: int, year: str, sent: Sent, ended: list[int]) -> None:
    """Play a game until a year."""
    chance = random.Random(game)
    while (position := site.position(game))["phase"][1:5] < year:
        phase = position["phase"]
        for power, orders in some_orders(position, chance).items():
            site.submit(game, phase, power, orders)
            sent[game, phase, power] = orders
        waited_for(lambda: site.database.end_phase(game), 0.2)
        site.wait_for_next(game, phase)
        ended.append(game)


def assert_judged_once(site: Site, sent: Sent, games: Iterable[int]) -> int:
    """Check that each game follows from the orders that were sent, and count their phases."""
    phases = [row for row in site.database.rows("phases") if row["game_id"] in games]
    phases.sort(key=lambda row: row["ended"])
    kept = {
        (row["game_id"], row["phase"], row["power"]): row["texts"]
        for row in site.database.rows("orders")
    }
    assert {key: kept.get(key) for key in sent} == sent
    now = {row["id"]: row["position"] for row in site.database.rows("games")}
    positions = {game: dipsat.Position.start() for game in games}
    for row in phases:
        game, position = row["game_id"], positions[row["game_id"]]
        assert row["phase"] == str(position.phase)
        orders = {key[2]: texts for key, texts in sent.items() if key[:2] == (game, row["phase"])}
        outcome = dipsat.adjudicate(position, orders)
        assert row["results"] == outcome.to_dict()["orders"]
        positions[game] = outcome.next
    assert {game: one.to_dict() for game, one in positions.items()} == {
        game: now[game] for game in games
    }
    return len(phases)


@pytest.mark.parametrize("victim", ["worker", "judge", "database"])
def test_a_crash_during_an_adjudication_costs_nothing(
    site: Site, workers: None, victim: str
) -> None:
    game, orders = site.begin(), ["A PAR - BUR", "A MAR S A PAR - BUR"]
    site.submit(game, "S1901M", "FRANCE", orders)
    site.judge.send_signal(signal.SIGSTOP)
    site.database.end_phase(game)
    waited_for(lambda: site.database.is_locked(game))
    assert not [row for row in site.database.rows("phases") if row["game_id"] == game]
    for _ in site.workers if victim == "worker" else (1,):
        site.replace(victim)
    site.judge.send_signal(signal.SIGCONT)
    site.wait_for_next(game, "S1901M")
    assert assert_judged_once(site, {(game, "S1901M", "FRANCE"): orders}, {game}) == 1


@pytest.mark.usefixtures("workers")
@pytest.mark.parametrize(
    ("count", "year"), [(5, "1902"), pytest.param(50, "1904", marks=exhaustive)]
)
def test_games_go_on_whatever_is_killed(site: Site, count: int, year: str) -> None:
    sent: Sent = {}
    ended: list[int] = []
    games = {site.begin() for _ in range(count)}
    victims = cycle(["worker", "judge", "database", "pages"])
    with ThreadPoolExecutor(count) as threads:
        tasks = [threads.submit(play, site, game, year, sent, ended) for game in games]
        while not all(task.done() for task in tasks):
            site.replace(next(victims))
            until = len(ended) + count / 2
            while len(ended) < until and not all(task.done() for task in tasks):
                time.sleep(0.05)
    for task in tasks:
        task.result()
    assert assert_judged_once(site, sent, games) == len(ended)


def test_late_and_faulty_orders_are_refused(site: Site) -> None:
    game = site.begin()
    body = {"phase": "S1901M", "power": "FRANCE", "orders": ["A PAR - MOS", "A MAR H"]}
    path = f"/games/{game}/orders"
    status, answer = site.asked("POST", path, body) or (0, {})
    assert status == 200
    assert list(answer["illegal"]) == ["A PAR - MOS"]
    for change, word in (
        ({"orders": ["A XYZ H"]}, "XYZ"),
        ({"orders": ["A PAR H"] * 500}, "at most 6"),  # The judge takes 2,690 in all.
        ({"power": "SPAIN"}, "SPAIN"),
        ({"power": "France"}, "France"),
        ({"phase": "F1901M"}, "F1901M"),
    ):
        status, answer = site.asked("POST", path, {**body, **change}) or (0, {})
        assert status == 409, change
        assert word in answer["error"]
    site.database.end_phase(game)
    status, answer = site.asked("POST", path, body) or (0, {})
    assert status == 409
    assert "deadline" in answer["error"]


def test_orders_are_not_checked_on_the_board_of_another_phase(site: Site) -> None:
    game = site.begin()
    body = {"phase": "F1901M", "power": "FRANCE", "orders": ["A PAR H"]}
    site.judge.send_signal(signal.SIGSTOP)
    try:
        status, answer = site.asked("POST", f"/games/{game}/orders", body) or (0, {})
    finally:
        site.judge.send_signal(signal.SIGCONT)
    assert status == 409
    assert "F1901M" in answer["error"]


@pytest.mark.parametrize(
    ("body", "status", "word"),
    [
        ({"power": "FRANCE", "orders": []}, 400, "phase is missing"),
        ({"phase": "S1901M", "power": ["FRANCE"], "orders": []}, 400, "power"),
        ({"phase": "S1901M", "power": "FRANCE", "orders": "A PAR H"}, 400, "orders"),
        ({"phase": "S1901M", "power": "FRANCE", "orders": ["A PAR H" + " " * 9_000]}, 413, "8000"),
        ([], 400, "JSON object"),
        (None, 400, "JSON object"),
    ],
)
def test_bodies_of_another_form_are_refused(site: Site, body: Any, status: int, word: str) -> None:
    found, answer = site.asked("POST", f"/games/{site.begin()}/orders", body) or (0, {})
    assert found == status
    assert word in answer["error"]


@pytest.mark.parametrize(
    ("change", "status"),
    [({"pace": -1}, 409), ({"pace": "x"}, 400), ({"pace": True}, 400), ({"map": None}, 400)],
)
def test_games_without_a_map_or_a_pace_are_refused(
    site: Site, change: dict[str, Any], status: int
) -> None:
    found, answer = site.asked("POST", "/games", {"map": "standard", "pace": DAY, **change}) or (
        0,
        {},
    )
    assert found == status
    assert answer["error"]


@pytest.mark.parametrize("game", [2**31 - 1, 2**31, 10**20])
def test_a_number_of_any_size_without_a_game_is_refused(site: Site, game: int) -> None:
    for path in (f"/games/{game}", f"/games/{game}/board.svg"):
        assert site.asked("GET", path) == (409, {"error": f"there is no game {game}"})


def test_a_game_on_the_map_of_a_variant_has_its_rules(site: Site, workers: None) -> None:
    game = site.begin("colonial")
    phase = site.position(game)["phase"]
    site.submit(game, phase, "RUSSIA", ["A MOS - TSR - KRA"])
    site.database.end_phase(game)
    site.wait_for_next(game, phase)
    assert "A KRA" in site.position(game)["units"]["RUSSIA"]
    status, picture = site.asked("GET", f"/games/{game}/board.svg") or (0, "")
    assert (status, "</svg>" in picture) == (200, True)


def test_a_program_without_a_task_lists_the_tasks() -> None:
    done = subprocess.run(GAMES, cwd=SITE, capture_output=True, encoding="utf-8")
    assert done.returncode == 2
    assert "{tables,worker}" in done.stderr


def test_a_game_that_cannot_be_read_does_not_stop_the_others(site: Site, workers: None) -> None:
    broken, game = site.begin(), site.begin()
    site.database.change("update games set position = '{}' where id = :id", broken)
    site.database.end_phase(broken)
    site.database.end_phase(game)
    site.wait_for_next(game, "S1901M")
    assert [worker.poll() for worker in site.workers] == [None, None]
    site.database.change("delete from games where id = :id", broken)


def test_commands_of_the_page_get_the_answers_that_it_shows(site: Site) -> None:
    text = page("docs/web-application.md")
    begin, *others = (line.split(maxsplit=2) for line in text.splitlines() if line[:5] == "curl ")
    _, game = site.asked("POST", "/games", json.loads(shlex.split(begin[2])[1])) or (0, {})
    answers = []
    for _, address, *body in others:
        path = address.partition("8000")[2].replace("/1", f"/{game['game']}")
        sent = json.loads(shlex.split(body[0])[1]) if body else None
        answers.append(site.asked("POST" if body else "GET", path, sent))
    assert [status for status, _ in filter(None, answers)] == [200] * 3
    (_, kept), (_, shown), (_, picture) = filter(None, answers)
    assert json.dumps(kept, separators=(",", ":")) in text
    assert shown["position"] == dipsat.Position.start().to_dict()
    assert "</svg>" in picture
