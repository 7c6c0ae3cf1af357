"""The cache of compiled libraries: shared by processes, closed to others, and safe against damage.

Most compilers here are scripts whose library is the source text; nobody loads it.
"""

from __future__ import annotations

import os
import pickle
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dipsat.errors import DipsatError, KernelError, KernelLoadError
from dipsat.kernel import library_cache
from dipsat.kernel.library_cache import build, cache_folder, load
from tests.core.test_architecture import run_python
from tests.kernel.fake_compilers import SOURCE, build_here, calls, content, fake

pytestmark = pytest.mark.skipif(os.name != "posix", reason="owners and permissions of POSIX")
SUPERUSER = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only the superuser gives files away"
)
STRANGER = 54321  # a user


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def test_a_library_is_compiled_once(tmp_path: Path, cache: Path) -> None:
    first, second = (build_here(tmp_path) for _ in range(2))
    assert first == second
    assert content(first) == SOURCE
    assert calls(tmp_path) == 1
    assert (cache.stat().st_mode & 0o777, first.path.stat().st_mode & 0o777) == (0o700, 0o600)
    assert first.path.parent == cache
    assert pickle.loads(pickle.dumps(first)) == first


def test_whatever_a_library_depends_on_makes_another_one(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = fake(tmp_path)
    other = library_cache.Compiler((*one.command, "-m32"), one.version)
    newer = library_cache.Compiler(one.command, "fake 1.1")
    given: tuple[tuple[str, tuple[str, ...], library_cache.Compiler], ...] = (
        (SOURCE, (), one), (f"{SOURCE} ", (), one), (SOURCE, ("-O2",), one),
        (SOURCE, ("-O2", "-g"), one), (SOURCE, ("-O2 -g",), one), (SOURCE, (), other),
        (SOURCE, (), newer), (SOURCE, ("-march=native",), one),
    )  # fmt: skip
    for _ in range(2):
        for source, flags, compiler in given:
            build(source, flags, compiler, cache)
        assert calls(tmp_path) == len(given)
    monkeypatch.setattr(library_cache, "this_processor", lambda: "flags : of another computer")
    build(SOURCE, (), one, cache)
    assert calls(tmp_path) == len(given)
    build(SOURCE, ("-march=native",), one, cache)
    assert calls(tmp_path) == len(given) + 1


ELSEWHERE = """
import sys
from dipsat.kernel.library_cache import Compiler
from dipsat.kernel.library_cache import build
print(build(sys.argv[1], ("-O2",), Compiler((sys.argv[2],), "fake 1.0"), sys.argv[3]).path)
"""


def test_the_path_is_the_same_in_every_process(tmp_path: Path, cache: Path) -> None:
    other = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    compiler = fake(tmp_path)
    found = run_python(ELSEWHERE, SOURCE, compiler.command[0], str(cache), PYTHONHASHSEED=other)
    assert found.strip() == str(build(SOURCE, ("-O2",), compiler, cache).path)
    assert calls(tmp_path) == 1


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
    "missing": Path.unlink,
    "dangling": dangling,
    "pipe": pipe,
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
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


def test_what_cannot_be_replaced_is_left_aside(tmp_path: Path, cache: Path) -> None:
    path = build_here(tmp_path).path
    path.unlink()
    path.mkdir()
    again = build_here(tmp_path)
    assert again.path.parent != cache
    assert content(again) == SOURCE
    assert again.problem == f"{path}: cannot be written: Is a directory"


def test_a_temporary_library_goes_with_its_object(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DIPSAT_CACHE", raising=False)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *_, **__: Path("~/.cache/dipsat"))
    library = build(SOURCE, (), fake(tmp_path))
    folder = library.path.parent
    assert library.problem == "~/.cache/dipsat: this user has no home; set DIPSAT_CACHE"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert content(library) == SOURCE
    del library
    assert not folder.exists()


def loose(cache: Path) -> None:
    cache.mkdir()
    cache.chmod(0o770)


def given_away(cache: Path) -> None:
    cache.mkdir(mode=0o700)
    os.chown(cache, STRANGER, -1)


@pytest.mark.parametrize(
    ("prepare", "problem"),
    [
        (loose, "can be written by other users (mode 770); remove it"),
        (lambda cache: cache.write_text("x"), "is not a folder"),
        (lambda cache: cache.symlink_to("nowhere"), "is not a folder"),
        pytest.param(given_away, f"belongs to another user ({STRANGER})", marks=SUPERUSER),
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


@pytest.mark.skipif(not hasattr(os, "ST_NOEXEC"), reason="the system does not say so")
def test_a_file_system_that_executes_nothing_is_not_used(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = build_here(tmp_path)
    usual = os.statvfs

    def statvfs(path: Path) -> os.statvfs_result:
        found = usual(path)
        flags = found.f_flag | (os.ST_NOEXEC if path == cache else 0)
        return os.statvfs_result((*found[:8], flags, found[9]))

    monkeypatch.setattr(os, "statvfs", statvfs)
    with pytest.raises(KernelLoadError, match=r"executes no files \(noexec\)"):
        load(library)
    again = build_here(tmp_path)
    assert again.problem == f"{cache}: its file system executes no files (noexec)"
    assert content(again) == SOURCE


@pytest.mark.parametrize(
    ("variables", "folder"),
    [
        ({}, "/home/me/.cache/dipsat"),
        ({"XDG_CACHE_HOME": "/big"}, "/big/dipsat"),
        ({"XDG_CACHE_HOME": "/big", "DIPSAT_CACHE": "/mine"}, "/mine"),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other folders")
def test_the_folder_is_where_the_system_has_such_files(
    variables: dict[str, str], folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_CACHE_HOME", "DIPSAT_CACHE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": "/home/me", **variables}.items():
        monkeypatch.setenv(name, value)
    assert cache_folder() == Path(folder)


def test_a_source_with_half_a_character_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(KernelError, match="the source cannot be saved"):
        build_here(tmp_path, "\ud800")


def test_without_a_place_to_compile_there_is_one_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "mkdtemp", full)
    with pytest.raises(DipsatError, match="no folder for temporary files can be made"):
        build_here(tmp_path)
