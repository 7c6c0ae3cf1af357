"""Finding games in files of any size and shape, and saying what is wrong with bad ones."""

from __future__ import annotations

import gzip
import json
import random
import tracemalloc
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import dipsat
from dipsat.errors import DipsatError, DocumentError, FileError
from dipsat.formats import GameText, RecordedGame, game_files, game_texts, parse_games, read_games
from dipsat.formats.saved_game import read_phase_lines, read_saved_game, saved_game
from tests.exhaustive import exhaustive
from tests.made_games import made_game
from tests.packages import needed_zstd


def saved(seed: int, phases: int = 4) -> dict[str, Any]:
    """A game in the form in which the `diplomacy` package saves games."""
    game = made_game(seed, phases)
    game.name = f"g{seed}"
    states = [*(turn.position.to_dict() for turn in game.history), game.position.to_dict()]
    orders = [{p: list(texts) for p, texts in turn.orders.items()} for turn in game.history]
    return saved_game(states, orders, game.position.map, game.name, game.map_name, game.rules)


def phase_lines(seed: int, phases: int = 4) -> list[dict[str, Any]]:
    """A game as JSON Lines of phases."""
    game = made_game(seed, phases)
    lines = []
    for turn in game.history:
        before, after = turn.position.to_dict(), turn.outcome.next.to_dict()
        before.pop("retreats")
        after.pop("retreats")
        line = {
            "source": f"g{seed}",
            **before,
            "orders": {p: list(t) for p, t in turn.orders.items()},
        }
        lines.append(line | {f"next_{key}": value for key, value in after.items()})
    return lines


def names(path: Path) -> list[str]:
    """The games of a file, by the name that each has in it."""
    found = []
    for game in read_games(path):
        assert isinstance(game, RecordedGame)
        found.append(game.source.removeprefix(str(path)).rpartition(" ")[2])
    return found


def in_zstd(data: bytes) -> bytes:
    """Data packed with Zstandard."""
    packed: bytes = needed_zstd().compress(data)
    return packed


ONE, TWO = saved(1), saved(2)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(ONE) + "\n" + json.dumps(TWO) + "\n",
        json.dumps(ONE) + "\r\n\r\n" + json.dumps(TWO),
        "\ufeff" + json.dumps(ONE) + "\n" + json.dumps(TWO),
        "\n\n" + json.dumps(ONE) + "\n" + json.dumps(TWO),
        json.dumps(ONE, indent=2) + "\n" + json.dumps(TWO, indent=2),
        json.dumps([ONE, TWO]),
        json.dumps([ONE, TWO], indent=4) + "\n",
        "[" + json.dumps(ONE, indent=1) + "\n,\n\n" + json.dumps(TWO) + "]",
    ],
    ids=["lines", "blank", "bom", "late", "pretty", "list", "pretty list", "mixed list"],
)
@pytest.mark.parametrize("pack", [bytes, gzip.compress, in_zstd], ids=["plain", "gzip", "zstd"])
def test_games_are_found_in_every_layout(text: str, pack: Any, tmp_path: Path) -> None:
    path = tmp_path / "games"
    path.write_bytes(pack(text.encode()))
    assert names(path) == ["g1", "g2"]


def test_lines_of_phases_are_joined_by_game(tmp_path: Path) -> None:
    path = tmp_path / "phases.jsonl"
    lines = [*phase_lines(1, 3), *phase_lines(2, 2)]
    path.write_text("\n\n".join(map(json.dumps, lines)), encoding="utf-8")
    found = [game for game in read_games(path) if isinstance(game, RecordedGame)]
    assert [(game.source, len(game.phases)) for game in found] == [("g1", 3), ("g2", 2)]


def test_the_line_in_which_a_game_begins_is_known(tmp_path: Path) -> None:
    path = tmp_path / "games.json"
    path.write_text("\n" + json.dumps([ONE, TWO], indent=1), encoding="utf-8")
    first, second = (text for text in game_texts(path) if isinstance(text, GameText))
    assert (first.line, second.line) == (3, 2 + json.dumps([ONE], indent=1).count("\n"))


@exhaustive
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """Games are read one by one, from lines and from lists over many lines."""
    for listed in (False, True):
        peaks = []
        for count in (500, 1500):
            path = tmp_path / f"{count}.json"
            line = json.dumps({"phases": ["x" * 4000]}, indent=1 if listed else None)
            text = "[" + ",\n".join([line] * count) + "]" if listed else f"{line}\n" * count
            path.write_text(text, encoding="utf-8")
            tracemalloc.start()
            assert sum(1 for _ in game_texts(path)) == count
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
        assert path.stat().st_size > 6_000_000  # bytes
        assert peaks[1] < 1.3 * peaks[0] + 100_000


