"""Positions, and how submitted orders are read."""

from dipsat.game.legality import Ruling, Status, Submission, judge_orders
from dipsat.game.position import Position, Unit
from dipsat.game.settings import Settings

__all__ = ["Position", "Ruling", "Settings", "Status", "Submission", "Unit", "judge_orders"]
