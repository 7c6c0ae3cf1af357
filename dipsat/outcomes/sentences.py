"""How reasons are worded: the texts of the rules, with the units and the strengths that decided."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from dipsat.base import kept_on_first
from dipsat.game import UnitFacts
from dipsat.outcomes.outcome import Reason
from dipsat.rules import Profile


@dataclass(frozen=True, slots=True)
class Settled:
    """How a cycle rule settled a decision: the rule's name, a sentence, the units of the cycle."""

    rule: str
    text: str
    units: tuple[UnitFacts, ...]


_OPPOSITES = {">": "<=", "<": ">=", ">=": "<", "<=": ">", "==": "!=", "!=": "=="}

_STRONGER = {
    ">": "stronger than", "<": "weaker than", ">=": "at least as strong as",
    "<=": "not stronger than", "==": "as strong as", "!=": "not as strong as",
}  # fmt: skip

_JOINING = ("against", "by", "of", "off", "than", "with")
"""The last words of texts that the units responsible follow directly, as in `bounces off`."""

_RELATIONS = {
    ">": "is greater than", "<": "is less than", ">=": "is at least", "<=": "is not greater than",
    "==": "equals", "!=": "differs from",
}  # fmt: skip


class StrengthComparison(NamedTuple):
    """A decisive comparison in words, with the units of its right side. If strengths of units are
    compared, `relation` is a phrase such as `stronger than`, and the text names the units on the
    right with the numbers: `A MUN supported by A RUH (1 against 2)`."""

    text: str
    relation: str
    units: tuple[UnitFacts, ...]


class Side(NamedTuple):
    """One side of a comparison: its value, the value in words and, for a decision, its name and the
    units whose strength it is."""

    value: Any
    text: str
    name: str = ""
    units: tuple[UnitFacts, ...] = ()


def comparison_in_words(
    op: str, holds: bool, left: Side, right: Side, helpers: Sequence[UnitFacts]
) -> StrengthComparison:
    """A comparison that holds or fails; `helpers` are the units that add to the right side."""
    op = op if holds else _OPPOSITES[op]
    op = ">" if op == ">=" and left.value > right.value else op
    helping = [unit for unit in dict.fromkeys(helpers) if unit not in right.units]
    opposing = (*right.units, *helping)
    backed = f" supported by {', '.join(map(str, helping))}" if helping else ""
    whose = ", ".join([str(unit.unit) for unit in right.units])
    if whose and left.units:
        text = f"{whose}{backed} ({left.text} against {right.text})"
        return StrengthComparison(text, _STRONGER[op], opposing)
    sides = [f"{one.name.replace('_', ' ')} {one.text}".lstrip() for one in (left, right)]
    text = f" {_RELATIONS[op]} ".join(sides)
    text += f" of {whose}" if whose else ""
    return StrengthComparison(text + backed, "", opposing)


def reason_in_words(
    head: Head,
    telling: Sequence[StrengthComparison | Settled],
    who: Iterable[UnitFacts],
    subject: object,
) -> Reason:
    """The reason for a result of a unit's order: the text of the rules, what decided, and the other
    units responsible."""
    culprits = dict.fromkeys(who)
    direct = [str(unit.unit) for unit in culprits if unit is not subject]
    culprits.update(dict.fromkeys(unit for one in telling for unit in one.units))
    because = tuple([str(unit.unit) for unit in culprits if unit is not subject])
    return Reason(head.plain.code, _sentence(head, telling, direct or because), because)


def reason_of(profile: Profile, name: str, units: Collection[str]) -> Reason:
    """The text of the rules for something that holds because of the orders of some units."""
    head = _head(profile, name, "ok")
    return Reason("ok", _sentence(head, (), units), tuple(units))


class Head(NamedTuple):
    """A text of the rules with which a reason begins. `before` comes before the units responsible.
    It is the text alone if that `goes_on` with them, as `bounces off` does, and otherwise ends in a
    colon. `plain` is the reason if there are no units: the text without that last word."""

    before: str
    goes_on: bool
    plain: Reason


@kept_on_first()
def heads_of(profile: Profile) -> Mapping[str, Sequence[Head]]:
    """Family -> the text for each of its conditions, used if it fails, and last the text used if
    all hold."""
    return {
        family: [
            *[_head(profile, name, name or family) for name, _ in decision.conditions],
            _head(profile, family, "ok"),
        ]
        for family, decision in profile.decisions.items()
    }


def _head(profile: Profile, name: str, code: str) -> Head:
    """The text for the condition or decision with this name; "" is a condition without one."""
    text = f"a condition of {profile.name} that has no name does not hold"
    if name:
        text = profile.reasons.get(name, name.replace("_", " "))
    begun, _, last = text.rpartition(" ")
    if begun and last in _JOINING:
        return Head(f"{text} ", True, Reason(code, begun))
    return Head(f"{text}: " if text else "", False, Reason(code, text))


def _sentence(
    head: Head, telling: Sequence[StrengthComparison | Settled], culprits: Collection[str]
) -> str:
    """A text of the rules with what decided: after `bounces off`, the units with their strengths;
    otherwise everything after a colon."""
    if not telling:
        return f"{head.before}{', '.join(culprits)}" if culprits else head.plain.text
    first = telling[0]
    if len(telling) == 1 and isinstance(first, StrengthComparison) and first.relation:
        return f"{head.before}{'' if head.goes_on else f'{first.relation} '}{first.text}"
    clauses: list[str] = []
    named: dict[str, list[str]] = {}  # by relation
    for one in telling:
        if isinstance(one, StrengthComparison) and one.relation:
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
