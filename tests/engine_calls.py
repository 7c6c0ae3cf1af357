"""How often an engine resolves and adjudicates orders."""

from __future__ import annotations

import sys
from collections import Counter
from types import FrameType

import dipsat
from dipsat.equations import Phase
from dipsat.errors import CyclicOrdersError
from dipsat.outcomes import Verdicts, find_engine

_ADJUDICATE = {
    "recursive_guess": ("_Resolver._adjudicate",),
    "partial_information": ("_Resolver._adjudicate", "MultiPass._update"),
    "simple_recursive": ("OrderEquations.adjudicate",),
}
"""Engine -> its functions that adjudicate an order."""


def verdicts(name: str, phase: Phase) -> Verdicts | None:
    """An engine's verdicts and nothing else, so that they can be compared; None if the engine has
    no answer."""
    try:
        one = find_engine(name).decide(phase, dipsat.load_profile("datc"))
    except CyclicOrdersError:
        return None
    return Verdicts(one.moves, one.supports, one.convoys, one.dislodged, one.contested)


def counted(name: str, phase: Phase) -> tuple[int, int]:
    """How often an engine resolves an order, and how often it adjudicates one."""
    calls = Counter[str]()

    def seen(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and "studies" in frame.f_code.co_filename:
            calls[frame.f_code.co_qualname] += 1

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        verdicts(name, phase)
    finally:
        sys.setprofile(before)
    asked = sum(
        count
        for what, count in calls.items()
        if what.endswith(".resolve")
        and "<locals>" not in what  # the local ones belong to the backup rule
    )
    return asked, sum(calls[what] for what in _ADJUDICATE[name.partition("(")[0]])
