"""The cache of compiled libraries: shared by processes, closed to other users, and safe against
damage. The compilers here are scripts that count their calls.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dipsat.base import user_folder as private
from dipsat.errors import KernelError
from dipsat.kernel import library_cache
from dipsat.kernel.library_cache import (
    SUFFIX,
    Library,
    build_and_load,
    cache_folder,
    compiled,
    library_name,
    load_kept,
)
from tests.core.test_architecture import run_python
from tests.exhaustive import exhaustive
from tests.kernel.fake_compilers import SOURCE, calls, fake
from tests.kernel.kernel_agreement import needs_compiler

pytestmark = [
    needs_compiler,
    pytest.mark.skipif(os.name != "posix", reason="owners and permissions of POSIX"),
]
SUPERUSER = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only the superuser gives files away"
)
STRANGER = 54321  # a user


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache folder; the only compiler is a script that compiles."""
    folder, compiler = tmp_path / "cache", fake(tmp_path)
    monkeypatch.setenv("DIPSAT_CACHE", str(folder))
    monkeypatch.setattr(library_cache, "compilers", lambda: iter([compiler]))
    return folder


def number(library: Library | None) -> int:
    assert library is not None
    found: int = library.loaded.number()
    return found


def test_a_library_is_compiled_once(tmp_path: Path, cache: Path) -> None:
    assert load_kept(SOURCE, ()) is None
    first = build_and_load(SOURCE, ())
    (path,) = cache.glob("*.so")
    assert (cache.stat().st_mode & 0o777, path.stat().st_mode & 0o777) == (0o700, 0o600)
    for found in (first, build_and_load(SOURCE, ()), load_kept(SOURCE, ())):
        assert found is not None
        assert (found.compiler, found.why_not_kept) == (f"{tmp_path}/fakecc", "")
        assert number(found) == 3
    assert calls(tmp_path) == 1


