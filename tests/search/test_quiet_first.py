"""Orders without a decision cycle are looked for first; no other orders may be lost by that."""

from __future__ import annotations

from collections.abc import Sequence

from dipsat import Position
from dipsat.outcomes import MovementOutcome
from dipsat.rules import load_profile
from dipsat.searches.cegar import Judged, find_quiet_first
from dipsat.searches.open_orders import Watch, ask_about

UNITS = {
    "AUSTRIA": ["F BAR", "F EDI"],
    "ENGLAND": ["A CLY"],
    "FRANCE": ["F NWG"],
    "GERMANY": ["F NWY", "A MUN"],
}
PARADOX = {
    "AUSTRIA": ["F BAR - NWG", "F EDI S F NWG"],
    "ENGLAND": ["A CLY - EDI VIA"],
    "FRANCE": ["F NWG C A CLY - EDI"],
    "GERMANY": ["F NWY S F BAR - NWG"],
}


def test_a_cycle_that_one_answer_has_settled_may_be_part_of_another() -> None:
    profile = load_profile("datc")
    asked = ask_about(Position.from_units(UNITS), [profile], PARADOX, None, Watch())
    seen = []

    def accept(judged: Sequence[Judged]) -> str | None:
        (outcome,) = judged
        assert isinstance(outcome, MovementOutcome)
        seen.append(
            str(next(unit.order for unit in outcome.facts.units if unit.unit.location == "MUN"))
        )
        return seen[-1] if len(seen) > 3 else None  # not what the solver offers first

    board = asked.board()
    found = find_quiet_first(board, [board.under(profile)], [], accept, Watch())
    assert found is not None
    assert len(set(seen)) == 4
