"""Finding a C compiler, and calling it: what it makes, and all the ways in which it can fail."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dipsat.errors import KernelBuildError, KernelError, KernelLoadError, KernelTimeoutError
from dipsat.kernel import library_cache as finding
from dipsat.kernel.library_cache import (
    Compiler,
    build,
    build_and_load,
    compilers,
    cpu_flags,
    load,
    this_processor,
)
from tests.exhaustive import exhaustive
from tests.kernel.fake_compilers import calls, fake, script
from tests.kernel.sanitizers import SANITIZED, sanitizer_environment

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the compilers are shell scripts")


@pytest.fixture(scope="module")
def compiler() -> Compiler:
    found = next(compilers(), None)
    if found is None:
        pytest.skip("no C compiler")
    return found


@pytest.fixture
def without_zig(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "_has_zig", lambda: False)


def test_a_source_becomes_a_loaded_library(compiler: Compiler, tmp_path: Path) -> None:
    """The system knows a loaded library by the path that it was loaded by; so each has its own."""
    flags = ("-O2", "-Wall", "-Wextra", "-Werror", *cpu_flags())
    text = "int number(void);\nint number(void) {{ return {}; }}"
    built = [build(text.format(number), flags, compiler, tmp_path / "cache") for number in (3, 5)]
    assert [one.problem for one in built] == ["", ""]
    assert [load(one).number() for one in built] == [3, 5]


@pytest.mark.usefixtures("without_zig")
def test_the_variable_comes_first(tmp_path: Path) -> None:
    script(tmp_path, "mine")
    script(tmp_path, "cc")
    first, second = compilers({"CC": "mine -m64 '-D x'", "PATH": str(tmp_path)})
    assert first == Compiler((f"{tmp_path}/mine", "-m64", "-D x"), "fake 1.0")
    assert second.command == (f"{tmp_path}/cc",)


@pytest.mark.parametrize("chosen", ["nowhere", "'half", "fails", "hangs", "nonsense"])
@pytest.mark.usefixtures("without_zig")
def test_a_compiler_that_says_no_version_is_passed_over(
    chosen: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding, "_PATIENCE", 0.5 if chosen == "hangs" else 10.0)
    script(tmp_path, "fails", says="echo 'license expired' >&2; exit 3")
    script(tmp_path, "hangs", says="/bin/sleep 60")
    script(tmp_path, "nonsense").write_bytes(b"\x00\x01")
    script(tmp_path, "gcc", says=r"printf 'red \033[31m hat\nmore\n'")
    found = next(compilers({"CC": chosen, "PATH": str(tmp_path)}), None)
    assert found == Compiler((f"{tmp_path}/gcc",), r"red \x1b[31m hat")


@pytest.mark.usefixtures("without_zig")
def test_there_may_be_no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert next(compilers({"PATH": str(tmp_path)}), None) is None
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(KernelError, match="no C compiler was found"):
        build_and_load("int x;", (), tmp_path)


def test_zig_comes_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "_has_zig", lambda: True)
    python = script(tmp_path, "python", '[ "$*" = "-P -m ziglang version" ] && echo 9.1')
    monkeypatch.setattr(sys, "executable", str(python))
    script(tmp_path, "clang")
    first, last = compilers({"PATH": str(tmp_path)})
    assert not first.is_zig
    assert (last.version, last.is_zig) == ("9.1", True)
    assert last.command == (str(python), "-P", "-m", "ziglang", "cc")


@pytest.mark.parametrize(
    ("does", "status", "message"),
    [
        ("echo 'kernel.c:1: no' >&2; exit 4", 4, "kernel.c:1: no"),
        ("echo done", 0, "no library from it: cannot be read: No such file or directory"),
        ("mkdir kernel.so", 0, "no library from it: cannot be read: it is a folder"),
        ("head -c 100000 /dev/zero | tr '\\0' '\\033'; exit 1", 1, "\\x1b\\x1b"),
        ("kill -11 $$", -11, ""),
    ],
)
def test_a_compiler_that_fails_says_why(
    does: str, status: int, message: str, tmp_path: Path
) -> None:
    with pytest.raises(KernelBuildError) as caught:
        build("int x;", (), fake(tmp_path, does), tmp_path / "cache")
    error = caught.value
    assert (error.status, error.compiler) == (status, f"{tmp_path}/fakecc")
    assert "".join(error.messages[:1]).startswith(message)
    assert len(str(error)) < 4000
    assert sum(map(len, error.messages)) < 10_000
    assert all(line.isprintable() for line in error.messages)
    with pytest.raises(KernelBuildError, match="could not be started"):
        build("int x;", (), Compiler(("/nowhere/cc",), ""), tmp_path / "cache")


def lives(pid: int) -> bool:
    """Whether a process still does anything; nobody may have collected a dead one."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


