"""A Dask cluster: the same results as on this computer, whatever dies."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from threading import Thread
from typing import Any

import pytest
from click.testing import CliRunner

from dipsat.cli import main
from dipsat.errors import WorkerError
from dipsat.studies import RandomBoards, Workers, cluster as module, crosscheck
from dipsat.studies.journal import Journal
from dipsat.studies.parallel_run import Stage, results_of
from tests.checkout import ROOT
from tests.exhaustive import exhaustive
from tests.pages import blocks, page
from tests.pieces import given_up, slow, square
from tests.studies.dask_cluster import Cluster, end
from tests.studies.test_replay import write_games

extra = pytest.mark.extra
needs_dask = pytest.mark.skipif(
    find_spec("distributed") is None, reason="the extra `cluster` is not installed"
)
DIFFERING = ["-e", "solver:rulebooks/1982", "-e", "solver:datc"]  # on some boards
SLOW: Stage[int, Any] = Stage("slow", slow, given_up)
SQUARES: Stage[int, Any] = Stage("squares", square, given_up)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster that tries a task that ends its worker only twice, since each try takes seconds."""
    folder = tmp_path_factory.mktemp("cluster")
    with Cluster(folder, workers=2, nanny=True, failures=1) as started:
        yield started


def printed(*arguments: object) -> tuple[int, bytes, str]:
    done = CliRunner().invoke(main, [*map(str, arguments)])
    return done.exit_code, done.stdout_bytes, done.stderr


