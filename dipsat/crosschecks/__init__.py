"""Comparing judges: where they agree, and the smallest orders on which they do not."""
