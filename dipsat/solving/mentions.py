"""Which decisions each equation of a phase mentions, by functions generated from the equations.

The answer is that of grounding every equation with nothing known (`dipsat.equations.ground`) and
collecting its unknowns, in a tenth of the time. It holds for phases whose orders are known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Any

from dipsat.equations.chains import links_of
from dipsat.equations.ground import Grounder
from dipsat.equations.instances import is_single
from dipsat.equations.phase import Phase
from dipsat.kept import kept_on_first
from dipsat.profiles.profile import Decision, Profile
from dipsat.solving.bounds_code import run_source
from dipsat.solving.mentions_text import MentionsText
from dipsat.solving.python_source import PythonSource
from dipsat.terms.term import nodes_that_matter


def mentions(profile: Profile, phase: Phase) -> list[list[int]]:
    """For each decision of a phase, the decisions that its ground equation mentions. A decision is
    given by its place among all of them, sorted by name of the family and index; one that is
    mentioned several times may be listed so often."""
    return _mentions(profile)(phase)


@kept_on_first()
def _mentions(profile: Profile) -> Callable[[Phase], list[list[int]]]:
    families = {name: profile.decisions[name] for name in sorted(profile.decisions)}
    source = PythonSource()
    text = MentionsText(source, families)
    source.line("def mentions(phase, objects, firsts, found, same, chained):")
    with source.indented():
        source.line("water = phase.map.water")
        for at in range(len(families)):
            source.line(f"first{at} = firsts[{at}]")
        for at, decision in enumerate(families.values()):
            _family(source, text, at, decision)
    write = run_source(source, "<equations as mentions>")["mentions"]
    choices = tuple(text.choices)

    def found_in(phase: Phase) -> list[list[int]]:
        objects = [phase.objects(one.indices) for one in families.values()]
        firsts = [0, *accumulate(map(len, objects))]
        grounder = Grounder(profile, phase)

        def same(number: int, scope: Mapping[str, Any]) -> bool:
            """Whether both branches of a choice are the same term."""
            choice = choices[number]
            return grounder.term(choice.then, scope) == grounder.term(choice.otherwise, scope)

        found: list[list[int]] = []
        write(phase, objects, firsts, found, same, _chained)
        return found

    return found_in


def _family(source: PythonSource, text: MentionsText, at: int, decision: Decision) -> None:
    """Write the loop over the decisions of one family."""
    text.bounds.begin()
    single = is_single(decision.indices)
    about = text.bounds.variable(decision.indices[0]) if single else "about"
    source.line(f"for {about} in objects[{at}]:")
    with source.indented(), text.bind(*decision.indices):
        source.line("out = []")
        if not single:
            parts = "".join(f"{text.bounds.variable(part)}, " for part in decision.indices)
            source.line(f"{parts}= about.parts")
        text.part(decision.equation)
        source.line("found.append(out)")


def _chained(
    phase: Phase,
    start: Any,
    end: Any,
    members: Sequence[tuple[Any, bool | None, list[int]]],
    out: list[int],
) -> bool | None:
    """Whether the members make a chain, None if that is open: each with whether it is there, and
    what that mentions. What matters is added to `out`."""
    links = links_of(phase.map.water, start, end, [member for member, _, _ in members])
    there = [one for _, one, _ in members]
    nodes = nodes_that_matter(there, links.starts, links.ends, links.near)
    if isinstance(nodes, bool):
        return nodes
    for at in nodes:
        if there[at] is None:
            out += members[at][2]
    return None
