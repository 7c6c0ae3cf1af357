"""Input too large for any game, map or rule file is refused, and large input is read in proportion
to its size. All of it is counted: nothing here is timed."""

from __future__ import annotations

import gzip
import io
import json
import pickle
import sys
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import partial
from itertools import cycle, pairwise
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
import yaml

import dipsat
from dipsat.base import InputLimit, Node, Tally, data_folder, hints, limits, parse_yaml
from dipsat.board import PowerSetup, load_map, map_names, parse_map
from dipsat.board.read import Faults, check_starts
from dipsat.errors import (
    LISTED_FAULTS,
    DipsatError,
    DocumentError,
    InputLimitError,
    ProblemsError,
    UnknownNameError,
)
from dipsat.formats import (
    GameText,
    compression,
    game_texts,
    parse_games,
    parse_phase_text,
    saved_game,
)
from dipsat.formats.json_text import _unique, refuse_many_values
from dipsat.formats.letter import _without_notes
from dipsat.game import Position, submissions
from dipsat.orders import Hold, UnitName, guesses
from dipsat.rules.declarations import PROPERTIES, distinct
from tests.exhaustive import exhaustive, few_of
from tests.packages import needed_zstd
from tests.strangers.hostile_readers import LIMITS, REPEATED, TOO_MUCH, game_of, games, ring, sheet
from tests.strangers.hostile_rules import START, profile_of

OTHERS = {
    "TEXT_BYTES", "GAME_BYTES", "BLANK_BYTES", "UNPACKED_RATIO", "UNITS", "MEMBERS",
    "COMPARED_ORDERS", "LINE_BYTES", "COMPARED_RULES", "PICTURE_BYTES", "PICTURE_POINTS",
    "PICTURE_OUTLINES", "ROWS_RATIO", "PACKED_SURPLUS", "NAMES", "FOREIGN_WORDS",
}  # fmt: skip
"""Limits with tests of their own below, or in the tests of game files, `dipsat play`, requests,
rows, variants of other programs and pictures of users' own."""


def test_every_limit_has_a_test() -> None:
    assert TOO_MUCH.keys() | OTHERS == LIMITS.keys()
    assert not TOO_MUCH.keys() & OTHERS


LARGE = {"READINGS": (guesses, submissions), "GAME_VALUES": (saved_game,)}
"""Limits that only large input reaches, and the modules that have them: every run tests a tenth."""


