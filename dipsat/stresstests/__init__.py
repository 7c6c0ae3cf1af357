"""Stress tests of rule profiles: boards on which they go wrong, and rules that do nothing."""