def test_a_game_of_phases_that_is_too_large_is_left_out_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [[json.dumps(line) for line in phase_lines(seed, 2)] for seed in range(3)]
    sizes = [sum(map(len, game)) for game in lines]
    lines[1] = [*lines[1], *lines[1]]
    monkeypatch.setattr(game_files, "MAX_GAME_BYTES", max(sizes) + 100)
    path = tmp_path / "phases.jsonl"
    path.write_text("\n".join(line for game in lines for line in game), encoding="utf-8")
    found = list(game_texts(path))
    assert [isinstance(text, DipsatError) for text in found] == [False, True, False]


BAD: Mapping[str, tuple[bytes, str]] = {
    "empty": (b"", "there is no game in it"),
    "blank": (b" \n \n", "there is no game in it"),
    "cut off": (json.dumps(ONE).encode()[:-40], r":1:\d+: malformed JSON"),
    "cut off and pretty": (json.dumps(ONE, indent=1).encode()[:-40], r":\d+:\d+: malformed JSON"),
    "list cut off": (json.dumps([ONE]).encode()[:-1], "list of games is cut off"),
    "no JSON": (b'{"id": tru}', r":1:8: malformed JSON"),
    "nested": (b"[" * 100_000, "nested too deeply"),
    "nested object": (
        b'{"phases": ' * 50_000,
        "nested too deeply|malformed JSON",
    ),  # Python 3.14 reads it
    "NaN": (b'{"id": NaN, "phases": []}', "NaN is not a number"),
    "infinity": (b'{"id": -Infinity, "phases": []}', "-Infinity is not a number"),
    "too large": (b'{"id": 1e999, "phases": []}', "1e999 is too large"),
    "too long": (b'{"id": ' + b"9" * 5000 + b', "phases": []}', "a number has 5000 digits"),
    "twice": (b'{"phases": [], "phases": []}', "'phases' occurs twice"),
    "not UTF-8": (b'{"id": "\xff\xfe"}', "not UTF-8"),
    "binary": (bytes(range(256)), "not UTF-8|contains no game"),
    "other JSON": (b'{"a": 1}', "contains no game"),
    "a number": (b"[1, 2]", "no game"),
    "text": (b"hello\nworld\n", "contains no game"),
}


