"""`python -m tests PART`: run what the tests try on a few inputs on any number of them."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

PARTS = {
    "agreement": "tests.kernel.agreement.run",
    "fuzz": "tests.strangers.fuzz",
    "hostile": "tests.strangers.hostile",
    "reasons": "tests.oracles.reasons",
}
"""Part -> the module that runs it, with options of its own."""


def main() -> None:
    """Run a part."""
    parser = argparse.ArgumentParser(prog="python -m tests", description=__doc__)
    parser.add_argument("part", choices=PARTS)
    part = parser.parse_args(sys.argv[1:2]).part
    import_module(PARTS[part]).main(sys.argv[2:])


if __name__ == "__main__":
    main()
