"""Positions, and how submitted orders are read."""

from dipsat.game.legality import judge_orders
from dipsat.game.position import Position
from dipsat.game.ruling import Ruling, RulingStatus, Submission
from dipsat.orders.order import Unit
from dipsat.profiles.settings import Settings

__all__ = ["Position", "Ruling", "RulingStatus", "Settings", "Submission", "Unit", "judge_orders"]