@extra
@needs_dask
def test_a_cluster_prints_what_one_process_does(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even with rules in a file that the workers cannot find."""
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text("extends: rulebooks/1982\n", encoding="utf-8")
    mine = ["-e", "solver:mine.yaml", "-e", "solver:datc"]
    games = tmp_path / "games.jsonl"
    write_games(games, 9)
    games.write_text(games.read_text(encoding="utf-8") + "\n{", encoding="utf-8")
    for command in (
        ["replay", games, tmp_path / "none", "--json"],
        ["crosscheck", *mine, "--random", 60, "--units", 12, "--json"],
        ["rules", "impact", "mine.yaml", "--games", games, "--random", 5, "--json"],
    ):
        status, out, err = printed(*command, "--jobs", 1)
        assert status in (1, 2)
        assert len(out) > 1000
        assert printed(*command, "--cluster", cluster.address) == (status, out, err)


@extra
@needs_dask
def test_an_executor_of_dask_does_the_same(cluster: Cluster) -> None:
    from distributed import Client

    what = (["dip_eval"], [RandomBoards(45)])
    with Client(cluster.address, set_as_default=False) as client:
        assert crosscheck(*what, jobs=client.get_executor()) == crosscheck(*what)
        assert client.status == "running"


@extra
@needs_dask
def test_a_worker_that_is_killed_costs_nothing(cluster: Cluster) -> None:
    results = results_of(SLOW, range(200), Workers(cluster=cluster.address), few=0)
    first, (_, killed) = next(results)
    os.kill(killed, signal.SIGKILL)
    found = list(results)
    assert [first, *(number for number, _ in found)] == list(range(200))
    assert all(result[0] == number * number for number, result in found)
    assert {process for _, (_, process) in found} - {killed}


@extra
@exhaustive
@needs_dask
def test_a_lost_connection_is_made_again(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask then drops everything that it had to do."""
    clients: list[Any] = []
    real = module._connected

    def connected(address: str) -> Any:
        clients.append(real(address))
        return clients[-1]

    monkeypatch.setattr(module, "_connected", connected)
    results = results_of(SLOW, range(150), Workers(cluster=cluster.address), few=0)
    first, _ = next(results)
    clients[0].loop.add_callback(clients[0].scheduler_comm.comm.abort)
    assert [first, *(number for number, _ in results)] == list(range(150))
    assert len(clients) == 1


@extra
@needs_dask
def test_a_piece_that_kills_its_workers_is_reported_and_the_rest_is_done(cluster: Cluster) -> None:
    workers = Workers(cluster=cluster.address, retries=1)
    found = dict(results_of(SQUARES, [14, 13, 15, 16], workers, few=0))
    lost = found.pop(13)
    assert found == {14: 196, 15: 225, 16: 256}
    assert lost.startswith("13: given up after it was tried 2 times: its worker died")


@extra
@exhaustive
@needs_dask
def test_a_run_goes_on_elsewhere_after_its_scheduler_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second run does the rest on this computer, and prints what a single run prints."""
    command = ["crosscheck", *DIFFERING, "--random", 200, "--units", 9, "--json", "--smallest", 0]
    whole = printed(*command, "--jobs", 1)
    command += ["--resume", tmp_path / "journal"]
    real, done = Journal.add, list[int]()

    def killing(self: Journal, rows: Any) -> None:
        real(self, rows)
        done.append(1)
        if len(done) == 3:
            patch.setattr(module, "_PATIENCE", 2)
            end(fragile.scheduler)

    with Cluster(tmp_path, workers=1) as fragile, monkeypatch.context() as patch:
        address = fragile.address
        patch.setattr(Journal, "add", killing)
        status, out, err = printed(*command, "--cluster", address)
        assert (status, out) == (2, b"")
        assert f"error: {address} " in err
    assert 3 <= len(done) < 10
    done.clear()
    monkeypatch.setattr(Journal, "add", lambda *_: done.append(1))
    assert printed(*command, "--jobs", 1) == whole
    assert 0 < len(done) <= 7


def copied(folder: Path) -> Path:
    """Another version of dipsat in a folder."""
    for room in ("dipsat", "rules", "datc"):
        shutil.copytree(ROOT / room, folder / room, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "dipsat/base/version.py").write_text('"""Another."""\n\n__version__ = "0.0.7"\n')
    return folder


@extra
@exhaustive
@needs_dask
def test_a_worker_with_another_dipsat_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PATIENCE", 3)
    with Cluster(tmp_path) as started:
        workers = Workers(cluster=started.address)
        with pytest.raises(WorkerError, match=r"has no workers; start some with `dask worker"):
            list(results_of(SQUARES, [1, 2], workers, few=0))
        monkeypatch.setattr(module, "_PATIENCE", 60)
        started.start_worker(copied(tmp_path / "other"))
        with pytest.raises(WorkerError, match=r"process \d+ on .* has dipsat 0\.0\.7 \(\w+\)"):
            list(results_of(SQUARES, [1, 2], workers, few=0))


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("tcp://127.0.0.1:1", "no scheduler listens there"),
        ("tcp://127.0.0.1", "is not an address like tcp://HOST:8786"),
        ("tcp://[:8786", "is not an address like tcp://HOST:8786"),
        ("http://127.0.0.1:8787/status", "own address is like tcp://127.0.0.1:8786"),
    ],
)
def test_an_address_without_a_scheduler_is_refused(
    address: str, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_REACH", 0.2)
    status, out, err = printed("crosscheck", "-e", "dip_eval", "--random", 2, "--cluster", address)
    assert (status, out) == (2, b"")
    assert problem in err
    assert address in err


def test_the_port_of_the_page_of_a_scheduler_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_REACH", 0.1)
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        Thread(target=server.serve_forever, args=[0.05], daemon=True).start()
        with pytest.raises(WorkerError, match="page is not on the scheduler's own port"):
            module.cluster_crew(f"tcp://127.0.0.1:{server.server_port}")
        server.shutdown()


@extra
@needs_dask
def test_a_cluster_with_certificates_is_refused_to_those_without(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_reach", lambda _: None)
    with pytest.raises(WorkerError, match=r"^tls://x:1: the certificates are missing"):
        module.cluster_crew("tls://x:1")


def test_without_dask_the_command_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.setattr(module, "_reach", lambda _: None)
    status, _, err = printed(
        "crosscheck", "-e", "dip_eval", "--random", 2, "--cluster", "tcp://x:1"
    )
    assert status == 2
    assert "a cluster needs Dask: pip install 'dipsat[cluster]'" in err


@extra
@exhaustive
@pytest.mark.parametrize("package", ["mpi4py", "ray"])
def test_executors_of_others_do_as_the_page_shows(package: str, tmp_path: Path) -> None:
    command = [sys.executable]
    if package == "mpi4py":
        command = [which("mpiexec", path=Path(sys.executable).parent) or "", "-n", "3"]
        command += [sys.executable, "-m", "mpi4py.futures"]
    if find_spec(package) is None or not command[0]:
        pytest.skip(f"{package} is not installed")
    (code,) = (one for one in blocks(page("docs/cluster.md"), "python") if package in one)
    script = tmp_path / "script.py"
    script.write_text(code, encoding="utf-8")
    with (tmp_path / "printed").open("w+", encoding="utf-8") as printed:
        done = subprocess.run(
            [*command, script], cwd=tmp_path, stdout=printed, check=False, timeout=120
        )
        printed.seek(0)
        lines = printed.read().splitlines()
    assert done.returncode == 0
    assert [f"# {line}" for line in lines] == [
        line for line in code.splitlines() if line.startswith("# ")
    ]
