"""The kinds of questions about open orders."""

from __future__ import annotations

from dipsat.searches.achievement_goal import Achieve
from dipsat.searches.difference_goal import Differ
from dipsat.searches.guarantee_goal import Guarantee
from dipsat.searches.paradox_goal import Paradox
from dipsat.searches.question import Question

QUESTIONS: tuple[type[Question], ...] = (Paradox, Differ, Achieve, Guarantee)
"""Everything that asks, lists or describes questions takes them from here."""
