"""Damaged inputs for every reader of dipsat, and what is done with those that it accepts."""
