"""The picture of a map: what it is, where it comes from, and what a map file says about it."""
