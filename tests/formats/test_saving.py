"""Saving: whole or not at all, where it was asked, and so that dipsat can load it."""

from __future__ import annotations

import contextlib
import json
import os
import random
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import dipsat
from dipsat.base import file_writing as writing, write_folder, write_text
from dipsat.cli import main
from dipsat.errors import FileError, GameError, UnknownNameError
from dipsat.outcomes.proof import _OURS
from tests.exhaustive import exhaustive, few_of
from tests.made_games import made_game

POSIX = pytest.mark.skipif(os.name != "posix", reason="links and permissions as POSIX has them")
OLD, NEW = "old\n" * 5000, "new and longer\n" * 5000
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(dipsat.__file__).parents[1])}


def only(folder: Path, *names: str) -> None:
    """The folder has exactly these files: nothing half-written was left."""
    assert sorted(path.name for path in folder.iterdir()) == sorted(names)


@POSIX
def test_a_full_disk_leaves_the_game_as_it_was(tmp_path: Path) -> None:
    import resource

    path, game = tmp_path / "game.json", made_game(1, 12)
    game.save(path)
    before = path.read_bytes()
    assert len(before) > 9000
    game.name, limits = "changed", resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (9000, limits[1]))
    try:
        with pytest.raises(FileError, match="cannot be written: File too large"):
            game.save(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == before
    only(tmp_path, "game.json")


@pytest.mark.parametrize("step", ["fdopen", "fsync", "replace"])
def test_a_fault_at_any_step_leaves_the_old_file(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.txt"
    path.write_text(OLD)
    failed = []

    def fail(*_: object) -> None:
        failed.append(step)
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, step, fail)
        with pytest.raises(FileError, match="cannot be written: No space left"):
            write_text(path, NEW)
    assert failed
    assert path.read_text() == OLD
    only(tmp_path, "a.txt")
    write_text(path, NEW)
    assert path.read_text() == NEW


def test_the_file_is_whole_on_the_disk_before_it_gets_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, steps = tmp_path / "a.txt", list[str]()
    real_sync, real_replace = os.fsync, os.replace

    def sync(descriptor: int) -> None:
        is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
        steps.append(f"sync {os.fstat(descriptor).st_size}" if is_file else "sync folder")
        real_sync(descriptor)

    def replace(source: str, target: str) -> None:
        steps.append(f"replace {Path(source).stat().st_size}")
        assert Path(source).parent == tmp_path
        real_replace(source, target)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(os, "replace", replace)
    write_text(path, "x" * 1000)
    assert steps[:2] == ["sync 1000", "replace 1000"]


@POSIX
def test_permissions_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    for mode in (0o600, 0o664, 0o640):
        path.write_text(OLD)
        path.chmod(mode)
        write_text(path, NEW)
        assert stat.S_IMODE(path.stat().st_mode) == mode
    old = os.umask(0o027)
    try:
        write_text(tmp_path / "b.txt", NEW)
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "b.txt").stat().st_mode) == 0o640


@POSIX
def test_a_file_that_must_not_be_written_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.txt"
    path.write_text(OLD)
    path.chmod(0o444)
    monkeypatch.setattr(os, "access", lambda *_: False)  # the superuser may write everything
    with pytest.raises(FileError, match="Permission denied"):
        write_text(path, NEW)
    assert path.read_text() == OLD


@POSIX
def test_links_are_followed_within_the_folder_only(tmp_path: Path) -> None:
    home, other = tmp_path / "home", tmp_path / "other"
    (home / "below").mkdir(parents=True)
    other.mkdir()
    for target in (home / "below" / "a.txt", other / "a.txt"):
        target.write_text(OLD)
    (home / "inner").symlink_to("below/a.txt")
    (home / "outer").symlink_to(other / "a.txt")
    (home / "dots").symlink_to("../other/a.txt")
    (home / "lost").symlink_to("../other/b.txt")
    write_text(home / "inner", NEW)
    assert (home / "inner").is_symlink()
    assert (home / "below" / "a.txt").read_text() == NEW
    for name in ("outer", "dots", "lost"):
        with pytest.raises(FileError, match="a link out of its folder"):
            write_text(home / name, NEW)
        assert (home / name).is_symlink()
    assert (other / "a.txt").read_text() == OLD
    only(other, "a.txt")


