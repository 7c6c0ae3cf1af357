"""The output of `dipsat replay`: differences as they are found, then a table of causes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Column
from rich.text import Text

import dipsat
from dipsat.app.parameters import write_picture
from dipsat.app.printing import echo, json_text
from dipsat.app.view import Bar, plain_table, terminal
from dipsat.base import counted, one_line, size_of
from dipsat.studies import (
    DifferingPhase,
    GameReport,
    ReplayFailure,
    ReplaySkipped,
    Result,
    deviations,
    replay_rows,
    side_in_words,
)

if TYPE_CHECKING:
    from dipsat.studies import RowsFile

_UNKNOWN = "no known cause"
_FAULTY = "the record cannot be read, or contradicts itself"
_LISTED = 100  # faults


def run_replay(
    files: Sequence[str],
    results: Callable[[Callable[[str, int, int], None]], Iterator[Result]],
    as_json: bool,
    summary: bool,
    picture_file: str | None = None,
    rows: RowsFile | None = None,
) -> int:
    """Show the results as they come, and return the exit status. If files are named, add rows to
    one, and write a picture of the first difference into another. After Ctrl-C, show the results so
    far."""
    console = terminal()
    tally, faults, remarks = _Tally(), _Faults("error"), _Faults("remark")
    total = sum(map(size_of, dict.fromkeys(files)))
    done: dict[str, int] = {}
    replayed = 0

    def advance(file: str, offset: int, games: int) -> None:
        """Show the number of games replayed; `offset` bytes of their file are done."""
        nonlocal replayed
        replayed += games
        done[file] = offset
        bar("replaying", sum(done.values()), total, f" {replayed} games")

    is_interrupted = False
    try:
        with Bar("replaying") as bar:
            for result in results(advance):
                found = _faults_of(result)
                tally.faults += len(found)
                faults.show(found, result.source)
                remarks.show(result.remarks, result.source)
                tally.add(result)
                if rows is not None:
                    rows.add_all(replay_rows((result,)))
                if as_json:
                    echo(json_text(result.to_dict()))
                elif isinstance(result, GameReport) and not summary:
                    _show_differences(console, result)
                if picture_file is not None and isinstance(result, GameReport) and result.differ:
                    write_picture(dipsat.draw.replay(result.differ[0]), picture_file)
                    picture_file = None
    except KeyboardInterrupt:
        if not (tally.games or tally.failures):
            raise
        is_interrupted = True
        if rows is not None:
            rows.cut_short()
    faults.end()
    remarks.end()
    if picture_file is not None:
        echo(f"remark: {picture_file} is not written: nothing differs", err=True)
    if not as_json:
        _show_tally(console, tally)
    if is_interrupted:
        echo("error: interrupted; this is what was found until then", err=True)
    return 2 if tally.faults else 1 if tally.causes[_UNKNOWN] else 3 if is_interrupted else 0


def _faults_of(result: Result) -> list[str]:
    """The faults of a file or a game, or of phases in it, each with its place."""
    if isinstance(result, ReplayFailure):
        return [result.problem]
    # The reason names the file unless it is a judgement about a phase.
    file = result.source.partition(": ")[0]
    return [
        skipped.reason if file in skipped.reason else _placed(result, skipped)
        for skipped in result.skipped
        if skipped.is_fault
    ]


def _placed(report: GameReport, skipped: ReplaySkipped) -> str:
    return f"{report.source}: {skipped.phase}: {skipped.reason}"


class _Faults:
    """Shows the first faults or remarks as they come. Consecutive ones that differ only in their
    places are shown once; so is the note that there are more."""

    def __init__(self, word: str) -> None:
        self._word = word
        self._shown = self._more = 0
        self._problem = self._last = ""

    def show(self, faults: Sequence[str], source: str) -> None:
        """Show the faults of a file, which begin with its `source` or with their own place."""
        for fault in faults:
            known = source if fault.startswith(source) else ""
            place, _, problem = fault.removeprefix(known).partition(": ")
            if problem and problem == self._problem:
                self._more, self._last = self._more + 1, f"{known}{place}"
                continue
            self.end()
            self._problem = problem
            self._shown += 1
            if self._shown <= _LISTED:
                for line in fault.splitlines():
                    echo(f"{self._word}: {one_line(line)}", err=True)
            elif self._shown == _LISTED + 1:
                echo(f"{self._word}: there are more {self._word}s", err=True)

    def end(self) -> None:
        """Print how often the last fault was repeated."""
        if self._more and self._shown <= _LISTED:
            last = one_line(self._last)
            echo(f"{self._word}: and {self._more} more like it, the last at {last}", err=True)
        self._more = 0


class _Tally:
    """The sums over all results."""

    def __init__(self) -> None:
        self.games = self.phases = self.agree = self.failures = self.faults = 0
        self.causes: Counter[str] = Counter()
        self.skipped: Counter[str] = Counter()
        self.named: set[str] = set()  # the deviations among the causes

    def add(self, result: Result) -> None:
        if isinstance(result, ReplayFailure):
            self.failures += 1
            return
        self.games += 1
        self.phases += result.phases
        self.agree += result.agree
        self.causes.update(_cause(difference) for difference in result.differ)
        self.named.update(name for difference in result.differ for name in difference.causes)
        self.skipped.update(
            _FAULTY if skipped.is_fault else skipped.reason for skipped in result.skipped
        )


def _cause(difference: DifferingPhase) -> str:
    return difference.cause or _UNKNOWN


def _show_differences(console: Console, report: GameReport) -> None:
    for difference in report.differ:
        style = "yellow" if difference.causes else "bold red"
        console.print(f"{one_line(report.source)}: {difference.phase}")
        console.print(Text(f"  {_cause(difference)}", style=style))
        console.print(f"  theirs: {side_in_words(difference.theirs)}")
        console.print(f"  ours:   {side_in_words(difference.ours)}")


def _show_tally(console: Console, tally: _Tally) -> None:
    table = plain_table(Column("Phases", justify="right"), "What")
    table.add_row(str(tally.agree), Text("agree", "green"))
    for cause, count in tally.causes.most_common():
        style = "bold red" if cause == _UNKNOWN else "yellow"
        table.add_row(str(count), Text(f"differ: {cause}", style))
    for reason, count in tally.skipped.most_common():
        table.add_row(str(count), f"not compared: {reason}")
    console.print(table)
    for deviation in deviations():
        if deviation.name in tally.named:
            console.print(Text.assemble((f"{deviation.name}: ", "yellow"), deviation.title))
    console.print(f"{counted(tally.games, 'game')}, {counted(tally.phases, 'phase')}.")
    if tally.failures:
        failures = counted(tally.failures, "file or game", "files or games")
        console.print(f"{failures} could not be replayed.", style="bold red")
