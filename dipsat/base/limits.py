"""Limits on the cost of a call and the files that it may read, for input from strangers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path

from dipsat.base.arguments import checked_fields
from dipsat.base.file_reading import ANYWHERE, Files, named_by, narrower
from dipsat.base.values import brief
from dipsat.errors import InputLimitError, LimitError

MAX_SECONDS = 10**9
"""Longer than anybody waits; longer limits are treated as this one."""
MAX_MEGABYTES = 10**9
"""More than any machine has."""

TOO_LATE = "the time limit was not enough"


class ExhaustedError(Exception):
    """A call has used up its steps or its time, or was interrupted; `str` says which.

    It is not a `DipsatError`, so that code which collects the faults of a document does not catch
    it. No public function raises it.
    """


@brief()
@checked_fields
@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on the cost of a call, and the files that it may read. In addition, dipsat always
    refuses rules, maps and orders that exceed its own bounds on size (docs/security.md)."""

    seconds: float | None = None
    """The seconds for the whole call. When they are up, a function that adjudicates leaves the rest
    `unknown`; a function that reads a file raises `LimitError`. None: no limit."""
    work: int | None = None
    """Steps of the solver, about a million a second, counted the same on every machine. Anything
    not decided by then is `unknown`. None: dipsat's own bound, which no game comes near."""
    megabytes: int | None = None
    """Megabytes of memory. Only a separate process can enforce this: `dipsat.run_limited`."""
    files: Files = ANYWHERE
    """Which files a name may refer to: a text passed as `rules` or `map`, or a name in a document.
    A `Path` that you pass, and the document itself, are always read."""

    def __post_init__(self) -> None:
        """Refuse limits that are not above zero."""
        for name in ("seconds", "work", "megabytes"):
            value = getattr(self, name)
            if value is not None and not value > 0:  # which NaN is not either
                shown = max(value, -MAX_SECONDS) if value < 0 else value  # Python may not write it
                raise LimitError(name, shown, "should be more than 0")
            if name == "megabytes" and value is not None and value > MAX_MEGABYTES:
                raise LimitError(name, MAX_MEGABYTES, "is the largest limit that can be enforced")


UNLIMITED = Limits()
"""Only dipsat's own bounds."""


_RUNNING: ContextVar[tuple[Limits, float | None]]
_RUNNING = ContextVar("_RUNNING", default=(UNLIMITED, None))
"""The state of the running call: its limits, and the reading of `time.monotonic()` at which it
ends, or None for no limit."""


def running(limits: Limits) -> AbstractContextManager[None]:
    """A block that begins now and keeps these limits and those of the call in which it runs.

    The limits do not apply to other threads. Do not yield inside the block: a generator would pass
    the limits on to its consumer. Raises `LimitError` for `megabytes`, and if the time is up before
    the block has an answer.
    """
    return _NO_MORE if limits is UNLIMITED or limits == UNLIMITED else _running(limits)


_NO_MORE = nullcontext()


@contextmanager
def _running(limits: Limits) -> Iterator[None]:
    if limits.megabytes is not None:
        problem = "needs a separate process: call dipsat.run_limited"
        raise LimitError("megabytes", limits.megabytes, problem)
    outer, end = _RUNNING.get()
    seconds = outer.seconds
    if limits.seconds is not None:
        own = time.monotonic() + min(limits.seconds, MAX_SECONDS)
        if end is None or own < end:
            end, seconds = own, limits.seconds
    work = min((one for one in (outer.work, limits.work) if one is not None), default=None)
    now = Limits(seconds, work, files=narrower(outer.files, limits.files))
    try:
        with _set(now, end):
            yield
    except ExhaustedError:
        raise not_enough(now) from None


def unlimited() -> AbstractContextManager[None]:
    """A block without limits on time and work, for a step of a search that is charged for as a
    whole. The allowed files are the same as outside."""
    return _set(replace(UNLIMITED, files=allowed_files()), None)


def reading(files: Files) -> AbstractContextManager[None]:
    """A block in which names may refer to these files."""
    limits, end = _RUNNING.get()
    return _set(replace(limits, files=files), end)


def reading_names_in(document: str | Path) -> AbstractContextManager[None]:
    """A block that reads files named in a document, as in `dipsat.base.file_reading`."""
    return reading(named_by(allowed_files(), document))


@contextmanager
def _set(limits: Limits, end: float | None) -> Iterator[None]:
    before = _RUNNING.set((limits, end))
    try:
        yield
    finally:
        _RUNNING.reset(before)


def running_limits() -> Limits:
    """The limits of the running call."""
    return _RUNNING.get()[0]


def running_deadline() -> float | None:
    """The reading of `time.monotonic()` at which the running call ends; None for no limit."""
    return _RUNNING.get()[1]


def allowed_files() -> Files:
    """The files that a name may refer to in the running call."""
    return _RUNNING.get()[0].files


def check_time() -> None:
    """Raise `ExhaustedError` if the time of the running call is up."""
    deadline = _RUNNING.get()[1]
    if deadline is not None and time.monotonic() >= deadline:
        raise ExhaustedError(TOO_LATE)


def not_enough(limits: Limits) -> LimitError:
    """The error for a call whose time is up before it has even a partial answer."""
    return LimitError("seconds", limits.seconds)


# --- limits of input ------------------------------------------------------------------------------

