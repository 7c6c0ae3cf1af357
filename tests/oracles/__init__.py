"""Answers of independent judges: brute force, second statements, other programs, people."""
