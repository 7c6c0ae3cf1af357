"""`--smallest`: the fewest units anywhere on a map, for searches of `dipsat search`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dipsat.cli.parameters import Whole, named_rules
from dipsat.limits import Limits

if TYPE_CHECKING:
    from dipsat.searches.answer import Question

_F = TypeVar("_F", bound=Callable[..., Any])


def smallest_options(command: _F) -> _F:
    """Add `--smallest` and `--most`."""
    smallest = click.option(
        "--smallest", is_flag=True,
        help="Find the fewest units anywhere on the map, and prove that fewer are not enough. With "
        "FILE, the fewest that join its units.",
    )  # fmt: skip
    most = click.option(
        "--most", type=Whole(1, 8), metavar="N",
        help="With --smallest, the most units to try.  [default: 8]",
    )  # fmt: skip
    return smallest(most(command))


def answer_smallest(
    question: Question,
    rules: str | None,
    map_name: str | None,
    most: int | None,
    as_json: bool,
    picture_file: str | None,
    limits: Limits,
    solver: str,
    power: str | None = None,
) -> None:
    """Print the smallest position, and end with the status of the answer."""
    from dipsat.cli.files import refuse_same, show_remarks
    from dipsat.cli.many_files import Ticker, show_answer
    from dipsat.profiles.load import DEFAULT_RULES, load_profile
    from dipsat.searches.answer import Differ
    from dipsat.searches.smallest import search_smallest
    from dipsat.svg import search as drawn

    profile = load_profile(named_rules(rules) or DEFAULT_RULES)
    show_remarks(profile)
    if isinstance(question, Differ):
        refuse_same((profile, question.other))
    answer = search_smallest(
        question,
        map_name or profile.map or "standard",
        power=power,
        most=8 if most is None else most,
        rules=profile,
        limits=limits,
        progress=Ticker(),
        solver=solver,
    )
    show_answer(answer, as_json, picture_file, drawn)
