"""The results of comparing judges."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dipsat.crosschecks.causes import Shape, Shapes, orders_in_words
from dipsat.crosschecks.finding import PARTS, Divergence
from dipsat.crosschecks.judge import Judge, Rules, named_rules
from dipsat.errors import UnknownNameError
from dipsat.errors.arguments import checked
from dipsat.pages import (
    GAP,
    INTERRUPTED,
    Column,
    Part,
    Shown,
    Styled,
    Table,
    Words,
    counted,
    indented,
    titled,
)
from dipsat.scenarios.sheet import Sheet
from dipsat.values import Plain, brief, fields_of, plain


@brief()
@dataclass(frozen=True, slots=True)
class SmallestDisagreement:
    """The rest of a phase from which nothing can be removed without the judges agreeing."""

    sheet: Sheet
    """The remaining units and orders."""
    differences: tuple[Divergence, ...]
    """What the judges decide differently about them."""
    allies: tuple[tuple[str, ...], ...] = ()
    """The units that must belong to one power, by power."""
    shape: Shape | None = None
    """The shape of the orders without other coincidences, by which they are grouped."""


@brief()
@dataclass(frozen=True, slots=True)
class Disagreement:
    """A phase that two judges decide differently."""

    source: str
    """The name of the phase: its file, DATC case or random board."""
    judges: tuple[str, str]
    """Their labels."""
    rules: Rules
    """The rules for a judge that has none of its own."""
    sheet: Sheet
    """The units and orders."""
    differences: tuple[Divergence, ...]
    """What they decide differently, the most important first."""
    smallest: SmallestDisagreement | None = None
    """The smallest orders that show it, None if they were not searched for."""
    variant: str = ""
    """The rules laid over those of both judges, "" for none."""

    @property
    def shown(self) -> SmallestDisagreement:
        """The smallest orders that show it, or else all orders of the phase."""
        return self.smallest or SmallestDisagreement(self.sheet, self.differences)

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of the decision that differ after shrinking, the most important first."""
        found = {one.part for one in self.shown.differences}
        return tuple(part for part in PARTS if part in found)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        shown = self.shown
        return {
            "source": self.source,
            "rules": named_rules(self.rules, self.variant),
            **shown.sheet.to_dict(),
            "differences": plain(shown.differences),
            "one_power": plain(shown.allies),
        }


@brief()
@dataclass(frozen=True, slots=True)
class CrosscheckGroup:
    """The disagreements of two judges with one cause.

    They differ in the same parts of the decision, and their smallest orders have the same shape.
    Disagreements that were not shrunk are grouped by these parts alone.
    """

    judges: tuple[str, str]
    """Their labels."""
    is_shrunk: bool
    """Whether their smallest orders were searched for."""
    disagreements: tuple[Disagreement, ...]
    """The disagreements."""

    @property
    def example(self) -> Disagreement:
        """The disagreement with the fewest units, the first of several."""
        return min(self.disagreements, key=lambda one: len(one.shown.sheet.rows))

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of the decision that differ in the example."""
        return self.example.parts

    @property
    def title(self) -> str:
        """What differs, and the kinds of orders that it takes."""
        parts = "no answer of one" if self.parts == ("answer",) else ", ".join(self.parts)
        return f"{parts}: {orders_in_words(self.example.shown.sheet)}" if self.is_shrunk else parts

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "judges": list(self.judges),
            "count": len(self.disagreements),
            "parts": list(self.parts),
            "shrunk": self.is_shrunk,
            "title": self.title,
            "sources": [one.source for one in self.disagreements],
            "example": self.example.to_dict(),
        }


@brief()
@dataclass(frozen=True, slots=True)
class CrosscheckPair(Plain):
    """How often two judges agree."""

    judges: tuple[str, str]
    """Their labels."""
    agree: int
    """The number of phases on which they agree."""
    compared: int
    """The number of phases that both are made for."""


@brief()
@dataclass(frozen=True, slots=True)
class CrosscheckReport(Shown):
    """The phases on which judges agree, and the disagreements by cause. Made by
    `dipsat.crosscheck`."""

    judges: tuple[str, ...]
    """The labels of the judges."""
    compared: int
    """The number of phases that two or more judges decided."""
    skipped: Mapping[str, int]
    """Reason -> the number of phases skipped for it."""
    failures: tuple[str, ...]
    """What could not be read, each with its place."""
    unanswered: Mapping[str, int]
    """Judge -> the number of phases for which it has no answer."""
    not_made_for: Mapping[str, Mapping[str, int]]
    """Judge -> why it is not made for a phase -> the number of such phases, on which it is not
    compared."""
    judged: Mapping[str, int]
    """Judge -> the number of phases on which it was compared."""
    pairs: tuple[CrosscheckPair, ...]
    """Every pair of judges."""
    groups: tuple[CrosscheckGroup, ...]
    """The disagreements by cause, without judges that always agree with an earlier one."""
    ungrouped: int = 0
    """The number of disagreements that `pairs` count but `groups` have not: these have only the
    first 5,000, so that the memory needed does not grow with the work."""
    is_interrupted: bool = False
    """Whether the crosscheck ended early and reports only what it found until then."""

    def _parts(self) -> Iterable[Part]:
        return parts_of_crosscheck(self)

    @property
    def differs(self) -> bool:
        """Whether any two judges disagree on any phase."""
        return any(pair.agree < pair.compared for pair in self.pairs)

    @property
    def alike(self) -> Mapping[str, str]:
        """Judge -> the earlier judge with which it always agrees, if there is one."""
        return alike(self.judges, {p.judges for p in self.pairs if self._is_throughout(p)})

    def _is_throughout(self, pair: CrosscheckPair) -> bool:
        """Whether the later judge agrees with the earlier one wherever it was compared at all."""
        judged = self.judged.get(pair.judges[1], self.compared)
        return judged > 0 and pair.agree == pair.compared == judged

    @property
    def disagreements(self) -> tuple[Disagreement, ...]:
        """The disagreements in `groups`."""
        return tuple(one for group in self.groups for one in group.disagreements)

    @checked
    def pair(self, one: str, other: str) -> CrosscheckPair:
        """Return the pair of two judges, by their labels in any order. Raises `UnknownNameError` if
        there is none."""
        for pair in self.pairs:
            if set(pair.judges) == {one, other}:
                return pair
        unknown = next((name for name in (one, other) if name not in self.judges), other)
        raise UnknownNameError("judge", unknown, self.judges)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as `dipsat crosscheck --json` prints them."""
        return fields_of(self, "judged")


