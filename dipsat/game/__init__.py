"""Positions and phases: how orders are judged, and what comes next."""
