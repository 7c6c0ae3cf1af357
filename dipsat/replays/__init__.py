"""Recorded games, judged again: what differs, and which known deviation explains it."""