def alike(judges: Sequence[str], agreeing: Collection[tuple[str, str]]) -> dict[str, str]:
    """Judge -> the first earlier one with which it agrees throughout and that is not itself left
    out for this reason; `agreeing` are the pairs that agree.

    Agreement need not be transitive, because what is compared depends on the pair.
    """
    found: dict[str, str] = {}
    for at, judge in enumerate(judges):
        for other in judges[:at]:
            if other not in found and (other, judge) in agreeing:
                found[judge] = other
                break
    return found


def groups_of(
    disagreements: Sequence[Disagreement], pairs: Sequence[tuple[str, str]]
) -> tuple[CrosscheckGroup, ...]:
    """The disagreements grouped by cause: by pair of judges, then the largest group first."""
    shapes = Shapes()
    found: dict[tuple[tuple[str, str], tuple[str, ...], int | None], list[Disagreement]] = {}
    for one in disagreements:
        number = None
        parts = one.parts
        if one.smallest is not None and one.smallest.shape is not None:
            number, parts = shapes.number(one.smallest.shape), ()
        found.setdefault((one.judges, parts, number), []).append(one)
    groups = [
        CrosscheckGroup(judges, number is not None, tuple(listed))
        for (judges, _, number), listed in found.items()
    ]
    rank = {pair: at for at, pair in enumerate(pairs)}
    return tuple(sorted(groups, key=lambda g: (rank[g.judges], -len(g.disagreements))))


_YES = {
    "answer": "no answer", "moves": "goes to {}", "dislodged": "is dislodged",
    "contested": "is left vacant by a standoff", "retreats": "may retreat to {}",
}  # fmt: skip
_NO = {
    "answer": "an answer", "moves": "stays", "dislodged": "is not dislodged",
    "contested": "has no standoff", "legality": "legal",
}  # fmt: skip


def in_words(one: Divergence) -> tuple[str, str]:
    """What each judge decides, such as `goes to BEL` and `stays`."""
    first, second = (
        _YES.get(one.part, "{}").format(value) if value else _NO.get(one.part, "no such order")
        for value in one.values
    )
    return first, second


def allies_in_words(allies: Iterable[Iterable[str]]) -> str:
    """The units that must be of one power, "" if none."""
    return "; ".join(f"{' and '.join(units)} must be of one power" for units in allies)


