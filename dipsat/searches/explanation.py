"""Explaining the outcome of a unit's order: `dipsat.explain`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, TypeVar

from dipsat.base import (
    UNLIMITED,
    Drawn,
    Limits,
    Part,
    Plain,
    Shown,
    Styled,
    brief,
    fields_of,
    plain,
    running,
    titled,
)
from dipsat.game import PhaseKind, UnitFacts
from dipsat.orders import Hold, write_order
from dipsat.outcomes import (
    Evidence,
    ExplanationNode,
    MovementOrderOutcome,
    MovementOutcome,
    OrderOutcome,
    Outcome,
    TreeBuilder,
    drawn,
    leaf,
    lines_of_proof,
    style_of,
    with_reason,
)
from dipsat.rules import (
    DEFAULT_RULES,
    Citation,
    Profile,
    citations_in_words,
    cite,
    name_in_files,
    setting_values,
    shipped_names,
    short_name,
)
from dipsat.searches.order_changes import (
    Responsible,
    SmallestChange,
    change_in_words,
    responsible_in_words,
    responsible_orders,
    smallest_change,
)

_Answer = TypeVar("_Answer", Responsible, SmallestChange)
_NO_EQUATIONS = "this can be asked only about movement phases"
_UNDECIDED = "the outcome is not known: not everything in it is decided"


@brief()
@dataclass(frozen=True, slots=True)
class Explanation(Plain, Drawn, Shown):
    """Why a unit's order had its result. Made by `dipsat.explain`."""

    _drawn_by: ClassVar[str] = "explain"

    power: str
    """The power that gave the order."""
    unit: str
    """The unit, such as `A LON`."""
    order: str
    """The order, as in `OrderOutcome.order`."""
    verdict: str
    """The verdict on the order."""
    fate: str
    """The fate of the unit."""
    tree: ExplanationNode
    """The reasons, from the verdict down to the facts."""
    core: Responsible | None = None
    """The orders responsible for the verdict; None unless asked for."""
    change: SmallestChange | None = None
    """The fewest orders of its power that must change for the order to succeed; None unless asked
    for."""
    _outcome: Outcome | None = field(default=None, repr=False, compare=False)
    _entries: tuple[str, ...] = field(default=(), repr=False, compare=False)

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The sources of the rules that decided, in tree order."""
        if self._outcome is None:
            return ()
        return cite(self._outcome.profile, self._entries)

    @property
    def evidence(self) -> Evidence | None:
        """The proof of how many resolutions the phase has (`Outcome.evidence`)."""
        return None if self._outcome is None else self._outcome.evidence

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        added = {"citations": plain(self.citations), "evidence": plain(self.evidence)}
        return {**fields_of(self), **added}

    def _parts(self) -> Iterable[Part]:
        return parts_of_explanations((self,))


def parts_of_explanations(explanations: Sequence[Explanation]) -> Iterator[Part]:
    """The parts of explanations that are shown: the trees, under the names of the powers if there
    are several."""
    power = None
    for at, found in enumerate(explanations):
        if at:
            yield ""
        if len(explanations) > 1 and found.power != power:
            power = found.power
            yield Styled(titled(power), "bold")
        yield drawn(found.tree, style_of(found.verdict))
        if found.core is not None:
            yield from ("", responsible_in_words(found.core))
        if found.change is not None:
            yield from ("", change_in_words(found.change, found.power))
    outcome = explanations[-1]._outcome if explanations else None
    if outcome is not None:
        cited = dict.fromkeys(one for found in explanations for one in found.citations)
        if cited:
            yield from ("", *lines_of_citations(outcome.profile, tuple(cited)))
        yield from ("", *lines_of_proof(outcome))


def lines_of_citations(profile: Profile, found: Sequence[Citation]) -> Iterator[str]:
    """The sources of rules, and how to read them."""
    yield citations_in_words(profile, found)
    if number := next((one.number for one in found if one.number), ""):
        named = short_name(name_in_files(profile.path), shipped_names())
        rules = "" if named == DEFAULT_RULES else f"{named} "
        yield f"`dipsat rules show {rules}{number}` shows the first."


def explain(
    outcome: Outcome,
    unit: str | OrderOutcome,
    *,
    core: bool = False,
    change: bool = False,
    limits: Limits = UNLIMITED,
) -> Explanation:
    """Explain the outcome of an order: one of `outcome.orders`, or the one that `outcome.order`
    returns for a unit in any notation (`"A LON"`).

    The tree comes from the equations that decided. In retreat and adjustment phases, and for an
    illegal or invalid order, it is the order's reason. With `core`, the solver looks for the fewest
    orders that force the verdict whatever all other units do. With `change`, it looks for the
    fewest orders of the unit's own power that must change for the order to succeed, with all other
    orders as given, or proves that no such change exists. Both searches stop after a fixed number
    of steps, so that the answer is the same on every machine. `limits` can end them earlier, and an
    interrupt from the keyboard ends the one that is running. The orders found by then may not be
    the fewest; the answer says so.

    Raises the errors of `outcome.order`.
    """
    order = outcome.order(unit) if isinstance(unit, str) else unit
    tree = _tree(outcome, order)
    with running(limits):
        return Explanation(
            order.power,
            order.unit,
            order.order,
            order.verdict,
            order.fate,
            tree,
            _asked(outcome, order, responsible_orders, Responsible) if core else None,
            _asked(outcome, order, smallest_change, SmallestChange) if change else None,
            outcome,
            _entries(order, tree, outcome.position.phase.kind),
        )


def _asked(
    outcome: Outcome,
    order: OrderOutcome,
    find: Callable[[MovementOutcome, MovementOrderOutcome], _Answer],
    kind: Callable[..., _Answer],
) -> _Answer:
    """The result of a search about an order, or why the search cannot be asked."""
    if not outcome.is_decided:
        return kind("unknown", why=_UNDECIDED)
    if isinstance(outcome, MovementOutcome) and isinstance(order, MovementOrderOutcome):
        return find(outcome, order)
    return kind("unknown", why=_NO_EQUATIONS)


def _entries(order: OrderOutcome, tree: ExplanationNode, phase: PhaseKind) -> tuple[str, ...]:
    """The entries of the rules that decided about an order: the one that refused it, then the
    families of decisions and the cycle rules in its tree."""
    code, found = order.reason.code, dict[str, None]()
    known = {**_BEHIND, **_BEHIND_IN.get(phase, {})}
    if order.verdict in ("illegal", "invalid") or code in known or code in setting_values():
        found[known.get(code, code if code in setting_values() else "legal")] = None
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        found |= dict.fromkeys(filter(None, (node.rule or node.decision.partition("(")[0],)))
        waiting += reversed(node.children)
    return tuple(found)


_BEHIND = {
    "several_orders": "multiple_orders", "ordered_later": "order_sets",
    "unreadable": "poorly_written", "path_missing": "convoy_path",
    "coast_missing": "coast_of_two_omitted",
}  # fmt: skip
"""Code of the reason why an order is illegal -> the setting behind it, if its name differs and it
is not `legal`."""
_BEHIND_IN = {
    PhaseKind.RETREAT: {"unreachable": "may_retreat", "retreats_clash": "retreat_succeeds"},
    PhaseKind.ADJUSTMENT: {
        "coast_missing": "build_coast_omitted", "no_waiving": "waive",
        "too_many": "builds_too_many", "several_builds": "builds_in_one_place",
        "built_already": "builds_in_one_place", "not_owned": "build_where",
        "no_build_site": "build_where",
    },
}  # fmt: skip


def _tree(outcome: Outcome, order: OrderOutcome) -> ExplanationNode:
    if not isinstance(outcome, MovementOutcome) or not isinstance(order, MovementOrderOutcome):
        return leaf(order.order, order.verdict, order.reason)
    board = outcome.position.map

    def write(unit: UnitFacts) -> str:
        return f"{unit} H" if isinstance(unit.order, Hold) else write_order(unit.order, board)

    builder = TreeBuilder(outcome.explainer, write)
    key, facts = order.decision, order.facts
    root = leaf(order.order, order.verdict, order.reason) if key is None else builder.node(key)
    if facts is None or (key is not None and key[0] == "dislodge"):
        if order.fate and not root.children:  # only facts decide, and the reason names them
            return replace(root, text=with_reason(root.text, order.reason.text))
        return root
    if order.fate or (key is None and facts.province.attackers):
        fate = builder.node(("dislodge", facts.index))
        root = replace(root, refers=False, children=(*root.children, fate))
    return root
