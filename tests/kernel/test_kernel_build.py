"""Finding a C compiler, and calling it: what it makes, and all the ways in which it can fail."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import dipsat
from dipsat.errors import (
    KernelBuildError,
    KernelError,
    KernelLoadError,
    KernelTimeoutError,
)
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

STRICT = ("-O2", "-Wall", "-Wextra", "-Werror")
SOURCE = """\
#include <stdint.h>
#include <string.h>
typedef unsigned long long set2 __attribute__((vector_size(16)));
#define FIRST(bits) ({ uint64_t own = (bits); own ? __builtin_ctzll(own) : -1; })
static _Thread_local set2 seen;
uint64_t mixed(const uint64_t *words, uint64_t count) {
    uint64_t sum = 0;
    seen = (set2){0, 0};
    for (uint64_t at = 0; at + 1 < count; at += 2) {
        set2 pair;
        memcpy(&pair, words + at, sizeof pair);
        seen |= pair ^ (pair << 3);
        sum += (uint64_t)FIRST(pair[0] & pair[1]) + (uint64_t)__builtin_popcountll(seen[at & 1]);
    }
    return sum;
}
"""
WORDS = [0x9E3779B97F4A7C15 * at % 2**64 >> at for at in range(64)]


def mixed_in_python(words: list[int]) -> int:
    """What `SOURCE` computes."""
    total, seen = 0, [0, 0]
    for pair in zip(words[::2], words[1::2], strict=True):
        seen = [old | (one ^ (one << 3) % 2**64) for old, one in zip(seen, pair, strict=True)]
        both = pair[0] & pair[1]
        total += ((both & -both).bit_length() - 1) + seen[0].bit_count()
    return total % 2**64


def mixed(library: ctypes.CDLL) -> int:
    function = library.mixed
    function.restype, function.argtypes = ctypes.c_uint64, [ctypes.c_void_p, ctypes.c_uint64]
    found: int = function((ctypes.c_uint64 * len(WORDS))(*WORDS), len(WORDS))
    return found


@pytest.fixture(scope="module")
def compiler() -> Compiler:
    found = next(compilers(), None)
    if found is None:
        pytest.skip("no C compiler")
    return found


@pytest.fixture(scope="module")
def zig_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all tests of Zig, which first compiles a library of its own."""
    return tmp_path_factory.mktemp("zig") / "cache"


@pytest.fixture
def without_zig(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "_has_zig", lambda: False)


def test_a_source_becomes_a_loaded_library(compiler: Compiler, tmp_path: Path) -> None:
    library = build(SOURCE, (*STRICT, *cpu_flags()), compiler, tmp_path / "cache")
    assert library.problem == ""
    assert mixed(load(library)) == mixed_in_python(WORDS)


@exhaustive
def test_zig_makes_an_equal_library(tmp_path: Path, zig_cache: Path) -> None:
    """Here for this processor; for every processor of the kind, `test_batch_build` has rules."""
    if importlib.util.find_spec("ziglang") is None:
        pytest.skip("no Zig")
    (zig,) = (one for one in compilers({"PATH": str(tmp_path)}) if one.is_zig)
    library = build(SOURCE, (*STRICT, "-mcpu=native"), zig, zig_cache)
    assert library.problem == ""
    assert mixed(load(library)) == mixed_in_python(WORDS)
    assert {path.name for path in zig_cache.iterdir()} >= {"zig", library.path.name}


def test_several_libraries_are_told_apart(compiler: Compiler, tmp_path: Path) -> None:
    """The system knows a loaded library by the path that it was loaded by."""
    numbers = (3, 5)
    built = [
        build(f"int number(void) {{ return {one}; }}", (), compiler, tmp_path / "cache")
        for one in numbers
    ]
    assert tuple(load(one).number() for one in built) == numbers


@pytest.mark.parametrize(
    ("chosen", "command"),
    [("{}/mine", ("{}/mine",)), ("mine -m64 '-D x'", ("{}/mine", "-m64", "-D x"))],
)
@pytest.mark.usefixtures("without_zig")
def test_the_variable_comes_first(chosen: str, command: tuple[str, ...], tmp_path: Path) -> None:
    script(tmp_path, "mine")
    script(tmp_path, "cc")
    first, second = compilers({"CC": chosen.format(tmp_path), "PATH": str(tmp_path)})
    assert first == Compiler(tuple(part.format(tmp_path) for part in command), "fake 1.0")
    assert second.command == (f"{tmp_path}/cc",)


