"""Which files a document may name, and what errors reveal about those that it must not read."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Any

import pytest

import dipsat
from dipsat import Files, Limits, load_phase, studies
from dipsat.base import by_caller, file_reading as reading, narrower, running
from dipsat.errors import ArgumentError, DipsatError, FileError
from dipsat.rules import layers
from dipsat.searches import read_line
from dipsat.studies import ReplayFailure, stress_tests as open_orders
from tests.exhaustive import exhaustive, few_of

SECRET = "hunter2"
RULES = "extends: datc\ntitle: Ours\n"
MAP = "extends: standard\nname: ours\n"
POSIX = pytest.mark.skipif(os.name != "posix", reason="links, pipes and devices as POSIX has them")

STATE = {"name": "S1901M", "units": {"FRANCE": ["A PAR"]}, "centers": {}}
ORDERS = {"FRANCE": ["A PAR H"]}


@dataclass(frozen=True)
class Carrier:
    """A document that names a file: how it is written, and how it is read."""

    name: str
    text: Callable[[str], str]
    read: Callable[[Path, Limits], object]
    good: str = RULES
    """What the file that it names should be."""


def game(**named: str) -> str:
    phase = {"phase": "S1901M", "units": {"FRANCE": ["A PAR"]}, "orders": ORDERS}
    return json.dumps({"format": "dipsat game", "version": 1, **named, "phases": [phase]})


def saved(**named: str) -> str:
    phase = {"name": "S1901M", "state": STATE, "orders": ORDERS}
    return json.dumps({"id": "g", "map": "standard", **named, "phases": [phase]})


def phase_line(**named: str) -> str:
    here = {"source": "g", "phase": "S1901M", "units": {"FRANCE": ["A PAR"]}, "orders": ORDERS}
    after = {"next_phase": "F1901M", "next_units": {"FRANCE": ["A PAR"]}}
    return json.dumps({**here, **after, **named})


def load_rules(path: Path, limits: Limits) -> dipsat.Profile:
    return dipsat.load_profile(path, limits=limits)


def load_game(path: Path, limits: Limits) -> object:
    return dipsat.Game.load(path, limits=limits)


def read_sheet(path: Path, limits: Limits) -> object:
    return load_phase(path, limits=limits)


def read_hold(path: Path, limits: Limits) -> object:
    with running(limits):
        return read_line(path)


def replay(path: Path, limits: Limits) -> object:
    (report,) = studies.replay_files([path], limits=limits)
    if isinstance(report, ReplayFailure):
        raise DipsatError(report.problem)
    return report


def crosscheck(path: Path, limits: Limits) -> object:
    report = studies.crosscheck(["recursive_guess"], [path], limits=limits)
    if report.failures:
        raise DipsatError("\n".join(report.failures))
    return report


SHEET: dict[str, Any] = {"orders": ORDERS, "units": {"FRANCE": ["A PAR"]}}
LINE: dict[str, Any] = {"power": "FRANCE", "units": ["A PAR"], "protect": ["BRE"]}
CARRIERS = [
    Carrier("rules.yaml", lambda name: f"extends: [datc, {json.dumps(name)}]\n", load_rules),
    Carrier(
        "text.yaml",
        lambda name: f"extends: [datc, {json.dumps(name)}]\n",
        lambda path, limits: dipsat.parse_profile(path.read_text(), str(path), limits=limits),
    ),
    Carrier(
        "played.yaml",
        lambda name: f"extends: datc\nmap: {json.dumps(name)}\n",
        lambda path, limits: dipsat.Game.new(rules=load_rules(path, limits)),
        MAP,
    ),
    Carrier(
        "map.yaml",
        lambda name: f"extends: {json.dumps(name)}\n",
        lambda path, limits: dipsat.load_map(path, limits=limits),
        MAP,
    ),
    Carrier(
        "checked.yaml",
        lambda name: f"extends: {json.dumps(name)}\n",
        lambda path, limits: dipsat.check_map(path, limits=limits),
        MAP,
    ),
    Carrier("a.json", lambda name: game(rules=name), load_game),
    Carrier("b.json", lambda name: game(map=name), load_game, MAP),
    Carrier("c.jsonl", lambda name: saved(profile=name), load_game),
    Carrier("d.jsonl", lambda name: saved(map=name), load_game, MAP),
    Carrier("e.jsonl", lambda name: phase_line(map=name), load_game, MAP),
    Carrier("f.jsonl", lambda name: saved(profile=name), replay),
    Carrier("g.json", lambda name: game(rules=name), crosscheck),
    Carrier("h.txt", lambda name: f"Rules: {name}\n\nSpring 1901 Movement\n", load_game),
    Carrier("i.txt", lambda name: f"Map: {name}\n\nSpring 1901 Movement\n", load_game, MAP),
    Carrier("j.yaml", lambda name: json.dumps({**SHEET, "rules": name}), read_sheet),
    Carrier("k.yaml", lambda name: json.dumps({**SHEET, "map": name}), read_sheet, MAP),
    Carrier("l.yaml", lambda name: json.dumps({**LINE, "rules": name}), read_hold),
    Carrier("m.yaml", lambda name: json.dumps({**LINE, "map": name}), read_hold, MAP),
]
ANYWHERE, NOWHERE = Limits(files=Files.anywhere()), Limits(files=Files.none())


def within(folder: str | Path) -> Limits:
    return Limits(files=Files.within(folder))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a stranger's documents, with files that are not theirs beside it."""
    folder = tmp_path / "uploads"
    (folder / "below").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(folder)
    return folder


