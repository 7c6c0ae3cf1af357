"""Searches about stalemate lines: whether one holds, and which have the fewest units."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_type_hints

from dipsat.errors import ArgumentError, UnknownNameError
from dipsat.errors.arguments import fault_in, in_words
from dipsat.limits import TEXT_BYTES
from dipsat.lines.line_file import parse_line
from dipsat.lines.question import Lines
from dipsat.profiles.load import DEFAULT_RULES
from dipsat.web.given import LINE_NAME, given_map, given_rules
from dipsat.web.requests import Search


def held_line(request: Search, line: str) -> dict[str, Any]:
    """Whether a line, in YAML, holds."""
    from dipsat import svg
    from dipsat.lines.hold import answer_of, hold_line

    TEXT_BYTES.check(len(line), LINE_NAME)
    rules = None if request.rules is None else given_rules(request.rules, request.settings)
    board = None if request.map is None else given_map(request.map)
    found = hold_line(parse_line(line, LINE_NAME, rules, board))
    answer = {**found.to_dict(), "text": [sentence for _, sentence in answer_of(found)]}
    if request.picture:
        answer["svg"] = str(svg.line(found, dark=request.dark))
    return answer


def found_lines(request: Search, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The lines with the fewest units that hold what is asked for."""
    from dipsat import svg
    from dipsat.lines.find import answer_of, find_lines

    board = None if request.map is None else given_map(request.map)
    rules = given_rules(request.rules or DEFAULT_RULES, request.settings, request.variant)
    question = Lines(**_fields(asked), map=board)
    found = find_lines(question, rules=rules, solver=request.solver)
    answer = {**found.to_dict(), "text": [sentence for _, sentence in answer_of(found)]}
    if request.picture and found.held:
        answer["svg"] = str(svg.line(found, dark=request.dark))
    return answer


def _fields(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of `Lines`, with tuples for lists. Raises `UnknownNameError` for others, and
    `ArgumentError` for a value of a wrong type."""
    hints = {name: hint for name, hint in get_type_hints(Lines).items() if name != "map"}
    values = {}
    for name, value in asked.items():
        if name not in hints:
            raise UnknownNameError("member", str(name), hints, _NAME, list_known=True)
        values[name] = tuple(value) if isinstance(value, list) else value
        fault = fault_in(values[name], hints[name], name)
        if fault is not None:
            place, found, wanted = fault
            raise ArgumentError(_NAME, place, found, in_words(wanted))
    return values


_NAME = "search: lines"
"""How errors call the question."""