@pytest.mark.parametrize(
    ("name", "share"),
    [
        *((name, 10 if name in LARGE else 1) for name in TOO_MUCH),
        *(pytest.param(name, 1, marks=exhaustive) for name in LARGE),
    ],
)
def test_more_than_a_limit_is_one_error_that_names_it(
    name: str, share: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = replace(LIMITS[name], most=LIMITS[name].most // share)
    for module in LARGE.get(name, ()):
        monkeypatch.setattr(module, name, limit)
    read, place = TOO_MUCH[name]
    with pytest.raises(InputLimitError) as caught:
        read(limit.most + 1)
    error = caught.value
    assert error.path.startswith(place)
    assert (error.what, error.most) == (limit.what, limit.most)
    assert error.found > limit.most
    assert f"{limit.most:,}" in str(error)


NAMES_OF_LIMITS = sorted(TOO_MUCH.keys() - {"READINGS", "PROVINCES"})


@pytest.mark.parametrize("name", few_of(NAMES_OF_LIMITS, 4))
def test_as_much_as_a_limit_allows_is_not_too_much(name: str) -> None:
    read, _ = TOO_MUCH[name]
    slack = 20 if "VALUES" in name and name != "VALUES_OF_OPTION" else 0
    try:
        read(LIMITS[name].most - slack)
    except DipsatError as error:  # something else may be wrong with it
        assert not isinstance(error, InputLimitError)  # noqa: PT017  # not every limit raises


@exhaustive
def test_limits_are_ten_times_what_the_biggest_shipped_map_needs() -> None:
    maps = [load_map(name) for name in map_names()]
    assert LIMITS["PROVINCES"].most == 10 * max(len(one.provinces) for one in maps)
    assert LIMITS["POWERS"].most == 10 * max(len(one.powers) for one in maps)
    assert LIMITS["UNITS"].most == 10 * max(len(one.centers) for one in maps)
    assert LIMITS["ORDERS"].most == LIMITS["NAMES"].most == LIMITS["PROVINCES"].most


@exhaustive
def test_shipped_files_have_a_tenth_of_the_values_that_are_read() -> None:
    def count(path: Path) -> int:
        events = yaml.parse(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
        return sum(isinstance(one, yaml.NodeEvent) for one in events)

    biggest = sorted(data_folder("rules").rglob("*.yaml"), key=lambda path: path.stat().st_size)
    assert max(map(count, biggest[-3:])) <= LIMITS["VALUES"].most / 10


def test_the_reason_of_every_limit_is_a_sentence_without_a_full_stop() -> None:
    assert all(len(one.reason) > 20 and one.reason[-1] != "." for one in LIMITS.values())


UNDATED = {"undated": [["F LON H"]] * 2691}
WINTER = Position.from_units({}, phase="W1901A", centers={"ENGLAND": ["LON"]})


@exhaustive
@pytest.mark.parametrize(
    "give",
    [
        lambda: dipsat.adjudicate(START, {"ENGLAND": cycle(["F LON H"])}),
        lambda: dipsat.adjudicate(START, {"ENGLAND": UNDATED}),
        lambda: dipsat.adjudicate(START, {"ENGLAND": [["F LON H"] * 3] * 900}),
        lambda: dipsat.adjudicate(START, {power: ["F LON H"] * 900 for power in START.map.powers}),
        lambda: dipsat.adjudicate(START, {"ENGLAND": [Hold(UnitName("LON"))] * 2691}),
        lambda: dipsat.adjudicate(WINTER, {"ENGLAND": ["WAIVE"] * 100_000}),
        lambda: dipsat.Game.standard().submit("ENGLAND", ["F LON H"] * 2691),
    ],
    ids=["endless", "sets", "lists", "powers", "typed", "waives", "a game"],
)
def test_all_orders_of_a_phase_count_towards_the_limit(give: Callable[[], object]) -> None:
    with pytest.raises(InputLimitError, match="orders in a phase"):
        give()


def test_a_recorded_phase_has_no_more_orders_than_the_limit() -> None:
    phase = {"phase": "S1901M", "units": {}, "orders": {"ENGLAND": ["F LON H"] * 2691}}
    text = GameText("x.json", 1, "json", game_of([phase]).encode())
    with pytest.raises(InputLimitError) as caught:
        parse_games(text)
    assert caught.value.path == "x.json: S1901M, orders"
    order = {"countryID": 1, "terrID": 6, "type": "Hold"}
    entry = {"turn": 0, "phase": "Diplomacy", "orders": [order] * 2691}
    status = json.dumps({"variantID": 1, "phases": [entry]}).encode()
    with pytest.raises(InputLimitError, match="more than 2,690 orders in a phase"):
        parse_games(GameText("x.json", 1, "json", status))


@exhaustive
@pytest.mark.parametrize("count", [1_501, 10_000])
def test_empty_phases_are_counted_before_they_are_read(count: int) -> None:
    own = game_of({"phase": f"S{year}M", "units": {}} for year in range(1, count + 1))
    saved = json.dumps({"phases": [None] * count})
    status = json.dumps({"variantID": 1, "phases": [None] * count})
    for text in (own, saved, status):
        with pytest.raises(InputLimitError, match="more than 1,500 phases in a game"):
            parse_games(GameText("x.json", 1, "json", text.encode()))
    lines = GameText(
        "x", 1, "phase lines", b"\n".join([b'{"source": "a", "next_phase": 1}'] * count)
    )
    with pytest.raises(InputLimitError, match="more than 1,500 phases in a game"):
        parse_games(lines)


@exhaustive
def test_a_board_has_ten_times_the_units_of_the_biggest_map_at_most() -> None:
    board = parse_map(ring(1_091), "x.yaml")
    units = [f"F P{at}" for at in range(1_091)]
    assert len(Position.from_units({"WEST0": units[1:]}, board).units) == 1_090
    with pytest.raises(InputLimitError, match="more than 1,090 units on a board"):
        Position.from_units({"WEST0": units}, board)


@pytest.mark.parametrize("members", [["a"] * 51, [f"a{at}" for at in range(51)]])
def test_members_of_a_domain_are_counted_before_they_are_compared(members: list[str]) -> None:
    for listed in (
        f"[{', '.join(members)}]",
        f"{{{', '.join(f'{m}{n}: {m}' for n, m in enumerate(members))}}}",
    ):
        with pytest.raises(DocumentError, match="at most 50 members"):
            profile_of(f"domains:\n  Aa: {listed}\n")


def test_a_tally_counts_for_several_readers() -> None:
    tally = Tally(InputLimit("ways", 5, "a test of the tally alone"))
    tally.add(5)
    with pytest.raises(InputLimitError, match="more than 5 ways; dipsat reads no more"):
        tally.add()


def test_ways_to_read_orders_together_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    few = InputLimit("orders in ways", 100, "a test of what is counted")
    monkeypatch.setattr(submissions, "COMPARED_ORDERS", few)
    orders = ["F B - NTH", "F LON H", "F EDI H"]
    judged([orders], "datc+4.E.2-d")
    with pytest.raises(InputLimitError, match="orders in ways"):
        judged([orders] * 20, "datc+4.E.2-d")


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names for which the nearest ones are looked for."""
    found: list[str] = []

    def close(name: str, *rest: object, **options: object) -> list[str]:
        found.append(name)
        return []

    monkeypatch.setattr(hints, "get_close_matches", close)
    return found


@exhaustive
def test_only_faults_that_a_message_lists_look_for_the_nearest_names(searched: list[str]) -> None:
    wrong = ", ".join(f"XY{at}" for at in range(2_000))
    pairs = ", ".join(f"[XY{at}, YZ{at}]" for at in range(2_000))
    for text in (
        f"lines: {{l: {{provinces: [{wrong}]}}}}",
        f"border_features: {{ice: [{pairs}]}}",
        f"provinces: {{LON: {{army: [{wrong}]}}}}",
        f"notations: {{daide: {{provinces: {{{wrong.replace(',', ': A,')}: A}}}}}}",
    ):
        searched.clear()
        with pytest.raises(ProblemsError) as caught:
            parse_map(f"name: x\nextends: standard\n{text}\n", "x.yaml")
        assert len(caught.value.problems) >= 2_000
        assert 0 < len(searched) <= LISTED_FAULTS


def test_messages_stay_short_whatever_a_file_says() -> None:
    for text in ("settings:\n  waive: " + "a" * 100_000, "define:\n  d: " + "x." * 1_900):
        with pytest.raises(DipsatError) as caught:
            profile_of(text)
        assert len(str(caught.value)) < 6_000


# What gzip data and blank space hide.


@exhaustive
@pytest.mark.parametrize(("start", "piece"), [(b'{"phases":[', b"[]," * 10), (b"", b"a" * 30)])
def test_unpacking_stops_where_too_much_comes_out(
    start: bytes, piece: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []

    class Counted(compression._Members):
        def read1(self, wanted: int) -> bytes:
            found = super().read1(wanted)
            read.append(len(found))
            return found

    monkeypatch.setattr(compression, "_Members", Counted)
    path = tmp_path / "games.json.gz"
    path.write_bytes(gzip.compress(start + piece * 1_000_000))
    with pytest.raises(InputLimitError, match="for each byte of packed data"):
        list(game_texts(path))
    assert sum(read) <= LIMITS["GAME_BYTES"].most + 2**20


MANY = LIMITS["PACKED_SURPLUS"].most + 100_000
GZIP = b"\x1f\x8b\x08"
HEAD = b"\0" + b"\0" * 6  # the flags and what follows them
HEADED = {
    "name": GZIP + b"\x08" + HEAD[1:] + b"a" * MANY + b"\0",
    "comment": GZIP + b"\x10" + HEAD[1:] + b"a" * MANY + b"\0",
    "fields": (GZIP + b"\x04" + HEAD[1:] + b"\xff\xff" + bytes(65535) + b"\x03\0" + bytes(8)) * 6,
    "members": gzip.compress(b"") * (MANY // 20),
    "members of one byte": gzip.compress(b" ") * (MANY // 20),
    "zeros": bytes(MANY),
    "empty blocks": GZIP + HEAD + b"\0\0\0\xff\xff" * (MANY // 5),
}
"""Packed data that say little: members with long or many headers, as RFC 1952 describes them."""


GAMES = b'{"phases":[],"note":"%s"}\n' % (b"n" * 10_000) * 700


@pytest.mark.parametrize("before", [b"{}\n", GAMES], ids=["start", "end"])
@pytest.mark.parametrize("headed", HEADED)
def test_packed_data_that_hold_little_are_refused(
    headed: str, before: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "games.jsonl.gz"
    path.write_bytes(gzip.compress(before) + HEADED[headed])
    with pytest.raises(InputLimitError, match=f"{path.name}: .* packed bytes"):
        list(game_texts(path))


@exhaustive
@pytest.mark.parametrize("frame", [b"", b"\x50\x2a\x4d\x18\0\0\0\0"], ids=["empty", "skipped"])
def test_frames_of_zstandard_that_hold_nothing_are_refused(frame: bytes, tmp_path: Path) -> None:
    zstd = needed_zstd()
    path = tmp_path / "games.jsonl.zst"
    frame = frame or zstd.compress(b"")
    path.write_bytes(zstd.compress(b"{}\n") + frame * (MANY // len(frame)))
    with pytest.raises(InputLimitError, match=f"{path.name}: .* packed bytes"):
        list(game_texts(path))


@exhaustive
def test_games_that_were_packed_one_by_one_are_read(tmp_path: Path) -> None:
    """As `cat *.gz > games.jsonl.gz` puts them together, each with its name; zeros may follow."""
    game = {"phases": [{"name": f"S{year}M"} for year in range(1901, 1911)]}
    whole = gzip.compress(json.dumps(game).encode() + b"\n", mtime=0)
    named = whole[:3] + b"\x08" + whole[4:10] + b"game.json\0" + whole[10:]
    path = tmp_path / "games.jsonl.gz"
    path.write_bytes(named * 20_000 + bytes(10_000))
    assert len(list(game_texts(path))) == 20_000


@pytest.mark.parametrize(
    ("before", "after"),
    few_of(
        [
            (b"", b""),
            (b'{"phases":[]}\n', b""),
            (b"[", b"]"),
            (b'{"next_phase":1,"source":"a"}\n', b""),
        ],
        2,
    ),
)
def test_blank_space_has_a_bound_wherever_it_is(
    before: bytes, after: bytes, tmp_path: Path
) -> None:
    for blank, is_refused in ((b" \n" * 600_000, True), (b" \n" * 100_000, False)):
        path = tmp_path / "games.jsonl"
        path.write_bytes(before + blank + b'{"next_phase":1,"source":"a"}\n' + after)
        expected = pytest.raises(InputLimitError, match="blank bytes in a row")
        with expected if is_refused else nullcontext():
            list(game_texts(path))


@exhaustive
def test_values_are_counted_before_they_take_memory(tmp_path: Path) -> None:
    """The same in a value over many lines, which dipsat reads in parts."""
    path = tmp_path / "games.json"
    path.write_bytes(b'{"phases":\n[' + b"[],\n" * 4_000_000)
    with pytest.raises(InputLimitError) as caught:
        list(game_texts(path))
    assert caught.value.found < 4 * LIMITS["JSON_VALUES"].most


@exhaustive
def test_a_list_of_many_games_on_one_line_is_not_one_game_that_is_too_large(tmp_path: Path) -> None:
    game = json.dumps({"phases": [{"name": f"S{year}M"} for year in range(900)]}).encode()
    path = tmp_path / "games.json"
    path.write_bytes(b"[" + b",".join([game] * 400) + b"]")
    found = list(game_texts(path))
    assert [text.data for text in found if isinstance(text, GameText)] == [game] * 400
    with pytest.raises(InputLimitError):
        refuse_many_values(path.read_text(), "x")


def test_a_directive_for_tags_is_refused_before_it_is_read() -> None:
    text = "".join(f"%TAG !a{at}! x\n" for at in range(100))
    with pytest.raises(DocumentError, match=r"x\.yaml:2:1: tags are not allowed"):
        parse_yaml(f"# a comment\n{text}---\na: b", "x.yaml")


# Comparisons and steps, counted.


class Compared(str):
    """A text that counts how often it is compared with another."""

    __slots__ = ()
    comparisons = 0

    def __eq__(self, other: object) -> bool:
        Compared.comparisons += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def comparisons(act: Callable[[list[Any]], object], size: int) -> int:
    """The comparisons of texts that `act` makes with this many different texts."""
    texts = [Compared(f"t{at}") for at in range(size)]
    Compared.comparisons = 0
    act(texts)
    return Compared.comparisons


def late_twins(texts: list[Any]) -> None:
    with pytest.raises(ValueError, match="twice"):
        _unique([(text, 1) for text in (*texts, texts[-1])])


def listed(texts: list[Any]) -> None:
    parts = tuple(Node("x", 1, 1, text, text) for text in texts)
    distinct(Node("x", 1, 1, parts), "a list")


def standing(texts: list[Any]) -> None:
    units = tuple(Compared(f"F {text}") for text in texts)
    power = PowerSetup("A", (), (), units, ())
    check_starts({"A": power}, {"A": Node("x", 1, 1, {})}, Faults())


def related(texts: list[Any]) -> None:
    pairs = dict.fromkeys(pairwise(texts))
    list(PROPERTIES["antisymmetric"](pairs, texts))
    list(PROPERTIES["transitive"](dict.fromkeys([*pairs][::2]), texts))


@pytest.mark.parametrize("act", [late_twins, listed, standing, related])
def test_texts_are_compared_in_proportion_to_their_number(act: Callable[[Any], object]) -> None:
    few, many = comparisons(act, 40), comparisons(act, 160)
    assert many <= 5 * few + 200


def steps(act: Callable[[], object]) -> int:
    """The steps of Python's virtual machine that an action takes."""
    found = 0

    def note(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal found
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        found += event == "opcode"
        return note

    before = sys.gettrace()
    sys.settrace(note)
    try:
        with suppress(DipsatError):
            act()
    finally:
        sys.settrace(before)
    return found


def judged(orders: list[Any], chosen: str = "datc") -> None:
    dipsat.adjudicate(START, {"ENGLAND": orders}, chosen)


def build_sets(count: int) -> None:
    position = Position.from_units({}, phase="W1901A", centers={"ENGLAND": ["LON", "EDI"]})
    dipsat.adjudicate(position, {"ENGLAND": [{"adds": ["B A LON"]}] * count})


def read_some(
    read: Callable[[str], object], text: Callable[[int], str], size: int, count: int
) -> object:
    return read(text(size * count))


READERS: dict[str, Callable[[int], object]] = {
    "several orders": lambda n: judged(["F LON H", "F LON - NTH"] * n),
    "sets of orders": lambda n: judged([{"adds": ["F LON H"]}, {"adds": ["F LON - NTH"]}] * n),
    "sets of builds": build_sets,
    "open units": lambda n: parse_phase_text(
        f"units: {{England: [F Lon]}}\norders: {{England: [{'F Lon H, ' * n}]}}\n"
        f"open: [{'F Nth, ' * n}]\n", "x.yaml", asking=True,
    ),
    "gzip": lambda n: list(
        compression.unpacked(
            io.BufferedReader(io.BytesIO(gzip.compress(b"ab\n" * n))), "x", "gzip"
        )
    ),
    **{
        name: partial(read_some, read, text, size // 10)
        for name, (read, size, _, text) in REPEATED.items() if size >= 10
    },
}  # fmt: skip
"""Name -> what reads a number of something, from one on."""


@pytest.mark.parametrize("sign", [";", ",;", "\t"])
def test_signs_that_separate_nothing_take_few_steps(sign: str) -> None:
    plain, parted = "England: A LON H", f"England: {sign * 2_000}A LON H"
    steps(partial(sheet, plain))
    assert steps(partial(sheet, parted)) <= steps(partial(sheet, plain)) + 50 * 2_000
    assert sheet(parted).orders == sheet(plain).orders


def test_a_phase_of_a_game_in_text_is_no_longer_than_a_sheet() -> None:
    text = "Spring 1901 Movement\nEngland: " + "; " * LIMITS["SHEET_LENGTH"].most + "F LON H"
    with pytest.raises(InputLimitError, match=r"x\.txt:1: .* characters in an order sheet"):
        games(text)


@exhaustive
@pytest.mark.parametrize("name", few_of(READERS, 8))
def test_readers_take_steps_in_proportion_to_the_input(name: str) -> None:
    read = READERS[name]
    steps(partial(read, 1))  # fills the caches, and shows Python which code to trace
    few, many = (steps(partial(read, count)) for count in (10, 40))
    assert many <= 4.6 * few + 500


@exhaustive
def test_names_are_probed_without_a_search_for_the_nearest(searched: list[str]) -> None:
    error = UnknownNameError("province", "Lndon", iter(["London"]))
    assert searched == []
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert "unknown province 'Lndon'" in str(error)
    assert searched == ["lndon"]
    searched.clear()
    judged([f"F LON - zzyyxxw{at}" for at in range(1_000)], "datc+4.E.2-d")
    assert len(searched) <= 2 * limits.HINTED  # in all names, then in the nearest ones


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        ("A Par - Bur (*bounce*)", "A Par - Bur "),
        ("(*a*)x(*b*)y", "xy"),
        ("(*a*b*)", ""),
        ("(* not closed", "(* not closed"),
        ("*)(*", "*)(*"),
        ("(*)*)", ""),
        ("", ""),
    ],
)
def test_notes_are_left_out(line: str, rest: str) -> None:
    assert _without_notes(line) == rest
