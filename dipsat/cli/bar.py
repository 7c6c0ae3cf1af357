"""A progress bar for long work."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn


class Bar:
    """A bar on standard error, if that is a terminal, for one stage of the work after another.

    It has no thread, so that processes may be forked while it exists.
    """

    def __init__(self, what: str) -> None:
        console = Console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %{task.fields[besides]}"),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            auto_refresh=False,
            disable=not console.is_terminal,
        )
        self._what = what
        self._task = self._progress.add_task(what, total=None, besides="")

    def __enter__(self) -> Bar:
        self._progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._progress.stop()

    def __call__(self, what: str, done: float, total: float, besides: str = "") -> None:
        """Show how much of the work is done; `besides` follows the percentage."""
        if what != self._what:
            self._what = what
            self._progress.reset(self._task, description=what, total=total)
        done = min(done, total)
        self._progress.update(
            self._task, completed=done, total=total, besides=besides, refresh=True
        )
