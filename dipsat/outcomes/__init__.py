"""From a phase to its outcome: verdicts, reasons, proofs and comparisons."""

from dipsat.base.extensions import face

__getattr__, __dir__, __all__ = face(__name__)
