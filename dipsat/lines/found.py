"""The lines that were found, with what people read of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from dipsat.brief import brief
from dipsat.drawn import Drawn
from dipsat.lines.hold_result import HoldResult, plan_to_dict
from dipsat.lines.line import StalemateLine
from dipsat.lines.question import Lines
from dipsat.pages import Column, Part, Shown, Table
from dipsat.tables import counted

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
    """What is proven about each line, by the orders of the lines. If the verdict is `unknown`, the
    lines found so far."""
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
        shown = self.lines if self.question.split is not None else self.lines[:1]
        return sum(len(line.units) for line in shown)

    def _parts(self) -> Iterable[Part]:
        return parts_of_lines(self)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as `dipsat search lines --json` prints them: the first line, and all
        of them as `lines`."""
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
    for number, line in enumerate(result.lines, 1):
        yield ""
        yield Table(tuple(_line(line, number, len(result.lines))), (_LABEL,))


def answer_of(result: LinesResult) -> Iterator[tuple[str, str]]:
    """The verdict, and what it says, in a sentence."""
    together = result.question.split is not None
    if result.verdict == FOUND and together:
        text = f"2 lines of {counted(result.bound, 'unit')} together hold at the same time."
        yield "FOUND", f"{text} Proven: no two lines have fewer."
    elif result.verdict == FOUND:
        several = len(result.lines) > 1
        text = f"{counted(len(result.lines), 'line')} of {counted(result.bound, 'unit')}"
        text += f" hold{'' if several else 's'}. Proven: no line has fewer"
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
            several = len(result.lines) > 1
            what = "lines below have" if several else "line below has"
            each = " each" if several and not together else ""
            text += f" The {what} {counted(result.fewest, 'unit')}{each}"
            text += "." if result.bound else "; that none has fewer is not proven."
        yield "UNKNOWN", text


def _line(line: StalemateLine, number: int, of: int) -> Iterator[tuple[str, str]]:
    plain = line_to_dict(line)
    yield "Line" if of == 1 else f"Line {number}", ", ".join(plain["orders"]) or "no unit is needed"
    yield "Region", ", ".join(plain["region"]) or "only the provinces of the own units"
    if line.outposts:
        yield "Sorties", f"to {', '.join(sorted(line.outposts))}; who gets in there comes back"
    yield counted(len(plain["centres"]), "centre"), ", ".join(plain["centres"])
    if limits := line.enemy.limits:
        yield "Enemy", limits
