"""`python -m tools.site DIR` builds the docs as a site, with the rule lab in it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from dipsat.errors import DipsatError
from tools.site.build import SiteError, build


def main() -> None:
    """Build the site, and say how to read it."""
    parser = argparse.ArgumentParser(prog="python -m tools.site", description=__doc__)
    parser.add_argument("folder", metavar="DIR", type=Path, help="where the site is written")
    parser.add_argument(
        "--pyodide", type=Path, metavar="FOLDER",
        help="let the lab run in the page, by Python for browsers (docs/lab.md)",
    )  # fmt: skip
    parser.add_argument("--force", action="store_true", help="replace an older site in DIR")
    given = parser.parse_args()
    try:
        lacking = build(given.folder, given.pyodide, given.force)
    except (SiteError, DipsatError) as error:
        sys.exit(f"{error}")
    if lacking:
        print(f"The lab will start slowly: {lacking}.", file=sys.stderr)
    print(f"The site is built. To read it: python3 -m http.server --directory {given.folder}")


if __name__ == "__main__":
    main()