@exhaustive
def test_each_thing_that_a_library_depends_on_makes_another_library(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system identifies a loaded library by its path, so each library has its own."""
    other = SOURCE.replace("3", "5")
    given: tuple[tuple[str, tuple[str, ...], int], ...] = (
        (SOURCE, (), 3), (other, (), 5), (SOURCE, ("-O2",), 3), (SOURCE, ("-O2", "-g"), 3),
    )  # fmt: skip
    for _ in range(2):
        for source, flags, expected in given:
            assert number(build_and_load(source, flags)) == expected
        assert calls(tmp_path) == len(given)
    monkeypatch.setattr(library_cache, "compilers", lambda: iter([(*fake(tmp_path), "-Dx")]))
    build_and_load(SOURCE, ())
    assert calls(tmp_path) == len(given) + 1


ELSEWHERE = """
import sys
from dipsat.kernel.library_cache import library_name
print(library_name(*map(eval, sys.argv[1:])), end="")
"""


@exhaustive
def test_the_name_is_the_same_in_every_process() -> None:
    parts: tuple[Any, ...] = (SOURCE, ("-O2",), ("cc", "-x"))
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    assert run_python(ELSEWHERE, *map(repr, parts), PYTHONHASHSEED=seed) == library_name(*parts)


def test_a_library_that_came_with_dipsat_needs_no_compiler(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = compiled(SOURCE, (), fake(tmp_path), str(tmp_path))
    made.rename(tmp_path / library_name(SOURCE))
    monkeypatch.setattr(library_cache, "SHIPPED", tmp_path)
    monkeypatch.setattr(library_cache, "compilers", lambda: iter(()))
    for found in (load_kept(SOURCE, ("-O3",)), build_and_load(SOURCE, ("-O3",))):
        assert found is not None
        assert (number(found), found.compiler, found.why_not_kept) == (3, "", "")
    assert not [*cache.glob(f"*{SUFFIX}")]
    assert load_kept(f"{SOURCE} ", ("-O3",)) is None


@exhaustive
def test_a_library_that_cannot_be_loaded_is_compiled_again(tmp_path: Path, cache: Path) -> None:
    """Such as a library for another computer that shares the home folder."""
    build_and_load(SOURCE, ())
    (path,) = cache.glob("*.so")
    path.unlink()  # this process has mapped the file into memory
    path.write_text("no machine code", encoding="utf-8")
    run_python("from dipsat.kernel.library_cache import *\nimport sys\n"
               "from dipsat.kernel import library_cache\n"
               "library_cache.compilers = lambda: iter([(sys.argv[2],)])\n"
               "assert load_kept(sys.argv[1], ()) is None\n"
               "assert build_and_load(sys.argv[1], ()).why_not_kept == ''",
               SOURCE, *fake(tmp_path))  # fmt: skip
    assert calls(tmp_path) == 2
    assert path.stat().st_size > 1000


def test_a_library_that_cannot_be_kept_is_used(tmp_path: Path, cache: Path) -> None:
    path = cache / library_name(SOURCE, (), fake(tmp_path))
    path.mkdir(parents=True)
    cache.chmod(0o700)
    found = build_and_load(SOURCE, ())
    assert number(found) == 3
    assert found.why_not_kept == f"{path}: cannot be written: Is a directory"


def test_without_a_home_the_library_lasts_as_long_as_the_process(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DIPSAT_CACHE")
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *_, **__: Path("~/.cache/dipsat"))
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    found = build_and_load(SOURCE, ())
    assert found.why_not_kept.startswith("~/.cache/dipsat: there is no such home; set DIPSAT_CACHE")
    assert number(found) == 3
    assert load_kept(SOURCE, ()) is None


def loose(cache: Path) -> None:
    cache.mkdir()
    cache.chmod(0o770)


def given_away(cache: Path) -> None:
    cache.mkdir(mode=0o700)
    os.chown(cache, STRANGER, -1)


def linked(cache: Path) -> None:
    (cache.parent / "elsewhere").mkdir(mode=0o700)
    cache.symlink_to("elsewhere")


@pytest.mark.parametrize(
    ("prepare", "problem"),
    [
        (loose, "other users can write to it; close it with chmod go-w"),
        (linked, "is a link; name the folder that it leads to"),
        pytest.param(given_away, "belongs to another user", marks=SUPERUSER),
    ],
)
def test_nothing_is_loaded_from_or_kept_in_a_folder_that_others_could_write_to(
    prepare: Callable[[Path], object], problem: str, tmp_path: Path, cache: Path
) -> None:
    prepare(cache)
    trap = compiled(SOURCE.replace("3", "666"), (), fake(tmp_path), str(tmp_path))
    name = library_name(SOURCE, (), fake(tmp_path))
    trap.rename(cache / name)
    assert load_kept(SOURCE, ()) is None
    found = build_and_load(SOURCE, ())
    assert number(found) == 3
    assert found.why_not_kept == f"{cache}: {problem}"
    assert [one.name for one in cache.iterdir()] == [name]


@pytest.mark.parametrize(
    "prepare", [lambda one: one.write_text("x"), lambda one: one.symlink_to("x")]
)
def test_a_file_is_not_used_as_the_cache(prepare: Callable[[Path], object], cache: Path) -> None:
    prepare(cache)
    found = build_and_load(SOURCE, ())
    assert (number(found), found.why_not_kept) == (3, f"{cache}: cannot be used: File exists")


@pytest.mark.parametrize(
    ("variables", "folder"),
    [
        ({}, "home/.cache/dipsat"),
        ({"XDG_CACHE_HOME": "big"}, "big/dipsat"),
        ({"XDG_CACHE_HOME": "big", "DIPSAT_CACHE": "mine"}, "mine"),
        ({"DIPSAT_CACHE": "~/mine"}, "home/mine"),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="other systems have other folders")
def test_the_cache_is_where_the_system_keeps_such_files(
    variables: dict[str, str], folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_CACHE_HOME", "DIPSAT_CACHE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": "home", **variables}.items():
        monkeypatch.setenv(name, value if value[0] == "~" else str(tmp_path / value))
    assert cache_folder() == tmp_path / folder


class Failing:
    """The module `os`, whose call number `number`, counted from 0, fails."""

    def __init__(self, number: int) -> None:
        self.left = number

    def __getattr__(self, name: str) -> Any:
        thing = getattr(os, name)
        if not callable(thing) or name in {"geteuid", "close"}:
            return thing

        def call(*arguments: Any, **named: Any) -> Any:
            self.left -= 1
            if self.left == -1:
                raise OSError(28, "No space left on device")
            return thing(*arguments, **named)

        return call


@exhaustive
def test_a_disk_may_be_full_at_any_step(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step fails in turn: there is a library, kept or not, and no file stays open."""
    step, said = 0, set()
    while True:
        source = SOURCE.replace("3", str(step))
        before = len(list(Path("/dev/fd").iterdir()))
        failing = Failing(step)
        with monkeypatch.context() as patch:
            patch.setattr(private, "os", failing)
            found = build_and_load(source, ())
        assert number(found) == step
        said.add(found.why_not_kept.partition(": ")[2])
        assert len(list(Path("/dev/fd").iterdir())) == before
        assert number(build_and_load(source, ())) == step
        if failing.left >= 0:
            break
        step += 1
    assert step > 2
    assert said == {"", "cannot be written: No space left on device"}


def test_without_a_place_to_compile_there_is_one_error(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "mkdtemp", full)
    with pytest.raises(KernelError, match=r"there is no folder to compile in: .*No space left"):
        build_and_load(SOURCE, ())
