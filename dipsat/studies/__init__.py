"""Other judges, and long work: comparisons of judges, records and rules on many boards."""
