"""Compiling rules: without a compiler, with one that fails, with every warning, with sanitizers."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import dipsat
from dipsat.errors import ArgumentError, KernelBuildError, KernelError
from dipsat.kernel import Batch, MapNumbers, library, library_cache
from dipsat.kernel.library_cache import compiled, compilers
from dipsat.kernel.source import source_of
from tests.checkout import ROOT
from tests.exhaustive import exhaustive
from tests.kernel.fake_compilers import fake
from tests.kernel.kernel_agreement import STRICT, USUAL, agreed, needs_compiler, random_boards
from tests.kernel.sanitizers import sanitizer_environment

PLACES = (
    ("datc", "standard"), ("variants/arpiesse", "standard"), ("datc", "world"),
)  # fmt: skip


def boards_of(batch: Batch) -> None:
    """Check that a batch adjudicates."""
    agreed(batch, random_boards(batch, range(3)))


def test_without_a_compiler_everything_is_done_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library_cache, "compilers", lambda: iter(()))
    batch = Batch("datc")
    assert not batch.native
    assert batch.why_not_native.startswith("no C compiler was found")
    boards_of(batch)
    with pytest.raises(KernelError, match="no C compiler was found"):
        Batch("datc", native=True)


@pytest.mark.skipif(os.name != "posix", reason="the compilers are shell scripts")
@pytest.mark.parametrize("does", ["echo broken >&2; exit 3", "echo 1 > kernel.so"])
def test_with_a_compiler_that_fails_everything_is_done_in_python(
    does: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library_cache, "compilers", lambda: iter([fake(tmp_path, does)]))
    monkeypatch.setenv("DIPSAT_CACHE", str(tmp_path / "cache"))
    batch = Batch("datc")
    assert not batch.native
    boards_of(batch)
    with pytest.raises(KernelError) as caught:
        Batch("datc", native=True)
    found, told = str(caught.value), batch.why_not_native
    assert found.split(": ")[1:] == told.split(": ")[1:]  # the folder is a new one
    assert isinstance(caught.value, KernelBuildError) == ("echo 1" not in does)


def test_python_alone_calls_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library_cache, "compilers", None)
    batch = Batch("datc", native=False)
    assert not batch.native
    assert batch.why_not_native
    boards_of(batch)


@pytest.mark.parametrize("native", ["yes", 2])
def test_native_must_be_true_false_or_none(native: object) -> None:
    with pytest.raises(ArgumentError, match="True, False or None"):
        Batch("datc", native=native)  # type: ignore[arg-type]


def test_declined_rules_are_adjudicated_in_python() -> None:
    many = [f"  - {{name: r{at}, when: 'true', set: {{move: true}}}}" for at in range(33)]
    rules = dipsat.parse_profile("\n".join(("extends: datc", "cycles:", *many)), "many.yaml")
    with pytest.raises(KernelError, match="'many' are not compiled: more than 32 rules for dec"):
        Batch(rules, native=True)
    batch = Batch(rules)
    assert not batch.native
    boards_of(batch)


def test_continuous_integration_has_a_compiler() -> None:
    """Continuous integration must not skip tests of compiled code silently."""
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert script.index("command -v cc") < script.index("pytest")
    if os.environ.get("CI"):
        assert next(compilers(), None) is not None


@exhaustive
@needs_compiler
@pytest.mark.parametrize(
    ("flag", "rules", "map"),
    [("-O0", *PLACES[0]), *(pytest.param("-O2", *one, marks=exhaustive) for one in PLACES[1:])],
)
def test_compilers_have_no_warnings(flag: str, rules: str, map: str, tmp_path: Path) -> None:
    """`test_batch` compiles all shipped rules without warnings too."""
    profile = dipsat.load_profile(rules)
    numbers = MapNumbers(dipsat.load_map(map), profile)
    text = source_of(profile, numbers.unit_words, numbers.place_words).text
    compiled(text, (flag, *STRICT), next(compilers()), str(tmp_path))


@exhaustive
@pytest.mark.skipif(find_spec("ziglang") is None, reason="ziglang is not installed")
def test_code_compiled_by_zig_finds_what_python_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Optimised, as for users: otherwise Zig first compiles its own checks, slowly."""
    zig = [*compilers()][-1]
    monkeypatch.setattr(library_cache, "compilers", lambda: iter((zig,)))
    monkeypatch.setattr(library, "_OPTIMISED", USUAL)
    batch = Batch("variants/arpiesse", native=True)  # uses more of the language than datc
    agreed(batch, random_boards(batch, range(50)))


@exhaustive
@needs_compiler
@pytest.mark.skipif(sys.platform != "linux", reason="LD_PRELOAD")
@pytest.mark.parametrize(("rules", "map"), PLACES)
def test_sanitizers_find_no_fault(rules: str, map: str) -> None:
    """They check boards of all sizes, games, and garbage."""
    environment = sanitizer_environment(next(compilers()))
    done = subprocess.run(
        [sys.executable, "-m", "tests.kernel.sanitized", rules, map], cwd=ROOT,
        env={**os.environ, **environment}, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, ""), done.stderr[:3000]
    assert done.stdout.endswith(" refused\n")
