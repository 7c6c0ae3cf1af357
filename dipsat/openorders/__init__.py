"""A phase with open orders: what may be ordered, the clauses, and lemmas about decision cycles."""
