"""What a run does unless its caller says; apart from the rest, since the command line shows it."""

from __future__ import annotations

RETRIES = 2
"""How often a piece of work that ended its worker is tried again."""
MOST_JOBS = 1024
"""The most processes that are started; a computer with as many cores is rare."""
