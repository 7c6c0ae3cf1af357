"""The tables that the site inserts where a page of docs/ names one, as in `<!-- table: maps -->`,
or links to a CSV file of docs/tables on a separate line; and files of rules linked in this way.

`python -m tools.site.tables NAME` prints a table of the first kind.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import dipsat
from dipsat.game import listed
from dipsat.studies.row_kinds import KINDS, RowKind, Type
from tools import tables

_PLACE = re.compile(r"^<!-- table: (.*) -->$", re.MULTILINE)
_FILE = re.compile(r"^\[[^\]]*\]\(tables/([\w-]+\.csv)\)$", re.MULTILINE)
RULES = re.compile(r"^\[[^\]]*\]\((examples/cookbook/[\w-]+\.yaml)\)$", re.MULTILINE)
"""A link to a file of rules, in place of which the site shows the file."""


def with_tables(text: str) -> str:
    """A page with the tables that it names or links, and the files of rules that it links."""
    with_rules = RULES.sub(_rules, text)
    return _FILE.sub(lambda found: _of_file(found[1]), _PLACE.sub(_named, with_rules))


def _rules(found: re.Match[str]) -> str:
    text = (tables.FOLDER.parent / found[1]).read_text(encoding="utf-8")
    return f"```yaml\n{text}```"


def _named(found: re.Match[str]) -> str:
    return TABLES[found[1]]()


def _of_file(name: str) -> str:
    head, *rows = tables.read(name)
    return _table(head, rows)


def maps() -> str:
    """The shipped maps, and the sources of their facts."""
    head = ("Name", "Title", "Provinces", "Centres", "Powers", "To win", "Sources")
    return _table(
        head,
        (
            (f"`{row.name}`", row.title, str(row.provinces), str(row.centers), str(row.powers),
             str(row.victory), ", ".join(dipsat.load_map(row.name).sources))
            for row in listed()
        ),
    )  # fmt: skip


def columns(kind: RowKind) -> str:
    """The columns of the rows that a command writes."""
    rows = ((f"`{one.name}`", _in_words(one.type), one.meaning) for one in kind.columns)
    return _table(("column", "type", "meaning"), rows)


def _in_words(type: Type) -> str:
    """A type as written on the page: `text`, `list of text`, `{power: text, ...}`."""
    if isinstance(type, list):
        return f"list of {_in_words(type[0])}"
    if isinstance(type, dict):
        return f"{{{', '.join(f'{name}: {_in_words(of)}' for name, of in type.items())}}}"
    return type


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(tables.table(head, rows))


TABLES: dict[str, Callable[[], str]] = {
    "maps": maps,
    **{f"rows of {kind.name}": partial(columns, kind) for kind in KINDS},
}


if __name__ == "__main__":
    print(TABLES[" ".join(sys.argv[1:])]())
