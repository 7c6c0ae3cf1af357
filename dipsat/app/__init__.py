"""Interfaces for people and programs: the command line, the server, the rule lab's answers."""

from dipsat.base.extensions import face

__getattr__, __dir__, __all__ = face(__name__)
