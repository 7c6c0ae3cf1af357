"""Watching what one input costs: processor time, memory, and which error it ends in."""

from __future__ import annotations

import signal
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dipsat.errors import DipsatError
from tests.memory import megabytes_now, peak_megabytes

SECONDS = 5  # of processor time for one input
WAITING = 120  # seconds by the clock, for what waits and does not compute
MEGABYTES = 500  # more than before the input
_MOST_LINES = 61  # of a message
_LONGEST_LINE = 2000
_RESET = Path("/proc/self/clear_refs")


@dataclass(frozen=True, slots=True)
class Cost:
    """What an input cost, and its fault ("" if it has none)."""

    fault: str
    is_read: bool
    seconds: float
    megabytes: int


class _TooSlowError(BaseException):
    """The time for one input is over; no reader catches it."""


def cost_of(run: Callable[[str], object], text: str) -> Cost:
    """Give a text to a reader, and measure it."""
    before = _start_of_memory()
    for timer, number, most in (
        (signal.ITIMER_PROF, signal.SIGPROF, SECONDS),
        (signal.ITIMER_REAL, signal.SIGALRM, WAITING),
    ):
        signal.signal(number, _too_slow)  # which would end the process otherwise
        signal.setitimer(timer, most)
    fault, is_read, start = "", False, time.process_time()
    try:
        run(text)
        is_read = True
    except DipsatError as error:
        fault = _unshowable(str(error))
    except _TooSlowError:
        fault = f"more than {SECONDS} seconds\n" + "".join(traceback.format_exc(limit=-12))
    except Exception:
        fault = traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
    seconds = time.process_time() - start
    more = peak_megabytes() - before
    if not fault and seconds > SECONDS:  # in code that lets no signal in
        fault = f"more than {SECONDS} seconds"
    if not fault and more > MEGABYTES:
        fault = f"more than {MEGABYTES} megabytes"
    return Cost(fault, is_read, seconds, more)


def _too_slow(*_: object) -> None:
    raise _TooSlowError


def _unshowable(message: str) -> str:
    """Why a message cannot be shown in a terminal as it is, "" if it can."""
    lines = message.split("\n")
    if not message or len(lines) > _MOST_LINES or max(map(len, lines)) > _LONGEST_LINE:
        return f"a message that is empty or long: {message[:3000]!r}"
    if not all(line.isprintable() for line in lines):
        return f"a message that cannot be shown: {message!r}"
    return ""


def _start_of_memory() -> int:
    """The megabytes used now; on Linux the peak is set back to them."""
    if _RESET.exists():
        _RESET.write_text("5", encoding="ascii")
    return megabytes_now()
