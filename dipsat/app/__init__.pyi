__all__: list[str]

from dipsat.app.command_line import main as main
from dipsat.app.messages import answer as answer