@pytest.mark.parametrize("chosen", ["nowhere", "'half", "fails", "hangs", "nonsense", "  "])
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
        build_and_load(SOURCE, (), tmp_path)


def test_zig_comes_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "_has_zig", lambda: True)
    python = script(tmp_path, "python", '[ "$*" = "-P -m ziglang version" ] && echo 9.1')
    monkeypatch.setattr(sys, "executable", str(python))
    script(tmp_path, "clang")
    first, last = compilers({"PATH": str(tmp_path)})
    assert not first.is_zig
    assert (last.version, last.is_zig) == ("9.1", True)
    assert last.command == (str(python), "-P", "-m", "ziglang", "cc")


def failing(does: str, folder: Path) -> KernelBuildError:
    with pytest.raises(KernelBuildError) as caught:
        build("int x;", (), fake(folder, does), folder / "cache")
    assert len(str(caught.value)) < 4000
    assert sum(map(len, caught.value.messages)) < 10_000
    assert all(line.isprintable() for line in caught.value.messages)
    return caught.value


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
    error = failing(does, tmp_path)
    assert error.status == status
    assert "".join(error.messages[:1]).startswith(message)
    assert error.compiler == f"{tmp_path}/fakecc"


@pytest.mark.parametrize("command", ["/nowhere/cc", "null\0character"])
def test_a_compiler_that_has_gone_is_reported(command: str, tmp_path: Path) -> None:
    with pytest.raises(KernelBuildError, match="could not be started") as caught:
        build("int x;", (), Compiler((command,), ""), tmp_path / "cache")
    assert caught.value.status is None


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


X86 = "flags : {}\n"
V2 = "fpu cx16 lahf_lm popcnt pni ssse3 sse4_1 sse4_2"
V3 = f"{V2} avx avx2 bmi1 bmi2 f16c fma abm movbe xsave"


@pytest.mark.parametrize(
    ("abilities", "count"),
    [(V3, 16), (f"{V3} avx512f", 16), (V2, 7), (f"{V2} avx avx2", 7), ("fpu sse2", 0)],
)
def test_levels_of_processors_are_used_as_a_whole(abilities: str, count: int) -> None:
    flags = cpu_flags(X86.format(abilities))
    assert len(flags) == count
    assert ("-mpopcnt" in flags) == (count > 0)


def test_other_processors_need_no_flags() -> None:
    assert cpu_flags("Features : fp asimd popcnt\nCPU part : 0xd0c") == ()
    assert cpu_flags("x86_64  host") == ()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_processor_is_the_same_whenever_one_looks() -> None:
    """Its frequency, and which core was asked, are left out."""
    found = this_processor()
    assert found == this_processor()
    assert "MHz" not in found
    assert not found.startswith("processor")


def test_nothing_starts_when_modules_are_imported() -> None:
    code = (
        "import sys\nstarted = []\n"
        "sys.addaudithook(lambda event, _: started.append(event) if event in "
        "('subprocess.Popen', 'os.posix_spawn', 'os.fork', 'os.exec', 'os.mkdir') else None)\n"
        "import dipsat.kernel.library_cache\n"
        "print(started, {'ctypes', 'fcntl', 'platform'} & sys.modules.keys() or None)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True,
        env={**os.environ, "PYTHONPATH": str(Path(dipsat.__file__).parents[1])},
    )  # fmt: skip
    assert done.stdout.split()[0] == "[]"
    assert "ctypes" not in done.stdout


FAULTS = """\
int shifted(int by) { return 1 << by; }
int byte(const char *bytes, int at) { return bytes[at]; }
"""


@pytest.mark.skipif(sys.platform != "linux", reason="LD_PRELOAD")
@exhaustive
@pytest.mark.parametrize(
    ("call", "found"),
    [
        ("shifted(3)", ""),
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