def ways_out(home: Path) -> Iterator[tuple[str, str]]:
    """Names of the file elsewhere/good.yaml: the kind, and the name."""
    target = home.parent / "elsewhere" / "good.yaml"
    yield "absolute", str(target)
    yield "dots", "../elsewhere/good.yaml"
    yield "dots within", "below/../../elsewhere/good.yaml"
    if os.name == "posix":
        (home / "link.yaml").symlink_to(target)
        yield "link to a file", "link.yaml"
        (home / "folder").symlink_to(target.parent)
        yield "link to a folder", "folder/good.yaml"
        (home / "chain.yaml").symlink_to("folder/../elsewhere/good.yaml")
        yield "link to a link", "chain.yaml"


@exhaustive
@pytest.mark.parametrize("carrier", few_of(CARRIERS, 3))
def test_only_files_that_are_allowed_are_read(carrier: Carrier, home: Path) -> None:
    inside, outside = home / "good.yaml", home.parent / "elsewhere" / "good.yaml"
    for path in (inside, outside, home / "below" / "good.yaml"):
        path.write_text(carrier.good)
    document = home / carrier.name
    for name in ("good.yaml", "below/good.yaml", str(inside), "below/../good.yaml"):
        document.write_text(carrier.text(name))
        assert carrier.read(document, within(home)) is not None
        assert carrier.read(document, ANYWHERE) is not None
        with pytest.raises(DipsatError, match=r"only shipped names are allowed|no map"):
            carrier.read(document, NOWHERE)
    for kind, name in ways_out(home):
        document.write_text(carrier.text(name))
        assert carrier.read(document, ANYWHERE) is not None, kind
        for limits in (within(home), NOWHERE):
            with pytest.raises(DipsatError):
                carrier.read(document, limits)


@pytest.mark.parametrize("carrier", few_of(CARRIERS, 6), ids=lambda one: one.name)
def test_shipped_names_are_always_allowed(carrier: Carrier, home: Path) -> None:
    document = home / carrier.name
    document.write_text(carrier.text("standard" if carrier.good == MAP else "wings"))
    assert carrier.read(document, NOWHERE) is not None


def said(error: BaseException) -> str:
    """Everything that an error reveals: its message and its data."""
    parts = [str(error), repr(error.__dict__)]
    parts += [said(one) for one in getattr(error, "problems", ())]
    return "\n".join(parts)


FOREIGN: dict[str, str | bytes] = {
    "other keys": f"password: {SECRET}\nusers: [{SECRET}]\n",
    "no mapping": f"{SECRET}\n",
    "malformed": f"a: {{{SECRET}: [\n{SECRET}: {SECRET}\n",
    "a key twice": f"{SECRET}: 1\n{SECRET}: 2\n",
    "a tag": f"!{SECRET} x\n",
    "not UTF-8": b"title: \xff " + SECRET.encode(),
    "a faulty rule": f"decisions:\n  {SECRET}(m): {SECRET} and\nmap: {SECRET}\n",
    "a faulty setting": f"settings:\n  {SECRET}: {SECRET}\n  waive: {SECRET}\n",
    "a faulty base": f"extends: {SECRET}\n",
    "an empty base": "extends: empty/hunter2.yaml\n",
    "a base of its own": f"extends: {SECRET}.yaml\n",
    "a faulty map": f"name: x\nprovinces:\n  {SECRET}: {{name: {SECRET}}}\npowers: {SECRET}\n",
    "a faulty change": f"extends: standard\nprovinces:\n  {SECRET}: ~\n",
}


