"""Equations about a phase: ground terms, the facts that they read, and the ways to read terms."""
