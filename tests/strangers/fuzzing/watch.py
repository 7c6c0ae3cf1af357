"""What one input costs: processor time, memory, and what it ends in; here or in a fork."""

from __future__ import annotations

import faulthandler
import os
import pickle
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dipsat.errors import DipsatError
from tests.memory import megabytes_now, peak_megabytes
from tests.strangers.odd_input import check_message

SECONDS = 5  # of processor time for one input
WAITING = 120  # seconds by the clock, for what waits and does not compute
MEGABYTES = 500  # more than before the input
_DEAD = 2 * WAITING  # seconds after which an input hangs where no signal gets in
_RESET = Path("/proc/self/clear_refs")


@dataclass(frozen=True, slots=True)
class Cost:
    """What an input ended in (`result`, or the name of a `DipsatError`), its fault ("" if it has
    none), and what it cost."""

    answer: str
    fault: str
    seconds: float = 0.0
    megabytes: int = 0


class _TooSlowError(BaseException):
    """The time for one input is over; no reader catches it."""


def cost_of(act: Callable[[], object], seconds: float = SECONDS) -> Cost:
    """Read something, and measure what it costs."""
    before = _start_of_memory()
    for timer, number, most in (
        (signal.ITIMER_PROF, signal.SIGPROF, seconds),
        (signal.ITIMER_REAL, signal.SIGALRM, WAITING),
    ):
        signal.signal(number, _too_slow)  # which would end the process otherwise
        signal.setitimer(timer, most)
    answer, fault, start = "result", "", time.process_time()
    try:
        act()
    except DipsatError as error:
        answer, fault = type(error).__name__, _unreadable(error)
    except _TooSlowError:
        fault = f"more than {seconds} seconds\n" + "".join(traceback.format_exc(limit=-12))
    except Exception:
        fault = traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
    spent, more = time.process_time() - start, peak_megabytes() - before
    if not fault and spent > seconds:  # in code where no signal gets in
        fault = f"more than {seconds} seconds"
    if not fault and more > MEGABYTES:
        fault = f"more than {MEGABYTES} megabytes"
    return Cost(answer, fault, spent, more)


def in_child(work: Callable[[], Any]) -> Any:
    """What `work` returns in a fork of this process, or a text that says how the fork died."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            stay_alive()
            os.write(writing, pickle.dumps(work()))
        finally:
            sys.stderr.flush()
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        data = stream.read()
    _, status = os.waitpid(child, 0)
    return pickle.loads(data) if data else f"the process died ({status})"  # from our own process


def stay_alive() -> None:
    """Let this process go on; it ends if this is not called again in time."""
    faulthandler.dump_traceback_later(_DEAD, exit=True, file=2)


def _too_slow(*_: object) -> None:
    raise _TooSlowError


def _unreadable(error: DipsatError) -> str:
    """Why a message cannot be shown to people as it is, "" if it can."""
    try:
        check_message(error)
    except AssertionError:
        return f"a message that cannot be shown: {str(error)[:3000]!r}"
    return ""


def _start_of_memory() -> int:
    """The megabytes used now; on Linux the peak is set back to them."""
    if _RESET.exists():
        _RESET.write_text("5", encoding="ascii")
    return megabytes_now()
