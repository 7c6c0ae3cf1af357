"""Questions about all orders and all positions of an enemy, such as whether a line holds."""

from dipsat.questions.hold import HoldResult, Witness, hold_line
from dipsat.questions.line import Enemy, Line
from dipsat.questions.line_file import parse_line, read_line

__all__ = ["Enemy", "HoldResult", "Line", "Witness", "hold_line", "parse_line", "read_line"]
