"""A phase whose orders are unknown: what may be ordered, the clauses, and what cycles teach."""
