"""How often rules matter, as one HTML page: `dipsat.svg.impact_page`.

The page loads nothing and holds each map once. Everything can be read without its script, which
sorts the table of rule sets, and opens and closes the section of each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template

from dipsat.documents import read_text
from dipsat.surveys.impact_report import ImpactReport, RulesImpact, number, percent
from dipsat.svg.boards.drawing import Look
from dipsat.svg.html import head_of, tag
from dipsat.svg.impacts.boards import Grounds, example_markup
from dipsat.svg.impacts.tables import extent, heading, headline, lead, of_all, of_causes, of_shares
from dipsat.svg.markup import quoted, words
from dipsat.svg.reasons.compared import MEANING

_FOLDER = Path(__file__).parent / "page"
_MOST_OPEN = 4
"""The most rule sets whose sections are open at first."""


def impact_page(
    report: ImpactReport,
    *,
    title: str = "",
    colors: Mapping[str, str] | None = None,
    dark: bool | None = None,
) -> str:
    """Return a report of how often rules matter as an HTML page that needs no network.

    It has a table of all rule sets, and for each that changes something why, where, and its
    examples: the boards under the base and under the rules side by side, with the orders whose
    results differ. `title` is the heading (default: the names of the rules). `colors` and `dark`
    are as for `board`; None for `dark` lets the reader's preference decide. Where an example
    cannot be drawn, the page says why. Raises the errors of `board` for colours that are not right.
    """
    told = [
        _Told(one, report, f"r{at}")
        for at, one in enumerate(report.rules)
        if one.differ or one.not_judged or len(report.rules) == 1
    ]
    places = {id(one.rules): one.name for one in told}
    links = [places.get(id(one), "") for one in report.rules]
    grounds = Grounds(Look(colors=colors, labels=False, dark=dark))
    sections = [one.markup(grounds, len(told) <= _MOST_OPEN) for one in told]
    script = read_text(_FOLDER / "impact.js")
    styles = dict.fromkeys(ground.style for ground in grounds.drawn)
    shown = title or heading(report)
    style = "".join((read_text(_FOLDER / "impact.css"), *styles))
    return Template(read_text(_FOLDER / "impact.html")).substitute(
        head=head_of(shown, dark, script, style),
        title=quoted(shown),
        lead=words(lead(report)),
        remarks="\n".join(_remarks(report)),
        maps="".join(ground.markup() for ground in grounds.drawn),
        table=of_all(report, links) if len(report.rules) > 1 else "",
        sections="\n".join(sections),
        script=script,
    )


def _remarks(report: ImpactReport) -> Iterator[str]:
    """What a reader must know before all else, and what was left out."""
    if report.is_interrupted:
        yield tag("p", "Interrupted; this is what was found until then.", class_="warning")
    if len(report.rules) > 1 and not report.differs and report.compared:
        yield tag("p", "No phase differs under any of them.", class_="headline")
    if report.skipped:
        lines = [f"{reason}: {number(count)}" for reason, count in report.skipped.items()]
        yield _listed(f"{number(sum(report.skipped.values()))} not compared", lines)
    if report.failures:
        yield _listed("What could not be read", report.failures)


def _listed(heading: str, lines: Iterable[str], is_open: bool = False) -> str:
    """Lines that often only some readers want to see."""
    parts = tag("summary", words(heading)), tag("ul", *(tag("li", words(one)) for one in lines))
    return tag("details", *parts, class_="remark", open="" if is_open else None)


@dataclass(frozen=True, slots=True)
class _Told:
    """All that the page tells of a rule set."""

    rules: RulesImpact
    report: ImpactReport
    name: str
    """The identifier of its part of the page."""

    def markup(self, grounds: Grounds, is_open: bool) -> str:
        """The rule set as HTML."""
        one, report = self.rules, self.report
        title = tag("p", words(one.title), class_="title") if one.title else ""
        share = percent(one.differ, one.compared) if one.differ else ""
        summary = tag("summary", tag("h2", words(one.rules)), tag("span", share, class_="fact"))
        inside = tag(
            "div",
            title,
            tag("p", words(headline(one, report)), class_="headline"),
            tag("p", words(extent(one, report))) if one.differ else "",
            *self._gaps(),
            tag("div", *self._tables(), class_="tables") if one.differ else "",
            *self._examples(grounds),
            id=self.name,
        )
        return tag("details", summary, inside, class_="rules", open="" if is_open else None)

    def _gaps(self) -> Iterator[str]:
        """Why phases could not be judged."""
        gaps = self.rules.not_judged
        if gaps:
            count = number(sum(gap.phases for gap in gaps))
            lines = [
                f"{number(gap.phases)}, such as {', '.join(gap.first)}: {gap.reason}"
                for gap in gaps
            ]
            heading = f"{count} phases cannot be judged under these rules"
            yield _listed(heading, lines, is_open=not self.rules.compared)

    def _tables(self) -> Iterator[str]:
        yield of_causes(self.rules.causes, self.report.against)
        yield from of_shares(self.rules)

    def _examples(self, grounds: Grounds) -> Iterator[str]:
        names = self.report.against, self.rules.rules
        first, smallest = self.rules.first, self.rules.smallest
        if first or smallest:
            yield tag("p", f"On the boards: {MEANING}", class_="origin")
        for title, examples in (
            ("First phases that differ", first),
            ("Smallest boards that differ", smallest),
        ):
            if examples:
                yield tag("h3", title)
                yield from (example_markup(example, names, grounds) for example in examples)
