"""Judges beside each other: on what they agree, and the smallest orders on which they do not."""
