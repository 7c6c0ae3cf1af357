"""The solver's answers about what was never seen on random boards: small positions, with all orders
open."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dipsat.errors import DipsatError, QuestionError
from dipsat.limits import Limits
from dipsat.profiles.profile import Decision, Profile
from dipsat.scenarios.sheet import Sheet, SheetRow
from dipsat.searches import Achieve, Paradox, Question, SearchResult, search
from dipsat.solving.budget import INTERRUPTED
from dipsat.stresstests.observations import FIRED, SHARED, VALUE, Sight, smallest
from dipsat.stresstests.report import FOUND, IMPOSSIBLE, NEVER, StressFinding
from dipsat.stresstests.trial import Trial

POSITIONS = 6
UNITS = 5  # in a position whose orders are open
_SHARED = """
any(move(m) and (any(move(r) for r in m.rivals) or stays(m.target)) for m in Move)
or any(any(ends_on_a_line(u, p)
  and (stays(p) or any(move(a) for a in p.attackers)
    or any(ends_on_a_line(v, p) for v in units if v != u))
  for u in units) for p in provinces)
"""


@dataclass(frozen=True, slots=True)
class Answer:
    """The solver's answer: a finding, or None with the reason why the rules allow no search."""

    finding: StressFinding | None
    refusal: str = ""


def question_about(profile: Profile, finding: StressFinding) -> Question | None:
    """The question whether something that was never seen is possible; None if there is no such
    question."""
    if finding.check == "rule":
        return Paradox(finding.about)
    if finding.check == "shared":
        return Achieve(" ".join(_SHARED.split()))
    decision = profile.decisions.get(finding.about)
    if finding.check == "decision" and decision and decision.type.is_truth:
        return Achieve(_some(decision, finding.note))
    return None


def _some(decision: Decision, note: str) -> str:
    """The goal that some decision of a family has the value that was never seen."""
    names = [f"x{at}" for at in range(len(decision.indices))]
    text = f"{decision.name}({', '.join(names)})"
    if note == "never false":
        text = f"not {text}"
    for name, index in reversed(list(zip(names, decision.indices, strict=True))):
        text = f"any({text} for {name} in {index.type})"
    return text


def unanswered(finding: StressFinding, reason: str) -> Answer:
    """The answer if no worker could find one."""
    return Answer(replace(finding, note=_joined(finding.note, reason)))


def answered(trial: Trial, until: float | None, finding: StressFinding) -> Answer:
    """Ask the solver about something never seen, until a time (of `time.time`, which computers
    share).

    Raises `KeyboardInterrupt`, which the search would otherwise turn into an answer.
    """
    question = question_about(trial.profile, finding)
    if question is None:
        return Answer(finding)
    verdicts = []
    try:
        for number, seed in enumerate(range(trial.seed, trial.seed + POSITIONS), 1):
            sheet = trial.crowd(seed, UNITS)
            result = search(
                sheet.position(), question, open="all", rules=trial.profile,
                limits=Limits(seconds=_share(until)),
            )  # fmt: skip
            if result.verdict == FOUND:
                return Answer(_found(trial.profile, finding, sheet, result, number))
            if result.reason.startswith(INTERRUPTED):
                raise KeyboardInterrupt
            verdicts.append(result.verdict)
    except QuestionError as error:
        return Answer(None, str(error))
    except DipsatError as error:
        return Answer(replace(finding, note=_joined(finding.note, str(error).partition("\n")[0])))
    proven = verdicts.count(IMPOSSIBLE)
    if proven < len(verdicts):
        note = f"the solver ran out of time on {len(verdicts) - proven} positions"
        return Answer(replace(finding, verdict=NEVER, note=_joined(finding.note, note)))
    note = f"whatever {UNITS} units are ordered in {proven} positions"
    return Answer(replace(finding, verdict=IMPOSSIBLE, note=_joined(finding.note, note)))


def _share(until: float | None) -> float | None:
    """The seconds for one position: half the time left, so that others have their turn."""
    return None if until is None else max(0.001, (until - time.time()) / 2)


def _found(
    profile: Profile, finding: StressFinding, sheet: Sheet, result: SearchResult, number: int
) -> StressFinding:
    shown = smallest(profile, with_orders(sheet, result), _sight_of(finding))
    source = f"solver, position {number}"
    return replace(finding, verdict=FOUND, count=1, witness=shown, source=source)


def _sight_of(finding: StressFinding) -> Sight:
    """The sight on a board that shows what was never seen."""
    if finding.check == "rule":
        return FIRED, finding.about
    if finding.check == "decision":
        return VALUE, finding.about, "0" if finding.note == "never false" else "1"
    return (SHARED,)


def _joined(*notes: str) -> str:
    return "; ".join(note for note in notes if note)


def with_orders(sheet: Sheet, result: SearchResult) -> Sheet:
    """The units of a position with the orders that were found."""
    rows: list[SheetRow] = []
    for row in sheet.rows:
        texts: Sequence[str] = result.orders.get(row.power, ())
        own = tuple(text for text in texts if text.startswith(f"{row.unit} "))
        if row.unit:
            rows.append(replace(row, orders=own))
    units = tuple(f"{row.unit} " for row in sheet.rows)
    for power, texts in result.orders.items():  # other orders of the powers
        rows += [SheetRow(power, "", (text,)) for text in texts if not text.startswith(units)]
    return replace(sheet, rows=tuple(rows))
