"""Provinces, coasts, borders and maps; no units' orders, no rules."""
