"""Why a decision came out as it did, as a tree: what it rests on, and what that rests on.

The tree is read from the same equations, by the same walk, as the one-line reasons of
`dipsat.proof.reasons`: of a condition that fails those parts that fail, of a strength the branch
that was taken and everything that could have been added to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dipsat.equations.facts import ConvoyFacts, MoveFacts, Phase, SupportFacts, UnitFacts
from dipsat.equations.ground import Scope
from dipsat.equations.instances import Combination
from dipsat.orders.order import SupportHold, SupportMove
from dipsat.profiles.syntax import (
    Arithmetic,
    Chain,
    Choice,
    Compare,
    DecisionCall,
    Expression,
    Fact,
    Junction,
    Not,
    Quantifier,
)
from dipsat.proof.reasons import Explainer, Reason, units_of
from dipsat.proof.verdicts import DECLARED, VERDICTS
from dipsat.terms.term import Key

MAX_NODES = 400
"""So many decisions are told; a tree that would need more says where it stops."""

_ORDERS = (MoveFacts, SupportFacts, ConvoyFacts)
_SAME, _OTHER = "is that of", "is not that of"


@dataclass(frozen=True, slots=True)
class ExplanationNode:
    """A decision, its value and why it has it."""

    decision: str
    """Its name, as in `Outcome.decisions`; "" for a plain fact."""
    value: int | None
    """Its value: a truth value as 0 or 1, a strength as a count of units; None for a fact."""
    text: str
    """The same in words."""
    orders: tuple[str, ...] = ()
    """The orders that it is about."""
    refers: bool = False
    """Whether it was told before, so that there are no children."""
    children: tuple[ExplanationNode, ...] = ()
    """What it rests on."""

    def to_dict(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "decision": self.decision,
            "value": self.value,
            "text": self.text,
            "orders": list(self.orders),
            "refers": self.refers,
            "children": [child.to_dict() for child in self.children],
        }


class TreeBuilder:
    """Builds the tree of one unit. `write` gives the text of a unit's order."""

    def __init__(
        self, explainer: Explainer, phase: Phase, write: Callable[[UnitFacts], str]
    ) -> None:
        self.explainer = explainer
        self.grounder = explainer.grounder
        self.decisions = explainer.profile.decisions
        kinds = explainer.profile.declared.kinds.values()
        self.verdicts = dict.fromkeys((kind.verdict for kind in kinds), DECLARED) | dict(VERDICTS)
        self.phase = phase
        self.write = write
        self.told: set[Key] = set()

    def node(self, key: Key) -> ExplanationNode:
        """The tree of a decision; one that was told before is referred to."""
        subject = self.grounder.object(key)
        low, high = self.explainer.bounds.interval(key)
        orders = self._orders(units_of(subject))
        name = self.grounder.name(key)
        if low != high:
            return ExplanationNode(name, None, f"{name} is not decided: time ran out", orders)
        if key in self.told:
            return ExplanationNode(name, low, f"{self._short(key, low)}, see above", orders, True)
        if len(self.told) >= MAX_NODES:
            text = f"{self._short(key, low)}; the tree stops here"
            return ExplanationNode(name, low, text, orders, True)
        self.told.add(key)
        if settled := self.explainer.settled.get(key):
            orders = self._orders(dict.fromkeys([*units_of(subject), *settled.units]))
            return ExplanationNode(name, low, f"{self._short(key, low)}: {settled.text}", orders)
        if self.decisions[key[0]].type.is_truth:
            return self._truth(key, name, low, orders)
        return self._number(key, name, low, orders)

    def fact(self, text: str, *units: UnitFacts) -> ExplanationNode:
        """A leaf that is no decision."""
        return ExplanationNode("", None, text, self._orders(units))

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
            text += f": {self.explainer.decision(key).text}"
        found: dict[Key, None] = {}
        for _, condition in family.conditions:
            if self.explainer.holds(condition, scope) == bool(value):
                found |= dict.fromkeys(self._rests_on(condition, scope, bool(value)))
        return ExplanationNode(name, value, text, orders, False, self._children(found))

    def _children(self, keys: Mapping[Key, None]) -> tuple[ExplanationNode, ...]:
        nodes = [(key, self.node(key)) for key in keys]
        return tuple(node for key, node in nodes if not self._is_plain(key, node))

    def _is_plain(self, key: Key, node: ExplanationNode) -> bool:
        """Whether it goes without saying, told or referred to: a truth value that facts alone
        decide, and that is no verdict of an order."""
        if node.children or node.value is None or key in self.explainer.settled:
            return False
        subject, family = self.grounder.object(key), self.decisions[key[0]]
        if not family.type.is_truth or (key[0] in VERDICTS and isinstance(subject, _ORDERS)):
            return False
        scope = self.grounder.scope(key)
        return next(self._rests_on(family.equation, scope, bool(node.value)), None) is None

    def _rests_on(self, node: Expression, scope: Scope, value: bool) -> Iterator[Key]:
        """The decisions that make a truth value what it is."""
        match node:
            case DecisionCall():
                yield self.explainer.key(node, scope)
            case Compare() if node.open:
                for side in (node.left, node.right):
                    yield from self._calls(side, scope)
            case Choice():
                held = self.explainer.holds(node.condition, scope)
                yield from self._rests_on(node.condition, scope, held)
                chosen = node.then if held else node.otherwise
                yield from self._rests_on(chosen, scope, value)
            case Not() | Junction() | Quantifier() | Chain() if node.open:
                yield from self._rests_on_parts(node, scope, value)

    def _rests_on_parts(self, node: Expression, scope: Scope, value: bool) -> Iterator[Key]:
        found = [
            list(self._rests_on(part, inner, part_value))
            for part, inner, part_value, _ in self.explainer.decisive(node, scope, value)
            if part.open
        ]
        for keys in found:
            yield from keys
        if isinstance(node, Quantifier) and node.condition is not None and node.condition.open:
            yield from self._conditions(node, node.condition, scope)

    def _conditions(self, node: Quantifier, condition: Expression, scope: Scope) -> Iterator[Key]:
        """What decides whether members with an open condition belong to a quantifier's domain."""
        for member in self.grounder.thing(node.domain, scope):
            inner: Scope = {**scope, node.variable.name: member}
            held = self.explainer.holds(condition, inner)
            yield from self._rests_on(condition, inner, held)

    def _calls(self, node: Expression, scope: Scope) -> Iterator[Key]:
        """The decisions of a number in a comparison."""
        match node:
            case DecisionCall():
                yield self.explainer.key(node, scope)
            case Arithmetic():
                yield from self._calls(node.left, scope)
                yield from self._calls(node.right, scope)
            case Choice():
                held = self.explainer.holds(node.condition, scope)
                yield from self._rests_on(node.condition, scope, held)
                yield from self._calls(node.then if held else node.otherwise, scope)
            case Quantifier(op="sum"):
                for _, inner in self.explainer.members(node, scope):
                    yield from self._calls(node.body, inner)

    # --- strengths --------------------------------------------------------------------------------

    def _number(self, key: Key, name: str, value: int, orders: tuple[str, ...]) -> ExplanationNode:
        family = self.decisions[key[0]]
        scope = self.grounder.scope(key)
        parts = _Parts()
        self._account(family.equation, scope, parts)
        text = self._short(key, value)
        added = [str(self.grounder.object(k)) for k in parts.added if self._is_one(k)]
        if added:
            text += f"; {', '.join(added)} {'counts' if len(added) == 1 else 'count'}"
        if parts.facts:
            text += f": {'; '.join(parts.facts)}"
        children = self._children({k: None for k in parts.branch if k not in parts.added})
        children += tuple(self.node(k) for k in parts.added)
        children += tuple(self.fact(*omitted) for omitted in parts.omitted.items())
        return ExplanationNode(name, value, text, orders, False, children)

    def _is_one(self, key: Key) -> bool:
        low, _ = self.explainer.bounds.interval(key)
        return self.decisions[key[0]].type.is_truth and low == 1

    def _account(self, node: Expression, scope: Scope, parts: _Parts) -> None:
        """What a number is made of, along the branches that were taken."""
        match node:
            case DecisionCall():
                parts.added[self.explainer.key(node, scope)] = None
            case Arithmetic():
                self._account(node.left, scope, parts)
                self._account(node.right, scope, parts)
            case Choice():
                held = self.explainer.holds(node.condition, scope)
                parts.branch |= dict.fromkeys(self._rests_on(node.condition, scope, held))
                if held:
                    parts.facts += self._facts(node.condition, scope, True)
                self._account(node.then if held else node.otherwise, scope, parts)
            case Quantifier(op="sum"):
                self._sum(node, scope, parts)

    def _sum(self, node: Quantifier, scope: Scope, parts: _Parts) -> None:
        for member in self.grounder.thing(node.domain, scope):
            inner: Scope = {**scope, node.variable.name: member}
            if node.condition is None or self.explainer.holds(node.condition, inner):
                self._account(node.body, inner, parts)
            else:
                why = "; ".join(self._facts(node.condition, inner, False))
                text = f"{member} does not count"
                units = next(units_of(member), None)
                if units is not None:
                    parts.omitted[f"{text}: {why}" if why else text] = units
                parts.branch |= dict.fromkeys(self._rests_on(node.condition, inner, False))
        if isinstance(node.domain, Fact) and node.domain.name == "supports":
            self._unmatched(self.grounder.thing(node.domain.of, scope), parts)

    def _unmatched(self, helped: Any, parts: _Parts) -> None:
        """Supports that were ordered for it, but do not match what it does."""
        owners = set(units_of(helped))
        for index, mismatch in self.phase.invalid.items():
            unit = self.phase.units[index]
            is_support = isinstance(unit.order, SupportMove | SupportHold)
            if is_support and not owners.isdisjoint(mismatch.because):
                parts.omitted[f"{self.write(unit)} does not count: {mismatch.reason}"] = unit

    def _facts(self, node: Expression, scope: Scope, value: bool) -> list[str]:
        """The decisive comparisons of facts, such as the powers of two units, in words."""
        found: list[str] = []
        if isinstance(node, Compare):
            left, right = node.left, node.right
            if isinstance(left, Fact) and isinstance(right, Fact):
                same = self.grounder.thing(left, scope) == self.grounder.thing(right, scope)
                mine, other = (self.grounder.thing(side.of, scope) for side in (left, right))
                where = _SAME if same else _OTHER
                shown = self.grounder.thing(left, scope)
                found.append(f"the {left.name} of {mine} {where} {other}, {shown}")
            return found
        for part, inner, part_value, _ in self.explainer.decisive(node, scope, value):
            if not isinstance(part, DecisionCall):
                found += self._facts(part, inner, part_value)
        return list(dict.fromkeys(found))


class _Parts:
    """What a number is made of: the decisions added up, those that chose its branch, facts in
    words, and what could have been added but does not count."""

    def __init__(self) -> None:
        self.added: dict[Key, None] = {}
        self.branch: dict[Key, None] = {}
        self.facts: list[str] = []
        self.omitted: dict[str, UnitFacts] = {}


def leaf(order: str, verdict: str, reason: Reason) -> ExplanationNode:
    """A tree of one node: an order whose reason says everything."""
    text = f"{order} {verdict}" + (f": {reason.text}" if reason.text else "")
    return ExplanationNode("", None, text, (order,))
