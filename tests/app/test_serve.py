"""`dipsat serve` over real sockets: one server for all tests of the module, on a free port."""

from __future__ import annotations

import http.client
import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import dipsat
from dipsat.app.messages import KINDS
from dipsat.app.site import page_files
from tests.app.clients import OPTIONS, load
from tests.app.commands import refused
from tests.app.served import (
    LONG,
    ORDERS,
    SECONDS,
    Server,
    lines_of,
    processor_seconds,
    started,
    waited_for,
    workers_of,
)  # fmt: skip
from tests.checkout import ROOT, container_sources
from tests.exhaustive import exhaustive, few_of
from tests.pages import assert_python_prints, blocks, page

pytest.importorskip("starlette", reason="the extra `serve` is not installed")
pytest.importorskip("uvicorn", reason="the extra `serve` is not installed")
if sys.platform == "win32":
    pytest.skip("the server is stopped by signals of Unix", allow_module_level=True)

from dipsat.app.connections import Sites
from dipsat.app.schema import EXAMPLES
from dipsat.app.serve_command import serve

pytestmark = pytest.mark.extra


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    options = ("--workers", "2", "--queue", "4", "--body", "20000", "--seconds", "30")
    log = tmp_path_factory.mktemp("serve") / "log"
    with started(log, *options, "--cors", "https://example.org") as found:
        yield found
        found.process.send_signal(signal.SIGTERM)
        assert found.process.wait(SECONDS) == 0
    assert lines_of(log)[-1]["event"] == "stopped"


@exhaustive
def test_answers_are_those_of_dipsat(server: Server) -> None:
    found = server.post("adjudicate", {"orders": ORDERS})
    assert found.status == 200
    assert found.json == dipsat.answer({"request": "adjudicate", "orders": ORDERS})
    verdicts = [order["verdict"] for order in found.json["answer"]["orders"]]
    assert verdicts == ["fails", "fails"]  # two units of equal strength, DATC 6.C


@pytest.mark.parametrize("kind", few_of(KINDS, 4))
def test_every_example_is_answered(server: Server, kind: str) -> None:
    for example in EXAMPLES[kind].values():
        found = server.post(kind, example)
        assert found.status == 200, found.body
        assert found.json["request"] == kind


def test_wrong_requests_say_where_they_are_wrong(server: Server) -> None:
    found = server.post("adjudicate", {"orders": "France:\n A Par - Burgundi\n"})
    assert found.status == 422
    assert found.json["error"]["line"] == 2
    assert found.json["error"]["hint"] == "did you mean Burgundy?"
    assert server.post("adjudicate", {"ordres": ""}).json["error"]["kind"] == "UnknownNameError"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400), (b"[1]", 400), (b"[" * 15_000, 400), (b'{"seconds": NaN}', 400),
        (b'{"seconds": 1e999}', 400), (b'{"orders": "", "orders": "x"}', 400),
        ('{"orders": ""}'.encode("utf-16"), 400), (b'{"orders": "\\ud800"}', 422),
        (b'{"request": "prove"}', 400), (b'{"orders": "' + b"x" * 20_000 + b'"}', 413),
    ],
)  # fmt: skip
def test_bad_bodies_are_refused(server: Server, body: bytes, status: int) -> None:
    found = server.post("adjudicate", body)
    assert found.status == status
    assert found.json["error"]["message"]


def test_a_body_of_unknown_length_is_read_no_further_than_the_limit(server: Server) -> None:
    with server.connect("127.0.0.1") as link:
        link.sendall(ASKED % 1 + b"Transfer-Encoding: chunked\r\n\r\n")
        for _ in range(6):
            link.sendall(b"7530\r\n" + b" " * 30_000 + b"\r\n")
        assert link.recv(100).startswith(b"HTTP/1.1 413 ")


def spoken(server: Server, said: bytes) -> bytes:
    """What the server says to these bytes before it closes the connection."""
    heard = b""
    with server.connect("127.0.0.1") as link:
        link.sendall(said)
        while piece := link.recv(2**16):
            heard += piece
    return heard


ASKED = b"POST /api/adjudicate HTTP/1.%d\r\nHost: localhost\r\nContent-Type: application/json\r\n"
SENT = json.dumps({"orders": ORDERS}).encode()
WHOLE = b"Content-Length: %d\r\n\r\n%s" % (len(SENT), SENT)


