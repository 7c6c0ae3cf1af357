"""Finding the resolutions of an equation system: propagation, Z3, cycles. Z3 is imported only here,
in `models`."""

from dipsat.base.extensions import face

__getattr__, __dir__, __all__ = face(__name__)
