"""Work for other processes. The module has few imports, since each process imports it."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path


def square(number: int, log: str = "") -> int:
    """Square a number; end the process for 13, run out of memory for 17, and fail for 19."""
    if log:
        with Path(log).open("a") as file:
            file.write(f"{number}\n")
    if number == 13:
        os.kill(os.getpid(), signal.SIGKILL)
    if number == 17:
        raise MemoryError
    if number == 19:
        raise ZeroDivisionError("of course")
    return number * number


def given_up(number: int, reason: str) -> str:
    """The result of a piece that nobody could do."""
    return f"{number}: {reason}"


def noise(number: int) -> str:
    """Text that compresses badly."""
    return random.Random(number).randbytes(10_000).hex()


def slow(number: int) -> tuple[int, int]:
    """The square of a number, and the process that computed it."""
    time.sleep(0.02)
    return number * number, os.getpid()