# The maximum sizes of untrusted input: every limit with its reason, in one place.
#
# Each is about ten times what the biggest shipped map or the longest known game needs. That map is
# `known_world_901`: 269 provinces, 109 supply centres, 17 powers, 4,995 values in its file. The
# most powers are the 34 of `chaos`. The longest known game has 150 phases: 200 KB and 19,400
# values in YAML, 320 KB and 46,000 values as the `diplomacy` package saves it, 2 MB with all
# messages. The DATC has about 160 cases.


@dataclass(frozen=True, slots=True)
class InputLimit:
    """A limit of input: `what` is counted, and `reason` says how `most` was chosen."""

    what: str
    most: int
    reason: str

    def of(self, whole: str) -> InputLimit:
        """The same limit within `whole`, which messages name."""
        return replace(self, what=f"{self.what} in {whole}")

    def check(self, found: int, place: str = "") -> None:
        """Raise `InputLimitError` if `found` is more; `place` is its place in the input."""
        if found > self.most:
            raise InputLimitError(place, self.what, found, self.most)


class Tally:
    """Counts things found by several readers against one limit."""

    def __init__(self, limit: InputLimit) -> None:
        self.limit = limit
        self.found = 0

    def add(self, count: int = 1) -> None:
        """Count some more. Raises `InputLimitError`."""
        self.found += count
        self.limit.check(self.found)


TEXT_BYTES = InputLimit(
    "bytes in a text file",
    4 * 1024 * 1024,
    "the biggest map has 28 KB, the DATC in jDip's format 200 KB, the longest game in YAML 200 KB",
)
GAME_BYTES = InputLimit(
    "bytes in a game", 20 * 1024 * 1024, "a long game with all messages has about 2 MB of JSON"
)
VALUES = InputLimit(
    "values in a file", 50_000, "the biggest map has 4,995 keys, texts, lists and mappings"
)
KEY_LENGTH = InputLimit("characters in a key", 300, "the longest shipped key has 30")
GAME_VALUES = InputLimit(
    "values in a game in YAML", 200_000, "the longest known game has 19,400 in YAML"
)
JSON_VALUES = InputLimit(
    "values in a game",
    500_000,
    "the longest known game has 46,000 without messages; commas in messages count too",
)
FOREIGN_WORDS = InputLimit(
    "words and signs in a file of another program",
    500_000,
    "the biggest known variant of vDiplomacy has 64,000 in a file",
)
BLANK_BYTES = InputLimit(
    "blank bytes in a row", 1024 * 1024, "between two games, a program leaves a line or two"
)
UNPACKED_RATIO = InputLimit(
    "bytes for each byte of packed data",
    200,
    "gzip makes files of games 15 times smaller, Zstandard up to 25 times",
)
ROWS_RATIO = InputLimit(
    "bytes for each byte of packed rows",
    2_000,
    "Zstandard makes files of rows up to 65 times smaller",
)
PACKED_SURPLUS = InputLimit(
    "packed bytes that unpack to too little",
    256 * 1024,
    "packed data are smaller than what they unpack to, which may be known after 128 KB of them",
)
LINE_BYTES = InputLimit(
    "bytes in a line of commands", 100_000, "all orders of the biggest map in one line have 4,000"
)
PHASES = InputLimit("phases in a game", 1_500, "the longest known game has 150")
CASES = InputLimit("cases in a file", 2_000, "the DATC has about 160")
PROVINCES = InputLimit("provinces on a map", 2_690, "the biggest map has 269")
NAMES = InputLimit("names", 2_690, "the biggest map has 269 provinces")
POWERS = InputLimit("powers on a map", 340, "the map with the most powers has 34")
UNITS = InputLimit("units on a board", 1_090, "the biggest map has 109 supply centres")
ORDERS = InputLimit(
    "orders in a phase", 2_690, "the biggest map has 269 provinces, each with one unit at most"
)
SHEET_LENGTH = InputLimit(
    "characters in an order sheet",
    128 * 1024,
    "the orders of the biggest map have 7,000, and e-mails quote others",
)
NOTE_LENGTH = InputLimit(
    "characters in the name of a player or in a deadline", 500, "names with addresses have 50"
)
READINGS = InputLimit(
    "ways to read the unclear orders of a phase",
    10_000,
    "the biggest map has 109 supply centres, and most unclear orders have fewer than 10 readings",
)
COMPARED_ORDERS = InputLimit(
    "orders in the ways to read unclear orders together",
    1_000_000,
    "7 powers with 14 orders each and 1,000 ways to read them have 98,000",
)
COMPARED_RULES = InputLimit(
    "rules in a comparison",
    100,
    "the edition of the rules with the most readings has fewer than 10",
)
FORM_PARTS = InputLimit(
    "words and fields in a form", 100, "the longest form of a shipped variant has 5"
)
OPTIONS = InputLimit("options", 50, "the variant with the most options has 4")
VALUES_OF_OPTION = InputLimit("values of an option", 40, "no shipped option has more than 4")
MEMBERS = InputLimit("members of a domain", 50, "the biggest domain of a shipped variant has 3")
KINDS_OF_ORDERS = InputLimit("kinds of orders", 50, "the variant with the most kinds has 2")
PICTURE_BYTES = InputLimit(
    "bytes in the picture of a map",
    8 * 1024 * 1024,
    "the standard board has 80 KB as a picture, and drawings of boards have 1 MB",
)
PICTURE_POINTS = InputLimit(
    "points in the outlines of a picture",
    100_000,
    "the standard board has 18,800, those on borders counted twice",
)
PICTURE_OUTLINES = InputLimit(
    "outlines of a province or of blank land",
    300,
    "no province of the standard board has more than 18",
)

HINTED = 109
"""For this many unclear orders of a power, dipsat looks for similar names: as many as the biggest
map has supply centres."""
