"""Recorded games, judged again: what comes out otherwise, and which known deviation explains it."""
