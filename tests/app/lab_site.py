"""The rule lab as a site whose engine is Python in the page, and a small server for such a site."""

from __future__ import annotations

import mimetypes
import os
import shutil
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.app.commands import printed
from tests.made_once import made_once

PYODIDE = os.environ.get("DIPSAT_PYODIDE", "")
HAS_PYODIDE = bool(PYODIDE and shutil.which("node"))
needs_pyodide = pytest.mark.skipif(
    not HAS_PYODIDE,
    reason="needs node, and DIPSAT_PYODIDE: a folder with Pyodide and wheels for it, as .ci/run "
    "makes it",
)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, written by the command, once for all processes of a run."""
    return made_site(tmp_path_factory)


def made_site(factory: pytest.TempPathFactory) -> Path:
    """The same, for fixtures that need it only if there is an engine."""
    return made_once(factory, "lab-site", _write)


def _write(folder: Path) -> None:
    printed("lab", str(folder), "--pyodide", PYODIDE)


@contextmanager
def serving(files: Mapping[str, bytes]) -> Iterator[tuple[str, list[str]]]:
    """The address of a server of these files on this computer, and the paths asked for so far."""
    paths: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            paths.append(path)
            name = path.removeprefix("/") or "index.html"
            kind = "text/javascript" if name.endswith("mjs") else mimetypes.guess_type(name)[0]
            content = files.get(name, b"")
            self.send_response(200 if name in files else 404)
            self.send_header("Content-Type", kind or "application/octet-stream")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *arguments: object) -> None:
            """Write nothing: the test looks at `paths`."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", paths
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
