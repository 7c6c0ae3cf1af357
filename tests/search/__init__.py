"""Searches, lines, theorems and questions about all orders."""
