"""A question about one file or about many, answered wherever there are workers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

import click

from dipsat.cli.parameters import print_error, print_json
from dipsat.cli.picture_files import write_picture
from dipsat.cli.printing import echo, json_text
from dipsat.errors import DipsatError
from dipsat.pages import parts_of

if TYPE_CHECKING:
    from dipsat.executors.many import Done
    from dipsat.executors.workers import Workers
    from dipsat.svg.markup import Svg

_EXIT_STATUS = {"found": 0, "holds": 0, "impossible": 1, "breaks": 1, "unknown": 3}
"""Exit status by verdict; 2 is bad input."""
_QUIET_SECONDS = 1.0
_PAUSE_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Asked:
    """How a question is asked of a file, and its answer shown."""

    read: Callable[[str], Any]
    """What a file poses."""
    ask: Callable[..., Any]
    """The answer to what is posed; it runs in any process, and takes `progress`."""
    drawn: Callable[[Any], Svg]
    """The picture of an answer."""
    keep: Callable[[Any], None] = lambda answer: None
    """Keeps something of an answer for a file of all answers."""


def show_answers(
    files: Sequence[str], asked: Asked, as_json: bool, picture_file: str | None, workers: Workers
) -> None:
    """Print the answer to a question about each file, and end with the status of the worst.

    Among several files a bad one is reported, and the others follow.
    """
    if picture_file is not None and len(files) > 1:
        raise click.UsageError("--svg draws one answer; name one FILE")
    if len(files) == 1 and workers.is_local and workers.resume is None:
        posed = asked.read(files[0])
        answer = asked.ask(posed, progress=Ticker())
        asked.keep(answer)
        show_answer(answer, as_json, picture_file, asked.drawn)
    click.get_current_context().exit(_answered(files, asked, as_json, picture_file, workers))


def show_answer(
    answer: Any,
    as_json: bool,
    picture_file: str | None,
    drawn: Callable[[Any], Svg],
) -> NoReturn:
    """Print one answer, and end with its status. A picture that cannot be written costs no
    answer."""
    _show(answer, as_json)
    if picture_file is not None:
        write_picture(drawn(answer), picture_file)
    click.get_current_context().exit(_EXIT_STATUS[answer.verdict])


def _answered(
    files: Sequence[str], asked: Asked, as_json: bool, picture_file: str | None, workers: Workers
) -> int:
    """Show the answers of workers. Returns the exit status: that of bad input before all, then that
    of an unknown answer, then the greatest."""
    from dipsat.cli.bar import Bar
    from dipsat.executors.many import run_many

    statuses, faults = [0], list[str]()

    def posed() -> Iterator[tuple[str, Any]]:
        for file in files:
            try:
                yield file, asked.read(file)
            except DipsatError as error:
                faults.append(str(error))

    def show(done: Done[tuple[str, Any], Any]) -> None:
        file, _ = done.given
        if done.error is not None:
            faults.append(f"{file}: {done.error}")
            return
        answer: Any = done.result
        statuses.append(_EXIT_STATUS[answer.verdict])
        asked.keep(answer)
        if picture_file is not None:
            write_picture(asked.drawn(answer), picture_file)
        if as_json:
            echo(json_text({"file": file, **answer.to_dict()}))
        else:
            echo(f"{file}:")
            _show(answer, False)

    try:
        with Bar("searching") as bar:
            for number, done in enumerate(run_many(_OfFile(asked.ask), posed(), workers), 1):
                show(done)
                bar("searching", number, len(files))
    except KeyboardInterrupt:
        echo(
            f"error: interrupted; {len(statuses) - 1} of {len(files)} files are answered", err=True
        )
        statuses.append(_EXIT_STATUS["unknown"])
    for fault in faults:
        print_error(fault)
    return 2 if faults else max(statuses)


@dataclass(frozen=True, slots=True)
class _OfFile:
    """Answers what a file poses."""

    ask: Callable[..., Any]

    def __call__(self, posed: tuple[str, Any]) -> Any:
        return self.ask(posed[1])


def _show(answer: Any, as_json: bool) -> None:
    from dipsat.cli.view import show

    if as_json:
        print_json(answer.to_dict())
    else:
        show(parts_of(answer))


class Ticker:
    """Writes the current step to standard error, once the work has taken a second, and no faster
    than people can read."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._shown = -_PAUSE_SECONDS

    def __call__(self, what: str) -> None:
        """Write a step, perhaps."""
        now = time.monotonic()
        if now - self._start > _QUIET_SECONDS and now - self._shown > _PAUSE_SECONDS:
            self._shown = now
            echo(f"{now - self._start:4.0f} s  {what}", err=True)