@pytest.mark.parametrize(
    ("carrier", "kind"),
    few_of([(carrier, kind) for kind in FOREIGN for carrier in CARRIERS[::2]], 13),
)
def test_errors_quote_nothing_of_a_file_in_another_folder(
    carrier: Carrier, kind: str, home: Path
) -> None:
    content = FOREIGN[kind]
    target = home.parent / "elsewhere" / "secret.yaml"
    target.write_bytes(content if isinstance(content, bytes) else content.encode())
    (target.parent / "empty").mkdir()
    (target.parent / "empty" / f"{SECRET}.yaml").touch()
    (target.parent / f"{SECRET}.yaml").write_text(f"{SECRET}: {SECRET}\n")
    document = home / carrier.name
    for name in ("../elsewhere/secret.yaml", str(target)):
        document.write_text(carrier.text(name))
        for limits in (ANYWHERE, within(home.parent)):
            with pytest.raises(DipsatError) as caught:
                carrier.read(document, limits)
            assert SECRET not in said(caught.value)
            assert "secret.yaml" in str(caught.value)


def test_errors_in_the_documents_own_folder_quote_what_is_wrong(home: Path) -> None:
    (home / "base.yaml").write_text("settings:\n  wavie: 1\n")
    (home / "mine.yaml").write_text("extends: [datc, base.yaml]\n")
    with pytest.raises(DipsatError, match=r"base.yaml:2:3: .*wavie"):
        dipsat.load_profile(home / "mine.yaml")


def test_the_map_of_a_foreign_rule_file_is_not_quoted(home: Path) -> None:
    other = home.parent / "elsewhere"
    (other / "rules.yaml").write_text("map: secret.yaml\n")
    (other / "secret.yaml").write_text(f"{SECRET}: {SECRET}\n")
    (home / "mine.yaml").write_text("extends: [datc, ../elsewhere/rules.yaml]\n")
    profile = dipsat.load_profile(home / "mine.yaml")
    with pytest.raises(DipsatError) as caught:
        dipsat.Game.new(rules=profile)
    assert SECRET not in said(caught.value)


USES: Mapping[str, Callable[[dipsat.Profile], object]] = {
    "game": lambda rules: dipsat.Game.new(rules=rules),
    "stress": lambda rules: studies.stress(rules, boards=1, timeout=0),
    "crosscheck": lambda rules: studies.crosscheck(
        ["recursive_guess"], [studies.RandomBoards(1)], rules=rules
    ),
    "sheet": lambda rules: load_phase("sheet.yaml", rules=rules),
    "line": lambda rules: read_line("line.yaml", rules),
}


@pytest.mark.parametrize("use", USES)
def test_what_the_map_of_rules_extends_must_be_allowed_to_the_rules(
    use: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_orders, "POSITIONS", 1)  # one that is read shows it
    (home.parent / "elsewhere" / "good.yaml").write_text(MAP)
    (home / "board.yaml").write_text("extends: ../elsewhere/good.yaml\n")
    (home / "mine.yaml").write_text("extends: datc\nmap: board.yaml\n")
    (home / "line.yaml").write_text(json.dumps(LINE))
    (home / "sheet.yaml").write_text(json.dumps(SHEET))
    assert USES[use](dipsat.load_profile(home / "mine.yaml")) is not None
    with pytest.raises(DipsatError, match="outside the folder"):
        USES[use](load_rules(home / "mine.yaml", within(home)))


def test_texts_must_be_shipped_names_and_paths_are_the_callers_choice(home: Path) -> None:
    (home / "mine.yaml").write_text(RULES)
    (home / "board.yaml").write_text(MAP)
    with pytest.raises(FileError, match="only shipped names"):
        dipsat.load_profile("datc+mine.yaml", limits=NOWHERE)
    with pytest.raises(FileError, match="only shipped names"):
        dipsat.load_map("board.yaml", limits=NOWHERE)
    assert dipsat.load_profile(Path("mine.yaml"), limits=NOWHERE).title == "Ours"
    assert dipsat.load_map(Path("board.yaml"), limits=NOWHERE).name == "ours"


def test_a_file_that_is_not_allowed_is_not_offered(home: Path) -> None:
    (home / "housereglement.yaml").write_text(RULES)
    with pytest.raises(DipsatError, match=r"did you mean housereglement.yaml"):
        dipsat.load_profile("housereglement")
    with pytest.raises(DipsatError) as caught:
        dipsat.load_profile("housereglement", limits=NOWHERE)
    assert ".yaml" not in str(caught.value)


