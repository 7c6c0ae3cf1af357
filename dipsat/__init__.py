"""dipsat: the Diplomacy adjudicator that proves its answers.

>>> import dipsat
>>> position = dipsat.Position.from_units({"ENGLAND": ["F NTH", "A LON"], "FRANCE": ["F BEL"]})
>>> outcome = dipsat.adjudicate(position, {"ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL"]})
>>> outcome.order("A LON").verdict
'fails'

The names of this package and of its modules `compat`, `draw`, `engines`, `environments`, `errors`,
`kernel`, `searches` and `studies` are public; `help(dipsat.studies)` lists those of a module.
Everything else may change.
"""

from importlib import import_module

from dipsat.base import extensions
from dipsat.base.version import __version__ as __version__

extensions.register(extensions.ANSWERS, lambda: import_module("dipsat.kernel.answers"))
extensions.register(extensions.ENGINES, lambda: import_module("dipsat.studies.engine_names"))
extensions.register(extensions.PICTURES, lambda: import_module("dipsat.draw"))

__getattr__, __dir__, __all__ = extensions.public(__name__)