@pytest.mark.parametrize(("data", "message"), BAD.values(), ids=BAD)
def test_bad_files_are_one_clear_error_with_the_file(
    data: bytes, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(data)
    with pytest.raises((FileError, DocumentError), match=message) as error:
        list(read_games(path))
    assert str(error.value).startswith(str(path))
    assert len(str(error.value)) < 400 + len(str(path))


@pytest.mark.parametrize(("pack", "name"), [(gzip.compress, "gzip"), (in_zstd, "Zstandard")])
def test_damaged_packed_files_are_file_errors(pack: Any, name: str, tmp_path: Path) -> None:
    path = tmp_path / "games"
    data = pack(json.dumps([ONE] * 50).encode())
    for damaged in (data[: len(data) // 2], data[:200] + bytes(99) + data[299:]):
        path.write_bytes(damaged)
        with pytest.raises(FileError, match=f"the {name} data are damaged or cut off"):
            list(read_games(path))


def test_a_frame_of_zstandard_that_takes_much_memory_is_refused(tmp_path: Path) -> None:
    """It asks for a window of 2 GB, however little it contains."""
    path = tmp_path / "games.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd" + bytes([0, 21 << 3]) + b"\x01\x00\x00")
    needed_zstd()
    with pytest.raises(FileError, match=r"damaged or cut off: .*memory"):
        list(read_games(path))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"type": "Feature", "id": 1}, "an object without `phases`, with the keys type, id;"),
        (dict.fromkeys("abcdefg"), "with the keys a, b, c, d, e and others;"),
        ({"units": {}, "x": 1}, "it may be one phase, and a game lists these;"),
        ({}, "an empty object;"),
    ],
)
def test_a_file_that_is_not_a_game_is_described(value: Any, words: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    for text, place in ((json.dumps(value), ""), (json.dumps([ONE, value]), ", number 2")):
        path.write_text(text)
        with pytest.raises(FileError) as caught:
            list(read_games(path))
        assert str(caught.value).startswith(f"{path}{place}: contains no game, but ")
        assert words in str(caught.value)
        assert "`phases`" in str(caught.value)


def test_missing_files_are_file_errors(tmp_path: Path) -> None:
    for other in (tmp_path / "none", tmp_path, Path("a\0b")):
        with pytest.raises(FileError, match="cannot be read"):
            list(read_games(other))


@pytest.mark.parametrize("damage", [b"", b"\xff" * 99], ids=["cut off", "garbled"])
def test_games_before_the_damage_of_gzip_data_are_read(damage: bytes, tmp_path: Path) -> None:
    """Only the piece that is unpacked with the damage is lost, a sixth of the data here."""
    rng, games = random.Random(0), 200
    lines = [json.dumps({"phases": [], rng.randbytes(8).hex(): "x" * 200}) for _ in range(games)]
    packer = zlib.compressobj(wbits=31)  # as gzip does
    whole = packer.compress("\n".join(lines).encode()) + packer.flush(zlib.Z_SYNC_FLUSH)
    path = tmp_path / "games.jsonl.gz"
    path.write_bytes(whole + damage)
    found = list[object]()
    with pytest.raises(FileError, match="damaged or cut off"):
        found.extend(game_texts(path))
    assert len(found) > games // 2


def test_a_bad_line_comes_as_an_error_and_the_next_games_follow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = json.dumps(ONE)
    long = json.dumps(ONE | {"note": "x" * len(whole)})
    monkeypatch.setattr(game_files, "MAX_GAME_BYTES", 2 * len(whole) - 100)
    path = tmp_path / "games.jsonl"
    path.write_text("\n".join([whole, whole[:-9], long, json.dumps(TWO)]), encoding="utf-8")
    found: list[str] = []
    for text in game_texts(path):
        if isinstance(text, DipsatError):
            found.append(str(text).removeprefix(str(path)))
            continue
        try:
            found += [game.source for game in parse_games(text) if isinstance(game, RecordedGame)]
        except DipsatError as error:
            found.append(str(error).removeprefix(str(path)))
    assert len(found) == 4
    assert found[0].endswith("g1")
    assert found[1].startswith(":2:")
    assert found[2].startswith(":3: a game of more than")
    assert found[3].endswith("g2")


def test_a_saved_game_holds_the_boards_and_what_came_of_the_orders() -> None:
    game = read_saved_game(ONE, "x.json")
    assert game.source == "x.json: g1"
    assert [str(phase.before.phase) for phase in game.phases][:2] == ["S1901M", "F1901M"]
    for phase, following in zip(game.phases, game.phases[1:], strict=False):
        assert phase.after is following.before
    assert game.phases[-1].after is None


def broken(phase: int, **changes: Any) -> dict[str, Any]:
    """The game with other entries in one of its phases."""
    game: dict[str, Any] = json.loads(json.dumps(ONE))
    for way, value in changes.items():
        entry = game["phases"][phase]
        *parents, last = way.split("__")
        for parent in parents:
            entry = entry[parent]
        entry[last] = value
    return game


FAULTS: Mapping[str, tuple[dict[str, Any], str]] = {
    "map": ({**ONE, "map": "moon"}, "map: unknown map 'moon'"),
    "map number": ({**ONE, "map": 7}, "map: this should be a text, not 7"),
    "no phases": ({**ONE, "phases": []}, "no phases"),
    "phases": ({**ONE, "phases": {"a": 1}}, "phases: this should be a list, not an object"),
    "phase": ({**ONE, "phases": [7]}, "phases: this should be an object, not 7"),
    "name": (broken(1, name="F1901X"), "F1901X: unknown phase 'F1901X'"),
    "name number": (broken(1, name=1901), "should be a text, not 1901"),
    "no units": (broken(1, state={}), "F1901M, state: it has no units"),
    "units": (broken(1, state__units=[]), "F1901M, units: this should be an object, not a list"),
    "power": (broken(1, state__units={"FRANKREICH": ["A PAR"]}), "unknown power 'FRANKREICH'"),
    "unit": (broken(1, state__units__FRANCE=["A XXX"]), "F1901M, units, FRANCE: unknown province"),
    "unit null": (broken(1, state__units__FRANCE=[None]), "should be a text, not null"),
    "at sea": (broken(1, state__units__FRANCE=["A ENG"]), "an army cannot stand at sea"),
    "inland": (broken(1, state__units__FRANCE=["F PAR"]), "F1901M, units, FRANCE: .*inland"),
    "two": (broken(1, state__units__FRANCE=["A PAR", "A PAR"]), "already stands in PAR"),
    "center": (broken(1, state__centers__FRANCE=["BUR"]), "centers: .* is not a supply centre"),
    "owners": (broken(1, state__centers={"FRANCE": ["PAR"], "ITALY": ["PAR"]}), "owned by FRANCE"),
    "order": (broken(1, orders={"FRANCE": ["A PAR dances"]}), "orders, FRANCE: cannot read"),
    "misplaced": (broken(1, orders={"FRANCE": ["A PAR B"]}), "F1901M is a movement phase"),
    "orders": (broken(1, orders={"FRANCE": "A PAR H"}), "should be a list, not \"A PAR H\""),
    "retreats": (
        broken(1, state__retreats={"FRANCE": {"A PAR": ["BUR"]}}), "no such unit is dislodged",
    ),
    "far retreat": (
        broken(
            1, name="S1901R", state__units={"FRANCE": ["*A PAR"]},
            state__retreats={"FRANCE": {"A PAR": ["STP"]}},
        ),
        "S1901R, retreats, FRANCE, A PAR: .*it cannot retreat to STP",
    ),
    "dislodged": (
        broken(1, state__units={"FRANCE": ["*A PAR"]}), r"F1901M has dislodged units \(A PAR",
    ),
    "not begun": (broken(0, name="FORMING"), "FORMING: the game has not begun"),
    "after the end": (broken(1, name="COMPLETED"), "a phase after the end of the game"),
}  # fmt: skip


@pytest.mark.parametrize(("game", "message"), FAULTS.values(), ids=FAULTS)
def test_faults_of_saved_games_name_the_phase_and_the_keys(
    game: dict[str, Any], message: str
) -> None:
    with pytest.raises(FileError, match=message) as error:
        read_saved_game(game, "x.json")
    assert str(error.value).startswith("x.json: ")


def test_phases_that_contradict_the_line_before_are_refused() -> None:
    """The order of the units in a line means nothing."""
    lines = list(enumerate(phase_lines(1), 1))
    for texts in (*lines[1][1]["units"].values(), *lines[2][1]["units"].values()):
        texts.reverse()
    assert len(read_phase_lines(lines, "x").phases) == 4
    lines[2][1]["units"]["FRANCE"] = ["A PAR"]
    with pytest.raises(FileError, match=r"x:3: .*its units contradict the line before"):
        read_phase_lines(lines, "x")


def test_a_game_of_the_package_is_read_as_the_package_has_it() -> None:
    diplomacy = pytest.importorskip("diplomacy")
    from diplomacy.utils.export import to_saved_game_format

    game = diplomacy.Game()
    for orders in (["A PAR - BUR", "A MAR S A PAR - BUR"], ["A BUR - MUN"], []):
        game.set_orders("FRANCE", orders)
        game.process()
    found = read_saved_game(json.loads(json.dumps(to_saved_game_format(game))), "x")
    history = list(game.state_history.values())
    assert [str(phase.before.phase) for phase in found.phases] == [
        *(state["name"] for state in history), game.get_current_phase(),
    ]  # fmt: skip
    for phase, state in zip(found.phases, history, strict=False):
        units = {(unit.power, str(unit)) for unit in phase.before.units}
        assert units == {(p, u) for p, own in state["units"].items() for u in own}
        centers = phase.before.centers
        assert centers is not None
        assert {p: set(o) for p, o in centers.items()} == {
            p: set(o) for p, o in state["centers"].items() if o
        }


@pytest.mark.parametrize("seed", range(3))
def test_the_package_reads_the_games_that_dipsat_saves(seed: int, tmp_path: Path) -> None:
    pytest.importorskip("diplomacy")
    from diplomacy.utils.export import load_saved_games_from_disk

    game = made_game(seed, 15)
    game.save(tmp_path / "game.jsonl")
    (found,) = load_saved_games_from_disk(str(tmp_path / "game.jsonl"))
    assert found.get_current_phase() == str(game.phase)
    assert len(found.state_history) == len(game.history)
    units = game.position.to_dict()["units"]
    for power in dipsat.load_map("standard").powers:
        standing = [unit for unit in found.get_units(power) if not unit.startswith("*")]
        assert sorted(standing) == sorted(units.get(power, []))


@pytest.mark.parametrize("blank", ["", "\n\n"])
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("# a game\nSpring 1901 Movement\nFrance:\n A Par - Burr\n", 4),
        ("VARIANT_ALL Standard\nCASE one\nPRESTATE\nFrance: A pary\nEND\n", 4),
        ("# a game\nformat: dipsat game\nformat: dipsat game\n", 3),
    ],
    ids=["transcript", "jDip", "YAML"],
)
def test_lines_are_counted_as_they_stand_in_the_file(
    text: str, line: int, blank: str, tmp_path: Path
) -> None:
    path = tmp_path / "game"
    path.write_text(blank + text, encoding="utf-8")
    with pytest.raises(DipsatError) as error:
        list(read_games(path))
    assert str(error.value).startswith(f"{path}:{line + len(blank)}:")
