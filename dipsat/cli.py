"""The command line (`dipsat.app`)."""

from dipsat.app.command_line import main as main
