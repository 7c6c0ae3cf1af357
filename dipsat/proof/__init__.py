"""What was decided, why, and what is proven about it."""

from dipsat.proof.adjudicate import adjudicate
from dipsat.proof.outcome import OrderOutcome, Outcome
from dipsat.proof.subgraphs import Subgraph

__all__ = ["OrderOutcome", "Outcome", "Subgraph", "adjudicate"]
