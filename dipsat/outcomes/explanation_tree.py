"""The reasons for a decision as a tree: what it depends on, and what that depends on.

The tree is read from the same equations, by the same walk, as the one-line reasons
(`dipsat.outcomes.reasons`). It shows, for a failing condition, the parts that fail, and for a
strength, the branch that was taken and everything that could have been added to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from dipsat.base import Plain, Shown, Styled, Tree, brief
from dipsat.equations import Combination, Key, units_about
from dipsat.game import ConvoyFacts, MoveFacts, SupportFacts, UnitFacts
from dipsat.orders import SupportHold, SupportMove
from dipsat.outcomes.outcome import DECLARED, VERDICTS, Reason
from dipsat.outcomes.reasons import BRANCH, LEFT_OUT, NOBODY, OPERAND, Explainer, Part, whole
from dipsat.rules import Compare, Fact, Quantifier, thing

MAX_NODES = 400
"""The most decisions that a tree explains; a larger one says where it stops."""

_ORDERS = (MoveFacts, SupportFacts, ConvoyFacts)
_SAME, _OTHER = "is that of", "is not that of"


@brief()
@dataclass(frozen=True, slots=True)
class ExplanationNode(Plain, Shown):
    """A decision, its value, and why it has that value."""

    decision: str
    """Its name, as in `Outcome.decisions`; "" for a plain fact."""
    value: int | None
    """Its value: a truth value as 0 or 1, a strength in units; None for a plain fact."""
    text: str
    """The decision and its value in words."""
    orders: tuple[str, ...] = ()
    """The orders that it is about."""
    refers: bool = False
    """Whether the tree explains the decision above or stops here, so there are no children."""
    children: tuple[ExplanationNode, ...] = ()
    """The decisions and facts that it depends on."""
    rule: str = ""
    """The rule for decision cycles that settled it, "" if its equation decided."""

    def _parts(self) -> tuple[Tree]:
        return (drawn(self),)


def drawn(node: ExplanationNode, style: str = "") -> Tree:
    """The tree of a node as people read it, its first line in a style."""
    below = (drawn(child, "dim" if child.refers else "") for child in node.children)
    return Tree(Styled(node.text, style) if style else node.text, tuple(below))


class TreeBuilder:
    """Builds the tree of one unit. `write` gives the text of a unit's order."""

    def __init__(self, explainer: Explainer, write: Callable[[UnitFacts], str]) -> None:
        self.explainer = explainer
        self.grounder, self.walk = explainer.grounder, explainer.walk
        self.decisions = explainer.profile.decisions
        kinds = explainer.profile.declared.kinds.values()
        self.verdicts = dict.fromkeys((kind.verdict for kind in kinds), DECLARED) | dict(VERDICTS)
        self.phase = explainer.resolved.facts
        self.bounds = explainer.resolved.solution.bounds
        self.write = write
        self.shown: set[Key] = set()
        self._thing = partial(thing, around=self.phase)

    def node(self, key: Key) -> ExplanationNode:
        """The tree of a decision, or a reference if it is in the tree already."""
        subject = self.grounder.object(key)
        low, high = self.bounds.interval(key)
        orders = self._orders(units_about(subject))
        name = self.grounder.name(key)
        if low != high:
            return ExplanationNode(name, None, f"{name} is not decided: time ran out", orders)
        if key in self.shown:
            return ExplanationNode(name, low, f"{self._short(key, low)}, see above", orders, True)
        if len(self.shown) >= MAX_NODES:
            text = f"{self._short(key, low)}; the tree stops here"
            return ExplanationNode(name, low, text, orders, True)
        self.shown.add(key)
        if settled := self.explainer.settled.get(key):
            orders = self._orders(dict.fromkeys([*units_about(subject), *settled.units]))
            text = f"{self._short(key, low)}: {settled.text}"
            return ExplanationNode(name, low, text, orders, rule=settled.rule)
        if self.decisions[key[0]].type.is_truth:
            return self._truth(key, name, low, orders)
        return self._number(key, name, low, orders)

    def _orders(self, units: Any) -> tuple[str, ...]:
        return tuple(self.write(unit) for unit in units)

    def _short(self, key: Key, value: int) -> str:
        """A decision and its value in a few words."""
        subject, family = self.grounder.object(key), key[0]
        words = family.replace("_", " ")
        if isinstance(subject, Combination):  # move color red of A LON - BEL
            values = [part for part in subject.parts if isinstance(part, str)]
            words = " ".join([words, *values])
            subject = ", ".join(str(part) for part in subject.parts if part not in values)
        if not self.decisions[family].type.is_truth:
            return f"{words} {value} of {subject}"
        if family in self.verdicts:
            good, bad = self.verdicts[family]
            return f"{subject} {good if value else bad}"
        return f"{words} of {subject}: {'yes' if value else 'no'}"

    # --- truth values -----------------------------------------------------------------------------

    def _truth(self, key: Key, name: str, value: int, orders: tuple[str, ...]) -> ExplanationNode:
        family = self.decisions[key[0]]
        scope = self.grounder.scope(key)
        text = self._short(key, value)
        if any(code for code, _ in family.conditions):
            text = with_reason(text, self.explainer.decision(key).text)
        found: dict[Key, None] = {}
        for _, condition in family.conditions:
            if self.walk.value(condition, scope) is bool(value):
                found |= dict.fromkeys(self._rests_on(whole(condition, scope, bool(value))))
        return ExplanationNode(name, value, text, orders, False, self._children(found))

    def _children(self, keys: Mapping[Key, None]) -> tuple[ExplanationNode, ...]:
        nodes = [(key, self.node(key)) for key in keys]
        return tuple(node for key, node in nodes if not self._is_plain(key, node))

    def _is_plain(self, key: Key, node: ExplanationNode) -> bool:
        """Whether a node is obvious: a truth value that facts alone decide, and that is not the
        verdict of an order."""
        if node.children or node.value is None or key in self.explainer.settled:
            return False
        subject, family = self.grounder.object(key), self.decisions[key[0]]
        if not family.type.is_truth or (key[0] in VERDICTS and isinstance(subject, _ORDERS)):
            return False
        part = whole(family.equation, self.grounder.scope(key), bool(node.value))
        return next(self._rests_on(part), None) is None

    def _rests_on(self, part: Part) -> Iterator[Key]:
        """The decisions that determine a truth value."""
        # Only parts that contain decisions can lead to decisions.
        for end in self.walk.ends(
            part, lambda node, role, _: node.has_decision and role is not LEFT_OUT
        ):
            if (key := self.walk.called(end)) is not None:
                yield key

    # --- strengths --------------------------------------------------------------------------------

    def _number(self, key: Key, name: str, value: int, orders: tuple[str, ...]) -> ExplanationNode:
        family = self.decisions[key[0]]
        parts = _Parts()
        self._account(whole(family.equation, self.grounder.scope(key)), parts)
        text = self._short(key, value)
        added = [
            str(self.grounder.object(key))
            for key in parts.added
            if self.decisions[key[0]].type.is_truth and self.bounds.interval(key)[0] == 1
        ]
        if added:
            text += f"; {', '.join(added)} {'counts' if len(added) == 1 else 'count'}"
        if parts.facts:
            text += f": {'; '.join(parts.facts)}"
        children = self._children({k: None for k in parts.branch if k not in parts.added})
        children += tuple(self.node(k) for k in parts.added)
        children += tuple(
            ExplanationNode("", None, text, self._orders([unit]))
            for text, unit in parts.omitted.items()
        )
        return ExplanationNode(name, value, text, orders, False, children)

    def _account(self, part: Part, parts: _Parts) -> None:
        """Collect the parts of a number along the branches that were taken."""
        key = self.walk.called(part)
        if key is not None:
            parts.added[key] = None
        for one in self.walk.operands(part, lambda *_: True):
            _, _, value, members, role = one
            if role is OPERAND:
                self._account(one, parts)
            elif role is BRANCH and value:
                parts.facts += self._facts(one)
            elif role is LEFT_OUT:
                why = "; ".join(self._facts(one))
                text = f"{members[-1]} does not count"
                units = next(iter(units_about(members[-1])), None)
                if units is not None:
                    parts.omitted[f"{text}: {why}" if why else text] = units
            if role in (BRANCH, LEFT_OUT):
                parts.branch |= dict.fromkeys(self._rests_on(one))
        node, scope, *_ = part
        match node:
            case Quantifier(op="sum", domain=Fact(name="supports", of=helped)):
                self._unmatched(self._thing(helped, scope), parts)

    def _unmatched(self, helped: Any, parts: _Parts) -> None:
        """Collect the supports that were ordered for `helped` but do not match what it does."""
        owners = set(units_about(helped))
        for index, mismatch in self.phase.invalid.items():
            unit = self.phase.units[index]
            is_support = isinstance(unit.order, SupportMove | SupportHold)
            if is_support and not owners.isdisjoint(mismatch.because):
                parts.omitted[f"{self.write(unit)} does not count: {mismatch.reason}"] = unit

    def _facts(self, part: Part) -> list[str]:
        """The decisive comparisons of facts, such as the powers of two units, in words."""
        found: list[str] = []
        operands = (OPERAND, NOBODY)
        for node, scope, *_ in self.walk.ends(part, lambda _, role, __: role in operands):
            match node:
                case Compare(left=Fact() as left, right=Fact() as right):
                    shown, other = (self._thing(side, scope) for side in (left, right))
                    mine, theirs = (self._thing(s.of, scope) for s in (left, right))
                    where = _SAME if shown == other else _OTHER
                    found.append(f"the {left.name} of {mine} {where} {theirs}, {shown}")
        return list(dict.fromkeys(found))


@dataclass(slots=True)
class _Parts:
    """The parts of a number: the decisions added up, those that selected its branch, facts in
    words, and whatever could have been added but does not count."""

    added: dict[Key, None] = field(default_factory=dict)
    branch: dict[Key, None] = field(default_factory=dict)
    facts: list[str] = field(default_factory=list)
    omitted: dict[str, UnitFacts] = field(default_factory=dict)


def with_reason(told: str, why: str) -> str:
    """A verdict with its reason. If the reason begins with the verdict, it appears only once:
    `A MAR H cut` and `cut by A PIE`."""
    begun, _, last = told.rpartition(" ")
    if why.startswith((f"{last} ", f"{last}, ")):
        return f"{begun} {why}"
    return f"{told}: {why}" if why else told


def leaf(order: str, verdict: str, reason: Reason) -> ExplanationNode:
    """A tree with one node: an order whose reason says everything."""
    text = with_reason(f"{order} {verdict}", reason.text)
    return ExplanationNode("", None, text, (order,))
