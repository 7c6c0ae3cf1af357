"""Finding the resolutions of an equation system: propagation, Z3, cycles. Only this room, in
`models`, imports Z3."""

from dipsat.base.extensions import face

__getattr__, __dir__, __all__ = face(__name__)