def test_old_clients_and_hasty_ones_are_answered(server: Server) -> None:
    assert b'"verdict":"fails"' in spoken(server, ASKED % 0 + WHOLE)
    hasty = spoken(server, 2 * (ASKED % 1 + WHOLE) + ASKED % 1 + b"Connection: close\r\n" + WHOLE)
    assert hasty.count(b"HTTP/1.1 200 ") == hasty.count(b'"winner":null') == 3


@pytest.mark.parametrize(
    "head",
    [
        b"GET /healthz HTTP/1.1\r\n\r\n",  # no host
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nHost: localhost\r\n\r\n",
        ASKED % 1 + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        ASKED % 1 + b"Transfer-Encoding: gzip\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # TLS
    ],
)
def test_what_is_not_http_is_refused_at_once(server: Server, head: bytes) -> None:
    assert spoken(server, head).startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("headers", [{"Content-Type": "text/plain"}, {}])
def test_forms_of_other_sites_are_refused(server: Server, headers: dict[str, str]) -> None:
    """A page may send texts to any server, but JSON only to one that allows it."""
    assert server.post("maps", b"{}", headers).status == 415


@pytest.mark.parametrize(
    ("method", "path", "status", "allowed"),
    [
        ("GET", "/api/adjudicate", 405, "POST"), ("POST", "/api/nothing", 404, None),
        ("GET", "/redoc", 404, None), ("HEAD", "/api/maps", 405, "POST"),
        ("OPTIONS", "/api/maps", 405, "POST"), ("BREW", "/", 405, "GET, HEAD"),
        ("PUT", "/docs", 405, "GET, HEAD"), ("GET", "/../../../etc/passwd", 404, None),
        ("GET", "/%2e%2e/%2e%2e/etc/passwd", 404, None),
    ],
)  # fmt: skip
def test_unknown_paths_and_methods_are_refused(
    server: Server, method: str, path: str, status: int, allowed: str | None
) -> None:
    found = server.ask(method, path)
    assert (found.status, found.headers.get("allow")) == (status, allowed)
    assert b"root:" not in found.body


def test_the_error_of_an_unknown_kind_names_the_kinds(server: Server) -> None:
    assert "legal-orders" in server.post("legal", {}).json["error"]["message"]


def test_no_request_reads_files(server: Server) -> None:
    for name in (str(ROOT / "rules" / "datc.yaml"), "rules/datc.yaml"):
        for member in ("rules", "map"):
            found = server.post("adjudicate", {"orders": ORDERS, member: name})
            assert found.status == 422
            assert "no files" in found.json["error"]["message"]


def test_only_named_sites_may_ask(server: Server) -> None:
    asked = {"Origin": "https://example.org", "Access-Control-Request-Method": "POST",
             "Access-Control-Request-Headers": "content-type"}  # fmt: skip
    found = server.ask("OPTIONS", "/api/maps", headers=asked)
    assert found.headers["access-control-allow-origin"] == "https://example.org"
    other = server.ask("OPTIONS", "/api/maps", headers={**asked, "Origin": "https://evil.example"})
    assert "access-control-allow-origin" not in other.headers


def host_status(server: Server, host: str, path: str = "/healthz") -> int:
    found = server.ask("GET", path, headers={"Host": host})
    assert "location" not in found.headers
    return found.status


@pytest.mark.parametrize(
    "host",
    [
        "evil.example", "127.0.0.1.evil.example", "localhost.de", "[", "evil.example@127.0.0.1",
        "evil.example:1@localhost", "evil.example/.localhost", "evil.example?.localhost", "0x7f.1",
        "127.0.0.1,evil.example", "[localhost]", "[::1", "",
    ],
)  # fmt: skip
def test_a_server_for_this_computer_answers_to_no_name_of_others(server: Server, host: str) -> None:
    """A site can have its name lead to 127.0.0.1; a browser then takes both for one site."""
    for path in ("/", "/Classical", "/docs/", "/api/maps"):
        assert host_status(server, f"{host}:{server.port}", path) == 421


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("LOCALHOST", 200), ("localhost.:1", 200), ("lab.localhost", 200), ("127.0.0.1", 200),
        ("127.0.0.1:", 200), ("[::1]:80", 200), ("127.0.0.1:x", 421), ("127.0.0.1:80x", 421),
        ("127.0.0.1:80@evil.example", 421), ("127.0.0.1:80/evil.example", 421),
        ("127.0.0.1:-1", 421),
    ],
)  # fmt: skip
def test_a_server_for_this_computer_answers_to_its_own_names_with_port_numbers(
    server: Server, host: str, status: int
) -> None:
    assert host_status(server, host) == status


