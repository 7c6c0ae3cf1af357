"""`python -m tools.atlas [MAP ...]` makes docs/atlas: it asks the questions that are not answered
there yet, tries the lines found, and writes the pages."""

from __future__ import annotations

import argparse
import sys
from math import inf

import dipsat
from tools.atlas import pages, record
from tools.atlas.answers import Answer, answer
from tools.atlas.bounds import raise_bound
from tools.atlas.questions import MAPS, Asked, questions
from tools.atlas.split_units import SplitUnits, most_even, pairs
from tools.atlas.splits import not_all, split
from tools.atlas.trials import try_lines


def main() -> None:
    """Make the atlas of the maps."""
    parser = argparse.ArgumentParser(prog="python -m tools.atlas", description=__doc__)
    parser.add_argument("maps", metavar="MAP", nargs="*", help=f"maps ({' '.join(MAPS)})")
    parser.add_argument("--seconds", type=float, default=600, help="limit for a question (600)")
    parser.add_argument("--work", type=int, help="step limit for a question")
    parser.add_argument("--attacks", type=int, default=10_000, help="attacks on each line (10000)")
    parser.add_argument("--unknown", action="store_true", help="ask again about unknown answers")
    parser.add_argument("--all", action="store_true", help="ask again where lines are left out")
    parser.add_argument("--bounds", action="store_true", help="raise bounds of unknown answers")
    parser.add_argument("--pages", action="store_true", help="write only the pages")
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
                made = _answered(name, one, limits, given.attacks)
                answers[at : at + 1] = [made if had is None else _better(had, made)]
                known.get("sizes", []).sort(key=lambda one: int(one["asked"]["centres"]))
                record.write(name, known)
            elif given.bounds and had["verdict"] == "unknown" and had["forms"]:
                raise_bound(name, had, limits)
                if had["verdict"] == "found":
                    try_lines(name, had, given.attacks)
                record.write(name, known)
        if name == "standard" and not (given.pages or given.centres):
            _answer_splits(name, known, given, limits)
        record.write(name, known)
    pages.write()


def _again(had: Answer, every: bool, unknown: bool) -> bool:
    """Whether to ask again: lines are missing, or the answer is unknown."""
    return (every and had["verdict"] == "found" and not had["all"]) or (
        unknown and had["verdict"] == "unknown"
    )


def _better(had: Answer, made: Answer) -> Answer:
    """The better of two answers to a question that was asked again with other limits."""
    if made["verdict"] != "unknown":
        return made
    if had["verdict"] != "unknown":
        return had
    better = made if made["forms"] and _units(made) < _units(had) else had
    bound = max(had["bound"] or 0, made["bound"] or 0)
    return {**better, "bound": bound, "verdict": "found" if bound == _units(better) else "unknown"}


def _units(answered: Answer) -> float:
    return answered["fewest"] if answered["forms"] else inf


def _answered(name: str, one: Asked, limits: dipsat.Limits, attacks: int) -> Answer:
    if one.section == "claims":
        made = not_all(name, one.asked, limits)
    else:
        made = answer(name, one.asked, limits, one.every)
    made |= {"line": one.line} if one.line else {}
    try_lines(name, made, attacks)
    print(name, one.asked, made["verdict"], made["fewest"], file=sys.stderr)
    return made


def _answer_splits(
    name: str, known: record.Record, given: argparse.Namespace, limits: dipsat.Limits
) -> None:
    """Ask about the splits of a board without an answer, and keep lines of the most even splits."""
    had = {tuple(one["asked"]["split"]): one for one in known.get("splits", [])}
    asked = list(pairs(known["sizes"]))
    left = [one for one in asked if one not in had or _again(had[one], False, given.unknown)]
    if left:
        solver = SplitUnits(dipsat.load_map(name), known["sizes"])
        for both in left:
            made = had[both] = solver.answer(both, given.seconds)
            print(name, both, made["verdict"], made["fewest"], file=sys.stderr)
    for one in most_even(had.values()):
        if not one["forms"]:
            made = split(name, one["asked"], limits)
            assert made["fewest"] == made["bound"] == one["fewest"], made["asked"]
            try_lines(name, made, given.attacks)
            had[tuple(one["asked"]["split"])] = made
    known["splits"] = [had[both] for both in asked]


if __name__ == "__main__":
    main()
