"""A small server for tests of the rule lab: a site's files."""

from __future__ import annotations

import mimetypes
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


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
            content = files.get(name)
            self._send(404 if content is None else 200, kind or "", content or b"")

        def _send(self, status: int, kind: str, content: bytes) -> None:
            self.send_response(status)
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