def test_a_server_behind_a_proxy_answers_to_the_names_it_was_given() -> None:
    sites = Sites(names=["play.Example.org"])
    assert sites.refusal({"host": "play.example.org:443"}) is None
    proxied = {"host": "127.0.0.1:8125"}  # a proxy may change the host that a page asked
    assert sites.refusal({**proxied, "origin": "https://play.example.org"}) is None
    assert sites.refusal({**proxied, "origin": "https://evil.example"}) is not None
    assert Sites().refusal({"host": "evil.example"}) is None  # one that everybody can reach


CORS = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}
NO_CORS = {**CORS, "Sec-Fetch-Mode": "no-cors"}
FOLLOWED = {**CORS, "Sec-Fetch-Mode": "navigate"}


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/Classical", NO_CORS, 403),
        ("GET", "/Classical", {**CORS, "Origin": "https://example.org"}, 200),
        ("GET", "/", FOLLOWED, 200),  # a link to the page
        ("POST", "/Classical", {**FOLLOWED, "Origin": "http://evil.example"}, 403),  # a form
        ("GET", "/", {"Sec-Fetch-Site": "other"}, 403),
    ],
)
def test_pictures_and_scripts_of_other_sites_get_no_answers(
    server: Server, method: str, path: str, headers: dict[str, str], status: int
) -> None:
    """Nobody gives leave to ask for them, and nobody reads them: they would only take a worker."""
    body = b"" if method == "POST" else None
    assert server.ask(method, path, body, headers).status == status


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example", "null", "", "http://", "localhost", "http://localhost.evil.example",
        "http://evil.example@localhost", "http://localhost@evil.example", "http://[::2]",
        "http://localhost:x", "http://example.org", "https://example.org.evil.example",
    ],
)  # fmt: skip
def test_pages_of_other_sites_are_refused_where_browsers_say_nothing_else(
    server: Server, origin: str
) -> None:
    """Older browsers send no `Sec-Fetch-Site`, nor does any to a server without encryption."""
    asked = {"Origin": origin, "Host": f"localhost:{server.port}"}
    assert server.ask("GET", "/Classical", headers=asked).status == 403
    assert server.post("maps", {}, {**asked, "Content-Type": "application/json"}).status == 403


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://localhost", "localhost"), ("http://localhost", "LOCALHOST.:80"),
        ("https://127.0.0.1:443", "127.0.0.1"), ("http://[::1]:8125", "[::1]:8125"),
        ("https://example.org", "localhost"),  # which --cors names
    ],
)  # fmt: skip
def test_pages_of_the_server_and_of_named_sites_may_ask(
    server: Server, origin: str, host: str
) -> None:
    asked = {"Origin": origin, "Host": host, "Content-Type": "application/json"}
    assert server.post("maps", {}, asked).status == 200


@pytest.mark.parametrize("path", ["/docs", "/healthz", "/api/maps", "/nothing"])
def test_browsers_get_strict_headers(server: Server, path: str) -> None:
    headers = server.ask("GET", path).headers
    assert headers["content-security-policy"].startswith("default-src 'none';")
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert "server" not in headers


def test_the_description_has_every_kind_and_every_member(server: Server) -> None:
    described = server.ask("GET", "/openapi.json").json
    assert described["openapi"].startswith("3.")
    for kind, asked in KINDS.items():
        body = described["paths"][f"/api/{kind}"]["post"]["requestBody"]["content"]
        name = body["application/json"]["schema"]["$ref"].rpartition("/")[2]
        members = described["components"]["schemas"][name]["properties"]
        assert members.keys() == {*asked.request.whole().__dataclass_fields__, "request"}
        assert all(member["description"] for member in members.values())


def test_the_page_about_requests_loads_nothing_from_elsewhere(server: Server) -> None:
    written = server.ask("GET", "/docs").body.decode()
    assert "POST /api/adjudicate" in written
    assert "The order" in written or "An order sheet" in written
    assert not re.search("://|<script", written)
    head = server.ask("HEAD", "/docs")
    assert (head.status, head.body) == (200, b"")
    assert head.headers["content-type"].startswith("text/html")


