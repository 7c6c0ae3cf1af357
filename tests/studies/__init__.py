"""Other judges, and long comparisons with them."""
