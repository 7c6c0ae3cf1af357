"""What was never seen on any board: cycle rules, values of decisions, conditions."""

from __future__ import annotations

from collections.abc import Iterator

from dipsat.profiles.profile import Decision, Profile
from dipsat.stresstests.observations import FAILS, FAILS_ALONE, FIRED, TROUBLE, VALUE, Sight
from dipsat.stresstests.report import FOUND, NEVER, StressFinding
from dipsat.stresstests.trial import FAILED, Tally


def troubles(tally: Tally) -> Iterator[tuple[Sight, StressFinding]]:
    """Each trouble that was seen, the most frequent first, with its finding."""
    seen = [sight for sight in tally.count if sight[0] in (*TROUBLE, FAILED)]
    for sight in sorted(seen, key=lambda one: (-tally.count[one], one)):
        yield sight, StressFinding(sight[0], about_of(sight), FOUND, tally.count[sight])


def about_of(sight: Sight) -> str:
    """A sight in words."""
    match sight:
        case ("cycle", count, families, rule):
            return f"{count}: {families}; settled by {rule}"
        case ("unresolved", count, families):
            return f"{count}: {families}"
    return ", ".join(sight[1:])


def unused_rules(profile: Profile, tally: Tally) -> Iterator[StressFinding]:
    """The cycle rules that were never used; rules with one name count as one."""
    for name in dict.fromkeys(rule.name for rule in profile.cycles):
        if not tally.count[FIRED, name]:
            yield StressFinding("rule", name, NEVER)


def constant_decisions(profile: Profile, tally: Tally) -> Iterator[StressFinding]:
    """The decisions to which equations never give a second value."""
    for name, decision in profile.decisions.items():
        values = sorted({int(s[2]) for s in tally.count if s[:2] == (VALUE, name)})
        if len(values) < 2:
            yield StressFinding("decision", name, NEVER, note=_value_note(decision, values))


def _value_note(decision: Decision, values: list[int]) -> str:
    if not values:
        return "there was none"
    if decision.type.is_truth:
        return "never false" if values[0] else "never true"
    return f"always {values[0]}"


def idle_conditions(profile: Profile, tally: Tally) -> Iterator[StressFinding]:
    """The named conditions that never fail while the others hold."""
    for name, decision in profile.decisions.items():
        if len(decision.conditions) < 2:
            continue
        for code, _ in decision.conditions:
            count = tally.count[FAILS, name, code]
            if not tally.count[FAILS_ALONE, name, code]:
                note = "never alone" if count else "never fails"
                yield StressFinding("condition", f"{name}: {code}", NEVER, count, note)
