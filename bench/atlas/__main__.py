"""`python -m bench.atlas [MAP ...]` makes docs/atlas: asks what is not answered there yet, tries
the lines that were found, and writes the pages."""

from __future__ import annotations

import argparse
import sys

import dipsat
from bench.atlas import pages, record
from bench.atlas.answers import Answer, answer
from bench.atlas.bounds import raise_bound
from bench.atlas.questions import MAPS, Asked, questions
from bench.atlas.splits import not_all, split
from bench.atlas.trials import try_lines


def main() -> None:
    """Make the atlas of the maps."""
    parser = argparse.ArgumentParser(prog="python -m bench.atlas", description=__doc__)
    parser.add_argument("maps", metavar="MAP", nargs="*", help=f"maps ({' '.join(MAPS)})")
    parser.add_argument("--seconds", type=float, default=600, help="the most for a question (600)")
    parser.add_argument("--work", type=int, help="the most steps for a question")
    parser.add_argument("--attacks", type=int, default=10_000, help="on each line (10000)")
    parser.add_argument("--unknown", action="store_true", help="ask again what is unknown")
    parser.add_argument("--all", action="store_true", help="ask again where lines are left out")
    parser.add_argument("--bounds", action="store_true", help="raise the bounds of what is unknown")
    parser.add_argument("--pages", action="store_true", help="write the pages only")
    parser.add_argument("--centres", type=int, nargs="+", help="only these numbers of centres")
    given = parser.parse_args()
    limits = dipsat.Limits(seconds=given.seconds, work=given.work)
    for name in given.maps or MAPS:
        known = record.read(name)
        for one in questions(dipsat.load_map(name)) if not given.pages else ():
            if given.centres and one.asked.get("centres") not in given.centres:
                continue
            answers = known.setdefault(one.section, [])
            at = next((n for n, a in enumerate(answers) if a["asked"] == one.asked), None)
            had = answers[at] if at is not None else None
            if had is None or _again(had, one.every and given.all, given.unknown):
                at = len(answers) if at is None else at
                answers[at : at + 1] = [_answered(name, one, limits, given.attacks)]
                known.get("sizes", []).sort(key=lambda one: int(one["asked"]["centres"]))
                record.write(name, known)
            elif given.bounds and had["verdict"] == "unknown" and had["forms"]:
                raise_bound(name, had, limits)
                if had["verdict"] == "found":
                    try_lines(name, had, given.attacks)
                record.write(name, known)
        record.write(name, known)
    pages.write()


def _again(had: Answer, every: bool, unknown: bool) -> bool:
    """Whether to ask once more: what has not all lines, or is unknown."""
    return (every and had["verdict"] == "found" and not had["all"]) or (
        unknown and had["verdict"] == "unknown"
    )


def _answered(name: str, one: Asked, limits: dipsat.Limits, attacks: int) -> Answer:
    if one.section == "splits":
        made = split(name, one.asked, limits)
    elif one.section == "claims":
        made = not_all(name, one.asked, limits)
    else:
        made = answer(name, one.asked, limits, one.every)
    made |= {"line": one.line} if one.line else {}
    try_lines(name, made, attacks)
    print(name, one.asked, made["verdict"], made["fewest"], file=sys.stderr)
    return made


if __name__ == "__main__":
    main()
