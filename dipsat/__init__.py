"""dipsat: the Diplomacy adjudicator that proves its answers.

>>> import dipsat
>>> position = dipsat.Position.from_units({"ENGLAND": ["F NTH", "A LON"], "FRANCE": ["F BEL"]})
>>> outcome = dipsat.adjudicate(position, {"ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL"]})
>>> outcome.order("A LON").verdict
'fails'

The names of this package, of `dipsat.errors`, of `dipsat.engines` and of `dipsat.draw` are public;
docs/api.md lists them all. Everything else may change.
"""

from importlib import import_module

from dipsat.base import __version__ as __version__, extensions

extensions.register(extensions.ENGINES, lambda: import_module("dipsat.studies.engine_names"))
extensions.register(extensions.PICTURES, lambda: import_module("dipsat.draw"))

__getattr__, __dir__, __all__ = extensions.public(__name__)
