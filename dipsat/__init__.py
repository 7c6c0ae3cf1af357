"""dipsat: the Diplomacy adjudicator that proves its answers.

>>> import dipsat
>>> position = dipsat.Position.from_units({"ENGLAND": ["F NTH", "A LON"], "FRANCE": ["F BEL"]})
>>> outcome = dipsat.adjudicate(position, {"ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL"]})
>>> outcome.order("A LON").verdict
'fails'
"""

from dipsat.board.load import load_map, map_names
from dipsat.board.map import Map
from dipsat.errors import DipsatError
from dipsat.game.position import Position, Unit
from dipsat.orders.reader import OrderReader, reader_for
from dipsat.orders.writer import write_order
from dipsat.profiles.load import load_profile, profile_names
from dipsat.profiles.profile import Profile
from dipsat.proof.adjudicate import adjudicate
from dipsat.proof.outcome import OrderOutcome, Outcome
from dipsat.proof.subgraphs import Subgraph

__version__ = "0.1.0"

__all__ = [
    "DipsatError",
    "Map",
    "OrderOutcome",
    "OrderReader",
    "Outcome",
    "Position",
    "Profile",
    "Subgraph",
    "Unit",
    "adjudicate",
    "load_map",
    "load_profile",
    "map_names",
    "profile_names",
    "reader_for",
    "write_order",
]
