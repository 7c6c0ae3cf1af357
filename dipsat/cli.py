"""The command line (`dipsat.app`)."""

from dipsat.app import main as main
