"""The lines that were found, with what people read of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from dipsat.drawn import Drawn
from dipsat.lines.hold_result import HoldResult, plan_to_dict
from dipsat.lines.line import StalemateLine
from dipsat.lines.question import Lines
from dipsat.pages import Column, Part, Shown, Table, counted
from dipsat.values import brief

FOUND, IMPOSSIBLE, UNKNOWN = "found", "impossible", "unknown"


@brief()
@dataclass(frozen=True, slots=True)
class LinesResult(Drawn, Shown):
    """The lines with the fewest units. Made by `dipsat.search`."""

    _drawn_by: ClassVar[str] = "line"

    question: Lines
    """The question."""
    verdict: str
    """`found`: the lines hold, and it is proven that none has fewer units. `impossible`: proven, no
    line holds what is asked for. `unknown`: neither is proven."""
    held: tuple[HoldResult, ...]
    """What is proven about each line, by the orders of the lines; two that hold at the same time
    follow each other. If the verdict is `unknown`, the lines found so far."""
    bound: int
    """Proven: no line has fewer units. 0 under rules for which the proof was not checked."""
    reason: str = ""
    """Why the verdict is `unknown`, else ""."""

    @property
    def lines(self) -> tuple[StalemateLine, ...]:
        """The lines."""
        return tuple(one.line for one in self.held)

    @property
    def fewest(self) -> int | None:
        """The number of units of the lines, of two beside each other together; None without a
        line."""
        if not self.lines:
            return None
        return sum(len(line.units) for line in self.lines[: self.together])

    @property
    def together(self) -> int:
        """How many lines hold at the same time: 2 with `split`, else 1."""
        return 1 if self.question.split is None else 2

    def _parts(self) -> Iterable[Part]:
        return parts_of_lines(self)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as `dipsat search lines --json` prints them: the first line, and all
        of them as `lines`. If the question names no power, the lines are those of the first power
        of the map, though any other could have them."""
        lines = [line_to_dict(line) | plan_to_dict(line) for line in self.lines]
        first = lines[0] if lines else {key: [] for key in _KEYS}
        one = self.lines[0] if self.lines else None
        return {
            "verdict": self.verdict,
            **first,
            "map": one and one.map.name,
            "power": one and one.power,
            "fewest": self.fewest,
            "bound": self.bound,
            "reason": self.reason,
            "lines": lines,
        }


_KEYS = (
    "units",
    "orders",
    "region",
    "centres",
    "fleets_not_in",
    "armies_not_in",
    "states",
    "outposts",
)


def line_to_dict(line: StalemateLine) -> dict[str, list[str]]:
    """A line as plain values: units, orders, region, the centres that it holds, and where it
    supposes that the enemy has no fleets or armies. Of a line with sorties, the units and orders
    are those before any unit got in where it goes."""
    held = line.region | line.by_province.keys()
    orders = line.plan[0].texts(line.map) if line.plan else line.order_texts(line.supports)
    return {
        "units": [str(unit) for unit in line.units],
        "orders": list(orders),
        "region": sorted(line.region),
        "centres": sorted(held & set(line.map.centers)),
        "fleets_not_in": sorted(line.enemy.fleets_not_in),
        "armies_not_in": sorted(line.enemy.armies_not_in),
    }


_LABEL = Column(width=10)


def parts_of_lines(result: LinesResult) -> Iterator[Part]:
    """What people read: the verdict, and each line."""
    yield Table(tuple(answer_of(result)), (_LABEL,))
    for line, label in zip(result.lines, _labels(result), strict=True):
        yield ""
        yield Table(tuple(_line(line, label)), (_LABEL,))


def _labels(result: LinesResult) -> Iterator[str]:
    """What each line is called: `Line 3`; of several pairs, the second line of the third is `Line
    3b`."""
    number = len(result.lines)
    for at in range(number):
        if number > 2 == result.together:
            yield f"Line {at // 2 + 1}{'ab'[at % 2]}"
        else:
            yield "Line" if number == 1 else f"Line {at + 1}"


def answer_of(result: LinesResult) -> Iterator[tuple[str, str]]:
    """The verdict, and what it says, in a sentence."""
    together = result.together == 2
    if result.verdict == FOUND:
        text = _pairs_hold(result) if together else _lines_hold(result)
        yield "FOUND", f"{text}{', and there are no others' if result.question.every else ''}."
    elif result.verdict == IMPOSSIBLE:
        what = "two lines hold" if together else "line holds"
        yield "IMPOSSIBLE", f"Proven: no {what} what is asked for."
    else:
        text = f"{result.reason[:1].upper()}{result.reason[1:]}."
        if result.bound:
            what = "two lines have" if together else "line has"
            text += f" It is proven that no {what} fewer than {counted(result.bound, 'unit')}."
        if result.fewest is not None:
            text += f" {_shown(result)}"
            text += "." if result.bound else "; that none has fewer is not proven."
        yield "UNKNOWN", text


def _shown(result: LinesResult) -> str:
    """What the lines are that an undecided answer shows, without a full stop."""
    units, several = counted(result.fewest or 0, "unit"), len(result.lines)
    if result.together == 2:
        if several == 2:
            return f"The lines below have {units} together"
        pairs = several // 2
        return f"The {pairs} pairs of lines below have {units} each; there may be more such pairs"
    if several > 1:
        return f"The {several} lines below have {units} each; there may be more such lines"
    return f"The line below has {units}"


def _lines_hold(result: LinesResult) -> str:
    number = len(result.lines)
    text = f"{counted(number, 'line')} of {counted(result.bound, 'unit')}"
    return f"{text} hold{'s' if number == 1 else ''}. Proven: no line has fewer"


def _pairs_hold(result: LinesResult) -> str:
    pairs, units = len(result.lines) // 2, counted(result.bound, "unit")
    if pairs == 1:
        text = f"2 lines of {units} together hold at the same time"
    else:
        text = f"{pairs} pairs of lines hold at the same time, each of {units} together"
    return f"{text}. Proven: no two lines have fewer"


def _line(line: StalemateLine, label: str) -> Iterator[tuple[str, str]]:
    plain = line_to_dict(line)
    yield label, ", ".join(plain["orders"]) or "no unit is needed"
    yield "Region", ", ".join(plain["region"]) or "only the provinces of the own units"
    if line.outposts:
        yield "Sorties", f"to {', '.join(sorted(line.outposts))}; who gets in there comes back"
    yield counted(len(plain["centres"]), "centre"), ", ".join(plain["centres"])
    if limits := line.enemy.limits:
        yield "Enemy", limits
