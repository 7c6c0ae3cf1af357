"""The decisions of a phase, the reasons for them, and what is proven about them."""

from dipsat.proof.adjudicate import adjudicate
from dipsat.proof.outcome import OrderOutcome, Outcome
from dipsat.proof.subgraphs import Subgraph

__all__ = ["OrderOutcome", "Outcome", "Subgraph", "adjudicate"]