@pytest.mark.parametrize("as_path", [True, False])
@pytest.mark.parametrize("file", ["mine.yaml", "played.yaml"])
def test_what_a_wider_caller_loaded_is_not_kept_for_a_narrower_one(
    file: str, as_path: bool, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layers, "_SETTLED", -1)  # files are taken as unchanged at once
    (home.parent / "elsewhere" / "good.yaml").write_text(RULES)
    (home.parent / "elsewhere" / "board.yaml").write_text(MAP)
    (home / "mine.yaml").write_text("extends: ../elsewhere/good.yaml\n")
    (home / "played.yaml").write_text("extends: datc\nmap: ../elsewhere/board.yaml\n")
    name = home / file if as_path else str(home / file)
    wide = dipsat.load_profile(name)
    assert dipsat.load_profile(name) is wide
    for narrow in (within(home), NOWHERE):
        with pytest.raises(DipsatError):
            dipsat.load_profile(name, limits=narrow)
    assert dipsat.load_profile(name) is wide


def test_profiles_laid_over_each_other_may_name_what_all_of_them_may(tmp_path: Path) -> None:
    below = tmp_path / "below"
    below.mkdir()
    wide, narrow = Files.within(tmp_path), Files.within(below)
    for one, other in ((wide, narrow), (narrow, wide), (narrow, Files()), (Files(), narrow)):
        assert narrower(one, other) == narrow
    (tmp_path / "beside").mkdir()
    assert narrower(narrow, Files.within(tmp_path / "beside")) == Files.none()
    assert narrower(Files.none(), wide) == Files.none() == narrower(Files(), Files.none())
    (tmp_path / "mine.yaml").write_text(RULES)
    mine = dipsat.load_profile(tmp_path / "mine.yaml", limits=Limits(files=wide))
    assert mine.allowed == wide
    chosen = dipsat.load_profile(mine, settings={"waive": "illegal"})
    assert chosen.allowed == wide


WAITING = """
import os, sys
from pathlib import Path
import dipsat
from dipsat.errors import DipsatError
for kind in sys.argv[1:]:
    os.chdir(kind)
    for files in (dipsat.Files.anywhere(), dipsat.Files.within(".")):
        for path in ("rules.yaml", "map.yaml", "named.yaml"):
            load = dipsat.load_map if path == "map.yaml" else dipsat.load_profile
            for name in (path, Path(path)):
                try:
                    load(name, limits=dipsat.Limits(files=files))
                except DipsatError as error:
                    print(kind, str(error).splitlines()[0], sep=": ")
    try:
        dipsat.Game.load("named.yaml", limits=dipsat.Limits(files=files))
    except DipsatError as error:
        print(kind, error, sep=": ")
    os.chdir("..")
"""
IRREGULAR = {
    "a pipe": "a pipe", "a link to a pipe": "a pipe", "a device": "a device|outside the folder",
    "a folder": "a folder", "a socket": "a socket",
}  # fmt: skip
"""What is not a regular file -> what the errors call it."""


def make_irregular(kind: str, folder: Path) -> None:
    """Make a folder with `named.yaml`, which is not a regular file, and two files that name it."""
    folder.mkdir()
    (folder / "rules.yaml").write_text("extends: [datc, named.yaml]\n")
    (folder / "map.yaml").write_text("extends: named.yaml\n")
    named = folder / "named.yaml"
    if kind == "a folder":
        named.mkdir()
    elif kind == "a device":
        named.symlink_to("/dev/zero")
    elif kind == "a socket":
        with socket.socket(socket.AF_UNIX) as made, contextlib.chdir(folder):
            made.bind("named.yaml")  # the whole path may be too long for the name of a socket
    elif kind == "a link to a pipe":
        os.mkfifo(folder / "pipe")
        named.symlink_to("pipe")
    else:
        os.mkfifo(named)


@exhaustive
@POSIX
def test_nothing_waits_for_a_file_that_is_not_regular(home: Path) -> None:
    """Pipes, devices and folders are refused for what they are; no opening waits for a writer."""
    for kind in IRREGULAR:
        make_irregular(kind, home / kind)
    done = subprocess.run(
        [sys.executable, "-c", WAITING, *IRREGULAR], cwd=home,
        env={**os.environ, "PYTHONPATH": str(Path(dipsat.__file__).parents[1])},
        capture_output=True, encoding="utf-8", check=True, timeout=60,
    )  # fmt: skip
    lines = [line.partition(": ") for line in done.stdout.splitlines()]
    for kind, word in IRREGULAR.items():
        errors = [error for about, _, error in lines if about == kind]
        assert len(errors) == 13
        for error in errors:
            assert any(part in error for part in word.split("|")), (kind, error)


