"""A judge: an engine with the rules that it is given."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from dipsat.engines.names import SOLVER
from dipsat.errors import QuestionError, shortened
from dipsat.errors.arguments import checked, checked_fields
from dipsat.profiles.load import load_profile, with_variant
from dipsat.profiles.profile import Profile
from dipsat.proof.engine import Engine, find_engine
from dipsat.values import brief

Rules: TypeAlias = str | Path | Profile


@brief()
@checked_fields
@dataclass(frozen=True, slots=True)
class Judge:
    """An engine with its rules, as `dipsat.adjudicate` takes both."""

    engine: str | Engine
    """The name of an engine, perhaps with options, or an engine of your own."""
    rules: Rules | None = None
    """Its rules; None to take those that each phase names."""
    name: str = ""
    """Its name in reports; "" for `ENGINE:PROFILE`, or only the engine."""

    @property
    def label(self) -> str:
        """The name of the judge in reports."""
        engine = self.engine if isinstance(self.engine, str) else self.engine.name
        rules = self.rules.name if isinstance(self.rules, Profile) else self.rules
        return self.name or (engine if rules is None else f"{engine}:{rules}")

    @checked
    def options(self, default: Rules, variant: str = "") -> str:
        """Return the options of `dipsat adjudicate` that make it this judge, for a phase of a
        variant."""
        rules = named_rules(self.rules or default, variant)
        engine = self.engine if isinstance(self.engine, str) else self.engine.name
        return f"--rules {rules}" + ("" if engine == SOLVER else f" --engine {engine}")


def named_rules(rules: Rules, variant: str = "") -> str:
    """The name of rules with a variant laid over them, as for `--rules`."""
    name = rules.name if isinstance(rules, Profile) else str(rules)
    if not variant or with_variant(rules, variant) is load_profile(rules):
        return name
    return f"{name}+{variant}"


def read_judge(text: str) -> Judge:
    """The judge that `ENGINE` or `ENGINE:PROFILE` names. Whether these exist is checked by
    `check_judges`."""
    engine, _, rules = text.partition(":")
    return Judge(engine, rules or None)


def check_judges(judges: Iterable[str | Judge], rules: Rules | None = None) -> tuple[Judge, ...]:
    """Return the judges, at least two: a single one is compared with the solver under the same
    rules. Those without rules get `rules`, else those of the first judge that has some.

    Raises `UnknownNameError` for an unknown engine, what `load_profile` raises for rules, and
    `QuestionError` if there is no judge or one is given twice.
    """
    found = tuple(read_judge(one) if isinstance(one, str) else one for one in judges)
    if rules is not None:
        load_profile(rules)  # it may be wrong even if no judge needs it
    rules = rules or next((judge.rules for judge in found if judge.rules is not None), None)
    found = tuple(judge if judge.rules else replace(judge, rules=rules) for judge in found)
    if not found:
        raise QuestionError("no judge is given; name an engine, such as recursive_guess")
    for judge in found:
        if isinstance(judge.engine, str):
            find_engine(judge.engine)
        if judge.rules is not None:
            load_profile(judge.rules)
    if len(found) == 1:
        if found[0].engine == SOLVER:
            raise QuestionError("the solver alone has nothing to compare with; name a second judge")
        found = (replace(found[0], engine=SOLVER, name=""), *found)
    labels = [judge.label for judge in found]
    for label in labels:
        if labels.count(label) > 1:
            raise QuestionError(f"the judge {shortened(label)!r} is given twice; keep one")
    return found