def test_the_rule_lab_is_there_and_asks_this_server(server: Server) -> None:
    for name, content in page_files().items():
        found = server.ask("GET", "/" if name == "index.html" else f"/{name}")
        assert (found.status, found.body) == (200, content)
        seen = {"If-None-Match": found.headers["etag"]}
        assert server.ask("GET", f"/{name}".replace("/index.html", "/"), None, seen).status == 304
    assert server.ask("GET", "/lab.js").headers["content-type"].startswith("text/javascript")
    assert server.ask("GET", "/engine.json").json["api"] == "api/"


DOCS = page("docs/serve.md")
SHOWN = "http://127.0.0.1:8125"


@pytest.mark.parametrize("code", blocks(DOCS, "python"))
def test_examples_in_python_print_what_they_say(server: Server, code: str) -> None:
    assert_python_prints(code.replace(SHOWN, f"http://127.0.0.1:{server.port}"))


def test_the_commands_of_the_documents_are_answered(server: Server) -> None:
    found = []
    for command in blocks(DOCS, "sh"):
        words = shlex.split(command.replace("\\\n", ""))
        if words[0] == "curl":
            kind, value = words[words.index("-H") + 1].split(": ")
            (address,) = (word for word in words if word.startswith(SHOWN))
            body = words[words.index("-d") + 1].encode()
            path = address.removeprefix(SHOWN)
            found.append(server.ask("POST", path, body, {kind: value}))
    good, wrong = found
    assert good.status == 200
    assert wrong.json == {**json.loads(blocks(DOCS, "json")[0]), "dipsat": dipsat.__version__}


@exhaustive
def test_clients_of_godip_may_ask(server: Server) -> None:
    first = server.ask("GET", "/Classical")
    assert first.status == 200
    assert first.headers["cache-control"] == "no-store"
    orders = {"England": {"lon": ["Move", "eng"]}}
    after = server.ask("POST", "/Classical", {**first.json, "Orders": orders})
    assert after.status == 200
    assert after.json["Units"]["eng"] == {"Type": "Fleet", "Nation": "England"}
    listed = server.ask("GET", "/", headers={"Accept": "application/json, text/plain, */*"})
    assert "England" in listed.json["Classical"]["Nations"]
    assert server.ask("GET", "/North%20Sea%20Wars").json["Year"] == 0
    assert server.ask("GET", "/Clasical").status == 404
    offered = server.ask("GET", "/start-with-options/Classical").json
    assert offered["phase"] == first.json
    assert "yor" in offered["options"]["England"]["edi"]["Next"]["Move"]["Next"]["edi"]["Next"]
    after = server.ask("POST", "/resolve-with-options/Classical", offered["phase"]).json
    assert after["phase"]["Type"] == "Retreat"
    assert server.ask("POST", "/start-with-options/Classical", {}).status == 405
    assert server.ask("POST", "/Classical", {"Season": 1}).status == 422
    assert server.ask("POST", "/Classical", b"").status == 400


def test_a_worker_that_dies_is_replaced(server: Server) -> None:
    server.wait_until("workers_ready", 2)
    died = 'workers_restarted_total{reason="died"}'
    before = server.measured(died)
    os.kill(workers_of(server)[0], signal.SIGKILL)
    server.wait_until(died, before + 1)
    assert server.post("adjudicate", {"orders": ORDERS}).status == 200


@exhaustive
def test_the_request_of_a_worker_that_is_killed_ends_with_an_error(server: Server) -> None:
    server.wait_until("workers_ready", 2)
    used = processor_seconds(server)
    with ThreadPoolExecutor() as threads:
        long = threads.submit(server.post, "search", LONG)
        waited_for(lambda: processor_seconds(server) > used + 0.3)  # more than it takes to begin
        for worker in workers_of(server):
            os.kill(worker, signal.SIGKILL)
        found = long.result()
    assert found.status == 500
    assert found.json["error"]["kind"] == "WorkerError"
    server.wait_until("workers_ready", 1)
    assert server.post("adjudicate", {"orders": ORDERS}).status == 200


@exhaustive
def test_a_request_that_a_killed_worker_had_not_begun_goes_to_another(server: Server) -> None:
    server.wait_until("workers_ready", 2)
    for worker in workers_of(server):
        os.kill(worker, signal.SIGSTOP)
    with ThreadPoolExecutor() as threads:
        asked = threads.submit(server.post, "adjudicate", {"orders": ORDERS})
        server.wait_until("workers_busy", 1)
        for worker in workers_of(server):
            os.kill(worker, signal.SIGKILL)
        assert asked.result().status == 200


