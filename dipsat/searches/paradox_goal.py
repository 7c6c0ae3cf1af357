"""Whether any orders leave decisions with no or several resolutions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dipsat.base import brief, checked_fields
from dipsat.equations import Key
from dipsat.errors import QuestionError, UnresolvedError, hint
from dipsat.rules import CYCLE, CycleRule, Expression, Fact, Junction, Predicate, Profile
from dipsat.searches.cegar import Confirmed, Facts, Judged, find_confirmed, simplest
from dipsat.searches.encoding import Choices
from dipsat.searches.open_board import OpenUnits, Placement
from dipsat.searches.open_orders import FEW, SearchProblem, regions
from dipsat.searches.open_places import UnitsAnywhere, Wanted, answered, parts_in
from dipsat.searches.question import Question
from dipsat.searches.ruled_system import RuledSystem

NONE, SEVERAL = "none", "several"
Kinds = Facts


@brief()
@checked_fields
@dataclass(frozen=True, slots=True)
class Paradox(Question):
    """Whether orders cause a decision cycle: decisions with no or several resolutions."""

    _command = "paradox"
    _in_short = "which orders have a decision cycle?"
    _has_cycle = True

    kind: str | None = field(
        default=None,
        metadata={
            "meaning": "the kind of decision cycle; None for any.",
            "option": "--kind",
            "help": "none, several, or the name of a cycle rule.",
        },
    )
    """`none` or `several` for a cycle with no or several resolutions, or the name of the cycle rule
    that settles it; None for any cycle."""

    def _accept(self, judged: Sequence[Judged]) -> Kinds | None:
        kinds = cycles_in(judged[0])
        return kinds if kinds and self.kind in (None, *kinds) else None

    def _find(self, asked: SearchProblem) -> Confirmed[Kinds] | None:
        """Find orders whose decisions have no or several resolutions.

        \b
        Examples:
          dipsat search paradox board.yaml --kind none
          dipsat search paradox --smallest --kind Szykman
        """
        (profile,) = asked.profiles
        check_kind(profile, self.kind)

        def search(choices: Choices | None, most: int | None) -> Confirmed[Kinds] | None:
            board = asked.board(choices)
            rules = board.under(profile)
            for claim in claims_of(profile, self.kind, most is not None):
                wanted = board.gates.any_of(claim.decisions(rules).values())
                found = find_confirmed(
                    board, [rules], [wanted], self._accept, asked.watch,
                    f"cycles of {claim.what}", most=most,
                )  # fmt: skip
                if found is not None:
                    return simplest(asked, found, self._accept)
            return None

        nearby = (search(choices, FEW) for choices in regions(asked))
        return next((found for found in nearby if found is not None), None) or search(None, None)

    def _find_anywhere(self, asked: UnitsAnywhere) -> tuple[Placement, Kinds] | None:
        """Units and orders with a decision cycle (of this kind)."""
        (profile,) = asked.profiles
        check_kind(profile, self.kind)
        for claim in claims_of(profile, self.kind, False):

            def with_cycle(board: OpenUnits, claim: Claim = claim) -> Wanted:
                rules = board.under(profile)
                parts = tuple(parts_in(rules, claim.decisions(rules)))
                return Wanted([rules], (), parts, f"cycles of {claim.what}")

            found = answered(asked, with_cycle, self._accept)
            if found is not None:
                return found
        return None

    @property
    def _found(self) -> str:
        """The heading of the orders found."""
        return f"Orders with a decision cycle{self._of_kind}"

    @property
    def _impossible(self) -> str:
        """The sentence that no order set has such a cycle."""
        if self.kind is None:
            return "for each of {sets} the decisions have exactly one resolution"
        return f"none of {{sets}} has a decision cycle{self._of_kind}"

    @property
    def _impossible_anywhere(self) -> str:
        """The same sentence about units that may stand anywhere."""
        units = "{units} on this map, {ordered}"
        if self.kind is None:
            return f"the decisions have exactly one resolution for every position of {units}"
        return f"no position of {units}, has a decision cycle{self._of_kind}"

    @property
    def _of_kind(self) -> str:
        return "" if self.kind is None else " of the kind '{kind}'"

    def _told(self, facts: Facts) -> Facts:
        """The kinds of the cycles, in words."""
        return (f"Kinds of the decision cycles met: {', '.join(facts)}",)


def kinds_of(profile: Profile) -> Kinds:
    """The kinds of decision cycles: without a resolution, with several, and for each cycle rule the
    cycles that it settles."""
    return (NONE, SEVERAL, *(rule.name for rule in profile.cycles))


def check_kind(profile: Profile, kind: str | None) -> None:
    """Raise `QuestionError` for a kind that does not exist under the profile."""
    known = kinds_of(profile)
    if kind is not None and kind not in known:
        problem = f"{kind!r} is not a kind of decision cycle under {profile.name!r}"
        raise QuestionError(f"{problem}{hint(kind, known, 'there are')}")


def cycles_in(judged: Judged) -> Kinds:
    """The kinds of the decision cycles in an outcome, sorted."""
    if isinstance(judged, UnresolvedError):
        return (SEVERAL if judged.resolutions else NONE,)
    found = set[str]()
    for record in judged.solution.records:
        if record.applied is not None:
            found |= {*record.applied.rules, SEVERAL if record.applied.resolutions else NONE}
    return tuple(sorted(found))


@dataclass(frozen=True, slots=True)
class Claim:
    """The target of a search: a cycle with a decision in each of these families, or any cycle if
    there are no families."""

    families: frozenset[str] = frozenset()

    @property
    def what(self) -> str:
        """The decisions of the cycle, in words."""
        return f"{' and '.join(sorted(self.families)) or 'any'} decisions"

    def decisions(self, rules: RuledSystem[Any]) -> Mapping[Key, int]:
        """The decisions that may be on the cycle, each with the literal that holds if it is. At
        least one must be."""
        return rules.each_on_cycle_with(self.families) if self.families else rules.each_open


def claims_of(profile: Profile, kind: str | None, is_first_look: bool) -> Iterator[Claim]:
    """The targets to look for, one after another; if the last is impossible, so is the question.

    A cycle that a rule settles has everything that the rule's condition asks for. Such cycles are
    rarer than others, so they come first.
    """
    for rule in profile.cycles:
        families = needed_families(rule)
        if families and kind in (None, NONE, SEVERAL, rule.name):
            yield Claim(families)
            if kind == rule.name or (kind and is_first_look):
                return
    yield Claim()


def needed_families(rule: CycleRule) -> frozenset[str]:
    """The families that must have a decision in every cycle that the rule settles."""
    return frozenset(_needed(rule.when))


def _needed(node: Expression) -> Iterator[str]:
    match node:
        case Junction(op="and", parts=parts):
            for part in parts:
                yield from _needed(part)
        case Predicate(op="some", domains=(Fact(of=of, name=name),)) if of.type == CYCLE:
            yield name
