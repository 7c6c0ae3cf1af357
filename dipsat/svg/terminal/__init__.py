"""Boards in the characters of a terminal."""