@exhaustive
def test_a_thousand_idle_connections_leave_room_for_others(tmp_path: Path) -> None:
    with started(tmp_path / "log", "--workers", "1") as server:
        addresses = [f"127.0.2.{number % 8 + 1}" for number in range(1000)]
        idle = [server.connect(address) for address in addresses]
        try:
            assert server.post("adjudicate", {"orders": ORDERS}).status == 200
            assert server.measured("connections") <= 1000
        finally:
            for link in idle:
                link.close()


@exhaustive
def test_a_log_that_nobody_reads_stops_nothing(tmp_path: Path) -> None:
    with started(None, "--workers", "1") as server:
        link = http.client.HTTPConnection("127.0.0.1", server.port, SECONDS)
        while not server.measured("log_lines_dropped_total"):
            for _ in range(200):
                link.request("GET", f"/{'x' * 200}")
                assert link.getresponse().read()
        link.close()
        assert server.post("adjudicate", {"orders": ORDERS}).status == 200
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(SECONDS) == 0


@exhaustive
def test_a_worker_that_stops_answering_is_ended(tmp_path: Path) -> None:
    """The other one serves meanwhile; the request of the first ends with an error."""

    def is_computing(process: int) -> bool:
        return "R" in (Path("/proc") / str(process) / "stat").read_text().rpartition(")")[2]

    with started(tmp_path / "log", "--workers", "2", "--seconds", "2") as server:
        server.wait_until("workers_ready", 2)
        with ThreadPoolExecutor() as threads:
            long = threads.submit(server.post, "search", LONG)
            server.wait_until("workers_busy", 1)
            computing: list[int] = []
            while not computing and not long.done():  # it may rest for a moment
                computing = [one for one in workers_of(server) if is_computing(one)]
            for worker in computing:
                os.kill(worker, signal.SIGSTOP)
            found = long.result()
        assert (found.status, found.json["error"]["kind"]) == (422, "LimitError")
        server.wait_until('workers_restarted_total{reason="seconds"}', 1)
        assert server.post("adjudicate", {"orders": ORDERS}).status == 200


def test_a_request_that_nobody_waits_for_ends(server: Server) -> None:
    left = 'workers_restarted_total{reason="client left"}'
    before = server.measured(left)
    with server.open("search", LONG):
        server.wait_until("workers_busy", 1)
    server.wait_until(left, before + 1)
    assert server.post("adjudicate", {"orders": ORDERS}).status == 200


@exhaustive
def test_a_full_queue_refuses_more_but_leaves_room_for_others(server: Server) -> None:
    """Of two workers and four places in the queue, a client gets one and two; more is refused."""
    server.wait_until("workers_ready", 2)
    links = [server.open("search", LONG)]
    try:
        server.wait_until("workers_busy", 1)
        links += [server.open("search", LONG) for _ in range(2)]
        server.wait_until("queue_length", 2)
        refused = server.post("adjudicate", {"orders": ORDERS})
        assert refused.status == 429
        assert int(refused.headers["retry-after"]) > 0
        assert server.ask("GET", "/healthz").status == 200
        if sys.platform == "linux":  # elsewhere this computer has one address of its own
            other = server.post("adjudicate", {"orders": ORDERS}, source="127.0.0.2")
            assert other.status == 200
    finally:
        for link in links:
            link.close()


def test_the_requests_are_counted(server: Server) -> None:
    name = 'requests_total{kind="legal-orders",status="422"}'
    before = server.measured(name)
    assert server.post("legal-orders", {"unit": 1}).status == 422
    assert server.measured(name) == before + 1


@exhaustive
def test_a_search_of_minutes_ends_in_time(server: Server) -> None:
    """Some computers have not even read the rules in this little time."""
    found = server.post("search", {**LONG, "seconds": 0.2})
    if found.status == 200:
        assert found.json["answer"]["verdict"] == "unknown"
    else:
        assert found.json["error"]["kind"] == "LimitError"


