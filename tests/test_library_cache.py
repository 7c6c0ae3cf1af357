"""The cache of compiled libraries: shared by processes, closed to others, and safe against damage.

Most compilers here are scripts whose library is the source text; nobody loads it.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dipsat
from dipsat.errors import DipsatError, FileError, KernelError, KernelLoadError
from dipsat.files import private
from dipsat.files.private import open_private
from dipsat.kernel import compilers, library_cache
from dipsat.kernel.library_cache import build, cache_folder, load
from tests.fake_compilers import SOURCE, build_here, calls, content, fake

pytestmark = pytest.mark.skipif(os.name != "posix", reason="owners and permissions of POSIX")
SUPERUSER = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only the superuser gives files away"
)
STRANGER = 54321  # a user


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def record_of(cache: Path) -> Path:
    (record,) = cache.glob("*.json")
    return record


def test_a_library_is_compiled_once(tmp_path: Path, cache: Path) -> None:
    first, second = (build_here(tmp_path) for _ in range(2))
    assert first == second
    assert content(first) == SOURCE
    assert calls(tmp_path) == 1
    assert (cache.stat().st_mode & 0o777, first.path.stat().st_mode & 0o777) == (0o700, 0o600)
    assert first.path == cache / f"{first.sha256}.so"
    assert pickle.loads(pickle.dumps(first)) == first
    assert json.loads(record_of(cache).read_text(encoding="utf-8"))["version"] == "fake 1.0"


def test_whatever_a_library_depends_on_makes_another_one(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = fake(tmp_path)
    two = compilers.Compiler((*one.command, "-m32"), one.version, one.found)
    newer = compilers.Compiler(one.command, "fake 1.1", one.found)
    for made in range(2):
        build(SOURCE, (), one, cache)
        build(f"{SOURCE} ", (), one, cache)
        build(SOURCE, ("-O2",), one, cache)
        build(SOURCE, ("-O2", "-g"), one, cache)
        build(SOURCE, ("-O2 -g",), one, cache)
        build(SOURCE, (), two, cache)
        build(SOURCE, (), newer, cache)
        build(SOURCE, (), one, cache, sanitize=True)
        build(SOURCE, ("-march=native",), one, cache)
        assert calls(tmp_path) == 9, made
    monkeypatch.setattr(library_cache, "this_processor", lambda: "flags : of another computer")
    build(SOURCE, (), one, cache)
    assert calls(tmp_path) == 9
    build(SOURCE, ("-march=native",), one, cache)
    assert calls(tmp_path) == 10


ELSEWHERE = """
import sys
from dipsat.kernel.compilers import Compiler
from dipsat.kernel.library_cache import build
print(build(sys.argv[1], ("-O2",), Compiler((sys.argv[2],), "fake 1.0", "PATH"), sys.argv[3]).path)
"""


def elsewhere(code: str, *arguments: str | Path, **variables: str) -> str:
    """What a fresh Python prints that runs `code`."""
    environment = {**os.environ, "PYTHONPATH": str(Path(dipsat.__file__).parents[1]), **variables}
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True, encoding="utf-8", check=True, env=environment,
    )  # fmt: skip
    return done.stdout.strip()


def test_the_path_is_the_same_in_every_process(tmp_path: Path, cache: Path) -> None:
    other = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    compiler = fake(tmp_path)
    found = elsewhere(ELSEWHERE, SOURCE, compiler.command[0], cache, PYTHONHASHSEED=other)
    assert found == str(build(SOURCE, ("-O2",), compiler, cache).path)
    assert calls(tmp_path) == 1


def replaced_by(name: str) -> Callable[[Path], None]:
    """What replaces a file by a link to a copy of it, of the same bytes."""

    def replace(path: Path) -> None:
        copy = path.parent.parent / name
        copy.write_bytes(path.read_bytes())
        copy.chmod(0o600)
        path.unlink()
        path.symlink_to(copy)

    return replace


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def dangling(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path, 0o600)


DAMAGE: dict[str, Callable[[Path], object]] = {
    "changed": flipped,
    "cut": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "longer": lambda path: path.write_bytes(path.read_bytes() + b"\0"),
    "empty": lambda path: path.write_bytes(b""),
    "missing": Path.unlink,
    "link": replaced_by("copy"),
    "dangling": dangling,
    "pipe": pipe,
    "group": lambda path: path.chmod(0o620),
    "others": lambda path: path.chmod(0o602),
}
FOREIGN = pytest.param(lambda path: os.chown(path, STRANGER, -1), marks=SUPERUSER, id="foreign")
DAMAGES = [*(pytest.param(damage, id=name) for name, damage in DAMAGE.items()), FOREIGN]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_library_is_neither_used_nor_left(
    damage: Callable[[Path], object], tmp_path: Path
) -> None:
    library = build_here(tmp_path)
    damage(library.path)
    with pytest.raises(KernelLoadError, match=library.path.name) as caught:
        load(library)
    assert "the system cannot load it" not in str(caught.value)
    again = build_here(tmp_path)
    assert (again, content(again)) == (library, SOURCE)
    assert (again.path.is_symlink(), again.path.stat().st_mode & 0o777) == (False, 0o600)
    assert calls(tmp_path) == 2


@pytest.mark.parametrize("damage", [p for p in DAMAGES if p.id not in {"longer"}])
def test_a_damaged_record_is_not_believed(
    damage: Callable[[Path], object], tmp_path: Path, cache: Path
) -> None:
    library = build_here(tmp_path)
    record = record_of(cache)
    before = record.read_bytes()
    if damage is flipped:
        record.write_bytes(before.replace(library.sha256.encode(), b"f" * 64))
    else:
        damage(record)
    assert content(build_here(tmp_path)) == SOURCE
    assert calls(tmp_path) == 2
    assert record.read_bytes() == before


@pytest.mark.parametrize(
    "text",
    [
        "[]", "{}", '"x"', "nul", '{"sha256": 5}', '{"sha256": "../../other"}', "\x00" * 99,
        json.dumps({"sha256": "/" * 64}), "[" * 60_000, " " * 100_000 + "{}", "9" * 5000,
    ],
)  # fmt: skip
def test_a_record_may_say_anything(text: str, tmp_path: Path, cache: Path) -> None:
    build_here(tmp_path)
    record_of(cache).write_text(text, encoding="utf-8")
    assert content(build_here(tmp_path)) == SOURCE
    assert calls(tmp_path) == 2


@pytest.mark.parametrize("of", ["library", "record"])
def test_what_cannot_be_replaced_is_left_aside(of: str, tmp_path: Path, cache: Path) -> None:
    library = build_here(tmp_path)
    path = library.path if of == "library" else record_of(cache)
    path.unlink()
    path.mkdir()
    again = build_here(tmp_path)
    assert again.path.parent != cache
    assert content(again) == SOURCE
    assert again.problem == f"{path}: cannot be written: Is a directory"


def test_a_temporary_library_goes_with_its_object(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library_cache, "cache_folder", lambda: None)
    library = build(SOURCE, (), fake(tmp_path))
    folder = library.path.parent
    assert library.problem == "no cache folder: neither HOME nor DIPSAT_CACHE is set"
    assert folder.stat().st_mode & 0o777 == 0o700
    if (child := os.fork()) == 0:  # it has the object too, and ends
        del library
        os._exit(0)
    os.waitpid(child, 0)
    assert content(library) == SOURCE
    del library
    assert not folder.exists()


def loose(cache: Path) -> None:
    cache.mkdir()
    cache.chmod(0o770)


def given_away(cache: Path) -> None:
    cache.mkdir(mode=0o700)
    os.chown(cache, STRANGER, -1)


def in_a_home_given_away(cache: Path) -> None:
    os.chown(cache.parent, STRANGER, -1)


@pytest.mark.parametrize(
    ("prepare", "problem"),
    [
        (loose, "can be written by other users (mode 770); remove it"),
        (lambda cache: cache.write_text("x"), "cannot be used: "),
        (lambda cache: cache.symlink_to(cache.parent), "cannot be used: "),
        (lambda cache: cache.symlink_to("nowhere"), "cannot be used: "),
        pytest.param(given_away, f"belongs to another user ({STRANGER})", marks=SUPERUSER),
        pytest.param(
            in_a_home_given_away,
            f"is not made by the superuser in a folder of user {STRANGER}",
            marks=SUPERUSER,
        ),
    ],
)
def test_a_folder_that_others_could_write_to_is_not_used(
    prepare: Callable[[Path], object], problem: str, tmp_path: Path, cache: Path
) -> None:
    prepare(cache)
    library = build_here(tmp_path)
    assert library.problem.startswith(f"{cache}: {problem}")
    assert content(library) == SOURCE
    assert not library.path.is_relative_to(tmp_path)
    assert cache.is_symlink() or not list(cache.glob("*"))


def test_a_file_system_that_executes_nothing_is_not_used(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = build_here(tmp_path)
    monkeypatch.setattr(library_cache, "executes_nothing", lambda path: path == str(cache))
    with pytest.raises(KernelLoadError, match=r"executes no files \(noexec\)"):
        load(library)
    again = build_here(tmp_path)
    assert again.problem == f"{cache}: the file system of its folder executes no files (noexec)"
    assert content(again) == SOURCE


@pytest.mark.skipif(not hasattr(os, "ST_NOEXEC"), reason="the system does not say so")
def test_the_system_says_whether_files_are_executed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not private.executes_nothing(sys.prefix)
    assert not private.executes_nothing("/nowhere")
    usual = os.statvfs(sys.prefix)
    flags = usual.f_flag | os.ST_NOEXEC
    monkeypatch.setattr(os, "statvfs", lambda _: os.statvfs_result((*usual[:8], flags, usual[9])))
    assert private.executes_nothing(sys.prefix)


def test_nothing_is_loaded_from_a_folder_that_others_can_write_to(
    tmp_path: Path, cache: Path
) -> None:
    library = build_here(tmp_path)
    cache.chmod(0o777)
    with pytest.raises(KernelLoadError, match="can be written by other users"):
        load(library)


def test_what_was_opened_counts_not_what_its_path_means_by_now(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    with open_private(str(cache)) as opened:
        opened.write("name", b"ours")
        cache.rename(tmp_path / "moved")
        cache.mkdir(mode=0o700)
        (cache / "name").write_bytes(b"theirs")
        assert opened.read("name", 9) == b"ours"
        if sys.platform == "linux":
            assert Path(opened.way_to("name")).read_bytes() == b"ours"


@pytest.mark.parametrize(
    ("system", "variables", "folder"),
    [
        ("linux", {"HOME": "/home/me"}, "/home/me/.cache/dipsat"),
        ("linux", {"HOME": "/home/me", "XDG_CACHE_HOME": "/big"}, "/big/dipsat"),
        ("linux", {"HOME": "/home/me", "XDG_CACHE_HOME": "big"}, "/home/me/.cache/dipsat"),
        ("darwin", {"HOME": "/Users/me"}, "/Users/me/Library/Caches/dipsat"),
        ("linux", {"HOME": "/home/me", "DIPSAT_CACHE": "/mine"}, "/mine"),
        ("win32", {"DIPSAT_CACHE": "/mine"}, "/mine"),
        ("linux", {}, None),
        ("darwin", {"HOME": ""}, None),
        ("win32", {"HOME": "/home/me"}, None),
    ],
)
def test_every_system_has_its_place(
    system: str, variables: dict[str, str], folder: str | None
) -> None:
    found = cache_folder(variables, system)
    assert found == (None if folder is None else Path(folder))


def test_a_source_with_half_a_character_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(KernelError, match="the source cannot be saved"):
        build_here(tmp_path, "\ud800")


def test_without_a_place_to_compile_there_is_one_error(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **named: Any) -> str:
        if named.get("dir") is None:
            raise OSError(28, "No space left on device")
        (folder := Path(named["dir"]) / f"{named['prefix']}x").mkdir(mode=0o700)
        return str(folder)

    monkeypatch.setattr(tempfile, "mkdtemp", full)
    assert content(build_here(tmp_path)) == SOURCE  # in the cache folder itself
    assert not list(cache.glob(".tmp-*"))
    with pytest.raises(DipsatError, match="no folder for temporary files can be made"):
        build(SOURCE, (), fake(tmp_path), tmp_path / "calls")


def test_a_file_with_too_much_is_not_read(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    with open_private(str(tmp_path)) as opened:
        opened.write("name", b"12345")
        assert opened.read("name", 5) == b"12345"
        with pytest.raises(FileError, match="has more than 4 bytes"):
            opened.read("name", 4)
