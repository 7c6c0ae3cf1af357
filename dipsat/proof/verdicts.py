"""The words for what becomes of orders."""

from __future__ import annotations

from collections.abc import Mapping

VERDICTS: Mapping[str, tuple[str, str]] = {
    "move": ("succeeds", "fails"),
    "support": ("given", "cut"),
    "convoy": ("available", "disrupted"),
    "dislodge": ("is dislodged", "is not dislodged"),
}
"""Per decision that is a verdict: the word if it is true, the word if it is false."""
DECLARED = ("succeeds", "fails")
"""The words for orders of kinds that rules declare."""
