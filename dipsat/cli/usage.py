"""Messages about wrong usage, printed as all others are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import click

from dipsat.cli.parameters import print_error
from dipsat.cli.printing import echo
from dipsat.errors import readable


@contextmanager
def readable_usage() -> Iterator[None]:
    """Shorten the messages of click, which repeat what was typed, and print them as all others."""
    try:
        yield
    except click.UsageError as error:
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
