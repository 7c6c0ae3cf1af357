"""Compiled equations and dipsat's Python compared on very many boards."""
