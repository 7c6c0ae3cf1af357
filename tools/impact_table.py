"""`python -m tools.impact_table`: regenerate the table of docs/impact.md.

Every shipped choice of the DATC and every rulebook has a row: in how many of the recorded phases,
and on how many random boards, its result differs from `datc`. The games are those beside the
checkout (`shared/data/games.jsonl.gz`); without them no table can be made.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from dipsat import studies
from dipsat.rules import shipped_names
from dipsat.studies import percent
from tests.recorded import GAMES
from tools.tables import FOLDER, to_csv

PAGE = Path(__file__).resolve().parent.parent / "docs" / "impact.md"
TABLE = FOLDER / "impact.csv"
BEGIN, END = "<!-- begin of the table of impact -->\n", "<!-- end of the table of impact -->"
BOARDS, SEED, UNITS = 20_000, 0, 27
OF_GAMES = ("phases", "share", "board", "games", "orders", "why")
HEADS = ("rules", *OF_GAMES, "boards", "share", "board", "why")
_MOST_CAUSES = 3


def names() -> tuple[str, ...]:
    """The rule sets of the table."""
    found = shipped_names()
    return tuple(name for name in found if name.startswith(("choices/", "rulebooks/")))


def row(name: str, own: studies.RulesImpact, boards: studies.RulesImpact) -> tuple[str, ...]:
    """A row of the table."""
    shown = name.removeprefix("choices/")
    if not own.differ:
        found = ("0", *[""] * (len(OF_GAMES) - 1))
    else:
        numbers = (f"{own.board_differs:,}", f"{own.games:,}", f"{own.orders:,}")
        found = (f"{own.differ:,}", percent(own.differ, own.compared), *numbers, why(own))
    if not boards.differ:
        return (f"`{shown}`", *found, "0", "", "", "")
    share = percent(boards.differ, boards.compared)
    numbers = (f"{boards.differ:,}", share, f"{boards.board_differs:,}")
    return (f"`{shown}`", *found, *numbers, why(boards))


def why(own: studies.RulesImpact) -> str:
    """The most frequent causes; without a number if there is only one."""
    texts = [" and ".join(cause.entries) for cause in own.causes]
    if len(texts) == 1:
        return texts[0]
    counted = [f"{t}: {c.phases:,}" for t, c in zip(texts, own.causes, strict=True)]
    more = len(counted) - _MOST_CAUSES
    return "; ".join([*counted[:_MOST_CAUSES], *([f"{more} more"] if more > 0 else [])])


def made(jobs: int, boards: int, resume: str) -> tuple[str, list[tuple[str, ...]]]:
    """The commands that make the table, and its rows."""

    def workers(part: str) -> studies.Workers:
        return studies.Workers(jobs, resume=f"{resume}.{part}" if resume else None)

    rules = names()
    games = studies.impact(rules, GAMES, examples=0, jobs=workers("games"))
    at_random = studies.RandomBoards(boards, SEED, UNITS)
    tense = studies.impact(rules, boards=at_random, examples=0, jobs=workers("boards"))
    skipped = "; ".join(f"{count} because {why}" for why, count in games.skipped.items())
    commands = (
        "The table comes from two runs: `dipsat rules impact NAME --games games.jsonl.gz`, on "
        f"{games.compared:,} phases of {games.games} games, and `dipsat rules impact NAME --random "
        f"{boards} --seed {SEED} --units {UNITS}`. Phases left out: {skipped}. "
        "`python -m tools.impact_table` regenerates it."
    )
    return commands, [row(*one) for one in zip(rules, games.rules, tense.rules, strict=True)]


def main() -> None:
    """Write the table into its page."""
    parser = argparse.ArgumentParser(prog="python -m tools.impact_table", description=__doc__)
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    parser.add_argument("--boards", type=int, default=BOARDS, help=f"random boards ({BOARDS})")
    parser.add_argument("--resume", default="", help="the prefix of the names of journals")
    given = parser.parse_args()
    commands, rows = made(given.jobs, given.boards, given.resume)
    TABLE.write_text(to_csv(HEADS, rows), encoding="utf-8")
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n{commands}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
