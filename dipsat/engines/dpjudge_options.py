"""The options of a game that the algorithm of the DPjudge knows (Hand, the DPjudge's adjudication
algorithm)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Missing: TypeAlias = Literal["hold", "mark"]
"""What becomes of an order that needs a unit which does not exist: it is changed to HOLD, or it
stays what it is, is marked, and fails."""


@dataclass(frozen=True, slots=True)
class GameOptions:
    """The options in the order of the text: "the decision as to which should be done is based on a
    game option", three times.

    `missing_fleet` is for an army that is to go through a fleet which does not exist (step 1),
    `missing_army` for the convoy order of a fleet whose army does not exist (step 1), and
    `missing_unit` for the support of a unit that does not exist (step 2). With `portage_convoy`
    (RULE PORTAGE_CONVOY) armies also convoy fleets, where the rules make such orders legal. With
    `safe_convoys` (RULE SAFE_CONVOYS) a fleet that is weaker than several equal attackers is in
    danger too.
    """

    missing_fleet: Missing = "hold"
    missing_army: Missing = "hold"
    missing_unit: Missing = "hold"
    portage_convoy: bool = False
    safe_convoys: bool = False
