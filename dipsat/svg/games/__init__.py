"""Whole games: one HTML page, or an animated GIF."""
