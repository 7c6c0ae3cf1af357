"""The equation system of a phase: its facts, decisions and ground terms."""
