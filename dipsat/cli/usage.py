"""Messages about wrong usage, printed as all others are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import click

from dipsat.cli.parameters import print_error
from dipsat.cli.printing import echo
from dipsat.errors import readable

_NO_COMMAND: Any = getattr(click.exceptions, "NoArgsIsHelpError", ())
"""What click raises for a group without a command, from 8.2 on; before, that was no error."""


@contextmanager
def readable_usage() -> Iterator[None]:
    """Shorten the messages of click, which repeat what was typed, and print them as all others."""
    try:
        yield
    except click.UsageError as error:
        if isinstance(error, _NO_COMMAND):
            raise  # click shows the help of the group, which is no message about a fault
        raise _WrongUsage(readable(error.format_message()), error.ctx) from None


class _WrongUsage(click.UsageError):
    def show(self, file: IO[Any] | None = None) -> None:
        """Print how the command is used, and what is wrong."""
        if self.ctx is not None:
            echo(
                f"{self.ctx.get_usage()}\nTry '{self.ctx.command_path} --help' for help.\n",
                err=True,
            )
        print_error(self.format_message())
