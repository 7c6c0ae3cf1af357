"""Why a decision came out as it did, read from its equation.

The equation that decided also explains: the first condition that does not hold gives the code, its
comparisons the numbers, its quantifiers the orders responsible. A verdict and its reason cannot
disagree, because the rule has only one text.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from dipsat.brief import brief
from dipsat.equations.about import unit_of, units_about
from dipsat.game.facts import UnitFacts
from dipsat.kept import kept_on_first
from dipsat.language.syntax import Compare, DecisionCall, Expression
from dipsat.profiles.profile import Decision, Profile
from dipsat.proof.findings import Finder, Findings, Settled
from dipsat.proof.resolved import ResolvedPhase
from dipsat.terms.term import Key

_OPPOSITES = {">": "<=", "<": ">=", ">=": "<", "<=": ">", "==": "!=", "!=": "=="}
_STRONGER = {
    ">": "stronger than", "<": "weaker than", ">=": "at least as strong as",
    "<=": "not stronger than", "==": "as strong as", "!=": "not as strong as",
}  # fmt: skip
_JOINING = ("against", "by", "of", "off", "than", "with")
"""The last words of texts that go on with the units responsible: `bounces off`."""
_RELATIONS = {
    ">": "is greater than", "<": "is less than", ">=": "is at least", "<=": "is not greater than",
    "==": "equals", "!=": "differs from",
}  # fmt: skip


@brief()
@dataclass(frozen=True, slots=True)
class Reason:
    """Why an order had its result."""

    code: str
    """For programs: `ok`, the name of the condition that failed, or a word such as `cycle_rule`."""
    text: str
    """For people: a sentence with the strengths, in units."""
    because: tuple[str, ...] = ()
    """The units whose orders caused it."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: every field by its name, without `is_`."""
        return {"code": self.code, "text": self.text, "because": list(self.because)}


class _StrengthComparison(NamedTuple):
    """A decisive comparison in words, with the units of its right side. If strengths of units are
    compared, `relation` is `stronger than` or the like, and the text names the others with the
    numbers: `A MUN supported by A RUH (1 against 2)`."""

    text: str
    relation: str
    units: tuple[UnitFacts, ...]


class Explainer:
    """Explains the decisions of one phase.

    `settled` has those that a cycle rule has settled: the rule explains them, not their equation.
    """

    def __init__(self, resolved: ResolvedPhase, settled: Mapping[Key, Settled]) -> None:
        self.resolved = resolved
        self.profile = resolved.profile
        self.settled = settled
        self.finder = Finder(resolved, settled)
        self.grounder, self.walk = self.finder.grounder, self.finder.walk
        self._heads = _heads(resolved.profile)

    def decision(self, key: Key) -> Reason:
        """Why a decision has its truth value: the rule that settled it, the first condition that
        fails, or, if all hold, what its conditions have overcome."""
        about = self.grounder.object(key)
        if self.settled and key in self.settled:
            subject, rule = unit_of(about), self.settled[key]
            because = tuple([str(unit) for unit in rule.units if unit is not subject])
            return Reason("cycle_rule", rule.text, because)
        family = self.profile.decisions[key[0]]
        found = self.finder.find(family, about)
        heads = self._heads.get(family.name)
        if heads is None:
            heads = self._heads[family.name] = _heads_of(self.profile, family)
        head = heads[found.failing]
        if not (found.who or found.compared or found.rules):
            return head.plain
        if found.is_settled:  # what the text says follows from the equation that the rule overrode
            head = _Head("", "", False, Reason(head.plain.code, ""))
        return self._reason(head, found, unit_of(about))

    def _reason(self, head: _Head, found: Findings, subject: Any) -> Reason:
        """The reason that begins with this text, with what was found about this unit's order."""
        direct = [str(unit.unit) for unit in found.who if unit is not subject]
        culprits = found.who
        telling: list[_StrengthComparison | Settled] = []
        telling += [self._comparison(*compared) for compared in found.compared]
        telling += found.rules
        for one in telling:
            for unit in one.units:
                culprits[unit] = None
        culprits.pop(subject, None)
        because = tuple([str(unit.unit) for unit in culprits])
        return Reason(head.plain.code, _sentence(head, telling, direct or because), because)

    def _comparison(
        self,
        node: Compare,
        value: bool,
        left: Any,
        right: Any,
        left_at: int | None,
        right_at: int | None,
        helpers: list[UnitFacts],
    ) -> _StrengthComparison:
        op = node.op if value else _OPPOSITES[node.op]
        op = ">" if op == ">=" and left > right else op
        left_text, left_units = self._side(node.left, left, left_at)
        right_text, right_units = self._side(node.right, right, right_at)
        opposing, backed = right_units, ""
        if helpers:
            opposing = tuple(dict.fromkeys([*right_units, *helpers]))
            helping = ", ".join([str(unit) for unit in opposing if unit not in right_units])
            backed = f" supported by {helping}" if helping else ""
        whose = ", ".join([str(unit.unit) for unit in right_units])
        if whose and left_units:
            text = f"{whose}{backed} ({left_text} against {right_text})"
            return _StrengthComparison(text, _STRONGER[op], opposing)
        left_text = f"{_words(node.left)}{left_text}"
        text = f"{left_text} {_RELATIONS[op]} {_words(node.right)}{right_text}"
        text += f" of {whose}" if whose else ""
        return _StrengthComparison(text + backed, "", opposing)

    def _side(
        self, node: Expression, value: Any, number: int | None
    ) -> tuple[str, tuple[UnitFacts, ...]]:
        """A side of a comparison: its value in words, and the units whose strength it is. `number`
        is that of the decision, if it is one."""
        text = str(int(value) if isinstance(value, int) else value)
        if number is None:
            return text, ()
        assert isinstance(node, DecisionCall)
        key = node.name, number
        if self.settled and (rule := self.settled.get(key)):
            text += f" by the rule '{rule.rule}'"
        return text, units_about(self.grounder.object(key))


