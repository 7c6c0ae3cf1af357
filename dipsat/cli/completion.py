"""The names that a shell offers after Tab: shipped rules and maps, and files."""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem


def complete_rules(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """The shipped profiles, also after a `+`, and rule files."""
    from dipsat.profiles.names import shipped_names, short_name

    known = shipped_names()
    before, plus, last = typed.rpartition("+")
    names = [short_name(name, known) for name in known]
    return [*_beginning(names, last, before + plus), CompletionItem(typed, type="file")]


def complete_maps(_: click.Context, __: click.Parameter, typed: str) -> list[CompletionItem]:
    """The shipped maps, and map files."""
    from dipsat.board.load import map_names

    return [*_beginning(map_names(), typed), CompletionItem(typed, type="file")]


def _beginning(names: Iterable[str], typed: str, before: str = "") -> list[CompletionItem]:
    """The names that begin with what was typed, in any case."""
    wanted = typed.casefold()
    return [CompletionItem(before + name) for name in names if name.casefold().startswith(wanted)]
