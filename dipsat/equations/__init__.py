"""The equation system of a phase: its facts, its decisions, its ground terms."""
