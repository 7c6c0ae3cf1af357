"""Kinds of values that are typed on the command line."""

from __future__ import annotations

import math

import click


def read_seconds(_: click.Context, __: click.Parameter, typed: str | None) -> float | None:
    """A positive, finite number of seconds; None if the option was not given."""
    if typed is None:
        return None
    try:
        seconds = float(typed)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise click.BadParameter(f"{typed!r} is no positive number of seconds, such as 10")
    return seconds
