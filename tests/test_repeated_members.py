"""JSON objects that repeat most of each other: read as if each stood alone."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from typing import Any

import pytest

from dipsat.errors import DipsatError
from dipsat.formats import repeated_members
from dipsat.formats.json_text import parse_json, value_at
from dipsat.formats.phase_lines import BEFORE_AND_AFTER
from dipsat.formats.repeated_members import RepeatedMembers
from tests.exhaustive import parts_of
from tests.test_game_files import phase_lines

PARTNERS = {"a": "next_a", "next_a": "a", "b": "next_b", "next_b": "b"}
KEYS = ("a", "b", "next_a", "next_b", "", "c", 'd"', "é", ":")
VALUES: tuple[Any, ...] = (
    {}, [], None, True, 1, 12, -1, 1.5, "", "1", ":", '"', "}", "\\", {"x": []}, {"x": 1, "y": 2},
    {"x": {"y": [{}]}}, [{"x": ":"}], {":": ":"}, {"A": ["A PAR", "F BRE"], "B": ["A VIE"]},
)  # fmt: skip
SLIPS = (
    '"a":1,',
    ',"a":{"x":1,"x":2}',
    "{",
    "}",
    ",",
    '"',
    " ",
    "NaN",
    "1",
    "\n",
    "\\",
    "\x00",
    "",
)


def member(rng: random.Random, key: str, value: Any) -> str:
    colon = rng.choice([":", ":", ": ", " :\t"])
    ascii_only, tight = rng.random() < 0.5, rng.random() < 0.7
    separators = (",", ":") if tight else (", ", ": ")
    text = json.dumps(value, ensure_ascii=ascii_only, separators=separators)
    return json.dumps(key, ensure_ascii=ascii_only) + colon + text


def objects(rng: random.Random) -> list[str]:
    """Texts of objects, each much like the one before, and some of them broken."""
    found, members = list[str](), [(key, rng.choice(VALUES)) for key in KEYS[: rng.randint(1, 9)]]
    style = random.Random(rng.random())
    for _ in range(12):
        state = style.getstate() if rng.random() < 0.9 else rng.getstate()
        words = random.Random()
        words.setstate(state)
        text = "{" + ",".join(member(words, key, value) for key, value in members) + "}"
        if rng.random() < 0.3:
            at = rng.randrange(len(text))
            text = text[:at] + rng.choice(SLIPS) + text[at + rng.randint(0, 2) :]
        found.append(text)
        at = rng.randrange(len(members))
        before = dict(members).get(PARTNERS.get(members[at][0], ""), rng.choice(VALUES))
        members[at] = members[at][0], rng.choice([before, rng.choice(VALUES)])
        if rng.random() < 0.1:
            rng.shuffle(members)
        if rng.random() < 0.1:
            members.append((rng.choice(KEYS), 1))
    return found


def alone(text: str) -> str | None:
    """What an object says, None if it says nothing."""
    try:
        return repr(parse_json(text, "x"))
    except DipsatError:
        return None


@pytest.mark.parametrize("seeds", parts_of(range(4_000), 40, shares=2))
def test_what_is_repeated_is_read_as_if_it_stood_alone(seeds: range) -> None:
    known = asked = 0
    for seed in seeds:
        members = RepeatedMembers(PARTNERS)
        for text in objects(random.Random(seed)):
            found, expected = members.read(text), alone(text)
            assert found is None or repr(found) == expected, (seed, text)
            known += found is not None
            asked += expected is not None
    assert known > 0.4 * asked


@pytest.mark.parametrize(
    "texts",
    [
        ("}", '{"a":1}', "}"),
        ('{"":1,"a":{}}', '{"":1{"":1,"a":{}}'),
        ('{"a":1,"b":2}', '{"a":1,"a":1,"b":2}'),
        ('{"a":1}', '{"a":12}', '{"a":1 2}'),
        ('{"a":{"x":":"}}', '{"a":{"x":":","x":1}}'),
        ('{"a":1\0}', '{"a":"}"\0}'),
        (
            '{"next_a":{"x":1},"a":{}}',
            '{"next_a":{"x":2},"b":{}}',
            '{"next_a":{"x":2},"b":{"x":2}}',
        ),
    ],
)
def test_the_text_of_a_value_ends_where_the_value_ends(texts: tuple[str, ...]) -> None:
    members = RepeatedMembers(PARTNERS)
    for text in texts:
        found = members.read(text)
        assert found is None or repr(found) == alone(text)


def test_only_what_is_new_in_a_line_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [json.dumps(line, separators=(",", ":")) for line in phase_lines(5, 8)]
    parsed = 0

    def noted(text: str, at: int) -> tuple[Any, int]:
        nonlocal parsed
        value, end = value_at(text, at)
        parsed += end - at
        return value, end

    monkeypatch.setattr(repeated_members, "value_at", noted)
    members = RepeatedMembers(BEFORE_AND_AFTER)
    found = [members.read(line) for line in lines]
    assert found == [json.loads(line) for line in lines]
    assert parsed < 0.6 * sum(map(len, lines))
    for line, follows in pairwise(found):
        assert line is not None
        assert follows is not None
        assert line["next_units"] is follows["units"]


def test_the_keys_of_a_hostile_file_do_not_fill_the_memory() -> None:
    members = RepeatedMembers(PARTNERS)
    for number in range(500):
        assert members.read(f'{{"k{number}":0,"a":"{number:0{number * 60}}","b":{number}}}')
    remembered: list[dict[Any, Any]] = [members._known, members._steps, members._befores]
    assert max(map(len, remembered)) <= 2 * repeated_members._MOST
    assert sum(len(one[0]) for one in members._known.values()) < 3 * repeated_members._LONGEST
