"""The shipped profiles as lists show them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain

from dipsat.errors import UnknownNameError
from dipsat.plain import Plain
from dipsat.profiles.load import profile_title, shipped_names
from dipsat.profiles.names import LISTED_BY, choice_letters, short_name

GROUPS = ("", "variants", "choices", "judges")
"""The folders of profiles in the order of lists; "" is for those to play by. Others follow."""
_ISSUE = re.compile(r"\d+\.[A-Z]\.\d+")


@dataclass(frozen=True, slots=True)
class ListedProfile(Plain):
    """A shipped profile: its full and its shortest name, title, folder, the issue if it is a
    choice, and the letters that documents give it, by document, if its file has another name."""

    name: str
    short: str
    title: str
    group: str
    issue: str
    letters: Mapping[str, str]


def listed(prefix: str = "") -> list[ListedProfile]:
    """The shipped profiles: those to play by first, then by folder, choices in the order of their
    issues. With a prefix, only the choices of the issue of that name; if there is no such issue,
    the profiles with a name or an issue that begins with it, ignoring case.

    Raises `UnknownNameError` if there are none.
    """
    rows = _all_listed()
    wanted = prefix.strip().casefold()
    found = [row for row in rows if row.issue.casefold() == wanted] or [
        row for row in rows if any(name.casefold().startswith(wanted) for name in _names(row))
    ]
    if not found:
        known = dict.fromkeys(chain(*map(_names, rows)))
        raise UnknownNameError("profile", prefix, known, listed_by=LISTED_BY)
    return found if wanted else rows


def _names(row: ListedProfile) -> tuple[str, ...]:
    return row.short, row.name, row.issue


def _all_listed() -> list[ListedProfile]:
    known = shipped_names()
    rows = []
    for name in known:
        group, _, stem = name.rpartition("/")
        issue = _ISSUE.match(stem)
        title = " ".join(profile_title(name).split())
        letters = choice_letters(name) if issue else {}
        short, number = short_name(name, known), issue[0] if issue else ""
        rows.append(ListedProfile(name, short, title, group, number, letters))
    return sorted(rows, key=lambda row: (_place(row.group), _by_number(row.name)))


def _place(group: str) -> tuple[int, str]:
    """The profiles to play by, other folders, then parts of profiles."""
    known = GROUPS
    return (0 if not group else known.index(group) + 1 if group in known else 1, group)


def _by_number(name: str) -> list[tuple[int, str]]:
    """4.A.10 after 4.A.9."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", name)]
