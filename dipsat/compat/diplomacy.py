"""Names that programs import from the package `diplomacy` 1.1.2: see docs/drop-in.md."""

import sys

from dipsat.compat.package_game import Game as Game
from dipsat.compat.package_map import Map as Map
from dipsat.compat.package_power import Power as Power
from dipsat.compat.phase_data import GamePhaseData as GamePhaseData, Message as Message
from dipsat.compat.stand_in import fill

fill(sys.modules[__name__])
