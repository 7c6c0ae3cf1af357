"""Reading a file ends with one error when the time is up, wherever it is then; and readers look at
the clock often enough. No test waits: a clock of the tests' own says when the time is up."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import yaml

import dipsat
from dipsat import searches
from dipsat.errors import FileError, LimitError, ProblemsError
from tests.exhaustive import exhaustive, few_of
from tests.formats.test_webdip_variants import VARIANT
from tests.strangers.clock import LIMITS, late_after, points

Load = Callable[[dipsat.Limits], object]

MOST_CALLS = 300_000
"""Calls of functions between two looks at the clock: about a tenth of a second."""
FEW = [4, pytest.param(10, marks=exhaustive)]
"""Points at which the time is up."""


def rules(entries: int) -> str:
    """A rule file with this many entries in two sections."""
    numbers = range(entries)
    return (
        "name: many\nextends: datc\ndecisions:\n"
        + "".join(f"  x{n}(p): hold_strength(p) > {n % 900}\n" for n in numbers)
        + "define:\n"
        + "".join(f"  y{n}(p): hold_strength(p) > {n % 900}\n" for n in numbers)
    )


def ring_map(provinces: int) -> str:
    """A map of provinces in a ring, each beside four others."""
    steps = (-2, -1, 1, 2)
    rows = (
        f"  P{n}:\n    name: Place {n}\n    type: land\n"
        f"    army: [{', '.join(f'P{(n + step) % provinces}' for step in steps)}]\n"
        for n in range(provinces)
    )
    return f"name: ring\nprovinces:\n{''.join(rows)}powers:\n  FRANCE: {{home: []}}\n"


def game(phases: int) -> dict[str, Any]:
    """A game with moves in every year."""
    played = dipsat.Game.standard()
    for number in range(phases):
        if number % 2 == 0 and played.phase.kind is dipsat.PhaseKind.MOVEMENT:
            played.submit("FRANCE", ["A PAR - BUR" if number % 4 else "A BUR - PAR"])
        played.advance()
    return played.to_dict()


def faulty_game(phases: int) -> dict[str, Any]:
    """A game with many orders that nobody can read, under rules that say how to treat them."""
    faulty = {"FRANCE": [f"A PARR{number} - BURR" for number in range(30)]}
    plain = game(phases)
    return {
        **plain,
        "rules": "rulebooks/1971",
        "phases": [{**phase, "orders": faulty} for phase in plain["phases"]],
    }


def transcript(years: int) -> str:
    moves = ("France:\n A Par - Bur\n", "France:\n A Bur - Par\n")
    return "Map: standard\nRules: datc\n" + "".join(
        f"\n{season} {1901 + year} Movement\n\n{orders}\n"
        for year in range(years)
        for season, orders in zip(("Spring", "Fall"), moves, strict=True)
    )


class Carrier:
    """A file that is written again for each reading, so that nothing is kept from the last one or
    from another test."""

    numbers = count(1)

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, name: str, text: str, comment: str = "# {}\n") -> Path:
        path = self.folder / name
        path.write_text(comment.format(next(self.numbers)) + text, encoding="utf-8")
        return path


def _of_file(
    load: Callable[..., Any], name: str, text: str, comment: str = "# {}\n"
) -> Callable[[Carrier], Load]:
    def made(at: Carrier) -> Load:
        path = at.write(name, text, comment)
        return lambda limits: load(path, limits=limits)

    return made


def _profile(at: Carrier) -> Load:
    at.write("base.yaml", "name: base\nextends: datc\n")
    path = at.write("own.yaml", rules(40).replace("extends: datc", "extends: base.yaml"))
    return lambda limits: sorted(dipsat.load_profile(path, limits=limits).decisions)


def _profile_with_maps(at: Carrier) -> Load:
    for name in "ab":
        at.write(f"map-{name}.yaml", ring_map(30))
        at.write(f"{name}.yaml", f"name: {name}\nextends: datc\nmap: map-{name}.yaml\n")
    path = at.write("own.yaml", "name: own\nextends: [a.yaml, b.yaml]\n")
    return lambda limits: dipsat.load_profile(path, limits=limits).map


def _parsed_profile(at: Carrier) -> Load:
    text = at.write("text.yaml", rules(40)).read_text()
    return lambda limits: sorted(dipsat.parse_profile(text, "text.yaml", limits=limits).decisions)


def _map(at: Carrier) -> Load:
    at.write("base.yaml", ring_map(400))
    path = at.write("own.yaml", "extends: base.yaml\nname: own\n")
    return lambda limits: sorted(dipsat.load_map(path, limits=limits).provinces)


def _parsed_map(_: Carrier) -> Load:
    text = ring_map(400)
    return lambda limits: sorted(dipsat.parse_map(text, "map.yaml", limits=limits).provinces)


def _phase(at: Carrier) -> Load:
    at.write("own.yaml", rules(20))
    at.write("map.yaml", ring_map(30))
    text = (
        "map: map.yaml\nrules: own.yaml\nunits: {FRANCE: [A P0]}\norders: {FRANCE: [A P0 - P1]}\n"
    )
    path = at.write("phase.yaml", text)
    return lambda limits: dipsat.load_phase(path, limits=limits).position.to_dict()


def _variant(at: Carrier) -> Load:
    names = [f"{one}{other}x" for one in "abcdefgh" for other in "stuvwxyz"]
    rows = ",".join(f"array('{name}','Sea','Yes',1,1,2,3,4)" for name in names)
    borders = ",".join(
        f"array('{name}','{names[at - 1]}','Yes','No')" for at, name in enumerate(names)
    )
    at.write("install.php", f"<?php $t=array({rows});$b=array({borders});", "")
    at.write("variant.php", VARIANT, "")
    return lambda limits: [str(made) for made in dipsat.import_maps(at.folder, limits=limits)]


def _game(name: str, text: str, comment: str = "# {}\n") -> Callable[[Carrier], Load]:
    return _of_file(lambda path, limits: dipsat.Game.load(path, limits=limits).to_dict(),
                    name, text, comment)  # fmt: skip


def _game_from_dict(_: Carrier) -> Load:
    played = game(6)
    return lambda limits: dipsat.Game.from_dict(played, limits=limits).to_dict()


def _new_game(at: Carrier) -> Load:
    path, board = at.write("own.yaml", rules(20)), at.write("map.yaml", ring_map(30))
    return lambda limits: str(dipsat.Game.new(board, path, limits=limits).phase)


def _line(at: Carrier) -> Load:
    at.write("own.yaml", rules(20))
    text = "rules: own.yaml\nunits: [A SEV, A UKR]\nprotect: [SEV]\nenemy: {units: 1}\n"
    path = at.write("line.yaml", text)
    return lambda limits: searches.hold_line(path, limits=limits).verdict


SAVED = game(8)
LOADERS: dict[str, Callable[[Carrier], Load]] = {
    "load_profile": _profile,
    "load_profile of two maps": _profile_with_maps,
    "parse_profile": _parsed_profile,
    "load_profile with settings": _of_file(
        lambda path, limits: (
            dipsat.load_profile(path, settings={"waive": "illegal"}, limits=limits).settings
        ),
        "chosen.yaml",
        rules(20),
    ),
    "load_map": _map,
    "parse_map": _parsed_map,
    "check_map": _of_file(
        lambda path, limits: dipsat.check_map(path, limits=limits)[1], "own.yaml", ring_map(400)
    ),
    "load_phase": _phase,
    "Game.load of JSON": _game("game.json", json.dumps(SAVED), ""),
    "Game.load of YAML": _game("game.yaml", yaml.safe_dump(SAVED, sort_keys=False)),
    "Game.load of a transcript": _game("game.txt", transcript(3)),
    "Game.from_dict": _game_from_dict,
    "Game.new": _new_game,
    "hold_line of a file": _line,
    "import_maps of PHP": _variant,
}


@exhaustive
@pytest.mark.parametrize("most", FEW)
@pytest.mark.parametrize("name", few_of(LOADERS, 4))
def test_running_out_of_time_anywhere_is_one_error_and_leaves_nothing_behind(
    name: str, most: int, tmp_path: Path
) -> None:
    make, at = LOADERS[name], Carrier(tmp_path)
    whole, late = make(at)(dipsat.Limits()), 0  # the first call also reads the shipped files
    for number in points(lambda: make(at)(LIMITS), most):
        load = make(at)
        with late_after(number):
            try:
                found = load(LIMITS)
            except LimitError as error:
                found, late = (error.limit, error.value), late + 1
        assert found in (whole, "unknown", ("seconds", LIMITS.seconds))
        assert load(dipsat.Limits()) == whole
    assert late >= 3


def test_enough_time_gives_the_same_object(tmp_path: Path) -> None:
    path = Carrier(tmp_path).write("own.yaml", rules(5))
    assert dipsat.load_profile("datc", limits=LIMITS) is dipsat.load_profile("datc")
    assert dipsat.load_profile(path, limits=LIMITS) is dipsat.load_profile(path)


HEAVY: dict[str, Callable[[Carrier], Load]] = {
    "rules": _of_file(dipsat.load_profile, "own.yaml", rules(800)),
    "many files": lambda at: _many_files(at),
    "faulty rules": _of_file(
        dipsat.load_profile, "own.yaml", rules(400).replace("hold_st", "hold_ts")
    ),
    "game": _game("game.json", json.dumps(game(60)), ""),
    "transcript": _game("game.txt", transcript(40)),
    "game of faulty orders": _game("game.json", json.dumps(faulty_game(20)), ""),
}


def _many_files(at: Carrier) -> Load:
    at.write("f0.yaml", rules(150))
    for number in range(1, 20):
        text = rules(150).replace("extends: datc", f"extends: f{number - 1}.yaml")
        path = at.write(f"f{number}.yaml", text)
    return lambda limits: dipsat.load_profile(path, limits=limits)


@exhaustive
@pytest.mark.parametrize("name", few_of(HEAVY, 2))
def test_the_clock_is_looked_at_often(name: str, tmp_path: Path) -> None:
    load = HEAVY[name](Carrier(tmp_path))
    with late_after(None) as clock, clock.counting(), suppress(ProblemsError, FileError):
        load(LIMITS)
    assert clock.gap < MOST_CALLS
    assert clock.calls > 3 * clock.gap  # otherwise the input is too small to show anything


def test_each_game_of_a_file_has_the_whole_time(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    dipsat.Game.standard().save(path)
    path.write_text(path.read_text(encoding="utf-8") * 3, encoding="utf-8")
    with late_after(None) as clock:
        for _ in dipsat.load_games(path, limits=LIMITS):
            clock.now += 0.9 * (LIMITS.seconds or 0)