def _words(node: Expression) -> str:
    """What stands before the value of a side: the name of its decision, if it is one."""
    return f"{node.name.replace('_', ' ')} " if isinstance(node, DecisionCall) else ""


def reason_of(profile: Profile, name: str, units: Collection[str]) -> Reason:
    """The text of the rules for something that holds because of the orders of some units."""
    head = _head(profile, name, "ok")
    return Reason("ok", _sentence(head, (), units), tuple(units))


class _Head(NamedTuple):
    """A text of the rules with which a reason begins. `before` stands before the units responsible:
    after `bounces off`, whose last word `goes_on` with them, or else behind a colon. `plain` is the
    reason if there are none: the text without that word."""

    text: str
    before: str
    goes_on: bool
    plain: Reason


def _heads_of(profile: Profile, family: Decision) -> list[_Head]:
    """The texts for each condition of a family that fails, and for all of them if they hold."""
    found = [_head(profile, name, name or family.name) for name, _ in family.conditions]
    return [*found, _head(profile, family.name, "ok")]


def _head(profile: Profile, name: str, code: str) -> _Head:
    """The text with the name of a condition or a decision, "" for a condition without one."""
    text = f"a condition of {profile.name} that has no name does not hold"
    if name:
        text = profile.reasons.get(name, name.replace("_", " "))
    begun, _, last = text.rpartition(" ")
    if begun and last in _JOINING:
        return _Head(text, f"{text} ", True, Reason(code, begun))
    return _Head(text, f"{text}: " if text else "", False, Reason(code, text))


@kept_on_first()
def _heads(profile: Profile) -> dict[str, list[_Head]]:
    """The texts that were needed so far, by family."""
    return {}


def _sentence(
    head: _Head, telling: Sequence[_StrengthComparison | Settled], culprits: Collection[str]
) -> str:
    """A text of the rules with what decided: after `bounces off`, the units with their strengths,
    otherwise behind a colon."""
    if not telling:
        return f"{head.before}{', '.join(culprits)}" if culprits else head.plain.text
    first = telling[0]
    if len(telling) == 1 and isinstance(first, _StrengthComparison) and first.relation:
        return f"{head.before}{'' if head.goes_on else f'{first.relation} '}{first.text}"
    clauses: list[str] = []
    named: dict[str, list[str]] = {}  # by how they compare
    for one in telling:
        if isinstance(one, _StrengthComparison) and one.relation:
            named.setdefault("" if head.goes_on else f"{one.relation} ", []).append(one.text)
        else:
            clauses.append(one.text)
    if not named and culprits and (head.goes_on or not clauses):
        named[""] = [", ".join(culprits)]
    units_named = [how + " and ".join(dict.fromkeys(who)) for how, who in named.items()]
    begin = head.plain.text
    if head.goes_on and named:
        begin = f"{head.before}{units_named.pop()}"
    details = dict.fromkeys([*units_named, *clauses])
    return ": ".join(part for part in (begin, "; ".join(details)) if part)