@POSIX
@pytest.mark.parametrize("kind", ["pipe", "folder", "device"])
def test_only_regular_files_are_replaced(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path = Path("/dev/full")
    before = path.stat()
    with pytest.raises(FileError, match=f"it is a {kind}"):
        write_text(path, NEW)
    assert os.path.samestat(path.stat(), before)


@pytest.mark.parametrize("name", ["a\0b", "no/such/folder", "a" * 300])
def test_impossible_paths_are_errors(name: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be written"):
        write_text(tmp_path / name, NEW)
    only(tmp_path)


@pytest.mark.parametrize("name", ["g.svg", "g.json.gz", "mine.1901"])
def test_a_game_is_saved_only_under_a_name_of_a_game(name: str, tmp_path: Path) -> None:
    """docs/files.md lists the formats of games."""
    path = tmp_path / name
    known = r"should end in \.json, \.yaml, \.yml, \.jsonl or \.txt$"
    with pytest.raises(FileError, match=known):
        dipsat.Game.standard().save(path)
    for more, lines in (((), f"save {path}\n"), ((str(path),), "board\n")):
        done = CliRunner().invoke(main, ["play", *more], input=lines)
        assert done.exit_code == 2
        assert "is not a file for a game" in done.stderr
    assert not path.exists()
    with pytest.raises(UnknownNameError, match="unknown format 'pdf'"):
        dipsat.Game.standard().save(path, "pdf")
    dipsat.Game.standard().save(path, "dipsat")  # asked for in so many words
    assert dipsat.Game.load(path).may_replace_its_file


@pytest.mark.parametrize(
    ("command", "option", "names"),
    [
        (("adjudicate", "a.txt"), "--next", ("n.svg", "n.txt", "n")),
        (("adjudicate", "a.txt"), "--output", ("n.json", "n.txt", "n")),
        (("search", "lines", "--centres", "1"), "--line", ("n.svg", "n.json")),
        (("search", "lines", "--centres", "1"), "--certificate", ("n.svg", "n.yaml")),
    ],
)
def test_an_option_writes_only_under_a_name_of_its_kind(
    command: tuple[str, ...], option: str, names: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("France:\n A Par H\n", encoding="utf-8")
    given = [str(tmp_path / one) if one == "a.txt" else one for one in command]
    for name in names:
        done = CliRunner().invoke(main, [*given, option, str(tmp_path / name)])
        assert (done.exit_code, done.stdout) == (2, "")
        assert "its name should end in" in " ".join(done.stderr.split())
    assert [one.name for one in tmp_path.iterdir()] == ["a.txt"]


def test_half_a_character_is_an_error(tmp_path: Path) -> None:
    game = dipsat.Game.standard()
    game.name = "\ud800"
    with pytest.raises(FileError, match="invalid character"):
        game.save(tmp_path / "game.json")
    only(tmp_path)


@pytest.mark.parametrize("has_links", [True, False])
def test_a_new_file_replaces_nothing(
    has_links: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.txt"
    if not has_links:

        def link(*_: object) -> None:
            raise PermissionError

        monkeypatch.setattr(os, "link", link)
    write_text(path, OLD, new=True)
    with pytest.raises(FileError, match="already exists"):
        write_text(path, NEW, new=True)
    assert path.read_text() == OLD
    only(tmp_path, "a.txt")

    def someone_else(*_: object) -> None:  # between the check and the naming
        path.write_text("theirs")

    path.unlink()
    monkeypatch.setattr(writing, "_settle", someone_else)
    with pytest.raises(FileError, match="already exists"):
        write_text(path, NEW, new=True)
    assert path.read_text() == "theirs"


def test_a_folder_of_files_is_written_with_the_same_care(tmp_path: Path) -> None:
    folder = tmp_path / "proof"
    write_folder(folder, {"whole.system.smt2": OLD}, _OURS)
    with pytest.raises(FileError, match="is not empty"):
        write_folder(folder, {"whole.unique.smt2": NEW}, _OURS)
    write_folder(folder, {"whole.unique.smt2": NEW}, _OURS, force=True)
    only(folder, "whole.unique.smt2")
    with pytest.raises(FileError, match="cannot be written"):
        write_folder(tmp_path / "a\0b", {}, _OURS)


def changed_game(seed: int, phases: int = 12) -> dict[str, Any]:
    """A saved game of the `diplomacy` package whose judge differs from dipsat: units vanish,
    centres change hands, retreats are forgotten, phases are missing."""
    rng = random.Random(seed)
    game = made_game(seed, phases)
    board = game.position.map
    phases_of: list[dict[str, Any]] = []
    for turn in (*game.history, None):
        position = turn.position if turn else game.position
        state = {"name": str(position.phase), **position.to_dict()}
        units = {power: list(state["units"].get(power, ())) for power in board.powers}
        lost = {power: [f"*{unit}" for unit in own] for power, own in state["dislodged"].items()}
        centers = {power: list(own) for power, own in state["centers"].items()}
        what = rng.random() if phases_of else 1.0
        if what < 0.3:
            own = units[rng.choice(sorted(units))]
            own[:] = own[1:]
        elif what < 0.4:
            loser, winner = rng.sample(sorted(centers), 2)
            if centers[loser]:
                centers[winner].append(centers[loser].pop())
        elif what < 0.5:
            state["retreats"] = {}
        elif what < 0.6:
            continue
        state["units"] = {power: own + lost.get(power, []) for power, own in units.items()}
        state["centers"] = centers
        orders = {power: list(own) for power, own in turn.orders.items()} if turn else {}
        phases_of.append({"name": state["phase"], "state": state, "orders": orders})
    return {"id": f"changed-{seed}", "map": "standard", "phases": phases_of}


def boards(game: dipsat.Game) -> Iterator[tuple[object, object]]:
    for turn in game.history:
        yield turn.position.to_dict(), turn.orders
    yield game.position.to_dict(), game.orders


def loaded(seed: int, folder: Path) -> dipsat.Game:
    """A changed game, as dipsat reads it."""
    (folder / "theirs.json").write_text(json.dumps(changed_game(seed)))
    return dipsat.Game.load(folder / "theirs.json")


def is_marked(game: dipsat.Game) -> bool:
    return '"recorded"' in json.dumps(game.to_dict())


@exhaustive
@pytest.mark.parametrize("seed", few_of(range(36), 3))
def test_what_dipsat_saves_dipsat_loads(seed: int, tmp_path: Path) -> None:
    """As a text only if its orders lead to the boards."""
    game = loaded(seed, tmp_path)
    for suffix in ("json", "yaml", "jsonl"):
        game.save(tmp_path / f"ours.{suffix}")
        again = dipsat.Game.load(tmp_path / f"ours.{suffix}")
        assert list(boards(again)) == list(boards(game))
    assert dipsat.Game.from_dict(game.to_dict()).to_dict() == game.to_dict()
    with contextlib.suppress(GameError) if is_marked(game) else contextlib.nullcontext():
        game.save(tmp_path / "ours.txt")
        again = dipsat.Game.load(tmp_path / "ours.txt")
        known = {turn.position.phase: turn.position.to_dict() for turn in again.history}
        for turn in game.history:
            assert known[turn.position.phase] == turn.position.to_dict()
        assert again.position == game.position


def test_a_text_that_would_be_another_game_is_refused(tmp_path: Path) -> None:
    game = made_game(2, 6)
    value = game.to_dict()
    value["phases"][3]["units"] = {"FRANCE": ["A PAR"]}
    value["phases"][3]["dislodged"] = value["phases"][3]["retreats"] = {}
    value["phases"][3]["recorded"] = True
    value["phases"][3]["orders"] = {}
    value["phases"] = value["phases"][:4]
    with pytest.raises(GameError, match=r"does not follow from .*\.jsonl"):
        dipsat.Game.from_dict(value).save(tmp_path / "a.txt")
    only(tmp_path)


@exhaustive
def test_only_the_marked_phases_may_contradict_the_history(tmp_path: Path) -> None:
    assert not is_marked(made_game(3, 15))
    value = next(filter(is_marked, (loaded(seed, tmp_path) for seed in range(60)))).to_dict()
    marked = [phase for phase in value["phases"] if phase.get("recorded")]
    assert "recorded" not in value["phases"][0]
    assert dipsat.Game.from_dict(value).to_dict() == value
    del marked[0]["recorded"]
    with pytest.raises(FileError, match="contradict the history"):
        dipsat.Game.from_dict(value)
    marked[0]["recorded"] = "maybe"
    with pytest.raises(FileError, match="recorded: this should be true or false"):
        dipsat.Game.from_dict(value)


@pytest.mark.parametrize("rules", ["house.yaml", "datc+house.yaml", "sub/base.yaml"])
def test_a_game_saved_in_another_folder_finds_its_rules_and_its_map(
    rules: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "first", tmp_path / "second" / "deep"
    (first / "sub").mkdir(parents=True)
    second.mkdir(parents=True)
    (second / "house.yaml").write_text("extends: datc\ntitle: Other rules\n")
    for name in ("house.yaml", "sub/base.yaml"):
        (first / name).write_text("extends: datc\ntitle: House rules\n")
    (first / "board.yaml").write_text("extends: standard\nname: ours\n")
    value = {**dipsat.Game.standard().to_dict(), "rules": rules, "map": "board.yaml"}
    (first / "game.json").write_text(json.dumps(value))
    monkeypatch.chdir(tmp_path)
    game = dipsat.Game.load("first/game.json")
    for suffix in ("json", "yaml", "jsonl", "txt"):
        game.save(second / f"game.{suffix}")
        monkeypatch.chdir(second)
        again = dipsat.Game.load(f"game.{suffix}")
        monkeypatch.chdir(tmp_path)
        assert "House rules" in again.profile.title
        assert again.position.map.name == "ours"
    game.save(first / "again.json")
    assert json.loads((first / "again.json").read_text())["rules"] == rules
    monkeypatch.chdir(first)  # where the names lead to the files, too, but not from elsewhere
    dipsat.Game.load("game.json").save(second / "game.json")
    monkeypatch.chdir(second)
    again = dipsat.Game.load("game.json")
    assert "House rules" in again.profile.title
    assert again.position.map.name == "ours"