@POSIX
@pytest.mark.parametrize("name", ["x\0.yaml", "below. /x.yaml", "below./x.yaml", "y" * 300])
def test_odd_names_are_errors(name: str, home: Path) -> None:
    for folder in ("below. ", "below."):
        (home / folder).mkdir()
        (home / folder / "x.yaml").write_text(RULES)
    (home / "sheet.json").write_text(json.dumps(SHEET | {"rules": name}))
    for limits in (ANYWHERE, within(home)):
        with pytest.raises(DipsatError) as caught:
            load_phase(home / "sheet.json", limits=limits)
        assert len(str(caught.value)) < 500


def test_folders_are_compared_as_the_system_compares_them(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the system ignores case, two spellings are one folder, and elsewhere two."""
    (home / "good.yaml").write_text(RULES)
    files = Files.within(str(home).replace("uploads", "UPloads"))
    with pytest.raises(FileError, match="outside the folder"):
        dipsat.load_profile(str(home / "good.yaml"), limits=Limits(files=files))
    real = os.stat

    def stat(path: str | Path | int, **more: Any) -> os.stat_result:
        return real(path if isinstance(path, int) else str(path).replace("UP", "up"), **more)

    def open_there(folder: str, way: tuple[str, ...], shown: str) -> BufferedReader:
        return reading.open_file(home.joinpath(*way), shown)

    monkeypatch.setattr(os, "stat", stat)
    monkeypatch.setattr("dipsat.base.file_reading.open_below", open_there)
    assert dipsat.load_profile(str(home / "good.yaml"), limits=Limits(files=files)).title == "Ours"


@POSIX
@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_link_that_appears_after_the_check_is_not_followed(
    what: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = home.parent / "elsewhere"
    (other / "good.yaml").write_text(f"title: {SECRET}\nextends: datc\n")
    (home / "below" / "good.yaml").write_text(RULES)
    check, opened = reading._way, list[str | Path]()

    def exchange(path: str | Path, folder: str) -> tuple[str, ...] | None:
        found = check(path, folder)
        if not opened:
            opened.append(path)
            if what == "file":
                (home / "below" / "good.yaml").unlink()
                (home / "below" / "good.yaml").symlink_to(other / "good.yaml")
            else:
                (home / "below").rename(home / "moved")
                (home / "below").symlink_to(other)
        return found

    monkeypatch.setattr("dipsat.base.file_reading._way", exchange)
    with pytest.raises(FileError, match="cannot be read"):
        dipsat.load_profile("below/good.yaml", limits=within(home))
    assert opened


@POSIX
@pytest.mark.parametrize("what", ["pipe", "link"])
def test_what_appears_between_the_check_and_the_opening_is_not_read(
    what: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, other, real = home / "good.yaml", home.parent / "elsewhere" / "good.yaml", os.stat
    path.write_text(RULES)
    before = path.stat()
    path.rename(other)
    if what == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(other)

    def stat(at: str | Path, **more: Any) -> os.stat_result:
        return before if "good" in str(at) else real(at, **more)

    monkeypatch.setattr(os, "stat", stat)
    if what == "pipe":
        with pytest.raises(FileError, match="a pipe"):
            reading.open_file(path)
    with pytest.raises(FileError, match=r"a pipe|symbolic links"):
        reading.open_below(str(home), ("good.yaml",), "good.yaml")


def test_a_file_is_read_no_further_than_its_size_limit(home: Path) -> None:
    (home / "large.yaml").write_bytes(b"#" * (5 << 20))
    for files in (Files(), Files.within(home)):
        stream = reading.open_named(files, "large.yaml")
        assert len(reading.read_bytes(stream, 1000, "large.yaml")) == 1000
        with pytest.raises(FileError, match="larger than 4 MB"):
            dipsat.load_profile("large.yaml", limits=Limits(files=files))


def test_what_is_allowed_is_a_plain_value() -> None:
    files = Files.within("somewhere")
    assert pickle.loads(pickle.dumps(files)) == files == Files.within(Path("somewhere").absolute())
    assert hash(files) == hash(Files.within("somewhere"))
    assert files.folder in repr(files)
    assert by_caller(files) == Files()
    assert Files("within", "somewhere") == files
    with pytest.raises(FileError):
        Files.within("a\0b")
    with pytest.raises(ArgumentError, match=r"'none' or 'within' or 'anywhere'"):
        Files("any")  # type: ignore[arg-type]
    for wrong in (("within",), ("none", "somewhere")):
        with pytest.raises(ArgumentError, match="folder"):
            Files(*wrong)
