"""Finding a C compiler and calling it: its results, and all the ways in which it can fail."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dipsat.errors import KernelBuildError, KernelError, KernelLoadError, KernelTimeoutError
from dipsat.kernel import library_cache
from dipsat.kernel.library_cache import (
    build_and_load,
    compiled,
    compilers,
    cpu_flags,
)
from tests.exhaustive import exhaustive
from tests.kernel.fake_compilers import calls, ends, fake, script
from tests.kernel.kernel_agreement import needs_compiler
from tests.kernel.sanitizers import SANITIZED, sanitizer_environment

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the compilers are shell scripts")
Patch = pytest.MonkeyPatch


@pytest.fixture
def scripts(tmp_path: Path, monkeypatch: Patch) -> Path:
    """An empty folder, the only one in which compilers are looked for."""
    monkeypatch.setattr(library_cache, "find_spec", lambda _: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("DIPSAT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CC", raising=False)
    return tmp_path


@needs_compiler
def test_the_flags_of_this_computer_suit_its_compiler(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setenv("DIPSAT_CACHE", str(tmp_path / "cache"))
    flags = ("-O2", "-Wall", "-Wextra", "-Werror", *cpu_flags())
    source = "int number(int x);\nint number(int x) { return __builtin_popcount(x); }"
    assert build_and_load(source, flags).loaded.number(7) == 3


def test_the_compiler_of_the_variable_is_the_only_one(scripts: Path, monkeypatch: Patch) -> None:
    for name in ("mine", "cc", "clang"):
        script(scripts, name)
    assert list(compilers()) == [(f"{scripts}/cc",), (f"{scripts}/clang",)]
    monkeypatch.setenv("CC", "mine -m64 -Dx")
    assert list(compilers()) == [(f"{scripts}/mine", "-m64", "-Dx")]
    monkeypatch.setenv("CC", " ")
    assert len(list(compilers())) == 2


def test_a_variable_without_a_compiler_is_an_error(scripts: Path, monkeypatch: Patch) -> None:
    """This holds although there is another compiler, since the user has chosen this one."""
    script(scripts, "gcc")
    monkeypatch.setenv("CC", "nowhere -m64")
    with pytest.raises(KernelBuildError, match="'nowhere -m64' could not be started"):
        build_and_load("int x;", ())


def test_there_may_be_no_compiler(scripts: Path) -> None:
    assert list(compilers()) == []
    with pytest.raises(KernelError, match="no C compiler was found; install one, or the package"):
        build_and_load("int x;", ())


def test_zig_comes_last(scripts: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(library_cache, "find_spec", {"ziglang": "found"}.get)
    script(scripts, "clang")
    zig = (sys.executable, "-P", "-m", "ziglang", "cc", "-mcpu=baseline")
    assert list(compilers()) == [(f"{scripts}/clang",), zig]


@pytest.mark.parametrize(
    ("does", "status", "message"),
    [
        ("echo 'kernel.c:1: no' >&2; exit 4", 4, "kernel.c:1: no"),
        ("yes '\033' | head -1000; exit 1", 1, "\\x1b"),
        ("kill -11 $$", -11, ""),
    ],
)
def test_a_compiler_that_fails_says_why(
    does: str, status: int, message: str, tmp_path: Path
) -> None:
    with pytest.raises(KernelBuildError) as caught:
        compiled("int x;", (), fake(tmp_path, does), str(tmp_path))
    error = caught.value
    assert (error.status, error.compiler) == (status, f"{tmp_path}/fakecc")
    assert "".join(error.messages[:1]).startswith(message)
    assert len(error.messages) <= 20
    assert all(line.isprintable() for line in error.messages)


def test_a_program_that_cannot_be_started_is_not_a_compiler(tmp_path: Path) -> None:
    (tmp_path / "cc").write_bytes(b"\x00\x01")
    (tmp_path / "cc").chmod(0o755)
    with pytest.raises(KernelBuildError, match="could not be started"):
        compiled("int x;", (), (f"{tmp_path}/cc",), str(tmp_path))


@exhaustive
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_compiler_that_hangs_is_ended_with_its_children(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(library_cache, "MOST_SECONDS", 0.2)
    does = f"sleep 600 & echo $! > {tmp_path}/child; wait"
    with pytest.raises(KernelTimeoutError) as caught:
        compiled("int x;", (), fake(tmp_path, does), str(tmp_path))
    assert caught.value.seconds == 0.2
    child = int((tmp_path / "child").read_text(encoding="utf-8"))
    assert ends(child)


@exhaustive
@needs_compiler
@pytest.mark.parametrize("does", ["echo no machine code > kernel.so", "exit 0", "exit 1"])
def test_a_compiler_without_a_usable_result_is_skipped(
    does: str, tmp_path: Path, monkeypatch: Patch
) -> None:
    """Such as a compiler for another computer, or one without header files."""
    monkeypatch.setenv("DIPSAT_CACHE", str(tmp_path / "cache"))
    usual, other = next(compilers()), fake(tmp_path, does)
    monkeypatch.setattr(library_cache, "compilers", lambda: iter([other, usual]))
    for _ in range(2):
        found = build_and_load("int x = 7;", ())
        assert ctypes.c_int.in_dll(found.loaded, "x").value == 7
        assert (found.compiler, found.why_not_kept) == (*usual, "")
    assert calls(tmp_path) == 1
    wanted = KernelBuildError if "1" in does else KernelLoadError
    with pytest.raises(wanted):  # the first error of all, if no compiler is usable
        build_and_load("this is no C", ())


V2 = "fpu cx16 lahf_lm popcnt pni ssse3 sse4_1 sse4_2 aes rdrand"
V3 = f"{V2} avx avx2 bmi1 bmi2 f16c fma abm movbe xsave"


@pytest.mark.parametrize(
    ("told", "found"),
    [
        (f"flags : {V3} avx512f\n", ("-march=haswell",)),
        (f"flags : {V2} avx avx2\n", ("-march=nehalem",)),
        ("flags : fpu sse2\n", ()),
        ("Features : fp asimd popcnt\nCPU part : 0xd0c", ()),
        (None, ()),
    ],
)
def test_levels_of_processors_are_used_only_if_complete(
    told: str | None, found: tuple[str, ...], tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(library_cache, "_CPU", str(tmp_path / "cpuinfo"))
    if told is not None:
        (tmp_path / "cpuinfo").write_text(told, encoding="utf-8")
    assert cpu_flags() == found


FAULTS = """\
int shifted(int by) { return 1 << by; }
int byte(const char *bytes, int at) { return bytes[at]; }
"""


@pytest.mark.skipif(sys.platform != "linux", reason="LD_PRELOAD")
@needs_compiler
@exhaustive
@pytest.mark.parametrize(
    ("call", "found"),
    [
        ("shifted(77)", "shift exponent 77 is too large"),
        ("byte(b'abc', 2)", ""),
        ("byte(b'abc', 9)", "heap-buffer-overflow"),
    ],
)
def test_sanitizers_end_a_child_process_that_goes_wrong(
    call: str, found: str, tmp_path: Path
) -> None:
    compiler = next(compilers())
    library = compiled(FAULTS, ("-O1", *SANITIZED), compiler, str(tmp_path))
    environment = sanitizer_environment(compiler)
    code = f"import ctypes; print(ctypes.CDLL({str(library)!r}).{call})"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment},
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert (done.returncode != 0) == bool(found), done.stderr
    assert found in done.stderr
    assert ("kernel.c" in done.stderr) == bool(found)
