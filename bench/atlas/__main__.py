"""`python -m bench.atlas [MAP ...]` makes docs/atlas: asks what is not answered there yet, tries
the lines that were found, and writes the pages."""

from __future__ import annotations

import argparse
import sys

import dipsat
from bench.atlas import pages, record
from bench.atlas.answers import answer
from bench.atlas.questions import MAPS, questions
from bench.atlas.trials import try_lines


def main() -> None:
    """Make the atlas of the maps."""
    parser = argparse.ArgumentParser(prog="python -m bench.atlas", description=__doc__)
    parser.add_argument("maps", metavar="MAP", nargs="*", help=f"maps ({' '.join(MAPS)})")
    parser.add_argument("--seconds", type=float, default=600, help="the most for a question (600)")
    parser.add_argument("--attacks", type=int, default=10_000, help="on each line (10000)")
    parser.add_argument("--pages", action="store_true", help="write the pages only")
    given = parser.parse_args()
    for name in given.maps or MAPS:
        known = record.read(name)
        if not given.pages:
            for section, asked in questions(dipsat.load_map(name)):
                answers = known.setdefault(section, [])
                if all(one["asked"] != asked for one in answers):
                    made = answer(name, asked, given.seconds)
                    try_lines(name, made, given.attacks)
                    answers.append(made)
                    print(name, asked, made["verdict"], made["fewest"], file=sys.stderr)
                    record.write(name, known)
        record.write(name, known)
    pages.write()


if __name__ == "__main__":
    main()
