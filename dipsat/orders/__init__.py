"""Order types and the notations people write them in."""
