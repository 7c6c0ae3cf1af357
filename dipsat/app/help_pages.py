"""Help pages that are easy to scan: options under headings, the rare ones last."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from dipsat.base import grouped

_OPTIONS, _ADVANCED = "Options", "Advanced options"


class Option(click.Option):
    """An option under a heading of the help."""

    def __init__(self, *arguments: Any, heading: str = _OPTIONS, **given: Any) -> None:
        super().__init__(*arguments, **given)
        self.heading = heading


class Command(click.Command):
    """A command whose help lists options under headings, the rare ones last."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections of options."""
        options = [one for one in self.get_params(ctx) if isinstance(one, click.Option)]
        found = grouped(
            (getattr(one, "heading", _OPTIONS), record)
            for one in options
            if (record := one.get_help_record(ctx)) is not None
        )
        for heading in sorted(found, key=_ADVANCED.__eq__):
            with formatter.section(heading):
                formatter.write_dl(found[heading])


option = partial(click.option, cls=Option)
"""`click.option` with the argument `heading`."""
rare = partial(option, heading=_ADVANCED)
"""An option that few people need."""
command = partial(click.command, cls=Command)
"""`click.command` with headings in its help."""
