"""Provinces, coasts, borders and maps, without orders and rules."""
