"""Boards as SVG: a position, orders and results on the picture of a map."""