def order_files(report: CrosscheckReport, judges: Iterable[Judge]) -> dict[str, str]:
    """Name -> text of a file for `dipsat adjudicate`, one for each smallest disagreement:
    `2-1.yaml` is the first of the second group."""
    by_label = {judge.label: judge for judge in judges}
    return {
        f"{number}-{at}.yaml": _file(one, by_label)
        for number, group in enumerate(report.groups, 1)
        for at, one in enumerate(group.disagreements, 1)
        if one.smallest is not None
    }


def _file(one: Disagreement, judges: Mapping[str, Judge]) -> str:
    first, second = one.judges
    lines = [f"{one.source}: {first} and {second} differ."]
    for difference in one.shown.differences:
        mine, theirs = in_words(difference)
        about = f"{difference.about}: " if difference.about else ""
        lines.append(f"  {difference.part}: {about}{mine} by {first}, {theirs} by {second}")
    lines += [
        f"dipsat adjudicate FILE {judges[label].options(one.rules, one.variant)}"
        for label in one.judges
    ]
    return one.shown.sheet.to_file(line for text in lines for line in text.splitlines())


def parts_of_crosscheck(report: CrosscheckReport) -> Iterator[Part]:
    """What people read of a report: a matrix of agreement, then the groups of disagreements."""
    if report.compared:
        yield _matrix(report)
    phases = counted(report.compared, "phase")
    yield f"They agree on this many of {phases}." if report.compared else "No phase."
    yield from _left_out(report)
    if report.differs:
        for judge, other in report.alike.items():
            yield f"{judge} agrees with {other} throughout."
    shown = None
    for group in report.groups:
        if group.judges != shown:
            shown = group.judges
            pair = report.pair(*shown)
            heading = f"{shown[0]} and {shown[1]} differ on {pair.compared - pair.agree}:"
            yield from ("", Styled(heading, "bold"))
        yield from _group(group)
    if report.ungrouped:
        rest = f"{report.ungrouped:,} more disagreements"
        yield f"The groups have only the first ones; {rest} are counted above."
    if report.is_interrupted:
        yield from INTERRUPTED


def _left_out(report: CrosscheckReport) -> Iterator[Part]:
    """How many phases were not compared, and why."""
    for reason, count in report.skipped.items():
        yield f"Not compared: {count} ({reason})."
    for judge, count in report.unanswered.items():
        yield Styled(f"{judge} has no answer on {counted(count, 'phase')}.", "yellow")
    for judge, reasons in report.not_made_for.items():
        phases = counted(sum(reasons.values()), "phase")
        yield Styled(f"Not made for {phases}: {judge}.", "yellow")
        yield from (indented(f"{count}: {reason}.", 2) for reason, count in reasons.items())


def _matrix(report: CrosscheckReport) -> Table:
    rows = [
        (str(at), judge, *(_agreement(report, judge, other) for other in report.judges))
        for at, judge in enumerate(report.judges, 1)
    ]
    numbers = (Column(str(at), is_right=True) for at in range(1, len(rows) + 1))
    return Table(tuple(rows), (Column(), Column("Judge", wraps=True), *numbers), edge=GAP)


def _agreement(report: CrosscheckReport, one: str, other: str) -> Words:
    if one == other:
        return ""
    pair = report.pair(one, other)
    count = str(pair.agree)
    if pair.compared < report.compared:
        count = f"{count} of {pair.compared}" if pair.compared else "none"
    return Styled(count, "green" if pair.agree == pair.compared else "bold red")


def _group(group: CrosscheckGroup) -> Iterator[Part]:
    count, example = len(group.disagreements), group.example
    unshrunk = "" if group.is_shrunk else " (not shrunk)"
    number = Styled(f"{count:>5}", "yellow")
    yield from ("", Table(((number, f"{group.title}{unshrunk}"),)))
    such = "such as " if count > 1 else ""
    yield indented(f"{such}{example.source}:", 7)
    yield Table(tuple(_orders(example)), indent=9, gap=1)
    allied = allies_in_words(example.shown.allies)
    if allied:
        yield indented(f"{allied}.", 7)
    rows = [(one.about, *in_words(one)) for one in example.shown.differences]
    columns = (Column(), *(Column(judge, wraps=True) for judge in example.judges))
    yield Table(tuple(rows), columns, indent=7, edge=GAP)


def _orders(one: Disagreement) -> Iterator[tuple[str, str]]:
    for row in one.shown.sheet.rows:
        texts = "; ".join(row.orders) or f"{row.unit} without an order"
        yield f"{titled(row.power)}:", texts if row.sets is None else "several sets of orders"
