"""`dipsat mcp` and `dipsat serve --mcp`, asked by the client of the protocol's own package."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.app.commands import refused
from tests.app.served import JSON, LONG, SECONDS, Server, lines_of, started, waited_for
from tests.checkout import ROOT
from tests.pages import assert_python_prints, blocks, page

pytest.importorskip("mcp", reason="the extra `mcp` is not installed")
if sys.platform == "win32":
    pytest.skip("the server is stopped by signals of Unix", allow_module_level=True)

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from dipsat.app.mcp_server import Games
from dipsat.app.mcp_tools import TOOLS

pytestmark = pytest.mark.extra

CLIENT = os.environ.get("DIPSAT_MCP_CLIENT", "")
# Clients and servers take the same version of the package.
ENVIRONMENT = {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
MESSAGE = {**JSON, "Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mcp") / "log"


@pytest.fixture(scope="module")
def server(log: Path) -> Iterator[Server]:
    with started(log, "--mcp", "--workers", "2", "--seconds", "30") as found:
        yield found


Ask = Callable[..., Awaitable[str]]


def talk(speak: Callable[[Ask, ClientSession], Awaitable[None]], server: Server | None) -> None:
    """Let a client speak to a server over HTTP, or else over its standard input and output."""

    async def run() -> None:
        if server is None:
            command = StdioServerParameters(
                command=sys.executable, args=["-m", "dipsat", "mcp"], env=ENVIRONMENT
            )
            async with stdio_client(command) as streams:
                await in_session(*streams)
        else:
            async with streamable_http_client(f"http://127.0.0.1:{server.port}/mcp") as streams:
                await in_session(*streams[:2])

    async def in_session(*streams: Any) -> None:
        async with ClientSession(*streams) as session:
            await session.initialize()

            async def ask(tool: str, **arguments: Any) -> str:
                found = await session.call_tool(tool, arguments)
                text = found.content[0].text
                assert isinstance(text, str)
                assert len(text) < 2000
                is_wrong = found.model_dump(by_alias=True)["isError"]
                return f"error: {text}" if is_wrong else text

            await speak(ask, session)

    asyncio.run(run())


@pytest.mark.parametrize("over_http", [False, True])
def test_a_client_plays_a_phase_and_asks_why(over_http: bool, server: Server) -> None:
    async def speak(ask: Ask, session: ClientSession) -> None:
        assert [one.name for one in (await session.list_tools()).tools] == list(TOOLS)
        game = (await ask("new_game")).partition("\n")[0].split()[-1]
        orders = {"France": ["A PAR - BUR", "A MAR S A PAR - BUR"], "Germany": ["A MUN - BUR"]}
        assert "A PAR - BUR is legal" in await ask("submit", game=game, orders=orders)
        assert "A PAR - BUR succeeds" in await ask("advance", game=game)
        why = await ask("why", board=game, unit="A MUN")
        assert "Proven unique" in why
        assert "bounces off A PAR supported by A MAR (1 against 2)" in why
        assert "phase: F1901M" in await ask("board", board=game)
        # Two Austrian armies are beside Galicia at the start, and one Russian army.
        asked = {"board": "standard", "power": "Russia", "goal": "not stands(GAL, AUSTRIA)"}
        assert "IMPOSSIBLE Proven" in await ask("can_i_guarantee", **asked)
        assert "did you mean" in await ask("why", board=game, unit="A PRA")
        assert "error: unknown tool 'explain'" in await ask("explain")
        picture = (await session.call_tool("picture", {"board": game})).content[1]
        kind = picture.model_dump(by_alias=True)["mimeType"]
        assert kind in ("image/png", "image/svg+xml")

    talk(speak, server if over_http else None)


@pytest.mark.skipif(
    not (CLIENT and shutil.which("node")),
    reason="needs node, and DIPSAT_MCP_CLIENT: a folder with the protocol's client for TypeScript, "
    "as .ci/run makes it",
)
@pytest.mark.parametrize("over_http", [False, True])
def test_the_client_for_typescript_gets_short_answers_that_say_what_is_proven(
    over_http: bool, server: Server
) -> None:
    command = {"command": sys.executable, "args": ["-m", "dipsat", "mcp"]}
    reached = {"url": f"http://127.0.0.1:{server.port}/mcp"}
    orders = "France: A PAR - BUR, A MAR S A PAR - BUR\nGermany: A MUN - BUR"
    keep_out = {"power": "Russia", "goal": "not stands(Galicia, Austria)"}
    # Two Austrian armies are beside Galicia. One Russian army cannot keep them out, but three can.
    three = "Austria: A VIE, A BUD\nRussia: A WAR, A UKR, A RUM"
    conversation = {
        "server": reached if over_http else command | {"env": ENVIRONMENT},
        "calls": [
            ("new_game", {}),
            ("submit", {"game": "GAME", "orders": orders}),
            ("advance", {"game": "GAME"}),
            ("why", {"board": "GAME", "unit": "A MUN"}),
            ("can_i_guarantee", {"board": "standard", **keep_out}),
            ("can_i_guarantee", {"board": three, **keep_out}),
            ("picture", {"board": "GAME"}),
            ("explain", {}),
        ],
    }
    program = ["node", str(ROOT / "tests" / "app" / "mcp_client.mjs"), CLIENT]
    done = subprocess.run(
        program, input=json.dumps(conversation), capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    # Only version 2 of the package knows the protocol that begins without a handshake.
    assert (found["protocol"] >= "2026") == hasattr(ClientSession, "discover")
    assert found["tools"] == list(TOOLS)
    answers = found["answers"]
    assert [one.get("isError", False) for one in answers] == [False] * 7 + [True]
    said = [one["content"][0]["text"] for one in answers]
    assert max(map(len, said)) < 2000
    assert "A PAR - BUR succeeds" in said[2]
    assert "Proven unique" in said[3]
    assert "bounces off A PAR supported by A MAR (1 against 2)" in said[3]
    assert said[4].startswith("IMPOSSIBLE Proven")
    assert said[5].startswith("FOUND")
    assert "Proven: the solver finds no answer" in said[5]
    assert answers[6]["content"][1]["type"] == "image"


def test_wrong_arguments_of_every_kind_are_errors_in_words(server: Server) -> None:
    async def speak(ask: Ask, _: ClientSession) -> None:
        wrong: tuple[dict[str, Any], ...]
        wrong = {"unit": 3}, {"unit": "A PAR", "orders": [1]}, {"unit": None}, {"x": []}
        for arguments in wrong:
            found = await ask("why", **arguments)
            assert found.startswith("error: ")
            assert "Traceback" not in found
        assert "`new_game` starts one" in await ask("advance", game="00000000")
        assert (await ask("board", board=["x"])).startswith("error: ")

    talk(speak, server)


def test_malformed_messages_are_refused(server: Server) -> None:
    assert server.ask("GET", "/mcp").status == 405
    assert server.ask("POST", "/mcp", b"[" * 10_000, MESSAGE).status == 400
    assert server.ask("POST", "/mcp", b" " * 40_000, MESSAGE).status == 413
    strange = {**MESSAGE, "Origin": "https://evil.example"}
    assert server.ask("POST", "/mcp", {}, strange).status == 403
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    found = server.ask("POST", "/mcp", call, MESSAGE)
    assert len(found.json["result"]["tools"]) == len(TOOLS)
    # What every client reads before it asks anything should be short, too.
    assert len(json.dumps(found.json)) < 12_000


def test_a_client_that_leaves_is_not_a_fault_of_the_server(server: Server, log: Path) -> None:
    answered, call = 'requests_total{kind="mcp",status="200"}', {"name": "board"}
    before, link = server.measured(answered), http.client.HTTPConnection("127.0.0.1", server.port)
    with server.open("search", LONG):
        server.wait_until("workers_busy", 1)
        asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        link.request("POST", "/mcp", json.dumps(asked), MESSAGE)
        server.wait_until("queue_length", 1)
        link.close()
        waited_for(lambda: not server.measured("queue_length"))
    server.wait_until(answered, before + 1)
    assert [line for line in lines_of(log) if line["level"] == "error"] == []


def test_no_client_crowds_out_the_games_of_others() -> None:
    games = Games()
    kept = games.keep("anna", "first")
    for number in range(300):
        games.keep("mallory", str(number))
    assert games.get(kept) == "first"
    own = games.keep("anna", "second")
    assert games.keep("anna", "third", own) == own
    assert games.get(own) == "third"


def test_games_that_nobody_has_asked_about_are_forgotten() -> None:
    games = Games()
    first, second = (games.keep("anna", text) for text in ("first", "second"))
    for number in range(59):
        games.get(first)
        games.keep("anna", str(number))
    assert games.get(first) == "first"
    assert games.get(second) is None


def test_the_conversation_of_the_page_is_what_a_client_gets() -> None:
    (code,) = blocks(page("docs/mcp.md"), "python")
    assert_python_prints(code)


def test_the_page_lists_exactly_the_tools_that_exist() -> None:
    rows = page("docs/mcp.md").partition("| --- | --- |\n")[2].partition("\n\n")[0].splitlines()
    named = [name.strip("` ") for row in rows for name in row.split("|")[1].split(",")]
    assert sorted(named) == sorted(TOOLS)


def test_a_package_that_does_not_fit_ends_the_command(tmp_path: Path) -> None:
    (tmp_path / "mcp.py").touch()
    command = [sys.executable, "-m", "dipsat", "mcp"]
    path = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        command, cwd=ROOT, env=path, input=b"", capture_output=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 1
    assert b"No module named 'mcp.server'" in done.stderr


def test_without_the_package_both_commands_name_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("dipsat.app.mcp_command", "dipsat.app.server_run"):
        monkeypatch.setattr(f"{module}.find_spec", lambda name: None if name == "mcp" else name)
    assert "pip install 'dipsat[mcp]'" in refused("mcp")
    assert "pip install 'dipsat[mcp]'" in refused("serve", "--mcp")
