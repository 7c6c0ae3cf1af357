"""A worker of the server: a process that answers one request after another.

Requests and answers pass through its standard input and output, each after a head of fixed length.
Everything that depends on untrusted input happens here, including parsing its JSON.
"""

from __future__ import annotations

import json
import os
import signal
import struct
import sys
import traceback
from collections.abc import Mapping
from typing import Any, BinaryIO, NoReturn

from dipsat.app.messages import answer, refusal
from dipsat.app.server_logs import write_line
from dipsat.base import NO_MEMORY, Files, Limits, limit_memory, running
from dipsat.errors import ArgumentError, DipsatError, FileError, InputLimitError, WorkerError
from dipsat.formats import parse_json

ASKED = struct.Struct(">HI")
"""The head of a request: the lengths of the name of its kind and of its body."""
ANSWERED = struct.Struct(">HBI")
"""The head of an answer: its status, whether the worker ends now, and the length of its body."""
BEGUN = b"\x01"
"""Sent before the answer, as soon as a worker has read the head of the request."""

BODY, ANSWER = "the body", "the answer"
"""The names in errors for the bodies of requests and answers."""

GODIP, WITH_OPTIONS = "godip/", "godip-with-options/"
"""Prefixes of the names of requests in godip's format; the variant, or nothing, follows."""

TOOL = "mcp/"
"""The prefix of the names of language models' requests; the tool follows."""

OK, BAD_JSON, REFUSED, FAULT = 200, 400, 422, 500
"""The HTTP status of an answer."""

_SAMPLE = {
    "orders": "England:\n F Lon S F Wal - Eng\n F Wal - Eng\nFrance:\n A Bre - Lon\n F Eng C A Bre "
    "- Lon\nTurkey:\n F Ank - Con\n A Con - Smy\n A Smy - Ank\n"
}
_LONGEST = 2**24  # bytes of an answer; the largest of the examples has 300,000
_TOO_LONG = f"has more than {_LONGEST:,} bytes; ask for less at a time"
_MOST_LEFT = 0.5  # of the memory; a worker that has used more is replaced after its answer


def work() -> None:
    """The main function of the process. Its arguments are the megabytes of the process, the seconds
    of a request and the steps of the solver; 0 means no limit."""
    megabytes, seconds, steps = int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends it
    limit_memory(megabytes)
    source, target = sys.stdin.buffer, _own_output()
    limits = Limits(seconds, steps or None, files=Files.none())
    _warm_up(limits)
    _send(target, OK, False, b"")  # ready
    while head := source.read(ASKED.size):
        target.write(BEGUN)
        target.flush()
        length, size = ASKED.unpack(head)
        name = source.read(length).decode()
        status, found = _answered(name, source.read(size), limits, megabytes)
        ends = status == FAULT or _is_large(megabytes)
        _send(target, status, ends, found)
        if ends:
            return


def _own_output() -> BinaryIO:
    """Reserve standard output for answers: all other output, even from a solver written in C, goes
    to standard error."""
    target = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return target


def _warm_up(limits: Limits) -> None:
    """Load and compile what usual requests need, so that no request waits for it."""
    for kind in ("adjudicate", "prove", "legal-orders", "svg"):
        answer({"request": kind, **_SAMPLE}, limits=limits)
    answer({"request": "explain", "unit": "A BRE", **_SAMPLE}, limits=limits)


def _send(target: BinaryIO, status: int, ends: bool, found: bytes) -> None:
    target.write(ANSWERED.pack(status, ends, len(found)) + found)
    target.flush()


def _answered(name: str, body: bytes, limits: Limits, megabytes: int) -> tuple[int, bytes]:
    """The status and the body of an answer."""
    try:
        shape, slash, variant = name.partition("/")
        try:
            request = {} if slash and not body else read_body(body)
            if not slash and request.get("request", name) != name:
                wanted = f"{name!r}, as in the address"
                raise ArgumentError(name, "request", request["request"], wanted)
        except DipsatError as error:
            return BAD_JSON, encoded(refusal(name, error))
        if slash:
            return _in_shape(shape + slash, variant, request if body else None, limits)
        found = answer({**request, "request": name}, limits=limits)
        status, written = REFUSED if "error" in found else OK, encoded(found)
        if len(written) <= _LONGEST:
            return status, written
        large = InputLimitError(ANSWER, "bytes in an answer", len(written), _LONGEST, _TOO_LONG)
        return REFUSED, encoded(refusal(name, large))
    except MemoryError:
        _without_memory()
    except Exception:
        if _is_large(megabytes):  # packages that run out of memory raise errors of any class
            _without_memory()
        write_line("fault", "error", request=name, trace=traceback.format_exc())
        problem = "the server could not answer, which is a fault of dipsat; its log says more"
        return FAULT, encoded(refusal(name, WorkerError(problem)))


def _without_memory() -> NoReturn:
    os._exit(NO_MEMORY)  # ends at once, which needs no memory


def _in_shape(
    shape: str, variant: str, state: Mapping[str, Any] | None, limits: Limits
) -> tuple[int, bytes]:
    """The status and the body of an answer to a language model, or in godip's format. Without a
    state the answer is the one at the start of the variant's games."""
    from dipsat.app import godip, mcp_tools

    try:
        with running(limits):
            if shape == TOOL:
                return OK, encoded(mcp_tools.answer(variant, state or {}))
            if not variant:
                return OK, encoded(godip.variants())
            after = godip.started(variant) if state is None else godip.resolved(variant, state)
            more = shape == WITH_OPTIONS
            return OK, encoded(godip.with_options(variant, after) if more else after)
    except DipsatError as error:
        return REFUSED, encoded(refusal(None, error))


def read_body(body: bytes) -> dict[str, Any]:
    """A request in JSON. Raises `FileError` or `DocumentError`."""
    try:
        found = parse_json(body.decode("utf-8-sig"), BODY)
    except UnicodeDecodeError:
        raise FileError(BODY, "is not in UTF-8") from None
    if not isinstance(found, dict):
        raise FileError(BODY, "should be a JSON object")
    return found


def encoded(value: Mapping[str, Any]) -> bytes:
    """A message as bytes of JSON."""
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode()


def _is_large(megabytes: int) -> bool:
    """Whether this process has used most of its memory at some time, and so may still hold it."""
    try:
        import resource
    except ImportError:  # on Windows
        return False
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    kilobytes = most / 1024 if sys.platform == "darwin" else most
    return bool(megabytes) and kilobytes > _MOST_LEFT * megabytes * 1024