@exhaustive
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_compiler_that_hangs_is_ended_with_its_children(tmp_path: Path) -> None:
    does = f"sleep 600 & echo $! > {tmp_path}/child; wait"
    with pytest.raises(KernelTimeoutError) as caught:
        build("int x;", (), fake(tmp_path, does), tmp_path / "cache", seconds=0.2)
    assert caught.value.seconds == 0.2
    child = int((tmp_path / "child").read_text(encoding="utf-8"))
    for _ in range(200):  # a signal takes a moment
        if not lives(child):
            break
        time.sleep(0.01)
    assert not lives(child)


def test_a_library_for_another_computer_cannot_be_loaded(tmp_path: Path) -> None:
    library = build("no machine code", (), fake(tmp_path), tmp_path / "cache")
    with pytest.raises(KernelLoadError, match="the system cannot load it") as caught:
        load(library)
    assert caught.value.path == str(library.path)
    assert "/proc/self" not in str(caught.value)


@pytest.mark.usefixtures("without_zig")
def test_a_compiler_whose_library_cannot_be_loaded_is_passed_over(
    compiler: Compiler, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", str(script(tmp_path, "crosscc")))
    library, loaded = build_and_load("int x = 7;", (), tmp_path / "cache")
    assert ctypes.c_int.in_dll(loaded, "x").value == 7
    assert library.compiler.command == compiler.command
    assert calls(tmp_path) == 1
    with pytest.raises(KernelLoadError):  # the first of all errors, if none is of use
        build_and_load("this is no C", (), tmp_path / "cache")


V2 = "fpu cx16 lahf_lm popcnt pni ssse3 sse4_1 sse4_2"
V3 = f"{V2} avx avx2 bmi1 bmi2 f16c fma abm movbe xsave"


@pytest.mark.parametrize(
    ("told", "count"),
    [
        (f"flags : {V3} avx512f\n", 16), (f"flags : {V2} avx avx2\n", 7),
        ("flags : fpu sse2\n", 0),
        ("Features : fp asimd popcnt\nCPU part : 0xd0c", 0), ("x86_64  host", 0),
    ],
)  # fmt: skip
def test_levels_of_processors_are_used_as_a_whole(told: str, count: int) -> None:
    assert len(cpu_flags(told)) == count


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_processor_is_the_same_whenever_one_looks() -> None:
    """Its frequency, and which core was asked, are left out."""
    found = this_processor()
    assert found == this_processor()
    assert "MHz" not in found
    assert not found.startswith("processor")


FAULTS = """\
int shifted(int by) { return 1 << by; }
int byte(const char *bytes, int at) { return bytes[at]; }
"""


@pytest.mark.skipif(sys.platform != "linux", reason="LD_PRELOAD")
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
    call: str, found: str, compiler: Compiler, tmp_path: Path
) -> None:
    library = build(FAULTS, ("-O1", *SANITIZED), compiler, tmp_path / "cache")
    environment = sanitizer_environment(compiler)
    code = f"import ctypes; print(ctypes.CDLL({str(library.path)!r}).{call})"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment},
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert (done.returncode != 0) == bool(found), done.stderr
    assert found in done.stderr
    assert ("kernel.c" in done.stderr) == bool(found)