@exhaustive
def test_requests_that_have_begun_are_answered_before_the_server_ends(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with started(log, "--workers", "2", "--seconds", "2") as server:
        with ThreadPoolExecutor() as threads:
            long = threads.submit(server.post, "search", LONG)
            server.wait_until("workers_busy", 1)
            server.process.send_signal(signal.SIGINT)
            assert long.result().json["answer"]["verdict"] == "unknown"
        assert server.process.wait(SECONDS) == 0
    logged = [line for line in lines_of(log) if line.get("kind") == "search"]
    assert [line["status"] for line in logged] == [200]
    assert logged[0]["client"] == "127.0.0.1"
    assert lines_of(log)[-1]["event"] == "stopped"


@exhaustive
def test_requests_that_still_wait_when_the_server_ends_are_told_so(tmp_path: Path) -> None:
    with started(tmp_path / "log", "--workers", "1", "--seconds", "2") as server:
        with ThreadPoolExecutor(8) as threads:
            asked = [
                threads.submit(server.post, "search", LONG, source=f"127.0.1.{number + 1}")
                for number in range(8)
            ]
            server.wait_until("queue_length", 7)
            server.process.send_signal(signal.SIGTERM)
            found = [one.result() for one in asked]
        assert server.process.wait(SECONDS) == 0
    assert {one.status for one in found} == {200, 503}
    (said,) = {one.json["error"]["message"] for one in found if one.status == 503}
    assert said == "the server stops"


def test_what_cannot_be_served_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = refused("serve", "--port", port, "--workers", "1")
    assert "the server cannot listen there" in said
    assert "like https://example.org" in refused("serve", "--cors", "*")
    monkeypatch.setattr("dipsat.app.server_run.find_spec", lambda _: None)
    assert "pip install 'dipsat[serve]'" in refused("serve")


@exhaustive
def test_the_container_has_what_is_installed_and_starts_a_server_that_is_not_root() -> None:
    """The container cannot be built without a registry of images, but all that it names exists."""
    lines = page("Dockerfile").replace("\\\n", "").splitlines()
    said = [line.split(maxsplit=1) for line in lines if line and not line.startswith("#")]
    copied = [rest.split()[:-1] for word, rest in said if word == "COPY" and "--from" not in rest]
    sources = {source for sources in copied for source in sources}
    assert all((ROOT / source).exists() for source in sources)
    assert sources == set(container_sources())
    build = tomllib.loads(page("pyproject.toml"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert {*build["packages"], *build["force-include"], *build["sbom-files"]} < sources
    words = dict(said)
    assert int(words["USER"].partition(":")[0]) > 0
    command, *options = json.loads(words["CMD"])[1:]
    given = serve.make_context(command, options).params
    assert (given["host"], given["port"]) == ("0.0.0.0", int(words["EXPOSE"]))


@exhaustive
def test_fifty_clients_lose_nothing(tmp_path: Path) -> None:
    """Every request is answered, and usual ones soon, though every fifth client is hostile."""
    with started(tmp_path / "log", *OPTIONS) as server:
        server.wait_until("workers_ready", 3)
        found = load(server, requests=2, hostile=10, pause=0.1)
        assert server.measured("queue_length") == server.measured("workers_busy") == 0
    usual = [one for one in found if not one.is_hostile]
    hostile = [one for one in found if one.is_hostile]
    assert len(usual) == 40 * 2
    assert {one.status for one in usual} == {200}
    assert {one.status for one in hostile} <= {200, 400, 413, 422}
    # The ten hostile ones take turns with the others, and hold a worker for 5 seconds at most.
    assert max(one.seconds for one in usual) < 30


# Nearly every good request for cases judges them all. What is made for each member of a request is
# made for the other kinds, which have members of the same types.
FEW_CASES = """
[[operations]]
include-path = "/api/cases"
phases.coverage.enabled = false
"""


@exhaustive
def test_answers_are_as_described_whatever_is_asked(tmp_path: Path) -> None:
    """Schemathesis makes requests from the description, good and bad ones."""
    pytest.importorskip("schemathesis", reason="the extra `serve-test` is not installed")
    (tmp_path / "schemathesis.toml").write_text(FEW_CASES, encoding="utf-8")
    with started(tmp_path / "log", "--workers", "2", "--seconds", "2") as server:
        address = f"http://127.0.0.1:{server.port}/openapi.json"
        # Not everything that fits the description is accepted: not every text is an order sheet.
        left_out = ("--exclude-checks", "positive_data_acceptance")
        numbers = ("--max-examples", "3", "--seed", "1")
        command = ["run", address, "--checks", "all", *left_out, *numbers]
        done = subprocess.run(
            [sys.executable, "-m", "schemathesis.cli", *command],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        assert "Tested: 17" in done.stdout
        assert server.measured('workers_restarted_total{reason="died"}') == 0
    assert [line for line in lines_of(tmp_path / "log") if line["event"] == "fault"] == []
