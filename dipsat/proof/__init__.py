"""What was decided, why, and what is proven about it."""

from dipsat.proof.adjudicate import adjudicate
from dipsat.proof.outcome import OrderOutcome, Outcome, Subgraph

__all__ = ["OrderOutcome", "Outcome", "Subgraph", "adjudicate"]
